/** HiGHS in a thread of its own: relaxations, whole solves with their log, no-good cuts. */

import loadHighs from "highs";

/**
 * @typedef {object} Model an exact cover as rows: in each, the columns with a one, and their sum
 * @property {number} columns
 * @property {number[][]} rows
 * @property {number[]} demand
 * @property {boolean[]} isChoice which rows say what pieces are used; they are equations in a packing, too
 * @property {{columns: number[], sizes: number[], total: number}} areas the columns that leave a piece out, with its cells, and as many
 *   cells as are left out in all
 * @property {number[]} weight of every column
 * @property {boolean} isExact whether a solution of the largest weight is looked for, and every row is an equation; else the weights are
 *   the cells that each column covers, and the relaxation packs as many as possible
 */
/** @typedef {{status: "optimal" | "infeasible" | "stopped", nodes: number, seconds: number, chosen: number[]}} Solved */

/** @type {Awaited<ReturnType<typeof loadHighs>>} */
let highs;
/** @type {Model} */
let cover;
/** @type {import("highs").Model | null} */
let relaxation = null;
/** @type {number[]} */
let fixed = [];
/** The cuts in the relaxation. @type {string[]} */
let added = [];

/** A HiGHS model: of the exact cover, or its relaxation. @param {boolean} isRelaxed */
function modelOf(isRelaxed) {
  const { columns, demand, weight, isChoice, areas, isExact } = cover;
  const packing = isRelaxed && !isExact;
  const weighted = isRelaxed || isExact;
  // A packing has pieces of a choice with the area of all cells: else one piece more could replace another.
  const hasArea = packing && areas.columns.length > 0;
  const rows = hasArea ? [...cover.rows, areas.columns] : cover.rows;
  const starts = [0];
  for (const row of rows) starts.push(starts[starts.length - 1] + row.length);
  const index = rows.flat();
  const values = new Float64Array(index.length).fill(1);
  if (hasArea) values.set(areas.sizes, index.length - areas.sizes.length);
  const total = hasArea ? [areas.total] : [];
  const lower = packing ? demand.map((least, row) => (isChoice[row] ? least : -highs.infinity)) : demand;
  const model = highs.createModel({
    numCols: columns,
    numRows: rows.length,
    sense: weighted ? highs.constants.objectiveSense.maximize : highs.constants.objectiveSense.minimize,
    colCost: weighted ? weight : new Float64Array(columns),
    colLower: new Float64Array(columns),
    colUpper: new Float64Array(columns).fill(1),
    rowLower: [...lower, ...total],
    rowUpper: [...demand, ...total],
    matrix: {
      format: "csr", numCols: columns, numRows: rows.length,
      starts: Int32Array.from(starts), indices: Int32Array.from(index), values,
    },
    ...(isRelaxed ? {} : { integrality: new Array(columns).fill(highs.constants.variableType.integer) }),
  });
  return model;
}

/**
 * Solve the relaxation with some columns fixed and some cuts added.
 * One that covers as many cells as possible has a solution nearly always; what it covers less than all cells
 * is a proof that no tiling is left.
 * @param {[number, number][]} fixings @param {import("./tree.js").Cut[]} cuts
 */
function relax(fixings, cuts) {
  const keys = cuts.map(({ columns, most }) => `${most} ${columns.join()}`);
  if (added.some((key, k) => key !== keys[k])) forget();
  if (!relaxation) {
    relaxation = modelOf(true);
    relaxation.options.set({ output_flag: false });
  }
  const lp = relaxation;
  for (const { columns, most } of cuts.slice(added.length)) {
    lp.addRow(-highs.infinity, most, {
      indices: Int32Array.from(columns), values: new Float64Array(columns.length).fill(1),
    });
  }
  added = keys;
  for (const column of fixed) lp.changeColBounds(column, 0, 1);
  const wanted = new Map(fixings);
  fixed = [...wanted.keys()];
  if (fixings.some(([column, value]) => wanted.get(column) !== value)) return { bound: null, values: [] };
  for (const [column, value] of wanted) lp.changeColBounds(column, value, value);
  lp.run();
  const status = lp.getModelStatus();
  if (status === highs.constants.modelStatus.infeasible) return { bound: null, values: [] };
  if (status !== highs.constants.modelStatus.optimal) throw new Error(`HiGHS ended with status ${status}`);
  return { bound: lp.getObjectiveValue(), values: Array.from(lp.getSolution().colValue) };
}

/** Let the relaxation be built anew. */
function forget() {
  relaxation?.dispose();
  relaxation = null;
  fixed = [];
  added = [];
}

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
    nodes, seconds,
    chosen: values.flatMap((value, column) => (value > 0.5 ? [column] : [])),
  };
}

/** Find one tiling after the other, each forbidden by a no-good cut. @param {(message: object) => void} tell */
function enumerate(tell) {
  const model = modelOf(false);
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
    forget();
    cover = model;
    return null;
  }
  if (task === "relax") return relax(fixings, cuts);
  if (task === "enumerate") return enumerate(tell);
  const whole = modelOf(false);
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
