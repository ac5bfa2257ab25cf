# SPDX-License-Identifier: Apache-2.0
"""Law 3: a mirrored scene moves as the mirror shows; the order in the file says nothing."""

import models
import pytest
from orders import order
from transforms import Mirrored, Reversed, Swapped, refined, worst

TOLERANCE = 1e-9
SWAPPED, SMOOTH = 1e-4, 1.8  # of joints: at the steps of the zoo; least order over two halvings


# The balls of a mirrored bearing are counted the other way round.
@pytest.mark.parametrize("name", models.names(but=["bearing_in_a_plane", "bearing_with_grooves"]))
def test_mirrored(name):
    deviation, quantity = worst(name, Mirrored())
    assert deviation <= TOLERANCE, quantity


@pytest.mark.parametrize("name", models.names())
def test_lists_in_reverse(name):
    deviation, quantity = worst(name, Reversed())
    assert deviation <= TOLERANCE, quantity


@pytest.mark.parametrize("name", models.names())
def test_first_and_second_swapped(name):
    """The smooth motion is beside its joints by O(h³), where axes that should be parallel are not quite.

    There it counts which of the two is the first's; what that makes of forces falls with the square of the
    step. Contacts and springs know no first body.
    """
    swapped, model = Swapped(), models.model(name)
    deviation, quantity = worst(name, swapped, model)
    if deviation <= TOLERANCE:
        return
    assert swapped.turned, quantity
    assert deviation <= SWAPPED, quantity
    finer = [worst(name, Swapped(), refined(model, n))[0] for n in (2, 4)]
    assert order([deviation, *finer], TOLERANCE) >= SMOOTH, (quantity, deviation, finer)
