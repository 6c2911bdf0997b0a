/** What the lab knows of one instance: its model, its tree, what HiGHS said. It stays while the page is open. */

import { ExactCover, isCovering } from "../problem/cover.js";
import { excludes } from "./cuts.js";
import { rowName } from "../play/words.js";
import { linearOf } from "./relaxation.js";
import { t } from "./text.js";
import { splitAt, stepsText, Tree } from "./tree.js";

/** @typedef {import("../play/game.js").Game} Game */
/** @typedef {import("../problem/instance.js").Placement} Placement */
/** @typedef {import("./relaxation.js").Linear} Linear */
/** @typedef {import("./tree.js").Cut} Cut */
/** @typedef {import("./tree.js").Split} Split */
/** @typedef {{node: number, cut: Cut} | {parent: number, kind: "column" | "cell", at: number, key: string}} Planned a step of a tree that is to be grown again */

/** The objectives: as many cells as possible, or a tiling of the largest weight. */
export const OBJECTIVES = ["cover", "weights"];

/** The objective under which every row is an equation. */
const EXACT = OBJECTIVES[1];

/** A weight from 1 to 9 that follows from a placement's name alone. @param {string} name */
export function weightOf(name) {
  let hash = 2166136261;
  for (const mark of name) hash = Math.imul(hash ^ (mark.codePointAt(0) ?? 0), 16777619);
  hash ^= hash >>> 15;
  return 1 + ((Math.imul(hash, 2246822519) >>> 13) % 9);
}

/** The cells of the piece that each column leaves out; with them go as many as the pieces have more than the board. @param {ExactCover} cover @returns {import("./relaxation.js").Model["areas"]} */
function areasOf({ instance: { puzzle: { pieces }, toCover }, items, options }) {
  const columns = options.flatMap((option, column) => (!isCovering(option) && items[option.items[0]].kind === "piece" ? [column] : []));
  const size = (/** @type {string} */ name) => pieces.find((piece) => piece.name === name)?.cells.length ?? 0;
  return {
    columns, sizes: columns.map((column) => size(options[column].piece)),
    total: pieces.reduce((sum, piece) => sum + piece.cells.length, -toCover.length),
  };
}

/** The name of a piece in the text of its row. @param {string} text */
const pieceIn = (text) => text.slice("piece ".length);

/** What is solved in the lab: a model with its tree. */
export class Session {
  /** @param {{linear: Linear, whole: Linear, isExact: boolean}} model what the solver's thread is told: the relaxation, and the model that is solved as a whole */
  constructor(model) {
    this.model = model;
    this.tree = this.newTree();
    /** The tree before it was begun anew. @type {Tree | null} */
    this.former = null;
    /** What a student has done. @type {Set<string>} */
    this.done = new Set();
    /** The column that is lit, or -1. */
    this.picked = -1;
    /** A tiling that HiGHS found, shown in place of a relaxation. @type {number[] | null} */
    this.tiling = null;
    this.answer = "";
    /** How the last guess was. */
    this.guessed = "";
    this.log = "";
    /** The cell that was clicked, or -1. */
    this.cell = -1;
    /** What is ticked for a cut. @type {Set<number>} */
    this.ticked = new Set();
    /** What the last cut did, or was looked for in vain. */
    this.cutSaid = "";
    /** What each rule needed. @type {Map<string, {nodes: number, lps: number, incumbent: number | null, isDone: boolean}>} */
    this.ruled = new Map();
  }

  /** What a solution is shown instead of, and a selection. */
  unpick() {
    this.tiling = null;
    this.picked = this.cell = -1;
    this.ticked.clear();
    this.cutSaid = this.guessed = "";
  }

  /** What the objective is multiplied by where it is shown: a model that is minimised has its costs turned. */
  get sign() {
    return 1;
  }

  /** What the instance is called. */
  get name() {
    return "";
  }

  /** Whether every solution is worth a whole number. */
  get isWhole() {
    return true;
  }

  /** What every solution is worth, or 0 where the best is looked for. */
  get cells() {
    return 0;
  }

  get columns() {
    return this.model.linear.cost.length;
  }

  get rows() {
    return this.model.whole.rows.length;
  }

  /** @param {number} column */
  columnName(column) {
    return String(column);
  }

  /** What a row of the relaxation is about; those behind it are cuts. @param {number} row */
  rowText(row) {
    return t("cutNumber", { n: String(row - this.model.linear.rows.length + 1) });
  }

  /** Why a row has no solution left. @param {import("./why.js").Dead} dead */
  deathOf({ row }) {
    return row < 0 ? t("deadColumn") : t("deadRow", { row: this.rowText(row) });
  }

  newTree() {
    return new Tree();
  }

  /** What a known solution is worth, or null. @returns {number | null} */
  get ownWorth() {
    return null;
  }

  /** Whether values with integral integer columns are a solution. @param {readonly number[]} values */
  isSolution(values) {
    return values.length === this.columns;
  }

  /** Branch on a column: its value is integral in both children, as near to what it was as can be. @param {number} column @param {number} value @returns {Split} */
  splitColumn(column, value) {
    const { low, high } = this.model.linear;
    if (low[column] === 0 && high[column] === 1) return splitAt(column);
    const down = Math.floor(value);
    return {
      kind: "column", at: column, keys: [`≥${down + 1}`, `≤${down}`],
      fixes: [[[column, down + 1, Infinity]], [[column, -Infinity, down]]],
    };
  }

  /** What a node's child is called: a column and its values, or a cell and the piece on it. @param {Split} split @param {number} child */
  childName({ at, keys }, child) {
    return `${this.columnName(at)} ${keyText(keys[child])}`;
  }

  /** The split of a node that a planned step asks for. @param {{kind: "column" | "cell", at: number}} step @param {import("./tree.js").TreeNode} node */
  splitOf({ at }, node) {
    return this.splitColumn(at, node.values[at]);
  }

  /** The number of a column or cell of a name, and which it is. @param {string} name @returns {{kind: "column" | "cell", at: number} | null} */
  placeOf(name) {
    for (let at = 0; at < this.columns; at += 1) if (this.columnName(at) === name) return { kind: "column", at };
    return null;
  }

  /** The name of what a node was branched on. @param {Split} split */
  nameOfSplit({ at }) {
    return this.columnName(at);
  }

  /** What the tree's text begins with. */
  get head() {
    return "";
  }

  /** The tree as a text; its head alone where it is the one that every instance begins with. */
  get text() {
    const text = stepsText(this.tree, (split) => this.nameOfSplit(split), (column) => this.columnName(column));
    return text ? `${this.head};${text}` : this.head;
  }

  /** The steps in a text, without the first word; those after one that cannot be read are left out. @param {string[]} words @returns {{plan: Planned[], wrong: string}} */
  planOf(words) {
    /** @type {Planned[]} */
    const plan = [];
    for (const word of words) {
      const [node, name, ...more] = word.split(".");
      const number = Number(node);
      const cut = name === "cut" ? this.cutOfWords(more) : null;
      const place = name === "cut" ? null : this.placeOf(name);
      if (cut) plan.push({ node: number, cut });
      else if (place) plan.push({ parent: number, ...place, key: decodeURIComponent(more[0] ?? "") });
      else return { plan, wrong: word };
    }
    return { plan, wrong: "" };
  }

  /** The cut that words of a step say: its right side, and each column, with its value where that is not 1. @param {string[]} words @returns {Cut | null} */
  cutOfWords([most, ...terms]) {
    const read = terms.map((term) => {
      const [name, value = "1"] = term.split("*");
      return { at: this.placeOf(name)?.at ?? -1, value: Number(value) };
    });
    if (!read.length || ![Number(most), ...read.map(({ value }) => value)].every(Number.isFinite) || read.some(({ at }) => at < 0)) return null;
    const isPlain = read.every(({ value }) => value === 1);
    return { columns: read.map(({ at }) => at), ...(isPlain ? {} : { values: read.map(({ value }) => value) }), most: Number(most) };
  }
}

/** What a child's key says of its column. @param {string} key */
export const keyText = (key) => (/^\d/.test(key) ? `= ${key}` : key);

/** A board in the lab. */
export class BoardSession extends Session {
  /** @param {Game} game @param {string} objective @param {readonly Placement[]} [own] a tiling that is the incumbent to beat */
  constructor(game, objective, own = []) {
    // Pieces on the board are fixed: a student may begin with a smaller problem.
    const cover = new ExactCover(game.instance.withPlaced(game.placed));
    const isExact = objective === EXACT;
    const weights = cover.options.map(({ name, cells }) => (isExact ? weightOf(name) : cells.length));
    const model = {
      columns: cover.options.length,
      rows: cover.rows,
      demand: cover.items.map((item) => item.demand),
      isChoice: cover.items.map(({ kind }) => kind !== "cell" && kind !== "piece"),
      areas: areasOf(cover),
      weight: weights,
      isExact,
    };
    super({ linear: linearOf(model, true), whole: linearOf(model, false), isExact });
    this.game = game;
    this.objective = objective;
    this.cover = cover;
    this.weights = weights;
    this.own = own;
    this.tree = this.newTree();
  }

  /** What the instance is called. */
  get name() {
    return [this.game.puzzle.name, ...this.game.instance.labels].join(" ");
  }

  get cells() {
    return this.game.instance.toCover.length;
  }

  get rows() {
    return this.cover.items.length;
  }

  /** @param {number} column */
  columnName(column) {
    return this.cover.options[column].name;
  }

  /** What a row of the relaxation is about; those behind it are cuts. @param {number} row */
  rowText(row) {
    const { cover: { items }, model: { linear: { rows } } } = this;
    const item = items[row];
    return item ? rowName(item.kind === "cell" ? { ...item, text: `${item.kind} ${this.labelOf(row)}` } : item) : row < rows.length ? t("areaRow") : t("cutNumber", { n: String(row - rows.length + 1) });
  }

  /** Why a row has no solution left. @param {import("./why.js").Dead} dead */
  deathOf({ row, isFull }) {
    const item = this.cover.items[row];
    if (row < 0) return t("deadColumn");
    if (item?.kind === "cell") return t(isFull ? "deadCellFull" : "deadCell", { label: this.labelOf(row) });
    if (item?.kind === "piece") return t(isFull ? "deadPieceFull" : "deadPiece", { piece: pieceIn(item.text) });
    return t("deadRow", { row: item ? rowName(item) : t("cutNumber", { n: String(row - this.cover.items.length + 1) }) });
  }

  newTree() {
    // The tree of a session that is being made is made anew.
    if (!this.game) return super.newTree();
    if (this.objective !== EXACT) return new Tree(this.cells);
    return new Tree(undefined, this.ownWorth);
  }

  /** What the player's own tiling is worth, or null. */
  get ownWorth() {
    const { own, game: { cover }, weights } = this;
    return own.length ? [...own.map(({ piece, cells }) => cover.numberOf(piece, cells)), ...cover.leaving(own)].reduce((sum, column) => sum + weights[column], 0) : null;
  }

  /** @param {readonly number[]} chosen columns */
  placementsOf(chosen) {
    const { game, cover } = this;
    return game.placementsOf(chosen.map((column) => cover.options[column]).filter(isCovering)
      .map(({ piece, cells }) => game.cover.numberOf(piece, cells)));
  }

  /** Whether columns are a tiling of the instance. @param {readonly number[]} chosen */
  isTiling(chosen) {
    return this.game.isTiling(this.placementsOf(chosen));
  }

  /** @param {readonly number[]} values */
  isSolution(values) {
    return this.isTiling(values.flatMap((value, column) => (value > 0.5 ? [column] : [])));
  }

  /** What a node's child is called: a placement and its value, or a cell and the piece on it. @param {Split} split @param {number} child */
  childName({ kind, at, keys }, child) {
    return kind === "column" ? super.childName({ kind, at, keys, fixes: [] }, child) : `${this.labelOf(at)}: ${keys[child]}`;
  }

  /** The label on a cell to cover. @param {number} item */
  labelOf(item) {
    return this.game.puzzle.board.label(this.game.instance.toCover[item]);
  }

  /** Branch on a cell: each child leaves it to one of the pieces that can still cover it. @param {number} item @param {readonly import("./tree.js").Fix[]} fixings @returns {Split} */
  splitCell(item, fixings) {
    const { rows, options } = this.cover;
    const isOut = new Set(fixings.flatMap(([column, value]) => (value ? [] : [column])));
    const taken = fixings.flatMap(([column, value]) => (value ? [column] : []));
    const keys = [...new Set(rows[item]
      .filter((column) => !isOut.has(column) && !taken.some((one) => excludes(this.cover, one, column)))
      .map((column) => options[column].piece))];
    return {
      kind: "cell", at: item, keys,
      fixes: keys.map((piece) => rows[item].filter((column) => options[column].piece !== piece).map((column) => [column, 0])),
    };
  }

  /** @param {{kind: "column" | "cell", at: number}} step @param {import("./tree.js").TreeNode} node */
  splitOf({ kind, at }, node) {
    return kind === "column" ? splitAt(at) : this.splitCell(at, this.tree.fixings(node));
  }

  /** @param {string} name */
  placeOf(name) {
    const at = this.cover.items.findIndex((item) => item.kind === "cell" && item.name === name);
    return super.placeOf(name) ?? (at < 0 ? null : { kind: /** @type {const} */ ("cell"), at });
  }

  /** @param {Split} split */
  nameOfSplit({ kind, at }) {
    return (kind === "cell" ? this.cover.items : this.cover.options)[at].name;
  }

  get head() {
    return this.objective;
  }
}
