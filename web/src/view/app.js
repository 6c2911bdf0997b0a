/** The frame of the page: which puzzle, which date, which view; messages; what is remembered. */

import { BUNDLED } from "../documents/collection.js";
import { openPuzzle, sourceKey } from "../documents/source.js";
import { readPuzzle } from "../documents/yaml.js";
import { dateOf, iso, parseDate, realDates, today } from "../problem/dates.js";
import { InputError } from "../problem/errors.js";
import { addressOf, anyGame, gameOfDate, instanceName, readAddress, VIEWS } from "../play/address.js";
import { Game } from "../play/game.js";
import { Storage } from "../play/storage.js";
import { Searcher } from "../search/client.js";
import { LabView } from "../lab/lab.js";
import { h } from "./dom.js";
import { ModelView } from "./model.js";
import { PlayView } from "./play.js";
import { YearView } from "./year.js";

/** @typedef {import("../problem/dates.js").Day} Day */
/** @typedef {import("../problem/dates.js").Labels} Labels */
/** @typedef {import("../documents/source.js").Source} Source */
/** @typedef {{element: HTMLElement, open: (game: Game) => void, close?: () => void}} View */

const TITLES = { play: "Play", year: "The year", model: "The model", lab: "The lab" };

/** The page. */
export class App {
  /** @param {HTMLElement} root @param {string} script the text of the page's script, for its threads */
  constructor(root, script) {
    this.messages = h("div", { class: "messages", role: "alert" });
    this.live = h("p", { class: "live", "aria-live": "polite" });
    this.storage = new Storage((message) => this.say(message));
    this.script = script;
    this.searcher = new Searcher(script);
    /** Whether there is something to write. */
    this.toRemember = false;
    /** The address as this page knows it; another one means that a change is on its way. */
    this.shown = location.hash;
    this.small = /[#&]small\b/.test(location.hash);
    const asked = location.hash.replace(/[#&]small=?$/, "");
    // What the writer of this file wanted it to open first.
    const start = JSON.parse(document.getElementById("start")?.textContent || '""');
    const last = this.small ? "" : puzzleAlone(this.storage.read("address") ?? "");
    const opened = readAddress(asked || start || last);
    if (!asked) this.restore(opened.game);
    this.game = opened.game;
    this.date = opened.date;
    this.view = opened.view;
    this.solution = opened.solution;
    this.menu = h("div", { class: "menu" });
    this.tabs = h("nav", { class: "tabs", "aria-label": "Views" });
    this.main = h("main", { id: "main" });
    /** @type {Record<string, View>} */
    this.views = {
      play: new PlayView(this), year: new YearView(this), model: new ModelView(this), lab: new LabView(this),
    };
    root.replaceChildren(
      h("header", {}, h("h1", {}, "calmip"), this.menu, this.tabs),
      this.messages, this.main, this.live,
      h("footer", {}, "Drop the YAML file of your own puzzle anywhere on this page. Nothing leaves your computer.",
        h("details", { class: "notices" }, h("summary", {}, "Licences"),
          h("pre", { tabindex: "0" }, document.getElementById("notices")?.textContent ?? ""))));
    document.body.classList.toggle("small", this.small);
    for (const complaint of opened.complaints) this.say(complaint);
    this.listen();
    this.draw();
  }

  /** Show a message until it is closed. @param {string} message */
  say(message) {
    const line = h("p", { class: "message" }, h("span", {}, message));
    line.append(h("button", { type: "button", "aria-label": "Close this message", onclick: () => line.remove() }, "×"));
    this.messages.append(line);
  }

  /** Say something to those who do not see the page. @param {string} text */
  announce(text) {
    this.live.textContent = text;
  }

  /** The key of the instance, for what is stored. */
  get key() {
    return keyOfGame(this.game);
  }

  /** Put back what lay on the board when an instance was last played. @param {Game} game */
  restore(game) {
    const address = this.storage.read(`position.${keyOfGame(game)}`);
    if (!address) return;
    const before = readAddress(address, game.source);
    if (!before.complaints.length && before.game.placed.length) game.history = before.game.history;
  }

  /** Remember the position, when there is time; the address shows it. */
  remember() {
    if (!this.toRemember) setTimeout(() => this.write());
    this.toRemember = true;
  }

  /** Write what is to be remembered. */
  write() {
    if (!this.toRemember) return;
    this.toRemember = false;
    const address = addressOf(this.game, this.date, { view: this.view }) + (this.small ? "&small=" : "");
    try {
      // An address that was just opened is not overwritten before it is read.
      if (location.hash === this.shown) {
        history.replaceState(null, "", address);
        this.shown = location.hash;
      }
    } catch {
      // Some browsers refuse this for files; the position is stored all the same.
    }
    this.storage.write(`position.${this.key}`, addressOf(this.game, this.date));
    this.storage.write("address", addressOf(this.game, this.date));
  }

  /** Play another instance. @param {Game} game @param {Day | null} date @param {string} [view] */
  play(game, date, view = this.view) {
    this.views[this.view].close?.();
    this.game = game;
    this.date = date;
    this.view = view;
    this.solution = [];
    this.restore(game);
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
      let yaml = "";
      try {
        yaml = new TextDecoder("utf-8", { fatal: true }).decode(data);
      } catch {
        throw new InputError(`${file.name}: is not UTF-8 text; save it as UTF-8`);
      }
      readPuzzle(yaml, file.name);
      this.openSource({ yaml, file: file.name });
    });
  }

  listen() {
    addEventListener("hashchange", () => {
      this.shown = location.hash;
      if (location.hash === addressOf(this.game, this.date, { view: this.view })) return;
      const opened = readAddress(location.hash, this.game.source);
      this.messages.replaceChildren();
      for (const complaint of opened.complaints) this.say(complaint);
      this.views[this.view].close?.();
      Object.assign(this, { game: opened.game, date: opened.date, view: opened.view, solution: opened.solution });
      this.draw();
    });
    // A page that has this one in a frame says "light" or "dark".
    addEventListener("message", ({ source, data }) => {
      if (source === parent && ["light", "dark"].includes(data)) document.documentElement.dataset.theme = data;
    });
    addEventListener("pagehide", () => this.write());
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => {
      event.preventDefault();
      const file = event.dataTransfer?.files[0];
      if (file) void this.openFile(file);
    });
    addEventListener("error", (event) =>
      this.say(`Something went wrong on this page (${event.message}); reload it, your position is kept.`));
    addEventListener("unhandledrejection", (event) =>
      this.say(`Something went wrong on this page (${event.reason}); reload it, your position is kept.`));
  }

  /** Draw everything anew. */
  draw() {
    this.drawMenu();
    this.tabs.replaceChildren(...VIEWS.map((view) =>
      h("button", {
        type: "button",
        "aria-current": view === this.view ? "page" : null,
        onclick: () => {
          this.views[this.view].close?.();
          this.game.drop();
          this.view = view;
          this.draw();
        },
      }, TITLES[/** @type {keyof typeof TITLES} */ (view)])));
    const view = this.views[this.view];
    this.main.replaceChildren(view.element);
    view.open(this.game);
    document.title = `${this.game.puzzle.name}: ${Object.values(this.game.labels).join(" ")} - calmip`;
    this.remember();
  }

  drawMenu() {
    const { source, puzzle, labels } = this.game;
    const own = "id" in source ? [] : [h("option", { value: "", selected: true }, puzzle.name)];
    const choose = h("select", { id: "puzzle", onchange: () => choose.value && this.openSource({ id: choose.value }) },
      ...own,
      ...BUNDLED.map(([id, name]) => h("option", { value: id, selected: "id" in source && source.id === id }, name)));
    const file = h("input", {
      type: "file", id: "file", accept: ".yaml,.yml", class: "live",
      onchange: () => file.files?.[0] && void this.openFile(file.files[0]),
    });
    const date = h("input", {
      type: "date", id: "date", value: this.date ? iso(this.date) : "",
      onchange: () => date.value && this.openDate(date.value),
    });
    const day = (/** @type {number} */ step) => {
      const { year, month, day: from } = this.date ?? today();
      const moved = new Date(Date.UTC(year, month - 1, from + step));
      this.openDate(moved.toISOString().slice(0, 10));
    };
    const groups = [...puzzle.groups].map(([group, all]) => {
      const pick = h("select", {
        id: `group-${group}`,
        onchange: () => this.openLabels({ ...this.game.labels, [group]: pick.value }),
      }, ...all.map((label) => h("option", { value: label, selected: labels[group] === label }, label)));
      return h("label", { class: "group" }, h("span", {}, `${group} `), pick);
    });
    const flip = h("input", {
      type: "checkbox", checked: this.game.flip,
      onchange: () => this.attempt(() => {
        const name = instanceName(source, labels, this.date);
        this.play(new Game(source, labels, flip.checked, name), this.date);
      }),
    });
    const open = Boolean(this.menu.querySelector("details")?.open);
    this.menu.replaceChildren(
      h("label", { class: "wide" }, h("span", { class: "live" }, "puzzle"), choose),
      h("span", { class: "dates" },
        h("button", { type: "button", "aria-label": "The day before", onclick: () => day(-1) }, "‹"),
        h("label", {}, h("span", { class: "live" }, "date"), date),
        h("button", { type: "button", "aria-label": "The day after", onclick: () => day(1) }, "›")),
      h("details", { class: "more", open }, h("summary", {}, "More"),
        h("div", { class: "box" },
          h("span", { class: "groups" }, ...groups),
          h("label", { class: "check" }, flip, h("span", {}, "pieces may be turned over")),
          file, h("label", { class: "file button", for: "file" }, "Open your own puzzle (YAML)…"))));
  }
}

/** @param {Game} game */
const keyOfGame = (game) =>
  [sourceKey(game.source), game.flip ? "" : "no-flip", ...Object.values(game.labels)].join("|");

/** The puzzle of an address alone: who comes back another day plays that day. @param {string} address */
const puzzleAlone = (address) =>
  address.split("&").filter((part) => /^#?(?:puzzle|file|yaml|flip)=/.test(part)).join("&");
