// The section of a rod at a place of an element: on a cubic through the nodes, turned as the frames are.

// Place, d1 (a), d2 (b) and tangent (t) of the section that was computed last; one object, so that nothing is allocated.
export const section = { x: 0, y: 0, z: 0, ax: 0, ay: 0, az: 0, bx: 0, by: 0, bz: 0, tx: 0, ty: 0, tz: 0 };
const quaternion = [0, 0, 0, 0];
const place = [0, 0, 0];
const slope = [0, 0, 0];
const NO_NUMBER = 3e38;

export function valueAt(values, rod, element, t) {
  const a = values[rod.first_node + element];
  const b = values[rod.first_node + ((element + 1) % rod.node_count)];
  if (a !== a) return b === b ? b : NO_NUMBER;
  return b === b ? a + t * (b - a) : a;
}

export function station(rod, element, t, p, frames, out) {
  const { closed, first_node: node, node_count: count } = rod;
  const hasBefore = closed || element > 0;
  const hasAfter = closed || element + 2 < count;
  const i1 = 3 * (node + element), i2 = 3 * (node + ((element + 1) % count));
  const i0 = hasBefore ? 3 * (node + ((element + count - 1) % count)) : i1;
  const i3 = hasAfter ? 3 * (node + ((element + 2) % count)) : i2;
  const s = 1 - t;
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
  if (!frames || !(frames[f] ** 2 + frames[f + 1] ** 2 + frames[f + 2] ** 2 + frames[f + 3] ** 2 >= 0.25)) {
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

const halfAt = (list, element) => (typeof list === "number" ? list : list.length === 1 ? list[0] : list[element]);

// Half the width at each node: the mean of the elements beside it, so that tapers have no steps.
export function nodeHalves(rod, list) {
  const { element_count: count, closed } = rod;
  return Float32Array.from({ length: count + 1 }, (_, node) => {
    const before = node > 0 ? node - 1 : closed ? count - 1 : 0;
    const after = node < count ? node : closed ? 0 : count - 1;
    return 0.5 * (halfAt(list, before) + halfAt(list, after));
  });
}
