/**
 * Numbers as fractions, and what they prove: a floating-point solver proposes values and multipliers, and these are
 * checked without floating-point arithmetic, as `calmip relax` does.
 */

import { boundsAt, rowOfCut } from "./relaxation.js";

/** @typedef {import("./relaxation.js").Linear} Linear */
/** @typedef {import("./tree.js").Cut} Cut */
/** @typedef {import("./tree.js").Fix} Fix */

/** A fraction in lowest terms. */
export class Fraction {
  /** @param {bigint | number} above @param {bigint | number} [below] */
  constructor(above, below = 1n) {
    const [p, q] = [BigInt(above), BigInt(below)];
    const common = divisor(p, q) * (q < 0n ? -1n : 1n);
    this.above = p / common;
    this.below = q / common;
  }

  /** @param {Fraction} other */
  plus(other) {
    return new Fraction(this.above * other.below + other.above * this.below, this.below * other.below);
  }

  /** @param {Fraction} other */
  minus(other) {
    return new Fraction(this.above * other.below - other.above * this.below, this.below * other.below);
  }

  /** @param {Fraction} other */
  times(other) {
    return new Fraction(this.above * other.above, this.below * other.below);
  }

  /** Below 0, 0 or above, as this is less, equal or more. @param {Fraction} other */
  compare(other) {
    return Number(this.above * other.below - other.above * this.below > 0n) - Number(this.above * other.below - other.above * this.below < 0n);
  }

  get sign() {
    return Number(this.above > 0n) - Number(this.above < 0n);
  }

  get isWhole() {
    return this.below === 1n;
  }

  get number() {
    return Number(this.above) / Number(this.below);
  }

  /** The largest whole number that is not above it. */
  get floor() {
    return this.above / this.below - BigInt(this.above < 0n && this.below !== 1n);
  }

  toString() {
    return this.isWhole ? String(this.above) : `${this.above}/${this.below}`;
  }
}

/** @param {bigint} p @param {bigint} q @returns {bigint} */
const divisor = (p, q) => (q ? divisor(q, p % q) : p < 0n ? -p : p || 1n);

export const ZERO = new Fraction(0);

/** Values of a vertex have small denominators; how near a fraction is to the floating-point number it stands for. */
const [LARGEST, NEAR] = [100_000, 1e-8];

/** The fraction with the smallest denominator near a number: its continued fraction. @param {number} number @returns {Fraction} */
export function fractionOf(number) {
  let [rest, p, q, p0, q0] = [number, Math.floor(number), 1, 1, 0];
  while (Math.abs(p / q - number) > NEAR) {
    rest = 1 / (rest - Math.floor(rest));
    const whole = Math.floor(rest);
    const [p2, q2] = [whole * p + p0, whole * q + q0];
    if (!Number.isFinite(rest) || q2 > LARGEST) break;
    [p0, q0, p, q] = [p, q, p2, q2];
  }
  return new Fraction(p, q);
}

/** A number of a model as the fraction that it is: as a decimal. @param {number} number @returns {Fraction} */
export function decimal(number) {
  const [, sign, whole, part = "", power = "0"] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/.exec(String(number)) ?? [];
  const digits = BigInt(sign + whole + part);
  const shift = Number(power) - part.length;
  return shift < 0 ? new Fraction(digits, 10n ** BigInt(-shift)) : new Fraction(digits * 10n ** BigInt(shift));
}

/** @param {readonly Fraction[]} all */
const sum = (all) => all.reduce((total, one) => total.plus(one), ZERO);

/** A row's left side. @param {{index: number[], value: number[]}} row @param {readonly Fraction[]} values */
export const leftSide = ({ index, value }, values) => sum(index.map((column, k) => decimal(value[k]).times(values[column])));

/** The rows of a model and its cuts. @param {Linear} linear @param {readonly Cut[]} cuts */
const rowsWith = (linear, cuts) => [...linear.rows, ...cuts.map(rowOfCut)];

/** The objective at a point. @param {Linear} linear @param {readonly Fraction[]} values */
export const worth = ({ cost }, values) => sum(values.flatMap((value, column) => (value.sign ? [decimal(cost[column]).times(value)] : [])));

/**
 * Whether a point satisfies all rows, cuts and bounds.
 * @param {Linear} linear @param {readonly Cut[]} cuts @param {readonly Fix[]} fixings @param {readonly Fraction[]} values
 */
export function isFeasible(linear, cuts, fixings, values) {
  const bounds = boundsAt(linear, fixings);
  const isWithin = (/** @type {Fraction} */ value, /** @type {number} */ low, /** @type {number} */ high) =>
    (low === -Infinity || value.compare(decimal(low)) >= 0) && (high === Infinity || value.compare(decimal(high)) <= 0);
  return bounds !== null && values.every((value, column) => isWithin(value, bounds.low[column], bounds.high[column])) &&
    rowsWith(linear, cuts).every((row) => isWithin(leftSide(row, values), row.low, row.high));
}

/** @typedef {{row: number, multiplier: Fraction, side: number}} Used a row or cut, its multiplier and the side of it that counts */
/** @typedef {{column: number, rest: Fraction, side: number}} Capped a column, what the rows leave of its cost, and the bound that it takes */
/** @typedef {{bound: Fraction, used: Used[], capped: Capped[]}} Proof no solution is worth more than `bound` */

/**
 * What multipliers of the rows prove: the sum of multipliers times right sides, and of what is left of each
 * cost times the column's bound, is an upper bound on the objective of every solution. Without costs, one below 0
 * proves that there is no solution.
 * @param {Linear} linear @param {readonly Cut[]} cuts @param {readonly Fix[]} fixings @param {readonly Fraction[]} duals @param {boolean} [hasCosts]
 * @returns {Proof | null} null where they prove nothing
 */
export function provedBound(linear, cuts, fixings, duals, hasCosts = true) {
  const bounds = boundsAt(linear, fixings);
  if (!bounds) return null;
  const rest = linear.cost.map((cost) => (hasCosts ? decimal(cost) : ZERO));
  /** @type {Used[]} */
  const used = [];
  rowsWith(linear, cuts).forEach((row, number) => {
    const multiplier = duals[number] ?? ZERO;
    const side = multiplier.sign > 0 ? row.high : row.low;
    // A multiplier with the wrong sign, as rounding leaves it, is none.
    if (!multiplier.sign || !Number.isFinite(side)) return;
    used.push({ row: number, multiplier, side });
    row.index.forEach((column, k) => (rest[column] = rest[column].minus(multiplier.times(decimal(row.value[k])))));
  });
  /** @type {Capped[]} */
  const capped = rest.flatMap((one, column) => (one.sign ? [{ column, rest: one, side: one.sign > 0 ? bounds.high[column] : bounds.low[column] }] : []));
  if (capped.some(({ side }) => !Number.isFinite(side))) return null;
  const bound = sum([
    ...used.map(({ multiplier, side }) => multiplier.times(decimal(side))), ...capped.map(({ rest: one, side }) => one.times(decimal(side))),
  ]);
  return { bound, used, capped: capped.filter(({ side }) => side) };
}

/** A proof from floating-point multipliers, by the sign that proves more: solvers differ in it. @param {Linear} linear @param {readonly Cut[]} cuts @param {readonly Fix[]} fixings @param {readonly number[]} duals @param {boolean} [hasCosts] */
export function proofOf(linear, cuts, fixings, duals, hasCosts = true) {
  const plain = duals.map(fractionOf);
  const proofs = [plain, plain.map((one) => ZERO.minus(one))].map((one) => provedBound(linear, cuts, fixings, one, hasCosts));
  return proofs.reduce((best, one) => (best && (!one || one.bound.compare(best.bound) >= 0) ? best : one));
}
