/** The question of a lesson: hints, an answer, and whether it is right. */

import { button, h, redraw } from "../view/dom.js";
import { t } from "./text.js";

/** @typedef {import("./modelsession.js").ModelSession} ModelSession */

/** A lesson's question beside its model. */
export class LessonPanel {
  /** @param {ModelSession} session @param {(text: string) => void} check */
  constructor(session, check) {
    this.session = session;
    const { title, question, hints, ask } = session.lesson;
    this.answer = h("input", {
      id: "lesson-answer", autocomplete: "off", spellcheck: "false", value: session.answered, size: 24,
      onkeydown: (/** @type {KeyboardEvent} */ event) => event.key === "Enter" && check(this.answer.value),
    });
    this.verdict = h("p", { class: "verdict", role: "status" });
    // What a lesson's author wrote stays in the author's language.
    this.element = h("section", { class: "lesson", "aria-label": t("lesson") },
      h("h2", { lang: "en" }, title), h("p", { lang: "en" }, question),
      ...hints.map((hint, k) => h("details", {}, h("summary", {}, t("hintNumber", { n: String(k + 1) })), h("span", { lang: "en" }, hint))),
      h("div", { class: "tools" },
        ask.kind === "tree" ? null : h("label", { class: "choice" }, h("span", {}, t("answer")), this.answer),
        button(t("checkAnswer"), () => check(this.answer.value))),
      this.verdict);
    this.draw();
  }

  draw() {
    const { verdict, session } = this;
    verdict.classList.toggle("right", session.isRight);
    redraw(verdict, session.verdict && `${session.isRight ? "✓ " : ""}${session.verdict}`);
  }
}
