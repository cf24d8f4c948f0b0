// Mouse, pen and fingers on the view: what they hold is pulled, else the camera turns, moves and zooms.
export class Pointer {
  constructor(viewer, hands) {
    this.viewer = viewer;
    this.hands = hands;
    this.pointers = new Map();
    this.at = { x: 0, y: 0 };
    const { canvas } = viewer;
    canvas.addEventListener("pointerdown", (event) => this.#down(event));
    canvas.addEventListener("pointermove", (event) => this.#move(event));
    for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, (event) => this.#up(event));
    canvas.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("dblclick", () => viewer.fit());
  }

  #down(event) {
    const { canvas } = this.viewer;
    canvas.focus({ preventScroll: true });
    canvas.setPointerCapture(event.pointerId);
    const point = { x: event.offsetX, y: event.offsetY, kind: "turn" };
    if (event.button === 2 || event.button === 1 || event.ctrlKey) point.kind = "pan";
    else if (this.pointers.size === 0 && this.hands.grab(point.x, point.y, event.pointerType === "touch")) point.kind = "hold";
    this.pointers.set(event.pointerId, point);
    canvas.classList.toggle("turning", point.kind !== "hold");
  }

  #move(event) {
    const before = this.pointers.get(event.pointerId);
    this.at = { x: event.offsetX, y: event.offsetY };
    if (!before) {
      this.#hover();
      return;
    }
    const dx = event.offsetX - before.x;
    const dy = event.offsetY - before.y;
    const height = this.viewer.canvas.clientHeight;
    const old = { ...before };
    before.x = event.offsetX;
    before.y = event.offsetY;
    if (before.kind === "hold") this.hands.move(before.x, before.y, event.shiftKey);
    else if (this.pointers.size === 2) this.#pinch(event.pointerId, old);
    else if (before.kind === "pan" || event.shiftKey) this.viewer.orbit.pan(dx / height, dy / height);
    else this.viewer.orbit.rotate((dx / height) * 4, (dy / height) * 4);
  }

  // Two fingers: zoom by their distance, move by their middle.
  #pinch(id, old) {
    const [, other] = [...this.pointers].find(([key]) => key !== id);
    const now = this.pointers.get(id);
    const size = (p) => Math.hypot(p.x - other.x, p.y - other.y) || 1;
    const height = this.viewer.canvas.clientHeight;
    this.viewer.orbit.zoom(size(old) / size(now));
    this.viewer.orbit.pan((now.x - old.x) / 2 / height, (now.y - old.y) / 2 / height);
  }

  #up(event) {
    const point = this.pointers.get(event.pointerId);
    this.pointers.delete(event.pointerId);
    if (point?.kind === "hold") this.hands.drop();
    this.viewer.canvas.classList.remove("turning");
  }

  #wheel(event) {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 200 : 1;
    const amount = Math.max(-0.5, Math.min(0.5, event.deltaY * lines * 0.0015));
    if (this.hands.held) {
      this.hands.push(-0.25 * amount);
      return;
    }
    const { clientWidth, clientHeight } = this.viewer.canvas;
    this.viewer.orbit.zoom(Math.exp(amount), (2 * event.offsetX) / clientWidth - 1, 1 - (2 * event.offsetY) / clientHeight);
  }

  #hover() {
    if (!this.hands.mayGrab) return;
    this.viewer.canvas.classList.toggle("over", this.viewer.pick(this.at.x, this.at.y) !== null);
  }
}
