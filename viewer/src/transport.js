// The bar below: play, pause, steps, time line, speed.
import { $ } from "./dom.js";
import { number, quantity, seconds } from "./format.js";

const PLAY = "M6 3.5v13l11-6.5z";
const PAUSE = "M6.2 4h2.4v12H6.2zM11.4 4h2.4v12h-2.4z";

export class Transport {
  constructor(source) {
    this.source = source;
    this.state = "paused";
    this.isDragged = false;
    $("play").onclick = () => this.toggle();
    $("reset").onclick = () => source.send({ type: "reset" });
    $("undo").onclick = () => source.send({ type: "undo" });
    $("forward").onclick = () => this.step(1);
    $("back").onclick = () => this.step(-1);
    $("speed").onchange = () => source.send({ type: "speed", value: Number($("speed").value) });
    const line = $("time");
    line.oninput = () => source.send({ type: "seek", time: Number(line.value) });
    line.onpointerdown = () => (this.isDragged = true);
    line.onpointerup = line.onpointercancel = () => (this.isDragged = false);
  }

  setHello(hello) {
    this.isLive = hello.mode === "live";
    $("back").hidden = this.isLive;
    $("time").hidden = this.isLive && !hello.duration;
    $("time").disabled = this.isLive;
    $("undo").hidden = !this.isLive;
    $("facts").hidden = !$("time").hidden;
    this.span = hello.duration ?? 0;
    $("time").max = this.span || 1;
  }

  setTimes(times) {
    if (!times || times.length === 0) return;
    this.times = times;
    const low = times.reduce((a, b) => Math.min(a, b)), high = times.reduce((a, b) => Math.max(a, b));
    this.span = Math.max(Math.abs(low), Math.abs(high));
    $("time").min = low;
    $("time").max = high > low ? high : low + 1;
    $("time").disabled = times.length < 2;
  }

  // Text is set in type for each change, so it changes ten times a second at most while things move.
  setTime(time) {
    this.time = time;
    const wait = this.state === "playing" ? (this.toldAt ?? -100) + 100 - performance.now() : 0;
    clearTimeout(this.timer);
    if (wait > 0) this.timer = setTimeout(() => this.#tellTime(), wait);
    else this.#tellTime();
  }

  #tellTime() {
    const { time } = this;
    this.toldAt = performance.now();
    if (!this.isDragged) $("time").value = time;
    $("time").setAttribute("aria-valuetext", seconds(time, this.span));
    $("clock").textContent = seconds(time, this.span);
  }

  setStatus(status) {
    this.state = status.state;
    this.told = status.time;
    const isPlaying = status.state === "playing";
    $("play-icon").setAttribute("d", isPlaying ? PAUSE : PLAY);
    $("play").title = isPlaying ? "Pause (Space)" : "Play (Space)";
    $("play").setAttribute("aria-label", isPlaying ? "Pause" : "Play");
    $("undo").disabled = status.can_undo === false;
    this.#tellFacts(status);
    const badge = $("ratio");
    badge.hidden = !status.late;
    if (status.late) badge.textContent = Number.isFinite(status.ratio) ? `slow motion ${number(status.ratio * status.speed, 2)} ×` : "slow motion";
    badge.title = "Simulated seconds a second: the machine is too slow for more";
  }

  // What the simulation does, where a time line would be.
  #tellFacts({ steps_per_second: rate, contacts, energy }) {
    const facts = [];
    if (Number.isFinite(rate)) facts.push(`${number(rate)} steps a second`);
    if (contacts > 0) facts.push(`${contacts} contact${contacts === 1 ? "" : "s"}`);
    if (Number.isFinite(energy)) facts.push(`energy ${quantity(energy, "J")}`);
    $("facts").textContent = facts.join(" · ");
  }

  toggle() {
    this.source.send({ type: this.state === "playing" ? "pause" : "play" });
  }

  step(count) {
    this.source.send({ type: "step", count });
  }

  // To the first or the last moment.
  jump(toEnd) {
    if (this.isLive) {
      if (!toEnd) this.source.send({ type: "reset" });
      return;
    }
    this.source.send({ type: "seek", time: Number(toEnd ? $("time").max : $("time").min) });
  }

  changeSpeed(by) {
    const select = $("speed");
    select.selectedIndex = Math.min(select.options.length - 1, Math.max(0, select.selectedIndex + by));
    select.onchange();
  }
}
