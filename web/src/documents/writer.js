/** A puzzle as the text of a YAML file, which the command reads as this page does. */

import { GROUPS, usualGroups } from "../problem/dates.js";
import { Board } from "../problem/board.js";
import { keyOf, LATTICES } from "../problem/lattice.js";
import data from "../data.json" with { type: "json" };

/** @typedef {import("../problem/puzzle.js").Puzzle} Puzzle */
/**
 * @typedef {{name: string, rows: string[], colours: readonly string[], rules: import("../problem/board.js").Rules}} DraftPiece
 * @typedef {object} Draft a puzzle that is still being made, and may have mistakes
 * @property {string} name
 * @property {string} lattice
 * @property {string[][]} rows of the grid
 * @property {[string, string[]][]} groups
 * @property {boolean} flip
 * @property {DraftPiece[]} pieces
 * @property {number} [use] how many pieces a tiling uses
 * @property {DraftPiece[]} noFlip what there is instead of the pieces where they may not be turned over
 */

/** The shapes of a lattice that have names. @type {Record<string, Record<string, string[]>>} */
export const SHAPES = data.shapes;

/** A text as YAML, in quotes unless it is a plain word. @param {string} text */
const scalar = (text) => (/^[\p{L}\d][\p{L}\p{M}\d.]*$/u.test(text) ? text : JSON.stringify(text));

/** @param {readonly string[]} texts */
const list = (texts) => `[${texts.map(scalar).join(", ")}]`;

/** The rows that draw cells. @param {import("../problem/lattice.js").Lattice} lattice @param {readonly import("../problem/lattice.js").Cell[]} cells in the order of their places */
export function rowsOf(lattice, cells) {
  const [top, left] = lattice.corner(cells);
  const wide = Math.max(...cells.map(([, column]) => column)) - left + 1;
  const keys = new Set(cells.map(keyOf));
  const high = cells[cells.length - 1][0] - top + 1;
  return Array.from({ length: high }, (_, r) =>
    Array.from({ length: wide }, (__, c) => (keys.has(keyOf([r + top, c + left])) ? "#" : ".")).join(""));
}

/** What draws a piece. @param {import("../problem/board.js").Piece} piece @returns {DraftPiece} */
const drawn = ({ name, cells, lattice, colours, rules }) => ({ name, rows: rowsOf(lattice, cells), colours, rules });

/** What an editor changes of a puzzle. @param {Puzzle} puzzle @returns {Draft} */
export const draftOf = ({ name, board, groups, flip, pieces, noFlipPieces, use }) => ({
  name,
  lattice: board.lattice.name,
  rows: board.rows.map((row) => [...row]),
  groups: [...groups],
  flip,
  use,
  pieces: pieces.map(drawn),
  noFlip: noFlipPieces.map(drawn),
});

/** The labels of a draft's groups that are on its board, and those of a calendar by their usual names. @param {Draft} draft @returns {[string, string[]][]} */
export function groupsOf({ rows, lattice, groups }) {
  if (!rows.flat().some((text) => text !== ".")) return [];
  const labels = [...new Board(rows, LATTICES[lattice]).labels.keys()];
  /** @type {[string, string[]][]} */
  const left = groups.map(([group, own]) => [group, own.filter((label) => labels.includes(label))]);
  const given = left.filter(([, own]) => own.length);
  const free = labels.filter((label) => !given.some(([, own]) => own.includes(label)));
  const more = usualGroups(GROUPS.filter((group) => !given.some(([name]) => name === group)), free);
  return [...given, ...[...more].filter(([, own]) => own.length > 1)];
}

/** The text of a draft. @param {Draft} draft */
export function yamlOf(draft) {
  const groups = groupsOf(draft);
  const wide = Math.max(...draft.rows.flat().map((text) => text.length));
  const shapes = SHAPES[draft.lattice];
  const piecesIn = (/** @type {DraftPiece[]} */ pieces) => pieces.map(({ name, rows, colours, rules }) => {
    // A shape with a name is named, unless its name belongs to the other hand of it.
    const known = Object.keys(shapes).find((key) => shapes[key].join() === rows.join());
    const shape = known ?? list(rows);
    const facts = colours.length ? [`colour: ${colours.length > 1 ? list(colours) : scalar(colours[0])}`] : [];
    facts.push(...Object.entries(rules).map(([key, value]) => `${key}: ${value}`));
    return `  ${scalar(name)}: ${facts.length ? `{${[`shape: ${shape}`, ...facts].join(", ")}}` : shape}\n`;
  }).join("");
  return [
    `name: ${scalar(draft.name)}\n`,
    draft.lattice === "square" ? "" : `lattice: ${draft.lattice}\n`,
    `grid: |\n${draft.rows.map((row) => `  ${row.map((text) => text.padEnd(wide)).join(" ").trimEnd()}\n`).join("")}`,
    groups.length ? `uncover: ${list(groups.map(([group]) => group))}\ngroups:\n` : "",
    ...groups.map(([group, labels]) => `  ${scalar(group)}: ${list(labels)}\n`),
    draft.flip ? "" : "flip: false\n",
    draft.use ? `use: ${draft.use}\n` : "",
    `pieces:${draft.pieces.length ? "\n" : " []\n"}${piecesIn(draft.pieces)}`,
    draft.noFlip.length ? `no_flip_pieces:\n${piecesIn(draft.noFlip)}` : "",
  ].join("");
}
