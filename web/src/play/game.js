/** A game: what lies on the board, what is in hand, and what was done; without any drawing. */

import { InputError } from "../problem/errors.js";
import { Instance } from "../problem/instance.js";
import { ExactCover, isCovering } from "../problem/cover.js";
import { byPlace, keyOf } from "../problem/lattice.js";
import { openPuzzle } from "../documents/source.js";

/** @typedef {import("../problem/lattice.js").Cell} Cell */
/** @typedef {import("../problem/instance.js").Placement} Placement */
/** @typedef {import("../problem/dates.js").Labels} Labels */
/** @typedef {import("../documents/source.js").Source} Source */
/**
 * @typedef {object} Hand a piece that is held
 * @property {string} piece
 * @property {Cell[]} cells its cells about the one by which it is held, which is the home of its kind
 * @property {number} grip the number of that one
 * @property {Cell | null} at the cell of the board under that one
 * @property {Placement | null} from where it lay before
 */

/** A game on one instance. */
export class Game {
  /**
   * @param {Source} source @param {Labels} labels @param {boolean} [flip]
   * @param {string} [name] the instance's name, as `calmip export` would call it
   */
  constructor(source, labels, flip, name = "") {
    const puzzle = openPuzzle(source);
    this.source = source;
    this.labels = labels;
    this.flip = flip ?? puzzle.flip;
    this.puzzle = puzzle.withFlip(this.flip);
    this.instance = Instance.reveal(this.puzzle, labels, name);
    ExactCover.check(this.instance);
    this.lattice = this.puzzle.board.lattice;
    /** What lay on the board after each move. @type {Placement[][]} */
    this.history = [[]];
    this.moment = 0;
    /** @type {Hand | null} */
    this.hand = null;
    /** How each piece lies beside the board. @type {Map<string, Cell[]>} */
    this.turns = new Map(this.puzzle.pieces.map((piece) => [piece.name, piece.cells]));
  }

  /** The exact cover, made when it is first asked for: the board is drawn without it. @returns {ExactCover} */
  get cover() {
    const cover = new ExactCover(this.instance);
    Object.defineProperty(this, "cover", { value: cover });
    return cover;
  }

  /** What lies on the board; a piece in hand does not. @returns {Placement[]} */
  get placed() {
    const lying = this.history[this.moment];
    const lifted = this.hand?.from;
    return lifted ? lying.filter((one) => one.piece !== lifted.piece) : lying;
  }

  /** The options of what lies. */
  get laid() {
    return this.placed.map((one) => this.cover.numberOf(one.piece, one.cells));
  }

  /** The pieces that do not lie on the board, those in hand among them. */
  get left() {
    const lying = new Set(this.placed.map((one) => one.piece));
    return this.puzzle.pieces.filter((piece) => !lying.has(piece.name));
  }

  /** Whether what lies is a tiling, as the instance checks every placement. */
  get solved() {
    return !this.hand && this.isTiling(this.placed);
  }

  /** Whether placements have all needed pieces, and cover every cell to cover exactly once. @param {readonly Placement[]} placed */
  isTiling(placed) {
    const lying = new Set(placed.map((one) => one.piece));
    const { pieceClasses, use = placed.length } = this.puzzle;
    const isShort = pieceClasses.some((pieces) =>
      pieces.filter(({ name }) => lying.has(name)).length < pieces.filter(({ rules }) => !rules.optional).length);
    if (isShort || placed.length !== use) return false;
    const covered = this.instance.withPlaced(placed).placed.flatMap((one) => one.cells.map(keyOf));
    return covered.length === this.instance.toCover.length && new Set(covered).size === covered.length;
  }

  /** The tiling that such a text as `tilingKey` gives names, or null: what is stored may be anything. @param {string} key */
  tilingOf(key) {
    const options = key.split(".").map(Number);
    if (!options.every((option) => option < this.cover.placements && this.cover.options[option])) return null;
    try {
      const placed = this.placementsOf(options);
      return this.isTiling(placed) ? placed : null;
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      return null;
    }
  }

  /** A tiling's options, ascending, as a text. @param {readonly Placement[]} placed */
  tilingKey(placed) {
    return placed
      .map((one) => this.cover.numberOf(one.piece, one.cells))
      .sort((a, b) => a - b)
      .join(".");
  }

  /** The placements of a set of options; equal pieces get their names in turn, and what leaves a piece out places nothing. @param {Iterable<number>} options @returns {Placement[]} */
  placementsOf(options) {
    /** @type {Set<string>} */
    const used = new Set();
    return [...options].map((number) => this.cover.options[number]).filter(isCovering).map(({ piece, cells }) => {
      const name = this.cover.classes
        .find((pieces) => pieces[0].name === piece)
        ?.find((one) => !used.has(one.name))?.name ?? piece;
      used.add(name);
      return { piece: name, cells };
    });
  }

  /** The piece lying on a cell. @param {Cell} cell */
  at(cell) {
    const key = keyOf(cell);
    return this.placed.find((one) => one.cells.some((other) => keyOf(other) === key)) ?? null;
  }

  /** A new position, a move that can be undone. @param {readonly Placement[]} placed */
  move(placed) {
    const checked = this.instance.withPlaced(placed).placed;
    this.history = [...this.history.slice(0, this.moment + 1), checked];
    this.moment += 1;
    this.hand = null;
  }

  /** @param {number} step -1 to undo, 1 to redo */
  step(step) {
    const moment = this.moment + step;
    if (moment < 0 || moment >= this.history.length) return false;
    this.moment = moment;
    this.hand = null;
    return true;
  }

  /** Take a piece in hand, from beside the board. @param {string} piece @param {Cell} [grip] one of its cells */
  take(piece, grip) {
    this.drop();
    const cells = this.turns.get(piece) ?? [];
    this.hand = { piece, ...this.heldBy(cells, grip ?? middleOf(this.lattice, cells)), at: null, from: null };
  }

  /** Take a lying piece in hand. @param {Placement} placement @param {Cell} grip the cell by which it is held */
  lift(placement, grip) {
    this.drop();
    this.hand = { piece: placement.piece, ...this.heldBy(placement.cells, grip), at: grip, from: placement };
    this.turns.set(placement.piece, this.lattice.about(placement.cells, placement.cells[0]));
  }

  /** The cells of a shape about one of them, and its number. @param {readonly Cell[]} cells @param {Cell} grip */
  heldBy(cells, grip) {
    return { cells: this.lattice.about(cells, grip), grip: cells.map(keyOf).indexOf(keyOf(grip)) };
  }

  /** Hold the piece in hand by another of its cells. @param {Cell} grip @param {readonly Cell[]} [cells] as it lies; beside the board unless given */
  hold(grip, cells) {
    const { hand } = this;
    if (hand) Object.assign(hand, this.heldBy(cells ?? this.turns.get(hand.piece) ?? [], grip));
  }

  /** Put what is in hand back to where it was. */
  drop() {
    this.hand = null;
  }

  /** Put what is in hand beside the board. */
  putAside() {
    const { hand } = this;
    if (!hand) return;
    const rest = this.placed;
    if (hand.from) this.move(rest);
    this.hand = null;
  }

  /** Whether the piece in hand may be turned, and turned over. */
  get mayTurn() {
    const held = this.puzzle.pieces.find((piece) => piece.name === this.hand?.piece);
    const turn = held !== undefined && !("rotate" in held.rules);
    return { turn, over: turn && this.flip && !("flip" in held.rules) };
  }

  /** Turn the piece in hand clockwise. */
  turn() {
    if (this.mayTurn.turn) this.reshape((cells) => this.lattice.turned(cells));
  }

  /** Turn the piece in hand over. */
  turnOver() {
    if (this.mayTurn.over) this.reshape((cells) => this.lattice.mirrored(cells));
  }

  /** @param {(cells: readonly Cell[]) => Cell[]} motion */
  reshape(motion) {
    const { hand } = this;
    if (!hand) return;
    const moved = motion(hand.cells);
    hand.cells = this.lattice.about(moved, moved[hand.grip]);
    this.turns.set(hand.piece, hand.cells);
  }

  /**
   * Where the piece in hand would lie if held over a cell, or over one beside it where the cell is not of the kind
   * of the one by which it is held: a triangle that points up is never one that points down.
   * @param {Cell} at @returns {Placement | null}
   */
  over(at) {
    const { hand, lattice } = this;
    if (!hand) return null;
    const [row, column] = hand.cells[hand.grip];
    const spots = this.suits(at) ? [at] : lattice.neighbours(at).filter((cell) => this.suits(cell));
    const placements = spots.map(([r, c]) => {
      const cells = hand.cells.map(([down, right]) => /** @type {Cell} */ ([r + down - row, c + right - column]));
      return { piece: hand.piece, cells: cells.sort(byPlace) };
    });
    return placements.find((one) => this.fits(one)) ?? placements[0] ?? null;
  }

  /** Whether a cell is of the kind of the one by which the piece in hand is held. @param {Cell} cell */
  suits(cell) {
    const { hand, lattice } = this;
    return hand !== null && lattice.kind(cell) === lattice.kind(hand.cells[hand.grip]);
  }

  /** Whether a placement lies on bare cells to cover only. @param {Placement | null} placement */
  fits(placement) {
    if (!placement) return false;
    const taken = new Set(this.placed.flatMap((one) => one.cells.map(keyOf)));
    return placement.cells.every((cell) => this.instance.open.has(keyOf(cell)) && !taken.has(keyOf(cell)));
  }

  /** What a placement may not cover: the pieces that lie there, the labels that stay uncovered; neither where it leaves the board. @param {Placement} placement */
  obstacles({ cells }) {
    const { board } = this.puzzle;
    const all = new Set(board.cells.map(keyOf));
    if (!cells.every((cell) => all.has(keyOf(cell)))) return { pieces: [], labels: [] };
    const closed = cells.filter((cell) => !this.instance.open.has(keyOf(cell)));
    return {
      pieces: [...new Set(cells.flatMap((cell) => this.at(cell)?.piece ?? []))],
      labels: [...new Set(closed.map((cell) => board.label(cell)))],
    };
  }

  /**
   * The cell nearest to a point over which the piece in hand fits, or null.
   * @param {import("../problem/lattice.js").Point} point @param {number} reach in cells
   */
  nearestFit([x, y], reach) {
    /** @type {Cell | null} */
    let best = null;
    let least = reach;
    for (const cell of this.puzzle.board.cells) {
      const [cx, cy] = this.lattice.centre(cell);
      const far = Math.hypot(cx - x, cy - y);
      if (far < least && this.suits(cell) && this.fits(this.over(cell))) [best, least] = [cell, far];
    }
    return best;
  }

  /** Lay the piece in hand over a cell; whether that could be done. @param {Cell} at */
  lay(at) {
    const placement = this.over(at);
    if (!placement || !this.fits(placement)) return false;
    this.move([...this.placed, placement]);
    return true;
  }

  /** Take pieces off. @param {readonly string[]} names */
  takeOff(names) {
    this.hand = null;
    this.move(this.placed.filter((one) => !names.includes(one.piece)));
  }
}

/** The cell of a shape that is nearest to its middle. @param {import("../problem/lattice.js").Lattice} lattice @param {readonly Cell[]} cells */
export function middleOf(lattice, cells) {
  const centres = cells.map((cell) => lattice.centre(cell));
  const x = centres.reduce((sum, one) => sum + one[0], 0) / cells.length;
  const y = centres.reduce((sum, one) => sum + one[1], 0) / cells.length;
  const far = centres.map((one) => Math.round(Math.hypot(one[0] - x, one[1] - y) * 1e6) / 1e6);
  return cells[far.indexOf(Math.min(...far))];
}
