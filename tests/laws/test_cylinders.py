# SPDX-License-Identifier: Apache-2.0
"""Finite cylinders on planes, boxes, spheres and each other: statics, rolling by closed forms, laws of impacts."""

import math

import numpy as np
import pytest
from models import FLOOR, collider, contact, frame, rigid, scene, solid_box, solid_sphere
from runs import run

G = 9.467
GRAVITY = [0, 0, -G]
RADIUS, LENGTH, MASS = 0.13, 0.31, 1.37
LYING = [math.pi / 2, 0, 0]  # z along −y


def solid_cylinder(mass=MASS, radius=RADIUS, length=LENGTH):
    return {"type": "solid_cylinder", "mass": mass, "radius": radius, "length": length, "axis": "z"}


def roller(name="roller", at=(0, 0, 0), turned=(0, 0, 0), radius=RADIUS, length=LENGTH, mass=MASS, **more):
    body = rigid(name, solid_cylinder(mass, radius, length), at, turned=turned)
    body["velocity"].update(more)
    return body


def skin(name="roller", radius=RADIUS, length=LENGTH, **more):
    return collider(f"{name}_skin", name, "cylinder", radius=radius, length=length, **more)


def grounded(name, shape, at=(0, 0, 0), turned=(0, 0, 0), **size):
    return {"name": name, "frame": frame("ground", at, turned), "shape": {"type": shape, **size}}


def slope(kind, angle):
    """A slope through the origin that falls towards +x."""
    turned = [0, angle, 0]
    normal = np.array([math.sin(angle), 0, math.cos(angle)])
    if kind == "box":
        return grounded("slope", "box", (-0.1 * normal).tolist(), turned, size=[4, 2, 0.2])
    if kind == "face":
        return grounded("slope", "face", (0, 0, 0), turned, size=[4, 2])
    return grounded("slope", kind, (0, 0, 0), turned)


def per_step(result, name):
    return result[name][1:] / np.diff(result.time)[:, None]


@pytest.mark.parametrize("kind", ["half_space", "face", "box"])
def test_a_standing_cylinder_sticks_on_a_slope(kind):
    """20 degrees, friction 0.5: it creeps by less than 1e-12 m in 10 s."""
    angle = math.radians(20)
    up = np.array([math.sin(angle), 0, math.cos(angle)])
    body = roller(at=(LENGTH / 2 * up).tolist(), turned=[0, angle, 0])
    result = run(scene(
        [body], 10, 0.01, gravity=GRAVITY, colliders=[skin(), slope(kind, angle)],
        contacts=[contact("touch", "slope", "roller_skin", friction=0.5)],
    ))
    moved = result["roller.position"] - result["roller.position"][0]
    assert np.abs(moved).max() < 1e-12
    force = per_step(result, "touch.impulse")
    assert force[5:] == pytest.approx(np.tile([0, 0, MASS * G], (len(force) - 5, 1)), abs=1e-8)
    assert (result["touch.closed"][5:] >= 3).all()


@pytest.mark.parametrize("kind", ["half_space", "box"])
@pytest.mark.parametrize("turned", [[0, 0, 0.7], LYING])
def test_a_cylinder_rests(kind, turned):
    lies = turned == LYING
    body = roller(at=[0.1, 0.05, RADIUS if lies else LENGTH / 2], turned=turned)
    result = run(scene(
        [body], 2, 0.01, gravity=GRAVITY, colliders=[skin(), slope(kind, 0)],
        contacts=[contact("touch", "slope", "roller_skin", friction=0.5)],
    ))
    assert np.abs(result["roller.position"] - result["roller.position"][0]).max() < 1e-12
    assert per_step(result, "touch.impulse")[-1] == pytest.approx([0, 0, MASS * G], abs=1e-9)
    if lies:
        assert (result["touch.closed"][1:] == 2).all()


@pytest.mark.parametrize("kind", ["half_space", "face", "box"])
@pytest.mark.parametrize("order", [1, -1])
def test_a_cylinder_rolls_down_a_slope(kind, order):
    """x = 2/3 · ½ g sin α t², to round-off, in either order of the pair."""
    angle = math.radians(17)
    up, down = [math.sin(angle), math.cos(angle)], [math.cos(angle), -math.sin(angle)]
    start = np.array([-1.5 * down[0] + RADIUS * up[0], 0.1, -1.5 * down[1] + RADIUS * up[1]])
    body = roller(at=start.tolist(), turned=LYING)
    result = run(scene(
        [body], 1, 0.01, gravity=GRAVITY, colliders=[skin(), slope(kind, angle)],
        contacts=[contact("touch", *["slope", "roller_skin"][::order], friction=0.5)],
    ))
    way = G * math.sin(angle) / 3 * result.time ** 2
    moved = result["roller.position"] - start
    assert moved[:, 0] == pytest.approx(way * down[0], abs=1e-11)
    assert moved[:, 2] == pytest.approx(way * down[1], abs=1e-11)
    assert np.abs(moved[:, 1]).max() < 1e-12
    assert result["energy.friction_loss"][-1] == pytest.approx(0, abs=1e-10)
    assert (result["touch.closed"][1:] == 2).all()


def test_it_slides_then_rolls():
    """From v without spin: it rolls with 2/3 v after v / (3 μ g)."""
    mu, v = 0.2, 1.5
    body = roller(at=[0, 0, RADIUS], turned=LYING, linear=[v, 0, 0])
    result = run(scene(
        [body], 0.5, 1e-3, gravity=GRAVITY, colliders=[skin(), FLOOR],
        contacts=[contact("touch", "floor", "roller_skin", friction=mu)],
    ))
    assert result["roller.velocity"][-1] == pytest.approx([2 / 3 * v, 0, 0], abs=1e-9)
    assert result["energy.friction_loss"][-1] == pytest.approx(MASS * v * v / 6, rel=1e-3)


def test_it_lies_between_two_cylinders():
    """Each carries W / (2 cos θ)."""
    apart, other = 0.21, 0.09
    angle = math.asin(apart / (RADIUS + other))
    height = (RADIUS + other) * math.cos(angle)
    lower = [grounded(f"lower{i}", "cylinder", [s * apart, 0, 0], LYING, radius=other, length=0.5)
             for i, s in enumerate((-1, 1))]
    result = run(scene(
        [roller(at=[0, 0, height], turned=LYING)], 2, 0.01, gravity=GRAVITY, colliders=[skin(), *lower],
        contacts=[contact(f"touch{i}", f"lower{i}", "roller_skin", friction=0) for i in range(2)],
    ))
    assert np.abs(result["roller.position"] - result["roller.position"][0]).max() < 1e-12
    for i, s in enumerate((1, -1)):
        expected = [s * MASS * G / 2 * math.tan(angle), 0, MASS * G / 2]
        assert per_step(result, f"touch{i}.impulse")[-1] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("where", ["end", "side"])
def test_a_sphere_rests_on_a_cylinder(where):
    ball = 0.05
    height = (LENGTH / 2 if where == "end" else RADIUS) + ball
    post = grounded("post", "cylinder", turned=[0, 0, 0] if where == "end" else LYING, radius=RADIUS, length=LENGTH)
    result = run(scene(
        [rigid("ball", solid_sphere(1, ball), [0.0, 0.02 if where == "end" else 0.01, height])], 1, 0.01,
        gravity=GRAVITY, colliders=[collider("ball_skin", "ball", "sphere", radius=ball), post],
        contacts=[contact("touch", "post", "ball_skin", friction=0.5)],
    ))
    assert np.abs(result["ball.position"] - result["ball.position"][0]).max() < 1e-11
    assert per_step(result, "touch.impulse")[-1] == pytest.approx([0, 0, G], abs=1e-9)


def test_a_cylinder_lies_across_the_edges_of_two_boxes():
    boxes = [grounded(f"box{i}", "box", [s * 0.2, 0, -0.1], size=[0.3, 0.4, 0.2]) for i, s in enumerate((-1, 1))]
    height = math.sqrt(RADIUS ** 2 - 0.05 ** 2)
    result = run(scene(
        [roller(at=[0, 0, height], turned=LYING)], 2, 0.01, gravity=GRAVITY, colliders=[skin(), *boxes],
        contacts=[contact(f"touch{i}", f"box{i}", "roller_skin", friction=0.3) for i in range(2)],
    ))
    assert np.abs(result["roller.position"] - result["roller.position"][0]).max() < 1e-11
    both = sum(per_step(result, f"touch{i}.impulse")[-1] for i in range(2))
    assert both == pytest.approx([0, 0, MASS * G], abs=1e-9)


def test_a_belt_carries_a_standing_cylinder():
    belt = grounded("belt", "half_space", surface_velocity=[0.7, 0, 0])
    result = run(scene(
        [roller(at=[0, 0, LENGTH / 2])], 1, 1e-3, gravity=GRAVITY, colliders=[skin(), belt],
        contacts=[contact("touch", "belt", "roller_skin", friction=0.2)],
    ))
    assert result["roller.velocity"][-1] == pytest.approx([0.7, 0, 0], abs=1e-9)
    assert result["roller.position"][-1, 0] == pytest.approx(0.7 - 0.7 ** 2 / (2 * 0.2 * G), abs=2e-3)


def test_it_rolls_off_a_bounded_face():
    body = roller(at=[-0.2, 0, RADIUS], turned=LYING, linear=[1, 0, 0], angular=[0, 1 / RADIUS, 0])
    plate = grounded("plate", "face", size=[0.5, 2])
    result = run(scene(
        [body], 0.8, 1e-3, gravity=GRAVITY, colliders=[skin(), plate],
        contacts=[contact("touch", "plate", "roller_skin", friction=0.5)],
    ))
    x, z = result["roller.position"][:, 0], result["roller.position"][:, 2]
    assert z[x < 0.24] == pytest.approx(RADIUS, abs=1e-11)
    assert z[-1] < -0.2


def tumbling():
    body = roller(at=[0.02, -0.01, 0.5], turned=[0.7, 0.4, -0.3], linear=[0.4, -0.3, -1.1], angular=[2, -3.1, 1.7])
    return scene(
        [body], 1.5, 1e-3, gravity=GRAVITY, colliders=[skin(), FLOOR],
        contacts=[contact("touch", "floor", "roller_skin", restitution=0.4, friction=0.3)],
    )


@pytest.mark.parametrize("ground", ["half_space", "box", "cylinder", "sphere", "capsule"])
def test_a_tumbling_cylinder_wins_no_energy(ground):
    model = tumbling()
    shapes = {
        "half_space": {}, "box": {"size": [1, 1, 0.4]}, "cylinder": {"radius": 0.4, "length": 0.3},
        "sphere": {"radius": 0.3}, "capsule": {"radius": 0.15, "length": 0.6, "axis": "x"},
    }
    top = {"half_space": 0, "box": 0.2, "cylinder": 0.15, "sphere": 0.3, "capsule": 0.15}[ground]
    model["model"]["colliders"][1] = grounded("floor", ground, [0, 0, -top], **shapes[ground])
    result = run(model)
    energy = sum(result[f"energy.{part}"] for part in ("kinetic", "gravity"))
    assert result.summary["impacts"] > 0
    assert np.diff(energy).max() < 2e-3 * abs(energy[0] - energy[-1])
    assert result.summary["max_penetration"] < 1e-9
    assert np.abs(result["energy.residual"]).max() < 1e-8


def test_a_coin_wobbles():
    """Its lowest point runs round the rim: no energy comes of it."""
    coin = roller("coin", [0, 0, 0.0125], [0, 0.2, 0], radius=0.05, length=0.004, mass=0.05, angular=[3, 0, 12])
    coin["pose"]["position"][2] = 0.05 * math.sin(0.2) + 0.002 * math.cos(0.2)
    result = run(scene(
        [coin], 1, 5e-4, gravity=GRAVITY, colliders=[skin("coin", 0.05, 0.004), FLOOR],
        contacts=[contact("touch", "floor", "coin_skin", friction=0.4)],
    ))
    energy = result["energy.kinetic"] + result["energy.gravity"]
    assert np.diff(energy).max() < 1e-3 * (energy[0] - energy[-1])


def test_boxes_and_cylinders_stack():
    """A cylinder on a box, a box on the cylinder, a wider cylinder on top."""
    parts = [("a", solid_box(2, 0.4, 0.4, 0.1), 0.1), ("b", solid_cylinder(1, 0.1, 0.2), 0.2),
             ("c", solid_box(1, 0.3, 0.1, 0.05), 0.05), ("d", solid_cylinder(0.5, 0.15, 0.05), 0.05)]
    bodies, colliders, contacts, height = [], [FLOOR], [], 0
    for name, inertia, thick in parts:
        bodies.append(rigid(name, inertia, [0.003 * len(bodies), 0, height + thick / 2]))
        size = {k: v for k, v in inertia.items() if k in ("size", "radius", "length")}
        colliders.append(collider(f"{name}_skin", name, "box" if "size" in size else "cylinder", **size))
        contacts.append(contact(f"k{name}", colliders[-2]["name"], f"{name}_skin", friction=0.4))
        height += thick
    result = run(scene(bodies, 1, 0.01, gravity=GRAVITY, colliders=colliders, contacts=contacts))
    above = 4.5
    for name, inertia, _ in parts:
        assert np.abs(result[f"{name}.position"] - result[f"{name}.position"][0]).max() < 1e-9
        assert per_step(result, f"k{name}.impulse")[-1, 2] == pytest.approx(above * G, rel=1e-8)
        above -= inertia["mass"]
