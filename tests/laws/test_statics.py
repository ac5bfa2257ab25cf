# SPDX-License-Identifier: Apache-2.0
"""Forces of joints, elements and bearings where contacts last, by statics: what holds is what hangs."""

import balance
import models
import numpy as np
import pytest
from models import (FLOOR, ball, beam, bearing, collider, contact, explicit, frame, plane, push, rigid, scene, skin,
                    solid_box)
from runs import run

GRAVITY = [0, 0, -9.467]
STEEP = np.array([-0.31, 0, 0.79]) / np.hypot(0.31, 0.79)  # normal of a slope
DAMPED = {"type": "stiffness_proportional", "time": 0.01}
# Stiff enough not to bend away from the closed forms, soft enough to settle.
PLASTIC = {"young_modulus": 2.1e9, "poisson_ratio": 0.0, "density": 1130.0}


def weight(body):
    return 9.467 * balance.mass_of(body)


def lock(body, **what):
    return {"name": "hold", "type": "lock", "body": body, **what}


def test_a_lock_holds_a_body_on_a_slope():
    body = models.mass_point("block", 1.37, [0, 0, 0])
    result = run(scene(
        [body], 0.02, 1e-3, gravity=GRAVITY, joints=[lock("block", translation=["x"])],
        colliders=[collider("foot", "block", "point"), plane("slope", [0, 0, 0], STEEP)],
        contacts=[contact("touch", "slope", "foot")],
    ))
    along = -weight(body) * STEEP[0] / STEEP[2]
    assert result["hold.force"] == pytest.approx(np.tile([along, 0, 0], (len(result.time), 1)), abs=1e-9)
    assert result["hold.torque"] == pytest.approx(0, abs=1e-12)


def test_a_lock_holds_a_beam_that_falls_past():
    rod = beam("rod", [0.1, 0.2, 0.3], [0.5, 0.3, 0.35])
    result = run(scene([rod], 0.02, 1e-3, gravity=[0, -9.467, -2.1], joints=[lock("rod", translation=["y"])]))
    rows, h = len(result.time), np.diff(result.time)[:, None]
    upright = np.tile([0, weight(rod), 0], (rows, 1))
    assert result["hold.force"] == pytest.approx(upright, abs=1e-9)
    assert result["hold.torque"] == pytest.approx(0, abs=1e-9)
    assert result["hold.impulse"][1:] == pytest.approx(h * upright[1:], abs=1e-11)
    assert result["hold.angular_impulse"][1:] == pytest.approx(0, abs=1e-11)


def test_a_lock_holds_a_solid_on_a_slope():
    """And turns it back about its centre of mass as much as the slope turns it."""
    cube = models.cube("cube", [0, 0, 0], [0.1, 0.09, 0.11], [1, 1, 2], damping=DAMPED)
    cube["material"] = {**PLASTIC, "young_modulus": 2.1e6}
    cube["pose"]["rotation_vector"] = [0, -np.arctan2(0.31, 0.79), 0]
    result = run(scene(
        [cube], 0.5, 1e-3, gravity=GRAVITY, joints=[lock("cube", translation=["x"])],
        colliders=[
            {"name": "bottom", "frame": {"body": "cube", "nodes": "z_min"}, "shape": {"type": "point"}},
            plane("slope", (-0.055 * STEEP).tolist(), STEEP),
        ],
        contacts=[contact("touch", "slope", "bottom")],
    ))
    h = result.time[-1] - result.time[-2]
    force, turn = np.zeros(3), np.zeros(3)
    for name, quantity in result.quantities.items():
        if quantity.owner == "point" and name.endswith(".impulse.n"):
            node = int(name.removesuffix(".impulse.n").rpartition(".")[2])
            one = result[name][-1] / h * STEEP
            force += one
            turn += np.cross(result[f"cube.node{node}.position"][-1] - result["cube.position"][-1], one)
    along = -weight(cube) * STEEP[0] / STEEP[2]
    assert force == pytest.approx([-along, 0, weight(cube)], rel=1e-6, abs=1e-6)
    assert result["hold.force"][-1] == pytest.approx([along, 0, 0], rel=1e-6, abs=1e-6)
    assert result["hold.torque"][-1] == pytest.approx(-turn, abs=1e-6)


def test_a_beam_bears_a_ball_between_its_supports():
    rod = beam("rod", [0, 0, 0], [0.5, 0, 0], damping=DAMPED)
    rod["material"] = PLASTIC
    bob = ball("bob", 0.41, 0.03, [0.25, 0, 0.0385])
    joints = [
        {"name": "left", "type": "revolute",
         "between": [frame("ground", turned=[np.pi / 2, 0, 0]), frame("rod", node=0)]},
        {"name": "right", "type": "point_on_line",
         "between": [frame("ground", [0.5, 0, 0], [0, np.pi / 2, 0]), frame("rod", node=4)]},
        lock("bob", translation=["x", "y"], rotation=["x", "y", "z"]),
    ]
    top = {"name": "top", "frame": frame("rod", [0, 0, 0.0085], node=2),
           "shape": {"type": "face", "normal": [0, 0, 1]}}
    result = run(scene(
        [rod, bob], 0.5, 1e-3, gravity=GRAVITY, joints=joints, colliders=[skin("bob", 0.03), top],
        contacts=[contact("touch", "top", "bob_skin")],
    ))
    half, bit = (weight(rod) + weight(bob)) / 2, weight(rod) / 8
    both = result["left.force"][-1] + result["right.force"][-1]
    assert both[2] == pytest.approx(2 * half, rel=1e-9)
    for end in ("left", "right"):  # the ball leans a little to the end that is held
        assert result[f"{end}.force"][-1] == pytest.approx([0, 0, half], abs=1e-5 * half)
    for element, shear in enumerate([half - bit, half - 3 * bit, 3 * bit - half, bit - half]):
        assert abs(result[f"rod.element{element}.force"][-1, 2]) == pytest.approx(abs(shear), rel=1e-5)
        middle = 0.0625 * (abs(half - bit) if element in (0, 3) else 2 * (half - bit) + half - 3 * bit)
        assert abs(result[f"rod.element{element}.moment"][-1, 1]) == pytest.approx(middle, rel=1e-5)


def test_a_column_stands_on_its_feet():
    column = models.cube("column", [0, 0, 0.055], [0.1, 0.09, 0.11], [1, 1, 2], damping=DAMPED)
    column["material"] = {**PLASTIC, "young_modulus": 2.1e6}
    feet = {"name": "feet", "frame": {"body": "column", "nodes": "z_min"}, "shape": {"type": "point"}}
    result = run(scene(
        [column], 0.5, 1e-3, gravity=GRAVITY, colliders=[feet, FLOOR], contacts=[contact("touch", "floor", "feet")],
    ))
    pressure = weight(column) / (0.1 * 0.09)
    for element, above in ((0, 0.75), (1, 0.25)):
        stress = result[f"column.element{element}.von_mises"][-1]
        assert stress == pytest.approx(above * pressure, rel=2e-3)  # of the strain, which is 6e-4


def test_a_bearing_bears_what_rests_on_its_ring():
    ring = rigid("inner", explicit(0.53, [[1e-4, 0, 0], [0, 1e-4, 0], [0, 0, 2e-4]]), [0, -1e-5, 0])
    rider = ball("rider", 0.31, 0.01, [0, 0.03 - 1e-5, 0])
    joints = [
        {"name": "guide", "type": "lock", "body": "inner", "translation": ["z"], "rotation": ["x", "y", "z"]},
        {"name": "post", "type": "lock", "body": "rider", "translation": ["x", "z"], "rotation": ["x", "y", "z"]},
    ]
    cage = {"type": "springs", "stiffness": 1e6, "damping": 10.0}
    result = run(scene(
        [ring, rider], 0.02, 1e-4, rho=0, gravity=[0, -9.467, 0], joints=joints,
        forces=[push("load", frame("inner"), 0, -37.0, 0)], ball_bearings=[bearing(planar=True, cage=cage)],
        colliders=[skin("rider", 0.01), plane("seat", [0, 0.02, 0], [0, 1, 0], body="inner")],
        contacts=[contact("rest", "seat", "rider_skin")],
    ))
    load = 37.0 + weight(ring) + weight(rider)
    momentum = sum(balance.mass_of(b) * result[f"{b['name']}.velocity"][:, 1] for b in (ring, rider))
    borne = np.cumsum(result["bearing.inner.impulse"][1:, 1])
    assert borne == pytest.approx(load * result.time[1:] + momentum[1:] - momentum[0], abs=1e-9 * load)


@pytest.mark.parametrize("turned", [[0, 0, 0], [0, 0, np.pi / 2], [1.1, -0.7, 1.9]])
@pytest.mark.parametrize("axis", range(3))
def test_a_bushing_turns_about_the_axes_of_its_first_frame(turned, axis):
    """However its second body was placed: torque over stiffness, about the axis of the torque."""
    stiffness, torque = [2.0, 8.0, 3.0], 0.01
    value = [0.0, 0.0, 0.0]
    value[axis] = torque
    body = rigid("b", solid_box(1, 0.1, 0.2, 0.3), [0, 0, 0], turned=turned)
    bushing = {
        "type": "bushing", "name": "k", "between": [frame("ground"), frame("b")], "stiffness": [100.0] * 3,
        "rotational_stiffness": stiffness,
    }
    model = scene([body], 1, 1, gravity=[0, 0, 0], forces=[bushing, push("t", frame("b"), *value, kind="torque")])
    model["simulation"] = {"type": "statics"}
    rotation = run(model)["b.rotation"][-1]
    expected = np.array(value) / stiffness
    assert np.abs(rotation - expected).max() <= 2 * np.abs(expected).max() ** 2, rotation
