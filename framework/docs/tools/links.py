"""Links and headings of Markdown pages."""

import re

FENCE = re.compile(r"^\s*(```+|~~~+)")


def lines_outside_code(text):
    """Numbered lines that lie in no fenced block."""
    fence = ""
    for number, line in enumerate(text.splitlines(), 1):
        found = FENCE.match(line)
        if found and not fence:
            fence = found[1]
        elif found and found[1].startswith(fence) and not line.strip().strip(fence[0]):
            fence = ""
        elif not fence:
            yield number, line


def without_inline_code(line):
    """The line with inline code blanked, at the same places."""
    return re.sub(r"`+[^`]*`+", lambda code: " " * len(code[0]), line)


def targets(line):
    """Start, end and text of what each link or image of a line points to, also of pictures in links."""
    plain = without_inline_code(line)
    found = []
    for start in (m.start() for m in re.finditer(r"\]\(", plain)):
        end = plain.find(")", start)
        if end > 0 and not re.search(r"\s", plain[start + 2:end]):
            found.append((start + 2, end, line[start + 2:end]))
    return found


def is_outside(target):
    return bool(re.match(r"[a-z]+:", target)) or target.startswith("//")


def slug(heading):
    """The anchor of a heading, as GitHub makes it."""
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def anchors(text):
    """All anchors of a page; a heading that comes again gets -1, -2."""
    found, seen = set(), {}
    for _, line in lines_outside_code(text):
        heading = re.match(r"#{1,6} +(.+?) *#*$", line)
        if heading:
            name = slug(heading[1])
            found.add(name if name not in seen else f"{name}-{seen[name]}")
            seen[name] = seen.get(name, 0) + 1
        found.update(re.findall(r'(?:id|name)="([^"]+)"', line))
    return found
