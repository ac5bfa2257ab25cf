# SPDX-License-Identifier: Apache-2.0
"""Runs from Python."""

import gc
import os
import signal
import threading
import time
import weakref

import numpy as np
import pytest
import saltus as st


def falling_ball(height=1.0, restitution=0.8):
    model = st.Model(gravity=(0, 0, -10))
    ball = model.add(st.PointMass(name="ball", mass=2, pose=st.Pose(position=(0, 0, height))))
    model.add(st.Collider("skin", st.at(ball), st.PointShape()))
    model.add(st.Collider("floor", st.at(model.ground), st.HalfSpace()))
    model.add(st.Contact(name="hit", between=("skin", "floor"), restitution=restitution))
    return model


def simulation(model, **options):
    return st.Simulation(model, integrator=st.NonsmoothGeneralizedAlpha(step=1e-3), **options)


def test_free_fall_is_that_of_galilei():
    run = simulation(falling_ball(height=5))
    report = run.run_until(0.5)
    assert report.converged and report.steps == 500
    z = run.result.position("ball")[:, 2]
    t = run.result.time
    assert np.allclose(z, 5 - 5 * t**2, atol=1e-12)


def test_impacts_are_heard_and_listed():
    run = simulation(falling_ball())
    heard = []
    run.on_impact(lambda impact: heard.append((impact.time, impact.contact, impact.impulse[0])))
    run.run_until(1.0)
    events = run.result.events
    impacts = events[events["kind"] == b"impact"]
    assert len(heard) == len(impacts) == run.report.impacts >= 1
    assert heard[0][1] == "hit"
    # Fall from 1 m: v = √20 m/s, impulse m (1 + e) v.
    assert heard[0][2] == pytest.approx(2 * 1.8 * np.sqrt(20), rel=5e-3)
    assert impacts["impulse_n"][0] == heard[0][2]


def test_pieces_make_the_same_motion_as_one_run():
    whole, pieces = simulation(falling_ball()), simulation(falling_ball())
    whole.run_until(1.5)
    for t in (0.3, 0.7, 1.5):
        pieces.run_until(t)
    assert pieces.time == 1.5
    assert np.allclose(whole.result.values[:, 1:7], pieces.result.values[:, 1:7], atol=1e-12)
    assert pieces.report.steps == whole.report.steps == 1500


def test_results_are_views_that_outlive_the_simulation():
    run = simulation(falling_ball())
    run.run_until(0.05)
    early = run.result
    column = early["ball.position.z"]
    assert column.base is not None and np.shares_memory(column, early.values)
    assert np.shares_memory(run.result.values, early.values)  # nothing was copied
    assert not column.flags.writeable
    kept = column.copy()
    run.run_until(1.0)  # the table grows and moves; what was handed out stays
    assert len(run.result) == 1001 and len(early) == 51
    del run, early
    gc.collect()
    assert np.array_equal(column, kept)


def test_a_step_listener_stops_the_run_and_it_goes_on():
    run = simulation(falling_ball())
    run.on_step(lambda t, fraction, steps: steps < 10)
    assert run.run_until(1.0).status == "interrupted"
    assert run.time == pytest.approx(0.01)
    run.on_step(None)
    assert run.run_until(0.1).converged
    assert run.time == 0.1


def test_exceptions_of_listeners_come_through():
    run = simulation(falling_ball())

    def hear(impact):
        raise RuntimeError("enough")

    run.on_impact(hear)
    with pytest.raises(RuntimeError, match="enough"):
        run.run_until(1.0)
    assert len(run.result) > 400


def test_progress_is_told_and_ends_at_one():
    told = []
    simulation(falling_ball()).run_until(0.5, progress=lambda *news: told.append(news))
    assert told[-1] == (0.5, 1.0, 500)


def test_interrupt_of_the_keyboard_stops_a_long_run():
    run = simulation(falling_ball())
    clock = time.pthread_getcpuclockid(threading.get_ident())  # counts what this thread computes
    start = time.clock_gettime(clock)

    def interrupt():
        while time.clock_gettime(clock) < start + 0.3:
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in the background
    try:
        thread.start()
        with pytest.raises(KeyboardInterrupt):
            run.run_until(1e4)
    finally:
        signal.signal(signal.SIGINT, handler)
    assert time.clock_gettime(clock) - start < 10
    thread.join()
    assert 0 < run.time < 1e4 and len(run.result) > 1


def test_warnings_become_python_warnings():
    model = falling_ball()
    model.contacts[0].friction = 0.3
    model.contacts[0].static_friction = 0.4
    with pytest.warns(UserWarning, match="static_friction"):
        simulation(model)
    lines = []
    simulation(model, log=lambda level, text: lines.append((level, text)))
    assert lines[0][0] == "warning"


def test_statics_and_modes():
    model = st.Model()
    mass = model.add(st.PointMass(name="mass", mass=2))
    model.add(st.SpringDamper(between=(st.at("ground", (0, 0, 1)), st.at(mass)), stiffness=500))
    model.add(st.Lock(body=mass, translation=("x", "y")))
    statics = st.Simulation(model, st.Statics())
    assert statics.run().converged
    assert statics.result.position(mass)[-1, 2] == pytest.approx(-2 * 9.81 / 500, rel=1e-9)
    modes = st.Simulation(model, st.Modes(count=1))
    modes.run()
    assert modes.result.modes["frequency"][0] == pytest.approx(np.sqrt(250) / (2 * np.pi), rel=1e-9)
    with pytest.raises(st.InputError, match="run\\(\\) does statics"):
        modes.run_until(1.0)


def test_failed_runs_say_so_and_keep_what_they_had():
    model = falling_ball()
    model.add(st.UserForce(name="trap", between=(st.at("ground"), st.at("ball")),
                           law=lambda t, a, b: (0, 0, 1e300 if t > 0.1 else 0)))
    run = simulation(model)
    report = run.run_until(0.5)
    assert report.status == "failed" and report.message
    assert 90 <= len(run.result) <= 110


def test_threads_may_run_beside_each_other():
    runs = [simulation(falling_ball(height=1 + i)) for i in range(4)]
    threads = [threading.Thread(target=run.run_until, args=(1.0,)) for run in runs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    alone = simulation(falling_ball(height=3))
    alone.run_until(1.0)
    assert np.array_equal(alone.result.values, runs[2].result.values)


def test_report_opens_in_the_browser(tmp_path, monkeypatch):
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    model = st.Model()
    model.add(st.PointMass(name="a", mass=1))
    run = st.Simulation(model)
    run.run_until(0.01)
    page = run.write_report(tmp_path / "out", show=True)
    assert opened == ["file://" + page]


def test_a_simulation_runs_once_at_a_time():
    run = simulation(falling_ball())
    errors = []

    def again(*_):
        with pytest.raises(st.InputError, match="running already"):
            run.run_until(5)
        errors.append(1)
        return False

    run.on_step(again)
    run.run_until(1.0)
    assert errors == [1] and len(run.result) == 2
    run.on_step(None)
    long = simulation(falling_ball())
    started, tried = threading.Event(), threading.Event()

    def hold(*_):
        started.set()
        tried.wait()

    long.on_step(hold)
    thread = threading.Thread(target=long.run_until, args=(1,))
    thread.start()
    started.wait()
    try:
        with pytest.raises(st.InputError, match="running already"):
            long.run_until(2)
    finally:
        tried.set()
        thread.join()


def test_an_error_of_a_listener_loses_nothing():
    run = simulation(falling_ball())

    def hear(impact):
        run.on_impact(None)
        raise RuntimeError("enough")

    run.on_impact(hear)
    with pytest.raises(RuntimeError, match="enough"):
        run.run_until(1.0)
    assert run.report.status == "interrupted"
    run.run_until(1.0)
    whole = simulation(falling_ball())
    whole.run_until(1.0)
    assert np.allclose(run.result.values, whole.result.values, atol=1e-9)
    assert len(run.result.events) == len(whole.result.events)


def test_listeners_that_know_their_simulation_do_not_keep_it():
    alive = []
    for _ in range(3):
        run = simulation(falling_ball())
        run.on_step(lambda *_, run=run: run.time < 9)
        run.run_until(0.01)
        alive.append(weakref.ref(run))
        del run
    gc.collect()
    assert [ref() for ref in alive] == [None, None, None]


@pytest.mark.parametrize("answer", [None, "", [], 0, "text", np.array([1, 2])])
def test_only_false_stops_a_run(answer):
    run = simulation(falling_ball())
    run.on_step(lambda *_: answer)
    assert run.run_until(0.01).converged
    run.on_step(lambda *_: np.bool_(False))
    assert run.run_until(0.02).status == "interrupted"


def test_run_without_an_end_is_refused():
    with pytest.raises(st.InputError, match="end_time"):
        simulation(falling_ball()).run()
    assert simulation(falling_ball(), end_time=0.1).run().converged


def test_wrong_arguments_are_named():
    run = simulation(falling_ball())
    with pytest.raises(TypeError, match="on_step takes a function"):
        run.on_step(3)
    with pytest.raises(TypeError, match="time in seconds"):
        run.run_until("1")
    with pytest.raises(TypeError, match="from_file"):
        st.Simulation("box.json")
    with pytest.raises(st.InputError, match="whole number"):
        st.set_threads(0)


def test_warnings_point_at_the_line_of_the_user():
    model = falling_ball()
    model.add(st.PointMass(name="sunk", mass=1, pose=st.Pose(position=(0, 0, -0.1))))
    model.add(st.Collider("stone", st.at("sunk"), st.PointShape()))
    model.add(st.Contact(between=("stone", "floor")))
    with pytest.warns(UserWarning) as caught:
        simulation(model).run_until(0.01)
    assert {warning.filename for warning in caught} == {__file__}


def test_a_time_that_has_passed_is_refused():
    run = simulation(falling_ball())
    run.run_until(0.1)
    with pytest.raises(st.InputError, match="at t = 0.1 s already"):
        run.run_until(0.05)


def test_parameters_actuators_and_stops_in_python():
    model = st.Model(gravity=(0, 0, 0), parameters={"torque": 0.3, "inertia": "=torque/15"})
    arm = model.add(st.RigidBody(name="arm", inertia=st.ExplicitInertia(mass=1, moments=["=inertia"] * 3)))
    pin = model.add(st.Revolute(name="pin", bodies=(model.ground, arm), at=(0, 0, 0), axis="z"))
    model.add(st.Actuator(name="motor", joint=pin, value=st.Expression("torque - 0*pin.rate")))
    run = st.Simulation(model, integrator=st.EventDriven(step=0.01), stop_when="pin.angle > 30*torque", end_time=5)
    report = run.run()
    # 15 rad/s² over 9 rad
    assert run.time == pytest.approx((2 * 9 / 15) ** 0.5, rel=1e-10)
    assert report["stopped_by"] == "pin.angle > 30*(0.3)"
    assert run.result["motor.torque"] == pytest.approx(0.3)
    assert run.model["arm"].inertia.moments == pytest.approx([0.02] * 3)


def test_steps_chosen_by_their_error_meet_impacts():
    step = st.AdaptiveStep(max=0.02, tolerance=1e-5)
    run = st.Simulation(falling_ball(), integrator=st.NonsmoothGeneralizedAlpha(step=step),
                        record=st.RecordOptions(interval=0.03))
    report = run.run_until(1.0)
    assert report.converged
    assert np.array_equal(run.result.time, [*(0.03 * np.arange(34)), 1.0])
    events = run.result.events
    first = events[events["kind"] == b"impact"][0]
    assert first["time"] == pytest.approx(np.sqrt(0.2), abs=1e-5)
    assert first["impulse_n"] == pytest.approx(2 * 1.8 * np.sqrt(20), rel=1e-5)
