/** What was solved: when, how fast, with what help; the streak, and the text to share. */

import { daysBetween, iso, parseDate } from "../problem/dates.js";
import { InputError } from "../problem/errors.js";
import { t } from "../text/text.js";
import { ASSIST, wordsOfHelp } from "./help.js";

/** @typedef {import("../problem/dates.js").Day} Day */
/**
 * @typedef {object} Help what help an instance got
 * @property {number} hints the pieces that were helped with
 * @property {string[]} pieces their names
 * @property {boolean} shown whether a solution was looked at
 * @property {string} assist the highest level that was on
 * @property {number} seconds spent on it
 */
/**
 * @typedef {Help & {on: string, of: string, total: number, curve: number[], row: string}} Solved
 *   the first solution of an instance: the day on which it was found, the date of the puzzle
 *   (empty without one), all tilings (0 while unknown), the tilings left after each piece, and a
 *   letter for each piece in the order of laying: own, or with a hint
 */

const isCount = (/** @type {unknown} */ value) => Number.isSafeInteger(value) && Number(value) >= 0;

/** The help in a stored table, which may hold anything. @param {Record<string, unknown>} table @returns {Help} */
export const helpIn = ({ hints, pieces, shown, assist, seconds }) => ({
  pieces: Array.isArray(pieces) ? pieces.map(String) : [],
  hints: isCount(hints) ? Number(hints) : 0,
  shown: shown === true,
  assist: ASSIST.includes(String(assist)) ? String(assist) : "off",
  seconds: isCount(seconds) ? Number(seconds) : 0,
});

/** The record in a stored table. @param {Record<string, unknown>} table @returns {Solved} */
export const solvedIn = (table) => ({
  ...helpIn(table),
  on: dateIn(table.on),
  of: dateIn(table.of),
  total: isCount(table.total) ? Number(table.total) : 0,
  row: /^[oh]*$/.test(String(table.row)) ? String(table.row) : "",
  curve: Array.isArray(table.curve) && table.curve.every(isCount) ? table.curve : [],
});

/** @param {unknown} value */
function dateIn(value) {
  try {
    return iso(parseDate(String(value)));
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return "";
  }
}

/**
 * The streak: consecutive days on which the puzzle of the day was solved on its day.
 * @param {readonly Solved[]} records @param {Day} now
 * @returns {{now: number, best: number}} the one that reaches to today or yesterday, and the longest
 */
export function streak(records, now) {
  const days = [...new Set(records.filter(({ on, of }) => on && on === of).map(({ on }) => on))].sort();
  let [run, best] = [0, 0];
  let before = "";
  for (const day of days) {
    run = before && daysBetween(parseDate(before), parseDate(day)) === 1 ? run + 1 : 1;
    best = Math.max(best, run);
    before = day;
  }
  const isLive = before && [0, 1].includes(daysBetween(parseDate(before), now));
  return { now: isLive ? run : 0, best };
}

/** @param {number} seconds */
export function wordsOfTime(seconds) {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  if (hours) return t("hours", { h: hours, m: minutes });
  return minutes ? t("minutes", { m: minutes, s: rest }) : t("seconds", { s: rest });
}

/** The tilings left after each piece, up to the first 1. @param {readonly number[]} curve */
export const untilOne = (curve) => curve.slice(0, curve.indexOf(1) + 1 || curve.length);

/** How it was solved, in a line. @param {Solved} solved @param {number | null} day of the year @param {boolean} [timed] whether it says how long it took */
export function wordsOfSolved(solved, day, timed = true) {
  const time = wordsOfTime(solved.seconds);
  const inTime = day === null ? t("solvedIn", { time }) : t("daySolvedIn", { day, time });
  const plain = day === null ? t("solvedPlain") : t("daySolved", { day });
  const parts = [
    timed ? inTime : plain,
    wordsOfHelp(solved),
    ...(solved.total ? [t("oneOf", { n: solved.total })] : []),
  ];
  return parts.join(t("comma"));
}

/** A square for each piece: green for one's own, yellow for a hint. @param {Solved} solved */
const squares = ({ row, shown }) => [...row].map((mark) => (shown ? "⬜" : mark === "h" ? "🟨" : "🟩")).join("");

/** What to share: no piece, no place. @param {string} title @param {Solved} solved @param {number | null} day @param {string} address @param {boolean} [timed] */
export const shareText = (title, solved, day, address, timed = true) =>
  [`calmip: ${title}`, squares(solved), wordsOfSolved(solved, day, timed), t("curve", { curve: untilOne(solved.curve).join("-") }), address].filter(Boolean).join("\n");

/** The upper ends of the bars of times, in minutes. */
export const TIMES = [2, 5, 10, 20, 40];

/** How many were solved within each of `TIMES`, and how many took longer. @param {readonly Solved[]} records */
export const timesOf = (records) => [...TIMES, Infinity].map((end, k) =>
  records.filter(({ seconds }) => seconds < 60 * end && seconds >= 60 * (TIMES[k - 1] ?? 0)).length);

/** What was done about an instance: solved alone, with help, after a look; or all its solutions were found. @param {Solved} record @param {number} found @param {number} all */
export function feat(record, found, all) {
  if (all && found >= all) return "all";
  return record.shown ? "looked" : record.hints || record.assist !== "off" ? "helped" : "own";
}
