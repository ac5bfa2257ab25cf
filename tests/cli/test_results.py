# SPDX-License-Identifier: Apache-2.0
"""What a run writes."""

import json
import re

import h5py
import numpy as np
import pytest


@pytest.fixture
def run_top(saltus, top):
    result = saltus("run", saltus.write("top.json", top))
    assert result.returncode == 0, result.stderr
    return result


def test_default_directory_and_words(saltus, run_top):
    assert "completed: 100 steps to t = 0.01 s" in run_top.stdout
    assert run_top.stdout.endswith("results: top-out/\n")
    assert run_top.stderr == ""
    assert sorted(p.name for p in (saltus.directory / "top-out").iterdir()) == [
        "checkpoint", "events.csv", "results.h5", "summary.json", "timeseries.csv"]


def test_default_directory_is_in_the_current_one(saltus, top):
    (saltus.directory / "models").mkdir()
    saltus.write("models/spinning.top.json", top)
    assert saltus("run", "models/spinning.top.json").returncode == 0
    assert (saltus.directory / "spinning.top-out" / "summary.json").exists()
    assert saltus.summary("spinning.top-out")["model"] == "spinning.top.json"


def test_quiet_prints_nothing(saltus, top):
    result = saltus("run", saltus.write("top.json", top), "--quiet", "-o", "a/b/c")
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    assert saltus.summary("a/b/c")["status"] == "completed"


def test_summary(saltus, run_top):
    summary = saltus.summary("top-out")
    assert summary["status"] == "completed"
    assert summary["steps"] == 100
    assert summary["end_time"] == 0.01
    assert summary["threads"] == 1
    assert summary["warnings"] == []
    assert summary["wall_seconds"] > 0
    assert summary["impacts"] == 0
    assert summary["max_penetration"] == 0
    assert 0 <= summary["max_position_violation"] < 1e-10
    assert 0 <= summary["max_velocity_violation"] < 1e-10
    for kind in ("smooth", "position", "velocity"):
        assert summary["iterations"][kind]["max"] >= summary["iterations"][kind]["mean"]
    energy = summary["energy"]
    assert energy["final"] == pytest.approx(energy["initial"], rel=1e-6)
    assert 0 <= energy["closure_error"] < 1e-6
    rows = saltus.table("top-out")
    for name in ("kinetic", "gravity", "elastic", "external_work", "friction_loss", "impact_loss",
                 "damping_loss", "numerical_loss", "residual"):
        assert float(rows[-1][rows[0].index("energy." + name)]) == energy[name]


def test_columns_and_digits(saltus, run_top):
    header, *rows = saltus.table("top-out")
    assert header[:4] == ["time", "top.position.x", "top.position.y", "top.position.z"]
    for name in ("top.orientation.w", "top.velocity.z", "top.angular_velocity.y", "top.rotation.x",
                 "pivot.force.x", "pivot.torque.z", "pivot.impulse.y", "energy.residual"):
        assert name in header
    assert len(set(header)) == len(header)
    assert len(rows) == 101
    assert [float(row[0]) for row in rows] == [0.01 if n == 100 else n * 1e-4 for n in range(101)]
    for row in rows:
        assert len(row) == len(header)
        for text in row:
            assert text == "%.17g" % float(text)


def test_record_every(saltus, top):
    top["simulation"]["record"] = {"every": 30}
    saltus("run", saltus.write("top.json", top))
    times = [float(row[0]) for row in saltus.table("top-out")[1:]]
    assert times == pytest.approx([0, 0.003, 0.006, 0.009, 0.01])


def test_hdf5_equals_csv(saltus, run_top):
    header, *rows = saltus.table("top-out")
    with h5py.File(saltus.directory / "top-out" / "results.h5", "r") as file:
        assert list(file["timeseries/columns"].asstr()[:]) == header
        assert np.array_equal(file["timeseries/data"][:], np.array(rows, dtype=float))
        units = dict(zip(header, file["timeseries/units"].asstr()[:]))
        assert units["time"] == "s" and units["pivot.impulse.x"] == "N s"
        assert len(file["timeseries/descriptions"]) == len(header)
        summary = saltus.summary("top-out")
        assert json.loads(file["summary"].asstr()[()]) == summary
        assert file.attrs["version"] == summary["version"]
        assert file.attrs["model_hash"] == summary["model_hash"]
        assert json.loads(file["model"].asstr()[()])["model"]["bodies"][0]["name"] == "top"


def test_hdf5_holds_the_model_as_run(saltus, top):
    name = saltus.write("top.json", top)
    saltus("run", name, "--set", "/simulation/integrator/step=5e-4")
    with h5py.File(saltus.directory / "top-out" / "results.h5", "r") as file:
        text = file["model"].asstr()[()]
    assert json.loads(text)["simulation"]["integrator"]["step"] == 5e-4
    saltus.write("again.json", text)
    assert saltus("run", "again.json").returncode == 0
    assert saltus.table("again-out") == saltus.table("top-out")


def test_events_have_a_header(saltus, run_top):
    text = (saltus.directory / "top-out" / "events.csv").read_text()
    assert text == ("time,contact,kind,order,impulse_n,impulse_t1,impulse_t2,before_n,before_t1,"
                    "before_t2,after_n,after_t1,after_t2,energy_lost\n")


def test_events(saltus, ball):
    result = saltus("run", saltus.write("ball.json", ball))
    assert result.returncode == 0, result.stderr
    header, *rows = saltus.table("ball-out", "events.csv")
    events = [dict(zip(header, row)) for row in rows]
    impacts = [event for event in events if event["kind"] == "impact"]
    summary = saltus.summary("ball-out")
    assert len(impacts) == summary["impacts"] >= 3
    assert sum(float(event["energy_lost"]) for event in impacts) == pytest.approx(
        summary["energy"]["impact_loss"], rel=1e-4)
    assert 0 <= summary["max_penetration"] < 1e-9
    assert {event["contact"] for event in events} == {"bounce"}
    assert {event["kind"] for event in events} <= {"impact", "closes", "opens", "sticks", "slips"}
    times = [float(event["time"]) for event in events]
    assert times == sorted(times)
    assert times[0] == pytest.approx(np.sqrt(2 * 0.1 / 9.81), abs=2e-3)
    first = impacts[0]
    assert float(first["after_n"]) == pytest.approx(-0.5 * float(first["before_n"]), abs=0.02)
    for event in events:
        for name in header:
            if name not in ("contact", "kind"):
                assert event[name] == "%.17g" % float(event[name])


def test_hdf5_events_equal_csv(saltus, ball):
    saltus("run", saltus.write("ball.json", ball))
    header, *rows = saltus.table("ball-out", "events.csv")
    with h5py.File(saltus.directory / "ball-out" / "results.h5", "r") as file:
        events = file["events"][:]
        units = dict(zip(header, file["events"].attrs["units"].astype(str)))
    assert list(events.dtype.names) == header
    assert len(events) == len(rows) > 5
    for event, row in zip(events, rows):
        assert [event["contact"].decode(), event["kind"].decode()] == row[1:3]
        assert [float(event[name]) for name in header if name not in ("contact", "kind")] == [
            float(row[0]), *map(float, row[3:])]
    assert units["time"] == "s" and units["impulse_n"] == "N s" and units["energy_lost"] == "J"


def test_info_has_all_columns_of_a_contact_point_on_one_line(saltus):
    model = {"saltus": 1, "model": {
        "bodies": [{"name": "pin", "type": "rigid",
                    "inertia": {"type": "solid_sphere", "mass": 1, "radius": 0.01}}],
        "colliders": [
            {"name": "eye", "frame": {"body": "ground"},
             "shape": {"type": "bore", "radius": 0.0101, "length": 0.02, "axis": "x"}},
            {"name": "rod", "frame": {"body": "pin"},
             "shape": {"type": "cylinder", "radius": 0.01, "length": 0.01, "axis": "x"}}],
        "contacts": [{"name": "fit", "between": ["eye", "rod"], "stiffness": 1e8}]},
        "simulation": {"end_time": 0.01}}
    assert saltus("run", saltus.write("pin.json", model)).returncode == 0
    lines = saltus("info", "pin-out").stdout.splitlines()
    points = [line for line in lines if line.strip().startswith("fit.eye.rod.")]
    assert points and all(line.endswith("eccentricity.x|y|z, friction_work") for line in points)


def test_info_counts_events(saltus, ball, top):
    saltus("run", saltus.write("ball.json", ball))
    events, impacts = len(saltus.table("ball-out", "events.csv")) - 1, saltus.summary("ball-out")["impacts"]
    result = saltus("info", "ball-out")
    assert f"{events} contact events, {impacts} of them impacts; penetration at most " in result.stdout
    saltus("run", saltus.write("top.json", top))
    assert "event" not in saltus("info", "top-out").stdout.replace("events.csv", "")


def test_runs_are_deterministic(saltus, top):
    name = saltus.write("top.json", top)
    texts = []
    for threads in (1, 1, 2):
        assert saltus("run", name, "--threads", threads).returncode == 0
        texts.append((saltus.directory / "top-out" / "timeseries.csv").read_bytes())
    assert texts[0] == texts[1] == texts[2]
    assert saltus.summary("top-out")["threads"] == 2


def test_events_are_deterministic(saltus, ball):
    name = saltus.write("ball.json", ball)
    texts = []
    for threads in (1, 2):
        assert saltus("run", name, "--threads", threads).returncode == 0
        texts.append((saltus.directory / "ball-out" / "events.csv").read_bytes())
    assert texts[0] == texts[1]


def test_settings_change_the_run(saltus, top):
    name = saltus.write("top.json", top)
    result = saltus("run", name, "--set", "/simulation/integrator/step=1e-3",
                    "--set", "/simulation/end_time=0.02", "--set", "/model/gravity=[0,0,-1]")
    assert result.returncode == 0, result.stderr
    assert saltus.summary("top-out")["steps"] == 20
    with_gravity = saltus.summary("top-out")["model_hash"]
    saltus("run", name)
    assert saltus.summary("top-out")["model_hash"] != with_gravity
    result = saltus("run", name, "--set", "/simulation/integrator/stepp=1e-3", "-o", "none")
    assert result.returncode == 2
    assert not (saltus.directory / "none").exists()


def test_statics(saltus, pendulum):
    pendulum["simulation"] = {"type": "statics", "load_steps": 4}
    result = saltus("run", saltus.write("a.json", pendulum))
    assert result.returncode == 0, result.stderr
    header, *rows = saltus.table("a-out")
    assert [float(row[0]) for row in rows] == [0, 0.25, 0.5, 0.75, 1]
    assert abs(float(rows[-1][header.index("bob.position.x")])) < 1e-6
    assert float(rows[-1][header.index("pin.force.z")]) == pytest.approx(2 * 9.81)


def test_modes(saltus, pendulum):
    pendulum["simulation"] = {"type": "modes", "count": 3}
    result = saltus("run", saltus.write("a.json", pendulum))
    assert result.returncode == 0, result.stderr
    length = np.hypot(0.3, 1)
    omega = np.sqrt(9.81 * length / (length**2 + 0.4 * 0.1**2))
    assert re.search(r"mode +1: [\d.]+ Hz", result.stdout)
    modes = saltus.summary("a-out")["modes"]
    assert len(modes) == 1
    assert modes[0]["angular_frequency"] == pytest.approx(omega, rel=1e-6)
    assert modes[0]["frequency"] == pytest.approx(omega / (2 * np.pi), rel=1e-6)
    assert modes[0]["growth_rate"] == 0
    header, row = saltus.table("a-out", "modes.csv")
    assert header == ["mode", "frequency", "angular_frequency", "growth_rate",
                      "bob.translation.x", "bob.translation.y", "bob.translation.z",
                      "bob.rotation.x", "bob.rotation.y", "bob.rotation.z"]
    assert row[0] == "1"
    # A rotation about y moves the bob below along −x.
    shape = dict(zip(header[4:], map(float, row[4:])))
    assert shape["bob.translation.x"] == pytest.approx(-length * shape["bob.rotation.y"], rel=1e-6)
    with h5py.File(saltus.directory / "a-out" / "results.h5", "r") as file:
        assert list(file["modes/columns"].asstr()[:]) == header
        assert file["modes/data"][0].tolist() == [float(text) for text in row]
        assert "modes" not in json.loads(file["summary"].asstr()[()])


def test_unstable_equilibrium_warns(saltus, pendulum):
    pendulum["model"]["bodies"][0]["pose"]["position"] = [0, 0, 1]
    pendulum["simulation"] = {"type": "modes", "count": 1, "equilibrium": False}
    result = saltus("run", saltus.write("a.json", pendulum))
    assert result.returncode == 0, result.stderr
    assert result.stderr.startswith("warning: ")
    assert saltus.summary("a-out")["modes"][0]["growth_rate"] > 3
    assert saltus.summary("a-out")["warnings"]
