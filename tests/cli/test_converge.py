# SPDX-License-Identifier: Apache-2.0
"""saltus converge: what halving the step does."""

import json

import pytest


def read(saltus, directory):
    return json.loads((saltus.directory / directory / "convergence.json").read_text())


def test_the_order_of_the_method_is_observed(saltus, top):
    """The top's motion is smooth: the scheme is of second order."""
    top["simulation"].update(end_time=0.2, integrator={"type": "generalized_alpha", "step": 2e-3})
    result = saltus("converge", saltus.write("top.json", top), "--halvings", "3", "--columns",
                    "top.position.x,top.velocity", "-o", "out")
    assert result.returncode == 0, result.stderr
    columns = read(saltus, "out")["columns"]
    assert list(columns) == ["top.position.x", "top.velocity.x", "top.velocity.y", "top.velocity.z"]
    x = columns["top.position.x"]
    assert x["steps"] == [2e-3, 1e-3, 5e-4, 2.5e-4] and len(x["values"]) == 4
    assert x["order"] == pytest.approx(2, abs=0.15)
    assert abs(x["estimate"] - x["values"][-1]) == pytest.approx(x["error"])
    assert "order" in result.stdout and "top.position.x" in result.stdout
    assert "comparable to the end" in result.stdout
    # A run with a tenth of the finest step is where the estimate says, within a part of its error.
    fine = saltus("run", "top.json", "-o", "fine", "--set", "/simulation/integrator/step=2.5e-5",
                  "--set", "/simulation/record/every=1000")
    assert fine.returncode == 0
    table = saltus.table("fine")
    exact = float(table[-1][table[0].index("top.position.x")])
    assert abs(exact - x["estimate"]) < 0.1 * x["error"]


def test_places_of_bodies_are_the_default(saltus, top):
    result = saltus("converge", saltus.write("top.json", top))
    assert result.returncode == 0, result.stderr
    assert list(read(saltus, "top-converge")["columns"]) == [f"top.position.{c}" for c in "xyz"]
    page = (saltus.directory / "top-converge" / "convergence.html").read_text()
    assert "<svg" in page and "Content-Security-Policy" in page and "<script" not in page


def test_chaotic_runs_are_comparable_for_a_while(saltus, pendulum):
    """A double pendulum thrown upside down."""
    pendulum["model"]["bodies"] = [
        {"name": name, "type": "rigid", "inertia": {"type": "solid_sphere", "mass": 1, "radius": 0.1},
         "pose": {"position": [x, 0, 0.01]}} for name, x in (("upper", 1), ("lower", 2))]
    pendulum["model"]["joints"] = [
        {"name": "a", "type": "revolute", "bodies": ["ground", "upper"], "at": [0, 0, 0],
         "axis": [0, 1, 0]},
        {"name": "b", "type": "revolute", "bodies": ["upper", "lower"], "at": [1, 0, 0],
         "axis": [0, 1, 0]}]
    pendulum["simulation"].update(end_time=30, integrator={"type": "generalized_alpha", "step": 1e-2})
    result = saltus("converge", saltus.write("double.json", pendulum), "--halvings", "2")
    assert result.returncode == 0, result.stderr
    until = read(saltus, "double-converge")["comparable_until"]
    assert 0.5 < until < 30
    assert f"comparable until t = {until:.6g} s" in result.stdout


def test_what_has_no_step_is_refused(saltus, ball):
    name = saltus.write("ball.json", ball)
    result = saltus("converge", name, "--set", '/simulation/integrator={"type":"event_driven"}')
    assert result.returncode == 2
    assert "ball.json: /simulation: cannot be run with half the step" in result.stderr
    result = saltus("converge", name, "--columns", "bal.position.z")
    assert result.returncode == 2
    assert 'did you mean "ball.position.z"?' in result.stderr
    assert not (saltus.directory / "ball-converge").exists()


def test_a_model_without_an_integrator_has_the_default_one(saltus, ball):
    del ball["simulation"]["integrator"]
    ball["simulation"]["end_time"] = 0.1
    name = saltus.write("ball.json", ball)
    result = saltus("converge", name, "--halvings", "2")
    assert result.returncode == 0, result.stderr
    given = saltus("run", name, "-o", "out", "--quiet", "--set", "/simulation/integrator/step=1e-2")
    assert given.returncode == 0, given.stderr
    assert saltus.summary("out")["steps"] == 10
    assert saltus("run", name, "-o", "plain", "--quiet").returncode == 0
    given = saltus("run", name, "-o", "named", "--quiet", "--set",
                   '/simulation/integrator={"type":"nonsmooth_generalized_alpha"}')
    assert saltus.table("plain") == saltus.table("named")
