"""Movements: fix move/mesh of LIGGGHTS, fix move of LAMMPS."""

import math

from arguments import Refused
from deck import Motion
from setup import in_box_units

ROWS = 60  # of a table, per period
MOST_ROWS = 20_000


def move_mesh(name, arguments, deck, report):
    arguments.skip("mesh")
    target = arguments.word("the mesh")
    if target not in deck.meshes:
        raise Refused(f"the mesh {target} is not there, or was not converted.", "See its line.")
    deck.motions.append(Motion(name, arguments.command, "mesh:" + target, read(arguments, deck), deck.time))
    return deck.motions[-1]


def move_group(name, group, arguments, deck, report):
    in_box_units(arguments, deck)
    deck.motions.append(Motion(name, arguments.command, "group:" + group, read(arguments, deck), deck.time))
    if arguments.skip("units"):
        arguments.skip("box")
    return deck.motions[-1]


def components(arguments, factor):
    """Returns three numbers, where NULL stands for 0."""
    return [0.0 if arguments.skip("NULL") else arguments.number("a component", factor) for _ in range(3)]


def read(arguments, deck):
    """Returns a motion of a scene."""
    unit = deck.units
    style = arguments.word("the movement")
    if style == "linear":
        return {"velocity": components(arguments, unit.velocity)}
    if style == "wiggle":
        arguments.skip("amplitude")
        amplitude = components(arguments, unit.length)
        arguments.skip("period")
        period = arguments.number("the period", unit.time)
        if period <= 0:
            raise Refused("the period must be above 0.")
        return {"amplitude": amplitude, "frequency": 1 / period}
    if style in ("rotate", "riggle"):
        arguments.skip("origin")
        centre = list(arguments.vector("the origin", unit.length))
        arguments.skip("axis")
        axis = arguments.vector("the axis")
        length = math.hypot(*axis)
        if length == 0:
            raise Refused("the axis has no length.")
        arguments.skip("period")
        period = arguments.number("the period", unit.time)
        if period == 0:
            raise Refused("the period is 0.")
        if style == "riggle":
            raise Refused("a turn to and fro is not converted.", "Make a motion from a function: scree.motion() in Python.")
        return {"angular_velocity": [2 * math.pi / period * x / length for x in axis], "centre": centre}
    if style == "viblin":
        raise Refused("viblin is not converted.", "Use a table of displacements, or wiggle.")
    raise Refused(f"the movement {style} is not converted.", "Use linear, rotate or wiggle, or a table in the scene.")


def wiggle_table(axis, amplitude, period, duration):
    """Returns a motion x = A (1 - cos(w t)) as a table of velocities."""
    rows = min(MOST_ROWS, math.ceil(ROWS * duration / period)) + 1
    table = []
    for i in range(rows + 1):
        time = i * period / ROWS
        velocity = [0.0, 0.0, 0.0]
        # Linear between rows: this factor makes each half period as long a way as the sine does.
        factor = (math.pi / ROWS) / math.tan(math.pi / ROWS)
        velocity[axis] = 2 * math.pi / period * amplitude * math.sin(2 * math.pi * i / ROWS) / factor
        table.append({"time": time, "velocity": velocity})
    return {"velocities": table}
