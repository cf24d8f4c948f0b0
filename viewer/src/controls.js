// Sliders for what a scene lists under `controls`: applied while it runs, or by building the world anew.
import { $, make } from "./dom.js";
import { quantity } from "./format.js";

export class Controls {
  constructor(source) {
    this.source = source;
  }

  set({ items }) {
    $("controls").hidden = items.length === 0;
    $("control-list").replaceChildren(...items.map((item) => this.#slider(item)));
  }

  #slider(item) {
    const isWide = item.min > 0 && item.max / item.min > 50; // by orders of magnitude
    const toPlace = (value) => (isWide ? Math.log(value / item.min) / Math.log(item.max / item.min) : (value - item.min) / (item.max - item.min));
    const toValue = (place) => (isWide ? item.min * (item.max / item.min) ** place : item.min + place * (item.max - item.min));
    const output = make("output", { textContent: quantity(item.value, item.unit) });
    const input = make("input", { type: "range", min: 0, max: 1, step: 0.001, value: toPlace(item.value) });
    input.oninput = () => {
      const value = toValue(Number(input.value));
      output.textContent = quantity(value, item.unit);
      if (item.live) this.#send(item, value);
    };
    input.onchange = () => this.#send(item, toValue(Number(input.value)));
    const label = make("label", { className: "slider", title: item.live ? item.path : `${item.path}: starts again` }, item.label, output, input);
    return label;
  }

  #send(item, value) {
    this.source.send({ type: "control", index: item.index, value });
  }
}
