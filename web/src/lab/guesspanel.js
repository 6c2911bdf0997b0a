/** The box of guesses: what is asked before a step, what was guessed, the codes of a class. */

import { button, h, redraw } from "../view/dom.js";
import { figures, nameOf } from "./drawing.js";
import { codeOf, codesIn, readGuesses, spreadOf, storedGuesses } from "./guesses.js";
import { table } from "./panels.js";
import { RULES } from "./rules.js";
import { t } from "./text.js";

/** @typedef {import("../view/app.js").App} App */
/** @typedef {import("./guesses.js").Guess} Guess */
/** @typedef {import("./session.js").Session} Session */
/** @typedef {import("./text.js").Key} Key */
/** @typedef {import("./tree.js").TreeNode} TreeNode */

/** A code is no longer; a class has no more of them. */
const MAX_BYTES = 2_000_000;

/** The guesses of this browser. */
export class GuessPanel {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.guesses = readGuesses(app.storage.read("guesses"));
    this.bound = h("input", { id: "guess-bound", inputmode: "decimal", autocomplete: "off", size: 6 });
    this.none = h("input", { type: "checkbox", id: "guess-none", onchange: () => (this.bound.disabled = this.none.checked) });
    this.rule = h("select", { id: "guess-rule" }, h("option", { value: "" }, t("guessNo")), ...RULES.map((rule) =>
      h("option", { value: rule }, t(/** @type {Key} */ (rule)))));
    this.own = h("div", {});
    this.code = h("input", { id: "guess-code", readonly: true, "aria-label": t("guessCode"), onfocus: () => this.code.select() });
    this.codes = h("textarea", { id: "guess-codes", rows: 3, "aria-label": t("guessClass"), placeholder: t("guessClass"), oninput: () => this.drawClass() });
    const file = h("input", { type: "file", id: "guess-file", class: "live", multiple: true, onchange: () => void this.read(file) });
    this.spread = h("div", {});
    this.element = h("details", { class: "guesses" }, h("summary", {}, t("guessFirst")),
      h("div", { class: "tools" },
        h("label", { class: "choice" }, h("span", {}, t("guessBound")), this.bound),
        h("label", { class: "choice" }, this.none, h("span", {}, t("guessNone")))),
      h("label", { class: "choice" }, h("span", {}, t("guessRule")), this.rule),
      this.own,
      h("details", {}, h("summary", {}, t("guessClass")), this.codes,
        h("div", { class: "tools" }, file, h("label", { class: "button", for: "guess-file" }, t("guessFile"))), this.spread));
    this.draw();
  }

  /** Compare a guess with what came, and keep both. @param {Session} session @param {string} question @param {string} guess @param {string} answer */
  keep(session, question, guess, answer) {
    this.guesses.push({ question: `${session.name}: ${question}`, guess, answer });
    this.app.storage.write("guesses", storedGuesses(this.guesses));
    session.guessed = guess === answer ? t("guessRight", { answer }) : t("guessWas", { guess, answer });
    this.draw();
  }

  /** A node was solved: what was guessed of it? @param {Session} session @param {TreeNode} node */
  told(session, node) {
    const text = this.bound.value.trim().replace(",", ".");
    const number = Number(text);
    if (this.none.checked || (text && Number.isFinite(number))) {
      const path = session.tree.pathTo(node).slice(1).map((one) => nameOf(session, one)).join(" ");
      const infeasible = t("guessNone");
      this.keep(session, path || t("root"), this.none.checked ? infeasible : figures(number), node.bound === null ? infeasible : figures(session.sign * node.bound));
    }
    this.bound.value = "";
    this.none.checked = this.bound.disabled = false;
  }

  /** The rules were compared: which was guessed to need the fewest nodes? @param {Session} session */
  compared(session) {
    const { value } = this.rule;
    const counts = RULES.map((rule) => ({ rule, nodes: session.ruled.get(rule)?.nodes ?? Infinity }));
    const [first] = [...counts].sort((a, b) => a.nodes - b.nodes);
    const wordOf = (/** @type {string} */ rule) => t(/** @type {Key} */ (rule));
    if (value) this.keep(session, t("guessRule"), wordOf(value), wordOf(first.rule));
    this.rule.value = "";
  }

  draw() {
    const { guesses, own } = this;
    if (!guesses.length) {
      redraw(own);
      return;
    }
    this.code.value = codeOf(guesses);
    redraw(own,
      table("guessTable", [t("headQuestion"), t("headGuess"), t("headAnswer")], guesses.slice(-12).map(({ question, guess, answer }) => [question, guess, answer])),
      h("div", { class: "tools" }, this.code,
        button(t("guessCopy"), () => void this.copy()),
        button(t("guessClear"), () => {
          this.guesses = [];
          this.app.storage.write("guesses", storedGuesses([]));
          this.draw();
        })));
  }

  async copy() {
    try {
      await navigator.clipboard.writeText(this.code.value);
    } catch {
      this.code.focus();
    }
  }

  /** Add the codes in files. @param {HTMLInputElement} file */
  async read(file) {
    for (const one of file.files ?? []) {
      if (one.size < MAX_BYTES) this.codes.value += `${await one.text()}\n`;
    }
    file.value = "";
    this.drawClass();
  }

  drawClass() {
    const { all, wrong } = codesIn(this.codes.value);
    redraw(this.spread,
      ...wrong.map((code) => h("p", { class: "quiet" }, t("guessWrong", { code }))),
      all.length ? table("guessTable",
        [t("headQuestion"), t("headAnswer"), t("headStudents"), t("headRight"), t("headLeast"), t("headMedian"), t("headMost")],
        spreadOf(all).map(({ question, answer, n, right, least, median, most }) =>
          [question, answer, String(n), String(right), least, median, most])) : null);
  }
}
