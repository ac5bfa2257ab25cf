# SPDX-License-Identifier: Apache-2.0
"""Section 8 of docs/validation.md: the event-driven examples of Chatterjee's thesis."""
import csv
import json

from validate_plots import COLOURS, Curve, Panel, expected, figure, marks
from validate_runs import ROOT, Findings, number, table, verified

POINTS = (4, 8, 16, 25)
SPECIMENS = (1, 2, 4)
EVENTS = ["planar_block", "planar_block_friction", "planar_ball_corner",
          "planar_ball_corner_thesis", "sphere_corner", "block_four_point", "block_edge_impacts",
          "block_surface_4", "block_surface_8", "block_surface_16", "block_surface_25",
          "block_surface_force", "block_surface_force_8", "block_surface_force_16",
          "block_surface_force_25", "rocking_specimen_1", "rocking_specimen_1_3d",
          "rocking_specimen_2", "rocking_specimen_2_3d", "rocking_specimen_4",
          "rocking_specimen_4_3d", "rocking_specimen_1_force"]

# Seconds of CPU that the thesis reports, on its machine.
REPORTED = {"planar_block": 0.28, "planar_block_friction": 0.26, "planar_ball_corner_thesis": 0.54,
            "rocking_specimen_1": 59.06, "rocking_specimen_2": 79.33, "rocking_specimen_4": 56.37,
            "rocking_specimen_1_3d": 186.89, "rocking_specimen_2_3d": 136.98,
            "rocking_specimen_4_3d": 74.20, "block_surface_4": 21.52, "block_surface_8": 18.66,
            "block_surface_16": 27.98, "block_surface_25": 35.67}


def impact_rows(run, number_of):
    """The rows of the impact with this number in time, from 0."""
    times = sorted({event["time"] for event in run.events("impact")}, key=float)
    return [event for event in run.events("impact") if event["time"] == times[number_of]]


def after(run, column, t):
    """A column in the first row after a time."""
    times, values = run.columns("time", column)
    return next((time, value) for time, value in zip(times, values) if time > t)


# ---- single impacts ------------------------------------------------------------------------------

def four_points(program, found):
    name = "block_four_point"
    run = program.once(name)
    rows = impact_rows(run, 0)
    for event, points in (("1", 4), ("2", 2)):
        found.add(name, f"points of event {event}",
                  float(sum(row["order"] == event for row in rows)), points, "P", tolerance=0)


def edges(program, found):
    """States right after the two impacts, and how their points slip."""
    name, g = "block_edge_impacts", 9.81
    run = program.once(name)
    for k in (0, 1):
        rows = impact_rows(run, k)
        t, which = float(rows[0]["time"]), ("first", "second")[k]
        later, z = after(run, "block.velocity.z", t)
        slip = abs(float(rows[0]["after_t2"]))
        if k == 0:
            found.add(name, "both corners of the first edge: impulse (N s)",
                      sum(float(row["impulse_n"]) for row in rows), 5348.47, "D", 6, 0.01)
            found.bound(name, "first edge at the end of its impact: slip (m/s), it sticks", slip,
                        "D", high=1e-9, digits=2)
        else:
            found.bound(name, "second edge at the end of its impact: slip (m/s), it slips", slip,
                        "D", low=0.1)
        found.check(program, f"v_y after the {which} (m/s)", after(run, "block.velocity.y", t)[1],
                    (name, f"v_y after the {which}"), "D", 7)
        found.check(program, f"v_z after the {which} (m/s)", z + g * (later - t),
                    (name, f"v_z after the {which}"), "D", 7)
        found.check(program, f"angular velocity after the {which} (rad/s)",
                    after(run, "block.angular_velocity.x", t)[1],
                    (name, f"w_x after the {which}"), "D", 7)


def corner(program, found):
    """Symmetric without friction, and with friction as the file."""
    name = "sphere_corner"
    free = program.run(name, ["/model/gravity=[0,0,0]",
                              '/model/bodies/0/pose={"position":[-3,-3,3.5]}',
                              '/model/bodies/0/velocity={"linear":[3,3,-3]}']
                       + [f"/model/contacts/{k}/friction=0" for k in range(3)])
    for axis, sign in (("x", -1), ("y", -1), ("z", 1)):
        found.add(name, f"symmetric, no friction: v_{axis} after the impact (m/s)",
                  free.at(f"ball.velocity.{axis}", 1.1), 1.5 * sign, "E", 6, 1e-9)
    contacts = program.once(name).summary["contacts"].values()
    strongest = max((c["strongest_impact"] for c in contacts), key=lambda s: s["peak_force"])
    for key, title, order in (("peak_force", "force (N)", 1e4),
                              ("peak_indentation", "indentation (m)", 1e-4),
                              ("duration", "duration (s)", 1e-5)):
        found.bound(name, f"with friction: largest {title}, order of magnitude", strongest[key],
                    "P", order / 10, order * 10)


def impacts_figure(program):
    panels = []
    curves = []
    for name, dash in (("planar_block", None), ("planar_block_friction", "6 3")):
        run = program.once(name)
        rows = run.events("impact")
        label = ", friction" if dash else ""
        one = [float(rows[0]["before_n"]), float(rows[0]["after_n"]), float(rows[0]["after_n"])]
        two = [float(rows[1]["before_n"]), float(rows[1]["after_n"]), float(rows[2]["after_n"])]
        curves += [Curve([0, 1, 2], one, f"corner 1{label}", COLOURS[0], marker=True, dash=dash),
                   Curve([0, 1, 2], two, f"corner 2{label}", COLOURS[1], marker=True, dash=dash)]
    panels.append(Panel("Planar block: normal velocities",
                        "before (0), after event 1, after event 2", "velocity (m/s)",
                        curves + [expected([2, 2], [
                            program.known("planar_block", f"corner {k} leaves with")
                            for k in (1, 2)])]))
    curves = []
    for name, label, colour in (("planar_ball_corner", "consistent", COLOURS[2]),
                                ("planar_ball_corner_thesis", "thesis' mode", COLOURS[3])):
        run = program.once(name)
        times, x, z = run.columns("time", "ball.position.x", "ball.position.z")
        curves.append(Curve(x, z, label, colour))
        known = program.known(name, "v_x"), program.known(name, "v_z")
        t = times[-1]
        curves.append(expected([x[0] + known[0] * t], [z[0] + known[1] * t - 9.81 * t * t / 2]))
    panels.append(Panel("Disc out of the corner, 0.1 s", "x of the centre (m)",
                        "z of the centre (m)", curves))
    run = program.once("block_four_point")
    times, struck, other = run.columns("time", "k.corner1.floor.0.gap", "k.corner3.floor.0.gap")
    panels.append(Panel("Block, four points", "time (s)", "gap (mm)", [
        Curve(times, [1000 * g for g in struck], "edge that strikes", COLOURS[4]),
        Curve(times, [1000 * g for g in other], "edge it stood on", COLOURS[5])]
        + marks(x=[program.known("block_four_point", "impact of the face")])))
    run = program.once("block_edge_impacts")
    struck = marks(x=[program.known("block_edge_impacts", f"{which} edge")
                      for which in ("first", "second")])
    times, first, second = run.columns("time", "k.skin.floor.0.gap", "k.skin.floor.2.gap")
    panels.append(Panel("Block, two edges", "time (s)", "gap (m)", [
        Curve(times, first, "first edge", COLOURS[0]),
        Curve(times, second, "second edge", COLOURS[1])] + struck))
    _, energy = run.energy()
    panels.append(Panel("Block, two edges: energy", "time (s)", "energy (kJ)", [
        Curve(times, [e / 1000 for e in energy], "energy", COLOURS[6])] + struck))
    times, energy = program.once("sphere_corner").energy()
    panels.append(Panel("Sphere in a corner: energy", "time (s)", "energy (J)", [
        Curve(times, energy, "energy", COLOURS[6])] + marks(x=[1.0])))
    figure("event_impacts", panels, columns=3, width=310)


# ---- surfaces ------------------------------------------------------------------------------------

def apart(run, other, until):
    """The largest difference of a coordinate."""
    columns = [f"block.{kind}.{c}" for kind in ("position", "rotation") for c in "xyz"]
    return max(abs(a - b) for column in columns for t, a, b in
               zip(run.column("time"), run.column(column), other.column(column)) if t <= until)


def surfaces(program, found):
    runs = {n: program.once(f"block_surface_{n}") for n in POINTS}
    for n, run in runs.items():
        name, rows = f"block_surface_{n}", impact_rows(run, 0)
        impulse = sum(float(row["impulse_n"]) for row in rows)
        before, later = float(rows[0]["before_n"]), float(rows[0]["after_n"])
        compressed = impulse * before / (before - later)  # v_n is linear in the impulse: it slips
        found.add(name, "normal work of compression (J)", compressed * before / 2, -9.632, "D", 5,
                  5e-4)
        found.add(name, "normal work of the impact (J)", impulse * (before + later) / 2, -7.224,
                  "D", 5, 5e-4)
    for n in POINTS[1:]:
        for until in (1.0, 2.0):
            found.add(f"block_surface_{n}", "coordinates − those with 4 points (m, rad), largest "
                      f"until {number(until)} s", apart(runs[4], runs[n], until), 0, "P", 2, 1e-6)
    styles = list(zip(POINTS, COLOURS, (5, 3.4, 2.2, 1.1)))
    motion = [[Curve(*runs[n].columns("time", column), f"{n} points", colour, width=width)
               for n, colour, width in styles] for column in ("block.position.z",
                                                              "block.rotation.x")]
    known = [program.known(f"block_surface_{n}", "impulse a point") for n in POINTS]
    struck = marks(x=[program.known("block_surface_4", "first edge")])
    impulses = [float(impact_rows(runs[n], 0)[0]["impulse_n"]) for n in POINTS]
    names = {n: "block_surface_force" + ("" if n == 4 else f"_{n}") for n in POINTS}
    force, duration = ([program.known(name, row) for name in names.values()]
                       for row in ("peak force", "duration"))
    strongest = {}
    for n, name in names.items():
        rows = [row for row in program.once(name).forces() if row["kind"] == "impact"]
        strongest[n] = rows[0]
    peaks = [float(strongest[n]["peak_force"]) / 1000 for n in POINTS]
    durations = [1e6 * float(strongest[n]["duration"]) for n in POINTS]

    def dots(values, wanted):
        return [Curve(POINTS, values, "Saltus", COLOURS[0], line=False, marker=True),
                expected(POINTS, wanted)]

    figure("event_surface", [
        Panel("Height of the centre", "time (s)", "z (m)", motion[0] + struck),
        Panel("Roll since the start", "time (s)", "angle (rad)", motion[1] + struck),
        Panel("First impact: impulse a point", "points", "impulse (N s)",
              dots(impulses, known)),
        Panel("First impact: peak force a point", "points", "force (kN)",
              dots(peaks, [f / 1000 for f in force])),
        Panel("First impact: duration", "points", "duration (µs)",
              dots(durations, [1e6 * t for t in duration])),
        Panel("Energy", "time (s)", "energy (J)", [
            Curve(*runs[n].energy(), f"{n} points", colour, width=width)
            for n, colour, width in styles])], columns=3, width=310)


# ---- rocking -------------------------------------------------------------------------------------

def rocking(program, found):
    panels, energies = [], []
    for number_of in SPECIMENS:
        flat = program.once(f"rocking_specimen_{number_of}")
        solid = program.once(f"rocking_specimen_{number_of}_3d")
        times, one = flat.columns("time", "block.rotation.y")
        _, other = solid.columns("time", "block.rotation.y")
        tilt = max(map(abs, one))
        worst = max(abs(a - b) / tilt for a, b in zip(one, other))
        name = f"rocking_specimen_{number_of}_3d"
        rocks = [flat.times_of("impact")[0], solid.times_of("impact")[0]]
        found.add(name, "first rock, 3-D − 2-D (s)", rocks[1] - rocks[0], 0, "P", 2, 1e-9)
        found.add(name, "tilt, 3-D − 2-D, of the first tilt, largest in 3 s", worst, 0, "P",
                  2, 1e-6)
        panels.append(Panel(f"Specimen {number_of}", "time (s)", "tilt (rad)", [
            Curve(times, one, "2-D", COLOURS[0], width=3),
            Curve(times, other, "3-D", COLOURS[1], dash="5 3")]))
        energies.append(Panel(f"Specimen {number_of}: energy", "time (s)", "energy (J)", [
            Curve(*flat.energy(), "2-D", COLOURS[0], width=3),
            Curve(*solid.energy(), "3-D", COLOURS[1], dash="5 3")]))
    figure("rocking", panels + energies, columns=3, width=310)


def rocking_forces(program, found):
    """Forces change nothing, and come in clusters of impacts. The law is that of specimen 1."""
    panels = []
    law = json.loads((ROOT / "examples/rocking_specimen_1_force.json").read_text())
    law = json.dumps(law["model"]["contacts"][0]["elastoplastic"])
    for number_of in SPECIMENS:
        rigid = f"rocking_specimen_{number_of}_3d"
        name = "rocking_specimen_1_force" if number_of == 1 else rigid
        without = program.once(rigid)
        run = program.once(name) if number_of == 1 else program.run(
            rigid, [f"/model/contacts/0/elastoplastic={law}"])
        apart_by = max(abs(a - b) for a, b in zip(run.column("block.rotation.y"),
                                                  without.column("block.rotation.y")))
        found.add(name, "tilt, with forces − without (rad), largest in 3 s", apart_by, 0, "P", 2,
                  1e-9)
        rows = [row for row in run.forces() if row["kind"] == "impact"
                and row["contact"] == "k.corner2.floor.0"]
        times = [float(row["time"]) for row in rows]
        forces = [float(row["peak_force"]) / 1000 for row in rows]
        panels.append(Panel(f"Specimen {number_of}: peaks at a corner", "time (s)", "force (kN)", [
            Curve(times, forces, "an impact", COLOURS[0], line=False, marker=True)]))
    figure("rocking_force", panels, columns=3, width=310)


# ---- inside of an impact -------------------------------------------------------------------------

def inside(program, found):
    """Velocities and works over the impulse: the falling edge and the one the block stood on."""
    name = "block_four_point"
    run = program.run(name, ['/simulation/record={"impacts":{"most":1}}'])
    with open(run.folder / "impact_paths.csv", newline="") as file:
        moments = list(csv.DictReader(file))
    with open(run.folder / "impacts.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    start = {"1": 0.0, "2": float(rows[0]["impulse"])}
    lost = sum(float(row["energy_lost"]) for row in impact_rows(run, 0))
    works = sum(float(row["normal_work"]) + float(row["friction_work"]) for row in rows)
    found.add(name, "works inside of the impact + what its rows lose (J)", works + lost, 0, "E", 2,
              1e-12)
    for row in rows:
        if row["group"] == "0":
            continue
        found.add(name, f"W_nf / W_nc of event {row['order']}",
                  float(row["normal_work"]) / float(row["compression_work"]), 0.75, "E", 6, 1e-9)

    def curve(point, column, label, colour, order=None, dash=None):
        of_point = [m for m in moments if m["contact"] == f"k.{point}.floor.0"
                    and order in (None, m["order"])]
        return Curve([start[m["order"]] + float(m["p"]) for m in of_point],
                     [float(m[column]) for m in of_point], label, colour, dash=dash)

    struck, stood = ("corner1", COLOURS[0]), ("corner3", COLOURS[1])
    ends = marks(x=[float(rows[0]["compression_impulse"]), start["2"]],
                 label="end of compression, of event 1")
    velocities = [Panel(f"{title} velocities", "impulse (N s)", "velocity (m/s)", [
        curve(struck[0], column, "edge that strikes", struck[1]),
        curve(stood[0], column, "edge it stood on", stood[1])] + ends)
        for title, column in (("Normal", "velocity_n"), ("Tangential", "velocity_t2"))]
    works = [curve(struck[0], "group_work", "normal work" if k == "1" else "", COLOURS[2], k)
             for k in ("1", "2")]
    works += [curve(point, "friction_work", f"friction, {label}" if k == "1" else "", colour, k,
                    "5 3")
              for (point, colour), label in ((struck, "a corner that strikes"),
                                             (stood, "a corner it stood on"))
              for k in ("1", "2")]
    figure("event_inside", velocities + [
        Panel("Works of each event", "impulse (N s)", "work (J)", works + ends)], columns=3,
        width=310)


def events(program):
    found = Findings()
    four_points(program, found)
    edges(program, found)
    surfaces(program, found)
    corner(program, found)
    rocking(program, found)
    rocking_forces(program, found)
    inside(program, found)
    impacts_figure(program)
    rows = []
    for name, reported in REPORTED.items():
        seconds = min(program.run(name).summary["wall_seconds"] for _ in range(3))
        rows.append([f"`{name}`", number(seconds, 2), number(reported),
                     number(reported / seconds, 2)])
    return {"verify_events": verified(program, EVENTS), "more_events": found.table(),
            "event_times": table(["example", "seconds", "reported", "ratio"], rows)}
