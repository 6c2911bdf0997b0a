/** The frame of the page: which puzzle, which date, which view; messages; what is remembered. */

import { BUNDLED } from "../documents/collection.js";
import { readPlaced, written } from "../documents/placed.js";
import { openPuzzle, sourceKey } from "../documents/source.js";
import { readPuzzle } from "../documents/yaml.js";
import { dateOf, iso, parseDate, realDates, today } from "../problem/dates.js";
import { InputError } from "../problem/errors.js";
import { addressOf, anyGame, gameOfDate, instanceName, readAddress, VIEWS } from "../play/address.js";
import { Game } from "../play/game.js";
import { Storage } from "../play/storage.js";
import { Searcher } from "../search/client.js";
import { ASSIST, nameOfAssist } from "../play/help.js";
import { streak } from "../play/record.js";
import { bestLanguage, dateText, groupName, LANGUAGES, language, speak, t } from "../text/text.js";
import { textures } from "./board.js";
import { button, h, nextTask, redraw, rest, s } from "./dom.js";
import { noticesIn, parts } from "../lab/parts.js";
import { LabTab, ModelTab, more } from "./tabs.js";
import { CHANNELS, isOn } from "./feel.js";
import { Frame } from "./frame.js";
import { Gallery } from "./gallery.js";
import { rulesSheet, showRules } from "./rules.js";
import { PlayView } from "./play.js";
import { YearView } from "./year.js";

/** @typedef {import("../problem/dates.js").Day} Day */
/** @typedef {import("../problem/dates.js").Labels} Labels */
/** @typedef {import("../documents/source.js").Source} Source */
/** @typedef {import("../problem/instance.js").Placement} Placement */
/** @typedef {{element: HTMLElement, open: (game: Game) => void, close?: () => void, refresh?: () => void, steps?: (game: Game) => (() => void)[], shared?: string, lesson?: string}} View `steps` are what can be done before it is opened */

/** What an address says of the language. */
const LANGUAGE = /[#&]lang=[^&]*/;

/** So many moves are remembered. */
const MOVES = 40;

/** Where there is room for one line above the board. The thread that runs this script, too, has no screen. */
const TIGHT = globalThis.matchMedia?.("(max-width: 52rem), (orientation: landscape) and (max-height: 30rem)");

/** The system's colours, or always these. */
const THEMES = ["system", "light", "dark"];

/** The colours of pieces: those of the package, or of these palettes, see build.mjs. */
const TINTS = ["usual", "safe", "plain"];

/** The page. */
export class App {
  constructor() {
    this.messages = h("div", { class: "messages", role: "alert" });
    this.live = h("p", { class: "live", "aria-live": "polite" });
    this.storage = new Storage((message) => this.say(message));
    /** The language that the address asks for, or nothing. */
    this.lang = languageIn(location.hash);
    speak(this.lang || bestLanguage([this.storage.read("language") ?? "", ...navigator.languages]));
    document.documentElement.lang = language();
    // New visitors play for themselves; those who were here before keep what they had.
    const isNew = this.storage.isEmpty;
    const level = this.storage.read("assist") ?? (isNew ? "off" : "full");
    /** What the page shows of itself. */
    this.assist = ASSIST.includes(level) ? level : "full";
    if (!isNew && this.storage.read("assist") === null) this.storage.write("begun", "yes");
    this.storage.write("assist", this.assist);
    this.showTheme(this.theme);
    this.showTints();
    this.searcher = new Searcher();
    /** Whether there is something to write. */
    this.toRemember = false;
    /** The address as this page knows it; another one means that a change is on its way. */
    this.shown = location.hash;
    this.small = /[#&]small\b/.test(location.hash);
    const given = location.hash.replace(/[#&]small=?$/, "");
    const asked = this.lang ? given.replace(LANGUAGE, "") : given;
    // What the writer of this file wanted it to open first.
    const start = JSON.parse(document.getElementById("start")?.textContent || '""');
    const last = this.small || /[#&]lock=/.test(asked) ? "" : puzzleAlone(this.storage.read("address") ?? "");
    const opened = readAddress(asked || start || last);
    this.restore(opened.game);
    /** The view that is being drawn in tasks. @type {object | null} */
    this.drawing = null;
    /** Whether the next address is a place to come back to. */
    this.toPush = false;
    /** The day, until midnight. */
    this.day = iso(today());
    this.game = opened.game;
    this.date = opened.date;
    this.view = opened.view;
    this.lock = opened.lock;
    this.solution = opened.solution;
    /** The game to race against, which a link brought. */
    this.race = opened.race;
    /** Whether a link brought the date, and not the player. */
    this.linked = Boolean(asked);
    /** The lab's tree and lesson that an address asks for. */
    this.tree = opened.tree;
    this.lesson = opened.lesson;
    this.frame = new Frame(this);
    this.menu = h("div", { class: "menu" });
    this.tabs = h("nav", { class: "tabs", "aria-label": t("views") });
    this.main = h("main", { id: "main", tabindex: "-1" });
    this.notices = h("pre", { tabindex: "0" });
    this.rules = rulesSheet();
    this.gallery = new Gallery(this);
    /** @type {import("../more/editor.js").Editor | null} */
    this.editor = null;
    /** @type {Record<string, View>} */
    this.views = {
      play: new PlayView(this), year: new YearView(this), model: new ModelTab(this, "model"), lab: new LabTab(this, "lab"),
    };
    document.body.classList.toggle("small", this.small);
    this.complain(opened);
    this.listen();
  }

  /** Show the page. @param {HTMLElement} root */
  async begin(root) {
    root.replaceChildren(
      h("header", {}, button(t("skip"), () => this.skip(), { class: "skip" }), h("h1", {}, "calmip"), this.menu, this.tabs),
      this.messages, this.main, this.live, this.rules, this.gallery.element);
    await this.drawInTasks();
    // Before the view it would be seen to move.
    root.append(h("footer", {}, h("span", { class: "own" }, t("ownFile")),
      h("details", { class: "notices", ontoggle: () => void this.showNotices() }, h("summary", {}, t("licences")), this.notices)));
    this.frame.ready();
  }

  /** Show the licences, which lie where the solver is. */
  async showNotices() {
    try {
      this.notices.textContent = noticesIn(await parts());
    } catch (error) {
      this.say(error instanceof Error ? error.message : String(error));
    }
  }

  /** Show an address as a QR code. @param {Element} box @param {string} address */
  async showCode(box, address) {
    await this.withMore(({ codePicture }) => redraw(box, codePicture(address)));
  }

  /** Do something with the parts that most visits never open. @param {(parts: import("../more/more.js")) => void} action */
  async withMore(action) {
    try {
      action(await more());
    } catch (error) {
      this.say(error instanceof Error ? error.message : String(error));
    }
  }

  /** Make a puzzle, or change one. @param {import("../problem/puzzle.js").Puzzle} [puzzle] @param {string} [key] under which it is stored, where it is one's own */
  async edit(puzzle, key) {
    await this.withMore(({ Editor }) => {
      if (!this.editor) {
        this.editor = new Editor(this);
        this.rules.after(this.editor.element);
      }
      this.editor.show(puzzle, key);
    });
  }

  /** Show a message until it is closed. @param {string} message @param {HTMLElement | null} [action] a button */
  say(message, action = null) {
    const line = h("p", { class: "message" }, h("span", {}, message), action);
    line.append(h("button", { type: "button", "aria-label": t("closeMessage"), onclick: () => {
      line.remove();
      rest();
    } }, "×"));
    this.messages.append(line);
  }

  /** Say what of an address could not be read, and offer the puzzle that may be meant. @param {import("../play/address.js").Opened} opened */
  complain({ complaints, guess }) {
    const [id, name = ""] = guess;
    complaints.forEach((complaint, k) => this.say(complaint, !k && id ? button(t("playDate", { date: name }), () => this.openSource({ id })) : null));
  }

  /** Leave out the menu: focus the first piece, or what a view begins with. */
  skip() {
    const first = /** @type {HTMLElement | null} */ (this.main.querySelector(".item"));
    if (first) first.focus();
    else rest();
  }

  /** Whether all of the menu is behind one line. */
  get isTight() {
    return TIGHT.matches && !this.lock;
  }

  /** The choice of how much the page shows of itself. */
  assistChoice() {
    return h("select", {
      id: "assist", "aria-label": t("assist"),
      onchange: (/** @type {Event} */ { currentTarget }) => {
        this.assist = /** @type {HTMLSelectElement} */ (currentTarget).value;
        this.storage.write("assist", this.assist);
        this.drawMenu();
        this.views.play.refresh?.();
      },
    }, ...ASSIST.map((level) => h("option", { value: level, selected: level === this.assist },
      t("listed", { what: t("assist"), items: nameOfAssist(level) }))));
  }

  /** Speak another language from now on; the page begins anew where it is. @param {string} code */
  setLanguage(code) {
    this.storage.write("language", code);
    this.lang = code;
    this.toRemember = true;
    this.write();
    location.reload();
  }

  /** The address of what is on the page. */
  get address() {
    const { view, lock } = this;
    const { shared = "", lesson = "" } = view === "lab" ? this.views.lab : {};
    return addressOf(this.game, this.date, { view, lock, race: this.race, lesson, tree: shared }) +
      (this.lang && `&lang=${this.lang}`) + (this.small ? "&small=" : "");
  }

  /** The theme that was chosen. */
  get theme() {
    const theme = this.storage.read("theme") ?? "";
    return THEMES.includes(theme) ? theme : "system";
  }

  /** @param {string} theme */
  showTheme(theme) {
    const { dataset } = document.documentElement;
    if (theme === "system") delete dataset.theme;
    else dataset.theme = theme;
  }

  /** Show the colours and textures of pieces that were chosen. */
  showTints() {
    const { dataset } = document.documentElement;
    const tint = this.storage.read("tint") ?? "";
    dataset.tint = TINTS.includes(tint) ? tint : "usual";
    dataset.textures = this.storage.read("textures") === "on" ? "on" : "off";
    if (dataset.textures === "on" && !document.getElementById("t0")) document.body.append(textures());
  }

  /** Say something to those who do not see the page. @param {string} text */
  announce(text) {
    this.live.textContent = text;
  }

  /** The key of the instance, for what is stored. */
  get key() {
    return keyOfGame(this.game);
  }

  /** The key of the instance with other labels. @param {Game} game @param {Labels} labels */
  keyOf(game, labels) {
    return keyOfGame(game, [...game.puzzle.groups.keys()].map((group) => labels[group]));
  }

  /** Put back what lay on the board when an instance was last played. What an address brings lies above it: Undo leads back. @param {Game} game */
  restore(game) {
    const { moves, moment } = this.movesOf(game);
    const brought = game.history[0];
    if (!moves.length) return;
    // A reload may come before the last move was stored: the address says where the page was.
    const [entry] = performance.getEntriesByType("navigation");
    const isReload = !this.views && location.hash.length > 1 && /** @type {PerformanceNavigationTiming | undefined} */ (entry)?.type === "reload";
    const at = samePlaces(brought, moves[moment]) ? moment
      : isReload ? moves.findLastIndex((placed) => samePlaces(placed, brought)) : -1;
    if (at < 0 && brought.length) {
      game.open([...moves.slice(0, moment + 1), brought], moment + 1);
    } else game.open(moves, at < 0 ? moment : at);
  }

  /** The moves that are stored of an instance, and which was the last; what cannot be read is none. @param {Game} game */
  movesOf(game) {
    const key = keyOfGame(game);
    const { moves, moment } = this.storage.table(`moves.${key}`);
    try {
      if (Array.isArray(moves) && moves.length && moves.length <= MOVES + 1 && Number.isSafeInteger(moment) && moves[Number(moment)] !== undefined) {
        return {
          moves: moves.map((text) => game.instance.withPlaced(readPlaced(game.instance, String(text))).placed),
          moment: Number(moment),
        };
      }
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
    }
    // Pages before this one stored the position alone.
    const before = readAddress(this.storage.read(`position.${key}`) ?? "#", game.source);
    const stands = !before.complaints.length && keyOfGame(before.game) === key && before.game.placed.length;
    return { moves: stands ? before.game.history : [], moment: 0 };
  }

  /** Remember the position, when there is time; the address shows it. */
  remember() {
    if (!this.toRemember) setTimeout(() => this.write());
    this.toRemember = true;
    this.frame.moved();
  }

  /** Write what is to be remembered. */
  write() {
    if (!this.toRemember) return;
    this.toRemember = false;
    const { address } = this;
    try {
      // An address that was just opened is not overwritten before it is read.
      if (location.hash === this.shown) {
        if (this.toPush && address !== this.shown) history.pushState(null, "", address);
        else history.replaceState(null, "", address);
        this.toPush = false;
        this.shown = location.hash;
      }
    } catch {
      // Some browsers refuse this for files; the position is stored all the same.
    }
    this.storage.write(`position.${this.key}`, addressOf(this.game, this.date));
    this.storage.write("address", addressOf(this.game, this.date));
    const { history: all, moment, instance } = this.game;
    const from = Math.max(0, Math.min(moment, all.length - MOVES));
    this.storage.write(`moves.${this.key}`, JSON.stringify({
      moves: all.slice(from, from + MOVES).map((placed) => placed.map((one) => written(instance, one)).join(" ")),
      moment: moment - from,
    }));
  }

  /** Play another instance. @param {Game} game @param {Day | null} date @param {string} [view] */
  play(game, date, view = this.view) {
    this.views[this.view].close?.();
    // What was done before goes to its own address; the way back leads there.
    this.write();
    this.toPush = true;
    this.game = game;
    this.date = date;
    this.view = view;
    this.solution = [];
    this.race = null;
    this.tree = this.lesson = "";
    this.linked = false;
    // Else it lies over the board.
    if (this.isTight) this.fold();
    this.restore(game);
    this.draw();
  }

  /** Show what an address says. @param {import("../play/address.js").Opened} opened @param {boolean} [restore] whether the player's own moves are below it */
  show(opened, restore = true) {
    this.views[this.view].close?.();
    if (restore && (keyOfGame(opened.game) !== this.key || opened.game.placed.length)) this.restore(opened.game);
    const { game, date, view, lock, solution, lesson, tree, race } = opened;
    Object.assign(this, { game, date, view, lock, solution, lesson, tree, race, linked: true });
    this.draw();
  }

  /** Do something that the user may have got wrong. @param {() => void} action */
  attempt(action) {
    this.messages.replaceChildren();
    try {
      action();
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      this.say(error.toString());
      this.drawMenu();
    }
  }

  /** Play the labels of a date. @param {string} text */
  openDate(text) {
    this.attempt(() => {
      const { game, date } = gameOfDate(this.game.source, parseDate(text), this.game.flip);
      this.play(game, date);
    });
  }

  /** Play a choice of labels. @param {Labels} labels @param {string} [view] */
  openLabels(labels, view) {
    this.attempt(() => {
      const date = this.dateFor(labels);
      const name = instanceName(this.game.source, labels, date);
      this.play(new Game(this.game.source, labels, this.game.flip, name), date, view);
    });
  }

  /** A date with these labels, the next from the year of the date on show on; null if there is none. @param {Labels} labels @returns {Day | null} */
  dateFor(labels) {
    try {
      const found = realDates(this.game.puzzle.groups).find((entry) =>
        Object.entries(labels).every(([group, label]) => entry.labels[group] === label));
      return found ? dateOf(found.numbers, this.date ?? today()) : null;
    } catch {
      return null;
    }
  }

  /** Play another puzzle, at the same date where it has it. @param {Source} source @param {boolean} [flip] */
  openSource(source, flip) {
    this.attempt(() => {
      openPuzzle(source);
      let found;
      try {
        found = gameOfDate(source, this.date ?? today(), flip);
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        found = { game: anyGame(source, flip), date: null };
      }
      this.play(found.game, found.date);
    });
  }

  /** Play the puzzle in a file. @param {File} file */
  async openFile(file) {
    const data = new Uint8Array(await file.arrayBuffer());
    this.attempt(() => {
      let yaml;
      try {
        yaml = new TextDecoder("utf-8", { fatal: true }).decode(data);
      } catch {
        throw new InputError(`${file.name}: is not UTF-8 text; save it as UTF-8`);
      }
      this.openYaml(yaml, file.name);
    });
  }

  /** Play the puzzle in a text, and remember it. @param {string} yaml @param {string} file what messages call it */
  openYaml(yaml, file) {
    readPuzzle(yaml, file);
    const source = { yaml, file };
    this.openSource(source);
    if (this.game.source === source) this.storage.write(`own.${sourceKey(source)}`, JSON.stringify(source));
  }

  listen() {
    addEventListener("hashchange", () => {
      // All that is drawn is in one language.
      if (languageIn(location.hash) !== this.lang) {
        location.reload();
        return;
      }
      this.shown = location.hash;
      if (location.hash === this.address) return;
      const opened = readAddress(location.hash, this.game.source);
      this.messages.replaceChildren();
      this.complain(opened);
      this.show(opened);
    });
    // A page that has this one in a frame says "light" or "dark".
    addEventListener("message", ({ source, data }) => {
      if (source === parent && ["light", "dark"].includes(data)) this.showTheme(data);
    });
    // What is below stays as it is: the row of a model, the tree of the lab.
    TIGHT.addEventListener("change", () => {
      this.drawHead();
      this.views.play.refresh?.();
    });
    // Esc and a press elsewhere close a menu.
    addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.fold()) event.stopPropagation();
    }, { capture: true });
    addEventListener("pointerdown", ({ target }) => {
      if (!this.menu.querySelector("details[open]")?.contains(/** @type {Node} */ (target))) this.fold();
    });
    addEventListener("pagehide", () => this.write());
    setInterval(() => this.midnight(), 20_000);
    addEventListener("visibilitychange", () => this.midnight());
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => {
      event.preventDefault();
      const file = event.dataTransfer?.files[0];
      if (file && !this.lock) void this.openFile(file);
    });
    addEventListener("paste", ({ clipboardData, target }) => {
      if (this.lock || (target instanceof Element && target.matches("input, textarea"))) return;
      const file = clipboardData?.files[0];
      const text = clipboardData?.getData("text/plain") ?? "";
      if (file) void this.openFile(file);
      else if (text.trim()) this.attempt(() => this.openYaml(text, "pasted.yaml"));
    });
    addEventListener("error", (event) =>
      this.say(t("failed", { why: event.message })));
    addEventListener("unhandledrejection", (event) =>
      this.say(t("failed", { why: String(event.reason) })));
  }

  /** Go on with the new day; where a piece lies or another date is open, offer it. */
  midnight() {
    const [before, now] = [this.day, iso(today())];
    if (before === now) return;
    this.day = now;
    if (!this.date || iso(this.date) !== before) return;
    if (!this.game.placed.length && !this.game.hand) this.openDate(now);
    else {
      const go = button(t("playDate", { date: now }), () => this.openDate(now));
      this.say(t("newDay"), go);
    }
  }

  /** Draw everything anew, the view in tasks of its own. What was shown stays until all of it is there. */
  async drawInTasks() {
    const { game, view } = this;
    const drawing = this.drawing = {};
    this.drawHead();
    this.main.ariaBusy = "true";
    for (const step of [...this.views[view].steps?.(game) ?? [], () => this.drawView()]) {
      await nextTask();
      // It was asked for again, or something else was opened meanwhile, and is shown.
      if (this.drawing !== drawing) return;
      step();
    }
  }

  /** Draw everything anew. */
  draw() {
    this.drawHead();
    this.drawView();
  }

  /** Draw the view that is open. */
  drawView() {
    this.drawing = null;
    const view = this.views[this.view];
    const inside = this.main.contains(document.activeElement);
    if (this.main.firstChild !== view.element) this.main.replaceChildren(view.element);
    this.main.ariaBusy = null;
    view.open(this.game);
    if (inside && !this.main.contains(document.activeElement)) rest();
    document.title = `${this.game.puzzle.name}: ${Object.values(this.game.labels).join(" ")} - calmip`;
    this.remember();
  }

  /** Draw what is above each view. */
  drawHead() {
    document.body.classList.toggle("locked", Boolean(this.lock));
    this.drawMenu();
    // One place alone has the name of the views.
    this.tabs.hidden = this.isTight;
    redraw(this.tabs, ...(this.isTight ? [] : this.viewButtons()));
  }

  /** The buttons of the views, and of the rules. */
  viewButtons() {
    /** @type {Record<string, string>} */
    const titles = { play: t("play"), year: t("year"), model: t("model"), lab: t("lab") };
    return [...VIEWS.filter(() => !this.lock).map((view) =>
      h("button", {
        type: "button", "data-key": view,
        "aria-current": view === this.view ? "page" : null,
        onclick: () => {
          this.views[this.view].close?.();
          this.game.act({ do: "drop" });
          this.write();
          this.toPush = this.view !== view;
          this.view = view;
          if (this.views[view].steps && this.main.firstChild !== this.views[view].element) void this.drawInTasks();
          else this.draw();
        },
      }, titles[view])),
    h("button", {
      type: "button", class: "help", "data-key": "?", "aria-label": t("help"), onclick: () => showRules(this.rules),
    }, "?")];
  }

  /** Close the menu; a focus in it stays at its head. Whether it was open. */
  fold() {
    const open = this.menu.querySelector("details[open]");
    if (!open) return false;
    const inside = open.contains(document.activeElement);
    open.removeAttribute("open");
    if (inside) open.querySelector("summary")?.focus({ preventScroll: true });
    return true;
  }

  /** What is played, in a line: puzzle, date, streak. */
  title() {
    const { now } = streak(this.storage.records, today());
    const what = this.date ? dateText(this.date, today()) : Object.values(this.game.labels).join(" ");
    return h("span", { class: "title" }, h("b", {}, this.game.puzzle.name), h("span", {}, what),
      now ? h("span", { class: "streak", role: "img", "aria-label": t("streak", { now }) },
        s("svg", { viewBox: "0 0 8 10", "aria-hidden": "true" }, s("path", { d: "M4 0C5 2 7.5 3.6 7.5 6.5A3.5 3.5 0 0 1 .5 6.5C.5 5 1.4 4 2 3.2 2.2 4.2 2.6 4.6 3 4.8 3 3 3 1.4 4 0Z" })), String(now)) : null);
  }

  drawMenu() {
    if (this.lock) {
      redraw(this.menu);
      return;
    }
    const { source, puzzle, labels } = this.game;
    const own = "id" in source ? [] : [h("option", { value: "", selected: true }, puzzle.name)];
    // A redraw keeps the elements that are there: what was chosen is read off the event.
    const chosen = (/** @type {Event} */ event) => /** @type {HTMLInputElement} */ (event.currentTarget);
    const choose = h("select", {
      id: "puzzle",
      onchange: (/** @type {Event} */ event) => chosen(event).value && this.openSource({ id: chosen(event).value }),
    },
      ...own,
      ...BUNDLED.map(([id, name]) => h("option", { value: id, selected: "id" in source && source.id === id }, name)));
    const file = h("input", {
      type: "file", id: "file", accept: ".yaml,.yml", class: "live",
      onchange: (/** @type {Event} */ event) => {
        const [first] = chosen(event).files ?? [];
        if (first) void this.openFile(first);
      },
    });
    const date = h("input", {
      type: "date", id: "date", value: this.date ? iso(this.date) : "",
      onchange: (/** @type {Event} */ event) => chosen(event).value && this.openDate(chosen(event).value),
    });
    const day = (/** @type {number} */ step) => {
      const { year, month, day: from } = this.date ?? today();
      const moved = new Date(Date.UTC(year, month - 1, from + step));
      this.openDate(moved.toISOString().slice(0, 10));
    };
    const groups = [...puzzle.groups].map(([group, all]) => {
      const pick = h("select", {
        id: `group-${group}`,
        onchange: (/** @type {Event} */ event) => this.openLabels({ ...this.game.labels, [group]: chosen(event).value }),
      }, ...all.map((label) => h("option", { value: label, selected: labels[group] === label }, label)));
      return h("label", { class: "group" }, h("span", {}, `${groupName(group)} `), pick);
    });
    const check = (/** @type {string} */ id, /** @type {string} */ text, /** @type {boolean} */ checked, /** @type {(checked: boolean) => void} */ set) =>
      h("label", { class: "check" },
        h("input", { type: "checkbox", id, checked, onchange: (/** @type {Event} */ event) => set(chosen(event).checked) }), h("span", {}, text));
    const pick = (/** @type {string} */ id, /** @type {string} */ text, /** @type {readonly (readonly string[])[]} */ options, /** @type {string} */ now, /** @type {(value: string) => void} */ set) =>
      h("label", { class: "check" }, h("span", {}, text),
        h("select", { id, onchange: (/** @type {Event} */ event) => set(chosen(event).value) },
          ...options.map(([value, name]) => h("option", { value, lang: id === "language" && value, selected: value === now }, name))));
    const keep = (/** @type {string} */ id) => (/** @type {boolean} */ checked) => this.storage.write(id, checked ? "on" : "off");
    /** @type {Record<string, string>} */
    const names = { system: t("system"), light: t("light"), dark: t("dark"), sound: t("sound"), vibration: t("vibration") };
    const { isTight } = this;
    const what = [
      h("label", { class: "wide" }, h("span", { class: "live" }, t("puzzle")), choose),
      h("button", { type: "button", "data-key": "gallery", onclick: () => this.gallery.show() }, t("allPuzzles")),
      h("span", { class: "dates" },
        h("button", { type: "button", "aria-label": t("dayBefore"), onclick: () => day(-1) }, "‹"),
        h("label", {}, h("span", { class: "live" }, t("date")), date),
        h("button", { type: "button", "aria-label": t("dayAfter"), onclick: () => day(1) }, "›"),
        h("button", { type: "button", onclick: () => this.openDate(iso(today())) }, t("today"))),
    ];
    redraw(this.menu, ...(isTight ? [] : what),
      h("details", { class: "more" }, isTight ? h("summary", {}, this.title(), h("span", { class: "live" }, t("more"))) : h("summary", {}, t("more")),
        h("div", { class: "box", onclick: (/** @type {MouseEvent} */ { target }) => target instanceof HTMLButtonElement && isTight && this.fold() },
          ...(isTight ? [h("nav", { class: "tabs", "aria-label": t("views") }, ...this.viewButtons()), ...what, this.assistChoice()] : []),
          h("span", { class: "groups" }, ...groups),
          check("flip", t("mayFlip"), this.game.flip, (checked) => this.attempt(() =>
            this.play(new Game(source, labels, checked, instanceName(source, labels, this.date)), this.date))),
          check("letters", t("letters", { keys: "R, F, Z, Y, H" }), this.storage.read("letters") !== "off", keep("letters")),
          ...CHANNELS.map((one) => check(one, names[one], isOn(this.storage, one), keep(one))),
          pick("theme", t("theme"), THEMES.map((one) => [one, names[one]]), this.theme, (theme) => {
            this.storage.write("theme", theme);
            this.showTheme(this.theme);
          }),
          pick("tint", t("tints"), [["usual", t("tintUsual")], ["safe", t("tintSafe")], ["plain", t("tintPlain")]], document.documentElement.dataset.tint ?? "", (tint) => {
            this.storage.write("tint", tint);
            this.showTints();
            this.draw();
          }),
          check("textures", t("textures"), this.storage.read("textures") === "on", (isOn) => {
            keep("textures")(isOn);
            this.showTints();
            this.draw();
          }),
          pick("language", t("language"), LANGUAGES, language(), (code) => this.setLanguage(code)),
          file, h("label", { class: "file button", for: "file" }, t("openOwn")))));
  }
}

/** @param {Game} game @param {string[]} [labels] */
const keyOfGame = (game, labels = Object.values(game.labels)) =>
  [sourceKey(game.source), game.flip ? "" : "no-flip", ...labels].join("|");

/** Whether two positions are one. @param {readonly Placement[]} one @param {readonly Placement[]} other */
const samePlaces = (one, other) => {
  const words = (/** @type {readonly Placement[]} */ placed) => placed.map(({ piece, cells }) => `${piece} ${cells.join(" ")}`).sort().join();
  return words(one) === words(other);
};

/** The language that an address asks for, or nothing. @param {string} hash */
const languageIn = (hash) => {
  const code = LANGUAGE.exec(hash)?.[0].slice("&lang=".length) ?? "";
  return LANGUAGES.some(([one]) => one === code) ? code : "";
};

/** The puzzle of an address alone: who comes back another day plays that day. @param {string} address */
const puzzleAlone = (address) =>
  address.split("&").filter((part) => /^#?(?:puzzle|file|yaml|flip)=/.test(part)).join("&");
