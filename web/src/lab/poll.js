/** The poll "which branch?": a QR code opens the same node on phones, where each student picks a branch and calls its number. No server. */

import { button, h, redraw } from "../view/dom.js";
import { keyText } from "./session.js";
import { t } from "./text.js";

/** @typedef {import("./session.js").Session} Session */
/** @typedef {import("./tree.js").Split} Split */

/** So many columns are offered: a room chooses among few. */
const OFFERED = 5;

/** What an address with a poll has behind its tree. */
const POLL = /;(\d{1,5})\.poll$/;

/** The tree of an address, and the node that it asks about, or -1. @param {string} text */
export const pollOf = (text) => ({ tree: text.replace(POLL, ""), asked: Number(POLL.exec(text)?.[1] ?? -1) });

/** An address with a poll. @param {string} address with a tree @param {number} node */
export const withPoll = (address, node) => address.replace(/&tree=[^&]*/, (all) => `${all};${node}.poll`);

/** The poll beside the tree. */
export class PollPanel {
  /**
   * @param {Session} session @param {number} asked the node that an address asks about, or -1
   * @param {(box: Element, node: number) => void} showCode @param {(split: Split, child: number) => void} branch
   */
  constructor(session, asked, showCode, branch) {
    this.session = session;
    this.asked = asked;
    this.showCode = showCode;
    this.branch = branch;
    /** The node that is asked about, or -1. */
    this.node = asked;
    /** How often each number was called. @type {number[]} */
    this.votes = [];
    /** What a student picked, or -1. */
    this.picked = -1;
    this.code = h("div", {});
    this.options = h("div", { class: "options" });
    this.said = h("p", { class: "verdict", role: "status" });
    this.element = h("section", { class: "poll", "aria-label": t("poll") }, h("h2", {}, t("pollWhich")), h("div", { class: "poll-parts" }, this.code, h("div", {}, this.options, this.said)));
    this.draw();
  }

  /** Whether the current node can be asked about. */
  get isPossible() {
    const { here } = this.session.tree;
    return this.session.tree.stateOf(here) === "fractional" && !here.children.some(({ number }) => number >= 0);
  }

  /** Whether the poll is about what is shown. */
  get isOn() {
    return this.node === this.session.tree.here.number && this.isPossible;
  }

  /** Begin a poll about the current node, or end it. */
  turn() {
    this.node = this.isOn ? -1 : this.session.tree.here.number;
    this.votes = [];
    redraw(this.code);
    if (this.isOn) this.showCode(this.code, this.node);
    this.draw();
  }

  /** The branches, in the order of their numbers: the same on every phone. */
  get branches() {
    const { session } = this;
    const { tree } = session;
    return tree.fractional(tree.here).slice(0, OFFERED).flatMap(({ column, value }) => {
      const split = session.splitColumn(column, value);
      return split.keys.map((key, child) => ({ split, child, name: `${session.columnName(column)} ${keyText(key)}` }));
    });
  }

  draw() {
    const { isOn, asked, votes, element, options, said } = this;
    element.hidden = !isOn;
    if (!isOn) return;
    const { branches } = this;
    const isStudent = asked >= 0;
    const most = Math.max(1, ...votes.filter(Boolean));
    const vote = (/** @type {number} */ k) => {
      if (isStudent) this.picked = k;
      else votes[k] = (votes[k] ?? 0) + 1;
      this.draw();
    };
    const first = votes.findIndex((n) => n === most);
    const take = first < 0 ? null : button(t("pollTake"), () => this.branch(branches[first].split, branches[first].child), { "data-key": "take" });
    redraw(options, ...branches.map(({ name }, k) => {
      const bar = h("i", {});
      bar.style.width = `${(100 * (votes[k] ?? 0)) / most}%`;
      return h("div", { class: "option", "data-key": k },
        button(`${k + 1}: ${name}`, () => vote(k), isStudent ? { "aria-pressed": String(k === this.picked) } : {}),
        ...(isStudent ? [] : [h("span", { role: "status" }, String(votes[k] ?? 0)), h("span", { class: "bar" }, bar)]));
    }), isStudent ? null : take);
    redraw(said, isStudent ? (this.picked < 0 ? t("pollPick") : t("pollCall", { n: String(this.picked + 1), name: branches[this.picked]?.name ?? "" })) : t("pollCount"));
  }
}
