#!/usr/bin/env python3
"""Makes framework/docs/reference/python.md from the docstrings of framework/python/scree.

    make_python.py            write the page
    make_python.py --check    exit 1 if it differs
"""

import ast
import inspect
import pathlib
import re
import sys
import textwrap

DOCS = pathlib.Path(__file__).resolve().parents[1]
PACKAGE = DOCS.parent / "python" / "scree"
PAGE = DOCS / "reference" / "python.md"
HEAD = """<!-- Made by framework/docs/tools/make_python.py. Do not edit. -->

# Python

All of `import scree`. How to begin: [scree from Python](../howto/python.md).
"""
# Files in the order of the page, with their public classes and functions; a function may have another name outside.
SECTIONS = [
    ("simulation.py", ["Simulation", "Wall", "check"]), ("bodies.py", ["Bodies", "Column"]), ("rows.py", ["Rows", "View"]),
    ("law.py", ["Law", "Contacts"]),
    ("functions.py", ["shape", "shape3d", "motion"]),
    ("pictures.py", ["view", "Page"]),
    ("__init__.py", ["plugins", "schema"]), ("results.py", ["open_results", "Results", "Frame"]),
    ("errors.py", ["Error", "InputError", "Finding", "NumericalError", "IoError", "PluginError"]),
]
RENAMED = {"open_results": "open"}


def text_of(node):
    """Docstring as Markdown: parameters as a list, code in single backticks."""
    text = inspect.cleandoc(ast.get_docstring(node) or "").replace("``", "`")
    text = re.sub(r"\n\n((?:    .*\n|\n(?=    ))+)", lambda m: "\n\n```python\n" + textwrap.dedent(m[1]).rstrip() + "\n```\n", text)
    parts = re.split(r"(```python\n.*?\n```)", text, flags=re.S)
    return "".join(part if k % 2 else prose(part) for k, part in enumerate(parts)).strip()


def prose(text):
    text = re.sub(r"\n +", " ", text)
    text = re.sub(r" :(param|raises)", r"\n:\1", text)
    text = re.sub(r"^:param (\w+): ", r"- `\1`: ", text, flags=re.M)
    text = re.sub(r"^:raises (\w+): ", r"- raises `\1` ", text, flags=re.M)
    return re.sub(r"^((?!- ).+)\n- ", r"\1\n\n- ", text, flags=re.M)  # a blank line before a list


def call_of(function):
    arguments = function.args
    arguments.args = [a for a in arguments.args if a.arg != "self"]
    for a in (*arguments.args, *arguments.kwonlyargs, *filter(None, [arguments.vararg, arguments.kwarg])):
        a.annotation = None
    return f"{RENAMED.get(function.name, function.name)}({ast.unparse(arguments)})"


def is_property(function):
    return any(isinstance(d, ast.Name) and d.id == "property" for d in function.decorator_list)


def members_of(node):
    """Lines of a class's public members."""
    lines, body = [], node.body
    for k, member in enumerate(body):
        if isinstance(member, ast.AnnAssign) and k + 1 < len(body) and isinstance(body[k + 1], ast.Expr):
            lines.append(f"**`{member.target.id}`** {inspect.cleandoc(body[k + 1].value.value).replace('``', '`')}")
        if not isinstance(member, ast.FunctionDef) or not ast.get_docstring(member):
            continue
        if member.name == "__getitem__":
            lines.append(f"**`[name]`** {text_of(member)}")
        elif not member.name.startswith("_") and not any(isinstance(d, ast.Attribute) for d in member.decorator_list):
            name = member.name if is_property(member) else call_of(member)
            lines.append(f"**`{name}`** {text_of(member)}")
    return lines


def page():
    parts = [HEAD]
    for file, names in SECTIONS:
        tree = ast.parse((PACKAGE / file).read_text(encoding="utf-8"))
        nodes = {n.name: n for n in tree.body if isinstance(n, (ast.ClassDef, ast.FunctionDef))}
        for name in names:
            node = nodes[name]
            parts.append(f"## scree.{RENAMED.get(name, name)}\n")
            if isinstance(node, ast.FunctionDef):
                parts.append(f"`{call_of(node)}`\n\n{text_of(node)}\n")
                continue
            init = next((m for m in node.body if isinstance(m, ast.FunctionDef) and m.name == "__init__"), None)
            if name in ("Simulation", "Law"):
                parts.append(f"`{name}" + call_of(init).removeprefix("__init__") + "`\n")
            parts.append(text_of(node) + "\n")
            parts += [line + "\n" for line in members_of(node)]
    return "\n".join(parts)


def main(arguments):
    made = page()
    if "--check" in arguments:
        if not PAGE.exists() or PAGE.read_text(encoding="utf-8") != made:
            print(f"{PAGE}: is not what make_python.py makes. Run ./scree docs --renew.")
            return 1
        return 0
    PAGE.write_text(made, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
