/** The model: the exact cover beside the board, its equations, and its files. */

import { keyOf } from "../problem/lattice.js";
import { iso } from "../problem/dates.js";
import { ExactCover } from "../problem/cover.js";
import { lpText, mpsText } from "../formats/model_files.js";
import { openPuzzle } from "../documents/source.js";
import { button, counted, download, h } from "./dom.js";
import { area, BoardView } from "./board.js";

/** @typedef {import("../play/game.js").Game} Game */
/** @typedef {import("../problem/lattice.js").Cell} Cell */
/** @typedef {import("./app.js").App} App */

/** The equations of an instance. */
export class ModelView {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.element = h("div", { class: "model" });
    this.row = 0;
    this.column = -1;
  }

  /** @param {Game} game */
  open(game) {
    this.game = game;
    // What lies on the board is part of what is shown.
    this.cover = new ExactCover(game.instance.withPlaced(game.placed));
    this.rows = this.cover.rows;
    this.row = 0;
    this.column = -1;
    const { items, options } = this.cover;
    this.board = new BoardView(game.puzzle, game.instance.labels, "The board; a cell's equation is shown beside it");
    this.board.showPieces(game.placed);
    const svg = this.board.element;
    svg.addEventListener("pointermove", (event) => this.overBoard(event));
    svg.addEventListener("pointerdown", (event) => this.overBoard(event));
    this.canvas = h("canvas", {
      class: "matrix", role: "img",
      "aria-label": `The matrix: ${counted(items.length, "row")}, ${counted(options.length, "column")}`,
    });
    this.canvas.addEventListener("pointermove", (event) => this.overMatrix(event));
    this.canvas.addEventListener("pointerdown", (event) => this.overMatrix(event));
    this.equation = h("div", { class: "equation", tabindex: "0", role: "group", "aria-label": "The equation" });
    this.meaning = h("p", { class: "quiet" });
    this.choose = h("select", { id: "row", onchange: () => this.light(Number(this.choose?.value), -1) },
      ...items.map((item, k) => h("option", { value: k }, `${item.name}: ${item.text}`)));
    this.element.replaceChildren(
      h("div", { class: "stage" }, svg),
      h("section", { class: "side", "aria-label": "The exact cover" },
        h("h2", {}, "Every cell and every piece once"),
        h("p", {}, `Each way to lay a piece is a column, 1 if it is chosen and 0 if not: ${counted(options.length, "column")}. ` +
          `Each cell to cover and each piece is a row: ${counted(items.length, "row")}, ${counted(this.cover.nonzeros, "nonzero")}. ` +
          "In every row exactly one column is chosen" +
          (items.some((item) => item.demand > 1) ? " (as many as there are equal pieces)." : ".")),
        h("label", { class: "row" }, h("span", {}, "Row"), this.choose),
        this.equation, this.meaning, this.canvas,
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
        app.say("there is nothing to write: no piece fits on the cells to cover");
        return;
      }
      note.textContent = "counting the tilings for the head of the file…";
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
      button("Download .mps", () => save("mps")), button("Download .lp", () => save("lp"))), note);
  }

  /** The command that writes the same bytes. @param {string} kind @param {string} stem */
  command(kind, stem) {
    const { game, app } = this;
    if (!game) return "";
    if (game.placed.length) return "The pieces on the board are part of this model (key placed of an instance file).";
    const { source } = game;
    const what = "id" in source ? source.id : source.file;
    const reveal = Object.entries(game.labels).map(([group, label]) => `${group}=${label}`).join(",");
    const when = app.date ? ` --date ${iso(app.date)}` : reveal ? ` --reveal ${reveal}` : "";
    const flip = game.flip === openPuzzle(source).flip ? "" : game.flip ? " --flip" : " --no-flip";
    return `The same bytes: calmip export ${what}${when}${flip} -o ${stem}.${kind}`;
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
    if (equation.dataset.row !== String(row) || equation.dataset.of !== game.instance.name + game.placed.length) {
      equation.dataset.row = String(row);
      equation.dataset.of = game.instance.name + game.placed.length;
      equation.replaceChildren(`${item.name}: `, ...rows[row].flatMap((number, k) => [
        k ? " + " : "",
        h("button", {
          type: "button", "data-column": number,
          onpointerenter: () => this.light(row, number),
          onfocus: () => this.light(row, number),
          onclick: () => this.light(row, number),
        }, cover.options[number].name),
      ]), ` = ${item.demand}`);
    }
    for (const term of equation.querySelectorAll("[data-column]")) {
      term.classList.toggle("on", term.getAttribute("data-column") === String(column));
    }
    meaning.textContent = option
      ? `${option.name}: piece ${option.piece} on ${option.cells.map((cell) => game.puzzle.board.label(cell)).join(" ")}; it stands in ${counted(option.items.length, "row")}`
      : `${item.text}: ${counted(rows[row].length, "placement")}`;
    this.drawMatrix();
  }

  drawMatrix() {
    const { canvas, cover } = this;
    const pen = canvas?.getContext("2d");
    if (!canvas || !cover || !pen) return;
    const step = 3;
    canvas.width = cover.options.length * 1;
    canvas.height = cover.items.length * step;
    const style = getComputedStyle(document.documentElement);
    pen.fillStyle = style.getPropertyValue("--quiet");
    cover.options.forEach((option, column) => {
      for (const row of option.items) pen.fillRect(column, row * step, 1, step - 1);
    });
    pen.fillStyle = style.getPropertyValue("--accent");
    pen.globalAlpha = 0.35;
    pen.fillRect(0, this.row * step, canvas.width, step);
    pen.globalAlpha = 1;
    if (this.column >= 0) {
      for (const row of cover.options[this.column].items) pen.fillRect(this.column - 1, row * step, 3, step);
    }
  }

  /** @param {PointerEvent} event */
  overMatrix(event) {
    const { canvas, cover } = this;
    if (!canvas || !cover) return;
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const column = Math.floor(((event.clientX - left) / width) * cover.options.length);
    const row = Math.floor(((event.clientY - top) / height) * cover.items.length);
    if (!cover.options[column] || !cover.items[row]) return;
    this.light(row, column);
  }

  /** @param {PointerEvent} event */
  overBoard(event) {
    const { board, cover } = this;
    const cell = board?.cellAt(board.pointAt(event));
    const row = cell ? cover?.position.get(keyOf(cell)) : undefined;
    if (row !== undefined && row !== this.row) this.light(row, -1);
  }
}
