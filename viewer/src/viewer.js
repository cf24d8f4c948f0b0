// The world on the stage: takes worlds and pictures, draws when something has changed, finds what a pointer is at.
import * as THREE from "three";
import { Marks } from "./marks.js";
import { Orbit } from "./orbit.js";
import { pickElement } from "./pick.js";
import { BLOCK } from "./protocol.js";
import { Solids } from "./solids.js";
import { Stage } from "./stage.js";
import { Tubes } from "./tubes.js";
import { chooseBack } from "./view_choice.js";

export class Viewer {
  constructor(canvas) {
    this.stage = new Stage(canvas);
    this.canvas = this.stage.renderer.domElement; // may be another
    this.orbit = new Orbit(this.stage.camera);
    this.tubes = new Tubes(this.stage.uniforms, this.stage.isSoftware);
    this.solids = new Solids(this.stage.uniforms);
    this.marks = new Marks();
    this.stage.things.add(this.tubes.group, this.solids.group);
    this.stage.marks.add(this.marks.group);
    this.ray = new THREE.Raycaster();
    this.follows = false;
    this.isOld = true;
    this.heldRange = null;
    this.drawn = 0;
  }

  setWorld(world) {
    const isFirst = !this.world;
    this.world = world;
    this.picture = null;
    const gravity = new THREE.Vector3(...(world.gravity ?? [0, 0, 0]));
    const up = gravity.length() > 0 ? gravity.negate().normalize() : world.up === "y" ? new THREE.Vector3(0, 1, 0) : new THREE.Vector3(0, 0, 1);
    this.stage.up.copy(up);
    this.orbit.up.copy(up);
    this.tubes.setWorld(world);
    this.solids.setWorld(world);
    this.marks.clear();
    this.radius = this.tubes.radius;
    this.#placeBall(new THREE.Vector3(...world.bounds.min), new THREE.Vector3(...world.bounds.max));
    this.needsView ||= isFirst;
    this.isOld = true;
  }

  #placeBall(low, high) {
    const center = low.clone().lerp(high, 0.5);
    this.size = Math.max(1e-9, 0.5 * low.distanceTo(high) + 2 * this.radius * this.tubes.uniforms.thickness.value);
    if (this.mirror) center.addScaledVector(this.mirror, 0.5);
    this.stage.setBall(center, this.size + (this.mirror ? 0.5 * this.mirror.length() : 0));
    const ground = (this.world.obstacles ?? []).findIndex((obstacle) => obstacle.is_ground);
    const corners = [low, high].map((corner) => corner.dot(this.stage.up));
    this.ownGround = ground >= 0 ? ground : null;
    this.stage.floor = Math.min(...corners) - this.radius;
    this.ball = { low, high };
  }

  // Things may leave the ball that was announced: it grows by steps, so that shadows do not crawl.
  #growBall(positions) {
    const { low, high } = this.ball;
    const [l, h] = [low.clone(), high.clone()];
    let isOut = false;
    const p = new THREE.Vector3();
    for (let i = 0; i + 2 < positions.length; i += 3) {
      p.set(positions[i], positions[i + 1], positions[i + 2]);
      if (p.x >= l.x && p.y >= l.y && p.z >= l.z && p.x <= h.x && p.y <= h.y && p.z <= h.z) continue;
      if (!Number.isFinite(p.x + p.y + p.z)) continue;
      l.min(p);
      h.max(p);
      isOut = true;
    }
    if (!isOut) return;
    const margin = 0.05 * l.distanceTo(h);
    l.x -= l.x < low.x ? margin : 0;
    l.y -= l.y < low.y ? margin : 0;
    l.z -= l.z < low.z ? margin : 0;
    h.x += h.x > high.x ? margin : 0;
    h.y += h.y > high.y ? margin : 0;
    h.z += h.z > high.z ? margin : 0;
    this.#placeBall(l, h);
  }

  // What casts shadows lies in it.
  #placeBox(positions, blocks) {
    const { box } = this.stage;
    box.makeEmpty();
    for (let i = 0; i + 2 < positions.length; i += 3) {
      const x = positions[i], y = positions[i + 1], z = positions[i + 2];
      if (x < box.min.x) box.min.x = x;
      if (y < box.min.y) box.min.y = y;
      if (z < box.min.z) box.min.z = z;
      if (x > box.max.x) box.max.x = x;
      if (y > box.max.y) box.max.y = y;
      if (z > box.max.z) box.max.z = z;
    }
    this.solids.expand(box, blocks.get(BLOCK.solids));
    if (this.mirror) box.expandByPoint(box.min.clone().add(this.mirror)).expandByPoint(box.max.clone().add(this.mirror));
    box.expandByScalar(this.radius * this.tubes.uniforms.thickness.value);
  }

  setPicture(picture) {
    if (!this.world || picture.epoch !== this.world.epoch) return false;
    const { blocks } = picture;
    const positions = blocks.get(BLOCK.positions) ?? new Float32Array(0);
    const frames = blocks.get(BLOCK.frames);
    const values = blocks.get(BLOCK.values);
    this.#growBall(positions);
    this.#placeBox(positions, blocks);
    this.tubes.setPicture(positions, frames, values?.length > 0 ? values : null);
    this.#setRange(blocks, values);
    if (blocks.has(BLOCK.bodies)) this.solids.setPoses(this.solids.bodies, blocks.get(BLOCK.bodies));
    if (blocks.has(BLOCK.obstacles)) this.solids.setPoses(this.solids.obstacles, blocks.get(BLOCK.obstacles));
    if (blocks.has(BLOCK.solids)) this.solids.setPoints(blocks.get(BLOCK.solids));
    if (this.ownGround !== null) this.#placeFloor();
    if (this.follows && this.picture) this.#follow(positions);
    this.picture = { ...picture, positions, frames };
    this.#setMarks();
    if (this.needsView) this.resetView();
    this.stage.shadowsAreOld = true;
    this.isOld = true;
    return true;
  }

  #setRange(blocks, values) {
    if (!values || values.length === 0) {
      this.range = null;
      return;
    }
    const given = blocks.get(BLOCK.range);
    this.range = this.heldRange ?? (given ? [given[0], given[1]] : rangeOf(values));
    this.tubes.setRange(this.range);
  }

  #placeFloor() { // the plane's patch lies in its own axes; any of its corners is on it
    const mesh = this.solids.obstacles[this.ownGround];
    if (!mesh) return;
    const corner = new THREE.Vector3().fromBufferAttribute(mesh.geometry.getAttribute("position"), 0);
    this.stage.floor = corner.applyMatrix4(mesh.matrixWorld).dot(this.stage.up);
  }

  #setMarks() {
    const { positions, frames, blocks } = this.picture;
    const size = this.stage.scale;
    this.marks.setContacts(blocks.get(BLOCK.contacts) ?? new Float32Array(0), Math.min(0.35 * size, 0.1 * this.orbit.distance));
    this.marks.setNodes(positions);
    this.marks.setFrames(this.world, positions, frames, Math.max(0.02 * size, 2 * this.radius));
  }

  // The camera goes with the middle of all nodes.
  #follow(positions) {
    const middle = centroid(positions);
    if (this.middle) {
      this.orbit.target.add(middle.clone().sub(this.middle));
      this.orbit.isOld = true;
    }
    this.middle = middle;
  }

  // The second of two runs is drawn beside the first, this far away; null: over it.
  setMirror(offset) {
    this.mirror = offset?.clone() ?? null;
    this.#placeBall(this.ball.low, this.ball.high);
    this.refreshMarks();
  }

  setFollow(isOn) {
    this.follows = isOn;
    this.middle = isOn && this.picture ? centroid(this.picture.positions) : null;
  }

  refreshMarks() {
    if (this.picture) {
      const values = this.picture.blocks.get(BLOCK.values);
      this.tubes.setPicture(this.picture.positions, this.picture.frames, values?.length > 0 ? values : null);
      this.#setMarks();
    }
    this.stage.shadowsAreOld = true;
    this.isOld = true;
  }

  // ---- the view

  // What the camera should hold: the whole run's box, but not much more than what is there now.
  #fitPoints() {
    const points = Array.from(this.picture?.positions ?? []);
    for (const rod of this.mirror ? this.world.rods.filter((other) => other.run) : []) { // drawn beside the first
      for (let i = 3 * rod.first_node; i < 3 * (rod.first_node + rod.node_count); i++) points[i] += this.mirror.getComponent(i % 3);
    }
    for (const mesh of [...this.solids.bodies, ...this.solids.obstacles]) {
      if (!mesh?.visible) continue;
      mesh.geometry.computeBoundingBox();
      const box = mesh.geometry.boundingBox.clone().applyMatrix4(mesh.matrixWorld);
      if (box.min.distanceTo(box.max) > 3 * this.stage.scale) continue; // a wall is not what is looked at
      for (const x of [box.min.x, box.max.x]) for (const y of [box.min.y, box.max.y]) for (const z of [box.min.z, box.max.z]) points.push(x, y, z);
    }
    if (this.fitsRun && !this.mirror) {
      const { min, max } = this.world.bounds;
      for (const x of [min[0], max[0]]) for (const y of [min[1], max[1]]) for (const z of [min[2], max[2]]) points.push(x, y, z);
    }
    return points;
  }

  resetView() {
    this.needsView = false;
    if (!this.picture) return;
    this.orbit.setBack(chooseBack(this.picture.positions, this.stage.up));
    this.stage.placeLamp(this.orbit.back());
    this.fit();
  }

  fit() {
    this.orbit.fit(this.#fitPoints(), this.radius * this.tubes.uniforms.thickness.value);
    this.isOld = true;
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (width === 0 || height === 0) return;
    this.stage.resize(width, height, Math.min(2, window.devicePixelRatio || 1) * (this.quality ?? 1));
    this.height = height;
    this.isOld = true;
  }

  // Pixels of the drawing for each of the screen's, each way.
  setQuality(quality) {
    if (quality === this.quality) return;
    this.quality = quality;
    this.resize();
  }

  // Whether the last drawing is done. Where the graphics processor is slow, drawings would queue up else, and what is
  // seen would be old.
  isReady() {
    const gl = this.stage.renderer.getContext();
    if (!this.fence) return true;
    if (gl.getSyncParameter(this.fence, gl.SYNC_STATUS) !== gl.SIGNALED) return false;
    gl.deleteSync(this.fence);
    this.fence = null;
    return true;
  }

  #setFence() {
    const gl = this.stage.renderer.getContext();
    this.fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
  }

  // Of the drawing, where the things are that the camera looks at.
  #pixelsOfMetre() {
    const { camera, renderer } = this.stage;
    return renderer.domElement.height / (2 * Math.tan((camera.fov * Math.PI) / 360) * Math.max(this.orbit.distance, 1e-9));
  }

  // True when something was drawn.
  draw() {
    if (!this.picture || (!this.isOld && !this.orbit.isOld)) return false;
    if (this.orbit.isOld) this.orbit.update();
    this.tubes.setScale(this.#pixelsOfMetre());
    this.stage.draw(this.height ?? 1, this.quality ?? 1);
    this.isOld = false;
    if (!this.fence) this.#setFence();
    if (this.drawn++ === 0) this.firstDrawn = performance.now(); // ms since the page was asked for
    return true;
  }

  // ---- pointing; x and y are pixels of the canvas

  rayAt(x, y) {
    const at = new THREE.Vector2((2 * x) / this.canvas.clientWidth - 1, 1 - (2 * y) / this.canvas.clientHeight);
    this.ray.setFromCamera(at, this.stage.camera);
    return this.ray.ray;
  }

  // The nearest thing under the pointer, or null: {object, index, element, fraction | local, point}.
  pick(x, y, slack = 10) {
    if (!this.picture) return null;
    const ray = this.rayAt(x, y);
    const pixel = this.stage.uniforms.pixel.value;
    const rod = pickElement(this.world.rods, this.picture.positions, ray, {
      slack: slack * pixel,
      least: 0.8 * pixel,
      thickness: this.tubes.uniforms.thickness.value,
    });
    const meshes = [...this.solids.bodies, ...this.solids.obstacles, ...this.solids.soft.map((soft) => soft.mesh)].filter((mesh) => mesh?.visible);
    const hit = this.ray.intersectObjects(meshes, false)[0];
    if (hit && (!rod || hit.distance < rod.distance)) {
      const { kind, index, name } = hit.object.userData.item;
      const local = hit.object.worldToLocal(hit.point.clone());
      return { object: kind, index, name, place: local.toArray(), point: hit.point, distance: hit.distance };
    }
    if (!rod) return null;
    const support = this.#supportAt(x, y, rod);
    if (support) return support;
    return { object: "rod", name: this.world.rods[rod.index].name, place: rod.element + rod.fraction, ...rod };
  }

  // What holds a rod there can be led; the rod itself would not follow.
  #supportAt(x, y, { index: rod, distance }) {
    const { supports = [], rods } = this.world;
    for (let index = 0; index < supports.length; index++) {
      const support = supports[index];
      if (support.rod !== rod || !support.held) continue;
      const point = new THREE.Vector3().fromArray(this.picture.positions, 3 * (rods[rod].first_node + support.place));
      const at = this.project(point);
      if (at && Math.hypot(at.x - x, at.y - y) < 9) return { object: "support", index, name: `support of ${rods[rod].name}`, point, distance };
    }
    return null;
  }

  // A point in pixels; null behind the camera.
  project(point) {
    const p = point.clone().project(this.stage.camera);
    if (p.z > 1) return null;
    return { x: (0.5 + 0.5 * p.x) * this.canvas.clientWidth, y: (0.5 - 0.5 * p.y) * this.canvas.clientHeight };
  }
}

function centroid(positions) {
  const sum = new THREE.Vector3();
  for (let i = 0; i + 2 < positions.length; i += 3) sum.add(new THREE.Vector3(positions[i], positions[i + 1], positions[i + 2]));
  return sum.divideScalar(Math.max(1, positions.length / 3));
}

function rangeOf(values) {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? [low, high] : [0, 1];
}
