"""glTF, judged by the Khronos validator; skins moved by three.js."""
import copy
import shutil

import h5py
import numpy as np

from export_case import ExportCase, check_equal, check_near, node, rotate

AREAS = {"circle": lambda a, b: np.pi * a * a, "tube": lambda a, b: np.pi * (a * a - b * b),
         "ellipse": lambda a, b: np.pi * a * b, "rectangle": lambda a, b: a * b}


def to_run_axes(v):
    """glTF's y is up, cordage's z."""
    return np.stack([v[..., 0], -v[..., 2], v[..., 1]], axis=-1)


class Mesh:
    """One skinned mesh at all times, as three.js places it."""

    def __init__(self, description, blocks):
        self.name = description["name"]
        joints, vertices = description["joints"], description["vertices"]
        self.translations = np.array([block[:joints] for block in blocks], dtype=np.float32)
        self.joints = to_run_axes(np.array([block[joints:2 * joints] for block in blocks]))
        self.vertices = to_run_axes(np.array([block[2 * joints:] for block in blocks]))
        self.triangles = np.array(description["triangles"]).reshape(-1, 3)
        self.joint = np.array(description["joint"]).reshape(vertices, 4)
        self.weight = np.array(description["weight"]).reshape(vertices, 4)
        self.color = description["color"]

    def ring_of_node(self, index):
        """Vertices that follow one joint alone."""
        return np.flatnonzero((self.joint[:, 0] == index) & (self.weight[:, 0] == 1))


def check_positions(meshes, truth, outputs):
    for mesh, rod in zip(meshes, truth.rods):
        positions = rod.positions[outputs]
        if rod.is_closed:  # the first node has a second joint at the end
            positions = np.concatenate([positions, positions[:, :1]], axis=1)
        check_equal(mesh.translations, positions.astype(np.float32), rod.name + " joints")
        check_near(mesh.joints, positions, 2e-7 * max(1, np.abs(positions).max()), rod.name + " joints in the world")


def check_rings(meshes, truth, outputs):
    """Rings at nodes have the section's shape, in the place and the pose that the run tells."""
    for mesh, rod in zip(meshes, truth.rods):
        frames = rod.at_nodes_frames()[outputs]
        tangents = rotate(rod.frames[outputs], np.array([0, 0, 1]))
        bend = np.linalg.norm(np.diff(tangents, axis=1), axis=2).max(axis=1, initial=0)
        for index in range(0 if rod.is_closed else 1, rod.node_count - (not rod.is_closed)):
            ring = mesh.ring_of_node(index)
            size = rod.section_size[index]
            offset = mesh.vertices[:, ring] - rod.positions[outputs][:, index, None]
            local = np.stack([np.sum(offset * rotate(frames[:, index], axis)[:, None], axis=2) for axis in np.eye(3)], axis=2)
            # The skin stands across the spline's tangent. The run's frames lean against it by shear and, where a rod
            # bends sharply between elements, by a part of that bend, which the spline spreads to the next ones.
            lean = (0.02 + bend) * np.abs(size).max()
            if not np.all(np.abs(local[..., 2]) < lean[:, None]):
                raise AssertionError(f"{rod.name}: ring {index} leans by {np.abs(local[..., 2]).max():.3g} m")
            if rod.section == "circle":
                check_near(np.linalg.norm(offset, axis=2), np.full(offset.shape[:2], size[0]), 3e-7, f"{rod.name} radius")
            elif rod.section == "rectangle":
                low, high = local[..., :2].min(axis=1), local[..., :2].max(axis=1)
                check_near(high, np.tile(size / 2, (len(outputs), 1)), 0.02 * size.max(), f"{rod.name} edge {index}")
                check_near(low, np.tile(-size / 2, (len(outputs), 1)), 0.02 * size.max(), f"{rod.name} edge {index}")
            check_near(offset.mean(axis=1), np.zeros((len(outputs), 3)), 1e-6, f"{rod.name} middle of ring {index}")


def check_volumes(meshes, truth, outputs):
    """Skins are closed, look outwards, and hold what the rod holds: everywhere, also between nodes."""
    for mesh, rod in zip(meshes, truth.rods):
        a, b, c = (mesh.vertices[:, mesh.triangles[:, k]] for k in range(3))
        volume = np.sum(a * np.cross(b, c), axis=(1, 2)) / 6
        area = AREAS[rod.section](*rod.section_size.T)
        ends = rod.positions[outputs]
        if rod.is_closed:
            ends, area = np.concatenate([ends, ends[:, :1]], axis=1), np.append(area, area[0])
        lengths = np.linalg.norm(np.diff(ends, axis=1), axis=2)
        expected = np.sum(lengths * (area[1:] + area[:-1]) / 2, axis=1)
        # Polygons have less area than circles. Between nodes whose frames differ by an angle, blending shrinks the section
        # by up to the cosine of half of it.
        cosine = np.abs(np.sum(rod.frames[outputs, 1:] * rod.frames[outputs, :-1], axis=2)).min(axis=1, initial=1)
        off = np.abs(volume / expected - 1)
        if not np.all(off < 0.08 + (1 - cosine**2)):
            raise AssertionError(f"{rod.name}: the volume is off by {off.max():.3g}")


class Gltf(ExportCase):
    def load(self, path, outputs):
        times = self.truth.times[outputs].astype(np.float32).astype(float)
        out = self.path("out.bin")
        found = node("read_glb.mjs", path, out, *(repr(float(time)) for time in times))
        for kind in ("numErrors", "numWarnings", "numInfos", "numHints"):
            self.assertEqual(found["issues"][kind], 0, found["issues"]["messages"])
        numbers, place, blocks = np.fromfile(out).reshape(-1, 3), 0, []
        for _ in times:
            for mesh in found["meshes"]:
                count = 2 * mesh["joints"] + mesh["vertices"]
                blocks.append(numbers[place:place + count])
                place += count
        self.assertEqual(place, len(numbers))
        total = len(found["meshes"])
        meshes = [Mesh(mesh, blocks[i::total]) for i, mesh in enumerate(found["meshes"])]
        self.assertEqual([mesh.name for mesh in meshes], [rod.name for rod in self.truth.rods])
        return found, meshes

    def test_every_frame(self):
        outputs = list(range(31))
        found, meshes = self.load(self.export("many.glb"), outputs)
        self.assertEqual(found["animations"], 1)
        check_equal(found["times"], self.truth.times.astype(np.float32).astype(float), "times")
        check_positions(meshes, self.truth, outputs)
        check_rings(meshes, self.truth, outputs)
        check_volumes(meshes, self.truth, outputs)
        self.assertEqual({mesh.color for mesh in meshes}, {None})
        self.assertTrue(self.truth.rods[3].has_joint().all())  # the half-turn band is one

        other = copy.deepcopy(self.truth)
        value = np.float32(other.rods[3].positions[30, 7, 1])
        other.rods[3].values["positions"][30, 7, 1] = np.nextafter(value, np.float32(9))
        self.assert_fails(check_positions, meshes, other, outputs)
        other = copy.deepcopy(self.truth)
        other.rods[2].values["frames"][20, 15:17] = other.rods[2].frames[10, 15:17]  # twisted by another angle
        self.assert_fails(check_rings, meshes, other, outputs)
        meshes[0].triangles = meshes[0].triangles[:, ::-1]
        self.assert_fails(check_volumes, meshes, self.truth, outputs)

    def test_part_with_stripe(self):
        outputs = list(range(5, 31, 3))
        _, meshes = self.load(self.export("part.glb", "--stripe", "--frames", "5:", "--every", "3"), outputs)
        check_positions(meshes, self.truth, outputs)
        check_rings(meshes, self.truth, outputs)
        for mesh in meshes:
            colors = np.unique(np.array(mesh.color).reshape(-1, 4), axis=0)
            self.assertEqual(len(colors), 2, mesh.name)

    def test_stripe_is_on_the_side_of_d2(self):
        _, meshes = self.load(self.export("part.glb", "--stripe", "--frames", "20"), [20])
        band, rod = meshes[2], self.truth.rods[2]
        self.assertEqual(rod.name, "flat-band")
        d2 = rotate(rod.at_nodes_frames()[20], [0, 1, 0])
        color = np.array(band.color).reshape(-1, 4)
        light = color.sum(axis=1) == color.sum(axis=1).max()
        for index in range(1, rod.node_count - 1):
            ring = band.ring_of_node(index)
            height = (band.vertices[0, ring] - rod.positions[20, index]) @ d2[index]
            self.assertGreater(height[light[ring]].mean(), 0.5e-3)
            self.assertLess(height[~light[ring]].mean(), -0.5e-3)

    def test_single_output(self):
        found, meshes = self.load(self.export("one.glb", "--frames", "12"), [12])
        self.assertEqual(found["animations"], 0)
        check_positions(meshes, self.truth, [12])
        check_rings(meshes, self.truth, [12])

    def test_signs_of_quaternions_do_not_matter(self):
        """q and -q are one rotation, but programs interpolate between the numbers."""
        expected = self.export("plain.glb")
        shutil.copytree(self.run_directory, self.path("flipped"))
        with h5py.File(self.path("flipped", "run.h5"), "r+") as file:
            for rod in file["rods"].values():
                for output in (3, 4, 9, 20, 30):
                    rod["frames"][output] = -rod["frames"][output]
        self.run_command("export", "flipped", "-o", "flipped.glb")
        one, other = np.fromfile(expected, np.uint32), np.fromfile(self.path("flipped.glb"), np.uint32)
        self.assertEqual(len(one), len(other))
        differing = np.unique(np.concatenate([one[one != other], other[one != other]]))
        self.assertTrue(set(differing) <= {0, 0x80000000}, differing[:10])  # 0 and -0

    def test_validator_notices(self):
        path = self.export("many.glb", "--frames", "0:1")
        with open(path, "rb") as file:
            data = file.read()
        with open(path, "wb") as file:
            file.write(data.replace(b'"VEC3"', b'"VEC2"', 1))
        with self.assertRaises(AssertionError):
            self.load(path, [0])
