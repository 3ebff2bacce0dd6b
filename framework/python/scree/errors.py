"""Errors of scree: one class for each exit code of the program."""

import re
from typing import List, NamedTuple, Optional


class Finding(NamedTuple):
    """One fault of an input."""

    place: str
    """File with line and column, or ``<dict>``; empty where the fault has no place."""
    pointer: str
    """JSON pointer of the value in the scene; may be empty."""
    text: str
    """What is wrong, what was given, what is allowed, and what to do."""


_LINE = re.compile(r"^(?P<place>(?:<dict>|[^\s:][^:\n]*:\d+:\d+))(?: (?P<pointer>/\S*))?: (?P<text>.*)$")


def findings_of(message: str) -> List[Finding]:
    """Returns the faults that a message lists, one per line. Lines without a place continue the one before."""
    found: List[Finding] = []
    for line in message.splitlines():
        match = _LINE.match(line)
        if match:
            found.append(Finding(match["place"], match["pointer"] or "", match["text"]))
        elif found:
            found[-1] = found[-1]._replace(text=found[-1].text + "\n" + line)
        else:
            found.append(Finding("", "", line))
    return found


class Error(Exception):
    """Base of all errors of scree."""


class InputError(Error, ValueError):
    """Fault of a scene, or of a value that was given. ``findings`` lists all that were found."""

    @property
    def findings(self) -> List[Finding]:
        """Faults with place, pointer and text."""
        return findings_of(str(self))


class NumericalError(Error, ArithmeticError):
    """Failure of the computation: a body became NaN, left the domain, or a method found no answer.

    The state is then one within a step: restore a snapshot.
    """

    step: Optional[int] = None
    """Number of whole steps that were done before."""


class IoError(Error, OSError):
    """Failure to read or write a file."""


class PluginError(Error, RuntimeError):
    """Breach of its interface by a plugin, or a fault of scree itself."""
