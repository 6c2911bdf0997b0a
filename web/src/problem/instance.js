/** Instances: a puzzle, the labels to leave uncovered, and the pieces that lie on the board. */

import { InputError, listed, shown } from "./errors.js";
import { byPlace, keyOf } from "./lattice.js";

/** @typedef {import("./lattice.js").Cell} Cell */
/** @typedef {import("./puzzle.js").Puzzle} Puzzle */
/** @typedef {import("./dates.js").Labels} Labels */
/** @typedef {{piece: string, cells: Cell[]}} Placement one piece on one set of cells, sorted */

/** The word that leaves a reveal group's label to the model. */
const FREE = "free";

/** A puzzle and the labels to leave uncovered: what is solved. */
export class Instance {
  /**
   * @param {Puzzle} puzzle @param {readonly string[]} labels
   * @param {readonly string[]} [free] @param {string} [name] @param {readonly Placement[]} [placed]
   */
  constructor(puzzle, labels, free = [], name = "", placed = []) {
    this.puzzle = puzzle;
    this.labels = labels.map((label) => label.normalize("NFC"));
    this.free = [...free];
    this.name = name;
    this.checkLabels();
    const bare = new Set(
      this.labels.flatMap((label) => (puzzle.board.labels.get(label) ?? []).map(keyOf)));
    /** The cells to cover, in row-major order; cells of free groups are among them. */
    this.toCover = puzzle.board.cells.filter((cell) => !bare.has(keyOf(cell)));
    this.open = new Set(this.toCover.map(keyOf));
    /** @type {Placement[]} */
    this.placed = placed.map((one) => ({ piece: one.piece, cells: [...one.cells].sort(byPlace) }));
    this.checkPlaced();
  }

  /** The instance with other pieces on its board. @param {readonly Placement[]} placed */
  withPlaced(placed) {
    return new Instance(this.puzzle, this.labels, this.free, this.name, placed);
  }

  checkLabels() {
    const { puzzle } = this;
    const known = puzzle.board.labels;
    const seen = new Set();
    this.labels.forEach((label, number) => {
      if (!known.has(label)) {
        throw new InputError(
          `'${shown(label)}' is not a label of ${puzzle.name}; its labels are ` +
            listed([...known.keys()]), ["reveal", number]);
      }
      if (seen.has(label)) throw new InputError(`label ${label} is revealed twice`, ["reveal", number]);
      seen.add(label);
    });
    const sizeOf = (/** @type {string} */ label) => (known.get(label) ?? []).length;
    const fixed = puzzle.board.cells.length - this.labels.reduce((sum, label) => sum + sizeOf(label), 0);
    let sizes = new Set([fixed]);
    for (const group of this.free) {
      const freed = new Set((puzzle.groups.get(group) ?? []).map(sizeOf));
      sizes = new Set([...sizes].flatMap((size) => [...freed].map((more) => size - more)));
    }
    const { areas, optional } = puzzle;
    if ([...sizes].some((size) => areas.has(size))) {
      this.checkUse([...sizes].sort((a, b) => a - b));
      return;
    }
    const left = [...sizes].sort((a, b) => a - b).join(" or ");
    const missing = [...puzzle.groups]
      .filter(([group, labels]) => !this.free.includes(group) && !labels.some((label) => seen.has(label)))
      .map(([group]) => group);
    let hint = missing.length ? `; no ${missing.join(" and no ")} is revealed` : "";
    if (!hint && sizes.size === 1) hint = puzzle.areaRemedy([...sizes][0]);
    const farFrom = (/** @type {number} */ area) => Math.min(...[...sizes].map((size) => Math.abs(area - size)));
    const near = [...areas.keys()].sort((a, b) => farFrom(a) - farFrom(b)).slice(0, 2).sort((a, b) => a - b);
    throw new InputError(
      `${optional.length ? "with some left out, " : ""}the pieces cover ${near.join(" or ")} cells, ` +
        `but ${left} cells are to be covered${hint}`, ["reveal"]);
  }

  /** Refuse a number of pieces that never have the area. @param {number[]} sizes numbers of cells to cover */
  checkUse(sizes) {
    const { puzzle, puzzle: { use } } = this;
    const every = [...puzzle.pieces, 0].map((_, n) => n);
    const numbers = every.filter((n) => sizes.some((size) => ((puzzle.areas.get(size) ?? 0n) >> BigInt(n)) & 1n));
    if (use !== undefined && !numbers.includes(use)) {
      const found = numbers.join(" or ");
      throw new InputError(
        `use is ${use}, but by their sizes ${found} pieces cover ${sizes.join(" or ")} cells; write ` +
          `${numbers.length > 1 ? "one of these numbers" : `use: ${found}`}, or leave out ` +
          "the key 'use' and write optional: true for each piece that may be left out", ["use"]);
    }
    /** How many pieces a tiling uses, where that is to be stated: their sizes do not imply it. */
    this.use = numbers.length > 1 ? use : undefined;
  }

  checkPlaced() {
    const { board, pieces, flip, name: title } = this.puzzle;
    /** @type {Map<string, string>} */
    const owner = new Map();
    this.placed.forEach(({ piece: name, cells }, number) => {
      const fault = (/** @type {string} */ message) => new InputError(message, ["placed", number]);
      const piece = pieces.find((one) => one.name === name);
      if (!piece) {
        throw fault(`'${shown(name)}' is not a piece of ${title}; ` +
          `its pieces are ${listed(pieces.map((one) => one.name))}`);
      }
      if (this.placed.slice(0, number).some((one) => one.piece === name)) {
        throw fault(`piece ${name} is placed twice`);
      }
      for (const cell of cells) {
        const text = `(${cell.join(", ")})`;
        if (!board.has(cell)) throw fault(`piece ${name} is placed on ${text}, which is off the board`);
        const place = `${board.label(cell)} ${text}`;
        if (!this.open.has(keyOf(cell))) {
          throw fault(`piece ${name} is placed on ${place}, which is to stay uncovered`);
        }
        const other = owner.get(keyOf(cell));
        if (other !== undefined) throw fault(`pieces ${other} and ${name} are both placed on ${place}`);
      }
      const shape = board.lattice.normalised(cells).map(keyOf).join(" ");
      const isWay = (/** @type {boolean} */ over) =>
        piece.orientations(over).some((way) => way.map(keyOf).join(" ") === shape);
      if (!isWay(flip)) {
        const turned = board.lattice.orientations(piece.cells, true)
          .some((way) => way.map(keyOf).join(" ") === shape);
        throw fault(`the cells ${listed(cells)} do not have the shape of piece ${name}` +
          (turned ? ` unless it is turned${"rotate" in piece.rules ? "" : " over"}, which is forbidden here` : ""));
      }
      for (const cell of cells) owner.set(keyOf(cell), name);
    });
  }

  /** The instance that reveals one label of each group; `free` leaves it to the model. @param {Puzzle} puzzle @param {Labels} labels @param {string} [name] */
  static reveal(puzzle, labels, name = "") {
    /** @type {string[]} */
    const chosen = [];
    /** @type {string[]} */
    const free = [];
    for (const group of Object.keys(labels)) {
      if (!puzzle.groups.has(group)) {
        throw new InputError(
          `${puzzle.name} has no group '${shown(group)}'; its groups are ${listed([...puzzle.groups.keys()])}`,
          ["reveal", group]);
      }
    }
    for (const [group, allowed] of puzzle.groups) {
      if (!(group in labels)) {
        throw new InputError(
          `no ${group} is revealed; give one of ${listed(allowed)}, or '${FREE}' to let the model choose`,
          ["reveal"]);
      }
      const label = labels[group].normalize("NFC");
      if (allowed.includes(label)) chosen.push(label);
      else if (label === FREE) free.push(group);
      else {
        throw new InputError(
          `'${shown(label)}' is not a ${group} of ${puzzle.name}; use one of ${listed(allowed)}`,
          ["reveal", group]);
      }
    }
    return new Instance(puzzle, chosen, free, name);
  }
}
