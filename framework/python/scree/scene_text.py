"""Scenes on their way to the compiled part: dicts become JSON."""

from __future__ import annotations

import json
import os
import re
from typing import Any, List, Mapping

import numpy as np

from . import _core
from .errors import Error, InputError
from .law import SceneLaws, is_law


def sets_of(changes: Mapping[str, object], laws: SceneLaws) -> List[str]:
    """Returns changes to a scene as the program's ``--set`` has them."""
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


def text_of(scene: Mapping[str, Any], laws: SceneLaws) -> str:
    """Returns a scene as JSON. Laws in Python are replaced by their names."""
    try:
        return json.dumps(scene, default=lambda v: _as_json(v, laws), allow_nan=False, indent=2)
    except ValueError as fault:
        if isinstance(fault, Error):
            raise
        raise InputError("the scene has a number that is not finite, or holds itself; finite numbers are allowed.") from fault


def opened(file, text, sets, plugins, device, allowed, allow_python, threads, out, laws):
    """Returns the compiled part of a simulation."""
    rest = (sets, plugins, allowed, allow_python, device, threads, out, laws.by_name, laws.schemas())
    if file is not None:
        return _core.open(file, True, "", *rest)
    try:
        return _core.open(text, False, "<dict>", *rest)
    except InputError as error:  # a dict has no lines
        raise InputError(re.sub(r"^<dict>:\d+:\d+", "<dict>", str(error), flags=re.MULTILINE)) from None
