#!/usr/bin/env python3
"""Makes framework/docs/verification.md: each test that compares figures with a reference, with its last values.

    make_verification.py                            write the page from tests/verification/figures.csv
    make_verification.py --run build/bin [TEST...]  first run the programs with tests, and put their figures into that file
    make_verification.py --check                    exit 1 if the page differs, or a test on it is no longer there

Tests note figures through verify() and compare() (tests/support/verify.hpp). The file has one row per test: the figure
that uses most of its tolerance. Rows of programs that are not run stay as they are.
"""

import argparse
import csv
import datetime
import os
import pathlib
import re
import subprocess
import sys
import tempfile

DOCS = pathlib.Path(__file__).resolve().parents[1]
ROOT = DOCS.parents[1]
PAGE = DOCS / "verification.md"
FIGURES = ROOT / "tests/verification/figures.csv"
MARK = "<!-- Made by framework/docs/tools/make_verification.py. Do not edit. -->\n\n"
SOME_SKIPPED = 4  # tests/support/catch_main.cpp: cases that this machine cannot run; none has failed
COLUMNS = ["program", "test", "figures", "quantity", "reference", "result", "tolerance", "date"]

PROGRAMS = ["verification_test", "rigid_contact_test", "coulomb_test", "bonded_scenes_test", "bonded_core_test", "bonding_scene_test", "star_test",
            "physics_test", "spheropolygon_test", "spheropolygon_scenes_test", "rods_test", "culling_test",
            "culling_scene_test", "drucker_prager_test", "continuum_test", "fields_test", "star3d_test", "mesh_test", "mpi_test", "determinism_test"]

# Chapters by the file that a test is in; the first that fits takes it.
CHAPTERS = [
    ("Contact laws: impacts of spheres", r"verification/(head_on|impact|oblique_impact)"),
    ("Contact laws: contacts that last", r"verification/(floor|shear|static|neck)"),
    ("Many spheres", r"verification/(chain|gas|elastic_gas|jamming|surface|objectivity|neighbours|packing|janssen|silo|repose|drum|column|law_swap|pile)"),
    ("Integrators and rotation", r"verification/(integrators|top)|explicit-integrators|higher-order"),
    ("Stars", r"plugins/star/|physics/star"),
    ("Smooth solids in space", r"plugins/(star3d|mesh)/"),
    ("Spheropolygons", r"plugins/spheropolygon/|verification/(cow|traced)"),
    ("Rigid contact with Coulomb friction", r"verification/nonsmooth|plugins/nonsmooth/|solvers/(coulomb|fclib)/"),
    ("Bonds, explicit and variational", r"verification/bonded|plugins/(bonded|bonding)/|solvers/(newton|blocks)/"),
    ("Rods", r"plugins/rods/"),
    ("Sand as a continuum", r"plugins/continuum/|solvers/drucker_prager/"),
    ("Granular culling", r"plugins/culling/"),
    ("Fields of grains", r"plugins/fields/"),
    ("Same bits: threads, order of bodies, MPI", r"tests/(determinism|mpi)/"),
    ("Others", r""),
]
HEAD = """# Verification

What is checked against what, and how closely. Every row is a test. Its name is the claim, and leads to its code. A test compares one or many
figures with a reference: a closed form, an exact discrete solution, or a table made with other code. The row shows the figure that comes
closest to its tolerance. Error and tolerance are relative to the reference; they are absolute where the reference is 0.

`./scree docs --verify` runs these tests and renews the page. The programs are in `build/bin`; one test is run by its name. The
[list of references](../../tests/verification/README.md) says where they come from, and names what does not hold.
"""


def tests_in_sources():
    """Name of a test -> its file and line."""
    found = {}
    for folder in ("tests", "plugins", "framework", "cuda"):
        for file in sorted((ROOT / folder).rglob("*_test.cpp")):
            text = file.read_text(encoding="utf-8")
            for match in re.finditer(r'TEST_CASE\(\s*((?:"(?:[^"\\]|\\.)*"\s*)+)', text):
                name = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', match[1]))
                found[name] = (file.relative_to(ROOT).as_posix(), text.count("\n", 0, match.start()) + 1)
    return found


def error(row):
    reference, result = float(row["reference"]), float(row["result"])
    return result / reference - 1 if reference else result


def share(row):
    """How much of its tolerance a figure uses."""
    tolerance = float(row["tolerance"])
    return abs(error(row)) / tolerance if tolerance else abs(error(row)) * 1e300


def figures_of(program, folder):
    """Rows of one program with tests, which must pass."""
    with tempfile.TemporaryDirectory() as notes:
        file = pathlib.Path(notes) / "figures"
        plugins = os.environ.get("SCREE_PLUGIN_PATH", str(folder.parent / "lib/scree/plugins"))
        done = subprocess.run([folder / program], capture_output=True, text=True,
                              env={**os.environ, "SCREE_VERIFICATION": str(file), "SCREE_PLUGIN_PATH": plugins})
        if done.returncode not in (0, SOME_SKIPPED):
            raise SystemExit(f"{program} failed, so its figures are not taken:\n{done.stdout[-2000:]}{done.stderr[-500:]}")
        worst = {}
        for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else []:
            test, quantity, reference, result, tolerance = line.split("\t")
            row = {"program": program, "test": test, "figures": 1, "quantity": quantity, "reference": reference,
                   "result": result, "tolerance": tolerance, "date": datetime.date.today().isoformat()}
            old = worst.get(test)
            if old:
                row["figures"] = old["figures"] + 1
                if share(old) >= share(row):
                    row = {**old, "figures": row["figures"]}
            worst[test] = row
        return list(worst.values())


def read():
    with FIGURES.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write(rows):
    with FIGURES.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(sorted(rows, key=lambda row: (row["program"], row["test"])))


def renew(folder, programs):
    rows = [row for row in (read() if FIGURES.exists() else []) if row["program"] not in programs]
    for program in programs:
        print(program, file=sys.stderr)
        rows += figures_of(program, folder)
    write(rows)


def number(text):
    return f"{float(text):.5g}"


def cell(text):
    return text.replace("|", "\\|").replace("<", "&lt;")


def line_of(row, file):
    claim = cell(row["test"]).replace("[", "\\[").replace("]", "\\]")
    others = f", of {row['figures']} figures" if int(row["figures"]) > 1 else ""
    return (f"| [{claim}](../../{file}) | {cell(row['quantity'])}{others} | {number(row['reference'])} "
            f"| {number(row['result'])} | {error(row):.1e} | {float(row['tolerance']):.1e} |")


def page():
    """The page, and faults of its rows."""
    sources, faults = tests_in_sources(), []
    chapters = {name: {} for name, _ in CHAPTERS}
    rows = read()
    for row in rows:
        if row["test"] not in sources:
            faults.append(f"tests/verification/figures.csv: there is no test \"{row['test']}\" now. "
                          "Run ./scree docs --verify.")
            continue
        file, line = sources[row["test"]]
        chapter = next(name for name, pattern in CHAPTERS if re.search(pattern, file))
        chapters[chapter][(file, line)] = line_of(row, file)
    figures = sum(int(row["figures"]) for row in rows)
    dates = sorted({row["date"] for row in rows})
    spell = dates[0] if len(dates) == 1 else f"{dates[0]} to {dates[-1]}"
    text = MARK + HEAD + f"\n{len(rows)} tests with {figures} figures, taken {spell}.\n"
    for name, lines in chapters.items():
        if lines:
            text += (f"\n## {name}\n\n<div class=\"verification\" markdown>\n\n"
                     "| claim | figure closest to its tolerance | reference | last value | error | tolerance |\n"
                     "|---|---|---|---|---|---|\n" + "\n".join(lines[key] for key in sorted(lines)) + "\n\n</div>\n")
    return text, faults


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", type=pathlib.Path, metavar="FOLDER", help="folder of the programs with tests")
    parser.add_argument("--check", action="store_true", help="write nothing, tell what differs")
    parser.add_argument("programs", nargs="*", help="which to run (default: all)")
    arguments = parser.parse_args()
    if arguments.run:
        renew(arguments.run.resolve(), arguments.programs or PROGRAMS)
    text, faults = page()
    same = PAGE.exists() and PAGE.read_text(encoding="utf-8") == text
    if arguments.check:
        faults += [] if same else ["framework/docs/verification.md is not what figures.csv says. Run make_verification.py."]
        print("\n".join(faults))
        return 1 if faults else 0
    PAGE.write_text(text, encoding="utf-8")
    print("\n".join(faults) or f"{PAGE.relative_to(ROOT)} written")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
