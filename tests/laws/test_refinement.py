# SPDX-License-Identifier: Apache-2.0
"""Law 7: errors fall with the step as the manual says.

Second order where motion is smooth and while contacts stay as they are, first order with impacts and changes
between slip and stick (docs/guide/choosing_the_step.md).
"""

import models
import numpy as np
import pytest
import transforms
from orders import order
from runs import run

SMOOTH, IMPACT = 1.8, 0.7
# A table has corners inside of steps; there the order is lower in single steps.
SMOOTH_MODELS = models.names("smooth", but=["push_by_table"])
# Nothing moves of those at rest; Moreau and Jean's scheme is of first order with contacts, and so is friction
# by a law of the slip speed, which is taken at the beginning of the step.
LASTING_MODELS = models.names(
    "lasting", without=["changes"],
    but=["box_sticks", "three_balls_in_a_pit", "lever_on_a_prop", "point_slides_by_moreau", "friction_falls_with_speed"],
)


def final_values(result, motion):
    """The motion at the end, or forces of joints and elements, each over its size."""
    owners, units = (("body", "node"), ("m", "m/s", "rad/s")) if motion else (("joint", "element"), ("N", "N m"))
    values = []
    for name, q in transforms.compared(result):
        if q.owner in owners and q.unit in units:
            values.append(q.rows[-1] / result.sizes[q.unit])
    return np.concatenate(values) if values else np.zeros(1)


def changes(name, motion, halvings=3):
    """By how much the values at the end change with each halving of the step."""
    # The steps of the zoo do not resolve the waves in flexible bodies.
    first = 4 if "flexible" in models.ZOO[name].tags else 1
    finals = [
        final_values(run(transforms.refined(models.model(name), first * 2**i)), motion)
        for i in range(halvings + 1)
    ]
    return [np.abs(b - a).max() for a, b in zip(finals, finals[1:])]


@pytest.mark.parametrize("name", SMOOTH_MODELS + LASTING_MODELS)
def test_motion_is_of_second_order(name):
    found = changes(name, motion=True)
    assert order(found[1:]) >= SMOOTH, found


@pytest.mark.parametrize("name", SMOOTH_MODELS + LASTING_MODELS)
def test_joint_forces_and_stresses_are_of_second_order(name):
    found = changes(name, motion=False)
    assert order(found[1:], 1e-8) >= SMOOTH, found


# Where an impact lies in its step changes with each halving: bounds, not orders. The motions of those left
# out part after some impacts: what is left then are means.
BOUNCING = models.names(
    "impact", without=["random", "redundant"],
    but=["box_tumbles", "box_tumbles_by_events", "tower_of_balls_falls"],
)


@pytest.mark.parametrize("name", BOUNCING)
def test_with_impacts_errors_are_of_first_order(name):
    """The largest of two neighbouring steps, and that of two which are eight times shorter."""
    reference = final_values(run(transforms.refined(models.model(name), 48)), True)
    finals = [final_values(run(transforms.refined(models.model(name), f)), True) for f in (1, 2, 8, 16)]
    errors = [np.abs(f - reference).max() for f in finals]
    coarse, fine = max(errors[:2]), max(errors[2:])
    assert fine <= 1e-9 or np.log2(coarse / fine) / 3 >= IMPACT, errors
