/** Pieces and boards, checked when they are made. */

import { InputError, isPrintable, listed, shown } from "./errors.js";
import { keyOf } from "./lattice.js";
import data from "../data.json" with { type: "json" };

/** @typedef {import("./lattice.js").Cell} Cell */
/** @typedef {import("./lattice.js").Shape} Shape */
/** @typedef {import("./lattice.js").Lattice} Lattice */

/** @typedef {{flip?: boolean, rotate?: boolean, optional?: boolean}} Rules of a piece that may not be turned over or not be turned at all, or that may be left out */

/** A place in the grid that is not on the board. */
const HOLE = ".";
/** A cell without a label: on the board, always to be covered. */
export const BLANK = "*";

const MAX_CELLS = 10_000;
const MAX_PIECE_CELLS = 100;
const MAX_TEXT = 60;

/** The number of characters of a text, as Python counts them. @param {string} text */
export const lengthOf = (text) => [...text].length;

/** @param {string} text */
const isName = (text) => text.length >= 1 && lengthOf(text) <= MAX_TEXT && isPrintable(text);

/** A character in Python's quotes. @param {string} mark */
const quoted = (mark) => (mark === "'" ? `"'"` : mark === "\\" ? "'\\\\'" : `'${shown(mark)}'`);

/** A colour as `#rrggbb`: given so, as `#rgb`, or by a name. @param {string} text */
function colourOf(text) {
  const given = text.trim().toLowerCase();
  const named = Object.entries(data.colours).find(([name]) => name === given);
  if (named) return named[1];
  if (/^#[0-9a-f]{3}$/.test(given)) return `#${[...given.slice(1)].map((digit) => digit + digit).join("")}`;
  if (/^#[0-9a-f]{6}$/.test(given)) return given;
  throw new InputError(
    `'${shown(text)}' is not a colour; write it as "#1e90ff", in quotes, or use one of ` +
      listed(Object.keys(data.colours)));
}

/** A named polyomino or polyhex. */
export class Piece {
  /**
   * @param {string} name @param {readonly Cell[]} cells @param {Lattice} lattice
   * @param {readonly string[]} [colours] of the front, and of the back where it is another: names or `#rrggbb`; the drawing chooses unless given
   * @param {Rules} [rules] its keys in a file that are not as they are by default
   */
  constructor(name, cells, lattice, colours = [], rules = {}) {
    this.name = name;
    this.rules = rules;
    this.colours = colours.map((colour) => colour && colourOf(colour));
    this.lattice = lattice;
    /** @type {Shape} */
    this.cells = lattice.normalised(cells);
    if (!isName(name)) {
      throw new InputError(
        `a piece's name has 1 to ${MAX_TEXT} printable characters, not '${shown(name)}'`,
      );
    }
    const size = this.cells.length;
    if (!size) throw new InputError(`piece ${name} is empty; mark its cells with '#'`);
    if (size > MAX_PIECE_CELLS) {
      throw new InputError(`piece ${name} has ${size} cells; at most ${MAX_PIECE_CELLS}`);
    }
    if (!lattice.isConnected(this.cells)) {
      throw new InputError(`piece ${name} is not connected; its ${size} cells must touch`);
    }
  }

  /** The piece that rows of `#` and `.` or blank draw. @param {string} name @param {readonly string[]} rows @param {Lattice} lattice */
  static fromRows(name, rows, lattice) {
    if (rows.length > MAX_PIECE_CELLS || rows.some((row) => lengthOf(row) > MAX_PIECE_CELLS)) {
      throw new InputError(
        `piece ${shown(name)} is drawn on more than ${MAX_PIECE_CELLS} rows or columns`,
      );
    }
    /** @type {Cell[]} */
    const cells = [];
    rows.forEach((row, r) => {
      const odd = [...new Set(row)].filter((mark) => !"#. ".includes(mark)).sort();
      if (odd.length) {
        throw new InputError(
          `piece ${shown(name)}, row ${r + 1}: found ${quoted(odd[0])}; ` +
            "a row is drawn with '#' and '.'",
        );
      }
      [...row].forEach((mark, c) => mark === "#" && cells.push([r, c]));
    });
    return new Piece(name, cells, lattice);
  }

  /** The colour of the side that is up on some cells: of the back only where they are the mirror image alone. @param {readonly Cell[]} [cells] */
  colourOn(cells = this.cells) {
    const [front = "", back] = this.colours;
    return back && this.isOver(cells) ? back : front;
  }

  /** Whether the back is up on some cells. @param {readonly Cell[]} cells */
  isOver(cells) {
    const shape = this.lattice.normalised(cells).map(keyOf).join(" ");
    return !this.lattice.orientations(this.cells, false).some((way) => way.map(keyOf).join(" ") === shape);
  }

  /** The distinct orientations, each anchored at its first cell. @param {boolean} flip */
  orientations(flip) {
    return "rotate" in this.rules ? [this.cells] : this.lattice.orientations(this.cells, flip && !("flip" in this.rules));
  }
}

/** The cells of a puzzle and their labels. */
export class Board {
  /** @param {readonly (readonly string[])[]} rows @param {Lattice} lattice */
  constructor(rows, lattice) {
    this.lattice = lattice;
    this.rows = rows.map((row) => row.map((text) => text.normalize("NFC")));
    this.checkGrid();
    /** The cells on the board, in row-major order. @type {Cell[]} */
    this.cells = this.rows.flatMap((row, r) =>
      row.flatMap((text, c) => (text === HOLE ? [] : [/** @type {Cell} */ ([r, c])])),
    );
    if (!this.cells.length) throw new InputError("the grid has no cell on the board", ["grid"]);
    this.keys = new Set(this.cells.map(keyOf));
    /** The cells of every label. @type {Map<string, Cell[]>} */
    this.labels = new Map();
    for (const cell of this.cells) {
      const label = this.label(cell);
      if (label !== BLANK) this.labels.set(label, [...(this.labels.get(label) ?? []), cell]);
    }
    for (const [label, cells] of this.labels) {
      if (!lattice.isConnected(cells)) {
        throw new InputError(
          `label ${label} stands in ${cells.length} cells that do not touch: ` +
            `${listed(cells)}; only a label over touching cells may repeat`,
          ["grid", cells[1][0]],
        );
      }
    }
  }

  checkGrid() {
    const places = this.rows.reduce((sum, row) => sum + row.length, 0);
    if (places > MAX_CELLS) {
      throw new InputError(`the grid has ${places} places; at most ${MAX_CELLS}`, ["grid"]);
    }
    this.rows.forEach((row, number) => {
      if (row.length !== this.rows[0].length) {
        throw new InputError(
          `grid row ${number + 1} has ${row.length} places and the first row has ` +
            `${this.rows[0].length}; write '.' where the board has a hole`,
          ["grid", number],
        );
      }
      for (const text of row) {
        if (!isName(text) || text.includes(" ")) {
          throw new InputError(
            `grid row ${number + 1}: a label has 1 to ${MAX_TEXT} printable ` +
              `characters and no blanks, not '${shown(text)}'`,
            ["grid", number],
          );
        }
      }
    });
  }

  /** The text at a cell: its label, or `*`. @param {Cell} cell */
  label([row, column]) {
    return this.rows[row][column];
  }

  /** Whether a cell is on the board. @param {Cell} cell */
  has(cell) {
    return this.keys.has(keyOf(cell));
  }

  /** The numbers of rows and columns of the grid. @returns {[number, number]} */
  get shape() {
    return [this.rows.length, this.rows[0].length];
  }
}
