/** The answer to a lesson in the words of a lesson's file, and its code: calmip judges what students hand in. */

import { readFraction, readRow, readValues, sideText, sumText } from "./expressions.js";
import { codeOf } from "./guesses.js";
import { t } from "./text.js";

/** @typedef {import("./modelsession.js").ModelSession} ModelSession */

/** What the code of an answer begins with. */
const HEAD = "calmip-answer-1:";

/** An answer as a lesson's file has it; or what is wrong with how it is written. @param {ModelSession} session @param {string} text what a student wrote, or nothing where the tree is the answer @returns {{answer: string, wrong: string}} */
export function answerOf({ task: { ask, names, rowNames }, tree, text: steps, head }, text) {
  const found = (/** @type {string} */ answer) => ({ answer, wrong: "" });
  const wrong = (/** @type {string} */ words) => ({ answer: "", wrong: words });
  if (ask.kind === "tree") return tree.solved ? found(steps.slice(head.length + 1)) : wrong(t("checkNothing"));
  if (ask.kind === "number") {
    const number = readFraction(text);
    return number ? found(String(number)) : wrong(t("numberHow"));
  }
  if (ask.kind === "row") {
    const row = readRow(text, names);
    if (!row) return wrong(t("rowHow", { row: text || "–" }));
    const plain = `${sumText(row.index.map((column) => names[column]), row.value)} ${sideText(row)}`;
    return found(plain.replaceAll("−", "-").replace("≤", "<=").replace("≥", ">="));
  }
  const all = ask.kind === "point" ? names : rowNames;
  const { values, wrong: part } = readValues(text, all);
  if (part || !text.trim()) return wrong(t("valuesHow", { part: part || "–", names: `${all[0]}=1/2` }));
  return found(values.flatMap((value, k) => (value.sign ? [`${all[k]}=${String(value)}`] : [])).join(" ") || `${all[0]}=0`);
}

/** The code of an answer. @param {string} title the lesson's @param {string} name the student's @param {string} answer */
export const answerCode = (title, name, answer) => codeOf([{ question: title, guess: name, answer }], HEAD);
