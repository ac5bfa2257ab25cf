#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts the instructions of a step of fixed models and compares them with tests/instructions/counts.json.

usage: instructions.py PROGRAM [--renew] [--only NAME] [--profile FILE]
  PROGRAM    step_instructions of a release build
  --renew    writes the counts instead of comparing them
  --only     one model, more quickly
  --profile  keeps what callgrind has counted of the first model, for callgrind_annotate FILE
Exits 1 where a count is off by more than its tolerance, 77 (skipped) with a reason where counts cannot
be compared: without valgrind, or with another compiler, library or width of registers than those that
made them.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
COUNTS = ROOT / "tests/instructions/counts.json"
TOLERANCE = 0.05  # of a count: what a change may cost without saying so
SKIPPED = 77

# Model, last step that does not count, last step that does. The first steps allocate and choose
# pivots; those that count have what the model is about: the ball's first two impacts, slip and
# rolling, impacts of the woodpecker's sleeve, the break itself.
MODELS = {
    "ball": ("tests/instructions/ball.json", 400, 1200),
    "rolling_ball": ("tests/instructions/rolling_ball.json", 300, 430),
    "slider_crank": ("examples/slider_crank.json", 100, 160),
    "woodpecker": ("examples/woodpecker_free.json", 100, 300),
    "ten_cubes": ("examples/box_stack.json", 20, 60),
    "pile": ("tests/instructions/pile.json", 4, 10),
    "beam": ("tests/instructions/beam.json", 20, 40),
    "break": ("examples/billiard_break.json", 105, 125),
}


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


def libc_version():
    return " ".join(os.confstr("CS_GNU_LIBC_VERSION").split())


def tools_of(program):
    """What a count depends on besides the source."""
    tools = json.loads(subprocess.run([program], capture_output=True, text=True, check=True).stdout)
    if shutil.which("valgrind") is None:
        skip("valgrind is not installed")
    if not tools.pop("counts"):
        skip("the program was built without valgrind/callgrind.h")
    if tools["build"] != "release":
        skip(f"a {tools['build']} build is no measure")
    return {**tools, "libc": libc_version()}


def totals(text):
    """The sums of a file of callgrind, by the names under which they were dumped."""
    found = re.findall(r"^desc: Trigger: Client Request: (\w+)\n(?:.*\n)*?summary: (\d+)", text, re.M)
    return {name: int(total) for name, total in found}


def count(program, names, profile):
    """Instructions of a step of each model."""
    arguments = [str(a) for name in names for a in (name, *MODELS[name])]
    # Libraries that choose their code by the processor are told which one to take.
    environment = {**os.environ, "OPENBLAS_CORETYPE": "Haswell", "OMP_NUM_THREADS": "1"}
    with tempfile.TemporaryDirectory() as directory:
        out = pathlib.Path(directory) / "counts"
        run = subprocess.run(["valgrind", "--tool=callgrind", "--instr-atstart=no", "--combine-dumps=yes",
                              f"--callgrind-out-file={out}", program, *arguments],
                             cwd=ROOT, env=environment, capture_output=True, text=True)
        if run.returncode != 0:
            sys.exit(run.stderr)
        text = out.read_text()
        if profile:
            # What follows the first dump is the empty one of the program's end.
            pathlib.Path(profile).write_text(re.split(r"^part: 2$", text, flags=re.M)[0])
    return {name: round(total / (MODELS[name][2] - MODELS[name][1]))
            for name, total in totals(text).items()}


def compare(counts, kept):
    """Prints a table; whether all counts are near those that were kept."""
    fine = True
    print(f"{'instructions of a step':24} {'now':>12} {'kept':>12} {'change':>8}")
    for name, now in counts.items():
        change = now / kept[name] - 1
        near = abs(change) <= TOLERANCE
        fine &= near
        print(f"{name:24} {now:12} {kept[name]:12} {change:8.1%}{'' if near else '  too far'}")
    if not fine:
        print(f"\nA step costs over {TOLERANCE:.0%} more or less than it did. If that is meant, say so in "
              "CHANGELOG.md and renew the counts:\n  tools/instructions.py PROGRAM --renew")
    return fine


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--renew", action="store_true")
    parser.add_argument("--only", choices=MODELS)
    parser.add_argument("--profile")
    options = parser.parse_args()
    program = os.path.abspath(options.program)
    tools = tools_of(program)
    kept = json.loads(COUNTS.read_text()) if COUNTS.exists() else {"tools": None}
    if not options.renew and tools != kept["tools"]:
        skip(f"the counts are those of {kept['tools']}, this is {tools}")
    names = [options.only] if options.only else list(MODELS)
    counts = count(program, names, options.profile)
    if set(counts) != set(names):
        sys.exit(f"no counts of {sorted(set(names) - set(counts))}")
    if not options.renew:
        sys.exit(0 if compare(counts, kept["counts"]) else 1)
    if kept["tools"] == tools:
        counts = {**kept["counts"], **counts}
    COUNTS.write_text(json.dumps({"tools": tools, "counts": counts}, indent=2) + "\n")


if __name__ == "__main__":
    main()
