"""USD, read by TinyUSDZ and by three.js, neither of which shares code with the other or with Pixar's."""
import copy
import os
import re

import numpy as np

from export_case import ExportCase, check_equal, check_near, node, rotate

NAMES = ["cable", "ring", "flat_band", "flat_band_2", "taper", "pipe", "_2nd"]
RIBBONS = {"flat-band": 1, "flat_band": 0}  # the thin axis


def parse_prims(text):
    """Prims of a layer as TinyUSDZ writes it: {name: {attribute: text or {time: numbers}}}."""
    prims, prim, samples = {}, None, None
    for line in text.splitlines():
        line = line.strip()
        if match := re.fullmatch(r'def BasisCurves "(\w+)"', line):
            prim = prims.setdefault(match[1], {})
        elif match := re.fullmatch(r"(?:uniform |custom )*([\w\[\]]+) ([\w:]+)\.timeSamples = \{", line):
            samples = prim[match[2] + ".timeSamples"] = {}
        elif samples is not None and (match := re.fullmatch(r"(\S+): \[(.*)\],", line)):
            samples[float(match[1])] = numbers(match[2])
        elif line == "}":
            samples = None
        elif prim is not None and (match := re.fullmatch(r"(?:uniform |custom )*([\w\[\]]+) ([\w:]+) = (.*?)( \()?", line)):
            prim[match[2]] = match[3]
    return prims


def numbers(text):
    return np.array(text.replace("(", "").replace(")", "").split(","), dtype=np.float32)


def check_samples(times, rate, samples, expected, what, tolerance=None):
    """Times to rounding, vectors to the bit of a float unless a tolerance is given."""
    check_near(sorted(samples), times * rate, 1e-9 * max(1, rate), what + " time codes")
    got = np.array([samples[time] for time in sorted(samples)], dtype=np.float32)
    expected = expected.reshape(got.shape[0], -1)
    if tolerance is None:
        check_equal(got, expected.astype(np.float32), what)
    else:
        check_near(got, expected, tolerance, what)


def check_tiny(text, truth, rate):
    prims = parse_prims(text)
    check_equal(list(prims), NAMES, "prims")
    for name, rod in zip(NAMES, truth.rods):
        prim = prims[name]
        check_samples(truth.times, rate, prim["points.timeSamples"], rod.positions, name)
        check_samples(truth.times, rate, prim["velocities.timeSamples"], rod.velocities, name)
        frames = rod.at_nodes_frames()
        check_samples(truth.times, rate, prim["primvars:d1.timeSamples"], rotate(frames, [1, 0, 0]), name, 2e-6)
        if rod.name in RIBBONS:
            normal = np.eye(3)[RIBBONS[rod.name]]
            check_samples(truth.times, rate, prim["normals.timeSamples"], rotate(frames, normal), name, 2e-6)
        elif "normals.timeSamples" in prim:
            raise AssertionError(f"{name} is round, but would be drawn as a ribbon")
        constants = (prim["wrap"], prim["basis"], prim["type"], prim["curveVertexCounts"])
        wrap = '"periodic"' if rod.is_closed else '"pinned"'
        check_equal(constants, (wrap, '"catmullRom"', '"cubic"', f"[{rod.node_count}]"), name)
        check_equal(prim["userProperties:rod"], f'"{rod.name}"', name)
        widths = numbers(prim["widths"].strip("[]"))
        size = rod.section_size
        if rod.name in RIBBONS:
            expected = size[:, 1 - RIBBONS[rod.name]]
        elif rod.section == "ellipse":
            expected = 2 * np.sqrt(size[:, 0] * size[:, 1])
        else:
            expected = 2 * size[:, 0]
        check_near(widths, expected, 1e-9, name + " widths")
        low, high = rod.positions.min(axis=1), rod.positions.max(axis=1)
        extent = np.concatenate([low - expected.max() / 2, high + expected.max() / 2], axis=1)
        check_samples(truth.times, rate, prim["extent.timeSamples"], extent, name, 1e-6)


def check_three(specs, truth, rate):
    for name, rod in zip(NAMES, truth.rods):
        samples = specs[f"/many/{name}.points"]["fields"]["timeSamples"]
        check_near(samples["times"], truth.times * rate, 1e-6, name)
        check_equal(np.array(samples["values"], dtype=np.float32),
                    rod.positions.reshape(len(truth.times), -1).astype(np.float32), name)


class Usd(ExportCase):
    def test_every_sample(self):
        found = node("read_usda.mjs", self.export("many.usda"))
        self.assertTrue(found["stage"], found["stageError"])
        self.assertTrue(found["layer"], found["layerError"])
        check_tiny(found["text"], self.truth, 100)
        check_three(found["three"], self.truth, 100)
        for line in ('defaultPrim = "many"', 'upAxis = "Z"', "metersPerUnit = 1", "timeCodesPerSecond = 100",
                     "startTimeCode = 0", "endTimeCode = 30"):
            self.assertIn(line, found["text"])

        other = copy.deepcopy(self.truth)
        value = np.float32(other.rods[3].positions[30, 7, 1])
        other.rods[3].values["positions"][30, 7, 1] = np.nextafter(value, np.float32(9))
        self.assert_fails(check_tiny, found["text"], other, 100)
        self.assert_fails(check_three, found["three"], other, 100)
        other = copy.deepcopy(self.truth)
        other.rods[0].values["velocities"][30, 7, 1] += 1e-3
        self.assert_fails(check_tiny, found["text"], other, 100)

    def test_damage_is_noticed(self):
        path = self.export("many.usda")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for name, damaged in (("cut", text[:len(text) // 2]), ("type", text.replace("point3f[]", "point3g[]")),
                              ("vector", text.replace("(0, 0, 0)", "(0, 0)", 1))):
            self.write(name + ".usda", damaged)
            try:
                found = node("read_usda.mjs", self.path(name + ".usda"))
            except AssertionError:
                continue  # three.js gave up
            self.assertFalse(found["stage"] and found["layer"], name)

    def test_part_of_a_run(self):
        found = node("read_usda.mjs", self.export("part.usda", "--frames", "3:9", "--every", "2"))
        points = parse_prims(found["text"])["cable"]["points.timeSamples"]
        times = self.truth.times[3:10:2]
        check_samples(times, 50, points, self.truth.rods[0].positions[3:10:2], "cable")
        found = node("read_usda.mjs", self.export("one.usda", "--frames", "7"))
        points = parse_prims(found["text"])["cable"]["points.timeSamples"]
        check_samples(self.truth.times[7:8], 24, points, self.truth.rods[0].positions[7:8], "cable")
        self.assertGreater(os.path.getsize(self.path("one.usda")), 1000)
