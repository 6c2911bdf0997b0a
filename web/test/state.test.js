/** The state of a game: the same actions give the same state, no action alters one, and what is undone is as it was. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { Game } from "../src/play/game.js";
import { isSamePosition, moved } from "../src/play/moves.js";
import { opened, reduce } from "../src/play/state.js";
import { ASSIST } from "../src/play/help.js";
import { helpIn } from "../src/play/record.js";
import { analysed } from "../src/search/position.js";

const SEED = Number(process.env.CALMIP_SEED ?? Date.now()) >>> 0;
const BOARDS = [
  "name: squares\ngrid: ['1 2 3 4', '5 6 7 8', '9 10 11 12', '13 14 15 16']\npieces: [V3, T4, O4, P]\n",
  "name: labels\ngrid: ['1 2 3 4', '5 6 7 8', '9 10 11 12']\ngroups: {one: ['1', '12']}\npieces: [V3, L4, I4]\n",
  "name: triangles\nlattice: triangular\ngrid: ['* * * *', '* * * *']\npieces: {A: ['##'], B: ['###'], C: ['###']}\n",
];

/** Numbers below n, the same for a seed. @param {number} seed */
const randomly = (seed) => {
  let state = seed >>> 0;
  return (/** @type {number} */ n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor(state / 4294967296 * n);
  };
};

const gameOn = (yaml) => {
  const game = new Game({ yaml, file: "it.yaml" }, yaml.includes("groups") ? { one: "12" } : {});
  game.state = opened(game.state, helpIn({}));
  game.reduce = reduce;
  return game;
};

/** A copy of a state, in its maps too. */
const copied = (value) => value instanceof Map ? new Map([...value].map(([key, inner]) => [key, copied(inner)]))
  : ArrayBuffer.isView(value) ? value.slice() : Array.isArray(value) ? value.map(copied)
    : value && typeof value === "object" ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, copied(inner)])) : value;

const knownOf = (game) => {
  const steps = analysed(game.cover, game.laid);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
};

/** Any action, with sense or without. */
function anyAction(random, game) {
  const any = (all) => all[random(all.length)];
  const { cells } = game.puzzle.board;
  const names = [...game.puzzle.pieces.map(({ name }) => name), "nothing"];
  const assist = any(ASSIST);
  const fitting = game.hand ? cells.filter((cell) => game.fits(game.over(cell))) : [];
  return any([
    () => ({ do: "take", piece: any(names) }), () => ({ do: "take", piece: any(game.left)?.name ?? "nothing" }), () => ({ do: "lift", cell: any(cells) }),
    () => ({ do: "hold", grip: any(game.turns.get(game.hand?.piece) ?? cells) }), () => ({ do: "hover", at: any([...cells, null]) }),
    () => ({ do: "turn" }), () => ({ do: "over", back: random(2) === 1 }), () => ({ do: any(["drop", "aside", "clear"]) }),
    () => ({ do: "lay", at: any(cells) }), () => ({ do: "lay", at: any(fitting) ?? any(cells) }), () => ({ do: "lay", at: any(fitting) ?? any(cells) }),
    () => ({ do: "off", pieces: [any(names)] }), () => ({ do: "step", step: any([-1, 1]) }),
    () => ({ do: "known", known: knownOf(game), searched: true, assist }), () => ({ do: "known", known: null, searched: random(2) === 1, assist }),
    () => ({ do: "hint", assist }), () => ({ do: "hint", assist }), () => ({ do: "help", assist, seconds: random(9), shown: random(9) === 0 }),
    () => ({ do: any(["renew", "solved"]) }), () => ({ do: "advise", advice: any([null, { say: "searching" }]) }),
  ])();
}

test(`the same actions give the same state, and no action alters one (CALMIP_SEED=${SEED})`, () => {
  for (const [board, yaml] of BOARDS.entries()) {
    const random = randomly(SEED + board);
    const game = gameOn(yaml);
    const first = game.state;
    const done = [];
    for (let k = 0; k < 400; k += 1) {
      const before = game.state;
      const copy = copied(before);
      const action = anyAction(random, game);
      done.push(action);
      const does = game.act(action);
      const why = `after ${JSON.stringify(done.slice(-6))}`;
      assert.deepEqual(before, copy, `a state was altered ${why}`);
      assert.deepEqual(reduce(game, before, action), game.state, `another state ${why}`);
      assert.equal(does, game.state !== before);
      // What lies is a position: a player who reads it again finds nothing wrong.
      game.instance.withPlaced(game.placed);
      assert.equal(game.solved, !game.hand && game.isTiling(game.placed));
      const { state } = game;
      if (!isSamePosition(before, state)) {
        assert.deepEqual([state.known, state.searched, state.rung, state.lit.length], [null, false, 0, 0], `something is known ${why}`);
        if (state.earned) assert.ok(["lay", "hint", "known"].includes(action.do), why);
      }
      if (state.moment !== before.moment && action.do !== "step") {
        assert.ok(isSamePosition(reduce(game, state, { do: "step", step: -1 }), { ...before, hand: null }), `undone ${why}`);
        const again = reduce(game, reduce(game, state, { do: "step", step: -1 }), { do: "step", step: 1 });
        assert.ok(isSamePosition(again, state), `done again ${why}`);
      }
      assert.equal(state.help.hints, state.help.pieces.length);
      assert.equal(new Set(state.help.pieces).size, state.help.pieces.length);
      if (action.do !== "solved") assert.ok(state.help.seconds >= before.help.seconds && state.help.hints >= before.help.hints && state.help.shown >= before.help.shown);
      if (state.hand && action.do === "turn" && does) {
        let turned = before;
        for (let turn = 0; turn < game.lattice.order; turn += 1) turned = reduce(game, turned, { do: "turn" });
        assert.deepEqual(turned.hand, before.hand);
      }
    }
    const kinds = new Set(done.map((action) => action.do));
    assert.ok(kinds.size > 15, [...kinds].join());
    assert.deepEqual(done.reduce((state, action) => reduce(game, state, action), first), game.state);
  }
});

test("a piece that is lifted and put back lies as before, and one that is put aside does not", () => {
  const game = gameOn(BOARDS[0]);
  game.act({ do: "place", placed: game.placementsOf(knownOf(game).solution.slice(0, 2)) });
  const { state } = game;
  const [{ piece, cells }] = game.placed;
  const lifted = reduce(game, state, { do: "lift", cell: cells[1] });
  assert.equal(lifted.hand.piece, piece);
  assert.ok(!isSamePosition(lifted, state));
  assert.ok(isSamePosition(reduce(game, lifted, { do: "drop" }), state));
  assert.equal(reduce(game, lifted, { do: "lay", at: cells[1] }).history.length, state.history.length + 1);
  const aside = reduce(game, lifted, { do: "aside" });
  assert.deepEqual(game.with(aside).placed, game.placed.slice(1));
  assert.deepEqual(aside.speech, { say: "off", pieces: [piece] });
});

test("turning over takes a turn back where it is asked to", () => {
  const game = gameOn(BOARDS[0]);
  game.act({ do: "take", piece: "P" });
  const over = reduce(game, game.state, { do: "over" });
  const turned = reduce(game, game.state, { do: "turn" });
  assert.notDeepEqual(reduce(game, turned, { do: "over" }).hand.cells, over.hand.cells);
  assert.deepEqual(reduce(game, turned, { do: "over", back: true }).hand.cells, over.hand.cells);
});

test("hints go on from where they were, count a piece once, and wait for the search", () => {
  const game = gameOn(BOARDS[0]);
  const hint = { do: "hint", assist: "off" };
  game.act(hint);
  assert.ok(game.state.asked);
  assert.deepEqual(game.state.advice, { say: "searching" });
  game.act({ do: "known", known: knownOf(game), searched: true, assist: "off" });
  assert.ok(!game.state.asked);
  const said = [game.state.advice.text];
  while (!game.placed.length) {
    game.act(hint);
    if (game.state.advice) said.push(game.state.advice.text);
  }
  assert.equal(new Set(said).size, said.length);
  assert.ok(said.length >= 3);
  const { help, sure, earned, speech } = game.state;
  assert.deepEqual([help.hints, help.pieces, sure, earned], [1, [game.placed[0].piece], true, true]);
  assert.equal(speech.say, "hint");
  // A hint's piece that was just placed says that there is a solution: the next hint does not.
  game.act({ do: "known", known: knownOf(game), searched: true, assist: "off" });
  game.act(hint);
  assert.notEqual(game.state.advice?.text, said[0]);
});

test("a dead end is advised on where all is told, and nowhere else", () => {
  const game = gameOn(BOARDS[1]);
  const dead = game.cover.options.map((_, number) => number).find((number) => {
    game.state = opened({ ...game.state, history: [[]], moment: 0 }, helpIn({}));
    game.act({ do: "place", placed: game.placementsOf([number]) });
    return !knownOf(game).tilings;
  });
  assert.notEqual(dead, undefined);
  for (const assist of ASSIST) {
    const known = { do: "known", known: knownOf(game), searched: true, assist };
    assert.deepEqual(reduce(game, game.state, known).advice, assist === "full" ? { say: "remedy" } : null);
  }
});

test("a board without a page needs the moves alone", () => {
  const game = new Game({ yaml: BOARDS[2], file: "it.yaml" }, {});
  assert.equal(game.reduce, moved);
  assert.ok(!game.act({ do: "turn" }));
  assert.ok(game.act({ do: "take", piece: "A" }));
});
