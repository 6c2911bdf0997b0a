/** What users can get wrong, and how messages quote it: the words of the Python package. */

const MAX_MESSAGE = 4000;

/** Something that a user wrote is wrong; the message says what is allowed instead. */
export class InputError extends Error {
  /**
   * @param {string} message
   * @param {(string | number)[]} [where] the place inside the document, as keys and positions
   */
  constructor(message, where = []) {
    super(message);
    this.where = where;
    /** @type {string | null} */
    this.path = null;
    /** @type {number | null} */
    this.line = null;
  }

  /** The whole message: file, line, what is wrong. */
  toString() {
    const message = shown(this.message, MAX_MESSAGE);
    if (this.path === null) return message;
    const place = shown(this.path, MAX_MESSAGE);
    return this.line === null ? `${place}: ${message}` : `${place}:${this.line}: ${message}`;
  }
}

const INVISIBLE = /[\p{C}\p{Z}]/u;

/** Whether a text can be seen and obeys nothing, as Python's `str.isprintable` says. @param {string} text */
export function isPrintable(text) {
  return [...text].every((mark) => mark === " " || !INVISIBLE.test(mark));
}

/**
 * Names as a readable list for a message, cut after the first `most`.
 * @param {readonly unknown[]} names
 */
export function listed(names, most = 40) {
  const parts = names.slice(0, most).map((name) => shown(name));
  if (names.length > most) parts.push(`... (${names.length} in all)`);
  return parts.length ? parts.join(", ") : "none";
}

/**
 * A text for a message: on one line, cut after `most` characters, harmless.
 * @param {unknown} text
 */
export function shown(text, most = 60) {
  const marks = [...written(text)];
  const cut = marks.length <= most ? marks : [...marks.slice(0, most), ..."..."];
  return cut.map((mark) => (isPrintable(mark) ? mark : escaped(mark))).join("");
}

/** A cell is written as Python writes a pair. @param {unknown} value */
function written(value) {
  return Array.isArray(value) ? `(${value.join(", ")})` : String(value);
}

/** A character as Python writes it in quotes. @param {string} mark */
export function escaped(mark) {
  const named = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
  if (mark in named) return named[/** @type {keyof typeof named} */ (mark)];
  const code = /** @type {number} */ (mark.codePointAt(0));
  const hex = code.toString(16);
  if (code < 0x100) return `\\x${hex.padStart(2, "0")}`;
  return code < 0x10000 ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
}
