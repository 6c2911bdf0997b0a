/**
 * Lattices: which cells touch, how a shape can be turned, and what a cell looks like.
 *
 * A cell is a pair [row, column]. There may be several kinds of cells, which repeat in a
 * pattern; motions are matrices, and corners lie on a grid, both of whole numbers. The tables
 * of the lattices are those of the package.
 */

import data from "../data.json" with { type: "json" };

/** @typedef {[number, number]} Cell a cell's row and column, from 0 */
/** @typedef {Cell[]} Shape sorted cells, the first of them the home of its kind, such as [0, 0] */
/** @typedef {number[][]} Motion a matrix that is applied to [row, column, 1] */
/** @typedef {[number, number]} Point x to the right, y downwards */

/** A cell as the key of a map. @param {Cell} cell */
export const keyOf = ([row, column]) => `${row},${column}`;

/** @param {Cell} a @param {Cell} b */
export const byPlace = (a, b) => a[0] - b[0] || a[1] - b[1];

/** @param {readonly Cell[]} a @param {readonly Cell[]} b */
function byCells(a, b) {
  for (let k = 0; k < Math.min(a.length, b.length); k += 1) {
    const order = byPlace(a[k], b[k]);
    if (order) return order;
  }
  return a.length - b.length;
}

/** The remainder, not negative. @param {number} number @param {number} by */
const modulo = (number, by) => ((number % by) + by) % by;

/** A plane lattice of cells. */
export class Lattice {
  /**
   * @param {{name: string, kinds: {steps: number[][], rim: number[][]}[], turn: Motion, order: number,
   *   mirror: Motion, place: number[][], unit: number[], pattern: number[][], scale: number}} parts
   *   `steps` and `rim` clockwise; the edge from corner k on faces the cell at step k; images are
   *   divided by `scale` and rounded down
   */
  constructor(parts) {
    this.name = parts.name;
    this.kinds = parts.kinds;
    this.turn = parts.turn;
    this.order = parts.order;
    this.mirror = parts.mirror;
    this.place = parts.place;
    this.unit = parts.unit;
    this.pattern = parts.pattern;
    this.scale = parts.scale;
    /** The first cell of every kind. @type {Map<number, Cell>} */
    this.homes = new Map(
      parts.pattern.flatMap((kinds, row) => kinds.map((kind, column) => /** @type {[number, Cell]} */ ([kind, [row, column]])))
        .reverse());
    /** @type {Map<string, Shape[]>} */
    this.known = new Map();
  }

  /** The kind of a cell. @param {Cell} cell */
  kind([row, column]) {
    const kinds = this.pattern[modulo(row, this.pattern.length)];
    return kinds[modulo(column, kinds.length)];
  }

  /** Cells moved so that one of them is the home of its kind. @param {readonly Cell[]} cells @param {Cell} grip @returns {Cell[]} */
  about(cells, grip) {
    const [row, column] = /** @type {Cell} */ (this.homes.get(this.kind(grip)));
    return cells.map(([r, c]) => [r - grip[0] + row, c - grip[1] + column]);
  }

  /** The cells sorted and moved so that the first one is the home of its kind. @param {readonly Cell[]} cells @returns {Shape} */
  normalised(cells) {
    if (!cells.length) return [];
    const once = new Map(cells.map((cell) => [keyOf(cell), cell]));
    const ordered = [...once.values()].sort(byPlace);
    return this.about(ordered, ordered[0]);
  }

  /** The row and the column with which a drawing of cells begins, so that cells keep their kinds. @param {readonly Cell[]} cells @returns {Cell} */
  corner(cells) {
    const [top, left] = [0, 1].map((axis) => Math.min(...cells.map((cell) => cell[axis])));
    for (let up = 0; ; up += 1) {
      for (let aside = 0; aside < this.pattern[0].length; aside += 1) {
        if (this.kind([top - up, left - aside]) === this.pattern[0][0]) return [top - up, left - aside];
      }
    }
  }

  /** The cells that touch a cell, on the board or off it, clockwise. @param {Cell} cell @returns {Cell[]} */
  neighbours(cell) {
    return this.kinds[this.kind(cell)].steps.map(([down, right]) => [cell[0] + down, cell[1] + right]);
  }

  /** The corners in the plane, clockwise; centres of touching cells are about 1 apart. @param {Cell} cell @returns {Point[]} */
  corners(cell) {
    const [x, y] = this.place.map(([a, b]) => a * cell[0] + b * cell[1]);
    const [across, down] = this.unit;
    return this.kinds[this.kind(cell)].rim.map(([right, below]) => [(x + right) * across, (y + below) * down]);
  }

  /** The centre of a cell in the plane. @param {Cell} cell @returns {Point} */
  centre(cell) {
    const corners = this.corners(cell);
    const sum = (/** @type {0 | 1} */ axis) => corners.reduce((total, corner) => total + corner[axis], 0);
    return [sum(0) / corners.length, sum(1) / corners.length];
  }

  /** Whether cells hang together; an empty set does not. @param {readonly Cell[]} cells */
  isConnected(cells) {
    const left = new Map(cells.map((cell) => [keyOf(cell), cell]));
    if (!left.size) return false;
    const [first] = left.values();
    left.delete(keyOf(first));
    const frontier = [first];
    for (let cell = frontier.pop(); cell; cell = frontier.pop()) {
      for (const other of this.neighbours(cell)) {
        if (left.delete(keyOf(other))) frontier.push(other);
      }
    }
    return !left.size;
  }

  /** The images of cells under a motion. @param {Motion} motion @param {readonly Cell[]} cells @returns {Cell[]} */
  apply([[a, b, down], [c, d, right]], cells) {
    // + 0 turns -0 into 0.
    const divided = (/** @type {number} */ number) => Math.floor(number / this.scale) + 0;
    return cells.map(([row, column]) => [divided(a * row + b * column + down), divided(c * row + d * column + right)]);
  }

  /** Cells turned clockwise by one step. @param {readonly Cell[]} cells */
  turned(cells) {
    return this.apply(this.turn, cells);
  }

  /** Cells turned over. @param {readonly Cell[]} cells */
  mirrored(cells) {
    return this.apply(this.mirror, cells);
  }

  /**
   * The distinct ways to turn (and, if allowed, turn over) a shape, sorted.
   * @param {readonly Cell[]} shape @param {boolean} flip @returns {Shape[]}
   */
  orientations(shape, flip) {
    const anchored = this.normalised(shape);
    const key = `${flip} ${anchored.map(keyOf).join(" ")}`;
    let found = this.known.get(key);
    if (!found) {
      /** @type {Map<string, Shape>} */
      const ways = new Map();
      for (let turned of flip ? [anchored, this.mirrored(anchored)] : [anchored]) {
        for (let k = 0; k < this.order; k += 1) {
          turned = this.turned(turned);
          const way = this.normalised(turned);
          ways.set(way.map(keyOf).join(" "), way);
        }
      }
      found = [...ways.values()].sort(byCells);
      this.known.set(key, found);
    }
    return found;
  }
}

/** Every lattice by the word that puzzle files use for it. @type {Record<string, Lattice>} */
export const LATTICES = Object.fromEntries(data.lattices.map((parts) => [parts.name, new Lattice(parts)]));
