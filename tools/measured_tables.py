#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures piles and small cases, beside other programs, and renews the tables of docs/piles.md and
docs/other_programs.md. `./dev bench tables` builds what it needs and calls it; some hours, on an idle machine.

usage: measured_tables.py BUILD_DIR [--only TABLE …] [--from FILE]
  --only  tables by their names in the pages; all by default
  --from  no measuring: what a run before has left (BUILD_DIR/measured.json)
"""
import argparse
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import types

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGES = {"piles": ROOT / "docs/piles.md", "other_programs": ROOT / "docs/other_programs.md"}
TIMES = {"pile_100": (100, [0.1, 0.3, 0.5, 0.7, 0.9, 1.1, 1.3, 1.5, 1.9, 2.3, 2.6, 2.7, 3.0]),
         "pile_1000": (1000, [0.1, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0]),
         "pile_8000": (8000, [0.3, 0.4, 0.5, 1.0, 1.5, 2.0])}
LINE = ("time", "millis", "contacts", "iterations", "depth", "approach", "kinetic", "floor", "support",
        "balance", "gain", "residual", "inaccurate", "halved")
SETTLED = {"accuracies": ("fast", "standard"), "count": 1000, "time": "3", "steps": 40, "siconos": 6}


# ---- measuring ----------------------------------------------------------------------------------

def script(name):
    """A program of bench/peers as a module."""
    path = str(ROOT / "bench/peers" / name)
    loader = importlib.machinery.SourceFileLoader(name, path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


def lines_of(text):
    """The rows of pile_bench, one each 0.1 s."""
    rows = [line.split() for line in text.splitlines() if re.match(r"\s*\d+\.\d{3}\s", line)]
    return [dict(zip(LINE, row)) for row in rows if len(row) == len(LINE)]


def pile(build, count, end):
    done = subprocess.run([f"{build}/pile_bench", str(count), "--end", str(end)], capture_output=True,
                          text=True, check=True)
    return lines_of(done.stdout)


def pile_peers(build):
    """All programs from one settled state; Saltus with each accuracy."""
    peers, count = script("compare_piles"), SETTLED["count"]
    with tempfile.TemporaryDirectory() as directory:
        state = f"{directory}/settled"
        peers.run([f"{build}/pile_bench", str(count), "--end", SETTLED["time"], "--state", state])
        options = types.SimpleNamespace(build=build, count=count, state=state, steps=SETTLED["steps"],
                                        siconos=SETTLED["siconos"])
        results = peers.measure(options, directory)[1:]
        for accuracy in reversed(SETTLED["accuracies"]):
            own = peers.run([f"{build}/pile_bench", str(count), "--steps", str(SETTLED["steps"]), "--from",
                             state, "--accuracy", accuracy])
            results.insert(0, {**own, "variant": accuracy})
    return results


def measure(build, names):
    found = {name: pile(build, *(TIMES[name][0], TIMES[name][1][-1])) for name in names if name in TIMES}
    if {"peers_1000", "pile_peers"} & set(names):
        found["peers"] = pile_peers(build)
    if {"small_times", "small_errors"} & set(names):
        found["cases"] = script("compare").measure(build)
    return found


# ---- tables -------------------------------------------------------------------------------------

def table(head, rows):
    return "\n".join(["| " + " | ".join(head) + " |", "|" + "---|" * len(head),
                      *("| " + " | ".join(map(str, row)) + " |" for row in rows)])


def name_of(result):
    return f"{result['program']} {result['variant']}".strip()


def pile_table(rows, times):
    head = ["$t$ (s)", "ms a step", "contacts", "depth/$r$", "approach (m/s)", "kinetic (J)", "floor", "support",
            "residual", "inacc (of 100)", "halved"]
    keys = ("millis", "contacts", "depth", "approach", "kinetic", "floor", "support", "residual", "inaccurate",
            "halved")
    chosen = {round(float(row["time"]), 3): row for row in rows}
    missing = [t for t in times if t not in chosen]
    if missing:
        sys.exit(f"the run has no rows at {missing} s")
    return table(head, [[t, *(chosen[t][key] for key in keys)] for t in times])


def peers_table(results, columns):
    bullet = next((r["millis"] for r in results if r["program"] == "Bullet" and "200" in r["variant"]), None)
    rows = [[name_of(r), f"{r['millis']:.3g}", f"{r['millis'] / bullet:.2f}" if bullet else "–",
             *(f"{r[key]:.2g}" if isinstance(r[key], float) else r[key] for key in columns)] for r in results]
    return table(["", "ms a step", "over Bullet-200", *columns.values()], rows)


CASES = {"A": "a ball bounces", "B": "a ball slides and rolls", "D": "ten cubes on each other",
         "G": "a slider-crank, joints only, steps of 0.1 ms"}
ERRORS = {("A", "error"): "height of the ball after 2 s (m)", ("A", "penetration"): "penetration of the ball (m)",
          ("D", "sink"): "the stack sinks (m)", ("D", "drift"): "the stack drifts (m)",
          ("G", "error"): "angle of the crank after 1 s (rad)", ("G", "gap"): "gap of its joints (m)"}


def by_program(cases, rows, value):
    """One row a case, one column a program with its settings; what was not run stays empty."""
    programs = list(dict.fromkeys(name_of(r) for r in cases))
    body = []
    for key, label in rows.items():
        case = key[0]
        found = {name_of(r): value(r, key) for r in cases if r["case"] == case}
        body.append([label, *(found.get(p, "–") for p in programs)])
    return table(["", *programs], body)


def tables(found):
    """Of each page, by name, what can be made of the measurements."""
    made = {("piles", name): pile_table(found[name], times) for name, (_, times) in TIMES.items() if name in found}
    if "peers" in found:
        columns = {"contacts": "contacts", "touching": "touching", "penetration": "depth/$r$",
                   "approach": "approach (m/s)", "kinetic": "kinetic (J)"}
        made["piles", "peers_1000"] = peers_table(found["peers"], columns)
        made["other_programs", "pile_peers"] = peers_table(
            found["peers"], {"penetration": "depth/$r$", "approach": "approach (m/s)"})
    if "cases" in found:
        made["other_programs", "small_times"] = by_program(found["cases"], CASES, lambda r, _: f"{r['micros']:.3g}")
        made["other_programs", "small_errors"] = by_program(
            found["cases"], ERRORS, lambda r, key: f"{r[key[1]]:.2g}" if key[1] in r else "–")
    return made


def renew(text, name, content):
    """The text between the marks of a table."""
    marks = re.compile(rf"(<!-- begin {name} -->\n).*?(\n<!-- end {name} -->)", re.S)
    if len(marks.findall(text)) != 1:
        sys.exit(f"no place, or several, for the table {name}")
    return marks.sub(lambda m: m[1] + content + m[2], text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=os.path.abspath)
    every = [*TIMES, "peers_1000", "pile_peers", "small_times", "small_errors"]
    parser.add_argument("--only", nargs="+", choices=every, default=every)
    parser.add_argument("--from", dest="file", type=pathlib.Path)
    options = parser.parse_args()
    if options.file:
        found = json.loads(options.file.read_text())
    else:
        found = measure(options.build, options.only)
        pathlib.Path(options.build, "measured.json").write_text(json.dumps(found, indent=1))
    for (page, name), content in tables(found).items():
        if name in options.only:
            PAGES[page].write_text(renew(PAGES[page].read_text(), name, content))
            print(f"{PAGES[page].relative_to(ROOT)}: {name}")


if __name__ == "__main__":
    main()
