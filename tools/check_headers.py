#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles every header of src/saltus alone; exits 1 where one needs another to come first.

    tools/check_headers.py [--jobs N]

A header that includes one of ROOTS, itself or by what it includes, is compiled after it, precompiled:
it sees nothing that it would not see alone, and Eigen and the model are parsed once.
"""
import argparse
import concurrent.futures
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parent.parent / "src"
ROOTS = ["saltus/dynamics/system.hpp", "saltus/model/model.hpp", "Eigen/Core"]  # from the largest
INCLUDE = re.compile(r'#include [<"]([^>"]+)[>"]')


def compiler():
    flags = subprocess.run(["pkg-config", "--cflags", "eigen3", "hdf5"], capture_output=True,
                           text=True, check=True).stdout.replace("-I/", "-isystem/")
    return ["g++", "-std=c++20", "-DFMT_SHARED", f"-I{SOURCE}", *shlex.split(flags), "-Wall",
            "-Wextra", "-Werror", "-Wno-pragma-once-outside-header", "-Winvalid-pch"]


class Headers:
    def __init__(self):
        self.names = sorted(str(path.relative_to(SOURCE)) for path in SOURCE.rglob("*.hpp"))
        self.included = {name: set(INCLUDE.findall((SOURCE / name).read_text("utf-8")))
                         for name in self.names}

    def closure(self, name):
        """Everything that the header includes. Eigen's modules all include Eigen/Core."""
        found, todo = set(), [name]
        while todo:
            for included in self.included.get(todo.pop(), ()):
                if included.startswith("Eigen/"):
                    found.add("Eigen/Core")
                if included not in found:
                    found.add(included)
                    todo.append(included)
        return found

    def root(self, name):
        closure = self.closure(name)
        return next((root for root in ROOTS if root in closure), None)


def precompile(command, directory, root):
    header = directory / (root.replace("/", "_") + ".hpp")
    header.write_text(f"#include <{root}>\n", "utf-8")
    subprocess.run([*command, "-x", "c++-header", header, "-o", f"{header}.gch"], check=True)
    return header


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--jobs", type=int, default=2)
    jobs = parser.parse_args().jobs
    command, headers = compiler(), Headers()
    with tempfile.TemporaryDirectory() as scratch, \
            concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        directory = pathlib.Path(scratch)
        made = dict(zip(ROOTS, pool.map(lambda r: precompile(command, directory, r), ROOTS)))

        def compiles(name):
            root = headers.root(name)
            before = ["-include", made[root]] if root else []
            return subprocess.run([*command, *before, "-fsyntax-only", "-x", "c++", "-"],
                                  input=f'#include "{name}"\n', text=True).returncode == 0

        results = list(pool.map(compiles, headers.names))
    for name in (name for name, good in zip(headers.names, results) if not good):
        print(f"src/{name}: does not compile alone")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
