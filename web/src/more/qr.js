/** A text as a QR code (ISO/IEC 18004): bytes, at the lowest level of correction, in the smallest version. */

/** The codewords of correction in a block, and the blocks, of each version at level L. */
const CORRECTION = "7 10 15 20 26 18 20 24 30 18 20 24 26 30 22 24 28 30 28 28 28 28 30 30 26 28 30 30 30 30 30 30 30 30 30 30 30 30 30 30".split(" ").map(Number);
const BLOCKS = "1 1 1 1 1 2 2 2 2 4 4 4 4 4 6 6 6 6 7 8 8 9 9 10 12 12 12 13 14 15 16 17 18 19 19 20 21 22 24 25".split(" ").map(Number);

/** Modules of light around a code. */
export const QUIET = 4;

/** The conditions under which a mask turns a module. @type {((row: number, column: number) => number)[]} */
const MASKS = [
  (r, c) => (r + c) % 2, (r) => r % 2, (_, c) => c % 3, (r, c) => (r + c) % 3,
  (r, c) => (Math.floor(r / 2) + Math.floor(c / 3)) % 2, (r, c) => (r * c) % 2 + (r * c) % 3,
  (r, c) => ((r * c) % 2 + (r * c) % 3) % 2, (r, c) => ((r + c) % 2 + (r * c) % 3) % 2,
];

/** The modules of a version that hold data. @param {number} version */
function room(version) {
  const aligned = Math.floor(version / 7) + 2;
  return (16 * version + 128) * version + 64
    - (version > 1 ? (25 * aligned - 10) * aligned - 55 : 0) - (version > 6 ? 36 : 0);
}

/** Powers of two in the field of 256 elements, and the other way. */
const POWERS = Array.from({ length: 255 }, () => 1);
for (let k = 1; k < 255; k += 1) POWERS[k] = (POWERS[k - 1] << 1) ^ (POWERS[k - 1] > 127 ? 0x11d : 0);
/** @param {number} a @param {number} b */
const times = (a, b) => (a && b ? POWERS[(POWERS.indexOf(a) + POWERS.indexOf(b)) % 255] : 0);

/** The codewords that correct a block. @param {readonly number[]} block @param {number} length */
function correctionOf(block, length) {
  let divisor = [1];
  for (let k = 0; k < length; k += 1) {
    divisor = [...divisor, 0].map((one, at) => one ^ times(divisor[at - 1] ?? 0, POWERS[k]));
  }
  let rest = Array.from({ length }, () => 0);
  for (const one of block) {
    const factor = one ^ rest[0];
    rest = [...rest.slice(1), 0].map((old, at) => old ^ times(divisor[at + 1], factor));
  }
  return rest;
}

/** A number with its check bits behind it. @param {number} value @param {number} divisor @param {number} bits */
function checked(value, divisor, bits) {
  let rest = value;
  for (let k = 0; k < bits; k += 1) rest = (rest << 1) ^ ((rest >> (bits - 1)) * divisor);
  return (value << bits) | rest;
}

/** All codewords of a text, in the order in which they are drawn. @param {Uint8Array} bytes @param {number} version */
function codewords(bytes, version) {
  const all = Math.floor(room(version) / 8);
  const [blocks, length] = [BLOCKS[version - 1], CORRECTION[version - 1]];
  const most = all - blocks * length;
  const bits = [[4, 4], [bytes.length, version < 10 ? 8 : 16], ...[...bytes].map((one) => [one, 8])]
    .map(([value, size]) => value.toString(2).padStart(size, "0")).join("");
  const full = `${bits}0000`.slice(0, 8 * most);
  const data = (full.padEnd(8 * Math.ceil(full.length / 8), "0").match(/.{8}/g) ?? []).map((one) => parseInt(one, 2));
  for (let pad = 0xec; data.length < most; pad ^= 0xec ^ 0x11) data.push(pad);
  const short = blocks - all % blocks;
  let from = 0;
  const parts = Array.from({ length: blocks }, (_, k) => {
    const part = data.slice(from, from += Math.floor(all / blocks) - length + Number(k >= short));
    return { part, more: correctionOf(part, length) };
  });
  const woven = (/** @type {number[][]} */ lists) =>
    lists[lists.length - 1].flatMap((_, k) => lists.flatMap((one) => one[k] ?? []));
  return [...woven(parts.map(({ part }) => part)), ...woven(parts.map(({ more }) => more))];
}

/** How badly a code is read: long runs, squares, what looks like a corner, too much of one colour. @param {readonly (readonly number[])[]} rows */
function penalty(rows) {
  const lines = [...rows, ...rows.map((_, k) => rows.map((row) => row[k]))].map((line) => line.join(""));
  let sum = 0;
  for (const line of lines) {
    for (const run of line.match(/0{5,}|1{5,}/g) ?? []) sum += run.length - 2;
    sum += 40 * (line.match(/(?=10111010000|00001011101)/g) ?? []).length;
  }
  rows.slice(1).forEach((row, r) => row.slice(1).forEach((one, c) => {
    if (one === row[c] && one === rows[r][c] && one === rows[r][c + 1]) sum += 3;
  }));
  const dark = rows.flat().filter(Boolean).length / rows.length ** 2;
  return sum + 10 * Math.floor(Math.abs(20 * dark - 10));
}

/**
 * The modules of a code, row by row: 1 is dark. Null where a text is too long for one.
 * @param {string} text @param {number} [forced] a mask, instead of the one that is read best @returns {number[][] | null}
 */
export function qrCode(text, forced) {
  const bytes = new TextEncoder().encode(text);
  const version = BLOCKS.findIndex((blocks, k) =>
    8 * (Math.floor(room(k + 1) / 8) - blocks * CORRECTION[k]) >= 4 + (k < 9 ? 8 : 16) + 8 * bytes.length) + 1;
  if (!version) return null;
  const size = 4 * version + 17;
  const far = size - 7;
  /** What is not data. @type {(number | undefined)[][]} */
  const fixed = Array.from({ length: size }, () => Array.from({ length: size }));
  const put = (/** @type {number} */ r, /** @type {number} */ c, /** @type {number} */ value) => {
    if (fixed[r] && c >= 0 && c < size) fixed[r][c] = value;
  };
  /** A square of rings. @param {number} row @param {number} column @param {number} reach */
  const ringed = (row, column, reach) => {
    for (let r = -reach; r <= reach; r += 1) {
      for (let c = -reach; c <= reach; c += 1) {
        const ring = Math.max(Math.abs(r), Math.abs(c));
        put(row + r, column + c, Number(reach > 2 ? ring !== 2 && ring !== 4 : ring !== 1));
      }
    }
  };
  for (let k = 0; k < size; k += 1) {
    put(6, k, (k + 1) % 2);
    put(k, 6, (k + 1) % 2);
  }
  if (version > 1) {
    const parts = Math.floor(version / 7) + 1;
    const step = 2 * Math.ceil((4 * version + 4) / (2 * parts) - (version === 32 ? 0.5 : 0));
    const places = Array.from({ length: parts + 1 }, (_, k) => (k ? far - step * (parts - k) : 6));
    for (const r of places) {
      for (const c of places) {
        if (![[6, 6], [6, far], [far, 6]].some(([a, b]) => r === a && c === b)) ringed(r, c, 2);
      }
    }
  }
  for (const [r, c] of [[3, 3], [3, size - 4], [size - 4, 3]]) ringed(r, c, 4);
  if (version > 6) {
    const about = checked(version, 0x1f25, 12);
    for (let k = 0; k < 18; k += 1) {
      put(Math.floor(k / 3), size - 11 + k % 3, (about >> k) & 1);
      put(size - 11 + k % 3, Math.floor(k / 3), (about >> k) & 1);
    }
  }
  const format = (/** @type {number} */ mask) => {
    const about = checked(8 | mask, 0x537, 10) ^ 0x5412;
    for (let k = 0; k < 15; k += 1) {
      const bit = (about >> k) & 1;
      put(k < 6 ? k : k < 8 ? k + 1 : size - 15 + k, 8, bit);
      put(8, k < 8 ? size - 1 - k : k < 9 ? 7 : 14 - k, bit);
    }
    put(size - 8, 8, 1);
  };
  format(0);
  const bits = codewords(bytes, version).map((one) => one.toString(2).padStart(8, "0")).join("");
  /** Where the data are, in their order: two columns at a time, up and down. @type {[number, number][]} */
  const way = [];
  for (let right = size - 1, up = true; right > 0; right -= 2, up = !up) {
    if (right === 6) right = 5;
    for (let k = 0; k < size; k += 1) {
      const r = up ? size - 1 - k : k;
      for (const c of [right, right - 1]) if (fixed[r][c] === undefined) way.push([r, c]);
    }
  }
  const drawn = (/** @type {number} */ mask) => {
    format(mask);
    const rows = fixed.map((row) => row.map((one) => one ?? 0));
    way.forEach(([r, c], k) => (rows[r][c] = Number(bits[k] ?? 0) ^ Number(!MASKS[mask](r, c))));
    return rows;
  };
  const codes = (forced === undefined ? [...MASKS.keys()] : [forced]).map(drawn);
  const costs = codes.map(penalty);
  return codes[costs.indexOf(Math.min(...costs))];
}
