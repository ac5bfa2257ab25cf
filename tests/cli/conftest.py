# SPDX-License-Identifier: Apache-2.0
"""Helpers for the tests of the program: models, and a way to call it in an empty directory."""

import copy
import csv
import json
import os
import pathlib
import subprocess

import pytest

SALTUS = os.environ.get("SALTUS", "build/release/saltus")

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


class Program:
    """The program in a working directory of its own."""

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
            timeout=120,
            **options,
        )

    def start(self, *arguments, **options):
        return subprocess.Popen([SALTUS, *map(str, arguments)], cwd=self.directory, **options)

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
