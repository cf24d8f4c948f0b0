// Keeps drawing fast where the graphics processor is a program: pictures that take long get fewer pixels, and once nothing
// moves the last one is drawn again with more, so that edges are smooth.
const SLOW = 1 / 22; // s between drawings, above which there are fewer pixels
const LEVELS = [1, 0.8, 0.65, 0.5];
const PATIENCE = 24; // pictures that are somewhat slow, or fewer that are slower
const REST = 0.35; // s without a new picture, or several times what one takes,
const LONGEST_REST = 1; // but no more than this: pictures that come one by one do not tell what one takes
const FINE = 2;

export class Quality {
  constructor(viewer, transport) {
    this.viewer = viewer;
    this.transport = transport;
    this.level = 0;
    this.times = []; // when the last pictures were drawn, s
    this.slow = this.quick = 0; // pictures of late
    this.isFine = false;
  }

  // Before a drawing that may be due.
  before() {
    const { viewer } = this;
    if (!viewer.stage.isSoftware) return;
    const isMoving = viewer.isOld || viewer.orbit.isOld;
    const rest = performance.now() / 1000 - (this.times[this.times.length - 1] ?? Infinity);
    if (isMoving && this.isFine) {
      this.isFine = false;
      viewer.setQuality(LEVELS[this.level]);
    } else if (!isMoving && !this.isFine && rest > Math.max(REST, Math.min(LONGEST_REST, 4 * this.#pace())) && this.transport.state !== "playing") {
      this.isFine = true;
      viewer.setQuality(FINE);
    }
  }

  // Drawings that follow each other at once tell how long one takes.
  after() {
    const now = performance.now() / 1000;
    const step = now - this.times[this.times.length - 1];
    if (!this.isFine || !(step > REST)) this.times.push(now);
    if (this.times.length > 120) this.times.shift();
    const isPlaying = this.transport.state === "playing"; // else a long time may just be rest
    if (!this.viewer.stage.isSoftware || !(step < (isPlaying ? 5 : REST))) return;
    this.slow = step > SLOW ? this.slow + Math.min(8, step / SLOW) : Math.max(0, this.slow - 1);
    this.quick = step < 0.4 * SLOW ? this.quick + 1 : 0;
    if (this.slow >= PATIENCE && this.level + 1 < LEVELS.length) this.#choose(this.level + 1);
    else if (this.quick >= 8 * PATIENCE && this.level > 0) this.#choose(this.level - 1);
  }

  // s from drawing to drawing where they follow each other at once; 0: none did.
  #pace() {
    const last = this.times.slice(-9);
    const steps = last.slice(1).map((time, i) => time - last[i]);
    return steps.length > 0 ? Math.min(...steps) : 0;
  }

  #choose(level) {
    this.level = level;
    this.slow = this.quick = 0;
    this.viewer.setQuality(LEVELS[level]);
  }

  // Pictures a second over the last ones.
  rate() {
    const { times } = this;
    return times.length < 2 ? 0 : (times.length - 1) / (times[times.length - 1] - times[0]);
  }
}
