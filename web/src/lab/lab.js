import { h } from "../view/dom.js";
/** The lab. */
export class LabView {
  /** @param {import("../view/app.js").App} app */
  constructor(app) {
    this.app = app;
    this.element = h("div", { class: "lab" });
  }
  /** @param {import("../play/game.js").Game} game */
  open(game) {
    this.game = game;
  }
}
