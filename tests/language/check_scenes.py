#!/usr/bin/env python3
"""Runs `scree check` on every whole scene that stands on a plugin's page or in the README.

    check_scenes.py PROGRAM [--root DIR]

A whole scene is a block of JSON that is an object with "bodies". Every page plugins/*/README.md has one, but for those named below.
Fails, with page and line, where a scene is refused.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

WITHOUT_SCENE = {"mpi", "python"}  # a transport, which no scene names; a hook whose scene needs a file beside it


def scenes(page):
    """(line, text) of each whole scene of a page."""
    text = page.read_text(encoding="utf-8")
    for block in re.finditer(r"^```json\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        try:
            value = json.loads(block.group(1))
        except json.JSONDecodeError:
            continue  # a fragment
        if isinstance(value, dict) and "bodies" in value:
            yield text.count("\n", 0, block.start()) + 2, block.group(1)


def main():
    parser = argparse.ArgumentParser(description="Checks the scenes on plugins' pages.")
    parser.add_argument("program")
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[2])
    options = parser.parse_args()

    faults, count = [], 0
    for page in [options.root / "README.md"] + sorted((options.root / "plugins").glob("*/README.md")):
        found = list(scenes(page))
        if not found and page.parent.name not in WITHOUT_SCENE:
            faults.append(f"{page}: has no whole scene")
        for line, text in found:
            count += 1
            with tempfile.TemporaryDirectory() as folder:
                scene = pathlib.Path(folder) / "page.json"
                scene.write_text(text, encoding="utf-8")
                run = subprocess.run([options.program, "check", str(scene)], capture_output=True, text=True, check=False)
            if run.returncode != 0:
                faults.append(f"{page}:{line}: {run.stderr.strip()}")
    print(f"{count} scenes checked")
    print("\n".join(faults))
    return 1 if faults or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
