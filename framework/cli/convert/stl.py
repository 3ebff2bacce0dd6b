"""Surfaces of STL files: enough to know their extent, and that they are surfaces at all."""

import bisect
import math
import struct

from arguments import Refused
from deck import halton

POINTS = 500  # on an insertion face that is neither a rectangle nor a disc


def triangles(data):
    """Returns the triangles of an STL file, text or binary, as lists of three points; None if it is none."""
    if len(data) >= 84:
        count = struct.unpack_from("<I", data, 80)[0]
        if len(data) == 84 + 50 * count and count:
            return [
                [struct.unpack_from("<3f", data, 84 + 50 * i + 12 + 12 * k) for k in range(3)] for i in range(count)
            ]
    if not data.lstrip()[:5].lower() == b"solid":
        return None
    points = []
    for line in data.decode("ascii", errors="replace").splitlines():
        words = line.split()
        if words[:1] == ["vertex"] and len(words) == 4:
            try:
                points.append(tuple(float(word) for word in words[1:]))
            except ValueError:
                return None
    if not points or len(points) % 3:
        return None
    return [points[i : i + 3] for i in range(0, len(points), 3)]


def is_surface(data, name):
    """Returns whether a file is a surface that scree's meshes read, by its content."""
    if name.lower().endswith((".obj", ".ply")):
        return data[:3] == b"ply" or b"\nv " in data[:100_000] or data[:2] == b"v "
    return triangles(data) is not None


def moved(point, scale, rotation, translation):
    """Returns a point of a file where the mesh has it."""
    p = [scale * x for x in point]
    if rotation:
        p = [sum(r * x for r, x in zip(row, p)) for row in rotation]
    return tuple(x + t for x, t in zip(p, translation))


def rotation_matrix(axis, angle):
    """Returns the matrix of a turn about an axis through the origin. \\angle [rad]"""
    length = math.hypot(*axis)
    if length == 0:
        raise Refused("the axis of a turn has no length.")
    x, y, z = (a / length for a in axis)
    c, s, k = math.cos(angle), math.sin(angle), 1 - math.cos(angle)
    return [
        [c + x * x * k, x * y * k - z * s, x * z * k + y * s],
        [y * x * k + z * s, c + y * y * k, y * z * k - x * s],
        [z * x * k - y * s, z * y * k + x * s, c + z * z * k],
    ]


def product(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def rotation_vector(matrix):
    """Returns the vector along the axis, as long as the angle [rad]."""
    w = [matrix[2][1] - matrix[1][2], matrix[0][2] - matrix[2][0], matrix[1][0] - matrix[0][1]]
    sine, cosine = math.hypot(*w) / 2, (matrix[0][0] + matrix[1][1] + matrix[2][2] - 1) / 2
    angle = math.atan2(sine, cosine)
    if sine > 1e-8:
        return [angle * x / (2 * sine) for x in w]
    if cosine > 0:
        return [0.0, 0.0, 0.0]
    # Half a turn: the axis is the largest column of (M + 1)/2.
    column = max(range(3), key=lambda j: matrix[j][j])
    axis = [(matrix[i][column] + (i == column)) / 2 for i in range(3)]
    length = math.hypot(*axis)
    return [math.pi * x / length for x in axis]


def face_region(faces):
    """Returns the flat region of a face across an axis, its axis and area: a box, a disc, or points of any other face."""
    corners = sorted({tuple(round(x, 12) for x in p) for t in faces for p in t})
    lower = [min(p[i] for p in corners) for i in range(3)]
    upper = [max(p[i] for p in corners) for i in range(3)]
    size = max(b - a for a, b in zip(lower, upper))
    flat = [i for i in range(3) if upper[i] - lower[i] < 1e-5 * size]
    axis = flat[0] if flat else 2
    if not flat:
        return points_on(faces), None, None
    centre = [(a + b) / 2 for a, b in zip(lower, upper)]
    area = sum(triangle_area(t) for t in faces)
    others = [i for i in range(3) if i != axis]
    if abs(area - math.prod(upper[i] - lower[i] for i in others)) < 1e-3 * area:
        return {"type": "box", "lower": lower, "upper": upper}, axis, area
    rim = max(math.dist(p, centre) for p in corners)
    if 0.85 * math.pi * rim * rim < area <= 1.01 * math.pi * rim * rim:
        direction = [float(i == axis) for i in range(3)]
        # A circle of the same area as the polygon.
        return {"type": "cylinder", "centre": centre, "axis": direction, "radius": math.sqrt(area / math.pi),
                "length": 0}, axis, area
    return points_on(faces), axis, area


def points_on(faces):
    """Returns points that are spread evenly over a face, by shares of area and Halton's numbers."""
    ends, total = [], 0.0
    for t in faces:
        total += triangle_area(t)
        ends.append(total)
    if total <= 0:
        raise Refused("the insertion face has no area.")
    points = []
    for i in range(1, POINTS + 1):
        place = halton(i, 5) * total
        t = faces[min(bisect.bisect_left(ends, place), len(faces) - 1)]
        u, v = halton(i, 2), halton(i, 3)
        if u + v > 1:
            u, v = 1 - u, 1 - v
        points.append([t[0][k] + u * (t[1][k] - t[0][k]) + v * (t[2][k] - t[0][k]) for k in range(3)])
    return {"points": points}


def triangle_area(t):
    u = [b - a for a, b in zip(t[0], t[1])]
    v = [b - a for a, b in zip(t[0], t[2])]
    return math.hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]) / 2
