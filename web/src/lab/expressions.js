/** What a student writes: rows, values and fractions; and rows as they are shown. */

import { Fraction } from "./exact.js";

/** @typedef {import("./relaxation.js").Row} Row */

/** A fraction in a text such as `3`, `-1.5`, `1,5` or `29/2`; null where it is none. @param {string} text */
export function readFraction(text) {
  const [, sign, above, part = "", below = "1"] = /^\s*([-−]?)\s*(\d{1,12})(?:[.,](\d{1,9}))?(?:\s*\/\s*(\d{1,9}))?\s*$/.exec(text) ?? [];
  if (above === undefined || !Number(below)) return null;
  const fraction = new Fraction(BigInt(above + part), 10n ** BigInt(part.length) * BigInt(below));
  return sign ? new Fraction(0).minus(fraction) : fraction;
}

/** Values by name in a text such as `a=1 b=1/2`; what cannot be read is said. @param {string} text @param {readonly string[]} names @returns {{values: Fraction[], wrong: string}} */
export function readValues(text, names) {
  const values = names.map(() => new Fraction(0));
  for (const part of text.replace(/\s*=\s*/g, "=").split(/[\s;]+|,(?=\s|[^\d]|$)/).filter(Boolean)) {
    const [name, number = "", ...more] = part.split("=");
    const [at, value] = [names.indexOf(name), readFraction(number)];
    if (at < 0 || !value || more.length) return { values, wrong: part };
    values[at] = value;
  }
  return { values, wrong: "" };
}

/** A row in a text such as `2 a + b - c <= 3`; null where it is none. @param {string} text @param {readonly string[]} names @returns {Row | null} */
export function readRow(text, names) {
  const [, left, sense, right] = /^(.*?)(<=|=<|≤|>=|=>|≥|=)(.*)$/s.exec(text) ?? [];
  const side = readFraction(right ?? "");
  if (left === undefined || !side) return null;
  /** @type {Map<number, number>} */
  const terms = new Map();
  let rest = left.trim();
  while (rest) {
    const [all, sign, number, name] = /^([-+−]?)\s*(\d+(?:\.\d+)?)?\s*[*·]?\s*([A-Za-z_]\w*)\s*/.exec(rest) ?? [];
    const column = names.indexOf(name ?? "");
    if (all === undefined || column < 0 || (terms.size && !sign)) return null;
    terms.set(column, (terms.get(column) ?? 0) + (sign === "-" || sign === "−" ? -1 : 1) * Number(number ?? 1));
    rest = rest.slice(all.length);
  }
  if (!terms.size) return null;
  const number = side.number;
  return {
    index: [...terms.keys()], value: [...terms.values()],
    low: /<|≤/.test(sense) ? -Infinity : number, high: />|≥/.test(sense) ? Infinity : number,
  };
}

/** A sum as it is written. @param {readonly string[]} names @param {readonly (number | Fraction)[]} values */
export const sumText = (names, values) => names.map((name, k) => {
  const [, minus, size] = /^(-?)(.*)$/.exec(String(values[k])) ?? [];
  const sign = minus ? "− " : k ? "+ " : "";
  return `${sign}${size === "1" ? "" : `${size} `}${name}`;
}).join(" ") || "0";

/** The sides of a row as they are written behind it. @param {{low: number, high: number}} row */
export const sideText = ({ low, high }) => (low === high ? `= ${low}` : high === Infinity ? `≥ ${low}` : low === -Infinity ? `≤ ${high}` : `∈ [${low}, ${high}]`);
