/** Elements in one line. */

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} Attributes */
/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * Set attributes; a function listens, true is an empty attribute, null and false are none.
 * @template {Element} E
 * @param {E} element @param {Attributes} attributes @param {Child[]} children
 */
function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false).map((child) => (child instanceof Node ? child : String(child))));
  return element;
}

/**
 * An HTML element.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag @param {Attributes} [attributes] @param {Child[]} children
 */
export const h = (tag, attributes = {}, ...children) =>
  filled(document.createElement(tag), attributes, children);

/**
 * An SVG element.
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag @param {Attributes} [attributes] @param {Child[]} children
 */
export const s = (tag, attributes = {}, ...children) =>
  filled(/** @type {SVGElementTagNameMap[T]} */ (document.createElementNS(SVG, tag)), attributes, children);

/** A button. @param {string} text @param {(event: MouseEvent) => void} onclick @param {Attributes} [attributes] */
export const button = (text, onclick, attributes = {}) =>
  h("button", { type: "button", onclick, ...attributes }, text);

/** A number with its thousands apart; the browser's own way takes it long to load. @param {number} number */
export const grouped = (number) => String(number).replace(/\B(?=(?:\d{3})+$)/g, ",");

/** A number and its noun. @param {number} number @param {string} noun */
export const counted = (number, noun) => `${grouped(number)} ${noun}${number === 1 ? "" : "s"}`;

/** Names joined as in a sentence. @param {readonly string[]} names @param {string} [last] */
export const joined = (names, last = "and") =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} ${last} ${names[names.length - 1]}`;

/** Offer a text as a file. @param {string} name @param {string} text @param {string} [type] */
export function download(name, text, type = "text/plain") {
  const link = h("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
