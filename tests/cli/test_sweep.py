# SPDX-License-Identifier: Apache-2.0
"""Studies: many variants of a model."""

import json
import os
import signal
import subprocess

import pytest

STUDY = {
    "saltus_study": 1,
    "model": "ball.json",
    "parameters": {
        "/model/contacts/0/restitution": {"values": [0.25, 0.5, 1.5]},
        "/model/bodies/0/pose/position/2": {"range": [0.1, 0.4], "count": 3},
    },
    "metrics": {
        "top": {"column": "ball.position.z", "take": "max"},
        "touch": {"event": "impact", "contact": "bounce", "take": "time", "number": 1},
        "speed": {"event": "impact", "take": "approach_speed"},
    },
}


@pytest.fixture
def study(saltus, ball):
    ball["simulation"]["end_time"] = 0.5
    saltus.write("ball.json", ball)
    return json.loads(json.dumps(STUDY))


def table(saltus, directory):
    return (saltus.directory / directory / "cases.csv").read_bytes()


def test_every_case_has_a_row(saltus, study):
    saltus.write("study.json", study)
    done = saltus("sweep", "study.json", "--quiet")
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    header, *rows = saltus.table("study-out", "cases.csv")
    assert header == [
        "case",
        "/model/contacts/0/restitution",
        "/model/bodies/0/pose/position/2",
        "top",
        "touch",
        "speed",
        "status",
    ]
    assert [int(row[0]) for row in rows] == list(range(1, 10))
    for row in rows[:6]:
        height = float(row[2])
        assert row[6] == "completed"
        assert float(row[3]) == height
        assert abs(float(row[4]) - (2 * height / 9.81) ** 0.5) < 2e-3  # to a step
        assert abs(float(row[5]) - (2 * 9.81 * height) ** 0.5) < 0.02
    assert all(row[3:] == ["", "", "", "invalid"] for row in rows[6:])
    reasons = saltus.table("study-out", "failures.csv")[1:]
    assert len(reasons) == 3 and all("/model/contacts/0/restitution" in row[2] for row in reasons)


def test_jobs_and_shards_make_the_same_table(saltus, study):
    saltus.write("study.json", study)
    for jobs in (1, 3):
        saltus("sweep", "study.json", "-o", f"jobs{jobs}", "--jobs", jobs)
    for part in (2, 1, 3):
        done = saltus("sweep", "study.json", "-o", "shards", "--shard", f"{part}/3")
        assert done.returncode == 0
    assert table(saltus, "jobs1") == table(saltus, "jobs3") == table(saltus, "shards")
    assert saltus("sweep", "study.json", "--shard", "4/3").returncode == 2


def test_what_is_done_is_not_done_again(saltus, study):
    saltus.write("study.json", study)
    saltus("sweep", "study.json")
    cases = saltus.directory / "study-out" / "cases"
    before = {path.name: path.stat().st_mtime_ns for path in cases.iterdir()}
    assert len(before) == 6
    study["parameters"]["/model/contacts/0/restitution"]["values"] = [0.5, 0.25, 0.75]
    saltus.write("study.json", study)
    saltus("sweep", "study.json")
    after = {path.name: path.stat().st_mtime_ns for path in cases.iterdir()}
    assert len(after) == 9
    assert all(after[name] == time for name, time in before.items())


def test_killed_and_interrupted_studies_go_on(saltus, study, ball):
    ball["simulation"]["end_time"] = 20
    saltus.write("ball.json", ball)
    study["parameters"]["/model/contacts/0/restitution"]["values"] = [0.1, 0.2, 0.3, 0.4]
    saltus.write("study.json", study)
    saltus("sweep", "study.json", "-o", "whole")
    for number in (signal.SIGKILL, signal.SIGINT):
        process = saltus.start(
            "sweep", "study.json", "-o", "parts", "--jobs", 2,
            stdout=subprocess.PIPE, start_new_session=True,
        )  # fmt: skip
        cases = saltus.directory / "parts" / "cases"

        def finished():
            return cases.exists() and sum(not p.name.startswith(".") for p in cases.iterdir())

        begun = finished() or 0
        saltus.wait_until(lambda: finished() > begun, process)
        os.killpg(process.pid, number)
        saltus.finish(process)
        assert process.returncode == (130 if number == signal.SIGINT else -9)
    assert saltus("sweep", "study.json", "-o", "parts").returncode == 0
    assert table(saltus, "parts") == table(saltus, "whole")


def test_everything_of_a_case_is_kept_if_asked_for(saltus, study):
    study["keep"] = "everything"
    study["series"] = ["ball.velocity.z"]
    study["parameters"]["/model/contacts/0/restitution"]["values"] = [0.5]
    saltus.write("study.json", study)
    assert saltus("sweep", "study.json").returncode == 0
    cases = list((saltus.directory / "study-out" / "cases").iterdir())
    assert len(cases) == 3
    for case in cases:
        assert saltus("info", case).returncode == 0
        rows = (case / "timeseries.csv").read_text().splitlines()
        series = (case / "series.csv").read_text().splitlines()
        assert len(rows) == len(series) and series[0] == "time,ball.velocity.z"


def test_what_is_wrong_in_all_cases_is_told_at_once(saltus, study):
    study["metrics"]["top"]["column"] = "ball.postion.z"
    saltus.write("study.json", study)
    done = saltus("sweep", "study.json")
    assert done.returncode == 2
    assert done.stderr.startswith("study.json: /metrics/top/column: no column is named")
    assert 'did you mean "ball.position.z"?' in done.stderr
    study["metrics"] = {"n": {"event": "impct", "take": "count"}}
    saltus.write("study.json", study)
    done = saltus("sweep", "study.json")
    assert done.returncode == 2
    assert "study.json: /metrics/n/event: must be one of impact, closes" in done.stderr
    assert 'did you mean "impact"?' in done.stderr
    study["metrics"] = {"n": {"event": "impact", "contact": "bonce", "take": "count"}}
    saltus.write("study.json", study)
    done = saltus("sweep", "study.json")
    assert done.returncode == 2
    assert "study.json: /metrics/n/contact: no contact or joint" in done.stderr
    assert 'did you mean "bounce"?' in done.stderr
    study["parameters"] = {"/model/contacts/7/friction": {"values": [1]}}
    saltus.write("study.json", study)
    done = saltus("sweep", "study.json")
    assert done.returncode == 2 and "ball.json" in done.stderr
    assert not (saltus.directory / "study-out").exists()
    assert saltus("sweep", "nothing.json").returncode == 4
