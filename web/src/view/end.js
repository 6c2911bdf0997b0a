/** The end of a puzzle: in how many ways it could have gone, how it was solved, and something to share. */

import { addressOf } from "../play/address.js";
import { wordsOfHelp } from "../play/help.js";
import { shareText, streak, untilOne, wordsOfSolved, wordsOfTime } from "../play/record.js";
import { daysBetween, iso, today } from "../problem/dates.js";
import { dateText, grouped, joined, t } from "../text/text.js";
import { draw as drawCard } from "./card.js";
import { button, download, h, redraw } from "./dom.js";

/** @typedef {import("../play/game.js").Game} Game */
/** @typedef {import("../play/record.js").Solved} Solved */
/** @typedef {import("../play/state.js").State} State */
/** @typedef {import("./app.js").App} App */
/** @typedef {import("../play/address.js").Race | null} Rival a game that is raced against */

/** The solutions left after each piece as bars. @param {readonly number[]} curve @param {string} name @param {string} label */
const bars = (curve, name, label) => h("div", { class: name, role: "img", "aria-label": label }, ...curve.map((n) => {
  const bar = h("i", {});
  bar.style.height = `${2.8 * Math.log(n + 1) / Math.log(curve[0] + 1)}rem`;
  return h("span", {}, bar, grouped(n));
}));

/** @param {readonly {name: string}[]} pieces */
export const namesOf = (pieces) => joined(pieces.map(({ name }) => name));

/** The end. */
export class End {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.element = h("div", { class: "end" });
  }

  /** There is no end yet. */
  clear() {
    redraw(this.element);
  }

  /**
   * Note that a game is solved.
   * @param {Game} game @param {State} state @param {Rival} rival
   * @returns {{text: string, solved: Solved | null}} what to say, and what is noted if it is the player's own new solution
   */
  note(game, { earned, help }, rival) {
    const { app } = this;
    const isNew = app.storage.collect(app.key, game.tilingKey(game.placed));
    const found = app.storage.found(app.key).size;
    const how = earned && !isNew ? t("comma") + wordsOfHelp(help) : "";
    const { pieces, ...told } = help;
    app.frame.tell("solved", { own: earned, new: isNew, ...told });
    const text = t(isNew ? "solvedNew" : "solvedAgain", { n: found }) + how + (game.left.length ? `; ${t("leftOut", { pieces: namesOf(game.left) })}` : "");
    const record = app.storage.record(app.key);
    // In a race the same solution counts again.
    if (!earned || (!isNew && !rival)) {
      if (record?.total) this.show(game, record, null);
      return { text, solved: null };
    }
    const row = game.placed.map(({ piece }) => (pieces.includes(piece) ? "h" : "o")).join("");
    const solved = { ...help, on: iso(today()), of: app.date ? iso(app.date) : "", total: 0, curve: [], row };
    app.storage.solved(app.key, solved);
    return { text, solved };
  }

  /** Count the solutions left after each piece of a game, and show the end. @param {Game} game @param {Solved} solved @param {Rival} rival */
  finish(game, solved, rival) {
    const { app } = this;
    app.searcher.start(
      { task: "curve", source: game.source, flip: game.flip, labels: game.labels, laid: game.laid },
      (curve, done, error) => {
        if (error) app.say(error);
        if (error || !done || game !== app.game || !game.solved) return;
        const whole = { ...solved, curve, total: curve[0] ?? 0 };
        const first = app.storage.record(app.key);
        // The first solution of an instance is the one that is kept.
        if (first && !first.total && first.on === solved.on && first.seconds === solved.seconds) {
          app.storage.write(`record.${app.key}`, JSON.stringify(whole));
        }
        this.show(game, whole, rival);
        app.announce(this.element.firstChild?.textContent ?? "");
      });
  }

  /** Show how a game was solved, the tilings left after each piece, and a button to share that. @param {Game} game @param {Solved} solved @param {Rival} rival the game against which it was just raced */
  show(game, solved, rival) {
    const { date, storage } = this.app;
    const day = date ? daysBetween({ year: date.year, month: 1, day: 1 }, date) + 1 : null;
    const ahead = rival ? rival.seconds - solved.seconds : 0;
    const apart = { time: wordsOfTime(Math.abs(ahead)) };
    const curve = untilOne(solved.curve);
    const run = solved.on && solved.on === solved.of ? streak(storage.records, today()).now : 0;
    const time = h("input", { type: "checkbox", id: "with-time", checked: true });
    const withTime = h("label", { class: "check" }, time, h("span", {}, t("withTime")));
    const empty = game.with({ ...game.state, history: [[]], moment: 0, hand: null });
    const address = (/** @type {boolean} */ timed) => (location.protocol.startsWith("http")
      ? location.href.split("#")[0] + addressOf(empty, date, { race: timed ? { curve, seconds: solved.seconds } : null }) : "");
    const text = () => shareText(`${game.puzzle.name}, ${game.instance.labels.join(" ")}`, solved, day, address(time.checked), time.checked);
    const card = () => /** @type {Promise<File>} */ (new Promise((done) => drawCard({
      puzzle: game.puzzle, labels: game.instance.labels, row: solved.shown ? "" : solved.row, curve,
      day: date ? dateText(date, { ...date, year: 0 }, "long") : game.instance.labels.join(" "),
      lines: [wordsOfSolved(solved, day, time.checked), ...(run ? [t("streak", { now: run })] : [])],
    }).toBlob((blob) => done(new File([blob ?? ""], `calmip-${date ? iso(date) : "result"}.png`, { type: "image/png" })))));
    redraw(this.element,
      h("p", {}, t("sentence", { text: wordsOfSolved(solved, day) }), run ? ` ${t("streak", { now: run })}` : ""),
      rival && h("p", {}, ahead ? t(ahead > 0 ? "raceFaster" : "raceSlower", apart) : t("raceEven")),
      h("p", { class: "quiet", "aria-hidden": "true" }, t("curve", { curve: "" })),
      bars(curve, "curve", t("curve", { curve: curve.join("-") })),
      rival && bars(rival.curve, "curve other", t("raceCurve", { curve: rival.curve.join("-") })),
      h("div", { class: "row" },
        button(t("shareResult"), () => void card().then((file) => this.share(text(), file))),
        button(t("savePicture"), () => void card().then((file) => download(file.name, file))), withTime));
  }

  /** Hand a text and a picture to what the device shares with, or the text to the clipboard. @param {string} text @param {File} file */
  async share(text, file) {
    const { app, element } = this;
    try {
      if (navigator.canShare?.({ files: [file] })) await navigator.share({ text, files: [file] });
      else if (navigator.share) await navigator.share({ text });
      else {
        await navigator.clipboard.writeText(text);
        app.announce(t("onClipboard"));
        element.append(t("copiedToo"));
      }
    } catch (error) {
      // Who closes the sheet of the device wants nothing more.
      if (error instanceof DOMException && error.name === "AbortError") return;
      const box = h("textarea", { readonly: true, rows: 4, "aria-label": t("toCopy") }, text);
      redraw(element, box);
      box.focus();
      box.select();
    }
  }
}
