#!/usr/bin/env python3
"""Writes manual pages from what the program says of itself: scree.1 and one for each command, compressed.

    make_man.py --scree build/bin/scree --out FOLDER
"""

import argparse
import gzip
import pathlib
import re
import subprocess


def ask(program, *words):
    answer = subprocess.run([program, *words], capture_output=True, text=True)
    return answer.stdout if answer.returncode == 0 else ""


def escaped(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.M)


def heading(name, version, about):
    return f'.TH "{name.upper()}" 1 "" "scree {version}" "scree"\n.SH NAME\n{escaped(name)} \\- {escaped(about)}\n'


def options(text):
    """Entries of a list of options: name and value, and what it means."""
    found = []
    for line in text.splitlines():
        entry = re.match(r"^ {2}(-\S.*?)(?: {2,}(.*))?$", line)
        if entry:
            found.append([entry[1], (entry[2] or "").strip()])
        elif found and line.startswith("   "):
            found[-1][1] += " " + line.strip()
    return found


def command_page(name, about, version, told):
    usage, rest = told.split("\n\n", 1)
    description, _, listed = rest.partition("\nOptions:\n")
    page = heading(f"scree-{name}", version, about)
    page += f".SH SYNOPSIS\n.B {escaped(usage.removeprefix('Usage: '))}\n.SH DESCRIPTION\n"
    page += escaped(" ".join(description.split())) + "\n"
    entries = options(listed)
    if entries:
        page += ".SH OPTIONS\n"
        page += "".join(f".TP\n.B {escaped(option)}\n{escaped(meaning)}\n" for option, meaning in entries)
    return page + ".SH SEE ALSO\n.BR scree (1)\n"


def general_page(told, commands, version):
    page = heading("scree", version, told.splitlines()[0].split(": ", 1)[-1])
    page += ".SH SYNOPSIS\n.B scree COMMAND [options]\n.SH COMMANDS\n"
    page += "".join(f".TP\n.BR scree\\-{escaped(name)} (1)\n{escaped(about)}\n" for name, about in commands)
    codes = " ".join(told[told.index("Exit codes:") + len("Exit codes:"):].split())
    page += ".SH EXIT STATUS\n"
    for number, meaning in re.findall(r"(\d+) ([^,(]+(?:\([^)]*\))?)", codes):
        page += f".TP\n.B {number}\n{escaped(meaning)}\n"
    return page + ".SH ENVIRONMENT\n.TP\n.B SCREE_PLUGIN_PATH\nFolders of plugins, separated by colons.\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scree", required=True)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    arguments = parser.parse_args()
    program = arguments.scree
    told, version = ask(program, "--help"), ask(program, "--version").split()[-1]
    commands = re.findall(r"^  ([a-z][a-z-]*) +(\S.*)$", told, re.M)
    pages = {"scree": general_page(told, commands, version)}
    for name, about in commands:
        if text := ask(program, name, "--help"):  # those that draw are left out of a build without VTK
            pages[f"scree-{name}"] = command_page(name, about, version, text)
    arguments.out.mkdir(parents=True, exist_ok=True)
    for name, page in pages.items():
        (arguments.out / f"{name}.1.gz").write_bytes(gzip.compress(page.encode(), mtime=0))


if __name__ == "__main__":
    main()
