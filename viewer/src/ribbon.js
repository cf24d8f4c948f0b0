// The skin of a rod that is thin on the screen: a ribbon along it that faces the viewer. Its shader gives each pixel the
// normal of a round tube, so that it looks like one with a tenth of the triangles.
import { nodeHalves, section, station, valueAt } from "./section.js";

export class Ribbon {
  // detail.stride: elements from one station to the next; detail.rings: stations of an element, when the stride is 1.
  constructor(rod, detail, first) {
    this.rod = rod;
    this.first = first;
    this.half = nodeHalves(rod, rod.half1);
    this.places = []; // of stations, in elements
    for (let k = 0; k < rod.element_count * detail.rings; k += detail.stride) this.places.push(k / detail.rings);
    this.places.push(rod.element_count);
    this.vertexCount = 2 * this.places.length;
  }

  static suits(rod) {
    const [a, b] = [rod.half1, rod.half2].map((list) => [list].flat());
    return rod.section !== "rectangle" && a.length === b.length && a.every((half, i) => Math.abs(half - b[i]) <= 1e-3 * half);
  }

  addTriangles(out) {
    for (let s = 0; s + 1 < this.places.length; s++) {
      const a = this.first + 2 * s;
      out.push(a, a + 1, a + 2, a + 1, a + 3, a + 2);
    }
  }

  fill(around, reach) {
    this.places.forEach((place, s) => {
      const node = Math.round(place);
      reach[this.first + 2 * s] = reach[this.first + 2 * s + 1] = this.half[node];
    });
  }

  // position: of the centreline; normal: the tangent, and which edge; axis: d1.
  place(positions, frames, values, thickness, out) {
    const { rod, places } = this;
    const f = section;
    for (let s = 0; s < places.length; s++) {
      const element = Math.min(rod.element_count - 1, Math.floor(places[s]));
      station(rod, element, places[s] - element, positions, frames, f);
      const value = values ? valueAt(values, rod, element, places[s] - element) : 0;
      for (let edge = 0; edge < 2; edge++) {
        const at = this.first + 2 * s + edge;
        out.position[3 * at] = f.x, out.position[3 * at + 1] = f.y, out.position[3 * at + 2] = f.z;
        out.normal[4 * at] = 32767 * f.tx, out.normal[4 * at + 1] = 32767 * f.ty, out.normal[4 * at + 2] = 32767 * f.tz;
        out.normal[4 * at + 3] = edge ? 32767 : -32767;
        out.axis[4 * at] = 32767 * f.ax, out.axis[4 * at + 1] = 32767 * f.ay, out.axis[4 * at + 2] = 32767 * f.az;
        out.value[at] = value;
      }
    }
  }
}
