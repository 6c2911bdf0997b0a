/** Puzzles in YAML: documents of texts, lists and mappings, and the lines of their places. */

import { InputError, shown } from "../problem/errors.js";
import { puzzleOf } from "./puzzle_file.js";
import { readYaml } from "./yaml_text.js";

/** @typedef {import("./puzzle_file.js").Node} Node */
/** @typedef {import("./yaml_text.js").YamlNode} YamlNode */
/** @typedef {import("../problem/puzzle.js").Puzzle} Puzzle */
/** @typedef {(string | number)[]} Where */

const MAX_BYTES = 1_000_000;
const ODD_CHARACTER =
  /[^\t\n\r\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u;

/**
 * The puzzle in the text of a YAML file.
 * @param {string} text @param {string} file what messages call it
 * @returns {Puzzle}
 */
export function readPuzzle(text, file) {
  const document = readDocument(text, file);
  if (!(document.node instanceof Map)) {
    throw placed(new InputError("a puzzle is a mapping with keys such as grid and pieces"), file, null);
  }
  if (document.node.has("puzzle") && !document.node.has("grid")) {
    const message = "is an instance (it has the key 'puzzle'), not a puzzle; name the puzzle itself";
    throw placed(new InputError(message), file, document.line(["puzzle"]));
  }
  try {
    return puzzleOf(document.node, shown(file.replace(/\.ya?ml$/, ""), 200).slice(0, 200));
  } catch (error) {
    throw error instanceof InputError ? placed(error, file, document.line(error.where)) : error;
  }
}

/** @param {InputError} error @param {string} file @param {number | null} line */
function placed(error, file, line) {
  error.path = file;
  error.line = line;
  return error;
}

/**
 * The one document of a YAML text, and the line of a place inside it.
 * @param {string} source @param {string} file
 * @returns {{node: Node, line: (where: Where) => number}}
 */
function readDocument(source, file) {
  const text = source.replace(/^\ufeff/, "");
  const fail = (/** @type {string} */ message, /** @type {number | null} */ line) =>
    placed(new InputError(message), file, line);
  if (new TextEncoder().encode(text).length > MAX_BYTES) {
    throw fail("is larger than 1,000,000 bytes; a puzzle is small", null);
  }
  const odd = ODD_CHARACTER.exec(text);
  if (odd) {
    const line = text.slice(0, odd.index).split(/\r\n|\r|\n/).length;
    const code = Number(odd[0].codePointAt(0)).toString(16).toUpperCase().padStart(4, "0");
    throw fail(`is not valid YAML: the invisible character U+${code} is not allowed; ` +
      "remove it, or save the file as plain UTF-8 text", line);
  }
  const root = readYaml(text.replace(/\r\n?/g, "\n"), fail);
  if (!root) throw fail("is empty", null);
  /** @type {(node: YamlNode, path: (string | number)[]) => Node} */
  const build = (node, path) => {
    if (node.kind === "list") return node.items.map((item, k) => build(item, [...path, k]));
    if (node.kind === "text") return node.literal && hasRows(path) ? node.text.trimEnd().split("\n") : node.text;
    /** @type {Map<string, Node>} */
    const table = new Map();
    /** @type {Map<string, number>} */
    const lines = new Map();
    for (const { key, value } of node.pairs) {
      if (lines.has(key.text)) {
        throw fail(`key '${shown(key.text)}' is given twice, first in line ${lines.get(key.text)}`, key.line);
      }
      lines.set(key.text, key.line);
      table.set(key.text, build(value, [...path, key.text]));
    }
    return table;
  };
  return { node: build(root, []), line: (where) => lineOfPlace(root, where) };
}

/** Whether a text after `|` is a list of its rows, as grids and pieces are. @param {Where} path */
function hasRows(path) {
  const [key, , last] = path;
  const { length } = path;
  if (key === "pieces" || key === "no_flip_pieces") return length === 2 || (length === 3 && last === "shape");
  if (key === "groups") return length === 2;
  return length === 1 && ["grid", "uncover", "sources"].includes(String(key));
}

/** The line of the place that keys and positions lead to, as far as they lead. @param {YamlNode} root @param {Where} where */
function lineOfPlace(root, where) {
  let node = root;
  let { line } = node;
  for (const step of where) {
    if (node.kind === "table") {
      const pair = typeof step === "number" ? node.pairs[step] : node.pairs.find(({ key }) => key.text === step);
      if (!pair) break;
      ({ line } = pair.key);
      node = pair.value;
    } else if (node.kind === "list" && typeof step === "number" && step < node.items.length) {
      node = node.items[step];
      ({ line } = node);
    } else if (node.kind === "text" && node.literal && typeof step === "number") {
      return line + 1 + step;
    } else break;
  }
  return line;
}
