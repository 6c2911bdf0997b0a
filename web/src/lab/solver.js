/** The page's side of HiGHS: loaded when it is first asked for, from what the page carries. */

/** @typedef {import("./thread.js").Model} Model */
/** @typedef {import("./thread.js").Solved} Solved */

/** The bytes of a base64 text. @param {string} text */
const bytesOf = (text) => Uint8Array.from(atob(text), (mark) => mark.charCodeAt(0));

/** The solver's thread and its wasm: in the page itself, or in the file beside it. @returns {Promise<{thread: string, wasm: string}>} */
async function parts() {
  const inside = document.getElementById("lab")?.textContent;
  if (inside) return JSON.parse(inside);
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

/** HiGHS in a thread. */
export class Solver {
  constructor() {
    this.number = 0;
    /** @type {Map<number, {resolve: (value: any) => void, reject: (error: Error) => void, tell: (message: any) => void}>} */
    this.waiting = new Map();
    /** @type {Worker | null} */
    this.worker = null;
    /** Seconds that it took to be ready. */
    this.seconds = 0;
  }

  /** Load the solver, unless it is there. */
  async load() {
    if (this.worker) return;
    if (typeof WebAssembly === "undefined" || typeof DecompressionStream === "undefined") {
      throw new Error("this browser has no WebAssembly, which HiGHS needs; everything else on this page works");
    }
    const begun = performance.now();
    const { thread, wasm } = await parts();
    this.worker = new Worker(URL.createObjectURL(new Blob([thread], { type: "text/javascript" })));
    this.worker.onmessage = ({ data }) => this.heard(data);
    this.worker.onerror = (event) => {
      event.preventDefault();
      for (const { reject } of this.waiting.values()) reject(new Error(event.message || "the solver's thread failed"));
      this.waiting.clear();
      this.worker = null;
    };
    await this.ask({ task: "load", wasm: bytesOf(wasm) });
    this.seconds = (performance.now() - begun) / 1000;
  }

  /** @param {any} data */
  heard({ number, done, value, error, ...message }) {
    const entry = this.waiting.get(number);
    if (!entry) return;
    if (!done) entry.tell(message);
    else {
      this.waiting.delete(number);
      if (error) entry.reject(new Error(error));
      else entry.resolve(value);
    }
  }

  /** @param {object} message @param {(message: any) => void} [tell] hears what comes before the answer @returns {Promise<any>} */
  ask(message, tell = () => {}) {
    this.number += 1;
    const { number } = this;
    return new Promise((resolve, reject) => {
      this.waiting.set(number, { resolve, reject, tell });
      this.worker?.postMessage({ number, ...message });
    });
  }

  /** End what runs between two solves. */
  stop() {
    this.worker?.postMessage({ task: "stop" });
  }

  /** End the thread; the next `load` begins a new one. */
  end() {
    this.worker?.terminate();
    this.worker = null;
    this.waiting.clear();
  }
}
