"""Runs the converter on decks that tests write."""

import contextlib
import importlib.util
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCES = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SOURCES))

from report import DeckError  # noqa: E402

specification = importlib.util.spec_from_file_location("program", SOURCES / "__main__.py")
program = importlib.util.module_from_spec(specification)
specification.loader.exec_module(program)

PROGRAM = os.environ.get("SCREE_PROGRAM")


class Outcome:
    """What a conversion has left: exit code, texts, scene and report."""

    def __init__(self, folder, process):
        self.code, self.out, self.err = process.returncode, process.stdout, process.stderr
        self.folder = folder
        scene = self.folder / "scene.json"
        self.scene = json.loads(scene.read_text()) if scene.exists() else None
        self.report = json.loads((self.folder / "report.json").read_text()) if scene.exists() else None

    def remarks(self, kind):
        return [r for r in self.report["remarks"] if r["kind"] == kind]


class DeckTest(unittest.TestCase):
    """A test that has a folder for decks."""

    def setUp(self):
        self.folder = Folder()
        self.addCleanup(self.folder.temporary.cleanup)


class Folder:
    """A folder for decks. Each conversion has a folder of its own in it."""

    def __init__(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.temporary.name) / "decks"
        self.path.mkdir()
        self.count = 0

    def write(self, name, content):
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def convert(self, deck, *options, name="in.deck", timeout=60):
        """Converts a deck in a process of its own."""
        if deck is not None:
            self.write(name, deck)
        self.count += 1
        self.out = self.path / f"converted_{self.count}"
        words = [sys.executable, "-B", "-I", str(SOURCES), str(self.path / name), "--out", str(self.out)]
        process = subprocess.run([*words, *options], capture_output=True, text=True, timeout=timeout, cwd=self.path)
        return Outcome(self.out, process)

    def convert_here(self, deck):
        """Converts a deck in this process, which is quicker. Returns the exit code."""
        self.write("in.deck", deck)
        self.count += 1
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            try:
                return program.main([str(self.path / "in.deck"), "--out", str(self.path / f"converted_{self.count}")])
            except DeckError:
                return program.BAD_DECK

    def check(self):
        """Returns exit code and messages of `scree check` on the scene."""
        process = subprocess.run([PROGRAM, "check", "scene.json"], capture_output=True, text=True, cwd=self.out)
        return process.returncode, process.stderr + process.stdout


LIGGGHTS = """
atom_style granular
boundary m m m
newton off
units si
region domain block -0.05 0.05 -0.05 0.05 0 0.2 units box
create_box 1 domain
fix m1 all property/global youngsModulus peratomtype 5e6
fix m2 all property/global poissonsRatio peratomtype 0.3
fix m3 all property/global coefficientRestitution peratomtypepair 1 0.6
fix m4 all property/global coefficientFriction peratomtypepair 1 0.4
fix m5 all property/global characteristicVelocity scalar 2.0
fix m6 all property/global coefficientRollingFriction peratomtypepair 1 0.2
fix m7 all property/global coefficientRollingViscousDamping peratomtypepair 1 0.3
fix m8 all property/global cohesionEnergyDensity peratomtypepair 1 1000
pair_style gran model MODEL
pair_coeff * *
timestep 1e-5
fix g all gravity 9.81 vector 0 0 -1
fix floor all wall/gran model MODEL primitive type 1 zplane 0.0
fix pt all particletemplate/sphere 15485863 atom_type 1 density constant 2500 radius constant 0.004
fix pd all particledistribution/discrete 15485867 1 pt 1.0
region fill block -0.04 0.04 -0.04 0.04 0.01 0.19
fix ins all insert/pack seed 32452843 distributiontemplate pd insert_every once all_in yes particles_in_region 100 region fill
fix nve all nve/sphere
run 1000
"""

LAMMPS = """
units si
atom_style sphere
boundary p p f
newton off
region domain block 0 0.02 0 0.02 0 0.1
create_box 1 domain
create_atoms 1 single 0.01 0.01 0.0011
create_atoms 1 single 0.01 0.01 0.0033
set group all diameter 0.002 density 2500
pair_style STYLE
pair_coeff * * COEFF
fix wall all wall/gran WALL zplane 0 NULL
fix g all gravity 9.81 vector 0 0 -1
fix nve all nve/sphere
timestep 1e-6
run 2000
"""


def liggghts(model, **changes):
    """Returns a whole deck of LIGGGHTS with this contact model."""
    text = LIGGGHTS.replace("MODEL", model)
    for old, new in changes.values():
        assert old in text
        text = text.replace(old, new)
    return text


def lammps(style, coeff="", wall=None):
    """Returns a whole deck of LAMMPS with this pair style."""
    return LAMMPS.replace("STYLE", style).replace("COEFF", coeff).replace("WALL", wall or style.removeprefix("gran/"))


def law_of(scene, a, b):
    """Returns the law of two materials."""
    return next(i["law"] for i in scene["interactions"] if sorted(i["between"]) == sorted([a, b]))
