# SPDX-License-Identifier: Apache-2.0
"""Runs of the program, numbers, tables and findings: what all tools/validate*.py share."""
import bisect
import csv
import json
import math
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "validation.md"


# ---- runs ---------------------------------------------------------------------------------------

class Run:
    """The results of one run of the program."""

    def __init__(self, folder, finished):
        self.folder = folder
        self.finished = finished  # False: interrupted, it took too long
        self.summary = json.loads((folder / "summary.json").read_text())
        self._columns = {}
        self._events = None
        self._forces = None

    def columns(self, *names):
        """The named columns of the time series, each a list of numbers."""
        missing = [name for name in names if name not in self._columns]
        if missing:
            with open(self.folder / "timeseries.csv") as file:
                header = file.readline().rstrip("\n").split(",")
                places = [header.index(name) for name in missing]
                found = [[] for _ in missing]
                for line in file:
                    cells = line.split(",")
                    for values, place in zip(found, places):
                        values.append(float(cells[place]))
            self._columns.update(zip(missing, found))
        return [self._columns[name] for name in names]

    def column(self, name):
        return self.columns(name)[0]

    def last(self, name):
        return self.column(name)[-1]

    def at(self, name, t):
        """A column at a time, interpolated."""
        times, values = self.columns("time", name)
        return interpolate(times, values, t)

    def events(self, kind=None, contact=None):
        if self._events is None:
            with open(self.folder / "events.csv", newline="") as file:
                self._events = list(csv.DictReader(file))
        return [event for event in self._events
                if kind in (None, event["kind"])
                and (contact is None or event["contact"] == contact)]

    def forces(self):
        """The rows of contact_forces.csv, as text."""
        if self._forces is None:
            with open(self.folder / "contact_forces.csv", newline="") as file:
                self._forces = list(csv.DictReader(file))
        return self._forces

    def header(self):
        with open(self.folder / "timeseries.csv") as file:
            return file.readline().rstrip("\n").split(",")

    def times_of(self, kind, contact=None):
        return [float(event["time"]) for event in self.events(kind, contact)]

    def energy(self):
        """Times and the sum of kinetic, gravity and elastic energy."""
        names = ["energy.kinetic", "energy.gravity", "energy.elastic"]
        times, *parts = self.columns("time", *names)
        return times, [sum(values) for values in zip(*parts)]


class Program:
    """Runs models in a scratch folder, and knows what must come out."""

    def __init__(self, path, scratch):
        self.path = path
        self.scratch = scratch
        self.count = 0
        self._done = {}
        self._references = None

    def references(self):
        """The table behind `saltus verify`, the only place of published and exact numbers."""
        if self._references is None:
            listed = subprocess.run([str(self.path), "verify", "--list", "--json"],
                                    capture_output=True, text=True, check=True)
            self._references = {(row["example"], row["quantity"]): row
                                for row in json.loads(listed.stdout)}
        return self._references

    def reference(self, example, quantity):
        return self.references()[example, quantity]

    def known(self, example, quantity):
        return self.reference(example, quantity)["value"]

    def once(self, example, sets=()):
        """As run, but the same run is done only once."""
        key = example, tuple(sets)
        if key not in self._done:
            self._done[key] = self.run(example, sets)
        return self._done[key]

    def run(self, example, sets=(), timeout=None):
        self.count += 1
        folder = pathlib.Path(self.scratch) / f"{self.count:04d}"
        command = [str(self.path), "run", str(ROOT / "examples" / f"{example}.json"), "-o",
                   str(folder), "--quiet", "--threads", "1"]
        for value in sets:
            command += ["--set", value]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True)
        finished = True
        try:
            _, errors = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            finished = False
            process.send_signal(signal.SIGINT)  # it writes what it has
            _, errors = process.communicate(timeout=60)
        if process.returncode not in (0, 3, 130):
            sys.exit(f"{' '.join(command)}\n{errors}")
        return Run(folder, finished)


def step(h):
    return f"/simulation/integrator/step={h!r}"


def end(t):
    return f"/simulation/end_time={t!r}"


def record(n):
    return f"/simulation/record/every={n}"


def interpolate(times, values, t):
    i = min(max(bisect.bisect_right(times, t), 1), len(times) - 1)
    share = (t - times[i - 1]) / (times[i] - times[i - 1])
    return values[i - 1] + share * (values[i] - values[i - 1])


# ---- numbers and tables --------------------------------------------------------------------------

def number(x, digits=4):
    """A number with so many significant digits, zero as 0."""
    if isinstance(x, str):
        return x
    if x is None or math.isnan(x):
        return "–"
    if x == 0:
        return "0"
    text = f"{x:.{digits}g}"
    if "e" in text:
        mantissa, exponent = text.split("e")
        text = f"{mantissa}e{int(exponent)}"
    return text.replace("-", "−")


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines)


def iterations(summary):
    """Mean and maximum per step of the three sub-problems."""
    count = summary["iterations"]
    parts = [count[name] for name in ("smooth", "position", "velocity")]
    return (" / ".join(f"{part['mean']:.2f}" for part in parts),
            " / ".join(f"{part['max']}" for part in parts))


def linear_solves(summary):
    """Mean number in a step, all sub-problems together."""
    return sum(part["mean"] for part in summary["iterations"].values())


# ---- errors and orders ---------------------------------------------------------------------------

def geometric(first, last, count):
    """Steps, equally spaced in log h."""
    return [first * (last / first) ** (k / (count - 1)) for k in range(count)]


def relative_error(run, names, exact):
    """Σ|f − f_exact| / Σ|f_exact| over all rows and the named columns."""
    times, *columns = run.columns("time", *names)
    above = below = 0.0
    for values, function in zip(columns, exact):
        for t, value in zip(times, values):
            there = function(t)
            above += abs(value - there)
            below += abs(there)
    return above / below


def from_run(run, names):
    """The columns of a run as functions of time."""
    times, *columns = run.columns("time", *names)
    return [lambda t, values=values: interpolate(times, values, t) for values in columns]


def fitted_slope(steps, errors):
    x = [math.log(h) for h in steps]
    y = [math.log(e) for e in errors]
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    return (sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y))
            / sum((a - mean_x) ** 2 for a in x))


# ---- findings ------------------------------------------------------------------------------------

WITHIN, OUTSIDE = "within", "**outside**"


def difference(measured, reference):
    """Absolute, and relative where that says something."""
    if reference is None:
        return "–"
    gap = measured - reference
    if reference == 0 or gap == 0:
        return number(gap, 2)
    share = gap / abs(reference)
    if abs(share) < 1e-12:
        return "round-off"
    return number(gap, 2) + (f" ({number(100 * share, 2)} %)" if abs(share) < 1 else "")


class Findings:
    """Rows of a table of quantities, and the runs behind them."""

    HEADER = ["example", "quantity", "measured", "reference", "kind", "difference", "tolerance",
              "verdict"]

    def __init__(self):
        self.rows = []
        self.runs = []

    def run(self, name, h, run):
        self.runs.append((name, h, run))
        return run

    def add(self, example, quantity, measured, reference, kind, digits=6, tolerance=None):
        """Without a tolerance the row has no verdict."""
        cells = [number(measured, digits), "–" if reference is None else number(reference, digits),
                 kind, difference(measured, reference)]
        if tolerance is None:
            cells += ["–", "–"]
        else:
            good = abs(measured - reference) <= tolerance * (1 + 1e-9)
            cells += [number(tolerance, 2), WITHIN if good else OUTSIDE]
        self.rows.append([example, quantity] + cells)

    def check(self, program, quantity, measured, row, kind, digits=6):
        """A quantity that has a row of its own, an example and a quantity, in the table."""
        known = program.reference(*row)
        self.add(row[0], quantity, measured, known["value"], kind, digits, known["tolerance"])

    def bound(self, example, quantity, measured, kind, low=None, high=None, digits=4):
        """A quantity that must be at least `low` or at most `high`, or both."""
        good = (low is None or measured >= low) and (high is None or measured <= high)
        if low is None:
            text = f"≤ {number(high, digits)}"
        elif high is None:
            text = f"≥ {number(low, digits)}"
        else:
            text = f"{number(low, digits)} … {number(high, digits)}"
        self.rows.append([example, quantity, number(measured, digits), text, kind, "–", "–",
                          WITHIN if good else OUTSIDE])

    def table(self):
        rows, last = [], None
        for row in self.rows:
            rows.append(["" if row[0] == last else f"`{row[0]}`"] + row[1:])
            last = row[0]
        return table(self.HEADER, rows)


def verified(program, names):
    """The checks of `saltus verify`, one a row; not those of values of our own, which prove nothing."""
    own = {(row["example"], row["quantity"] + (f" ({row['unit']})" if row["unit"] else ""))
           for row in program.references().values() if row["source"] == "own value"}
    done = subprocess.run([str(program.path), "verify", *names], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(done.stderr)
    rows, last = [], None
    for line in done.stdout.splitlines():
        cells = re.match(r"(\w+)  +(.+?)  +(\S+) +(\S+) +\S+ +(\S+)  (\S.*)$", line)
        if not cells or cells[1] == "model":
            continue
        model, quantity, measured, reference, tolerance, verdict = cells.groups()
        if (model, quantity) in own:
            continue
        gap = difference(float(measured), float(reference))
        rows.append([f"`{model}`" if model != last else "", quantity, number(float(measured), 6),
                     number(float(reference), 6), gap, number(float(tolerance), 2),
                     WITHIN if verdict == "ok" else OUTSIDE])
        last = model
    return table(["example", "quantity", "measured", "reference", "difference", "tolerance",
                  "verdict"], rows)


# ---- the page ------------------------------------------------------------------------------------

def insert(blocks, page=PAGE):
    """Puts each block between its markers."""
    text = page.read_text()
    for name, block in blocks.items():
        pattern = re.compile(rf"(<!-- begin {name} -->\n).*?(<!-- end {name} -->)", re.DOTALL)
        if not pattern.search(text):
            sys.exit(f"{page.relative_to(ROOT)} has no marker \"{name}\"")
        text = pattern.sub(lambda m, block=block: f"{m[1]}{block}\n{m[2]}", text)
    page.write_text(text)


def renew(sections, names, saltus, page=PAGE):
    """Runs these sections and puts their tables into the page."""
    for name in names:
        with tempfile.TemporaryDirectory() as scratch:
            print(f"{name} ...", flush=True)
            insert(sections[name](Program(saltus, scratch)), page)
