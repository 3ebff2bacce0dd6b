"""Parts of scenes from functions: shapes from radii or distances, motions from poses. They are dicts of plain numbers."""

from __future__ import annotations

import math
from typing import Callable, Optional

import numpy as np

from .errors import InputError


def shape(radius: Callable, *, harmonics: int = 40, tolerance: float = 0.01, **options) -> dict:
    """Returns a planar shape, ``star``, whose outline is a function: ``scene["shapes"]["egg"] = scree.shape(f)``.

    The function is sampled once, and becomes a Fourier series: a scene with it is a file like others.

    :param radius: radius [m], above 0, of angles [rad] in an array (n); as an array (n), or a number
    :param harmonics: number of harmonics, 1000 at most
    :param tolerance: largest error of the series, as a part of the largest radius [-]
    :param options: further options of ``star``, such as ``thickness`` and ``nodes``
    :raises InputError: if a radius is not above 0, or the series misses the outline
    """
    if not (isinstance(harmonics, int) and 1 <= harmonics <= 1000):
        raise InputError(f"shape(): harmonics is {harmonics!r}; 1 to 1000 are allowed.")
    n = 8 * harmonics
    angles = 2 * np.pi * np.arange(2 * n) / (2 * n)
    told = _radii("shape()", radius, angles, lambda k: f"at the angle {angles[k]:.3g} rad")
    series = np.fft.rfft(told[::2])[:harmonics + 1] / n  # every other sample; those between judge it
    cos, sin = 2 * series.real, -2 * series.imag
    cos[0] /= 2
    least = 1e-14 * cos[0]
    k = np.arange(1, harmonics + 1)
    value = cos[0] + np.cos(np.outer(angles, k)) @ cos[1:] + np.sin(np.outer(angles, k)) @ sin[1:]
    _require_close("shape()", value, told, tolerance, f"{harmonics} harmonics", "harmonics")
    area = np.pi * (cos[0] ** 2 + (cos[1:] ** 2 + sin[1:] ** 2).sum() / 2)
    return {"type": "star",
            "coefficients": {"a0": float(cos[0]), "cos": {str(j): float(cos[j]) for j in k if abs(cos[j]) > least},
                             "sin": {str(j): float(sin[j]) for j in k if abs(sin[j]) > least}},
            "area": float(area), **options}


def shape3d(radius: Optional[Callable] = None, *, distance: Optional[Callable] = None, reach: float = 0, degree: int = 12,
            tolerance: float = 0.02, **options) -> dict:
    """Returns a solid, ``star3d``, whose surface is a function: its radius in each direction, or its distance from points.

    The function is sampled once, and becomes a series of spherical harmonics: a scene with it is a file like others.

    :param radius: radius [m], above 0, of unit vectors in an array (n, 3); as an array (n), or a number
    :param distance: in its place: a number of points (n, 3) that is below 0 inside, as an array (n). Each ray from the
        origin may cross the surface once
    :param reach: with ``distance``: a length above the largest radius [m]
    :param degree: highest degree of the series, 20 at most
    :param tolerance: largest error of the series, as a part of the largest radius [-]
    :param options: further options of ``star3d``, such as ``nodes``
    :raises InputError: if a radius is not above 0, or the series misses the surface
    """
    if (radius is None) == (distance is None):
        raise InputError("shape3d() needs a function: either radius, or distance.")
    if not (isinstance(degree, int) and 0 <= degree <= 20):
        raise InputError(f"shape3d(): degree is {degree!r}; 0 to 20 are allowed.")
    if distance is not None and not 0 < reach < math.inf:
        raise InputError(f"shape3d(): reach is {reach!r}; with distance, a length above the largest radius is needed [m].")
    order = 3 * degree + 16  # of the quadrature, which is exact for products of harmonics, and near that for others
    z, weight = np.polynomial.legendre.leggauss(order)
    phi = 2 * np.pi * np.arange(2 * order) / (2 * order)
    flat = np.sqrt(1 - z * z)
    units = np.stack([np.outer(flat, np.cos(phi)), np.outer(flat, np.sin(phi)), np.outer(z, np.ones_like(phi))], -1).reshape(-1, 3)
    weights = np.repeat(weight, len(phi)) / (2 * len(phi))  # their sum is 1

    def where(k):
        return f"in the direction ({units[k][0]:.3g}, {units[k][1]:.3g}, {units[k][2]:.3g})"

    told = _radii("shape3d()", radius or (lambda u: _crossings(distance, u, reach)), units, where)  # type: ignore[arg-type]
    terms = [(level, m, _harmonic(level, m, units)) for level in range(degree + 1) for m in range(-level, level + 1)]
    series = [(level, m, float(weights @ (told * y))) for level, m, y in terms]
    value = np.sum([c * y for (_, _, c), (_, _, y) in zip(series, terms)], axis=0)
    _require_close("shape3d()", value, told, tolerance, f"a series of degree {degree}", "degree")
    return {"type": "star3d", "coefficients": [[level, m, c] for level, m, c in series if abs(c) > 1e-14 * told.max()],
            "volume": float(4 / 3 * np.pi * (weights @ value**3)), **options}


def motion(pose: Callable, until: float, samples: Optional[int] = None, *, tolerance: float = 0.01) -> list:
    """Returns the ``motion`` of bodies from a function of time: ``"motion": scree.motion(f, until=2.0)``.

    The function is sampled once. Between samples positions change linearly and angular velocities are constant; after the
    last one the bodies rest. A scene with it is a file like others. The function is also asked between samples, where it
    may not be missed by more than ``tolerance``.

    :param pose: displacement [m] of 3 numbers, 2 in 2D, at a time [s], or a pair of it and a rotation from the initial orientation: a
        quaternion (w, x, y, z), or in 2D an angle [rad]
    :param until: end of the motion [s]
    :param samples: number of intervals, 10000 at most; with rotations each step computes all of them. None: from 200 on as
        many as the function needs
    :param tolerance: largest error between samples, relative to the largest way and rotation [-]
    :raises InputError: for poses that are not finite, or no poses, and for a function that the samples miss
    """
    if not 0 < until < math.inf or not (samples is None or isinstance(samples, int) and 1 <= samples <= _MOST_SAMPLES):
        raise InputError(f"motion(): until is {until!r} and samples {samples!r}; a finite time above 0 and 1 to {_MOST_SAMPLES} are allowed.")
    count = samples or 200
    while True:
        times = [until * k / count for k in range(count + 1)]
        poses = [_pose(pose(t), t) for t in times]
        missed = _missed(pose, times, poses, tolerance)
        if not missed:
            break
        if samples is not None or count == _MOST_SAMPLES:
            raise InputError(f"motion(): {count} samples miss the function: {missed}. " + (
                "Leave samples out, or raise it" if count < _MOST_SAMPLES else "Take a shorter time, a slower function without jumps") +
                f", or raise tolerance, which is {tolerance:g}.")
        count = min(4 * count, _MOST_SAMPLES)
    rows = [{"time": t, "displacement": p.tolist()} for t, (p, _) in zip(times, poses)]
    turns = [] if poses[0][1] is None else _turns(times, [turn for _, turn in poses])
    return [*turns, {"displacements": rows}]


_MOST_SAMPLES = 10000
_BETWEEN = (0.5, 0.3819660112501051, 0.7236067977499790)  # parts of an interval: no periodic function repeats at all of them


def _missed(pose: Callable, times: list, poses: list, tolerance: float) -> str:
    """Returns where, and by how much, a table of poses misses its function by more than it may; "" if nowhere."""
    told = [(k, part, t, _pose(pose(t), t)) for k in range(len(times) - 1) for part in _BETWEEN
            for t in [times[k] + part * (times[k + 1] - times[k])]]
    way = max(np.abs(p).max() for p in [p for p, _ in poses] + [p for *_, (p, _) in told])
    worst = max(told, key=lambda at: _error(poses, at)[0])
    if _error(poses, worst)[0] > tolerance * way:
        return f"at {worst[2]:.6g} s by {_error(poses, worst)[0]:.3g} m, of a way of {way:.3g} m"
    if poses[0][1] is None:
        return ""
    turns = [_angle(poses[0][1], turn) for _, turn in poses] + [_angle(poses[0][1], turn) for *_, (_, turn) in told]
    worst = max(told, key=lambda at: _error(poses, at)[1])
    if _error(poses, worst)[1] > tolerance * max(turns):
        return f"at {worst[2]:.6g} s by {_error(poses, worst)[1]:.3g} rad, of a rotation of {max(turns):.3g} rad"
    return ""


def _error(poses: list, at: tuple) -> tuple:
    """Returns how far a table of poses is from the function [m], [rad], at a part of an interval."""
    k, part, _, (place, turn) = at
    (p, a), (q, b) = poses[k], poses[k + 1]
    shift = float(np.abs((1 - part) * p + part * q - place).max())
    return shift, 0.0 if turn is None else _angle(_between(a, b, part), turn)


def _between(a, b, part: float):
    """Returns the rotation at a part of the way from one to the next, at a constant rate."""
    if isinstance(a, float):
        return (1 - part) * a + part * b
    b = b if a @ b >= 0 else -b
    angle = math.acos(min(1.0, float(a @ b)))
    if angle < 1e-9:
        return a
    return (math.sin((1 - part) * angle) * a + math.sin(part * angle) * b) / math.sin(angle)


def _angle(a, b) -> float:
    """Returns the angle between two rotations [rad]."""
    if isinstance(a, float):
        return abs(a - b)
    sine = np.linalg.norm(a - b if a @ b >= 0 else a + b) / 2  # of a quarter of the angle
    return 4 * math.asin(min(1.0, float(sine)))


def _radii(where: str, radius: Callable, samples: np.ndarray, place: Callable) -> np.ndarray:
    try:
        radii = np.array(np.broadcast_to(np.asarray(radius(samples), dtype=float), samples.shape[:1]))
    except (TypeError, ValueError) as fault:
        raise InputError(f"{where}: the function has not given numbers of shape {samples.shape[:1]} for an array of shape "
                         f"{samples.shape}: {fault}.") from fault
    bad = np.flatnonzero(~(np.isfinite(radii) & (radii > 0)))
    if bad.size:
        raise InputError(f"{where}: the radius is {radii[bad[0]]:.4g} m {place(bad[0])}; a radius is finite and above 0 everywhere.")
    return radii


def _require_close(where: str, value: np.ndarray, told: np.ndarray, tolerance: float, by: str, more: str) -> None:
    missed = np.abs(value - told).max() / told.max()
    if not missed <= tolerance:
        raise InputError(f"{where}: {by} miss the radius by {100 * missed:.2g} % of the largest one; tolerance allows "
                         f"{100 * tolerance:.2g} %. Corners need many: raise {more}, round them, or raise tolerance.")


def _crossings(distance: Callable, units: np.ndarray, reach: float) -> np.ndarray:
    """Returns where rays from the origin leave the solid [m], by bisection: (n)."""
    inside, outside = np.zeros(len(units)), np.full(len(units), float(reach))
    for place, good, told in ((inside, lambda d: d < 0, "inside"), (outside, lambda d: d > 0, "outside")):
        d = np.broadcast_to(np.asarray(distance(place[:, None] * units), dtype=float), len(units))
        if not good(d).all():
            raise InputError(f"shape3d(): distance is {d[~good(d)][0]:.4g} at {place[0]:.4g} m from the origin, which must be "
                             f"{told}. It is below 0 inside, and reach is above the largest radius.")
    for _ in range(60):
        middle = (inside + outside) / 2
        within = np.asarray(distance(middle[:, None] * units)) < 0
        inside, outside = np.where(within, middle, inside), np.where(within, outside, middle)
    return inside


def _harmonic(level: int, m: int, units: np.ndarray) -> np.ndarray:
    """Returns a real spherical harmonic with a mean square of 1, as plugins/star3d defines it: (n)."""
    k, z = abs(m), units[:, 2]
    before, p = np.zeros_like(z), np.full_like(z, math.prod(range(1, 2 * k, 2)))  # P_(k-1)^k, P_k^k over (1 - z^2)^(k/2)
    for j in range(k + 1, level + 1):
        before, p = p, ((2 * j - 1) * z * p - (j + k - 1) * before) / (j - k)
    around = (units[:, 0] + 1j * units[:, 1]) ** k
    norm = math.sqrt((1 if k == 0 else 2) * (2 * level + 1) * math.factorial(level - k) / math.factorial(level + k))
    return norm * p * (around.real if m >= 0 else around.imag)


def _pose(value, time: float):
    """Returns displacement (2 or 3), and rotation: a unit quaternion, an angle, or None."""
    pair = isinstance(value, (tuple, list)) and len(value) == 2 and np.ndim(value[0]) == 1
    shift, turn = (np.array(v, dtype=float) for v in (value if pair else (value, 0)))
    good = shift.shape in ((2,), (3,)) and np.isfinite(shift).all() and turn.shape in ((), (4,)) and np.isfinite(turn).all()
    if not good or (turn.shape == (4,) and not np.linalg.norm(turn) > 0):
        raise InputError(f"motion(): the pose at {time:.4g} s is {value!r}; a displacement of 3 numbers is allowed, 2 in 2D, or a pair of it "
                         "and a quaternion (w, x, y, z) or an angle.")
    if not pair:
        return shift, None
    return shift, (turn / np.linalg.norm(turn) if turn.shape == (4,) else float(turn))


def _turns(times: list, turns: list) -> list:
    """Returns a motion about the body's origin for each interval."""
    first, motions = turns[0], []
    if first != 0 if isinstance(first, float) else abs(first[0]) < 1 - 1e-12:
        raise InputError("motion(): the pose at 0 s turns the body; give the body that orientation, and a motion that begins without "
                         "a rotation.")
    for k in range(len(times) - 1):
        span = times[k + 1] - times[k]
        if isinstance(turns[k], float):
            rate = (turns[k + 1] - turns[k]) / span
        else:
            (a, *u), (b, *v) = turns[k], turns[k + 1]
            u, v = np.array(u), np.array(v)
            real, vector = a * b + u @ v, a * v - b * u - np.cross(v, u)  # turns[k + 1] times the conjugate of turns[k]
            size = np.linalg.norm(vector)
            angle = 2 * math.atan2(size, abs(real))  # the shorter way
            rate = (math.copysign(angle, real) / span / size * vector if size > 0 else np.zeros(3)).tolist()
        motions.append({"angular_velocity": rate, "start": times[k], "stop": times[k + 1]})
    return motions
