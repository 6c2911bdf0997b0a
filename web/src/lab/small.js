/** A board whose model is read and whose tree is grown in minutes. */

import { Game } from "../play/game.js";

const SMALL = "name: 4 x 4\ngrid: ['1 2 3 4', '5 6 7 8', '9 10 11 12', '13 14 15 16']\npieces: [V3, T4, O4, P]\n";

export const smallGame = () => new Game({ yaml: SMALL, file: "small.yaml" }, {}, undefined, "small");
