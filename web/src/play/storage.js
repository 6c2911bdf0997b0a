/** What survives a reload: positions, the tilings that were found, how they were found. */

import { InputError } from "../problem/errors.js";
import { t } from "../text/text.js";
import { helpIn, solvedIn } from "./record.js";

/** @typedef {import("./record.js").Help} Help */
/** @typedef {import("./record.js").Solved} Solved */

const PREFIX = "calmip.";

/** What an exported history holds; positions stay at home. */
const KEPT = /^(?:found|record)\./;

/** A file of a history is no larger. */
const MAX_BYTES = 5_000_000;

/** The mapping in a text of JSON, or an empty one. @param {string} text @returns {Record<string, unknown>} */
function tableIn(text) {
  try {
    const value = JSON.parse(text);
    return value && typeof value === "object" && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}

/** The browser's storage, which may be forbidden or full; then the page says so once. */
export class Storage {
  /** @param {(message: string) => void} complain */
  constructor(complain) {
    this.complain = complain;
    this.complained = false;
    /** What was written, so that nothing is lost while the page is open. @type {Map<string, string>} */
    this.memory = new Map();
  }

  /** @param {string} key @returns {string | null} */
  read(key) {
    if (this.memory.has(key)) return this.memory.get(key) ?? null;
    try {
      return localStorage.getItem(PREFIX + key);
    } catch {
      return null;
    }
  }

  /** @param {string} key @param {string} value */
  write(key, value) {
    this.memory.set(key, value);
    try {
      localStorage.setItem(PREFIX + key, value);
    } catch {
      if (!this.complained) {
        this.complained = true;
        this.complain(t("notStored"));
      }
    }
  }

  /** Whether nothing was ever stored here: a new visitor. */
  get isEmpty() {
    try {
      return !Object.keys(localStorage).some((key) => key.startsWith(PREFIX));
    } catch {
      return true;
    }
  }

  /** An entry in JSON, if it is a mapping. @param {string} key @returns {Record<string, unknown>} */
  table(key) {
    return tableIn(this.read(key) ?? "{}");
  }

  /** The help that an instance got since it was last solved. @param {string} key @returns {Help} */
  help(key) {
    return helpIn(this.table(`help.${key}`));
  }

  /** @param {string} key @param {Help} help */
  writeHelp(key, help) {
    this.write(`help.${key}`, JSON.stringify(help));
  }

  /** The keys of what is stored. @returns {string[]} */
  get keys() {
    /** @type {string[]} */
    let stored = [];
    try {
      stored = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX)).map((key) => key.slice(PREFIX.length));
    } catch {
      // What was written since the page was opened is in memory.
    }
    return [...new Set([...stored, ...this.memory.keys()])];
  }

  /** The puzzles of one's own that were opened. @returns {{yaml: string, file: string}[]} */
  get own() {
    return this.keys.filter((key) => key.startsWith("own.")).sort().map((key) => this.table(key))
      .map(({ yaml, file }) => ({ yaml: String(yaml), file: String(file) }));
  }

  /** @param {string} key */
  forget(key) {
    this.memory.delete(key);
    try {
      localStorage.removeItem(PREFIX + key);
    } catch {
      // Then nothing is there.
    }
  }

  /** How an instance was solved first, or null. @param {string} key @returns {Solved | null} */
  record(key) {
    return this.read(`record.${key}`) ? solvedIn(this.table(`record.${key}`)) : null;
  }

  /** All instances that were solved. @returns {Solved[]} */
  get records() {
    return this.keys.filter((key) => key.startsWith("record.")).map((key) => solvedIn(this.table(key)));
  }

  /** Note how an instance was solved; the next solution of it is judged alone. @param {string} key @param {Solved} solved */
  solved(key, solved) {
    if (!this.record(key)) this.write(`record.${key}`, JSON.stringify(solved));
    this.writeHelp(key, helpIn({}));
  }

  /** What was found and how, as the text of a file. */
  exported() {
    const entries = this.keys.filter((key) => KEPT.test(key)).sort().map((key) => [key, this.read(key)]);
    return `${JSON.stringify({ calmip: "history", entries: Object.fromEntries(entries) }, null, 1)}\n`;
  }

  /** Add the history in a file to the one that is here; what is here is kept. @param {string} text @returns {number} how many entries are new */
  imported(text) {
    const wrong = new InputError(t("notHistory"));
    if (text.length > MAX_BYTES) throw wrong;
    /** @type {unknown} */
    let entries;
    try {
      const file = JSON.parse(text);
      if (file?.calmip === "history") ({ entries } = file);
    } catch {
      throw wrong;
    }
    if (!entries || typeof entries !== "object" || Array.isArray(entries)) throw wrong;
    let fresh = 0;
    for (const [key, value] of Object.entries(entries)) {
      if (!KEPT.test(key) || typeof value !== "string") throw wrong;
      if (key.startsWith("found.")) {
        for (const tiling of value.split(" ").filter((one) => /^[\d.]+$/.test(one))) {
          fresh += Number(this.collect(key.slice("found.".length), tiling));
        }
      } else if (this.read(key) === null) {
        this.write(key, JSON.stringify(solvedIn(tableIn(value))));
        fresh += 1;
      }
    }
    return fresh;
  }

  /** The tilings found of an instance. @param {string} key @returns {Set<string>} */
  found(key) {
    return new Set((this.read(`found.${key}`) ?? "").split(" ").filter(Boolean));
  }

  /** Add a tiling to those found; whether it is new. @param {string} key @param {string} tiling */
  collect(key, tiling) {
    const found = this.found(key);
    if (found.has(tiling)) return false;
    this.write(`found.${key}`, [...found, tiling].join(" "));
    return true;
  }
}
