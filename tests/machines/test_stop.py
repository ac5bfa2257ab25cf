# SPDX-License-Identifier: Apache-2.0
"""Runs that know when to stop, and parameters."""

import numpy as np
import pytest
from machine import ALPHA, EVENTS, MOREAU, messages, model, run

HEIGHT, LEVEL, G = 1.0, 0.1, 9.81
FALL = np.sqrt(2 * (HEIGHT - LEVEL) / G)


def falling(integrator, condition="ball.position.z < 0.1", **more):
    ball = {"name": "ball", "type": "point_mass", "mass": 1, "pose": {"position": [0, 0, HEIGHT]}}
    return model([ball], [], end_time=2.0, integrator=integrator, gravity=(0, 0, -G), stop_when=condition, **more)


@pytest.mark.parametrize("integrator", (ALPHA, MOREAU), ids=lambda i: i["type"])
def test_a_run_stops_at_the_end_of_a_step(integrator):
    result = run(falling(integrator))
    assert result.summary["status"] == "completed"
    assert result.summary["stopped_by"] == "ball.position.z < 0.1"
    assert FALL < result.summary["end_time"] < FALL + 2e-3
    assert result.time[-1] == result.summary["end_time"]
    assert result["ball.position.z"][-1] < LEVEL <= result["ball.position.z"][-2]


def test_the_stop_is_located_by_events():
    result = run(falling(EVENTS))
    assert result.summary["status"] == "completed"
    assert result.summary["end_time"] == pytest.approx(FALL, rel=1e-10)
    assert result["ball.position.z"][-1] == pytest.approx(LEVEL, abs=1e-10)


def test_conditions_may_be_joined():
    result = run(falling(EVENTS, "t > 0.2 && ball.velocity.z < -1"))
    assert result.summary["end_time"] == pytest.approx(0.2, rel=1e-10)


def test_a_condition_that_holds_never_changes_nothing():
    never, plain = run(falling(EVENTS, "t > 3")), run({**falling(EVENTS), "simulation": {"end_time": 2.0, "integrator": EVENTS}})
    assert "stopped_by" not in never.summary
    assert (never["ball.position.z"] == plain["ball.position.z"]).all()


def test_a_condition_that_holds_at_once_stops_at_once():
    result = run(falling(ALPHA, "ball.position.z > 0.5"))
    assert result.summary["steps"] == 0 and result.summary["stopped_by"]


def test_a_wrong_condition_is_refused():
    assert messages(falling(ALPHA, "bull.position.z < 0")) .startswith("/simulation/stop_when: ")
    assert 'did you mean "ball"' in messages(falling(ALPHA, "bull.position.z < 0"))


def test_parameters_stand_for_numbers_and_in_formulas():
    top = {"parameters": {"level": 0.1, "double": "=2*level"}}
    changed = falling(EVENTS, "ball.position.z < level", top=top)
    changed["model"]["bodies"][0]["mass"] = "=double/level"
    result = run(changed)
    assert result.summary["end_time"] == pytest.approx(FALL, rel=1e-10)
    assert result["energy.gravity"][0] == pytest.approx(2 * G * HEIGHT)
    result = run(changed, "--set", "/parameters/level=0.4")
    assert result.summary["end_time"] == pytest.approx(np.sqrt(2 * 0.6 / G), rel=1e-10)


def test_wrong_parameters_are_refused():
    wrong = falling(ALPHA, top={"parameters": {"mass": "=2*", "sin": 1, "2a": 1, "late": "=later", "later": 1}})
    wrong["model"]["bodies"][0]["mass"] = "=masss"
    text = messages(wrong)
    for line in ("/parameters/mass: the formula cannot be read", '/parameters/sin: formulas know "sin" already',
                 "/parameters/2a: the name of a parameter has letters", '/parameters/late: no parameter is named "later"',
                 '/model/bodies/0/mass: no parameter is named "masss", got "=masss"; did you mean "mass"?'):
        assert line in text
    assert 'no parameter is named "levle"' in messages(
        falling(ALPHA, top={"parameters": {"level": 1}}), "--set", "/parameters/levle=2")
