#!/usr/bin/env python3
"""How fast the page draws and answers, in headless Chromium at 1280 x 720. Usage: bench.py COMMAND [NAME...].

Pictures a second are those that the page shows while the scene is simulated, or the run is played, for some seconds;
`cost` is the processor time of Chromium for each of them, all processes. Of a simulation, `real time` is how many simulated
seconds pass in one (1: in real time), `core` what part of a core the server takes for it, pictures and all. `latency` is the
time from a pointer event to the drawing that shows the held point moved. Figures depend on the load, which is told.
"""
import os
import re
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path[:0] = [os.path.dirname(os.path.abspath(__file__))]
from browser import Browser

THREAD = """cordage: 1
title: A thread of 100 elements with contact
simulation: {duration: 1 s, step: 2 ms}
materials: {cotton: {young_modulus: 5 MPa, density: 1200 kg/m^3}}
contact: {friction: 0.3}
rods:
  - {name: thread, material: cotton, section: {circle: {radius: 3 mm}}, elements: 100,
     centerline: {line: {from: [0, 0, 0.3 m], to: [1 m, 0, 0.3 m]}}}
supports: [{clamp: thread.start}]
obstacles: [{plane: {normal: [0, 0, 1], offset: 0}}]
"""
WARM, WATCHED = 2, 5  # s

STILL = THREAD.replace("step: 2 ms", "step: 2 ms, gravity: [0, 0, 0]").replace("duration: 1 s", "duration: 1000 s").replace(
    "thread.start}]", "thread.start}, {clamp: thread.end}]")
COIL = """cordage: 1
title: A coil of 2,000 elements
simulation: {duration: 0.3 s, step: 2 ms}
output: {every: 10 ms}
contact: off
materials: {steel: {young_modulus: 50 MPa, density: 2000 kg/m^3}}
rods:
  - {name: coil, material: steel, section: {circle: {radius: 2 mm}}, rest: initial, elements: 2000,
     centerline: {helix: {radius: 4 cm, pitch: 8 mm, turns: 60}}}
supports: [{clamp: coil.start}]
"""
# Notes when a pointer event came and when the drawing was done that shows the hand where it led.
WATCH = """(() => {
  const { viewer, source, hands } = cordage, gl = viewer.stage.renderer.getContext(), pixel = new Uint8Array(4);
  let sent = [];
  window.latencies = [];
  viewer.canvas.addEventListener("pointermove", event => {
    if (hands.held) sent.push({ start: event.timeStamp, point: hands.held.point.toArray() });
  });
  source.on("picture", picture => {
    const block = picture.blocks.get(7);
    if (!block) return;
    const shown = sent.findLastIndex(({ point }) => Math.hypot(...point.map((value, k) => value - block[5 + k])) < 1e-5);
    if (shown < 0) return;
    const { start } = sent[shown];
    sent = sent.slice(shown + 1);
    queueMicrotask(() => {
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
      latencies.push(performance.now() - start);
    });
  });
  const p = viewer.picture.positions;
  return viewer.project(viewer.orbit.target.clone().fromArray(p, 150));
})()"""


class Server:
    """`cordage view` on a port of its own."""

    def __init__(self, command, scene, *options):
        self.process = subprocess.Popen([command, "view", scene, "--no-browser", *options], stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, text=True)
        self.address = None
        for line in self.process.stdout:
            match = re.search(r"http://\S+", line)
            if match:
                self.address = match[0]
                break
        if self.address is None:
            raise AssertionError(f"cordage view {scene} did not start")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(20)
        self.process.stdout.close()


def processor_time(pids):
    """Seconds of these processes so far."""
    total = 0
    for pid in pids:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        total += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return total


def measure(browser, address, server=None):
    """Opens the page and watches it play."""
    browser.open(address)
    browser.wait("window.cordage && cordage.viewer.drawn > 0")
    first = browser.evaluate("cordage.viewer.firstDrawn")
    if server is None:  # a run: over and over
        browser.evaluate("setInterval(() => cordage.source.isPlaying || cordage.source.send({ type: 'play' }), 10)")
    time.sleep(WARM)
    pids = browser.processes()
    count, cost, start = browser.evaluate("cordage.viewer.drawn"), processor_time(pids), time.monotonic()
    simulated = processor_time([server.process.pid]) if server else 0
    moment = browser.evaluate("cordage.viewer.picture.time")
    time.sleep(WATCHED)
    passed, count = time.monotonic() - start, browser.evaluate("cordage.viewer.drawn") - count
    moment = browser.evaluate("cordage.viewer.picture.time") - moment
    cost = (processor_time(pids) - cost) / max(1, count)
    simulated = (processor_time([server.process.pid]) - simulated) / passed if server else 0
    pixels = browser.evaluate("`${cordage.viewer.canvas.width} x ${cordage.viewer.canvas.height}`")
    text = (f"first picture {first:5.0f} ms   {count / passed:5.1f} pictures/s at {pixels}   cost {1e3 * cost:5.1f} ms"
            f"   load {os.getloadavg()[0]:.1f}")
    return text + (f"   real time {moment / passed:.2f}, core {simulated:.2f}" if server else "")


def replay(command, browser, folder, name, scene):
    run, page = os.path.join(folder, name), os.path.join(folder, name + ".html")
    subprocess.run([command, "run", scene, "-o", run, "--quiet"], check=True)
    subprocess.run([command, "export", run, "--to", "html", "-o", page, "--quiet"], check=True)
    print(f"{name:24} {measure(browser, 'file://' + page)}   {os.path.getsize(page) / 1e6:.2f} MB", flush=True)


def live(command, browser, name, scene):
    with Server(command, scene) as server:
        told = measure(browser, server.address, server)
        late = browser.evaluate("document.getElementById('ratio').hidden ? '' : document.getElementById('ratio').textContent")
        print(f"{name:24} {told} {late}", flush=True)


def latency(command, browser, scene):
    with Server(command, scene) as server:
        browser.open(server.address)
        browser.wait("window.cordage && cordage.viewer.drawn > 0")
        time.sleep(1)
        at = browser.evaluate(WATCH)
        browser.mouse("mouseMoved", at["x"], at["y"])
        browser.mouse("mousePressed", at["x"], at["y"], button="left", buttons=1, clickCount=1)
        for k in range(40):
            browser.mouse("mouseMoved", at["x"] + 2 * (k % 20), at["y"] + k, button="left", buttons=1)
            time.sleep(0.15)
        times = sorted(browser.evaluate("latencies"))
        browser.mouse("mouseReleased", at["x"], at["y"], button="left", buttons=0, clickCount=1)
        print(f"{'latency':24} load {os.getloadavg()[0]:.1f}, pointer to picture: median {times[len(times) // 2]:.0f} ms, least {times[0]:.0f} ms, "
              f"most {times[-1]:.0f} ms of {len(times)}", flush=True)


def main():
    command, *names = sys.argv[1:]
    command = os.path.abspath(command)
    with tempfile.TemporaryDirectory() as folder, Browser(1280, 720, timeout=180) as browser:
        scenes = {}
        for name, text in (("thread_100", THREAD), ("still", STILL), ("coil_2000", COIL)):
            scenes[name] = os.path.join(folder, name + ".yaml")
            with open(scenes[name], "w", encoding="utf-8") as file:
                file.write(text)
        cases = {"thread_100": lambda n: live(command, browser, n, scenes[n]),
                 "latency": lambda n: latency(command, browser, scenes["still"]),
                 "live_shoelace": lambda n: live(command, browser, n, n),
                 "live_hair": lambda n: live(command, browser, n, n),
                 "live_tress": lambda n: live(command, browser, n, "hair_tress"),
                 "live_thread": lambda n: live(command, browser, n, n),
                 "hair_tress": lambda n: replay(command, browser, folder, n, n),
                 "coil_2000": lambda n: replay(command, browser, folder, n, scenes[n])}
        for name in names or cases:
            cases[name](name)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main()
