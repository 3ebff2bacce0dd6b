"""Tries out a shape and a contact law that scree does not have: eggs that stick by bridges of liquid.

    ./scree python examples/python/prototype.py [PICTURE]

A column of eggs falls apart on a floor, dry and then wet. The shape is a function of the angle, the law a class with
formulas of NumPy. With --quick it runs for a moment only, as a test.
"""

import sys

import numpy as np
import scree


def egg(angle):
    """Outline [m]: radius at angles [rad]."""
    return 0.004 * (1 + 0.16 * np.cos(angle) + 0.12 * np.cos(2 * angle))


class Bridges(scree.Law):
    """Spring, dashpot and friction; where two have touched, a bridge pulls until it breaks at a gap."""

    needs = ("mass", "turn")
    history = 4                  # spring of friction (3) [m], and whether there is a bridge
    stiffness = 400.0            # [N/m]
    damping = 0.2                # as a part of the critical one [-]
    friction = 0.4
    pull = 0.0                   # [N]
    range = 0.0006               # gap at which a bridge breaks [m]

    def force(self, c):
        touching, bridge = c.overlap > 0, (c.overlap > 0) | (c.history[:, 3] > 0)
        closing = -c.dot(c.velocity, c.normal)
        dashpot = 2 * self.damping * np.sqrt(self.stiffness * c.mass)
        push = np.where(touching, np.maximum(self.stiffness * c.overlap + dashpot * closing, 0), 0)
        spring = c.carried(c.history[:, :3]) + c.dt * c.tangential(c.velocity)
        size = np.sqrt(np.maximum(c.dot(spring, spring), 1e-300))
        cut = np.minimum(self.friction * push / (self.stiffness / 2 * size), 1)[:, None]
        c.history[:, :3] = cut * spring
        c.history[:, 3] = bridge
        c.force[:] = (push - self.pull * bridge)[:, None] * c.normal - self.stiffness / 2 * cut * spring

    def duration(self, mass, radius):
        return np.pi * np.sqrt(mass / self.stiffness)


SCENE = {
    "name": "eggs", "dimension": 2, "gravity": [0, -9.81],
    "materials": {"egg": {"density": 1000}, "floor": {}},
    "shapes": {"egg": scree.shape(egg, thickness=0.008), "floor": {"type": "half-plane", "normal": [0, 1], "extent": 0.14}},
    "bodies": [
        {"name": "eggs", "shape": "egg", "material": "egg", "orientation": "random", "seed": 3,
         "packing": {"type": "lattice", "lower": [-0.0325, 0.006], "counts": [6, 12], "spacing": 0.0105}},
        {"name": "floor", "shape": "floor", "material": "floor", "fixed": True, "position": [0, 0]},
    ],
    "integrator": {"type": "velocity-verlet", "dt": 5e-5},
    "run": {"duration": 0.6},
}


def heap(law, duration):
    """Returns the simulation at the end, and the height of the heap [m]: twice the mean height of the eggs."""
    scene: scree.Scene = {**SCENE, "interactions": [{"between": ["*", "*"], "law": law}]}
    sim = scree.Simulation(scene)
    sim.run(duration)
    return sim, 2 * sim.bodies["position"][sim.bodies.of("eggs"), 1].mean()


if __name__ == "__main__":
    quick = "--quick" in sys.argv
    for pull in (0.0, 0.02):
        sim, height = heap(Bridges(pull=pull), 0.01 if quick else 0.6)
        print(f"a bridge pulls with {1000 * pull:.0f} mN: the heap is {1000 * height:.0f} mm high")
    if len(sys.argv) > 1 and not quick:
        sim.render(sys.argv[1])
