/** What the editor writes is what the reader reads. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { BUNDLED, bundled } from "../src/documents/collection.js";
import { draftOf, groupsOf, SHAPES, yamlOf } from "../src/documents/writer.js";
import { readPuzzle } from "../src/documents/yaml.js";
import { labelsOfDate } from "../src/problem/dates.js";
import { LATTICES } from "../src/problem/lattice.js";

/** @typedef {import("../src/problem/puzzle.js").Puzzle} Puzzle */

/** What a puzzle consists of. @param {Puzzle} puzzle */
const content = ({ name, board, groups, flip, pieces, noFlipPieces, use }) => ({
  name, rows: board.rows, lattice: board.lattice.name, groups: [...groups], flip,
  pieces: pieces.map((one) => [one.name, one.cells, one.colours, one.rules]),
  noFlip: noFlipPieces.map((one) => [one.name, one.cells]), use,
});

test("every puzzle is written so that it is read as it was", () => {
  assert.ok(BUNDLED.length > 10);
  for (const [id] of BUNDLED) {
    const puzzle = /** @type {Puzzle} */ (bundled(id));
    assert.deepEqual(content(readPuzzle(yamlOf(draftOf(puzzle)), "own.yaml")), content(puzzle), id);
  }
});

test("pieces to spare are written, and how many are used", () => {
  for (const rest of ["use: 2\npieces: [I1, I2, I3]", "pieces: {A: {shape: I3, flip: false, optional: true}, B: I1}",
    "pieces: {A: {shape: I3, colour: [red, blue], optional: true}, B: {shape: I1, colour: tan}}"]) {
    const puzzle = readPuzzle(`name: x\ngrid: ['* * * *']\n${rest}\n`, "own.yaml");
    assert.ok(puzzle.optional.length);
    assert.deepEqual(content(readPuzzle(yamlOf(draftOf(puzzle)), "own.yaml")), content(puzzle));
  }
});

test("odd names and labels are quoted", () => {
  const draft = {
    name: 'Ü: "x" #1 \\ - \'', lattice: "square", flip: false, noFlip: [],
    rows: [["#", "-", "\"", "'"], ["*", "null", "[a", "{b"], ["&c", "!d", "7.", "."]],
    groups: /** @type {[string, string[]][]} */ ([["my: group", ["#", "-"]], ["true", ["[a", "{b", "&c", "!d", "7.", "'", "\"", "null"]]]),
    pieces: [{ name: "no", rows: ["##"], colours: [], rules: {} }, { name: "a b", rows: ["#.", "##"], colours: ["#1e90ff", "#000080"], rules: { flip: /** @type {false} */ (false) } }, { name: "c", rows: ["#"], colours: [], rules: { rotate: /** @type {false} */ (false) } }],
  };
  const puzzle = readPuzzle(yamlOf(draft), "own.yaml");
  assert.equal(puzzle.name, draft.name);
  assert.deepEqual(puzzle.board.rows, draft.rows);
  assert.deepEqual([...puzzle.groups], draft.groups);
  assert.equal(puzzle.flip, false);
  assert.deepEqual(puzzle.pieces.map(({ name, colours, rules }) => [name, colours, rules]),
    [["no", [], {}], ["a b", ["#1e90ff", "#000080"], { flip: false }], ["c", [], { rotate: false }]]);
});

test("labels of a calendar make groups by their names, and removed ones leave theirs", () => {
  const rows = [["Jan", "Feb", "1", "2", "3"], ["*", ".", "Mon", "x", "4"]];
  const draft = { name: "x", lattice: "square", rows, groups: [], flip: true, pieces: [], noFlip: [] };
  assert.deepEqual(groupsOf(draft), [["month", ["Jan", "Feb"]], ["day", ["1", "2", "3", "4"]]]);
  assert.deepEqual(groupsOf({ ...draft, groups: [["other", ["x", "gone", "Mon"]]] })[0], ["other", ["x", "Mon"]]);
  const { groups } = readPuzzle(yamlOf({ ...draft, rows: [["Jan", "Feb", "1", "29"], ["*", "*", "*", "*"]], pieces: [{ name: "I4", rows: ["####"], colours: [], rules: {} }, { name: "I2", rows: ["##"], colours: [], rules: {} }] }), "own.yaml");
  assert.deepEqual(labelsOfDate(groups, { year: 2024, month: 2, day: 29 }), { month: "Feb", day: "29" });
});

test("every shape of the palette is written by its name", () => {
  for (const lattice of Object.keys(LATTICES)) {
    for (const [name, rows] of Object.entries(SHAPES[lattice])) {
      const text = yamlOf({ name: "x", lattice, rows: [["*"]], groups: [], flip: true, noFlip: [], pieces: [{ name: "own", rows, colours: [], rules: {} }] });
      assert.match(text, new RegExp(`^ {2}own: ${name}$`, "m"));
    }
  }
});
