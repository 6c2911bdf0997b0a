/** Playing: the board, and around it what is known of the position, hints, and the end; by mouse, by touch and by keyboard. */

import { CalmipBoard } from "../element/element.js";
import { opened, reduce } from "../play/state.js";
import { keyOf } from "../problem/lattice.js";
import { dateText, spokenLabels, t } from "../text/text.js";
import { button, enable, h, nextTask, redraw, rest } from "./dom.js";
import { area } from "./board.js";
import { End, namesOf } from "./end.js";
import { showExample } from "./example.js";
import { Extra } from "./extra.js";
import { snap } from "./feel.js";
import { fit, sizeOf } from "./fit.js";
import { adviceOf, countOf, isDead, spokenPosition, wordsOfPosition } from "./told.js";
import { wordsOfTime } from "../play/record.js";
import { isSamePosition } from "../play/moves.js";
import { iso, today } from "../problem/dates.js";
import { wordsOfCells } from "../play/words.js";

/** @typedef {import("../play/game.js").Game} Game */
/** @typedef {import("../play/state.js").State} State */
/** @typedef {import("./app.js").App} App */

/** The keys of the tools: those with Control serve where a screen reader takes the letters, or they are switched off. */
const KEYS = { turn: "R", over: "F", aside: "Delete", undo: "Z Control+Z", redo: "Y Control+Y", hint: "H" };

/** A button of the row of tools: a sign where there is little room, a word elsewhere. @param {string} sign @param {string} word @param {() => void} action @param {string} [key] */
function tool(sign, word, action, key) {
  const item = button("", action, { title: key ? t("keyed", { word, key }) : word });
  item.append(h("i", { "aria-hidden": "true", class: sign === word && "word" }, sign), h("span", {}, word));
  return item;
}

/** How good every cell is for a piece: the tilings in which it covers the cell, of the most. @param {Game} game @param {State} state @returns {Map<string, number>} */
function heatOf(game, { hand, known }) {
  /** @type {Map<string, number>} */
  const heat = new Map();
  if (!hand || !known) return heat;
  const [first] = game.cover.classes.find((pieces) => pieces.some((one) => one.name === hand.piece)) ?? [];
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

/** The view in which one plays. */
export class PlayView {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.left = h("span", { class: "count" });
    this.text = h("p", { class: "status" });
    this.advice = h("p", { class: "advice" });
    this.stage = h("div", { class: "stage" });
    /** The choice of assistance, where it is not in the menu, and what to do about a date that is not today's. */
    this.beside = h("div", { class: "help" });
    /** The time of the game that is raced against, and one's own. */
    this.clock = h("span", { class: "race", role: "timer" });
    /** The game that is raced against. @type {import("./end.js").Rival} */
    this.rival = null;
    setInterval(() => this.tick(), 1000);
    this.tray = h("div", { class: "tray", role: "group" });
    /** What to do first; its line stays while the page is open, so that the board does not move. */
    this.first = app.storage.read("begun") ? null : h("p", { class: "first" });
    this.end = new End(app);
    /** What a solved position is called. */
    this.solved = "";
    this.board = new CalmipBoard();
    this.extra = new Extra(app, (placed) => this.board.act({ do: "place", placed }), () => this.spend({ shown: true }));
    const { board } = this;
    this.tools = {
      turn: tool("↻", t("turn"), () => board.turn(), "R"),
      over: tool("⇄", t("turnOver"), () => board.turnOver(), "F"),
      aside: tool("↓", t("putAside"), () => board.act({ do: "aside" }), t("keyDelete")),
      undo: tool("↶", t("undo"), () => board.undo(), "Z"),
      redo: tool("↷", t("redo"), () => board.redo(), "Y"),
      hint: tool(t("hint"), t("hint"), () => this.hint(), "H"),
      clear: tool("×", t("clear"), () => board.clear()),
    };
    /** The state of which the board is drawn, and in which colours. @type {{state: import("../play/moves.js").Moves | null, look: string}} */
    this.made = { state: null, look: "" };
    /** Ends what a newcomer is shown. */
    this.example = new AbortController();
    this.element = h("div", { class: "play" },
      this.stage,
      h("section", { class: "side", "aria-label": t("position") },
        h("div", { class: "left" }, h("div", { class: "said" }, this.left, this.text), this.beside),
        this.tray, this.end.element,
        h("div", { class: "foot" }, this.advice, h("div", { class: "tools" }, ...Object.values(this.tools))),
        this.extra.element));
    this.advice.addEventListener("click", ({ target }) => target === this.advice && board.act({ do: "advise", advice: null }));
    board.addEventListener("change", (event) => this.changed(/** @type {CustomEvent} */ (event).detail));
    board.addEventListener("refused", (event) => board.act({ do: "advise", advice: { say: "refused", .../** @type {CustomEvent} */ (event).detail } }));
    addEventListener("resize", () => this.fit());
    /** The height that the tray had at most: the tools stay where they are while it gets emptier. */
    this.room = 0;
    /** When the time that runs was last noted. */
    this.since = performance.now();
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.pause();
      else this.since = performance.now();
    });
    addEventListener("pagehide", () => this.pause());
    // Wherever the focus is: after a drag it is nowhere.
    document.addEventListener("keydown", (event) => this.element.isConnected && this.key(event));
  }

  /** All that is known of the game. */
  get state() {
    return /** @type {State} */ (/** @type {Game} */ (this.game).state);
  }

  /** What is told of the position. @returns {import("./told.js").Told} */
  get told() {
    return { game: /** @type {Game} */ (this.game), state: this.state, assist: this.app.assist };
  }

  /** What can be done before this is opened: the board; and what stands beside it, with a date's words, which the browser is slow to load. @param {Game} game */
  steps(game) {
    return [() => this.make(game), () => this.drawBeside()];
  }

  /** Make the board of a game, unless it is there as it was left. @param {Game} game */
  make(game) {
    const { app, board } = this;
    const look = JSON.stringify(document.documentElement.dataset);
    if (this.made.state === game.state && this.made.look === look) return;
    this.example.abort();
    this.example = new AbortController();
    this.game = game;
    game.reduce = reduce;
    game.state = opened(game.state, app.storage.help(app.key));
    this.made = { state: game.state, look };
    board.config = { game, tray: this.tray, announce: (text) => app.announce(text), count: (placement) => countOf(this.told, placement) };
    const { optional, pieces, use } = game.puzzle;
    this.rule = h("p", { class: "rule" }, t("rule", { labels: spokenLabels(game.labels, app.date, game.puzzle.groups.get("month") ?? []) }),
      optional.length ? ` ${t("mayLeave", { pieces: use ? `${pieces.length - use} (${namesOf(optional)})` : namesOf(optional) })}` : "");
    // A sheet of paper says what it is of, and has board and pieces at one scale.
    const { name } = game.puzzle;
    const { date } = app;
    const paper = h("h2", { class: "paper" }, date ? `${name}, ${iso(date)}` : name);
    const [width, height] = sizeOf(this.svg);
    this.element.style.setProperty("--columns", String(width));
    this.element.style.setProperty("--rows", String(height));
    // A link's game, or one's own of an earlier year.
    const before = app.storage.record(app.key);
    this.rival = app.race ?? (before?.total && Number(before.on.slice(0, 4)) < today().year ? { curve: before.curve, seconds: before.seconds } : null);
    this.stage.replaceChildren(paper, this.rule, ...(this.first ? [this.first] : []), board);
  }

  /** @param {Game} game */
  open(game) {
    this.make(game);
    game.state = opened(game.state, this.app.storage.help(this.app.key));
    this.since = performance.now();
    this.drawBeside();
    this.moved(true);
    this.fit();
    void this.showExample(game);
  }

  /** Show a newcomer how a piece is laid. @param {Game} game */
  async showExample(game) {
    const { app, board } = this;
    if (app.storage.read("example") || app.small) return;
    await nextTask();
    if (game === this.game && !game.placed.length && !game.hand && board.board) {
      showExample(game, board.board, this.example, () => app.storage.write("example", "seen"));
    }
  }

  get svg() {
    return /** @type {import("./board.js").BoardView} */ (this.board.board).element;
  }

  /** Show what another level of assistance shows. */
  refresh() {
    this.drawBeside();
    if (this.element.isConnected && this.game?.act(/** @type {any} */ ({ do: "renew" }))) this.moved();
  }

  drawBeside() {
    const { app } = this;
    const now = today();
    const isOld = app.linked && !app.lock && !app.small && parent === window && app.date && iso(app.date) !== iso(now);
    this.element.classList.toggle("old", Boolean(isOld));
    redraw(this.beside,
      ...(app.date && isOld ? [h("span", { class: "quiet" }, t("thisIs", { date: dateText(app.date, now, "long") })), button(t("playToday"), () => app.openDate(iso(now)))] : []),
      this.rival && this.clock,
      app.isTight ? null : app.assistChoice());
    if (this.rival) this.clock.setAttribute("aria-label", t("listed", { what: t("race"), items: wordsOfTime(this.rival.seconds) }));
    this.tick();
  }

  /** Show the time of a race. */
  tick() {
    const { game, rival } = this;
    if (!rival || !game || game.solved || !this.element.isConnected) return;
    const shown = (/** @type {number} */ seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    const own = this.state.help.seconds + Math.round((performance.now() - this.since) / 1000);
    this.clock.textContent = t("listed", { what: t("race"), items: `${shown(own)} / ${shown(rival.seconds)}` });
  }

  /** Fit the board, the tray and the tools to the screen. */
  fit() {
    const { element, tray, game } = this;
    const [left, foot] = [this.beside.parentElement, this.advice.parentElement];
    if (!left || !foot || !game || !element.isConnected) return;
    fit({ element, board: this.svg, left, tray, foot }, game.puzzle, (room) => this.keepRoom(room));
  }

  /** @param {number} room in pixels */
  keepRoom(room) {
    this.room = room;
    this.element.style.setProperty("--room", `${room}px`);
  }

  /** Note the time spent, where something was done in it. */
  pause() {
    if (this.game?.placed.length && this.element.isConnected && !this.game.solved) this.spend();
  }

  close() {
    this.pause();
    this.app.searcher.stop();
    // What was in hand is drawn.
    const { game } = this;
    if (game && !game.act({ do: "drop" })) this.made.state = game.state;
  }

  // What follows an action -------------------------------------------------

  /** Note the time that the instance took, and what help it got. @param {{shown?: boolean}} [more] */
  spend(more = {}) {
    // What is rounded away counts the next time: hints come quickly one after the other.
    const seconds = Math.round((performance.now() - this.since) / 1000);
    this.since += 1000 * seconds;
    this.board.act({ do: "help", assist: this.app.assist, seconds, ...more });
  }

  /** Help one step further. */
  hint() {
    if (!this.game || this.game.solved) return;
    this.spend();
    this.board.act({ do: "hint", assist: this.app.assist });
  }

  /** Draw what an action has changed, and do what follows from it. @param {{before: State, action: import("../play/state.js").Action}} change */
  changed({ before, action }) {
    const { app, game, state } = this;
    if (!game) return;
    if (state.help !== before.help) app.storage.writeHelp(app.key, state.help);
    if (!isSamePosition(before, state)) {
      if (action.do === "lay") {
        snap(app.storage);
        this.extra.cover();
      }
      if (state.earned) this.spend();
      this.moved();
      return;
    }
    if (action.do === "help") return;
    this.draw(before);
    if (action.do === "hint" || (action.do === "known" && before.asked)) {
      // Those who do not see the marked cells hear which they are.
      if (state.advice) app.announce([this.advice.textContent, wordsOfCells(game.puzzle.board, state.lit)].filter(Boolean).join(" "));
    } else if (action.do === "take" || (action.do === "known" && state.searched && app.assist !== "off" && !game.solved)) this.speak();
  }

  /** Say what the position is. */
  speak() {
    const spoken = spokenPosition(this.told, this.advice.textContent ?? "");
    if (spoken) this.app.announce(spoken);
  }

  /** Show another position, and have it searched. @param {boolean} [isOpened] whether no piece lands, as it was opened */
  moved(isOpened = false) {
    const { app, game, state } = this;
    if (!game) return;
    if (!isOpened) this.keepRoom(Math.max(this.room, this.tray.offsetHeight));
    this.end.clear();
    // A page around this one hears of the position first, then that it is solved.
    app.remember();
    const { solved } = game;
    const { text, solved: earned } = solved ? this.end.note(game, state, this.rival) : { text: "", solved: null };
    this.solved = text;
    // A record has its help; what comes is judged alone.
    if (earned) game.act(/** @type {any} */ ({ do: "solved" }));
    this.draw(null);
    if (game.placed.length && !game.hand && this.first) {
      this.first.style.visibility = "hidden";
      app.storage.write("begun", "yes");
    }
    // A tool that has solved it may be of no use now, and hidden.
    if (solved && document.activeElement?.getClientRects().length === 0) rest();
    if (solved && !isOpened) this.board.wave();
    if (solved) app.announce(text);
    // Else what was done is said with what the search answers.
    else if (app.assist === "off") this.speak();
    const { assist } = app;
    app.searcher.start(
      { task: "position", source: game.source, flip: game.flip, labels: game.labels, laid: game.laid },
      (known, searched, error) => {
        if (error) app.say(error);
        if (!error || searched) this.board.act({ do: "known", known: error ? null : { ...known }, searched, assist });
        if (searched && earned) this.end.finish(game, earned, this.rival);
      });
  }

  // What is drawn ----------------------------------------------------------

  /** Draw what has changed around the board. @param {State | null} before the state that is shown, if any */
  draw(before) {
    const { game, state, told, app } = this;
    const { board } = this.board;
    if (!game || !board) return;
    const { hand, known } = state;
    const [count, text] = game.solved ? ["✓", this.solved] : wordsOfPosition(told);
    this.left.textContent = count;
    redraw(this.text, text);
    if (before?.advice !== state.advice || before?.known !== known) redraw(this.advice, ...adviceOf(told, (pieces) => this.board.act({ do: "off", pieces })));
    if (before?.lit !== state.lit) board.show("lit", state.lit.map((cell) => area(game.lattice, [cell], "lit-cell")));
    if (before?.hand?.piece !== hand?.piece || before?.known !== known) board.showHeat(app.assist === "full" ? heatOf(game, state) : new Map());
    // Where the piece in hand hovers alters nothing else.
    if (before && before.hand?.piece === hand?.piece && before.turns === state.turns && before.known === known) return;
    const { classList } = this.element;
    classList.toggle("holding", Boolean(hand));
    classList.toggle("won", game.solved);
    classList.toggle("dead", !game.solved && isDead(told));
    classList.toggle("begun", game.placed.length > 0);
    if (this.first) this.first.textContent = t(hand ? "firstHand" : "first");
    this.drawTools(game);
    if (!known || state.searched) this.extra.draw(game, known);
  }

  /** @param {Game} game */
  drawTools(game) {
    const { undo, redo, turn, over, aside, hint, clear } = this.tools;
    enable(undo, game.moment > 0);
    enable(redo, game.moment + 1 < game.history.length);
    enable(hint, !game.solved);
    enable(clear, game.placed.length > 0);
    enable(turn, game.mayTurn.turn);
    enable(aside, Boolean(game.hand));
    enable(over, game.mayTurn.over);
    for (const [name, keys] of /** @type {[keyof typeof KEYS, string][]} */ (Object.entries(KEYS))) {
      const all = keys.split(" ").filter((key) => key.length > 1 || this.hasLetters);
      if (all.length) this.tools[name].setAttribute("aria-keyshortcuts", all.join(" "));
      else this.tools[name].removeAttribute("aria-keyshortcuts");
    }
  }

  /** Whether letters alone are keys. */
  get hasLetters() {
    return this.app.storage.read("letters") !== "off";
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const { board } = this;
    const target = /** @type {Element} */ (event.target);
    if (!this.game || target.matches("input, select, summary") || target.closest("dialog")) return;
    board.byKeyboard = true;
    board.letters = this.hasLetters;
    const isHint = board.letters && event.key.toLowerCase() === "h" && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (isHint) this.hint();
    if (isHint || board.key(event)) event.preventDefault();
  }
}
