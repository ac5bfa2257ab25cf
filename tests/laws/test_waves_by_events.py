# SPDX-License-Identifier: Apache-2.0
"""Bars and beams by events: waves of d'Alembert, and energies to the tolerance."""

import numpy as np
import pytest
from runs import run

E, RHO, RADIUS, SPEED, LENGTH = 2e11, 7800, 0.01, 1.0, 1.0
WAVE = np.sqrt(E / RHO)
MATERIAL = {"young_modulus": E, "poisson_ratio": 0.3, "density": RHO}


def bar_on_wall(elements, gap=1e-4, interval=1e-5):
    bar = {
        "name": "bar", "type": "bar", "start": [-LENGTH, 0, 0], "end": [0, 0, 0], "elements": elements,
        "section": {"type": "circular", "radius": RADIUS}, "material": MATERIAL,
        "velocity": {"linear": [SPEED, 0, 0]},
    }
    wall = {"type": "half_space", "normal": [-1, 0, 0]}
    colliders = [
        {"name": "tip", "frame": {"body": "bar", "node": elements}, "shape": {"type": "point"}},
        {"name": "wall", "frame": {"body": "ground", "position": [gap, 0, 0]}, "shape": wall},
    ]
    return {
        "saltus": 1,
        "model": {
            "gravity": [0, 0, 0], "bodies": [bar], "colliders": colliders,
            "contacts": [{"name": "hit", "between": ["tip", "wall"], "restitution": 0}],
        },
        "simulation": {
            "end_time": gap / SPEED + 2.6 * LENGTH / WAVE,
            "integrator": {"type": "event_driven", "step": interval},
        },
    }


def test_a_bar_presses_on_a_wall_with_rho_c_v_a_until_its_wave_is_back():
    """Between the two the force is a plateau; the node that strikes loses its kinetic energy, no other."""
    gap, interval = 1e-4, 1e-5
    result = run(bar_on_wall(20, gap, interval))
    (impact,) = [event for event in result.events if event["kind"] == "impact"]
    assert impact["time"] == pytest.approx(gap / SPEED, rel=1e-12)
    (opens,) = [event for event in result.events if event["kind"] == "opens"]
    # The last wave of the mesh is slower than the bar's: it leaves a little earlier, by part of an element.
    assert opens["time"] - impact["time"] == pytest.approx(2 * LENGTH / WAVE, abs=LENGTH / 20 / WAVE)
    since = result["time"] - impact["time"]
    plateau = (since > 0.3 * LENGTH / WAVE) & (since < 1.2 * LENGTH / WAVE)
    force = result["hit.impulse.n"][plateau] / interval
    assert force == pytest.approx(RHO * WAVE * SPEED * np.pi * RADIUS**2, rel=0.01)
    mass = RHO * np.pi * RADIUS**2 * LENGTH
    assert impact["energy_lost"] < mass * SPEED**2 / 2 / 20
    assert np.abs(result["energy.residual"]).max() < 1e-8 * mass * SPEED**2 / 2


def test_a_ball_on_a_beam_as_by_small_steps():
    """A cantilever moves down by its weight; a ball strikes its tip: the impact, and what the waves do then."""
    beam = {
        "name": "beam", "type": "beam", "start": [0, 0, 0], "end": [1, 0, 0], "elements": 3,
        "section": {"type": "rectangular", "width": 0.02, "height": 0.01}, "material": MATERIAL,
    }
    ball = {
        "name": "ball", "type": "rigid", "inertia": {"type": "solid_sphere", "mass": 0.2, "radius": 0.02},
        "pose": {"position": [1, 0, 0.021]}, "velocity": {"linear": [0, 0, -1]},
    }
    model = {
        "saltus": 1,
        "model": {
            "gravity": [0, 0, -9.81], "bodies": [beam, ball],
            "joints": [
                {"name": "clamp", "type": "fixed", "between": [{"body": "ground"}, {"body": "beam", "node": 0}]}
            ],
            "colliders": [
                {"name": "tip", "frame": {"body": "beam", "node": 3}, "shape": {"type": "point"}},
                {"name": "skin", "frame": {"body": "ball"}, "shape": {"type": "sphere", "radius": 0.02}},
            ],
            "contacts": [{"name": "hit", "between": ["tip", "skin"], "restitution": 0.5}],
        },
        "simulation": {"end_time": 4e-3, "integrator": {"type": "event_driven", "step": 1e-4}},
    }
    by_events = run(model)
    model["simulation"]["integrator"] = {"type": "nonsmooth_generalized_alpha", "step": 2e-6, "rho_inf": 1.0}
    by_steps = run(model)
    (first,), (second,) = ([e for e in r.events if e["kind"] == "impact"] for r in (by_events, by_steps))
    assert first["time"] == pytest.approx(second["time"], abs=4e-6)
    assert first["impulse_n"] == pytest.approx(second["impulse_n"], rel=1e-3)
    for column in ("ball.velocity", "energy.elastic"):
        assert by_events[column][-1] == pytest.approx(by_steps[column][-1], rel=5e-3, abs=1e-3)
    lost = by_events["energy.impact_loss"][-1]
    assert np.abs(by_events["energy.residual"]).max() < 1e-6 * lost
