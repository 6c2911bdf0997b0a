/** The model: the exact cover beside the board, its equations, and its files. */

import { keyOf } from "../problem/lattice.js";
import { iso } from "../problem/dates.js";
import { ExactCover } from "../problem/cover.js";
import { lpText, mpsText } from "../formats/model_files.js";
import { openPuzzle } from "../documents/source.js";
import { t } from "../text/text.js";
import { button, download, h, redraw, s } from "./dom.js";
import { area, BoardView } from "./board.js";
import { rowName } from "../play/words.js";

/** @typedef {import("../play/game.js").Game} Game */
/** @typedef {import("../problem/lattice.js").Cell} Cell */
/** @typedef {import("./app.js").App} App */

/** Pixels from row to row of the matrix. */
const STEP = 3;

/** The equations of an instance. */
export class ModelView {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.element = h("div", { class: "model" });
    this.row = 0;
    this.column = -1;
    /** The row and column that the next frame lights, and whether it is asked for. @type {[number, number] | null} */
    this.next = null;
  }

  /** @param {Game} game */
  open(game) {
    this.game = game;
    this.next = null;
    // What lies on the board is part of what is shown.
    this.cover = new ExactCover(game.instance.withPlaced(game.placed));
    this.rows = this.cover.rows;
    this.row = 0;
    this.column = -1;
    const { items, options } = this.cover;
    this.board = new BoardView(game.puzzle, game.instance.labels, t("modelBoard"));
    this.board.showPieces(game.placed);
    const svg = this.board.element;
    svg.addEventListener("pointermove", (event) => this.overBoard(event));
    svg.addEventListener("pointerdown", (event) => this.overBoard(event));
    this.canvas = h("canvas", {
      class: "matrix", role: "img",
      "aria-label": t("matrix", { rows: items.length, columns: options.length }),
    });
    this.spots = s("svg", { class: "spots", "aria-hidden": "true", preserveAspectRatio: "none" });
    this.canvas.addEventListener("pointermove", (event) => this.overMatrix(event));
    this.canvas.addEventListener("pointerdown", (event) => this.overMatrix(event));
    this.equation = h("div", { class: "equation", tabindex: "0", "data-rest": "", role: "group", "aria-label": t("equation") });
    for (const type of ["pointerover", "focusin", "click"]) this.equation.addEventListener(type, (event) => this.overTerm(event));
    this.meaning = h("p", { class: "quiet" });
    this.choose = h("select", { id: "row", onchange: () => this.light(Number(this.choose?.value), -1) },
      ...items.map((item, k) => h("option", { value: k }, `${item.name}: ${rowName(item)}`)));
    this.element.replaceChildren(
      h("div", { class: "stage" }, svg),
      h("section", { class: "side", "aria-label": t("exactCover") },
        h("h2", {}, t("modelTitle")),
        h("p", {}, t("modelText", { columns: options.length, rows: items.length, n: this.cover.nonzeros }) +
          (items.some((item) => item.demand > 1) ? ` ${t("modelEqual")}` : "")),
        h("label", { class: "row" }, h("span", {}, t("row")), this.choose),
        this.equation, this.meaning, h("div", { class: "matrix-box" }, this.canvas, this.spots),
        this.files()));
    this.light(0, -1);
  }

  files() {
    const { game, app } = this;
    const note = h("p", { class: "quiet" });
    if (!game) return note;
    const stem = game.instance.name.replace(/[^A-Za-z0-9]+/g, "-").replace(/^-|-$/g, "").toLowerCase() || "model";
    const save = (/** @type {"mps" | "lp"} */ kind) => {
      if (!this.cover?.options.length) {
        app.say(t("nothingToWrite"));
        return;
      }
      note.textContent = t("countingForFile");
      app.searcher.start(
        { task: "position", source: game.source, flip: game.flip, labels: game.labels, laid: game.laid },
        (known, done) => {
          if (!done || !this.cover) return;
          const tilings = known?.complete ? known.tilings : null;
          download(`${stem}.${kind}`, (kind === "mps" ? mpsText : lpText)(this.cover, tilings));
          note.textContent = this.command(kind, stem);
        });
    };
    note.textContent = this.command("mps", stem);
    return h("div", {}, h("div", { class: "row" },
      button(t("download", { kind: ".mps" }), () => save("mps")), button(t("download", { kind: ".lp" }), () => save("lp"))), note);
  }

  /** The command that writes the same bytes. @param {string} kind @param {string} stem */
  command(kind, stem) {
    const { game, app } = this;
    if (!game) return "";
    if (game.placed.length) return t("placedInModel");
    const { source } = game;
    const what = "id" in source ? source.id : source.file;
    const reveal = Object.entries(game.labels).map(([group, label]) => `${group}=${label}`).join(",");
    const when = app.date ? ` --date ${iso(app.date)}` : reveal ? ` --reveal ${reveal}` : "";
    const flip = game.flip === openPuzzle(source).flip ? "" : game.flip ? " --flip" : " --no-flip";
    return t("sameBytes", { command: `calmip export ${what}${when}${flip} -o ${stem}.${kind}` });
  }

  /** Show a row's equation and a column's placement. @param {number} row @param {number} column -1 for none */
  light(row, column) {
    const { cover, rows, board, game, equation, meaning } = this;
    if (!cover || !rows || !board || !game || !equation || !meaning) return;
    this.row = row;
    this.column = column;
    const item = cover.items[row];
    const cells = item.kind === "cell" ? [game.instance.toCover[row]] : [];
    const option = column >= 0 ? cover.options[column] : null;
    board.show("lit", [
      ...(option ? [area(game.lattice, option.cells, "lit-piece")] : []),
      ...cells.map((cell) => area(game.lattice, [cell], "lit-cell")),
    ]);
    if (this.choose) this.choose.value = String(row);
    const of = `${row} ${game.instance.name} ${game.placed.length}`;
    if (equation.dataset.of !== of) {
      equation.dataset.of = of;
      const terms = [`${item.name}: `, ...rows[row].flatMap((number, k) => [
        k ? " + " : "",
        h("button", { type: "button", "data-column": number }, cover.options[number].name),
      ]), ` = ${item.demand}`];
      // Hundreds of terms: only a focus among them is worth the time to keep them.
      if (equation.contains(document.activeElement)) redraw(equation, ...terms);
      else equation.replaceChildren(...terms);
    }
    equation.querySelector(".on")?.classList.remove("on");
    equation.querySelector(`[data-column="${column}"]`)?.classList.add("on");
    meaning.textContent = option
      ? t("columnMeans", {
        name: option.name, piece: option.piece, n: option.items.length,
        cells: option.cells.map((cell) => game.puzzle.board.label(cell)).join(" "),
      })
      : t("rowMeans", { row: rowName(item), n: rows[row].length });
    this.drawMatrix();
  }

  /** Draw the matrix when it is another one, and what is lit above it: that costs no picture. */
  drawMatrix() {
    const { canvas, cover } = this;
    const pen = canvas?.getContext("2d");
    if (!canvas || !cover || !pen) return;
    const ink = getComputedStyle(document.documentElement).getPropertyValue("--quiet");
    const { items, options } = cover;
    if (canvas.dataset.ink !== ink) {
      canvas.dataset.ink = ink;
      canvas.width = options.length;
      canvas.height = items.length * STEP;
      pen.fillStyle = ink;
      options.forEach((option, column) => {
        for (const row of option.items) pen.fillRect(column, row * STEP, 1, STEP - 1);
      });
    }
    const { row, column } = this;
    this.spots?.setAttribute("viewBox", `0 0 ${Math.max(1, options.length)} ${items.length}`);
    this.spots?.replaceChildren(
      s("rect", { x: 0, y: row, width: options.length, height: 1, opacity: 0.35 }),
      ...(column < 0 ? [] : options[column].items.map((y) => s("rect", { x: column - 1, y, width: 3, height: 1 }))));
  }

  /** @param {PointerEvent} event */
  overMatrix(event) {
    const { canvas, cover } = this;
    if (!canvas || !cover) return;
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const column = Math.floor(((event.clientX - left) / width) * cover.options.length);
    const row = Math.floor(((event.clientY - top) / height) * cover.items.length);
    if (!cover.options[column] || !cover.items[row]) return;
    this.soon(row, column);
  }

  /** Light a row and a column in the next frame: a pointer is quicker than a slow device. @param {number} row @param {number} column */
  soon(row, column) {
    const asked = this.next !== null;
    this.next = [row, column];
    if (asked) return;
    requestAnimationFrame(() => {
      const next = this.next;
      this.next = null;
      if (next && this.element.isConnected) this.light(...next);
    });
  }

  /** @param {Event} event */
  overTerm({ target }) {
    const column = target instanceof Element && target.closest("[data-column]")?.getAttribute("data-column");
    if (column && Number(column) !== this.column) this.light(this.row, Number(column));
  }

  /** @param {PointerEvent} event */
  overBoard(event) {
    const { board, cover } = this;
    const cell = board?.cellAt(board.pointAt(event));
    const row = cell ? cover?.position.get(keyOf(cell)) : undefined;
    if (row !== undefined && row !== this.row) this.soon(row, -1);
  }
}
