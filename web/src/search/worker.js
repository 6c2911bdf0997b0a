/** The search in a thread of its own: one job at a time, in slices, so that it can be called off. */

import { openPuzzle } from "../documents/source.js";
import { Instance } from "../problem/instance.js";
import { ExactCover } from "../problem/cover.js";
import { unpack } from "./kernel.js";
import { analysed, curveOf } from "./position.js";
import { countedYear } from "./year.js";

/** @typedef {import("../documents/source.js").Source} Source */
/** @typedef {import("../problem/dates.js").Labels} Labels */
/**
 * @typedef {{task: "position" | "curve", source: Source, flip: boolean, labels: Labels, laid: number[]}
 *   | {task: "year", source: Source, flip: boolean, labels: Labels}} Job
 */

/** Milliseconds after which a running job says what it knows: soon at first, then less often. */
const [FIRST, PATIENCE] = [15, 100];

/** Nodes after which a position is given up: minutes. */
const MOST = 2e9;

/** @type {{key: string, cover: ExactCover} | null} */
let last = null;

/** The steps of a job. @param {Job} job @returns {Generator<unknown, unknown>} */
function stepsOf(job) {
  const puzzle = openPuzzle(job.source).withFlip(job.flip);
  if (job.task === "year") return countedYear(puzzle, job.labels);
  const key = JSON.stringify([job.source, job.flip, job.labels]);
  if (last?.key !== key) last = { key, cover: new ExactCover(Instance.reveal(puzzle, job.labels)) };
  if (job.task === "curve") return curveOf(last.cover, job.laid, MOST);
  return analysed(last.cover, job.laid, MOST);
}

/**
 * Serve a thread: a message {number, job} starts a job, or none, and ends the one before.
 * @param {{onmessage: ((event: MessageEvent) => void) | null, postMessage: (message: unknown) => void}} scope
 */
export function serve(scope) {
  let current = 0;
  // Without the compiled loops the search runs in plain JavaScript.
  const ready = unpack().catch(() => {});
  scope.onmessage = ({ data: { number, job } }) => {
    current = number;
    if (!job) return;
    /** @type {Generator<unknown, unknown>} */
    let steps;
    let told = performance.now();
    let patience = FIRST;
    const go = () => {
      if (current !== number) return;
      try {
        steps ??= stepsOf(job);
        const begun = performance.now();
        while (performance.now() - begun < PATIENCE / 4) {
          const { done, value } = steps.next();
          if (done) {
            scope.postMessage({ number, done: true, value });
            return;
          }
          if (performance.now() - told > patience) {
            told = performance.now();
            patience = Math.min(2 * patience, PATIENCE);
            scope.postMessage({ number, done: false, value });
          }
        }
      } catch (error) {
        scope.postMessage({ number, done: true, error: String(error) });
        return;
      }
      setTimeout(go);
    };
    void ready.then(go);
  };
}
