# SPDX-License-Identifier: Apache-2.0
"""Law 9: where physics is continuous in a parameter, so are results: 1e-12 of it changes nothing to see."""

import copy

import models
import numpy as np
import pytest
import transforms
from models import ball, contact, scene, skin
from runs import run

SMALL = 1e-12
SEEN = 1e-6  # of what parameters of 1e-12 may move, amplified by a few impacts


def difference(a, b):
    """Of two motions."""
    found = transforms.deviations(run(a), run(b), transforms.Same(), ("body", "node"))
    return max((value, name) for name, value in found)


def with_law(model, **law):
    result = copy.deepcopy(model)
    for c in result["model"]["contacts"]:
        c.update(law)
    return result


# Bearings have their own laws.
WITH_CONTACTS = [n for n in models.names() if models.model(n)["model"].get("contacts")]


@pytest.mark.parametrize("name", WITH_CONTACTS)
def test_friction_to_zero(name):
    base = with_law(models.model(name), friction=0.0)
    base = with_law(
        base, rolling_friction=0.0, spinning_friction=0.0, tangential_restitution=0.0,
        sliding_and_spinning="independent",
    )
    deviation, quantity = difference(base, with_law(base, friction=SMALL))
    assert deviation <= SEEN, quantity


@pytest.mark.parametrize("name", [n for n in WITH_CONTACTS if "impact" in models.ZOO[n].tags])
def test_restitution_to_one(name):
    base = with_law(models.model(name), restitution=1.0)
    deviation, quantity = difference(base, with_law(base, restitution=1 - SMALL))
    assert deviation <= SEEN, quantity


@pytest.mark.parametrize("name", [n for n in WITH_CONTACTS if "impact" in models.ZOO[n].tags])
def test_restitution_to_zero(name):
    base = with_law(models.model(name), restitution=0.0)
    deviation, quantity = difference(base, with_law(base, restitution=SMALL))
    assert deviation <= SEEN, quantity


BOUNCING = 0.01  # from which restitution several impacts are a sequence


@pytest.mark.parametrize("name", [n for n in WITH_CONTACTS if "impact" in models.ZOO[n].tags])
def test_restitution_to_that_of_a_sequence(name):
    base = with_law(models.model(name), restitution=BOUNCING)
    deviation, quantity = difference(base, with_law(base, restitution=BOUNCING * (1 - SMALL)))
    assert deviation <= SEEN, quantity


def chain_on_floor(friction, restitution=1.0):
    """A ball falls on one that rests on a floor, not quite in the middle of a step."""
    bodies = [ball("lower", 1.0, 0.1, [0, 0, 0.1]), ball("upper", 0.7, 0.1, [0, 0, 0.3137], [0, 0, -1.7])]
    contacts = [
        contact("ground_touch", "floor", "lower_skin", restitution=restitution, friction=friction),
        contact("balls", "lower_skin", "upper_skin", restitution=restitution),
    ]
    return scene(
        bodies, 0.05, 1e-3, gravity=[0, 0, -9.467],
        colliders=[skin("lower", 0.1), skin("upper", 0.1), models.FLOOR], contacts=contacts,
    )


def test_friction_to_zero_under_a_vertical_impact():
    deviation, quantity = difference(chain_on_floor(0.0), chain_on_floor(SMALL))
    assert deviation <= SEEN, quantity


def pendulum_with_a_rider(mass):
    """A small mass welded to a pendulum."""
    model = models.pendulum()
    model["model"]["bodies"].append(models.mass_point("rider", mass, [0.41, 0.31, -0.37]))
    frames = [models.frame("bob", rider_place()), models.frame("rider")]
    model["model"]["joints"].append({"name": "weld", "type": "spherical", "between": frames})
    return model


def rider_place():
    """Of the rider, in the axes of the pendulum."""
    pose = models.pendulum()["model"]["bodies"][0]["pose"]
    R = transforms.matrix(transforms.orientation(pose))
    return (R.T @ np.subtract([0.41, 0.31, -0.37], pose["position"])).tolist()


def test_a_small_mass_to_zero():
    """The pendulum swings as without it; the joint carries the small weight, to digits of its own."""
    alone, heavy = run(models.pendulum()), run(pendulum_with_a_rider(1e-9))
    off = np.abs(alone["bob.position"] - heavy["bob.position"]).max()
    assert off <= 1e-8 * alone.sizes["m"]
    small, smaller = heavy["weld.force"] / 1e-9, run(pendulum_with_a_rider(1e-11))["weld.force"] / 1e-11
    assert np.abs(small - smaller).max() <= 1e-6 * np.abs(small).max()


def arm_in_a_bore(clearance):
    """The arm of the zoo, hung with a clearance and no friction, at rest on the wall of the bore."""
    model = models.pin_with_clearance()
    model["model"]["colliders"][0]["shape"]["radius"] = 0.0201 + clearance
    model["model"]["contacts"][0].update(friction=0.0, restitution=0.0)
    return model


def test_clearance_to_zero():
    """The motion goes to that with an ideal joint as the clearance does."""
    ideal = models.pin_with_clearance()
    del ideal["model"]["colliders"], ideal["model"]["contacts"], ideal["model"]["joints"]
    ideal["model"]["joints"] = [models.joint("pin", "revolute", "ground", "arm", [0, 0, 0], [0, 1, 0])]
    exact = run(ideal)["arm.position"]
    # In mean: the play lets the arm rattle, by less and less.
    off = [np.abs(run(arm_in_a_bore(c))["arm.position"] - exact).max() for c in (1e-3, 1e-4, 1e-5)]
    assert off[1] <= 0.3 * off[0] and off[2] <= 0.3 * off[1], off
