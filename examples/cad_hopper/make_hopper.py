#!/usr/bin/env python3
"""Writes hopper.stl and tray.stl, in mm: a square bin with a funnel that turns into a round spout, and a tray."""

import math
import struct

STEPS = 32


def ring(height, half, roundness):
    """Points around the z axis: of a square of this half width for roundness 0, of a circle for 1."""
    points = []
    for k in range(STEPS):
        phi = 2 * math.pi * (k + 0.5) / STEPS
        c, s = math.cos(phi), math.sin(phi)
        square = half / max(abs(c), abs(s))
        r = (1 - roundness) * square + roundness * half
        points.append((r * c, r * s, height))
    return points


def write(name, triangles):
    with open(name, "wb") as file:
        file.write(f"{name}, mm".encode().ljust(80) + struct.pack("<I", len(triangles)))
        for corners in triangles:
            file.write(struct.pack("<12fH", 0, 0, 0, *(x for p in corners for x in p), 0))


def main():
    rings = [ring(0, 18, 1), ring(40, 18, 1), ring(75, 34, 0.5), ring(110, 60, 0.1), ring(130, 60, 0), ring(190, 60, 0)]
    triangles = []
    for low, high in zip(rings, rings[1:]):
        for k in range(STEPS):
            j = (k + 1) % STEPS
            triangles += [(low[k], low[j], high[j]), (low[k], high[j], high[k])]
    write("hopper.stl", triangles)
    floor, rim = [[(s * 80, t * 80, z) for s, t in ((-1, -1), (1, -1), (1, 1), (-1, 1))] for z in (-70, -30)]
    triangles = [(floor[0], floor[1], floor[2]), (floor[0], floor[2], floor[3])]
    for k in range(4):
        j = (k + 1) % 4
        triangles += [(floor[k], rim[j], floor[j]), (floor[k], rim[k], rim[j])]
    write("tray.stl", triangles)


if __name__ == "__main__":
    main()
