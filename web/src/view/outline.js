/** The outline of a set of cells, as the package draws it: corners only where it bends. */

/** @typedef {import("../problem/lattice.js").Lattice} Lattice */
/** @typedef {import("../problem/lattice.js").Cell} Cell */
/** @typedef {import("../problem/lattice.js").Point} Point */

/** @param {Point} before @param {Point} here @param {Point} after how far a way turns to the right */
const bend = (before, here, after) =>
  (here[0] - before[0]) * (after[1] - here[1]) - (here[1] - before[1]) * (after[0] - here[0]);

/** Corners that cells share have the same numbers in each, but for rounding. @param {Point} point */
const pointKey = ([x, y]) => `${Math.round(x * 1e6)},${Math.round(y * 1e6)}`;

/** The boundary of cells as closed polygons. @param {Lattice} lattice @param {readonly Cell[]} cells @returns {Point[][]} */
export function outline(lattice, cells) {
  if (cells.length === 1) return [lattice.corners(cells[0])];
  const inside = new Set(cells.map((cell) => cell.join()));
  /** @type {Map<string, Point[]>} */
  const leaving = new Map();
  for (const cell of cells) {
    const corners = lattice.corners(cell);
    lattice.neighbours(cell).forEach((other, k) => {
      if (inside.has(other.join())) return;
      const key = pointKey(corners[k]);
      const ways = leaving.get(key) ?? [];
      ways.push(corners[(k + 1) % corners.length]);
      leaving.set(key, ways);
    });
  }
  /** @type {Point[][]} */
  const loops = [];
  for (const cell of cells) {
    for (const corner of lattice.corners(cell)) {
      const first = pointKey(corner);
      for (let ways = leaving.get(first); ways?.length; ) {
        const loop = [corner, /** @type {Point} */ (ways.pop())];
        while (pointKey(loop[loop.length - 1]) !== first) {
          const [before, here] = loop.slice(-2);
          const on = leaving.get(pointKey(here)) ?? [];
          const sharpest = on.reduce((a, b) => (bend(before, here, b) > bend(before, here, a) ? b : a));
          on.splice(on.indexOf(sharpest), 1);
          loop.push(sharpest);
        }
        loop.pop();
        loops.push(loop.filter((here, k) =>
          Math.abs(bend(loop[(k + loop.length - 1) % loop.length], here, loop[(k + 1) % loop.length])) > 1e-9));
      }
    }
  }
  return loops;
}

/** Polygons in the language of the `d` attribute. @param {readonly (readonly Point[])[]} loops */
export const pathOf = (loops) =>
  loops.map((loop) => `M${loop.map((point) => point.map((x) => Number(x.toFixed(3))).join(" ")).join("L")}Z`).join("");

/** The least and greatest x and y of cells. @param {Lattice} lattice @param {readonly Cell[]} cells */
export function bounds(lattice, cells) {
  const corners = cells.flatMap((cell) => lattice.corners(cell));
  const [xs, ys] = [corners.map((one) => one[0]), corners.map((one) => one[1])];
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
}
