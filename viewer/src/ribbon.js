// The skin of a rod that is thin on the screen: a ribbon along it that faces the viewer. Its shader gives each pixel the
// normal of a round tube, so that it looks like one with a tenth of the triangles. One of no more than a pixel, a hair, is
// a line (detail.isLine): half as many corners, and one thing to draw from station to station instead of two.
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
    this.edges = detail.isLine ? [0] : [-1, 1];
    this.vertexCount = this.edges.length * this.places.length;
  }

  static suits(rod) {
    const [a, b] = [rod.half1, rod.half2].map((list) => [list].flat());
    return rod.section !== "rectangle" && a.length === b.length && a.every((half, i) => Math.abs(half - b[i]) <= 1e-3 * half);
  }

  addTriangles(out) { // or lines
    for (let s = 0; s + 1 < this.places.length; s++) {
      const a = this.first + this.edges.length * s;
      if (this.edges.length === 1) out.push(a, a + 1);
      else out.push(a, a + 1, a + 2, a + 1, a + 3, a + 2);
    }
  }

  fill(around, reach) {
    this.places.forEach((place, s) => {
      const at = this.first + this.edges.length * s;
      reach.fill(this.half[Math.round(place)], at, at + this.edges.length);
    });
  }

  // position: of the centreline; normal: the tangent, and which edge; axis: d1.
  place(positions, frames, values, thickness, out) {
    const { rod, places, edges } = this;
    const f = section;
    for (let s = 0; s < places.length; s++) {
      const element = Math.min(rod.element_count - 1, Math.floor(places[s]));
      station(rod, element, places[s] - element, positions, frames, f);
      const value = values ? valueAt(values, rod, element, places[s] - element) : 0;
      for (let edge = 0; edge < edges.length; edge++) {
        const at = this.first + edges.length * s + edge;
        out.position[3 * at] = f.x, out.position[3 * at + 1] = f.y, out.position[3 * at + 2] = f.z;
        out.normal[4 * at] = 32767 * f.tx, out.normal[4 * at + 1] = 32767 * f.ty, out.normal[4 * at + 2] = 32767 * f.tz;
        out.normal[4 * at + 3] = 32767 * edges[edge];
        out.axis[4 * at] = 32767 * f.ax, out.axis[4 * at + 1] = 32767 * f.ay, out.axis[4 * at + 2] = 32767 * f.az;
        out.value[at] = value;
      }
    }
  }
}
