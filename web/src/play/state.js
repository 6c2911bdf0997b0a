/**
 * All that a game on the page is, in one state: what lies and what is in hand (see moves.js), what the search knows of that, the
 * hints given, the help that the instance got, what is to be said. `reduce` makes the next state of an action, and alters nothing.
 */

import { ASSIST, hintsFor, nextPlacement } from "./help.js";
import { isSamePosition, moved } from "./moves.js";
import { helpIn } from "./record.js";

/** @typedef {import("../problem/lattice.js").Cell} Cell */
/** @typedef {import("../search/position.js").Position} Position */
/** @typedef {import("./game.js").Game} Game */
/** @typedef {import("./moves.js").Moves} Moves */
/** @typedef {import("./record.js").Help} Help */
/**
 * @typedef {{say: ""} | {say: "placed" | "taken", piece: string} | {say: "off", pieces: string[]} | {say: "undone" | "redone" | "cleared"}
 *   | {say: "hint", piece: string, some: number, all: number, complete: boolean, counted: boolean}} Speech what was done, to be said with what the search answers
 * @typedef {{say: "refused", piece: string, pieces: string[], labels: string[]} | {say: "searching" | "remedy"}
 *   | {say: "hint", text: string, remedy: boolean}} Advice
 */
/**
 * @typedef {object} Knowledge
 * @property {Position | null} known what the search knows of the position
 * @property {boolean} searched whether that is its last answer
 * @property {boolean} asked whether a hint is to follow that answer
 * @property {number} rung the hints given on this position
 * @property {boolean} sure whether the position is known to be solvable, as a hint made it
 * @property {boolean} earned whether the last move was the player's own, and no opened address
 * @property {Help} help
 * @property {Speech} speech
 * @property {Advice | null} advice
 * @property {readonly Cell[]} lit the cells that a hint marks
 * @typedef {Moves & Knowledge} State
 */
/**
 * @typedef {import("./moves.js").Action | {do: "known", known: Position | null, searched: boolean, assist: string} | {do: "renew"} | {do: "hint", assist: string}
 *   | {do: "help", assist: string, seconds: number, piece?: string, shown?: boolean} | {do: "solved"} | {do: "advise", advice: Advice | null}} Action
 *   beside those of moves.js: the search's answer, a position about which nothing is known any more, a hint, time and help that are noted, a solution that was noted with its help, advice
 */

/** Of a new position nothing is known. @satisfies {Omit<Knowledge, "help">} */
const FRESH = {
  known: null, searched: false, asked: false, rung: 0, sure: false, earned: false, advice: null, lit: /** @type {Cell[]} */ ([]),
  speech: /** @type {Speech} */ ({ say: "" }),
};

/** The state in which the page takes up a game. @param {Moves} moves @param {Help} help @returns {State} */
export const opened = ({ history, moment, hand, turns }, help) => ({ history, moment, hand, turns, ...FRESH, help });

/** The state after an action; the same one where the action can do nothing. @param {Game} game the rules @param {State} state @param {Action} action @returns {State} */
export function reduce(game, state, action) {
  switch (action.do) {
    case "known": {
      const { known, searched, assist } = action;
      const isDead = searched && known && !known.tilings;
      const next = { ...state, known, searched, advice: isDead && assist === "full" ? /** @type {Advice} */ ({ say: "remedy" }) : state.advice };
      return searched && state.asked ? hinted(game, next, assist) : next;
    }
    case "renew":
      return { ...state, ...FRESH };
    case "help":
      return { ...state, help: helped(state.help, action) };
    case "solved":
      return { ...state, help: helpIn({}) };
    case "advise":
      return { ...state, advice: action.advice };
    case "hint":
      return hinted(game, state, action.assist);
    default: {
      const next = moved(game, state, action);
      if (next === state) return state;
      const speech = speechOf(state, next, action);
      return isSamePosition(state, next) ? { ...next, speech } : { ...next, ...FRESH, earned: action.do === "lay", speech };
    }
  }
}

/** What to say of a move. @param {State} before @param {State} after @param {import("./moves.js").Action} action @returns {Speech} */
function speechOf(before, after, action) {
  switch (action.do) {
    case "lay":
      return { say: "placed", piece: before.hand?.piece ?? "" };
    case "take":
    case "lift":
      return { say: "taken", piece: after.hand?.piece ?? "" };
    case "aside":
      return before.hand?.from ? { say: "off", pieces: [before.hand.piece] } : { say: "" };
    case "off":
      return { say: "off", pieces: [...action.pieces] };
    case "clear":
      return { say: "cleared" };
    case "step":
      return { say: action.step < 0 ? "undone" : "redone" };
    case "hover":
      return before.speech;
    default:
      return { say: "" };
  }
}

/** The help with more of it. @param {Help} help @param {{assist: string, seconds?: number, piece?: string, shown?: boolean}} more @returns {Help} */
function helped(help, { assist, seconds = 0, piece, shown = false }) {
  const isNew = piece !== undefined && !help.pieces.includes(piece);
  return {
    // Counted are the pieces that were helped with, not the presses.
    hints: help.hints + Number(isNew),
    pieces: isNew ? [...help.pieces, piece] : help.pieces,
    shown: help.shown || shown,
    assist: ASSIST[Math.max(ASSIST.indexOf(help.assist), ASSIST.indexOf(assist))],
    seconds: help.seconds + seconds,
  };
}

/** Help one step further; with all assistance at once, place the piece that most tilings have. @param {Game} game @param {State} state @param {string} assist @returns {State} */
function hinted(game, state, assist) {
  const now = game.with(state);
  if (now.solved) return state;
  // A lifted piece lies again: the hint is about the position before.
  if (state.hand?.from) return hinted(game, reduce(game, state, { do: "drop" }), assist);
  if (!state.searched) return { ...state, asked: true, advice: { say: "searching" } };
  const { known, sure } = state;
  if (!known) return { ...state, asked: false };
  const hints = hintsFor(now, known);
  // The number of tilings says already whether there is one; the remedy, which piece. So does a hint's piece that was just laid.
  const from = assist === "off" ? Number(sure && hints.length > 2) : assist === "count" || known.hint < 0 ? 1 : hints.length - 1;
  const step = Math.min(Math.max(state.rung, from), hints.length - 1);
  const { text, cells = [], lay, remedy = false } = hints[step];
  const piece = nextPlacement(now, known)?.piece ?? now.placed[now.placed.length - 1]?.piece ?? "";
  const help = helped(state.help, { assist, piece });
  if (!lay) return { ...state, asked: false, rung: step + 1, help, lit: cells, advice: { say: "hint", text, remedy } };
  const next = moved(game, { ...state, hand: null }, { do: "place", placed: [...now.placed, lay] });
  return {
    ...next, ...FRESH, help, sure: true, earned: true,
    speech: { say: "hint", piece: lay.piece, some: known.counts[known.hint], all: known.tilings, complete: known.complete, counted: assist !== "off" },
  };
}
