# SPDX-License-Identifier: Apache-2.0
"""Stops, ropes and friction of joints: what they do in rows of impacts and in the first one; models of users that found
something, each with what it should give."""

import numpy as np
import pytest
from runs import run
from test_findings import found, warnings
from transforms import Moved

STEPS = [1e-3, 5e-4, 2.5e-4]
METHODS = ["nonsmooth_generalized_alpha", "moreau_jean"]
both_methods = pytest.mark.parametrize("method", METHODS)


def with_method(name, method, step):
    model = found(name)
    model["simulation"]["integrator"] = {"type": method, "step": step}
    return model


def size(result, name):
    rows = result[name]
    return np.abs(rows) if rows.ndim == 1 else np.linalg.norm(rows, axis=1)


@both_methods
@pytest.mark.parametrize("step", STEPS)
def test_a_stop_that_is_struck_bears_the_weights(method, step):
    """2 kg lie on it, and 3 kg from the impact on, which is no part of the force."""
    result = run(with_method("ball_falls_on_stop", method, step))
    (row,) = result.impact_rows
    force = result["s.force"][:, 2]
    assert force[:row] == pytest.approx(2 * 9.81, abs=1e-9)  # the first row knows it
    assert force[row:] == pytest.approx(3 * 9.81, abs=1e-9)
    assert result["s.impulse"][row, 2] > 0.04  # which has it


@both_methods
@pytest.mark.parametrize("step", STEPS)
def test_ropes_that_jerk_bear_what_hangs_on_them(method, step):
    model = with_method("masses_fall_into_ropes", method, step)
    model["simulation"]["end_time"] = 1
    result = run(model)
    assert sum(event["kind"] == "stop" for event in result.events) >= 3
    weights = 9.81 * np.array([6, 5, 3])
    for rope, weight in zip(["r0", "r1", "r2"], weights):
        assert size(result, f"{rope}.force").max() <= weight * (1 + 1e-9)
        assert size(result, f"{rope}.force")[-1] == pytest.approx(weight, rel=1e-9)
    assert size(result, "r0.impulse").max() > 1


@both_methods
@pytest.mark.parametrize("step", STEPS)
def test_nothing_rubs_where_only_an_impact_presses(method, step):
    """No gravity: the guide feels the impact beside its middle, and nothing else."""
    result = run(with_method("point_strikes_rubbing_slider", method, step))
    assert len(result.impact_rows) > 0
    assert size(result, "p.force").max() < 1e-6 and size(result, "p.friction").max() < 1e-6
    assert np.abs(result["p.impulse"][:, 0].sum()) == pytest.approx(0.279, abs=2e-3)


@both_methods
@pytest.mark.parametrize("step", STEPS)
def test_a_guide_that_is_struck_and_sticks_holds_what_pulls(method, step):
    """5 N pull at it, and from the impact on the ball rolls or slides on it, with 0.3 of its weight at most."""
    result = run(with_method("ball_strikes_sticking_slider", method, step))
    row = result.impact_rows[0]
    assert result["s.sticks"].min() == 1
    assert result["s.force"][:row, 0] == pytest.approx(-5, abs=1e-9)
    assert np.abs(result["s.force"][row:, 0] + 5).max() <= 0.3 * 9.81 * (1 + 1e-6)
    assert result["s.friction"] == pytest.approx(result["s.force"][:, 0], abs=1e-9)
    assert np.abs(result["s.impulse"][row, 0]) > 10 * 5 * step


@pytest.mark.parametrize("name", ["ball_falls_on_stop", "ball_strikes_sticking_slider"])
def test_what_joints_bear_turns_with_the_scene(name):
    turn = Moved(rotation=[0.713, -1.137, 2.119])
    model = found(name)
    model["model"]["gravity"] = [0, 0, -9.81]
    (joint,) = model["model"]["joints"]
    joint["axis"] = {"x": [1, 0, 0], "z": [0, 0, 1]}[joint["axis"]]
    straight, turned = run(model), run(turn.model(model))
    assert turned["s.force"] == pytest.approx(straight["s.force"] @ turn.R.T, abs=1e-6)


@both_methods
def test_the_first_row_knows_friction(method):
    result = run(with_method("arm_held_by_friction", method, 1e-4))
    assert result["j.torque"][:, 1] == pytest.approx(-0.3 * 2 * 9.81, abs=1e-9)
    assert result["j.friction"] == pytest.approx(-0.3 * 2 * 9.81, abs=1e-9)
    assert result["j.sticks"].min() == 1
    model = with_method("arm_held_by_friction", method, 1e-4)
    model["model"]["joints"][0]["friction"]["torque"] = 2.0  # slips from the first step on
    result = run(model)
    assert result["j.friction"][0] == pytest.approx(-2, abs=1e-6) and result["j.sticks"][0] == 0


@both_methods
def test_what_friction_has_stopped_is_exact(method):
    result = run(with_method("slider_rubs_and_stops", method, 1e-3))
    assert not result.summary["warnings"] and result.summary["inaccurate_steps"] == 0
    assert np.abs(result["b.velocity"][-1]).max() < 1e-12


@pytest.mark.parametrize("joint", [
    {"type": "revolute", "friction": {"coefficient": 0.3, "radius": 0.05}},
    {"type": "revolute", "friction": {"torque": 2.0}},
    {"type": "spherical", "friction": {"coefficient": 0.3, "radius": 0.05}},
    {"type": "cylindrical", "friction": {"force": 30.0, "torque": 2.0}},
    {"type": "cylindrical", "friction": {"coefficient": 0.4, "radius": 0.05}},
])  # fmt: skip
def test_friction_at_rest_is_in_no_doubt(joint):
    model = found("slider_rubs_and_stops")
    (given,) = model["model"]["joints"]
    given.update(joint)
    (body,) = model["model"]["bodies"]
    if joint["type"] == "spherical":
        del given["axis"]
    if joint["type"] != "cylindrical":
        body["pose"]["position"] = [0, 0, 0]
        body["velocity"] = {"angular": [0.7, 0, 0]}
    else:
        body["pose"]["position"] = [0, 0, 0]
        body["velocity"] = {}
    model["simulation"]["end_time"] = 1
    result = run(model)
    assert not result.summary["warnings"] and result.summary["inaccurate_steps"] == 0
    assert result["p.sticks"][-1] == 1


@pytest.mark.parametrize("step", [4e-3, 2e-3, 5e-4])
def test_a_cylinder_that_stands_and_turns_needs_no_halves(step):
    result = run(found("cylinder_turns_on_box", step=step))
    assert "halved" not in warnings(result) and result.summary["inaccurate_steps"] == 0


@pytest.mark.parametrize("friction", [1e4, 1e6, 1e7, 1e12])
def test_friction_without_a_bound_sticks(friction):
    model = found("box_on_slope_sticks")
    model["model"]["contacts"][0]["friction"] = friction
    result = run(model)
    assert not result.summary["warnings"]
    assert np.abs(result["b.position"] - result["b.position"][0]).max() < 1e-10


@both_methods
def test_friction_that_wins_energy_is_named(method):
    """A smaller step does not help, and the warning does not say that it would."""
    told = warnings(run(with_method("rod_tip_wins_energy", method, 1e-3)))
    assert "wins energy: friction turns its slip round" in told and "too large" not in told
