/** The plane of a model of two columns: vertices by fractions, against trying all pairs of lines and all integer points. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { Fraction, isFeasible } from "../src/lab/exact.js";
import { LESSONS, linearOfLesson } from "../src/lab/lessons.js";
import { halvesOf, lineIn, planeOf } from "../src/lab/plane.js";
import { rowOfCut } from "../src/lab/relaxation.js";

const shown = (points) => points.map(String).sort();

/** The vertices of a model: where two lines meet, and all rows hold. */
function verticesOf(linear, cuts, fixings) {
  const bounds = linear.low.map((low, column) => ({
    index: [column], value: [1],
    low: Math.max(low, ...fixings.filter(([one]) => one === column).map(([, least]) => least)),
    high: Math.min(linear.high[column], ...fixings.filter(([one]) => one === column).map(([, least, most = least]) => most)),
  }));
  const lines = [...linear.rows, ...cuts.map(rowOfCut), ...bounds].flatMap(halvesOf);
  const found = new Set();
  for (const { normal: [a, b], most: e } of lines) {
    for (const { normal: [c, d], most: f } of lines) {
      const det = a.times(d).minus(b.times(c));
      if (!det.sign) continue;
      const by = new Fraction(det.below, det.above);
      const point = [e.times(d).minus(b.times(f)).times(by), a.times(f).minus(e.times(c)).times(by)];
      if (isFeasible(linear, cuts, fixings, point)) found.add(String(point));
    }
  }
  return [...found].sort();
}

test("relaxation, node and hull have the vertices that all pairs of lines and all integer points give", () => {
  let seed = 3;
  // Its high bits: the low ones take turns.
  const random = (n) => Math.floor(((seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32) * n);
  let [hulls, nodes, cutOff] = [0, 0, 0];
  for (let round = 0; round < 120; round += 1) {
    const rows = Array.from({ length: 1 + random(4) }, () => ({
      index: [0, 1], value: [random(11) - 3, random(11) - 3],
      ...(random(6) ? { low: -Infinity, high: 2 + random(20) } : { low: -random(9), high: 8 + random(9) }),
    }));
    const linear = { cost: [1, 1], low: [0, -random(3)], high: [2 + random(6), 1 + random(6)], isInteger: [true, round % 3 > 0], rows };
    const cuts = random(2) ? [{ columns: [0, 1], values: [1, 2], most: 3 + random(5) }] : [];
    const fixings = random(2) ? [[0, 1, Infinity]] : [];
    const { relaxation, node, hull, points, segments, isBounded } = planeOf(linear, cuts, fixings, []);
    assert.ok(isBounded);
    assert.deepEqual(shown(relaxation), verticesOf(linear, [], []));
    assert.deepEqual(shown(node), verticesOf(linear, cuts, fixings));
    cutOff += Number(cuts.length > 0 && String(shown(node)) !== String(verticesOf(linear, [], fixings)));
    nodes += Number(node.length > 2 && node.length !== relaxation.length);
    const all = [];
    for (let x = linear.low[0]; x <= linear.high[0]; x += 1) {
      for (let y = linear.low[1]; y <= linear.high[1]; y += 1) {
        if (isFeasible(linear, [], [], [new Fraction(x), new Fraction(y)])) all.push([x, y]);
      }
    }
    if (linear.isInteger[1]) assert.deepEqual(shown(points), shown(all));
    else {
      assert.equal(points.length, 0);
      for (const ends of segments) {
        assert.ok(ends.every((end) => end[0].isWhole && isFeasible(linear, [], [], end)));
      }
      // A segment has every integer point of its line, and ends at rows or bounds.
      assert.ok(all.every(([x, y]) => segments.some((ends) => ends[0][0].number === x && ends[0][1].number <= y && ends.at(-1)[1].number >= y)));
    }
    const candidates = linear.isInteger[1] ? points : segments.flat();
    for (let k = 0; k < 16; k += 1) {
      const [a, b] = [Math.cos(k * 0.39), Math.sin(k * 0.39)];
      const best = (set) => Math.max(...set.map(([x, y]) => a * x.number + b * y.number));
      assert.equal(best(hull), best(candidates));
    }
    // No vertex lies between others: each turns to the left.
    if (hull.length > 2) {
      hulls += 1;
      hull.forEach(([x, y], k) => {
        const [[p, q], [r, w]] = [hull[(k + 1) % hull.length], hull[(k + 2) % hull.length]];
        assert.ok(p.minus(x).times(w.minus(y)).compare(q.minus(y).times(r.minus(x))) > 0);
      });
    }
  }
  assert.ok(hulls > 40 && nodes > 10 && cutOff > 10, `${hulls} ${nodes} ${cutOff}`);
});

test("the plane of lessons: vertices in fractions, unbounded ones without a hull", () => {
  const rounding = planeOf(linearOfLesson(LESSONS["rounding-fails"]), [], [], []);
  assert.deepEqual(shown(rounding.relaxation), ["0,0", "0,2", "376/193,950/193", "5,0"].sort());
  assert.deepEqual(rounding.view, [[0, 5], [0, 5]]);
  assert.deepEqual(shown(rounding.hull), ["0,0", "0,2", "2,4", "3,3", "5,0"]);
  const bigM = planeOf(linearOfLesson(LESSONS["big-m"]), [], [], []);
  assert.deepEqual(shown(bigM.hull), ["0,0", "0,1", "7,1"]);
  const need = planeOf(linearOfLesson(LESSONS.infeasible), [], [], []);
  assert.deepEqual([need.relaxation, need.hull, need.view], [[], null, [[0, 1], [0, 1]]]);
  const cone = { cost: [-1, -1], low: [0, 0], high: [Infinity, Infinity], isInteger: [true, true], rows: [{ index: [0, 1], value: [1, 2], low: 3, high: Infinity }] };
  const open = planeOf(cone, [], [], []);
  assert.deepEqual([open.isBounded, open.hull, open.view], [false, null, [[0, 5], [0, 3]]]);
  assert.deepEqual(shown(open.relaxation), ["0,3", "0,3/2", "3,0", "5,0", "5,3"].sort());
  assert.deepEqual(shown(lineIn(open.view, halvesOf(cone.rows[0])[0])), ["0,3/2", "3,0"]);
  // Solutions that are too many to be shown have no hull.
  const many = { ...cone, rows: [], high: [100, 100] };
  assert.deepEqual([planeOf(many, [], [], []).hull, planeOf(many, [], [], []).points], [null, []]);
});
