# SPDX-License-Identifier: Apache-2.0
"""Changes of a model under which physics stays what it is.

Each transform has a function from a model to a model, and a function from a quantity of the first's results
to what the second's must be. Models are never changed in place.
"""

import copy
import re

import balance
import models
import numpy as np
import runs
from rotations import matrix, orientation, oriented, product, quaternion

# ---- functions of time


def text_of(f):
    """A function of time as a formula."""
    if isinstance(f, dict) and f["type"] == "sine":
        phase, offset = f.get("phase", 0), f.get("offset", 0)
        return f"({f['amplitude']!r}*sin(2*pi*{f['frequency']!r}*t+{phase!r})+{offset!r})"
    return f"({f['text']})" if isinstance(f, dict) else f"({float(f)!r})"


def combination(factors, functions):
    """The sum of factors times functions of time; tables at the union of their times."""
    terms = [(float(c), f) for c, f in zip(factors, functions) if c != 0 and f != 0]
    if all(isinstance(f, (int, float)) for _, f in terms):
        return sum(c * f for c, f in terms)
    if len(terms) == 1 and terms[0][0] == 1:
        return terms[0][1]
    tables = [(c, f) for c, f in terms if isinstance(f, dict) and f["type"] == "table"]
    if tables:
        assert all(
            f in [g for _, g in tables] or isinstance(f, (int, float)) for _, f in terms
        ), "table and formula"
        times = np.unique(np.concatenate([f["times"] for _, f in tables]))
        values = sum(
            c * (np.interp(times, f["times"], f["values"]) if isinstance(f, dict) else f) for c, f in terms
        )
        return {"type": "table", "times": times.tolist(), "values": np.asarray(values).tolist()}
    return {"type": "expression", "text": "+".join(f"({c!r})*{text_of(f)}" for c, f in terms)}


def turned_functions(R, functions):
    return [combination(row, functions) for row in R]


# ---- what quantities of results are

POLAR, AXIAL, POINT, ORIENTATION, NUMBER = "polar", "axial", "point", "orientation", "number"
LOCAL_POLAR, LOCAL_AXIAL, HANDED = "local polar", "local axial", "handed number"

NATURES = {
    "position": POINT,
    "velocity": POLAR,
    "force": POLAR,
    "impulse": POLAR,
    "eccentricity": POLAR,
    "angular_velocity": AXIAL,
    "rotation": AXIAL,
    "torque": AXIAL,
    "angular_impulse": AXIAL,
    "orientation": ORIENTATION,
}
LOCAL = {"force": LOCAL_POLAR, "strain": LOCAL_POLAR, "moment": LOCAL_AXIAL, "curvature": LOCAL_AXIAL}


def nature(quantity):
    if len(quantity.components) == 1:
        return HANDED if quantity.kind == "moment_impulse" else NUMBER
    if quantity.owner == "element":
        return LOCAL[quantity.kind]
    return LOCAL_AXIAL if quantity.kind == "end_rotation" else NATURES[quantity.kind]


def compared(result):
    """The quantities that mean the same in any frame; tangential components as magnitudes.

    Left out: the number of iterations, which is no result, and t1, t2 themselves, which follow inertial axes.
    """
    for name, q in result.quantities.items():
        if q.owner in ("solver", "run") or name.endswith((".t1", ".t2")):
            continue
        yield name, q
    for name, q in result.quantities.items():
        if name.endswith(".t1"):
            other = result.quantities[name[:-1] + "2"]
            size = np.hypot(q.rows, other.rows)
            yield name[:-1], type(q)(q.owner, "magnitude", q.unit, ("",), size)


class Same:
    """The transform that changes nothing: base of the others."""

    skip = frozenset()  # kinds of quantities of which nothing can be said
    skip_owners = frozenset()

    def allowance(self, unit, base):
        """What round-off may add to a deviation."""
        return 0.0

    def model(self, model):
        return copy.deepcopy(model)

    def name(self, name):
        return name

    def expected(self, name, quantity, time):
        return quantity.rows


class Moved(Same):
    """Turned about the origin, then moved, and in uniform motion."""

    def __init__(self, offset=(0, 0, 0), rotation=(0, 0, 0), speed=(0, 0, 0)):
        self.offset, self.speed = np.array(offset, float), np.array(speed, float)
        self.q = quaternion(rotation)
        self.R = np.eye(3) if not np.any(rotation) else matrix(self.q)
        # The zero of gravity's energy is the origin; kinetic energy depends on the observer.
        self.skip = frozenset(
            {"kinetic", "external_work", "numerical_loss", "residual"} if np.any(speed) else ()
        )

    def allowance(self, unit, base):
        """Coordinates of a far scene have a round-off δ. Divided by the step twice, or by the length of an
        element, it is a force; motion has to bear it."""
        if unit not in ("N", "N m", "N s", "N m s", "Pa", "1/m", "1"):
            return 0.0
        delta = 4 * np.linalg.norm(self.offset) * 2.0**-52
        step = base.model["simulation"]["integrator"]["step"]
        if unit in ("N", "N m", "N s", "N m s"):
            inertia = sum(
                balance.mass_of(b) for b in base.model["model"]["bodies"]
            ) * delta / step**2 / base.sizes["N"]
        else:
            inertia = 0.0
        strains = [
            delta / balance.element_length(b) for b in base.model["model"]["bodies"] if "material" in b
        ]
        largest = [np.abs(q.rows).max() for n, q in base.quantities.items() if q.kind == "strain"]
        return inertia + max(strains, default=0.0) / max(largest, default=1.0)

    def point(self, p):
        return (self.R @ p + self.offset).tolist()

    def direction(self, v):
        return (self.R @ v).tolist()

    def place(self, place, turn=True):
        result = {**place, "position": self.point(place.get("position", [0, 0, 0]))}
        return oriented(
            result, product(self.q, orientation(place))
        ) if turn and np.any(self.q[1:]) else result

    def frame(self, frame, turn=True):
        return self.place(frame, turn) if frame["body"] == "ground" else dict(frame)

    def body(self, body):
        body = copy.deepcopy(body)
        twist = body.setdefault("velocity", {})
        for key in {"linear", "angular"} & set(twist):
            twist[key] = self.direction(twist[key])
        if np.any(self.speed):
            twist["linear"] = (np.array(twist.get("linear", [0, 0, 0])) + self.speed).tolist()
        if "start" not in body:
            return {**body, "pose": self.place(body.get("pose", {}), turn=body["type"] != "point_mass")}
        for key in {"start", "end", "through"} & set(body):
            body[key] = self.point(body[key])
        if body["type"] == "beam":  # by default the section's z is nearest to the inertial z
            body["orientation"] = self.direction(body.get("orientation", [0, 0, 1]))
        return body

    def joint(self, joint):
        joint = copy.deepcopy(joint)
        assert joint["type"] != "lock" or not np.any(self.q[1:])
        if "at" in joint:
            joint["at"] = self.point(joint["at"])
        for key in {"axis", "axis_2"} & set(joint):
            joint[key] = self.direction(joint[key])
        if "between" in joint:
            # A second frame without orientation takes the first's.
            second = joint["between"][1]
            given = {"orientation", "rotation_vector"} & set(second)
            joint["between"] = [self.frame(joint["between"][0]), self.frame(second, turn=bool(given))]
        return joint

    def force(self, force):
        force = copy.deepcopy(force)
        if "value" in force:
            force["value"] = turned_functions(self.R, force["value"])
        if "between" in force:
            force["between"] = [self.frame(f) for f in force["between"]]
        return force

    def model(self, model):
        result = copy.deepcopy(model)
        m = result["model"]
        m["gravity"] = self.direction(m["gravity"])
        m["bodies"] = [self.body(b) for b in m["bodies"]]
        for key, change in (("joints", self.joint), ("forces", self.force)):
            if key in m:
                m[key] = [change(part) for part in m[key]]
        for c in m.get("colliders", []):
            c["frame"] = self.frame(c["frame"])
        for b in m.get("ball_bearings", []):
            b["inner"], b["outer"] = self.frame(b["inner"]), self.frame(b["outer"])
        return result

    def expected(self, name, quantity, time):
        kind, rows = nature(quantity), quantity.rows
        if kind == POINT:
            return rows @ self.R.T + self.offset + np.outer(time, self.speed)
        if kind in (POLAR, AXIAL):
            return rows @ self.R.T + (self.speed if quantity.kind == "velocity" else 0)
        return product(self.q, rows) if kind == ORIENTATION else rows


MIRROR = np.diag([-1.0, 1, 1])  # polar vectors; axial ones change with the other sign
HALF_TURN_X = np.array([0.0, 1, 0, 0])


class Mirrored(Same):
    """x → −x for the scene and for all bodies in themselves.

    A body frame with the axes R becomes S R S, so that body coordinates are mirrored by S, too. Angles of
    revolute joints keep their sign: their axes are mirrored as axial vectors.
    """

    sides = {"x_min": "x_max", "x_max": "x_min"}

    @staticmethod
    def polar(v):
        return [-v[0], v[1], v[2]]

    @staticmethod
    def axial(v):
        return [v[0], -v[1], -v[2]]

    @staticmethod
    def turn(q):
        return np.array([q[0], q[1], -q[2], -q[3]])

    def place(self, place):
        result = dict(place)
        if "position" in place:
            result["position"] = self.polar(place["position"])
        if {"orientation", "rotation_vector"} & set(place):
            result = oriented(result, self.turn(orientation(place)))
        if place.get("nodes") in self.sides:
            result["nodes"] = self.sides[place["nodes"]]
        return result

    def hinge_frame(self, frame):
        """The z of a mirrored frame is a polar vector; about it, angles would change their sign."""
        result = self.place(frame)
        return oriented(result, product(orientation(result), HALF_TURN_X))

    def body(self, body):
        body = copy.deepcopy(body)
        twist = body.get("velocity", {})
        if "linear" in twist:
            twist["linear"] = self.polar(twist["linear"])
        if "angular" in twist:
            twist["angular"] = self.axial(twist["angular"])
        if "pose" in body:
            body["pose"] = self.place(body["pose"]) if body["type"] != "point_mass" else {
                "position": self.polar(body["pose"]["position"])
            }
        for key in {"start", "end", "through", "orientation"} & set(body):
            body[key] = self.polar(body[key])
        inertia = body.get("inertia", {})
        if "tensor" in inertia:
            inertia["tensor"] = (MIRROR @ inertia["tensor"] @ MIRROR).tolist()
        if "centre_of_mass" in inertia:
            inertia["centre_of_mass"] = self.polar(inertia["centre_of_mass"])
        if "axis" in inertia:
            inertia["axis"] = self.polar(inertia["axis"])
        return body

    def joint(self, joint):
        joint = copy.deepcopy(joint)
        hinge = joint["type"] == "revolute"
        if "at" in joint:
            joint["at"] = self.polar(joint["at"])
        for key in {"axis", "axis_2"} & set(joint):
            joint[key] = (self.axial if hinge else self.polar)(joint[key])
        if "between" in joint:
            first, second = joint["between"]
            given = {"orientation", "rotation_vector"} & set(second)
            joint["between"] = [
                self.hinge_frame(first) if hinge else self.place(first),
                self.hinge_frame(second) if hinge and given else self.place(second),
            ]
        return joint

    def force(self, force):
        force = copy.deepcopy(force)
        if "value" in force:
            force["value"] = turned_functions(
                -MIRROR if force["type"] == "torque" else MIRROR, force["value"]
            )
        if "between" in force:
            force["between"] = [self.place(f) for f in force["between"]]
        if "on" in force:
            force["on"] = self.place(force["on"])
        return force

    def collider(self, collider):
        collider = copy.deepcopy(collider)
        collider["frame"] = self.place(collider["frame"])
        for key in {"normal", "axis", "surface_velocity"} & set(collider["shape"]):
            collider["shape"][key] = self.polar(collider["shape"][key])
        return collider

    def model(self, model):
        result = copy.deepcopy(model)
        m = result["model"]
        m["gravity"] = self.polar(m["gravity"])
        for key, change in (
            ("bodies", self.body), ("joints", self.joint), ("forces", self.force),
            ("colliders", self.collider),
        ):
            if key in m:
                m[key] = [change(part) for part in m[key]]
        assert "ball_bearings" not in m  # their balls would be counted the other way round
        self.screws = {j["name"] for j in m.get("joints", []) if j["type"] in ("cylindrical", "universal")}
        self.beams = {b["name"] for b in m["bodies"] if b["type"] == "beam"}
        # Nodes of solids and of beams' contacts are counted along axes that the mirror turns round.
        self.solid = any(b["type"] == "solid" for b in m["bodies"])
        self.skip_owners = frozenset({"node", "element", "point"} if self.solid else ())
        self.boxes = {c["name"] for c in m.get("colliders", []) if c["shape"]["type"] == "box"}
        return result

    def name(self, name):
        """Corners of boxes are counted along body axes: k ↔ k xor 1 in x."""
        parts = name.split(".")
        if len(parts) > 4 and self.boxes & set(parts[1:3]):
            parts[3] = str(int(parts[3]) ^ 1)
        return ".".join(parts)

    def expected(self, name, quantity, time):
        kind, rows = nature(quantity), quantity.rows
        if quantity.kind in ("angle", "angle_1", "angle_2") and name.split(".")[0] in self.screws:
            return -rows
        if kind == ORIENTATION and quantity.owner == "node" and name.split(".")[0] in self.beams:
            return product(rows * [1, 1, -1, -1], [0, 0, 0, 1])
        signs = {
            POINT: [-1, 1, 1],
            POLAR: [-1, 1, 1],
            AXIAL: [1, -1, -1],
            ORIENTATION: [1, 1, -1, -1],
            # A beam's axes are x along it, z of its section, and y = z × x, which is reversed by the mirror.
            LOCAL_POLAR: [1, -1, 1],
            LOCAL_AXIAL: [-1, 1, -1],
        }
        if kind == HANDED:
            return -rows
        return rows * signs[kind][: rows.shape[1]] if kind in signs else rows


class Reversed(Same):
    """All lists of the file in the opposite order."""

    def model(self, model):
        result = copy.deepcopy(model)
        for key, parts in result["model"].items():
            if key != "gravity":
                parts.reverse()
        return result


class Swapped(Same):
    """The two sides of contacts, joints and springs are named in the opposite order.

    Not swapped are joints and forces that are not symmetric: lines, planes and bushings belong to their first.
    """

    swapped_joints = ("fixed", "spherical", "revolute", "prismatic", "cylindrical", "universal", "planar")

    def joint(self, joint):
        joint = copy.deepcopy(joint)
        if "bodies" not in joint or joint["type"] not in self.swapped_joints:
            return joint
        joint["bodies"].reverse()
        if "axis_2" in joint:
            joint["axis"], joint["axis_2"] = joint["axis_2"], joint["axis"]
        if "drive" in joint:
            joint["drive"]["value"] = combination([-1], [joint["drive"]["value"]])
        return joint

    def force(self, force):
        force = copy.deepcopy(force)
        if force["type"] == "spring_damper":
            force["between"].reverse()
        if force["type"] == "torsional_spring_damper":
            force["rest_angle"] = -force.get("rest_angle", 0)
        return force

    def model(self, model):
        result = copy.deepcopy(model)
        m = result["model"]
        m["joints"] = [self.joint(j) for j in m.get("joints", [])]
        m["forces"] = [self.force(f) for f in m.get("forces", [])]
        for c in m.get("contacts", []):
            c["between"].reverse()
        self.contacts = {c["name"] for c in m.get("contacts", [])}
        self.turned = {j["name"] for j, k in zip(m["joints"], model["model"].get("joints", [])) if j != k}
        # Where the two frames of a joint slide apart, its torque is about another point.
        self.sliding = {j["name"] for j in m["joints"] if j["type"] in ("prismatic", "cylindrical", "planar")}
        self.sliding -= {n for n in self.sliding if n not in self.turned}
        return result

    def name(self, name):
        """contact.first.second.k.gap ↔ contact.second.first.k.gap, joint.angle_1 ↔ joint.angle_2"""
        parts = name.split(".")
        if parts[0] in self.turned and parts[-1] in ("angle_1", "angle_2"):
            parts[-1] = "angle_2" if parts[-1] == "angle_1" else "angle_1"
        if len(parts) > 4 and parts[3].isdigit():
            parts[1:3] = parts[2:0:-1]
        return ".".join(parts)

    def expected(self, name, quantity, time):
        owner = name.split(".")[0]
        if quantity.owner == "joint" and owner in self.turned:
            return None if owner in self.sliding and quantity.kind in (
                "torque", "angular_impulse"
            ) else -quantity.rows
        impulse = quantity.kind == "impulse" and len(quantity.components) == 3
        return -quantity.rows if impulse and owner in self.contacts else quantity.rows


# ---- units

ONE, MASS, LENGTH, TIME = (0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)
SPEED, RATE, ACCELERATION = (0, 1, -1), (0, 0, -1), (0, 1, -2)
FORCE, TORQUE, INERTIA, PRESSURE = (1, 1, -2), (1, 2, -2), (1, 2, 0), (1, -1, -2)
STIFFNESS, DAMPING, TURN_DAMPING, DENSITY = (1, 0, -2), (1, 0, -1), (1, 2, -1), (1, -3, 0)
AREA, AREA_MOMENT, SLOWNESS = (0, 2, 0), (0, 4, 0), (0, -1, 1)

FRAME = {"position": LENGTH, "arclength": LENGTH}
SECTION = {
    "radius": LENGTH, "inner_radius": LENGTH, "width": LENGTH, "height": LENGTH, "area": AREA,
    "inertia_y": AREA_MOMENT, "inertia_z": AREA_MOMENT, "torsion": AREA_MOMENT,
}
BODY = {
    "mass": MASS,
    "inertia": {
        "mass": MASS, "radius": LENGTH, "length": LENGTH, "size": LENGTH, "moments": INERTIA,
        "tensor": INERTIA, "centre_of_mass": LENGTH,
    },
    "pose": FRAME,
    "velocity": {"linear": SPEED, "angular": RATE},
    "start": LENGTH,
    "end": LENGTH,
    "through": LENGTH,
    "section": SECTION,
    "material": {"young_modulus": PRESSURE, "density": DENSITY},
    "damping": {"time": TIME, "frequency": RATE},
    "mesh": {"size": LENGTH, "scale": LENGTH},
}
DRIVES = {
    ("revolute", "position"): ONE, ("revolute", "speed"): RATE, ("prismatic", "position"): LENGTH,
    ("prismatic", "speed"): SPEED,
}
JOINT = {"at": LENGTH, "between": FRAME, "length": LENGTH, "radius": LENGTH, "rounding": LENGTH}
FORCES = {
    "force": {"on": FRAME, "value": FORCE},
    "torque": {"on": FRAME, "value": TORQUE},
    "spring_damper": {"between": FRAME, "stiffness": STIFFNESS, "damping": DAMPING, "rest_length": LENGTH},
    "torsional_spring_damper": {"stiffness": TORQUE, "damping": TURN_DAMPING},
    "bushing": {
        "between": FRAME, "stiffness": STIFFNESS, "damping": DAMPING, "rotational_stiffness": TORQUE,
        "rotational_damping": TURN_DAMPING,
    },
}
SHAPE = {"radius": LENGTH, "length": LENGTH, "size": LENGTH, "ring_radius": LENGTH, "surface_velocity": SPEED}
CONTACT = {
    "rolling_friction": LENGTH, "spinning_friction": LENGTH,
    "friction": {"decay": SLOWNESS, "stribeck_velocity": SPEED, "viscous": SLOWNESS},
}
CAGE = {"stiffness": STIFFNESS, "damping": DAMPING, "mass": MASS, "clearance": LENGTH}
BEARING = {
    "inner": FRAME, "outer": FRAME, "ball_radius": LENGTH, "ball_density": DENSITY, "inner_radius": LENGTH,
    "outer_radius": LENGTH, "inner_groove_radius": LENGTH, "outer_groove_radius": LENGTH,
    "rolling_friction": LENGTH, "young_modulus": PRESSURE, "settle_time": TIME, "cage": CAGE,
}
SIMULATION = {"end_time": TIME, "integrator": {"step": TIME, "contact_speed": SPEED}}
# Defaults with a unit, which a scaled model has to write out.
DEFAULTS = {"ball_density": 7800.0, "contact_speed": 1e-5}

UNITS = {
    "m": LENGTH, "m/s": SPEED, "rad": ONE, "rad/s": RATE, "1": ONE, "N": FORCE, "N m": TORQUE,
    "N s": (1, 1, -1), "N m s": (1, 2, -1), "J": TORQUE, "Pa": PRESSURE, "1/m": (0, -1, 0), "s": TIME,
}


class Scaled(Same):
    """Other units of mass, length and time: every number of the file changes by its dimension."""

    def __init__(self, mass=1.0, length=1.0, time=1.0):
        self.units = (mass, length, time)

    def factor(self, dimension):
        return float(np.prod([u**p for u, p in zip(self.units, dimension)]))

    def function(self, f, dimension):
        """A number or a function of time."""
        factor, time = self.factor(dimension), self.factor(TIME)
        if not isinstance(f, dict):
            return f * factor
        if f["type"] == "table":
            return {**f, "times": [t * time for t in f["times"]], "values": [v * factor for v in f["values"]]}
        if f["type"] == "sine":
            scaled = {key: f.get(key, 0) * factor for key in ("amplitude", "offset")}
            return {**f, **scaled, "frequency": f["frequency"] / time}
        text = re.sub(r"\bt\b", f"(t/{time!r})", f["text"])
        return {**f, "text": f"{factor!r}*({text})"}

    def part(self, value, table):
        """What a table says of a part of the file; numbers it does not name have no unit."""
        if isinstance(value, list):
            return [self.part(v, table) for v in value]
        if isinstance(table, tuple):
            return value if isinstance(value, str) else self.function(value, table)
        if not isinstance(value, dict):
            return value
        return {k: self.part(v, table[k]) if k in table else v for k, v in value.items()}

    def joint(self, joint):
        result = self.part(joint, JOINT)
        if "drive" in joint:
            drive = joint["drive"]
            result["drive"] = {
                **drive, "value": self.function(drive["value"], DRIVES[joint["type"], drive["type"]])
            }
        return result

    def model(self, model):
        m = copy.deepcopy(model["model"])
        tables = {"gravity": ACCELERATION, "bodies": BODY, "contacts": CONTACT, "ball_bearings": BEARING}
        for b in m.get("ball_bearings", []):
            b.setdefault("ball_density", DEFAULTS["ball_density"])
        result = {k: self.part(v, tables[k]) for k, v in m.items() if k in tables}
        result["joints"] = [self.joint(j) for j in m.get("joints", [])]
        result["forces"] = [self.part(f, FORCES[f["type"]]) for f in m.get("forces", [])]
        result["colliders"] = self.part(m.get("colliders", []), {"frame": FRAME, "shape": SHAPE})
        simulation = copy.deepcopy(model["simulation"])
        if simulation["integrator"]["type"] == "event_driven":
            simulation["integrator"].setdefault("contact_speed", DEFAULTS["contact_speed"])
        return {"saltus": 1, "model": result, "simulation": self.part(simulation, SIMULATION)}

    def expected(self, name, quantity, time):
        return quantity.rows * self.factor(UNITS[quantity.unit])


# ---- neighbours and starts


def renamed(value, prefix):
    """All names of a model with a prefix."""
    if isinstance(value, list):
        return [renamed(v, prefix) for v in value]
    if not isinstance(value, dict):
        return value
    result = {}
    for key, v in value.items():
        if key in ("name", "body", "joint") and v != "ground":
            v = prefix + v
        elif key == "bodies" and v and isinstance(v[0], str):
            v = [n if n == "ground" else prefix + n for n in v]
        elif key == "between" and v and not isinstance(v[0], dict):
            v = [[prefix + n for n in side] if isinstance(side, list) else prefix + side for side in v]
        else:
            v = renamed(v, prefix)
        result[key] = v
    return result


class Beside(Same):
    """Another mechanism far away, which the first cannot feel; before or after it in the file."""

    offset = (41, 53, 21)  # 70 m
    skip = frozenset({
        "kinetic", "gravity", "elastic", "external_work", "friction_loss", "impact_loss", "damping_loss",
        "numerical_loss", "residual",
    })

    def __init__(self, neighbour, first=False):
        self.neighbour, self.first = neighbour, first

    def model(self, model):
        result = copy.deepcopy(model)
        other = renamed(Moved(offset=self.offset).model(self.neighbour)["model"], "other_")
        for key in set(other) - {"gravity"}:
            mine = result["model"].get(key, [])
            result["model"][key] = other[key] + mine if self.first else mine + other[key]
        return result


def started_earlier(model, time):
    """Free bodies as they were some time before; the scene then goes on for that much longer."""
    result = copy.deepcopy(model)
    g = np.array(model["model"]["gravity"])
    for body in result["model"]["bodies"]:
        x, v = np.array(body["pose"]["position"]), np.array(body["velocity"]["linear"])
        body["pose"]["position"] = (x - time * v + time**2 / 2 * g).tolist()
        body["velocity"]["linear"] = (v - time * g).tolist()
        if body["type"] == "rigid":
            spin = np.array(body["velocity"]["angular"])
            body["pose"] = oriented(
                body["pose"], product(quaternion(-time * spin), orientation(body["pose"]))
            )
    result["simulation"]["end_time"] += time
    return result


def refined(model, factor):
    """With steps that are shorter by a factor; rows at the same times."""
    result = copy.deepcopy(model)
    result["simulation"]["integrator"]["step"] /= factor
    record = result["simulation"].setdefault("record", {})
    record["every"] = record.get("every", 1) * factor
    return result


# ---- deviations


MOTION = ("body", "node")


def worst(name, transform, model=None):
    """What of a model of the zoo deviates most under a transform, as (deviation, quantity)."""
    model = model or models.model(name)
    motion_only = "redundant" in models.ZOO[name].tags
    base, other = runs.run(model), runs.run(transform.model(model))
    found = deviations(base, other, transform, MOTION if motion_only else None)
    return max((value, quantity) for quantity, value in found)


def deviations(base, other, transform, owners=None):
    """For each quantity the largest deviation of the transformed run, over the size of its unit."""
    found = dict(compared(other))
    for name, quantity in compared(base):
        if quantity.kind in transform.skip or (owners and quantity.owner not in owners):
            continue
        if quantity.owner in transform.skip_owners:
            continue
        want, have = transform.expected(name, quantity, base.time), found[transform.name(name)].rows
        if want is None:
            continue
        if quantity.kind == "gravity":
            want, have = want - want[0], have - have[0]
        if quantity.kind == "orientation":
            want, have = matrix(want).reshape(len(want), -1), matrix(have).reshape(len(have), -1)
        size = base.sizes[quantity.unit]
        if isinstance(transform, Scaled):
            size *= transform.factor(UNITS[quantity.unit])
        if want.shape != have.shape:
            yield name, float("inf")
        else:
            off = np.max(np.abs(want - have)) / size
            yield name, max(0.0, float(off - transform.allowance(quantity.unit, base)))
