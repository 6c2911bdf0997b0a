/** Cuts that a person adds: cliques and odd holes of placements that exclude each other (Padberg, 1973). */

/** @typedef {import("../problem/cover.js").ExactCover} ExactCover */
/** @typedef {import("./tree.js").Cut} Cut */

/** An odd hole is looked for up to this length. */
const LONGEST = 9;

/** What a cut must cut off at least. */
const ENOUGH = 1e-4;

/** Whether two placements exclude each other: they share a cell, or are of one piece. @param {ExactCover} cover @param {number} a @param {number} b */
export function excludes({ items, options }, a, b) {
  return a !== b && options[a].items.some((item) => items[item].demand === 1 && options[b].items.includes(item));
}

/** The cut of a set of columns: at most one of a clique, fewer than half of an odd hole; null for other sets. @param {ExactCover} cover @param {readonly number[]} columns @returns {Cut | null} */
export function cutOf(cover, columns) {
  const near = columns.map((a) => columns.filter((b) => excludes(cover, a, b)));
  const size = columns.length;
  if (size >= 2 && near.every((all) => all.length === size - 1)) return { columns: [...columns], most: 1 };
  if (size < 5 || size % 2 === 0 || near.some((all) => all.length !== 2)) return null;
  // One cycle, and not several.
  const seen = [columns[0]];
  for (const column of seen) seen.push(...near[columns.indexOf(column)].filter((one) => !seen.includes(one)));
  return seen.length === size ? { columns: [...columns], most: (size - 1) / 2 } : null;
}

/** The sum of a cut's left side. @param {Cut} cut @param {readonly number[]} values */
export const sumOf = ({ columns }, values) => columns.reduce((sum, column) => sum + values[column], 0);

/** The fractional columns at a point. @param {readonly number[]} values */
const supportOf = (values) => values.flatMap((value, column) => (value > 1e-6 && value < 1 - 1e-6 ? [column] : []));

/** The clique of placements that a point violates most, or null. @param {ExactCover} cover @param {readonly number[]} values */
export const violatedClique = (cover, values) => cliqueAmong((a, b) => excludes(cover, a, b), values);

/** The clique that a point violates most, or null. @param {(a: number, b: number) => boolean} isApart whether at most one of two columns is 1 @param {readonly number[]} values @returns {Cut | null} */
export function cliqueAmong(isApart, values) {
  const all = supportOf(values).sort((a, b) => values[b] - values[a]);
  /** @type {number[]} */
  let best = [];
  let most = 1 + ENOUGH;
  /** @param {number[]} clique @param {number} sum @param {number[]} rest */
  const grow = (clique, sum, rest) => {
    if (sum > most) [best, most] = [clique, sum];
    let left = rest.reduce((total, column) => total + values[column], 0);
    rest.forEach((column, k) => {
      if (sum + left <= most) return;
      grow([...clique, column], sum + values[column], rest.slice(k + 1).filter((other) => isApart(column, other)));
      left -= values[column];
    });
  };
  grow([], 0, all);
  return best.length ? { columns: best, most: 1 } : null;
}

/**
 * The odd hole that a point violates most, or null. On a hole of n columns the sum of 1 - x - y over its n
 * edges is n less twice the sum of its columns: below 1 exactly where the cut is violated.
 * @param {ExactCover} cover @param {readonly number[]} values @returns {Cut | null}
 */
export function violatedHole(cover, values) {
  const all = supportOf(values);
  const near = new Map(all.map((a) => [a, all.filter((b) => excludes(cover, a, b))]));
  /** @type {number[]} */
  let best = [];
  let least = 1 - 2 * ENOUGH;
  const weight = (/** @type {number} */ a, /** @type {number} */ b) => Math.max(0, 1 - values[a] - values[b]);
  /** @param {number[]} path @param {number} sum */
  const walk = (path, sum) => {
    const [first] = path;
    const last = path[path.length - 1];
    for (const next of near.get(last) ?? []) {
      const total = sum + weight(last, next);
      if (next <= first || total >= least) continue;
      // No chord: the next column excludes the last, and at most the first.
      const inner = path.slice(1, -1);
      if (path.includes(next) || inner.some((one) => near.get(one)?.includes(next))) continue;
      const closes = path.length > 1 && near.get(first)?.includes(next);
      if (!closes) {
        if (path.length + 1 < LONGEST) walk([...path, next], total);
      } else if (path.length >= 4 && path.length % 2 === 0 && total + weight(next, first) < least) {
        [best, least] = [[...path, next], total + weight(next, first)];
      }
    }
  };
  for (const first of all) walk([first], 0);
  return best.length ? { columns: best, most: (best.length - 1) / 2 } : null;
}
