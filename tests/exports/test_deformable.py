"""Deformable solids in exports: probes, run.h5 and VTK have the same numbers to the bit, USD and glTF to single
precision."""
import csv
import os
import re

import h5py
import numpy as np
from vtk import vtkXMLUnstructuredGridReader

from command_case import CommandCase
from export_case import check_equal, check_near, node
from test_gltf import to_run_axes
from test_usd import numbers
from test_vtk import array, vtk_to_numpy

SCENE = """cordage: 1
title: Deformable
simulation: {duration: 0.1 s, step: 5 ms}
output: {every: 20 ms}
obstacles: [{name: floor, plane: {normal: [0, 0, 1], offset: -10 cm}}]
solids:
  - {name: beam, shape: {box: {size: [20 cm, 5 cm, 5 cm]}, resolution: 2.5 cm},
     material: {young_modulus: 100 kPa, poisson_ratio: 0.3, density: 1000 kg/m^3},
     supports: [{plane: {point: [-9.9 cm, 0, 0], normal: [-1, 0, 0]}}]}
  - {name: low, shape: {box: {size: [5 cm, 5 cm, 5 cm]}, resolution: 2.5 cm}, position: [0, 20 cm, -7 cm],
     material: {young_modulus: 100 kPa, poisson_ratio: 0.3, density: 1000 kg/m^3, damping_time: 20 ms}}
probes:
  - {name: most, stress: beam}
  - {name: here, stress: {solid: beam, at: [-8 cm, 1 cm, 2 cm]}}
  - {name: pressed, contact force: low}
"""


class Deformable(CommandCase):
    def setUp(self):
        super().setUp()
        self.write("soft.yaml", SCENE)
        self.run_command("run", "soft.yaml", "-o", "run", "--quiet")
        with h5py.File(self.path("run", "run.h5"), "r") as file:
            self.times = np.array(file["time"])
            self.solids = {name: {key: np.array(data) for key, data in file["solids"][name].items()} for name in ("beam", "low")}
            self.contacts = {key: np.array(data) for key, data in file["contacts"].items()}
        with open(self.path("run", "probes.csv"), encoding="utf-8") as file:
            self.probes = list(csv.DictReader(line for line in file if not line.startswith("#")))
        self.assertEqual(len(self.times), 6)

    def export(self, name):
        self.run_command("export", "run", "-o", name)
        return self.path(name)

    def column(self, beginning):
        key = next(key for key in self.probes[0] if key.startswith(beginning))
        return np.array([float(row[key]) for row in self.probes])

    def test_probes_and_run(self):
        beam = self.solids["beam"]
        check_equal(self.column("most"), beam["stress"].max(axis=1), "largest stress")
        here = self.column("here")
        self.assertGreater(here[-1], 100)
        for output, value in enumerate(here):
            self.assertIn(value, beam["stress"][output])
        first, count = int(self.contacts["first"][-1]), int(self.contacts["count"][-1])
        self.assertGreater(count, 0)
        rows = slice(first, first + count)
        sides = self.contacts["sides"][rows].reshape(count, 2, 3)
        check_equal(sides[:, 0, :2], np.tile([3, 1], (count, 1)), "first sides: the second solid")
        check_equal(sides[:, 1, :2], np.tile([1, 0], (count, 1)), "second sides: the floor")
        force = self.contacts["force"][rows].sum(axis=0)
        check_near(force[2], self.column("pressed_z")[-1], 1e-9, "sum of forces")
        corners = self.solids["low"]["positions"][-1][self.solids["low"]["surface"][sides[:, 0, 2]].astype(int)]
        near = np.abs(corners - self.contacts["position"][rows][:, None]).max(axis=2).min(axis=1)
        self.assertLess(near.max(), 0.03)

    def test_vtk(self):
        path = self.export("soft.pvd")
        for output in range(6):
            reader = vtkXMLUnstructuredGridReader()
            reader.SetFileName(os.path.join(os.path.dirname(path), "soft", f"soft_tetrahedra_{output:04d}.vtu"))
            reader.Update()
            data = reader.GetOutput()
            for name, key, holder in (("stress", "stress", data.GetCellData()), ("strain", "strain", data.GetCellData()),
                                      ("velocity", "velocities", data.GetPointData())):
                expected = np.concatenate([solid[key][output] for solid in self.solids.values()])
                check_equal(array(holder, name), expected, name)
            expected = np.concatenate([solid["positions"][output] for solid in self.solids.values()])
            check_equal(vtk_to_numpy(data.GetPoints().GetData()), expected, "points")

    def faces(self, name):
        """The tetrahedron behind each triangle of the surface."""
        solid = self.solids[name]
        owner = {frozenset(np.delete(cell, k)): number for number, cell in enumerate(solid["tetrahedra"]) for k in range(4)}
        return np.array([owner[frozenset(triangle)] for triangle in solid["surface"]])

    def test_usd(self):
        found = node("read_usda.mjs", self.export("soft.usda"))
        self.assertTrue(found["stage"] and found["layer"], found)
        for name, solid in self.solids.items():
            text = re.search(rf'def Mesh "{name}"(.*?)\n    }}', found["text"], re.S)[1]
            corners = numbers(re.search(r"faceVertexIndices = \[(.*?)\]", text)[1]).astype(int)
            for attribute, expected in (("primvars:stress", solid["stress"][:, self.faces(name)]),
                                        ("primvars:strain", solid["strain"][:, self.faces(name)])):
                samples = re.search(rf"{attribute}\.timeSamples = {{(.*?)}}", text, re.S)[1]
                got = np.array([numbers(row) for row in re.findall(r": \[(.*?)\]", samples)])
                check_equal(got, expected.astype(np.float32), attribute)
            for attribute, key in (("points", "positions"), ("velocities", "velocities")):
                samples = re.search(rf"{attribute}\.timeSamples = {{(.*?)}}", text, re.S)[1]
                got = np.array([numbers(row).reshape(-1, 3)[corners] for row in re.findall(r": \[(.*?)\]", samples)])
                check_equal(got, solid[key][:, solid["surface"].ravel()].astype(np.float32), attribute)
        floor = re.search(r'def Mesh "floor"(.*?)\n    }', found["text"], re.S)[1]
        points = numbers(re.search(r"points = \[(.*?)\]", floor)[1]).reshape(-1, 3)
        self.assertTrue(np.all(np.isfinite(points)))
        self.assertGreater(np.ptp(points[:, 0]), 0.2)  # under everything

    def test_gltf(self):
        path = self.export("soft.glb")
        times = self.times.astype(np.float32).astype(float)
        middle = 0.5 * (times[2] + times[3])
        found = node("read_glb.mjs", path, self.path("out.bin"), *(repr(float(t)) for t in (*times, middle)))
        for kind in ("numErrors", "numWarnings"):
            self.assertEqual(found["issues"][kind], 0, found["issues"]["messages"])
        meshes = {mesh["name"]: np.array(mesh["vertices"]).reshape(7, -1, 3) for mesh in found["solids"]}
        self.assertEqual(sorted(meshes), ["beam", "floor", "low"])
        for name, solid in self.solids.items():
            order = list(dict.fromkeys(solid["surface"].ravel().astype(int)))  # as triangles name them
            expected = solid["positions"][:, order]
            expected = np.concatenate([expected, 0.5 * (expected[2:3] + expected[3:4])])
            check_near(to_run_axes(meshes[name]), expected, 1e-7, name)
        self.run_command("export", "run", "-o", "one.glb", "--frames", "5")
        found = node("read_glb.mjs", self.path("one.glb"), self.path("out.bin"), "0")
        self.assertEqual(found["issues"]["numErrors"], 0, found["issues"]["messages"])
        self.assertEqual(found["animations"], 0)
