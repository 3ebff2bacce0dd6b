#!/usr/bin/env python3
"""Checkpoints that somebody changed and sealed again, through the program: `run --resume`.

Each mutant is the checkpoint of a short run with one to three changes: an array that is missing, longer, shorter or of
another type, a value that no run has, in tables and in the states of methods. The run must end with 0, 2, 3 or 4 within
seconds, or hear two signals, and leave the folder as it was where it is refused before its first step.

    mutated_checkpoints.py --program build/bin/scree --change build/bin/change_checkpoint --examples examples --count 1000
"""

import argparse
import collections
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

LINEAR = {"type": "linear", "normal_stiffness": 1000, "restitution": 0.5, "friction": 0.3, "tangential": "spring",
          "tangential_stiffness": 500}

# A stream of beads through meters onto a servo, with a wall that turns and one that goes.
STREAM = {
    "dimension": 3, "gravity": [0, 0, -9.81], "materials": {"m": {"density": 2500}, "w": {}},
    "shapes": {"bead": {"type": "sphere", "radius": 0.005},
               "pair": {"type": "clump", "spheres": [{"position": [0, 0, 0], "radius": 0.004},
                                                     {"position": [0.004, 0, 0], "radius": 0.004}]},
               "floor": {"type": "half-space", "normal": [0, 0, 1]}, "lid": {"type": "half-space", "normal": [0, 0, -1]}},
    "bodies": [{"name": "beads", "shape": ["bead", "pair"], "material": "m",
                "packing": {"type": "lattice", "lower": [0, 0, 0.007], "counts": [3, 3, 2], "spacing": 0.0135}},
               {"name": "floor", "shape": "floor", "material": "w", "fixed": True},
               {"name": "lid", "shape": "lid", "material": "w", "motion": {}, "position": [0, 0, 0.03]},
               {"name": "gate", "shape": "floor", "material": "w", "fixed": True, "position": [0, 0, -1], "remove_at": 0.01}],
    "interactions": [{"between": ["*", "*"], "law": LINEAR}],
    "hooks": [{"type": "emitter", "shape": "bead", "material": "m", "mass_rate": 0.1, "interval": 0.002,
               "region": {"type": "box", "lower": [0.1, 0, 0.01], "upper": [0.2, 0.1, 0.02]}},
              {"type": "outlet", "interval": 0.002, "region": {"type": "box", "lower": [0.1, 0, 0], "upper": [0.2, 0.1, 0.006]}},
              {"type": "servo-wall", "bodies": "lid", "direction": [0, 0, -1], "force": 1, "max_speed": 0.1, "interval": 4e-4},
              {"type": "region-meter", "name": "core", "interval": 0.002, "average": {"start": 0, "window": 0.01},
               "region": {"type": "box", "lower": [0, 0, 0], "upper": [1, 1, 1]}},
              {"type": "flow-meter", "name": "gate", "interval": 0.002, "point": [0, 0, 0.01], "normal": [0, 0, 1]}],
    "integrator": {"type": "velocity-verlet", "dt": 2e-5},
    "output": {"metrics_interval": 0.002, "interval": 0.004, "checkpoint_interval": 0.02}, "run": {"duration": 0.03},
}

# A bed whose inside is in the ledger of granular-culling, and a ball that carves it.
BED = {
    "dimension": 3, "gravity": [0, 0, -9.81], "materials": {"g": {"density": 2500}},
    "shapes": {"grain": {"type": "sphere", "radius": 0.005}, "ball": {"type": "sphere", "radius": 0.015},
               "bin": {"type": "box", "half_sizes": [0.045, 0.045, 0.1], "inside": True}},
    "bodies": [{"name": "grains", "shape": "grain", "material": "g",
                "packing": {"type": "lattice", "lower": [-0.04, -0.04, -0.095], "counts": [9, 9, 9], "spacing": 0.01}},
               {"name": "ball", "shape": "ball", "material": "g", "position": [0, 0, 0.02], "velocity": [0, 0, -2]},
               {"name": "bin", "shape": "bin", "material": "g", "fixed": True}],
    "interactions": [{"between": ["*", "*"], "law": dict(LINEAR, normal_stiffness=20000, tangential_stiffness=10000)}],
    "hooks": [{"type": "granular-culling", "bodies": ["grains"], "window": 0.004, "interval": 4e-4, "hold_time": 0,
               "smallest_group": 10, "cull_every": 2, "expose_every": 2}],
    "integrator": {"type": "velocity-verlet", "dt": 4e-5},
    "output": {"writers": [{"type": "culling-ledger", "pictures": False}], "metrics_interval": 0.004,
               "checkpoint_interval": 0.01}, "run": {"duration": 0.024},
}

# Integrators with states and columns of their own.
EXAMPLES = ["sand_column", "underwater_collapse", "box_stack", "card_house", "beam_stretch", "plate_drop", "hair_tail", "fibre_bundle",
            "star_packing", "tetrapods"]
STOPPED = "stopped by signals"


def prepare(program, name, scene, folder, sets):
    """Runs the scene. Returns the command that runs it, and its first checkpoint outside of the result."""
    command = [program, "run", str(scene), "--quiet", "--threads", "1", "--out", "out", *sets]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    found = sorted((folder / "out/checkpoints").glob("*.h5"))
    if done.returncode != 0 or not found:
        sys.exit(f"{name}: exit {done.returncode}\n{done.stderr}")
    shutil.copy(found[0], folder / "good.h5")
    shutil.copytree(folder / "out", folder / "whole")
    return command


def prepared(options, root):
    for name, scene in (("stream", STREAM), ("bed", BED)):
        folder = root / name
        folder.mkdir()
        (folder / "scene.json").write_text(json.dumps(scene))
        yield name, folder, prepare(options.program, name, folder / "scene.json", folder, [])
    for name in EXAMPLES:
        folder = root / name
        folder.mkdir()
        scene = (options.examples / name / "scene.json").resolve()
        dt = json.loads(scene.read_text())["integrator"]["dt"]
        values = {"/run/duration": 6 * dt, "/output/checkpoint_interval": 3 * dt, "/output/metrics_interval": dt,
                  "/output/writers": "[]"}
        sets = [word for key, value in values.items() for word in ("--set", f"{key}={value}")]
        yield name, folder, prepare(options.program, name, scene, folder, sets)


def resumed(command, folder, seconds):
    """The exit code and what was said, or STOPPED: a solver may search for long, but hears the second of two signals."""
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as run:
        for wait, stop in ((seconds, True), (1, True), (10, False)):
            try:
                text = run.communicate(timeout=wait)[1].decode(errors="replace")
                return (run.returncode if wait == seconds else STOPPED), text
            except subprocess.TimeoutExpired:
                if stop:
                    run.terminate()
        run.kill()
    return "no end", ""


def content(folder):
    return {p.relative_to(folder): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", type=os.path.abspath, required=True)
    parser.add_argument("--change", type=os.path.abspath, required=True, help="the program change_checkpoint")
    parser.add_argument("--examples", type=Path, required=True)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=20)
    options = parser.parse_args()
    faults, codes = [], collections.Counter()
    with tempfile.TemporaryDirectory() as root:
        runs = list(prepared(options, Path(root)))
        for number in range(options.first, options.first + options.count):
            name, folder, command = runs[number % len(runs)]
            shutil.rmtree(folder / "out")
            shutil.copytree(folder / "whole", folder / "out")
            subprocess.run([options.change, folder / "good.h5", str(number), folder / "changed.h5"], check=True)
            before = content(folder / "out")
            code, text = resumed([*command, "--resume", "changed.h5"], folder, options.seconds)
            codes[code] += 1
            begun = "step" in text and "This was" in text  # it broke down in a step
            if code not in (0, 2, 3, 4, STOPPED):
                faults.append(f"mutant {number} of {name}: ends with {code}: {text[-300:]}")
            elif code in (2, 4) and not begun and content(folder / "out") != before:
                faults.append(f"mutant {number} of {name}: refused after files were changed: {text[-300:]}")
    print(f"{options.count} checkpoints: {dict(codes)}")
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
