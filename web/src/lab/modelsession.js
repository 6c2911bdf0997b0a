/** A lesson's model in the lab: any rows with coefficients, integers and continuous columns. */

import { ZERO, fractionOf, isFeasible } from "./exact.js";
import { isWholeWorth } from "./judge.js";
import { linearOfLesson } from "./lessons.js";
import { Session } from "./session.js";
import { Tree } from "./tree.js";

/** @typedef {import("./lessons.js").Lesson} Lesson */

/** The model of a lesson. */
export class ModelSession extends Session {
  /** @param {Lesson} lesson */
  constructor(lesson) {
    const linear = linearOfLesson(lesson);
    super({ linear, whole: linear, isExact: true });
    this.lesson = lesson;
    this.names = lesson.columns.map(([name]) => name);
    this.tree = this.newTree();
    /** What was answered, and what came of it. */
    this.answered = "";
    this.verdict = "";
    this.isRight = false;
    /** The name that a code has, and the code with what it is of, in an exam. */
    this.student = "";
    /** @type {{of: string, code: string} | null} */
    this.coded = null;
  }

  get sign() {
    return this.lesson.sense;
  }

  get name() {
    return this.lesson.title;
  }

  get isWhole() {
    return isWholeWorth(this.model.linear);
  }

  /** @param {number} column */
  columnName(column) {
    return this.names[column];
  }

  /** @param {number} row */
  rowText(row) {
    return this.lesson.rows[row]?.[0] ?? super.rowText(row);
  }

  newTree() {
    return this.lesson ? new Tree(undefined, null, this.isWhole, this.model.linear.isInteger) : super.newTree();
  }

  /** @param {readonly number[]} values */
  isSolution(values) {
    const { linear } = this.model;
    // Rounding may leave a continuous column beside its fraction; integers are decided exactly.
    return !linear.isInteger.every(Boolean) || isFeasible(linear, [], [], values.map((value) => fractionOf(Math.round(value))));
  }

  /** What the judge is told. */
  get task() {
    const { lesson, model, names, tree } = this;
    return { ask: lesson.ask, linear: model.linear, sense: lesson.sense, names, rowNames: lesson.rows.map(([name]) => name), tree };
  }

  /** The values at the current node, as fractions; nothing before it is solved. */
  get fractions() {
    return this.tree.here.values.map((value) => (Math.abs(value) < 1e-9 ? ZERO : fractionOf(value)));
  }

  get head() {
    return "lesson";
  }
}
