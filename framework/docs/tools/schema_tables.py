"""Tables of options in Markdown, from a JSON Schema (draft-07)."""

import json
import re

HEAD = "| key | type | range | default | meaning |\n|---|---|---|---|---|\n"


def prose(text):
    """Text as it stands: no letter of it means anything to Markdown, but for inline code."""
    parts = re.split(r"(`[^`]*`)", str(text))
    return "".join(part if part.startswith("`") else part.replace("<", "&lt;").replace("*", "\\*") for part in parts)


def cell(text):
    """Text for one cell of a table."""
    return prose(text).replace("|", "\\|").replace("\n", " ")


def code(value):
    return "`" + json.dumps(value, ensure_ascii=False) + "`"


class Tables:
    """Writes tables; definitions of the scene's schema become links to `page`, empty for the same page."""

    def __init__(self, page="", definitions=None):
        self.page = page
        self.definitions = definitions or {}

    def meaning(self, schema):
        """The description of a key, or of the definition that it names."""
        if "description" in schema or "$ref" not in schema:
            return schema.get("description", "")
        return self.definitions.get(schema["$ref"].rsplit("/", 1)[-1], {}).get("description", "")

    def link(self, reference):
        name = reference.rsplit("/", 1)[-1]
        return f"[{name.replace('_', ' ')}]({self.page}#{anchor(name)})"

    def type_of(self, schema):
        if "$ref" in schema:
            return self.link(schema["$ref"])
        if "const" in schema:
            return code(schema["const"])
        if "enum" in schema:
            return " or ".join(code(v) for v in schema["enum"])
        for key in ("anyOf", "oneOf"):
            if key in schema:
                return " or ".join(dict.fromkeys(self.type_of(s) for s in schema[key]))
        if "x-scree-names" in schema:
            kinds = " or ".join(kind_link(kind, self.page) for kind in schema["x-scree-names"])
            more = "".join(f" or `\"{name}\"`" for name in schema.get("x-scree-more", []))
            return f"name of {kinds}{more}"
        kind = schema.get("type", "any")
        if isinstance(kind, list):
            return " or ".join(kind)
        if kind == "array":
            items = schema.get("items")
            low, high = schema.get("minItems"), schema.get("maxItems")
            if low is not None and low == high:
                many = f"{low} "
            elif low is not None and high is not None:
                many = f"{low} to {high} "
            else:
                many = ""
            of = self.type_of(items) if isinstance(items, dict) else "any"
            return f"array of {many}{of}s" if of.isalpha() else f"array of {many}{of}"
        return kind

    def range_of(self, schema):
        found = []
        for key, sign in (("exclusiveMinimum", ">"), ("minimum", "≥"), ("exclusiveMaximum", "<"), ("maximum", "≤")):
            if key in schema:
                found.append(f"{sign} {schema[key]:g}")
        if not found and isinstance(schema.get("items"), dict):
            return self.range_of(schema["items"])
        return ", ".join(found)

    def default_of(self, name, schema, required):
        if name in required:
            return "required"
        return code(schema["default"]) if "default" in schema else ""

    def rows(self, schema, prefix="", required=()):
        """Rows of an object's keys, and of the keys of objects in it."""
        required = schema.get("required", required)
        found = []
        for name, option in schema.get("properties", {}).items():
            if option is True:  # A key of every kind of this object, described where the kind is chosen.
                continue
            key = prefix + name
            found.append((key, self.type_of(option), self.range_of(option), self.default_of(name, option, required),
                          self.meaning(option)))
            found += self.inner(option, key)
        return found

    def inner(self, schema, key):
        found = []
        if "properties" in schema:
            found += self.rows(schema, key + ".")
        more = schema.get("additionalProperties")
        if isinstance(more, dict) and "properties" in more:
            found += self.rows(more, f"{key}.NAME.")
        for pattern, option in schema.get("patternProperties", {}).items():
            if isinstance(option, dict) and "$ref" not in option:
                found.append((f"{key}.N", self.type_of(option), self.range_of(option), "", option.get("description", "")))
        if isinstance(schema.get("items"), dict):
            found += self.inner(schema["items"], key + "[]")
        for word in ("anyOf", "oneOf"):
            for choice in schema.get(word, []):
                found += self.inner(choice, key)
        return found

    def table(self, schema, skip=()):
        rows = [row for row in self.rows(schema) if row[0] not in skip]
        if not rows:
            return ""
        lines = []
        for key, kind, limits, default, meaning in rows:
            lines.append(f"| `{key}` | {cell(kind)} | {cell(limits)} | {cell(default)} | {cell(meaning)} |\n")
        return HEAD + "".join(lines)

    def kinds(self, schema):
        """A list of the kinds of an object whose keys depend on `type`."""
        lines = []
        for branch in schema.get("allOf", []):
            kind = branch.get("if", {}).get("properties", {}).get("type", {}).get("const")
            then = branch.get("then", {})
            if kind and "$ref" in then:
                lines.append(f"- `{kind}`: {self.link(then['$ref'])}\n")
        return "".join(lines)


def anchor(name):
    """The anchor of a heading, as MkDocs and GitHub make it."""
    return name.replace("_", "-").lower()


PAGES = {
    "shape": "shapes.md", "packing": "packings.md", "detector": "detectors.md", "law": "laws.md",
    "bond-law": "bond-laws.md", "integrator": "integrators.md", "modifier": "modifiers.md",
    "observer": "observers.md", "engine": "engines.md",
}


def kind_link(kind, page=""):
    return f"[{kind}]({PAGES[kind]})"
