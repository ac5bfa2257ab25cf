# SPDX-License-Identifier: Apache-2.0
"""Runs of models."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import numbers
import os
import pathlib
import sys
import warnings
import webbrowser
from typing import Any, Callable, Mapping, Optional, Union

from .errors import InputError
from .mechanism import Model, document, engine, read_model
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
        if not isinstance(model, Model):
            raise TypeError(f"Simulation takes a Model, not {type(model).__name__}; "
                            "Simulation.from_file(path) reads a model file")
        # run_until says the time, then nobody needs end_time.
        self._has_end = analysis is not None or "end_time" in options
        if analysis is None:
            analysis = Dynamics(**{"end_time": 1.0, **options})
        elif options:
            analysis = dataclasses.replace(analysis, **options)
        self._laws = model.laws()
        self._run = engine().Run(document(model, analysis), "model", self._laws,
                                _listener(log, "log") or _warn)
        # They are with the engine only while it runs: they may refer to this object.
        self._hear_impact = self._hear_step = None
        self._running = False

    @classmethod
    def from_file(cls, path: Union[str, os.PathLike],
                  settings: Optional[Mapping[str, Any]] = None, *,
                  log: Optional[Callable[[str, str], Any]] = None) -> "Simulation":
        """The simulation that a model file describes.

        settings: values by JSON pointers, e.g. ``{"/simulation/integrator/step": 1e-4}``.
        """
        model, analysis = read_model(path, settings)
        return cls(model, analysis, log=log)

    @property
    def time(self) -> float:
        """What has been reached (s)."""
        return self._run.time()

    @property
    def model(self) -> Model:
        """A copy of the model, as it is run."""
        model = Model.from_json(json.loads(self._run.model_text())["model"])
        for force in model.forces:
            if force.name in self._laws:
                force.law = self._laws[force.name]
        return model

    def on_impact(self, hear: Optional[Callable[[Any], Any]]) -> Optional[Callable[[Any], Any]]:
        """Calls ``hear(impact)`` for every impact, after its step; usable as a decorator.

        It replaces the listener before; None removes it.
        """
        self._hear_impact = _listener(hear, "on_impact")
        return hear

    def on_step(self, hear: Optional[Callable[[float, float, int], Any]]):
        """Calls ``hear(time, fraction, steps)`` after every step; False stops the run there.

        It replaces the listener before; None removes it.
        """
        self._hear_step = _listener(hear, "on_step")
        return hear

    def run(self, progress: Union[bool, Callable[[float, float, int], Any]] = False) -> Report:
        """Runs as the options say: to ``end_time``, or a static or modal analysis.

        progress: True shows a line on stderr; a function gets (time, fraction, steps) about ten
        times a second.
        """
        if not self._has_end:
            raise InputError("run() needs end_time: Simulation(model, end_time=2.0, ...); "
                             "or say run_until(2.0)")
        return self._go(self._run.run, progress)

    def run_until(self, time: float,
                  progress: Union[bool, Callable[[float, float, int], Any]] = False) -> Report:
        """Runs from where it is to this time; may be called again with a later one.

        Steps begin where the run is, and the last one is shortened to end at this time.
        """
        if isinstance(time, bool) or not isinstance(time, numbers.Real):
            raise TypeError(f"run_until takes a time in seconds, not {time!r}")
        return self._go(lambda: self._run.run_until(float(time)), progress)

    def _go(self, work: Callable[[], Any], progress: Any) -> Report:
        shown = progress is True and sys.stderr.isatty()
        hear = (_show if shown else _Lines()) if progress is True else progress or None
        with self._listening(_listener(hear, "progress")):
            work()
        if shown:
            print("\r\x1b[K", end="", file=sys.stderr)
        return self.report

    @contextlib.contextmanager
    def _listening(self, progress: Any):
        if self._running:
            raise InputError("the simulation is running already: listeners, force laws and other "
                             "threads cannot run it")
        self._running = True
        run = self._run
        run.on_impact(self._hear_impact)
        run.on_step(self._hear_step)
        run.on_progress(progress)
        try:
            yield
        finally:
            for detach in (run.on_impact, run.on_step, run.on_progress):
                detach(None)
            self._running = False

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
                      Table(names, shapes) if len(shapes) else None, self._run.owners(),
                      self._run.impacts(), self._run.impact_paths())

    def model_text(self) -> str:
        """The text of the model file that says what is run."""
        return self._run.model_text()

    def save(self, directory: Union[str, os.PathLike], overwrite: bool = False) -> str:
        """Writes what `saltus run` writes; returns the directory.

        What was there of the same model is replaced. Results of another one, or of a run that was
        interrupted, are replaced only with overwrite=True.
        """
        self._run.save(os.fspath(directory), overwrite)
        return os.fspath(directory)

    def write_report(self, directory: Union[str, os.PathLike], overwrite: bool = False,
                     show: bool = False) -> str:
        """Writes the results and their page with 3-D playback; returns the page's path.

        show: opens the page in the browser.
        """
        page = engine().write_report(self.save(directory, overwrite))
        if show:
            webbrowser.open(pathlib.Path(page).resolve().as_uri())
        return page

    def __repr__(self) -> str:
        return f"<saltus.Simulation of {self.model!r} at t = {self.time:.6g} s>"


def set_threads(count: int) -> None:
    """How many threads work on the elements of flexible bodies."""
    if isinstance(count, bool) or not isinstance(count, numbers.Integral) or count < 1:
        raise InputError(f"threads: must be a whole number from 1 on, got {count!r}")
    engine().set_threads(int(count))


def _listener(hear: Any, name: str) -> Any:
    if hear is not None and not callable(hear):
        raise TypeError(f"{name} takes a function, not {type(hear).__name__}")
    return hear


def _warn(level: str, text: str) -> None:
    """A warning at the line outside of this package that made or ran the simulation."""
    if level != "warning":
        return
    package, depth, frame = os.path.dirname(__file__), 1, sys._getframe(0)
    while frame is not None and os.path.dirname(frame.f_code.co_filename) == package:
        frame, depth = frame.f_back, depth + 1
    warnings.warn(text, stacklevel=depth)


def _show(time: float, fraction: float, steps: int) -> None:
    print(f"\r\x1b[Kt = {time:.6g} s, {100 * fraction:.0f} %", end="", file=sys.stderr, flush=True)


class _Lines:
    """A line for every tenth of the way, where there is no terminal."""

    def __init__(self) -> None:
        self.tenths = 0

    def __call__(self, time: float, fraction: float, steps: int) -> None:
        if int(10 * fraction) > self.tenths:
            self.tenths = int(10 * fraction)
            print(f"t = {time:.6g} s, {100 * fraction:.0f} %", file=sys.stderr, flush=True)
