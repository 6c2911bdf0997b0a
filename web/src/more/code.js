/** An address as a picture for the camera of a phone. */

import { t } from "../text/text.js";
import { h, s } from "../view/dom.js";
import { qrCode, QUIET } from "./qr.js";

/** Where the page is on the web: a phone finds no file of this computer. */
const HOME = "https://calmip.github.io/calmip/play/index.html";

/** The address under which a phone finds what is here. @param {string} hash */
export const addressFor = (hash) => (location.protocol.startsWith("http") ? location.href.split("#")[0] : HOME) + hash;

/** The picture of an address, or a word on why there is none. @param {string} address */
export function codePicture(address) {
  const rows = qrCode(address.startsWith("http") ? address : addressFor(`#${address.split("#").slice(1).join("#")}`));
  if (!rows) return h("p", {}, t("qrLong"));
  const side = rows.length + 2 * QUIET;
  const dark = rows.flatMap((row, r) => row.map((one, c) => (one ? `M${c + QUIET} ${r + QUIET}h1v1h-1z` : ""))).join("");
  return s("svg", { class: "code", viewBox: `0 0 ${side} ${side}`, role: "img", "aria-label": t("qrLabel"), "shape-rendering": "crispEdges" },
    s("path", { d: `M0 0h${side}v${side}h-${side}z`, class: "code-light" }), s("path", { d: dark }));
}
