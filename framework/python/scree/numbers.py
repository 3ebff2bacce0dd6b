"""Checks of numbers that callers give."""

import math
import operator

from .errors import InputError


def count_of(count) -> int:
    """Returns a number of steps as an int. :raises InputError:"""
    try:
        whole = operator.index(count)
    except TypeError:
        whole = -1
    if whole < 0:
        raise InputError(f"step() is given the count {count!r}; a whole number of 0 or more is allowed.")
    return whole


def number_of(where: str, what: str, value) -> float:
    """Returns a finite number. :raises InputError:"""
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number) or isinstance(value, str):
        raise InputError(f"{where}: {what} is {value!r}; a finite number is allowed.")
    return number
