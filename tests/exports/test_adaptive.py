"""Rods whose resolution changes: every kind of export, read by others, against run.h5 and the run's own probes."""
import atexit
import csv
import os
import shutil
import subprocess
import tempfile

import h5py
import numpy as np

from command_case import COMMAND, TIMEOUT, CommandCase
from export_case import check_equal, check_near, node
from test_gltf import Mesh
from test_usd import parse_prims
from test_vtk import array, read_collection, vtk_to_numpy

RADIUS = 6e-3

# A twisted rope falls over a pole, and becomes finer there and coarser again.
SCENE = """cordage: 1
simulation: {duration: 0.4 s, step: 1 ms, gravity: [0, 0, -9.81], model: MODEL, adapt: on}
output: {every: 10 ms}
contact: {friction: 0.3}
materials:
  rubber: {young_modulus: 2 MPa, poisson_ratio: 0.45, density: 1100 kg/m^3, damping: 3 ms}
rods:
  - {name: rope, material: rubber, section: {circle: {radius: 6 mm}}, twist: 20 rad/m, rest: straight,
     centerline: {line: {from: [-0.27, 0, 0.1], to: [0.33, 0, 0.1]}}, elements: 12}
obstacles:
  - {name: pole, capsule: {radius: 2.5 cm, length: 30 cm}, orientation: {axis: [1, 0, 0], angle: 90 deg}, position: [0, 0, 6 cm]}
probes:
  - {name: place, position: rope.node(5)}
  - {name: last, position: rope.end}
  - {name: bend, curvature: rope.node(5)}
  - {name: before, tension: rope.element(4)}
  - {name: pull, tension: rope.element(7)}
"""
PLACE, BEFORE, PULL, LENGTH = 0.25, 0.225, 0.375, 0.6  # m, arc length of what is probed


class Outputs:
    """The rope in run.h5: arrays of each output."""

    def __init__(self, run):
        with h5py.File(os.path.join(run, "run.h5"), "r") as file:
            self.times = np.array(file["time"])
            rope = {name: np.array(data) for name, data in file["rods/rope"].items()}
        self.values = {}
        for name, data in rope.items():
            per_node = name in ("positions", "velocities", "arc_length", "curvature", "twist", "moment", "radius", "section_size",
                                "drawn_shift", "drawn_node_roll")
            offsets = rope["node_offsets" if per_node else "element_offsets"]
            if not name.endswith("_offsets"):
                self.values[name] = [data[offsets[t]:offsets[t + 1]] for t in range(len(self.times))]

    def __getattr__(self, name):
        if name not in self.__dict__.get("values", {}):
            raise AttributeError(name)
        return self.values[name]

    def changed(self):
        """Outputs whose division is another than that of the one before."""
        return [t for t in range(1, len(self.times))
                if len(self.arc_length[t]) != len(self.arc_length[t - 1])
                or np.abs(self.arc_length[t] - self.arc_length[t - 1]).max() > 1e-9]

    def node_at(self, t, arc):
        found = np.flatnonzero(np.abs(self.arc_length[t] - arc) < 1e-9)
        if len(found) != 1:
            raise AssertionError(f"{len(found)} nodes at {arc} m")
        return found[0]

    def tension_at(self, t, arc):
        middles = (self.arc_length[t][1:] + self.arc_length[t][:-1]) / 2
        return np.interp(arc, middles, self.tension[t])


_runs = {}


def shared(model):
    if model not in _runs:
        directory = tempfile.mkdtemp(prefix="cordage-adaptive-")
        atexit.register(shutil.rmtree, directory)
        scene, run = os.path.join(directory, "rope.yaml"), os.path.join(directory, "rope-run")
        with open(scene, "w", encoding="utf-8") as file:
            file.write(SCENE.replace("MODEL", model))
        subprocess.run([COMMAND, "run", scene, "-o", run, "--quiet"], check=True, timeout=TIMEOUT)
        _runs[model] = run, Outputs(run)
    return _runs[model]


def check_probes(run, outputs):
    with open(os.path.join(run, "probes.csv"), newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    check_equal([float(row["time [s]"]) for row in rows], outputs.times, "times")
    for t, row in enumerate(rows):
        for name, arc in (("place", PLACE), ("last", LENGTH)):
            got = [float(row[f"{name}_{axis} [m]"]) for axis in "xyz"]
            check_equal(got, outputs.positions[t][outputs.node_at(t, arc)], name)
        got = [float(row[f"bend_{k} [1/m]"]) for k in (1, 2)]
        check_equal(got, outputs.curvature[t][outputs.node_at(t, PLACE)], "curvature")
        for name, arc in (("before", BEFORE), ("pull", PULL)):
            check_near(float(row[name + " [N]"]), outputs.tension_at(t, arc), 1e-9, f"{name} at output {t}")


def has_halved_unevenly(outputs):
    """Whether a probed middle of an element has become a node between elements of two lengths."""
    for t in range(len(outputs.times)):
        for arc in (BEFORE, PULL):
            found = np.flatnonzero(np.abs(outputs.arc_length[t] - arc) < 1e-9)
            if len(found) and abs(outputs.rest_length[t][found[0]] / outputs.rest_length[t][found[0] - 1] - 1) > 0.1:
                return True
    return False


class Adaptive(CommandCase):
    def export(self, run, name, *arguments):
        self.run_command("export", run, "-o", name, *arguments)
        return self.path(name)

    def test_file_and_probes_of_every_model(self):
        uneven = False
        for model in ("pobd", "pobd, pobd: {solver: gauss_seidel}", "der", "corde"):
            run, outputs = shared(model)
            self.assertGreater(len(outputs.changed()), 5, model)
            self.assertGreater(max(map(len, outputs.positions)), 30, model)
            for t in range(len(outputs.times)):
                check_near(np.diff(outputs.arc_length[t]), outputs.rest_length[t], 1e-15, "lengths")
                check_near(outputs.arc_length[t][-1], LENGTH, 1e-15, "length")
                check_near(outputs.rest_length[t] * 2**outputs.level[t], np.full(len(outputs.level[t]), 0.05), 1e-15, "levels")
            check_probes(run, outputs)
            uneven = uneven or has_halved_unevenly(outputs)
        self.assertTrue(uneven)

    def test_csv(self):
        run, outputs = shared("pobd")
        self.export(run, "rope.csv")
        for name, columns in (("nodes", {"x [m]": ("positions", 0), "z [m]": ("positions", 2), "vx [m/s]": ("velocities", 0),
                                         "curvature_2 [1/m]": ("curvature", 1), "twist [rad/m]": ("twist", None)}),
                              ("elements", {"tension [N]": ("tension", None), "level [1]": ("level", None),
                                            "rest_length [m]": ("rest_length", None), "qw [1]": ("frames", 0)})):
            with open(self.path(f"rope_{name}.csv"), newline="", encoding="utf-8") as file:
                rows = list(csv.DictReader(file))
            for title, (field, component) in columns.items():
                expected = np.concatenate(outputs.values[field])
                expected = expected if component is None else expected[:, component]
                check_equal([float(row[title]) for row in rows], expected, title)
            places = outputs.arc_length if name == "nodes" else [(arc[1:] + arc[:-1]) / 2 for arc in outputs.arc_length]
            check_near([float(row["arc_length [m]"]) for row in rows], np.concatenate(places), 1e-15, "arc length")

    def test_vtk(self):
        for model in ("pobd", "der", "corde"):
            run, outputs = shared(model)
            found = read_collection(self.export(run, "rope.pvd"))
            rods = [(time, data) for time, data in found if data.GetFieldData().GetAbstractArray("rod_name")
                    and data.GetPointData().GetArray("arc_length")]
            check_equal([time for time, _ in rods], outputs.times, "times")
            for t, (_, data) in enumerate(rods):
                points = data.GetPointData()
                check_equal(vtk_to_numpy(data.GetPoints().GetData()), outputs.positions[t], "positions")
                check_equal(array(points, "velocity"), outputs.velocities[t], "velocity")
                check_equal(array(points, "drawn_shift"), outputs.drawn_shift[t], "shift")
                check_equal(array(points, "curvature")[1:-1], outputs.curvature[t][1:-1], "curvature")
                check_near(array(points, "arc_length"), outputs.arc_length[t], 1e-15, "arc length")
                for i in range(1, len(outputs.arc_length[t]) - 1):
                    check_near(array(points, "tension")[i], outputs.tension_at(t, outputs.arc_length[t][i]), 1e-9, "tension")
                cell = data.GetCell(0)
                corners = [cell.GetPointId(k) for k in range(cell.GetNumberOfPoints())]
                check_equal(corners, range(len(outputs.arc_length[t])), "poly-line")
            shutil.rmtree(self.path("rope"))
            os.remove(self.path("rope.pvd"))

    def check_drawn(self, got, outputs, what):
        """Nodes of one division for all outputs, beside those of run.h5 as far as it says, so that the skin does not jump."""
        self.assertGreater(np.abs(np.concatenate(outputs.drawn_shift)).max(), 0.05 * RADIUS, what)
        arcs = np.unique(np.round(np.concatenate(outputs.arc_length), 9))
        check_equal(got.shape, (len(outputs.times), len(arcs), 3), what)
        for t in range(len(outputs.times)):
            at = np.searchsorted(arcs, outputs.arc_length[t] - 1e-6)
            check_near(got[t, at], outputs.positions[t] + outputs.drawn_shift[t], 1e-6, f"{what} at output {t}")
            lengths = np.linalg.norm(np.diff(got[t], axis=0), axis=1) / np.diff(arcs)
            self.assertLess(np.abs(lengths - 1).max(), 0.1, f"{what} at output {t}")

    def test_gltf(self):
        run, outputs = shared("pobd")
        times = outputs.times.astype(np.float32).astype(float)
        found = node("read_glb.mjs", self.export(run, "rope.glb"), self.path("out.bin"), *map(repr, map(float, times)))
        for kind in ("numErrors", "numWarnings", "numInfos", "numHints"):
            self.assertEqual(found["issues"][kind], 0, found["issues"]["messages"])
        check_equal(found["times"], times, "times")
        (mesh,) = found["meshes"]
        numbers = np.fromfile(self.path("out.bin")).reshape(len(times), 2 * mesh["joints"] + mesh["vertices"], 3)
        rope = Mesh(mesh, list(numbers))
        self.check_drawn(rope.joints, outputs, "joints")
        for index in range(1, mesh["joints"] - 1):
            ring = rope.ring_of_node(index)
            offset = np.linalg.norm(rope.vertices[:, ring] - rope.joints[:, index, None], axis=2)
            check_near(offset, np.full(offset.shape, RADIUS), 1e-6, f"ring {index}")

    def test_usd(self):
        run, outputs = shared("pobd")
        found = node("read_usda.mjs", self.export(run, "rope.usda"))
        self.assertTrue(found["stage"], found["stageError"])
        self.assertTrue(found["layer"], found["layerError"])
        samples = parse_prims(found["text"])["rope"]["points.timeSamples"]
        got = np.array([samples[time] for time in sorted(samples)]).reshape(len(samples), -1, 3)
        self.check_drawn(got, outputs, "points")
