#!/usr/bin/env python3
"""Makes the pages of framework/docs/reference that come from the program: scene keys, methods, what goes with what, command line.

    make_reference.py --scree build/bin/scree           write the pages
    make_reference.py --scree build/bin/scree --check   exit 1 and tell which pages differ
    exit 77: the program lacks methods that the pages have, so they can be neither made nor checked
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys

from schema_tables import PAGES, Tables, anchor, cell, prose

DOCS = pathlib.Path(__file__).resolve().parents[1]
ROOT = DOCS.parents[1]
OUT = DOCS / "reference"
MARK = "<!-- Made by framework/docs/tools/make_reference.py. Do not edit: change the schema or the program. -->\n\n"

ABOUT = {
    "shape": ("Shapes", "What bodies look like. A scene names its shapes under `shapes`."),
    "packing": ("Packings", "Where many bodies start. An entry of `bodies` has one under `packing`."),
    "detector": ("Detectors", "How contacts between two shapes are found. `\"auto\"` takes the most specific one that fits."),
    "law": ("Laws", "Forces or impulses of a contact. An entry of `interactions` has one under `law`."),
    "bond-law": ("Bond laws", "Forces of bodies that are joined. An entry of `bonds` has one under `law`."),
    "integrator": ("Integrators", "How a step goes. The scene has one under `integrator`."),
    "modifier": ("Modifiers", "Hooks that change bodies between steps. They are entries of `hooks`."),
    "observer": ("Observers", "Hooks that look at bodies between steps. They are entries of `hooks` or `output.writers`."),
    "engine": ("Engines", "What computes, chosen by `--device`."),
}


def ask(program, *words):
    answer = subprocess.run([program, *words], capture_output=True, text=True)
    if answer.returncode:
        raise SystemExit(f"{program} {' '.join(words)} failed: {answer.stderr}")
    return answer.stdout


def facets_of(method):
    """A sentence about what a method offers and needs."""
    fit = method.get("fit") or {}
    told = []
    if fit.get("facets"):
        told.append("Offers the facets " + ", ".join(f"`{f}`" for f in fit["facets"]) + ".")
    if "needs_facets" in fit:
        one, other = (", ".join(f"`{f}`" for f in side) for side in fit["needs_facets"])
        told.append(f"Needs {one} of both bodies." if one == other else f"Needs {one} of one body, {other} of the other.")
    if "dimension" in fit:
        told.append(f"Works in {fit['dimension']}D.")
    if fit.get("faces"):
        told.append("Offers the faces " + ", ".join(f"`{f}`" for f in fit["faces"]) + ".")
    if "needs_face" in fit:
        told.append(f"Needs laws with the face `{fit['needs_face']}`.")
    return " ".join(told)


def method_text(method, tables):
    schema = method["schema"]
    parts = [f"## {method['name']}\n", prose(method["description"]) + "\n"]
    if method["plugin"] and (folder := plugin_page(method["plugin"])):
        parts.append(f"Plugin [{method['plugin']}](../../../{folder}). {facets_of(method)}".rstrip() + "\n")
    elif facets_of(method):
        parts.append(facets_of(method) + "\n")
    table = tables.table(schema, skip=("type",))
    parts.append(table if table else "No options.\n")
    if schema.get("examples"):
        shown = "\n".join(json.dumps({"type": method["name"], **e}, ensure_ascii=False) for e in schema["examples"][:3])
        parts.append(f"```json\n{shown}\n```\n")
    return "\n".join(parts)


def plugin_page(plugin):
    """The page of a plugin, or of the folder that holds it."""
    for file in sorted(ROOT.glob("plugins/**/CMakeLists.txt")) + sorted(ROOT.glob("cuda/**/CMakeLists.txt")):
        if re.search(rf"scree_add_plugin\({re.escape(plugin)}\s", file.read_text()):
            for folder in (file.parent, *file.parent.parents):
                if (folder / "README.md").exists():
                    return (folder / "README.md").relative_to(ROOT).as_posix()
    return ""


def method_pages(methods):
    tables = Tables("scene.md")
    pages = {}
    for kind, file in PAGES.items():
        mine = [m for m in methods if m["kind"] == kind]
        title, about = ABOUT[kind]
        text = f"# {title}\n\n{about}\n\n| name | what it is |\n|---|---|\n"
        text += "".join(f"| [{m['name']}](#{anchor(m['name'])}) | {cell(m['description'])} |\n" for m in mine)
        pages[file] = MARK + text + "\n" + "\n".join(method_text(m, tables) for m in mine)
    return pages


def facets_in(shape, detector):
    """Facets of a shape in each dimension in which a detector works."""
    wanted = detector["fit"].get("dimension")
    return {d: set(f) for d, f in shape["fit"]["facets_by_dimension"].items() if wanted in (None, int(d))}


def takes(detector, shape):
    """Of how many bodies of a pair a detector takes this shape."""
    sides = [set(side) for side in detector["fit"]["needs_facets"]]
    return max((sum(side <= facets for side in sides) for facets in facets_in(shape, detector).values()), default=0)


def pair_fits(detector, a, b):
    one, other = (set(side) for side in detector["fit"]["needs_facets"])
    of_a, of_b = facets_in(a, detector), facets_in(b, detector)
    return any((one <= of_a[d] and other <= of_b[d]) or (one <= of_b[d] and other <= of_a[d])
               for d in of_a.keys() & of_b.keys())


def grid(rows, columns, head, mark):
    text = f"| {head} | " + " | ".join(f"`{c['name']}`" for c in columns) + " |\n|---|" + "---|" * len(columns) + "\n"
    for row in rows:
        text += f"| `{row['name']}` | " + " | ".join(mark(row, column) for column in columns) + " |\n"
    return text


def matrix_page(methods):
    """What goes with what, by what methods say they offer and need."""
    of = {kind: [m for m in methods if m["kind"] == kind] for kind in PAGES}
    shapes = [s for s in of["shape"] if "facets_by_dimension" in s["fit"]]
    detectors = [d for d in of["detector"] if "needs_facets" in d["fit"]]
    pairs = [(a, b) for i, a in enumerate(shapes) for b in shapes[i:]]
    served = sum(any(pair_fits(d, a, b) for d in detectors) for a, b in pairs)
    triples = sum(pair_fits(d, a, b) for a, b in pairs for d in detectors)
    laws, integrators = of["law"], [i for i in of["integrator"] if "needs_face" in i["fit"]]
    driven = [(l, i) for l in laws for i in integrators if i["fit"]["needs_face"] in l["fit"].get("faces", [])]
    text = ("# What goes with what\n\nShapes offer facets, and detectors need them. Laws offer faces, and integrators need "
            "them. That is all that decides. A plugin on the plugin path takes its place here by what it offers. "
            "`scree check SCENE` says in a sentence what does not fit.\n\n")
    text += (f"Of {len(pairs)} pairs of shapes {served} have a detector; pairs of two obstacles need none. "
             f"With {len(detectors)} detectors that makes {triples} combinations that fit and "
             f"{len(pairs) * len(detectors) - triples} that do not. "
             f"Of {len(laws) * len(integrators)} pairs of law and integrator {len(driven)} fit. "
             f"{len(of['modifier'])} modifiers go with all of them, as far as their own pages say nothing else.\n\n")
    text += "`tests/matrix` runs what fits, and checks the sentence of what does not.\n\n"
    text += ("## Shapes and detectors\n\n**2**: the detector takes two bodies of the shape. **1**: it takes the shape on one "
             "side. Empty: it lacks a facet, "
             "or they have no dimension in common.\n\n")
    text += grid(shapes, detectors, "shape", lambda s, d: {0: "", 1: "1", 2: "2"}[takes(d, s)])
    text += "\n## Laws and integrators\n\n"
    text += grid(laws, integrators, "law",
                 lambda l, i: "yes" if i["fit"]["needs_face"] in l["fit"].get("faces", []) else "")
    text += "\n## Modifiers\n\n"
    text += "".join(f"- [`{m['name']}`](modifiers.md#{anchor(m['name'])}): {cell(m['description'])}\n"
                    for m in of["modifier"])
    return MARK + text


def scene_page(schema):
    tables = Tables(definitions=schema["definitions"])
    text = ("# Keys of a scene\n\nA scene is one JSON file. All numbers are in SI units. A mistyped key is an error. "
            "`./scree check SCENE` checks a scene without running it.\n\n")
    text += "| key | meaning |\n|---|---|\n"
    for name, option in schema["properties"].items():
        required = " **Required.**" if name in schema["required"] else ""
        text += f"| [`{name}`](#{anchor(name).lstrip('$')}) | {cell(tables.meaning(option))}{required} |\n"
    definitions = schema["definitions"]
    for name, option in schema["properties"].items():
        text += f"\n## {name.lstrip('$')}\n\n{prose(tables.meaning(option))}\n\n" + key_section(name, option, tables)
        if name in definitions and option.get("$ref", "") != f"#/definitions/{name}" and not entry_of(option) == name:
            text += section(definitions[name], tables)
    text += "\n## Parts of these keys\n"
    for name, part in definitions.items():
        if name not in schema["properties"]:
            text += f"\n### {name.replace('_', ' ')}\n\n{prose(part.get('description', ''))}\n\n" + section(part, tables)
    return MARK + re.sub(r"\n{3,}", "\n\n", text).rstrip() + "\n"


def entry_of(option):
    """The definition of a list's entries, if they have one."""
    items = option.get("items")
    return items["$ref"].rsplit("/", 1)[-1] if isinstance(items, dict) and "$ref" in items else ""


def key_section(name, option, tables):
    """What a key of the scene holds."""
    if option.get("$ref") == f"#/definitions/{name}" or entry_of(option) == name:
        return section(tables.definitions[name], tables)
    if "items" in option:
        return f"Each entry: {tables.type_of(option['items'])}.\n\n" + section(option["items"], tables)
    inner = option.get("additionalProperties")
    if isinstance(inner, dict):
        return f"`{name}.NAME`: {tables.type_of(inner)}.\n\n"
    return section(option, tables)


def section(part, tables):
    """What a schema says: its kinds, the page of its methods, and its keys."""
    text = ""
    kinds = tables.kinds(part)
    if kinds:
        text += "Kinds:\n\n" + kinds + "\n"
    if "x-scree-options" in part:
        pages = " and ".join(f"[{ABOUT[kind][0].lower()}]({PAGES[kind]})" for kind in part["x-scree-options"])
        text += f"Further keys depend on `type`: see {pages}.\n\n"
    if "properties" not in part and ("anyOf" in part or part.get("type") not in ("object", None)):
        text += f"Type: {tables.type_of(part)}.\n\n"
    return text + tables.table(part) + "\n"


def command_line_page(program, lacking):
    general = ask(program, "--help")
    commands = re.findall(r"^  ([a-z][a-z-]*) +\S", general, re.M)
    text = ("# Command line\n\n`./scree COMMAND` builds scree where needed and runs the command. "
            "An installed scree is called `scree`.\n\n```text\n" + general.strip() + "\n```\n")
    for command in commands:
        told = subprocess.run([program, command, "--help"], capture_output=True, text=True)
        if told.returncode:  # a build without VTK draws no pictures
            lacking.append(f"command-line: {command}")
        text += f"\n## {command}\n\n```text\n{told.stdout.strip()}\n```\n"
    text += "\n## Exit codes\n\n| code | meaning |\n|---|---|\n"
    codes = general[general.index("Exit codes:") + len("Exit codes:"):]
    for number, meaning in re.findall(r"(\d+) ([^,(]+(?:\([^)]*\))?)", " ".join(codes.split())):
        text += f"| {number} | {meaning.strip()} |\n"
    return MARK + text


def headings(text):
    return set(re.findall(r"^## (.+)$", text, re.M))


def pages_of(program):
    """The pages by name, and "page: method" of what they have now and the program does not."""
    methods = json.loads(ask(program, "plugins", "--json"))
    pages = method_pages(methods)
    lacking = []
    for file, text in list(pages.items()):
        if (OUT / file).exists():
            gone = headings((OUT / file).read_text(encoding="utf-8")) - headings(text)
            lacking += [f"{file[:-3]}: {name}" for name in sorted(gone)]
    pages["matrix.md"] = matrix_page(methods)
    pages["scene.md"] = scene_page(json.loads((ROOT / "schemas/scene.schema.json").read_text(encoding="utf-8")))
    pages["command-line.md"] = command_line_page(program, lacking)
    return pages, lacking


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scree", default=str(ROOT / "build/bin/scree"), help="the program (default: build/bin/scree)")
    parser.add_argument("--check", action="store_true", help="write nothing, tell what differs")
    parser.add_argument("--drop", action="store_true", help="drop methods that the program does not have")
    arguments = parser.parse_args()
    pages, lacking = pages_of(arguments.scree)
    if lacking and not arguments.drop:
        print("SKIPPED: this build lacks " + ", ".join(lacking) + ". If they are gone for good, give --drop.")
        return 77
    differ = [name for name, text in pages.items()
              if not (OUT / name).exists() or (OUT / name).read_text(encoding="utf-8") != text]
    if arguments.check:
        for name in differ:
            print(f"framework/docs/reference/{name} is not what the program says. Run ./scree docs --renew.")
        return 1 if differ else 0
    OUT.mkdir(exist_ok=True)
    for name in differ:
        (OUT / name).write_text(pages[name], encoding="utf-8")
        print(f"framework/docs/reference/{name} renewed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
