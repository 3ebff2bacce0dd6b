#!/usr/bin/env python3
"""Prints a header as Doxygen takes it: for_doxygen.py HEADER

`/// \\file text` gives the text to the file; Doxygen would take its first word for a name. A class or struct of the header
without a comment of its own gets that text too. Tables of a comment, indented by two spaces more than its text, stay as they are.
"""

import re
import sys

BLOCK = re.compile(r"^/// [\\@]file (.+(?:\n///.*)*)", re.M)
TABLE = re.compile(r"^(\s*///)   (?=[^\s-])", re.M)
BARE = re.compile(r"(?<!>)\n\n((?:class|struct) (?:SCREE_API )?\w+[^;{]*\{)")


def for_doxygen(text):
    text = TABLE.sub(r"\1       ", text)
    found = BLOCK.search(text)
    if not found:
        return text
    described = "/// " + found[1]
    text = text[:found.start()] + "/// @file\n" + described + text[found.end():]
    return BARE.sub(lambda bare: f"\n\n{described}\n{bare[1]}", text)


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as header:
        sys.stdout.write(for_doxygen(header.read()))
