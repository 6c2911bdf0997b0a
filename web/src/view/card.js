/** The result as a picture to send: drawn on the device, from what was solved and how, and not from the tiling. */

import { keyOf } from "../problem/lattice.js";
import { grouped } from "../text/text.js";
import { bounds } from "./outline.js";

/** @typedef {import("../problem/puzzle.js").Puzzle} Puzzle */
/**
 * @typedef {object} Card
 * @property {Puzzle} puzzle
 * @property {readonly string[]} labels what stays uncovered
 * @property {string} day
 * @property {readonly string[]} lines how it was solved
 * @property {readonly number[]} curve the solutions left after each piece
 * @property {string} row a letter for each piece, see `Solved`
 */

const [WIDE, HIGH] = [1200, 630];
const FONT = '"Helvetica Neue", Helvetica, Arial, "Liberation Sans", "DejaVu Sans", sans-serif';

/** The colours of the squares: laid alone, or with a hint. @type {Record<string, string>} */
const SQUARES = { o: "--p0", h: "--warm" };

/** Draw a card. @param {Card} card @returns {HTMLCanvasElement} */
export function draw({ puzzle, labels, day, lines, curve, row }) {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [WIDE, HIGH];
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const style = getComputedStyle(document.documentElement);
  const colour = (/** @type {string} */ role) => style.getPropertyValue(role);
  const write = (/** @type {string} */ text, /** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ size, role = "--ink", weight = 400, wide = 550) => {
    pen.font = `${weight} ${size}px ${FONT}`;
    const fit = Math.min(size, size * wide / pen.measureText(text).width);
    pen.font = `${weight} ${fit}px ${FONT}`;
    pen.fillStyle = colour(role);
    pen.fillText(text, x, y);
  };
  pen.fillStyle = colour("--paper");
  pen.fillRect(0, 0, WIDE, HIGH);
  // The board in blocks, which say nothing of the pieces.
  const { board } = puzzle;
  const { lattice } = board;
  const { left, top, right, bottom } = bounds(lattice, board.cells);
  const scale = 510 / Math.max(right - left, bottom - top);
  const place = (/** @type {readonly number[]} */ [x, y]) => /** @type {[number, number]} */ (
    [315 + (x - (left + right) / 2) * scale, 315 + (y - (top + bottom) / 2) * scale]);
  const open = new Set(labels.flatMap((label) => (board.labels.get(label) ?? []).map(keyOf)));
  pen.textAlign = "center";
  for (const cell of board.cells) {
    const [cx, cy] = place(lattice.centre(cell));
    const isOpen = open.has(keyOf(cell));
    pen.beginPath();
    for (const corner of lattice.corners(cell)) {
      const [x, y] = place(corner);
      pen.lineTo(cx + 0.92 * (x - cx), cy + 0.92 * (y - cy));
    }
    pen.closePath();
    pen.fillStyle = colour(isOpen ? "--bare" : "--accent");
    pen.globalAlpha = isOpen ? 1 : 0.72 + 0.28 * (Math.abs(cell[0] + cell[1]) % 2);
    pen.fill();
    pen.globalAlpha = 1;
  }
  for (const label of labels) {
    const cells = (board.labels.get(label) ?? []).map((cell) => place(lattice.centre(cell)));
    const [x, y] = [0, 1].map((axis) => cells.reduce((sum, one) => sum + one[axis], 0) / cells.length);
    write(label, x, y + 0.16 * scale, 0.46 * scale, "--ink", 700, 0.8 * scale * cells.length);
  }
  pen.textAlign = "left";
  write(puzzle.name, 615, 100, 40, "--ink", 700);
  write(day, 615, 150, 34, "--quiet");
  [...row].forEach((mark, k) => {
    const side = Math.min(44, 540 / row.length - 8);
    pen.fillStyle = colour(SQUARES[mark] ?? "--dull");
    pen.fillRect(615 + k * (side + 8), 185, side, side);
  });
  const step = Math.min(70, 550 / Math.max(1, curve.length));
  curve.forEach((n, k) => {
    const high = 10 + 150 * Math.log(n + 1) / Math.log((curve[0] ?? 1) + 1);
    pen.fillStyle = colour("--accent");
    pen.fillRect(615 + k * step, 430 - high, step - 6, high);
    pen.textAlign = "center";
    write(grouped(n), 612 + (k + 0.5) * step, 458, 22, "--quiet", 400, step - 4);
    pen.textAlign = "left";
  });
  lines.forEach((line, k) => write(line, 615, 515 + 42 * k, 30, k ? "--quiet" : "--ink", k ? 400 : 600));
  write("calmip", 615, 602, 22, "--quiet");
  return canvas;
}
