"""Files of tetrahedra: read by VTK itself and by meshio, and theirs read by the command."""
import unittest

import numpy as np
from vtk import (vtkPoints, vtkUnstructuredGrid, vtkXMLUnstructuredGridReader, vtkXMLUnstructuredGridWriter,
                 vtkXMLWriter, VTK_TETRA)
from vtk.util.numpy_support import vtk_to_numpy

try:
    import meshio
except ImportError:
    meshio = None

from command_case import CommandCase
from export_case import check_equal

PATHS = [(0, 1, 3, 7), (0, 3, 2, 7), (0, 2, 6, 7), (0, 6, 4, 7), (0, 4, 5, 7), (0, 5, 1, 7)]


def block(side=3):
    """side^3 cubes of six tetrahedra, points moved at random."""
    random = np.random.default_rng(5)
    line = np.arange(side + 1)
    z, y, x = np.meshgrid(line, line, line, indexing="ij")
    points = np.stack([x, y, z], axis=-1).reshape(-1, 3) + random.uniform(-0.1, 0.1, ((side + 1)**3, 3))
    cells = []
    for k in range(side):
        for j in range(side):
            for i in range(side):
                for path in PATHS:
                    cells.append([i + (b & 1) + (side + 1) * (j + (b >> 1 & 1)) + (side + 1)**2 * (k + (b >> 2)) for b in path])
    return points, np.array(cells)


def write_medit(path, points, cells):
    with open(path, "w", encoding="ascii") as file:
        file.write(f"MeshVersionFormatted 2\nDimension 3\nVertices\n{len(points)}\n")
        file.writelines("%r %r %r 0\n" % tuple(float(x) for x in point) for point in points)
        file.write(f"Tetrahedra\n{len(cells)}\n")
        file.writelines("%d %d %d %d 0\n" % tuple(cell + 1) for cell in cells)
        file.write("End\n")


def read_vtu(path):
    reader = vtkXMLUnstructuredGridReader()
    errors = []
    reader.AddObserver("ErrorEvent", lambda source, event: errors.append(event))
    assert reader.CanReadFile(path)
    reader.SetFileName(path)
    reader.Update()
    assert not errors and reader.GetErrorCode() == 0
    grid = reader.GetOutput()
    types = [grid.GetCellType(i) for i in range(grid.GetNumberOfCells())]
    assert set(types) == {VTK_TETRA}
    cells = vtk_to_numpy(grid.GetCells().GetConnectivityArray()).reshape(-1, 4)
    return vtk_to_numpy(grid.GetPoints().GetData()), cells


class Tetrahedra(CommandCase):
    def setUp(self):
        super().setUp()
        self.points, self.cells = block()
        write_medit(self.path("block.mesh"), self.points, self.cells)

    def convert(self, before, after):
        self.run_command("mesh", before, "-o", after, "-q")
        return self.path(after)

    def check_same(self, points, cells, what):
        check_equal(points, self.points, f"{what}: points")
        check_equal(cells, self.cells, f"{what}: cells")

    def test_vtk_reads_ours(self):
        self.check_same(*read_vtu(self.convert("block.mesh", "block.vtu")), "vtu")

    def test_we_read_what_vtk_writes(self):
        grid, points = vtkUnstructuredGrid(), vtkPoints()
        points.SetDataTypeToDouble()
        for point in self.points:
            points.InsertNextPoint(*point)
        grid.SetPoints(points)
        for cell in self.cells:
            grid.InsertNextCell(VTK_TETRA, 4, [int(i) for i in cell])
        modes = {"ascii": vtkXMLWriter.Ascii, "binary": vtkXMLWriter.Binary, "appended": vtkXMLWriter.Appended}
        for name, mode in modes.items():
            for compressed in (False, True):
                for encoded in (False, True):
                    for width in (32, 64):
                        writer = vtkXMLUnstructuredGridWriter()
                        writer.SetInputData(grid)
                        writer.SetDataMode(mode)
                        writer.SetEncodeAppendedData(encoded)
                        writer.SetHeaderType(vtkXMLWriter.UInt32 if width == 32 else vtkXMLWriter.UInt64)
                        writer.SetIdType(vtkXMLWriter.Int32 if width == 32 else vtkXMLWriter.Int64)
                        if compressed:
                            writer.SetCompressorTypeToZLib()
                        else:
                            writer.SetCompressorTypeToNone()
                        writer.SetFileName(self.path("theirs.vtu"))
                        self.assertEqual(writer.Write(), 1)
                        found = read_vtu(self.convert("theirs.vtu", "back.vtu"))
                        what = f"{name} {compressed} {encoded} {width}"
                        if name == "ascii":  # VTK writes fewer digits
                            self.assertTrue(np.allclose(found[0], self.points, atol=1e-5), what)
                        else:
                            self.check_same(*found, what)

    @unittest.skipIf(meshio is None, "python3-meshio is not installed")
    def test_meshio_reads_ours(self):
        for name, form in (("a.msh", "gmsh"), ("a.msh2", "gmsh"), ("a.node", "tetgen"), ("b.mesh", "medit"), ("a.vtu", "vtu")):
            mesh = meshio.read(self.convert("block.mesh", name), file_format=form)
            self.check_same(mesh.points, mesh.cells_dict["tetra"], name)

    @unittest.skipIf(meshio is None, "python3-meshio is not installed")
    def test_we_read_what_meshio_writes(self):
        both = meshio.Mesh(self.points, [("triangle", self.cells[:3, :3]), ("tetra", self.cells)])
        alone = meshio.Mesh(self.points, [("tetra", self.cells)])  # all that it writes of version 4.1
        for name, form, options in (("c.msh", "gmsh22", {"binary": False}), ("d.msh", "gmsh22", {"binary": True}),
                                    ("e.msh", "gmsh", {"binary": False}), ("f.msh", "gmsh", {"binary": True}),
                                    ("g.mesh", "medit", {}), ("h.vtu", "vtu", {})):
            meshio.write(self.path(name), alone if form == "gmsh" else both, file_format=form, **options)
            self.check_same(*read_vtu(self.convert(name, "back.vtu")), name)
        meshio.write(self.path("i.node"), alone, file_format="tetgen")
        self.check_same(*read_vtu(self.convert("i.ele", "back.vtu")), "tetgen")
