#!/usr/bin/env python3
"""Counts the words of sentences, and private terms, on the pages that users read and in the comments of headers.

    check_language.py [--root DIR] [--list]

Prints one row per group of pages. Fails if the mean of a group or a single sentence is too long, or if a private term is found.
Prints one more row for doc comments of code. Fails if one begins with a word that leans on the line above ("Of these.", "Whether it
is."), as no editor shows that line, and if "who" is said of anything but a person. The folders checked are in COMMENTED below.
--list prints every offence with its place. The limits are below.

A sentence is prose: code, tables of figures, headings and lists of sources are left out. A cell of a table counts against the limit of
a single sentence, and not in the mean. Code in backticks and formulas between $ signs count as one word.
"""

import argparse
import json
import pathlib
import re
import sys

MEAN_LIMIT = 18
SENTENCE_LIMIT = 35

# What the project once said, and the field does not. The second part of each pair is what to write.
PRIVATE_TERMS = [
    (r"\btold\b(?! apart)", "given, reported, named"),
    (r"\bof now\b", "current"),
    (r"\bof before\b|\bthe (?:step|row|stage|frame) before\b(?! \w)", "previous"),
    (r"\banew\b", "again"),
    (r"\bupon\b", "on"),
    (r"\bby (?:itself|themselves)\b", "alone, automatically"),
    (r"\bin succession\b|\bsuccession of\b", "in turn, sequence of"),
    (r"\bhand(?:s|ed|ing)? out\b", "give, allocate"),
    (r"\bone's own\b", "your own"),
    (r"\bof (?:ours|theirs)\b|\b(?:are|is) ours\b", "name the owner"),
    (r"\blikewise\b", "also, in the same way"),
    (r"\biff\b", "only if"),
    (r"\bso many\b", "that many"),
    (r"\bby turns\b", "alternately"),
    (r"\bin the mean\b", "on average"),
    (r"\bone and the same\b", "the same"),
    (r"\bfor good\b", "permanently"),
    (r"\b(?:is|are) bared\b|\bor bared\b", "exposed"),
    (r"\b(?:wherefrom|whereof|thereupon|lest|ere|hitherto|nought|whence)\b", "plain English"),
]
PRIVATE = [(re.compile(pattern, re.IGNORECASE), cure) for pattern, cure in PRIVATE_TERMS]

# Doc comments begin with a verb (functions) or with the noun that they document (types, members), so that each can be read alone.
LEANING = re.compile(r"(?:of|what|whatever|whether|those|that|which|who|whom|whoever|whose|where|how|the same|as|like)\b", re.IGNORECASE)
WHO = re.compile(r"\b(?:who|whom|whoever)\b", re.IGNORECASE)
PERSON = re.compile(r"\b(?:users?|authors?|readers?|developers?|people|person|someone|no one)\b", re.IGNORECASE)
# Folders and files whose comments are checked; a room is added when its comments are done. Not yet: the others.
COMMENTED = [
    "framework/cli", "framework/conformance", "plugins",
    *(f"framework/scree/{room}" for room in (
        "base", "bonds", "contacts/decomposition", "contacts/evaluation", "contacts/history", "contacts/lists", "detect", "engine",
        "grid", "guard", "hooks", "host", "integrate", "law", "model", "output", "plugin", "run", "scene", "setup", "shape", "world")),
    *(f"framework/scree/contacts/{name}" for name in (
        "block_size.hpp", "body_poses.hpp", "body_tile.hpp", "contact_pipeline.hpp", "contact_pipeline.cpp", "history_transfer.hpp",
        "history_transfer.cpp", "migrate_history.cpp", "parallel_pairs.hpp")),
]

SOURCES = re.compile(r"^#+\s*(sources?|references?|literature|reading)\b", re.IGNORECASE)
HEADING = re.compile(r"^#+\s")
ITEM = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+")
ABBREVIATION = re.compile(r"(?:\b(?:e\.g|i\.e|cf|vs|etc|al|Fig|Figs|Eq|eq|eqs|Eqs|Sec|No|pp|approx|resp|ch|vol)|(?<![\d)\]] )\b[A-Z])\.$")  # initials, but no units after numbers
SENTENCE_END = re.compile(r"(?<=[.!?])[\"')\]*_]*\s+(?=[\"'(\[*_]*[A-Z0-9`\[(])")
DESCRIPTION_END = re.compile(r"(?<=[.!?])\s+")  # in schemas and tables a sentence may begin with the name of an option


def plain(text):
    """Text as it is read: a span of code or a formula is one word, a link is its text."""
    text = re.sub(r"<!--.*?-->", "", text)
    text = re.sub(r"``.+?``|`[^`]*`", "CODE", text)
    text = re.sub(r"\$\$.+?\$\$|\$[^$\n]+\$", "FORMULA", text)
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)", "", text)
    text = re.sub(r"\[([^\]]*)\]\((?:[^()]|\([^()]*\))*\)", r"\1", text)
    return re.sub(r"</?[a-z]+(?:\s[^>]*)?/?>|\{[:.#][^}]*\}", " ", text).replace("**", "")


def sentences(text, kind="prose"):
    """Splits a block of prose, not at abbreviations and initials."""
    found, start = [], 0
    for match in (SENTENCE_END if kind == "prose" else DESCRIPTION_END).finditer(text):
        if ABBREVIATION.search(text[start:match.start()]):
            continue
        found.append(text[start:match.end()].strip())
        start = match.end()
    found.append(text[start:].strip())
    return [sentence for sentence in found if sentence]


def words(sentence):
    return sum(1 for token in sentence.split() if re.search(r"[A-Za-z]", token))


def blocks(lines):
    """(line, kind, text) of each paragraph or item ("prose") and each cell of a table ("cell") of a Markdown page."""
    fence, in_sources, held, first, after_blank, in_list = None, False, [], 0, True, False
    for number, line in enumerate(lines, 1):
        stripped = line.strip()
        mark = re.match(r"(```+|~~~+|\$\$$)", stripped)
        ends = not stripped or mark or fence or HEADING.match(line) or stripped.startswith("|") or ITEM.match(line)
        if ends and held:
            yield first, "prose", " ".join(held)
            held = []
        if mark:
            fence = None if fence and stripped.startswith(fence) else (fence or mark.group(1))
        elif fence:
            pass
        elif HEADING.match(line):
            in_sources, in_list = bool(SOURCES.match(line)), False
        elif not stripped:
            after_blank = True
            continue
        elif in_sources or (line.startswith("    ") and (after_blank and not in_list)) or re.match(r"^(?:\[\^|<!--|---|\$\$|!!!|===)", stripped):
            if line.startswith("    "):
                continue  # an indented block of code goes on after its first line
        elif stripped.startswith("|"):
            for cell in re.split(r"(?<!\\)\|", stripped.strip("|")):
                yield number, "cell", cell.strip()
        else:
            if ITEM.match(line):
                in_list = True
            elif not line.startswith(" ") and after_blank:
                in_list = False
            if not held:
                first = number
            held.append(ITEM.sub("", line).strip())
        after_blank = False
    if held:
        yield first, "prose", " ".join(held)


def page_blocks(path):
    return blocks(path.read_text(encoding="utf-8").splitlines())


def comment_blocks(path):
    """The comments of a header: paragraphs, items of lists, and what is said behind a member. Tables in them are left out."""
    held, first, in_item = [], 0, False
    for number, line in enumerate([*path.read_text(encoding="utf-8").splitlines(), ""], 1):
        found = re.match(r"\s*///?(?!<) ?(.*)$", line)
        text = found[1] if found else ""
        tag = re.match(r"\\(?:param +[\w, ]+?(?=  |$)|\w+)", text)
        item = text.startswith("- ")
        if text.strip() and not tag and not item and (in_item and held and text.startswith("  ") or not text.startswith("  ")):
            first = first if held else number
            held.append(text.strip())
            continue
        if held:
            yield first, "prose", " ".join(held)
        held, first, in_item = ([text[tag.end():].strip()] if tag else [text[2:].strip()] if item else []), number, item
        member = re.search(r"///< (.*)$", line)
        if member:
            yield number, "cell", member[1]


def doc_comments(path):
    """(line, text) of each doc comment: blocks of ///, and what follows ///< behind a member. Each \\param, \\return and \\throws of a
    block comes as a text of its own."""
    held, first, behind = [], 0, False
    for number, line in enumerate([*path.read_text(encoding="utf-8").splitlines(), ""], 1):
        found = re.match(r"\s*///(?!<) ?(.*)$", line)
        member = re.search(r"///< ?(.*)$", line)
        tag = re.match(r"\\(?:t?param(?:\[\w+\])? +[\w, ]+?(?=  |$)|\w+) *", found[1]) if found else None
        if held and (not (found or member) or tag or (member and line.strip() != member[0]) or bool(member) != behind):
            yield first, " ".join(held)
            held = []
        if found or member:
            text = (found[1][tag.end():] if tag else found[1]) if found else member[1]
            first, behind = first if held else number, bool(member)
            held.append(text.strip())


def commented_files(root):
    paths = [root / name for name in COMMENTED]
    return sorted(file for path in paths for file in (path.rglob("*.[hc]pp") if path.is_dir() else [path]))


def comment_offences(path):
    """(line, message) of each doc comment that cannot be read alone, or says "who" of a thing."""
    for number, text in doc_comments(path):
        if leaning := LEANING.match(text):
            yield number, f'a doc comment begins with "{leaning[0]}". Begin with a verb or a noun: {text[:80]}'
        if WHO.search(text) and not PERSON.search(text):
            yield number, f'"{WHO.search(text)[0]}" is said of a thing. Name it: {text[:80]}'


def descriptions(value, pointer=""):
    if isinstance(value, dict):
        for key, inner in value.items():
            if key in ("description", "title") and isinstance(inner, str):
                yield pointer + "/" + key, inner
            else:
                yield from descriptions(inner, pointer + "/" + key)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from descriptions(inner, f"{pointer}/{index}")


def schema_blocks(path):
    for pointer, text in descriptions(json.loads(path.read_text(encoding="utf-8"))):
        yield pointer, "description", text


def groups(root):
    """(name, paths, reader) of what is checked."""
    # Pages made from schemas have their descriptions, which are read from the schemas.
    docs = [page for page in sorted((root / "framework/docs").rglob("*.md"))
            if not page.read_text(encoding="utf-8").startswith("<!-- Made by")]
    notes = [page for page in docs if "notes" in page.relative_to(root / "framework/docs").parts]
    # What plugins and programs include; contacts/ serves the core alone.
    headers = [file for file in sorted((root / "framework/scree").rglob("*.hpp"))
               if "contacts" not in file.relative_to(root / "framework/scree").parts]
    return [
        ("README.md", [root / "README.md"], page_blocks),
        ("plugins/*/README.md", sorted((root / "plugins").rglob("README.md")), page_blocks),
        ("framework/README.md", [root / "framework/README.md"], page_blocks),
        ("CONTRIBUTING.md", [root / "CONTRIBUTING.md"], page_blocks),
        ("examples", sorted((root / "examples").rglob("README.md")), page_blocks),
        ("framework/docs", [page for page in docs if page not in notes], page_blocks),
        ("framework/docs/notes", notes, page_blocks),
        ("framework/scree/*.hpp", headers, comment_blocks),
        ("schemas", sorted((root / "schemas").glob("*.json")) + sorted((root / "plugins").rglob("schema.json")), schema_blocks),
    ]


class Count:
    def __init__(self):
        self.sentences = self.words = self.longest = self.too_long = self.private = 0
        self.offences = []

    def mean(self):
        return self.words / self.sentences if self.sentences else 0.0

    def add(self, place, kind, text):
        for sentence in sentences(plain(text), kind):
            length = words(sentence)
            if kind != "cell" and length > 1:
                self.sentences += 1
                self.words += length
            self.longest = max(self.longest, length)
            if length > SENTENCE_LIMIT:
                self.too_long += 1
                self.offences.append(f"{place}: {length} words, at most {SENTENCE_LIMIT}: {sentence[:110]}")
            for term, cure in PRIVATE:
                for match in term.finditer(sentence):
                    self.private += 1
                    self.offences.append(f'{place}: "{match.group(0)}", write: {cure}')


def main():
    parser = argparse.ArgumentParser(description="Counts lengths of sentences and private terms on users' pages.")
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[2])
    parser.add_argument("--list", action="store_true", help="print every offence")
    options = parser.parse_args()

    print(f"{'pages':24} {'files':>5} {'sentences':>9} {'mean':>5} {'longest':>7} {'too long':>8} {'private':>7}")
    total, listed = Count(), []
    for name, paths, reader in groups(options.root):
        count = Count()
        for path in paths:
            for place, kind, text in reader(path):
                count.add(f"{path.relative_to(options.root)}:{place}", kind, text)
        print(f"{name:24} {len(paths):5} {count.sentences:9} {count.mean():5.1f} {count.longest:7} {count.too_long:8} {count.private:7}")
        if count.mean() > MEAN_LIMIT:
            count.offences.append(f"{name}: {count.mean():.1f} words per sentence on average, at most {MEAN_LIMIT}")
        listed += count.offences
        total.sentences += count.sentences
        total.words += count.words
        total.longest = max(total.longest, count.longest)
        total.too_long += count.too_long
        total.private += count.private
    print(f"{'all':24} {'':5} {total.sentences:9} {total.mean():5.1f} {total.longest:7} {total.too_long:8} {total.private:7}")
    files, comments, offences = commented_files(options.root), 0, []
    for path in files:
        comments += sum(1 for _ in doc_comments(path))
        offences += [f"{path.relative_to(options.root)}:{place}: {message}" for place, message in comment_offences(path)]
    print(f"doc comments: {comments} in {len(files)} files, {len(offences)} that lean on the line above or say \"who\" of a thing")
    listed += offences
    for offence in listed if options.list else listed[:40]:
        print(offence)
    if not options.list and len(listed) > 40:
        print(f"... and {len(listed) - 40} more: run with --list")
    return 1 if listed else 0


if __name__ == "__main__":
    sys.exit(main())
