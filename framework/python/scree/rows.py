"""Views of bodies' columns where they lie in memory, guarded so that none outlives its block."""

from __future__ import annotations

from typing import Any

import numpy as np

from .errors import InputError

#: Columns of a state: writing them moves a body.
STATE = ("position", "orientation_xyzw", "velocity", "angular_velocity")
EXTERNAL = ("external_force", "external_torque")  # columns that integrators add, made when they are first asked for


class View(np.lib.mixins.NDArrayOperatorsMixin):
    """Array over a column's memory, alive inside of its block ``with sim.rows()``.

    It works like an array of NumPy: operators, ufuncs, indices, and functions of NumPy. Outside of the block every use
    raises ReferenceError. ``np.asarray(view)`` is a copy.
    """

    __slots__ = ("_rows", "_name", "_array")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, rows: "Rows", name: str, array: np.ndarray):
        self._rows, self._name, self._array = rows, name, array

    def _read(self) -> np.ndarray:
        self._rows._require_open(self._name)
        return self._array

    def _write(self) -> np.ndarray:
        self._rows._open(self._name)
        return self._array

    @property
    def shape(self):
        """Shape: (bodies) or (bodies, components)."""
        return self._read().shape

    @property
    def dtype(self):
        """Type of the numbers."""
        return self._read().dtype

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return self._read().ndim

    @property
    def size(self) -> int:
        """Number of numbers."""
        return self._read().size

    @property
    def address(self) -> int:
        """Address of the first number in memory."""
        return self._read().__array_interface__["data"][0]

    def __len__(self) -> int:
        return len(self._read())

    def __iter__(self):
        return (self[k] for k in range(len(self)))

    def __repr__(self) -> str:
        if not self._rows._is_open:
            return f"<closed view of {self._name}>"
        return f"View({self._read()!r})"

    def __array__(self, dtype=None, copy=None) -> np.ndarray:
        return np.array(self._read(), dtype=dtype, copy=True)

    def __getitem__(self, key) -> Any:
        array = self._read()
        part = array[_plain(key)]
        if isinstance(part, np.ndarray) and np.may_share_memory(part, array):
            return View(self._rows, self._name, part)
        return part

    def __setitem__(self, key, value) -> None:
        array = self._write()
        array[_plain(key)] = _plain(value)

    def __array_ufunc__(self, ufunc, method, *inputs, out=(), **options):
        if method == "at":  # changes its first argument in place
            first = inputs[0]._write() if isinstance(inputs[0], View) else inputs[0]
            return getattr(ufunc, method)(first, *(_plain(i) for i in inputs[1:]), **options)
        values = [_plain(i) for i in inputs]
        options = {key: _plain(value) for key, value in options.items()}
        if not out:
            return getattr(ufunc, method)(*values, **options)
        targets = tuple(o._write() if isinstance(o, View) else o for o in out)
        getattr(ufunc, method)(*values, out=targets, **options)
        return out[0] if len(out) == 1 else out

    def __array_function__(self, function, types, arguments, options):
        views: list = []
        result = function(*_frozen(arguments, views), **_frozen(options, views))
        return _owned(result, views)

    def copy(self) -> np.ndarray:
        """Returns a copy, which may be kept."""
        return self._read().copy()

    def astype(self, dtype) -> np.ndarray:
        """Returns a copy of another type."""
        return self._read().astype(dtype, copy=True)

    def sum(self, axis=None):
        """Returns the sum."""
        return self._read().sum(axis)

    def mean(self, axis=None):
        """Returns the mean."""
        return self._read().mean(axis)

    def min(self, axis=None):
        """Returns the smallest number."""
        return self._read().min(axis)

    def max(self, axis=None):
        """Returns the largest number."""
        return self._read().max(axis)

    def any(self, axis=None):
        """Returns whether one number is not 0."""
        return self._read().any(axis)

    def all(self, axis=None):
        """Returns whether no number is 0."""
        return self._read().all(axis)


def _plain(value):
    """Returns a value with arrays in place of views."""
    if isinstance(value, View):
        return value._read()
    if isinstance(value, tuple):
        return tuple(_plain(v) for v in value)
    return value


def _frozen(value, views: list):
    """Returns arguments with arrays that may not be written in place of views, which are added to ``views``."""
    if isinstance(value, View):
        array = value._read().view()
        array.flags.writeable = False
        views.append(array)
        return array
    if isinstance(value, (tuple, list)):
        return type(value)(_frozen(v, views) for v in value)
    if isinstance(value, dict):
        return {key: _frozen(v, views) for key, v in value.items()}
    return value


def _owned(value, views: list):
    """Returns a result that holds no memory of the views."""
    if isinstance(value, np.ndarray) and any(np.may_share_memory(value, v) for v in views):
        return value.copy()
    if isinstance(value, (tuple, list)):
        return type(value)(_owned(v, views) for v in value)
    return value


class Rows:
    """Columns of bodies where they lie in memory: ``with sim.rows() as rows``.

    ``rows.position`` is a View of shape (n, 3) [m]. Rows have the order of memory, which changes between steps;
    ``rows.id`` tells which body a row is. Columns of the state may be written: position, velocity, angular_velocity and
    orientation_xyzw, as may external_force, external_torque and columns that Simulation.column() has made. When the block ends, bodies whose state was
    changed are marked as moved. Velocities of fixed bodies, and what a motion gives its bodies, are put back then, and
    InputError is raised.
    """

    _core: Any
    _own: Any
    _held: Any
    _opened: Any
    _views: Any

    def __init__(self, core, own_columns):
        object.__setattr__(self, "_core", core)
        object.__setattr__(self, "_own", own_columns)
        object.__setattr__(self, "_held", None)
        object.__setattr__(self, "_opened", set())
        object.__setattr__(self, "_views", {})

    @property
    def _is_open(self) -> bool:
        return self._held is not None

    def _require_open(self, name: str) -> None:
        if self._held is None:
            raise ReferenceError(
                f'the view of "{name}" is used outside of its block "with sim.rows()", where rows may lie elsewhere. '
                f'Copy what you need inside, or take sim.bodies["{name}"], a copy in the order of ids.')

    def _open(self, name: str) -> None:
        self._require_open(name)
        if name in self._opened:
            return
        allowed = {*STATE, *EXTERNAL, *self._own}
        if name not in allowed:
            raise ValueError(f'column "{name}" is read only. Columns that may be written: {", ".join(sorted(allowed))}.')
        self._held.open(_stored(name))
        self._opened.add(name)

    def __enter__(self) -> "Rows":
        from . import _core
        if self._held is not None:
            raise RuntimeError("these rows are open already: call sim.rows() again.")
        object.__setattr__(self, "_held", _core.Rows(self._core))
        return self

    def __exit__(self, kind, *_) -> None:
        held = self._held
        object.__setattr__(self, "_held", None)
        self._views.clear()
        self._opened.clear()
        fault = held.close()
        if fault and kind is None:
            raise InputError(fault)

    def __getitem__(self, name: str) -> View:
        self._require_open(name)
        if name not in self._views:
            self._views[name] = View(self, name, self._held.view(_stored(name)))
        return self._views[name]

    def __getattr__(self, name: str) -> View:
        if name.startswith("__"):
            raise AttributeError(name)
        if name == "orientation":
            raise AttributeError("memory has quaternions as (x, y, z, w): take rows.orientation_xyzw, or "
                                 'sim.bodies["orientation"], a copy as (w, x, y, z).')
        return self[name]

    def __setitem__(self, name: str, value) -> None:
        view = self[name]
        if value is not view:  # as after rows.velocity += dv, which has written by then
            view[...] = value

    def __setattr__(self, name: str, value) -> None:
        self[name] = value

    def __len__(self) -> int:
        self._require_open("id")
        return len(self.id)


def _stored(name: str) -> str:
    return "orientation" if name == "orientation_xyzw" else name
