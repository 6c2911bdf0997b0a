/**
 * Bundle the page: one html that is whole but for the solver, and the solver's thread.
 * What is built is committed in calmip/page/; the same sources give the same bytes. The page holds
 * NOTICES, and no package gets into a bundle whose licence is not there.
 */

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, transform } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, "..", "calmip", "page");
const read = (path) => readFileSync(join(here, path), "utf8");

const data = JSON.parse(read("src/data.json"));

/** The colours of a theme as custom properties. */
function properties(theme) {
  const roles = { ...data.themes[theme] };
  data.pieces[theme].forEach((colour, k) => (roles[`p${k}`] = colour));
  // The page's own: what has no counterpart in a printed picture.
  const own = {
    light: { accent: "#3d46d6", soft: "#ededf2", edge: "#c9c9d2", rim: "#1c1c22", warm: "#f0a030", warn: "#fdeecb", bad: "#b3261e", dull: "#c4c4cb" },
    dark: { accent: "#a3abff", soft: "#2a2a31", edge: "#55555f", rim: "#8a8a96", warm: "#c77d14", warn: "#4a3b12", bad: "#ff9c93", dull: "#6a6a74" },
  }[theme];
  return Object.entries({ ...roles, ...own }).map(([role, colour]) => `--${role}:${colour}`).join(";");
}

const shades = data.pieces.light.map((_, k) => `.p${k}{fill:var(--p${k})}`).join("");
// Dark where the system is, unless the page around this one has said which theme it has.
const dark = properties("dark");
const css = `:root{${properties("light")}}` +
  `@media screen and (prefers-color-scheme:dark){:root:not([data-theme=light]){${dark}}}` +
  `@media screen{:root[data-theme=dark]{${dark};color-scheme:dark}}:root[data-theme=light]{color-scheme:light}` +
  `${shades}${read("page.css")}`;

const options = { bundle: true, minify: true, write: false, metafile: true, target: "es2022", legalComments: "none", charset: "utf8" };
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

const script = (await bundle("src/main.js", { format: "iife" })).replaceAll("</script", "<\\/script");
const style = (await transform(css, { loader: "css", minify: true })).code.trimEnd();
const page = read("page.html")
  .replace("/*style*/", () => style)
  .replace("/*notices*/", () => notices)
  .replace("/*script*/", () => script);

mkdirSync(out, { recursive: true });
writeFileSync(join(out, "page.html"), page);
const worker = await bundle("src/lab/thread.js", { format: "iife", define: { "import.meta.url": '""' }, external: ["node:*"] });
writeFileSync(join(out, "highs.js"), `${worker}\n`);
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

console.log(`page.html ${page.length} bytes, ${gzipSync(page, { level: 9 }).length} with gzip`);
