/** The question of a lesson: hints, an answer, and whether it is right; in an exam a code of the answer instead. */

import { button, h, redraw } from "../view/dom.js";
import { answerCode, answerOf } from "./exam.js";
import { t } from "./text.js";

/** @typedef {import("./modelsession.js").ModelSession} ModelSession */

/** A lesson's question beside its model. */
export class LessonPanel {
  /** @param {ModelSession} session @param {(text: string) => void} check judges an answer */
  constructor(session, check) {
    this.session = session;
    const { title, question, hints, ask, exam } = session.lesson;
    const done = exam ? () => this.encode() : () => check(this.answer.value);
    this.answer = h("input", {
      id: "lesson-answer", autocomplete: "off", spellcheck: "false", value: session.answered, size: 24,
      onkeydown: (/** @type {KeyboardEvent} */ event) => event.key === "Enter" && done(),
      oninput: () => this.draw(),
    });
    this.student = h("input", { id: "lesson-name", autocomplete: "name", spellcheck: "false", value: session.student, size: 16, oninput: () => this.draw() });
    this.code = h("input", { id: "lesson-code", readonly: true, "aria-label": t("examCode"), onfocus: () => this.code.select() });
    this.coded = h("div", { class: "tools" }, this.code, button(t("copy"), () => void this.copy()));
    this.verdict = h("p", { class: "verdict", role: "status" });
    // What a lesson's author wrote stays in the author's language.
    this.element = h("section", { class: "lesson", "aria-label": t("lesson") },
      h("h2", { lang: "en" }, title), h("p", { lang: "en" }, question),
      ...hints.map((hint, k) => h("details", {}, h("summary", {}, t("hintNumber", { n: String(k + 1) })), h("span", { lang: "en" }, hint))),
      exam ? h("p", {}, t("examHow")) : null,
      h("div", { class: "tools" },
        exam ? h("label", { class: "choice" }, h("span", {}, t("examName")), this.student) : null,
        ask.kind === "tree" ? null : h("label", { class: "choice" }, h("span", {}, t("answer")), this.answer),
        button(t(exam ? "examMake" : "checkAnswer"), done)),
      this.verdict, exam ? this.coded : null);
    this.draw();
  }

  /** What a code is of: the name, the answer and the tree. */
  get now() {
    return JSON.stringify([this.student.value, this.answer.value, this.session.lesson.ask.kind === "tree" ? this.session.text : ""]);
  }

  /** Make the code of the answer, or say how it is written. */
  encode() {
    const { session, answer: { value }, student } = this;
    const { answer, wrong } = answerOf(session, value);
    [session.answered, session.student] = [value, student.value];
    const name = student.value.trim();
    session.verdict = wrong || (name ? "" : t("examNoName"));
    session.coded = session.verdict ? null : { of: this.now, code: answerCode(session.lesson.title, name, answer) };
    this.draw();
  }

  async copy() {
    try {
      await navigator.clipboard.writeText(this.code.value);
    } catch {
      this.code.focus();
    }
  }

  draw() {
    const { verdict, session } = this;
    // A code of something else is not handed in.
    const code = session.coded?.of === this.now ? session.coded.code : "";
    this.coded.hidden = !code;
    this.code.value = code;
    verdict.classList.toggle("right", session.isRight);
    redraw(verdict, session.verdict && `${session.isRight ? "✓ " : ""}${session.verdict}`);
  }
}
