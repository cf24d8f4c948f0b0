// Keeps drawing fast where the graphics processor is a program: pictures that take long get fewer pixels, and once nothing
// moves the last one is drawn again with more, so that edges are smooth.
const SLOW = 1 / 22; // s between drawings, above which there are fewer pixels
const LEVELS = [1, 0.8, 0.65];
const REST = 0.35; // s without a new picture
const FINE = 2;

export class Quality {
  constructor(viewer) {
    this.viewer = viewer;
    this.level = 0;
    this.times = []; // when the last pictures were drawn, s
    this.slow = 0;
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
    } else if (!isMoving && !this.isFine && rest > REST) {
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
    if (!this.viewer.stage.isSoftware || !(step < REST)) return;
    this.slow = step > SLOW ? this.slow + 1 : Math.max(0, this.slow - 1);
    if (this.slow < 24 || this.level + 1 >= LEVELS.length) return;
    this.slow = 0;
    this.viewer.setQuality(LEVELS[++this.level]);
  }

  // Pictures a second over the last ones.
  rate() {
    const { times } = this;
    return times.length < 2 ? 0 : (times.length - 1) / (times[times.length - 1] - times[0]);
  }
}
