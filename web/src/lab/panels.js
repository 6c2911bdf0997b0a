/** Tables and panels of the lab: nodes per rule, the rows of HiGHS' log, cuts by hand. */

import { h } from "../view/dom.js";
import { cutOf, sumOf } from "./cuts.js";
import { figures } from "./drawing.js";
import { t } from "./text.js";

/** @typedef {import("./session.js").Session} Session */
/** @typedef {import("./text.js").Key} Key */

/** A rule stops after so many nodes. */
export const LIMIT = 300;

/** @param {Key} title @param {string[]} heads @param {string[][]} rows */
export const table = (title, heads, rows) =>
  h("table", { class: "counts" }, h("caption", {}, t(title)),
    h("thead", {}, h("tr", {}, ...heads.map((head) => h("th", { scope: "col" }, head)))),
    h("tbody", {}, ...rows.map(([first, ...rest]) =>
      h("tr", {}, h("th", { scope: "row" }, first), ...rest.map((one) => h("td", {}, one))))));

/** What each rule needed, and HiGHS, where they were run. @param {Session} session */
export function rulesTable({ ruled }) {
  return ruled.size ? table("tableRules", [t("rule"), t("headNodes"), t("headLps"), t("headIncumbent")],
    [...ruled].map(([rule, { nodes, lps, incumbent, isDone }]) => [
      rule === "highs" ? "HiGHS" : t(/** @type {Key} */ (rule)), isDone ? String(nodes) : t("limit", { n: nodes }),
      lps ? String(lps) : "–", incumbent === null ? "–" : figures(incumbent),
    ])) : null;
}

/** A line of the log of HiGHS about its search: nodes, open, leaves, explored, bound, incumbent, gap, cuts, in the LP, conflicts, iterations, time. */
const ROW = /^ ?[A-Za-z]? +(\d+) +(\d+) +(\d+) +[\d.]+% +(\S+) +(\S+) +\S+ +(\d+) +(\d+) +(\d+) +(\d+) +[\d.]+s$/;

/** The rows of a log in which bound, incumbent or nodes are new. @param {string} log */
export function rowsOf(log) {
  /** @type {string[][]} */
  const rows = [];
  for (const line of log.split("\n")) {
    const [, nodes, open, , bound, incumbent, , cuts] = ROW.exec(line.trimEnd()) ?? [];
    if (nodes === undefined) continue;
    const shown = (/** @type {string} */ text) => (/inf/.test(text) ? "–" : figures(Number(text) + 0, 2));
    const row = [nodes, open, shown(bound), shown(incumbent), cuts];
    if (rows.at(-1)?.slice(0, 4).join() !== row.slice(0, 4).join()) rows.push(row);
  }
  return rows;
}

/** The search of HiGHS as a table. @param {Session} session */
export function logTable({ log }) {
  const rows = rowsOf(log);
  return rows.length ? h("div", { class: "log-rows", tabindex: "0", role: "group", "aria-label": t("tableLog") },
    h("p", { class: "quiet" }, t("noTree")),
    table("tableLog", [t("headNodes"), t("headOpen"), t("headBound"), t("headIncumbent"), t("headCuts")], rows)) : null;
}

/** What follows for the ticked placements. @param {import("./session.js").BoardSession} session */
export function cutWords({ cover, ticked, tree }) {
  if (ticked.size < 2) return t("cutHow");
  const cut = cutOf(cover, [...ticked]);
  if (!cut) return t("cutNone");
  return t("cutIs", {
    sum: cut.columns.map((column) => cover.options[column].name).join(" + "),
    most: String(cut.most), now: figures(sumOf(cut, tree.here.values)),
  });
}
