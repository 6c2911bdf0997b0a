/** Placed pieces as people write them: `U:15+16+22 Y:3,0+4,0`, as in `calmip hint --placed`. */

import { BLANK } from "../problem/board.js";
import { InputError, listed, shown } from "../problem/errors.js";

/** @typedef {import("../problem/lattice.js").Cell} Cell */
/** @typedef {import("../problem/instance.js").Instance} Instance */
/** @typedef {import("../problem/instance.js").Placement} Placement */

/** A placement as an entry that can be read again, by labels where these serve. @param {Instance} instance @param {Placement} placement */
export function written(instance, { piece, cells }) {
  const { board } = instance.puzzle;
  const places = cells.map((cell) => {
    const label = board.label(cell);
    const own = label !== BLANK && board.labels.get(label)?.length === 1 && !/[+; \s]/.test(label);
    return own ? label : `${cell[0]},${cell[1]}`;
  });
  return `${piece}:${places.join("+")}`;
}

/** The placements that entries such as `U:15+16` mean; every cell is named. @param {Instance} instance @param {string} text @returns {Placement[]} */
export function readPlaced(instance, text) {
  const { board, pieces } = instance.puzzle;
  const entries = text.trim() ? text.trim().split(/[\s;]+/) : [];
  return entries.map((entry) => {
    const known = pieces.map((piece) => piece.name).filter((name) => entry.startsWith(`${name}:`));
    const name = known.sort((a, b) => b.length - a.length)[0] ?? entry.split(":")[0];
    if (!entry.includes(":") || !name) {
      throw new InputError(
        `'${shown(entry)}' does not say what lies where; write PIECE:PLACE+PLACE, with labels ` +
          "or row,column for places, for example U:15+16 or U:3,0+3,1");
    }
    const cells = entry.slice(name.length + 1).split("+").map((place) => {
      const labelled = board.labels.get(place.normalize("NFC")) ?? [];
      if (labelled.length === 1) return labelled[0];
      const parts = /^(\d{1,9}),(\d{1,9})$/.exec(place);
      if (!parts) {
        throw new InputError(
          `piece ${shown(name)}: '${shown(place)}' is neither a label on the board nor row,column; ` +
            `the labels are ${listed([...board.labels.keys()])}`);
      }
      return /** @type {Cell} */ ([Number(parts[1]), Number(parts[2])]);
    });
    return { piece: name, cells };
  });
}
