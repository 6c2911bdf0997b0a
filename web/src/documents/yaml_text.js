/**
 * The YAML of puzzle files, as texts, lists and tables that know their lines: block and flow
 * collections, plain, quoted and block texts. Every scalar is a text. Anchors, aliases, tags,
 * directives and keys that are no texts are refused (YAML 1.2.2, yaml.org/spec/1.2.2).
 */

import { shown } from "../problem/errors.js";

/** @typedef {import("../problem/errors.js").InputError} InputError */
/** @typedef {{kind: "text", line: number, text: string, literal: boolean}} TextNode */
/** @typedef {{kind: "list", line: number, items: YamlNode[]}} ListNode */
/** @typedef {{kind: "table", line: number, pairs: {key: TextNode, value: YamlNode}[]}} TableNode */
/** @typedef {TextNode | ListNode | TableNode} YamlNode */

const MAX_DEPTH = 20;
const MAX_SCALAR = 10_000;

/** @type {Record<string, string>} */
const ESCAPES = {
  0: "\0", a: "\x07", b: "\b", t: "\t", "\t": "\t", n: "\n", v: "\v", f: "\f", r: "\r", e: "\x1b",
  " ": " ", '"': '"', "/": "/", "\\": "\\", N: "\x85", _: "\xa0", L: "\u2028", P: "\u2029",
};
/** @type {Record<string, number>} */
const CODES = { x: 2, u: 4, U: 8 };

const isBlank = (/** @type {string | undefined} */ mark) => mark === undefined || mark === " " || mark === "\t" || mark === "\n";

/** Lines of a text folded into one: a line end is a blank, an empty line a line end. @param {string} text */
const folded = (text) => text.replace(/[ \t]*\n(?:[ \t]*\n)*[ \t]*/g, (gap) => {
  const ends = gap.split("\n").length - 1;
  return ends === 1 ? " " : "\n".repeat(ends - 1);
});

/** A reader of one text. */
class Reader {
  /** @param {string} text @param {(message: string, line: number | null) => InputError} fail */
  constructor(text, fail) {
    this.text = text;
    this.fail = fail;
    this.at = 0;
    this.depth = 0;
    this.starts = [0];
    for (let k = text.indexOf("\n"); k >= 0; k = text.indexOf("\n", k + 1)) this.starts.push(k + 1);
  }

  /** The line of a place, from 1 on. @param {number} at */
  lineOf(at) {
    let [low, high] = [0, this.starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.starts[middle] <= at) low = middle;
      else high = middle;
    }
    return low + 1;
  }

  get line() {
    return this.lineOf(this.at);
  }

  get column() {
    return this.at - this.starts[this.line - 1];
  }

  /** @returns {string | undefined} */
  get mark() {
    return this.text[this.at];
  }

  /** Whether the document ends here. */
  get ended() {
    return this.at >= this.text.length ||
      (this.column === 0 && /^(?:---|\.\.\.)(?=\s|$)/.test(this.text.slice(this.at, this.at + 4)));
  }

  /** @param {string} what @param {string} remedy @param {number} [at] @returns {never} */
  refuse(what, remedy, at = this.at) {
    throw this.fail(`is not valid YAML: ${what}; ${remedy}`, this.lineOf(Math.min(at, this.text.length)));
  }

  blanks() {
    while (this.mark === " " || this.mark === "\t") this.at += 1;
    if (this.mark === "#" && (this.at === 0 || isBlank(this.text[this.at - 1]))) {
      while (this.at < this.text.length && this.text[this.at] !== "\n") this.at += 1;
    }
  }

  /** Go to the next mark that means something. */
  gap() {
    this.blanks();
    while (this.mark === "\n") {
      this.at += 1;
      this.blanks();
    }
  }

  /** Hold the indentation before this place against tabs. */
  indented() {
    if (this.text.slice(this.starts[this.line - 1], this.at).includes("\t") && !this.ended) {
      this.refuse("a tab in the indentation", "indent with blanks, not with tabs");
    }
  }

  /** @returns {TextNode} */
  empty() {
    return { kind: "text", line: this.line, text: "", literal: false };
  }

  /** Whether an entry of a list begins here. */
  get isEntry() {
    return this.mark === "-" && isBlank(this.text[this.at + 1]);
  }

  /** Whether the colon behind a key is here. */
  get isColon() {
    return this.mark === ":" && isBlank(this.text[this.at + 1]);
  }

  /** Refuse what YAML has and puzzle files have not. */
  properties() {
    const [sign, name] = [this.mark, /^[^\s,[\]{}]*/.exec(this.text.slice(this.at + 1, this.at + 300))?.[0] ?? ""];
    if (sign === "*") throw this.fail("YAML aliases (*name) are not allowed; quote a text that starts with '*'", this.line);
    if (sign === "&") throw this.fail(`YAML anchors (&${shown(name)}) are not allowed; quote a text that starts with '&'`, this.line);
    if (sign !== "!") return;
    const tag = name.startsWith("!") ? `tag:yaml.org,2002:${name.slice(1)}` : name.startsWith("<") ? name.slice(1, -1) : `!${name}`;
    throw this.fail(`YAML tags (${shown(tag)}) are not allowed; quote a text that starts with '!'`, this.line);
  }

  /** Read what is nested. @template T @param {() => T} read @returns {T} */
  nested(read) {
    this.depth += 1;
    if (this.depth > MAX_DEPTH + 1) throw this.fail(`lists and mappings nested more than ${MAX_DEPTH} deep`, this.line);
    const node = read();
    this.depth -= 1;
    return node;
  }

  /**
   * A node of block style that begins here.
   * @param {number} parent the column of what it is in
   * @param {boolean} beside whether it stands behind a key in its line, where no block begins
   * @returns {YamlNode}
   */
  block(parent, beside) {
    this.indented();
    this.properties();
    const { column, at } = this;
    const mark = /** @type {string} */ (this.mark);
    if (this.isEntry) {
      if (beside) this.refuse("a list begins behind a key", "begin it in a line of its own");
      return this.nested(() => this.list(column));
    }
    if (mark === "?" && isBlank(this.text[at + 1])) throw this.fail("a key must be a text, not a list or a mapping", this.line);
    if (mark === "|" || mark === ">") return this.blockText(parent);
    const node = this.inline(() => this.plain(parent, false));
    const { line } = node;
    const after = this.at;
    this.blanks();
    if (this.isColon) {
      if (beside) this.refuse("': ' inside a text or behind a key", "quote a text with ': ' in it, and indent keys alike");
      if (this.line !== line) this.refuse("a key of several lines", "write a key in one line, and indent keys alike");
      this.at = at;
      return this.nested(() => this.table(column));
    }
    if (!this.ended && this.mark !== "\n") {
      this.refuse(`'${shown(/** @type {string} */ (this.mark))}' behind a text or a bracket`, "quote a text as a whole or not at all", after);
    }
    return node;
  }

  /** A flow collection, a quoted text, or else a plain one. @param {() => YamlNode} plain @returns {YamlNode} */
  inline(plain) {
    const { mark } = this;
    if (mark === "[" || mark === "{") return this.nested(() => (mark === "[" ? this.flowList() : this.flowTable()));
    return mark === '"' || mark === "'" ? this.quoted(mark) : plain();
  }

  /** @param {number} column @returns {ListNode} */
  list(column) {
    /** @type {ListNode} */
    const node = { kind: "list", line: this.line, items: [] };
    while (!this.ended && this.column === column && this.isEntry) {
      const { line } = this;
      this.at += 1;
      this.gap();
      if (!this.ended && (this.line === line || this.column > column)) node.items.push(this.block(column, false));
      else node.items.push({ ...this.empty(), line });
      this.gap();
    }
    this.dedented(column);
    return node;
  }

  /** @param {number} column @returns {TableNode} */
  table(column) {
    /** @type {TableNode} */
    const node = { kind: "table", line: this.line, pairs: [] };
    while (!this.ended && this.column === column) {
      this.indented();
      this.properties();
      const { line } = this;
      if (this.isEntry) this.refuse("an entry of a list between keys", "indent entries alike");
      const key = this.inline(() => this.plain(column, true));
      this.blanks();
      if (!this.isColon) this.refuse("a key without ': '", "write 'key: value', and quote a text of several lines");
      if (key.kind !== "text") throw this.fail("a key must be a text, not a list or a mapping", line);
      this.at += 1;
      this.gap();
      /** @type {YamlNode} */
      let value = { ...this.empty(), line };
      if (!this.ended) {
        if (this.line === line) value = this.block(column, true);
        else if (this.column > column) value = this.block(column, false);
        else if (this.column === column && this.isEntry) value = this.nested(() => this.list(column));
      }
      node.pairs.push({ key, value });
      this.gap();
    }
    this.dedented(column);
    return node;
  }

  /** Hold what follows a block against its indentation. @param {number} column */
  dedented(column) {
    if (!this.ended && this.column > column) {
      this.indented();
      this.refuse("an entry is indented more than the one before", "indent entries alike, and quote a text as a whole or not at all");
    }
  }

  /** A text without quotes in block style, folded. @param {number} parent @param {boolean} key whether it may have one line only @returns {TextNode} */
  plain(parent, key) {
    const { line } = this;
    this.beginning();
    let text = this.plainLine(/:(?=\s|$)|\s#/);
    while (!key && this.mark === "\n") {
      const { at } = this;
      let next = at;
      while (isBlank(this.text[next]) && next < this.text.length) next += 1;
      this.at = next;
      if (this.ended || this.column <= parent || this.text[next] === "#") {
        this.at = at;
        break;
      }
      this.indented();
      const ends = this.lineOf(next) - this.lineOf(at);
      text += (ends === 1 ? " " : "\n".repeat(ends - 1)) + this.plainLine(/:(?=\s|$)|\s#/);
    }
    return this.scalar(text, line);
  }

  /** @param {RegExp} end @returns {string} the rest of the line as far as it is a plain text */
  plainLine(end) {
    const eol = this.text.indexOf("\n", this.at);
    const rest = this.text.slice(this.at, eol < 0 ? undefined : eol);
    const stop = end.exec(rest)?.index ?? rest.length;
    const text = rest.slice(0, stop).replace(/[ \t]+$/, "");
    this.at += text.length;
    if (stop === rest.length || rest[stop] !== ":") this.blanks();
    return text;
  }

  beginning() {
    if (/[@`%,\]}]/.test(this.mark ?? "") || (/[|>]/.test(this.mark ?? ""))) {
      this.refuse(`'${this.mark}' begins a text`, "close every bracket, and quote a text with any of #,:[]{}@`% in it");
    }
  }

  /** @param {string} text @param {number} line @param {boolean} [literal] @returns {TextNode} */
  scalar(text, line, literal = false) {
    if (text.length > MAX_SCALAR) throw this.fail("a text is longer than 10,000 characters", line);
    return { kind: "text", line, text, literal };
  }

  /** @param {string} quote @returns {TextNode} */
  quoted(quote) {
    const { line, at: begin } = this;
    let text = "";
    // What is escaped is not folded: it is put in its place afterwards.
    /** @type {string[]} */
    const kept = [];
    const keep = (/** @type {string} */ mark) => {
      kept.push(mark);
      text += "\ue000";
    };
    for (this.at += 1; ; this.at += 1) {
      const { mark } = this;
      if (mark === undefined || this.ended) this.refuse("a quote is not closed", "close every quote", begin);
      if (mark === quote && quote === "'" && this.text[this.at + 1] === "'") {
        text += "'";
        this.at += 1;
      } else if (mark === quote) break;
      else if (mark === "\ue000") keep(mark);
      else if (mark === "\\" && quote === '"') {
        this.at += 1;
        const sign = this.mark ?? "";
        if (sign === "\n") {
          while (isBlank(this.text[this.at + 1]) && this.at + 1 < this.text.length) this.at += 1;
          keep("");
        } else if (sign in CODES) {
          const digits = this.text.slice(this.at + 1, this.at + 1 + CODES[sign]);
          const code = /^[0-9a-fA-F]+$/.test(digits) && digits.length === CODES[sign] ? parseInt(digits, 16) : -1;
          if (code < 0 || code > 0x10ffff) this.refuse(`the escape \\${shown(sign + digits)}`, "write a backslash in double quotes as \\\\");
          keep(String.fromCodePoint(code));
          this.at += CODES[sign];
        } else if (sign in ESCAPES) keep(ESCAPES[sign]);
        else this.refuse(`the escape \\${shown(sign)}`, "write a backslash in double quotes as \\\\");
      } else text += mark;
    }
    this.at += 1;
    return this.scalar(folded(text).replace(/\ue000/g, () => kept.shift() ?? ""), line);
  }

  /** @returns {ListNode} */
  flowList() {
    const { at: begin } = this;
    /** @type {ListNode} */
    const node = { kind: "list", line: this.line, items: [] };
    this.at += 1;
    for (this.flowGap(begin); this.mark !== "]"; this.flowGap(begin)) {
      const { line } = this;
      const item = this.flowNode();
      this.flowGap(begin);
      if (this.mark === ":") {
        if (item.kind !== "text") throw this.fail("a key must be a text, not a list or a mapping", line);
        if (this.line !== line) this.refuse("a bracket is not closed", "close every bracket, and quote a text with any of #,:[]{} in it");
        this.at += 1;
        this.flowGap(begin);
        node.items.push({ kind: "table", line, pairs: [{ key: item, value: this.flowValue(line) }] });
      } else node.items.push(item);
      this.comma("]", begin);
    }
    this.at += 1;
    return node;
  }

  /** @returns {TableNode} */
  flowTable() {
    const { at: begin } = this;
    /** @type {TableNode} */
    const node = { kind: "table", line: this.line, pairs: [] };
    this.at += 1;
    for (this.flowGap(begin); this.mark !== "}"; this.flowGap(begin)) {
      const { line } = this;
      const key = this.flowNode();
      if (key.kind !== "text") throw this.fail("a key must be a text, not a list or a mapping", line);
      this.flowGap(begin);
      /** @type {YamlNode} */
      let value = { ...this.empty(), line };
      if (this.mark === ":") {
        this.at += 1;
        this.flowGap(begin);
        value = this.flowValue(line);
      }
      node.pairs.push({ key, value });
      this.comma("}", begin);
    }
    this.at += 1;
    return node;
  }

  /** Go to the next mark inside brackets. @param {number} begin */
  flowGap(begin) {
    this.gap();
    if (this.ended) this.refuse("a bracket is not closed", "close every bracket, and quote a text with any of #,:[]{} in it", begin);
  }

  /** @param {string} close @param {number} begin */
  comma(close, begin) {
    this.flowGap(begin);
    if (this.mark === ",") this.at += 1;
    else if (this.mark !== close) {
      this.refuse(`'${shown(/** @type {string} */ (this.mark))}' where ',' or '${close}' is due`, "close every bracket, and quote a text with any of #,:[]{} in it");
    }
  }

  /** @param {number} line @returns {YamlNode} */
  flowValue(line) {
    return /[,\]}]/.test(this.mark ?? "") ? { ...this.empty(), line } : this.flowNode();
  }

  /** @returns {YamlNode} */
  flowNode() {
    this.properties();
    return this.inline(() => {
      const { line } = this;
      this.beginning();
      if (this.mark === ":" && /[\s,[\]{}]/.test(this.text[this.at + 1] ?? " ")) return this.empty();
      if (this.mark === "?" && isBlank(this.text[this.at + 1])) throw this.fail("a key must be a text, not a list or a mapping", line);
      const begin = this.at;
      const end = /[,[\]{}]|:(?=[\s,[\]{}]|$)|\s#/;
      let text = this.plainLine(end);
      while (this.mark === "\n") {
        const from = this.line;
        this.gap();
        if (this.ended || /[,[\]{}:]/.test(this.mark ?? "")) break;
        const ends = this.line - from;
        text += (ends === 1 ? " " : "\n".repeat(ends - 1)) + this.plainLine(end);
      }
      if (this.at === begin) this.refuse(`'${shown(this.mark ?? "")}' begins a text`, "quote a text with any of #,:[]{} in it");
      return this.scalar(text, line);
    });
  }

  /** A text below `|` or `>`. @param {number} parent @returns {TextNode} */
  blockText(parent) {
    const { line } = this;
    const head = /^([|>])([-+]?)([1-9]?)([-+]?)[ \t]*(?:[ \t]#[^\n]*)?(?:\n|$)/.exec(this.text.slice(this.at));
    if (!head || (head[2] && head[4])) return this.refuse("a text behind | or >", "begin the text in the next line");
    const [whole, style, before, digit, behind] = head;
    this.at += whole.length;
    /** @type {string[]} */
    const rows = [];
    let indent = digit ? Math.max(parent, 0) + Number(digit) : 0;
    while (this.at < this.text.length && !this.ended) {
      const eol = this.text.indexOf("\n", this.at);
      const row = this.text.slice(this.at, eol < 0 ? undefined : eol);
      const deep = /^ */.exec(row)?.[0].length ?? 0;
      if (deep < row.length || (indent && deep > indent)) {
        if (!indent && row[deep] === "\t" && deep <= parent) break;
        indent ||= Math.max(deep, parent + 1);
        if (deep < indent && deep < row.length) break;
      }
      rows.push(row);
      this.at = eol < 0 ? this.text.length : eol + 1;
    }
    const lines = rows.map((row) => row.slice(indent || row.length));
    let last = lines.length;
    while (last && !lines[last - 1]) last -= 1;
    const chomp = before || behind;
    const ends = chomp === "-" ? 0 : chomp === "+" ? Math.max(1, lines.length - last + Number(last > 0)) : Number(last > 0);
    const body = lines.slice(0, last);
    // The line end before what follows is where blocks look for their column.
    const text = style === "|" ? body.join("\n") : unwrapped(body);
    return this.scalar(text + "\n".repeat(lines.length ? ends : 0), line, style === "|");
  }
}

/** Lines below `>` as one; lines that are indented more keep their ends. @param {string[]} lines */
function unwrapped(lines) {
  let text = "";
  let deep = false;
  let ends = 0;
  lines.forEach((line, k) => {
    if (!line) {
      ends += 1;
      return;
    }
    const isDeep = /^[ \t]/.test(line);
    if (k === ends && !text) text = "\n".repeat(ends);
    else if (isDeep || deep) text += "\n".repeat(ends + 1);
    else text += ends ? "\n".repeat(ends) : " ";
    text += line;
    deep = isDeep;
    ends = 0;
  });
  return text;
}

/**
 * The one document of a text; null where it is empty.
 * @param {string} text with line feeds as line ends
 * @param {(message: string, line: number | null) => InputError} fail makes the error to throw
 * @returns {YamlNode | null}
 */
export function readYaml(text, fail) {
  const reader = new Reader(text, fail);
  reader.gap();
  if (reader.mark === "%" && reader.column === 0) reader.refuse("a directive (%)", "remove the line");
  if (text.startsWith("---", reader.at) && reader.ended && reader.at < text.length) {
    reader.at += 3;
    reader.gap();
  }
  if (reader.ended) return null;
  const node = reader.block(-1, false);
  reader.gap();
  if (!reader.ended) reader.refuse("an entry is indented less than the one before", "indent entries alike, and quote a text as a whole or not at all");
  while (text.startsWith("...", reader.at)) {
    reader.at += 3;
    reader.gap();
  }
  if (reader.at < text.length) {
    const { line } = reader;
    throw fail(reader.ended ? "found a second document after '---'; a file holds one" : "is not valid YAML: a text after the end of the document '...'; remove it", line);
  }
  return node;
}
