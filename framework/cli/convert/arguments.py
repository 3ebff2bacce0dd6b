"""Arguments of a command, taken one after the other."""

from expressions import FormulaError
from report import DeckError


class Refused(Exception):
    """A command that cannot be taken: why, and what to do."""

    def __init__(self, reason, advice=""):
        super().__init__(reason)
        self.reason, self.advice = reason, advice


class Arguments:
    """Words of a command from `start` on, in the deck's units."""

    def __init__(self, command, variables, start=1):
        self.command, self.variables = command, variables
        self.words, self.at = command.words, start

    def more(self):
        return self.at < len(self.words)

    def peek(self):
        return self.words[self.at] if self.more() else None

    def skip(self, *names):
        """Passes over the next word if it is one of these."""
        if self.peek() in names:
            self.at += 1
            return True
        return False

    def word(self, what):
        if not self.more():
            raise DeckError(f"{self.command.place}: {self.command.words[0]}: {what} is missing.")
        self.at += 1
        return self.words[self.at - 1]

    def number(self, what, factor=1.0):
        """Returns a number. A variable v_NAME counts where it does not change during the run."""
        word = self.word(what)
        if word.startswith("v_"):
            try:
                return self.variables.number(word[2:], of_time=False) * factor
            except FormulaError as error:
                raise Refused(f"{what} is the variable {word[2:]}, which changes: {error}.", "Give a number.") from None
        try:
            value = float(word)
        except ValueError:
            raise DeckError(f"{self.command.place}: {what} is {word[:40]!r}; a number is needed.") from None
        if value != value or value in (float("inf"), float("-inf")):
            raise DeckError(f"{self.command.place}: {what} is {word!r}; a finite number is needed.")
        return value * factor

    def integer(self, what):
        value = self.number(what)
        if value != int(value):
            raise DeckError(f"{self.command.place}: {what} is {value:g}; a whole number is needed.")
        return int(value)

    def vector(self, what, factor=1.0):
        return tuple(self.number(f"{what} {axis}", factor) for axis in "xyz")

    def yes(self, what):
        word = self.word(what)
        if word not in ("yes", "no", "on", "off"):
            raise DeckError(f"{self.command.place}: {what} is {word[:40]!r}; yes or no is needed.")
        return word in ("yes", "on")

    def rest(self):
        rest = self.words[self.at :]
        self.at = len(self.words)
        return rest
