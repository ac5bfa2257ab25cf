# SPDX-License-Identifier: Apache-2.0
"""Models of users that found something in event_driven, each with what it should give."""

import numpy as np
import pytest
from models import collider, contact, expression, frame, joint, mass_point, plane, push, rigid, scene, solid_box
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


def shaken(amplitude, frequency):
    """A point on a table that a drive moves by a sine from its middle."""
    speed = [0, 0, 2 * np.pi * frequency * amplitude]
    table = rigid("table", solid_box(2, 1, 1, 0.1), [0, 0, -0.05], speed)
    drive = {"type": "position", "value": {"type": "sine", "amplitude": amplitude, "frequency": frequency}}
    return scene(
        [table, mass_point("m", 0.7, [0.1, 0.05, 0], speed)], 0.5 / frequency, 0.01 / frequency,
        integrator="event_driven", gravity=[0, 0, -G],
        joints=[joint("lift", "prismatic", "ground", "table", [0, 0, 0], [0, 0, 1], drive=drive)],
        colliders=[plane("top", [0, 0, 0.05], [0, 0, 1], "table", size=[1, 1]), collider("p", "m", "point")],
        contacts=[contact("c", "top", "p", friction=0.3)],
    )


@pytest.mark.parametrize("amplitude, frequency", [(0.1, 3.0), (0.02, 10.0), (0.3, 1.0)])
def test_a_mass_leaves_a_table_where_it_falls_away(amplitude, frequency):
    """Where the table's acceleration is that of gravity: sin ω t = g/(a ω²)."""
    result = run(shaken(amplitude, frequency))
    omega = 2 * np.pi * frequency
    opens = next(event["time"] for event in result.events if event["kind"] == "opens")
    assert abs(opens - np.arcsin(G / (amplitude * omega**2)) / omega) * omega < 1e-12


@pytest.mark.parametrize("rate", [3, 20, 200])
def test_a_mass_begins_to_slip_at_the_limit(rate):
    """Pulled by k t: from μ m g/k on, with the speed k (t − t₀)²/2m."""
    model = scene(
        [mass_point("m", 1.0, [0, 0, 0])], 20 / rate, 0.1 / rate, integrator="event_driven", gravity=[0, 0, -G],
        forces=[push("pull", frame("m"), expression(f"{rate}*t"), 0, 0)],
        colliders=[plane("floor", [0, 0, 0], [0, 0, 1]), collider("p", "m", "point")],
        contacts=[contact("c", "floor", "p", friction=0.8)],
    )
    result = run(model)
    begins = 0.8 * G / rate
    (slips,) = [event["time"] for event in result.events if event["kind"] == "slips"]
    assert slips == pytest.approx(begins, rel=2e-12)
    assert result["m.velocity"][-1, 0] == pytest.approx(rate / 2 * (20 / rate - begins) ** 2, rel=1e-12)


def test_joints_in_a_singular_position_are_named():
    """Three pins in a line: a triangle without height that gravity pulls at has no finite forces."""
    text = warnings(run(found("singular_fourbar")))
    assert 'joint "j2"' in text and "singular position" in text and "t = " in text


def test_a_parallelogram_passes_its_flat_position():
    """All pins in a line for a moment: energy is kept, and nobody is warned."""
    a, w = 0.7, 3.0
    tip = np.array([np.cos(a), 0, np.sin(a)])
    v, arm = np.cross([0, w, 0], tip), np.array([2.0, 0, 0])
    bodies = [
        rigid("left", solid_box(1, 1, 0.1, 0.1), tip / 2, v / 2, [0, w, 0], [0, -a, 0]),
        rigid("coupler", solid_box(1, 2, 0.1, 0.1), tip + arm / 2, v),
        rigid("right", solid_box(1, 1, 0.1, 0.1), arm + tip / 2, v / 2, [0, w, 0], [0, -a, 0]),
    ]
    pins = [("ground", "left", np.zeros(3)), ("left", "coupler", tip), ("coupler", "right", tip + arm)]
    joints = [
        joint(f"pin{i}", "revolute", *names, at.tolist(), [0, 1, 0])
        for i, (*names, at) in enumerate([*pins, ("ground", "right", arm)])
    ]
    result = run(scene(bodies, 2, 0.01, integrator="event_driven", gravity=[0, 0, 0], joints=joints))
    kinetic = result["energy.kinetic"]
    assert np.abs(kinetic / kinetic[0] - 1).max() < 1e-9
    assert not result.summary["warnings"]


def bounded(shape, carrier, normal):
    """Something that flies straight at a face of one metre, which is fixed or free; its way to it is 0.05 m."""
    n = np.array(normal, float)
    half = {"point": 0.0, "sphere": 0.1, "box": 0.15}[shape]
    options = {"point": {}, "sphere": {"radius": 0.1}, "box": {"size": [0.3, 0.3, 0.3]}}[shape]
    ball = rigid("p", solid_box(1.0, 0.3, 0.3, 0.3), (0.05 + half) * n, -0.45 * n)
    bodies = [ball] if carrier == "ground" else [rigid("t", solid_box(1.0, 1, 1, 1), [0, 0, 0]), ball]
    face = collider("f", carrier, "face", normal=normal, size=[1, 1])
    return scene(
        bodies, 0.3, 0.1, integrator="event_driven", gravity=[0, 0, 0],
        colliders=[face, collider("c", "p", shape, **options)], contacts=[contact("k", "f", "c", restitution=0.5)],
    )


@pytest.mark.parametrize("shape", ["point", "sphere", "box"])
@pytest.mark.parametrize("carrier, normal", [("ground", [0, 0, 1]), ("ground", [1, 0, 0]), ("t", [0, 0, 1])])
def test_a_bounded_face_is_hit(shape, carrier, normal):
    result = run(bounded(shape, carrier, normal))
    times = [event["time"] for event in result.events if event["kind"] == "impact"]
    assert times == pytest.approx([1 / 9] * len(times), rel=1e-12) and times
    v = result["p.velocity"][-1] @ normal - (result["t.velocity"][-1] @ normal if carrier == "t" else 0)
    assert v == pytest.approx(0.225, rel=1e-9)


def test_what_comes_round_a_bounded_face_from_behind_passes():
    """Thrown up beside the face it comes down on it; beside it, or from below, nothing holds it."""
    def flight(x, z, v):
        model = scene(
            [mass_point("p", 1.0, [x, 0, z], v)], 1.0, 0.1, integrator="event_driven", gravity=[0, 0, -10.0],
            colliders=[collider("f", "ground", "face", size=[1, 1]), collider("c", "p", "point")],
            contacts=[contact("k", "f", "c", restitution=0.5)],
        )
        return [event["time"] for event in run(model).events if event["kind"] == "impact"]

    assert flight(1.0, -0.2, [-1.0, 0, 4.0])[0] == pytest.approx(0.4 + np.sqrt(0.12), rel=1e-12)
    assert flight(1.0, 0.2, [0, 0, 0]) == []
    assert flight(0, -1.0, [0, 0, 2.0]) == []


def test_joint_forces_of_the_first_row_know_the_contacts():
    """A beam on a pin and a prop, loaded at its tip: moments about the pin give the prop's force."""
    beam = rigid("b", solid_box(3.0, 3, 0.1, 0.1), [1.0, 0, 0])
    model = scene(
        [beam], 0.2, 0.1, integrator="event_driven", gravity=[0, 0, -G],
        joints=[joint("pin", "revolute", "ground", "b", [0, 0, 0], [0, 1, 0])],
        forces=[push("F", frame("b", [1, 0, 0]), 0, 0, -5.0)],
        colliders=[plane("floor", [0, 0, 0], [0, 0, 1]), collider("c", "b", "point", [0.5, 0, 0])],
        contacts=[contact("k", "floor", "c", friction=0.4)],
    )
    result = run(model)
    prop = (3 * G * 1.0 + 5 * 2.0) / 1.5
    assert result["pin.force"][:, 2] == pytest.approx([3 * G + 5 - prop] * 3, rel=1e-9)


@pytest.mark.parametrize("contact_speed", [None, 0.2])
def test_impulses_balance_the_momentum_of_every_row(contact_speed):
    """A ball that bounces to rest, on friction: also the last bounce, that contact_speed takes, is an impulse."""
    model = scene(
        [rigid("b", {"type": "solid_sphere", "mass": 1.3, "radius": 0.1}, [0, 0, 0.3], [0.4, 0, 0], [0, -3, 0])],
        2.0, 0.1, integrator="event_driven", gravity=[0, 0, -G],
        colliders=[plane("floor", [0, 0, 0], [0, 0, 1]), collider("s", "b", "sphere", radius=0.1)],
        contacts=[contact("k", "floor", "s", friction=0.3, restitution=0.6)],
    )
    if contact_speed:
        model["simulation"]["integrator"]["contact_speed"] = contact_speed
    result = run(model)
    gained = 1.3 * np.diff(result["b.velocity"], axis=0)
    impulse = result["k.impulse"][1:] + np.array([0, 0, -1.3 * G * 0.1])
    assert gained == pytest.approx(impulse, abs=1e-11)


@pytest.mark.parametrize("text, word", [("sqrt(0.2-t)", "no finite value"), ("1/(t-0.2)", "bounds|no finite value")])
def test_a_load_without_a_value_is_named(text, word):
    model = scene(
        [mass_point("p", 1.0, [0, 0, 0])], 1.0, 0.01, integrator="event_driven",
        forces=[push("f", frame("p"), expression(text), 0, 0)],
    )
    message = failure_of(model)
    assert message.startswith("exit 3") and "component x of a force" in message
    assert any(w in message for w in word.split("|"))


@pytest.mark.parametrize("width", [1e-3, 2e-4, 1e-4])
def test_a_short_smooth_pulse_is_seen(width):
    """The impulse of a bell that is a hundredth of an interval wide."""
    model = scene(
        [mass_point("p", 1.0, [0, 0, 0])], 1.0, 0.01, integrator="event_driven", gravity=[0, 0, 0],
        forces=[push("f", frame("p"), expression(f"10*exp(-((t-0.505)/{width})^2)"), 0, 0)],
    )
    result = run(model)
    assert result["p.velocity"][-1, 0] == pytest.approx(10 * width * np.sqrt(np.pi), rel=1e-6)


def test_a_drive_with_a_kink_is_no_reason_to_warn():
    """By events it is an impulse, and its work is in the ledger."""
    drive = {"type": "position", "value": {"type": "table", "times": [0, 0.5, 1, 2], "values": [0, 0, 0.5, 0.5]}}
    model = scene(
        [rigid("t", solid_box(2.0, 1, 1, 1), [0, 0, 0])], 1.5, 0.1, integrator="event_driven", gravity=[0, 0, -G],
        joints=[joint("lift", "prismatic", "ground", "t", [0, 0, 0], [0, 0, 1], drive=drive)],
    )
    assert "jumps" not in warnings(run(model))


@pytest.mark.parametrize("step", [0.012, 0.003])
def test_impulses_of_points_that_begin_to_hold_balance_the_momentum(step):
    """A rod on floor and wall that is linked to a box, points of which slip on while others stick."""
    model = found("rod_and_box_hold", step=step)
    result = run(model)
    bodies = [(body["inertia"]["mass"], body["name"]) for body in model["model"]["bodies"]]
    gained = sum(m * (np.diff(result[f"{b}.velocity"][:, 2]) + G * np.diff(result.time)) for m, b in bodies)
    assert gained == pytest.approx(result["kf.impulse"][1:, 2], abs=1e-12)


def test_sticking_points_keep_within_their_cones():
    """A ball that is linked to a box at rest: friction of 0.3, and forces that points can exert."""
    result = run(found("ball_on_a_box"))
    normals = [n for n in result.quantities if n.endswith(".impulse.n")]
    assert normals
    for n in normals:
        t = np.hypot(result[n[:-1] + "t1"], result[n[:-1] + "t2"])
        assert np.all(t <= 0.3 * (1 + 1e-6) * np.maximum(result[n], 0) + 1e-12)


@pytest.mark.parametrize(
    "option, value, advice", [("normal_work", "pseudoinverse", "integral"), ("composition", "frozen", "consistent")]
)
def test_options_that_repeat_published_tables_warn(option, value, advice):
    """Both are there for that alone: the warning says what is wrong with them, and what to choose."""
    model = found("spheres_pass")
    model["simulation"]["integrator"][option] = value
    text = warnings(run(model))
    assert f'{option} "{value}"' in text
    assert "repeats a published table" in text and f'choose "{advice}"' in text
    model["simulation"]["integrator"][option] = advice
    assert "published" not in warnings(run(model))
