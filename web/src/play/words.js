/** What a shape and a position look like, in words for those who do not see them. */

import { listed } from "../problem/errors.js";
import { byPlace, keyOf } from "../problem/lattice.js";
import { t } from "../text/text.js";

/** @typedef {import("../problem/lattice.js").Lattice} Lattice */
/** @typedef {import("../problem/lattice.js").Cell} Cell */
/** @typedef {import("../problem/board.js").Board} Board */
/** @typedef {import("./game.js").Game} Game */
/** @typedef {import("../problem/cover.js").ExactCover} ExactCover */
/** @typedef {import("../problem/cover.js").Item} Item */

/**
 * How a shape lies: its sides that are open where not all are, else its rows.
 * @param {Lattice} lattice @param {readonly Cell[]} cells
 */
export function wordsOfShape(lattice, cells) {
  const rows = cells.map(([row]) => row);
  const top = Math.min(...rows);
  const high = Math.max(...rows) - top + 1;
  const lengths = Array.from({ length: high }, (_, k) => rows.filter((row) => row === top + k).length);
  const inRows = high === 1 ? t("inRow", { n: lengths[0] })
    : t("inRows", { some: lengths.slice(0, -1).join(t("comma")), last: lengths[high - 1] });
  if (lattice.name === "triangular") {
    const first = [...cells].sort(byPlace)[0];
    return inRows + t("comma") + t(lattice.kind(first) ? "firstDown" : "firstUp");
  }
  if (lattice.name !== "square") return inRows;
  const columns = cells.map(([, column]) => column);
  const left = Math.min(...columns);
  const wide = Math.max(...columns) - left + 1;
  const has = (/** @type {number} */ row, /** @type {number} */ column) =>
    cells.some(([r, c]) => r === top + row && c === left + column);
  const every = (/** @type {number} */ length, /** @type {(k: number) => boolean} */ holds) =>
    Array.from({ length }, (_, k) => k).every(holds);
  /** @type {[string, boolean][]} */
  const sides = [
    [t("openLeft"), every(high, (k) => has(k, 0))], [t("openRight"), every(high, (k) => has(k, wide - 1))],
    [t("openTop"), every(wide, (k) => has(0, k))], [t("openBottom"), every(wide, (k) => has(high - 1, k))],
  ];
  const open = sides.filter(([, full]) => !full).map(([side]) => side);
  const size = t("size", { wide, high });
  if (!open.length) return size;
  return open.length === 1 ? open[0] : size + t("comma") + inRows;
}

/**
 * Cells by their labels, and by their places where these do not tell which cells they are.
 * @param {Board} board @param {readonly Cell[]} cells
 */
export const wordsOfCells = (board, cells) =>
  cells.map((cell) => {
    const label = board.label(cell);
    const place = t("place", { row: cell[0] + 1, column: cell[1] + 1 });
    const all = board.labels.get(label);
    if (!all) return place;
    return all.length === 1 ? label : t("placeOf", { label, place });
  }).join("; ");

/**
 * A position as a list: what stays uncovered, what lies where, what is left.
 * @param {Game} game @returns {string[]}
 */
export function wordsOfPosition(game) {
  const { board } = game.puzzle;
  const { lattice } = board;
  const laid = new Set(game.placed.flatMap(({ cells }) => cells.map(keyOf)));
  const bare = game.instance.toCover.filter((cell) => !laid.has(keyOf(cell)));
  const sized = (/** @type {string} */ name, /** @type {readonly Cell[]} */ cells) => {
    const piece = game.puzzle.pieces.find((one) => one.name === name);
    const side = piece?.colours[1] && piece.isOver(cells) ? t("comma") + t("backUp") : "";
    return t("pieceLies", { piece: name, n: cells.length, shape: wordsOfShape(lattice, cells) + side });
  };
  return [
    t("uncovered", { labels: game.instance.labels.join("; ") }),
    ...game.placed.map(({ piece, cells }) => t("pieceOn", { piece: sized(piece, cells), cells: wordsOfCells(board, cells) })),
    ...(bare.length ? [t("toCover", { cells: wordsOfCells(board, bare) })] : []),
    ...game.left.map(({ name, cells }) =>
      t(game.hand?.piece === name ? "pieceInHand" : "pieceBeside", { piece: sized(name, game.turns.get(name) ?? cells) })),
  ];
}

/** What a row of the model is about. @param {Item} item */
export function rowName({ kind, text }) {
  const what = text.slice(kind.length + 1);
  if (kind === "left") return t("rowLeft");
  if (kind === "order") return t("rowOrder", { what: what.replace(" of leaving out", ":") });
  return t(kind === "cell" ? "rowCell" : kind === "piece" ? "rowPiece" : "rowGroup", { what });
}

/** Why no tiling can exist where that is plain, or null. @param {ExactCover} cover */
export function wordsOfObstacle(cover) {
  const { bare } = cover;
  const cells = bare.filter((item) => item.kind === "cell").map(rowName);
  if (cells.length) return t("obstacleCells", { cells: listed(cells, 4) });
  if (bare[0]?.kind === "left") return t("obstacleUse", { n: cover.instance.use ?? 0 });
  return bare.length ? t("obstaclePiece", { piece: rowName(bare[0]) }) : null;
}
