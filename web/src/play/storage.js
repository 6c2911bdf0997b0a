/** What survives a reload: the last address, and the tilings that were found. */

const PREFIX = "calmip.";

/** The browser's storage, which may be forbidden or full; then the page says so once. */
export class Storage {
  /** @param {(message: string) => void} complain */
  constructor(complain) {
    this.complain = complain;
    this.complained = false;
    /** What was written, so that nothing is lost while the page is open. @type {Map<string, string>} */
    this.memory = new Map();
  }

  /** @param {string} key @returns {string | null} */
  read(key) {
    if (this.memory.has(key)) return this.memory.get(key) ?? null;
    try {
      return localStorage.getItem(PREFIX + key);
    } catch {
      return null;
    }
  }

  /** @param {string} key @param {string} value */
  write(key, value) {
    this.memory.set(key, value);
    try {
      localStorage.setItem(PREFIX + key, value);
    } catch {
      if (!this.complained) {
        this.complained = true;
        this.complain("This browser keeps nothing for this page (its storage is full or forbidden): " +
          "what you do stays until the page is closed; Share gives an address that holds the position.");
      }
    }
  }

  /** The tilings found of an instance. @param {string} key @returns {Set<string>} */
  found(key) {
    return new Set((this.read(`found.${key}`) ?? "").split(" ").filter(Boolean));
  }

  /** Add a tiling to those found; whether it is new. @param {string} key @param {string} tiling */
  collect(key, tiling) {
    const found = this.found(key);
    if (found.has(tiling)) return false;
    this.write(`found.${key}`, [...found, tiling].join(" "));
    return true;
  }
}
