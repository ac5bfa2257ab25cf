# SPDX-License-Identifier: Apache-2.0
"""Interrupts, kills, failures and files that cannot be written."""

import json
import os
import random
import resource
import shutil
import signal
import subprocess
import time

import h5py
import numpy as np
import pytest


def read_hdf5(path):
    with h5py.File(path, "r") as file:
        return file["timeseries/data"][:], json.loads(file["summary"].asstr()[()])


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_interrupt_leaves_complete_files(saltus, long_top, number):
    name = saltus.write("top.json", long_top)
    process = saltus.start("run", name, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    saltus.wait_for("top-out/events.csv", process)
    saltus.let_run(process, 0.3)
    process.send_signal(number)
    out, err = saltus.finish(process)
    assert process.returncode == 130
    assert "interrupted" in out and "top-out/" in out
    assert err.startswith("top.json: interrupted at t = ")
    summary = saltus.summary("top-out")
    assert summary["status"] == "interrupted"
    assert "message" not in summary
    rows = saltus.table("top-out")[1:]
    assert len(rows) == summary["steps"] + 1
    data, inner = read_hdf5(saltus.directory / "top-out" / "results.h5")
    assert np.array_equal(data, np.array(rows, dtype=float))
    assert inner == summary
    assert float(rows[-1][0]) == summary["end_time"]


def test_results_are_readable_after_kill(saltus, long_top):
    """A kill at any moment leaves files that can be read and that say "interrupted"."""
    name = saltus.write("top.json", long_top)
    directory = saltus.directory / "top-out"
    random.seed(1)
    delays = [random.uniform(0, 0.2) for _ in range(20)] + [random.uniform(0.9, 2.3) for _ in range(3)]
    rows = 0
    for delay in delays:
        process = saltus.start("run", name, "--quiet", "--overwrite")
        saltus.wait_for("top-out/summary.json", process)
        saltus.let_run(process, delay)
        process.kill()
        process.wait()
        summary = saltus.summary("top-out")
        assert summary["status"] == "interrupted"
        if not (directory / "results.h5").exists():
            assert summary["steps"] == 0
            continue
        data, inner = read_hdf5(directory / "results.h5")
        assert inner["status"] == "interrupted"
        assert len(data) in (0, 1, summary["steps"] + 1, inner["steps"] + 1)
        table = directory / "timeseries.csv"  # a new run removes it before results.h5
        lines = table.read_text().split("\n") if table.exists() else []
        whole = [line.split(",") for line in lines[1:-1]]
        common = min(len(whole), len(data))
        assert np.array_equal(data[:common], np.array(whole[:common], dtype=float).reshape(common, -1)
                              if common else data[:0])
        rows += len(data)
    assert rows > 1000


def test_rows_are_flushed_every_second(saltus, long_top):
    name = saltus.write("top.json", long_top)
    process = saltus.start("run", name, "--quiet")
    try:
        saltus.wait_for("top-out/events.csv", process)
        saltus.let_run(process, 2.6)
        summary = saltus.summary("top-out")
        data, _ = read_hdf5(saltus.directory / "top-out" / "results.h5")
    finally:
        process.kill()
        process.wait()
    assert summary["steps"] > 1000
    assert summary["wall_seconds"] > 1
    assert summary["iterations"]["smooth"]["max"] >= 1
    assert len(data) > 1000
    assert data[-1, 0] > 0


def read_events(saltus):
    """Compares the events that both files have; returns the number in each."""
    directory = saltus.directory / "ball-out"
    lines = (directory / "events.csv").read_text().split("\n")
    rows = [line.split(",") for line in lines[1:-1]]
    with h5py.File(directory / "results.h5", "r") as file:
        events = file["events"][:]
    for row, event in zip(rows, events):
        assert len(row) == 14
        assert [event["contact"].decode(), event["kind"].decode()] == row[1:3]
        assert (event["time"], event["energy_lost"]) == (float(row[0]), float(row[13]))
    return len(rows), len(events)


def test_events_are_readable_after_kill(saltus, long_ball):
    name = saltus.write("ball.json", long_ball)
    directory = saltus.directory / "ball-out"
    random.seed(2)
    total = 0
    for delay in [random.uniform(0, 0.2) for _ in range(8)] + [random.uniform(1.1, 2.3) for _ in range(3)]:
        shutil.rmtree(directory, ignore_errors=True)
        process = saltus.start("run", name, "--quiet")
        saltus.wait_for("ball-out/events.csv", process)
        saltus.let_run(process, delay)
        process.kill()
        process.wait()
        in_csv, in_hdf5 = read_events(saltus)
        summary = saltus.summary("ball-out")
        assert summary["status"] == "interrupted"
        assert in_csv >= summary["impacts"] and in_hdf5 >= summary["impacts"]
        total += in_hdf5
    assert total > 100


def test_interrupt_leaves_all_events(saltus, long_ball):
    name = saltus.write("ball.json", long_ball)
    process = saltus.start("run", name, "--quiet", stderr=subprocess.PIPE)
    saltus.wait_for("ball-out/events.csv", process)
    saltus.let_run(process, 0.3)
    process.send_signal(signal.SIGINT)
    saltus.finish(process)
    assert process.returncode == 130
    in_csv, in_hdf5 = read_events(saltus)
    assert in_csv == in_hdf5 > 0
    kinds = [row[2] for row in saltus.table("ball-out", "events.csv")[1:]]
    assert kinds.count("impact") == saltus.summary("ball-out")["impacts"]


def failing_model(pendulum):
    """A crank that is driven beyond the reach of its rod."""
    pendulum["model"]["joints"].append(
        {"name": "rope", "type": "distance",
         "between": [{"body": "ground", "position": [-2, 0, 0]}, {"body": "bob"}]})
    del pendulum["model"]["joints"][0]
    pendulum["model"]["joints"].append(
        {"name": "guide", "type": "prismatic", "bodies": ["ground", "bob"], "at": [0.3, 0, -1],
         "axis": [1, 0, 0], "drive": {"type": "speed", "value": {
             "type": "expression", "text": "(t>0.005)*(t-0.005)*100"}}})
    pendulum["simulation"]["end_time"] = 1
    return pendulum


def test_failure_exits_3_with_results_up_to_there(saltus, pendulum):
    name = saltus.write("a.json", failing_model(pendulum))
    result = saltus("run", name)
    assert result.returncode == 3, result.stdout + result.stderr
    assert "a.json: the solver gave up: " in result.stderr
    assert "results: a-out/" in result.stdout
    summary = saltus.summary("a-out")
    assert summary["status"] == "failed"
    assert summary["message"]
    rows = saltus.table("a-out")[1:]
    assert len(rows) == summary["steps"] + 1
    data, inner = read_hdf5(saltus.directory / "a-out" / "results.h5")
    assert len(data) == len(rows)
    assert inner["status"] == "failed"


def test_refuses_another_models_directory(saltus, top, pendulum):
    saltus("run", saltus.write("top.json", top), "-o", "out")
    name = saltus.write("pendulum.json", pendulum)
    before = {p.name: p.read_bytes() for p in (saltus.directory / "out").iterdir()}
    result = saltus("run", name, "-o", "out")
    assert result.returncode == 4
    assert result.stdout == ""
    assert result.stderr == (
        "out: holds the results of another model, top.json (completed, 100 steps); choose another "
        "directory with -o, or replace them with --overwrite\n")
    assert {p.name: p.read_bytes() for p in (saltus.directory / "out").iterdir()} == before
    assert saltus("run", name, "-o", "out", "--overwrite").returncode == 0
    assert saltus.summary("out")["model"] == "pendulum.json"


def test_same_model_is_run_again(saltus, top):
    name = saltus.write("top.json", top)
    saltus("run", name)
    assert saltus("run", name, "--set", "/simulation/end_time=0.002").returncode == 0
    assert saltus.summary("top-out")["steps"] == 20
    assert len(saltus.table("top-out")) == 22


def test_directory_in_use_is_refused(saltus, long_top):
    name = saltus.write("top.json", long_top)
    process = saltus.start("run", name, "--quiet")
    try:
        saltus.wait_for("top-out/events.csv", process)
        result = saltus("run", name, "--overwrite")
        assert result.returncode == 4
        assert f"top-out: is in use by another run (process {process.pid}" in result.stderr
        assert process.poll() is None
    finally:
        process.kill()
        process.wait()
    assert saltus("run", name, "--set", "/simulation/end_time=0.01", "--overwrite").returncode == 0


def test_interrupted_results_are_not_overwritten(saltus, long_top):
    name = saltus.write("top.json", long_top)
    process = saltus.start("run", name, "--quiet", stderr=subprocess.DEVNULL)
    saltus.wait_for("top-out/events.csv", process)
    saltus.let_run(process, 0.2)
    process.send_signal(signal.SIGINT)
    process.wait(timeout=saltus.patience)
    before = (saltus.directory / "top-out" / "timeseries.csv").read_bytes()
    result = saltus("run", name)
    assert result.returncode == 4
    assert "holds what an interrupted run of top.json has computed up to t = " in result.stderr
    assert (saltus.directory / "top-out" / "timeseries.csv").read_bytes() == before


def test_hangup_is_ignored_under_nohup(saltus, long_top):
    name = saltus.write("top.json", long_top)
    process = saltus.start("run", name, "--quiet", stderr=subprocess.DEVNULL, preexec_fn=lambda:
                           signal.signal(signal.SIGHUP, signal.SIG_IGN))
    saltus.wait_for("top-out/events.csv", process)
    process.send_signal(signal.SIGHUP)
    saltus.let_run(process, 0.3)
    assert process.poll() is None
    process.send_signal(signal.SIGTERM)
    process.wait(timeout=saltus.patience)
    assert process.returncode == 130


@pytest.mark.parametrize("closed", [(0,), (1,), (2,), (0, 1), (1, 2), (0, 1, 2)])
def test_closed_descriptors_do_not_reach_the_results(saltus, pendulum, closed):
    """Without standard streams the result files would get their numbers, and messages with them."""
    pendulum["simulation"]["end_time"] = 2
    name = saltus.write("pendulum.json", pendulum)
    saltus("run", name, "-o", "whole")
    process = saltus.start("run", name, "-o", "out", preexec_fn=lambda: [os.close(d) for d in closed],
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, close_fds=True)
    assert process.wait(timeout=saltus.patience) == 0
    assert saltus.summary("out")["status"] == "completed"
    for table in ("timeseries.csv", "events.csv"):
        assert ((saltus.directory / "out" / table).read_bytes()
                == (saltus.directory / "whole" / table).read_bytes())
    data, _ = read_hdf5(saltus.directory / "out" / "results.h5")
    assert np.array_equal(data, read_hdf5(saltus.directory / "whole" / "results.h5")[0])


@pytest.mark.parametrize("command", ["run", "check", "info"])
def test_output_that_cannot_be_written_exits_4(saltus, pendulum, command):
    name = saltus.write("pendulum.json", pendulum)
    with open("/dev/full", "w") as full:
        process = saltus.start(command, name, stdout=full, stderr=subprocess.PIPE, text=True)
        _, err = saltus.finish(process)
    assert process.returncode == 4
    assert err == "standard output: cannot be written: No space left on device\n"


def test_terminal_escapes_in_names_are_shown(saltus, pendulum):
    """No file may tell the terminal what to do: by its name, or by names in it."""
    name = saltus.write("a\x1b[2J\u009b5m.json", pendulum)
    pendulum["model"]["bodies"][0]["name"] = "bob\x1b[2J"
    wrong = saltus.write("wrong.json", pendulum)
    for words, code in ((["run", name, "-o", "out"], 0), (["info", name], 0), (["info", "out"], 0),
                        (["check", wrong], 2)):
        result = saltus(*words)
        assert result.returncode == code, result.stderr
        assert "\x1b" not in result.stdout + result.stderr
        assert "\u009b" not in result.stdout + result.stderr
        assert ("a\\x1b[2J\\x9b5m.json" in result.stdout + result.stderr
                or "bob\\x1b[2J" in result.stderr or words[0] == "run")


def test_names_like_formulas_are_quoted_in_tables(saltus, pendulum):
    pendulum["model"]["bodies"][0]["name"] = "=cmd"
    pendulum["model"]["joints"][0]["bodies"][1] = "=cmd"
    assert saltus("run", saltus.write("pendulum.json", pendulum)).returncode == 0
    header = (saltus.directory / "pendulum-out" / "timeseries.csv").read_text().split("\n")[0]
    assert ',"=cmd.position.x",' in header and ",=cmd" not in header


def test_refuses_foreign_files(saltus, top):
    (saltus.directory / "top-out").mkdir()
    saltus.write("top-out/timeseries.csv", "precious")
    result = saltus("run", saltus.write("top.json", top))
    assert result.returncode == 4
    assert "top-out: holds files that Saltus did not write (timeseries.csv)" in result.stderr
    assert (saltus.directory / "top-out" / "timeseries.csv").read_text() == "precious"


def test_unwritable_output_exits_4(saltus, top):
    name = saltus.write("top.json", top)
    for path in ("top.json", "top.json/below"):
        result = saltus("run", name, "-o", path)
        assert result.returncode == 4
        assert result.stdout == ""
        assert result.stderr.startswith(path + ": cannot be made a directory: ")
    assert saltus("check", name).returncode == 0


def test_full_disk_exits_4(saltus, top):
    """A limit of the size of files stands for a disk that gets full."""
    top["simulation"]["end_time"] = 5
    limit = 3 << 20
    result = saltus("run", saltus.write("top.json", top), preexec_fn=lambda: resource.setrlimit(
        resource.RLIMIT_FSIZE, (limit, limit)))
    assert result.returncode == 4
    assert result.stderr.count("\n") == 1
    assert "top-out/" in result.stderr and "cannot be written: File too large" in result.stderr
    assert saltus.summary("top-out")["status"] == "interrupted"
    read_hdf5(saltus.directory / "top-out" / "results.h5")


def test_progress_line_on_a_terminal(saltus, long_top):
    name = saltus.write("top.json", long_top)
    start = time.monotonic()
    with saltus.on_terminal("run", name, stderr=subprocess.DEVNULL) as terminal:
        assert terminal.read_until(lambda text: text.count("ETA") >= 10)
        assert saltus.processor_seconds(terminal.process) < 5
        terminal.process.send_signal(signal.SIGINT)
        terminal.read_all()
        seconds = time.monotonic() - start
        assert terminal.process.returncode == 130
    lines = terminal.text.split("\r\x1b[K")
    drawn = [line for line in lines if "ETA" in line]
    assert 10 <= len(drawn) <= 10 * seconds
    assert "%" in drawn[0] and "t = " in drawn[0] and "s/s" in drawn[0]
    assert "\n" not in "".join(drawn)
    assert lines[-1].startswith("interrupted: "), "the line is erased at the end"


def test_no_progress_lines_of_short_runs(saltus, top):
    name = saltus.write("top.json", top)
    start = time.monotonic()
    result = saltus("run", name)
    assert "ETA" not in result.stdout or time.monotonic() - start > 5
    assert "\x1b" not in result.stdout


def test_closed_pipe_does_not_stop_a_run(saltus, top):
    process = saltus.start("run", saltus.write("top.json", top), stdout=subprocess.PIPE)
    process.stdout.close()
    process.wait(timeout=saltus.patience)
    assert process.returncode == 0
    assert saltus.summary("top-out")["status"] == "completed"


@pytest.mark.parametrize("kind", ["statics", "modes"])
def test_statics_and_modes_can_be_interrupted(saltus, kind):
    """Within a load step and while modes are looked for, too."""
    solid = {"name": "a", "type": "solid", "mesh": {"type": "box", "size": [1, 0.1, 0.1],
                                                    "divisions": [60, 10, 10]},
             "material": {"young_modulus": 1e9, "poisson_ratio": 0.3, "density": 1000}}
    hold = {"name": "l", "type": "fixed",
            "between": [{"body": "ground", "position": [-0.5, 0, 0]}, {"body": "a", "nodes": "x_min"}]}
    name = saltus.write("a.json", {"saltus": 1, "model": {"bodies": [solid], "joints": [hold]},
                                   "simulation": {"type": kind}})
    process = saltus.start("run", name, stderr=subprocess.PIPE, text=True)
    saltus.wait_for("a-out/events.csv", process)
    process.send_signal(signal.SIGINT)
    _, err = saltus.finish(process)
    assert process.returncode == 130
    assert "a.json: interrupted at t = 0 s" in err
    assert saltus.summary("a-out")["status"] == "interrupted"


def test_forces_without_values_are_named_as_such(saltus, pendulum):
    """A gravity of 1e200 is no matter of formulas."""
    pendulum["model"]["gravity"] = [0, 0, -1e200]
    for integrator in ("generalized_alpha", "moreau_jean"):
        pendulum["simulation"]["integrator"] = {"type": integrator, "step": 1e-3}
        result = saltus("run", saltus.write("a.json", pendulum), "--overwrite")
        assert result.returncode == 3
        assert "gravity, masses, stiffnesses or velocities are far too large" in result.stderr
        assert "nan" not in result.stderr


def test_results_say_what_they_were_made_by(saltus, top):
    saltus("run", saltus.write("top.json", top))
    build = saltus.summary("top-out")["build"]
    assert build["compiler"].split()[0] in ("g++", "clang")
    assert build["instruction_set"] in ("avx2", "portable")
    assert {"Eigen", "KLU", "MUMPS", "METIS", "BLAS"} <= set(build["libraries"])
    assert "/" not in build["flags"]


@pytest.mark.parametrize("integrator", ["nonsmooth_generalized_alpha", "moreau_jean"])
@pytest.mark.parametrize("step, warns", [(1e-3, True), (1e-4, False)])
def test_impacts_that_are_not_counted_are_told(saltus, ball, integrator, step, warns):
    """A ball crosses a gap of 1 mm with 5 m/s, five times in a step of 1 ms."""
    model = ball["model"]
    model["gravity"] = [0, 0, 0]
    model["bodies"][0].update(pose={"position": [0, 0, 5e-4]}, velocity={"linear": [0, 0, 5]})
    model["colliders"].append({"name": "roof", "frame": {"body": "ground", "position": [0, 0, 1e-3]},
                               "shape": {"type": "half_space", "normal": [0, 0, -1]}})
    model["contacts"] = [{"name": side, "between": [side, "skin"], "restitution": 1}
                         for side in ("floor", "roof")]
    ball["simulation"].update(end_time=0.05, integrator={"type": integrator, "step": step})
    assert saltus("run", saltus.write("ball.json", ball)).returncode == 0
    told = [w for w in saltus.summary("ball-out")["warnings"] if "to and fro" in w]
    assert bool(told) == warns
    if warns:
        assert 'contacts "floor" and "roof"' in told[0] and "some 5 times a step" in told[0]


def squeezed(integrator, policy):
    """A ball on the floor under a plate whose drive goes down through it."""
    def body(name, shape, z):
        return {"name": name, "type": "rigid", "inertia": {"mass": 1, **shape}, "pose": {"position": [0, 0, z]}}

    def on(name, shape):
        return {"name": f"{name}_skin", "frame": {"body": name}, "shape": shape}

    return {"saltus": 1, "model": {
        "bodies": [body("plate", {"type": "solid_box", "size": [1, 1, 0.1]}, 0.4),
                   body("ball", {"type": "solid_sphere", "radius": 0.1}, 0.1)],
        "colliders": [on("plate", {"type": "box", "size": [1, 1, 0.1]}),
                      on("ball", {"type": "sphere", "radius": 0.1}), on("ground", {"type": "half_space"})],
        "contacts": [{"name": "above", "between": ["plate_skin", "ball_skin"]},
                     {"name": "below", "between": ["ground_skin", "ball_skin"]}],
        "joints": [{"name": "guide", "type": "prismatic", "bodies": ["ground", "plate"], "at": [0, 0, 0.4],
                    "axis": "z", "drive": {"type": "position", "value": {"type": "expression", "text": "-0.5*t"}}}]},
        "simulation": {"end_time": 0.5, "integrator": integrator, "on_failure": policy}}


@pytest.mark.parametrize("step", [2e-3, 2.5e-4])
def test_what_is_crushed_by_moreau_jean_exits_3(saltus, step):
    """It drifts by O(h); this does not shrink with the step."""
    model = squeezed({"type": "moreau_jean", "step": step}, "halve")
    result = saltus("run", saltus.write("a.json", model))
    assert result.returncode == 3
    assert "is violated" in result.stderr and "besides the drift of the method" in result.stderr
    assert 'contact "above"' in result.stderr or 'contact "below"' in result.stderr
    summary = saltus.summary("a-out")
    assert summary["status"] == "failed" and summary["end_time"] == pytest.approx(0.3, abs=3 * step)


@pytest.mark.parametrize("method", ["nonsmooth_generalized_alpha", "moreau_jean"])
def test_what_is_accepted_goes_on_and_exits_3(saltus, method):
    model = squeezed({"type": method, "step": 1e-3}, "accept")
    result = saltus("run", saltus.write("a.json", model))
    assert result.returncode == 3
    assert "a.json: the results are no motion of the model: t = 0.5 s: contact" in result.stderr
    assert "accepted as asked (on_failure), since t = 0.3" in result.stderr
    summary = saltus.summary("a-out")
    assert summary["status"] == "failed" and summary["end_time"] == 0.5
    assert summary["max_penetration"] > 0.04
    assert len(saltus.table("a-out")) == 502


def test_a_joint_that_is_torn_open_as_accepted_exits_3(saltus):
    """The plate stands on a post that does not give way."""
    model = squeezed({"type": "nonsmooth_generalized_alpha", "step": 1e-3}, "accept")
    model["model"]["bodies"].pop()
    model["model"]["colliders"].pop(1)
    model["model"]["contacts"] = [{"name": "below", "between": ["ground_skin", "plate_skin"]}]
    model["simulation"]["end_time"] = 0.8
    result = saltus("run", saltus.write("a.json", model))
    assert result.returncode == 3
    assert 'joint "guide" is violated' in result.stderr or 'contact "below" is violated' in result.stderr


def test_the_drift_of_moreau_jean_is_its_own(saltus, ball, pendulum):
    ball["simulation"]["integrator"] = {"type": "moreau_jean", "step": 1e-2}
    assert saltus("run", saltus.write("ball.json", ball)).returncode == 0
    assert saltus.summary("ball-out")["max_penetration"] > 1e-3
    pendulum["simulation"] = {"end_time": 1, "integrator": {"type": "moreau_jean", "step": 1e-2}}
    assert saltus("run", saltus.write("bob.json", pendulum)).returncode == 0


def test_a_condition_that_is_never_a_number_is_told(saltus, ball):
    ball["simulation"]["stop_when"] = "sqrt(-1-t) > 1"
    result = saltus("run", saltus.write("ball.json", ball))
    assert result.returncode == 0
    assert 'stop_when: "sqrt(-1-t) > 1" has compared what is no number' in result.stderr
    ball["simulation"]["stop_when"] = "sqrt(t-0.5) > 1"
    result = saltus("run", saltus.write("ball.json", ball))
    assert "no number" not in result.stderr
