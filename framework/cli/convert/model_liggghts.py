"""Contact models of LIGGGHTS (`gran model ...`) as laws of a scene."""

from dataclasses import dataclass, field

from arguments import Refused
from contact import (
    Law, clipped_restitution, damped, damping_ratio, effective_modulus, effective_shear, hooke_stiffness, restitution,
)
from report import CHANGED, LEFT, NOTE

NORMAL = ("hertz", "hooke", "hooke/stiffness")
OLD = ("hertz/history", "hooke/history", "hooke", "hertz")
# What options do is in `law`; those that only compute figures are ignored.
SWITCHES = {
    "tangential_damping": True, "limitForce": False, "torsionTorque": False, "ktToKnUser": False, "viscous": False,
    "absolute_damping": False, "tangential_reduce": False,
}
FIGURES = ("heating_normal_model", "heating_tangential_history", "computeElasticPotential", "computeDissipatedEnergy")


@dataclass
class Model:
    """A line `model hertz tangential history ...`."""

    command: object
    normal: str
    tangential: str = "off"
    rolling: str = "off"
    cohesion: str = "off"
    switches: dict = field(default_factory=lambda: dict(SWITCHES))
    faults: list = field(default_factory=list)

    def depends_on_size(self):
        return self.normal == "hooke" or self.rolling == "epsd" or self.normal == "hooke/stiffness"


def read_model(arguments, report, stop=()):
    """Reads a model up to one of the words `stop`."""
    arguments.skip("model")
    model = Model(arguments.command, arguments.word("the normal model"))
    if model.normal not in NORMAL:
        raise Refused(
            f"the normal model {model.normal} is not converted.", "Choose a law in the scene; see reference/laws.md."
        )
    read_keywords(model, arguments, stop)
    return model


def read_old(style, arguments, stop=()):
    """Reads a model as LIGGGHTS 2 had it: hertz/history 1 0, or with keywords; flags are history, cohesion, rolling."""
    normal, _, history = style.partition("/")
    model = Model(arguments.command, normal, "history" if history else "no_history")
    flags = []
    while arguments.peek() in ("0", "1", "2") and len(flags) < 3:
        flags.append(arguments.word("a flag"))
    if flags[:1] == ["0"]:
        model.tangential = "no_history"
    if flags[1:2] == ["1"]:
        model.cohesion = "sjkr"
    if flags[2:3] not in ([], ["0"]):
        model.rolling = {"1": "cdt", "2": "epsd"}[flags[2]]
    read_keywords(model, arguments, stop)
    return model


def is_old(style, arguments):
    """Returns whether a style of LIGGGHTS 2 follows: LAMMPS' own has six constants."""
    return style in OLD and (len(arguments.words) - arguments.at < 6 or not number_like(arguments.peek()))


def number_like(word):
    return word is not None and (word == "NULL" or word.lstrip("+-.")[:1].isdigit())


def read_keywords(model, arguments, stop):
    while arguments.more() and arguments.peek() not in stop:
        key = arguments.word("a keyword")
        if key in ("tangential", "rolling_friction", "cohesion", "surface"):
            value = arguments.word(key)
            if key == "surface" and value != "default":
                raise Refused(f"the surface model {value} is not converted.")
            if key != "surface":
                setattr(model, "rolling" if key == "rolling_friction" else key, value)
        elif key in SWITCHES:
            model.switches[key] = arguments.yes(key)
        elif key in FIGURES:
            arguments.yes(key)
        else:
            model.faults.append((LEFT, f"The option {key} is not known.", "Compare results without it."))
            if arguments.peek() in ("on", "off"):
                arguments.word(key)


class Properties:
    """Values of fix property/global for two types."""

    def __init__(self, table):
        self.table = table

    def missing(self, name):
        return Refused(f"the property {name} is missing.", f"Give it by fix property/global {name}.")

    def of_type(self, name, i):
        if name not in self.table:
            raise self.missing(name)
        values = self.table[name]["values"]
        if not 1 <= i <= len(values):
            raise Refused(f"the property {name} has no value for type {i}.")
        return values[i - 1]

    def of_pair(self, name, i, j, default=None):
        if name not in self.table:
            if default is not None:
                return default
            raise self.missing(name)
        values, count = self.table[name]["values"], self.table[name]["columns"]
        at = (i - 1) * count + j - 1
        if not (1 <= i <= count and 1 <= j <= count and at < len(values)):
            raise Refused(f"the property {name} has no value for types {i} and {j}.")
        return values[at]

    def scalar(self, name):
        if name not in self.table:
            raise self.missing(name)
        return self.table[name]["values"][0]

    def sides(self, i, j):
        return [(self.of_type("youngsModulus", k), self.of_type("poissonsRatio", k)) for k in (i, j)]


def law(model, properties, i, j, pair):
    """Returns the law of a contact of types i and j. `pair` has sizes, where the model depends on them."""
    result = Law(remarks=list(model.faults))
    if model.switches["viscous"] or model.switches["absolute_damping"]:
        raise Refused("damping by a Stokes number or without mass is not converted.", "Give restitution.")
    friction = 0.0 if model.tangential == "off" else properties.of_pair("coefficientFriction", i, j)
    if model.normal == "hertz":
        options = hertz(model, properties, i, j, pair)
    else:
        options = hooke(model, properties, i, j, pair)
    options["friction"] = friction
    result.options = options
    tangential(model, options, pair, result)
    add_rolling(model, properties, i, j, pair, result)
    add_cohesion(model, properties, i, j, result)
    if model.switches["ktToKnUser"] and model.normal == "hertz":
        result.remarks.append((NOTE, "ktToKnUser acts on hooke only.", ""))
    return result


def wanted_restitution(model, properties, i, j, pair):
    """Returns e of an impact, which a force that is limited makes higher than the coefficient."""
    e = properties.of_pair("coefficientRestitution", i, j)
    if not 0 < e <= 1:
        raise Refused(f"the coefficient of restitution {e:g} is not above 0 and at most 1.")
    if model.switches["limitForce"]:
        return clipped_restitution(damping_ratio(e) * pair.ratio_factor())
    return e if pair.ratio_factor() == 1 else restitution(damping_ratio(e) * pair.ratio_factor())


def hertz(model, properties, i, j, pair):
    # E* and G* follow from the materials, by the same sums.
    properties.sides(i, j)
    options = {"type": "hertz-mindlin", "restitution": wanted_restitution(model, properties, i, j, pair)}
    if not model.switches["tangential_damping"]:
        options["tangential_damping"] = 0
    return options


def hooke(model, properties, i, j, pair):
    """k_n from the characteristic velocity, k_t = k_n or 2/7 of it, c_t = c_n = 2 z sqrt(k_n m)."""
    if model.normal == "hooke/stiffness":
        kn, kt = (properties.of_pair(name, i, j) for name in ("kn", "kt"))
        cn, ct = (pair.damped_mass() * properties.of_pair(name, i, j) for name in ("gamman", "gammat"))
        options = {"type": "linear", "normal_stiffness": kn, **damped(kn, cn, pair.mass, model.switches["limitForce"])}
    else:
        modulus = effective_modulus(properties.sides(i, j))
        kn = hooke_stiffness(modulus, pair.radius, pair.damped_mass(), properties.scalar("characteristicVelocity"))
        kt = kn * 2 / 7 if model.switches["ktToKnUser"] else kn
        ct = 2 * damping_ratio(properties.of_pair("coefficientRestitution", i, j)) * (kn * pair.damped_mass()) ** 0.5
        options = {"type": "linear", "normal_stiffness": kn}
        options["restitution"] = wanted_restitution(model, properties, i, j, pair)
    options["tangential_stiffness"] = kt
    options["tangential_damping"] = ct if model.switches["tangential_damping"] else 0
    return options


def tangential(model, options, pair, result):
    if model.tangential == "history":
        return
    if model.tangential == "off":
        if options["type"] == "linear":
            options["tangential"] = "none"
            options.pop("tangential_stiffness"), options.pop("tangential_damping")
        return
    if model.tangential == "no_history" and options["type"] == "linear":
        # min(c_t |u|, mu N), as min(k_t |u| dt, mu N) with k_t = c_t/dt.
        options["tangential"] = "viscous"
        options["tangential_stiffness"] = options.pop("tangential_damping") / pair.dt
        if options["tangential_stiffness"] == 0:
            options.pop("tangential_stiffness")
            options["tangential"] = "none"
        return
    if model.tangential != "no_history":
        raise Refused(f"the tangential model {model.tangential} is not converted.", "Use history.")
    result.remarks.append(
        (CHANGED, "Friction without history is not there with Hertz: the scene has Mindlin's spring.", "")
    )


def add_rolling(model, properties, i, j, pair, result):
    """cdt: mu R k_n d against the spin. epsd: k_r = 2.25 k_n (mu R)^2 and a dashpot. epsd2: k_r = k_t R^2, none.

    In scree k_r = s k_n (mu R)^2, with k_n = 2 E* a for Hertz, where LIGGGHTS has 4/3 E* a."""
    if model.rolling == "off":
        return
    mu = properties.of_pair("coefficientRollingFriction", i, j)
    if mu == 0:
        return
    if model.rolling == "cdt":
        rolling = {"model": "constant", "friction": mu}
    elif model.rolling in ("epsd", "epsd2"):
        rolling = {"model": "elastic-plastic", "friction": mu, "stiffness": 2.25, "damping": 0.0}
        if model.rolling == "epsd":
            rolling["stiffness"] = 2.25 if model.normal != "hertz" else 1.5
            ratio = properties.of_pair("coefficientRollingViscousDamping", i, j)
            rolling["damping"] = ratio * (pair.inertia / (1.4 * pair.mass * pair.radius**2)) ** 0.5
        elif model.normal == "hertz":
            sides = properties.sides(i, j)
            rolling["stiffness"] = 4 * effective_shear(sides) / effective_modulus(sides) / mu**2
        else:
            options = result.options
            rolling["stiffness"] = options.get("tangential_stiffness", 0.0) / options["normal_stiffness"] / mu**2
    else:
        raise Refused(f"the rolling model {model.rolling} is not converted.", "Use cdt, epsd or epsd2.")
    result.options["rolling"] = rolling
    if model.switches["torsionTorque"]:
        result.remarks.append((CHANGED, "Rolling resistance does not act on twist: torsionTorque is not taken.", ""))


def add_cohesion(model, properties, i, j, result):
    if model.cohesion == "off":
        return
    if model.cohesion not in ("sjkr", "sjkr2"):
        raise Refused(f"the cohesion model {model.cohesion} is not converted.", "Use cohesion or liquid of the law.")
    density = properties.of_pair("cohesionEnergyDensity", i, j)
    if density > 0:
        result.options["cohesion"] = {"model": "sjkr", "energy_density": density}
        if model.cohesion == "sjkr2":
            result.remarks.append(
                (CHANGED, "sjkr2 pulls on 4 pi R d (at a wall 2 pi R d), the scene on the circle of sjkr.",
                 "Between spheres the pull is half; double energy_density there.")
            )
        if model.switches["tangential_reduce"]:
            result.remarks.append((CHANGED, "Cohesion does not reduce friction: tangential_reduce is not taken.", ""))
