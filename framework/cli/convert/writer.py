"""Writes a scene as people write them: short things on one line."""

import json

WIDTH = 110


def number(x):
    """Returns a number with as few digits as are needed."""
    if isinstance(x, bool) or not isinstance(x, float):
        return json.dumps(x)
    return str(int(x)) if x == int(x) and abs(x) < 1e9 else repr(rounded(x))


def rounded(x):
    """Returns a number without the noise of its last digits."""
    return float(f"{x:.14g}")


def line(value):
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(k)}: {line(v)}" for k, v in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(line(v) for v in value) + "]"
    return number(value)


def leaves(value, most):
    """Returns how many numbers and texts a value holds; no more than `most` are counted."""
    if not isinstance(value, (dict, list, tuple)):
        return 1
    count = 0
    for part in value.values() if isinstance(value, dict) else value:
        count += leaves(part, most - count)
        if count >= most:
            break
    return count


def text(value, indent=0):
    """Returns a value as JSON."""
    if leaves(value, WIDTH) < WIDTH / 3:  # others do not fit: a number takes three characters
        flat = line(value)
        if len(flat) + indent <= WIDTH or not isinstance(value, (dict, list, tuple)) or not value:
            return flat
    pad = " " * (indent + 2)
    if isinstance(value, dict):
        items = [f"{pad}{json.dumps(k)}: {text(v, indent + 2)}" for k, v in value.items()]
        return "{\n" + ",\n".join(items) + "\n" + " " * indent + "}"
    items = [pad + text(v, indent + 2) for v in value]
    return "[\n" + ",\n".join(items) + "\n" + " " * indent + "]"
