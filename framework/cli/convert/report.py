"""What became of each line of a deck: taken, approximated, noted or left."""

import json
from dataclasses import dataclass

LEFT = "left"  # the scene lacks it
CHANGED = "changed"  # the scene has something near to it
NOTE = "note"  # it changes no physics, or is there in another form

HEADINGS = {
    LEFT: "Not taken",
    CHANGED: "Taken with a difference",
    NOTE: "Notes",
}
LONGEST_TEXT = 160


class DeckError(Exception):
    """A deck that cannot be read on: where, what, and what to do."""


@dataclass(frozen=True)
class Place:
    """A line of a file of the deck."""

    file: str
    line: int

    def __str__(self):
        return f"{self.file}:{self.line}"


@dataclass(frozen=True)
class Remark:
    """What is to be said of a line."""

    kind: str
    place: Place
    text: str
    reason: str
    advice: str


def printable(text):
    """Returns the text without control characters, shortened."""
    clean = "".join(c if c.isprintable() else "?" for c in " ".join(text.split()))
    return clean if len(clean) <= LONGEST_TEXT else clean[: LONGEST_TEXT - 4] + " ..."


def grouped(remarks, together):
    """Returns remarks by what is said; each alone, or all of the same reason together."""
    groups = {}
    for i, remark in enumerate(remarks):
        reason = f"{remark.reason} {remark.advice}".strip()
        groups.setdefault((reason, None if together else i), []).append(remark)
    return [(reason, group) for (reason, _), group in groups.items()]


class Report:
    """Remarks on lines of a deck, in the order of the deck."""

    def __init__(self):
        self.remarks = []
        self.seen = set()
        self.lines = {}

    def line(self, place):
        """Counts a command of the deck."""
        self.lines.setdefault(place, len(self.lines))

    def add(self, kind, command, reason, advice=""):
        """Adds a remark on a command; the same one twice counts once."""
        remark = Remark(kind, command.place, printable(command.text), reason, advice)
        if remark not in self.seen:
            self.seen.add(remark)
            self.remarks.append(remark)

    def left(self, command, reason, advice):
        self.add(LEFT, command, reason, advice)

    def changed(self, command, reason, advice=""):
        self.add(CHANGED, command, reason, advice)

    def note(self, command, reason, advice=""):
        self.add(NOTE, command, reason, advice)

    def of(self, kind):
        remarks = [remark for remark in self.remarks if remark.kind == kind]
        return sorted(remarks, key=lambda remark: self.lines.get(remark.place, len(self.lines)))

    def whole(self):
        """Returns whether all of the deck was taken."""
        return not self.of(LEFT) and not self.of(CHANGED)

    def counts(self):
        """Returns numbers of lines: all, not taken, taken with a difference."""
        left = {remark.place for remark in self.of(LEFT)}
        changed = {remark.place for remark in self.of(CHANGED)} - left
        return len(self.lines), len(left), len(changed)

    def summary(self):
        lines, left, changed = self.counts()
        if not left and not changed:
            return f"All {lines} commands of the deck were taken."
        return f"Of {lines} commands of the deck {left} were not taken, and {changed} were taken with a difference."

    def text(self):
        """Returns the report as text."""
        parts = [self.summary()]
        for kind, heading in HEADINGS.items():
            remarks = self.of(kind)
            if remarks:
                parts.append(f"\n{heading}:")
            for reason, group in grouped(remarks, kind == NOTE):
                parts += [f"  {remark.place}: {remark.text}" for remark in group]
                parts.append(f"      {reason}")
        return "\n".join(parts) + "\n"

    def json(self):
        """Returns the report as JSON, for programs."""
        lines, left, changed = self.counts()
        remarks = [
            {
                "kind": remark.kind,
                "file": remark.place.file,
                "line": remark.place.line,
                "text": remark.text,
                "reason": remark.reason,
                "advice": remark.advice,
            }
            for kind in HEADINGS
            for remark in self.of(kind)
        ]
        head = {"commands": lines, "left": left, "changed": changed, "whole": self.whole()}
        return json.dumps({**head, "remarks": remarks}, indent=2) + "\n"
