"""Static scenes and vibrations from the outside: summaries, JSON, failures, modes as pictures and exports."""
import json
import unittest

from command_case import CommandCase

SCENE = """cordage: 1
title: A bar bends
simulation: {model: der, mode: static, gravity: [0, 0, 0], modes: 2}
output: {every: 0.2 s}
materials: {rubber: {young_modulus: 1 MPa, density: 1100 kg/m^3}}
rods:
  - name: bar
    material: rubber
    section: {circle: {radius: 1 cm}}
    centerline: {line: {from: [0, 0, 0], to: [1, 0, 0]}}
    elements: 10
supports: [{clamp: bar.start}]
loads: [{force: [0, 0, -10 mN], at: bar.end, ramp: 1 s}]
probes: [{name: tip, position: bar.end}]
"""


class Statics(CommandCase):
    def setUp(self):
        super().setUp()
        self.write("static.yaml", SCENE)

    def test_run_check_and_info(self):
        result = self.run_command("run", "static.yaml", "-o", "out")
        for word in ("A bar bends: equilibrium found", "followed to 1 s of 1 s", "the last equilibrium is stable",
                     "lowest eigenvalue", "Newton iterations", "bar: ", "Hz"):
            self.assertIn(word, result.stdout)
        self.assertEqual(result.stderr, "")
        self.assert_plain(result.stdout)
        summary = json.loads(self.read("out", "summary.json"))
        self.assertTrue(summary["finished"] and summary["equilibrium"]["stable"])
        self.assertEqual(summary["outputs"], summary["equilibrium"]["steps"] + 1)
        text = self.run_command("check", "static.yaml").stdout
        self.assertIn("equilibria    while loads and supports go to 1 s", text)
        self.assertNotIn("step  ", text)
        self.assertIsNone(self.run_json("check", "static.yaml")["advised_step"])
        self.assertIn("bar: ", self.run_command("info", "out").stdout)
        self.run_command("run", "--resume", "out", status=2)

    def test_both_models_agree(self):
        energies = []
        for model in ("der", "galpha"):
            document = self.run_json("run", "static.yaml", "-m", model)
            self.assertTrue(document["equilibrium"]["stable"])
            energies.append(document["energy_end"])
        self.assertLess(abs(energies[0] / energies[1] - 1), 0.02)
        self.run_command("run", "static.yaml", "-m", "pobd", status=2)

    def test_failure(self):
        result = self.run_command("run", "static.yaml", "-o", "out", "--set", "simulation.static={steps: 2}", status=1)
        self.assertIn("2 steps are used up", result.stderr)
        self.assertIn("no equilibrium", result.stdout)
        summary = json.loads(self.read("out", "summary.json"))
        self.assertFalse(summary["finished"])
        self.assertGreater(len(summary["equilibrium"]["history"]), 0)
        self.assertEqual(self.read("out", "probes.csv").count("\n"), 4)

    def test_modes_are_drawn_and_exported(self):
        self.run_command("run", "static.yaml", "-o", "out", "-q")
        self.run_command("render", "out", "--mode", "1", "-o", "mode.png", "--size", "64x48", "--quality", "draft")
        self.run_command("export", "out", "--mode", "2", "--amplitude", "0.2", "-o", "mode.glb")
        for arguments in (("render", "out", "--mode", "3", "-o", "x.png"), ("export", "out", "--mode", "3", "-o", "x.glb"),
                          ("render", "out", "--amplitude", "1", "-o", "x.png"),
                          ("export", "out", "--amplitude", "1", "-o", "x.glb"),
                          ("export", "out", "--mode", "1", "--amplitude", "-1", "-o", "x.glb")):
            self.run_command(*arguments, status=2)


if __name__ == "__main__":
    unittest.main()
