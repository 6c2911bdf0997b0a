/** Cuts for a lesson's model: a row is written, or follows from a cover, a clique or multiplied rows, whose arithmetic is shown. */

import { button, h } from "../view/dom.js";
import { decimal, leftSide } from "./exact.js";
import { readValues, sideText, sumText } from "./expressions.js";
import { rowOfCut } from "./relaxation.js";
import { gomoryMultipliers, roundedDown, sumOfRows, violatedCover, violatedRowClique } from "./rowcuts.js";
import { t } from "./text.js";

/** @typedef {import("./modelsession.js").ModelSession} ModelSession */
/** @typedef {import("./relaxation.js").Row} Row */

/** So many pairs of a clique are shown with the row that excludes them. */
const PAIRS = 15;

/** The fields of a cut. */
export class RowPanel {
  /** @param {ModelSession} session @param {() => void} add adds the row as a cut @param {(words: string) => void} say */
  constructor(session, add, say) {
    this.session = session;
    this.say = say;
    this.row = h("input", { id: "lab-row", "aria-label": t("row"), placeholder: "x + y <= 1", autocomplete: "off", spellcheck: "false" });
    this.multipliers = h("input", { id: "lab-multipliers", "aria-label": t("multipliersOf"), placeholder: `${this.names[0]}=1/2`, autocomplete: "off", spellcheck: "false" });
    const isSolved = (/** @type {() => void} */ work) => () => (session.fractions.length ? work() : say(t("checkNothing")));
    this.tools = [
      h("div", { class: "tools" }, this.row, button(t("addCut"), add), button(t("findCover"), isSolved(() => this.findCover())), button(t("findClique"), isSolved(() => this.findClique()))),
      h("div", { class: "tools" }, this.multipliers,
        button(t("roundDown"), isSolved(() => this.roundDown())), button(t("gomory"), isSolved(() => this.gomory()))),
    ];
  }

  /** The rows of the model and the cuts. @returns {Row[]} */
  get rows() {
    const { model: { linear }, tree } = this.session;
    return [...linear.rows, ...tree.cuts.map(rowOfCut)];
  }

  /** What has a multiplier: rows, cuts, and the upper bounds of columns. */
  get names() {
    const { lesson, names, tree } = this.session;
    return [...lesson.rows.map(([name]) => name), ...tree.cuts.map((_, k) => `cut${k + 1}`), ...names];
  }

  /** @param {{index: number[], value: number[], low: number, high: number}} row */
  textOf(row) {
    return `${sumText(row.index.map((column) => this.session.names[column]), row.value)} ${sideText(row)}`;
  }

  /** Write the row of a cover that the current point violates. */
  findCover() {
    const { session, row } = this;
    const { model: { linear }, fractions, lesson } = session;
    const cover = violatedCover(linear, fractions);
    if (!cover) {
      this.say(t("noCover"));
      return;
    }
    const { columns, weights, sum, most } = cover;
    row.value = this.textOf({ index: columns, value: columns.map(() => 1), low: -Infinity, high: most });
    this.say(t("coverIs", { row: lesson.rows[cover.row][0], sum: weights.join(" + "), total: String(sum), side: String(decimal(linear.rows[cover.row].high)), cut: row.value }));
  }

  /** Write the row of a clique that the current point violates. */
  findClique() {
    const { session: { model: { linear }, fractions, lesson, names }, row } = this;
    const clique = violatedRowClique(linear, fractions);
    if (!clique) {
      this.say(t("noClique"));
      return;
    }
    const { columns, conflicts } = clique;
    const cut = { index: columns, value: columns.map(() => 1), low: -Infinity, high: 1 };
    row.value = this.textOf(cut);
    const pairs = conflicts.slice(0, PAIRS).map(({ row: number, columns: [a, b], sum, side }) =>
      `${lesson.rows[number][0]}: ${names[a]} = ${names[b]} = 1, ${String(sum)} ${sum.number > side ? ">" : "<"} ${side}`);
    if (conflicts.length > PAIRS) pairs.push("…");
    this.say(t("cliqueIs", { pairs: pairs.join("; "), cut: row.value, now: String(leftSide(cut, fractions)) }));
  }

  /** Write the sum of the multiplied rows, rounded down. */
  roundDown() {
    const { session, multipliers, names } = this;
    const { model: { linear }, fractions } = session;
    const { values, wrong } = readValues(multipliers.value, names);
    const none = wrong || !values.some(({ sign }) => sign);
    const sum = none ? null : sumOfRows(linear, this.rows, values);
    if (none || sum === null) this.say(t("valuesHow", { part: wrong || "–", names: `${names[0]}=1/2` }));
    else if (typeof sum === "number") this.say(t("noSide", { row: names[sum] }));
    else {
      const row = roundedDown(linear, sum);
      if (typeof row === "number") this.say(t("noRound", { name: session.names[row] }));
      else {
        this.row.value = this.textOf(row);
        const left = sumText(sum.index.map((column) => session.names[column]), sum.value);
        this.say(t("sumIs", { sum: `${left} ≤ ${String(sum.side)}`, cut: this.row.value, now: String(leftSide(row, fractions)) }));
      }
    }
  }

  /** Write the multipliers of Gomory's cut at the current vertex, and its row. */
  gomory() {
    const { session, names } = this;
    const found = gomoryMultipliers(session.model.linear, this.rows, session.fractions);
    if (!found) {
      this.say(t("noGomory"));
      return;
    }
    this.multipliers.value = found.flatMap((one, k) => (one.sign ? [`${names[k]}=${String(one)}`] : [])).join(" ");
    this.roundDown();
  }
}
