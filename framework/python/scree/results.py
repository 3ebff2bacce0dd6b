"""Results of a run: what the program wrote into a folder."""

from __future__ import annotations

import base64
import csv
import json
import os
import pathlib
import struct
import xml.etree.ElementTree as tree
import zlib
from typing import Any, Dict, List, Union

import numpy as np

from .errors import IoError
from .programs import run_program

_TYPES = {"Float32": "<f4", "Float64": "<f8", "Int32": "<i4", "UInt32": "<u4", "Int64": "<i8", "UInt64": "<u8",
          "Int8": "i1", "UInt8": "u1"}


class Frame:
    """Bodies at one time, as the writer ``vtk`` wrote them."""

    def __init__(self, file: pathlib.Path, time: float):
        self.file, self.time = file, time
        self._bodies: Dict[str, np.ndarray] = {}

    @property
    def bodies(self) -> Dict[str, np.ndarray]:
        """Columns of the bodies by name, in the order of ids: (n) or (n, components). Most have single precision."""
        if not self._bodies:
            columns = _read_points(self.file)
            order: Any = np.argsort(columns["id"], kind="stable") if "id" in columns else slice(None)
            self._bodies = {name: values[order] for name, values in columns.items()}
        return self._bodies

    def __repr__(self) -> str:
        return f"<frame at {self.time:g} s>"


class Results:
    """Results of a run in a folder: see open()."""

    def __init__(self, folder: pathlib.Path):
        self.folder = folder

    @property
    def metrics(self) -> np.ndarray:
        """Rows of metrics.csv as a structured array: ``results.metrics["time_s"]``. Columns that joined late are NaN."""
        return _read_table(self.folder / "metrics.csv")

    @property
    def summary(self) -> dict:
        """Figures at the end, of summary.json. :raises IoError: while the run goes on"""
        return _read_json(self.folder / "summary.json")

    @property
    def scene(self) -> dict:
        """Scene as it was run, with all defaults."""
        resolved = self.folder / "scene.resolved.json"
        return _read_json(resolved if resolved.exists() else self.folder / "scene.json")

    @property
    def frames(self) -> List[Frame]:
        """Frames of the bodies that the writer ``vtk`` has written, by time."""
        for name in ("points.pvd", "particles.pvd"):
            file = self.folder / name
            if file.exists():
                sets = tree.fromstring(_bytes_of(file)).iter("DataSet")
                return [Frame(self.folder / d.attrib["file"], float(d.attrib["timestep"])) for d in sets]
        return []

    def data_frame(self):
        """Returns metrics as a pandas.DataFrame. :raises ImportError: without pandas"""
        import pandas  # type: ignore[import]
        return pandas.DataFrame.from_records(self.metrics)

    def render(self, file: Union[str, os.PathLike], *options: str) -> None:
        """Draws a frame into a PNG file. :param options: those of ``scree render``, such as ``"--frame", "3"``"""
        run_program("render", str(self.folder), "--output", os.path.abspath(file), *options)

    def __repr__(self) -> str:
        return f"<results in {self.folder}>"


def open_results(folder: Union[str, os.PathLike]) -> Results:
    """Opens the results of a run, also of one that goes on.

    :raises IoError: for a folder without metrics.csv
    """
    path = pathlib.Path(folder)
    if not (path / "metrics.csv").exists():
        raise IoError(f"{path}: has no metrics.csv; the output folder of a run is expected. `scree run SCENE --out "
                      f"{path}` makes one.")
    return Results(path)


def _bytes_of(file: pathlib.Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as fault:
        raise IoError(f"{file}: cannot be read: {fault.strerror}.") from fault


def _read_json(file: pathlib.Path) -> dict:
    try:
        return json.loads(_bytes_of(file))
    except ValueError as fault:
        raise IoError(f"{file}: is no JSON: {fault}.") from fault


def _read_table(file: pathlib.Path) -> np.ndarray:
    """Reads a table of numbers with a line of names. A last row that is not whole yet is left out."""
    lines = _bytes_of(file).decode().split("\n")[:-1]
    rows = list(csv.reader(lines))
    names, rows = rows[0], [r for r in rows[1:] if r]
    try:
        numbers = [tuple(float(v) if v else np.nan for v in row) + (np.nan,) * (len(names) - len(row)) for row in rows]
        return np.array(numbers, dtype=[(name, float) for name in names])
    except ValueError as fault:
        raise IoError(f"{file}: a row has other numbers than its first line has names: {fault}.") from fault


def _read_points(file: pathlib.Path) -> Dict[str, np.ndarray]:
    """Reads points and their data of a VTK file with binary arrays."""
    try:
        root = tree.fromstring(_bytes_of(file))
        columns = {}
        for piece in root.iter("Piece"):
            points = piece.find("Points/DataArray")
            columns["position"] = _array_of(points)
            for array in piece.iterfind("PointData/DataArray"):
                columns[array.attrib["Name"]] = _array_of(array)
        return columns
    except (tree.ParseError, ValueError, KeyError, struct.error, zlib.error) as fault:
        raise IoError(f"{file}: is no frame of scree: {fault}.") from fault


def _array_of(array) -> np.ndarray:
    """Returns the numbers of one array: base64 of the sizes of blocks, then base64 of the blocks, packed by zlib."""
    text = (array.text or "").strip()
    blocks = struct.unpack("<Q", base64.b64decode(text[:12])[:8])[0] if text else 0
    length = 4 * -(-8 * (3 + blocks) // 3)
    sizes = struct.unpack(f"<{blocks}Q", base64.b64decode(text[:length])[24:]) if blocks else ()
    data, packed, at = b"", base64.b64decode(text[length:]), 0
    for size in sizes:
        data += zlib.decompress(packed[at:at + size])
        at += size
    values = np.frombuffer(data, dtype=_TYPES[array.attrib["type"]]).copy()
    components = int(array.attrib.get("NumberOfComponents", "1"))
    return values.reshape(-1, components) if components > 1 else values
