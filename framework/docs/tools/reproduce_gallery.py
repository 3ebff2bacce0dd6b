#!/usr/bin/env python3
"""Runs the commands of the gallery, draws each picture again and compares it with the one shown.

    reproduce_gallery.py --scree build/bin/scree                   all examples, whole runs
    reproduce_gallery.py --scree build/bin/scree --steps 20        each cut short: whether its commands work
    reproduce_gallery.py --scree build/bin/scree --only incline,nest
    reproduce_gallery.py --scree build/bin/scree --renew           puts the new pictures in the place of those that differ

Runs take one thread, whose results are those of any number. Prints a line per example: seconds to run and to draw, and
how far the picture is from the one shown, from 0 (the same) to 1. Exit code 1 where a command fails, or a whole run leaves
another picture.
"""

import argparse
import json
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from picture_commands import options_of, picture_commands  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[3]
FARTHEST = 0.02  # of pictures that show the same


def pixels(file):
    """Width, height and rows of an RGB or RGBA picture of 8 bits, as scree render writes it."""
    data = file.read_bytes()
    at, packed = 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", body[:10])
        elif kind == b"IDAT":
            packed += body
        at += 12 + length
    if depth != 8 or colour not in (2, 6):
        raise ValueError(f"{file}: is no RGB picture of 8 bits")
    raw, size = zlib.decompress(packed), 3 if colour == 2 else 4
    rows, above = [], bytearray(width * size)
    for y in range(height):
        start = y * (width * size + 1)
        above = unfiltered(raw[start], bytearray(raw[start + 1:start + 1 + width * size]), above, size)
        rows.append(above)
    return width, height, size, rows


def unfiltered(kind, row, above, size):
    for i in range(len(row)):
        left = row[i - size] if i >= size else 0
        up, corner = above[i], above[i - size] if i >= size else 0
        if kind == 1:
            row[i] = (row[i] + left) & 255
        elif kind == 2:
            row[i] = (row[i] + up) & 255
        elif kind == 3:
            row[i] = (row[i] + (left + up) // 2) & 255
        elif kind == 4:
            guess = left + up - corner
            nearest = min((left, up, corner), key=lambda value: abs(guess - value))
            row[i] = (row[i] + nearest) & 255
    return row


def blocks(file, across=40):
    """Height over width, and mean grey values of square blocks, from 0 to 1."""
    width, height, size, rows = pixels(file)
    edge = width / across
    means = []
    for j in range(int(height / edge)):
        for i in range(across):
            ys = range(int(j * edge), int((j + 1) * edge), 3)
            xs = range(int(i * edge), int((i + 1) * edge), 3)
            means.append(sum(sum(rows[y][x * size:x * size + 3]) for y in ys for x in xs) / (765 * len(xs) * len(ys)))
    return height / width, means


def distance(one, other):
    """Mean difference of blocks, so that neither size nor edges of single grains count; 1 for other proportions."""
    (shape, means), (other_shape, other_means) = blocks(one), blocks(other)
    if abs(shape - other_shape) > 0.02 * shape:
        return 1.0
    pairs = list(zip(means, other_means))
    return sum(abs(a - b) for a, b in pairs) / len(pairs)


def shortened(scene, steps):
    """What --set takes to end a scene after some steps, or after its first stage."""
    dt = scene["integrator"].get("dt", 1e-5)
    dt = dt if isinstance(dt, (int, float)) else 1e-5
    sets = [f"/output/interval={steps * dt / 2}"]
    if "run" in scene:
        return sets + [f"/run/duration={steps * dt}"]
    stages = [{**stage, "until": {"duration": steps * dt}} for stage in scene["stages"]]
    return sets + ["/stages=" + json.dumps(stages)]


def timed(command):
    start = time.monotonic()
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    return time.monotonic() - start, done.returncode, (done.stderr or done.stdout).strip().splitlines()[-1:]


def without(options, name):
    """Options but this one and its value."""
    if name not in options:
        return options
    at = options.index(name)
    return options[:at] + options[at + 2:]


def draw(folder, scree, out, picture, steps):
    """As timed(). A run that was cut short has not all frames, nor bodies on both sides of a cut."""
    options = options_of(picture_commands(folder)[1])
    command = [scree, "render", str(out / folder.name), "--output", str(picture)]
    if not steps:
        return timed(command + options)
    done = timed(command + without(options, "--frame"))
    return done if done[1] == 0 else timed(command + without(without(options, "--frame"), "--cut"))


def reproduce(folder, scree, out, steps, renew):
    """Text of a line, and whether all is well."""
    scene = json.loads((folder / "scene.json").read_text(encoding="utf-8"))
    run = [scree, "run", str(folder / "scene.json"), *options_of(picture_commands(folder)[0]), "--quiet",
           "--threads", "1", "--out", str(out / folder.name)]
    if steps:
        run += [word for text in shortened(scene, steps) for word in ("--set", text)]
    seconds, code, said = timed(run)
    if code != 0:
        return f"{folder.name}: run ended with {code}: {said}", False
    picture = out / f"{folder.name}.png"
    drawn, code, said = draw(folder, scree, out, picture, steps)
    if code != 0:
        return f"{folder.name}: drawing ended with {code}: {said}", False
    if steps:
        return f"{folder.name}: ran {seconds:.1f} s, drawn {drawn:.1f} s", True
    apart = distance(picture, folder / "picture.png")
    if renew and apart > FARTHEST:
        shutil.copy(picture, folder / "picture.png")
        return f"{folder.name}: ran {seconds:.1f} s, drawn {drawn:.1f} s, {apart:.3f} apart: renewed", True
    return (f"{folder.name}: ran {seconds:.1f} s, drawn {drawn:.1f} s, {apart:.3f} apart"
            + ("" if apart <= FARTHEST else ": ANOTHER PICTURE"), apart <= FARTHEST)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scree", required=True)
    parser.add_argument("--steps", type=int, default=0, help="cut each run to so many")
    parser.add_argument("--only", default="", help="names of examples, by commas")
    parser.add_argument("--renew", action="store_true", help="replace pictures that differ")
    parser.add_argument("--keep", default="", help="folder for results and pictures")
    arguments = parser.parse_args()
    names = [name for name in arguments.only.split(",") if name]
    scree = str(pathlib.Path(arguments.scree).resolve())
    good, start = True, time.monotonic()
    with tempfile.TemporaryDirectory() as temporary:
        out = pathlib.Path(arguments.keep or temporary).resolve()
        for folder in sorted(file.parent for file in ROOT.glob("examples/*/scene.json")):
            if (folder / "CMakeLists.txt").exists() or not (folder / "picture.png").exists():
                continue  # has code of its own, or nothing to compare with
            if len(picture_commands(folder)) < 2 or (names and folder.name not in names):
                continue
            line, fine = reproduce(folder, scree, out, arguments.steps, arguments.renew)
            good = good and fine
            print(line, flush=True)
    print(f"all: {time.monotonic() - start:.0f} s")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
