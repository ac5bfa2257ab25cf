#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the includes of every module with the table of layers; exits 1 where one is not allowed.

Three rules. A module includes, and links (DEPENDS of its CMakeLists.txt), what its row of the table
names, and what those modules may include in turn. Of another module it includes public headers
only, those of PUBLIC_HEADERS. A public header includes no private one. The table is the one of
ARCHITECTURE.md, and is compared with it.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LAYERS = {
    "core": [],
    "lie": ["core"],
    "linalg": ["core"],
    "hertz": ["core"],
    "impulse": ["linalg"],
    "nonsmooth": ["linalg"],
    "model": ["lie", "hertz"],
    "geometry": ["model"],
    "elements": ["geometry", "linalg"],
    "dynamics": ["elements"],
    "integrators": ["dynamics", "nonsmooth", "impulse"],
    "simulation": ["integrators"],
    "io": ["simulation"],
    "verify": ["io"],
    "study": ["io"],
}


def allowed(module, layers):
    """The module and all that it may include."""
    found = {module}
    for lower in layers[module]:
        found |= allowed(lower, layers)
    return found


def words_after(keyword, text):
    """The words of a list in saltus_module(…)."""
    match = re.search(rf"\b{keyword}\s+([^)]*?)(?=\s[A-Z_]{{5,}}\b|\))", text)
    return match.group(1).split() if match else []


def includes(path):
    """Line, module and header of each include of a module's header."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = re.match(r'#include "saltus/((\w+)/[^"]+)"', line)
        if match:
            yield number, match.group(2), match.group(1)


def table_errors(page, layers):
    """Where the table of ARCHITECTURE.md says something else."""
    rows = {module: [] if names.strip() == "–" else names.replace(" ", "").split(",")
            for module, names in re.findall(r"^\| \[(\w+)\]\(src/saltus/\w+\) \|[^|]*\|([^|]*)\|",
                                            page, re.MULTILINE)}
    return [f"ARCHITECTURE.md: the row of {module} is not that of tools/check_layers.py"
            for module in sorted(layers.keys() | rows.keys())
            if sorted(rows.get(module, ["?"])) != sorted(layers.get(module, ["?"]))]


def errors_of(source, layers):
    """Every include and dependence that breaks a rule. @param source  the directory of modules"""
    lists = {module: (source / module / "CMakeLists.txt").read_text(encoding="utf-8")
             for module in layers}
    public = {f"{module}/{name}" for module, text in lists.items()
              for name in words_after("PUBLIC_HEADERS", text)}
    errors = []
    for module, text in lists.items():
        for other in words_after("DEPENDS", text):
            if other not in allowed(module, layers):
                errors.append(f"{module}/CMakeLists.txt: {module} may not depend on {other}")
    for path in sorted(source.rglob("*.[ch]pp")):
        name = path.relative_to(source).as_posix()
        module = name.split("/")[0]
        if module not in layers:
            continue  # the umbrella header
        for number, other, header in includes(path):
            at = f"{name}:{number}: "
            if other not in allowed(module, layers):
                errors.append(at + f"{module} may not include {other}")
            elif other != module and header not in public:
                errors.append(at + f"{header} is private to {other}")
            elif other == module and name in public and header not in public:
                errors.append(at + f"a public header may not include {header}, which is private")
    return errors


def main():
    page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    errors = table_errors(page, LAYERS) + errors_of(ROOT / "src" / "saltus", LAYERS)
    print("\n".join(errors), end="\n" if errors else "")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
