"""Cordage: elastic rods. Ropes, cables, hair, springs, plants, soft arms; contact, friction, knots, nets, statics.

    import cordage
    world = cordage.World(model="der")
    rod = world.add_rod(line=((0, 0, 0), (1, 0, 0)), radius="2 mm", young_modulus="1 MPa", density=1100, elements=50)
    rod.clamp("start")
    world.run("1 s")
    print(rod.positions[-1])

Two ways in: `load("scene.yaml", set={...})` makes the world of a scene file, and `World(...)` with `add_rod`, `add_body`,
`add_solid`, `add_obstacle` builds one from keywords, which are those of scene files. Numbers are SI; texts have units.
`Scene.run(directory)` writes a run, and `Run(directory)` reads one. NumPy is used where it is installed.
"""
from . import errors
from ._cordage import Array, quantity, version as __version__
from ._cordage import _fields
from .arrays import StateArray
from .errors import (ArgumentError, ConvergenceError, EnergyError, Error, FileError, FormatError, InterruptedRun,
                     NotFiniteError, SceneError, StaleHandleError, StaleViewError, UnsupportedError)
from .run import Run, RunRod
from .solids import Solid, SolidLoad, SolidSupport
from .world import Body, Contact, Load, Obstacle, Rod, Scene, Snapshot, Support, Weld, World, load


def fields():
    """What Rod.field and RunRod.read know, by name: (unit, text, whether it is per element, components)."""
    return {name: (unit, text, is_per_element, components) for name, unit, text, is_per_element, components in _fields()}


__all__ = ["ArgumentError", "Array", "Body", "Contact", "ConvergenceError", "EnergyError", "Error", "FileError",
           "FormatError", "InterruptedRun", "Load", "NotFiniteError", "Obstacle", "Rod", "Run", "RunRod", "Scene",
           "SceneError", "Snapshot", "Solid", "SolidLoad", "SolidSupport", "StaleHandleError", "StaleViewError", "StateArray",
           "Support", "UnsupportedError",
           "Weld", "World", "errors", "fields", "load", "quantity"]
