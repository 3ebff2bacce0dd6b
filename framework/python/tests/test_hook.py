"""The hook `python` of scenes, run by the program and by the module."""

import copy
import json
import subprocess

import numpy as np
import pytest
import scree
from conftest import PILE

#: Four beads between a floor and a lid without weight: springs in a row.
PRESS = {
    "name": "press", "dimension": 3, "gravity": [0, 0, 0], "damping": {"mass_proportional": 20},
    "materials": {"m": {"density": 2500}, "w": {}},
    "shapes": {"bead": {"type": "sphere", "radius": 0.005}, "floor": {"type": "half-space", "normal": [0, 0, 1]},
               "lid": {"type": "half-space", "normal": [0, 0, -1]}},
    "bodies": [
        {"name": "beads", "shape": "bead", "material": "m",
         "packing": {"type": "lattice", "lower": [0, 0, 0.005], "counts": [1, 1, 4], "spacing": 0.01}},
        {"name": "floor", "shape": "floor", "material": "w", "fixed": True},
        {"name": "lid", "shape": "lid", "material": "w", "position": [0, 0, 0.0401], "motion": {}}],
    "interactions": [{"between": ["*", "*"],
                      "law": {"type": "linear", "normal_stiffness": 1e4, "restitution": 0.5, "friction": 0}}],
    "hooks": [{"type": "python", "file": "control.py", "interval": 1e-4}],
    "integrator": {"type": "velocity-verlet", "dt": 2e-5},
    "output": {"writers": [], "metrics_interval": 0.01},
    "run": {"duration": 1},
}

SERVO = '''
import numpy as np

total = 0.0                                         # time integral of what is missing [N s]


def begin(sim):
    sim.metric("lid_force_N", 0)


def step(sim, target=2.0, gain=0.02, per_second=10.0, fastest=0.05):
    """Moves the lid until it presses with a force [N]."""
    global total
    force = sim.walls()["lid"].force[2]
    missing = target - force
    wanted = gain * (missing + per_second * total)
    if force > 0 and abs(wanted) < fastest:
        total += 1e-4 * missing
    sim.bodies.drive(sim.bodies.of("lid"), [0, 0, -np.clip(wanted, -fastest, fastest)])
    sim.metric("lid_force_N", force)


def state():
    return {"total": total}


def restore(state):
    global total
    total = state["total"]
'''


@pytest.fixture
def press():
    return copy.deepcopy(PRESS)


def run(folder, scene, *words, code="", allow=True, expect=0):
    """Runs a scene with a file of Python by the program. Returns what it wrote to its error output."""
    folder.mkdir(exist_ok=True)
    (folder / "scene.json").write_text(json.dumps(scene))
    if code:
        (folder / "control.py").write_text(code)
    done = subprocess.run([scree.programs.program(), "run", str(folder / "scene.json"), "--quiet", "--out", str(folder / "out"),
                           *(["--allow-python"] if allow else []), *words], capture_output=True, text=True, check=False)
    assert done.returncode == expect, done.stderr
    return done.stderr + done.stdout


def test_a_servo_in_python_presses_like_servo_wall(press, tmp_path):
    """Both find the force to 1e-6, as the tests of servo-wall ask, and the place of the lid that goes with it: five springs in a row."""
    run(tmp_path / "python", press, code=SERVO)
    theirs = copy.deepcopy(press)
    theirs["hooks"] = [{"type": "servo-wall", "bodies": "lid", "direction": [0, 0, -1], "force": 2, "max_speed": 0.05, "interval": 1e-4}]
    run(tmp_path / "servo", theirs)
    forces = [scree.open(tmp_path / "python/out").metrics["lid_force_N"][-1],
              scree.open(tmp_path / "servo/out").metrics["lid_servo_force_N"][-1]]
    assert forces == pytest.approx([2, 2], rel=1e-6)
    heights = []
    for name, scene in (("python", press), ("servo", theirs)):
        scene["hooks"][0].update({"file": str(tmp_path / "python/control.py")} if name == "python" else {})
        sim = scree.Simulation(scene, threads=1, allow_paths=[tmp_path], allow_python=True)
        sim.run()
        heights.append(sim.bodies["position"][5, 2])
    assert heights == pytest.approx([0.04 - 5 * 2 / 1e4] * 2, abs=1e-6 * 0.001)


def test_a_resumed_run_has_the_same_bits_by_what_state_returns(press, tmp_path):
    keeping = ["--set", "/run/duration=0.2", "--set", "/output/checkpoint_interval=0.0777"]
    resumed = {}
    for name, code in (("remembers", SERVO), ("forgets", SERVO[:SERVO.index("def state")])):
        run(tmp_path / name, press, *keeping, code=code)
        whole = scree.open(tmp_path / name / "out").summary["state_hash"]
        checkpoint = sorted((tmp_path / name / "out").rglob("*.h5"))[0]
        run(tmp_path / name, press, "--set", "/run/duration=0.2", "--resume", str(checkpoint))
        resumed[name] = scree.open(tmp_path / name / "out").summary["state_hash"] == whole
    assert resumed == {"remembers": True, "forgets": False}  # without state() the integral begins at 0 again


def test_the_module_runs_the_hook_with_the_bits_of_the_program(press, tmp_path, monkeypatch):
    run(tmp_path, press, "--set", "/run/duration=0.1", code=SERVO)
    sims = [scree.Simulation(tmp_path / "scene.json", threads=n, set={"/run/duration": 0.1}, allow_python=True) for n in (1, 2)]
    for sim in sims:
        sim.run(0.05)
        snapshot = sim.snapshot()
        sim.run(0.02)
        sim.restore(snapshot)
        sim.run_until(0.1)
        assert sim.hash() == scree.open(tmp_path / "out").summary["state_hash"]


def test_a_file_runs_only_where_the_command_line_allows_it(press, tmp_path):
    code = f"open({str(tmp_path / 'ran')!r}, 'w')\ndef step(sim): pass\n"
    text = run(tmp_path / "scene", press, code=code, allow=False, expect=2)
    assert "/hooks/0/file" in text and "control.py" in text and "is code, which may do whatever you may" in text
    assert "add --allow-python" in text and not (tmp_path / "ran").exists() and not (tmp_path / "scene/out").exists()
    with pytest.raises(scree.InputError, match="allow_python=True"):
        scree.Simulation(tmp_path / "scene/scene.json")
    check = [scree.programs.program(), "check", str(tmp_path / "scene/scene.json")]
    assert subprocess.run(check, capture_output=True, check=False).returncode == 2 and not (tmp_path / "ran").exists()
    assert subprocess.run([*check, "--allow-python"], capture_output=True, check=False).returncode == 0 and (tmp_path / "ran").exists()


@pytest.mark.parametrize("code, texts", [
    ("def stop(sim): pass", ["has no function step(). It has: stop."]),
    ("def step(sim:\n  pass", ["control.py:1: SyntaxError: '(' was never closed"]),
    ("\nimport nothing_like_it\ndef step(sim): pass", ["control.py:2: ModuleNotFoundError: No module named 'nothing_like_it'"]),
    ("def step(sim): pass\ndef state(): return 1", ["has state() alone", "define both, or none"]),
    ("def begin(sim):\n    sim.bodies.of('beats')\ndef step(sim): pass", ["control.py:2, begin(): unknown entry of bodies", 'mean "beads"']),
])
def test_files_that_cannot_run_are_refused_before_the_first_step(press, tmp_path, code, texts):
    told = run(tmp_path, press, code=code, expect=2)
    assert "scene.json:" in told and "/hooks/0/file" in told
    for text in texts:
        assert text in told


@pytest.mark.parametrize("body, texts, code", [
    ("1 / 0", ["hook", '"python"', "control.py:5, inner(): ZeroDivisionError: division by zero", "called from", "control.py:8, step"], 1),
    ("sim.bodies['positon']", ['control.py:5, inner(): bodies have no column "positon"'], 1),
    ("sim.step()", ["a hook of a scene may not step"], 1),
    ("sim.duration", ["a hook has no access to this"], 1),
    ("sim.every(1)", ["a hook of a scene cannot use every()"], 1),
    ("globals().setdefault('kept', sim.rows()).__enter__()", ["rows still held"], 1),
    ("raise scree.NumericalError('the bed is lost')", ["the bed is lost"], 3),
])
def test_errors_end_the_run_as_those_of_a_plugin(press, tmp_path, body, texts, code):
    source = f"import scree\n\ndef inner(sim):\n    if sim.time > 0.01:\n        {body}\n\ndef step(sim):\n    inner(sim)\n"
    told = run(tmp_path, press, "--set", "/run/duration=0.02", code=source, expect=code)
    for text in texts:
        assert text in told, told
    with pytest.raises(scree.PluginError if code == 1 else scree.NumericalError, match="control.py"):
        scree.Simulation(tmp_path / "scene.json", allow_python=True).run(0.02)


def test_a_hook_reads_and_changes_what_the_module_does(tmp_path):
    """Bodies, rows, columns, forces, contacts, walls and bonds, with the answers of the module at the same times."""
    code = '''
import json
import numpy as np
import helper                                           # beside this file

log = open(helper.NAME, "w")

def begin(sim):
    sim.column("mark", fill=7)

def step(sim, wind):
    if sim.steps == 400:
        new = sim.bodies.add("bead", "glass", [0, 0, 0.15], velocity=[0, 0, -1])
        sim.bodies.remove([3])
        with sim.rows() as rows:
            rows.velocity[rows.group == 0] += [0.01, 0, 0]
        sim.bodies.set("external_force", [wind, 0, 0], ids=sim.bodies.of("beads"))
    log.write(json.dumps({"time": sim.time, "steps": sim.steps, "n": len(sim.bodies), "hash": sim.hash(), "dimension": sim.dimension,
                          "contacts": len(sim.contacts()), "force": sim.walls()["box"].force.tolist(),
                          "mark": sorted(set(sim.bodies["mark"])), "bonds": len(sim.bonds())}) + "\\n")
'''
    scene = copy.deepcopy(PILE)
    scene["hooks"] = [{"type": "python", "file": "control.py", "interval": 0.01, "parameters": {"wind": 1e-3}}]
    (tmp_path / "helper.py").write_text(f"NAME = {str(tmp_path / 'log')!r}\n")
    run(tmp_path, scene, code=code)
    rows = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    assert [r["steps"] for r in rows] == list(range(0, 2000, 200))

    sim = scree.Simulation(PILE, threads=1)
    for row in rows[:2]:
        sim.run_until(row["time"])
        assert sim.hash() == row["hash"] and len(sim.contacts()) == row["contacts"] and len(sim.bodies) == row["n"]
        if sim.steps > 0:
            assert sim.walls()["box"].force.tolist() == row["force"]
    assert rows[-1]["mark"] == [7] and rows[-1]["n"] == 65 and rows[-1]["bonds"] == 0 and rows[0]["dimension"] == 3


def test_prints_come_in_order_and_two_hooks_of_one_file_are_apart(press, tmp_path):
    code = "calls = 0\ndef step(sim, name):\n    global calls\n    calls += 1\n    print(name, calls)\n"
    press["hooks"] = [{"type": "python", "file": "control.py", "interval": 0.01, "parameters": {"name": n}, "contacts": False}
                      for n in ("a", "b")]
    told = run(tmp_path, press, "--set", "/run/duration=0.02", code=code)
    assert told.split() == ["a", "1", "b", "1", "a", "2", "b", "2"]


def test_stages_and_sweeps_run_it(press, tmp_path):
    press["stages"] = [{"name": "one", "until": {"time": 0.05}},
                       {"name": "two", "change": {"hooks": {"python": {"parameters": {"target": 1}}}}, "until": {"time": 0.6}}]
    del press["run"]
    run(tmp_path, press, code=SERVO)
    assert scree.open(tmp_path / "out").metrics["lid_force_N"][-1] == pytest.approx(1, rel=1e-3)
    sweep = subprocess.run([scree.programs.program(), "sweep", str(tmp_path / "scene.json"), "/seed=1,2", "--allow-python", "--out",
                            str(tmp_path / "sweep"), "--set", "/stages=null", "--set", "/run/duration=0.01"], capture_output=True, text=True,
                           check=False)
    assert "allow-python" not in sweep.stderr


def test_time_step_and_stage_are_seen(press, tmp_path):
    press["stages"] = [{"name": "one", "until": {"time": 0.01}},
                       {"name": "two", "change": {"integrator": {"dt": 1e-5}}, "until": {"time": 0.02}}]
    del press["run"]
    press["hooks"][0]["interval"] = 0.004
    code = """
def begin(sim):
    try:
        sim.dt
    except RuntimeError as error:
        print(error)

def step(sim):
    print(sim.stage, sim.dt)
"""
    told = run(tmp_path, press, code=code)
    lines = told.splitlines()
    assert "dt is not chosen yet in begin(): take it in the function that the hook calls." in lines[0]
    assert [line for line in lines if line.startswith(("one", "two"))] == ["one 2e-05"] * 3 + ["two 1e-05"] * 2


def test_a_state_that_json_cannot_hold_is_told(press, tmp_path):
    code = "def step(sim): pass\ndef state(): return {1j}\ndef restore(s): pass\n"
    told = run(tmp_path, press, "--set", "/run/duration=0.01", code=code, expect=2)
    assert "state() has returned a value of type set" in told
