/** The lab's pictures: a relaxation on the board, and the tree. */

import { keyOf } from "../problem/lattice.js";
import { s } from "../view/dom.js";
import { pieceShape, shadeOf } from "../view/board.js";
import { WHOLE } from "./tree.js";

/** @typedef {import("./session.js").Session} Session */
/** @typedef {import("./tree.js").TreeNode} TreeNode */
/** @typedef {import("../problem/lattice.js").Cell} Cell */

/** Pixels between the nodes of the drawn tree. */
const [ACROSS, DOWN] = [66, 58];

/** A tree with at most so many leaves is made to fit. */
const SMALL = 8;

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

/** A relaxation's solution: whole placements as pieces; on every other cell a pie of the pieces on it, and the strongest with its value. @param {Session} session */
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

/**
 * The tree as a drawing whose nodes are buttons.
 * @param {Session} session @param {(node: TreeNode) => void} go @param {(node: TreeNode) => string} wordsOf what a node is
 */
export function treeDrawing(session, go, wordsOf) {
  const { tree } = session;
  const { nodes, incumbent } = tree;
  const { places, width, depth } = tree.layout();
  const at = (/** @type {TreeNode} */ node) => {
    const { x, y } = places.get(node) ?? { x: 0, y: 0 };
    return [(x + 0.5) * ACROSS, (y + 0.5) * DOWN - 8];
  };
  const [wide, high] = [Math.max(width * ACROSS, 60), depth * DOWN];
  const drawn = s("svg", { viewBox: `0 0 ${wide} ${high}` });
  drawn.style.width = `${wide / 16}rem`;
  // A small tree fits; a large one is scrolled.
  if (width <= SMALL) drawn.style.maxWidth = "100%";
  for (const node of nodes) {
    if (!node.parent) continue;
    const [[x1, y1], [x2, y2]] = [at(node.parent), at(node)];
    drawn.append(s("path", { class: "edge", d: `M${x1} ${y1}L${x2} ${y2}` }));
  }
  nodes.forEach((node, number) => {
    const [x, y] = at(node);
    const state = tree.stateOf(node, incumbent);
    drawn.append(s("g", {
      class: `node ${state}${node === tree.here ? " here" : ""}`, role: "button", tabindex: "0", "data-key": number,
      "aria-label": wordsOf(node),
      onclick: () => go(node),
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        go(node);
      },
    },
    s("circle", { cx: x, cy: y, r: 14 })));
    // Beside the button and not in it: its label says the same in words.
    const bound = node.number < 0 ? "?" : node.bound === null ? "–" : figures(node.bound, 1);
    drawn.append(s("g", { "aria-hidden": "true" },
      s("text", { x, y: y + 3.5, class: node.number < 0 ? "" : "inside" }, bound),
      node.parent ? s("text", { x, y: y + 25 }, nameOf(session, node).replaceAll(" ", "")) : null));
  });
  return drawn;
}

/** What was fixed at a node. @param {Session} session @param {TreeNode} node */
export function nameOf(session, node) {
  const { parent } = node;
  return parent?.split ? session.childName(parent.split, parent.children.indexOf(node)) : "";
}
