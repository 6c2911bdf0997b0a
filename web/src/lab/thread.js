/** HiGHS in a thread of its own: relaxations, whole solves with their log, no-good cuts. */

import loadHighs from "highs";
import { modelOf, Relaxation } from "./relaxation.js";

/** @typedef {{linear: import("./relaxation.js").Linear, whole: import("./relaxation.js").Linear, isExact: boolean}} Model the relaxation, what is solved as a whole, and whether its objective counts */
/** @typedef {{status: "optimal" | "infeasible" | "stopped", nodes: number, seconds: number, chosen: number[], values: number[]}} Solved */

/** @type {Awaited<ReturnType<typeof loadHighs>>} */
let highs;
/** @type {Model} */
let cover;
/** @type {Relaxation | null} */
let relaxation = null;

/** So many dives are tried before the full search, as `calmip solve` does. */
const DIVES = 10;

/** A dive ends at the third time that HiGHS asks whether to go on: then its heuristic is done. */
const CALLS_OF_A_DIVE = 3;

/**
 * Solve as `calmip solve` does: the first heuristic with some seeds, then the full search.
 * @param {import("highs").Model} model @param {(text: string) => void} log @returns {Solved}
 */
function dived(model, log) {
  let nodes = 0;
  let seconds = 0;
  model.options.set({ presolve: "off", mip_detect_symmetry: false });
  for (let dive = 1; dive <= DIVES; dive += 1) {
    log(`\nDive ${dive}: the heuristic of the root node, with the seed ${dive}\n`);
    model.options.set({ random_seed: dive });
    model.clearSolver();
    const found = run(model, log, CALLS_OF_A_DIVE);
    nodes += found.nodes;
    seconds += found.seconds;
    if (found.status !== "stopped") return { ...found, nodes, seconds };
  }
  log("\nThe full search\n");
  model.options.set({ presolve: "on", mip_detect_symmetry: true });
  model.clearSolver();
  const found = run(model, log);
  return { ...found, nodes: nodes + found.nodes, seconds: seconds + found.seconds };
}

/** Solve a model and say what came out. @param {import("highs").Model} model @param {(text: string) => void} [log] @param {number} [calls] stop when HiGHS asks for so many times @returns {Solved} */
function run(model, log = () => {}, calls = Infinity) {
  const begun = performance.now();
  let asked = 0;
  model.run({
    [highs.constants.callbackType.mipInterrupt](event) {
      asked += 1;
      if (asked >= calls) event.interrupt();
      return undefined;
    },
    [highs.constants.callbackType.logging](event) {
      log(event.message ?? "");
      return undefined;
    },
  });
  const seconds = (performance.now() - begun) / 1000;
  const status = model.getModelStatus();
  const { optimal, infeasible } = highs.constants.modelStatus;
  const nodes = Number(model.info.get("mip_node_count"));
  const values = status === optimal ? Array.from(model.getSolution().colValue) : [];
  return {
    status: status === optimal ? "optimal" : status === infeasible ? "infeasible" : "stopped",
    nodes, seconds, values,
    chosen: values.flatMap((value, column) => (value > 0.5 ? [column] : [])),
  };
}

/** Find one tiling after the other, each forbidden by a no-good cut. @param {(message: object) => void} tell */
function enumerate(tell) {
  const model = modelOf(highs, cover.whole, true);
  model.options.set({ output_flag: false });
  try {
    for (;;) {
      const { status, chosen, seconds } = run(model);
      if (status !== "optimal") return { complete: status === "infeasible" };
      tell({ chosen, seconds });
      model.addRow(-highs.infinity, chosen.length - 1, {
        indices: Int32Array.from(chosen), values: new Float64Array(chosen.length).fill(1),
      });
    }
  } finally {
    model.dispose();
  }
}

/** @param {any} message @param {(message: object) => void} tell @returns {Promise<unknown>} */
async function serve({ task, wasm, model, fixings, cuts, isPlain }, tell) {
  if (task === "load") {
    const begun = performance.now();
    // A Blob's stream cannot be read in WebKit where the page is a file.
    const packed = new Response(wasm).body;
    if (!packed) throw new Error("this browser cannot read a stream of bytes");
    const bytes = await new Response(packed.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
    const compiled = await WebAssembly.compile(bytes);
    // This build knows neither wasmBinary nor wasmModule; the loader's own hook serves.
    const options = /** @type {{}} */ ({
      instantiateWasm: (/** @type {WebAssembly.Imports} */ imports, /** @type {(instance: WebAssembly.Instance) => void} */ done) =>
        void WebAssembly.instantiate(compiled, imports).then(done),
    });
    highs = await loadHighs(options);
    return { seconds: (performance.now() - begun) / 1000 };
  }
  if (task === "model") {
    relaxation?.dispose();
    relaxation = new Relaxation(highs, model.linear);
    cover = model;
    return null;
  }
  if (task === "relax") return relaxation?.solve(fixings, cuts);
  if (task === "enumerate") return enumerate(tell);
  const whole = modelOf(highs, cover.whole, true);
  try {
    const log = (/** @type {string} */ text) => tell({ log: text });
    if (!isPlain && !cover.isExact) return dived(whole, log);
    // As a textbook has it; every row of the log is wanted.
    if (isPlain) whole.options.set({ presolve: "off", mip_detect_symmetry: false, mip_heuristic_effort: 0, mip_min_logging_interval: 0 });
    return run(whole, log);
  } finally {
    whole.dispose();
  }
}

/** Answer a message. @param {any} data */
async function answer(data) {
  const { number } = data;
  try {
    const value = await serve(data, (message) => postMessage({ number, ...message }));
    postMessage({ number, done: true, value });
  } catch (error) {
    postMessage({ number, done: true, error: String(error) });
  }
}

addEventListener("message", ({ data }) => void answer(data));
