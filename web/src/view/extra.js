/** What lies folded beside the board: the tilings found, a solution under its cover, the address. */

import { addressOf } from "../play/address.js";
import { streak, TIMES, timesOf } from "../play/record.js";
import { wordsOfPosition } from "../play/words.js";
import { today } from "../problem/dates.js";
import { t } from "../text/text.js";
import { button, download, h, redraw, rest } from "./dom.js";
import { thumbnail } from "./board.js";

/** @typedef {import("../problem/instance.js").Placement} Placement */
/** @typedef {import("../play/game.js").Game} Game */
/** @typedef {import("../search/position.js").Position} Position */
/** @typedef {import("./app.js").App} App */

/** So many of the tilings that were found are drawn, the last ones. */
const PICTURES = 60;

/** Three folded boxes; each is filled when it is looked at. */
export class Extra {
  /**
   * @param {App} app @param {(placed: Placement[]) => void} lay puts a tiling on the board
   * @param {() => void} told notes that a solution was looked at
   */
  constructor(app, lay, told) {
    this.app = app;
    this.lay = lay;
    this.told = told;
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
    this.spoiler = h("details", { class: "spoiler", ontoggle: () => {
      if (this.spoiler.open) this.told();
      this.fillSpoiler();
    } },
      h("summary", {}, t("spoiler")), this.picture);
    this.withSolution = h("input", { type: "checkbox", id: "with-solution", onchange: () => this.fillShare() });
    this.address = h("input", {
      readonly: true, id: "address", "aria-label": t("shareAddress"), onfocus: () => this.address.select(),
    });
    this.code = h("div", {});
    const note = h("span", { class: "quiet", role: "status" });
    const copy = async () => {
      try {
        await navigator.clipboard.writeText(this.address.value);
        note.textContent = t("copied");
      } catch {
        this.address.focus();
        note.textContent = t("pressCopy", { keys: t("keysCopy") });
      }
    };
    this.share = h("details", { class: "share", ontoggle: () => this.fillShare() },
      h("summary", {}, t("shareTitle")),
      h("p", {}, t("shareText")),
      h("div", { class: "row" }, this.address, button(t("copy"), () => void copy()), note),
      h("label", { class: "check" }, this.withSolution, h("span", {}, t("withSolution"))),
      h("div", { class: "row" }, button(t("qr"), () => void app.showCode(this.code, this.address.value)), button(t("print"), () => print())), this.code);
    this.record = h("details", { class: "record", ontoggle: () => this.fillRecord() }, h("summary", {}, t("record")));
    this.facts = h("div", {});
    const file = h("input", {
      type: "file", id: "history", accept: ".json", class: "live",
      onchange: () => void this.addHistory(file),
    });
    this.record.append(this.facts, h("div", { class: "row" },
      button(t("saveHistory"), () => download("calmip-history.json", app.storage.exported(), "application/json")),
      file, h("label", { class: "button", for: "history" }, t("addHistory"))));
    this.rows = h("ul", {});
    this.list = h("details", { class: "listed", ontoggle: () => this.fillList() },
      h("summary", {}, t("asList")), this.rows);
    this.element = h("div", { class: "extra" }, this.found, this.record, this.list, this.spoiler, this.share);
  }

  /** Add the history in a file that was chosen. @param {HTMLInputElement} file */
  async addHistory(file) {
    const { app } = this;
    const [first] = file.files ?? [];
    if (!first) return;
    const text = await first.text();
    app.attempt(() => app.say(t("historyAdded", { n: app.storage.imported(text) })));
    file.value = "";
    this.fillRecord();
  }

  /** Show what there is of a position. @param {Game} game @param {Position | null} known */
  draw(game, known) {
    this.game = game;
    this.known = known;
    const { app, totals } = this;
    if (known?.complete && !game.placed.length) totals.set(app.key, known.tilings);
    const total = app.assist === "off" && !app.storage.found(app.key).size ? undefined : totals.get(app.key);
    const n = app.storage.found(app.key).size;
    this.title.textContent = total === undefined ? t("found", { n }) : t(total && n >= total ? "foundAll" : "foundOf", { n, all: total });
    // Without assistance it is there in a dead end too: else it would give that away.
    const inside = this.spoiler.contains(document.activeElement);
    this.spoiler.hidden = game.solved || (app.assist !== "off" && !app.solution.length && !known?.solution);
    if (inside && this.spoiler.hidden) rest();
    this.fillGallery();
    this.fillSpoiler();
    this.fillShare();
    this.fillRecord();
    this.fillList();
  }

  fillList() {
    const { game } = this;
    if (game && this.list.open) redraw(this.rows, ...wordsOfPosition(game).map((line) => h("li", {}, line)));
  }

  fillRecord() {
    if (!this.record.open) return;
    const { records } = this.app.storage;
    const { now, best } = streak(records, today());
    const own = records.filter(({ hints, shown, assist }) => !hints && !shown && assist === "off");
    const looked = records.filter(({ shown }) => shown);
    const helped = records.length - own.length - looked.length;
    redraw(this.facts,
      h("p", {}, `${t("streak", { now })} ${t("streakMore", { best })}`),
      h("p", {}, t("solvedFacts", { n: records.length, own: own.length, helped, looked: looked.length })),
      ...(records.length ? [h("p", { class: "quiet" }, t("times")), histogram(timesOf(records))] : []));
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
    redraw(this.gallery, ...tilings.map((placed, k) => {
      const item = button("", () => this.lay(placed), { class: "picture", "aria-label": t("layTiling", { n: k + 1 }) });
      item.append(thumbnail(game.puzzle, game.instance.labels, placed, t("tiling", { n: k + 1 })));
      return item;
    }));
  }

  fillSpoiler() {
    const { game } = this;
    if (!game || !this.spoiler.open) return;
    const { solution } = this;
    if (!solution.length) {
      redraw(this.picture, this.known?.complete ? t("noneHasThese") : t("stillRunning"));
      return;
    }
    redraw(this.picture,
      thumbnail(game.puzzle, game.instance.labels, solution, t("solutionPicture")));
  }

  fillShare() {
    const { app, game } = this;
    if (!game || !this.share.open) return;
    const solution = this.withSolution.checked ? this.solution : [];
    redraw(this.code);
    this.address.value = location.href.split("#")[0] + addressOf(game, app.date, { solution });
  }
}

/** Bars of how many puzzles took how long. @param {readonly number[]} numbers */
function histogram(numbers) {
  const names = numbers.map((_, k) => (k < TIMES.length ? `${TIMES[k - 1] ?? 0}–${TIMES[k]}` : `${TIMES[k - 1]}+`));
  return h("div", { class: "curve times", role: "img", "aria-label": names.map((name, k) => t("listed", { what: name, items: numbers[k] })).join(t("comma")) },
    ...numbers.map((n, k) => {
      const bar = h("i", {});
      bar.style.height = `${4 * n / Math.max(...numbers)}rem`;
      return h("span", {}, n ? String(n) : "", bar, names[k]);
    }));
}
