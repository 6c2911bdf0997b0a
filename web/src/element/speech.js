/** What a board says of itself, to those who do not see it too. */

import { keyOf } from "../problem/lattice.js";
import { wordsOfShape } from "../play/words.js";
import { joined, t } from "../text/text.js";

/** @typedef {import("../problem/lattice.js").Cell} Cell */
/** @typedef {import("../play/moves.js").BoardGame} BoardGame */

/** What keeps a piece off a place: what lies there, what stays uncovered. @param {{piece: string, pieces: readonly string[], labels: readonly string[]}} obstacles */
export function wordsOfRefusal({ piece, pieces, labels }) {
  const why = pieces.length ? t("liesThere", { pieces: joined(pieces) }) : labels.length ? t("staysFree", { labels: joined(labels) }) : t("offBoard");
  return t("listed", { what: t("noFit", { piece }), items: why });
}

/** How the piece in hand lies. @param {BoardGame} game */
export function wordsOfHand({ hand, lattice }) {
  return hand ? t("nowLies", { piece: hand.piece, n: hand.cells.length, shape: wordsOfShape(lattice, hand.cells) }) : "";
}

/**
 * The cell under the cursor, and what lies or may lie there.
 * @param {BoardGame} game @param {Cell} at
 * @param {((placement: import("../problem/instance.js").Placement) => number | null) | undefined} count how many solutions have a placement
 */
export function wordsOfCell(game, at, count) {
  const label = game.puzzle.board.label(at);
  const cell = label === "*" ? t("blank") : label;
  const placement = game.hand && game.over(at);
  const lying = game.at(at);
  if (placement) {
    const fits = game.fits(placement);
    const n = fits ? count?.(placement) : null;
    return typeof n === "number" ? t("cursorCounts", { cell, n }) : t(fits ? "cursorFits" : "cursorNoFit", { cell });
  }
  if (lying) return t("cursorPiece", { cell, piece: lying.piece });
  return game.instance.open.has(keyOf(at)) ? cell : t("cursorBare", { cell });
}
