"""Time, state and errors of a simulation."""

import ctypes
import gc
import json
import math
import os
import signal
import subprocess
import sys
import threading
import time
import weakref

import numpy as np
import pytest
import scree
from conftest import PILE, ROOT


def test_a_scene_from_a_file_and_from_a_dict_have_the_same_bits(pile, tmp_path):
    file = tmp_path / "pile.json"
    file.write_text(json.dumps(pile))
    from_file, from_dict = scree.Simulation(file, threads=1), scree.Simulation(pile, threads=2)
    for sim in (from_file, from_dict):
        sim.run(0.05)
    assert from_file.hash() == from_dict.hash()
    assert from_file.steps == 1000 and from_file.time == pytest.approx(0.05)


def test_a_run_by_python_ends_with_the_bits_of_the_program(pile, tmp_path):
    file = tmp_path / "pile.json"
    file.write_text(json.dumps(pile))
    scree.programs.run_program("run", str(file), "--quiet", "--out", str(tmp_path / "out"), "--threads", "2")
    sim = scree.Simulation(pile, threads=1)

    @sim.every(0.0031)
    def read(s):
        s.bodies["position"], s.contacts()

    sim.step(7)
    sim.run()
    assert sim.hash() == scree.open(tmp_path / "out").summary["state_hash"]


@pytest.mark.parametrize("call, text", [
    (lambda s: s.step(-3), "step.. is given the count -3; a whole number of 0 or more is allowed"),
    (lambda s: s.step(2.5), "step.. is given the count 2.5"),
    (lambda s: s.step("4"), "step.. is given the count '4'"),
    (lambda s: s.run("1"), "run..: the duration is '1'; a finite number"),
    (lambda s: s.run_until(math.nan), "run_until..: the time is nan"),
    (lambda s: s.run_until([1, 2]), "run_until..: the time is .1, 2."),
    (lambda s: s.restore("start"), "restore.. is given a str; what snapshot.. has returned"),
    (lambda s: s.metric("a b", 1), "metric.. is given the name 'a b'"),
    (lambda s: s.metric("heat_J", math.inf), "metric..: the value is inf"),
    (lambda s: scree.Simulation({}, threads=2.5), "threads is 2.5; 1 to 1024"),
    (lambda s: scree.Simulation({}, device=3), "device is 3; the name of an engine"),
    (lambda s: scree.Simulation({}, plugins="build"), "plugins is 'build'; a list of folders"),
    (lambda s: setattr(s, "gravity", [0, 1]), r"gravity has shape \(2,\); \(3,\)"),
])
@pytest.mark.parametrize("with_callback", [False, True])
def test_what_is_no_number_is_told_in_plain_words(sim, call, text, with_callback):
    """step(-3) showed the signatures of the compiled part, and did nothing where there was a callback."""
    if with_callback:
        sim.every(0.01)(lambda s: None)
    with pytest.raises(scree.InputError, match=text) as caught:
        call(sim)
    assert "_core" not in str(caught.value) and sim.steps == 0
    sim.step(np.int64(3))
    sim.step(0)
    assert sim.steps == 3


def test_a_figure_of_ones_own_is_a_column_of_metrics(pile, tmp_path):
    with scree.Simulation(pile, threads=1, out=tmp_path / "out") as sim:
        sim.metric("load_N", 0)
        sim.every(0.01)(lambda s: s.metric("load_N", s.time))
        sim.run(0.05)
        assert sim.metrics()["load_N"] == sim.time
    assert scree.open(tmp_path / "out").metrics["load_N"][-1] == pytest.approx(0.05, abs=0.011)


def test_a_column_made_after_a_snapshot_keeps_its_values_when_that_is_restored(sim):
    """They became 0."""
    sim.run(0.01)
    snapshot = sim.snapshot()
    sim.bodies.remove([5])
    sim.column("temperature", "K", 293)
    sim.column("pull", "N", 1.5, components=3)
    sim.bodies.set("temperature", 350, ids=[7])
    sim.run(0.01)
    sim.restore(snapshot)
    expected = np.full(65, 293.0)
    expected[7] = 350
    assert (sim.bodies["temperature"] == expected).all()  # body 5 is there again, with the fill
    assert (sim.bodies["pull"] == 1.5).all()
    later = sim.snapshot()
    sim.bodies["temperature"] = 0
    sim.restore(later)
    assert (sim.bodies["temperature"] == expected).all()
    empty = scree.Simulation(PILE, threads=1)
    empty.column("more", fill=2)
    empty.bodies.remove(empty.bodies.id)
    empty.restore(snapshot)
    assert (empty.bodies["more"] == 2).all()


def test_an_example_ends_with_the_bits_of_the_program(tmp_path):
    file = ROOT / "examples/embedded/scene.json"
    scree.programs.run_program("run", str(file), "--quiet", "--out", str(tmp_path / "out"), "--set", "/run/duration=0.1",
                               "--set", "/output/writers=[]")
    sim = scree.Simulation(file, set={"/run/duration": 0.1, "/output/writers": []})
    sim.run()
    assert sim.hash() == scree.open(tmp_path / "out").summary["state_hash"]


def test_set_changes_the_scene(pile):
    sim = scree.Simulation(pile, set={"/integrator/dt": 2e-5, "/gravity": np.array([0, 0, -1.62])})
    assert sim.dt == 2e-5
    assert sim.gravity.tolist() == [0, 0, -1.62]


def test_time_and_figures(sim):
    assert (sim.time, sim.steps, sim.stage, sim.dimension, sim.duration) == (0, 0, "", 3, 0.1)
    sim.run_until(0.01)
    assert sim.steps == 200
    sim.run_until(0.005)  # in the past
    assert sim.steps == 200
    metrics = sim.metrics()
    assert metrics["time_s"] == sim.time and metrics["bodies"] == 64 and metrics["kinetic_energy_J"] > 0
    assert all(isinstance(w, str) for w in sim.warnings)


def test_a_restored_snapshot_gives_the_same_bits(sim):
    sim.run(0.02)
    snapshot = sim.snapshot()
    assert (snapshot.time, snapshot.steps) == (sim.time, sim.steps)
    sim.run(0.02)
    first = sim.hash()
    sim.restore(snapshot)
    sim.run(0.02)
    assert sim.hash() == first


def test_a_checkpoint_goes_on_in_another_simulation(sim, pile, tmp_path):
    sim.column("temperature", "K", 293)
    sim.run(0.02)
    sim.bodies.set("temperature", 400, ids=[3])
    sim.save(tmp_path / "state.h5")
    sim.run(0.02)
    other = scree.Simulation(pile, threads=2)
    other.load(tmp_path / "state.h5")
    other.column("temperature", "K", 293)
    assert other.bodies["temperature"][3] == 400
    other.run(0.02)
    assert other.hash() == sim.hash()
    with pytest.raises(scree.IoError, match="nowhere"):
        other.load("nowhere.h5")
    pile["interactions"][0]["law"]["friction"] = 0.3
    with pytest.raises(scree.InputError, match="scene"):
        scree.Simulation(pile).load(tmp_path / "state.h5")


def test_stages_follow_each_other(pile):
    del pile["run"]
    pile["stages"] = [{"name": "fall", "until": {"duration": 0.01}},
                      {"name": "rest", "until": {"duration": 0.01}, "change": {"integrator": {"dt": 2e-5}}}]
    sim = scree.Simulation(pile)
    sim.column("temperature", "K", 293)
    calls = []
    sim.every(0.002)(lambda s: calls.append((s.time, s.stage)))
    before = sim.bodies["position"]
    assert sim.stage == "fall"
    sim.run(0.015)
    assert sim.stage == "rest" and sim.time == pytest.approx(0.015, abs=1e-12) and sim.dt == 2e-5
    assert np.allclose([c[0] for c in calls], 0.002 * np.arange(1, 8), atol=1e-9)
    assert (sim.bodies["position"][:64, 2] < before[:64, 2]).all()
    assert (sim.bodies["temperature"] == 293).all()
    with pytest.raises(scree.InputError, match="duration"):
        sim.run()


# Errors.


def test_a_fault_in_a_dict_names_place_value_and_what_is_allowed(pile):
    pile["shapes"]["bead"]["radius"] = -0.005
    pile["interactions"][0]["law"]["type"] = "linaer"
    with pytest.raises(scree.InputError) as caught:
        scree.Simulation(pile)
    text = str(caught.value)
    assert "<dict> /shapes/bead/radius" in text and "-0.005" in text and "must be greater than 0" in text
    assert "linaer" in text and 'Did you mean "linear"' in text
    pointers = [f.pointer for f in caught.value.findings]
    assert "/shapes/bead/radius" in pointers and all(f.place == "<dict>" for f in caught.value.findings)
    assert scree.check(pile) == caught.value.findings
    assert isinstance(caught.value, ValueError)


def test_an_unknown_key_is_named(pile):
    pile["gravitee"] = [0, 0, 0]
    (finding,) = scree.check(pile)
    assert "gravitee" in finding.pointer + finding.text and "gravity" in finding.text


def test_a_fault_in_a_file_has_its_line(pile, tmp_path):
    pile["integrator"]["dt"] = 0
    file = tmp_path / "pile.json"
    file.write_text(json.dumps(pile, indent=1))
    (finding,) = scree.check(file)
    assert finding.pointer == "/integrator/dt" and finding.place.startswith(f"{file}:")


def test_a_good_scene_has_no_findings(pile):
    assert scree.check(pile) == []


@pytest.mark.parametrize("value, text", [(math.nan, "finite"), ({1, 2}, "set"), (object(), "object")])
def test_values_that_json_does_not_have_are_refused(pile, value, text):
    pile["gravity"] = value
    with pytest.raises(scree.InputError, match=text):
        scree.Simulation(pile)


def test_wrong_options_are_refused(pile):
    with pytest.raises(scree.InputError, match="threads is -1"):
        scree.Simulation(pile, threads=-1)
    with pytest.raises(scree.InputError, match="no_such_folder"):
        scree.Simulation(pile, plugins=["no_such_folder"])
    with pytest.raises(scree.InputError, match="finite"):
        scree.Simulation(pile).run_until(math.nan)
    with pytest.raises((scree.IoError, scree.InputError), match="no_such.json"):
        scree.Simulation("no_such.json")


def test_a_lost_body_is_a_numerical_error_and_the_state_can_be_restored(sim):
    sim.run(0.01)
    good, bits = sim.snapshot(), sim.hash()
    sim.bodies.set("velocity", [1e6, 0, 0], ids=[0])
    with pytest.raises(scree.NumericalError) as caught:
        sim.run(0.05)
    assert caught.value.step is not None and "body 0" in str(caught.value)
    sim.restore(good)
    assert sim.hash() == bits
    sim.run(0.01)


# Threads, signals, life.


def test_two_simulations_on_two_threads(pile):
    alone = scree.Simulation(pile, threads=1)
    alone.run()
    found = {}

    def work(key):
        sim = scree.Simulation(pile, threads=1)
        sim.run()
        found[key] = sim.hash()

    threads = [threading.Thread(target=work, args=(k,)) for k in range(2)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert found == {0: alone.hash(), 1: alone.hash()}


def test_other_threads_go_on_while_one_steps_and_may_not_use_its_simulation(pile):
    sim = scree.Simulation(pile, threads=1)
    refused, ticks = [], 0
    worker = threading.Thread(target=lambda: sim.run(2.0))
    worker.start()
    while worker.is_alive():
        ticks += 1
        try:
            sim.bodies["position"]
        except RuntimeError as error:
            refused.append(str(error))
        time.sleep(0.001)
    worker.join()
    assert ticks > 10
    assert refused and "another thread" in refused[0]
    assert sim.time == pytest.approx(2.0)


def test_ctrl_c_stops_after_a_step_and_the_simulation_goes_on(pile):
    sim = scree.Simulation(pile, threads=1)
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        sim.run(1000.0)
    assert time.monotonic() - begin < 5
    steps = sim.steps
    assert 0 < steps < 1000 / sim.dt
    other = scree.Simulation(pile, threads=1)
    other.step(steps)
    assert other.hash() == sim.hash()  # a whole step
    sim.step()
    assert sim.steps == steps + 1


def test_simulations_that_are_dropped_leave_no_memory(pile):
    def memory():
        """Memory of the process without what malloc keeps for later [KiB]."""
        gc.collect()
        ctypes.CDLL(None).malloc_trim(0)
        with open("/proc/self/status", encoding="ascii") as status:
            return int(next(line for line in status if line.startswith("VmRSS")).split()[1])

    def use():
        sim = scree.Simulation(pile, threads=1)
        sim.every(1e-3)(lambda s: None)
        sim.step(20)
        sim.snapshot()
        return weakref.ref(sim)

    kept = [scree.Simulation(pile, threads=1) for _ in range(50)]
    before = memory()
    kept.clear()
    one = (before - memory()) / 50
    before = memory()
    for _ in range(100):
        gone = use()
    assert gone() is None
    # Pieces that malloc cannot give back come to 3 simulations at most; a leak would be 100.
    print(f"a simulation takes {one:.0f} KiB; 100 have left {memory() - before} KiB")
    assert memory() - before < 10 * one


def in_a_child(code):
    """Runs code in another process, after lines that make ``go(threads)``. Returns its exit code."""
    head = f"""
import os, sys
sys.path[:0] = {sys.path!r}
import scree
def go(threads):
    sim = make(threads)
    sim.run(0.01)
    return sim.hash()
def make(threads):
    return scree.Simulation({str(ROOT / "examples/embedded/scene.json")!r}, threads=threads, set={{"/output/writers": []}})
"""
    return subprocess.run([sys.executable, "-c", head + code], timeout=120, check=False).returncode


def test_a_forked_child_steps_or_says_why_not():
    assert in_a_child("""
child = os.fork()
if child == 0:
    go(2)
    os._exit(0)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
""") == 0
    assert in_a_child("""
bits, sim = go(2), make(2)
child = os.fork()
if child == 0:
    for attempt in (lambda: go(2), lambda: go(0), lambda: sim.step()):
        try:
            attempt()
            os._exit(1)
        except RuntimeError as error:
            assert "spawn" in str(error)
    os._exit(0 if go(1) == bits else 2)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
""") == 0


def test_a_second_interpreter_is_refused_and_the_first_goes_on(sim):
    import _xxsubinterpreters as interpreters  # of Python before 3.13
    other = interpreters.create()
    with pytest.raises(interpreters.RunFailedError, match="ImportError"):
        interpreters.run_string(other, f"import sys; sys.path[:0] = {sys.path!r}; import scree")
    interpreters.destroy(other)
    sim.step()


# Methods.


def test_plugins_and_schema():
    methods = scree.plugins()
    linear = next(m for m in methods if (m["kind"], m["name"]) == ("law", "linear"))
    assert linear["plugin"] == "compliant" and "normal_stiffness" in linear["schema"]["properties"]
    assert "bodies" in scree.schema()["properties"]
