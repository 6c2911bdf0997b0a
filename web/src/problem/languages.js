/** Which month or weekday a label names, in the languages that the package knows. */

import data from "../data.json" with { type: "json" };

/** @typedef {"month" | "weekday"} Named */
/** @typedef {{month: string[], weekday: string[], short: {month?: Record<string, number>, weekday?: Record<string, number>}}} Language */

/** @type {Record<string, Language>} */
const KNOWN = data.languages;

/** The languages, by their two letters; English comes first. */
export const LANGUAGES = Object.keys(KNOWN);

/** A name without case, accents, a dot at the end. @param {string} text */
const plain = (text) =>
  text.trim().replace(/\.+$/, "").toLowerCase().replace(/ß/g, "ss").replace(/ς/g, "σ")
    .normalize("NFD").replace(/\p{M}/gu, "").replace(/ı/g, "i");

/** @type {Map<string, {names: string[], short: Map<string, number>}>} */
const made = new Map();

/** @param {string} language @param {Named} group */
function known(language, group) {
  const key = `${language} ${group}`;
  let found = made.get(key);
  if (!found) {
    const names = KNOWN[language][group].map(plain);
    const short = Object.entries(KNOWN[language].short[group] ?? {});
    /** @type {[string, number][]} */
    const entries = [
      ...names.map((name, k) => /** @type {[string, number]} */ ([name, k + 1])),
      ...short.map(([name, number]) => /** @type {[string, number]} */ ([plain(name), number])),
    ];
    found = { names, short: new Map(entries) };
    made.set(key, found);
  }
  return found;
}

/**
 * The number of the month (1-12) or the weekday (Monday = 1) that a label names, or null.
 * A month's name may be cut after three letters, a weekday's after two.
 * @param {string} language @param {Named} group @param {string} label
 */
export function nameNumber(language, group, label) {
  const text = plain(label);
  const { names, short } = known(language, group);
  const exact = short.get(text);
  if (exact !== undefined) return exact;
  const found = names.flatMap((name, k) => (name.startsWith(text) ? [k + 1] : []));
  const least = group === "weekday" ? 2 : 3;
  return found.length === 1 && [...text].length >= least ? found[0] : null;
}
