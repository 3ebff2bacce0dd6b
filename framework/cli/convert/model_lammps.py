"""Contact models of LAMMPS (`gran/...` and `granular`) as laws of a scene."""

from dataclasses import dataclass, field

from arguments import Refused
from contact import (
    Law, clipped_restitution, damped, damping_ratio, effective_modulus, effective_shear, moduli, restitution,
    tsuji_alpha, viscoelastic_restitution,
)
from report import CHANGED, NOTE

CLASSIC = ("hooke", "hooke/history", "hertz/history")
NORMAL = ("hooke", "hertz", "hertz/material", "dmt", "jkr")
TANGENTIAL = ("linear_nohistory", "linear_history", "mindlin", "mindlin/force", "mindlin_rescale",
              "mindlin_rescale/force")

SLIDING = (
    NOTE, "While a contact slides, spring and dashpot share mu N in the scene; LAMMPS winds the spring back by what the "
    "dashpot would carry. Spins of single impacts differ by 1 % where c_t is a tenth of critical, by 14 % at half.", "",
)


@dataclass
class Model:
    """Constants of a contact in SI units. Stiffness k is in N/m for hooke, else in Pa."""

    command: object
    normal: str
    stiffness: float = None  # of hooke and hertz
    modulus: float = None  # Young's, of hertz/material, dmt and jkr
    poisson: float = None
    damping: str = "viscoelastic"
    gamma: float = 0.0
    tangential: str = None
    tangential_stiffness: float = None  # None: from the moduli, or 2/7
    tangential_ratio: float = 0.0  # c_t over c_n
    friction: float = 0.0
    surface_energy: float = 0.0
    rolling: tuple = None  # k [N/m], gamma [N s/m], mu
    twisting: str = None
    twisting_constants: tuple = None
    limited: bool = False
    classic: bool = False
    other: tuple = None  # (E, nu) of the other side, where types are mixed
    tangential_gamma: float = None  # c_t by itself, in units of gamma, where it has no c_n beside it
    faults: list = field(default_factory=list)

    def depends_on_size(self):
        if self.normal == "hooke":
            return True
        return self.damping in ("viscoelastic", "velocity", "mass_velocity") and self.gamma > 0


def constant(arguments, what, factor=1.0):
    """Returns a number, or None for NULL."""
    return None if arguments.skip("NULL") else arguments.number(what, factor)


def read_classic(style, arguments, deck):
    """Reads Kn Kt gamma_n gamma_t mu dampflag of gran/hooke, gran/hooke/history and gran/hertz/history."""
    unit = deck.units
    hertz = style == "hertz/history"
    stiffness = unit.pressure if hertz else unit.stiffness
    gamma = unit.of(0, -1, -1) if hertz else unit.of(0, 0, -1)
    kn = arguments.number("Kn", stiffness)
    kt = constant(arguments, "Kt", stiffness)
    gn = arguments.number("gamma_n", gamma)
    gt = constant(arguments, "gamma_t", gamma)
    mu = arguments.number("xmu")
    flag = arguments.integer("dampflag")
    model = Model(arguments.command, "hertz" if hertz else "hooke", stiffness=kn, gamma=gn, friction=mu, classic=True)
    model.damping = "viscoelastic" if hertz else "mass_velocity"
    model.tangential = "linear_nohistory" if style == "hooke" else "mindlin" if hertz else "linear_history"
    model.tangential_stiffness = kn * 2 / 7 if kt is None else kt
    if flag and gn > 0:
        model.tangential_ratio = 0.5 if gt is None else gt / gn
    elif flag and gt:
        model.tangential_gamma = gt
    model.limited = arguments.skip("limit_damping")
    return model


def read_granular(arguments, deck, stop=()):
    """Reads a model of pair_style granular up to one of the words `stop`."""
    unit = deck.units
    normal = arguments.word("the normal model")
    if normal not in NORMAL:
        raise Refused(f"the normal model {normal} is not converted.", "Use hooke, hertz, hertz/material, dmt or jkr.")
    model = Model(arguments.command, normal)
    if normal in ("hooke", "hertz"):
        model.stiffness = arguments.number("k_n", unit.stiffness if normal == "hooke" else unit.pressure)
    else:
        model.modulus = arguments.number("E", unit.pressure)
    gamma = arguments.number("eta_n0")
    if model.modulus is not None:
        model.poisson = arguments.number("Poisson's ratio")
    if normal in ("dmt", "jkr"):
        model.surface_energy = arguments.number("the surface energy", unit.stiffness)
    while arguments.more() and arguments.peek() not in stop:
        key = arguments.word("a keyword")
        if key == "damping":
            model.damping = arguments.word("damping")
        elif key == "tangential":
            read_tangential(model, arguments, unit)
        elif key == "rolling":
            if arguments.word("rolling") != "none":
                model.rolling = (arguments.number("k_roll", unit.stiffness),
                                 arguments.number("gamma_roll", unit.of(1, 0, -1)), arguments.number("mu_roll"))
        elif key == "twisting":
            model.twisting = arguments.word("twisting")
            if model.twisting == "sds":
                model.twisting_constants = arguments.vector("constants of twisting")
        elif key == "limit_damping":
            model.limited = True
        elif key == "cutoff":
            arguments.number(key)
        else:
            raise Refused(f"the keyword {key} is not known.", "Choose a law in the scene.")
    factors = {"viscoelastic": unit.of(0, -1, -1), "mass_velocity": unit.of(0, 0, -1), "velocity": unit.of(1, 0, -1)}
    if model.damping not in (*factors, "tsuji", "coeff_restitution", "none"):
        raise Refused(f"the damping model {model.damping} is not converted.", "Use tsuji.")
    model.gamma = gamma * factors.get(model.damping, 1.0) if model.damping != "none" else 0.0
    if model.tangential is None:
        raise Refused("the tangential model is missing.", "Add tangential ...")
    return model


def read_tangential(model, arguments, unit):
    model.tangential = arguments.word("the tangential model")
    if model.tangential not in TANGENTIAL:
        raise Refused(f"the tangential model {model.tangential} is not converted.", "Use linear_history or mindlin.")
    if model.tangential != "linear_nohistory":
        factor = unit.stiffness if model.tangential == "linear_history" else unit.pressure
        model.tangential_stiffness = constant(arguments, "k_t", factor)
    model.tangential_ratio = arguments.number("x_gamma,t")
    model.friction = arguments.number("mu_s")


def mixed(a, b):
    """Returns the model of two types from those of each, as LAMMPS mixes: geometric means, E* of both."""
    if (a.normal, a.damping, a.tangential, a.twisting, bool(a.rolling)) != (
        b.normal, b.damping, b.tangential, b.twisting, bool(b.rolling)
    ):
        raise Refused("models of different forms are not mixed.", "Give pair_coeff of the two types.")
    mean = lambda x, y: None if x is None or y is None else (x * y) ** 0.5  # noqa: E731
    rolling = tuple(mean(x, y) for x, y in zip(a.rolling, b.rolling)) if a.rolling else None
    return Model(
        a.command, a.normal, mean(a.stiffness, b.stiffness), a.modulus, a.poisson, a.damping, mean(a.gamma, b.gamma),
        a.tangential, mean(a.tangential_stiffness, b.tangential_stiffness),
        mean(a.tangential_ratio, b.tangential_ratio), mean(a.friction, b.friction),
        mean(a.surface_energy, b.surface_energy), rolling, a.twisting, a.twisting_constants, a.limited, a.classic,
        (b.modulus, b.poisson) if b.modulus else None,
    )


def law(model, pair):
    """Returns the law of a contact."""
    result = Law(remarks=list(model.faults))
    if model.normal == "hooke":
        result.options = hooke(model, pair, result)
    else:
        result.options = hertz(model, pair, result)
    add_rolling(model, pair, result)
    add_twisting(model, result)
    if result.options.get("tangential_damping") and model.friction > 0:
        result.remarks.append(SLIDING)
    return result


def hooke(model, pair, result):
    """F = k d - c v; c = m gamma (mass_velocity), gamma (velocity) or alpha(e) sqrt(m k) (tsuji)."""
    k = model.stiffness
    if model.damping == "tsuji":
        c = tsuji_alpha(model.gamma) * (pair.damped_mass() * k) ** 0.5
    elif model.damping == "coeff_restitution":
        c = 2 * damping_ratio(model.gamma) * (pair.damped_mass() * k) ** 0.5
    elif model.damping == "viscoelastic":
        # a = sqrt(R d) at the depth of an impact at the typical speed.
        depth = pair.speed * (pair.mass / k) ** 0.5
        c = model.gamma * pair.damped_mass() * (pair.radius * depth / 2) ** 0.5
        if c > 0:
            result.remarks.append(
                (CHANGED, f"Viscoelastic damping of a linear spring is taken at the depth of impacts at "
                 f"{pair.speed:.3g} m/s.", "Give another speed with --speed.")
            )
    else:
        c = model.gamma * (pair.damped_mass() if model.damping == "mass_velocity" else 1.0)
    options = {"type": "linear", "normal_stiffness": k, **damped(k, c, pair.mass, model.limited)}
    ct = model.tangential_ratio * c
    if model.tangential_gamma is not None:
        ct = model.tangential_gamma * pair.damped_mass()
    if model.friction == 0:
        return {**options, "tangential": "none"}
    if model.tangential == "linear_nohistory":
        if ct == 0:
            return {**options, "tangential": "none"}
        return {**options, "tangential": "viscous", "tangential_stiffness": ct / pair.dt, "friction": model.friction}
    kt = model.tangential_stiffness
    if model.tangential != "linear_history":
        if kt is None:
            raise Refused("mindlin NULL needs a model with moduli.")
        raise Refused("Mindlin's friction on a linear spring is not converted.", "Use linear_history.")
    return {**options, "tangential_stiffness": kt, "tangential_damping": ct, "friction": model.friction}


def hertz(model, pair, result):
    """F = a (k d - ...), a = sqrt(R d): k = 4/3 E*, k_t = 8 G*."""
    if model.modulus is not None:
        sides = [(model.modulus, model.poisson), model.other or (model.modulus, model.poisson)]
        effective, shear = effective_modulus(sides), effective_shear(sides)
    else:
        effective, shear = 0.75 * model.stiffness, None
    modulus, nu = elasticity(model, effective, shear, result)
    options = {"type": "hertz-mindlin", "restitution": hertz_restitution(model, effective, pair, result)}
    options |= {"youngs_modulus": modulus, "poisson_ratio": nu, "friction": model.friction}
    if model.tangential == "linear_nohistory":
        result.remarks.append(
            (CHANGED, "Friction without history is not there with Hertz: the scene has Mindlin's spring.", "")
        )
    # c_t over c_n in units of sqrt(k_t/k_n), with k_n = 2 E* a and k_t = 8 G* a of the scene.
    ratio = 4 * effective_shear([(modulus, nu)] * 2) / effective
    options["tangential_damping"] = model.tangential_ratio / ratio**0.5
    if model.surface_energy > 0:
        # Pull-off 3 pi gamma R (jkr) and 4 pi gamma R (dmt) are 3/2 pi w R and 2 pi w R with w = 2 gamma.
        options["cohesion"] = {"model": model.normal, "work_of_adhesion": 2 * model.surface_energy}
    return options


def elasticity(model, effective, shear, result):
    """Returns E and nu that have this E*, and k_t where it is possible."""
    wanted = model.tangential_stiffness
    if model.tangential == "linear_history":
        result.remarks.append(
            (CHANGED, f"A tangential stiffness of {wanted:.4g} N/m whatever the depth is not there with Hertz: the "
             "scene has 8 G* a.", "")
        )
        wanted = None
    if wanted is not None:
        shear = wanted / 8
    if shear is None:
        shear = effective * (1 - 0.3) / (2 * (2 - 0.3))
    modulus, nu = moduli(effective, shear)
    if -1 < nu <= 0.5 + 1e-12:
        return modulus, min(nu, 0.5)
    nu = 0.5 if nu > 0.5 or shear < effective / 6 else 0.0
    modulus = 2 * effective * (1 - nu * nu)
    got = 8 * effective_shear([(modulus, nu)] * 2)
    result.remarks.append(
        (CHANGED, f"A tangential stiffness of {8 * shear / (4 / 3 * effective):.3g} times the normal one is no elastic "
         f"body's: the scene has {got / (4 / 3 * effective):.3g}.", "Only sticking contacts feel it.")
    )
    return modulus, nu


def hertz_restitution(model, effective, pair, result):
    k = 4 / 3 * effective
    if model.damping in ("tsuji", "coeff_restitution"):
        if model.damping == "tsuji":
            # c = alpha sqrt(m k a); scree: alpha sqrt(m K) d^(1/4) with K = k sqrt(R) and alpha = sqrt(5) z.
            z = tsuji_alpha(model.gamma) / 5**0.5
            result.remarks.append(
                (NOTE, f"LAMMPS' tsuji {model.gamma:g} takes the reduced mass, and so bounces with {restitution(z):.3g}: "
                 "the scene has that.", "")
            )
        else:
            z = damping_ratio(model.gamma)
        z *= pair.ratio_factor()
        e = clipped_restitution(z) if model.limited else restitution(z)
        return min(max(e, 1e-3), 1.0)
    if model.gamma == 0:
        if model.tangential_gamma:
            result.remarks.append((CHANGED, "A dashpot across without one along the normal is not there with Hertz.", ""))
        return 1.0
    if model.damping == "viscoelastic":
        e = viscoelastic_restitution(k, model.gamma * pair.ratio_factor() ** 2, pair)
    else:
        c = model.gamma * (pair.damped_mass() if model.damping == "mass_velocity" else 1.0)
        # A dashpot that does not depend on depth, beside the stiffness at the depth of the impact.
        depth = (1.25 * pair.mass * pair.speed**2 / (k * pair.radius**0.5)) ** 0.4
        e = restitution(min(c / (2 * (1.5 * k * (pair.radius * depth) ** 0.5 * pair.mass) ** 0.5), 0.99))
    e = min(max(e, 1e-3), 1.0)
    result.remarks.append(
        (CHANGED, f"Damping {model.damping} depends on the speed of an impact: the scene has the restitution {e:.3g} of "
         f"impacts at {pair.speed:.3g} m/s.", "Give another speed with --speed.")
    )
    return e


def add_rolling(model, pair, result):
    """sds: torque R F with F = k xi + gamma v, xi = R theta: k_r = k R^2, C_r = gamma R^2, cap mu R N."""
    if not model.rolling or model.rolling[2] == 0:
        return
    k, gamma, mu = model.rolling
    if model.normal == "hooke":
        normal = model.stiffness
    else:
        effective = 0.75 * model.stiffness if model.modulus is None else effective_modulus(
            [(model.modulus, model.poisson), model.other or (model.modulus, model.poisson)])
        depth = (1.25 * pair.mass * pair.speed**2 / (4 / 3 * effective * pair.radius**0.5)) ** 0.4
        normal = 2 * effective * (pair.radius * depth) ** 0.5
        result.remarks.append(
            (CHANGED, f"A rolling stiffness of {k:.4g} N/m whatever the depth is not there with Hertz: the scene has it "
             f"at the depth of impacts at {pair.speed:.3g} m/s.", "Give another speed with --speed.")
        )
    k_r = k * pair.radius**2
    damping = gamma * pair.radius**2 / (2 * (1.4 * pair.mass * pair.radius**2 * k_r) ** 0.5)
    result.options["rolling"] = {"model": "elastic-plastic", "friction": mu, "stiffness": k / (normal * mu * mu),
                                 "damping": damping}
    inertia = 1.4 * pair.mass
    if gamma * pair.dt > 0.2 * inertia or k * pair.dt**2 > 0.1 * inertia:
        result.long_dt = True
        result.remarks.append(
            (CHANGED, "The rolling resistance is too stiff for the time step, so that it chatters below its cap: the "
             "scene accepts that by accept_long_dt.", "Lower gamma_roll and k_roll, or the time step.")
        )


def add_twisting(model, result):
    if model.twisting in (None, "none"):
        return
    if model.twisting == "marshall" and model.friction > 0 and model.normal != "jkr":
        result.options["twisting"] = {"friction": model.friction}
        return
    why = "jkr does not combine with twisting" if model.normal == "jkr" else f"twisting {model.twisting} is not there"
    result.remarks.append((CHANGED, f"In the scene {why}: contacts do not resist twist.", ""))


__all__ = ["Model", "read_classic", "read_granular", "mixed", "law", "NOTE"]
