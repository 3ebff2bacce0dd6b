#!/usr/bin/env python3
"""Makes framework/python/scree/scene_types.py from the schemas of the scene and of the plugins in this repository.

    make_scene_types.py            write the module
    make_scene_types.py --check    exit 1 if it differs
"""

import json
import keyword
import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[3]
MODULE = ROOT / "framework" / "python" / "scree" / "scene_types.py"
HEAD = '''"""Types of scenes as dicts, for editors and mypy: ``scene: scree.Scene = {...}``.

Made by framework/docs/tools/make_scene_types.py from the schemas. Do not edit.
"""

from __future__ import annotations

from typing import Any, Dict, Literal, Sequence, Type, TypedDict, Union

from .law import Law as _PythonLaw

'''
SIMPLE = {"number": "float", "integer": "int", "boolean": "bool", "string": "str", "null": "None"}


def name_of(*words):
    """CamelCase: ("law", "hertz-mindlin") -> HertzMindlinLaw is name_of("hertz-mindlin", "law")."""
    return "".join(part[:1].upper() + part[1:] for word in words for part in re.split(r"[-_/ ]", word) if part)


def described(text):
    # Backticks and quotes of the schemas are plain text here.
    return text.replace("\\", "\\\\").replace('"""', "'''")


class Module:
    """Collects classes and aliases in the order in which they are needed."""

    def __init__(self, definitions):
        self.definitions, self.done, self.parts = definitions, {}, []

    def any_of(self, types):
        types = list(dict.fromkeys(types))
        if "Any" in types:
            return "Any"
        return types[0] if len(types) == 1 else f"Union[{', '.join(types)}]"

    def type_of(self, schema, name):
        """Type of a value; classes that it needs get names that begin with `name`."""
        if "$ref" in schema:
            return self.definition(schema["$ref"].rsplit("/", 1)[1])
        if "const" in schema:
            return f"Literal[{schema['const']!r}]"
        if "enum" in schema:
            return f"Literal[{', '.join(map(repr, schema['enum']))}]"
        for key in ("anyOf", "oneOf"):
            if key in schema and not (schema.get("type") == "object" and "properties" in schema):
                return self.any_of(self.type_of(s, name + ("" if k == 0 else str(k))) for k, s in enumerate(schema[key]))
        kind = schema.get("type")
        if isinstance(kind, list):
            return self.any_of(self.type_of({**schema, "type": k}, name) for k in kind)
        if kind == "array":
            items = schema.get("items")
            return f"Sequence[{self.type_of(items, name + 'Item') if isinstance(items, dict) else 'Any'}]"
        if kind == "object" or "properties" in schema:
            if "properties" in schema:
                return self.dict_class(name, schema)
            values = [*schema.get("patternProperties", {}).values()]
            if isinstance(schema.get("additionalProperties"), dict):
                values.append(schema["additionalProperties"])
            return f"Dict[str, {self.any_of(self.type_of(v, name + 'Value') for v in values) if values else 'Any'}]"
        return SIMPLE.get(kind, "Any")

    def dict_class(self, name, schema, extra=None):
        """Adds a TypedDict. Returns its name; the same class twice is one."""
        while name in self.done and self.done[name] is not schema:
            name += "_"
        if name in self.done:
            return name
        self.done[name] = schema
        required = schema.get("required", [])
        lines, optional, words = [], [], {}
        for key, value in {**(extra or {}), **schema["properties"]}.items():
            if key == "$schema":  # no identifier
                continue
            text = self.type_of(value, name + name_of(key))
            if keyword.iskeyword(key):  # a class cannot have it
                words[key] = text
                continue
            target = lines if key in required or "const" in value and key == "type" else optional
            target.append(f"    {key}: {text}")
            if value.get("description"):
                target.append(textwrap.indent(f'"""{described(value["description"])}"""', "    "))
        note = f'    """{described(schema.get("description", "Part of a scene."))}"""\n\n'
        bases = "TypedDict"
        if "$schema" in schema["properties"]:
            self.parts.append('_Schema = TypedDict("_Schema", {"$schema": str}, total=False)\n')
            bases = "_Schema"
        if words:
            fields = ", ".join(f'"{key}": "{text}"' for key, text in words.items())
            self.parts.append(f'_{name}Words = TypedDict("_{name}Words", {{{fields}}}, total=False)\n')
            bases = f"_{name}Words"
        if lines and optional:
            self.parts.append(f"class _{name}({bases}):\n" + "\n".join(lines) + "\n")
            bases, lines = f"_{name}", []
        total = ", total=False" if not lines else ""
        self.parts.append(f"class {name}({bases}{total}):\n{note}" + "\n".join(lines or optional or ["    pass"]) + "\n")
        return name

    def definition(self, key):
        """Type of a definition of the envelope, or of a plugin's."""
        alias = name_of(key)
        if key in self.done:
            return self.done[key]
        schema = self.definitions[key]
        if "x-scree-options" in schema:
            self.done[key] = alias
            common = {k: v for k, v in schema["properties"].items() if k != "type"}
            types = [self.method(kind, name, common, schema.get("required", []))
                     for kind in schema["x-scree-options"] for name in sorted(METHODS.get(kind, {}))]
            if key == "law":
                types += ["_PythonLaw", "Type[_PythonLaw]"]
            self.parts.append(f"{alias} = {self.any_of(types)}\n")
            return alias
        if "allOf" in schema and all("then" in part for part in schema["allOf"]):  # a form for each type
            self.done[key] = alias
            types = []
            for part in schema["allOf"]:
                reference = part["then"].get("$ref")
                form = self.definitions[reference.rsplit("/", 1)[1]] if reference else part["then"]
                names = part["if"]["properties"]["type"]
                names = names.get("enum", [names.get("const")])
                types.append(self.dict_class(name_of(str(names[0]), key), {
                    **form, "properties": {**form.get("properties", {}), "type": {"enum": names}},
                    "required": [*form.get("required", []), "type"]}))
            self.parts.append(f"{alias} = {self.any_of(types)}\n")
            return alias
        made = self.type_of(schema, alias)
        self.done[key] = made
        return made

    def method(self, kind, name, common, required):
        schema = METHODS[kind][name]
        class_name = name_of(name, kind)
        if class_name in self.done:
            return class_name
        outer = self.definitions
        self.definitions = {**outer, **schema.get("definitions", {})}
        made = self.dict_class(class_name, {
            **schema, "properties": {"type": {"const": name}, **common, **schema.get("properties", {})},
            "required": [*schema.get("required", []), *(r for r in required if r != "type")]})
        self.definitions = outer
        self.done[class_name] = self.done.get(class_name) or schema
        return made


METHODS = {}


def module():
    for file in sorted(ROOT.glob("plugins/**/schema.json")):
        for key, schema in json.loads(file.read_text(encoding="utf-8")).items():
            kind, name = key.split("/", 1)
            METHODS.setdefault(kind, {})[name] = schema
    envelope = json.loads((ROOT / "schemas" / "scene.schema.json").read_text(encoding="utf-8"))
    made = Module(envelope["definitions"])
    properties = {k: v for k, v in envelope["properties"].items()}
    made.dict_class("Scene", {**envelope, "properties": properties, "description": "A scene as a dict, with the keys of its file."})
    return HEAD + "\n\n".join(made.parts)


def main(arguments):
    text = module()
    if "--check" in arguments:
        if not MODULE.exists() or MODULE.read_text(encoding="utf-8") != text:
            print(f"{MODULE}: is not what make_scene_types.py makes. Run ./scree docs --renew.")
            return 1
        return 0
    MODULE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
