/** The reader of YAML, against the npm package yaml, which the page does not contain. */

import assert from "node:assert/strict";
import test from "node:test";
import { isMap, isScalar, isSeq, parseAllDocuments } from "yaml";
import { readYaml } from "../src/documents/yaml_text.js";
import { InputError } from "../src/problem/errors.js";

const fail = (message, line) => Object.assign(new InputError(message), { line });

const plain = (node) =>
  node === null ? "" : node.kind === "text" ? node.text : node.kind === "list" ? node.items.map(plain)
    : node.pairs.map(({ key, value }) => [key.text, plain(value)]);

/** The same shape of the package's nodes; undefined where it refuses the text. */
function theirs(text) {
  const documents = parseAllDocuments(text, { schema: "failsafe", version: "1.2", merge: false, uniqueKeys: false });
  if (!Array.isArray(documents) || !documents.length) return "";
  if (documents.length > 1 || documents[0].errors.length) return undefined;
  const build = (node) => {
    if (isSeq(node)) return node.items.map(build);
    if (isMap(node)) return node.items.map(({ key, value }) => [String(key?.value ?? ""), build(value)]);
    return isScalar(node) ? String(node.value ?? "") : "";
  };
  return build(documents[0].contents);
}

const ours = (text) => {
  try {
    return plain(readYaml(text, fail));
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return undefined;
  }
};

const TEXTS = [
  "", "# only a comment\n", "a: b", "a:\n  b: c\n  d:\n  - 1\n  - 2\ne: f\n", "- a\n- - b\n  - c\n- d: e\n  f: g\n-\n- h\n",
  "a:\n- 1\n- 2\nb: 3\n", "a: [1, 2, [3, 4], {b: c, d: e}]\n", "a: [\n  x y,\n  z  # comment\n  , w\n]\nb: 1\n",
  "a: {b, c: , d: [e]}\n", "a: 'it''s'\nb: \"x\\ty\\u00e9 \\\\ \\\"\"\n", "a: 'two\n  lines'\nb: \"three\n\n  lines \\\n  more\"\n",
  "a: two\n  lines\n  more\n\n  after\nb: c\n", "a: |\n  x\n   y\n\n  z\nb: >\n  one\n  two\n\n  three\n   deep\n  four\n",
  "a: |-\n  x\n\nb: |+\n  y\n\nc: |2\n    z\n", "---\na: b\n...\n", "--- a\n", "a: b # comment\nc: d#e\n", "a:b: c\n", "'a b': c\n\"d\": e\n",
  "a: http://x.y/z\n", "a: [b: c, d]\n", "- |\n a\n b\n- >-\n c\n d\n", "a: -1\nb: - \n", "a: ?x\nb: :x\n", "- 'a' \n- b\n", "a:\n  - b\n  -\n    c: d\n",
  "a:\n\n\n  b\nc:\n", "grid: ['##', '#.']\n", "a: [1,2,]\nb: []\nc: {}\n", "a: {\"x\":1, y: 2}\n", "key with blanks: value with: colon\n", "a: b\n  c: d\n", "a:\n    b: 1\n  c: 2\n",
  "a: 'b' c\n", "a: [b\n", "a: 'b\n", "a: \"\\q\"\n", "- a\nb: c\n", "a: b\n- c\n", "a\nb: c\n", "\ta: b\n", "a: b\n---\nc: d\n", "a: @b\n", "a: `b\n", "a: %b\n", "a: , b\n",
  "a: |\n  b\n c\n", "? a\n: b\n", "a:\n\t- b\n", "a: [b]]\n", "a: >\n\n  x\n\n\n  y\n", "a: |\n\n\n  x\n", "- - - a\n    - b\n  - c\n", "a: b\n\n\n# c\nd: e", "a: 'x' # y\n", "a: \"\"\nb: ''\n",
];

const REFUSED_ONLY_HERE = ["a: &x b\n", "a: *x\n", "a: !x b\n", "- !!str a\n", "[a]: b\n", "{a: b}: c\n", "? [a]\n: b\n"];

test("texts are read as the YAML package reads them", () => {
  for (const text of TEXTS) {
    if (text === "? a\n: b\n") continue;
    assert.deepEqual(ours(text), theirs(text), JSON.stringify(text));
  }
  for (const text of [...REFUSED_ONLY_HERE, "? a\n: b\n"]) assert.equal(ours(text), undefined, text);
});

test("texts put together from parts are read alike, or refused", () => {
  let seed = 7;
  const pick = (all) => {
    seed = (seed * 48271) % 2147483647;
    return all[seed % all.length];
  };
  const node = (depth, indent) => {
    const kind = pick(depth > 2 ? ["text"] : ["text", "text", "list", "table", "flow", "block"]);
    const pad = " ".repeat(indent);
    if (kind === "text") return ` ${pick(["x", "'a b'", "\"q\\n\"", "two words", "1 2 3", "a#b", "''", "x\n" + pad + "  y"])}`;
    if (kind === "flow") return ` ${pick(["[a, b c]", "{a: 1, b: [2]}", "[[1], {x: 'y, z'}]", "[\n" + pad + "  a, b\n" + pad + "  ]"])}`;
    if (kind === "block") return ` ${pick(["|", ">", "|-", ">+"])}\n${pad}  r1\n${pick(["", "\n"])}${pad}  ${pick(["", " "])}r2\n`.replace(/\n$/, "");
    const count = pick([1, 2, 3]);
    return Array.from({ length: count }, (_, k) =>
      `\n${pick(["", "", "# c\n"])}${pad}${kind === "list" ? "-" : `k${k}:`}${node(depth + 1, indent + pick([1, 2, 3]))}`).join("");
  };
  let read = 0;
  for (let k = 0; k < 3000; k += 1) {
    const text = `a:${node(0, 2)}\nb: c\n`;
    const expected = theirs(text);
    if (expected !== undefined) read += 1;
    assert.deepEqual(ours(text), expected, JSON.stringify(text));
  }
  assert.ok(read > 2000);
});

test("what is nested too deep and what is too long is refused, not read for ever", () => {
  assert.equal(ours(`a: ${"[".repeat(30)}${"]".repeat(30)}\n`), undefined);
  assert.equal(ours("[".repeat(100_000)), undefined);
  assert.equal(ours("- ".repeat(100_000)), undefined);
  assert.equal(ours(`a: '${"x".repeat(10_001)}'\n`), undefined);
  assert.equal(ours(`a: '${"x".repeat(10_000)}'\n`)[0][1].length, 10_000);
});
