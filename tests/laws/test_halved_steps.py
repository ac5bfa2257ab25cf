# SPDX-License-Identifier: Apache-2.0
"""A step that does not converge is halved for the mechanism that did not, and for nobody else."""

import balance
import numpy as np
import pytest
from models import FLOOR, ball, contact, frame, joint, rigid, scene, skin, spring
from runs import run

OWNERS = ("body", "joint", "point", "contact")


def merged(*scenes):
    """Several scenes in one, with the options of the first."""
    model = {"gravity": scenes[0]["model"]["gravity"]}
    for part in scenes:
        for key, value in part["model"].items():
            if key != "gravity":
                model[key] = model.get(key, []) + value
    return {**scenes[0], "model": model}


def few_iterations(model, most=3):
    integrator = {**model["simulation"]["integrator"], "max_iterations": most}
    return {**model, "simulation": {**model["simulation"], "integrator": integrator}}


def rod(mass, length):
    return {"type": "slender_rod", "mass": mass, "length": length}


def arm(x=0.0):
    """Two rods on hinges that turn by a quarter of a radian a step: three iterations are few for it."""
    return scene(
        [
            rigid("arm", rod(1, 0.4), [x + 0.2, 0, 1], [0, 0, -6], [0, 30, 0]),
            rigid("tip", rod(0.3, 0.3), [x + 0.55, 0, 1], [0, 0, -5.25], [0, -45, 0]),
        ], 0.4, 1e-2,
        joints=[
            joint("pin", "revolute", "ground", "arm", [x, 0, 1], axis=[0, 1, 0]),
            joint("elbow", "revolute", "arm", "tip", [x + 0.4, 0, 1], axis=[0, 1, 0]),
        ],
    )


def bouncing():
    return scene(
        [ball("b", 1.3, 0.1, [50, 0, 0.1731], [1, 0.3, -1])], 0.4, 1e-2, gravity=[0, 0, -9.81],
        colliders=[skin("b", 0.1), FLOOR], contacts=[contact("k", "floor", "b_skin", restitution=0.7, friction=0.3)],
    )


def swinging():
    """A weight on a spring that rests on the floor with its other end: forces of the velocity, too."""
    return scene(
        [ball("w", 2, 0.1, [-40, 0, 0.9]), ball("f", 0.7, 0.1, [-40, 0, 0.1])], 0.4, 1e-2, gravity=[0, 0, -9.81],
        colliders=[skin("w", 0.1), skin("f", 0.1), FLOOR], contacts=[contact("s", "floor", "?_skin", friction=0.2)],
        forces=[spring("z", frame("f"), frame("w"), 300, 4)],
    )


def assert_same_bits(one, other):
    for name, quantity in one.quantities.items():
        if quantity.owner in OWNERS:
            assert np.array_equal(quantity.rows, other.quantities[name].rows), name


def halved(result):
    return [w for w in result.summary["warnings"] if "halved as often as needed" in w]


@pytest.mark.parametrize("other", [bouncing, swinging])
def test_who_is_halved_disturbs_nobody(other):
    alone, beside = run(few_iterations(other())), run(few_iterations(merged(other(), arm())))
    assert halved(beside) and not halved(alone)
    assert_same_bits(alone, beside)


@pytest.mark.parametrize("other", [bouncing, swinging])
def test_and_is_disturbed_by_nobody(other):
    model = arm()
    model["model"]["gravity"] = [0, 0, -9.81]
    alone, beside = run(few_iterations(model)), run(few_iterations(merged(model, other())))
    assert halved(alone) and alone.summary["inaccurate_steps"] > 0
    assert_same_bits(alone, beside)


def test_two_that_are_halved_do_not_know_of_each_other():
    one = few_iterations(arm())
    second = arm(30.0)
    for part in second["model"]["bodies"] + second["model"]["joints"]:
        part["name"] += "2"
        if "bodies" in part:
            part["bodies"] = [b if b == "ground" else b + "2" for b in part["bodies"]]
    second["model"]["bodies"][0]["velocity"] = {"linear": [0, 0, -8], "angular": [0, 40, 0]}
    second["model"]["bodies"][1]["velocity"] = {"linear": [0, 0, -14.5], "angular": [0, 10, 0]}
    both = run(few_iterations(merged(one, second)))
    assert_same_bits(run(one), both)
    assert_same_bits(run(few_iterations(second)), both)


def test_momentum_and_energy_of_halved_steps_are_booked():
    """Impulses of the halves add up to those of the row; the books close."""
    whole, parts = run(few_iterations(arm(), 25)), run(few_iterations(arm()))
    assert halved(parts) and not halved(whole)
    defects = [max(balance.Ledger(r).momentum_defects.values()) for r in (whole, parts)]
    assert defects[1] <= 1.5 * defects[0]
    turnover = parts["energy.kinetic"].max()
    assert np.abs(parts["energy.residual"]).max() <= 1e-11 * turnover
    # Halves are more accurate than the whole, if anything.
    fine = arm()
    fine["simulation"]["integrator"]["step"] = 1e-3
    fine["simulation"]["record"] = {"every": 10}
    exact = run(fine)
    error = [np.abs(r["tip.position"][:11] - exact["tip.position"][:11]).max() for r in (whole, parts)]
    assert error[1] <= 1.2 * error[0]


def test_books_of_springs_go_on_through_halves():
    model = few_iterations(arm())
    model["model"]["forces"] = [
        {"type": "torsional_spring_damper", "joint": "elbow", "stiffness": 40, "damping": 0.05, "rest_angle": 0.5}]
    result = run(model)
    assert halved(result)
    turnover = max(result["energy.kinetic"].max(), result["energy.elastic"].max())
    assert result["energy.elastic"].max() > 0.1 * turnover
    assert np.abs(result["energy.residual"]).max() <= 1e-11 * turnover


def test_results_are_the_same_bytes_twice():
    model = few_iterations(merged(arm(), bouncing()))
    assert_same_bits(run(model), run(model))
