# SPDX-License-Identifier: Apache-2.0
"""What a step cannot see is told: solids that go through each other, contacts that nothing came near to."""

import pytest
from models import FLOOR, collider, contact, frame, rigid, scene, solid_sphere
from runs import run

PLATE = {"name": "plate", "frame": frame("ground"), "shape": {"type": "box", "size": [1, 1, 0.01]}}
SHAPES = {
    "sphere": {"radius": 0.01},
    "box": {"size": [0.02, 0.03, 0.02]},
    "capsule": {"radius": 0.01, "length": 0.02},
    "cylinder": {"radius": 0.01, "length": 0.02},
}


def shot(shape, step, speed=100.0, at=(0.013, 0.021, 0.53)):
    body = rigid("bullet", solid_sphere(0.7, 0.01), at, linear=[3, 1, -speed], angular=[1, 2, 0.3])
    return scene([body], 0.012, step, gravity=[0, 0, 0],
                 colliders=[PLATE, collider("skin", "bullet", shape, **SHAPES[shape])],
                 contacts=[contact("hit", "plate", "skin", restitution=0.5)])


@pytest.mark.parametrize("shape", SHAPES)
def test_what_goes_through_a_plate_within_a_step_is_told_by_name(shape):
    result = run(shot(shape, 1e-3))
    assert result["bullet.position"][-1, 2] < 0
    warnings = [w for w in result.summary["warnings"] if "went through each other" in w]
    assert len(warnings) == 1 and 'contact "hit": "plate" and "skin"' in warnings[0]
    assert result.summary["notes"] == ['contact "hit" never touched']


@pytest.mark.parametrize("shape", SHAPES)
def test_a_smaller_step_sees_it(shape):
    result = run(shot(shape, 2e-5))
    assert result["bullet.position"][-1, 2] > 0
    assert not result.summary["warnings"] and "notes" not in result.summary


@pytest.mark.parametrize("shape", SHAPES)
def test_what_flies_past_is_not_told(shape):
    result = run(shot(shape, 1e-3, at=(0.6, 0.021, 0.53)))
    assert not result.summary["warnings"]


@pytest.mark.parametrize("shape", SHAPES)
def test_two_that_fly_through_each_other_are_told(shape):
    bodies = [rigid("a", solid_sphere(0.7, 0.01), [-0.37, 0, 0], linear=[80, 0, 0]),
              rigid("b", solid_sphere(0.7, 0.01), [0.32, 0.001, 0.002], linear=[-70, 0, 0])]
    other = "box" if shape == "sphere" else shape  # two spheres have their own warning
    result = run(scene(
        bodies, 0.006, 1e-3, gravity=[0, 0, 0],
        colliders=[collider("one", "a", shape, **SHAPES[shape]), collider("other", "b", other, **SHAPES[other])],
        contacts=[contact("hit", "*", "*")],
    ))
    assert sum('"one" and "other" went through each other' in w for w in result.summary["warnings"]) == 1


def test_contacts_that_nothing_came_near_to_are_named():
    bodies = [rigid("a", solid_sphere(1, 0.1), [0, 0, 5]), rigid("b", solid_sphere(1, 0.1), [3, 0, 0.1])]
    result = run(scene(
        bodies, 0.1, 1e-2, colliders=[FLOOR, collider("sa", "a", "sphere", radius=0.1),
                                      collider("sb", "b", "sphere", radius=0.1)],
        contacts=[contact("pair", "sa", "sb"), contact("stand", "floor", "sb"), contact("fall", "floor", "sa")],
    ))
    assert result.summary["notes"] == ['contacts "pair", "fall" never touched']
