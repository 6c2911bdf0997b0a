/** The plane of a model of two columns, in fractions: its relaxation, its solutions and their convex hull, and a node of its tree. */

import { decimal, Fraction, ZERO } from "./exact.js";
import { boundsAt, rowOfCut } from "./relaxation.js";

/** @typedef {import("./relaxation.js").Linear} Linear */
/** @typedef {import("./relaxation.js").Row} Row */
/** @typedef {import("./tree.js").Cut} Cut */
/** @typedef {import("./tree.js").Fix} Fix */
/** @typedef {[Fraction, Fraction]} Point */
/** @typedef {{normal: Point, most: Fraction}} Half the points whose product with the normal is at most so much */
/**
 * @typedef {object} Plane
 * @property {Point[]} relaxation its vertices in order, cut to the view where it is unbounded
 * @property {Point[]} node the same of a node, with the cuts
 * @property {Point[] | null} hull of the solutions; null where all are not shown
 * @property {Point[]} points solutions, where both columns are integers
 * @property {Point[][]} segments of solutions, where one column is an integer
 * @property {boolean} isBounded
 * @property {[low: number, high: number][]} view the range of each column that is shown
 */

/** A coordinate beyond it is no vertex. */
const FAR = new Fraction(1_000_000);
const ONE = new Fraction(1);

/** So many lines of solutions, and so many solutions, are shown. */
const [LINES, POINTS] = [200, 1500];

const negative = (/** @type {Fraction} */ one) => ZERO.minus(one);

/** @param {Point} normal @param {Point} point */
const product = ([a, b], [x, y]) => a.times(x).plus(b.times(y));

/** @param {Half} half @returns {Half} */
const otherSide = ({ normal: [a, b], most }) => ({ normal: [negative(a), negative(b)], most: negative(most) });

/** The sides of a row. @param {Row} row @returns {Half[]} */
export function halvesOf({ index, value, low, high }) {
  const at = (/** @type {number} */ column) => index.reduce((sum, one, k) => (one === column ? sum.plus(decimal(value[k])) : sum), ZERO);
  /** @type {Point} */
  const normal = [at(0), at(1)];
  return [
    ...(high < Infinity ? [{ normal, most: decimal(high) }] : []),
    ...(low > -Infinity ? [otherSide({ normal, most: decimal(low) })] : []),
  ];
}

/** The part of a convex polygon on one side. @param {readonly Point[]} polygon @param {Half} half @returns {Point[]} */
function clipped(polygon, { normal, most }) {
  const beyond = polygon.map((point) => product(normal, point).minus(most));
  return polygon.flatMap((point, k) => {
    const next = (k + 1) % polygon.length;
    /** @type {Point[]} */
    const kept = beyond[k].sign <= 0 ? [point] : [];
    if (beyond[k].sign * beyond[next].sign < 0) {
      const { above, below } = beyond[k].minus(beyond[next]);
      const part = beyond[k].times(new Fraction(below, above));
      const along = (/** @type {0 | 1} */ axis) => point[axis].plus(part.times(polygon[next][axis].minus(point[axis])));
      kept.push([along(0), along(1)]);
    }
    return kept;
  });
}

/** The vertices of the convex hull of points, anticlockwise. @param {readonly Point[]} points @returns {Point[]} */
function hullOf(points) {
  const sorted = [...new Map(points.map((point) => [String(point), point])).values()].sort(([a, b], [c, d]) => a.compare(c) || b.compare(d));
  if (sorted.length < 3) return sorted;
  const half = (/** @type {Point[]} */ all) => {
    /** @type {Point[]} */
    const chain = [];
    for (const point of all) {
      for (let last = chain.length - 1; last > 0; last -= 1) {
        const [[ax, ay], [bx, by], [cx, cy]] = [chain[last - 1], chain[last], point];
        if (bx.minus(ax).times(cy.minus(ay)).compare(by.minus(ay).times(cx.minus(ax))) > 0) break;
        chain.pop();
      }
      chain.push(point);
    }
    return chain.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

/** The points of a box that satisfy all. @param {readonly [Fraction, Fraction][]} box the ranges of both columns @param {readonly Half[]} halves */
function polygonOf([[left, right], [lower, upper]], halves) {
  /** @type {Point[]} */
  const corners = [[left, lower], [right, lower], [right, upper], [left, upper]];
  return hullOf(halves.reduce(clipped, corners));
}

/** The ends of a line within a view. @param {Plane["view"]} view @param {Half} line @returns {Point[]} */
export function lineIn(view, line) {
  return polygonOf(view.map(([low, high]) => [decimal(low), decimal(high)]), [line, otherSide(line)]);
}

/** The box of bounds, as far as a box reaches. @param {{low: number[], high: number[]}} bounds @param {readonly [Fraction, Fraction][]} within @returns {[Fraction, Fraction][]} */
const boxOf = ({ low, high }, within) => within.map(([least, most], k) => {
  const [from, to] = [low[k] === -Infinity ? least : decimal(low[k]), high[k] === Infinity ? most : decimal(high[k])];
  return [from.compare(least) > 0 ? from : least, to.compare(most) < 0 ? to : most];
});

/** Solutions of a bounded polygon: points, or segments where only one column is an integer; null where there are too many. @param {readonly boolean[]} isInteger @param {readonly Point[]} polygon */
function solutionsIn(isInteger, polygon) {
  const axis = isInteger[0] ? 0 : 1;
  const other = axis ? 0 : 1;
  const sorted = polygon.map((point) => point[axis]).sort((a, b) => a.compare(b));
  /** @type {{points: Point[], segments: Point[][]}} */
  const found = { points: [], segments: [] };
  if (!sorted.length) return found;
  const [from, to] = [negative(new Fraction(negative(sorted[0]).floor)), sorted[sorted.length - 1]];
  if (to.minus(from).compare(new Fraction(LINES)) > 0) return null;
  for (let at = from; at.compare(to) <= 0; at = at.plus(ONE)) {
    /** @type {Half} */
    const line = { normal: axis ? [ZERO, ONE] : [ONE, ZERO], most: at };
    const ends = hullOf([line, otherSide(line)].reduce(clipped, [...polygon]));
    if (!isInteger[other]) {
      found.segments.push(ends);
      continue;
    }
    const most = ends[ends.length - 1][other];
    for (let one = negative(new Fraction(negative(ends[0][other]).floor)); one.compare(most) <= 0; one = one.plus(ONE)) {
      if (found.points.length === POINTS) return null;
      found.points.push(axis ? [one, at] : [at, one]);
    }
  }
  return found;
}

/** @param {Linear} linear @param {readonly Cut[]} cuts @param {readonly Fix[]} fixings of the node @param {readonly Fraction[]} values the node's optimum, or nothing @returns {Plane} */
export function planeOf(linear, cuts, fixings, values) {
  const halves = linear.rows.flatMap(halvesOf);
  /** @type {[Fraction, Fraction][]} */
  const everything = [[negative(FAR), FAR], [negative(FAR), FAR]];
  const whole = polygonOf(boxOf(linear, everything), halves);
  const isNear = (/** @type {Point} */ point) => point.every((one) => one.compare(FAR) < 0 && one.compare(negative(FAR)) > 0);
  const near = whole.filter(isNear);
  const isBounded = near.length === whole.length;
  /** @type {Plane["view"]} */
  const view = [0, 1].map((axis) => {
    const all = [...near.map((point) => point[axis]), ...(values.length ? [values[axis]] : [])];
    const low = Math.min(...(all.length ? all : [ZERO]).map(({ floor }) => Number(floor)));
    const high = Math.max(low + 1, ...all.map((one) => -Number(negative(one).floor)));
    return [low, isBounded ? high : high + Math.ceil((high - low) / 2)];
  });
  /** @type {[Fraction, Fraction][]} */
  const shown = isBounded ? everything : view.map(([low, high]) => [decimal(low), decimal(high)]);
  const relaxation = isBounded ? whole : polygonOf(boxOf(linear, shown), halves);
  const bounds = boundsAt(linear, [...fixings]);
  const node = bounds ? polygonOf(boxOf(bounds, shown), [...halves, ...cuts.flatMap((cut) => halvesOf(rowOfCut(cut)))]) : [];
  const solutions = linear.isInteger.some(Boolean) ? solutionsIn(linear.isInteger, relaxation) : { points: [], segments: [] };
  const { points, segments } = solutions ?? { points: [], segments: [] };
  const hull = isBounded && solutions && linear.isInteger.some(Boolean) ? hullOf([...points, ...segments.flat()]) : null;
  return { relaxation, node, hull, points, segments, isBounded, view };
}
