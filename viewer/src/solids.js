// Bodies, obstacles and deformable solids: meshes that poses or points move.
import * as THREE from "three";
import { COMMON, SHADOW, SURFACE, surfaceNumber } from "./shading.js";
import { bytesOf } from "./protocol.js";
import { fromHex, toLinear } from "./colors.js";

const VERTEX = /* glsl */ `
precision highp float;
out vec3 vNormal, vPlace;
void main() {
  vec4 place = modelMatrix * vec4(position, 1.0);
  vNormal = mat3(modelMatrix) * normal;
  vPlace = place.xyz;
  gl_Position = projectionMatrix * viewMatrix * place;
}
`;
const FRAGMENT = /* glsl */ `
${COMMON}${SHADOW}${SURFACE}
in vec3 vNormal, vPlace;
uniform vec3 color;
uniform float surface;
void main() {
  vec3 normal = normalize(vNormal);
  if (!gl_FrontFacing) normal = -normal;
  gl_FragColor = vec4(surfaceLight(color, normal, vPlace, lampSeen(vPlace, normal, toLamp), 0.95, surface), 1.0);
}
`;
const DEPTH = /* glsl */ `
precision highp float;
in vec3 vNormal, vPlace;
void main() { gl_FragColor = vec4(gl_FragCoord.z, 1.0, gl_FragCoord.z, 1.0); }
`;
function geometryOf(points, triangles) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(points, 3));
  geometry.setIndex(new THREE.BufferAttribute(triangles, 1));
  geometry.computeVertexNormals();
  return geometry;
}

const decode = (text, Type) => new Type(bytesOf(text).buffer);

export class Solids {
  constructor(light) {
    this.light = light;
    this.group = new THREE.Group();
    this.bodies = [];
    this.obstacles = [];
    this.soft = [];
  }

  setWorld(world) {
    for (const mesh of [...this.group.children]) {
      mesh.geometry.dispose();
      this.group.remove(mesh);
    }
    const meshes = (world.meshes ?? []).map((mesh) => ({
      points: typeof mesh.points === "string" ? decode(mesh.points, Float32Array) : new Float32Array(mesh.points),
      triangles: typeof mesh.triangles === "string" ? decode(mesh.triangles, Uint32Array) : new Uint32Array(mesh.triangles),
    }));
    const make = (item, kind, index) => {
      const shape = meshes[item.mesh];
      if (!shape) return null;
      const mesh = this.#mesh(geometryOf(shape.points, shape.triangles), item);
      mesh.userData.item = { kind, index, name: item.name };
      mesh.visible = !item.is_ground; // the stage's ground stands for it
      return mesh;
    };
    this.bodies = (world.bodies ?? []).map((body, i) => make(body, "body", i));
    this.obstacles = (world.obstacles ?? []).map((obstacle, i) => make(obstacle, "obstacle", i));
    this.soft = (world.solids ?? []).map((solid, index) => {
      const points = new Float32Array(3 * solid.point_count);
      const triangles = typeof solid.triangles === "string" ? decode(solid.triangles, Uint32Array) : new Uint32Array(solid.triangles);
      const mesh = this.#mesh(geometryOf(points, triangles), solid);
      mesh.frustumCulled = false;
      mesh.userData.item = { kind: "solid", index, name: solid.name };
      return { mesh, first: solid.first_point, count: solid.point_count };
    });
  }

  #mesh(geometry, look) {
    const color = { value: new THREE.Color(...fromHex(look.color).map(toLinear)) }, surface = { value: surfaceNumber(look.surface) };
    const material = (fragmentShader, uniforms) =>
      new THREE.ShaderMaterial({ vertexShader: VERTEX, fragmentShader, uniforms, side: THREE.DoubleSide });
    const mesh = new THREE.Mesh(geometry, material(FRAGMENT, { ...this.light, color, surface }));
    mesh.userData.depthMaterial = material(DEPTH, {});
    this.group.add(mesh);
    return mesh;
  }

  // Poses are 7 numbers each: position, quaternion w x y z.
  setPoses(meshes, poses) {
    meshes.forEach((mesh, i) => {
      if (!mesh || poses.length < 7 * (i + 1)) return;
      const p = poses.subarray(7 * i, 7 * i + 7);
      mesh.position.set(p[0], p[1], p[2]);
      mesh.quaternion.set(p[4], p[5], p[6], p[3]).normalize();
      mesh.updateMatrixWorld();
    });
  }

  // The box grows around all that is shown.
  expand(box, points = new Float32Array(0)) {
    for (const mesh of [...this.bodies, ...this.obstacles]) {
      if (!mesh?.visible) continue;
      if (!mesh.geometry.boundingBox) mesh.geometry.computeBoundingBox();
      box.union(mesh.geometry.boundingBox.clone().applyMatrix4(mesh.matrixWorld));
    }
    const point = new THREE.Vector3();
    for (let i = 0; i + 2 < points.length; i += 3) box.expandByPoint(point.fromArray(points, i));
  }

  setPoints(points) {
    for (const { mesh, first, count } of this.soft) {
      const attribute = mesh.geometry.getAttribute("position");
      attribute.array.set(points.subarray(3 * first, 3 * (first + count)));
      attribute.needsUpdate = true;
      mesh.geometry.computeVertexNormals();
      mesh.geometry.boundingSphere = null; // whoever points at it wants it anew
    }
  }
}
