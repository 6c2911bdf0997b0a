/**
 * A board to play on as an element of any page, `<calmip-board>`: the board and its pieces, by mouse, touch and keys. It is set up
 * by one object, tells what happens by events, and knows nothing of the page around it. docs/how-to/board.md has both.
 */

import { puzzleOfJson } from "../documents/puzzle_file.js";
import { readPlaced, written } from "../documents/placed.js";
import { labelsOfDate, parseDate, today } from "../problem/dates.js";
import { BoardGame, isSamePosition } from "../play/moves.js";
import { wordsOfShape } from "../play/words.js";
import { bestLanguage, joined, speak, t } from "../text/text.js";
import { area, BoardView, drawing, pieceShape, shadeOf } from "../view/board.js";
import { h, redraw } from "../view/dom.js";
import { isStill, wave } from "../view/feel.js";
import { sizeOf } from "../view/fit.js";
import { Dragging } from "./dragging.js";
import { wordsOfCell, wordsOfHand, wordsOfRefusal } from "./speech.js";

/** @typedef {import("../problem/lattice.js").Cell} Cell */
/** @typedef {import("../problem/lattice.js").Point} Point */
/** @typedef {import("../problem/instance.js").Placement} Placement */
/** @typedef {import("../play/moves.js").Moves} Moves */
/**
 * @typedef {object} Config
 * @property {Record<string, unknown>} [puzzle] the keys of a puzzle's file
 * @property {string} [date] the date whose labels stay uncovered, as `2024-02-29`; today's unless labels are given
 * @property {Record<string, string>} [reveal] these labels instead: one for each group
 * @property {boolean} [flip] whether pieces may be turned over; as the puzzle says unless given
 * @property {string} [placed] what lies there at first, as `U:15+16+22+29+30 L:...`
 * @property {string} [lang] the language in which the board is described
 * @property {"light" | "dark" | "system"} [theme]
 * @property {BoardGame} [game] a game that was made already, instead of a puzzle
 * @property {HTMLElement} [tray] a place on the page for the pieces: then board and pieces have the page's own styles, and the page gives them keys
 * @property {(text: string) => void} [announce] says something to those who do not see the board
 * @property {(placement: Placement) => number | null} [count] how many solutions have a placement, where that is known and may be said
 */

/** @type {Record<string, Point>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Milliseconds in which a piece turns. */
const TURN = 120;

/** The styles of a board on a page of others: the build puts them in, see build.mjs. */
const STYLE = /** @type {any} */ (globalThis).calmipBoardStyle ?? "";

/** The game that a configuration asks for. @param {Config} config */
function gameOf({ puzzle, date, reveal, flip, placed = "" }) {
  const read = puzzleOfJson(puzzle ?? {}, "puzzle");
  const labels = reveal ?? labelsOfDate(read.groups, date ? parseDate(date) : today());
  const game = new BoardGame(read.withFlip(flip ?? read.flip), labels);
  const lying = readPlaced(game.instance, placed);
  if (lying.length) game.open([game.instance.withPlaced(lying).placed]);
  return game;
}

/** The board. A thread has no elements. */
export class CalmipBoard extends /** @type {typeof HTMLElement} */ (globalThis.HTMLElement ?? Object) {
  /** @type {BoardGame | null} */
  game = null;
  /** @type {BoardView | null} */
  board = null;
  /** Where the keyboard is on the board. @type {Cell | null} */
  cursor = null;
  /** Whether keys were used last. */
  byKeyboard = false;
  /** Whether letters alone are keys. */
  letters = true;
  dragging = new Dragging(this);
  /** @type {Config} */
  #config = {};
  /** @type {AbortController | null} */
  #connected = null;
  /** @type {HTMLElement} */
  tray = h("div", { class: "tray", role: "group" });
  live = h("p", { class: "live", "aria-live": "polite" });
  /** What has board and pieces in it. @type {HTMLElement} */
  frame = this;

  connectedCallback() {
    this.#connected = new AbortController();
    this.dragging.listen(this.#connected.signal);
    if (!Object.hasOwn(this, "config")) return;
    // It was set before this element was known.
    const { config } = this;
    Reflect.deleteProperty(this, "config");
    this.config = config;
  }

  disconnectedCallback() {
    this.#connected?.abort();
    this.dragging.end();
  }

  /** What is shown; setting it begins anew. */
  get config() {
    return this.#config;
  }

  set config(config) {
    const game = config.game ?? gameOf(config);
    this.#config = config;
    this.game = game;
    this.cursor = null;
    if (!config.tray) speak(bestLanguage([config.lang ?? "", /** @type {HTMLElement | null} */ (this.closest("[lang]"))?.lang ?? "", ...navigator.languages].filter(Boolean)));
    this.board = new BoardView(game.puzzle, game.instance.labels, t("boardLabel", { name: game.puzzle.name, labels: joined(game.instance.labels) }));
    const svg = this.board.element;
    for (const [name, value] of [["data-rest", ""], ["role", "application"], ["tabindex", "0"]]) svg.setAttribute(name, value);
    svg.addEventListener("focus", () => this.focusBoard());
    svg.addEventListener("blur", () => this.board?.showCursor(null, []));
    this.dragging.watch(svg);
    if (config.tray) {
      this.tray = config.tray;
      this.frame = document.body;
      this.replaceChildren(svg);
    } else this.#alone(svg);
    this.tray.setAttribute("aria-label", t("trayLabel"));
    this.frame.append(this.dragging.floating);
    this.draw(null);
  }

  /** Show board and pieces by themselves. @param {SVGSVGElement} svg */
  #alone(svg) {
    const root = this.shadowRoot ?? this.attachShadow({ mode: "open" });
    const style = new CSSStyleSheet();
    style.replaceSync(STYLE);
    root.adoptedStyleSheets = [style];
    this.setAttribute("theme", this.#config.theme ?? "light");
    const frame = h("div", { class: "frame", onkeydown: (/** @type {KeyboardEvent} */ event) => {
      if (this.key(event)) event.preventDefault();
    } }, svg, this.tray, this.live);
    const [columns] = sizeOf(svg);
    frame.style.setProperty("--columns", String(columns));
    root.replaceChildren(frame);
    this.frame = frame;
  }

  /** Say something to those who do not see the board. @param {string} text */
  announce(text) {
    if (this.#config.announce) this.#config.announce(text);
    else this.live.textContent = text;
  }

  /** Do something, see moves.js; whether that could be done. @param {any} action */
  act(action) {
    const { game } = this;
    if (!game) return false;
    const before = game.with(game.state);
    if (!game.act(action)) return false;
    this.draw(before.state);
    this.#tell("change", { action, before: before.state });
    if (isSamePosition(before.state, game.state)) return true;
    const { placed, solved } = game;
    const detail = { placed: placed.map((one) => written(game.instance, one)).join(" "), left: game.left.map(({ name }) => name) };
    this.#tell("move", detail);
    if (!this.#config.tray) {
      this.announce(solved ? t("solvedNow") : t("piecesPlaced", { placed: placed.length, n: game.puzzle.use ?? game.puzzle.pieces.length }));
      if (solved) this.wave();
    }
    if (solved) this.#tell("solved", detail);
    return true;
  }

  /** @param {string} type @param {object} detail */
  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: type !== "change" }));
  }

  /** What lies on the board, as `placed` of the configuration. */
  get placed() {
    const { game } = this;
    return game ? game.placed.map((one) => written(game.instance, one)).join(" ") : "";
  }

  get solved() {
    return Boolean(this.game?.solved);
  }

  undo() {
    return this.act({ do: "step", step: -1 });
  }

  redo() {
    return this.act({ do: "step", step: 1 });
  }

  clear() {
    return this.act({ do: "clear" });
  }

  // What is drawn ----------------------------------------------------------

  /** Draw what has changed. @param {Moves | null} before the state that is shown, if any */
  draw(before) {
    const { game, board } = this;
    if (!game || !board) return;
    const { history, moment, hand, turns } = game.state;
    const isPosition = !before || before.history !== history || before.moment !== moment || before.hand?.from !== hand?.from;
    if (isPosition) {
      const latest = before && moment ? game.placed[game.placed.length - 1]?.piece : "";
      board.showPieces(game.placed, (one) => (one.piece === latest ? "latest" : ""));
      // No frame of a cell is on the finished picture.
      if (game.solved) this.cursor = null;
    }
    if (isPosition || before.hand?.piece !== hand?.piece || before.turns !== turns) this.drawTray();
    if (isPosition || before.hand !== hand) this.drawHand();
  }

  drawTray() {
    const { game } = this;
    if (!game) return;
    const { solved } = game;
    redraw(this.tray, ...game.left.map((piece) => {
      const cells = game.turns.get(piece.name) ?? piece.cells;
      const picture = drawing(game.lattice, cells, { "aria-hidden": "true" },
        pieceShape(game.puzzle, { piece: piece.name, cells }, "", 0.85, 1.3));
      const [width, height] = sizeOf(picture);
      picture.style.width = `calc(${width} * var(--tray))`;
      picture.style.height = `calc(${height} * var(--tray))`;
      return h("button", {
        type: "button", class: "item", "data-piece": piece.name, "aria-pressed": String(game.hand?.piece === piece.name), "aria-disabled": String(solved),
        "aria-label": t("pieceLies", { piece: piece.name, n: cells.length, shape: wordsOfShape(game.lattice, cells) }),
        ...this.dragging.onItem(piece.name),
      }, picture);
    }));
  }

  /** The ghost of the piece in hand. */
  drawHand() {
    const { game, board } = this;
    if (!game || !board) return;
    const { hand } = game;
    this.frame.classList.toggle("holding", Boolean(hand));
    const placement = hand?.at && game.over(hand.at);
    board.show("ghost", !hand || !placement ? [] : [game.fits(placement)
      ? pieceShape(game.puzzle, placement, "ghost")
      : area(game.lattice, placement.cells, `ghost misfit ${shadeOf(game.puzzle, hand.piece)}`)]);
    this.drawCursor();
  }

  drawCursor() {
    const { game, board, cursor } = this;
    if (!game || !board) return;
    const root = /** @type {Partial<DocumentOrShadowRoot>} */ (board.element.getRootNode());
    const focused = root.activeElement === board.element && this.byKeyboard;
    board.showCursor(focused && cursor && !game.hand ? cursor : null, game.placed);
  }

  /** The picture of a piece where it lies, on the board or beside it. @param {string} piece */
  home(piece) {
    return [this.tray, this.board?.element].flatMap((one) => [...one?.querySelectorAll(".item svg, .pieces .piece") ?? []])
      .find((one) => one.closest("[data-piece]")?.getAttribute("data-piece") === piece);
  }

  /** A wave through the finished picture. */
  wave() {
    wave([...(this.board?.layers.get("pieces")?.children ?? [])]);
  }

  /** Let the piece in hand move from how it lay before, in the tray and on the board. @param {string} from the transform that it had before */
  #swing(from) {
    const { game, board } = this;
    if (!game?.hand || !board || isStill()) return;
    const { piece, at } = game.hand;
    const origin = at ? game.lattice.centre(at).map((x) => `${x}px`).join(" ") : "";
    const inTray = [...this.tray.querySelectorAll("svg")].filter((svg) => svg.parentElement?.dataset.piece === piece);
    for (const shape of [...inTray, ...(at ? board.layers.get("ghost")?.children ?? [] : [])]) {
      const transformOrigin = shape instanceof SVGSVGElement ? "center" : origin;
      shape.animate([{ transform: from, transformOrigin }, { transform: "none", transformOrigin }], { duration: TURN, easing: "ease-out" });
    }
  }

  // What is done -----------------------------------------------------------

  /** Take a piece from the tray, or put it back. @param {string} piece @param {Cell} [grip] */
  toggle(piece, grip) {
    if (this.game?.hand?.piece === piece) this.act({ do: "aside" });
    else if (this.act({ do: "take", piece, grip }) && !this.#config.tray) this.announce(t("inHand", { piece }));
  }

  /** Let the piece in hand hover over a cell. @param {Cell | null} at */
  hover(at) {
    this.act({ do: "hover", at });
  }

  /** Lay the piece in hand over a cell. @param {Cell | null} at */
  lay(at) {
    const { game } = this;
    const piece = game?.hand?.piece;
    if (!game || !piece) return;
    const placement = at && game.over(at);
    if (!at || !this.act({ do: "lay", at })) this.refuse(piece, placement);
  }

  /** Say why a piece does not lie where it was dropped. @param {string} piece @param {Placement | null} placement */
  refuse(piece, placement) {
    const why = { piece, ...(placement && this.game?.obstacles(placement)) ?? { pieces: [], labels: [] } };
    this.announce(wordsOfRefusal(why));
    this.#tell("refused", why);
  }

  /** Lift the piece that lies on a cell. @param {Cell} cell */
  lift(cell) {
    return this.act({ do: "lift", cell });
  }

  turn() {
    if (this.game && this.act({ do: "turn" })) this.#turned(`rotate(${-360 / this.game.lattice.order}deg)`);
  }

  /** Turn the piece in hand over. @param {boolean} [back] whether its last turn is taken back first */
  turnOver(back = false) {
    if (this.act({ do: "over", back })) this.#turned("scaleX(-1)");
  }

  /** @param {string} from the transform that the piece in hand had before */
  #turned(from) {
    this.#swing(from);
    if (this.game) this.announce(wordsOfHand(this.game));
  }

  // The keyboard -----------------------------------------------------------

  focusBoard() {
    const { game, board } = this;
    if (!game || !board) return;
    this.byKeyboard ||= board.element.matches(":focus-visible");
    this.cursor ??= game.puzzle.board.cells[0];
    if (game.hand && !game.hand.at && this.byKeyboard) this.hover(this.cursor);
    this.drawCursor();
  }

  /** Use a key; whether it has a use. @param {KeyboardEvent} event */
  key(event) {
    const { game, board } = this;
    if (!game || !board) return false;
    this.byKeyboard = true;
    const isCommand = event.ctrlKey || event.metaKey;
    const letter = this.letters || isCommand ? event.key.toLowerCase() : "";
    const onBoard = event.composedPath()[0] === board.element;
    if (letter === "z" && !event.shiftKey) this.undo();
    else if (letter === "y" || letter === "z") this.redo();
    else if (isCommand || event.altKey) return false;
    else if (letter === "r") this.turn();
    else if (letter === "f") this.turnOver();
    else if (event.key === "Escape") this.act({ do: "drop" });
    else if (event.key === "Delete" || event.key === "Backspace") this.takeAway();
    else if (onBoard && event.key in ARROWS) this.arrow(ARROWS[event.key]);
    else if (onBoard && (event.key === "Enter" || event.key === " ")) this.enter();
    else return letter !== "" && this.takeBy(letter);
    return true;
  }

  /** Take the piece of the tray that a key names: by its place, or by its letter. @param {string} key */
  takeBy(key) {
    const { game } = this;
    const piece = game?.left.find(({ name }, k) => String(k + 1) === key || name.toLowerCase() === key);
    if (!game || !piece || game.solved) return false;
    if (game.hand?.piece !== piece.name) this.toggle(piece.name);
    this.board?.element.focus();
    return true;
  }

  /** Take the piece in hand, or the one under the cursor, off the board. */
  takeAway() {
    const { game, cursor } = this;
    const lying = cursor && game?.at(cursor);
    if (game?.hand) this.act({ do: "aside" });
    else if (lying) this.act({ do: "off", pieces: [lying.piece] });
  }

  /** @param {Point} direction */
  arrow(direction) {
    const { game, board } = this;
    if (!game || !board) return;
    this.cursor = board.step(game.hand?.at ?? this.cursor ?? game.puzzle.board.cells[0], direction);
    this.hover(this.cursor);
    this.drawCursor();
    this.announce(wordsOfCell(game, this.cursor, this.#config.count));
  }

  enter() {
    const { game, cursor } = this;
    if (game?.hand) this.lay(game.hand.at ?? cursor);
    else if (cursor) this.lift(cursor);
  }
}

// Twice on one page the script is one element.
if (!globalThis.customElements?.get("calmip-board")) globalThis.customElements?.define("calmip-board", CalmipBoard);
