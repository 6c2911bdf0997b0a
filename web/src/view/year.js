/** The year: how many tilings every date has, as a heat-map that is counted in the page. */

import { hasYear } from "../search/year.js";
import { Searcher } from "../search/client.js";
import { button, counted, h } from "./dom.js";

/** @typedef {import("../play/game.js").Game} Game */
/** @typedef {import("../search/year.js").Year} Year */
/** @typedef {import("../search/year.js").Entry} Entry */
/** @typedef {import("./app.js").App} App */

/** From few tilings to many; the ink on the first three is light. */
const SHADES = ["#3b1f5e", "#5a3286", "#8a4f9e", "#c77fa8", "#eeb09b", "#f6d79a", "#fbf3c4"];
const LIGHT_INK = 3;

/** The heat-map of all dates. */
export class YearView {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.element = h("div", { class: "year" });
    /** Years that were counted, by puzzle and the other labels. @type {Map<string, Year>} */
    this.counted = new Map();
    /** @type {Searcher | null} */
    this.searcher = null;
  }

  /** @param {Game} game */
  open(game) {
    const { puzzle } = game;
    if (!hasYear(puzzle)) {
      this.element.replaceChildren(h("p", {}, `${puzzle.name} has no months and days, so it has no year.`));
      return;
    }
    const others = [...puzzle.groups.keys()].filter((group) => group !== "month" && group !== "day");
    const fixed = Object.fromEntries(others.map((group) => [group, game.labels[group]]));
    this.progress = h("progress", { max: 1, value: 0, "aria-label": "How far the count is" });
    this.facts = h("div", { class: "facts" });
    this.grid = h("div", { class: "year-grid", role: "group", "aria-label": "Tilings of every date" });
    const when = others.length ? ` with ${others.map((group) => fixed[group]).join(" ")}` : "";
    this.element.replaceChildren(
      h("h2", {}, `How many tilings has each date${when}?`),
      h("p", { class: "quiet" }, "Counted here, now. A date is a button: it opens that day's puzzle."),
      ...others.map((group) => {
        const pick = h("select", { id: `year-${group}`, onchange: () =>
          this.app.openLabels({ ...game.labels, [group]: pick.value }, "year") },
        ...(puzzle.groups.get(group) ?? []).map((label) =>
          h("option", { value: label, selected: label === fixed[group] }, label)));
        return h("label", {}, `${group} `, pick);
      }),
      this.progress, this.facts, this.grid);
    const key = JSON.stringify([game.source, game.flip, fixed]);
    const known = this.counted.get(key);
    if (known) {
      this.show(game, known, true);
      return;
    }
    this.searcher ??= new Searcher(this.app.script);
    this.searcher.start({ task: "year", source: game.source, flip: game.flip, labels: fixed },
      (year, done, error) => {
        if (error) this.app.say(error);
        else {
          if (done) this.counted.set(key, year);
          this.show(game, year, done);
        }
      });
  }

  close() {
    this.searcher?.stop();
  }

  /** @param {Game} game @param {Year} year @param {boolean} done */
  show(game, year, done) {
    const { grid, progress, facts } = this;
    if (!grid || !progress || !facts) return;
    progress.value = year.progress;
    progress.hidden = done;
    const months = game.puzzle.groups.get("month") ?? [];
    const days = game.puzzle.groups.get("day") ?? [];
    const wide = days.length <= 31;
    grid.style.gridTemplateColumns = `auto repeat(${wide ? days.length : 31}, minmax(24px, 1fr))`;
    const counts = new Map(year.entries.map((entry) => [`${entry.labels.month} ${entry.labels.day}`, entry]));
    const sorted = year.entries.map((entry) => entry.tilings).filter(Boolean).sort((a, b) => a - b);
    const shadeOf = (/** @type {number} */ tilings) => {
      const below = sorted.findIndex((value) => value >= tilings);
      return Math.min(SHADES.length - 1, Math.floor((below / Math.max(1, sorted.length)) * SHADES.length));
    };
    grid.replaceChildren(h("span", {}), ...days.map((day) => h("span", { class: "head" }, day)),
      ...months.flatMap((month) => [
        h("span", { class: "head" }, month),
        ...days.map((day) => {
          const entry = counts.get(`${month} ${day}`);
          return entry ? this.day(game, entry, shadeOf(entry.tilings)) : h("span", {});
        }),
      ]));
    facts.replaceChildren(...this.said(game, year, done));
    if (done) this.app.announce("The year is counted");
  }

  /** @param {Game} game @param {Entry} entry @param {number} shade */
  day(game, entry, shade) {
    const { labels, tilings } = entry;
    const here = Object.entries(labels).every(([group, label]) => game.labels[group] === label);
    const item = button(short(tilings), () => this.app.openLabels(labels, "play"), {
      class: tilings ? "day" : "day none",
      "aria-label": `${labels.month} ${labels.day}: ${counted(tilings, "tiling")}`,
      title: `${labels.month} ${labels.day}: ${counted(tilings, "tiling")}`,
      "aria-current": here ? "date" : null,
    });
    item.style.setProperty("--heat", SHADES[shade]);
    item.style.setProperty("--cell-ink", shade < LIGHT_INK ? "#fff" : "#16161a");
    return item;
  }

  /** @param {Game} game @param {Year} year @param {boolean} done @returns {Node[]} */
  said(game, year, done) {
    const total = year.entries.reduce((sum, entry) => sum + entry.tilings, 0);
    const parts = [h("span", {}, `${counted(year.entries.length, "date")}, ${counted(total, "tiling")}${done ? "" : " so far"}`)];
    if (!done) return parts;
    const byCount = [...year.entries].sort((a, b) => a.tilings - b.tilings);
    for (const [word, entries] of /** @type {[string, Entry[]][]} */ ([["hardest", byCount], ["easiest", [...byCount].reverse()]])) {
      parts.push(h("span", {}, `${word}: `, ...entries.slice(0, 3).map((entry) =>
        button(`${entry.labels.month} ${entry.labels.day} (${entry.tilings.toLocaleString("en")})`,
          () => this.app.openLabels(entry.labels, "play")))));
    }
    return parts;
  }
}

/** A number in three or four characters. @param {number} number */
function short(number) {
  if (number < 1000) return String(number);
  return number < 10_000 ? `${(number / 1000).toFixed(1)}k` : `${Math.round(number / 1000)}k`;
}

