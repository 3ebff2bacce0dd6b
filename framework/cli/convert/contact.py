"""Formulas of contacts: what constants of other programs are in scree's laws. SI units.

A contact is a spring and a dashpot between two spheres of reduced mass m and reduced radius R; at a wall they are
those of the sphere. Here e is the restitution of a head-on impact and z the damping ratio."""

import math
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Pair:
    """Two sides of a contact: reduced radius [m] and mass [kg], and what models need beside them.

    A sphere that is held, but not by fix freeze, counts with its own mass in dashpots of LAMMPS and LIGGGHTS."""

    radius: float
    mass: float
    wall: bool = False
    dt: float = 0.0
    inertia: float = 0.0  # about the contact, reduced [kg m^2]
    speed: float = 1.0  # of a typical impact [m/s]
    damping_mass: float = None  # that dashpots count [kg]; None: `mass`

    def damped_mass(self):
        return self.mass if self.damping_mass is None else self.damping_mass

    def ratio_factor(self):
        """Returns the damping ratio over that of a dashpot by `mass`, for dashpots ~ sqrt(mass) [-]."""
        return (self.damped_mass() / self.mass) ** 0.5


@dataclass
class Law:
    """A law of a scene, and remarks (kind, reason, advice) on what differs."""

    options: dict = None
    remarks: list = field(default_factory=list)
    long_dt: bool = False  # whether the deck's time step is too long for a part of the law


def damping_ratio(e):
    """Returns z of a damped oscillator that bounces with e: z = -ln e/sqrt(pi^2 + ln^2 e)."""
    if e >= 1:
        return 0.0
    return -math.log(e) / math.hypot(math.pi, math.log(e))


def restitution(z):
    """Returns e of a damped oscillator, whose force may pull at the end: e = exp(-pi z/sqrt(1 - z^2))."""
    return math.exp(-math.pi * z / math.sqrt(1 - z * z)) if z < 1 else 0.0


def clipped_restitution(z):
    """Returns e where the force never pulls. \\source Schwager and Poeschel, Granular Matter 9 (2007) 465, eqs. 12-14"""
    if z == 0:
        return 1.0
    if z < 1:
        w = math.sqrt(1 - z * z)
        return math.exp(-z / w * math.atan2(2 * z * w, 2 * z * z - 1))
    if z == 1:
        return math.exp(-2)
    w = math.sqrt(z * z - 1)
    return math.exp(-2 * z / w * math.log(z + w))


def effective_modulus(sides):
    """Returns E* [Pa] of sides (E, nu): 1/E* = sum (1 - nu^2)/E."""
    return 1 / sum((1 - nu * nu) / modulus for modulus, nu in sides)


def effective_shear(sides):
    """Returns G* [Pa] of sides (E, nu): 1/G* = sum 2 (2 - nu) (1 + nu)/E."""
    return 1 / sum(2 * (2 - nu) * (1 + nu) / modulus for modulus, nu in sides)


def moduli(effective, shear):
    """Returns (E, nu) of two like sides that have this E* and G*; nu may be out of range.

    G*/E* = (1 - nu)/(2 (2 - nu)) gives nu = (1 - 4 q)/(1 - 2 q) with q = G*/E*; then E = 2 E* (1 - nu^2)."""
    q = shear / effective
    nu = (1 - 4 * q) / (1 - 2 * q)
    return 2 * effective * (1 - nu * nu), nu


def hooke_stiffness(effective, radius, mass, speed):
    """Returns k_n [N/m] of LIGGGHTS' hooke: 16/15 sqrt(R) E* (15 m v^2/(16 sqrt(R) E*))^(1/5)."""
    root = 16 / 15 * math.sqrt(radius) * effective
    return root * (mass * speed * speed / root) ** 0.2


def tsuji_alpha(e):
    """Returns alpha(e) of Tsuji's dashpot alpha sqrt(m K) d^(1/4), by LAMMPS' polynomial."""
    terms = (1.2728, -4.2783, 11.087, -22.348, 27.467, -18.022, 4.8218)
    return sum(c * e**i for i, c in enumerate(terms))


def viscoelastic_restitution(stiffness, gamma, pair):
    """Returns e of an impact on F = a (k d - m gamma v), a = sqrt(R d), at the speed of the pair. The force may pull.

    Integrated in units in which m = R k = speed = 1; k [Pa], gamma [1/(m s)]."""
    force = stiffness * math.sqrt(pair.radius) / pair.mass
    # d in units L, t in units L/v: d'' = -d^1.5 - c sqrt(d) d'
    length = (pair.speed**2 / force) ** 0.4
    c = gamma * math.sqrt(pair.radius) * math.sqrt(length) * length / pair.speed

    def rate(d, v):
        root = math.sqrt(max(d, 0.0))
        return -root * (d + c * v) if d > 0 else 0.0

    d, v, h = 0.0, 1.0, 1e-3
    for _ in range(200_000):
        k1v, k1d = rate(d, v), v
        k2v, k2d = rate(d + h / 2 * k1d, v + h / 2 * k1v), v + h / 2 * k1v
        k3v, k3d = rate(d + h / 2 * k2d, v + h / 2 * k2v), v + h / 2 * k2v
        k4v, k4d = rate(d + h * k3d, v + h * k3v), v + h * k3v
        d += h / 6 * (k1d + 2 * k2d + 2 * k3d + k4d)
        v += h / 6 * (k1v + 2 * k2v + 2 * k3v + k4v)
        if d <= 0 or (v < 0 and -v < 1e-6):
            break
    return max(0.0, -v)


def reduced(a, b):
    """Returns the reduced value of two; None stands for a wall."""
    return a if b is None else a * b / (a + b)


def rolling_inertia(mass, radius):
    """Returns the moment of inertia of a sphere about its contact [kg m^2]."""
    return 1.4 * mass * radius * radius


def damped(stiffness, coefficient, mass, limited):
    """Returns options of `linear` for a dashpot c_n [N s/m]: restitution where the force may pull, else c_n itself."""
    z = coefficient / (2 * math.sqrt(stiffness * mass))
    if z == 0:
        return {"normal_damping": 0}
    if limited or restitution(z) < 0.01:
        return {"normal_damping": coefficient}
    return {"restitution": restitution(z)}
