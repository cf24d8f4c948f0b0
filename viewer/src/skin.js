// The skin of a rod: its section's outline carried along a cubic through the nodes, turned as the frames are. Topology
// is made once; each picture places the vertices anew.
import { nodeHalves, section, station, valueAt } from "./section.js";

// ---- outlines: points {x, y, nx, ny, around} for half widths of 1; the last is the first again, a turn later ----------

function circleOutline(sides) {
  return Array.from({ length: sides + 1 }, (_, i) => {
    const angle = (2 * Math.PI * i) / sides;
    return { x: Math.cos(angle), y: Math.sin(angle), nx: Math.cos(angle), ny: Math.sin(angle), around: i / sides };
  });
}

// Each side has its own corners, for its own normal; the pairs do not share vertices.
function squareOutline() {
  const corners = [[1, 0], [1, 1], [-1, 1], [-1, 0], [-1, -1], [1, -1], [1, 0]];
  const normals = [[1, 0], [0, 1], [-1, 0], [-1, 0], [0, -1], [1, 0]];
  const turns = [0, 0.125, 0.375, 0.5, 0.625, 0.875, 1];
  return normals.flatMap(([nx, ny], i) =>
    [i, i + 1].map((k) => ({ x: corners[k][0], y: corners[k][1], nx, ny, around: turns[k] })),
  );
}

const DOME = 0.5; // height of a round end, in half widths

export class Skin {
  // `first` is its first vertex among those of all rods.
  constructor(rod, detail, first) {
    this.rod = rod;
    this.first = first;
    this.rings = detail.rings;
    this.isFlat = rod.section === "rectangle";
    this.outline = this.isFlat ? squareOutline() : circleOutline(detail.sides);
    this.half1 = nodeHalves(rod, rod.half1);
    this.half2 = nodeHalves(rod, rod.half2);
    this.stations = rod.element_count * this.rings + 1;
    this.hasCaps = !rod.closed && !(rod.strands > 0);
    this.capLoops = this.isFlat ? 1 : detail.loops;
    const n = this.outline.length;
    this.vertexCount = this.stations * n + (this.hasCaps ? 2 * (this.capLoops + 1) * n : 0);
  }

  addTriangles(out) {
    const n = this.outline.length;
    const stride = this.isFlat ? 2 : 1;
    for (let s = 0; s + 1 < this.stations; s++) this.#band(out, this.first + s * n, n, stride, false);
    for (let end = 0; this.hasCaps && end < 2; end++) {
      const start = this.first + (this.stations + end * (this.capLoops + 1)) * n;
      for (let k = 0; k < this.capLoops; k++) this.#band(out, start + k * n, n, stride, end === 0);
    }
  }

  #band(out, at, n, stride, isTurned) {
    for (let i = 0; i + 1 < n; i += stride) {
      const a = at + i;
      if (isTurned) out.push(a, a + n, a + 1, a + 1, a + n, a + n + 1);
      else out.push(a, a + 1, a + n, a + 1, a + n + 1, a + n);
    }
  }

  // What stays the same of the vertices.
  fill(around, reach) {
    const { outline } = this;
    const n = outline.length;
    const shift = this.half2[0] > 1.001 * this.half1[0] ? 0.75 : 0; // flat sections change colour at their edges
    for (let i = 0; i < this.vertexCount; i++) {
      around[this.first + i] = outline[i % n].around + shift;
      const station = Math.min(this.stations - 1, Math.floor(i / n));
      const node = Math.min(this.half1.length - 1, Math.round(station / this.rings));
      reach[this.first + i] = Math.max(this.half1[node], this.half2[node]);
    }
  }

  // positions, frames, values as pictures have them; out: position, normal (16 bit), value of all vertices.
  place(positions, frames, values, thickness, out) {
    const { rod, rings, stations, outline } = this;
    const n = outline.length;
    for (let s = 0; s < stations; s++) {
      const element = Math.min(rod.element_count - 1, Math.floor(s / rings));
      station(rod, element, s / rings - element, positions, frames, section);
      const value = values ? valueAt(values, rod, element, s / rings - element) : 0;
      const t = s / rings - element;
      const h1 = thickness * (this.half1[element] * (1 - t) + this.half1[element + 1] * t);
      const h2 = thickness * (this.half2[element] * (1 - t) + this.half2[element + 1] * t);
      this.#ring(this.first + s * n, h1, h2, value, out);
      if (!this.hasCaps || (s > 0 && s + 1 < stations)) continue;
      this.#cap(s > 0 ? 1 : 0, h1, h2, value, out);
    }
  }

  #ring(at, h1, h2, value, out) {
    const { outline } = this;
    const f = section;
    const isRound = h1 === h2 && !this.isFlat;
    for (let i = 0; i < outline.length; i++) {
      const point = outline[i];
      const a = h1 * point.x, b = h2 * point.y;
      let u = point.nx, w = point.ny;
      if (!isRound && !this.isFlat) { // normals of an ellipse
        u *= h2;
        w *= h1;
        const size = Math.sqrt(u * u + w * w) || 1;
        u /= size;
        w /= size;
      }
      const v = 3 * (at + i), m = 4 * (at + i);
      out.position[v] = f.x + a * f.ax + b * f.bx;
      out.position[v + 1] = f.y + a * f.ay + b * f.by;
      out.position[v + 2] = f.z + a * f.az + b * f.bz;
      out.normal[m] = 32767 * (u * f.ax + w * f.bx);
      out.normal[m + 1] = 32767 * (u * f.ay + w * f.by);
      out.normal[m + 2] = 32767 * (u * f.az + w * f.bz);
      out.value[at + i] = value;
    }
  }

  // Half an ellipsoid on the rim, or a flat end.
  #cap(end, h1, h2, value, out) {
    const { outline, capLoops } = this;
    const n = outline.length;
    const f = section;
    const depth = DOME * Math.min(h1, h2) * (end ? 1 : -1);
    for (let k = 0; k <= capLoops; k++) {
      const angle = (0.5 * Math.PI * k) / capLoops;
      const size = this.isFlat ? 1 - k / capLoops : Math.cos(angle);
      const rise = this.isFlat ? 0 : depth * Math.sin(angle);
      for (let i = 0; i < n; i++) {
        const at = this.first + (this.stations + end * (capLoops + 1) + k) * n + i;
        const a = h1 * size * outline[i].x, b = h2 * size * outline[i].y;
        out.position[3 * at] = f.x + a * f.ax + b * f.bx + rise * f.tx;
        out.position[3 * at + 1] = f.y + a * f.ay + b * f.by + rise * f.ty;
        out.position[3 * at + 2] = f.z + a * f.az + b * f.bz + rise * f.tz;
        let u = this.isFlat ? 0 : DOME * size * outline[i].nx, w = this.isFlat ? 0 : DOME * size * outline[i].ny;
        let along = this.isFlat ? 1 : Math.sin(angle);
        const length = Math.sqrt(u * u + w * w + along * along) || 1;
        u /= length;
        w /= length;
        along *= (end ? 1 : -1) / length;
        out.normal[4 * at] = 32767 * (u * f.ax + w * f.bx + along * f.tx);
        out.normal[4 * at + 1] = 32767 * (u * f.ay + w * f.by + along * f.ty);
        out.normal[4 * at + 2] = 32767 * (u * f.az + w * f.bz + along * f.tz);
        out.value[at] = value;
      }
    }
  }
}
