"""The page of `cordage view`: pictures arrive, a rod follows the pointer, pins stay, an overhand knot can be tied."""
import struct
import unittest

import browser
from bench import Server
from command_case import COMMAND, CommandCase

THREAD = """cordage: 1
title: A thread between two clamps
simulation: {duration: 1000 s, step: 4 ms}
materials: {cotton: {young_modulus: 2 MPa, density: 1200 kg/m^3}}
contact: off
rods:
  - {name: thread, material: cotton, section: {circle: {radius: 6 mm}}, elements: 30,
     centerline: {line: {from: [0, 0, 0.8 m], to: [1 m, 0, 0.8 m]}}}
supports: [{clamp: thread.start}, {clamp: thread.end}]
probes: [{name: middle, position: thread.middle}]
"""

# Where a node of the first rod is on the screen.
PIXEL = """(node => {
  const { viewer } = cordage, p = viewer.picture.positions, at = viewer.orbit.target.clone();
  return viewer.project(at.fromArray(p, 3 * node));
})(%d)"""


class LiveCase(CommandCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = browser.shared()

    def view(self, scene, *options):
        """A scene's text, or the name of an example."""
        if "\n" in scene:
            self.write("scene.yaml", scene)
            scene = self.path("scene.yaml")
        server = Server(COMMAND, scene, *options)
        self.addCleanup(server.__exit__)
        self.browser.open(server.address)
        self.browser.wait("window.cordage && cordage.viewer.drawn > 0 && cordage.viewer.picture")

    def pixel(self, node):
        place = self.browser.evaluate(PIXEL % node)
        return place["x"], place["y"]

    def node(self, node):
        return self.browser.evaluate(f"Array.from(cordage.viewer.picture.positions.slice({3 * node}, {3 * node + 3}))")

    def press(self, x, y):
        self.browser.mouse("mouseMoved", x, y)
        self.browser.mouse("mousePressed", x, y, button="left", buttons=1, clickCount=1)

    def pull(self, x, y):
        self.browser.mouse("mouseMoved", x, y, button="left", buttons=1)

    def let_go(self, x, y):
        self.browser.mouse("mouseReleased", x, y, button="left", buttons=0, clickCount=1)


ROPE = """cordage: 1
title: A rope to tie
simulation: {duration: 1000 s, step: 4 ms, gravity: [0, 0, 0], model: pobd}
contact: {friction: 0.1}
materials: {rope: {young_modulus: 0.4 MPa, density: 1100 kg/m^3, damping: 10 ms}}
rods:
  - {name: rope, material: rope, section: {circle: {radius: 6 mm}}, elements: 40,
     centerline: {line: {from: [0, 0, 0], to: [1.2 m, 0, 0]}}}
supports: [{clamp: rope.start}]
loads: [{drag: 8 1/s}]
probes: [{name: knot, knot: rope}]
"""
# Where the pointer leads the rope's end, m: over its own standing part, behind it, and through the loop.
WAY = [(1.0, 0, 0.35), (0.6, 0, 0.42), (0.38, -0.09, 0.25), (0.30, -0.09, 0.0), (0.34, -0.06, -0.10), (0.43, 0.08, -0.08),
       (0.46, 0.10, 0.02), (0.47, 0.09, 0.075), (0.47, -0.06, 0.08), (0.46, -0.18, 0.08), (0.55, -0.35, 0.0), (0.7, -0.4, -0.1)]
# Pixels, and how far away from the viewer, of a place against the held point.
AIM = """((x, y, z) => {
  const { viewer, hands } = cordage, wanted = viewer.orbit.target.clone().set(x, y, z);
  const depth = wanted.clone().sub(hands.held.point).dot(hands.held.plane.normal);
  const at = viewer.project(wanted);
  return [at.x, at.y, depth / viewer.orbit.distance];
})(%r, %r, %r)"""
WHEEL = 0.25 * 0.0015  # of the distance for each unit of the wheel


class Knot(LiveCase):
    def step(self):
        """Ten steps by the key, until their picture is there."""
        before = self.browser.evaluate("cordage.viewer.picture.time")
        self.browser.key(">")
        self.browser.wait(f"cordage.viewer.picture.time > {before} + 0.039")

    def tie(self):
        """Leads the end along WAY; returns the rope's nodes after it."""
        self.browser.resize(520, 400)
        self.addCleanup(self.browser.resize, 900, 600)
        self.view(ROPE, "--paused")
        x, y = self.pixel(40)
        self.press(x, y)
        self.step()
        self.browser.wait("cordage.hands.hands.size === 1")
        place = (1.2, 0, 0)
        for wanted in WAY:
            parts = max(2, round(8 * sum((a - b) ** 2 for a, b in zip(place, wanted)) ** 0.5 / 0.25))
            for k in range(1, parts + 1):
                at = [a + (b - a) * k / parts for a, b in zip(place, wanted)]
                x, y, depth = self.browser.evaluate(AIM % tuple(at))
                if abs(depth) > 1e-4:
                    self.browser.mouse("mouseWheel", x, y, deltaX=0, deltaY=depth / WHEEL)
                self.pull(x, y)
                self.step()
            place = wanted
        self.let_go(x, y)
        return self.browser.evaluate("Array.from(cordage.viewer.picture.positions)")

    def test_an_overhand_knot_is_tied(self):
        nodes = self.tie()
        self.browser.wait("cordage.charts.charts[0].values.at(-1) === 3")
        self.assertEqual(self.browser.complaints(), [])
        # what the hand did, saved as a scene, runs again to the same bits
        time = self.browser.evaluate("cordage.viewer.picture.time")
        self.browser.evaluate("document.getElementById('record').click()")
        self.browser.wait("document.getElementById('saved').textContent.includes('hands')")
        self.run_command("run", self.path("scene-hands-1.yaml"), "-o", self.path("run"), "--set",
                         f"simulation.duration={time!r}", "--set", f"output.every={time!r}", "--quiet")
        self.run_command("export", self.path("run"), "-o", self.path("table.csv"), "--quiet")
        rows = [line.split(",") for line in self.read("table_nodes.csv").splitlines()[1:]]
        again = [float(x) for row in rows if row[1] == rows[-1][1] for x in row[4:7]]
        self.assertEqual(struct.pack("123f", *again), struct.pack("123f", *nodes))
        self.assertEqual(float(self.read("run", "probes.csv").splitlines()[-1].split(",")[1]), 3)


class Live(LiveCase):
    def test_pictures_arrive_and_time_obeys(self):
        self.view(THREAD)
        self.browser.wait("cordage.viewer.picture.time > 0.02")
        self.assertEqual(self.browser.evaluate("document.getElementById('title').textContent"),
                         "A thread between two clamps")
        self.pause()
        before = self.browser.evaluate("cordage.viewer.picture.time")
        self.browser.key(".")
        self.browser.wait(f"cordage.viewer.picture.time > {before}")
        self.assertAlmostEqual(self.browser.evaluate("cordage.viewer.picture.time"), before + 0.004, places=9)
        self.browser.evaluate("document.getElementById('field').value = 'tension',"
                              "document.getElementById('field').onchange()")
        self.browser.key(".")
        self.browser.wait("cordage.viewer.picture.blocks.get(3)?.length === 31")
        self.browser.wait("!document.getElementById('legend').hidden")
        self.browser.wait("document.querySelectorAll('.chart').length === 3")
        self.browser.key("Home")
        self.browser.wait("cordage.viewer.picture.time === 0")
        self.assertEqual(self.browser.complaints(), [])

    def pause(self):
        """The thread stands still, and the page shows where, whatever the machine's speed."""
        self.browser.evaluate("document.getElementById('view').focus()")
        self.browser.wait("cordage.transport.state === 'playing'")
        self.browser.key(" ")
        self.browser.wait("cordage.transport.state === 'paused'")
        self.browser.wait("cordage.viewer.picture.time === cordage.transport.told")

    def take(self, node):
        """Takes a node of a thread that stands still, and lets it go on."""
        x, y = self.pixel(node)
        self.press(x, y)
        self.browser.key(" ")
        return x, y

    def test_a_rod_follows_the_pointer(self):
        self.view(THREAD)
        self.pause()
        start = self.node(15)  # the thread swings: only what stands still can be compared with
        x, y = self.take(15)
        for k in range(1, 9):
            self.pull(x, y - 10 * k)
        self.browser.wait("cordage.hands.hands.size === 1")
        self.browser.wait(f"cordage.viewer.picture.positions[47] > {start[2] + 0.04}")
        self.assertIn("N", self.browser.evaluate("document.querySelector('#labels span').textContent"))
        # pinned, it stays where it is when the pointer lets go, and a second hand pulls elsewhere
        self.browser.key("p")
        self.browser.wait("[...cordage.hands.hands.values()][0].isPinned")
        self.let_go(x, y - 80)
        self.pause()
        x2, y2 = self.take(8)
        self.pull(x2, y2 - 30)
        self.browser.wait("cordage.hands.hands.size === 2")
        self.let_go(x2, y2 - 30)
        self.browser.wait("cordage.hands.hands.size === 1")
        self.assertGreater(self.node(15)[2], start[2] + 0.03)
        # a pinned point can be taken again and moved on
        target = self.browser.evaluate("cordage.viewer.project([...cordage.hands.hands.values()][0].target)")
        self.press(target["x"], target["y"])
        self.assertEqual(self.browser.evaluate("cordage.hands.held.id"),
                         self.browser.evaluate("[...cordage.hands.hands.keys()][0]"))
        self.pull(target["x"], target["y"] + 120)
        self.browser.wait(f"cordage.viewer.picture.positions[47] < {start[2]}")
        self.let_go(target["x"], target["y"] + 120)
        self.browser.key("Escape")
        self.browser.wait("cordage.hands.hands.size === 0")
        self.assertEqual(self.browser.complaints(), [])

    def test_hands_need_no_picture_in_between(self):
        """A page that draws slowly knows what it took and let go before it sees it."""
        self.view(THREAD)
        self.pause()
        points = [self.pixel(node) for node in (6, 15, 24)]
        self.browser.evaluate("cordage.tick = cordage.source.tick, cordage.source.tick = () => {}")  # no pictures
        for x, y in points[:2]:
            self.press(x, y)
            self.pull(x, y - 5)
            self.browser.key("p")
            self.let_go(x, y - 5)
        for _ in range(2):  # let go and taken again
            self.press(*points[2])
            self.let_go(*points[2])
        self.press(*points[2])
        self.browser.evaluate("cordage.source.tick = cordage.tick")
        self.browser.wait("cordage.hands.hands.size === 3")
        self.assertEqual(self.browser.evaluate("[...cordage.hands.hands.values()].map(hand => hand.isPinned)"),
                         [True, True, False])
        self.pull(points[2][0], points[2][1] - 30)
        self.browser.key("z", modifiers=2)  # undo lets go of all, and the page knows
        self.browser.wait("cordage.hands.hands.size === 0 && cordage.hands.held === null")
        self.pull(points[2][0], points[2][1] - 40)
        self.let_go(*points[2])
        self.assertTrue(self.browser.evaluate("document.getElementById('message').hidden"))
        self.assertEqual(self.browser.complaints(), [])

    def test_a_rod_is_cut(self):
        """By the key and with scissors, undone, saved, and run again to the same bits."""
        self.view(THREAD, "--paused")
        self.browser.evaluate("document.getElementById('view').focus()")
        step = "cordage.source.send({type: 'step', count: %d})"
        self.browser.evaluate(step % 5)
        self.browser.wait("cordage.viewer.picture.time > 0.019")
        self.browser.mouse("mouseMoved", *self.pixel(15))
        self.browser.key("x")
        self.browser.wait("cordage.viewer.world.rods.length === 2 && cordage.viewer.picture")
        self.assertEqual(self.browser.evaluate("cordage.viewer.world.rods[1].name"), "thread.2")
        self.assertEqual(self.browser.evaluate("document.getElementById('subtitle').textContent"), "2 rods, 30 elements")
        self.assertEqual(self.node(15), self.node(16))  # the two ends
        self.browser.evaluate(step % 50)
        self.browser.wait("cordage.viewer.picture.time > 0.219")
        ends = self.node(15), self.node(16)
        self.assertGreater(ends[1][0] - ends[0][0], 0.01)
        self.browser.key("z", modifiers=2)  # before the cut
        self.browser.wait("cordage.viewer.world.rods.length === 1 && cordage.viewer.picture?.time < 0.03")
        self.browser.evaluate("document.getElementById('scissors').click()")
        x, y = self.pixel(10)
        self.press(x, y)
        self.let_go(x, y)
        self.browser.wait("cordage.viewer.world.rods.length === 2 && cordage.viewer.picture")
        self.assertEqual(self.browser.evaluate("cordage.viewer.world.rods[0].node_count"), 11)
        self.browser.key("Escape")
        self.assertFalse(self.browser.evaluate("cordage.hands.isCutting"))
        self.browser.evaluate(step % 45)
        self.browser.wait("cordage.viewer.picture.time > 0.199")
        nodes = self.browser.evaluate("Array.from(cordage.viewer.picture.positions)")
        self.browser.evaluate("document.getElementById('record').click()")
        self.browser.wait("document.getElementById('saved').textContent.includes('hands')")
        self.assertIn("cut: 'thread.node(10)'", self.read("scene-hands-1.yaml"))
        self.run_command("run", self.path("scene-hands-1.yaml"), "-o", self.path("run"), "--set",
                         "simulation.duration=0.2", "--set", "output.every=0.2", "--quiet")
        self.run_command("export", self.path("run"), "-o", self.path("table.csv"), "--quiet")
        rows = [line.split(",") for line in self.read("table_nodes.csv").splitlines()[1:]]
        again = [float(x) for row in rows if row[1] == rows[-1][1] for x in row[4:7]]
        self.assertEqual(struct.pack("96f", *again), struct.pack("96f", *nodes))
        self.assertEqual(self.browser.complaints(), [])

    def test_a_support_is_led(self):
        self.view(THREAD, "--paused")
        x, y = self.pixel(0)
        self.press(x, y)
        self.browser.wait("cordage.hands.hands.size === 1")
        self.assertEqual(self.browser.evaluate("[...cordage.hands.hands.values()][0].kind"), 3)
        self.pull(x, y - 40)
        self.browser.evaluate("cordage.source.send({type: 'step', count: 60})")
        self.browser.wait("cordage.viewer.picture.time > 0.239")
        self.assertGreater(self.node(0)[2], 0.85)
        self.let_go(x, y - 40)
        self.browser.wait("cordage.hands.hands.size === 0")
        self.assertEqual(self.browser.complaints(), [])

    def test_a_soft_figure_is_lifted(self):
        self.view("live_figure", "--paused")
        top = "(s => { let h = -1; for (let i = 2; i < s.length; i += 3) h = Math.max(h, s[i]); return h; })" \
              "(cordage.viewer.picture.blocks.get(8))"
        start = self.browser.evaluate(top)
        place = self.browser.evaluate("cordage.viewer.project(cordage.viewer.orbit.target.clone().set(0, 0, 0.13))")
        self.press(place["x"], place["y"])
        self.browser.wait("cordage.hands.hands.size === 1")
        self.assertEqual(self.browser.evaluate("[...cordage.hands.hands.values()][0].kind"), 4)
        self.pull(place["x"], place["y"] - 60)
        self.browser.evaluate("cordage.source.send({type: 'step', count: 60})")
        self.browser.wait("cordage.viewer.picture.time > 0.29")
        self.assertGreater(self.browser.evaluate(top), start + 0.02)
        self.let_go(place["x"], place["y"] - 60)
        self.browser.wait("cordage.hands.hands.size === 0")
        self.assertEqual(self.browser.complaints(), [])

    def test_a_scene_is_edited(self):
        self.view(THREAD)
        self.browser.wait("document.getElementById('text').value.startsWith('cordage: 1')")
        edit = "(t => { t.value = t.value.replace(%r, %r); document.getElementById('apply').click(); })" \
               "(document.getElementById('text'))"
        self.browser.evaluate(edit % ("elements: 30", "elements: thirty"))
        self.browser.wait("document.querySelectorAll('#errors li').length > 0")
        self.assertIn("Line 7", self.browser.evaluate("document.getElementById('errors').textContent"))
        self.assertEqual(self.browser.evaluate("document.querySelector('#lines .bad').textContent.trim()"), "7")
        self.browser.evaluate(edit % ("elements: thirty", "elements: 12"))
        self.browser.wait("cordage.viewer.world.rods[0].element_count === 12 && cordage.viewer.picture")
        self.browser.wait("document.querySelectorAll('#errors li').length === 0")
        self.assertEqual(self.browser.complaints(), [])

    def test_sliders_change_the_scene(self):
        self.view(THREAD + "controls: [{path: rods.thread.elements, label: elements, min: 5, max: 45, value: 30}]\n", "--paused")
        self.browser.wait("document.querySelectorAll('#control-list input').length === 1")
        self.assertIn("elements", self.browser.evaluate("document.getElementById('control-list').textContent"))
        self.browser.evaluate("(i => { i.value = 0.25; i.oninput(); i.onchange(); })"
                              "(document.querySelector('#control-list input'))")
        self.browser.wait("cordage.viewer.world.rods[0].element_count === 15 && cordage.viewer.picture")
        self.assertEqual(self.browser.complaints(), [])

    def test_a_title_keeps_its_words_whole_in_a_narrow_window(self):
        self.browser.resize(360, 640)
        self.addCleanup(self.browser.resize, 900, 600)
        self.view(THREAD, "--paused")
        self.browser.evaluate("(b => { b.hidden = false; b.textContent = 'slow motion 0.24 ×'; })(document.getElementById('ratio'))")
        self.assertLess(self.browser.evaluate("document.getElementById('name').offsetHeight"), 80)  # two lines and the subtitle
        box = self.browser.evaluate("(r => [r.left, r.right])(document.querySelector('.tools').getBoundingClientRect())")
        self.assertTrue(box[0] >= 0 and box[1] <= 360, box)

    def test_a_reload_lets_go(self):
        self.view(THREAD)
        self.pause()
        x, y = self.take(15)
        self.pull(x, y - 40)
        self.browser.wait("cordage.hands.hands.size === 1")
        self.browser.send("Page.reload")
        self.browser.wait("window.cordage && cordage.viewer.picture && cordage.hands.hands.size === 0")
        self.let_go(x, y)

    def test_two_runs_stand_side_by_side(self):
        self.write("scene.yaml", THREAD)
        self.run_command("run", self.path("scene.yaml"), "-o", self.path("run"), "--set", "simulation.duration=0.02",
                         "--set", "output.every=0.01", "--quiet")
        self.view(self.path("run"), self.path("run"))
        self.browser.wait("!document.getElementById('runs').hidden && cordage.viewer.world.rods.length === 2")
        offset = "cordage.viewer.tubes.uniforms.runOffset.value.length()"
        self.assertEqual(self.browser.evaluate(offset), 0)
        self.browser.evaluate("document.querySelector('[name=runs][value=side]').click()")
        self.assertGreater(self.browser.evaluate(offset), 1.0)  # as long as the thread: they do not overlap
        color = self.browser.evaluate("cordage.viewer.world.rods[0].color")
        self.assertRegex(color, "^#[0-9a-f]{6}$")
        self.assertEqual(self.browser.complaints(), [])

    def test_lost_connections_are_told(self):
        self.write("scene.yaml", THREAD)
        with Server(COMMAND, self.path("scene.yaml")) as server:
            self.browser.open(server.address)
            self.browser.wait("window.cordage && cordage.viewer.picture")
        self.browser.wait("!document.getElementById('message').hidden")


if __name__ == "__main__":
    unittest.main()
