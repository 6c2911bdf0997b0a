/** The page's parts that need no browser. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { BUNDLED, bundled } from "../src/documents/collection.js";
import { readPlaced, written } from "../src/documents/placed.js";
import { Tree } from "../src/lab/tree.js";
import { addressOf, gameOfDate, readAddress } from "../src/play/address.js";
import { Game, middleOf } from "../src/play/game.js";
import { Storage } from "../src/play/storage.js";
import { dateOf, iso, labelsOfDate, parseDate, realDates, weekdayOf } from "../src/problem/dates.js";
import { InputError, shown } from "../src/problem/errors.js";
import { LATTICES, keyOf, normalised } from "../src/problem/lattice.js";
import { Search, searchOf } from "../src/search/search.js";
import { analysed } from "../src/search/position.js";
import { BoardView } from "../src/view/board.js";
import { outline } from "../src/view/outline.js";

const DAY = { year: 2024, month: 2, day: 29 };

const finished = (steps) => {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
};

for (const lattice of Object.values(LATTICES)) {
  test(`turning a shape all round gives it back: ${lattice.name}`, () => {
    const shape = [[0, 0], [0, 1], [0, 2], [1, 0]];
    let turned = shape;
    for (let k = 0; k < lattice.order; k += 1) turned = lattice.turned(turned);
    assert.deepEqual(turned, shape);
    assert.deepEqual(lattice.mirrored(lattice.mirrored(shape)), shape);
    for (const way of lattice.orientations(shape, true)) {
      assert.ok(lattice.isConnected(way));
      assert.deepEqual(normalised(way), way);
    }
  });

  test(`touching cells share a side of length that all sides have: ${lattice.name}`, () => {
    for (const other of lattice.neighbours([3, 4])) {
      const [x, y] = lattice.centre([3, 4]);
      const [ox, oy] = lattice.centre(other);
      assert.ok(Math.abs(Math.hypot(ox - x, oy - y) - 1) < 1e-9);
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

test("what nobody would see is written as Python writes it", () => {
  assert.equal(shown("a\u202eb\u001b\n"), "a\\u202eb\\x1b\\n");
  assert.equal(shown("x".repeat(80)), `${"x".repeat(60)}...`);
});

test("an address is read as it was written", () => {
  for (const [id] of BUNDLED) {
    const { game, date } = gameOfDate({ id }, DAY);
    const known = finished(analysed(game.cover, []));
    const placed = game.placementsOf(known.solution);
    game.move(placed.slice(0, 3));
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
  placed.forEach((_, k) => game.move(placed.slice(0, k + 1)));
  assert.ok(game.solved);
  for (let k = placed.length; k > 0; k -= 1) {
    assert.equal(game.placed.length, k);
    assert.ok(game.step(-1));
  }
  assert.ok(!game.step(-1));
  assert.ok(game.step(1));
  game.move([]);
  assert.ok(!game.step(1));
});

test("a piece in hand is laid where it fits, and only there", () => {
  const game = new Game({ id: "hex43-v1" }, labelsOfDate(bundled("hex43-v1").groups, DAY));
  const [piece] = game.puzzle.pieces;
  game.take(piece.name);
  for (const cell of game.puzzle.board.cells) {
    const placement = game.over(cell);
    const fits = placement.cells.every((one) => game.instance.open.has(keyOf(one)));
    assert.equal(game.fits(placement), fits);
  }
  const cell = game.nearestFit(game.lattice.centre([4, 4]), 2);
  assert.ok(game.lay(cell));
  assert.equal(game.hand, null);
  game.lift(game.placed[0], game.placed[0].cells[1]);
  assert.equal(game.placed.length, 0);
  game.drop();
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

test("a tree: both children, a proof below the bound, nothing open in the end", () => {
  const tree = new Tree(10);
  tree.settle(tree.root, 10, [0.5, 0.5, 0, 1]);
  assert.equal(tree.root.state, "fractional");
  assert.deepEqual(tree.fractional(tree.root).map(({ column }) => column), [0, 1]);
  const one = tree.branch(tree.root, 1, 1);
  assert.equal(tree.open.length, 2);
  assert.equal(tree.branch(tree.root, 0, 1), null);
  tree.settle(one, 9.5, [0, 1, 0, 0.5]);
  assert.equal(one.state, "infeasible");
  assert.deepEqual(tree.fixings(one), [[1, 1]]);
  const zero = tree.branch(tree.root, 1, 0);
  tree.settle(zero, 10, [1, 0, 0, 1]);
  assert.equal(zero.state, "integral");
  assert.equal(tree.open.length, 0);
  assert.equal(tree.solved, 3);
  const { places, width } = tree.layout();
  assert.equal(places.size, 3);
  assert.equal(width, 2);
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
  for (const [id] of BUNDLED) {
    const puzzle = bundled(id);
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
