# SPDX-License-Identifier: Apache-2.0
"""Stacks with cylinders that rock, roll and are struck from above: none gives up, sinks in or wins energy."""

import itertools
import math

import numpy as np
import pytest
from models import collider, contact, rigid, scene, solid_box, solid_sphere
from runs import run

G = 9.81
GRAVITY = [0, 0, -G]
RADIUS, LENGTH, DENSITY = 0.06, 0.12, 1000
MASS = DENSITY * math.pi * RADIUS**2 * LENGTH
FLOORS = {
    "half_space": ({"type": "half_space"}, 0),
    "face": ({"type": "face", "size": [3, 3]}, 0),
    "box": ({"type": "box", "size": [3, 3, 1]}, -0.5),
}
DRUM = {"type": "solid_cylinder", "mass": MASS, "radius": RADIUS, "length": LENGTH, "axis": "z"}
TOPS = {
    "cylinder": (DRUM, {"radius": RADIUS, "length": LENGTH}),
    "box": (solid_box(1.5, LENGTH, LENGTH, LENGTH), {"size": [LENGTH] * 3}),
    "sphere": (solid_sphere(0.9, RADIUS), {"radius": RADIUS}),
}


def stack(kind, floor, top, restitution, step, end, seed):
    """A cylinder just above the floor, tilted by some 0.1 rad, or lying, and a body that falls on it."""
    random = np.random.default_rng(seed)
    turned, at, rolls = random.normal(size=3) * 0.1, [0, 0, LENGTH / 2 + 0.006], [0, 0, 0]
    if kind == "rolling":
        turned, at = np.array([math.pi / 2, 0, 0]), [0, 0, RADIUS + 0.001]
        rolls = [random.normal() * 0.2, 0, 0]
    inertia, size = TOPS[top]
    above = [random.normal() * 0.01, random.normal() * 0.01, at[2] + 0.145]
    bodies = [
        rigid("lower", DRUM, at, rolls, turned=turned.tolist()),
        rigid("upper", inertia, above, [0, 0, -0.4], turned=(random.normal(size=3) * 0.1).tolist()),
    ]
    if kind == "rocking":
        bodies = bodies[:1]
        bodies[0]["velocity"]["angular"] = (random.normal(size=3) * 2).tolist()
    shape, height = FLOORS[floor]
    ground = {"name": "floor", "frame": {"body": "ground", "position": [0, 0, height]}, "shape": shape}
    colliders = [ground, collider("low", "lower", "cylinder", radius=RADIUS, length=LENGTH)]
    law = {"friction": 0.4, "restitution": restitution}
    contacts = [contact("w", "floor", "low", **law)]
    if kind != "rocking":
        colliders.append(collider("up", "upper", top, **size))
        contacts += [contact("k", "low", "up", **law), contact("v", "floor", "up", **law)]
    return scene(bodies, end, step, gravity=GRAVITY, colliders=colliders, contacts=contacts)


SCENES = list(itertools.product(
    ["rocking", "struck", "rolling"], FLOORS, TOPS, [0.0, 0.4], [(1e-3, 0.18), (2e-4, 0.06)]
))


@pytest.mark.parametrize("kind", ["rocking", "struck", "rolling"])
@pytest.mark.parametrize("floor", FLOORS)
def test_stacks_of_cylinders(kind, floor):
    inaccurate = steps = 0
    scenes = [s for s in SCENES if s[:2] == (kind, floor)]
    for seed, (_, _, top, restitution, (step, end)) in enumerate(scenes):
        result = run(stack(kind, floor, top, restitution, step, end, 100 + seed))
        label = (top, restitution, step, seed)
        assert result.time[-1] == pytest.approx(end), label
        # Contacts are closed to 1e-8 of the size where iterations are at an end, 0.3 m at most.
        assert result.summary["max_penetration"] <= 3e-9, label
        inaccurate += result.summary["inaccurate_steps"]
        steps += len(result.time) - 1
        energy = result["energy.kinetic"] + result["energy.gravity"]
        turnover = np.ptp(result["energy.gravity"]) + result["energy.kinetic"].max()
        if not any("energy" in str(w) or "gained" in str(w) for w in result.summary["warnings"]):
            assert np.max(energy - energy[0]) <= 0.06 * turnover, label
        bodies = result.model["model"]["bodies"]
        momentum = sum(b["inertia"]["mass"] * result[f"{b['name']}.velocity"] for b in bodies)
        mass = sum(b["inertia"]["mass"] for b in bodies)
        pushed = sum(result[f"{c}.impulse"] for c in ("w", "v") if f"{c}.impulse" in result)
        pushed = np.cumsum(pushed, axis=0)
        expected = momentum[0] + pushed - pushed[0] - mass * G * np.outer(result.time, [0, 0, 1])
        assert np.abs(momentum - expected).max() <= 1e-9 * mass, label
    assert inaccurate <= 0.02 * steps
