#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes python/saltus/model.py, the records of models, from the JSON Schema of model files.

    saltus schema | tools/python_model.py > python/saltus/model.py
"""

import json
import sys
import textwrap

HEAD = '''# SPDX-License-Identifier: Apache-2.0
# Written by tools/python_model.py from `saltus schema`; do not edit.
"""The records of which models consist: the same names and fields as in model files and in C++."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable, Optional, Sequence, Union

from .records import Record

Vector = Sequence[float]
'''

# Fields that a program gives and no file has.
EXTRA = {"ModelRecord": [(
    "parameters", "dict[str, Any]",
    "numbers by their names: wherever a number stands in the model or in the options of the run, a "
    'text like "=2*mu" may stand, and formulas of time may name them')], "UserForce": [(
    "law", "Optional[Callable[..., Any]]",
    "function of (time, first, second), two motions with `position`, `rotation`, `velocity` and "
    "`angular_velocity` in the inertial frame: the force (N) at the second frame's origin, or "
    "(force, torque); the first frame has the reaction")]}


def struct_of(entry):
    return entry["$ref"].rsplit("/", 1)[1]


class Kind:
    """What a field may hold: its type in Python, and the records among it."""

    def __init__(self, schema):
        self.records = []
        self.text = self.describe(schema)

    def describe(self, schema):
        if "$ref" in schema:
            self.records.append(struct_of(schema))
            return f'"{struct_of(schema)}"'
        if "enum" in schema:
            return "str"
        if "oneOf" in schema:
            kinds = list(dict.fromkeys(self.describe(s) for s in schema["oneOf"]))
            return kinds[0] if len(kinds) == 1 else f"Union[{', '.join(kinds)}]"
        if isinstance(schema.get("type"), list):  # a number, or a formula of parameters as a text
            schema = {**schema, "type": schema["type"][0]}
        if schema.get("type") == "array":
            return f"Sequence[{self.describe(schema['items'])}]"
        return {"number": "float", "integer": "int", "boolean": "bool",
                "string": "str"}.get(schema.get("type"), "Any")


def default_of(schema, kind):
    """The initialiser of a field that has a default."""
    value = schema["default"]
    if isinstance(value, list):
        return f"field(default_factory=lambda: {value!r})"
    if isinstance(value, dict):
        name = kind.records[0]  # unions begin with their default
        return f"field(default_factory=lambda: {name}())"
    return repr(value)


def wrapped(text, indent):
    return textwrap.fill(text, 96, initial_indent=indent, subsequent_indent=indent + "    ",
                         break_on_hyphens=False, break_long_words=False)


def doc_line(name, schema, required):
    text = f"{name}: {schema['description']}"
    if "enum" in schema:
        text += " (one of " + ", ".join(f'"{word}"' for word in schema["enum"]) + ")"
    if required:
        text += " [required]"
    elif "default" in schema and not isinstance(schema["default"], dict):
        text += f" [default {json.dumps(schema['default'], ensure_ascii=False)}]"
    return wrapped(text, "    ")


def order_of(struct):
    """Positional arguments: the name, what is required, then the rest."""
    fields = {name: s for name, s in struct["properties"].items()
              if name not in ("type", "comment")}
    return [(name, fields[name]) for name in fields]


def class_text(name, struct):
    constant = struct["properties"].get("type", {}).get("const")
    required = [n for n in struct.get("required", []) if n != "type"]
    base = "Record"
    lines = ["@dataclass(repr=False, eq=False)", f"class {name}({base}):"]
    docs = [doc_line(n, s, n in required) for n, s in order_of(struct)]
    docs += [wrapped(f"{n}: {text}", "    ") for n, _, text in EXTRA.get(name, [])]
    title = f"`{constant}` in files" if constant else f"`{name}`"
    if docs:
        lines += [f'    """{title}.', "", *docs, '    """', ""]
    else:
        lines += [f'    """{title}."""', ""]
    unions = {}
    for n, schema in order_of(struct):
        kind = Kind(schema)
        if kind.records:
            unions[n] = tuple(kind.records)
        if "default" in schema and n not in required:
            lines.append(f"    {n}: {kind.text} = {default_of(schema, kind)}")
        elif n in required:
            lines.append(f"    {n}: {kind.text} = None  # type: ignore[assignment]")
        else:
            lines.append(f"    {n}: Optional[{kind.text}] = None")
    for n, kind_text, _ in EXTRA.get(name, []):
        default = "field(default_factory=dict)" if kind_text.startswith("dict") else "None"
        lines.append(f"    {n}: {kind_text} = {default}")
    lines.append("    comment: Any = None")
    lines.append("")
    if constant:
        lines.append(f"    _type = {constant!r}")
    if required:
        lines.append(f"    _required = {tuple(required)!r}")
    if name in EXTRA:
        lines.append(f"    _unwritten = {tuple(n for n, _, _ in EXTRA[name])!r}")
    if unions:
        lines.append("    _unions = {")
        for n, records in unions.items():
            listed = ", ".join(repr(r) for r in records) + ("," if len(records) == 1 else "")
            lines += [textwrap.fill(f"{n!r}: ({listed}),", 96, initial_indent=" " * 8,
                                    subsequent_indent=" " * 12)]
        lines.append("    }")
    while lines[-1] == "":
        lines.pop()
    return "\n".join(lines) + "\n"


def without_required(model):
    """Models of programs begin empty."""
    for field in model["properties"].values():
        if isinstance(field, dict) and field.get("type") == "array":
            field.setdefault("default", [])
    return {**model, "required": []}


def module(schema):
    """The text of python/saltus/model.py."""
    structs = dict(schema["$defs"])
    structs["ModelRecord"] = without_required(structs.pop("Model"))
    names = ",\n".join(f"    {name!r}" for name in structs)
    classes = "".join(f"\n\n{class_text(name, struct)}" for name, struct in structs.items())
    return f"{HEAD}{classes}\n\n__all__ = [\n{names},\n]\n"


if __name__ == "__main__":
    sys.stdout.write(module(json.load(sys.stdin)))
