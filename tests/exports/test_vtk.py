"""VTK: read by VTK itself."""
import copy
import os
import xml.etree.ElementTree

import numpy as np
from vtk import vtkXMLPolyDataReader
from vtk.util.numpy_support import vtk_to_numpy

from export_case import ExportCase, check_equal, check_near, rotate


def read_collection(path):
    """[(time, poly-data)] of a .pvd."""
    found = []
    for item in xml.etree.ElementTree.parse(path).getroot().iter("DataSet"):
        reader = vtkXMLPolyDataReader()
        name = os.path.join(os.path.dirname(path), item.get("file"))
        if not reader.CanReadFile(name):
            raise AssertionError(f"VTK cannot read {name}")
        errors = []
        reader.AddObserver("ErrorEvent", lambda source, event, text=None: errors.append(event))
        reader.SetFileName(name)
        reader.Update()
        if errors or reader.GetErrorCode() != 0:
            raise AssertionError(f"VTK says that {name} is wrong")
        found.append((float(item.get("timestep")), reader.GetOutput()))
    return found


def array(data, name):
    found = data.GetArray(name)
    if found is None:
        raise AssertionError(f"no array '{name}'")
    return vtk_to_numpy(found)


def check_collection(found, truth, outputs):
    check_equal([time for time, data in found], truth.times[outputs], "times")
    for (time, data), frame in zip(found, outputs):
        fields = data.GetFieldData()
        check_equal(array(fields, "TimeValue"), [time], "TimeValue")
        check_equal(array(fields, "output"), [frame], "output")
        names = fields.GetAbstractArray("rod_name")
        check_equal([names.GetValue(i) for i in range(names.GetNumberOfValues())], [rod.name for rod in truth.rods], "names")
        check_poly_data(data, truth, frame)


def check_poly_data(data, truth, frame):
    points = data.GetPointData()
    positions = vtk_to_numpy(data.GetPoints().GetData())
    check_equal(positions.dtype, np.float64, "type of positions")
    check_equal(data.GetNumberOfCells(), len(truth.rods), "lines")
    if data.GetNumberOfLines() != len(truth.rods):
        raise AssertionError("not only lines")
    first = 0
    for i, rod in enumerate(truth.rods):
        own = slice(first, first + rod.node_count)
        cell = data.GetCell(i)
        corners = [cell.GetPointId(k) for k in range(cell.GetNumberOfPoints())]
        check_equal(corners, list(range(first, first + rod.node_count)) + [first] * rod.is_closed, "poly-line")
        check_equal(positions[own], rod.positions[frame], rod.name + " positions")
        check_equal(array(points, "velocity")[own], rod.velocities[frame], rod.name + " velocity")
        check_equal(array(points, "moment")[own], rod.moment[frame], rod.name + " moment")
        check_equal(array(points, "radius")[own], rod.radius, rod.name + " radius")
        for name in ("curvature", "twist"):  # free ends, where nothing is measured, are drawn as beside them
            expected = rod.values[name][frame].reshape(rod.node_count, -1).copy()
            for end, beside in ((0, 1), (-1, -2)):
                expected[end] = np.where(np.isnan(expected[end]), expected[beside], expected[end])
            expected[np.isnan(expected)] = 0  # a rod of one element
            check_equal(array(points, name)[own].reshape(expected.shape), expected, f"{rod.name} {name}")
        check_near(array(points, "speed")[own], np.linalg.norm(rod.velocities[frame], axis=1), 1e-14, rod.name + " speed")
        for name, stored in (("tension", "tension"), ("force", "forces"), ("strain", "strains"),
                             ("angular_velocity", "angular_velocities")):
            expected = rod.at_nodes(stored)[frame]
            got = array(points, name)[own].reshape(expected.shape)
            check_near(got, expected, 1e-14 * max(1, np.abs(rod.values[stored]).max()), f"{rod.name} {name}")
        frames = rod.at_nodes_frames()[frame]
        got = array(points, "frame")[own]
        check_near(np.abs(np.sum(got * frames, axis=1)), np.ones(rod.node_count), 1e-12, rod.name + " frame")
        for k, axis in enumerate(np.eye(3)):
            check_near(array(points, f"d{k + 1}")[own], rotate(frames, axis), 2e-7, f"{rod.name} d{k + 1}")
        arc = np.concatenate([[0], np.cumsum(rod.rest_length)])[:rod.node_count]
        check_near(array(points, "arc_length")[own], arc, 1e-15, rod.name + " arc length")
        check_equal(array(points, "rod")[own], [i] * rod.node_count, "rod")
        first += rod.node_count
    check_equal(positions.shape, (first, 3), "points")
    check_equal(array(data.GetCellData(), "rod"), range(len(truth.rods)), "rod of cells")
    check_equal(array(data.GetCellData(), "is_closed"), [rod.is_closed for rod in truth.rods], "is_closed")


class Vtk(ExportCase):
    def test_every_frame(self):
        outputs = list(range(31))
        path = self.export("many.pvd")
        self.assertEqual(sorted(os.listdir(self.path("many"))), [f"many_{i:04}.vtp" for i in outputs])
        found = read_collection(path)
        check_collection(found, self.truth, outputs)

        other = copy.deepcopy(self.truth)
        other.rods[3].values["positions"][30, 7, 1] = np.nextafter(other.rods[3].positions[30, 7, 1], 9)
        self.assert_fails(check_collection, found, other, outputs)
        other = copy.deepcopy(self.truth)
        other.rods[1].values["tension"][30, 3] += 1e-6
        self.assert_fails(check_collection, found, other, outputs)

    def test_damage_is_noticed(self):
        self.export("many.pvd")
        name = self.path("many", "many_0030.vtp")
        with open(name, "rb") as file:
            data = bytearray(file.read())
        data[-3000:-2000] = b"\0" * 1000
        with open(name, "wb") as file:
            file.write(data)

        def check():
            check_collection(read_collection(self.path("many.pvd")), self.truth, list(range(31)))
        from vtk import vtkObject
        vtkObject.GlobalWarningDisplayOff()
        self.addCleanup(vtkObject.GlobalWarningDisplayOn)
        self.assert_fails(check)

    def test_part_of_a_run_replaces_the_whole(self):
        self.export("many.pvd")
        path = self.export("many", "--to", "vtk", "--frames", "10:", "--every", "7")
        self.assertEqual(sorted(os.listdir(self.path("many"))), ["many_0010.vtp", "many_0017.vtp", "many_0024.vtp"])
        check_collection(read_collection(path + ".pvd"), self.truth, [10, 17, 24])

    def test_other_files_are_never_lost(self):
        os.mkdir(self.path("many"))
        self.write("many/notes.txt", "precious")
        text = self.run_command("export", self.run_directory, "-o", "many.pvd", status=2).stderr
        self.assertIn("notes.txt", text)
        self.assertEqual(self.read("many", "notes.txt"), "precious")
        self.assertFalse(os.path.exists(self.path("many.pvd")))
        self.assertEqual(sorted(os.listdir(self.directory)), ["many", "scene.yaml"])

    def test_name_that_xml_must_quote(self):
        path = self.export('a & "b" <c>.pvd', "--frames", "0:1")
        check_collection(read_collection(path), self.truth, [0, 1])
