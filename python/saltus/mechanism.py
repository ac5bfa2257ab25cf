# SPDX-License-Identifier: Apache-2.0
"""Models, and short ways to say what is in them."""

from __future__ import annotations

import json
import os
from typing import Any, Mapping, Optional, Union

from . import model as records
from .model import (CircularSection, ContactSolverOptions, ElasticMaterial, Frame, HollowSphere,
                    ModelRecord, PipeSection, RectangularSection, SlenderRod, SolidBox,
                    SolidCylinder, SolidSphere)
from .records import Record

Elastic = ElasticMaterial


class Model(ModelRecord):
    __doc__ = f"""A mechanism: lists of bodies, joints, forces, colliders and contacts.

    ``add`` appends to the right list and returns the thing's name, by which the rest of the model
    refers to it. The lists are ordinary lists of records that may be changed at will; a simulation
    takes the model as it is when it is made.

{(ModelRecord.__doc__ or '').partition(chr(10) * 2)[2]}"""

    @property
    def ground(self) -> str:
        """The body that never moves."""
        return "ground"

    def add(self, thing: Record) -> str:
        """Appends a body, joint, force, collider, contact or ball bearing; returns its name."""
        things = getattr(self, self._list_of(thing))
        if thing.name is None:  # type: ignore[attr-defined]
            kind = thing._type or {"Collider": "collider", "Contact": "contact",
                                   "BallBearing": "ball_bearing"}[type(thing).__name__]
            thing.name = f"{kind}{len(things)}"  # type: ignore[attr-defined]
        things.append(thing)
        return thing.name  # type: ignore[attr-defined]

    def _list_of(self, thing: Record) -> str:
        for name, classes in self._unions.items():
            if type(thing).__name__ in classes:
                return name
        raise TypeError("a model has bodies, joints, forces, colliders, contacts and ball bearings, "
                        f"not {type(thing).__name__}")

    def __getitem__(self, name: str) -> Any:
        """The body, joint, force, collider, contact or ball bearing of this name."""
        for things in self._unions:
            for thing in getattr(self, things):
                if thing.name == name:
                    return thing
        raise KeyError(name)

    def to_json(self) -> dict[str, Any]:
        out = super().to_json()
        out.setdefault("bodies", [])
        return out

    def laws(self) -> dict[str, Any]:
        """The functions of forces of the user's own, by the forces' names."""
        return {force.name or f"user{i}": force.law for i, force in enumerate(self.forces)
                if isinstance(force, records.UserForce) and force.law is not None}

    def __repr__(self) -> str:
        counts = [f"{len(things)} {name.replace('_', ' ')}" for name in self._unions
                  if (things := getattr(self, name))]
        return f"<saltus.Model: {', '.join(counts) or 'empty'}>"


def document(model: Model, analysis: Record) -> str:
    """The text of a model file."""
    try:
        return json.dumps({"saltus": 1, "model": model.to_json(), "simulation": analysis.to_json()},
                          allow_nan=False, indent=2)
    except ValueError as error:
        raise ValueError(f"a model holds finite numbers: {error}") from None


def read_model(path: Union[str, os.PathLike], settings: Optional[Mapping[str, Any]] = None):
    """The model and the analysis of a model file.

    settings: values by JSON pointers, e.g. ``{"/simulation/integrator/step": 1e-4}``.
    """
    from . import _engine
    text = _engine.resolved_model(os.fspath(path), [f"{pointer}={json.dumps(value)}" for
                                                    pointer, value in (settings or {}).items()])
    data = json.loads(text)
    simulation = data["simulation"]
    kind = {"statics": records.Statics, "modes": records.Modes}.get(
        simulation.get("type"), records.Dynamics)
    return Model.from_json(data["model"]), kind.from_json(simulation)


def at(body: str, where: Any = None, *, arclength: Optional[float] = None,
       node: Optional[int] = None, nodes: Optional[str] = None, **frame: Any) -> Frame:
    """A place on a body: the only way to say "where".

    at(body) is its origin, at(body, (x, y, z)) a point in body coordinates, at(beam, s) the
    section at arclength s, at(solid, "x_max") a node set. Orientations: ``orientation`` or
    ``rotation_vector``.
    """
    if isinstance(where, str):
        nodes = where
    elif isinstance(where, (int, float)):
        arclength = float(where)
    elif where is not None:
        frame["position"] = where
    return Frame(body=body, arclength=arclength, node=node, nodes=nodes, **frame)


def solid_sphere(mass: float, radius: float) -> SolidSphere:
    """Inertia of a homogeneous ball."""
    return SolidSphere(mass, radius)


def hollow_sphere(mass: float, radius: float) -> HollowSphere:
    """Inertia of a thin spherical shell."""
    return HollowSphere(mass, radius)


def solid_box(mass: float, size) -> SolidBox:
    """Inertia of a homogeneous box with these edges."""
    return SolidBox(mass, size)


def solid_cylinder(mass: float, radius: float, length: float, axis: Any = "x") -> SolidCylinder:
    """Inertia of a homogeneous cylinder about this axis."""
    return SolidCylinder(mass, radius, length, axis)


def slender_rod(mass: float, length: float, axis: Any = "x") -> SlenderRod:
    """Inertia of a rod without thickness along this axis."""
    return SlenderRod(mass, length, axis)


def circular_section(radius: float) -> CircularSection:
    """Of a round beam or bar."""
    return CircularSection(radius)


def rectangular_section(width: float, height: float) -> RectangularSection:
    """Of a beam or bar with these sizes along the section's y and z."""
    return RectangularSection(width, height)


def pipe_section(radius: float, inner_radius: float) -> PipeSection:
    """Of a pipe."""
    return PipeSection(radius, inner_radius)


def GaussSeidel(**options: Any) -> ContactSolverOptions:
    """The contact solver that goes contact by contact."""
    return ContactSolverOptions(method="gauss_seidel", **options)


def ProximalNewton(**options: Any) -> ContactSolverOptions:
    """Semi-smooth Newton with a proximal term."""
    return ContactSolverOptions(method="proximal_newton", **options)


def SemismoothNewton(**options: Any) -> ContactSolverOptions:
    """Semi-smooth Newton on the augmented Lagrangian, as published."""
    return ContactSolverOptions(method="newton", **options)


def Admm(**options: Any) -> ContactSolverOptions:
    """Alternating directions."""
    return ContactSolverOptions(method="admm", **options)
