"""cordage mesh, and cordage render of meshes: what they write, print and refuse."""
import math
import os
import random
import struct
import unittest

from command_case import CommandCase
from thesis_surfaces import PARTS, figure, halved, loosened, obj_text, soup_text, torus


def volume_of(points, triangles):
    total = 0
    for a, b, c in triangles:
        (x, y, z), (u, v, w), (d, e, f) = points[a], points[b], points[c]
        total += x * (v * f - w * e) + y * (w * d - u * f) + z * (u * e - v * d)
    return total / 6


def volume_of_parts(count=100000):
    """Of their union, by points at random: 0.5 % sure."""
    dice = random.Random(1)
    low, high = (-2.1, -1.1, -3.1), (2.1, .8, 2.2)
    found = 0
    for _ in range(count):
        at = [dice.uniform(low[d], high[d]) for d in range(3)]
        found += any(sum(((at[d] - m[d]) / (r * f[d])) ** 2 for d in range(3)) < 1 for m, r, f in PARTS)
    return math.prod(high[d] - low[d] for d in range(3)) * found / count


class MeshCase(CommandCase):
    def setUp(self):
        super().setUp()
        self.points, self.triangles = torus()
        self.write_obj("torus.obj", self.points, self.triangles)

    def write_obj(self, name, points, triangles):
        self.write(name, obj_text(points, triangles))


class Fill(MeshCase):
    def test_json_and_file(self):
        found = self.run_json("mesh", "torus.obj", "-o", "torus.mesh", "--size", "5cm")
        self.assertTrue(found["ok"])
        self.assertAlmostEqual(found["volume"], volume_of(self.points, self.triangles), delta=0.02 * found["volume"])
        self.assertGreater(found["smallest_dihedral_degrees"], 10.7)
        self.assertLess(found["largest_dihedral_degrees"], 164.8)
        self.assertEqual(sum(found["dihedral_histogram"]), 6 * found["elements"])
        self.assertEqual(found["pieces"], 1)
        for way in ("mesh_to_surface", "surface_to_mesh"):
            self.assertLess(found[way]["distance"], 0.02)
            self.assertGreaterEqual(found[way]["bound"], found[way]["distance"])
        self.assertEqual(set(found["faults"].values()), {0})
        again = self.run_json("mesh", "torus.mesh")
        for key in ("elements", "points", "volume"):
            self.assertEqual(again[key], found[key])

    def fill_soup(self, triangles):
        self.write("soup.obj", soup_text(triangles))
        found = self.run_json("mesh", "soup.obj", "-o", "soup.vtu", "--size", "34cm")
        self.assertTrue(found["ok"])
        self.assertEqual(found["pieces"], 1)
        self.assertEqual(set(found["faults"].values()), {0})
        return found

    def test_soups_of_the_thesis(self):
        """Figures A.1, A.2 and A.7: parts within each other, half of their triangles, and triangles that do not meet."""
        triangles = figure()
        self.assertEqual(len(triangles), 16182)
        volume = volume_of_parts()
        found = self.fill_soup(triangles)
        self.assertAlmostEqual(found["elements"], 2100, delta=300)
        self.assertAlmostEqual(found["volume"] / volume, 1, delta=0.04)
        self.assertAlmostEqual(self.fill_soup(loosened(triangles))["volume"] / volume, 1, delta=0.05)
        self.assertAlmostEqual(self.fill_soup(halved(triangles))["volume"] / volume, 1, delta=0.08)

    def test_threads_do_not_matter(self):
        for threads in ("1", "3"):
            self.run_command("mesh", "torus.obj", "-o", f"t{threads}.msh", "--size", "6cm", "--threads", threads, "-q")
        self.assertEqual(self.read("t1.msh"), self.read("t3.msh"))

    def test_summary_report_picture(self):
        out = self.run_command("mesh", "torus.obj", "-o", "t.vtu", "--size", "6cm", "--report", "t.html", "--picture", "t.png").stdout
        for word in ("elements", "volume", "dihedral", "degrees", "distance", "doubtful", "faults     none"):
            self.assertIn(word, out)
        page = self.read("t.html")
        for word in ("Dihedral angles", "Hausdorff distance", "data:image/png;base64,", "</html>"):
            self.assertIn(word, page)
        with open(self.path("t.png"), "rb") as file:
            head = file.read(24)
        self.assertEqual(head[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual(struct.unpack(">II", head[16:24]), (960, 640))

    def test_units(self):
        points = [(1000 * x, 1000 * y, 1000 * z) for x, y, z in self.points]
        self.write_obj("mm.obj", points, self.triangles)
        large = self.run_json("mesh", "torus.obj", "--size", "60mm")
        small = self.run_json("mesh", "mm.obj", "--size", "60mm", "--unit", "mm")
        self.assertAlmostEqual(small["volume"] / large["volume"], 1, delta=1e-3)

    def test_flipped_and_missing_triangles(self):
        whole = self.run_json("mesh", "torus.obj", "--size", "5cm")["volume"]
        flipped = [t if i % 2 else t[::-1] for i, t in enumerate(self.triangles)]
        self.write_obj("flipped.obj", self.points, flipped)
        self.write_obj("holes.obj", self.points, [t for i, t in enumerate(self.triangles) if i % 7])
        for name in ("flipped.obj", "holes.obj"):
            found = self.run_json("mesh", name, "--size", "5cm")
            self.assertAlmostEqual(found["volume"] / whole, 1, delta=0.05, msg=name)


class Tell(MeshCase):
    def write_boxes(self, name, *boxes):
        corners = [((c & 1), (c >> 1) & 1, c >> 2) for c in range(8)]
        faces = [(0, 2, 1), (1, 2, 3), (4, 5, 6), (5, 7, 6), (0, 1, 4), (1, 5, 4),
                 (2, 6, 3), (3, 6, 7), (0, 4, 2), (2, 4, 6), (1, 3, 5), (3, 7, 5)]
        points = [tuple(l + k * (h - l) for k, l, h in zip(c, low, high)) for low, high in boxes for c in corners]
        self.write(name, "".join("v %.17g %.17g %.17g\n" % p for p in points) + "".join(
            "f %d %d %d\n" % tuple(8 * b + i + 1 for i in f) for b in range(len(boxes)) for f in faces))

    def test_what_is_lost(self):
        self.write_boxes("plate.obj", ((0, 0, 0), (1, 1, 0.03)))
        result = self.run_command("mesh", "plate.obj", "-o", "plate.vtu", "--size", "4cm", status=1)
        self.assertIn("of the shape is lost", result.stderr)
        self.assertIn("try --size 15 mm", result.stderr)
        self.assertFalse(os.path.exists(self.path("plate.vtu")))
        self.assertAlmostEqual(self.run_json("mesh", "plate.obj")["volume"], 0.03, delta=3e-4)

    def test_small_parts_that_vanish(self):
        self.write_boxes("crumb.obj", ((0, 0, 0), (1, 1, 1)), ((2, 0, 0), (2.01, 0.01, 0.01)))
        self.write_boxes("nested.obj", ((0, 0, 0), (1, 1, 1)), ((0.4, 0.4, 0.4), (0.6, 0.6, 0.6)))
        self.assertIn("away from the mesh", self.run_command("mesh", "crumb.obj", "--size", "10cm").stderr)
        self.assertNotIn("warning", self.run_command("mesh", "nested.obj", "--size", "10cm").stderr)

    def test_close_is_heeded(self):
        with open(self.path("torus.obj")) as file:
            lines = file.read().splitlines()
        corners = [line for line in lines if line.startswith("v ")]
        far = {i + 1 for i, line in enumerate(corners) if float(line.split()[1]) > 0.3}
        with open(self.path("open.obj"), "w") as file:
            file.write("\n".join(line for line in lines if not line.startswith("f ") or
                                 not all(int(word.split("/")[0]) in far for word in line.split()[1:])))
        closed = self.run_json("mesh", "open.obj", "--size", "6cm", "--close", "2m")
        self.assertEqual(closed["open_pieces"], 0)
        result = self.run_command("mesh", "open.obj", "--size", "6cm", "--close", "1cm", status=2)
        self.assertIn("only holes up to 0.01 m are to be closed", result.stderr)


class Refuse(MeshCase):
    def check(self, part, *arguments, status=2):
        result = self.run_command("mesh", *arguments, status=status)
        self.assertIn(part, result.stderr)
        self.assertEqual(result.stdout, "")
        self.assertEqual(result.stderr.count("cordage: error:"), 1, result.stderr)
        document = self.run_json("mesh", *arguments, status=status)
        self.assertFalse(document["ok"])
        self.assertTrue(document["message"])

    def test_bad_input(self):
        self.write("empty.stl", "")
        self.write("one.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
        self.write("nan.obj", "v 0 0 0\nv nan 0 0\nv 0 1 0\nf 1 2 3\n")
        self.write("line.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n")
        self.write("billion.ply", "ply\nformat ascii 1.0\nelement vertex 1000000000\nproperty float x\nend_header\n")
        with open(self.path("billion.stl"), "wb") as file:
            file.write(bytes(80) + struct.pack("<I", 10**9) + bytes(50))
        os.mkfifo(self.path("pipe.stl"))
        self.check("empty.stl: the file is empty", "empty.stl")
        self.check("enclose nothing", "one.obj")
        self.check("nan.obj:2: a corner needs three finite numbers", "nan.obj")
        self.check("none of the 1 triangles has an area", "line.obj")
        self.check("billion.ply:3:", "billion.ply")
        self.check("announces 1000000000 triangles", "billion.stl")
        self.check("this is a pipe; a regular file is needed", "pipe.stl")
        self.check("cannot open: No such file", "none.stl")
        self.check("finer than memory allows", "torus.obj", "--size", "1um")

    def test_bad_requests(self):
        self.check("--size needs a length", "torus.obj", "--size", "3kg")
        self.check("must be above 0", "torus.obj", "--size", "-1cm")
        self.check("--grading is a number from 0", "torus.obj", "--grading", "7")
        self.check("--density belongs to --lattice", "torus.obj", "--density", "0.4")
        self.check("does not go with --lattice", "torus.obj", "--lattice", "--grading", "1")
        self.check("--inside is auto, winding or vote", "torus.obj", "--inside", "guess")
        self.check("cannot tell the format", "torus.obj", "-o", "torus.step")
        self.check("cannot tell the format", "torus.step")
        self.check("its directory does not exist", "torus.obj", "-o", "no/where.vtu")
        self.check("ends in .html", "torus.obj", "--report", "report.txt")
        self.check("add --picture or --report", "torus.obj", "--cut", "x")
        self.assertEqual(sorted(os.listdir(self.directory)), ["scene.yaml", "torus.obj"])


class Convert(MeshCase):
    CUBE = "MeshVersionFormatted 2\nDimension 3\nVertices\n5\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n1 1 1 0\nTetrahedra\n"

    def test_formats(self):
        self.write("a.mesh", self.CUBE + "2\n1 2 3 4 0\n2 5 3 4 0\nEnd\n")
        first = self.run_json("mesh", "a.mesh", "-o", "a.vtu")
        for before, after in (("a.vtu", "a.msh"), ("a.msh", "a.msh2"), ("a.msh2", "a.node"), ("a.ele", "b.mesh")):
            found = self.run_json("mesh", before, "-o", after)
            self.assertEqual(found["volume"], first["volume"])
        self.assertTrue(os.path.exists(self.path("a.ele")))

    def test_faults_are_counted_and_named(self):
        self.write("bad.mesh", self.CUBE + "3\n1 2 3 4 0\n1 2 3 4 0\n1 3 2 5 0\nEnd\n")
        result = self.run_command("mesh", "bad.mesh", "-o", "bad.vtu", status=1)
        self.assertIn("tetrahedra of the same four points as one before", result.stdout)
        self.assertIn("it was written all the same", result.stderr)
        found = self.run_json("mesh", "bad.mesh", status=1)
        self.assertEqual(found["faults"]["duplicate"], 1)

    def test_left_handed_files_are_turned(self):
        self.write("left.mesh", self.CUBE + "2\n1 3 2 4 0\n2 3 5 4 0\nEnd\n")
        found = self.run_json("mesh", "left.mesh", "-o", "right.mesh")
        self.assertEqual(found["turned"], 2)
        self.assertGreater(found["volume"], 0)
        self.assertEqual(self.run_json("mesh", "right.mesh")["turned"], 0)

    def test_filling_options_are_refused(self):
        self.write("a.mesh", self.CUBE + "1\n1 2 3 4 0\nEnd\n")
        result = self.run_command("mesh", "a.mesh", "--size", "1cm", status=2)
        self.assertIn("holds tetrahedra already", result.stderr)


class Render(MeshCase):
    def test_pictures(self):
        self.run_command("mesh", "torus.obj", "-o", "t.vtu", "--size", "8cm", "-q")
        for name, arguments in (("t.vtu", ("--cut", "y")), ("t.vtu", ()), ("torus.obj", ("--camera", "orbit=30,10", "--no-ground"))):
            found = self.run_json("render", name, "-o", "p.png", "--size", "96x64", "--quality", "draft", *arguments)
            self.assertEqual((found["width"], found["height"]), (96, 64))
            self.assertGreater(found["faces"], 100)
            self.assertEqual(found["cut_away"] > 0, "--cut" in arguments)

    def test_refused(self):
        for part, arguments in (("--cut is a plane", ("-o", "p.png", "--cut", "q")),
                                ("takes the whole mesh away", ("-o", "p.png", "--cut", "z=-9")),
                                ("--time is for runs", ("-o", "p.png", "--time", "1")),
                                ("needs a file to write", ()), ("end in .png", ("-o", "p.mp4"))):
            result = self.run_command("render", "torus.obj", *arguments, status=2)
            self.assertIn(part, result.stderr)
        self.assertFalse(os.path.exists(self.path("p.png")))


class Repair(MeshCase):
    SCENE = """cordage: 1
simulation: {duration: 1 s, step: 2 ms, gravity: [0, 0, -9.81]}
output: {every: 20 ms}
materials:
  steel: {young_modulus: 10 MPa, poisson_ratio: 0.3, density: 1000 kg/m^3}
rods:
  - {name: rod, material: steel, section: {circle: {radius: 5 mm}}, damping: {bend: 0.1 s},
     centerline: {line: {from: [-10 cm, 0, 8 cm], to: [10 cm, 0, 8 cm]}}, elements: 10}
obstacles:
  - {mesh: {file: box.obj, repair: true, repair_size: 3 cm}}
contact: {friction: 0.8}
probes:
  - {name: middle, position: rod.node(5)}
"""
    # a block of 40 x 40 x 10 cm with a fifth of its lid missing: no rod reaches into the hole, but the block is open
    BOX = ("v -0.2 -0.2 -0.05\nv 0.2 -0.2 -0.05\nv 0.2 0.2 -0.05\nv -0.2 0.2 -0.05\nv -0.2 -0.2 0.05\nv 0.2 -0.2 0.05\n"
           "v 0.2 0.12 0.05\nv -0.2 0.12 0.05\nv 0.2 0.2 0.05\nv -0.2 0.2 0.05\n"
           "f 4 3 2 1\nf 1 2 6 5\nf 2 3 9 7 6\nf 3 4 10 9\nf 4 1 5 8 10\nf 5 6 7 8\n")

    def test_a_rod_comes_to_rest_on_an_open_mesh(self):
        self.write("box.obj", self.BOX)
        self.write("fall.yaml", self.SCENE)
        self.write("open.yaml", self.SCENE.replace(", repair: true, repair_size: 3 cm", ""))
        without = self.run_command("check", "open.yaml", status=2)
        self.assertIn("the mesh is open", without.stdout + without.stderr)
        self.run_command("run", "fall.yaml", "-o", "out", "-q")
        last = self.read("out", "probes.csv").strip().split("\n")[-1].split(",")
        height = float(last[3])
        self.assertAlmostEqual(height, 0.055, delta=0.003)  # the lid is at 5 cm, the rod's radius is 5 mm


if __name__ == "__main__":
    unittest.main()
