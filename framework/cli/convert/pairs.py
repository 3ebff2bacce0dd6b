"""pair_style, pair_coeff and the properties of materials."""

import copy
import re

import model_lammps
import model_liggghts
from arguments import Refused
from report import DeckError

# Dimensions (mass, length, time) of properties of fix property/global.
DIMENSIONS = {
    "youngsModulus": (1, -1, -2), "poissonsRatio": (0, 0, 0), "coefficientRestitution": (0, 0, 0),
    "coefficientFriction": (0, 0, 0), "coefficientRollingFriction": (0, 0, 0),
    "coefficientRollingViscousDamping": (0, 0, 0), "characteristicVelocity": (0, 1, -1),
    "cohesionEnergyDensity": (1, -1, -2), "kn": (1, 0, -2), "kt": (1, 0, -2), "gamman": (0, 0, -1),
    "gammat": (0, 0, -1), "k_finnie": (-1, 1, 2),
    "thermalConductivity": (1, 1, -3), "thermalCapacity": (0, 2, -2), "gamman_abs": (1, 0, -1), "gammat_abs": (1, 0, -1),
}


class Coefficients:
    """Models by two types, as pair_coeff gives them; missing ones are mixed."""

    def __init__(self, table):
        self.table = table

    def of(self, i, j):
        found = self.table.get((i, j)) or self.table.get((j, i))
        if found:
            return found
        if (i, i) in self.table and (j, j) in self.table:
            return model_lammps.mixed(self.table[i, i], self.table[j, j])
        raise Refused(f"types {i} and {j} have no pair_coeff.")


def pair_style(arguments, deck, report):
    style = arguments.word("its style")
    if style in ("hybrid", "hybrid/overlay"):
        if arguments.peek() is None or style != "hybrid":
            raise Refused("overlaid pair styles are not converted.")
        style = arguments.word("its style")
    deck.pair_coefficients = {}
    if style == "gran":
        deck.pair_model = model_liggghts.read_model(arguments, report)
    elif deck.dialect == "liggghts" and style.startswith("gran/") and model_liggghts.is_old(style[5:], arguments):
        deck.pair_model = model_liggghts.read_old(style[5:], arguments)
    elif style.startswith("gran/") and style[5:] in model_lammps.CLASSIC:
        model = model_lammps.read_classic(style[5:], arguments, deck)
        deck.pair_model = style
        if arguments.more():
            raise Refused("several pair styles are not converted.", "Use one.")
        every = range(1, max(deck.types, 1) + 1)
        deck.pair_coefficients = {(i, j): model for i in every for j in every}
    elif style == "granular":
        deck.pair_model = "granular"
        if arguments.more() and not arguments.skip("cutoff"):
            arguments.number("the cutoff")
    elif style in ("none", "NULL"):
        deck.pair_model = None
    else:
        deck.pair_model = None
        raise Refused(f"the pair style {style} is not converted.", "Choose laws in the scene; see reference/laws.md.")


def pair_coeff(arguments, deck, report):
    first, second = arguments.word("a type"), arguments.word("a type")
    if deck.pair_model != "granular":
        arguments.rest()
        return  # of `gran` and `gran/...` it has nothing to say
    model = model_lammps.read_granular(arguments, deck)
    for i in types_of(first, deck):
        for j in types_of(second, deck):
            if i <= j:
                deck.pair_coefficients[i, j] = model
                deck.pair_coefficients.pop((j, i) if i != j else None, None)


def types_of(word, deck):
    match = re.fullmatch(r"(\d*)(\*?)(\d*)", word)
    if not match or not word or (match[3] and not match[2]):
        raise DeckError(f"pair_coeff: {word[:20]!r} is no type.")
    low = int(match[1] or 1)
    high = int(match[3] or max(deck.types, low)) if match[2] else low
    return range(low, min(high, 1000) + 1)


def global_property(name, arguments, deck, report):
    """Reads fix property/global."""
    key = arguments.word("the property")
    form = arguments.word("its form")
    columns = 1
    if form in ("peratomtypepair", "matrix"):
        columns = arguments.integer("the number of types")
    elif form not in ("scalar", "peratomtype", "vector"):
        raise Refused(f"properties of the form {form} are not read.")
    values = []
    while arguments.more():
        values.append(arguments.number(key))
    if not values:
        raise DeckError(f"{arguments.command.place}: the property {key} has no value.")
    if key not in DIMENSIONS:
        advice = "See softness of the hook heat." if key == "youngsModulusOriginal" else "See what needs it."
        raise Refused(f"the property {key} is not used.", advice)
    factor = deck.units.of(*DIMENSIONS[key])
    deck.properties = {**deck.properties, key: {"values": [factor * x for x in values], "columns": columns}}
    if key == "coefficientRestitution" and any(not 0 < x <= 1 for x in values):
        raise DeckError(f"{arguments.command.place}: coefficients of restitution lie above 0 and are at most 1.")


def snapshot(deck):
    """Returns what tells the laws of the pairs now."""
    table = deck.pair_coefficients
    model = Coefficients(dict(table)) if table else copy.copy(deck.pair_model)
    return model, dict(deck.properties)
