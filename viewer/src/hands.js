// Hands: points that are held and pulled. The server moves them; the page says where to, and shows what it tells back.
import * as THREE from "three";
import { $, make, tell } from "./dom.js";
import { quantity } from "./format.js";
import { BLOCK } from "./protocol.js";

const NONE = new Float32Array(0);
const COLORS = ["#1971c2", "#2f9e44", "#9c36b5", "#e8590c"];
const HANDS_MAX = 16; // as the server has them

export class Hands {
  constructor(viewer, source) {
    this.viewer = viewer;
    this.source = source;
    this.hands = new Map(); // id to {point, target, force, isPinned}, as the last picture has them
    this.held = null; // the one that follows the pointer: {id, plane, offset, twist}
    this.released = new Set(); // let go, though the last picture may still have them
    this.next = 0; // where the search for a free one begins
    this.mayGrab = false;
  }

  setHello(hello) {
    this.mayGrab = !!hello.can?.grab;
    this.mayCut = !!hello.can?.cut;
    for (const id of ["cut-hint", "scissors"]) $(id).hidden = !this.mayCut;
    $("scissors").onclick = () => this.setCutting(!this.isCutting);
    this.setCutting(false);
    this.hands.clear();
    this.released.clear();
    this.held = null;
    this.#list();
  }

  setPicture(picture) {
    const block = picture.blocks.get(BLOCK.hands) ?? NONE;
    if (block.length === 0 && this.hands.size === 0 && this.released.size === 0) return;
    const before = this.hands;
    const shown = new Set();
    this.hands = new Map();
    for (let i = 0; i + 12 <= block.length; i += 12) {
      const vector = (at) => new THREE.Vector3(block[i + at], block[i + at + 1], block[i + at + 2]);
      const id = block[i];
      shown.add(id);
      if (this.released.has(id)) continue;
      this.hands.set(id, { id, kind: block[i + 1], point: vector(2), target: vector(5), force: vector(8), isPinned: (block[i + 11] & 1) === 1, name: before.get(id)?.name ?? this.names?.get(id) });
    }
    for (const id of this.released) if (!shown.has(id)) this.released.delete(id);
    if (this.held?.isShown && !shown.has(this.held.id)) this.held = null; // the server let go: time went back
    else if (this.held && shown.has(this.held.id)) this.held.isShown = true;
    this.viewer.marks.setHands([...this.hands.values()], Math.max(0.006 * this.viewer.orbit.distance, 1.15 * this.viewer.radius));
    this.#list();
  }

  // ---- the pointer

  // A pinned point near the pointer, or null.
  #pinnedAt(x, y) {
    for (const hand of this.hands.values()) {
      for (const place of [hand.point, hand.target]) {
        const at = this.viewer.project(place);
        if (at && Math.hypot(at.x - x, at.y - y) < 14) return hand;
      }
    }
    return null;
  }

  // The last picture may be older than the last grab: so the search goes on where it ended, and a hand that was taken a
  // moment ago is not taken again.
  #freeHand() {
    for (let i = 0; i < HANDS_MAX; i++) {
      const id = (this.next + i) % HANDS_MAX;
      if (this.hands.has(id) || this.released.has(id)) continue;
      this.next = id + 1;
      return id;
    }
    return -1;
  }

  // True when something was taken hold of.
  grab(x, y, isTouch) {
    if (!this.mayGrab || this.held) return false;
    if (this.isCutting) {
      this.cut(x, y);
      return true; // nothing is held, and the camera stays
    }
    const pinned = this.#pinnedAt(x, y);
    if (pinned) {
      this.#hold(pinned.id, pinned.target.clone(), pinned.isPinned, x, y);
      return true;
    }
    const hit = this.viewer.pick(x, y, isTouch ? 22 : 10);
    if (!hit) return false;
    const id = this.#freeHand();
    if (id < 0) {
      tell(`All ${HANDS_MAX} hands hold something; let go of one.`, true);
      return false;
    }
    this.names ??= new Map();
    this.names.set(id, hit.name);
    this.source.send({ type: "grab", hand: id, object: hit.object, index: hit.index, place: hit.place, point: hit.point.toArray() });
    this.#hold(id, hit.point.clone(), false, x, y);
    return true;
  }

  // The pointer moves the hand in the plane that faces the viewer.
  #hold(id, point, isPinned, x, y) {
    const normal = this.viewer.stage.camera.getWorldDirection(new THREE.Vector3());
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(normal, point);
    const start = this.viewer.rayAt(x, y).intersectPlane(plane, new THREE.Vector3()) ?? point.clone();
    this.held = { id, plane, offset: point.clone().sub(start), point, twist: 0, wasPinned: isPinned, x };
  }

  move(x, y, isTwist) {
    const { held } = this;
    if (!held) return;
    if (isTwist) {
      if (!$("show-stripe").checked) $("show-stripe").click(); // it shows twist
      held.twist += ((x - held.x) * Math.PI) / 180; // a degree a pixel
    } else {
      const at = this.viewer.rayAt(x, y).intersectPlane(held.plane, new THREE.Vector3());
      if (at) held.point = at.add(held.offset);
    }
    held.x = x;
    this.source.send({ type: "move", hand: held.id, point: held.point.toArray(), twist: held.twist });
  }

  // Nearer to the viewer or farther, by a part of the distance.
  push(part) {
    const { held } = this;
    if (!held) return;
    const way = held.plane.normal.clone().multiplyScalar(-part * this.viewer.orbit.distance);
    held.point.add(way);
    held.plane.setFromNormalAndCoplanarPoint(held.plane.normal, held.point.clone().sub(held.offset));
    this.source.send({ type: "move", hand: held.id, point: held.point.toArray(), twist: held.twist });
  }

  // The pointer lets go. A pinned hand stays.
  drop() {
    const { held } = this;
    this.held = null;
    if (held && !held.wasPinned && !held.isPinned) this.release(held.id);
  }

  pin() {
    if (!this.held) return false;
    this.source.send({ type: "pin", hand: this.held.id });
    this.held.isPinned = !(this.held.isPinned || this.held.wasPinned);
    this.held.wasPinned = false;
    return true;
  }

  // The server's answer to a grab.
  grabbed({ hand, ok }) {
    if (ok) this.released.delete(hand); // by another page
    if (!ok && this.held?.id === hand) this.held = null;
  }

  release(id) {
    this.released.add(id);
    this.hands.delete(id);
    this.source.send({ type: "release", hand: id });
    if (this.held?.id === id) this.held = null;
  }

  releaseAll() {
    for (const id of [...this.hands.keys()]) this.release(id);
    if (this.held) this.release(this.held.id);
  }

  cut(x, y) {
    if (!this.mayCut) return;
    const hit = this.viewer.pick(x, y, 10);
    if (hit?.object === "rod") this.source.send({ type: "cut", rod: hit.index, place: hit.place });
  }

  // With scissors, who presses on a rod cuts it.
  setCutting(isOn) {
    this.isCutting = isOn && this.mayCut;
    $("scissors").setAttribute("aria-pressed", String(this.isCutting));
    this.viewer.canvas.classList.toggle("cutting", this.isCutting);
  }

  // ---- what is told of them

  #list() {
    $("hands").hidden = !this.mayGrab;
    const key = [...this.hands.values()].map((hand) => `${hand.id}${hand.isPinned}`).join();
    if (key !== this.key) {
      this.key = key;
      $("hand-list").replaceChildren(...[...this.hands.values()].map((hand) => this.#row(hand)));
      $("labels").replaceChildren(...[...this.hands.values()].map(() => make("span")));
    }
    let i = 0;
    for (const hand of this.hands.values()) {
      const force = quantity(hand.force.length(), "N");
      $("hand-list").children[i].querySelector(".force").textContent = force;
      $("labels").children[i].textContent = force;
      i++;
    }
    this.placeLabels();
  }

  #row(hand) {
    const swatch = make("span", { className: "swatch" });
    swatch.style.background = COLORS[hand.id % COLORS.length];
    const pin = make("button", { textContent: "pin", hidden: hand.isPinned });
    pin.onclick = () => this.source.send({ type: "pin", hand: hand.id });
    const release = make("button", { textContent: "let go" });
    release.onclick = () => this.release(hand.id);
    const name = make("span", {}, swatch, hand.name ?? `hand ${hand.id + 1}`);
    return make("div", { className: "hand" }, name, make("span", { className: "force" }), pin, release);
  }

  placeLabels() {
    let i = 0;
    for (const hand of this.hands.values()) {
      const at = this.viewer.project(hand.target);
      const label = $("labels").children[i++];
      if (!label) continue;
      label.hidden = !at;
      if (at) label.style.left = `${at.x}px`, (label.style.top = `${at.y}px`);
    }
  }
}
