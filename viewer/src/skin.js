// The skin of a rod: its section's outline carried along a cubic through the nodes, turned as the frames are. Topology
// is made once; each picture places the vertices anew.

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

const halfAt = (list, element) => (typeof list === "number" ? list : list.length === 1 ? list[0] : list[element]);

// Half the width at each node: the mean of the elements beside it, so that tapers have no steps.
function nodeHalves(rod, list) {
  const { element_count: count, closed } = rod;
  return Float32Array.from({ length: count + 1 }, (_, node) => {
    const before = node > 0 ? node - 1 : closed ? count - 1 : 0;
    const after = node < count ? node : closed ? 0 : count - 1;
    return 0.5 * (halfAt(list, before) + halfAt(list, after));
  });
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

// ---- the section at a place of an element -----------------------------------------------------------------------------

// Place, d1 (a), d2 (b) and tangent (t) of the section that was computed last; one object, so that nothing is allocated.
const section = { x: 0, y: 0, z: 0, ax: 0, ay: 0, az: 0, bx: 0, by: 0, bz: 0, tx: 0, ty: 0, tz: 0 };
const quaternion = [0, 0, 0, 0];
const NO_NUMBER = 3e38;

function valueAt(values, rod, element, t) {
  const a = values[rod.first_node + element];
  const b = values[rod.first_node + ((element + 1) % rod.node_count)];
  if (a !== a) return b === b ? b : NO_NUMBER;
  return b === b ? a + t * (b - a) : a;
}

function station(rod, element, t, p, frames, out) {
  const { closed, first_node: node, node_count: count } = rod;
  const hasBefore = closed || element > 0;
  const hasAfter = closed || element + 2 < count;
  const i1 = 3 * (node + element), i2 = 3 * (node + ((element + 1) % count));
  const i0 = hasBefore ? 3 * (node + ((element + count - 1) % count)) : i1;
  const i3 = hasAfter ? 3 * (node + ((element + 2) % count)) : i2;
  const s = 1 - t;
  const place = [0, 0, 0], slope = [0, 0, 0];
  for (let k = 0; k < 3; k++) {
    const chord = p[i2 + k] - p[i1 + k];
    let m1 = 0.5 * (p[i2 + k] - p[i0 + k]), m2 = 0.5 * (p[i3 + k] - p[i1 + k]);
    if (!hasBefore) m1 = hasAfter ? 1.5 * chord - 0.5 * m2 : chord;
    if (!hasAfter) m2 = hasBefore ? 1.5 * chord - 0.5 * m1 : chord;
    place[k] = p[i1 + k] + t * chord + s * t * (s * (m1 - chord) - t * (m2 - chord));
    slope[k] = chord + (s * s - 2 * s * t) * (m1 - chord) - (2 * s * t - t * t) * (m2 - chord);
  }
  const length = Math.hypot(slope[0], slope[1], slope[2]) || 1;
  out.x = place[0], out.y = place[1], out.z = place[2];
  out.tx = slope[0] / length, out.ty = slope[1] / length, out.tz = slope[2] / length;
  firstAxis(rod, element, t, frames, out);
}

// d1: that of the element's frame, turned towards the neighbour's; across the tangent.
function firstAxis(rod, element, t, frames, out) {
  const q = quaternion;
  const f = 4 * (rod.first_element + element);
  let x, y, z;
  if (!frames || frames[f] ** 2 + frames[f + 1] ** 2 + frames[f + 2] ** 2 + frames[f + 3] ** 2 < 0.25) {
    const isSteep = Math.abs(out.tz) >= 0.9; // no frame is told: any will do
    x = isSteep ? 0 : -out.ty, y = isSteep ? -out.tz : out.tx, z = isSteep ? out.ty : 0;
  } else {
    mixFrames(rod, element, t, frames, q);
    const [w, a, b, c] = q;
    x = w * w + a * a - b * b - c * c, y = 2 * (a * b + w * c), z = 2 * (a * c - w * b);
  }
  const along = x * out.tx + y * out.ty + z * out.tz;
  x -= along * out.tx, y -= along * out.ty, z -= along * out.tz;
  const size = Math.hypot(x, y, z) || 1;
  out.ax = x / size, out.ay = y / size, out.az = z / size;
  out.bx = out.ty * out.az - out.tz * out.ay;
  out.by = out.tz * out.ax - out.tx * out.az;
  out.bz = out.tx * out.ay - out.ty * out.ax;
}

// Half of the way to the neighbour's frame at a node. Across the seam of a closed rod the neighbour is turned by half a
// turn when that is nearer, as in a band with half a turn in it, whose section looks the same then.
function mixFrames(rod, element, t, frames, q) {
  const { closed, element_count: count, first_element: first } = rod;
  const wanted = t < 0.5 ? element - 1 : element + 1;
  const other = closed ? (wanted + count) % count : Math.min(count - 1, Math.max(0, wanted));
  const a = 4 * (first + element), b = 4 * (first + other);
  let w = frames[b], x = frames[b + 1], y = frames[b + 2], z = frames[b + 3];
  let dot = w * frames[a] + x * frames[a + 1] + y * frames[a + 2] + z * frames[a + 3];
  if (closed && other !== wanted && Math.abs(dot) < Math.SQRT1_2) {
    [w, x, y, z] = [-z, y, -x, w];
    dot = w * frames[a] + x * frames[a + 1] + y * frames[a + 2] + z * frames[a + 3];
  }
  const part = Math.abs(t - 0.5) * (dot < 0 ? -1 : 1);
  const own = 1 - Math.abs(t - 0.5);
  q[0] = own * frames[a] + part * w, q[1] = own * frames[a + 1] + part * x;
  q[2] = own * frames[a + 2] + part * y, q[3] = own * frames[a + 3] + part * z;
  const size = Math.hypot(q[0], q[1], q[2], q[3]) || 1;
  for (let k = 0; k < 4; k++) q[k] /= size;
}
