# SPDX-License-Identifier: Apache-2.0
"""Stops of joints and ropes by events: closed forms to the last digits, and what time stepping gives."""

import json
import math
import pathlib

import numpy as np
import pytest
from machine import ALPHA, EVENTS, MOREAU, disc, model, pin, run, slide
from test_limits import DOWN, G, RESTITUTION, drop, quarter, stops

LAWS = pytest.mark.parametrize("law", ("energetic", "poisson", "newton", "complementarity"))
WHOLE = {**EVENTS, "restitution_law": "complementarity"}


def check_books(result, scale=1.0):
    """Energy adds up, and no gap was overlooked."""
    assert result.summary["energy"]["residual"] == pytest.approx(0, abs=1e-9 * scale)
    assert result.summary["max_overlooked"] <= 1e-9


@LAWS
@RESTITUTION
def test_a_block_bounces_on_its_stop(e, law):
    mass, height = 2.0, 0.5
    result = run(drop(e, height, mass, end_time=0.9, integrator={**EVENTS, "restitution_law": law}))
    rows = stops(result, "guide")
    t, v = math.sqrt(2 * height / G), math.sqrt(2 * G * height)
    for row in rows[:4]:
        assert row["time"] == pytest.approx(t, abs=1e-12)
        assert [row["before_n"], row["after_n"]] == pytest.approx([-v, e * v], abs=1e-10)
        assert row["impulse_n"] == pytest.approx(mass * (1 + e) * v, rel=1e-11)
        assert row["energy_lost"] == pytest.approx(mass / 2 * (1 - e * e) * v * v, abs=1e-10)
        t += 2 * e * v / G
        v *= e
    assert rows and result["guide.displacement"].min() > -height - 1e-12
    assert result.summary["contacts"]["guide"]["impacts"] == len(rows)
    check_books(result, mass * G * height)


def test_bounces_accumulate_and_the_block_rests():
    """t∞ = (1 + e)/(1 − e) √(2h/g); from then on the stop carries the weight."""
    e, height, mass = 0.5, 0.5, 2.0
    result = run(drop(e, height, mass, end_time=1.2, integrator=EVENTS))
    rows = stops(result)
    end = (1 + e) / (1 - e) * math.sqrt(2 * height / G)
    rest = 2 * 1e-5 / G / (1 - e)  # what is left below the default contact_speed
    assert end - rest <= rows[-1]["time"] <= end and len(rows) > 15
    late = result.time > end + 1e-3
    assert result["guide.displacement"][late] == pytest.approx(-height, abs=1e-13)
    assert result["guide.force.z"][late] == pytest.approx(mass * G, rel=1e-12)
    assert result["energy.impact_loss"][-1] == pytest.approx(mass * G * height, rel=1e-9)
    gained = np.cumsum(result["guide.impulse.z"]) - mass * G * result.time
    assert gained == pytest.approx(mass * result["block.velocity.z"], abs=1e-10)
    assert [row["kind"] for row in result.events][-1] == "closes"
    check_books(result, mass * G * height)


def arm(e, stop=-1.0, **more):
    """A bob without inertia of its own on an arm, released at one radian from its lowest place."""
    angle, length = 1.0, 0.4
    place = [length * math.sin(angle), -length * math.cos(angle), 0]
    joint = pin("pivot", ["ground", "bob"], [0, 0, 0], limits={"lower": stop, "restitution": e})
    return model([disc("bob", place, 1e-9)], [joint], gravity=(0, -G, 0), integrator=EVENTS, **more)


@pytest.mark.parametrize("e", (0.5, 0.8, 1))
def test_a_pendulum_beats_against_its_stop(e):
    result = run(arm(e, end_time=3.0))
    times, amplitude, t = [], 1.0, quarter(1.0)
    for _ in range(6):
        times.append(t)
        amplitude = 2 * math.asin(e * math.sin(amplitude / 2))
        t += 2 * quarter(amplitude)
    times = [t for t in times if t < 3.0]
    rows = stops(result)
    assert [row["time"] for row in rows][:len(times)] == pytest.approx(times, abs=2e-8)  # of the tolerance 1e-10
    energy = 1.0 * G * 0.4 * (1 - math.cos(1.0))
    for k, row in enumerate(rows[:len(times)]):
        assert row["energy_lost"] == pytest.approx(energy * e**(2 * k) * (1 - e * e), abs=1e-8)
    assert result["pivot.angle"].min() > -1.0 - 1e-11
    check_books(result)


def test_a_pendulum_comes_to_rest_on_its_stop():
    result = run(arm(0.5, stop=-0.4, end_time=3.0))
    assert result["pivot.angle"][-1] == pytest.approx(-0.4, abs=1e-13)
    moment = 1.0 * G * 0.4 * math.sin(0.6)
    assert result["pivot.torque.z"][-1] == pytest.approx(moment, rel=1e-10)
    assert result["pivot.force.y"][-1] == pytest.approx(G, rel=1e-10)
    lost = 1.0 * G * 0.4 * (math.cos(0.6) - math.cos(1.0))
    assert result["energy.impact_loss"][-1] == pytest.approx(lost, rel=1e-8)


@pytest.mark.parametrize("scale", (1.0, 1e-3))
@pytest.mark.parametrize("e", (0.6, 1))
def test_an_oscillator_strikes_its_stop(e, scale):
    """Den Hartog's without a drive: x = A cos ωt, a stop at −a, half the amplitude."""
    mass, omega, start, stop = 2.0 * scale**3, 7.0, 0.1 * scale, 0.05 * scale
    guide = slide("guide", ["ground", "block"], [start, 0, 0], "x", limits={"lower": -start - stop, "restitution": e})
    block = disc("block", [start, 0, 0], 0.02 * scale**5, mass)
    spring = {"type": "spring_damper", "between": [{"body": "ground", "position": [-10 * scale, 0, 0]}, {"body": "block"}],
              "stiffness": mass * omega**2, "rest_length": 10 * scale}
    result = run(model([block], [guide], [spring], end_time=2.0, integrator=EVENTS))
    amplitude, t = start, math.acos(-stop / start) / omega
    for row in stops(result)[:8]:
        v = omega * math.sqrt(max(amplitude**2 - stop**2, 0))
        assert row["time"] == pytest.approx(t, abs=2e-8)
        assert row["before_n"] == pytest.approx(-v, abs=1e-7 * omega * start)
        amplitude = math.hypot(stop, e * v / omega)
        t += 2 * math.acos(-stop / amplitude) / omega
    assert len(stops(result)) >= 3
    check_books(result, mass * omega**2 * start**2)


@pytest.mark.parametrize("beyond", (1e-3, 1e-6, 1e-9))
def test_a_stop_that_is_nearly_not_reached_is_seen(beyond):
    """An oscillation of which ever less is beyond the stop, at the default step."""
    def oscillator(stop):
        guide = slide("guide", ["ground", "block"], [0.1, 0, 0], "x", limits={"lower": -stop, "restitution": 1})
        spring = {"type": "spring_damper", "between": [{"body": "ground", "position": [-10, 0, 0]}, {"body": "block"}],
                  "stiffness": 900.0, "rest_length": 10}
        return run(model([disc("block", [0.1, 0, 0])], [guide], [spring], end_time=0.5, integrator=EVENTS))

    reached = oscillator(0.2 * (1 - beyond))
    assert stops(reached)[0]["time"] == pytest.approx(math.acos(-1 + 2 * beyond) / 30, abs=2e-9 / math.sqrt(beyond) + 1e-7)
    assert not stops(oscillator(0.2 * (1 + beyond)))


@pytest.mark.parametrize("rate", (3.0, 30.0, 2000.0))
def test_an_angle_counts_its_turns(rate):
    e, inertia, most, least = 0.5, 0.02, 20.0, -5.0
    limits = {"lower": least, "upper": most, "restitution": e}
    shaft = disc("shaft", [0, 0, 0], inertia, velocity={"angular": [0, 0, rate]})
    result = run(model([shaft], [pin("axle", ["ground", "shaft"], [0, 0, 0], limits=limits)],
                       end_time=1.2 * (most / rate + 2 * (most - least) / (e * rate)), integrator=EVENTS))
    up, down = stops(result)[:2]
    assert up["time"] == pytest.approx(most / rate, rel=1e-12)
    assert down["time"] == pytest.approx(most / rate + (most - least) / (e * rate), rel=1e-12)
    assert up["impulse_n"] == pytest.approx(inertia * (1 + e) * -rate, rel=1e-11) or \
        up["impulse_n"] == pytest.approx(inertia * (1 + e) * rate, rel=1e-11)
    assert [abs(up["before_n"]), abs(up["after_n"])] == pytest.approx([rate, e * rate], rel=1e-11)
    assert down["energy_lost"] == pytest.approx(inertia / 2 * (e * rate) ** 2 * (1 - e * e), rel=1e-10)
    assert result["axle.angle"].max() < most + 1e-9 and result["axle.angle"].min() > least - 1e-9


@LAWS
@RESTITUTION
def test_a_rope_becomes_taut(e, law):
    """The rope takes the speed along it and leaves that across."""
    mass, length, speed = 1.5, 0.5, 1.0
    bob = {"name": "bob", "type": "point_mass", "mass": mass, "pose": {"position": [0.1, 0, -0.1]},
           "velocity": {"linear": [speed, 0, 0]}}
    rope = {"name": "rope", "type": "distance", "limits": {"upper": length, "restitution": e},
            "between": [{"body": "ground"}, {"body": "bob"}]}
    result = run(model([bob], [rope], integrator={**EVENTS, "restitution_law": law}, end_time=0.9))
    taut = math.sqrt(length**2 - 0.01)
    row = stops(result)[0]
    along = speed * taut / length
    assert row["time"] == pytest.approx((taut - 0.1) / speed, abs=1e-12)
    assert [row["before_n"], row["after_n"]] == pytest.approx([-along, e * along], abs=1e-11)
    assert row["energy_lost"] == pytest.approx(mass / 2 * along**2 * (1 - e * e), abs=1e-11)
    x, z, v, w = (result[f"bob.{name}"] for name in ("position.x", "position.z", "velocity.x", "velocity.z"))
    assert z * v - x * w == pytest.approx(-0.1 * speed, abs=1e-9)  # moment of momentum
    assert np.hypot(x, z).max() < length + 1e-12
    if e == 0:  # on a circle from now on
        around = 0.1 / length * speed
        assert np.hypot(v, w)[-1] == pytest.approx(around, rel=1e-9)
        pull = np.hypot(result["rope.force.x"], result["rope.force.z"])[-1]
        assert pull == pytest.approx(mass * around**2 / length, rel=1e-8)
    check_books(result)


def test_a_taut_rope_becomes_slack():
    """A bob on a circle that is too slow for the top: the rope would push from v² = −g z on."""
    length, speed = 0.5, math.sqrt(3.5 * G * 0.5)
    bob = {"name": "bob", "type": "point_mass", "mass": 1.0, "pose": {"position": [0, 0, -length]},
           "velocity": {"linear": [speed, 0, 0]}}
    rope = {"name": "rope", "type": "distance", "limits": {"upper": length}, "between": [{"body": "ground"}, {"body": "bob"}]}
    result = run(model([bob], [rope], gravity=DOWN, end_time=1.0, integrator=EVENTS))
    opens = [row for row in result.events if row["kind"] == "opens"][0]
    # m v²/l = m g cos: with c = z/l, v² = v0² − 2 g l (1 + c) = g l c
    c = (speed**2 / (G * length) - 2) / 3
    v = math.sqrt(G * length * c)
    before = result.time < opens["time"]
    assert np.hypot(result["bob.position.x"], result["bob.position.z"])[before] == pytest.approx(length, abs=1e-12)
    # from there on a parabola, up to where the rope is taut again
    later = np.flatnonzero(~before)[0]
    dt = result.time[later] - opens["time"]
    s = math.sqrt(1 - c * c)
    assert result["bob.position.x"][later] == pytest.approx(length * s - v * c * dt, abs=1e-9)
    assert result["bob.position.z"][later] == pytest.approx(length * c + v * s * dt - G / 2 * dt * dt, abs=1e-9)
    assert stops(result) and stops(result)[0]["time"] > opens["time"]
    check_books(result)


def test_a_rope_joins_what_is_far_apart():
    """Two free bodies that part: momentum is kept, the rope gives e of the speed back."""
    e, length, masses, speed = 0.3, 4.0, (1.0, 3.0), 2.0
    bodies = [{"name": name, "type": "point_mass", "mass": m, "pose": {"position": [x, 0.2 * x, 0]},
               "velocity": {"linear": [v, 0, 0]}} for name, x, m, v in zip("ab", (0.0, 1.0), masses, (0.0, speed))]
    rope = {"name": "rope", "type": "distance", "limits": {"upper": length, "restitution": e},
            "between": [{"body": "a"}, {"body": "b"}]}
    result = run(model(bodies, [rope], end_time=3.0, integrator=EVENTS))
    taut = math.sqrt(length**2 - 0.04)
    row = stops(result)[0]
    assert row["time"] == pytest.approx((taut - 1) / speed, abs=1e-12)
    reduced, along = 0.75, speed * taut / length
    assert row["impulse_n"] == pytest.approx(reduced * (1 + e) * along, rel=1e-11)
    assert row["energy_lost"] == pytest.approx(reduced / 2 * along**2 * (1 - e * e), rel=1e-11)
    for c in "xyz":
        momentum = masses[0] * result[f"a.velocity.{c}"] + masses[1] * result[f"b.velocity.{c}"]
        assert momentum == pytest.approx(momentum[0], abs=1e-12)
        gained = np.cumsum(result[f"rope.impulse.{c}"])  # on the second body
        assert masses[1] * (result[f"b.velocity.{c}"] - result[f"b.velocity.{c}"][0]) == pytest.approx(gained, abs=1e-12)


@pytest.mark.parametrize("integrator", (EVENTS, WHOLE), ids=("energetic", "complementarity"))
def test_two_stops_and_a_floor(integrator):
    """Blocks that a relation moves together strike both of their stops, and rest on them."""
    limits = {"lower": -0.2, "restitution": 0.5}
    blocks = model([disc("a", [0, 0, 0], mass=1.0), disc("b", [1, 0, 0], mass=3.0)],
                   [slide("left", ["ground", "a"], [0, 0, 0], "z", limits=limits),
                    slide("right", ["ground", "b"], [1, 0, 0], "z", limits=limits),
                    {"type": "relation", "joints": ["left", "right"], "coefficients": [1, -1]}],
                   gravity=DOWN, end_time=1.5, integrator=integrator)
    result = run(blocks)
    first = [row for row in stops(result) if row["time"] == stops(result)[0]["time"]]
    assert sum(row["impulse_n"] for row in first) == pytest.approx(4 * 1.5 * math.sqrt(2 * G * 0.2), rel=1e-9)
    assert result["left.force.z"][-1] + result["right.force.z"][-1] == pytest.approx(4 * G, rel=1e-9)
    assert result["left.displacement"].min() > -0.2 - 1e-11
    check_books(result, 4 * G)


@pytest.mark.parametrize("arm_number", (1, 2))
@pytest.mark.parametrize("sign", (1, -1))
def test_the_arms_of_a_cross_have_stops(arm_number, sign):
    axis = [1, 0, 0] if arm_number == 1 else [0, 1, 0]
    moment, inertia = [sign * 0.3 * x for x in axis], 0.02
    cross = {"name": "cross", "type": "universal", "bodies": ["ground", "b"], "at": [0, 0, 0], "axis": "x", "axis_2": "y",
             "limits": {f"angle_{arm_number}": {"lower": -0.5, "upper": 0.8}}}
    result = run(model([disc("b", [0, 0, 0], inertia)], [cross],
                       [{"type": "torque", "on": {"body": "b"}, "value": moment}], end_time=0.8, integrator=EVENTS))
    letter = "xy"[arm_number - 1]
    most = 0.8 if sign > 0 else 0.5
    assert stops(result)[0]["time"] == pytest.approx(math.sqrt(2 * most * inertia / 0.3), abs=1e-11)
    assert result[f"b.rotation.{letter}"][-1] == pytest.approx(sign * most, abs=1e-12)
    assert result[f"cross.torque.{letter}"][-1] == pytest.approx(-sign * 0.3, rel=1e-10)


def test_a_collar_turns_and_slides_up_to_its_stops():
    collar = {"name": "collar", "type": "cylindrical", "bodies": ["ground", "b"], "at": [0, 0, 0], "axis": "z",
              "limits": {"angle": {"upper": 1.0}, "displacement": {"lower": -0.3, "restitution": 0.5}}}
    result = run(model([disc("b", [0, 0, 0], velocity={"angular": [0, 0, 5]})], [collar], gravity=DOWN, end_time=1.5,
                       integrator=EVENTS))
    rows = stops(result)
    assert rows[0]["time"] == pytest.approx(0.2, abs=1e-12)
    assert rows[1]["time"] == pytest.approx(math.sqrt(0.6 / G), abs=1e-12)
    assert result["collar.angle"][-1] == pytest.approx(1.0, abs=1e-12)
    assert result["collar.displacement"][-1] == pytest.approx(-0.3, abs=1e-12)
    assert result["collar.force.z"][-1] == pytest.approx(G, rel=1e-11)


def test_a_stop_that_is_struck_by_a_contact():
    """A ball falls on a lever that rests on its stop: the pivot and the stop take the blow."""
    lever = disc("lever", [0.5, 0, 0], inertia=1 / 12)
    ball = {"name": "ball", "type": "point_mass", "mass": 0.5, "pose": {"position": [1.0, 0, 0.3]}}
    parts = {"colliders": [{"name": "plank", "frame": {"body": "lever"}, "shape": {"type": "face"}},
                           {"name": "bead", "frame": {"body": "ball"}, "shape": {"type": "point"}}],
             "contacts": [{"name": "hit", "between": ["plank", "bead"], "restitution": 0.5}]}
    hinge = {**pin("hinge", ["ground", "lever"], [0, 0, 0]), "axis": "y", "limits": {"upper": 0}}
    result = run(model([lever, ball], [hinge], gravity=DOWN, end_time=0.4, integrator=EVENTS, parts=parts))
    assert result["hinge.torque.y"][1] == pytest.approx(-0.5 * G, rel=1e-11)  # the weight at half a metre
    fall = math.sqrt(0.6 / G)
    hit = [row for row in result.events if row["kind"] == "impact"][0]
    assert hit["time"] == pytest.approx(fall, abs=1e-12)
    gained = np.cumsum(result["hinge.impulse.z"]) - (1.0 + 0.5) * G * result.time
    total = 1.0 * result["lever.velocity.z"] + 0.5 * result["ball.velocity.z"]
    assert gained == pytest.approx(total, abs=1e-10)
    assert result["hinge.angle"].max() < 1e-11
    check_books(result)


def test_an_actuator_presses_against_a_stop_and_lets_go():
    """0.3 N m until 0.6 s, then as much backwards: the stop holds, and lets go at once."""
    hinge = pin("hinge", ["ground", "a"], [0, 0, 0], limits={"upper": 0.5})
    push = {"type": "actuator", "joint": "hinge", "value": {"type": "expression", "text": "0.3*(t<0.6)-0.3*(t>=0.6)"}}
    result = run(model([disc("a", [0, 0, 0])], [hinge], [push], integrator=EVENTS))
    held = (result.time > 0.3) & (result.time < 0.6)
    assert result["hinge.torque.z"][held] == pytest.approx(-0.3, rel=1e-11)
    opens = [row for row in result.events if row["kind"] == "opens"]
    assert opens[0]["time"] == pytest.approx(0.6, abs=1e-14)
    late = result.time > 0.6
    assert result["hinge.angle"][late] == pytest.approx(0.5 - 7.5 * (result.time[late] - 0.6) ** 2, abs=1e-11)


def linkage(integrator, end_time=0.8):
    """A double pendulum whose knee does not bend backwards, and whose hip has two stops."""
    bodies = [disc("thigh", [0, 0.0, -0.2], 0.01), disc("shin", [0, 0.0, -0.6], 0.01)]
    joints = [{**pin("hip", ["ground", "thigh"], [0, 0, 0]), "axis": "y",
               "limits": {"lower": -0.6, "upper": 0.9, "restitution": 0.4}},
              {**pin("knee", ["thigh", "shin"], [0, 0, -0.4]), "axis": "y", "limits": {"lower": 0, "restitution": 0.2}}]
    gravity = (6.0, 0, -6.0)
    return model(bodies, joints, gravity=gravity, integrator=integrator, end_time=end_time,
                 record={"every": max(1, round(1e-2 / integrator["step"]))})


@pytest.mark.parametrize("method", (ALPHA, MOREAU), ids=lambda i: i["type"])
def test_time_stepping_has_the_same_limit(method):
    """With the law of time stepping both give the same as h → 0."""
    exact = run(linkage(WHOLE))
    names = [f"{body}.position.{c}" for body in ("thigh", "shin") for c in "xz"]
    assert len(stops(exact)) >= 3
    errors = []
    for h in (1e-3, 2e-4, 4e-5):
        step = run(linkage({**method, "step": h}))
        errors.append(max(abs(step[name][-1] - exact[name][-1]) for name in names))
    assert errors[2] < 2e-4 and errors[2] < errors[0] / 5, errors


def test_stops_do_not_know_where_and_how_fast_the_scene_is():
    def telescope(turn, boost):
        rotate = np.array(turn)
        place = [list(rotate @ x) for x in ([0, 0, 0], [0.3, 0.1, 0])]
        speed = [list(rotate @ np.array(v) + boost) for v in ([0, 0, 0], [1.0, 0, 0])]
        rail = {**slide("rail", ["a", "b"], place[0], list(rotate @ [1, 0, 0])),
                "limits": {"upper": 0.2, "restitution": 0.7}}
        bodies = [disc(name, x, inertia=0.05, mass=m, velocity={"linear": v})
                  for name, x, m, v in zip("ab", place, (1.0, 2.0), speed)]
        return run(model(bodies, [rail], end_time=0.5, integrator=EVENTS))

    c, s = math.cos(0.7), math.sin(0.7)
    still = telescope(np.eye(3), np.zeros(3))
    moved = telescope([[c, 0, s], [0, 1, 0], [-s, 0, c]], np.array([3.0, -2.0, 1.0]))
    for name in ("time", "impulse_n", "before_n", "after_n", "energy_lost"):
        assert stops(moved)[0][name] == pytest.approx(stops(still)[0][name], abs=1e-10)
    assert stops(still)[0]["after_n"] == pytest.approx(-0.7 * stops(still)[0]["before_n"], rel=1e-11)
    momentum = still["a.velocity.x"] + 2 * still["b.velocity.x"]
    assert momentum == pytest.approx(momentum[0], abs=1e-12)


def test_the_door_by_events():
    path = pathlib.Path(__file__).parents[2] / "examples" / "door.json"
    door = json.loads(path.read_text(encoding="utf-8"))
    door["simulation"]["integrator"] = EVENTS
    result = run(door)
    inertia, e, most = 20 * (0.8**2 + 0.04**2) / 12 + 20 * 0.4**2, 0.4, 1.6
    rate, angle, brake = 28 / inertia * 0.5, 28 / inertia * 0.125, 2 / inertia
    strikes = math.sqrt(rate**2 - 2 * brake * (most - angle))
    first = 0.5 + (rate - strikes) / brake
    shut = first + (math.sqrt((e * strikes) ** 2 + 2 * brake * most) - e * strikes) / brake
    rows = stops(result)
    assert rows[0]["time"] == pytest.approx(first, abs=1e-10)
    assert rows[0]["energy_lost"] == pytest.approx(inertia / 2 * strikes**2 * (1 - e * e), rel=1e-9)
    assert rows[1]["time"] == pytest.approx(shut, abs=1e-9)
    assert result["hinge.angle"][-1] == pytest.approx(0, abs=1e-11)
    assert result["hinge.torque.z"][-1] == pytest.approx(2, rel=1e-10)


def test_a_short_rope_in_a_large_scene():
    """A point that goes round on a rope of a thousandth of the scene's size keeps speed and pull."""
    length, speed, mass = 1e-3, 1.0, 2.0
    points = [{"name": name, "type": "point_mass", "mass": mass, "pose": {"position": place}, "velocity": {"linear": v}}
              for name, place, v in (("near", [length, 0, 0], [0, speed, 0]), ("far", [2.0, 0, 0], [0, 0, 0]))]
    ropes = [{"name": f"{name}_rope", "type": "distance", "limits": {"upper": upper}, "between": [{"body": "ground"}, {"body": name}]}
             for name, upper in (("near", length), ("far", 3.0))]
    slack = {"type": "spring_damper", "between": [{"body": "near"}, {"body": "far"}], "stiffness": 1e-9}
    result = run(model(points, ropes, [slack], end_time=0.05, integrator=EVENTS))
    v = np.hypot(result["near.velocity.x"], result["near.velocity.y"])
    assert v == pytest.approx(speed, rel=1e-6)
    pull = np.hypot(result["near_rope.force.x"], result["near_rope.force.y"])[1:]
    assert pull == pytest.approx(mass * speed**2 / length, rel=1e-5)
    check_books(result, 1e2)
