"""Contact laws in Python, for prototypes."""

from __future__ import annotations

import copy
import difflib
import json
import math
import re
from typing import Dict, Sequence

import numpy as np

from .errors import InputError

_NEEDS = ("mass", "radius", "spin", "turn", "moment")
_MOST_HISTORY = 16


class Contacts:
    """Contacts of one batch, which a Law computes: n of them, as arrays of its own.

    Forces act on b; a gets the opposite. Vectors are in world axes.
    """

    dt: float
    """Time step [s]."""
    overlap: np.ndarray
    """Overlap [m], above 0 where surfaces touch: (n)."""
    normal: np.ndarray
    """Unit normals from a to b: (n, 3)."""
    velocity: np.ndarray
    """Velocity of b relative to a at the contact point [m/s]: (n, 3)."""
    mass: np.ndarray
    """With ``"mass"`` in needs: the mass that sizes dashpots [kg], reduced: (n)."""
    radius: np.ndarray
    """With ``"radius"`` in needs: reduced radius of curvature, 1/(1/R_a + 1/R_b) [m]: (n)."""
    spin: np.ndarray
    """With ``"spin"`` in needs: angular velocity of b relative to a [rad/s]: (n, 3)."""
    turn: np.ndarray
    """With ``"turn"`` in needs: rate at which the contact turns [rad/s]: (n, 3). See carried()."""
    history: np.ndarray
    """What each contact remembers: (n, Law.history). It has the numbers of the last step, 0 in a new contact; force()
    writes those of this step."""
    quantity: Dict[str, np.ndarray]
    """Quantities of contacts that Law.contact_inputs names: (n) each."""
    a: Dict[str, np.ndarray]
    """Columns of body a that Law.body_inputs names: (n) each."""
    b: Dict[str, np.ndarray]
    """Columns of body b that Law.body_inputs names: (n) each."""
    force: np.ndarray
    """To be written: force on b [N]: (n, 3); 0 at first."""
    moment: np.ndarray
    """To be written, with ``"moment"`` in needs: couple on b beside the force [N m]: (n, 3); 0 at first."""
    energy: np.ndarray
    """To be written by Law.energy(): elastic energy [J]: (n); 0 at first."""

    def __init__(self, columns: dict):
        self.__dict__.update(columns)

    def __len__(self) -> int:
        return len(self.overlap)

    def __getattr__(self, name: str):
        if name in _NEEDS:
            raise AttributeError(f'contacts have no {name}, as the law does not ask for it. Add "{name}" to its `needs`.')
        if name == "history":
            raise AttributeError("contacts have no history, as the law does not ask for it. Set its `history` to the number "
                                 "of numbers that a contact remembers.")
        raise AttributeError(f"contacts have no {name}. They have {', '.join(sorted(self.__dict__))}.")

    def dot(self, u: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Returns the scalar products of vectors, (n, 3) each: (n). The same bits whatever other contacts there are."""
        return u[:, 0] * v[:, 0] + u[:, 1] * v[:, 1] + u[:, 2] * v[:, 2]

    def tangential(self, vector: np.ndarray) -> np.ndarray:
        """Returns the parts of vectors across the normals: (n, 3)."""
        return vector - self.dot(vector, self.normal)[:, None] * self.normal

    def carried(self, vector: np.ndarray) -> np.ndarray:
        """Returns tangential vectors of the last step, (n, 3), turned with the contact since. It needs ``"turn"``."""
        angle = self.turn * self.dt
        square = self.dot(angle, angle)
        size = np.sqrt(square)
        once = np.cross(angle, vector)
        sine = np.sinc(size / np.pi)[:, None]
        half = np.sinc(size / (2 * np.pi))[:, None]
        turned = vector + sine * once + 0.5 * half * half * np.cross(angle, once)
        flat, length = self.tangential(turned), self.dot(turned, turned)
        left = np.maximum(self.dot(flat, flat), np.maximum(length * np.finfo(float).eps, np.finfo(float).tiny))
        return np.sqrt(length / left)[:, None] * flat


class Law:
    """Base of contact laws in Python. A class of yours has ``force(self, c)``, and its parameters as attributes:

        class Cubic(scree.Law):
            stiffness = 1e9                                    # [N/m^3]
            def force(self, c):
                c.force[:] = (self.stiffness * c.overlap**3)[:, None] * c.normal

    A scene takes an object of it in place of the law's dict: ``"law": Cubic(stiffness=4e9)``. Attributes that are numbers,
    texts or booleans become options of the law in the scene, under the name of the class. NumPy works on whole batches of
    contacts. Take functions that treat each contact alone, and results have the same bits with any number of threads.

    :param parameters: values of attributes that the class has
    """

    needs: Sequence[str] = ()
    """What force() reads or writes beyond overlap, normal, velocity and force: "mass", "radius", "spin", "turn", "moment"."""
    history: int = 0
    """Number of numbers that each contact remembers, 16 at most. They follow their contacts, also into snapshots."""
    range: float = 0.0
    """Largest gap at which the law still acts [m]. At 0, force() gets contacts with an overlap above 0 alone."""
    contact_inputs: Sequence[str] = ()
    """Quantities of a contact that its detector gives, 4 at most: Contacts.quantity."""
    body_inputs: Sequence[str] = ()
    """Columns of bodies that the law reads, such as temperature, 4 at most: Contacts.a and Contacts.b."""

    def __init__(self, **parameters):
        known = self._parameters()
        for name, value in parameters.items():
            if name not in known:
                near = difflib.get_close_matches(name, known, 1)
                raise InputError(f'{type(self).__name__} has no parameter "{name}".' +
                                 (f' Did you mean "{near[0]}"?' if near else "") +
                                 f" Known: {', '.join(known) or 'none'}. Parameters are attributes of the class.")
            setattr(self, name, value)

    def force(self, c: Contacts) -> None:
        """Writes c.force of each contact [N], and c.moment and c.history where it has them."""
        raise NotImplementedError(f"{type(self).__name__} has no force(self, c).")

    def energy(self, c: Contacts) -> None:
        """Writes c.energy, the elastic energy of each contact [J], from its overlap and the history of now. Default: 0."""

    def duration(self, mass: float, radius: float) -> float:
        """Returns how long a contact lasts [s], of bodies with this reduced mass [kg] and reduced radius [m].

        The time step is judged by it. Default: infinity, then it is not.
        """
        return math.inf

    # For the compiled part.

    def _parameters(self) -> dict:
        """Returns the values of public attributes that are numbers, texts or booleans, by name."""
        found = {}
        for of in [vars(c) for c in reversed(type(self).__mro__) if c is not object and c is not Law] + [vars(self)]:
            for name in of:
                value = getattr(self, name)
                value = value.item() if isinstance(value, np.generic) else value
                if not name.startswith("_") and name not in _OWN and isinstance(value, (bool, int, float, str)):
                    found[name] = value
        return found

    def _interface(self) -> dict:
        """Returns what the law needs, checked. :raises InputError:"""
        where = type(self).__name__
        for name in self.needs:
            if name not in _NEEDS:
                near = difflib.get_close_matches(name, _NEEDS, 1)
                raise InputError(f'{where}.needs names "{name}".' + (f' Did you mean "{near[0]}"?' if near else "") +
                                 f" Allowed: {', '.join(_NEEDS)}.")
        if isinstance(self.needs, str) or not isinstance(self.history, int) or not 0 <= self.history <= _MOST_HISTORY:
            raise InputError(f"{where}.history is {self.history!r} and its needs are {self.needs!r}; a number from 0 to "
                             f"{_MOST_HISTORY} and a tuple of names are allowed.")
        if not (isinstance(self.range, (int, float)) and 0 <= self.range < math.inf):
            raise InputError(f"{where}.range is {self.range!r}; a finite length of 0 or more is allowed [m].")
        for what in ("contact_inputs", "body_inputs"):
            if isinstance(getattr(self, what), str) or len(getattr(self, what)) > 4:
                raise InputError(f"{where}.{what} is {getattr(self, what)!r}; a tuple of at most 4 names is allowed.")
        if type(self).force is Law.force:
            raise InputError(f"{where} has no force(self, c). Define it: it writes c.force.")
        return {"needs": list(self.needs), "history": self.history, "range": float(self.range),
                "has_energy": type(self).energy is not Law.energy, "contact_inputs": list(self.contact_inputs),
                "body_inputs": list(self.body_inputs)}

    def _with(self, options: str) -> "Law":
        """Returns the law with options of the scene: itself where they are its own."""
        own, wanted = self._parameters(), json.loads(options)
        changed = {name: wanted[name] for name in own if wanted.get(name, own[name]) != own[name]}
        if not changed:
            return self
        law = copy.copy(self)
        for name, value in changed.items():
            setattr(law, name, value)
        return law

    def _force(self, columns: dict) -> tuple:
        n = len(columns["overlap"])
        c = Contacts(columns)
        c.force = np.zeros((3, n)).T
        if "moment" in self.needs:
            c.moment = np.zeros((3, n)).T
        self.force(c)
        return (self._checked("force", c.force, (n, 3)), self._checked("moment", c.moment, (n, 3)) if "moment" in self.needs
                else None, self._checked("history", c.history, (n, self.history)) if self.history else None)

    def _energy(self, columns: dict) -> np.ndarray:
        n = len(columns["overlap"])
        c = Contacts(columns)
        c.energy = np.zeros(n)
        self.energy(c)
        return self._checked("energy", c.energy, (n,))

    def _duration(self, mass: float, radius: float) -> float:
        duration = self.duration(mass, radius)
        if not isinstance(duration, (int, float)) or not duration > 0:
            raise InputError(f"{type(self).__name__}.duration() has returned {duration!r}; a number above 0 is allowed [s].")
        return float(duration)

    def _checked(self, name: str, values, shape: tuple) -> np.ndarray:
        try:
            return np.broadcast_to(np.asarray(values, dtype=float), shape)
        except (TypeError, ValueError) as fault:
            raise InputError(f"{type(self).__name__} has set c.{name} to shape {np.shape(values)}; {shape}, or what NumPy "
                             "spreads to it, is allowed.") from fault


_OWN = {name for name in vars(Law) if not name.startswith("_")}


class SceneLaws:
    """Laws in Python that a scene has, by the names that they get in it."""

    def __init__(self):
        self.by_name: Dict[str, Law] = {}

    def add(self, law) -> dict:
        """Returns the law's part of the scene as a dict: its name as ``type``, and its parameters."""
        law = law() if isinstance(law, type) else law
        law._interface()
        name = next((n for n, known in self.by_name.items() if known is law), None)
        if name is None:
            name = type(law).__name__
            number = 2
            while name in self.by_name:
                name, number = f"{type(law).__name__}-{number}", number + 1
            self.by_name[name] = law
        return {"type": name, **law._parameters()}

    def replaced(self, text: str) -> str:
        """Returns text of JSON with other laws in place of those in Python, for a program that only shows bodies."""
        for name in self.by_name:
            text = re.sub(r'\{\s*"type": "' + re.escape(name) + r'"[^{}]*\}', '{"type": "linear", "normal_stiffness": 1}', text)
        return text

    def schemas(self) -> str:
        """Returns the schemas of all laws, as the schema.json of a plugin."""
        kinds = {bool: "boolean", int: "number", float: "number", str: "string"}
        return json.dumps({
            f"law/{name}": {
                "type": "object", "x-scree-faces": ["force/1"],
                "description": (type(law).__doc__ or "").strip().split("\n")[0] or "Law in Python.",
                "properties": {key: {"type": kinds[type(value)], "default": value, "description": "Parameter of the law in Python."}
                               for key, value in law._parameters().items()},
                "additionalProperties": False}
            for name, law in self.by_name.items()})


def is_law(value) -> bool:
    """Returns whether a value of a scene is a law in Python, or the class of one."""
    return isinstance(value, Law) or (isinstance(value, type) and issubclass(value, Law))
