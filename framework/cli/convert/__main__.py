"""Program of `scree convert`: makes a scene of an input script of LIGGGHTS or LAMMPS."""

import argparse
import os
import re
import sys
import tempfile

from commands import Commands
from deck import Deck
from expressions import FormulaError
from files import Files
from report import LEFT, DeckError, Report
from scene import Builder
from script import Script
from variables import Variables
from writer import text

DONE, BAD_DECK, IO_FAILURE, NOT_WHOLE = 0, 2, 4, 6
LIGGGHTS_SIGNS = re.compile(
    r"^\s*(pair_style\s+gran\s+model|atom_style\s+granular|fix\s+\S+\s+\S+\s+(property/global|particletemplate|insert/|mesh/"
    r"surface|particledistribution)|fix\s+\S+\s+\S+\s+wall/gran\s+model|communicate\s|soft_particles|hard_particles)", re.M)

HELP = """Usage: scree convert DECK [options]

Makes a scene of an input script of LIGGGHTS or LAMMPS (package GRANULAR), and says of each line that
could not be taken where it stands, why, and what to do. Meshes are copied beside the scene.

Exit codes: 0 all was taken, 2 the deck is wrong and nothing was written, 4 files could not be read or written,
6 the scene was written, but lines of the deck were not taken, or taken with a difference.

Options:
  --out DIR                 folder to write (default: NAME_scree of a deck in.NAME)
  --dialect NAME            liggghts or lammps (default: auto, told by the deck's commands)
  --var NAME VALUE...       value of a variable, as -var of LAMMPS
  --speed V                 speed of typical impacts [m/s], for dampings that depend on it (default: a fall by
                            ten radii)
  --allow-path DIR          further folder that the deck may read files in
  -h [ --help ]             print this and stop
"""
OPTIONS = ("--out=", "--dialect=", "--var=", "--speed=", "--allow-path=", "--help")


class Parser(argparse.ArgumentParser):
    """A parser whose errors are those of decks."""

    def error(self, message):
        raise DeckError(f"{message}. See scree convert --help.")


def parser():
    p = Parser(prog="scree convert", add_help=False, allow_abbrev=False)
    p.add_argument("deck", nargs="?")
    p.add_argument("--out")
    p.add_argument("--dialect", choices=("auto", "liggghts", "lammps"), default="auto")
    p.add_argument("--var", nargs="+", action="append", default=[])
    p.add_argument("--speed", type=float)
    p.add_argument("--allow-path", action="append", default=[])
    p.add_argument("-h", "--help", action="store_true")
    return p


def deck_name(path):
    base = os.path.basename(path)
    for prefix in ("in.", "input."):
        base = base.removeprefix(prefix)
    for suffix in (".in", ".lmp", ".lammps", ".liggghts", ".txt"):
        base = base.removesuffix(suffix)
    return "".join(c if c.isalnum() or c in "_-" else "_" for c in base)[:60] or "deck"


def convert(arguments, report):
    """Returns the scene and the files beside it."""
    path = arguments.deck
    files = Files(path, arguments.allow_path)
    name = os.path.basename(path)
    script_text = files.text(name, "the deck")
    dialect = arguments.dialect
    if dialect == "auto":
        dialect = "liggghts" if LIGGGHTS_SIGNS.search(script_text) else "lammps"
    deck = Deck(dialect)
    given = {}
    for words in arguments.var:
        if len(words) < 2:
            raise DeckError(f"--var {words[0]}: a value is missing. Write --var NAME VALUE.")
        given[words[0]] = words[1:]
    variables = Variables(deck, given)
    script = Script(files, variables, report, Commands(deck, variables, report, files))
    try:
        script.run(name)
    except FormulaError as error:
        raise DeckError(f"the deck: {error}.") from None
    builder = Builder(deck, report, deck_name(path), arguments.speed)
    scene = builder.build()
    program = {"liggghts": "LIGGGHTS", "lammps": "LAMMPS"}[dialect]
    scene["description"] = f"Converted from the {program} deck {name} by scree convert. {report.summary()}"
    if not report.whole():
        scene["description"] += " See report.txt."
    return scene, builder.entries.files


def write(folder, files):
    """Writes files into a folder, each whole or not at all."""
    os.makedirs(folder, exist_ok=True)
    for name, data in files.items():
        handle, temporary = tempfile.mkstemp(dir=folder, prefix=".convert_")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(data if isinstance(data, bytes) else data.encode())
            os.chmod(temporary, 0o644)
            os.replace(temporary, os.path.join(folder, name))
        except OSError:
            os.unlink(temporary)
            raise


def main(words):
    if words == ["--list-options"]:  # for completion in shells
        print("\n".join(OPTIONS))
        return DONE
    arguments = parser().parse_args(words)
    if arguments.help:
        print(HELP, end="")
        return DONE
    if arguments.deck is None:
        raise DeckError("DECK is missing. See scree convert --help.")
    if arguments.speed is not None and not 0 < arguments.speed < float("inf"):
        raise DeckError(f"--speed is {arguments.speed:g}; it must be above 0.")
    if not os.path.isfile(arguments.deck):
        raise DeckError(f"{arguments.deck}: there is no such file.")
    folder = arguments.out or deck_name(arguments.deck) + "_scree"
    if os.path.lexists(folder):
        raise DeckError(f"{folder} is there already, and nothing is overwritten. Choose another folder with --out.")
    report = Report()
    try:
        scene, files = convert(arguments, report)
    except DeckError:
        if report.of(LEFT):
            print(report.text(), end="", file=sys.stderr)
        raise
    write(folder, {**files, "scene.json": text(scene) + "\n", "report.txt": report.text(), "report.json": report.json()})
    print(report.text(), end="")
    print(f"{os.path.join(folder, 'scene.json')}")
    return DONE if report.whole() else NOT_WHOLE


if __name__ == "__main__":
    sys.setrecursionlimit(2000)
    try:
        code = main(sys.argv[1:])
        sys.stdout.flush()
    except DeckError as error:
        print(f"scree convert: {error}", file=sys.stderr)
        code = BAD_DECK
    except BrokenPipeError:
        code = IO_FAILURE
    except OSError as error:
        print(f"scree convert: {error.filename or 'output'}: {error.strerror}.", file=sys.stderr)
        code = IO_FAILURE
    sys.exit(code)
