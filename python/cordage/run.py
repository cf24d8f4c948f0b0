"""Runs read back: what `cordage run` or Scene.run has written, output by output."""
import csv
import operator
import os

from . import _cordage, arrays
from .errors import ArgumentError, FormatError


class Run(_cordage.History):
    """A run directory, or its run.h5, for reading, while the run goes on and after it. Nothing but the times and what
    stays the same is read before it is asked for.

        run = Run("cable-run")
        run.times, run.rods["cable"].positions(-1), run.energy("total"), run.probes["tip_z [m]"]
    """

    def __init__(self, path):
        self.path = os.fspath(path)
        super().__init__(self.path)
        info = self._info()
        self.title, self.scene_text = info["title"], info["scene_text"]
        self.frame_count, self.is_static = info["frame_count"], info["is_static"]
        self._mode_count, self._body_count = info["mode_count"], info["body_count"]
        self.summary = None
        self.rods = {}
        for place in range(info["rod_count"]):
            rod = RunRod(self, place)
            self.rods[rod.name] = rod

    def __len__(self):
        return self.frame_count

    def __repr__(self):
        return f"<cordage.Run '{self.title or self.path}': {arrays.counted(self.frame_count, 'output')}, {arrays.counted(len(self.rods), 'rod')}>"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    @property
    def times(self):
        """Times of the outputs, s."""
        return arrays.owned(self._times())

    def energy(self, name="total"):
        """One energy at all outputs, J: total, kinetic, stretch, shear, bend, twist, gravity, dissipated."""
        return arrays.owned(self._energy(name))

    def contact_count(self, frame):
        """How many contacts there are at an output."""
        return self._contact_count(self._frame(frame))

    @property
    def bodies(self):
        """Names of the bodies."""
        return [self._body_name(place) for place in range(self._body_count)]

    def body(self, name, frame):
        """Position and orientation (w, x, y, z) of a body at an output."""
        names = self.bodies
        if name not in names:
            raise KeyError(f"no body is named '{name}'; there are {', '.join(names) or 'none'}")
        return self._body(self._frame(frame), names.index(name))

    @property
    def probes(self):
        """The columns of probes.csv by their titles; empty when there is none."""
        folder = self.path if os.path.isdir(self.path) else os.path.dirname(self.path)
        path = os.path.join(folder, "probes.csv")
        if not os.path.exists(path):
            return {}
        with open(path, encoding="utf-8", newline="") as file:
            rows = list(csv.reader(line for line in file if not line.startswith("#")))
        titles = rows[0] if rows else []
        rows = [row for row in rows[1:] if len(row) == len(titles)]  # the last one may be half written
        try:
            columns = {title: [float(row[k]) for row in rows] for k, title in enumerate(titles)}
        except ValueError as error:
            raise FormatError(f"{path}: {error}") from None
        return {title: arrays.numpy.array(column) if arrays.numpy else column for title, column in columns.items()}

    def _frame(self, frame):
        frame = operator.index(frame)  # 1.5 is no output
        place = frame + self.frame_count if frame < 0 else frame
        if not 0 <= place < self.frame_count:
            raise IndexError(f"the run has {self.frame_count} outputs, and number {frame} is none")
        return place

    def _curves(self, frame):
        out = []
        for rod in self.rods.values():
            points = self._read(frame, -1, rod._place, "positions").tolist()
            out.append((rod.name, points, max(rod.radii), rod.is_closed))
        return out

    def _repr_html_(self):
        from . import drawing
        player = drawing.player_html(self.path)
        if player is not None:
            return player
        last = self.frame_count - 1
        return drawing.picture_html(self._curves(last), [], f"{self.title} t = {self.times[last]:.4g} s")

    def plot(self, *names, axes=None):
        """Numbers over time in a matplotlib chart: energies (plot("total", "bend")), probes (plot("tip") or one of their
        columns, plot("tip_z")), or both; without names the total and the kinetic energy. Returns the axes. Needs
        matplotlib."""
        from . import drawing
        curves, units = {}, set()
        for name in names or ("total", "kinetic"):
            found = self._probe_columns(name)
            curves.update(found or {name: self._energy_named(name)})
            units.update(title.rpartition(" [")[2].rstrip("]") if " [" in title else "" for title in found or ("energy [J]",))
        label = "energy [J]" if units == {"J"} else f"[{units.pop()}]" if len(units) == 1 and "" not in units else ""
        return drawing.plot_curves(self.times, curves, axes, label)

    def _probe_columns(self, name):
        """The columns of a probe, or the one of this name, with or without its unit."""
        columns = {title: values for title, values in self.probes.items() if title != "time [s]"}
        exact = {title: values for title, values in columns.items() if name in (title, title.partition(" [")[0])}
        return exact or {title: values for title, values in columns.items() if title.startswith(name + "_")}

    def _energy_named(self, name):
        try:
            return self.energy(name)
        except ArgumentError:
            columns = [title.partition(" [")[0] for title in self.probes if title != "time [s]"]
            raise ArgumentError(f"there is neither an energy nor a probe '{name}'; energies are total, kinetic, bend, ..., "
                                f"probes' columns {', '.join(columns) or 'none'}") from None


class RunRod:
    """A rod of a run: what stays the same about it, and its numbers at any output. A rod whose resolution changes
    (adapts) has as many nodes and elements as the output has; node_count and element_count are the most there can be."""

    def __init__(self, run, place):
        self.run, self._place = run, place
        (self.name, self.model, self.is_closed, self.node_count, self.element_count, self.length, self.mass, radii,
         rest, self.adapts) = run._rod(place)
        self.radii, self.rest_lengths = arrays.owned(radii), arrays.owned(rest)

    def __repr__(self):
        return f"<cordage.RunRod '{self.name}': {self.model}, {self.element_count} elements, {self.length:g} m>"

    def read(self, field, frame=None):
        """A field (cordage.fields()) at one output (negative from the end), or at all: (outputs, entries, components).
        Outputs of a rod whose resolution changes differ in their entries, so all of them are a list of arrays."""
        if frame is None and self.adapts:
            return [self.read(field, k) for k in range(self.run.frame_count)]
        if frame is None:
            return arrays.owned(self.run._read(0, self.run.frame_count, self._place, field))
        return arrays.owned(self.run._read(self.run._frame(frame), -1, self._place, field))

    def sample(self, field, places, frame=None):
        """A field at places along the rod, which are arc lengths at rest in m, whatever the resolution: one output, or
        all: (outputs, places, components). Positions are on the rod's smooth curve."""
        if frame is not None:
            return arrays.owned(self.run._sample(self.run._frame(frame), self._place, field, places))
        rows = [self.run._sample(k, self._place, field, places) for k in range(self.run.frame_count)]
        return arrays.numpy.array(rows) if arrays.numpy else rows

    def arc_lengths(self, frame):
        """Where the nodes are at an output: arc lengths at rest from the rod's start, m."""
        return arrays.owned(self.run._arc_lengths(self.run._frame(frame), self._place))

    def levels(self, frame=None):
        """How often the elements were halved since the scene made them."""
        return self.read("level", frame)

    def positions(self, frame=None):
        """Positions of the nodes, m."""
        return self.read("positions", frame)

    def velocities(self, frame=None):
        """Velocities of the nodes, m/s."""
        return self.read("velocities", frame)

    def tension(self, frame=None):
        """Axial forces in the elements, N."""
        return self.read("tension", frame)

    def moments(self, frame=None):
        """Moments at the nodes, N m, material frame."""
        return self.read("moment", frame)

    def modes(self):
        """Frequencies (Hz) and moves of nodes of the vibrations that the scene asked for with `modes: N`."""
        frequencies, shapes = self.run._modes(self._place)
        return arrays.owned(frequencies), arrays.owned(shapes)
