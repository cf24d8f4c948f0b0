"""Fits and gradients from the outside: values, files, JSON, help, and what people get wrong."""
import json
import os
import unittest

from command_case import SOURCE, CommandCase

SCENE = """cordage: 1
simulation: {model: der, mode: static}
materials: {rubber: {young_modulus: 2 MPa, density: 1100 kg/m^3}}
rods:
  - name: bar
    material: rubber
    section: {circle: {radius: 5 mm}}
    centerline: {line: {from: [0, 0, 0], to: [40 cm, 0, 0]}}
    elements: 10
supports: [{clamp: bar.start}]
loads: [{force: [0, 0, -10 mN], at: bar.end, ramp: 1 s}]
output: {every: 0.1 s}
probes: [{name: tip, position: bar.end}]
"""
YOUNG = "materials.rubber.young_modulus=1:10 MPa"


class Fits(CommandCase):
    def setUp(self):
        super().setUp()
        self.write("bar.yaml", SCENE)

    def measure(self, *sets):
        """What the scene itself says, with 0.01 mm of rounding."""
        arguments = [word for text in sets for word in ("--set", text)]
        self.run_command("run", "bar.yaml", "-o", "truth", "-q", *arguments)
        rows = [line.split(",") for line in self.read("truth", "probes.csv").splitlines()[1:]]
        self.write("tip.csv", "time [s], tip_z [mm]\n" + "".join(f"{row[0]}, {1e3 * float(row[3]):.2f}\n" for row in rows))

    def test_value_and_files(self):
        self.measure("materials.rubber.young_modulus=3.1 MPa")
        result = self.run_command("fit", "bar.yaml", "-v", "E: " + YOUNG, "--to", "tip.csv", "-o", "found")
        for word in ("1 value from 11 measurements", "MPa (3.0", "with 95 %", "exact gradients", "Next:  cordage run"):
            self.assertIn(word, result.stdout)
        self.assert_plain(result.stdout)
        document = self.run_json("fit", "bar.yaml", "-v", YOUNG, "--to", "tip.csv", "-o", "found", "-t", "1")
        value = document["values"][0]
        self.assertAlmostEqual(value["value"], 3.1, delta=0.002)
        self.assertTrue(value["low"] < 3.1 < value["high"] and not value["at_bound"])
        self.assertEqual(document["warnings"], [])
        self.assertEqual(json.loads(self.read("found", "fit.json"))["values"], document["values"])
        for name in ("report.html", "fit.png", "fit.svg", "fit.csv"):
            self.assertTrue(os.path.getsize(self.path("found", name)) > 500)
        quiet = self.run_command("fit", "bar.yaml", "-v", YOUNG, "--to", "tip.csv", "-o", "found", "-q")
        self.assertEqual(quiet.stdout + quiet.stderr, "")

    def test_warnings_are_told_quietly_too(self):
        self.measure()
        arguments = ("fit", "bar.yaml", "-v", "materials.rubber.young_modulus=3:10 MPa", "--to", "tip.csv", "-o", "found")
        self.assertIn("ended at the lower end of its range", self.run_command(*arguments).stdout)
        self.assertIn("ended at the lower end of its range", self.run_command(*arguments, "-q").stderr)

    def test_too_few_iterations(self):
        self.measure()
        result = self.run_command("fit", "bar.yaml", "-v", YOUNG.replace("MPa", "MPa (start 9)"), "--to", "tip.csv", "-o", "found",
                                  "--iterations", "1", status=1)
        self.assertIn("iterations of a round are used up", result.stdout)

    def test_mistakes(self):
        self.measure()
        self.write("bare.csv", "time, tip_z\n0, 1\n")
        self.write("other.csv", "time [s], top_z [mm]\n0, 1\n1, 2\n")
        self.write("late.csv", "time [s], tip_z [mm]\n0, 1\n3, 2\n")
        good = ("-v", YOUNG, "--to", "tip.csv")
        for arguments, words in (
                (("-v", YOUNG), "what was measured?"),
                (("--to", "tip.csv"), "what is sought?"),
                (("-v", YOUNG, "--to", "bare.csv"), "bare.csv:1: column 'time' has no unit"),
                (("-v", YOUNG, "--to", "other.csv"), "column 'top_z' matches no probe of the scene; there are tip_x, tip_y, tip_z"),
                (("-v", YOUNG, "--to", "late.csv"), "late.csv: row 2 is at 3 s"),
                (("-v", YOUNG, "--to", "none.csv"), "none.csv"),
                (("-v", YOUNG + " (start 20)", "--to", "tip.csv"), "the start, 20, lies outside"),
                (("-v", "materials.rubber.yong_modulus=1:10 MPa", "--to", "tip.csv"), "did you mean 'young_modulus'?"),
                (("-v", YOUNG, "-v", "materials.rubber.damping=1:9 ms", "--to", "tip.csv"), "has no influence on the data"),
                ((*good, "--confidence", "120"), "--confidence is in per cent"),
                ((*good, "--set", "supports=[]"), "nothing holds rod 'bar'"),
                ((*good, "--set", "loads=[{force: [0, 0, -1e9 N], at: bar.end, ramp: 1 s}]"),
                 "the scene fails at the start of the fit")):
            status = 1 if "1e9 N" in arguments[-1] else 2
            result = self.run_command("fit", "bar.yaml", *arguments, "-o", "found", status=status)
            self.assertIn(words, result.stderr)
            self.assertEqual(result.stdout, "")

    def test_example(self):
        data = os.path.join(SOURCE, "examples")
        document = self.run_json("fit", "fit_cable", "-v", "E: materials.rubber.young_modulus=1:10 MPa (start 2.5)", "-v",
                                 "G: materials.rubber.shear_modulus=0.3:5 MPa (start 1)", "--to", f"{data}/fit_shape.csv",
                                 "-o", "found", "--set", "rods.cable.elements=12")
        self.assertEqual([value["name"] for value in document["values"]], ["E", "G"])
        self.assertAlmostEqual(document["values"][0]["value"], 3, delta=0.3)  # 12 elements, and a view from one side


class Gradients(CommandCase):
    def test_rates(self):
        self.write("bar.yaml", SCENE)
        tips = []
        for force in ("-9.9 mN", "-10.1 mN"):
            self.run_command("run", "bar.yaml", "-o", "out", "-q", "--set", f"loads.0.force.2={force}")
            tips.append(float(self.read("out", "probes.csv").splitlines()[-1].split(",")[3]))
        document = self.run_json("gradient", "bar.yaml", "-v", "loads.0.force.2=-10 mN", "-p", "tip_z")
        probe, = document["probes"]
        self.assertAlmostEqual(probe["rates"][0]["rate"] / ((tips[0] - tips[1]) / 0.2), 1, delta=1e-4)
        self.assertLess(document["imbalance"], 1e-9)
        self.assertIn("per mN", self.run_command("gradient", "bar.yaml", "-v", "loads.0.force.2=-10 mN").stdout)

    def test_mistakes(self):
        self.write("bar.yaml", SCENE)
        for arguments, words in ((("bar.yaml",), "rates in what?"), (("bar.yaml", "-v", YOUNG), "a rate is that at one value"),
                                 (("scene.yaml", "-v", "materials.rubber.young_modulus=1 MPa"), "gradients are those of equilibria"),
                                 (("bar.yaml", "-v", "loads.0.force.2=-10 mN", "-p", "top"), "no probe of the scene is named")):
            self.assertIn(words, self.run_command("gradient", *arguments, status=2).stderr)


if __name__ == "__main__":
    unittest.main()
