/**
 * Lattices: which cells touch, how a shape can be turned, and what a cell looks like.
 *
 * A cell is a pair [row, column]. The motions that fix the origin are integer
 * 2 x 2 matrices, and corners lie on a grid of whole numbers.
 */

/** @typedef {[number, number]} Cell a cell's row and column, from 0 */
/** @typedef {Cell[]} Shape sorted cells, the first of them [0, 0] */
/** @typedef {[[number, number], [number, number]]} Matrix */
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

/** @param {Matrix} matrix @param {readonly Cell[]} cells @returns {Cell[]} */
function apply([[a, b], [c, d]], cells) {
  // + 0 turns -0 into 0.
  return cells.map(([row, column]) => [a * row + b * column + 0, c * row + d * column + 0]);
}

/** The cells sorted and moved so that the first one is [0, 0]. @param {readonly Cell[]} cells @returns {Shape} */
export function normalised(cells) {
  if (!cells.length) return [];
  const once = new Map(cells.map((cell) => [keyOf(cell), cell]));
  const ordered = [...once.values()].sort(byPlace);
  const [row, column] = ordered[0];
  return ordered.map(([r, c]) => [r - row, c - column]);
}

/** A plane lattice of cells. */
export class Lattice {
  /**
   * @param {{name: string, steps: Cell[], turn: Matrix, order: number, mirror: Matrix,
   *   place: Matrix, rim: [number, number][], unit: Point}} parts
   *   `steps` and `rim` clockwise; the edge from corner k on faces the cell at step k
   */
  constructor(parts) {
    this.name = parts.name;
    this.steps = parts.steps;
    this.turn = parts.turn;
    this.order = parts.order;
    this.mirror = parts.mirror;
    this.place = parts.place;
    this.rim = parts.rim;
    this.unit = parts.unit;
    /** @type {Map<string, Shape[]>} */
    this.known = new Map();
  }

  /** The cells that touch a cell, on the board or off it, clockwise. @param {Cell} cell @returns {Cell[]} */
  neighbours([row, column]) {
    return this.steps.map(([down, right]) => [row + down, column + right]);
  }

  /** The corners in the plane, clockwise; centres of touching cells are 1 apart. @param {Cell} cell @returns {Point[]} */
  corners(cell) {
    const [[x, y]] = apply(this.place, [cell]);
    const [across, down] = this.unit;
    return this.rim.map(([right, below]) => [(x + right) * across, (y + below) * down]);
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

  /** Cells turned clockwise by one step about the origin. @param {readonly Cell[]} cells */
  turned(cells) {
    return apply(this.turn, cells);
  }

  /** Cells turned over. @param {readonly Cell[]} cells */
  mirrored(cells) {
    return apply(this.mirror, cells);
  }

  /**
   * The distinct ways to turn (and, if allowed, turn over) a shape, sorted.
   * @param {readonly Cell[]} shape @param {boolean} flip @returns {Shape[]}
   */
  orientations(shape, flip) {
    const anchored = normalised(shape);
    const key = `${flip} ${anchored.map(keyOf).join(" ")}`;
    let found = this.known.get(key);
    if (!found) {
      /** @type {Map<string, Shape>} */
      const ways = new Map();
      for (let turned of flip ? [anchored, this.mirrored(anchored)] : [anchored]) {
        for (let k = 0; k < this.order; k += 1) {
          turned = this.turned(turned);
          const way = normalised(turned);
          ways.set(way.map(keyOf).join(" "), way);
        }
      }
      found = [...ways.values()].sort(byCells);
      this.known.set(key, found);
    }
    return found;
  }
}

const SQUARE = new Lattice({
  name: "square",
  steps: [[-1, 0], [0, 1], [1, 0], [0, -1]],
  turn: [[0, 1], [-1, 0]],
  order: 4,
  mirror: [[1, 0], [0, -1]],
  place: [[0, 1], [1, 0]],
  rim: [[0, 0], [1, 0], [1, 1], [0, 1]],
  unit: [1, 1],
});

// Pointed at the top; each row stands half a cell to the left of the one above.
const HEXAGONAL = new Lattice({
  name: "hexagonal",
  steps: [[-1, 0], [0, 1], [1, 1], [1, 0], [0, -1], [-1, -1]],
  turn: [[0, 1], [-1, 1]],
  order: 6,
  mirror: [[0, 1], [1, 0]],
  place: [[-1, 2], [3, 0]],
  rim: [[1, 0], [2, 1], [2, 3], [1, 4], [0, 3], [0, 1]],
  unit: [0.5, 0.5 / Math.sqrt(3)],
});

/** Every lattice by the word that puzzle files use for it. @type {Record<string, Lattice>} */
export const LATTICES = { square: SQUARE, hexagonal: HEXAGONAL };
