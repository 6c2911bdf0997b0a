/** Playing: board, tray, tilings left, hints; by mouse, by touch and by keyboard. */

import { keyOf } from "../problem/lattice.js";
import { dateText, grouped, joined, spokenLabels, t } from "../text/text.js";
import { button, download, enable, h, redraw, rest } from "./dom.js";
import { area, BoardView, drawing, pieceShape, shadeOf } from "./board.js";
import { Dragging } from "./dragging.js";
import { isStill, showExample } from "./example.js";
import { Extra } from "./extra.js";
import { snap, wave } from "./feel.js";
import { fit, sizeOf } from "./fit.js";
import { ASSIST, hintsFor, nextPlacement, wordsOfHelp } from "../play/help.js";
import { draw as drawCard } from "./card.js";
import { shareText, streak, untilOne, wordsOfSolved, wordsOfTime } from "../play/record.js";
import { addressOf } from "../play/address.js";
import { daysBetween, iso, today } from "../problem/dates.js";
import { wordsOfCells, wordsOfObstacle, wordsOfShape } from "../play/words.js";

/** @typedef {import("../problem/lattice.js").Cell} Cell */
/** @typedef {import("../problem/lattice.js").Point} Point */
/** @typedef {import("../problem/instance.js").Placement} Placement */
/** @typedef {import("../play/game.js").Game} Game */
/** @typedef {import("../search/position.js").Position} Position */
/** @typedef {import("./app.js").App} App */

/** @type {Record<string, Point>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Milliseconds in which a piece turns. */
const TURN = 120;

/** The keys of the tools: those with Control serve where a screen reader takes the letters, or they are switched off. */
const KEYS = { turn: "R", over: "F", aside: "Delete", undo: "Z Control+Z", redo: "Y Control+Y", hint: "H" };

/** A button of the row of tools: a sign where there is little room, a word elsewhere. @param {string} sign @param {string} word @param {() => void} action @param {string} [key] */
function tool(sign, word, action, key) {
  const item = button("", action, { title: key ? t("keyed", { word, key }) : word });
  item.append(h("i", { "aria-hidden": "true", class: sign === word && "word" }, sign), h("span", {}, word));
  return item;
}

/** @param {readonly {name: string}[]} pieces */
const namesOf = (pieces) => joined(pieces.map(({ name }) => name));

/** The solutions left after each piece as bars. @param {readonly number[]} curve @param {string} name @param {string} label */
const bars = (curve, name, label) => h("div", { class: name, role: "img", "aria-label": label }, ...curve.map((n) => {
  const bar = h("i", {});
  bar.style.height = `${2.8 * Math.log(n + 1) / Math.log(curve[0] + 1)}rem`;
  return h("span", {}, bar, grouped(n));
}));

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
    /** The game that is raced against. @type {import("../play/address.js").Race | null} */
    this.rival = null;
    setInterval(() => this.tick(), 1000);
    this.tray = h("div", { class: "tray", role: "group", "aria-label": t("trayLabel") });
    /** What to do first; its line stays while the page is open, so that the board does not move. */
    this.first = app.storage.read("begun") ? null : h("p", { class: "first" });
    /** What a solved puzzle was worth. */
    this.end = h("div", { class: "end" });
    this.extra = new Extra(app, (placed) => {
      this.game?.move(placed);
      this.moved();
    }, () => this.helped({ shown: true }));
    this.tools = {
      turn: tool("↻", t("turn"), () => this.turn(), "R"),
      over: tool("⇄", t("turnOver"), () => this.turnOver(), "F"),
      aside: tool("↓", t("putAside"), () => this.putAside(), t("keyDelete")),
      undo: tool("↶", t("undo"), () => this.step(-1), "Z"),
      redo: tool("↷", t("redo"), () => this.step(1), "Y"),
      hint: tool(t("hint"), t("hint"), () => this.hint(), "H"),
      clear: tool("×", t("clear"), () => this.clear()),
    };
    this.element = h("div", { class: "play" },
      this.stage,
      h("section", { class: "side", "aria-label": t("position") },
        h("div", { class: "left" }, h("div", { class: "said" }, this.left, this.text), this.beside),
        this.tray, this.end,
        h("div", { class: "foot" }, this.advice, h("div", { class: "tools" }, ...Object.values(this.tools))),
        this.extra.element));
    this.advice.addEventListener("click", ({ target }) => target === this.advice && redraw(this.advice));
    addEventListener("resize", () => this.fit());
    /** The height that the tray had at most: the tools stay where they are while it gets emptier. */
    this.room = 0;
    /** @type {Position | null} */
    this.known = null;
    /** Whether the position is opened: then no piece lands. */
    this.opening = false;
    /** The hints given on this position. */
    this.rung = 0;
    /** Whether this position is known to be solvable, as a hint made it. */
    this.sure = false;
    /** Whether the search of this position is still at work. */
    this.searching = false;
    /** Whether a hint is to follow its answer. */
    this.asked = false;
    /** Whether the last move was the player's own, and no opened address. */
    this.earned = false;
    /** Where the keyboard is on the board. @type {Cell | null} */
    this.cursor = null;
    this.dragging = new Dragging(this);
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

  /** @param {Game} game */
  open(game) {
    const { app } = this;
    this.game = game;
    this.since = performance.now();
    this.cursor = null;
    this.board = new BoardView(game.puzzle, game.instance.labels, "");
    const svg = this.board.element;
    svg.setAttribute("data-rest", "");
    svg.setAttribute("role", "application");
    svg.setAttribute("tabindex", "0");
    svg.setAttribute("aria-label", t("boardLabel", { name: game.puzzle.name, labels: joined(game.instance.labels) }));
    svg.addEventListener("focus", () => this.focusBoard());
    svg.addEventListener("blur", () => this.board?.showCursor(null, []));
    this.dragging.watch(svg);
    const { optional, pieces, use } = game.puzzle;
    this.rule = h("p", { class: "rule" }, t("rule", { labels: spokenLabels(game.labels, app.date, game.puzzle.groups.get("month") ?? []) }),
      optional.length ? ` ${t("mayLeave", { pieces: use ? `${pieces.length - use} (${namesOf(optional)})` : namesOf(optional) })}` : "");
    // A sheet of paper says what it is of, and has board and pieces at one scale.
    const { name } = game.puzzle;
    const { date } = app;
    const paper = h("h2", { class: "paper" }, date ? `${name}, ${iso(date)}` : name);
    const [width, height] = sizeOf(svg);
    this.element.style.setProperty("--columns", String(width));
    this.element.style.setProperty("--rows", String(height));
    // A link's game, or one's own of an earlier year.
    const before = app.storage.record(app.key);
    this.rival = app.race ?? (before?.total && Number(before.on.slice(0, 4)) < today().year ? { curve: before.curve, seconds: before.seconds } : null);
    this.stage.replaceChildren(paper, this.rule, ...(this.first ? [this.first] : []), svg);
    this.drawBeside();
    this.opening = true;
    this.moved();
    this.opening = false;
    this.fit();
    if (!app.storage.read("example") && !game.placed.length && !app.small) {
      showExample(game, this.board, () => app.storage.write("example", "seen"));
    }
  }

  /** Show what another level of assistance shows. */
  refresh() {
    this.drawBeside();
    if (this.element.isConnected) this.moved();
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
    const { app, game, rival } = this;
    if (!rival || !game || game.solved || !this.element.isConnected) return;
    const shown = (/** @type {number} */ seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    const own = app.storage.help(app.key).seconds + Math.round((performance.now() - this.since) / 1000);
    this.clock.textContent = t("listed", { what: t("race"), items: `${shown(own)} / ${shown(rival.seconds)}` });
  }

  /** Fit the board, the tray and the tools to the screen. */
  fit() {
    const { board, element, tray, game } = this;
    const [left, foot] = [this.beside.parentElement, this.advice.parentElement];
    if (!board || !left || !foot || !game || !element.isConnected) return;
    fit({ element, board: board.element, left, tray, foot }, game.puzzle, (room) => this.keepRoom(room));
  }

  /** Note the time spent, where something was done in it. */
  pause() {
    if (this.game?.placed.length && this.element.isConnected && !this.game.solved) this.helped({});
  }

  close() {
    this.pause();
    this.app.searcher.stop();
    this.game?.drop();
  }

  /** @param {number} room in pixels */
  keepRoom(room) {
    this.room = room;
    this.element.style.setProperty("--room", `${room}px`);
  }

  /** Draw the position, and have it searched. @param {string} [done] what was done, to be said with the answer */
  moved(done = "") {
    const { game } = this;
    if (!game) return;
    if (!this.opening) this.keepRoom(Math.max(this.room, this.tray.offsetHeight));
    this.known = null;
    this.rung = 0;
    this.sure = false;
    this.searching = true;
    this.asked = false;
    redraw(this.advice);
    redraw(this.end);
    this.board?.show("lit", []);
    const solved = game.solved;
    // No frame of a cell is on the finished picture.
    if (solved) this.cursor = null;
    this.draw();
    this.app.remember();
    if (game.placed.length && !game.hand && this.first) {
      this.first.style.visibility = "hidden";
      this.app.storage.write("begun", "yes");
    }
    this.element.classList.toggle("won", solved);
    // A tool that has solved it may be of no use now, and hidden.
    if (solved && document.activeElement?.getClientRects().length === 0) rest();
    const earned = solved ? this.won() : null;
    if (solved) {
      if (!this.opening) wave([...(this.board?.layers.get("pieces")?.children ?? [])]);
      this.app.announce(this.text.textContent ?? "");
    } else this.tell(done, null, false);
    this.app.searcher.start(
      { task: "position", source: game.source, flip: game.flip, labels: game.labels, laid: game.laid },
      (known, finished, error) => {
        if (finished) this.searching = false;
        if (error) this.app.say(error);
        else {
          this.known = known;
          if (!solved && this.app.assist !== "off") this.tell(done, known, finished);
          this.drawHand();
          if (finished) this.extra.draw(game, known);
          if (finished && earned) this.finish(earned);
          if (finished && this.asked) this.hint();
        }
      });
  }

  /** A lying piece was lifted, or a piece taken in hand: the position is without it. @param {boolean} changed whether that is another position */
  taken(changed) {
    const { hand } = this.game ?? {};
    const text = t("inHand", { piece: hand?.piece ?? "" });
    if (changed) this.moved(t("sentence", { text }));
    else {
      this.draw();
      if (this.known) this.tell(t("sentence", { text }), this.known, this.known.complete);
      else this.app.announce(text);
    }
  }

  // What is said -----------------------------------------------------------

  /** @param {string} done @param {Position | null} known @param {boolean} finished */
  tell(done, known, finished) {
    const { game } = this;
    if (!game) return;
    const { assist } = this.app;
    this.element.classList.toggle("dead", Boolean(assist !== "off" && known && finished && !known.tilings));
    if (assist === "off") {
      // Neither the number of tilings nor whether there is one.
      this.left.textContent = "";
      const text = t("piecesPlaced", { placed: game.placed.length, n: game.puzzle.use ?? game.puzzle.pieces.length });
      redraw(this.text, text);
      if (!known || done) this.app.announce(`${done} ${text}`.trim());
      return;
    }
    if (!known) {
      this.left.textContent = "…";
      redraw(this.text, done);
      return;
    }
    const number = grouped(known.tilings);
    this.left.textContent = finished && known.complete ? number : `${number}+`;
    if (known.tilings || !finished) {
      const n = known.tilings;
      redraw(this.text, t(!finished ? "leftCounting" : known.complete ? "left" : "leftAtLeast", { n }));
      if (finished) this.app.announce(`${done} ${t("tilingsLeft", { n })}`.trim());
      return;
    }
    redraw(this.text, t("noneLeft"));
    if (assist === "full") redraw(this.advice, ...this.remedy(known));
    this.app.announce(`${done} ${t("noneLeftSaid")} ${this.advice.textContent}`);
  }

  /** What to take off a position that cannot be completed. @param {Position} known @returns {Node[]} */
  remedy(known) {
    const { game } = this;
    if (!game) return [];
    if (known.hopeless) {
      const why = wordsOfObstacle(game.cover);
      return [document.createTextNode(why ? t("noSolutionAs", { why }) : t("noSolution"))];
    }
    const nameOf = (/** @type {number} */ option) =>
      game.placed.find((one) => game.cover.numberOf(one.piece, one.cells) === option)?.piece ?? "";
    if (!known.takeOff.length) return [document.createTextNode(t("notEnough"))];
    const either = known.takeOff.length > 1;
    return [
      document.createTextNode(either ? t("anyOne") : known.takeOff[0].length > 1 ? t("together") : ""),
      h("span", { class: "remedy" }, ...known.takeOff.map((options) => {
        const names = options.map(nameOf);
        return button(t("takeOff", { pieces: joined(names) }), () => {
          game.takeOff(names);
          this.moved(t("takenOff", { pieces: joined(names) }));
        });
      })),
    ];
  }

  /** Say that it is solved. @returns {import("../play/record.js").Solved | null} what to note if it is the player's own new solution */
  won() {
    const { game, app } = this;
    if (!game) return null;
    this.element.classList.remove("dead");
    const isNew = app.storage.collect(app.key, game.tilingKey(game.placed));
    const found = app.storage.found(app.key).size;
    this.left.textContent = "✓";
    const help = app.storage.help(app.key);
    const isEarned = this.earned && isNew;
    const how = this.earned && !isNew ? t("comma") + wordsOfHelp(help) : "";
    const { pieces, ...told } = help;
    app.frame.tell("solved", { own: this.earned, new: isNew, ...told });
    redraw(this.text, t(isNew ? "solvedNew" : "solvedAgain", { n: found }) + how + (game.left.length ? `; ${t("leftOut", { pieces: namesOf(game.left) })}` : ""));
    const record = app.storage.record(app.key);
    // In a race the same solution counts again.
    const isRaced = this.earned && this.rival !== null;
    if (!isEarned && !isRaced && record?.total) this.showEnd(record);
    if (!isEarned && !isRaced) return null;
    const row = game.placed.map(({ piece }) => (pieces.includes(piece) ? "h" : "o")).join("");
    const solved = { ...help, on: iso(today()), of: app.date ? iso(app.date) : "", total: 0, curve: [], row };
    app.storage.solved(app.key, solved);
    return solved;
  }

  /** The end of a puzzle: in how many ways it could have gone, and something to share. @param {import("../play/record.js").Solved} solved */
  finish(solved) {
    const { game, app } = this;
    if (!game) return;
    app.searcher.start(
      { task: "curve", source: game.source, flip: game.flip, labels: game.labels, laid: game.laid },
      (curve, done, error) => {
        if (error) app.say(error);
        if (error || !done || game !== this.game || !game.solved) return;
        const whole = { ...solved, curve, total: curve[0] ?? 0 };
        const first = app.storage.record(app.key);
        // The first solution of an instance is the one that is kept.
        if (first && !first.total && first.on === solved.on && first.seconds === solved.seconds) {
          app.storage.write(`record.${app.key}`, JSON.stringify(whole));
        }
        this.showEnd(whole, true);
        app.announce(this.end.firstChild?.textContent ?? "");
      });
  }

  /** Show how it was solved, the tilings left after each piece, and a button to share that. @param {import("../play/record.js").Solved} solved @param {boolean} [now] whether that was just done */
  showEnd(solved, now = false) {
    const { game, app } = this;
    if (!game) return;
    const { date } = app;
    const day = date ? daysBetween({ year: date.year, month: 1, day: 1 }, date) + 1 : null;
    const address = (/** @type {boolean} */ timed) => (location.protocol.startsWith("http")
      ? location.href.split("#")[0] + addressOf(Object.assign(Object.create(game), { history: [[]], moment: 0, hand: null }), date, { race: timed ? { curve, seconds: solved.seconds } : null }) : "");
    const rival = now ? this.rival : null;
    const ahead = rival ? rival.seconds - solved.seconds : 0;
    const apart = { time: wordsOfTime(Math.abs(ahead)) };
    const title = `${game.puzzle.name}, ${game.instance.labels.join(" ")}`;
    const curve = untilOne(solved.curve);
    const run = solved.on && solved.on === solved.of ? streak(app.storage.records, today()).now : 0;
    const time = h("input", { type: "checkbox", id: "with-time", checked: true });
    const withTime = h("label", { class: "check" }, time, h("span", {}, t("withTime")));
    const text = () => shareText(title, solved, day, address(time.checked), time.checked);
    const card = () => /** @type {Promise<File>} */ (new Promise((done) => drawCard({
      puzzle: game.puzzle, labels: game.instance.labels, row: solved.shown ? "" : solved.row, curve,
      day: date ? dateText(date, { ...date, year: 0 }, "long") : game.instance.labels.join(" "),
      lines: [wordsOfSolved(solved, day, time.checked), ...(run ? [t("streak", { now: run })] : [])],
    }).toBlob((blob) => done(new File([blob ?? ""], `calmip-${date ? iso(date) : "result"}.png`, { type: "image/png" })))));
    redraw(this.end,
      h("p", {}, t("sentence", { text: wordsOfSolved(solved, day) }), run ? ` ${t("streak", { now: run })}` : ""),
      rival && h("p", {}, ahead ? t(ahead > 0 ? "raceFaster" : "raceSlower", apart) : t("raceEven")),
      h("p", { class: "quiet", "aria-hidden": "true" }, t("curve", { curve: "" })),
      bars(curve, "curve", t("curve", { curve: curve.join("-") })),
      rival && bars(rival.curve, "curve other", t("raceCurve", { curve: rival.curve.join("-") })),
      h("div", { class: "row" },
        button(t("shareResult"), () => void card().then((file) => this.share(text(), file))),
        button(t("savePicture"), () => void card().then((file) => download(file.name, file))), withTime));
  }

  /** Hand a text and a picture to what the device shares with, or the text to the clipboard. @param {string} text @param {File} file */
  async share(text, file) {
    const { app, end } = this;
    try {
      if (navigator.canShare?.({ files: [file] })) await navigator.share({ text, files: [file] });
      else if (navigator.share) await navigator.share({ text });
      else {
        await navigator.clipboard.writeText(text);
        app.announce(t("onClipboard"));
        end.append(t("copiedToo"));
      }
    } catch (error) {
      // Who closes the sheet of the device wants nothing more.
      if (error instanceof DOMException && error.name === "AbortError") return;
      const box = h("textarea", { readonly: true, rows: 4, "aria-label": t("toCopy") }, text);
      redraw(end, box);
      box.focus();
      box.select();
    }
  }

  // What is drawn ----------------------------------------------------------

  draw() {
    const { game, board } = this;
    if (!game || !board) return;
    const latest = game.moment && !this.opening ? game.placed[game.placed.length - 1]?.piece : "";
    board.showPieces(game.placed, (one) => (one.piece === latest ? "latest" : ""));
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
    this.element.classList.toggle("begun", game.placed.length > 0);
    this.drawTray();
    this.drawHand();
    this.extra.draw(game, this.known);
  }

  drawTray() {
    const { game } = this;
    if (!game) return;
    const { solved } = game;
    redraw(this.tray, ...game.left.map((piece) => {
      const cells = game.turns.get(piece.name) ?? piece.cells;
      const held = game.hand?.piece === piece.name;
      const picture = drawing(game.lattice, cells, { "aria-hidden": "true" },
        pieceShape(game.puzzle, { piece: piece.name, cells }, "", 0.85, 1.3));
      const [width, height] = sizeOf(picture);
      picture.style.width = `calc(${width} * var(--tray))`;
      picture.style.height = `calc(${height} * var(--tray))`;
      return h("button", {
        type: "button", class: "item", "data-piece": piece.name, "aria-pressed": held ? "true" : "false", "aria-disabled": String(solved),
        "aria-label": t("pieceLies", { piece: piece.name, n: cells.length, shape: wordsOfShape(game.lattice, cells) }),
        ...this.dragging.onItem(piece.name),
      }, picture);
    }));
    if (this.first) this.first.textContent = t(game.hand ? "firstHand" : "first");
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
    const full = this.app.assist === "full";
    board.showHeat(known && full ? this.heat(hand.piece, known) : new Map());
    const placement = hand.at && game.over(hand.at);
    if (!placement) board.show("ghost", []);
    else {
      const fits = game.fits(placement);
      const ghost = fits
        ? pieceShape(game.puzzle, placement, "ghost")
        : area(game.lattice, placement.cells, `ghost misfit ${shadeOf(game.puzzle, hand.piece)}`);
      board.show("ghost", [ghost]);
      if (known && full) this.tellHover(placement, fits, known);
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
    redraw(this.text, fits
      ? t("tilingsHere", { n: count, piece: placement.piece })
      : t("noFitHere", { piece: placement.piece }));
  }

  drawCursor() {
    const { game, board, cursor } = this;
    if (!game || !board) return;
    const focused = document.activeElement === board.element && this.byKeyboard;
    board.showCursor(focused && cursor && !game.hand ? cursor : null, game.placed);
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
    // What a tiling leaves out has no place on it.
    if (!game || game.solved) return;
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
      this.refuse(piece, at && game.over(at));
      return false;
    }
    snap(this.app.storage);
    this.extra.cover();
    this.helped({});
    this.earned = true;
    this.moved(t("placed", { piece }));
    this.earned = false;
    return true;
  }

  /** Say why a piece does not lie where it was dropped. @param {string} piece @param {Placement | null} placement */
  refuse(piece, placement) {
    const { pieces, labels } = (placement && this.game?.obstacles(placement)) ?? { pieces: [], labels: [] };
    const why = pieces.length ? t("liesThere", { pieces: joined(pieces) }) : labels.length ? t("staysFree", { labels: joined(labels) }) : t("offBoard");
    redraw(this.advice, t("listed", { what: t("noFit", { piece }), items: why }));
    this.app.announce(this.advice.textContent ?? "");
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
    if (!this.game?.mayTurn.turn) return;
    this.game.turn();
    this.turned(`rotate(${-360 / this.game.lattice.order}deg)`);
  }

  /** Turn the piece in hand over. @param {boolean} [back] whether its last turn is taken back first */
  turnOver(back = false) {
    const { game } = this;
    if (!game?.mayTurn.over) return;
    for (let k = 1; back && k < game.lattice.order; k += 1) game.turn();
    game.turnOver();
    this.turned("scaleX(-1)");
  }

  /** Show the piece in hand as it was turned, and say how it lies now. @param {string} from the transform that it had before */
  turned(from) {
    const { game } = this;
    if (!game?.hand) return;
    this.drawTray();
    this.drawHand();
    this.extra.fillList();
    this.animate(from);
    const { piece, cells } = game.hand;
    this.app.announce(t("nowLies", { piece, n: cells.length, shape: wordsOfShape(game.lattice, cells) }));
  }

  /** Let the piece in hand move from how it lay before, in the tray and on the board. @param {string} from */
  animate(from) {
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

  putAside() {
    const { game } = this;
    if (!game?.hand) return;
    const { piece, from } = game.hand;
    game.putAside();
    if (from) this.moved(t("takenOff", { pieces: piece }));
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
    if (this.game?.step(step)) this.moved(step < 0 ? t("undone") : t("redone"));
  }

  clear() {
    const { game } = this;
    if (!game?.placed.length) return;
    game.takeOff(game.placed.map((one) => one.piece));
    this.moved(t("cleared"));
  }

  /** Note what help an instance got. @param {{piece?: string, shown?: boolean}} more a piece that a hint was about, whether a solution was looked at */
  helped({ piece, shown = false }) {
    const { storage, key, assist } = this.app;
    const before = storage.help(key);
    const now = performance.now();
    // What is rounded away counts the next time: hints come quickly one after the other.
    const seconds = Math.round((now - this.since) / 1000);
    const levels = [before.assist, assist].map((level) => ASSIST.indexOf(level));
    storage.writeHelp(key, {
      hints: before.hints + Number(piece !== undefined && !before.pieces.includes(piece)),
      pieces: [...new Set([...before.pieces, ...(piece === undefined ? [] : [piece])])],
      shown: before.shown || shown,
      assist: ASSIST[Math.max(...levels)],
      seconds: before.seconds + seconds,
    });
    this.since += 1000 * seconds;
  }

  /** Help one step further; with all assistance at once, lay the piece that most tilings have. */
  hint() {
    const { game, app } = this;
    if (!game || game.solved) return;
    if (game.hand?.from) this.cancel();
    const { known } = this;
    if (this.searching) {
      this.asked = true;
      redraw(this.advice, t("searching"));
      return;
    }
    this.asked = false;
    if (!known) return;
    const hints = hintsFor(game, known);
    // The number of tilings says already whether there is one; the remedy, which piece.
    // So does a hint's piece that was just laid.
    const from = app.assist === "off" ? Number(this.sure && hints.length > 2) : app.assist === "count" || known.hint < 0 ? 1 : hints.length - 1;
    const step = Math.min(Math.max(this.rung, from), hints.length - 1);
    const { text, cells, lay, remedy } = hints[step];
    // Counted are the pieces that were helped with, not the presses.
    this.helped({ piece: nextPlacement(game, known)?.piece ?? game.placed[game.placed.length - 1]?.piece ?? "" });
    this.rung = step + 1;
    if (lay) {
      this.layHint(known);
      return;
    }
    this.board?.show("lit", (cells ?? []).map((cell) => area(game.lattice, [cell], "lit-cell")));
    redraw(this.advice, text, remedy ? " " : "", ...(remedy ? this.remedy(known) : []));
    // Those who do not see the marked cells hear which they are.
    const where = cells ? ` ${wordsOfCells(game.puzzle.board, cells)}` : "";
    app.announce(`${this.advice.textContent ?? ""}${where}`);
  }

  /** Lay the piece that most tilings have. @param {Position} known */
  layHint(known) {
    const { game } = this;
    const next = game && nextPlacement(game, known);
    if (!game || !next) return;
    const share = this.app.assist === "off" ? "" : t(known.complete ? "share" : "shareMore", {
      piece: next.piece, some: known.counts[known.hint], all: known.tilings,
    });
    game.drop();
    game.move([...game.placed, next]);
    this.helped({});
    this.earned = true;
    this.moved(share ? t("hintShare", { text: share }) : t("hintPlaced", { piece: next.piece }));
    this.earned = false;
    this.sure = true;
    if (!game.solved && share) this.text.textContent = share;
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

  /** Whether letters alone are keys. */
  get hasLetters() {
    return this.app.storage.read("letters") !== "off";
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const { game, board } = this;
    const target = /** @type {Element} */ (event.target);
    if (!game || !board || target.matches("input, select, summary") || target.closest("dialog")) return;
    this.byKeyboard = true;
    const onBoard = target === board.element;
    const letters = this.hasLetters || event.ctrlKey || event.metaKey;
    const letter = letters ? event.key.toLowerCase() : "";
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
    else used = letters && this.takeBy(letter);
    if (used) event.preventDefault();
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
  remove() {
    const { game, cursor } = this;
    if (!game) return;
    const lying = cursor && game.at(cursor);
    if (game.hand) this.putAside();
    else if (lying) {
      game.takeOff([lying.piece]);
      this.moved(t("takenOff", { pieces: lying.piece }));
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
    const label = game.puzzle.board.label(to);
    const cell = label === "*" ? t("blank") : label;
    const placement = game.hand && game.over(to);
    const fits = placement && game.fits(placement);
    let text = cell;
    if (fits && this.known && this.app.assist === "full") {
      text = t("cursorCounts", { cell, n: this.known.counts[game.cover.numberOf(placement.piece, placement.cells)] });
    } else if (placement) text = t(fits ? "cursorFits" : "cursorNoFit", { cell });
    else if (lying) text = t("cursorPiece", { cell, piece: lying.piece });
    else if (!game.instance.open.has(keyOf(to))) text = t("cursorBare", { cell });
    this.app.announce(text);
  }

  enter() {
    const { game } = this;
    if (!game) return;
    if (game.hand) this.lay(game.hand.at ?? this.cursor);
    else if (this.cursor && this.lift(this.cursor)) this.drawHand();
  }
}
