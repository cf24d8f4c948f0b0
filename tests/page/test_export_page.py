"""`cordage export --to html`: the page opens from disk without any network, draws, and obeys mouse and keys."""
import atexit
import json
import os
import shutil
import subprocess
import tempfile
import unittest

import browser
from command_case import COMMAND, TIMEOUT

SCENE = """cordage: 1
title: "A <script> of </script> cables & rings"
simulation: {duration: 0.5 s, step: 2 ms}
output: {every: 10 ms}
materials:
  rubber: {young_modulus: 1 MPa, poisson_ratio: 0.5, density: 1100 kg/m^3}
rods:
  - {name: cable, material: rubber, section: {circle: {radius: 12 mm}},
     centerline: {line: {from: [0, 0, 0.3 m], to: [1 m, 0, 0.3 m]}}, elements: 20}
  - {name: band, material: rubber, section: {rectangle: {width: 30 mm, height: 6 mm}}, rest: initial,
     centerline: {circle: {radius: 15 cm, center: [0.5, 0.4, 0.2]}}, elements: 24}
supports:
  - clamp: cable.start
obstacles:
  - {name: floor, plane: {normal: [0, 0, 1], offset: 0}}
  - {name: ball, sphere: {radius: 8 cm}, position: [0.5, 0, 0.1]}
probes:
  - {name: tip, position: cable.end}
"""

# No rods: two cubes of foam, one of which stands.
SOFT = """cordage: 1
title: Foam
simulation: {duration: 0.2 s, step: 1 ms}
output: {every: 20 ms}
solids:
  - &cube {name: falls, shape: {box: {size: [10 cm, 10 cm, 10 cm]}, resolution: 5 cm}, position: [0, 0, 50 cm], integrator: euler,
     material: {young_modulus: 100 kPa, poisson_ratio: 0.3, density: 500 kg/m^3, damping_time: 5 ms}}
  - {<<: *cube, name: stands, position: [30 cm, 0, 0], supports: [{plane: {point: [0, 0, 0], normal: [0, 0, -1]}}]}
"""

# Numbers of the canvas itself: the share of pixels that differ from the background at the left edge of their row.
INK = """(() => {
  const { viewer } = cordage;
  viewer.isOld = true;
  viewer.draw();
  const canvas = document.createElement("canvas");
  canvas.width = viewer.canvas.width;
  canvas.height = viewer.canvas.height;
  const context = canvas.getContext("2d");
  context.drawImage(viewer.canvas, 0, 0);
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  let ink = 0, color = 0, sum = 0;
  for (let y = 0; y < canvas.height; y++) for (let x = 0; x < canvas.width; x++) {
    const at = 4 * (y * canvas.width + x), edge = 4 * y * canvas.width;
    const difference = Math.abs(data[at] - data[edge]) + Math.abs(data[at + 1] - data[edge + 1]) + Math.abs(data[at + 2] - data[edge + 2]);
    if (difference > 60) { ink++; sum += x; }
    if (Math.max(data[at], data[at + 1], data[at + 2]) - Math.min(data[at], data[at + 1], data[at + 2]) > 60) color++;
  }
  return { ink, color, middle: sum / ink, pixels: canvas.width * canvas.height };
})()"""

shared = {}


def set_up():
    if shared:
        return
    shared["directory"] = tempfile.mkdtemp(prefix="cordage-page-")
    atexit.register(shutil.rmtree, shared["directory"], True)
    scene, run, page = (os.path.join(shared["directory"], name) for name in ("scene.yaml", "run", "page.html"))
    with open(scene, "w", encoding="utf-8") as file:
        file.write(SCENE)
    for arguments in (["run", scene, "-o", run, "--quiet"], ["export", run, "--to", "html", "-o", page, "--quiet"]):
        subprocess.run([COMMAND, *arguments], check=True, timeout=TIMEOUT)
    shared["page"] = page


class PageCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        set_up()
        cls.browser = browser.shared()
        cls.browser.block_network()
        cls.addClassCleanup(cls.browser.block_network, False)

    def open(self):
        """The page as it is at first, loaded once: that takes longest."""
        if "is_open" not in shared:
            self.browser.open("file://" + shared["page"])
            self.browser.wait("window.cordage && cordage.viewer.drawn > 0")
            shared["is_open"] = True
        self.browser.evaluate("cordage.source.send({type: 'reset'}), cordage.viewer.resetView(), "
                              "document.getElementById('field').value = '', document.getElementById('field').onchange()")
        self.browser.wait("cordage.viewer.picture.time === 0")

    def tearDown(self):
        self.assertEqual(self.browser.complaints(), [])

    def time(self):
        return self.browser.evaluate("cordage.viewer.picture.time")

    def seek(self, time):
        self.browser.evaluate(f"cordage.source.send({{type: 'seek', time: {time}}})")
        self.browser.wait(f"Math.abs(cordage.viewer.picture.time - {time}) < 1e-9")

    def test_opens_without_network_and_draws(self):
        self.open()
        ink = self.browser.evaluate(INK)
        self.assertGreater(ink["ink"], 0.005 * ink["pixels"])
        self.assertLess(ink["ink"], 0.6 * ink["pixels"])
        self.assertGreater(ink["color"], 300)  # rods are not grey
        self.assertEqual([u for u in self.browser.requests() if not u.startswith(("file:", "data:", "blob:"))], [])
        self.assertEqual(self.browser.evaluate("document.getElementById('title').textContent"),
                         "A <script> of </script> cables & rings")

    def test_numbers_are_those_of_the_run(self):
        csv = os.path.join(shared["directory"], "table")
        subprocess.run([COMMAND, "export", os.path.join(shared["directory"], "run"), "--to", "csv", "-o", csv, "--quiet"],
                       check=True, timeout=TIMEOUT)
        with open(csv + "_nodes.csv", encoding="utf-8") as file:
            rows = [line.split(",") for line in file][1:]
        self.open()
        for output in (0, 17, 50):
            self.seek(output * 0.01)
            shown = self.browser.evaluate("Array.from(cordage.viewer.picture.positions)")
            true = [float(x) for row in rows if int(row[1]) == output for x in row[4:7]]
            self.assertEqual(len(shown), len(true))
            self.assertLess(max(abs(a - b) for a, b in zip(shown, true)), 2e-5)  # a step of 16 bits over 1 m
        # between two outputs: their mean
        ends = [[float(x) for row in rows if int(row[1]) == output for x in row[4:7]] for output in (10, 11)]
        self.seek(0.105)
        shown = self.browser.evaluate("Array.from(cordage.viewer.picture.positions)")
        self.assertLess(max(abs(s - (a + b) / 2) for s, a, b in zip(shown, *ends)), 4e-5)

    def test_time_line_and_playing(self):
        self.open()
        self.assertEqual(self.time(), 0)
        box = self.browser.evaluate("(b => ({x: b.x, y: b.y, width: b.width, height: b.height}))"
                                    "(document.getElementById('time').getBoundingClientRect())")
        middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        before = self.browser.evaluate("cordage.viewer.drawn")
        self.browser.drag([(box["x"] + 8, middle[1]), middle])
        self.browser.wait(f"cordage.viewer.picture.time > 0.2 && cordage.viewer.drawn > {before}")
        self.assertLess(self.time(), 0.3)
        self.browser.evaluate("document.getElementById('view').focus()")
        self.browser.key("Home")
        self.browser.wait("cordage.viewer.picture.time === 0")
        self.browser.key(" ")
        self.browser.wait("cordage.viewer.picture.time > 0.05")
        self.browser.wait("cordage.transport.state === 'finished' && cordage.viewer.picture.time === 0.5")

    def test_keys(self):
        self.open()
        self.browser.evaluate("document.getElementById('view').focus()")
        self.browser.key("End")
        self.browser.wait("cordage.viewer.picture.time === 0.5")
        self.browser.key(",")
        self.browser.wait("Math.abs(cordage.viewer.picture.time - 0.49) < 1e-9")
        turn = self.browser.evaluate("cordage.viewer.orbit.turn")
        self.browser.key("ArrowLeft")
        self.assertNotEqual(self.browser.evaluate("cordage.viewer.orbit.turn"), turn)
        distance = self.browser.evaluate("cordage.viewer.orbit.distance")
        self.browser.key("+")
        self.assertLess(self.browser.evaluate("cordage.viewer.orbit.distance"), distance)
        self.browser.key("f")
        self.browser.evaluate("document.getElementById('field').value = ''")
        self.browser.key("c")
        self.browser.wait("!document.getElementById('legend').hidden")
        self.assertEqual(self.browser.evaluate("document.getElementById('field').value"), "tension")
        for theme in ("dark", "light"):
            self.browser.key("t")
            self.assertEqual(self.browser.evaluate("document.documentElement.dataset.theme"), theme)
        self.browser.key("?")
        self.assertTrue(self.browser.evaluate("document.getElementById('keys').open"))
        self.browser.key(" ")  # on "Close"
        self.browser.wait("!document.getElementById('keys').open")
        # everything that can be clicked can be reached with the tabulator and has a name
        nameless = self.browser.evaluate(
            "[...document.querySelectorAll('button, select, input, textarea')].filter(e => e.offsetParent && e.tabIndex < 0"
            " || !(e.getAttribute('aria-label') || e.textContent.trim() || e.closest('label'))).map(e => e.id)")
        self.assertEqual(nameless, [])

    def test_mouse_turns_and_zooms(self):
        self.open()
        turn = self.browser.evaluate("cordage.viewer.orbit.turn")
        self.browser.drag([(200, 500), (260, 500), (320, 480)])
        self.assertNotEqual(self.browser.evaluate("cordage.viewer.orbit.turn"), turn)
        distance = self.browser.evaluate("cordage.viewer.orbit.distance")
        self.browser.mouse("mouseWheel", 300, 300, deltaX=0, deltaY=-200)
        self.browser.wait(f"cordage.viewer.orbit.distance < {distance}")

    def test_narrow_windows(self):
        self.open()
        self.browser.resize(360, 640, is_touch=True)
        self.addCleanup(self.browser.resize, 900, 600)
        for is_open in ("false", "true"):
            self.browser.evaluate(f"document.getElementById('open-panel').getAttribute('aria-expanded') === '{is_open}'"
                                  " || document.getElementById('open-panel').click()")
            self.assertEqual(self.browser.evaluate("document.documentElement.scrollWidth"), 360)
            outside = self.browser.evaluate(
                "[...document.querySelectorAll('button, select, input')].filter(e => e.offsetParent).filter(e => {"
                " const b = e.getBoundingClientRect(); return b.left < 0 || b.right > 360; }).map(e => e.id)")
            self.assertEqual(outside, [])
        # by keyboard: what has the focus is not below the bar
        self.browser.evaluate("document.getElementById('field').focus()")
        for _ in range(12):
            self.browser.key("Tab")
            hidden = self.browser.evaluate(
                "(() => { const e = document.activeElement, top = document.getElementById('bottom').getBoundingClientRect().top;"
                " return e.closest('#panel') && e.getBoundingClientRect().bottom > top ? e.outerHTML : '' })()")
            self.assertEqual(hidden, "")
        self.assertGreater(self.browser.evaluate(INK)["ink"], 1000)

    def test_every_field_colors(self):
        self.open()
        self.seek(0.3)
        fields = self.browser.evaluate("[...document.getElementById('field').options].map(o => o.value)")
        self.assertEqual(fields[0], "")
        self.assertEqual(set(fields[1:]), {"tension", "curvature", "twist", "moment", "torque", "force", "stretch",
                                           "speed", "contact"})
        for field in fields[1:]:
            self.browser.evaluate(f"document.getElementById('field').value = {json.dumps(field)};"
                                  "document.getElementById('field').onchange()")
            self.browser.wait("cordage.viewer.picture.blocks.has(3) && cordage.viewer.range")
            # both of one picture: the next may come in between
            (low, high), values = self.browser.evaluate(
                "[cordage.viewer.range, Array.from(cordage.viewer.picture.blocks.get(3)).filter(v => !isNaN(v))]")
            self.assertGreater(len(values), 40)
            slack = 1e-4 * (high - low)
            inside = [value for value in values if low - slack <= value <= high + slack]
            self.assertTrue(low <= high and len(inside) >= 0.8 * len(values), field)

    def test_marks(self):
        self.open()
        self.seek(0.5)
        for name in ("contacts", "nodes", "frames"):
            self.addCleanup(self.browser.evaluate, f"document.getElementById('show-{name}').click()")
            self.browser.evaluate(f"document.getElementById('show-{name}').click()")
        self.browser.wait("cordage.viewer.marks.arrows && cordage.viewer.marks.arrows.count > 0")
        self.assertTrue(self.browser.evaluate("cordage.viewer.marks.nodes.visible && cordage.viewer.marks.frames.visible"))
        self.assertGreater(self.browser.evaluate(INK)["ink"], 1000)


class SoftPage(unittest.TestCase):
    def test_deformable_solids(self):
        set_up()
        scene, run, page = (os.path.join(shared["directory"], name) for name in ("soft.yaml", "soft", "soft.html"))
        with open(scene, "w", encoding="utf-8") as file:
            file.write(SOFT)
        for arguments in (["run", scene, "-o", run, "--quiet"], ["export", run, "--to", "html", "-o", page, "--quiet"]):
            subprocess.run([COMMAND, *arguments], check=True, timeout=TIMEOUT)
        shared.pop("is_open", None)
        window = browser.shared()
        window.open("file://" + page)
        window.wait("window.cordage && cordage.viewer.drawn > 0")
        middles = """cordage.viewer.solids.soft.map(({ mesh }) => {
          const p = mesh.geometry.getAttribute("position").array;
          let sum = 0;
          for (let i = 2; i < p.length; i += 3) sum += p[i];
          return 3 * sum / p.length;
        })"""
        first = window.evaluate(middles)
        self.assertAlmostEqual(first[0], 0.5, delta=1e-4)
        self.assertAlmostEqual(first[1], 0, delta=1e-4)
        self.assertGreater(window.evaluate(INK)["color"], 1000)
        window.evaluate("cordage.source.send({ type: 'seek', time: 0.2 })")
        window.wait("cordage.viewer.picture.time > 0.199")
        fallen, stood = window.evaluate(middles)
        self.assertAlmostEqual(first[0] - fallen, 0.5 * 9.81 * 0.2**2, delta=2e-3)
        self.assertLess(abs(stood), 0.01)
        bounds = window.evaluate("cordage.viewer.world.bounds")
        self.assertAlmostEqual(bounds["max"][2], 0.55, delta=1e-3)
        self.assertEqual(window.complaints(), [])
