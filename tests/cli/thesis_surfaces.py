"""Surfaces like those of the CoRdE thesis' appendix A: triangles within each other, missing, and apart."""
import math
import random

# A figure whose nine parts are within each other: middle, radius, and its factors along x, y and z.
PARTS = [((0, 0, 0), 1, (1, .7, 1.3)), ((0, 0, 1.5), .6, (1, 1, 1)), ((0, -.5, 1.5), .25, (1, 1, 1)),
         ((-1.1, 0, .6), .8, (1.1, .35, .35)), ((1.1, 0, .6), .8, (1.1, .35, .35)),
         ((-.45, 0, -1.6), .9, (.4, .4, 1.1)), ((.45, 0, -1.6), .9, (.4, .4, 1.1)),
         ((-.5, -.3, -2.5), .4, (.7, 1.2, .6)), ((.5, -.3, -2.5), .4, (.7, 1.2, .6))]


def torus(major=0.35, minor=0.14, around=40, across=20):
    """Points and triangles of a torus about the z axis, m."""
    points, triangles = [], []
    for i in range(around):
        for j in range(across):
            a, b = 2 * math.pi * i / around, 2 * math.pi * j / across
            radius = major + minor * math.cos(b)
            points.append((radius * math.cos(a), radius * math.sin(a), minor * math.sin(b)))
            p, q = i * across + j, (i + 1) % around * across + j
            r, s = (i + 1) % around * across + (j + 1) % across, i * across + (j + 1) % across
            triangles += [(p, q, r), (p, r, s)]
    return points, triangles


def ellipsoid(middle, radius, factors, rings=30, around=31):
    """The corners of its triangles."""
    def point(i, k):
        a, b = math.pi * i / rings, 2 * math.pi * k / around
        way = (math.sin(a) * math.cos(b), math.sin(a) * math.sin(b), math.cos(a))
        return tuple(middle[d] + radius * factors[d] * way[d] for d in range(3))

    cells = [(i, k, (k + 1) % around) for i in range(rings) for k in range(around)]
    return ([(point(i, k), point(i + 1, k), point(i + 1, n)) for i, k, n in cells if i < rings - 1]
            + [(point(i, k), point(i + 1, n), point(i, n)) for i, k, n in cells if i > 0])


def figure():
    """The corners of the triangles of all parts (figure A.7)."""
    return [corners for part in PARTS for corners in ellipsoid(*part)]


def loosened(triangles, seed=2):
    """Each moved by some 1 cm, so that none meet (figure A.2)."""
    dice = random.Random(seed)
    return [tuple(tuple(x + s for x, s in zip(point, shift)) for point in triangle)
            for triangle in triangles for shift in [[dice.gauss(0, 0.01) for _ in range(3)]]]


def halved(triangles, seed=2):
    """Every other, in an order that dice choose (figures A.1 and A.8)."""
    triangles = list(triangles)
    random.Random(seed).shuffle(triangles)
    return triangles[::2]


def obj_text(points, triangles):
    lines = ["v %.9g %.9g %.9g\n" % point for point in points]
    return "".join(lines + ["f %d %d %d\n" % tuple(corner + 1 for corner in triangle) for triangle in triangles])


def soup_text(triangles):
    """Of triangles that share no points."""
    return obj_text([point for triangle in triangles for point in triangle],
                    [(3 * i, 3 * i + 1, 3 * i + 2) for i in range(len(triangles))])
