/** The lab: be the branch and bound, beside HiGHS. */

import { ExactCover } from "../problem/cover.js";
import { button, counted, h, s } from "../view/dom.js";
import { area, BoardView, pieceShape } from "../view/board.js";
import { Solver } from "./solver.js";
import { Tree } from "./tree.js";

/** @typedef {import("../view/app.js").App} App */
/** @typedef {import("../play/game.js").Game} Game */
/** @typedef {import("./tree.js").TreeNode} TreeNode */

/** So many placements are offered for branching. */
const OFFERED = 40;

/** Pixels between the nodes of the drawn tree. */
const [ACROSS, DOWN] = [66, 58];

/** What a student does, by key, title and text; the text of the step that comes next is unfolded. */
const STEPS = [
  ["relax", "Relax", "A placement is used or not: 1 or 0. Allow all values between, let no cell be covered more than once, and cover as many cells as possible: a linear program, and quick to solve."],
  ["read", "Look", "The more a placement is used, the stronger it is drawn; cells with a dot are shared by fractions of several. The bound says how many cells anything can cover at most. Click a cell with a dot to see who shares it."],
  ["branch", "Branch", "Fix one of them to 1 (it lies there) or to 0 (it does not). Every tiling is in one of these two smaller problems: they are the new nodes of the tree."],
  ["prune", "Bound and prune", "A node whose bound is below the number of cells holds no tiling, however you go on: it turns grey and is never branched. Click an open node (dashed) and go on there, until a node has whole values only: a tiling."],
  ["compare", "Compare", "Let HiGHS solve the same instance: it does what you did, and adds heuristics and cuts. How many nodes did it need, and how many you?"],
];

/** The view of the lab. */
export class LabView {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.element = h("div", { class: "lab" });
    this.solver = new Solver();
    this.busy = false;
    /** The column that is lit, or -1. @type {number} */
    this.picked = -1;
    /** A tiling that HiGHS found, shown in place of a relaxation. @type {number[] | null} */
    this.shownTiling = null;
    this.highsAnswer = "";
  }

  /** @param {Game} game */
  open(game) {
    this.game = game;
    // Pieces on the board are fixed: a student may begin with a smaller problem.
    this.cover = new ExactCover(game.instance.withPlaced(game.placed));
    this.tree = new Tree(game.instance.toCover.length);
    /** @type {Set<string>} */
    this.done = new Set();
    this.picked = -1;
    this.shownTiling = null;
    this.highsAnswer = "";
    /** @type {Promise<void> | null} */
    this.ready = null;
    this.board = new BoardView(game.puzzle, game.instance.labels, "The relaxation on the board");
    this.board.element.addEventListener("click", (event) => this.pick(event));
    this.board.showPieces(game.placed);
    this.facts = h("p", { class: "facts", role: "status" });
    this.steps = h("ol", { class: "steps" });
    this.candidates = h("div", { class: "candidates", role: "group", "aria-label": "Placements to branch on", tabindex: "0" });
    this.treeBox = h("div", { class: "tree", role: "group", "aria-label": "The tree" });
    this.log = h("pre", { class: "lab-log", tabindex: "0", role: "log", "aria-label": "The log of HiGHS" });
    this.log.hidden = true;
    this.tools = {
      relax: button("Relax", () => this.solve(this.tree?.root)),
      again: button("Start over", () => this.open(game)),
      solve: button("Solve with HiGHS", () => this.whole()),
      cuts: button("All tilings by cuts", () => this.enumerate()),
      stop: button("Stop", () => this.halt()),
    };
    this.tools.stop.hidden = true;
    this.element.replaceChildren(
      h("div", { class: "stage" }, this.board.element),
      h("section", { class: "side", "aria-label": "Branch and bound" },
        this.steps,
        h("div", { class: "tools" }, ...Object.values(this.tools)),
        this.facts, this.treeBox, this.candidates, this.log));
    this.draw();
  }

  close() {
    this.halt();
  }

  /** The solver, loaded, with this instance in it. */
  prepared() {
    const { cover } = this;
    if (!cover) return Promise.reject(new Error("no instance"));
    this.ready ??= (async () => {
      if (!this.solver.worker) this.say("Loading HiGHS…");
      await this.solver.load();
      await this.solver.ask({
        task: "model",
        model: {
          columns: cover.options.length,
          rows: cover.rows,
          demand: cover.items.map((item) => item.demand),
          weight: cover.options.map((option) => option.cells.length),
        },
      });
    })();
    this.ready.catch(() => (this.ready = null));
    return this.ready;
  }

  /** Run something that asks the solver, one at a time; what goes wrong becomes a sentence. @param {() => Promise<void>} work */
  async guarded(work) {
    if (this.busy) return;
    this.busy = true;
    const { game } = this;
    this.draw();
    try {
      if (!this.cover?.options.length) throw new Error("no piece fits on the cells to cover, so there is nothing to solve");
      await this.prepared();
      if (game === this.game) await work();
    } catch (error) {
      this.app.say(error instanceof Error ? error.message : String(error));
    } finally {
      this.busy = false;
      if (game === this.game) this.draw();
    }
  }

  /** @param {string} text */
  say(text) {
    if (this.facts) this.facts.textContent = text;
  }

  // Branch and bound -------------------------------------------------------

  /** Solve the relaxation at a node. @param {TreeNode | null | undefined} node */
  solve(node) {
    return this.guarded(async () => {
      const { tree, cover } = this;
      if (!tree || !cover || !node) return;
      const { bound, values } = await this.solver.ask({ task: "relax", fixings: tree.fixings(node) });
      tree.settle(node, bound, values);
      tree.here = node;
      this.shownTiling = null;
      this.picked = -1;
      this.done?.add("relax");
      if (node !== tree.root) this.done?.add("read").add("branch");
      if (!tree.open.length) this.done?.add("prune");
      if (node.state === "integral") this.checkTiling(node.values);
    });
  }

  /** Hold what a solver calls a tiling against the instance. @param {readonly number[]} values */
  checkTiling(values) {
    const { game } = this;
    const chosen = values.flatMap((value, column) => (value > 0.5 ? [column] : []));
    if (!game || !this.isTiling(chosen)) throw new Error("HiGHS gave whole values that are not a tiling: its answer is not used");
    this.done?.add("prune");
  }

  /** @param {readonly number[]} chosen */
  isTiling(chosen) {
    const { game, cover } = this;
    return Boolean(game && cover && game.isTiling(this.placementsOf(chosen)));
  }

  /** @param {readonly number[]} chosen */
  placementsOf(chosen) {
    const { game, cover } = this;
    if (!game || !cover) return [];
    return game.placementsOf(chosen.map((column) => {
      const { piece, cells } = cover.options[column];
      return game.cover.numberOf(piece, cells);
    }));
  }

  /** @param {number} column @param {number} value */
  branch(column, value) {
    const { tree } = this;
    if (!tree) return;
    const child = tree.branch(tree.here, column, value);
    if (child) void this.solve(child);
  }

  /** Choose the placement on a cell that was clicked; the next one at the next click. @param {MouseEvent} event */
  pick(event) {
    const { board, cover, tree } = this;
    const cell = board?.cellAt(board.pointAt(event));
    const item = cell && cover?.position.get(cell.join());
    if (!tree || !cover || item === undefined || item === null) return;
    const here = tree.fractional(tree.here).map(({ column }) => column)
      .filter((column) => cover.options[column].items.includes(item));
    if (!here.length) return;
    this.choose(here[(here.indexOf(this.picked) + 1) % here.length]);
    const row = this.candidates?.querySelector(".chosen");
    row?.scrollIntoView({ block: "nearest" });
  }

  /** @param {number} column */
  choose(column) {
    if (this.picked === column) return;
    this.picked = column;
    this.done?.add("read");
    this.drawSteps();
    this.drawLit();
    for (const row of this.candidates?.querySelectorAll("[data-column]") ?? []) {
      row.classList.toggle("chosen", row.getAttribute("data-column") === String(column));
    }
  }

  // HiGHS ------------------------------------------------------------------

  /** Let HiGHS solve the instance. */
  whole() {
    return this.guarded(async () => {
      const { log, board } = this;
      if (!log || !board) return;
      log.hidden = false;
      log.textContent = "";
      this.say("HiGHS is solving…");
      const { status, nodes, seconds, chosen, dives } = await this.solver.ask({ task: "solve" }, ({ log: text }) => {
        log.append(text);
        log.scrollTop = log.scrollHeight;
      });
      if (status === "optimal") {
        if (!this.isTiling(chosen)) throw new Error("HiGHS gave an answer that is not a tiling: it is not used");
        this.shownTiling = chosen;
      }
      this.highsAnswer = `HiGHS: ${status === "optimal" ? "a tiling" : status === "infeasible" ? "no tiling" : "stopped"} after ` +
        `${counted(nodes, "node")} in ${counted(dives, "run")}, ${seconds.toFixed(2)} s`;
      this.done?.add("compare");
    });
  }

  /** All tilings, each forbidden by a no-good cut after it was found. */
  enumerate() {
    return this.guarded(async () => {
      const { tools, game, app } = this;
      if (!tools || !game) return;
      tools.stop.hidden = false;
      const seen = new Set();
      const begun = performance.now();
      /** @type {string} */
      let fault = "";
      const { complete } = await this.solver.ask({ task: "enumerate" }, ({ chosen }) => {
        const key = [...chosen].sort((a, b) => a - b).join();
        if (seen.has(key) || !this.isTiling(chosen)) {
          fault = "HiGHS gave an answer that is not a new tiling: it is not counted";
          this.solver.stop();
          return;
        }
        seen.add(key);
        this.shownTiling = chosen;
        this.drawBoard();
        this.say(`${counted(seen.size, "tiling")} found, as many no-good cuts added; ` +
          `${((performance.now() - begun) / 1000).toFixed(1)} s`);
      });
      tools.stop.hidden = true;
      if (fault) throw new Error(fault);
      const said = `${counted(seen.size, "tiling")} found`;
      this.highsAnswer = complete ? `${said}, and HiGHS finds no more` : `${said}, then stopped`;
      // "No more" is never said on one program's word.
      if (complete) {
        app.searcher.start(
          { task: "position", source: game.source, flip: game.flip, labels: game.labels, laid: game.laid },
          (known, finished) => {
            if (!finished || !known?.complete || game !== this.game) return;
            this.highsAnswer += known.tilings === seen.size
              ? "; the exact-cover search counts as many"
              : `; but the exact-cover search counts ${known.tilings}: one of the two is wrong`;
            this.drawFacts();
          });
      }
    });
  }

  /** Stop what runs. */
  halt() {
    if (!this.busy) return;
    this.solver.stop();
    const { number } = this.solver;
    // A solve that does not come to an end is ended with its thread.
    setTimeout(() => {
      if (this.busy && this.solver.number === number) {
        this.solver.end();
        this.ready = null;
        this.busy = false;
        if (this.tools) this.tools.stop.hidden = true;
      }
    }, 1500);
  }

  // What is drawn ----------------------------------------------------------

  draw() {
    const { tools, tree } = this;
    if (!tools || !tree) return;
    this.drawSteps();
    tools.relax.disabled = this.busy || tree.solved > 0;
    tools.again.disabled = this.busy || tree.solved === 0;
    tools.solve.disabled = tools.cuts.disabled = this.busy;
    this.drawFacts();
    this.drawBoard();
    this.drawTree();
    this.drawCandidates();
  }

  drawSteps() {
    const { steps, done } = this;
    if (!steps || !done) return;
    const now = STEPS.findIndex(([key]) => !done.has(key));
    steps.replaceChildren(...STEPS.map(([key, title, text], k) =>
      h("li", { class: done.has(key) ? "done" : "" },
        h("details", { open: k === now }, h("summary", {}, title), text))));
  }

  drawFacts() {
    const { tree, facts } = this;
    if (!tree || !facts) return;
    const { here } = tree;
    /** @type {string[]} */
    const parts = [];
    if (tree.solved) {
      const bound = here.bound === null ? "the fixings contradict each other" :
        `bound: ${Number(here.bound.toFixed(3))} of ${tree.area} cells`;
      parts.push(bound);
      if (here.state === "fractional") parts.push(counted(tree.fractional(here).length, "fractional column"));
      if (here.state === "integral") parts.push("all values are whole: a tiling, checked");
      if (here.state === "infeasible") parts.push("no tiling below this node");
      parts.push(`you: ${counted(tree.solved, "node")}${tree.open.length ? "" : ", none open"}`);
    }
    if (this.highsAnswer) parts.push(this.highsAnswer);
    facts.replaceChildren(...parts.map((part) => h("span", {}, part)));
  }

  drawBoard() {
    const { game, board, tree, cover } = this;
    if (!game || !board || !tree || !cover) return;
    if (this.shownTiling) {
      board.showPieces(this.placementsOf(this.shownTiling));
      board.show("heat", []);
      board.show("lit", []);
      return;
    }
    if (!tree.solved) return;
    const { values } = tree.here;
    const used = values.map((value, column) => ({ value, column })).filter(({ value }) => value > 1e-6)
      .sort((a, b) => a.value - b.value);
    board.show("pieces", used.map(({ value, column }) => {
      const { piece, cells } = cover.options[column];
      const shape = pieceShape(game.puzzle, { piece, cells });
      shape.style.opacity = String(Math.max(0.06, value));
      // Names of what is hardly used would only cover the labels.
      if (value < 0.5) shape.querySelector("text")?.remove();
      return shape;
    }));
    const shared = new Set(used.filter(({ value }) => value < 1 - 1e-6).flatMap(({ column }) =>
      cover.options[column].cells.map((cell) => cell.join())));
    board.show("heat", []);
    board.show("ghost", game.instance.toCover.filter((cell) => shared.has(cell.join()))
      .map((cell) => {
        const [cx, cy] = game.lattice.centre(cell);
        return s("circle", { cx: cx + 0.3, cy: cy - 0.3, r: 0.07, class: "frac" });
      }));
    this.drawLit();
  }

  drawLit() {
    const { board, cover, game } = this;
    if (!board || !cover || !game) return;
    board.show("lit", this.picked < 0 ? [] : [area(game.lattice, cover.options[this.picked].cells, "lit-piece")]);
  }

  drawTree() {
    const { tree, treeBox } = this;
    if (!tree || !treeBox) return;
    const { places, width, depth } = tree.layout();
    const at = (/** @type {TreeNode} */ node) => {
      const { x, y } = places.get(node) ?? { x: 0, y: 0 };
      return [(x + 0.5) * ACROSS, (y + 0.5) * DOWN - 8];
    };
    const [wide, high] = [Math.max(width * ACROSS, 60), depth * DOWN];
    const drawn = s("svg", { viewBox: `0 0 ${wide} ${high}` });
    drawn.style.width = `${wide / 16}rem`;
    for (const node of tree.nodes) {
      if (!node.parent) continue;
      const [[x1, y1], [x2, y2]] = [at(node.parent), at(node)];
      drawn.append(s("path", { class: "edge", d: `M${x1} ${y1}L${x2} ${y2}` }));
    }
    for (const node of tree.nodes) {
      const [x, y] = at(node);
      const name = node.column < 0 ? "root" : `${this.cover?.options[node.column].name} = ${node.value}`;
      const state = node.state === "fractional" ? "fractional" : node.state;
      const go = () => {
        if (node.state === "open") void this.solve(node);
        else {
          tree.here = node;
          this.shownTiling = null;
          this.picked = -1;
          this.draw();
        }
      };
      drawn.append(s("g", {
        class: `node ${node.state}${node === tree.here ? " here" : ""}`, role: "button", tabindex: "0",
        "aria-label": `Node ${name}, ${state}${node.bound === null ? "" : `, bound ${Number(node.bound.toFixed(2))}`}`,
        onclick: go,
        onkeydown: (/** @type {KeyboardEvent} */ event) => {
          if (event.key !== "Enter" && event.key !== " ") return;
          event.preventDefault();
          go();
        },
      },
      s("circle", { cx: x, cy: y, r: 14 })));
      // Beside the button and not in it: its label says the same in words.
      const bound = node.bound === null ? (node.state === "open" ? "?" : "–") : String(Number(node.bound.toFixed(1)));
      drawn.append(s("g", { "aria-hidden": "true" },
        s("text", { x, y: y + 3.5, class: node.state === "open" ? "" : "inside" }, bound),
        node.column < 0 ? null : s("text", { x, y: y + 25 }, `${this.cover?.options[node.column].name}=${node.value}`)));
    }
    treeBox.replaceChildren(drawn);
  }

  drawCandidates() {
    const { tree, candidates, cover, game } = this;
    if (!tree || !candidates || !cover || !game) return;
    const { here } = tree;
    if (here.state !== "fractional") {
      const open = tree.open.length;
      candidates.replaceChildren(tree.solved
        ? h("p", { class: "quiet" }, here.state === "integral" ? "A tiling: nothing covers more cells, so the search may stop here. Other tilings are below the open nodes, if any."
          : open ? `This node is done; ${counted(open, "node")} ${open === 1 ? "is" : "are"} open in the tree: click one to go on there.`
            : "The tree is complete: every leaf is grey or a tiling.")
        : h("p", { class: "quiet" }, `${game.puzzle.name}, ${game.instance.labels.join(" ")}: ${counted(cover.options.length, "column")}, ${counted(cover.items.length, "row")}.`));
      return;
    }
    const [first] = here.children;
    const offered = tree.fractional(here).filter(({ column }) => !first || first.column === column).slice(0, OFFERED);
    const title = first ? "This node was branched on:" : "Fractional placements, those nearest to 1 first; point at one to see it:";
    candidates.replaceChildren(h("p", { class: "quiet" }, title), ...offered.map(({ column, value }) => {
      const { name } = cover.options[column];
      const bar = h("i", {});
      bar.style.width = `${value * 100}%`;
      return h("div", {
        class: "candidate", "data-column": column,
        onpointerenter: () => this.choose(column),
        onfocusin: () => this.choose(column),
      },
      h("span", {}, name), h("span", { class: "bar", role: "img", "aria-label": `value ${value.toFixed(3)}` }, bar),
      button("= 1", () => this.branch(column, 1), { "aria-label": `Fix ${name} to 1` }),
      button("= 0", () => this.branch(column, 0), { "aria-label": `Fix ${name} to 0` }));
    }));
  }
}
