/**
 * The page in a frame of another one: what that page asks by `postMessage`, and what it is told.
 * docs/how-to/embed.md has the messages.
 */

import { addressOf, parametersOf, readAddress } from "../play/address.js";

/** @typedef {import("./app.js").App} App */

/** The version of the messages; another one may break what understands this one. */
const VERSION = 1;

/** What a message may set, in the words of the address, and what each of them makes void. @type {Record<string, string[]>} */
const SETTABLE = {
  puzzle: ["file", "yaml", "date", "reveal", "flip", "placed"],
  file: [],
  yaml: ["puzzle", "date", "reveal", "flip", "placed"],
  date: ["reveal", "placed"],
  reveal: ["date", "placed"],
  flip: ["placed"],
  placed: [],
  view: [],
};

/** The page around this one. */
export class Frame {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** The position that was told last, with its instance. */
    this.told = "";
    if (parent === window) return;
    addEventListener("message", ({ source, data }) => {
      if (source === parent && data && typeof data === "object" && "calmip" in data) this.hear(data);
    });
  }

  /** What is on the page. */
  state() {
    const { game, date, view, lock } = this.app;
    const given = parametersOf(addressOf(game, date, { view }), []);
    return {
      puzzle: given.get("puzzle") ?? given.get("file"),
      date: given.get("date") ?? null,
      labels: game.labels,
      placed: given.get("placed") ?? "",
      pieces: [game.placed.length, game.puzzle.use ?? game.puzzle.pieces.length],
      view: lock || view,
      solved: game.solved,
    };
  }

  /** Tell the page around that something happened. @param {string} event @param {object} [more] */
  tell(event, more = {}) {
    // It may be anybody's, and hears only what its reader sees.
    if (parent !== window) parent.postMessage({ calmip: event, ...this.state(), ...more }, "*");
  }

  /** The page is ready: from now on it hears. */
  ready() {
    this.told = this.position;
    this.tell("ready", { version: VERSION });
  }

  /** The instance and what lies on it. */
  get position() {
    return `${this.app.key} ${this.state().placed}`;
  }

  /** Tell of a position that is another one. */
  moved() {
    if (parent === window || !this.told || this.told === this.position) return;
    this.told = this.position;
    this.tell("placed");
  }

  /** @param {Record<string, unknown>} message */
  hear(message) {
    const answer = (/** @type {string} */ word, more = {}) => this.tell(word, { id: message.id ?? null, ...more });
    if (message.calmip === "get") answer("state");
    else if (message.calmip === "set") {
      const complaints = this.set(message);
      if (complaints.length) answer("error", { messages: complaints });
      else answer("state");
    } else answer("error", { messages: [`'${String(message.calmip)}' is not a message; send get or set`] });
  }

  /** Open what a message asks for, or nothing if it cannot be read. @param {Record<string, unknown>} message @returns {string[]} what is wrong with it */
  set(message) {
    const { app } = this;
    const asked = Object.entries(message).filter(([key]) => key !== "calmip" && key !== "id");
    const words = Object.keys(SETTABLE).join(", ");
    for (const [key, value] of asked) {
      if (!(key in SETTABLE)) return [`a message cannot set '${key}'; it may set ${words}`];
      if (typeof value !== "string" && !(key === "flip" && typeof value === "boolean")) return [`${key} is not a text`];
    }
    const given = parametersOf(addressOf(app.game, app.date, { view: app.view }), []);
    for (const [key] of asked) SETTABLE[key].forEach((other) => given.delete(other));
    for (const [key, value] of asked) given.set(key, String(value));
    const view = given.get("view") ?? "play";
    if (app.lock) {
      // Who locked this page may lock it to another view.
      given.delete("view");
      given.set("lock", view);
    }
    const hash = [...given].map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join("&");
    const opened = readAddress(`#${hash}`, app.game.source);
    if (opened.complaints.length) return opened.complaints;
    // A position that is named is shown as it is; else the player's own is taken up again.
    app.show(opened, !("placed" in message));
    return [];
  }
}
