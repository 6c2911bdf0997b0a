/** The LP relaxation of a model with columns fixed and cuts added: its answer depends on these alone. */

/** @typedef {Awaited<ReturnType<typeof import("highs").default>>} Highs */
/** @typedef {import("./tree.js").Cut} Cut */
/** @typedef {import("./tree.js").Fix} Fix */
/** @typedef {{index: number[], value: number[], low: number, high: number}} Row the sum of values times columns lies from low to high */
/** @typedef {{cost: number[], low: number[], high: number[], isInteger: boolean[], rows: Row[]}} Linear a model whose objective is maximised */
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
/**
 * @typedef {object} Relaxed
 * @property {number | null} bound the optimum, or null where there is no solution
 * @property {number[]} values the solution, or nothing
 * @property {number[]} duals a multiplier for each row and then each cut: of the optimum, or of a proof that there is no solution
 */

/** An exact cover as a linear model: to be solved, or to be relaxed. @param {Model} cover @param {boolean} isRelaxed @returns {Linear} */
export function linearOf({ columns, rows, demand, weight, isChoice, areas, isExact }, isRelaxed) {
  const packing = isRelaxed && !isExact;
  const linear = {
    cost: isRelaxed || isExact ? weight : new Array(columns).fill(0),
    low: new Array(columns).fill(0), high: new Array(columns).fill(1), isInteger: new Array(columns).fill(true),
    rows: rows.map((index, row) => ({
      index, value: index.map(() => 1), low: packing && !isChoice[row] ? -Infinity : demand[row], high: demand[row],
    })),
  };
  // A packing has pieces of a choice with the area of all cells: else one piece more could replace another.
  if (packing && areas.columns.length) linear.rows.push({ index: areas.columns, value: areas.sizes, low: areas.total, high: areas.total });
  return linear;
}

/** A cut as a row. @param {Cut} cut @returns {Row} */
export const rowOfCut = ({ columns, values, most }) => ({ index: columns, value: values ?? columns.map(() => 1), low: -Infinity, high: most });

/** The bounds of the columns below some fixings; null where one is left without a value. @param {Linear} linear @param {readonly Fix[]} fixings @returns {{low: number[], high: number[]} | null} */
export function boundsAt(linear, fixings) {
  const [low, high] = [[...linear.low], [...linear.high]];
  for (const [column, least, most = least] of fixings) {
    low[column] = Math.max(low[column], least);
    high[column] = Math.min(high[column], most);
    if (low[column] > high[column]) return null;
  }
  return { low, high };
}

/** A model for HiGHS. @param {Highs} highs @param {Linear} linear @param {boolean} isInteger whether its integer columns are kept so */
export function modelOf(highs, { cost, low, high, rows, isInteger: kinds }, isInteger) {
  const { infinity, constants: { objectiveSense, variableType } } = highs;
  const finite = (/** @type {number[]} */ all) => all.map((one) => Math.max(-infinity, Math.min(infinity, one)));
  const starts = [0];
  for (const { index } of rows) starts.push(starts[starts.length - 1] + index.length);
  const isFeasibility = cost.every((one) => !one);
  return highs.createModel({
    numCols: cost.length,
    numRows: rows.length,
    sense: isFeasibility ? objectiveSense.minimize : objectiveSense.maximize,
    colCost: Float64Array.from(cost),
    colLower: finite(low),
    colUpper: finite(high),
    rowLower: finite(rows.map((row) => row.low)),
    rowUpper: finite(rows.map((row) => row.high)),
    matrix: {
      format: "csr", numCols: cost.length, numRows: rows.length, starts: Int32Array.from(starts),
      indices: Int32Array.from(rows.flatMap(({ index }) => index)), values: Float64Array.from(rows.flatMap(({ value }) => value)),
    },
    ...(isInteger ? { integrality: kinds.map((one) => (one ? variableType.integer : variableType.continuous)) } : {}),
  });
}

/** The relaxation of a model. */
export class Relaxation {
  /** @param {Highs} highs @param {Linear} linear */
  constructor(highs, linear) {
    this.highs = highs;
    this.linear = linear;
    /** @type {import("highs").Model | null} */
    this.lp = null;
    /** The columns whose bounds are not the model's. @type {Set<number>} */
    this.fixed = new Set();
    /** The cuts in the LP. @type {string[]} */
    this.added = [];
  }

  /**
   * Solve it with some columns fixed and some cuts added.
   * One that covers as many cells as possible has a solution nearly always; what it covers less than all cells
   * is a proof that no tiling is left.
   * @param {readonly Fix[]} fixings @param {readonly Cut[]} cuts @returns {Relaxed}
   */
  solve(fixings, cuts) {
    const { highs, linear } = this;
    const bounds = boundsAt(linear, fixings);
    if (!bounds) return { bound: null, values: [], duals: [] };
    const keys = cuts.map((cut) => JSON.stringify([cut.most, cut.columns, cut.values ?? 1]));
    if (this.added.some((key, k) => key !== keys[k])) this.dispose();
    if (!this.lp) {
      this.lp = modelOf(highs, linear, false);
      this.lp.options.set({ output_flag: false });
    }
    const { lp } = this;
    for (const cut of cuts.slice(this.added.length)) {
      const { index, value, high } = rowOfCut(cut);
      lp.addRow(-highs.infinity, high, { indices: Int32Array.from(index), values: Float64Array.from(value) });
    }
    this.added = keys;
    const changed = new Set(fixings.map(([column]) => column));
    const finite = (/** @type {number} */ one) => Math.max(-highs.infinity, Math.min(highs.infinity, one));
    for (const column of new Set([...this.fixed, ...changed])) lp.changeColBounds(column, finite(bounds.low[column]), finite(bounds.high[column]));
    this.fixed = changed;
    // From the basis of the node before, a degenerate LP may end at another optimum: the tree would depend on the order of visits.
    lp.clearSolver();
    lp.run();
    const status = lp.getModelStatus();
    const { infeasible, optimal, unbounded, unboundedOrInfeasible } = highs.constants.modelStatus;
    if (status === infeasible) return { bound: null, values: [], duals: Array.from(lp.getDualRay()?.values ?? []) };
    if (status === unbounded || status === unboundedOrInfeasible) throw new Unbounded();
    if (status !== optimal) throw new Error(`HiGHS ended with status ${status}`);
    const { colValue, rowDual } = lp.getSolution();
    return { bound: lp.getObjectiveValue(), values: Array.from(colValue), duals: Array.from(rowDual) };
  }

  /** Give its memory back; it is built anew when it is solved again. */
  dispose() {
    this.lp?.dispose();
    this.lp = null;
    this.fixed = new Set();
    this.added = [];
  }
}

/** A relaxation without a bound. */
class Unbounded extends Error {
  constructor() {
    super("the relaxation is unbounded; every column with a cost needs a bound");
  }
}
