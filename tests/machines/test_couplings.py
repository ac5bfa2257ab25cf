# SPDX-License-Identifier: Apache-2.0
"""Gears, racks, planetary sets and screws against closed forms."""

import json
import pathlib

import numpy as np
import pytest
from machine import ALPHA, EVENTS, MOREAU, disc, messages, model, pin, run, slide

INTEGRATORS = pytest.mark.parametrize("integrator", (ALPHA, MOREAU, EVENTS), ids=lambda i: i["type"])
TORQUE, J_A, J_B = 0.3, 0.02, 0.05


def gear_pair(ratio, integrator=ALPHA, **more):
    """A torque on wheel a, which drives wheel b."""
    return model([disc("a", [0, 0, 0], J_A), disc("b", [0.3, 0, 0], J_B)],
                 [pin("left", ["ground", "a"], [0, 0, 0]),
                  {"name": "g", "type": "gear", "joints": ["left", "right"], "ratio": ratio},
                  pin("right", ["ground", "b"], [0.3, 0, 0])],
                 [{"name": "motor", "type": "actuator", "joint": "left", "value": TORQUE}],
                 end_time=2.0, integrator=integrator, **more)


@INTEGRATORS
@pytest.mark.parametrize("ratio", (2.5, -0.5))
def test_a_gear_pair_has_the_inertia_of_both(integrator, ratio):
    result = run(gear_pair(ratio, integrator))
    # rate_a = −i rate_b: J_a α + J_b α / i² = τ
    alpha = TORQUE / (J_A + J_B / ratio**2)
    t = result.time
    # constant acceleration: exact but for round-off and the scheme's first step
    assert result["left.angle"] == pytest.approx(alpha * t**2 / 2, abs=2e-3 * alpha * integrator["step"] + 1e-9
                                                 if integrator is not MOREAU else alpha * 2e-3)
    assert np.abs(result["left.angle"] + ratio * result["right.angle"]).max() < 1e-9
    # What the gear does on a: J_a α − τ; its powers cancel.
    assert result["g.left.torque"][-1] == pytest.approx(J_A * alpha - TORQUE, rel=1e-7)
    assert result["g.right.torque"][-1] == pytest.approx(-J_B * alpha / ratio, rel=1e-7)
    assert np.abs(result["g.left.power"] + result["g.right.power"]).max() < 1e-9
    assert result["motor.torque"] == pytest.approx(TORQUE)
    assert result["motor.power"][-1] == pytest.approx(TORQUE * alpha * t[-1], rel=1e-3)
    assert result.summary["energy"]["residual"] == pytest.approx(0, abs=1e-9)


def test_a_gear_turns_many_times():
    result = run({**gear_pair(2.0), "simulation": {"end_time": 6.0, "integrator": {**ALPHA, "step": 0.01}}})
    assert result["left.angle"][-1] > 20 * np.pi
    assert np.abs(result["left.angle"] + 2.0 * result["right.angle"]).max() < 1e-8


@INTEGRATORS
def test_a_rack_moves_with_its_pinion(integrator):
    radius, mass = 0.05, 2.0
    result = run(model([disc("pinion", [0, 0, 0], J_A), disc("bar", [0, -radius, 0], mass=mass)],
                       [pin("axle", ["ground", "pinion"], [0, 0, 0]), slide("guide", ["ground", "bar"], [0, -radius, 0]),
                        {"name": "teeth", "type": "gear", "joints": ["axle", "guide"], "ratio": -1 / radius}],
                       [{"type": "actuator", "joint": "axle", "value": TORQUE}], integrator=integrator))
    alpha = TORQUE / (J_A + mass * radius**2)
    # x = r φ; the teeth push the rack with m r α
    assert result["guide.displacement"] == pytest.approx(radius * result["axle.angle"], abs=1e-10)
    assert result["guide.displacement"][-1] == pytest.approx(radius * alpha / 2, rel=3e-3 if integrator is MOREAU else 1e-6)
    assert result["teeth.guide.force"][-1] == pytest.approx(mass * radius * alpha, rel=1e-6)


@INTEGRATORS
def test_a_planetary_set_keeps_the_equation_of_willis(integrator):
    """Sun and carrier turn, the ring is held: ω_sun = (1 + z_ring/z_sun) ω_carrier."""
    ring, sun = 60, 20
    planets = [disc("sun", [0, 0, 0], J_A), disc("carrier", [0, 0, 0.1], J_B), disc("ring", [0, 0, 0.2], 0.1)]
    joints = [pin("s", ["ground", "sun"], [0, 0, 0]), pin("c", ["ground", "carrier"], [0, 0, 0.1]),
              pin("r", ["ground", "ring"], [0, 0, 0.2]),
              {"name": "willis", "type": "relation", "joints": ["s", "r", "c"], "coefficients": [sun, ring, -sun - ring]}]
    held = [{"type": "torsional_spring_damper", "joint": "r", "stiffness": 1e4, "damping": 10}]
    result = run(model(planets, joints, [{"type": "actuator", "joint": "s", "value": TORQUE}, *held],
                       integrator=integrator))
    s, r, c = (result[f"{name}.angle"] for name in "src")
    assert np.abs(sun * s + ring * r - (sun + ring) * c).max() < 1e-8
    # Forces of the relation are as its coefficients: what holds the ring is z_ring / z_sun of what drives the sun.
    assert result["willis.r.torque"] == pytest.approx(ring / sun * result["willis.s.torque"], abs=1e-9)
    assert result["willis.c.torque"] == pytest.approx(-(1 + ring / sun) * result["willis.s.torque"], abs=1e-9)


@INTEGRATORS
def test_a_screw_falls_by_its_weight(integrator):
    """A nut that turns down its thread: (m + J (2π/p)²) z̈ = −m g."""
    mass, inertia, pitch = 2.0, 1e-3, 0.1
    nut = {"name": "nut", "type": "rigid", "inertia": {"type": "explicit", "mass": mass, "moments": [inertia] * 3}}
    thread = {"name": "thread", "type": "screw", "bodies": ["ground", "nut"], "at": [0, 0, 0], "axis": "z", "pitch": pitch}
    result = run(model([nut], [thread], gravity=(0, 0, -9.81), end_time=0.5, integrator=integrator))
    turns = 2 * np.pi / pitch
    acceleration = -mass * 9.81 / (mass + inertia * turns**2)
    rel = 5e-3 if integrator is MOREAU else 1e-6
    assert result["nut.position.z"][-1] == pytest.approx(acceleration * 0.125, rel=rel)
    assert result["thread.angle"][-1] == pytest.approx(result["nut.position.z"][-1] * turns, rel=1e-9)
    assert result["thread.displacement"] == pytest.approx(result["nut.position.z"], abs=1e-10)
    # The thread carries what of the weight does not accelerate, and turns the nut with J φ̈.
    assert result["thread.force.z"][-1] == pytest.approx(mass * (9.81 + acceleration), rel=1e-6)
    assert result["thread.torque.z"][-1] == pytest.approx(inertia * turns * acceleration, rel=1e-6)


def test_a_driven_screw_lifts():
    drive = {"type": "speed", "value": {"type": "expression", "text": "10*t"}}
    nut = {"name": "nut", "type": "rigid", "inertia": {"type": "solid_cylinder", "mass": 1, "radius": 0.1, "length": 0.1}}
    result = run(model([nut], [{"name": "s", "type": "screw", "bodies": ["ground", "nut"], "at": [0, 0, 0], "axis": "z",
                                "pitch": 0.02, "drive": drive}], gravity=(0, 0, -9.81)))
    assert result["nut.position.z"][-1] == pytest.approx(0.02 * 5 / (2 * np.pi), rel=1e-9)


def test_wrong_couplings_are_refused():
    wrong = gear_pair(0)
    wrong["model"]["joints"].append({"type": "relation", "joints": ["left", "left"], "coefficients": [1, 0, 2]})
    wrong["model"]["joints"].append({"type": "gear", "joints": ["g"], "ratio": 1})
    wrong["model"]["joints"].append({"type": "screw", "bodies": ["a", "b"], "at": [0, 0, 0], "axis": "z", "pitch": 0})
    text = messages(wrong)
    for line in ('/model/joints/1/ratio: must not be 0', '/model/joints/3/coefficients: must be one for each joint, got 3 for 2',
                 '/model/joints/3/coefficients/1: must not be 0', '/model/joints/3/joints/1: a joint stands here twice',
                 '/model/joints/4/joints: a gear couples two joints, got 1',
                 '/model/joints/4/joints/0: must be a revolute, prismatic or screw joint', '/model/joints/5/pitch: must not be 0'):
        assert line in text


def example(name):
    path = pathlib.Path(__file__).resolve().parents[2] / "examples" / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8"))


def test_the_screw_jack_reaches_its_stop_when_it_must():
    result = run(example("screw_jack"))
    mass, inertia, turns = 2, 2 * 0.04**2 / 2, 2 * np.pi / 0.1
    acceleration = mass * 9.81 / (mass + inertia * turns**2)
    assert result.summary["end_time"] == pytest.approx(np.sqrt(2 * 0.2 / acceleration), rel=1e-9)


def test_the_geared_crank_stops_after_two_turns():
    result = run(example("geared_crank"))
    assert result.summary["stopped_by"] == "main.angle < -4*pi"
    assert result["main.angle"][-1] < -4 * np.pi <= result["main.angle"][-2]
    assert np.abs(result["shaft.angle"] + 4 * result["main.angle"]).max() < 1e-10
    assert result["motor.torque"] == pytest.approx(0.8 * (1 - result["rotor.angular_velocity.z"] / 120))
