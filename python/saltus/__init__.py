# SPDX-License-Identifier: Apache-2.0
"""Saltus: nonsmooth flexible multibody dynamics.

Models have the same names and fields as model files and C++::

    import saltus as st

    model = st.Model()
    ball = model.add(st.PointMass(name="ball", mass=1, pose=st.Pose(position=(0, 0, 1))))
    model.add(st.Collider("skin", st.at(ball), st.PointShape()))
    model.add(st.Collider("floor", st.at(model.ground), st.HalfSpace()))
    model.add(st.Contact(between=("skin", "floor"), restitution=0.8))
    simulation = st.Simulation(model, integrator=st.NonsmoothGeneralizedAlpha(step=1e-3))
    print(simulation.run_until(2.0))
    height = simulation.result.position(ball)[:, 2]

Units are SI, angles radians, quaternions (w, x, y, z). ``saltus.read`` opens the results of a run
without the engine; ``saltus.plot`` draws them.
"""

from .convergence import ColumnConvergence, converge
from .errors import FileError, InputError
from .mechanism import (Model, Admm, Elastic, GaussSeidel, PathFollowing, ProximalNewton, SemismoothNewton, at,
                        circular_section, hollow_sphere, pipe_section, read_model,
                        rectangular_section, slender_rod, solid_box, solid_cylinder, solid_sphere)
from .model import *  # noqa: F401,F403
from .model import __all__ as _records
from .result import ImpactPath, Report, Result, read
from .simulation import Simulation, set_threads

__version__ = "0.1.0"

__all__ = [name for name in _records if name != "ModelRecord"] + [
    "Admm", "ColumnConvergence", "Elastic", "FileError", "GaussSeidel", "ImpactPath", "InputError", "Model",
    "PathFollowing", "ProximalNewton", "Report", "Result", "SemismoothNewton", "Simulation", "at", "circular_section",
    "converge", "hollow_sphere", "pipe_section", "read", "read_model", "rectangular_section", "set_threads",
    "slender_rod", "solid_box", "solid_cylinder", "solid_sphere"]


def __getattr__(name):  # saltus.plot needs matplotlib: only who uses it
    if name == "plot":
        import importlib
        return importlib.import_module(".plot", __name__)
    raise AttributeError(f"module 'saltus' has no attribute {name!r}")
