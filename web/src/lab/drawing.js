/** The lab's pictures: a relaxation on the board, and the tree. */

import { keyOf } from "../problem/lattice.js";
import { s } from "../view/dom.js";
import { pieceShape, shadeOf } from "../view/board.js";
import { WHOLE } from "./tree.js";

/** @typedef {import("./session.js").Session} Session */
/** @typedef {import("./tree.js").Tree} Tree */
/** @typedef {import("./tree.js").TreeNode} TreeNode */
/** @typedef {import("../problem/lattice.js").Cell} Cell */

/** The radius of a cell's pie, in cells. */
const RADIUS = 0.46;

/** A value in few figures. @param {number} value @param {number} [places] */
export const figures = (value, places = 3) => String(Number(value.toFixed(places)));

/** A slice of a circle, from one share of the whole turn to another. @param {readonly number[]} centre @param {number} from @param {number} to */
function slice([x, y], from, to) {
  if (to - from > 1 - WHOLE) return `M${x - RADIUS} ${y}a${RADIUS} ${RADIUS} 0 1 0 ${2 * RADIUS} 0a${RADIUS} ${RADIUS} 0 1 0 ${-2 * RADIUS} 0`;
  const at = (/** @type {number} */ share) =>
    [x + RADIUS * Math.sin(2 * Math.PI * share), y - RADIUS * Math.cos(2 * Math.PI * share)].map((one) => one.toFixed(3)).join(" ");
  return `M${x} ${y}L${at(from)}A${RADIUS} ${RADIUS} 0 ${Number(to - from > 0.5)} 1 ${at(to)}Z`;
}

/** A relaxation's solution: whole placements as pieces; on every other cell a pie of the pieces on it, and the strongest with its value. @param {import("./session.js").BoardSession} session */
export function pies({ game, cover, tree }) {
  const { values } = tree.here;
  /** @type {Map<string, Map<string, number>>} */
  const shares = new Map();
  /** @type {SVGElement[]} */
  const shapes = [];
  values.forEach((value, column) => {
    const { piece, cells } = cover.options[column];
    if (value <= WHOLE || !cells.length) return;
    if (value > 1 - WHOLE) {
      shapes.push(pieceShape(game.puzzle, { piece, cells }));
      return;
    }
    for (const cell of cells) {
      const found = shares.get(keyOf(cell)) ?? new Map();
      shares.set(keyOf(cell), found.set(piece, (found.get(piece) ?? 0) + value));
    }
  });
  for (const cell of game.instance.toCover) {
    const found = [...shares.get(keyOf(cell)) ?? []].sort((a, b) => b[1] - a[1]);
    if (!found.length) continue;
    const centre = game.lattice.centre(cell);
    let from = 0;
    for (const [piece, share] of found) {
      const drawn = s("path", { d: slice(centre, from, from + share), class: `pie ${shadeOf(game.puzzle, piece)}` });
      const colour = game.puzzle.pieces.find((one) => one.name === piece)?.colourOn();
      if (colour) drawn.style.fill = colour;
      shapes.push(drawn);
      from += share;
    }
    const [x, y] = centre;
    const [[piece, share]] = found;
    shapes.push(s("text", { x, y, class: "share-of" },
      s("tspan", { x, y: y - 0.04 }, piece), s("tspan", { x, y: y + 0.28 }, figures(share, 2).replace(/^0/, ""))));
  }
  return shapes;
}

/** The weight of each placement that lies whole, on it. @param {import("./session.js").BoardSession} session */
export const weightsOn = ({ game, cover, tree, weights }) => tree.here.values.flatMap((value, column) => {
  const { cells } = cover.options[column];
  return value > 1 - WHOLE && cells.length ? [weightText(game, cells, String(weights[column]))] : [];
});

/** A weight in the corner of the last cell of a placement. @param {import("../play/game.js").Game} game @param {readonly Cell[]} cells @param {string} text */
export function weightText(game, cells, text) {
  const [x, y] = game.lattice.centre(cells[cells.length - 1]);
  return s("text", { x: x + 0.44, y: y + 0.42, class: "weight-of" }, text);
}

/** How often dots at one bound are put above each other. */
const PILED = 4;

/** @param {number} share */
const percent = (share) => `${(4 + 92 * share).toFixed(2)}%`;

/**
 * The whole of branch and bound on a line: the incumbent from the left, the best bound from the right, the gap
 * between them, a dot for each node at its bound.
 * @param {Tree} tree @param {string} label what it says in words @param {number} [sign] of the values that are shown
 */
export function numberLine(tree, label, sign = 1) {
  const { nodes, incumbent, bestBound, here } = tree;
  const solved = nodes.filter(({ bound }) => bound !== null);
  const ends = [...solved.map(({ bound }) => bound ?? 0), ...[incumbent, bestBound].filter((one) => one !== null && Number.isFinite(one))]
    .map(Number);
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const at = (/** @type {number} */ value) => percent(high > low ? (value - low) / (high - low) : 0.5);
  const drawn = s("svg", { class: "number-line", role: "img", "aria-label": label });
  if (!ends.length) return drawn;
  drawn.append(s("line", { class: "axis", x1: "0%", x2: "100%", y1: 18, y2: 18 }));
  const bar = (/** @type {string} */ name, /** @type {string} */ from, /** @type {string} */ to) =>
    drawn.append(s("rect", { class: name, x: from, y: 14, height: 8, width: `${(parseFloat(to) - parseFloat(from)).toFixed(2)}%` }));
  const best = bestBound ?? high;
  if (incumbent !== null) bar("reached", "0%", at(incumbent));
  if (Number.isFinite(best)) bar("beyond", at(best), "100%");
  if (incumbent !== null && Number.isFinite(best) && best > incumbent) bar("between", at(incumbent), at(best));
  /** @type {Map<string, number>} */
  const piles = new Map();
  for (const node of [...solved.filter((one) => one !== here), ...solved.filter((one) => one === here)]) {
    const cx = at(node.bound ?? 0);
    const pile = piles.get(cx) ?? 0;
    piles.set(cx, pile + 1);
    drawn.append(s("circle", {
      cx, cy: 18 - 3 * (pile % PILED), r: 4, class: `${tree.stateOf(node, incumbent)}${node === here ? " here" : ""}`,
    }));
  }
  const word = (/** @type {number} */ value, /** @type {string} */ anchor) =>
    drawn.append(s("text", { x: at(value), y: 38, "text-anchor": anchor }, figures(sign * value, 2)));
  const isOne = incumbent === best || incumbent === null;
  if (incumbent !== null) word(incumbent, isOne ? "middle" : "start");
  if (Number.isFinite(best) && best !== incumbent) word(best, incumbent === null ? "middle" : "end");
  return drawn;
}

/** What was fixed at a node. @param {Session} session @param {TreeNode} node */
export function nameOf(session, node) {
  const { parent } = node;
  return parent?.split ? session.childName(parent.split, parent.children.indexOf(node)) : "";
}
