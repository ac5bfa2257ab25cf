# SPDX-License-Identifier: Apache-2.0
"""Runs that are stopped and go on give the same bytes as runs that are not."""

import json
import os
import random
import shutil
import signal
import subprocess

import h5py
import numpy as np
import pytest

TABLES = ("timeseries.csv", "events.csv", "contact_forces.csv", "impacts.csv", "impact_paths.csv")
INTEGRATORS = {
    "nonsmooth_generalized_alpha": {"type": "nonsmooth_generalized_alpha", "step": 1e-4},
    "moreau_jean": {"type": "moreau_jean", "step": 1e-4},
    "event_driven": {"type": "event_driven", "step": 5e-4},
    "adaptive": {"type": "nonsmooth_generalized_alpha",
                 "step": {"max": 2e-4, "tolerance": 1e-4}},
}


def content(path):
    """All that a results.h5 says but for the time that it took."""
    found = {}

    def take(name, item):
        if isinstance(item, h5py.Dataset):
            found[name] = item[()]

    with h5py.File(path, "r") as file:
        file.visititems(take)
        found.update(file.attrs)
    found["summary"] = json.loads(found["summary"])
    found["summary"].pop("wall_seconds")
    return found


def assert_same(first, second):
    for name in TABLES:
        assert (first / name).exists() == (second / name).exists()
        if (first / name).exists():
            assert (first / name).read_bytes() == (second / name).read_bytes(), name
    a, b = content(first / "results.h5"), content(second / "results.h5")
    assert a.keys() == b.keys()
    for name in a:
        same = (a[name].tobytes() == b[name].tobytes() if isinstance(a[name], np.ndarray)
                else a[name] == b[name])
        assert same, name
    summaries = [json.loads((d / "summary.json").read_text()) for d in (first, second)]
    for summary in summaries:
        summary.pop("wall_seconds")
    assert summaries[0] == summaries[1]


def bouncing(ball, integrator, end_time):
    """With a local law, so that there are forces, too."""
    ball["model"]["bodies"][0] = {"name": "ball", "type": "rigid", "pose": {"position": [0, 0, 0.3]},
                                  "inertia": {"type": "solid_sphere", "mass": 2, "radius": 0.1},
                                  "velocity": {"linear": [0.5, 0, 0], "angular": [0, 3, 1]}}
    ball["model"]["colliders"][0]["shape"] = {"type": "sphere", "radius": 0.1}
    ball["model"]["contacts"][0].update(restitution=1, friction=0.3, stiffness=1e7, exponent=1.5)
    ball["simulation"] = {"end_time": end_time, "integrator": INTEGRATORS[integrator],
                          "record": {"every": 30}}
    if integrator == "adaptive":  # the end is no multiple of it
        ball["simulation"]["record"] = {"interval": 7e-3}
    return ball


def stopped(saltus, *words, delay=0.1, number=signal.SIGKILL):
    process = saltus.start(*words, "--quiet", stderr=subprocess.PIPE, text=True)
    try:
        saltus.let_run(process, delay)
    except AssertionError:  # it was quicker
        pass
    process.send_signal(number)
    return process, saltus.finish(process)[1]


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_killed_runs_go_on_with_the_same_bytes(saltus, ball, integrator):
    name = saltus.write("ball.json", bouncing(ball, integrator, 30.0))
    assert saltus("run", name, "-o", "whole", "--quiet").returncode == 0
    random.seed(24)
    stopped(saltus, "run", name, "-o", "out", "--checkpoint", "0.02", delay=0.06)
    kills = 0
    while saltus.summary("out")["status"] != "completed" and kills < 6:
        kills += 1
        stopped(saltus, "resume", "out", delay=random.uniform(0.02, 0.06))
    assert kills >= 2, "it was too quick to be killed"
    result = saltus("resume", "out")
    assert result.returncode == 0, result.stderr
    assert_same(saltus.directory / "whole", saltus.directory / "out")


def test_a_smooth_run_goes_on_with_the_same_bytes(saltus, top):
    top["simulation"]["end_time"] = 4
    name = saltus.write("top.json", top)
    saltus("run", name, "-o", "whole", "--quiet")
    process, err = stopped(saltus, "run", name, "-o", "out", delay=0.3, number=signal.SIGINT)
    assert process.returncode == 130
    assert "saltus resume out goes on" in err
    assert saltus("resume", "out", "--threads", "2").returncode == 0
    summary = json.loads((saltus.directory / "out" / "summary.json").read_text())
    assert summary.pop("threads") == 2
    assert saltus.table("out") == saltus.table("whole")


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_a_later_end_gives_the_bytes_of_a_longer_run(saltus, ball, integrator):
    name = saltus.write("ball.json", bouncing(ball, integrator, 0.3))
    longer = ["--set", "/simulation/end_time=0.77"]
    assert saltus("run", name, "-o", "longer", *longer, "--quiet").returncode == 0
    assert saltus("run", name, "-o", "out", "--quiet").returncode == 0
    result = saltus("resume", "out")
    assert result.returncode == 0 and "is complete" in result.stdout
    assert saltus("resume", "out", "--end-time", "0.77").returncode == 0
    assert_same(saltus.directory / "longer", saltus.directory / "out")
    result = saltus("resume", "out", "--end-time", "0.1")
    assert result.returncode == 2
    assert "the run is at t = " in result.stderr


def test_wall_time_ends_a_run_with_a_checkpoint(saltus, long_ball):
    name = saltus.write("ball.json", long_ball)
    result = saltus("run", name, "--max-wall", "0.5")
    assert result.returncode == 130
    assert "--max-wall 0.5 s is reached" in result.stderr
    assert saltus.summary("ball-out")["status"] == "interrupted"
    reached = saltus.summary("ball-out")["end_time"]
    result = saltus("resume", "ball-out", "--max-wall", "0.5")
    assert result.returncode == 130
    assert saltus.summary("ball-out")["end_time"] > reached


def test_memory_ends_a_run_with_a_checkpoint(saltus, long_ball):
    name = saltus.write("ball.json", long_ball)
    result = saltus("run", name, "--max-memory", "1MB")
    assert result.returncode == 130
    assert "--max-memory 1 MB is reached" in result.stderr
    assert (saltus.directory / "ball-out" / "checkpoint").exists()


def test_memory_that_cannot_be_had_exits_3(saltus, ball):
    import resource
    limit = 300 << 20
    ball["model"]["bodies"] = [
        {"name": "rod", "type": "beam", "start": [0, 0, 0], "end": [1, 0, 0], "elements": 200000,
         "section": {"type": "circular", "radius": 0.01},
         "material": {"young_modulus": 2e11, "poisson_ratio": 0.3, "density": 7800}}]
    del ball["model"]["colliders"], ball["model"]["contacts"]
    result = saltus("run", saltus.write("rod.json", ball), preexec_fn=lambda: resource.setrlimit(
        resource.RLIMIT_AS, (limit, limit)))
    assert result.returncode == 3
    assert "not enough memory" in result.stderr


def test_before_the_first_checkpoint_a_run_starts_over(saltus, ball):
    name = saltus.write("ball.json", bouncing(ball, "nonsmooth_generalized_alpha", 2.0))
    assert saltus("run", name, "-o", "whole", "--quiet").returncode == 0
    process = saltus.start("run", name, "-o", "out", "--quiet")
    saltus.wait_for("out/summary.json", process)
    process.kill()
    process.wait()
    assert saltus("resume", "out").returncode == 0
    assert_same(saltus.directory / "whole", saltus.directory / "out")


def interrupted(saltus, model):
    name = saltus.write("ball.json", model)
    assert saltus("run", name, "-o", "out", "--max-wall", "0.3").returncode == 130
    return saltus.directory / "out"


@pytest.mark.parametrize("damage, why", [
    (lambda p: p.write_bytes(p.read_bytes()[:-7]), "is damaged: its checksum does not fit"),
    (lambda p: p.write_bytes(b"hello"), "is no checkpoint of Saltus"),
    (lambda p: p.write_bytes(p.read_bytes().replace(b"checkpoint 1\n0.", b"checkpoint 1\n9.", 1)),
     "was written by Saltus 9."),
    (lambda p: p.unlink(), "cannot be read"),
    (lambda p: os.truncate(p.parent / "timeseries.csv", 100), "less than the"),
])
def test_a_damaged_checkpoint_is_refused(saltus, long_ball, damage, why):
    out = interrupted(saltus, long_ball)
    damage(out / "checkpoint")
    result = saltus("resume", "out")
    assert result.returncode == 4
    assert why in result.stderr


def test_every_flipped_byte_is_noticed(saltus, long_ball):
    out = interrupted(saltus, long_ball)
    content = (out / "checkpoint").read_bytes()
    random.seed(3)
    for _ in range(10):
        bad = bytearray(content)
        bad[random.randrange(len(bad))] ^= 1 << random.randrange(8)
        (out / "checkpoint").write_bytes(bad)
        assert saltus("resume", "out").returncode == 4


def test_a_foreign_checkpoint_is_refused(saltus, long_ball, long_top):
    out = interrupted(saltus, long_ball)
    saltus("run", saltus.write("top.json", long_top), "-o", "other", "--max-wall", "0.3")
    shutil.copy(saltus.directory / "other" / "checkpoint", out / "checkpoint")
    result = saltus("resume", "out")
    assert result.returncode == 4
    assert "the checkpoint is of another run, of top.json" in result.stderr


def test_the_interval_is_kept(saltus, long_ball):
    long_ball["simulation"]["checkpoint"] = {"every_seconds": 0.1}
    name = saltus.write("ball.json", long_ball)
    stopped(saltus, "run", name, "-o", "out", delay=1.0)
    first = (saltus.directory / "out" / "checkpoint").stat().st_mtime_ns
    stopped(saltus, "resume", "out", delay=1.0)
    assert (saltus.directory / "out" / "checkpoint").stat().st_mtime_ns > first
    bad = saltus.write("bad.json", {**long_ball, "simulation": {
        **long_ball["simulation"], "checkpoint": {"every_seconds": 0}}})
    result = saltus("check", bad)
    assert result.returncode == 2 and "/simulation/checkpoint/every_seconds" in result.stderr


def test_a_run_that_its_condition_ended_is_complete(saltus, ball):
    ball["simulation"]["stop_when"] = "ball.position.z < 0.05"
    name = saltus.write("ball.json", ball)
    assert saltus("run", name, "-o", "out", "--quiet").returncode == 0
    before = (saltus.directory / "out" / "timeseries.csv").stat().st_mtime_ns
    for options in ([], ["--end-time", "3"]):
        result = saltus("resume", "out", *options)
        assert result.returncode == 0, result.stderr
        assert "is complete: it stopped at t = 0.10" in result.stdout
        assert "ball.position.z < 0.05" in result.stdout
    assert (saltus.directory / "out" / "timeseries.csv").stat().st_mtime_ns == before


def test_a_directory_in_use_is_not_resumed(saltus, long_ball):
    name = saltus.write("ball.json", long_ball)
    process = saltus.start("run", name, "--quiet", "-o", "out", "--checkpoint", "0.01")
    try:
        saltus.wait_for("out/events.csv", process)
        for _ in range(5):
            result = saltus("resume", "out")
            assert result.returncode == 4
            assert f"out: is in use by another run (process {process.pid}" in result.stderr
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize("option, value, said", [
    ("--end-time", "-1", "--end-time: must be a number > 0, got -1"),
    ("--end-time", "abc", "--end-time: must be a number > 0, got abc"),
    ("--max-wall", "0", "--max-wall: must be a number > 0, got 0"),
    ("--max-wall", "1e999", "--max-wall: must be a number > 0, got 1e999"),
    ("--max-memory", "lots", "--max-memory: must be a size like 500MB, 0.5GB or 4GiB, got lots"),
    ("--max-memory", "4XB", "--max-memory: must be a size like"),
    ("--max-memory", "-1GB", "--max-memory: must be a size like"),
])
def test_limits_that_are_none_are_refused(saltus, option, value, said):
    result = saltus("resume", "out", f"{option}={value}")
    assert result.returncode == 2
    assert said in result.stderr
    assert len(result.stderr) < 200


@pytest.mark.parametrize("size, megabytes", [
    ("0.02GB", "20"), ("2e7", "20"), ("20 mb", "20"), ("20000000", "20"), ("20MiB", "20.97"), ("0.02g", "20")])
def test_sizes_have_units(saltus, long_ball, size, megabytes):
    """So little that the program is beyond it at once."""
    result = saltus("run", saltus.write("ball.json", long_ball), "--max-memory", size)
    assert result.returncode == 130
    assert f"--max-memory {megabytes} MB is reached" in result.stderr
