/** The placement model as portable MPS and LP files: the bytes of `calmip export`. */

import { header } from "./comments.js";

/** @typedef {import("../problem/cover.js").ExactCover} ExactCover */

const LP_WIDTH = 78;

/** @param {string} name */
const field = (name) => name.padEnd(8);

/** The model as the text of an MPS file. @param {ExactCover} cover @param {number | null} tilings */
export function mpsText(cover, tilings) {
  const { items, options } = cover;
  let objective = "OBJ";
  while (items.some((item) => item.name === objective)) objective += "_";
  return [
    ...header(cover, tilings).map((line) => `* ${line}`),
    "NAME          calmip",
    "ROWS",
    ` N  ${objective}`,
    ...items.map((item) => ` E  ${item.name}`),
    "COLUMNS",
    "    MARKER    'MARKER'                 'INTORG'",
    ...options.flatMap((option) =>
      option.items.map((item) => `    ${field(option.name)}  ${field(items[item].name)}  1`)),
    "    MARKER    'MARKER'                 'INTEND'",
    "RHS",
    ...items.map((item) => `    RHS       ${field(item.name)}  ${item.demand}`),
    "BOUNDS",
    ...options.map((option) => ` UP BND       ${field(option.name)}  1`),
    "ENDATA",
    "",
  ].join("\n");
}

/** The model as the text of an LP file. @param {ExactCover} cover @param {number | null} tilings */
export function lpText(cover, tilings) {
  const names = cover.options.map((option) => option.name);
  const lines = header(cover, tilings).map((line) => `\\ ${line}`);
  lines.push("Minimize", ...wrapped(" obj: ", names.map((name, k) => `${k ? "+ " : ""}0 ${name}`), ""), "Subject To");
  cover.rows.forEach((row, item) => {
    const terms = row.map((column, k) => `${k ? "+ " : ""}${names[column]}`);
    const { name, demand } = cover.items[item];
    lines.push(...wrapped(` ${name}: `, terms.length ? terms : [`0 ${names[0]}`], `= ${demand}`));
  });
  lines.push("Binaries", ...filled(names), "End", "");
  return lines.join("\n");
}

/** Lines under 80 characters; a term is never split. @param {string} head @param {string[]} terms @param {string} tail */
function wrapped(head, terms, tail) {
  const lines = [];
  let line = head;
  for (const term of tail ? [...terms, tail] : terms) {
    if (line.length + term.length > LP_WIDTH && line.trim()) {
      lines.push(line.trimEnd());
      line = "   ";
    }
    line += `${term} `;
  }
  lines.push(line.trimEnd());
  return lines;
}

/** Words in lines of at most 78 characters that begin with a blank. @param {string[]} words */
function filled(words) {
  const lines = [];
  let line = "";
  for (const word of words) {
    if (line && line.length + 1 + word.length > LP_WIDTH) {
      lines.push(line);
      line = "";
    }
    line += ` ${word}`;
  }
  if (line) lines.push(line);
  return lines;
}
