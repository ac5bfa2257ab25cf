#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the examples with contacts and writes what docs/validation.md says about them.

    tools/validate.py [--saltus build/release/saltus] [--only SECTION ...]

The tables between the markers of docs/validation.md are replaced, the figures in docs/figures are
written anew; the text around the tables is written by hand. Needs nothing but Python. The parts:
validate_rigid.py (examples), validate_comparison.py (decoupled and coupled), validate_spheres.py,
validate_events.py, validate_everywhere.py (all examples), validate_flexible.py (a page of its own),
validate_overview.py (the table at the top, from all others); schemes, orders, solvers and the
woodpecker are here.
"""
import argparse
import json
import math
import pathlib
import random

import validate_overview
from validate_comparison import comparison
from validate_events import events
from validate_everywhere import everywhere, others
from validate_plots import COLOURS, Curve, Panel, figure, slope_one
from validate_rigid import (WOODPECKERS, Ball, Incline, examples, known_cycle, woodpecker_cycle,
                            woodpecker_runs)
from validate_runs import (OUTSIDE, PAGE, ROOT, WITHIN, end, fitted_slope, from_run, geometric,
                           insert, interpolate, iterations, linear_solves, number, record,
                           relative_error, renew, step, table)
from validate_spheres import bearings, forces, impacts, spheres


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

ORDERS = [  # example, columns, window, steps, exact solution, step of the reference run
    ("bouncing_ball", ["ball.position.z"], 3.0, geometric(1e-2, 1e-4, 13), [Ball.position], None),
    ("incline_point_mass", ["mass.position.x"], 1.0, geometric(1e-2, 1e-4, 13),
     [Incline.position], None),
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


LEAST_ORDER = 0.8  # first order; where impacts fall in their steps scatters slopes by 0.2


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
                     f"{slope:.2f}", f"≥ {LEAST_ORDER}",
                     WITHIN if slope >= LEAST_ORDER else OUTSIDE])
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
                            "error, largest h", "middle h", "smallest h", "observed order",
                            "expected", "verdict"], rows)}


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
    printed = {key: known_cycle(program, key) for key in WOODPECKERS}
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


# ---- flexible bodies -----------------------------------------------------------------------------

def flexible(program):
    """They have a page of their own."""
    import validate_flexible
    renew(validate_flexible.SECTIONS, validate_flexible.SECTIONS, program.path,
          validate_flexible.PAGE)
    return {}


# ---- the page ------------------------------------------------------------------------------------

SECTIONS = {"examples": examples, "schemes": schemes, "comparison": comparison, "order": order,
            "solvers": solvers, "woodpecker": woodpecker, "spheres": spheres, "impacts": impacts,
            "forces": forces, "bearings": bearings, "events": events,
            "everywhere": everywhere, "others": others, "flexible": flexible, "overview": lambda _: {}}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--saltus", type=pathlib.Path, default=ROOT / "build/release/saltus",
                        help="the program to run")
    parser.add_argument("--only", nargs="+", choices=SECTIONS, default=list(SECTIONS),
                        help="the sections to renew; the overview is always renewed")
    arguments = parser.parse_args()
    renew(SECTIONS, arguments.only, arguments.saltus.resolve(), PAGE)
    insert(validate_overview.blocks())


if __name__ == "__main__":
    main()
