# SPDX-License-Identifier: Apache-2.0
"""Orders of convergence, measured by halving the step twice."""

import numpy as np
import transforms

ROUND_OFF = 1e-10


def order(errors, round_off=ROUND_OFF):
    """Of errors at h, h/2, …: that over all halvings; infinite where only round-off is left."""
    if errors[-1] <= round_off:
        return np.inf
    return np.log2(errors[0] / errors[-1]) / (len(errors) - 1)


def refinements(model, count=3):
    """The model with h, h/2, h/4, …, every step recorded."""
    for i in range(count):
        result = transforms.refined(model, 2**i)
        result["simulation"]["record"]["every"] = 1
        yield result
