"""Writes hair.csv: lines of hair combed down from the crown of the head of scene.json, in waves below the ears.

    python3 hair.py                                     1000 strands of 30 segments
    python3 hair.py --strands 200 --out short.csv       fewer, into another file
    python3 hair.py --segments 20 --seed 2
"""
import argparse
import math
import random

HEAD = 0.09  # radius [m]
SEGMENT = 0.007  # length [m]
SCALP, FACE = math.radians(100), math.radians(40)  # hair grows down to this angle from the crown, at the face to that
STEP = SEGMENT / 2  # between points of a line [m]
GOLDEN = math.pi * (3 - math.sqrt(5))

parser = argparse.ArgumentParser()
parser.add_argument("--strands", type=int, default=1000)
parser.add_argument("--segments", type=int, default=30)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--out", default="hair.csv")
given = parser.parse_args()
random.seed(given.seed)


def hairline(around):
    """Angle from the crown at which hair ends; the face looks along x."""
    towards_face = max(0.0, math.cos(around)) ** 2
    return SCALP + (FACE - SCALP) * towards_face


def roots():
    """Directions (angle from the crown, angle around it), spread evenly over the scalp (Vogel's spiral)."""
    found, n = [], given.strands
    while len(found) < given.strands:
        found = []
        n = int(1.02 * n) + 1
        for k in range(n):
            down = math.acos(1 - (1 - math.cos(SCALP)) * (k + 0.5) / n)
            around = (k * GOLDEN + math.pi) % (2 * math.pi) - math.pi
            if down < hairline(around) and down > 0.05:
                found.append((down, around))
    return found[:given.strands]


def line(down, around, length):
    """Points of one hair: up from the scalp, along it at a height that grows with the way, then straight down."""
    lean = random.uniform(-0.04, 0.04)  # of this hair from its meridian [rad]
    points, way, angle, drop, swept = [], 0.0, down, 0.0, around
    while way < length + SEGMENT:
        lift = 0.0015 * (1 - math.exp(-way / 0.006)) + 0.025 * min(angle - down, math.pi / 2) * HEAD
        hang = 0.5 * math.pi
        wave = 0.0025 * (1 - math.exp(-(drop / 0.025) ** 2)) * math.sin(2 * math.pi * (drop / 0.05 + 2 * swept))
        r = HEAD + lift
        x, y = r * math.sin(min(angle, max(down, hang))), wave
        height = r * math.cos(min(angle, max(down, hang))) - drop
        points.append((x * math.cos(swept) - y * math.sin(swept), x * math.sin(swept) + y * math.cos(swept), height))
        if angle < hang:
            angle += STEP / HEAD
            swept += lean * STEP / HEAD
        else:
            drop += STEP
        way += STEP
    return points


def thinned(points, tolerance=4e-4):
    """Without the points that a straight line misses by less than this [m] (Douglas and Peucker)."""
    first, last = points[0], points[-1]
    along = [b - a for a, b in zip(first, last)]
    square = sum(x * x for x in along)

    def off(point):
        part = sum((p - a) * x for p, a, x in zip(point, first, along)) / square
        return math.dist(point, [a + part * x for a, x in zip(first, along)])

    farthest = max(range(1, len(points) - 1), key=lambda k: off(points[k]), default=0)
    if farthest == 0 or off(points[farthest]) < tolerance:
        return [first, last]
    return thinned(points[:farthest + 1], tolerance) + thinned(points[farthest:], tolerance)[1:]


with open(given.out, "w") as file:
    file.write("strand,x,y,z\n")
    for k, (down, around) in enumerate(roots()):
        for x, y, z in thinned(line(down, around, given.segments * SEGMENT)):
            file.write(f"{k},{x:.4f},{y:.4f},{z:.4f}\n")
