"""Running: results, JSON, interruption by signals, resumption to the same bits, failures."""
import csv
import json
import os
import resource
import shutil
import signal

from command_case import SOURCE, TIMEOUT, CommandCase, SCENE

LONG = SCENE.replace("duration: 0.2 s", "duration: 4 s").replace("step: 1 ms", "step: 0.2 ms")


class Run(CommandCase):
    def test_summary_and_files(self):
        result = self.run_command("run", "scene.yaml")
        for word in ("A cable swings", "200 ms of 200 ms", "20 elements", "200, 21 outputs", "real time", "energy", "residual",
                     "scene-run/run.h5", "scene-run/probes.csv", "scene-run/summary.json", "cordage info scene-run"):
            self.assertIn(word, result.stdout)
        self.assertEqual(result.stderr, "")
        self.assert_plain(result.stdout)
        self.assertEqual(sorted(os.listdir(self.path("scene-run"))), ["probes.csv", "run.h5", "summary.json"])
        self.assertEqual(self.read("scene-run", "probes.csv").count("\n"), 22)
        json.loads(self.read("scene-run", "summary.json"))

    def test_json(self):
        document = self.run_json("run", "scene.yaml", "-o", "here")
        self.assertEqual(document["outcome"], "finished")
        self.assertEqual(document["exit_status"], 0)
        self.assertEqual((document["steps"], document["outputs"], document["time"]), (200, 21, 0.2))
        self.assertTrue(os.path.exists(self.path(document["files"]["run.h5"])))
        self.assertLess(document["energy_end"], 1e-3)

    def test_quiet(self):
        result = self.run_command("run", "scene.yaml", "-q")
        self.assertEqual((result.stdout, result.stderr), ("", ""))

    def test_set_and_model(self):
        document = self.run_json("run", "scene.yaml", "--set", "rods.cable.elements=7", "--set=simulation.duration=50 ms",
                                 "--model", "pobd", "--threads", "1")
        self.assertEqual((document["elements"], document["time"]), (7, 0.05))
        info = self.run_json("info", "scene-run")["run"]
        self.assertIn("rods.cable.elements=7", info["overrides"])

    def test_threads_do_not_matter(self):
        self.run_command("run", "scene.yaml", "-o", "one", "--threads", "1")
        self.run_command("run", "scene.yaml", "-o", "two", "--threads", "2")
        self.assertEqual(self.read("one", "probes.csv"), self.read("two", "probes.csv"))

    def test_standard_input(self):
        self.run_command("run", "-", input=self.read("scene.yaml"))
        self.assertTrue(os.path.exists(self.path("stdin-run", "run.h5")))

    def test_default_directory(self):
        os.mkdir(self.path("deep"))
        os.rename(self.path("scene.yaml"), self.path("deep", "my.scene.yaml"))
        self.run_command("run", "deep/my.scene.yaml")
        self.assertTrue(os.path.exists(self.path("my.scene-run", "run.h5")))

    def test_example(self):
        for item in self.run_json("examples")["examples"][:1]:
            short = ("--set", "simulation.duration=10ms", "--set", "output.every=5ms")
            self.run_command("run", item["name"], *short)
            self.assertTrue(os.path.exists(self.path(item["name"] + "-run", "run.h5")))

    def test_example_with_a_mesh_of_its_own(self):
        scene = os.path.join(SOURCE, "examples", "vessel", "guide_wire.yaml")
        self.run_command("run", scene, "--set", "simulation.duration=1.2s", "-o", "wire", "-q")
        self.assertEqual(json.loads(self.read("wire", "summary.json"))["halved_steps"], 0)
        rows = list(csv.reader(self.read("wire", "probes.csv").splitlines()))
        push = rows[0].index("push_fx [N]")
        self.assertGreater(max(float(row[push]) for row in rows[1:]), 5e-3)

    def test_large_residual_gets_advice(self):
        # One Gauss-Seidel iteration with a long step cannot come near the solution of a stiff rod; nor can 10,000.
        poor = ("--set", "simulation.pobd={solver: gauss_seidel, iterations: 1}", "--set", "simulation.step=10ms",
                "--set", "materials.rubber.young_modulus=1 GPa")
        document = self.run_json("run", "scene.yaml", *poor)
        self.assertTrue(document["residual_is_large"])
        said = self.run_command("run", "scene.yaml", *poor).stdout
        self.assertIn("its shape, forces and energy are wrong", said)
        self.assertIn("simulation.pobd.solver=direct", said)
        self.assertNotIn("simulation.pobd.iterations=", said)
        self.assertGreater(document["worst_residual"], self.run_json("run", "scene.yaml")["worst_residual"])


class Fields(CommandCase):
    """output: {fields: [...]}: every reader copes with what is not there, or says so."""

    def test_left_out(self):
        self.run_command("run", "scene.yaml", "-o", "all", "--quiet")
        self.run_command("run", "scene.yaml", "-o", "few", "--quiet", "--set", "output.fields=[tension]")
        self.assertLess(os.path.getsize(self.path("few", "run.h5")), 0.8 * os.path.getsize(self.path("all", "run.h5")))
        self.assertEqual(self.read("few", "probes.csv"), self.read("all", "probes.csv"))
        for name in ("all", "few"):
            self.run_command("export", name, "-o", name + ".csv", "--quiet")
        whole, part = ([line.split(",") for line in self.read(name + "_nodes.csv").splitlines()] for name in ("all", "few"))
        self.assertTrue(set(part[0]) < set(whole[0]))
        self.assertFalse([title for title in part[0] if title.startswith("v")])
        places = [whole[0].index(title) for title in part[0]]
        self.assertEqual(part, [[line[place] for place in places] for line in whole])
        for form in ("vtk", "usd", "gltf", "html"):
            self.run_command("export", "few", "--to", form, "--quiet")
        self.run_command("plot", "few", "--along", "cable", "--field", "tension", "--quiet")
        self.run_command("render", "few", "-o", "few.png", "--size", "64x64", "--time", "0.105", "--color", "tension", "--quiet")
        for refused in (("plot", "few", "--along", "cable", "--field", "moment"), ("info", "few", "--field", "speed"),
                        ("render", "few", "-o", "no.png", "--size", "64x64", "--color", "twist")):
            self.assertIn("leaves it out", self.run_command(*refused, status=2).stderr, refused)
        with open(self.path("few", "scene", "scene_0000.vtp"), "rb") as file:
            header = file.read()
        self.assertIn(b'"tension"', header)
        self.assertNotIn(b"velocity", header)

    def test_single_precision(self):
        """output: {precision: single}: half the file, the same to seven digits in whatever reads it."""
        self.run_command("run", "scene.yaml", "-o", "all", "--quiet")
        self.run_command("run", "scene.yaml", "-o", "half", "--quiet", "--set", "output.precision=single")
        less = os.path.getsize(self.path("all", "run.h5")) - os.path.getsize(self.path("half", "run.h5"))
        self.assertAlmostEqual(less, 4 * 21 * (21 * 12 + 20 * 14), delta=2048)  # 4 bytes a number, two attributes more
        self.assertEqual(self.read("half", "probes.csv"), self.read("all", "probes.csv"))
        for name in ("all", "half"):
            self.run_command("export", name, "-o", name + ".csv", "--quiet")
        whole, half = (self.read(name + "_nodes.csv").splitlines() for name in ("all", "half"))
        self.assertEqual((whole[0], len(whole)), (half[0], len(half)))
        for left, right in zip(whole[1:], half[1:]):
            for a, b in zip(left.split(","), right.split(",")):
                self.assertTrue(a == b or abs(float(a) - float(b)) <= 1e-7 * abs(float(a)) + 1e-37, (a, b))
        self.assertNotEqual(whole, half)
        for form in ("vtk", "usd", "gltf", "html"):
            self.run_command("export", "half", "--to", form, "--quiet")
        self.run_command("plot", "half", "--along", "cable", "--field", "tension", "--quiet")
        self.run_command("render", "half", "-o", "half.png", "--size", "64x64", "--time", "0.105", "--color", "twist", "--quiet")
        self.assertIn("precision=single", self.run_command("info", "half").stdout)
        sizes = [self.run_json("check", "scene.yaml", "--set", f"output.precision={name}")["file_bytes"]
                 for name in ("double", "single")]
        self.assertEqual(sizes[0] - sizes[1], 4 * 21 * (21 * 12 + 20 * 14))

    def test_check_counts_what_is_written(self):
        sizes = [self.run_json("check", "scene.yaml", "--set", f"output.fields={fields}")["file_bytes"]
                 for fields in ("all", "[tension]", "[]")]
        nodes, elements, outputs = 21, 20, 21
        left = 8 * outputs * (nodes * (3 + 3 + 2 + 1) + elements * (3 + 3 + 3))  # v, moment, curvature, twist; w, forces, strains
        self.assertEqual((sizes[0] - sizes[1], sizes[1] - sizes[2]), (left, 8 * outputs * elements))


class Readings(CommandCase):
    def test_info_tells_first_last_least_and_most(self):
        self.write("scene.yaml", self.read("scene.yaml") + "  - {name: bend, bend radius: cable}\n"
                   "  - {name: wind, writhe: cable}\n")
        self.run_command("run", "scene.yaml", "-o", "run", "--quiet")
        rows = [line.split(",") for line in self.read("run", "probes.csv").splitlines()]
        readings = {item["name"]: item for item in self.run_json("info", "run")["readings"]}
        self.assertEqual(set(readings), {title.split(" [")[0] for title in rows[0][1:]})
        column = [float(row[3]) for row in rows[1:]]
        tip = readings["tip_z"]
        self.assertEqual((tip["unit"], tip["first"], tip["last"]), ("m", column[0], column[-1]))
        self.assertEqual((tip["least"], tip["most"]), (min(column), max(column)))
        self.assertEqual(tip["least_time"], float(rows[1 + column.index(min(column))][0]))
        self.assertGreater(readings["bend"]["least"], 0)  # the clamped end is bent, the straight start not at all
        self.assertLess(readings["bend"]["least"], 10)
        self.assertLess(abs(readings["wind_writhe"]["most"]), 1e-9)  # it swings in a plane
        text = self.run_command("info", "run").stdout
        self.assertRegex(text, r"probes +first +last +least +at +most +at\n")
        self.assertRegex(text, r"tip_z \[m\] +0 ")


    def test_info_reduces_fields_over_rods_and_time(self):
        self.run_command("run", "scene.yaml", "-o", "run", "--quiet")
        self.run_command("export", "run", "-o", "all.csv", "--quiet")
        with open(self.path("all_nodes.csv"), encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        document = self.run_json("info", "run", "--field", "speed,velocities.z,tension")
        told = {item["field"]: item for item in document["fields"]}
        self.assertEqual(list(told), ["speed", "velocities.z", "tension"])
        title = next(name for name in rows[0] if name.startswith("vz"))
        column = [float(row[title]) for row in rows if row[title]]
        falling = told["velocities.z"]
        self.assertEqual((falling["unit"], falling["per"]), ("m/s", "node"))
        self.assertAlmostEqual(falling["least"]["value"], min(column), delta=1e-6)
        self.assertAlmostEqual(falling["most"]["value"], max(column), delta=1e-6)
        fastest = rows[column.index(min(column))]
        self.assertEqual((falling["least"]["index"], falling["least"]["time"]),
                         (int(fastest["node"]), float(fastest["time [s]"])))
        self.assertAlmostEqual(falling["least"]["along"], int(fastest["node"]) / 20, delta=1e-9)  # of 20 elements, 1 m
        self.assertEqual(told["speed"]["least"]["value"], 0)  # at the start, and at the clamp
        self.assertLess(told["speed"]["mean"], told["speed"]["most"]["value"])
        text = self.run_command("info", "run", "--field", "speed").stdout
        self.assertRegex(text, r"fields +least +along +at +most +along +at +mean\n +cable speed \[m/s\] +0 ")
        refused = self.run_command("info", "run", "--field", "speeed", status=2)
        self.assertIn("did you mean 'speed'?", refused.stderr)
        self.assertIn("such as 'positions.x'", self.run_command("info", "run", "--field", "positions", status=2).stderr)

    def test_summary_tells_where_time_went(self):
        self.write("scene.yaml", self.read("scene.yaml") + "obstacles: [{plane: {normal: [0, 0, 1], offset: -1 cm}}]\n")
        text = self.run_command("run", "scene.yaml", "-o", "run").stdout
        self.assertRegex(text, r"real time\n +\d+ % [a-z ]+.*, \d+ % ")
        for document in (self.run_json("run", "scene.yaml", "-o", "run"), json.loads(self.read("run", "summary.json"))):
            seconds = dict(document["seconds_of"])
            self.assertGreater(seconds.pop("contact_rounds"), 0)
            self.assertEqual(set(seconds), {"rods", "contact", "rods_again", "divided_steps", "books", "outputs"})
            for name in ("rods", "contact", "rods_again", "books", "outputs"):
                self.assertGreater(seconds[name], 0, name)
            self.assertLess(sum(seconds.values()), document["wall_seconds"])


class Failures(CommandCase):
    def test_unwritable_directory(self):
        result = self.run_command("run", "scene.yaml", "-o", "/dev/null/here", status=2)
        self.assertIn("/dev/null/here", result.stderr)
        document = self.run_json("run", "scene.yaml", "-o", "/dev/null/here", status=2)
        self.assertEqual((document["outcome"], document["exit_status"]), ("refused", 2))

    def test_full_disk_keeps_what_was_computed(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (40000, 40000))
        result = self.run_command("run", "scene.yaml", status=1, preexec_fn=limit)
        self.assertIn("error:", result.stderr)
        self.assertIn("scene-run", result.stderr)
        # Whatever is there must be readable, or plainly not there.
        if os.path.exists(self.path("scene-run", "run.h5")):
            self.run_json("info", "scene-run")

    def test_not_finite(self):
        self.write("wild.yaml", SCENE + "loads:\n  - {force: [0, 0, 1e300 N], at: cable.end, from: 0.05 s}\n")
        result = self.run_command("run", "wild.yaml", status=1)
        self.assertIn("cable", result.stderr)
        self.assertIn("kept in wild-run", result.stderr)
        info = self.run_json("info", "wild-run")["run"]
        self.assertFalse(info["finished"])
        self.assertGreaterEqual(info["outputs"], 5)

    def test_foreign_files_are_left_alone(self):
        os.mkdir(self.path("mine"))
        self.write("mine/probes.csv", "my own table\n")
        self.run_command("run", "scene.yaml", "-o", "mine", status=2)
        self.assertEqual(self.read("mine", "probes.csv"), "my own table\n")


class Resume(CommandCase):
    def setUp(self):
        super().setUp()
        self.write("long.yaml", LONG)

    def interrupt(self, number):
        """Starts a long run, stops it by a signal after some outputs; returns exit status, stdout, stderr."""
        shutil.rmtree(self.path("broken"), ignore_errors=True)  # an older probes.csv would look like progress
        process = self.start("run", "long.yaml", "-o", "broken", "--set", "rods.cable.elements=21")
        self.wait_for_outputs(process, "broken", 7)
        process.send_signal(number)
        stdout, stderr = process.communicate(timeout=TIMEOUT)
        return process.returncode, stdout, stderr

    def assert_same_as_whole(self):
        self.run_command("run", "long.yaml", "-o", "whole", "--set", "rods.cable.elements=21", "--quiet")
        self.assertEqual(self.read("broken", "probes.csv"), self.read("whole", "probes.csv"))
        whole, broken = (self.run_json("info", name)["run"] for name in ("whole", "broken"))
        for key in ("energy_end", "outputs", "time_end", "finished", "rods", "overrides"):
            self.assertEqual(whole[key], broken[key])

    def test_ctrl_c(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            status, stdout, stderr = self.interrupt(number)
            self.assertEqual(status, 1)
            self.assertIn("interrupted", stderr)
            self.assertIn("cordage run --resume broken", stderr)
            self.assert_plain(stdout + stderr)
            info = self.run_json("info", "broken")["run"]
            self.assertFalse(info["finished"])
            self.assertGreater(info["outputs"], 6)
            self.assertIn("--resume broken", self.run_command("info", "broken").stdout)
        result = self.run_command("run", "--resume", "broken")
        self.assertIn("(resumed)", result.stdout)
        self.assert_same_as_whole()

    def test_kill(self):
        status, _, _ = self.interrupt(signal.SIGKILL)
        self.assertEqual(status, -signal.SIGKILL)
        self.assertGreater(self.run_json("info", "broken")["run"]["outputs"], 6)
        document = self.run_json("run", "--resume", "broken", "--threads", "2")
        self.assertTrue(document["resumed"])
        self.assert_same_as_whole()

    def test_again_and_again(self):
        self.interrupt(signal.SIGKILL)
        for count, number in ((20, signal.SIGINT), (40, signal.SIGKILL), (60, signal.SIGTERM)):
            process = self.start("run", "--resume", "broken", "--json")
            self.wait_for_outputs(process, "broken", count)
            process.send_signal(number)
            stdout, _ = process.communicate(timeout=TIMEOUT)
            if number != signal.SIGKILL:
                self.assertEqual(process.returncode, 1)
                document = json.loads(stdout)
                self.assertEqual((document["outcome"], document["exit_status"]), ("interrupted", 1))
        self.run_command("run", "--resume", "broken")
        self.assert_same_as_whole()
        result = self.run_command("run", "--resume", "broken")
        self.assertIn("already finished", result.stdout)
        self.assertEqual(self.run_json("run", "--resume", "broken")["outcome"], "finished")

    def test_with_the_scene_given(self):
        self.interrupt(signal.SIGINT)
        self.run_command("run", "long.yaml", "--set", "rods.cable.elements=22", "--resume", "broken", status=2)
        self.run_command("run", "scene.yaml", "--resume", "broken", status=2)
        self.run_command("run", "long.yaml", "--set", "rods.cable.elements=21", "--resume", "broken")
        self.assert_same_as_whole()

    def test_kill_while_resolution_changes(self):
        self.write("rope.yaml", """cordage: 1
title: A rope that falls down and adapts
simulation: {model: der, duration: 0.6 s, step: 0.5 ms, adapt: on}
output: {every: 5 ms}
rods:
  - {name: rope, elements: 24, material: {young_modulus: 1 MPa, density: 1100}, section: {circle: {radius: 5 mm}},
     centerline: {line: {to: [1.2, 0, 0]}}}
supports: [{clamp: rope.start}]
probes: [{name: tip, position: rope.end}]
""")
        self.run_command("run", "rope.yaml", "-o", "whole", "--quiet")
        process = self.start("run", "rope.yaml", "-o", "broken")
        self.wait_for_outputs(process, "broken", 20)
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=TIMEOUT)
        self.run_command("run", "--resume", "broken", "--threads", "2", "--quiet")
        self.assertEqual(self.read("broken", "probes.csv"), self.read("whole", "probes.csv"))
        whole, broken = (self.run_json("info", name)["run"] for name in ("whole", "broken"))
        self.assertEqual((whole["rods"], whole["energy_end"]), (broken["rods"], broken["energy_end"]))
        rod = whole["rods"][0]
        self.assertEqual(rod["nodes_least"], 25)
        self.assertGreater(rod["nodes_most"], 25)
        self.assertTrue(25 < rod["nodes_mean"] < rod["nodes_most"])
        self.assertIn("adapts: 25 to", self.run_command("info", "whole").stdout)
        for name in ("whole", "broken"):
            self.run_command("export", name, "--to", "csv", "-o", name + ".csv")
        for table in ("_nodes.csv", "_elements.csv"):
            self.assertEqual(self.read("whole" + table), self.read("broken" + table))

    def test_longer(self):
        rope = """cordage: 1
simulation: {model: der, duration: 60 ms, adapt: on}
rods:
  - {name: rope, elements: 12, material: {young_modulus: 1 MPa, density: 1100}, section: {circle: {radius: 5 mm}},
     centerline: {line: {to: [0.6, 0, 0]}}}
supports: [{clamp: rope.start}]
obstacles: [{plane: {normal: [0, 0, 1], offset: -2 cm}}]
probes: [{name: tip, position: rope.end}]
"""
        self.write("rope.yaml", rope)
        self.run_command("run", "rope.yaml", "-o", "longer", "--quiet")
        step = self.run_json("info", "longer")["run"]["step"]
        result = self.run_command("run", "--resume", "longer", "--until", "119.5 ms", "--quiet")
        self.assertIn("cordage: longer: goes on to 0.12 s, for outputs are every 0.0012 s\n", result.stderr)
        self.run_command("run", "rope.yaml", "--resume", "longer", "--until", "0.15 s", status=2)  # other settings than its own
        self.run_command("run", "--resume", "longer", "--until", "0.15 s", "--quiet")
        self.run_command("run", "rope.yaml", "-o", "whole", "--quiet", "--set", "simulation.duration=0.15", "--set",
                         "output.every=1.2 ms", "--set", f"simulation.step={step!r}")
        self.assertEqual(self.read("longer", "probes.csv"), self.read("whole", "probes.csv"))
        whole, longer = (self.run_json("info", name)["run"] for name in ("whole", "longer"))
        for key in ("rods", "energy_end", "outputs", "time_end", "finished"):
            self.assertEqual(whole[key], longer[key])
        self.assertGreater(longer["rods"][0]["nodes_most"], 13)

    def test_longer_of_a_curve(self):
        """A ring that starts at its finest, and is made coarser when its step is chosen; joined to another rod."""
        self.write("lasso.yaml", """cordage: 1
simulation: {model: corde, duration: 40 ms, adapt: on}
output: {every: 10 ms}
rods:
  - {name: ring, elements: 12, material: {young_modulus: 1 MPa, density: 1100}, section: {circle: {radius: 3 mm}},
     centerline: {circle: {center: [0, 0, 0], radius: 0.1, axis: [0, 0, 1]}}}
  - {name: tail, elements: 6, material: {young_modulus: 1 MPa, density: 1100}, section: {circle: {radius: 3 mm}},
     centerline: {line: {from: [0.1, 0, 0], to: [0.3, 0, 0]}}}
supports: [{clamp: tail.end}]
joints: [{join: [ring.node(0), tail.start]}]
probes: [{name: far, position: ring.node(6)}]
""")
        self.run_command("run", "lasso.yaml", "-o", "longer", "--quiet")
        self.run_command("run", "--resume", "longer", "--until", "70 ms", "--quiet")
        self.run_command("run", "lasso.yaml", "-o", "whole", "--quiet", "--set", "simulation.duration=70 ms")
        self.assertEqual(self.read("longer", "probes.csv"), self.read("whole", "probes.csv"))
        ring = self.run_json("info", "longer")["run"]["rods"][0]
        self.assertLess(ring["nodes_least"], 96)

    def test_longer_of_solids_that_touch(self):
        """Results do not depend on how long pairs of their surfaces have been known."""
        self.write("blocks.yaml", """cordage: 1
simulation: {duration: 70 ms, step: 5 ms, gravity: [0, 0, 0]}
output: {every: 5 ms}
solids:
  - &block {name: a, shape: {box: {size: [5 cm, 4 cm, 3 cm]}, resolution: 2 cm}, orientation: {axis: [1, 2, 3], angle: 50 deg},
     model: shape_matching, shape_matching: {mode: linear, relaxation_time: 5 ms}, material: {density: 500 kg/m^3}}
  - {<<: *block, name: b, position: [1 cm, 0.5 cm, 6 cm], orientation: {axis: [1, 2, 3], angle: 120 deg}, velocity: [0, 0, -1 m/s]}
probes: [{name: energy, energy: all}, {name: p, position: b}, {name: n, contacts: b}]
""")
        self.run_command("run", "blocks.yaml", "-o", "whole", "--quiet")
        for end in ("20 ms", "40 ms"):
            self.run_command("run", "blocks.yaml", "-o", "longer", "--quiet", "--force", "--set", f"simulation.duration={end}")
            self.run_command("run", "--resume", "longer", "--until", "70 ms", "--quiet")
            self.assertEqual(self.read("longer", "probes.csv"), self.read("whole", "probes.csv"))

    def test_nothing_to_resume(self):
        self.assertIn("absent", self.run_command("run", "--resume", "absent", status=2).stderr)
        self.run_json("run", "--resume", "absent", status=2)
        self.run_command("run", "scene.yaml", "--resume", "absent", status=2)
        self.assertFalse(os.path.exists(self.path("absent")))


