"""CSV, read by Python's own csv module."""
import copy
import csv

import numpy as np

from export_case import ExportCase, check_equal

NODE_COLUMNS = {"positions": ("x [m]", "y [m]", "z [m]"), "velocities": ("vx [m/s]", "vy [m/s]", "vz [m/s]"),
                "moment": ("moment_1 [N*m]", "moment_2 [N*m]", "moment_3 [N*m]"),
                "curvature": ("curvature_1 [1/m]", "curvature_2 [1/m]"), "twist": ("twist [rad/m]",)}
ELEMENT_COLUMNS = {"frames": ("qw [1]", "qx [1]", "qy [1]", "qz [1]"), "tension": ("tension [N]",),
                   "angular_velocities": tuple(f"angular_velocity_{i} [rad/s]" for i in (1, 2, 3)),
                   "forces": ("force_1 [N]", "force_2 [N]", "force_3 [N]"),
                   "strains": ("strain_1 [1]", "strain_2 [1]", "strain_3 [1]")}


def check_table(path, truth, key, columns, constant):
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    place = 0
    for frame, time in enumerate(truth.times):
        for rod in truth.rods:
            count = rod.values[constant].shape[0]
            part = rows[place:place + count]
            place += count
            check_equal([row["rod"] for row in part], [rod.name] * count, "rod")
            check_equal([int(row[key]) for row in part], range(count), key)
            check_equal([int(row["output"]) for row in part], [frame] * count, "output")
            check_equal([float(row["time [s]"]) for row in part], [time] * count, "time")
            check_equal([float(row[constant + " [m]"]) for row in part], rod.values[constant], constant)
            for name, titles in columns.items():
                got = np.array([[float(row[title]) for title in titles] for row in part])
                check_equal(got, rod.values[name][frame].reshape(count, len(titles)), name)
    if place != len(rows):
        raise AssertionError(f"{len(rows)} lines, not {place}")


class Csv(ExportCase):
    def test_every_number(self):
        self.export("table.csv")
        nodes, elements = self.path("table_nodes.csv"), self.path("table_elements.csv")
        check_table(nodes, self.truth, "node", NODE_COLUMNS, "radius")
        check_table(elements, self.truth, "element", ELEMENT_COLUMNS, "rest_length")

        other = copy.deepcopy(self.truth)
        other.rods[3].values["positions"][30, 7, 1] = np.nextafter(other.rods[3].positions[30, 7, 1], 1)
        other.rods[1].values["tension"][17, 3] *= -1
        self.assert_fails(check_table, nodes, other, "node", NODE_COLUMNS, "radius")
        self.assert_fails(check_table, elements, other, "element", ELEMENT_COLUMNS, "rest_length")
