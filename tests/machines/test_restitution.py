# SPDX-License-Identifier: Apache-2.0
"""Restitution as a function of the speed of approach: recursions, sequences and an integration of its own."""

import csv
import json
import math
import pathlib
import subprocess
import tempfile

import numpy as np
import pytest
from machine import ALPHA, EVENTS, MOREAU, SALTUS, messages, run

G = 9.81
RADIUS = 0.05
POWER = {"type": "power", "reference": 0.7, "reference_speed": 1.0, "exponent": -0.25}
TABLE = {"type": "table", "speeds": [0.2, 1.0, 4.0], "values": [0.9, 0.7, 0.4]}
LAWS = {"power": POWER, "table": TABLE}
STEPPING = {"alpha": {**ALPHA, "step": 1e-4}, "moreau": {**MOREAU, "step": 1e-4}}
BY_EVENTS = {law: {**EVENTS, "restitution_law": law} for law in ("energetic", "poisson", "newton", "complementarity")}


def coefficient(law, speed):
    """Written down here once more."""
    if isinstance(law, (int, float)):
        return law
    if law["type"] == "table":
        return float(np.interp(speed, law["speeds"], law["values"]))
    return min(1.0, law["reference"] * (speed / law["reference_speed"]) ** law["exponent"])


def ball(name, place, velocity=(0, 0, 0), mass=1.0):
    return {"name": name, "type": "rigid", "inertia": {"type": "solid_sphere", "mass": mass, "radius": RADIUS},
            "pose": {"position": list(place)}, "velocity": {"linear": list(velocity)}}


def skin(name):
    return {"name": f"{name}_skin", "frame": {"body": name}, "shape": {"type": "sphere", "radius": RADIUS}}


FLOOR = {"name": "floor", "frame": {"body": "ground"}, "shape": {"type": "half_space"}}


def on_floor(contact, integrator, height=0.3, speed=0.0, end_time=1.0, gravity=G, mass=1.0, **simulation):
    return {"saltus": 1,
            "model": {"gravity": [0, 0, -gravity], "bodies": [ball("ball", (0, 0, height + RADIUS), (0, 0, speed), mass)],
                      "colliders": [FLOOR, skin("ball")],
                      "contacts": [{"name": "bounce", "between": ["floor", "ball_skin"], **contact}]},
            "simulation": {"end_time": end_time, "integrator": integrator, **simulation}}


def in_a_row(balls, contact, integrator, end_time=0.2, **simulation):
    """Balls (place, speed, mass) on a line, without gravity."""
    bodies = [ball(f"b{i}", (x, 0, 0), (v, 0, 0), m) for i, (x, v, m) in enumerate(balls)]
    return {"saltus": 1,
            "model": {"gravity": [0, 0, 0], "bodies": bodies, "colliders": [skin(b["name"]) for b in bodies],
                      "contacts": [{"name": "hit", "between": ["b*_skin", "b*_skin"], **contact}]},
            "simulation": {"end_time": end_time, "integrator": integrator, **simulation}}


def impacts(result):
    return [event for event in result.events if event["kind"] == "impact"]


# ---- a bouncing ball

@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
@pytest.mark.parametrize("integrator", BY_EVENTS.values(), ids=BY_EVENTS)
def test_bouncing_ball_by_events(law, integrator):
    """v_{k+1} = e(v_k) v_k, impact k + 1 comes 2 v/g after impact k."""
    result = run(on_floor({"restitution": law}, integrator, end_time=2.0))
    speed, time = math.sqrt(2 * G * 0.3), math.sqrt(2 * 0.3 / G)
    found = impacts(result)
    assert len(found) >= 6
    for event in found[:6]:
        assert event["time"] == pytest.approx(time, abs=1e-9)
        assert event["before_n"] == pytest.approx(-speed, rel=1e-9)
        speed *= coefficient(law, speed)
        assert event["after_n"] == pytest.approx(speed, rel=1e-9)
        time += 2 * speed / G


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
@pytest.mark.parametrize("integrator", STEPPING.values(), ids=STEPPING)
def test_bouncing_ball_in_steps(law, integrator):
    """Each impact has the law to round-off; speeds follow the recursion within what a step adds to a fall, g h."""
    result = run(on_floor({"restitution": law}, integrator, end_time=1.2))
    speed = math.sqrt(2 * G * 0.3)
    found = impacts(result)
    assert len(found) >= 4
    for number, event in enumerate(found[:4]):
        before = -event["before_n"]
        assert before == pytest.approx(speed, abs=(number + 1) * 2 * G * 1e-4)
        assert event["after_n"] == pytest.approx(coefficient(law, before) * before, rel=1e-9)
        speed *= coefficient(law, speed)


def test_quick_impacts_give_back_less():
    """The sign of the exponent."""
    fast, slow = (run(on_floor({"restitution": POWER}, BY_EVENTS["newton"], 0.1, -v, 0.2, 0.0)) for v in (4.0, 1.0))
    assert fast["ball.velocity.z"][-1] == pytest.approx(4 * 0.7 / math.sqrt(2), rel=1e-9)
    assert slow["ball.velocity.z"][-1] == pytest.approx(0.7, rel=1e-9)


# ---- several bodies

EVERY = {**STEPPING, **BY_EVENTS}


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
@pytest.mark.parametrize("integrator", EVERY.values(), ids=EVERY)
def test_two_spheres_head_on(law, integrator):
    m, n, v, w = 1.0, 3.0, 1.5, -0.9
    result = run(in_a_row([(0, v, m), (0.2, w, n)], {"restitution": law}, integrator))
    e = coefficient(law, v - w)
    common = (m * v + n * w) / (m + n)
    assert result["b0.velocity.x"][-1] == pytest.approx(common - e * (v - w) * n / (m + n), abs=1e-9)
    assert result["b1.velocity.x"][-1] == pytest.approx(common + e * (v - w) * m / (m + n), abs=1e-9)
    assert result["energy.kinetic"][-1] == pytest.approx(
        (m + n) / 2 * common**2 + m * n / (m + n) / 2 * (e * (v - w)) ** 2, rel=1e-8)


def cradle(law, speeds):
    """Equal balls that touch: an impact runs from contact to contact, each with its own speed of approach."""
    u = list(speeds)
    fastest = max(u) - min(u)
    for _ in range(500):
        hits = [i for i in range(len(u) - 1) if u[i] - u[i + 1] > 1e-6 * fastest]
        if not hits:
            return u
        assert all(b - a > 1 for a, b in zip(hits, hits[1:])), "one at a time: each pair by itself"
        for i in hits:
            gap = u[i] - u[i + 1]
            mean = (u[i] + u[i + 1]) / 2
            e = coefficient(law, gap)
            u[i], u[i + 1] = mean - e * gap / 2, mean + e * gap / 2
    raise AssertionError("no end")


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
@pytest.mark.parametrize("integrator", EVERY.values(), ids=EVERY)
def test_newtons_cradle(law, integrator):
    """The second impact has the restitution of its own speed. What approaches by less than 1e-6 in the end is
    stopped, and shared."""
    row = [(0, 2.0, 1.0), (0.15, 0, 1.0), (0.25, 0, 1.0)]
    result = run(in_a_row(row, {"restitution": law}, integrator))
    expected = cradle(law, [2.0, 0, 0])
    assert coefficient(law, 2.0) != pytest.approx(coefficient(law, 1.5), abs=0.01)
    assert [result[f"b{i}.velocity.x"][-1] for i in range(3)] == pytest.approx(expected, abs=5e-6)


def test_at_once_each_contact_has_its_own():
    """A ball between two that come with different speeds: one problem, whose two equations are linear."""
    v, w = 3.0, 1.0
    row = [(0, v, 1.0), (0.1, 0, 2.0), (0.2, -w, 1.0)]
    result = run(in_a_row(row, {"restitution": TABLE}, STEPPING["alpha"], end_time=0.01,
                          multiple_impacts="simultaneous"))
    e, f = coefficient(TABLE, v), coefficient(TABLE, w)
    # relative velocities after: −e v, −f w (approach); impulses p, q along the line
    p, q = np.linalg.solve([[1 + 1 / 2, -1 / 2], [-1 / 2, 1 + 1 / 2]], [(1 + e) * v, (1 + f) * w])
    after = [v - p, (p - q) / 2, -w + q]
    assert [result[f"b{i}.velocity.x"][-1] for i in range(3)] == pytest.approx(after, abs=1e-9)


# ---- the same as a number

def bytes_of(model):
    with tempfile.TemporaryDirectory() as place:
        path = pathlib.Path(place)
        (path / "model.json").write_text(json.dumps(model), encoding="utf-8")
        subprocess.run([SALTUS, "run", path / "model.json", "-o", path / "out", "--quiet"], check=True, timeout=600)
        return [(path / "out" / name).read_bytes() for name in ("timeseries.csv", "events.csv")]


CONSTANT = {"table": {"type": "table", "speeds": [0.1, 0.3, 2.0], "values": [0.6, 0.6, 0.6]},
            "power": {"type": "power", "reference": 0.6, "reference_speed": 3.0, "exponent": 0}}


@pytest.mark.parametrize("law", CONSTANT.values(), ids=CONSTANT)
@pytest.mark.parametrize("integrator", EVERY.values(), ids=EVERY)
def test_a_constant_law_gives_the_bytes_of_its_number(law, integrator):
    rows = [(0, 2.0, 1.0), (0.15, 0, 1.0), (0.25, 0, 3.0)]
    for make in (lambda e: in_a_row(rows, {"restitution": e, "friction": 0.1}, integrator),
                 lambda e: on_floor({"restitution": e}, integrator, end_time=0.6)):
        assert bytes_of(make(law)) == bytes_of(make(0.6))


def test_a_constant_law_of_a_compliant_contact():
    def make(e):
        return on_floor({"restitution": e, "model": "compliant", "stiffness": 1e6}, {**ALPHA, "step": 1e-3}, 0.01, -1.0,
                        end_time=0.1)
    assert bytes_of(make(CONSTANT["table"])) == bytes_of(make(0.6))


# ---- compliant

def rebound(law, speed, ratio, stiffness=1e6, mass=1.0, gravity=0.0):
    """Runge-Kutta steps of m δ̈ = m g − K δ^1.5 (1 + χ min(δ̇/v, 1)), never pulling, with χ at e(v)."""
    chi = ratio(coefficient(law, speed))

    def slope(state):
        depth, rate = state
        if depth <= 0:
            return np.array([rate, gravity])
        return np.array([rate, gravity - stiffness * depth**1.5 * max(0.0, 1 + chi * min(rate / speed, 1.0)) / mass])

    step = 0.02 * (mass / (stiffness * math.sqrt(speed))) ** 0.4 / 4
    state = np.array([0.0, speed])
    while True:
        k1 = slope(state)
        k2 = slope(state + step / 2 * k1)
        k3 = slope(state + step / 2 * k2)
        k4 = slope(state + step * k3)
        after = state + step / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        if after[0] <= 0:
            return -after[1]
        state = after


FLORES = {"damping_model": "flores"}, lambda e: 1.6 * (1 - e) / e
HUNT = {"damping_model": "hunt_crossley"}, lambda e: 1.5 * (1 - e)


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
@pytest.mark.parametrize("speed", (0.3, 1.0, 3.0))
@pytest.mark.parametrize("model", (FLORES, HUNT), ids=("flores", "hunt_crossley"))
def test_compliant_contact(law, speed, model):
    keys, ratio = model
    contact = {"restitution": law, "model": "compliant", "stiffness": 1e6, **keys}
    result = run(on_floor(contact, {**ALPHA, "step": 2e-5}, 1e-3, -speed, 1e-3 / speed + 0.02, 0.0))
    expected = rebound(law, speed, ratio)
    assert expected != pytest.approx(rebound(coefficient(law, 1.7 * speed), speed, ratio), rel=0.02)
    assert result["ball.velocity.z"][-1] == pytest.approx(expected, rel=2e-3)


def test_compliant_contact_from_bounce_to_bounce():
    """Each meeting has the damping of its own speed."""
    contact = {"restitution": POWER, "model": "compliant", "stiffness": 1e7, "damping_model": "hunt_crossley"}
    result = run(on_floor(contact, {**ALPHA, "step": 1e-3}, 0.3, end_time=1.2, gravity=G))
    heights, times = result["ball.position.z"] - RADIUS, result.time
    speed = math.sqrt(2 * G * 0.3)
    time = math.sqrt(2 * 0.3 / G)
    for _ in range(2):
        speed = rebound(POWER, speed, HUNT[1], 1e7, gravity=G)
        flight = (times > time) & (times < time + 2 * speed / G)
        assert heights[flight].max() == pytest.approx(speed**2 / 2 / G, rel=0.01)
        time += 2 * speed / G


# ---- forces within impacts

def force_rows(model):
    with tempfile.TemporaryDirectory() as place:
        path = pathlib.Path(place)
        (path / "model.json").write_text(json.dumps(model), encoding="utf-8")
        subprocess.run([SALTUS, "run", path / "model.json", "-o", path / "out", "--quiet"], check=True, timeout=600)
        with open(path / "out" / "contact_forces.csv", encoding="utf-8") as file:
            rows = [row for row in csv.DictReader(file) if row["kind"] == "impact"]
        summary = json.loads((path / "out" / "summary.json").read_text(encoding="utf-8"))
        return rows, summary


RECOVERING = {**STEPPING, "energetic": BY_EVENTS["energetic"]}


@pytest.mark.parametrize("method", ("reconstruction", "integration"))
@pytest.mark.parametrize("integrator", RECOVERING.values(), ids=RECOVERING)
def test_recovered_forces_have_the_coefficient_of_their_impact(integrator, method):
    """Without gravity impulse and speed are exact: forces are those of a run with the number e(v)."""
    for speed in (0.5, 2.0, 3.5):
        e = coefficient(TABLE, speed)
        rows = []
        for restitution in (TABLE, e):
            contact = {"restitution": restitution, "stiffness": 1e8, "damping_model": "zhang", "force_method": method}
            found, _ = force_rows(on_floor(contact, integrator, 0.05, -speed, 0.3, 0.0, 2.0))
            assert len(found) == 1
            rows.append({key: float(value) for key, value in found[0].items()
                         if key in ("impulse_n", "approach_speed", "duration", "peak_force", "peak_indentation")})
        assert len(rows[0]) == 5
        assert rows[0] == pytest.approx(rows[1], rel=1e-9)
        assert rows[0]["impulse_n"] == pytest.approx((1 + e) * 2.0 * speed, rel=1e-8)


def test_recovery_tells_where_little_comes_back():
    law = {"type": "table", "speeds": [1.0, 3.0], "values": [0.8, 0.02]}
    for speed, told in ((1.0, 0), (3.0, 1)):
        contact = {"restitution": law, "stiffness": 1e8}
        _, summary = force_rows(on_floor(contact, STEPPING["alpha"], 0.05, -speed, 0.3, 0.0))
        assert sum("restitution of quick impacts is too small" in text for text in summary["warnings"]) == told


def test_recovery_of_a_law_that_does_not_bounce_there():
    """No duration where e = 0, forces where it is not."""
    law = {"type": "table", "speeds": [1.0, 2.0], "values": [0.8, 0.0]}
    for speed, has_forces in ((1.0, True), (2.5, False)):
        contact = {"restitution": law, "stiffness": 1e8}
        rows, _ = force_rows(on_floor(contact, STEPPING["alpha"], 0.05, -speed, 0.3, 0.0))
        assert (float(rows[0]["peak_force"] or 0) > 0) == has_forces


# ---- rest

@pytest.mark.parametrize("integrator", {**STEPPING, "complementarity": BY_EVENTS["complementarity"]}.values())
def test_what_rests_does_not_bounce(integrator):
    """e → 1 as the speed vanishes: round-off is no approach. A box on its corners and a ball on it."""
    law = {"type": "power", "reference": 0.5, "reference_speed": 1.0, "exponent": -1}
    box = {"name": "box", "type": "rigid", "inertia": {"type": "solid_box", "mass": 2, "size": [0.4, 0.4, 0.2]},
           "pose": {"position": [0, 0, 0.1]}}
    model = {"saltus": 1,
             "model": {"bodies": [box, ball("ball", (0.03, 0.02, RADIUS + 0.2))],
                       "colliders": [FLOOR, skin("ball"),
                                     {"name": "box_skin", "frame": {"body": "box"},
                                      "shape": {"type": "box", "size": [0.4, 0.4, 0.2]}},
                                     {"name": "lid", "frame": {"body": "box", "position": [0, 0, 0.1]},
                                      "shape": {"type": "face", "size": [0.4, 0.4]}}],
                       "contacts": [{"between": ["floor", "box_skin"], "restitution": law, "friction": 0.5},
                                    {"between": ["lid", "ball_skin"], "restitution": law, "friction": 0.5}]},
             "simulation": {"end_time": 0.5, "integrator": {**integrator, "step": 1e-3}, "solver": {"sleep": False}}}
    result = run(model)
    for body, height in (("box", 0.1), ("ball", RADIUS + 0.2)):
        assert np.abs(result[f"{body}.position.z"] - height).max() < 1e-10
        assert np.abs(result[f"{body}.velocity.z"]).max() < 1e-10
    assert result.summary["impacts"] == 0


@pytest.mark.parametrize("integrator", STEPPING.values(), ids=STEPPING)
def test_a_ball_comes_to_rest_where_its_bounces_are_shorter_than_a_step(integrator):
    """With e = 1 below 0.02 m/s it would go on for ever; a bounce of 2 v/g is shorter than the step of 5 ms."""
    law = {"type": "power", "reference": 0.02, "reference_speed": 1.0, "exponent": -1}
    result = run(on_floor({"restitution": law}, {**integrator, "step": 5e-3}, 0.05, end_time=1.0))
    late = result.time > 0.5
    assert np.abs(result["ball.velocity.z"][late]).max() < 1e-9
    assert np.abs(np.diff(result["ball.position.z"][late])).max() < 1e-9


# ---- both ways of writing

def test_set_and_parameters():
    plain = on_floor({"restitution": 0.3}, BY_EVENTS["newton"], 0.1, -2.0, 0.2, 0.0)
    e = coefficient(POWER, 2.0)
    after = [run(plain, "--set", "/model/contacts/0/restitution=" + json.dumps(POWER)),
             run(on_floor({"restitution": POWER}, BY_EVENTS["newton"], 0.1, -2.0, 0.2, 0.0))]
    named = on_floor({"restitution": {**POWER, "reference": "=e0", "exponent": "=-p/2"}}, BY_EVENTS["newton"], 0.1,
                     -2.0, 0.2, 0.0)
    named["parameters"] = {"e0": 0.7, "p": 0.5}
    after.append(run(named))
    for result in after:
        assert result["ball.velocity.z"][-1] == pytest.approx(2 * e, rel=1e-9)
    back = run(on_floor({"restitution": POWER}, BY_EVENTS["newton"], 0.1, -2.0, 0.2, 0.0), "--set",
               "/model/contacts/0/restitution=0.3")
    assert back["ball.velocity.z"][-1] == pytest.approx(0.6, rel=1e-9)
    less = run(named, "--set", "/parameters/e0=0.35", "--set", "/model/contacts/0/restitution/reference_speed=2")
    assert less["ball.velocity.z"][-1] == pytest.approx(0.7, rel=1e-9)


def test_what_is_no_law():
    text = messages(on_floor({"restitution": {**TABLE, "speeds": [0.2, 1.0, 1.0]}}, ALPHA))
    assert "/model/contacts/0/restitution/speeds/2: speeds must increase: after 1, got 1" in text
    text = messages(on_floor({"restitution": POWER, "model": "compliant", "stiffness": 1e6, "damping": 3.0}, ALPHA))
    assert "/model/contacts/0/restitution: means nothing beside damping" in text
