# %% [markdown]
# # A first pile from Python
#
# Ten minutes: a scene, a run, numbers, pictures and a measurement. Open this file as a notebook (Jupyter with jupytext, VS Code,
# Spyder: each `# %%` is a cell), or run it as a script: `./scree python examples/python/first_pile.py`.

# %%
import sys

import numpy as np
import scree

quick = "--quick" in sys.argv  # a test: a moment of everything

# %% [markdown]
# ## 1 The scene
#
# A dict with the keys of a scene file: 6 x 6 x 8 beads of glass above a box without lid. Lengths are in metres.

# %%
scene = {
    "dimension": 3,
    "gravity": [0, 0, -9.81],
    "materials": {"glass": {"density": 2500}, "wall": {}},
    "shapes": {
        "bead": {"type": "sphere", "radius": 0.004},
        "box": {"type": "box", "half_sizes": [0.03, 0.03, 0.1], "inside": True},
    },
    "bodies": [
        {"name": "beads", "shape": "bead", "material": "glass", "seed": 1,
         "packing": {"type": "lattice", "lower": [-0.025, -0.025, 0.01], "counts": [6, 6, 8], "spacing": 0.0098, "jitter": "free"}},
        {"name": "box", "shape": "box", "material": "wall", "fixed": True, "position": [0, 0, 0.1]},
    ],
    "interactions": [
        {"between": ["*", "*"],
         "law": {"type": "linear", "normal_stiffness": 5000, "restitution": 0.5, "tangential": "spring", "tangential_stiffness": 3500,
                 "friction": 0.3}},
    ],
    "integrator": {"type": "velocity-verlet", "dt": 2e-5},
    "run": {"duration": 0.5},
}
print(scree.check(scene) or "the scene has no faults")

# %% [markdown]
# ## 2 A run
#
# `run(0.1)` makes 5000 steps in C++. In a notebook `sim` alone on the last line shows its state and a picture.

# %%
sim = scree.Simulation(scene, set={"/integrator/dt": 2e-5}, threads=2)
sim.run(0.06 if quick else 0.1, progress=True)
print(f"{sim.time:.3f} s, {sim.steps} steps, {len(sim.contacts())} contacts")

# %% [markdown]
# ## 3 Numbers
#
# Columns of bodies are arrays of NumPy, in the order of ids. `of()` gives the ids of one entry of the scene.

# %%
beads = sim.bodies.of("beads")
height = sim.bodies["position"][beads, 2]
speed = np.linalg.norm(sim.bodies["velocity"][beads], axis=1)
print(f"centre of mass at {1000 * height.mean():.1f} mm, fastest bead {speed.max():.2f} m/s")

# %% [markdown]
# ## 4 Something to do between steps
#
# A function with `@sim.every(interval)` is called between steps. This one notes how fast the beads come to rest.

# %%
energy = []


@sim.every(0.01)
def note(sim):
    energy.append((sim.time, sim.metrics()["kinetic_energy_J"]))


sim.run(0.03 if quick else 0.4)
sim.cancel(note)
print(f"kinetic energy fell from {max(e for _, e in energy):.2e} J to {energy[-1][1]:.2e} J")

# %% [markdown]
# ## 5 Do the walls carry the weight?

# %%
weight = 9.81 * sim.bodies["mass"][beads].sum()
load = -sim.walls()["box"].force[2]
print(f"the box carries {load:.3f} N, the beads weigh {weight:.3f} N")

# %% [markdown]
# ## 6 Forces between beads
#
# `contacts()` is a structured array. The largest force is several times the mean: chains of beads carry the load.

# %%
force = np.linalg.norm(sim.contacts()["force"], axis=1)
force = force[force > 0]
print(f"{len(force)} contacts carry load, mean {1000 * force.mean():.1f} mN, largest {1000 * force.max():.1f} mN")

# %% [markdown]
# ## 7 A picture
#
# `sim.show("--contacts")` is the picture in a notebook, `scree.view(sim)` a page to be turned with the mouse. `render` writes a file.

# %%
if len(sys.argv) > 1 and not quick:
    sim.render(sys.argv[1], "--contacts")
# In a notebook: scree.view(sim)

# %% [markdown]
# ## 8 What if?
#
# A snapshot is the whole state. From it gravity is tilted, by a little and by more: how far do the beads move?

# %%
rest = sim.snapshot()
for angle in (5, 20):
    sim.restore(rest)
    before = sim.bodies["position"][beads]
    sim.gravity = 9.81 * np.array([np.sin(np.radians(angle)), 0, -np.cos(np.radians(angle))])
    sim.run(0.005 if quick else 0.1)
    moved = np.linalg.norm(sim.bodies["position"][beads] - before, axis=1)
    print(f"tilted by {angle} degrees: beads move by {1000 * moved.mean():.2f} mm on average")

# %% [markdown]
# ## 9 A sweep
#
# `set` changes one value of the scene. Three frictions, from the same start:

# %%
for friction in (0.0, 0.3, 0.9):
    other = scree.Simulation(scene, set={"/interactions/0/law/friction": friction}, threads=2)
    other.run(0.005 if quick else 0.3)
    print(f"friction {friction}: centre of mass at {1000 * other.bodies['position'][beads, 2].mean():.2f} mm")

# %% [markdown]
# ## 10 Further
#
# - Files for ParaView, metrics and checkpoints: `scree.Simulation(scene, out="out/pile")`
# - Your own contact law, shapes and motions: framework/docs/howto/python.md
# - The same scene for the program: `json.dump(scene, file)`, then `./scree run`
