"""Types of the compiled part, for the files beside it alone."""

from typing import Any, Dict, List

version: str

class Snapshot:
    """State of a simulation in memory, by Simulation.snapshot()."""

    @property
    def time(self) -> float: ...
    @property
    def steps(self) -> int: ...
    @property
    def columns(self) -> List[str]: ...

class Core:
    """Simulation in the compiled part."""

    def __getattr__(self, name: str) -> Any: ...

class Rows:
    """Columns of bodies held in place."""

    def __init__(self, core: Core) -> None: ...
    def __getattr__(self, name: str) -> Any: ...

def open(*what: Any) -> Core: ...
def plugins(paths: List[str]) -> List[Dict[str, Any]]: ...
def schema(paths: List[str]) -> str: ...
