"""Regions of decks: parts of space, as scenes describe them, and tests whether a point is in them."""

import math

from arguments import Refused
from deck import Region

AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


def placed(axis, along, across):
    """Returns a point from its coordinate along an axis and the two across, in LAMMPS' order."""
    c1, c2 = across
    return {"x": (along, c1, c2), "y": (c1, along, c2), "z": (c1, c2, along)}[axis]


def split(axis, point):
    """Returns the coordinate along an axis and the two across."""
    i = "xyz".index(axis)
    return point[i], tuple(point[j] for j in range(3) if j != i)


def read_region(arguments, deck):
    """Reads what follows `region ID`."""
    kind = arguments.word("its style")
    unit = deck.units.length
    region = Region(kind, arguments.command)
    n = region.numbers

    def bound(what, axis=None, low=None):
        word = arguments.peek()
        if word in ("INF", "EDGE"):
            arguments.word(what)
            if deck.lower is None:
                raise Refused(f"{what} is {word}, but there is no box yet.", "Give a number.")
            return (deck.lower if low else deck.upper)[axis]
        return arguments.number(what, unit)

    if kind == "block":
        sides = [bound("a side", axis // 2, axis % 2 == 0) for axis in range(6)]
        n["lower"], n["upper"] = tuple(sides[0::2]), tuple(sides[1::2])
    elif kind == "sphere":
        n["centre"], n["radius"] = arguments.vector("its centre", unit), arguments.number("its radius", unit)
    elif kind in ("cylinder", "cone"):
        n["axis"] = arguments.word("its axis")
        if n["axis"] not in AXES:
            raise Refused(f"the axis {n['axis']} is not one of x, y and z.")
        n["across"] = (arguments.number("its centre", unit), arguments.number("its centre", unit))
        n["radius"] = arguments.number("its radius", unit)
        n["radius2"] = arguments.number("its upper radius", unit) if kind == "cone" else n["radius"]
        i = "xyz".index(n["axis"])
        n["low"], n["high"] = bound("its lower end", i, True), bound("its upper end", i, False)
    elif kind == "plane":
        n["point"], n["normal"] = arguments.vector("a point", unit), arguments.vector("its normal")
    elif kind in ("union", "intersect"):
        count = arguments.integer("the number of regions")
        region.members = [arguments.word("a region") for _ in range(count)]
    elif kind == "wedge":
        raise Refused("a wedge has no counterpart.", "Take a cylinder or a mesh.")
    else:
        raise Refused(f"regions of style {kind} are not converted.", "Use a block, cylinder, cone or sphere.")
    while arguments.more():
        key = arguments.word("a keyword")
        if key == "units":
            if arguments.word("units") == "lattice":
                raise Refused("lengths in units of a lattice are not converted.", "Write units box.")
        elif key == "side":
            region.inside = arguments.word("side") == "in"
        elif key == "open":
            region.open_faces.add(arguments.integer("a face"))
        elif key in ("move", "rotate"):
            moves(arguments, key, region, unit)
        elif key in ("seed", "volume_limit"):
            arguments.word(key)
        else:
            raise Refused(f"the keyword {key} is not known.")
    return region


def moves(arguments, key, region, unit):
    """Reads a region's movement by variables."""
    names = [arguments.word("a variable") for _ in range(3 if key == "move" else 1)]
    if key == "move":
        region.moves = region.moves or any(name != "NULL" for name in names)
    else:
        region.rotation = (names[0][2:], arguments.vector("its point", unit), arguments.vector("its axis"))


def scene_region(region, deck, shrink=0.0):
    """Returns a region of a scene, moved inward by `shrink` [m]."""
    n = region.numbers
    if region.moves or region.rotation:
        raise Refused("a region that moves is not converted.", "Let the region rest.")
    if region.kind == "block":
        lower = tuple(a + shrink for a in n["lower"])
        upper = tuple(b - shrink for b in n["upper"])
        if deck.dimension == 2:
            lower, upper = (*lower[:2], 0.0), (*upper[:2], 0.0)
        if any(a > b for a, b in zip(lower, upper)):
            raise Refused("the region has no room for a particle.")
        result = {"type": "box", "lower": list(lower), "upper": list(upper)}
    elif region.kind == "sphere":
        result = {"type": "sphere", "centre": list(n["centre"]), "radius": n["radius"] - shrink}
    elif region.kind in ("cylinder", "cone"):
        centre = placed(n["axis"], (n["low"] + n["high"]) / 2, n["across"])
        length = n["high"] - n["low"] - 2 * shrink
        result = {"type": "cylinder", "centre": list(centre), "axis": list(AXES[n["axis"]])}
        if region.kind == "cylinder":
            result |= {"radius": n["radius"] - shrink, "length": length}
        else:
            result["type"] = "frustum"
            result |= {
                "lower_radius": max(0.0, n["radius"] - shrink),
                "upper_radius": max(0.0, n["radius2"] - shrink),
                "length": length,
            }
        if length < 0:
            raise Refused("the region has no room for a particle.")
    elif region.kind == "plane":
        result = {"type": "half-space", "point": list(n["point"]), "normal": [-x for x in n["normal"]]}
    else:
        raise Refused(f"a region of style {region.kind} has no counterpart in a scene.", "Use one simple region.")
    if result.get("radius", 1.0) <= 0:
        raise Refused("the region has no room for a particle.")
    return result if region.inside else {**result, "outside": True}


def bounds(region):
    """Returns corners of a box that holds a region of a scene [m]."""
    if "points" in region:
        return tuple(tuple(end(p[i] for p in region["points"]) for i in range(3)) for end in (min, max))
    if region.get("outside") or region["type"] == "half-space":
        return (-math.inf,) * 3, (math.inf,) * 3
    if region["type"] == "box":
        return tuple(region["lower"]), tuple(region["upper"])
    reach = region.get("radius", max(region.get("lower_radius", 0.0), region.get("upper_radius", 0.0)))
    reach += region.get("length", 0.0) / 2
    return tuple(x - reach for x in region["centre"]), tuple(x + reach for x in region["centre"])


def volume(region):
    """Returns the volume of a region of a scene [m^3]."""
    if region["type"] == "box":
        return math.prod(b - a for a, b in zip(region["lower"], region["upper"]))
    if region["type"] == "sphere":
        return 4 / 3 * math.pi * region["radius"] ** 3
    if region["type"] == "cylinder":
        return math.pi * region["radius"] ** 2 * region["length"]
    if region["type"] == "frustum":
        a, b = region["lower_radius"], region["upper_radius"]
        return math.pi / 3 * region["length"] * (a * a + a * b + b * b)
    raise Refused("the volume of this region is not known.", "Give a number of particles.")


def contains(region, point, deck):
    """Returns whether a point is in a region of the deck."""
    n = region.numbers
    if region.kind == "block":
        inside = all(a <= x <= b for a, x, b in zip(n["lower"], point, n["upper"]))
    elif region.kind == "sphere":
        inside = math.dist(point, n["centre"]) <= n["radius"]
    elif region.kind in ("cylinder", "cone"):
        along, across = split(n["axis"], point)
        share = (along - n["low"]) / (n["high"] - n["low"]) if n["high"] > n["low"] else 0.0
        limit = n["radius"] + (n["radius2"] - n["radius"]) * share
        inside = n["low"] <= along <= n["high"] and math.dist(across, n["across"]) <= limit
    elif region.kind == "plane":
        inside = sum((x - p) * m for x, p, m in zip(point, n["point"], n["normal"])) >= 0
    elif region.kind in ("union", "intersect"):
        each = [contains(deck.regions[name], point, deck) for name in region.members if name in deck.regions]
        inside = any(each) if region.kind == "union" else all(each)
    else:
        raise Refused(f"a region of style {region.kind} is not converted.")
    return inside == region.inside
