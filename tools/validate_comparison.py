# SPDX-License-Identifier: Apache-2.0
"""Galvez' comparison of the decoupled and the coupled scheme, for four examples in one table."""
import math

from validate_plots import COLOURS, Curve, Panel, figure, slope_one
from validate_runs import (Findings, end, fitted_slope, from_run, iterations, linear_solves,
                           number, record, relative_error, step, table)

STOP = "/simulation/on_failure=stop"
COUPLED = "/simulation/integrator/coupling=coupled"
NEGLECT = "/simulation/integrator/neglect_force_difference=true"
SCHEMES = {"decoupled": [STOP], "coupled": [STOP, COUPLED]}
COLOUR = {"decoupled": COLOURS[0], "coupled": COLOURS[1]}


class Fall:
    """flexible_cube, started in free fall shortly before its impact."""
    g, height, start = 9.81, 0.3, 0.24
    closes = math.sqrt(2 * height / g)
    speed = g * closes
    late = [f'/model/bodies/0/pose={{"position":[0,0,{0.35 - g * start * start / 2!r}]}}',
            f'/model/bodies/0/velocity={{"linear":[0,0,{-g * start!r}]}}']


def flexible(what, every=1):
    """Records nodes or bodies, and contacts."""
    return f'/simulation/record={{"every":{every},"flexible":"{what}"}}'


class Case:
    def __init__(self, title, example, columns, steps, fine, sets=(), every=None, kind=None):
        self.title, self.example, self.columns, self.steps = title, example, columns, steps
        self.fine, self.sets = fine, list(sets)  # step of the reference, changes of the model
        self.kind, self.every = kind, every  # what a flexible body records, rows of the reference

    def record(self, every=1):
        return flexible(self.kind, every) if self.kind else record(every)


CASES = [
    Case("Tumbling box", "rigid_box_impact", ["box.position.z"], [1e-2, 3e-3, 1e-3, 3e-4, 1e-4],
         5e-6, every=10),
    Case("Bar", "elastic_bar_impact", ["impact.gap"], [3e-2, 1e-2, 3e-3, 1e-3], 1e-4, every=2,
         kind="bodies"),
    Case("Pendulum", "flexible_pendulum", ["rod.node8.position.x", "rod.node8.position.y"],
         [3e-3, 1e-3, 3e-4, 2e-4, 1e-4, 5e-5, 3e-5, 2e-5], 4e-6, every=5, kind="nodes"),
    Case("Cube", "flexible_cube", ["cube.position.z"], [3e-3, 1e-3, 3e-4, 1e-4], 3e-5,
         Fall.late + [end(0.06)], every=2, kind="bodies"),
]


class Outcome:
    """What a run of a scheme gave."""

    def __init__(self, run, columns, reference):
        self.run, self.summary = run, run.summary
        self.done = self.summary["status"] == "completed"
        self.mean, self.largest = iterations(self.summary)
        self.solves = linear_solves(self.summary)
        self.most = max(part["max"] for part in self.summary["iterations"].values())
        self.error = relative_error(run, columns, reference) if self.done else None

    def text(self):
        if self.done:
            return number(self.error, 2)
        return "fails" if self.run.finished else "stopped, too slow"


def run_case(program, case):
    """The reference run, and outcomes by scheme and step."""
    fine = program.run(case.example, case.sets + [step(case.fine), STOP, case.record(case.every)])
    functions = from_run(fine, case.columns)
    found = {}
    for scheme, options in SCHEMES.items():
        for h in case.steps:
            run = program.run(case.example, case.sets + [step(h), case.record()] + options,
                              timeout=150)
            found[scheme, h] = Outcome(run, case.columns, functions)
    return fine, found


def order_of(case, found, scheme):
    points = [(h, found[scheme, h].error) for h in case.steps if found[scheme, h].done]
    return (fitted_slope(*zip(*points)), len(points)) if len(points) > 2 else (None, len(points))


def check(case, fine, found, checks):
    name = case.example
    failing = [h for h in case.steps if not found["decoupled", h].done]
    failing += [] if fine.summary["status"] == "completed" else [case.fine]
    at = f" ({', '.join(number(h, 1) for h in failing)} s)" if failing else ""
    checks.add(name, f"steps h at which the decoupled scheme fails{at}", float(len(failing)), 0,
               "P", tolerance=0)
    for scheme in SCHEMES:
        slope, _ = order_of(case, found, scheme)
        if slope is not None:
            checks.bound(name, f"observed order, {scheme}", slope, "P", low=0.8, digits=3)
    both = [h for h in case.steps if found["decoupled", h].done and found["coupled", h].done]
    ratio = max(found["coupled", h].solves / found["decoupled", h].solves for h in both)
    checks.bound(name, "linear solves, coupled over decoupled, at most over h", ratio, "P", low=1,
                 digits=3)


def bar_checks(program, found, checks):
    name = "elastic_bar_impact"
    most = max(outcome.most for (scheme, _), outcome in found.items() if scheme == "decoupled")
    checks.add(name, "decoupled: most iterations of a sub-problem, any h", float(most), 1, "P",
               tolerance=0)
    coarse = found["coupled", 1e-2]
    checks.bound(name, "coupled, h = 0.01: linear solves, over those of the decoupled",
                 coarse.solves / found["decoupled", 1e-2].solves, "P", low=10)
    checks.bound(name, "coupled, h = 0.01: most iterations (the author: diverges)",
                 float(coarse.most), "P", low=50)
    run = program.run(name, [step(0.03), NEGLECT, flexible("bodies")])
    times, impulses = run.columns("time", "impact.impulse.n")
    last = max(t for t, p in zip(times, impulses) if p > 0)
    checks.bound(name, "force differences neglected, h = 0.03: last contact (s), it does not bounce",
                 last, "P", low=1.4)


def iteration_panels(case, found):
    mean, largest = [], []
    for scheme in SCHEMES:
        done = [h for h in case.steps if found[scheme, h].done]
        failed = [h for h in case.steps if not found[scheme, h].done]
        label, colour = scheme, COLOUR[scheme]
        mean.append(Curve(done, [found[scheme, h].solves for h in done], label, colour,
                          marker=True))
        largest.append(Curve(done, [found[scheme, h].most for h in done], label, colour,
                             marker=True))
        if failed:
            ring = f"{scheme}: fails"
            largest.append(Curve(failed, [found[scheme, h].most for h in failed], ring, colour,
                                 line=False, marker=True, hollow=True))
    return (Panel(f"{case.title}: mean", "step h (s)", "linear solves a step", mean, True, True),
            Panel(f"{case.title}: largest", "step h (s)", "iterations of a sub-problem", largest,
                  True, True))


def error_panel(case, found):
    curves = []
    for scheme in SCHEMES:
        points = [(h, found[scheme, h].error) for h in case.steps if found[scheme, h].done]
        if points:
            curves.append(Curve(*zip(*points), scheme, COLOUR[scheme], marker=True,
                                dash=None if scheme == "decoupled" else "6 4"))
    top = max(max(curve.y) for curve in curves)
    return Panel(case.title, "step h (s)", "relative error",
                 curves + [slope_one(case.steps[-1], case.steps[0], 1.6 * top)], True, True)


def comparison(program):
    rows, orders, checks, means, largest, errors = [], [], Findings(), [], [], []
    for case in CASES:
        fine, found = run_case(program, case)
        for h in case.steps:
            one, other = found["decoupled", h], found["coupled", h]
            rows.append([f"`{case.example}`" if h == case.steps[0] else "", number(h, 1), one.mean,
                         one.largest, f"{one.solves:.1f}", one.text(), other.mean, other.largest,
                         f"{other.solves:.1f}", other.text()])
        cells = []
        for scheme in SCHEMES:
            slope, count = order_of(case, found, scheme)
            cells += [f"{slope:.2f}" if slope else "–", str(count)]
        orders.append([f"`{case.example}`", f"h = {number(case.fine, 1)}"] + cells)
        check(case, fine, found, checks)
        if case.example == "elastic_bar_impact":
            bar_checks(program, found, checks)
        panels = iteration_panels(case, found)
        means.append(panels[0])
        largest.append(panels[1])
        errors.append(error_panel(case, found))
    figure("comparison_iterations", means + largest, columns=4, width=240, height=230)
    figure("comparison_error", errors, columns=4, width=240, height=230)
    return {
        "comparison": table(["example", "h (s)", "decoupled: mean (s / p / v)",
                             "largest (s / p / v)", "solves a step", "error",
                             "coupled: mean (s / p / v)", "largest (s / p / v)", "solves a step",
                             "error"], rows),
        "comparison_orders": table(["example", "reference", "order, decoupled", "steps",
                                    "order, coupled", "steps"], orders),
        "comparison_checks": checks.table()}
