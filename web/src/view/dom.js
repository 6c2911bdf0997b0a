/** Elements in one line, and redrawing that keeps them: who reads or types stays where they are. */

import { grouped } from "../text/text.js";

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} Attributes */
/** @typedef {Node | string | number | null | undefined | false} Child */

/** What listens on an element, by event; a redraw puts other functions in. @type {WeakMap<Element, Map<string, (event: any) => void>>} */
const listeners = new WeakMap();

/** @param {Element} element @param {string} type @param {(event: any) => void} action */
function listen(element, type, action) {
  const own = listeners.get(element) ?? new Map();
  listeners.set(element, own);
  if (!own.has(type)) element.addEventListener(type, (event) => listeners.get(element)?.get(type)?.(event));
  own.set(type, action);
}

/**
 * Set attributes; a function listens, true is an empty attribute, null and false are none.
 * @template {Element} E
 * @param {E} element @param {Attributes} attributes @param {Child[]} children
 */
function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") listen(element, name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, String(value));
  }
  element.append(...nodesOf(children));
  return element;
}

/** @param {readonly Child[]} children @returns {Node[]} */
const nodesOf = (children) => children
  .filter((child) => child !== null && child !== undefined && child !== false)
  .map((child) => (child instanceof Node ? child : document.createTextNode(String(child))));

/** What an element stands for, so that a redraw finds it again. @param {Node} node */
const keyOfNode = (node) => node instanceof Element
  ? [node.nodeName, node.id, ...["data-key", "data-piece", "data-column"].map((name) => node.getAttribute(name) ?? "")].join(" ")
  : node.nodeName;

/**
 * Show other children: those that stand for the same stay the same elements, with their focus,
 * their scroll position and what is unfolded. A focus whose element goes finds a neighbour.
 * @param {Element} parent @param {Child[]} children
 */
export function redraw(parent, ...children) {
  const before = [...parent.childNodes];
  /** @type {Map<string, Node[]>} */
  const spare = new Map();
  const wanted = nodesOf(children);
  const asked = new Set(wanted);
  for (const node of before) {
    if (asked.has(node)) continue;
    const key = keyOfNode(node);
    spare.set(key, [...(spare.get(key) ?? []), node]);
  }
  const shown = wanted.map((node) => {
    const like = node.parentNode === parent ? undefined : spare.get(keyOfNode(node))?.shift();
    if (like) blend(like, node);
    return like ?? node;
  });
  const kept = new Set(shown);
  // A component's focus is known to its own root.
  const focused = /** @type {Partial<DocumentOrShadowRoot>} */ (parent.getRootNode()).activeElement;
  let lost = -1;
  before.forEach((node, k) => {
    if (kept.has(node)) return;
    if (focused && node.contains(focused)) lost = k;
    parent.removeChild(node);
  });
  let at = parent.firstChild;
  for (const node of shown) {
    if (node === at) at = at.nextSibling;
    else parent.insertBefore(node, at);
  }
  if (lost >= 0) rescue(parent, lost);
}

/** Make an element that is shown like one that was just made. @param {Node} shown @param {Node} made */
function blend(shown, made) {
  if (!(shown instanceof Element) || !(made instanceof Element)) {
    if (shown.nodeValue !== made.nodeValue) shown.nodeValue = made.nodeValue;
    return;
  }
  for (const { name, value } of [...made.attributes]) {
    if (shown.getAttribute(name) === value) continue;
    // The page's policy allows no attribute with a style.
    if (name === "style") /** @type {HTMLElement} */ (shown).style.cssText = value;
    else shown.setAttribute(name, value);
  }
  for (const { name } of [...shown.attributes]) {
    // What is unfolded is the reader's choice.
    if (!made.hasAttribute(name) && !(name === "open" && shown.nodeName === "DETAILS")) shown.removeAttribute(name);
  }
  const now = listeners.get(made);
  for (const type of listeners.get(shown)?.keys() ?? []) {
    if (!now?.has(type)) listeners.get(shown)?.set(type, () => {});
  }
  for (const [type, action] of now ?? []) listen(shown, type, action);
  const selected = made instanceof HTMLSelectElement ? made.selectedIndex : -1;
  redraw(shown, ...made.childNodes);
  if (shown instanceof HTMLInputElement && made instanceof HTMLInputElement) {
    shown.checked = made.checked;
    if (shown.type !== "file" && shown.value !== made.value) shown.value = made.value;
  } else if (shown instanceof HTMLSelectElement && selected >= 0) shown.selectedIndex = selected;
}

/** Focus what is left near the place where the focus was. @param {Element} parent @param {number} place */
function rescue(parent, place) {
  const near = [...parent.children].slice(Math.max(0, place - 1)).find((one) => one.matches("button, a[href], [tabindex='0']"));
  const last = [...parent.querySelectorAll(":scope > button")].pop();
  const other = near ?? last;
  if (other instanceof HTMLElement || other instanceof SVGElement) other.focus({ preventScroll: true });
  if (!other || document.activeElement !== other) rest();
}

/** Focus the place where a view is at rest: its board, or the whole of a view that has none. */
export function rest() {
  /** @type {HTMLElement | SVGElement | null} */ (document.querySelector("[data-rest]") ?? document.querySelector("main"))?.focus({ preventScroll: true });
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
  h("button", {
    type: "button",
    onclick: (/** @type {MouseEvent} */ event) => {
      if (/** @type {Element} */ (event.currentTarget).ariaDisabled !== "true") onclick(event);
    },
    ...attributes,
  }, text);

/** Say whether a button serves now; it keeps the focus, which a disabled one would lose. @param {Element} item @param {boolean} serves */
export const enable = (item, serves) => item.setAttribute("aria-disabled", String(!serves));

/** What follows is a task of its own: on a slow device all at once would halt the page. @returns {Promise<void>} */
export const nextTask = () => /** @type {any} */ (globalThis).scheduler?.yield?.() ?? new Promise((resolve) => setTimeout(resolve));

/** A number and its noun. @param {number} number @param {string} noun @param {string} [nouns] */
export const counted = (number, noun, nouns = `${noun}s`) => `${grouped(number)} ${number === 1 ? noun : nouns}`;

/** Offer a text or a file as a download. @param {string} name @param {string | File} text @param {string} [type] */
export function download(name, text, type = "text/plain") {
  const link = h("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
