"""Carries out the flow of a script: includes, variables, jumps, conditions. Nothing else of it is run."""

import re

from expressions import FormulaError
from files import MOST_SCRIPT_BYTES
from lines import Command, Line, logical_lines, split_words
from report import DeckError
from variables import Variable

MOST_COMMANDS = 100_000  # carried out, with loops unrolled
MOST_INCLUDES = 20  # within each other
MOST_FILES = 200
MOST_ITEMS = 1_000_000  # of a loop variable

CONDITION = re.compile(r"\s*(\|\^|\|\||&&|==|!=|<=|>=|[<>!()]|[^\s|&=!<>()]+)")
NEVER_RUN = ("shell", "python", "plugin")


class Quit(Exception):
    """The script says that it ends."""


class Script:
    """Reads a deck and gives its commands one after the other to `carry_out`."""

    def __init__(self, files, variables, report, carry_out):
        self.files, self.variables, self.report, self.carry_out = files, variables, report, carry_out
        self.count = 0
        self.jump_fails = False
        self.read = {}

    def lines_of(self, name, where):
        path = self.files.path(name, where)
        if path not in self.read:
            if len(self.read) >= MOST_FILES:
                raise DeckError(f"{where}: the deck includes more than {MOST_FILES} files.")
            text = self.files.text(name, where, MOST_SCRIPT_BYTES)
            self.read[path] = logical_lines(text, name)
        return self.read[path]

    def run(self, name):
        try:
            self.run_file(name, "the deck", 0)
        except Quit:
            pass
        except RecursionError:
            raise DeckError("the deck: it is nested too deeply.") from None

    def run_file(self, name, where, depth):
        if depth > MOST_INCLUDES:
            raise DeckError(f"{where}: more than {MOST_INCLUDES} files include each other.")
        lines, at, label = self.lines_of(name, where), 0, None
        while True:
            if at >= len(lines):
                if label is not None:
                    raise DeckError(f"{where}: there is no label {label!r} in {name!r}.")
                return
            line = lines[at]
            at += 1
            if label is not None:
                words = line.text.split()
                if words[:1] == ["label"] and words[1:2] == [label]:
                    label = None
                self.counted(line.place)
                continue
            target = self.carry_out_line(line, depth)
            if target:
                file, label = target
                where = line.place
                at = 0
                if file != "SELF":
                    name = file
                    lines = self.lines_of(file, where)

    def counted(self, place):
        self.count += 1
        if self.count > MOST_COMMANDS:
            raise DeckError(
                f"{place}: after {MOST_COMMANDS} commands the deck has not ended. A loop without end cannot be "
                "converted; nor can one of so many turns."
            )

    def carry_out_line(self, line, depth):
        """Carries out a line. Returns (file, label) if it jumps."""
        self.counted(line.place)
        if line.text.split(None, 1)[0] != "label":
            self.report.line(line.place)
        raw = Command(line.place, line.text, split_words(line.text, line.place))
        try:
            text = self.variables.substituted(line.text, line.place)
        except FormulaError as error:
            self.report.left(raw, f"{error}.", "Write a number in its place.")
            return None
        command = Command(line.place, text, split_words(text, line.place))
        if not command.words:
            return None
        flow = getattr(self, "do_" + command.name, None) if re.fullmatch(r"[a-z]+", command.name) else None
        if command.name in NEVER_RUN:
            self.report.note(command, "Programs that a deck calls are never run.", "Do by hand what the scene needs.")
            return None
        if flow is None:
            self.carry_out(command)
            return None
        return flow(command, depth)

    def words_of(self, command, least, form):
        if len(command.words) < least + 1:
            raise DeckError(f"{command.place}: {command.name} needs: {form}.")
        return command.words[1:]

    def do_include(self, command, depth):
        name = self.words_of(command, 1, "include FILE")[0]
        self.run_file(name, command.place, depth + 1)

    def do_label(self, command, depth):
        return None

    def do_quit(self, command, depth):
        raise Quit()

    def do_jump(self, command, depth):
        words = self.words_of(command, 1, "jump FILE LABEL")
        if self.jump_fails:
            self.jump_fails = False
            return None
        return words[0], (words[1] if len(words) > 1 else None)

    def do_next(self, command, depth):
        for name in self.words_of(command, 1, "next NAME"):
            variable = self.variables.all.get(name)
            if variable is None:
                raise DeckError(f"{command.place}: next: there is no variable {name!r}.")
            variable.at += 1
            if variable.at >= len(variable.values):
                del self.variables.all[name]
                self.jump_fails = True
        return None

    def do_print(self, command, depth):
        self.report.note(command, "What a deck prints is not printed.")

    def do_if(self, command, depth):
        words = self.words_of(command, 3, 'if "CONDITION" then "COMMAND" ...')
        try:
            chosen = self.branch(words, command)
        except FormulaError as error:
            self.report.left(
                command, f"The condition has no value before a run: {error}.", "Write the branch that you need."
            )
            return None
        for text in chosen:
            target = self.carry_out_line(Line(command.place, text), depth)
            if target:
                return target
        return None

    def branch(self, words, command):
        """Returns the commands of the branch whose condition holds."""
        i, condition, holds = 1, words[0], None
        while True:
            holds = condition is None or self.holds(condition, command)
            if condition is not None:
                if i >= len(words) or words[i] != "then":
                    raise DeckError(f'{command.place}: if: "then" is missing.')
                i += 1
            commands = []
            while i < len(words) and words[i] not in ("elif", "else"):
                commands.append(words[i])
                i += 1
            if holds:
                return commands
            if i >= len(words):
                return []
            if words[i] == "else":
                condition = None
                i += 1
            else:
                if i + 1 >= len(words):
                    raise DeckError(f"{command.place}: if: a condition is missing after elif.")
                condition = words[i + 1]
                i += 2

    def holds(self, condition, command):
        """Returns whether a condition of numbers or strings holds."""
        text = self.variables.substituted(condition, command.place, in_quotes=True)
        tokens = CONDITION.findall(text)
        if "".join(tokens) != "".join(text.split()) or not tokens:
            raise FormulaError(f"{condition.strip()!r} is not understood")
        value, rest = any_of(tokens, 0)
        if rest:
            raise FormulaError(f"{condition.strip()!r} is not understood")
        return truth(value)

    def do_variable(self, command, depth):
        words = self.words_of(command, 2, "variable NAME STYLE VALUES")
        name, style, values = words[0], words[1], words[2:]
        known = self.variables.all
        if style == "delete":
            known.pop(name, None)
            return None
        if style != "equal" and name in known and known[name].style not in ("equal", "atom", "string", "unknown"):
            return None  # kept, as when a script is read again
        if name in self.variables.fixed:
            return None  # what the user gives counts
        if style in ("index", "world", "universe"):
            if not values:
                raise DeckError(f"{command.place}: variable {name}: values are missing.")
            known[name] = Variable(style, values)
            if style != "index" and len(values) > 1:
                self.report.note(command, f"The scene is that of the first of the values, {values[0]}.")
        elif style in ("loop", "uloop"):
            known[name] = self.loop(name, values, command)
        elif style == "string":
            known[name] = Variable(style, [values[0] if values else ""])
        elif style == "equal":
            known[name] = Variable(style, [values[0] if len(values) == 1 else " ".join(values)])
        elif style == "file":
            lines = self.files.text(values[0] if values else "", command.place).splitlines()
            known[name] = Variable(style, [line.strip() for line in lines if line.strip()] or [""])
        elif style == "internal":
            known[name] = Variable("equal", values or ["0"])
        else:
            known[name] = Variable("atom" if style == "atom" else "unknown", [""])
            if style != "atom":
                self.report.left(
                    command, f"Variables of style {style} are not read.", f"Give a value with --var {name} VALUE."
                )
        return None

    def loop(self, name, values, command):
        pad = values[-1:] == ["pad"]
        numbers = values[:-1] if pad else values
        try:
            bounds = [int(number) for number in numbers]
            first, last = (1, bounds[0]) if len(bounds) == 1 else (bounds[0], bounds[1])
        except (ValueError, IndexError):
            raise DeckError(f"{command.place}: variable {name} loop needs whole numbers.") from None
        if last - first >= MOST_ITEMS:
            raise DeckError(f"{command.place}: variable {name}: a loop has {MOST_ITEMS} turns at most.")
        if last < first:
            raise DeckError(f"{command.place}: variable {name}: the loop ends before it begins.")
        return Variable("loop", range(first, last + 1), len(str(last)) if pad else 0)


def number_or_text(token):
    try:
        return float(token)
    except ValueError:
        return token


def truth(value):
    if isinstance(value, str):
        raise FormulaError(f"{value!r} is neither true nor false")
    return value != 0


def any_of(tokens, depth):
    if depth > 50:
        raise FormulaError("the condition is nested too deeply")
    value, tokens = all_of(tokens, depth)
    while tokens and tokens[0] in ("||", "|^"):
        other, rest = all_of(tokens[1:], depth)
        a, b = truth(value), truth(other)
        value, tokens = float(a or b if tokens[0] == "||" else a != b), rest
    return value, tokens


def all_of(tokens, depth):
    value, tokens = compared(tokens, depth)
    while tokens and tokens[0] == "&&":
        other, tokens = compared(tokens[1:], depth)
        value = float(truth(value) and truth(other))
    return value, tokens


def compared(tokens, depth):
    value, tokens = single(tokens, depth)
    while tokens and tokens[0] in ("==", "!=", "<", "<=", ">", ">="):
        sign = tokens[0]
        other, tokens = single(tokens[1:], depth)
        if isinstance(value, str) != isinstance(other, str):
            value, other = str(value), str(other)
        try:
            value = float(
                {"==": value == other, "!=": value != other}[sign]
                if sign in ("==", "!=")
                else {"<": value < other, "<=": value <= other, ">": value > other, ">=": value >= other}[sign]
            )
        except TypeError:
            raise FormulaError("texts have no order") from None
    return value, tokens


def single(tokens, depth):
    if not tokens:
        raise FormulaError("the condition ends too early")
    if tokens[0] == "!":
        value, rest = single(tokens[1:], depth + 1)
        return float(not truth(value)), rest
    if tokens[0] == "(":
        value, rest = any_of(tokens[1:], depth + 1)
        if rest[:1] != [")"]:
            raise FormulaError("a bracket is not closed")
        return value, rest[1:]
    return number_or_text(tokens[0]), tokens[1:]


