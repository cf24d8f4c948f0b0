"""What a probe says is what run.h5 and VTK say, for every model, open and closed rods, and many turns. (tests/test_rod_field.c
compares plots, colours of pictures and CSV, python/tests what is read through import cordage.)"""
import csv

import numpy as np

from command_case import CommandCase
from export_case import Truth, check_near
from test_vtk import array, read_collection

ELEMENTS = 10
# model, its options, turns, whether it has closed rods
VARIANTS = (("pobd", "pobd: {solver: direct}, ", 2, True), ("pobd", "pobd: {solver: gauss_seidel}, ", 0.5, True),
            ("der", "", 8, True), ("der", "der: {curvature: angle}, ", 8, True), ("galpha", "", 2, False),
            ("corde", "", 2, True), ("reference", "", 2, True))
FIELDS = (("curvature", "k", 2), ("twist", "t", 1), ("tension", "n", 1))


def scene(model, options, turns, has_ring):
    rods = {"line": ELEMENTS + 1, "ring": ELEMENTS} if has_ring else {"line": ELEMENTS + 1}
    ring = f"""  - {{name: ring, material: m, section: {{circle: {{radius: 5 mm}}}}, elements: {ELEMENTS}, rest: straight,
     centerline: {{circle: {{radius: 0.2, center: [0, 2, 0]}}}}, twist: {turns / 0.2}}}
"""
    return f"""cordage: 1
simulation: {{model: {model}, {options}step: 2 ms, duration: 0.3 s, gravity: [0, 0, -2]}}
output: {{every: 100 ms}}
materials: {{m: {{young_modulus: 1 MPa, poisson_ratio: 0.4, density: 1100, damping: 20 ms}}}}
rods:
  - {{name: line, material: m, section: {{circle: {{radius: 5 mm}}}}, elements: {ELEMENTS}, centerline: {{line: {{to: [1, 0, 0]}}}}}}
{ring if has_ring else ""}supports:
  - {{clamp: line.start}}
  - {{clamp: line.end, motion: [{{rotate: {{axis: [1, 0, 0], angle: {turns} turns}}, to: 0.15 s}},
     {{move: [-0.02, 0, 0], to: 0.1 s}}]}}
probes:
""" + "".join(f"  - {{name: {rod}_k{i}, curvature: {rod}.node({i})}}\n  - {{name: {rod}_t{i}, twist: {rod}.node({i})}}\n"
              for rod, nodes in rods.items() for i in range(nodes)) + "".join(
                  f"  - {{name: {rod}_n{i}, tension: {rod}.element({i})}}\n" for rod in rods for i in range(ELEMENTS))


def probed(row, rod, letter, components, count):
    """The probes of a field along a rod, one line of the table."""
    titles = {title.partition(" [")[0]: value for title, value in row.items()}
    names = [[f"{rod}_{letter}{i}" + (f"_{k + 1}" if components > 1 else "") for k in range(components)] for i in range(count)]
    return np.array([[float(titles[name]) for name in line] for line in names])


class SameNumbers(CommandCase):
    def test_run_file_and_vtk(self):
        for number, variant in enumerate(VARIANTS):
            with self.subTest(variant=variant):
                run = f"run{number}"
                self.write("scene.yaml", scene(*variant))
                self.run_command("run", "scene.yaml", "-o", run, "-q")
                self.run_command("export", run, "-o", f"{run}_vtk.pvd", "-q")
                with open(self.path(run, "probes.csv"), newline="", encoding="utf-8") as file:
                    rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
                truth = Truth(self.path(run, "run.h5"))
                found = read_collection(self.path(f"{run}_vtk.pvd"))
                self.assertEqual(len(rows), len(truth.times))
                for frame, row in enumerate(rows):
                    self.check(variant, row, truth, frame, found[frame][1])
                if variant[0] == "der":  # which counts whole turns: 50.3 rad/m, not what the frames show
                    self.assertGreater(probed(rows[-1], "line", "t", 1, ELEMENTS)[5, 0], 40)

    def check(self, variant, row, truth, frame, data):
        first = 0
        for rod in truth.rods:
            for field, letter, components in FIELDS:
                stored = rod.values[field][frame].reshape(-1, components)
                values = probed(row, rod.name, letter, components, len(stored))
                what = f"{variant[0]} {rod.name} {field}"
                known = np.isfinite(values)
                self.assertEqual(known.tolist(), np.isfinite(stored).tolist())
                allowed = 1e-12 * max(1, np.abs(values[known]).max())
                check_near(stored[known], values[known], allowed, what + " in run.h5")
                shown = array(data.GetPointData(), field)[first:first + rod.node_count].reshape(rod.node_count, components)
                if field != "tension":
                    check_near(shown[known], values[known], allowed, what + " in VTK")
                else:  # VTK has it at nodes, between those of the elements beside them
                    check_near(shown, rod.at_nodes(field)[frame].reshape(shown.shape), allowed, what + " in VTK")
            first += rod.node_count
