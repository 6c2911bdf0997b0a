/** Which labels are months, days, weekdays and years, and which of them a date reveals. */

import { InputError, listed, shown } from "./errors.js";

/** @typedef {{year: number, month: number, day: number}} Day */
/** @typedef {Map<string, string[]>} Groups the labels of every reveal group, in calendar order */
/** @typedef {Record<string, string>} Labels a label for each group */

export const MONTHS =
  "january february march april may june july august september october november december".split(" ");
export const WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split(" ");
export const GROUPS = ["month", "day", "weekday", "year"];

/** The number that a usual name stands for (month 1-12, Monday = 1), or null. @param {string} group @param {string} label */
function calendarNumber(group, label) {
  const text = label.trim().toLowerCase().replace(/\.+$/, "");
  if (group === "month" || group === "weekday") {
    const names = group === "month" ? MONTHS : WEEKDAYS;
    const number = text.length >= 3 ? names.findIndex((name) => name.startsWith(text)) : -1;
    return number < 0 ? null : number + 1;
  }
  if (!/^[0-9]{1,4}$/.test(text)) return null;
  const number = Number(text);
  if (group === "day") return number >= 1 && number <= 31 && text.length <= 2 ? number : null;
  if (group === "year") return text.length === 4 && number >= 1000 ? number : null;
  return null;
}

/** The labels that belong to a group by their usual names, in calendar order. @param {string} group @param {Iterable<string>} labels */
export function usualLabels(group, labels) {
  return [...labels]
    .map((label) => ({ label, number: calendarNumber(group, label) }))
    .filter((entry) => entry.number !== null)
    .sort((a, b) => Number(a.number) - Number(b.number) || (a.label < b.label ? -1 : 1))
    .map((entry) => entry.label);
}

/**
 * The number of each label of a group: by its usual name, or else by its place.
 * @param {string} group @param {readonly string[]} labels
 */
export function calendarNumbers(group, labels) {
  if (!GROUPS.includes(group)) {
    throw new InputError(
      `a date says nothing about the group '${group}'; give its label with --reveal ${group}=LABEL`,
    );
  }
  const numbers = labels.map((label) => calendarNumber(group, label));
  const remedy = `give the right labels, in calendar order, with groups: {${group}: [...]}`;
  if (numbers.includes(null) && group !== "year") {
    labels.forEach((label, k) => {
      if (numbers[k] !== null && numbers[k] !== k + 1) {
        throw new InputError(
          `${label} is ${group} ${numbers[k]} by its name, but ${group} ${k + 1} by its place, ` +
            `which counts as not all labels have usual names; ${remedy}`,
        );
      }
    });
    return labels.map((_, k) => k + 1);
  }
  /** @type {Map<number, string>} */
  const first = new Map();
  labels.forEach((label, k) => {
    const number = numbers[k];
    if (number === null) return;
    const other = first.get(number);
    if (other !== undefined && other !== label) {
      throw new InputError(`${other} and ${label} are both ${group} ${number}; ${remedy}`);
    }
    first.set(number, label);
  });
  return numbers;
}

/** Monday = 1, ..., Sunday = 7. @param {Day} day */
export function weekdayOf({ year, month, day }) {
  const date = new Date(Date.UTC(2000, month - 1, day));
  date.setUTCFullYear(year, month - 1, day);
  return ((date.getUTCDay() + 6) % 7) + 1;
}

/** @param {number} year @param {number} month */
export function daysIn(year, month) {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** A date as ISO 8601 writes it. @param {Day} day */
export const iso = ({ year, month, day }) =>
  `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;

/** Today, where the reader is. @returns {Day} */
export function today() {
  const now = new Date();
  return { year: now.getFullYear(), month: now.getMonth() + 1, day: now.getDate() };
}

/** The date that a text means: `today`, or year-month-day. @param {string} text @returns {Day} */
export function parseDate(text) {
  if (text.trim().toLowerCase() === "today") return today();
  const parts = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text.trim());
  const [year, month, day] = parts ? parts.slice(1).map(Number) : [0, 0, 0];
  if (parts && year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)) {
    return { year, month, day };
  }
  throw new InputError(
    `'${shown(text)}' is not a date${parts ? ": there is no such day" : ""}; ` +
      "write it as 2024-02-29 (year-month-day), or 'today'",
  );
}

/** The label that a date reveals in each group. @param {Groups} groups @param {Day} date @returns {Labels} */
export function labelsOfDate(groups, date) {
  /** @type {Record<string, number>} */
  const wanted = { ...date, weekday: weekdayOf(date) };
  /** @type {Labels} */
  const chosen = {};
  for (const [group, labels] of groups) {
    const place = calendarNumbers(group, labels).indexOf(wanted[group]);
    if (place < 0) {
      throw new InputError(
        `the board has no ${group} for ${iso(date)}; its ${group} labels are ${listed(labels)}`,
      );
    }
    chosen[group] = labels[place];
  }
  return chosen;
}

/** Whether some date has these numbers; groups that are not given may be anything. @param {Partial<Record<string, number>>} date */
function exists(date) {
  if (date.month === undefined || date.day === undefined) return true;
  const year = date.year ?? 2000;
  if (date.month < 1 || date.month > 12 || date.day < 1) return false;
  if (date.day > daysIn(year, date.month)) return false;
  if (date.year === undefined || date.weekday === undefined) return true;
  return weekdayOf({ year, month: date.month, day: date.day }) === date.weekday;
}

/**
 * The choices of one label per group that some date reveals, in calendar order,
 * with a date that reveals them: in the given year if there is one.
 * @param {Groups} groups
 * @returns {{labels: Labels, numbers: Record<string, number>}[]}
 */
export function realDates(groups) {
  const order = ["year", "month", "day", "weekday"].filter((group) => groups.has(group));
  const numbers = new Map([...groups].map(([group, labels]) => [group, calendarNumbers(group, labels)]));
  /** @type {{labels: Labels, numbers: Record<string, number>}[]} */
  let found = [{ labels: {}, numbers: {} }];
  for (const group of order) {
    const labels = groups.get(group) ?? [];
    found = found.flatMap((entry) =>
      labels.flatMap((label, k) => {
        const number = numbers.get(group)?.[k];
        if (number === null || number === undefined) return [];
        return [{ labels: { ...entry.labels, [group]: label }, numbers: { ...entry.numbers, [group]: number } }];
      }),
    );
  }
  const real = found.filter((entry) => exists(entry.numbers));
  const rank = (/** @type {Record<string, number>} */ n) => order.map((group) => n[group]);
  return real.sort((a, b) => {
    const [x, y] = [rank(a.numbers), rank(b.numbers)];
    const k = x.findIndex((value, at) => value !== y[at]);
    return k < 0 ? 0 : x[k] - y[k];
  });
}

/**
 * A date that reveals these numbers, the next one from `near` on, or null.
 * @param {Partial<Record<string, number>>} numbers @param {Day} near @returns {Day | null}
 */
export function dateOf(numbers, near) {
  if (numbers.month === undefined || numbers.day === undefined) return null;
  const { month, day, weekday } = numbers;
  const years = numbers.year === undefined ? Array.from({ length: 41 }, (_, k) => near.year + k) : [numbers.year];
  for (const year of years) {
    const fits = month <= 12 && day <= daysIn(year, month);
    if (fits && (weekday === undefined || weekdayOf({ year, month, day }) === weekday)) return { year, month, day };
  }
  return null;
}
