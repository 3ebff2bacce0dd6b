"""Callbacks between steps."""

import traceback

import numpy as np
import pytest
import scree


def test_a_callback_comes_after_the_steps_nearest_to_multiples(sim):
    steps = []

    @sim.every(0.00233)
    def note(s):
        assert s is sim
        steps.append(s.steps)

    sim.run(0.02)
    assert steps == [round(k * 0.00233 / 5e-5) for k in range(1, 9)]


def test_steps_and_runs_call_alike(pile):
    found = []
    for go in (lambda s: s.run(0.02), lambda s: s.step(400), lambda s: [s.step() for _ in range(400)],
               lambda s: [s.run(0.0013), s.step(300), s.run_until(0.02)]):
        sim, times = scree.Simulation(pile, threads=1), []
        sim.every(0.001)(lambda s: times.append(s.steps))
        sim.every(0.0007)(lambda s: times.append(-s.steps))
        go(sim)
        found.append((times, sim.hash()))
    assert found[0][0][:3] == [-14, 20, -28] and all(f == found[0] for f in found[1:])


@pytest.mark.parametrize("interval", [4e-5, 1e-6, 1e-15])
def test_an_interval_below_a_step_is_every_step(sim, interval):
    steps = []
    sim.every(interval)(lambda s: steps.append(s.steps))
    sim.step(5)
    assert steps == [1, 2, 3, 4, 5]


def test_a_callback_moves_bodies(pile):
    """The work of a constant push is what the bodies gain: v = a t, in steps of the interval."""
    sim = scree.Simulation(pile, threads=1)
    sim.gravity = 0

    @sim.every(0.001)
    def push(s):
        with s.rows() as r:
            r.velocity[r.group == 0] += [0.0, 0.0, 0.001]

    sim.run(0.01)
    assert sim.bodies["velocity"][:64] == pytest.approx(np.tile([0, 0, 0.01], (64, 1)), abs=1e-15)


def test_an_error_ends_the_run_with_its_traceback_and_the_last_state_can_be_restored(sim):
    state = {}

    @sim.every(0.001)
    def fail(s):
        if s.steps >= 60:
            raise KeyError("lost")
        state["snapshot"] = s.snapshot()

    with pytest.raises(KeyError, match="lost") as caught:
        sim.run(0.1)
    assert "in fail" in "".join(traceback.format_exception(caught.type, caught.value, caught.tb))
    assert sim.steps == 60
    sim.cancel(fail)
    sim.restore(state["snapshot"])
    assert sim.steps == 40
    sim.run(0.001)
    assert sim.steps == 60


@pytest.mark.parametrize("what", ["step", "run", "run_until", "restore", "load"])
def test_a_callback_may_not_step(sim, what):
    snapshot = sim.snapshot()
    uses = {"step": lambda s: s.step(), "run": lambda s: s.run(0.1), "run_until": lambda s: s.run_until(1),
            "restore": lambda s: s.restore(snapshot), "load": lambda s: s.load("x.h5")}
    sim.every(0.001)(uses[what])
    with pytest.raises(RuntimeError, match="a callback of every"):
        sim.run(0.01)
    assert sim.steps == 20


def test_after_a_restore_callbacks_come_again(sim):
    times = []
    sim.every(0.001)(lambda s: times.append(s.steps))
    sim.run(0.002)
    snapshot = sim.snapshot()
    sim.run(0.002)
    sim.restore(snapshot)
    sim.run(0.002)
    assert times == [20, 40, 60, 80, 60, 80]


@pytest.mark.parametrize("interval", [0, -1, float("nan"), float("inf"), "1"])
def test_an_interval_must_be_above_zero(sim, interval):
    with pytest.raises(scree.InputError, match="above 0"):
        sim.every(interval)
