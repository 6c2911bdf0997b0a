/** The bundled puzzles, made from the data that the package writes for the page. */

import { puzzleOfJson } from "./puzzle_file.js";
import data from "../data.json" with { type: "json" };

/** @typedef {import("../problem/puzzle.js").Puzzle} Puzzle */

/** The identifiers of the bundled puzzles with their names, in the package's order. @type {[string, string][]} */
export const BUNDLED = Object.entries(data.puzzles).map(([id, document]) => [id, document.name]);

/** The least number of tilings of a date, and the mean, as they are published. @type {Record<string, {least: number, mean: number}>} */
export const DIFFICULTY = data.difficulty;

/** @type {Map<string, Puzzle>} */
const made = new Map();

/** A bundled puzzle by its identifier. @param {string} id @returns {Puzzle | undefined} */
export function bundled(id) {
  const entry = Object.entries(data.puzzles).find(([name]) => name === id);
  if (entry && !made.has(id)) {
    made.set(id, puzzleOfJson(entry[1], id));
  }
  return made.get(id);
}
