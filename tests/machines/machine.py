# SPDX-License-Identifier: Apache-2.0
"""Runs a model with the program and reads what it wrote."""

import csv
import json
import os
import pathlib
import subprocess
import tempfile

import numpy as np

SALTUS = os.environ.get("SALTUS", "build/release/saltus")
ALPHA = {"type": "nonsmooth_generalized_alpha", "step": 1e-3}
MOREAU = {"type": "moreau_jean", "step": 1e-3}
EVENTS = {"type": "event_driven", "step": 1e-2}


class Result:
    def __init__(self, directory):
        with open(directory / "timeseries.csv", encoding="utf-8") as file:
            rows = list(csv.reader(file))
        numbers = np.array([[float(x) for x in row] for row in rows[1:]])
        self.columns = dict(zip(rows[0], numbers.T))
        with open(directory / "events.csv", encoding="utf-8") as file:
            self.events = [{key: value if key in ("contact", "kind") else float(value) for key, value in row.items()}
                           for row in csv.DictReader(file)]
        self.summary = json.loads((directory / "summary.json").read_text(encoding="utf-8"))

    def __getitem__(self, name):
        return self.columns[name]

    @property
    def time(self):
        return self.columns["time"]


def run(model, *options):
    with tempfile.TemporaryDirectory() as place:
        path = pathlib.Path(place)
        (path / "model.json").write_text(json.dumps(model), encoding="utf-8")
        subprocess.run([SALTUS, "run", path / "model.json", "-o", path / "out", "--quiet", *options],
                       check=True, timeout=600)
        return Result(path / "out")


def messages(model, *options):
    """What the program says to a model that is wrong."""
    with tempfile.TemporaryDirectory() as place:
        path = pathlib.Path(place) / "model.json"
        path.write_text(json.dumps(model), encoding="utf-8")
        done = subprocess.run([SALTUS, "check", path, *options], capture_output=True, text=True, timeout=60)
        assert done.returncode == 2, done.stdout + done.stderr
        return done.stderr.replace(str(path) + ": ", "")


def disc(name, place, inertia=0.02, mass=1.0, **more):
    """A body that turns about z."""
    moments = {"type": "explicit", "mass": mass, "moments": [inertia, inertia, inertia]}
    return {"name": name, "type": "rigid", "inertia": moments, "pose": {"position": place}, **more}


def pin(name, bodies, place, **more):
    return {"name": name, "type": "revolute", "bodies": bodies, "at": place, "axis": "z", **more}


def slide(name, bodies, place, axis="x", **more):
    return {"name": name, "type": "prismatic", "bodies": bodies, "at": place, "axis": axis, **more}


def model(bodies, joints, forces=(), end_time=1.0, integrator=ALPHA, gravity=(0, 0, 0), **more):
    return {"saltus": 1, **more.pop("top", {}),
            "model": {"gravity": list(gravity), "bodies": bodies, "joints": list(joints), "forces": list(forces),
                      **more.pop("parts", {})},
            "simulation": {"end_time": end_time, "integrator": integrator, **more}}
