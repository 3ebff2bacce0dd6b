"""What pages and examples of Python say."""

import ast
import math
import re
import subprocess
import sys

import numpy as np
import pytest
import scree
from conftest import ROOT, has_vtk

HOWTO = ROOT / "framework/docs/howto/python.md"


with_vtk = pytest.mark.skipif(not has_vtk(), reason="built without VTK")


@with_vtk
def test_the_blocks_of_the_page_run_in_turn(tmp_path, monkeypatch, capsys):
    """All blocks of Python, in one namespace, the first with a shorter scene."""
    blocks = re.findall(r"^```python\n(.*?)^```", HOWTO.read_text(encoding="utf-8"), re.M | re.S)
    assert len(blocks) > 8
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    names = {}
    for block in blocks:
        code = block.replace('scene.json")', 'scene.json", set={"/run/duration": 0.11})')
        exec(compile(code, str(HOWTO), "exec"), names)
    shown = capsys.readouterr().out
    assert "contacts, top at" in shown and "/shapes/bead/radius" in shown and "-1" in shown


@with_vtk
@pytest.mark.parametrize("script", ["repose_angle.py", "servo.py", "prototype.py", "first_pile.py", "outlet_sweep.py"])
def test_examples_run_shortened(script):
    done = subprocess.run([sys.executable, str(ROOT / "examples/python" / script), "--quick"], capture_output=True,
                          text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    assert {"repose_angle.py": "degrees", "servo.py": "lid at", "prototype.py": "mm high", "first_pile.py": "the box carries", "outlet_sweep.py": "Beverloo"}[script] in done.stdout


@with_vtk
def test_the_scene_with_a_hook_runs_shortened(tmp_path):
    """Beads above the slot rise against gravity by the drag of the air; the others stay."""
    scree.programs.run_program("run", str(ROOT / "examples/python/spout.json"), "--quiet", "--allow-python", "--out", str(tmp_path),
                               "--set", "/run/duration=0.06", "--set", "/hooks/0/start=0.02", "--set", "/hooks/0/parameters/speed=30")
    metrics, last = scree.open(tmp_path).metrics, scree.open(tmp_path).frames[-1].bodies
    assert metrics["top_m"][-1] > 0.0517 and last["air_drag"].max() > 600 * 9.81 * 4 / 3 * math.pi * 0.002**3
    assert last["velocity"][:, 2].max() > 0.1 and np.median(last["velocity"][:, 2]) < 0.02


def test_the_reference_is_made_of_the_docstrings():
    tool = ROOT / "framework/docs/tools/make_python.py"
    done = subprocess.run([sys.executable, str(tool), "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_everything_public_has_a_docstring():
    missing = []
    for file in sorted((ROOT / "framework/python/scree").glob("*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_"):
                nested = any(node in ast.walk(f) for f in ast.walk(tree)
                             if isinstance(f, ast.FunctionDef) and f is not node)
                setter = any(isinstance(d, ast.Attribute) for d in getattr(node, "decorator_list", []))
                if not nested and not setter and not ast.get_docstring(node):
                    missing.append(f"{file.name}: {node.name}")
    assert missing == []
