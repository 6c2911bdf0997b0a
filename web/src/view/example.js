/** What a newcomer sees once: a piece that turns and lies down. */

import { moved } from "../play/moves.js";
import { pieceShape } from "./board.js";
import { isStill } from "./feel.js";

/** @typedef {import("../play/game.js").Game} Game */
/** @typedef {import("./board.js").BoardView} BoardView */
/** @typedef {import("../problem/lattice.js").Cell} Cell */

/** The mean of the centres of cells. @param {Game} game @param {readonly Cell[]} cells */
function middle(game, cells) {
  const centres = cells.map((cell) => game.lattice.centre(cell));
  return [0, 1].map((axis) => centres.reduce((sum, one) => sum + one[axis], 0) / centres.length);
}

/** Show how a piece is laid and turned, until the first touch. @param {Game} game @param {BoardView} board @param {AbortController} over ends it, as another board does before it is seen @param {() => void} seen what follows its own end */
export function showExample(game, board, over, seen) {
  const piece = game.puzzle.pieces.find(({ rules }) => !("rotate" in rules));
  if (!piece || isStill()) return;
  const held = game.with(moved(game, game.state, { do: "take", piece: piece.name }));
  const { cells } = game.puzzle.board;
  const [x, y] = middle(game, cells);
  // In the middle of the board, where it is seen whole while it turns.
  const far = (/** @type {Cell} */ cell) => Math.hypot(game.lattice.centre(cell)[0] - x, game.lattice.centre(cell)[1] - y);
  const placement = [...cells].sort((a, b) => far(a) - far(b)).map((cell) => held.over(cell)).find((one) => held.fits(one));
  if (!placement) return;
  const shape = pieceShape(game.puzzle, placement);
  board.show("example", [shape]);
  const transformOrigin = middle(game, placement.cells).map((one) => `${one}px`).join(" ");
  const before = `rotate(${-360 / game.lattice.order}deg)`;
  const play = shape.animate([
    { transform: before, opacity: 0, transformOrigin }, { transform: before, opacity: 0.9, offset: 0.25, transformOrigin },
    { transform: before, opacity: 0.9, offset: 0.4, transformOrigin }, { transform: "none", opacity: 0.9, offset: 0.6, transformOrigin },
    { transform: "none", opacity: 0.9, offset: 0.85, transformOrigin }, { transform: "none", opacity: 0, transformOrigin },
  ], { duration: 3500, delay: 500, fill: "both", easing: "ease-in-out" });
  over.signal.addEventListener("abort", () => {
    play.cancel();
    board.show("example", []);
  });
  const end = () => {
    over.abort();
    seen();
  };
  play.onfinish = end;
  for (const type of ["pointerdown", "keydown"]) addEventListener(type, end, { signal: over.signal, capture: true });
}
