# SPDX-License-Identifier: Apache-2.0
"""Runs of models."""

from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import sys
import warnings
import webbrowser
from typing import Any, Callable, Mapping, Optional, Union

from .mechanism import Model, document, read_model
from .model import Dynamics, Modes, Statics
from .result import Report, Result, Table

Analysis = Union[Dynamics, Statics, Modes]


class Simulation:
    """A run of a model: start, steps, results.

    Simulation(model, integrator=..., solver=..., record=...) is a motion in time; its keywords are
    the fields of `Dynamics`. Statics and modes are said by the second argument:
    Simulation(model, st.Modes(count=6)).

    log: called with ("info" or "warning", text); by default warnings become Python's warnings.
    """

    def __init__(self, model: Model, analysis: Optional[Analysis] = None, *,
                 log: Optional[Callable[[str, str], Any]] = None, **options: Any) -> None:
        from . import _engine
        if analysis is None:
            analysis = Dynamics(**{"end_time": 1.0, **options})
        elif options:
            analysis = dataclasses.replace(analysis, **options)
        self._run = _engine.Run(document(model, analysis), "model", model.laws(),
                                log or _warn)
        self._analysis = analysis

    @classmethod
    def from_file(cls, path: Union[str, os.PathLike],
                  settings: Optional[Mapping[str, Any]] = None, *,
                  log: Optional[Callable[[str, str], Any]] = None) -> "Simulation":
        """The simulation that a model file describes.

        settings: values by JSON pointers, e.g. ``{"/simulation/integrator/step": 1e-4}``.
        """
        model, analysis = read_model(path, settings)
        directory = os.path.dirname(os.path.abspath(path))
        for body in model.bodies:  # meshes stand beside the file
            mesh = getattr(body, "mesh", None)
            if mesh is not None and hasattr(mesh, "path"):
                mesh.path = os.path.join(directory, mesh.path)
        return cls(model, analysis, log=log)

    @property
    def time(self) -> float:
        """What has been reached (s)."""
        return self._run.time()

    @property
    def model(self) -> Model:
        """A copy of the model, as it is run."""
        return Model.from_json(json.loads(self._run.model_text())["model"])

    def on_impact(self, hear: Optional[Callable[[Any], Any]]) -> Optional[Callable[[Any], Any]]:
        """Calls ``hear(impact)`` at every impact; usable as a decorator."""
        self._run.on_impact(hear)
        return hear

    def on_step(self, hear: Optional[Callable[[float, float, int], Any]]):
        """Calls ``hear(time, fraction, steps)`` after every step; False stops the run there."""
        self._run.on_step(hear)
        return hear

    def run(self, progress: Union[bool, Callable[[float, float, int], Any]] = False) -> Report:
        """Runs as the options say: to ``end_time``, or a static or modal analysis.

        progress: True shows a line on stderr; a function gets (time, fraction, steps) about ten
        times a second.
        """
        return self._go(self._run.run, progress)

    def run_until(self, time: float,
                  progress: Union[bool, Callable[[float, float, int], Any]] = False) -> Report:
        """Runs from where it is to this time; may be called again with a later one."""
        return self._go(lambda: self._run.run_until(time), progress)

    def _go(self, work: Callable[[], Any], progress: Any) -> Report:
        self._run.on_progress(_show if progress is True else progress or None)
        try:
            work()
        finally:
            self._run.on_progress(None)
            if progress is True:
                print("\r\x1b[K", end="", file=sys.stderr)
        return self.report

    @property
    def report(self) -> Report:
        """How the run went."""
        return Report(json.loads(self._run.summary_json()), self._run.summary())

    @property
    def result(self) -> Result:
        """What has been computed: views of the simulation's own memory."""
        names, shapes = self._run.modes()
        return Result(self._run.columns(), self._run.values(), self._run.events(),
                      self._run.forces(), self.report, self._run.model_text,
                      Table(names, shapes) if len(shapes) else None)

    def model_text(self) -> str:
        """The text of the model file that says what is run."""
        return self._run.model_text()

    def save(self, directory: Union[str, os.PathLike], overwrite: bool = False) -> str:
        """Writes what `saltus run` writes; returns the directory."""
        self._run.save(os.fspath(directory), overwrite)
        return os.fspath(directory)

    def write_report(self, directory: Union[str, os.PathLike], overwrite: bool = False,
                     show: bool = False) -> str:
        """Writes the results and their page with 3-D playback; returns the page's path.

        show: opens the page in the browser.
        """
        from . import _engine
        page = _engine.write_report(self.save(directory, overwrite))
        if show:
            webbrowser.open(pathlib.Path(page).resolve().as_uri())
        return page

    def __repr__(self) -> str:
        return f"<saltus.Simulation of {self.model!r} at t = {self.time:.6g} s>"


def set_threads(count: int) -> None:
    """How many threads work on the elements of flexible bodies."""
    from . import _engine
    _engine.set_threads(count)


def _warn(level: str, text: str) -> None:
    if level == "warning":
        warnings.warn(text, stacklevel=4)


def _show(time: float, fraction: float, steps: int) -> None:
    print(f"\r\x1b[Kt = {time:.6g} s, {100 * fraction:.0f} %", end="", file=sys.stderr, flush=True)
