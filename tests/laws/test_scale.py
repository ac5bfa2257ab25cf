# SPDX-License-Identifier: Apache-2.0
"""Law 4: units decide nothing."""

import models
import pytest
from transforms import Scaled, worst

TOLERANCE = 1e-9
# With powers of two every number is scaled exactly: nothing may change but by a constant with a unit.
UNITS = {
    "large": Scaled(2.0**20, 2.0**10, 2.0**5),
    "small": Scaled(2.0**-20, 2.0**-10, 2.0**-5),
    "dense": Scaled(1e6, 1e-3, 1e-1),
    "thin": Scaled(1e-6, 1e3, 7.0),
}


@pytest.mark.parametrize("units", UNITS)
@pytest.mark.parametrize("name", models.names())
def test_other_units(name, units):
    deviation, quantity = worst(name, UNITS[units])
    assert deviation <= TOLERANCE, quantity
