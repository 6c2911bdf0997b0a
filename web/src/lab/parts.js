/** What only the lab needs, in the page itself or in the file beside it. */

/** @typedef {{view: string, thread: string, wasm: string}} Parts the lab's view and the solver's thread as scripts, HiGHS packed */

/** The parts in the page, or null. @returns {Parts | null} */
export const partsInside = () => JSON.parse(document.getElementById("lab")?.textContent || "null");

/** The licences of what others wrote: the head of the solver's script. @param {Parts} parts */
export const noticesIn = ({ thread }) => thread.slice("/*\n".length, thread.indexOf("*/"));

/** The parts, from wherever they are. @returns {Promise<Parts>} */
export async function parts() {
  const inside = partsInside();
  if (inside) return inside;
  const global = /** @type {any} */ (globalThis);
  if (!global.calmipLab) {
    await new Promise((loaded, failed) => {
      const script = document.createElement("script");
      script.src = "highs.js";
      script.onload = loaded;
      script.onerror = () =>
        failed(new Error("the solver is not beside this page (highs.js); calmip play -o play.html writes a page that holds it"));
      document.head.append(script);
    });
  }
  return global.calmipLab;
}
