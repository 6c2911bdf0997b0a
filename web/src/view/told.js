/** What the page says of a position: in the line above the pieces, as advice, and to those who do not see it. */

import { wordsOfObstacle } from "../play/words.js";
import { grouped, joined, t } from "../text/text.js";
import { wordsOfRefusal } from "../element/speech.js";
import { button, h } from "./dom.js";

/** @typedef {import("../play/game.js").Game} Game */
/** @typedef {import("../play/state.js").State} State */
/** @typedef {import("../search/position.js").Position} Position */
/** @typedef {{game: Game, state: State, assist: string}} Told a game, its state, and how much is told of it */

/** What was done. @param {import("../play/state.js").Speech} speech */
function wordsOfDone(speech) {
  switch (speech.say) {
    case "placed":
      return t("placed", { piece: speech.piece });
    case "taken":
      return t("sentence", { text: t("inHand", { piece: speech.piece }) });
    case "off":
      return t("takenOff", { pieces: joined(speech.pieces) });
    case "undone":
      return t("undone");
    case "redone":
      return t("redone");
    case "cleared":
      return t("cleared");
    case "hint":
      return speech.counted ? t("hintShare", { text: shareOf(speech) }) : t("hintPlaced", { piece: speech.piece });
    case "":
      return "";
  }
}

/** In how many solutions a hint's piece lies where it was placed. @param {{piece: string, some: number, all: number, complete: boolean}} speech */
const shareOf = ({ piece, some, all, complete }) => t(complete ? "share" : "shareMore", { piece, some, all });

/** How many pieces lie. @param {Game} game */
const placedOf = (game) => t("piecesPlaced", { placed: game.placed.length, n: game.puzzle.use ?? game.puzzle.pieces.length });

/** Whether it is shown that a position has no solution. @param {Told} told */
export const isDead = ({ state: { known, searched }, assist }) => Boolean(assist !== "off" && known && searched && !known.tilings);

/** In how many of the solutions that are known a placement lies, where that may be told. @param {Told} told @param {import("../problem/instance.js").Placement} placement */
export const countOf = ({ game, state: { known }, assist }, placement) =>
  known && assist === "full" ? known.counts[game.cover.numberOf(placement.piece, placement.cells)] : null;

/** A number and the words that go with it. @param {Told} told @returns {[string, string]} */
export function wordsOfPosition(told) {
  const { game, state, assist } = told;
  const { known, searched, hand, speech } = state;
  // Neither the number of tilings nor whether there is one.
  if (assist === "off") return ["", placedOf(game)];
  const over = hand?.at && game.over(hand.at);
  if (over && known && assist === "full") {
    const count = game.fits(over) ? countOf(told, over) : null;
    if (count === null) return ["–", t("noFitHere", { piece: over.piece })];
    return [`${grouped(count)}${known.complete ? "" : "+"}`, t("tilingsHere", { n: count, piece: over.piece })];
  }
  if (!known) return ["…", speech.say === "hint" && speech.counted ? shareOf(speech) : wordsOfDone(speech)];
  const n = known.tilings;
  const count = searched && known.complete ? grouped(n) : `${grouped(n)}+`;
  if (searched && !n) return [count, t("noneLeft")];
  return [count, t(!searched ? "leftCounting" : known.complete ? "left" : "leftAtLeast", { n })];
}

/** What is said of a position to those who do not see it. @param {Told} told @param {string} advice what is shown as advice */
export function spokenPosition({ game, state: { known, searched, speech }, assist }, advice) {
  const done = wordsOfDone(speech);
  if (assist === "off") return `${done} ${placedOf(game)}`.trim();
  if (!known || !searched) return speech.say === "taken" ? done : "";
  return known.tilings ? `${done} ${t("tilingsLeft", { n: known.tilings })}`.trim() : `${done} ${t("noneLeftSaid")} ${advice}`;
}

/** The advice of a state. @param {Told} told @param {(pieces: string[]) => void} takeOff @returns {(Node | string)[]} */
export function adviceOf({ game, state: { advice, known } }, takeOff) {
  const remedy = () => (known ? remedyOf(game, known, takeOff) : []);
  switch (advice?.say) {
    case "remedy":
      return remedy();
    case "searching":
      return [t("searching")];
    case "refused":
      return [wordsOfRefusal(advice)];
    case "hint":
      return advice.remedy ? [advice.text, " ", ...remedy()] : [advice.text];
    case undefined:
      return [];
  }
}

/** What to take off a position that cannot be completed. @param {Game} game @param {Position} known @param {(pieces: string[]) => void} takeOff @returns {Node[]} */
function remedyOf(game, known, takeOff) {
  if (known.hopeless) {
    const why = wordsOfObstacle(game.cover);
    return [document.createTextNode(why ? t("noSolutionAs", { why }) : t("noSolution"))];
  }
  const nameOf = (/** @type {number} */ option) =>
    game.placed.find((one) => game.cover.numberOf(one.piece, one.cells) === option)?.piece ?? "";
  if (!known.takeOff.length) return [document.createTextNode(t("notEnough"))];
  const either = known.takeOff.length > 1;
  return [
    document.createTextNode(either ? t("anyOne") : known.takeOff[0].length > 1 ? t("together") : ""),
    h("span", { class: "remedy" }, ...known.takeOff.map((options) => {
      const names = options.map(nameOf);
      return button(t("takeOff", { pieces: joined(names) }), () => takeOff(names));
    })),
  ];
}
