// Does the search of the built site find the right page first? node .ci/search.mjs SITE
// The theme's own worker answers, with the index of the site, for phrases of the field.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import vm from "node:vm";

const EXPECTED = {
  "IIS": ["explanation/iis", "questions/infeasible"],
  "irreducible infeasible subsystem": ["explanation/iis", "questions/infeasible"],
  "infeasible model": ["explanation/iis", "questions/infeasible"],
  "Farkas certificate": ["explanation/iis", "tutorials/duality"],
  "dual ray": ["explanation/iis", "tutorials/duality"],
  "warm start": ["questions/warm-start"],
  "MIP start": ["questions/warm-start"],
  "solution pool": ["explanation/pools", "questions/all-optimal-solutions"],
  "all optimal solutions": ["explanation/pools", "questions/all-optimal-solutions"],
  "MIP gap": ["questions/mip-gap"],
  "best bound": ["questions/mip-gap", "reference/glossary"],
  "incumbent": ["questions/mip-gap", "questions/warm-start", "reference/glossary"],
  "big-M": ["explanation/same-models", "how-to/logic"],
  "symmetry breaking": ["tutorials/symmetry", "questions/symmetry"],
  "LP relaxation": ["explanation/relaxation"],
  "integrality tolerance": ["questions/mip-gap", "tutorials/write-the-model"],
  "branch and bound": ["explanation/relaxation", "reference/commands/tree", "reference/glossary"],
  "node selection": ["questions/solver-log", "reference/commands/tree"],
  "pruned by bound": ["explanation/relaxation", "reference/commands/tree", "notebooks/tree", "reference/glossary"],
  "LP file format": ["questions/lp-mps-files", "reference/model-files"],
  "MPS file": ["questions/lp-mps-files", "reference/model-files"],
  "solver log": ["questions/solver-log"],
  "which solver": ["questions/which-solver"],
  "compare formulations": ["explanation/formulations", "questions/compare-models", "explanation/same-models", "reference/commands/compare"],
  "no-good cut": ["explanation/enumeration", "explanation/pools"],
  "clique cut": ["explanation/relaxation", "course/4-relaxation"],
  "set partitioning": ["explanation/formulations", "explanation/relaxation"],
  "performance profile": ["how-to/campaigns-read"],
  "virtual best solver": ["how-to/campaigns-read"],
  "install": ["how-to/install"],
  // Options as they are typed, and messages as they are printed.
  "enumerate --best": ["explanation/pools", "reference/commands/enumerate"],
  "--gap": ["explanation/pools", "reference/commands/enumerate", "questions/mip-gap"],
  "--repair": ["explanation/iis", "reference/commands/explain"],
  "--smallest": ["explanation/iis", "reference/commands/explain"],
  "--sensitivity": ["how-to/unique", "reference/commands/unique"],
  "--warm-start": ["questions/warm-start", "reference/commands/solve"],
  "calmip compare": ["explanation/same-models", "reference/commands/compare"],
  "is not UTF-8 text": ["reference/messages"],
  "proved complete": ["explanation/pools", "explanation/enumeration", "reference/commands/enumerate"],
  // The field's words.
  "alternative optima": ["how-to/unique"],
  "unique optimum": ["how-to/unique"],
  "backbone": ["how-to/unique", "explanation/pools", "reference/commands/enumerate"],
  "shadow price": ["how-to/unique"],
  "deletion filter": ["explanation/iis", "questions/infeasible"],
  "indicator constraint": ["how-to/logic"],
  "semi-continuous": ["how-to/logic"],
  "column generation": ["tutorials/column-generation"],
  "no feasible solution": ["explanation/iis", "questions/infeasible"],
  "performance variability": ["questions/which-solver", "explanation/same-models", "how-to/campaigns-read"],
  "exact cover": ["explanation/enumeration", "explanation/formulations", "reference/glossary"],
};

const site = process.argv[2];
const folder = join(site, "assets", "javascripts", "workers");
const script = readdirSync(folder).find((name) => /^search\..*\.js$/.test(name));
const index = JSON.parse(readFileSync(join(site, "search", "search_index.json"), "utf8"));

const listeners = [];
let answer;
const worker = vm.createContext({
  console,
  addEventListener: (kind, listener) => kind === "message" && listeners.push(listener),
  postMessage: (message) => answer?.(message),
});
worker.self = worker;
vm.runInContext(readFileSync(join(folder, script), "utf8"), worker);
const ask = (message) => new Promise((resolve) => {
  answer = resolve;
  for (const listener of listeners) listener({ data: message });
});

await ask({ type: 0, data: { ...index, options: {} } });
let right = 0;
for (const [phrase, pages] of Object.entries(EXPECTED)) {
  const { data } = await ask({ type: 2, data: phrase });
  const found = (data.items ?? []).map((hits) => hits[0].location.replace(/#.*/, "").replace(/(?:\/index)?\.html$/, ""));
  const good = pages.some((page) => found[0] === page || found[0] === `${page}/index`);
  right += good;
  console.log(`${good ? "  " : "no"}  ${phrase}: ${found.slice(0, good ? 1 : 4).join(", ")}`);
}
console.log(`the right page is first for ${right} of ${Object.keys(EXPECTED).length} phrases`);
process.exit(right === Object.keys(EXPECTED).length ? 0 : 1);
