/** The comments at the head of a written file: what it is, and how to read its names. */

import { escaped } from "../problem/errors.js";

/** @typedef {import("../problem/cover.js").ExactCover} ExactCover */
/** @typedef {import("../problem/lattice.js").Cell} Cell */

const WIDTH = 75;

/** The lines that open an exported file. @param {ExactCover} cover @param {number | null} tilings the number of its tilings, where it is known */
export function header(cover, tilings) {
  return partsOf(cover, tilings).flatMap((part) => wrapped(plain(part)));
}

/** A text on one line of printable ASCII. @param {string} text */
const plain = (text) =>
  [...text].map((mark) => (mark >= " " && mark <= "~" ? mark : escaped(mark))).join("");

/** @param {ExactCover} cover @param {number | null} tilings */
function partsOf(cover, tilings) {
  const { instance } = cover;
  const { puzzle } = instance;
  const where = (/** @type {Cell[]} */ cells) =>
    cells.map(([r, c]) => `${puzzle.board.label([r, c])}(${r},${c})`).join(" ");
  const groupOf = (/** @type {string} */ label) =>
    [...puzzle.groups].find(([, labels]) => labels.includes(label))?.[0] ?? "label";
  const reveal = instance.labels.map((label) => `${groupOf(label)} ${label}`);
  reveal.push(...instance.free.map((group) => `${group} free`));
  const parts = [
    puzzle.name + (instance.name === puzzle.name ? "" : `: ${instance.name}`),
    `uncovered: ${reveal.join(", ") || "nothing"}; pieces ${puzzle.flip ? "may" : "may not"} be turned over` +
      puzzle.pieceRules.map((rule) => `; ${rule}`).join(""),
    ...instance.placed.map(({ piece, cells }) => `placed already: ${piece} on ${where(cells)}`),
    `${cover.options.length} columns, ${cover.items.length} rows, ${cover.nonzeros} nonzeros` +
      (tilings === null ? "" : `; ${tilings} tilings`),
  ];
  const shown = cover.options[0];
  if (shown && !shown.label) {
    const meaning = shown.cells.length ? `piece ${shown.piece} on ${where(shown.cells)}` : `leaves piece ${shown.piece} out`;
    parts.push(
      `A column is a placement: ${shown.name} is ${meaning}. ` +
        "Its name is piece _ orientation (a, b, ...) row column; row and column, from 0, " +
        "are those of the first cell in row-major order.");
  }
  const isOrdered = cover.spare.some((number) => number > 1);
  if (puzzle.optional.length) {
    parts.push("A column PIECE_left leaves that piece out." + (isOrdered
      ? " Of equal pieces, PIECE_out1, PIECE_out2, ... leave one more out each, and " +
        "PIECE_max0, PIECE_max1, ... state that at most so many are."
      : ""));
  }
  if (instance.free.length) parts.push("A column r_LABEL reveals that label.");
  parts.push("A row is what must be covered: c_ row column a cell, p_ a piece" +
    (instance.free.length ? ", g_ a group with one label to reveal" : "") +
    (instance.use ? ", u_left the number of pieces left out" : "") +
    (isOrdered ? ", o_ the order in which equal pieces are left out" : "") + ".");
  return parts;
}

/** Lines of at most 75 characters, those after the first indented; a long word is cut. @param {string} text */
function wrapped(text) {
  /** @type {string[]} */
  const lines = [];
  let line = "";
  // Words and the blanks before them: what separates two words stays as it is inside a line.
  for (const chunk of text.match(/\s+|\S+/g) ?? []) {
    const indent = lines.length ? "  " : "";
    let rest = chunk;
    if (!line && !rest.trim() && lines.length) continue;
    if (indent.length + line.length + rest.length <= WIDTH) {
      line += rest;
      continue;
    }
    if (rest.length > WIDTH - 2) {
      // Longer than any line: it fills this line and the following ones.
      while (rest) {
        const room = WIDTH - (lines.length ? 2 : 0) - line.length;
        line += rest.slice(0, room);
        rest = rest.slice(room);
        if (rest) {
          lines.push((lines.length ? "  " : "") + line.trimEnd());
          line = "";
        }
      }
      continue;
    }
    lines.push(indent + line.trimEnd());
    line = rest.trim() ? rest : "";
  }
  if (line.trim()) lines.push((lines.length ? "  " : "") + line.trimEnd());
  return lines;
}
