/** The lab's place in the page: its view is a script of its own, run when it is first opened, for players never need it. */

import * as cover from "../problem/cover.js";
import * as lattice from "../problem/lattice.js";
import * as text from "../text/text.js";
import * as game from "../play/game.js";
import { parts, partsInside } from "../lab/parts.js";
import * as board from "./board.js";
import * as dom from "./dom.js";

/** @typedef {import("../play/game.js").Game} Game */
/** @typedef {import("../lab/lab.js").LabView} LabView */
/** @typedef {import("./app.js").App} App */

/** What the lab's script takes from the page's, see build.mjs. */
const SHARED = {
  "play/game.js": game,
  "problem/cover.js": cover,
  "problem/lattice.js": lattice,
  "text/text.js": text,
  "view/board.js": board,
  "view/dom.js": dom,
};

/** The lab, as soon as it is here. */
export class LabTab {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.element = dom.h("div", { class: "lab" });
    /** @type {LabView | null} */
    this.view = null;
    /** Whether an address led here, and not the tab: then its puzzle is meant. @type {boolean | null} */
    this.isAsked = null;
  }

  /** @param {Game} game */
  open(game) {
    this.isAsked ??= this.app.lock !== "" || /[#&](?:view|lock)=lab\b/.test(location.hash);
    const inside = this.view ? null : partsInside();
    if (inside) this.begin(inside.view);
    if (this.view) this.view.open(game);
    else void this.fetch();
  }

  /** Get the script from beside the page. */
  async fetch() {
    try {
      const { view } = await parts();
      this.begin(view);
      if (this.app.view === "lab") this.view?.open(this.app.game);
    } catch (error) {
      this.app.say(error instanceof Error ? error.message : String(error));
    }
  }

  /** Run the lab's script. @param {string} script */
  begin(script) {
    if (this.view) return;
    const global = /** @type {any} */ (globalThis);
    global.calmipPage = SHARED;
    document.head.append(dom.h("script", {}, script));
    this.view = new global.calmipLabView.LabView(this.app, this.element, this.isAsked ?? true);
  }

  close() {
    this.view?.close();
  }

  /** What of the lab an address holds. */
  get shared() {
    return this.app.tree || (this.view?.shared ?? "");
  }
}
