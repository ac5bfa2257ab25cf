# SPDX-License-Identifier: Apache-2.0
"""Plots of results with matplotlib.

Each function takes a result (of a simulation, or `saltus.read`), draws into `axes` or into a new
figure, and returns what it has drawn into. `plt.show()` or a notebook shows it.
"""

from __future__ import annotations

from typing import Any, Optional

import matplotlib.pyplot as plt
import numpy as np

from .errors import InputError
from .result import Result

_ENERGIES = ("kinetic", "gravity", "elastic")
_LOSSES = ("friction_loss", "impact_loss", "damping_loss", "numerical_loss")
_STATES = ("open", "slip", "stick")  # the values of the columns `status`


def series(result: Result, *names: str, axes: Any = None) -> Any:
    """Columns over time, e.g. series(result, "ball.position.z", "ball.velocity")."""
    if not names:
        raise InputError("name the columns to plot, e.g. \"ball.position.z\"; "
                         "result.columns lists them")
    axes = _axes(axes)
    units = []
    for name in names:
        for column, values in _columns(result, name):
            axes.plot(result.time, values, label=column)
            units.append(result.units[column])
    axes.set_ylabel(", ".join(dict.fromkeys(unit for unit in units if unit)))
    return _finish(axes)


def trajectory(result: Result, *bodies: str, plane: str = "xz", axes: Any = None) -> Any:
    """Paths of bodies in a coordinate plane."""
    if len(plane) != 2 or not set(plane) <= set("xyz"):
        raise InputError(f"plane: two of the letters x, y and z, e.g. \"xz\", got {plane!r}")
    if not bodies:
        raise InputError("name the bodies whose paths to draw")
    axes = _axes(axes)
    i, k = ("xyz".index(letter) for letter in plane)
    for body in bodies:
        x = result.position(body)
        axes.plot(x[:, i], x[:, k], label=body)
        axes.plot(x[-1, i], x[-1, k], "o", color=axes.lines[-1].get_color())
    axes.set_xlabel(f"{plane[0]} (m)")
    axes.set_ylabel(f"{plane[1]} (m)")
    axes.set_aspect("equal", adjustable="datalim")
    axes.legend()
    return axes


def energy(result: Result, axes: Any = None) -> Any:
    """The energies, and what was lost in friction, impacts, dampers and the scheme."""
    axes = _axes(axes)
    for name in (*_ENERGIES, *_LOSSES, "external_work"):
        values = result[f"energy.{name}"]
        if np.any(values != 0):
            axes.plot(result.time, values, "--" if name in _LOSSES else "-",
                      label=name.replace("_", " "))
    axes.set_ylabel("J")
    return _finish(axes)


def contact(result: Result, first: str, second: Optional[str] = None, axes: Any = None) -> Any:
    """Gap, normal impulse and state of a contact point, above each other.

    Of a contact of which only totals are recorded: their impulse and how many points touch.
    """
    name = result.contact_name(first, second)
    if f"{name}.closed" in result.columns:
        return _totals(result, name, axes)
    if axes is None:
        _, axes = plt.subplots(3, 1, sharex=True, layout="constrained")
    axes[0].plot(result.time, result[f"{name}.gap"])
    axes[0].set_ylabel("gap (m)")
    axes[1].step(result.time, result[f"{name}.impulse.n"], where="pre")
    axes[1].set_ylabel("impulse n (N s)")
    axes[2].step(result.time, result[f"{name}.status"], where="pre")
    axes[2].set_yticks(range(len(_STATES)), _STATES)
    axes[2].set_xlabel("t (s)")
    axes[0].set_title(name)
    return axes


def _totals(result: Result, name: str, axes: Any) -> Any:
    if axes is None:
        _, axes = plt.subplots(2, 1, sharex=True, layout="constrained")
    for component in "xyz":
        axes[0].step(result.time, result[f"{name}.impulse.{component}"], where="pre",
                     label=component)
    axes[0].set_ylabel("impulse (N s)")
    axes[0].legend()
    axes[1].step(result.time, result[f"{name}.closed"], where="pre")
    axes[1].set_ylabel("points that touch")
    axes[1].set_xlabel("t (s)")
    axes[0].set_title(name)
    return axes


def impacts(result: Result, axes: Any = None) -> Any:
    """Impulses of all impacts over time, a colour for each contact point."""
    axes = _axes(axes)
    rows = result.events[result.events["kind"] == b"impact"]
    for point in np.unique(rows["contact"]):
        of_point = rows[rows["contact"] == point]
        axes.stem(of_point["time"], of_point["impulse_n"], label=point.decode(),
                  linefmt=f"C{len(axes.containers) % 10}-", basefmt=" ")
    axes.set_ylabel("normal impulse (N s)")
    return _finish(axes)


def impact(result: Result, number: int = 1, *points: str, axes: Any = None) -> Any:
    """Velocities, impulses and works inside of a recorded impact over its impulse, above each other.

    Of the points that are named, or of all. Dotted lines are ends of compression, dashed ones ends
    of events. Needs record.impacts.
    """
    path = result.impact(number)
    if axes is None:
        _, axes = plt.subplots(4, 1, sharex=True, layout="constrained", figsize=(6.4, 8))
    for k, point in enumerate(points or path.points):
        moments, colour = path[point], f"C{k % 10}"
        axes[0].plot(moments["p"], moments["velocity_n"], color=colour, label=point)
        for component, style in (("t1", "-"), ("t2", "--")):
            values = moments[f"velocity_{component}"]
            if component == "t1" or np.any(values != 0):
                axes[1].plot(moments["p"], values, style, color=colour)
        _by_event(axes[2], moments, "impulse_n", color=colour)
        _by_event(axes[3], moments, "normal_work", color=colour)
        _by_event(axes[3], moments, "friction_work", color=colour, linestyle=":")
    for group in sorted(set(path.rows["group"].tolist())):
        _by_event(axes[3], _group_curve(path, group), "group_work", color="k",
                  label="$W_n$" if group == 1 else None)
    for axis, text in zip(axes, ("normal velocity (m/s)", "tangential velocity (m/s)",
                                 "normal impulse (N s)", "work (J)")):
        for end in path.compression_ends:
            axis.axvline(end, color="0.6", linestyle=":", linewidth=0.8)
        for order in sorted(set(path.rows["order"].tolist()))[1:]:
            axis.axvline(path.start(order), color="0.6", linestyle="--", linewidth=0.8)
        axis.set_ylabel(text)
        axis.grid(alpha=0.3)
    if len(points or path.points) <= 10:
        axes[0].legend()
    axes[3].legend()
    axes[3].set_xlabel("impulse p (N s)")
    axes[0].set_title(f"impact {path.number}, t = {path.time:.6g} s")
    return axes


def _group_curve(path: Any, group: int) -> np.ndarray:
    """The moments of one of the points of a group, which all have the group's work."""
    parts = []
    for row in path.rows[path.rows["group"] == group]:
        moments = path[row["contact"].decode()]
        parts.append(moments[moments["order"] == row["order"]])
    return np.concatenate(parts)


def _by_event(axes: Any, moments: np.ndarray, column: str, **style: Any) -> None:
    """A curve that begins anew with each event."""
    for k, order in enumerate(sorted(set(moments["order"].tolist()))):
        of_event = moments[moments["order"] == order]
        axes.plot(of_event["p"], of_event[column],
                  **{**style, "label": style.get("label") if k == 0 else None})


def _axes(axes: Any) -> Any:
    return axes if axes is not None else plt.subplots(layout="constrained")[1]


def _columns(result: Result, name: str) -> list[tuple[str, np.ndarray]]:
    if name in result.columns:
        return [(name, result[name])]
    values = result[name]  # a vector, or an error that names the nearest column
    first = result.columns.index(next(c for c in result.columns if c.startswith(name + ".")))
    return [(result.columns[first + i], values[:, i]) for i in range(values.shape[1])]


def _finish(axes: Any) -> Any:
    axes.set_xlabel("t (s)")
    axes.grid(alpha=0.3)
    if axes.get_legend_handles_labels()[0]:
        axes.legend()
    return axes
