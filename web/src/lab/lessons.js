/** Lessons: a small model, a question, hints, and what an answer must do; bundled by name, or whole in a link. */

import { InputError, shown } from "../problem/errors.js";
import all from "./lessons.json" with { type: "json" };

/** @typedef {import("./relaxation.js").Row} Row */
/** @typedef {import("./relaxation.js").Linear} Linear */
/** @typedef {[name: string, cost: number, low: number | null, high: number | null, isInteger: number]} Column */
/**
 * @typedef {object} Ask what an answer must do, see calmip/course/lesson.py
 * @property {"row" | "point" | "number" | "multipliers" | "tree"} kind
 * @property {"all" | "optimum"} [keeps] which solutions a row must not cut off: all, or one optimum
 * @property {number} [bound] what the relaxation's optimum is at most with the row, or the multipliers prove at most; at least where it is minimised
 * @property {number} [leaves] so many solutions a row leaves at most
 * @property {number} [worth] what a point is worth at least; at most where it is minimised
 * @property {"relaxation" | "optimum" | "solutions"} [of] what number is asked for
 * @property {string[]} [without] rows that need a multiplier of 0
 * @property {number} [nodes] so many nodes a tree has at most
 */
/** @typedef {{title: string, question: string, hints: string[], sense: 1 | -1, columns: Column[], rows: [name: string, terms: [number, number][], low: number | null, high: number | null][], ask: Ask, exam?: boolean}} Lesson without hints, the rest of what is asked, and a verdict if it is an exam */

/** The bundled lessons by name. */
export const LESSONS = /** @type {Record<string, Lesson>} */ (/** @type {unknown} */ (all));

/** A model has no more columns. */
const MOST = 60;

/** @param {unknown} one */
const isSide = (one) => one === null || Number.isFinite(one);

/** @param {unknown} one */
const isText = (one) => typeof one === "string" && one.length < 4000;

/** Whether what a link holds is a lesson. @param {any} one @returns {one is Lesson} */
function isLesson(one) {
  const { title, question, hints, sense, columns, rows, ask } = one ?? {};
  return [title, question].every(isText) && Array.isArray(hints) && hints.every(isText) && [1, -1].includes(sense) &&
    Array.isArray(columns) && columns.length > 0 && columns.length <= MOST && Array.isArray(rows) && rows.length <= MOST &&
    columns.every((/** @type {any} */ column) => Array.isArray(column) && isText(column[0]) && Number.isFinite(column[1]) && isSide(column[2]) && isSide(column[3])) &&
    rows.every((/** @type {any} */ row) => Array.isArray(row) && isText(row[0]) && isSide(row[2]) && isSide(row[3]) && Array.isArray(row[1]) &&
      row[1].every((/** @type {any} */ term) => Array.isArray(term) && columns[term[0]] && Number.isFinite(term[1]))) &&
    ["row", "point", "number", "multipliers", "tree"].includes(ask?.kind);
}

/** The lesson that an address asks for. @param {string} text its name, or all of it as JSON @returns {Lesson} */
export function readLesson(text) {
  if (Object.hasOwn(LESSONS, text)) return LESSONS[text];
  if (!text.startsWith("{")) throw new InputError(`lesson=${shown(text)} is not a lesson; there are ${Object.keys(LESSONS).join(", ")}`);
  let read;
  try {
    read = JSON.parse(text);
  } catch {
    // What is no JSON is no lesson.
  }
  const size = Array.isArray(read?.columns) ? read.columns.length : 0;
  if (size > MOST) throw new InputError(`the lesson in the address has ${size} columns; a lesson has at most ${MOST}`);
  if (!isLesson(read)) throw new InputError("the lesson in the address is broken; 'calmip lesson FILE.yaml' writes a page with it");
  return read;
}

/** The model of a lesson, to be maximised. @param {Lesson} lesson @returns {Linear} */
export const linearOfLesson = ({ sense, columns, rows }) => ({
  cost: columns.map(([, cost]) => sense * cost),
  low: columns.map(([, , low]) => low ?? -Infinity),
  high: columns.map(([, , , high]) => high ?? Infinity),
  isInteger: columns.map(([, , , , isInteger]) => Boolean(isInteger)),
  rows: rows.map(([, terms, low, high]) => ({ index: terms.map(([column]) => column), value: terms.map(([, value]) => value), low: low ?? -Infinity, high: high ?? Infinity })),
});
