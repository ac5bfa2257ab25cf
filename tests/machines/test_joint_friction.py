# SPDX-License-Identifier: Apache-2.0
"""Friction in joints against closed forms and a Newton-Euler solution of its own."""

import math

import numpy as np
import pytest
from machine import ALPHA, EVENTS, MOREAU, disc, messages, model, pin, run, slide

G = 9.81
COUPLED = {**ALPHA, "coupling": "coupled"}
STEPPING = pytest.mark.parametrize("integrator", (ALPHA, COUPLED, MOREAU),
                                   ids=("decoupled", "coupled", "moreau_jean"))
SCALES = pytest.mark.parametrize("scale", (1, 1e-3, 1e-6, 1e3), ids=lambda s: f"length {s:g}")


def finer(integrator, step):
    return {**integrator, "step": step}


def events(result, kind, name):
    return [row["time"] for row in result.events if (row["kind"], row["contact"]) == (kind, name)]


def books_close(result, size, scheme=2e-3):
    """scheme: what the integrator itself may lose."""
    energy = result.summary["energy"]
    assert energy["residual"] == pytest.approx(0, abs=1e-9 * size)
    assert abs(energy["numerical_loss"]) < scheme * size


@STEPPING
@pytest.mark.parametrize("bound", ("given", "by weight"))
def test_a_disc_coasts_down_and_stops(bound, integrator):
    inertia, rate, mass = 0.02, 10.0, 2.0
    mu, radius = 0.25, 0.04
    torque = mu * radius * mass * G  # 0.1962
    friction = {"torque": torque} if bound == "given" else {"coefficient": mu, "radius": radius}
    body = disc("wheel", [0, 0, 0], inertia, mass, velocity={"angular": [0, 0, rate]})
    result = run(model([body], [pin("axle", ["ground", "wheel"], [0, 0, 0], friction=friction)],
                       gravity=(0, -G, 0), end_time=1.5, integrator=integrator))
    stop = inertia * rate / torque
    assert events(result, "sticks", "axle") == pytest.approx([stop], abs=1.01 * integrator["step"])
    turned = rate * rate * inertia / (2 * torque)
    assert result["axle.angle"][-1] == pytest.approx(turned, abs=rate * integrator["step"])
    sliding = (result.time > 0.1) & (result.time < stop - 0.1)
    assert result["axle.friction"][sliding] == pytest.approx(-torque, rel=1e-9)
    assert result["axle.torque.z"][sliding] == pytest.approx(-torque, rel=1e-9)
    assert np.all(result["axle.sticks"][sliding] == 0)
    rates = rate - torque / inertia * result.time
    assert result["wheel.angular_velocity.z"][sliding] == pytest.approx(rates[sliding], rel=1e-9)
    late = result.time > stop + 0.05
    assert np.all(np.abs(result["wheel.angular_velocity.z"][late]) < 1e-12)
    assert np.ptp(result["axle.angle"][late]) < 1e-12
    assert np.all(result["axle.sticks"][late] == 1)
    energy = inertia * rate * rate / 2
    assert result.summary["energy"]["friction_loss"] == pytest.approx(energy, rel=1e-9)
    assert result.summary["contacts"]["axle"]["friction_loss"] == pytest.approx(energy, rel=1e-9)
    books_close(result, energy)


@STEPPING
@pytest.mark.parametrize("slope", (0.2, 0.45))
def test_a_block_on_an_inclined_guide(slope, integrator):
    """It sticks below the angle of friction, and slides with g (sin - mu cos) above it."""
    mu, mass = 0.3, 2.0
    down = (G * math.sin(slope), -G * math.cos(slope), 0)
    guide = slide("guide", ["ground", "block"], [0, 0, 0], friction={"coefficient": mu})
    result = run(model([disc("block", [0, 0, 0], mass=mass)], [guide], gravity=down, end_time=0.5,
                       integrator=integrator))
    way = result["guide.displacement"]
    acceleration = G * (math.sin(slope) - mu * math.cos(slope))
    if acceleration < 0:
        assert np.all(np.abs(way) < 1e-14)
        assert result["guide.friction"][5:] == pytest.approx(-mass * G * math.sin(slope), rel=1e-9)
        assert np.all(result["guide.sticks"][1:] == 1)
        return
    late = result.time > 0.4
    error = acceleration * 0.5 * integrator["step"]  # of one step
    assert way == pytest.approx(acceleration * result.time**2 / 2, abs=1.01 * error)
    assert result["guide.friction"][late] == pytest.approx(-mu * mass * G * math.cos(slope), rel=1e-9)
    assert result["guide.force.y"][late] == pytest.approx(mass * G * math.cos(slope), rel=1e-9)
    books_close(result, mass * G)


def pushed(mu, length, arm, push=10.0, integrator=ALPHA, mass=1.0):
    """A force along the guide beside it: moments press on its ends."""
    guide = slide("guide", ["ground", "block"], [0, 0, 0], friction={"coefficient": mu, "length": length})
    force = {"type": "force", "on": {"body": "block", "position": [0, arm, 0]}, "value": [push, 0, 0]}
    return model([disc("block", [0, 0, 0], mass=mass)], [guide], [force], end_time=0.2, integrator=integrator)


@STEPPING
@pytest.mark.parametrize("arm", (0.1, 0.3))
def test_a_slider_wedges_where_its_arm_is_long(arm, integrator):
    """Drawer: moment P a, bound mu 2 P a / l; it moves if a < l / (2 mu), however large P is."""
    mu, length, push = 0.5, 0.2, 10.0
    result = run(pushed(mu, length, arm, push, integrator))
    net = push * (1 - 2 * mu * arm / length)
    if net > 0:
        late = result.time > 0.1
        speed = net * result.time
        assert result["block.velocity.x"][late] == pytest.approx(speed[late], rel=1e-9)
    else:
        assert np.all(np.abs(result["block.position.x"]) < 1e-14)


@STEPPING
def test_a_pendulum_loses_the_same_each_half_swing(integrator):
    """T (theta_0 + theta_1) = m g l (cos theta_1 - cos theta_0); 2 T / (m g l) for small angles; it ends where
    m g l sin(theta) < T and does not creep."""
    mass, arm, inertia = 1.0, 0.5, 1e-6
    torque, first = 0.06, 0.12
    bob = disc("bob", [arm * math.sin(first), -arm * math.cos(first), 0], inertia, mass)
    joint = pin("pivot", ["ground", "bob"], [0, 0, 0], friction={"torque": torque})
    result = run(model([bob], [joint], gravity=(0, -G, 0), end_time=6.0, integrator=integrator))
    angle = result["pivot.angle"] + first
    turns, now = [], first
    while True:  # the closed form of the next turning point
        low, high = -now, now
        if torque >= mass * G * arm * math.sin(abs(now)):
            break
        for _ in range(60):
            mid = (low + high) / 2
            lost = mass * G * arm * (math.cos(mid) - math.cos(now)) - torque * (now - mid)
            low, high = (mid, high) if lost < 0 else (low, mid)
        turns.append(low)
        now = -low if low < 0 else low
    rate = result["bob.angular_velocity.z"]
    moves = np.flatnonzero(np.abs(rate) > 1e-9)  # where it turns it may rest for a step
    seen = [np.abs(angle[i:j + 1]).max() for i, j in zip(moves, moves[1:]) if rate[i] * rate[j] < 0] + [abs(angle[-1])]
    expected = [abs(t) for t in turns]
    tolerance = 2e-5 if integrator is not MOREAU else 2e-3
    assert seen == pytest.approx(expected, abs=tolerance)
    assert expected[0] == pytest.approx(first - 2 * torque / (mass * G * arm), abs=2e-4)
    late = result.time > 5
    # moreau_jean holds velocities, to the solver's accuracy, and takes back nothing
    creep = 1e-13 if integrator is not MOREAU else 1e-11
    assert np.ptp(angle[late]) < creep and np.all(result["pivot.sticks"][late] == 1)
    assert abs(angle[-1]) < math.asin(torque / (mass * G * arm))
    # moreau_jean loses 5.7 % of a swing without friction in 6 s, half of that with half the step
    books_close(result, mass * G * arm * first**2 / 2, 2e-3 if integrator is not MOREAU else 2e-2)


@pytest.mark.parametrize("integrator", (ALPHA, COUPLED), ids=("decoupled", "coupled"))
def test_slipping_is_of_second_order(integrator):
    """A pendulum through a swing with the bound mu r |F| from its own reaction, which depends on the speed."""
    mass, arm, inertia = 1.0, 0.5, 0.02
    mu, radius = 0.3, 0.05

    def end(h):
        bob = disc("bob", [arm, 0, 0], inertia, mass, velocity={"linear": [0, -1.0, 0], "angular": [0, 0, -2.0]})
        joint = pin("pivot", ["ground", "bob"], [0, 0, 0], friction={"coefficient": mu, "radius": radius})
        r = run(model([bob], [joint], gravity=(0, -G, 0), end_time=0.4, integrator=finer(integrator, h)))
        return r["pivot.angle"][-1], r["bob.angular_velocity.z"][-1]

    def exact():
        """Fourth-order Runge-Kutta of I phi'' = m g l sin - T, T = mu r |F|, F from the motion."""
        total = inertia + mass * arm**2

        def acceleration(phi, rate):
            friction = 0.0
            for _ in range(60):
                a = (-mass * G * arm * math.cos(phi) + friction) / total
                along = mass * (-arm * rate**2) + mass * G * math.sin(phi)
                across = mass * arm * a + mass * G * math.cos(phi)
                friction = -math.copysign(mu * radius * math.hypot(along, across), rate)
            return (-mass * G * arm * math.cos(phi) + friction) / total

        phi, rate, n = 0.0, -2.0, 4000
        h = 0.4 / n
        for _ in range(n):
            k = []
            for c, last in ((0, None), (h / 2, 0), (h / 2, 1), (h, 2)):
                p, r = (phi, rate) if last is None else (phi + c * k[last][0], rate + c * k[last][1])
                k.append((r, acceleration(p, r)))
            phi += h / 6 * (k[0][0] + 2 * k[1][0] + 2 * k[2][0] + k[3][0])
            rate += h / 6 * (k[0][1] + 2 * k[1][1] + 2 * k[2][1] + k[3][1])
        return phi, rate

    true = np.array(exact())
    errors = [np.abs(np.array(end(h)) - true) for h in (4e-3, 2e-3, 1e-3)]
    assert errors[-1].max() < 5e-5
    for coarse, fine in zip(errors, errors[1:]):
        assert np.log2(coarse.max() / fine.max()) > 1.8


# ---- a four-bar, driven at constant speed

LENGTHS = (0.1, 0.3, 0.25)  # crank, coupler, rocker
BASE = 0.3
MASSES = (0.4, 1.2, 1.0)
INERTIAS = tuple(m * l * l / 12 for m, l in zip(MASSES, LENGTHS))


def closed(theta):
    """Angles of coupler and rocker."""
    x, y = LENGTHS[0] * math.cos(theta), LENGTHS[0] * math.sin(theta)
    dx, dy = BASE - x, -y
    d = math.hypot(dx, dy)
    inner = math.acos((LENGTHS[1]**2 + d * d - LENGTHS[2]**2) / (2 * LENGTHS[1] * d))
    coupler = math.atan2(dy, dx) + inner
    tip = np.array([x + LENGTHS[1] * math.cos(coupler), y + LENGTHS[1] * math.sin(coupler)])
    rocker = math.atan2(tip[1], tip[0] - BASE)
    return coupler, rocker


def four_bar(theta, scale=1.0, frictions=None, drive=None, h=1e-3, end_time=0.5, force=None, start=0.0):
    coupler, rocker = closed(theta)
    A = np.array([math.cos(theta), math.sin(theta)]) * LENGTHS[0]
    B = A + LENGTHS[1] * np.array([math.cos(coupler), math.sin(coupler)])
    D = np.array([BASE, 0])
    rates = joint_rates(theta, start) if start else np.zeros(3)
    bodies = []
    for name, p, q, m, i, w, v0 in (
            ("crank", np.zeros(2), A, MASSES[0], INERTIAS[0], rates[0], np.zeros(2)),
            ("coupler", A, B, MASSES[1], INERTIAS[1], rates[1], None),
            ("rocker", D, B, MASSES[2], INERTIAS[2], rates[2], np.zeros(2))):
        if v0 is None:
            v0 = rates[0] * np.array([-A[1], A[0]])
        c = (p + q) / 2
        v = v0 + w * np.array([-(c - p)[1], (c - p)[0]])
        bodies.append(disc(name, [*(scale * c), 0], i * scale**2, m,
                           velocity={"linear": [*(scale * v), 0], "angular": [0, 0, w]}))
    f = frictions or [{}] * 4
    joints = [pin("O", ["ground", "crank"], [0, 0, 0], **f[0], **({"drive": drive} if drive else {})),
              pin("A", ["crank", "coupler"], [*(scale * A), 0], **f[1]),
              pin("B", ["coupler", "rocker"], [*(scale * B), 0], **f[2]),
              pin("D", ["ground", "rocker"], [*(scale * D), 0], **f[3])]
    return model(bodies, joints, force or [], gravity=(0, -G * scale, 0), end_time=end_time,
                 integrator={**ALPHA, "step": h})


def joint_rates(theta, rate):
    """Of crank, coupler and rocker, from the loop's closure."""
    c, r = closed(theta)
    a, b, d = LENGTHS
    lhs = np.array([[-b * math.sin(c), d * math.sin(r)], [b * math.cos(c), -d * math.cos(r)]])
    wc, wr = np.linalg.solve(lhs, -rate * np.array([-a * math.sin(theta), a * math.cos(theta)]))
    return np.array([rate, wc, wr])


def joint_accelerations(theta, rate):
    c, r = closed(theta)
    _, wc, wr = joint_rates(theta, rate)
    a, b, d = LENGTHS
    lhs = np.array([[-b * math.sin(c), d * math.sin(r)], [b * math.cos(c), -d * math.cos(r)]])
    e = lambda x: np.array([math.cos(x), math.sin(x)])
    return np.array([0, *np.linalg.solve(lhs, a * rate**2 * e(theta) + b * wc**2 * e(c) - d * wr**2 * e(r))])


def newton_euler(theta, rate, mu, radius):
    """Drive torque and pin forces of the moving four-bar, friction mu r |F| against each pin's rate."""
    c, r = closed(theta)
    w = joint_rates(theta, rate)
    al = joint_accelerations(theta, rate)
    e = [np.array([math.cos(x), math.sin(x)]) for x in (theta, c, r)]
    n = [np.array([-x[1], x[0]]) for x in e]
    a, b, d = LENGTHS
    acc_A = a * (al[0] * n[0] - w[0]**2 * e[0])
    acc = [acc_A / 2, acc_A + b / 2 * (al[1] * n[1] - w[1]**2 * e[1]), d / 2 * (al[2] * n[2] - w[2]**2 * e[2])]
    cross = lambda p, k: np.array([-p[1], p[0]])[k]  # torque of the k-th force component at p
    # unknown: forces on the second body at O (crank), A (coupler), B (rocker), D (rocker), drive torque
    arms = [a / 2 * e[0], b / 2 * e[1], d / 2 * e[2]]
    M, y = np.zeros((9, 9)), np.zeros(9)
    at = {0: [(0, 1, -arms[0]), (1, -1, arms[0])], 1: [(1, 1, -arms[1]), (2, -1, arms[1])],
          2: [(3, 1, -arms[2]), (2, 1, arms[2])]}
    for body, forces in at.items():
        for f, sign, p in forces:
            for k in range(2):
                M[3 * body + k, 2 * f + k] += sign
                M[3 * body + 2, 2 * f + k] += sign * cross(p, k)
        y[3 * body:3 * body + 2] = MASSES[body] * (acc[body] + np.array([0, G]))
        y[3 * body + 2] = INERTIAS[body] * al[body]
    M[2, 8] = 1
    relative = (w[0], w[1] - w[0], w[2] - w[1], w[2])  # of the second body to the first
    friction = np.zeros(4)
    for _ in range(200):
        rhs = y.copy()
        rhs[2] -= friction[0] - friction[1]
        rhs[5] -= friction[1] - friction[2]
        rhs[8] -= friction[2] + friction[3]
        x = np.linalg.solve(M, rhs)
        new = np.array([-math.copysign(mu * radius * np.linalg.norm(x[2 * i:2 * i + 2]), relative[i])
                        for i in range(4)])
        if np.abs(new - friction).max() < 1e-16:
            break
        friction = new
    return x, friction, relative


@SCALES
def test_a_driven_four_bar_needs_the_torque_of_newton_and_euler(scale):
    mu, radius, rate, theta = 0.2, 0.015, 4.0, 0.7
    friction = [{"friction": {"coefficient": mu, "radius": radius * scale}}] * 4
    errors = []
    for h in (2e-3, 1e-3, 5e-4):
        result = run(four_bar(theta, scale, friction, {"type": "speed", "value": rate}, h=h, end_time=0.2, start=rate))
        worst = 0
        for t in (0.1, 0.15, 0.2):
            i = round(t / h)
            x, rubs, _ = newton_euler(theta + rate * t, rate, mu, radius)
            size = scale**2  # of torques, masses being the same
            worst = max(worst, abs(result["O.torque.z"][i] / size - x[8] - rubs[0]) / abs(x[8]))
            for k, name in enumerate("OABD"):
                worst = max(worst, abs(result[f"{name}.friction"][i] / size - rubs[k]) / np.abs(rubs).max())
        errors.append(worst)
    assert errors[-1] < 2e-3
    assert errors[-1] < 0.6 * errors[-2] < 0.4 * errors[-3]
    energy = result.summary["energy"]
    assert abs(energy["residual"]) < 1e-9 * max(energy["external_work"], energy["friction_loss"])


def test_friction_does_not_change_what_a_drive_moves():
    def motion(friction):
        r = run(four_bar(0.7, 1, friction, {"type": "speed", "value": 4.0}, end_time=0.2, start=4.0))
        return np.array([r[f"{b}.position.{c}"] for b in ("coupler", "rocker") for c in "xy"])

    rough = [{"friction": {"coefficient": 0.2, "radius": 0.015}}] * 4
    assert motion(rough) == pytest.approx(motion([{}] * 4), abs=1e-12)


def test_a_four_bar_sticks_where_friction_can_hold_it():
    """At rest under its weight: all pins stick; drift is none."""
    rough = [{"friction": {"torque": 2.0}}] * 4
    result = run(four_bar(0.7, 1, rough, end_time=0.5))
    for body in ("crank", "coupler", "rocker"):
        assert np.ptp(result[f"{body}.position.x"]) < 1e-13
        assert np.abs(result[f"{body}.angular_velocity.z"]).max() < 1e-12
        assert all(np.all(result[f"{name}.sticks"][1:] == 1) for name in "OABD")


def test_wrong_friction_is_refused():
    def said(friction, joint=pin, **more):
        return messages(model([disc("a", [0, 0, 0])], [joint("p", ["ground", "a"], [0, 0, 0], friction=friction)], **more))

    at = "/model/joints/0/friction"
    assert f"{at}: holds nothing" in said({})
    assert f"{at}/radius: is missing" in said({"coefficient": 0.1})
    assert f"{at}: its bound follows the reaction or is given, not both" in said(
        {"coefficient": 0.1, "radius": 0.1, "torque": 1})
    assert f"{at}/coefficient: " in said({"coefficient": -0.1, "radius": 0.1})
    assert f"{at}/force: this joint does not slide" in said({"force": 1})
    assert f"{at}/torque: a prismatic joint does not turn" in said({"torque": 1}, slide)
    assert f"{at}/length: only a prismatic joint" in said({"coefficient": 0.1, "radius": 0.1, "length": 1})
    assert "event_driven does not know friction in joints yet" in said({"torque": 1}, integrator=EVENTS)
    assert "generalized_alpha is for models without friction in joints" in said(
        {"torque": 1}, integrator={"type": "generalized_alpha", "step": 1e-3})
