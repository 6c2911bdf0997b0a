/** Which labels are months, days, weekdays and years, and which of them a date reveals. */

import { InputError, listed, shown } from "./errors.js";
import { LANGUAGES, nameNumber } from "./languages.js";

/** @typedef {{year: number, month: number, day: number}} Day */
/** @typedef {Map<string, string[]>} Groups the labels of every reveal group, in calendar order */
/** @typedef {Record<string, string>} Labels a label for each group */

export const GROUPS = ["month", "day", "weekday", "year"];

/** The groups of a day in two digits, from 0 on; they stand for the group day. */
const DIGITS = ["tens", "ones"];

/** Whether the labels of a group are words. @param {string} group @returns {group is import("./languages.js").Named} */
const isNamed = (group) => group === "month" || group === "weekday";

/** The number that a usual name stands for (month 1-12, Monday = 1), or null. @param {string} group @param {string} label @param {string} language */
function calendarNumber(group, label, language) {
  if (isNamed(group)) return nameNumber(language, group, label);
  let text = label.trim().replace(/\.+$/, "");
  if (group === "day") text = text.replace(/[日일]+$/, "");
  if (!/^[0-9]{1,4}$/.test(text)) return null;
  const number = Number(text);
  if (group === "day") return number >= 1 && number <= 31 && text.length <= 2 ? number : null;
  if (group === "year") return text.length === 4 && number >= 1000 ? number : null;
  return null;
}

/**
 * The labels of a board that belong to each group by their usual names, in order: named in one
 * language, that which names the most of the labels, English before others.
 * @param {readonly string[]} groups @param {readonly string[]} labels @returns {Map<string, string[]>}
 */
export function usualGroups(groups, labels) {
  const named = groups.filter(isNamed);
  const words = named.length ? labels.filter((label) => !/^\p{Nd}+$/u.test(label.replace(/\.+$/, ""))) : [];
  const unknown = (/** @type {string} */ language) =>
    words.filter((label) => named.every((group) => nameNumber(language, group, label) === null)).length;
  let language = LANGUAGES[0];
  let fewest = unknown(language);
  for (const other of LANGUAGES) {
    if (!fewest) break;
    const number = unknown(other);
    if (number < fewest) [language, fewest] = [other, number];
  }
  /** @type {Map<string, Map<string, number>>} */
  const numbers = new Map(groups.map((group) => [group, new Map()]));
  for (const group of groups) {
    for (const label of labels) {
      const number = calendarNumber(group, label, language);
      if (number !== null) numbers.get(group)?.set(label, number);
    }
  }
  // French "Mar" is Tuesday where "Mars" is on the board, and March otherwise.
  for (const group of named) {
    for (const other of named) {
      const [own, others] = [numbers.get(group), numbers.get(other)];
      if (group === other || !own || !others) continue;
      for (const [label, number] of [...own]) {
        if (others.has(label) && [...own.values()].filter((one) => one === number).length > 1) own.delete(label);
      }
    }
  }
  return new Map([...numbers].map(([group, found]) => [
    group, [...found].sort((a, b) => a[1] - b[1] || (a[0] < b[0] ? -1 : 1)).map(([label]) => label)]));
}

/** The numbers of labels by their names: English, or as other languages agree. @param {string} group @param {readonly string[]} labels */
function numbersOf(group, labels) {
  const english = labels.map((label) => calendarNumber(group, label, "en"));
  if (!english.includes(null) || !isNamed(group)) return english;
  const whole = LANGUAGES
    .map((language) => labels.map((label) => nameNumber(language, group, label)))
    .filter((numbers) => !numbers.includes(null));
  return whole.length && whole.every((numbers) => numbers.join() === whole[0].join()) ? whole[0] : english;
}

/** Refuse groups of which tens and ones are not both there without day. @param {Groups} groups */
function checkDigits(groups) {
  const found = ["day", ...DIGITS].filter((group) => groups.has(group));
  if (DIGITS.some((group) => groups.has(group)) && found.join() !== DIGITS.join()) {
    throw new InputError(
      `a date has no label in the groups ${found.join(" and ")}; a board shows the day in ` +
        "one group, day, or in the two groups tens and ones");
  }
}

/** The numbers of a date with its day instead of its tens and ones. @param {Record<string, number>} date */
function withDay(date) {
  if (DIGITS.some((group) => date[group] === undefined)) return date;
  const { tens, ones, ...others } = date;
  return { ...others, day: 10 * tens + ones };
}

/** The digit of a label such as `3`, `t3` and, of the tens, `30`, or null. @param {string} group @param {string} label */
function digitOf(group, label) {
  let found = label.replace(/[^0-9]/g, "");
  if (group === "tens" && found.length === 2 && found.endsWith("0")) found = found[0];
  return found.length === 1 && Number(found) <= (group === "tens" ? 3 : 9) ? Number(found) : null;
}

/** The digit of each label of tens or ones: by its name, or all by their places. @param {string} group @param {readonly string[]} labels */
function digitsOf(group, labels) {
  const numbers = labels.map((label) => digitOf(group, label));
  const remedy = `give the labels of 0, 1, ... with groups: {${group}: [...]}`;
  if (numbers.includes(null)) {
    const most = group === "tens" ? 4 : 10;
    if (labels.length > most) {
      throw new InputError(`${labels.length} labels of the group ${group}, at most ${most}; ${remedy}`);
    }
    return labels.map((_, k) => k);
  }
  const twice = numbers.find((number, k) => numbers.lastIndexOf(number) > k);
  if (twice !== undefined) throw new InputError(`two labels of the group ${group} stand for ${twice}; ${remedy}`);
  return numbers;
}

/**
 * The number of each label of a group: by its usual name, or else by its place.
 * @param {string} group @param {readonly string[]} labels
 */
function calendarNumbers(group, labels) {
  if (DIGITS.includes(group)) return digitsOf(group, labels);
  if (!GROUPS.includes(group)) {
    throw new InputError(
      `a date says nothing about the group '${group}'; give its label with --reveal ${group}=LABEL`,
    );
  }
  const numbers = numbersOf(group, labels);
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
function daysIn(year, month) {
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
  const wanted = { ...date, weekday: weekdayOf(date), tens: Math.floor(date.day / 10), ones: date.day % 10 };
  checkDigits(groups);
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
  if (date.day !== undefined && (date.day < 1 || date.day > 31)) return false;
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
  checkDigits(groups);
  const order = ["year", "month", "day", ...DIGITS, "weekday"].filter((group) => groups.has(group));
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
  const real = found
    .map(({ labels, numbers: known }) => ({ labels, numbers: withDay(known) }))
    .filter((entry) => exists(entry.numbers));
  const rank = (/** @type {Record<string, number>} */ n) =>
    ["year", "month", "day", "weekday"].map((group) => n[group] ?? 0);
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

/** Days from a date to another. @param {Day} from @param {Day} to */
export const daysBetween = (from, to) =>
  Math.round((Date.UTC(to.year, to.month - 1, to.day) - Date.UTC(from.year, from.month - 1, from.day)) / 86_400_000);
