/** Puzzles: a board, pieces and reveal groups, checked when they are made. */

import { InputError, isPrintable, listed, shown } from "./errors.js";
import { GROUPS, usualGroups } from "./dates.js";
import { lengthOf, Piece } from "./board.js";
import { keyOf } from "./lattice.js";

/** @typedef {import("./board.js").Board} Board */
/** @typedef {import("./dates.js").Groups} Groups */

const MAX_PIECES = 500;
const MAX_GROUP = 60;

/** The orientations of a piece as a key: pieces with the same key are equal. @param {Piece} piece @param {boolean} flip */
const classKey = (piece, flip) =>
  piece.orientations(flip).map((shape) => shape.map(keyOf).join(" ")).join(";");

/** The number of cells that pieces cover together. @param {readonly Piece[]} pieces */
const areaOf = (pieces) => pieces.reduce((sum, piece) => sum + piece.cells.length, 0);

/** A board, pieces, and the reveal groups: what one buys in a box. */
export class Puzzle {
  /** The pieces, equal ones together, as soon as they were asked for. @type {Piece[][] | null} */
  #classes = null;

  /**
   * @param {{name: string, id: string, board: Board, pieces: Piece[], groups: Groups,
   *   flip?: boolean, noFlipPieces?: Piece[], use?: number}} parts `use` is the number of pieces of a
   *   tiling, where it is given: if no piece may be left out, all may then
   */
  constructor({ name, id, board, pieces, groups, flip = true, noFlipPieces = [], use }) {
    this.name = name;
    this.id = id;
    this.board = board;
    const isSpare = use !== undefined && !pieces.some((piece) => piece.rules.optional);
    this.pieces = isSpare ? pieces.map((one) =>
      new Piece(one.name, one.cells, one.lattice, one.colours, { ...one.rules, optional: true })) : pieces;
    this.use = use;
    /** The pieces that may be left out. */
    this.optional = this.pieces.filter((piece) => piece.rules.optional);
    /** The pieces that every tiling uses. */
    this.needed = this.pieces.filter((piece) => !piece.rules.optional);
    this.flip = flip;
    this.noFlipPieces = noFlipPieces;
    /** @type {Groups} */
    this.groups = new Map(
      [...groups].map(([group, labels]) => [group, labels.map((label) => label.normalize("NFC"))]),
    );
    this.checkPieces();
    this.checkUse();
    this.checkNoFlipPieces();
    this.checkGroups();
    /** The areas that a choice of the pieces covers, each with the numbers of its pieces as bits. @type {Map<number, bigint>} */
    this.areas = new Map([[areaOf(this.needed), 1n << BigInt(this.needed.length)]]);
    for (const piece of this.optional) {
      for (const [before, numbers] of [...this.areas].sort((a, b) => b[0] - a[0])) {
        const after = before + piece.cells.length;
        if (after <= board.cells.length) this.areas.set(after, (this.areas.get(after) ?? 0n) | (numbers << 1n));
      }
    }
  }

  /** The pieces, equal ones together, in order of first appearance; those that may be left out come last. @returns {Piece[][]} */
  get pieceClasses() {
    this.#classes ??= this.#classified();
    return this.#classes;
  }

  #classified() {
    /** @type {Map<string, Piece[]>} */
    const classes = new Map();
    for (const piece of this.pieces) {
      const key = classKey(piece, this.flip);
      classes.set(key, [...(classes.get(key) ?? []), piece]);
    }
    return [...classes.values()].map((pieces) =>
      pieces.sort((a, b) => Number(a.rules.optional ?? false) - Number(b.rules.optional ?? false)));
  }

  /** Clauses on the pieces that may not be turned as the others may, or may be left out. @returns {string[]} */
  get pieceRules() {
    const { optional, needed, pieces, use } = this;
    const over = this.pieces.filter(({ rules }) => this.flip && "flip" in rules);
    const fixed = this.pieces.filter(({ rules }) => "rotate" in rules);
    return [
      ...[{ some: over, what: "not be turned over" }, { some: fixed, what: "not be turned at all" },
        { some: needed.length ? optional : [], what: "be left out" }]
        .filter(({ some }) => some.length)
        .map(({ some, what }) => `${listed(some.map(({ name }) => name))} may ${what}`),
      ...(use || !needed.length ? [`any ${use ? `${use} ` : ""}of the ${pieces.length} pieces are used`] : []),
    ];
  }

  /** The puzzle with turning over allowed or forbidden. @param {boolean} flip */
  withFlip(flip) {
    if (flip === this.flip) return this;
    const own = new Map(this.pieces.map((piece) => [piece.name, piece]));
    const pieces = (this.noFlipPieces.length && !flip ? this.noFlipPieces : this.pieces).map((one) => {
      const { colours = [], rules } = own.get(one.name) ?? {};
      // What shows the other side always has its colour.
      const shown = own.get(one.name)?.isOver(one.cells) ? [...colours].reverse() : colours;
      return new Piece(one.name, one.cells, one.lattice, one.colours.length ? one.colours : shown, rules);
    });
    return new Puzzle({ ...this, flip, pieces });
  }

  checkPieces() {
    if (!this.pieces.length) throw new InputError("a puzzle needs at least one piece", ["pieces"]);
    if (this.pieces.length > MAX_PIECES) {
      throw new InputError(`${this.pieces.length} pieces; at most ${MAX_PIECES}`, ["pieces"]);
    }
    const seen = new Set();
    let covered = 0;
    this.pieces.forEach((piece, number) => {
      const where = ["pieces", number];
      if (seen.has(piece.name)) throw new InputError(`two pieces are called ${piece.name}`, where);
      seen.add(piece.name);
      if (!this.fits(piece)) {
        throw new InputError(
          `piece ${piece.name} (${piece.cells.length} cells) fits nowhere on the board`, where);
      }
      if (!piece.rules.optional) covered += piece.cells.length;
      if (covered > this.board.cells.length) {
        const { cells, labels } = this.board;
        const sizes = [...this.groups.values()].filter((group) => group.length).map((group) =>
          Math.min(...group.map((label) => labels.get(label)?.length ?? 0)));
        const left = cells.length - sizes.reduce((sum, size) => sum + size, 0);
        throw new InputError(
          `the pieces${this.optional.length ? " that are not optional" : ""} cover ${areaOf(this.needed)} cells, ` +
            `and the board has only ${cells.length}${this.areaRemedy(left)}`,
          where);
      }
    });
  }

  /** Refuse a number of pieces that is not possible, or that leaves none out. */
  checkUse() {
    const { use, pieces: { length: most }, needed: { length: least } } = this;
    if (use === undefined || (use >= Math.max(1, least) && use < most)) return;
    throw new InputError(
      `use is ${use}, and the puzzle has ${most} pieces${least ? `, and ${least} of them are not optional` : ""}` +
        (use === most || most < 2 ? "; leave out the key 'use'" : `; write a number from ${Math.max(1, least)} to ${most - 1}`), ["use"]);
  }

  /** Which piece is one too many, or how many cells have none, for a message. @param {number} left */
  areaRemedy(left) {
    if (this.optional.length) return "";
    const over = areaOf(this.pieces) - left;
    if (over < 0) return `; ${-over} cell${over < -1 ? "s have" : " has"} no piece`;
    const spare = this.pieces.filter((piece) => piece.cells.length === over).map((piece) => piece.name);
    return spare.length ? `; leave out ${spare.length > 1 ? "one of " : ""}${listed(spare)}` : "";
  }

  checkGroups() {
    const { labels: known } = this.board;
    /** @type {Map<string, string>} */
    const owner = new Map();
    for (const [group, labels] of this.groups) {
      const where = ["groups", group];
      if (!group.length || lengthOf(group) > MAX_GROUP || !isPrintable(group)) {
        throw new InputError(
          `a group's name has 1 to ${MAX_GROUP} printable characters, not '${shown(group)}'`, where);
      }
      if (!labels.length) throw new InputError(`group ${group} has no label`, where);
      for (const label of labels) {
        if (!known.has(label)) {
          throw new InputError(
            `group ${group} names ${shown(label)}, which is not on the board; ` +
              `its labels are ${listed([...known.keys()])}`, where);
        }
        const other = owner.get(label);
        if (other !== undefined) {
          throw new InputError(
            `label ${label} is in group ${other} already and cannot be in group ${group}`, where);
        }
        owner.set(label, group);
      }
    }
  }

  checkNoFlipPieces() {
    if (!this.noFlipPieces.length) return;
    const own = new Map(this.pieces.map((piece) => [piece.name, piece]));
    const seen = new Set();
    this.noFlipPieces.forEach((piece, number) => {
      const where = ["no_flip_pieces", number];
      const under = own.get(piece.name);
      if (seen.has(piece.name) || !under) {
        const known = seen.has(piece.name) ? "twice" : "which is not among the pieces";
        throw new InputError(`no_flip_pieces has a piece ${piece.name}, ${known}`, where);
      }
      seen.add(piece.name);
      const shape = piece.cells.map(keyOf).join(" ");
      if (!under.orientations(true).some((way) => way.map(keyOf).join(" ") === shape)) {
        const fault = Object.keys(under.rules).length
          ? "lies otherwise than under pieces, where a rule forbids that"
          : `is neither the piece ${piece.name} nor its mirror image`;
        throw new InputError(`no_flip_pieces: piece ${piece.name} ${fault}`, where);
      }
    });
    const missing = this.pieces.filter((piece) => !seen.has(piece.name)).map((piece) => piece.name);
    if (missing.length) {
      throw new InputError(
        `no_flip_pieces lacks ${listed(missing)}; it has all pieces or none`, ["no_flip_pieces"]);
    }
  }

  /** @param {Piece} piece */
  fits(piece) {
    return piece.orientations(this.flip).some((shape) =>
      this.board.cells.some(([r, c]) =>
        shape.every(([down, right]) => this.board.has([r + down, c + right]))));
  }
}

/**
 * The labels of each group to uncover: as given, or else by their usual names.
 * @param {Board} board @param {readonly string[]} uncover @param {Groups} given @returns {Groups}
 */
export function groupLabels(board, uncover, given = new Map()) {
  /** @type {Groups} */
  const groups = new Map();
  const usual = usualGroups([...new Set(uncover)].filter((group) => !given.has(group)), [...board.labels.keys()]);
  uncover.forEach((group, number) => {
    if (groups.has(group)) {
      throw new InputError(`group ${shown(group)} is listed twice`, ["uncover", number]);
    }
    const labels = given.get(group) ?? usual.get(group) ?? [];
    if (!labels.length) {
      const names = group.split(/[\s,;]+/);
      const known = names.length > 1 && names.every((name) => GROUPS.includes(name))
        ? `; put commas between the groups, as in [${names.join(", ")}]`
        : ` (known by their usual names: ${listed(GROUPS)})`;
      throw new InputError(
        `no label on the board is a ${shown(group)}${known}; ` +
          `name them with groups: {${shown(group)}: [LABEL, ...]}`, ["uncover", number]);
    }
    groups.set(group, labels);
  });
  for (const group of given.keys()) {
    if (!groups.has(group)) {
      throw new InputError(
        `groups names ${shown(group)}, but uncover lists only ${listed([...groups.keys()])}`,
        ["groups", group]);
    }
  }
  const owned = new Set([...groups.values()].flat().map((label) => label.normalize("NFC")));
  const left = [...board.labels.keys()].filter((label) => !owned.has(label));
  if (usual.size && left.length && [...owned].every((label) => board.labels.has(label))) {
    const many = left.length > 1;
    if (left.every((label) => ",;|".includes(label.slice(-1)))) {
      throw new InputError(
        `${listed(left, 12)}: the places of a row are separated by blanks alone`, ["grid"]);
    }
    throw new InputError(
      `${listed(left, 12)} ${many ? "are" : "is"} in no group by name, so that no ` +
        `date uncovers ${many ? "them" : "it"}; write the labels of a group in calendar ` +
        `order, as in groups: {${shown([...usual.keys()][0])}: [LABEL, ...]}, or * in the grid ` +
        "for a cell that is always covered",
      ["uncover"]);
  }
  return groups;
}
