# SPDX-License-Identifier: Apache-2.0
"""Section 7 of docs/validation.md: spheres, multiple impacts, forces, clearance and bearings, the
examples of Sánchez' thesis and papers, with their figures."""
import json
import math
import pathlib

from validate_plots import (COLOURS, EXPECTED, Curve, Panel, exact, expected, figure, marks,
                            sampled)
from validate_runs import (ROOT, Findings, end, fitted_slope, geometric, number, record, step,
                           table, verified)

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


def lengths(run, name):
    """Times and the length of a vector."""
    times, *parts = run.columns("time", *[f"{name}.{c}" for c in "xyz"])
    return times, [math.sqrt(sum(p * p for p in values)) for values in zip(*parts)]


def most_iterations(run):
    return float(max(part["max"] for part in run.summary["iterations"].values()))


# ---- one sphere ----------------------------------------------------------------------------------

class Stone:
    """The sphere of 1309 kg."""
    m, inertia, r, g = 1309.0, 131.0, 0.5, 9.8
    k = inertia / (m * r * r)


def stone_figure(program):
    """A sphere that slides, one that rolls, one that spins."""
    mu, v_0 = 0.25, 1.5 * math.sqrt(2)
    t_r = v_0 / (mu * Stone.g * (1 + 1 / Stone.k))
    slide = program.once("sphere_sliding")
    v_r = v_0 - mu * Stone.g * t_r
    panels = [Panel("Sliding", "time (s)", "speed (m/s), spin (rad/s)", [
        exact([0, t_r, 1], [v_0, v_r, v_r]), exact([0, t_r, 1], [0, v_r / Stone.r, v_r / Stone.r]),
        Curve(*lengths(slide, "ball.velocity"), "speed", COLOURS[0]),
        Curve(*lengths(slide, "ball.angular_velocity"), "spin", COLOURS[1])]
        + marks(x=[program.known("sphere_sliding", "slip ends")]))]
    for title, name, axis, w, arm in (("Rolling resistance", "sphere_rolling", "x", 0.4, 0.01),
                                      ("Spinning resistance", "sphere_spinning", "y", 1.0,
                                       0.0167)):
        run = program.once(name)
        brake = arm * Stone.m * Stone.g / Stone.inertia
        times, spin, angle = run.columns("time", f"ball.angular_velocity.{axis}",
                                         f"ball.rotation.{axis}")
        panels.append(Panel(title, "time (s)", "spin (rad/s), angle (rad)", [
            exact([0, w / brake, 1], [w, 0, 0]),
            sampled(lambda t, w=w, a=brake: w * min(t, w / a) - a * min(t, w / a) ** 2 / 2, 0, 1),
            Curve(times, spin, "spin", COLOURS[1]), Curve(times, angle, "angle", COLOURS[2])]
            + marks(x=[program.known(name, "turns until")])))
    figure("spheres", panels, columns=3, width=310)


def roll_slide_figure(program):
    stops = {1: ["stops"], 2: ["slip ends", "stops"], 3: ["rotation stops", "stops"]}
    titles = {1: "1: rolls and stops", 2: "2: slides, rolls, stops", 3: "3: slides, turns no more"}
    panels = []
    for k, rows in stops.items():
        name = f"sphere_roll_slide_{k}"
        times, v, w = program.once(name).columns("time", "ball.velocity.x",
                                                 "ball.angular_velocity.z")
        panels.append(Panel(titles[k], "time (s)", "velocity (m/s)", [
            Curve(times, v, "velocity of the centre", COLOURS[0]),
            Curve(times, [-Stone.r * x for x in w], "spin × radius", COLOURS[1], dash="6 3")]
            + marks(x=[program.known(name, row) for row in rows])))
    figure("roll_slide", panels, columns=3, width=310)


def rolling_order(program, found):
    """The angle until the rolling sphere stops."""
    hs = geometric(8e-3, 2.5e-4, 11)
    known = program.known("sphere_rolling", "angle")
    errors = [abs(program.run("sphere_rolling", [step(h)]).last("ball.rotation.x") - known)
              for h in hs]
    found.bound("sphere_rolling", "observed order in h of the angle", fitted_slope(hs, errors), "P",
                low=0.8, digits=3)


def wall_figure(program):
    run = program.once("sphere_wall")
    times, x, z, v_x, v_z, w_x, w_z = run.columns(
        "time", "ball.position.x", "ball.position.z", "ball.velocity.x", "ball.velocity.z",
        "ball.angular_velocity.x", "ball.angular_velocity.z")
    printed = marks(x=[program.known("sphere_wall", row) for row in (
        "time of impact", "rolls from", "rests from")], label="printed")
    figure("wall", [
        Panel("Towards the wall", "time (s)", "x direction (m/s)", [
            Curve(times, v_x, "velocity", COLOURS[0]),
            Curve(times, [-Stone.r * w for w in w_z], "spin × radius", COLOURS[1], dash="6 3")]
              + printed),
        Panel("Along the wall", "time (s)", "z direction (m/s)", [
            Curve(times, v_z, "velocity", COLOURS[0]),
            Curve(times, [Stone.r * w for w in w_x], "spin × radius", COLOURS[1], dash="6 3")]
              + printed),
        Panel("Seen from above", "x (m)", "z (m)", [Curve(x, z, "way of the centre", COLOURS[2]),
                                                    Curve([0.5, 0.5], [-0.1, 1.5], "wall − radius",
                                                          EXPECTED, width=3)],
              x_limits=(-0.2, 0.7), y_limits=(-0.1, 1.5))], columns=3, width=310)


# ---- the roller ----------------------------------------------------------------------------------

def roller(program, found):
    panels = []
    for kind, title in (("rigid", "Rigid rod"), ("flexible", "Flexible rod")):
        name = f"roller_crank_{kind}"
        run = program.once(name)
        if kind == "rigid":
            found.bound(name, "most iterations", most_iterations(run), "P", high=3)
        else:
            found.bound(name, "flights of the roller", float(len(run.times_of("opens"))), "P",
                        low=1)
        times, w, status, gap = run.columns("time", "roller.angular_velocity.z", "rolling.status",
                                            "rolling.gap")
        h = times[1] - times[0]
        rate = [(b - a) / h for a, b in zip(w, w[1:])]
        panels.append(Panel(f"{title}: angular acceleration", "time (s)", "rad/s²", [
            Curve(times[1:], rate, "angular acceleration of the roller", COLOURS[0])]))
        if kind == "rigid":
            until = next(t for t, s in zip(times[2:], status[2:]) if s != 2)
            panels.append(Panel("Rigid rod: while it sticks", "time (s)", "rad/s²", [
                Curve(times[1:], rate, "angular acceleration of the roller", COLOURS[0])]
                + marks(x=[until], label="begins to slip"), x_limits=(0, 2 * until),
                y_limits=bounds([r for t, r in zip(times[1:], rate) if t < 2 * until])))
        else:
            panels.append(Panel("Flexible rod: gap of the roller", "time (s)", "gap (mm)", [
                Curve(times, [1000 * g for g in gap], "gap", COLOURS[2])]))
    figure("roller", panels, columns=2)


def bounds(values):
    margin = 0.1 * (max(values) - min(values))
    return min(values) - margin, max(values) + margin


# ---- two balls -----------------------------------------------------------------------------------

def driven_figure(program):
    run = program.once("driven_spheres")
    k, inertia, limit = 20.0, 0.4, program.known("driven_spheres", "slip begins")
    friction = program.known("driven_spheres", "friction at 1 s")
    times, a, b, f = run.columns("time", "upper.angular_velocity.z", "lower.angular_velocity.z",
                                 "touch.impulse.x")
    h = times[1] - times[0]

    def upper(t):
        return k * t * t / (4 * inertia) if t < limit else k * limit / (2 * inertia) * (
            t - limit / 2)

    def lower(t):
        return -upper(t) if t < limit else -k / (4 * inertia) * (limit ** 2 + 2 * t * (t - limit))

    figure("driven", [
        Panel("Spins", "time (s)", "angular velocity (rad/s)", [
            sampled(upper, 0, 1), sampled(lower, 0, 1), Curve(times, a, "upper sphere", COLOURS[0]),
            Curve(times, b, "lower sphere", COLOURS[1])] + marks(x=[limit])),
        Panel("Friction", "time (s)", "force (N)", [
            exact([0, limit, 1], [0, friction, friction]),
            Curve(times[1:], [abs(p) / h for p in f[1:]], "friction", COLOURS[2])]
              + marks(x=[limit], y=[friction]))])


RADIUS = 0.028575  # of a billiard ball


def cue_angle(program, f):
    """Direction of the cue ball after it has hit a share f of the other one, exact and measured."""
    a = math.asin(1 - f)
    place = f"[{2 * RADIUS * math.cos(a)!r},{-2 * RADIUS * math.sin(a)!r},{RADIUS!r}]"
    run = program.run("cue_ball_collision", [f"/model/bodies/object_ball/pose/position={place}"])
    v_x, v_y = run.last("cue_ball.velocity.x"), run.last("cue_ball.velocity.y")
    return math.degrees(math.atan2(v_y, v_x))


def throw(program, degrees, roll, ratio):
    a, v, w = math.radians(degrees), 1.341, 46.929
    place = f"[{2 * RADIUS * math.cos(a)!r},{2 * RADIUS * math.sin(a)!r},{RADIUS!r}]"
    run = program.run("throw_angle", [
        f"/model/bodies/object_ball/pose/position={place}",
        f"/model/bodies/cue_ball/velocity/angular=[0,{roll * w!r},{ratio * v / RADIUS!r}]"])
    return degrees - math.degrees(math.atan2(run.last("object_ball.velocity.y"),
                                             run.last("object_ball.velocity.x")))


def known_throw(degrees, roll, ratio):
    v, a = 1.341, math.radians(degrees)
    across, down = v * math.sin(a) - ratio * v, RADIUS * roll * 46.929 * math.cos(a)
    slip = math.hypot(across, down)
    if slip == 0:
        return 0.0
    mu = 9.951e-3 + 0.108 * math.exp(-1.088 * slip)
    share = min(mu * v * math.cos(a) / slip, 1 / 7)
    return math.degrees(math.atan(share * across / (v * math.cos(a))))


def two_balls_figure(program):
    def rule(f):
        s = 1 - f
        return math.degrees(math.atan(s * math.sqrt(1 - s * s) / (s * s + 0.4)))

    shares = [0, 0.125, 0.25, 0.5, 0.75, 0.875, 1]
    ratios = [-1.25, -0.9, -0.4, 0, 0.4, 0.9, 1.25]
    panels = [Panel("Cue ball after the collision", "hit fraction", "angle (°)", [
        sampled(rule, 0, 1), Curve(shares, [cue_angle(program, f) for f in shares], "Saltus",
                                   COLOURS[0], line=False, marker=True)])]
    for degrees in (0, 30):
        curves = []
        for roll, colour in ((0, COLOURS[0]), (0.5, COLOURS[1])):
            curves += [sampled(lambda x, d=degrees, r=roll: known_throw(d, r, x), -1.3, 1.3),
                       Curve(ratios, [throw(program, degrees, roll, x) for x in ratios],
                             "Saltus" if roll == 0 else "Saltus, half of the rolling spin", colour,
                             line=False, marker=True)]
        panels.append(Panel(f"Throw, cut angle {degrees}°", "side spin R ω / v",
                            "throw angle (°)", curves))
    figure("two_balls", panels, columns=3, width=310)


def spheres(program):
    found = Findings()
    rolling_order(program, found)
    roller(program, found)
    stone_figure(program)
    roll_slide_figure(program)
    wall_figure(program)
    driven_figure(program)
    two_balls_figure(program)
    return {"verify_spheres": verified(program, SPHERES), "more_spheres": found.table()}


# ---- several impacts at once ---------------------------------------------------------------------

def three_balls(program, found):
    name = "three_balls_frictional"
    run = program.once(name)
    fine = program.once(name, [step(1e-4)])  # the step of D
    struck = fine.times_of("impact", "hit_1_2")[0]
    for k, axis in ((1, "x"), (1, "y"), (3, "x"), (3, "y")):
        found.check(program, f"ball {k}, v_{axis} after the impact (m/s), h = 0.0001",
                    fine.at(f"ball_{k}.velocity.{axis}", struck),
                    (name, f"ball {k}, v_{axis} after"), "D", 4)
    for h, r in ((1e-3, run), (1e-4, fine)):
        back = r.at("ball_1.velocity.x", r.times_of("impact", "hit_1_2")[0])
        height = 1000 * (max(r.column("ball_1.position.y")) - 0.0283)
        found.bound(name, f"ball 1, v_x after the impact (m/s), h = {number(h, 1)}: back, slightly",
                    back, "P", low=-0.1, high=-1e-6)
        found.bound(name, f"jump of ball 1 (mm), h = {number(h, 1)}", height, "P", low=0.01)
    found.check(program, "jump of ball 1 (mm), h = 0.0001", height, (name, "jump of ball 1"), "D",
                3)
    panels = []
    for title, example, rows in (
            ("Without friction", "three_balls_frictionless", ["time of impact"]),
            ("With friction", "three_balls_frictional", ["rolls from", "impact"]),
            ("Three spheres, without", "three_spheres_plane", ["time of impact"]),
            ("Three spheres, with friction", "three_spheres_plane_frictional",
             ["rolls from", "impact"])):
        r = program.once(example)
        panels.append(Panel(title, "time (s)", "velocity (m/s)", [
            Curve(*r.columns("time", f"ball_{k}.velocity.x"), f"ball {k}", COLOURS[k - 1])
            for k in (1, 2, 3)] + marks(x=[program.known(example, row) for row in rows])))
    times, *heights = run.columns("time", *[f"ball_{k}.position.y" for k in (1, 2, 3)])
    panels.append(Panel("With friction: jumps", "time (s)", "height (mm)", [
        Curve(times, [1000 * (y - 0.0283) for y in values], f"ball {k + 1}", COLOURS[k])
        for k, values in enumerate(heights)] + marks(y=[program.known(name, "jump of ball 1")]),
        x_limits=(0.3, 0.6)))
    balls = program.once("bernoulli_balls")
    ways = [Curve(*balls.columns(f"ball_{k}.position.x", f"ball_{k}.position.y"), f"ball {k}",
                  COLOURS[k - 1]) for k in (1, 2, 3)]
    last = balls.last("time")
    aside, along, back = (program.known("bernoulli_balls", row)
                          for row in ("ball 1, v_y", "ball 1, v_x", "ball 2, v_x"))
    starts = [(math.sqrt(3), 1, along, aside), (0, 0, back, 0), (math.sqrt(3), -1, along, -aside)]
    ends = [(x + u * last, y + v * last) for x, y, u, v in starts]
    panels.append(Panel("Bernoulli's balls: centres", "x (m)", "y (m)",
                        ways + [expected(*zip(*ends))], x_limits=(-0.4, 2.4), y_limits=(-1.5, 1.5)))
    figure("three_balls", panels, columns=3, width=310)


def billiard(program, found):
    panels = []
    struck = program.known("billiard_break", "break")
    v_2, v_3, *v_4 = (program.known("billiard_break", row) for row in (
        "ball 2, v_x", "ball 3, v_x", "ball 4, v_x", "ball 4, v_y"))
    speeds = [abs(v_2), v_3, math.hypot(*v_4)]
    for name, title in (("billiard_break", "Break"), ("billiard_break_rolling",
                                                      "Break, rolling resistance")):
        run = program.once(name)
        found.bound(name, "most iterations", most_iterations(run), "P, note 3", high=7)
        loose = program.run(name, ["/simulation/integrator/tolerance=1e-5"])
        found.bound(name, "most iterations with the author's tolerance, 1e−5",
                    most_iterations(loose), "P", high=7)
        if name == "billiard_break":
            times, z = run.columns("time", "ball_2.position.z")
            jump = 1000 * (max(h for t, h in zip(times, z) if t < 0.3) - RADIUS)
            found.check(program, "jump of the cue ball (mm)", jump, (name, "jump of the cue ball"),
                        "D, note 3", 3)
            fine = program.run(name, [step(1e-5), end(0.15)])
            height = 1000 * (max(fine.column("ball_2.position.z")) - RADIUS)
            speed = max(fine.column("ball_2.velocity.z"))
            found.add(name, "jump of the cue ball (mm), h = 1e−5", height,
                      1000 * speed ** 2 / (2 * 9.8), "E, from its velocity", 3, 0.01)
        panels.append(Panel(f"{title}: ways on the table", "x (m)", "y (m)", [
            Curve(*run.columns(f"ball_{k}.position.x", f"ball_{k}.position.y"), f"ball {k}",
                  COLOURS[k - 2]) for k in (2, 3, 4, 5)], x_limits=(0, 2.54), y_limits=(0, 1.27)))
        panels.append(Panel(f"{title}: speeds", "time (s)", "speed (m/s)", [
            Curve(*lengths(run, f"ball_{k}.velocity"), f"ball {k}", COLOURS[k - 2])
            for k in (2, 3, 4, 5)] + marks(x=[struck])
            + [expected([struck] * 3, speeds, "expected after the break")]))
    run = program.once("billiard_break")
    times, z = run.columns("time", "ball_2.position.z")
    panels.insert(2, Panel("The cue ball jumps", "time (s)", "height (mm)", [
        Curve(times, [1000 * (h - RADIUS) for h in z], "ball 2", COLOURS[0])]
        + marks(x=[struck]), x_limits=(0.1, 0.2)))
    times, energy = run.energy()
    rolling = program.once("billiard_break_rolling")
    panels.append(Panel("Energy", "time (s)", "energy (J)", [
        Curve(times, energy, "break", COLOURS[4]),
        Curve(*rolling.energy(), "with rolling resistance", COLOURS[5])]))
    figure("billiard", panels, columns=3, width=310)


def impacts(program):
    found = Findings()
    three_balls(program, found)
    billiard(program, found)
    return {"verify_impacts": verified(program, IMPACTS), "more_impacts": found.table()}


# ---- forces of impacts ---------------------------------------------------------------------------

def first_impact(run):
    return next(row for row in run.forces() if row["kind"] == "impact")


def ball_force_figure(program):
    """Duration and peak force of the first bounce, against what they must be."""
    known = {e: [program.known("bouncing_ball_force", f"e {e:g}, h 0.001: {what}")
                 for what in ("T", "peak")] for e in (1.0, 0.8, 0.6, 0.4, 0.2)}
    durations, peaks = [], []
    styles = ((1e-4, COLOURS[2]), (1e-3, COLOURS[0]), (1e-2, COLOURS[1]))
    for h, colour in styles:
        rows = {e: first_impact(program.run("bouncing_ball_force", [
            f"/model/contacts/bounce/restitution={e}", step(h), end(0.6)])) for e in known}
        label = f"h = {number(h, 1)} s"
        for panel, key, scale in ((durations, "duration", 1e3), (peaks, "peak_force", 1e-3)):
            panel.append(Curve(list(rows), [scale * float(row[key]) for row in rows.values()],
                               label, colour, line=False, marker=True))
    durations.append(expected(list(known), [1000 * t for t, _ in known.values()]))
    peaks.append(expected(list(known), [f / 1000 for _, f in known.values()]))
    ball = program.once("bouncing_ball_force")
    times, z = ball.columns("time", "ball.position.z")
    figure("ball_force", [
        Panel("Ball, restitution 0.6", "time (s)", "height (m)", [
            Curve(times, z, "height of the ball", COLOURS[3])]),
        Panel("First bounce: duration", "coefficient of restitution", "duration (ms)", durations),
        Panel("First bounce: peak force", "coefficient of restitution", "force (kN)", peaks)],
        columns=3, width=310)


def two_forces(program, found):
    """Two spheres head-on, and the crank with its block."""
    known = {e: program.known("two_sphere_impact", f"e = {e}: peak force")
             for e in (0.8, 0.6, 0.4, 0.2)}
    rows = {e: first_impact(program.run("two_sphere_impact", [
        f"/model/contacts/hit/restitution={e}"])) for e in known}
    name = "crank_block_impact"
    run = program.once(name)
    impacts = [row for row in run.forces() if row["kind"] == "impact"]
    found.check(program, "duration of the second impact (s)", float(impacts[1]["duration"]),
                (name, "duration of the second"), "P", 4)
    times, slider, block, v, u = run.columns("time", "slider.position.x", "block.position.x",
                                             "slider.velocity.x", "block.velocity.x")
    strikes = marks(x=[program.known(name, f"{which} impact") for which in ("first", "second")],
                    label="printed")
    figure("two_forces", [
        Panel("Two spheres: duration", "coefficient of restitution", "duration (ms)", [
            Curve(list(rows), [1e3 * float(row["duration"]) for row in rows.values()], "Saltus",
                  COLOURS[0], line=False, marker=True),
            expected([0.8, 0.2], [0.160, 0.226], "printed")]),
        Panel("Two spheres: peak force", "coefficient of restitution", "force (N)", [
            Curve(list(rows), [float(row["peak_force"]) for row in rows.values()], "Saltus",
                  COLOURS[0], line=False, marker=True),
            expected(list(known), list(known.values()))]),
        Panel("Crank and block", "time (s)", "x (m)", [
            Curve(times, slider, "slider", COLOURS[1]), Curve(times, block, "block", COLOURS[2])]
              + strikes),
        Panel("Crank and block", "time (s)", "velocity (m/s)", [
            Curve(times, v, "slider", COLOURS[1]), Curve(times, u, "block", COLOURS[2])]
              + strikes)], columns=4, width=250)


def forces(program):
    found = Findings()
    two_forces(program, found)
    ball_force_figure(program)
    return {"verify_forces": verified(program, FORCES), "more_forces": found.table()}


# ---- clearance and bearings ----------------------------------------------------------------------

TURN = 0.012  # s, of the slider-crank at 5000 rpm


def clearance(program, found):
    """Returns rows without a verdict."""
    rows, orbits, lasting, speeds = [], [], [], []
    ideal_name = "clearance_slider_crank_ideal"
    ideal = program.once(ideal_name)
    times, pull = ideal.columns("time", "slider_pin.force.x")
    lasting.append(exact(times, [abs(f) for f in pull], "rigid, no clearance"))
    speeds.append(exact(*ideal.columns("time", "slider.velocity.x"), "rigid, no clearance"))
    for name, mm, printed, colour in (("005", 0.05, "near 0", COLOURS[0]),
                                      ("010", 0.1, "≈ 700", COLOURS[1])):
        example = f"clearance_slider_crank_{name}"
        run = program.once(example)
        turn = [row for row in run.forces() if float(row["time"]) > TURN]
        struck = [row for row in turn if row["kind"] == "impact"]
        steps = [row for row in turn if row["kind"] == "step"]
        strongest = max((float(row["peak_force"]) for row in struck), default=0)
        most = max(float(row["continuous_force"]) for row in steps)
        share = len(steps) / round(TURN / 1e-6)
        coarse = program.run(example, [step(2e-6), record(10)])
        known = coarse.columns("time", "slider.velocity.x")
        there = run.columns("time", "slider.velocity.x")
        away = sum(abs(a - b) for a, b in zip(known[1], there[1])) / sum(map(abs, there[1]))
        found.bound(example, "h = 2e−6 instead of 1e−6: change of the slider's velocity, relative",
                    away, "P", high=0.01, digits=2)
        if name == "005":
            found.bound(example, "share of the second turn in contact", share, "P", low=0.95)
        else:
            found.bound(example, "share of the second turn in contact", share, "P", high=0.95)
        rows += [[f"`{example}`", "strongest impact, second turn (N)", number(strongest), printed],
                 ["", "impacts, of these overlapping", f"{len(struck)}, "
                  f"{sum(row['overlaps'] == '1' for row in struck)}", "–"],
                 ["", "largest continuous force (N)", number(most), "–"]]
        label = f"{mm} mm"
        times, x, y = run.columns("time", "joint.eccentricity.x", "joint.eccentricity.y")
        second = [k for k, t in enumerate(times) if t > TURN]
        orbits.append(Panel(f"Pin in the eye, {label}", "x (mm)", "y (mm)", [
            exact([mm * math.cos(k / 30) for k in range(190)],
                  [mm * math.sin(k / 30) for k in range(190)], "clearance"),
            Curve([1000 * x[k] for k in second], [1000 * y[k] for k in second], label, colour,
                  width=1)], x_limits=(-1.2 * mm, 1.2 * mm), y_limits=(-1.2 * mm, 1.2 * mm)))
        thin = steps[::20]
        lasting.append(Curve([float(row["time"]) for row in thin],
                             [float(row["continuous_force"]) for row in thin], label, colour,
                             width=1))
        speeds.append(Curve(times, there[1], label, colour, width=1.2))
    figure("clearance", orbits + [
        Panel("Force of lasting contact", "time (s)", "force (N)", lasting
              + [expected([TURN, 1.5 * TURN], [program.known(ideal_name, "pin force at 0°"),
                                               program.known(ideal_name, "pin force at 180°")])],
              x_limits=(TURN, 2 * TURN)),
        Panel("Slider", "time (s)", "velocity (m/s)",
              speeds + marks(y=[program.known(ideal_name, "speed of the slider")]),
              x_limits=(TURN, 2 * TURN))], columns=4, width=250, height=250)
    return rows


def bearing(program, found):
    name = "ball_bearing"
    load = program.known(name, "largest force of a ball")
    run = program.once(name)
    summary = run.summary["ball_bearings"]["bearing"]
    stress = summary["inner_stress"]
    peak = largest(summary["inner_loads"])
    found.check(program, "largest force of a ball (N)", peak, (name, "largest force of a ball"), "P")
    for key, title in (("peak_pressure", "pressure"), ("shear_stress", "shear"),
                       ("octahedral_stress", "octahedral shear")):
        found.check(program, f"largest {title} (MPa)", stress[key] / 1e6,
                    (name, f"largest {title}"), "P, note 1", 4)
    places, loads = lasting_loads(run)
    gaps = sorted(abs(f - bearing_load(a)) for a, f in zip(places, loads))
    found.add(name, "lasting force − Q sin(45° − θ)/sin 45° (N): median", gaps[len(gaps) // 2], 0,
              "E", 2, 1)
    found.add(name, "the same, exceeded in 1 % of the rows", gaps[int(0.99 * len(gaps))], 0,
              "E, note 1", 3, 0.02 * load)
    found.add(name, "the same, largest", gaps[-1], 0, "E, note 1", 3, 0.02 * load)
    times, ratio = run.columns("time", "bearing.cage_ratio")
    chosen = sorted(zip(places, loads))[::120]
    one = run.columns("time", "bearing.ball0.load_outer")
    figure("bearing", [
        Panel("Force of a ball over its place", "angle from the bottom (°)", "force (N)", [
            sampled(bearing_load, -60, 60), Curve(*zip(*chosen), "all balls", COLOURS[0],
                                                  line=False, marker=True)],
              x_limits=(-60, 60)),
        Panel("Force of one ball", "time (s)", "force (N)", [
            Curve(*one, "ball 0 on the outer race", COLOURS[1], width=1.1)] + marks(y=[load])),
        Panel("Cage speed over inner speed", "time (s)", "ratio", [
            Curve(times, ratio, "ratio", COLOURS[2], width=1.1)]
            + marks(y=[program.known(name, "cage over inner speed")]), y_limits=(0.375, 0.388))], columns=3, width=310)


def lasting_loads(run, after=0.1):
    """Angles of balls from the bottom (°) and the forces of lasting contact on the outer race."""
    places, loads, times = [], [], run.column("time")
    rows = {round(t, 7): k for k, t in enumerate(times)}
    for row in run.forces():
        if row["kind"] != "step" or not row["contact"].startswith("bearing.outer"):
            continue
        ball = row["contact"].split(".")[3]
        k = rows.get(round(float(row["time"]), 7))
        if k is None or times[k] < after:
            continue
        angle = run.column(f"bearing.{ball}.angle")[k] + math.pi / 2
        places.append(math.degrees(math.remainder(angle, 2 * math.pi)))
        loads.append(float(row["continuous_force"]))
    return places, loads


def bearing_load(degrees, load=100.0):
    away = math.radians(45) - abs(math.radians(degrees))
    return load * math.sin(away) / math.sin(math.pi / 4) if away > 0 else 0.0


def largest(loads):
    return max(load["peak"] for load in loads)


def rigid_pin(program):
    """bearing_slider_crank_rigid with a pin without clearance in place of the bearing."""
    text = (ROOT / "examples" / "bearing_slider_crank_rigid.json").read_text()
    document = json.loads(text)
    model = document["model"]
    del model["ball_bearings"]
    model["bodies"] = [b for b in model["bodies"] if not b["name"].endswith("_race")]
    model["joints"] = [j for j in model["joints"] if not j["name"].endswith("_seat")]
    model["joints"].append({"name": "pin", "type": "revolute", "bodies": ["crank", "rod"],
                            "at": [0.11, 0, 0], "axis": [0, 0, 1]})
    path = pathlib.Path(program.scratch) / "rigid_pin.json"
    path.write_text(json.dumps(document))
    return program.run(str(path.with_suffix("")))


def bearing_crank(program, found):
    """Returns rows without a verdict."""
    rows, panels, turn = [], [], 2 * math.pi / 50
    for name in ("rigid", "flexible"):
        example = f"bearing_slider_crank_{name}"
        printed = program.known(example, "largest force")
        run = program.once(example)
        summary, outer = run.summary["ball_bearings"]["bearing"], \
            run.summary["contacts"]["bearing.outer"]
        peak, strongest = largest(summary["outer_loads"]), outer["peak_impact_force"]
        rows += [[f"`{example}`", "largest force of lasting contact (N)", number(peak),
                  f"≈ {printed}"],
                 ["", "strongest impact on the outer race (N)", number(strongest), "–"],
                 ["", "counted from (s)", number(summary["counted_from"]), "–"]]
        found.bound(example, "largest force, of lasting contact or an impact (N): order of magnitude",
                    max(peak, strongest), f"P, ≈ {printed} N", printed / math.sqrt(10),
                    printed * math.sqrt(10))
        if name == "rigid":
            stress, at = summary["inner_stress"], largest(summary["inner_loads"])
            for key, title in (("peak_pressure", "pressure"), ("shear_stress", "shear"),
                               ("octahedral_stress", "octahedral shear")):
                found.check(program, f"{title} at 9100 N (GPa)",
                            stress[key] / 1e9 * (printed / at) ** (1 / 3),
                            (example, f"{title} at 9100 N"), "P, note 2", 3)
        curves = []
        for k, colour in zip((0, 2, 4, 6), COLOURS):
            curves.append(Curve(*run.columns("time", f"bearing.ball{k}.load_outer"), f"ball {k}",
                                colour, width=1))
        panels.append(Panel(f"Balls on the outer race, {name}", "time (s)", "force (N)",
                            curves + marks(y=[printed], label="printed peak"),
                            y_limits=(0, 2.4 * printed)))
    pin = rigid_pin(program)
    name = "bearing_slider_crank_ideal"
    no_clearance = program.known("bearing_slider_crank_rigid", "pin force at 0°, no clearance")
    found.add(name, "rigid bodies of 4 kg: pin force at 0° (N)", abs(pin.at("pin.force.x", turn)),
              no_clearance, "E", 5, 1.0)
    ideal = program.once(name)
    found.add(name, "as the file: pin force at 0°, second turn (N)",
              abs(ideal.at("pin.force.x", turn)), 1500, "D, note 2", 4, 75)
    panels.append(Panel("Pin without clearance", "time (s)", "force along x (N)", [
        Curve(pin.column("time"), [-f for f in pin.column("pin.force.x")], "rigid, rod of 4 kg",
              COLOURS[4]),
        Curve(ideal.column("time"), [-f for f in ideal.column("pin.force.x")],
              "beams, rod of 2 kg", COLOURS[5], width=1)]
        + [expected([turn * k for k in range(1, 5)], [no_clearance] * 4)]))
    figure("bearing_crank", panels, columns=3, width=310)
    return rows


def bearings(program):
    found = Findings()
    rows = clearance(program, found)
    bearing(program, found)
    rows += bearing_crank(program, found)
    return {"without_a_verdict": table(["example", "quantity", "measured", "printed"], rows),
            "more_bearings": found.table()}
