# SPDX-License-Identifier: Apache-2.0
"""Models of users that found something in event_driven, each with what it should give."""

import numpy as np
import pytest
from runs import failure_of, run
from test_findings import found, warnings

G = 9.81


@pytest.mark.parametrize("radius, speed", [(0.005, 20), (0.001, 10), (0.0001, 1000), (0.005, 1e5)])
@pytest.mark.parametrize("aside", [0, 0.6, 1.9])
def test_spheres_do_not_pass_through_each_other(radius, speed, aside):
    """Head on or aside, within a small part of an interval: an exchange of normal velocities at the touch."""
    model = found("spheres_pass")
    for body, sign in zip(model["model"]["bodies"], (-1, 1)):
        body["inertia"]["radius"] = radius
        body["pose"]["position"] = [sign * 0.12, sign * aside * radius / 2, 0]
        body["velocity"]["linear"] = [-sign * speed / 2, 0, 0]
    for collider in model["model"]["colliders"]:
        collider["shape"]["radius"] = radius
    model["simulation"]["end_time"] = 0.48 / speed * 1.7
    result = run(model)
    (impact,) = [event for event in result.events if event["kind"] == "impact"]
    along = np.sqrt(4 - aside**2) * radius  # of the centres at the touch
    assert impact["time"] == pytest.approx((0.24 - along) / speed, rel=1e-12)
    n = np.array([along, aside * radius, 0]) / (2 * radius)
    v = np.array([speed / 2, 0, 0])
    assert result["a.velocity"][-1] == pytest.approx(v - 2 * v.dot(n) * n, rel=1e-9, abs=1e-9 * speed)
    assert result.summary["max_overlooked"] < 1e-11 * radius


@pytest.mark.parametrize("begin, length", [(0.5, 2e-3), (0.5031, 2e-4), (0.777, 1e-6)])
def test_a_short_push_moves_a_box(begin, length):
    """1 kN for a moment; then friction stops it."""
    model = found("short_force")
    model["model"]["forces"][0]["value"][0]["text"] = f"{2 / length}*(t>{begin})*(t<{begin + length})"
    result = run(model)
    brake = 0.3 * G
    speed = 1 - brake * length
    way = speed * length / 2 + speed**2 / (2 * brake)
    stop = begin + length + speed / brake
    after = max(0.0, stop - 1.0) * brake  # what is left of the speed at the end
    assert result["box.velocity"][-1, 0] == pytest.approx(after, abs=1e-8)
    assert result["box.position"][-1, 0] == pytest.approx(way - after**2 / (2 * brake), rel=1e-8)


@pytest.mark.parametrize("text", ["1000*(t>0.5)", "1000*(t>=0.5)", "t<0.5 ? 0 : 1000", "500*(sign(t-0.5)+1)"])
def test_a_force_may_jump_at_rest(text):
    model = found("jump_at_rest")
    model["model"]["forces"][0]["value"][0]["text"] = text
    result = run(model)
    assert result["m.position"][-1, 0] == pytest.approx(500 * 0.5**2 / 2, rel=1e-12)


@pytest.mark.parametrize("direction", [0, 0.3, np.pi / 4, 2])
def test_a_box_on_four_corners_begins_to_slip(direction):
    """Pulled harder and harder: it moves from where the pull is μ m g, with the rest of it."""
    model = found("box_begins_to_slip")
    along = np.array([np.cos(direction), np.sin(direction), 0])
    pull = [{"type": "expression", "text": f"{20 * part}*t"} for part in along[:2]]
    model["model"]["forces"][0]["value"] = [*pull, 0]
    result = run(model)
    begins = 0.8 * G / 20
    speed = 10 * (0.5 - begins) ** 2
    assert result["block.velocity"][-1] == pytest.approx(speed * along, abs=1e-7)
    slips = [event["time"] for event in result.events if event["kind"] == "slips"]
    assert slips and slips == pytest.approx([begins] * len(slips), abs=1e-7)


@pytest.mark.parametrize("friction", [1.0, 2.0])
def test_a_box_leans_on_a_wall(friction):
    """It rests where friction can hold it; what presses it holds its weight, and none pulls."""
    model = found("box_leans_on_wall")
    contact = model["model"]["contacts"][0]
    contact["friction"] = contact["static_friction"] = friction
    result = run(model)
    box = model["model"]["bodies"][0]
    weight = box["inertia"]["mass"] * G
    h = np.diff(result.time)
    assert result["k.impulse"][1:] == pytest.approx(np.outer(h, [0, 0, weight]), abs=1e-9)
    assert np.abs(result["box.velocity"]).max() < 1e-12
    for name, quantity in result.quantities.items():
        if name.endswith(".impulse.n"):
            assert quantity.rows.min() >= 0


def test_a_rod_that_jams_on_a_wall_ends_there():
    """Friction stops the tip with the hinge: p_n (1 + μ) arm = I ω, and nothing comes back."""
    result = run(found("hinged_jam"))
    (impact,) = [event for event in result.events if event["kind"] == "impact"]
    omega = np.sqrt(3 * G * np.sqrt(0.5))
    assert impact["impulse_n"] == pytest.approx(omega / 3 / (2.5 * np.sqrt(0.5)), rel=1e-9)
    assert np.abs(result["rod.angular_velocity"][-1]).max() < 1e-9
    assert "does not bounce" in warnings(result) and '"touch"' in warnings(result)


def test_three_boxes_come_to_an_end():
    result = run(found("event_driven_hang"))
    assert result.summary["max_penetration"] < 1e-9


def test_a_drive_against_a_wall_is_named():
    message = failure_of(found("drive_into_wall"))
    assert message.startswith("exit 3") and '"k.floor.c' in message and "drive" in message
