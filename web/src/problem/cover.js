/**
 * The exact cover of an instance: items x options. All geometry ends here.
 *
 * Order and names are those of the Python package: cells in row-major order,
 * then pieces, then free groups, then rules on pieces left out; placements by piece
 * and orientation, behind them what leaves the piece out, then the labels of free groups.
 */

import { InputError } from "./errors.js";
import { keyOf } from "./lattice.js";

/** @typedef {import("./lattice.js").Cell} Cell */
/** @typedef {import("./lattice.js").Shape} Shape */
/** @typedef {import("./instance.js").Instance} Instance */
/** @typedef {import("./board.js").Piece} Piece */
/**
 * @typedef {{kind: "cell" | "piece" | "group" | "left" | "order", text: string, name: string, demand: number}} Item
 *   one thing to cover, or the number of pieces left out, or the order in which equal ones are; `demand` is 1, or
 *   the number of equal pieces, or that of pieces left out
 */
/**
 * @typedef {{name: string, items: number[], piece: string, label: string, cells: Cell[]}} Option
 *   a placement (`label` is empty), without cells where it leaves the piece out or limits how many are, or a label
 *   that a free group reveals (`piece` is empty)
 */

const MAX_OPTIONS = 1_000_000;
const MAX_NONZEROS = 10_000_000;

/** The orientations of equal pieces; the empty one leaves some out. @param {readonly Piece[]} pieces @param {boolean} flip @returns {Shape[]} */
const shapesOf = (pieces, flip) => [...pieces[0].orientations(flip), ...(pieces.some((one) => one.rules.optional) ? [[]] : [])];

/** The items and options of an instance. */
export class ExactCover {
  /** @param {Instance} instance */
  constructor(instance) {
    this.instance = instance;
    const { puzzle, toCover } = instance;
    this.classes = puzzle.pieceClasses;
    const wide = Math.max(...puzzle.board.shape) > 10;
    this.codes = codesOf(this.classes.map((pieces) => pieces[0].name), "p", 3);
    const { classes, codes } = this;
    /** The number of pieces that may be left out, for each class of equal pieces. */
    this.spare = classes.map((pieces) => Math.min(
      pieces.filter((one) => one.rules.optional).length,
      pieces.filter((one) => !instance.placed.some(({ piece }) => piece === one.name)).length));
    const left = instance.use === undefined ? 0 : puzzle.pieces.length - instance.use;
    const groupCodes = codesOf(instance.free, "g", 6);
    /** @type {Item[]} */
    this.items = [
      ...toCover.map(([r, c]) => ({
        kind: /** @type {const} */ ("cell"),
        text: `cell ${puzzle.board.label([r, c])} (${r}, ${c})`,
        name: `c_${placeName(r, c, wide)}`,
        demand: 1,
      })),
      ...this.classes.map((pieces, k) => ({
        kind: /** @type {const} */ ("piece"),
        text: `piece ${pieces.map((piece) => piece.name).join(" = ")}`,
        name: `p_${codes[k]}`,
        demand: pieces.length,
      })),
      ...instance.free.map((group, k) => ({
        kind: /** @type {const} */ ("group"),
        text: `group ${group}`,
        name: `g_${groupCodes[k]}`,
        demand: 1,
      })),
      ...(left ? [{ kind: /** @type {const} */ ("left"), text: "the number of pieces left out", name: "u_left", demand: left }] : []),
      ...classes.flatMap((pieces, k) => Array.from({ length: this.spare[k] > 1 ? this.spare[k] : 0 }, (_, rank) => ({
        kind: /** @type {const} */ ("order"),
        text: `order ${rank + 1} of leaving out ${pieces.map((piece) => piece.name).join(" = ")}`,
        name: `o_${codes[k]}_${rank + 1}`,
        demand: 1,
      }))),
    ];
    /** The number of every cell to cover. @type {Map<string, number>} */
    this.position = new Map(toCover.map((cell, item) => [keyOf(cell), item]));
    ExactCover.check(instance, this.classes);
    /** @type {Option[]} */
    this.options = [];
    classes.forEach((_, number) => this.place(number, codes[number], wide));
    /** The number of options that are placements; they come first. */
    this.placements = this.options.length;
    this.reveal();
  }

  /** The number of pairs of an option and an item that it covers. */
  get nonzeros() {
    return this.options.reduce((sum, option) => sum + option.items.length, 0);
  }

  /** For every item the options that cover it, ascending: the rows of the model. @returns {number[][]} */
  get rows() {
    /** @type {number[][]} */
    const rows = this.items.map(() => []);
    this.options.forEach((option, number) => {
      for (const item of option.items) rows[item].push(number);
    });
    return rows;
  }

  /** The number of the option that lays a piece, or one equal to it, on cells; -1 if there is none. @param {string} piece @param {readonly Cell[]} cells */
  numberOf(piece, cells) {
    if (!this.numbers) {
      this.numbers = new Map(
        this.options.slice(0, this.placements).map((option, number) => [optionKey(option.items), number]));
    }
    const number = this.classes.findIndex((pieces) => pieces.some((one) => one.name === piece));
    const items = cells.map((cell) => this.position.get(keyOf(cell)) ?? -1).sort((a, b) => a - b);
    return this.numbers.get(optionKey([...items, this.position.size + number])) ?? -1;
  }

  /**
   * What choosing some options leaves: the left side of each row, and for each option whether it may be chosen, too.
   * @param {readonly number[]} chosen
   */
  after(chosen) {
    const { items, options } = this;
    const sums = items.map(() => 0);
    for (const number of chosen) for (const item of options[number].items) sums[item] += 1;
    const isFull = sums.map((sum, item) => sum >= items[item].demand);
    return { sums, isOpen: options.map((option, number) => !chosen.includes(number) && !option.items.some((item) => isFull[item])) };
  }

  /** The items that too few options cover: where there are any, no tiling exists. */
  get bare() {
    return this.rows.flatMap((row, k) => (row.length < this.items[k].demand ? [this.items[k]] : []));
  }

  /** Refuse an instance with too many placements. @param {Instance} instance @param {Piece[][]} [classes] */
  static check({ puzzle, toCover }, classes = puzzle.pieceClasses) {
    const shapes = classes.flatMap((pieces) => shapesOf(pieces, puzzle.flip));
    const entries = shapes.reduce((sum, shape) => sum + shape.length, 0) * toCover.length;
    if (shapes.length * toCover.length > MAX_OPTIONS || entries > MAX_NONZEROS) {
      throw new InputError(
        `${shapes.length} orientations on ${toCover.length} cells may give over ` +
          "1,000,000 placements; use a smaller board or fewer pieces");
    }
  }

  /** Add every placement of a class of equal pieces. @param {number} number @param {string} code @param {boolean} wide */
  place(number, code, wide) {
    const { puzzle, toCover, placed } = this.instance;
    const { lattice } = puzzle.board;
    const pieces = this.classes[number];
    const names = pieces.map((piece) => piece.name);
    const taken = new Set(placed.flatMap((one) => one.cells.map(keyOf)));
    const fixed = placed
      .filter((one) => names.includes(one.piece))
      .map((one) => one.cells.map(keyOf).join(" "));
    const stays = (/** @type {Cell[]} */ cells) =>
      !placed.length ||
      (fixed.length < names.length && !cells.some((cell) => taken.has(keyOf(cell)))) ||
      fixed.includes(cells.map(keyOf).join(" "));
    // By row and column: thousands of keys of a map would be most of the work.
    /** @type {number[][]} */
    const itemAt = puzzle.board.rows.map(() => []);
    toCover.forEach(([r, c], item) => { itemAt[r][c] = item; });
    shapesOf(pieces, puzzle.flip).forEach((shape, turn) => {
      if (!shape.length) {
        this.options.push(...this.leave(number));
        return;
      }
      const [[top, left]] = shape;
      const kind = lattice.kind(shape[0]);
      for (const [r, c] of toCover) {
        if (lattice.kind([r, c]) !== kind) continue;
        /** @type {number[]} */
        const items = [];
        for (const [down, right] of shape) {
          const item = itemAt[r + down - top]?.[c + right - left];
          if (item === undefined) break;
          items.push(item);
        }
        if (items.length < shape.length) continue;
        // The board's own cells: pairs of their own would be most of what a page holds.
        const cells = items.map((item) => toCover[item]);
        if (!stays(cells)) continue;
        this.options.push({
          name: `${code}_${String.fromCharCode(97 + turn)}${placeName(r, c, wide)}`,
          items: [...items, toCover.length + number],
          piece: names[0],
          label: "",
          cells,
        });
      }
    });
  }

  /** The options that leave pieces of a class out, and those that limit how many, as the Python package describes them. @param {number} number @returns {Option[]} */
  leave(number) {
    const { classes, items, spare: { [number]: spare } } = this;
    const rules = items.findIndex(({ kind }) => kind === "left");
    const own = [this.position.size + number, ...(rules < 0 ? [] : [rules])];
    const order = items.flatMap(({ name }, item) => (name.startsWith(`o_${this.codes[number]}_`) ? [item] : []));
    return this.namesOfLeft(number).map((name, k) => ({
      name, items: k < spare ? [...own, ...order.slice(k, k + 1)] : order.slice(k - spare),
      piece: classes[number][0].name, label: "", cells: [],
    }));
  }

  /** The names of what leaves pieces of a class out, in order. @param {number} number @returns {string[]} */
  namesOfLeft(number) {
    const { codes: { [number]: code }, spare: { [number]: spare } } = this;
    if (spare < 2) return spare ? [`${code}_left`] : [];
    const ranks = Array.from({ length: spare }, (_, k) => k);
    return [...ranks.map((k) => `${code}_out${k + 1}`), ...ranks.map((k) => `${code}_max${k}`)];
  }

  /** The options that leave out all pieces but those of some placements. @param {readonly import("./instance.js").Placement[]} placed */
  leaving(placed) {
    const names = this.classes.flatMap((pieces, number) => {
      const { spare: { [number]: spare } } = this;
      const used = placed.filter(({ piece }) => pieces.some(({ name }) => name === piece)).length;
      const left = Math.min(pieces.length - used, spare);
      const every = this.namesOfLeft(number);
      return [...every.slice(0, left), ...every.slice(spare + left, spare + left + 1)];
    });
    return names.map((name) => this.options.findIndex((option) => option.name === name));
  }

  /** Add the labels of the free groups. */
  reveal() {
    const { puzzle, free, labels } = this.instance;
    /** @type {{label: string, group: number}[]} */
    const reveals = free.flatMap((group, k) =>
      (puzzle.groups.get(group) ?? [])
        .filter((label) => !labels.includes(label))
        .map((label) => ({ label, group: k })));
    const codes = codesOf(reveals.map((one) => one.label), "i", 6);
    reveals.forEach(({ label, group }, k) => {
      const cells = puzzle.board.labels.get(label) ?? [];
      const items = cells.map((cell) => /** @type {number} */ (this.position.get(keyOf(cell))));
      this.options.push({
        name: `r_${codes[k]}`,
        items: [...items.sort((a, b) => a - b), this.position.size + this.classes.length + group],
        piece: "",
        label,
        cells,
      });
    });
  }
}

/** Whether an option covers cells: the others leave a piece out, which a search needs not choose. @param {Option} option */
export const isCovering = ({ cells }) => cells.length > 0;

/** The items that a search needs not cover: of pieces that may be left out, and rules on them. @param {ExactCover} cover */
export const spareOf = ({ options }) =>
  new Set(options.flatMap((option) => (isCovering(option) ? [] : option.items)));

/**
 * The test whether placements that cover all cells have the pieces that must be used, and as many as are stated; null
 * where the demands of the items say it.
 * @param {ExactCover} cover @returns {((laid: readonly number[], chosen: Int32Array, depth: number) => boolean) | null}
 */
export function rightNumbers({ classes, instance: { use, toCover }, options, spare }) {
  const least = classes.map((pieces, k) => (spare[k] ? pieces.length - spare[k] : 0));
  if (use === undefined && !least.some(Boolean)) return null;
  return (laid, chosen, depth) => {
    const used = classes.map(() => 0);
    for (const option of [...laid, ...chosen.subarray(0, depth)]) {
      const kind = options[option].items[options[option].items.length - 1] - toCover.length;
      if (kind < used.length) used[kind] += 1;
    }
    return used.every((number, kind) => number >= least[kind]) &&
      (use === undefined || used.reduce((sum, number) => sum + number, 0) === use);
  };
}

/** @param {readonly number[]} items */
const optionKey = (items) => items.join(" ");

/**
 * Short unique codes of letters and digits, the texts themselves where they serve.
 * @param {readonly string[]} texts @param {string} letter @param {number} most
 */
function codesOf(texts, letter, most) {
  const cut = texts.map((text) => text.replace(/[^A-Za-z0-9]/g, "").slice(0, most));
  const plain = cut.every((code) => code && !/^(?:[0-9]|[eE][0-9]|r$)/.test(code));
  const serve = new Set(cut).size === cut.length && (plain || (letter !== "p" && cut.every(Boolean)));
  return serve ? cut : texts.map((_, k) => `${letter}${k + 1}`);
}

/** @param {number} row @param {number} column @param {boolean} wide */
const placeName = (row, column, wide) => (wide ? `r${row}c${column}` : `${row}${column}`);
