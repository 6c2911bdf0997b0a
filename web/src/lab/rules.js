/** Rules that choose what a node is branched on (Achterberg, Koch and Martin, Branching rules revisited, 2005). */

import { BoardSession } from "./session.js";

/** @typedef {import("./session.js").Session} Session */
/** @typedef {import("./tree.js").Split} Split */
/** @typedef {import("./tree.js").Tree} Tree */
/** @typedef {import("./tree.js").TreeNode} TreeNode */
/** @typedef {(fixings: import("./tree.js").Fix[]) => Promise<number | null>} Probe the bound with some columns fixed, null if there is none */

export const RULES = ["fractional", "pseudo", "strong", "cell"];

/** Which open node comes next: the deepest, or the one with the best bound. */
export const ORDERS = ["depth", "best"];

/** So many columns strong branching tries at a node. */
const TRIED = 6;

/** What a child without a solution gains: more than any other. */
const MUCH = 1e3;

/** @param {number} down @param {number} up */
const scoreOf = (down, up) => Math.max(down, 1e-4) * Math.max(up, 1e-4);

/** The fractional columns, those nearest to one half first. @param {Tree} tree @param {TreeNode} node */
const byFraction = (tree, node) => tree.fractional(node)
  .sort((a, b) => Math.abs(a.value - 0.5) - Math.abs(b.value - 0.5) || a.column - b.column);

/** How much the bound fell per unit at 0 and at 1, on the average of all branchings on a column, and on that of all columns. @param {Tree} tree */
export function pseudoCosts(tree) {
  /** @type {[Map<number, number[]>, Map<number, number[]>]} */
  const seen = [new Map(), new Map()];
  for (const { parent, fixes, bound, number } of tree.nodes) {
    if (number < 0 || !parent || parent.split?.kind !== "column" || parent.bound === null) continue;
    const [[column, low, high = low]] = fixes;
    const side = Number(parent.children[0].fixes === fixes);
    const moved = Math.abs((side ? low : high) - parent.values[column]);
    const gain = bound === null ? MUCH : parent.bound - bound;
    seen[side].set(column, [...seen[side].get(column) ?? [], gain / Math.max(moved, 1e-6)]);
  }
  const mean = (/** @type {number[]} */ all) => (all.length ? all.reduce((sum, one) => sum + one, 0) / all.length : 1);
  return seen.map((costs) => {
    const usual = mean([...costs.values()].flat());
    return (/** @type {number} */ column) => (costs.has(column) ? mean(costs.get(column) ?? []) : usual);
  });
}

/** The cell whose strongest piece is weakest, or -1 where one piece alone is on every cell. @param {BoardSession} session @param {TreeNode} node */
function contestedCell({ cover }, node) {
  let best = -1;
  let least = 1 - 1e-6;
  cover.items.forEach(({ kind }, item) => {
    if (kind !== "cell") return;
    /** @type {Map<string, number>} */
    const shares = new Map();
    for (const column of cover.rows[item]) {
      const value = node.values[column];
      const { piece } = cover.options[column];
      if (value > 1e-6) shares.set(piece, (shares.get(piece) ?? 0) + value);
    }
    const strongest = Math.max(...shares.values());
    if (shares.size > 1 && strongest < least) [best, least] = [item, strongest];
  });
  return best;
}

/**
 * What a rule branches on at a fractional node.
 * @param {string} rule @param {Session} session @param {Tree} tree @param {TreeNode} node @param {Probe} probe @returns {Promise<Split>}
 */
export async function choose(rule, session, tree, node, probe) {
  const candidates = byFraction(tree, node);
  const [first] = candidates;
  if (rule === "cell" && session instanceof BoardSession) {
    const item = contestedCell(session, node);
    if (item >= 0) return session.splitCell(item, tree.fixings(node));
  }
  /** @param {(column: number, value: number) => number} score */
  const best = (score, from = candidates) => {
    const scores = from.map(({ column, value }) => score(column, value));
    const { column, value } = from[scores.indexOf(Math.max(...scores))];
    return session.splitColumn(column, value);
  };
  if (rule === "pseudo") {
    const [down, up] = pseudoCosts(tree);
    return best((column, value) => scoreOf(down(column) * value, up(column) * (1 - value)));
  }
  if (rule === "strong") {
    /** @type {Map<number, number>} */
    const scores = new Map();
    const tried = candidates.slice(0, TRIED);
    for (const { column, value } of tried) {
      const gains = [];
      for (const fixes of session.splitColumn(column, value).fixes.reverse()) {
        const bound = await probe([...tree.fixings(node), ...fixes]);
        gains.push(bound === null ? MUCH : (node.bound ?? 0) - bound);
      }
      scores.set(column, scoreOf(gains[0], gains[1]));
    }
    return best((column) => scores.get(column) ?? 0, tried);
  }
  return session.splitColumn(first.column, first.value);
}

/** The open node that comes next. @param {Tree} tree @param {string} order */
export const nextOpen = (tree, order) => (order === ORDERS[0] ? deepest(tree) : bestOpen(tree));

/** The open node with the best bound, the first of those; one that is not solved has its parent's. @param {Tree} tree */
function bestOpen({ open }) {
  const bounds = open.map(({ number, bound, parent }) => (number < 0 ? parent?.bound : bound) ?? Infinity);
  return open[bounds.indexOf(Math.max(...bounds))] ?? null;
}

/** The open node that is deepest, the first of those: a dive. @param {Tree} tree */
function deepest(tree) {
  const depth = (/** @type {TreeNode} */ { parent }) => {
    let steps = 0;
    for (let at = parent; at; at = at.parent) steps += 1;
    return steps;
  };
  const open = tree.open.map((node) => ({ node, depth: depth(node) }));
  const most = Math.max(...open.map((one) => one.depth));
  return open.find((one) => one.depth === most)?.node ?? null;
}
