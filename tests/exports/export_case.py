"""What the tests of exports share: one run of many kinds of rods, and its numbers as h5py reads them from run.h5."""
import atexit
import json
import os
import shutil
import subprocess
import tempfile

import h5py
import numpy as np

from command_case import COMMAND, SOURCE, TIMEOUT, CommandCase

MODULES = os.environ["CORDAGE_NODE_MODULES"]

# Open, closed and twisted by three turns, flat and being twisted by two turns, tapered, hollow with a single element,
# elliptic, a half-turn band, unequal elements, names that USD does not allow.
SCENE = """cordage: 1
title: "Many kinds of \\"rods\\" <&> ünïcode"
simulation: {duration: 0.3 s, step: 1 ms, gravity: [0, 0, -9.81]}
output: {every: 10 ms}
materials:
  rubber: {young_modulus: 1 MPa, poisson_ratio: 0.5, density: 1100 kg/m^3}
rods:
  - {name: cable, material: rubber, section: {circle: {radius: 5 mm}},
     centerline: {line: {from: [0, 0, 0], to: [1 m, 0, 0]}}, elements: 30}
  - {name: ring, material: rubber, section: {circle: {radius: 4 mm}},
     centerline: {circle: {radius: 10 cm, center: [0, 0.5, 0]}}, twist: 30 rad/m, rest: straight, elements: 60}
  - {name: flat-band, material: rubber, section: {rectangle: {width: 20 mm, height: 2 mm}}, normal: [0, 1, 0],
     centerline: {line: {from: [0, 1, 0], to: [0.5, 1, 0]}}, elements: 40}
  - {name: flat_band, material: rubber, section: {rectangle: {width: 1 mm, height: 9 mm}},
     centerline: {circle: {radius: 10 cm, center: [1, 1, 0]}}, twist: 5 rad/m, rest: initial, elements: 50}
  - {name: taper, material: rubber, section: {circle: {radius: 6 mm}, end: {circle: {radius: 1 mm}}},
     centerline: {line: {from: [0, -0.5, 0], to: [0.6, -0.5, 0]}}, elements: 20}
  - {name: pipe, material: rubber, section: {tube: {radius: 6 mm, inner_radius: 4 mm}},
     centerline: {line: {from: [0, -1, 0], to: [0.1, -1, 0]}}, elements: 1}
  - {name: 2nd, material: rubber, section: {ellipse: {semi_axes: [3 mm, 2 mm]}}, rest: initial, elements: 5,
     centerline: {points: [[0, -2, 0], [0.1, -2, 0], [0.15, -2, 0.02], [0.3, -2, 0], [0.35, -2, 0], [0.5, -2, 0]]}}
supports:
  - clamp: cable.start
  - clamp: flat-band.start
  - {clamp: flat-band.end, motion: [{rotate: {axis: [1, 0, 0], angle: 2 turns}, from: 0 s, to: 0.3 s}]}
  - clamp: taper.start
"""


class Rod:
    """A rod's numbers over all outputs."""

    def __init__(self, name, group, count):
        self.name = name
        self.is_closed = bool(group.attrs["is_closed"])
        self.section = group.attrs["section"]
        self.section = self.section.decode() if isinstance(self.section, bytes) else self.section
        self.values = {key: np.array(data) for key, data in group.items()}
        for key, data in self.values.items():
            if key not in ("radius", "rest_length", "section_size"):
                self.values[key] = data[:count]

    def __getattr__(self, name):
        if name not in self.__dict__.get("values", {}):
            raise AttributeError(name)
        return self.values[name]

    @property
    def node_count(self):
        return self.positions.shape[1]

    def at_nodes(self, name):
        """An element field taken to the nodes, linear in rest arc length between the middles of elements."""
        values, lengths = self.values[name], self.rest_length
        if values.ndim == 2:
            values = values[:, :, None]
        before, after = np.roll(values, 1, axis=1), values
        length_before = np.roll(lengths, 1)
        part = (length_before / (length_before + lengths))[None, :, None]
        inner = before + part * (after - before)
        if not self.is_closed:
            inner = np.concatenate([values[:, :1], inner[:, 1:], values[:, -1:]], axis=1)
        inner[self.has_joint(), 0] = values[self.has_joint(), 0]
        return inner

    def has_joint(self):
        """At which outputs the frames jump by more than a quarter turn where the rod is joined (a band with half a turn)."""
        return self.is_closed & (np.abs(np.sum(self.frames[:, 0] * self.frames[:, -1], axis=1)) < np.sqrt(0.5))


    def at_nodes_frames(self):
        """The frames at the nodes: on the great arc between the two elements, at the same part as at_nodes."""
        frames, lengths = self.frames, self.rest_length
        before, after = np.roll(frames, 1, axis=1), frames
        part = (np.roll(lengths, 1) / (np.roll(lengths, 1) + lengths))[None, :, None]
        after = np.where(np.sum(before * after, axis=2, keepdims=True) < 0, -after, after)
        angle = np.arccos(np.clip(np.sum(before * after, axis=2, keepdims=True), -1, 1))
        with np.errstate(invalid="ignore", divide="ignore"):
            arc = (np.sin((1 - part) * angle) * before + np.sin(part * angle) * after) / np.sin(angle)
        inner = np.where(angle < 1e-6, (1 - part) * before + part * after, arc)
        if not self.is_closed:
            inner = np.concatenate([frames[:, :1], inner[:, 1:], frames[:, -1:]], axis=1)
        inner[self.has_joint(), 0] = frames[self.has_joint(), 0]
        return inner / np.linalg.norm(inner, axis=2, keepdims=True)


class Truth:
    """run.h5 as anyone reads it."""

    def __init__(self, path):
        with h5py.File(path, "r") as file:
            times = np.array(file["time"])
            self.times = times[np.isfinite(times)]
            names = sorted(file["rods"], key=lambda name: file["rods"][name].attrs["place"])
            self.rods = [Rod(name, file["rods"][name], len(self.times)) for name in names]


def rotate(frames, vector):
    """Quaternions w x y z applied to one vector."""
    w, u = frames[..., :1], frames[..., 1:]
    t = 2 * np.cross(u, vector)
    return vector + w * t + np.cross(u, t)


def check_equal(got, expected, what):
    """Bit for bit; what is not a number on one side is none on the other."""
    got, expected = np.asarray(got), np.asarray(expected)
    if got.shape != expected.shape:
        raise AssertionError(f"{what}: shape {got.shape}, not {expected.shape}")
    differs = (got != expected) & ~((got != got) & (expected != expected))
    if np.any(differs):
        place = np.unravel_index(np.argmax(differs), got.shape)
        raise AssertionError(f"{what}: differs at {place}: {got[place]!r}, not {expected[place]!r}")


def check_near(got, expected, tolerance, what):
    got, expected = np.asarray(got, float), np.asarray(expected, float)
    if got.shape != expected.shape:
        raise AssertionError(f"{what}: shape {got.shape}, not {expected.shape}")
    difference = np.abs(got - expected)
    if not np.all(difference <= tolerance):  # also when not finite
        place = np.unravel_index(np.argmax(difference), got.shape)
        raise AssertionError(f"{what}: off by {difference[place]:.3g} (allowed {tolerance:.3g}) at {place}")


def node(script, *arguments):
    """Runs a script of tests/node and returns the JSON it prints."""
    command = ["node", os.path.join(SOURCE, "tests", "node", script), MODULES, *arguments]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=TIMEOUT, check=False)
    if result.returncode != 0:
        raise AssertionError(f"{script}: {result.stderr[-2000:]}")
    return json.loads(result.stdout)


_shared = {}


def shared_run():
    """The run of SCENE, made once for all tests: its directory and its numbers."""
    if not _shared:
        directory = tempfile.mkdtemp(prefix="cordage-exports-")
        atexit.register(shutil.rmtree, directory)
        scene = os.path.join(directory, "many.yaml")
        with open(scene, "w", encoding="utf-8") as file:
            file.write(SCENE)
        run = os.path.join(directory, "many-run")
        subprocess.run([COMMAND, "run", scene, "-o", run, "--quiet"], check=True, timeout=TIMEOUT)
        _shared["run"] = run
        _shared["truth"] = Truth(os.path.join(run, "run.h5"))
    return _shared["run"], _shared["truth"]


class ExportCase(CommandCase):
    def setUp(self):
        super().setUp()
        self.run_directory, self.truth = shared_run()
        self.assertEqual(len(self.truth.times), 31)
        self.assertEqual(len(self.truth.rods), 7)

    def export(self, name, *arguments, **options):
        """Exports the shared run to `name` in the test's directory; returns the file's path."""
        self.run_command("export", self.run_directory, "-o", name, *arguments, **options)
        return self.path(name)

    def assert_fails(self, check, *arguments):
        """The comparison notices: a test that cannot fail shows nothing."""
        with self.assertRaises(AssertionError):
            check(*arguments)
