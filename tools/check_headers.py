#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles every header of src/saltus alone; exits 1 where one needs another to come first.

    tools/check_headers.py [--jobs N]

A header that includes one of ROOTS, itself or by what it includes, is compiled after it, precompiled:
it sees nothing that it would not see alone, and Eigen and the model are parsed once. For the same
reason a chain of headers, each including the one before, is compiled in one go.
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

    def chains(self):
        """All headers, in lists with one root where each header includes the one before."""
        closures = {name: self.closure(name) for name in self.names}
        left = sorted(self.names, key=lambda name: len(closures[name]), reverse=True)
        while left:
            chain = [left[0]]
            for name in left[1:]:
                if name in closures[chain[0]] and self.root(name) == self.root(chain[0]):
                    chain.insert(0, name)
            left = [name for name in left if name not in chain]
            yield chain


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

        def compiles(chain):
            root = headers.root(chain[0])
            before = ["-include", made[root]] if root else []
            includes = "".join(f'#include "{name}"\n' for name in chain)
            return subprocess.run([*command, *before, "-fsyntax-only", "-x", "c++", "-"],
                                  input=includes, text=True).returncode == 0

        chains = list(headers.chains())
        suspects = [chain for chain, good in zip(chains, pool.map(compiles, chains)) if not good]
        bad = [name for chain in suspects for name in chain if not compiles([name])]
    for name in bad:
        print(f"src/{name}: does not compile alone")
    return 1 if suspects else 0


if __name__ == "__main__":
    sys.exit(main())
