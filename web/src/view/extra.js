/** What lies folded beside the board: the tilings found, a solution under its cover, the address. */

import { addressOf } from "../play/address.js";
import { button, grouped, h } from "./dom.js";
import { thumbnail } from "./board.js";

/** @typedef {import("../problem/instance.js").Placement} Placement */
/** @typedef {import("../play/game.js").Game} Game */
/** @typedef {import("../search/position.js").Position} Position */
/** @typedef {import("./app.js").App} App */

/** So many of the tilings that were found are drawn, the last ones. */
const PICTURES = 60;

/** Three folded boxes; each is filled when it is looked at. */
export class Extra {
  /** @param {App} app @param {(placed: Placement[]) => void} lay puts a tiling on the board */
  constructor(app, lay) {
    this.app = app;
    this.lay = lay;
    /** @type {Game | null} */
    this.game = null;
    /** @type {Position | null} */
    this.known = null;
    /** How many tilings there are of the instances that were counted. @type {Map<string, number>} */
    this.totals = new Map();
    this.title = h("summary", {});
    this.gallery = h("div", { class: "gallery" });
    this.found = h("details", { class: "found", ontoggle: () => this.fillGallery() }, this.title, this.gallery);
    this.picture = h("div", {});
    this.spoiler = h("details", { class: "spoiler", ontoggle: () => this.fillSpoiler() },
      h("summary", {}, "A solution from here (spoiler)"), this.picture);
    this.withSolution = h("input", { type: "checkbox", id: "with-solution", onchange: () => this.fillShare() });
    this.address = h("input", {
      readonly: true, id: "address", "aria-label": "The address of this position", onfocus: () => this.address.select(),
    });
    const note = h("span", { class: "quiet", role: "status" });
    const copy = async () => {
      try {
        await navigator.clipboard.writeText(this.address.value);
        note.textContent = "copied";
      } catch {
        this.address.focus();
        note.textContent = "press Ctrl+C";
      }
    };
    this.share = h("details", { class: "share", ontoggle: () => this.fillShare() },
      h("summary", {}, "Share"),
      h("p", {}, "This address holds the puzzle, the date and the position."),
      h("div", { class: "row" }, this.address, button("Copy", copy), note),
      h("label", { class: "check" }, this.withSolution, h("span", {}, "with a solution in it")),
      button("Print", () => print()));
    this.element = h("div", { class: "extra" }, this.found, this.spoiler, this.share);
  }

  /** Show what there is of a position. @param {Game} game @param {Position | null} known */
  draw(game, known) {
    this.game = game;
    this.known = known;
    const { app, totals } = this;
    if (known?.complete && !game.placed.length) totals.set(app.key, known.tilings);
    const total = totals.get(app.key);
    this.title.textContent =
      `Found ${app.storage.found(app.key).size}${total === undefined ? "" : ` of ${grouped(total)}`}`;
    this.spoiler.hidden = !this.solution.length || !game.left.length;
    this.fillGallery();
    this.fillSpoiler();
    this.fillShare();
  }

  /** Put the cover back on the solution. */
  cover() {
    this.spoiler.open = false;
  }

  /** A tiling that has what lies on the board: the sender's, or the first one found. */
  get solution() {
    const { app, game, known } = this;
    if (app.solution.length) return app.solution;
    return game && known?.solution ? game.placementsOf(known.solution) : [];
  }

  fillGallery() {
    const { app, game } = this;
    if (!game || !this.found.open) return;
    const keys = [...app.storage.found(app.key)].slice(-PICTURES);
    const tilings = keys.map((key) => game.tilingOf(key)).filter((placed) => placed !== null);
    this.gallery.replaceChildren(...tilings.map((placed, k) => {
      const item = button("", () => this.lay(placed), { class: "picture", "aria-label": `Lay tiling ${k + 1}` });
      item.append(thumbnail(game.puzzle, game.instance.labels, placed, `Tiling ${k + 1}`));
      return item;
    }));
  }

  fillSpoiler() {
    const { game, solution } = this;
    if (!game || !this.spoiler.open || !solution.length) return;
    this.picture.replaceChildren(
      thumbnail(game.puzzle, game.instance.labels, solution, "A tiling that has all pieces on the board"));
  }

  fillShare() {
    const { app, game } = this;
    if (!game || !this.share.open) return;
    const solution = this.withSolution.checked ? this.solution : [];
    this.address.value = location.href.split("#")[0] + addressOf(game, app.date, { solution });
  }
}
