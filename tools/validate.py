#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the examples with contacts and writes what docs/validation.md says about them.

    tools/validate.py [--saltus build/release/saltus] [--only SECTION ...]

The tables between the markers of docs/validation.md are replaced, the figures in docs/figures are
written anew; the text around the tables is written by hand. Needs nothing but Python.
"""
import argparse
import bisect
import csv
import json
import math
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "validation.md"
FIGURES = ROOT / "docs" / "figures"


# ---- runs ---------------------------------------------------------------------------------------

class Run:
    """The results of one run of the program."""

    def __init__(self, folder, finished):
        self.folder = folder
        self.finished = finished  # False: interrupted, it took too long
        self.summary = json.loads((folder / "summary.json").read_text())
        self._columns = {}
        self._events = None

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

    def times_of(self, kind, contact=None):
        return [float(event["time"]) for event in self.events(kind, contact)]

    def energy(self):
        """Times and the sum of kinetic, gravity and elastic energy."""
        names = ["energy.kinetic", "energy.gravity", "energy.elastic"]
        times, *parts = self.columns("time", *names)
        return times, [sum(values) for values in zip(*parts)]


class Program:
    """Runs models in a scratch folder."""

    def __init__(self, path, scratch):
        self.path = path
        self.scratch = scratch
        self.count = 0

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


# ---- plots ---------------------------------------------------------------------------------------

COLOURS = ["#0b5394", "#cc4125", "#38761d", "#b45f06", "#674ea7", "#0e8a8a", "#7f6000", "#a64d79",
           "#444444", "#3d85c6", "#6aa84f", "#e69138"]
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def escape(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


class Axis:
    """Maps numbers to a length of the page and says where the ticks are."""

    def __init__(self, values, label, log=False, limits=None, start=0.0, stop=1.0):
        self.label = label
        self.log = log
        self.start, self.stop = start, stop
        if limits:
            low, high = limits
        else:
            usable = [v for v in values if not log or v > 0] or [1.0, 10.0]
            low, high = min(usable), max(usable)
            if log:
                low, high = low / 1.4, high * 1.4
            else:
                margin = 0.05 * (high - low) or 1.0
                low, high = low - margin, high + margin
        self.low, self.high = low, high

    def __call__(self, value):
        if self.log:
            share = math.log(value / self.low) / math.log(self.high / self.low)
        else:
            share = (value - self.low) / (self.high - self.low)
        return self.start + share * (self.stop - self.start)

    def ticks(self):
        """(value, text) of the major ticks and the values of the minor ones."""
        return self._log_ticks() if self.log else self._linear_ticks()

    def _log_ticks(self):
        first = math.floor(math.log10(self.low))
        last = math.ceil(math.log10(self.high))
        decades = [10.0 ** k for k in range(first, last + 1)]
        inside = [d for d in decades if self.low <= d <= self.high]
        stride = max(1, math.ceil(len(inside) / 7))
        major = [(d, "10" + str(round(math.log10(d))).translate(SUPERSCRIPTS))
                 for d in inside if round(math.log10(d)) % stride == 0]
        minor = []
        if stride == 1:
            minor = [m * d for d in decades for m in range(2, 10) if self.low <= m * d <= self.high]
        if len(major) < 2:
            major = [(m, number(m, 1)) for m in inside + minor
                     if round(m / 10 ** math.floor(math.log10(m) + 1e-9)) in (1, 2, 5)]
        return major, minor

    def _linear_ticks(self):
        span = self.high - self.low
        size = 10.0 ** math.floor(math.log10(span / 5))
        size *= next(m for m in (1, 2, 5, 10) if span / (m * size) <= 7)
        digits = max(0, -math.floor(math.log10(size) + 1e-9))
        first = math.ceil(self.low / size - 1e-9)
        last = math.floor(self.high / size + 1e-9)
        return [(k * size, f"{k * size + 0.0:.{digits}f}".replace("-", "−"))
                for k in range(first, last + 1)], []


class Curve:
    def __init__(self, x, y, label="", colour=None, line=True, marker=False, dash=None, width=1.6):
        self.x, self.y, self.label, self.colour = x, y, label, colour
        self.line, self.marker, self.dash, self.width = line, marker, dash, width


class Panel:
    """One pair of axes."""

    def __init__(self, title, x_label, y_label, curves, x_log=False, y_log=False, x_limits=None,
                 y_limits=None, texts=()):
        self.title, self.x_label, self.y_label, self.curves = title, x_label, y_label, curves
        self.x_log, self.y_log = x_log, y_log
        self.x_limits, self.y_limits = x_limits, y_limits
        self.texts = texts  # (x, y, text) beside a point

    def draw(self, left, top, width, height):
        x = Axis([v for c in self.curves for v in c.x], self.x_label, self.x_log, self.x_limits,
                 left, left + width)
        y = Axis([v for c in self.curves for v in c.y], self.y_label, self.y_log, self.y_limits,
                 top + height, top)
        out = [f'<text x="{left + width / 2:.1f}" y="{top - 12}" text-anchor="middle" '
               f'font-size="14" font-weight="bold">{escape(self.title)}</text>',
               f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="#fcfcfc"/>']
        out += self._grid(x, y, left, top, width, height)
        clip = f"clip{left}_{top}"
        out.append(f'<clipPath id="{clip}"><rect x="{left}" y="{top}" width="{width}" '
                   f'height="{height}"/></clipPath><g clip-path="url(#{clip})">')
        for curve in self.curves:
            out += self._curve(curve, x, y)
        out.append("</g>")
        for text in self.texts:
            out.append(f'<text x="{x(text[0]) + 8:.1f}" y="{y(text[1]) - 8:.1f}" '
                       f'font-size="12">{escape(text[2])}</text>')
        out.append(f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="none" '
                   'stroke="#333"/>')
        return out

    def _grid(self, x, y, left, top, width, height):
        out = []
        for axis, vertical in ((x, True), (y, False)):
            major, minor = axis.ticks()
            for value, text in [(m, "") for m in minor] + major:
                place = axis(value)
                line = (f'x1="{place:.1f}" x2="{place:.1f}" y1="{top}" y2="{top + height}"'
                        if vertical else
                        f'x1="{left}" x2="{left + width}" y1="{place:.1f}" y2="{place:.1f}"')
                out.append(f'<line {line} stroke="{"#d4d4d4" if text else "#eeeeee"}"/>')
                if not text:
                    continue
                if vertical:
                    out.append(f'<text x="{place:.1f}" y="{top + height + 17}" '
                               f'text-anchor="middle" font-size="12">{text}</text>')
                else:
                    out.append(f'<text x="{left - 7}" y="{place + 4:.1f}" text-anchor="end" '
                               f'font-size="12">{text}</text>')
        middle = top + height / 2
        out.append(f'<text x="{left + width / 2:.1f}" y="{top + height + 37}" '
                   f'text-anchor="middle" font-size="13">{escape(x.label)}</text>')
        out.append(f'<text x="{left - 52}" y="{middle:.1f}" text-anchor="middle" font-size="13" '
                   f'transform="rotate(-90 {left - 52} {middle:.1f})">{escape(y.label)}</text>')
        return out

    def _curve(self, curve, x, y):
        points = [(x(a), y(b)) for a, b in zip(curve.x, curve.y)
                  if x.low <= a <= x.high and (not self.y_log or b > 0)]
        out = []
        if curve.line and len(points) > 1:
            text = " ".join(f"{a:.1f},{b:.1f}" for a, b in thinned(points))
            dash = f' stroke-dasharray="{curve.dash}"' if curve.dash else ""
            out.append(f'<polyline points="{text}" fill="none" stroke="{curve.colour}" '
                       f'stroke-width="{curve.width}"{dash}/>')
        if curve.marker:
            out += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="{3.2 if curve.line else 4.5}" '
                    f'fill="{curve.colour}"/>' for a, b in points]
        return out


def thinned(points):
    """Without points that are within a unit of the last one kept."""
    kept = [points[0]]
    for point in points[1:-1]:
        if abs(point[0] - kept[-1][0]) + abs(point[1] - kept[-1][1]) > 1:
            kept.append(point)
    return kept + [points[-1]]


def figure(name, panels, columns=2, width=400, height=280):
    """Writes panels in rows, with one legend below."""
    labels = []
    for curve in [c for panel in panels for c in panel.curves]:
        if curve.label and curve.label not in [c.label for c in labels]:
            labels.append(curve)
    labels.sort(key=lambda curve: curve.label == "first order")
    columns = min(columns, len(panels))
    rows = math.ceil(len(panels) / columns)
    cell_width, cell_height = width + 100, height + 86
    total = columns * cell_width
    entry = max([150] + [30 + 7.2 * len(c.label) for c in labels])
    across = max(1, int((total - 40) // entry))
    legend = 24 * math.ceil(len(labels) / across)
    full = rows * cell_height + legend + 14
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{total}" height="{full}" '
           f'viewBox="0 0 {total} {full}" font-family="DejaVu Sans, Helvetica, Arial, sans-serif" '
           'fill="#111">',
           f'<rect width="{total}" height="{full}" fill="#ffffff"/>']
    for k, panel in enumerate(panels):
        left = k % columns * cell_width + 74
        top = k // columns * cell_height + 34
        out += panel.draw(left, top, width, height)
    for k, curve in enumerate(labels):
        x = 30 + k % across * entry
        y = rows * cell_height + 14 + 24 * (k // across)
        if curve.line:
            dash = f' stroke-dasharray="{curve.dash}"' if curve.dash else ""
            out.append(f'<line x1="{x:.0f}" x2="{x + 22:.0f}" y1="{y}" y2="{y}" '
                       f'stroke="{curve.colour}" stroke-width="2.2"{dash}/>')
        if curve.marker:
            out.append(f'<circle cx="{x + 11:.0f}" cy="{y}" r="3.6" fill="{curve.colour}"/>')
        out.append(f'<text x="{x + 28:.0f}" y="{y + 4}" font-size="12.5">'
                   f'{escape(curve.label)}</text>')
    out.append("</svg>")
    FIGURES.mkdir(exist_ok=True)
    (FIGURES / f"{name}.svg").write_text("\n".join(out) + "\n")


def slope_one(h_low, h_high, error):
    """A dashed line of first order through (h_high, error)."""
    return Curve([h_low, h_high], [error * h_low / h_high, error], "first order", "#999999",
                 dash="5 4", width=1.2)


# ---- errors --------------------------------------------------------------------------------------

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


class Ball:
    """The exact motion of bouncing_ball."""
    g, height, e = 9.8, 0.8, 0.8
    first = math.sqrt(2 * height / g)
    rest = first * (1 + e) / (1 - e)

    @classmethod
    def bounce(cls, t):
        """Number of impacts before t, time and speed of the last one."""
        if t < cls.first:
            return 0, -cls.first, cls.g * cls.first
        count, start, speed = 1, cls.first, cls.e * cls.g * cls.first
        while t > start + 2 * speed / cls.g and speed > 1e-12:
            count, start, speed = count + 1, start + 2 * speed / cls.g, speed * cls.e
        return count, start, speed

    @classmethod
    def position(cls, t):
        if t >= cls.rest:
            return 0.0
        _, start, speed = cls.bounce(t)
        return speed * (t - start) - cls.g * (t - start) ** 2 / 2

    @classmethod
    def energy(cls, t):
        return 0.0 if t >= cls.rest else cls.g * cls.height * cls.e ** (2 * cls.bounce(t)[0])

    @classmethod
    def impact(cls, k):
        return cls.first * (1 + 2 * sum(cls.e ** j for j in range(1, k)))


def incline_position(t):
    deceleration = 9.81 * (math.sin(math.pi / 12) + 0.3 * math.cos(math.pi / 12))
    stop = 2 / deceleration
    return 2 * t - deceleration * t * t / 2 if t < stop else stop


# ---- section 1: the examples ---------------------------------------------------------------------

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
    """Rows of the table of examples, and the runs behind them."""

    def __init__(self):
        self.rows = []
        self.runs = []

    def run(self, name, h, run):
        self.runs.append((name, h, run))
        return run

    def add(self, example, quantity, measured, reference, kind, digits=6):
        self.rows.append([example, quantity, number(measured, digits),
                          "–" if reference is None else number(reference, digits), kind,
                          difference(measured, reference)])


def ball_findings(program, found):
    run = found.run("bouncing_ball", 1e-3, program.run("bouncing_ball"))
    impacts = run.times_of("impact")
    for k in range(3):
        found.add("bouncing_ball", f"impact {k + 1} (s)", impacts[k], Ball.impact(k + 1), "E")
    found.add("bouncing_ball", "last bounce (s)", impacts[-1], Ball.rest, "E, note 5")
    for h in (1e-4, 1e-5):
        fine = program.run("bouncing_ball", [step(h), record(1000)])
        found.add("bouncing_ball", f"last bounce (s), h = {number(h, 1)}",
                  fine.times_of("impact")[-1], Ball.rest, "E, note 5")
    found.add("bouncing_ball", "speed at 5 s (m/s)", run.last("ball.velocity.z"), 0, "E")


def incline_findings(program, found):
    name = "incline_point_mass"
    angle, mu, h = math.pi / 12, 0.3, 1e-3
    normal, weight = 9.81 * math.cos(angle), 9.81 * math.sin(angle)
    stop = 2 / (weight + mu * normal)
    run = found.run(name, h, program.run(name))
    sticks = run.times_of("sticks")[0]
    found.add(name, "stops (s)", sticks, stop, "E")
    found.add(name, "stops (s), printed", sticks, 0.374, "P, note 1")
    found.add(name, "x at rest (m)", run.last("mass.position.x"), stop, "E")
    found.add(name, "normal impulse a step (N s)", run.at("touch.impulse.n", 0.2), normal * h, "E")
    found.add(name, "friction, slip (N s)", abs(run.at("touch.impulse.t1", 0.2)), mu * normal * h,
              "E")
    found.add(name, "friction, stick (N s)", run.at("touch.impulse.t1", 1.0), weight * h, "E")
    long = program.run(name, [end(11.0), record(1000)])
    found.add(name, "creep from 1 s to 11 s (m)",
              long.last("mass.position.x") - long.at("mass.position.x", 1.0), 0, "E")
    free = program.run(name, ["/simulation/integrator/position_friction=false"])
    drift = (h / 2 * mu * normal * stop - h / 2 * weight * (2 - stop))
    found.add(name, "error of x(2 s) without friction at position level (m)",
              free.last("mass.position.x") - stop, drift, "E", 4)


def box_findings(program, found):
    name = "rigid_box_impact"
    for h in (1e-3, 1e-5):
        run = program.run(name, [step(h), record(max(1, round(1e-3 / h)))])
        found.run(name, h, run)
        impact = run.events("impact")[0]
        at = f", h = {number(h, 1)}"
        found.add(name, f"impact (s){at}", float(impact["time"]), 0.41529, "D")
        found.add(name, f"impulse (N s){at}", float(impact["impulse_n"]), 500.8, "D", 5)
        found.add(name, f"number of impacts{at}", float(len(run.events("impact"))), 1, "D")
        found.add(name, f"z at 0.69 s (m){at}", run.last("box.position.z"), 1.6043, "D", 5)
        found.add(name, f"v_z at 0.69 s (m/s){at}", run.last("box.velocity.z"), 3.9316, "D", 5)
        spin = body_rates(run)
        for axis, value, expected in zip("xyz", spin, (2.49, 38.57, -17.49)):
            found.add(name, f"Ω_{axis} at 0.69 s, body axes (rad/s){at}", value, expected, "D", 4)
        found.add(name, f"v_x − 3 (m/s){at}", run.last("box.velocity.x") - 3, 0, "E")


def body_rates(run):
    """The last angular velocity of the box in its own axes."""
    w, x, y, z = [run.last(f"box.orientation.{c}") for c in "wxyz"]
    rates = [run.last(f"box.angular_velocity.{c}") for c in "xyz"]
    rotation = [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]
    return [sum(rotation[i][j] * rates[i] for i in range(3)) for j in range(3)]


def rod_findings(program, found):
    h, weight = 1e-3, 0.48 * 9.8
    runs = {}
    for k in (1, 2, 3, 4):
        name = f"rocking_rod_{k}"
        runs[k] = found.run(name, h, program.run(name))
    name, run = "rocking_rod_1", runs[1]
    one, two = run.times_of("impact", "support_1"), run.times_of("impact", "support_2")
    tilt = math.radians(12)
    fall = 0.5 * math.sin(tilt) - 0.2 * math.tan(tilt)
    found.add(name, "first impact on support 1 (s)", one[0], math.sqrt(2 * fall / 9.8), "E", 4)
    found.add(name, "first impact on support 1 (s)", one[0], 0.113, "D, note 2", 3)
    found.add(name, "first impact on support 2 (s)", two[0], 0.202, "D, note 2", 3)
    found.add(name, "second impact on support 1 (s)", [t for t in one if t > two[0]][0], 0.334,
              "D, note 2", 3)
    found.add(name, "centre of mass x at rest (m)", run.last("rod.position.x"), -0.0091,
              "D, note 2", 3)
    found.add("rocking_rod_2", "centre of mass x at rest (m)", runs[2].last("rod.position.x"),
              -0.0453, "D, note 2", 3)
    name, run = "rocking_rod_3", runs[3]
    x = run.last("rod.position.x")
    slope = math.atan(0.1)
    forces = [[run.last(f"support_{i}.impulse.{c}") / h for c in ("n", "t1")] for i in (1, 2)]
    found.add(name, "normal force, support 1 (N)", forces[0][0], 2.19, "P", 4)
    found.add(name, "normal force, support 2 (N)", forces[1][0], 2.50, "P", 4)
    found.add(name, "sum of the normal forces (N)", forces[0][0] + forces[1][0],
              weight * math.cos(slope), "E")
    tangential = abs(forces[0][1] + forces[1][1])
    found.add(name, "sum of the tangential forces (N)", tangential, 0.47, "P", 4)
    found.add(name, "sum of the tangential forces (N)", tangential, weight * math.sin(slope), "E")
    found.add(name, "centre of mass x at rest (m)", x, 0.0134, "P, note 2", 3)
    found.add(name, "y + 0.02 + 0.1 x at rest (m)", run.last("rod.position.y") + 0.02 + 0.1 * x, 0,
              "E")
    found.add("rocking_rod_4", "centre of mass x at rest (m)", runs[4].last("rod.position.x"),
              -0.0045, "D, note 2", 3)
    for k, run in runs.items():
        speed = max(abs(run.last("rod.velocity.x")), abs(run.last("rod.velocity.y")))
        found.add(f"rocking_rod_{k}", "speed at 1.5 s (m/s)", speed, 0, "E")


def belt_findings(program, found):
    name = "block_on_belt"
    run = found.run(name, 1e-3, program.run(name))
    impacts = run.times_of("impact")
    for k, expected in enumerate((0.2300, 0.4583, 0.5728, 0.6302)):
        found.add(name, f"bounce {k + 1} (s)", impacts[k], expected, "D", 4)
    found.add(name, "last bounce (s), printed", impacts[-1], 0.65, "P, note 3", 3)
    slips = [t for t in run.times_of("slips") if t > impacts[-1] + 0.01][0]
    found.add(name, "slip begins (s)", slips, 0.9030, "D", 4)
    found.add(name, "slip begins (s), printed", slips, 0.94, "P, note 3", 3)
    balance = 1 + 3 * 9.81 / 50
    found.add(name, "x where slip begins (m)", run.at("block.position.x", slips), balance, "E", 5)
    times, x, v = run.columns("time", "block.position.x", "block.velocity.x")
    found.add(name, "amplitude of the slip oscillation (m)",
              max(value for t, value in zip(times, x) if t > slips) - balance, math.sqrt(3 / 50),
              "E", 5)
    tops = [times[i - 1] + (times[i] - times[i - 1]) * v[i - 1] / (v[i - 1] - v[i])
            for i in range(1, len(v)) if times[i] > slips and v[i - 1] > 0 >= v[i]]
    found.add(name, "period of the slip oscillation (s)", tops[1] - tops[0],
              2 * math.pi * math.sqrt(3 / 50), "E", 5)


def chain_findings(program, found):
    name = "sliding_masses"
    for h, first, last in ((1e-3, 0.3760, 0.3754), (1e-4, 0.3740, 0.3732)):
        run = found.run(name, h, program.run(name, [step(h), record(max(1, round(5e-4 / h)))]))
        at = f", h = {number(h, 1)}"
        times, x = run.columns("time", "m21.position.x")
        moves = next(t for t, value in zip(times, x) if value + 1 > 1e-6)
        u_1, u_21 = run.last("m1.position.x"), run.last("m21.position.x") + 1
        found.add(name, f"last mass has moved by 1 µm (s){at}", moves,
                  0.216 if h == 1e-3 else 0.215, "D", 4)
        if h == 1e-4:
            found.add(name, f"last mass has moved by 1 µm (s){at}", moves, 1 / (
                0.05 * math.sqrt(20 / 0.0025)), "E, note 4", 4)
        found.add(name, f"final u of mass 1 (m){at}", u_1, first, "D", 4)
        found.add(name, f"final u of mass 21 (m){at}", u_21, last, "D", 4)
        found.add(name, f"final length − initial length (m){at}", u_1 - u_21, first - last, "D", 2)


def pendulum_findings(program, found):
    name = "pendulum_on_flexible_supports"
    run = found.run(name, 1e-3, program.run(name))
    found.add(name, "first contact (s)", run.times_of("impact")[0], 0.50570, "E")
    status = run.column("touch.status")
    found.add(name, "share of time in slip", status.count(1.0) / len(status), None, "–", 3)
    found.add(name, "share of time in stick", status.count(2.0) / len(status), None, "–", 3)


def woodpecker_cycle(run, cycles=10):
    """Frequency and drop of the last cycles; the beak strikes once in each."""
    strikes = run.times_of("impact", "contact_1")[-cycles - 1:]
    drop = run.at("sleeve.position.y", strikes[0]) - run.at("sleeve.position.y", strikes[-1])
    return cycles / (strikes[-1] - strikes[0]), 1000 * drop / cycles


def woodpecker_runs(program):
    rough = [f"/model/contacts/{k}/friction=0.35" for k in range(5)]
    return {"fixed": program.run("woodpecker_fixed", [record(1)]),
            "free": program.run("woodpecker_free", [record(1)]),
            "rough": program.run("woodpecker_free", [record(1)] + rough)}


WOODPECKERS = {"fixed": ("woodpecker_fixed", 7.66, 14.3), "free": ("woodpecker_free", 7.96, 7.6),
               "rough": ("woodpecker_free, μ = 0.35", 8.3, 5.3)}


def woodpecker_findings(program, found):
    for key, run in woodpecker_runs(program).items():
        name, frequency, drop = WOODPECKERS[key]
        found.run(name, 1e-4, run)
        measured = woodpecker_cycle(run)
        found.add(name, "frequency (Hz)", measured[0], frequency, "P", 4)
        found.add(name, "drop a cycle (mm)", measured[1], drop, "P", 4)
        if key != "fixed":
            found.add(name, "steps with contact 3 closed", float(
                sum(s > 0 for s in run.column("contact_3.status"))), 0, "P")


def examples(program):
    found = Findings()
    for part in (ball_findings, incline_findings, box_findings, rod_findings, belt_findings,
                 chain_findings, pendulum_findings, woodpecker_findings):
        part(program, found)
    rows = []
    previous = ""
    for row in found.rows:
        rows.append(["" if row[0] == previous else f"`{row[0]}`"] + row[1:])
        previous = row[0]
    quantities = table(["example", "quantity", "measured", "reference", "kind", "difference"], rows)
    rows = []
    for name, h, run in found.runs:
        summary = run.summary
        mean, largest = iterations(summary)
        rows.append([f"`{name}`", number(h, 1), str(summary["steps"]),
                     number(summary["max_penetration"], 2),
                     number(summary["max_position_violation"], 2),
                     number(summary["max_velocity_violation"], 2),
                     number(summary["energy"]["closure_error"], 2),
                     number(summary["energy"]["numerical_loss"], 2), mean, largest,
                     str(summary["inaccurate_steps"])])
    invariants = table(["example", "h (s)", "steps", "largest penetration (m)",
                        "joints, position (m)", "joints, velocity (m/s)", "energy closure error",
                        "numerical loss (J)", "iterations, mean (s / p / v)",
                        "largest (s / p / v)", "inaccurate steps"], rows)
    version = found.runs[0][2].summary["version"]
    return {"version": f"The numbers below are of version {version}.", "examples": quantities,
            "invariants": invariants}


# ---- section 2: schemes --------------------------------------------------------------------------

SCHEMES = {
    "decoupled": lambda h: [step(h)],
    "coupled": lambda h: [step(h), "/simulation/integrator/coupling=coupled"],
    "neglect_force_difference":
        lambda h: [step(h), "/simulation/integrator/neglect_force_difference=true"],
    "Moreau–Jean":
        lambda h: ['/simulation/integrator={"type":"moreau_jean","step":%r}' % h],
}
SCHEME_STYLES = {"decoupled": (COLOURS[0], None, 2.6), "coupled": (COLOURS[1], "7 4", 1.6),
                 "neglect_force_difference": (COLOURS[2], "2 4", 1.8),
                 "Moreau–Jean": (COLOURS[3], None, 1.6)}


def scheme_curve(scheme, x, y, marker=False):
    colour, dash, width = SCHEME_STYLES[scheme]
    return Curve(x, y, scheme, colour, dash=dash, width=width, marker=marker)


def energy_error(run, exact):
    """Mean of |E − E_exact| over the run, over the largest change of E_exact."""
    times, energy = run.energy()
    expected = [exact(t) for t in times]
    scale = max(expected) - min(expected)
    return sum(abs(a - b) for a, b in zip(energy, expected)) / len(times) / scale


def compare(program, example, names, exact, exact_energy, steps, sets):
    """Rows of the table, errors by scheme as (h, error), and all runs."""
    rows, errors, energies, runs = [], {}, {}, {}
    for h in steps:
        for scheme, options in SCHEMES.items():
            run = program.run(example, options(h) + sets + [record(1)], timeout=120)
            summary = run.summary
            runs[scheme, h] = run
            mean, largest = iterations(summary)
            row = [number(h, 2) if scheme == "decoupled" else "", scheme,
                   f"{linear_solves(summary):.2f}", mean, largest]
            if summary["status"] == "completed":
                error = relative_error(run, names, exact)
                lost = energy_error(run, exact_energy)
                errors.setdefault(scheme, []).append((h, error))
                energies.setdefault(scheme, []).append((h, lost))
                row += [number(error, 3), number(lost, 2)]
            else:
                row += [f"failed at t = {number(summary['end_time'], 3)} s", "–"]
            rows.append(row + [number(summary["energy"]["impact_loss"], 3),
                               number(summary["energy"]["numerical_loss"], 2),
                               number(summary["max_penetration"], 2)])
    return rows, errors, energies, runs


def schemes(program):
    header = ["h (s)", "scheme", "solves a step, mean", "mean (s / p / v)", "largest (s / p / v)",
              "error", "energy error", "impact loss (J)", "numerical loss (J)",
              "largest penetration (m)"]
    steps = [1e-2, 3e-3, 1e-3, 3e-4, 1e-4]
    blocks, error_panels, energy_panels, energy_errors, gaps = {}, [], [], [], []

    fine = program.run("rigid_box_impact", [step(5e-6), record(10)])
    chain = program.run("sliding_masses", [step(2e-5), end(0.6), record(5)])
    cases = [
        ("ball", "bouncing_ball", ["ball.position.z"], [Ball.position], Ball.energy, steps,
         [end(3.0)], "Bouncing ball"),
        ("box", "rigid_box_impact", ["box.position.z"], from_run(fine, ["box.position.z"]),
         None, steps, [], "Tumbling box"),
        ("chain", "sliding_masses", ["m1.position.x", "m21.position.x"],
         from_run(chain, ["m1.position.x", "m21.position.x"]), None, [4e-3, 2e-3, 1e-3, 5e-4],
         [end(0.6)], "Sliding masses"),
    ]
    references = {"box": fine, "chain": chain}
    for key, example, names, exact, exact_energy, hs, sets, title in cases:
        if exact_energy is None:
            times, energy = references[key].energy()
            exact_energy = (lambda t, times=times, energy=energy: interpolate(times, energy, t))
        rows, errors, energies, runs = compare(program, example, names, exact, exact_energy, hs,
                                               sets)
        blocks[f"schemes_{key}"] = table(header, rows)
        error_panels.append(Panel(title, "step h (s)", "relative error of the position", [
            scheme_curve(s, *zip(*e), True) for s, e in errors.items()
        ] + [slope_one(hs[-1], hs[0], errors["decoupled"][0][1] * 1.6)], True, True))
        energy_errors.append(Panel(title, "step h (s)", "relative error of the energy", [
            scheme_curve(s, *zip(*e), True) for s, e in energies.items()
        ] + [slope_one(hs[-1], hs[0], energies["decoupled"][0][1] * 1.6)], True, True))
        if key == "chain":
            continue
        h = 1e-2 if key == "ball" else 3e-3
        shown = f"{title}, h = {number(h, 1)} s"
        times, reference = (references[key].energy() if key in references else (
            [k * 1e-3 for k in range(3001)], [Ball.energy(k * 1e-3) for k in range(3001)]))
        curves = [Curve(times, reference, "reference", "#999999", width=5)]
        curves += [scheme_curve(s, *runs[s, h].energy()) for s in SCHEMES]
        energy_panels.append(Panel(shown, "time (s)", "energy (J)", curves))
        gaps.append(Panel(shown, "time (s)", "penetration (mm)", [
            scheme_curve(s, *penetration(runs[s, h])) for s in SCHEMES]))
    figure("schemes_error", error_panels, columns=3, width=320)
    figure("schemes_energy_error", energy_errors, columns=3, width=320)
    figure("schemes_energy", energy_panels)
    figure("schemes_penetration", gaps)
    return blocks


def penetration(run):
    """Times and the deepest overlap of all contact points in mm."""
    with open(run.folder / "timeseries.csv") as file:
        header = file.readline().rstrip("\n").split(",")
    names = [name for name in header if name.endswith(".gap")]
    times, *gaps = run.columns("time", *names)
    return times, [max(0.0, -1000 * min(values)) for values in zip(*gaps)]


# ---- section 3: order ----------------------------------------------------------------------------

def geometric(first, last, count):
    return [first * (last / first) ** (k / (count - 1)) for k in range(count)]


ORDERS = [  # example, columns, window, steps, exact solution, step of the reference run
    ("bouncing_ball", ["ball.position.z"], 3.0, geometric(1e-2, 1e-4, 13), [Ball.position], None),
    ("incline_point_mass", ["mass.position.x"], 1.0, geometric(1e-2, 1e-4, 13),
     [incline_position], None),
    ("rigid_box_impact", ["box.position.z"], 0.69, geometric(3e-3, 1e-4, 11), None, 5e-6),
    ("rocking_rod_1", ["rod.position.x", "rod.position.y"], 0.6, geometric(4e-3, 1e-4, 11), None,
     5e-6),
    ("rocking_rod_2", ["rod.position.x", "rod.position.y"], 0.6, geometric(4e-3, 1e-4, 11), None,
     5e-6),
    ("rocking_rod_3", ["rod.position.x", "rod.position.y"], 0.6, geometric(4e-3, 1e-4, 11), None,
     5e-6),
    ("rocking_rod_4", ["rod.position.x", "rod.position.y"], 0.6, geometric(4e-3, 1e-4, 11), None,
     5e-6),
    ("block_on_belt", ["block.position.x", "block.position.z"], 3.0, geometric(1e-2, 2e-4, 11),
     None, 1e-5),
    ("sliding_masses", ["m1.position.x", "m21.position.x"], 0.6, geometric(4e-3, 2.5e-4, 9), None,
     2e-5),
    ("pendulum_on_flexible_supports", ["bob.position.z", "plate.rotation.x"], 1.0,
     geometric(4e-3, 1e-4, 11), None, 5e-6),
    ("woodpecker_fixed", ["sleeve.position.y"], 0.3, geometric(8e-4, 5e-5, 9), None, 4e-6),
    ("woodpecker_free", ["sleeve.position.y"], 0.3, geometric(8e-4, 5e-5, 9), None, 4e-6),
]


def order(program):
    rows, curves = [], []
    for k, (example, names, window, hs, exact, fine) in enumerate(ORDERS):
        if exact is None:
            reference = program.run(example, [step(fine), end(window), record(10)])
            functions = from_run(reference, names)
        else:
            functions = exact
        errors = []
        for h in hs:
            run = program.run(example, [step(h), end(window), record(1)])
            errors.append(relative_error(run, names, functions))
        slope = fitted_slope(hs, errors)
        half = len(hs) // 2
        rows.append([f"`{example}`", ", ".join(f"`{name}`" for name in names), number(window, 3),
                     f"{number(hs[0], 2)} … {number(hs[-1], 2)}",
                     "exact" if fine is None else f"h = {number(fine, 1)}",
                     number(errors[0], 2), number(errors[half], 2), number(errors[-1], 2),
                     f"{slope:.2f}"])
        curves.append(Curve(hs, errors, f"{example} ({slope:.2f})", COLOURS[k % len(COLOURS)],
                            marker=True))
    groups = [(0, 1, 2, 7), (3, 4, 5, 6), (8, 9, 10, 11)]
    titles = ["One body", "Rocking rods", "Chain, plate, woodpecker"]
    panels = []
    for title, group in zip(titles, groups):
        chosen = [curves[i] for i in group]
        low, high = min(c.x[-1] for c in chosen), max(c.x[0] for c in chosen)
        top = max(max(c.y) for c in chosen)
        panels.append(Panel(title, "step h (s)", "relative error",
                            chosen + [slope_one(low, high, 1.5 * top)], True, True))
    figure("order", panels, columns=3, width=330, height=320)
    return {"order": table(["example", "columns", "window (s)", "steps h (s)", "reference",
                            "error, largest h", "middle h", "smallest h", "observed order"], rows)}


# ---- section 4: contact solvers ------------------------------------------------------------------

METHODS = ["newton", "proximal_newton", "gauss_seidel", "admm", "automatic"]


def sloped_box(degrees, speed=0.0):
    """The box of box_on_incline on a plane of another angle, sliding along x."""
    angle = math.radians(degrees)
    turn = f"[0,{angle!r},0]"
    pose = (f'{{"position":[{0.1 * math.sin(angle)!r},0,{0.1 * math.cos(angle)!r}],'
            f'"rotation_vector":{turn}}}')
    return [f"/model/bodies/0/pose={pose}", f"/model/colliders/1/frame/rotation_vector={turn}",
            f'/model/bodies/0/velocity={{"linear":[{speed!r},0,0]}}']


def random_velocities(seed=1):
    generator = random.Random(seed)
    values = [[generator.uniform(-0.05, 0.05) for _ in range(6)] for _ in range(10)]
    return [f"/model/bodies/{k}/velocity=" + json.dumps({"linear": v[:3], "angular": v[3:]})
            for k, v in enumerate(values)]


GRADED = [f"/model/bodies/{k}/inertia/mass={1000.0 ** (k / 9)!r}" for k in range(10)]

SOLVER_CASES = [  # title, example, changes
    ("box, flat", "box_on_incline", sloped_box(0)),
    ("box, 20°", "box_on_incline", []),
    ("box, 35°", "box_sliding", []),
    ("box, sliding", "box_on_incline", sloped_box(0, 1.0)),
    ("stack", "box_stack", []),
    ("stack, moved", "box_stack", random_velocities()),
    ("1 … 1000 kg", "box_stack", GRADED),
    ("1 … 1000 kg, moved", "box_stack", GRADED + random_velocities()),
    ("1000 kg on top", "box_stack_heavy", []),
    ("1000 kg on top, moved", "box_stack_heavy", random_velocities()),
]

PROTOTYPE = {  # the same cases, as measured with the prototype
    "newton": ("published KKT matrix",
               ["300/300"] * 4 + ["300/300", "blow-up", "300/300", "blow-up"]),
    "proximal_newton": ("proximal Newton", ["0, 0.02–0.06 ms"] * 4
                        + ["0, 0.38 ms", "1, 0.95 ms", "0, 0.43 ms", "1, 1.6 ms"]),
    "gauss_seidel": ("Gauss–Seidel, 20 000 sweeps", ["0, 0.005–0.06 ms"] * 4
                     + ["0, 2.0 ms", "16, 16 ms", "263, 121 ms", "not finished"]),
    "admm": ("ADMM", ["0, 0.02 ms"] * 4 + ["0, 0.16 ms", "4, 0.86 ms", "0, 0.25 ms", "2, 1.6 ms"]),
    "automatic": ("Gauss–Seidel, then proximal Newton", ["0, 0.005–0.06 ms"] * 4
                  + ["0, 0.42 ms", "3, 1.9 ms", "0, 0.39 ms", "2, 3.1 ms"]),
}


def solvers(program, timeout=60):
    cells, depths = [], []
    for method in METHODS:
        row, depth = [], []
        for _, example, changes in SOLVER_CASES:
            sets = [step(1e-3), end(0.3), record(300), "/simulation/on_failure=accept",
                    "/simulation/solver/acceptable=1e-8", f"/simulation/solver/method={method}"]
            times = []
            for _ in range(3):  # the machine may be busy: the quickest of three short runs
                run = program.run(example, sets + changes, timeout)
                times.append(1000 * run.summary["wall_seconds"] / max(1, run.summary["steps"]))
                if not run.finished or run.summary["wall_seconds"] > 2:
                    break
            failures, done = run.summary["inaccurate_steps"], run.summary["steps"]
            of = "" if done == 300 and failures == 0 else f"/{done}"
            row.append(f"{failures}{of}, {number(min(times), 2)} ms")
            depth.append(number(run.summary["max_penetration"], 2))
        cells.append([f"`{method}`"] + row)
        cells.append([f"prototype: {PROTOTYPE[method][0]}"] + PROTOTYPE[method][1] + ["–", "–"])
        depths.append([f"`{method}`"] + depth)
    header = [""] + [title for title, _, _ in SOLVER_CASES]
    return {"solvers": table(header, cells), "solvers_penetration": table(header, depths)}


# ---- section 5: the woodpecker -------------------------------------------------------------------

def woodpecker(program):
    runs = woodpecker_runs(program)
    run = runs["rough"]
    motion = {}
    for key, colour in (("fixed", COLOURS[3]), ("free", COLOURS[1]), ("rough", COLOURS[0])):
        times, y, bird, sleeve = runs[key].columns("time", "sleeve.position.y", "bird.rotation.z",
                                                   "sleeve.rotation.z")
        motion[key] = (times, [1000 * v for v in y], bird, sleeve, colour)
    names = {"fixed": "sleeve guided, μ = 0.3", "free": "sleeve free, μ = 0.3",
             "rough": "sleeve free, μ = 0.35"}
    end_time = run.last("time")
    start = run.at("sleeve.position.y", 1.0) * 1000
    experiment = Curve([1.0, end_time], [start, start - 9.2 * 5.3 * (end_time - 1)],
                       "experiment: mean descent, 9.2 Hz × 5.3 mm", "#222222", dash="6 4")
    height = Panel("Height of the sleeve", "time (s)", "height (mm)",
                   [Curve(m[0], m[1], names[k], m[4]) for k, m in motion.items()] + [experiment])
    times, _, bird, sleeve, _ = motion["rough"]
    angle = Panel("Rotation, μ = 0.35", "time (s)", "angle (rad)", [
        Curve(times, bird, "bird, μ = 0.35", COLOURS[4]),
        Curve(times, sleeve, "sleeve, μ = 0.35", COLOURS[5])],
        x_limits=(end_time - 0.5, end_time))
    figure("woodpecker_motion", [height, angle])

    measured = {key: woodpecker_cycle(run) for key, run in runs.items()}
    printed = {key: WOODPECKERS[key][1:] for key in WOODPECKERS}
    panel = Panel("Limit cycle", "frequency (Hz)", "drop a cycle (mm)", [
        Curve([printed[k][0] for k in printed], [printed[k][1] for k in printed], "author",
              COLOURS[1], line=False, marker=True),
        Curve([measured[k][0] for k in measured], [measured[k][1] for k in measured], "Saltus",
              COLOURS[0], line=False, marker=True),
        Curve([9.2], [5.3], "experiment", "#222222", line=False, marker=True)],
        x_limits=(7.4, 9.6), y_limits=(4, 16),
        texts=[(measured["fixed"][0], measured["fixed"][1], "guided, μ = 0.3"),
               (measured["free"][0], measured["free"][1], "free, μ = 0.3"),
               (measured["rough"][0], measured["rough"][1], "free, μ = 0.35"),
               (9.2, 5.3, "")])
    speeds = Panel("Mean speed of descent", "frequency (Hz)", "speed of descent (mm/s)", [
        Curve([printed[k][0] for k in printed], [math.prod(printed[k]) for k in printed], "author",
              COLOURS[1], line=False, marker=True),
        Curve([measured[k][0] for k in measured], [math.prod(measured[k]) for k in measured],
              "Saltus", COLOURS[0], line=False, marker=True),
        Curve([9.2], [9.2 * 5.3], "experiment", "#222222", line=False, marker=True)],
        x_limits=(7.4, 9.6), y_limits=(30, 120))
    figure("woodpecker_cycle", [panel, speeds])
    rows = []
    for key, (frequency, drop) in measured.items():
        author = printed[key]
        rows.append([names[key], number(frequency, 4), number(author[0], 3),
                     "9.2" if key == "rough" else "–", number(drop, 4), number(author[1], 3),
                     "5.3" if key == "rough" else "–"])
    return {"woodpecker": table(["", "frequency (Hz)", "author", "experiment",
                                 "drop a cycle (mm)", "author", "experiment"], rows)}


# ---- spheres, forces, clearance and bearings ---------------------------------------------------

SPHERES = ["sphere_sliding", "sphere_rolling", "sphere_spinning", "sphere_roll_slide_1",
           "sphere_roll_slide_2", "sphere_roll_slide_3", "sphere_in_bowl", "sphere_wall",
           "driven_spheres", "cue_ball_collision", "throw_angle", "roller_crank_rigid",
           "roller_crank_flexible"]
IMPACTS = ["three_balls_frictionless", "three_balls_frictional", "newtons_cradle",
           "bernoulli_balls", "billiard_break", "billiard_break_rolling", "three_spheres_plane",
           "three_spheres_plane_frictional"]
FORCES = ["bouncing_ball_force", "two_sphere_impact", "crank_block_impact",
          "clearance_slider_crank_ideal", "clearance_slider_crank_005",
          "clearance_slider_crank_010", "pin_in_bore", "ball_bearing"]


def verified(program, names):
    """The checks of `saltus verify`, one a row."""
    done = subprocess.run([str(program.path), "verify", *names], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(done.stderr)
    rows, last = [], None
    for line in done.stdout.splitlines():
        cells = re.match(r"(\w+)  +(.+?)  +(\S+) +(\S+) +\S+ +(\S+)  (\S.*)$", line)
        if not cells or cells[1] == "model":
            continue
        model, quantity, measured, reference, tolerance, verdict = cells.groups()
        gap = difference(float(measured), float(reference))
        rows.append([f"`{model}`" if model != last else "", quantity, number(float(measured), 6),
                     number(float(reference), 6), gap, number(float(tolerance), 2), verdict])
        last = model
    return table(["example", "quantity", "measured", "reference", "difference", "tolerance",
                  "verdict"], rows)


def largest(loads):
    return max(load["peak"] for load in loads)


def without_a_verdict(program):
    """Where the author prints a number that does not follow from what he prints of the model."""
    rows = []
    for name, printed in (("005", "near 0"), ("010", "≈ 700")):
        run = program.run(f"clearance_slider_crank_{name}")
        turn = [row for row in csv.DictReader(open(run.folder / "contact_forces.csv"))
                if float(row["time"]) > 0.012]
        impacts = [row for row in turn if row["kind"] == "impact"]
        strongest = max((float(row["peak_force"]) for row in impacts), default=0)
        lasting = max(float(row["continuous_force"]) for row in turn)
        overlapping = sum(row["overlaps"] == "1" for row in impacts)
        rows += [[f"`clearance_slider_crank_{name}`", "strongest impact, second turn (N)",
                  number(strongest), printed],
                 ["", "impacts, of these overlapping", f"{len(impacts)}, {overlapping}", "–"],
                 ["", "largest continuous force (N)", number(lasting), "–"]]
    bearing = program.run("ball_bearing").summary["ball_bearings"]["bearing"]
    stress = bearing["inner_stress"]
    rows += [["`ball_bearing`", "largest force of a ball (N)", number(largest(
                bearing["inner_loads"]), 6), "100"],
             ["", "pressure, shear, octahedral shear there (MPa)", ", ".join(
                 number(stress[key] / 1e6) for key in
                 ("peak_pressure", "shear_stress", "octahedral_stress")), "706, 211, 190"]]
    for name, printed in (("rigid", "≈ 9100"), ("flexible", "≈ 2500")):
        summary = program.run(f"bearing_slider_crank_{name}").summary
        bearing = summary["ball_bearings"]["bearing"]
        outer = summary["contacts"]["bearing.outer"]
        rows += [[f"`bearing_slider_crank_{name}`", "largest force of lasting contact (N)",
                  number(largest(bearing["outer_loads"])), printed],
                 ["", "strongest impact on the outer race (N)",
                  number(outer["peak_impact_force"]), "–"],
                 ["", "counted from (s)", number(bearing["counted_from"]), "–"]]
    return table(["example", "quantity", "measured", "printed"], rows)


def spheres(program):
    return {"verify_spheres": verified(program, SPHERES)}


def impacts(program):
    return {"verify_impacts": verified(program, IMPACTS)}


def forces(program):
    return {"verify_forces": verified(program, FORCES)}


def bearings(program):
    return {"without_a_verdict": without_a_verdict(program)}


# ---- flexible bodies -----------------------------------------------------------------------------

def flexible(program):
    """They have a page of their own."""
    import validate_flexible  # it imports this module
    validate_flexible.renew(program.path)
    return {}


# ---- the page ------------------------------------------------------------------------------------

EVENTS = ["planar_block", "planar_block_friction", "planar_ball_corner", "planar_ball_corner_thesis",
          "sphere_corner", "block_four_point", "block_edge_impacts", "block_surface_4",
          "block_surface_8", "block_surface_16", "block_surface_25", "block_surface_force",
          "block_surface_force_8", "block_surface_force_16", "block_surface_force_25",
          "rocking_specimen_1", "rocking_specimen_1_3d", "rocking_specimen_2",
          "rocking_specimen_2_3d", "rocking_specimen_4", "rocking_specimen_4_3d"]

# Seconds of CPU that the thesis reports, on its machine.
REPORTED = {"planar_block": 0.28, "planar_block_friction": 0.26, "planar_ball_corner_thesis": 0.54,
            "rocking_specimen_1": 59.06, "rocking_specimen_2": 79.33, "rocking_specimen_4": 56.37,
            "rocking_specimen_1_3d": 186.89, "rocking_specimen_2_3d": 136.98,
            "rocking_specimen_4_3d": 74.20, "block_surface_4": 21.52, "block_surface_8": 18.66,
            "block_surface_16": 27.98, "block_surface_25": 35.67}


def events(program):
    rows = []
    for name, reported in REPORTED.items():
        seconds = min(program.run(name).summary["wall_seconds"] for _ in range(3))
        rows.append([f"`{name}`", number(seconds, 2), number(reported), number(reported / seconds, 2)])
    return {"verify_events": verified(program, EVENTS),
            "event_times": table(["example", "seconds", "reported", "ratio"], rows)}


SECTIONS = {"examples": examples, "schemes": schemes, "order": order, "solvers": solvers,
            "woodpecker": woodpecker, "spheres": spheres, "impacts": impacts,
            "forces": forces, "bearings": bearings, "events": events, "flexible": flexible}


def insert(blocks, page=PAGE):
    """Puts each block between its markers."""
    text = page.read_text()
    for name, block in blocks.items():
        pattern = re.compile(rf"(<!-- begin {name} -->\n).*?(<!-- end {name} -->)", re.DOTALL)
        if not pattern.search(text):
            sys.exit(f"{page.relative_to(ROOT)} has no marker \"{name}\"")
        text = pattern.sub(lambda m, block=block: f"{m[1]}{block}\n{m[2]}", text)
    page.write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--saltus", type=pathlib.Path, default=ROOT / "build/release/saltus",
                        help="the program to run")
    parser.add_argument("--only", nargs="+", choices=SECTIONS, default=list(SECTIONS),
                        help="the sections to renew")
    arguments = parser.parse_args()
    for name in arguments.only:
        with tempfile.TemporaryDirectory() as scratch:
            print(f"{name} ...", flush=True)
            insert(SECTIONS[name](Program(arguments.saltus.resolve(), scratch)))


if __name__ == "__main__":
    main()
