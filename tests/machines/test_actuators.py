# SPDX-License-Identifier: Apache-2.0
"""Torques and forces that see the motion, against exact solutions."""

import numpy as np
import pytest
from machine import ALPHA, EVENTS, disc, messages, model, pin, run, slide

INERTIA, K, C, TARGET = 0.05, 8.0, 0.4, 1.5


def pd_arm(integrator, limit=None):
    text = f"{K}*({TARGET}-pin.angle) - {C}*pin.rate"
    if limit:
        text = f"min({limit}, max(-{limit}, {text}))"
    return model([disc("arm", [0, 0, 0], INERTIA)], [pin("pin", ["ground", "arm"], [0, 0, 0])],
                 [{"name": "motor", "type": "actuator", "joint": "pin", "value": {"type": "expression", "text": text}}],
                 end_time=1.5, integrator=integrator)


def linear_answer(t):
    """J φ̈ + c φ̇ + k φ = k φ₁ from rest, underdamped."""
    decay, omega = C / (2 * INERTIA), np.sqrt(K / INERTIA)
    damped = np.sqrt(omega**2 - decay**2)
    return TARGET * (1 - np.exp(-decay * t) * (np.cos(damped * t) + decay / damped * np.sin(damped * t)))


def test_a_pd_arm_follows_the_linear_solution_by_events():
    result = run(pd_arm({**EVENTS, "tolerance": 1e-11}))
    assert result["pin.angle"] == pytest.approx(linear_answer(result.time), abs=1e-8)


def test_a_pd_arm_converges_with_order_two():
    """Newton keeps its order because derivatives are exact: two or three iterations a step."""
    errors = []
    for step in (4e-3, 2e-3, 1e-3):
        result = run(pd_arm({**ALPHA, "step": step}))
        errors.append(np.abs(result["pin.angle"] - linear_answer(result.time)).max())
        assert result.summary["iterations"]["smooth"]["max"] <= 4
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2, abs=0.1)
    assert np.log2(errors[1] / errors[2]) == pytest.approx(2, abs=0.1)
    assert errors[2] < 1e-3


@pytest.mark.parametrize("integrator", (ALPHA, EVENTS), ids=lambda i: i["type"])
def test_a_limited_torque_stays_within_its_limit(integrator):
    result = run(pd_arm(integrator, limit=2.0))
    assert np.abs(result["motor.torque"]).max() == pytest.approx(2.0)
    early = result.time < 0.2  # k φ₁ = 12 N m are wanted: 2 N m accelerate
    assert result["pin.angle"][early] == pytest.approx(2.0 / INERTIA * result.time[early] ** 2 / 2, abs=1e-4)
    assert result.summary["energy"]["residual"] == pytest.approx(0, abs=1e-9)


def test_a_force_sees_other_bodies():
    """A cart is pulled to another that moves by itself: ẍ = k (x₂ + v t − x) − c (ẋ − v)."""
    text = "40*(lead.position.x-follower.position.x-1) - 8*(follower.velocity.x-lead.velocity.x)"
    carts = [disc("lead", [1, 0, 0], velocity={"linear": [0.5, 0, 0]}), disc("follower", [0, 0, 0])]
    result = run(model(carts, [slide("front", ["ground", "lead"], [1, 0, 0]), slide("back", ["ground", "follower"], [0, 0, 0])],
                       [{"type": "actuator", "joint": "back", "value": {"type": "expression", "text": text}}],
                       end_time=1.0, integrator={**EVENTS, "tolerance": 1e-11}))
    t = result.time
    damped = np.sqrt(40 - 16)
    # The distance that is missing, from rest relative to −v: e(0) = 0, ė(0) = v
    missing = 0.5 / damped * np.exp(-4 * t) * np.sin(damped * t)
    assert result["front.displacement"] - result["back.displacement"] == pytest.approx(missing, abs=1e-8)


def crank_answer(torque, radius, rod, crank_inertia, mass, end):
    """A slider-crank with a massless rod: (J + m x'²) φ̈ + m x' x'' φ̇² = M(φ̇), by Runge–Kutta of order four."""

    def rates(y):
        s, c = np.sin(y[0]), np.cos(y[0])
        root = np.sqrt(rod**2 - radius**2 * s**2)
        first = -radius * s - radius**2 * s * c / root
        second = -radius * c - radius**2 * (c * c - s * s) / root - radius**4 * s**2 * c**2 / root**3
        return np.array([y[1], (torque(y[1]) - mass * first * second * y[1] ** 2) / (crank_inertia + mass * first**2)])

    y, count = np.zeros(2), 20000
    h = end / count
    for _ in range(count):
        a = rates(y)
        b = rates(y + h / 2 * a)
        c = rates(y + h / 2 * b)
        d = rates(y + h * c)
        y = y + h / 6 * (a + 2 * b + 2 * c + d)
    return y


def test_a_motor_with_a_speed_curve_turns_a_slider_crank():
    radius, rod, inertia, mass, end = 0.1, 0.3, 0.02, 1.5, 1.0
    text = "2*(1-pin.rate/30)*exp(-pin.rate/50)"
    crank = disc("crank", [0, 0, 0], inertia)
    piston = {"name": "piston", "type": "point_mass", "mass": mass, "pose": {"position": [radius + rod, 0, 0]}}
    joints = [pin("pin", ["ground", "crank"], [0, 0, 0]),
              {"name": "rod", "type": "distance", "between": [{"body": "crank", "position": [radius, 0, 0]}, {"body": "piston"}]},
              {"type": "lock", "body": "piston", "translation": ["y", "z"]}]
    result = run(model([crank, piston], joints,
                       [{"name": "m", "type": "actuator", "joint": "pin", "value": {"type": "expression", "text": text}}],
                       end_time=end, integrator={**EVENTS, "tolerance": 1e-12}))
    angle, rate = crank_answer(lambda w: 2 * (1 - w / 30) * np.exp(-w / 50), radius, rod, inertia, mass, end)
    assert result["pin.angle"][-1] == pytest.approx(angle, rel=1e-8)
    assert result["crank.angular_velocity.z"][-1] == pytest.approx(rate, rel=1e-8)
    assert result["m.power"][-1] == pytest.approx(result["m.torque"][-1] * rate, rel=1e-8)


@pytest.mark.parametrize("text, says", (
    ("pin.angel", 'did you mean "angle"'),
    ("pun.angle", 'did you mean "pin"'),
    ("arm.position", ".x, .y or .z must follow"),
    ("pin.displacement", 'the revolute joint has no "displacement"'),
    ("pin.angle + ", "Unexpected"),
    ("foo(pin.angle)", 'no function is named "foo"'),
    ("pin.angle + tau", 'the name "tau" is not known'),
))
def test_wrong_formulas_are_refused(text, says):
    wrong = pd_arm(ALPHA)
    wrong["model"]["forces"][0]["value"]["text"] = text
    message = messages(wrong)
    assert message.startswith("/model/forces/0/value/text: ") and says in message


def test_only_actuators_see_the_motion():
    wrong = pd_arm(ALPHA)
    wrong["model"]["forces"].append({"type": "torque", "on": {"body": "arm"},
                                     "value": [0, 0, {"type": "expression", "text": "pin.angle"}]})
    assert messages(wrong).startswith("/model/forces/1/value/2/text: the formula cannot be read")


def pressed(text, contact=None, bodies=1, **simulation):
    """A carriage between balls on the floor and an actuator that sees their force."""
    radius, apart = 0.05, 0.2
    places = [[k * apart, 0, 0] for k in range(bodies)]
    colliders = [{"name": f"skin{k}", "frame": {"body": "cart", "position": place},
                  "shape": {"type": "sphere", "radius": radius}} for k, place in enumerate(places)]
    colliders.append({"name": "floor", "frame": {"body": "ground", "position": [0, 0, -radius]},
                      "shape": {"type": "half_space"}})
    law = {"model": "compliant", "stiffness": 1e6, "damping": 50.0}
    made = model([disc("cart", [0, 0, 0], mass=2.0)],
                 [{"name": "guide", "type": "prismatic", "bodies": ["ground", "cart"], "at": [0, 0, 0], "axis": "z"}],
                 [{"name": "press", "type": "actuator", "joint": "guide", "value": {"type": "expression", "text": text}}],
                 gravity=(0, 0, -9.81), **{"end_time": 2.0, "integrator": ALPHA, **simulation})
    made["model"]["colliders"] = colliders
    made["model"]["contacts"] = [{"name": "k", "between": ["floor", "skin*"], **(law if contact is None else contact)}]
    return made


def test_a_force_sees_the_force_of_a_contact():
    """m g + u = N and u = -N/2: the floor carries two thirds of the weight."""
    result = run(pressed("0.5*k.force.n"))
    weight = 2.0 * 9.81
    assert result["k.force.n"][-1] == pytest.approx(weight / 1.5, rel=1e-6)
    assert result["press.force"] == pytest.approx(0.5 * result["k.force.n"], rel=1e-9, abs=1e-9)
    assert result.summary["iterations"]["smooth"]["max"] <= 12
    assert result.summary["energy"]["residual"] == pytest.approx(0, abs=1e-6)


def test_an_indentation_is_held():
    """A spring that is made of a formula: u = -c (d - d0)."""
    result = run(pressed("4e4*(k.indentation - 1e-4)"))
    depth = result["k.indentation"][-1]
    assert 2.0 * 9.81 == pytest.approx(1e6 * depth**1.5 + 4e4 * (depth - 1e-4), rel=1e-5)


def test_of_several_points_the_sum_is_seen():
    result = run(pressed("0.5*k.force.n", bodies=3))
    points = [result[name] for name in result.columns if name.startswith("k.") and name.endswith(".force.n")]
    assert len(points) == 3
    assert result["press.force"] == pytest.approx(0.5 * sum(points), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("condition, column", (
    ("k.force.n > 12", "k.force.n"), ("k.indentation > 2e-4", "k.indentation")))
def test_a_run_stops_by_a_contact(condition, column):
    made = pressed("0", stop_when=condition)
    result = run(made)
    level = float(condition.split(">")[1])
    assert result.summary["stopped_by"] == condition
    assert result[column][-1] > level >= result[column][-2]


def test_forces_of_contacts_that_have_none_are_refused():
    assert "the contact is rigid" in messages(pressed("k.force.n", contact={}))
    assert ".n, .t1 or .t2 must follow" in messages(pressed("k.force.x"))
    assert ".n, .t1 or .t2 must follow" in messages(pressed("k.force"))
    assert "nothing follows .indentation" in messages(pressed("k.indentation.n"))
    assert 'formulas see no "forces" of a contact; did you mean "force"?' in messages(pressed("k.forces.n"))
    assert "no joint, body or compliant contact is named" in messages(pressed("kk.force.n"))
