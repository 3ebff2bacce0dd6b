"""Calibrates friction: which coefficient lets a heap of spheres stand at 22 degrees?

    ./scree python examples/python/repose_angle.py [TARGET [PICTURE]]

A gate is taken away from a column of spheres between two walls. The slope of what stays is measured, and friction is
found by bisection. With --quick one small column collapses for a moment, as a test.
"""

import sys

import numpy as np
import scree

GRAIN = 0.003  # radius [m]
LENGTH, WIDTH = 0.2, 0.015  # of the box [m]


def scene(friction, counts):
    return {
        "name": "repose_angle", "dimension": 3, "gravity": [0, 0, -9.81],
        "materials": {"grain": {"density": 2500}, "wall": {}},
        "shapes": {
            "grain": {"type": "sphere", "radius": GRAIN},
            "box": {"type": "box", "half_sizes": [LENGTH / 2, WIDTH / 2, 0.1], "inside": True},
            "gate": {"type": "half-space", "normal": [-1, 0, 0], "extent": 0.1},
        },
        "bodies": [
            {"name": "grains", "shape": "grain", "material": "grain", "seed": 1,
             "packing": {"type": "lattice", "lower": [0.004, -WIDTH / 2 + 0.004, 0.004], "counts": counts,
                         "spacing": 0.0067, "jitter": "free"}},
            {"name": "box", "shape": "box", "material": "wall", "fixed": True, "position": [LENGTH / 2, 0, 0.1]},
            {"name": "gate", "shape": "gate", "material": "wall", "fixed": True,
             "position": [0.008 + 0.0067 * (counts[0] - 1), 0, 0.05]},
        ],
        "interactions": [{"between": ["*", "*"],
                          "law": {"type": "linear", "normal_stiffness": 1000, "restitution": 0.4,
                                  "tangential": "spring", "tangential_stiffness": 700, "friction": friction,
                                  "rolling": {"model": "elastic-plastic", "friction": 0.3 * friction}}}],
        "integrator": {"type": "velocity-verlet", "dt": 4e-5},
        "run": {"duration": 5},
    }


def slope(position):
    """Returns the slope of the surface [degrees]: a line through the highest grain of each slice."""
    slices = np.arange(0, LENGTH, 4 * GRAIN)
    of = np.digitize(position[:, 0], slices)
    tops = [(position[of == k, 0].mean(), position[of == k, 2].max()) for k in np.unique(of) if (of == k).sum() >= 3]
    x, z = np.array([t for t in tops if t[1] > 3 * GRAIN]).T
    return np.degrees(np.arctan(-np.polyfit(x, z, 1)[0])) if len(x) > 1 else 0.0


def heap(friction, counts=(8, 2, 20), quick=False):
    """Lets the column collapse, and returns the simulation at rest."""
    sim = scree.Simulation(scene(friction, list(counts)))
    sim.run(0.01 if quick else 0.15)
    sim.bodies.remove(sim.bodies.of("gate"))
    sim.run(0.01 if quick else 0.4)
    while not quick and sim.metrics()["kinetic_energy_J"] > 1e-7 and sim.time < 2:
        sim.run(0.05)
    return sim


def grains(sim):
    return sim.bodies["position"][sim.bodies.group == sim.bodies.names.index("grains")]


def calibrate(target, low=0.05, high=1.0, rounds=6):
    """Returns the friction at which the heap has this slope [degrees], and its simulation."""
    for _ in range(rounds):
        friction = (low + high) / 2
        sim = heap(friction)
        angle = slope(grains(sim))
        print(f"friction {friction:.3f}: {angle:.1f} degrees, at rest after {sim.time:.2f} s")
        low, high = (friction, high) if angle < target else (low, friction)
    return friction, sim


if __name__ == "__main__":
    if "--quick" in sys.argv:
        print(f"{slope(grains(heap(0.5, (4, 2, 5), quick=True))):.1f} degrees")
    else:
        words = sys.argv[1:]
        best, last = calibrate(float(words[0]) if words else 22.0)
        print(f"calibrated: friction {best:.3f}")
        if len(words) > 1:
            last.render(words[1], "--colour", "coordination")
