/** What stands beside the tree: the board with a relaxation on it, or a model with its rows and values. */

import { h, redraw } from "../view/dom.js";
import { area, BoardView } from "../view/board.js";
import { figures, pies, weightText, weightsOn } from "./drawing.js";
import { fractionOf, leftSide } from "./exact.js";
import { sideText, sumText } from "./expressions.js";
import { planeView } from "./planeview.js";
import { t } from "./text.js";

/** @typedef {import("./session.js").BoardSession} BoardSession */
/** @typedef {import("./modelsession.js").ModelSession} ModelSession */

/** A board. */
export class BoardStage {
  /** @param {BoardSession} session @param {(event: MouseEvent) => void} pick */
  constructor(session, pick) {
    this.session = session;
    const { game } = session;
    this.board = new BoardView(game.puzzle, game.instance.labels, t("boardLabel"));
    this.element = this.board.element;
    this.element.addEventListener("click", pick);
  }

  draw() {
    const { board, session } = this;
    const { tree, game } = session;
    board.show("heat", []);
    board.show("ghost", []);
    if (session.tiling) board.showPieces(session.placementsOf(session.tiling));
    else if (tree.solved) board.show("pieces", [...pies(session), ...(session.model.isExact ? weightsOn(session) : [])]);
    else board.showPieces(session.own.length ? session.own : game.placed);
    this.light();
  }

  /** Show the column that is picked. */
  light() {
    const { board, session } = this;
    const { picked, cover, game, tiling, tree, weights, model } = session;
    const cells = cover.options[picked]?.cells ?? [];
    board.show("lit", !cells.length || tiling ? [] : [
      area(game.lattice, cells, "lit-piece"),
      ...(model.isExact ? [weightText(game, cells, `${weights[picked]} · ${String(fractionOf(tree.here.values[picked] ?? 0))}`)] : []),
    ]);
  }
}

/** A model as it is written, with the values at the current node. */
export class ModelStage {
  /** @param {ModelSession} session */
  constructor(session) {
    this.session = session;
    this.element = h("div", { class: "of-model", tabindex: "0", role: "group", "aria-label": t("model") });
  }

  draw() {
    const { session, element } = this;
    const { lesson, names, tree, model: { linear }, fractions } = session;
    const cuts = tree.cuts.map(({ columns, values, most }, k) =>
      ({ name: t("cutNumber", { n: String(k + 1) }), row: { index: columns, value: values ?? columns.map(() => 1), low: -Infinity, high: most } }));
    const rows = [...linear.rows.map((row, k) => ({ name: lesson.rows[k][0], row })), ...cuts];
    const isSolved = fractions.length > 0;
    const costs = lesson.columns.flatMap(([name, cost]) => (cost ? [[name, cost]] : []));
    const kindOf = (/** @type {number} */ column) =>
      !linear.isInteger[column] ? "" : linear.low[column] === 0 && linear.high[column] === 1 ? "∈ {0, 1}" : "∈ ℤ";
    redraw(element,
      names.length === 2 && planeView(session),
      h("p", {}, `${t(lesson.sense > 0 ? "maximise" : "minimise")} ${sumText(costs.map(([name]) => String(name)), costs.map(([, cost]) => Number(cost)))}`),
      h("table", { class: "counts" },
        h("thead", {}, h("tr", {}, ...[t("headRow"), "", "", isSolved ? t("headNow") : ""].map((head) => h("th", { scope: "col" }, head)))),
        h("tbody", {}, ...rows.map(({ name, row }) => {
          const now = isSolved ? leftSide(row, fractions) : null;
          const isTight = now && [row.low, row.high].includes(now.number);
          return h("tr", { class: isTight && "tight" }, h("th", { scope: "row" }, name),
            h("td", {}, sumText(row.index.map((column) => names[column]), row.value)), h("td", {}, sideText(row)), h("td", {}, now && String(now)));
        }))),
      h("table", { class: "counts" },
        h("thead", {}, h("tr", {}, ...[t("headColumn"), "", isSolved ? t("headNow") : ""].map((head) => h("th", { scope: "col" }, head)))),
        h("tbody", {}, ...names.map((name, column) => {
          const [low, high] = [linear.low[column], linear.high[column]];
          const kind = kindOf(column);
          const sides = kind === "∈ {0, 1}" ? "" : low === -Infinity && high === Infinity ? "" : sideText({ low, high });
          return h("tr", { "data-column": column, class: column === session.picked && "picked" }, h("th", { scope: "row" }, name),
            h("td", {}, `${sides} ${kind}`.trim()),
            h("td", {}, isSolved ? String(fractions[column]).length < 9 ? String(fractions[column]) : figures(tree.here.values[column]) : ""));
        }))));
  }

  light() {
    for (const row of this.element.querySelectorAll("tr[data-column]")) {
      row.classList.toggle("picked", row.getAttribute("data-column") === String(this.session.picked));
    }
  }
}
