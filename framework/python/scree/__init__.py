"""scree: discrete element simulations from Python.

    import scree
    sim = scree.Simulation("scene.json")
    sim.run(0.5)
    print(sim.bodies["position"])
"""

import json as _json

from . import _core
from . import programs
from .bodies import Bodies, Column
from .errors import Error, Finding, InputError, IoError, NumericalError, PluginError
from .functions import motion, shape, shape3d
from .law import Contacts, Law
from .pictures import Page, Picture, view
from .results import Frame, Results, open_results as open
from .rows import Rows, View
from .scene_types import Scene
from .simulation import Simulation, Snapshot, Wall, check

__version__ = _core.version
__all__ = ["Bodies", "Column", "Contacts", "Error", "Finding", "Frame", "InputError", "IoError", "Law", "NumericalError", "Page", "Picture",
           "PluginError", "Results", "Rows", "Scene", "Simulation", "Snapshot", "View", "Wall", "check", "motion", "open", "plugins",
           "programs", "schema", "shape", "shape3d", "view"]


def plugins(paths=()):
    """Returns all loaded methods as a list of dicts: kind, name, plugin, version, library, description, schema.

    :param paths: folders and libraries of plugins besides those of the installation
    """
    return [{**method, "schema": _json.loads(method["schema"])} for method in _core.plugins([str(p) for p in paths])]


def schema(paths=()):
    """Returns the JSON Schema of a scene with the options of all loaded methods, as a dict."""
    return _json.loads(_core.schema([str(p) for p in paths]))
