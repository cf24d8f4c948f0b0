// The panel beside the view: open or closed, what the camera has to leave free, and the list of keys.
import { $, make } from "./dom.js";

const KEYS = [
  ["View", [
    ["drag", "turn"], ["right drag, or two fingers", "move"], ["wheel, pinch, + −", "zoom"], ["← → ↑ ↓", "turn; with Shift move"],
    ["F", "fit everything"], ["V", "the first view again"], ["C", "colour by the next field; with Shift the one before"],
    ["P", "panel, when nothing is held"], ["T", "light or dark"],
  ]],
  ["Time", [["Space", "play or pause"], [". ,", "one step on or back"], ["Home End", "first or last moment"], ["[ ]", "slower, faster"]]],
];
const HAND_KEYS = ["Hands", [
  ["drag a rod", "pull it"], ["Shift while dragging", "twist"], ["P", "pin: the hand stays when you let go"],
  ["drag a pinned point", "move it on"], ["X", "cut what is under the pointer"], ["Shift X", "scissors: whoever presses on a rod cuts it"], ["Esc", "let go of everything"], ["Ctrl Z", "back to the last pause, or before the last cut"],
]];

export class Panel {
  constructor(viewer) {
    this.viewer = viewer;
    $("open-panel").onclick = () => this.toggle();
    $("help").onclick = () => this.showKeys();
    $("keys").onclick = (event) => event.target === $("keys") && $("keys").close();
    this.set(window.innerWidth > 720);
    new ResizeObserver(() => this.#measure()).observe($("panel"));
  }

  toggle() {
    this.set(document.body.classList.contains("closed"));
    this.viewer.isOld = true;
  }

  set(isOpen) {
    document.body.classList.toggle("closed", !isOpen);
    $("open-panel").setAttribute("aria-expanded", String(isOpen));
    this.#measure();
  }

  // Panels cover parts of the window; the middle of the rest is where things should be.
  #measure() {
    const panel = $("panel");
    const isOpen = panel.offsetParent !== null || getComputedStyle(panel).display !== "none";
    const isBelow = window.innerWidth <= 720;
    const { innerWidth, innerHeight } = window;
    const bar = $("bottom").offsetHeight + 16;
    this.viewer.orbit.inset = {
      right: isOpen && !isBelow ? (panel.offsetWidth + 14) / innerWidth : 0,
      bottom: Math.min(0.6, (isOpen && isBelow ? panel.offsetHeight : bar) / innerHeight),
      top: Math.min(0.2, 56 / innerHeight),
    };
    panel.classList.toggle("short", panel.scrollHeight < innerHeight - bar - 80);
    this.viewer.orbit.isOld = true;
  }

  showKeys() {
    const lists = (this.hasHands ? [...KEYS, HAND_KEYS] : KEYS).flatMap(([title, rows]) => [
      make("h2", { textContent: title }),
      make("dl", {}, ...rows.flatMap(([key, what]) => [make("dt", { textContent: key }), make("dd", { textContent: what })])),
    ]);
    const close = make("button", { textContent: "Close", className: "wide", onclick: () => $("keys").close() });
    $("keys").replaceChildren(...lists, close); // a finger finds no edge to press beside it
    $("keys").showModal();
  }
}
