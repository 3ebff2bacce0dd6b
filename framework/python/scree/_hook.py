"""Files of the hook ``python`` of scenes: how they are run, and what their errors say."""

from __future__ import annotations

import json
import os
import sys
import traceback
import types
from typing import Any, Tuple

import numpy as np

from .errors import InputError
from .simulation import Simulation

_programs = 0  # number of files that were run


class Program:
    """File of a hook that was run, with the simulation that its functions get."""

    def __init__(self, core, file: str, function: str, parameters: str):
        global _programs
        _programs += 1
        self._sim = Simulation._of_hook(core)
        self._name = f"scree_hook_{_programs}"
        self._parameters = json.loads(parameters)
        with open(file, "rb") as source:
            code = compile(source.read(), file, "exec")
        module = types.ModuleType(self._name)
        module.__file__ = file
        self._space = vars(module)
        sys.modules[self._name] = module
        folder = os.path.dirname(file)
        if folder not in sys.path:
            sys.path.append(folder)  # modules beside the file
        exec(code, self._space)
        self._step = self._function(function)
        if self._step is None:
            known = sorted(n for n, v in self._space.items() if isinstance(v, types.FunctionType) and not n.startswith("_"))
            raise InputError(f"{file} has no function {function}(). It has: {', '.join(known) or 'none'}.")
        self._begin, self._state, self._restore = (self._function(n) for n in ("begin", "state", "restore"))
        if (self._state is None) != (self._restore is None):
            raise InputError(f"{file} has {'restore' if self._state is None else 'state'}() alone. state() returns what restore(state) "
                             "gets when a run is resumed: define both, or none.")

    def _function(self, name: str):
        found = self._space.get(name)
        return found if callable(found) else None

    def begin(self) -> None:
        """Calls begin(sim), if there is one: it makes columns and figures."""
        if self._begin is not None:
            self._begin(self._sim)
        _flush()

    def call(self) -> None:
        """Calls the function."""
        self._step(self._sim, **self._parameters)
        _flush()

    def save(self) -> str:
        """Returns what state() returns, as text: empty without one."""
        return "" if self._state is None else json.dumps(self._state(), default=_plain)

    def load(self, state: bytes) -> None:
        """Gives a saved state to restore()."""
        if self._restore is None:
            if state:
                raise InputError(f"{self._space['__file__']} has no restore(state), and the checkpoint has a state of its state().")
            return
        try:
            saved = json.loads(state)
        except ValueError as fault:
            raise InputError(f"{self._space['__file__']}: its state in the checkpoint is no JSON. The checkpoint is damaged, or of another "
                             "scene.") from fault
        self._restore(saved)

    def end(self) -> None:
        """Lets go of what the file holds, such as files that it writes."""
        sys.modules.pop(self._name, None)
        self._space.clear()
        _flush()


def told(error: BaseException, file: str) -> Tuple[str, str]:
    """Returns the text of an error with file and line, and the name of its class.

    Frames of this package are left out, except where nothing else is left.
    """
    here = os.path.dirname(os.path.abspath(__file__))
    kind = type(error).__name__
    if isinstance(error, SyntaxError):
        return f"{error.filename or file}:{error.lineno}: {kind}: {error.msg}", kind
    frames = [f for f in traceback.extract_tb(error.__traceback__) if not os.path.abspath(f.filename).startswith(here)]
    text = str(error) if isinstance(error, InputError) else f"{kind}: {error}" if str(error) else kind
    if not frames:
        return text, kind
    last = frames[-1]
    where = f"{last.filename}:{last.lineno}, {last.name}()" if last.name != "<module>" else f"{last.filename}:{last.lineno}"
    via = "".join(f"\n  called from {f.filename}:{f.lineno}, {f.name}" for f in reversed(frames[:-1]))
    return f"{where}: {text}" + (f"\n    {last.line}" if last.line else "") + via, kind


def _plain(value: Any):
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"state() has returned a value of type {type(value).__name__}: {value!r}. Checkpoints keep dicts, lists, texts, "
                    "numbers, booleans and None; arrays of NumPy become lists.")


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
