# SPDX-License-Identifier: Apache-2.0
"""Runs the program and reads its results; shares nothing with it but the formats of its files."""

import csv
import dataclasses
import functools
import json
import os
import pathlib
import resource
import signal
import subprocess
import tempfile

import h5py
import numpy as np

SALTUS = os.environ.get("SALTUS", "build/release/saltus")
PATIENCE = 60  # s of processor time, whatever else the machine does: a hundred times what a model of the zoo takes


@dataclasses.dataclass
class Quantity:
    """Columns that belong together: a vector, a quaternion or a number, one row a recorded step."""

    owner: str  # kind of owner: body, node, element, joint, point, contact, …
    kind: str  # position, force, …
    unit: str
    components: tuple
    rows: np.ndarray


@dataclasses.dataclass
class Result:
    model: dict
    time: np.ndarray
    quantities: dict  # "ball.position", "touch.impulse" (x, y, z), "touch.impulse.n", …
    events: list
    summary: dict

    def __getitem__(self, name):
        rows = self.quantities[name].rows
        return rows[:, 0] if rows.shape[1] == 1 else rows

    def __contains__(self, name):
        return name in self.quantities

    @property
    def impact_rows(self):
        """Rows at the ends of steps in which there was an impact."""
        return self.rows_of(e["time"] for e in self.events if e["kind"] == "impact")

    def rows_of(self, times):
        """Rows at the ends of the steps in which something happened."""
        return np.unique(np.searchsorted(self.time, np.array(list(times)) - 1e-9 * self.time[-1]))

    def largest(self, unit):
        """The largest magnitude among the quantities of a unit."""
        return max((np.abs(q.rows).max() for q in self.quantities.values() if q.unit == unit), default=0.0)

    @functools.cached_property
    def sizes(self):
        """What deviations are measured by, for each unit.

        What is zero but for round-off is measured by what it could be: the speed of a fall through the scene,
        the moment of the forces with the arm of the scene.
        """
        gravity = np.linalg.norm(self.model["model"]["gravity"])
        step = np.diff(self.time).max()  # between rows: impulses are added up
        m = self.largest("m")
        speed = max(self.largest("m/s"), np.sqrt(gravity * m))
        energy = max(q.rows.max() - q.rows.min() for q in self.quantities.values() if q.owner == "ledger")
        energy = max(energy, self["energy.kinetic"].max())
        force = max(self.largest("N"), self.largest("N s") / step, energy / m)
        impulse = max(self.largest("N s"), force * step)
        own = {unit: self.largest(unit) for unit in ("1/m", "Pa")}
        return {
            **own,
            "m": m,
            "m/s": speed,
            "rad": max(self.largest("rad"), 1.0),
            "1": 1.0,
            "rad/s": max(self.largest("rad/s"), speed / m),
            "N": force,
            "N m": max(self.largest("N m"), force * m),
            "N s": impulse,
            "N m s": max(self.largest("N m s"), impulse * m),
            "J": max(energy, force * m),
        }


def read_table(path):
    with open(path, newline="") as file:
        header = next(csv.reader(file))
    return header, np.loadtxt(path, delimiter=",", skiprows=1, ndmin=2)


def read_events(path):
    def value(key, text):
        return text if key in ("contact", "kind") else float(text or "nan")

    with open(path, newline="") as file:
        return [{k: value(k, v) for k, v in row.items()} for row in csv.DictReader(file)]


def read_quantities(path, header, rows):
    """Groups the columns of timeseries.csv by what results.h5 tells of them."""
    with h5py.File(path) as file:
        series = file["timeseries"]

        def texts(name):
            return [text.decode() for text in series[name][:]]

        assert texts("columns") == header
        assert np.array_equal(series["data"][:], rows), "timeseries.csv and results.h5 differ"
        kinds, owners = texts("kinds/names"), texts("owners/kinds")
        groups = {}
        for i, (name, component) in enumerate(zip(header, texts("component"))):
            vector = component in ("x", "y", "z", "w")
            groups.setdefault(name.rpartition(".")[0] if vector else name, []).append((i, component))
        units, kind, owner = texts("units"), series["kind"][:], series["owner"][:]
    result = {}
    for name, members in groups.items():
        columns = [i for i, _ in members]
        first = columns[0]
        result[name] = Quantity(
            owners[owner[first]], kinds[kind[first]], units[first], tuple(c for _, c in members),
            rows[:, columns],
        )
    return result


def run(model):
    """The result of a model; what was run before is not run again."""
    failure, result = _execute(json.dumps(model))
    assert result, failure
    return result


def failure_of(model):
    """"exit 2: …", or nothing."""
    return _execute(json.dumps(model))[0]


def fails(model):
    return _execute(json.dumps(model))[1] is None


def _be_patient():
    resource.setrlimit(resource.RLIMIT_CPU, (PATIENCE, PATIENCE + 5))


@functools.lru_cache(maxsize=2000)
def _execute(text):
    """What went wrong, and the result or None."""
    with tempfile.TemporaryDirectory(prefix="laws") as place:
        path, out = pathlib.Path(place) / "model.json", pathlib.Path(place) / "out"
        path.write_text(text)
        command = [SALTUS, "run", path, "-o", out, "--quiet"]
        done = subprocess.run(command, capture_output=True, text=True, preexec_fn=_be_patient)
        if done.returncode == -signal.SIGXCPU:
            return f"no end in {PATIENCE} s", None
        if done.returncode != 0:
            return f"exit {done.returncode}: {done.stderr}", None
        header, rows = read_table(out / "timeseries.csv")
        quantities = read_quantities(out / "results.h5", header, rows)
        summary = json.loads((out / "summary.json").read_text())
        events = read_events(out / "events.csv")
        return "", Result(json.loads(text), rows[:, 0], quantities, events, summary)
