"""Obstacles and bodies in exports, read by VTK, three.js and TinyUSDZ: every corner where run.h5 has it."""
import os
import re

import h5py
import numpy as np

from command_case import CommandCase
from export_case import check_near, node, rotate
from test_vtk import array, read_collection, vtk_to_numpy

SCENE = """cordage: 1
title: Solids
simulation: {duration: 0.2 s, step: 1 ms}
output: {every: 50 ms}
rods:
  - {name: block, material: {young_modulus: 1 MPa, density: 1100 kg/m^3}, section: {circle: {radius: 5 mm}},
     centerline: {line: {from: [0, 0, 1], to: [1, 0, 1]}}, elements: 5}
obstacles:
  - {name: floor, plane: {normal: [0, 0.6, 0.8], offset: -2}}
  - {name: block, box: {size: [0.1, 0.2, 0.3]}, position: [5, 0, 0], orientation: {axis: [1, 0, 0], angle: 30 deg},
     motion: [{move: [0, 0, 1], to: 0.2 s}, {rotate: {axis: [0, 1, 0], angle: 90 deg}, to: 0.2 s}]}
  - {name: piece, mesh: {file: piece.obj}, position: [9, 0, 0]}
bodies:
  - {name: ball, shape: {sphere: {radius: 0.1}}, mass: 1 kg, position: [-5, 0, 0], angular_velocity: [3, 0, 0]}
"""
PIECE = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"
NAMES = ["floor", "block", "piece", "ball"]
USD_NAMES = ["floor", "block_2", "piece", "ball"]  # a rod has the name


def check_solid(index, points, position, orientation, what):
    """Corners in the world are those of the shape, moved to where the run has it."""
    own = rotate(orientation * [1, -1, -1, -1], points - position)
    if index == 0:
        check_near(own @ [0, 0.6, 0.8], np.full(len(own), -2), 2e-5, what)
        size = np.ptp(own, axis=0)
        if not np.all(np.sort(size)[1:] > 1):
            raise AssertionError(f"{what}: the plane is only {size}")
    elif index == 1:
        check_near(np.abs(own), np.tile([0.05, 0.1, 0.15], (len(own), 1)), 2e-6, what)
    elif index == 2:
        check_near(np.unique(np.round(own, 5), axis=0), [[0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0]], 2e-6, what)
    else:
        check_near(np.linalg.norm(own, axis=1), np.full(len(own), 0.1), 2e-6, what)


class Solids(CommandCase):
    def setUp(self):
        super().setUp()
        self.write("solids.yaml", SCENE)
        self.write("piece.obj", PIECE)
        self.run_command("run", "solids.yaml", "-o", "run", "--quiet")
        with h5py.File(self.path("run", "run.h5"), "r") as file:
            groups = [file["obstacles"][name] for name in NAMES[:3]] + [file["bodies"]["ball"]]
            self.times = np.array(file["time"])
            self.positions = [np.array(group["position"]) for group in groups]
            self.turns = [np.array(group["orientation"]) for group in groups]
        self.assertEqual(len(self.times), 5)
        self.assertGreater(abs(self.positions[3][4, 2]), 0.1)  # it falls

    def export(self, name):
        self.run_command("export", "run", "-o", name)
        return self.path(name)

    def check(self, find):
        """`find` gives the corners of a solid in the world at an output."""
        for index, name in enumerate(NAMES):
            for output in range(5):
                points = find(index, output)
                check_solid(index, points, self.positions[index][output], self.turns[index][output], f"{name} {output}")
        with self.assertRaises(AssertionError):  # the comparison can fail
            check_solid(1, find(1, 4), self.positions[1][3], self.turns[1][3], "block")

    def test_vtk(self):
        found = read_collection(self.export("out.pvd"))
        self.assertEqual(sorted(os.listdir(self.path("out"))),
                         sorted([f"out_{i:04}.vtp" for i in range(5)] + [f"out_solids_{i:04}.vtp" for i in range(5)]))
        self.assertEqual([time for time, data in found], [time for time in self.times for _ in range(2)])

        def find(index, output):
            data = found[2 * output + 1][1]
            names = data.GetFieldData().GetAbstractArray("solid_name")
            self.assertEqual([names.GetValue(i) for i in range(4)], NAMES)
            cells = np.flatnonzero(array(data.GetCellData(), "solid") == index)
            self.assertEqual(set(array(data.GetCellData(), "is_free")[cells]), {int(index == 3)})
            corners = {data.GetCell(int(c)).GetPointId(k) for c in cells for k in range(3)}
            return vtk_to_numpy(data.GetPoints().GetData())[sorted(corners)]
        self.check(find)

    def test_gltf(self):
        found = node("read_glb.mjs", self.export("out.glb"), self.path("out.bin"), *(repr(float(t)) for t in self.times))
        for kind in ("numErrors", "numWarnings", "numInfos", "numHints"):
            self.assertEqual(found["issues"][kind], 0, found["issues"]["messages"])
        self.assertEqual(len(found["solids"]), 4)

        def find(index, output):
            v = np.array(found["solids"][index]["vertices"][output]).reshape(-1, 3)
            return np.stack([v[:, 0], -v[:, 2], v[:, 1]], axis=1)
        self.check(find)

    def test_usd(self):
        found = node("read_usda.mjs", self.export("out.usda"))
        self.assertTrue(found["stage"], found["stageError"])
        self.assertTrue(found["layer"], found["layerError"])

        def value(name, attribute, output):
            """An attribute's only value, or that of an output, as TinyUSDZ writes it again."""
            own = found["text"].split(f'def Mesh "{name}"')[1].split("def Mesh")[0]
            code = re.escape(attribute)
            if samples := re.search(code + r"\.timeSamples = \{(.*?)\}", own, re.S):
                lines = re.findall(r"(\S+): \((.*?)\),", samples[1])
                check_near([float(time) for time, _ in lines], self.times * 20, 1e-6, name)
                return np.array(lines[output][1].split(","), float)
            text = re.search(code + r" = [\[(](.*?)[\])](?: \(|\n)", own)[1]
            return np.array(re.sub("[()]", "", text).split(","), float)

        def find(index, output):
            name = USD_NAMES[index]
            points = value(name, "points", 0).reshape(-1, 3)
            turn = value(name, "xformOp:orient", output)  # w first
            return value(name, "xformOp:translate", output) + rotate(turn, points)
        self.check(find)
        for name in USD_NAMES:
            self.assertEqual(len(re.findall(rf'def Mesh "{name}"', found["text"])), 1, name)
