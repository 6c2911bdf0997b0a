/** The page's one script: the page itself, and, in a thread, the search. */

import { serve } from "./search/worker.js";
import { App } from "./view/app.js";

if (typeof document === "undefined") {
  serve(/** @type {any} */ (globalThis));
} else {
  const root = /** @type {HTMLElement} */ (document.getElementById("app"));
  const script = document.getElementById("script")?.textContent ?? "";
  try {
    new App(root, script);
  } catch (error) {
    root.replaceChildren(`This page could not start (${error}). A current Firefox, Chrome, Edge or Safari runs it.`);
    throw error;
  }
}
