/** Words of the lab in the reader's language. */

import { fill } from "../text/text.js";
import { TABLE } from "./table.js";

/** @typedef {keyof typeof TABLE} Key */

/** @param {Key} key @param {Record<string, import("../text/text.js").Value>} [values] */
export const t = (key, values = {}) => fill(TABLE[key], values);
