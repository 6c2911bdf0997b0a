/** A branch-and-bound tree that a person grows, without any drawing; its steps are undone and written down. */

/** @typedef {"open" | "fractional" | "integral" | "infeasible" | "bound" | "dominated"} State "dominated": branched, and later pruned by bound */
/** @typedef {[column: number, low: number, high?: number]} Fix what a column may be: one value, or one of a range */
/** @typedef {{kind: "column" | "cell", at: number, keys: string[], fixes: Fix[][]}} Split a column at 1 and at 0, or a cell by the piece that covers it: what each child is called and fixes */
/**
 * @typedef {object} TreeNode
 * @property {number} number in the order of solving, -1 while it is open
 * @property {TreeNode | null} parent
 * @property {Fix[]} fixes the columns that were fixed here, each with its value
 * @property {number | null} bound the optimum of the relaxation, null if it is infeasible
 * @property {number[]} values the relaxation's solution
 * @property {number[]} duals a multiplier for each row and each cut that there was
 * @property {boolean} isIntegral whether they are all whole
 * @property {Split | null} split how it was branched
 * @property {TreeNode[]} children as many as the split has
 */
/** @typedef {{node: TreeNode, bound: number | null, values: number[], duals: number[], isIntegral: boolean, number: number}} Settled */
/** @typedef {{before: Settled, after: Settled, cut: Cut | null}} Step */
/** @typedef {{columns: number[], values?: number[], most: number}} Cut the sum of these columns, times their values if it has some, is at most so much */

/** How near to a whole number a value counts as one. */
export const WHOLE = 1e-6;

/** @param {TreeNode | null} parent @param {Fix[]} fixes @returns {TreeNode} */
const nodeOf = (parent, fixes) =>
  ({ number: -1, parent, fixes, bound: null, values: [], duals: [], isIntegral: false, split: null, children: [] });

/** The tree of one instance. */
export class Tree {
  /**
   * @param {number} [target] what every solution is worth; without it the best solution is looked for @param {number | null} [given] what a known solution is worth
   * @param {boolean} [isWhole] whether every solution is worth a whole number @param {readonly boolean[]} [integer] which columns must be whole; all unless given
   */
  constructor(target = Infinity, given = null, isWhole = true, integer = []) {
    this.target = target;
    this.given = given;
    this.isWhole = isWhole;
    this.integer = integer;
    this.root = nodeOf(null, []);
    this.here = this.root;
    /** What was done, and what was undone. @type {Step[]} */
    this.steps = [];
    /** @type {Step[]} */
    this.undone = [];
  }

  /** All nodes, parents before children. @returns {TreeNode[]} */
  get nodes() {
    const found = [this.root];
    for (const node of found) found.push(...node.children);
    return found;
  }

  /** How many nodes were solved. */
  get solved() {
    return this.steps.reduce((sum, { before }) => sum + Number(before.number < 0), 0);
  }

  /** The cuts, in their order. @returns {Cut[]} */
  get cuts() {
    return this.steps.flatMap(({ cut }) => (cut ? [cut] : []));
  }

  /** The best value of an integral node, or null. */
  get incumbent() {
    const found = this.steps.flatMap(({ after: { bound, isIntegral } }) =>
      (isIntegral && bound !== null && bound >= this.least ? [bound] : []));
    if (this.given !== null) found.push(this.given);
    return found.length ? Math.max(...found) : null;
  }

  /** What a solution is worth at least. */
  get least() {
    return this.target === Infinity ? -Infinity : this.target - WHOLE;
  }

  /** Whether a column's value is a fraction that it must not be. @param {number} value @param {number} column */
  isFraction(value, column) {
    return (this.integer[column] ?? true) && !isWhole(value);
  }

  /** What a node is: where all numbers are whole, a bound may be rounded down. @param {TreeNode} node @param {number | null} [incumbent] @returns {State} */
  stateOf({ number, parent, bound, isIntegral, children }, incumbent = this.incumbent) {
    const isBeaten = (/** @type {number} */ most) => this.target === Infinity && incumbent !== null && (this.isWhole ? Math.floor(most + WHOLE) <= incumbent : most <= incumbent + WHOLE);
    // Nothing below a node is better than its own bound.
    if (number < 0) return parent && parent.bound !== null && isBeaten(parent.bound) ? "bound" : "open";
    if (bound === null) return "infeasible";
    if (bound < this.least) return "bound";
    if (isIntegral) return "integral";
    if (!isBeaten(bound)) return "fractional";
    return children.some((child) => child.number >= 0) ? "dominated" : "bound";
  }

  /** The nodes that are still to be solved or branched. @returns {TreeNode[]} */
  get open() {
    const { incumbent } = this;
    return this.nodes.filter((node) => {
      const state = this.stateOf(node, incumbent);
      return state === "open" || (state === "fractional" && !node.children.length);
    });
  }

  /** The least upper bound on all solutions that the tree proves, or null where there is none. */
  get bestBound() {
    const { incumbent } = this;
    const bounds = this.open.map((node) => (node.number < 0 ? node.parent?.bound : node.bound) ?? Infinity);
    if (incumbent !== null) bounds.push(incumbent);
    return bounds.length ? Math.max(...bounds) : null;
  }

  /** What is fixed at a node. @param {TreeNode} node @returns {Fix[]} */
  fixings(node) {
    return [...(node.parent ? this.fixings(node.parent) : []), ...node.fixes];
  }

  /** The columns with a fraction at a node, those nearest to one first. @param {TreeNode} node */
  fractional({ values }) {
    return values
      .map((value, column) => ({ column, value }))
      .filter(({ value, column }) => this.isFraction(value, column))
      .sort((a, b) => b.value - a.value || a.column - b.column);
  }

  /** Enter a relaxation's answer at a node, and perhaps the cut that was added for it. @param {TreeNode} node @param {number | null} bound @param {number[]} values @param {Cut | null} [cut] @param {number[]} [duals] */
  settle(node, bound, values, cut = null, duals = []) {
    const before = { node, bound: node.bound, values: node.values, duals: node.duals, isIntegral: node.isIntegral, number: node.number };
    const number = node.number < 0 ? this.solved : node.number;
    const isIntegral = bound !== null && !values.some((value, column) => this.isFraction(value, column));
    // Where weights are whole, the value of an integral point is.
    const after = { node, bound: isIntegral && this.isWhole ? Math.round(bound ?? 0) : bound, values, duals, isIntegral, number };
    this.steps.push({ before, after, cut });
    this.undone = [];
    this.show(after);
  }

  /** @param {Settled} settled */
  show({ node, ...settled }) {
    Object.assign(node, settled);
    this.here = node;
  }

  /** Take the last step back; whether there was one. */
  undo() {
    const step = this.steps.pop();
    if (!step) return false;
    this.undone.push(step);
    this.show(step.before);
    const { node } = step.before;
    if (node.number >= 0) return true;
    node.split = null;
    node.children = [];
    const { parent } = node;
    if (parent) {
      this.here = parent;
      // The other children stay as they are, if one of them was solved.
      if (parent.children.every((child) => child.number < 0)) [parent.children, parent.split] = [[], null];
    }
    return true;
  }

  /** Do again what was undone last; whether there was something. */
  redo() {
    const step = this.undone.pop();
    if (!step) return false;
    const { node } = step.after;
    const siblings = families.get(node);
    if (node.parent && siblings) [node.parent.children, node.parent.split] = [siblings.children, siblings.split];
    this.steps.push(step);
    this.show(step.after);
    return true;
  }

  /**
   * Branch a node: its children, in the order of the split.
   * A node that was branched already stays as it is, unless none of its children was solved.
   * @param {TreeNode} node @param {Split} split @returns {TreeNode[]} none if it cannot be branched so
   */
  branch(node, split) {
    const isSame = node.split?.kind === split.kind && node.split.at === split.at;
    // What was branched stays so, whatever incumbent came later.
    if (isSame && node.children.length) return node.children;
    if (this.stateOf(node) !== "fractional") return [];
    if (node.split && !isSame) {
      if (node.children.some((child) => child.number >= 0)) return [];
      node.children = [];
    }
    if (!node.children.length) {
      node.split = split;
      node.children = split.fixes.map((fixes) => nodeOf(node, fixes));
      for (const child of node.children) families.set(child, { split, children: node.children });
    }
    return node.children;
  }

  /** Branch on a column, and give the child with this value. @param {TreeNode} node @param {number} column @param {number} value @returns {TreeNode | undefined} */
  branchOn(node, column, value) {
    return this.branch(node, splitAt(column))[1 - value];
  }

  /** The nodes from the root to one. @param {TreeNode} node @returns {TreeNode[]} */
  pathTo(node) {
    return [...(node.parent ? this.pathTo(node.parent) : []), node];
  }

  /** The path to the current node, and those to the latest open ones: what stays in sight of a large tree. @param {number} most */
  inSight(most) {
    return new Set([this.here, ...this.open.slice(-most)].flatMap((node) => this.pathTo(node)));
  }

  /** Places for a drawing: leaves side by side, parents above the middle of their children. @param {(node: TreeNode) => boolean} [isFolded] whose children have no place */
  layout(isFolded = () => false) {
    /** @type {Map<TreeNode, {x: number, y: number}>} */
    const places = new Map();
    let leaves = 0;
    /** @type {(node: TreeNode, depth: number) => number} */
    const place = (node, depth) => {
      const below = (isFolded(node) ? [] : node.children).map((child) => place(child, depth + 1));
      const x = below.length ? (below[0] + below[below.length - 1]) / 2 : leaves++;
      places.set(node, { x, y: depth });
      return x;
    };
    place(this.root, 0);
    return { places, width: leaves, depth: Math.max(...[...places.values()].map(({ y }) => y)) + 1 };
  }
}

/** A node's split and its brothers, for those that were undone. @type {WeakMap<TreeNode, {split: Split, children: TreeNode[]}>} */
const families = new WeakMap();

/** @param {number} value */
const isWhole = (value) => Math.abs(value - Math.round(value)) <= WHOLE;

/** The two children of a column. @param {number} column @returns {Split} */
export const splitAt = (column) => ({ kind: "column", at: column, keys: ["1", "0"], fixes: [[[column, 1]], [[column, 0]]] });

// As a text ----------------------------------------------------------------

/**
 * The steps as a text: for each node but the root the number of its parent, what that was branched on, and
 * the child's key; for each cut the number of its node, its right side and its columns, with their values.
 * @param {Tree} tree @param {(split: Split) => string} nameOf @param {(column: number) => string} columnName
 */
export const stepsText = (tree, nameOf, columnName) => tree.steps.map(({ after: { node }, cut }) => {
  if (cut) return [node.number, "cut", cut.most, ...cut.columns.map((column, k) => columnName(column) + ((cut.values?.[k] ?? 1) === 1 ? "" : `*${cut.values?.[k]}`))].join(".");
  const { parent } = node;
  return parent?.split ? [parent.number, nameOf(parent.split), encodeURIComponent(parent.split.keys[parent.children.indexOf(node)]).replaceAll(".", "%2E")].join(".") : "root";
}).join(";");
