/** Guesses before a step: kept, compared with what came, and put together for a class by codes; no server. */

/** @typedef {{question: string, guess: string, answer: string}} Guess what was asked, guessed and found, as they are shown */
/** @typedef {{question: string, answer: string, n: number, right: number, least: string, median: string, most: string}} Spread the guesses of a class at one question */

/** What a code begins with. */
const HEAD = "calmip-guesses-1:";

/** So many guesses are kept. */
const KEPT = 200;

/** @param {unknown} one @returns {one is [string, string, string]} */
const isGuess = (one) => Array.isArray(one) && one.length === 3 && one.every((part) => typeof part === "string" && part.length < 200);

/** The guesses in a list of triples; null where it is none. @param {string} text @returns {Guess[] | null} */
function listed(text) {
  try {
    const all = JSON.parse(text);
    return Array.isArray(all) && all.every(isGuess) ? all.map(([question, guess, answer]) => ({ question, guess, answer })) : null;
  } catch {
    return null;
  }
}

/** Guesses as a text to be stored. @param {readonly Guess[]} guesses */
export const storedGuesses = (guesses) => JSON.stringify(guesses.slice(-KEPT).map(({ question, guess, answer }) => [question, guess, answer]));

/** What was stored. @param {string | null} text @returns {Guess[]} */
export const readGuesses = (text) => listed(text ?? "[]") ?? [];

/** Guesses as a code in letters that every mail and form keeps. @param {readonly Guess[]} guesses @param {string} [head] what the code begins with */
export const codeOf = (guesses, head = HEAD) =>
  head + btoa(String.fromCharCode(...new TextEncoder().encode(storedGuesses(guesses)))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

/** The guesses in a code, or null. @param {string} code @returns {Guess[] | null} */
function decoded(code) {
  try {
    const bytes = Uint8Array.from(atob(code.replaceAll("-", "+").replaceAll("_", "/")), (mark) => mark.charCodeAt(0));
    return listed(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return null;
  }
}

/** The codes in a text, one after the other, with whatever stands between them; those that cannot be read are named. @param {string} text @returns {{all: Guess[][], wrong: string[]}} */
export function codesIn(text) {
  /** @type {Map<string, Guess[] | null>} */
  const found = new Map();
  for (const [code, body] of text.matchAll(new RegExp(`${HEAD}([\\w-]*)`, "g"))) found.set(code, decoded(body));
  return {
    all: [...found.values()].filter((one) => one !== null),
    wrong: [...found].flatMap(([code, one]) => (one ? [] : [code.slice(0, 40)])),
  };
}

/** How a class guessed: of each student the first guess at a question counts. @param {readonly Guess[][]} all @returns {Spread[]} */
export function spreadOf(all) {
  /** @type {Map<string, Guess[]>} */
  const asked = new Map();
  for (const student of all) {
    const seen = new Set();
    for (const one of student) {
      const key = JSON.stringify([one.question, one.answer]);
      if (seen.has(key)) continue;
      seen.add(key);
      asked.set(key, [...asked.get(key) ?? [], one]);
    }
  }
  return [...asked.values()].map((guesses) => {
    const [{ question, answer }] = guesses;
    const sorted = guesses.map(({ guess }) => guess).sort((a, b) => Number(a) - Number(b) || (a < b ? -1 : 1));
    return {
      question, answer, n: guesses.length, right: guesses.filter(({ guess }) => guess === answer).length,
      least: sorted[0], median: sorted[(sorted.length - 1) >> 1], most: sorted[sorted.length - 1],
    };
  });
}
