"""Contact laws in Python."""

import copy
import os
import signal
import threading
import traceback

import numpy as np
import pytest
import scree
from conftest import PILE


class Spring(scree.Law):
    """The law "linear", written with NumPy."""

    needs = ("turn",)
    history = 3
    normal_stiffness = 5000.0     # [N/m]
    normal_damping = 0.6          # [N s/m]
    tangential_stiffness = 2500.0
    friction = 0.4

    def force(self, c):
        separation = c.dot(c.velocity, c.normal)
        damped = np.maximum(separation, -c.overlap / max(c.dt, 1e-300))  # no dashpot acted before the contact began
        load = np.maximum(0, self.normal_stiffness * c.overlap - self.normal_damping * damped)
        spring = c.carried(c.history) + c.dt * c.tangential(c.velocity)
        trial = self.tangential_stiffness * spring
        size = np.sqrt(np.maximum(c.dot(trial, trial), np.finfo(float).tiny))
        cut = np.minimum(self.friction * load / size, 1)[:, None]
        c.history[:] = spring * cut
        c.force[:] = load[:, None] * c.normal - cut * trial

    def energy(self, c):
        c.energy[:] = (self.normal_stiffness * c.overlap**2 + self.tangential_stiffness * c.dot(c.history, c.history)) / 2

    def duration(self, mass, radius):
        return np.pi * np.sqrt(mass / self.normal_stiffness)


class Plain(scree.Law):
    stiffness = 5000.0

    def force(self, c):
        c.force[:] = (self.stiffness * c.overlap)[:, None] * c.normal


def with_law(scene, law):
    scene = copy.deepcopy(scene)
    scene["interactions"][0]["law"] = law
    return scene


def lattice(scene, counts, spacing=0.0101):
    """A dense lattice of spheres that fall, touch and slide."""
    scene = copy.deepcopy(scene)
    scene["bodies"][0]["packing"] = {"type": "lattice", "lower": [-0.06, -0.06, 0.006], "counts": counts, "spacing": spacing,
                                     **({"jitter": "free"} if spacing > 0.01 else {})}
    scene["bodies"][0]["random_speed"] = 0.2
    scene["shapes"]["box"]["half_sizes"] = [0.07, 0.07, 0.1]
    return scene


def test_two_thousand_spheres_have_the_forces_of_linear_in_thousand_steps(pile):
    """Forces to 1e-12 of the largest one. Collisions amplify rounding, so that each 50 steps both have the same bodies again."""
    scene = lattice(pile, [13, 13, 12])
    ours, theirs = scree.Simulation(with_law(scene, Spring()), threads=2), scree.Simulation(scene, threads=2)
    worst, most = 0, 0
    for _ in range(20):
        ours.step(50)
        theirs.step(50)
        a, b = ours.contacts(), theirs.contacts()
        assert (a[["a", "b"]] == b[["a", "b"]]).all()
        worst = max(worst, np.abs(a["force"] - b["force"]).max() / np.abs(b["force"]).max())
        most = max(most, len(b))
        energies = [s.metrics()["elastic_energy_J"] for s in (ours, theirs)]
        assert energies[0] == pytest.approx(energies[1], rel=1e-12)
        for column in ("position", "orientation", "velocity", "angular_velocity"):
            values = theirs.bodies[column][:-1]
            for sim in (ours, theirs):  # both: integrators begin anew with bodies that were set
                sim.bodies.set(column, values, ids=sim.bodies.id[:-1])
    print(f"{most} contacts, forces differ by {worst:.1e} of the largest")
    assert most > 1000 and worst < 1e-12


def test_any_number_of_threads_gives_the_same_bits(pile):
    hashes = []
    for threads in (1, 2, 3):
        sim = scree.Simulation(with_law(lattice(pile, [6, 6, 6], 0.0099), Spring()), threads=threads)
        sim.step(30)
        assert len(sim.contacts()) > 200
        sim.step(300)
        hashes.append(sim.hash())
    assert hashes[0] == hashes[1] == hashes[2]


def test_an_error_in_a_law_is_raised_with_its_traceback_and_the_last_state_can_be_restored(pile):
    class Failing(Plain):
        broken = False

        def force(self, c):
            if self.broken:
                raise KeyError("no such grain")
            super().force(c)

    law, state = Failing(), {}
    sim = scree.Simulation(with_law(pile, law), threads=2)

    @sim.every(0.01)
    def keep(s):
        state["good"], state["hash"] = s.snapshot(), s.hash()
        law.broken = s.time > 0.035

    with pytest.raises(KeyError, match="no such grain") as caught:
        sim.run(0.1)
    told = "".join(traceback.format_exception(caught.type, caught.value, caught.tb))
    assert "in force" in told and "test_laws.py" in told
    law.broken = False
    with pytest.raises(scree.InputError, match="the last step failed half-way"):
        sim.step()
    sim.restore(state["good"])
    assert sim.hash() == state["hash"] and sim.time == pytest.approx(0.04)
    sim.cancel(keep)
    sim.run_until(0.1)
    whole = scree.Simulation(with_law(pile, Plain()), threads=1)
    whole.run_until(0.1)
    assert (sim.bodies["position"] == whole.bodies["position"]).all()


def test_history_goes_through_snapshots_and_checkpoints(pile, tmp_path):
    scene = with_law(lattice(pile, [4, 4, 4], 0.0099), Spring())
    sim = scree.Simulation(scene, threads=1)
    sim.step(20)
    assert len(sim.contacts()) > 50
    snapshot = sim.snapshot()
    sim.save(tmp_path / "state.h5")
    sim.step(200)
    end = sim.hash()
    sim.restore(snapshot)
    sim.step(200)
    assert sim.hash() == end
    for law in (Spring(), Spring(friction=0.1)):
        other = scree.Simulation(with_law(scene, law), threads=1)
        if law.friction == 0.4:
            other.load(tmp_path / "state.h5")
            other.step(200)
            assert other.hash() == end
        else:
            with pytest.raises(scree.InputError, match="another scene"):
                other.load(tmp_path / "state.h5")


def test_what_a_law_asks_for_it_gets(pile):
    """Mass, radius, spin, turn, columns of bodies and moments; all are arrays of the law's own."""
    kept = []

    class All(scree.Law):
        needs = ("mass", "radius", "spin", "turn", "moment")
        body_inputs = ("temperature",)

        def force(self, c):
            n = len(c)
            assert c.normal.shape == c.velocity.shape == c.spin.shape == c.turn.shape == (n, 3)
            assert np.allclose(np.linalg.norm(c.normal, axis=1), 1) and (c.overlap > 0).all()
            kept.append(c)
            c.force = 5000 * c.overlap[:, None] * c.normal
            c.moment = -1e-7 * c.spin

    pile["bodies"][0]["packing"].update(spacing=0.0098, jitter=0)
    sim = scree.Simulation(with_law(pile, All()), threads=1)
    sim.column("temperature", "K")
    sim.bodies.set("temperature", 293, ids=sim.bodies.of("beads"))
    sim.bodies.set("angular_velocity", [1, 0, 0], ids=sim.bodies.of("beads"))
    sim.step(400)
    bead = 2500 * 4 / 3 * np.pi * 0.005**3
    every = {name: np.concatenate([getattr(c, name) for c in kept]) for name in ("mass", "radius", "moment")}
    assert every["mass"].min() == pytest.approx(bead / 2) and every["mass"].max() == pytest.approx(bead)
    assert every["radius"].min() == pytest.approx(0.0025) and every["radius"].max() == pytest.approx(0.005)
    assert np.abs(every["moment"]).max() > 0
    assert {t for c in kept for t in np.unique([*c.a["temperature"], *c.b["temperature"]])} == {0.0, 293.0}


def test_a_law_with_range_acts_across_gaps(pile):
    class Pull(Plain):
        range = 0.002

        def force(self, c):
            c.force[:] = (-1e-3 * (c.overlap < 0))[:, None] * c.normal
            assert (c.overlap > -0.002).all()

    scene = with_law(pile, Pull())
    scene["gravity"] = 0, 0, 0
    scene["bodies"][0]["packing"] = {"type": "lattice", "lower": [0, 0, 0.1], "counts": [2, 1, 1], "spacing": 0.011}
    sim = scree.Simulation(scene, threads=1)
    sim.step(10)
    velocity = sim.bodies["velocity"][:2, 0]
    assert velocity[0] == pytest.approx(-velocity[1]) and velocity[0] > 0


def test_parameters_are_options_of_the_scene(pile):
    law = Plain(stiffness=6000)
    sim = scree.Simulation(with_law(pile, law), threads=1)
    changed = scree.Simulation(with_law(pile, law), set={"/interactions/0/law/stiffness": 7000}, threads=1)
    direct = scree.Simulation(with_law(pile, Plain(stiffness=7000)), threads=1)
    by_class = scree.Simulation(with_law(pile, Plain), set={"/interactions/0/law/stiffness": 7000}, threads=1)
    for s in (sim, changed, direct, by_class):
        s.step(1000)
    assert changed.hash() == direct.hash() == by_class.hash() != sim.hash()
    assert law.stiffness == 6000


def test_a_law_replaces_that_of_a_file(tmp_path, pile):
    import json
    (tmp_path / "pile.json").write_text(json.dumps(pile))
    sim = scree.Simulation(tmp_path / "pile.json", set={"/interactions/0/law": Plain()}, threads=1)
    same = scree.Simulation(with_law(pile, Plain()), threads=1)
    sim.step(500)
    same.step(500)
    assert sim.hash() == same.hash()


def test_two_objects_of_a_class_are_two_laws(pile):
    pile["interactions"] = [{"between": ["glass", "glass"], "law": Plain(stiffness=4000)},
                            {"between": ["glass", "wall"], "law": Plain(stiffness=8000)}]
    sim = scree.Simulation(pile, threads=1)
    sim.step(1200)
    contacts = sim.contacts()
    stiffness = np.linalg.norm(contacts["force"], axis=1) / contacts["overlap"]
    on_wall = contacts["b"] == 64
    assert on_wall.any() and not on_wall.all()
    assert stiffness[on_wall] == pytest.approx(8000) and stiffness[~on_wall] == pytest.approx(4000)


class Silent(scree.Law):
    pass


class Misspelt(Plain):
    needs = ("mas",)


class Hungry(Plain):
    history = 17


class Shapeless(Plain):
    def force(self, c):
        c.force = np.zeros((2, len(c) + 1))


class Unasked(Plain):
    def force(self, c):
        c.force[:] = c.mass[:, None] * c.normal


class Endless(Plain):
    def force(self, c):
        c.force[:] = np.inf


class Fickle(Plain):
    def duration(self, mass, radius):
        return "long"


@pytest.mark.parametrize("law, error, text", [
    (Silent, scree.InputError, r"Silent has no force\(self, c\)"),
    (Misspelt, scree.InputError, 'Did you mean "mass"'),
    (Hungry, scree.InputError, "history is 17"),
    (Shapeless, scree.InputError, r"c.force to shape \(2, \d+\); \(\d+, 3\)"),
    (Unasked, AttributeError, 'Add "mass" to its `needs`'),
    (Endless, scree.NumericalError, "the force of a contact with an overlap of"),
    (Fickle, scree.InputError, r"Fickle.duration\(\) has returned 'long'"),
])
def test_mistakes_are_told(pile, law, error, text):
    with pytest.raises(error, match=text):
        scree.Simulation(with_law(pile, law), threads=1).step(2000)


def test_unknown_parameters_are_told():
    with pytest.raises(scree.InputError, match='no parameter "stifness". Did you mean "stiffness"'):
        Plain(stifness=1)


def test_a_time_step_too_long_for_the_law_is_told(pile):
    found = scree.check(with_law(pile, Spring()), set={"/integrator/dt": 5e-3})
    assert found and "not resolved" in found[0].text


def test_ctrl_c_ends_the_run_after_a_step(pile):
    sim = scree.Simulation(with_law(lattice(pile, [6, 6, 6]), Spring()), threads=2)
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        sim.run(100)
    steps, at = sim.steps, sim.snapshot()
    sim.step(50)
    end = sim.hash()
    sim.restore(at)
    sim.step(50)
    assert sim.hash() == end and steps > 0


def test_laws_and_their_simulations_are_given_back(pile):
    import gc
    import weakref
    law = Spring()
    gone = weakref.ref(law)
    sim = scree.Simulation(with_law(pile, law), threads=1)
    sim.step(10)
    del sim, law
    gc.collect()
    assert gone() is None


def test_a_column_that_nobody_has_set_is_refused_before_the_first_step(pile):
    """The law read 0 for every body without a word."""
    class Warm(scree.Law):
        body_inputs = ("temprature", "radius")

        def force(self, c):
            c.force[:] = (c.a["temprature"] * c.overlap)[:, None] * c.normal

    sim = scree.Simulation(with_law(pile, Warm()), threads=1)
    sim.column("temperature", "K", 293)
    for go in (sim.step, sim.run):
        with pytest.raises(scree.InputError, match='Warm.body_inputs names column "temprature" of bodies, which nobody has set: it would be 0 '
                                                   'everywhere. Did you mean "temperature".*sim.column'):
            go()
    assert sim.steps == 0
    sim.column("temprature", "K", 293)
    sim.step()
    assert (sim.bodies["temprature"] == 293).all()
