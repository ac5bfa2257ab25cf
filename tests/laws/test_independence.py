# SPDX-License-Identifier: Apache-2.0
"""Law 1: what is far away and not connected changes nothing."""

import models
import pytest
from models import ball, collider, contact, joint, mass_point, plane, rigid, scene, skin, solid_box
from runs import fails
from transforms import Beside, Moved, worst

# Parts have scales, decisions and factors of their own: most models are the same to the byte. What is left are
# orders of sums where a contact problem is posed with more rows.
TOLERANCE = 1e-12


def bouncing():
    colliders = [skin("x", 0.1), models.FLOOR]
    law = {"restitution": 0.8, "friction": 0.2}
    return scene(
        [ball("x", 0.9, 0.1, [0, 0, 0.1317], [0.4, 0, -1.1])], 1, 1, colliders=colliders,
        contacts=[contact("k", "floor", "x_skin", **law)],
    )


def bullet():
    return scene([mass_point("x", 0.01, [0, 0, 0], [1000, 3, 5])], 1, 1)


def tiny():
    """Two grains of 10 µm."""
    bodies = [
        ball("x", 1e-9, 1e-5, [0, 0, 1.7e-5], [1e-4, 0, -1e-4]),
        ball("y", 1e-9, 1e-5, [4e-5, 0, 1.3e-5], [-1e-3, 0, 0]),
    ]
    colliders = [skin("x", 1e-5), skin("y", 1e-5), models.FLOOR]
    contacts = [
        contact("k", "floor", ["x_skin", "y_skin"], friction=0.2, restitution=0.5),
        contact("l", "x_skin", "y_skin"),
    ]
    return scene(bodies, 1, 1, colliders=colliders, contacts=contacts)


def huge():
    return scene(
        [rigid("x", solid_box(1e9, 300, 200, 100), [500, 400, 700], [20, 0, 0], [0.1, 0.2, 0])], 1, 1
    )


def jammed():
    """A hinged rod runs into a rough wall: restitution contradicts the hinge."""
    rod = rigid(
        "rod", {"type": "slender_rod", "mass": 1.0, "length": 1.0}, [0.5, 0, 0], [0, 0, -3.1], [0, 6.2, 0]
    )
    colliders = [collider("tip", "rod", "point", [0.5, 0, 0]), plane("wall", [0.9211, 0, 0], [1, 0, 0])]
    hinge = joint("hinge", "revolute", "ground", "rod", [0, 0, 0], [0, 1, 0])
    return scene(
        [rod], 1, 1, joints=[hinge], colliders=colliders,
        contacts=[contact("touch", "wall", "tip", restitution=0.5, friction=1.5)],
    )


def belt():
    """A block that a belt drags against its friction, stick and slip."""
    block = mass_point("x", 1.31, [0.37, 0.05, 0])
    spring = {
        "name": "s", "type": "spring_damper",
        "between": [models.frame("ground", [-0.3, 0, 0.1]), models.frame("x")], "stiffness": 793.0,
    }
    surface = plane("belt", [0, 0, 0], [0, 0, 1], surface_velocity=[1.53, 0, 0])
    return scene(
        [block], 1, 1, forces=[spring], colliders=[collider("foot", "x", "point"), surface],
        contacts=[contact("touch", "belt", "foot", friction=0.41)],
    )


NEIGHBOURS = {f.__name__: f for f in (bouncing, bullet, tiny, huge, jammed, belt)}


def is_accepted(model, neighbour):
    """generalized_alpha refuses contacts."""
    method = model["simulation"]["integrator"]["type"]
    return method != "generalized_alpha" or "contacts" not in neighbour["model"]


def fails_alone(model, neighbour):
    """Under the gravity of the model, and with its steps."""
    parts = {**Moved(offset=Beside.offset).model(neighbour)["model"], "gravity": model["model"]["gravity"]}
    return fails({**model, "model": parts})


@pytest.mark.parametrize("neighbour", NEIGHBOURS)
@pytest.mark.parametrize("name", models.names())
def test_beside(name, neighbour):
    other = NEIGHBOURS[neighbour]()
    if not is_accepted(models.model(name), other):
        pytest.skip("refused together")
    if fails_alone(models.model(name), other):
        pytest.skip("the neighbour fails by itself")
    deviation, quantity = worst(name, Beside(other))
    assert deviation <= TOLERANCE, quantity


@pytest.mark.parametrize("name", models.names())
def test_before(name):
    """First in the file."""
    deviation, quantity = worst(name, Beside(bullet(), first=True))
    assert deviation <= TOLERANCE, quantity
