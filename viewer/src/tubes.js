// All rods in one draw: their skins share buffers, which each picture fills anew.
import * as THREE from "three";
import { MAP_SIZE, hairColor, mapFor, rodColor, toScreen } from "./colors.js";
import { Skin } from "./skin.js";
import { DEPTH_FRAGMENT, TUBE_FRAGMENT, TUBE_VERTEX } from "./tube_shader.js";

// Fewer corners and rings where there are many pieces: each is small then.
function detailFor(pieces, isSoftware) {
  if (pieces > 6000) return { sides: isSoftware ? 3 : 6, rings: 1, loops: 1 };
  if (pieces > 1000) return { sides: isSoftware ? 7 : 12, rings: isSoftware ? 1 : 2, loops: 2 };
  if (pieces > 300) return { sides: isSoftware ? 10 : 16, rings: 2, loops: 3 };
  return { sides: isSoftware ? 12 : 20, rings: isSoftware ? 3 : 4, loops: 3 };
}

// sRGB in [0, 1].
function rodTint(rod, index, count) {
  if (rod.color) return rod.color;
  return (rod.strands > 0 ? hairColor(rod.strands - 1, index) : rodColor(index, count)).map(toScreen);
}

export class Tubes {
  // `light` are the stage's uniforms, which all surfaces share.
  constructor(light, isSoftware) {
    this.isSoftware = isSoftware;
    this.group = new THREE.Group();
    this.uniforms = {
      ...light,
      colorMap: { value: null },
      thickness: { value: 1 },
      leastPixels: { value: 0.8 },
      runOffset: { value: new THREE.Vector3() },
      range: { value: new THREE.Vector2(0, 1) },
      hasField: { value: 0 },
      hasStripe: { value: 1 },
      ghost: { value: 0.75 },
      otherColor: { value: new THREE.Color(0.3, 0.34, 0.4) },
    };
    const material = (fragmentShader) =>
      new THREE.ShaderMaterial({ vertexShader: TUBE_VERTEX, fragmentShader, uniforms: this.uniforms });
    this.material = material(TUBE_FRAGMENT);
    this.depthMaterial = material(DEPTH_FRAGMENT);
  }

  setWorld(world) {
    this.clear();
    const { rods } = world;
    const detail = detailFor(rods.reduce((sum, rod) => sum + rod.element_count, 0), this.isSoftware);
    let count = 0;
    this.skins = rods.map((rod) => {
      const skin = new Skin(rod, detail, count);
      count += skin.vertexCount;
      return skin;
    });
    const triangles = [];
    for (const skin of this.skins) skin.addTriangles(triangles);
    const geometry = new THREE.BufferGeometry();
    geometry.setIndex(new THREE.BufferAttribute(new Uint32Array(triangles), 1));
    this.arrays = { position: new Float32Array(3 * count), normal: new Int16Array(4 * count), value: new Float32Array(count) };
    const attribute = (name, array, size, isNormalized) => geometry.setAttribute(name, new THREE.BufferAttribute(array, size, isNormalized));
    attribute("position", this.arrays.position, 3);
    attribute("normal", this.arrays.normal, 4, true);
    attribute("value", this.arrays.value, 1);
    for (const name of ["position", "normal", "value"]) geometry.getAttribute(name).setUsage(THREE.DynamicDrawUsage);
    this.#fill(attribute, rods, count);
    this.mesh = new THREE.Mesh(geometry, this.material);
    this.mesh.frustumCulled = false;
    this.mesh.userData.depthMaterial = this.depthMaterial;
    this.group.add(this.mesh);
    this.uniforms.leastPixels.value = rods.length > 0 && rods.every((rod) => rod.strands > 0) ? 0.4 : 0.8;
  }

  #fill(attribute, rods, count) {
    const around = new Float32Array(count), reach = new Float32Array(count), tint = new Uint8Array(4 * count);
    this.skins.forEach((skin, index) => {
      skin.fill(around, reach);
      const color = [...rodTint(rods[index], index, rods.length).map((value) => Math.round(255 * value)), rods[index].run ? 255 : 0];
      for (let i = skin.first; i < skin.first + skin.vertexCount; i++) tint.set(color, 4 * i);
    });
    attribute("around", around, 1);
    attribute("reach", reach, 1);
    attribute("tint", tint, 4, true);
  }

  clear() {
    if (!this.mesh) return;
    this.mesh.geometry.dispose();
    this.group.remove(this.mesh);
    this.mesh = null;
  }

  // positions: 3 a node; frames: 4 an element; values: 1 a node, or none.
  setPicture(positions, frames, values) {
    const thickness = this.uniforms.thickness.value;
    for (const skin of this.skins) skin.place(positions, frames, values, thickness, this.arrays);
    const { attributes } = this.mesh.geometry;
    attributes.position.needsUpdate = attributes.normal.needsUpdate = true;
    if (values) attributes.value.needsUpdate = true;
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
