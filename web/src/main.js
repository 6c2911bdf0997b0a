/** The page's one script: the page itself, and, in a thread, the search. */

import { serve } from "./search/worker.js";
import { t } from "./text/text.js";
import { App } from "./view/app.js";
import { nextTask } from "./view/dom.js";

/** Milliseconds after which the page begins without an answer of the browser. */
const PATIENCE = 3000;

/**
 * Wait for an answer of the browser's main process. Chromium refuses a document opened from a file
 * its storage until that process has heard of the document: the page would find
 * nothing stored, and what it writes would be lost.
 */
async function settled() {
  const answer = async () => {
    try {
      await navigator.locks?.query();
    } catch {
      // A frame without an origin of its own has no storage either.
    }
  };
  await Promise.race([answer(), new Promise((resolve) => setTimeout(resolve, PATIENCE))]);
}

async function start() {
  const root = /** @type {HTMLElement} */ (document.getElementById("app"));
  try {
    await settled();
    const app = new App();
    await nextTask();
    await app.begin(root);
  } catch (error) {
    root.replaceChildren(t("cannotStart", { why: String(error) }));
    throw error;
  }
}

if (typeof document === "undefined") serve(/** @type {any} */ (globalThis));
else void start();
