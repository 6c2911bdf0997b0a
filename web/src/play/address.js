/**
 * The address: puzzle, date and position, in the words of the command line, as in
 * `#puzzle=a-puzzle-a-day&date=2024-02-29&placed=U:15+16+22+29+30`.
 */

import { BUNDLED } from "../documents/collection.js";
import { openPuzzle } from "../documents/source.js";
import { readPlaced, written } from "../documents/placed.js";
import { iso, labelsOfDate, parseDate, realDates, today } from "../problem/dates.js";
import { InputError, listed, shown } from "../problem/errors.js";
import { LANGUAGES } from "../text/text.js";
import { Game } from "./game.js";

/** @typedef {import("./game.js").Placement} Placement */
/** @typedef {import("../problem/dates.js").Labels} Labels */
/** @typedef {import("../problem/dates.js").Day} Day */
/** @typedef {import("../documents/source.js").Source} Source */
/** @typedef {{curve: number[], seconds: number}} Race the solutions left after each piece, and the seconds that it took */
/**
 * @typedef {object} Opened
 * @property {Game} game
 * @property {Day | null} date the date that was given, where it was one
 * @property {string} view
 * @property {string} lock the view that is the only one, or nothing
 * @property {Placement[]} solution a tiling that the sender added
 * @property {string} lesson the lab's lesson: its name, or all of it
 * @property {string} tree the lab's tree, as its text
 * @property {Race | null} race the game to race against, where the sender added one
 * @property {string[]} complaints what of the address could not be read
 * @property {[string, string] | []} guess the identifier and name of the puzzle that may be meant, where there is none of the name given
 */

const DEFAULT = "a-puzzle-a-day";
export const VIEWS = ["play", "year", "model", "lab"];
/** The views to which a page in a frame can be locked. */
const LOCKS = ["play", "model", "lab"];
const KEYS = ["puzzle", "file", "yaml", "date", "reveal", "flip", "placed", "solution", "view", "lock", "lesson", "tree", "race", "lang", "small"];

/** What an instance is called, as the commands call it. @param {Source} source @param {Labels} labels @param {Day | null} date */
export function instanceName(source, labels, date) {
  const title = "id" in source ? source.id : source.file.replace(/\.ya?ml$/, "");
  return `${title} ${date ? iso(date) : Object.values(labels).join(" ")}`.trim();
}

/** A game on a puzzle at a date, or else at the first date that it has. @param {Source} source @param {Day | null} date @param {boolean} [flip] */
export function gameOfDate(source, date, flip) {
  const { groups } = openPuzzle(source);
  const day = date ?? today();
  try {
    const labels = labelsOfDate(groups, day);
    return { game: new Game(source, labels, flip, instanceName(source, labels, day)), date: day };
  } catch (error) {
    if (date || !(error instanceof InputError)) throw error;
    return { game: anyGame(source, flip), date: null };
  }
}

/** A game on the first choice of labels that works, for puzzles that today's date says nothing about. @param {Source} source @param {boolean} [flip] */
export function anyGame(source, flip) {
  const { groups } = openPuzzle(source);
  /** @type {Labels} */
  let labels = Object.fromEntries([...groups].map(([group, [first]]) => [group, first]));
  try {
    labels = realDates(groups)[0]?.labels ?? labels;
  } catch {
    // The puzzle's groups are no calendar: any labels serve.
  }
  return new Game(source, labels, flip, instanceName(source, labels, null));
}

/** The labels in a text such as `Feb,29` or `month=Feb,day=29`. @param {Source} source @param {string} text @returns {Labels} */
function readReveal(source, text) {
  const puzzle = openPuzzle(source);
  /** @type {Labels} */
  const labels = {};
  for (const part of text.split(",").filter(Boolean)) {
    const [group, label] = part.includes("=") ? part.split("=", 2) : [null, part];
    const owner = group ?? [...puzzle.groups].find(([, all]) => all.includes(part.normalize("NFC")))?.[0];
    if (owner === undefined) {
      throw new InputError(`'${shown(part)}' is not a label of a group of ${puzzle.name}; ` +
        `its groups have ${listed([...puzzle.groups.values()].flat())}`);
    }
    labels[owner] = label;
  }
  if (Object.values(labels).includes("free")) throw new InputError("a game needs a label for every group");
  return labels;
}

/** What an address says; what cannot be read is left out and complained of. @param {string} hash @param {Source} [otherwise] @returns {Opened} */
export function readAddress(hash, otherwise = { id: DEFAULT }) {
  /** @type {string[]} */
  const complaints = [];
  const given = parametersOf(hash, complaints);
  const attempt = (/** @type {() => void} */ make) => {
    try {
      make();
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      complaints.push(error.toString());
    }
  };
  /** @type {Source} */
  let source = otherwise;
  const id = given.get("puzzle");
  /** @type {[string, string] | []} */
  let guess = [];
  if (id !== undefined && !given.has("yaml") && !BUNDLED.some(([one]) => one === id)) {
    guess = nearest(id);
    complaints.push(`${shown(id)}: no such bundled puzzle`);
  } else attempt(() => {
    const yaml = given.get("yaml");
    /** @type {Source} */
    const wanted = yaml !== undefined ? { yaml, file: given.get("file") ?? "puzzle.yaml" } : id !== undefined ? { id } : source;
    openPuzzle(wanted);
    source = wanted;
  });
  const flip = given.has("flip") ? given.get("flip") !== "false" : undefined;
  /** @type {{game: Game, date: Day | null} | null} */
  let found = null;
  attempt(() => {
    const reveal = given.get("reveal");
    const date = given.get("date");
    if (reveal !== undefined && date !== undefined) throw new InputError("give the labels or a date, not both");
    if (reveal !== undefined) {
      const labels = readReveal(source, reveal);
      found = { game: new Game(source, labels, flip, instanceName(source, labels, null)), date: null };
    } else if (date !== undefined) found = gameOfDate(source, parseDate(date), flip);
  });
  const { game, date } = found ?? gameOfDate(source, null, flip);
  attempt(() => {
    const placed = readPlaced(game.instance, given.get("placed") ?? "");
    if (placed.length) game.open([game.instance.withPlaced(placed).placed]);
  });
  /** @type {Placement[]} */
  let solution = [];
  attempt(() => {
    const read = readPlaced(game.instance, given.get("solution") ?? "");
    if (read.length && !game.isTiling(read)) throw new InputError("the solution in the address is not a tiling");
    solution = read;
  });
  attempt(() => {
    const code = given.get("lang");
    const codes = LANGUAGES.map(([one]) => one);
    if (code !== undefined && !codes.includes(code)) {
      throw new InputError(`lang=${shown(code)} is not possible; it may be ${listed(codes)}`);
    }
  });
  /** @type {Race | null} */
  let race = null;
  attempt(() => {
    const text = given.get("race");
    if (text === undefined) return;
    if (!/^\d{1,9}(-\d{1,9}){0,99},\d{1,7}$/.test(text)) {
      throw new InputError(`race=${shown(text)} is not a game; it has the solutions left after each piece and the seconds, as 64-5-1,90`);
    }
    const [curve, seconds] = text.split(",");
    race = { curve: curve.split("-").map(Number), seconds: Number(seconds) };
  });
  const lesson = given.get("lesson") ?? "";
  let view = given.get("view") ?? (lesson ? "lab" : "play");
  attempt(() => {
    if (VIEWS.includes(view)) return;
    const asked = view;
    view = "play";
    throw new InputError(`there is no view '${shown(asked)}'; the views are ${listed(VIEWS)}`);
  });
  let lock = "";
  attempt(() => {
    const asked = given.get("lock");
    if (asked === undefined) return;
    if (!LOCKS.includes(asked)) throw new InputError(`lock=${shown(asked)} is not possible; it may be ${listed(LOCKS)}`);
    lock = view = asked;
  });
  return { game, date, view, lock, solution, lesson, tree: given.get("tree") ?? "", race, complaints, guess };
}

/** The bundled puzzle whose identifier or name has most in common with a text: pairs of letters, by their share. @param {string} text @returns {[string, string]} */
function nearest(text) {
  const pairs = (/** @type {string} */ name) => new Set([...name.toLowerCase()].map((mark, k, all) => mark + (all[k + 1] ?? "")));
  const wanted = pairs(text);
  const share = (/** @type {string} */ name) => {
    const own = pairs(name);
    return [...own].filter((pair) => wanted.has(pair)).length / (own.size + wanted.size);
  };
  const rank = (/** @type {[string, string]} */ names) => Math.max(...names.map(share));
  return BUNDLED.reduce((best, one) => (rank(one) > rank(best) ? one : best));
}

/** The parameters of an address; `+` stays what it is. @param {string} hash @param {string[]} complaints */
export function parametersOf(hash, complaints) {
  /** @type {Map<string, string>} */
  const given = new Map();
  for (const part of hash.replace(/^#/, "").split("&").filter(Boolean)) {
    const [key, ...rest] = part.split("=");
    try {
      if (!KEYS.includes(key)) throw new InputError(`the address has '${shown(key)}'; it may have ${listed(KEYS)}`);
      given.set(key, decodeURIComponent(rest.join("=")));
    } catch (error) {
      complaints.push(error instanceof InputError ? error.message : `the address has a broken text: ${shown(part)}`);
    }
  }
  return given;
}

/**
 * The address of a game's position.
 * @param {Game} game @param {Day | null} date
 * @param {{view?: string, lock?: string, lesson?: string, tree?: string, solution?: readonly Placement[], race?: Race | null}} [more]
 */
export function addressOf(game, date, { view = "play", lock = "", lesson = "", tree = "", solution = [], race = null } = {}) {
  const entries = (/** @type {readonly Placement[]} */ placed) =>
    placed.map((one) => written(game.instance, one)).join(";");
  const { source } = game;
  const reveal = Object.entries(game.labels).map(([group, label]) => `${group}=${label}`).join(",");
  /** @type {[string, string][]} */
  const parts = lesson ? [["lesson", lesson]] : "id" in source ? [["puzzle", source.id]] : [["file", source.file], ["yaml", source.yaml]];
  // A lesson has a model of its own.
  if (!lesson) {
    if (date) parts.push(["date", iso(date)]);
    else if (reveal) parts.push(["reveal", reveal]);
    if (game.flip !== openPuzzle(source).flip) parts.push(["flip", String(game.flip)]);
    if (game.placed.length) parts.push(["placed", entries(game.placed)]);
    if (solution.length) parts.push(["solution", entries(solution)]);
  }
  if (lock) parts.push(["lock", lock]);
  else if (view !== (lesson ? "lab" : "play")) parts.push(["view", view]);
  if (tree) parts.push(["tree", tree]);
  if (race) parts.push(["race", `${race.curve.join("-")},${race.seconds}`]);
  const text = (/** @type {string} */ value) =>
    encodeURIComponent(value).replace(/%3A/g, ":").replace(/%2B/g, "+").replace(/%2C/g, ",").replace(/%3D/g, "=").replace(/%3B/g, ";");
  return `#${parts.map(([key, value]) => `${key}=${text(value)}`).join("&")}`;
}
