#!/usr/bin/env python3
"""Scenes and commands on the pages of framework/docs run: run_pages.py PROGRAM [PAGE...]

In a folder for each page, or for the whole tutorial, and in order:
- a block `json` that is a whole scene is written under its title, and `scree check` must pass it;
- a block `json` after `<!-- test: into NAME.json -->` is merged into that scene for a check; with `; add` lists are
  continued and not replaced;
- other blocks `json` must be JSON;
- lines that begin with `$ ` in a block `console` are run. Lines below them must be in what the command prints; `...`
  stands for any text.

The comment before a block may also say `exit N`, `needs METHOD`, and options for every `./scree run` in it, with `;`
between them.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import pages

SHIM = """#!/bin/sh
case "$1" in
  run) exec "$SCREE_PROGRAM" "$@" $SCREE_SHORTER ;;
  render) [ -x "$(dirname "$SCREE_PROGRAM")/scree-render" ] || exit 0 ;;
esac
exec "$SCREE_PROGRAM" "$@"
"""
SECONDS = 60


class Fault(Exception):
    pass


def merge(into, change, add):
    """Objects are merged; lists are replaced, or continued where `add` is true."""
    for key, value in change.items():
        if isinstance(value, dict) and isinstance(into.get(key), dict):
            into[key] = merge(into[key], value, add)
        elif add and isinstance(value, list):
            into[key] = into.get(key, []) + value
        else:
            into[key] = value
    return into


def read_json(block):
    """The objects of a block; keys may stand without the braces around them, and objects one per line."""
    text = block.text.strip()
    if text.startswith('"'):
        text = "{" + text + "}"
    try:
        return [json.loads(text)]
    except json.JSONDecodeError as fault:
        try:
            return [json.loads(line) for line in text.splitlines()]
        except json.JSONDecodeError:
            raise Fault(f"{block.where}: no JSON: {fault}")


class Reader:
    """Somebody who does what some pages say, one after the other, in one folder."""

    def __init__(self, program, methods, folder):
        self.program, self.methods, self.folder = program, methods, pathlib.Path(folder)
        self.scenes = {}
        (self.folder / "scree").write_text(SHIM)
        (self.folder / "scree").chmod(0o755)
        for name in ("examples", "plugins", "schemas", "tests", "framework"):
            (self.folder / name).symlink_to(pages.ROOT / name)

    def read(self, page):
        """The faults of the page."""
        faults = []
        for block in pages.blocks(page):
            needed = block.advised("needs")
            if needed and needed not in self.methods:
                continue
            try:
                if block.language == "json":
                    self.take_json(block)
                elif block.language == "console":
                    self.take_commands(block)
            except Fault as fault:
                faults.append(str(fault))
        return faults

    def take_json(self, block):
        objects = read_json(block)
        into = block.advised("into")
        if into:
            if into not in self.scenes:
                raise Fault(f"{block.where}: the page has no scene {into} before this block")
            changed = merge(json.loads(json.dumps(self.scenes[into])), objects[0], block.advised("add") is not None)
            self.check(block, into, changed)
            (self.folder / into).write_text(json.dumps(self.scenes[into]))
        elif isinstance(objects[0], dict) and "dimension" in objects[0]:
            name = block.title or "scene.json"
            self.scenes[name] = objects[0]
            self.check(block, name, None, block.text)

    def check(self, block, name, scene, text=""):
        (self.folder / name).write_text(text or json.dumps(scene, indent=1))
        done = subprocess.run([self.program, "check", name], cwd=self.folder, capture_output=True, text=True, timeout=SECONDS)
        if done.returncode:
            raise Fault(f"{block.where}: scree check {name}: {done.stderr.strip()}")

    def take_commands(self, block):
        command, expected = [], []
        for line in [*block.lines, "$ "]:
            if line.startswith("$ "):
                if command:
                    self.execute(block, "\n".join(command), expected)
                command, expected = [line[2:]], []
            elif line.startswith("> ") and not expected:
                command.append(line[2:])
            elif line.strip():
                expected.append(line)

    def execute(self, block, command, expected):
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "SCREE_PROGRAM": self.program,
                       "SCREE_SHORTER": block.arguments}
        done = subprocess.run(["bash", "-c", command], cwd=self.folder, env=environment, capture_output=True, text=True,
                              timeout=SECONDS)
        printed = done.stdout + done.stderr
        wanted = int(block.advised("exit") or 0)
        if done.returncode != wanted:
            raise Fault(f"{block.where}: `{command}` ended with {done.returncode} in place of {wanted}:\n{printed[-800:]}")
        plain = " ".join(printed.split())
        for line in expected:
            pattern = ".*".join(re.escape(" ".join(part.split())) for part in line.split("..."))
            if not re.search(pattern, plain):
                raise Fault(f"{block.where}: `{command}` does not print\n  {line}\nbut\n{printed[-800:]}")


def read_all(program, methods, together):
    with tempfile.TemporaryDirectory(prefix="scree-docs-") as folder:
        reader = Reader(program, methods, folder)
        return sum((reader.read(page) for page in together), [])


def in_groups(chosen):
    """Parts of the tutorial go on with the scenes of earlier ones; other pages stand alone."""
    tutorial = [page for page in pages.written() if page.parent.name == "tutorial"]
    groups = [[page] for page in chosen if page not in tutorial]
    return groups + ([tutorial] if any(page in tutorial for page in chosen) else [])


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    chosen = [pathlib.Path(name).resolve() for name in sys.argv[2:]] or pages.written()
    listed = subprocess.run([program, "plugins", "--json"], capture_output=True, text=True, check=True).stdout
    methods = {method["name"] for method in json.loads(listed)}
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        faults = sum(pool.map(lambda together: read_all(program, methods, together), in_groups(chosen)), [])
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
