#!/usr/bin/env python3
"""Makes framework/docs/gallery.md from the folders of examples/: picture, what it is, command, run time.

    make_gallery.py            write the page
    make_gallery.py --check    exit 1 if it differs
"""

import json
import pathlib
import re
import sys

from picture_commands import picture_commands
from time_gallery import read_times

DOCS = pathlib.Path(__file__).resolve().parents[1]
ROOT = DOCS.parents[1]
PAGE = DOCS / "gallery.md"
MARK = "<!-- Made by framework/docs/tools/make_gallery.py. Do not edit. -->\n\n"

ORDER = ["Grains in three dimensions", "Grains in the plane", "Rigid contact", "Rods, hair and fibres",
         "Bonded bodies that bend and break", "Sand as a continuum", "Granules in a ledger"]

# Groups by what a scene uses; the first that fits takes it.
GROUPS = [
    ("Sand as a continuum", lambda scene: scene["integrator"]["type"] == "granular-continuum"),
    ("Rods, hair and fibres", lambda scene: uses(scene, "bonds", "elastic-rod") or uses(scene, "bodies", "strands")),
    ("Bonded bodies that bend and break", lambda scene: "bonds" in scene),
    ("Granules in a ledger", lambda scene: uses(scene, "hooks", "granular-culling")),
    ("Rigid contact", lambda scene: scene["integrator"]["type"] == "moreau-jean"),
    ("Grains in three dimensions", lambda scene: scene["dimension"] == 3),
    ("Grains in the plane", lambda scene: True),
]


def uses(scene, key, name):
    return f'"{name}"' in json.dumps(scene.get(key, []))


def title_of(readme, name):
    found = re.search(r"^# (.+)$", readme, re.M)
    return found[1] if found else name


def first_sentences(scene):
    """What the scene says of itself, up to 200 characters, in whole sentences."""
    told = ""
    for sentence in re.split(r"(?<=[.!?]) +(?=[A-Z0-9])", scene.get("description", "")):
        if told and len(told) + len(sentence) > 200:
            break
        told = f"{told} {sentence}".strip()
    return told.replace("<", "&lt;").replace("|", "\\|")


def in_words(seconds):
    """A run time as rough as it is known: machines differ."""
    if seconds < 1:
        return "less than a second"
    if seconds < 10:
        return f"{seconds:.0f} s"
    if seconds < 60:
        return f"{5 * round(seconds / 5)} s"
    return f"{seconds / 60:.0f} min" if seconds > 90 else "1 min"


def run_time(row):
    cores = "one core" if row["cores"] == "1" else f"{row['cores']} cores"
    return f"{in_words(float(row['seconds']))} on {cores}"


def entry(folder, times):
    scene = json.loads((folder / "scene.json").read_text(encoding="utf-8"))
    readme = (folder / "README.md").read_text(encoding="utf-8") if (folder / "README.md").exists() else ""
    title = title_of(readme, folder.name)
    lines = [f"### {title}\n"]
    if (folder / "picture.png").exists():
        page = f"../../examples/{folder.name}/README.md"
        lines.append(f"[![{title}](../../examples/{folder.name}/picture.png)]({page})\n")
    if first_sentences(scene):
        lines.append(first_sentences(scene) + "\n")
    if (folder / "CMakeLists.txt").exists():
        lines.append(f"It has code of its own: [how to build and run it](../../examples/{folder.name}/README.md).\n")
    else:
        lines.append("```console\n" + "".join(f"$ {command}\n" for command in picture_commands(folder)) + "```\n")
        if folder.name in times:
            lines.append(f"Run time: {run_time(times[folder.name])}.\n")
    return scene, "\n".join(lines)


def page():
    groups = {name: [] for name in ORDER}
    times = read_times()
    processors = sorted({row["processor"] for row in times.values()})
    for file in sorted(ROOT.glob("examples/*/scene.json")):
        scene, text = entry(file.parent, times)
        groups[next(name for name, fits in GROUPS if fits(scene))].append(text)
    text = (MARK + "# Gallery\n\nEvery picture comes from a scene in `examples`. Run its commands in the folder of the "
            "repository: the second one draws. A picture leads to the page of its example, with numbers and what to look for.\n\n"
            f"Run times are processor times with one thread (`--threads 1`), on: {', '.join(processors)}. Without `--threads` a run "
            "takes all cores. All together take "
            f"{in_words(sum(float(row['seconds']) for row in times.values()))}. `framework/docs/tools/time_gallery.py` measures them; "
            "`reproduce_gallery.py` there runs all commands and compares the pictures.\n")
    for name, entries in groups.items():
        cards = "".join(f"<div markdown>\n\n{entry}\n</div>\n" for entry in entries)
        text += f"\n## {name}\n\n<div class=\"gallery\" markdown>\n{cards}</div>\n"
    return text


def main():
    text = page()
    same = PAGE.exists() and PAGE.read_text(encoding="utf-8") == text
    if "--check" in sys.argv[1:]:
        if not same:
            print("framework/docs/gallery.md does not show the examples as they are. Run ./scree docs --renew.")
        return 0 if same else 1
    if not same:
        PAGE.write_text(text, encoding="utf-8")
        print("framework/docs/gallery.md renewed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
