/** The places of the lab and the model in the page: their views are scripts of their own, run when they are first opened, for players never need them. */

import * as source from "../documents/source.js";
import * as yaml from "../documents/yaml.js";
import * as board from "../problem/board.js";
import * as cover from "../problem/cover.js";
import * as dates from "../problem/dates.js";
import * as errors from "../problem/errors.js";
import * as lattice from "../problem/lattice.js";
import * as address from "../play/address.js";
import * as game from "../play/game.js";
import * as words from "../play/words.js";
import * as text from "../text/text.js";
import data from "../data.json" with { type: "json" };
import { beside, parts, partsInside, textInside } from "../lab/parts.js";
import * as drawn from "./board.js";
import * as dom from "./dom.js";

/** @typedef {import("../play/game.js").Game} Game */
/** @typedef {import("./app.js").App} App */
/** @typedef {import("../more/more.js")} More */
/** @typedef {{open: (game: Game) => void, close?: () => void, shared?: string, lesson?: string}} Inner what a script draws in a place */

/** What these scripts take from the page's, see build.mjs. */
const SHARED = {
  "data.json": data,
  "documents/source.js": source,
  "documents/yaml.js": yaml,
  "play/address.js": address,
  "play/game.js": game,
  "play/words.js": words,
  "problem/board.js": board,
  "problem/cover.js": cover,
  "problem/dates.js": dates,
  "problem/errors.js": errors,
  "problem/lattice.js": lattice,
  "text/text.js": text,
  "view/board.js": drawn,
  "view/dom.js": dom,
};

const global = /** @type {any} */ (globalThis);

/** Run a script that takes from the page. @param {string} script */
function run(script) {
  global.calmipPage = SHARED;
  document.head.append(dom.h("script", {}, script));
}

/** The parts that most visits never open, if they are here. @returns {More | null} */
function moreInside() {
  const inside = textInside("more");
  if (!global.calmipMore && inside) run(inside);
  return global.calmipMore ?? null;
}

/** The parts that most visits never open, from wherever they are. @returns {Promise<More>} */
export async function more() {
  if (!moreInside()) {
    global.calmipPage = SHARED;
    await beside("more.js");
  }
  return global.calmipMore;
}

/** A view that comes with its script. */
class Tab {
  /** @param {App} app @param {string} name */
  constructor(app, name) {
    this.app = app;
    this.name = name;
    this.element = dom.h("div", { class: name });
    /** The view, as soon as it is here. @type {Inner | null} */
    this.view = null;
    /** Whether an address led here, and not the tab: then its puzzle is meant. @type {boolean | null} */
    this.isAsked = null;
  }

  /** @param {Game} game */
  open(game) {
    this.isAsked ??= this.app.lock !== "" || new RegExp(`[#&](?:view|lock)=${this.name}\\b|[#&]lesson=`).test(location.hash);
    this.view ??= this.inside();
    if (this.view) this.view.open(game);
    else void this.fetch();
  }

  /** The view where its script is in the page. @returns {Inner | null} */
  inside() {
    return null;
  }

  /** The view from a script beside the page. @returns {Promise<Inner>} */
  outside() {
    throw new Error(this.name);
  }

  /** Get the script from beside the page. */
  async fetch() {
    try {
      const view = await this.outside();
      this.view ??= view;
      if (this.app.view === this.name) this.view.open(this.app.game);
    } catch (error) {
      this.app.say(error instanceof Error ? error.message : String(error));
    }
  }

  close() {
    this.view?.close?.();
  }

  /** What of the lab an address holds. */
  get shared() {
    return this.app.tree || (this.view?.shared ?? "");
  }
}

/** The lab. */
export class LabTab extends Tab {
  /** The lesson that is shown. */
  get lesson() {
    return this.app.lesson || (this.view?.lesson ?? "");
  }

  inside() {
    const inside = partsInside();
    return inside && this.begin(inside.view);
  }

  async outside() {
    return this.begin((await parts()).view);
  }

  /** Run the lab's script. @param {string} script @returns {Inner} */
  begin(script) {
    if (!global.calmipLabView) run(script);
    return new global.calmipLabView.LabView(this.app, this.element, this.isAsked ?? true);
  }
}

/** The model. */
export class ModelTab extends Tab {
  inside() {
    const found = moreInside();
    return found && new found.ModelView(this.app, this.element, this.isAsked ?? true);
  }

  async outside() {
    return new (await more()).ModelView(this.app, this.element, this.isAsked ?? true);
  }
}
