/** The matrix of an exact cover: a picture to point at, and a grid to walk over by keys. */

import { t } from "../text/text.js";
import { h, s } from "../view/dom.js";

/** @typedef {import("../problem/cover.js").ExactCover} ExactCover */

/** Pixels from row to row of the picture. */
const STEP = 3;

/** So many rows make a page. */
const PAGE = 10;

/** A name above narrower columns would be cut off: the share of the width that each letter takes. */
const LETTER = 0.02;

/** Entries of columns that are excluded are so pale, of 255. */
const PALE = 56;

/** A matrix, and the row and the column that are lit in it. */
export class Matrix {
  /**
   * @param {ExactCover} cover @param {readonly number[][]} rows
   * @param {(row: number, column: number, isByKey: boolean) => void} light shows another row and column
   * @param {(column: number) => void} set sets a column to 1 or 0
   */
  constructor(cover, rows, light, set) {
    const { items, options } = cover;
    this.cover = cover;
    this.rows = rows;
    this.light = light;
    this.set = set;
    this.row = 0;
    this.column = -1;
    const hidden = { "aria-hidden": "true" };
    this.canvas = h("canvas", {
      class: "matrix", ...hidden,
      onpointermove: (/** @type {PointerEvent} */ event) => this.point(event),
      onpointerdown: (/** @type {PointerEvent} */ event) => this.point(event),
    });
    this.spots = s("svg", { class: "spots", preserveAspectRatio: "none", viewBox: `0 0 ${Math.max(1, options.length)} ${items.length}`, ...hidden });
    this.sides = s("svg", { class: "sides", preserveAspectRatio: "none", viewBox: `0 0 1 ${items.length}`, ...hidden });
    /** What is read of where the keys are. */
    this.line = h("div", { class: "live", role: "row" });
    this.element = h("div", {
      class: "matrix-box", role: "grid", tabindex: "0", "aria-describedby": "matrix-keys",
      "aria-label": t("matrix", { rows: items.length, columns: options.length }),
      "aria-rowcount": items.length, "aria-colcount": options.length,
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.press(event),
    },
    axis("across", options.map(({ name }) => name.replace(/_.*/, "")), LETTER), axis("down", items.map(({ name }) => name.slice(0, 2)), 0),
    h("div", { class: "field" }, this.canvas, this.spots), this.sides, this.line);
  }

  /** Draw the picture: it is another one when a column is set, or in another theme. @param {readonly number[]} sums left sides @param {readonly boolean[]} isOpen @param {readonly number[]} laid */
  draw(sums, isOpen, laid) {
    const { canvas, cover: { items, options }, rows } = this;
    const pen = canvas.getContext("2d");
    // As they are on the screen: a canvas does not know the colours that a system forces.
    const [ink, accent] = [getComputedStyle(this.element).color, getComputedStyle(this.spots).fill];
    const of = [ink, accent, ...laid].join();
    if (!pen || canvas.dataset.of === of) return;
    canvas.dataset.of = of;
    canvas.width = Math.max(1, options.length);
    canvas.height = items.length * STEP;
    // Their entries as a mask that is filled with ink at once: thousands of rectangles would halt the page.
    const mask = pen.createImageData(canvas.width, canvas.height);
    options.forEach((option, column) => {
      const alpha = isOpen[column] ? 255 : PALE;
      for (const row of option.items) {
        for (let y = row * STEP; y < row * STEP + STEP - 1; y += 1) mask.data[4 * (y * canvas.width + column) + 3] = alpha;
      }
    });
    pen.putImageData(mask, 0, 0);
    pen.globalCompositeOperation = "source-in";
    pen.fillStyle = ink;
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.globalCompositeOperation = "source-over";
    pen.fillStyle = accent;
    // A column of one pixel is not found among a thousand.
    for (const column of laid) for (const row of options[column].items) pen.fillRect(column - 1, row * STEP, 3, STEP - 1);
    this.sides.replaceChildren(...items.flatMap(({ demand }, y) => {
      const isDead = sums[y] + rows[y].filter((column) => isOpen[column]).length < demand;
      return sums[y] === demand || isDead ? [s("rect", { class: isDead ? "dead" : "full", x: 0, y, width: 1, height: 1 })] : [];
    }));
  }

  /** Light a row and a column above the picture, which costs no other one. @param {number} row @param {number} column -1 for none @param {string} words what is read of them @param {boolean} isOne */
  show(row, column, words, isOne) {
    Object.assign(this, { row, column });
    const { options } = this.cover;
    this.spots.replaceChildren(
      s("rect", { x: 0, y: row, width: options.length, height: 1, opacity: 0.35 }),
      ...(column < 0 ? [] : options[column].items.map((y) => s("rect", { x: column - 1, y, width: 3, height: 1 }))));
    const id = `entry-${row}-${column}`;
    this.line.setAttribute("aria-rowindex", String(row + 1));
    // Another element each time: a reader reads the active one when it is another.
    this.line.replaceChildren(h("span", {
      role: "gridcell", id, "aria-label": words, "aria-selected": String(isOne), "aria-colindex": column < 0 ? null : column + 1,
    }));
    this.element.setAttribute("aria-activedescendant", id);
  }

  /** @param {PointerEvent} event */
  point({ clientX, clientY }) {
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    const { items, options } = this.cover;
    const column = Math.floor(((clientX - left) / width) * options.length);
    const row = Math.floor(((clientY - top) / height) * items.length);
    if (options[column] && items[row]) this.light(row, column, false);
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const { row, column, rows, light } = this;
    const go = (/** @type {number} */ to) => light(Math.min(rows.length - 1, Math.max(0, to)), column, true);
    const enter = (/** @type {number | undefined} */ to) => to !== undefined && light(row, to, true);
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowUp: () => go(row - 1),
      ArrowDown: () => go(row + 1),
      PageUp: () => go(row - PAGE),
      PageDown: () => go(row + PAGE),
      ArrowLeft: () => enter(rows[row].findLast((one) => one < column)),
      ArrowRight: () => enter(rows[row].find((one) => one > column)),
      Home: () => enter(rows[row][0]),
      End: () => enter(rows[row].at(-1)),
      Enter: () => column >= 0 && this.set(column),
      " ": () => column >= 0 && this.set(column),
    };
    if (event.ctrlKey || event.altKey || event.metaKey || !Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    keys[event.key]();
  }
}

/** Names beside what they are common to. @param {string} name @param {readonly string[]} names @param {number} letter share that each letter takes */
function axis(name, names, letter) {
  /** @type {Map<string, number>} */
  const sizes = new Map();
  for (const one of names) sizes.set(one, (sizes.get(one) ?? 0) + 1);
  return h("div", { class: name, "aria-hidden": "true" }, ...[...sizes].map(([one, size]) => {
    const part = h("span", {}, size / names.length < letter * one.length ? "" : one);
    part.style.flexGrow = String(size);
    return part;
  }));
}
