/**
 * Exact-cover search in plain JavaScript: fill the first bare cell, in a fixed
 * order of the cells, with every option that fits (J. G. Fletcher, CACM 8(10), 1965).
 *
 * Cells are bits of two words where a board has at most 64, else of more. Pieces and
 * free groups are counters, so equal pieces are one and every picture is found once.
 */

import { rightNumbers, spareOf } from "../problem/cover.js";
import { CompiledSearch, kernel } from "./kernel.js";

/** @typedef {import("../problem/cover.js").ExactCover} ExactCover */

/**
 * A search for the tilings of an exact cover: compiled, or in JavaScript where the browser
 * has no WebAssembly. Both find the same tilings, in different orders.
 * @param {ExactCover} cover
 * @param {readonly number[]} [laid] options that every tiling is to have
 * @returns {Search | CompiledSearch}
 */
export function searchOf(cover, laid = []) {
  const compiled = kernel();
  return compiled ? new CompiledSearch(compiled, cover, laid) : new Search(cover, { laid });
}

/** A search that can be continued: call `run` until it is `complete`. */
export class Search {
  /**
   * @param {ExactCover} cover
   * @param {{laid?: readonly number[], order?: readonly number[]}} [given]
   *   options that every tiling is to have; the order in which cells are filled
   */
  constructor(cover, { laid = [], order = fillOrder(cover) } = {}) {
    const cells = cover.instance.toCover.length;
    this.words = Math.max(2, Math.ceil(cells / 32));
    this.columns = cover.options.length;
    const counters = cover.items.slice(cells).filter(({ kind }) => kind === "piece" || kind === "group").map((item) => item.demand);
    const isRight = rightNumbers(cover);
    /** Whether the pieces that lie, and those chosen, are as many as they must be. @type {(chosen: Int32Array, depth: number) => boolean} */
    this.isRight = isRight ? (chosen, depth) => isRight(laid, chosen, depth) : () => true;
    const place = new Int32Array(cells);
    order.forEach((cell, k) => (place[cell] = k));
    /** The covered cells at every depth. */
    const depthMost = counters.reduce((sum, demand) => sum + demand, 0) + 2;
    this.covered = new Int32Array(depthMost * this.words);
    for (let bit = cells; bit < this.words * 32; bit += 1) this.covered[bit >> 5] |= 1 << (bit & 31);
    /** The options' masks, and the counter of each, by first cell. */
    this.mask = new Int32Array(this.columns * this.words);
    this.kind = new Int32Array(this.columns);
    /** @type {number[][]} */
    const buckets = Array.from({ length: cells + 1 }, () => []);
    cover.options.forEach(({ items }, option) => {
      let first = cells;
      for (const item of items) {
        if (item >= cells) this.kind[option] = item - cells;
        else {
          this.mask[option * this.words + (place[item] >> 5)] |= 1 << (place[item] & 31);
          first = Math.min(first, place[item]);
        }
      }
      buckets[first].push(option);
    });
    this.start = new Int32Array(cells + 2);
    buckets.forEach((bucket, k) => (this.start[k + 1] = this.start[k] + bucket.length));
    this.bucket = Int32Array.from(buckets.flat());
    this.left = Int32Array.from(counters);
    // A piece that may be left out is none of those that a tiling must have.
    const spare = spareOf(cover);
    this.needs = Int32Array.from(counters, (_, kind) => Number(!spare.has(cells + kind)));
    this.open = counters.reduce((sum, demand, kind) => sum + demand * this.needs[kind], 0);
    /** The options that lie, at every depth, and where the search stands in each bucket. */
    this.chosen = new Int32Array(depthMost);
    this.first = new Int32Array(depthMost);
    this.next = new Int32Array(depthMost);
    this.end = new Int32Array(depthMost);
    this.laid = [...laid];
    this.complete = false;
    for (const option of laid) {
      for (let word = 0; word < this.words; word += 1) {
        const mask = this.mask[option * this.words + word];
        if (this.covered[word] & mask) this.complete = true;
        this.covered[word] |= mask;
      }
      this.open -= this.needs[this.kind[option]];
      this.left[this.kind[option]] -= 1;
      if (this.left[this.kind[option]] < 0) this.complete = true;
    }
    this.depth = 0;
    this.nodes = 0;
    /** Whether what is laid covers everything: then it is the one tiling. */
    this.whole = !this.complete && !this.enter();
  }

  /** Set out the options of the first bare cell at this depth; false if no cell is bare. */
  enter() {
    const at = this.depth * this.words;
    for (let word = 0; word < this.words; word += 1) {
      const bare = ~this.covered[at + word];
      if (bare) {
        const cell = word * 32 + 31 - Math.clz32(bare & -bare);
        this.first[this.depth] = this.next[this.depth] = this.start[cell];
        this.end[this.depth] = this.start[cell + 1];
        return true;
      }
    }
    return false;
  }

  /**
   * Go on for about so many nodes; every tiling found is handed to `found`.
   * @param {number} nodes
   * @param {(chosen: Int32Array, depth: number) => boolean | void} found gets the options beside
   *   those laid before, in an array that is used again; true stops the search for now
   * @returns {boolean} whether the search is complete
   */
  run(nodes, found) {
    const { words, mask, kind, needs, covered, left, bucket, chosen, first, next, end, start } = this;
    let { depth, open } = this;
    let budget = nodes;
    if (this.whole) {
      this.whole = false;
      this.complete = true;
      if (!open && this.isRight(chosen, 0)) found(chosen, 0);
      return true;
    }
    search: while (budget > 0 && !this.complete) {
      const at = depth * words;
      let k = next[depth];
      const last = end[depth];
      for (; k < last; k += 1) {
        const option = bucket[k];
        const m = option * words;
        if ((mask[m] & covered[at]) | (mask[m + 1] & covered[at + 1]) || !left[kind[option]]) continue;
        let clash = 0;
        for (let word = 2; word < words; word += 1) clash |= mask[m + word] & covered[at + word];
        if (clash) continue;
        budget -= 1;
        next[depth] = k + 1;
        chosen[depth] = option;
        const below = at + words;
        let bare = 0;
        let cell = 0;
        for (let word = 0; word < words; word += 1) {
          const both = covered[at + word] | mask[m + word];
          covered[below + word] = both;
          if (!bare && ~both) {
            bare = ~both;
            cell = word * 32 + 31 - Math.clz32(bare & -bare);
          }
        }
        if (bare) {
          left[kind[option]] -= 1;
          open -= needs[kind[option]];
          depth += 1;
          first[depth] = next[depth] = start[cell];
          end[depth] = start[cell + 1];
          continue search;
        }
        if (open === needs[kind[option]] && this.isRight(chosen, depth + 1) && found(chosen, depth + 1)) {
          this.save(depth, open, nodes - budget);
          return false;
        }
      }
      // No option is left for this cell: take the last one off.
      if (!depth) this.complete = true;
      else {
        depth -= 1;
        open += needs[kind[chosen[depth]]];
        left[kind[chosen[depth]]] += 1;
      }
    }
    this.save(depth, open, nodes - budget);
    return this.complete;
  }

  /** About which part of the search is done, from 0 to 1. */
  get progress() {
    let done = 0;
    let part = 1;
    for (let depth = 0; depth <= Math.min(this.depth, 5); depth += 1) {
      const size = this.end[depth] - this.first[depth];
      const at = Math.max(0, this.next[depth] - this.first[depth] - 1);
      done += (part * at) / size;
      part /= size;
    }
    return this.complete ? 1 : Math.min(done, 1);
  }

  /** @param {number} depth @param {number} open @param {number} nodes */
  save(depth, open, nodes) {
    this.depth = depth;
    this.open = open;
    this.nodes += nodes;
  }
}

/**
 * The order in which cells are filled: column by column, which visits the fewest nodes
 * on nearly all bundled boards (2 to 10 times fewer than row by row); boards that are
 * much taller than wide row by row.
 * @param {ExactCover} cover @returns {number[]}
 */
function fillOrder(cover) {
  const { toCover, puzzle } = cover.instance;
  const [height, width] = puzzle.board.shape;
  const numbers = toCover.map((_, k) => k);
  if (height >= 1.5 * width) return numbers;
  return numbers.sort((a, b) => toCover[a][1] - toCover[b][1] || toCover[a][0] - toCover[b][0]);
}
