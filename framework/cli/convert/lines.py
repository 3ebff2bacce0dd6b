"""Lines of a script: comments, continuation, quotes, words."""

from dataclasses import dataclass, field

from report import DeckError, Place

MOST_LINE = 100_000  # [characters] with its continuations


@dataclass
class Line:
    """A logical line of a script: text without comment, and where it begins."""

    place: Place
    text: str


@dataclass
class Command:
    """A command to be carried out: words after variables have been put in."""

    place: Place
    text: str
    words: list = field(default_factory=list)

    @property
    def name(self):
        return self.words[0]


def without_comment(text):
    """Returns the text up to a # that stands outside of quotes."""
    quote = None
    for i, c in enumerate(text):
        if quote:
            if c == quote:
                quote = None
        elif c in "\"'":
            quote = c
        elif c == "#":
            return text[:i]
    return text


def logical_lines(text, name):
    """Returns the lines of a script with their continuations joined. Triple quotes may span lines."""
    lines, pending, start, block = [], "", 0, False
    for number, raw in enumerate(text.splitlines(), 1):
        if not pending and not block:
            start = number
        if block or raw.count('"""') % 2:
            block ^= bool(raw.count('"""') % 2)
            pending += raw + ("\n" if block else "")
            if block:
                continue
            piece = pending
        else:
            piece = pending + without_comment(raw)
        if len(piece) > MOST_LINE:
            raise DeckError(f"{name}:{start}: the line is longer than {MOST_LINE} characters.")
        if piece.rstrip().endswith("&"):
            pending = piece.rstrip()[:-1]
            continue
        pending = ""
        if piece.strip():
            lines.append(Line(Place(name, start), piece.strip()))
    if block:
        raise DeckError(f'{name}:{start}: quotes """ are not closed.')
    if pending.strip():
        lines.append(Line(Place(name, start), pending.strip()))
    return lines


def split_words(text, place):
    """Returns the words of a line. What stands in quotes is one word, without them."""
    words, i = [], 0
    while i < len(text):
        if text[i].isspace():
            i += 1
            continue
        for quote in ('"""', '"', "'"):
            if text.startswith(quote, i):
                end = text.find(quote, i + len(quote))
                if end < 0:
                    raise DeckError(f"{place}: a quote is not closed.")
                words.append(text[i + len(quote) : end])
                i = end + len(quote)
                break
        else:
            end = i
            while end < len(text) and not text[end].isspace():
                end += 1
            words.append(text[i:end])
            i = end
    return words
