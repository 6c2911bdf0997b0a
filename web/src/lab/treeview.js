/** The tree on the screen: nodes that are buttons, folded beside the path to the current one, or whole; panned and zoomed. */

import { button, enable, h, redraw, s } from "../view/dom.js";
import { figures, nameOf } from "./drawing.js";
import { t } from "./text.js";

/** @typedef {import("./session.js").Session} Session */
/** @typedef {import("./tree.js").TreeNode} TreeNode */

/** Pixels between the nodes of the drawn tree. */
const [ACROSS, DOWN] = [66, 58];

/** A tree with at most so many leaves is made to fit. */
const SMALL = 8;

/** A tree with more nodes is folded, unless all of it is asked for. */
const FEW = 40;

/** So many open nodes stay in sight in a folded tree, the latest: there it is gone on. */
const IN_SIGHT = 8;

/** A tree with more nodes is a picture without numbers, so wide and high. */
const [MANY, WIDE, HIGH] = [150, 400, 300];

/** How far a tree is zoomed, and by how much at once. */
const [LEAST, MOST, STEP] = [0.25, 16, 1.5];

/** So many pixels a pointer moves before it pans. */
const SLOP = 4;

/** The tree of a session with its tools. */
export class TreeView {
  /** @param {(node: TreeNode) => void} go @param {(session: Session, node: TreeNode) => string} wordsOf what a node is */
  constructor(go, wordsOf) {
    this.go = go;
    this.wordsOf = wordsOf;
    /** @type {Session | null} */
    this.session = null;
    /** Whether all of a large tree is shown. */
    this.isWhole = false;
    this.zoom = 1;
    /** The node that was drawn as the current one. @type {TreeNode | null} */
    this.here = null;
    /** The nodes beside the path that were unfolded. @type {WeakSet<TreeNode>} */
    this.unfolded = new WeakSet();
    this.path = h("ol", { class: "path-of", "aria-label": t("path") });
    this.box = h("div", { class: "tree", role: "group", "aria-label": t("tree") });
    this.whole = button("", () => {
      this.isWhole = !this.isWhole;
      this.zoom = 1;
      this.draw();
    });
    this.closer = button("+", () => this.zoomBy(STEP), { "aria-label": t("zoomIn") });
    this.farther = button("−", () => this.zoomBy(1 / STEP), { "aria-label": t("zoomOut") });
    this.tools = h("div", { class: "tools tree-tools" }, this.whole, this.farther, this.closer);
    this.element = h("div", { class: "of-tree" }, this.path, this.box, this.tools);
    this.pan();
  }

  /** Zoom, and keep the middle where it is. @param {number} factor */
  zoomBy(factor) {
    const { box } = this;
    const before = this.zoom;
    this.zoom = Math.max(LEAST, Math.min(MOST, this.zoom * factor));
    const [x, y] = [box.scrollLeft + box.clientWidth / 2, box.scrollTop + box.clientHeight / 2];
    this.draw();
    const grown = this.zoom / before;
    box.scrollTo(x * grown - box.clientWidth / 2, y * grown - box.clientHeight / 2);
  }

  /** Let the box be dragged by a mouse, and zoomed by a wheel with Ctrl or by two fingers. */
  pan() {
    const { box } = this;
    /** @type {{x: number, y: number, left: number, top: number} | null} */
    let from = null;
    /** @type {Map<number, PointerEvent>} */
    const fingers = new Map();
    const apart = () => {
      const [one, other] = [...fingers.values()];
      return other ? Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) : 0;
    };
    box.addEventListener("pointerdown", (event) => {
      fingers.set(event.pointerId, event);
      if (event.pointerType === "mouse" && !event.button) from = { x: event.clientX, y: event.clientY, left: box.scrollLeft, top: box.scrollTop };
    });
    box.addEventListener("pointermove", (event) => {
      const before = apart();
      if (fingers.has(event.pointerId)) fingers.set(event.pointerId, event);
      if (before && apart()) this.zoomBy(apart() / before);
      if (!from) return;
      const [x, y] = [event.clientX - from.x, event.clientY - from.y];
      if (!box.classList.contains("dragged") && Math.hypot(x, y) < SLOP) return;
      if (!box.classList.contains("dragged")) {
        box.classList.add("dragged");
        box.setPointerCapture(event.pointerId);
      }
      box.scrollTo(from.left - x, from.top - y);
    });
    for (const type of /** @type {const} */ (["pointerup", "pointercancel", "pointerleave"])) {
      box.addEventListener(type, (event) => {
        fingers.delete(event.pointerId);
        from = null;
        // The click that ends a drag selects no node.
        setTimeout(() => box.classList.remove("dragged"));
      });
    }
    box.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      this.zoomBy(event.deltaY < 0 ? STEP : 1 / STEP);
    }, { passive: false });
  }

  /** @param {Session | null} [session] */
  draw(session = this.session) {
    this.session = session;
    if (!session) return;
    const { tree } = session;
    const { nodes, here } = tree;
    const isLarge = nodes.length > FEW;
    this.whole.hidden = !isLarge;
    this.whole.textContent = t(this.isWhole ? "pathOnly" : "wholeTree");
    this.tools.hidden = nodes.length < 4;
    enable(this.closer, this.zoom < MOST);
    enable(this.farther, this.zoom > LEAST);
    const path = tree.pathTo(here);
    redraw(this.path, ...(path.length > 1 ? path.map((node, k) => h("li", {},
      button(nameOf(session, node) || t("root"), () => this.go(node), { "data-key": k, "aria-current": node === here ? "true" : null }))) : []));
    const inSight = tree.inSight(IN_SIGHT);
    const isFolded = (/** @type {TreeNode} */ node) =>
      isLarge && !this.isWhole && !inSight.has(node) && !this.unfolded.has(node) && node.children.length > 0;
    redraw(this.box, this.drawing(session, isFolded));
    this.follow(here);
  }

  /** Scroll to the current node when it is another one. @param {TreeNode} here */
  follow(here) {
    const { box } = this;
    if (this.here === here) return;
    this.here = here;
    const [inner, outer] = [box.querySelector(".here")?.getBoundingClientRect(), box.getBoundingClientRect()];
    if (!inner || (inner.left >= outer.left && inner.right <= outer.right && inner.top >= outer.top && inner.bottom <= outer.bottom)) return;
    box.scrollBy(inner.left - outer.left - outer.width / 2, inner.top - outer.top - outer.height / 2);
  }

  /** The tree as a drawing whose nodes are buttons. @param {Session} session @param {(node: TreeNode) => boolean} isFolded */
  drawing(session, isFolded) {
    const { tree } = session;
    const { here, incumbent } = tree;
    const { places, width, depth } = tree.layout(isFolded);
    const nodes = tree.nodes.map((node, number) => ({ node, number })).filter(({ node }) => places.has(node));
    const isPicture = nodes.length > MANY;
    const [across, down] = isPicture ? [WIDE / width, HIGH / depth] : [ACROSS, DOWN];
    const radius = isPicture ? Math.max(0.8, Math.min(0.45 * across, 0.3 * down)) : 14;
    const at = (/** @type {TreeNode} */ node) => {
      const { x, y } = places.get(node) ?? { x: 0, y: 0 };
      return [(x + 0.5) * across, (y + 0.5) * down - (isPicture ? 0 : 8)];
    };
    const [wide, high] = [Math.max(width * across, 60), depth * down];
    const drawn = s("svg", { viewBox: `0 0 ${wide} ${high}`, class: isPicture ? "picture" : width <= SMALL && this.zoom <= 1 ? "small" : null });
    drawn.style.width = isPicture ? `${100 * this.zoom}%` : `calc(${(wide / 16) * this.zoom}rem * var(--larger, 1))`;
    for (const { node } of nodes) {
      if (!node.parent) continue;
      const [[x1, y1], [x2, y2]] = [at(node.parent), at(node)];
      drawn.append(s("path", { class: "edge", d: `M${x1} ${y1}L${x2} ${y2}` }));
    }
    for (const { node, number } of nodes) {
      const [x, y] = at(node);
      const state = tree.stateOf(node, incumbent);
      if (isFolded(node)) drawn.append(this.fold(node, number, x, y, down));
      drawn.append(s("g", {
        class: `node ${state}${node === here ? " here" : ""}`, role: "button", tabindex: node === here ? "0" : "-1", "data-key": number,
        "aria-label": this.wordsOf(session, node),
        onclick: () => !this.box.classList.contains("dragged") && this.go(node),
        onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event, node),
      },
      s("circle", { cx: x, cy: y, r: radius })));
      if (isPicture) continue;
      // Beside the button and not in it: its label says the same in words.
      const bound = node.number < 0 ? "?" : node.bound === null ? "–" : figures(session.sign * node.bound, 1);
      drawn.append(s("g", { "aria-hidden": "true" },
        s("text", { x, y: y + 3.5, class: node.number < 0 ? "" : "inside" }, bound),
        node.parent ? s("text", { x, y: y + (isFolded(node) ? 0.62 * down + 11 : 25) }, nameOf(session, node).replaceAll(" ", "")) : null));
    }
    return drawn;
  }

  /** What stands for the nodes below one: a click unfolds them. @param {TreeNode} node @param {number} number @param {number} x @param {number} y @param {number} down */
  fold(node, number, x, y, down) {
    let hidden = 0;
    for (const all = [...node.children]; all.length; hidden += 1) all.push(.../** @type {TreeNode} */ (all.pop()).children);
    const open = () => {
      if (this.box.classList.contains("dragged")) return;
      this.unfolded.add(node);
      this.draw();
    };
    return s("g", {
      class: "folded", role: "button", tabindex: "0", "data-key": `fold ${number}`, "aria-label": t("unfold", { n: hidden }),
      onclick: open,
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        open();
      },
    },
    s("path", { d: `M${x} ${y}l18 ${0.62 * down}h-36Z` }),
    s("text", { x, y: y + 0.58 * down, "aria-hidden": "true" }, `+${hidden}`));
  }

  /** A key on a node: Enter goes there, arrows go to its parent, first child and neighbours. @param {KeyboardEvent} event @param {TreeNode} node */
  key(event, node) {
    const [all, at] = [node.parent?.children ?? [node], (node.parent?.children ?? [node]).indexOf(node)];
    /** @type {Record<string, TreeNode | null | undefined>} */
    const ways = { ArrowUp: node.parent, ArrowDown: node.children[0], ArrowLeft: all[at - 1], ArrowRight: all[at + 1], Enter: node, " ": node };
    const next = ways[event.key];
    if (!(event.key in ways)) return;
    event.preventDefault();
    if (!next) return;
    if (next === node) this.go(node);
    else this.focus(next);
  }

  /** Focus a node, if it is drawn. @param {TreeNode} node */
  focus(node) {
    const number = this.session?.tree.nodes.indexOf(node) ?? -1;
    const found = this.box.querySelector(`.node[data-key="${number}"]`);
    if (found instanceof SVGElement) found.focus();
  }
}
