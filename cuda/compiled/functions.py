"""Which function of a C++ source a line belongs to. By its looks alone: enough for sources in the format of these."""
import functools
import os
import re

HEAD = re.compile(r"^\s*(?:static |template <.*> |constexpr |inline )*(?:SCREE_HD|__global__)\b.*?(operator\(\)|\w+)\s*\(")
SECOND_LINE = re.compile(r"^\s*(\w+_kernel)\(")  # of a head in two
BOUNDS = re.compile(r"__launch_bounds__\(.*?\) |__launch_bounds__\(.*\)$")


@functools.lru_cache(None)
def _source(file):
    try:
        with open(file) as opened:
            return opened.read().splitlines()
    except OSError:
        return []


def function_at(file, line):
    """Name of the function, or "?"."""
    lines = _source(file)
    for k in range(min(line, len(lines)) - 1, -1, -1):
        text = BOUNDS.sub("", lines[k])
        if match := HEAD.match(text) or SECOND_LINE.match(text):
            return match[1]
    return "?"


def place(file, line, root):
    """"pair_kernel.hpp: collect", or None outside of the sources."""
    if not file or not os.path.realpath(file).startswith(os.path.realpath(root) + os.sep):
        return None
    return f"{os.path.basename(file)}: {function_at(file, line)}"
