/**
 * One-line faults in the page's modules, and whether their tests under Node notice.
 *
 *     node mutants.mjs [--sample 20] [--seed 1] [src/search/region.js[:LINE] ...]
 *
 * The faults are those of benchmarks/mutants.py: another comparison, sign or number, a condition
 * turned round, a statement left out. The views are left to the tests in browsers. Each mutant
 * lies in a copy; a line is printed for each survivor.
 */

import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import ts from "typescript";

const ROOMS = ["documents", "formats", "lab", "play", "problem", "search"];

const OPERATORS = new Map([
  ["<", "<="], ["<=", "<"], [">", ">="], [">=", ">"], ["===", "!=="], ["!==", "==="], ["+", "-"], ["-", "+"], ["*", "/"],
  ["/", "*"], ["&&", "||"], ["||", "&&"], ["??", "&&"], ["&", "|"], ["|", "&"], ["+=", "-="], ["-=", "+="],
]);

const METHODS = new Map([["some", "every"], ["every", "some"], ["min", "max"], ["max", "min"]]);

/** The changes that a module's text can suffer. @param {string} text @returns {{start: number, end: number, to: string}[]} */
function changesOf(text) {
  const source = ts.createSourceFile("module.js", text, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
  /** @type {{start: number, end: number, to: string}[]} */
  const found = [];
  const change = (/** @type {ts.Node} */ node, /** @type {string} */ to) =>
    found.push({ start: node.getStart(source), end: node.getEnd(), to });
  const visit = (/** @type {ts.Node} */ node) => {
    if (ts.isImportDeclaration(node) || ts.isThrowStatement(node)) {
      if (ts.isThrowStatement(node)) change(node, ";");
      return;
    }
    if (ts.isBinaryExpression(node)) {
      const other = OPERATORS.get(node.operatorToken.getText(source));
      if (other) change(node.operatorToken, other);
    } else if (ts.isNumericLiteral(node)) change(node, `(${node.text} + 1)`);
    else if (node.kind === ts.SyntaxKind.TrueKeyword) change(node, "false");
    else if (node.kind === ts.SyntaxKind.FalseKeyword) change(node, "true");
    else if (ts.isIfStatement(node) || ts.isWhileStatement(node)) change(node.expression, `!(${node.expression.getText(source)})`);
    else if (ts.isConditionalExpression(node)) change(node.condition, `!(${node.condition.getText(source)})`);
    else if (ts.isContinueStatement(node) || ts.isBreakStatement(node)) change(node, ";");
    else if (ts.isExpressionStatement(node) && ts.isCallExpression(node.expression)) change(node, ";");
    else if (ts.isPropertyAccessExpression(node)) {
      const other = METHODS.get(node.name.text);
      if (other) change(node.name, other);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** A generator of numbers below one (mulberry32). @param {number} seed */
function randomOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const { values: given, positionals } = parseArgs({
  allowPositionals: true,
  options: { sample: { type: "string", default: "20" }, seed: { type: "string", default: "1" } },
});
const here = import.meta.dirname;
const files = positionals.length
  ? positionals
  : ROOMS.flatMap((room) => readdirSync(join(here, "src", room)).map((name) => `src/${room}/${name}`));
const every = files.flatMap((given) => {
  const [file = "", line] = given.split(":");
  const text = readFileSync(join(here, file), "utf8");
  return changesOf(text)
    .map((change) => ({ file, line: text.slice(0, change.start).split("\n").length, ...change }))
    .filter((change) => !line || change.line === Number(line));
});
const random = randomOf(Number(given.seed));
const chosen = every.map((one) => ({ one, key: random() })).sort((a, b) => a.key - b.key).slice(0, Number(given.sample));

const copy = mkdtempSync(join(tmpdir(), "page-mutants-"));
try {
  // The tests read the package's data too, beside the page's.
  const web = join(copy, "web");
  cpSync(here, web, { recursive: true, filter: (path) => !path.endsWith("node_modules") });
  symlinkSync(join(here, "node_modules"), join(web, "node_modules"));
  for (const name of ["calmip", "instances"]) symlinkSync(join(here, "..", name), join(copy, name));
  /** Whether all tests pass; the first that fails ends them. @returns {Promise<boolean>} */
  const passes = () =>
    new Promise((resolve) => {
      const tests = spawn("node", ["--test", "--test-reporter=tap", "test/"], { cwd: web, timeout: 300_000 });
      tests.stdout.on("data", (text) => {
        if (/^\s*not ok/m.test(String(text))) tests.kill();
      });
      tests.on("close", (status) => resolve(status === 0));
    });
  if (!(await passes())) throw new Error("the tests do not pass without a fault");
  let survived = 0;
  for (const { one } of chosen) {
    const text = readFileSync(join(here, one.file), "utf8");
    writeFileSync(join(web, one.file), text.slice(0, one.start) + one.to + text.slice(one.end));
    if (await passes()) {
      survived += 1;
      console.log(`${one.file}:${one.line}: ${text.slice(one.start, one.end)} -> ${one.to}`);
    }
    writeFileSync(join(web, one.file), text);
  }
  console.log(`seed ${given.seed}: ${every.length} mutants, ${chosen.length} tried, ${chosen.length - survived} killed, ${survived} survived`);
} finally {
  rmSync(copy, { recursive: true });
}
