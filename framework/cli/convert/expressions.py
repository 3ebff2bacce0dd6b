"""Formulas of equal-style variables. Nothing of the deck is ever given to Python to run."""

import math
import re

MOST_DEPTH = 60
MOST_LENGTH = 20_000

TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<sign>\|\^|\|\||&&|==|!=|<=|>=|[-+*/^%<>!(),\[\]]))"
)


class FormulaError(Exception):
    """A formula that has no value here."""


def whole(x):
    return float(math.floor(x + 0.5)) if x >= 0 else float(math.ceil(x - 0.5))


FUNCTIONS = {
    "sqrt": math.sqrt, "exp": math.exp, "ln": math.log, "log": math.log10, "abs": abs, "sin": math.sin,
    "cos": math.cos, "tan": math.tan, "asin": math.asin, "acos": math.acos, "atan": math.atan,
    "atan2": math.atan2, "ceil": math.ceil, "floor": math.floor, "round": whole,
    "ternary": lambda c, a, b: a if c != 0 else b,
}
CONSTANTS = {"PI": math.pi, "version": 0.0, "yes": 1.0, "no": 0.0, "on": 1.0, "off": 0.0, "true": 1.0, "false": 0.0}
LEVELS = (("||",), ("|^",), ("&&",), ("==", "!="), ("<", "<=", ">", ">="), ("+", "-"), ("*", "/", "%"))


def tokens_of(text):
    if len(text) > MOST_LENGTH:
        raise FormulaError("the formula is too long")
    tokens, at = [], 0
    text = text.rstrip()
    while at < len(text):
        match = TOKEN.match(text, at)
        if not match:
            raise FormulaError(f"{text[at:at + 20].strip()!r} is not understood")
        tokens.append((match.lastgroup, match.group(match.lastgroup)))
        at = match.end()
    return tokens


class Formula:
    """Evaluates a formula. `look_up(name)` gives values of names: variables v_NAME, the step, the box."""

    def __init__(self, text, look_up):
        self.tokens = tokens_of(text)
        self.at = 0
        self.depth = 0
        self.look_up = look_up

    def value(self):
        if not self.tokens:
            raise FormulaError("the formula is empty")
        value = self.binary(0)
        if self.at < len(self.tokens):
            raise FormulaError(f"{self.tokens[self.at][1]!r} is not expected there")
        if not math.isfinite(value):
            raise FormulaError("the value is not finite")
        return float(value)

    def peek(self):
        return self.tokens[self.at][1] if self.at < len(self.tokens) else None

    def take(self, sign):
        if self.peek() != sign:
            raise FormulaError(f"{sign!r} is missing")
        self.at += 1

    def binary(self, level):
        if level == len(LEVELS):
            return self.power()
        value = self.binary(level + 1)
        while self.peek() in LEVELS[level]:
            sign = self.tokens[self.at][1]
            self.at += 1
            value = combined(sign, value, self.binary(level + 1))
        return value

    def power(self):
        value = self.unary()
        while self.peek() == "^":
            self.at += 1
            value = combined("^", value, self.unary())
        return value

    def unary(self):
        self.depth += 1
        if self.depth > MOST_DEPTH:
            raise FormulaError("the formula is nested too deeply")
        sign = self.peek()
        if sign in ("-", "+", "!"):
            self.at += 1
            value = self.unary()
            value = -value if sign == "-" else value if sign == "+" else float(value == 0)
        else:
            value = self.atom()
        self.depth -= 1
        return value

    def atom(self):
        if self.at >= len(self.tokens):
            raise FormulaError("the formula ends too early")
        kind, text = self.tokens[self.at]
        self.at += 1
        if kind == "number":
            return float(text)
        if text == "(":
            value = self.binary(0)
            self.take(")")
            return value
        if kind != "name":
            raise FormulaError(f"{text!r} is not expected there")
        if self.peek() == "(":
            return self.call(text)
        if self.peek() == "[":
            raise FormulaError(f"{text}[...] is known during a run only")
        if text in CONSTANTS:
            return CONSTANTS[text]
        return self.look_up(text)

    def call(self, name):
        if name not in FUNCTIONS:
            raise FormulaError(f"the function {name}() is not known before a run")
        self.take("(")
        values = [self.binary(0)]
        while self.peek() == ",":
            self.at += 1
            values.append(self.binary(0))
        self.take(")")
        try:
            return float(FUNCTIONS[name](*values))
        except (ValueError, OverflowError, TypeError):
            raise FormulaError(f"{name}() has no value for what it is given") from None


def combined(sign, a, b):
    try:
        if sign == "+":
            return a + b
        if sign == "-":
            return a - b
        if sign == "*":
            return a * b
        if sign == "/":
            return a / b
        if sign == "%":
            return math.fmod(a, b)
        if sign == "^":
            value = a**b
            if isinstance(value, complex):
                raise ValueError
            return value
    except (ZeroDivisionError, OverflowError, ValueError):
        raise FormulaError(f"{a:g} {sign} {b:g} has no value") from None
    return float(
        {
            "==": a == b, "!=": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b,
            "&&": a != 0 and b != 0, "||": a != 0 or b != 0, "|^": (a != 0) != (b != 0),
        }[sign]
    )
