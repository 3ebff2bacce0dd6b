#!/usr/bin/env python3
"""Kills runs at random moments (SIGKILL) and looks at what they leave.

Every file must be readable and equal to that of an uninterrupted run as far as it goes: frames byte by byte, lists that
name existing frames only, whole rows of metrics, checkpoints with a right checksum. Resumed from its newest checkpoint,
or started anew where it has none, the run must end with the files of the uninterrupted one.
"""

import argparse
import json
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

STARS = {
    "name": "stars", "dimension": 2, "gravity": [0, -9.81],
    "materials": {"grain": {"density": 1180}, "wall": {}},
    "shapes": {"cross": {"type": "star", "coefficients": {"a0": 2, "sin": {"4": 1}},
                         "radius": 0.005, "thickness": 0.003},
               "floor": {"type": "half-plane", "normal": [0, 1]}},
    "bodies": [{"name": "grains", "shape": "cross", "material": "grain",
                "packing": {"type": "lattice", "lower": [0, 0.01], "counts": [4, 3], "spacing": 0.012}},
               {"name": "gate", "shape": "floor", "material": "wall", "fixed": True, "remove_at": 0.05},
               {"name": "floor", "shape": "floor", "material": "wall", "fixed": True, "position": [0, -0.01]}],
    "interactions": [{"between": ["grain", "*"],
                      "law": {"type": "linear", "normal_stiffness": 1000, "normal_damping": 0.1, "friction": 0.5}}],
    "integrator": {"type": "symplectic-euler", "dt": 0.0001},
    "run": {"duration": 0.2},
}


# Gravity and the motion of a floor change from stage to stage.
STAGES = dict(STARS, name="stages", run={}, bodies=STARS["bodies"][:2] + [
    {"name": "floor", "shape": "floor", "material": "wall", "motion": {}, "position": [0, -0.01]}], stages=[
    {"name": "fall", "until": {"duration": 0.06}},
    {"name": "tilt", "change": {"gravity": [2, -9.81]}, "until": {"steps": 500}},
    {"name": "shake", "change": {"bodies": {"floor": {"motion": {"amplitude": [0.001, 0], "frequency": 20}}}},
     "until": {"duration": 0.05}}])


def odd(sets):
    """The same with frames and rows at times of which none is the end."""
    return [f"{key}={float(value) * 1.07}" if key in ("/output/interval", "/output/metrics_interval") else f"{key}={value}"
            for key, value in (text.split("=") for text in sets)]


def steps(count, dt):
    """Options for a run of so many steps with frequent output."""
    times = {"duration": count, "interval": count // 40, "metrics_interval": 5, "checkpoint_interval": count // 20}
    places = {"duration": "/run/duration"}
    return [f"{places.get(key, '/output/' + key)}={value * dt}" for key, value in times.items()]


def scenes(examples, folder):
    """Name, scene file, values to set."""
    stars = folder / "stars.json"
    stars.write_text(json.dumps(STARS))
    stages = folder / "stages.json"
    stages.write_text(json.dumps(STAGES))
    tetrapods = ["/bodies/0/packing/counts=[3,3,2]", "/bodies/0/velocity=[0.1,0.2,-1]"]
    return [("stars", stars, steps(2000, 1e-4)),
            ("odd", stars, odd(steps(2000, 1e-4))),
            ("stages", stages, [text for text in odd(steps(1600, 1e-4)) if not text.startswith("/run")]),
            ("rods", examples / "fibre_bundle/scene.json", ["/bodies/0/packing/roots/count=8"] + odd(steps(120, dt_of(examples / "fibre_bundle")))),
            ("chocolate", examples / "chocolate_drop/scene.json", steps(120, dt_of(examples / "chocolate_drop"))),
            ("tetrapods", examples / "tetrapods/scene.json", tetrapods + steps(200, dt_of(examples / "tetrapods")))]


def dt_of(example):
    return json.loads((example / "scene.json").read_text())["integrator"]["dt"]


TABLE = []
for byte in range(256):
    for _ in range(8):
        byte = byte >> 1 ^ (0xC96C5795D7870F42 if byte & 1 else 0)
    TABLE.append(byte)


def crc64(data):
    crc = 0xFFFFFFFFFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ TABLE[(crc ^ byte) & 255]
    return crc ^ 0xFFFFFFFFFFFFFFFF


class Faults(list):
    def expect(self, good, text):
        if not good:
            self.append(text)


def visible_files(out):
    """Of a result, by name: without hidden files and checkpoints."""
    files = (p.relative_to(out) for p in out.rglob("*") if p.is_file())
    return {p for p in files if not any(part.startswith(".") for part in p.parts) and p.parts[0] != "checkpoints"}


def content(folder, name):
    """Of a file of a result. The script for ParaView says where the result lies."""
    return (folder / name).read_bytes().replace(str(folder.absolute()).encode(), b"OUT")


def check_left(out, whole, faults):
    """What a killed run leaves. Returns its newest checkpoint."""
    for name in visible_files(out):
        data = content(out, name)
        if name.suffix == ".pvd":
            for frame in re.findall(r'file="([^"]*)"', data.decode()):
                faults.expect((out / frame).is_file(), f"{name} lists {frame}, which is not there")
            faults.expect(data.endswith(b"</VTKFile>\n"), f"{name} is cut")
        elif name.suffix == ".csv":
            beginning = content(whole, name).startswith(data)
            faults.expect(beginning and data.endswith(b"\n"), f"{name} is no beginning of the whole one")
        elif name.suffix == ".json" and name.name != "summary.json":
            faults.expect(data == content(whole, name), f"{name} differs")
        elif name.name == "summary.json":
            faults.expect(json.loads(data)["status"] == "completed", "summary.json of a run that was killed")
        else:
            faults.expect(data == content(whole, name), f"{name} differs")
    checkpoints = sorted(p for p in (out / "checkpoints").glob("*") if not p.name.startswith("."))
    for checkpoint in checkpoints:
        data = checkpoint.read_bytes()
        seal = f"scree checkpoint 2\nbytes {len(data):020}\ncrc64 {crc64(data[512:]):016x}\n".encode()
        faults.expect(data[:512] == seal.ljust(512, b"\0"), f"{checkpoint.name} is damaged")
    return checkpoints[-1] if checkpoints else None


def results(summary):
    data = json.loads(summary.read_text())
    for key in ("wall_seconds", "stage_seconds", "particle_steps_per_second", "threads", "warnings"):
        data.pop(key, None)
    return data


def check_equal(out, whole, faults):
    faults.expect(visible_files(out) == visible_files(whole), "other files than those of the whole run: " +
                  ", ".join(map(str, visible_files(out) ^ visible_files(whole))))
    for name in visible_files(out) & visible_files(whole):
        if name.name == "summary.json":
            faults.expect(results(out / name) == results(whole / name), "summary.json differs after the resume")
        else:
            faults.expect(content(out, name) == content(whole, name), f"{name} differs after the resume")


def command(program, scene, out, more=()):
    _, file, sets = scene
    return [program, "run", str(file), "--quiet", "--threads", "1", "--out", str(out),
            *(word for value in sets for word in ("--set", value)), *more]


def run(line):
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(line)}\nexit {done.returncode}\n{done.stderr}")


def kill_once(program, scene, whole, seconds, out, chance):
    """Returns the faults found, and what became of the run."""
    faults = Faults()
    process = subprocess.Popen(command(program, scene, out), stderr=subprocess.DEVNULL)
    time.sleep(chance.uniform(0, 1.05 * seconds))
    process.kill()
    killed = process.wait() == -signal.SIGKILL
    newest = check_left(out, whole, faults) if out.is_dir() else None
    run(command(program, scene, out, ["--resume", str(newest)] if newest else []))
    check_equal(out, whole, faults)
    return faults, "ended before" if not killed else "resumed" if newest else "started anew"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("examples", type=Path)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    bad, fates = 0, {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        prepared = []
        for scene in scenes(options.examples, folder):
            whole = folder / f"{scene[0]}_whole"
            start = time.monotonic()
            run(command(options.program, scene, whole))
            prepared.append((scene, whole, time.monotonic() - start))
        for kill in range(options.kills):
            scene, whole, seconds = prepared[kill % len(prepared)]
            out = folder / f"kill{kill}"
            faults, fate = kill_once(options.program, scene, whole, seconds, out, chance)
            fates[fate] = fates.get(fate, 0) + 1
            for fault in faults:
                print(f"kill {kill} of {scene[0]}, {fate}: {fault}")
            bad += bool(faults)
            shutil.rmtree(out)
    print(f"{options.kills} kills: {fates}; {bad} bad")
    return 1 if bad or fates.get("resumed", 0) == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
