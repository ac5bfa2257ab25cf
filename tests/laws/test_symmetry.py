# SPDX-License-Identifier: Apache-2.0
"""Law 3: a mirrored scene moves as the mirror shows; the order in the file says nothing."""

import models
import pytest
from transforms import Mirrored, Reversed, Swapped, worst

TOLERANCE = 1e-9


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
    deviation, quantity = worst(name, Swapped())
    assert deviation <= TOLERANCE, quantity
