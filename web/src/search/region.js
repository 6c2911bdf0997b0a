/** Regions of open cells: one that the pieces left cannot cover, and the one that is hardest to cover. */

import { keyOf } from "../problem/lattice.js";

/** @typedef {import("../problem/lattice.js").Cell} Cell */
/** @typedef {import("../play/game.js").Game} Game */

/** Placements that are tried in one region; beyond these it is not called dead. */
const MOST = 200_000;

/** The cells of a position that are still to be covered, by key. @param {Game} game */
function openOf(game) {
  const taken = new Set(game.placed.flatMap((one) => one.cells.map(keyOf)));
  return new Map(game.instance.toCover.filter((cell) => !taken.has(keyOf(cell))).map((cell) => [keyOf(cell), cell]));
}

/**
 * The cell that the fewest placements of the pieces left cover, with the open cells beside it; of several
 * such cells one of those that are preferred. Empty where it would be all that is open.
 * @param {Game} game @param {readonly Cell[]} preferred @returns {Cell[]}
 */
export function hardCorner(game, preferred) {
  const open = openOf(game);
  const lying = new Set(game.placed.map((one) => one.piece));
  const { classes, options, placements } = game.cover;
  const left = new Set(classes.filter((pieces) => pieces.some((one) => !lying.has(one.name))).map(([first]) => first.name));
  /** @type {Map<string, number>} */
  const ways = new Map();
  for (const { piece, cells } of options.slice(0, placements)) {
    const keys = cells.map(keyOf);
    if (!left.has(piece) || !keys.every((key) => open.has(key))) continue;
    for (const key of keys) ways.set(key, (ways.get(key) ?? 0) + 1);
  }
  const wanted = new Set(preferred.map(keyOf));
  const rank = (/** @type {string} */ key) => (ways.get(key) ?? 0) - Number(wanted.has(key)) / 2;
  const [first] = [...open.keys()].sort((a, b) => rank(a) - rank(b));
  const cell = open.get(first);
  if (!cell) return [];
  const beside = new Set(game.lattice.neighbours(cell).map(keyOf));
  const corner = [...open].filter(([key]) => key === first || beside.has(key)).map(([, one]) => one);
  return corner.length < open.size ? corner : [];
}

/** The open cells of a position in parts that hang together, smallest first. @param {Game} game @returns {Cell[][]} */
function regionsOf(game) {
  const open = openOf(game);
  /** @type {Cell[][]} */
  const regions = [];
  for (const first of open.values()) {
    open.delete(keyOf(first));
    const region = [first];
    for (const cell of region) {
      for (const other of game.lattice.neighbours(cell)) {
        if (open.delete(keyOf(other))) region.push(other);
      }
    }
    regions.push(region);
  }
  return regions.sort((a, b) => a.length - b.length);
}

/**
 * The smallest region that no choice of the pieces left covers; null where none is proved to be.
 * @param {Game} game @param {number} [most] placements that are tried in one region @returns {Cell[] | null}
 */
export function deadRegion(game, most = MOST) {
  const regions = regionsOf(game);
  // One region is the whole rest: to mark it says nothing.
  if (regions.length < 2) return null;
  return regions.find((region) => cannotBeCovered(game, region, most)) ?? null;
}

/** @param {Game} game @param {readonly Cell[]} region @param {number} most @returns {boolean} true is proved; a search that is too long gives false */
function cannotBeCovered(game, region, most) {
  const place = new Map(region.map((cell, k) => [keyOf(cell), k]));
  const { classes, options, placements } = game.cover;
  const lying = new Set(game.placed.map((one) => one.piece));
  const left = classes.map((pieces) => pieces.filter((one) => !lying.has(one.name)).length);
  /** For every cell of the region the placements inside it that cover the cell. @type {{kind: number, cells: number[]}[][]} */
  const over = region.map(() => []);
  for (const { piece, cells } of options.slice(0, placements)) {
    const inside = cells.map((cell) => place.get(keyOf(cell)) ?? -1);
    if (inside.includes(-1)) continue;
    const kind = classes.findIndex((pieces) => pieces[0].name === piece);
    for (const k of inside) over[k].push({ kind, cells: inside });
  }
  const covered = region.map(() => false);
  let tried = 0;
  /** @returns {boolean} whether the rest can be covered, or the search is too long */
  const search = () => {
    const cell = covered.indexOf(false);
    if (cell < 0) return true;
    for (const { kind, cells } of over[cell]) {
      if (!left[kind] || cells.some((k) => covered[k])) continue;
      tried += 1;
      if (tried > most) return true;
      left[kind] -= 1;
      for (const k of cells) covered[k] = true;
      if (search()) return true;
      for (const k of cells) covered[k] = false;
      left[kind] += 1;
    }
    return false;
  };
  return !search();
}
