# SPDX-License-Identifier: Apache-2.0
"""Momentum, angular momentum and energy of every body, from the model and the recorded columns alone."""

import dataclasses
import functools
import re

import numpy as np
from rotations import matrix, orientation

# ---- bodies


def tensor(inertia):
    """About the centre of mass, in body axes."""
    kind, m = inertia["type"], inertia["mass"]
    if kind == "explicit":
        return np.array(inertia["tensor"]) if "tensor" in inertia else np.diag(inertia["moments"])
    if kind == "solid_box":
        squares = np.square(inertia["size"])
        return np.diag(m / 12 * (squares.sum() - squares))
    if kind in ("solid_sphere", "hollow_sphere"):
        return np.eye(3) * m * inertia["radius"] ** 2 * (2 / 5 if kind == "solid_sphere" else 2 / 3)
    axis = np.array(inertia.get("axis", [1, 0, 0]), float)
    axis /= np.linalg.norm(axis)
    r, length = inertia.get("radius", 0.0), inertia["length"]
    across, along = m * (r * r / 4 + length**2 / 12), m * r * r / 2
    return across * np.eye(3) + (along - across) * np.outer(axis, axis)


def mass_of(body):
    if body["type"] == "point_mass":
        return body["mass"]
    if body["type"] == "rigid":
        return body["inertia"]["mass"]
    if body["type"] == "solid":
        return body["material"]["density"] * np.prod(body["mesh"]["size"])
    section = body["section"]
    return body["material"]["density"] * section["width"] * section["height"] * length_of(body)


def length_of(beam):
    a, b = np.array(beam["start"]), np.array(beam["end"])
    chord = np.linalg.norm(b - a)
    if "through" not in beam:
        return chord
    c = np.array(beam["through"])
    cosine = np.dot(a - c, b - c) / np.linalg.norm(a - c) / np.linalg.norm(b - c)
    half = np.pi - np.arccos(cosine)  # half of the arc's angle
    return chord * half / np.sin(half)


def element_length(body):
    """The shortest edge of a flexible body's elements."""
    if body["type"] == "solid":
        return min(np.divide(body["mesh"]["size"], body["mesh"]["divisions"]))
    return length_of(body) / body["elements"]


def centre_over_contact(joint):
    """From where a rolling joint touches to the centre of its sphere or wheel, about which its torque is."""
    if joint["type"] != "rolling":
        return np.zeros(3)
    n = np.array(joint["axis"], float) / np.linalg.norm(joint["axis"])
    if joint.get("shape") != "wheel":
        return joint["radius"] * n
    rounding = joint.get("rounding", 0)
    axle = np.array(joint["axis_2"], float) / np.linalg.norm(joint["axis_2"])
    radial = n - n.dot(axle) * axle
    return (joint["radius"] - rounding) * radial / np.linalg.norm(radial) + rounding * n


@dataclasses.dataclass
class Motion:
    """A body's motion about its centre of mass, a row for each time."""

    mass: float
    position: np.ndarray
    velocity: np.ndarray
    turn: np.ndarray | None  # rotation matrices; None for points and flexible bodies
    spin: np.ndarray | None
    inertia: np.ndarray | None  # in inertial axes
    origin: np.ndarray

    def point(self, p):
        """Where a point in body coordinates is."""
        return self.origin if self.turn is None else self.origin + self.turn @ np.asarray(p, float)

    @property
    def momentum(self):
        return self.mass * self.velocity

    @property
    def angular_momentum(self):
        return np.einsum("nij,nj->ni", self.inertia, self.spin)


def motion_of(body, result):
    name = body["name"]
    x, v = result[f"{name}.position"], result[f"{name}.velocity"]
    if body["type"] != "rigid":
        return Motion(mass_of(body), x, v, None, None, None, x)
    R, w = matrix(result[f"{name}.orientation"]), result[f"{name}.angular_velocity"]
    arm = R @ np.array(body["inertia"].get("centre_of_mass", [0, 0, 0]), float)
    inertia = R @ tensor(body["inertia"]) @ np.swapaxes(R, 1, 2)
    return Motion(mass_of(body), x + arm, v + np.cross(w, arm), R, w, inertia, x)


# ---- what acts on them


class Ledger:
    """Impulses on every body: rows n → n + 1, cumulated by the caller."""

    def __init__(self, result):
        self.result, self.model = result, result.model["model"]
        self.h = np.diff(result.time)[:, None]
        self.bodies = {b["name"]: b for b in self.model["bodies"]}
        self.motions = {n: motion_of(b, result) for n, b in self.bodies.items()}
        rows = len(result.time) - 1
        self.impulse = {n: np.zeros((rows, 3)) for n in self.bodies}
        self.moment = {n: np.zeros((rows, 3)) for n in self.bodies}  # about the centre of mass
        self.moved = dict.fromkeys(self.bodies, 0.0)  # the sum of all impulses, whatever their directions
        self.unknown = set()  # bodies of which the moments cannot be told from outside
        for name, motion in self.motions.items():
            weight = motion.mass * np.array(self.model["gravity"]) * self.h
            self.impulse[name] += weight
            self.moved[name] += np.abs(weight).sum()
        self.add_joints()
        self.add_forces()
        self.add_contacts()
        for bearing in self.model.get("ball_bearings", []):
            self.act(bearing["inner"]["body"], self.result[f"{bearing['name']}.inner.impulse"][1:], None)

    def act(self, name, impulse, place, moment=0.0):
        """An impulse at a place (rows for all times, or None if unknown)."""
        if name == "ground":
            return
        self.impulse[name] += impulse
        self.moved[name] += np.abs(impulse).sum()
        motion = self.motions[name]
        if place is None or motion.turn is None:
            self.unknown.add(name)
            return
        arms = place - motion.position
        at_end = np.isin(np.arange(1, len(self.result.time)), self.result.impact_rows)[:, None]
        arm = np.where(at_end, arms[1:], (arms[1:] + arms[:-1]) / 2)  # an impulse that lasts acts on the way
        self.moment[name] += np.cross(arm, impulse) + moment

    def place(self, frame):
        if frame["body"] == "ground":
            return np.tile(np.array(frame.get("position", [0, 0, 0]), float), (len(self.result.time), 1))
        if not self.bodies[frame["body"]]["type"] in ("rigid", "point_mass"):
            return None
        return self.motions[frame["body"]].point(frame.get("position", [0, 0, 0]))

    def joint_frames(self, joint):
        """The two bodies, and the place of the second frame."""
        if joint["type"] == "lock":
            return "ground", joint["body"], self.motions[joint["body"]].origin
        if "between" in joint:
            a, b = joint["between"]
            return a["body"], b["body"], self.place(b)
        first, second = joint["bodies"]
        at = np.array(joint["at"], float) + centre_over_contact(joint)
        if second == "ground":
            return first, second, np.tile(at, (len(self.result.time), 1))
        m = self.motions[second]
        if m.turn is None:
            return first, second, m.origin
        return first, second, m.point(m.turn[0].T @ (at - m.origin[0]))

    def add_joints(self):
        for joint in self.model.get("joints", []):
            first, second, place = self.joint_frames(joint)
            P, A = self.result[f"{joint['name']}.impulse"][1:], self.result[
                f"{joint['name']}.angular_impulse"
            ][1:]
            self.act(second, P, place, A)
            self.act(first, -P, place, -A)

    def add_forces(self):
        for force in self.model.get("forces", []):
            getattr(self, "add_" + force["type"])(force)

    def over_steps(self, rows):
        """Trapezoidal rule."""
        return self.h * (rows[1:] + rows[:-1]) / 2

    def functions(self, value):
        return np.column_stack([function_of_time(f, self.result.time) for f in value])

    def add_force(self, force):
        place = self.place(force["on"])
        self.act(force["on"]["body"], self.over_steps(self.functions(force["value"])), place)

    def add_torque(self, force):
        self.moment[force["on"]["body"]] += self.over_steps(self.functions(force["value"]))

    def add_spring_damper(self, force):
        a, b = (self.place(f) for f in force["between"])
        d = b - a
        length = np.linalg.norm(d, axis=1, keepdims=True)
        n = d / length
        speed = [self.velocity(f, p) for f, p in zip(force["between"], (a, b))]
        rate = np.sum(n * (speed[1] - speed[0]), axis=1, keepdims=True)
        pull = force["stiffness"] * (
            length - force.get("rest_length", length[0])
        ) + force.get("damping", 0) * rate
        P = self.over_steps(pull * n)
        self.act(force["between"][0]["body"], P, a)
        self.act(force["between"][1]["body"], -P, b)

    def velocity(self, frame, place):
        if frame["body"] == "ground":
            return np.zeros_like(place)
        m = self.motions[frame["body"]]
        return m.velocity if m.turn is None else m.velocity + np.cross(m.spin, place - m.position)

    def add_torsional_spring_damper(self, force):
        joint = next(j for j in self.model["joints"] if j["name"] == force["joint"])
        first, second, _ = self.joint_frames(joint)
        axis = np.array(joint["axis"]) / np.linalg.norm(joint["axis"])
        body = self.motions[second] if second != "ground" else self.motions[first]
        n = body.turn @ (body.turn[0].T @ axis)
        spins = [0 if b == "ground" else self.motions[b].spin for b in (first, second)]
        rate = np.sum(n * (spins[1] - spins[0]), axis=1)
        torque = -force["stiffness"] * (
            self.result[f"{joint['name']}.angle"] - force.get("rest_angle", 0)
        ) - force.get("damping", 0) * rate
        M = self.over_steps(torque[:, None] * n)
        for name, sign in ((first, -1), (second, 1)):
            if name != "ground":
                self.moment[name] += sign * M

    def add_bushing(self, force):
        """Its law is not repeated here: only the sum over both bodies is known."""
        raise NotImplementedError

    # contacts

    def add_contacts(self):
        colliders = {c["name"]: c for c in self.model.get("colliders", [])}
        for contact in self.model.get("contacts", []):
            for prefix, first, second, k in self.points(contact, colliders):
                P = self.result[f"{prefix}.impulse"][1:]
                places = self.contact_places(colliders[first], colliders[second], k)
                turn = self.contact_moment(prefix, colliders[first], colliders[second])
                for collider, place, sign in zip((first, second), places, (-1, 1)):
                    self.act(colliders[collider]["frame"]["body"], sign * P, place, sign * turn)

    def points(self, contact, colliders):
        """Column prefixes of a contact's points, their colliders, and their numbers."""
        prefix = contact["name"]
        if f"{prefix}.gap" in self.result:
            sides = [side if isinstance(side, str) else side[0] for side in contact["between"]]
            return [(prefix, *sides, 0)]
        pattern = re.compile(re.escape(prefix) + r"\.(\w+)\.(\w+)\.(\d+)\.gap")
        found = [pattern.fullmatch(name) for name in self.result.quantities]
        return [(m.string[: -len(".gap")], m[1], m[2], int(m[3])) for m in found if m]

    def contact_places(self, first, second, k):
        """Where a contact point is on either body, or None for shapes that are not repeated here."""
        if first["shape"]["type"] == second["shape"]["type"] == "sphere":
            n = self.normals_of_balls(first, second)
            return [
                self.place(c["frame"]) + sign * c["shape"]["radius"] * n
                for c, sign in ((first, 1), (second, -1))
            ]
        place = self.contact_place(first, second, k)
        return place, place

    def normals_of_balls(self, first, second):
        """In an impact that at the touch: both fly, and move straight with respect to each other."""
        centres = [self.place(c["frame"]) for c in (first, second)]
        d = centres[1] - centres[0]
        u = self.velocity(second["frame"], centres[1]) - self.velocity(first["frame"], centres[0])
        touch = first["shape"]["radius"] + second["shape"]["radius"]
        for row in self.result.impact_rows:
            d_0, way = d[row - 1].copy(), u[row - 1] * self.h[row - 1]
            a, b, c = way @ way, d_0 @ way, d_0 @ d_0 - touch**2
            closes = c > 0 and b < 0 and b * b > a * c
            d[row] = d_0 + (c / (np.sqrt(b * b - a * c) - b) if closes else 0) * way
        return d / np.linalg.norm(d, axis=1, keepdims=True)

    def contact_place(self, first, second, k):
        a, b = first["shape"]["type"], second["shape"]["type"]
        flat = ("half_space", "face")
        if a in flat and b == "box":
            corner = [s / 2 * (1 if k >> i & 1 else -1) for i, s in enumerate(second["shape"]["size"])]
            return self.place({
                **second["frame"], "position": np.add(second["frame"].get("position", [0, 0, 0]), corner)
            })
        if b == "point":
            return self.place(second["frame"]) if "nodes" not in second["frame"] else None
        if b != "sphere":
            return None
        centre = self.place(second["frame"])
        r = second["shape"]["radius"]
        if a in flat:
            n = self.normal(first)
            return None if n is None else centre - r * n
        if a == "hollow_sphere":
            d = centre - self.place(first["frame"])
            return centre + r * d / np.linalg.norm(d, axis=1, keepdims=True)
        return None

    def normal(self, plane):
        n = np.array(plane["shape"].get("normal", [0, 0, 1]), float)
        n = matrix(orientation(plane["frame"])) @ n / np.linalg.norm(n)
        body = plane["frame"]["body"]
        if body == "ground":
            return n
        turn = self.motions[body].turn
        return None if turn is None else turn @ n

    def contact_moment(self, prefix, first, second):
        """Rolling and spinning moments, on spheres that roll on planes."""
        if f"{prefix}.moment_impulse.n" not in self.result:
            return 0.0
        n = self.normal(first)
        x = np.array([1.0, 0, 0]) if abs(n[0]) <= 0.9 else np.array([0, 1.0, 0])
        t1 = x - n * (n @ x)
        t1 /= np.linalg.norm(t1)
        m = [self.result[f"{prefix}.moment_impulse.{c}"][1:, None] for c in ("n", "t1", "t2")]
        return m[0] * n + m[1] * t1 + m[2] * np.cross(n, t1)

    # defects

    @functools.cached_property
    def momentum_defects(self):
        """For each body, how far its momentum is from all impulses since the start, over their size."""
        return {n: self.defect(m.momentum, self.impulse[n], self.size(n)) for n, m in self.motions.items()}

    @functools.cached_property
    def angular_defects(self):
        known = {n: m for n, m in self.motions.items() if n not in self.unknown and m.turn is not None}
        return {
            n: self.defect(m.angular_momentum, self.moment[n], self.arm(n) * self.size(n))
            for n, m in known.items()
        }

    def size(self, name):
        m = self.motions[name]
        spin = 0.0 if m.spin is None else np.abs(m.angular_momentum).max() / self.arm(name)
        return self.moved[name] + np.abs(m.momentum).max() + spin

    def arm(self, name):
        """The radius of gyration."""
        m = self.motions[name]
        return np.sqrt(np.trace(m.inertia[0]) / 2 / m.mass)

    @staticmethod
    def defect(state, impulses, size):
        off = state[1:] - state[:1] - np.cumsum(impulses, axis=0)
        return float(np.abs(off).max() / size) if size > 0 else 0.0


def function_of_time(f, time):
    if not isinstance(f, dict):
        return np.full_like(time, f)
    if f["type"] == "table":
        return np.interp(time, f["times"], f["values"])
    if f["type"] == "sine":
        return f["amplitude"] * np.sin(
            2 * np.pi * f["frequency"] * time + f.get("phase", 0)
        ) + f.get("offset", 0)
    names = {
        "t": time, "pi": np.pi, "sin": np.sin, "cos": np.cos, "exp": np.exp, "min": np.minimum,
        "max": np.maximum,
    }
    return eval(
        f["text"], {"__builtins__": {}}, names
    ) + 0 * time  # formulas of the zoo, which are Python too


# ---- energy


def turnover(result):
    """All energy that moved: the sum of the absolute changes of what is stored, and of what flows."""
    names = [n for n in result.quantities if n.startswith("energy.") and not n.endswith("residual")]
    return sum(np.abs(np.diff(result[n])).sum() for n in names)


def rigid_energies(ledger):
    """Kinetic energy and that of gravity."""
    kinetic = gravity = 0.0
    for m in ledger.motions.values():
        kinetic = kinetic + m.mass / 2 * np.sum(m.velocity**2, axis=1)
        gravity = gravity - m.mass * m.position @ np.array(ledger.model["gravity"])
        if m.spin is not None:
            kinetic = kinetic + np.sum(m.spin * m.angular_momentum, axis=1) / 2
    return kinetic, gravity
