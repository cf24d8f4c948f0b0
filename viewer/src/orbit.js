// The camera that a user moves: it looks at a target from a distance, turned about `up` and raised.
import * as THREE from "three";

const LIMIT = 1.553; // rad; straight above has no level direction

export class Orbit {
  constructor(camera) {
    this.camera = camera;
    this.up = new THREE.Vector3(0, 0, 1);
    this.target = new THREE.Vector3();
    this.distance = 3;
    this.turn = 0;
    this.raise = 0.2;
    this.inset = { right: 0, bottom: 0, top: 0 }; // parts of the window that panels cover
    this.isOld = true;
    this.speed = { turn: 0, raise: 0 }; // what is left of a swing
  }

  // Two level directions that turns are measured in.
  #axes() {
    const helper = Math.abs(this.up.y) > 0.9 ? new THREE.Vector3(0, 0, 1) : new THREE.Vector3(0, -1, 0);
    const back = helper.addScaledVector(this.up, -helper.dot(this.up)).normalize();
    return { back, right: this.up.clone().cross(back) };
  }

  back() {
    const { back, right } = this.#axes();
    const level = back.multiplyScalar(Math.cos(this.turn)).addScaledVector(right, Math.sin(this.turn));
    return level.multiplyScalar(Math.cos(this.raise)).addScaledVector(this.up, Math.sin(this.raise));
  }

  setBack(direction) {
    const { back, right } = this.#axes();
    this.raise = Math.asin(Math.min(1, Math.max(-1, direction.dot(this.up))));
    this.turn = Math.atan2(direction.dot(right), direction.dot(back));
    this.isOld = true;
  }

  rotate(turn, raise) {
    this.turn -= turn;
    this.raise = Math.min(LIMIT, Math.max(-LIMIT, this.raise + raise));
    this.isOld = true;
  }

  // By parts of the window's height.
  pan(x, y) {
    const height = 2 * this.distance * Math.tan((this.camera.fov * Math.PI) / 360);
    const e = this.camera.matrixWorld.elements;
    this.target.addScaledVector(new THREE.Vector3(e[0], e[1], e[2]), -x * height);
    this.target.addScaledVector(new THREE.Vector3(e[4], e[5], e[6]), y * height);
    this.isOld = true;
  }

  // Towards the point under the pointer, given in [-1, 1] each way.
  zoom(factor, x = 0, y = 0) {
    const before = this.distance;
    this.distance = Math.min(this.limits[1], Math.max(this.limits[0], this.distance * factor));
    const way = before - this.distance;
    const slope = Math.tan((this.camera.fov * Math.PI) / 360);
    const e = this.camera.matrixWorld.elements;
    this.target.addScaledVector(new THREE.Vector3(e[0], e[1], e[2]), x * slope * this.camera.aspect * way);
    this.target.addScaledVector(new THREE.Vector3(e[4], e[5], e[6]), y * slope * way);
    this.isOld = true;
  }

  limits = [1e-4, 1e6];

  // The place from which balls of `radius` about all points are just inside of what panels leave free.
  fit(points, radius, margin = 0.86) {
    const slopeUp = Math.tan((this.camera.fov * Math.PI) / 360);
    const slope = [slopeUp * this.camera.aspect, slopeUp];
    const free = [1 - this.inset.right, 1 - this.inset.top - this.inset.bottom].map((part) => margin * Math.max(0.2, part));
    const window = free.map((edge) => [-edge, edge]);
    const forward = this.back().negate();
    const right = forward.clone().cross(this.up).normalize();
    const axes = [right, right.clone().cross(forward)];
    const most = [-Infinity, -Infinity];
    const least = [Infinity, Infinity];
    const p = new THREE.Vector3();
    let nearest = Infinity;
    for (let i = 0; i < points.length; i += 3) {
      p.set(points[i], points[i + 1], points[i + 2]);
      const along = p.dot(forward);
      nearest = Math.min(nearest, along);
      for (let k = 0; k < 2; k++) {
        const [low, high] = window[k].map((edge) => edge * slope[k]);
        const side = p.dot(axes[k]);
        most[k] = Math.max(most[k], side - high * along + radius * Math.hypot(1, high));
        least[k] = Math.min(least[k], side - low * along - radius * Math.hypot(1, low));
      }
    }
    if (!Number.isFinite(nearest)) return;
    // On either axis the camera's place c, along forward, follows from both edges: c = (most - least) / (low - high).
    let along = nearest - 4 * radius;
    for (let k = 0; k < 2; k++) {
      const [low, high] = window[k].map((edge) => edge * slope[k]);
      along = Math.min(along, (most[k] - least[k]) / (low - high));
    }
    const place = forward.clone().multiplyScalar(along);
    let depth = 0;
    for (let i = 0; i < points.length; i += 3) depth += (3 * p.set(points[i], points[i + 1], points[i + 2]).dot(forward)) / points.length;
    this.distance = Math.max(depth - along, 2 * radius);
    this.target.copy(place).addScaledVector(forward, this.distance);
    for (let k = 0; k < 2; k++) {
      const [low, high] = window[k].map((edge) => edge * slope[k]);
      const middle = 0.5 * (most[k] + high * along + least[k] + low * along);
      this.target.addScaledVector(axes[k], middle);
    }
    this.limits = [0.02 * this.distance, 30 * this.distance];
    this.isOld = true;
  }

  update() {
    const { camera } = this;
    camera.up.copy(this.up);
    camera.position.copy(this.target).addScaledVector(this.back(), this.distance);
    camera.lookAt(this.target);
    camera.near = 0.01 * this.distance;
    camera.far = 60 * this.distance;
    // The target is in the middle of what panels leave free.
    camera.setViewOffset(camera.aspect, 1, 0.5 * this.inset.right * camera.aspect, 0.5 * (this.inset.bottom - this.inset.top), camera.aspect, 1);
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
    this.isOld = false;
  }

  // As messages to the server describe a camera.
  describe() {
    const list = (v) => [v.x, v.y, v.z];
    return { eye: list(this.camera.position), at: list(this.target), up: list(this.up), fov: (this.camera.fov * Math.PI) / 180 };
  }
}
