/** Whether an answer to a lesson is right, without floating-point arithmetic: a solver proposes, fractions decide. */

import { joined } from "../text/text.js";
import { decimal, Fraction, fractionOf, isFeasible, leftSide, proofOf, provedBound, worth, ZERO } from "./exact.js";
import { readFraction, readRow, readValues, sideText } from "./expressions.js";
import { boundsAt } from "./relaxation.js";
import { t } from "./text.js";

/** @typedef {import("./lessons.js").Lesson} Lesson */
/** @typedef {import("./lessons.js").Ask} Asked */
/** @typedef {import("./relaxation.js").Linear} Linear */
/** @typedef {import("./relaxation.js").Relaxed} Relaxed */
/** @typedef {import("./relaxation.js").Row} Row */
/** @typedef {import("./tree.js").Fix} Fix */
/** @typedef {(linear: Linear, fixings: Fix[]) => Promise<Relaxed>} Relax solves the relaxation of a model */
/** @typedef {{isRight: boolean, words: string}} Verdict */
/** @typedef {{value: Fraction, values: Fraction[]}} Best */
/** @typedef {{ask: Asked, linear: Linear, sense: 1 | -1, names: string[], rowNames: string[], tree: import("./tree.js").Tree}} Task */

/** A search ends after so many nodes without an answer. */
const NODES = 3000;

/** So many solutions are counted. */
const COUNTED = 100_000;

/** What could not be decided in so many nodes, or with these digits. */
class Undecided extends Error {}

/** Whether all costs are whole numbers and their columns integral. @param {Linear} linear */
export const isWholeWorth = ({ cost, isInteger }) => cost.every((one, column) => Number.isInteger(one) && (!one || isInteger[column]));

/** A model with a row more. @param {Linear} linear @param {Row} row @returns {Linear} */
const withRow = (linear, row) => ({ ...linear, rows: [...linear.rows, row] });

/** The optimum of a relaxation, proved: its value is that of a point, and that of the multipliers. Null where there is no solution. @param {Relax} relax @param {Linear} linear @param {Fix[]} fixings */
async function relaxed(relax, linear, fixings) {
  if (!boundsAt(linear, fixings)) return null;
  const { bound, values, duals } = await relax(linear, fixings);
  const proof = proofOf(linear, [], fixings, duals, bound !== null);
  if (!proof) throw new Undecided();
  if (bound === null) {
    if (proof.bound.sign >= 0) throw new Undecided();
    return null;
  }
  return { bound: proof.bound, values: values.map(fractionOf) };
}

/** The best solution, proved by a tree; null where there is none. @param {Relax} relax @param {Linear} linear @returns {Promise<Best | null>} */
async function bestOf(relax, linear) {
  const isWhole = isWholeWorth(linear);
  /** @type {Best | null} */
  let best = null;
  /** @type {Fix[][]} */
  const open = [[]];
  for (let nodes = 0; open.length; nodes += 1) {
    if (nodes > NODES) throw new Undecided();
    const fixings = /** @type {Fix[]} */ (open.pop());
    const found = await relaxed(relax, linear, fixings);
    if (!found) continue;
    const most = isWhole ? new Fraction(found.bound.floor) : found.bound;
    if (best && most.compare(best.value) <= 0) continue;
    const { values } = found;
    const at = values.findIndex((value, column) => linear.isInteger[column] && !value.isWhole);
    if (at >= 0) {
      const down = Number(values[at].floor);
      open.push([...fixings, [at, -Infinity, down]], [...fixings, [at, down + 1, Infinity]]);
      continue;
    }
    const value = worth(linear, values);
    if (!isFeasible(linear, [], fixings, values) || most.compare(value) > 0) throw new Undecided();
    best = { value, values };
  }
  return best;
}

/** How many solutions a model of bounded integers has. @param {Linear} linear */
export function countOf({ low, high, isInteger, rows }) {
  if (!isInteger.every(Boolean) || ![...low, ...high].every(Number.isFinite)) throw new Undecided();
  const [least, most] = [[...low], [...high]];
  const isDead = () => rows.some(({ index, value, low: from, high: to }) => {
    const sumOf = (/** @type {boolean} */ isUp) => index.reduce((sum, column, k) => sum + value[k] * ((value[k] > 0) === isUp ? most : least)[column], 0);
    return sumOf(false) > to || sumOf(true) < from;
  });
  let nodes = 0;
  /** @type {(column: number) => number} */
  const below = (column) => {
    nodes += 1;
    if (nodes > COUNTED) throw new Undecided();
    if (isDead()) return 0;
    if (column === low.length) return 1;
    let sum = 0;
    for (let value = low[column]; value <= high[column]; value += 1) {
      least[column] = most[column] = value;
      sum += below(column + 1);
    }
    [least[column], most[column]] = [low[column], high[column]];
    return sum;
  };
  return below(0);
}

/** A point in words: what is not 0. @param {readonly string[]} names @param {readonly Fraction[]} values */
export const pointText = (names, values) => joined(values.flatMap((value, k) => (value.sign ? [`${names[k]} = ${String(value)}`] : []))) || "0";

/** A solution that a row cuts off, or null where it cuts off none. @param {Relax} relax @param {Linear} linear @param {Row} row @returns {Promise<Fraction[] | null>} */
export async function cutOffBy(relax, linear, { index, value, low, high }) {
  for (const [sign, side] of [[1, high], [-1, -low]]) {
    if (side === Infinity) continue;
    const cost = linear.cost.map(() => 0);
    index.forEach((column, k) => (cost[column] = sign * value[k]));
    const best = await bestOf(relax, { ...linear, cost });
    if (best && best.value.compare(decimal(side)) > 0) return best.values;
  }
  return null;
}

/** @param {string} words @returns {Verdict} */
const wrong = (words) => ({ isRight: false, words });

/** @param {Task} task @param {string} text @param {Relax} relax @returns {Promise<Verdict>} */
async function judgeRow({ ask, linear, sense, names }, text, relax) {
  const row = readRow(text, names);
  if (!row) return wrong(t("rowHow", { row: text || "–" }));
  const more = withRow(linear, row);
  if (ask.keeps === "optimum") {
    const [before, after] = [await bestOf(relax, linear), await bestOf(relax, more)];
    if (!before || !after || after.value.compare(before.value)) return wrong(t("optimumGone"));
  } else {
    const lost = await cutOffBy(relax, linear, row);
    if (lost) return wrong(t("solutionGone", { point: pointText(names, lost) }));
  }
  if (ask.bound !== undefined) {
    const found = await relaxed(relax, more, []);
    if (found && found.bound.compare(decimal(sense * ask.bound)) > 0) {
      return wrong(t("boundFar", { bound: shownBy(sense, found.bound), wanted: String(ask.bound) }));
    }
  }
  const left = ask.leaves === undefined ? 0 : countOf(more);
  return left > (ask.leaves ?? 0) ? wrong(t("leavesMany", { n: left, most: String(ask.leaves) })) : { isRight: true, words: t("lessonRight") };
}

/** @param {1 | -1} sense @param {Fraction} value */
const shownBy = (sense, value) => String(sense > 0 ? value : ZERO.minus(value));

/** @param {Task} task @param {string} text @returns {Verdict} */
function judgePoint({ ask, linear, sense, names, rowNames }, text) {
  const { values, wrong: part } = readValues(text, names);
  if (part || !text.trim()) return wrong(t("valuesHow", { part: part || "–", names: `${names[0]}=1` }));
  const broken = values.findIndex((value, column) => linear.isInteger[column] && !value.isWhole);
  if (broken >= 0) return wrong(t("mustBeWhole", { name: names[broken] }));
  if (!isFeasible({ ...linear, rows: [] }, [], [], values)) return wrong(t("outOfBounds"));
  const row = linear.rows.findIndex((one) => !isFeasible({ ...linear, rows: [one] }, [], [], values));
  if (row >= 0) return wrong(t("rowBroken", { row: rowNames[row], sum: String(leftSide(linear.rows[row], values)), side: sideText(linear.rows[row]) }));
  const value = worth(linear, values);
  if (ask.worth !== undefined && value.compare(decimal(sense * ask.worth)) < 0) return wrong(t("worthLess", { worth: shownBy(sense, value) }));
  return { isRight: true, words: t("lessonRight") };
}

/** @param {Task} task @param {string} text @param {Relax} relax @returns {Promise<Verdict>} */
async function judgeNumber({ ask, linear, sense }, text, relax) {
  const number = readFraction(text);
  if (!number) return wrong(t("numberHow"));
  let right;
  if (ask.of === "solutions") right = new Fraction(countOf(linear));
  else {
    const found = ask.of === "optimum" ? (await bestOf(relax, linear))?.value : (await relaxed(relax, linear, []))?.bound;
    if (!found) throw new Undecided();
    right = sense > 0 ? found : ZERO.minus(found);
  }
  return number.compare(right) ? wrong(t("numberWrong")) : { isRight: true, words: t("lessonRight") };
}

/** @param {Task} task @param {string} text @returns {Verdict} */
function judgeMultipliers({ ask, linear, sense, rowNames }, text) {
  const { values, wrong: part } = readValues(text, rowNames);
  if (part || !text.trim()) return wrong(t("valuesHow", { part: part || "–", names: `${rowNames[0]}=1/2` }));
  const banned = rowNames.find((name, row) => values[row].sign && ask.without?.includes(name));
  if (banned) return wrong(t("rowBanned", { row: banned }));
  const hasCosts = ask.bound !== undefined;
  const proofs = (hasCosts ? [sense] : [1, -1]).map((sign) =>
    provedBound(linear, [], [], values.map((one) => (sign > 0 ? one : ZERO.minus(one))), hasCosts));
  const goal = hasCosts ? decimal(sense * Number(ask.bound)) : ZERO;
  if (proofs.some((proof) => proof && (hasCosts ? proof.bound.compare(goal) <= 0 : proof.bound.sign < 0))) return { isRight: true, words: t("lessonRight") };
  const [proof] = proofs;
  return wrong(!proof ? t("provesNothing") : hasCosts ? t("provesOnly", { bound: shownBy(sense, proof.bound) }) : t("provesNoConflict"));
}

/** Whether each leaf of a tree is closed by a proof. @param {Task} task @returns {Verdict} */
function judgeTree({ ask, linear, tree }) {
  const most = ask.nodes ?? Infinity;
  if (!tree.solved || tree.open.length) return wrong(t("treeOpen"));
  if (tree.solved > most) return wrong(t("treeLarge", { n: tree.solved, most: String(most) }));
  const { incumbent, isWhole } = tree;
  const isClosed = (/** @type {import("./tree.js").TreeNode} */ node) => {
    if (node.children.length) return true;
    const at = node.number < 0 && node.parent ? node.parent : node;
    const fixings = tree.fixings(at);
    if (!boundsAt(linear, fixings)) return true;
    const cuts = tree.cuts.slice(0, Math.max(0, at.duals.length - linear.rows.length));
    const proof = proofOf(linear, cuts, fixings, at.duals, at.bound !== null);
    if (!proof) return false;
    if (at.bound === null) return proof.bound.sign < 0;
    if (incumbent === null) return false;
    const reached = isWhole ? new Fraction(proof.bound.floor) : proof.bound;
    return reached.compare(fractionOf(incumbent)) <= 0;
  };
  const isReached = tree.nodes.some((node) => node.isIntegral && node.bound === incumbent && isFeasible(linear, [], [], node.values.map(fractionOf)));
  if (incumbent !== null && !isReached) throw new Undecided();
  if (!tree.nodes.every(isClosed)) throw new Undecided();
  return { isRight: true, words: t("lessonRight") };
}

/** Judge an answer. @param {Task} task @param {string} text @param {Relax} relax @returns {Promise<Verdict>} */
export async function judge(task, text, relax) {
  try {
    const { kind } = task.ask;
    if (kind === "row") return await judgeRow(task, text, relax);
    if (kind === "point") return judgePoint(task, text);
    if (kind === "number") return await judgeNumber(task, text, relax);
    return kind === "multipliers" ? judgeMultipliers(task, text) : judgeTree(task);
  } catch (error) {
    if (!(error instanceof Undecided)) throw error;
    return wrong(t("undecided"));
  }
}
