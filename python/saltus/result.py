# SPDX-License-Identifier: Apache-2.0
"""Results of runs, from memory or from the files of `saltus run`: the engine is not needed."""

from __future__ import annotations

import difflib
import json
import os
from typing import Any, Callable, Iterator, Optional, Sequence, Union

import numpy as np

from .errors import FileError, InputError
from .records import did_you_mean

_VECTORS = (("n", "t1", "t2"), ("x", "y", "z"))  # of impulses, which have both, the first


class Report(dict):
    """How a run went: the content of summary.json, also as attributes; prints as a few lines."""

    def __init__(self, content: dict[str, Any], text: str = "") -> None:
        super().__init__(content)
        self._text = text

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"a report has no {name!r}" + did_you_mean(name, self)) from None

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self]

    @property
    def converged(self) -> bool:
        """Whether the run came to its end."""
        return self["status"] == "completed"

    def summary(self) -> str:
        """A few lines for people."""
        if self._text:
            return self._text
        return (f"{self['status']}: {self['steps']} steps to t = {self['end_time']:.6g} s, "
                f"{self['impacts']} impacts, penetration at most {self['max_penetration']:.2g} m")

    __str__ = __repr__ = summary


class Table:
    """A table with named columns, one row a mode."""

    def __init__(self, names: Sequence[str], values: np.ndarray) -> None:
        self.names = list(names)
        self.values = values

    def __getitem__(self, name: str) -> np.ndarray:
        return self.values[:, _index(name, self.names)]

    def __len__(self) -> int:
        return len(self.values)

    def __repr__(self) -> str:
        return f"<table of {len(self)} rows: {', '.join(self.names[:6])}, …>"


class ImpactPath:
    """What happened inside of one impact, as functions of the impulse.

    Its events follow each other. path["k.p1"] are the moments of a contact point: an array with the
    columns of impact_paths.csv (impulse_n, velocity_n, velocity_t1, normal_work, …). In it impulses
    and works are those of the event, from zero on; `p` counts on through the events, so that curves
    can be drawn over it.
    """

    def __init__(self, rows: np.ndarray, moments: np.ndarray) -> None:
        self.number = int(rows["impact"][0])
        self.time = float(rows["time"][0])
        self.rows = rows[rows["group"] > 0]
        self.points = list(dict.fromkeys(name.decode() for name in moments["contact"]))
        self._moments = moments.copy()
        self._moments["p"] += np.array([self.start(order) for order in moments["order"]])

    def start(self, order: int) -> float:
        """The impulse of the events before this one, sum of all normal impulses (N s)."""
        return float(self.rows["impulse"][self.rows["order"] < order].sum())

    @property
    def compression_ends(self) -> list[float]:
        """The p at which groups end their compression, where the whole event has one group (N s)."""
        return [self.start(row["order"]) + float(row["compression_impulse"]) for row in self.rows
                if np.count_nonzero(self.rows["order"] == row["order"]) == 1
                and row["restitution"] >= 0]

    def __getitem__(self, point: str) -> np.ndarray:
        if point not in self.points:
            raise InputError(f"{point!r} takes no part in impact {self.number}; "
                             f"there are: {', '.join(self.points[:8])}")
        return self._moments[self._moments["contact"] == point.encode()]

    def __repr__(self) -> str:
        events = len(set(self.rows["order"].tolist()))
        return (f"<impact {self.number} at t = {self.time:.6g} s: {events} "
                f"event{'s' if events > 1 else ''}, {len(self.points)} points>")


class Result:
    """A table with one row a record, events, contact forces, modes and the report.

    result["ball.position.z"] is a column, result["ball.position"] three of them, (records, 3).
    Both are views, no copies, unless a method says otherwise.
    """

    def __init__(self, columns: Sequence[tuple[str, str, str]], values: Any, events: np.ndarray,
                 forces: np.ndarray, report: Report, model_text: Callable[[], str],
                 modes: Optional[Table] = None,
                 owners: Optional[Sequence[tuple[str, str, str, str]]] = None,
                 impacts: Optional[np.ndarray] = None,
                 impact_paths: Optional[np.ndarray] = None) -> None:
        self.columns = [name for name, _, _ in columns]
        self.units = {name: unit for name, unit, _ in columns}
        self.descriptions = {name: text for name, _, text in columns}
        self.values = values
        self.events = events
        self.forces = forces
        self.report = report
        self.modes = modes
        # Only with record.impacts.
        self.impacts = impacts if impacts is not None else np.zeros(0)
        self.impact_paths = impact_paths if impact_paths is not None else np.zeros(0)
        self._places = {name: i for i, name in enumerate(self.columns)}
        self._model_text = model_text
        if owners is None:  # an earlier version: by names
            owners = [_guessed_owner(name) for name in self.columns]
        # In the order of the columns: colliders of contact points, where they are known, and
        # contacts with the sum of their points.
        self._points = {name: (first, second) if first else None
                        for kind, name, first, second in owners if kind == "point"}
        self._sums = list(dict.fromkeys(name for kind, name, _, _ in owners if kind == "contact"))

    @property
    def model(self) -> dict[str, Any]:
        """The model file's content, as it was run."""
        return json.loads(self._model_text())

    @property
    def time(self) -> np.ndarray:
        """Of the records (s)."""
        return self["time"]

    def __len__(self) -> int:
        return len(self.values)

    def __contains__(self, name: str) -> bool:
        return name in self._places or any(f"{name}.{v[0]}" in self._places for v in _VECTORS)

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def keys(self) -> list[str]:
        """The names of the columns."""
        return self.columns

    def __getitem__(self, name: str) -> np.ndarray:
        if name in self._places:
            return self.values[:, self._places[name]]
        if f"{name}.w" in self._places:  # a quaternion
            first = self._places[f"{name}.w"]
            return self.values[:, first:first + 4]
        for vector in _VECTORS:
            if f"{name}.{vector[0]}" in self._places and f"{name}.{vector[2]}" in self._places:
                first = self._places[f"{name}.{vector[0]}"]
                return self.values[:, first:first + 3]
        _index(name, self.columns)
        raise AssertionError("unreachable")

    def position(self, body: str, arclength: Optional[float] = None) -> np.ndarray:
        """Of a body's origin (a flexible body's centre of mass) in the inertial frame, (records, 3).

        With an arclength of a beam or bar: of that place; between nodes a copy, linear.
        """
        return self._of_body(body, "position", arclength)

    def velocity(self, body: str, arclength: Optional[float] = None) -> np.ndarray:
        """The same for velocities."""
        return self._of_body(body, "velocity", arclength)

    def orientation(self, body: str) -> np.ndarray:
        """Unit quaternions (w, x, y, z) from body to inertial axes, (records, 4)."""
        return self[f"{body}.orientation"]

    def angular_velocity(self, body: str) -> np.ndarray:
        """In inertial components, (records, 3)."""
        return self[f"{body}.angular_velocity"]

    def _of_body(self, body: str, what: str, arclength: Optional[float]) -> np.ndarray:
        if arclength is None:
            return self[f"{body}.{what}"]
        places = self.node_arclengths(body)
        if not -1e-9 <= arclength <= places[-1] * (1 + 1e-9):
            raise InputError(f"{body}: arclength {arclength:g} m is not on it; it is "
                             f"{places[-1]:.6g} m long")
        k = min(max(int(np.searchsorted(places, arclength, side="right")) - 1, 0), len(places) - 2)
        share = (arclength - places[k]) / (places[k + 1] - places[k])
        if abs(share - round(share)) < 1e-9:  # on a node
            return self[f"{body}.node{k + round(share)}.{what}"]
        return ((1 - share) * self[f"{body}.node{k}.{what}"]
                + share * self[f"{body}.node{k + 1}.{what}"])

    def node_arclengths(self, body: str) -> np.ndarray:
        """Of the nodes of a beam or bar, from its start, along straight lines at the start (m)."""
        nodes = []
        while f"{body}.node{len(nodes)}.position.x" in self._places:
            nodes.append(self[f"{body}.node{len(nodes)}.position"][0])
        if len(nodes) < 2:
            raise InputError(f"{body!r} has no recorded nodes: it is not a beam or bar, or "
                             "record.flexible is \"bodies\"")
        steps = np.linalg.norm(np.diff(np.array(nodes), axis=0), axis=1)
        return np.concatenate([[0.0], np.cumsum(steps)])

    @property
    def contacts(self) -> list[str]:
        """Names of contact points, and of contacts of which only totals are recorded."""
        return [*self._points, *self._totals()]

    def _totals(self) -> list[str]:
        return [name for name in self._sums if f"{name}.closed" in self._places]

    def impulse(self, first: str, second: Optional[str] = None) -> np.ndarray:
        """Impulse since the last record, (records, 3): normal, tangent 1, tangent 2.

        impulse(contact point), on the second collider of its contact; impulse(a, b) on b: a copy if
        the contact names them the other way round. Of a contact of which only totals are recorded
        it is the sum over its points, inertial x, y, z.
        """
        name = self.contact_name(first, second)
        if name in self._totals():
            total = self[f"{name}.impulse"]
            return -total if second is not None and self._is_reversed(name, first, second) else total
        if f"{name}.impulse.n" not in self._places:
            points = [point for point in self.contacts if point.startswith(f"{name}.")]
            raise InputError(f"{name!r} is no contact point" + (
                f"; it has several: {', '.join(points[:8])}; {name}.impulse.x, .y, .z is their sum"
                if points else f"; there are: {', '.join(self.contacts[:8]) or 'none'}"))
        impulse = self[f"{name}.impulse"]
        if second is not None and self._is_reversed(name, first, second):
            # The other normal, -n, the same t1, the other t2, and the opposite impulse.
            impulse = impulse * np.array([1.0, -1.0, 1.0])
        return impulse

    def gap(self, first: str, second: Optional[str] = None) -> np.ndarray:
        """Distance of a contact point (m)."""
        return self[f"{self.contact_name(first, second)}.gap"]

    def impact(self, number: int = 1) -> ImpactPath:
        """What happened inside of one of the recorded impacts, counted from 1."""
        if len(self.impacts) == 0:
            raise InputError("no insides of impacts are recorded; record.impacts = True does it, "
                             "with the event_driven integrator")
        rows = self.impacts[self.impacts["impact"] == number]
        if len(rows) == 0:
            raise InputError(f"impact {number!r} is not recorded; they are numbered from 1 to "
                             f"{self.impacts['impact'].max()}")
        return ImpactPath(rows, self.impact_paths[self.impact_paths["impact"] == number])

    def contact_name(self, first: str, second: Optional[str] = None) -> str:
        """The contact point of two colliders."""
        if second is None:
            return first
        found = [name for name in self.contacts if self._is_between(name, first, second)]
        if len(found) == 1:
            return found[0]
        if not found:
            raise InputError(f"no contact point is recorded between {first!r} and {second!r}; "
                             f"there are: {', '.join(self.contacts[:8]) or 'none'}")
        raise InputError(f"{first!r} and {second!r} touch in several points: {', '.join(found[:8])}"
                         "; name one")

    def _is_between(self, point: str, first: str, second: str) -> bool:
        return self._pair(point) in ((first, second), (second, first))

    def _is_reversed(self, point: str, first: str, second: str) -> bool:
        return self._pair(point) == (second, first)

    def _pair(self, point: str) -> tuple:
        """The colliders of a contact point or of a contact with totals, in the contact's order."""
        colliders = self._points.get(point)
        if colliders is not None:
            return colliders
        for entry in self.model["model"].get("contacts", []):
            if entry.get("name") == point:  # the only point of a contact has its name
                return tuple(entry["between"]) if all(
                    isinstance(side, str) for side in entry["between"]) else ()
        parts = point.split(".")  # of an earlier version: contact.collider.collider.number
        return tuple(parts[-3:-1]) if len(parts) >= 4 else ()

    def __repr__(self) -> str:
        if len(self) == 0:
            return "<saltus.Result: no records yet>"
        return (f"<saltus.Result: {len(self)} records of {len(self.columns)} columns, "
                f"t = {self.time[0]:.6g} … {self.time[-1]:.6g} s, {len(self.events)} events>")

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><td>{name}</td><td>{self.units[name]}</td>"
                       f"<td>{self.descriptions[name]}</td></tr>" for name in self.columns[:40])
        more = (f"<tr><td>… and {len(self.columns) - 40} more</td></tr>"
                if len(self.columns) > 40 else "")
        text = repr(self)[1:-1]
        return (f"<b>{text}</b><table><tr><th>column</th><th>unit</th><th>what it is</th></tr>"
                f"{rows}{more}</table>")


def read(directory: Union[str, os.PathLike]) -> Result:
    """The results that `saltus run` or `Simulation.save` has written; needs h5py."""
    import h5py

    path = os.path.join(os.fspath(directory), "results.h5")
    try:
        file = h5py.File(path, "r")
    except OSError as error:
        raise FileError(f"{path}: no results to read ({error}); "
                        "name the directory that `saltus run` wrote") from None
    with file:
        try:
            _check_counts(file, os.path.getsize(path))
            return _read(file)
        except (ArithmeticError, AttributeError, LookupError, MemoryError, OSError, RuntimeError,
                TypeError, ValueError) as error:
            raise FileError(f"{path}: is damaged ({type(error).__name__}: {error}); "
                            "run the model again") from None


def _check_counts(file, size: int) -> None:
    """A file may say any number of rows: it cannot hold more than its size."""
    import h5py

    def check(name, item):
        if isinstance(item, h5py.Dataset) and item.nbytes > size:
            raise ValueError(f"{name} says that it is larger than the file")

    file.visititems(check)


def _read(file) -> Result:
    series = file["timeseries"]
    texts = [[text.decode() for text in series[name][()]]
             for name in ("columns", "units", "descriptions")]
    data = series["data"][()]
    if data.ndim != 2 or {len(t) for t in texts} != {data.shape[1]}:
        raise ValueError("not as many columns as names")
    forces = file["contact_forces"][()] if "contact_forces" in file else np.zeros(0)
    impacts, paths = (file[name][()] if name in file else None
                      for name in ("impacts", "impact_paths"))
    modes = None
    if "modes" in file:
        modes = Table([name.decode() for name in file["modes"]["columns"][()]],
                      file["modes"]["data"][()])
    owners = None
    if "owners" in series:
        of = series["owners"]
        lists = [[text.decode() for text in of[name][()]] if name in of
                 else [""] * len(of["names"])
                 for name in ("kinds", "names", "first_colliders", "second_colliders")]
        rows = list(zip(*lists))
        whose = series["owner"][()]
        if len(whose) != data.shape[1] or whose.min() < 0:
            raise ValueError("not as many owners as columns")
        owners = [rows[i] for i in whose]
    model = file["model"][()].decode()
    report = Report(json.loads(file["summary"][()].decode()))
    return Result(list(zip(*texts)), data, file["events"][()], forces, report,
                  lambda: model, modes, owners, impacts, paths)


def _guessed_owner(column: str) -> tuple[str, str, str, str]:
    """Of results that do not say it: what the name of a column tells."""
    for kind, end in (("point", ".impulse.n"), ("contact", ".closed")):
        if column.endswith(end):
            return kind, column[:-len(end)], "", ""
    return "", "", "", ""


def _index(name: str, names: Sequence[str]) -> int:
    if name in names:
        return names.index(name)
    stems = sorted({n.rpartition(".")[0] for n in names if "." in n})
    whole = [n for n in names if n.startswith(f"{name}.")]
    if whole:
        raise InputError(f"{name!r} has several columns: {', '.join(whole[:8])}; name one")
    near = difflib.get_close_matches(str(name), [*names, *stems], 1)
    hint = f"did you mean {near[0]!r}?" if near else "`columns` lists them"
    raise InputError(f"there is no column {name!r}; {hint}")
