# SPDX-License-Identifier: Apache-2.0
"""event_driven against closed forms: lift-off, onset of slip, drives, tables, belts, joints, gears, screws.

Bounds are what was measured, rounded up: events of smooth motions by the `tolerance` of steps, the rest by round-off.
"""

import numpy as np
import pytest
from models import collider, contact, explicit, expression, frame, joint, mass_point, plane, push, rigid, scene
from models import solid_box, solid_sphere, spring
from runs import failure_of, run
from scipy.integrate import quad
from scipy.optimize import linprog

G = 9.81
FLOOR = plane("floor", [0, 0, 0], [0, 0, 1])


def by_events(bodies, end, step=0.01, gravity=(0, 0, -G), **parts):
    return run(scene(bodies, end, step, integrator="event_driven", gravity=gravity, **parts))


def times(result, kind, contact=""):
    return [e["time"] for e in result.events if e["kind"] == kind and e["contact"].startswith(contact)]


def turning(name, about, at=(0, 0, 0), **velocity):
    """A rotor about z."""
    return rigid(name, explicit(1, np.diag([about] * 3).tolist()), list(at), **velocity)


def slide_time(rate, until):
    """∫ dθ / rate(θ) from 0."""
    return quad(lambda angle: 1 / rate(angle), 0, until, epsabs=1e-14, epsrel=1e-13, limit=500)[0]


# ---- lift-off, to the time scale √(r/g) of the motion


@pytest.mark.parametrize("speed", [0.05, 0.3, 1.5])
def test_a_ball_leaves_a_ball_where_it_no_longer_presses(speed):
    """From the top without friction: 3 g r cos θ = v₀² + 2 g r, which is cos θ = 2/3 from rest."""
    r = 1.2
    result = by_events(
        [rigid("b", solid_sphere(0.5, 0.2), [0, 0, r], [speed, 0, 0])], 3.0,
        colliders=[collider("drum", "ground", "sphere", radius=1.0), collider("s", "b", "sphere", radius=0.2)],
        contacts=[contact("c", "drum", "s")],
    )
    leaves = np.arccos((speed**2 + 2 * G * r) / (3 * G * r))
    exact = slide_time(lambda angle: np.sqrt(speed**2 + 2 * G * r * (1 - np.cos(angle))) / r, leaves)
    assert times(result, "opens")[0] == pytest.approx(exact, rel=1e-10)


@pytest.mark.parametrize("part", [2.5, 3.5, 4.8])
def test_a_point_falls_from_the_inside_of_a_ball(part):
    """With v₀² = part g r at the bottom: where 3 cos θ = 2 − part."""
    speed = np.sqrt(part * G)
    result = by_events(
        [mass_point("m", 0.7, [0, 0, -1], [speed, 0, 0])], 1.5,
        colliders=[collider("bowl", "ground", "hollow_sphere", radius=1.0), collider("p", "m", "point")],
        contacts=[contact("c", "bowl", "p")],
    )
    exact = slide_time(lambda a: np.sqrt(speed**2 - 2 * G * (1 - np.cos(a))), np.arccos((2 - part) / 3))
    assert times(result, "opens")[0] == pytest.approx(exact, rel=1e-10)


@pytest.mark.parametrize(
    "pull, exact",
    [
        (expression("20*t"), 1.3 * G / 20),
        (expression("30*t^2"), np.sqrt(1.3 * G / 30)),
        ({"type": "table", "times": [0, 1], "values": [0, 20]}, 1.3 * G / 20),
        (expression("20*(t>0.3)"), 0.3),
    ],
)
def test_a_mass_is_lifted_by_a_force(pull, exact):
    result = by_events(
        [mass_point("m", 1.3, [0, 0, 0])], 1.0, 0.013, forces=[push("f", frame("m"), 0, 0, pull)],
        colliders=[FLOOR, collider("p", "m", "point")], contacts=[contact("c", "floor", "p", friction=0.3)],
    )
    assert times(result, "opens")[0] == pytest.approx(exact, rel=1e-12)


def test_a_box_that_is_pulled_tips_over_its_edge():
    """Two of four corners lift, forces being a choice until then: h k t = m g a/2."""
    a, h, m = 0.4, 0.6, 2.0
    result = by_events(
        [rigid("b", solid_box(m, a, 0.3, h), [0, 0, h / 2])], 1.0, 0.013,
        forces=[push("f", frame("b", [0, 0, h / 2]), expression("10*t"), 0, 0)],
        colliders=[FLOOR, collider("s", "b", "box", size=[a, 0.3, h])],
        contacts=[contact("c", "floor", "s", friction=3.0)],
    )
    assert times(result, "opens")[0] == pytest.approx(m * G * a / 2 / h / 10, rel=1e-9)


# ---- onset of slip


def test_a_point_slips_on_a_turntable_that_spins_up():
    """Where (r ω²)² + (r α)² = (μ g)²."""
    alpha, r, mu = 0.8, 0.5, 0.4
    drive = {"type": "speed", "value": expression(f"{alpha}*t")}
    result = by_events(
        [rigid("t", solid_box(5, 4, 4, 0.1), [0, 0, -0.05]), mass_point("p", 0.3, [r, 0, 0])], 3.5,
        joints=[joint("j", "revolute", "ground", "t", [0, 0, 0], [0, 0, 1], drive=drive)],
        colliders=[plane("top", [0, 0, 0.05], [0, 0, 1], "t"), collider("c", "p", "point")],
        contacts=[contact("k", "top", "c", friction=mu)],
    )
    exact = np.sqrt(np.sqrt((mu * G / r) ** 2 - alpha**2)) / alpha
    assert times(result, "slips")[0] == pytest.approx(exact, rel=1e-11)
    row = int(exact / 0.01) - 1
    assert result["p.position"][row, 0] == pytest.approx(r * np.cos(alpha * result.time[row] ** 2 / 2), abs=1e-9)


def plastic_limit(n, aside, directions=4096):
    """The largest pull, over μ m g, that any forces of n × n points in their cones can hold.

    Cones by some of their edges: from below, by a part (π/directions)²/2 at the most.
    """
    corners = [(x * 0.3, y * 0.2) for x in (-1, 1) for y in (-1, 1)]  # the other points hold less of a moment
    angle = 2 * np.pi * np.arange(directions) / directions
    columns = [
        np.array([np.cos(angle), np.sin(angle), np.ones_like(angle), x * np.sin(angle) - y * np.cos(angle),
                  np.full_like(angle, y), np.full_like(angle, -x)])
        for x, y in corners
    ]
    A = np.hstack([*columns, np.array([[1, 0, 0, -aside, 0, 0]]).T])
    cost = np.zeros(A.shape[1])
    cost[-1] = -1
    return linprog(cost, A_eq=A, b_eq=[0, 0, 1, 0, 0, 0], bounds=(0, None), method="highs").x[-1]


@pytest.mark.parametrize("n", [2, 3])
@pytest.mark.parametrize("aside", [0, 0.05, 0.13])
def test_a_plate_on_many_points_holds_to_its_plastic_limit(n, aside):
    """Pulled along x beside its middle: it slips where no forces in the cones hold it, not before."""
    points = [
        collider(f"p{i}", "b", "point", at=[(i % n / (n - 1) - 0.5) * 0.6, (i // n / (n - 1) - 0.5) * 0.4, -0.05])
        for i in range(n * n)
    ]
    result = by_events(
        [rigid("b", solid_box(2, 0.6, 0.4, 0.1), [0, 0, 0.05])], 0.5,
        forces=[push("f", frame("b", [0, aside, -0.05]), expression("20*t"), 0, 0)],
        colliders=[FLOOR, *points], contacts=[contact("c", "floor", "p*", friction=0.3)],
    )
    exact = plastic_limit(n, aside) * 0.3 * 2 * G / 20
    assert times(result, "slips")[0] == pytest.approx(exact, rel=1e-6)


# ---- belts, springs and friction


def test_a_box_on_a_belt_comes_to_its_speed():
    V, mu = 0.8, 0.3
    result = by_events(
        [rigid("b", solid_box(2, 0.2, 0.2, 0.1), [0, 0, 0.05])], 1.0,
        colliders=[plane("belt", [0, 0, 0], [0, 0, 1], surface_velocity=[V, 0, 0]),
                   collider("s", "b", "box", size=[0.2, 0.2, 0.1])],
        contacts=[contact("c", "belt", "s", friction=mu)],
    )
    sticks = V / mu / G
    assert times(result, "sticks")[0] == pytest.approx(sticks, rel=1e-13)
    assert result["b.position"][-1, 0] == pytest.approx(V * sticks / 2 + V * (1 - sticks), rel=1e-13)
    assert result["energy.friction_loss"][-1] == pytest.approx(V * V, rel=1e-13)
    assert result["energy.external_work"][-1] == pytest.approx(2 * V * V, rel=1e-12)


def test_stick_and_slip_on_a_belt():
    """A spring, a belt, static and kinetic friction: both phases are known."""
    k, m, V, static, kinetic = 50.0, 1.0, 0.2, 0.5, 0.3
    result = by_events(
        [mass_point("m", m, [0, 0, 0], [V, 0, 0])], 3.0,
        forces=[spring("s", frame("ground", [-2, 0, 0]), frame("m"), k)],
        colliders=[plane("belt", [0, 0, 0], [0, 0, 1], surface_velocity=[V, 0, 0]), collider("p", "m", "point")],
        contacts=[contact("c", "belt", "p", friction=kinetic, static_friction=static)],
    )
    omega, beyond = np.sqrt(k / m), (static - kinetic) * m * G / k
    first = static * m * G / k / V
    held = first + 2 * (np.pi - np.arctan(beyond * omega / V)) / omega
    slips, sticks = times(result, "slips"), [t for t in times(result, "sticks") if t > first]
    assert [slips[0], sticks[0], slips[1]] == pytest.approx([first, held, held + 2 * beyond / V], rel=1e-11)


def test_an_oscillator_with_friction_comes_to_rest():
    """Its amplitude falls by 2 μ m g/k in each half of a period."""
    k, mu, x = 80.0, 0.2, 0.37
    result = by_events(
        [mass_point("m", 1.0, [x, 0, 0])], 3.0,
        forces=[spring("s", frame("ground", [-3, 0, 0]), frame("m"), k, rest_length=3.0)],
        colliders=[FLOOR, collider("p", "m", "point")], contacts=[contact("c", "floor", "p", friction=mu)],
    )
    halves = 0
    while x > mu * G / k:
        x, halves = abs(x - 2 * mu * G / k), halves + 1
    assert abs(result["m.position"][-1, 0]) == pytest.approx(x, abs=1e-9)
    assert times(result, "sticks")[-1] == pytest.approx(halves * np.pi / np.sqrt(k), rel=1e-9)


def test_a_block_slides_up_turns_and_slides_down():
    slope, mu, v = 0.6, 0.25, 2.0
    result = by_events(
        [rigid("b", solid_box(2, 0.2, 0.2, 0.1), [0, 0, 0.05], [-v, 0, 0])], 1.5,
        gravity=[G * np.sin(slope), 0, -G * np.cos(slope)],
        colliders=[FLOOR, collider("s", "b", "box", size=[0.2, 0.2, 0.1])],
        contacts=[contact("c", "floor", "s", friction=mu)],
    )
    turn = v / G / (np.sin(slope) + mu * np.cos(slope))
    down = G * (np.sin(slope) - mu * np.cos(slope))
    assert result["b.velocity"][-1, 0] == pytest.approx(down * (1.5 - turn), rel=1e-12)
    assert result["b.position"][-1, 0] == pytest.approx(-v * turn / 2 + down * (1.5 - turn) ** 2 / 2, rel=1e-12)


def test_a_box_is_drawn_from_below_a_box():
    """Both slip: the upper one on the lower one, the lower one on the floor."""
    upper, lower, mu_1, mu_2, pull, end = 1.0, 2.0, 0.2, 0.1, 15.0, 0.3
    result = by_events(
        [rigid("a", solid_box(lower, 1, 0.5, 0.1), [0, 0, 0.05]),
         rigid("b", solid_box(upper, 0.2, 0.2, 0.1), [0, 0, 0.15])], end,
        forces=[push("f", frame("a", [0, 0, -0.05]), pull, 0, 0)],
        colliders=[FLOOR, collider("s", "a", "box", size=[1, 0.5, 0.1]), plane("lid", [0, 0, 0.05], [0, 0, 1], "a"),
                   collider("t", "b", "box", size=[0.2, 0.2, 0.1])],
        contacts=[contact("c", "floor", "s", friction=mu_2), contact("d", "lid", "t", friction=mu_1)],
    )
    assert result["b.velocity"][-1, 0] == pytest.approx(mu_1 * G * end, rel=1e-12)
    force = pull - mu_1 * upper * G - mu_2 * (upper + lower) * G
    assert result["a.velocity"][-1, 0] == pytest.approx(force / lower * end, rel=1e-12)


def test_a_mass_slides_on_a_wedge_that_slides():
    slope, M, m, end = 0.5, 3.0, 1.0, 0.4
    start = [-0.3 * np.cos(slope), 0, 0.5 + 0.3 * np.sin(slope)]
    result = by_events(
        [rigid("w", solid_box(M, 2, 1, 0.2), [0, 0, 0.1]), mass_point("p", m, start)], end,
        joints=[joint("j", "prismatic", "ground", "w", [0, 0, 0], [1, 0, 0])],
        colliders=[plane("top", [0, 0, 0.4], [np.sin(slope), 0, np.cos(slope)], "w"), collider("c", "p", "point")],
        contacts=[contact("k", "top", "c")],
    )
    inertia = M + m * np.sin(slope) ** 2
    assert result["w.velocity"][-1, 0] == pytest.approx(-m * G * np.sin(slope) * np.cos(slope) / inertia * end)
    assert result["p.velocity"][-1, 2] == pytest.approx(-(M + m) * G * np.sin(slope) ** 2 / inertia * end)


# ---- balls


def test_a_ball_slides_in_a_parabola_and_rolls():
    """A skew spin: the direction of its slip stays, and it rolls after 2 s/7 μ g."""
    a, mu, end = 0.1, 0.2, 1.5
    v, spin = np.array([1.2, 0, 0]), np.array([8.0, 3.0, 5.0])
    result = by_events(
        [rigid("b", solid_sphere(2, a), [0, 0, a], v.tolist(), spin.tolist())], end,
        colliders=[FLOOR, collider("s", "b", "sphere", radius=a)], contacts=[contact("c", "floor", "s", friction=mu)],
    )
    slip = v + np.cross(spin, [0, 0, -a])
    rolls = 2 * np.linalg.norm(slip) / 7 / mu / G
    brake = mu * G * slip / np.linalg.norm(slip)
    after = v - brake * rolls
    assert times(result, "sticks")[0] == pytest.approx(rolls, rel=1e-10)
    assert result["b.velocity"][-1] == pytest.approx(after, abs=1e-11)
    place = v * rolls - brake * rolls**2 / 2 + after * (end - rolls)
    assert result["b.position"][-1] == pytest.approx(place + [0, 0, a], abs=1e-11)


def test_a_ball_rolls_in_a_circle_on_a_turntable():
    """With 2/7 of the table's angular velocity."""
    omega, a, v = 2.0, 0.1, 0.3
    at, velocity = np.array([0.4, 0, a]), np.array([v, 0, 0])
    carried = omega * np.cross([0, 0, 1], at)
    spin = np.cross([0, 0, 1], velocity - carried) / a
    drive = {"type": "speed", "value": omega}
    result = by_events(
        [rigid("t", solid_box(5, 8, 8, 0.1), [0, 0, -0.05], angular=[0, 0, omega]),
         rigid("b", solid_sphere(0.3, a), at.tolist(), velocity.tolist(), spin.tolist())], 4.0,
        joints=[joint("j", "revolute", "ground", "t", [0, 0, 0], [0, 0, 1], drive=drive)],
        colliders=[plane("top", [0, 0, 0.05], [0, 0, 1], "t"), collider("c", "b", "sphere", radius=a)],
        contacts=[contact("k", "top", "c", friction=0.8)],
    )
    turn = 2 / 7 * omega
    assert result["b.velocity"][:, 0] == pytest.approx(v * np.cos(turn * result.time), abs=1e-10)
    assert result["b.position"][:, 0] == pytest.approx(0.4 + v / turn * np.sin(turn * result.time), abs=1e-10)


def test_a_ball_is_left_behind_by_a_plate_that_accelerates():
    """It rolls with 2/7 of the plate's acceleration; the drive moves both."""
    drive = {"type": "speed", "value": expression("0.9*t")}
    result = by_events(
        [rigid("t", solid_box(5, 8, 1, 0.1), [0, 0, -0.05]), rigid("b", solid_sphere(0.3, 0.1), [0, 0, 0.1])], 1.0,
        joints=[joint("j", "prismatic", "ground", "t", [0, 0, 0], [1, 0, 0], drive=drive)],
        colliders=[plane("top", [0, 0, 0.05], [0, 0, 1], "t"), collider("c", "b", "sphere", radius=0.1)],
        contacts=[contact("k", "top", "c", friction=0.8)],
    )
    assert result["b.velocity"][-1, 0] == pytest.approx(2 / 7 * 0.9, rel=1e-12)
    assert result["j.force"][50, 0] == pytest.approx((5 + 0.3 * 2 / 7) * 0.9, rel=1e-12)


@pytest.mark.parametrize("mu, spin", [(0.05, 30.0), (0.9, 5.0), (0.3, -40.0)])
def test_a_spinning_ball_strikes_a_wall(mu, spin):
    """It slips all the time or leaves without slip: the impulse is the lesser of both."""
    a, v, along, e = 0.1, 2.0, 0.5, 0.6
    result = by_events(
        [rigid("b", solid_sphere(1, a), [-1 - a, 0, 0], [v, along, 0], [0, 0, spin])], 0.8, gravity=[0, 0, 0],
        colliders=[plane("wall", [0, 0, 0], [-1, 0, 0]), collider("s", "b", "sphere", radius=a)],
        contacts=[contact("c", "wall", "s", friction=mu, restitution=e)],
    )
    slip = along + spin * a
    push_along = -np.sign(slip) * min(mu * (1 + e) * v, 2 / 7 * abs(slip))
    assert result["b.velocity"][-1] == pytest.approx([-e * v, along + push_along, 0], abs=1e-13)
    assert result["b.angular_velocity"][-1, 2] == pytest.approx(spin + push_along * a / (0.4 * a * a), rel=1e-12)


# ---- joints, drives, gears, screws


def test_a_ball_bounces_on_a_table_that_rises():
    V, e = 0.5, 0.6
    drive = {"type": "position", "value": {"type": "table", "times": [0, 2], "values": [0, 2 * V]}}
    result = by_events(
        [rigid("t", solid_box(5, 1, 1, 0.1), [0, 0, -0.05], [0, 0, V]),
         rigid("b", solid_sphere(0.3, 0.05), [0, 0, 1.05])],
        1.2, joints=[joint("j", "prismatic", "ground", "t", [0, 0, 0], [0, 0, 1], drive=drive)],
        colliders=[plane("top", [0, 0, 0.05], [0, 0, 1], "t"), collider("p", "b", "sphere", radius=0.05)],
        contacts=[contact("c", "top", "p", restitution=e)],
    )
    u = np.sqrt(V * V + 2 * G)
    first = (u - V) / G
    assert times(result, "impact")[:2] == pytest.approx([first, first + 2 * e * u / G], rel=1e-13)
    impact = next(event for event in result.events if event["kind"] == "impact")
    assert impact["impulse_n"] == pytest.approx(0.3 * (1 + e) * u, rel=1e-13)


def test_a_gear_strikes_the_stop_of_its_other_wheel():
    one, other, ratio, e = 0.02, 0.05, 2.0, 0.5
    result = by_events(
        [turning("a", one), turning("b", other, [1, 0, 0])], 2.9, gravity=[0, 0, 0],
        joints=[
            joint("ja", "revolute", "ground", "a", [0, 0, 0], [0, 0, 1]),
            joint("jb", "revolute", "ground", "b", [1, 0, 0], [0, 0, 1], limits={"lower": -1.0, "restitution": e}),
            {"name": "g", "type": "gear", "joints": ["ja", "jb"], "ratio": ratio},
        ],
        forces=[{"name": "motor", "type": "actuator", "joint": "ja", "value": 0.1}],
    )
    alpha = 0.1 / (one + other / ratio**2)
    first = np.sqrt(2 * ratio / alpha)
    assert times(result, "stop")[:2] == pytest.approx([first, first * (1 + 2 * e)], rel=1e-12)
    stop = next(event for event in result.events if event["kind"] == "stop")
    assert stop["after_n"] == pytest.approx(e * alpha * first / ratio, rel=1e-12)


def test_joints_that_a_relation_couples():
    inertia, coefficients, start = np.array([0.1, 0.2, 0.3]), np.array([1, 2, -1]), np.array([1.0, 2.0, 5.0])
    names = ("ja", "jb", "jc")
    result = by_events(
        [turning(n[1], inertia[i], [i, 0, 0], angular=[0, 0, start[i]]) for i, n in enumerate(names)], 1.0,
        gravity=[0, 0, 0],
        joints=[
            *[joint(n, "revolute", "ground", n[1], [i, 0, 0], [0, 0, 1]) for i, n in enumerate(names)],
            {"name": "rel", "type": "relation", "joints": list(names), "coefficients": coefficients.tolist()},
        ],
        forces=[{"name": "motor", "type": "actuator", "joint": "ja", "value": 0.3}],
    )
    free = np.array([0.3, 0, 0]) / inertia
    force = -coefficients @ free / (coefficients @ (coefficients / inertia))
    end = start + free + force * coefficients / inertia
    for n, omega in zip(names, end):
        assert result[f"{n[1]}.angular_velocity"][-1, 2] == pytest.approx(omega, rel=1e-12)


def test_a_ball_strikes_a_nut_on_its_screw():
    """The nut has the mass m + I/k²; the thread takes what it does not: its impulse is told."""
    m, inertia, pitch, ball, e, v = 2.0, 0.03, 0.5, 0.5, 0.4, 3.0
    k = pitch / (2 * np.pi)
    heavy = m + inertia / k**2
    nut = rigid("n", explicit(m, np.diag([inertia] * 3).tolist()), [0, 0, 0])
    result = by_events(
        [nut, rigid("b", solid_sphere(ball, 0.05), [0, 0, 1.05], [0, 0, -v])], 0.6, gravity=[0, 0, 0],
        joints=[joint("thread", "screw", "ground", "n", [0, 0, 0], [0, 0, 1], pitch=pitch)],
        colliders=[plane("top", [0, 0, 0], [0, 0, 1], "n"), collider("s", "b", "sphere", radius=0.05)],
        contacts=[contact("c", "top", "s", restitution=e)],
    )
    impulse = (1 + e) * v / (1 / ball + 1 / heavy)
    assert result["b.velocity"][-1, 2] == pytest.approx(-v + impulse / ball, rel=1e-12)
    assert result["n.angular_velocity"][-1, 2] == pytest.approx(-impulse / heavy / k, rel=1e-12)
    assert result["thread.impulse"].sum(axis=0) == pytest.approx([0, 0, impulse * (1 - m / heavy)], rel=1e-12)
    assert result["thread.angular_impulse"].sum(axis=0)[2] == pytest.approx(-impulse / heavy / k * inertia, rel=1e-12)


ARM = [0.3, 0.1, 0.2]
SKEW = [0.3, 0.4, 0.5]
JOINTS = {
    **{k: joint("j", k, "ground", "b", [0, 0, 0]) for k in ("fixed", "spherical")},
    **{
        k: joint("j", k, "ground", "b", [0, 0, 0], SKEW)
        for k in ("revolute", "prismatic", "cylindrical", "planar", "point_on_line", "point_on_plane")
    },
    "universal": joint("j", "universal", "ground", "b", [0, 0, 0], [1, 0, 0], axis_2=[0, 1, 0]),
    "screw": joint("j", "screw", "ground", "b", [0, 0, 0], SKEW, pitch=0.2),
    "distance": {"name": "j", "type": "distance", "between": [frame("ground"), frame("b", [0.02, 0.03, 0])]},
    "rope": {
        "name": "j", "type": "distance", "between": [frame("ground"), frame("b", [0.02, 0.03, 0])],
        "limits": {"upper": 0.45, "restitution": 0.4},
    },
    "stops": joint(
        "j", "cylindrical", "ground", "b", [0, 0, 0], SKEW,
        limits={"displacement": {"lower": -0.1, "restitution": 0.4}, "angle": {"lower": -0.2, "upper": 0.2}},
    ),
    "drive": joint(
        "j", "prismatic", "ground", "b", [0, 0, 0], [0, 0.6, 0.8],
        drive={"type": "speed", "value": expression("0.3*sin(9*t)+(t>0.2)")},
    ),
    "rolling": {
        "name": "j", "type": "rolling", "bodies": ["ground", "b"], "at": [*ARM[:2], 0.1], "axis": [0, 0, 1],
        "radius": 0.1,
    },
}


@pytest.mark.parametrize("kind", JOINTS)
def test_what_a_joint_gives_is_the_momentum(kind):
    """m Δv = m g t + Σ impulses, in every row; without stops the energy is kept."""
    m, gravity = 1.7, np.array([0.3, 0.2, -G])
    body = rigid("b", explicit(m, np.diag([0.03, 0.05, 0.04]).tolist()), ARM)
    result = by_events([body], 0.37, gravity=gravity.tolist(), joints=[JOINTS[kind]])
    momentum = m * (result["b.velocity"] - result["b.velocity"][0]) - m * np.outer(result.time, gravity)
    assert np.cumsum(result["j.impulse"], axis=0) == pytest.approx(momentum, abs=1e-12)
    energy = result["energy.kinetic"] + result["energy.gravity"] + result["energy.impact_loss"]
    assert energy - result["energy.external_work"] == pytest.approx(np.full(len(energy), energy[0]), abs=1e-8)


def test_a_cross_turns_its_second_shaft_unevenly():
    """Cardan's error: ω cos β/(1 − sin²β cos²θ)."""
    bend, omega = 0.4, 3.0
    out = [np.cos(bend), 0, np.sin(bend)]
    first = omega / np.cos(bend)
    result = by_events(
        [turning("in", 0.01, [-0.5, 0, 0], angular=[omega, 0, 0]),
         turning("out", 0.01, np.multiply(out, 0.5), angular=np.multiply(out, first).tolist())],
        2.0, gravity=[0, 0, 0],
        joints=[
            joint("ji", "revolute", "ground", "in", [-0.5, 0, 0], [1, 0, 0], drive={"type": "speed", "value": omega}),
            joint("jo", "revolute", "ground", "out", np.multiply(out, 0.5), out),
            joint("u", "universal", "in", "out", [0, 0, 0], [0, 0, 1], axis_2=[0, 1, 0]),
        ],
    )
    exact = omega * np.cos(bend) / (1 - (np.sin(bend) * np.cos(omega * result.time)) ** 2)
    assert np.linalg.norm(result["out.angular_velocity"], axis=1) == pytest.approx(exact, rel=1e-9)


def test_an_actuator_of_the_state_damps():
    inertia, k, c = 0.1, 2.0, 0.05
    law = expression(f"-{k}*p.angle-{c}*p.rate")
    result = by_events(
        [turning("a", inertia, angular=[0, 0, 1.0])], 2.0, gravity=[0, 0, 0],
        joints=[joint("p", "revolute", "ground", "a", [0, 0, 0], [0, 0, 1])],
        forces=[{"name": "act", "type": "actuator", "joint": "p", "value": law}],
    )
    decay = c / 2 / inertia
    omega = np.sqrt(k / inertia - decay**2)
    exact = np.exp(-decay * result.time) / omega * np.sin(omega * result.time)
    assert result["p.angle"] == pytest.approx(exact, abs=1e-10)


@pytest.mark.parametrize("law", ["-0.5*sign(p.rate)", "p.rate>0 ? -0.5 : 0.5", "p.rate>1 ? -0.5 : 0.5"])
def test_a_brake_that_has_stopped_what_it_brakes_is_named(law):
    """A sliding mode: within seconds, not after a million of steps."""
    model = scene(
        [turning("a", 0.1, angular=[0, 0, 2.0])], 1.0, 0.01, integrator="event_driven", gravity=[0, 0, 0],
        joints=[joint("p", "revolute", "ground", "a", [0, 0, 0], [0, 0, 1])],
        forces=[{"name": "brake", "type": "actuator", "joint": "p", "value": expression(law)}],
    )
    failure = failure_of(model)
    assert failure.startswith("exit 3") and '"brake"' in failure and "sliding mode" in failure


def test_a_steep_brake_stops():
    """The same with a law that is continuous: the angle is that of the brake, but for its last part."""
    result = by_events(
        [turning("a", 0.1, angular=[0, 0, 2.0])], 1.0, gravity=[0, 0, 0],
        joints=[joint("p", "revolute", "ground", "a", [0, 0, 0], [0, 0, 1])],
        forces=[{"name": "brake", "type": "actuator", "joint": "p", "value": expression("-0.5*tanh(p.rate/0.001)")}],
    )
    assert result["p.angle"][-1] == pytest.approx(2.0**2 / 2 / 5, abs=1e-5)


def test_a_pendulum_strikes_a_ball():
    length, m, ball, e = 1.0, 2.0, 0.5, 0.7
    result = by_events(
        [rigid("p", solid_sphere(m, 0.1), [length, 0, 0]), rigid("b", solid_sphere(ball, 0.1), [-0.2, 0, -length])],
        1.0, joints=[joint("j", "revolute", "ground", "p", [0, 0, 0], [0, 1, 0])],
        colliders=[collider("s1", "p", "sphere", radius=0.1), collider("s2", "b", "sphere", radius=0.1),
                   plane("floor", [0, 0, -length - 0.1], [0, 0, 1])],
        contacts=[contact("c", "s1", "s2", restitution=e), contact("d", "floor", "s2")],
    )
    inertia = m * (length**2 + 0.4 * 0.01)
    omega = np.sqrt(2 * m * G * length / inertia)
    impulse = (1 + e) * omega * length / (length**2 / inertia + 1 / ball)
    assert result["b.velocity"][-1, 0] == pytest.approx(-impulse / ball, rel=1e-11)
    fall = quad(lambda x: 2 * x / np.sqrt(2 * m * G * length * np.sin(x * x) / inertia), 0, np.sqrt(np.pi / 2),
                epsabs=1e-14, epsrel=1e-13)[0]  # the angle is x²
    assert times(result, "impact", "c")[0] == pytest.approx(fall, rel=1e-11)


def test_a_ball_that_rolls_by_a_joint_strikes_a_wall():
    """The joint is part of the impact: the ball has 7/5 of its mass."""
    r, slope, e = 0.1, 0.3, 0.5
    result = by_events(
        [rigid("b", solid_sphere(1, r), [0, 0, r])], 1.2, gravity=[G * np.sin(slope), 0, -G * np.cos(slope)],
        joints=[{"name": "roll", "type": "rolling", "bodies": ["ground", "b"], "at": [0, 0, 0], "axis": [0, 0, 1],
                 "radius": r}],
        colliders=[plane("wall", [1 + r, 0, 0], [-1, 0, 0]), collider("s", "b", "sphere", radius=r)],
        contacts=[contact("c", "wall", "s", restitution=e)],
    )
    a = 5 / 7 * G * np.sin(slope)
    impact = next(event for event in result.events if event["kind"] == "impact")
    assert impact["time"] == pytest.approx(np.sqrt(2 / a), rel=1e-13)
    assert impact["impulse_n"] == pytest.approx(1.4 * (1 + e) * a * np.sqrt(2 / a), rel=1e-12)


def test_neighbours_do_not_change_a_bit():
    ball = [rigid("b", solid_sphere(1, 0.1), [0, 0, 0.5], [0.3, 0, 0], [0, 2, 1])]
    colliders = [FLOOR, collider("s", "b", "sphere", radius=0.1)]
    contacts = [contact("c", "floor", "s", friction=0.3, restitution=0.6)]
    alone = by_events(ball, 1.0, colliders=colliders, contacts=contacts)
    beside = by_events(
        [*ball, mass_point("x", 1, [5, 0, 3]), rigid("y", solid_box(2, 0.1, 0.1, 0.1), [8, 0, 0], angular=[3, 2, 1])],
        1.0, colliders=[*colliders, collider("p", "x", "point")],
        contacts=[*contacts, contact("d", "floor", "p", restitution=0.9)],
        joints=[joint("sp", "spherical", "ground", "y", [8, 0.3, 0])],
    )
    for column in ("b.position", "b.angular_velocity"):
        assert np.array_equal(alone[column], beside[column])
