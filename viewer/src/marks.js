// What is drawn beside the things themselves: contact forces, nodes, frames, hands.
import * as THREE from "three";

const ARROW_COLOR = 0xd9480f;
const HAND_COLORS = [0x1971c2, 0x2f9e44, 0x9c36b5, 0xe8590c];
const AXIS_COLORS = [[0.85, 0.2, 0.2], [0.2, 0.62, 0.25], [0.2, 0.35, 0.9]];

function arrowGeometry() {
  const shaft = new THREE.CylinderGeometry(0.022, 0.022, 0.72, 8).translate(0, 0.36, 0);
  const head = new THREE.ConeGeometry(0.075, 0.28, 12).translate(0, 0.86, 0);
  const merge = (name, size) =>
    new THREE.BufferAttribute(new Float32Array([...shaft.getAttribute(name).array, ...head.getAttribute(name).array]), size);
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", merge("position", 3));
  geometry.setAttribute("normal", merge("normal", 3));
  const offset = shaft.getAttribute("position").count;
  geometry.setIndex([...shaft.index.array, ...[...head.index.array].map((i) => i + offset)]);
  return geometry;
}

const plain = (options) => new THREE.MeshBasicMaterial({ toneMapped: false, ...options });

export class Marks {
  constructor() {
    this.group = new THREE.Group();
    this.arrowShape = arrowGeometry();
    this.arrows = null;
    this.room = 0;
    this.nodes = new THREE.Points(
      new THREE.BufferGeometry(),
      new THREE.PointsMaterial({ size: 5, sizeAttenuation: false, color: 0x1c2733, toneMapped: false }),
    );
    this.frames = new THREE.LineSegments(
      new THREE.BufferGeometry(),
      new THREE.LineBasicMaterial({ vertexColors: true, toneMapped: false }),
    );
    this.ball = new THREE.SphereGeometry(1, 20, 14);
    this.hands = new THREE.Group();
    for (const mark of [this.nodes, this.frames]) {
      mark.frustumCulled = false;
      mark.visible = false;
    }
    this.showsContacts = false;
    this.group.add(this.nodes, this.frames, this.hands);
  }

  // contacts: 8 numbers each, point and force first. Lengths grow with the root of the force, so that small ones are
  // seen beside large ones; the largest of this world is `longest`.
  setContacts(contacts, longest) {
    const count = this.showsContacts ? contacts.length / 8 : 0;
    if (count > this.room) this.#makeArrows(2 * count);
    if (!this.arrows) return;
    let shown = 0;
    const [from, to, force, matrix, turn] = [new THREE.Vector3(), new THREE.Vector3(0, 1, 0), new THREE.Vector3(), new THREE.Matrix4(), new THREE.Quaternion()];
    for (let i = 0; i < count; i++) this.largest = Math.max(this.largest, Math.hypot(contacts[8 * i + 3], contacts[8 * i + 4], contacts[8 * i + 5]));
    for (let i = 0; i < count; i++) {
      from.fromArray(contacts, 8 * i);
      force.fromArray(contacts, 8 * i + 3);
      const size = force.length();
      if (!(size > 1e-4 * this.largest)) continue;
      const length = longest * Math.sqrt(size / this.largest);
      turn.setFromUnitVectors(to, force.divideScalar(size));
      matrix.compose(from, turn, new THREE.Vector3(length, length, length));
      this.arrows.setMatrixAt(shown++, matrix);
    }
    this.arrows.count = shown;
    this.arrows.instanceMatrix.needsUpdate = true;
  }

  largest = 1e-12;

  #makeArrows(room) {
    if (this.arrows) {
      this.group.remove(this.arrows);
      this.arrows.dispose();
    }
    this.room = room;
    this.arrows = new THREE.InstancedMesh(this.arrowShape, plain({ color: ARROW_COLOR }), room);
    this.arrows.frustumCulled = false;
    this.group.add(this.arrows);
  }

  clear() {
    this.largest = 1e-12;
    if (this.arrows) this.arrows.count = 0;
  }

  setNodes(positions) {
    if (!this.nodes.visible) return;
    setAttribute(this.nodes.geometry, "position", positions);
  }

  // Three short lines at the middle of each element.
  setFrames(world, positions, frames, length) {
    if (!this.frames.visible || !frames) return;
    const points = new Float32Array((frames.length / 4) * 18);
    const colors = new Float32Array(points.length);
    let at = 0;
    const v = new THREE.Vector3();
    const q = new THREE.Quaternion();
    for (const rod of world.rods) {
      for (let e = 0; e < rod.element_count; e++) {
        const a = 3 * (rod.first_node + e);
        const b = 3 * (rod.first_node + ((e + 1) % rod.node_count));
        const middle = [0, 1, 2].map((k) => 0.5 * (positions[a + k] + positions[b + k]));
        const f = 4 * (rod.first_element + e);
        if (f + 4 > frames.length) continue; // fibres have none
        q.set(frames[f + 1], frames[f + 2], frames[f + 3], frames[f]);
        for (let axis = 0; axis < 3; axis++) {
          v.set(axis === 0 ? length : 0, axis === 1 ? length : 0, axis === 2 ? length : 0).applyQuaternion(q);
          points.set([...middle, middle[0] + v.x, middle[1] + v.y, middle[2] + v.z], at);
          colors.set([...AXIS_COLORS[axis], ...AXIS_COLORS[axis]], at);
          at += 6;
        }
      }
    }
    setAttribute(this.frames.geometry, "position", points);
    setAttribute(this.frames.geometry, "color", colors);
  }

  // hands: {id, point, target, isPinned} each; `size` is a ball's radius.
  setHands(hands, size) {
    for (const child of [...this.hands.children]) {
      if (child.isLine) child.geometry.dispose();
      this.hands.remove(child);
    }
    for (const hand of hands) {
      const color = HAND_COLORS[hand.id % HAND_COLORS.length];
      const ball = new THREE.Mesh(this.ball, plain({ color, transparent: true, opacity: 0.85, depthTest: false }));
      ball.position.copy(hand.point);
      ball.scale.setScalar(hand.isPinned ? 1.25 * size : size);
      const line = new THREE.Line(
        new THREE.BufferGeometry().setFromPoints([hand.point, hand.target]),
        new THREE.LineBasicMaterial({ color, depthTest: false, toneMapped: false }),
      );
      const goal = new THREE.Mesh(this.ball, plain({ color, wireframe: !hand.isPinned, depthTest: false }));
      goal.position.copy(hand.target);
      goal.scale.setScalar(0.6 * size);
      this.hands.add(line, ball, goal);
    }
  }
}

function setAttribute(geometry, name, array) {
  const old = geometry.getAttribute(name);
  if (old && old.array.length === array.length) {
    old.array.set(array);
    old.needsUpdate = true;
  } else {
    geometry.setAttribute(name, new THREE.BufferAttribute(new Float32Array(array), 3));
  }
}
