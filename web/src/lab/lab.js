/** The lab: be the branch and bound, by hand, by a rule, beside HiGHS. */

import { keyOf } from "../problem/lattice.js";
import { Game } from "../play/game.js";
import { button, enable, h, redraw } from "../view/dom.js";
import { checked, cutDid, whyDead } from "./check.js";
import { cutOf, violatedClique, violatedHole } from "./cuts.js";
import { figures, nameOf, numberLine } from "./drawing.js";
import { GuessPanel } from "./guesspanel.js";
import { cutOffBy, judge, pointText } from "./judge.js";
import { LessonPanel } from "./lessonpanel.js";
import { LESSONS, readLesson } from "./lessons.js";
import { ModelSession } from "./modelsession.js";
import { cutWords, LIMIT, logTable, rulesTable } from "./panels.js";
import { readRow } from "./expressions.js";
import { RowPanel } from "./rowpanel.js";
import { PollPanel, pollOf, withPoll } from "./poll.js";
import { choose, nextOpen, ORDERS, RULES } from "./rules.js";
import { BoardSession, keyText, OBJECTIVES } from "./session.js";
import { smallGame } from "./small.js";
import { Solver, Superseded } from "./solver.js";
import { fractionOf } from "./exact.js";
import { BoardStage, ModelStage } from "./stage.js";
import { dress } from "./style.js";
import { t } from "./text.js";
import { TreeView } from "./treeview.js";

/** @typedef {import("../view/app.js").App} App */
/** @typedef {import("./session.js").Session} Session */
/** @typedef {import("./solver.js").Ask} Ask */
/** @typedef {import("./text.js").Key} Key */
/** @typedef {import("./tree.js").State} State */
/** @typedef {import("./tree.js").Split} Split */
/** @typedef {import("./tree.js").Tree} Tree */
/** @typedef {import("./tree.js").TreeNode} TreeNode */

/** So many placements are offered for branching. */
const OFFERED = 40;

/** So many instances keep their tree. */
const KEPT = 12;

/** A tree that is grown to its end stops after so many nodes more. */
const END = 1000;

/** Milliseconds after which Stop is offered: most relaxations are solved before. */
const SOON = 150;

/** Milliseconds between two pictures of a tree that grows by itself. */
const FRAME = 120;

/** What a node is, in the words of the field. @type {Record<State, Key>} */
const STATES = { open: "open", fractional: "isFractional", integral: "integral", infeasible: "infeasible", bound: "bound", dominated: "dominated" };

/** What a student does, by key, title and text; the text of the step that comes next is unfolded. @type {[string, Key, Key][]} */
const STEPS = [
  ["relax", "stepRelax", "textRelax"],
  ["read", "stepRead", "textRead"],
  ["branch", "stepBranch", "textBranch"],
  ["prune", "stepPrune", "textPrune"],
  ["compare", "stepCompare", "textCompare"],
];

/** How HiGHS solves an instance. */
const HOW = ["usual", "plain", "all"];

/** The view of the lab. */
export class LabView {
  /** @param {App} app @param {HTMLElement} element @param {boolean} isAsked whether an address led here */
  constructor(app, element, isAsked) {
    this.app = app;
    this.element = element;
    dress();
    this.solver = new Solver((state) => this.turned(state));
    document.addEventListener("keydown", (event) => this.key(event), true);
    this.treeView = new TreeView((node) => this.visit(node), (session, node) => {
      const words = t("node", { name: nameOf(session, node) || t("root"), state: t(this.wordOf(session.tree.stateOf(node))) });
      return node.bound === null ? words : t("nodeBound", { node: words, bound: figures(session.sign * node.bound, 2) });
    });
    /** What each instance has, the last one at the end. @type {Map<string, Session>} */
    this.sessions = new Map();
    /** Whether the small board is shown: who comes by the tab begins with it. */
    this.isSmall = !isAsked && !app.game.placed.length;
    /** The lesson that is shown: its name, or all of it as a link has it; nothing where a board is. */
    this.lesson = "";
    this.objective = OBJECTIVES[Number(this.isSmall)];
    this.rule = RULES[0];
    this.order = ORDERS[0];
    /** The node that an address asks about, or -1. */
    this.asked = -1;
    /** @type {string} */
    this.how = HOW[0];
    this.guesses = new GuessPanel(app);
    /** The instance of the page when the lab was opened last. */
    this.last = app.key;
    /** The text of a tree that is being grown again. */
    this.wanted = "";
    /** When the growing tree was drawn last. */
    this.drawn = 0;
  }

  /**
   * Keys of the projector: P turns it on and off; with it, space is the next node by the rule, and back is back.
   * @param {KeyboardEvent} event
   */
  key(event) {
    if (!this.element.isConnected || event.ctrlKey || event.metaKey || event.altKey) return;
    if (/** @type {Element} */ (event.target).closest("input, select, textarea, dialog")) return;
    const { classList } = document.documentElement;
    const isOn = classList.contains("projector");
    const isNext = event.key === " " || event.key === "PageDown";
    const isBack = event.key === "Backspace" || event.key === "PageUp";
    if (event.key === "p" || event.key === "P") this.project(!isOn);
    else if (isOn && (isNext || isBack)) {
      event.preventDefault();
      if (isBack) this.back(-1);
      else if (!this.solver.isBusy) void this.byRule(1);
    }
  }

  /** Show the lab to a room, or no longer. @param {boolean} isOn */
  project(isOn) {
    document.documentElement.classList.toggle("projector", isOn);
    this.tools?.project.setAttribute("aria-pressed", String(isOn));
  }

  /** @param {Game} game */
  open(game) {
    const { tree: wanted, asked } = pollOf(this.app.tree);
    if (wanted || this.app.lesson) this.asked = asked;
    this.app.tree = "";
    if (this.last !== this.app.key) [this.isSmall, this.lesson] = [false, ""];
    this.last = this.app.key;
    if (this.app.lesson) {
      this.app.attempt(() => {
        readLesson(this.app.lesson);
        this.lesson = this.app.lesson;
      });
      this.app.lesson = "";
    }
    // Who has solved a date comes to beat the solution.
    if (game.solved && !wanted) [this.objective, this.isSmall] = [OBJECTIVES[1], false];
    const [head, ...steps] = wanted.split(";");
    const objective = head.replace("small-", "");
    if (OBJECTIVES.includes(objective)) [this.objective, this.isSmall] = [objective, head !== objective];
    this.show(game);
    const { session } = this;
    if (session && wanted && this.textOf(session) !== wanted) {
      if (session.tree.steps.length) this.again();
      void this.grow(session, wanted, steps);
    }
  }

  /** Show the instance that is chosen. @param {Game} game the page's */
  show(game) {
    const laid = [...game.laid].sort((a, b) => a - b);
    const key = this.lesson ? `lesson ${this.lesson}` : this.isSmall ? `small ${this.objective}` : [this.app.key, laid, this.objective].join("|");
    const session = this.sessions.get(key) ?? this.begin(game);
    this.sessions.delete(key);
    this.sessions.set(key, session);
    if (this.sessions.size > KEPT) this.sessions.delete([...this.sessions.keys()][0]);
    this.session = session;
    // The step that comes next is unfolded.
    /** @type {number} */
    this.step = -2;
    this.build(session);
    this.draw();
  }

  /** A session of what is chosen; a solved game gives the empty date, and its tiling. @param {Game} game @returns {Session} */
  begin(game) {
    if (this.lesson) return new ModelSession(readLesson(this.lesson));
    if (this.isSmall) return new BoardSession(smallGame(), this.objective);
    if (!game.solved) return new BoardSession(game, this.objective);
    return new BoardSession(new Game(game.source, game.labels, game.flip, game.instance.name), this.objective, game.placed);
  }

  /** Build what an instance needs. @param {Session} session */
  build(session) {
    const isBoard = session instanceof BoardSession;
    const lesson = session instanceof ModelSession ? session : null;
    this.stage = isBoard ? new BoardStage(session, (event) => this.pick(event)) : lesson && new ModelStage(lesson);
    this.panel = lesson && new LessonPanel(lesson, (text) => void this.judge(lesson, text));
    this.facts = h("p", { class: "facts", role: "status" });
    this.steps = h("ol", { class: "steps" });
    this.candidates = h("div", { class: "candidates", role: "group", "aria-label": t("placements"), tabindex: "0", "data-rest": "" });
    this.line = h("div", { class: "of-line" });
    this.numbers = h("div", { tabindex: "0", role: "group", "aria-label": t("check") });
    this.checks = h("details", { class: "check-numbers", ontoggle: () => this.drawChecks() }, h("summary", {}, t("check")), this.numbers);
    const turns = ["board", "tree"].map((name) => button(t(name === "tree" ? "tree" : isBoard ? "board" : "model"), () => this.turnTo(name), { "data-key": name }));
    this.turns = h("div", { class: "turns", role: "group", "aria-label": t("turn") }, ...turns);
    this.tables = h("div", {});
    this.log = h("pre", { class: "lab-log", tabindex: "0", role: "log", "aria-label": t("log") });
    this.cutLine = h("p", { class: "quiet", role: "status" });
    this.tools = {
      relax: button(t("stepRelax"), () => this.relax()),
      undo: button(t("undo"), () => this.back(-1)),
      redo: button(t("redo"), () => this.back(1)),
      again: button(t("again"), () => this.again()),
      solve: button(t("solve"), () => void (this.how === "all" ? this.enumerate() : this.whole(this.how === "plain"))),
      poll: button(t("poll"), () => {
        this.poll?.turn();
        this.drawPoll();
      }),
      project: button(t("project"), () => this.project(!document.documentElement.classList.contains("projector")), { "aria-pressed": "false", title: t("projectKeys") }),
      stop: button(t("stop"), () => this.solver.stop(), { class: "stop" }),
    };
    this.tools.stop.hidden = true;
    const rules = h("div", { class: "tools rules" },
      this.choice("rule", this.rules, this.rule, (value) => (this.rule = value)),
      lesson?.lesson.ask.kind === "tree" && this.choice("order", ORDERS, this.order, (value) => (this.order = value)),
      button(t("step"), () => void this.byRule(1)),
      button(t("finish"), () => void this.byRule(END)),
      button(t("compare"), () => void this.compareRules()));
    this.poll = new PollPanel(session, this.asked, (box, node) => void this.app.showCode(box, withPoll(this.app.address, node)), (split, child) => {
      this.tools?.relax.focus();
      this.branch(split, child);
    });
    this.rowPanel = lesson && new RowPanel(lesson, () => void this.addRow(lesson), (words) => {
      lesson.cutSaid = words;
      this.drawCandidates();
    });
    const cuts = h("details", { class: "cuts" }, h("summary", {}, t("cuts")), this.cutLine,
      ...(this.rowPanel?.tools ?? [h("div", { class: "tools" },
        button(t("findClique"), () => this.findCut(violatedClique, "noClique")),
        button(t("findHole"), () => this.findCut(violatedHole, "noHole")),
        button(t("addCut"), () => this.addCut()))]));
    const own = this.lesson && !Object.hasOwn(LESSONS, this.lesson) ? [this.lesson] : [];
    const boards = this.app.lock ? [] : [this.choice("board", ["small", "puzzle", ...own, ...Object.keys(LESSONS)], this.lesson || (this.isSmall ? "small" : "puzzle"), (value) => {
      this.isSmall = value === "small";
      this.lesson = ["small", "puzzle"].includes(value) ? "" : value;
      this.showAgain(this.app.game);
    })];
    this.element.replaceChildren(
      this.turns, h("div", { class: "stage" }, this.stage?.element),
      h("section", { class: "side", "aria-label": t("side") },
        h("div", { class: "tools" }, ...boards, isBoard && this.choice("objective", OBJECTIVES, this.objective, (value) => {
          this.objective = value;
          this.showAgain(this.app.game);
        })),
        this.panel?.element,
        // What they say is of placements.
        isBoard && this.steps,
        h("div", { class: "tools" }, ...Object.values(this.tools), this.choice("how", isBoard ? HOW : HOW.slice(0, 2), this.how, (value) => (this.how = value))),
        this.facts, this.line, this.treeView.element, this.poll.element, this.guesses.element, this.candidates, this.checks, rules, cuts, this.tables, this.log));
    this.turnTo(this.element.dataset.turn ?? "board");
    this.turned(this.solver.state);
  }

  /** Show the board or the tree, where there is no room for both. @param {string} name */
  turnTo(name) {
    this.element.dataset.turn = name;
    for (const one of this.turns?.children ?? []) one.setAttribute("aria-pressed", String(one.getAttribute("data-key") === name));
  }

  /** Show another board or objective, and stay at its control. @param {Game} game */
  showAgain(game) {
    this.asked = -1;
    const { activeElement } = document;
    this.solver.stop(true);
    this.show(game);
    if (activeElement?.id) document.getElementById(activeElement.id)?.focus();
  }

  /** A choice with its label. @param {"rule" | "order" | "board" | "objective" | "how"} name @param {readonly string[]} values @param {string} now @param {(value: string) => void} chosen */
  choice(name, values, now, chosen) {
    const titleOf = (/** @type {string} */ value) => {
      if (value === "puzzle") return this.app.game.puzzle.name;
      return name === "board" && value !== "small" ? readLesson(value).title : t(/** @type {Key} */ (value));
    };
    return h("label", { class: "choice" }, h("span", {}, t(name === "board" && this.lesson ? "lesson" : name)),
      h("select", {
        id: `lab-${name}`,
        onchange: (/** @type {Event} */ event) => chosen(/** @type {HTMLSelectElement} */ (event.currentTarget).value),
      }, ...values.map((value) => h("option", { value, selected: value === now }, titleOf(value)))));
  }

  /** What a state is called: a lesson has no tilings. @param {State} state */
  wordOf(state) {
    return this.lesson && state === "integral" ? "integralSolution" : STATES[state];
  }

  /** The rules that serve what is shown: a model has no cells. */
  get rules() {
    return this.lesson ? RULES.filter((rule) => rule !== "cell") : RULES;
  }

  close() {
    // A thread that loads goes on: it serves whatever comes next.
    this.solver.stop(true);
    this.project(false);
  }

  /** A tree with its instance. @param {Session} session @returns {string} */
  textOf({ text, head }) {
    if (this.lesson) return text === head ? "" : text;
    return this.isSmall ? `small-${text}` : text === OBJECTIVES[0] ? "" : text;
  }

  /** What of the lab an address holds. */
  get shared() {
    const tree = this.wanted || (this.session ? this.textOf(this.session) : "");
    return tree && this.asked >= 0 ? `${tree};${this.asked}.poll` : tree;
  }

  /** Hear that the solver begins or ends something. @param {import("./solver.js").State} state */
  turned(state) {
    this.element.dataset.state = state;
    if (state === "loading") this.say(t("loading"));
    const show = () => {
      const { tools, solver } = this;
      if (!tools || tools.stop.hidden === !solver.isBusy) return;
      if (document.activeElement === tools.stop) tools.relax.focus();
      tools.stop.hidden = !solver.isBusy;
    };
    if (this.solver.isBusy) setTimeout(show, SOON);
    else show();
    // Whatever was under way is over: what it left is shown.
    if (state === "idle") this.draw();
  }

  /**
   * Run something that asks the solver; what it finds belongs to the instance that is open now.
   * What goes wrong becomes a sentence.
   * @param {(ask: Ask, session: Session) => Promise<void>} work
   */
  async run(work) {
    const { session } = this;
    if (!session) return;
    this.wanted = "";
    try {
      if (!session.columns) throw new Error(t("nothing"));
      await this.solver.run(session.model, (ask) => work(ask, session));
    } catch (error) {
      if (error instanceof Superseded) return;
      this.app.say(error instanceof Error ? error.message : String(error));
    }
    if (session === this.session) this.draw();
  }

  /** @param {string} text */
  say(text) {
    if (this.facts) this.facts.textContent = text;
  }

  // Branch and bound -------------------------------------------------------

  /** Solve the relaxation at the root, or show it again. */
  relax() {
    const { tree } = this.session ?? {};
    if (tree) this.visit(tree.root);
  }

  /** Solve a node that is open; show one that was solved. @param {TreeNode} node */
  visit(node) {
    const { session } = this;
    if (!session) return;
    if (node.number < 0) void this.run((ask) => this.solve(ask, session, node));
    else {
      session.tree.here = node;
      session.unpick();
      this.draw();
    }
  }

  /** Solve the relaxation at a node. @param {Ask} ask @param {Session} session @param {TreeNode} node @param {import("./tree.js").Cut | null} [cut] added before @param {Tree} [tree] @param {boolean} [isOwn] whether a student did it, and no rule */
  async solve(ask, session, node, cut = null, tree = session.tree, isOwn = true) {
    const cuts = cut ? [...tree.cuts, cut] : tree.cuts;
    const { bound, values, duals } = await ask({ task: "relax", fixings: tree.fixings(node), cuts });
    tree.settle(node, bound, values, cut, duals);
    const state = tree.stateOf(node, null);
    if (state === "integral" && !session.isSolution(values)) {
      tree.undo();
      throw new Error(t("notTiling"));
    }
    if (tree !== session.tree) return;
    session.unpick();
    // What a student did by hand is done, and not what a rule did to the end.
    if (isOwn) {
      const { done } = session;
      done.add(node === tree.root ? "relax" : "branch");
      if (tree.stateOf(node) !== "fractional" && node !== tree.root) done.add("prune");
      this.guesses.told(session, node);
    }
    this.app.frame.tell("nodes", {
      nodes: tree.solved, open: tree.open.length, state: tree.stateOf(node), bound: node.bound, cells: session.cells,
    });
  }

  /** Branch where we are, and solve one child. @param {Split} split @param {number} child */
  branch(split, child) {
    const { tree } = this.session ?? {};
    const node = tree?.branch(tree.here, split)[child];
    if (node) this.visit(node);
  }

  /** Undo a step, or do it again. @param {-1 | 1} step */
  back(step) {
    const { session } = this;
    if (!session) return;
    this.solver.stop(true);
    if (step > 0) session.tree.redo();
    else if (!session.tree.undo() && session.former) [session.tree, session.former] = [session.former, null];
    session.unpick();
    this.draw();
  }

  /** Begin with an empty tree; Undo brings the old one back. */
  again() {
    const { session } = this;
    if (!session) return;
    this.solver.stop(true);
    if (session.tree.steps.length) session.former = session.tree;
    session.tree = session.newTree();
    session.unpick();
    session.answer = session.log = "";
    session.done.clear();
    this.step = -2;
    this.draw();
  }

  /** Grow the tree of an address. @param {Session} session @param {string} text @param {string[]} words */
  async grow(session, text, words) {
    const steps = words.filter((word) => word !== "root");
    const { plan, wrong } = session.planOf(steps);
    let fault = wrong;
    const growing = this.run(async (ask) => {
      const { tree } = session;
      if (words.length) await this.solve(ask, session, tree.root);
      for (const [k, step] of plan.entries()) {
        const number = "cut" in step ? step.node : step.parent;
        const node = tree.nodes.find((one) => one.number === number);
        const split = node && "key" in step ? session.splitOf(step, node) : null;
        const target = node && split && "key" in step ? tree.branch(node, split)[split.keys.indexOf(step.key)] : node;
        if (!target || ("key" in step && target.number >= 0)) {
          fault = steps[k];
          break;
        }
        await this.solve(ask, session, target, "cut" in step ? step.cut : null);
        this.drawSoon();
      }
      if (fault) throw new Error(t("wrongTree", { step: fault }));
    });
    this.wanted = text;
    await growing;
    if (this.wanted === text) this.wanted = "";
    this.app.remember();
  }

  /** Choose the placement on a cell that was clicked; the next one at the next click. @param {MouseEvent} event */
  pick(event) {
    const { stage, session } = this;
    if (!(session instanceof BoardSession) || !(stage instanceof BoardStage)) return;
    const cell = stage.board.cellAt(stage.board.pointAt(event));
    const item = cell && session.cover.position.get(keyOf(cell));
    if (item === undefined || item === null) return;
    const here = session.tree.fractional(session.tree.here).map(({ column }) => column)
      .filter((column) => session.cover.options[column].items.includes(item));
    if (!here.length) return;
    session.cell = item;
    this.choose(here[(here.indexOf(session.picked) + 1) % here.length]);
    this.drawCandidates();
    this.drawSteps();
    const row = this.candidates?.querySelector(".chosen");
    row?.scrollIntoView({ block: "nearest" });
  }

  /** @param {number} column */
  choose(column) {
    const { session } = this;
    if (!session || session.picked === column) return;
    session.picked = column;
    // The steps are drawn with the next picture: what moves under a pointer is not clicked.
    session.done.add("read");
    this.stage?.light();
    for (const row of this.candidates?.querySelectorAll("[data-column]") ?? []) {
      row.classList.toggle("chosen", row.getAttribute("data-column") === String(column));
    }
  }

  // By a rule --------------------------------------------------------------

  /**
   * Grow a tree by a rule until it is done or has so many nodes more.
   * @param {Ask} ask @param {Session} session @param {Tree} tree @param {string} rule @param {number} most @returns {Promise<number>} how many LPs it solved
   */
  async follow(ask, session, tree, rule, most) {
    let lps = 0;
    /** @param {import("./tree.js").Fix[]} fixings */
    const probe = async (fixings) => {
      lps += 1;
      const { bound } = await ask({ task: "relax", fixings, cuts: tree.cuts });
      return bound;
    };
    const last = tree.solved + most;
    while (tree.solved < last && !this.isDone(tree)) {
      const node = this.next(session, tree);
      if (!node) break;
      if (node.number >= 0) {
        tree.branch(node, await choose(rule, session, tree, node, probe));
        continue;
      }
      await this.solve(ask, session, node, null, tree, false);
      lps += 1;
      if (tree === session.tree) this.drawSoon();
    }
    return lps;
  }

  /** The order of the nodes: a lesson about trees lets one choose. @param {Session} session */
  orderOf(session) {
    return session instanceof ModelSession && session.lesson.ask.kind === "tree" ? this.order : ORDERS[0];
  }

  /** The node that comes next. @param {Session} session @param {Tree} tree */
  next(session, tree) {
    return tree.root.number < 0 ? tree.root : nextOpen(tree, this.orderOf(session));
  }

  /** Whether a tree needs no more: nothing is open, or a solution reaches the target. @param {Tree} tree */
  isDone(tree) {
    return tree.solved > 0 && (!tree.open.length || (tree.target < Infinity && tree.incumbent !== null));
  }

  /** Branch by the rule that is chosen. @param {number} most nodes */
  byRule(most) {
    return this.run(async (ask, session) => {
      const { tree } = session;
      if (most > 1) {
        await this.follow(ask, session, tree, this.rule, most);
        return undefined;
      }
      const { here } = tree;
      const probe = async (/** @type {import("./tree.js").Fix[]} */ fixings) =>
        (await ask({ task: "relax", fixings, cuts: tree.cuts })).bound;
      const isHere = this.orderOf(session) === ORDERS[0] && here.number >= 0 && tree.stateOf(here) === "fractional" && !here.children.length;
      const node = isHere ? here : this.next(session, tree);
      if (!node) return undefined;
      if (node.number < 0) return this.solve(ask, session, node);
      const [first] = tree.branch(node, await choose(this.rule, session, tree, node, probe));
      return this.solve(ask, session, first);
    });
  }

  /** Let every rule grow a tree of its own. */
  compareRules() {
    return this.run(async (ask, session) => {
      for (const rule of this.rules) {
        this.say(`${t("rule")}: ${t(/** @type {Key} */ (rule))}…`);
        const tree = session.newTree();
        const lps = await this.follow(ask, session, tree, rule, LIMIT);
        session.ruled.set(rule, { nodes: tree.solved, lps, incumbent: tree.incumbent, isDone: this.isDone(tree) });
        this.drawTables();
      }
      session.done.add("compare");
      this.guesses.compared(session);
    });
  }

  // Cuts -------------------------------------------------------------------

  /** Tick the placements of a cut that is violated. @param {typeof violatedClique} find @param {"noClique" | "noHole"} none */
  findCut(find, none) {
    const { session } = this;
    if (!(session instanceof BoardSession)) return;
    const cut = find(session.cover, session.tree.here.values);
    session.ticked = new Set(cut?.columns);
    session.cutSaid = cut ? "" : t(none);
    this.drawCandidates();
  }

  /** Add the cut of the ticked placements, and solve the node again. */
  addCut() {
    const { session } = this;
    const node = session?.tree.here;
    const cut = session instanceof BoardSession && cutOf(session.cover, [...session.ticked]);
    if (cut && node) this.addAt(node, cut);
  }

  /** Add a cut at a node that was solved, and solve it again. @param {TreeNode} node @param {import("./tree.js").Cut} cut */
  addAt(node, cut) {
    if (node.number < 0) return;
    const { bound, values } = node;
    void this.run(async (ask, session) => {
      await this.solve(ask, session, node, cut);
      session.cutSaid = cutDid(session, cut, values, bound);
    });
  }

  /** Add the row that was written as a cut, unless it cuts off a solution. @param {ModelSession} session */
  async addRow(session) {
    const { names, model: { linear }, tree: { here } } = session;
    const text = this.rowPanel?.row.value ?? "";
    const row = readRow(text, names);
    if (!row || row.low === row.high) session.cutSaid = t("rowHow", { row: text || "–" });
    else {
      let lost = null;
      const isDecided = await this.attemptExactly(async (relax) => (lost = await cutOffBy(relax, linear, row)));
      // Whatever took the solver away may have another model or node on show.
      if (!isDecided) return;
      session.cutSaid = lost ? t("solutionGone", { point: pointText(names, lost) }) : "";
      const sign = row.high === Infinity ? -1 : 1;
      if (!lost && here.number >= 0) {
        this.addAt(here, { columns: row.index, values: row.value.map((value) => sign * value), most: sign > 0 ? row.high : -row.low });
        return;
      }
    }
    this.drawCandidates();
  }

  // Lessons ----------------------------------------------------------------

  /** Do something that solves relaxations of models of its own; say whether it came to its end. @param {(relax: import("./judge.js").Relax) => Promise<unknown>} work */
  async attemptExactly(work) {
    try {
      await work(async (linear, fixings) => this.solver.run({ linear, whole: linear, isExact: true }, (ask) => ask({ task: "relax", fixings, cuts: [] })));
      return true;
    } catch (error) {
      if (!(error instanceof Superseded)) this.app.say(error instanceof Error ? error.message : String(error));
      return false;
    }
  }

  /** Judge the answer to a lesson. @param {ModelSession} session @param {string} text */
  async judge(session, text) {
    session.answered = text;
    [session.verdict, session.isRight] = [t("solving"), false];
    this.panel?.draw();
    const isDecided = await this.attemptExactly(async (relax) => {
      const { isRight, words } = await judge(session.task, text, relax);
      [session.verdict, session.isRight] = [words, isRight];
    });
    if (!isDecided) session.verdict = "";
    this.panel?.draw();
  }

  // HiGHS ------------------------------------------------------------------

  /** Let HiGHS solve the instance. @param {boolean} isPlain without heuristics and presolve */
  whole(isPlain) {
    return this.run(async (ask, session) => {
      session.log = session.answer = "";
      this.drawLog();
      this.say(t("solving"));
      const { status, nodes, seconds, chosen, values } = await ask({ task: "solve", isPlain }, ({ log: text }) => {
        session.log += text;
        this.drawLog();
        if (performance.now() - this.drawn < FRAME) return;
        this.drawn = performance.now();
        this.drawTables();
      });
      let what = status === "infeasible" ? t(this.lesson ? "infeasible" : "noTiling") : t("stopped");
      if (status === "optimal") {
        if (!session.isSolution(values)) throw new Error(t("notTiling"));
        if (session instanceof BoardSession) session.tiling = chosen;
        const { linear, isExact } = session.model;
        const weight = session.sign * values.reduce((/** @type {number} */ sum, /** @type {number} */ value, /** @type {number} */ column) => sum + linear.cost[column] * value, 0);
        what = isExact ? t(this.lesson ? "solutionWorth" : "tilingWorth", { weight: figures(weight) }) : t("tiling");
        session.ruled.set("highs", { nodes, lps: 0, incumbent: weight, isDone: true });
      }
      session.answer = t("highs", { what, n: nodes, seconds: seconds.toFixed(2) });
      this.app.frame.tell("highs", { nodes, status, seconds });
    });
  }

  /** All tilings, each forbidden by a no-good cut after it was found. */
  enumerate() {
    return this.run(async (ask, session) => {
      if (!(session instanceof BoardSession)) return;
      const { game } = session;
      const seen = new Set();
      const begun = performance.now();
      let isWrong = false;
      this.say(t("solving"));
      const { complete } = await ask({ task: "enumerate" }, ({ chosen }) => {
        const key = [...chosen].sort((a, b) => a - b).join();
        if (seen.has(key) || !session.isTiling(chosen)) {
          isWrong = true;
          return;
        }
        seen.add(key);
        session.tiling = chosen;
        const found = t("found", { n: seen.size });
        // What is true if it is stopped now.
        session.answer = t("foundSome", { found });
        this.drawBoard();
        this.say(t("foundCuts", { found, seconds: ((performance.now() - begun) / 1000).toFixed(1) }));
      });
      if (isWrong) throw new Error(t("notTiling"));
      const found = t("found", { n: seen.size });
      session.answer = t(complete ? "foundAll" : "foundSome", { found });
      // "No more" is never said on one program's word.
      if (complete) {
        this.app.searcher.start(
          { task: "position", source: game.source, flip: game.flip, labels: game.labels, laid: game.laid },
          (known, finished) => {
            if (!finished || !known?.complete) return;
            const said = session.answer;
            session.answer = known.tilings === seen.size ? t("agrees", { said }) : t("disagrees", { said, n: known.tilings });
            this.drawFacts();
          });
      }
    });
  }

  // What is drawn ----------------------------------------------------------

  draw() {
    const { tools, session } = this;
    if (!tools || !session) return;
    this.drawn = performance.now();
    this.drawSteps();
    const { tree, former } = session;
    enable(tools.undo, tree.steps.length > 0 || former !== null);
    enable(tools.redo, tree.undone.length > 0);
    this.drawPoll();
    this.panel?.draw();
    this.drawFacts();
    this.drawBoard();
    this.drawTree();
    this.drawChecks();
    this.drawCandidates();
    this.drawTables();
    this.drawLog();
    this.app.remember();
  }

  /** Draw a tree that grows by itself, not at every node. */
  drawSoon() {
    if (performance.now() - this.drawn > FRAME) this.draw();
  }

  drawPoll() {
    const { poll, tools } = this;
    if (!poll || !tools) return;
    tools.poll.hidden = this.asked >= 0 || !poll.isPossible;
    this.element.classList.toggle("polled", poll.isOn);
    this.element.classList.toggle("asked", this.asked >= 0 && poll.isOn);
    poll.draw();
  }

  drawTables() {
    const { tables, session } = this;
    if (tables && session) redraw(tables, rulesTable(session), logTable(session));
  }

  drawLog() {
    const { log, session } = this;
    if (!log || !session) return;
    log.hidden = !session.log;
    if (log.textContent === session.log) return;
    log.textContent = session.log;
    log.scrollTop = log.scrollHeight;
  }

  drawSteps() {
    const { steps, session } = this;
    if (!steps || !session) return;
    const { done } = session;
    const now = STEPS.findIndex(([key]) => !done.has(key));
    redraw(steps, ...STEPS.map(([key, title, text]) =>
      h("li", { class: done.has(key) ? "done" : "" }, h("details", {}, h("summary", {}, t(title)), t(text)))));
    if (this.step === now) return;
    // What a reader unfolds stays so until the next step.
    this.step = now;
    steps.querySelectorAll("details").forEach((item, k) => (item.open = k === now));
  }

  drawFacts() {
    const { session, facts } = this;
    if (!session || !facts) return;
    const { tree } = session;
    const { here } = tree;
    /** @type {string[]} */
    const parts = [];
    if (tree.solved) {
      const { bound } = here;
      const state = tree.stateOf(here);
      if (bound !== null) {
        parts.push(tree.target === Infinity ? t("boundIs", { bound: figures(session.sign * bound) })
          : t("boundOf", { bound: figures(bound), cells: session.cells }));
      }
      parts.push(state === "fractional" ? t("columns", { n: tree.fractional(here).length }) : t(this.wordOf(state)));
      const why = whyDead(session, here);
      if (why) parts.push(why);
      const you = t("you", { n: tree.solved });
      parts.push(tree.open.length ? you : t("noneOpen", { you }));
      parts.push(this.gap(session));
    }
    if (session.guessed) parts.push(session.guessed);
    if (session.answer) parts.push(session.answer);
    redraw(facts, ...parts.map((part) => h("span", {}, part)));
    if (this.line) redraw(this.line, tree.solved ? numberLine(tree, this.gap(session), session.sign) : null);
  }

  /** Incumbent, best bound and gap. @param {Session} session */
  gap({ tree, sign }) {
    const { incumbent, bestBound } = tree;
    const gap = incumbent === null || bestBound === null ? "–" : `${figures((100 * (bestBound - incumbent)) / Math.max(1, Math.abs(incumbent)), 1)} %`;
    const words = (/** @type {number | null} */ value) => (value === null ? "–" : figures(sign * value, 2));
    return t("gap", { incumbent: words(incumbent), bound: words(bestBound), gap });
  }

  drawBoard() {
    this.stage?.draw();
  }

  drawTree() {
    if (this.session) this.treeView.draw(this.session);
  }

  /** The numbers of the current node, where they are unfolded. */
  drawChecks() {
    const { session, numbers, checks } = this;
    if (session && numbers && checks?.open) redraw(numbers, ...checked(session));
  }

  drawCandidates() {
    const { session, candidates, cutLine } = this;
    if (!session || !candidates || !cutLine) return;
    const cover = session instanceof BoardSession ? session.cover : null;
    const words = () => session.cutSaid || (session instanceof BoardSession ? cutWords(session) : t("cutRow"));
    cutLine.textContent = words();
    const { tree } = session;
    const { here } = tree;
    const state = tree.stateOf(here);
    if (state !== "fractional") {
      const open = tree.open.length;
      const { name } = session;
      const { ownWorth } = session;
      redraw(candidates, h("p", { class: "quiet" }, !tree.solved && ownWorth !== null && tree.target === Infinity ? t("yours", { weight: ownWorth }) : !tree.solved
        ? `${t("sizes", { name, columns: session.columns, rows: session.rows })}${cover && tree.target === Infinity ? ` ${t("weightsAre")}` : ""}`
        : state === "integral" && tree.target < Infinity ? t("noBetter") : open ? t("goOn", { n: open }) : t("complete")));
      return;
    }
    const { split } = here;
    const isSettled = here.children.some((child) => child.number >= 0);
    const offered = tree.fractional(here)
      .filter(({ column }) => !isSettled || (split?.kind === "column" && split.at === column)).slice(0, OFFERED);
    const cell = session instanceof BoardSession && session.cell >= 0 && !isSettled
      ? button(t("which", { label: session.labelOf(session.cell) }),
        () => this.branch(session.splitCell(session.cell, tree.fixings(here)), 0), { class: "which" }) : null;
    redraw(candidates, cell, h("p", { class: "quiet" }, t(isSettled ? "branched" : cover ? "offered" : "offeredColumns")), ...offered.map(({ column, value }) => {
      const name = session.columnName(column);
      const cost = figures(session.sign * session.model.linear.cost[column]);
      const splitting = session.splitColumn(column, value);
      const bar = h("i", {});
      bar.style.width = `${(value - Math.floor(value)) * 100}%`;
      return h("div", {
        class: `candidate${session.model.isExact ? "" : " plain"}${column === session.picked ? " chosen" : ""}`, "data-column": column,
        // Not "pointerenter": what comes to lie below a resting pointer was not looked at.
        onpointermove: () => this.choose(column),
        onfocusin: () => this.choose(column),
      },
      cover ? h("input", {
        type: "checkbox", checked: session.ticked.has(column), "aria-label": t("inCut", { name }),
        onchange: (/** @type {Event} */ event) => {
          if (/** @type {HTMLInputElement} */ (event.currentTarget).checked) session.ticked.add(column);
          else session.ticked.delete(column);
          session.cutSaid = "";
          cutLine.textContent = words();
        },
      }) : h("span", {}),
      h("span", {}, name),
      session.model.isExact ? h("span", { class: "weight", "aria-hidden": "true" }, `${cost} ·`) : null,
      h("span", { class: "value" }, String(fractionOf(value)).length < 7 ? String(fractionOf(value)) : figures(value)),
      h("span", {
        class: "bar", role: "img",
        "aria-label": session.model.isExact ? t("weightTimes", { weight: cost, value: value.toFixed(3) }) : t("value", { value: value.toFixed(3) }),
      }, bar),
      ...splitting.keys.map((key, child) => button(keyText(key), () => this.branch(splitting, child),
        { "aria-label": /^\d/.test(key) ? t("fix", { name, value: key }) : t("fixTo", { name, range: key }) })));
    }));
  }
}
