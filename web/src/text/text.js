/** Words in the reader's language: `t` gives a row of the table, with its values put in. */

import { nameNumber } from "../problem/languages.js";
import { textOf } from "./table.js";

/** @typedef {Parameters<typeof textOf>[0]} Key */
/** @typedef {string | number} Value */

/** The languages of the table, in its order, each with its own name. @type {[string, string][]} */
export const LANGUAGES = [["en", "English"], ["de", "Deutsch"], ["fr", "Français"], ["es", "Español"], ["zh", "中文"]];

/** What stands between thousands. @type {Record<string, string>} */
const THOUSANDS = { en: ",", de: ".", fr: "\u202f", es: ".", zh: "," };

let current = 0;
/** @type {Intl.PluralRules | null} */
let plurals = null;

/** The language that is spoken, by its two letters. */
export const language = () => LANGUAGES[current][0];

/** Speak a language of the table. @param {string} code */
export function speak(code) {
  const found = LANGUAGES.findIndex(([one]) => one === code);
  current = Math.max(0, found);
  plurals = null;
}

/** The first language of a list that the table has, or English. @param {readonly string[]} wanted such as `de-CH` */
export const bestLanguage = (wanted) =>
  wanted.map((one) => one.toLowerCase().split(/[-_]/)[0]).find((one) => LANGUAGES.some(([code]) => code === one)) ?? "en";

/** A number with its thousands apart; the browser's own way takes it long to load. @param {number} number */
export const grouped = (number) => String(number).replace(/\B(?=(?:\d{3})+$)/g, THOUSANDS[language()]);

/** A day as people write it, with its year where that is another one than now. @param {import("../problem/dates.js").Day} day @param {import("../problem/dates.js").Day} now @param {"short" | "long"} [month] */
export const dateText = (day, now, month = "short") => formatted(day, {
  day: "numeric", month, weekday: month === "short" ? "short" : undefined, year: day.year === now.year ? undefined : "numeric",
});

/** @param {import("../problem/dates.js").Day} day @param {Intl.DateTimeFormatOptions} form */
function formatted({ year, month, day }, form) {
  // Of one's own countries that speak the language, the first.
  const place = navigator.languages.find((one) => one.startsWith(language())) ?? language();
  return new Intl.DateTimeFormat(place === "en" ? "en-GB" : place, { ...form, timeZone: "UTC" }).format(new Date(Date.UTC(year, month - 1, day)));
}

/** The labels of a date as in a sentence: as they stand on the board, or, where its months are in another language, as the date in this one. @param {Record<string, string>} labels @param {import("../problem/dates.js").Day | null} date @param {readonly string[]} months all of the board's */
export function spokenLabels(labels, date, months) {
  const { month, day, weekday, year } = labels;
  const code = language();
  const isOwn = !date || !month || !day || months.every((one) => /^\d+$/.test(one) || nameNumber(code, "month", one));
  return isOwn ? Object.values(labels).join(" ")
    : formatted(date, { day: "numeric", month: "long", weekday: weekday ? "long" : undefined, year: year ? "numeric" : undefined });
}

/** The form of a noun that goes with a number. @param {number} number @param {string} one @param {string} other */
function formOf(number, one, other) {
  plurals ??= new Intl.PluralRules(language());
  return plurals.select(number) === "one" ? one : other;
}

/**
 * The text of a key in the language that is spoken. The key is a literal: the build makes a number of it.
 * @param {Key} key @param {Record<string, Value>} [values] numbers are grouped
 */
export const t = (key, values = {}) => put(textOf(key, current), values);

/** The text of a row in the language that is spoken, with its values put in. @param {import("./table.js").Row} texts @param {Record<string, Value>} values */
export const fill = (texts, values) => put(texts[current], values);

/** A text with its values put in. @param {string} row @param {Record<string, Value>} values */
function put(row, values) {
  // French has a narrow space before these.
  const text = language() === "fr" ? row.replace(/ (?=[:;!?»])|(?<=«) /g, "\u202f") : row;
  return text.replace(/\{(\w+)(?:([:?])([^|}]*)\|([^}]*))?\}/g, (_, name, kind, one, other) => {
    const value = values[name];
    const plain = typeof value === "number" ? grouped(value) : value;
    if (kind === undefined) return plain;
    const form = formOf(Number(value), one, other);
    return kind === "?" ? form : `${plain} ${form}`;
  });
}

/** Names joined as in a sentence. @param {readonly string[]} names */
export function joined(names) {
  if (names.length < 2) return names.join("");
  return t("and", { some: names.slice(0, -1).join(t("comma")), last: names[names.length - 1] });
}

/** What a reveal group is called: those of a calendar have a name in each language. @param {string} group */
export function groupName(group) {
  /** @type {Record<string, string>} */
  const known = { month: t("groupMonth"), day: t("groupDay"), weekday: t("groupWeekday"), year: t("groupYear") };
  return Object.hasOwn(known, group) ? known[group] : group;
}
