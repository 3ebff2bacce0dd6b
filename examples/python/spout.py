"""Air that rises through a bed: the drag of a given flow on each bead. The hook of spout.json calls step()."""

import math

import numpy as np

DENSITY, VISCOSITY = 1.2, 1.8e-5  # of air [kg/m^3], [Pa s]


def flow(position, speed, width):
    """Returns the velocity of the air [m/s] at points (n, 3): a flat jet from a slot at x = 0 that widens as it rises."""
    x, height = position[:, 0], np.maximum(position[:, 2], 0)
    wide = width + 0.12 * height
    up = speed * math.sqrt(width) / np.sqrt(wide) * np.exp(-(x / wide) ** 2)
    return np.stack([np.zeros_like(up), np.zeros_like(up), up], axis=1)


def drag(relative, radius):
    """Returns the drag on spheres [N], by Schiller and Naumann, from the velocity of the air relative to them (n, 3)."""
    speed = np.linalg.norm(relative, axis=1)
    reynolds = np.maximum(2 * DENSITY * radius * speed / VISCOSITY, 1e-12)
    stokes = 6 * np.pi * VISCOSITY * radius * (1 + 0.15 * reynolds**0.687)
    return np.where(reynolds < 1000, stokes, 0.44 * DENSITY / 2 * np.pi * radius**2 * speed)[:, None] * relative


def begin(sim):
    sim.column("air_drag", "N")
    sim.metric("top_m", 0)


def step(sim, speed=17.0, width=0.004):
    beads = sim.bodies.of("beads")
    place, velocity, radius = (sim.bodies[name][beads] for name in ("position", "velocity", "radius"))
    force = drag(flow(place, speed, width) - velocity, radius)
    sim.bodies.set("external_force", force, ids=beads)
    sim.bodies.set("air_drag", np.linalg.norm(force, axis=1), ids=beads)
    sim.metric("top_m", place[:, 2].max())
