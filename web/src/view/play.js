/** Playing: board, tray, tilings left, hints; by mouse, by touch and by keyboard. */

import { keyOf } from "../problem/lattice.js";
import { button, counted, grouped, h, joined } from "./dom.js";
import { area, BoardView, drawing, pieceShape, shadeOf } from "./board.js";
import { Dragging } from "./dragging.js";
import { Extra } from "./extra.js";

/** @typedef {import("../problem/lattice.js").Cell} Cell */
/** @typedef {import("../problem/lattice.js").Point} Point */
/** @typedef {import("../problem/instance.js").Placement} Placement */
/** @typedef {import("../play/game.js").Game} Game */
/** @typedef {import("../search/position.js").Position} Position */
/** @typedef {import("./app.js").App} App */

/** @type {Record<string, Point>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** The view in which one plays. */
export class PlayView {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.left = h("output", { class: "count" });
    this.text = h("p", { class: "status" });
    this.stage = h("div", { class: "stage" });
    this.tray = h("div", { class: "tray", role: "group", "aria-label": "Pieces beside the board" });
    this.extra = new Extra(app, (placed) => {
      this.game?.move(placed);
      this.moved();
    });
    this.tools = {
      turn: button("Turn", () => this.turn(), { title: "R" }),
      over: button("Turn over", () => this.turnOver(), { title: "F" }),
      aside: button("Put aside", () => this.putAside(), { title: "Delete" }),
      undo: button("Undo", () => this.step(-1), { title: "Z" }),
      redo: button("Redo", () => this.step(1), { title: "Y" }),
      hint: button("Hint", () => this.hint(), { title: "H" }),
      clear: button("Clear", () => this.clear()),
    };
    this.element = h("div", { class: "play" },
      this.stage,
      h("section", { class: "side", "aria-label": "Position" },
        h("div", { class: "left" }, this.left, this.text),
        h("div", { class: "tools" }, ...Object.values(this.tools)),
        this.tray, this.extra.element));
    /** @type {Position | null} */
    this.known = null;
    /** Where the keyboard is on the board. @type {Cell | null} */
    this.cursor = null;
    this.dragging = new Dragging(this);
    // Wherever the focus is: after a drag it is nowhere.
    document.addEventListener("keydown", (event) => this.element.isConnected && this.key(event));
  }

  /** @param {Game} game */
  open(game) {
    this.game = game;
    this.cursor = null;
    this.board = new BoardView(game.puzzle, game.instance.labels, "");
    const svg = this.board.element;
    svg.setAttribute("role", "application");
    svg.setAttribute("tabindex", "0");
    svg.setAttribute("aria-label",
      `The board of ${game.puzzle.name}, uncovered: ${joined(game.instance.labels)}. ` +
      "Arrow keys move, Enter lays or lifts a piece, R turns it, F turns it over.");
    svg.addEventListener("focus", () => this.focusBoard());
    svg.addEventListener("blur", () => this.board?.show("cursor", []));
    this.dragging.watch(svg);
    this.stage.replaceChildren(svg);
    this.moved();
  }

  close() {
    this.app.searcher.stop();
    this.game?.drop();
  }

  /** Draw the position, and have it searched. @param {string} [done] what was done, to be said with the answer */
  moved(done = "") {
    const { game } = this;
    if (!game) return;
    this.known = null;
    this.draw();
    this.app.remember();
    const solved = game.solved;
    if (solved) this.won();
    else this.tell(done, null, false);
    this.app.searcher.start(
      { task: "position", source: game.source, flip: game.flip, labels: game.labels, laid: game.laid },
      (known, finished, error) => {
        if (error) this.app.say(error);
        else {
          this.known = known;
          if (!solved) this.tell(done, known, finished);
          this.drawHand();
          if (finished) this.extra.draw(game, known);
        }
      });
  }

  /** A lying piece was lifted, or a piece taken in hand: the position is without it. @param {boolean} changed whether that is another position */
  taken(changed) {
    if (changed) this.moved(`Piece ${this.game?.hand?.piece} in hand.`);
    else {
      this.draw();
      if (this.known) this.tell("", this.known, this.known.complete);
    }
    this.app.announce(`Piece ${this.game?.hand?.piece} in hand`);
  }

  // What is said -----------------------------------------------------------

  /** @param {string} done @param {Position | null} known @param {boolean} finished */
  tell(done, known, finished) {
    const { game } = this;
    if (!game) return;
    this.element.classList.toggle("dead", Boolean(known && finished && !known.tilings));
    if (!known) {
      this.left.textContent = "…";
      this.text.replaceChildren(done);
      return;
    }
    const number = grouped(known.tilings);
    this.left.textContent = finished && known.complete ? number : `${number}+`;
    const tilings = known.tilings === 1 ? "tiling" : "tilings";
    if (known.tilings || !finished) {
      this.text.replaceChildren(`${tilings} left${finished ? "" : ", counting…"}${known.complete || !finished ? "" : " at least"}`);
      if (finished) this.app.announce(`${done} ${counted(known.tilings, "tiling")} left`.trim());
      return;
    }
    this.text.replaceChildren("no tiling left", ...this.remedy(known));
    this.app.announce(`${done} No tiling left. ${this.text.textContent}`);
  }

  /** What to take off a position that cannot be completed. @param {Position} known @returns {Node[]} */
  remedy(known) {
    const { game } = this;
    if (!game) return [];
    if (known.hopeless) {
      const why = game.cover.obstacle();
      return [document.createTextNode(`: there is none, whatever is placed${why ? `, as ${why}` : ""}`)];
    }
    const nameOf = (/** @type {number} */ option) =>
      game.placed.find((one) => game.cover.numberOf(one.piece, one.cells) === option)?.piece ?? "";
    if (!known.takeOff.length) return [document.createTextNode(": to take off one piece does not suffice")];
    const either = known.takeOff.length > 1;
    return [
      document.createTextNode(either ? "; take off any one of these" : known.takeOff[0].length > 1 ? "; take these off together" : "; take this off"),
      h("span", { class: "remedy" }, ...known.takeOff.map((options) => {
        const names = options.map(nameOf);
        return button(`Take off ${joined(names)}`, () => {
          game.takeOff(names);
          this.moved(`Piece ${joined(names)} taken off.`);
        });
      })),
    ];
  }

  won() {
    const { game, app } = this;
    if (!game) return;
    this.element.classList.remove("dead");
    const isNew = app.storage.collect(app.key, game.tilingKey(game.placed));
    const found = app.storage.found(app.key).size;
    this.left.textContent = "✓";
    const text = `A tiling! ${isNew ? "It is a new one" : "You had found it before"}: ${found} found`;
    this.text.replaceChildren(text);
    app.announce(text);
  }

  // What is drawn ----------------------------------------------------------

  draw() {
    const { game, board } = this;
    if (!game || !board) return;
    const latest = game.moment ? game.placed[game.placed.length - 1]?.piece : "";
    board.showPieces(game.placed, (one) => (one.piece === latest ? "latest" : ""));
    const { undo, redo, turn, over, aside, clear } = this.tools;
    undo.disabled = !game.moment;
    redo.disabled = game.moment + 1 >= game.history.length;
    clear.disabled = !game.placed.length;
    turn.disabled = aside.disabled = !game.hand;
    over.disabled = !game.hand || !game.flip;
    this.drawTray();
    this.drawHand();
    this.extra.draw(game, this.known);
  }

  drawTray() {
    const { game } = this;
    if (!game) return;
    const focused = document.activeElement?.getAttribute("data-piece");
    this.tray.replaceChildren(...game.left.map((piece) => {
      const cells = game.turns.get(piece.name) ?? piece.cells;
      const held = game.hand?.piece === piece.name;
      const picture = drawing(game.lattice, cells, { "aria-hidden": "true" },
        pieceShape(game.puzzle, { piece: piece.name, cells }, "", 0.55));
      const [, , width, height] = (picture.getAttribute("viewBox") ?? "").split(" ").map(Number);
      picture.style.width = `calc(${width} * var(--tray))`;
      picture.style.height = `calc(${height} * var(--tray))`;
      const item = h("button", {
        type: "button", class: "item", "data-piece": piece.name, "aria-pressed": held ? "true" : "false",
        "aria-label": `Piece ${piece.name}, ${counted(piece.cells.length, "cell")}`,
      }, picture);
      this.dragging.watchItem(item, piece.name);
      return item;
    }));
    if (!game.left.length) this.tray.replaceChildren(h("p", { class: "quiet" }, "All pieces lie on the board."));
    if (focused) {
      /** @type {HTMLElement | null} */ (this.tray.querySelector(`[data-piece="${CSS.escape(focused)}"]`))?.focus();
    }
  }

  /** The ghost of the piece in hand, and where it may lie. */
  drawHand() {
    const { game, board, known } = this;
    if (!game || !board) return;
    const { hand } = game;
    this.element.classList.toggle("holding", Boolean(hand));
    if (!hand) {
      board.show("ghost", []);
      board.show("heat", []);
      this.drawCursor();
      return;
    }
    board.showHeat(known ? this.heat(hand.piece, known) : new Map());
    const placement = hand.at && game.over(hand.at);
    if (!placement) board.show("ghost", []);
    else {
      const fits = game.fits(placement);
      const ghost = fits
        ? pieceShape(game.puzzle, placement, "ghost")
        : area(game.lattice, placement.cells, `ghost misfit ${shadeOf(game.puzzle, hand.piece)}`);
      board.show("ghost", [ghost]);
      if (known) this.tellHover(placement, fits, known);
    }
    this.drawCursor();
  }

  /** How good every cell is for a piece: the tilings in which it covers the cell. @param {string} piece @param {Position} known */
  heat(piece, known) {
    const { game } = this;
    /** @type {Map<string, number>} */
    const heat = new Map();
    if (!game) return heat;
    const [first] = game.cover.classes.find((pieces) => pieces.some((one) => one.name === piece)) ?? [];
    const laid = new Set(game.laid);
    let most = 1;
    game.cover.options.forEach((option, number) => {
      if (option.piece !== first?.name || !known.counts[number] || laid.has(number)) return;
      for (const cell of option.cells) {
        const sum = (heat.get(keyOf(cell)) ?? 0) + known.counts[number];
        heat.set(keyOf(cell), sum);
        most = Math.max(most, sum);
      }
    });
    for (const [cell, sum] of heat) heat.set(cell, sum / most);
    return heat;
  }

  /** Say how many tilings have the piece where it hovers. @param {Placement} placement @param {boolean} fits @param {Position} known */
  tellHover(placement, fits, known) {
    const { game } = this;
    if (!game) return;
    const count = fits ? known.counts[game.cover.numberOf(placement.piece, placement.cells)] : 0;
    this.left.textContent = fits ? `${grouped(count)}${known.complete ? "" : "+"}` : "–";
    this.text.replaceChildren(fits
      ? `${count === 1 ? "tiling has" : "tilings have"} ${placement.piece} here`
      : `${placement.piece} does not fit here`);
  }

  drawCursor() {
    const { game, board, cursor } = this;
    if (!game || !board) return;
    const focused = document.activeElement === board.element && this.byKeyboard;
    board.show("cursor", focused && cursor && !game.hand ? [area(game.lattice, [cursor], "at")] : []);
  }

  byKeyboard = false;

  // What is done -----------------------------------------------------------

  /** Let the piece in hand hover over a cell. @param {Cell | null} at */
  hover(at) {
    const hand = this.game?.hand;
    if (!hand || (hand.at && at && keyOf(hand.at) === keyOf(at)) || hand.at === at) return;
    hand.at = at;
    if (!at && this.known) this.tell("", this.known, this.known.complete);
    this.drawHand();
  }

  /** Take a piece from the tray, or put it back. @param {string} piece @param {Cell} [grip] */
  toggle(piece, grip) {
    const { game } = this;
    if (!game) return;
    if (game.hand?.piece === piece) {
      this.putAside();
      return;
    }
    const lifted = Boolean(game.hand?.from);
    game.take(piece, grip);
    this.taken(lifted);
  }

  /** Lay the piece in hand over a cell. @param {Cell | null} at */
  lay(at) {
    const { game } = this;
    const piece = game?.hand?.piece;
    if (!game || !piece) return false;
    if (!at || !game.lay(at)) {
      this.app.announce(`Piece ${piece} does not fit there`);
      return false;
    }
    this.extra.cover();
    this.moved(`Piece ${piece} placed.`);
    return true;
  }

  /** Lift the piece that lies on a cell. @param {Cell} cell */
  lift(cell) {
    const { game } = this;
    const placement = game?.at(cell);
    if (!game || !placement) return false;
    game.lift(placement, cell);
    this.taken(true);
    return true;
  }

  turn() {
    this.game?.turn();
    this.drawTray();
    this.drawHand();
  }

  turnOver() {
    this.game?.turnOver();
    this.drawTray();
    this.drawHand();
  }

  putAside() {
    const { game } = this;
    if (!game?.hand) return;
    const { piece, from } = game.hand;
    game.putAside();
    if (from) this.moved(`Piece ${piece} taken off.`);
    else {
      this.draw();
      if (this.known) this.tell("", this.known, this.known.complete);
    }
  }

  /** Put the piece in hand back to where it was. */
  cancel() {
    const { game } = this;
    if (!game?.hand) return;
    const { from } = game.hand;
    game.drop();
    if (from) this.moved();
    else {
      this.draw();
      if (this.known) this.tell("", this.known, this.known.complete);
    }
  }

  /** @param {number} step */
  step(step) {
    if (this.game?.step(step)) this.moved(step < 0 ? "Undone." : "Done again.");
  }

  clear() {
    const { game } = this;
    if (!game?.placed.length) return;
    game.takeOff(game.placed.map((one) => one.piece));
    this.moved("The board is empty.");
  }

  /** Lay one piece more: the one that most tilings have. */
  hint() {
    const { game, known } = this;
    if (!game || !known || game.solved) return;
    if (known.hint < 0) {
      this.app.announce(this.text.textContent ?? "");
      return;
    }
    const names = new Set(game.placed.map((one) => one.piece));
    const { piece, cells } = game.cover.options[known.hint];
    const equal = game.cover.classes.find((pieces) => pieces[0].name === piece) ?? [];
    const name = equal.find((one) => !names.has(one.name))?.name ?? piece;
    const share = `${name} lies there in ${grouped(known.counts[known.hint])} of ` +
      `${grouped(known.tilings)}${known.complete ? "" : " and more"} tilings.`;
    game.drop();
    game.move([...game.placed, { piece: name, cells }]);
    this.moved(`Hint: ${share}`);
    if (!game.solved) this.text.textContent = share;
  }

  // The keyboard -----------------------------------------------------------

  focusBoard() {
    const { game } = this;
    if (!game) return;
    this.byKeyboard ||= Boolean(this.board?.element.matches(":focus-visible"));
    this.cursor ??= game.puzzle.board.cells[0];
    if (game.hand && !game.hand.at && this.byKeyboard) this.hover(this.cursor);
    this.drawCursor();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const { game, board } = this;
    const target = /** @type {Element} */ (event.target);
    if (!game || !board || target.matches("input, select, summary")) return;
    this.byKeyboard = true;
    const onBoard = target === board.element;
    const letter = event.key.toLowerCase();
    const undo = letter === "z" && !event.shiftKey;
    const redo = letter === "y" || (letter === "z" && event.shiftKey);
    let used = true;
    if (undo) this.step(-1);
    else if (redo) this.step(1);
    else if (event.ctrlKey || event.metaKey || event.altKey) return;
    else if (letter === "r") this.turn();
    else if (letter === "f") this.turnOver();
    else if (letter === "h") this.hint();
    else if (event.key === "Escape") this.cancel();
    else if (event.key === "Delete" || event.key === "Backspace") this.remove();
    else if (onBoard && event.key in ARROWS) this.arrow(ARROWS[event.key]);
    else if (onBoard && (event.key === "Enter" || event.key === " ")) this.enter();
    else used = false;
    if (used) event.preventDefault();
  }

  /** Take the piece in hand, or the one under the cursor, off the board. */
  remove() {
    const { game, cursor } = this;
    if (!game) return;
    const lying = cursor && game.at(cursor);
    if (game.hand) this.putAside();
    else if (lying) {
      game.takeOff([lying.piece]);
      this.moved(`Piece ${lying.piece} taken off.`);
    }
  }

  /** @param {Point} direction */
  arrow(direction) {
    const { game, board } = this;
    if (!game || !board) return;
    const from = game.hand?.at ?? this.cursor ?? game.puzzle.board.cells[0];
    const to = board.step(from, direction);
    this.cursor = to;
    if (game.hand) this.hover(to);
    this.drawCursor();
    const lying = game.at(to);
    const name = `${game.puzzle.board.label(to) === "*" ? "blank" : game.puzzle.board.label(to)}`;
    const placement = game.hand && game.over(to);
    const fits = placement && game.fits(placement);
    const count = fits && this.known ? `, ${counted(this.known.counts[game.cover.numberOf(placement.piece, placement.cells)], "tiling")}` : "";
    this.app.announce(placement
      ? `${name}: ${fits ? `fits${count}` : "does not fit"}`
      : `${name}${lying ? `, piece ${lying.piece}` : game.instance.open.has(keyOf(to)) ? "" : ", stays uncovered"}`);
  }

  enter() {
    const { game } = this;
    if (!game) return;
    if (game.hand) this.lay(game.hand.at ?? this.cursor);
    else if (this.cursor && this.lift(this.cursor)) this.drawHand();
  }
}
