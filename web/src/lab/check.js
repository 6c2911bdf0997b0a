/** The numbers of a node, checked on demand without floating-point arithmetic: its sum, its rows, the proof of its bound. */

import { joined } from "../text/text.js";
import { h } from "../view/dom.js";
import { fractionOf, isFeasible, proofOf, worth, ZERO } from "./exact.js";
import { figures } from "./drawing.js";
import { t } from "./text.js";
import { WHOLE } from "./tree.js";
import { deadRow } from "./why.js";

/** @typedef {import("./session.js").Session} Session */
/** @typedef {import("./exact.js").Fraction} Fraction */
/** @typedef {import("./exact.js").Proof} Proof */
/** @typedef {import("./tree.js").TreeNode} TreeNode */

/** The values of a node as fractions. @param {TreeNode} node */
const fractionsOf = ({ values }) => values.map(fractionOf);

/** The cuts that there were when a node was solved. @param {Session} session @param {TreeNode} node */
const cutsAt = ({ tree, model }, { duals }) => tree.cuts.slice(0, Math.max(0, duals.length - model.linear.rows.length));

/** A fraction, and its decimals where it is none that everybody knows. @param {Fraction} fraction */
const inFull = (fraction) => (fraction.isWhole ? String(fraction) : `${String(fraction)} = ${figures(fraction.number)}`);

/** What the current node's multipliers prove, or null. @param {Session} session @param {TreeNode} node */
function proofAt(session, node) {
  const { tree, model } = session;
  return node.duals.length ? proofOf(model.linear, cutsAt(session, node), tree.fixings(node), node.duals, node.bound !== null) : null;
}

/** What made a node infeasible, in words; nothing for a node that is not. @param {Session} session @param {TreeNode} node */
export function whyDead(session, node) {
  const { tree, model } = session;
  const isShort = node.bound !== null && node.bound < tree.least;
  if (node.number < 0 || (node.bound !== null && !isShort)) return "";
  const dead = deadRow(model.whole, tree.cuts, tree.fixings(node));
  if (dead) return session.deathOf(dead);
  const proof = isShort ? null : proofAt(session, node);
  return proof && proof.bound.sign < 0 ? t("deadTogether", { rows: joined(proof.used.map(({ row }) => session.rowText(row))) }) : "";
}

/** What is checked at the current node. @param {Session} session @returns {HTMLElement[]} */
export function checked(session) {
  const { tree, model, sign } = session;
  const { here } = tree;
  if (here.number < 0) return [h("p", { class: "quiet" }, t("checkNothing"))];
  const [fixings, cuts] = [tree.fixings(here), cutsAt(session, here)];
  const proof = proofAt(session, here);
  if (here.bound === null) {
    return proof && proof.bound.sign < 0
      ? [h("p", {}, t("farkas")), proofTable(session, proof, 1), h("p", {}, t("farkasEnd", { sum: String(proof.bound) }))]
      : [h("p", {}, whyDead(session, here) || t("unproved"))];
  }
  const values = fractionsOf(here);
  const isExact = isFeasible(model.linear, cuts, fixings, values);
  const sum = worth(model.linear, values);
  const terms = values.flatMap((value, column) => (value.sign && model.linear.cost[column]
    ? [`${figures(sign * model.linear.cost[column])}${value.isWhole && value.above === 1n ? "" : ` · ${String(value)}`}`] : []));
  const shown = sign > 0 ? inFull : (/** @type {Fraction} */ one) => inFull(ZERO.minus(one));
  return [
    h("p", { class: "sum-of" }, `${terms.join(" + ") || "0"} = ${shown(sum)}`),
    h("p", {}, t(isExact ? "rowsHold" : "rowsRounded", { n: model.linear.rows.length + cuts.length })),
    ...(proof ? [
      h("p", {}, t("multipliers")), proofTable(session, proof, sign),
      h("p", {}, t(isExact && !proof.bound.compare(sum) ? "proved" : "provedOnly", { bound: shown(proof.bound) })),
      session.isWhole && !proof.bound.isWhole ? h("p", {}, t("wholeBound", { bound: String(BigInt(sign) * proof.bound.floor) })) : null,
    ].filter((one) => one !== null) : [h("p", {}, t("unproved"))]),
  ];
}

/** The multipliers with the right sides, and their sum. @param {Session} session @param {Proof} proof @param {number} sign */
function proofTable(session, { used, capped, bound }, sign) {
  const line = (/** @type {string} */ name, /** @type {Fraction} */ factor, /** @type {number} */ side) => {
    const shown = sign > 0 ? factor : ZERO.minus(factor);
    return h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, String(shown)), h("td", {}, figures(side)),
      h("td", {}, String(shown.times(fractionOf(side)))));
  };
  const total = sign > 0 ? bound : ZERO.minus(bound);
  return h("table", { class: "counts proof" },
    h("thead", {}, h("tr", {}, ...[t("headRow"), t("headMultiplier"), t("headSide"), t("headProduct")].map((head) => h("th", { scope: "col" }, head)))),
    h("tbody", {},
      ...used.map(({ row, multiplier, side }) => line(session.rowText(row), multiplier, side)),
      ...capped.map(({ column, rest, side }) => line(`${session.columnName(column)} ${rest.sign > 0 ? "≤" : "≥"} ${figures(side)}`, rest, side))),
    h("tfoot", {}, h("tr", {}, h("th", { scope: "row" }, t("headSum")), h("td", {}), h("td", {}), h("td", {}, String(total)))));
}

/** What a cut did: what it cut off, and whether the bound moved or could not. @param {Session} session @param {import("./tree.js").Cut} cut @param {readonly number[]} before the point @param {number | null} from the bound before */
export function cutDid(session, { columns, values, most }, before, from) {
  const { here } = session.tree;
  const at = fractionOf(columns.reduce((sum, column, k) => sum + (values?.[k] ?? 1) * before[column], 0));
  const off = at.compare(fractionOf(most)) > 0 ? t("cutOff", { sum: String(at), most: figures(most) }) : t("cutNothing", { sum: String(at), most: figures(most) });
  const [old, now] = [from ?? 0, here.bound];
  const shown = (/** @type {number} */ value) => figures(session.sign * value);
  const moved = now === null ? t("cutEmpty") : Math.abs(old - now) > WHOLE ? t("moved", { from: shown(old), to: shown(now) }) : t("unmoved", { bound: shown(now) });
  return t("cutBoth", { off, moved });
}
