"""import cordage: worlds by keywords and from scenes, views, control, statics, threads, runs; with and without NumPy."""
import ast
import contextlib
import copy
import gc
import io
import os
import pickle
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import unittest
import unittest.mock
import xml.dom.minidom

import cordage

try:
    import numpy
except ImportError:
    numpy = None

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MODELS = ("pobd", "der", "galpha", "corde", "reference")


def small_world(model="der", elements=8, step="1 ms", **keywords):
    world = cordage.World(step=step, model=model, threads=1, **keywords)
    rod = world.add_rod("cable", line=((0, 0, 0), (1, 0, 0)), radius="5 mm", young_modulus="1 MPa", density=1100,
                        elements=elements)
    return world, rod


def rows(array):
    return array.tolist()


class Building(unittest.TestCase):
    def test_keywords_and_scene_give_the_same_bits(self):
        scene = """
cordage: 1
contact: off
simulation: {duration: 1, step: 1 ms, model: der}
rods:
  - {name: cable, elements: 8, material: {young_modulus: 1 MPa, density: 1100}, section: {circle: {radius: 5 mm}},
     centerline: {line: {to: [1, 0, 0]}}}
supports: [{clamp: cable.start}]
loads: [{force: [0, 1 mN, 0], at: cable.end}]
probes: [{name: tip, position: cable.end}]
"""
        built = cordage.Scene(text=scene).build(threads=1)
        world, rod = small_world()
        rod.clamp("start")
        rod.force("end", (0, "1 mN", 0))
        built.step(50)
        world.step(50)
        self.assertEqual(rows(rod.positions), rows(built.rod("cable").positions))
        self.assertEqual(list(built.probes()["tip"]), rows(rod.positions)[-1])
        self.assertEqual(list(world.measure("position", rod.at("end"))), rows(rod.positions)[-1])

    def test_load_reads_a_file_with_changes(self):
        world = cordage.load(os.path.join(ROOT, "examples", "cantilever.yaml"), set={"simulation.gravity": [0, 0, -1]})
        self.assertTrue(world.rods)
        with self.assertRaises(cordage.FileError) as told:
            cordage.load("nowhere.yaml")
        self.assertIn("nowhere.yaml", str(told.exception))

    def test_mistakes_are_exceptions_with_the_library_s_sentences(self):
        world, rod = small_world()
        cases = [
            (lambda: world.add_rod(line=((0, 0, 0), (1, 0, 0)), radius="2 MPa", young_modulus=1e6, density=1),
             "radius is a length; '2 MPa' is a pressure"),
            (lambda: world.add_rod(line=((0, 0, 0), (1, 0, 0)), radius=1e-3, young_modulus=1e6, density=1, elments=3),
             "did you mean 'elements'"),
            (lambda: rod.clamp("strat"), "did you mean 'cable.start'"),
            (lambda: world.add_load(force=(0, 0, 1), at="cabel.end"), "did you mean 'cable'"),
            (lambda: world.add_rod("cable", line=((0, 0, 0), (1, 0, 0)), radius=1e-3, young_modulus=1e6, density=1),
             "cable"),
            (lambda: cordage.quantity("2 kg", "m"), "is a mass"),
            (lambda: cordage.World(gravity=(0, 0)), "three numbers"),
            (lambda: cordage.World(model="galpa"), "did you mean 'galpha'"),
            (lambda: cordage.World(model="foo"), "foo"),
            (lambda: rod.slide("end", (0, 0, 1)), "galpha"),
        ]
        for call, part in cases:
            with self.assertRaises((cordage.Error, ValueError)) as told:
                call()
            self.assertIn(part, str(told.exception))
        self.assertEqual(list(world.rods), ["cable"])

    def test_mistakes_of_types_are_told(self):
        world, rod = small_world()
        load, clamp = rod.force("end", (0, 0, -1)), rod.clamp("start")
        cases = [
            (lambda: rod.set_forces(5), TypeError, "forces: expected an array or a list of 9 rows, not 5"),
            (lambda: rod.set_forces("none"), TypeError, "not 'none'"),
            (lambda: rod.set_state(positions=1.5), TypeError, "positions: expected an array"),
            (lambda: setattr(rod, "rest_curvature", 0), TypeError, "rest curvature: expected an array"),
            (lambda: world.add_rod(line=5, radius=1e-3, young_modulus=1e6, density=1), cordage.ArgumentError,
             "line: expected two points"),
            (lambda: world.add_rod(line=None, radius=1e-3, young_modulus=1e6, density=1), cordage.ArgumentError,
             "line: expected two points"),
            (lambda: cordage.load("nowhere.yaml", set=5), cordage.ArgumentError, "set is a dict"),
            (lambda: rod.modes(10 ** 9), cordage.ArgumentError, "at most 100000"),
            (lambda: world.step(1.5), TypeError, "integer"),
            (lambda: setattr(load, "value", "1 N"), cordage.ArgumentError, "vector of three numbers (x, y, z), not '1 N'"),
            (lambda: setattr(load, "value", None), cordage.ArgumentError, "three numbers (x, y, z), not None"),
            (lambda: setattr(load, "value", [[0, 0, 1]]), (TypeError, ValueError), "number"),
            (lambda: clamp.move_to("here"), TypeError, "a vector of three numbers (x, y, z), not 'here'"),
            (lambda: clamp.move_to({0.0, 1.0, 2.0}), TypeError, "a vector of three numbers (x, y, z), not {"),
            (lambda: clamp.move_to(b"012"), TypeError, "three numbers (x, y, z), not b'012'"),
            (lambda: clamp.move_to(5), TypeError, "a vector of three numbers (x, y, z), not 5"),
        ]
        if numpy is not None:
            holes = numpy.ma.masked_array(numpy.zeros((9, 3)), mask=[[True, False, False]] * 9)
            cases.append((lambda: rod.set_forces(holes), cordage.ArgumentError, "masked"))
        for call, kind, part in cases:
            with self.assertRaises(kind) as told:
                call()
            self.assertIn(part, str(told.exception))

    def test_integers_of_numpy_count_steps(self):
        if numpy is None:
            self.skipTest("without NumPy")
        world, rod = small_world()
        world.step(numpy.int64(3))
        self.assertEqual(world.step_index, 3)

    def test_all_parts_can_be_added(self):
        world, rod = small_world("pobd", gravity=(0, 0, -1))
        rod.clamp("start")
        rod.pin(3)
        rod.hold_twist("end")
        rod.drag("1 1/s")
        rod.line_load((0, 0, 0.1))
        rod.line_moment((0, 0.1, 0))
        rod.wind((1, 0, 0))
        rod.moment("end", (0, 0, 1e-5), follow=True, from_="1 ms")
        world.add_obstacle("floor", plane={"normal": (0, 0, 1), "offset": -1}, friction=0.2)
        ball = cordage.Body(world, "ball", sphere={"radius": "1 cm"}, mass="10 g", position=(0, 2, 0))
        net = world.add_structure("web", net={"size": (1, 1), "threads": (2, 2)}, elements=2, origin=(0, 5, 0), radius="1 mm",
                                  young_modulus=1e6, density=1000, pobd={"solver": "gauss_seidel"})
        other = cordage.Rod(world, line=((0, 3, 0), (1, 3, 0)), radius=("2 mm", "1 mm"), young_modulus=1e6, density=1000)
        other.weld("start", world.add_body("anchor", box={"size": (0.1, 0.1, 0.1)}, fixed=True, position=(0, 3, 0),
                                           collides=False))
        world.step(5)
        self.assertEqual(len(net), 4)
        self.assertLess(ball.velocity[2], 0)
        self.assertAlmostEqual(ball.mass, 0.01)
        self.assertEqual(set(world.bodies), {"ball", "anchor"})
        self.assertEqual(world.obstacles["floor"].friction, 0.2)
        self.assertEqual(len(world.rods), 6)

    def test_rods_of_structures_are_held_loaded_joined_and_measured(self):
        world = cordage.World(model="pobd", gravity=0, step="1 ms", threads=1)
        keywords = {"radius": "1 mm", "young_modulus": 1e6, "density": 1000, "pobd": {"solver": "gauss_seidel"}}
        net = world.add_structure("web", net={"size": (1, 1), "threads": (2, 2)}, elements=4, **keywords)
        pin, load = net[0].pin("start"), net[0].force("end", (0, 0, 1e-3))
        tail = world.add_rod("tail", line=((0, 0, 0), (-1, 0, 0)), elements=4, **keywords)
        world.add_joint(net[0].at("start"), tail.at("start"))
        world.step(5)
        self.assertEqual((net[0].name, pin.position, load.value), ("web.h0", (0, 0, 0), (0, 0, 1e-3)))
        self.assertGreater(net[0].measure("position", "end")[2], 0)
        self.assertEqual(rows(tail.positions)[0], rows(net[0].positions)[0])
        with self.assertRaises(cordage.SceneError) as told:
            net[0].pin("strat")
        self.assertIn("web.h0", str(told.exception))

    def test_joints_of_models_without_them_are_refused(self):
        world = cordage.World(model="galpha", gravity=0, step="1 ms")
        keywords = {"radius": "1 mm", "young_modulus": 1e6, "density": 1000, "elements": 4}
        a, b = world.add_rod(line=((0, 0, 0), (1, 0, 0)), **keywords), world.add_rod(line=((1, 0, 0), (2, 0, 0)), **keywords)
        with self.assertRaises(cordage.Error) as told:
            world.add_joint(a.at("end"), b.at("start"))
            world.step()
        self.assertIn("galpha", str(told.exception))

    def test_stubs_name_what_is_there(self):
        """Each class and member of the type stubs exists, and each public one has a stub."""
        with open(os.path.join(ROOT, "python", "cordage", "__init__.pyi"), encoding="utf-8") as file:
            stubs = {node.name: node for node in ast.parse(file.read()).body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
        for name in cordage.__all__:
            self.assertTrue(name in stubs or name == "errors", name)
        for name, node in stubs.items():
            item = getattr(cordage, name)
            if not isinstance(node, ast.ClassDef) or item is None:
                continue
            members = {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
            members |= {part.target.id for part in node.body if isinstance(part, ast.AnnAssign)}
            public = {member for base in item.__mro__[:2] for member in vars(base) if not member.startswith("_")}
            if name in ("World", "Rod", "Support", "Load", "Body", "Solid", "SolidLoad", "SolidSupport", "Obstacle", "Run", "RunRod", "Scene"):
                own = {member for member in vars(item) if not member.startswith("_")} - {"world", "run", "solid"}
                self.assertEqual(own - members, set(), name)
            functions = {part.name for part in node.body if isinstance(part, ast.FunctionDef) and not part.name.startswith("_")}
            self.assertEqual(functions - public, set(), name)

    def test_docstrings_teach(self):
        for item in (cordage, cordage.World, cordage.Rod, cordage.Rod.positions, cordage.World.step, cordage.Run):
            self.assertGreater(len(item.__doc__), 40)
        for name in cordage.__all__:
            self.assertTrue(hasattr(cordage, name), name)


class Times(unittest.TestCase):
    def test_a_built_scene_goes_through_the_states_of_its_run(self):
        for step in ("auto", "3 ms"):  # 3 ms does not divide the interval of outputs
            scene = cordage.Scene(text=f"""
cordage: 1
simulation: {{duration: 60 ms, step: {step}, model: pobd}}
output: {{every: 20 ms}}
rods:
  - {{name: cable, elements: 10, material: {{young_modulus: 1 MPa, density: 1100}}, section: {{circle: {{radius: 5 mm}}}},
     centerline: {{line: {{to: [1, 0, 0]}}}}}}
supports: [{{clamp: cable.start}}]
""")
            with tempfile.TemporaryDirectory() as folder:
                run = scene.run(folder, force=True, threads=1)
                expected = rows(run.rods["cable"].positions(-1))
            world = scene.build(threads=1)
            world.run(scene.times["duration"])
            self.assertEqual(rows(world.rod("cable").positions), expected)

    def test_runs_end_when_they_should(self):
        for duration, steps in (("10 ms", 5), ("9 ms", 5), ("0.5 ms", 1), (0.002, 1), ("0 s", 0)):
            world, rod = small_world(step="2 ms")
            self.assertAlmostEqual(world.run(duration), cordage.quantity(duration, "s"), 15)
            self.assertEqual((world.step_index, world.step_size), (steps, 2e-3))
        times = []
        world, rod = small_world(step="2 ms")
        world.run("20 ms", every="5 ms", call=lambda w: times.append(round(w.time, 12)))
        self.assertEqual(times, [5e-3, 10e-3, 15e-3, 20e-3])
        times.clear()
        world.run("8 ms", every="5 ms", call=lambda w: times.append(round(w.time, 12)))
        self.assertEqual(times, [25e-3, 28e-3])
        self.assertEqual(world.step_size, 2e-3)

    def test_gravity_is_a_vector(self):
        for value in (9.81, "9.81 m/s^2", True):
            with self.assertRaisesRegex(cordage.ArgumentError, "gravity is a vector"):
                cordage.World(gravity=value)
        world = cordage.World(gravity=("1 m/s^2", 0, 0))
        world.gravity = 0
        self.assertEqual(world.gravity, (0, 0, 0))

    def test_times_that_are_none(self):
        world, rod = small_world(step="2 ms")
        for duration in (-1, float("nan"), float("inf")):
            with self.assertRaises(cordage.ArgumentError):
                world.run(duration)
        for every in (0, "-1 ms", float("nan")):
            with self.assertRaises(cordage.ArgumentError):
                world.run("10 ms", every=every, call=lambda w: None)

    def test_many_steps_can_be_interrupted(self):
        world, rod = small_world(step="2 ms")
        rod.clamp("start")
        before = signal.signal(signal.SIGALRM, signal.default_int_handler)
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.2)
            with self.assertRaises(KeyboardInterrupt):
                world.step(1 << 40)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
        self.assertGreater(world.step_index, 0)
        world.step()


class Views(unittest.TestCase):
    def test_views_lie_where_the_world_has_them(self):
        world, rod = small_world()
        rod.clamp("start")
        world.step(3)
        raw = world._view(rod._number, 0)
        if numpy is not None:
            self.assertEqual(numpy.asarray(rod.positions).__array_interface__["data"][0], raw.address)
            self.assertEqual(rod.positions.ctypes.data, raw.address)
            self.assertEqual(rod.positions[2:, 1].ctypes.data, raw.address + 2 * 8 + rod.positions.strides[1])
            self.assertFalse(rod.positions.flags.writeable)
            self.assertFalse(rod.positions.flags.owndata)
        self.assertEqual(memoryview(raw).shape, (9, 3))
        self.assertEqual(memoryview(raw).tolist(), rows(rod.positions))
        self.assertEqual(world._view(rod._number, 0).address, raw.address)

    def test_stale_views_raise(self):
        changes = [lambda w, r, s: w.step(), lambda w, r, s: w.restore(s), lambda w, r, s: r.set_state(positions=s_rows),
                   lambda w, r, s: w.find_equilibrium()]
        for change in changes:
            world, rod = small_world()
            rod.clamp("start")
            snapshot, s_rows = world.snapshot(), rows(rod.positions)
            views = [rod.positions, rod.velocities, rod.frames, rod.angular_velocities]
            kept = rod.positions.copy()
            change(world, rod, snapshot)
            for view in views:
                for use in (lambda v: v[0], lambda v: v.tolist(), lambda v: list(v), lambda v: v.copy()):
                    with self.assertRaises(cordage.StaleViewError):
                        use(view)
            self.assertEqual(len(kept[0]), 3)
            raw = world._view(rod._number, 0)
            change(world, rod, world.snapshot())
            with self.assertRaises(cordage.StaleViewError):
                memoryview(raw)

    @unittest.skipIf(numpy is None, "needs NumPy")
    def test_every_use_by_numpy_is_checked(self):
        world, rod = small_world()
        view, part, turned = rod.positions, rod.positions[:, 2], rod.positions.T
        whole, squeezed, halves = view.view(numpy.ndarray), numpy.atleast_2d(view), numpy.split(view, [4])
        self.assertIs(type(view + 1), numpy.ndarray)
        self.assertIs(type(view.sum(axis=0)), numpy.ndarray)
        world.step()
        uses = [lambda v: v + 1, lambda v: numpy.linalg.norm(v), lambda v: numpy.diff(v, axis=0), lambda v: v.sum(),
                lambda v: v.max(), lambda v: v.dot(v.T), lambda v: numpy.vstack([v, v]), lambda v: v.astype(float),
                lambda v: v @ v.T, lambda v: v.mean(), lambda v: pickle.dumps(v), lambda v: numpy.mean(v),
                lambda v: float(v.ravel()[0]), lambda v: v == v, lambda v: numpy.array(v), lambda v: numpy.asarray([v, v]),
                lambda v: v.view(numpy.ndarray), lambda v: numpy.zeros(v.shape).__setitem__(slice(None), v),
                lambda v: numpy.zeros(v.shape) + v, lambda v: numpy.empty(v.shape)[...] + v, lambda v: v.real]
        views = (view, part, turned, whole, squeezed, halves[1])
        for stale in views:
            for number, use in enumerate(uses):
                with self.assertRaises(cordage.StaleViewError, msg=f"use {number}"):
                    use(stale)
            self.assertIn("stale", repr(stale))

    @unittest.skipIf(numpy is None, "needs NumPy")
    def test_rows_kept_over_steps_are_no_array_of_other_times(self):
        world, rod = small_world()
        kept, copies = [], []
        for _ in range(4):
            world.step()
            kept.append(rod.positions[-1])
            copies.append(rod.positions[-1].copy())
        with self.assertRaises(cordage.StaleViewError):
            numpy.array(kept)
        table = numpy.zeros((4, 3))
        with self.assertRaises(cordage.StaleViewError):
            table[0] = kept[0]
        self.assertEqual(numpy.array(copies).shape, (4, 3))
        self.assertEqual(numpy.array([rod.positions, rod.positions]).shape, (2, 9, 3))

    @unittest.skipIf(numpy is None, "needs NumPy")
    def test_views_behave_as_arrays(self):
        world, rod = small_world()
        world.step(2)
        view, array = rod.positions, rod.positions.copy()
        self.assertIs(type(array), numpy.ndarray)
        for use in (lambda v: v[1:3].tolist(), lambda v: (v - v[0]).sum(), lambda v: (2 * v)[3, 0], lambda v: v.max(axis=0).tolist(),
                    lambda v: numpy.linalg.norm(numpy.diff(v, axis=0), axis=1).tolist(), lambda v: len(v), lambda v: v.shape,
                    lambda v: [tuple(row) for row in v], lambda v: (v.T @ v).tolist(), lambda v: v.reshape(-1)[:4].tolist(),
                    lambda v: v[v[:, 0] > 0.5].tolist(), lambda v: float(v[-1, 2]), lambda v: (v == v).all(), lambda v: str(v),
                    lambda v: repr(v), lambda v: numpy.interp(0.3, v[:, 0], v[:, 2]), lambda v: numpy.stack([v, v]).tolist(),
                    lambda v: numpy.einsum("ij,ij->i", v, v).tolist(), lambda v: v.flatten().tolist(), lambda v: v.mean(),
                    lambda v: v[0, 0] in v, lambda v: f"{v[0, 0]:.3f}", lambda v: numpy.array(v, dtype=numpy.float32).tolist()):
            self.assertEqual(use(view), use(array))
        with self.assertRaises(ValueError):
            view += 1
        with self.assertRaises(AttributeError):
            view.postions

    def test_views_keep_their_world(self):
        world, rod = small_world()
        view = rod.positions
        with self.assertRaises(BufferError):
            memory = memoryview(world._view(rod._number, 0))
            world.close()
        with self.assertRaises(BufferError):
            rod.remove()
        del memory
        del world, rod
        gc.collect()
        self.assertEqual(rows(view)[-1], [1, 0, 0])

    def test_views_cannot_be_written(self):
        world, rod = small_world()
        with self.assertRaises(ValueError if numpy is not None else TypeError):
            rod.positions[0] = (1, 2, 3)

    def test_without_numpy(self):
        code = ("import sys; sys.modules['numpy'] = None\n"
                "import cordage\n"
                "world = cordage.World(step=1e-3, model='der')\n"
                "rod = world.add_rod(line=((0, 0, 0), (1, 0, 0)), radius=5e-3, young_modulus=1e6, density=1100, elements=4)\n"
                "rod.clamp('start')\n"
                "view = rod.positions\n"
                "assert type(view) is cordage.Array and view.shape == (5, 3) and view[4] == (1, 0, 0) and len(view) == 5\n"
                "assert memoryview(view)[4, 0] == 1\n"
                "rod.set_forces([[0, 0, 1e-3]] * 5)\n"
                "rod.rest_curvature = (0, '1 rad/m', 0)\n"
                "world.run('5 ms')\n"
                "try:\n    view[0]\nexcept cordage.StaleViewError:\n    pass\nelse:\n    raise SystemExit('not stale')\n"
                "assert rod.positions.copy()[4][2] != 0 and rod.tension.shape == (4,)\n")
        subprocess.run([sys.executable, "-c", code], check=True)


class Control(unittest.TestCase):
    def test_damaged_snapshots_are_refused(self):
        world, rod = small_world(gravity=0)
        text = bytearray(pickle.dumps(world.snapshot()))
        world.restore(pickle.loads(bytes(text)))
        text[text.index(struct.pack("<3d", 0, 0.125, 0.25)) + 15] ^= 1  # x of a node
        with self.assertRaises(cordage.ArgumentError) as told:
            pickle.loads(bytes(text))
        self.assertIn("damaged", str(told.exception))

    def test_what_was_set_from_a_view_or_a_list_is_put_back(self):
        world, rod = small_world(gravity=0)
        clamp, load, force = rod.clamp("start"), rod.force("end", (0, 0, -1e-3)), [0, 0, -2e-3]
        world.step(5)
        load.value = force
        force[2] = 5
        self.assertEqual(list(load.value), [0, 0, -2e-3])
        load.value = rod.velocities[-1]
        clamp.move_to(rod.positions[0], (part for part in (1, 0, 0, 0)))
        value, snapshot = list(load.value), world.snapshot()
        world.step()
        self.assertIn("force", repr(load))
        load.value = (0, 0, 0)
        end = rows(rod.positions)[-1]
        world.restore(snapshot)
        self.assertEqual(list(load.value), value)
        world.step()
        self.assertEqual(rows(rod.positions)[-1], end)

    def test_supports_are_driven(self):
        for model in MODELS:
            world, rod = small_world(model, gravity=0)
            clamp = rod.clamp("start")
            for k in range(1, 11):
                clamp.move_to((0, 0, 1e-4 * k))
                world.step()
            self.assertAlmostEqual(clamp.position[2], 1e-3, 12)
            self.assertAlmostEqual(rows(rod.positions)[0][2], 1e-3, 9)
            clamp.remove()
            with self.assertRaises(cordage.StaleHandleError):
                clamp.force

    def test_loads_and_forces(self):
        for model in MODELS:
            world, rod = small_world(model, gravity=0)
            load = rod.force("middle", (0, 0, 1))
            load.value = (0, 0, "2 mN")
            world.step(10)
            self.assertAlmostEqual(world.momentum()[0][2], 2e-3 * 0.01, 6)
            load.remove()
            rod.set_forces([(0, 0.01 / 9, 0)] * 9)
            world.step(10)
            rod.set_forces()
            world.step(10)
            self.assertAlmostEqual(world.momentum()[0][1], 0.01 * 0.01, 5)
            with self.assertRaises(ValueError):
                rod.set_forces([(0, 0, 1)] * 8)

    def test_drag_changes_and_refuses(self):
        world, rod = small_world()
        load = rod.drag("1 1/s")
        load.change(drag=2, ramp="1 s")
        self.assertEqual(load.value, 2)
        with self.assertRaises(cordage.ArgumentError):
            load.change(force=(1, 0, 0))

    def test_contact_is_on_by_default(self):
        self.assertTrue(cordage.World().contact["on"])
        self.assertFalse(cordage.World(contact="off").contact["on"])
        world, rod = small_world("der", step=None)
        rod.clamp("start")
        world.find_equilibrium()
        world, rod = small_world("der", step=None, contact="on")
        rod.clamp("start")
        with self.assertRaisesRegex(cordage.UnsupportedError, "no contact"):
            world.find_equilibrium()

    def test_rest_shape_gravity_and_friction(self):
        world, rod = small_world("pobd", gravity=0, contact={"friction": 0.1})
        rod.clamp("start")
        rod.rest_curvature = ("1 rad/m", 0, 0)
        self.assertEqual([round(x, 12) for x in rows(rod.rest_curvature)[4]], [1, 0, 0])
        rod.length = "1.1 m"
        self.assertAlmostEqual(rod.length, 1.1)
        world.set_gravity((0, 0, -2))
        world.friction = 0.4
        self.assertEqual(world.contact["friction"], 0.4)
        world.step(5)
        self.assertNotEqual(rows(rod.positions)[-1], [1, 0, 0])
        with self.assertRaises(cordage.Error):
            rod.length = -1

    def test_obstacles_are_driven(self):
        world, rod = small_world("corde", gravity=0)
        paddle = cordage.Obstacle(world, "paddle", box={"size": (2, 2, 0.1)}, position=(0.5, 0, -0.2))
        for k in range(1, 201):
            paddle.move_to((0.5, 0, -0.2 + 1e-3 * k))
            world.step()
        self.assertGreater(rows(rod.positions)[4][2], 0.04)
        self.assertEqual(paddle.orientation, (1, 0, 0, 0))
        contacts = world.contacts
        if contacts:
            self.assertEqual((contacts[0].rod.name, contacts[0].other.name), ("cable", "paddle"))
        paddle.friction = 0.7
        self.assertEqual(paddle.friction, 0.7)

    def test_snapshots_continue_to_the_last_bit(self):
        for model in MODELS:
            world, rod = small_world(model)
            rod.clamp("start")
            world.step(5)
            snapshot = pickle.loads(pickle.dumps(world.snapshot()))
            world.step(10)
            first = rows(rod.positions)
            world.restore(snapshot)
            self.assertAlmostEqual(world.time, 0.005)
            world.step(10)
            self.assertEqual(rows(rod.positions), first)
        with self.assertRaises(cordage.ArgumentError):
            small_world(elements=9)[0].restore(snapshot)

    def test_snapshots_of_other_materials_are_refused(self):
        def hung(radius):
            world = cordage.World(step="1 ms", gravity=(0, 0, -9.81))
            world.add_rod("cable", line=((0, 0, 0), (1, 0, 0)), radius=radius, young_modulus="1 MPa", density=1100, elements=5)
            return world

        snapshot, other = hung("2 mm").snapshot(), hung("3 mm")
        other.gravity = (0, 0, -1)
        with self.assertRaisesRegex(cordage.ArgumentError, "materials, sections and masses must be the same"):
            other.restore(snapshot)
        self.assertEqual(tuple(other.gravity), (0, 0, -1))  # nothing has changed
        hung("2 mm").restore(snapshot)

    def test_stretch_modulus(self):
        """Four times as stiff against its weight, which is all that it feels."""
        def lengthens(**keywords):
            world = cordage.World(gravity=(0, 0, -9.81))
            rod = world.add_rod("cable", line=((0, 0, 0), (0, 0, -1)), radius="5 mm", young_modulus="1 MPa", density=1100,
                                elements=10, damping="50 ms", **keywords)
            rod.clamp("start")
            world.run(3)
            return -1 - rod.positions[-1][2]

        self.assertAlmostEqual(lengthens() / lengthens(stretch_modulus="4 MPa"), 4, delta=0.01)

    def test_rods_are_cut_and_made_whole(self):
        world, rod = small_world("pobd", gravity=(0, 0, -9.81))
        pin = rod.pin("end")
        rod.clamp("start")
        world.step(5)
        snapshot, before = world.snapshot(), rows(rod.positions)
        linear, angular = world.momentum()
        second = rod.cut(3)
        for a, b in zip(world.momentum(), (linear, angular)):
            for x, y in zip(a, b):
                self.assertAlmostEqual(x, y, delta=1e-12 * (abs(y) + 1e-6))
        self.assertEqual((second.name, second.node_count, rod.node_count), (rod.name + ".2", 6, 4))
        self.assertEqual(rows(second.positions), before[3:])
        world.step(20)
        self.assertEqual(len(world.rods), 2)
        self.assertGreater(abs(rows(second.positions)[0][2] - before[3][2]), 1e-6)
        self.assertAlmostEqual(rows(second.positions)[-1][0], before[-1][0])  # the pin holds it still
        self.assertGreater(abs(pin.force[2]), 0)
        third = second.cut("middle")
        self.assertEqual(third.name, rod.name + ".3")
        world.restore(snapshot)
        self.assertEqual(rows(rod.positions), before)
        self.assertEqual(len(world.rods), 1)
        with self.assertRaises(cordage.StaleHandleError):
            second.node_count
        for wrong in (0, -1, "start", "element(3)", 99):
            with self.assertRaises(cordage.ArgumentError):
                rod.cut(wrong)
        ring = world.add_rod("ring", centerline={"circle": {"radius": 0.1, "center": (0, 3, 0)}}, elements=12,
                             material={"young_modulus": "1 MPa", "density": 1000}, section={"circle": {"radius": 0.002}})
        self.assertIsNone(ring.cut(-2))
        self.assertEqual((ring.is_closed, ring.node_count), (False, 13))

    def test_snapshots_put_back_what_was_set_by_hand(self):
        def steer(world, rod, clamp, load, plate):
            for k in range(1, 6):
                clamp.move_to((0, 0, start + 1e-4 * k))
                rod.set_forces([(0, 1e-4 * k, 0)] * 9)
                world.step()
            return rows(rod.positions)
        for model in MODELS:
            world, rod = small_world(model, gravity=(0, 0, -1))
            clamp, load = rod.clamp("start"), rod.force("end", (0, 0, 1e-4))
            plate = world.add_obstacle("plate", plane={"normal": (0, 0, 1), "offset": -1})
            start = 0
            steer(world, rod, clamp, load, plate)
            clamp.move_to((0, 0, 6e-4))  # ordered, but not reached when the snapshot is taken
            snapshot = world.snapshot()
            world.step()
            start = clamp.position[2]
            wanted = steer(world, rod, clamp, load, plate)
            world.set_gravity((0, 0, -9))
            rod.rest_curvature = (1, 0, 0)
            rod.length = 1.05
            load.value = (0, 0, 5)
            plate.move_to((0, 0, 0.5e-3))
            plate.friction = 0.9
            world.friction = 0.8
            clamp.move_to((0, 1e-3, 0))
            world.step(3)
            world.restore(pickle.loads(pickle.dumps(snapshot)))
            self.assertEqual((load.value, rod.length, world.friction), ((0, 0, 1e-4), 1, 0))
            world.step()
            self.assertEqual(clamp.position[2], start)
            found = steer(world, rod, clamp, load, plate)
            for a, b in zip(wanted, found):
                for x, y in zip(a, b):
                    self.assertAlmostEqual(x, y, 11, model)

    def test_rods_that_adapt(self):
        """Places are those of the definition, and snapshots bring a resolution back with all that was set."""
        for model in ("pobd", "der"):
            world = cordage.World(step="2 ms", model=model, threads=1)
            rod = world.add_rod("cable", line=((0, 0, 0), (1, 0, 0)), radius="5 mm", young_modulus="20 kPa", density=1100,
                                damping="5 ms", elements=16, adapt="on")
            rod.clamp("start")
            coarse = world.snapshot()
            world.run("0.3 s")
            fine, shape = rod.node_count, rows(rod.positions)
            self.assertGreater(fine, 17, model)
            self.assertEqual((rod.defined_element_count, len(shape)), (16, fine))
            self.assertEqual(rod.measure("position", "end"), tuple(shape[-1]))
            self.assertEqual(rod.measure("position", 16), tuple(shape[-1]))
            later = world.snapshot()
            world.step(20)
            wanted = rows(rod.positions)
            world.restore(coarse)
            self.assertEqual(rod.node_count, 17)
            rod.set_forces([(0, 0.01, 0)] * 17)  # room for the finest is taken, or the next step writes beyond it
            world.step()
            world.restore(later)
            self.assertEqual(rod.node_count, fine)
            world.step(20)
            self.assertEqual(rows(rod.positions), wanted, model)
            rod.set_forces([(0, 0.01, 0)] * rod.node_count)
            world.step(5)
            world.restore(later)
            world.step(20)
            self.assertEqual(rows(rod.positions), wanted, model)
            world.restore(coarse)
            world.run("0.3 s")
            self.assertEqual(rows(rod.positions), shape, model)
            rod.rest_curvature = (0, 1, 0)
            bent = world.snapshot()
            world.step(20)
            wanted = rows(rod.positions)
            rod.rest_curvature = (0, 2, 0)
            rod.length = 1.05
            world.step(20)
            world.restore(bent)
            world.step(20)
            self.assertEqual(rows(rod.positions), wanted, model)
            with self.assertRaises(cordage.ArgumentError):
                world.restore(coarse)
            pull = rod.force("end", (0, 0, 0.02))
            tip = rod.pin("end")
            world.step(3)
            self.assertEqual(tip.position, tuple(rows(rod.positions)[-1]))
            self.assertEqual(pull.kind, "force")

    def test_frictions_are_those_of_the_snapshot(self):
        world, rod = small_world()
        plate = world.add_obstacle("plate", plane={"normal": (0, 0, 1), "offset": -1}, friction=0.1)
        ball = world.add_body("ball", sphere={"radius": "1 cm"}, mass=1, position=(0, 3, 0), friction=0.3)
        for thing, own in ((plate, 0.1), (ball, 0.3)):
            self.assertAlmostEqual(thing.friction, own)
            begin = world.snapshot()
            thing.friction = 0.2
            first = world.snapshot()
            thing.friction = 0.9
            world.restore(first)
            self.assertAlmostEqual(thing.friction, 0.2)
            second = world.snapshot()  # of what was put back, not of what had been set in between
            thing.friction = 0.7
            world.restore(second)
            self.assertAlmostEqual(thing.friction, 0.2)
            world.restore(begin)
            self.assertAlmostEqual(thing.friction, own)

    def test_what_is_driven_is_where_it_was(self):
        world, rod = small_world("pobd")
        clamp = rod.clamp("start")
        paddle = world.add_obstacle("paddle", sphere={"radius": "1 cm"}, position=(0, 0, 1))
        before = world.snapshot()  # nothing has been driven
        for k in range(1, 6):
            clamp.move_to((0, 0, 1e-3 * k))
            paddle.move_to((0, 0, 1 + 1e-3 * k))
            world.step()
        middle = world.snapshot()
        world.step()
        wanted = rows(rod.positions)
        clamp.move_to((0, 1e-3, 0))
        paddle.move_to((0, 0, 3))
        world.step(2)
        world.restore(middle)
        world.step()
        self.assertEqual((clamp.position, paddle.position), ((0, 0, 5e-3), (0, 0, 1.005)))
        self.assertEqual(rows(rod.positions), wanted)
        world.restore(before)
        world.step(2)
        self.assertEqual((clamp.position, paddle.position, rows(rod.positions)[0]), ((0, 0, 0), (0, 0, 1), [0, 0, 0]))

    def test_supports_of_a_scene_can_be_driven(self):
        world = cordage.load(os.path.join(ROOT, "examples", "cantilever.yaml"))
        clamp = world.supports[0]
        self.assertEqual(clamp.kind, "clamp")
        world.step()
        clamp.move_to((0, 0, 1e-5))
        world.step()
        self.assertAlmostEqual(clamp.position[2], 1e-5)

    def test_run_calls_and_shows_progress(self):
        world, rod = small_world()
        seen, told = [], []
        world.run("50 ms", every="10 ms", call=lambda w: seen.append(round(w.time, 6)))
        self.assertEqual(seen, [0.01, 0.02, 0.03, 0.04, 0.05])
        world.run(1, call=lambda w: w.time < 0.0605)
        self.assertAlmostEqual(world.time, 0.061)
        world.run("20 ms", progress=lambda done, whole: told.append(done / whole))
        self.assertAlmostEqual(told[-1], 1)
        with contextlib.redirect_stderr(io.StringIO()) as shown:
            world.run("20 ms", progress=True)
        self.assertIn("100 %", shown.getvalue())

    def test_failures_raise_and_keep_the_last_good_time(self):
        world, rod = small_world("corde", gravity=0)
        rod.set_forces([(0, 0, 1e200)] * 9)
        with self.assertRaises(cordage.Error) as told:
            world.step(100)
        self.assertIn("cable", str(told.exception))


BLOCK = {"box": {"size": (0.2, 0.1, 0.1)}, "resolution": "5 cm", "young_modulus": "50 kPa", "poisson_ratio": 0.3,
         "density": "1000 kg/m^3", "damping_time": "20 ms"}
LEFT = {"point": (-0.1, 0, 0), "normal": (-1, 0, 0)}


class Solids(unittest.TestCase):
    def test_keywords_and_scene_give_the_same_bits(self):
        text = """
cordage: 1
contact: off
simulation: {duration: 1 s, step: 2 ms}
solids:
  - {name: block, shape: {box: {size: [20 cm, 10 cm, 10 cm]}, resolution: 5 cm},
     material: {young_modulus: 50 kPa, poisson_ratio: 0.3, density: 1000 kg/m^3, damping_time: 20 ms},
     supports: [{plane: {point: [-0.1, 0, 0], normal: [-1, 0, 0]}}], loads: [{force: [0, 1 N, 0]}]}
"""
        world = cordage.World(step="2 ms", threads=1)
        block = cordage.Solid(world, "block", **BLOCK)
        block.hold(plane=LEFT)
        block.force((0, "1 N", 0))
        other = cordage.Scene(text=text).build(1)
        world.step(20)
        other.step(20)
        self.assertEqual(rows(block.positions), rows(other.solids["block"].positions))
        self.assertEqual(list(other.solids), ["block"])
        self.assertEqual(block, world.solids["block"])
        self.assertIn("block", repr(block))
        self.assertIn("1 solid", repr(world))
        xml.dom.minidom.parseString(world._repr_html_())
        self.assertIn("Z", world._repr_html_())

    def test_views_lie_where_the_world_has_them_and_are_stale_later(self):
        world = cordage.World(step="2 ms", threads=1)
        block = world.add_solid(**BLOCK)
        first, again = world._solid_view(block._number, 0), world._solid_view(block._number, 0)
        self.assertEqual(first.address, again.address)
        self.assertEqual(first.shape, (block.node_count, 3))
        kept = block.positions
        self.assertEqual(len(block.tetrahedra), block.tetrahedron_count)
        if numpy is not None:
            corners = kept.copy()[block.tetrahedra]
            edges = corners[:, 1:] - corners[:, :1]
            self.assertAlmostEqual(numpy.linalg.det(edges).sum() / 6, 2e-3, 12)
            faces = kept.copy()[block.surface]
            area = numpy.cross(faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0])
            self.assertAlmostEqual(float(numpy.linalg.norm(area, axis=1).sum()) / 2, 0.1, 12)
        self.assertAlmostEqual(block.mass, 2, 12)
        world.step()
        with self.assertRaises(cordage.StaleViewError):
            print(kept[0])
        self.assertLess(rows(block.velocities)[0][2], 0)

    def test_equilibrium_carries_the_weight(self):
        world = cordage.World(gravity=(0, 0, -10), step="2 ms", threads=1)
        block = world.add_solid("block", **BLOCK)
        held = block.hold(plane=LEFT)
        load = block.force((0, 0, -2), plane={"point": (0.1, 0, 0), "normal": (1, 0, 0)})
        world.find_equilibrium()
        self.assertAlmostEqual(held.force[2], 22, 5)
        self.assertAlmostEqual(sum(row[2] for row in rows(block.reactions)), 22, 5)
        self.assertAlmostEqual(block.state()["reaction"][2], 22, 5)
        self.assertEqual(len(block.stress), block.tetrahedron_count)
        self.assertAlmostEqual(max(block.stress.tolist()) / block.state()["largest_stress"], 1, 12)
        self.assertAlmostEqual(max(block.strain.tolist()) / block.state()["largest_strain"], 1, 12)
        down = min(row[2] for row in rows(block.positions))
        load.value = (0, 0, "4 N")
        self.assertEqual(load.value, (0, 0, 4))
        world.find_equilibrium()
        self.assertAlmostEqual(held.force[2], 16, 5)
        self.assertGreater(min(row[2] for row in rows(block.positions)), down)
        frequencies, shapes = block.modes(2)
        self.assertGreater(frequencies[0], 1)
        self.assertEqual(shapes.shape, (2, block.node_count, 3))

    def test_pressure_and_forces_of_one_s_own(self):
        world = cordage.World(gravity=0, step="5 ms", threads=1)
        block = world.add_solid(integrator="euler", **BLOCK)
        squeeze = block.pressure("1 kPa")
        world.step(200)
        bulk = 50e3 / (3 * (1 - 2 * 0.3))
        self.assertAlmostEqual(1 - block.state()["volume"] / 2e-3, 1e3 / bulk, 3)
        squeeze.value = 0
        world.step(200)
        self.assertAlmostEqual(block.state()["volume"], 2e-3, 8)
        block.set_forces([(0.1 / block.node_count, 0, 0)] * block.node_count)
        world.step(10)
        self.assertAlmostEqual(block.state()["velocity"][0], 0.1 * 0.05 / 2, 9)
        for wrong in ([(0, 0)] * block.node_count, [(0, 0, 0)], [(float("nan"), 0, 0)] * block.node_count):
            with self.assertRaises((cordage.Error, ValueError, TypeError)):
                block.set_forces(wrong)

    def test_snapshots_put_back_solids_and_what_was_set(self):
        world = cordage.World(step="2 ms", threads=1)
        block = world.add_solid("block", **BLOCK)
        block.hold(plane=LEFT)
        load = block.force((0, 1, 0))
        world.step(5)
        load.value = (0, 2, 0)
        snapshot = pickle.loads(pickle.dumps(world.snapshot()))
        world.step(10)
        wanted = rows(block.positions)
        load.value = (0, -9, 0)
        block.set_forces([(0, 0, 1)] * block.node_count)
        world.step(5)
        world.restore(snapshot)
        self.assertEqual(load.value, (0, 2, 0))
        world.step(10)
        self.assertEqual(rows(block.positions), wanted)
        second = world.snapshot()
        load.value = (0, 5, 0)
        world.restore(second)
        self.assertEqual(load.value, (0, 2, 0))
        with self.assertRaises(cordage.ArgumentError):
            cordage.World().restore(snapshot)

    def test_mistakes(self):
        world = cordage.World(step="2 ms", threads=1)
        with self.assertRaises(cordage.Error) as told:
            world.add_solid("block", supports=[{"sphere": {"center": (9, 9, 9), "radius": 0.1}}], **BLOCK)
        self.assertIn("no node of solid 'block' is in the region", str(told.exception))
        self.assertEqual(world.solids, {})
        block = world.add_solid("block", **BLOCK)
        for call in (lambda: world.add_solid("block", **BLOCK), lambda: world.add_solid(**{**BLOCK, "sphere": {"radius": 1}}),
                     lambda: block.hold(plain=LEFT), lambda: block.force((1, 2)), lambda: block.force(("1 m", 0, 0)),
                     lambda: block.pressure("2 N"), lambda: block.hold(box={"low": (5, 5, 5), "high": (6, 6, 6)}),
                     lambda: world.add_solid(box={"size": (1, 1, 1)}, resolution=0.5)):
            with self.assertRaises(cordage.Error):
                call()
        self.assertEqual(list(world.solids), ["block"])
        load = block.force((0, 0, 1))
        with self.assertRaises(cordage.Error):
            load.value = "3 N"
        world.step()

    def test_solids_rest_on_obstacles(self):
        world = cordage.World(step="2 ms", threads=1)
        world.add_obstacle("floor", plane={"normal": (0, 0, 1), "offset": -0.06}, friction=0.5)
        block = world.add_solid(**BLOCK)
        world.run("0.5 s")
        lowest = min(row[2] for row in rows(block.positions))
        self.assertGreater(lowest, -0.0601)
        contacts = world.contacts
        self.assertGreaterEqual(len(contacts), 4)
        self.assertTrue(all(c.solid == block and c.rod is None and c.other.name == "floor" for c in contacts))
        self.assertIn(block.name, repr(contacts[0]))
        self.assertAlmostEqual(sum(c.force[2] for c in contacts) / (2 * 9.81), 1, delta=0.05)
        self.assertLess(lowest, -0.055)


class Threads(unittest.TestCase):
    def test_worlds_run_side_by_side_with_the_same_bits(self):
        def make():
            world, rod = small_world("pobd")
            rod.clamp("start")
            return world, rod
        reference, rod = make()
        reference.step(200)
        wanted, found = rows(rod.positions), []

        def work():
            world, mine = make()
            for _ in range(20):
                world.step(10)
            found.append(rows(mine.positions))
        workers = [threading.Thread(target=work) for _ in range(4)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        self.assertEqual(found, [wanted] * 4)

    def test_one_world_is_for_one_thread_at_a_time(self):
        world, rod = small_world("der", elements=200)
        rod.clamp("start")
        stop, refused = threading.Event(), []

        def disturb():
            while not stop.is_set():
                try:
                    world.time
                except RuntimeError as error:
                    refused.append(str(error))
        other = threading.Thread(target=disturb)
        other.start()
        for _ in range(200):
            try:
                world.step(5)
            except RuntimeError:
                pass
            if refused:
                break
        stop.set()
        other.join()
        self.assertTrue(refused and "another thread" in refused[0])


class Statics(unittest.TestCase):
    def test_equilibrium_path_and_modes(self):
        for model in ("der", "galpha"):
            world, rod = small_world(model, elements=40, gravity=0)
            rod.clamp("start")
            rod.force("end", (0, 0, -1e-4), ramp=1)
            visited = []
            report = world.follow_path(1, step=0.5, on_step=lambda r: visited.append((r["time"], rows(rod.positions)[-1][2])))
            self.assertGreaterEqual(len(visited), 3)
            bending = 1e6 * 3.14159265 * 5e-3**4 / 4
            self.assertAlmostEqual(visited[-1][1] / (-1e-4 / (3 * bending)), 1, 2)
            self.assertTrue(report["equilibrium"]["is_stable"])
            frequencies, shapes = rod.modes(2)
            exact = 3.516 / (2 * 3.14159265) * (bending / (1100 * 3.14159265 * 5e-3**2)) ** 0.5
            self.assertAlmostEqual(frequencies[0] / exact, 1, 2)
            self.assertEqual(tuple(shapes.shape), (2, 41, 3))
            stopped = world.follow_path(5, step=0.5, on_step=lambda r: False)
            self.assertLess(stopped["time"], 5)

    def test_a_callback_may_read_but_not_change(self):
        world, rod = small_world("der")
        rod.clamp("start")
        with self.assertRaises(RuntimeError) as told:
            world.follow_path(1, step=0.5, on_step=lambda r: world.step())
        self.assertIn("callback", str(told.exception))
        world.step()

    def test_models_without_statics_say_so(self):
        world, rod = small_world("pobd")
        rod.clamp("start")
        with self.assertRaises(cordage.UnsupportedError):
            world.find_equilibrium()


class Runs(unittest.TestCase):
    SCENE = """
cordage: 1
title: A small run
simulation: {duration: 20 ms, step: 1 ms, model: der, modes: 2}
output: {every: 5 ms}
rods:
  - {name: cable, elements: 6, material: {young_modulus: 1 MPa, density: 1100}, section: {circle: {radius: 5 mm}},
     centerline: {line: {to: [1, 0, 0]}}}
supports: [{clamp: cable.start}]
probes: [{name: tip, position: cable.end}]
"""

    def test_a_run_is_written_and_read_lazily(self):
        with tempfile.TemporaryDirectory() as folder:
            told = []
            run = cordage.Scene(text=self.SCENE).run(os.path.join(folder, "run"), threads=1,
                                                     progress=lambda time, whole: told.append(time))
            world = cordage.Scene(text=self.SCENE).build(threads=1)
            world.step(20)
            self.assertTrue(run.summary["finished"] and told)
            self.assertEqual((len(run), run.title, list(run.rods)), (5, "A small run", ["cable"]))
            rod = run.rods["cable"]
            self.assertEqual(rows(rod.positions(-1)), rows(world.rod("cable").positions))
            self.assertEqual(rows(rod.positions())[-1], rows(rod.positions(4)))
            self.assertEqual(len(rows(rod.read("tension"))), 5)
            self.assertAlmostEqual(rows(run.energy("total"))[-1], world.energy()["total"], 12)
            self.assertAlmostEqual(rows(run.times)[-1], 0.02, 12)
            self.assertIn("tip_x [m]", run.probes)
            self.assertAlmostEqual(run.probes["tip_z [m]"][-1], rows(rod.positions(-1))[-1][2], 9)
            self.assertEqual(len(rod.modes()[0]), 2)
            for wrong in (lambda: rod.positions(5), lambda: rod.read("colour"), lambda: run.energy("charm")):
                with self.assertRaises((IndexError, ValueError)):
                    wrong()
            xml.dom.minidom.parseString(run._repr_html_())
            with self.assertRaises(TypeError):
                rod.positions(1.5)
            with self.assertRaisesRegex(KeyError, "no body is named 'x'"):
                run.body("x", 0)
            table = os.path.join(folder, "run", "probes.csv")
            for text, fails in (("", False), ("time [s],a\n0,1\n0.1", False), ("time [s],a\n0,1\n0.1,abc\n", True)):
                with open(table, "w", encoding="utf-8") as file:
                    file.write(text)
                with self.assertRaisesRegex(cordage.FormatError, "probes.csv") if fails else contextlib.nullcontext():
                    self.assertEqual([rows(column) for column in run.probes.values()], [[0], [1]] if text else [])
            run.close()
            with self.assertRaises((cordage.Error, ValueError, IndexError)):
                rod.positions(0)

    def test_probes_runs_and_worlds_say_the_same(self):
        """Of every model, open and closed, with many turns: curvature, twist and tension of a probe, of a run that is read
        and of the world are one number."""
        variants = (("pobd", {}, 2, True), ("pobd", {"solver": "gauss_seidel"}, 0.5, True), ("der", {}, 8, True),
                    ("der", {"curvature": "angle"}, 8, True), ("galpha", {}, 2, False), ("corde", {}, 2, True),
                    ("reference", {}, 2, True))
        for model, options, turns, has_ring in variants:
            text = self.turned_scene(model, options, turns, has_ring)
            with self.subTest(model=model, options=options), tempfile.TemporaryDirectory() as folder:
                run = cordage.Scene(text=text).run(os.path.join(folder, "run"), threads=1)
                world = cordage.Scene(text=text).build(threads=1)
                world.step(150)
                probes = {title.partition(" [")[0]: list(column)[-1] for title, column in run.probes.items()}
                for rod in run.rods:
                    for field, letter, components in (("curvature", "k", 2), ("twist", "t", 1), ("tension", "n", 1)):
                        stored, live = rows(run.rods[rod].read(field, -1)), rows(world.rod(rod).field(field))
                        for i, pair in enumerate(zip(stored, live)):
                            for k in range(components):
                                name = f"{rod}_{letter}{i}" + (f"_{k + 1}" if components > 1 else "")
                                self.assert_same(probes[name], [one[k] if components > 1 else one for one in pair], name)
                if model == "der":
                    self.assertGreater(probes["line_t5"], 40)
                run.close()

    def assert_same(self, probe, others, name):
        for other in others:
            if probe == probe or other == other:  # not a number at free ends
                self.assertLessEqual(abs(probe - other), 1e-12 * max(1, abs(probe)), name)

    @staticmethod
    def turned_scene(model, options, turns, has_ring):
        elements = 10
        nodes = {"line": elements + 1, "ring": elements} if has_ring else {"line": elements + 1}
        own = f"{model}: {{" + ", ".join(f"{key}: {value}" for key, value in options.items()) + "}, " if options else ""
        rods = ["{name: line, centerline: {line: {to: [1, 0, 0]}}",
                f"{{name: ring, centerline: {{circle: {{radius: 0.2, center: [0, 2, 0]}}}}, rest: straight, twist: {turns / 0.2}"]
        rods = "".join(f"  - {rod}, material: m, section: {{circle: {{radius: 5 mm}}}}, elements: {elements}}}\n"
                       for rod in rods[:len(nodes)])
        probes = "".join(f"  - {{name: {rod}_k{i}, curvature: {rod}.node({i})}}\n  - {{name: {rod}_t{i}, twist: {rod}.node({i})}}\n"
                         for rod, count in nodes.items() for i in range(count))
        probes += "".join(f"  - {{name: {rod}_n{i}, tension: {rod}.element({i})}}\n" for rod in nodes for i in range(elements))
        return f"""cordage: 1
simulation: {{model: {model}, {own}step: 2 ms, duration: 0.3 s, gravity: [0, 0, -2]}}
output: {{every: 100 ms}}
materials: {{m: {{young_modulus: 1 MPa, poisson_ratio: 0.4, density: 1100, damping: 20 ms}}}}
rods:
{rods}supports:
  - {{clamp: line.start}}
  - {{clamp: line.end, motion: [{{rotate: {{axis: [1, 0, 0], angle: {turns} turns}}, to: 0.15 s}},
     {{move: [-0.02, 0, 0], to: 0.1 s}}]}}
probes:
{probes}"""

    ADAPTIVE = """
cordage: 1
simulation: {duration: 0.3 s, step: 1 ms, model: der}
output: {every: 10 ms}
rods:
  - {name: rope, elements: 8, adapt: on, material: {young_modulus: 1 MPa, density: 1100},
     section: {circle: {radius: 5 mm}}, centerline: {line: {to: [1, 0, 0]}}}
  - {name: rigid, elements: 4, material: {young_modulus: 1 GPa, density: 1100}, section: {circle: {radius: 5 mm}},
     centerline: {line: {from: [0, 1, 0], to: [1, 1, 0]}}}
supports: [{clamp: rope.start}, {clamp: rigid.start}]
"""

    def test_outputs_of_changing_resolution_have_their_own_lengths(self):
        with tempfile.TemporaryDirectory() as folder:
            run = cordage.Scene(text=self.ADAPTIVE).run(os.path.join(folder, "run"), threads=1)
            rope, other = run.rods["rope"], run.rods["rigid"]
            self.assertTrue(rope.adapts and not other.adapts)
            counts = [len(rows(positions)) for positions in rope.positions()]
            self.assertEqual((counts[0], len(counts)), (9, 31))
            self.assertGreater(max(counts), 9)
            self.assertGreaterEqual(rope.node_count, max(counts))
            for frame, count in enumerate(counts):
                arc, levels = rows(rope.arc_lengths(frame)), rows(rope.levels(frame))
                self.assertEqual((len(arc), len(levels), len(rows(rope.tension(frame)))), (count, count - 1, count - 1))
                for j, level in enumerate(levels):
                    self.assertAlmostEqual(arc[j + 1] - arc[j], 0.125 / 2**level, 12)
                self.assertEqual(rows(rope.sample("positions", arc, frame)), rows(rope.positions(frame)))
            tip = rope.sample("positions", [0.5, 1])
            self.assertEqual((len(tip), len(rows(tip[-1])), len(rows(tip[-1])[1])), (31, 2, 3))
            self.assertEqual(rows(tip[-1])[1], rows(rope.positions(-1))[-1])
            self.assertEqual(rows(other.levels(3)), [0, 0, 0, 0])
            self.assertEqual(len(rows(other.positions())), 31)
            for wrong in ([1.1], [-0.1], [float("nan")]):
                with self.assertRaises((cordage.Error, ValueError)):
                    rope.sample("positions", wrong, 0)
            with self.assertRaises(TypeError):
                rope.sample("positions", ["here"], 0)

    def test_what_is_no_run_says_so(self):
        with self.assertRaises(cordage.FileError):
            cordage.Run("nowhere")


class Mistakes(unittest.TestCase):
    def test_names_that_mean_nothing_are_not_set(self):
        world, rod = small_world()
        with self.assertRaises(AttributeError) as told:
            world.gravitiy = 0
        self.assertIn("did you mean 'gravity'?", str(told.exception))
        with self.assertRaises(AttributeError):
            rod.postions = 0

        class Mine(cordage.World):
            pass

        mine = Mine()
        mine.purpose = "my own"
        self.assertEqual(mine.purpose, "my own")

    def test_keywords_of_other_programs_are_told_their_place(self):
        for keywords, cure in (({"dt": 1e-3}, "step"), ({"duration": 1}, "world.run("), ({"friction": 0.3}, "contact"),
                               ({"scene": "a.yaml"}, "cordage.load("), ({"modle": "der"}, "did you mean 'model'?"),
                               ({"colour": 1}, "there are gravity, step")):
            with self.assertRaises(TypeError) as told:
                cordage.World(**keywords)
            self.assertIn(f"no '{next(iter(keywords))}'; ", str(told.exception))
            self.assertIn(cure, str(told.exception))

    def test_rods_and_places_that_are_not_there(self):
        world, rod = small_world()
        for name, cure in (("cabel", "did you mean 'cable'?"), ("xyz", "there are cable")):
            with self.assertRaises(KeyError) as told:
                world.rod(name)
            self.assertIn(cure, str(told.exception))
        with self.assertRaises(cordage.SceneError) as told:
            rod.clamp(0.5)
        self.assertIn("nodes have whole numbers", str(told.exception))

    def test_gravity_can_be_set_by_its_name(self):
        world, rod = small_world()
        world.gravity = (0, 0, -2)
        self.assertEqual(world.gravity, (0, 0, -2))
        world.step()
        self.assertAlmostEqual(rod.velocities[-1][2], -2 * world.time, delta=1e-3 * world.time)
        world.gravity = 0
        self.assertEqual(world.gravity, (0, 0, 0))

    def test_worlds_are_not_copied_but_told_how(self):
        world, rod = small_world()
        for thing in (world, rod):
            for attempt in (copy.copy, copy.deepcopy, pickle.dumps):
                if attempt is copy.copy and thing is rod:
                    continue  # another handle of the same rod
                with self.assertRaises(TypeError) as told:
                    attempt(thing)
                self.assertIn("snapshot", str(told.exception))
        with self.assertRaises(TypeError) as told:
            world.restore(None)
        self.assertIn("snapshot()", str(told.exception))

    @unittest.skipUnless(numpy, "NumPy")
    def test_short_forms_and_places(self):
        world, rod = small_world()
        for word, keywords in (("young_modulus", {"young_modulos": 1}), ("radius", {"raduis": 1}), ("points", {"point": 1})):
            with self.assertRaises(cordage.ArgumentError) as told:
                world.add_rod(**keywords)
            self.assertIn(f"did you mean '{word}'?", str(told.exception))
        with self.assertRaises(cordage.ArgumentError):
            world.add_rod(line=((0, 0, 0), (1, 0, 0)), radius=(1, 2, 3))
        with self.assertRaises(cordage.Error):
            rod.clamp(True)
        if numpy is not None:
            other = world.add_rod(line=numpy.array([[0, 1, 0], [1, 1, 0]]), radius=numpy.array([0.005, 0.003]), elements=4,
                                  young_modulus=1e6, density=1000)
            self.assertAlmostEqual(other.radii[-1], 0.003)
            self.assertEqual(other.measure("position", numpy.int64(-1)), (1, 1, 0))

    def test_what_is_gone_can_be_printed(self):
        world, rod = small_world()
        other = world.add_rod(line=((0, 1, 0), (1, 1, 0)), radius="5 mm", elements=4, young_modulus=1e6, density=1000)
        solid = world.add_solid(**BLOCK)
        other.remove()
        self.assertIn("no longer", repr(other))
        world.close()
        for thing in (world, rod, solid):
            self.assertIn("closed", repr(thing))

    def test_flat_is_stale_too(self):
        world, rod = small_world()
        flat = rod.positions
        world.step()
        with self.assertRaises(cordage.StaleViewError):
            flat.flat


class Showing(unittest.TestCase):
    def test_pictures_are_svg(self):
        world, rod = small_world()
        world.add_body(sphere={"radius": 0.05}, mass=1, position=(0, 0, 1))
        xml.dom.minidom.parseString(world._repr_html_())
        xml.dom.minidom.parseString(cordage.World()._repr_html_())
        self.assertIn("1 rod at", repr(world))

    def test_plot_needs_matplotlib_and_says_so(self):
        world, rod = small_world()
        with unittest.mock.patch.dict(sys.modules, {"matplotlib": None}), self.assertRaises(ImportError) as told:
            world.plot()
        self.assertIn("matplotlib", str(told.exception))

    def test_charts(self):
        try:
            import matplotlib
        except ImportError:
            self.skipTest("matplotlib is not installed")
        matplotlib.use("Agg")
        from matplotlib import pyplot
        self.addCleanup(pyplot.close, "all")
        world, rod = small_world()
        axes = world.plot()
        drawn = list(zip(*axes.lines[0].get_data_3d()))
        self.assertEqual(len(axes.lines), 1)
        numpy.testing.assert_allclose(drawn, rod.positions)
        self.assertEqual((axes.get_xlabel(), axes.get_zlabel()), ("x [m]", "z [m]"))
        with tempfile.TemporaryDirectory() as folder:
            run = cordage.Scene(text=Runs.SCENE).run(os.path.join(folder, "run"))
            axes = run.plot("total", "bend")
            self.assertEqual([line.get_label() for line in axes.lines], ["total", "bend"])
            self.assertEqual((axes.get_xlabel(), axes.get_ylabel()), ("time [s]", "energy [J]"))
            numpy.testing.assert_array_equal(axes.lines[1].get_ydata(), run.energy("bend"))
            for name, count in (("tip", 3), ("tip_z", 1), ("tip_z [m]", 1)):
                axes = run.plot(name)
                self.assertEqual((len(axes.lines), axes.get_ylabel()), (count, "[m]"))
                numpy.testing.assert_array_equal(axes.lines[-1].get_ydata(), run.probes["tip_z [m]"])
            self.assertIs(run.plot("kinetic", axes=axes), axes)
            axes.figure.savefig(os.path.join(folder, "chart.png"))
            self.assertGreater(os.path.getsize(os.path.join(folder, "chart.png")), 5000)
            with self.assertRaises(cordage.ArgumentError) as told:
                run.plot("tpi")
            self.assertIn("tip_z", str(told.exception))


class Leaks(unittest.TestCase):
    def test_worlds_that_are_dropped_leave_nothing(self):
        """After the first hundred worlds the memory of the process does not grow."""
        def make(count):
            for _ in range(count):
                world, rod = small_world("pobd", elements=200)
                rod.clamp("start")
                world.step()
                rod.positions.copy()
                try:
                    rod.clamp("nowhere")
                except cordage.Error:
                    pass
            gc.collect()

        def resident():
            with open("/proc/self/statm", encoding="ascii") as file:
                return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        make(100)
        before = resident()
        make(300)  # 200 elements with history: some 60 kB a world
        self.assertLess(resident() - before, 4e6)


if __name__ == "__main__":
    unittest.main()
