/** The table of strings: whole in every language, and no literal that is shown is beside it. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath, URL } from "node:url";
import ts from "typescript";
import { TABLE as LAB } from "../src/lab/table.js";
import { bestLanguage, fill, joined, LANGUAGES, speak, t } from "../src/text/text.js";
import { TABLE as PAGE } from "../src/text/table.js";

/** @typedef {import("../src/text/table.js").Row} Row */

const labKey = (/** @type {string} */ key) => `lab: ${key}`;

/** The rows of the page and of the lab. @type {Record<string, Row>} */
const TABLE = { ...PAGE, ...Object.fromEntries(Object.entries(LAB).map(([key, row]) => [labKey(key), row])) };
const KEYS = Object.keys(TABLE);
const NUMBER = 3;

/** The names of the values in a text. @param {string} text */
const valuesIn = (text) => [...new Set([...text.matchAll(/\{(\w+)[^}]*\}/g)].map(([, name]) => name))].sort();

/** Values for a row: numbers where a noun follows. @param {string} text @returns {Record<string, string | number>} */
const valuesFor = (text) => Object.fromEntries(valuesIn(text).map((name) => [name, NUMBER]));

test("every row has every language, with the same values", () => {
  for (const key of KEYS) {
    const row = TABLE[key];
    assert.equal(row.length, LANGUAGES.length, key);
    for (const text of row) {
      assert.notEqual(text.trim(), "", key);
      const plain = text.replace(/\{\w+(?:[:?][^|{}]+\|[^|{}]+)?\}/g, "");
      assert.doesNotMatch(plain, /[{}|]/, `${key}: ${text}`);
      assert.deepEqual(valuesIn(text).filter((name) => valuesIn(row[0]).includes(name)), valuesIn(text), `${key}: ${text}`);
    }
    const [english, ...others] = row.map(valuesIn);
    // A count that stands beside its text ("64 solutions left") may have no noun to agree with.
    const may = /\{n\?/.test(row[0]) ? ["n"] : [];
    for (const names of others) {
      assert.deepEqual(english.filter((name) => !names.includes(name) && !may.includes(name)), [], key);
    }
  }
});

/** What is the same as in English: words that languages share, units, and keys of the keyboard. @type {Record<string, string[]>} */
const SHARED = {
  de: ["puzzles", "hours", "minutes", "ownTitle", labKey("headLps")],
  fr: ["licences", "puzzle", "puzzles", "date", "vibration", "position", "hours", "minutes", "keysCopy", "times", "coloursCount", "tiling", labKey("headQuestion")],
  es: ["hours", "minutes", "keysCopy"],
  zh: ["keyDelete", "keysCopy"],
};

test("no row is left in English", () => {
  LANGUAGES.slice(1).forEach(([code], k) => {
    const left = KEYS.filter((key) => TABLE[key][k + 1] === TABLE[key][0] && /\p{L}{2}/u.test(TABLE[key][0].replace(/\{[^}]*\}/g, "")));
    assert.deepEqual(left, SHARED[code]);
  });
});

test("numbers choose the form of their nouns, and have their thousands apart", () => {
  const said = (/** @type {string} */ code, /** @type {number} */ n) => {
    speak(code);
    return t("tilingsLeft", { n });
  };
  assert.equal(said("en", 1), "1 solution left");
  assert.equal(said("en", 24405), "24,405 solutions left");
  assert.equal(said("de", 1), "noch 1 Lösung");
  assert.equal(said("de", 24405), "noch 24.405 Lösungen");
  assert.equal(said("fr", 0), "encore 0 solution");
  assert.equal(said("fr", 2), "encore 2 solutions");
  assert.equal(said("es", 1), "queda 1 solución");
  assert.equal(said("zh", 24405), "还有 24,405 个解");
  speak("fr");
  assert.equal(t("uncovered", { labels: "x" }), "À découvert\u202f: x");
  assert.equal(joined(["a", "b", "c"]), "a, b et c");
  speak("zh");
  assert.equal(joined(["a", "b", "c"]), "a、b和c");
  speak("en");
});

test("the language is the first of the browser's that the table has", () => {
  assert.equal(bestLanguage(["", "pt-BR", "de-CH", "en"]), "de");
  assert.equal(bestLanguage(["zh-Hant-TW"]), "zh");
  assert.equal(bestLanguage(["pt", "it"]), "en");
  assert.equal(bestLanguage([]), "en");
});

test("no value is missing in a text", () => {
  for (const [code] of LANGUAGES) {
    speak(code);
    for (const key of KEYS) assert.doesNotMatch(fill(TABLE[key], valuesFor(TABLE[key].join())), /[{}|]|undefined|NaN/, `${code} ${key}`);
  }
  speak("en");
});

/** Words that show through the page's own functions. */
const SINKS = new Set(["h", "button", "tool", "redraw", "say", "announce", "moved", "tell", "append", "createTextNode", "replaceChildren"]);

/** The attributes whose values are read to somebody, or shown. */
const READ = new Set(["aria-label", "title", "placeholder", "alt", "aria-description"]);

/** The literals that a file shows beside the table. @param {string} path @returns {string[]} */
function shownLiterals(path) {
  const file = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.ES2022, true, ts.ScriptKind.JS);
  /** @type {string[]} */
  const found = [];
  const words = (/** @type {string} */ text) => /\p{L}{2}/u.test(text.replaceAll(NAME, ""));
  /** Texts of an expression that becomes a text. @param {ts.Node} node */
  const collect = (node) => {
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) {
      if (words(node.text)) found.push(node.text);
    } else if (ts.isTemplateExpression(node)) {
      if ([node.head, ...node.templateSpans.map((span) => span.literal)].some((part) => words(part.text))) found.push(node.getText());
      node.templateSpans.forEach((span) => collect(span.expression));
    } else if (ts.isConditionalExpression(node)) {
      collect(node.whenTrue);
      collect(node.whenFalse);
    } else if (ts.isBinaryExpression(node)) {
      const kind = node.operatorToken.kind;
      if (kind === ts.SyntaxKind.PlusToken || kind === ts.SyntaxKind.BarBarToken || kind === ts.SyntaxKind.QuestionQuestionToken) collect(node.left);
      if (kind !== ts.SyntaxKind.EqualsEqualsEqualsToken) collect(node.right);
    } else if (ts.isParenthesizedExpression(node)) collect(node.expression);
  };
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isCallExpression(node)) {
      const callee = ts.isPropertyAccessExpression(node.expression) ? node.expression.name.text : node.expression.getText();
      if (SINKS.has(callee)) {
        const from = callee === "h" ? 2 : callee === "tool" ? 1 : 0;
        const isFrame = /frame/.test(node.expression.getText()) || path.endsWith("frame.js");
        if (!isFrame) node.arguments.slice(from).forEach(collect);
      }
      if (callee === "setAttribute" && ts.isStringLiteral(node.arguments[0]) && READ.has(node.arguments[0].text)) collect(node.arguments[1]);
    }
    if (ts.isPropertyAssignment(node) && READ.has(node.name.getText().replace(/"/g, ""))) collect(node.initializer);
    if (ts.isPropertyAssignment(node) && node.name.getText() === "text") collect(node.initializer);
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
      /\.(?:textContent|innerText|title)$/.test(node.left.getText())) collect(node.right);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** The page's name is the same in every language. */
const NAME = "calmip";

test("every literal that the page shows is in the table", () => {
  const files = ["view", "more", "play", "element", "lab"].flatMap((room) =>
    readdirSync(new URL(`../src/${room}`, import.meta.url)).map((name) => fileURLToPath(new URL(`../src/${room}/${name}`, import.meta.url))))
    // The solver's thread and files say what only a broken machine or folder brings forth.
    .filter((path) => !/lab.(?:thread|solver|parts|table)\.js$/.test(path));
  assert.ok(files.length > 15);
  assert.deepEqual(files.flatMap((path) => shownLiterals(path).map((text) => `${path.split("/").pop()}: ${text}`)), []);
});

test("a literal beside the table is found", () => {
  const here = fileURLToPath(new URL("./text.test.js", import.meta.url));
  assert.ok(shownLiterals(here).includes("a word beside the table"));
});

/** What the test above has to find; never called. @param {{say: (text: string) => void}} page */
export const example = (page) => page.say("a word beside the table");

test("every row is used", () => {
  const all = (/** @type {string[]} */ rooms) => rooms.flatMap((room) => {
    const url = new URL(`../src/${room}`, import.meta.url);
    return room.endsWith(".js") ? [readFileSync(url, "utf8")]
      : readdirSync(url).map((name) => readFileSync(new URL(`../src/${room}/${name}`, import.meta.url), "utf8"));
  }).join("\n");
  const unused = (/** @type {string[]} */ keys, /** @type {string} */ text) => keys.filter((key) => !new RegExp(`"${key}"`).test(text));
  const dynamic = new Set(["play", "year", "model", "lab", "system", "light", "dark"]);
  assert.deepEqual(unused(Object.keys(PAGE).filter((key) => !dynamic.has(key)), all(["main.js", "view", "more", "play", "element", "text/text.js"])), []);
  assert.deepEqual(unused(Object.keys(LAB), all(["lab"])), []);
});

test("what a module exports, another one or a test imports", () => {
  const texts = new Map(["../src", "../test"].flatMap((room) =>
    readdirSync(new URL(room, import.meta.url), { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".js"))
      .map((name) => [`${room}/${name}`, readFileSync(new URL(`${room}/${name}`, import.meta.url), "utf8")])));
  const idle = [...texts].flatMap(([path, text]) =>
    [...text.matchAll(/^export (?:async )?(?:const|let|function|class) (\w+)/gm)].map(([, name]) => name)
      .filter((name) => ![...texts].some(([other, words]) => other !== path && new RegExp(`\\b${name}\\b`).test(words)))
      .map((name) => `${path} ${name}`));
  assert.deepEqual(idle, []);
});
