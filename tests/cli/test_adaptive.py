# SPDX-License-Identifier: Apache-2.0
"""Steps chosen by their error, as users of the program see them."""

import pytest

STEP = {"max": 2e-2, "tolerance": 1e-4}


@pytest.fixture
def model(ball):
    ball["simulation"]["integrator"]["step"] = dict(STEP)
    return ball


def test_the_summary_and_the_last_lines_tell_of_the_steps(saltus, model):
    result = saltus("run", saltus.write("ball.json", model), "-o", "out")
    assert result.returncode == 0, result.stderr
    summary = saltus.summary("out")
    told = summary["adaptive_step"]
    assert told["accepted"] == summary["steps"] > 50
    assert told["rejected"] > 0 and told["beyond_tolerance"] == 0
    assert 0 < told["shortest"] < 1e-3 and told["longest"] == pytest.approx(2e-2)
    line = next(l for l in result.stdout.splitlines() if "steps chosen by their error" in l)
    assert f"{told['accepted']} accepted, {told['rejected']} rejected" in line


def test_rows_are_at_the_interval(saltus, model):
    model["simulation"]["record"] = {"interval": 0.03}
    saltus("run", saltus.write("ball.json", model), "-o", "out")
    times = [float(row[0]) for row in saltus.table("out")[1:]]
    assert times == [i * 0.03 for i in range(34)] + [1.0]


def test_one_number_of_the_step_can_be_set(saltus, model):
    name = saltus.write("ball.json", model)
    accepted = {}
    for tolerance in ("1e-3", "1e-5"):
        result = saltus("run", name, "-o", tolerance, "--set",
                        "/simulation/integrator/step/tolerance=" + tolerance)
        assert result.returncode == 0, result.stderr
        accepted[tolerance] = saltus.summary(tolerance)["adaptive_step"]["accepted"]
    assert accepted["1e-5"] > accepted["1e-3"]
    fixed = saltus("run", name, "-o", "fixed", "--set", "/simulation/integrator/step=1e-3")
    assert fixed.returncode == 0
    assert "adaptive_step" not in saltus.summary("fixed")
    assert saltus.summary("fixed")["steps"] == 1000


def test_threads_change_no_byte(saltus, model):
    name = saltus.write("ball.json", model)
    for threads in ("1", "2"):
        assert saltus("run", name, "-o", threads, "--threads", threads).returncode == 0
    first, second = (saltus.directory / threads / "timeseries.csv" for threads in ("1", "2"))
    assert first.read_bytes() == second.read_bytes()


def test_info_says_how_steps_are_chosen(saltus, model):
    text = saltus("info", saltus.write("ball.json", model)).stdout
    assert "steps of at most 0.02 s chosen by their error, tolerance 0.0001, rows every 0.02 s" in text


def test_converge_refuses_them_by_name(saltus, model):
    name = saltus.write("ball.json", model)
    result = saltus("converge", name)
    assert result.returncode == 2
    assert "/simulation/integrator/step: cannot be halved" in result.stderr
    assert "--set /simulation/integrator/step=0.02" in result.stderr
    result = saltus("converge", name, "--set", "/simulation/integrator/step=1e-2", "--halvings", "1")
    assert result.returncode == 0, result.stderr


def test_converge_keeps_rows_at_an_interval(saltus, ball):
    ball["simulation"]["record"] = {"interval": 2e-3}
    result = saltus("converge", saltus.write("ball.json", ball), "--halvings", "1")
    assert result.returncode == 0, result.stderr
