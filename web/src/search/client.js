/** The page's side of the search's thread. */

import { serve } from "./worker.js";

/** @typedef {import("./worker.js").Job} Job */

/**
 * A thread that runs the page's own script again; where the browser forbids
 * that, the same work in slices on the page's thread.
 */
export class Searcher {
  constructor() {
    this.number = 0;
    /** @type {((value: any, done: boolean, error: string | undefined) => void) | null} */
    this.listener = null;
    const heard = (/** @type {{data: any}} */ { data }) => {
      if (data.number === this.number) this.listener?.(data.value, data.done, data.error);
    };
    /** The last message. @type {{number: number, job: Job | null} | null} */
    this.pending = null;
    /** @type {(message: unknown) => void} */
    this.send = () => {};
    // After the page's first picture: until then what is asked for waits.
    setTimeout(() => this.begin(heard));
  }

  /** Start the thread. @param {(event: {data: any}) => void} heard */
  begin(heard) {
    try {
      const script = document.getElementById("script")?.textContent ?? "";
      const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
      const worker = new Worker(address);
      worker.onmessage = heard;
      worker.onerror = (event) => {
        event.preventDefault();
        this.stayHere(heard);
      };
      this.send = (message) => worker.postMessage(message);
      if (this.pending) this.send(this.pending);
    } catch {
      this.stayHere(heard);
    }
  }

  /** @param {(event: {data: any}) => void} heard */
  stayHere(heard) {
    /** @type {Parameters<typeof serve>[0]} */
    const scope = { onmessage: null, postMessage: (data) => heard({ data }) };
    serve(scope);
    this.send = (data) => scope.onmessage?.(/** @type {MessageEvent} */ ({ data }));
    if (this.pending) this.send(this.pending);
  }

  /**
   * Start a job; the one before is called off.
   * @param {Job} job
   * @param {(value: any, done: boolean, error: string | undefined) => void} listener
   */
  start(job, listener) {
    this.number += 1;
    this.listener = listener;
    this.pending = { number: this.number, job };
    this.send(this.pending);
  }

  /** Call off the job that runs. */
  stop() {
    this.number += 1;
    this.listener = null;
    this.pending = { number: this.number, job: null };
    this.send(this.pending);
  }
}
