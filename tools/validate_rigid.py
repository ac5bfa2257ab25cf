# SPDX-License-Identifier: Apache-2.0
"""Section 1 of docs/validation.md: the rigid examples of Galvez' thesis, with their figures."""
import math

from validate_plots import (COLOURS, Curve, Panel, exact, expected, figure, marks, sampled,
                            slope_two)
from validate_runs import (Findings, end, fitted_slope, geometric, iterations, number, record, step,
                           table)


# ---- known solutions -----------------------------------------------------------------------------

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

    @classmethod
    def cut_short(cls, h):
        """How early the ball may rest: each bounce shortens what is left by up to h/(1 − e), and
        bounces end when their flight takes a step."""
        bounces = math.log(2 * cls.e * cls.first / h) / math.log(1 / cls.e)
        return bounces * h / (1 - cls.e)


class Incline:
    """The exact motion of incline_point_mass."""
    angle, mu, speed = math.pi / 12, 0.3, 2.0
    normal, weight = 9.81 * math.cos(math.pi / 12), 9.81 * math.sin(math.pi / 12)
    brake = weight + mu * normal
    stop = speed / brake

    @classmethod
    def position(cls, t):
        return cls.speed * t - cls.brake * t * t / 2 if t < cls.stop else cls.stop

    @classmethod
    def velocity(cls, t):
        return max(0.0, cls.speed - cls.brake * t)


# ---- the examples --------------------------------------------------------------------------------

def ball_findings(program, found):
    name, h = "bouncing_ball", 1e-3
    run = found.run(name, h, program.run(name))
    impacts = run.times_of("impact")
    for k in range(3):
        found.check(program, f"impact {k + 1} (s)", impacts[k],
                    (name, f"time of impact {k + 1}"), "E")
    found.add(name, "last bounce (s)", impacts[-1], Ball.rest, "E, note 5",
              tolerance=Ball.cut_short(h))
    for fine in (1e-4, 1e-5):
        last = program.run(name, [step(fine), record(1000)]).times_of("impact")[-1]
        found.add(name, f"last bounce (s), h = {number(fine, 1)}", last, Ball.rest, "E, note 5",
                  tolerance=Ball.cut_short(fine))
    found.check(program, "speed at 5 s (m/s)", run.last("ball.velocity.z"),
                (name, "speed at 5 s"), "E")

    times, z, v = run.columns("time", "ball.position.z", "ball.velocity.z")
    strikes = [(float(e["time"]), float(e["impulse_n"])) for e in run.events("impact")]
    speed = Ball.g * Ball.first
    known = [(Ball.impact(k + 1), (1 + Ball.e) * speed * Ball.e ** k) for k in range(12)]
    figure("ball", [
        Panel("Height", "time (s)", "z (m)", [sampled(Ball.position, 0, 5, 2500),
                                              Curve(times, z, "h = 0.001 s", COLOURS[0])]
              + marks(x=[Ball.rest], label="accumulation")),
        Panel("Velocity", "time (s)", "v (m/s)", [Curve(times, v, "h = 0.001 s", COLOURS[0])]
              + marks(x=[Ball.rest], label="accumulation")),
        Panel("Impulses of impacts", "time (s)", "impulse (N s)", [
            Curve(*zip(*strikes), "h = 0.001 s", COLOURS[0], line=False, marker=True),
            expected(*zip(*known), "exact impacts")])], columns=3, width=310)


def top_findings(program, found):
    name, h = "spinning_top", 1e-4
    run = found.run(name, h, program.run(name))
    known_energy = program.known(name, "energy")
    places = {t: [program.known(name, f"{axis} at {number(t)} s") for axis in "xyz"]
              for t in (0.5, 1.0, 2.0)}
    axes = [f"top.position.{c}" for c in "xyz"]
    times, *xyz = run.columns("time", *axes)
    for t in places:
        for axis in "xyz":
            found.check(program, f"{axis} at {number(t)} s (m)", run.at(f"top.position.{axis}", t),
                        (name, f"{axis} at {number(t)} s"), "D", 7)
    _, energy = run.energy()
    worst = max(energy, key=lambda e: abs(e - known_energy))
    found.check(program, "energy, where it is farthest off (J)", worst, (name, "energy"), "E", 9)
    stretch = max((math.sqrt(sum(c * c for c in place)) - 1 for place in zip(*xyz)), key=abs)
    found.check(program, "length of the position − 1 (m), largest", stretch,
                (name, "change of length"), "E", 2)

    steps, errors = geometric(1e-3, 6.25e-5, 9), []
    for size in steps:
        fine = program.run(name, [step(size), end(1.0), record(1)])
        errors.append(math.dist([fine.last(axis) for axis in axes], places[1.0]))
    found.bound(name, "observed order in h", fitted_slope(steps, errors), "E", low=1.8, digits=3)
    figure("top", [
        Panel("Centre of mass, h = 0.0001 s", "time (s)", "position (m)",
              [Curve(times, values, axis, colour)
               for axis, values, colour in zip("xyz", xyz, COLOURS)] +
              [expected([t] * 3, place) for t, place in places.items()]),
        Panel("Error of the place at 1 s", "step h (s)", "error (m)", [
            Curve(steps, errors, "error", COLOURS[4], marker=True),
            slope_two(steps[-1], steps[0], 1.6 * errors[0])], True, True),
        Panel("Energy", "time (s)", f"energy − {known_energy:.5f} (mJ)", [
            Curve(times, [1000 * (e - known_energy) for e in energy], "energy", COLOURS[3])]
              + marks(y=[0]))], columns=3, width=310)


def incline_findings(program, found):
    name, h = "incline_point_mass", 1e-3
    run = found.run(name, h, program.run(name))
    normal, weight, stop, slip = Incline.normal, Incline.weight, Incline.stop, \
        Incline.mu * Incline.normal
    sticks = run.times_of("sticks")[0]
    found.check(program, "stops (s)", sticks, (name, "time of the stop"), "E")
    found.check(program, "stops (s), printed", sticks, (name, "time of the stop, printed"),
                "P, note 1")
    found.check(program, "x at rest (m)", run.last("mass.position.x"), (name, "x at rest"), "E")
    found.check(program, "normal impulse a step (N s)", run.at("touch.impulse.n", 0.2),
                (name, "normal impulse"), "E")
    slipping = program.reference(name, "friction, slipping")
    found.add(name, "friction, slip (N s)", abs(run.at("touch.impulse.t1", 0.2)),
              -slipping["value"], "E", tolerance=slipping["tolerance"])
    found.check(program, "friction, stick (N s)", run.at("touch.impulse.t1", 1.0),
                (name, "friction, sticking"), "E")
    long = program.run(name, [end(11.0), record(1000)])
    found.add(name, "creep from 1 s to 11 s (m)",
              long.last("mass.position.x") - long.at("mass.position.x", 1.0), 0, "E",
              tolerance=1e-11)
    free = program.run(name, ["/simulation/integrator/position_friction=false"])
    drift = h / 2 * slip * stop - h / 2 * weight * (2 - stop)
    found.add(name, "error of x(2 s) without friction at position level (m)",
              free.last("mass.position.x") - stop, drift, "E", 4, 5e-6)

    times, x, v, n, t = run.columns("time", "mass.position.x", "mass.velocity.x",
                                    "touch.impulse.n", "touch.impulse.t1")
    shifted = [1000 * (a - Incline.position(b)) for a, b in
               zip(free.column("mass.position.x"), free.column("time"))]
    figure("incline", [
        Panel("Position and velocity", "time (s)", "x (m), v (m/s)", [
            sampled(Incline.position, 0, 1), sampled(Incline.velocity, 0, 1),
            Curve(times, x, "x", COLOURS[0]), Curve(times, v, "v", COLOURS[1])]
              + marks(x=[stop]), x_limits=(0, 1)),
        Panel("Error of the position", "time (s)", "x − exact (mm)", [
            Curve(times, [1000 * (a - Incline.position(b)) for a, b in zip(x, times)],
                  "with friction at position level", COLOURS[0]),
            Curve(free.column("time"), shifted, "without", COLOURS[1])]
              + marks(y=[1000 * drift])),
        Panel("Impulses a step", "time (s)", "impulse (mN s)", [
            Curve(times[1:], [1000 * p for p in n[1:]], "normal", COLOURS[2]),
            Curve(times[1:], [1000 * p for p in t[1:]], "friction", COLOURS[3])]
              + marks(y=[1000 * normal * h, -1000 * slip * h, 1000 * weight * h]),
              x_limits=(0, 1))], columns=3, width=310)


def box_findings(program, found):
    name, spin, mass, smallest = "rigid_box_impact", 60 * math.sqrt(2), 46.8, 0.195
    struck, known_impulse, known_z, known_v_z, *known_rates = box_numbers(program)
    runs = {}
    for h in (1e-3, 1e-5):
        run = program.run(name, [step(h), record(max(1, round(1e-3 / h)))])
        runs[h] = found.run(name, h, run)
        impact = run.events("impact")[0]
        at = f", h = {number(h, 1)}"
        turned = known_impulse * spin * h  # if the box is struck a step late
        found.add(name, f"impact (s){at}", float(impact["time"]), struck, "D", tolerance=h)
        found.add(name, f"impulse (N s){at}", float(impact["impulse_n"]), known_impulse, "D", 5,
                  turned)
        found.add(name, f"number of impacts{at}", float(len(run.events("impact"))), 1, "D",
                  tolerance=0)
        found.add(name, f"z at 0.69 s (m){at}", run.last("box.position.z"), known_z, "D", 5,
                  turned / mass * (0.69 - struck))
        found.add(name, f"v_z at 0.69 s (m/s){at}", run.last("box.velocity.z"), known_v_z, "D", 5,
                  turned / mass)
        # With larger steps the tolerance is as large as the spin: nothing is compared.
        rates = zip("xyz", body_rates(run), known_rates) if h < 1e-4 else []
        for axis, value, known in rates:
            found.add(name, f"Ω_{axis} at 0.69 s, body axes (rad/s){at}", value, known, "D", 4,
                      turned * 0.15 / smallest)
        found.add(name, f"v_x − 3 (m/s){at}", run.last("box.velocity.x") - 3, 0, "E",
                  tolerance=1e-12)

    gaps, rates, heights = [], [], []
    for h, colour in ((1e-3, COLOURS[1]), (1e-5, COLOURS[0])):
        run, label = runs[h], f"h = {number(h, 1)} s"
        corner = run.events("impact")[0]["contact"]
        times, gap, z, v = run.columns("time", f"{corner}.gap", "box.position.z",
                                       "box.velocity.z")
        gaps.append(Curve(times, gap, label, colour))
        rates.append(Curve(times, v, label, colour))
        heights.append(Curve(times, z, label, colour))
    strike = marks(x=[struck])
    figure("box", [
        Panel("Gap of the corner that strikes", "time (s)", "gap (m)", gaps + strike),
        Panel("Height of the centre", "time (s)", "z (m)", heights + strike
              + [expected([0.69], [known_z])]),
        Panel("Velocity of the centre", "time (s)", "v_z (m/s)", rates + strike
              + [expected([0.69], [known_v_z])])], columns=3, width=310)


def box_numbers(program):
    """Time and impulse of the impact; z, v_z and Ω in body axes at 0.69 s."""
    return [program.known("rigid_box_impact", quantity) for quantity in (
        "time of impact", "impulse", "z at 0.69 s", "v_z at 0.69 s", "Ω_x at 0.69 s",
        "Ω_y at 0.69 s", "Ω_z at 0.69 s")]


def body_rates(run):
    """The last angular velocity of the box in its own axes."""
    w, x, y, z = [run.last(f"box.orientation.{c}") for c in "wxyz"]
    rates = [run.last(f"box.angular_velocity.{c}") for c in "xyz"]
    rotation = [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]
    return [sum(rotation[i][j] * rates[i] for i in range(3)) for j in range(3)]


def box_spins(program):
    """The state at 0.69 s for smaller and smaller steps."""
    rows = []
    for h in (1e-3, 3e-4, 1e-4, 1e-5, 1e-6):
        run = program.run("rigid_box_impact", [step(h), record(round(3e-3 / h))])
        impulse = float(run.events("impact")[0]["impulse_n"])
        rows.append([number(h, 1)] + [number(w, 4) for w in body_rates(run)]
                    + [number(run.last("box.position.z"), 5), number(impulse, 5)])
    _, impulse, z, _, *rates = box_numbers(program)
    rows.append(["D, 1e−6"] + [number(value, 5) for value in rates + [z, impulse]])
    return table(["h (s)", "Ω_x (rad/s)", "Ω_y (rad/s)", "Ω_z (rad/s)", "z (m)", "impulse (N s)"],
                 rows)


ROD_IMPACTS = ["impact 1, support 1", "impact 1, support 2", "impact 2, support 1"]


def rod_findings(program, found):
    h, weight = 1e-3, 0.48 * 9.8
    runs = {}
    for k in (1, 2, 3, 4):
        name = f"rocking_rod_{k}"
        runs[k] = found.run(name, h, program.run(name))
    name, run = "rocking_rod_1", runs[1]
    one, two = run.times_of("impact", "support_1"), run.times_of("impact", "support_2")
    second = [t for t in one if t > two[0]][0]
    found.check(program, "first impact on support 1 (s)", one[0], (name, "first impact"), "E", 4)
    for quantity, time, row in (
            ("first impact on support 1 (s)", one[0], ROD_IMPACTS[0]),
            ("first impact on support 2 (s)", two[0], ROD_IMPACTS[1]),
            ("second impact on support 1 (s)", second, ROD_IMPACTS[2])):
        found.check(program, quantity, time, (name, row), "D, note 2", 3)
    found.add(name, "centre of mass x at rest (m)", run.last("rod.position.x"), -0.0091,
              "D, note 2", 3)
    found.add("rocking_rod_2", "centre of mass x at rest (m)", runs[2].last("rod.position.x"),
              -0.0453, "D, note 2", 3)
    name, run = "rocking_rod_3", runs[3]
    x = run.last("rod.position.x")
    slope = math.atan(0.1)
    forces = [[run.last(f"support_{i}.impulse.{c}") / h for c in ("n", "t1")] for i in (1, 2)]
    for i in (1, 2):
        found.check(program, f"normal force, support {i} (N)", forces[i - 1][0],
                    (name, f"normal force {i}"), "P", 4)
    found.add(name, "sum of the normal forces (N)", forces[0][0] + forces[1][0],
              weight * math.cos(slope), "E", tolerance=1e-6)
    tangential = abs(forces[0][1] + forces[1][1])
    found.check(program, "sum of the tangential forces (N)", tangential,
                (name, "sum of tangential forces"), "P", 4)
    found.add(name, "sum of the tangential forces (N)", tangential, weight * math.sin(slope), "E",
              tolerance=1e-6)
    found.check(program, "centre of mass x at rest (m)", x, (name, "x at rest"), "P, note 2", 3)
    found.add(name, "y + 0.02 + 0.1 x at rest (m)", run.last("rod.position.y") + 0.02 + 0.1 * x, 0,
              "E", tolerance=1e-9)
    found.add("rocking_rod_4", "centre of mass x at rest (m)", runs[4].last("rod.position.x"),
              -0.0045, "D, note 2", 3)
    for k, run in runs.items():
        speed = max(abs(run.last("rod.velocity.x")), abs(run.last("rod.velocity.y")))
        found.check(program, "speed at 1.5 s (m/s)", speed,
                    (f"rocking_rod_{k}", "speed at 1.5 s"), "E")
        found.add(f"rocking_rod_{k}", "inaccurate steps", float(run.summary["inaccurate_steps"]),
                  0, "E", tolerance=0)
    rod_figure(program, runs, h)


def rod_figure(program, runs, h):
    panels = []
    impacts = [program.known("rocking_rod_1", row) for row in ROD_IMPACTS]
    for title, pair, times in (("Cases I and II", (1, 2), impacts),
                               ("Cases III and IV", (3, 4), [])):
        curves = []
        for k, dash in zip(pair, (None, "5 3")):
            for support, colour in ((1, COLOURS[0]), (2, COLOURS[1])):
                t, gap = runs[k].columns("time", f"support_{support}.gap")
                curves.append(Curve(t, [1000 * g for g in gap],
                                    f"gap {support}, case I, III" if dash is None
                                    else f"gap {support}, case II, IV", colour, dash=dash))
        panels.append(Panel(title, "time (s)", "gap (mm)",
                            curves + marks(x=times, label="expected, case I"), x_limits=(0, 1)))
    forces = []
    for support, colour in ((1, COLOURS[2]), (2, COLOURS[3])):
        t, n = runs[3].columns("time", f"support_{support}.impulse.n")
        forces.append(Curve(t, [p / h for p in n], f"normal force {support}, case III", colour))
    panels.append(Panel("Forces, case III", "time (s)", "force (N)",
                        forces + marks(y=[program.known("rocking_rod_3", f"normal force {i}")
                                          for i in (1, 2)]), x_limits=(0.75, 1.1),
                        y_limits=(0, 6)))
    figure("rods", panels, columns=3, width=310)


def belt_findings(program, found):
    name, h = "block_on_belt", 1e-3
    run = found.run(name, h, program.run(name))
    impacts = run.times_of("impact")
    bounces = [f"bounce {k}" for k in (1, 2, 3, 4)]
    for row, time in zip(bounces, impacts):
        found.check(program, f"{row} (s)", time, (name, row), "D", 4)
    found.check(program, "last bounce (s), printed", impacts[-1], (name, "last bounce, printed"),
                "P, note 3", 3)
    slips = [t for t in run.times_of("slips") if t > impacts[-1] + 0.01][0]
    found.check(program, "slip begins (s)", slips, (name, "slip begins"), "D", 4)
    found.check(program, "slip begins (s), printed", slips, (name, "slip begins, printed"),
                "P, note 3", 3)
    balance, radius = program.known(name, "x where slip begins"), program.known(name, "amplitude")
    found.check(program, "x where slip begins (m)", run.at("block.position.x", slips),
                (name, "x where slip begins"), "E", 5)
    times, x, v, z = run.columns("time", "block.position.x", "block.velocity.x",
                                 "block.position.z")
    found.check(program, "amplitude of the slip oscillation (m)",
                max(value for t, value in zip(times, x) if t > slips) - balance,
                (name, "amplitude"), "E", 5)
    tops = [times[i - 1] + (times[i] - times[i - 1]) * v[i - 1] / (v[i - 1] - v[i])
            for i in range(1, len(v)) if times[i] > slips and v[i - 1] > 0 >= v[i]]
    found.check(program, "period of the slip oscillation (s)", tops[1] - tops[0],
                (name, "period"), "E", 5)

    stages = [("bounces", 0, impacts[-1], COLOURS[1]), ("sticks", impacts[-1], slips, COLOURS[2]),
              ("slips", slips, 3, COLOURS[0])]

    def staged(a, b, scale=1.0):
        curves = []
        for label, start, stop, colour in stages:
            part = [(p, scale * q) for t, p, q in zip(times, a, b) if start <= t <= stop + h]
            curves.append(Curve(*zip(*part), label, colour))
        return curves

    circle = [2 * math.pi * k / 200 for k in range(201)]
    figure("belt", [
        Panel("Height", "time (s)", "z (mm)", staged(times, z, 1000)
              + marks(x=[program.known(name, row) for row in bounces]), x_limits=(0, 0.8)),
        Panel("Way", "time (s)", "x (m)", staged(times, x)
              + marks(x=[program.known(name, "slip begins")], y=[balance])),
        Panel("Phase portrait", "x (m)", "v (m/s)", [
            exact([balance + radius * math.cos(a) for a in circle],
                  [math.sin(a) for a in circle], "exact limit cycle")] + staged(x, v))],
        columns=3, width=310)


def chain_findings(program, found):
    name = "sliding_masses"
    for h, of in ((1e-3, ", h 1e-3"), (1e-4, "")):
        first = program.known(name, "way of the first mass" + of)
        last = program.known(name, "place of the last mass" + of) + 1
        run = found.run(name, h, program.run(name, [step(h), record(max(1, round(5e-4 / h)))]))
        at = f", h = {number(h, 1)}"
        times, x = run.columns("time", "m21.position.x")
        moves = next(t for t, value in zip(times, x) if value + 1 > 1e-6)
        u_1, u_21 = run.last("m1.position.x"), run.last("m21.position.x") + 1
        found.check(program, f"last mass has moved by 1 µm (s){at}", moves,
                    (name, "last mass moves" + of), "D", 4)
        if h == 1e-4:
            found.check(program, f"last mass has moved by 1 µm (s){at}", moves,
                        (name, "arrival of the wave"), "E, note 4", 4)
        found.add(name, f"final u of mass 1 (m){at}", u_1, first, "D", 4, 1e-4)
        found.add(name, f"final u of mass 21 (m){at}", u_21, last, "D", 4, 1e-4)
        found.add(name, f"final length − initial length (m){at}", u_1 - u_21, first - last, "D", 2,
                  2e-4)
    found.check(program, "final length − initial length (m), h = 0.0001", u_1 - u_21,
                (name, "change of the length"), "E", 2)

    shown = [1, 6, 11, 16, 21]
    times, *places = run.columns("time", *[f"m{k}.position.x" for k in shown])
    _, *speeds = run.columns("time", *[f"m{k}.velocity.x" for k in shown])
    length = [1000 * (a - b - 1) for a, b in zip(places[0], places[-1])]
    figure("chain", [
        Panel("Displacements, h = 0.0001 s", "time (s)", "u (m)",
              [Curve(times, [x + 0.05 * (k - 1) for x in values], f"mass {k}", colour)
               for k, values, colour in zip(shown, places, COLOURS)]
              + [expected([1.5, 1.5], [first, last])]),
        Panel("Velocities: the wave", "time (s)", "v (m/s)",
              [Curve(times, values, f"mass {k}", colour)
               for k, values, colour in zip(shown, speeds, COLOURS)]
              + marks(x=[program.known(name, "last mass moves")]), x_limits=(0, 0.4)),
        Panel("Length", "time (s)", "length − 1 m (mm)", [
            Curve(times, length, "length", COLOURS[5])] + marks(y=[0]))], columns=3, width=310)


def pendulum_findings(program, found):
    name = "pendulum_on_flexible_supports"
    run = found.run(name, 1e-3, program.run(name))
    found.check(program, "first contact (s)", run.times_of("impact")[0],
                (name, "time of impact 1"), "E")
    contact = marks(x=[program.known(name, "time of impact 1")])
    times, status, gap, t1, t2 = run.columns("time", "touch.status", "touch.gap", "touch.slip.t1",
                                             "touch.slip.t2")
    found.bound(name, "steps in slip", float(status.count(1.0)), "P", low=1)
    found.bound(name, "steps in stick", float(status.count(2.0)), "P", low=1)
    turns = run.columns(*[f"plate.rotation.{c}" for c in "xyz"])
    slip = [math.hypot(a, b) if s > 0 else float("nan") for a, b, s in zip(t1, t2, status)]
    figure("plate", [
        Panel("Gap", "time (s)", "gap (mm)", [
            Curve(times, [1000 * g for g in gap], "gap of the tip", COLOURS[0])]
              + contact, x_limits=(0.4, 2), y_limits=(-5, 100)),
        Panel("Slip speed where they touch", "time (s)", "slip (m/s)", broken(
            times, slip, "slip", COLOURS[1]) + contact, x_limits=(0.4, 2)),
        Panel("Rotation of the plate", "time (s)", "rotation (rad)",
              [Curve(times, values, f"about {axis}", colour)
               for axis, values, colour in zip("xyz", turns, COLOURS[2:])]
              + contact)], columns=3, width=310)


def broken(times, values, label, colour):
    """A curve with holes where it is not a number."""
    curves, part = [], []
    for t, value in zip(times, values):
        if math.isnan(value):
            if part:
                curves.append(part)
            part = []
        else:
            part.append((t, value))
    return [Curve(*zip(*points), label, colour, marker=len(points) == 1)
            for points in curves + [part] if points]


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


WOODPECKERS = {"fixed": ("woodpecker_fixed", "woodpecker_fixed", ""),
               "free": ("woodpecker_free", "woodpecker_free", ""),
               "rough": ("woodpecker_free, μ = 0.35", "woodpecker_free", "rough: ")}


def known_cycle(program, key):
    """Frequency and drop that are printed."""
    _, example, friction = WOODPECKERS[key]
    return [program.known(example, friction + quantity)
            for quantity in ("frequency", "drop a cycle")]


def woodpecker_findings(program, found):
    for key, run in woodpecker_runs(program).items():
        name = WOODPECKERS[key][0]
        frequency, drop = known_cycle(program, key)
        found.run(name, 1e-4, run)
        measured = woodpecker_cycle(run)
        found.add(name, "frequency (Hz)", measured[0], frequency, "P", 4, 0.015 * frequency)
        found.add(name, "drop a cycle (mm)", measured[1], drop, "P", 4, 0.015 * drop)
        if key != "fixed":
            found.add(name, "steps with contact 3 closed", float(
                sum(s > 0 for s in run.column("contact_3.status"))), 0, "P", tolerance=0)


def examples(program):
    found = Findings()
    for part in (ball_findings, top_findings, incline_findings, box_findings, rod_findings,
                 belt_findings, chain_findings, pendulum_findings, woodpecker_findings):
        part(program, found)
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
    return {"version": f"The numbers below are of version {version}.", "examples": found.table(),
            "box_spin": box_spins(program), "invariants": invariants}
