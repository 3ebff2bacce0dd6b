#!/usr/bin/env python3
"""What runs write is described on the page of files: check_figures.py PROGRAM

Every example is run for two steps. Each file, column, key of summary.json and VTK array must be in reference/files.md.
"""

import concurrent.futures
import csv
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import pages

PAGE = pages.DOCS / "reference/files.md"
# The first two take seconds to set up, and culling_drum writes the same; the last needs a plugin of its own.
LEFT_OUT = {"culling_pile", "culling_blob", "out_of_tree_shape"}


def patterns(*titles):
    """What stands as code in the sections of these titles. NAME, A, B, N and AXIS are any text, number or axis."""
    text = PAGE.read_text(encoding="utf-8")
    found = []
    for title in titles:
        part = re.split(r"^## ", text, flags=re.M)
        part = next(p for p in part if p.startswith(title + "\n"))
        for code in re.findall(r"`([^`]+)`", part):
            if code in ("NAME", "AXIS", "A-B"):
                continue
            pattern = re.escape(code)
            for word, regex in (("NAME", ".+"), ("AXIS", "[xyz]"), (r"A\-B", ".+-.+"), ("_N\\.", r"_\d+\.")):
                pattern = pattern.replace(word, regex)
            found.append(re.compile(pattern))
    return found


def known(name, among):
    return any(pattern.fullmatch(name) for pattern in among)


def shorter(scene):
    dt = scene["integrator"]["dt"]
    duration = 2 * dt if isinstance(dt, (int, float)) else 1e-5
    options = ["/output/interval=0", "/output/metrics_interval=0"]
    if "stages" in scene:
        options.append("/stages=" + json.dumps([{"name": "short", "until": {"steps": 2}}]))
    else:
        options.append(f"/run/duration={duration:g}")
    return [word for option in options for word in ("--set", option)]


def run(program, file, out):
    scene = json.loads(file.read_text(encoding="utf-8"))
    done = subprocess.run([program, "run", str(file), "--out", str(out), "--quiet", "--threads", "1", *shorter(scene)],
                          capture_output=True, text=True, timeout=60)
    return [] if done.returncode == 0 else [f"{file}: {done.stderr.strip()}"]


def names_of_arrays(file):
    """Names of the arrays of points and cells, from the XML before any data."""
    content = file.read_bytes()
    for part in re.findall(rb"<(?:PointData|CellData)[^>]*>(.*?)</(?:PointData|CellData)>", content, re.S):
        yield from (name.decode() for name in re.findall(rb'Name="([^"]+)"', part))


def keys_of(value):
    for key, child in value.items():
        yield key
        if key == "figures":
            continue
        if isinstance(child, dict):
            yield from keys_of(child)
        elif isinstance(child, list) and child and isinstance(child[0], dict):
            yield from keys_of(child[0])


def missing(out, described):
    for file in sorted(out.rglob("*")):
        name = file.relative_to(out).as_posix()
        if file.is_dir():
            continue
        folder = name.split("/")[0] + "/"
        if not known(name, described["files"]) and not known(folder, described["files"]):
            yield f"the file {name}"
        if file.name == "metrics.csv":
            for column in next(csv.reader(file.open())):
                if not known(column, described["metrics"]):
                    yield f"the column {column} of metrics.csv"
        elif file.suffix == ".csv":
            for column in next(csv.reader(file.open())):
                if not known(column, described["columns"]):
                    yield f"the column {column} of {name}"
        elif file.suffix in (".vtp", ".vtu", ".vti"):
            for array in names_of_arrays(file):
                if not known(array, described["arrays"]):
                    yield f"the array {array} of {name}"
        elif file.name == "summary.json":
            summary = json.loads(file.read_text())
            for key in keys_of(summary):
                if not known(key, described["keys"]):
                    yield f"the key {key} of summary.json"
            for figure in summary.get("figures", {}):
                if not known(figure, described["metrics"]):
                    yield f"the figure {figure} of summary.json"


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    described = {
        "files": patterns("Files"), "metrics": patterns("Columns of metrics.csv"),
        "columns": patterns("Columns of other files"), "arrays": patterns("Arrays of VTK files"),
        "keys": patterns("Keys of summary.json"),
    }
    scenes = [file for file in sorted(pages.ROOT.glob("examples/*/scene.json")) if file.parent.name not in LEFT_OUT]
    faults = {}
    with tempfile.TemporaryDirectory(prefix="scree-files-") as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        outs = [pathlib.Path(folder) / file.parent.name for file in scenes]
        failed = sum(pool.map(lambda pair: run(program, *pair), zip(scenes, outs)), [])
        for out in outs:
            for fault in missing(out, described):
                faults.setdefault(fault, out.name)
    told = [f"{fault} (example {example}) is not on the page {PAGE.relative_to(pages.ROOT)}"
            for fault, example in faults.items()]
    print("\n".join(failed + told))
    return 1 if failed or told else 0


if __name__ == "__main__":
    sys.exit(main())
