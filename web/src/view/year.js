/** The year: how many tilings every date has, as a heat-map that is counted in the page. */

import { hasYear } from "../search/year.js";
import { feat } from "../play/record.js";
import { groupName, grouped, t } from "../text/text.js";
import { button, h, redraw } from "./dom.js";

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
    this.progress = h("progress", { max: 1, value: 0, "aria-label": t("progress") });
    this.facts = h("div", { class: "facts" });
    this.grid = h("div", { class: "year-grid", role: "group", "aria-label": t("yearGrid"), tabindex: "-1", "data-rest": "" });
    this.legend = h("p", { class: "legend" }, ...Object.entries(feats()).map(([name, text]) =>
      h("span", {}, h("i", { class: `feat-${name}`, "aria-hidden": "true" }), text)));
    /** Years that were counted, by puzzle and the other labels. @type {Map<string, Year>} */
    this.counted = new Map();
    /** What stands in the grid for each date. @type {Map<string, HTMLElement>} */
    this.places = new Map();
  }

  /** @param {Game} game */
  open(game) {
    const { puzzle } = game;
    if (!hasYear(puzzle)) {
      this.element.replaceChildren(h("p", {}, t("noYear", { name: puzzle.name })));
      return;
    }
    const others = [...puzzle.groups.keys()].filter((group) => group !== "month" && group !== "day");
    const fixed = Object.fromEntries(others.map((group) => [group, game.labels[group]]));
    this.progress.value = 0;
    this.progress.hidden = false;
    redraw(this.facts);
    const labels = others.map((group) => fixed[group]).join(" ");
    redraw(this.element,
      h("h2", {}, labels ? t("yearTitleWith", { labels }) : t("yearTitle")),
      h("p", { class: "quiet" }, t("yearText")),
      ...others.map((group) => {
        const pick = h("select", { id: `year-${group}`, onchange: (/** @type {Event} */ { currentTarget }) =>
          this.app.openLabels({ ...game.labels, [group]: /** @type {HTMLSelectElement} */ (currentTarget).value }, "year") },
        ...(puzzle.groups.get(group) ?? []).map((label) =>
          h("option", { value: label, selected: label === fixed[group] }, label)));
        return h("label", {}, `${groupName(group)} `, pick);
      }),
      h("label", {}, `${t("colours")} `, h("select", {
        id: "year-colours", onchange: (/** @type {Event} */ { currentTarget }) => {
          this.app.storage.write("colours", /** @type {HTMLSelectElement} */ (currentTarget).value);
          this.colour();
        },
      }, ...[["count", t("coloursCount")], ["own", t("coloursOwn")]].map(([value, name]) =>
        h("option", { value, selected: value === (this.app.storage.read("colours") ?? "count") }, name)))),
      this.legend, this.progress, this.facts, this.grid);
    this.colour();
    this.lay(game);
    const key = JSON.stringify([game.source, game.flip, fixed]);
    const known = this.counted.get(key);
    if (known) {
      this.show(game, known, true);
      return;
    }
    this.app.searcher.start({ task: "year", source: game.source, flip: game.flip, labels: fixed },
      (year, done, error) => {
        if (error) this.app.say(error);
        else {
          if (done) this.counted.set(key, year);
          this.show(game, year, done);
        }
      });
  }

  close() {
    this.app.searcher.stop();
  }

  /** Colour the days by their solutions, or by what the player did. */
  colour() {
    this.element.classList.toggle("mine", this.app.storage.read("colours") === "own");
  }

  /** Lay out the months and days, with a place for every date. @param {Game} game */
  lay(game) {
    const months = game.puzzle.groups.get("month") ?? [];
    const days = game.puzzle.groups.get("day") ?? [];
    this.places = new Map(months.flatMap((month) => days.map((day) => [dateKey({ month, day }), h("span", {})])));
    this.grid.style.gridTemplateColumns = `auto repeat(${days.length}, minmax(var(--day), 1fr))`;
    this.grid.replaceChildren(h("span", {}), ...days.map((day) => h("span", { class: "head" }, day)),
      ...months.flatMap((month) => [
        h("span", { class: "head" }, month),
        ...days.map((day) => /** @type {HTMLElement} */ (this.places.get(dateKey({ month, day })))),
      ]));
  }

  /** @param {Game} game @param {Year} year @param {boolean} done */
  show(game, year, done) {
    const { progress, facts, places } = this;
    progress.value = year.progress;
    progress.hidden = done;
    const sorted = year.entries.map((entry) => entry.tilings).filter(Boolean).sort((a, b) => a - b);
    /** @type {Map<number, number>} */
    const shades = new Map([[0, 0]]);
    sorted.forEach((tilings, below) => {
      if (!shades.has(tilings)) shades.set(tilings, Math.floor((below / sorted.length) * SHADES.length));
    });
    for (const entry of year.entries) {
      const key = dateKey(entry.labels);
      let place = places.get(key);
      if (!(place instanceof HTMLButtonElement)) {
        const item = this.day(game, entry);
        place?.replaceWith(item);
        places.set(key, item);
        place = item;
      }
      const shade = shades.get(entry.tilings) ?? 0;
      const own = this.app.keyOf(game, entry.labels);
      const record = this.app.storage.record(own);
      const did = record && feat(record, this.app.storage.found(own).size, entry.tilings);
      place.className = [entry.tilings ? "day" : "day none", did && `own feat-${did}`].filter(Boolean).join(" ");
      const words = [nameOf(entry), entry.tilings && done ? wordOf(shade) : ""].filter(Boolean).join(" · ");
      place.title = words;
      place.setAttribute("aria-label", did ? [t("dateSolved", { date: words }), feats()[did]].join(t("comma")) : words);
      place.style.setProperty("--heat", SHADES[shade]);
      place.style.setProperty("--cell-ink", shade < LIGHT_INK ? "#fff" : "#16161a");
    }
    redraw(facts, ...this.said(game, year, done));
    if (done) this.app.announce(t("yearCounted"));
  }

  /** The button of a date, whose words and colours follow. @param {Game} game @param {Entry} entry */
  day(game, entry) {
    const { labels, tilings } = entry;
    const here = Object.entries(labels).every(([group, label]) => game.labels[group] === label);
    return button(short(tilings), () => this.app.openLabels(labels, "play"), { "aria-current": here ? "date" : null });
  }

  /** @param {Game} game @param {Year} year @param {boolean} done @returns {Node[]} */
  said(game, year, done) {
    const total = year.entries.reduce((sum, entry) => sum + entry.tilings, 0);
    const parts = [h("span", {}, t(done ? "yearFacts" : "yearSoFar", { dates: year.entries.length, n: total }))];
    if (!done) return parts;
    const byCount = [...year.entries].sort((a, b) => a.tilings - b.tilings);
    for (const [word, entries] of /** @type {[string, Entry[]][]} */ ([[t("fewest"), byCount], [t("most"), [...byCount].reverse()]])) {
      parts.push(h("span", {}, word, ...entries.slice(0, 3).map((entry) =>
        button(t("keyed", { word: `${entry.labels.month} ${entry.labels.day}`, key: grouped(entry.tilings) }),
          () => this.app.openLabels(entry.labels, "play")))));
    }
    return parts;
  }
}

/** What was done about a date, in words. @returns {Record<string, string>} */
const feats = () => ({ own: t("featOwn"), helped: t("featHelped"), looked: t("featLooked"), all: t("featAll") });

/** A date and its number of solutions, in words. @param {Entry} entry */
const nameOf = ({ labels, tilings }) => t("dateTilings", { date: `${labels.month} ${labels.day}`, n: tilings });

/** How hard a date is for people: few solutions among the dates of its year are hard to find. @param {number} shade */
const wordOf = (shade) => [t("veryHard"), t("hard"), t("hard"), t("medium"), t("medium"), t("easy"), t("easy")][shade];

/** @param {import("../problem/dates.js").Labels} labels */
const dateKey = ({ month, day }) => `${month} ${day}`;

/** A number in three or four characters. @param {number} number */
function short(number) {
  if (number < 1000) return String(number);
  return number < 10_000 ? `${(number / 1000).toFixed(1)}k` : `${Math.round(number / 1000)}k`;
}

