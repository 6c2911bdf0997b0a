/**
 * The compiled search of the Python package, from the same C source: calmip/search/kernel/search.c
 * says how it works. Its whole state is in the arrays that are laid out here.
 */

import data from "../data.json" with { type: "json" };

/** @typedef {import("../problem/cover.js").ExactCover} ExactCover */

const BITS = 64;

/** Why the loop came back, as kernel.h says. */
const [DONE, FULL, GROW] = [1, 2, 3];

/** What kernel.h calls its version. */
const VERSION = 1n;

/** The item of a node that has not been asked for one; search.c has it, too. */
const NEW = -3n;

/** Solutions that there is room for. */
const ROOM = 1024;

/** Options that are looked at for one that is laid, about. */
const STEPS = 40;

/** @type {WebAssembly.Module | null | undefined} */
let compiled;

/** The compiled loops, or null where the browser has no WebAssembly. */
export function kernel() {
  if (compiled === undefined) {
    try {
      const bytes = Uint8Array.from(atob(data.kernel), (mark) => mark.charCodeAt(0));
      compiled = new WebAssembly.Module(bytes);
    } catch {
      compiled = null;
    }
  }
  return compiled;
}

/** A search that can be continued: call `run` until it is `complete`. */
export class CompiledSearch {
  /**
   * @param {WebAssembly.Module} module
   * @param {ExactCover} cover
   * @param {readonly number[]} laid options that every tiling is to have
   */
  constructor(module, cover, laid) {
    const { exports } = new WebAssembly.Instance(module, {});
    const api = /** @type {any} */ (exports);
    if (api.calmip_version() !== VERSION) throw new Error("the compiled search is another version's");
    /** @type {(words: bigint, search: number) => bigint} */
    this.search = api.calmip_search;
    /** @type {WebAssembly.Memory} */
    this.memory = api.memory;
    this.free = Number(api.__heap_base.value);
    /** Whether everything was searched. */
    this.done = false;
    this.nodes = 0;
    /** Solutions that were found and not handed out yet. @type {Int32Array[]} */
    this.waiting = [];
    const cells = cover.instance.toCover.length;
    this.size = cover.items.slice(cells).reduce((sum, item) => sum + item.demand, 0);
    const { low, top, words } = fieldsOf(cover.items.map((item) => item.demand));
    this.words = words;
    const setOf = (/** @type {readonly number[]} */ items, /** @type {readonly number[]} */ bit) => {
      const found = new BigUint64Array(words);
      for (const item of items) found[Math.floor(bit[item] / BITS)] |= 1n << BigInt(bit[item] % BITS);
      return found;
    };
    const masks = cover.options.map((option) => setOf(option.items, top));
    const deltas = cover.options.map((option) => setOf(option.items, low));
    const root = new BigUint64Array(words);
    cover.items.forEach(({ demand }, item) => {
      const begin = (1n << BigInt(top[item] - low[item])) - BigInt(demand);
      root[Math.floor(low[item] / BITS)] |= begin << BigInt(low[item] % BITS);
    });
    for (const option of laid) {
      if (masks[option].some((mask, word) => (mask & root[word]) !== 0n)) this.done = true;
      deltas[option].forEach((delta, word) => (root[word] += delta));
    }
    const all = cover.items.map((_, item) => item);
    const late = all.filter((item) => cover.items[item].kind === "group" || cover.items[item].demand > 1);
    const fitting = cover.options.map((_, option) => option)
      .filter((option) => masks[option].every((mask, word) => (mask & root[word]) === 0n));
    const depth = this.size + 2;
    /** The addresses in the order of the struct in search.c. */
    this.at = {
      masks: this.put(masks.flatMap((mask) => [...mask])),
      deltas: this.put(deltas.flatMap((delta) => [...delta])),
      full: this.put([...setOf(all, top)]),
      late: this.put([...setOf(late, top)]),
      states: this.take(8 * words * depth),
      frames: this.take(8 * 4 * depth),
      lists: 0,
      names: 0,
      out: this.take(8 * this.size * ROOM),
      state: this.take(8 * 3),
    };
    this.struct = this.take(4 * 10 + 8 * 4);
    this.room = 0;
    this.grow(4 * fitting.length + 1);
    const longs = new BigUint64Array(this.memory.buffer);
    longs.set(root, this.at.states / 8);
    longs.set([0n, BigInt(fitting.length), 0n, BigInt.asUintN(64, NEW)], this.at.frames / 8);
    longs.set(fitting.flatMap((option) => [...masks[option]]), this.at.lists / 8);
    new Uint32Array(this.memory.buffer).set(fitting, this.at.names / 4);
  }

  /** Whether everything was searched, and every tiling handed out. */
  get complete() {
    return this.done && !this.waiting.length;
  }

  /** Take a piece of memory. @param {number} bytes */
  take(bytes) {
    const at = this.free;
    this.free += Math.ceil(bytes / 8) * 8;
    const missing = this.free - this.memory.buffer.byteLength;
    if (missing > 0) this.memory.grow(Math.ceil(missing / 65_536));
    return at;
  }

  /** Put words into memory. @param {readonly bigint[]} words */
  put(words) {
    const at = this.take(8 * words.length);
    new BigUint64Array(this.memory.buffer).set(words, at / 8);
    return at;
  }

  /** Make room for so many options in the lists. @param {number} room */
  grow(room) {
    const { lists, names } = this.at;
    const old = this.room;
    this.at.lists = this.take(8 * this.words * room);
    this.at.names = this.take(4 * room);
    const bytes = new Uint8Array(this.memory.buffer);
    bytes.copyWithin(this.at.lists, lists, lists + 8 * this.words * old);
    bytes.copyWithin(this.at.names, names, names + 4 * old);
    this.room = room;
  }

  /**
   * Go on for about so many nodes; every tiling found is handed to `found`.
   * @param {number} nodes
   * @param {(chosen: Int32Array, depth: number) => boolean | void} found gets the options beside
   *   those laid before; true stops the search for now
   * @returns {boolean} whether the search is complete
   */
  run(nodes, found) {
    const most = this.nodes + nodes;
    while (!this.complete) {
      for (let next = this.waiting.shift(); next; next = this.waiting.shift()) {
        const end = next.indexOf(-1);
        if (found(next, end < 0 ? next.length : end)) return this.complete;
      }
      if (this.done || this.nodes >= most) break;
      this.step(Math.min(most - this.nodes, 50_000) * STEPS);
    }
    return this.complete;
  }

  /** @param {number} budget options that are looked at */
  step(budget) {
    const view = new DataView(this.memory.buffer);
    Object.values(this.at).forEach((address, k) => view.setUint32(this.struct + 4 * k, address, true));
    [this.room, ROOM, this.size, Math.ceil(budget)].forEach((number, k) =>
      view.setBigInt64(this.struct + 40 + 8 * k, BigInt(number), true));
    const result = Number(this.search(BigInt(this.words), this.struct));
    if (result === GROW) {
      this.grow(2 * this.room);
      return;
    }
    const state = new BigInt64Array(this.memory.buffer, this.at.state, 3);
    const before = this.nodes;
    this.nodes = Math.max(Number(state[1]), before + 1);
    const all = new Int32Array(this.memory.buffer, this.at.out, 2 * this.size * Number(state[2]));
    // Whole numbers of 64 bits whose values are small: every other half.
    for (let at = 0; at < all.length; at += 2 * this.size) {
      this.waiting.push(Int32Array.from({ length: this.size }, (_, k) => all[at + 2 * k]));
    }
    state[2] = 0n;
    if (result === DONE) this.done = true;
    else if (result === FULL) this.nodes = before;
  }

  /** About which part of the search is done, from 0 to 1. */
  get progress() {
    const frames = new BigInt64Array(this.memory.buffer, this.at.frames, 4 * (this.size + 2));
    const depth = Number(new BigInt64Array(this.memory.buffer, this.at.state, 1)[0]);
    let done = 0;
    let part = 1;
    for (let level = 0; level < Math.min(depth, 4); level += 1) {
      const [begin, end, next] = [0, 1, 2].map((k) => Number(frames[4 * level + k]));
      const size = Math.max(1, end - begin);
      done += (part * Math.max(0, next - begin - 1)) / size;
      part /= size;
    }
    return this.complete ? 1 : Math.min(done, 1);
  }
}

/** The lowest and the top bit of each item's field, none across two words. @param {readonly number[]} demands */
function fieldsOf(demands) {
  /** @type {number[]} */
  const low = [];
  /** @type {number[]} */
  const top = [];
  let end = 0;
  for (const demand of demands) {
    const width = (demand > 1 ? (demand - 1).toString(2).length : 0) + 1;
    if ((end % BITS) + width > BITS) end += BITS - (end % BITS);
    low.push(end);
    end += width;
    top.push(end - 1);
  }
  return { low, top, words: Math.floor((top[top.length - 1] ?? 0) / BITS) + 1 };
}
