"""Presses a bed of spheres by a lid whose speed a function of Python corrects: a servo.

    ./scree python examples/python/servo.py [PICTURE]

Every tenth of a millisecond the servo compares the force on the lid with the one it should be, and sets its speed.
With --quick it runs for a moment only, as a test.
"""

import sys

import numpy as np
import scree

TARGET = 20.0  # force on the lid [N]
SCENE = {
    "name": "servo", "dimension": 3, "gravity": [0, 0, -9.81],
    "materials": {"glass": {"density": 2500}, "wall": {}},
    "shapes": {
        "bead": {"type": "sphere", "radius": 0.005},
        "box": {"type": "box", "half_sizes": [0.035, 0.035, 0.1], "inside": True},
        "lid": {"type": "half-space", "normal": [0, 0, -1], "extent": 0.07},
    },
    "bodies": [
        {"name": "beads", "shape": "bead", "material": "glass", "seed": 2,
         "packing": {"type": "lattice", "lower": [-0.027, -0.027, 0.006], "counts": [5, 5, 8], "spacing": 0.0112,
                     "jitter": "free"}},
        {"name": "box", "shape": "box", "material": "wall", "fixed": True, "position": [0, 0, 0.1]},
        {"name": "lid", "shape": "lid", "material": "wall", "motion": {}, "position": [0, 0, 0.1]},
    ],
    "interactions": [{"between": ["*", "*"],
                      "law": {"type": "linear", "normal_stiffness": 20000, "restitution": 0.5, "tangential": "spring",
                              "tangential_stiffness": 14000, "friction": 0.3}}],
    "integrator": {"type": "velocity-verlet", "dt": 2e-5},
    "run": {"duration": 5},
}


def press(duration):
    """Presses for a time [s] and returns the simulation and rows of (time [s], force [N], height of the lid [m])."""
    sim = scree.Simulation(SCENE)
    lid, curve = sim.bodies.of("lid"), []

    @sim.every(1e-4)
    def servo(s):
        force = s.walls()["lid"].force[2]
        speed = np.clip(0.01 * (force - TARGET), -0.2, 0.2)  # up where it presses too hard [m/s]
        s.bodies.drive(lid, [0, 0, speed])
        curve.append((s.time, force, s.bodies["position"][lid[0], 2]))

    sim.run(duration)
    return sim, np.array(curve)


if __name__ == "__main__":
    quick = "--quick" in sys.argv
    sim, curve = press(0.01 if quick else 1.0)
    late = curve[len(curve) * 9 // 10:]
    print(f"force {late[:, 1].mean():.2f} N +- {late[:, 1].std():.2f} N of {TARGET} N, lid at {1000 * late[-1, 2]:.2f} mm")
    if len(sys.argv) > 1 and not quick:
        sim.render(sys.argv[1], "--contacts")
