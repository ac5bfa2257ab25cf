#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints the twenty files that took longest when a build tree was last built, from Ninja's log.

    tools/build_times.py BUILD_DIRECTORY

Times are those of the clock: on busy cores they are longer than the work.
"""
import pathlib
import sys

MOST = 20


def last_times(log):
    """Seconds of each output, of the last time that it was made."""
    times = {}
    for line in log.read_text("utf-8").splitlines()[1:]:
        start, end, _, output, *_ = line.split("\t")
        times[output] = (int(end) - int(start)) / 1000
    return times


def sources(build, output):
    """What was compiled: the files that a unit of several includes, or the file itself."""
    name = output.replace("CMakeFiles/", "").removesuffix(".o")
    unit = build / output.removesuffix(".o")
    if not output.endswith("_cxx.cxx.o") or not unit.exists():
        return name
    lines = unit.read_text("utf-8").splitlines()
    paths = [pathlib.Path(line.split('"')[1]) for line in lines if line.startswith("#include")]
    return f"{paths[0].parent.name}: {' '.join(path.name for path in paths)}"


def main():
    build = pathlib.Path(sys.argv[1])
    log = build / ".ninja_log"
    if not log.exists():
        print(f"{build}: nothing has been built here", file=sys.stderr)
        return 1
    objects = {output: seconds for output, seconds in last_times(log).items()
               if output.endswith((".o", ".gch")) and (build / output).exists()}
    for output, seconds in sorted(objects.items(), key=lambda item: -item[1])[:MOST]:
        print(f"{seconds:7.1f} s  {sources(build, output)}")
    print(f"{sum(objects.values()):7.1f} s  all {len(objects)} objects")
    return 0


if __name__ == "__main__":
    sys.exit(main())
