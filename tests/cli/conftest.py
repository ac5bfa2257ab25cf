# SPDX-License-Identifier: Apache-2.0
"""Helpers for the tests of the program: models, and a way to call it in an empty directory."""

import contextlib
import copy
import csv
import ctypes
import json
import os
import pathlib
import pty
import select
import subprocess
import time

import pytest

SALTUS = os.environ.get("SALTUS", "build/release/saltus")
PATIENCE = 1200  # s: the limit of every wait, far beyond what a busy machine needs

TOP = {
    "saltus": 1,
    "model": {
        "gravity": [0, 0, -9.81],
        "bodies": [
            {
                "name": "top",
                "type": "rigid",
                "inertia": {"type": "explicit", "mass": 15, "moments": [0.234375, 0.46875, 0.234375]},
                "pose": {"position": [0, 1, 0]},
                "velocity": {"linear": [4.61538, 0, 0], "angular": [0, 150, -4.61538]},
            }
        ],
        "joints": [
            {"name": "pivot", "type": "spherical", "bodies": ["ground", "top"], "at": [0, 0, 0]}
        ],
    },
    "simulation": {"end_time": 0.01, "integrator": {"type": "generalized_alpha", "step": 1e-4}},
}

PENDULUM = {
    "saltus": 1,
    "model": {
        "bodies": [
            {
                "name": "bob",
                "type": "rigid",
                "inertia": {"type": "solid_sphere", "mass": 2, "radius": 0.1},
                "pose": {"position": [0.3, 0, -1]},
            }
        ],
        "joints": [
            {
                "name": "pin",
                "type": "revolute",
                "bodies": ["ground", "bob"],
                "at": [0, 0, 0],
                "axis": [0, 1, 0],
            }
        ],
    },
    "simulation": {"end_time": 0.01, "integrator": {"type": "generalized_alpha", "step": 1e-3}},
}

BALL = {
    "saltus": 1,
    "model": {
        "bodies": [
            {"name": "ball", "type": "point_mass", "mass": 2, "pose": {"position": [0, 0, 0.1]}}
        ],
        "colliders": [
            {"name": "skin", "frame": {"body": "ball"}, "shape": {"type": "point"}},
            {"name": "floor", "frame": {"body": "ground"}, "shape": {"type": "half_space"}},
        ],
        "contacts": [{"name": "bounce", "between": ["floor", "skin"], "restitution": 0.5}],
    },
    "simulation": {
        "end_time": 1,
        "integrator": {"type": "nonsmooth_generalized_alpha", "step": 1e-3},
    },
}


def processor_seconds(process):
    """The processor time that a running program has used; it does not depend on other programs."""
    clock = ctypes.c_int()
    assert ctypes.CDLL(None).clock_getcpuclockid(process.pid, ctypes.byref(clock)) == 0
    return time.clock_gettime(clock.value)


class Terminal:
    """A terminal of its own for a program, and all that it has printed there."""

    def __init__(self, start):
        self.ours, theirs = pty.openpty()
        self.process = start(theirs)
        os.close(theirs)
        self.text = ""

    def read_until(self, enough):
        """Reads on until the text is enough; False if the program ended before."""
        end = time.monotonic() + PATIENCE
        while not enough(self.text):
            assert time.monotonic() < end
            if not select.select([self.ours], [], [], 1)[0]:
                continue
            try:
                self.text += os.read(self.ours, 65536).decode()
            except OSError:  # nobody has it open any more
                return False
        return True

    def read_all(self):
        """Reads on until the program has ended."""
        self.read_until(lambda text: False)
        self.process.wait(timeout=PATIENCE)


class Program:
    """The program in a working directory of its own."""

    patience = PATIENCE
    processor_seconds = staticmethod(processor_seconds)

    def __init__(self, directory):
        self.directory = pathlib.Path(directory)

    def write(self, name, model):
        text = model if isinstance(model, str) else json.dumps(model)
        (self.directory / name).write_text(text)
        return name

    def __call__(self, *arguments, **options):
        return subprocess.run(
            [SALTUS, *map(str, arguments)],
            cwd=self.directory,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            **options,
        )

    def start(self, *arguments, **options):
        return subprocess.Popen([SALTUS, *map(str, arguments)], cwd=self.directory, **options)

    @contextlib.contextmanager
    def on_terminal(self, *arguments, **options):
        terminal = Terminal(lambda theirs: self.start(*arguments, stdout=theirs, **options))
        try:
            yield terminal
        finally:
            terminal.process.kill()
            terminal.process.wait()
            os.close(terminal.ours)

    def wait_until(self, condition, process):
        """Waits for a condition that a running program brings about."""
        end = time.monotonic() + PATIENCE
        while not condition():
            assert process.poll() is None, "the program ended"
            assert time.monotonic() < end
            time.sleep(0.002)

    def wait_for(self, path, process):
        self.wait_until((self.directory / path).exists, process)

    def let_run(self, process, seconds):
        """Waits until a program has used this much more processor time."""
        end = processor_seconds(process) + seconds
        self.wait_until(lambda: processor_seconds(process) >= end, process)

    def finish(self, process):
        """Waits for the end of a program; what it has printed to pipes."""
        return process.communicate(timeout=PATIENCE)

    def summary(self, directory):
        return json.loads((self.directory / directory / "summary.json").read_text())

    def table(self, directory, name="timeseries.csv"):
        with open(self.directory / directory / name, newline="") as file:
            return list(csv.reader(file))


@pytest.fixture
def saltus(tmp_path):
    return Program(tmp_path)


@pytest.fixture
def top():
    return copy.deepcopy(TOP)


@pytest.fixture
def pendulum():
    return copy.deepcopy(PENDULUM)


@pytest.fixture
def ball():
    return copy.deepcopy(BALL)


@pytest.fixture
def long_ball(ball):
    """Bounces for hours: no energy is lost."""
    ball["model"]["contacts"][0]["restitution"] = 1
    ball["simulation"]["end_time"] = 1e5
    return ball


@pytest.fixture
def long_top(top):
    """Runs for hours."""
    top["simulation"]["end_time"] = 1e5
    return top
