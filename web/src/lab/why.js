/** Why a node has no solution: the row that the fixings leave without one. */

import { boundsAt, rowOfCut } from "./relaxation.js";

/** @typedef {import("./relaxation.js").Linear} Linear */
/** @typedef {import("./tree.js").Cut} Cut */
/** @typedef {import("./tree.js").Fix} Fix */
/** @typedef {{row: number, isFull: boolean}} Dead the row, or -1 for a column that was fixed twice, and whether its left side is too large */

/** What rounding may leave of a bound. */
const SLIGHT = 1e-9;

/**
 * The first row that no values within the bounds can satisfy, when what follows from one row after the other is
 * fixed as well; null where none follows so.
 * @param {Linear} linear @param {readonly Cut[]} cuts @param {readonly Fix[]} fixings @returns {Dead | null}
 */
export function deadRow(linear, cuts, fixings) {
  const bounds = boundsAt(linear, fixings);
  if (!bounds) return { row: -1, isFull: true };
  const { low, high } = bounds;
  const rows = [...linear.rows, ...cuts.map(rowOfCut)];
  for (let isNew = true; isNew;) {
    isNew = false;
    for (const [row, { index, value, low: least, high: most }] of rows.entries()) {
      const at = (/** @type {number} */ k, /** @type {boolean} */ isUp) => value[k] * ((value[k] > 0) === isUp ? high : low)[index[k]];
      const sumOf = (/** @type {boolean} */ isUp) => index.reduce((sum, _, k) => sum + at(k, isUp), 0);
      const [smallest, largest] = [sumOf(false), sumOf(true)];
      if (smallest > most + SLIGHT) return { row, isFull: true };
      if (largest < least - SLIGHT) return { row, isFull: false };
      // What a column may be when all others help as much as they can.
      index.forEach((column, k) => {
        if (!linear.isInteger[column] || low[column] === high[column]) return;
        const room = most - (smallest - at(k, false));
        const need = least - (largest - at(k, true));
        const [from, to] = value[k] > 0 ? [need, room] : [room, need];
        const [lower, upper] = [Math.ceil(from / value[k] - SLIGHT), Math.floor(to / value[k] + SLIGHT)];
        if (lower > low[column]) [low[column], isNew] = [Math.min(lower, high[column]), true];
        if (upper < high[column]) [high[column], isNew] = [Math.max(upper, low[column]), true];
      });
    }
  }
  return null;
}
