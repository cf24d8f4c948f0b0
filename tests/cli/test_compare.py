"""cordage compare: the table's numbers are those of the runs, and one variant's trouble does not stop the others."""
import math
import os
import struct
import xml.etree.ElementTree as ElementTree

from command_case import SCENE, CommandCase

# galpha cannot close a rod
RING = SCENE.replace("{line: {from: [0, 0, 0], to: [1 m, 0, 0]}}", "{circle: {radius: 20 cm, axis: [0, 0, 1]}}").replace(
    "cable.end", "cable.node(10)")
SWEEPS = "sweeps:simulation.pobd.solver=gauss_seidel,simulation.pobd.iterations=20"


class Compare(CommandCase):
    def end_of(self, *names):
        """The tip at every output, from the run's probes."""
        lines = self.read(*names, "probes.csv").splitlines()[1:]
        return [tuple(map(float, line.split(",")))[1:4] for line in lines]

    def test_numbers(self):
        document = self.run_json("compare", "scene.yaml", "-m", "pobd", "-v", SWEEPS, "-v", "again:", "-o", "out", "--no-pictures")
        self.assertEqual(document["reference"], "pobd")
        by_name = {variant["name"]: variant for variant in document["variants"]}
        self.assertEqual(list(by_name), ["pobd", "sweeps", "again"])
        first, second = self.end_of("out", "pobd"), self.end_of("out", "sweeps")
        rod = by_name["sweeps"]["rods"][0]
        self.assertEqual(rod["name"], "cable")
        self.assertEqual(tuple(rod["end"]), second[-1])
        self.assertAlmostEqual(rod["end_distance"], math.dist(first[-1], second[-1]), delta=1e-12)
        # the rod's farthest node is at least as far as its tip ever was
        self.assertGreaterEqual(rod["largest_distance"] + 1e-12, max(map(math.dist, first, second)))
        self.assertGreater(rod["largest_distance"], 0)
        self.assertLess(rod["largest_distance"], 1)
        self.assertEqual(by_name["again"]["rods"][0]["largest_distance"], 0)
        for variant in by_name.values():
            self.assertEqual(variant["outcome"], "finished")
            self.assertEqual(variant["steps"], 200)
            self.assertAlmostEqual(variant["seconds_per_element_step"], variant["wall_seconds"] / 200 / 20, delta=1e-9)
        # the same settings given to `run`
        self.run_command("run", "scene.yaml", "-o", "alone", "--quiet", "--set", "simulation.pobd.solver=gauss_seidel",
                         "--set", "simulation.pobd.iterations=20")
        self.assertEqual(self.read("alone", "probes.csv"), self.read("out", "sweeps", "probes.csv"))
        self.assertEqual(document["files"][:3], ["out/compare.svg", "out/compare.png", "out/compare.html"])
        for name in document["files"]:
            self.assertGreater(os.path.getsize(self.path(name)), 1000)
        ElementTree.parse(self.path("out", "compare.svg"))
        self.assertNotIn("http:", self.read("out", "compare.html"))

    def test_table(self):
        self.write("ring.yaml", RING)
        result = self.run_command("compare", "ring.yaml", "-m", "pobd,galpha", "-v", SWEEPS, "--against", "sweeps",
                                  "--no-pictures")
        self.assertIn("compared with 'sweeps'", result.stdout)
        self.assertIn("'galpha' refused: rod 'cable': model 'galpha' cannot simulate a closed rod", result.stdout)
        self.assertIn("ring-compare/compare.svg", result.stdout)
        self.assertFalse(os.path.exists(self.path("ring-compare", "galpha")))
        self.assert_plain(result.stdout)
        for line in result.stdout.splitlines():
            self.assertEqual(line, line.rstrip())
        quiet = self.run_command("compare", "ring.yaml", "-m", "pobd,galpha", "-v", SWEEPS, "--quiet", "--no-pictures")
        self.assertEqual(quiet.stdout, "")
        self.assertIn("'galpha' refuses the scene", quiet.stderr)

    def test_a_rod_with_its_own_model(self):
        self.write("own.yaml", RING.replace("    elements: 20\n", "    elements: 20\n    model: pobd\n"))
        document = self.run_json("compare", "own.yaml", "-m", "pobd,galpha", "-v", "asis:", "--no-pictures")
        outcomes = {variant["name"]: variant["outcome"] for variant in document["variants"]}
        self.assertEqual(outcomes, {"pobd": "finished", "galpha": "refused", "asis": "finished"})

    def test_other_resolution_and_times(self):
        document = self.run_json("compare", "scene.yaml", "-v", "coarse:rods.cable.elements=10,output.every=25ms",
                                 "-v", "fine:", "-v", "gone:simulation.gravity=[0, 0, 1]", "--against", "fine", "--no-pictures")
        coarse, fine, gone = document["variants"]
        self.assertEqual((coarse["elements"], fine["elements"]), (10, 20))
        self.assertLess(coarse["rods"][0]["largest_distance"], 0.1)
        self.assertGreater(gone["rods"][0]["largest_distance"], 0.1)

    def test_one_that_fails(self):
        """A force that no number holds makes one variant fail; two others finish, so there is a comparison."""
        self.write("load.yaml", SCENE + "loads:\n  - {force: [0, 0, 0], at: cable.end, from: 50 ms}\n")
        wild = "wild:loads.0.force=[0, 0, 1e300]"
        document = self.run_json("compare", "load.yaml", "-m", "pobd", "-v", wild, "-v", SWEEPS, "-o", "out")
        outcomes = {variant["name"]: variant["outcome"] for variant in document["variants"]}
        self.assertEqual(outcomes, {"pobd": "finished", "wild": "failed", "sweeps": "finished"})
        self.assertLess(document["variants"][1]["time"], 0.1)
        # three rows of pictures, none for a run that has no outputs; nothing else is left behind
        self.assertEqual(document["files"][-1], "out/compare_pictures.png")
        with open(self.path("out", "compare_pictures.png"), "rb") as file:
            width, height = struct.unpack(">II", file.read(24)[16:])
        self.assertEqual((width, height), (150 + 5 * 406, 34 + 3 * 256))
        self.assertEqual(sorted(os.listdir(self.path("out"))), ["compare.html", "compare.png", "compare.svg",
                                                                "compare_pictures.png", "pobd", "sweeps", "wild"])
        document = self.run_json("compare", "load.yaml", "-m", "pobd", "-v", wild, "--no-pictures", status=1)
        self.assertEqual(document["exit_status"], 1)

    def test_refusals(self):
        before = sorted(os.listdir(self.directory))
        for arguments, message in [
                (["nowhere.yaml", "-m", "pobd", "-v", "a:"], "nowhere.yaml"), (["scene.yaml"], "at least two"),
                (["scene.yaml", "-m", "pobd"], "at least two"), (["scene.yaml", "-m", "pobd,pobt"], "did you mean 'pobd'"),
                (["scene.yaml", "-m", "pobd,pobd"], "twice"), (["scene.yaml", "-m", "pobd", "-v", "../x:a=1"], "letters"),
                (["scene.yaml", "-m", "pobd", "-v", "x"], "NAME:PATH=VALUE"),
                (["scene.yaml", "-m", "pobd", "-v", "x:elements"], "sets nothing"),
                (["scene.yaml", "-m", "pobd", "-v", "x:", "--against", "y"], "no variant 'y'"),
                (["scene.yaml", "-m", "pobd", "-v", "x:", "--set", "rods.cable.elemnts=3"], "elements")]:
            result = self.run_command("compare", *arguments, status=2)
            self.assertIn(message, result.stderr, arguments)
            self.assertEqual(sorted(os.listdir(self.directory)), before, arguments)
            self.assertEqual(self.run_json("compare", *arguments, status=2)["exit_status"], 2)

    def test_standard_input_and_examples(self):
        self.run_command("compare", "-", "-m", "pobd", "-v", SWEEPS, "--quiet", "--no-pictures", input=SCENE)
        self.assertTrue(os.path.exists(self.path("stdin-compare", "sweeps", "run.h5")))
        self.run_command("compare", "cantilever", "-m", "pobd", "-v", "brief:simulation.duration=10ms", "--quiet",
                         "--no-pictures", "--set", "simulation.duration=20ms")
        self.assertTrue(os.path.exists(self.path("cantilever-compare", "compare.png")))
