/**
 * What can be said of a position: the tilings left, how many of them have each
 * placement, one piece more, or what to take off. The answers of `calmip hint`.
 */

import { searchOf } from "./search.js";

/** @typedef {import("../problem/cover.js").ExactCover} ExactCover */
/**
 * @typedef {object} Position
 * @property {number} tilings how many were found
 * @property {boolean} complete whether these are all
 * @property {Int32Array} counts for every option how many of the tilings have it
 * @property {number[] | null} solution the options of the first tiling found
 * @property {number} hint the option that most tilings have beside those laid, or -1
 * @property {number[][]} takeOff for a dead end the options of which each set revives it;
 *   several sets of one, or one set of several
 * @property {boolean} hopeless whether nothing taken off helps
 */

/** So many sets of pieces are taken off, one after the other, to revive a position. */
const MOST_SETS = 500;

/** Nodes between two looks at the clock: few at first, so that something is known soon. */
const [FIRST, SLICE] = [2_000, 100_000];

/**
 * Analyse a position; yields what is known so far, and in the end the answer.
 * @param {ExactCover} cover the exact cover of the instance, with nothing placed
 * @param {readonly number[]} laid the options that lie
 * @param {number} [most] nodes after which to give up
 * @returns {Generator<Position, Position>}
 */
export function* analysed(cover, laid, most = Infinity) {
  const counts = new Int32Array(cover.options.length);
  const search = searchOf(cover, laid);
  /** @type {Position} */
  const known = { tilings: 0, complete: false, counts, solution: null, hint: -1, takeOff: [], hopeless: false };
  for (let slice = FIRST; !search.complete && search.nodes < most; slice = Math.min(2 * slice, SLICE)) {
    search.run(slice, (chosen, depth) => {
      known.solution ??= [...laid, ...chosen.subarray(0, depth)];
      known.tilings += 1;
      for (let k = 0; k < depth; k += 1) counts[chosen[k]] += 1;
    });
    if (!search.complete) yield known;
  }
  known.complete = search.complete;
  for (const option of laid) counts[option] = known.tilings;
  for (let option = 0; option < cover.placements; option += 1) {
    const more = known.hint < 0 ? 0 : counts[known.hint];
    if (counts[option] > more && !laid.includes(option)) known.hint = option;
  }
  if (!known.tilings && known.complete) yield* revived(cover, laid, known);
  return known;
}

/**
 * Count the tilings left after each piece, from the empty board on.
 * @param {ExactCover} cover @param {readonly number[]} laid @param {number} [most] nodes after which to give up
 * @returns {Generator<number[], number[]>} empty where it was given up
 */
export function* curveOf(cover, laid, most = Infinity) {
  /** @type {number[]} */
  const curve = [];
  for (let pieces = 0; pieces <= laid.length; pieces += 1) {
    const search = searchOf(cover, laid.slice(0, pieces));
    let tilings = 0;
    while (!search.complete) {
      if (search.nodes > most) return [];
      search.run(SLICE, () => void (tilings += 1));
      if (!search.complete) yield curve;
    }
    curve.push(tilings);
  }
  return curve;
}

/**
 * Find out what to take off a position without a tiling.
 * @param {ExactCover} cover @param {readonly number[]} laid @param {Position} known
 * @returns {Generator<Position, void>}
 */
function* revived(cover, laid, known) {
  let tried = 0;
  const lives = (/** @type {readonly number[]} */ off) => {
    let found = false;
    const rest = laid.filter((option) => !off.includes(option));
    const search = searchOf(cover, rest);
    while (!search.complete && !found) search.run(SLICE, () => (found = true));
    return found;
  };
  known.hopeless = !laid.length || !lives(laid);
  if (known.hopeless) return;
  for (const option of laid) {
    if (lives([option])) known.takeOff.push([option]);
    yield known;
  }
  if (known.takeOff.length) return;
  for (const off of setsOf(laid)) {
    tried += 1;
    if (tried > MOST_SETS) return;
    if (lives(off)) {
      known.takeOff = [off];
      return;
    }
    yield known;
  }
}

/** Sets of two and more, smaller ones first, in the order of combinations. @param {readonly number[]} all @returns {Generator<number[]>} */
function* setsOf(all) {
  for (let size = 2; size <= all.length; size += 1) yield* combinations(all, size);
}

/** @param {readonly number[]} all @param {number} size @returns {Generator<number[]>} */
function* combinations(all, size) {
  if (!size) yield [];
  for (let k = 0; k + size <= all.length && size; k += 1) {
    for (const rest of combinations(all.slice(k + 1), size - 1)) yield [all[k], ...rest];
  }
}
