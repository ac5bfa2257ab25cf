# SPDX-License-Identifier: Apache-2.0
"""Contacts that are forces: Hertz's impact, damping laws against their own equations, rest, friction, books."""

import math

import numpy as np
import pytest
from machine import ALPHA, messages, run

G = 9.81
RADIUS, MASS = 0.05, 1.0


def ball(height=0.0, speed=-1.0, name="ball", x=0.0, mass=MASS, **velocity):
    return {"name": name, "type": "rigid", "inertia": {"type": "solid_sphere", "mass": mass, "radius": RADIUS},
            "pose": {"position": [x, 0, height + RADIUS]},
            "velocity": {"linear": [velocity.pop("along", 0), 0, speed], **velocity}}


def on_floor(contact, bodies=None, step=1e-3, end_time=0.05, gravity=0.0, normal=(0, 0, 1), **simulation):
    bodies = bodies or [ball()]
    colliders = [{"name": "floor", "frame": {"body": "ground"}, "shape": {"type": "half_space", "normal": list(normal)}}]
    colliders += [{"name": b["name"] + "_skin", "frame": {"body": b["name"]},
                   "shape": {"type": "sphere", "radius": RADIUS}} for b in bodies]
    contact = {"name": "touch", "between": ["*_skin", "floor"], "model": "compliant", **contact}
    return {"saltus": 1,
            "model": {"gravity": [0, 0, -gravity], "bodies": bodies, "colliders": colliders, "contacts": [contact]},
            "simulation": {"end_time": end_time, "integrator": {**ALPHA, "step": step}, **simulation}}


def residual(result):
    """Newton's method ends where round-off of places explains what is left of the balance: with m/h², a force of
    1e-8 of the contact's in a step of T/200, and 1e-9 of the energy in the books of an impact."""
    return np.abs(result["energy.residual"]).max()


def closed_times(result):
    times = {"closes": [], "opens": []}
    for event in result.events:
        times.get(event["kind"], []).append(event["time"])
    return times


# ---- an elastic sphere, without damping

STIFFNESS = 1e9


def hertz(speed, mass=MASS, stiffness=STIFFNESS):
    """Duration, peak force, indentation."""
    deepest = (5 * mass * speed**2 / (4 * stiffness)) ** 0.4
    duration = 2 * math.sqrt(math.pi) * math.gamma(1.4) / math.gamma(0.9) * deepest / speed
    return duration, stiffness * deepest**1.5, deepest


@pytest.mark.parametrize("speed", (0.1, 1.0, 10.0))
def test_impact_of_hertz(speed):
    """The step is a hundred times the impact: it is divided."""
    duration, force, depth = hertz(speed)
    step = 100 * duration
    result = run(on_floor({"stiffness": STIFFNESS, "damping_model": "none"}, [ball(10.3 * step * speed, -speed)],
                          step=step, end_time=20 * step))
    assert result["ball.velocity.z"][-1] == pytest.approx(speed, rel=1e-4)
    assert result.summary["max_indentation"] == pytest.approx(depth, rel=2e-3)
    told = result.summary["compliant_contacts"]
    assert told["shortest"] == pytest.approx(duration, rel=0.05)
    assert told["count"] == 1 and told["divided_steps"] >= 1
    assert 45 <= told["fewest_steps"] <= 120
    assert result.summary["max_penetration"] == 0 and result.summary["impacts"] == 0
    assert residual(result) < 1e-9 * speed**2


def test_the_force_within_it():
    duration, force, depth = hertz(1.0)
    result = run(on_floor({"stiffness": STIFFNESS, "damping_model": "none"}, [ball(0.5 * duration)],
                          step=duration / 400, end_time=2 * duration))
    assert result["touch.force.n"].max() == pytest.approx(force, rel=1e-4)
    assert result["touch.indentation"].max() == pytest.approx(depth, rel=1e-4)
    assert (result["touch.force.n"] >= 0).all()
    times = closed_times(result)
    assert times["opens"][0] - times["closes"][0] == pytest.approx(duration, rel=0.01)
    assert result["touch.impulse.n"].sum() == pytest.approx(2 * MASS, rel=1e-4)
    elastic = 0.4 * STIFFNESS * result["touch.indentation"] ** 2.5
    assert result["energy.elastic"] == pytest.approx(elastic, rel=1e-9, abs=1e-15)


def test_two_spheres_like_one_on_a_floor():
    """Of two spheres the effective mass is half of one, and they meet with twice the speed."""
    speed = 0.5
    duration, force, depth = hertz(2 * speed, MASS / 2)
    bodies = [{**ball(0, 0, "left"), "velocity": {"linear": [speed, 0, 0]}},
              {**ball(0, 0, "right", x=2 * RADIUS + 1e-4), "velocity": {"linear": [-speed, 0, 0]}}]
    model = on_floor({"stiffness": STIFFNESS, "damping_model": "none"}, bodies, step=duration, end_time=8 * duration)
    model["model"]["contacts"][0]["between"] = ["left_skin", "right_skin"]
    result = run(model)
    assert result["left.velocity.x"][-1] == pytest.approx(-speed, rel=1e-4)
    assert result["right.velocity.x"][-1] == pytest.approx(speed, rel=1e-4)
    assert result.summary["max_indentation"] == pytest.approx(depth, rel=2e-3)


def test_second_order_while_touching():
    """A ball that hangs in its contact and swings there."""
    rest = (MASS * G / STIFFNESS) ** (2 / 3)
    period = 2 * math.pi / math.sqrt(1.5 * STIFFNESS * math.sqrt(rest) / MASS)
    def place(steps):
        model = on_floor({"stiffness": STIFFNESS, "damping_model": "none"}, [ball(-1.3 * rest, 0)], gravity=G,
                         step=period / steps, end_time=1.5 * period)
        result = run(model)
        return result["ball.position.z"][-1] - RADIUS
    a, b, c = (place(n) for n in (200, 400, 800))
    assert 3.5 < (a - b) / (b - c) < 4.5


# ---- damping laws, against their own equations

RATIOS = {"hunt_crossley": lambda e: 1.5 * (1 - e), "lankarani_nikravesh": lambda e: 0.75 * (1 - e * e),
          "hu": lambda e: -6.66264 * math.log(e) / (3.85238 + math.log(e)), "flores": lambda e: 1.6 * (1 - e) / e,
          "zhang": lambda e: 1.5 * (1 - e) / (e * (0.6181 * math.exp(-3.52 * e) + 0.899 * math.exp(0.09025 * e)))}


def rebound(law, speed, duration):
    """Speed after the impact and deepest indentation, by Runge and Kutta."""
    def rate(y):
        return np.array([y[1], -max(0.0, law(y[0], y[1])) / MASS])
    y, h, depth = np.array([0.0, speed]), duration / 20000, 0.0
    for _ in range(200000):
        k1 = rate(y); k2 = rate(y + h / 2 * k1); k3 = rate(y + h / 2 * k2); k4 = rate(y + h * k3)
        after = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        depth = max(depth, after[0])
        if after[0] <= 0:
            return -after[1], depth
        y = after
    raise AssertionError("it does not come back")


@pytest.mark.parametrize("restitution", (0.9, 0.5, 0.2))
@pytest.mark.parametrize("name", RATIOS)
def test_damping_laws(name, restitution):
    speed = 1.0
    duration = hertz(speed)[0]
    ratio = RATIOS[name](restitution)
    back, depth = rebound(lambda d, v: STIFFNESS * max(d, 0) ** 1.5 * (1 + ratio * v / speed), speed, duration)
    result = run(on_floor({"stiffness": STIFFNESS, "damping_model": name, "restitution": restitution},
                          [ball(20 * duration, -speed)], step=duration / 200, end_time=40 * duration,
                          record={"every": 50}))
    assert result["ball.velocity.z"][-1] == pytest.approx(back, rel=2e-3)
    assert result.summary["max_indentation"] == pytest.approx(depth, rel=1e-3)
    assert result["energy.damping_loss"][-1] == pytest.approx(MASS / 2 * (speed**2 - back**2), rel=5e-3)
    assert residual(result) < 1e-9


@pytest.mark.parametrize("damping", (0.0, 2000.0))
def test_a_linear_spring(damping):
    stiffness, speed = 1e6, 1.0
    duration = math.pi * math.sqrt(MASS / stiffness)
    back, depth = rebound(lambda d, v: stiffness * d + damping * v if d > 0 else 0, speed, duration)
    result = run(on_floor({"stiffness": stiffness, "exponent": 1, "damping": damping}, [ball(5.3 * duration, -speed)],
                          step=duration / 1000, end_time=12 * duration, record={"every": 100}))
    assert result["ball.velocity.z"][-1] == pytest.approx(back, rel=2e-3)
    assert result.summary["max_indentation"] == pytest.approx(depth, rel=2e-3)


# ---- rest

def test_a_ball_at_rest_is_as_deep_as_its_weight_wants():
    rest = (MASS * G / STIFFNESS) ** (2 / 3)
    result = run(on_floor({"stiffness": STIFFNESS}, [ball(-rest, 0)], gravity=G, end_time=0.02))
    assert result["touch.indentation"] == pytest.approx(rest, rel=1e-9)
    assert result["touch.force.n"] == pytest.approx(MASS * G, rel=1e-9)
    assert result["touch.impulse.n"][1:] == pytest.approx(MASS * G * 1e-3, rel=1e-9)
    assert (result["touch.status"][1:] == 1).all()


def test_a_stack_keeps_its_weight():
    """A ball on a ball: dropped by little, damped."""
    lower, upper = ball(0, 0, "lower"), ball(2 * RADIUS, 0, "upper")
    contact = {"stiffness": 1e5, "exponent": 1, "damping": 400}
    model = on_floor(contact, [lower, upper], gravity=G, end_time=0.4, step=1e-3, record={"every": 10})
    model["model"]["contacts"].append({"name": "between", "between": ["lower_skin", "upper_skin"], "model": "compliant",
                                       **contact})
    model["model"]["contacts"][0]["between"] = ["lower_skin", "floor"]
    model["model"]["joints"] = [{"type": "lock", "body": name, "translation": ["x", "y"], "rotation": ["x", "y", "z"]}
                                for name in ("lower", "upper")]
    result = run(model)
    assert abs(result["touch.force.n"][-1]) == pytest.approx(2 * MASS * G, rel=1e-6)
    assert abs(result["between.force.n"][-1]) == pytest.approx(MASS * G, rel=1e-6)
    assert residual(result) < 1e-11


# ---- friction

def on_slope(angle, friction, end_time=0.2, **contact):
    """A point mass on a slope, at rest along the normal."""
    stiffness = 1e6
    weight = MASS * G
    sink = weight * math.cos(angle) / stiffness
    body = {"name": "ball", "type": "point_mass", "mass": MASS, "pose": {"position": [0, 0, -sink]}}
    return {"saltus": 1,
            "model": {"gravity": [G * math.sin(angle), 0, -G * math.cos(angle)], "bodies": [body],
                      "colliders": [{"name": "skin", "frame": {"body": "ball"}, "shape": {"type": "point"}},
                                    {"name": "floor", "frame": {"body": "ground"}, "shape": {"type": "half_space"}}],
                      "contacts": [{"name": "touch", "between": ["skin", "floor"], "model": "compliant",
                                    "stiffness": stiffness, "exponent": 1, "damping": 100, "friction": friction,
                                    **contact}]},
            "simulation": {"end_time": end_time, "integrator": ALPHA, "record": {"every": 5}}}


def test_it_sticks_below_the_angle_of_friction():
    angle = 0.2
    result = run(on_slope(angle, 0.5))
    spring = 2 * 0.7 / 1.7 * 1e6  # Mindlin, Poisson's ratio 0.3
    stretched = MASS * G * math.sin(angle) / spring
    x = result["ball.position.x"]
    assert (result["touch.status"][1:] == 2).all()
    assert x.min() >= -1e-12 and x.max() <= 2.01 * stretched, "no creep: it swings about where it is held"
    assert x.mean() == pytest.approx(stretched, rel=0.2)
    assert result["energy.friction_loss"][-1] == 0
    assert residual(result) < 1e-12


def test_it_slides_above_it():
    angle, mu = 0.5, 0.3
    result = run(on_slope(angle, mu))
    pull = G * (math.sin(angle) - mu * math.cos(angle))
    v, late = result["ball.velocity.x"], result.time > 0.02  # before, the spring across is stretched
    assert np.diff(v[late]) / np.diff(result.time[late]) == pytest.approx(pull, rel=1e-6)
    assert result["touch.status"][-1] == 1
    way = result["ball.position.x"][-1]
    assert result["energy.friction_loss"][-1] == pytest.approx(mu * MASS * G * math.cos(angle) * way, rel=1e-3)
    assert residual(result) < 1e-11
    along = [result[f"touch.force.{c}"] for c in ("t1", "t2")]
    assert np.hypot(*along)[-1] == pytest.approx(mu * abs(result["touch.force.n"][-1]), rel=1e-9)


def test_a_ball_that_slides_begins_to_roll():
    mu, speed = 0.2, 1.0
    rest = (MASS * G / 1e8) ** (2 / 3)
    result = run(on_floor({"stiffness": 1e8, "friction": mu, "restitution": 0.5}, [ball(-rest, 0, along=speed)], gravity=G,
                          step=1e-3, end_time=0.25, record={"every": 10}))
    v, turn = result["ball.velocity.x"], RADIUS * result["ball.angular_velocity.y"]
    assert v + 0.4 * turn == pytest.approx(speed, rel=1e-6)
    assert v[-6:].mean() == pytest.approx(5 / 7 * speed, rel=5e-3), "the spring across goes on swinging"
    assert result["energy.friction_loss"][-1] == pytest.approx(MASS * speed**2 / 7, rel=1e-2)


def test_a_belt_carries_it_away():
    model = on_slope(0.0, 0.3, end_time=0.4)
    model["model"]["colliders"][1]["shape"]["surface_velocity"] = [0.5, 0, 0]
    result = run(model)
    assert result["ball.velocity.x"][-1] == pytest.approx(0.5, rel=0.02)
    work = result["energy.external_work"][-1]
    assert work == pytest.approx(MASS * 0.5**2, rel=0.02)
    assert result["energy.friction_loss"][-1] == pytest.approx(work / 2, rel=0.02)
    assert residual(result) < 1e-11


# ---- beside rigid contacts

def test_it_becomes_the_rigid_contact_as_it_grows_stiff():
    def motion(**contact):
        bodies = [ball(0.2, 0, along=0.5)]
        model = on_floor({"restitution": 0.8, "friction": 0.0, **contact}, bodies, gravity=G, end_time=0.6, step=1e-3,
                         record={"every": 600})
        return run(model)["ball.position.z"][-1]
    def soft(stiffness):
        return motion(stiffness=stiffness, damping_model="flores")
    rigid = motion(stiffness=1e9, model="rigid")
    differences = [abs(soft(k) - rigid) for k in (1e7, 1e9, 1e11)]
    assert differences[0] > differences[1] > differences[2], differences


def test_both_kinds_in_one_model():
    """A ball drops on a plate that lies on a rigid floor."""
    model = on_floor({"stiffness": 1e8, "restitution": 0.5}, [ball(0.1 + 0.02, 0)], gravity=G, end_time=0.6)
    parts = model["model"]
    parts["bodies"].append({"name": "plate", "type": "rigid",
                            "inertia": {"type": "solid_box", "mass": 5, "size": [0.2, 0.2, 0.02]},
                            "pose": {"position": [0, 0, 0.01]}})
    parts["colliders"] += [{"name": "top", "frame": {"body": "plate", "position": [0, 0, 0.01]},
                            "shape": {"type": "face", "normal": [0, 0, 1]}},
                           {"name": "box", "frame": {"body": "plate"}, "shape": {"type": "box", "size": [0.2, 0.2, 0.02]}}]
    parts["contacts"][0]["between"] = ["ball_skin", "top"]
    parts["contacts"].append({"name": "lies", "between": ["box", "floor"], "friction": 0.3})
    result = run(model)
    assert result.summary["status"] == "completed"
    assert result.summary["max_penetration"] < 1e-9
    assert result.summary["max_indentation"] > 1e-5
    assert result["plate.position.z"][-1] == pytest.approx(0.01, abs=1e-9)
    assert residual(result) < 1e-9


def test_a_model_of_springs_needs_no_contact_solver():
    model = on_floor({"stiffness": 1e6, "exponent": 1, "damping": 0}, [ball(0.01, 0)], gravity=G, end_time=0.2)
    smooth = {**model, "simulation": {**model["simulation"], "integrator": {"type": "generalized_alpha", "step": 1e-3}}}
    assert (run(model)["ball.position.z"] == run(smooth)["ball.position.z"]).all()


# ---- laws

def test_scale():
    """Millimetres and grams: lengths by a, masses by b, time as it is."""
    def bounce(a, b):
        body = ball(0.02, -1.0)
        body["inertia"].update(mass=b, radius=a * RADIUS)
        body["pose"]["position"] = [0, 0, a * (0.02 + RADIUS)]
        body["velocity"]["linear"] = [a * 0.3, 0, -a]
        model = on_floor({"stiffness": 1e8 * b / math.sqrt(a), "restitution": 0.7, "friction": 0.2}, [body],
                         gravity=a * G, end_time=0.06, record={"every": 60})
        model["model"]["colliders"][1]["shape"]["radius"] = a * RADIUS
        result = run(model)
        return np.array([result[f"ball.velocity.{c}"][-1] for c in "xz"]) / a
    one, other = bounce(1, 1), bounce(2.0**-10, 2.0**-20)
    assert other == pytest.approx(one, rel=1e-9)


def test_the_same_bytes_twice_and_in_two_pieces():
    model = on_floor({"stiffness": 1e8, "restitution": 0.7, "friction": 0.2}, [ball(0.02, -1, along=0.3)], gravity=G)
    one, other = run(model), run(model)
    assert all((one[c] == other[c]).all() for c in one.columns)


def test_two_materials():
    """Steel on rubber is as stiff as the compliances of both say."""
    steel, rubber = (2.1e11, 0.3), (5e6, 0.48)
    def depth(**law):
        return run(on_floor({"damping_model": "none", **law}, [ball(1e-3, -1)], end_time=0.02)).summary["max_indentation"]
    compliance = sum((1 - nu**2) / E for E, nu in (steel, rubber))
    stiffness = 4 / 3 / compliance * math.sqrt(RADIUS)
    materials = [{"young_modulus": E, "poisson_ratio": nu} for E, nu in (steel, rubber)]
    assert depth(materials=materials) == pytest.approx(depth(stiffness=stiffness), rel=1e-9)
    assert depth(materials=materials[:1] * 2) == pytest.approx(depth(young_modulus=2.1e11), rel=1e-9)


# ---- refusals

@pytest.mark.parametrize("change, said", (
    ({}, "/model/contacts/0/model: a compliant contact needs a local law"),
    ({"stiffness": 1e6, "exponent": 0.5}, "/model/contacts/0/exponent: of a compliant contact must be at least 1"),
    ({"stiffness": 1e6, "rolling_friction": 1e-3}, "/model/contacts/0/rolling_friction: a compliant contact has no"),
    ({"stiffness": 1e6, "spinning_friction": 1e-3}, "/model/contacts/0/spinning_friction: a compliant contact has no"),
    ({"stiffness": 1e6, "tangential_restitution": 0.5}, "/model/contacts/0/tangential_restitution: a compliant"),
    ({"stiffness": 1e6, "static_friction": 0.5}, "/model/contacts/0/static_friction: a compliant contact has no"),
    ({"stiffness": 1e6, "force_method": "integration"}, "/model/contacts/0/force_method: a compliant contact has no"),
    ({"stiffness": 1e6, "damping": 1, "damping_model": "hu"}, "/model/contacts/0/damping: damping_model is given"),
    ({"stiffness": 1e6, "damping": 1, "restitution": 0.5}, "/model/contacts/0/restitution: means nothing"),
    ({"stiffness": 1e6, "damping": 1, "model": "rigid"}, "/model/contacts/0/damping: is that of a compliant"),
    ({"materials": [{"young_modulus": 1e9}]}, "/model/contacts/0/materials: must be two materials"),
    ({"stiffness": 1e6, "materials": [{"young_modulus": 1e9}] * 2}, "/model/contacts/0/materials: stiffness is given"),
    ({"young_modulus": 1e9, "materials": [{"young_modulus": 1e9}] * 2}, "/model/contacts/0/young_modulus: materials are"),
    ({"materials": [{"young_modulus": 1e9}] * 3}, "/model/contacts/0/materials: must be two materials"),
))
def test_refusals(change, said):
    assert said in messages(on_floor(change))


def test_methods_that_do_not_know_it():
    for method in ({"type": "moreau_jean", "step": 1e-3}, {"type": "event_driven", "step": 1e-2}):
        model = on_floor({"stiffness": 1e6})
        model["simulation"]["integrator"] = method
        assert f"/model/contacts/0/model: {method['type']} does not know compliant contacts" in messages(model)


def test_solids_are_refused():
    model = on_floor({"stiffness": 1e6})
    model["model"]["bodies"].append({**ball(1.0, 0, "crate")})
    model["model"]["colliders"].append({"name": "crate_box", "frame": {"body": "crate"},
                                        "shape": {"type": "box", "size": [0.1, 0.1, 0.1]}})
    model["model"]["contacts"][0]["between"] = ["ball_skin", "crate_box"]
    assert "cannot be compliant yet" in messages(model)
