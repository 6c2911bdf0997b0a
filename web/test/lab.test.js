/** The lab's parts that need no browser: its solver's states, its tree, its text. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers";
import loadHighs from "highs";
import { cutOf, excludes, sumOf, violatedClique, violatedHole } from "../src/lab/cuts.js";
import { decimal, Fraction, fractionOf, isFeasible, leftSide, proofOf, provedBound, worth, ZERO } from "../src/lab/exact.js";
import { codeOf, codesIn, readGuesses, spreadOf, storedGuesses } from "../src/lab/guesses.js";
import { rowsOf } from "../src/lab/panels.js";
import { Relaxation } from "../src/lab/relaxation.js";
import { choose, nextOpen, ORDERS, pseudoCosts, RULES } from "../src/lab/rules.js";
import { BoardSession, weightOf } from "../src/lab/session.js";
import { smallGame } from "../src/lab/small.js";
import { Solver, Superseded, Thread } from "../src/lab/solver.js";
import { splitAt, Tree } from "../src/lab/tree.js";
import { deadRow } from "../src/lab/why.js";
import { gameOfDate } from "../src/play/address.js";

const DAY = { year: 2024, month: 2, day: 29 };

const soon = (ms = 0) => new Promise((go) => setTimeout(go, ms));

/** Wait for what will be so. @param {() => boolean} isSo */
const until = async (isSo) => {
  while (!isSo()) await soon(1);
};

/** A worker that answers as a table says: after some milliseconds, with an error, or never. */
class Fake {
  constructor(answers) {
    this.answers = answers;
    this.asked = [];
    this.isEnded = false;
  }

  postMessage({ number, ...message }) {
    this.asked.push(message);
    const { after = 0, error, value = message.task, never, crash } = this.answers[message.task] ?? {};
    if (never) return;
    setTimeout(() => {
      if (this.isEnded) return;
      if (crash) this.onerror({ preventDefault() {}, message: "crashed" });
      else this.onmessage({ data: { number, done: true, value, error } });
    }, after);
  }

  terminate() {
    this.isEnded = true;
  }
}

/** A solver whose threads are fake, each as its own table says. @param {object[]} tables */
function solverOf(...tables) {
  const made = [];
  const states = [];
  const solver = new Solver((state) => states.push(state), async () => {
    const worker = new Fake(tables[Math.min(made.length, tables.length - 1)]);
    made.push(worker);
    const thread = new Thread(worker);
    thread.loaded = thread.ask({ task: "load" });
    return thread;
  });
  return { solver, made, states };
}

const model = {};
const work = (task) => (ask) => ask({ task });

test("a run goes through loading and running, and the next has the thread and the model", async () => {
  const { solver, made, states } = solverOf({});
  assert.equal(await solver.run(model, work("relax")), "relax");
  assert.deepEqual(states, ["loading", "running", "idle"]);
  await solver.run(model, work("relax"));
  assert.deepEqual(made[0].asked.map(({ task }) => task), ["load", "model", "relax", "relax"]);
  await solver.run({}, work("relax"));
  assert.deepEqual(made[0].asked.slice(-2).map(({ task }) => task), ["model", "relax"]);
  assert.equal(made.length, 1);
});

test("a later run takes the place of an earlier one, in every state; the stale answer has no effect", async () => {
  for (const wait of [0, 15, 35]) {
    const { solver, made } = solverOf({ load: { after: 10 }, relax: { after: 20 } });
    let effects = 0;
    const first = solver.run(model, async (ask) => {
      await ask({ task: "relax" });
      effects += 1;
    });
    const lost = assert.rejects(first, Superseded);
    await soon(wait === 35 ? 5 : wait);
    assert.equal(await solver.run({}, work("other")), "other");
    await lost;
    assert.equal(effects, 0);
    assert.equal(made.length, 1, "a thread that answers soon is kept");
    assert.equal(solver.state, "idle");
  }
});

test("the thread has the model of the run that counts, at whatever moment that begins", async () => {
  for (let moments = 0; moments < 40; moments += 1) {
    const { solver, made } = solverOf({});
    await solver.run({}, work("relax"));
    const first = assert.rejects(solver.run(model, work("relax")), Superseded);
    for (let k = 0; k < moments; k += 1) await null;
    await solver.run(model, work("relax"));
    await first;
    assert.equal(made[0].asked.findLast(({ task }) => task === "model").model, model, `after ${moments} moments`);
  }
});

test("what does not answer is ended with its thread by the next run", async () => {
  const { solver, made } = solverOf({ solve: { never: true } }, {});
  const first = assert.rejects(solver.run(model, work("solve")), Superseded);
  await until(() => made[0]?.asked.length === 3);
  assert.equal(await solver.run(model, work("relax")), "relax");
  await first;
  assert.deepEqual(made.map(({ isEnded }) => isEnded), [true, false]);
  // The new thread was given the model.
  assert.deepEqual(made[1].asked.map(({ task }) => task), ["load", "model", "relax"]);
});

test("stop ends what loads and what runs at once, and a new run begins anew", async () => {
  for (const table of [{ load: { never: true } }, { solve: { never: true } }]) {
    const { solver, made } = solverOf(table, {});
    const first = assert.rejects(solver.run(model, work("solve")), Superseded);
    await until(() => made[0]?.asked.length === (table.load ? 1 : 3));
    solver.stop();
    assert.equal(solver.state, "idle");
    await first;
    assert.equal(await solver.run(model, work("relax")), "relax");
    assert.deepEqual(made.map(({ isEnded }) => isEnded), [true, false]);
  }
});

test("stop before there is a thread ends it when it comes", async () => {
  const { solver, made } = solverOf({});
  const first = assert.rejects(solver.run(model, work("solve")), Superseded);
  solver.stop();
  await first;
  assert.deepEqual(made.map(({ isEnded }) => isEnded), [true]);
  assert.equal(await solver.run(model, work("relax")), "relax");
});

test("leaving while the thread loads keeps it, and while it works ends it", async () => {
  const { solver, made } = solverOf({ load: { after: 10 }, solve: { never: true } });
  const first = assert.rejects(solver.run(model, work("solve")), Superseded);
  await until(() => made[0]?.asked.length === 1);
  solver.stop(true);
  assert.equal(solver.state, "idle");
  await first;
  assert.equal(await solver.run(model, work("relax")), "relax");
  assert.equal(made.length, 1);
  const second = assert.rejects(solver.run(model, work("solve")), Superseded);
  await until(() => made[0].asked.at(-1).task === "solve");
  solver.stop(true);
  await second;
  assert.ok(made[0].isEnded);
});

for (const fault of [{ crash: true }, { error: "memory access out of bounds" }]) {
  for (const task of ["load", "model", "solve"]) {
    test(`a thread that fails is noticed and replaced: ${task}, ${Object.keys(fault)}`, async () => {
      const { solver, made, states } = solverOf({ [task]: fault }, {});
      await assert.rejects(solver.run(model, work("solve")), /crashed|out of bounds/);
      assert.equal(states.at(-1), "failed");
      assert.ok(made[0].isEnded);
      assert.equal(await solver.run(model, work("relax")), "relax");
      assert.equal(solver.state, "idle");
      assert.equal(made.length, 2);
    });
  }
}

test("a thread that fails between two runs is replaced by the next", async () => {
  const { solver, made } = solverOf({});
  await solver.run(model, work("relax"));
  made[0].onerror({ preventDefault() {}, message: "crashed" });
  assert.equal(solver.state, "idle");
  assert.equal(await solver.run(model, work("relax")), "relax");
  assert.equal(made.length, 2);
});

test("any sequence of runs, stops and crashes leaves a solver that works", async () => {
  let seed = 7;
  const random = (n) => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) % n;
  for (let round = 0; round < 12; round += 1) {
    const table = () => ({ load: { after: random(6) }, relax: { after: random(6), never: random(6) === 0 } });
    const { solver, made } = solverOf(table(), table(), table(), {});
    const runs = [];
    for (let k = 0; k < 8; k += 1) {
      const what = random(5);
      if (what < 3) runs.push(solver.run(random(2) ? model : {}, work("relax")).catch((error) => error));
      else if (what === 3) solver.stop(random(2) === 0);
      else if (made.length && !made.at(-1).isEnded) made.at(-1).onerror({ preventDefault() {}, message: "crashed" });
      await soon(random(8));
    }
    solver.stop();
    assert.equal(await solver.run(model, work("other")), "other");
    assert.equal(solver.state, "idle");
    assert.ok(made.filter(({ isEnded }) => !isEnded).length === 1, "one thread is left");
    for (const one of await Promise.all(runs)) assert.ok(one === "relax" || one instanceof Error);
  }
});

test("a tree with a target: both children, a proof below the bound, nothing open in the end", () => {
  const tree = new Tree(10);
  tree.settle(tree.root, 10, [0.5, 0.5, 0, 1]);
  assert.equal(tree.stateOf(tree.root), "fractional");
  assert.deepEqual(tree.fractional(tree.root).map(({ column }) => column), [0, 1]);
  const one = tree.branchOn(tree.root, 1, 1);
  assert.equal(tree.open.length, 2);
  tree.settle(one, 9.5, [0, 1, 0, 0.5]);
  assert.equal(tree.branchOn(tree.root, 0, 1), undefined, "what was branched stays so");
  assert.equal(tree.stateOf(one), "bound");
  assert.deepEqual(tree.fixings(one), [[1, 1]]);
  const zero = tree.branchOn(tree.root, 1, 0);
  tree.settle(zero, 10, [1, 0, 0, 1]);
  assert.equal(tree.stateOf(zero), "integral");
  assert.equal(tree.open.length, 0);
  assert.equal(tree.solved, 3);
  const { places, width } = tree.layout();
  assert.equal(places.size, 3);
  assert.equal(width, 2);
});

test("a tree without a target: incumbent and best bound move, a bound is rounded down", () => {
  const tree = new Tree();
  assert.equal(tree.bestBound, Infinity);
  tree.settle(tree.root, 20.5, [0.5, 0.5]);
  assert.deepEqual([tree.incumbent, tree.bestBound], [null, 20.5]);
  tree.settle(tree.branchOn(tree.root, 0, 1), 18, [1, 0]);
  assert.deepEqual([tree.incumbent, tree.bestBound], [18, 20.5]);
  const other = tree.branchOn(tree.root, 0, 0);
  tree.settle(other, 18.9, [0.3, 0.7]);
  assert.equal(tree.stateOf(other), "bound");
  assert.deepEqual([tree.open.length, tree.bestBound], [0, 18]);
  tree.undo();
  assert.deepEqual([tree.open.length, tree.bestBound], [1, 20.5]);
  tree.settle(other, null, []);
  assert.equal(tree.stateOf(other), "infeasible");
});

/** What a tree is, to compare. @param {Tree} tree */
const pictureOf = (tree) => JSON.stringify([
  tree.solved, tree.incumbent, tree.bestBound, tree.cuts,
  tree.nodes.map(({ number, bound, fixes, children }) => [number, bound, fixes, children.length]),
  tree.nodes.indexOf(tree.here),
]);

test("undo leads back through all that was done, and redo forth again", () => {
  let seed = 3;
  const random = (n) => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) % n;
  for (let round = 0; round < 30; round += 1) {
    const tree = new Tree(round % 2 ? 10 : undefined);
    const pictures = [pictureOf(tree)];
    for (let k = 0; k < 12; k += 1) {
      const open = tree.open;
      if (!open.length) break;
      let node = open[random(open.length)];
      let cut = null;
      if (node.number >= 0) {
        if (random(4) === 0) cut = { columns: [0, 1], most: 1 };
        else node = tree.branch(node, splitAt(random(4)))[random(2)];
      }
      const values = Array.from({ length: 4 }, () => random(3) / 2);
      tree.settle(node, random(6) ? 12 - k / 2 : null, values, cut);
      pictures.push(pictureOf(tree));
    }
    const last = tree.steps.length;
    for (let k = last - 1; k >= 0; k -= 1) {
      assert.ok(tree.undo());
      // Children without a solution are not what is undone.
      assert.equal(JSON.parse(pictureOf(tree))[0], JSON.parse(pictures[k])[0]);
      assert.deepEqual(JSON.parse(pictureOf(tree)).slice(0, 4), JSON.parse(pictures[k]).slice(0, 4));
    }
    assert.equal(tree.undo(), false);
    assert.equal(tree.nodes.length, 1);
    for (let k = 1; k <= last; k += 1) {
      assert.ok(tree.redo());
      assert.equal(pictureOf(tree), pictures[k]);
    }
    assert.equal(tree.redo(), false);
  }
});

test("a cut takes the bound down and is undone", () => {
  const tree = new Tree();
  tree.settle(tree.root, 20, [0.5, 0.5]);
  tree.settle(tree.root, 19, [0.4, 0.6], { columns: [0, 1], most: 1 });
  assert.deepEqual([tree.solved, tree.root.bound, tree.cuts.length], [1, 19, 1]);
  tree.undo();
  assert.deepEqual([tree.solved, tree.root.bound, tree.cuts.length], [1, 20, 0]);
});

test("a tree is written as a text and grown from it again", () => {
  const { game } = gameOfDate({ id: "a-puzzle-a-day" }, DAY);
  for (const objective of ["cover", "weights"]) {
    const session = new BoardSession(game, objective);
    const { tree, cover } = session;
    const half = (column) => cover.options.map((_, k) => (k === column ? 0.5 : 0));
    assert.equal(session.text, objective);
    tree.settle(tree.root, 41, half(5));
    tree.settle(tree.branch(tree.root, splitAt(5))[1], 41, half(7));
    tree.settle(tree.branch(tree.here, session.splitCell(3, tree.fixings(tree.here)))[2], 41, half(9));
    tree.settle(tree.here, 41, half(10), { columns: [1, 2, 3], most: 1 });
    const { text } = session;
    const again = new BoardSession(game, objective);
    const [word, root, ...words] = text.split(";");
    assert.deepEqual([word, root], [objective, "root"]);
    const { plan, wrong } = again.planOf(words);
    assert.equal(wrong, "");
    again.tree.settle(again.tree.root, 41, half(5));
    for (const step of plan) {
      const node = again.tree.nodes.find(({ number }) => number === ("cut" in step ? step.node : step.parent));
      const split = "cut" in step ? null : again.splitOf(step, node);
      again.tree.settle(split ? again.tree.branch(node, split)[split.keys.indexOf(step.key)] : node, 41, half(7), step.cut ?? null);
    }
    assert.equal(again.text, text);
    assert.equal(again.planOf(["0.nothing.1"]).wrong, "0.nothing.1");
    assert.equal(again.planOf([words[0], "0.cut.1.nothing"]).plan.length, 1);
  }
});

test("to branch on a cell leaves it to each of its pieces", () => {
  const { game } = gameOfDate({ id: "heart-set1" }, DAY);
  const session = new BoardSession(game, "cover");
  session.cover.items.forEach(({ kind }, item) => {
    if (kind !== "cell") return;
    const { fixes } = session.splitCell(item, []);
    const row = session.cover.rows[item];
    // Every placement on the cell is left in exactly one child.
    for (const column of row) {
      assert.equal(fixes.filter((one) => !one.some(([fixed]) => fixed === column)).length, 1);
    }
    assert.equal(new Set(row.map((column) => session.cover.options[column].piece)).size, fixes.length);
  });
});

test("weights are whole, from 1 to 9, and all occur", () => {
  const names = new BoardSession(gameOfDate({ id: "a-puzzle-a-day" }, DAY).game, "cover").cover.options.map(({ name }) => name);
  assert.deepEqual([...new Set(names.map(weightOf))].sort(), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

const highs = await loadHighs();

/** The relaxation of a session, as the thread solves it. @param {Session} session */
function relaxing({ model }) {
  const relaxation = new Relaxation(highs, model.linear);
  return (fixings, cuts = []) => relaxation.solve(fixings, cuts);
}

/** All tilings of a session, by trying everything. @param {Session} session @returns {number[][]} */
function tilingsOf({ cover }) {
  const found = [];
  const go = (chosen, covered) => {
    const item = cover.items.findIndex((_, k) => !covered.has(k));
    if (item < 0) found.push(chosen);
    else {
      for (const column of cover.rows[item]) {
        const { items } = cover.options[column];
        if (!items.some((one) => covered.has(one))) go([...chosen, column], new Set([...covered, ...items]));
      }
    }
  };
  go([], new Set());
  return found;
}

const weighted = new BoardSession(smallGame(), "weights");
const TILINGS = tilingsOf(weighted);
const BEST = Math.max(...TILINGS.map((all) => all.reduce((sum, column) => sum + weighted.weights[column], 0)));

for (const rule of RULES) {
  test(`branch and bound by a rule finds and proves the best tiling: ${rule}`, async () => {
    const tree = weighted.newTree();
    const relax = relaxing(weighted);
    const probe = async (fixings) => relax(fixings).bound;
    while (tree.root.number < 0 || tree.open.length) {
      const node = tree.root.number < 0 ? tree.root : nextOpen(tree, ORDERS[0]);
      if (node.number >= 0) assert.ok(tree.branch(node, await choose(rule, weighted, tree, node, probe)).length >= 2);
      else {
        const { bound, values } = relax(tree.fixings(node));
        tree.settle(node, bound, values);
        if (node.bound !== null) {
          // A bound holds for every tiling below its node.
          for (const tiling of TILINGS) {
            const isBelow = tree.fixings(node).every(([column, value]) => Number(tiling.includes(column)) === value);
            const worth = tiling.reduce((sum, column) => sum + weighted.weights[column], 0);
            assert.ok(!isBelow || worth <= node.bound + 1e-6);
          }
        }
      }
      assert.ok(tree.solved < 200);
    }
    assert.ok(TILINGS.length > 1);
    assert.equal(tree.incumbent, BEST);
    assert.equal(tree.bestBound, BEST);
  });
}

test("a relaxation's answer is a function of its node and cuts, whatever was solved before", () => {
  let seed = 11;
  const random = (n) => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) % n;
  for (const objective of ["cover", "weights"]) {
    const session = new BoardSession(smallGame(), objective);
    const { options } = session.cover;
    const asked = Array.from({ length: 12 }, () => ({
      fixings: Array.from({ length: random(3) }, () => [random(options.length), random(2)]),
      cuts: random(3) ? [] : [{ columns: [0, 1 + random(8)], most: 1 }],
    }));
    const fresh = asked.map(({ fixings, cuts }) => relaxing(session)(fixings, cuts));
    const relax = relaxing(session);
    for (let k = 0; k < 60; k += 1) {
      const one = random(asked.length);
      assert.deepEqual(relax(asked[one].fixings, asked[one].cuts), fresh[one]);
    }
  }
});

test("a node that was branched on keeps its history when a better incumbent comes", () => {
  const tree = new Tree();
  tree.settle(tree.root, 20.5, [0.5, 0.5, 0]);
  const [one, zero] = tree.branch(tree.root, splitAt(0));
  tree.settle(one, 19.5, [1, 0.5, 0]);
  const [below, beside] = tree.branch(one, splitAt(1));
  tree.settle(below, 18.2, [1, 1, 0.5]);
  assert.deepEqual([one, below, beside].map((node) => tree.stateOf(node)), ["fractional", "fractional", "open"]);
  tree.settle(zero, 19, [0, 1, 0]);
  assert.deepEqual([one, below, beside].map((node) => tree.stateOf(node)), ["dominated", "bound", "bound"]);
  assert.equal(tree.stateOf(tree.root), "fractional", "its bound is above the incumbent");
  assert.deepEqual(tree.open, []);
  // Who clicks a child that is pruned with its parent solves it all the same, and an address grows that tree.
  assert.deepEqual(tree.branch(one, splitAt(1)), [below, beside]);
  assert.deepEqual(tree.branch(one, splitAt(2)), []);
  assert.deepEqual(tree.branch(below, splitAt(2)), []);
  tree.undo();
  assert.deepEqual([one, below, beside].map((node) => tree.stateOf(node)), ["fractional", "fractional", "open"]);
});

test("the latest open nodes of a tree stay in sight, and those on the path to the current one", () => {
  const tree = new Tree();
  const leaves = [];
  for (let node = tree.root, k = 0; k < 12; k += 1) {
    tree.settle(node, 90 - k, [0.5]);
    const [one, zero] = tree.branch(node, splitAt(k));
    leaves.push(zero);
    node = one;
  }
  assert.equal(tree.open.length, 13);
  tree.here = leaves[0];
  const seen = tree.inSight(3);
  assert.deepEqual(leaves.filter((node) => seen.has(node)), [leaves[0], leaves[10], leaves[11]]);
  assert.ok(seen.has(tree.root) && [...seen].every((node) => node === tree.root || seen.has(node.parent)));
  assert.equal(tree.inSight(13).size, tree.nodes.length);
});

test("fractions are exact, and a number near one gives it back", () => {
  let seed = 5;
  const random = (n) => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) % n;
  for (let k = 0; k < 500; k += 1) {
    const [p, q, r, w] = [random(2001) - 1000, 1 + random(300), random(2001) - 1000, 1 + random(300)];
    const [one, other] = [new Fraction(p, q), new Fraction(r, -w)];
    assert.equal(String(fractionOf(p / q)), String(one));
    assert.equal(String(fractionOf(p / q + 1e-10)), String(one));
    assert.equal(String(one.plus(other)), String(new Fraction(p * w - r * q, q * w)));
    assert.equal(String(one.minus(other).plus(other)), String(one));
    assert.equal(String(one.times(other)), String(new Fraction(-p * r, q * w)));
    assert.equal(one.compare(other), Math.sign(p * w + r * q));
    assert.equal(Number(one.floor), Math.floor(p / q));
    assert.equal(one.sign, Math.sign(p));
  }
  assert.deepEqual([0.1, -2.5, 3, 1e-7, 1.5e21].map((one) => String(decimal(one))), ["1/10", "-5/2", "3", "1/10000000", "1500000000000000000000"]);
});

test("multipliers prove a bound on every tiling below a node, or that there is none; any others prove no more than is true", () => {
  let seed = 23;
  const random = (n) => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) % n;
  const { model: { linear, whole }, weights, cover } = weighted;
  const relax = relaxing(weighted);
  const seen = { exact: 0, infeasible: 0, dead: 0 };
  for (let k = 0; k < 120; k += 1) {
    const fixings = Array.from({ length: k ? 1 + random(3) : 0 }, () => [random(cover.options.length), random(2)]);
    const below = TILINGS.filter((tiling) => fixings.every(([column, value]) => Number(tiling.includes(column)) === value));
    const best = Math.max(...below.map((all) => all.reduce((sum, column) => sum + weights[column], 0)));
    const { bound, values, duals } = relax(fixings);
    const dead = deadRow(whole, [], fixings);
    if (dead) {
      seen.dead += 1;
      assert.equal(below.length, 0, "a dead row has no tiling");
    }
    const proof = proofOf(linear, [], fixings, duals, bound !== null);
    if (bound === null) {
      assert.equal(below.length, 0);
      if (proof) assert.ok(proof.bound.sign < 0);
      seen.infeasible += Number(proof !== null);
    } else {
      const fractions = values.map(fractionOf);
      assert.ok(isFeasible(linear, [], fixings, fractions));
      assert.equal(worth(linear, fractions).compare(proof.bound), 0, "the optimum is proved");
      assert.ok(below.length === 0 || proof.bound.compare(new Fraction(best)) >= 0);
      seen.exact += 1;
      // A point beside it fails a row.
      const moved = fractions.map((one, column) => (column === k % 7 ? one.plus(new Fraction(1, 1000)) : one));
      assert.equal(isFeasible(linear, [], fixings, moved), false);
    }
    const wild = linear.rows.map(() => new Fraction(random(41) - 20, 1 + random(4)));
    const other = provedBound(linear, [], fixings, wild);
    assert.ok(!other || !below.length || other.bound.compare(new Fraction(best)) >= 0);
    const none = provedBound(linear, [], fixings, wild, false);
    assert.ok(!none || !below.length || none.bound.sign >= 0, "what has a tiling is not refuted");
  }
  assert.ok(Object.values(seen).every((n) => n > 5), JSON.stringify(seen));
});

test("a proof counts cuts with their right sides, and a multiplier with the wrong sign for nothing", () => {
  const linear = {
    cost: [1, 1], low: [0, 0], high: [1, 1], isInteger: [true, true],
    rows: [{ index: [0, 1], value: [2, 2], low: -Infinity, high: 3 }],
  };
  const cut = { columns: [0, 1], most: 1 };
  const bound = (duals, cuts = [cut], fixings = []) => String(provedBound(linear, cuts, fixings, duals)?.bound);
  assert.equal(bound([ZERO, new Fraction(1)]), "1");
  assert.equal(bound([new Fraction(1, 2)], []), "3/2");
  assert.equal(bound([new Fraction(-1, 2)], []), "2", "the bounds of the columns are left");
  assert.equal(bound([], [], [[0, 0]]), "1");
  assert.equal(bound([], [], [[0, 0], [0, 1]]), "undefined");
  assert.equal(String(leftSide(linear.rows[0], [new Fraction(1, 2), new Fraction(1, 4)])), "3/2");
  assert.equal(isFeasible(linear, [cut], [], [new Fraction(1, 2), new Fraction(1, 2)]), true);
  assert.equal(isFeasible(linear, [cut], [], [new Fraction(1), new Fraction(1, 2)]), false);
  assert.deepEqual(deadRow(linear, [cut], [[0, 1], [1, 1]]), { row: 0, isFull: true });
  assert.deepEqual(deadRow(linear, [{ columns: [0], values: [-1], most: -2 }], []), { row: 1, isFull: true });
  assert.equal(deadRow(linear, [cut], [[0, 1]]), null);
});

test("guesses are kept, go through a code, and a class is put together from codes in any text", () => {
  const guess = (question, text, answer) => ({ question, guess: text, answer });
  const mine = [guess("4 × 4: root", "30", "29.5"), guess("4 × 4: O4_a00 = 1", "infeasible", "28"), guess("4 × 4: root", "29.5", "29.5")];
  assert.deepEqual(readGuesses(storedGuesses(mine)), mine);
  for (const text of [null, "", "{", "[1]", '[["a","b"]]', '[["a","b",3]]']) assert.deepEqual(readGuesses(text), []);
  const classes = [mine, [guess("4 × 4: root", "28", "29.5")], [guess("4 × 4: root", "29.5", "29.5")]];
  const mail = classes.map((one, k) => `Student ${k}, ${codeOf(one)}\n`).join("") + codeOf(mine);
  const { all, wrong } = codesIn(mail);
  assert.deepEqual(all, classes, "a code that is sent twice counts once");
  assert.deepEqual(wrong, []);
  assert.deepEqual(spreadOf(all), [
    // The first guess of a student counts.
    { question: "4 × 4: root", answer: "29.5", n: 3, right: 1, least: "28", median: "29.5", most: "30" },
    { question: "4 × 4: O4_a00 = 1", answer: "28", n: 1, right: 0, least: "infeasible", median: "infeasible", most: "infeasible" },
  ]);
  const cut = codeOf(mine).slice(0, -7);
  assert.deepEqual(codesIn(cut), { all: [], wrong: [cut.slice(0, 40)] });
  assert.deepEqual(codesIn("no code at all"), { all: [], wrong: [] });
});

test("a tree with a known solution prunes by it from the beginning", () => {
  const tree = new Tree(undefined, 19);
  assert.equal(tree.incumbent, 19);
  tree.settle(tree.root, 19.7, [0.5]);
  assert.equal(tree.stateOf(tree.root), "bound");
  assert.deepEqual([tree.open.length, tree.bestBound], [0, 19]);
  const other = new Tree(undefined, 19);
  other.settle(other.root, 20.5, [0.5]);
  assert.deepEqual([other.stateOf(other.root), other.incumbent, other.bestBound], ["fractional", 19, 20.5]);
});

test("pseudo-costs are the mean fall of the bound per unit, and the mean of all where a column is new", () => {
  const tree = new Tree();
  tree.settle(tree.root, 20, [0.5, 0.25, 0.5, 0]);
  tree.settle(tree.branch(tree.root, splitAt(1))[0], 17, [0.5, 1, 0.5, 0]);
  tree.settle(tree.branch(tree.root, splitAt(1))[1], 19, [0.5, 0, 0.5, 0]);
  const [down, up] = pseudoCosts(tree);
  assert.equal(up(1), 4);
  assert.equal(down(1), 4);
  assert.equal(up(0), 4);
});

test("cliques and odd holes hold for every tiling, and what is found is violated", () => {
  const { game } = gameOfDate({ id: "heart-set1" }, DAY);
  /** @type {Map<typeof violatedClique, number>} */
  const found = new Map();
  for (const session of [weighted, new BoardSession(game, "weights")]) {
    const tilings = session === weighted ? TILINGS : [];
    const relax = relaxing(session);
    const cuts = [];
    for (let round = 0; round < 8; round += 1) {
      const { bound, values } = relax([], cuts);
      assert.ok(bound !== null);
      for (const find of [violatedClique, violatedHole]) {
        const cut = find(session.cover, values);
        if (!cut) continue;
        found.set(find, (found.get(find) ?? 0) + 1);
        assert.ok(sumOf(cut, values) > cut.most + 1e-5);
        assert.deepEqual(cutOf(session.cover, cut.columns), cut);
        for (const tiling of tilings) assert.ok(cut.columns.filter((column) => tiling.includes(column)).length <= cut.most);
        cuts.push(cut);
        const after = relax([], cuts).bound;
        assert.ok(after <= bound + 1e-6);
        assert.ok(after > BEST - 1e-6 || session !== weighted, "no tiling is cut off");
      }
    }
  }
  assert.equal(found.size, 2, "cliques, and an odd hole");
});

test("what is neither a clique nor an odd hole gives no cut", () => {
  const { cover } = weighted;
  const all = cover.options.map((_, k) => k);
  const free = all.find((b) => b > 0 && !excludes(cover, 0, b));
  assert.equal(cutOf(cover, [0, free]), null);
  assert.equal(cutOf(cover, [0]), null);
  const near = all.find((b) => excludes(cover, 0, b));
  assert.deepEqual(cutOf(cover, [0, near]), { columns: [0, near], most: 1 });
  // Two placements exclude each other exactly where no packing has both.
  for (let k = 0; k < 300; k += 1) {
    const [a, b] = [(k * 7) % all.length, (k * 31 + 5) % all.length];
    const share = cover.options[a].items.some((item) => cover.options[b].items.includes(item));
    assert.equal(excludes(cover, a, b), a !== b && share);
  }
});

test("the rows of HiGHS' log become a table, each change once", () => {
  const log = [
    "        Nodes      |    B&B Tree     |",
    "         0       0         0   0.00%   70.11627907     -inf                 inf        0      0      5       240     0.7s",
    "         0       0         0   0.00%   70.11627907     -inf                 inf        0      0      6       250     0.7s",
    " R      12       3         4  37.50%   64.5            61                 5.74%       18      5     17       162     3.9s",
    "  Nodes             12",
  ].join("\n");
  assert.deepEqual(rowsOf(log), [["0", "0", "70.12", "–", "0"], ["12", "3", "64.5", "61", "5"]]);
});

test("the cell to branch on is that whose strongest piece is weakest", async () => {
  const options = ["A", "B", "A", "B", "A", "B"].map((piece) => ({ piece }));
  const items = ["cell", "cell", "cell", "piece"].map((kind) => ({ kind }));
  const cover = { items, options, rows: [[0, 1], [2, 3], [4, 5], [0, 2]] };
  const linear = { low: new Array(6).fill(0), high: new Array(6).fill(1) };
  const session = Object.assign(Object.create(BoardSession.prototype), { cover, model: { linear }, splitCell: (item) => item });
  const tree = { fixings: () => [], fractional: () => [{ column: 3, value: 0.5 }] };
  const split = (...values) => choose("cell", session, tree, { values }, null);
  assert.equal(await split(0.7, 0.3, 0.4, 0.6, 0.9, 0.1), 1);
  // A cell that one piece fills but for the solver's rounding is contested by none.
  const near = [1 - 5e-7, 2e-6];
  assert.equal(await split(...near, 0.9, 0.1, ...near), 1);
  assert.deepEqual(await split(...near, ...near, ...near), splitAt(3));
});
