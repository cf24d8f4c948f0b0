// A run inside of the page: the same messages as the server's, from what `cordage export --to html` wrote.
import { Emitter } from "./emitter.js";
import { BLOCK } from "./protocol.js";
import { Pictures } from "./unpack.js";

export class Recording extends Emitter {
  // The page's own run; null when there is none in it.
  static find() {
    const element = document.getElementById("cordage-run");
    return element ? new Recording(JSON.parse(element.textContent)) : null;
  }

  constructor(run) {
    super();
    this.run = run;
    const chunks = [...document.querySelectorAll("script.cordage-chunk")].map((script) => script.textContent);
    this.pictures = new Pictures(run.pictures, chunks);
    this.times = run.world.times;
    this.play = run.world.play ?? this.times;
    this.isPlaying = false;
    this.speed = 1;
    this.at = this.play[0]; // on the axis that rises
    this.field = null;
    this.shown = -1;
    this.wanted = true;
  }

  start() {
    const { hello, world, probes } = this.run;
    this.emit("hello", { runs: [hello.title], can: {}, duration: this.times[this.times.length - 1], ...hello });
    this.emit("world", world);
    if (probes.names) {
      this.emit("probes", { names: probes.names, units: probes.units });
      this.emit("history", { times: probes.columns[0], values: probes.columns.slice(1) });
    }
    this.#tell();
  }

  send(message) {
    const last = this.play.length - 1;
    switch (message.type) {
      case "play":
        if (this.at >= this.play[last]) this.at = this.play[0];
        this.isPlaying = last > 0;
        break;
      case "pause":
        this.isPlaying = false;
        break;
      case "step":
        this.isPlaying = false;
        this.at = this.play[Math.min(last, Math.max(0, this.#nearest() + message.count))];
        break;
      case "seek":
        this.at = this.#playTime(message.time);
        break;
      case "speed":
        this.speed = message.value;
        break;
      case "reset":
        this.at = this.play[0];
        this.isPlaying = false;
        break;
      case "color":
        this.field = message.field;
        break;
      default:
        return;
    }
    this.wanted = true;
    this.#tell();
  }

  // Called before each drawing with the seconds since the last.
  tick(seconds) {
    if (this.isPlaying) {
      const end = this.play[this.play.length - 1];
      this.at = Math.min(end, this.at + seconds * this.speed);
      this.wanted = true;
      if (this.at >= end) {
        this.isPlaying = false;
        this.#tell();
      }
    }
    if (this.wanted) this.#show();
  }

  #tell() {
    const atEnd = this.at >= this.play[this.play.length - 1];
    const state = this.isPlaying ? "playing" : atEnd ? "finished" : "paused";
    this.emit("status", { state, time: this.#time(), speed: this.speed, late: false, message: null });
  }

  // The output at or before the present moment, and the part of the way to the next.
  #place() {
    let low = 0;
    let high = this.play.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.play[middle] <= this.at) low = middle;
      else high = middle;
    }
    if (high === 0 || this.at >= this.play[high]) return [high, 0];
    return [low, (this.at - this.play[low]) / (this.play[high] - this.play[low])];
  }

  #nearest() {
    const [index, part] = this.#place();
    return part > 0.5 ? index + 1 : index;
  }

  #time() {
    const [index, part] = this.#place();
    return part > 0 ? this.times[index] + part * (this.times[index + 1] - this.times[index]) : this.times[index];
  }

  #playTime(time) {
    if (this.play === this.times || !this.run.hello.static) return Math.max(this.play[0], time);
    let best = 0; // times of equilibria may turn back
    this.times.forEach((t, i) => {
      if (Math.abs(t - time) < Math.abs(this.times[best] - time)) best = i;
    });
    return this.play[best];
  }

  #show() {
    const [index, part] = this.#place();
    const ends = part > 0 ? [index, index + 1] : [index];
    if (!ends.every((end) => this.pictures.isReady(end))) {
      Promise.all(ends.map((end) => this.pictures.fetch(end))).then(() => (this.wanted = true));
      this.wanted = false;
      return;
    }
    this.wanted = false;
    const ahead = Math.min(this.pictures.count - 1, index + this.pictures.perChunk);
    if (this.isPlaying && !this.pictures.isReady(ahead)) this.pictures.fetch(ahead);
    this.emit("picture", this.#picture(index, part));
  }

  #picture(index, part) {
    const blocks = new Map();
    this.run.pictures.blocks.forEach((block, b) => {
      if (block.field && block.field !== this.field) return;
      const numbers = this.pictures.numbers(index, b);
      if (part > 0 && block.count !== null) mix(numbers, this.pictures.numbers(index + 1, b), part, block);
      blocks.set(block.id, numbers);
      if (block.field) blocks.set(BLOCK.range, new Float32Array(this.pictures.range(b)));
    });
    const time = part > 0 ? this.times[index] + part * (this.times[index + 1] - this.times[index]) : this.times[index];
    return { epoch: 1, index, time, blocks };
  }
}

// Between two pictures: straight, and quaternions on the shorter way.
function mix(a, b, part, block) {
  const first = { [BLOCK.frames]: 0, [BLOCK.bodies]: 3, [BLOCK.obstacles]: 3 }[block.id] ?? -1;
  const width = block.components;
  for (let i = 0; i < a.length; i += width) {
    let sign = 1;
    if (first >= 0) {
      let dot = 0;
      for (let k = first; k < first + 4; k++) dot += a[i + k] * b[i + k];
      sign = dot < 0 ? -1 : 1;
    }
    for (let k = 0; k < width; k++) a[i + k] += part * ((k >= first && first >= 0 ? sign : 1) * b[i + k] - a[i + k]);
  }
}
