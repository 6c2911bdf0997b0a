/** Rows that a student writes, and cuts that follow from the rows of any model. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { readRow, sideText, sumText } from "../src/lab/expressions.js";

const NAMES = ["x", "y", "z"];

test("a row is read as it is written, with a coefficient at its beginning too", () => {
  const shown = (text) => {
    const row = readRow(text, NAMES);
    return row && `${sumText(row.index.map((column) => NAMES[column]), row.value)} ${sideText(row)}`;
  };
  assert.equal(shown("2 x + 3 y <= 5"), "2 x + 3 y ≤ 5");
  assert.equal(shown("25x − 3*y >= 1/2"), "25 x − 3 y ≥ 0.5");
  assert.equal(shown("-1.5 z = -2"), "− 1.5 z = -2");
  assert.equal(shown("x + x - y <= 5"), "2 x − y ≤ 5");
  for (const text of ["x", "x <= ", "<= 2", "x y <= 2", "2 w <= 2", "x + <= 2"]) assert.equal(shown(text), null, text);
});
