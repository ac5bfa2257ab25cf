#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the examples with flexible bodies and writes what docs/validation_flexible.md says of them.

    tools/validate_flexible.py [--saltus build/release/saltus] [--only SECTION ...]

The tables between the markers of the page are replaced, the figures docs/figures/flexible_*.svg
are written anew; the text around the tables is written by hand. Needs nothing but Python.
"""
import argparse
import csv
import json
import math
import pathlib

from validate_comparison import COUPLED, STOP, Fall, flexible
from validate_plots import COLOURS, Curve, Panel, expected, figure, marks, slope_one
from validate_runs import (OUTSIDE, ROOT, WITHIN, Findings, end, fitted_slope, from_run, geometric,
                           iterations, linear_solves, number, relative_error, renew, step, table)

PAGE = ROOT / "docs" / "validation_flexible.md"

NEGLECT = ["/simulation/integrator/neglect_force_difference=true"]
BAR, PENDULUM, CUBE = "elastic_bar_impact", "flexible_pendulum", "flexible_cube"


def bodies(every=1):
    """Records centres of mass and contacts, not the nodes."""
    return flexible("bodies", every)


def nodes(every=1):
    return flexible("nodes", every)


def steps_of(run, name, h):
    """Contact forces: times and impulses over the step."""
    times, impulses = run.columns("time", name)
    return times, [p / h for p in impulses]


# ---- the bar, exactly ----------------------------------------------------------------------------

class Wave:
    """The bar as a one-dimensional continuum."""
    c, v, length, force = 30.0, 10.0, 10.0, 300.0
    closes = 5.005 / v
    opens = closes + 2 * length / c

    @classmethod
    def gap(cls, t):
        """Of the tip."""
        return max(cls.closes - t, 0, t - cls.opens) * cls.v


# ---- the cube ------------------------------------------------------------------------------------

def lowest_node(run):
    """Times and the smallest gap of the bottom's nodes."""
    names = [f"bounce.floor.bottom.{k}.gap" for k in range(36)]
    times, *gaps = run.columns("time", *names)
    return times, [min(values) for values in zip(*gaps)]


# ---- section 1: examples -------------------------------------------------------------------------

def front(h, element=0.05):
    """How long the end of the contact lasts: the mesh spreads the wave, and a step is a step."""
    way = Wave.c * element ** 2 * (Wave.opens - Wave.closes) / 8
    return way ** (1 / 3) / Wave.c + h


def bar_findings(program, found):
    runs = {h: found.run(BAR, h, program.run(BAR, [step(h), nodes()])) for h in (1e-2, 1e-3)}
    for h, scheme in ((1e-3, "the same, this scheme"), (1e-2, "the same, h 0.01")):
        run, at = runs[h], f", h = {number(h, 1)}"
        times, impulses = run.columns("time", "impact.impulse.n")
        touching = [t for t, p in zip(times, impulses) if p > 0]
        plateau = [p / h for t, p in zip(times, impulses) if 0.55 < t < 1.0501]
        after = run.last("bar.velocity.x")
        found.add(BAR, f"contact closes (s){at}", touching[0], Wave.closes, "E", 5, h)
        found.add(BAR, f"contact opens (s){at}", touching[-1], Wave.opens, "E, note 1", 5, front(h))
        found.add(BAR, f"mean force from 0.55 to 1.05 s (N){at}", sum(plateau) / len(plateau),
                  Wave.force, "E", 6, Wave.force * h / 0.5)
        found.add(BAR, f"impulse (N s){at}", sum(impulses), program.known(BAR, "impulse"),
                  "E, note 1", 5, Wave.force * front(h))
        found.add(BAR, f"velocity after (m/s){at}", after, -Wave.v, "E, note 1", 5,
                  Wave.force / 10 * front(h))
        found.check(program, f"velocity after (m/s){at}", after, (BAR, scheme), "D, same scheme", 5)
    fine = program.run(BAR, [step(5e-4), bodies(), "/model/bodies/0/elements=400",
                             "/model/colliders/0/frame/node=400"])
    found.add(BAR, "velocity after (m/s), h = 0.0005, 400 elements", fine.last("bar.velocity.x"),
              -Wave.v, "E, note 1", 5, Wave.force / 10 * front(5e-4, 0.025))
    for h, other in ((1e-3, -9.941), (1e-2, -9.496)):
        found.add(BAR, f"velocity after (m/s), h = {number(h, 1)}", runs[h].last("bar.velocity.x"),
                  other, "D, note 2", 5, 5e-4)
    found.add(BAR, "largest x of the node 0.45 m behind the tip (m), h = 0.001",
              max(runs[1e-3].column("bar.node191.position.x")), 4.705, "E", 5,
              Wave.v * front(1e-3))
    bar_figure(runs)


def bar_figure(runs):
    exact_force = Curve([0.45, Wave.closes, Wave.closes, Wave.opens, Wave.opens, 1.25],
                        [0, 0, 300, 300, 0, 0], "exact", "#999999", width=4)
    exact_gap = Curve([0, Wave.closes, Wave.opens, 1.5],
                      [Wave.gap(t) for t in (0, Wave.closes, Wave.opens, 1.5)], "exact", "#999999",
                      width=4)
    forces, gaps = [exact_force], [exact_gap]
    for h, colour in ((1e-2, COLOURS[1]), (1e-3, COLOURS[0])):
        label = f"h = {number(h, 1)} s"
        forces.append(Curve(*steps_of(runs[h], "impact.impulse.n", h), label, colour, width=1.3))
        gaps.append(Curve(*runs[h].columns("time", "impact.gap"), label, colour, width=1.3))
    figure("flexible_bar", [
        Panel("Contact force", "time (s)", "force (N)", forces, x_limits=(0.45, 1.25),
              y_limits=(-20, 500)),
        Panel("Gap of the tip", "time (s)", "gap (m)", gaps)])


def pendulum_findings(program, found):
    run = found.run(PENDULUM, 1e-4, program.run(PENDULUM, [nodes()]))
    fine = program.run(PENDULUM, [step(1e-5), nodes(10)])
    large = program.run(PENDULUM, [step(1e-3), nodes()])
    strikes = program.known(PENDULUM, "time of impact 1")
    for h, r in ((1e-4, run), (1e-5, fine)):
        at = f", h = {number(h, 1)}"
        hit = r.times_of("impact")[0]
        found.add(PENDULUM, f"first contact (s){at}", hit, strikes, "D, h = 1e−5", 6,
                  # Other elements: 0.2 mm of the tip, at its speed. It is seen with small steps.
                  program.reference(PENDULUM, "time of impact 1")["tolerance"] if h == 1e-4
                  else h + 2e-4 / 4.56)
        found.add(PENDULUM, f"first contact (s){at}", hit,
                  program.known(PENDULUM, "time of impact, rigid rod"), "E, rigid rod", 6)
        for axis in "xy":
            found.check(program, f"tip's {axis} at 0.3 s (m){at}",
                        r.at(f"rod.node8.position.{axis}", 0.3),
                        (PENDULUM, f"tip's {axis} at 0.3 s"), "D, note 3", 5)
    for axis, known in (("x", 0.7944682), ("y", -0.6073063)):
        found.add(PENDULUM, f"tip's {axis} at 0.3 s (m), h = 0.001",
                  large.at(f"rod.node8.position.{axis}", 0.3), known, "D, same element", 7, 1e-7)
    found.add(PENDULUM, "impulse until 0.35 s (N s), h = 0.0001",
              sum(run.column("impact.impulse.n")), 2.917, "D, note 2", 4)
    styles = ((1e-3, large, COLOURS[1], 1.4), (1e-4, run, COLOURS[0], 1.4),
              (1e-5, fine, COLOURS[2], 1.4))
    heights = [Curve(*r.columns("time", "rod.node8.position.y"), f"h = {number(h, 1)} s", colour,
                     width=width) for h, r, colour, width in styles]
    gaps = [Curve(r.column("time"), [1000 * g for g in r.column("impact.gap")],
                  f"h = {number(h, 1)} s", colour, width=width) for h, r, colour, width in styles]
    strike = marks(x=[strikes])
    figure("flexible_pendulum", [
        Panel("Height of the tip", "time (s)", "y (m)",
              heights + strike + [expected([0.3], [program.known(PENDULUM, "tip's y at 0.3 s")])]),
        Panel("Height of the tip, impact", "time (s)", "y (m)", heights + strike,
              x_limits=(0.325, 0.35), y_limits=(-0.715, -0.685)),
        Panel("Gap of the tip, impact", "time (s)", "gap (mm)", gaps + strike,
              x_limits=(0.325, 0.35), y_limits=(-1, 8))], columns=3, width=320)


def cube_findings(program, found):
    h = 3e-4
    run = found.run(CUBE, h, program.run(CUBE, [step(h), bodies()]))
    impact = run.events("impact")[0]
    opened = max(run.times_of("opens"))
    found.add(CUBE, "impact (s)", float(impact["time"]), Fall.closes, "E", 6, h)
    found.add(CUBE, "its speed (m/s)", -float(impact["before_n"]), Fall.speed, "E, note 4", 6,
              Fall.g * h)
    opens = program.known(CUBE, "contact opens, from the start")
    found.add(CUBE, "last node leaves the floor (s)", opened, opens, "D", 4, 5e-4 + h)
    found.check(program, "lowest centre of mass (m)", min(run.column("cube.position.z")),
                (CUBE, "lowest centre"), "D", 4)
    speed = 60 * h + 5e-3  # of first order in h, and the last digit
    found.add(CUBE, "rebound, largest velocity of the centre of mass (m/s)",
              max(run.column("cube.velocity.z")), 1.953, "D, note 4", 4, speed)
    found.add(CUBE, "centre of mass at 0.3 s (m)", run.last("cube.position.z"), 0.09239,
              "D, note 4", 4, 0.023 * speed)
    times, centre = run.columns("time", "cube.position.z")
    curves = [Curve(times, centre, "centre of mass", COLOURS[0]),
              Curve(*lowest_node(run), "lowest node", COLOURS[1])]
    figure("flexible_cube", [
        Panel("Fall and bounce, h = 0.0003 s", "time (s)", "height (m)",
              curves + marks(x=[Fall.closes])),
        Panel("Impact", "time (s)", "height (m)",
              curves + marks(x=[Fall.closes, opens], y=[program.known(CUBE, "lowest centre")]),
              x_limits=(0.24, 0.3), y_limits=(-0.005, 0.1))])


def span(row):
    """The interval that a row of the table gives."""
    return row["value"] - row["tolerance"], row["value"] + row["tolerance"]


def oblique_findings(program, found):
    name, h = "oblique_beam_impact", 1e-4
    run = found.run(name, h, program.run(name, [bodies()]))
    times, lower, upper, impulses = run.columns("time", "lower.gap", "upper.gap",
                                                "lower.impulse.n")
    touched = [t for t, p in zip(times, impulses) if p > 0 and t < 0.3]
    first, opening, last, later = (program.known(name, row) for row in (
        "first impact", "first opening", "last contact", "second impact"))
    found.check(program, "first impact, lower tip (s)", run.times_of("impact", "lower")[0],
                (name, "first impact"), "E", 4)
    found.check(program, "first opening (s)", run.times_of("opens", "lower")[0],
                (name, "first opening"), "P", 4)
    second = run.times_of("impact", "upper")[0]
    found.add(name, "last contact of this phase (s)", touched[-1], last, "P, note 5", 4)
    found.bound(name, "last contact of this phase (s)", touched[-1], "D, note 5",
                *span(program.reference(name, "last contact")))
    found.add(name, "second impact, upper end (s)", second, later, "P, note 5", 4)
    found.bound(name, "second impact, upper end (s)", second, "D, note 5",
                *span(program.reference(name, "second impact, meshes")))
    gaps = [Curve(times, lower, "lower tip", COLOURS[0]),
            Curve(times, upper, "upper end", COLOURS[1])]
    small = [Curve(times, [1000 * g for g in lower], "lower tip", COLOURS[0])]
    figure("flexible_oblique", [
        Panel("Gaps", "time (s)", "gap (m)", gaps + marks(x=[later], label="printed")),
        Panel("Gap of the lower tip, first contacts", "time (s)", "gap (mm)",
              small + marks(x=[first, opening, last], label="printed"), x_limits=(0.045, 0.1),
              y_limits=(-0.2, 6))])


ROLLER_ROD = {
    "name": "rod", "type": "beam", "start": [0, 0, 0], "end": [0.3, 0, 0], "elements": 8,
    "section": {"type": "explicit", "area": 1.1323e-4, "inertia_y": 1.0685e-9,
                "inertia_z": 1.0685e-9},
    "material": {"young_modulus": 4.14e9, "poisson_ratio": 0.3, "density": 7850}}


def write_model(program, name, model, simulation):
    """Puts a model into the scratch folder; returns what Program.run takes."""
    path = pathlib.Path(program.scratch) / f"{name}.json"
    path.write_text(json.dumps({"saltus": 1, "model": model, "simulation": simulation}))
    return str(path.with_suffix(""))


def roller_rod(program, simulation, mass="consistent"):
    """The rod alone, hinged at both ends."""
    hinges = [{"name": name, "type": "revolute",
               "between": [{"body": "ground", "position": [x, 0, 0]}, {"body": "rod", "node": n}]}
              for name, x, n in (("left", 0, 0), ("right", 0.3, 8))]
    model = {"gravity": [0, -9.81, 0], "bodies": [ROLLER_ROD | {"mass": mass}], "joints": hinges}
    name = f"rod_{simulation['type']}_{mass}"
    return program.run(write_model(program, name, model, simulation))


def roller_findings(program, found):
    name = "roller_crank_flexible"
    run = found.run(name, 1e-3, program.run(name))
    E, I, A, density, length = 4.14e9, 1.0685e-9, 1.1323e-4, 7850, 0.3
    weight = roller_rod(program, {"type": "statics"})
    mass = sum(weight.last(f"{hinge}.force.y") for hinge in ("left", "right")) / 9.81
    found.check(program, "mass of the rod: force of its hinges / g (kg)", abs(mass),
                (name, "mass of the rod"), "E", 5)
    for kind, share in (("consistent", (math.pi / 8) ** 2 / 12), ("hermite", 0.003)):
        modes = roller_rod(program, {"type": "modes", "count": 1, "equilibrium": False}, kind)
        known = math.pi / (2 * length ** 2) * math.sqrt(E * I / (density * A))
        found.add(name, f"first frequency of the hinged rod, mass {kind} (Hz)",
                  modes.summary["modes"][0]["frequency"], known, "E, note 6", 4, share * known)
    found.add(name, "landings of the roller", float(run.summary["impacts"]),
              program.known(name, "landings of the roller"), "P, note 7", tolerance=0)
    for key in ("smooth", "position", "velocity"):
        found.bound(name, f"most iterations, {key}", float(run.summary["iterations"][key]["max"]),
                    "P", high=3)


def wedge_findings(program, found):
    name, h, angle = "sliding_wedge", 4e-3, math.pi / 12
    brake = 9.81 * (0.5 * math.cos(angle) - math.sin(angle))
    run = found.run(name, h, program.run(name, [step(h), bodies()]))
    times, x, v = run.columns("time", "wedge.position.x", "wedge.velocity.x")
    slow = next(t for t, value in zip(times, v) if value < 0.01)
    found.check(program, "way (m), h = 0.004", x[-1] - x[0], (name, "way until it stops"),
                "E, rigid body", 6)
    found.add(name, "slower than 0.01 m/s (s), h = 0.004", slow, 0.99 / brake, "E, rigid body", 4,
              h)
    found.add(name, "velocity at 0.6 s (m/s), h = 0.004", v[-1], 0, "E", 2, 1e-3)
    figure("flexible_wedge", [Panel("Wedge, h = 0.004 s", "time (s)", "velocity (m/s)", [
        Curve([0, 1 / brake, 0.6], [1, 0, 0], "rigid body", "#999999", width=4),
        Curve(times, v, "centre of mass", COLOURS[0])])])


def examples(program):
    found = Findings()
    for part in (bar_findings, pendulum_findings, cube_findings, oblique_findings,
                 roller_findings, wedge_findings):
        part(program, found)
    runs = []
    for name, h, run in found.runs:
        s = run.summary
        mean, largest = iterations(s)
        energy = s["energy"]
        runs.append([f"`{name}`", number(h, 1), str(s["steps"]), number(s["max_penetration"], 2),
                     number(s["max_position_violation"], 2), number(energy["closure_error"], 2),
                     number(energy["impact_loss"], 3), number(energy["numerical_loss"], 2), mean,
                     largest, str(s["inaccurate_steps"])])
    return {
        "examples": found.table(),
        "runs": table(["example", "h (s)", "steps", "largest penetration (m)", "joints (m)",
                       "ledger, relative", "impact loss (J)", "numerical loss (J)",
                       "mean iterations (s / p / v)", "largest", "steps tried again"], runs)}


# ---- section 2: decoupled and coupled ------------------------------------------------------------

SCHEMES = {"decoupled": [STOP], "decoupled, steps halved": [], "coupled": [STOP, COUPLED]}


def scheme_row(run, h, scheme, window, result, offset):
    s = run.summary
    mean, largest = iterations(s)
    done = s["status"] == "completed"
    outcome = result(run) if done else f"fails in the step from {s['end_time'] + offset:.4g} s on"
    milliseconds = 1000 * s["wall_seconds"] / max(1, s["steps"])
    return [number(h, 1) if scheme == "decoupled" else "", scheme, window, mean, largest,
            f"{linear_solves(s):.1f}", f"{float(f'{milliseconds:.2g}'):g}",
            str(s["inaccurate_steps"]) if done else "–", outcome]


def compare(program, example, h, sets, window, result, offset=0.0):
    """The rows of a step; `result` reads a number from a completed run. Halving is shown only
    where a step of the decoupled scheme fails."""
    rows, needs_halving = [], False
    for scheme, options in SCHEMES.items():
        if scheme == "decoupled, steps halved" and not needs_halving:
            continue
        run = program.run(example, [step(h)] + sets + options, timeout=150)
        needs_halving = run.summary["status"] != "completed"
        rows.append(scheme_row(run, h, scheme, window, result, offset))
    return rows


SCHEME_HEADER = ["h (s)", "scheme", "window (s)", "mean (s / p / v)", "largest (s / p / v)",
                 "solves a step", "ms a step", "tried again"]
NEAR = ["/model/colliders/1/frame/position=[0.005,0,0]"]


def bar_schemes(program):
    def velocity(run):
        return number(run.last("bar.velocity.x"), 4)

    cases = [(0.03, [bodies()], "0 … 1.5"), (0.01, [bodies()], "0 … 1.5"),
             (3e-3, [bodies(), end(0.9)], "0 … 0.9"),
             (1e-3, [bodies(), end(0.2)] + NEAR, "0.5 … 0.7"),
             (1e-4, [bodies(), end(0.05)] + NEAR, "0.5 … 0.55")]
    return table(SCHEME_HEADER + ["velocity of the centre of mass at the end (m/s)"],
                 [row for h, sets, window in cases
                  for row in compare(program, BAR, h, sets, window, velocity)])


def bar_neglect(program):
    rows = []
    for h in (0.03, 0.01):
        for title, options in (("with", []), ("neglected", NEGLECT)):
            run = program.run(BAR, [step(h), nodes()] + options)
            times, impulses = run.columns("time", "impact.impulse.n")
            touching = [t for t, p in zip(times, impulses) if p > 0]
            _, energy = run.energy()
            opened = "never" if touching[-1] > 1.5 - 1.5 * h else number(touching[-1], 4)
            depth = max(run.column("bar.node191.position.x")) - 5.005
            rows.append([number(h, 1), title, iterations(run.summary)[1], opened,
                         number(run.last("bar.velocity.x"), 4),
                         number(sum(impulses), 4), number(energy[-1] / energy[0], 3),
                         number(depth, 3), str(len(run.summary["warnings"]))])
    return table(["h (s)", "force differences", "largest iterations (s / p / v)",
                  "last contact (s)", "velocity at 1.5 s (m/s)", "impulse (N s)",
                  "energy, of the first", "node 0.45 m behind the tip, beyond the wall (m)",
                  "warnings"], rows)


def pendulum_schemes(program):
    def impulse(run):
        return number(sum(run.column("impact.impulse.n")), 4)

    rows = [row for h in (3e-3, 1e-3, 3e-4, 1e-4)
            for row in compare(program, PENDULUM, h, [bodies()], "0 … 0.35", impulse)]
    return table(SCHEME_HEADER + ["impulse until 0.35 s (N s)"], rows)


def cube_schemes(program):
    def result(run):
        return (f"{number(min(run.column('cube.position.z')), 4)}, "
                f"{number(max(run.column('cube.velocity.z')), 4)}")

    sets = Fall.late + [bodies(), end(0.06)]
    rows = [row for h in (3e-3, 1e-3, 3e-4)
            for row in compare(program, CUBE, h, sets, "0.24 … 0.3", result, Fall.start)]
    return table(SCHEME_HEADER + ["centre of mass: lowest (m), rebound (m/s)"], rows)


def schemes(program):
    return {"schemes_bar": bar_schemes(program), "neglect_bar": bar_neglect(program),
            "schemes_pendulum": pendulum_schemes(program), "schemes_cube": cube_schemes(program)}


# ---- section 3: order ----------------------------------------------------------------------------

TIP = ["rod.node8.position.x", "rod.node8.position.y"]
ORDERS = [  # title, example, columns, changes, steps, step of the reference, its rows
    ("bar, gap of the tip", BAR, ["impact.gap"], [], geometric(3e-2, 5e-4, 9), 5e-5, bodies(4)),
    ("pendulum, tip until 0.3 s", PENDULUM, TIP, [end(0.3)], geometric(3e-3, 2e-5, 11), 4e-6,
     nodes(5)),
    ("pendulum, tip until 0.35 s", PENDULUM, TIP, [], geometric(3e-3, 5e-5, 9), 5e-6, nodes(10)),
    ("cube, centre of mass, 0.24 to 0.3 s", CUBE, ["cube.position.z"], Fall.late + [end(0.06)],
     geometric(3e-3, 2e-4, 9), 3e-5, bodies(2)),
]


def order(program):
    rows, curves = [], []
    for title, example, names, changes, hs, fine, rows_of_fine in ORDERS:
        reference = program.run(example, changes + [step(fine), rows_of_fine])
        record = nodes() if example == PENDULUM else bodies()
        runs = [program.run(example, changes + [step(h), record]) for h in hs]
        again = [f"{run.summary['inaccurate_steps']} with {number(h, 2)} s"
                 for h, run in zip([fine] + hs, [reference] + runs)
                 if run.summary["inaccurate_steps"] > 0]
        kinds = [(title, f"h = {number(fine, 1)}", from_run(reference, names))]
        if example == BAR:
            kinds.append((title, "exact", [Wave.gap]))
        for name, kind, functions in kinds:
            errors = [relative_error(run, names, functions) for run in runs]
            half = len(hs) // 2
            slope = fitted_slope(hs, errors)
            least = None if kind == "exact" else 0.8
            rows.append([f"`{example}`", name.split(", ", 1)[1], kind,
                         f"{number(hs[0], 2)} … {number(hs[-1], 2)}",
                         number(errors[0], 2), number(errors[half], 2), number(errors[-1], 2),
                         f"{slope:.2f}", f"{fitted_slope(hs[half:], errors[half:]):.2f}",
                         ", ".join(again) or "0", f"≥ {least}" if least else "–",
                         "–" if not least else WITHIN if slope >= least else OUTSIDE])
            label = name if kind != "exact" else name + ", to the exact solution"
            curves.append(Curve(hs, errors, label, COLOURS[len(curves)], marker=True))
    groups = [("Bar", curves[:2]), ("Pendulum", curves[2:4]), ("Cube", curves[4:])]
    figure("flexible_order", [
        Panel(title, "step h (s)", "relative error",
              chosen + [slope_one(min(c.x[-1] for c in chosen), max(c.x[0] for c in chosen),
                                  1.5 * max(max(c.y) for c in chosen))], True, True)
        for title, chosen in groups], columns=3, width=320)
    return {"order": table(["example", "error of", "reference", "steps h (s)", "error, largest h",
                            "middle h", "smallest h", "observed order",
                            "smaller half of the steps", "tried again", "expected", "verdict"],
                           rows)}


# ---- section 4: statics --------------------------------------------------------------------------

def distance(a, b):
    return math.sqrt(sum((x - y) ** 2 for x, y in zip(a, b)))


def observed(coarse, fine, ratio=2.0):
    """Order from two errors."""
    return math.log(abs(coarse / fine)) / math.log(ratio)


def tip_of(run, name):
    return [run.last(f"{name}.position.{c}") for c in "xyz"]


def roll_up(program):
    rows = []
    for n in (3, 5, 10):
        run = program.run("cantilever_roll_up", [f"/model/bodies/0/elements={n}"])
        rows.append([str(n), number(distance(tip_of(run, f"strip.node{n}"), (0, 0, 0)), 2),
                     number(run.last("energy.elastic") / (2 * math.pi ** 2) - 1, 2),
                     f"{run.summary['iterations']['smooth']['mean']:.1f}"])
    return table(["elements", "distance of tip and clamp (m)", "energy, relative error",
                  "iterations a load step"], rows)


def bend(program):
    limit = [program.known("bend_45", f"tip's {axis}, converged") for axis in "xyz"]
    rows, last = [], None
    for n in (4, 8, 16):
        run = program.run("bend_45", [f"/model/bodies/0/elements={n}",
                                      f"/model/forces/0/on/node={n}"])
        tip = tip_of(run, f"bend.node{n}")
        error = distance(tip, limit)
        rows.append([str(n)] + [f"{x:.5f}" for x in tip] +
                    [number(error, 2), "–" if last is None else f"{observed(last, error):.2f}"])
        last = error
    rows.append(["converged"] + [f"{x:.5f}" for x in limit] + ["–", "–"])
    return table(["elements", "x", "y", "z", "error", "order"], rows)


def solid_cantilever(program):
    kinds = [("hexahedra, enhanced strain", "hexahedra", "enhanced_strain"),
             ("hexahedra, standard", "hexahedra", "standard"),
             ("tetrahedra", "tetrahedra", "enhanced_strain"),
             ("quadratic tetrahedra", "quadratic_tetrahedra", "enhanced_strain")]
    prototype = {("hexahedra, enhanced strain", 1): 0.9855, ("hexahedra, standard", 1): 0.643,
                 ("quadratic tetrahedra", 1): 0.976, ("hexahedra, enhanced strain", 2): 0.9866,
                 ("hexahedra, standard", 2): 0.869, ("tetrahedra", 2): 0.504}
    force, timoshenko = 1e-3, 0.40312e-3  # so small that the problem is linear
    rows = []
    for title, cells, formulation in kinds:
        for k in (1, 2):
            brick = {"name": "brick", "type": "solid", "formulation": formulation,
                     "mesh": {"type": "box", "size": [10, 1, 1], "divisions": [10 * k, k, k],
                              "cells": cells},
                     "material": {"young_modulus": 1e4, "poisson_ratio": 0.3, "density": 1}}
            wall = {"body": "ground", "position": [-5, 0, 0]}
            model = {"gravity": [0, 0, 0], "bodies": [brick],
                     "joints": [{"name": "clamp", "type": "fixed",
                                 "between": [wall, {"body": "brick", "nodes": "x_min"}]}],
                     "forces": [{"name": "load", "type": "force", "value": [0, 0, force],
                                 "on": {"body": "brick", "nodes": "x_max"}}]}
            run = program.run(write_model(program, f"brick_{cells}_{formulation}_{k}", model,
                                          {"type": "statics"}))
            # At equilibrium the work of the force is twice the elastic energy.
            deflection = 2 * run.last("energy.elastic") / force
            ratio = deflection / timoshenko
            known = prototype.get((title, k))
            rows.append([title if k == 1 else "", f"{10 * k} × {k} × {k}", f"{ratio:.4f}",
                         number(known, 4) if known else "–"])
    return table(["elements", "mesh", "deflection / 0.40312", "independent program"], rows)


def statics(program):
    return {"roll_up": roll_up(program), "bend": bend(program),
            "brick": solid_cantilever(program)}


# ---- section 5: frequencies ----------------------------------------------------------------------

def bending_modes(run, n):
    """Angular frequencies of the modes that bend the cantilever in y."""
    found = []
    with open(run.folder / "modes.csv", newline="") as file:
        for mode in csv.DictReader(file):
            size = {key: sum(float(mode[f"blade.node{i}.{key}"]) ** 2 for i in range(n + 1))
                    for key in ("translation.x", "translation.y", "translation.z", "rotation.x")}
            others = size["translation.x"] + size["translation.z"] + 1e-4 * size["rotation.x"]
            if size["translation.y"] > 10 * others:
                found.append(float(mode["angular_frequency"]))
    return found


def cantilever(program):
    rows, curves = [], []
    bending = [2 * math.pi * program.known("cantilever_modes", row)  # rad/s, in y, exact
               for row in ("first", "third", "fifth")]
    for mass, dash in (("consistent", "6 4"), ("hermite", None)):
        errors = {}
        for n in (2, 4, 8, 16):
            run = program.run("cantilever_modes", [
                f"/model/bodies/0/elements={n}", f"/model/bodies/0/mass={mass}",
                f"/simulation/count={min(16, 6 * n)}"])
            found = bending_modes(run, n)
            found = [w for w, exact in zip(found, bending) if w < 2 * exact]  # else no such mode
            errors[n] = [w / exact - 1 for w, exact in zip(found, bending)]
            before = errors.get(n // 2, [])
            orders = [f"{observed(before[k], e):.1f}" if k < len(before) else "–"
                      for k, e in enumerate(errors[n])]
            cells = [number(w, 7) for w in found] + ["–"] * (3 - len(found))
            signed = [number(e, 2) for e in errors[n]] + ["–"] * (3 - len(errors[n]))
            rows.append([mass if n == 2 else "", str(n)] + cells + signed + [" / ".join(orders)])
        for k in range(3):
            points = [(1 / n, abs(e[k])) for n, e in errors.items() if k < len(e)]
            curves.append(Curve(*zip(*points), f"{mass}, bending {k + 1}", COLOURS[k],
                                marker=True, dash=dash))
    rows.append(["exact", ""] + [f"{w:.4f}" for w in bending] + [""] * 4)
    header = ["mass", "elements", "ω₁ (rad/s)", "ω₂", "ω₃", "error of ω₁", "of ω₂", "of ω₃",
              "orders"]
    return table(header, rows), curves


def free_cube(program):
    exact, rows, curves = program.known("free_cube_modes", "seventh, converged"), [], []
    for name, colour in (("enhanced_strain", COLOURS[0]), ("standard", COLOURS[1])):
        points = []
        for n in (2, 3, 4, 5, 6):
            run = program.run("free_cube_modes", [
                f"/model/bodies/0/mesh/divisions=[{n},{n},{n}]",
                f"/model/bodies/0/formulation={name}", "/simulation/count=8"])
            modes = [mode["frequency"] for mode in run.summary["modes"]]
            error = modes[6] / exact - 1
            slope = f"{observed(points[-1][1], error, n / points[-1][0]):.2f}" if points else "–"
            rows.append([f"`{name}`" if n == 2 else "", f"{n} × {n} × {n}",
                         number(max(abs(f) for f in modes[:6]), 1), number(modes[6], 6),
                         number(error, 3), slope])
            points.append((n, error))
        curves.append(Curve([0.1 / n for n, _ in points], [e for _, e in points], name, colour,
                            marker=True, dash=None if name == "enhanced_strain" else "6 4"))
    return table(["formulation", "mesh", "largest of the six rigid (Hz)", "seventh (Hz)",
                  "relative error", "order"], rows), curves


def frequencies(program):
    beam, beam_curves = cantilever(program)
    cube, cube_curves = free_cube(program)
    figure("flexible_frequencies", [
        Panel("Cantilever", "length of an element (m)", "relative error of the frequency",
              beam_curves, True, True),
        Panel("Free cube, seventh frequency", "edge of an element (m)",
              "relative error of the frequency", cube_curves, True, True)])
    return {"cantilever": beam, "free_cube": cube}


# ---- the page ------------------------------------------------------------------------------------

SECTIONS = {"examples": examples, "schemes": schemes, "order": order, "statics": statics,
            "frequencies": frequencies}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--saltus", type=pathlib.Path, default=ROOT / "build/release/saltus",
                        help="the program to run")
    parser.add_argument("--only", nargs="+", choices=SECTIONS, default=list(SECTIONS),
                        help="the sections to renew")
    arguments = parser.parse_args()
    renew(SECTIONS, arguments.only, arguments.saltus.resolve(), PAGE)


if __name__ == "__main__":
    main()
