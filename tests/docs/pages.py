"""The pages of framework/docs, and what stands in their fenced blocks."""

import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCS = ROOT / "framework/docs"
sys.path.insert(0, str(DOCS / "tools"))


def written():
    """Pages that people write, without the notes."""
    return [page for page in sorted(DOCS.rglob("*.md"))
            if not page.read_text(encoding="utf-8").startswith("<!-- Made by")
            and "notes" not in page.relative_to(DOCS).parts]


class Block:
    """A fenced block: its language, title, text and first line, and the comment `<!-- test: ... -->` before it."""

    def __init__(self, page, line, info, advice):
        self.page, self.line, self.advice = page, line, advice
        self.language = info.split()[0] if info else ""
        title = re.search(r'title="([^"]+)"', info)
        self.title = title[1] if title else ""
        self.lines = []

    @property
    def text(self):
        return "\n".join(self.lines)

    @property
    def where(self):
        return f"{self.page.relative_to(ROOT)}:{self.line}"

    def advised(self, word):
        """What follows a word of the comment, such as the name after `into`; None without that word."""
        for part in self.advice.split(";"):
            part = part.strip()
            if part == word or part.startswith(word + " "):
                return part[len(word):].strip()
        return None

    @property
    def arguments(self):
        """Options that shorten the runs of the block."""
        return " ".join(part.strip() for part in self.advice.split(";") if part.strip().startswith("--"))


def blocks(page):
    found, block, advice, indent = [], None, "", ""
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        fence = re.match(r"( *)```(.*)$", line)
        if block is None and fence:
            block, indent, advice = Block(page, number, fence[2].strip(), advice), fence[1], ""
        elif block is not None and fence and not fence[2].strip():
            found.append(block)
            block = None
        elif block is not None:
            block.lines.append(line.removeprefix(indent))
        elif comment := re.match(r"\s*<!-- test: (.*?) -->$", line):
            advice = comment[1]
        elif line.strip():
            advice = ""
    return found


def skip_in_this_build(reason):
    """Ends the test as skipped, for something that the build leaves out by choice."""
    print(f"SKIPPED: {reason}")
    sys.exit(0)


def skip_on_this_machine(reason):
    """Ends the test as skipped, for something that this machine lacks; as failed with SCREE_NO_SKIPS, as in CI."""
    if os.environ.get("SCREE_NO_SKIPS"):
        print(f"{reason} SCREE_NO_SKIPS is set.")
        sys.exit(1)
    print(f"SKIPPED: {reason}")
    sys.exit(0)
