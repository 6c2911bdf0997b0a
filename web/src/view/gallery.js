/** The sheet of puzzles: their boards as pictures, one's own among them, and what was solved on them. */

import { BUNDLED, DIFFICULTY } from "../documents/collection.js";
import { openPuzzle, sourceKey } from "../documents/source.js";
import { InputError } from "../problem/errors.js";
import { t } from "../text/text.js";
import { button, h, redraw } from "./dom.js";
import { drawing, ground } from "./board.js";

/** @typedef {import("../documents/source.js").Source} Source */
/** @typedef {import("./app.js").App} App */

/** A sheet that is opened by `show`; Esc, a press beside it and its button close it. */
export class Gallery {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.cards = h("div", { class: "cards" });
    /** The pictures and sizes that were drawn, by the keys of their puzzles. @type {Map<string, Element[]>} */
    this.described = new Map();
    this.element = h("dialog", {
      class: "sheet puzzles", "aria-labelledby": "puzzles-title",
      onclick: (/** @type {MouseEvent} */ { target }) => target === this.element && this.element.close(),
    },
    h("div", {},
      h("h2", { id: "puzzles-title" }, t("puzzles")), this.cards,
      h("p", { class: "quiet" }, t("difficultyText"), " ", t("dropOwn")),
      h("div", { class: "row" }, button(t("makeOwn"), () => this.edit()), button(t("close"), () => this.element.close()))));
  }

  show() {
    this.draw();
    this.element.showModal();
    this.focus();
  }

  /** Focus the card of the puzzle on show, or the first. */
  focus() {
    /** @type {HTMLElement | null} */ (this.cards.querySelector("[aria-current=true]") ?? this.cards.querySelector(".card"))?.focus();
  }

  draw() {
    const { app, cards } = this;
    const solved = app.storage.keys.filter((key) => key.startsWith("record."))
      .map((key) => key.slice("record.".length).split("|")[0]);
    /** @type {[Source, string][]} */
    const all = [
      ...app.storage.own.flatMap((source) => this.named(source)),
      ...BUNDLED.map(([id, name]) => /** @type {[Source, string]} */ ([{ id }, name])),
    ];
    redraw(cards, ...all.map(([source, name]) => this.card(source, name, solved)));
    this.describe(all.map(([source]) => source).filter((source) => !this.described.has(sourceKey(source))));
  }

  /** A puzzle of one's own with its name; nothing where what is stored cannot be read. @param {Source} source @returns {[Source, string][]} */
  named(source) {
    try {
      return [[source, openPuzzle(source).name]];
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      return [];
    }
  }

  /** @param {Source} source @param {string} name @param {readonly string[]} solved the keys of the puzzles that were solved */
  card(source, name, solved) {
    const { app } = this;
    const key = sourceKey(source);
    const dates = solved.filter((one) => one === key).length;
    const choose = button("", () => {
      this.element.close();
      app.openSource(source);
    }, { class: "card", "aria-current": sourceKey(app.game.source) === key ? "true" : null });
    choose.append(...(this.described.get(key) ?? []), h("b", {}, name), dates ? h("span", {}, t("solvedDates", { n: dates })) : "");
    const remove = "id" in source ? null : button("×", () => {
      app.storage.forget(`own.${key}`);
      this.draw();
      // The button that was pressed is gone, and the board is behind the sheet.
      this.focus();
    }, { "aria-label": t("remove", { name }) });
    const edit = "id" in source ? null : button("✎", () => this.edit(openPuzzle(source), key), { "aria-label": t("edit", { name }) });
    return h("div", { class: "own-card", "data-key": key }, choose, edit, remove);
  }

  /** Make a puzzle, or change one's own. @param {import("../problem/puzzle.js").Puzzle} [puzzle] @param {string} [key] */
  edit(puzzle, key) {
    this.element.close();
    // In a task of its own: to close one sheet and open another at once would halt the page.
    setTimeout(() => void this.app.edit(puzzle, key));
  }

  /** Draw the boards one by one: all at once would halt the page. @param {Source[]} rest */
  describe(rest) {
    const [source] = rest;
    if (!source) return;
    setTimeout(() => {
      if (!this.element.open) return;
      const { board, pieces } = openPuzzle(source);
      const key = sourceKey(source);
      const size = t("piecesAndCells", { pieces: pieces.length, cells: board.cells.length });
      const parts = [
        drawing(board.lattice, board.cells, { "aria-hidden": "true" }, ground(openPuzzle(source), [])),
        h("span", { class: "quiet" }, size),
        ...("id" in source && DIFFICULTY[source.id] ? [h("span", { class: "quiet" }, t("difficulty", DIFFICULTY[source.id]))] : []),
      ];
      this.described.set(key, parts);
      this.cards.querySelector(`[data-key="${key}"] .card`)?.prepend(...parts);
      this.describe(rest.slice(1));
    });
  }
}
