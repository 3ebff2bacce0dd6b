"""Heat through contacts: fix heat/gran of LIGGGHTS as the hook `heat`."""

import math
from dataclasses import dataclass

import model_liggghts
from arguments import Refused
from geometry import scene_region
from report import DeckError
from setup import region_of


@dataclass
class Heat:
    """A line fix heat/gran."""

    command: object
    temperature: float  # of bodies when they come [K]
    start: float
    stop: float = None


def read(arguments, deck):
    """Reads fix heat/gran and heat/gran/conduction."""
    temperature = None
    if deck.heat is not None and deck.heat.stop is None:
        raise Refused("there is heat conduction already.", "Keep one of the two.")
    while arguments.more():
        key = arguments.word("a keyword")
        if key == "initial_temperature":
            temperature = arguments.number(key)
        elif key == "contact_area":
            form = arguments.word(key)
            if form != "overlap":
                raise Refused(f"a contact area that is {form} is not converted.", "Use overlap.")
        elif key == "area_correction":
            if arguments.yes(key):
                raise Refused("the correction of areas is not converted.", "See softness of the hook heat.")
        elif key == "store_contact_data":
            arguments.yes(key)
        else:
            raise Refused(f"the keyword {key} is not converted.", "See the hook heat.")
    if temperature is None or temperature <= 0:
        raise DeckError(f"{arguments.command.place}: heat/gran needs an initial_temperature above 0.")
    deck.heat = Heat(arguments.command, temperature, deck.time)
    return deck.heat


def set_atoms(arguments, deck):
    """Reads `set region ID property/atom Temp X` or heatSource: a change of the hook at the time of the line. Returns
    whether it is such a line."""
    words = arguments.words
    if words[3:4] != ["property/atom"] or words[4:5] not in (["Temp"], ["heatSource"]):
        return False
    style, name = arguments.word("whom"), arguments.word("whom")
    arguments.at += 1
    if style == "region":
        region = scene_region(region_of(name, deck), deck)
    elif style == "group" and name == "all":
        region = {"type": "sphere", "centre": [0.0, 0.0, 0.0], "radius": 1e9}
    else:
        raise Refused(f"temperatures of a {style} are not set.", "Use a region.")
    key = arguments.word("the property")
    if key == "Temp":
        change = {"temperature": arguments.number(key)}
        if change["temperature"] <= 0:
            raise DeckError(f"{arguments.command.place}: the temperature must be above 0.")
    else:
        change = {"source": arguments.number(key, deck.units.of(1, 2, -3))}
    deck.heat_changes.append({"time": deck.time, "region": region, **change})
    return True


def hook(deck, kinds, walls, total, report):
    """Returns the hook `heat`, or None where constants are missing. `walls` has names of entries and their walls.

    LIGGGHTS: 4 k_a k_b/(k_a + k_b) times the root of the area of the circle in which the spheres cross, pi a^2. The hook
    has a in place of the root: sqrt(pi) goes into the conductivities."""
    heat = deck.heat
    properties = model_liggghts.Properties(deck.properties)
    warm = [(name, wall) for name, wall in walls if wall.temperature is not None]
    wall_names = {kinds.of_wall(wall).name for _, wall in warm}
    bodies = [*kinds.spheres.values(), *(kind for kind in kinds.walls.values() if kind.name in wall_names)]
    materials = []
    try:
        for kind in bodies:
            conductivity, capacity = (properties.of_type(name, kind.type) for name in ("thermalConductivity", "thermalCapacity"))
            if conductivity <= 0 or capacity <= 0:
                raise Refused("conductivities and capacities must be above 0.", "Let the hook heat insulate bodies.")
            materials.append({"material": kind.name, "conductivity": math.sqrt(math.pi) * conductivity,
                              "heat_capacity": capacity})
    except Refused as refused:
        report.left(heat.command, f"Heat is not conducted: {refused.reason}", refused.advice)
        return None
    if not materials:
        return None
    conditions = [
        {"bodies": name, "insulated": True} if wall.temperature is None
        else {"bodies": name, "temperature": wall.temperature, "fixed": True} for name, wall in walls
    ]
    report.note(heat.command, "Conductivities are multiplied by the root of pi, since the root of the contact's area counts.")
    result = {"type": "heat", "interval": deck.dt, "temperature": heat.temperature, "radius": "overlap",
              "materials": materials}
    if deck.heat_changes:
        result["changes"] = deck.heat_changes
    if conditions:
        result["conditions"] = conditions
    if heat.start > 0:
        result["start"] = heat.start
    if heat.stop is not None and heat.stop < total:
        result["stop"] = heat.stop
    return result
