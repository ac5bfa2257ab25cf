# SPDX-License-Identifier: Apache-2.0
"""Solids on solids: forces by statics, momentum, and what must not happen."""

import math

import balance
import models
import numpy as np
import pytest
from models import FLOOR, collider, contact, rigid, scene, solid_box, solid_sphere
from runs import run

GRAVITY = [0, 0, -9.467]
EDGE = [0.23, 0.19, 0.17]


def box(name, size=EDGE, **more):
    return collider(f"{name}_skin", name, "box", size=list(size), **more)


def crate(name, position, mass=1.37, size=EDGE, **more):
    return rigid(name, solid_box(mass, *size), position, **more)


def on_ground(name, size, position, rotation=(0, 0, 0), kind="box", **more):
    frame = {"body": "ground", "position": list(position), "rotation_vector": list(rotation)}
    return {"name": name, "frame": frame, "shape": {"type": kind, "size": list(size), **more}}


def per_step(result, name):
    return result[name][1:] / np.diff(result.time)[:, None]


def test_a_box_sticks_on_a_sloping_box():
    """20 degrees, friction 0.5: it creeps by less than 1e-12 m in 10 s."""
    angle = math.radians(20)
    up = np.array([math.sin(angle), 0, math.cos(angle)])
    body = crate("crate", (0.1 * up + EDGE[2] / 2 * up).tolist(), turned=[0, angle, 0])
    result = run(scene(
        [body], 10, 0.01, gravity=GRAVITY,
        colliders=[box("crate"), on_ground("slope", [2, 1, 0.2], [0, 0, 0], [0, angle, 0])],
        contacts=[contact("touch", "slope", "crate_skin", friction=0.5)],
    ))
    moved = result["crate.position"] - result["crate.position"][0]
    assert np.abs(moved).max() < 1e-12
    force = per_step(result, "touch.impulse")
    assert force[5:] == pytest.approx(np.tile([0, 0, 1.37 * 9.467], (len(force) - 5, 1)), abs=1e-9)


def test_a_tower_stands():
    count = 8
    bodies = [crate(f"b{i}", [0.01 * (-1) ** i, 0, EDGE[2] * (i + 0.5)]) for i in range(count)]
    result = run(scene(
        bodies, 1, 0.01, gravity=GRAVITY, colliders=[FLOOR, *(box(f"b{i}") for i in range(count))],
        contacts=[contact(f"k{i}", "floor" if i == 0 else f"b{i - 1}_skin", f"b{i}_skin", friction=0.4)
                  for i in range(count)],
    ))
    for i in range(count):
        moved = result[f"b{i}.position"] - result[f"b{i}.position"][0]
        assert np.abs(moved).max() < 1e-9
        above = (count - i) * 1.37 * 9.467
        assert per_step(result, f"k{i}.impulse")[-10:, 2] == pytest.approx(above, rel=1e-8)


@pytest.mark.parametrize("shape", ["sphere", "capsule"])
def test_a_round_body_bounces_on_a_box(shape):
    """Without gravity: the normal velocity is reversed by the restitution, to round-off."""
    size = {"radius": 0.11} if shape == "sphere" else {"radius": 0.11, "length": 0.3}
    body = rigid("ball", solid_sphere(0.7, 0.11), [0.013, 0.021, 0.5], [0, 0, -1.3])
    result = run(scene(
        [body], 0.5, 1e-3, gravity=[0, 0, 0],
        colliders=[collider("skin", "ball", shape, axis="x", **size) if shape == "capsule"
                   else collider("skin", "ball", shape, **size),
                   on_ground("block", [1, 1, 0.5], [0, 0, 0])],
        contacts=[contact("touch", "block", "skin", restitution=0.6)],
    ))
    assert result["ball.velocity"][-1] == pytest.approx([0, 0, 0.6 * 1.3], abs=1e-9)
    assert result.summary["max_penetration"] < 1e-9


def test_two_boxes_keep_momentum_and_lose_energy():
    a = crate("a", [0, 0, 0], turned=[0.3, -0.2, 0.7])
    b = crate("b", [0.6, 0.05, 0.03], mass=0.8, turned=[1.1, 0.4, -0.3])
    b["velocity"] = {"linear": [-2.3, 0.1, 0.2], "angular": [1.2, -0.7, 3.1]}
    result = run(scene(
        [a, b], 0.6, 1e-3, gravity=[0, 0, 0], colliders=[box("a"), box("b")],
        contacts=[contact("touch", "a_skin", "b_skin", restitution=0.4, friction=0.3)],
    ))
    momentum = 1.37 * result["a.velocity"] + 0.8 * result["b.velocity"]
    assert np.abs(momentum - momentum[0]).max() < 1e-12
    assert result.summary["impacts"] > 0
    assert np.abs(result["a.velocity"][-1]).max() > 0.1
    energy = result["energy.kinetic"]
    assert np.diff(energy).max() < 1e-9
    assert result.summary["max_penetration"] < 1e-8


def moments(result):
    """Momentum and moment of momentum of all bodies, row by row."""
    momentum, moment = 0, 0
    for body in result.model["model"]["bodies"]:
        mass, name = balance.mass_of(body), body["name"]
        v, place, omega = (result[f"{name}.{what}"] for what in ("velocity", "position", "angular_velocity"))
        w, x, y, z = result[f"{name}.orientation"].T
        R = np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                      [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                      [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]).transpose(2, 0, 1)
        tensor = R @ tensor_of(body) @ R.transpose(0, 2, 1)
        momentum = momentum + mass * v
        moment = moment + mass * np.cross(place, v) + np.einsum("tij,tj->ti", tensor, omega)
    return momentum, moment


@pytest.mark.parametrize("name", models.names("solids", "free"))
def test_solids_keep_momentum_and_moment_of_momentum(name):
    """Momentum to round-off; its moment but for what arms change by in the step of an impact."""
    for parts in (1, 8):
        model = models.model(name)
        model["simulation"]["integrator"]["step"] /= parts
        result = run(model)
        momentum, moment = moments(result)
        assert result.summary["impacts"] > 0
        assert np.abs(momentum - momentum[0]).max() < 1e-12
        speed = max(np.linalg.norm(result[f"{b['name']}.velocity"], axis=1).max() for b in model["model"]["bodies"])
        way = model["simulation"]["integrator"]["step"] * speed
        impulses = np.linalg.norm(result["touch.impulse"], axis=1).sum()
        assert np.abs(moment - moment[0]).max() < way * impulses


def tensor_of(body):
    inertia = body["inertia"]
    if inertia["type"] == "explicit":
        return np.array(inertia["tensor"])
    squares = np.square(inertia["size"])
    return inertia["mass"] / 12 * np.diag(squares.sum() - squares)


def test_a_sphere_rolls_over_the_edge_of_a_box_without_a_jump():
    """One point for face and edge: nothing opens or closes as it rolls off."""
    ball = rigid("ball", solid_sphere(1, 0.1), [0.45, 0, 0.35], [0.3, 0, 0], [0, 3, 0])
    result = run(scene(
        [ball], 0.3, 1e-3, gravity=GRAVITY,
        colliders=[collider("skin", "ball", "sphere", radius=0.1), on_ground("block", [1, 1, 0.5], [0, 0, 0])],
        contacts=[contact("touch", "block", "skin", friction=0.8)],
    ))
    assert not [e for e in result.events if e["kind"] == "impact"]
    assert np.abs(np.diff(result["ball.velocity"], axis=0)).max() < 0.02
    assert result["ball.position"][-1, 0] > 0.5
