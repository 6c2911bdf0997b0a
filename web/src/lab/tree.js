/** A branch-and-bound tree that a person grows, without any drawing. */

/** @typedef {import("../problem/cover.js").ExactCover} ExactCover */
/** @typedef {"open" | "fractional" | "integral" | "infeasible"} State */
/**
 * @typedef {object} TreeNode
 * @property {number} number in the order of solving, -1 while it is open
 * @property {TreeNode | null} parent
 * @property {number} column the column that was fixed here, -1 at the root
 * @property {number} value to what
 * @property {State} state
 * @property {number | null} bound the most cells that the relaxation covers
 * @property {number[]} values the relaxation's solution
 * @property {TreeNode[]} children none, or one for 1 and one for 0
 */

/** How near to a whole number a value counts as one. */
const WHOLE = 1e-6;

/** @param {TreeNode | null} parent @param {number} column @param {number} value @returns {TreeNode} */
const nodeOf = (parent, column, value) =>
  ({ number: -1, parent, column, value, state: "open", bound: null, values: [], children: [] });

/** The tree of one instance. */
export class Tree {
  /** @param {number} area the number of cells to cover */
  constructor(area) {
    this.area = area;
    this.root = nodeOf(null, -1, 0);
    this.here = this.root;
    /** How many nodes were solved. */
    this.solved = 0;
  }

  /** All nodes, parents before children. @returns {TreeNode[]} */
  get nodes() {
    /** @type {(node: TreeNode) => TreeNode[]} */
    const below = (node) => [node, ...node.children.flatMap(below)];
    return below(this.root);
  }

  /** The nodes that are still to be solved or branched. */
  get open() {
    return this.nodes.filter((node) =>
      node.state === "open" || (node.state === "fractional" && !node.children.length));
  }

  /** What is fixed at a node. @param {TreeNode} node @returns {[number, number][]} */
  fixings(node) {
    /** @type {[number, number][]} */
    const found = [];
    for (let at = node; at.parent; at = at.parent) found.unshift([at.column, at.value]);
    return found;
  }

  /** The columns with a fraction at a node, those nearest to one first. @param {TreeNode} node */
  fractional({ values }) {
    return values
      .map((value, column) => ({ column, value }))
      .filter(({ value }) => value > WHOLE && value < 1 - WHOLE)
      .sort((a, b) => b.value - a.value || a.column - b.column);
  }

  /** Enter a relaxation's answer at a node. @param {TreeNode} node @param {number | null} bound @param {number[]} values */
  settle(node, bound, values) {
    if (node.number < 0) {
      node.number = this.solved;
      this.solved += 1;
    }
    node.bound = bound;
    node.values = values;
    if (bound === null || bound < this.area - WHOLE) node.state = "infeasible";
    else node.state = this.fractional(node).length ? "fractional" : "integral";
  }

  /**
   * Branch on a column: two children, one with it at 1 and one at 0; the one asked for.
   * A node that was branched already keeps its column.
   * @param {TreeNode} node @param {number} column @param {number} value @returns {TreeNode | null}
   */
  branch(node, column, value) {
    if (node.state !== "fractional") return null;
    if (!node.children.length) node.children = [nodeOf(node, column, 1), nodeOf(node, column, 0)];
    return node.children.find((child) => child.column === column && child.value === value) ?? null;
  }

  /** Places for a drawing: leaves side by side, parents above the middle of their children. */
  layout() {
    /** @type {Map<TreeNode, {x: number, y: number}>} */
    const places = new Map();
    let leaves = 0;
    /** @type {(node: TreeNode, depth: number) => number} */
    const place = (node, depth) => {
      const below = node.children.map((child) => place(child, depth + 1));
      const x = below.length ? (below[0] + below[below.length - 1]) / 2 : leaves++;
      places.set(node, { x, y: depth });
      return x;
    };
    place(this.root, 0);
    return { places, width: leaves, depth: Math.max(...[...places.values()].map(({ y }) => y)) + 1 };
  }
}
