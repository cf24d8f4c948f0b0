"""Deformable solids of a world: what they are, what holds and pulls them, what can be read."""
from . import arrays, parts
from ._cordage import quantity
from .errors import ArgumentError, StaleHandleError

POSITIONS, VELOCITIES, REACTIONS = range(3)
# A solid that stands for one of the world in a fragment of a scene; only its supports and loads count.
STAND_IN = {"shape": {"box": {"size": [1, 1, 1]}, "resolution": 1}, "material": {"young_modulus": "1 MPa", "density": 1000}}


class Solid:
    """A deformable solid, a mesh of tetrahedra: made by World.add_solid(...) or Solid(world, ...), which takes the same
    keywords.

    `positions`, `velocities` and `reactions` are views of the state without a copy (StateArray): they may be read until
    the next step. Stresses and strains are measured when asked for.
    """

    __slots__ = ("world", "_number")

    def __init__(self, world, name=None, **keywords):
        made = world.add_solid(name, **keywords)
        self.world, self._number = world, made._number

    @classmethod
    def _of(cls, world, number):
        self = cls.__new__(cls)
        self.world, self._number = world, number
        return self

    def __eq__(self, other):
        return isinstance(other, Solid) and other.world is self.world and other._number == self._number

    def __hash__(self):
        return hash((id(self.world), "solid", self._number))

    def __repr__(self):
        try:
            info = self.info()
        except (ValueError, RuntimeError, StaleHandleError) as error:
            return f"<cordage.Solid: {error}>"
        return f"<cordage.Solid '{info['name']}': {info['model']}, {arrays.counted(info['node_count'], 'node')}, {info['mass']:.4g} kg>"

    def info(self):
        """What does not change, as a dict: name, model, integrator, node_count, tetrahedron_count, surface_count, mass,
        rest_volume, shortest_edge, mean_edge, stable_step (of an explicit sub-step), young_modulus, poisson_ratio,
        density; SI."""
        return self.world._solid_info(self._number)

    name = property(lambda self: self.info()["name"], doc="Its name.")
    model = property(lambda self: self.info()["model"], doc="Its material: neo_hookean or corotational.")
    integrator = property(lambda self: self.info()["integrator"], doc="How it moves in time: bdf2, euler or explicit.")
    node_count = property(lambda self: self.info()["node_count"], doc="Nodes of its mesh.")
    tetrahedron_count = property(lambda self: self.info()["tetrahedron_count"], doc="Tetrahedra of its mesh.")
    mass = property(lambda self: self.info()["mass"], doc="Its mass, kg.")

    # ---- state

    @property
    def positions(self):
        """Positions of the nodes, m: an array (nodes, 3) without a copy, valid until the next step."""
        return arrays.state(self.world._solid_view(self._number, POSITIONS))

    @property
    def velocities(self):
        """Velocities of the nodes, m/s: an array (nodes, 3) without a copy, valid until the next step."""
        return arrays.state(self.world._solid_view(self._number, VELOCITIES))

    @property
    def reactions(self):
        """Forces of supports on the nodes in the last step, N: an array (nodes, 3) without a copy, valid until the next
        step."""
        return arrays.state(self.world._solid_view(self._number, REACTIONS))

    @property
    def tetrahedra(self):
        """The four corners of each tetrahedron, numbers of nodes (tetrahedra, 4)."""
        return arrays.indices(self.world._solid_mesh(self._number)[0], 4)

    @property
    def surface(self):
        """The three corners of each triangle of the boundary, counter-clockwise from outside (triangles, 3)."""
        return arrays.indices(self.world._solid_mesh(self._number)[1], 3)

    stress = property(lambda self: arrays.owned(self.world._solid_stress(self._number, 0)),
                      doc="Von Mises stress in each tetrahedron, Pa.")
    strain = property(lambda self: arrays.owned(self.world._solid_stress(self._number, 1)),
                      doc="Largest strain of any line in each tetrahedron.")

    def state(self):
        """What it is like as a whole, as a dict: volume, kinetic, elastic, gravity (J), largest_stress (Pa, von Mises),
        largest_strain, least_volume (of a tetrahedron over that at rest; 0 or less: inverted), center and velocity of
        mass, reaction (N, of all supports)."""
        return self.world._solid_state(self._number)

    # ---- supports and loads

    def _forcing(self, key, item):
        fragment = {"solids": [{"name": self.name, **STAND_IN, key: [item]}]}
        return self.world._extend_solid(self.world._fragment(fragment)[0], self._number)

    def hold(self, **keywords):
        """Holds the nodes of a region where they are now, or moves them: hold(plane={"point": [0, 0, 0], "normal":
        [-1, 0, 0]}), hold(box={"low": ..., "high": ...}), hold(sphere={"center": ..., "radius": ...}), with motion and
        release as of a rod's clamp; without a region all nodes. Returns a SolidSupport."""
        return SolidSupport(self, self._forcing("supports", keywords)[0], keywords)

    def force(self, value, **keywords):
        """A force on the nodes of a region together, N, shared out by mass: force((0, 0, -10), sphere={...}); keywords
        box, sphere, plane, from_, to, ramp. Returns a SolidLoad."""
        return self._load({"force": value}, keywords)

    def pressure(self, value, **keywords):
        """A pressure on the faces in a region, Pa, inward, which follows them. Returns a SolidLoad."""
        return self._load({"pressure": value}, keywords)

    def _load(self, item, keywords):
        item = {**item, **{key.rstrip("_"): value for key, value in keywords.items()}}
        return SolidLoad(self, self._forcing("loads", item)[1], item)

    def set_forces(self, forces=None):
        """Forces on the nodes (nodes, 3), N, that act in every step until they are set again: a law of one's own. None:
        none."""
        controls, value = self.world._controls, arrays.numbers(forces)
        controls.touch("solid forces", self._number)
        self.world._set_solid_forces(self._number, value)
        # Kept as it was given: what the caller does to the array later does not count.
        controls.targets["solid forces", self._number] = None if value is None else [list(row) for row in parts.plain(value)]

    # ---- statics

    def modes(self, count):
        """The lowest vibrations about its state, which should be an equilibrium, with its supports as they are:
        frequencies in Hz, negative for motions that grow, and moves of the nodes (count, nodes, 3). A free solid has six
        of frequency 0, but for rounding."""
        frequencies, shapes = self.world._solid_modes(self._number, count)
        return arrays.owned(frequencies), arrays.owned(shapes)


class SolidSupport:
    """What holds a region of a solid: made by Solid.hold."""

    __slots__ = ("solid", "_number", "_keywords")

    def __init__(self, solid, number, keywords):
        self.solid, self._number, self._keywords = solid, number, dict(keywords)

    def __repr__(self):
        region = next((key for key in ("box", "sphere", "plane") if key in self._keywords), "all")
        return f"<cordage.SolidSupport of {self.solid.name}: {region}>"

    @property
    def force(self):
        """The force that it exerts on the solid, N."""
        return self.solid.world._solid_support_force(self._number)


class SolidLoad:
    """A force on a region of a solid, or a pressure on its faces: made by Solid.force and Solid.pressure."""

    __slots__ = ("solid", "_number", "kind")

    def __init__(self, solid, number, keywords):
        self.solid, self._number = solid, number
        self.kind = "force" if "force" in keywords else "pressure"
        solid.world._controls.targets["solid load", self._number] = _value_of(self.kind, keywords[self.kind])

    def __repr__(self):
        return f"<cordage.SolidLoad on {self.solid.name}: {self.kind} {self.value}>"

    @property
    def value(self):
        """Its force, N, or pressure, Pa; may be set between steps."""
        return self.solid.world._controls.targets["solid load", self._number][1]

    @value.setter
    def value(self, value):
        controls, value = self.solid.world._controls, _value_of(self.kind, value)
        controls.touch("solid load", self._number)
        set_load(self.solid.world, self._number, value)


def _value_of(kind, value):
    if kind == "pressure":
        return kind, quantity(value, "Pa")
    value = list(value)
    if len(value) != 3:
        raise ArgumentError(f"a force has three components, not {len(value)}")
    return kind, tuple(quantity(part, "N") for part in value)


def set_load(world, number, value):
    """Gives a load another value (kind, number or three)."""
    kind, amount = value
    world._set_solid_load(number, amount if kind == "force" else (0, 0, 0), amount if kind == "pressure" else 0)
    world._controls.targets["solid load", number] = value
