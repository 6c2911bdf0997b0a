/** Pointers: a drag of a piece from the tray or the board, and its alternative in two clicks. */

import { keyOf } from "../problem/lattice.js";
import { h } from "../view/dom.js";
import { drawing, pieceShape } from "../view/board.js";
import { glide } from "../view/feel.js";

/** @typedef {import("../problem/lattice.js").Cell} Cell */
/** @typedef {import("./element.js").CalmipBoard} CalmipBoard */
/** @typedef {{pointer: number, x: number, y: number, moved: boolean, take: () => void, tap: (time: number) => void}} Drag */

/** Pixels after which a press is a drag. */
const SLACK = 6;

/** How far from a pointer a piece snaps to where it fits, in cells. */
const REACH = 0.9;

/** A finger hides what is below it: the piece is held so many pixels higher. */
const LIFT = 56;

/** Milliseconds within which a second tap makes a double one. */
const DOUBLE = 300;

/** Milliseconds of rest between two gestures of a wheel or trackpad. */
const GESTURE = 150;

/** What pointers do. */
export class Dragging {
  /** @param {CalmipBoard} element */
  constructor(element) {
    this.element = element;
    /** @type {Drag | null} */
    this.drag = null;
    /** The last tap on a piece of the tray. */
    this.tap = { piece: "", time: -Infinity, turned: false };
    this.turnedBefore = false;
    this.wheeled = -Infinity;
    this.floating = h("div", { class: "floating", "aria-hidden": "true" });
  }

  /** Follow pointers wherever they go. @param {AbortSignal} signal until when */
  listen(signal) {
    addEventListener("pointermove", (event) => this.move(event), { signal });
    addEventListener("pointerup", (event) => this.up(event), { signal });
    addEventListener("pointercancel", (event) => event.pointerId === this.drag?.pointer && this.end(), { signal });
  }

  /** What serves a piece in the tray. @param {string} piece */
  onItem(piece) {
    const { element } = this;
    return {
      onpointerdown: (/** @type {PointerEvent} */ event) => {
        if (event.button) return;
        const grip = this.gripOf(/** @type {HTMLElement} */ (event.currentTarget), event);
        this.start(event, () => {
          if (element.game?.hand?.piece !== piece) element.toggle(piece, grip);
          else if (grip) element.act({ do: "hold", grip });
        }, (time) => this.tapped(piece, time));
      },
      // A pointer's click follows a tap or a drag, late or never; one of no pointer is the keyboard's.
      onclick: (/** @type {MouseEvent} */ event) => {
        if (event.detail) return;
        // A screen reader presses for its user, without a key.
        element.byKeyboard = true;
        element.toggle(piece);
        if (element.game?.hand) element.board?.element.focus();
      },
    };
  }

  /** A tap takes a piece; on the piece in hand it turns it, and a second one soon after turns it over. @param {string} piece @param {number} time when the finger rose, which a busy page hears of later */
  tapped(piece, time) {
    const { element } = this;
    const soon = this.tap.piece === piece && time - this.tap.time < DOUBLE;
    const held = element.game?.hand?.piece === piece;
    this.tap = { piece, time, turned: held && !soon };
    if (!held) element.toggle(piece);
    else if (soon && element.game?.mayTurn.over) element.turnOver(this.turnedBefore);
    else element.turn();
    this.turnedBefore = this.tap.turned;
  }

  /** Serve a board. @param {SVGSVGElement} svg */
  watch(svg) {
    const { element } = this;
    svg.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      element.byKeyboard = false;
      const at = this.cellOf(event);
      const { game } = element;
      const from = game?.hand?.at;
      const ghost = from ? game.over(from) : null;
      if (from && at && ghost?.cells.some((cell) => keyOf(cell) === keyOf(at))) {
        // Pressed itself, the piece is held there, or lies where it is shown.
        this.start(event, () => element.act({ do: "hold", grip: at, cells: ghost.cells }),
          () => element.lay(game.fits(ghost) ? from : this.snapped(event, 0)));
      } else if (game?.hand) this.start(event, () => {}, () => element.lay(this.snapped(event, 0)));
      else if (at && game?.at(at)) {
        const lift = () => element.lift(at);
        this.start(event, lift, () => {
          lift();
          element.hover(at);
        });
      }
    });
    // The page scrolls and zooms under a finger that has no piece.
    svg.addEventListener("touchstart", (event) => {
      const at = this.cellOf(event.changedTouches[0]);
      if (!event.cancelable) return;
      if (this.drag || element.game?.hand || (at && element.game?.at(at))) event.preventDefault();
    }, { passive: false });
    svg.addEventListener("pointermove", (event) => {
      if (!this.drag && event.pointerType === "mouse") element.hover(this.snapped(event, 0));
    });
    // A finger leaves when it rises: what it lifted stays shown where it lay.
    svg.addEventListener("pointerleave", ({ pointerType }) => pointerType === "mouse" && !this.drag && !element.byKeyboard && element.hover(null));
    svg.addEventListener("wheel", (event) => {
      if (!element.game?.hand) return;
      event.preventDefault();
      // A trackpad sends many of these in one gesture.
      if (event.deltaY && event.timeStamp - this.wheeled > GESTURE) element.turn();
      this.wheeled = event.timeStamp;
    }, { passive: false });
  }

  /** @param {PointerEvent} event @param {() => void} take what begins the drag @param {(time: number) => void} tap what a press alone does */
  start(event, take, tap) {
    // A second finger does nothing.
    if (this.drag || !event.isPrimary) return;
    this.drag = { pointer: event.pointerId, x: event.clientX, y: event.clientY, moved: false, take, tap };
    // Else a finger's later events go to the piece that is redrawn meanwhile.
    const target = /** @type {Element} */ (event.target);
    if (target.hasPointerCapture?.(event.pointerId)) target.releasePointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  move(event) {
    const { drag, element } = this;
    if (!drag || event.pointerId !== drag.pointer) return;
    if (!drag.moved) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < SLACK) return;
      drag.moved = true;
      drag.take();
      element.frame.classList.add("dragging");
    }
    if (!element.game?.hand) return;
    const lift = event.pointerType === "touch" ? LIFT : 0;
    const at = this.snapped(event, lift);
    element.hover(at);
    this.float(event, lift, Boolean(at && element.game.fits(element.game.over(at))));
  }

  /** @param {PointerEvent} event */
  up(event) {
    const { drag, element } = this;
    if (!drag || event.pointerId !== drag.pointer) return;
    const { moved, tap } = drag;
    const picture = /** @type {SVGSVGElement | null} */ (this.floating.firstChild);
    const { game } = element;
    const { hand } = game ?? {};
    if (!moved) {
      this.end();
      tap(event.timeStamp);
      return;
    }
    if (game && hand) {
      const lift = event.pointerType === "touch" ? LIFT : 0;
      const at = this.snapped(event, lift);
      const placement = at && game.over(at);
      if (at && game.fits(placement)) element.lay(at);
      else {
        if (this.pointOf(event, lift)) {
          element.act({ do: "drop" });
          element.refuse(hand.piece, placement);
        } else element.act({ do: "aside" });
        if (picture) glide(picture, element.home(hand.piece), element.frame);
      }
    }
    this.end();
  }

  end() {
    this.drag = null;
    this.floating.replaceChildren();
    this.element.frame.classList.remove("dragging");
  }

  /** The point of the board under a pointer, or null beside it. @param {{clientX: number, clientY: number}} event @param {number} lift */
  pointOf(event, lift) {
    const { board } = this.element;
    if (!board) return null;
    const { left, right, top, bottom } = board.element.getBoundingClientRect();
    const y = event.clientY - lift;
    if (event.clientX < left || event.clientX > right || y < top || y > bottom) return null;
    return board.pointAt({ clientX: event.clientX, clientY: y });
  }

  /** The cell over which the piece in hand is held: one near by over which it fits, where there is one. @param {PointerEvent} event @param {number} lift */
  snapped(event, lift) {
    const point = this.pointOf(event, lift);
    const { game, board } = this.element;
    if (!point || !game || !board) return null;
    return game.nearestFit(point, REACH) ?? board.cellAt(point);
  }

  /** @param {{clientX: number, clientY: number}} event */
  cellOf(event) {
    const point = this.pointOf(event, 0);
    return point && (this.element.board?.cellAt(point) ?? null);
  }

  /** The cell of a piece in the tray that is under a pointer. @param {HTMLElement} item @param {PointerEvent} event @returns {Cell | undefined} */
  gripOf(item, event) {
    const { game } = this.element;
    const svg = item.querySelector("svg");
    // Else the matrix is that of a piece which is still turning.
    svg?.getAnimations().forEach((turn) => turn.finish());
    const matrix = svg?.getScreenCTM();
    const cells = game?.turns.get(item.dataset.piece ?? "");
    if (!game || !matrix || !cells) return undefined;
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    const far = cells.map((cell) => {
      const [cx, cy] = game.lattice.centre(cell);
      return Math.hypot(cx - x, cy - y);
    });
    return cells[far.indexOf(Math.min(...far))];
  }

  /** Show the piece in hand at the pointer. @param {PointerEvent} event @param {number} lift @param {boolean} fits */
  float(event, lift, fits) {
    const { game, board } = this.element;
    const hand = game?.hand;
    if (!game || !board || !hand) return;
    const key = `${hand.piece} ${hand.cells.join(" ")}`;
    if (this.floating.dataset.key !== key || !this.floating.firstChild) {
      this.floating.dataset.key = key;
      const svg = drawing(game.lattice, hand.cells, {}, pieceShape(game.puzzle, { piece: hand.piece, cells: hand.cells }));
      this.floating.replaceChildren(svg);
    }
    const svg = /** @type {SVGSVGElement} */ (this.floating.firstChild);
    const box = svg.viewBox.baseVal;
    const scale = board.element.getScreenCTM()?.a ?? 40;
    const [gx, gy] = game.lattice.centre(hand.cells[hand.grip]);
    svg.style.width = `${box.width * scale}px`;
    svg.style.height = `${box.height * scale}px`;
    const x = event.clientX - (gx - box.x) * scale;
    const y = event.clientY - lift - (gy - box.y) * scale;
    this.floating.style.transform = `translate(${x}px, ${y}px)`;
    this.floating.classList.toggle("fits", fits);
  }
}
