"""Commands that set a deck up: units, box, regions, groups, spheres that it places itself."""

import math

from arguments import Refused
from deck import Atom
from geometry import contains, read_region
from report import DeckError
from units import SYSTEMS

MOST_ATOMS = 2_000_000

BASES = {
    "sc": [(0, 0, 0)],
    "bcc": [(0, 0, 0), (0.5, 0.5, 0.5)],
    "fcc": [(0, 0, 0), (0, 0.5, 0.5), (0.5, 0, 0.5), (0.5, 0.5, 0)],
    "sq": [(0, 0, 0)],
    "sq2": [(0, 0, 0), (0.5, 0.5, 0)],
    "hex": [(0, 0, 0), (0.5, 0.5, 0)],
}


def units(arguments, deck, report):
    name = arguments.word("their name")
    if name not in SYSTEMS:
        raise DeckError(
            f"{arguments.command.place}: units {name[:40]!r} are not converted. Known: {', '.join(SYSTEMS)}."
        )
    if deck.lower is not None or deck.runs:
        raise DeckError(f"{arguments.command.place}: units must come before the box.")
    deck.units, deck.units_command = SYSTEMS[name], arguments.command
    if name == "lj":
        report.note(arguments.command, "Numbers without units are taken as SI.")


def dimension(arguments, deck, report):
    deck.dimension = arguments.integer("the dimension")
    if deck.dimension == 2:
        report.note(arguments.command, "The scene has three dimensions, with all spheres at z = 0: the same motion.")


def boundary(arguments, deck, report):
    sides = []
    for axis in "xyz":
        word = arguments.word(f"the side {axis}")
        sides.append(word * 2 if len(word) == 1 else word)
    set_boundary(sides, deck, report, arguments.command)


def set_boundary(sides, deck, report, command):
    if any(len(side) != 2 or set(side) - set("pfsm") for side in sides):
        raise DeckError(f"{command.place}: sides of the boundary are p, f, s or m.")
    deck.boundary = sides


def region(arguments, deck, report):
    name = arguments.word("its ID")
    deck.stale.add(name)
    deck.regions.pop(name, None)
    if arguments.skip("delete"):
        return
    in_box_units(arguments, deck)
    deck.regions[name] = read_region(arguments, deck)


def region_of(name, deck):
    if name not in deck.regions:
        raise Refused(f"the region {name} is not there, or was not converted.", "See its line.")
    return deck.regions[name]


def create_box(arguments, deck, report):
    deck.types = arguments.integer("the number of types")
    box = region_of(arguments.word("a region"), deck)
    if box.kind != "block":
        raise Refused("the box is no block.", "Use a block.")
    deck.lower, deck.upper, deck.box_command = box.numbers["lower"], box.numbers["upper"], arguments.command


def change_box(arguments, deck, report):
    arguments.word("a group")
    if arguments.word("what changes") != "boundary":
        raise Refused("boxes do not change in a scene.")
    boundary(arguments, deck, report)


def lattice(arguments, deck, report):
    style = arguments.word("its style")
    if style == "none":
        arguments.rest()
        deck.lattice = None
        return
    if style not in BASES:
        raise Refused(f"lattices of style {style} are not converted.", "Use sc, bcc, fcc, sq, sq2 or hex.")
    scale = arguments.number("its scale")
    origin = (0.0, 0.0, 0.0)
    while arguments.more():
        key = arguments.word("a keyword")
        if key != "origin":
            raise Refused(f"the keyword {key} of a lattice is not converted.", "Use a lattice along the axes.")
        origin = arguments.vector("its origin")
    if deck.units.name == "lj":
        # A density of spheres of diameter 1, by LAMMPS' definition.
        dimension_count = 2 if style in ("sq", "sq2", "hex") else 3
        cell = (math.sqrt(3) if style == "hex" else 1.0)
        scale = (len(BASES[style]) / scale / cell) ** (1 / dimension_count)
    deck.lattice = (style, scale * deck.units.length, origin)


def create_atoms(arguments, deck, report):
    kind = arguments.integer("the type")
    style = arguments.word("its style")
    if style == "single":
        in_box_units(arguments, deck)
        places = [arguments.vector("its place", deck.units.length)]
        while arguments.more():
            if arguments.word("a keyword") == "units" and arguments.word("units") == "lattice":
                raise Refused("places in units of a lattice are not converted.", "Write units box.")
    elif style in ("box", "region"):
        area = region_of(arguments.word("a region"), deck) if style == "region" else None
        if arguments.more():
            raise Refused(f"the keyword {arguments.peek()} is not converted.")
        places = lattice_places(deck, area)
    else:
        raise Refused(f"create_atoms {style} is not converted.", "Use single, box or region, or a packing fill.")
    first = max((atom.id for atom in deck.atoms), default=0) + 1
    for i, place in enumerate(places):
        if deck.dimension == 2:
            place = (place[0], place[1], 0.0)
        # LAMMPS' own start: diameter 1 and density 1.
        atom = Atom(first + i, kind, place, 0.5 * deck.units.length, deck.units.density, command=arguments.command)
        deck.atoms.append(atom)


def in_box_units(arguments, deck):
    """Refuses lengths that LAMMPS would take in units of the lattice."""
    if deck.dialect == "lammps" and deck.lattice and "box" not in arguments.words:
        raise Refused("without units box LAMMPS takes lengths in units of the lattice.", "Write units box.")


def lattice_places(deck, area):
    if deck.lattice is None or deck.lower is None:
        raise Refused("there is no lattice, or no box.", "Place the spheres by a packing.")
    style, a, origin = deck.lattice
    flat = deck.dimension == 2
    cell = (a, a * math.sqrt(3) if style == "hex" else a, a)
    periodic = deck.periodic()
    ranges = [
        range(math.floor(deck.lower[i] / cell[i]) - 1, math.ceil(deck.upper[i] / cell[i]) + 2) for i in range(3)
    ]
    if flat:
        ranges[2] = range(0, 1)
    if math.prod(len(r) for r in ranges) * len(BASES[style]) > MOST_ATOMS:
        raise Refused(f"the lattice has more than {MOST_ATOMS} places in the box.", "Use a packing lattice.")
    places = []
    for k in ranges[2]:
        for j in ranges[1]:
            for i in ranges[0]:
                for b in BASES[style]:
                    cells = (i, j, k)
                    place = tuple((cells[d] + b[d] + origin[d]) * cell[d] for d in range(3))
                    if in_box(place, deck, periodic, flat) and (area is None or contains(area, place, deck)):
                        places.append(place)
    return places


def in_box(place, deck, periodic, flat):
    for axis in range(2 if flat else 3):
        low, high = deck.lower[axis], deck.upper[axis]
        tiny = 1e-9 * (high - low)
        if place[axis] < low - tiny or place[axis] > high + tiny or (periodic[axis] and place[axis] > high - tiny):
            return False
    return True


def group(arguments, deck, report):
    name = arguments.word("its ID")
    style = arguments.word("its style")
    if style in ("empty", "clear", "delete", "static", "dynamic"):
        arguments.rest()
    if style == "type":
        deck.groups[name] = ("type", {int(x) for x in ids(arguments)})
    elif style == "region":
        area = region_of(arguments.word("a region"), deck)
        mark(deck, name, lambda atom: contains(area, atom.position, deck))
    elif style == "id":
        chosen = set(ids(arguments))
        mark(deck, name, lambda atom: atom.id in chosen)
    elif style in ("union", "intersect", "subtract"):
        deck.groups[name] = (style, arguments.rest())
    elif style == "empty":
        deck.groups[name] = ("type", set())
    elif style in ("clear", "delete"):
        deck.groups.pop(name, None)
    elif style in ("static", "dynamic"):
        raise Refused("groups that change are not converted.", "Use an entry of bodies of its own.")
    else:
        raise Refused(f"groups of style {style} are not converted.", "Use type, region, id, union or subtract.")


def ids(arguments):
    """Returns numbers given as 1 2 5:8, or by < <= > >= <>."""
    words, found = arguments.rest(), []
    for word in words:
        ends = word.split(":")
        if not all(end.isdigit() for end in ends) or len(ends) > 3:
            raise Refused(f"{word!r} is no number or range.", "Write numbers, or ranges as 1:10.")
        first, last = int(ends[0]), int(ends[min(1, len(ends) - 1)])
        if last - first > MOST_ATOMS:
            raise Refused("the range of ids is too long.")
        found += range(first, last + 1, int(ends[2]) if len(ends) == 3 and int(ends[2]) else 1)
    return found


def mark(deck, name, chosen):
    deck.groups[name] = ("marked", name)
    for atom in deck.atoms:
        if chosen(atom):
            atom.groups.add(name)


def in_group(deck, name, atom, depth=0):
    """Returns whether a sphere that the deck has placed is in a group."""
    if name == "all":
        return True
    if name not in deck.groups or depth > 20:
        raise Refused(f"the group {name} is not there, or was not converted.", "See its line.")
    style, *what = deck.groups[name]
    if style == "type":
        return atom.type in what[0]
    if style == "marked":
        return what[0] in atom.groups
    each = [in_group(deck, other, atom, depth + 1) for other in what[0]]
    return any(each) if style == "union" else all(each) if style == "intersect" else each[0] and not any(each[1:])


def chosen_atoms(arguments, deck):
    """Returns the spheres that `set` or `velocity` means, by style and ID."""
    style = arguments.word("whom")
    name = arguments.word("whom")
    if style == "group":
        return [atom for atom in deck.atoms if in_group(deck, name, atom)]
    if style == "region":
        area = region_of(name, deck)
        return [atom for atom in deck.atoms if contains(area, atom.position, deck)]
    if style in ("type", "atom"):
        low, star, high = name.partition("*")
        first = int(low) if low.isdigit() else 1
        last = (int(high) if high.isdigit() else MOST_ATOMS) if star else first
        return [a for a in deck.atoms if first <= (a.type if style == "type" else a.id) <= last]
    raise Refused(f"set {style} is not converted.", "Use type, group, region or atom.")


def set_atoms(arguments, deck, report):
    atoms = chosen_atoms(arguments, deck)
    if deck.insertions:
        report.changed(arguments.command, "Only spheres that the deck places itself are changed, none that are inserted.")
    if deck.runs:
        raise Refused("properties of spheres do not change during a run.", "Set them before the first run.")
    unit = deck.units
    while arguments.more():
        key = arguments.word("a keyword")
        if key == "density":
            value = arguments.number(key, unit.density)
            change = {"density": value}
        elif key == "diameter":
            change = {"radius": arguments.number(key, unit.length) / 2}
        elif key == "type":
            change = {"type": arguments.integer(key)}
        elif key in ("vx", "vy", "vz", "x", "y", "z"):
            axis = "xyz".index(key[-1])
            field = "velocity" if key[0] == "v" else "position"
            value = arguments.number(key, unit.velocity if key[0] == "v" else unit.length)
            for atom in atoms:
                old = list(getattr(atom, field))
                old[axis] = value
                setattr(atom, field, tuple(old))
            continue
        elif key == "omega":
            change = {"spin": tuple(x / unit.time for x in arguments.vector(key))}
        else:
            raise Refused(f"set {key} is not converted.", "Give it in the scene.")
        for atom in atoms:
            if key == "diameter" and deck.dialect == "lammps" and change["radius"] > 0:
                # LAMMPS keeps the mass: a density that is set before the diameter is that of the old size.
                atom.density *= (atom.radius / change["radius"]) ** 3
            for field, value in change.items():
                setattr(atom, field, value)


def velocity(arguments, deck, report):
    name = arguments.word("a group")
    style = arguments.word("its style")
    if deck.runs:
        raise Refused("velocities do not change between runs in a scene.", "Begin with them.")
    atoms = [atom for atom in deck.atoms if in_group(deck, name, atom)]
    if style == "set":
        if any(word not in ("0", "0.0", "NULL") for word in arguments.words[arguments.at : arguments.at + 3]):
            in_box_units(arguments, deck)
        words = [arguments.peek() == "NULL" and arguments.word("") or arguments.number("a velocity", deck.units.velocity)
                 for _ in range(3)]
        if arguments.skip("units"):
            arguments.skip("box")
        for atom in atoms:
            atom.velocity = tuple(old if new == "NULL" else new for old, new in zip(atom.velocity, words))
    elif style == "zero":
        field = "velocity" if arguments.word("what") == "linear" else "spin"
        for atom in atoms:
            setattr(atom, field, (0.0, 0.0, 0.0))
    else:
        raise Refused(f"velocity {style} is not converted.", "Use random_speed of the entry of bodies.")


def delete_atoms(arguments, deck, report):
    if deck.runs or deck.insertions:
        raise Refused("bodies that vanish between runs are not converted.", "Use remove_at, or the hook outlet.")
    style, name = arguments.word("its style"), arguments.word("whom")
    if style == "group":
        gone = [atom for atom in deck.atoms if in_group(deck, name, atom)]
    elif style == "region":
        gone = [atom for atom in deck.atoms if contains(region_of(name, deck), atom.position, deck)]
    else:
        raise Refused(f"delete_atoms {style} is not converted.")
    lost = {id(atom) for atom in gone}
    deck.atoms = [atom for atom in deck.atoms if id(atom) not in lost]
