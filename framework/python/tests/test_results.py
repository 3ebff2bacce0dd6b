"""Results that the program has written."""

import copy
import json

import numpy as np
import pytest
import scree
from conftest import PILE, has_vtk


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("run")
    scene = copy.deepcopy(PILE)
    if has_vtk():
        scene["output"]["writers"] = [{"type": "vtk"}]
    (folder / "pile.json").write_text(json.dumps(scene))
    scree.programs.run_program("run", str(folder / "pile.json"), "--quiet", "--out", str(folder / "out"))
    return scree.open(folder / "out")


def test_figures_over_time(run):
    metrics = run.metrics
    assert metrics["time_s"] == pytest.approx(np.arange(0, 0.105, 0.01))
    assert (metrics["bodies"] == 64).all() and metrics["kinetic_energy_J"][0] == 0
    assert run.summary["status"] == "completed" and run.summary["steps"] == 2000
    assert run.scene["integrator"]["dt"] == 5e-5


def test_frames_have_the_bodies_by_id(run, pile):
    if not has_vtk():
        pytest.skip("built without VTK")
    frames = run.frames
    assert [f.time for f in frames] == pytest.approx([0, 0.05, 0.1])
    sim = scree.Simulation(pile)
    for frame in frames:
        sim.run_until(frame.time)
        assert frame.bodies["id"].tolist() == list(range(64))
        assert frame.bodies["position"] == pytest.approx(sim.bodies["position"][:64], abs=1e-7)  # single precision
        assert frame.bodies["velocity"] == pytest.approx(sim.bodies["velocity"][:64], abs=1e-6)
    assert run.summary["state_hash"] == sim.hash()


def test_a_folder_without_results_is_refused(tmp_path):
    with pytest.raises(scree.IoError, match="has no metrics.csv; the output folder of a run is expected"):
        scree.open(tmp_path)


def test_a_row_that_is_being_written_is_left_out(tmp_path):
    (tmp_path / "metrics.csv").write_text("time_s,step\n0,0\n0.1,5\n0.2")
    assert scree.open(tmp_path).metrics["step"].tolist() == [0, 5]


def test_errors_of_the_program_are_raised(tmp_path):
    with pytest.raises(scree.InputError, match="none.json"):
        scree.programs.run_program("run", str(tmp_path / "none.json"))


@pytest.mark.parametrize("steps", [0, 100])
def test_the_present_state_is_drawn(pile, tmp_path, steps):
    """Also with bodies and columns that the scene does not have."""
    if not has_vtk():
        pytest.skip("built without VTK")
    sim = scree.Simulation(pile, set={"/integrator/dt": 4e-5})
    pile.clear()  # the simulation has its own
    sim.step(steps)
    sim.column("temperature", "K", 293)
    sim.bodies.add("bead", "glass", [0, 0, 0.15])
    sim.bodies.remove(sim.bodies.id[5])
    before = sim.hash()
    sim.render(tmp_path / "a.png", "--colour", "radius")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    assert sim.show()._repr_png_().startswith(b"\x89PNG")
    assert sim.hash() == before
