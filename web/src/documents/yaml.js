/** YAML as texts, lists and mappings that know their lines: the only user of a YAML library. */

import { isAlias, isMap, isPair, isScalar, isSeq, LineCounter, parseAllDocuments, visit } from "yaml";
import { InputError, shown } from "../problem/errors.js";
import { puzzleOf } from "./puzzle_file.js";

/** @typedef {import("./puzzle_file.js").Node} Node */
/** @typedef {import("../problem/puzzle.js").Puzzle} Puzzle */
/** @typedef {(string | number)[]} Where */

const MAX_BYTES = 1_000_000;
const MAX_DEPTH = 20;
const MAX_SCALAR = 10_000;
const ODD_CHARACTER =
  /[^\t\n\r\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u;

/** What probably helps, by words in what the parser says. @type {[RegExp, string][]} */
const REMEDIES = [
  [/tab/i, "indent with blanks, not with tabs"],
  [/nested mappings|implicit keys?/i, "quote a text with ': ' in it, and indent keys alike"],
  [/flow|\bcollection\b.*(?:\]|\})|expected.*(?:\]|\})/i,
    "close every bracket, and quote a text with any of #,:[]{} in it"],
  [/escape/i, "write a backslash in double quotes as \\\\"],
  [/quote/i, "close every quote"],
  [/indent|same column/i, "indent entries alike, and quote a text as a whole or not at all"],
];

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
  const counter = new LineCounter();
  const documents = parseAllDocuments(text, {
    schema: "failsafe", version: "1.1", merge: false, lineCounter: counter, uniqueKeys: false, prettyErrors: false,
  });
  const lineAt = (/** @type {number} */ offset) => counter.linePos(offset).line;
  if (!Array.isArray(documents) || !documents.length) throw fail("is empty", null);
  const [first, second] = documents;
  const [fault] = first.errors;
  if (fault) {
    const remedy = REMEDIES.find(([words]) => words.test(fault.message))?.[1];
    throw fail(`is not valid YAML: ${shown(fault.message, 200)}${remedy ? `; ${remedy}` : ""}`, lineAt(fault.pos[0]));
  }
  if (second) {
    throw fail("found a second document after '---'; a file holds one", lineAt(second.range[0]));
  }
  if (!first.contents) throw fail("is empty", null);
  visit(first, {
    Node(_, node, path) {
      const line = lineAt(node.range?.[0] ?? 0);
      if (isAlias(node)) {
        throw fail("YAML aliases (*name) are not allowed; quote a text that starts with '*'", line);
      }
      if (node.anchor) {
        throw fail(`YAML anchors (&${shown(node.anchor)}) are not allowed; ` +
          "quote a text that starts with '&'", line);
      }
      if ((isScalar(node) || isMap(node) || isSeq(node)) && node.tag) {
        throw fail(`YAML tags (${shown(node.tag)}) are not allowed; quote a text that starts with '!'`, line);
      }
      if (isScalar(node) && String(node.value ?? "").length > MAX_SCALAR) {
        throw fail("a text is longer than 10,000 characters", line);
      }
      if (path.filter((one) => isMap(one) || isSeq(one)).length > MAX_DEPTH) {
        throw fail(`lists and mappings nested more than ${MAX_DEPTH} deep`, line);
      }
    },
  });
  /** @type {(node: unknown, path: (string | number)[]) => Node} */
  const build = (node, path) => {
    if (isSeq(node)) return node.items.map((item, k) => build(item, [...path, k]));
    if (isScalar(node) && node.type === "BLOCK_LITERAL" && hasRows(path)) {
      return String(node.value).trimEnd().split("\n");
    }
    if (!isMap(node)) return isScalar(node) ? String(node.value ?? "") : "";
    /** @type {Map<string, Node>} */
    const table = new Map();
    /** @type {Map<string, number>} */
    const lines = new Map();
    for (const { key, value } of node.items) {
      const line = lineOf(key, lineAt);
      if (!isScalar(key)) throw fail("a key must be a text, not a list or a mapping", line);
      const name = String(key.value ?? "");
      if (lines.has(name)) {
        throw fail(`key '${shown(name)}' is given twice, first in line ${lines.get(name)}`, line);
      }
      lines.set(name, line);
      table.set(name, build(value, [...path, name]));
    }
    return table;
  };
  const root = first.contents;
  return { node: build(root, []), line: (where) => lineOfPlace(root, where, lineAt) };
}

/** Whether a text after `|` is a list of its rows, as grids and pieces are. @param {Where} path */
function hasRows(path) {
  const [key, , last] = path;
  const { length } = path;
  if (key === "pieces" || key === "no_flip_pieces") return length === 2 || (length === 3 && last === "shape");
  if (key === "groups") return length === 2;
  return length === 1 && ["grid", "uncover", "sources"].includes(String(key));
}

/** @param {unknown} node @param {(offset: number) => number} lineAt */
const lineOf = (node, lineAt) =>
  lineAt(isScalar(node) || isMap(node) || isSeq(node) ? (node.range?.[0] ?? 0) : 0);

/**
 * The line of the place that keys and positions lead to, as far as they lead.
 * @param {unknown} root @param {Where} where @param {(offset: number) => number} lineAt
 */
function lineOfPlace(root, where, lineAt) {
  let node = root;
  let line = lineOf(root, lineAt);
  for (const step of where) {
    if (isMap(node)) {
      const pair = typeof step === "number"
        ? node.items[step]
        : node.items.find((one) => isPair(one) && isScalar(one.key) && String(one.key.value) === step);
      if (!pair) break;
      line = lineOf(pair.key, lineAt);
      node = pair.value;
    } else if (isSeq(node) && typeof step === "number" && step < node.items.length) {
      node = node.items[step];
      line = lineOf(node, lineAt);
    } else if (isScalar(node) && node.type === "BLOCK_LITERAL" && typeof step === "number") {
      return line + 1 + step;
    } else break;
  }
  return line;
}
