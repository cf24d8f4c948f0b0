// How things are drawn: colours by a field with their legend, what is shown, thickness, runs.
import * as THREE from "three";
import { $, make } from "./dom.js";
import { css, cssGradient, mapFor } from "./colors.js";
import { pretty, quantity } from "./format.js";

const remembered = (key, value) => {
  try {
    if (value !== undefined) localStorage.setItem(`cordage.${key}`, value);
    return localStorage.getItem(`cordage.${key}`);
  } catch {
    return null; // pages from disk may have no storage
  }
};

export class Look {
  constructor(viewer, source) {
    this.viewer = viewer;
    this.source = source;
    this.fields = [];
    $("field").onchange = () => this.setField($("field").value);
    $("component").onchange = () => this.#sendField();
    const tubes = viewer.tubes.uniforms;
    this.#toggle("show-stripe", (isOn) => (tubes.hasStripe.value = isOn ? 1 : 0));
    this.#toggle("show-shadow", (isOn) => (viewer.stage.uniforms.hasShadow.value = isOn ? 1 : 0));
    this.#toggle("show-contacts", (isOn) => {
      viewer.marks.showsContacts = isOn;
      source.send({ type: "arrows", contacts: isOn });
    });
    this.#toggle("show-nodes", (isOn) => (viewer.marks.nodes.visible = isOn));
    this.#toggle("show-frames", (isOn) => (viewer.marks.frames.visible = isOn));
    this.#toggle("follow", (isOn) => viewer.setFollow(isOn));
    this.#toggle("hold-range", (isOn) => (viewer.heldRange = isOn ? viewer.range : null));
    $("thickness").oninput = () => this.#setThickness(10 ** Number($("thickness").value));
    for (const radio of document.getElementsByName("runs")) radio.onchange = () => this.#placeRuns();
    this.setTheme(remembered("theme") ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"));
    $("theme").onclick = () => this.toggleTheme();
  }

  #toggle(id, apply) {
    $(id).onchange = () => {
      apply($(id).checked);
      this.viewer.refreshMarks();
    };
  }

  // ---- colours

  setHello(hello) {
    this.fields = hello.fields ?? [];
    const chosen = $("field").value;
    $("field").replaceChildren(
      make("option", { value: "", textContent: "rod" }),
      ...this.fields.map((field) => make("option", { value: field.name, textContent: field.label ?? field.name })),
    );
    $("field").value = this.fields.some((field) => field.name === chosen) ? chosen : "";
    if ($("field").value) this.#sendField();
    if ($("show-contacts").checked) this.source.send({ type: "arrows", contacts: true });
    this.#setRuns(hello.runs ?? []);
  }

  setField(name) {
    $("field").value = name;
    const field = this.fields.find((f) => f.name === name);
    const count = field?.components ?? 1;
    $("component-row").hidden = count < 2;
    const letters = count === 4 ? ["w", "x", "y", "z"] : field?.axes === "world" ? ["x", "y", "z"] : ["1", "2", "3"];
    $("component").replaceChildren(
      make("option", { value: "norm", textContent: "length" }),
      ...letters.slice(0, count).map((letter, i) => make("option", { value: String(i), textContent: letter })),
    );
    $("hold-range").checked = false;
    this.viewer.heldRange = null;
    this.#sendField();
  }

  nextField(by) {
    const select = $("field");
    const count = select.options.length;
    this.setField(select.options[(select.selectedIndex + by + count) % count].value);
  }

  #sendField() {
    const name = $("field").value;
    const field = this.fields.find((f) => f.name === name);
    const isVector = (field?.components ?? 1) > 1;
    const component = !isVector ? null : $("component").value === "norm" ? "norm" : Number($("component").value);
    this.source.send({ type: "color", field: name || null, component });
  }

  // After each picture: the legend says what the colours mean.
  update() {
    const { range } = this.viewer;
    const field = this.fields.find((f) => f.name === $("field").value);
    const key = range && field ? `${field.name} ${range}` : "";
    if (key === this.legendKey) return;
    this.legendKey = key;
    $("legend").hidden = !key;
    if (!key) return;
    $("legend-bar").style.background = cssGradient(mapFor(range), "to right");
    const least = 1e-9 * (Math.abs(range[0]) + Math.abs(range[1])); // noise about 0
    const ticks = [range[0], 0.5 * (range[0] + range[1]), range[1]].map((value) => (Math.abs(value) < least ? 0 : value));
    $("legend-ticks").replaceChildren(...ticks.map((value) => make("span", { textContent: quantity(value, field.unit) })));
    $("legend-bar").title = `${field.label ?? field.name} in ${pretty(field.unit ?? "")}`;
  }

  // ---- the rest

  // Half of the way around in a second colour shows twist; on many rods, or hair, it is only noise.
  setWorld(world) {
    const swatch = $("run-names").querySelector(".swatch");
    if (swatch) swatch.style.background = world.rods[0]?.color ?? "";
  }

  #setThickness(factor) {
    this.viewer.tubes.uniforms.thickness.value = factor;
    $("thickness-value").textContent = `${factor < 9.95 ? factor.toFixed(1).replace(".0", "") : Math.round(factor)} ×`;
    this.viewer.refreshMarks();
  }

  setTheme(name) {
    this.theme = name;
    document.documentElement.dataset.theme = name;
    this.viewer.stage.setTheme(name);
    this.viewer.marks.nodes.material.color.set(name === "dark" ? 0xe6eaee : 0x1c2733);
    this.viewer.isOld = true;
  }

  toggleTheme() {
    this.setTheme(this.theme === "dark" ? "light" : "dark");
    remembered("theme", this.theme);
  }

  #setRuns(names) {
    $("runs").hidden = names.length < 2;
    if (names.length < 2) return;
    const { value: other } = this.viewer.tubes.uniforms.otherColor;
    const colors = ["", css(other.toArray())]; // the first is that of the world's
    $("run-names").replaceChildren(
      ...names.slice(0, 2).map((name, i) => {
        const swatch = make("span", { className: "swatch" });
        swatch.style.background = colors[i];
        return make("div", {}, swatch, name);
      }),
    );
  }

  // Side by side: the second run is moved to the right by the width of the first.
  #placeRuns() {
    const isSide = document.querySelector('[name="runs"]:checked').value === "side";
    const { tubes, orbit } = this.viewer;
    const right = new THREE.Vector3().setFromMatrixColumn(orbit.camera.matrixWorld, 0);
    const offset = right.multiplyScalar(isSide ? 2.1 * this.viewer.size : 0);
    tubes.uniforms.runOffset.value.copy(offset);
    this.viewer.setMirror(isSide ? offset : null);
    this.viewer.fit();
  }
}
