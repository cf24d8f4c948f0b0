"""Runs in which rods are cut: every reader takes the parts for rods, which lie end on end before the cut."""
import json
import os
import struct
import unittest

from command_case import CommandCase

SCENE = """cordage: 1
title: Cut
simulation: {duration: 0.12 s, step: 4 ms}
output: {every: 20 ms}
materials: {rubber: {young_modulus: 1 MPa, density: 1100 kg/m^3, damping: 5 ms}}
rods:
  - {name: rope, material: rubber, section: {circle: {radius: 3 mm}}, elements: 8, adapt: {levels: 1},
     centerline: {line: {from: [0, 0, 0], to: [0.4 m, 0, 0]}}}
  - {name: ring, material: rubber, section: {rectangle: {width: 6 mm, height: 3 mm}}, elements: 10,
     centerline: {circle: {radius: 6 cm, center: [0.2 m, 0.2 m, 0]}}}
supports: [{clamp: rope.start}]
probes: [{name: tip, position: rope.end}]
cuts: [{cut: rope.node(3), at: 40 ms}, {cut: rope.node(6), at: 80 ms}, {cut: ring.node(2), at: 60 ms}]
looks: [{of: rope, color: "#208040"}]
"""
RODS = ["rope", "ring", "rope.2", "rope.3"]


class Cuts(CommandCase):
    def setUp(self):
        super().setUp()
        self.write("cut.yaml", SCENE)
        self.run_command("run", self.path("cut.yaml"), "-o", self.path("run"), "--quiet")

    def test_exports(self):
        for form, name in (("vtk", "vtk"), ("gltf", "cut.glb"), ("usd", "cut.usda"), ("html", "cut.html"), ("csv", "cut.csv")):
            self.run_command("export", self.path("run"), "--to", form, "-o", self.path(name), "--quiet")
        rows = [line.split(",") for line in self.read("cut_nodes.csv").splitlines()[1:]]
        self.assertEqual(sorted({row[2] for row in rows}), sorted(RODS))
        places = {}
        for row in rows:
            places.setdefault((row[1], row[2]), []).append([float(x) for x in row[4:7]])
        self.assertEqual(places["0", "rope"][-1], places["0", "rope.2"][0])
        self.assertEqual(places["0", "rope.2"][-1], places["0", "rope.3"][0])
        self.assertEqual(places["0", "ring"][-1], places["0", "ring"][0])
        self.assertNotEqual(places["6", "rope"][-1], places["6", "rope.2"][0])
        self.assertNotEqual(places["6", "ring"][-1], places["6", "ring"][0])
        with open(self.path("cut.glb"), "rb") as file:
            data = file.read()
        names = [node.get("name") for node in json.loads(data[20:20 + struct.unpack("<I", data[12:16])[0]])["nodes"]]
        for rod in RODS:
            self.assertIn(rod, names)
        self.assertIn('"color":"#208040"', self.read("cut.html").replace(": ", ":"))
        self.assertEqual(self.read("cut.usda").count("def BasisCurves"), 4)

    def test_what_is_drawn_and_told(self):
        self.run_command("plot", self.path("run"), "-o", self.path("plot.svg"), "--quiet")
        self.run_command("plot", self.path("run"), "--along", "rope.2", "--field", "tension", "-o", self.path("along.svg"), "--quiet")
        self.run_command("render", self.path("run"), "--size", "160x90", "-o", self.path("cut.png"), "--quiet")
        self.run_command("compare", self.path("cut.yaml"), "--models", "pobd,der", "-o", self.path("both"), "--quiet")
        for name in ("plot.svg", "along.svg", "cut.png", "both"):
            self.assertTrue(os.path.exists(self.path(name)), name)
        told = json.loads(self.run_command("info", self.path("run"), "--json").stdout)
        self.assertEqual([rod["name"] for rod in told["run"]["rods"]], RODS)


if __name__ == "__main__":
    unittest.main()
