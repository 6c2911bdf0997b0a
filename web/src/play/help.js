/** Help, from nothing to everything: what the page shows of itself, and hints step by step. */

import { deadRegion, hardCorner } from "../search/region.js";
import { joined, t } from "../text/text.js";

/** @typedef {import("../problem/lattice.js").Cell} Cell */
/** @typedef {import("../problem/instance.js").Placement} Placement */
/** @typedef {import("../search/position.js").Position} Position */
/** @typedef {import("./game.js").Game} Game */
/**
 * @typedef {object} Hint
 * @property {string} text
 * @property {readonly Cell[]} [cells] to mark on the board
 * @property {Placement} [lay] the placement to lay
 * @property {boolean} [remedy] whether to offer the pieces to take off
 */

/** What the page shows of itself: nothing, the tilings left, or also where they have each piece. */
export const ASSIST = ["off", "count", "full"];

/** What a level of assistance is called. @param {string} level */
export const nameOfAssist = (level) => t(level === "off" ? "assistOff" : level === "count" ? "assistCount" : "assistFull");

/** The placement that most tilings have beside those that lie, under a name that is not used. @param {Game} game @param {Position} known @returns {Placement | null} */
export function nextPlacement(game, known) {
  if (known.hint < 0) return null;
  const names = new Set(game.placed.map((one) => one.piece));
  const { piece, cells } = game.cover.options[known.hint];
  const equal = game.cover.classes.find((pieces) => pieces[0].name === piece) ?? [];
  return { piece: equal.find((one) => !names.has(one.name))?.name ?? piece, cells };
}

/**
 * The hints for a position, each saying more than the one before: is it solvable, which corner
 * is hard, which piece, where; or which region is dead, whether a piece is wrong, which.
 * @param {Game} game @param {Position} known @returns {Hint[]}
 */
export function hintsFor(game, known) {
  const next = nextPlacement(game, known);
  if (next) {
    const corner = hardCorner(game, next.cells);
    return [
      { text: t("hintSolvable") },
      ...(corner.length ? [{ text: t("hintCorner"), cells: corner }] : []),
      { text: t("hintNext", { piece: next.piece }) },
      { text: t("hintHere", { piece: next.piece }), cells: next.cells },
      { text: "", lay: next },
    ];
  }
  if (!known.complete) return [{ text: t("hintUnknown") }];
  const first = { text: t("hintDead") };
  if (known.hopeless) return [{ text: first.text, remedy: true }];
  const region = deadRegion(game);
  return [
    first,
    ...(region ? [{ text: t("hintRegion"), cells: region }] : []),
    ...(known.takeOff.length ? [{ text: t(known.takeOff[0].length > 1 ? "hintWrongMore" : "hintWrong") }] : []),
    { text: first.text, remedy: true },
  ];
}

/** With what help an instance was solved. @param {{hints: number, shown: boolean, assist: string}} help */
export function wordsOfHelp({ hints, shown, assist }) {
  if (shown) return t("helpShown");
  const asked = hints ? t("helpHints", { n: hints }) : "";
  const seen = assist === "off" ? "" : t("helpAssist", { level: nameOfAssist(assist) });
  return joined([asked, seen].filter(Boolean)) || t("helpNone");
}
