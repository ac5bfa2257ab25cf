# SPDX-License-Identifier: Apache-2.0
"""Models, and short ways to say what is in them."""

from __future__ import annotations

import json
import math
import numbers
import os
from typing import Any, Iterator, Mapping, Optional, Union

from . import model as records
from .errors import InputError
from .model import (CircularSection, ContactSolverOptions, ElasticMaterial, Frame, HollowSphere,
                    ModelRecord, PipeSection, RectangularSection, SlenderRod, SolidBox,
                    SolidCylinder, SolidSphere)
from .records import Record, did_you_mean, plain

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
            number = len(things)
            while f"{kind}{number}" in self:
                number += 1
            thing.name = f"{kind}{number}"  # type: ignore[attr-defined]
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
        for thing in self._things():
            if thing.name == name:
                return thing
        raise KeyError(f"nothing in the model is named {name!r}"
                       + did_you_mean(str(name), [thing.name or "" for thing in self._things()]))

    def __contains__(self, name: str) -> bool:
        return any(thing.name == name for thing in self._things())

    def _things(self) -> Iterator[Any]:
        for things in self._unions:
            yield from getattr(self, things)

    def to_json(self) -> dict[str, Any]:
        out = super().to_json()
        out.setdefault("bodies", [])
        return out

    def laws(self) -> dict[str, Any]:
        """The functions of forces of the user's own, by the forces' names."""
        laws = {force.name or f"user{i}": force.law for i, force in enumerate(self.forces)
                if isinstance(force, records.UserForce) and force.law is not None}
        for name, law in laws.items():
            if not callable(law):
                raise TypeError(f"the law of force {name!r} must be a function of (time, first, "
                                f"second), not {law!r}".replace("'", '"'))
        return laws

    def __repr__(self) -> str:
        counts = [f"{len(things)} {name.replace('_', ' ')}" for name in self._unions
                  if (things := getattr(self, name))]
        return f"<saltus.Model: {', '.join(counts) or 'empty'}>"


def document(model: Model, analysis: Record) -> str:
    """The text of a model file."""
    content: dict[str, Any] = {"saltus": 1}
    if model.parameters:
        content["parameters"] = plain(model.parameters)
    content.update(model=model.to_json(), simulation=analysis.to_json())
    _check_numbers(content, "")
    return json.dumps(content, allow_nan=False, indent=2)


def _check_numbers(value: Any, place: str) -> None:
    if isinstance(value, float) and not math.isfinite(value):
        raise InputError(f"{place}: must be a finite number, got {value}")
    entries = value.items() if isinstance(value, dict) else (
        enumerate(value) if isinstance(value, list) else ())
    for key, item in entries:
        _check_numbers(item, f"{place}/{key}")


def read_model(path: Union[str, os.PathLike], settings: Optional[Mapping[str, Any]] = None):
    """The model and the analysis of a model file.

    settings: values by JSON pointers, e.g. ``{"/simulation/integrator/step": 1e-4}``.
    """
    if not isinstance(settings or {}, Mapping):
        raise TypeError("settings are a dictionary of values by JSON pointers, e.g. "
                        '{"/simulation/integrator/step": 1e-4}')
    text = engine().resolved_model(os.fspath(path), [
        f"{pointer}={json.dumps(plain(value))}" for pointer, value in (settings or {}).items()])
    data = json.loads(text)
    simulation = data["simulation"]
    kind = {"statics": records.Statics, "modes": records.Modes}.get(
        simulation.get("type"), records.Dynamics)
    model = Model.from_json(data["model"])
    for body in model.bodies:  # meshes stand beside the file
        if isinstance(body, records.Solid) and isinstance(body.mesh, records.MeshFile):
            body.mesh.path = os.path.join(os.path.dirname(os.path.abspath(path)), body.mesh.path)
    return model, kind.from_json(simulation)


def engine() -> Any:
    """The compiled module; results can be read without it."""
    try:
        from . import _engine
    except ImportError as error:
        raise ImportError(f"the engine of saltus is not there ({error}): build it (`./dev build`, "
                          "then PYTHONPATH=build/release/python) or install the package, with the "
                          "Python that it was made for") from None
    return _engine


def at(body: str, where: Any = None, *, arclength: Optional[float] = None,
       node: Optional[int] = None, nodes: Optional[str] = None, **frame: Any) -> Frame:
    """A place on a body: the only way to say "where".

    at(body) is its origin, at(body, (x, y, z)) a point in body coordinates, at(beam, s) the
    section at arclength s, at(solid, "x_max") a node set. Orientations: ``orientation`` or
    ``rotation_vector``.
    """
    given = [name for name, value in (("arclength", arclength), ("node", node), ("nodes", nodes),
                                      ("position", frame.get("position"))) if value is not None]
    if where is not None and given:
        raise InputError(f"at({body!r}, {where!r}, ...): says the place twice, also by {given[0]}")
    if isinstance(where, str):
        nodes = where
    elif isinstance(where, numbers.Real) and not isinstance(where, bool):
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


def PathFollowing(**options: Any) -> ContactSolverOptions:
    """Interior points along the path of their barrier, past its folds."""
    return ContactSolverOptions(method="path_following", **options)
