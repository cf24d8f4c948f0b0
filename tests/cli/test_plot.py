"""cordage plot: what the pictures hold, and what happens to bad requests."""
import csv
import json
import os
import re
import struct
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser

from command_case import SCENE, CommandCase

SVG = "{http://www.w3.org/2000/svg}"
PROBES = SCENE + """  - {name: pull, reaction: cable.start}
  - {name: middle, tension: cable.element(10)}
"""


class Page(HTMLParser):
    """Which elements are open, and every attribute that could fetch something."""
    EMPTY = {"meta", "br", "img", "link", "input", "hr", "rect", "polyline", "polygon", "circle", "image"}

    def __init__(self):
        super().__init__()
        self.open, self.links, self.counts, self.data = [], [], {}, []

    def handle_starttag(self, tag, attrs):
        self.counts[tag] = self.counts.get(tag, 0) + 1
        self.links += [value for name, value in attrs if name in ("src", "href", "xlink:href", "action", "srcset")]
        if tag not in self.EMPTY:
            self.open.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        if tag not in self.EMPTY:
            assert self.open.pop()[0] == tag, tag

    def handle_data(self, data):
        if self.open and self.open[-1][0] == "script" and self.open[-1][1].get("type") == "application/json":
            self.data.append(data)


class Plot(CommandCase):
    def setUp(self):
        super().setUp()
        self.write("scene.yaml", PROBES)
        self.run_command("run", "scene.yaml", "-o", "run", "--quiet")

    def columns(self):
        with open(self.path("run", "probes.csv"), encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file))
        return {name.split(" [")[0]: [float(row[i]) for row in rows[1:]] for i, name in enumerate(rows[0])}

    def bytes_of(self, *names):
        with open(self.path(*names), "rb") as file:
            return file.read()

    def files(self, *names):
        found = []
        for folder, _, files in os.walk(self.path(*names)):
            found += [os.path.relpath(os.path.join(folder, name), self.directory) for name in files]
        return sorted(found)

    def test_default_files(self):
        before = self.files()
        result = self.run_command("plot", "run")
        names = [name for name in self.files() if name not in before]
        charts = ["energy", "middle_tension", "pull_peak_force", "pull_reaction_force", "pull_reaction_moment", "tip_position"]
        self.assertEqual(names, sorted([f"run/plots/{chart}.{kind}" for chart in charts for kind in ("svg", "png")] +
                                       ["run/plots/index.html"]))
        for name in names:
            self.assertIn(name, result.stdout)
            if name.endswith(".svg"):
                self.assertEqual(ElementTree.parse(self.path(name)).getroot().tag, SVG + "svg")
            elif name.endswith(".png"):
                self.assertEqual(self.bytes_of(name)[:8], b"\x89PNG\r\n\x1a\n")
        first = [self.bytes_of(name) for name in names]
        self.run_command("plot", "run/run.h5", "--quiet")  # the same bytes, and over the old files
        self.assertEqual([self.bytes_of(name) for name in names], first)

    def test_curve_is_the_data(self):
        """From the polyline through the labels of the ticks back to probes.csv."""
        self.run_command("plot", "run", "-o", "tip.svg", "--columns", "tip_z", "--title", "Tip <&> tail")
        root = ElementTree.parse(self.path("tip.svg")).getroot()
        texts = [(element.attrib, "".join(element.itertext())) for element in root.iter(SVG + "text")]
        self.assertIn("Tip <&> tail", [text for _, text in texts])
        self.assertIn("time (ms)" if self.columns()["time"][-1] < 0.1 else "time (s)", [text for _, text in texts])
        label = next(text for _, text in texts if text.startswith("tip_z"))
        scale = {"mm": 1e-3, "m": 1}[re.fullmatch(r"tip_z \((.*)\)", label)[1]]

        def ticks(anchor, coordinate):
            size = 12
            found = [(float(a[coordinate]), float(text.replace("\u2212", "-"))) for a, text in texts
                     if a.get("text-anchor") == anchor and float(a["font-size"]) == size]
            self.assertGreater(len(found), 2)
            return found[0], found[-1]

        def back(pair, pixel):
            (p0, v0), (p1, v1) = pair
            return v0 + (v1 - v0) * (pixel - p0) / (p1 - p0)

        x_ticks, y_ticks = ticks("middle", "x"), ticks("end", "y")
        inner = next(root.iter(SVG + "svg"))
        inner = [element for element in root.iter(SVG + "svg") if element is not inner][0]
        points = [tuple(map(float, point.split(","))) for point in inner.find(SVG + "polyline").get("points").split()]
        data = self.columns()
        self.assertEqual(len(points), len(data["time"]))
        range_z = max(data["tip_z"]) - min(data["tip_z"])
        for (x, y), time, z in zip(points, data["time"], data["tip_z"]):
            self.assertAlmostEqual(back(x_ticks, x), time, delta=1e-4)
            self.assertAlmostEqual(back(y_ticks, y + 0.36 * 12) * scale, z, delta=1e-3 * range_z)

    def test_json_is_the_data(self):
        before = self.files()
        document = self.run_json("plot", "run", "--columns", "energy.*,tip_?")
        self.assertEqual(self.files(), before)  # nothing was asked to be written
        charts = {chart["y"]["unit"]: chart for chart in document["charts"]}
        self.assertEqual(sorted(charts), ["J", "m"])
        self.assertEqual(charts["m"]["x"], {"label": "time", "unit": "s"})
        data = self.columns()
        self.assertEqual([series["name"] for series in charts["m"]["series"]], ["tip_x", "tip_y", "tip_z"])
        for series in charts["m"]["series"]:
            self.assertEqual(series["y"], data[series["name"]])
            self.assertEqual(series["x"], data["time"])
        total = {series["name"]: series["y"] for series in charts["J"]["series"]}["energy.total"]
        self.assertEqual(total[-1], json.loads(self.read("run", "summary.json"))["energy_end"]["total"])

    def test_page(self):
        self.run_command("plot", "run", "--html", "page.html", "-o", "all.png", "--size", "900x1200")
        text = self.read("page.html")
        self.assertNotIn("http:", text)
        self.assertNotIn("https:", text)
        page = Page()
        page.feed(text)
        page.close()
        self.assertEqual(page.open, [])
        self.assertEqual(page.links, [])
        self.assertEqual(page.counts["figure"], 6)
        self.assertEqual(page.counts.get("link", 0), 0)
        self.assertEqual(len(page.data), 6)
        data = self.columns()
        chart = json.loads(page.data[1])
        self.assertEqual([series["name"] for series in chart["series"]], ["x", "y", "z"])
        for series, column in zip(chart["series"], ("tip_x", "tip_y", "tip_z")):
            for shown, exact in zip(series["y"], data[column]):
                self.assertAlmostEqual(shown, exact, delta=1e-6)
        self.assertEqual(struct.unpack(">II", self.bytes_of("all.png")[16:24]), (900, 1200))

    def test_along(self):
        document = self.run_json("plot", "run", "--along", "cable", "--field", "positions.z,tension", "--time", "0.1,200ms",
                                 "--time", "0")
        z, tension = document["charts"]
        self.assertEqual([series["name"] for series in z["series"]], ["0.1 s", "0.2 s", "0 s"])
        self.assertEqual(z["y"]["unit"], "m")
        data = self.columns()
        self.assertEqual(z["series"][1]["y"][-1], data["tip_z"][-1])
        self.assertEqual(z["series"][0]["y"][-1], data["tip_z"][10])
        self.assertEqual(tension["series"][1]["y"][10], data["middle"][-1])
        self.assertEqual(tension["y"], {"label": "tension", "unit": "N"})
        self.run_command("plot", "run", "--along", "*", "--field", "moment,curvature", "-o", "along.svg", "--log")
        ElementTree.parse(self.path("along.svg"))

    def test_ranges_and_log(self):
        self.run_command("plot", "run", "-c", "energy.kinetic", "--log", "--from", "50 ms", "--to", "0.15", "-o", "k.svg")
        root = ElementTree.parse(self.path("k.svg")).getroot()
        inner = list(root.iter(SVG + "svg"))[1]
        box = [float(value) for value in inner.get("viewBox").split()]
        xs = [float(point.split(",")[0]) for line in inner.iter(SVG + "polyline") for point in line.get("points").split()]
        inside = [x for x in xs if box[0] <= x <= box[0] + box[2]]
        self.assertEqual(len(inside), 11)  # outputs from 50 to 150 ms, every 10 ms
        result = self.run_command("plot", "run", "-c", "energy.kinetic,energy.gravity", "--log", "-o", "g.svg")
        self.assertIn("zero or less", result.stderr)

    def test_refusals(self):
        self.write("text.h5", "not a run")
        os.mkdir(self.path("cut"))
        with open(self.path("cut", "run.h5"), "wb") as file:
            file.write(self.bytes_of("run", "run.h5")[:1000])
        os.mkdir(self.path("empty"))
        before = self.files()
        for arguments, message in [
                (["nowhere"], "nowhere"), (["empty"], "run.h5"), (["text.h5"], "text.h5"), (["cut"], "cut"),
                (["run", "-o", "a.pdf"], ".svg, .png or .html"), (["run", "-o", "a"], ".svg, .png or .html"),
                (["run", "--html", "a.svg"], ".html"), (["run", "-o", "none/a.svg"], "none"),
                (["run", "-o", "a.svg", "-c", "tip_q"], "did you mean 'tip_"),
                (["run", "-o", "a.svg", "-c", "nothing_like_it"], "energy.total, tip_x, tip_y, tip_z, pull_fx"),
                (["run", "-o", "a.png", "--size", "0x0"], "1280x720"), (["run", "-o", "a.png", "--size", "100000x5"], "16384"),
                (["run", "-o", "a.png", "--size", "12"], "1280x720"), (["run", "-o", "a.png", "--size", "-5x5"], "1280x720"),
                (["run", "-o", "a.png", "--size", "50x50"], "too few"), (["run", "-o", "a.png", "--size", "9x9x9"], "1280x720"),
                (["run", "-o", "a.svg", "--field", "tension"], "--along"),
                (["run", "-o", "a.svg", "--along", "cable", "-c", "tip_x"], "--columns"),
                (["run", "-o", "a.svg", "--along", "cabel"], "did you mean 'cable'"),
                (["run", "-o", "a.svg", "--along", "cable", "--field", "tenshun"], "did you mean 'tension'"),
                (["run", "-o", "a.svg", "--along", "cable", "--field", "moment.9"], "moment.1, moment.2, moment.3"),
                (["run", "-o", "a.svg", "--along", "cable", "--time", "3 m"], "a length"),
                (["run", "-o", "a.svg", "--along", "cable", "--time", "9"], "from 0 s to 0.2 s"),
                (["run", "-o", "a.svg", "--from", "1", "--to", "0"], "less than"),
                (["run", "-o", "a.svg", "--from", "5 s"], "nothing to plot"),
                (["run", "-o", "a.svg", "--from", "soon"], "--from"),
                (["run", "-o", "a.svg", "-c", "tip_y", "--log"], "logarithmic")]:
            result = self.run_command("plot", *arguments, status=2)
            self.assertIn(message, result.stderr, arguments)
            self.assertEqual(result.stdout, "", arguments)
            self.assertEqual(self.files(), before, arguments)
            self.assertEqual(self.run_json("plot", *arguments, status=2)["charts"], [])

    def test_old_file_survives(self):
        self.write("a.svg", "old")
        self.run_command("plot", "run", "-o", "a.svg", "--size", "20x20", status=2)
        self.assertEqual(self.read("a.svg"), "old")
        os.mkdir(self.path("locked.svg"))
        self.assertIn("directory", self.run_command("plot", "run", "-o", "locked.svg", status=2).stderr)

    def test_damaged_probes(self):
        text = self.read("run", "probes.csv")
        self.write("run/probes.csv", text.replace(",", ";"))
        self.assertIn("probes.csv", self.run_command("plot", "run", status=2).stderr)
        self.write("run/probes.csv", text[:-4])  # an unfinished line, as during a run
        document = self.run_json("plot", "run", "-c", "tip_x")
        self.assertEqual(len(document["charts"][0]["series"][0]["y"]), 20)
