/**
 * HiGHS, loaded when it is first asked for, from what the page carries; and what it is doing.
 *
 * A solver is idle, loading, running or failed. Every run has a token: a later run, or Stop, takes
 * it away, and then nothing that the earlier run still gets has any effect.
 */

import { parts } from "./parts.js";

/** @typedef {"idle" | "loading" | "running" | "failed"} State */
/** @typedef {(message: any) => void} Tell */
/** @typedef {(message: object, tell?: Tell) => Promise<any>} Ask */

/** So often, every 10 milliseconds, a new run looks whether the thread has done what an earlier one left to it: relaxations are quick. */
const PATIENCE = 30;

/** A run that was stopped, or that a later one took the place of. */
export class Superseded extends Error {}

/** The bytes of a base64 text. @param {string} text */
const bytesOf = (text) => Uint8Array.from(atob(text), (mark) => mark.charCodeAt(0));

/** A thread, and the questions that it has not answered yet. */
export class Thread {
  /** @param {Worker} worker */
  constructor(worker) {
    this.worker = worker;
    this.number = 0;
    this.isDead = false;
    /** The model that it was given last. @type {object | null} */
    this.model = null;
    /** What it does before its first run. @type {Promise<unknown>} */
    this.loaded = Promise.resolve();
    /** @type {Map<number, {resolve: (value: any) => void, reject: (error: Error) => void, tell: Tell}>} */
    this.waiting = new Map();
    worker.onmessage = ({ data }) => this.heard(data);
    worker.onmessageerror = () => this.end(new Error("the solver's thread sent what cannot be read"));
    worker.onerror = (event) => {
      event.preventDefault();
      this.end(new Error(event.message || "the solver's thread failed"));
    };
  }

  /** @param {any} data */
  heard({ number, done, value, error, ...message }) {
    const entry = this.waiting.get(number);
    if (!entry) return;
    if (!done) entry.tell(message);
    else {
      this.waiting.delete(number);
      if (error) entry.reject(new Error(error));
      else entry.resolve(value);
    }
  }

  /** @param {object} message @param {Tell} tell hears what comes before the answer @returns {Promise<any>} */
  ask(message, tell = () => {}) {
    if (this.isDead) return Promise.reject(new Error("the solver's thread failed"));
    this.number += 1;
    const { number } = this;
    return new Promise((resolve, reject) => {
      this.waiting.set(number, { resolve, reject, tell });
      this.worker.postMessage({ number, ...message });
    });
  }

  /** Whether all questions are answered when it was looked so often: a clock would run on where the page is halted. @param {number} looks */
  async isQuiet(looks) {
    for (let k = 0; k < looks && !this.isDead && this.waiting.size; k += 1) await new Promise((go) => setTimeout(go, 10));
    return !this.isDead && !this.waiting.size;
  }

  /** End the thread; what waits for it hears why. @param {Error} [error] */
  end(error = new Superseded()) {
    this.isDead = true;
    this.worker.terminate();
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    for (const { reject } of waiting) reject(error);
  }
}

/** Begin a thread that loads HiGHS. @returns {Promise<Thread>} */
async function begin() {
  if (typeof WebAssembly === "undefined" || typeof DecompressionStream === "undefined") {
    throw new Error("this browser has no WebAssembly, which HiGHS needs; everything else on this page works");
  }
  const { thread: script, wasm } = await parts();
  const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  const thread = new Thread(new Worker(address));
  thread.loaded = thread.ask({ task: "load", wasm: bytesOf(wasm) }).finally(() => URL.revokeObjectURL(address));
  return thread;
}

/** HiGHS in a thread of its own, which does one thing at a time. */
export class Solver {
  /** @param {(state: State) => void} [changed] hears every new state @param {() => Promise<Thread>} [open] begins a thread */
  constructor(changed = () => {}, open = begin) {
    this.changed = changed;
    this.open = open;
    /** @type {State} */
    this.state = "idle";
    /** The run that counts. */
    this.token = 0;
    /** @type {Promise<Thread> | null} */
    this.opening = null;
    /** @type {Thread | null} */
    this.thread = null;
  }

  /** Whether something is under way that Stop ends. */
  get isBusy() {
    return this.state === "loading" || this.state === "running";
  }

  /** @param {State} state */
  turn(state) {
    if (this.state === state) return;
    this.state = state;
    this.changed(state);
  }

  /**
   * Run something that asks the solver about a model; what ran before counts no more.
   * What fails ends the thread, so that the next run has a new one.
   * @template T
   * @param {object} model @param {(ask: Ask) => Promise<T>} work @returns {Promise<T>} rejected by `Superseded` once it counts no more
   */
  async run(model, work) {
    const token = (this.token += 1);
    const check = () => {
      if (token !== this.token) throw new Superseded();
    };
    try {
      this.turn(this.thread && !this.thread.isDead ? "running" : "loading");
      const ready = await this.ready(check);
      this.turn("running");
      /** @type {Ask} */
      const ask = async (message, tell = () => {}) => {
        check();
        const answer = await ready.ask(message, (said) => {
          if (token === this.token) tell(said);
        });
        check();
        return answer;
      };
      if (ready.model !== model) {
        check();
        // Noted when it is sent, and not before: the thread has it, even if this run is over before the answer.
        ready.model = model;
        await ask({ task: "model", model });
      }
      const value = await work(ask);
      check();
      this.turn("idle");
      return value;
    } catch (error) {
      check();
      this.drop();
      this.turn("failed");
      throw error;
    }
  }

  /** A thread that is loaded and waits. @param {() => void} check throws once its run counts no more @returns {Promise<Thread>} */
  async ready(check) {
    const { thread } = this;
    if (thread && !thread.isDead) {
      await thread.loaded.catch(() => thread.end());
      check();
      if (await thread.isQuiet(PATIENCE)) {
        check();
        return thread;
      }
      check();
      thread.end();
    }
    this.turn("loading");
    const opening = (this.opening ??= this.open());
    try {
      const made = await opening;
      if (this.opening === opening) [this.thread, this.opening] = [made, null];
      // Another run, or Stop, has dropped it.
      else if (this.thread !== made) made.end();
      await made.loaded;
      check();
      return made;
    } finally {
      if (this.opening === opening) this.opening = null;
    }
  }

  /** End the thread and what it does. */
  drop() {
    this.thread?.end();
    this.thread = null;
    this.opening = null;
  }

  /** Take the token from what runs. A thread at work ends with it, one that loads goes on if that is asked for. @param {boolean} [keepLoading] */
  stop(keepLoading = false) {
    this.token += 1;
    if (!this.isBusy) return;
    if (!keepLoading || this.state === "running") this.drop();
    this.turn("idle");
  }
}
