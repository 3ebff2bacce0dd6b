"""Variables of a script, and how they are put into lines."""

import re

from expressions import Formula, FormulaError
from report import DeckError

MOST_TEXT = 200_000  # [characters] of a line after variables are put in
MOST_NESTED = 30  # variables that are made of variables
OF_TIME = ("step", "time", "elapsed", "elaplong", "cpu", "tpcpu", "spcpu")


class Variable:
    """A variable: its style, its values, and which of them is the present one."""

    def __init__(self, style, values, pad=0):
        self.style, self.values, self.pad, self.at = style, values, pad, 0

    def text(self):
        value = str(self.values[self.at])
        return value.zfill(self.pad) if self.pad else value


class Variables:
    """All variables of a script. `state` knows the step, the time step and the box."""

    def __init__(self, state, given):
        self.state = state
        self.all = {name: Variable("index", list(values)) for name, values in given.items()}
        self.fixed = set(self.all)
        self.depth = 0

    def look_up(self, name, of_time=True):
        """Returns the value of a name in a formula. Without `of_time` those that change in a run are refused."""
        if name.startswith("v_"):
            return self.number(name[2:], of_time)
        if name in OF_TIME:
            if not of_time:
                raise FormulaError(f"{name} changes during a run")
            state = self.state
            seconds = state.time / state.units.time
            return {"step": float(state.step), "time": seconds, "elapsed": float(state.elapsed)}.get(name, 0.0)
        if name == "dt":
            return self.state.scaled_dt()
        value = self.state.box_number(name)
        if value is None:
            raise FormulaError(f"{name} is known during a run only")
        return value

    def formula(self, text, of_time=True):
        self.depth += 1
        try:
            if self.depth > MOST_NESTED:
                raise FormulaError("variables are nested too deeply, or refer to themselves")
            return Formula(text, lambda name: self.look_up(name, of_time)).value()
        finally:
            self.depth -= 1

    def number(self, name, of_time=True):
        """Returns the number that a variable stands for."""
        variable = self.all.get(name)
        if variable is None:
            raise FormulaError(f"there is no variable {name}")
        if variable.style == "equal":
            return self.formula(variable.values[0], of_time)
        if variable.style in ("atom", "unknown"):
            raise FormulaError(f"the variable {name} is known during a run only")
        return self.formula(variable.text(), of_time)

    def changes(self, name):
        """Returns whether a variable's value changes during a run."""
        try:
            self.number(name, of_time=False)
        except FormulaError:
            return True
        return False

    def put_in(self, name, place):
        variable = self.all.get(name)
        if variable is None:
            raise DeckError(
                f"{place}: there is no variable {name!r} yet. Decks that take it from the command line need "
                f"--var {name} VALUE."
            )
        if variable.style in ("atom", "unknown"):
            raise FormulaError(f"the variable {name} is known during a run only")
        if variable.style == "equal":
            try:
                return f"{self.number(name):.15g}"
            except FormulaError as error:
                raise FormulaError(f"the variable {name}: {error}") from None
        return variable.text()

    def substituted(self, text, place, in_quotes=False):
        """Returns the text with $x, ${name} and $(formula) put in; not within quotes unless asked for."""
        out, i, quote = [], 0, None
        while i < len(text):
            c = text[i]
            if quote:
                quote = None if c == quote else quote
            elif c in "\"'" and not in_quotes:
                quote = c
            if c != "$" or (quote and not in_quotes) or i + 1 >= len(text):
                out.append(c)
                i += 1
            else:
                value, i = self.reference(text, i, place)
                out.append(value)
            if sum(map(len, out[-1:])) > MOST_TEXT:
                raise DeckError(f"{place}: a variable makes the line longer than {MOST_TEXT} characters.")
        result = "".join(out)
        if len(result) > MOST_TEXT:
            raise DeckError(f"{place}: variables make the line longer than {MOST_TEXT} characters.")
        return result

    def reference(self, text, i, place):
        opening = text[i + 1]
        if opening == "{":
            end = text.find("}", i)
            if end < 0:
                raise DeckError(f"{place}: ${{ is not closed.")
            return self.put_in(text[i + 2 : end], place), end + 1
        if opening == "(":
            depth = 0
            for end in range(i + 1, len(text)):
                depth += {"(": 1, ")": -1}.get(text[end], 0)
                if depth == 0:
                    return self.immediate(text[i + 2 : end]), end + 1
            raise DeckError(f"{place}: $( is not closed.")
        return self.put_in(opening, place), i + 2

    def immediate(self, text):
        match = re.fullmatch(r"(.*):%(\d{0,2})(\.\d{1,2})?([deEfgG])", text, re.S)
        if not match:
            return f"{self.formula(text):.20g}"
        value = self.formula(match[1])
        width = int(match[2] or 0)
        if match[4] == "d":
            return f"{int(value):{width}d}"
        return f"{value:{width}{match[3] or ''}{match[4]}}"
