/** The tilings of every date, counted month by month on one cover, with the day left free. */

import { realDates } from "../problem/dates.js";
import { Instance } from "../problem/instance.js";
import { ExactCover } from "../problem/cover.js";
import { searchOf } from "./search.js";

/** @typedef {import("../problem/puzzle.js").Puzzle} Puzzle */
/** @typedef {import("../problem/dates.js").Labels} Labels */
/** @typedef {{labels: Labels, tilings: number}} Entry */
/** @typedef {{entries: Entry[], progress: number}} Year */

const SLICE = 200_000;

/** Whether a puzzle has a year to count: months and days. @param {Puzzle} puzzle */
export const hasYear = (puzzle) => puzzle.groups.has("month") && puzzle.groups.has("day");

/**
 * Count the tilings of every real date; yields the dates that are known so far.
 * @param {Puzzle} puzzle
 * @param {Labels} fixed the labels of the groups other than month and day
 * @returns {Generator<Year, Year>}
 */
export function* countedYear(puzzle, fixed) {
  const months = puzzle.groups.get("month") ?? [];
  const days = puzzle.groups.get("day") ?? [];
  const others = Object.entries(fixed).filter(([group]) => group !== "month" && group !== "day");
  const free = { ...Object.fromEntries(others), month: "free", day: "free" };
  const cover = new ExactCover(Instance.reveal(puzzle, free));
  const labelOf = cover.options.map(({ label }) => label);
  const real = new Set(
    realDates(puzzle.groups)
      .filter(({ labels }) => others.every(([group, label]) => labels[group] === label))
      .map(({ labels }) => `${labels.month} ${labels.day}`));
  /** @type {Year} */
  const year = { entries: [], progress: 0 };
  for (const [number, month] of months.entries()) {
    const wanted = days.filter((day) => real.has(`${month} ${day}`));
    if (!wanted.length) continue;
    const search = searchOf(cover, [labelOf.indexOf(month)]);
    const counts = new Map(wanted.map((day) => [day, 0]));
    while (!search.complete) {
      search.run(SLICE, (chosen, depth) => {
        for (let k = 0; k < depth; k += 1) {
          const label = labelOf[chosen[k]];
          if (label) counts.set(label, (counts.get(label) ?? 0) + 1);
        }
      });
      year.progress = (number + search.progress) / months.length;
      if (!search.complete) yield year;
    }
    year.entries.push(
      ...wanted.map((day) => ({ labels: { ...fixed, month, day }, tilings: counts.get(day) ?? 0 })));
    yield year;
  }
  year.progress = 1;
  return year;
}
