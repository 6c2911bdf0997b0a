/** What most visits never open: a script of its own, which takes from the page what it shares with it. */

export { Editor } from "./editor.js";
export { ModelView } from "./model.js";
export { codePicture } from "./code.js";
