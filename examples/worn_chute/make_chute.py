#!/usr/bin/env python3
"""Writes chute.stl in mm: a channel that goes from steep to shallow in an arc, with flared sides."""

import math
import struct

HALF_WIDTH, SIDE, CELL = 60, 45, 12
STEEP, SHALLOW, RADIUS = math.radians(50), math.radians(12), 220


def profile():
    """Points (x, z) down the middle, some CELL apart."""
    x, z, angle, points = 0.0, 0.0, STEEP, [(0.0, 0.0)]
    for length, turn in ((260, 0.0), (RADIUS * (STEEP - SHALLOW), STEEP - SHALLOW), (180, 0.0)):
        steps = round(length / CELL)
        for _ in range(steps):
            angle -= turn / steps / 2
            x, z = x + length / steps * math.cos(angle), z - length / steps * math.sin(angle)
            angle -= turn / steps / 2
            points.append((x, z))
    return points


def section():
    """Points (y, height) across: a side that leans out, the floor, the other side."""
    floor = [(-HALF_WIDTH + CELL * k, 0.0) for k in range(2 * HALF_WIDTH // CELL + 1)]
    side = [(HALF_WIDTH + 0.25 * SIDE * k / 3, SIDE * k / 3) for k in range(1, 4)]
    return [(-y, h) for y, h in reversed(side)] + floor + side


def main():
    rows = [[(x, y, z + h) for y, h in section()] for x, z in profile()]
    triangles = []
    for above, below in zip(rows, rows[1:]):
        for k in range(len(above) - 1):
            triangles += [(above[k], below[k], below[k + 1]), (above[k], below[k + 1], above[k + 1])]
    with open("chute.stl", "wb") as file:
        file.write(b"chute, mm".ljust(80) + struct.pack("<I", len(triangles)))
        for corners in triangles:
            file.write(struct.pack("<12fH", 0, 0, 0, *(x for p in corners for x in p), 0))


if __name__ == "__main__":
    main()
