"""Materials of a scene: one for spheres that contacts treat alike, one for walls of one model."""

import math
from dataclasses import dataclass

MOST_SIZES = 8  # of one type and density, beyond which sizes count as spread


@dataclass
class Kind:
    """Spheres of one material of the scene."""

    name: str
    type: int
    density: float
    radius: float
    mass: float  # None where they are fixed
    spread: bool = False
    held_mass: float = None  # that counts in dashpots though they are fixed [kg]


@dataclass
class WallKind:
    """Walls of one material of the scene, which act from `start` to `stop`."""

    name: str
    type: int
    model: object
    start: float
    stop: float


class Kinds:
    """Gives materials to populations of spheres and to walls."""

    def __init__(self, deck, sized):
        self.deck, self.sized = deck, sized
        self.spheres, self.walls = {}, {}
        self.names = set()

    def name(self, wanted):
        """Returns a name that is not taken yet."""
        name, count = wanted, 2
        while name in self.names:
            name, count = f"{wanted}_{count}", count + 1
        self.names.add(name)
        return name

    def of_spheres(self, kind, density, radii, mean_radius, mean_mass, fixed=False, weighed=False):
        """Returns the material of spheres. \\radii  all of them, or None where they are spread"""
        single = radii is not None and len(set(radii)) == 1
        size = (round(radii[0], 12) if single else ("spread", round(mean_radius, 12))) if self.sized else None
        key = (kind, density, size, fixed, fixed and weighed)
        if key not in self.spheres:
            wanted = f"type_{kind}" + ("_fixed" if fixed else "")
            mass = None if fixed else mean_mass
            held_mass = mean_mass if fixed and weighed else None
            self.spheres[key] = Kind(self.name(wanted), kind, density, mean_radius, mass, not single, held_mass)
        return self.spheres[key]

    def of_grain(self, grain):
        if grain.spheres:
            mean = sum(s["radius"] for s in grain.spheres) / len(grain.spheres)
        else:
            mean = grain.radius * grain.mean_cube() ** (1 / 3)
        return self.of_spheres(grain.type, grain.density, grain.radii(), mean, grain.density * grain.mean_volume())

    def of_wall(self, wall):
        key = (wall.type, repr_of(wall.model), wall.start, wall.stop)
        if key not in self.walls:
            name = self.name("wall" if not self.walls else f"wall_{wall.name}")
            self.walls[key] = WallKind(name, wall.type, wall.model, wall.start, wall.stop)
        return self.walls[key]

    def materials(self, properties):
        """Returns the materials of the scene. \\properties  of LIGGGHTS, with moduli"""
        table = {}
        for kind in self.spheres.values():
            table[kind.name] = {"density": kind.density, **elastic(properties, kind.type)}
        for kind in self.walls.values():
            table[kind.name] = elastic(properties, kind.type)
        return table


def elastic(properties, kind):
    result = {}
    for key, name in (("youngs_modulus", "youngsModulus"), ("poisson_ratio", "poissonsRatio")):
        values = properties.get(name, {}).get("values", [])
        if 1 <= kind <= len(values):
            result[key] = values[kind - 1]
    return result


def repr_of(model):
    """Returns what tells a model from another, whatever line it stands in."""
    return repr({key: value for key, value in vars(model).items() if key not in ("command", "faults")})


def sphere_mass(radius, density):
    return 4 / 3 * math.pi * radius**3 * density
