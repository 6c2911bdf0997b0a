/**
 * A game as rules and a state: what lies on the board, what is in hand, what was done. `moved` makes of a state and an
 * action the next state, and alters neither; so the same actions give the same game. No search, no drawing.
 */

import { Instance } from "../problem/instance.js";
import { byPlace, keyOf } from "../problem/lattice.js";

/** @typedef {import("../problem/lattice.js").Cell} Cell */
/** @typedef {import("../problem/lattice.js").Lattice} Lattice */
/** @typedef {import("../problem/puzzle.js").Puzzle} Puzzle */
/** @typedef {import("../problem/instance.js").Placement} Placement */
/** @typedef {import("../problem/dates.js").Labels} Labels */
/**
 * @typedef {object} Hand a piece that is held
 * @property {string} piece
 * @property {Cell[]} cells its cells about the one by which it is held, which is the home of its kind
 * @property {number} grip the number of that one
 * @property {Cell | null} at the cell of the board under that one
 * @property {Placement | null} from where it lay before
 */
/**
 * @typedef {object} Moves
 * @property {readonly Placement[][]} history what lay on the board after each move
 * @property {number} moment which of these lies now
 * @property {Hand | null} hand
 * @property {ReadonlyMap<string, Cell[]>} turns how each piece lies beside the board
 */
/**
 * @typedef {{do: "take", piece: string, grip?: Cell} | {do: "lift", cell: Cell} | {do: "hold", grip: Cell, cells?: readonly Cell[]}
 *   | {do: "hover", at: Cell | null} | {do: "turn"} | {do: "over", back?: boolean} | {do: "drop"} | {do: "aside"} | {do: "lay", at: Cell}
 *   | {do: "place", placed: readonly Placement[]} | {do: "off", pieces: readonly string[]} | {do: "clear"} | {do: "step", step: number}} Action
 *   take a piece from beside the board, lift a lying one, hold it by another cell, let it hover; turn it, turn it over (where `back`
 *   says so, its last turn is taken back first); put it back to where it was, put it beside the board, lay it; place pieces, take
 *   them off, take off all; undo (-1) or do again (1)
 */

/** The state in which a game begins. @param {Puzzle} puzzle @returns {Moves} */
const begun = (puzzle) =>
  ({ history: [[]], moment: 0, hand: null, turns: new Map(puzzle.pieces.map((piece) => [piece.name, piece.cells])) });

/**
 * The state after an action; the same one where the action can do nothing.
 * @template {Moves} M
 * @param {BoardGame} game the rules @param {M} moves @param {Action} action @returns {M}
 */
export function moved(game, moves, action) {
  const { hand, turns, history, moment } = moves;
  const { lattice } = game;
  const now = game.with(moves);
  const holding = (/** @type {Hand | null} */ held) => ({ ...moves, hand: held });
  const lying = (/** @type {readonly Placement[]} */ placed) => ({
    ...moves, hand: null, moment: moment + 1, history: [...history.slice(0, moment + 1), game.instance.withPlaced(placed).placed],
  });
  const shaped = (/** @type {readonly Cell[]} */ cells) => {
    if (!hand) return moves;
    const held = { ...hand, cells: lattice.about(cells, cells[hand.grip]) };
    return { ...moves, hand: held, turns: new Map(turns).set(hand.piece, held.cells) };
  };
  switch (action.do) {
    case "take": {
      const before = game.with(holding(null));
      const cells = turns.get(action.piece);
      // What a tiling leaves out has no place on it.
      if (!cells || now.solved || !before.left.some(({ name }) => name === action.piece)) return moves;
      return holding({ piece: action.piece, ...heldBy(lattice, cells, action.grip ?? middleOf(lattice, cells)), at: null, from: null });
    }
    case "lift": {
      const from = game.with(holding(null)).at(action.cell);
      if (!from) return moves;
      const held = { piece: from.piece, ...heldBy(lattice, from.cells, action.cell), at: action.cell, from };
      return { ...moves, hand: held, turns: new Map(turns).set(from.piece, lattice.about(from.cells, from.cells[0])) };
    }
    case "hold":
      return hand ? holding({ ...hand, ...heldBy(lattice, action.cells ?? turns.get(hand.piece) ?? [], action.grip) }) : moves;
    case "hover":
      return !hand || hand.at?.join() === action.at?.join() ? moves : holding({ ...hand, at: action.at });
    case "turn":
      return hand && now.mayTurn.turn ? shaped(lattice.turned(hand.cells)) : moves;
    case "over": {
      if (!hand || !now.mayTurn.over) return moves;
      let { cells } = hand;
      for (let k = 1; action.back && k < lattice.order; k += 1) cells = lattice.turned(cells);
      return shaped(lattice.mirrored(cells));
    }
    case "drop":
      return hand ? holding(null) : moves;
    case "aside":
      return hand?.from ? lying(now.placed) : hand ? holding(null) : moves;
    case "lay": {
      const placement = now.over(action.at);
      return placement && now.fits(placement) ? lying([...now.placed, placement]) : moves;
    }
    case "place":
      return lying(action.placed);
    case "off":
    case "clear": {
      const rest = game.with(holding(null)).placed.filter((one) => action.do === "off" && !action.pieces.includes(one.piece));
      return rest.length < history[moment].length ? lying(rest) : moves;
    }
    case "step": {
      const next = moment + action.step;
      return history[next] && action.step ? { ...moves, hand: null, moment: next } : moves;
    }
  }
}

/** What lies in a state; a piece in hand does not. @param {Moves} moves @returns {Placement[]} */
const lyingOf = ({ history, moment, hand }) =>
  hand?.from ? history[moment].filter((one) => one.piece !== hand.from?.piece) : history[moment];

/** Whether the same lies in two states. @param {Moves} one @param {Moves} other */
export function isSamePosition(one, other) {
  const [a, b] = [one, other].map((moves) => lyingOf(moves));
  return a === b || (a.length === b.length && a.every(({ piece, cells }, k) => piece === b[k].piece && cells.join(" ") === b[k].cells.join(" ")));
}

/** A game on one instance: its rules, and its state. */
export class BoardGame {
  /** @param {Puzzle} puzzle whose pieces may be turned over or not @param {Labels} labels @param {string} [name] the instance's name, as `calmip export` would call it */
  constructor(puzzle, labels, name = "") {
    this.puzzle = puzzle;
    this.labels = labels;
    this.flip = puzzle.flip;
    this.instance = Instance.reveal(puzzle, labels, name);
    this.lattice = puzzle.board.lattice;
    /** @type {Moves} */
    this.state = begun(puzzle);
    /** What makes the next state: another one knows more actions. @type {(game: any, state: any, action: any) => any} */
    this.reduce = moved;
  }

  /** These rules with another state. @param {Moves} state @returns {this} */
  with(state) {
    return Object.assign(Object.create(this), { state });
  }

  /** Do something; whether that could be done. @param {Action} action */
  act(action) {
    /** @type {Moves} */
    const state = this.state;
    this.state = this.reduce(this, state, action);
    return this.state !== state;
  }

  /** Go on with other moves. @param {readonly Placement[][]} history @param {number} [moment] */
  open(history, moment = 0) {
    this.state = { ...this.state, history, moment, hand: null };
  }

  get history() {
    return this.state.history;
  }

  get moment() {
    return this.state.moment;
  }

  get hand() {
    return this.state.hand;
  }

  get turns() {
    return this.state.turns;
  }

  /** What lies on the board; a piece in hand does not. */
  get placed() {
    return lyingOf(this.state);
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

  /** The piece lying on a cell. @param {Cell} cell */
  at(cell) {
    const key = keyOf(cell);
    return this.placed.find((one) => one.cells.some((other) => keyOf(other) === key)) ?? null;
  }

  /** Whether the piece in hand may be turned, and turned over. */
  get mayTurn() {
    const held = this.puzzle.pieces.find((piece) => piece.name === this.hand?.piece);
    const turn = held !== undefined && !("rotate" in held.rules);
    return { turn, over: turn && this.flip && !("flip" in held.rules) };
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
}

/** The cells of a shape about one of them, and its number. @param {Lattice} lattice @param {readonly Cell[]} cells @param {Cell} grip */
const heldBy = (lattice, cells, grip) => ({ cells: lattice.about(cells, grip), grip: cells.map(keyOf).indexOf(keyOf(grip)) });

/** The cell of a shape that is nearest to its middle. @param {Lattice} lattice @param {readonly Cell[]} cells */
export function middleOf(lattice, cells) {
  const centres = cells.map((cell) => lattice.centre(cell));
  const x = centres.reduce((sum, one) => sum + one[0], 0) / cells.length;
  const y = centres.reduce((sum, one) => sum + one[1], 0) / cells.length;
  const far = centres.map((one) => Math.round(Math.hypot(one[0] - x, one[1] - y) * 1e6) / 1e6);
  return cells[far.indexOf(Math.min(...far))];
}
