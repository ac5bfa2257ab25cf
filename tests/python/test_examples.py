# SPDX-License-Identifier: Apache-2.0
"""The same models in JSON, Python and C++ give the same numbers."""

import os
import re
import runpy
import subprocess

import numpy as np
import pytest
import saltus as st

BINARIES = os.environ["EXAMPLES"]


def by_program(program, model, directory):
    subprocess.run([program, "run", str(model), "-o", str(directory), "--quiet"], check=True)
    return st.read(directory)


def test_thrown_ball_in_three_languages(root, program, tmp_path):
    reference = by_program(program, root / "examples" / "thrown_ball.json", tmp_path / "json")
    names = runpy.run_path(str(root / "examples" / "thrown_ball.py"))
    assert np.array_equal(names["height"], reference["ball.position.z"])
    assert np.array_equal(names["impulse"], reference["contact0.impulse"])
    shown = subprocess.run([os.path.join(BINARIES, "thrown_ball")], capture_output=True, text=True,
                           check=True).stdout
    impacts = re.findall(r"^([\d.]+) s  ([\d.e+-]+) N s$", shown, re.M)
    rows = reference.events[reference.events["kind"] == b"impact"]
    assert [float(time) for time, _ in impacts] == pytest.approx(list(rows["time"]), abs=1e-4)
    size = np.sqrt(rows["impulse_n"]**2 + rows["impulse_t1"]**2 + rows["impulse_t2"]**2)
    assert [float(impulse) for _, impulse in impacts] == pytest.approx(list(size), rel=1e-3)
    assert "completed: 2000 steps" in shown


def test_slider_crank_in_three_languages(root, program, tmp_path, monkeypatch):
    """Shortened: the first hundredth of a second in each."""
    monkeypatch.chdir(tmp_path)
    reference = st.Simulation.from_file(root / "examples" / "flexible_rod_clearance.json")
    reference.run_until(0.01)
    text = (root / "examples" / "flexible_rod_clearance.py").read_text()
    assert text.count("run_until(0.24)") == 1
    names = {}
    exec(text.replace("run_until(0.24)", "run_until(0.01)"), names)
    assert np.array_equal(names["simulation"].result.values, reference.result.values)
    assert np.array_equal(names["tip"], reference.result["rod.node8.position"])
    subprocess.run([os.path.join(BINARIES, "flexible_rod_clearance_short")], check=True)
    assert np.array_equal(st.read("slider_crank-out").values, reference.result.values)


def test_user_forces_in_two_languages(root, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = runpy.run_path(str(root / "examples" / "ball_in_the_wind.py"))
    subprocess.run([os.path.join(BINARIES, "ball_in_the_wind")], check=True)
    by_cpp = st.read("ball_in_the_wind-out")
    assert np.allclose(by_cpp.position("ball"), names["path"], atol=1e-10)
    # A long fall ends at the speed at which drag carries the weight, seen from the wind.
    speed = by_cpp.velocity("ball")[-1] - [5, 0, 0]
    assert np.linalg.norm(speed) == pytest.approx(np.sqrt(0.1 * 9.81 / 0.004), rel=1e-6)
