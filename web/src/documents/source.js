/** Where a puzzle comes from: the collection, or the text of a YAML file. */

import { InputError, listed, shown } from "../problem/errors.js";
import { BUNDLED, bundled } from "./collection.js";
import { readPuzzle } from "./yaml.js";

/** @typedef {import("../problem/puzzle.js").Puzzle} Puzzle */
/** @typedef {{id: string} | {yaml: string, file: string}} Source */

/** @type {{key: string, puzzle: Puzzle} | null} */
let last = null;

/** The puzzle of a source. @param {Source} source @returns {Puzzle} */
export function openPuzzle(source) {
  if ("id" in source) {
    const puzzle = bundled(source.id);
    if (puzzle) return puzzle;
    throw new InputError(
      `${shown(source.id)}: no such bundled puzzle; the bundled puzzles are ${listed(BUNDLED.map(([id]) => id))}`);
  }
  const key = JSON.stringify(source);
  if (last?.key !== key) last = { key, puzzle: readPuzzle(source.yaml, source.file) };
  return last.puzzle;
}

/** A short key that tells sources apart, for what is stored. @param {Source} source */
export function sourceKey(source) {
  if ("id" in source) return source.id;
  let sum = 0;
  for (const mark of source.yaml) sum = (Math.imul(sum, 31) + mark.charCodeAt(0)) | 0;
  return `own-${(sum >>> 0).toString(36)}`;
}
