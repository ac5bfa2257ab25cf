#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/reference/python.md from the sources of the Python package.

    tools/python_reference.py > docs/reference/python.md
"""

import ast
import pathlib
import sys
import textwrap

PACKAGE = pathlib.Path(__file__).resolve().parents[1] / "python" / "saltus"
HEAD = """# Python reference

This page is written by `tools/python_reference.py` from the package's sources. How the parts work together is in the [guide](../guide/python.md). The records of which models consist (`RigidBody`, `Revolute`, `Contact`, `NonsmoothGeneralizedAlpha`, …) have the fields of the [model file](model_file.md); they are listed at the end.
"""
CHAPTERS = [("Models", "mechanism"), ("Simulations", "simulation"), ("Results", "result"),
            ("Plots: `saltus.plot`", "plot"), ("Errors", "errors")]
HIDDEN = {"document", "Table"}


def signature(function, is_method=False):
    """As it is called: names and defaults."""
    for argument in [*function.args.args, *function.args.kwonlyargs, function.args.kwarg,
                     function.args.vararg]:
        if argument is not None:
            argument.annotation = None
    arguments = ast.unparse(function.args)
    if is_method:
        arguments = arguments.partition(", ")[2]
    return f"{function.name}({arguments})"


def paragraph(node):
    text = ast.get_docstring(node)
    if text is None and isinstance(node, ast.ClassDef):  # put together from other texts
        for item in node.body:
            if isinstance(item, ast.Assign) and isinstance(item.value, ast.JoinedStr):
                text = textwrap.dedent("    " + item.value.values[0].value).strip()
    return text or ""


def is_property(function):
    return any(isinstance(d, ast.Name) and d.id == "property" for d in function.decorator_list)


def member(function):
    name = function.name if is_property(function) else signature(function, is_method=True)
    text = textwrap.indent(paragraph(function), "    ").strip()
    return f"- **`{name}`**" + (f": {text}" if text else "") + "\n"


def chapter(title, module):
    """The text of a chapter, in parts."""
    tree = ast.parse((PACKAGE / f"{module}.py").read_text("utf-8"))
    yield f"## {title}\n"
    for node in tree.body:
        if not isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            continue
        if node.name.startswith("_") or node.name in HIDDEN:
            continue
        if isinstance(node, ast.FunctionDef):
            yield f"### `{signature(node)}`\n\n{paragraph(node)}\n"
            continue
        init = next((f for f in node.body if isinstance(f, ast.FunctionDef)
                     and f.name == "__init__"), None)
        shown = node.name
        if init is not None and module == "simulation":
            shown = signature(init, is_method=True).replace("__init__", node.name)
        yield f"### `{shown}`\n\n{paragraph(node)}\n"
        for item in node.body:
            if isinstance(item, ast.FunctionDef) and not item.name.startswith("_"):
                if item.name != "to_json":
                    yield member(item)


def records():
    tree = ast.parse((PACKAGE / "model.py").read_text("utf-8"))
    names = [node.name for node in tree.body if isinstance(node, ast.ClassDef)]
    yield "## Records\n\n" + ", ".join(f"`{n}`" for n in names if n != "ModelRecord") + ".\n"
    yield ("`Elastic` is `ElasticMaterial`. Keywords are the fields of the "
           "[model file](model_file.md); `help(saltus.Contact)` shows them with units and defaults. "
           "Every record has `to_json()` and `from_json(data)`.")


def page():
    """The text of docs/reference/python.md."""
    parts = [HEAD]
    for title, module in CHAPTERS:
        parts += chapter(title, module)
    parts += records()
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    sys.stdout.write(page())
