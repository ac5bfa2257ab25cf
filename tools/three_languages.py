#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/guide/three_languages.md: examples as model file, in Python and in C++.

    tools/three_languages.py > docs/guide/three_languages.md
"""

import pathlib
import sys

EXAMPLES = pathlib.Path(__file__).resolve().parents[1] / "examples"
HEAD = """# The same model three times

A model file, a [Python](python.md) script and a [C++](cpp.md) program say the same with the same names. The tests run all of them and compare: they give the same numbers, to the last bit. This page is written by `tools/three_languages.py` from [examples](../../examples).
"""
MODELS = [
    ("thrown_ball", "A ball thrown on a rough floor",
     "It bounces, slides and then rolls."),
    ("flexible_rod_clearance", "A slider-crank with a flexible rod and a clearance",
     "The pin of the rod has 0.5 mm of play in the bore of the slider: a contact in place of a "
     "joint."),
    ("ball_in_the_wind", "A force of one's own",
     "Air resistance as a function. A model file cannot hold functions, so there are two."),
]
KINDS = [("json", "Model file"), ("py", "Python"), ("cpp", "C++")]
FENCE = {"json": "json", "py": "python", "cpp": "cpp"}


def page():
    """The text of docs/guide/three_languages.md."""
    parts = [HEAD]
    for name, title, text in MODELS:
        parts.append(f"## {title}\n\n{text}\n")
        for ending, kind in KINDS:
            path = EXAMPLES / f"{name}.{ending}"
            if path.exists():
                link = f"[{path.name}](../../examples/{path.name})"
                parts.append(f"{kind}, {link}:\n\n```{FENCE[ending]}\n{path.read_text('utf-8')}```\n")
    return "\n".join(parts)


if __name__ == "__main__":
    sys.stdout.write(page())
