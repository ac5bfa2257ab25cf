# SPDX-License-Identifier: Apache-2.0
"""saltus compare: two results of one model."""

BY_EVENTS = '/simulation/integrator={"type":"event_driven","step":1e-3}'


def run_both(saltus, ball):
    saltus.write("ball.json", ball)
    assert saltus("run", "ball.json", "-o", "steps").returncode == 0
    assert saltus("run", "ball.json", "-o", "events", "--set", BY_EVENTS).returncode == 0


def test_two_integrators_are_laid_over_each_other(saltus, ball):
    run_both(saltus, ball)
    result = saltus("compare", "steps", "events")
    assert result.returncode == 0, result.stderr
    assert "agree to 0.001 of the ranges before 0.14" in result.stdout
    assert "first difference" in result.stdout
    assert "ball.position.z" in result.stdout
    page = (saltus.directory / "compare.html").read_text()
    assert "<svg" in page and "http" not in page.replace("http://www.w3.org", "")


def test_a_result_agrees_with_itself(saltus, ball):
    run_both(saltus, ball)
    result = saltus("compare", "events", "events", "-o", "same.html", "--tolerance", "1e-12")
    assert result.returncode == 0
    assert "at all times" in result.stdout
    assert "first difference" not in result.stdout
    assert (saltus.directory / "same.html").exists()


def test_what_is_no_result_is_refused(saltus, ball):
    saltus.write("ball.json", ball)
    assert saltus("run", "ball.json", "-o", "steps").returncode == 0
    result = saltus("compare", "steps", "nowhere")
    assert result.returncode == 4
    assert "nowhere" in result.stderr
    assert not (saltus.directory / "compare.html").exists()
    assert saltus("compare", "steps").returncode == 2
