"""The program scree, for what it does best: runs with files, and pictures."""

import os
import pathlib
import shutil
import subprocess

from .errors import Error, InputError, IoError, NumericalError, PluginError

_ERRORS = {1: PluginError, 2: InputError, 3: NumericalError, 4: IoError}


def program() -> str:
    """Returns the path of the program: SCREE_PROGRAM, that of this build or installation, or the one on PATH."""
    here = pathlib.Path(__file__).parent  # its place, also where files are links
    for folder in list(here.parents)[:4]:
        if os.access(folder / "bin" / "scree", os.X_OK):
            beside = str(folder / "bin" / "scree")
            break
    else:
        beside = None
    found = os.environ.get("SCREE_PROGRAM") or beside or shutil.which("scree")
    if not found:
        raise IoError("the program scree was not found. Build it (./scree build), or name it by SCREE_PROGRAM.")
    return found


def run_program(*words: str) -> str:
    """Runs the program and returns what it printed. What it reports as a fault is raised."""
    done = subprocess.run([program(), *words], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise _ERRORS.get(done.returncode, Error)(done.stderr.strip() or f"scree {words[0]} ended with {done.returncode}.")
    return done.stdout
