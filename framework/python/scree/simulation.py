"""Simulation of one scene, stepped from Python."""

from __future__ import annotations

import contextlib
import json
import math
import os
import re
import signal
import tempfile
import threading
import weakref
from typing import Any, Callable, Dict, Iterable, List, Mapping, NamedTuple, Optional, Union

import numpy as np

from . import _core
from .bodies import Bodies
from .errors import Error, InputError, NumericalError
from .law import SceneLaws, is_law
from .programs import run_program
from .progress import Progress
from .rows import Rows

Snapshot = _core.Snapshot
_MOST_THREADS = 1024


class Wall(NamedTuple):
    """What bodies do to the walls of one entry of the scene's ``bodies``."""

    force: np.ndarray
    """Contact force on them [N]: (3)."""
    torque: np.ndarray
    """Torque on them [N m]: (3); see metrics.csv for its point of reference."""
    power: Optional[float]
    """What they give the bodies they touch [W]; None for walls without a motion."""


class _Every:
    """Callback between steps: it is due after the steps nearest to multiples of its interval."""

    def __init__(self, function, interval: float):
        self.function, self.interval, self.number = function, interval, 1

    @property
    def moment(self) -> float:
        """Time of the next call [s]."""
        return self.number * self.interval

    def go_on(self, core) -> None:
        """Makes the first moment after the present step the next one."""
        self.number = max(1, math.floor(core.time / self.interval))
        ahead = max(1, math.floor(core.dt / (2 * self.interval)))  # many moments may belong to one step
        while core.steps_to(self.moment) <= 0:
            self.number += ahead


class Simulation:
    """Simulation of one scene: bodies, methods and time.

    A process may have several, and threads may work on one each. While one steps, Python's other threads go on. Nothing
    is written unless asked for: without ``out``, observers of the scene are not called.

    :param scene: file of a scene, or a dict with the same keys. Relative names of files in a dict are relative to the
        working folder. A law may be an object of a class of Law
    :param set: changes to the scene, like ``--set`` of the program: ``{"/integrator/dt": 1e-5}``. Values may be such laws
    :param out: folder for the files that ``scree run`` writes: frames, metrics.csv, checkpoints, summary.json. They end with
        the scene's duration, or with close(); time then only goes on, and restore() and load() are refused
    :param threads: number of threads; 0: all cores
    :param plugins: folders and libraries of plugins besides those of the installation
    :param device: what computes: ``cpu``, or an engine of a plugin
    :param allow_paths: folders besides the scene's own whose files it may name
    :raises InputError: with all faults of the scene
    """

    def __init__(self, scene: Union[str, os.PathLike, Mapping[str, Any]], *, set: Optional[Mapping[str, object]] = None,
                 out: Union[str, os.PathLike, None] = None, threads: int = 0,
                 plugins: Iterable[Union[str, os.PathLike]] = (), device: str = "cpu",
                 allow_paths: Iterable[Union[str, os.PathLike]] = ()):
        if not 0 <= threads <= _MOST_THREADS:
            raise InputError(f"threads is {threads}; 1 to {_MOST_THREADS} are allowed, or 0 for all cores.")
        if out is not None and not os.fspath(out):
            raise InputError("out is an empty name. Name a folder, or leave it out: then no file is written.")
        self._file = None if isinstance(scene, Mapping) else os.fspath(scene)
        self._laws = SceneLaws()
        self._text = _text_of(scene, self._laws) if isinstance(scene, Mapping) else ""
        self._sets = _sets_of(set or {}, self._laws)
        self._plugins, self._allowed = [os.fspath(p) for p in plugins], [os.fspath(p) for p in allow_paths]
        self._core = _opened(self._file, self._text, self._sets, self._plugins, device, self._allowed, threads,
                             "" if out is None else os.fspath(out), self._laws)
        if out is not None:
            weakref.finalize(self, self._core.close)
        self._fills: Dict[str, float] = {}
        self._callbacks: List[_Every] = []
        self._calling = False
        self.bodies = Bodies(self._core, self._fills)

    @property
    def time(self) -> float:
        """Time [s]."""
        return self._core.time

    @property
    def dt(self) -> float:
        """Time step of the current stage [s]."""
        return self._core.dt

    @property
    def steps(self) -> int:
        """Number of steps done so far."""
        return self._core.steps

    @property
    def duration(self) -> float:
        """Duration of the scene [s], 0 for one with stages. Nothing ends there."""
        return self._core.duration

    @property
    def stage(self) -> str:
        """Name of the current stage; "" if the scene has none."""
        return self._core.stage

    @property
    def dimension(self) -> int:
        """2 or 3. Vectors have three numbers in both."""
        return self._core.dimension

    @property
    def warnings(self) -> List[str]:
        """Warnings of doubtful values."""
        return self._core.warnings

    @property
    def notes(self) -> List[str]:
        """Facts about shapes from files: sizes, and what was put right."""
        return self._core.notes

    @property
    def gravity(self) -> np.ndarray:
        """Gravity [m/s^2]: (3). Setting it sets its constant part, which is not part of snapshots."""
        return np.array(self._core.gravity)

    @gravity.setter
    def gravity(self, value) -> None:
        self._core.gravity = [float(g) for g in np.broadcast_to(value, 3)]

    def metrics(self) -> Dict[str, float]:
        """Returns the columns of metrics.csv with their current values, with units in their names."""
        return dict(self._core.metrics())

    # Time.

    def step(self, count: int = 1) -> None:
        """Advances by ``count`` steps, and calls what is due between them.

        :raises NumericalError: if a body becomes NaN, leaves the domain, or a method finds no answer
        :raises KeyboardInterrupt: after a whole step; the simulation may go on
        """
        if not self._callbacks and not self._calling and not self._laws.by_name:
            try:
                return self._core.step(count, None)
            except NumericalError as error:
                error.step = self._core.steps
                raise
        self._require_outside()
        while count > 0:
            due = min((self._core.steps_to(c.moment) for c in self._callbacks), default=count)
            steps = max(1, min(count, due))
            self._advance(self._core.step, steps, None)
            count -= steps
            self._call_due()
        return None

    def run(self, duration: Optional[float] = None, *, progress: bool = False) -> None:
        """Advances by ``duration`` [s]; None: to the end of the scene. See run_until()."""
        if duration is not None:
            return self.run_until(self.time + duration, progress=progress)
        if self.duration == 0:
            raise InputError("run() needs a duration [s], since the scene has stages and hence no duration of its own.")
        return self.run_until(self.duration, progress=progress)

    def run_until(self, time: float, *, progress: bool = False) -> None:
        """Advances to the step nearest to ``time`` [s], and calls what is due on the way.

        Steps are made in the compiled part; Python is called when a callback is due.

        :param progress: shows a bar on a terminal
        :raises NumericalError: if a body becomes NaN, leaves the domain, or a method finds no answer
        :raises KeyboardInterrupt: after a whole step; the simulation may go on
        """
        self._require_outside()
        bar = Progress(self.time, time) if progress else None
        tell = (lambda: bar.show(self._core.time)) if bar else None
        try:
            while True:
                moment = min((c.moment for c in self._callbacks), default=math.inf)
                self._advance(self._core.run_until, min(moment, time), tell)
                self._call_due()
                if not moment < time:
                    return
        finally:
            if bar:
                bar.close()

    def every(self, interval: float) -> Callable:
        """Calls a function with the simulation between steps, after the steps nearest to multiples of ``interval`` [s].

        It is a decorator. The first call is the next multiple after now. The function may read and change bodies and
        take snapshots, but not step. What it raises ends run() or step(); the simulation may go on.
        """
        if not (isinstance(interval, (int, float)) and 0 < interval < math.inf):
            raise InputError(f"every() is given the interval {interval}; a finite one above 0 is allowed [s].")

        def add(function):
            callback = _Every(function, interval)
            callback.go_on(self._core)
            self._callbacks.append(callback)
            return function

        return add

    def cancel(self, function: Callable) -> None:
        """Ends the calls of a function that every() calls."""
        self._callbacks = [c for c in self._callbacks if c.function is not function]

    def _require_outside(self) -> None:
        if self._calling:
            raise RuntimeError("a callback of every() may not step, restore or load the simulation: it is called between "
                               "two steps of run() or step(). Take a snapshot there, and restore it afterwards.")

    def _advance(self, function, amount, tell) -> None:
        try:
            if self._laws.by_name:
                with _interrupts_between_batches(tell) as look:
                    function(amount, look)
            else:
                function(amount, tell)
        except NumericalError as error:
            error.step = self._core.steps
            raise

    def _call_due(self) -> None:
        for callback in list(self._callbacks):
            if callback not in self._callbacks or self._core.steps_to(callback.moment) > 0:
                continue
            callback.go_on(self._core)
            self._calling = True
            try:
                callback.function(self)
            finally:
                self._calling = False

    # State.

    def snapshot(self) -> Snapshot:
        """Returns the state in memory, with all that decides the future."""
        return self._core.snapshot()

    def restore(self, snapshot: Snapshot) -> None:
        """Restores a snapshot of this simulation, or of another one of the same scene, back or ahead in time.

        Steps afterwards give the same bits as if nothing had been between.
        """
        self._require_outside()
        self._core.restore(snapshot)
        self._renew()

    def save(self, file: Union[str, os.PathLike]) -> None:
        """Saves a checkpoint, which runs can resume and simulations load. :raises IoError: if it cannot be written"""
        self._core.save(os.fspath(file))

    def load(self, file: Union[str, os.PathLike]) -> None:
        """Loads a checkpoint of this scene. :raises InputError: if it is of another one; nothing has changed then"""
        self._require_outside()
        self._core.load(os.fspath(file))
        self._renew()

    def _renew(self) -> None:
        for callback in self._callbacks:
            callback.go_on(self._core)

    def close(self) -> None:
        """Ends the files in ``out``. Before the end of the scene it saves a checkpoint, with which ``scree run`` resumes.

        The block ``with scree.Simulation(..., out=...) as sim`` closes them too, and so does the end of the program.
        """
        self._core.close()

    def __enter__(self) -> "Simulation":
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def hash(self) -> str:
        """Returns a hash of the bits of all bodies: 16 digits, as ``state_hash`` in summary.json."""
        return f"{self._core.hash():016x}"

    # Bodies and contacts.

    def rows(self) -> Rows:
        """Returns columns of bodies without a copy, for a block ``with sim.rows() as rows``. See Rows."""
        return Rows(self._core, self._fills)

    def column(self, name: str, unit: str = "", fill: float = 0.0, components: int = 1) -> None:
        """Registers a column of numbers for each body, and does nothing if it exists.

        It follows bodies, and is part of snapshots and checkpoints. Bodies that Bodies.add() adds later begin with ``fill``
        too; those that the scene adds begin with 0.

        :param unit: its unit, as text
        :param components: numbers per body; 3 is a vector
        """
        known = {c.name: c for c in self.bodies.columns()}
        if name in known and name not in self._fills and (
                known[name].unit not in ("", unit) or known[name].dtype != np.float64 or known[name].components != components):
            raise InputError(f'column("{name}"): bodies have a column of this name already, in "{known[name].unit}" with '
                             f"{known[name].components} components. Take another name.")
        if not 1 <= components <= 9:
            raise InputError(f'column("{name}"): components is {components}; 1 to 9 are allowed.')
        self._core.make_column(name, unit, components, float(fill))
        self._fills[name] = float(fill)

    def contacts(self) -> np.ndarray:
        """Returns the contacts as a structured array, ordered by (a, b, image, feature).

        Fields: ids a < b, image, feature, overlap [m], normal from a to b, point [m], and force on b [N].
        """
        return self._core.contacts()

    def bonds(self) -> np.ndarray:
        """Returns the bonds as a structured array.

        Fields: ids a and b, entry of the scene's ``bonds``, section [m^2], broken_at [s] (infinity while whole), and what
        their laws report, such as tension.
        """
        return self._core.bonds()

    def walls(self) -> Dict[str, Wall]:
        """Returns force, torque and power of the walls by the name of their entry of ``bodies``."""
        values = self.metrics()

        def vector(name, what, unit):
            return np.array([values.get(f"{name}_{what}_{axis}_{unit}", 0.0) for axis in "xyz"])

        names = [n for n in self.bodies.names if any(f"{n}_force_{axis}_N" in values for axis in "xyz")]
        return {n: Wall(vector(n, "force", "N"), vector(n, "torque", "N_m"), values.get(f"{n}_power_W")) for n in names}

    # Pictures.

    def render(self, file: Union[str, os.PathLike], *options: str) -> None:
        """Draws the present state into a PNG file, by the program's ``scree render``.

        Columns of column() cannot be chosen as colours.

        :param options: further options of that command, such as ``"--contacts"``
        """
        with tempfile.TemporaryDirectory() as folder:
            self._write_frame(folder, options)
            run_program("render", folder, "--output", os.path.abspath(file), *options)

    def show(self, *options: str):
        """Returns the picture of render() for a cell of a notebook."""
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "picture.png")
            self.render(file, *options)
            with open(file, "rb") as picture:
                return Picture(picture.read())

    def _write_frame(self, folder: str, options) -> None:
        """Writes a run of no step from here into a folder: the program's own files."""
        if self.stage:
            raise InputError("render() draws scenes without stages only. Take `scree run` and `scree render`.")
        if self._laws.by_name and "--contacts" in options:
            raise InputError("render(\"--contacts\") draws scenes without laws in Python only: the program does not have them.")
        checkpoint = os.path.join(folder, "state.h5")
        self.save(checkpoint)
        file = self._file
        if file is None:
            file = os.path.join(folder, "python_scene.json")
            with open(file, "w", encoding="utf-8") as out:
                out.write(self._laws.replaced(self._text))
        words = [w for s in self._sets for w in ("--set", self._laws.replaced(s))]
        words += ["--set", f"/run/duration={max(self.time, self.dt)!r}"]
        words += ["--set", "/output/writers=[{\"type\": \"vtk\"}]"]
        words += [w for p in self._plugins for w in ("--plugin-path", p)]
        words += [w for p in (*self._allowed, os.getcwd()) for w in ("--allow-path", p)]
        run_program("run", file, "--quiet", "--out", folder, "--resume", checkpoint, *words)


class Picture:
    """Picture that a notebook shows."""

    def __init__(self, png: bytes):
        self.png = png

    def _repr_png_(self) -> bytes:
        return self.png


def check(scene: Union[str, os.PathLike, Mapping[str, Any]], **options) -> list:
    """Makes all that a run of a scene needs, and returns the faults found: a list of Finding, empty for a good scene.

    :param options: those of Simulation
    """
    try:
        Simulation(scene, **options)
    except InputError as error:
        return error.findings
    return []


@contextlib.contextmanager
def _interrupts_between_batches(tell):
    """Keeps Ctrl-C until a whole step is done, where Python computes within one. Yields what is to be called between batches."""
    if threading.current_thread() is not threading.main_thread() or not callable(signal.getsignal(signal.SIGINT)):
        yield tell
        return
    asked: list = []
    before = signal.signal(signal.SIGINT, lambda *what: asked.append(what))

    def look():
        if tell:
            tell()
        if asked:
            before(*asked.pop())

    try:
        yield look
    finally:
        signal.signal(signal.SIGINT, before)
    if asked:
        before(*asked.pop())


def _sets_of(changes: Mapping[str, object], laws: SceneLaws) -> List[str]:
    return [f"{pointer}={json.dumps(value, default=lambda v: _as_json(v, laws))}" for pointer, value in changes.items()]


def _as_json(value, laws: SceneLaws):
    if is_law(value):
        return laws.add(value)
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise InputError(f"a scene has a value of type {type(value).__name__}: {value!r}. Allowed are dict, list, str, numbers, "
                     "True, False, None, arrays of NumPy, and laws of scree.Law.")


def _text_of(scene: Mapping[str, Any], laws: SceneLaws) -> str:
    try:
        return json.dumps(scene, default=lambda v: _as_json(v, laws), allow_nan=False, indent=2)
    except ValueError as fault:
        if isinstance(fault, Error):
            raise
        raise InputError("the scene has a number that is not finite, or holds itself; finite numbers are allowed.") from fault


def _opened(file, text, sets, plugins, device, allowed, threads, out, laws):
    rest = (sets, plugins, allowed, device, threads, out, laws.by_name, laws.schemas())
    if file is not None:
        return _core.open(file, True, "", *rest)
    try:
        return _core.open(text, False, "<dict>", *rest)
    except InputError as error:  # a dict has no lines
        raise InputError(re.sub(r"^<dict>:\d+:\d+", "<dict>", str(error), flags=re.MULTILINE)) from None
