// Keeps drawing fast on machines that draw in software: when pictures take long they get fewer pixels.
const SLOW = 1 / 22; // s between drawings, above which there is less
const LEVELS = [1, 0.8, 0.65];

export class Quality {
  constructor(viewer) {
    this.viewer = viewer;
    this.level = 0;
    this.times = []; // when the last pictures were drawn, s
    this.slow = 0;
  }

  begin() {
    this.started = performance.now() / 1000;
  }

  // Pictures that follow each other at once tell how long one takes.
  end() {
    const now = performance.now() / 1000;
    const before = this.times[this.times.length - 1];
    this.times.push(now);
    if (this.times.length > 120) this.times.shift();
    const step = now - before;
    if (!(step < 0.5)) return;
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
