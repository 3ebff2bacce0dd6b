"""Walls of regions of LAMMPS that turn by a variable, or are made anew between runs."""

import math

from arguments import Refused
from expressions import FormulaError
from setup import region_of
from walls import region_walls

SAMPLES = 8  # of a run, at which the angle must be that of an even turn


def parts_of(name, deck, depth=0):
    """Returns the names of a region and of those that it is made of."""
    names = [name]
    region = deck.regions.get(name)
    if region and depth < 20:
        for member in region.members:
            names += parts_of(member, deck, depth + 1)
    return names


def renew(deck, report):
    """Ends walls whose region was made anew, and makes them again."""
    for fix, (whole, command, model) in list(deck.region_walls.items()):
        if not deck.stale & set(parts_of(whole, deck)):
            continue
        for wall in deck.fixes.get(fix, []):
            wall.stop = deck.time
        try:
            walls = region_walls(fix, region_of(whole, deck), deck, report, command)
        except Refused as refused:
            report.left(command, f"From here on the wall is not there: {refused.reason}", refused.advice)
            walls = []
        for wall in walls:
            wall.model, wall.command, wall.start = model, command, deck.time
        # What has come and gone before the first step was never there.
        deck.walls = [wall for wall in deck.walls if wall.stop is None or wall.stop > wall.start] + walls
        deck.fixes[fix] = walls
    deck.stale.clear()


def turn(deck, variables, report, steps):
    """Gives walls of regions that turn a motion for the coming run."""
    for fix in deck.region_walls:
        for wall in deck.fixes.get(fix, []):
            region = deck.regions.get(wall.region)
            if region is not None and region.rotation:
                try:
                    follow(wall, region, deck, variables, steps)
                except (Refused, FormulaError) as reason:
                    why = str(reason)
                    report.left(wall.command, f"The wall does not turn as its region does: {why}.",
                                "Give it a motion in the scene.")


def follow(wall, region, deck, variables, steps):
    """Adds an even turn about the region's axis to the motions of a wall."""
    name, point, axis = region.rotation
    angles = angles_of(name, variables, deck, steps)
    length = math.hypot(*axis)
    whole = math.remainder(angles[0] - wall.angle, 2 * math.pi)
    if abs(whole) > 1e-6:
        raise Refused(f"it starts from an angle of {angles[0]:.4g}")
    rate = (angles[-1] - angles[0]) / (steps * deck.dt)
    for i, angle in enumerate(angles):
        if abs(angle - angles[0] - (angles[-1] - angles[0]) * i / SAMPLES) > 1e-6 * max(1.0, abs(angles[-1])):
            raise Refused("it turns unevenly")
    wall.angle += angles[-1] - angles[0]
    if rate == 0:
        return
    spin = [rate * x / length for x in axis]
    last = wall.motion[-1] if wall.motion else None
    if last and last.get("stop") == deck.time and math.dist(last["angular_velocity"], spin) < 1e-9 * abs(rate):
        last["stop"] = deck.time + steps * deck.dt
        return
    motion = {"angular_velocity": spin, "centre": list(point), "stop": deck.time + steps * deck.dt}
    if deck.time > 0:
        motion["start"] = deck.time
    wall.motion.append(motion)


def angles_of(name, variables, deck, steps):
    """Returns the angles at even times of the coming run. Steps and times count as LAMMPS counts them."""
    counter, time, step, elapsed = deck.counter, deck.time, deck.step, deck.elapsed
    angles = []
    try:
        for i in range(SAMPLES + 1):
            ahead = steps * i // SAMPLES if i < SAMPLES else steps
            deck.step, deck.time, deck.elapsed = counter + ahead, time + ahead * deck.dt, ahead
            angles.append(variables.number(name))
    finally:
        deck.step, deck.time, deck.elapsed = step, time, elapsed
    # Samples lie on whole steps: as if they were even.
    return [a + (angles[-1] - angles[0]) * (i / SAMPLES - (steps * i // SAMPLES) / steps) for i, a in enumerate(angles)]
