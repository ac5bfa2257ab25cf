# SPDX-License-Identifier: Apache-2.0
"""Functions of time by formulas: what they give does not depend on how long a run may go on."""

import numpy as np
import pytest
from models import joint, rigid, scene, solid_box
from runs import run

MASS, AMPLITUDE, RATE = 3.0, 0.01, 300.0


def driven(value, kind="position", end=0.2, **options):
    """A box on a driven guide, without gravity; it stops at 0.2 s."""
    model = scene([rigid("c", solid_box(MASS, 0.1, 0.1, 0.1), [0, 0, 0])], end, 1e-4, gravity=[0, 0, 0],
                  joints=[joint("p", "prismatic", "ground", "c", [0, 0, 0], axis=[1, 0, 0],
                                drive={"type": kind, "value": {"type": "expression", "text": value}})])
    model["simulation"]["stop_when"] = "t > 0.19995"
    model["simulation"].update(options)
    return model


@pytest.mark.parametrize("kind, text", [("position", f"{AMPLITUDE}*sin({RATE}*t)"),
                                        ("speed", f"{AMPLITUDE * RATE}*cos({RATE}*t)")])
def test_a_generous_end_changes_no_bit(kind, text):
    short, long, longest = (run(driven(text, kind, end)) for end in (1.0, 1e4, 1e7))
    for name in ("c.position", "c.velocity", "p.force"):
        assert np.array_equal(short[name], long[name]) and np.array_equal(short[name], longest[name]), name
    t = short.time
    exact = -MASS * AMPLITUDE * RATE**2 * np.sin(RATE * t)
    assert np.abs(short["p.force"][:, 0] - exact).max() < 3e-4 * np.abs(exact).max()  # (300 h)²/3
    assert np.abs(short["c.position"][:, 0] - AMPLITUDE * np.sin(RATE * t)).max() < 1e-14
    assert not longest.summary["warnings"]


@pytest.mark.parametrize("text", ["0.1*(1-exp(-t^2/0.01))", "0.1*tanh(t/0.002)",
                                  "0.1*sinh(t/0.004)/cosh(t/0.004)"])
def test_what_saturates_smoothly_does_not_jump(text):
    model = driven(text, end=0.5)
    model["simulation"].pop("stop_when")
    assert not [w for w in run(model).summary["warnings"] if "jumps" in w and "t = 0 s" not in w]


def test_the_end_of_a_run_is_told_however_many_warnings_there_were():
    """A drive with 80 jumps of its speed, and a beam's worth of energy that the scheme loses."""
    text = "+".join(f"0.01*abs(t-{0.002 * k:.3f})" for k in range(1, 81))
    warnings = run(driven(text)).summary["warnings"]
    jumps = [w for w in warnings if "jumps" in w]
    assert len(jumps) == 11 and sum("more of the kind" in w for w in jumps) == 1


@pytest.mark.parametrize("ratio", [3.0, -3.0, 1.0, 0.3])
@pytest.mark.parametrize("load", [1e-3, 0.6, 3.0])
def test_statics_of_gears(ratio, load):
    """Two wheels on their hinges, a spring on one and a moment on the other: angle_a = −T/(i k)."""
    def wheel(name, x, moment):
        return rigid(name, {"type": "explicit", "mass": 1, "moments": [moment] * 3}, [x, 0, 0])
    model = scene([wheel("a", 0, 0.02), wheel("b", 1, 0.05)], 1, 1e-3, gravity=[0, 0, 0],
                  joints=[joint("ja", "revolute", "ground", "a", [0, 0, 0], axis=[0, 0, 1]),
                          joint("jb", "revolute", "ground", "b", [1, 0, 0], axis=[0, 0, 1]),
                          {"name": "g", "type": "gear", "joints": ["ja", "jb"], "ratio": ratio}],
                  forces=[{"type": "torsional_spring_damper", "joint": "ja", "stiffness": 4.0},
                          {"type": "actuator", "joint": "jb", "value": load}])
    model["simulation"] = {"type": "statics"}
    result = run(model)
    assert result["ja.angle"][-1] == pytest.approx(-load / (ratio * 4.0), rel=1e-9)
