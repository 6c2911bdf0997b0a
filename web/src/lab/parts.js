/** What only the lab needs, in the page itself or in the file beside it. */

/** @typedef {{view: string, thread: string, wasm: string}} Parts the lab's view and the solver's thread as scripts, HiGHS packed */

/** A text that was written into the page for a script, or nothing. @param {string} id */
export const textInside = (id) => JSON.parse(document.getElementById(id)?.textContent || "null");

/** The parts in the page, or null. @returns {Parts | null} */
export const partsInside = () => textInside("lab");

/** The licences of what others wrote: the head of the solver's script. @param {Parts} parts */
export const noticesIn = ({ thread }) => thread.slice("/*\n".length, thread.indexOf("*/"));

/** Run a script that lies beside the page. @param {string} file @returns {Promise<unknown>} */
export const beside = (file) => new Promise((loaded, failed) => {
  const script = document.createElement("script");
  script.src = file;
  script.onload = loaded;
  script.onerror = () =>
    failed(new Error(`${file} is not beside this page; calmip play -o play.html writes a page that holds it`));
  document.head.append(script);
});

/** The parts, from wherever they are. @returns {Promise<Parts>} */
export async function parts() {
  const inside = partsInside();
  if (inside) return inside;
  const global = /** @type {any} */ (globalThis);
  if (!global.calmipLab) await beside("highs.js");
  return global.calmipLab;
}
