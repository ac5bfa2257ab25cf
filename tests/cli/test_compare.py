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
    assert "<svg" in page and "http:" not in page.replace("http://www.w3.org", "") and "https:" not in page


def test_a_result_agrees_with_itself(saltus, ball):
    run_both(saltus, ball)
    result = saltus("compare", "events", "events", "-o", "same.html", "--tolerance", "1e-12")
    assert result.returncode == 0
    assert "at all times" in result.stdout
    assert "first difference" not in result.stdout
    assert (saltus.directory / "same.html").exists()


def test_a_renamed_body_is_not_the_same_result(saltus, ball):
    run_both(saltus, ball)
    text = (saltus.directory / "ball.json").read_text().replace('"ball"', '"globe"')
    (saltus.directory / "globe.json").write_text(text)
    assert saltus("run", "globe.json", "-o", "globe").returncode == 0
    result = saltus("compare", "steps", "globe")
    assert "at all times" not in result.stdout
    assert "only in steps: ball.position.x" in result.stdout
    assert "only in globe: globe.position.x" in result.stdout


def test_a_run_without_events_has_no_first_difference(saltus, ball):
    run_both(saltus, ball)
    assert saltus("run", "ball.json", "-o", "none", "--set",
                  "/simulation/record/events=none").returncode == 0
    result = saltus("compare", "steps", "none")
    assert "first difference" not in result.stdout
    assert "none recorded no events: they are not compared" in result.stdout
    assert "at all times" in result.stdout


def test_a_longer_run_is_not_the_same_result(saltus, ball):
    run_both(saltus, ball)
    assert saltus("run", "ball.json", "-o", "short", "--set",
                  "/simulation/end_time=0.1").returncode == 0
    shown = saltus("compare", "steps", "short").stdout
    assert "at all times" not in shown and "as long as there are both" in shown
    assert "steps goes on to" in shown and "first difference" not in shown


def test_it_says_what_is_not_compared(saltus, ball):
    run_both(saltus, ball)
    shown = saltus("compare", "steps", "events").stdout
    assert "not compared: iterations.smooth" in shown
    assert "not compared: status (no number" in shown
    assert "impulse.n, sum" in shown


def test_natural_modes_are_compared(saltus, pendulum):
    pendulum["model"]["bodies"][0]["pose"]["position"] = [0, 0, -1]
    saltus.write("a.json", pendulum)
    for name, radius in (("a", 0.1), ("b", 0.3)):  # the same equilibrium
        assert saltus("run", "a.json", "-o", name,
                      "--set", '/simulation={"type":"modes","count":1}',
                      "--set", f"/model/bodies/0/inertia/radius={radius}").returncode == 0
    same = saltus("compare", "a", "a").stdout
    assert "at all times" in same and "natural modes: 1 and 1; the frequencies" in same
    other = saltus("compare", "a", "b").stdout
    assert "at all times" not in other and "natural modes do not" in other
    assert "mode 1:" in other


def test_the_page_that_cannot_be_written_is_named(saltus, ball):
    run_both(saltus, ball)
    result = saltus("compare", "steps", "events", "-o", "nowhere/x.html")
    assert result.returncode == 4
    assert "nowhere/x.html:" in result.stderr and ".tmp" not in result.stderr


def test_what_is_no_result_is_refused(saltus, ball):
    saltus.write("ball.json", ball)
    assert saltus("run", "ball.json", "-o", "steps").returncode == 0
    result = saltus("compare", "steps", "nowhere")
    assert result.returncode == 4
    assert "nowhere" in result.stderr
    assert not (saltus.directory / "compare.html").exists()
    assert saltus("compare", "steps").returncode == 2


def test_the_first_step_that_differs_is_named(saltus, ball):
    """However little: of runs that should be the same bytes."""
    saltus.write("ball.json", ball)
    for name, height in (("a", "0.1"), ("b", "0.1"), ("c", "0.10000000000000002")):
        saltus("run", "ball.json", "-o", name, "--set", f"/model/bodies/0/pose/position/2={height}")
    assert "all common rows are the same bytes" in saltus("compare", "a", "b").stdout
    shown = saltus("compare", "a", "c").stdout
    assert "the same bytes before row 1 at 0 s: first " in shown
    assert "0.10000000000000001 | 0.10000000000000002" in shown
