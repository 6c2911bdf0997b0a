/** The plane of a model of two columns as a picture, with a legend and its vertices in words. */

import { joined } from "../text/text.js";
import { h, s } from "../view/dom.js";
import { decimal, worth } from "./exact.js";
import { halvesOf, lineIn, planeOf } from "./plane.js";
import { rowOfCut } from "./relaxation.js";
import { t } from "./text.js";

/** @typedef {import("./modelsession.js").ModelSession} ModelSession */
/** @typedef {import("./plane.js").Point} Point */
/** @typedef {import("./text.js").Key} Key */

/** The picture, and the room around the plane in it. */
const [WIDE, HIGH, SIDE, EDGE] = [420, 340, 44, 30];

/** How much longer one unit may be drawn than the other before each fills its side. */
const SKEW = 4;

/** How long the arrow is. */
const ARROW = 46;

/** Steps between numbers on an axis: at most so many of them. */
const TICKS = 8;

/** Whole numbers in a range, few enough to be written. @param {readonly [number, number]} range */
function ticksIn([low, high]) {
  const step = [1, 2, 5].flatMap((one) => [1, 10, 100, 1e3, 1e4, 1e5].map((ten) => one * ten)).sort((a, b) => a - b).find((one) => (high - low) / one <= TICKS) ?? high - low;
  const first = Math.ceil(low / step) * step;
  return Array.from({ length: Math.floor((high - first) / step) + 1 }, (_, k) => first + k * step);
}

/** Where a point of the plane is in the picture. @param {import("./plane.js").Plane["view"]} view */
function scaleOf(view) {
  let [across, up] = view.map(([low, high], axis) => ((axis ? HIGH : WIDE) - SIDE - EDGE) / (high - low));
  if (Math.max(across, up) < SKEW * Math.min(across, up)) across = up = Math.min(across, up);
  return { across, up, at: (/** @type {number} */ x, /** @type {number} */ y) => [SIDE + (x - view[0][0]) * across, HIGH - EDGE - (y - view[1][0]) * up] };
}

/** @param {Point} point */
const pointWords = ([x, y]) => `(${String(x)}, ${String(y)})`;

/** The plane at the current node. @param {ModelSession} session @returns {HTMLElement} */
export function planeView(session) {
  const { model: { linear }, tree, names, fractions } = session;
  const { here, cuts } = tree;
  const fixings = tree.fixings(here);
  const { relaxation, node, hull, points, segments, isBounded, view } = planeOf(linear, cuts, fixings, fractions);
  const { across, up, at } = scaleOf(view);
  const spot = (/** @type {Point} */ [x, y]) => at(x.number, y.number).map((one) => one.toFixed(1)).join();
  const shape = (/** @type {readonly Point[]} */ all, /** @type {string} */ name) => s("polygon", { points: all.map(spot).join(" "), class: name });
  const dot = (/** @type {Point} */ [x, y], /** @type {string} */ name, /** @type {number} */ r) => {
    const [cx, cy] = at(x.number, y.number);
    return s("circle", { cx, cy, r, class: name });
  };
  const line = (/** @type {readonly Point[]} */ ends, /** @type {string} */ name) => s("polyline", { points: ends.map(spot).join(" "), class: name });
  const lines = (/** @type {import("./relaxation.js").Row[]} */ rows, /** @type {string} */ name) =>
    rows.flatMap(halvesOf).map((half) => lineIn(view, half)).filter((ends) => ends.length > 1).map((ends) => line(ends, name));
  const branched = fixings.map(([column, low, high = low]) => ({ index: [column], value: [1], low, high }));
  const cutRows = cuts.map(rowOfCut);
  const isMoved = fixings.length > 0 || cuts.length > 0;
  const [[left, right], [low, high]] = view;
  const ticks = [
    ...ticksIn([left, right]).map((x) => s("text", { x: at(x, low)[0], y: HIGH - 10, class: "across" }, String(x))),
    ...ticksIn([low, high]).map((y) => s("text", { x: SIDE - 10, y: at(left, y)[1] + 4, class: "up" }, String(y))),
  ];
  const [[x0, y0], [x1, y1]] = [at(left, low), at(right, high)];
  const axes = s("path", { d: `M${x0} ${y1 - 12}V${y0}H${x1 + 12}`, class: "axis" });
  const titles = [s("text", { x: x1 + 14, y: y0 - 6, class: "title" }, names[0]), s("text", { x: x0 + 6, y: y1 - 6, class: "title" }, names[1])];
  const optimum = fractions.length ? /** @type {Point} */ ([fractions[0], fractions[1]]) : null;
  const goal = optimum && linear.cost.some(Boolean) ? objective(linear, optimum, view, { across, up, at }) : null;
  /** What is drawn, with its words. @type {[string, Key, boolean][]} */
  const all = [
    ["relaxation", "planeRelaxation", relaxation.length > 0], ["hull", "planeHull", (hull?.length ?? 0) > 0],
    ["node", "planeNode", isMoved && node.length > 0], ["branch", "planeBranch", branched.length > 0], ["cut", "planeCut", cuts.length > 0],
    ["point", "planePoints", points.length + segments.length > 0], ["optimum", "planeOptimum", optimum !== null], ["goal", "planeGoal", goal !== null],
  ];
  const drawn = all.filter(([, , isDrawn]) => isDrawn);
  const has = new Set(drawn.map(([name]) => name));
  const vertices = (/** @type {Key} */ of, /** @type {readonly Point[]} */ corners) => t("planeVertices", { what: t(of), points: joined(corners.map(pointWords)) || "–" });
  const words = [
    vertices("planeRelaxation", relaxation), hull && vertices("planeHull", hull), isMoved && vertices("planeNode", node),
    optimum && `${t("planeOptimum")}: ${pointWords(optimum)}`, isBounded ? null : t("planeOpen"),
  ].filter((one) => one);
  return h("div", { class: "plane" },
    s("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": t("plane", { x: names[0], y: names[1] }), "aria-describedby": "plane-words" },
      relaxation.length ? shape(relaxation, "relaxation") : null, hull?.length ? shape(hull, "hull") : null,
      has.has("node") ? shape(node, "node") : null, axes, ...ticks, ...titles,
      ...lines(branched, "branch"), ...lines(cutRows, "cut"), ...segments.map((ends) => line(ends, "point")),
      ...points.map((point) => dot(point, "point", 3)), goal, optimum && dot(optimum, "optimum", 6)),
    h("ul", { class: "legend", "aria-hidden": "true" }, ...drawn.map(([name, key]) => h("li", {}, sample(name), t(key)))),
    h("p", { class: "quiet", id: "plane-words" }, words.join("; ")));
}

/** What stands in the legend. @param {string} name */
const sample = (name) => s("svg", { viewBox: "0 0 24 14" },
  ["relaxation", "hull", "node"].includes(name) ? s("rect", { x: 2, y: 2, width: 20, height: 10, class: name })
    : ["point", "optimum"].includes(name) ? s("circle", { cx: 12, cy: 7, r: name === "point" ? 3 : 6, class: name })
      : s("path", { d: name === "goal" ? "M2 7H20M15 3L20 7L15 11" : "M1 7H23", class: name }));

/** The line of the points that are worth as much as the optimum, and an arrow to those that are worth more. @param {import("./relaxation.js").Linear} linear @param {Point} optimum @param {import("./plane.js").Plane["view"]} view @param {ReturnType<typeof scaleOf>} scale */
function objective(linear, optimum, view, { across, up, at }) {
  const ends = lineIn(view, { normal: [decimal(linear.cost[0]), decimal(linear.cost[1])], most: worth(linear, optimum) });
  // Across the line on the screen, where the units of both axes may differ.
  const [dx, dy] = [linear.cost[0] / across, -linear.cost[1] / up];
  const long = ARROW / Math.hypot(dx, dy);
  const [x, y] = at(optimum[0].number, optimum[1].number);
  const [tipX, tipY] = [x + dx * long, y + dy * long];
  const head = (/** @type {number} */ turn) => {
    const angle = Math.atan2(dy, dx) + turn;
    return `M${tipX} ${tipY}l${-9 * Math.cos(angle)} ${-9 * Math.sin(angle)}`;
  };
  const level = ends.length > 1 ? `M${ends.map((point) => at(point[0].number, point[1].number).join(" ")).join("L")}` : "";
  return s("g", {}, s("path", { d: level, class: "level" }), s("path", { d: `M${x} ${y}L${tipX} ${tipY}${head(0.5)}${head(-0.5)}`, class: "goal" }));
}
