#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the includes of every module with the table of layers; exits 1 where one is not allowed.

The table is the one of ARCHITECTURE.md: a module may include what its row names, and what those
modules may include in turn.
"""
import pathlib
import re
import sys

LAYERS = {
    "core": [],
    "lie": ["core"],
    "hertz": ["core"],
    "linalg": ["core"],
    "nonsmooth": ["linalg"],
    "impulse": ["linalg"],
    "model": ["lie", "hertz", "nonsmooth", "impulse"],
    "geometry": ["model"],
    "elements": ["geometry", "linalg"],
    "dynamics": ["elements"],
    "integrators": ["dynamics"],
    "simulation": ["integrators"],
    "io": ["simulation"],
    "verify": ["io"],
}


def allowed(module):
    """The module and all that it may include."""
    found = {module}
    for lower in LAYERS[module]:
        found |= allowed(lower)
    return found


def main():
    root = pathlib.Path(__file__).resolve().parent.parent / "src" / "saltus"
    errors = []
    for path in sorted(root.rglob("*.[ch]pp")):
        module = path.relative_to(root).parts[0]
        if module not in LAYERS:
            continue  # the umbrella header
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            match = re.match(r'#include "saltus/(\w+)/', line)
            if match and match.group(1) not in allowed(module):
                errors.append(f"{path.relative_to(root.parent.parent)}:{number}: "
                              f"{module} may not include {match.group(1)}")
    print("\n".join(errors), end="\n" if errors else "")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
