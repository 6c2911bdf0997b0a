/** A puzzle from its document; errors name the place inside the document. */

import { Board, Piece, lengthOf } from "../problem/board.js";
import { InputError, isPrintable, listed, shown } from "../problem/errors.js";
import { keyOf, LATTICES } from "../problem/lattice.js";
import { groupLabels, Puzzle } from "../problem/puzzle.js";
import data from "../data.json" with { type: "json" };

/** @typedef {import("../problem/lattice.js").Lattice} Lattice */
/** @typedef {string | any[] | Map<string, any>} Node what a document is made of: texts, lists, mappings of nodes */
/** @typedef {Map<string, Node>} Table */
/** @typedef {import("../problem/board.js").Rules} Rules */

const PUZZLE_KEYS = [
  "name", "grid", "uncover", "flip", "pieces", "lattice", "groups",
  "note", "sources", "counts", "id", "no_flip_pieces", "use",
];
const MAX_NAME = 200;
/** Names for pieces that are drawn without one; no shape is called so. */
const UNNAMED = "ABCDEGHJKMOQRS";

const COMMENT =
  "a piece has no shape: a bare '#' begins a YAML comment; quote its rows, as in " +
  "['##', '#.'], or draw them below a '|'";
/** A number of pieces before or behind a shape's name. */
const TIMES = /^\d+\s*[x*\xd7]?\s*|\s*[x*\xd7]\s*\d+$/;

/** @type {Record<string, Record<string, string[]>>} */
const SHAPES = data.shapes;

/** The puzzle of a document; errors say the place, not the file. @param {Table} document @param {string} name */
export function puzzleOf(document, name) {
  for (const key of ["reveal", "placed"]) {
    if (document.has(key)) {
      throw new InputError(
        `'${key}' belongs to an instance and not to a puzzle: put the puzzle's keys under ` +
          `'puzzle:', indented, or into a file that 'puzzle:' names, and write '${key}:' ` +
          "beside 'puzzle:'", [key]);
    }
  }
  for (const key of document.keys()) {
    if (!PUZZLE_KEYS.includes(key)) {
      throw new InputError(`unknown key '${shown(key)}'; the keys are ${listed(PUZZLE_KEYS)}`, [key]);
    }
  }
  const lattice = latticeOf(document);
  for (const key of ["grid", "pieces"]) {
    if (!document.has(key)) throw new InputError(`a puzzle needs the key '${key}'`);
  }
  const rows = textsOf(document, "grid").map((row) => row.split(/\s+/).filter(Boolean));
  const board = new Board(rows, lattice);
  const given = document.get("groups") ?? new Map();
  if (!(given instanceof Map)) {
    throw new InputError(
      "groups is a mapping from a group to its labels, for example {month: [Janv, Fevr]}", ["groups"]);
  }
  const groups = new Map([...given.keys()].map((group) => [group, textsOf(given, group, ["groups"])]));
  const uncover = document.has("uncover") ? textsOf(document, "uncover") : [...groups.keys()];
  const puzzle = new Puzzle({
    name: nameOf(document, "name", name),
    board,
    pieces: piecesOf(document.get("pieces") ?? "", lattice, "pieces"),
    groups: groupLabels(board, uncover, groups),
    noFlipPieces: document.has("no_flip_pieces")
      ? piecesOf(document.get("no_flip_pieces") ?? "", lattice, "no_flip_pieces")
      : [],
    id: nameOf(document, "id", name),
    use: document.has("use") ? useOf(document) : undefined,
  });
  textOf(document, "note", "");
  if (document.has("sources")) textsOf(document, "sources");
  return puzzle.withFlip(flagOf(document, "flip"));
}

/** The puzzle of a document in JSON. @param {object} document @param {string} name */
export const puzzleOfJson = (document, name) => puzzleOf(/** @type {Table} */ (nodeOf(document)), name);

/** JSON as the nodes of a document. @param {unknown} value @returns {Node} */
function nodeOf(value) {
  if (Array.isArray(value)) return value.map(nodeOf);
  if (value !== null && typeof value === "object") {
    return new Map(Object.entries(value).map(([key, inner]) => [key, nodeOf(inner)]));
  }
  return String(value);
}

/** How many pieces are used. @param {Table} document */
function useOf(document) {
  const text = textOf(document, "use", "");
  if (!/^\d{1,10}$/.test(text)) throw new InputError(`use: '${shown(text)}' is not a whole number from 0 on`, ["use"]);
  return Number(text);
}

/** Whether `true` stands at a key, or what holds without it. @param {Table} document @param {string} key */
function flagOf(document, key, otherwise = "true") {
  const text = textOf(document, key, otherwise);
  if (text !== "true" && text !== "false") {
    throw new InputError(`${key} is true or false, not '${shown(text)}'`, [key]);
  }
  return text === "true";
}

/** @param {Table} document */
function latticeOf(document) {
  const name = textOf(document, "lattice", "square");
  if (!Object.hasOwn(LATTICES, name)) {
    throw new InputError(
      `lattice '${shown(name)}' is unknown; use one of ${listed(Object.keys(LATTICES))}`, ["lattice"]);
  }
  return LATTICES[name];
}

/** @param {Node} node @param {Lattice} lattice @param {string} key @returns {Piece[]} */
function piecesOf(node, lattice, key) {
  /** @type {Piece[]} */
  const pieces = [];
  if (typeof node === "string") {
    const names = namesIn(node);
    const known = names.every((name) => Object.hasOwn(SHAPES[lattice.name], name));
    const remedy = known ? `; write ${key}: [${listed(names)}]` : "";
    throw new InputError(`${key} is a list of shapes, or a mapping from names to rows${remedy}`, [key]);
  }
  for (const [place, entry] of node.entries()) {
    try {
      const { shape, colours, rules } = factsOf(entry, key);
      const piece = pieceOf(place, shape, lattice, new Set(pieces.map((one) => one.name)));
      try {
        pieces.push(new Piece(piece.name, piece.cells, lattice, colours, rules));
      } catch (error) {
        if (error instanceof InputError) error.where = ["colour"];
        throw error;
      }
    } catch (error) {
      if (error instanceof InputError) error.where = [key, place, ...error.where];
      throw error;
    }
  }
  return pieces;
}

/** A piece's shape, and its colours and rules where it has some. @param {Node} entry @param {string} under the key of the pieces @returns {{shape: Node, colours: string[], rules: Rules}} */
function factsOf(entry, under) {
  const every = ["shape", "colour", "flip", "rotate", "optional"];
  if (!(entry instanceof Map) || !every.some((key) => entry.has(key))) return { shape: entry, colours: [], rules: {} };
  const keys = under === "pieces" ? every : every.slice(0, 2);
  for (const key of entry.keys()) {
    if (!keys.includes(key)) {
      throw new InputError(`unknown key '${shown(key)}'; the keys are ${listed(keys)}`, [key]);
    }
  }
  if (!entry.has("shape")) {
    throw new InputError(
      `a piece with the key '${[...entry.keys()][0]}' needs the key 'shape' for its name or its rows`);
  }
  const flip = flagOf(entry, "flip");
  const rotate = flagOf(entry, "rotate");
  const optional = flagOf(entry, "optional", "false");
  if (entry.has("flip") && flip && !rotate) {
    throw new InputError(
      "a piece that may not be turned lies as drawn and cannot be turned over; leave out " +
        "flip: true, or rotate: false", ["flip"]);
  }
  /** @type {Rules} */
  const rules = !rotate ? { rotate } : flip ? {} : { flip };
  if (optional) rules.optional = optional;
  return { shape: entry.get("shape"), colours: coloursOf(entry), rules };
}

/** The colours of a piece's front and back, or that of both, or none. @param {Table} entry */
function coloursOf(entry) {
  if (!Array.isArray(entry.get("colour"))) return [textOf(entry, "colour", "")].filter(Boolean);
  const colours = textsOf(entry, "colour");
  if (colours.length !== 2) {
    throw new InputError(
      "colour is one colour, or a list of two, that of the front and that of the back; " +
        `found ${colours.length}`, ["colour"]);
  }
  return colours;
}

/** One piece: named by its key, its shape or a letter. @param {string | number} place @param {Node} entry @param {Lattice} lattice @param {Set<string>} taken */
function pieceOf(place, entry, lattice, taken) {
  const shapes = SHAPES[lattice.name];
  /** @type {Piece} */
  let piece;
  if (typeof entry === "string") {
    if (!entry) throw new InputError(COMMENT);
    if (!Object.hasOwn(shapes, entry)) {
      throw new InputError(
        `shape '${shown(entry)}' is unknown; ${meant(place, entry, shapes)}` +
          "or give rows such as ['##.', '.##']");
    }
    piece = Piece.fromRows(entry, shapes[entry], lattice);
  } else if (Array.isArray(entry) && entry.every((row) => typeof row === "string")) {
    const rows = /** @type {string[]} */ (entry);
    if (rows.includes("")) {
      throw new InputError(
        `row ${rows.indexOf("") + 1} of a piece is empty; quote rows: a bare '#' begins a YAML comment`);
    }
    piece = Piece.fromRows(typeof place === "number" ? `${place + 1}` : place, rows, lattice);
    if (typeof place === "number") piece = new Piece(nameFor(piece, taken), piece.cells, lattice);
  } else {
    throw new InputError("a piece is a shape's name or a list of rows such as ['##.', '.##']");
  }
  if (typeof place === "string") return new Piece(place, piece.cells, lattice);
  const letters = ["", ..."bcdefghijklmnopqrstuvwxyz"].map((letter) => piece.name + letter);
  let name = letters.find((one) => !taken.has(one));
  for (let number = 27; name === undefined; number += 1) {
    if (!taken.has(`${piece.name}x${number}`)) name = `${piece.name}x${number}`;
  }
  return new Piece(name, piece.cells, lattice);
}

/** What an unknown shape was probably meant to be, or else which shapes there are. @param {string | number} place @param {string} text @param {Record<string, string[]>} shapes */
function meant(place, text, shapes) {
  const isShape = (/** @type {string} */ name) => Object.hasOwn(shapes, name);
  const names = namesIn(text);
  if (names.length > 1 && names.every(isShape)) {
    return `put commas between shapes, as in [${names.join(", ")}], `;
  }
  if (/^[#. ]*$/.test(text)) return "draw rows below a '|', ";
  const name = /^\d+$/.test(text) ? String(place) : text.replace(TIMES, "");
  if (name !== text && isShape(name)) {
    return `write ${name} as often as there are such pieces, as in [${name}, ${name}], `;
  }
  const upper = text.toUpperCase();
  const near = isShape(upper) ? upper : upper.replace(/5$/, "");
  const known = `he shapes are ${listed(Object.keys(shapes))}, `;
  return isShape(near) ? `did you mean ${near}? T${known}` : `t${known}`;
}

/** The names in a text that should have been a list of them. @param {string} text */
const namesIn = (text) => text.replace(/^[ ,;]+|[ ,;]+$/g, "").split(/[\s,;]+/);

/** A name for a piece that was drawn without one. @param {Piece} piece @param {Set<string>} taken */
function nameFor(piece, taken) {
  const key = (/** @type {Piece} */ one) => one.orientations(true).map((shape) => shape.map(keyOf)).join(";");
  const turned = key(piece);
  for (const [name, rows] of Object.entries(SHAPES[piece.lattice.name])) {
    if (key(Piece.fromRows(name, rows, piece.lattice)) === turned) return name;
  }
  return [...UNNAMED].find((letter) => !taken.has(letter)) ?? `p${taken.size + 1}`;
}

/** @param {Table} document @param {string} key @param {string} otherwise */
function textOf(document, key, otherwise) {
  const node = document.get(key);
  if (node === undefined) return otherwise;
  if (typeof node !== "string") {
    throw new InputError(`${key} is one text, not a ${node instanceof Map ? "mapping" : "list"}`, [key]);
  }
  return node;
}

/** @param {Table} document @param {string} key @param {string} otherwise */
function nameOf(document, key, otherwise) {
  const name = textOf(document, key, otherwise);
  if (lengthOf(name) > MAX_NAME || !isPrintable(name)) {
    throw new InputError(
      `${key} has up to ${MAX_NAME} printable characters on one line, not '${shown(name)}'`, [key]);
  }
  return name;
}

/** @param {Table} document @param {string} key @param {string[]} [prefix] @returns {string[]} */
function textsOf(document, key, prefix = []) {
  const node = document.get(key) ?? "";
  if (!Array.isArray(node)) {
    const found = node instanceof Map ? "a mapping" : `the text '${shown(node)}'`;
    let remedy = "begin each entry with '- '";
    if (key === "grid") remedy = "write 'grid: |' and the rows below it, indented alike";
    else if (typeof node === "string" && key !== "sources" && node.trim()) {
      remedy = `write ${shown(key)}: [${listed(namesIn(node), 12)}]`;
    }
    throw new InputError(`${shown(key)} is a list of texts, not ${found}; ${remedy}`, [...prefix, key]);
  }
  node.forEach((entry, number) => {
    if (typeof entry !== "string") {
      throw new InputError(`${shown(key)}: entry ${number + 1} is not a text`, [...prefix, key, number]);
    }
  });
  return /** @type {string[]} */ (node);
}
