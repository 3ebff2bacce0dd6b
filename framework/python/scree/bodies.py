"""Bodies of a simulation as copies in the order of ids."""

from __future__ import annotations

import difflib
from typing import List, NamedTuple, Optional

import numpy as np

from .errors import InputError
from .rows import EXTERNAL


_LARGEST_ID = 2**63 - 1  # beyond are negative numbers in an unsigned type


class Column(NamedTuple):
    """What a column of bodies holds."""

    name: str
    unit: str
    dtype: np.dtype
    components: int


class Bodies:
    """Bodies of a simulation: ``sim.bodies``.

    ``sim.bodies["position"]`` is a copy in the order of ids: entry k is the body ``sim.bodies.id[k]``, whatever the
    order in memory is.
    """

    def __init__(self, core, fills):
        self._core = core
        self._fills = fills

    def __len__(self) -> int:
        return self._core.body_count()

    def __getitem__(self, name: str) -> np.ndarray:
        """Returns a column as a copy in the order of ids: (n) or (n, components). Orientations are (w, x, y, z)."""
        return self._core.column_copy(name)

    def read(self, name: str, out: Optional[np.ndarray] = None) -> np.ndarray:
        """Returns a column in the order of ids, as ``sim.bodies[name]`` does.

        With ``out`` no memory is allocated: loops that read the same column again and again take an array of theirs.

        :param out: array of the column's type and shape, (n) or (n, components), in C order; it is filled and returned
        :raises InputError: for an array of another type or shape, one with gaps, and one that is read only
        """
        if out is not None and not isinstance(out, np.ndarray):
            raise InputError(f"out is a {type(out).__name__}; an array of NumPy is allowed.")
        return self._core.column_copy(name, out)

    def __setitem__(self, name: str, values) -> None:
        self.set(name, values)

    @property
    def id(self) -> np.ndarray:
        """Ids of all bodies, ascending: (n)."""
        return self["id"]

    @property
    def group(self) -> np.ndarray:
        """Index of each body's entry in ``names``: (n)."""
        return self["group"]

    @property
    def shape(self) -> np.ndarray:
        """Index of each body's shape in ``shapes``: (n)."""
        return self["shape"]

    @property
    def names(self) -> List[str]:
        """Names of the entries of the scene's ``bodies``."""
        return self._core.group_names()

    @property
    def shapes(self) -> List[str]:
        """Names of the shapes."""
        return self._core.shape_names()

    @property
    def materials(self) -> List[str]:
        """Names of the materials."""
        return self._core.material_names()

    def of(self, name: str) -> np.ndarray:
        """Returns the ids of the bodies of one entry of the scene's ``bodies``, ascending: (m)."""
        return self.id[self.group == _index(self.names, name, "entry of bodies")]

    def columns(self) -> List[Column]:
        """Returns name, unit, type and number of components of all columns."""
        return [Column(*c) for c in self._core.columns()]

    def _column(self, name: str):
        """Returns the column of this name; raises InputError naming the nearest one."""
        found = [c for c in self.columns() if c.name == name]
        if not found:
            self._core.column_copy(name)  # makes those of external forces, or raises
            found = [c for c in self.columns() if c.name == name]
        return found[0]

    def set(self, name: str, values, ids=None) -> None:
        """Sets a column of some bodies, and marks them as moved where it is part of their state.

        Velocities of fixed bodies, and places and velocities of bodies with a motion, are refused unless they stay as they
        are: see drive().

        :param name: position [m], orientation (w, x, y, z), velocity [m/s], angular_velocity [rad/s], external_force
            [N], external_torque [N m], or a column that Simulation.column() has made
        :param values: numbers of shape (n) or (n, components), or what NumPy spreads to it
        :param ids: ids of n bodies; None: all in the order of ids
        """
        allowed = ("position", "orientation", "velocity", "angular_velocity", *EXTERNAL, *self._fills)
        column = self._column(name)
        if name not in allowed:
            raise InputError(f'column "{name}" is read only. Columns that may be set: {", ".join(allowed)}.')
        n = len(self) if ids is None else np.size(ids)
        if ids is not None:
            ids = _ids(ids)
        shape = (n,) if column.components == 1 else (n, column.components)
        spread = _spread(values, shape, name, column.dtype)
        if name == "orientation":
            length = np.linalg.norm(spread, axis=1, keepdims=True)
            if not (length > 0).all():
                raise InputError("an orientation is zero; a quaternion (w, x, y, z) of any other length is allowed.")
            spread = spread / length
        self._core.set_column(name, spread, ids)

    def add(self, shape, material, position, orientation=(1, 0, 0, 0), velocity=(0, 0, 0), angular_velocity=(0, 0, 0),
            scale=1.0, group: Optional[str] = None, fixed: bool = False) -> np.ndarray:
        """Adds n bodies and returns their ids. Without ``fixed`` they move freely.

        Materials that can touch need an entry in the scene's ``interactions`` that names them, or ``"*"``. What cannot take
        part is refused, and no body is added then.

        :param shape: name of a shape of the scene, or a list of n names
        :param material: name of a material, or a list of n names
        :param position: centres [m], shape (n, 3)
        :param orientation: quaternions (w, x, y, z), shape (4) or (n, 4)
        :param velocity: velocities [m/s], shape (3) or (n, 3)
        :param angular_velocity: angular velocities in world axes [rad/s], shape (3) or (n, 3)
        :param scale: sizes relative to the shape, a number or shape (n)
        :param group: entry of the scene's ``bodies`` that they belong to; None: the first
        :param fixed: makes them walls, of any shape: they do not move
        :raises InputError: for a body that cannot move freely and is not fixed, and where interactions are missing
        """
        position = np.atleast_2d(np.asarray(position, dtype=float))
        n = len(position)

        def indices(value, known, what):
            names = [value] * n if isinstance(value, str) else list(value)
            if len(names) != n:
                raise InputError(f"{what} has {len(names)} names for {n} bodies; one for all, or one for each, is allowed.")
            place = {name: _index(known, name, what) for name in set(names)}
            return np.array([place[name] for name in names], dtype=np.uint32)

        names = self.names
        ids = self._core.add(
            indices(shape, self.shapes, "shape"), indices(material, self.materials, "material"),
            np.full(n, _index(names, group, "entry of bodies") if group is not None else 0, dtype=np.uint32),
            _spread(position, (n, 3), "position"), _spread(orientation, (n, 4), "orientation"),
            _spread(velocity, (n, 3), "velocity"), _spread(angular_velocity, (n, 3), "angular_velocity"),
            _spread(scale, (n,), "scale"), bool(fixed))
        for name, fill in self._fills.items():
            if fill != 0:
                self.set(name, fill, ids)
        return ids

    def drive(self, ids, velocity=(0, 0, 0), angular_velocity=(0, 0, 0)) -> None:
        """Gives bodies with a ``motion`` a constant velocity from now on, in place of their motion so far.

        :param ids: ids of n bodies whose entry in the scene has a ``motion``; ``{}`` is one
        :param velocity: velocities [m/s], shape (3) or (n, 3)
        :param angular_velocity: angular velocities about their own origins [rad/s], shape (3) or (n, 3)
        """
        ids = _ids(ids)
        self._core.drive(ids, _spread(velocity, (len(ids), 3), "velocity"),
                         _spread(angular_velocity, (len(ids), 3), "angular_velocity"))

    def remove(self, ids) -> None:
        """Removes bodies. Ids that do not exist are ignored."""
        self._core.remove(_ids(ids))


def _ids(ids) -> np.ndarray:
    """Returns ids as an array; raises InputError for what are no ids, such as a mask."""
    found = np.atleast_1d(np.asarray(ids))
    if found.size == 0:
        return found.astype(np.uint64)
    if found.dtype.kind not in "iu" or (found < 0).any() or (found > _LARGEST_ID).any():
        hint = " With a mask give sim.bodies.id[mask]." if found.dtype.kind == "b" else ""
        raise InputError(f"ids are {ids!r}; whole numbers from 0 on are allowed, as in sim.bodies.id.{hint}")
    return np.ascontiguousarray(found, dtype=np.uint64)


def _spread(values, shape, what: str, dtype=float) -> np.ndarray:
    """Returns numbers in this shape, as NumPy spreads them."""
    try:
        return np.ascontiguousarray(np.broadcast_to(np.asarray(values, dtype=dtype), shape))
    except (TypeError, ValueError) as fault:
        raise InputError(f"{what} has shape {np.shape(values)}; {shape}, or what NumPy spreads to it, is allowed.") from fault


def _index(known: List[str], name: str, what: str) -> int:
    if name in known:
        return known.index(name)
    near = difflib.get_close_matches(name, known, 1)
    raise InputError(f'unknown {what} "{name}".' + (f' Did you mean "{near[0]}"?' if near else "") +
                     f' Known: {", ".join(known)}.')
