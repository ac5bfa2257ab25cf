# SPDX-License-Identifier: Apache-2.0
"""Joints and elements with more contacts than a full Delassus matrix is made for."""

import math

import pytest
from models import FLOOR, LONG, collider, contact, joint, rigid, scene, solid_box
from runs import run

G, STEP, MU = 9.81, 1e-3, 0.4
SPEED = (0.2, 0.05, 0.0)


def fence(chains=10, links=30):
    """Chains of boxes that lie on the floor, pinned to each other and to a common rail, all sliding."""
    size, rail = (0.08, 0.06, 0.04), (0.06, 0.1 * chains, 0.04)
    bodies = [rigid("rail", solid_box(5, *rail), (0, 0.05 * (chains - 1), 0.02), SPEED)]
    colliders = [FLOOR, collider("skin_rail", "rail", "box", size=list(rail))]
    joints = []
    for c in range(chains):
        last = "rail"
        for k in range(links):
            name, x, y = f"link_{c}_{k}", 0.1 * (k + 1), 0.1 * c
            bodies.append(rigid(name, solid_box(0.5, *size), (x, y, 0.02), SPEED))
            colliders.append(collider(f"skin_{name}", name, "box", size=list(size)))
            joints.append(joint(f"pin_{name}", "spherical", last, name, (x - 0.05, y, 0.02)))
            last = name
    return scene(bodies, 5 * STEP, STEP, gravity=(0, 0, -G), joints=joints, colliders=colliders,
                 contacts=[contact("touch", "floor", "skin_*", friction=MU)])


def test_a_fence_of_300_joined_bodies_slides_as_one():
    """1204 contacts in one island. Friction acts on all alike: nothing turns, no joint is loaded."""
    result = run(fence())
    assert result.summary["max_penetration"] <= 1e-9
    assert result.summary["max_position_violation"] <= 1e-12
    speed = math.hypot(*SPEED[:2])
    left = 1 - MU * G * 5 * STEP / speed
    for body in ("rail", "link_0_29", "link_9_15"):
        velocity = result[f"{body}.velocity"][-1]
        assert velocity == pytest.approx([left * SPEED[0], left * SPEED[1], 0], abs=1e-8)


@pytest.mark.skipif(not LONG, reason="some 15 s")
def test_a_flexible_cube_on_729_nodes_keeps_its_balance():
    """Floor and weight change the momentum; nothing goes through the floor."""
    cube = {
        "name": "cube",
        "type": "solid",
        "mesh": {"type": "box", "size": [0.1, 0.1, 0.1], "divisions": [26, 26, 3]},
        "formulation": "standard",
        "material": {"young_modulus": 1e6, "poisson_ratio": 0.3, "density": 1000},
        "pose": {"position": [0, 0, 0.05]},
        "velocity": {"linear": [0.05, 0, -0.02]},
    }
    bottom = {"name": "bottom", "frame": {"body": "cube", "nodes": "z_min"}, "shape": {"type": "point"}}
    model = scene([cube], 3 * STEP, STEP, gravity=(0, 0, -G), colliders=[FLOOR, bottom],
                  contacts=[contact("press", "floor", "bottom", friction=0.5)])
    result = run(model)
    assert result.summary["max_penetration"] <= 1e-9
    assert result.summary["inaccurate_steps"] == 0
    gained = 1.0 * (result["cube.velocity"][-1][2] + 0.02)
    pushed = sum(result["press.impulse"][1:, 2])
    assert gained == pytest.approx(pushed - G * 3 * STEP, abs=1e-9)
