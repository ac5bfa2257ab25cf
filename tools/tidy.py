#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs clang-tidy on sources of the library and the program; exits 1 where it finds something.

    tools/tidy.py BUILD_DIRECTORY [--jobs N] [--choose=all]

The build directory needs to be configured only. Files are read as they are compiled, several at a
time: that takes a third of the time, for most of it goes into Eigen. Without --choose=all: those that
changed since the last tag, all where there is none; and of these no more than a tenth of all, another
one after each commit.
"""
import argparse
import concurrent.futures
import json
import math
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PARTS = 10


def git(*arguments):
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
    return done.stdout.split() if done.returncode == 0 else []


def units(build):
    """What is compiled in one go, each with the names of its files."""
    commands = json.loads((build / "compile_commands.json").read_text("utf-8"))
    paths = sorted({pathlib.Path(command["file"]) for command in commands})
    files = {path: re.findall(r'#include "(.*\.cpp)"', path.read_text("utf-8")) for path in paths}
    for path in paths:
        if path.suffix == ".cpp":
            files[path] = [path]
    return {path: [str(pathlib.Path(name).relative_to(ROOT)) for name in names]
            for path, names in files.items() if names}


def turn():
    """Counts commits; a shallow clone cannot, and takes a number of the commit's own."""
    if git("rev-parse", "--is-shallow-repository") == ["false"]:
        return int(git("rev-list", "--count", "HEAD")[0])
    return int(git("rev-parse", "HEAD")[0], 16)


def chosen(everything):
    """Some of the units."""
    found = list(everything)
    most = math.ceil(len(found) / PARTS)
    if tag := git("describe", "--tags", "--abbrev=0"):
        changed = {str(pathlib.Path(name).with_suffix(".cpp"))
                   for name in git("diff", "--name-only", tag[0], "--")}
        found = [unit for unit in found if changed.intersection(everything[unit])]
    parts = max(1, math.ceil(len(found) / most))
    return found[turn() % parts::parts]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--choose", choices=["all"], nargs="?")
    arguments = parser.parse_args()
    everything = units(arguments.build)
    some = list(everything) if arguments.choose == "all" else chosen(everything)

    def tidy(unit):
        return subprocess.run(["clang-tidy", "--quiet", "-p", arguments.build, unit],
                              capture_output=True, text=True)

    failed = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for unit, done in zip(some, pool.map(tidy, some)):
            if done.returncode != 0:
                failed += 1
                print(f"{' '.join(everything[unit])}:\n{done.stdout}{done.stderr}", flush=True)
    files = [name for unit in some for name in everything[unit]]
    print(f"clang-tidy: {len(files)} files in {len(some)} units, {failed} with findings")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
