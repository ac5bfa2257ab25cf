# SPDX-License-Identifier: Apache-2.0
"""Friction against rolling and spinning of all that is round, on planes, boxes and meshes: closed forms."""

import math

import numpy as np
import pytest
from models import FLOOR, collider, contact, frame, rigid, scene, solid_sphere
from runs import run
from test_meshes_not_convex import cubes

G = 9.467
GRAVITY = [0, 0, -G]
RADIUS, MASS = 0.11, 1.3
ROLLER = {"type": "solid_cylinder", "mass": MASS, "radius": RADIUS, "length": 0.3, "axis": "y"}
ROUND = {
    "sphere": (solid_sphere(MASS, RADIUS), 0.4, {"radius": RADIUS}),
    "capsule": (ROLLER, 0.5, {"radius": RADIUS, "length": 0.3, "axis": "y"}),
    "cylinder": (ROLLER, 0.5, {"radius": RADIUS, "length": 0.3, "axis": "y"}),
}


def ground(kind, turned=(0, 0, 0)):
    up = np.array([math.sin(turned[1]), 0, math.cos(turned[1])])
    if kind == "half_space":
        return {"name": "floor", "frame": frame("ground", (0, 0, 0), turned), "shape": {"type": kind}}
    shape = {"type": "box", "size": [6, 2, 0.2]}
    if kind == "mesh":  # an L: a floor with a wall far away, and edges inside of the floor
        cells = [(i, j, 0) for i in range(8) for j in range(2)] + [(7, j, 1) for j in range(2)]
        shape = cubes(cells, [0.75, 1, 0.2], (-3, -1, -0.1))
    return {"name": "floor", "frame": frame("ground", (-0.1 * up).tolist(), turned), "shape": shape}


CASES = [(s, g) for s in ROUND for g in ("half_space", "box", "mesh")]


@pytest.mark.parametrize("shape, kind", CASES)
def test_it_rolls_more_slowly_and_stops(shape, kind):
    """v' = −ρ g / (r (1 + k)), until it stands."""
    inertia, k, size = ROUND[shape]
    rho, v = 0.004, 0.3
    body = rigid("roller", inertia, [-0.2, 0, RADIUS], linear=[v, 0, 0], angular=[0, v / RADIUS, 0])
    result = run(scene(
        [body], 1.5, 2e-3, gravity=GRAVITY, colliders=[ground(kind), collider("skin", "roller", shape, **size)],
        contacts=[contact("touch", "floor", "skin", friction=0.5, rolling_friction=rho)],
    ))
    slower = rho * G / (RADIUS * (1 + k))
    speed = np.maximum(v - slower * result.time, 0)
    assert result["roller.velocity"][:, 0] == pytest.approx(speed, abs=2e-3 * slower + 1e-9)
    assert np.abs(result["roller.velocity"][-1]).max() < 1e-10
    assert result["energy.friction_loss"][-1] == pytest.approx(MASS * (1 + k) * v * v / 2, rel=5e-3)
    assert result.summary["max_penetration"] < 1e-9


@pytest.mark.parametrize("shape, kind", CASES)
@pytest.mark.parametrize("part", [0.98, 1.02])
def test_it_rolls_down_a_slope_that_is_steep_enough(shape, kind, part):
    """It holds up to tan α = ρ / r; beyond it v' = g (sin α − ρ / r cos α) / (1 + k)."""
    inertia, k, size = ROUND[shape]
    rho = 0.006
    angle = part * math.atan(rho / RADIUS)
    up, down = np.array([math.sin(angle), 0, math.cos(angle)]), np.array([math.cos(angle), 0, -math.sin(angle)])
    body = rigid("roller", inertia, (RADIUS * up - 0.2 * down).tolist())
    result = run(scene(
        [body], 1, 0.01, gravity=GRAVITY,
        colliders=[ground(kind, (0, angle, 0)), collider("skin", "roller", shape, **size)],
        contacts=[contact("touch", "floor", "skin", friction=0.5, rolling_friction=rho)],
    ))
    moved = (result["roller.position"] - result["roller.position"][0]) @ down
    faster = max(G * (math.sin(angle) - rho / RADIUS * math.cos(angle)) / (1 + k), 0)
    assert moved == pytest.approx(faster / 2 * result.time ** 2, abs=1e-10)


@pytest.mark.parametrize("kind", ["half_space", "box", "mesh"])
def test_a_sphere_spins_more_slowly(kind):
    """2/5 m r² ω' = −σ m g."""
    sigma, rate = 0.003, 5.0
    body = rigid("ball", solid_sphere(MASS, RADIUS), [0.13, 0.07, RADIUS], angular=[0, 0, rate])
    result = run(scene(
        [body], 1.2, 2e-3, gravity=GRAVITY,
        colliders=[ground(kind), collider("skin", "ball", "sphere", radius=RADIUS)],
        contacts=[contact("touch", "floor", "skin", friction=0.5, spinning_friction=sigma)],
    ))
    slower = sigma * G / (0.4 * RADIUS ** 2)
    want = np.maximum(rate - slower * result.time, 0)
    assert result["ball.angular_velocity"][:, 2] == pytest.approx(want, abs=2e-3 * slower + 1e-9)


def test_a_cylinder_rolls_on_a_cylinder_until_it_rests_on_its_top():
    """A log in the valley of two others turns with friction ρ against rolling at both: it stops in a known time."""
    rate, rho, half = 4.0, 0.002, math.radians(30)
    lower = [{"name": f"lower{i}", "frame": frame("ground", [s * 2 * RADIUS * math.sin(half), 0, 0]),
              "shape": {"type": "cylinder", "radius": RADIUS, "length": 0.5, "axis": "y"}}
             for i, s in enumerate((-1, 1))]
    body = rigid("log", ROLLER, [0, 0, 2 * RADIUS * math.cos(half)], angular=[0, rate, 0])
    result = run(scene(
        [body], 3, 2e-3, gravity=GRAVITY,
        colliders=[*lower, collider("skin", "log", "cylinder", **ROUND["cylinder"][2])],
        contacts=[contact("touch", "lower*", "skin", rolling_friction=rho)],
    ))
    # Without friction against sliding only the moments act: each ρ N, N = m g / (2 cos).
    slower = 2 * rho * G / (2 * math.cos(half)) / (RADIUS ** 2 / 2)
    want = np.maximum(rate - slower * result.time, 0)
    assert result["log.angular_velocity"][:, 1] == pytest.approx(want, abs=2e-3 * slower + 1e-9)
    assert np.abs(result["log.position"] - result["log.position"][0]).max() < 1e-10
