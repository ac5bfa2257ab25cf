# SPDX-License-Identifier: Apache-2.0
"""Models of users that found something in moreau_jean, each with what it should give."""

import json
import pathlib

import numpy as np
import pytest
from runs import run
from test_findings import found, warnings


def impacts(result):
    return [event for event in result.events if event["kind"] == "impact"]


def lost_by_friction(step):
    """In a bowl; and what the scheme loses there."""
    result = run(found("point_in_a_bowl", step=step))
    assert not impacts(result)
    assert result["energy.impact_loss"][-1] < 1e-12
    return result["energy.friction_loss"][-1], result["energy.numerical_loss"][-1]


def test_a_contact_that_lasts_on_a_curved_path_rubs_and_does_not_impact():
    """The loss is that of the other method, to first order."""
    other = run(found("point_in_a_bowl", type="nonsmooth_generalized_alpha", step=1e-4))
    exact = other["energy.friction_loss"][-1]
    coarse, fine = lost_by_friction(1e-3), lost_by_friction(5e-4)
    assert coarse[0] == pytest.approx(exact, rel=0.01)
    assert fine[0] == pytest.approx(exact, rel=0.005)
    assert abs(fine[1]) < 0.55 * abs(coarse[1])


@pytest.mark.parametrize("restitution", [0, 0.4, 0.9])
def test_restitution_does_not_lift_what_lasts_on_a_curved_path(restitution):
    model = found("point_in_a_bowl")
    model["model"]["contacts"][0]["restitution"] = restitution
    assert np.array_equal(run(model)["b.position"], run(found("point_in_a_bowl"))["b.position"])


def test_a_ball_comes_to_rest_on_a_plate_however_fast_the_plate_is():
    """Round-off used to decide which approaches of a ball at rest were impacts."""
    rest = run(found("ball_on_a_floating_plate"))
    model = found("ball_on_a_floating_plate")
    frame = np.array([100.0, -50, 30])
    for body in model["model"]["bodies"]:
        velocity = body["velocity"]
        velocity["linear"] = list(np.array(velocity.get("linear", [0.0, 0, 0])) + frame)
    moving = run(model)
    assert len(impacts(rest)) == len(impacts(moving)) < 10
    # The balance of a step is met to 1e-10 of the momenta, here 290 N s: 6e-8 m/s of the ball's velocity.
    for loss in ("friction_loss", "impact_loss", "damping_loss"):
        assert moving[f"energy.{loss}"] == pytest.approx(rest[f"energy.{loss}"], abs=6e-8)
    assert moving["b.velocity"] - frame == pytest.approx(rest["b.velocity"], abs=6e-8)


def test_what_is_held_back_is_the_scale_of_what_is_left():
    """A stiff spring pulls a pressed point along by micrometres: no law is in doubt."""
    result = run(found("stiff_and_pressed"))
    assert not result.summary["warnings"] and result.summary["inaccurate_steps"] == 0


def test_components_of_an_impulse_are_those_of_the_vector():
    result = run(found("spinning_spheres_meet"))
    local = np.stack([result[f"k.impulse.{c}"] for c in ("n", "t1", "t2")], axis=1)
    size = np.linalg.norm(result["k.impulse"], axis=1)
    assert size.max() > 1
    assert np.linalg.norm(local, axis=1) == pytest.approx(size, rel=1e-12)
    (impact,) = impacts(result)
    assert local[:, 0].max() == pytest.approx(impact["impulse_n"], rel=1e-12)
    tangential = np.hypot(impact["impulse_t1"], impact["impulse_t2"])
    assert np.linalg.norm(local[:, 1:], axis=1).max() == pytest.approx(tangential, rel=1e-12)


def test_a_rod_that_jams_is_named():
    examples = pathlib.Path(__file__).parents[2] / "examples"
    model = json.loads((examples / "painleve_rod.json").read_text())
    model["simulation"]["integrator"] = {"type": "moreau_jean", "step": 1e-3}
    assert "Painlevé" in warnings(run(model))
    (rod,) = model["model"]["bodies"]
    rod["velocity"]["linear"][0] *= -1  # trails its tip
    assert "Painlevé" not in warnings(run(model))
