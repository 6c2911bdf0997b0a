/** Rows that a student writes, and cuts that follow from the rows of any model. */

import assert from "node:assert/strict";
import { test } from "node:test";
import loadHighs from "highs";
import { Fraction, fractionOf, leftSide, ZERO } from "../src/lab/exact.js";
import { readRow, sideText, sumText } from "../src/lab/expressions.js";
import { Relaxation } from "../src/lab/relaxation.js";
import { conflictOf, gomoryMultipliers, roundedDown, sumOfRows, violatedCover, violatedRowClique } from "../src/lab/rowcuts.js";

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

/** A row's left side. */
const at = ({ index, value }, point) => index.reduce((sum, column, k) => sum + value[k] * point[column], 0);

/** All points of a model of bounded integers. @param {import("../src/lab/relaxation.js").Linear} linear @returns {number[][]} */
function pointsOf({ low, high, rows }) {
  let all = [[]];
  for (const [column, least] of low.entries()) {
    const range = Array.from({ length: high[column] - least + 1 }, (_, k) => least + k);
    all = all.flatMap((point) => range.map((one) => [...point, one]));
  }
  return all.filter((point) => rows.every((row) => at(row, point) <= row.high && at(row, point) >= row.low));
}

const highs = await loadHighs();

test("covers, rounded sums and Gomory's cuts keep every point of random models, and cut off the vertex", () => {
  let seed = 7;
  const random = (n) => Math.floor(((seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32) * n);
  const seen = { covers: 0, gomory: 0, sums: 0, none: 0 };
  for (let round = 0; round < 150; round += 1) {
    const n = 2 + random(3);
    const isBinary = round % 2 === 0;
    const all = Array.from({ length: n }, (_, k) => k);
    const rowOf = () => {
      const value = all.map(() => (isBinary ? random(9) : random(9) - 3));
      const side = 1 + random(14);
      return !isBinary && random(3) === 0 ? { index: all, value, low: -side, high: Infinity } : { index: all, value, low: -Infinity, high: side };
    };
    const linear = {
      cost: all.map(() => 1 + random(9)), low: all.map(() => 0), high: all.map(() => (isBinary ? 1 : 1 + random(4))),
      isInteger: all.map(() => true), rows: [rowOf(), rowOf()],
    };
    const { bound, values } = new Relaxation(highs, linear).solve([], []);
    if (bound === null) continue;
    const fractions = values.map(fractionOf);
    const points = pointsOf(linear);
    const cover = violatedCover(linear, fractions);
    if (cover) {
      seen.covers += 1;
      const row = { index: cover.columns, value: cover.columns.map(() => 1) };
      assert.ok(at(row, values) > cover.most + 1e-9, "the vertex violates it");
      assert.ok(points.every((point) => at(row, point) <= cover.most), "no solution violates the cover inequality");
      const { index, value, high } = linear.rows[cover.row];
      const weights = cover.columns.map((column) => value[index.indexOf(column)]);
      assert.deepEqual(cover.weights.map(Number), weights);
      const sum = weights.reduce((total, one) => total + one, 0);
      assert.equal(Number(cover.sum), sum);
      assert.ok(sum > high && weights.every((one) => sum - one <= high), "a minimal cover");
    } else seen.none += 1;
    const gomory = gomoryMultipliers(linear, linear.rows, fractions);
    assert.equal(gomory === null, fractions.every((one) => one.isWhole), "every fractional vertex has one");
    const wild = [...linear.rows.map(({ high }) => new Fraction((high < Infinity ? 1 : -1) * random(7), 1 + random(6))), ...all.map(() => new Fraction(random(3), 3))];
    for (const multipliers of [gomory, wild]) {
      if (!multipliers) continue;
      const sum = sumOfRows(linear, linear.rows, multipliers);
      const row = roundedDown(linear, sum);
      assert.ok(points.every((point) => at(row, point) <= row.high), "no solution is cut off");
      if (multipliers !== gomory) seen.sums += 1;
      else {
        seen.gomory += 1;
        assert.ok(leftSide(row, fractions).compare(new Fraction(row.high)) > 0, "the vertex is cut off");
      }
    }
  }
  assert.ok(Object.values(seen).every((count) => count > 15), JSON.stringify(seen));
});

test("two columns are in conflict exactly where a row alone excludes them; the clique of them that a point violates most keeps every solution", () => {
  let seed = 5;
  const random = (n) => Math.floor(((seed = (seed * 16807) % 2147483647) / 2147483647) * n);
  const seen = { conflicts: 0, cliques: 0, none: 0 };
  for (let round = 0; round < 300; round += 1) {
    const n = 3 + random(3);
    const all = Array.from({ length: n }, (_, k) => k);
    const high = all.map(() => (random(6) ? 1 : 2));
    const linear = {
      cost: all.map(() => 1), low: all.map(() => 0), high, isInteger: all.map(() => random(9) > 0),
      rows: Array.from({ length: 1 + random(5) }, () => {
        const index = all.filter(() => random(4));
        const [least, most] = [random(3) ? -Infinity : random(3) - 3, random(5) ? random(4) : Infinity];
        return { index, value: index.map(() => random(7) - 1), low: least, high: most };
      }),
    };
    for (const a of all) {
      for (const b of all.slice(a + 1)) {
        const box = pointsOf({ ...linear, rows: [] }).filter((point) => point[a] === 1 && point[b] === 1);
        const conflict = conflictOf(linear, a, b);
        const excluded = linear.rows.some((row) => row.index.includes(a) && row.index.includes(b) && box.every((point) => at(row, point) > row.high) ||
          row.index.includes(a) && row.index.includes(b) && box.every((point) => at(row, point) < row.low));
        assert.equal(conflict !== null, excluded, JSON.stringify([linear, a, b]));
        if (!conflict) continue;
        seen.conflicts += 1;
        const { row, sum, side } = conflict;
        const sums = box.map((point) => at(linear.rows[row], point));
        assert.equal(sum.number, side === linear.rows[row].high ? Math.min(...sums) : Math.max(...sums));
      }
    }
    const values = all.map(() => new Fraction(random(5), 4));
    const clique = violatedRowClique(linear, values);
    const points = pointsOf(linear);
    if (!clique) {
      seen.none += 1;
      for (const subset of all.map((a) => all.filter((b) => b >= a))) {
        const inner = subset.filter((column) => values[column].sign > 0 && values[column].number < 1 && linear.isInteger[column] && high[column] === 1);
        const isClique = inner.every((a) => inner.every((b) => a === b || conflictOf(linear, Math.min(a, b), Math.max(a, b))));
        assert.ok(!isClique || inner.reduce((sum, column) => sum + values[column].number, 0) <= 1 + 1e-4);
      }
      continue;
    }
    seen.cliques += 1;
    const { columns, conflicts } = clique;
    assert.equal(conflicts.length, (columns.length * (columns.length - 1)) / 2, "a row for each pair");
    assert.ok(columns.reduce((sum, column) => sum + values[column].number, 0) > 1, "the point is cut off");
    assert.ok(points.every((point) => columns.reduce((sum, column) => sum + point[column], 0) <= 1), "no solution is cut off");
  }
  assert.ok(Object.values(seen).every((count) => count > 20), JSON.stringify(seen));
});

test("a sum that cannot be rounded names what is in the way", () => {
  const linear = {
    cost: [1, 1], low: [0, -2], high: [Infinity, 4], isInteger: [true, false],
    rows: [{ index: [0, 1], value: [2, 1], low: -Infinity, high: 5 }, { index: [0], value: [2], low: 1, high: 5 }],
  };
  const half = new Fraction(1, 2);
  const sum = (...multipliers) => sumOfRows(linear, linear.rows, multipliers);
  assert.equal(sum(ZERO.minus(half), ZERO, ZERO, ZERO), 0, "a row of 'at most' has no negative multiplier");
  assert.equal(sum(ZERO, ZERO, half, ZERO), 2, "a column without an upper bound");
  assert.equal(roundedDown(linear, sum(half, ZERO, ZERO, ZERO)), 1, "it may be negative");
  assert.deepEqual(roundedDown({ ...linear, low: [0, 0] }, sum(half, ZERO, ZERO, ZERO)), { index: [0], value: [1], low: -Infinity, high: 2 });
  assert.deepEqual(roundedDown(linear, sum(ZERO, ZERO.minus(half), ZERO, ZERO)), { index: [0], value: [-1], low: -Infinity, high: -1 });
  assert.equal(roundedDown({ ...linear, low: [0, 0] }, { index: [1], value: [ZERO.minus(half)], side: half }), 1);
});
