/** Answer questions with the page's own modules: one JSON text in, one out. */

import { readFileSync } from "node:fs";
import { openPuzzle } from "../../web/src/documents/source.js";
import { readPlaced, written } from "../../web/src/documents/placed.js";
import { lpText, mpsText } from "../../web/src/formats/model_files.js";
import { ExactCover } from "../../web/src/problem/cover.js";
import { wordsOfObstacle } from "../../web/src/play/words.js";
import { InputError } from "../../web/src/problem/errors.js";
import { Instance } from "../../web/src/problem/instance.js";
import { analysed } from "../../web/src/search/position.js";
import { searchOf } from "../../web/src/search/search.js";
import { countedYear } from "../../web/src/search/year.js";

const finished = (steps) => {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
};

/** The instance that a question is about. */
function instanceOf({ source, flip, labels, name = "", placed = "" }) {
  const puzzle = openPuzzle(source);
  const instance = Instance.reveal(puzzle.withFlip(flip ?? puzzle.flip), labels, name);
  return instance.withPlaced(readPlaced(instance, placed));
}

const TASKS = {
  cover(question) {
    const cover = new ExactCover(instanceOf(question));
    return {
      items: cover.items.map(({ kind, text, name, demand }) => [kind, text, name, demand]),
      options: cover.options.map(({ name, items, piece, label, cells }) => [name, items, piece, label, cells]),
      obstacle: wordsOfObstacle(cover),
    };
  },
  files(question) {
    const cover = new ExactCover(instanceOf(question));
    const tilings = finished(analysed(cover, [])).tilings;
    return { mps: mpsText(cover, tilings), lp: lpText(cover, tilings) };
  },
  groups({ source }) {
    return [...openPuzzle(source).groups];
  },
  count(question) {
    const search = searchOf(new ExactCover(instanceOf(question)));
    let tilings = 0;
    while (!search.complete) search.run(1_000_000, () => void (tilings += 1));
    return tilings;
  },
  year({ source, labels }) {
    const { entries } = finished(countedYear(openPuzzle(source), labels));
    return entries.map((entry) => [entry.labels, entry.tilings]);
  },
  hint(question) {
    const position = instanceOf(question);
    const cover = new ExactCover(position.withPlaced([]));
    const laid = position.placed.map((one) => cover.numberOf(one.piece, one.cells));
    const known = finished(analysed(cover, laid));
    const pieceOf = (option) => position.placed[laid.indexOf(option)].piece;
    const names = position.placed.map((one) => one.piece);
    const more = known.hint < 0 ? null : cover.options[known.hint];
    const equal = more && cover.classes.find((pieces) => pieces[0].name === more.piece);
    return {
      tilings: known.tilings,
      complete: known.complete,
      piece: more && written(position, { piece: equal.find((one) => !names.includes(one.name)).name, cells: more.cells }),
      left: more && known.counts[known.hint],
      takeOff: known.takeOff.map((set) => set.map(pieceOf)),
      hopeless: known.hopeless,
    };
  },
};

const answers = JSON.parse(readFileSync(0, "utf8")).map(([task, question]) => {
  try {
    return TASKS[task](question);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { error: error.toString() };
  }
});
process.stdout.write(JSON.stringify(answers));
