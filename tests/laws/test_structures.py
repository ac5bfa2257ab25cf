# SPDX-License-Identifier: Apache-2.0
"""Structures of solids that stand, and fall where statics say so: towers, pyramids, cards, arches, dominoes."""

import math

import numpy as np
import pytest
from models import FLOOR, collider, contact, rigid, scene, solid_box
from runs import run

G = 9.467
GRAVITY = [0, 0, -G]


def moved(result):
    """The farthest that a body is from its start at any time."""
    places = (q.rows for q in result.quantities.values() if q.owner == "body" and q.kind == "position")
    return max(np.abs(rows - rows[0]).max() for rows in places)


def force(result, name):
    return result[name][1:] / np.diff(result.time)[:, None]


def skins(bodies, size):
    return [collider(f"{b['name']}_skin", b["name"], "box", size=size) for b in bodies]


def test_a_tower_of_20_boxes_stands():
    size, mass = [0.23, 0.19, 0.17], 1.37
    boxes = [rigid(f"b{i}", solid_box(mass, *size), [0.01 * (-1) ** i, 0, size[2] * (i + 0.5)]) for i in range(20)]
    names = ["floor", *(f"b{i}_skin" for i in range(20))]
    result = run(scene(
        boxes, 2, 0.01, gravity=GRAVITY, colliders=[FLOOR, *skins(boxes, size)],
        contacts=[contact(f"k{i}", names[i], names[i + 1], friction=0.4) for i in range(20)],
    ))
    assert moved(result) < 1e-7
    assert not result.summary["warnings"]
    for i in range(20):
        assert force(result, f"k{i}.impulse")[-1] == pytest.approx([0, 0, (20 - i) * mass * G], abs=1e-4 * mass * G)


def test_a_pyramid_of_55_boxes_stands():
    """Ten rows, each box over a gap of the row below."""
    side, mass = 0.2, 1.1
    boxes = [
        rigid(f"b{row}_{k}", solid_box(mass, side, side, side), [(k + row / 2) * 1.1 * side, 0, side * (row + 0.5)])
        for row in range(10) for k in range(10 - row)
    ]
    model = scene(
        boxes, 0.2, 0.01, gravity=GRAVITY, colliders=[FLOOR, *skins(boxes, [side] * 3)],
        contacts=[contact("foot", "floor", "b0_*", friction=0.5), contact("between", "b*", "b*", friction=0.5)],
    )
    model["simulation"]["solver"] = {"accuracy": "high"}
    result = run(model)
    assert moved(result) < 1e-7
    assert result.summary["max_penetration"] < 1e-8
    assert force(result, "foot.impulse")[-1] == pytest.approx([0, 0, 55 * mass * G], rel=1e-6, abs=1e-3)


CARD, THICK, ROUND, WIDE, GRAMS = 0.09, 0.0003, 0.0003, 0.06, 0.0018


def cards(lean, friction, roofs):
    """Two pairs of cards that lean against each other, and cards that lie on top of both. Edges are round."""
    inertia = solid_box(GRAMS, THICK + 2 * ROUND, WIDE, CARD + 2 * ROUND)
    between = 2.6 * CARD * math.sin(lean) + 0.02
    bodies, colliders = [], [FLOOR]

    def add(name, inertia, size, at, turned):
        bodies.append(rigid(name, inertia, at, turned=turned))
        colliders.append(collider(f"{name}_skin", name, "box", size=size, rounding=ROUND))

    def corner(side, end):
        """The inner corner of a card that leans to `side`, from its middle."""
        x, z, a = side * THICK / 2, end * CARD / 2, side * lean
        return x * math.cos(a) + z * math.sin(a), z * math.cos(a) - x * math.sin(a)

    for pair, middle in enumerate((-between / 2, between / 2)):
        for side in (1, -1):
            at = [middle - corner(side, 1)[0] - side * ROUND, 0, ROUND - corner(side, -1)[1]]
            add(f"c{pair}{side}", inertia, [THICK, WIDE, CARD], at, [0, side * lean, 0])
    top = 2 * ROUND + CARD * math.cos(lean) + THICK * math.sin(lean)
    length = between + 0.03
    for k in range(roofs):
        at = [0, 0, top + (k + 0.5) * (THICK + 2 * ROUND)]
        add(f"roof{k}", solid_box(GRAMS, length, WIDE, THICK + 2 * ROUND), [length, WIDE, THICK], at, [0, 0, 0])
    return scene(bodies, 2, 0.005, gravity=GRAVITY, colliders=colliders,
                 contacts=[contact("floor_", "floor", "c*", friction=friction),
                           contact("cards", "*_skin", "*_skin", friction=friction)])


def test_a_house_of_six_cards_stands():
    result = run(cards(math.radians(20), 0.5, roofs=2))
    assert moved(result) < 1e-12
    assert force(result, "floor_.impulse")[-1, 2] == pytest.approx(6 * GRAMS * G, rel=1e-9)


@pytest.mark.parametrize("part", [1.005, 0.995])
def test_two_cards_stand_if_friction_is_more_than_half_the_tangent_of_their_lean(part):
    """Moments about the foot: H L cos α = W L/2 sin α, and H ≤ μ W. Round edges and the thickness shift the foot."""
    lean = math.radians(20)
    # Both forces are on the inner corners, half the thickness from the weight.
    arm = CARD / 2 * math.sin(lean) - THICK / 2 * math.cos(lean)
    height = CARD * math.cos(lean) + ROUND
    result = run(cards(lean, part * arm / height, roofs=0))
    assert (moved(result) < 1e-12) == (part > 1)
    if part < 1:
        assert moved(result) > 0.03


def voussoirs(count, radius, thickness):
    """Corners of the stones of half a circle, from the left foot."""
    angle = np.linspace(-math.pi / 2, math.pi / 2, count + 1)
    ring = [[(r * math.sin(a), r * math.cos(a)) for r in (radius - thickness / 2, radius + thickness / 2)]
            for a in angle]
    return [[*ring[i], *ring[i + 1][::-1]] for i in range(count)]


def weight_and_place(corners):
    """Area and x of the centre of a quadrilateral."""
    x, z = np.array(corners).T
    cross = x * np.roll(z, -1) - z * np.roll(x, -1)
    return abs(cross.sum()) / 2, ((x + np.roll(x, -1)) * cross).sum() / (3 * cross.sum())


def stands(count, thickness):
    """Whether a line of thrust stays within the stones: H and where it acts at the crown, for all joints.

    At joint k the resultant of H, at the height y, and of the weights W_k above, of the moment M_k about the
    middle, cuts the joint at the radius (M_k + H y) / (W_k sin + H cos). Of H and Y = H y all is linear.
    """
    stones = [weight_and_place(s) for s in voussoirs(count, 1.0, thickness)[count // 2:]]
    rows = []
    for k in range(count // 2 + 1):
        W, M = sum(s[0] for s in stones[:k]), sum(s[0] * s[1] for s in stones[:k])
        a = math.pi * k / count
        for radius, sign in ((1 - thickness / 2, -1), (1 + thickness / 2, 1)):
            # sign (M + Y) ≤ sign radius (W sin a + H cos a)
            rows.append((-sign * radius * math.cos(a), sign, sign * (radius * W * math.sin(a) - M)))
    p, q, r = np.array(rows).T
    for H in np.linspace(0.01, 1, 4000) * sum(s[0] for s in stones):
        bound = (r - p * H) / q
        if bound[q > 0].min() >= bound[q < 0].max():
            return True
    return False


def limit_thickness(count):
    """Over the mean radius; 0.1075 for many stones (Milankovitch)."""
    low, high = 0.05, 0.2
    for _ in range(16):
        middle = (low + high) / 2
        low, high = (low, middle) if stands(count, middle) else (middle, high)
    return high


def arch(count, thickness, friction=0.8):
    bodies, colliders = [], [FLOOR]
    for i, corners in enumerate(voussoirs(count, 1.0, thickness)):
        x, z = np.mean(corners, axis=0)
        points = [[u - x, y, w - z] for u, w in corners for y in (-0.15, 0.15)]
        shape = {"type": "convex", "points": points}
        inertia = {"type": "from_shape", "shape": shape, "density": 2000}
        bodies.append(rigid(f"v{i}", inertia, [x, 0, z]))
        colliders.append({"name": f"v{i}_skin", "frame": {"body": f"v{i}"}, "shape": shape})
    feet = contact("feet", "floor", ["v0_skin", f"v{count - 1}_skin"], friction=friction)
    joints = [contact(f"j{i}", f"v{i}_skin", f"v{i + 1}_skin", friction=friction) for i in range(count - 1)]
    return scene(bodies, 1, 0.005, gravity=GRAVITY, colliders=colliders, contacts=[feet, *joints])


def test_many_stones_need_the_thickness_of_the_books():
    assert limit_thickness(80) == pytest.approx(0.1075, abs=3e-4)


@pytest.mark.parametrize("part", [1.01, 0.99])
def test_an_arch_stands_if_it_is_thicker_than_its_limit(part):
    thickness = limit_thickness(12)
    assert thickness == pytest.approx(0.1049, abs=1e-4)
    result = run(arch(12, part * thickness))
    if part > 1:
        assert moved(result) < 1e-7
    else:
        assert moved(result) > 0.05


def dominoes(step):
    thick, wide, high, pitch = 0.008, 0.024, 0.048, 0.024
    rate = 3.0
    bodies = [rigid(f"d{i}", solid_box(0.01, thick, wide, high), [i * pitch, 0, high / 2]) for i in range(10)]
    # The first turns about its right foot.
    bodies[0]["velocity"] = {"linear": [rate * high / 2, 0, rate * thick / 2], "angular": [0, rate, 0]}
    return scene(bodies, 0.8, step, gravity=GRAVITY,
                 colliders=[FLOOR, *skins(bodies, [thick, wide, high])],
                 contacts=[contact("foot", "floor", "d*", friction=0.6), contact("hit", "d*", "d*", friction=0.3)])


def test_a_wave_runs_through_dominoes_at_a_speed_of_its_own():
    """The first by energy: it turns about its foot; the others fall faster and faster up to a speed; steps agree."""
    times = []
    for step in (1e-3, 2.5e-4):
        result = run(dominoes(step))
        angles = np.array([np.abs(result[f"d{i}.rotation"][:, 1]) for i in range(10)])
        times.append([np.interp(0.05, a, result.time) for a in angles])
        first = result["d0.rotation"][:, 1]
        until = np.argmax(first > 0.3)  # before it strikes
        arm, foot = math.hypot(0.004, 0.024), math.atan2(0.004, 0.024)
        inertia = 0.01 / 12 * (0.008 ** 2 + 0.048 ** 2) + 0.01 * arm ** 2
        lost = 0.01 * G * arm * (np.cos(foot - first[:until]) - math.cos(foot))
        rate = np.sqrt(9.0 - 2 * lost / inertia)
        assert result["d0.angular_velocity"][1:until, 1] == pytest.approx(rate[1:], rel=20 * step)
    coarse, fine = np.diff(times)
    assert coarse == pytest.approx(fine, rel=0.03)
    assert (np.diff(fine) < 1e-4).all()
    assert fine[-1] == pytest.approx(fine[-2], rel=0.05)
