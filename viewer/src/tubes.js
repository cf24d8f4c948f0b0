// All rods as few instanced meshes: round and flat sections, their pieces and their ends.
import * as THREE from "three";
import { MAP_SIZE, hairColor, mapFor, rodColor, toLinear } from "./colors.js";
import { DEPTH_FRAGMENT, TEXTURE_WIDTH, TUBE_FRAGMENT, TUBE_VERTEX } from "./tube_shader.js";

const NO_NUMBER = 3e38;

// ---- templates: outlines with unit half widths, swept along one piece -------------------------------------------------

// Points {x, y, nx, ny, around}; the last is the first again, a turn later.
function circleOutline(sides) {
  return Array.from({ length: sides + 1 }, (_, i) => {
    const angle = (2 * Math.PI * i) / sides;
    const x = Math.cos(angle);
    const y = Math.sin(angle);
    return { x, y, nx: x, ny: y, around: i / sides };
  });
}

function squareOutline() {
  const corners = [[1, 0], [1, 1], [-1, 1], [-1, 0], [-1, -1], [1, -1], [1, 0]];
  const points = [];
  const normals = [[1, 0], [0, 1], [-1, 0], [-1, 0], [0, -1], [1, 0]];
  const turns = [0, 0.125, 0.375, 0.5, 0.625, 0.875, 1];
  normals.forEach(([nx, ny], i) => {
    for (const k of [i, i + 1]) points.push({ x: corners[k][0], y: corners[k][1], nx, ny, around: turns[k] });
  });
  return points;
}

function geometryOf(vertices, triangles) {
  const geometry = new THREE.InstancedBufferGeometry();
  const array = (size, of) => new THREE.BufferAttribute(new Float32Array(vertices.flatMap(of)), size);
  geometry.setAttribute("position", array(3, (v) => [v.x, v.y, v.t]));
  geometry.setAttribute("normal", array(3, (v) => [v.nx, v.ny, v.nz ?? 0]));
  geometry.setAttribute("around", array(1, (v) => [v.around]));
  geometry.setAttribute("dome", array(1, (v) => [v.dome ?? 0]));
  geometry.setIndex(triangles);
  return geometry;
}

function pieceGeometry(outline, rings, isFlat) {
  const vertices = [];
  const triangles = [];
  const n = outline.length;
  for (let r = 0; r <= rings; r++) vertices.push(...outline.map((point) => ({ ...point, t: r / rings })));
  for (let r = 0; r < rings; r++) {
    for (let i = 0; i + 1 < n; i += isFlat ? 2 : 1) {
      const a = r * n + i;
      triangles.push(a, a + 1, a + n, a + 1, a + n + 1, a + n);
    }
  }
  return geometryOf(vertices, triangles);
}

// A low dome, or a flat end; at the second node when `t` is 1.
function capGeometry(outline, loops, t, isFlat) {
  const vertices = [];
  const triangles = [];
  const n = outline.length;
  for (let k = 0; k <= loops; k++) {
    const f = ((Math.PI / 2) * k) / loops;
    const size = isFlat ? 1 - k / loops : Math.cos(f);
    for (const point of outline) {
      const normal = isFlat ? [0, 0, 1] : [0.5 * size * point.nx, 0.5 * size * point.ny, Math.max(Math.sin(f), 1e-3)];
      const [nx, ny, nz] = normal.map((value) => value / Math.hypot(...normal));
      const dome = isFlat ? 0 : Math.sin(f);
      vertices.push({ x: size * point.x, y: size * point.y, nx, ny, nz, t, dome, around: point.around });
    }
  }
  for (let k = 0; k < loops; k++) {
    for (let i = 0; i + 1 < n; i++) {
      const a = k * n + i;
      const faces = [a, a + 1, a + n, a + 1, a + n + 1, a + n];
      triangles.push(...(t > 0.5 ? faces : faces.reverse()));
    }
  }
  return geometryOf(vertices, triangles);
}

// ---- instances --------------------------------------------------------------------------------------------------------

const halfAt = (list, element) => (typeof list === "number" ? list : list.length === 1 ? list[0] : list[element]);

export function rodTint(rod, index, count) {
  if (rod.color) return rod.color.map(toLinear);
  return rod.strands > 0 ? hairColor(rod.strands - 1, index) : rodColor(index, count);
}

// Half widths at both ends of an element: means with the neighbours', so that tapers have no steps.
function halvesOf(rod, element) {
  const last = rod.element_count - 1;
  const before = element > 0 ? element - 1 : rod.closed ? last : 0;
  const after = element < last ? element + 1 : rod.closed ? 0 : last;
  const mean = (list, other) => 0.5 * (halfAt(list, element) + halfAt(list, other));
  return [mean(rod.half1, before), mean(rod.half2, before), mean(rod.half1, after), mean(rod.half2, after)];
}

function pieceOf(rod, element, tint) {
  const { closed, first_node: node, first_element: first, node_count: nodes, element_count: count } = rod;
  const at = (i) => node + (closed ? (i + nodes) % nodes : Math.min(nodes - 1, Math.max(0, i)));
  const frame = (i) => first + (closed ? (i + count) % count : Math.min(count - 1, Math.max(0, i)));
  const isSeam = closed && (element === 0 || element === count - 1);
  return {
    nodes: [at(element - 1), at(element), at(element + 1), at(element + 2)],
    elements: [frame(element - 1), frame(element), frame(element + 1), isSeam ? 1 : 0],
    halves: halvesOf(rod, element),
    tint: [...tint, rod.run ?? 0],
  };
}

function setInstances(geometry, pieces) {
  for (const name of ["nodes", "elements", "halves", "tint"]) {
    const array = new Float32Array(4 * pieces.length);
    pieces.forEach((piece, i) => array.set(piece[name], 4 * i));
    geometry.setAttribute(name, new THREE.InstancedBufferAttribute(array, 4));
  }
  geometry.instanceCount = pieces.length;
}

// Fewer corners and rings where there are many pieces: each is small then.
function detailFor(pieceCount) {
  if (pieceCount > 20000) return { sides: 5, rings: 1 };
  if (pieceCount > 6000) return { sides: 6, rings: 1 };
  if (pieceCount > 1500) return { sides: 10, rings: 2 };
  return pieceCount > 400 ? { sides: 14, rings: 2 } : { sides: 20, rings: 4 };
}

// A 32-bit texture with four numbers for each of `count` entries.
function makeTexture(count) {
  const height = Math.max(1, Math.ceil(count / TEXTURE_WIDTH));
  const data = new Float32Array(4 * TEXTURE_WIDTH * height);
  const texture = new THREE.DataTexture(data, TEXTURE_WIDTH, height, THREE.RGBAFormat, THREE.FloatType);
  texture.needsUpdate = true;
  return texture;
}

export class Tubes {
  // `light` are the stage's uniforms, which all surfaces share.
  constructor(light) {
    this.group = new THREE.Group();
    this.uniforms = {
      ...light,
      nodeMap: { value: null },
      frameMap: { value: null },
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
      new THREE.ShaderMaterial({
        vertexShader: TUBE_VERTEX,
        fragmentShader,
        uniforms: this.uniforms,
        glslVersion: null,
        side: THREE.FrontSide,
      });
    this.material = material(TUBE_FRAGMENT);
    this.depthMaterial = material(DEPTH_FRAGMENT);
    this.map = null;
  }

  setWorld(world) {
    this.clear();
    this.world = world;
    const count = world.rods.length;
    const kinds = { round: { pieces: [], starts: [], ends: [] }, flat: { pieces: [], starts: [], ends: [] } };
    world.rods.forEach((rod, index) => {
      const kind = kinds[rod.section === "rectangle" ? "flat" : "round"];
      const tint = rodTint(rod, index, count);
      const pieces = Array.from({ length: rod.element_count }, (_, element) => pieceOf(rod, element, tint));
      for (const piece of pieces) kind.pieces.push(piece);
      if (!rod.closed && !(rod.strands > 0)) {
        kind.starts.push(pieces[0]);
        kind.ends.push(pieces[pieces.length - 1]);
      }
    });
    const detail = detailFor(kinds.round.pieces.length + kinds.flat.pieces.length);
    const circle = circleOutline(detail.sides);
    this.#add(pieceGeometry(circle, detail.rings, false), kinds.round.pieces);
    this.#add(capGeometry(circle, 3, 0, false), kinds.round.starts);
    this.#add(capGeometry(circle, 3, 1, false), kinds.round.ends);
    this.#add(pieceGeometry(squareOutline(), detail.rings, true), kinds.flat.pieces);
    this.#add(capGeometry(squareOutline(), 1, 0, true), kinds.flat.starts);
    this.#add(capGeometry(squareOutline(), 1, 1, true), kinds.flat.ends);
    const last = world.rods[count - 1];
    this.uniforms.nodeMap.value = makeTexture(last ? last.first_node + last.node_count : 1);
    this.uniforms.frameMap.value = makeTexture(last ? last.first_element + last.element_count : 1);
    const isHair = count > 0 && world.rods.every((rod) => rod.strands > 0);
    this.uniforms.leastPixels.value = isHair ? 0.4 : 0.8;
  }

  #add(geometry, pieces) {
    if (pieces.length === 0) return;
    setInstances(geometry, pieces);
    const mesh = new THREE.Mesh(geometry, this.material);
    mesh.frustumCulled = false;
    mesh.userData.depthMaterial = this.depthMaterial;
    this.group.add(mesh);
  }

  clear() {
    for (const mesh of [...this.group.children]) {
      mesh.geometry.dispose();
      this.group.remove(mesh);
    }
    this.uniforms.nodeMap.value?.dispose();
    this.uniforms.frameMap.value?.dispose();
  }

  // positions: 3 a node; frames: 4 an element; values: 1 a node, or none.
  setPicture(positions, frames, values) {
    const nodes = this.uniforms.nodeMap.value;
    const data = nodes.image.data;
    const count = Math.min(positions.length / 3, data.length / 4);
    for (let i = 0; i < count; i++) {
      data[4 * i] = positions[3 * i];
      data[4 * i + 1] = positions[3 * i + 1];
      data[4 * i + 2] = positions[3 * i + 2];
      data[4 * i + 3] = !values ? 0 : Number.isNaN(values[i]) ? NO_NUMBER : values[i];
    }
    nodes.needsUpdate = true;
    if (frames) {
      const texture = this.uniforms.frameMap.value;
      texture.image.data.set(frames.subarray(0, texture.image.data.length));
      texture.needsUpdate = true;
    }
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
