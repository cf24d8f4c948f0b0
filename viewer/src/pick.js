// The point of a rod that is nearest to a ray, as far as the rod's own thickness and some slack reach.
import * as THREE from "three";

const halfAt = (list, element) => (typeof list === "number" ? list : list.length === 1 ? list[0] : list[element]);

// Where the segment from a to b and the ray (origin o, unit direction d) are nearest: [part of the segment, way along].
function nearest(o, d, a, b, out) {
  const ux = b[0] - a[0], uy = b[1] - a[1], uz = b[2] - a[2];
  const wx = a[0] - o.x, wy = a[1] - o.y, wz = a[2] - o.z;
  const uu = ux * ux + uy * uy + uz * uz;
  const ud = ux * d.x + uy * d.y + uz * d.z;
  const wu = wx * ux + wy * uy + wz * uz;
  const wd = wx * d.x + wy * d.y + wz * d.z;
  const square = uu - ud * ud;
  const s = square > 1e-12 * uu ? Math.min(1, Math.max(0, (ud * wd - wu) / square)) : 0.5;
  const along = wd + s * ud;
  const x = wx + s * ux - along * d.x, y = wy + s * uy - along * d.y, z = wz + s * uz - along * d.z;
  out.part = s;
  out.along = along;
  out.distance = Math.sqrt(x * x + y * y + z * z);
}

// `slack` and `least` are per metre of distance: what pixels cover there.
export function pickElement(rods, positions, ray, { slack, least, thickness }) {
  let best = null;
  let score = Infinity;
  const out = { part: 0, along: 0, distance: 0 };
  const a = [0, 0, 0];
  const b = [0, 0, 0];
  rods.forEach((rod, index) => {
    for (let element = 0; element < rod.element_count; element++) {
      const first = 3 * (rod.first_node + element);
      const second = 3 * (rod.first_node + ((element + 1) % rod.node_count));
      for (let k = 0; k < 3; k++) {
        a[k] = positions[first + k];
        b[k] = positions[second + k];
      }
      nearest(ray.origin, ray.direction, a, b, out);
      if (out.along <= 0) continue;
      const radius = Math.max(thickness * Math.max(halfAt(rod.half1, element), halfAt(rod.half2, element)), least * out.along);
      const outside = Math.max(0, out.distance - radius);
      if (outside > slack * out.along) continue;
      // what is hit comes before what is only near; then what is in front
      const value = out.along * (1 + (4 * outside) / out.along) + (outside > 0 ? 1e3 * outside : 0);
      if (value >= score) continue;
      score = value;
      best = { index, element, fraction: out.part, distance: out.along };
    }
  });
  if (best) {
    const rod = rods[best.index];
    const first = 3 * (rod.first_node + best.element);
    const second = 3 * (rod.first_node + ((best.element + 1) % rod.node_count));
    best.point = new THREE.Vector3(positions[first], positions[first + 1], positions[first + 2]).lerp(
      new THREE.Vector3(positions[second], positions[second + 1], positions[second + 2]),
      best.fraction,
    );
  }
  return best;
}
