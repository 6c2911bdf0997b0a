/**
 * The compiled search of the Python package, from the same C source: calmip/mip/kernel/search.c
 * says how it works. Its whole state is in the arrays that are laid out here.
 */

import { isCovering, rightNumbers, spareOf } from "../problem/cover.js";
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

/** Nodes in one call, which is all in the code of the first, fast compilation if it begins there. */
const STEP = 5_000;

/** Options that are looked at for one that is laid, about. */
const LOOKS = 40;

/** @type {WebAssembly.Module | null | undefined} */
let compiled;

let bytes = Uint8Array.from(atob(data.kernel), (mark) => mark.charCodeAt(0));

/** Unpack the compiled loops, which the build packs: to be awaited before the first search. */
export async function unpack() {
  // A module begins with a zero.
  if (!bytes[0]) return;
  const { body } = new Response(bytes);
  const whole = body?.pipeThrough(new DecompressionStream("deflate-raw"));
  bytes = new Uint8Array(await new Response(whole).arrayBuffer());
}

/** The compiled loops, or null where the browser has no WebAssembly. */
export function kernel() {
  if (compiled === undefined) {
    try {
      compiled = new WebAssembly.Module(bytes);
    } catch {
      compiled = null;
    }
  }
  return compiled;
}

/**
 * What every search of a cover needs again: sets of bits, in words of which the page sees halves.
 * @typedef {object} Tables
 * @property {number} words of a set
 * @property {Uint32Array} masks for every option the bits that it must find clear
 * @property {Uint32Array} deltas for every option what it adds
 * @property {Uint32Array} full
 * @property {Uint32Array} late
 * @property {Uint32Array} root
 */

/** @type {WeakMap<ExactCover, Tables>} */
const known = new WeakMap();

/** @param {ExactCover} cover @returns {Tables} */
function tablesOf(cover) {
  let tables = known.get(cover);
  if (!tables) {
    const { low, top, words } = fieldsOf(cover.items.map((item) => item.demand));
    const sets = (/** @type {number} */ count) => new Uint32Array(2 * words * count);
    const [masks, deltas, full, late, root] = [sets(cover.options.length), sets(cover.options.length), sets(1), sets(1), sets(1)];
    const enter = (/** @type {Uint32Array} */ set, /** @type {number} */ number, /** @type {number} */ bit) => {
      set[2 * words * number + (bit >>> 5)] |= 1 << (bit & 31);
    };
    cover.options.forEach(({ items }, option) => {
      for (const item of items) {
        enter(masks, option, top[item]);
        enter(deltas, option, low[item]);
      }
    });
    const spare = spareOf(cover);
    cover.items.forEach(({ kind, demand }, item) => {
      // A piece that may be left out need not be covered.
      if (!spare.has(item)) enter(full, 0, top[item]);
      if (kind === "group" || demand > 1) enter(late, 0, top[item]);
      // A counter begins so far below its top bit as it has to count.
      const begin = 2 ** (top[item] - low[item]) - demand;
      for (let bit = 0; begin >>> bit; bit += 1) if ((begin >>> bit) & 1) enter(root, 0, low[item] + bit);
    });
    tables = { words, masks, deltas, full, late, root };
    known.set(cover, tables);
  }
  return tables;
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
    /** The solutions that were found last, and how many of them were handed out. */
    this.ready = 0;
    this.handed = 0;
    const cells = cover.instance.toCover.length;
    this.size = cover.items.slice(cells).reduce((sum, { kind, demand }) => sum + (kind === "piece" || kind === "group" ? demand : 0), 0);
    const isRight = rightNumbers(cover);
    /** Whether the pieces that lie, and those chosen, are as many as they must be. @type {(chosen: Int32Array, depth: number) => boolean} */
    this.isRight = isRight ? (chosen, depth) => isRight(laid, chosen, depth) : () => true;
    this.row = new Int32Array(this.size);
    const { words, masks, deltas, full, late, root } = tablesOf(cover);
    this.words = words;
    const halves = 2 * words;
    const state = root.slice();
    const clashes = (/** @type {number} */ option) => {
      let clash = 0;
      for (let k = 0; k < halves; k += 1) clash |= masks[option * halves + k] & state[k];
      return clash !== 0;
    };
    const sums = new BigUint64Array(state.buffer);
    const added = new BigUint64Array(deltas.buffer);
    for (const option of laid) {
      if (clashes(option)) this.done = true;
      for (let word = 0; word < words; word += 1) sums[word] += added[option * words + word];
    }
    const fitting = new Uint32Array(cover.options.length);
    const fittingMasks = new Uint32Array(masks.length);
    let fits = 0;
    for (let option = 0; option < cover.options.length; option += 1) {
      if (clashes(option) || !isCovering(cover.options[option])) continue;
      for (let k = 0; k < halves; k += 1) fittingMasks[fits * halves + k] = masks[option * halves + k];
      fitting[fits] = option;
      fits += 1;
    }
    const depth = this.size + 2;
    /** The addresses in the order of the struct in search.c. */
    this.at = {
      masks: this.put(masks),
      deltas: this.put(deltas),
      full: this.put(full),
      late: this.put(late),
      states: this.take(8 * words * depth),
      frames: this.take(8 * 4 * depth),
      lists: 0,
      names: 0,
      out: this.take(8 * this.size * ROOM),
      state: this.take(8 * 3),
    };
    this.struct = this.take(4 * 10 + 8 * 4);
    this.room = 0;
    this.grow(4 * fits + 1);
    const memory = new Uint32Array(this.memory.buffer);
    memory.set(state, this.at.states / 4);
    memory.set(fittingMasks.subarray(0, fits * halves), this.at.lists / 4);
    memory.set(fitting.subarray(0, fits), this.at.names / 4);
    new BigInt64Array(this.memory.buffer).set([0n, BigInt(fits), 0n, NEW], this.at.frames / 8);
  }

  /** Whether everything was searched, and every tiling handed out. */
  get complete() {
    return this.done && this.handed === this.ready;
  }

  /** Take a piece of memory. @param {number} bytes */
  take(bytes) {
    const at = this.free;
    this.free += Math.ceil(bytes / 8) * 8;
    const missing = this.free - this.memory.buffer.byteLength;
    if (missing > 0) this.memory.grow(Math.ceil(missing / 65_536));
    return at;
  }

  /** Put sets into memory. @param {Uint32Array} sets */
  put(sets) {
    const at = this.take(4 * sets.length);
    new Uint32Array(this.memory.buffer).set(sets, at / 4);
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
   *   those laid before, in an array that is used again; true stops the search for now
   * @returns {boolean} whether the search is complete
   */
  run(nodes, found) {
    const most = this.nodes + nodes;
    while (!this.complete) {
      const out = new Int32Array(this.memory.buffer, this.at.out);
      while (this.handed < this.ready) {
        // Whole numbers of 64 bits whose values are small: every other half.
        const begin = 2 * this.size * this.handed;
        let depth = 0;
        while (depth < this.size && out[begin + 2 * depth] >= 0) {
          this.row[depth] = out[begin + 2 * depth];
          depth += 1;
        }
        this.handed += 1;
        if (this.isRight(this.row, depth) && found(this.row, depth)) return this.complete;
      }
      if (this.done || this.nodes >= most) break;
      this.step(Math.min(most - this.nodes, STEP) * LOOKS);
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
    this.ready = Number(state[2]);
    this.handed = 0;
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
