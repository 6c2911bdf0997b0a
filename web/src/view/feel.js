/** What hands feel: a click where a piece lies, a glide back where it may not, a wave at the end. */

/** Whether nothing is to move. */
export const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Milliseconds of a glide, of one piece in the wave, and from its first piece to its last. */
const [GLIDE, RISE, WAVE] = [180, 400, 500];

/** The ways in which a snap is felt. */
export const CHANNELS = ["sound", "vibration"];

/** @type {AudioContext | null} */
let audio = null;

/** Whether a channel is on: unless the reader has chosen, where nothing asks for rest. @param {import("../play/storage.js").Storage} storage @param {string} channel */
export const isOn = (storage, channel) => (storage.read(channel) ?? (isStill() ? "off" : "on")) === "on";

/** Let a snap be felt. @param {import("../play/storage.js").Storage} storage */
export function snap(storage) {
  // A browser refuses both, and complains, before its reader has touched the page.
  if (!navigator.userActivation?.hasBeenActive) return;
  if (isOn(storage, "vibration")) navigator.vibrate?.(10);
  if (isOn(storage, "sound")) void click();
}

/** A soft click, made of a falling tone. */
async function click() {
  try {
    // A telephone that is set to silence stays silent.
    const { audioSession } = /** @type {any} */ (navigator);
    if (audioSession) audioSession.type = "ambient";
    audio ??= new AudioContext();
    await audio.resume();
    const { currentTime: now, destination } = audio;
    const tone = new OscillatorNode(audio, { type: "triangle", frequency: 420 });
    const loud = new GainNode(audio, { gain: 0.09 });
    tone.frequency.exponentialRampToValueAtTime(160, now + 0.04);
    loud.gain.exponentialRampToValueAtTime(0.001, now + 0.06);
    tone.connect(loud).connect(destination);
    tone.start(now);
    tone.stop(now + 0.06);
  } catch {
    // A device without sound plays on in silence.
  }
}

/** Let a picture of what was dragged glide to where it belongs. @param {SVGSVGElement} picture at the pointer @param {Element | null | undefined} home @param {Element} place what it glides in */
export function glide(picture, home, place) {
  const [from, to] = [picture, home].map((one) => one?.getBoundingClientRect());
  if (!from || !to || !home || isStill()) return;
  const ghost = /** @type {SVGSVGElement} */ (picture.cloneNode(true));
  const frame = document.createElement("div");
  frame.className = "floating";
  frame.ariaHidden = "true";
  frame.append(ghost);
  place.append(frame);
  home.animate([{ opacity: 0 }, { opacity: 0 }], GLIDE);
  const at = (/** @type {DOMRect} */ { left, top, width }) => `translate(${left}px, ${top}px) scale(${width / from.width})`;
  frame.animate([{ transform: at(from) }, { transform: at(to) }], { duration: GLIDE, easing: "ease-out", fill: "both" }).onfinish = () => frame.remove();
}

/** A wave through lying pieces, from the last one on. @param {readonly Element[]} pieces in the order of laying */
export function wave(pieces) {
  if (isStill()) return;
  const middles = pieces.map((one) => {
    const { left, top, width, height } = one.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  });
  const [x, y] = middles[middles.length - 1] ?? [0, 0];
  const far = middles.map(([mx, my]) => Math.hypot(mx - x, my - y));
  pieces.forEach((one, k) => one.animate([{ opacity: 1 }, { opacity: 0.35 }, { opacity: 1 }],
    { duration: RISE, delay: WAVE * far[k] / Math.max(1, ...far), easing: "ease-out" }));
}
