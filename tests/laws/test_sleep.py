# SPDX-License-Identifier: Apache-2.0
"""Bodies that lie still are left alone: results are those of a run that computes them in every step."""

import copy

import numpy as np
import pytest
from models import collider, contact, joint, plane, rigid, scene, solid_box, solid_sphere
from runs import run

G = 9.81
RADIUS = 0.03


def ball(name, x, y=0.0, z=RADIUS, linear=(0, 0, 0)):
    return rigid(name, solid_sphere(0.2, RADIUS), (x, y, z), linear, (-linear[1] / RADIUS, linear[0] / RADIUS, 0))


def table(balls, end, step=1e-3, restitution=0.9, friction=0.2, bodies=(), **parts):
    names = [b["name"] for b in balls]
    parts["colliders"] = [
        *(collider(f"skin_{name}", name, "sphere", radius=RADIUS) for name in names),
        plane("floor", (0, 0, 0), (0, 0, 1)),
        *parts.get("colliders", []),
    ]
    parts["contacts"] = [
        contact("balls", "skin_*", "skin_*", restitution=restitution, friction=friction),
        contact("table", "floor", "skin_*", friction=friction),
        *parts.get("contacts", []),
    ]
    return scene([*balls, *bodies], end, step, gravity=(0, 0, -G), **parts)


def both(model):
    """With sleep, as it is unless said otherwise, and without."""
    awake = copy.deepcopy(model)
    awake["simulation"]["solver"] = {"sleep": False}
    return run(model), run(awake)


def assert_the_same(asleep, awake, share=1e-9, without=()):
    assert "sleep" not in awake.summary
    for name, quantity in awake.quantities.items():
        if quantity.owner in without or quantity.unit not in ("m", "m/s", "N", "J", "N s", "rad"):
            continue
        size = awake.sizes[quantity.unit] if quantity.unit != "rad" else 1.0
        assert np.abs(asleep[name] - awake[name]).max() <= share * size, name
    assert told(asleep) == told(awake)


def told(result):
    """Without stick and slip: round-off decides between them where nothing slides."""
    kinds = ("impact", "closes", "opens")
    return [[e["kind"], e["contact"]] for e in result.events if e["kind"] in kinds]


def test_balls_sleep_until_they_are_struck():
    """The last of a row is struck after it has slept for half a second; one beside it sleeps on."""
    balls = [
        ball("first", -0.9, linear=(1.7, 0, 0)),
        ball("second", 0.0),
        ball("third", 0.061),
        ball("lone", 0.3, y=0.5),
    ]
    asleep, awake = both(table(balls, 1.0))
    assert_the_same(asleep, awake)
    assert asleep.summary["sleep"]["bodies"] == 3
    assert asleep.summary["sleep"]["longest_time"] == pytest.approx(1 - 0.051, abs=2e-3)


def test_a_ball_that_is_kicked_within_the_step_wakes_what_it_meets():
    """The kicked one stands so near that the impact of the first sends it into a sleeper in one step."""
    balls = [ball("first", -0.5, linear=(4.0, 0, 0)), ball("kicked", 0.0), ball("sleeper", 2 * RADIUS + 1e-3)]
    asleep, awake = both(table(balls, 0.3, step=5e-3, restitution=1.0))
    assert_the_same(asleep, awake)


def test_forces_of_what_sleeps_are_still_told():
    """Also where the last step is shorter than the others."""
    box = rigid("box", solid_box(2.0, 0.2, 0.2, 0.2), (0, 0, 0.1))
    model = scene(
        [box],
        0.2505,
        1e-3,
        gravity=(0, 0, -G),
        colliders=[collider("corners", "box", "box", size=[0.2, 0.2, 0.2]), plane("floor", (0, 0, 0), (0, 0, 1))],
        contacts=[contact("rest", "floor", "corners", friction=0.5)],
    )
    asleep, awake = both(model)
    assert asleep.summary["sleep"]["bodies"] == 1
    assert_the_same(asleep, awake, without=("point",))  # of four points only the sum is determined
    steps = np.diff(asleep.time)
    assert asleep["rest.impulse"][1:, 2] / steps == pytest.approx(2.0 * G, rel=1e-9)


def test_what_lies_on_a_belt_does_not_sleep():
    """It stands still against a stop, and the belt rubs."""
    model = table([ball("held", 0.0)], 0.5, friction=0.3)
    model["model"]["contacts"][:2] = [contact("table", "belt", "skin_held", friction=0.3)]
    model["model"]["colliders"][1] = plane("belt", (0, 0, 0), (0, 0, 1), surface_velocity=[1.0, 0, 0])
    model["model"]["colliders"].append(plane("stop", (RADIUS, 0, 0), (-1, 0, 0)))
    model["model"]["contacts"].append(contact("stop", "stop", "skin_held", friction=0.3))
    asleep, awake = both(model)
    assert "sleep" not in asleep.summary
    assert_the_same(asleep, awake)


def test_a_slow_flight_goes_on():
    """Slower than any tolerance of a contact, through empty space, and seen as it is."""
    speed = 1e-9
    model = table([ball("slow", 0.0, z=0.5), ball("still", 5.0, z=0.5)], 2.0)
    model["model"]["gravity"] = [0, 0, 0]
    model["model"]["bodies"][0]["velocity"] = {"linear": [speed, 0, 0]}
    asleep = run(model)
    assert asleep["slow.position"][-1, 0] == pytest.approx(2 * speed, rel=1e-9)
    assert asleep.summary["sleep"]["bodies"] == 1  # the one without any velocity


def test_a_pusher_wakes_what_it_comes_to_and_what_is_in_a_joint_never_sleeps():
    pusher = rigid("pusher", solid_sphere(0.5, RADIUS), (-0.5, 0, RADIUS))
    model = table(
        [ball("first", 0.0), ball("second", 0.2)],
        1.0,
        bodies=[pusher],
        joints=[
            joint("drive", "prismatic", "ground", "pusher", (-0.5, 0, RADIUS), axis=(1, 0, 0), drive={"type": "speed", "value": 0.8})
        ],
        colliders=[collider("skin_pusher", "pusher", "sphere", radius=RADIUS)],
        restitution=0.2,
    )
    model["model"]["contacts"][1]["between"][1] = ["skin_first", "skin_second"]
    asleep, awake = both(model)
    assert asleep.summary["sleep"]["bodies"] == 2
    assert_the_same(asleep, awake)
