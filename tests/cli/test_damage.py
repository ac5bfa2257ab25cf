# SPDX-License-Identifier: Apache-2.0
"""Result files are input like any other: whatever is in them, no command crashes or runs for ever."""

import random
import shutil

import h5py
import numpy as np
import pytest

COMMANDS = (["report", "bad"], ["export", "--vtk", "bad"], ["compare", "bad", "ball-out"], ["info", "bad"])


@pytest.fixture
def damaged(saltus, ball):
    ball["simulation"]["end_time"] = 0.3
    assert saltus("run", saltus.write("ball.json", ball), "--quiet").returncode == 0

    def after(change):
        shutil.rmtree(saltus.directory / "bad", ignore_errors=True)
        shutil.copytree(saltus.directory / "ball-out", saltus.directory / "bad")
        change(saltus.directory / "bad" / "results.h5")
        return [saltus(*command) for command in COMMANDS]

    return after


def replace(name, values):
    def change(path):
        with h5py.File(path, "r+") as file:
            del file[name]
            file[name] = values
    return change


@pytest.mark.parametrize("name, values", [
    ("timeseries/owner", np.array([10**9], dtype=np.int32)),
    ("timeseries/kinds/interest", np.zeros(0, dtype=np.int32)),
    ("timeseries/columns", np.array([b"time"])),
    ("timeseries/data", np.zeros((3, 2))),
    ("events", np.zeros(4)),
    ("model", np.array(3.0)),
    ("model", np.bytes_(b"{\"saltus\": 1}")),
    ("timeseries/component", np.array([1.5])),
])
def test_what_does_not_fit_together_is_refused(damaged, name, values):
    results = damaged(replace(name, values))
    assert {r.returncode for r in results} <= {0, 4}
    assert any(r.returncode == 4 and "results" in r.stderr for r in results)


def test_owners_out_of_range_are_refused(damaged):
    def change(path):
        with h5py.File(path, "r+") as file:
            file["timeseries/owner"][:] = -7
    results = damaged(change)
    assert results[0].returncode == 4
    assert "what its columns mean cannot be read" in results[0].stderr


def test_forged_counts_are_refused(damaged):
    """A file that says it has a billion rows cannot have them."""
    def change(path):
        with h5py.File(path, "r+") as file:
            file["timeseries/data"].resize(10**9, axis=0)
    results = damaged(change)
    assert [r.returncode for r in results] == [4, 4, 4, 0]
    assert "timeseries/data says that it is larger than the file" in results[0].stderr


def test_columns_without_their_companions_are_refused(damaged):
    def change(path):
        with h5py.File(path, "r+") as file:
            column = [name.decode() for name in file["timeseries/columns"][()]].index("bounce.gap")
            file["timeseries/component"][column] = b"q"
    results = damaged(change)
    assert [r.returncode for r in results] == [0, 4, 0, 0]
    assert "columns are missing beside others that are there" in results[1].stderr


def test_numbers_elsewhere_are_not_fetched(saltus, damaged):
    """A dataset may say that its numbers are in another file of this machine."""
    secret = saltus.directory / "secret"
    secret.write_bytes(bytes(1 << 20))

    def change(path):
        with h5py.File(path, "r+") as file:
            shape = file["timeseries/data"].shape
            del file["timeseries/data"]
            file.create_dataset("timeseries/data", shape, "f8", external=[(str(secret), 0, 1 << 20)])
    results = damaged(change)
    assert results[0].returncode == 4
    assert "timeseries/data is not as Saltus writes it" in results[0].stderr


def test_flipped_bytes_do_no_harm(damaged):
    random.seed(24)

    def change(path):
        content = bytearray(path.read_bytes())
        for _ in range(random.choice([1, 4, 30])):
            content[random.randrange(min(len(content), 40000))] = random.choice([0, 1, 127, 128, 255])
        if random.random() < 0.1:
            del content[random.randrange(len(content)):]
        path.write_bytes(content)
    for _ in range(12):
        for result in damaged(change):
            assert result.returncode in (0, 4), result.stderr
