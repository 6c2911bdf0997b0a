/**
 * Bundle the page: one html that is whole but for the lab, the lab's view, and the solver's thread; and the board
 * as an element for pages of others.
 * What is built is committed in calmip/page/; the same sources give the same bytes. The solver holds
 * NOTICES, and no package gets into a bundle whose licence is not there.
 */

import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { deflateRawSync, gzipSync } from "node:zlib";
import { build, transform } from "esbuild";
import { minify } from "terser";
import ts from "typescript";
import { TABLE } from "./src/text/table.js";
import { LANGUAGES } from "./src/text/text.js";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, "..", "calmip", "page");
const read = (path) => readFileSync(join(here, path), "utf8");

const data = JSON.parse(read("src/data.json"));

/** The colours of a theme as custom properties. @param {"light" | "dark"} theme @param {string} [styles] of all colours those that these use */
function properties(theme, styles) {
  const roles = { ...data.themes[theme] };
  data.pieces[theme].forEach((colour, k) => (roles[`p${k}`] = colour));
  // The page's own: what has no counterpart in a printed picture.
  const own = {
    light: { accent: "#3d46d6", soft: "#ededf2", edge: "#c9c9d2", rim: "#1c1c22", warm: "#f0a030", warn: "#fdeecb", bad: "#b3261e", dull: "#c4c4cb" },
    dark: { accent: "#a3abff", soft: "#2a2a31", edge: "#55555f", rim: "#8a8a96", warm: "#c77d14", warn: "#4a3b12", bad: "#ff9c93", dull: "#6a6a74" },
  }[theme];
  return Object.entries({ ...roles, ...own }).filter(([role]) => !styles || styles.includes(`var(--${role})`)).map(([role, colour]) => `--${role}:${colour}`).join(";");
}

// Paul Tol's light scheme, which the colour-blind tell apart below black letters, with paler ones; and greys.
const palettes = {
  safe: ["#77aadd", "#ee8866", "#eedd88", "#ffaabb", "#99ddff", "#44bb99", "#bbcc33", "#aaaa00", "#dddddd", "#bbd4ee", "#f7c4b3", "#f7eec4", "#c4e9df", "#ddd499", "#ffd5dd", "#ccccee"],
  plain: ["#d2d2d2", "#b4b4b4", "#e6e6e6", "#a6a6a6"],
};
const tints = Object.entries(palettes).map(([name, colours]) =>
  `:root[data-tint=${name}]{${data.pieces.light.map((_, k) => `--p${k}:${colours[k % colours.length]}`).join(";")}}`).join("");
const shades = data.pieces.light.map((_, k) => `.p${k}{fill:var(--p${k})}`).join("");
// Dark where the system is, unless the page around this one has said which theme it has.
const dark = properties("dark");
const css = `:root{${properties("light")}}` +
  `@media screen and (prefers-color-scheme:dark){:root:not([data-theme=light]){${dark}}}` +
  `@media screen{:root[data-theme=dark]{${dark};color-scheme:dark}}:root[data-theme=light]{color-scheme:light}` +
  `${tints}${shades}${read("board.css")}${read("page.css")}`;
const boardRules = `${shades}${read("board.css")}${read("element.css")}`;
const darkBoard = `${properties("dark", boardRules)};color-scheme:dark`;
const boardCss = `:host{${properties("light", boardRules)}}:host([theme=dark]){${darkBoard}}` +
  `@media (prefers-color-scheme:dark){:host([theme=system]){${darkBoard}}}${boardRules}`;

/** The compiled search is packed: its letters, four for three bytes, pack badly. */
const packed = {
  name: "packed",
  /** @param {import("esbuild").PluginBuild} on */
  setup: (on) => on.onLoad({ filter: /data\.json$/ }, () => ({
    contents: JSON.stringify({
      ...data, kernel: deflateRawSync(Buffer.from(data.kernel, "base64"), { level: 9 }).toString("base64"),
    }),
    loader: "json",
  })),
};

/** The modules that call `t`. */
const TEXTS = /src[\\/](?:view|play|main|more|element|text[\\/]text)\b.*\.js$/;

/** The calls of `t` in a module: where the literals of their keys are. @param {string} path @param {string} text */
function keysIn(path, text) {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true, ts.ScriptKind.JS);
  /** @type {{from: number, to: number, key: string}[]} */
  const places = [];
  /** @param {ts.Node} node */
  const literals = (node) => {
    if (ts.isConditionalExpression(node)) {
      literals(node.whenTrue);
      literals(node.whenFalse);
    } else if (ts.isStringLiteral(node) && Object.hasOwn(TABLE, node.text)) {
      places.push({ from: node.getStart(), to: node.getEnd(), key: node.text });
    } else throw new Error(`${path}: the key of t is a literal, not ${node.getText()}`);
  };
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isCallExpression(node) && node.expression.getText() === "t") literals(node.arguments[0]);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return places.sort((a, b) => b.from - a.from);
}

/** The strings of a language lie together and have numbers for keys: that packs better. @param {readonly string[]} keys of all strings that are used */
const stringsOf = (keys) => ({
  name: "strings",
  /** @param {import("esbuild").PluginBuild} on */
  setup: (on) => {
    on.onLoad({ filter: /text[\\/]table\.js$/ }, () => {
      const columns = TABLE.play.map((_, k) => keys.map((key) => TABLE[key][k]).join("\n"));
      return { contents: `const all=${JSON.stringify(columns)},known=[];export const textOf=(key,language)=>(known[language]??=all[language].split("\\n"))[key];` };
    });
    on.onLoad({ filter: TEXTS }, ({ path }) =>
      ({
        contents: keysIn(path, readFileSync(path, "utf8"))
          .reduce((whole, { from, to, key }) => whole.slice(0, from) + keys.indexOf(key) + whole.slice(to), readFileSync(path, "utf8")),
      }));
  },
});
const strings = stringsOf(Object.keys(TABLE));
const options = { plugins: [packed, strings], bundle: true, minify: true, write: false, metafile: true, target: "es2022", legalComments: "none", charset: "utf8" };
const notices = read("../NOTICES");

/** Refuse a package whose licence, word for word, is not among the notices. @param {string} name */
function credit(name) {
  const licence = read(`node_modules/${name}/LICENSE`).replaceAll("\r\n", "\n").trim();
  if (!notices.includes(licence)) throw new Error(`NOTICES lacks the licence of ${name}: node_modules/${name}/LICENSE`);
}

/** Bundle a module and all that it imports. */
async function bundle(entry, more = {}) {
  const built = await build({ ...options, ...more, entryPoints: [join(here, entry)], absWorkingDir: here });
  for (const path of Object.keys(built.metafile.inputs)) {
    const [, name] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? [];
    if (name) credit(name);
  }
  return built.outputFiles[0].text.trimEnd();
}

/** The script as it packs best: names that return in every scope, and no more parts than needed. @param {string} text */
async function packedScript(text) {
  const { code } = await minify(text, {
    compress: { passes: 3, ecma: 2020, unsafe_arrows: true, pure_getters: true }, mangle: true, module: true, ecma: 2020,
  });
  return `${code}`.replaceAll("</script", "<\\/script");
}

const script = await packedScript(await bundle("src/main.js", { format: "iife" }));
const style = (await transform(css, { loader: "css", minify: true })).code.trimEnd();
/** Modules outside of their folders that these scripts alone use. */
const OWN = ["formats/model_files.js", "documents/writer.js", "lab/small.js"];
/** What the lab's view and other scripts share with the page is not bundled again. */
const shared = {
  name: "shared",
  setup(build) {
    build.onResolve({ filter: /^\.\.\// }, ({ path, resolveDir }) => {
      const name = relative(join(here, "src"), join(resolveDir, path)).split(sep).join("/");
      if (OWN.includes(name)) return { path: join(here, "src", name) };
      if (!read("src/view/tabs.js").includes(`"${name}":`)) throw new Error(`src/view/tabs.js does not share ${name} with the lab`);
      return { path: name, namespace: "page" };
    });
    build.onLoad({ filter: /.*/, namespace: "page" }, ({ path }) =>
      ({ contents: `module.exports = globalThis.calmipPage[${JSON.stringify(path)}];` }));
  },
};
const view = await bundle("src/lab/lab.js", { format: "iife", globalName: "calmipLabView", plugins: [shared] });
const lab = `${view}\n`;
const more = await bundle("src/more/more.js", { format: "iife", globalName: "calmipMore", plugins: [shared, strings] });
/** The board alone: of the package's data what a puzzle is read with, of the texts those that it says. */
async function boardScript() {
  const entry = "src/element/element.js";
  const less = {
    name: "less",
    setup: (on) => on.onLoad({ filter: /data\.json$/ }, () => {
      const { lattices, shapes, colours } = data;
      const languages = Object.fromEntries(LANGUAGES.map(([code]) => [code, data.languages[code]]));
      return { contents: JSON.stringify({ lattices, shapes, languages, colours }), loader: "json" };
    }),
  };
  const define = { "globalThis.calmipBoardStyle": JSON.stringify((await transform(boardCss, { loader: "css", minify: true })).code.trimEnd()) };
  /** The keys in the modules; what is left of these says which texts are used. @type {Set<string>} */
  const all = new Set();
  const collect = {
    name: "collect",
    setup: (on) => {
      on.onLoad({ filter: /text[\\/]table\.js$/ }, () => ({ contents: "export const textOf=()=>''" }));
      on.onLoad({ filter: TEXTS }, ({ path }) => keysIn(path, readFileSync(path, "utf8")).forEach(({ key }) => all.add(key)));
    },
  };
  const whole = await bundle(entry, { format: "iife", plugins: [less, collect] });
  const keys = Object.keys(TABLE).filter((key) => all.has(key) && whole.includes(`"${key}"`));
  return packedScript(await bundle(entry, { format: "iife", define, plugins: [less, stringsOf(keys)] }));
}
// The mark tells a page in another encoding that this is UTF-8.
const board = `\ufeff${await boardScript()}`;
/** What the page's policy allows of what is written in it: texts by their hashes. @param {string[]} texts */
const hashes = (...texts) => texts.map((text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`).join(" ");
const page = read("page.html")
  .replace("/*scripts*/", () => hashes(script, lab, more))
  .replace("/*styles*/", () => hashes(style))
  .replace("/*style*/", () => style)
  .replace("/*script*/", () => script);
mkdirSync(out, { recursive: true });
writeFileSync(join(out, "page.html"), page);
writeFileSync(join(out, "lab.js"), lab);
writeFileSync(join(out, "more.js"), more);
writeFileSync(join(out, "board.js"), `${board}\n`);
const worker = await bundle("src/lab/thread.js", { format: "iife", define: { "import.meta.url": '""' }, external: ["node:*"] });
// All that others wrote is in the solver: their licences lie at its head, and the page shows them from there.
if (notices.includes("*/")) throw new Error("NOTICES has the end of a comment in it");
writeFileSync(join(out, "highs.js"), `/*\n${notices}*/\n${worker}\n`);
credit("highs");
const wasm = readFileSync(join(here, "node_modules/highs/build/highs.wasm"));
writeFileSync(join(out, "highs.wasm.gz"), gzipSync(wasm, { level: 9 }));
const { version } = JSON.parse(read("node_modules/highs/package.json"));
writeFileSync(join(out, "highs.json"), `${JSON.stringify({
  package: "npm highs",
  version,
  licence: "MIT",
  sha256: createHash("sha256").update(wasm).digest("hex"),
}, null, 1)}\n`);

for (const [name, text] of [["page.html", page], ["board.js", board]]) {
  console.log(`${name} ${text.length} bytes, ${gzipSync(text, { level: 9 }).length} with gzip`);
}
