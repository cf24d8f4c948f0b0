"""Worlds and what is in them: rods, supports, loads, bodies, obstacles."""
import binascii
import difflib
import math
import operator
import os
import re
import sys
import time as _time
import weakref

from . import _cordage, arrays, parts
from ._cordage import quantity
from .errors import ArgumentError, SceneError, StaleHandleError
from .solids import Solid, set_load as _set_solid_load

POSITIONS, VELOCITIES, FRAMES, ANGULAR_VELOCITIES = range(4)
SLACK = 1e-9  # of ratios of times: far above roundings of decimals, far below any difference someone means
LOADS = ("force", "moment", "line", "drag", "wind", "line_moment")
LOAD_UNITS = ("N", "N m", "N/m", "1/s", "m/s")
PATHS = ("stable", "arc_length")
# A rod that stands for one of the world in a fragment of a scene; only its name, model and elements count.
STAND_IN = {"centerline": {"line": {"to": [1, 0, 0]}}, "material": {"young_modulus": "1 MPa", "density": 1000},
            "section": {"circle": {"radius": "1 um"}}}


class Scene(_cordage.Scene):
    """A scene read from a file or from text, checked but not built.

    `Scene("cable.yaml", set={"rods.cable.elements": 200})` reads a file; `Scene(text=...)` reads text, in which files are
    found relative to `directory`. `warnings` has what is probably not meant, `times` the duration and the step.
    Mistakes raise SceneError with a line for each, as `cordage check` prints them.
    """

    def __init__(self, path=None, *, text=None, set=None, directory=None, name=None):
        if path is not None:
            path = os.fspath(path)
        super().__init__(path, text, name, directory, _overrides(set))

    def build(self, threads=0):
        """A World that can be stepped. Its step is that of `cordage run`, so that `world.run(scene.times["duration"])` goes
        through the same states, to the last bit."""
        world = World.__new__(World)
        world._build(self, threads)
        world._prepare(self)
        return world

    def run(self, directory, *, resume=False, force=False, threads=0, progress=False):
        """Runs the scene to its end, as `cordage run` does, into a directory with run.h5, probes.csv and summary.json;
        returns it as a Run. `progress` is True for a bar, or a function of (time, duration)."""
        from .run import Run
        bar = _Bar(progress)
        try:
            summary = self._run(os.fspath(directory), resume, force, threads, bar.on_run if progress else None)
        finally:
            bar.end()
        run = Run(directory)
        run.summary = summary
        return run


def _gravity(value):
    """A vector; 0 for none. Which way another number points nobody can know."""
    if isinstance(value, str) or not hasattr(value, "__len__"):
        if isinstance(value, str) or value != 0:
            raise ArgumentError(f"gravity is a vector, such as (0, 0, -9.81), or 0 for none; it is {value!r}")
        return 0, 0, 0
    return value


def _steps_in(length, step):
    """How many steps a time takes, and how long they are: as said, or shorter where that is not a whole number of them."""
    count = max(math.ceil(length / step * (1 - SLACK)), 1)
    return count, step if abs(count * step - length) <= SLACK * length else length / count


def _pieces(duration, every):
    """A duration cut into pieces of one length; the last is what is left."""
    count = max(math.ceil(duration / every * (1 - SLACK)), 1)
    for _ in range(count - 1):
        yield every
    left = duration - (count - 1) * every
    yield every if abs(left - every) <= SLACK * duration else left


def load(path, set=None, threads=0):
    """The world of a scene file, ready to step. `set` changes the scene before it is read, as `--set` does:
    load("cable.yaml", set={"rods.cable.elements": 200, "simulation.step": "1 ms"})."""
    return Scene(path, set=set).build(threads)


def _overrides(changes):
    out = []
    if changes is not None and not hasattr(changes, "items"):
        raise ArgumentError(f"set is a dict, such as {{'rods.cable.elements': 200}}; it is {changes!r}")
    for key, value in (changes or {}).items():
        text = value if isinstance(value, str) else parts.text_of(value)
        out.append(f"{key}={text}")
    return out


class _Bar:
    """Progress on standard error, some times a second, with the time left."""

    def __init__(self, progress):
        self.function = progress if callable(progress) else None
        self.is_on = bool(progress) and self.function is None
        self.start = self.last = _time.monotonic()
        self.is_drawn = False

    def tell(self, done, whole):
        if self.function is not None:
            return self.function(done, whole)
        now = _time.monotonic()
        if not self.is_on or (now - self.last < 0.1 and done < whole):
            return None
        self.last = now
        share = min(max(done / whole, 0), 1) if whole > 0 else 1
        left = (now - self.start) * (1 - share) / share if share > 0 else float("nan")
        cells = int(30 * share)
        sys.stderr.write(f"\r{'█' * cells}{'░' * (30 - cells)} {100 * share:3.0f} %  t = {done:.4g} s  {left:.0f} s left  ")
        sys.stderr.flush()
        self.is_drawn = True
        return None

    def on_run(self, time, duration, step, step_count, elapsed):
        return self.tell(time, duration)

    def end(self):
        if self.is_drawn:
            sys.stderr.write("\n")


def _cure_of_keyword(name):
    """Of a keyword that a World does not have."""
    for words, cure in (("dt timestep time_step", "the step is 'step': World(step=\"1 ms\")"),
                        ("duration time t_end until", "how long is simulated is said to run(): world.run(\"2 s\")"),
                        ("friction restitution", "it belongs into 'contact': World(contact={\"friction\": 0.3})"),
                        ("scene path file", "a scene makes its own world: cordage.load(\"scene.yaml\")"),
                        ("output every", "the loop says when something is written; 'cordage run' writes outputs")):
        if name in words.split():
            return cure
    keywords = ["gravity", "step", "threads", "energy_guard", "model", "contact"]
    near = difflib.get_close_matches(name, keywords, 1)
    return f"did you mean '{near[0]}'?" if near else f"there are {', '.join(keywords)}"


class World(_cordage.World):
    """A world of elastic rods.

        world = World(gravity=(0, 0, -9.81), step="1 ms", model="der")
        rod = world.add_rod("cable", line=((0, 0, 0), (1, 0, 0)), radius="2 mm",
                            young_modulus="1 MPa", density=1100, elements=100)
        rod.clamp("start")
        world.run("2 s", progress=True)
        print(rod.positions[-1])

    gravity: a vector, m/s^2, or 0 for none. step: a time, or None for an automatic one (`advice()` says which and why).
    threads: 0 for all cores. energy_guard: whether steps that gain energy from nowhere fail. model: of rods that do not
    name theirs (pobd, der, galpha, corde, reference). contact: None (things touch), "on" (the same, but
    automatic steps are as short as contact wants them, and equilibria are refused), "off" or a map such as
    {"friction": 0.3}.

    Numbers are SI; texts have units ("2 mm"). A world is used by one thread at a time; several worlds may be stepped in
    several threads at once, because steps release Python's lock.
    """

    def __init__(self, *, gravity=(0, 0, -9.81), step=None, threads=0, energy_guard=True, model="pobd", contact=None,
                 **unknown):
        if unknown:
            raise TypeError(f"a World has no '{next(iter(unknown))}'; {_cure_of_keyword(next(iter(unknown)))}")
        super().__init__(_gravity(gravity), step, threads, energy_guard)
        self._model = model
        self._prepare(None)
        if model != "pobd":
            self._fragment({})  # a model that is none is refused here, with what it may be
        if contact is not None:
            self._extend_with({"contact": contact})

    def _prepare(self, scene):
        self.scene = scene
        self._model = getattr(self, "_model", "pobd")
        self._numbers = {"rod": 0}
        self._controls = Controls(self)

    def __setattr__(self, name, value):
        # A name that means nothing here would be kept and never looked at. Classes built on this one have names of their own.
        if type(self) is World and not name.startswith("_") and name != "scene" and not hasattr(World, name):
            near = difflib.get_close_matches(name, [known for known in dir(World) if not known.startswith("_")], 1)
            raise AttributeError(f"a World has no '{name}' to be set" + (f"; did you mean '{near[0]}'?" if near else ""))
        super().__setattr__(name, value)

    def __reduce_ex__(self, protocol):
        raise TypeError("a World cannot be copied or pickled; build it again in the same way and restore() a snapshot() of this "
                        "one, which can be pickled")

    # ---- adding

    def _stand_ins(self, names):
        """Rods that a fragment may name, and their numbers: those asked for, and, so that mistakes get a suggestion, some
        of the others. In a fragment a point in a name (web.h3) is a dash."""
        known = {name: self._find_rod(name) for name in names if self._find_rod(name)}
        if len(known) < len(set(names)):
            known.update(dict(self._rods()[:50]))
        items = []
        for name, number in known.items():
            _, model, is_closed, _, _, _, _, elements, _ = self._rod_info(number)  # places name those of the definition
            curve = {"circle": {"radius": 1}} if is_closed else {"line": {"to": [1, 0, 0]}}
            items.append({**STAND_IN, "name": _alias(name), "model": model, "elements": elements, "centerline": curve})
        if not items:  # a scene has rods
            return [{**STAND_IN, "name": "none", "elements": 1}], [0], {}
        return items, list(known.values()), {_alias(name): name for name in known if "." in name}

    def _body_stand_ins(self):
        return [{"name": body[0], "shape": {"sphere": {"radius": 1e-6}}, "mass": 1, "collides": False}
                for body in self._bodies()]

    def _fragment(self, fragment, rods=(), bodies=False):
        known, numbers, aliases = self._stand_ins(rods)
        scene = {"cordage": 1, "simulation": {"duration": 1, "model": self._model}, **fragment}
        if "joints" in fragment:  # which models take joints is asked of the rods themselves
            known = [{**item, "model": "corde"} for item in known]
        scene["rods"] = known + list(fragment.get("rods", ()))
        known_bodies = self._body_stand_ins() if bodies else []
        if known_bodies or "bodies" in fragment:
            scene["bodies"] = known_bodies + list(fragment.get("bodies", ()))
        text = parts.text_of(scene)
        for alias, name in aliases.items():
            text = re.sub(rf'"{re.escape(name)}(?=[."])', f'"{alias}', text)
        try:
            read = Scene(text=text, directory=os.getcwd())
        except SceneError as error:
            message = str(error)
            for alias, name in aliases.items():
                message = message.replace(alias, name)
            raise SceneError(message) from None
        return read, numbers, len(known_bodies)

    def _extend_with(self, fragment, rods=(), bodies=False):
        return self._extend(*self._fragment(fragment, rods, bodies))

    def _new_name(self, kind, taken):
        while True:
            self._numbers[kind] = self._numbers.get(kind, 0) + 1
            name = f"{kind}_{self._numbers[kind]}"
            if not taken(name):
                return name

    def add_rod(self, name=None, **keywords):
        """Adds a rod and returns it as a Rod.

        Keywords are the keys of a rod in a scene (docs/scene.md): centerline, material, section, elements, rest, model,
        damping, stiffness, roll, twist, normal, velocity, angular_velocity, closed, and options of models (der={...}).
        Short forms: a curve by its own name (line=(from, to), points=[...], helix={...}, circle={...}, spline, arc,
        knot, tied, file), radius (one, or one at each end) in place of section, and young_modulus, poisson_ratio,
        shear_modulus, stretch_modulus, density in place of material.
        """
        name = name or self._new_name("rod", self._find_rod)
        added = self._extend_with({"rods": [parts.rod(name, keywords)]})
        return Rod._of(self, added["rod"])

    def add_structure(self, name, **keywords):
        """Adds a net, truss, ribbon, ring, chain, spheroid, tree, bend or prusik, by the keys of a scene's `structures`:
        add_structure("web", net={"size": [1, 1], "threads": [5, 5]}, elements=4, radius="2 mm", ...). Returns its rods."""
        before = {number for _, number in self._rods()}
        self._extend_with({"structures": [parts.structure(name, keywords)]})
        return [Rod._of(self, number) for _, number in self._rods() if number not in before]

    def add_strands(self, name, **keywords):
        """Adds hair by the keys of a scene's `strands`; returns its guides, which are rods."""
        before = {number for _, number in self._rods()}
        self._extend_with({"strands": [parts.structure(name, keywords)]})
        return [Rod._of(self, number) for _, number in self._rods() if number not in before]

    def add_body(self, name=None, **keywords):
        """Adds a rigid body by the keys of a scene's `bodies`: add_body("bob", sphere={"radius": "3 cm"}, mass="200 g",
        position=(0, 0, -1)). Returns it as a Body."""
        taken = {body[0] for body in self._bodies()}
        name = name or self._new_name("body", taken.__contains__)
        added = self._extend_with({"bodies": [parts.body(name, keywords)]})
        return Body._of(self, added["body"], name)

    def add_obstacle(self, name=None, **keywords):
        """Adds an obstacle by the keys of a scene's `obstacles`: add_obstacle("floor", plane={"normal": [0, 0, 1]},
        friction=0.4). Returns it as an Obstacle."""
        taken = {obstacle[0] for obstacle in self._obstacles()}
        name = name or self._new_name("obstacle", taken.__contains__)
        added = self._extend_with({"obstacles": [{"name": name, **keywords}]})
        return Obstacle._of(self, added["obstacle"], name)

    def add_solid(self, name=None, **keywords):
        """Adds a deformable solid by the keys of a scene's `solids` (docs/solids.md): add_solid("block", box={"size": [0.2,
        0.1, 0.1]}, resolution="2 cm", young_modulus="100 kPa", density=1000), with model, integrator, position, orientation,
        scale, velocity, angular_velocity, supports, loads. Short forms: a shape by its own name (box, sphere, ellipsoid,
        cylinder, tube, torus, wedge, revolved, file) with its resolution, and young_modulus, poisson_ratio, density,
        damping_time in place of material. Returns it as a Solid."""
        taken = {solid[0] for solid in self._solids()}
        name = name or self._new_name("solid", taken.__contains__)
        added = self._extend_with({"solids": [parts.solid(name, keywords)]})
        return Solid._of(self, added["solid"])

    def add_joint(self, *places, stiffness=1):
        """Makes nodes of rods one point: add_joint("trunk.node(10)", branch.at("start"))."""
        texts = [parts.plain(place) for place in places]
        self._extend_with({"joints": [{"join": texts, "stiffness": stiffness}]}, rods=[_rod_name(t) for t in texts])

    def add_load(self, **keywords):
        """Adds a load by the keys of a scene's `loads`: add_load(drag="2 1/s") on every rod, or on="cable". Returns it
        as a Load."""
        names = [_rod_name(parts.plain(keywords["at"]))] if "at" in keywords else []
        on = parts.plain(keywords.get("on"))
        names += [] if on in (None, "all") else [on] if isinstance(on, str) else list(on)
        added = self._extend_with({"loads": [keywords]}, rods=names)
        return Load._of(self, added["load"], keywords, added["load_place"])

    # ---- finding

    @property
    def rods(self):
        """All rods by name."""
        return {name: Rod._of(self, number) for name, number in self._rods()}

    @property
    def bodies(self):
        """All bodies by name."""
        return {body[0]: Body._of(self, body[1], body[0]) for body in self._bodies()}

    @property
    def solids(self):
        """All deformable solids by name."""
        return {name: Solid._of(self, number) for name, number in self._solids()}

    @property
    def obstacles(self):
        """All obstacles by name."""
        return {item[0]: Obstacle._of(self, item[1], item[0]) for item in self._obstacles()}

    @property
    def supports(self):
        """All supports, in order of creation; of a scene's, too."""
        return [Support._of(self, number, kind, f"{rod}.node({node})") for number, kind, rod, node, _ in self._supports()]

    def rod(self, name):
        """The rod of this name."""
        number = self._find_rod(name)
        if not number:
            names = [known for known, _ in self._rods()]
            near = difflib.get_close_matches(str(name), names, 1)
            raise KeyError(f"no rod is named '{name}'; " + (f"did you mean '{near[0]}'?" if near else
                                                            f"there are {', '.join(names[:20]) or 'none'}"))
        return Rod._of(self, number)

    # ---- running

    @property
    def report(self):
        """How the last step went: iterations, residual, halvings, contacts, ... as a dict."""
        return self._report

    def run(self, duration, *, progress=False, call=None, every=None):
        """Steps for `duration` seconds, and returns the world's time. `call(world)` is called after every step, or after
        every `every` seconds; it may steer the world, and ends the run by returning False. `progress` is True for a bar
        on standard error, or a function of (time done, duration). Where the duration, or `every`, is not a whole number of
        steps, the steps of this run are made shorter so that it ends in time."""
        duration = quantity(duration, "s")
        if not 0 <= duration < math.inf:
            raise ArgumentError(f"a duration is finite and not negative; it is {duration} s")
        if every is not None and not quantity(every, "s") > 0:
            raise ArgumentError(f"'every' is a time above zero; it is {every}")
        if duration == 0:
            return self.time
        start = self.time
        if self.step_size == 0:
            self.step_size = self.advice()[0]
        step, bar = self.step_size, _Bar(progress)
        is_called_seldom = call is not None and every is not None
        try:
            for length in _pieces(duration, quantity(every, "s") if is_called_seldom else duration):
                count, size = _steps_in(length, step)
                if size != step:
                    self.step_size = size
                goes_on = self._take_steps(count, None if is_called_seldom else call, lambda: bar.tell(self.time - start, duration))
                if size != step and self.step_size == size:  # else the call has set another
                    self.step_size = step
                if not goes_on or (is_called_seldom and call(self) is False):
                    break
        finally:
            bar.end()
        return self.time

    def _take_steps(self, count, call, tell):
        """Takes steps; calls after each of them, and where there is no call some times a second only tells the progress.
        False: the call said that it is enough."""
        done = most = 0
        while done < count:
            began = _time.monotonic()
            self.step(min(max(most, 1), count - done))
            done += min(max(most, 1), count - done)
            tell()
            if call is not None:
                if call(self) is False:
                    return False
                continue
            took = _time.monotonic() - began
            most = min(4 * max(most, 1), 1 << 20) if took < 0.02 else max(most // 2, 1) if took > 0.1 else most
        return True

    # ---- control

    @property
    def gravity(self):
        """Gravity, m/s^2. Setting it (a vector, or 0 for none) counts from the next step on."""
        return self._gravity()

    @gravity.setter
    def gravity(self, gravity):
        self.set_gravity(gravity)

    def set_gravity(self, gravity):
        """Changes gravity from the next step on, as `world.gravity = ...` does."""
        self._controls.touch("gravity", None)
        self._set_gravity(_gravity(gravity))

    @property
    def friction(self):
        """Coulomb's coefficient between rods, and of obstacles and bodies without their own; may be set between steps."""
        return self._contact()["friction"]

    @friction.setter
    def friction(self, value):
        self._controls.touch("friction", None)
        self._set_friction(value)

    @property
    def contact(self):
        """How contact is treated: on, friction, restitution, separate."""
        return self._contact()

    def snapshot(self):
        """Everything that decides the future, for a bit-identical continuation by restore(): the state, and what was set
        by hand (poses, forces, gravity, rest shapes, friction, loads). Can be pickled."""
        return Snapshot(self._save(), self._what(), self._controls.read())

    def _what(self):
        """What a snapshot must be of: rods with their resolution, solids with their nodes."""
        rods = []
        for name, number in self._rods():
            _, model, is_closed, _, _, _, _, elements, capacity = self._rod_info(number)
            rods.append((name, (model, is_closed, elements, capacity)))
        return rods + [(name, self._solid_info(number)["node_count"]) for name, number in self._solids()]

    def restore(self, snapshot):
        """Goes back to a snapshot of this world, or of one that was made in the same way: other materials, sections or
        masses are refused."""
        if not isinstance(snapshot, Snapshot):
            raise TypeError(f"restore() takes what snapshot() gave, not {type(snapshot).__name__}")
        self._restore_cuts(snapshot.state)
        if snapshot.rods != self._what():
            raise ArgumentError("the snapshot is of another world: its rods and solids are not these")
        self._check_snapshot(snapshot.state)
        self._controls.check(snapshot.controls)
        pending = self._controls.put_back(snapshot.controls)
        self._load(snapshot.state)
        self._controls.put_back_forces(snapshot.controls)
        for drive, number, target in pending:
            drive(number, *target)

    # ---- reading

    @property
    def contacts(self):
        """Contacts that carried force in the last step, of rods first, then of deformable solids: a list of Contact."""
        return [Contact(self, item) for item in self._contacts()]

    def measure(self, kind, place=None):
        """One measurement, by the names of a scene's probes: measure("position", "cable.end"),
        measure("reaction", rod.at("start")), measure("knot", "cable"), measure("energy", "all")."""
        text = parts.plain(place) if place is not None else "all"
        texts = [text] if isinstance(text, str) else list(text)
        names = [name for name in (t if self._find_rod(t) else _rod_name(t) for t in texts) if name != "all"]
        bodies = {body[0] for body in self._bodies()}
        names = [name for name in names if name not in bodies]
        key = kind.replace("_", " ") if kind in ("linking_number", "contact_force") else kind
        fragment = {"probes": [{"name": "probe", key: text}]}
        if kind == "reaction":  # the fragment knows nothing of the world's supports
            fragment["supports"] = [{"clamp": text}]
        scene, numbers, _ = self._fragment(fragment, rods=names, bodies=True)
        return self._measure(scene, numbers, 0)

    def probes(self):
        """The values of all probes of the scene that the world was built from, by name."""
        if self.scene is None:
            return {}
        return {name: self._measure(self.scene, [], place) for place, name in enumerate(self.scene._probes(self))}

    # ---- statics

    def find_equilibrium(self):
        """Moves every rod to an equilibrium under supports and loads as they are now (models der and galpha). Returns a
        dict: iterations, residual, force, is_stable, lowest."""
        return self._find_equilibrium()

    def follow_path(self, end, *, kind="stable", step=0, step_limit=1000, imperfection=0, seed=1, on_step=None):
        """Follows equilibria while time, which is only a parameter of loads and supports, goes to `end`. `kind` is
        "stable" (a rod buckles and snaps) or "arc_length" (through limits of the load). `on_step(report)` is called at
        each; it may read the world, and ends the path by returning False. Returns the last report, a dict."""
        if kind not in PATHS:
            raise ArgumentError(f"a path is 'stable' or 'arc_length', not '{kind}'")
        return self._follow_path(PATHS.index(kind), quantity(end, "s"), quantity(step, "s"), step_limit, imperfection,
                                 seed, on_step)

    # ---- showing

    def _curves(self):
        """What pictures draw: (name, points, radius, is_closed) of every rod."""
        return [(name, _lists(self._view(number, POSITIONS)), max(self._radii(number).tolist()), self._rod_info(number)[2])
                for name, number in self._rods()]

    def _solid_things(self):
        out = []
        for body in self._bodies():
            out.append((body[0], body[3], body[4], body[5], body[6], self._body_state(body[1])[0]))
        for item in self._obstacles():
            kind = item[3] - 1  # obstacles begin with the plane
            if kind >= 0:
                out.append((item[0], kind, item[4], item[5], item[6], self._obstacle_pose(item[1])[0]))
        return out

    def _surfaces(self):
        """Nodes of every deformable solid, and the corners of its surface's triangles."""
        return [(_lists(solid.positions), _lists(solid.surface)) for solid in self.solids.values()]

    def _repr_html_(self):
        from . import drawing
        return drawing.picture_html(self._curves(), self._solid_things(), f"t = {self.time:.4g} s", self._surfaces())

    def plot(self, axes=None):
        """The rods and solids in a matplotlib chart of three dimensions; returns its axes. Needs matplotlib."""
        from . import drawing
        return drawing.plot_rods(self._curves(), axes, self._surfaces())

    def __repr__(self):
        try:
            things = [arrays.counted(len(self._rods()), "rod")]
        except (ValueError, RuntimeError) as error:  # closed, or at work in another thread
            return f"<cordage.World: {error}>"
        if self._solids():
            things.append(arrays.counted(len(self._solids()), "solid"))
        return f"<cordage.World: {' and '.join(things)} at t = {self.time:g} s>"


def _lists(array):
    return array.tolist()


def _alias(name):
    return name.replace(".", "-")


def _rod_name(place):
    """The rod in a place: web.h3 of web.h3.node(4)."""
    if not isinstance(place, str):
        raise ArgumentError(f"expected a place such as 'cable.end', found {place!r}")
    return place.rsplit(".", 1)[0]


class Snapshot:
    """The state of a world; World.restore goes back to it."""

    __slots__ = ("state", "rods", "controls")

    def __init__(self, state, rods, controls):
        self.state, self.rods, self.controls = state, rods, controls

    def __getstate__(self):
        return self.state, self.rods, self.controls, binascii.crc32(self.state)

    def __setstate__(self, value):
        self.state, self.rods, self.controls = value[:3]
        if len(value) > 3 and value[3] != binascii.crc32(self.state):  # those of old versions have no sum
            raise ArgumentError("the snapshot was damaged since it was pickled: its numbers do not add up")

    def __repr__(self):
        return f"<cordage.Snapshot of {arrays.counted(len(self.rods), 'rod')}, {len(self.state)} bytes>"


class Controls:
    """What was set in a world by hand, so that going back to a snapshot puts it back. The value before the first change is
    kept of each thing that is ever changed; what it is at a snapshot is read then."""

    def __init__(self, world):
        self.world = weakref.proxy(world)
        self.originals = {}
        self.targets = {}  # of poses: (time of the order, target)
        self.loads = {}  # keywords by number
        self.moving = {number: is_moving for number, _, _, _, is_moving in world._supports()}

    def touch(self, kind, number):
        """Before a change."""
        key = kind, number
        if key not in self.originals:
            if kind == "support":
                self._note_motion(number)
            self.originals[key] = self._value(kind, number)

    def _note_motion(self, number):
        self.moving.update((n, is_moving) for n, _, _, _, is_moving in self.world._supports() if n == number)

    def aim(self, kind, number, target):
        """A pose was ordered for the next step."""
        self.targets[kind, number] = self.world.time, target

    def _value(self, kind, number):
        world = self.world
        if kind in ("support", "obstacle"):
            pose = world._support_pose(number) if kind == "support" else world._obstacle_pose(number)
            time, target = self.targets.get((kind, number), (None, None))
            return pose, target if time == world.time else None
        return {"gravity": lambda: world._gravity(),
                "friction": lambda: world._contact()["friction"],
                "forces": lambda: tuple(part.tolist() for part in world._forces(number)),
                "curvature": lambda: world._rest_curvature(number).tolist(),
                "length": lambda: world._rod_info(number)[5],
                "obstacle friction": lambda: self.targets.get((kind, number)),
                "body friction": lambda: self.targets.get((kind, number)),
                "solid forces": lambda: self.targets.get((kind, number)),
                "solid load": lambda: self.targets.get((kind, number)),
                "load": lambda: dict(self.loads.get(number, {}))}[kind]()

    def read(self):
        """What all that was ever touched is now."""
        out = {}
        for kind, number in self.originals:
            try:
                out[kind, number] = self._value(kind, number)
            except StaleHandleError:
                pass  # removed since
        return out

    def put_back(self, values):
        """Sets all that was ever touched to what it was; returns poses that were ordered but not reached, as
        (function, number, target)."""
        world, pending = self.world, []
        for key in set(values) - set(self.originals):
            self.touch(*key)
        for kind, number in sorted(self.originals, key=lambda key: key[0] != "length"):
            value = values.get((kind, number), self.originals[kind, number])
            if kind == "forces" or (kind == "curvature" and self._adapts(number)):
                continue  # forces are for the nodes that the state has; curvatures of rods that adapt are in the state
            if kind == "load":
                if number in self.loads:  # else removed since
                    _set_load(world, number, value)
            elif kind in ("support", "obstacle"):
                if (kind, number) not in values and self.moving.get(number) and kind == "support":
                    raise ArgumentError("a support followed its own motion when the snapshot was taken and was driven by "
                                        "hand since; take the snapshot after the first move_to")
                put = world._put_support if kind == "support" else world._put_obstacle
                try:
                    put(number, *value[0])
                except StaleHandleError:
                    continue
                if value[1] is not None:
                    drive = world._set_support_pose if kind == "support" else world._set_obstacle_pose
                    pending.append((drive, number, value[1]))
            else:
                self._set(kind, number, value)
        self.targets = {key: value for key, value in self.targets.items() if key[0] not in ("support", "obstacle")}
        return pending

    def check(self, values):
        """Raises where a snapshot cannot be gone back to."""
        for kind, number in self.originals:
            if kind == "curvature" and (kind, number) not in values and self._adapts(number):
                raise ArgumentError("the rest curvature of a rod that adapts was set since the snapshot was taken; take the "
                                    "snapshot after it was set for the first time")

    def _adapts(self, number):
        try:
            _, _, is_closed, _, _, _, _, elements, capacity = self.world._rod_info(number)
        except StaleHandleError:
            return False
        return capacity > elements + (not is_closed)

    def put_back_forces(self, values):
        """Forces on nodes, once these are those of the snapshot."""
        for kind, number in self.originals:
            if kind == "forces":
                value = values.get((kind, number), self.originals[kind, number])
                is_any = any(part for rows in value for row in rows for part in row)
                try:
                    self.world._set_forces(number, *(value if is_any else (None, None)))
                except StaleHandleError:
                    pass  # removed since

    def _set(self, kind, number, value):
        world = self.world
        if kind == "gravity":
            world._set_gravity(value)
        elif kind == "friction":
            world._set_friction(value)
        elif kind == "curvature":
            world._set_rest_curvature(number, value)
        elif kind == "length":
            world._set_rest_length(number, value)
        elif kind == "solid forces":
            world._set_solid_forces(number, value)
            self.targets[kind, number] = value
        elif kind == "solid load":
            _set_solid_load(world, number, value)
        else:
            function = world._set_obstacle_friction if kind == "obstacle friction" else world._set_body_friction
            function(number, -1 if value is None else value)
            self.targets[kind, number] = value  # else the next snapshot would keep what was set after this one


class _Place:
    def __init__(self, text):
        self.text = text

    def _place_text(self):
        return self.text

    def __repr__(self):
        return f"<place {self.text}>"


def _node_number(text, count):
    """The node that "node(-3)" names, of so many; None: it names none."""
    match = re.fullmatch(r"node\(\s*(-?\d+)\s*\)", text)
    number = int(match.group(1)) if match else None
    return number + count if number is not None and number < 0 else number


class Rod:
    """A rod of a world; made by World.add_rod(...) or Rod(world, ...), which takes the same keywords.

    `positions`, `velocities`, `frames` and `angular_velocities` are views of the state without a copy (StateArray):
    they may be read until the next step. Other quantities along the rod are measured when asked for.
    """

    __slots__ = ("world", "_number")

    def __init__(self, world, name=None, **keywords):
        made = world.add_rod(name, **keywords)
        self.world, self._number = world, made._number

    @classmethod
    def _of(cls, world, number):
        self = cls.__new__(cls)
        self.world, self._number = world, number
        return self

    def __eq__(self, other):
        return isinstance(other, Rod) and other.world is self.world and other._number == self._number

    def __hash__(self):
        return hash((id(self.world), self._number))

    def __repr__(self):
        try:
            name, model, _, _, elements, length, *_ = self._info()
        except (ValueError, RuntimeError, StaleHandleError) as error:
            return f"<cordage.Rod: {error}>"
        return f"<cordage.Rod '{name}': {model}, {elements} elements, {length:g} m>"

    def _info(self):
        return self.world._rod_info(self._number)

    name = property(lambda self: self._info()[0], doc="Its name.")
    model = property(lambda self: self._info()[1], doc="Its model: pobd, der, galpha, corde or reference.")
    is_closed = property(lambda self: self._info()[2], doc="Whether its end is joined to its start.")
    node_count = property(lambda self: self._info()[3], doc="Nodes; one more than elements unless it is closed.")
    element_count = property(lambda self: self._info()[4], doc="Elements.")
    defined_element_count = property(lambda self: self._info()[7],
                                     doc="Elements as it was defined, which places name: fewer than there are where it adapts.")
    mass = property(lambda self: self._info()[6], doc="Its mass, kg.")

    # ---- places

    def at(self, place):
        """A place on it, for loads, joints and measurements: "start", "end", "middle", a node's number (negative from
        the end), "node(4)" or "element(5)"."""
        return _Place(self._at(place))

    def _at(self, place):
        if isinstance(place, _Place):
            return place.text
        if hasattr(place, "__index__") and not isinstance(place, bool):  # whole numbers of NumPy, too
            place = f"node({operator.index(place)})"
        text = str(place)
        return text if text.startswith(self.name + ".") else f"{self.name}.{text}"

    # ---- state

    @property
    def positions(self):
        """Positions of the nodes, m: an array (nodes, 3) without a copy, valid until the next step."""
        return arrays.state(self.world._view(self._number, POSITIONS))

    @property
    def velocities(self):
        """Velocities of the nodes, m/s: an array (nodes, 3) without a copy, valid until the next step."""
        return arrays.state(self.world._view(self._number, VELOCITIES))

    @property
    def frames(self):
        """Orientations of the elements, quaternions w x y z: an array (elements, 4) without a copy, valid until the
        next step. d3 is the tangent."""
        return arrays.state(self.world._view(self._number, FRAMES))

    @property
    def angular_velocities(self):
        """Angular velocities of the elements, rad/s, material frame: an array (elements, 3) without a copy, valid until
        the next step."""
        return arrays.state(self.world._view(self._number, ANGULAR_VELOCITIES))

    def field(self, name):
        """Any quantity along the rod by its name in run files (cordage.fields()), as an array of one's own."""
        return arrays.owned(self.world._field(self._number, name))

    tension = property(lambda self: self.field("tension"), doc="Axial forces in the elements, N; pull is positive.")
    section_forces = property(lambda self: self.field("forces"),
                              doc="Forces in the elements, N, material frame: shear d1, shear d2, tension.")
    moments = property(lambda self: self.field("moment"),
                       doc="Moments at the nodes, N m, material frame: bending about d1, d2, torque.")
    strains = property(lambda self: self.field("strains"), doc="Shear d1, shear d2 and stretch of the elements.")
    curvatures = property(lambda self: self.field("curvature"),
                          doc="Curvatures about d1 and d2 at the nodes, 1/m; not a number at free ends.")
    twists = property(lambda self: self.field("twist"), doc="Twist rates at the nodes, rad/m; not a number at free ends.")

    @property
    def radii(self):
        """Radii at the nodes, m."""
        return arrays.owned(self.world._radii(self._number))

    def energy(self):
        """Its energies in joules, by name."""
        return self.world._rod_energy(self._number)

    def set_state(self, positions=None, frames=None, velocities=None, angular_velocities=None):
        """Replaces the state; what is None stays, but velocities become zero."""
        given = (positions, frames, velocities, angular_velocities)
        self.world._set_state(self._number, *map(arrays.numbers, given))

    # ---- supports

    def _support(self, kind, place, keywords):
        text = self._at(place)
        added = self.world._extend_with({"supports": [{kind: text, **keywords}]}, rods=[self.name])
        return Support._of(self.world, added["support"], kind, text)

    def clamp(self, place, **keywords):
        """Holds position and frame of a node: clamp("start"), clamp("end", motion=[{"move": [0, 0, 1], "to": 2}],
        release="3 s"). Returns a Support, which can be driven by hand."""
        return self._support("clamp", place, keywords)

    def pin(self, place, **keywords):
        """Holds the position of a node; its section may turn."""
        return self._support("pin", place, keywords)

    def hold_twist(self, place, **keywords):
        """Holds the turn of a node's section about the centreline only."""
        return self._support("twist", place, keywords)

    def slide(self, place, along, **keywords):
        """Keeps a node on a line along a direction (model galpha)."""
        return self._support("slide", place, {"along": along, **keywords})

    def weld(self, place, body):
        """Holds the section at a node to a body as they are to each other now. Returns a Weld."""
        name = body if isinstance(body, str) else body.name
        added = self.world._extend_with({"joints": [{"weld": [self._at(place), name]}]}, rods=[self.name], bodies=True)
        return Weld._of(self.world, added["weld"])

    # ---- loads

    def force(self, place, value, **keywords):
        """A force at a node or element, N: force("end", (0, 0, -1)); keywords follow, ramp, from_, to, keyframes."""
        return self._load({"force": value, "at": self._at(place)}, keywords)

    def moment(self, place, value, **keywords):
        """A moment at a node or element, N m."""
        return self._load({"moment": value, "at": self._at(place)}, keywords)

    def line_load(self, value, **keywords):
        """A force per length all along, N/m."""
        return self._load({"line": value, "on": self.name}, keywords)

    def line_moment(self, value, **keywords):
        """A moment per length all along, N m/m."""
        return self._load({"line_moment": value, "on": self.name}, keywords)

    def drag(self, rate, **keywords):
        """Force = -rate * mass * velocity, 1/s: calms a rod."""
        return self._load({"drag": rate, "on": self.name}, keywords)

    def wind(self, velocity, **keywords):
        """Air that moves at this velocity, m/s; keywords fluid_density, drag_coefficient."""
        return self._load({"wind": velocity, "on": self.name}, keywords)

    def _load(self, item, keywords):
        keywords = {key.rstrip("_"): value for key, value in keywords.items()}
        item = {**item, **keywords}
        added = self.world._extend_with({"loads": [item]}, rods=[self.name])
        return Load._of(self.world, added["load"], item, added["load_place"])

    # ---- control

    def set_forces(self, forces=None, torques=None):
        """Forces on the nodes (nodes, 3), N, and torques on the elements (elements, 3), N m, world axes, that act in
        every step until they are set again: a law of one's own. None: none."""
        self.world._controls.touch("forces", self._number)
        self.world._set_forces(self._number, arrays.numbers(forces), arrays.numbers(torques))

    @property
    def rest_curvature(self):
        """Curvature about d1 and d2 and twist at the nodes that the rod has without forces, (nodes, 3), 1/m. May be set
        between steps, as such an array or as three numbers for all nodes; None makes it straight."""
        return arrays.owned(self.world._rest_curvature(self._number))

    @rest_curvature.setter
    def rest_curvature(self, value):
        value = arrays.numbers(value)
        if hasattr(value, "__len__") and len(value) == 3 and (isinstance(value[0], str) or not hasattr(value[0], "__len__")):
            value = [[quantity(part, "rad/m") for part in value]] * self.node_count
        self.world._controls.touch("curvature", self._number)
        self.world._set_rest_curvature(self._number, value)

    @property
    def length(self):
        """Its length without forces, m. May be set between steps: all elements change by the same factor, and the mass
        stays."""
        return self._info()[5]

    @length.setter
    def length(self, value):
        self.world._controls.touch("length", self._number)
        self.world._set_rest_length(self._number, value)

    # ---- statics

    def modes(self, count):
        """The lowest vibrations about its state, which should be an equilibrium (models der and galpha): frequencies in
        Hz, negative for motions that grow, and moves of the nodes (count, nodes, 3)."""
        frequencies, shapes = self.world._modes(self._number, count)
        return arrays.owned(frequencies), arrays.owned(shapes)

    def measure(self, kind, place=None):
        """World.measure at a place on this rod, or of the whole rod."""
        return self.world.measure(kind, self.name if place is None else self._at(place))

    def cut(self, place):
        """Cuts it in two at a node between two elements: a number (negative from the end), "middle" or "node(4)". It is
        its first part from then on; the second, named NAME.2, is returned. A ring becomes open, and None is returned.
        Supports, loads, joints and welds stay at their places in the material; snapshots of before make it whole."""
        text = self._at(place)[len(self.name) + 1:]
        count = self.defined_element_count
        node = count // 2 if text == "middle" else _node_number(text, count + (0 if self.is_closed else 1))
        if node is None:
            raise ArgumentError(f"a rod is cut at a node such as 12, 'node(12)' or 'middle', not at {text!r}")
        number = self.world._cut(self._number, node)
        return Rod._of(self.world, number) if number else None

    def remove(self):
        """Takes it out of the world."""
        self.world._remove_rod(self._number)


class _Part:
    """Something in a world, by its handle."""

    __slots__ = ("world", "_number", "kind", "place", "name")

    @classmethod
    def _of(cls, world, number, *_):
        self = cls.__new__(cls)
        self.world, self._number = world, number
        return self

    def __repr__(self):
        return f"<cordage.{type(self).__name__}>"


class Support(_Part):
    """What holds a node: made by Rod.clamp, pin, hold_twist, slide."""

    __slots__ = ()

    @classmethod
    def _of(cls, world, number, kind="", place=""):
        self = super()._of(world, number)
        self.kind, self.place = kind, place
        return self

    def __repr__(self):
        return f"<cordage.Support: {self.kind} of {self.place}>"

    def move_to(self, position=None, frame=None):
        """Drives it by hand: in the next step its section goes straight to this position (m) and turns to this frame
        (w, x, y, z), and stays there until told again. None keeps what is there. Takes the place of its motion."""
        controls, position, frame = self.world._controls, _numbers_of(position), _numbers_of(frame)
        controls.touch("support", self._number)
        self.world._set_support_pose(self._number, position, frame)
        controls.aim("support", self._number, (position, frame))

    @property
    def position(self):
        """Where it holds its node now, m."""
        return self.world._support_pose(self._number)[0]

    @property
    def frame(self):
        """The orientation in which it holds the section, w x y z."""
        return self.world._support_pose(self._number)[1]

    @property
    def force(self):
        """The force that it exerts on the rod, N."""
        return self.world._support_reaction(self._number)[0]

    @property
    def moment(self):
        """The moment that it exerts on the rod, N m."""
        return self.world._support_reaction(self._number)[1]

    def remove(self):
        """Lets go of the rod from the next step on."""
        self.world._remove_support(self._number)


class Weld(_Part):
    """A section of a rod held to a body: made by Rod.weld."""

    __slots__ = ()

    @property
    def force(self):
        """The force that the body exerts on the rod, N."""
        return self.world._weld_reaction(self._number)[0]

    @property
    def moment(self):
        """The moment that the body exerts on the rod, N m."""
        return self.world._weld_reaction(self._number)[1]


def _numbers_of(value):
    """A vector as its numbers are now: the array or list that they came in may change."""
    return tuple(value) if hasattr(value, "__iter__") and not isinstance(value, (str, bytes, dict, set)) else value


def _load_kind(keywords):
    return next(kind for kind in LOADS if kind in keywords)


def _kept_load(keywords):
    kind = _load_kind(keywords)
    value = _numbers_of(keywords[kind])
    if kind != "drag" and not isinstance(value, tuple):
        raise ArgumentError(f"a load of kind '{kind}' is a vector of three numbers (x, y, z), not {value!r}")
    return {**keywords, kind: value}


def _set_load(world, number, keywords):
    """Puts other keywords in the place of a load's."""
    name, keywords = _load_kind(keywords), _kept_load(keywords)
    kind, value, rate = LOADS.index(name), (0, 0, 0), 0
    if name == "drag":
        rate = quantity(keywords["drag"], "1/s")
    else:
        value = [quantity(part, LOAD_UNITS[kind]) for part in keywords[name]]
    frames = keywords.get("keyframes")
    if frames is not None:
        frames = [(quantity(at, "s"), quantity(factor, "1")) for at, factor in frames]

    def number_of(key, otherwise, unit):
        return quantity(keywords.get(key, otherwise), unit)
    world._change_load(number, kind, *keywords["place"], value, bool(keywords.get("follow", False)), rate,
                       number_of("fluid_density", 1.225, "kg/m^3"), number_of("drag_coefficient", 1.2, "1"),
                       number_of("from", 0, "s"), number_of("to", 0, "s"), number_of("ramp", 0, "s"), frames)
    world._controls.loads[number] = keywords


class Load(_Part):
    """A load: made by Rod.force, moment, line_load, line_moment, drag, wind and World.add_load."""

    __slots__ = ()

    @classmethod
    def _of(cls, world, number, keywords=None, place=(0, 0, 0)):
        self = super()._of(world, number)
        keywords = {key.rstrip("_"): value for key, value in (keywords or {}).items()}
        self.kind = _load_kind(keywords)
        world._controls.loads[number] = _kept_load({**keywords, "place": place})
        return self

    @property
    def _keywords(self):
        try:
            return self.world._controls.loads[self._number]
        except KeyError:
            raise StaleHandleError("the load no longer exists") from None

    def __repr__(self):
        return f"<cordage.Load: {self.kind} {self._keywords[self.kind]}>"

    @property
    def value(self):
        """Its force, moment, force per length, drag rate or wind as it was given; may be set between steps."""
        return self._keywords[self.kind]

    @value.setter
    def value(self, value):
        self.change(**{self.kind: value})

    def change(self, **keywords):
        """Changes some of its keywords from the next step on: change(force=(0, 0, -2)), change(ramp="1 s")."""
        keywords = {key.rstrip("_"): value for key, value in keywords.items()}
        allowed = {self.kind, "follow", "fluid_density", "drag_coefficient", "from", "to", "ramp", "keyframes"}
        unknown = sorted(set(keywords) - allowed)
        if unknown:
            raise ArgumentError(f"a load of kind '{self.kind}' has no '{unknown[0]}' to change; it has {', '.join(sorted(allowed))}")
        self.world._controls.touch("load", self._number)
        _set_load(self.world, self._number, {**self._keywords, **keywords})

    def remove(self):
        """Takes it away from the next step on."""
        self.world._remove_load(self._number)
        self.world._controls.loads.pop(self._number, None)


class Body(_Part):
    """A rigid body: made by World.add_body or Body(world, ...)."""

    __slots__ = ()

    def __init__(self, world, name=None, **keywords):
        made = world.add_body(name, **keywords)
        self.world, self._number, self.name = world, made._number, made.name

    @classmethod
    def _of(cls, world, number, name=""):
        self = super()._of(world, number)
        self.name = name
        return self

    def __repr__(self):
        return f"<cordage.Body '{self.name}'>"

    position = property(lambda self: self.world._body_state(self._number)[0], doc="Of the origin of its own axes, m.")
    orientation = property(lambda self: self.world._body_state(self._number)[1], doc="A quaternion w x y z.")
    velocity = property(lambda self: self.world._body_state(self._number)[2], doc="Of its centre of mass, m/s.")
    angular_velocity = property(lambda self: self.world._body_state(self._number)[3], doc="World axes, rad/s.")
    mass = property(lambda self: next(b[2] for b in self.world._bodies() if b[1] == self._number), doc="kg.")

    def set_state(self, position=None, orientation=None, velocity=None, angular_velocity=None):
        """Replaces what is given. Only of a body that carries no welds and is not fixed."""
        self.world._set_body_state(self._number, position, orientation, velocity, angular_velocity)

    @property
    def friction(self):
        """Coulomb's coefficient of what touches it; may be set between steps, None: that of the world's contact."""
        return next(body[7] for body in self.world._bodies() if body[1] == self._number)

    @friction.setter
    def friction(self, value):
        controls = self.world._controls
        controls.targets.setdefault(("body friction", self._number), self.friction)
        controls.touch("body friction", self._number)
        self.world._set_body_friction(self._number, -1 if value is None else value)
        controls.targets["body friction", self._number] = value

    def set_friction(self, friction):
        """The same as a call: `body.friction = ...`."""
        self.friction = friction


class Obstacle(_Part):
    """A solid thing that rods touch: made by World.add_obstacle or Obstacle(world, ...)."""

    __slots__ = ()

    def __init__(self, world, name=None, **keywords):
        made = world.add_obstacle(name, **keywords)
        self.world, self._number, self.name = world, made._number, made.name

    @classmethod
    def _of(cls, world, number, name=""):
        self = super()._of(world, number)
        self.name = name
        return self

    def __repr__(self):
        return f"<cordage.Obstacle '{self.name}'>"

    position = property(lambda self: self.world._obstacle_pose(self._number)[0], doc="Where it is now, m.")
    orientation = property(lambda self: self.world._obstacle_pose(self._number)[1], doc="A quaternion w x y z.")

    def move_to(self, position=None, orientation=None):
        """Drives it by hand, as Support.move_to does."""
        controls, position, orientation = self.world._controls, _numbers_of(position), _numbers_of(orientation)
        controls.touch("obstacle", self._number)
        self.world._set_obstacle_pose(self._number, position, orientation)
        controls.aim("obstacle", self._number, (position, orientation))

    @property
    def friction(self):
        """Coulomb's coefficient of rods on it; may be set between steps, None: that of the world's contact."""
        return next(item[2] for item in self.world._obstacles() if item[1] == self._number)

    @friction.setter
    def friction(self, value):
        controls = self.world._controls
        controls.targets.setdefault(("obstacle friction", self._number), self.friction)
        controls.touch("obstacle friction", self._number)
        self.world._set_obstacle_friction(self._number, -1 if value is None else value)
        controls.targets["obstacle friction", self._number] = value


def _numbered(things, number):
    return next((thing for thing in things.values() if thing._number == number), None)


class Contact:
    """A place where two things touch: rod (a Rod, or None), solid (a Solid, where no rod takes part, or None), body (a Body,
    where neither does, or None), element (of a solid the triangle of its surface), place (0 to 1 on a rod's element), other
    (a Rod, an Obstacle, a Body or a Solid), other_element, other_place, point, normal (towards the first), force (on it,
    N), gap (m), sticks."""

    __slots__ = ("rod", "solid", "body", "element", "place", "other", "other_element", "other_place", "point", "normal", "force", "gap",
                 "sticks")

    def __init__(self, world, item):
        self.rod = Rod._of(world, item["rod"]) if item["rod"] else None
        self.solid = _numbered(world.solids, item["solid"])
        self.body = _numbered(world.bodies, item["first_body"])
        if item["other"]:
            self.other = Rod._of(world, item["other"])
        elif item["other_solid"]:
            self.other = _numbered(world.solids, item["other_solid"])
        elif item["obstacle"]:
            self.other = _numbered(world.obstacles, item["obstacle"])
        else:
            self.other = _numbered(world.bodies, item["body"])
        for name in ("element", "place", "other_element", "other_place", "point", "normal", "force", "gap", "sticks"):
            setattr(self, name, item[name])

    def __repr__(self):
        return f"<cordage.Contact of {(self.rod or self.solid or self.body).name} and {getattr(self.other, 'name', '?')} at {self.point}>"
