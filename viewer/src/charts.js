// Small charts of what probes measure, over time.
import { number, pretty } from "./format.js";

const KEPT = 4000; // samples; older ones are thinned

export class Charts {
  constructor(section, list) {
    this.section = section;
    this.list = list;
    this.clear();
  }

  clear() {
    this.times = [];
    this.charts = [];
    this.list.replaceChildren();
    this.section.hidden = true;
  }

  setProbes({ names, units }) {
    this.clear();
    this.charts = names.map((name, i) => {
      const figure = document.createElement("figure");
      figure.className = "chart";
      const caption = document.createElement("figcaption");
      const label = document.createElement("span");
      const value = document.createElement("span");
      label.textContent = label.title = name;
      caption.append(label, value);
      const canvas = document.createElement("canvas");
      canvas.setAttribute("role", "img");
      canvas.setAttribute("aria-label", `${name} over time`);
      figure.append(caption, canvas);
      this.list.append(figure);
      return { values: [], unit: pretty(units[i] ?? ""), canvas, value };
    });
    this.section.hidden = names.length === 0;
    this.isOld = true;
  }

  setHistory({ times, values }) {
    this.times = times;
    this.charts.forEach((chart, i) => (chart.values = values[i]));
    this.isOld = true;
  }

  add({ time, values }) {
    if (this.times.length > 0 && time < this.times[this.times.length - 1]) this.#cutAfter(time);
    this.times.push(time);
    this.charts.forEach((chart, i) => chart.values.push(values[i] ?? NaN));
    if (this.times.length > KEPT) this.#thin();
    this.now = time;
    this.isOld = true;
  }

  // After a step back in time, what came later has not happened.
  #cutAfter(time) {
    const end = this.times.findIndex((t) => t >= time);
    this.times.length = end;
    for (const chart of this.charts) chart.values.length = end;
  }

  #thin() {
    const keep = (_, i) => i % 2 === 0;
    this.times = this.times.filter(keep);
    for (const chart of this.charts) chart.values = chart.values.filter(keep);
  }

  setTime(time) {
    if (this.now !== time) this.isOld = true;
    this.now = time;
  }

  draw() {
    if (!this.isOld || this.section.hidden || this.section.offsetParent === null) return;
    this.isOld = false;
    const style = getComputedStyle(document.documentElement);
    const [ink, faint] = [style.getPropertyValue("--accent"), style.getPropertyValue("--edge")];
    for (const chart of this.charts) this.#drawOne(chart, ink, faint);
  }

  #drawOne({ canvas, values, unit, value }, ink, faint) {
    const ratio = window.devicePixelRatio || 1;
    const width = canvas.clientWidth;
    const height = canvas.clientHeight;
    if (width === 0) return;
    if (canvas.width !== Math.round(width * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    const context = canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    let [low, high] = [Infinity, -Infinity];
    for (const v of values) {
      if (!Number.isFinite(v)) continue;
      low = Math.min(low, v);
      high = Math.max(high, v);
    }
    const at = this.#indexOf(this.now);
    value.textContent = values.length > 0 ? `${number(values[at])} ${unit}` : "";
    if (!(low <= high)) return;
    const span = high - low || Math.abs(high) || 1;
    const [first, last] = [this.times[0], this.times[this.times.length - 1]];
    const x = (t) => ((t - first) / (last - first || 1)) * (width - 6) + 3;
    const y = (v) => height - 5 - ((v - low) / span) * (height - 10);
    context.strokeStyle = faint;
    context.lineWidth = 1;
    context.beginPath();
    const zero = low < 0 && high > 0 ? y(0) : height - 0.5;
    context.moveTo(0, zero);
    context.lineTo(width, zero);
    context.stroke();
    context.strokeStyle = context.fillStyle = ink;
    context.lineWidth = 1.5;
    context.lineJoin = "round";
    context.beginPath();
    let isDown = false;
    const stride = Math.max(1, Math.floor(values.length / (2 * width)));
    for (let i = 0; i < values.length; i += stride) {
      if (!Number.isFinite(values[i])) {
        isDown = false;
        continue;
      }
      if (isDown) context.lineTo(x(this.times[i]), y(values[i]));
      else context.moveTo(x(this.times[i]), y(values[i]));
      isDown = true;
    }
    context.stroke();
    if (!Number.isFinite(values[at])) return;
    context.beginPath();
    context.arc(x(this.times[at]), y(values[at]), 3, 0, 7);
    context.fill();
  }

  // The sample at or before a time.
  #indexOf(time) {
    let low = 0;
    let high = this.times.length - 1;
    if (time === undefined || high < 0) return Math.max(0, high);
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.times[middle] <= time + 1e-12) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
