#!/usr/bin/env python3
"""Runs the scenes of examples/ and writes how long each took into framework/docs/gallery_times.csv.

    time_gallery.py --scree build/bin/scree               all of them
    time_gallery.py --scree build/bin/scree NAME...       these; other rows stay

A row is the processor time of the whole command `scree run --threads 1`, files included. Without other work on the machine this
is how long the run takes; with other work it stays the same.
"""

import argparse
import csv
import pathlib
import platform
import resource
import subprocess
import sys
import tempfile

DOCS = pathlib.Path(__file__).resolve().parents[1]
ROOT = DOCS.parents[1]
TIMES = DOCS / "gallery_times.csv"
COLUMNS = ["example", "seconds", "cores", "processor"]


def processor():
    """Name and frequency of the processor, as Linux gives them."""
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    known = {key.strip(): value.strip() for key, value in (line.split(":", 1) for line in lines if ":" in line)}
    name = known.get("model name", platform.machine())
    return f"{name}, {float(known['cpu MHz']) / 1000:.1f} GHz" if "cpu MHz" in known else name


def read_times():
    """Rows of the file by the example's name; none where there is no file."""
    if not TIMES.exists():
        return {}
    with TIMES.open(encoding="utf-8", newline="") as file:
        return {row["example"]: row for row in csv.DictReader(file)}


def timed():
    """Names of the examples that the program alone can run."""
    return [scene.parent.name for scene in sorted(ROOT.glob("examples/*/scene.json"))
            if not (scene.parent / "CMakeLists.txt").exists()]


def write_times(rows):
    with TIMES.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows[name] for name in sorted(rows))


def children_seconds():
    """Processor time of all programs that this script ran, in seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def time_of(scree, scene):
    """Processor time of one run with one thread, in seconds; None if the run failed."""
    with tempfile.TemporaryDirectory() as out:
        start = children_seconds()
        done = subprocess.run([scree, "run", scene, "--out", f"{out}/run", "--threads", "1", "--quiet"], check=False)
        return children_seconds() - start if done.returncode == 0 else None


def main():
    parser = argparse.ArgumentParser(description="Times the runs of the gallery.")
    parser.add_argument("--scree", required=True, help="the program")
    parser.add_argument("names", nargs="*", help="examples (default: all that need no code of their own)")
    options = parser.parse_args()
    names = options.names or timed()
    failed = 0
    for name in names:
        seconds = time_of(options.scree, ROOT / "examples" / name / "scene.json")
        if seconds is None:
            print(f"{name}: the run failed", file=sys.stderr)
            failed = 1
            continue
        rows = read_times()
        rows[name] = {"example": name, "seconds": f"{seconds:.1f}", "cores": 1, "processor": processor()}
        write_times(rows)
        print(f"{name}: {seconds:.1f} s on one core", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
