#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/reference/model_file.md from the JSON Schema that `saltus schema` prints.

    saltus schema | tools/reference.py > docs/reference/model_file.md
"""

import json
import re
import sys

HEAD = """# The model file

This page is written by `tools/reference.py` from `saltus schema`; the program reads files by the same list.

A model file is strict JSON. Units are SI, angles are radians, quaternions are (w, x, y, z). Names refer to things; `ground` always exists. A key that is not listed here is an error, except `comment`, which every object may have. Keys marked **•** are required. `--set /simulation/integrator/step=1e-4` changes a value from the command line; the address is a JSON pointer.

How the parts work together is in the [guide](../guide/contact_and_friction.md); files to start from are in the [gallery](../gallery.md).

## Parameters

Wherever a number stands a formula may stand, as a text that begins with `=`: `"radius": "=d/2"`. It names what the key `parameters` beside `model` lists, `{"mu": 0.3, "d": "=2*0.15"}`; a parameter may use those before it. Formulas have the syntax of functions of time, which may name parameters too (`{"type": "expression", "text": "mu*sin(t)"}`), without `t`. `--set /parameters/mu=0.4` changes one. Results hold the model with its values.

## Names

- Bodies, joints, forces, contacts and ball bearings share one list: no two of them may have the same name, for columns of results begin with it. Colliders have a list of their own: a collider may be named as its body.
- A name is any text but an empty one, without dot, comma, slash, quotation mark, space or control character. Names of colliders have no `*` or `?` either, which make a pattern of a name in `between`.
- `ground`, `time`, `energy` and `iterations` are taken: the first is the ground, columns of results begin with the others. (A collider may have these names.)
- What has no name gets its type and its place in the list, counted from 0: `revolute2`, `contact0`.
- Parts of a ball bearing are called after it: `<bearing>.ball0`, `<bearing>.inner`, …
"""

# Chapters in the order of the page: title, structs whose tables stand there.
CHAPTERS = [
    ("The file", ["file", "Model"]),
    ("Bodies", ["RigidBody", "PointMass", "Beam", "Bar", "Solid"]),
    ("Inertia of rigid bodies", ["SolidSphere", "HollowSphere", "SolidBox", "SolidCylinder",
                                 "SlenderRod", "ExplicitInertia",
                                 "FromShape"]),
    ("Places and velocities", ["Pose", "Twist", "Frame"]),
    ("Sections, materials, meshes, damping", [
        "CircularSection", "RectangularSection", "PipeSection", "ExplicitSection",
        "ElasticMaterial", "StiffnessProportional", "ModalRatio", "BoxMesh", "MeshFile"]),
    ("Joints", ["Fixed", "Spherical", "Revolute", "Prismatic", "Cylindrical", "Universal", "Planar",
                "Distance", "PointOnLine", "PointOnPlane", "Rolling", "KnifeEdge", "Lock", "Screw", "Gear", "Relation", "Position", "Speed",
                "Limits", "JointFriction", "CylindricalLimits", "UniversalLimits"]),
    ("Forces", ["Force", "Torque", "SpringDamper", "TorsionalSpringDamper", "Bushing",
                "UserForce", "Actuator"]),
    ("Functions of time", ["Table", "Sine", "Expression"]),
    ("Colliders", ["Collider", "PointShape", "Sphere", "Capsule", "Box", "Convex", "MeshShape",
                   "HalfSpace", "Face",
                   "HollowSphereShape", "Cylinder", "Bore", "Groove"]),
    ("Contacts", ["Contact", "PowerRestitution", "TableRestitution", "ExponentialFriction",
                  "StribeckFriction", "ContactMaterial", "ElastoplasticContact",
                  "PlasticMaterial"]),
    ("Ball bearings", ["BallBearing", "NoCage", "SpringCage", "RingCage"]),
    ("Simulation", ["Dynamics", "Statics", "Modes", "RecordOptions", "RecordedImpacts",
                    "CheckpointOptions", "ContactSolverOptions"]),
    ("Integrators", ["NonsmoothGeneralizedAlpha", "GeneralizedAlpha", "MoreauJean", "EventDriven",
                     "AdaptiveStep",
                     "RestitutionByPoints", "RestitutionByOrder"]),
]


def words(name):
    """PlainText of a struct's name: RigidBody → Rigid body."""
    text = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    return text[0] + text[1:].lower()


def title(name, struct):
    kind = struct["properties"].get("type", {}).get("const")
    return f"{words(name)}, `{kind}`" if kind else words(name)


def anchor(name, struct):
    """The heading's address, by the rule of GitHub and of the site."""
    text = title(name, struct).lower().replace(" ", "-")
    return re.sub(r"[^\w-]", "", text)


class Page:
    def __init__(self, schema):
        self.structs = {"file": schema, **schema["$defs"]}

    def reference(self, pointer):
        name = pointer.rsplit("/", 1)[1]
        struct = self.structs[name]
        label = struct["properties"].get("type", {}).get("const") or words(name).lower()
        return f"[{label}](#{anchor(name, struct)})"

    def kind(self, field):
        """What a value may be, in a few words."""
        if field is True:
            return "anything"
        if "$ref" in field:
            return self.reference(field["$ref"])
        if "const" in field:
            return f"`{json.dumps(field['const'])}`"
        if "enum" in field:
            return ", ".join(f"`{value}`" for value in field["enum"])
        if "oneOf" in field:
            options = [self.kind(option) for option in field["oneOf"]]
            return ", ".join(options[:-1]) + " or " + options[-1]
        if field.get("type") == "array":
            return self.list_kind(field)
        if field.get("type") == "object":
            return "object of numbers"
        if isinstance(field["type"], list):  # or a formula of parameters
            field = {**field, "type": field["type"][0]}
        names = {"number": "number", "integer": "integer", "string": "text", "boolean": "true, false"}
        return names[field["type"]] + bounds(field)

    def list_kind(self, field):
        few, most = field.get("minItems"), field.get("maxItems")
        item = self.kind(field["items"])
        if few is None or few != most:
            return f"list: {item}"
        return re.sub(r"^number", f"{few} numbers", item) if item.startswith("number") else f"{few} of: {item}"

    def row(self, key, field, required):
        mark = " **•**" if key in required else ""
        text = field.get("description", "") if field is not True else ""
        default = ""
        if field is not True and "default" in field and field["default"] not in ({}, []):
            default = f"`{json.dumps(field['default'], ensure_ascii=False)}`"
        cells = [f"`{key}`{mark}", self.kind(field), default, text]
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"

    def table(self, name):
        struct = self.structs[name]
        required = struct.get("required", [])
        rows = [self.row(key, field, required) for key, field in struct["properties"].items()
                if key != "comment"]
        heading = "Top level" if name == "file" else title(name, struct)
        return "\n".join([f"### {heading}", "", "| key | value | default | meaning |",
                          "|---|---|---|---|", *rows])

    def text(self):
        listed = [name for _, names in CHAPTERS for name in names]
        if set(listed) != set(self.structs) or len(listed) != len(set(listed)):
            difference = sorted(set(listed) ^ set(self.structs))
            raise SystemExit(f"reference.py: CHAPTERS and the schema differ: {difference}")
        parts = [HEAD.rstrip()]
        for chapter, names in CHAPTERS:
            parts += [f"## {chapter}", *map(self.table, names)]
        return "\n\n".join(parts) + "\n"


def bounds(field):
    low = [f"≥ {field['minimum']:g}"] if "minimum" in field else []
    low += [f"> {field['exclusiveMinimum']:g}"] if "exclusiveMinimum" in field else []
    high = [f"≤ {field['maximum']:g}"] if "maximum" in field else []
    high += [f"< {field['exclusiveMaximum']:g}"] if "exclusiveMaximum" in field else []
    return "".join(f" {bound}" for bound in low) + ("," if low and high else "") + "".join(
        f" {bound}" for bound in high)


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8")
    sys.stdout.write(Page(json.load(sys.stdin)).text())
