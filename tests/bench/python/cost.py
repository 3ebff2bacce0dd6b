"""Measures what Python costs a simulation: ./scree python tests/bench/python/cost.py [--rounds N]

Processor time of one thread, the least of several rounds. The figures stand in framework/docs/developers/python.md.
"""

import argparse
import gc
import time

import numpy as np
import scree

RADIUS = 0.002  # [m]


def bed(count, law=None):
    """Returns a scene of spheres that come to rest on a floor."""
    side = int(np.ceil(count ** (1 / 3)))
    law = law or {"type": "linear", "normal_stiffness": 1000, "restitution": 0.5, "friction": 0.4}
    return {
        "dimension": 3, "gravity": [0, 0, -9.81], "materials": {"grain": {"density": 2500}, "wall": {}},
        "shapes": {"bead": {"type": "sphere", "radius": RADIUS}, "floor": {"type": "half-space", "normal": [0, 0, 1]}},
        "bodies": [
            {"name": "beads", "shape": "bead", "material": "grain",
             "packing": {"type": "lattice", "lower": [0, 0, RADIUS], "counts": [side, side, int(np.ceil(count / side**2))],
                         "spacing": 2.05 * RADIUS}},
            {"name": "floor", "shape": "floor", "material": "wall", "fixed": True}],
        "interactions": [{"between": ["*", "*"], "law": law}],
        "integrator": {"type": "velocity-verlet", "dt": 1e-5},
        "output": {"writers": []}, "run": {"duration": 1},
    }


class Linear(scree.Law):
    """Spring alone."""

    stiffness = 1000.0  # [N/m]

    def force(self, c):
        c.force[:] = (self.stiffness * c.overlap)[:, None] * c.normal


def least(rounds, work, before=lambda: None):
    """Returns the least processor time of some rounds [s]."""
    times = []
    for _ in range(rounds):
        before()
        begin = time.process_time()
        work()
        times.append(time.process_time() - begin)
    return min(times)


def steps_one_by_one(rounds, steps=10_000):
    sim = scree.Simulation(bed(1000), threads=1)
    sim.step(2000)
    start = sim.snapshot()

    def back():
        sim.restore(start)

    def loop(step):
        for _ in range(steps):
            step()

    def every_100_steps():
        called = sim.every(1e-3)(lambda _: None)
        sim.run(steps * 1e-5)
        sim.cancel(called)

    bare = 1e6 * least(rounds, lambda: loop(lambda: sim._core.step(1, None)), back) / steps
    one = 1e6 * least(rounds, lambda: loop(lambda: sim.step(1)), back) / steps
    whole = 1e6 * least(rounds, lambda: sim.step(steps), back) / steps
    run = 1e6 * least(rounds, lambda: sim.run(steps * 1e-5), back) / steps
    called = 1e6 * least(rounds, every_100_steps, back) / steps
    print(f"1000 spheres: {one:.1f} us a step by sim.step(1), of these Python {one - bare:.1f}; {whole:.1f} in one call; "
          f"sim.run() {run:.1f}, {called:.1f} with a callback each 100 steps ({100 * called / run - 100:+.1f} %)")


def columns(rounds, count=1_000_000):
    sim = scree.Simulation(bed(count), threads=1)
    target = np.empty((len(sim.bodies), 3))
    copy = least(rounds, lambda: sim.bodies["position"])
    into = least(rounds, lambda: sim.bodies.read("position", out=target))
    with sim.rows() as rows:
        same = rows.position.address == rows.position.address
    print(f'{count:.0e} bodies: sim.bodies["position"] {1000 * copy:.1f} ms, with out= {1000 * into:.1f} ms; rows in place: {same}')


def memory(number=100):
    sizes = []
    for _ in range(number):
        sim = scree.Simulation(bed(1000), threads=1)
        sim.step(10)
        del sim
        gc.collect()
        with open("/proc/self/statm", encoding="ascii") as file:
            sizes.append(int(file.read().split()[1]) * 4096 / 1e6)
    print(f"memory after 20 and {number} simulations: {sizes[19]:.0f} and {sizes[-1]:.0f} MB")


def law_of_numpy(rounds, steps=1000):
    times, forces = [], []
    for law in (Linear(), {"type": "linear", "normal_stiffness": 1000, "friction": 0}):
        sims = [scree.Simulation(bed(2000, law), threads=1) for _ in range(rounds)]
        left = iter(sims)
        times.append(least(rounds, lambda: next(left).step(steps)))
        forces.append(sims[0].contacts()["force"])
    worst = np.abs(forces[0] - forces[1]).max() / np.abs(forces[1]).max()
    print(f"2000 spheres, {steps} steps, {len(forces[0])} contacts: law in NumPy {times[0]:.2f} s, linear {times[1]:.2f} s; "
          f"forces differ by {worst:.0e} of the largest")


if __name__ == "__main__":
    options = argparse.ArgumentParser()
    options.add_argument("--rounds", type=int, default=7)
    number = options.parse_args().rounds
    steps_one_by_one(number)
    columns(number)
    memory()
    law_of_numpy(number)
