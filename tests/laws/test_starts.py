# SPDX-License-Identifier: Apache-2.0
"""Law 5: where in a step something happens changes times by less than a step, and balances by nothing."""

import balance
import models
import numpy as np
import pytest
from runs import run
from transforms import started_earlier

SHIFTS = (0.1, 0.37, 0.63, 0.9) if models.LONG else (0.37, 0.9)
MODELS = models.names("ballistic")


def shifted(name, share):
    model = models.model(name)
    time = share * model["simulation"]["integrator"]["step"]
    return started_earlier(model, time), time


def first_impacts(result):
    """The time of the first impact of each contact."""
    times = {}
    for event in result.events:
        if event["kind"] == "impact":
            times.setdefault(event["contact"], event["time"])
    return times


@pytest.mark.parametrize("share", SHIFTS)
@pytest.mark.parametrize("name", MODELS)
def test_events_move_by_less_than_a_step(name, share):
    model, time = shifted(name, share)
    before, after = first_impacts(run(models.model(name))), first_impacts(run(model))
    step = model["simulation"]["integrator"]["step"]
    # A box was turned a little differently a while before: started_earlier() lets it turn at a constant rate.
    limit = 1e-9 if name == "ball_bounces_by_events" else step
    assert before.keys() == after.keys()
    # Later impacts have the errors of all earlier ones.
    contact = min(before, key=before.get)
    assert abs(after[contact] - before[contact] - time) <= limit * (1 + 1e-9)


@pytest.mark.parametrize("share", SHIFTS)
@pytest.mark.parametrize("name", MODELS)
def test_momentum_is_kept(name, share):
    defects = balance.Ledger(run(shifted(name, share)[0])).momentum_defects
    assert max(defects.values()) <= 1e-12


def largest_rate(model):
    """How fast the speed of approach can change: by gravity, and as bodies turn and pass each other."""
    twists = [b["velocity"] for b in model["model"]["bodies"]]
    speed = max(np.linalg.norm(v["linear"]) for v in twists)
    spin = max(np.linalg.norm(v["angular"]) for v in twists)
    shapes = [c["shape"] for c in model["model"]["colliders"]]
    radii = [s["radius"] for s in shapes if s["type"] == "sphere"]
    corners = [np.linalg.norm(s["size"]) / 2 for s in shapes if s["type"] == "box"]
    passing = 2 * speed**2 / min(radii) if radii else 0.0
    return np.linalg.norm(model["model"]["gravity"]) + passing + max(corners, default=0.0) * spin**2


# event_driven's restitution is energetic: of a box no ratio of velocities, and it lies a little differently.
@pytest.mark.parametrize("share", SHIFTS)
@pytest.mark.parametrize("name", models.names("ballistic", but=["box_tumbles_by_events"]))
def test_an_impact_is_the_same(name, share):
    """The speed of approach changes by O(h); restitution is that of the contact."""
    model, _ = shifted(name, share)
    step = model["simulation"]["integrator"]["step"]
    first = [next(e for e in run(m).events if e["kind"] == "impact") for m in (models.model(name), model)]
    assert abs(first[0]["before_n"] - first[1]["before_n"]) <= step * largest_rate(model)
    ratios = [e["after_n"] / e["before_n"] for e in first]
    assert ratios[0] == pytest.approx(ratios[1], abs=1e-9)
