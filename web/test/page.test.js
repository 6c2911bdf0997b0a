/** The page's parts that need no browser. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { BUNDLED, bundled } from "../src/documents/collection.js";
import { openPuzzle } from "../src/documents/source.js";
import { readPlaced, written } from "../src/documents/placed.js";
import { addressOf, gameOfDate, readAddress } from "../src/play/address.js";
import { Game } from "../src/play/game.js";
import { middleOf } from "../src/play/moves.js";
import { Storage } from "../src/play/storage.js";
import { dateOf, iso, labelsOfDate, parseDate, realDates, weekdayOf } from "../src/problem/dates.js";
import { ExactCover } from "../src/problem/cover.js";
import { Instance } from "../src/problem/instance.js";
import { InputError, shown } from "../src/problem/errors.js";
import { LATTICES, keyOf } from "../src/problem/lattice.js";
import { Search, searchOf } from "../src/search/search.js";
import { analysed, curveOf } from "../src/search/position.js";
import { BoardView } from "../src/view/board.js";
import { outline } from "../src/view/outline.js";
import { shareText, solvedIn, streak, untilOne, wordsOfSolved, wordsOfTime } from "../src/play/record.js";
import { deadRegion, hardCorner } from "../src/search/region.js";
import { hintsFor } from "../src/play/help.js";
import { wordsOfCells, wordsOfPosition, wordsOfShape } from "../src/play/words.js";

const DAY = { year: 2024, month: 2, day: 29 };

const finished = (steps) => {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
};

for (const lattice of Object.values(LATTICES)) {
  test(`turning a shape all round gives it back: ${lattice.name}`, () => {
    const shape = [[0, 0], [0, 1], [0, 2], lattice.neighbours([0, 0]).at(-1)];
    let turned = shape;
    for (let k = 0; k < lattice.order; k += 1) turned = lattice.turned(turned);
    assert.deepEqual(turned, shape);
    assert.deepEqual(lattice.mirrored(lattice.mirrored(shape)), shape);
    for (const way of lattice.orientations(shape, true)) {
      assert.ok(lattice.isConnected(way));
      assert.deepEqual(lattice.normalised(way), way);
    }
  });

  test(`a piece in hand is laid where its cells have their kinds: ${lattice.name}`, () => {
    const grid = Array.from({ length: 5 }, () => `- "${"* ".repeat(8).trim()}"`).join("\n");
    const more = [..."ABCDEFGHIJKLM"].map((name) => `${name}: ["###"],`).join(" ");
    const yaml = `lattice: ${lattice.name}\ngrid:\n${grid}\npieces: {${more} one: ["#"]}\n`;
    const game = new Game({ yaml, file: "it.yaml" }, []);
    const suiting = new Set(game.cover.options.filter(({ piece }) => piece === "A").map(({ cells }) => cells.join()));
    game.act({ do: "take", piece: "A" });
    for (let k = 0; k < 2 * lattice.order; k += 1) {
      if (k === lattice.order) game.act({ do: "over" });
      else game.act({ do: "turn" });
      for (const cell of game.puzzle.board.cells) {
        const { cells } = game.over(cell);
        assert.equal(game.fits({ piece: "A", cells }), suiting.has(cells.join()));
        // Over a cell of the kind by which it is held it is there, else beside it.
        assert.ok(cells.some((one) => keyOf(one) === keyOf(cell)) || !game.suits(cell));
        if (!suiting.has(cells.join())) continue;
        const held = game.lattice.centre(cell);
        if (game.suits(cell)) assert.deepEqual(game.nearestFit(held, 0.9), cell);
      }
    }
    const [, at] = [...game.puzzle.board.cells].filter((cell) => game.suits(cell) && game.fits(game.over(cell)));
    assert.ok(game.act({ do: "lay", at: at }));
    game.act({ do: "lift", cell: game.placed[0].cells[1] });
    assert.deepEqual(game.over(game.hand.at).cells, game.history[1][0].cells);
  });

  test(`the point of a pointer is in the cell that it is in: ${lattice.name}`, () => {
    const cells = Array.from({ length: 24 }, (_, k) => [Math.floor(k / 6), k % 6]);
    const at = (point) => BoardView.prototype.cellAt.call({ puzzle: { board: { cells } }, lattice }, point);
    for (const cell of cells) {
      const [x, y] = lattice.centre(cell);
      for (const [cx, cy] of lattice.corners(cell)) {
        assert.equal(at([x + 0.98 * (cx - x), y + 0.98 * (cy - y)]), cell);
      }
    }
    assert.equal(at([-3, -3]), null);
  });

  test(`touching cells share a side of length that all sides have: ${lattice.name}`, () => {
    for (const other of lattice.neighbours([3, 4])) {
      const [x, y] = lattice.centre([3, 4]);
      const [ox, oy] = lattice.centre(other);
      assert.ok(Math.abs(Math.hypot(ox - x, oy - y) - 1) < (lattice.name === "cairo" ? 0.05 : 1e-9));
      const corners = new Set(lattice.corners([3, 4]).map((c) => c.map((v) => v.toFixed(6)).join()));
      const shared = lattice.corners(other).filter((c) => corners.has(c.map((v) => v.toFixed(6)).join()));
      assert.equal(shared.length, 2);
    }
  });

  test(`an outline encloses as much as its cells: ${lattice.name}`, () => {
    const areaOf = (loops) => loops.reduce((sum, loop) => sum + loop.reduce((part, [x, y], k) => {
      const [nx, ny] = loop[(k + 1) % loop.length];
      return part + (x * ny - nx * y) / 2;
    }, 0), 0);
    const one = areaOf(outline(lattice, [[0, 0]]));
    // A ring has a hole; two cells that touch in a corner have two outlines.
    const ring = [[0, 0], [0, 1], [0, 2], [1, 0], [1, 2], [2, 0], [2, 1], [2, 2]];
    assert.ok(Math.abs(areaOf(outline(lattice, ring)) - 8 * one) < 1e-9);
    assert.equal(outline(lattice, ring).length, 2);
  });
}

test("the middle of a piece is one of its cells", () => {
  for (const [id] of BUNDLED) {
    for (const piece of bundled(id).pieces) {
      assert.ok(piece.cells.includes(middleOf(piece.lattice, piece.cells)));
    }
  }
});

test("weekdays, dates and what is no date", () => {
  assert.equal(weekdayOf({ year: 2024, month: 2, day: 29 }), 4);
  assert.equal(weekdayOf({ year: 1, month: 1, day: 1 }), 1);
  for (const text of ["2023-02-29", "2024-13-01", "24-1-1", "tomorrow", "0000-01-01"]) {
    assert.throws(() => parseDate(text), InputError);
  }
  const { groups } = bundled("praxis-rhombus");
  for (const { labels, numbers } of realDates(groups)) {
    const date = dateOf(numbers, DAY);
    assert.ok(date);
    assert.deepEqual(labelsOfDate(groups, date), labels);
  }
  assert.equal(realDates(groups).length, 2562);
});

test("a day in two digits", () => {
  const digits = [..."0123456789"];
  const groups = new Map([["month", ["Jan", "Feb"]], ["tens", ["00", "10", "20", "30"]], ["ones", digits]]);
  const found = realDates(groups);
  assert.equal(found.length, 60);
  for (const { labels, numbers } of found) {
    const date = dateOf(numbers, { year: 2028, month: 1, day: 1 });
    assert.ok(date);
    assert.deepEqual(labelsOfDate(groups, date), labels);
  }
  assert.deepEqual(found[0].labels, { month: "Jan", tens: "00", ones: "1" });
  assert.throws(() => realDates(new Map([["tens", ["0", "1"]]])), /no label in the groups tens;/);
  assert.throws(() => realDates(new Map([["tens", ["t0", "00"]], ["ones", digits]])), /stand for 0/);
});

test("what nobody would see is written as Python writes it", () => {
  assert.equal(shown("a\u202eb\u001b\n"), "a\\u202eb\\x1b\\n");
  assert.equal(shown("x".repeat(80)), `${"x".repeat(60)}...`);
});

test("an address is read as it was written", () => {
  for (const [id] of BUNDLED) {
    const { game, date } = gameOfDate({ id }, DAY);
    const known = finished(analysed(game.cover, []));
    const placed = game.placementsOf(known.solution);
    game.act({ do: "place", placed: placed.slice(0, 3) });
    const address = addressOf(game, date, { view: "lab", solution: placed });
    const opened = readAddress(address);
    assert.deepEqual(opened.complaints, []);
    assert.equal(opened.view, "lab");
    assert.equal(iso(opened.date), iso(DAY));
    assert.deepEqual(opened.game.placed, game.placed);
    assert.deepEqual(opened.game.labels, game.labels);
    assert.deepEqual(new Set(opened.solution.map((one) => one.piece)), new Set(placed.map((one) => one.piece)));
    for (const one of placed) {
      assert.deepEqual(readPlaced(game.instance, written(game.instance, one)), [one]);
    }
  }
});

test("any address gives a game, and says what it could not read", () => {
  for (const hash of ["", "#", "#&&&", "#puzzle=x", "#date=", "#placed=%%%", "#yaml=%00", "#view=constructor",
    "#puzzle=__proto__", "#puzzle=toString", "#flip=maybe", "#reveal=Feb", "#solution=U:1", "#=#=#"]) {
    const opened = readAddress(hash);
    assert.ok(opened.game.instance.toCover.length);
    for (const complaint of opened.complaints) assert.equal(typeof complaint, "string");
  }
});

test("moves are undone and done again", () => {
  const game = new Game({ id: "a-puzzle-a-day" }, { month: "Feb", day: "29" });
  const placed = game.placementsOf(finished(analysed(game.cover, [])).solution);
  placed.forEach((_, k) => game.act({ do: "place", placed: placed.slice(0, k + 1) }));
  assert.ok(game.solved);
  for (let k = placed.length; k > 0; k -= 1) {
    assert.equal(game.placed.length, k);
    assert.ok(game.act({ do: "step", step: -1 }));
  }
  assert.ok(!game.act({ do: "step", step: -1 }));
  assert.ok(game.act({ do: "step", step: 1 }));
  game.act({ do: "place", placed: [] });
  assert.ok(!game.act({ do: "step", step: 1 }));
});

test("a piece in hand is laid where it fits, and only there", () => {
  const game = new Game({ id: "hex43-v1" }, labelsOfDate(bundled("hex43-v1").groups, DAY));
  const [piece] = game.puzzle.pieces;
  game.act({ do: "take", piece: piece.name });
  for (const cell of game.puzzle.board.cells) {
    const placement = game.over(cell);
    const fits = placement.cells.every((one) => game.instance.open.has(keyOf(one)));
    assert.equal(game.fits(placement), fits);
  }
  const cell = game.nearestFit(game.lattice.centre([4, 4]), 2);
  assert.ok(game.act({ do: "lay", at: cell }));
  assert.equal(game.hand, null);
  game.act({ do: "lift", cell: game.placed[0].cells[1] });
  assert.equal(game.placed.length, 0);
  game.act({ do: "drop" });
  assert.equal(game.placed.length, 1);
});

test("a search that is cut into slices finds what a whole one finds", () => {
  const game = new Game({ id: "heart-set1" }, labelsOfDate(bundled("heart-set1").groups, DAY));
  const all = (nodes) => {
    const search = new Search(game.cover);
    const found = [];
    while (!search.complete) search.run(nodes, (chosen, depth) => void found.push([...chosen.subarray(0, depth)].join()));
    return found;
  };
  const whole = all(1e9);
  assert.equal(whole.length, 193);
  assert.deepEqual(all(37), whole);
  assert.equal(new Set(whole).size, whole.length);
  for (const options of whole) assert.ok(game.isTiling(game.placementsOf(options.split(",").map(Number))));
});

test("the compiled search finds what the one in JavaScript finds, in slices and at once", () => {
  for (const [id] of BUNDLED.filter(([name]) => !/^(kao|sahuyu|hex61|shiura-daily-1|weekday)/.test(name))) {
    const game = gameOfDate({ id }, DAY).game;
    const first = finished(analysed(game.cover, [])).solution;
    for (const laid of [[], first.slice(0, 2), first.slice(0, -1), first, [0, 0], [first[0], first[0] + 1]]) {
      const [compiled, sliced, plain] = [searchOf(game.cover, laid), searchOf(game.cover, laid), new Search(game.cover, { laid })]
        .map((search, k) => {
          const found = new Set();
          while (!search.complete) {
            search.run(k === 1 ? 100 : 1e9, (chosen, depth) =>
              void found.add([...laid, ...chosen.subarray(0, depth)].sort((a, b) => a - b).join()));
          }
          return [...found].sort();
        });
      assert.deepEqual(compiled, plain, `${id} ${laid}`);
      assert.deepEqual(sliced, plain);
    }
  }
});

test("a search that is stopped at a tiling goes on with the next", () => {
  const { game } = gameOfDate({ id: "heart-set1" }, DAY);
  for (const search of [searchOf(game.cover), new Search(game.cover)]) {
    const found = new Set();
    for (let turn = 0; turn < 1000 && !search.complete; turn += 1) {
      search.run(1e9, (chosen, depth) => Boolean(found.add([...chosen.subarray(0, depth)].sort().join())));
    }
    assert.equal(found.size, 193);
  }
});

test("pieces that lie on the same cell have no tiling", () => {
  for (const [rows, columns] of [[2, 3], [6, 12]]) {
    const grid = JSON.stringify(Array(rows).fill("* ".repeat(columns).trim()));
    const pieces = Array.from({ length: rows * columns / 2 }, (_, k) => `p${k}: ${k % 2 ? "['##']" : "['#', '#']"}`);
    const game = new Game({ yaml: `grid: ${grid}\npieces: {${pieces.join(", ")}}\n`, file: "own.yaml" }, {});
    const { options } = game.cover;
    // Dominoes are one kind: no counter refuses two of them, only the last cell that they share.
    const first = options.length - 1;
    const cell = options[first].cells.at(-1);
    const other = options.findIndex(({ cells }, k) => k !== first && cells.some((one) => keyOf(one) === keyOf(cell)));
    for (const search of [searchOf(game.cover, [first, other]), new Search(game.cover, { laid: [first, other] })]) {
      let found = 0;
      search.run(1e4, () => { found += 1; return true; });
      assert.deepEqual([found, search.complete], [0, true]);
    }
  }
});

test("labels of two sizes may stay free if the pieces cover the rest for one of them", () => {
  const yaml = "grid: ['1 1 2 *', '* * * *']\ngroups: {one: ['1', '2']}\n";
  const puzzle = (pieces) => openPuzzle({ yaml: `${yaml}pieces: {${pieces}}\n`, file: "own.yaml" });
  for (const pieces of ["I: ['####'], J: ['##']", "I: ['####'], J: ['###']"]) {
    assert.deepEqual(new Instance(puzzle(pieces), [], ["one"]).toCover.length, 8);
  }
  assert.throws(() => new Instance(puzzle("I: ['####'], J: ['####']"), [], ["one"]), /8 cells/);
});

test("boards of more than 64 cells are searched as well", () => {
  const rows = Array(5).fill("* * * * * * * * * * * * *");
  const yaml = `grid: ${JSON.stringify(rows)}\npieces: [${Array(13).fill("I").join(", ")}]\n`;
  const game = new Game({ yaml, file: "own.yaml" }, {});
  const search = new Search(game.cover);
  let found = 0;
  while (!found && !search.complete) search.run(1e5, () => (found += 1) > 0);
  assert.equal(search.words, 3);
  assert.equal(found, 1);
});

test("a storage that is forbidden keeps things in memory and says so once", () => {
  const said = [];
  const storage = new Storage((message) => said.push(message));
  assert.ok(storage.collect("k", "1.2"));
  assert.ok(!storage.collect("k", "1.2"));
  assert.ok(storage.collect("k", "1.3"));
  assert.deepEqual(storage.found("k"), new Set(["1.2", "1.3"]));
  assert.equal(said.length, 1);
});

test("the arrow keys lead to every cell of every board, and straight up and down", () => {
  const arrows = [[1, 0], [-1, 0], [0, 1], [0, -1]];
  const boards = BUNDLED.map(([id]) => [id, bundled(id)]);
  const grid = Array.from({ length: 6 }, () => `- "${"* ".repeat(9).trim()}"`).join("\n");
  for (const name of Object.keys(LATTICES)) {
    boards.push([name, openPuzzle({ yaml: `lattice: ${name}\ngrid:\n${grid}\npieces: {A: ["##"]}\n`, file: "it.yaml" })]);
  }
  for (const [id, puzzle] of boards) {
    const { lattice, cells } = puzzle.board;
    const step = (from, arrow) => BoardView.prototype.step.call({ puzzle, lattice }, from, arrow);
    const reached = new Map([[cells[0].join(), cells[0]]]);
    for (const cell of reached.values()) {
      for (const arrow of arrows) {
        const to = step(cell, arrow);
        reached.set(to.join(), to);
      }
    }
    assert.equal(reached.size, cells.length, id);
    for (const cell of cells) {
      const touching = new Set(lattice.neighbours(cell).map((other) => other.join()));
      const up = step(cell, [0, -1]);
      if (cells.some((other) => touching.has(other.join()) && other[0] < cell[0])) {
        assert.ok(touching.has(up.join()), `${id}: up from ${cell} leads to a cell that touches it`);
      }
    }
  }
});

test("a shape is told in words: its open side, or its rows", () => {
  const { square, hexagonal, triangular } = LATTICES;
  const u = [[0, 0], [0, 2], [1, 0], [1, 1], [1, 2]];
  const told = [];
  for (let cells = u, k = 0; k < 4; k += 1, cells = square.turned(cells)) told.push(wordsOfShape(square, cells));
  assert.deepEqual(told, ["open at the top", "open to the right", "open at the bottom", "open to the left"]);
  assert.equal(wordsOfShape(square, [[0, 0], [0, 1], [1, 0], [1, 1]]), "2 wide and 2 high");
  assert.equal(wordsOfShape(square, [[0, 0], [0, 1], [1, 1], [1, 2]]), "3 wide and 2 high, rows of 2 and 2");
  assert.equal(wordsOfShape(hexagonal, [[0, 0], [0, 1], [0, 2]]), "3 in a row");
  assert.equal(wordsOfShape(triangular, [[0, 0], [0, 1], [0, 2]]), "3 in a row, the first one points up");
  assert.equal(wordsOfShape(triangular, [[0, 1], [0, 2], [0, 3]]), "3 in a row, the first one points down");
});

test("a streak is of consecutive days on which the day's puzzle was solved", () => {
  const on = (day, of = day) => solvedIn({ on: day, of });
  const now = { year: 2026, month: 3, day: 1 };
  assert.deepEqual(streak([], now), { now: 0, best: 0 });
  const days = ["2026-02-26", "2026-02-27", "2026-02-28"].map((day) => on(day));
  assert.deepEqual(streak(days, now), { now: 3, best: 3 }, "today is not over yet");
  assert.deepEqual(streak([...days, on("2026-03-01"), on("2026-03-01")], now), { now: 4, best: 4 });
  assert.deepEqual(streak([...days, on("2026-03-01", "2026-02-14")], now), { now: 3, best: 3 }, "another day's puzzle");
  assert.deepEqual(streak(days, { year: 2026, month: 3, day: 2 }), { now: 0, best: 3 });
  assert.deepEqual(streak([on("2024-02-28"), on("2024-02-29"), on("2024-03-01"), on("2024-03-03")], now), { now: 0, best: 3 });
});

test("what is shared tells how, and no piece or place", () => {
  const solved = solvedIn({ seconds: 192, on: "2026-11-22", of: "2026-11-22", total: 40, curve: [40, 5, 2, 1, 1, 1, 1, 1, 1] });
  assert.equal(wordsOfSolved(solved, 326), "Day 326, solved in 3 min 12 s, no hint, one of 40");
  assert.deepEqual(untilOne(solved.curve), [40, 5, 2, 1]);
  assert.equal(shareText("A-Puzzle-A-Day, Nov 22", solved, 326, ""),
    "calmip: A-Puzzle-A-Day, Nov 22\nDay 326, solved in 3 min 12 s, no hint, one of 40\nSolutions left: 40-5-2-1");
  assert.deepEqual([0, 59, 60, 3725].map(wordsOfTime), ["0 s", "59 s", "1 min 0 s", "1 h 2 min"]);
  for (const odd of [{}, { seconds: -1, hints: "x", curve: [1, "<b>"], on: "<b>", of: 7, assist: "<b>" }]) {
    const read = solvedIn(odd);
    assert.deepEqual([read.seconds, read.hints, read.curve, read.on, read.of, read.assist], [0, 0, [], "", "", "off"]);
  }
});

test("the curve of a solution counts the tilings after each piece", () => {
  const game = new Game({ id: "a-puzzle-a-day" }, { month: "Feb", day: "29" });
  const { solution } = finished(analysed(game.cover, []));
  const curve = finished(curveOf(game.cover, solution));
  assert.deepEqual(curve, [0, 1, 2, 3, 4, 5, 6, 7, 8].map((k) => finished(analysed(game.cover, solution.slice(0, k))).tilings));
  assert.equal(curve[0], 64);
  assert.deepEqual(finished(curveOf(game.cover, solution, -1)), [], "given up: nothing is told");
});

test("a region is called dead only where no choice of pieces covers it", () => {
  const yaml = "grid: ['1 2 3 4 5', '6 7 8 9 10']\ngroups: {one: ['10']}\npieces: {I: ['##'], J: ['##'], L: ['##', '#.'], M: ['##']}\n";
  const game = new Game({ yaml, file: "own.yaml" }, { one: "10" });
  const place = (text) => game.act({ do: "place", placed: readPlaced(game.instance, text) });
  assert.equal(deadRegion(game), null, "one region is the whole rest");
  // 1 is cut off: a single cell, and no piece is that small.
  place("I:2+3 J:6+7");
  assert.deepEqual(deadRegion(game), [[0, 0]]);
  const known = finished(analysed(game.cover, game.laid));
  assert.deepEqual(hintsFor(game, known).map(({ cells, remedy }) => [cells?.length ?? 0, remedy ?? false]), [[0, false], [1, false], [0, false], [0, true]]);
  assert.equal(hintsFor(game, known)[2].text, "One of your pieces is wrong.");
  const several = { ...known, takeOff: [[0, 1]] };
  assert.equal(hintsFor(game, several)[2].text, "More than one of your pieces is wrong.");
  // Two regions that can be covered, each alone.
  place("I:3+8");
  assert.equal(deadRegion(game), null);
});

test("the hard corner is where the fewest placements fit, and what a dropped piece meets is named", () => {
  const yaml = "grid: ['1 2 3 4', '5 6 7 8']\ngroups: {one: ['8']}\npieces: {I: ['##'], J: ['###'], L: ['##']}\n";
  const game = new Game({ yaml, file: "own.yaml" }, { one: "8" });
  // Of every open cell how many placements cover it, by brute force.
  const ways = (cell) => game.cover.options.filter(({ cells }) => cells.some((one) => keyOf(one) === keyOf(cell))).length;
  const least = Math.min(...game.instance.toCover.map(ways));
  const hardest = game.instance.toCover.filter((cell) => ways(cell) === least);
  const corner = hardCorner(game, []);
  assert.ok(corner.some((cell) => hardest.some((one) => keyOf(one) === keyOf(cell))));
  assert.ok(corner.length > 1 && corner.length < 7);
  const other = hardest[hardest.length - 1];
  assert.ok(hardCorner(game, [other]).some((cell) => keyOf(cell) === keyOf(other)), "of equal ones the preferred");
  game.act({ do: "place", placed: readPlaced(game.instance, "J:1+2+3") });
  assert.ok(hardCorner(game, []).every((cell) => !game.at(cell)), "what is covered is not hard");
  assert.deepEqual(game.obstacles({ piece: "I", cells: [[0, 2], [0, 3]] }), { pieces: ["J"], labels: [] });
  assert.deepEqual(game.obstacles({ piece: "I", cells: [[0, 3], [1, 3]] }), { pieces: [], labels: ["8"] });
  assert.deepEqual(game.obstacles({ piece: "I", cells: [[1, 3], [1, 4]] }), { pieces: [], labels: [] });
  game.act({ do: "place", placed: readPlaced(game.instance, "J:2+3+4 I:6+7") });
  assert.deepEqual(hardCorner(game, []), [], "all that is open is no corner");
});

test("a region that a search cannot decide in its time is not called dead", () => {
  // Dominoes cover no three cells, which a search sees once it has tried one.
  const yaml = "grid: ['* * * . * *', '. . . . * .']\npieces: {I: ['##'], J: ['##'], K: ['##']}\n";
  const game = new Game({ yaml, file: "own.yaml" }, {});
  assert.deepEqual(deadRegion(game), [[0, 0], [0, 1], [0, 2]]);
  assert.equal(deadRegion(game, 0), null);
});

test("a piece in hand is turned only as its rules allow", () => {
  const yaml = "grid: |\n  * * * *\n  * * * *\npieces:\n  A: {shape: L4, flip: false}\n  B: {shape: L4, rotate: false}\n";
  const game = new Game({ yaml, file: "own.yaml" }, {});
  assert.deepEqual(game.mayTurn, { turn: false, over: false });
  for (const [piece, turn, over] of /** @type {[string, boolean, boolean][]} */ ([["A", true, false], ["B", false, false]])) {
    game.act({ do: "take", piece: piece });
    const begin = JSON.stringify(game.hand?.cells);
    assert.deepEqual(game.mayTurn, { turn, over });
    game.act({ do: "over" });
    assert.equal(JSON.stringify(game.hand?.cells), begin);
    game.act({ do: "turn" });
    assert.equal(JSON.stringify(game.hand?.cells) !== begin, turn);
  }
});

test("a history is saved and added elsewhere, and what is no history is refused", () => {
  const [one, other] = [new Storage(() => {}), new Storage(() => {})];
  one.collect("k|Feb|29", "1.2.3");
  one.solved("k|Feb|29", solvedIn({ seconds: 7, on: "2024-02-29" }));
  one.write("position.k", "#x");
  const text = one.exported();
  assert.ok(!text.includes("position"));
  assert.equal(other.imported(text), 2);
  assert.equal(other.imported(text), 0, "a second time nothing is new");
  assert.equal(other.record("k|Feb|29").seconds, 7);
  other.solved("k|Feb|29", solvedIn({ seconds: 1 }));
  assert.equal(other.record("k|Feb|29").seconds, 7, "the first one stays");
  for (const odd of ["", "{}", "[]", "null", '{"calmip":"history","entries":{"assist":"full"}}', '{"calmip":"history","entries":{"found.k":3}}']) {
    assert.throws(() => other.imported(odd), InputError, odd);
  }
});

test("the board as a list names every piece and every cell to cover once", () => {
  for (const [id] of BUNDLED) {
    const { game } = gameOfDate({ id }, null);
    const { board, pieces } = game.puzzle;
    const [option] = game.cover.options;
    const all = game.instance.toCover.map((cell) => wordsOfCells(board, [cell]));
    assert.equal(new Set(all).size, all.length, `${id}: no two cells have one name`);
    for (const placed of [[], game.placementsOf([game.cover.numberOf(option.piece, option.cells)])]) {
      game.act({ do: "place", placed: placed });
      const [first, ...lines] = wordsOfPosition(game);
      assert.equal(first, `Uncovered: ${game.instance.labels.join("; ")}`);
      const named = lines.flatMap((line) => (/(?:, on |^Still to cover: )(.*)/.exec(line)?.[1] ?? "").split("; ").filter(Boolean));
      assert.deepEqual(named.sort(), [...all].sort(), id);
      for (const { name } of pieces) assert.equal(lines.filter((line) => line.startsWith(`Piece ${name}, `)).length, 1, id);
    }
    game.act({ do: "take", piece: game.left[0].name });
    assert.equal(wordsOfPosition(game).filter((line) => line.endsWith(", in hand")).length, 1);
  }
});

test("the columns that may still be chosen are those of the model in which the pieces are fixed", () => {
  for (const id of ["a-puzzle-a-day", "heart-set1", "hex43-v1", "shiura-daily-9p"]) {
    const { game } = gameOfDate({ id }, DAY);
    const { cover } = game;
    for (let seed = 1; seed < 6; seed += 1) {
      const laid = [];
      for (let turn = 0; turn < 4; turn += 1) {
        const { sums, isOpen } = cover.after(laid);
        const placed = game.placementsOf(laid);
        const left = new ExactCover(game.instance.withPlaced(placed)).options.map(({ name }) => name);
        assert.deepEqual(cover.options.flatMap(({ name }, k) => (isOpen[k] || laid.includes(k) ? [name] : [])), left);
        const covered = placed.reduce((sum, { cells }) => sum + cells.length + 1, 0);
        assert.equal(sums.reduce((sum, one) => sum + one, 0), covered);
        const open = isOpen.flatMap((is, k) => (is ? [k] : []));
        if (open.length) laid.push(open[(seed * 7919 * (turn + 1)) % open.length]);
      }
    }
  }
});
