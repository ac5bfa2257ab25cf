# SPDX-License-Identifier: Apache-2.0
"""What halving the step does: `saltus converge` for programs."""

from __future__ import annotations

import dataclasses
import math
import numbers
from typing import Optional, Sequence

import numpy as np

from .errors import InputError
from .mechanism import Model
from .model import Dynamics, EventDriven
from .simulation import Simulation

DEPARTURE = 0.01
"""Of a column whose finest runs differ by more than this part of its range one cannot say what it
will be."""


@dataclasses.dataclass
class ColumnConvergence:
    """One column of the results, at the end of runs with h, h/2, …

    order: observed in the finest three; None: they do not get closer
    estimate: Richardson's; without an order the finest value
    error: of the finest value
    comparable_until: when the finest two runs differ by a part of the range (s); None: nowhere
    """

    steps: list[float]
    values: list[float]
    order: Optional[float]
    estimate: float
    error: float
    comparable_until: Optional[float]


def converge(model: Model, analysis: Dynamics, halvings: int = 2,
             columns: Sequence[str] = ()) -> dict[str, ColumnConvergence]:
    """Runs a model with the step of its integrator, half of it, …: what comes of each column.

    columns: names, or beginnings of them up to a dot; the places of all bodies if none are given.
    """
    if not isinstance(analysis, Dynamics) or isinstance(analysis.integrator, EventDriven):
        raise InputError("converge: there is no step to be halved; choose Dynamics with an "
                         "integrator that has steps")
    if not isinstance(analysis.integrator.step, numbers.Real):
        raise InputError("converge: the step cannot be halved: steps are chosen by their error, and "
                         "have no order; give a number, or compare runs with smaller tolerances")
    runs = []
    for level in range(halvings + 1):
        runs.append(_run(model, analysis, level))
        if level >= 2:
            runs[level - 2] = runs[level - 2][:2] + (None,)  # only the finest two are compared
    names = _selected(runs[-1][2], columns)
    found = {}
    for name in names:
        values = [float(end[name]) for _, end, _ in runs]
        order, estimate, error = _extrapolated(values)
        found[name] = ColumnConvergence([step for step, _, _ in runs], values, order, estimate, error,
                                        _departure(runs[-1][2], runs[-2][2], name))
    return found


def _run(model, analysis, level):
    parts = 2 ** level
    step = analysis.integrator.step / parts
    simulation = Simulation(
        model, analysis, integrator=dataclasses.replace(analysis.integrator, step=step),
        record=_recorded(analysis.record, parts))
    report = simulation.run()
    if report.status != "completed":
        raise InputError(f"converge: with h = {step:g} s the run ends at t = {simulation.time:g} s: "
                         f"{report.status}")
    result = simulation.result
    return step, {name: result[name][-1] for name in result.columns}, result


def _recorded(record, parts):
    """With rows at the same times."""
    if record.interval is not None:
        return record
    return dataclasses.replace(record, every=record.every * parts)


def _selected(result, columns):
    if not columns:
        return [name for name in result.columns
                if name.rpartition(".")[0].endswith(".position") and ".node" not in name]
    names = []
    for column in columns:
        matching = [n for n in result.columns if n == column or n.startswith(column + ".")]
        if not matching:
            result[column]  # says which is near
        names += matching
    return [name for name in result.columns if name in names]


def _extrapolated(values):
    """The limit of values whose remainder is c h^p, with the sign with which differences come."""
    if len(values) < 2:
        return None, values[-1], 0.0
    fine = values[-1] - values[-2]
    if len(values) < 3:
        return None, values[-1], abs(fine)
    coarse = values[-2] - values[-3]
    scale = max(map(abs, values[-3:]))
    if abs(fine) <= 1e-13 * scale or abs(coarse) <= abs(fine):
        return None, values[-1], max(abs(fine), abs(coarse))
    estimate = values[-1] + fine * fine / (coarse - fine)
    return math.log2(abs(coarse / fine)), estimate, abs(estimate - values[-1])


def _departure(fine, coarse, name):
    rows = min(len(fine.time), len(coarse.time))
    values = np.asarray(fine[name])
    apart = np.abs(values[:rows] - np.asarray(coarse[name])[:rows])
    beyond = np.flatnonzero(apart > DEPARTURE * np.ptp(values))
    return float(fine.time[beyond[0]]) if len(beyond) else None
