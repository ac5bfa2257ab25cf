# SPDX-License-Identifier: Apache-2.0
"""event_driven on random models: it ends, wins no energy, lets nothing sink in, and agrees with time stepping."""

import models
import numpy as np
import pytest
import random_models
from models import with_integrator
from random_models import kind_of, random_model
from runs import failure_of, run

SEEDS = range(500) if models.LONG else range(0, 39)
WITHOUT_CONTACT_AT_FIRST = ("thrown", "balls", "hinged", "guided", "in_a_bowl", "four_bar")

# What a failure must say: what to do about it.
REMEDIES = ("contact_speed", "time-stepping", "force or a spring", "tolerance")


def size_of(model):
    """Of the scene, by which its times are made; and all mass."""
    bodies = model["model"]["bodies"]
    reach = max(np.linalg.norm(b["pose"]["position"]) for b in bodies)
    return max(reach, 1e-3), sum(b.get("mass") or b["inertia"]["mass"] for b in bodies)


def ends(seed):
    """Whether it does not fail; a failure is one of those with a name and a remedy."""
    failure = failure_of(random_model(seed))
    assert not failure or failure.startswith("exit 3"), failure
    assert not failure or any(remedy in failure for remedy in REMEDIES), failure
    return not failure


@pytest.mark.parametrize("seed", SEEDS)
def test_books_close_and_nothing_sinks_in(seed):
    if not ends(seed):
        return  # counted below
    model = random_model(seed)
    result = run(model)
    size, mass = size_of(model)
    stored = sum(result[f"energy.{part}"] for part in ("kinetic", "gravity", "elastic"))
    round_off = 1e-6 * mass * random_models.G * size + 1e-4 * np.abs(stored).max()  # 1e-12 of what is stored
    moved = result.summary["energy"]["turnover"] + round_off
    assert (stored - stored[0] - result["energy.external_work"]).max() <= 1e-8 * moved
    energy = result.summary["energy"]
    assert min(energy[loss] for loss in ("friction_loss", "impact_loss", "numerical_loss")) >= -1e-8 * moved
    assert abs(energy["residual"]) <= 1e-7 * moved
    assert result.summary["max_penetration"] <= 1e-9 * size
    assert result.summary["max_overlooked"] <= 1e-10 * max(size, 1)


def test_failures_are_few():
    failed = [seed for seed in SEEDS if not ends(seed)]
    assert len(failed) <= max(0.01 * len(SEEDS), 1), failed


def until_first_impact(result):
    """The last row before it: with friction or at several points laws differ there, and times by a step."""
    first = min((e["time"] for e in result.events if e["kind"] == "impact"), default=np.inf)
    return int(np.searchsorted(result.time, first)) - 1


def has_short_pulse(model):
    """Which time stepping does not see."""
    return any(")*(t<" in str(f) for f in model["model"].get("forces", []))


def motion(result, row, sizes):
    rows = [
        q.rows[row] / sizes[q.unit]
        for q in result.quantities.values()
        if q.owner == "body" and q.unit in ("m", "m/s", "rad/s")
    ]
    return np.concatenate(rows)


def by_steps(model, refinement):
    fine = with_integrator(model, "nonsmooth_generalized_alpha", rho_inf=0.8)
    fine["simulation"]["integrator"]["step"] /= refinement
    fine["simulation"]["end_time"] = model["simulation"]["end_time"]
    return run(fine)


@pytest.mark.parametrize("seed", [s for s in SEEDS if kind_of(s).__name__ in WITHOUT_CONTACT_AT_FIRST])
def test_time_stepping_agrees(seed):
    model = random_model(seed)
    if has_short_pulse(model) or not ends(seed):
        return
    result = run(model)
    row = until_first_impact(result)
    if row < 1:
        return
    model["simulation"]["end_time"] = float(result.time[row])
    exact = motion(result, row, result.sizes)
    coarse, fine = (motion(by_steps(model, k), -1, result.sizes) for k in (8, 16))
    assert np.abs(fine - exact).max() <= 3 * np.abs(coarse - fine).max() + 1e-6
