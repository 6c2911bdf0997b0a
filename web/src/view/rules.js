/** The sheet with the rules and the keys. */

import { t } from "../text/text.js";
import { button, h } from "./dom.js";

/** What keys do, in the order in which they are needed, and the signs of the tools that do it. */
const keys = () => [
  [t("keysTab"), t("keysTabDo")],
  [t("keysPieces"), t("keysPiecesDo")],
  [t("keysArrows"), t("keysArrowsDo")],
  ["R, F", t("keysTurnDo"), "↻ ⇄"],
  [t("keysEnter"), t("keysEnterDo")],
  ["Esc", t("keysEscDo")],
  [t("keyDelete"), t("keysDeleteDo"), "↓"],
  ["Z, Y", t("keysUndoDo"), "↶ ↷"],
  ["H", t("keysHintDo")],
];

/** A sheet that `showRules` opens; Esc, a press beside it and its button close it. */
export function rulesSheet() {
  const sheet = h("dialog", {
    class: "sheet", "aria-labelledby": "rules-title",
    onclick: (/** @type {MouseEvent} */ { target }) => target === sheet && sheet.close(),
  },
  h("div", {},
    h("h2", { id: "rules-title", tabindex: "-1" }, t("rules")),
    h("p", {}, t("rulesCover")),
    h("p", {}, t("rulesHands")),
    h("p", {}, t("rulesHelp")),
    h("h2", {}, t("keys")),
    h("dl", {}, ...keys().flatMap(([key, text, sign]) => [h("dt", {}, key, sign && h("i", { "aria-hidden": "true" }, sign)), h("dd", {}, text)])),
    button(t("close"), () => sheet.close())));
  return sheet;
}

/** Open the sheet at its beginning. @param {HTMLDialogElement} sheet */
export function showRules(sheet) {
  sheet.showModal();
  // Else the button at the end has the focus, and the sheet opens at its end.
  sheet.querySelector("h2")?.focus();
}
