# SPDX-License-Identifier: Apache-2.0
"""Machines whose parts are solids, each beside its closed form: cams, Geneva drives, grippers, tops, nuts."""

import math

import numpy as np
import pytest
from models import FLOOR, collider, contact, frame, joint, push, rigid, scene, solid_box
from rotations import matrix
from runs import run

G = 9.467
GRAVITY = [0, 0, -G]


def solid_cylinder(mass, radius, length):
    return {"type": "solid_cylinder", "mass": mass, "radius": radius, "length": length, "axis": "z"}


def skin(body, shape):
    return {"name": f"{body}_skin", "frame": {"body": body}, "shape": shape}


def force(result, name):
    return result[name][1:] / np.diff(result.time)[:, None]


def closed(sections):
    """A surface of rings of points, one above the other, the first and last on the axis or joined to each other."""
    count = len(sections[0])
    vertices = [list(map(float, p)) for ring in sections for p in ring]
    triangles = []
    for i in range(len(sections)):
        a, b = i * count, (i + 1) % len(sections) * count
        for k in range(count):
            m = (k + 1) % count
            triangles += [[a + k, a + m, b + m], [a + k, b + m, b + k]]
    return {"type": "mesh", "vertices": vertices, "triangles": triangles}


def ring(radius, z, count=24):
    return [(radius * math.cos(a), radius * math.sin(a), z) for a in 2 * math.pi * np.arange(count) / count]


def hexagon(radius, z):
    corners = [np.array([math.cos(a), math.sin(a)]) * radius for a in math.pi / 3 * np.arange(7)]
    points = [corners[k // 4] + (corners[k // 4 + 1] - corners[k // 4]) * (k % 4) / 4 for k in range(24)]
    return [(*p, z) for p in points]


def nut(radius, hole, high):
    return closed([hexagon(radius, 0), hexagon(radius, high), ring(hole, high), ring(hole, 0)])


def bolt(head, high, shank, long):
    """Its head below z = 0. The ends have a small hole along the axis, so that the surface is one of rings."""
    hole = shank / 4
    return closed([ring(hole, -high), hexagon(head, -high), hexagon(head, 0), ring(shank, 0), ring(shank, long),
                   ring(hole, long)])


@pytest.mark.parametrize("height", [0, 0.003])
def test_a_nut_rests_on_the_head_of_its_bolt(height):
    body_shape = nut(0.0085, 0.0045, 0.0065)
    inertia = {"type": "from_shape", "shape": body_shape, "density": 7800}
    body = rigid("nut", inertia, [0, 0, height], turned=[0, 0, 0.2])
    bolt_ = {"name": "bolt", "frame": frame("ground"), "shape": bolt(0.009, 0.0053, 0.004, 0.02)}
    result = run(scene([body], 0.5, 1e-3, gravity=GRAVITY, colliders=[bolt_, skin("nut", body_shape)],
                       contacts=[contact("touch", "bolt", "nut_skin", friction=0.3)]))
    area = 1.5 * math.sqrt(3) * 0.0085 ** 2 - 12 * math.sin(math.pi / 12) * 0.0045 ** 2
    weight = area * 0.0065 * 7800 * G
    assert force(result, "touch.impulse")[-1] == pytest.approx([0, 0, weight], abs=1e-9)
    assert result["nut.position"][-1] == pytest.approx([0, 0, 0], abs=1e-12)
    assert not result.summary["warnings"]


@pytest.mark.parametrize("part", [1.02, 0.98])
def test_a_gripper_lifts_a_cylinder_if_it_grips_hard_enough(part):
    """Two jaws with the force F lift m with the acceleration a if 2 μ F ≥ m (g + a)."""
    radius, mass, friction, a = 0.03, 0.4, 0.5, 1.0
    grip = part * mass * (G + a) / (2 * friction)
    jaw = [0.02, 0.04, 0.06]
    bodies = [
        rigid("arm", solid_box(1, 0.05, 0.05, 0.05), [0, 0, 0.2]),
        rigid("left", solid_box(0.2, *jaw), [-radius - jaw[0] / 2, 0, 0]),
        rigid("right", solid_box(0.2, *jaw), [radius + jaw[0] / 2, 0, 0]),
        rigid("part", solid_cylinder(mass, radius, 0.1), [0, 0, 0]),
    ]
    way = {"type": "expression", "text": f"(t>0.2)*{a}/2*(t-0.2)^2"}
    joints = [
        joint("lift", "prismatic", "ground", "arm", [0, 0, 0.2], [0, 0, 1], drive={"type": "position", "value": way}),
        joint("slide_left", "prismatic", "arm", "left", [0, 0, 0], [1, 0, 0]),
        joint("slide_right", "prismatic", "arm", "right", [0, 0, 0], [1, 0, 0]),
    ]
    forces = [{"type": "actuator", "joint": "slide_left", "value": grip},
              {"type": "actuator", "joint": "slide_right", "value": -grip}]
    floor = {"name": "floor", "frame": frame("ground", [0, 0, -0.05]), "shape": {"type": "half_space"}}
    result = run(scene(
        bodies, 0.6, 1e-3, gravity=GRAVITY, joints=joints, forces=forces,
        colliders=[floor, collider("left_skin", "left", "box", size=jaw),
                   collider("right_skin", "right", "box", size=jaw),
                   collider("part_skin", "part", "cylinder", radius=radius, length=0.1)],
        contacts=[contact("grip", ["left_skin", "right_skin"], "part_skin", friction=friction),
                  contact("stand", "floor", "part_skin", friction=friction)],
    ))
    lifted = result["part.position"][:, 2]
    if part > 1:
        assert lifted == pytest.approx(result["arm.position"][:, 2] - 0.2, abs=1e-11)
        assert force(result, "grip.impulse")[-1] == pytest.approx([0, 0, mass * (G + a)], abs=1e-9)
    else:
        # It slides: 2 μ F − m g is left, once the floor is left.
        late = result.time > 0.25
        acceleration = 2 * friction * grip / mass - G
        want = acceleration / 2 * (result.time[late] - 0.2) ** 2
        assert lifted[late] == pytest.approx(want, abs=2e-3 * want.max())


def test_a_cam_lifts_its_follower_by_its_eccentricity_times_the_sine():
    """A round cam about a shaft beside its centre, under a flat follower: y = R + e sin ωt, exact at every step."""
    radius, e, rate = 0.05, 0.02, 7.0
    bodies = [rigid("cam", solid_cylinder(1, radius, 0.02), [0, 0, 0]),
              rigid("follower", solid_box(0.5, 0.2, 0.02, 0.05), [0, radius + 0.01, 0])]
    result = run(scene(
        bodies, 1, 1e-3, gravity=[0, 0, 0],
        joints=[joint("shaft", "revolute", "ground", "cam", [0, 0, 0], [0, 0, 1],
                      drive={"type": "speed", "value": rate}),
                joint("guide", "prismatic", "ground", "follower", [0, radius, 0], [0, 1, 0])],
        forces=[push("spring", {"body": "follower"}, 0, -30, 0)],
        colliders=[collider("cam_skin", "cam", "cylinder", at=[e, 0, 0], radius=radius, length=0.02),
                   collider("flat", "follower", "box", size=[0.2, 0.02, 0.05])],
        contacts=[contact("touch", "cam_skin", "flat", friction=0.1)],
    ))
    height = radius + 0.01 + e * np.sin(rate * result.time)
    assert result["follower.position"][:, 1] == pytest.approx(height, abs=1e-13)
    load = 30 - 0.5 * e * rate ** 2 * np.sin(rate * result.time)
    assert force(result, "touch.impulse")[5:, 1] == pytest.approx((load[1:] + load[:-1])[5:] / 2, rel=1e-4)


def geneva_wheel(count, distance, slot, arcs=8):
    """The outline of a wheel with `count` slots, anticlockwise, and triangles of it."""
    edge = distance * math.cos(math.pi / count)
    bottom = distance - distance * math.sin(math.pi / count) - 0.008
    half = math.asin(slot / 2 / edge)
    outline = []
    for k in range(count):
        a = 2 * math.pi * k / count
        along, across = np.array([math.cos(a), math.sin(a)]), np.array([-math.sin(a), math.cos(a)])
        for x, y in ((edge * math.cos(half), -1), (bottom, -1), (bottom, 1), (edge * math.cos(half), 1)):
            outline.append(x * along + y * slot / 2 * across)
        for part in np.arange(1, arcs) / arcs:
            b = a + half + part * (2 * math.pi / count - 2 * half)
            outline.append(edge * np.array([math.cos(b), math.sin(b)]))
    return outline


def ears(outline):
    """Triangles of a simple polygon: ears are cut off."""
    def area(a, b, c):
        (x, y), (u, v) = outline[b] - outline[a], outline[c] - outline[a]
        return x * v - y * u

    left, triangles = list(range(len(outline))), []
    while len(left) > 3:
        for i, b in enumerate(left):
            a, c = left[i - 1], left[(i + 1) % len(left)]
            inside = (p for p in left if p not in (a, b, c))
            if area(a, b, c) > 1e-14 and not any(
                    area(a, b, p) >= 0 and area(b, c, p) >= 0 and area(c, a, p) >= 0 for p in inside):
                triangles.append((a, b, c))
                left.pop(i)
                break
    return [*triangles, tuple(left)]


def plate(outline, thick):
    n, inside = len(outline), ears(outline)
    vertices = [[*map(float, p), z] for z in (-thick / 2, thick / 2) for p in outline]
    triangles = [[n + a, n + b, n + c] for a, b, c in inside] + [[a, c, b] for a, b, c in inside]
    for i in range(n):
        j = (i + 1) % n
        triangles += [[i, j, n + j], [i, n + j, n + i]]
    return {"type": "mesh", "vertices": vertices, "triangles": triangles}


def test_a_geneva_drive_turns_by_a_quarter():
    """A pin in the slots of a mesh: the wheel follows the pin's direction, but for the clearance."""
    count, distance, slot, clearance, rate = 4, 0.1, 0.012, 1e-4, 6.0
    crank = distance * math.sin(math.pi / count)
    wheel = plate(geneva_wheel(count, distance, slot), 0.02)
    start = -(math.pi / 2 - math.pi / count) - 0.15
    inertia = {"type": "from_shape", "shape": wheel, "density": 2700}
    bodies = [rigid("crank", solid_cylinder(1, 0.05, 0.02), [0, 0, 0]),
              rigid("wheel", inertia, [distance, 0, 0], turned=[0, 0, math.pi / count])]
    pin = collider("pin", "crank", "cylinder", at=[crank * math.cos(start), crank * math.sin(start), 0],
                   radius=(slot - clearance) / 2, length=0.03)
    result = run(scene(
        bodies, -2 * start / rate, 5e-4, gravity=[0, 0, 0],
        joints=[joint("shaft", "revolute", "ground", "crank", [0, 0, 0], [0, 0, 1],
                      drive={"type": "speed", "value": rate}),
                joint("hub", "revolute", "ground", "wheel", [distance, 0, 0], [0, 0, 1], friction={"torque": 1e-3})],
        colliders=[pin, skin("wheel", wheel)], contacts=[contact("slot", "pin", "wheel_skin")],
    ))
    angle = start + rate * result.time
    pin_from_hub = np.array([distance - crank * np.cos(angle), crank * np.sin(angle)])
    turned = result["wheel.rotation"][:, 2]
    engaged = np.abs(angle) < math.pi / 2 - math.pi / count - 0.03
    off = turned + np.arctan2(pin_from_hub[1], pin_from_hub[0]) + math.pi / count
    play = clearance / 2 / np.linalg.norm(pin_from_hub, axis=0)
    assert (np.abs(off) < 1.05 * play)[engaged].all()
    assert turned[-1] == pytest.approx(-math.pi / 2, abs=2e-3)
    assert result.summary["max_penetration"] < 1e-12


def test_a_cube_on_its_edge_falls_as_an_inverted_pendulum():
    """φ̈ = λ² φ about the edge, λ² = 3 g / (2 √2 a); balanced to round-off it stays for a while."""
    side, end = 0.2, 0.4
    rate = math.sqrt(3 * G / (2 * math.sqrt(2) * side))
    for start in (0, 1e-4):
        arm = side / math.sqrt(2)
        cube = rigid("cube", solid_box(1.3, side, side, side), [arm * math.sin(start), 0, arm * math.cos(start)],
                     turned=[0, math.pi / 4 + start, 0])
        table = {"name": "table", "frame": frame("ground", [0, 0, -0.1]),
                 "shape": {"type": "box", "size": [1, 1, 0.2]}}
        result = run(scene([cube], end, 1e-3, gravity=GRAVITY,
                           colliders=[table, collider("cube_skin", "cube", "box", size=[side] * 3)],
                           contacts=[contact("edge", "table", "cube_skin", friction=0.6)]))
        turned = result["cube.rotation"][:, 1]
        want = start * (np.cosh(rate * result.time) - 1)
        assert turned - turned[0] == pytest.approx(want, rel=1e-3, abs=1e-12)
        assert (result["edge.closed"][1:] == 2).all()


def test_a_tippe_top_turns_over_and_keeps_the_integral_of_jellett():
    """Friction at one point of a sphere keeps L · (from the centre of mass to that point), until the stem touches."""
    radius, off, mass, step = 0.02, 0.006, 0.006, 2e-4
    inertia = 0.4 * mass * radius ** 2
    lean = 0.1
    body = rigid("top", {"type": "explicit", "mass": mass, "moments": [inertia] * 3},
                 [0, 0, radius - off * math.cos(lean)], turned=[lean, 0, 0], angular=[0, 0, 150])
    result = run(scene(
        [body], 2.9, step, gravity=GRAVITY,
        colliders=[FLOOR, collider("ball", "top", "sphere", at=[0, 0, off], radius=radius),
                   collider("stem", "top", "sphere", at=[0, 0, off + 1.15 * radius], radius=0.003)],
        contacts=[contact("ball_on_floor", "floor", "ball", friction=0.1),
                  contact("stem_on_floor", "floor", "stem", friction=0.1)],
    ))
    axis = np.array([matrix(q)[:, 2] for q in result["top.orientation"]])
    jellett = -inertia * (result["top.angular_velocity"] * (off * axis - [0, 0, radius])).sum(axis=1)
    touches = next(e["time"] for e in result.events if e["contact"].startswith("stem"))
    before = result.time < touches
    assert jellett[before] == pytest.approx(jellett[0], rel=2e-5)  # half the step: a fifth of 1.3e-5
    assert axis[-1, 2] < -0.7  # it stands on its stem, its centre of mass above the ball's centre
    assert result["top.position"][-1, 2] > radius
    assert np.diff(result["energy.kinetic"] + result["energy.gravity"]).max() < 1e-9
