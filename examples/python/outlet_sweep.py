"""Sweeps the width of a silo's outlet, and fits the law of Beverloo to the flow.

    ./scree python examples/python/outlet_sweep.py [PICTURE]

Discs run out of a slot in the floor of a planar silo. Each width runs with several seeds, each run in a process of its
own. With Matplotlib the rates are drawn; pandas prints a table where it is installed. With --quick two short runs, as a
test.
"""

import multiprocessing
import sys

import numpy as np
import scree

DIAMETER, THICKNESS = 0.004, 0.01  # of the discs [m]
HALF = 0.05  # half the silo's width [m]
GRAVITY = 9.81


def scene(width, seed, rows):
    slab = (HALF - width / 2) / 2  # half the length of each part of the floor
    return {
        "name": "outlet", "dimension": 2, "gravity": [0, -GRAVITY],
        "materials": {"grain": {"density": 1000}, "wall": {}},
        "shapes": {
            "disc": {"type": "sphere", "radius": DIAMETER / 2, "thickness": THICKNESS},
            "floor": {"type": "box", "half_sizes": [slab, 0.004]},
            "gate": {"type": "box", "half_sizes": [width / 2, 0.004]},
            "left": {"type": "half-plane", "normal": [1, 0]},
            "right": {"type": "half-plane", "normal": [-1, 0]},
        },
        "bodies": [
            {"name": "grains", "shape": "disc", "material": "grain", "seed": seed, "random_speed": 0.1,
             "scale": {"type": "uniform", "lower": 0.85, "upper": 1.15},
             "packing": {"type": "lattice", "lower": [-HALF + 0.0026, 0.003], "counts": [20, rows], "spacing": 0.0049,
                         "jitter": "free"}},
            {"name": "floor_left", "shape": "floor", "material": "wall", "fixed": True, "position": [-HALF + slab, -0.004]},
            {"name": "floor_right", "shape": "floor", "material": "wall", "fixed": True, "position": [HALF - slab, -0.004]},
            {"name": "gate", "shape": "gate", "material": "wall", "fixed": True, "position": [0, -0.004]},
            {"name": "left", "shape": "left", "material": "wall", "fixed": True, "position": [-HALF, 0]},
            {"name": "right", "shape": "right", "material": "wall", "fixed": True, "position": [HALF, 0]},
        ],
        "interactions": [{"between": ["*", "*"], "law": {"type": "linear", "normal_stiffness": 2000, "restitution": 0.5,
                                                         "tangential": "spring", "tangential_stiffness": 1500,
                                                         "friction": 0.5}}],
        "integrator": {"type": "velocity-verlet", "dt": "auto"},
        "run": {"duration": 10},
    }


def flow(width, seed, rows=40, settle=0.4, picture=None):
    """Returns the flow through an outlet [kg/s], between a fifth and a half of the grains out."""
    sim = scree.Simulation(scene(width, seed, rows), threads=1)
    sim.run(settle)
    sim.bodies.remove(sim.bodies.of("gate"))
    grains = sim.bodies.of("grains")
    mass = sim.bodies["mass"][np.isin(sim.bodies.id, grains)]
    places = np.empty((len(sim.bodies), 3))
    left = []  # time [s] and mass out [kg]

    def out():
        below = sim.bodies.read("position", out=places)[np.isin(sim.bodies.id, grains), 1] < -0.01
        left.append((sim.time, mass[below].sum()))
        return left[-1][1] / mass.sum()

    while out() < 0.5 and sim.time < settle + 3:
        sim.run(0.005)
        if picture and len(left) == 30:
            sim.render(picture)
    time, gone = np.array(left).T
    steady = gone > 0.2 * mass.sum()
    return float(np.polyfit(time[steady], gone[steady], 1)[0]) if steady.sum() > 2 else 0.0


def beverloo(widths, flows, density):
    """Returns C and k of flow = C density thickness sqrt(g) (width - k diameter)^1.5, by a line through flow^(2/3)."""
    slope, start = np.polyfit(widths, np.power(flows, 2 / 3), 1)
    return slope**1.5 / (density * THICKNESS * GRAVITY**0.5), -start / slope / DIAMETER


def draw(file, rows, law):
    """Draws the flows with the law's curve, where Matplotlib is installed."""
    try:
        import matplotlib
    except ImportError:
        return print("Matplotlib is not installed (Debian: python3-matplotlib), so nothing is drawn")
    matplotlib.use("Agg")
    from matplotlib import pyplot
    width, rate = np.array([(1000 * r["width"], r["flow"]) for r in rows]).T
    figure, axes = pyplot.subplots(figsize=(6, 4), dpi=150, layout="constrained")
    x = np.linspace(law[1] * DIAMETER, width.max() / 1000 * 1.05, 100)
    axes.plot(1000 * x, law[0] * 1000 * THICKNESS * GRAVITY**0.5 * (x - law[1] * DIAMETER)**1.5, color="#4878a8", label="Beverloo")
    axes.plot(width, rate, "o", color="#c4442a", label="runs")
    axes.set(xlabel="width of the outlet (mm)", ylabel="flow (kg/s)", xlim=(0, None), ylim=(0, None))
    axes.legend(frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(file)


def main(words):
    quick = "--quick" in words
    widths = [0.03, 0.04] if quick else [0.018, 0.022, 0.026, 0.03, 0.034, 0.038]
    jobs = [(w, s, 10, 0.02) if quick else (w, s) for w in widths for s in ((1,) if quick else (1, 2, 3))]
    with multiprocessing.get_context("spawn").Pool() as pool:
        rows = [{"width": job[0], "seed": job[1], "flow": rate} for job, rate in zip(jobs, pool.starmap(flow, jobs))]
    try:
        import pandas
        print(pandas.DataFrame(rows).groupby("width")["flow"].agg(["mean", "std"]))
    except ImportError:
        for width in widths:
            rates = [r["flow"] for r in rows if r["width"] == width]
            print(f"{1000 * width:.0f} mm: {np.mean(rates):.3f} kg/s, standard deviation {np.std(rates):.3f}")
    law = beverloo([r["width"] for r in rows], [r["flow"] for r in rows], 1000)
    print(f"Beverloo: C = {law[0]:.2f}, k = {law[1]:.2f}")
    pictures = [w for w in words if not w.startswith("--")]
    if pictures:
        draw(pictures[0], rows, law)


if __name__ == "__main__":
    main(sys.argv[1:])
