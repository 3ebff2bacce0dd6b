#!/usr/bin/env python3
"""Puts figures of tests into framework/docs/papers.md, and counts its claims.

    make_papers.py            write the page
    make_papers.py --check    exit 1 if the page differs, or a test on it is no longer there

The page is written. Of a link that a comment `figure: NAME OF A TEST` follows the text is the last figure of that test in
tests/verification/figures.csv; after `error: ...` it is the relative error. The link leads to the test's file.
"""

import argparse
import re
import sys

import make_verification

PAGE = make_verification.DOCS / "papers.md"
FIGURE = re.compile(r"\[[^\]]*\]\([^)]*\)<!-- (figure|error): (.*?) -->")
COUNTS = re.compile(r"(?<=<!-- counts -->\n).*?(?=<!-- end of counts -->)", re.S)
STATES = ["shown", "partly", "not"]


def counts(text):
    """A table of how many claims of each paper are in which state."""
    lines = ["| | " + " | ".join(STATES) + " |", "|---" * (len(STATES) + 1) + "|"]
    for part in re.split(r"^## ", text, flags=re.M)[1:]:
        name = part.splitlines()[0]
        states = re.findall(r"^\|.*\| (\w+) \|$", part, re.M)
        anchor = re.sub(r"[^\w\- ]", "", name.lower()).replace(" ", "-")
        lines.append(f"| [{name}](#{anchor}) | " + " | ".join(str(states.count(state)) for state in STATES) + " |")
    return "\n".join(lines) + "\n"


def page():
    """The page, and faults of its rows."""
    sources, faults = make_verification.tests_in_sources(), []
    rows = {row["test"]: row for row in make_verification.read()}

    def with_figure(found):
        kind, test = found[1], found[2]
        if test not in rows or test not in sources:
            faults.append(f"framework/docs/papers.md: tests/verification/figures.csv has no figure of \"{test}\"")
            return found[0]
        row = rows[test]
        value = make_verification.error(row) if kind == "error" else float(row["result"])
        return f"[{value:.2g}](../../{sources[test][0]})<!-- {kind}: {test} -->"

    text = FIGURE.sub(with_figure, PAGE.read_text(encoding="utf-8"))
    return COUNTS.sub(lambda _: counts(text), text), faults


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing, tell what differs")
    arguments = parser.parse_args()
    text, faults = page()
    if arguments.check:
        faults += [] if text == PAGE.read_text(encoding="utf-8") else ["framework/docs/papers.md: run make_papers.py."]
    else:
        PAGE.write_text(text, encoding="utf-8")
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
