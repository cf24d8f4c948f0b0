// All rods in one draw or two: their skins share buffers, which each picture fills anew. How fine a skin is follows from
// its size on the screen.
import * as THREE from "three";
import { MAP_SIZE, fromHex, mapFor } from "./colors.js";
import { Ribbon } from "./ribbon.js";
import { Skin } from "./skin.js";
import { surfaceNumber } from "./shading.js";
import { DEPTH_FRAGMENT, RIBBON_FRAGMENT, RIBBON_VERTEX, THIN_FRAGMENT, THIN_VERTEX, TUBE_FRAGMENT, TUBE_VERTEX } from "./tube_shader.js";

const KEPT = 3; // coats: what was drawn at another size comes back when a picture stands still, and when it moves again

// Fewer corners and rings where there are many pieces: each is small then.
function detailFor(pieces) {
  if (pieces > 6000) return { sides: 6, rings: 1, loops: 1 };
  if (pieces > 1000) return { sides: 12, rings: 2, loops: 2 };
  if (pieces > 300) return { sides: 16, rings: 2, loops: 3 };
  return { sides: 20, rings: 4, loops: 3 };
}

const atLeast = (value, steps) => steps.findLast(([from]) => value >= from)[1];

// Where a program draws: as many corners as can be seen. `width` and `length` are an element's, pixels.
function detailOnScreen(pieces, width, length) {
  const most = detailFor(pieces);
  const isRibbon = width < 11;
  const spacing = pieces > 6000 ? 12 : pieces > 1000 ? 7 : 5; // pixels from station to station
  return {
    isRibbon,
    isThin: width < 4,
    isLine: width < 1.2,
    sides: Math.min(most.sides, atLeast(width, [[0, 6], [16, 8], [26, 10], [50, 14], [100, 20]])),
    rings: Math.min(most.rings, Math.max(1, 2 ** Math.round(Math.log2(length / (pieces > 1000 ? 22 : isRibbon ? 9 : 14))))),
    stride: isRibbon ? Math.max(1, Math.min(4, Math.round(spacing / Math.max(length, 1e-9)))) : 1,
    loops: width < 26 ? 1 : most.loops,
  };
}

// The skins of one kind in one mesh.
class Coat {
  constructor(makeSkin, members, [material, depthMaterial], isRibbon, isLine) {
    let vertices = 0;
    this.skins = members.map((rod) => {
      const skin = makeSkin(rod, vertices);
      vertices += skin.vertexCount;
      return skin;
    });
    const triangles = [];
    for (const skin of this.skins) skin.addTriangles(triangles);
    const geometry = new THREE.BufferGeometry();
    geometry.setIndex(new THREE.BufferAttribute(new Uint32Array(triangles), 1));
    const attribute = (name, array, size, isNormalized) => {
      geometry.setAttribute(name, new THREE.BufferAttribute(array, size, isNormalized));
      return array;
    };
    this.arrays = {
      position: attribute("position", new Float32Array(3 * vertices), 3),
      normal: attribute(isRibbon ? "along" : "normal", new Int16Array(4 * vertices), 4, true),
      value: attribute("value", new Float32Array(vertices), 1),
    };
    if (isRibbon) this.arrays.axis = attribute("axis", new Int16Array(4 * vertices), 4, true);
    this.changing = ["position", isRibbon ? "along" : "normal", ...(isRibbon ? ["axis"] : [])].map((name) => geometry.getAttribute(name));
    this.values = geometry.getAttribute("value");
    for (const changing of [...this.changing, this.values]) changing.setUsage(THREE.DynamicDrawUsage);
    this.#fill(attribute, members, vertices, isRibbon);
    this.mesh = new (isLine ? THREE.LineSegments : THREE.Mesh)(geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.userData.depthMaterial = depthMaterial;
  }

  #fill(attribute, members, vertices, isRibbon) {
    const around = new Float32Array(isRibbon ? 0 : vertices), reach = new Float32Array(vertices), tint = new Uint8Array(4 * vertices);
    this.skins.forEach((skin, k) => {
      const rod = members[k];
      skin.fill(around, reach);
      const color = [...fromHex(rod.color).map((value) => Math.round(255 * value)), surfaceNumber(rod.surface) + (rod.run ? 128 : 0)];
      for (let i = skin.first; i < skin.first + skin.vertexCount; i++) tint.set(color, 4 * i);
    });
    if (!isRibbon) attribute("around", around, 1);
    attribute("reach", reach, 1);
    attribute("tint", tint, 4, true);
  }

  place(positions, frames, values, thickness) {
    for (const skin of this.skins) skin.place(positions, frames, values, thickness, this.arrays);
    for (const changing of this.changing) changing.needsUpdate = true;
    if (values) this.values.needsUpdate = true;
  }
}

export class Tubes {
  // `light` are the stage's uniforms, which all surfaces share.
  constructor(light, isSoftware) {
    this.isSoftware = isSoftware;
    this.group = new THREE.Group();
    this.built = new Map(); // coats by the detail that they have
    this.coats = [];
    this.uniforms = {
      ...light,
      colorMap: { value: null },
      thickness: { value: 1 },
      leastPixels: { value: 0.8 },
      runOffset: { value: new THREE.Vector3() },
      range: { value: new THREE.Vector2(0, 1) },
      hasField: { value: 0 },
      hasStripe: { value: 0 },
      ghost: { value: 0.75 },
      otherColor: { value: new THREE.Color(0.3, 0.34, 0.4) },
    };
    const material = (vertexShader, fragmentShader, side = THREE.FrontSide) =>
      new THREE.ShaderMaterial({ vertexShader, fragmentShader, uniforms: this.uniforms, side });
    this.tubeMaterials = [material(TUBE_VERTEX, TUBE_FRAGMENT), material(TUBE_VERTEX, DEPTH_FRAGMENT)];
    const ribbon = (vertexShader, fragmentShader) => material(vertexShader, fragmentShader, THREE.DoubleSide);
    const depth = ribbon(RIBBON_VERTEX, DEPTH_FRAGMENT);
    this.ribbonMaterials = [ribbon(RIBBON_VERTEX, RIBBON_FRAGMENT), depth];
    this.thinMaterials = [ribbon(THIN_VERTEX, THIN_FRAGMENT), depth];
  }

  setWorld(world) {
    for (const coats of this.built.values()) for (const { mesh } of coats) mesh.geometry.dispose();
    this.built.clear();
    this.#wear([]);
    const { rods } = world;
    this.rods = rods;
    this.given = null;
    this.pieces = rods.reduce((sum, rod) => sum + rod.element_count, 0);
    this.radius = 0;
    for (const rod of rods) for (const half of [rod.half1, rod.half2].flat()) this.radius = Math.max(this.radius, half);
    this.uniforms.leastPixels.value = rods.length > 0 && rods.every((rod) => rod.strands > 0) ? 0.4 : 0.8;
    this.key = null;
  }

  #wear(coats) {
    this.coats = coats;
    this.group.clear();
    for (const { mesh } of coats) this.group.add(mesh);
  }

  // Before a drawing in which a metre of what is shown is so many pixels.
  setScale(pixels) {
    if (!this.given) return;
    const thickness = this.uniforms.thickness.value;
    const detail = this.isSoftware
      ? detailOnScreen(this.pieces, 2 * this.radius * thickness * pixels, this.length * pixels)
      : { ...detailFor(this.pieces), stride: 1 };
    const key = JSON.stringify(detail);
    if (key === this.key) return;
    this.key = key;
    if (!this.built.has(key)) this.#build(key, detail);
    this.#wear(this.built.get(key));
    for (const coat of this.coats) coat.place(...this.given, thickness);
  }

  #build(key, detail) {
    if (this.built.size >= KEPT) {
      const [oldest] = this.built.keys();
      for (const { mesh } of this.built.get(oldest)) mesh.geometry.dispose();
      this.built.delete(oldest);
    }
    const isRibbon = (rod) => detail.isRibbon && Ribbon.suits(rod);
    const kinds = [
      [this.rods.filter((rod) => !isRibbon(rod)), Skin, this.tubeMaterials, false],
      [this.rods.filter(isRibbon), Ribbon, detail.isThin ? this.thinMaterials : this.ribbonMaterials, true],
    ];
    this.built.set(key, kinds.filter(([some]) => some.length > 0).map(([some, Kind, materials, is]) =>
      new Coat((rod, first) => new Kind(rod, detail, first), some, materials, is, is && detail.isLine)));
  }

  // positions: 3 a node; frames: 4 an element; values: 1 a node, or none.
  setPicture(positions, frames, values) {
    if (!this.given) this.length = meanLength(this.rods, positions);
    this.given = [positions, frames, values];
    for (const coat of this.coats) coat.place(positions, frames, values, this.uniforms.thickness.value);
    this.uniforms.hasField.value = values ? 1 : 0;
  }

  setRange(range) {
    this.uniforms.range.value.set(range[0], range[1]);
    const map = mapFor(range);
    if (map === this.map) return;
    this.map = map;
    const data = new Uint16Array(4 * MAP_SIZE);
    map.forEach((color, i) => data.set([...color, 1].map(THREE.DataUtils.toHalfFloat), 4 * i));
    const texture = new THREE.DataTexture(data, MAP_SIZE, 1, THREE.RGBAFormat, THREE.HalfFloatType);
    texture.minFilter = texture.magFilter = THREE.LinearFilter;
    texture.needsUpdate = true;
    this.uniforms.colorMap.value?.dispose();
    this.uniforms.colorMap.value = texture;
  }
}

// m, of an element.
function meanLength(rods, p) {
  let sum = 0;
  let count = 0;
  for (const { first_node: first, node_count: nodes } of rods) {
    for (let i = 3 * first; i < 3 * (first + nodes - 1); i += 3) {
      const length = Math.hypot(p[i + 3] - p[i], p[i + 4] - p[i + 1], p[i + 5] - p[i + 2]);
      if (Number.isFinite(length)) sum += length, count++;
    }
  }
  return count > 0 ? sum / count : 1;
}
