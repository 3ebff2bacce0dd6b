"""Units of decks: factors to SI."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Units:
    """Factors from a system of units to SI."""

    name: str
    mass: float
    length: float
    time: float

    def of(self, mass=0, length=0, time=0):
        """Returns the factor of a quantity with these dimensions."""
        return self.mass**mass * self.length**length * self.time**time

    @property
    def density(self):
        return self.of(1, -3)

    @property
    def velocity(self):
        return self.of(0, 1, -1)

    @property
    def acceleration(self):
        return self.of(0, 1, -2)

    @property
    def pressure(self):
        return self.of(1, -1, -2)

    @property
    def stiffness(self):
        """Returns the factor of N/m."""
        return self.of(1, 0, -2)

    @property
    def force(self):
        return self.of(1, 1, -2)


SYSTEMS = {
    "si": Units("si", 1.0, 1.0, 1.0),
    "cgs": Units("cgs", 1e-3, 1e-2, 1.0),
    "micro": Units("micro", 1e-15, 1e-6, 1e-6),  # picogram, micrometre, microsecond
    "nano": Units("nano", 1e-21, 1e-9, 1e-9),  # attogram, nanometre, nanosecond
    "lj": Units("lj", 1.0, 1.0, 1.0),
}
