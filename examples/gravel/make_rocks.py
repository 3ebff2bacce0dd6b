#!/usr/bin/env python3
"""Writes rock1.obj to rock3.obj, in mm: crushed rock, a ball of which planes at random cut pieces off."""

import math
import random


def geodesic(parts):
    """Directions of an icosahedron whose edges are cut into so many parts, and its triangles."""
    golden = (1 + math.sqrt(5)) / 2
    corners = []
    for a in (-1, 1):
        for b in (-golden, golden):
            corners += [(0, a, b), (a, b, 0), (b, 0, a)]
    near = [[j for j in range(12) if 0 < math.dist(corners[i], corners[j]) < 2.1] for i in range(12)]
    faces = [(i, j, k) for i in range(12) for j in near[i] if j > i for k in near[i] if k > j and k in near[j]]
    number, directions, triangles = {}, [], []

    def point(weights):
        at = tuple(sum(w * corners[i][k] for i, w in weights.items()) / parts for k in range(3))
        key = tuple(round(1e6 * x) for x in at)
        if key not in number:
            length = math.hypot(*at)
            number[key] = len(directions)
            directions.append(tuple(x / length for x in at))
        return number[key]

    for i, j, k in faces:
        def at(a, b):
            return point({i: parts - a - b, j: a, k: b})
        for a in range(parts):
            for b in range(parts - a):
                triangles.append((at(a, b), at(a + 1, b), at(a, b + 1)))
                if a + b + 1 < parts:
                    triangles.append((at(a + 1, b), at(a + 1, b + 1), at(a, b + 1)))
    return directions, triangles


def outward(points, triangle):
    """The triangle with its corners counter-clockwise from outside."""
    p, q, r = (points[k] for k in triangle)
    u, v = [q[k] - p[k] for k in range(3)], [r[k] - p[k] for k in range(3)]
    normal = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
    return triangle if sum(n * x for n, x in zip(normal, p)) > 0 else (triangle[0], triangle[2], triangle[1])


def rock(seed, stretch):
    """A ball of radius 1, stretched, less what lies beyond 16 planes."""
    draw = random.Random(seed)
    planes = []
    for _ in range(16):
        n = [draw.gauss(0, 1) for _ in range(3)]
        length = math.hypot(*n)
        planes.append(([x / length for x in n], draw.uniform(0.62, 0.9)))
    directions, triangles = geodesic(7)
    points = []
    for d in directions:
        r = 1.0
        for n, distance in planes:
            along = sum(a * b for a, b in zip(n, d))
            if along > 0:
                r = min(r, distance / along)
        points.append([r * x * s for x, s in zip(d, stretch)])
    return points, [outward(points, t) for t in triangles]


for number, stretch in enumerate([(7.5, 6.5, 5.5), (8.5, 6, 5), (6.5, 6.5, 6)], start=1):
    points, triangles = rock(number, stretch)
    with open(f"rock{number}.obj", "w", encoding="ascii") as file:
        file.writelines("v {:.4f} {:.4f} {:.4f}\n".format(*p) for p in points)
        file.writelines("f {} {} {}\n".format(*(k + 1 for k in t)) for t in triangles)
