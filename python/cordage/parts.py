"""Keywords to parts of a scene: the same names, values and mistakes as in a scene file (docs/scene.md), with short forms
that Python makes easy."""
import difflib
import json

from .errors import ArgumentError

CENTERLINES = ("line", "arc", "circle", "helix", "points", "spline", "file", "knot", "tied")
MATERIAL = ("young_modulus", "poisson_ratio", "shear_modulus", "stretch_modulus", "density")
SECTIONS = ("circle", "ellipse", "rectangle", "tube")


def plain(value):
    """Numbers, texts, lists and maps as JSON knows them, from whatever behaves like them."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, dict):
        return {str(key): plain(part) for key, part in value.items() if part is not None}
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    if hasattr(value, "item"):
        return plain(value.item())
    if hasattr(value, "_place_text"):
        return value._place_text()
    return [plain(part) for part in value]


def text_of(scene):
    """A scene as text; JSON is YAML."""
    return json.dumps(plain(scene))


def _section(keywords):
    section = keywords.pop("section", None)
    radius = keywords.pop("radius", None)
    if radius is None:
        return section
    if section is not None:
        raise ArgumentError("give radius or section, not both")
    if not isinstance(radius, str) and hasattr(radius, "__len__"):
        if len(radius) != 2:
            raise ArgumentError(f"radius: expected one, or two for the ends, found {len(radius)}")
        return {"circle": {"radius": radius[0]}, "end": {"circle": {"radius": radius[1]}}}
    return {"circle": {"radius": radius}}


def _centerline(keywords):
    named = [name for name in CENTERLINES if name in keywords]
    if not named:
        return keywords.pop("centerline", None)
    if len(named) > 1 or "centerline" in keywords:
        raise ArgumentError(f"a rod has one centerline; given are {', '.join(named + ['centerline'] * ('centerline' in keywords))}")
    name, value = named[0], keywords.pop(named[0])
    if name == "line" and not isinstance(value, dict):
        ends = list(value) if hasattr(value, "__len__") else []
        if len(ends) != 2:
            raise ArgumentError("line: expected two points, ((x, y, z), (x, y, z))")
        value = {"from": ends[0], "to": ends[1]}
    return {name: value}


def _check(keywords, forms):
    """Misspelt short forms, which a scene knows nothing of."""
    for key in keywords:
        near = difflib.get_close_matches(key, forms, 1, 0.8)
        if near and near[0] != key:
            raise ArgumentError(f"unknown keyword '{key}'; did you mean '{near[0]}'?")


def rod(name, keywords):
    """A rod's keywords as an item of a scene's `rods`."""
    keywords = dict(keywords)
    _check(keywords, (*CENTERLINES, *MATERIAL, "radius"))
    item = {"name": name, "centerline": _centerline(keywords), "section": _section(keywords)}
    material = {key: keywords.pop(key) for key in MATERIAL if key in keywords}
    if material:
        item["material"] = {**(keywords.pop("material", None) or {}), **material}
    item.update(keywords)
    return {key: value for key, value in item.items() if value is not None}


def structure(name, keywords):
    """The same for nets, trees, ..., whose rods have a section and a material, but no centerline of their own."""
    keywords = dict(keywords)
    _check(keywords, (*MATERIAL, "radius"))
    item = {"name": name, "section": _section(keywords)}
    material = {key: keywords.pop(key) for key in MATERIAL if key in keywords}
    if material:
        item["material"] = {**(keywords.pop("material", None) or {}), **material}
    item.update(keywords)
    return {key: value for key, value in item.items() if value is not None}


SHAPES = ("box", "sphere", "ellipsoid", "cylinder", "tube", "torus", "wedge", "revolved", "file")


def solid(name, keywords):
    """A solid's keywords; its shape may be given by its own name, and its material by its values."""
    keywords = dict(keywords)
    _check(keywords, (*SHAPES, "resolution", "young_modulus", "poisson_ratio", "density", "damping_time"))
    named = [key for key in SHAPES if key in keywords]
    if named and (len(named) > 1 or "shape" in keywords):
        raise ArgumentError(f"a solid has one shape; given are {', '.join(named + ['shape'] * ('shape' in keywords))}")
    item = {"name": name}
    if named:
        item["shape"] = {key: keywords.pop(key) for key in (*named, "resolution", "unit") if key in keywords}
    material = {key: keywords.pop(key) for key in ("young_modulus", "poisson_ratio", "density", "damping_time")
                if key in keywords}
    if material:
        item["material"] = {**(keywords.pop("material", None) or {}), **material}
    return {**item, **keywords}


def body(name, keywords):
    """A body's keywords; its shape may be given by its own name."""
    keywords = dict(keywords)
    shape = {key: keywords.pop(key) for key in ("sphere", "box", "capsule", "cylinder", "mesh") if key in keywords}
    item = {"name": name, **keywords}
    if shape:
        item["shape"] = shape
    return item
