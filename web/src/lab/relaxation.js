/** The LP relaxation of a model with columns fixed and cuts added: its answer depends on these alone. */

/** @typedef {Awaited<ReturnType<typeof import("highs").default>>} Highs */
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
/** @typedef {{bound: number | null, values: number[]}} Relaxed the optimum and its solution, or null and nothing where there is none */

/** A HiGHS model: of the exact cover, or its relaxation. @param {Highs} highs @param {Model} cover @param {boolean} isRelaxed */
export function modelOf(highs, { columns, rows: all, demand, weight, isChoice, areas, isExact }, isRelaxed) {
  const packing = isRelaxed && !isExact;
  const weighted = isRelaxed || isExact;
  // A packing has pieces of a choice with the area of all cells: else one piece more could replace another.
  const hasArea = packing && areas.columns.length > 0;
  const rows = hasArea ? [...all, areas.columns] : all;
  const starts = [0];
  for (const row of rows) starts.push(starts[starts.length - 1] + row.length);
  const index = rows.flat();
  const values = new Float64Array(index.length).fill(1);
  if (hasArea) values.set(areas.sizes, index.length - areas.sizes.length);
  const total = hasArea ? [areas.total] : [];
  const lower = packing ? demand.map((least, row) => (isChoice[row] ? least : -highs.infinity)) : demand;
  return highs.createModel({
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
}

/** The relaxation of a model. */
export class Relaxation {
  /** @param {Highs} highs @param {Model} cover */
  constructor(highs, cover) {
    this.highs = highs;
    this.cover = cover;
    /** @type {import("highs").Model | null} */
    this.lp = null;
    /** @type {number[]} */
    this.fixed = [];
    /** The cuts in the LP. @type {string[]} */
    this.added = [];
  }

  /**
   * Solve it with some columns fixed and some cuts added.
   * One that covers as many cells as possible has a solution nearly always; what it covers less than all cells
   * is a proof that no tiling is left.
   * @param {readonly [number, number][]} fixings @param {readonly import("./tree.js").Cut[]} cuts @returns {Relaxed}
   */
  solve(fixings, cuts) {
    const { highs } = this;
    const keys = cuts.map(({ columns, most }) => `${most} ${columns.join()}`);
    if (this.added.some((key, k) => key !== keys[k])) this.dispose();
    if (!this.lp) {
      this.lp = modelOf(highs, this.cover, true);
      this.lp.options.set({ output_flag: false });
    }
    const { lp } = this;
    for (const { columns, most } of cuts.slice(this.added.length)) {
      lp.addRow(-highs.infinity, most, {
        indices: Int32Array.from(columns), values: new Float64Array(columns.length).fill(1),
      });
    }
    this.added = keys;
    for (const column of this.fixed) lp.changeColBounds(column, 0, 1);
    const wanted = new Map(fixings);
    this.fixed = [...wanted.keys()];
    if (fixings.some(([column, value]) => wanted.get(column) !== value)) return { bound: null, values: [] };
    for (const [column, value] of wanted) lp.changeColBounds(column, value, value);
    // From the basis of the node before, a degenerate LP may end at another optimum: the tree would depend on the order of visits.
    lp.clearSolver();
    lp.run();
    const status = lp.getModelStatus();
    if (status === highs.constants.modelStatus.infeasible) return { bound: null, values: [] };
    if (status !== highs.constants.modelStatus.optimal) throw new Error(`HiGHS ended with status ${status}`);
    return { bound: lp.getObjectiveValue(), values: Array.from(lp.getSolution().colValue) };
  }

  /** Give its memory back; it is built anew when it is solved again. */
  dispose() {
    this.lp?.dispose();
    this.lp = null;
    this.fixed = [];
    this.added = [];
  }
}
