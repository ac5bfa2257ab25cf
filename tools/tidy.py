#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs clang-tidy on sources of the library and the program; exits 1 where it finds something.

    tools/tidy.py BUILD_DIRECTORY [--jobs N] [--choose=all]

The build directory needs compile_commands.json only. Without --choose=all: the files that changed
since the last tag, or, where there is no tag, a tenth of all, another one after each commit.
"""
import argparse
import concurrent.futures
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PARTS = 10


def git(*arguments):
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
    return done.stdout.split() if done.returncode == 0 else []


def chosen(everything):
    sources = git("ls-files", "src/*.cpp", "apps/*.cpp")
    if everything:
        return sources
    if tag := git("describe", "--tags", "--abbrev=0"):
        changed = set(git("diff", "--name-only", tag[0], "--"))
        return [name for name in sources if name in changed]
    turn = int(git("rev-list", "--count", "HEAD")[0]) % PARTS
    return sources[turn::PARTS]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--choose", choices=["all"], nargs="?")
    arguments = parser.parse_args()
    files = chosen(arguments.choose == "all")

    def tidy(name):
        return subprocess.run(["clang-tidy", "--quiet", "-p", arguments.build, ROOT / name],
                              capture_output=True, text=True)

    failed = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for name, done in zip(files, pool.map(tidy, files)):
            if done.returncode != 0:
                failed += 1
                print(f"{name}:\n{done.stdout}{done.stderr}", flush=True)
    print(f"clang-tidy: {len(files)} files, {failed} with findings")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
