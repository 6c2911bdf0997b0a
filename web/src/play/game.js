/** A game on a puzzle of the page, with its exact cover: what tilings there are. */

import { InputError } from "../problem/errors.js";
import { ExactCover, isCovering } from "../problem/cover.js";
import { openPuzzle } from "../documents/source.js";
import { BoardGame } from "./moves.js";

/** @typedef {import("../problem/instance.js").Placement} Placement */
/** @typedef {import("../problem/dates.js").Labels} Labels */
/** @typedef {import("../documents/source.js").Source} Source */

/** A game on an instance of a source. */
export class Game extends BoardGame {
  /** @param {Source} source @param {Labels} labels @param {boolean} [flip] @param {string} [name] the instance's name, as `calmip export` would call it */
  constructor(source, labels, flip, name = "") {
    const puzzle = openPuzzle(source);
    super(puzzle.withFlip(flip ?? puzzle.flip), labels, name);
    this.source = source;
    ExactCover.check(this.instance);
    /** What is made when it is first asked for, once for all states. @type {{cover?: ExactCover}} */
    this.made = {};
  }

  /** The exact cover: the board is drawn without it. */
  get cover() {
    this.made.cover ??= new ExactCover(this.instance);
    return this.made.cover;
  }

  /** The options of what lies. */
  get laid() {
    return this.placed.map((one) => this.cover.numberOf(one.piece, one.cells));
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
}
