/** How large the cells of a board and of the pieces beside it are on a screen. */

import { boxOf } from "./board.js";

/** @typedef {import("../problem/puzzle.js").Puzzle} Puzzle */
/**
 * @typedef {object} Parts
 * @property {HTMLElement} element what has all of them
 * @property {SVGSVGElement} board
 * @property {HTMLElement} left what is said of the position
 * @property {HTMLElement} tray
 * @property {HTMLElement} foot the tools
 */

/** Width and height of a drawing in cells. @param {SVGSVGElement} svg */
export const sizeOf = (svg) => (svg.getAttribute("viewBox") ?? "").split(" ").slice(2).map(Number);

/** A length of the style of an element, in pixels. @param {Element} of @param {string} name */
const px = (of, name) => parseFloat(getComputedStyle(of).getPropertyValue(name)) || 0;

/**
 * Give the board the largest cells with which it, a tray at half its scale and the tools are on one
 * screen: below each other or side by side, whichever makes them larger.
 * @param {Parts} parts
 * @param {Puzzle} puzzle
 * @param {(room: number) => void} keep keeps a height in pixels for the tray: the tools stay where they are while it gets emptier
 * @param {boolean} [again] whether another layout was just measured
 */
export function fit(parts, puzzle, keep, again = false) {
  const { element, board, left, tray, foot } = parts;
  keep(0);
  const { top, width: wide } = element.getBoundingClientRect();
  // Not the height that grows when a phone's browser hides its bar: nothing may move then.
  const high = document.documentElement.clientHeight - top - scrollY - px(element, "padding-bottom");
  const [columns, rows] = sizeOf(board);
  const above = board.getBoundingClientRect().top - top;
  const [gap, across, row] = [px(element, "row-gap"), px(element, "column-gap"), px(tray, "column-gap")];
  const fixed = left.offsetHeight + foot.offsetHeight + 2 * px(left.parentElement ?? left, "row-gap");
  const [item] = tray.children;
  const frame = item ? 2 * (px(item, "padding-left") + px(item, "border-left-width")) : 0;
  const least = item ? px(item, "min-height") : 0;
  const between = px(tray, "row-gap");
  const sizes = puzzle.pieces.map(({ cells }) => boxOf(puzzle.board.lattice, cells).slice(2));
  const heightOfTray = (/** @type {number} */ cell, /** @type {number} */ width) => {
    let [full, line, all] = [-row, 0, 0];
    for (const [w, h] of sizes.map((size) => size.map((one) => Math.max(least, one * cell + frame)))) {
      if (full + row + w > width) [full, line, all] = [-row, 0, all + line + between];
      full += row + w;
      line = Math.max(line, h);
    }
    return all + line;
  };
  // Beside the board there is room for the tools in one row, each as wide as a finger.
  const tools = foot.lastElementChild ?? foot;
  const apart = px(tools, "column-gap");
  const narrowest = Math.max(17 * px(document.documentElement, "font-size"),
    [...tools.children].reduce((sum, one) => sum + px(one, "min-height") + apart, -apart));
  const smallest = 224 / Math.max(columns, rows);
  const largest = (/** @type {(cell: number) => boolean} */ fits) => {
    let cell = wide / columns;
    while (cell > smallest && !fits(cell)) cell -= 0.5;
    return Math.max(cell, smallest);
  };
  const below = largest((cell) => above + rows * cell + gap + fixed + heightOfTray(cell / 2, wide) <= high);
  const beside = largest((cell) => {
    const side = wide - columns * cell - across;
    return above + rows * cell <= high && side >= narrowest && fixed + heightOfTray(cell / 2, side) <= high;
  });
  const cell = Math.max(below, beside);
  element.style.setProperty("--cell", `${cell}px`);
  keep(beside > below ? heightOfTray(cell / 2, wide - columns * cell - across) : high - above - rows * cell - gap - fixed - 1);
  const changed = element.classList.contains("beside") !== beside > below;
  element.classList.toggle("beside", beside > below);
  if (changed && !again) fit(parts, puzzle, keep, true);
}
