#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/reference/cpp.md from the public headers: their declarations, as they stand there.

    tools/cpp_reference.py > docs/reference/cpp.md
"""

import pathlib
import re
import sys

SOURCES = pathlib.Path(__file__).resolve().parents[1] / "src" / "saltus"
HEAD = """# C++ reference

`#include <saltus/saltus.hpp>` declares everything below; it is written by `tools/cpp_reference.py` from the headers. How to install the library, and programs to begin with, are in the [guide](../guide/cpp.md). The structs of which models and options consist (`RigidBody`, `Revolute`, `Contact`, `NonsmoothGeneralizedAlpha`, …) have the fields of the [model file](model_file.md), with the same names and defaults; SI units throughout.
"""
CHAPTERS = [
    ("Models", ["model/model.hpp", "model/frame.hpp", "core/id.hpp"]),
    ("Inertia and sections", ["model/inertia.hpp", "model/section.hpp"]),
    ("Forces", ["model/force.hpp"]),
    ("Simulations", ["simulation/simulation.hpp", "simulation/run_report.hpp"]),
    ("Results", ["simulation/result.hpp", "simulation/result_sink.hpp", "simulation/channel.hpp",
                 "dynamics/state.hpp", "integrators/modes.hpp"]),
    ("Files", ["io/model_file.hpp", "io/save.hpp", "io/report.hpp", "io/vtk_export.hpp"]),
    ("Records of models", ["model/body.hpp", "model/flexible.hpp", "model/joint.hpp",
                           "model/time_function.hpp", "model/collider.hpp", "model/contact.hpp",
                           "model/friction_law.hpp", "model/restitution.hpp", "model/ball_bearing.hpp"]),
    ("Options", ["model/options.hpp"]),
    ("Errors, messages, threads", ["core/input_error.hpp", "core/log.hpp", "core/threads.hpp",
                                   "core/version.hpp"]),
]
# Declarations of these headers that programs do not need; of others only what is named.
HIDDEN = {"simulation/result.hpp": ("class Simulation;",),
          "simulation/simulation.hpp": ("class ForceRecovery;",),
          "model/flexible.hpp": ("struct CentreLine",),
          "model/time_function.hpp": ("struct Break",)}
ONLY = {"model/inertia.hpp": ("inline", "using", "Inertia ", "struct ExplicitInertia"), "model/section.hpp": ("inline", "using", "struct ExplicitSection", "struct ElasticMaterial"),
        "dynamics/state.hpp": ("struct EnergyLedger",),
        "simulation/channel.hpp": ("enum class OwnerKind", "enum class Thinning", "enum class Interest", "struct Owner ", "struct Channel "), "integrators/modes.hpp": ("struct Mode ",),
        "model/model.hpp": ("struct Model", "std::string body_name"),
        "model/frame.hpp": ("inline Frame at",), "core/id.hpp": ("using", "inline constexpr")}

RECORDS = ("struct", "using", "enum")
for title, headers in CHAPTERS:
    if title in ("Records of models", "Options"):
        ONLY.update({path: RECORDS for path in headers})


def end_of_block(text, start):
    """Behind the brace that closes the first one opened from `start` on."""
    depth = 0
    for place in range(text.index("{", start), len(text)):
        depth += {"{": 1, "}": -1}.get(text[place], 0)
        if depth == 0 and text[place] == "}":
            return place + 1
    raise ValueError("a brace is not closed")


def without(text, pattern):
    """The text without blocks that begin with the pattern."""
    while match := re.search(pattern, text):
        text = text[:match.start()] + text[end_of_block(text, match.start()):]
    return text


def public(declaration):
    """A declaration without what its users need not see: private members, field lists, bodies."""
    text = re.sub(r"^ private:.*?(?=^\};)", "", declaration, flags=re.S | re.M)
    text = without(text, r"\n+ *static constexpr void fields\(auto&& ?\w*\)")
    text = without(text, r"\n+(?: *///[^\n]*\n)* *void archive\(Archive& \w+\)(?: override)? (?=\{)")
    text = re.sub(r"\n *static constexpr (const char\* type_name|FeatureKind features)[^\n]*", "", text)
    text = re.sub(r"  // NOLINT[^\n]*", "", text)
    if text.lstrip("/ \n").startswith("inline") or re.match(r"(///[^\n]*\n)*inline [^=\n]*\(", text):
        head = text[:text.index("{")].rstrip() if "{" in text else text
        text = head.replace("inline ", "") + ";"
    return re.sub(r"\n{2,}(?=\};)", "\n", text).rstrip()


def declarations(path):
    """The declarations of a header, each with the comment before it."""
    text = (SOURCES / path).read_text("utf-8")
    text = text[re.search(r"^namespace saltus \{\n", text, re.M).end():]
    text = text[:text.rindex("}  // namespace saltus")]
    parts, at_hand, depth = [], "", 0
    for line in text.splitlines(keepends=True):
        at_hand += line
        code = line.split("//")[0]
        depth += code.count("{") + code.count("(") - code.count("}") - code.count(")")
        if depth == 0 and (code.rstrip().endswith((";", "}"))):
            parts.append(at_hand.strip("\n"))
            at_hand = ""
    for part in parts:
        code = re.sub(r"^\s*//[^\n]*\n", "", part, flags=re.M).strip()
        if code.startswith(("namespace", "template")) or code.startswith(HIDDEN.get(path, ("\0",))):
            continue
        if path in ONLY and not code.startswith(ONLY[path]):
            continue
        yield public(part.strip())


def page():
    """The text of docs/reference/cpp.md."""
    parts = [HEAD]
    for title, headers in CHAPTERS:
        parts.append(f"## {title}\n")
        for path in headers:
            found = list(declarations(path))
            if found:
                parts.append(f"`saltus/{path}`\n\n```cpp\n" + "\n\n".join(found) + "\n```\n")
    return "\n".join(parts)


if __name__ == "__main__":
    sys.stdout.write(page())
