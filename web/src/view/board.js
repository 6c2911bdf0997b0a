/** A board as a drawing: cells and labels, pieces, and layers for what is about to happen. */

import { BLANK } from "../problem/board.js";
import { keyOf } from "../problem/lattice.js";
import { middleOf } from "../play/moves.js";
import { redraw, s } from "./dom.js";
import { bounds, outline, pathOf } from "./outline.js";

/** @typedef {import("../problem/lattice.js").Cell} Cell */
/** @typedef {import("../problem/lattice.js").Lattice} Lattice */
/** @typedef {import("../problem/lattice.js").Point} Point */
/** @typedef {import("../problem/puzzle.js").Puzzle} Puzzle */
/** @typedef {import("../problem/instance.js").Placement} Placement */

const MARGIN = 0.12;
/** The middle of capitals above the baseline, in heights of type. */
const BASELINE = 0.36;

/** About how wide a text is, in heights of its type. @param {string} text */
const widthOf = (text) => [...text].reduce((sum, mark) => sum + (/[iljtfrI.,:;!|'()[\] ]/.test(mark) ? 0.45 : /[mwMW@%]/.test(mark) ? 0.95 : 0.68), 0);

/** A text in the middle of a point, no wider than asked. @param {Point} at @param {string} text @param {number} size @param {number} width @param {string} name */
function words([x, y], text, size, width, name) {
  const fit = Math.min(size, width / widthOf(text));
  return s("text", { x, y: y + BASELINE * fit, "font-size": fit.toFixed(3), class: name }, text);
}

/** The class of a piece's colour: the n-th of its puzzle. @param {Puzzle} puzzle @param {string} piece */
export const shadeOf = (puzzle, piece) =>
  `p${Math.max(0, puzzle.pieces.findIndex((one) => one.name === piece)) % 16}`;

/** Cells in one outline. @param {Lattice} lattice @param {readonly Cell[]} cells @param {string} name */
export const area = (lattice, cells, name) =>
  s("path", { d: pathOf(outline(lattice, cells)), class: name });

/** The patterns of textures: four kinds, each in four widths and directions. */
export const textures = () => s("svg", { class: "live", "aria-hidden": "true" }, s("defs", {}, ...Array.from({ length: 16 }, (_, k) => {
  const w = 0.22 + 0.07 * (k % 4);
  const line = `M0 ${w / 2}h${w}`;
  const kinds = [line, `M${w / 2} ${w / 2}h.001`, `${line}M${w / 2} 0v${w}`, `M0 ${w / 3}h${w / 2}M${w / 2} ${0.8 * w}h${w / 2}`];
  return s("pattern", { id: `t${k}`, width: w, height: w, patternUnits: "userSpaceOnUse", patternTransform: `rotate(${45 * (k + Math.floor(k / 4))})` },
    s("path", { d: kinds[k % 4], class: "weft" }));
})));

/** A lying piece: its outline and its name. @param {Puzzle} puzzle @param {Placement} placement @param {string} [name] @param {number} [size] of the type @param {number} [width] of the name at most */
export function pieceShape(puzzle, { piece, cells }, name = "", size = 0.3, width = 0.85) {
  const { lattice } = puzzle.board;
  const { tint, textures: texture } = globalThis.document?.documentElement.dataset ?? {};
  const own = puzzle.pieces.find((one) => one.name === piece);
  // Two sides that differ stay apart in any palette.
  const colour = (tint && tint !== "usual" && !own?.colours[1] ? "" : own?.colourOn(cells)) ?? "";
  const shade = shadeOf(puzzle, piece);
  const shape = area(lattice, cells, `shape ${colour ? "" : shade}`.trim());
  if (colour) shape.style.fill = colour;
  return s("g", { class: `piece ${name} ${isDark(colour) ? "dark" : ""}`.trim().replace(/ +/g, " "), "data-piece": piece },
    shape,
    texture === "on" ? s("path", { d: shape.getAttribute("d"), fill: `url(#t${shade.slice(1)})` }) : null,
    words(nameAt(lattice, cells, size), piece, size, width, "name"));
}

/** Where the name of a piece is read best: at its middle, where there is room, or in the nearest cell. @param {Lattice} lattice @param {readonly Cell[]} cells @param {number} size of the type @returns {Point} */
function nameAt(lattice, cells, size) {
  const centres = cells.map((cell) => lattice.centre(cell));
  const [x, y] = [0, 1].map((axis) => centres.reduce((sum, one) => sum + one[axis], 0) / cells.length);
  const isRoom = [-1, 0, 1].every((across) => [-1, 1].every((down) =>
    cells.some((cell) => isInside(lattice, cell, [x + across * size, y + 0.6 * down * size]))));
  return isRoom ? [x, y] : lattice.centre(middleOf(lattice, cells));
}

/** Whether a point lies in a cell. @param {Lattice} lattice @param {Cell} cell @param {Point} point */
function isInside(lattice, cell, [x, y]) {
  const corners = lattice.corners(cell);
  return corners.every(([ax, ay], k) => {
    const [bx, by] = corners[(k + 1) % corners.length];
    return (bx - ax) * (y - ay) >= (by - ay) * (x - ax);
  });
}

/** Whether light letters are read better on a colour. @param {string} colour */
function isDark(colour) {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.179;
}

/** What a drawing of cells shows: left, top, width and height. @param {Lattice} lattice @param {readonly Cell[]} cells */
export function boxOf(lattice, cells) {
  const { left, top, right, bottom } = bounds(lattice, cells);
  return [left - MARGIN, top - MARGIN, right - left + 2 * MARGIN, bottom - top + 2 * MARGIN];
}

/** A drawing of cells with a margin. @param {Lattice} lattice @param {readonly Cell[]} cells @param {import("./dom.js").Attributes} attributes @param {Node[]} children */
export const drawing = (lattice, cells, attributes, ...children) =>
  s("svg", { viewBox: boxOf(lattice, cells).map((x) => x.toFixed(3)).join(" "), ...attributes }, ...children);

/** The empty board with its labels; those in `bare` large. @param {Puzzle} puzzle @param {readonly string[]} bare */
export function ground(puzzle, bare) {
  const { board } = puzzle;
  const { lattice } = board;
  const group = s("g", { class: "ground" }, area(lattice, board.cells, "board"));
  for (const cell of board.cells) {
    if (board.label(cell) === BLANK) group.append(area(lattice, [cell], "cell"));
  }
  // Bare labels last: their frames lie above those of their neighbours.
  const labels = [...board.labels].sort((a, b) => Number(bare.includes(a[0])) - Number(bare.includes(b[0])));
  for (const [label, cells] of labels) {
    const isBare = bare.includes(label);
    const centres = cells.map((cell) => lattice.centre(cell));
    const inRow = cells.every(([row]) => row === cells[0][0]);
    const mean = (/** @type {0 | 1} */ axis) => centres.reduce((sum, one) => sum + one[axis], 0) / cells.length;
    const width = inRow ? cells.length * 0.8 : 0.8;
    group.append(
      area(lattice, cells, isBare ? "cell bare" : "cell"),
      words([mean(0), mean(1)], label, isBare ? 0.46 : 0.32, width, isBare ? "label today" : "label"));
  }
  group.append(area(lattice, board.cells, "rim"));
  return group;
}

/** A tiling as a small picture. @param {Puzzle} puzzle @param {readonly string[]} bare @param {readonly Placement[]} placed @param {string} label */
export const thumbnail = (puzzle, bare, placed, label) =>
  drawing(puzzle.board.lattice, puzzle.board.cells, { class: "board-drawing small", role: "img", "aria-label": label },
    ground(puzzle, bare), ...placed.map((one) => pieceShape(puzzle, one)));

/** A board whose layers change. */
export class BoardView {
  /** @param {Puzzle} puzzle @param {readonly string[]} bare @param {string} label */
  constructor(puzzle, bare, label) {
    this.puzzle = puzzle;
    this.lattice = puzzle.board.lattice;
    /** @type {Map<string, SVGGElement>} */
    this.layers = new Map(
      ["heat", "pieces", "lit", "ghost", "example", "cursor"].map((name) => [name, s("g", { class: `layer ${name}` })]));
    const { heat, ...above } = Object.fromEntries(this.layers);
    const below = ground(puzzle, bare);
    // Labels are read on warm cells, too.
    below.firstChild?.after(heat);
    this.element = drawing(this.lattice, puzzle.board.cells, { class: "board-drawing", "aria-label": label, role: "img" },
      below, ...Object.values(above));
  }

  /** Replace what a layer shows. @param {string} layer @param {Node[]} children */
  show(layer, children) {
    const group = this.layers.get(layer);
    if (group) redraw(group, ...children);
  }

  /** @param {readonly Placement[]} placed @param {(placement: Placement) => string} [nameOf] */
  showPieces(placed, nameOf = () => "") {
    this.show("pieces", placed.map((one) => pieceShape(this.puzzle, one, nameOf(one))));
  }

  /** A frame around a cell; the name of the piece on it lies above the frame. @param {Cell | null} cell @param {readonly Placement[]} placed */
  showCursor(cell, placed) {
    const under = cell && placed.find(({ cells }) => cells.some((one) => keyOf(one) === keyOf(cell)));
    this.show("cursor", cell ? [
      area(this.lattice, [cell], "at"),
      ...(under ? [...pieceShape(this.puzzle, under).querySelectorAll(".name")] : []),
    ] : []);
  }

  /** Cells as warm as their numbers, from 0 to 1. @param {ReadonlyMap<string, number>} heat by key of the cell */
  showHeat(heat) {
    const cells = this.puzzle.board.cells.filter((cell) => (heat.get(keyOf(cell)) ?? 0) > 0);
    this.show("heat", cells.map((cell) => {
      const warm = area(this.lattice, [cell], "warm");
      warm.style.opacity = String(0.1 + 0.5 * (heat.get(keyOf(cell)) ?? 0));
      return warm;
    }));
  }

  /** The point of the drawing under a point of the screen. @param {{clientX: number, clientY: number}} event @returns {Point} */
  pointAt({ clientX, clientY }) {
    const matrix = this.element.getScreenCTM();
    if (!matrix) return [NaN, NaN];
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
    return [x, y];
  }

  /** The cell of the board at a point of the drawing, or null. @param {Point} point @returns {Cell | null} */
  cellAt([x, y]) {
    let best = null;
    let least = 0.72;
    for (const cell of this.puzzle.board.cells) {
      if (isInside(this.lattice, cell, [x, y])) return cell;
      // Beside the board the nearest middle decides, where one is within reach.
      const [cx, cy] = this.lattice.centre(cell);
      const far = Math.hypot(cx - x, cy - y);
      if (far < least) [best, least] = [cell, far];
    }
    return best;
  }

  /** The cell that an arrow key leads to. @param {Cell} from @param {Point} direction @returns {Cell} */
  step(from, [right, down]) {
    const [x, y] = this.lattice.centre(from);
    const beside = new Set(this.lattice.neighbours(from).map(keyOf));
    let best = from;
    let least = Infinity;
    for (const cell of this.puzzle.board.cells) {
      const [cx, cy] = this.lattice.centre(cell);
      const along = (cx - x) * right + (cy - y) * down;
      const aside = Math.abs((cx - x) * down - (cy - y) * right);
      if (along <= 0.2 || aside > along + 0.1) continue;
      // Cells that touch come first, else every second row of hexagons would be left out; of two
      // that lie as far aside, left and right take turns, so that the way up goes straight.
      const turn = Math.floor(cx + 0.1) === Math.floor(x + 0.1) ? 0 : 0.01;
      const far = along + 2.5 * aside + turn + (beside.has(keyOf(cell)) ? 0 : 100);
      if (far < least) [best, least] = [cell, far];
    }
    return best;
  }
}
