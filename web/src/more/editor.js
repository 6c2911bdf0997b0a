/** The sheet in which one makes a puzzle: cells, labels and pieces; it becomes the YAML that the command reads. */

import { draftOf, groupsOf, rowsOf, SHAPES, yamlOf } from "../documents/writer.js";
import { openPuzzle, sourceKey } from "../documents/source.js";
import { readPuzzle } from "../documents/yaml.js";
import { anyGame } from "../play/address.js";
import { Piece } from "../problem/board.js";
import { InputError } from "../problem/errors.js";
import { byPlace, keyOf, LATTICES } from "../problem/lattice.js";
import { groupName, language, t } from "../text/text.js";
import { area, drawing } from "../view/board.js";
import { addressFor, codePicture } from "./code.js";
import { button, download, enable, h, redraw, s } from "../view/dom.js";

/** @typedef {import("../problem/lattice.js").Cell} Cell */
/** @typedef {import("../problem/puzzle.js").Puzzle} Puzzle */
/** @typedef {import("../documents/writer.js").Draft} Draft */
/** @typedef {import("../documents/writer.js").DraftPiece} DraftPiece */
/** @typedef {import("../view/app.js").App} App */

/** A board that is drawn here has at most so many rows and columns, unless it was larger before. */
const MOST = 14;

/** Rows and columns of the field in which a piece is drawn. */
const FIELD = [5, 6];

/** An empty board without pieces. @returns {Draft} */
const blank = () => ({
  name: t("ownName"), lattice: "square", groups: [], flip: true, pieces: [], noFlip: [],
  rows: Array.from({ length: 7 }, () => Array.from({ length: 7 }, () => "*")),
});

/** The words of a calendar in the page's language, as labels: without blanks and dots. @type {Record<string, () => string[]>} */
const LABELS = {
  month: () => names(12, (k) => ({ date: Date.UTC(2024, k, 1), form: { month: "short" } })),
  day: () => Array.from({ length: 31 }, (_, k) => String(k + 1)),
  // 1 January 2024 is a Monday.
  weekday: () => names(7, (k) => ({ date: Date.UTC(2024, 0, 1 + k), form: { weekday: "short" } })),
};

/** @param {number} length @param {(k: number) => {date: number, form: Intl.DateTimeFormatOptions}} make */
const names = (length, make) => Array.from({ length }, (_, k) => {
  const { date, form } = make(k);
  return new Intl.DateTimeFormat(language(), { ...form, timeZone: "UTC" }).format(date).replace(/[.\s]/g, "");
});

/** A sheet that is opened by `show`. */
export class Editor {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** What was made, step by step, and which of it is shown. @type {Draft[]} */
    this.history = [];
    this.moment = 0;
    /** @type {Cell} */
    this.cursor = [0, 0];
    /** Whether a click names a cell, instead of putting it on the board or off it. */
    this.naming = false;
    /** The puzzle of one's own that this one comes from. */
    this.old = "";
    this.body = h("div", {});
    this.label = h("input", {
      id: "cell-label", maxlength: 12, autocomplete: "off",
      onchange: () => this.name(this.label.value),
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.key !== "Enter") return;
        event.preventDefault();
        this.name(this.label.value);
        this.next();
      },
    });
    this.place = h("label", { for: "cell-label", "aria-live": "polite" });
    // In a row that stays: one that is made anew would take the field out of the page, and its focus.
    this.labelRow = h("div", { class: "row" }, this.place, this.label);
    this.board = h("div", {
      class: "draft", tabindex: "0", role: "application",
      onclick: (/** @type {MouseEvent} */ { target }) => this.click(/** @type {Element} */ (target)),
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event),
    });
    /** The cells of a piece that is being drawn, and where its cursor is. @type {Map<string, Cell>} */
    this.shape = new Map();
    /** @type {Cell} */
    this.tip = [0, 0];
    this.pen = h("div", {
      class: "draft pen", tabindex: "0", role: "application", "aria-label": `${t("drawPiece")}. ${t("drawKeys")}`,
      onclick: (/** @type {MouseEvent} */ { target }) => {
        const place = /** @type {Element} */ (target).closest("[data-key]")?.getAttribute("data-key");
        if (place) this.ink(/** @type {Cell} */ (place.split(",").map(Number)));
      },
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        const to = moved(event.key, this.tip, FIELD);
        if (to) this.tip = to;
        else if (event.key === " ") this.ink(this.tip);
        else return;
        event.preventDefault();
        this.draw();
      },
    });
    this.addDrawn = button(t("addDrawn"), () => {
      const rows = rowsOf(LATTICES[this.draft.lattice], this.inked);
      this.shape.clear();
      this.add(rows, [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"]);
    });
    // It stays, too, for the same reason.
    this.drawn = h("details", { class: "drawn" }, h("summary", {}, t("drawPiece")), this.pen, this.addDrawn);
    this.code = h("div", {});
    this.palette = h("div", { class: "tray palette", role: "group", "aria-label": t("palette") });
    this.element = h("dialog", { class: "sheet editor", "aria-labelledby": "editor-title" }, this.body);
  }

  /** @returns {Draft} */
  get draft() {
    return this.history[this.moment];
  }

  /** Make a puzzle, or change one. @param {Puzzle} [puzzle] @param {string} [old] the key under which it is stored */
  show(puzzle, old = "") {
    this.old = old;
    // What is new begins with the board on show.
    this.history = [puzzle ? draftOf(puzzle) : { ...draftOf(openPuzzle(this.app.game.source)), name: t("ownName") }];
    this.shape.clear();
    this.moment = 0;
    this.cursor = [0, 0];
    this.naming = false;
    this.draw();
    this.element.showModal();
    this.board.focus();
  }

  /** Change the puzzle; it can be undone. @param {Partial<Draft>} change */
  change(change) {
    this.history = [...this.history.slice(0, this.moment + 1), { ...this.draft, ...change }];
    this.moment += 1;
    this.draw();
  }

  /** @param {number} step */
  step(step) {
    if (!this.history[this.moment + step]) return;
    this.moment += step;
    this.draw();
  }

  /** Put another text on a cell. @param {Cell} cell @param {string} text */
  put([row, column], text) {
    const { rows, groups } = this.draft;
    const before = rows[row][column];
    if (before === text) return;
    // A label that gets another name keeps its place in its group.
    const lone = rows.flat().filter((one) => one === before).length === 1 && !"*.".includes(text);
    this.change({
      rows: rows.map((all, r) => (r === row ? all.map((one, c) => (c === column ? text : one)) : all)),
      groups: lone ? groups.map(([group, labels]) => [group, labels.map((one) => (one === before ? text : one))]) : groups,
    });
  }

  /** Name the cell under the cursor; no name is a blank. @param {string} name */
  name(name) {
    const [row, column] = this.cursor;
    const label = name.replace(/\s+/g, "") || "*";
    if (this.draft.rows[row][column] !== "." || label !== "*") this.put(this.cursor, label);
  }

  /** Go to the next cell on the board. */
  next() {
    const cells = this.cells.filter(([row, column]) => this.draft.rows[row][column] !== ".");
    const at = cells.findIndex((cell) => keyOf(cell) === keyOf(this.cursor));
    this.cursor = cells[(at + 1) % cells.length] ?? this.cursor;
    this.draw();
    this.label.select();
  }

  /** All places of the grid. */
  get cells() {
    return this.draft.rows.flatMap((row, r) => row.map((_, c) => /** @type {Cell} */ ([r, c])));
  }

  /** Put the cell under the cursor on the board, or off it. */
  toggle() {
    const [row, column] = this.cursor;
    this.put(this.cursor, this.draft.rows[row][column] === "." ? "*" : ".");
  }

  /** @param {Element} target */
  click(target) {
    const place = target.closest("[data-key]")?.getAttribute("data-key");
    if (!place) return;
    this.cursor = /** @type {Cell} */ (place.split(",").map(Number));
    if (this.naming) {
      this.draw();
      this.label.focus();
      this.label.select();
    } else this.toggle();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const { rows } = this.draft;
    const to = moved(event.key, this.cursor, [rows.length, rows[0].length]);
    if (to) {
      this.cursor = to;
      this.draw();
    } else if (event.key === " ") this.toggle();
    else if (event.key === "Enter") {
      this.label.focus();
      this.label.select();
    } else if (event.key.toLowerCase() === "z" && (event.ctrlKey || event.metaKey)) this.step(event.shiftKey ? 1 : -1);
    else return;
    event.preventDefault();
  }

  /** Make the grid larger or smaller; what is new is on the board. @param {number} high @param {number} wide */
  resize(high, wide) {
    const { rows } = this.draft;
    const limit = (/** @type {number} */ asked, /** @type {number} */ now) =>
      Number.isSafeInteger(asked) ? Math.max(1, Math.min(Math.max(MOST, now), asked)) : now;
    const [most, across] = [limit(high, rows.length), limit(wide, rows[0].length)];
    this.cursor = [Math.min(this.cursor[0], most - 1), Math.min(this.cursor[1], across - 1)];
    this.change({ rows: Array.from({ length: most }, (_, r) =>
      Array.from({ length: across }, (__, c) => rows[r]?.[c] ?? "*")) });
  }

  /** Write the labels of a calendar into the first blanks. @param {string} group */
  fill(group) {
    const { rows, groups } = this.draft;
    const there = new Set(rows.flat());
    const labels = LABELS[group]();
    const rest = labels.filter((label) => !there.has(label));
    this.change({
      rows: rows.map((row) => row.map((text) => (text === "*" ? rest.shift() ?? text : text))),
      groups: [...groups.filter(([name]) => name !== group), [group, labels]],
    });
  }

  /** Add a shape under the first name that is not used. @param {readonly string[]} rows @param {readonly string[]} names */
  add(rows, names) {
    const { pieces } = this.draft;
    const free = names.find((name) => !pieces.some((one) => one.name === name));
    if (free) this.change({ pieces: [...pieces, { name: free, rows: [...rows], colours: [], rules: {} }], noFlip: [], use: 0 });
  }

  /** The cells of the piece that is being drawn, in order. */
  get inked() {
    return [...this.shape.values()].sort(byPlace);
  }

  /** Put a cell into the piece that is being drawn, or out of it. @param {Cell} cell */
  ink(cell) {
    this.tip = cell;
    if (!this.shape.delete(keyOf(cell))) this.shape.set(keyOf(cell), cell);
    this.draw();
  }

  /** What is wrong with the puzzle, in the words of the command, or nothing. */
  get mistake() {
    try {
      const source = { yaml: yamlOf(this.draft), file: this.file };
      readPuzzle(source.yaml, source.file);
      anyGame(source);
      return "";
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      return error.message;
    }
  }

  get file() {
    return `${this.draft.name.replace(/[^\p{L}\d]+/gu, "-").replace(/^-|-$/g, "").toLowerCase() || "puzzle"}.yaml`;
  }

  /** Play it; it is one's own puzzle from now on. */
  play() {
    const { app, old, file } = this;
    const yaml = yamlOf(this.draft);
    this.element.close();
    app.attempt(() => {
      app.openYaml(yaml, file);
      if (old && old !== sourceKey({ yaml, file })) app.storage.forget(`own.${old}`);
    });
  }

  draw() {
    const { draft, cursor } = this;
    const { rows, pieces } = draft;
    const lattice = LATTICES[draft.lattice];
    const [row, column] = cursor;
    const text = rows[row][column];
    const place = t("place", { row: row + 1, column: column + 1 });
    const spoken = text === "." ? t("offBoard") : text === "*" ? t("blank") : text;
    this.label.value = "*.".includes(text) ? "" : text;
    redraw(this.place, `${place}: ${spoken}`);
    this.board.setAttribute("aria-label", `${t("editBoard")} ${place}: ${spoken}`);
    redraw(this.board, picture(lattice, this.cells, ([r, c]) => rows[r][c], cursor));
    const field = Array.from({ length: FIELD[0] * FIELD[1] }, (_, k) => /** @type {Cell} */ ([Math.floor(k / FIELD[1]), k % FIELD[1]]));
    const sketch = picture(lattice, field, (cell) => (this.shape.has(keyOf(cell)) ? "*" : "."), this.tip);
    sketch.style.width = `min(100%, ${45 * sketch.viewBox.baseVal.width}px)`;
    redraw(this.pen, sketch);
    enable(this.addDrawn, lattice.isConnected(this.inked));
    redraw(this.code);
    if (this.palette.dataset.key !== draft.lattice) {
      this.palette.dataset.key = draft.lattice;
      // In a task of its own: all that is new in the sheet at once would halt the page.
      setTimeout(() => redraw(this.palette, h("span", {}, "+"), ...Object.entries(SHAPES[this.draft.lattice]).map(([name, rows]) =>
        tile(LATTICES[this.draft.lattice], { name, rows }, -1, t("addPiece", { name }), () =>
          this.add(rows, ["", ..."bcdefghijklmnopqrstuvwxyz"].map((letter) => name + letter))))));
    }
    const groups = groupsOf(draft);
    const on = rows.flat().filter((one) => one !== ".").length;
    const covered = pieces.reduce((sum, piece) => sum + piece.rows.join("").replace(/[^#]/g, "").length, 0);
    const { mistake } = this;
    const size = (/** @type {string} */ id, /** @type {string} */ name, /** @type {number} */ value, /** @type {(asked: number) => void} */ set) =>
      h("label", {}, `${name} `, h("input", {
        type: "number", id, min: 1, max: MOST, value,
        onchange: (/** @type {Event} */ { currentTarget }) => set(Number(/** @type {HTMLInputElement} */ (currentTarget).value)),
      }));
    const mode = (/** @type {string} */ name, /** @type {boolean} */ naming) => button(name, () => {
      this.naming = naming;
      this.draw();
    }, { "aria-pressed": String(this.naming === naming), "data-key": String(naming) });
    const { undo, redo } = {
      undo: button(t("undo"), () => this.step(-1)), redo: button(t("redo"), () => this.step(1)),
    };
    enable(undo, this.moment > 0);
    enable(redo, this.moment + 1 < this.history.length);
    /** @type {Record<string, string>} */
    const kinds = {
      square: t("square"), hexagonal: t("hexagonal"), triangular: t("triangular"),
      rhombille: t("rhombille"), cairo: t("cairo"),
    };
    const ready = button(t("playIt"), () => this.play(), { class: "ready" });
    enable(ready, !mistake);
    redraw(this.body,
      h("h2", { id: "editor-title" }, t("makeOwn")),
      h("div", { class: "row" },
        h("label", {}, `${t("ownTitle")} `, h("input", {
          id: "puzzle-name", value: draft.name, maxlength: 80,
          onchange: (/** @type {Event} */ { currentTarget }) =>
            this.change({ name: /** @type {HTMLInputElement} */ (currentTarget).value }),
        })),
        size("draft-rows", t("rowsOf"), rows.length, (asked) => this.resize(asked, rows[0].length)),
        size("draft-columns", t("columnsOf"), rows[0].length, (asked) => this.resize(rows.length, asked)),
        h("label", {}, `${t("lattice")} `, h("select", {
          id: "lattice",
          onchange: (/** @type {Event} */ { currentTarget }) =>
            this.change({ lattice: /** @type {HTMLSelectElement} */ (currentTarget).value, pieces: [], noFlip: [], use: 0 }),
        }, ...Object.keys(LATTICES).map((one) =>
          h("option", { value: one, selected: one === draft.lattice }, kinds[one]))))),
      h("div", { class: "row", role: "group", "aria-label": t("clickDoes") }, mode(t("switchCells"), false), mode(t("writeLabels"), true)),
      this.board,
      this.labelRow,
      h("div", { class: "row" }, ...["month", "day", "weekday"].map((group) =>
        button(t("fill", { group: groupName(group) }), () => this.fill(group), { "data-key": group }))),
      h("h2", {}, t("ownPieces", { n: pieces.length, cells: covered, all: on - groups.length })),
      h("div", { class: "tray chosen" }, ...pieces.map((piece, k) => tile(lattice, piece, k, t("remove", { name: piece.name }), () =>
        this.change({ pieces: pieces.filter((one) => one !== piece), noFlip: [], use: 0 })))),
      this.palette,
      this.drawn,
      h("label", { class: "check" }, h("input", {
        type: "checkbox", id: "draft-flip", checked: draft.flip,
        onchange: (/** @type {Event} */ { currentTarget }) =>
          this.change({ flip: /** @type {HTMLInputElement} */ (currentTarget).checked }),
      }), h("span", {}, t("mayFlip"))),
      h("p", { class: "mistake", role: "status" }, mistake || t("ownReady")),
      h("div", { class: "row" }, ready,
        button(t("saveYaml"), () => download(this.file, yamlOf(this.draft), "application/yaml")),
        button(t("clear"), () => this.change(blank())),
        button(t("qr"), () => redraw(this.code, codePicture(addressFor(`#file=${encodeURIComponent(this.file)}&yaml=${encodeURIComponent(yamlOf(this.draft))}`)))),
        undo, redo, button(t("close"), () => this.element.close())),
      this.code);
  }
}

/** Where an arrow key leads in a grid, or null for another key. @param {string} key @param {Cell} from @param {readonly number[]} size rows and columns @returns {Cell | null} */
function moved(key, [row, column], [rows, columns]) {
  /** @type {Record<string, Cell>} */
  const ways = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  if (!(key in ways)) return null;
  const [down, right] = ways[key];
  return [Math.max(0, Math.min(rows - 1, row + down)), Math.max(0, Math.min(columns - 1, column + right))];
}

/** A grid, with what is not on the board. @param {import("../problem/lattice.js").Lattice} lattice @param {readonly Cell[]} cells @param {(cell: Cell) => string} textOf @param {Cell} cursor */
const picture = (lattice, cells, textOf, cursor) => drawing(lattice, cells, { class: "board-drawing", "aria-hidden": "true" },
  ...cells.map((cell) => {
    const text = textOf(cell);
    const [x, y] = lattice.centre(cell);
    const size = Math.min(0.36, 1.2 / Math.max(1, text.length));
    return s("g", { "data-key": keyOf(cell), class: text === "." ? "off" : "on" },
      area(lattice, [cell], "cell"),
      "*.".includes(text) ? null : s("text", { x, y: y + 0.12, "font-size": size, class: "label" }, text));
  }),
  area(lattice, [cursor], "at"));

/** A shape as a button. @param {import("../problem/lattice.js").Lattice} lattice @param {Pick<DraftPiece, "name" | "rows">} piece @param {number} k its place among the pieces, or -1 @param {string} label @param {() => void} action */
function tile(lattice, { name, rows }, k, label, action) {
  const item = button("", action, { class: "item", "aria-label": label, title: label, "data-key": `${name} ${k < 0}` });
  const { cells } = Piece.fromRows(name, rows, lattice);
  const picture = drawing(lattice, cells, { "aria-hidden": "true" }, area(lattice, cells, `shape p${(k < 0 ? 10 : k) % 16}`));
  const [, , width, height] = (picture.getAttribute("viewBox") ?? "").split(" ").map(Number);
  picture.style.width = `calc(${width} * var(--tray))`;
  picture.style.height = `calc(${height} * var(--tray))`;
  item.append(picture);
  return item;
}
