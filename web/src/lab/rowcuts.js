/** Cuts from the rows of any model: covers of a knapsack, cliques, and sums of rows that are rounded down (Chvátal-Gomory). */

import { cliqueAmong } from "./cuts.js";
import { decimal, Fraction, leftSide, ZERO } from "./exact.js";

/** @typedef {import("./relaxation.js").Linear} Linear */
/** @typedef {import("./relaxation.js").Row} Row */
/** @typedef {{row: number, columns: number[], weights: Fraction[], sum: Fraction, most: number}} Cover columns of a row that do not fit together, and what they weigh */
/** @typedef {{row: number, columns: [number, number], sum: Fraction, side: number}} Conflict two columns that a row does not let be 1 both: its left side is then at least, or at most, that sum */
/** @typedef {{index: number[], value: Fraction[], side: Fraction}} Sum a sum of multiplied rows: its left side is at most so much */

const ONE = new Fraction(1);

/** Whether a row is a knapsack: its weights are at least 0, its columns 0 or 1. @param {Linear} linear @param {Row} row */
const isKnapsack = ({ low, high, isInteger }, { index, value, high: most }) =>
  most < Infinity && value.every((one) => one >= 0) && index.every((column) => isInteger[column] && low[column] === 0 && high[column] === 1);

/** The minimal cover of a knapsack that a point violates most; null where it violates none. @param {Linear} linear @param {readonly Fraction[]} values @returns {Cover | null} */
export function violatedCover(linear, values) {
  /** @type {Cover | null} */
  let best = null;
  // What the columns of a cover miss of 1, in sum: below 1 exactly where the point violates it.
  let least = ONE;
  linear.rows.forEach((row, number) => {
    if (!isKnapsack(linear, row)) return;
    const most = decimal(row.high);
    const terms = row.index.map((column, k) => ({ column, weight: decimal(row.value[k]), miss: ONE.minus(values[column]) }))
      .filter(({ weight, miss }) => weight.sign && miss.compare(ONE) < 0);
    const whole = terms.filter(({ miss }) => miss.sign <= 0);
    const rest = terms.filter(({ miss }) => miss.sign > 0);
    /** @param {typeof terms} chosen @param {Fraction} sum @param {Fraction} missed @param {number} from */
    const grow = (chosen, sum, missed, from) => {
      if (missed.compare(least) >= 0) return;
      if (sum.compare(most) > 0) {
        [best, least] = [minimal(number, chosen, sum, most), missed];
        return;
      }
      for (let k = from; k < rest.length; k += 1) grow([...chosen, rest[k]], sum.plus(rest[k].weight), missed.plus(rest[k].miss), k + 1);
    };
    grow(whole, whole.reduce((sum, { weight }) => sum.plus(weight), ZERO), ZERO, 0);
  });
  return best;
}

/** A cover without the columns that it does not need. @param {number} row @param {{column: number, weight: Fraction}[]} chosen @param {Fraction} sum @param {Fraction} most @returns {Cover} */
function minimal(row, chosen, sum, most) {
  let [left, total] = [chosen, sum];
  for (const one of [...chosen].sort((a, b) => a.weight.compare(b.weight))) {
    const less = total.minus(one.weight);
    if (less.compare(most) > 0) [left, total] = [left.filter((other) => other !== one), less];
  }
  const sorted = [...left].sort((a, b) => a.column - b.column);
  return { row, columns: sorted.map(({ column }) => column), weights: sorted.map(({ weight }) => weight), sum: total, most: left.length - 1 };
}

/** A row that does not let two columns be 1 both; null where there is none. @param {Linear} linear @param {number} a @param {number} b @returns {Conflict | null} */
export function conflictOf({ low, high, rows }, a, b) {
  for (const [row, { index, value, low: least, high: most }] of rows.entries()) {
    if (!index.includes(a) || !index.includes(b)) continue;
    for (const [side, sign] of [[most, 1], [least, -1]]) {
      // The left side is smallest, or largest, with the other columns at one of their bounds.
      const ends = index.map((column, k) => (column === a || column === b ? 1 : (value[k] * sign > 0 ? low : high)[column]));
      if (!Number.isFinite(side) || !ends.every(Number.isFinite)) continue;
      const sum = ends.reduce((total, end, k) => total.plus(decimal(value[k]).times(decimal(end))), ZERO);
      if (sum.compare(decimal(side)) * sign > 0) return { row, columns: [a, b], sum, side };
    }
  }
  return null;
}

/** The clique of columns that exclude each other by rows, which a point violates most, with a conflict for each pair; null where it violates none. @param {Linear} linear @param {readonly Fraction[]} values @returns {{columns: number[], conflicts: Conflict[]} | null} */
export function violatedRowClique(linear, values) {
  const { low, high, isInteger } = linear;
  const isBinary = (/** @type {number} */ column) => isInteger[column] && low[column] === 0 && high[column] === 1;
  /** @type {Map<string, Conflict | null>} */
  const known = new Map();
  const conflict = (/** @type {number} */ a, /** @type {number} */ b) => {
    const key = [a, b].sort((one, other) => one - other).join();
    if (!known.has(key)) known.set(key, isBinary(a) && isBinary(b) ? conflictOf(linear, Math.min(a, b), Math.max(a, b)) : null);
    return known.get(key) ?? null;
  };
  const found = cliqueAmong((a, b) => conflict(a, b) !== null, values.map(({ number }) => number));
  if (!found) return null;
  // Columns at 0 that fit make the row stronger.
  const columns = [...found.columns];
  values.forEach((_, column) => {
    if (!columns.includes(column) && columns.every((one) => conflict(one, column))) columns.push(column);
  });
  columns.sort((a, b) => a - b);
  return { columns, conflicts: columns.flatMap((a, k) => columns.slice(k + 1).flatMap((b) => conflict(a, b) ?? [])) };
}

/** What a row with a multiplier adds to a sum of "at most": a negative multiplier turns "at least". @param {Row} row @param {Fraction} multiplier */
const sideOf = ({ low, high }, multiplier) => (multiplier.sign > 0 ? high : low);

/**
 * The sum of multiplied rows and upper bounds of columns; the number of a row that has no side for its multiplier.
 * @param {Linear} linear @param {readonly Row[]} rows @param {readonly Fraction[]} multipliers of the rows, then of the columns @returns {Sum | number}
 */
export function sumOfRows({ cost, high }, rows, multipliers) {
  const all = [...rows, ...cost.map((_, column) => ({ index: [column], value: [1], low: -Infinity, high: high[column] }))];
  const value = cost.map(() => ZERO);
  let side = ZERO;
  for (const [number, row] of all.entries()) {
    const multiplier = multipliers[number];
    if (!multiplier.sign) continue;
    const most = sideOf(row, multiplier);
    if (!Number.isFinite(most)) return number;
    side = side.plus(multiplier.times(decimal(most)));
    row.index.forEach((column, k) => (value[column] = value[column].plus(multiplier.times(decimal(row.value[k])))));
  }
  const index = cost.flatMap((_, column) => (value[column].sign ? [column] : []));
  return { index, value: index.map((column) => value[column]), side };
}

/**
 * A sum rounded down: on values of at least 0 the left side falls with its coefficients, and then it is whole, so the
 * right side may be rounded too. The column for which this is not so, where there is one.
 * @param {Linear} linear @param {Sum} sum @returns {Row | number}
 */
export function roundedDown({ low, isInteger }, { index, value, side }) {
  const row = { index: /** @type {number[]} */ ([]), value: /** @type {number[]} */ ([]), low: -Infinity, high: Number(side.floor) };
  for (const [k, column] of index.entries()) {
    const least = new Fraction(value[k].floor);
    if ((!isInteger[column] || least.compare(value[k])) && low[column] < 0) return column;
    if (!isInteger[column]) {
      // A continuous column leaves, which needs a coefficient of at least 0.
      if (value[k].sign < 0) return column;
    } else if (least.sign) {
      row.index.push(column);
      row.value.push(least.number);
    }
  }
  return row;
}

/** The coefficients with which some vectors add up to another; null where they do not. @param {readonly Fraction[][]} vectors @param {readonly Fraction[]} wanted @returns {Fraction[] | null} */
function combined(vectors, wanted) {
  // Each line: a coordinate of every vector, and of what is wanted.
  const lines = wanted.map((one, k) => [...vectors.map((vector) => vector[k]), one]);
  /** @type {number[]} */
  const pivots = [];
  vectors.forEach((_, at) => {
    const done = pivots.length;
    const found = lines.findIndex((line, k) => k >= done && line[at].sign);
    if (found < 0) return;
    [lines[done], lines[found]] = [lines[found], lines[done]];
    const { above, below } = lines[done][at];
    const inverse = new Fraction(below, above);
    const pivot = lines[done] = lines[done].map((one) => one.times(inverse));
    lines.forEach((line, k) => {
      if (k !== done && line[at].sign) lines[k] = line.map((one, place) => one.minus(line[at].times(pivot[place])));
    });
    pivots.push(at);
  });
  if (lines.slice(pivots.length).some((line) => line[vectors.length].sign)) return null;
  const result = vectors.map(() => ZERO);
  pivots.forEach((at, k) => (result[at] = lines[k][vectors.length]));
  return result;
}

/**
 * The multipliers of Gomory's cut at a vertex: rows and bounds that it meets with equality add up to the first
 * fractional column; of their multipliers the fractional parts stay. Null where they do not, as below a branching.
 * @param {Linear} linear @param {readonly Row[]} rows @param {readonly Fraction[]} values @returns {Fraction[] | null} of the rows, then of the columns' upper bounds
 */
export function gomoryMultipliers({ cost, low, high, isInteger }, rows, values) {
  const unit = (/** @type {number} */ column) => cost.map((_, k) => (k === column ? ONE : ZERO));
  const negative = (/** @type {readonly Fraction[]} */ vector) => vector.map((one) => ZERO.minus(one));
  /** What the vertex meets, as "at most": the number of the row or column, -1 for a lower bound. @type {{at: number, sign: number, vector: Fraction[]}[]} */
  const met = [];
  rows.forEach((row, at) => {
    const vector = cost.map(() => ZERO);
    row.index.forEach((column, k) => (vector[column] = decimal(row.value[k])));
    const now = leftSide(row, values);
    if (row.high < Infinity && !now.compare(decimal(row.high))) met.push({ at, sign: 1, vector });
    else if (row.low > -Infinity && !now.compare(decimal(row.low))) met.push({ at, sign: -1, vector: negative(vector) });
  });
  values.forEach((value, column) => {
    if (low[column] > -Infinity && !value.compare(decimal(low[column]))) met.push({ at: -1, sign: -1, vector: negative(unit(column)) });
    else if (high[column] < Infinity && !value.compare(decimal(high[column]))) met.push({ at: rows.length + column, sign: 1, vector: unit(column) });
  });
  const column = values.findIndex((value, k) => isInteger[k] && !value.isWhole);
  const found = column < 0 ? null : combined(met.map(({ vector }) => vector), unit(column));
  if (!found) return null;
  const multipliers = [...rows, ...cost].map(() => ZERO);
  met.forEach(({ at, sign }, k) => {
    const part = found[k].minus(new Fraction(found[k].floor));
    if (at >= 0) multipliers[at] = sign > 0 ? part : ZERO.minus(part);
  });
  return multipliers;
}
