"""What cells of notebooks show: pictures, and the page of ``scree view``."""

from __future__ import annotations

import base64
import html
import os
import tempfile
from typing import TYPE_CHECKING, Union

from .errors import Error, InputError
from .programs import run_program
from .results import Results

if TYPE_CHECKING:
    from .simulation import Simulation


class Picture:
    """Picture that a notebook shows."""

    def __init__(self, png: bytes):
        self.png = png

    def _repr_png_(self) -> bytes:
        return self.png


class Page:
    """Page of ``scree view`` that a notebook shows: bodies to be turned with the mouse, and a slider of time.

    ``text`` is the page, a file of its own for any browser.
    """

    def __init__(self, text: str, height: int):
        self.text = text
        self.height = height

    def save(self, file: Union[str, os.PathLike]) -> None:
        """Writes the page into a file, which needs no network."""
        with open(file, "w", encoding="utf-8") as out:
            out.write(self.text)

    def _repr_html_(self) -> str:
        return (f'<iframe srcdoc="{html.escape(self.text)}" width="100%" height="{self.height}" style="border: 0" '
                'sandbox="allow-scripts"></iframe>')


def view(what: Union["Simulation", Results, str, os.PathLike], *options: str, height: int = 480) -> Page:
    """Returns the page of ``scree view`` for a cell of a notebook: bodies in 3D, with the frames of a run.

    :param what: a simulation, as it is now; or results of a run: a folder, or what open() has returned
    :param options: further options of that command, such as ``"--colour", "speed"``
    :param height: height in the notebook [pixels]
    :raises InputError: for a folder without frames
    """
    with tempfile.TemporaryDirectory() as folder:
        source = os.fspath(what.folder) if isinstance(what, Results) else what
        if not isinstance(source, (str, os.PathLike)):
            if not hasattr(source, "_write_frame"):
                raise InputError(f"view() is given a {type(source).__name__}; a simulation, or results of a run, is allowed.")
            source._write_frame(folder, options)
            source = folder
        page = os.path.join(folder, "view.html")
        run_program("view", os.fspath(source), "--output", page, *options)
        with open(page, encoding="utf-8") as file:
            return Page(file.read(), height)


def html_of(sim: "Simulation") -> str:
    """Returns what a notebook shows of a simulation."""
    rows = [("time", f"{sim.time:.6g} s"), ("steps", str(sim.steps)), ("time step", f"{sim.dt:.3g} s"), ("bodies", str(len(sim.bodies))),
            ("contacts", str(len(sim.contacts()))), ("hash", sim.hash())]
    if sim.stage:
        rows.insert(2, ("stage", sim.stage))
    table = "".join(f"<tr><th>{html.escape(k)}</th><td>{html.escape(v)}</td></tr>" for k, v in rows)
    try:
        picture = f'<img src="data:image/png;base64,{base64.b64encode(sim.show().png).decode()}" style="max-width: 100%">'
    except Error as error:  # a scene with stages, a build without VTK
        picture = f"<p>{html.escape(str(error))}</p>"
    return f"<table>{table}</table>{picture}"
