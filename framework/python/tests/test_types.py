"""Types: those of scenes are made of the schemas, and all pass mypy."""

import json
import os
import subprocess
import sys

import pytest
import scree
from conftest import ROOT

GOOD = """import scree
class Mine(scree.Law):
    def force(self, c: scree.Contacts) -> None:
        c.force[:] = (1000 * c.overlap)[:, None] * c.normal
scene: scree.Scene = {
    "dimension": 3, "materials": {"m": {"density": 1000}}, "shapes": {"s": {"type": "sphere", "radius": 1}},
    "bodies": [{"shape": "s", "material": "m", "position": [0, 0, 0]}],
    "interactions": [{"between": ["*", "*"], "law": {"type": "linear", "normal_stiffness": 1e4}}, {"between": ["m", "m"], "law": Mine()}],
    "integrator": {"type": "velocity-verlet", "dt": 1e-5}, "run": {"duration": 1}}
sim = scree.Simulation(scene, threads=1)
"""
MISTAKES = [('"radius": 1', '"radus": 1'), ('"radius": 1', '"radius": "1"'), ('"linear"', '"liner"'), ('"dimension": 3', '"dimension": 4'),
            ('"dt": 1e-5', '"dt": "fast"'), ('"material": "m", ', ""), ("threads=1", "thread=1")]


def scenes_of_examples():
    """A file with some of them: all together take mypy half a minute."""
    lines = ["import scree"]
    for k, file in enumerate(sorted((ROOT / "examples").glob("*/scene.json"))):
        if k % 16 == 0 and file.stat().st_size < 20000:
            lines.append(f"scene{k}: scree.Scene = {json.loads(file.read_text(encoding='utf-8'))!r}")
    assert len(lines) > 3
    return "\n".join(lines)


@pytest.fixture(scope="module")
def errors(tmp_path_factory):
    """What mypy says of the package, scenes and mistakes, in one go, since it reads the types of NumPy first."""
    if subprocess.run([sys.executable, "-m", "mypy", "--version"], capture_output=True, check=False).returncode != 0:
        pytest.skip("no mypy")
    folder = tmp_path_factory.mktemp("mypy")
    files = {"good.py": GOOD, "scenes.py": scenes_of_examples(),
             **{f"bad{k}.py": GOOD.replace(*mistake) for k, mistake in enumerate(MISTAKES)}}
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    done = subprocess.run([sys.executable, "-m", "mypy", "--cache-dir", str(folder), *files], capture_output=True, text=True, check=False,
                          env={**os.environ, "MYPYPATH": str(ROOT / "framework/python")}, cwd=folder)
    assert "checked 9 source files" in done.stdout, done.stdout + done.stderr
    return [line for line in done.stdout.splitlines() if ": error:" in line]


def test_types_of_scenes_are_made_of_the_schemas():
    tool = ROOT / "framework/docs/tools/make_scene_types.py"
    done = subprocess.run([sys.executable, str(tool), "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_the_package_and_scenes_pass(errors):
    assert [e for e in errors if not e.startswith("bad")] == []


@pytest.mark.parametrize("k", range(len(MISTAKES)))
def test_mistakes_in_a_scene_are_found(errors, k):
    assert any(e.startswith(f"bad{k}.py") for e in errors), MISTAKES[k]


def test_a_scene_may_be_typed_at_run_time():
    assert "shapes" in scree.Scene.__annotations__
