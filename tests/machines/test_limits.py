# SPDX-License-Identifier: Apache-2.0
"""Stops of joints and ropes against closed forms."""

import json
import math
import pathlib

import numpy as np
import pytest
from machine import ALPHA, EVENTS, MOREAU, disc, messages, model, pin, run, slide

G = 9.81
DOWN = (0, 0, -G)
RESTITUTION = pytest.mark.parametrize("e", (0, 0.5, 1))
STEPPING = pytest.mark.parametrize("integrator", (ALPHA, MOREAU), ids=lambda i: i["type"])


def stops(result, name=None):
    return [row for row in result.events if row["kind"] == "stop" and name in (None, row["contact"])]


def drop(e, height=0.5, mass=2.0, **more):
    """A block on a vertical guide falls on its stop."""
    guide = slide("guide", ["ground", "block"], [0, 0, 0], "z", limits={"lower": -height, "restitution": e})
    return model([disc("block", [0, 0, 0], mass=mass)], [guide], gravity=DOWN, **more)


@STEPPING
@RESTITUTION
def test_a_block_bounces_on_its_stop(e, integrator):
    mass, height, h = 2.0, 0.5, integrator["step"]
    result = run(drop(e, height, mass, end_time=0.9, integrator=integrator))
    first = stops(result, "guide")[0]
    fall, v = math.sqrt(2 * height / G), math.sqrt(2 * G * height)
    # noticed at the end of the step; velocities are those at its beginning, off by g h
    assert first["time"] == pytest.approx(fall, abs=h)
    assert first["before_n"] == pytest.approx(-v, abs=1.1 * G * h)
    assert first["after_n"] == pytest.approx(-e * first["before_n"], abs=1.1 * G * h)
    assert first["impulse_n"] == pytest.approx(mass * (1 + e) * v, abs=3 * mass * G * h)
    assert first["energy_lost"] == pytest.approx(mass / 2 * (1 - e * e) * v * v, abs=4 * mass * v * G * h)
    # the next top of the way, e² of the height
    after = result.time > fall + h
    top = result["guide.displacement"][after].max() + height
    assert top == pytest.approx(e * e * height, abs=4 * v * h)
    sink = 2 * v * h if integrator is MOREAU else 1e-9  # moreau_jean closes gaps by velocities only
    assert result["guide.displacement"].min() > -height - sink
    assert result.summary["energy"]["residual"] == pytest.approx(0, abs=1e-9)
    assert result.summary["contacts"]["guide"]["impacts"] == len(stops(result))


@STEPPING
def test_a_block_at_rest_is_carried_by_its_stop(integrator):
    mass = 2.0
    result = run(drop(0, 0.05, mass, end_time=0.5, integrator=integrator))
    late = result.time > 0.3
    assert result["guide.force.z"][late] == pytest.approx(mass * G, rel=1e-9)
    # everything that acts on the block adds up to its momentum
    gained = np.cumsum(result["guide.impulse.z"]) - mass * G * result.time
    assert gained == pytest.approx(mass * result["block.velocity.z"], abs=1e-9)
    assert np.ptp(result["guide.displacement"][late]) < 1e-12


def arm(e, integrator=ALPHA, **more):
    """A pendulum of length l released at an angle against a stop below its pivot."""
    angle, length = 1.0, 0.4
    place = [length * math.sin(angle), -length * math.cos(angle), 0]
    joint = pin("pivot", ["ground", "bob"], [0, 0, 0], limits={"lower": -angle, "restitution": e})
    return model([disc("bob", place, 1e-9)], [joint], gravity=(0, -G, 0), integrator=integrator, **more)


def quarter(amplitude, length=0.4):
    """T/4 of a pendulum, by the arithmetic-geometric mean."""
    a, b = 1.0, math.cos(amplitude / 2)
    for _ in range(40):
        a, b = (a + b) / 2, math.sqrt(a * b)
    return math.pi / 2 / a * math.sqrt(length / G)


@pytest.mark.parametrize("e", (0.5, 0.8, 1))
def test_a_pendulum_beats_against_its_stop(e):
    h, count = 1.234e-4, 4
    result = run(arm(e, {**ALPHA, "step": h}, end_time=3.0, record={"every": 50}))
    times, amplitude, t = [], 1.0, quarter(1.0)
    for _ in range(count):
        times.append(t)
        amplitude = 2 * math.asin(e * math.sin(amplitude / 2))  # e² of the energy is left
        t += 2 * quarter(amplitude)
    found = [row["time"] for row in stops(result)][:count]
    # each impact is late by a step at most, and takes place with the rate a step before
    assert found == pytest.approx(times, abs=4 * count * h)
    # lost: 1 − e² of the kinetic energy m g l (1 − cos φ) each time
    energy = 1.0 * G * 0.4 * (1 - math.cos(1.0))
    assert [row["energy_lost"] for row in stops(result)][:2] == pytest.approx(
        [energy * (1 - e * e), energy * e * e * (1 - e * e)], abs=20 * h * energy)
    assert result["pivot.angle"].min() > -1.0 - 1e-9


def test_a_pendulum_rests_on_its_stop():
    """On a stop beside its lowest place the pivot carries the weight's moment."""
    result = run({**arm(0, end_time=2.0), "model": {**arm(0)["model"], "joints": [
        pin("pivot", ["ground", "bob"], [0, 0, 0], limits={"lower": -0.4})]}})
    moment = 1.0 * G * 0.4 * math.sin(0.6)  # the bob stops at the angle 0.6
    assert result["pivot.angle"][-1] == pytest.approx(-0.4, abs=1e-10)
    assert result["pivot.torque.z"][-1] == pytest.approx(moment, rel=1e-8)
    assert result["pivot.force.y"][-1] == pytest.approx(G, rel=1e-7)


def test_an_angle_counts_its_turns():
    e, rate, most, inertia = 0.5, 30.0, 20.0, 0.02
    shaft = disc("shaft", [0, 0, 0], inertia, velocity={"angular": [0, 0, rate]})
    result = run(model([shaft], [pin("axle", ["ground", "shaft"], [0, 0, 0],
                                     limits={"lower": -5.0, "upper": most, "restitution": e})], end_time=2.5))
    up, down = stops(result)[:2]
    assert up["time"] == pytest.approx(most / rate, abs=1e-3)
    assert down["time"] == pytest.approx(most / rate + (most + 5.0) / (e * rate), abs=3e-3)
    assert up["impulse_n"] == pytest.approx(inertia * (1 + e) * rate, rel=1e-9)
    assert [up["before_n"], up["after_n"]] == pytest.approx([-rate, e * rate])
    assert down["energy_lost"] == pytest.approx(inertia / 2 * (e * rate) ** 2 * (1 - e * e), rel=1e-9)
    assert result["axle.angle"].max() < most + 1e-9


@RESTITUTION
def test_a_rope_becomes_taut(e):
    """Thrown sideways: the rope takes the speed along it, not the moment of momentum."""
    mass, length, speed = 1.5, 0.5, 1.0
    bob = {"name": "bob", "type": "point_mass", "mass": mass, "pose": {"position": [0.1, 0, -0.1]},
           "velocity": {"linear": [speed, 0, 0]}}
    rope = {"name": "rope", "type": "distance", "limits": {"upper": length, "restitution": e},
            "between": [{"body": "ground"}, {"body": "bob"}]}
    h = 1e-4
    result = run(model([bob], [rope], integrator={**ALPHA, "step": h}, end_time=0.9))
    # without gravity straight on: |(0.1 + v t, −0.1)| = l
    t = (math.sqrt(length**2 - 0.01) - 0.1) / speed
    first = stops(result)[0]
    along = math.sqrt(length**2 - 0.01) / length
    assert first["time"] == pytest.approx(t, abs=h)
    assert first["before_n"] == pytest.approx(-speed * along, abs=2e-3)
    assert first["after_n"] == pytest.approx(e * speed * along, abs=2e-3)
    x, z, v, w = (result[f"bob.{name}"] for name in ("position.x", "position.z", "velocity.x", "velocity.z"))
    # the correction takes the bob back along the rope by v h at most, across its speed of 0.2 v
    assert z * v - x * w == pytest.approx(-0.1 * speed, abs=0.2 * h * speed**2)
    assert np.hypot(x, z).max() < length + 1e-9
    if e == 0:  # on a circle from now on: m v_t² / l towards the anchor
        around = 0.1 / length * speed
        assert np.hypot(v, w)[-1] == pytest.approx(around, rel=1e-4)
        pull = np.hypot(result["rope.force.x"], result["rope.force.z"])[-1]
        assert pull == pytest.approx(mass * around**2 / length, rel=1e-2)


def test_a_weight_hangs_on_its_rope():
    bob = {"name": "bob", "type": "point_mass", "mass": 2.0, "pose": {"position": [0, 0, -0.1]}}
    rope = {"name": "rope", "type": "distance", "limits": {"upper": 0.3},
            "between": [{"body": "ground"}, {"body": "bob"}]}
    result = run(model([bob], [rope], gravity=DOWN))
    assert result["rope.force.z"][0] == 0  # slack
    assert result["rope.force.z"][-1] == pytest.approx(2 * G, rel=1e-9)
    assert result["bob.position.z"][-1] == pytest.approx(-0.3, abs=1e-10)


@STEPPING
@pytest.mark.parametrize("limits", ({"lower": 0.4}, {"upper": 0.6}, {"lower": 0.4, "upper": 0.6}))
def test_two_weights_on_a_rope_and_nothing_else(limits, integrator):
    """A rope is a joint without an equation: here there is none at all, and twelve unknowns."""
    weights = [disc("a", [0, 0, 0], mass=1.0, velocity={"linear": [-1, 0, 0]}),
               disc("b", [0.5, 0, 0], mass=3.0, velocity={"linear": [1, 0, 0]})]
    rope = {"name": "rope", "type": "distance", "limits": limits, "between": [{"body": "a"}, {"body": "b"}]}
    result = run(model(weights, [rope], integrator=integrator, end_time=0.3))
    momentum = result["a.velocity.x"] + 3 * result["b.velocity.x"]
    assert momentum == pytest.approx(np.full_like(momentum, 2.0), abs=1e-12)
    together = result["b.velocity.x"][-1] - result["a.velocity.x"][-1]
    assert together == pytest.approx(0 if "upper" in limits else 2, abs=1e-12)


@pytest.mark.parametrize("integrator", (ALPHA, MOREAU, EVENTS), ids=lambda i: i["type"])
def test_a_weight_hangs_on_two_ropes(integrator):
    """At 45 degrees on both sides: each carries m g / √2; a third one is slack."""
    bob = {"name": "bob", "type": "point_mass", "mass": 2.0, "pose": {"position": [0, 0, -0.2]}}
    ropes = [{"name": f"rope{i}", "type": "distance", "limits": {"upper": upper},
              "between": [{"body": "ground", "position": [x, 0, 0]}, {"body": "bob"}]}
             for i, (x, upper) in enumerate(((-0.3, 0.3 * math.sqrt(2)), (0.3, 0.3 * math.sqrt(2)), (0, 0.5)))]
    result = run(model([bob], ropes, gravity=DOWN, integrator=integrator))
    drift = 2e-3 if integrator is MOREAU else 1e-5  # moreau_jean closes gaps by velocities only
    assert result["bob.position.z"][-1] == pytest.approx(-0.3, abs=drift)
    for i, pull in ((0, G), (1, G), (2, 0)):
        assert result[f"rope{i}.force.z"][-1] == pytest.approx(pull, rel=drift)


def pair_on_rails(limits, **more):
    """Two blocks that a relation moves together, each with a stop."""
    return model([disc("a", [0, 0, 0], mass=1.0), disc("b", [1, 0, 0], mass=3.0)],
                 [slide("left", ["ground", "a"], [0, 0, 0], "z", limits=limits),
                  slide("right", ["ground", "b"], [1, 0, 0], "z", limits=limits),
                  {"type": "relation", "joints": ["left", "right"], "coefficients": [1, -1]}],
                 gravity=DOWN, end_time=0.6, **more)


def test_two_stops_are_hit_at_once():
    result = run(pair_on_rails({"lower": -0.2, "restitution": 0.5}))
    first = [row for row in stops(result) if row["time"] == stops(result)[0]["time"]]
    v = math.sqrt(2 * G * 0.2)
    assert sum(row["impulse_n"] for row in first) == pytest.approx(4 * 1.5 * v, abs=0.1)
    assert result["left.displacement"].min() > -0.2 - 1e-9
    rest = run(pair_on_rails({"lower": -0.05}))
    assert rest["left.force.z"][-1] + rest["right.force.z"][-1] == pytest.approx(4 * G, rel=1e-8)


def telescope(turn, boost, e=0.7):
    """Two free bodies on a common rail, which part up to a stop: no force from outside."""
    rotate = np.array(turn)
    place = [list(rotate @ x) for x in ([0, 0, 0], [0.3, 0.1, 0])]
    speed = [list(rotate @ np.array(v) + boost) for v in ([0, 0, 0], [1.0, 0, 0])]
    rail = {**slide("rail", ["a", "b"], place[0], list(rotate @ [1, 0, 0])), "limits": {"upper": 0.2, "restitution": e}}
    bodies = [disc(name, x, inertia=0.05, mass=m, velocity={"linear": v})
              for name, x, m, v in zip("ab", place, (1.0, 2.0), speed)]
    return run(model(bodies, [rail], end_time=0.5))


def test_stops_do_not_know_where_and_how_fast_the_scene_is():
    c, s = math.cos(0.7), math.sin(0.7)
    still = telescope(np.eye(3), np.zeros(3))
    moved = telescope([[c, 0, s], [0, 1, 0], [-s, 0, c]], np.array([3.0, -2.0, 1.0]))
    assert moved["rail.displacement"] == pytest.approx(still["rail.displacement"], abs=1e-9)
    for name in ("time", "impulse_n", "before_n", "after_n", "energy_lost"):
        assert stops(moved)[0][name] == pytest.approx(stops(still)[0][name], abs=1e-8)
    momentum = still["a.velocity.x"] + 2 * still["b.velocity.x"]
    assert momentum == pytest.approx(momentum[0], abs=1e-10)
    assert stops(still)[0]["after_n"] == pytest.approx(-0.7 * stops(still)[0]["before_n"], rel=1e-6)


@pytest.mark.parametrize("arm_number", (1, 2))
@pytest.mark.parametrize("sign", (1, -1))
def test_the_arms_of_a_cross_have_stops(arm_number, sign):
    axis = [1, 0, 0] if arm_number == 1 else [0, 1, 0]
    moment = [sign * 0.3 * x for x in axis]
    cross = {"name": "cross", "type": "universal", "bodies": ["ground", "b"], "at": [0, 0, 0], "axis": "x", "axis_2": "y",
             "limits": {f"angle_{arm_number}": {"lower": -0.5, "upper": 0.8}}}
    result = run(model([disc("b", [0, 0, 0], 0.02)], [cross],
                       [{"type": "torque", "on": {"body": "b"}, "value": moment}], end_time=0.8))
    letter = "xy"[arm_number - 1]
    assert result[f"b.rotation.{letter}"][-1] == pytest.approx(0.8 if sign > 0 else -0.5, abs=1e-9)
    assert result[f"cross.torque.{letter}"][-1] == pytest.approx(-sign * 0.3, rel=1e-8)


def test_a_collar_turns_and_slides_up_to_its_stops():
    collar = {"name": "collar", "type": "cylindrical", "bodies": ["ground", "b"], "at": [0, 0, 0], "axis": "z",
              "limits": {"angle": {"upper": 1.0}, "displacement": {"lower": -0.3}}}
    result = run(model([disc("b", [0, 0, 0], velocity={"angular": [0, 0, 5]})], [collar], gravity=DOWN))
    assert result["collar.angle"][-1] == pytest.approx(1.0, abs=1e-9)
    assert result["collar.displacement"][-1] == pytest.approx(-0.3, abs=1e-9)
    assert result["collar.force.z"][-1] == pytest.approx(G, rel=1e-8)
    assert {row["contact"] for row in stops(result)} == {"collar"}


def test_an_actuator_presses_against_a_stop():
    result = run(model([disc("a", [0, 0, 0])], [pin("hinge", ["ground", "a"], [0, 0, 0], limits={"upper": 0.5})],
                       [{"type": "actuator", "joint": "hinge", "value": 0.3}]))
    assert result["hinge.torque.z"][-1] == pytest.approx(-0.3, rel=1e-9)
    assert result["hinge.angle"][-1] == pytest.approx(0.5, abs=1e-10)


def test_wrong_limits_are_refused():
    def said(limits, **more):
        return messages(model([disc("a", [0, 0, 0])], [pin("p", ["ground", "a"], [0, 0, 0], limits=limits, **more)]))

    assert "/model/joints/0/limits: hold nothing" in said({})
    assert '"lower" must be less than "upper", got 1 and 1' in said({"lower": 1, "upper": 1})
    outside = said({"lower": 0.2})
    assert "/model/joints/0/limits/lower: the joint starts below its limit, got 0.2" in outside
    assert "the coordinate is 0 rad at the initial pose" in outside
    assert "/model/joints/0/limits/restitution" in said({"lower": -1, "restitution": 1.5})
    assert "a driven joint has no limits" in said({"lower": -1}, drive={"type": "speed", "value": 1})
    rope = {"name": "r", "type": "distance", "between": [{"body": "ground"}, {"body": "a"}]}
    far = model([disc("a", [2, 0, 0])], [{**rope, "limits": {"upper": 1.5}}])
    assert "the joint starts above its limit, got 1.5; the coordinate is 2 m" in messages(far)
    assert "has no length of its own" in messages(
        model([disc("a", [2, 0, 0])], [{**rope, "length": 2, "limits": {"upper": 3}}]))
    smooth = {"type": "generalized_alpha", "step": 1e-3}
    assert "for models without stops" in messages(drop(0, integrator=smooth))


def test_the_door_strikes_its_stop_and_is_closed_again():
    path = pathlib.Path(__file__).parents[2] / "examples" / "door.json"
    result = run(json.loads(path.read_text(encoding="utf-8")))
    inertia, e, most, h = 20 * (0.8**2 + 0.04**2) / 12 + 20 * 0.4**2, 0.4, 1.6, 1e-3
    rate, angle = 28 / inertia * 0.5, 28 / inertia * 0.125  # when the gust ends
    brake = 2 / inertia
    strikes = math.sqrt(rate**2 - 2 * brake * (most - angle))
    first = 0.5 + (rate - strikes) / brake
    shut = first + (math.sqrt((e * strikes) ** 2 + 2 * brake * most) - e * strikes) / brake
    rows = stops(result)
    assert rows[0]["time"] == pytest.approx(first, abs=h)
    assert rows[0]["energy_lost"] == pytest.approx(inertia / 2 * strikes**2 * (1 - e * e), rel=5e-3)  # the gust ends a step late
    # each impact is noticed up to a step late
    assert rows[1]["time"] == pytest.approx(shut, abs=5 * h)
    assert result["hinge.angle"][-1] == pytest.approx(0, abs=1e-9)
    assert result["hinge.torque.z"][-1] == pytest.approx(2, rel=1e-9)  # against the closer
