// Sources of pictures tell what happens by name: source.on("picture", picture => ...).
export class Emitter {
  #listeners = new Map();

  on(name, listener) {
    if (!this.#listeners.has(name)) this.#listeners.set(name, []);
    this.#listeners.get(name).push(listener);
  }

  emit(name, data) {
    for (const listener of this.#listeners.get(name) ?? []) listener(data);
  }
}
