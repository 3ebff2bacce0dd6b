#!/usr/bin/env python3
"""The pages of theory name functions that are there, each in the file that it is linked to."""

import re
import sys

import pages

# `name`, `name` in [`file`](path)
PLACE = re.compile(r"((?:`[^`]+`(?:, )?)+) in \[`([^`]+)`\]\(([^)]+)\)")


def faults_of(page):
    text = page.read_text(encoding="utf-8")
    where = page.relative_to(pages.ROOT)
    found = 0
    for names, label, path in PLACE.findall(text):
        file = (page.parent / path).resolve()
        if not file.is_file():
            yield f"{where}: there is no file {path}"
            continue
        if file.name != label:
            yield f"{where}: the link {label} leads to {file.name}"
        code = file.read_text(encoding="utf-8")
        for name in re.findall(r"`([^`]+)`", names):
            found += 1
            if not re.search(rf"\b{re.escape(name)}\b", code):
                yield f"{where}: {label} has no {name}"
    if found < 3:
        yield f"{where}: a page of theory names at least three functions"
    if text.count("$$") % 2:
        yield f"{where}: a formula is not closed"


def main():
    faults = [fault for page in sorted((pages.DOCS / "theory").glob("*.md")) for fault in faults_of(page)]
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
