"""Writes twigs.csv: arcs at random places above the tube of scene.json, none of which touch."""
import math
import random

TWIGS, RADIUS, ANGLE, CORNERS = 120, 0.015, 2.6, 24  # arcs of 39 mm
TUBE, LOW, HIGH, DISTANCE = 0.025, 0.005, 0.25, 0.0022  # where they are [m]; distance of axes [m]

random.seed(1)


def unit_vector():
    z, angle = random.uniform(-1, 1), random.uniform(0, 2 * math.pi)
    r = math.sqrt(1 - z * z)
    return [r * math.cos(angle), r * math.sin(angle), z]


def arc():
    """Points of an arc in a random plane at a random place."""
    a, b = unit_vector(), unit_vector()
    along = sum(x * y for x, y in zip(a, b))
    b = [y - along * x for x, y in zip(a, b)]
    length = math.sqrt(sum(y * y for y in b))
    centre = [random.uniform(-TUBE, TUBE), random.uniform(-TUBE, TUBE), random.uniform(LOW, HIGH)]
    points = []
    for k in range(CORNERS + 1):
        angle = ANGLE * (k / CORNERS - 0.5)
        points.append([c + RADIUS * ((math.cos(angle) - 0.6) * x + math.sin(angle) * y / length)
                       for c, x, y in zip(centre, a, b)])
    return points


def inside(points):
    return all(math.hypot(x, y) < TUBE - 0.001 and z > LOW for x, y, z in points)


twigs = []
while len(twigs) < TWIGS:
    new = arc()
    if inside(new) and all(math.dist(p, q) > DISTANCE for old in twigs for p in old for q in new):
        twigs.append(new)

with open("twigs.csv", "w") as file:
    file.write("strand,x,y,z\n")
    for k, twig in enumerate(twigs):
        for x, y, z in twig[::2]:
            file.write(f"{k},{x:.5f},{y:.5f},{z:.5f}\n")
