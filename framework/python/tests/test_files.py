"""Files that a simulation with an output folder writes: those of `scree run`."""

import copy
import csv
import json
import pathlib
import subprocess

import numpy as np
import pytest
import scree
from conftest import PILE, ROOT, has_vtk

CLOCK = {"wall_seconds", "particle_steps_per_second", "stage_seconds"}


def run_by_program(tmp_path, scene, *words):
    file = tmp_path / "pile.json"
    file.write_text(json.dumps(scene))
    subprocess.run([scree.programs.program(), "run", str(file), "--quiet", "--threads", "1", "--out", str(tmp_path / "theirs"), *words],
                   check=True)
    return file


def files_of(folder):
    """Contents by name, but for times of the clock."""
    found = {}
    for path in sorted(pathlib.Path(folder).rglob("*")):
        name = str(path.relative_to(folder))
        if path.is_file() and path.name != ".scree.lock":
            found[name] = path.read_bytes()
            if name == "summary.json":
                found[name] = without_clock(json.loads(found[name]))
            if name == "open_in_paraview.py":
                found[name] = found[name].replace(str(folder).encode(), b"FOLDER")
    return found


def without_clock(value):
    if isinstance(value, dict):
        return {k: without_clock(v) for k, v in value.items() if k not in CLOCK}
    return value


def require_same(ours, theirs):
    a, b = files_of(ours), files_of(theirs)
    assert list(a) == list(b) and len(a) >= 4
    for name in a:
        if name.endswith(".h5"):  # has times of the clock too
            assert future_of(ours / "pile.json", ours / name) == future_of(ours / "pile.json", theirs / name)
        else:
            assert a[name] == b[name], name


def future_of(file, checkpoint):
    """What follows from a checkpoint."""
    sim = scree.Simulation(file.parents[1] / file.name, threads=1)
    sim.load(checkpoint)
    hashes = [sim.time, sim.hash()]
    sim.step(20)
    return [*hashes, sim.hash()]


def with_writers(pile):
    writers = [{"type": "particle-files"}] if not has_vtk() else [{"type": "vtk"}]
    pile["output"] = {"interval": 0.013, "metrics_interval": 0.007, "checkpoint_interval": 0.03, "writers": writers}
    return pile


@pytest.fixture(scope="module")
def theirs(tmp_path_factory):
    """Folder with pile.json, and with the program's run of it in theirs/."""
    folder = tmp_path_factory.mktemp("files")
    run_by_program(folder, with_writers(copy.deepcopy(PILE)))
    return folder


def test_files_are_those_of_the_program(theirs):
    """Names and bytes."""
    with scree.Simulation(theirs / "pile.json", out=theirs / "ours", threads=1) as sim:
        sim.run()
    require_same(theirs / "ours", theirs / "theirs")


def test_files_are_the_same_however_time_goes_on(theirs):
    sim = scree.Simulation(theirs / "pile.json", out=theirs / "pieces", threads=1)
    assert len(sim.contacts()) == 0 and sim.metrics()["bodies"] == 64
    sim.every(0.0037)(lambda s: s.metrics())
    for _ in range(50):
        sim.step()
    for _ in range(7):
        sim.run(0.0133)
        assert len(sim.contacts()) >= 0
    sim.run_until(0.1)
    require_same(theirs / "pieces", theirs / "theirs")


def test_files_of_a_scene_with_stages_are_those_of_the_program(pile, tmp_path):
    with_writers(pile)
    del pile["run"]["duration"]
    pile["stages"] = [{"name": "fall", "until": {"duration": 0.04}},
                      {"name": "tilt", "change": {"gravity": [3, 0, -9]}, "until": {"duration": 0.05}}]
    file = run_by_program(tmp_path, pile)
    with scree.Simulation(file, out=tmp_path / "ours", threads=1) as sim:
        sim.run_until(0.05)
        sim.run_until(0.09)
    require_same(tmp_path / "ours", tmp_path / "theirs")


def test_a_simulation_that_is_closed_early_is_resumed_by_the_program(theirs):
    tmp_path, file = theirs, theirs / "pile.json"
    sim = scree.Simulation(file, out=tmp_path / "early", threads=1)
    sim.step(701)
    del sim  # closes it too
    assert scree.open(tmp_path / "early").summary["status"] == "interrupted"
    last = sorted((tmp_path / "early/checkpoints").iterdir())[-1]
    assert last.name == "checkpoint_000000701.h5"
    subprocess.run([scree.programs.program(), "run", str(file), "--quiet", "--threads", "1", "--out", str(tmp_path / "early"), "--resume",
                    str(last)], check=True)
    ours, theirs = (files_of(tmp_path / who) for who in ("early", "theirs"))
    assert {n for n in ours if "checkpoints" not in n} == {n for n in theirs if "checkpoints" not in n}
    for name in ours:
        if "checkpoints" not in name and name != "summary.json":
            assert ours[name] == theirs[name], name
    assert ours["summary.json"]["state_hash"] == theirs["summary.json"]["state_hash"]


def test_changes_by_python_are_in_the_files(pile, tmp_path):
    with_writers(pile)
    with scree.Simulation(pile, out=tmp_path / "ours", threads=1) as sim:
        new = sim.bodies.add("bead", "glass", position=[0, 0, 0.15])
        sim.bodies.set("velocity", [0, 0, 1], ids=new)
        sim.run()
    run = scree.open(tmp_path / "ours")
    assert run.summary["status"] == "completed" and (run.metrics["bodies"] == 65).all()
    with open(tmp_path / "ours/metrics.csv", encoding="utf-8") as table:
        assert len(list(csv.reader(table))) == len(run.metrics) + 1


def test_time_goes_on_only_until_files_are_closed(pile, tmp_path):
    sim = scree.Simulation(pile, out=tmp_path / "ours", threads=1)
    snapshot = sim.snapshot()
    sim.step(10)
    with pytest.raises(scree.InputError, match="goes on in time only"):
        sim.restore(snapshot)
    sim.close()
    sim.restore(snapshot)
    sim.step(10)
    assert scree.open(tmp_path / "ours").summary["steps"] == 10


def test_a_run_that_fails_says_so_in_its_summary(pile, tmp_path):
    sim = scree.Simulation(pile, out=tmp_path / "ours", threads=1)
    sim.step(600)
    sim.bodies.set("velocity", [1e9, 0, 0], ids=[0])
    with pytest.raises(scree.NumericalError, match="was saved in"):
        sim.step(100)
    assert scree.open(tmp_path / "ours").summary["status"] == "failed"


def test_folders_are_claimed_at_once(pile, tmp_path):
    sim = scree.Simulation(pile, out=tmp_path / "ours", threads=1)
    with pytest.raises(scree.IoError, match="another run"):
        scree.Simulation(pile, out=tmp_path / "ours", threads=1)
    with pytest.raises(scree.InputError, match="empty name"):
        scree.Simulation(pile, out="", threads=1)
    sim.close()


def test_laws_in_python_write_files_and_pictures(pile, tmp_path):
    class Spring(scree.Law):
        stiffness = 5000.0

        def force(self, c):
            c.force[:] = (self.stiffness * c.overlap)[:, None] * c.normal

    with_writers(pile)["interactions"][0]["law"] = Spring(stiffness=6000)
    sim = scree.Simulation(pile, out=tmp_path / "ours", threads=2)
    sim.run_until(0.05)
    if has_vtk():
        sim.render(tmp_path / "a.png")
        assert (tmp_path / "a.png").stat().st_size > 1000
    del sim
    law = json.loads((tmp_path / "ours/scene.json").read_text())["interactions"][0]["law"]
    assert law == {"type": "Spring", "stiffness": 6000}
    assert np.isfinite(scree.open(tmp_path / "ours").metrics["kinetic_energy_J"]).all()


def test_the_program_runs_the_scene_of_a_dict(pile, tmp_path):
    """The scene that is written runs elsewhere: shapes from functions are in it."""
    pile["shapes"]["bead"] = scree.shape3d(lambda u: 0.005 * (1 + 0.1 * u[:, 2] ** 2))
    pile["bodies"][0]["packing"].update(counts=[2, 2, 1])
    with scree.Simulation(with_writers(pile), out=tmp_path / "ours", threads=1) as sim:
        sim.run_until(0.02)
        end = sim.hash()
    subprocess.run([scree.programs.program(), "run", str(tmp_path / "ours/scene.json"), "--quiet", "--set", "/run/duration=0.02", "--out",
                    str(tmp_path / "theirs")], check=True, cwd=ROOT)
    assert scree.open(tmp_path / "theirs").summary["state_hash"] == end
