// The scene's text with errors at their lines.
import { $, make } from "./dom.js";

export class Editor {
  constructor(source) {
    this.source = source;
    const text = $("text");
    text.oninput = () => this.#drawLines();
    text.onscroll = () => ($("lines").scrollTop = text.scrollTop);
    text.onkeydown = (event) => {
      event.stopPropagation();
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.apply();
      if (event.key === "Escape") $("view").focus();
    };
    $("apply").onclick = () => this.apply();
    this.errors = [];
  }

  apply() {
    this.source.send({ type: "edit", text: $("text").value });
  }

  set({ text, errors }) {
    $("scene").hidden = false;
    if (text !== undefined && text !== null && text !== $("text").value) $("text").value = text;
    this.errors = errors ?? [];
    $("errors").replaceChildren(
      ...this.errors.map((error) => {
        const place = error.line > 0 ? `Line ${error.line}: ` : "";
        const button = make("button", { textContent: `${place}${error.message}` });
        button.onclick = () => this.#goTo(error);
        return make("li", {}, button);
      }),
    );
    this.#drawLines();
  }

  #goTo({ line, column }) {
    const text = $("text");
    const start = text.value.split("\n").slice(0, line - 1).reduce((sum, part) => sum + part.length + 1, 0);
    text.focus();
    text.setSelectionRange(start + Math.max(0, (column ?? 1) - 1), start + Math.max(0, (column ?? 1) - 1));
    text.scrollTop = Math.max(0, (line - 6) * 18);
  }

  #drawLines() {
    const bad = new Set(this.errors.map((error) => error.line));
    const count = $("text").value.split("\n").length;
    $("lines").replaceChildren(
      ...Array.from({ length: count }, (_, i) => make("span", { className: bad.has(i + 1) ? "bad" : "", textContent: `${i + 1}\n` })),
    );
    $("lines").scrollTop = $("text").scrollTop;
  }
}
