/** The model: the exact cover beside the board, its equations with the position in them, and its files. */

import { keyOf } from "../problem/lattice.js";
import { iso } from "../problem/dates.js";
import { ExactCover, isCovering } from "../problem/cover.js";
import { lpText, mpsText } from "../formats/model_files.js";
import { smallGame } from "../lab/small.js";
import { openPuzzle } from "../documents/source.js";
import { joined, t } from "../text/text.js";
import { button, download, enable, h, redraw } from "../view/dom.js";
import { area, BoardView, pieceShape } from "../view/board.js";
import { Matrix } from "./matrix.js";
import { rowName } from "../play/words.js";

/** @typedef {import("../play/game.js").Game} Game */
/** @typedef {import("../view/app.js").App} App */

/** So many placements that are still possible are drawn each for itself. */
const FEW = 6;

/** So many terms of an equation are drawn in a frame. */
const TERMS = 80;

/** The orientation and the place in a name. */
const PLACE = /_([a-z])?(?:(\d)(\d)|r(\d+)c(\d+))$/;

/** The view of the model. */
export class ModelView {
  /** @param {App} app @param {HTMLElement} element where it is drawn @param {boolean} isAsked whether an address led here */
  constructor(app, element, isAsked) {
    this.app = app;
    this.element = element;
    /** Whether the small board is shown: who comes by the tab begins with it. */
    this.isSmall = !isAsked && !app.game.placed.length;
    this.small = smallGame();
    /** The instance of the page when the model was opened last. */
    this.last = app.key;
  }

  /** @param {Game} own the page's */
  open(own) {
    if (this.last !== this.app.key) this.isSmall = false;
    this.last = this.app.key;
    const game = this.isSmall ? this.small : own;
    const choose = h("select", {
      id: "model-board", "aria-label": t("puzzle"),
      onchange: () => {
        this.isSmall = choose.value === "small";
        this.open(this.app.game);
        document.getElementById(choose.id)?.focus();
      },
    }, ...[["small", this.small.puzzle.name], ["own", own.puzzle.name]].map(([value, name]) => h("option", { value, selected: (value === "small") === this.isSmall }, name)));
    const board = new BoardView(game.puzzle, game.instance.labels, t("modelBoard"));
    board.showPieces(game.placed);
    const equation = h("div", { class: "equation", tabindex: "0", "data-rest": "", role: "group", "aria-label": t("equation") });
    const choice = h("div", { class: "row" }, choose);
    const side = h("section", { class: "side", "aria-label": t("exactCover") }, h("h2", {}, t("modelTitle")), choice, equation);
    this.element.replaceChildren(h("div", { class: "stage" }, board.element), side);
    // The exact cover in one task and its equations in the next: on a slow device all at once would halt the page.
    setTimeout(() => {
      const { cover } = game;
      setTimeout(() => side.isConnected && new Equations(this.app, game, cover, board, choice, equation).moved());
    });
  }
}

/** The equations of an instance. */
class Equations {
  /**
   * @param {App} app @param {Game} game @param {ExactCover} cover that of the game
   * @param {BoardView} board @param {HTMLElement} choice of the board @param {HTMLElement} equation where the equation comes, in what is beside the board
   */
  constructor(app, game, cover, board, choice, equation) {
    this.app = app;
    this.game = game;
    this.cover = cover;
    this.board = board;
    this.equation = equation;
    const { items, options } = cover;
    this.rows = cover.rows;
    this.row = 0;
    this.column = -1;
    /** The columns that are 1, the left side of each row, and which columns may be 1 as well. @type {number[]} */
    this.laid = [];
    /** @type {readonly number[]} */
    this.sums = [];
    /** @type {readonly boolean[]} */
    this.isOpen = [];
    /** The row and column that the next frame lights, if it is asked for. @type {[number, number] | null} */
    this.next = null;
    for (const type of /** @type {const} */ (["pointermove", "pointerdown"])) board.element.addEventListener(type, (event) => this.overBoard(event));
    this.matrix = new Matrix(cover, this.rows, (row, column, isByKey) => {
      if (isByKey) this.light(row, column, true);
      else this.soon(row, column);
    }, (column) => this.toggle(column));
    equation.addEventListener("keydown", (event) => this.alongTerms(event));
    equation.addEventListener("click", (event) => this.overTerm(event, true));
    // Not "pointerover": a term that comes to lie below a resting pointer is not chosen.
    for (const type of ["pointermove", "focusin"]) equation.addEventListener(type, (event) => this.overTerm(event));
    this.facts = h("p", { class: "state" });
    this.meaning = h("p", { class: "quiet meaning" });
    this.set = button("", () => this.toggle(this.column), { class: "set" });
    this.choose = h("select", { id: "row", onchange: () => this.light(Number(this.choose.value), -1) });
    this.note = h("p", { class: "quiet" });
    redraw(/** @type {Element} */ (equation.parentElement),
      h("h2", {}, t("modelTitle")), choice,
      h("p", {}, t("modelText", { columns: options.length, rows: items.length, n: cover.nonzeros }) +
        (items.some((item) => item.demand > 1) ? ` ${t("modelEqual")}` : "") +
        (game.puzzle.optional.length ? ` ${t("modelSpare")}` : "") +
        (cover.spare.some((number) => number > 1) ? ` ${t("modelOut")}` : "")),
      this.facts,
      h("label", { class: "row" }, h("span", {}, t("row")), this.choose),
      // What grows with a row is below the matrix, which stays under the pointer.
      this.matrix.element, h("p", { class: "quiet", id: "matrix-keys" }, t("matrixKeys")),
      equation, this.meaning, this.set,
      h("div", { class: "row" }, ...["mps", "lp"].map((kind) => button(t("download", { kind: `.${kind}` }), () => this.save(kind)))),
      this.note);
  }

  get stem() {
    return this.game.instance.name.replace(/[^A-Za-z0-9]+/g, "-").replace(/^-|-$/g, "").toLowerCase() || "model";
  }

  /** Write a file, in which the pieces on the board are fixed. @param {string} kind */
  save(kind) {
    const { app, note, game: { instance, placed, cover, laid, source, flip, labels } } = this;
    const fixed = placed.length ? new ExactCover(instance.withPlaced(placed)) : cover;
    if (!fixed.options.length) {
      app.say(t("nothingToWrite"));
      return;
    }
    note.textContent = t("countingForFile");
    app.searcher.start({ task: "position", source, flip, labels, laid }, (known, done) => {
      if (!done) return;
      download(`${this.stem}.${kind}`, (kind === "mps" ? mpsText : lpText)(fixed, known?.complete ? known.tilings : null));
      note.textContent = this.command(kind);
    });
  }

  /** The command that writes the same bytes. @param {string} kind */
  command(kind) {
    const { app, game } = this;
    const { placed, source, labels, flip } = game;
    // Nobody has a file of the small board.
    if (game !== app.game) return "";
    if (placed.length) return t("placedInModel");
    const what = "id" in source ? source.id : source.file;
    const reveal = Object.entries(labels).map(([group, label]) => `${group}=${label}`).join(",");
    const when = app.date ? ` --date ${iso(app.date)}` : reveal ? ` --reveal ${reveal}` : "";
    const turned = flip === openPuzzle(source).flip ? "" : flip ? " --flip" : " --no-flip";
    return t("sameBytes", { command: `calmip export ${what}${when}${turned} -o ${this.stem}.${kind}` });
  }

  // The position ------------------------------------------------------------

  /** Show what the pieces on the board make of the rows and columns. */
  moved() {
    const { game, cover: { items, options } } = this;
    this.laid = game.laid;
    // What lies says which pieces are left out once all cells are covered.
    if (game.isTiling(game.placed)) this.laid.push(...game.cover.leaving(game.placed));
    const { sums, isOpen } = game.cover.after(this.laid);
    this.sums = sums;
    this.isOpen = isOpen;
    this.board.showPieces(game.placed);
    const full = items.filter(({ demand }, row) => sums[row] === demand).length;
    this.facts.textContent = full === items.length ? t("modelSolved")
      : t("modelState", { some: full, rows: items.length, open: isOpen.filter(Boolean).length, columns: options.length });
    redraw(this.choose, ...items.map((item, k) => h("option", { value: k }, `${item.name}: ${rowName(item)}${t("comma")}${this.sumOf(k)}`)));
    this.note.textContent = this.command("mps");
    this.light(this.row, this.column);
  }

  /** Set a column to 1, which places its piece, or back to 0. @param {number} column */
  toggle(column) {
    const { app, game, laid } = this;
    const at = laid.indexOf(column);
    if (!isCovering(this.cover.options[column])) {
      app.announce(t("modelSpare"));
      return;
    }
    if (at >= 0) game.act({ do: "off", pieces: [game.placed[at].piece] });
    else if (this.isOpen[column]) game.act({ do: "place", placed: game.placementsOf([...laid, column]) });
    else {
      app.announce(this.valueOf(column));
      return;
    }
    this.column = column;
    this.moved();
    app.remember();
    app.announce(`${this.cover.options[column].name} = ${Number(at < 0)}. ${this.facts.textContent}`);
  }

  /** A row's left side and its right side. @param {number} row */
  sumOf(row) {
    return t("sumOf", { sum: this.sums[row], demand: this.cover.items[row].demand });
  }

  /** What a row has and may still have. @param {number} row @param {readonly number[]} open its columns that are still possible */
  rowWords(row, open) {
    const { cover, sums } = this;
    const item = cover.items[row];
    const values = { row: rowName(item), sum: this.sumOf(row) };
    if (sums[row] === item.demand) return t("rowSatisfied", values);
    const words = t("rowOpen", { ...values, open: open.length, n: this.rows[row].length });
    if (sums[row] + open.length < item.demand) return t("rowDead", { row: words });
    if (item.kind === "piece") return words;
    /** @type {Map<string, number>} */
    const pieces = new Map();
    for (const column of open) {
      const { piece } = cover.options[column];
      pieces.set(piece, (pieces.get(piece) ?? 0) + 1);
    }
    return t("keyed", { word: words, key: [...pieces].map((one) => one.join(" ")).join(t("comma")) });
  }

  /** What the name of a row or column says. @param {number} row @param {number} column -1 for that of the row */
  nameWords(row, column) {
    const { cover, game } = this;
    const { kind } = cover.items[row];
    const option = cover.options[column];
    const { name } = option ?? cover.items[row];
    const [, letter = "", ...places] = PLACE.exec(name) ?? [];
    const [down, right] = places.filter(Boolean);
    const values = { name, row: down, column: right };
    if (!option) return kind === "cell" ? t("nameCell", values) : kind === "piece" ? t("namePiece", values) : "";
    if (!isCovering(option)) return t(name.endsWith("_left") ? "modelSpare" : "modelOut");
    const piece = game.puzzle.pieces.find((one) => one.name === option.piece);
    return t("nameColumn", {
      ...values, letter, piece: option.piece, k: letter.charCodeAt(0) - 96, n: piece?.orientations(game.flip).length ?? 1,
      cells: option.cells.map((cell) => game.puzzle.board.label(cell)).join(" "),
    });
  }

  /** The value of a column, and why it cannot be another. @param {number} column */
  valueOf(column) {
    const { cover: { items, options }, laid, sums } = this;
    if (laid.includes(column)) return t("isOne");
    if (this.isOpen[column]) return t("isOpen");
    const full = options[column].items.filter((item) => sums[item] >= items[item].demand);
    const against = laid.filter((one) => options[one].items.some((item) => full.includes(item)));
    return t("isOut", { pieces: joined(against.map((one) => options[one].name)) });
  }

  // What is lit --------------------------------------------------------------

  /** Show a row's equation and a column's placement. @param {number} row @param {number} column -1 for none @param {boolean} [isByKey] */
  light(row, column, isByKey = false) {
    const { cover, board, game, meaning, set, laid, isOpen, matrix } = this;
    this.row = row;
    this.column = column;
    const { items, options } = cover;
    const option = options[column];
    const isOne = laid.includes(column);
    const open = this.rows[row].filter((one) => isOpen[one]);
    /** What share of the row's placements that are still possible each cell has. @type {Map<string, number>} */
    const heat = new Map();
    for (const one of option ? [] : open) {
      for (const cell of options[one].cells) heat.set(keyOf(cell), (heat.get(keyOf(cell)) ?? 0) + 1 / open.length);
    }
    board.showHeat(heat);
    board.show("ghost", option || open.length > FEW ? [] : open.map((one) => options[one]).filter(isCovering).map((one) => pieceShape(game.puzzle, one, "maybe")));
    board.show("lit", [
      ...(option ? [area(game.lattice, option.cells, "lit-piece")] : []),
      ...(items[row].kind === "cell" ? [area(game.lattice, [game.instance.toCover[row]], "lit-cell")] : []),
    ]);
    this.choose.value = String(row);
    this.drawEquation(row, isByKey);
    const words = this.rowWords(row, open);
    const value = option ? this.valueOf(column) : "";
    meaning.textContent = `${t("sentence", { text: words })} ${this.nameWords(row, column)} ${value}`;
    set.hidden = !option;
    if (option) {
      set.textContent = t("setTo", { name: option.name, value: Number(!isOne) });
      enable(set, isCovering(option) && (isOne || isOpen[column]));
    }
    matrix.draw(this.sums, isOpen, laid);
    const entry = option && t("matrixAt", { column: option.name, value: Number(option.items.includes(row)) });
    matrix.show(row, column, [items[row].name, words, entry, value].filter(Boolean).join("; "), isOne);
  }

  /** @param {number} row @param {boolean} isByKey */
  drawEquation(row, isByKey) {
    const { equation, cover: { items }, laid } = this;
    const of = [row, ...laid].join();
    if (equation.dataset.of !== of) {
      equation.dataset.of = of;
      const last = ` = ${items[row].demand}`;
      // Hundreds of terms: only a focus among them is worth the time to keep them.
      if (equation.contains(document.activeElement)) redraw(equation, `${items[row].name}: `, ...this.terms(row), last);
      else {
        equation.replaceChildren(`${items[row].name}: `);
        // To lay out all at once would halt the page on a slow device: in each frame some.
        const more = (/** @type {number} */ from) => {
          if (equation.dataset.of !== of) return;
          const isLast = from + TERMS >= this.rows[row].length;
          equation.append(...this.terms(row, from, from + TERMS), ...(isLast ? [last] : []));
          this.lightTerm(isByKey);
          if (!isLast) requestAnimationFrame(() => more(from + TERMS));
        };
        more(0);
      }
    }
    this.lightTerm(isByKey);
  }

  /** Some terms of a row, with the plus signs before them. @param {number} row @param {number} [from] @param {number} [to] */
  terms(row, from = 0, to = Infinity) {
    const { cover: { options }, laid, isOpen } = this;
    return this.rows[row].slice(from, to).flatMap((number, k) => {
      const isOne = laid.includes(number);
      const term = h("button", {
        type: "button", tabindex: "-1", "data-column": number,
        "aria-pressed": String(isOne), "aria-disabled": String(!isOne && !isOpen[number]),
      }, options[number].name);
      return from + k ? [" + ", term] : [term];
    });
  }

  /** Light the term of the column, if it is drawn. @param {boolean} isByKey */
  lightTerm(isByKey) {
    const { equation, column } = this;
    const term = equation.querySelector(`[data-column="${column}"]`);
    if (term?.classList.contains("on")) return;
    equation.querySelector(".on")?.classList.remove("on");
    term?.classList.add("on");
    // Within its box alone: the page stays where it is.
    if (isByKey && term instanceof HTMLElement) equation.scrollTop = term.offsetTop - equation.offsetTop - equation.clientHeight / 2;
  }

  /** Light a row and a column in the next frame: a pointer is quicker than a slow device. @param {number} row @param {number} column */
  soon(row, column) {
    const asked = this.next !== null;
    this.next = [row, column];
    if (asked) return;
    requestAnimationFrame(() => {
      const next = this.next;
      this.next = null;
      if (next && this.equation.isConnected) this.light(...next);
    });
  }

  /** Light the placement of a term, and set it where it is clicked. @param {Event} event @param {boolean} [isSet] */
  overTerm({ target }, isSet = false) {
    const column = target instanceof Element && target.closest("[data-column]")?.getAttribute("data-column");
    if (!column) return;
    if (Number(column) !== this.column) this.light(this.row, Number(column));
    if (isSet) this.toggle(Number(column));
  }

  /** Go from term to term: hundreds would be too many stops of Tab. @param {KeyboardEvent} event */
  alongTerms(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const terms = [...this.equation.querySelectorAll("button")];
    if (!step || !terms.length || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const at = terms.findIndex((one) => one === document.activeElement);
    terms[Math.min(terms.length - 1, Math.max(0, at + step))].focus();
  }

  /** @param {PointerEvent} event */
  overBoard(event) {
    const cell = this.board.cellAt(this.board.pointAt(event));
    const row = cell ? this.cover.position.get(keyOf(cell)) : undefined;
    if (row !== undefined && (row !== this.row || this.column >= 0)) this.soon(row, -1);
  }
}
