"""Simulation of one scene, stepped from Python."""

from __future__ import annotations

import contextlib
import difflib
import math
import os
import re
import tempfile
import weakref
from typing import Any, Callable, Dict, Iterable, List, Mapping, NamedTuple, Optional, Union

import numpy as np

from . import _core
from .bodies import Bodies, _spread
from .callbacks import Every, interrupts_between_batches
from .errors import InputError, NumericalError
from .law import SceneLaws
from .numbers import count_of, number_of
from .pictures import Picture, html_of
from .programs import run_program
from .progress import Progress
from .rows import Rows
from .scene_text import opened, sets_of, text_of

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
    :param allow_python: lets the scene run its files of Python, by its hooks ``python``
    :raises InputError: with all faults of the scene
    """

    def __init__(self, scene: Union[str, os.PathLike, Mapping[str, Any]], *, set: Optional[Mapping[str, object]] = None,
                 out: Union[str, os.PathLike, None] = None, threads: int = 0,
                 plugins: Iterable[Union[str, os.PathLike]] = (), device: str = "cpu",
                 allow_paths: Iterable[Union[str, os.PathLike]] = (), allow_python: bool = False):
        if not isinstance(threads, int) or not 0 <= threads <= _MOST_THREADS:
            raise InputError(f"threads is {threads!r}; 1 to {_MOST_THREADS} are allowed, or 0 for all cores.")
        if not isinstance(device, str):
            raise InputError(f"device is {device!r}; the name of an engine, such as \"cpu\", is allowed.")
        for name, given in (("plugins", plugins), ("allow_paths", allow_paths)):
            if isinstance(given, (str, os.PathLike)):
                raise InputError(f"{name} is {given!r}; a list of folders or files is allowed.")
        if out is not None and not os.fspath(out):
            raise InputError("out is an empty name. Name a folder, or leave it out: then no file is written.")
        self._file = None if isinstance(scene, Mapping) else os.fspath(scene)
        self._laws = SceneLaws()
        self._text = text_of(scene, self._laws) if isinstance(scene, Mapping) else ""
        self._sets = sets_of(set or {}, self._laws)
        self._allow_python = bool(allow_python)
        self._plugins, self._allowed = [os.fspath(p) for p in plugins], [os.fspath(p) for p in allow_paths]
        self._core = opened(self._file, self._text, self._sets, self._plugins, device, self._allowed, self._allow_python, threads,
                             "" if out is None else os.fspath(out), self._laws)
        if out is not None:
            weakref.finalize(self, self._core.close)
        self._begin_python()

    def _begin_python(self) -> None:
        self._fills: Dict[str, float] = {}
        self._callbacks: List[Every] = []
        self._calling = False
        self._looked_at_laws = False
        self.bodies = Bodies(self._core, self._fills)

    @classmethod
    def _of_hook(cls, core) -> "Simulation":
        """Returns the simulation that functions of a hook ``python`` get."""
        sim = cls.__new__(cls)
        sim._core, sim._laws = core, SceneLaws()
        sim._begin_python()
        sim._calling = True
        return sim

    @property
    def time(self) -> float:
        """Time [s]."""
        return self._core.time

    @property
    def dt(self) -> float:
        """Time step of the current stage [s]. In a hook it is not known in ``begin()``."""
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
        self._core.gravity = _spread(value, (3,), "gravity").tolist()

    def metrics(self) -> Dict[str, float]:
        """Returns the columns of metrics.csv with their current values, with units in their names.

        In a hook these are the figures that methods keep.
        """
        return dict(self._core.metrics())

    def metric(self, name: str, value: float) -> None:
        """Sets a figure of yours: a column of metrics.csv, kept in snapshots and checkpoints.

        :param name: its name with its unit, such as ``"lid_force_N"``: letters, digits and _
        :param value: the current value, a finite number
        """
        if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]{0,63}", name):
            raise InputError(f"metric() is given the name {name!r}; up to 64 letters, digits and _ are allowed, a letter first.")
        number = number_of("metric()", "the value", value)
        self._core.set_metric(name, number)

    # Time.

    def step(self, count: int = 1) -> None:
        """Advances by ``count`` steps, and calls what is due between them.

        :raises NumericalError: if a body becomes NaN, leaves the domain, or a method finds no answer
        :raises KeyboardInterrupt: after a whole step; the simulation may go on
        """
        if count.__class__ is not int or count < 0:
            count = count_of(count)
        if not self._callbacks and not self._calling and not self._laws.by_name:
            try:
                return self._core.step(count, None)
            except NumericalError as error:
                error.step = self._core.steps
                raise
        self._require_outside()
        self._look_at_laws()
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
            return self.run_until(self.time + number_of("run()", "the duration", duration), progress=progress)
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
        time = number_of("run_until()", "the time", time)
        self._require_outside()
        self._look_at_laws()
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
        if self._core.in_hook:
            raise RuntimeError("a hook of a scene cannot use every(): the run calls it by its \"interval\".")
        if not (isinstance(interval, (int, float)) and 0 < interval < math.inf):
            raise InputError(f"every() is given the interval {interval}; a finite one above 0 is allowed [s].")

        def add(function):
            callback = Every(function, interval)
            callback.go_on(self._core)
            self._callbacks.append(callback)
            return function

        return add

    def cancel(self, function: Callable) -> None:
        """Ends the calls of a function that every() calls."""
        self._callbacks = [c for c in self._callbacks if c.function is not function]

    def _require_outside(self) -> None:
        if self._core.in_hook:
            raise RuntimeError("a hook of a scene may not step, restore or load the simulation: the run calls it between two steps.")
        if self._calling:
            raise RuntimeError("a callback of every() may not step, restore or load the simulation: it is called between "
                               "two steps of run() or step(). Take a snapshot there, and restore it afterwards.")

    def _look_at_laws(self) -> None:
        """Refuses laws in Python that read columns which nobody has set; once, before the first step."""
        if self._looked_at_laws:
            return
        for law in self._laws.by_name.values():
            unset = self._core.unset_columns(list(law.body_inputs))
            if unset:
                known = [c.name for c in self.bodies.columns() if c.name not in unset and c.components == 1]
                near = difflib.get_close_matches(unset[0], known, 1)
                raise InputError(f'{type(law).__name__}.body_inputs names column "{unset[0]}" of bodies, which nobody has set: it would be '
                                 "0 everywhere." + (f' Did you mean "{near[0]}"?' if near else "") +
                                 f' Make it before the first step: sim.column("{unset[0]}", unit=..., fill=...). Known: {", ".join(known)}.')
        self._looked_at_laws = True

    def _advance(self, function, amount, tell) -> None:
        try:
            if self._laws.by_name:
                with interrupts_between_batches(tell) as look:
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

        Steps afterwards give the same bits as if nothing had been between. Columns that column() has made since the snapshot
        keep their values; bodies that come back have their ``fill``.
        """
        self._require_outside()
        if not isinstance(snapshot, Snapshot):
            raise InputError(f"restore() is given a {type(snapshot).__name__}; what snapshot() has returned is allowed.")
        with self._kept_columns(snapshot.columns):
            self._core.restore(snapshot)
        self._renew()

    @contextlib.contextmanager
    def _kept_columns(self, restored: Iterable[str]):
        """Keeps columns of column() that a restored state does not have."""
        ids = self.bodies.id
        kept = {name: self.bodies[name] for name in self._fills if name not in restored}
        yield
        for name, values in kept.items():
            now = self.bodies.id
            place = np.searchsorted(ids, now)
            there = (place < len(ids)) & (ids[np.minimum(place, len(ids) - 1)] == now) if len(ids) else np.zeros(len(now), bool)
            new = np.full((len(now), *values.shape[1:]), self._fills[name])
            new[there] = values[place[there]]
            self.bodies.set(name, new)

    def save(self, file: Union[str, os.PathLike]) -> None:
        """Saves a checkpoint, which runs can resume and simulations load. :raises IoError: if it cannot be written"""
        self._core.save(os.fspath(file))

    def load(self, file: Union[str, os.PathLike]) -> None:
        """Loads a checkpoint of this scene, with the columns that column() has made here.

        :raises InputError: if it is of another scene; nothing has changed then
        :raises IoError: if it lacks a column; nothing has changed then
        """
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
        if self._core.in_hook:
            return self._walls_of_hook()
        values = self.metrics()

        def vector(name, what, unit):
            return np.array([values.get(f"{name}_{what}_{axis}_{unit}", 0.0) for axis in "xyz"])

        names = [n for n in self.bodies.names if any(f"{n}_force_{axis}_N" in values for axis in "xyz")]
        return {n: Wall(vector(n, "force", "N"), vector(n, "torque", "N_m"), values.get(f"{n}_power_W")) for n in names}

    def _walls_of_hook(self) -> Dict[str, Wall]:
        bodies = self.bodies
        held, group = bodies["kind"] != 0, bodies.group
        forces, torques = bodies["force"], bodies["torque"]

        def total(of, values):
            return np.array([math.fsum(x) for x in values[of].T])

        of_walls = {bodies.names[g]: held & (group == g) for g in np.unique(group[held])}
        return {name: Wall(total(of, forces), total(of, torques), None) for name, of in of_walls.items()}

    # Pictures.

    def render(self, file: Union[str, os.PathLike], *options: str) -> None:
        """Draws the present state into a PNG file, by the program's ``scree render``.

        Columns of column() cannot be chosen as colours.

        :param options: further options of that command, such as ``"--contacts"``
        """
        with tempfile.TemporaryDirectory() as folder:
            self._write_frame(folder, options)
            run_program("render", folder, "--output", os.path.abspath(file), *options)

    def show(self, *options: str) -> Picture:
        """Returns the picture of render() for a cell of a notebook."""
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "picture.png")
            self.render(file, *options)
            with open(file, "rb") as picture:
                return Picture(picture.read())

    def _repr_html_(self) -> str:
        """Returns what a notebook shows of a simulation: numbers of its state, and its picture where one can be drawn."""
        return html_of(self)

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
        words += ["--allow-python"] if self._allow_python else []
        run_program("run", file, "--quiet", "--out", folder, "--resume", checkpoint, *words)


def check(scene: Union[str, os.PathLike, Mapping[str, Any]], **options) -> list:
    """Makes all that a run of a scene needs, and returns the faults found: a list of Finding, empty for a good scene.

    :param options: those of Simulation
    """
    try:
        Simulation(scene, **options)
    except InputError as error:
        return error.findings
    return []
