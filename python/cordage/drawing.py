"""Pictures for notebooks, drawn without any other package, and charts by matplotlib where it is installed."""
import html
import math
import os
import shutil
import subprocess
import tempfile

COLOURS = ("#c8553d", "#2a6f97", "#588157", "#8a5a83", "#b08900", "#4f6d7a")
WIDTH, HEIGHT, MARGIN = 560, 380, 24


def _axes():
    """Right, up and towards the viewer, seen from the side and a little from above."""
    turn, tilt = math.radians(-60), math.radians(20)
    right = (-math.sin(turn), math.cos(turn), 0)
    towards = (math.cos(turn) * math.cos(tilt), math.sin(turn) * math.cos(tilt), math.sin(tilt))
    up = (towards[1] * right[2] - towards[2] * right[1], towards[2] * right[0] - towards[0] * right[2],
          towards[0] * right[1] - towards[1] * right[0])
    return right, up, towards


def _project(point, axes):
    return tuple(sum(p * a for p, a in zip(point, axis)) for axis in axes)


def _segments(curves, axes):
    for number, (_, points, radius, is_closed) in enumerate(curves):
        flat = [_project(point, axes) for point in points]
        stride = max(len(flat) // 2000, 1)
        flat = flat[::stride] + ([] if (len(flat) - 1) % stride == 0 else flat[-1:])
        for a, b in zip(flat, flat[1:] + (flat[:1] if is_closed else [])):
            yield (a[2] + b[2]) / 2, a, b, radius, COLOURS[number % len(COLOURS)]


def _faces(surfaces, axes):
    """Triangles of deformable solids that are turned to the viewer: depth, corners, how much light they get."""
    for points, triangles in surfaces:
        flat = [_project(point, axes) for point in points]
        for a, b, c in ((flat[i], flat[j], flat[k]) for i, j, k in triangles):
            u, v = [q - p for p, q in zip(a, b)], [q - p for p, q in zip(a, c)]
            normal = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
            size = math.sqrt(sum(n * n for n in normal))
            if normal[2] > 0 and size > 0:
                yield (a[2] + b[2] + c[2]) / 3, (a, b, c), normal[2] / size


def _shade(colour, depth):
    """Far things are paler."""
    numbers = [int(colour[k:k + 2], 16) for k in (1, 3, 5)]
    return "#" + "".join(f"{round(c + (235 - c) * 0.45 * (1 - depth)):02x}" for c in numbers)


def picture_svg(curves, solids=(), caption="", surfaces=()):
    """Rods, deformable solids by their surfaces, and balls of the size of bodies, as an SVG picture seen from the side."""
    axes = _axes()
    drawn = sorted(_segments(curves, axes), key=lambda part: part[0])
    faces = sorted(_faces(surfaces, axes), key=lambda part: part[0])
    balls = [(_project(x, axes), radius or max(size) / 2 or length / 2) for _, _, radius, length, size, x in solids]
    places = [p for _, a, b, _, _ in drawn for p in (a, b)] + [p for p, _ in balls]
    places += [p for _, corners, _ in faces for p in corners]
    if not places:
        return f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="60"><text x="20" y="35">an empty world</text></svg>'
    low = [min(p[k] for p in places) for k in range(3)]
    high = [max(p[k] for p in places) for k in range(3)]
    span = max(high[0] - low[0], 1e-9), max(high[1] - low[1], 1e-9)
    scale = min((WIDTH - 2 * MARGIN) / span[0], (HEIGHT - 2 * MARGIN) / span[1])
    middle = (low[0] + high[0]) / 2, (low[1] + high[1]) / 2

    def at(p):
        return WIDTH / 2 + (p[0] - middle[0]) * scale, HEIGHT / 2 - (p[1] - middle[1]) * scale

    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
             'style="background:#f7f5f2" stroke-linecap="round">']
    for p, radius in balls:
        x, y = at(p)
        lines.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{min(max(radius * scale, 3), 200):.1f}" fill="#9aa5ab"/>')
    things = [(part[0], part, None) for part in drawn] + [(face[0], None, face) for face in faces]
    for _, part, face in sorted(things, key=lambda thing: thing[0]):
        if face is not None:
            grey = "#" + "".join(f"{round(c * (0.55 + 0.45 * face[2])):02x}" for c in (214, 160, 120))
            path = "L".join(f"{x:.1f} {y:.1f}" for x, y in map(at, face[1]))
            lines.append(f'<path d="M{path}Z" fill="{grey}" stroke="{grey}" stroke-width="0.5"/>')
            continue
        depth, a, b, radius, colour = part
        share = (depth - low[2]) / (high[2] - low[2]) if high[2] > low[2] else 1
        (x1, y1), (x2, y2) = at(a), at(b)
        width = min(max(2 * radius * scale, 1.2), 60)
        lines.append(f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" stroke="{_shade(colour, share)}" stroke-width="{width:.1f}"/>')
    lines.append(f'<text x="{MARGIN}" y="{HEIGHT - 10}" font-family="sans-serif" font-size="12" fill="#555">'
                 f'{html.escape(caption)}   {_bar_text(scale)}</text></svg>')
    return "".join(lines)


def _bar_text(scale):
    length = 100 / scale
    return f"100 px = {length:.2g} m"


def picture_html(curves, solids, caption, surfaces=()):
    """The picture as a notebook shows it."""
    return f"<div>{picture_svg(curves, solids, caption, surfaces)}</div>"


def player_html(path):
    """The self-contained player of a run, when the command is there and can write one; else None."""
    command = os.environ.get("CORDAGE_COMMAND") or shutil.which("cordage")
    if command is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        target = os.path.join(folder, "player.html")
        try:
            done = subprocess.run([command, "export", path, "--to", "html", "-o", target], capture_output=True, timeout=120)
            if done.returncode != 0 or not os.path.isfile(target):
                return None
            with open(target, encoding="utf-8") as file:
                page = file.read()
        except (OSError, subprocess.SubprocessError):
            return None
    return (f'<iframe srcdoc="{html.escape(page, quote=True)}" width="100%" height="480" style="border:0" '
            'title="Cordage run"></iframe>')


def _pyplot():
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError("plot() draws with matplotlib, which is not installed; cordage plot draws charts of runs without "
                          "it") from error
    return pyplot


def plot_rods(curves, axes=None, surfaces=()):
    """Rods and deformable solids in three dimensions."""
    pyplot = _pyplot()
    if axes is None:
        axes = pyplot.figure().add_subplot(projection="3d")
    for name, points, _, is_closed in curves:
        points = points + points[:1] if is_closed else points
        axes.plot(*zip(*points), label=name)
    for points, triangles in surfaces:
        axes.plot_trisurf(*zip(*points), triangles=triangles, color="#d6a078")
    axes.set_xlabel("x [m]")
    axes.set_ylabel("y [m]")
    axes.set_zlabel("z [m]")
    if 0 < len(curves) < 12:
        axes.legend()
    axes.set_aspect("equal")
    return axes


def plot_curves(times, curves, axes=None, label=""):
    """Numbers over time."""
    pyplot = _pyplot()
    if axes is None:
        axes = pyplot.figure().add_subplot()
    for name, values in curves.items():
        axes.plot(times, values, label=name)
    axes.set_xlabel("time [s]")
    axes.set_ylabel(label)
    axes.legend()
    return axes
