# SPDX-License-Identifier: Apache-2.0
"""Law 1 on random pairs: a mechanism that is not connected with another does not change one bit of its results."""

import numpy as np
import pytest
from models import with_integrator
from random_models import random_model
from runs import fails, run
from transforms import Beside

PAIRS = range(50)
OWNERS = ("body", "node", "joint", "point", "contact")


def by_steps(model):
    """By time stepping, for some dozens of steps."""
    result = with_integrator(model, "nonsmooth_generalized_alpha", rho_inf=0.8)
    result["simulation"]["end_time"] = model["simulation"]["end_time"] / 4
    result["simulation"]["integrator"]["step"] = model["simulation"]["end_time"] / 400
    result["simulation"].pop("record", None)
    return result


def pair(number):
    """Two models of different kinds: their seeds leave different remainders."""
    return by_steps(random_model(1000 + number)), random_model(2000 + 3 * number)


@pytest.mark.parametrize("number", PAIRS)
def test_not_one_bit(number):
    model, neighbour = pair(number)
    together = Beside(neighbour).model(model)
    if fails(model) or fails(together):
        pytest.skip("one of them fails by itself")
    alone, beside = run(model), run(together)
    for name, quantity in alone.quantities.items():
        if quantity.owner in OWNERS:
            assert np.array_equal(quantity.rows, beside.quantities[name].rows), name
