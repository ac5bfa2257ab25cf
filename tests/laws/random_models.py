# SPDX-License-Identifier: Apache-2.0
"""Random models for event_driven: nobody looked at one before it was run.

A seed gives a scene of one of the kinds below: bodies that are thrown, lean, are wedged, stacked, hinged,
guided, driven, drawn by belts, pushed by forces that jump. Lengths are of any scale from a millimetre to metres,
friction 0 to 2, restitution 0 to 1, with and without gravity.
"""

import dataclasses

import numpy as np
from models import collider, contact, expression, frame, joint, mass_point, plane, push, rigid, spring
from models import solid_box, solid_sphere

G = 9.81


def orthogonal(n):
    """A unit vector across n."""
    other = np.eye(3)[np.argmin(np.abs(n))]
    t = np.cross(n, other)
    return t / np.linalg.norm(t)


@dataclasses.dataclass
class Scene:
    """What a kind adds to. Lengths are over `size`, times over `period`, which a fall over the size takes."""

    random: np.random.Generator
    size: float
    has_gravity: bool
    bodies: list = dataclasses.field(default_factory=list)
    joints: list = dataclasses.field(default_factory=list)
    forces: list = dataclasses.field(default_factory=list)
    colliders: list = dataclasses.field(default_factory=list)
    contacts: list = dataclasses.field(default_factory=list)

    @property
    def period(self):
        return np.sqrt(self.size / G)

    @property
    def speed(self):
        return self.size / self.period

    # numbers

    def uniform(self, a, b, n=None):
        value = self.random.uniform(a, b, n)
        return float(value) if n is None else value

    def chance(self, p):
        return self.random.random() < p

    def pick(self, *choices):
        return choices[self.random.integers(len(choices))]

    def vector(self, size):
        return self.uniform(-size, size, 3)

    def direction(self):
        v = self.random.normal(size=3)
        return v / np.linalg.norm(v)

    def mass(self):
        """Of water, about, and lighter or heavier by up to ten."""
        return float(1000 * self.size**3 * 10 ** self.uniform(-1, 1))

    # parts

    def law(self):
        """Of a contact. Extremes are as likely as what lies between."""
        friction = self.pick(0.0, self.uniform(0, 0.5), self.uniform(0.5, 2))
        law = {"restitution": self.pick(0.0, 1.0, self.uniform(0, 1)), "friction": friction}
        if friction > 0 and self.chance(0.2):
            law["static_friction"] = friction * self.uniform(1, 1.5)
        elif friction > 0 and self.chance(0.15):
            law["friction"] = {
                "type": "stribeck", "static": friction * self.uniform(1, 1.5), "kinetic": friction,
                "stribeck_velocity": self.speed * self.uniform(0.02, 0.5),
            }
        return law

    def touch(self, first, second, law=None):
        self.contacts.append(contact(f"c{len(self.contacts)}", first, second, **(law or self.law())))

    def ground(self, name="floor", at=(0, 0, 0), normal=(0, 0, 1), **options):
        self.colliders.append(plane(name, np.multiply(at, self.size).tolist(), list(normal), **options))
        return name

    def add(self, kind, at, v=(0, 0, 0), w=(0, 0, 0), turned=(0, 0, 0), extent=None):
        """A body with its colliders; returns its name and those of the colliders."""
        name, s = f"{kind}{len(self.bodies)}", self.size
        pose = np.multiply(at, s).tolist()
        linear, angular = np.multiply(v, self.speed).tolist(), np.divide(w, self.period).tolist()
        if kind == "point":
            self.bodies.append(mass_point(name, self.mass(), pose, linear))
            self.colliders.append(collider(f"{name}_p", name, "point"))
            return name, [f"{name}_p"]
        extent = extent if extent is not None else self.extent(kind)
        if kind == "ball":
            inertia = solid_sphere(self.mass(), extent * s)
            shapes = [collider(f"{name}_s", name, "sphere", radius=extent * s)]
        elif kind == "box":
            size = np.multiply(extent, s).tolist()
            inertia = solid_box(self.mass(), *size)
            shapes = [collider(f"{name}_b", name, "box", size=size)]
        else:  # a rod along x, with points or balls at its ends
            length, radius = extent
            inertia = solid_box(self.mass(), length * s, 0.1 * length * s, 0.1 * length * s)
            shape = {"shape": "sphere", "radius": radius * s} if radius > 0 else {"shape": "point"}
            shapes = [
                collider(f"{name}_{i}", name, at=[x * length * s / 2, 0, 0], **shape)
                for i, x in enumerate((-1, 1))
            ]
        self.bodies.append(rigid(name, inertia, pose, linear, angular, list(turned)))
        self.colliders += shapes
        return name, [c["name"] for c in shapes]

    def extent(self, kind):
        if kind == "ball":
            return self.uniform(0.1, 0.5)
        if kind == "box":
            return self.uniform(0.2, 1, 3) * self.pick(np.ones(3), np.array([1, 1, 0.2]), np.array([0.2, 1, 1]))
        return self.uniform(0.4, 1.2), self.pick(0.0, 0.05)

    def function(self, amplitude, period):
        """Of time: constants, sines, tables, formulas that jump."""
        t = [self.uniform(0.05, 1) * period * self.period for _ in range(3)]
        kind = self.pick("number", "sine", "table", "jump", "pulse", "square")
        if kind == "number":
            return amplitude
        if kind == "sine":
            return {"type": "sine", "amplitude": amplitude, "frequency": 1 / t[0]}
        if kind == "table":
            times = np.concatenate([[0], np.cumsum(t)])
            values = np.concatenate([[0], amplitude * self.uniform(-1, 1, 3)])
            return {"type": "table", "times": times.tolist(), "values": values.tolist()}
        if kind == "jump":
            return expression(f"{amplitude}*(t>{t[0]})")
        if kind == "pulse":
            return expression(f"{10 * amplitude}*(t>{t[0]})*(t<{t[0] + 0.01 * t[1]})")
        return expression(f"{amplitude}*sign(sin({2 * np.pi / t[0]}*t))")

    def smooth_function(self, amplitude, period):
        """For drives, whose motion may not jump: 0 at the start."""
        t = self.uniform(0.3, 2) * period * self.period
        if self.chance(0.5):
            return {"type": "sine", "amplitude": amplitude, "frequency": 1 / t}
        return expression(f"{amplitude}*(1-cos({2 * np.pi / t}*t))/2")

    def model(self, duration, rows=100):
        end = duration * self.period
        parts = {k: getattr(self, k) for k in ("joints", "forces", "colliders", "contacts")}
        gravity = [0, 0, -G if self.has_gravity else 0]
        return {
            "saltus": 1,
            "model": {"gravity": gravity, "bodies": self.bodies, **{k: v for k, v in parts.items() if v}},
            "simulation": {"end_time": end, "integrator": {"type": "event_driven", "step": end / rows}},
        }


# ---- kinds


def thrown(s):
    """Onto a floor, and against a wall."""
    s.ground()
    sides = ["floor"]
    if s.chance(0.5):
        sides.append(s.ground("wall", [1.5, 0, 0], [-1, 0, 0]))
    for i in range(s.random.integers(1, 4)):
        kind = s.pick("ball", "box", "rod", "point")
        at = [s.uniform(-1, 0.3), 2.5 * i, s.uniform(0.9, 1.5)]
        v = [s.uniform(-1, 3), 0, s.uniform(-3, 1)] if s.chance(0.8) else [0, 0, s.uniform(-3, 0)]
        w = s.vector(5) if s.chance(0.6) else np.zeros(3)
        _, shapes = s.add(kind, at, v, w, s.vector(2) if s.chance(0.6) else np.zeros(3))
        for shape in shapes:
            for side in sides:
                s.touch(side, shape)


def balls(s):
    """That fly at each other, two or three at once."""
    names = []
    for i in range(s.random.integers(2, 5)):
        way = s.direction() if s.chance(0.5) else np.array([(-1.0) ** i, 0, 0])
        at = (1.2 + i) * way
        names += s.add("ball", at, -s.uniform(0.3, 2) * way, s.vector(3), extent=s.uniform(0.1, 0.4))[1]
    for i, a in enumerate(names):
        for b in names[:i]:
            s.touch(a, b)


def leaning(s):
    """A rod or a box that touches a floor and a wall."""
    s.ground()
    s.ground("wall", [0, 0, 0], [1, 0, 0])
    angle = s.uniform(0.2, 1.35)
    turn = [0, angle, 0]
    if s.chance(0.5):
        length, radius = s.extent("rod")
        at = [length / 2 * np.cos(angle) + radius, 0, length / 2 * np.sin(angle) + radius]
        _, shapes = s.add("rod", at, turned=turn, extent=(length, radius))
    else:
        a, b, c = s.extent("box")
        reach = np.cos(angle) * a + np.sin(angle) * c, np.sin(angle) * a + np.cos(angle) * c
        _, shapes = s.add("box", [reach[0] / 2, 0, reach[1] / 2], turned=turn, extent=[a, b, c])
    law = s.law()
    for shape in shapes:
        s.touch("floor", shape, law if s.chance(0.5) else None)
        s.touch("wall", shape)


def wedged(s):
    """In a groove of two planes, thrown or put there."""
    angles = s.uniform(0.1, 1.4, 2)
    for name, angle, side in (("left", angles[0], 1), ("right", angles[1], -1)):
        s.ground(name, normal=[side * np.sin(angle), 0, np.cos(angle)])
    kind = s.pick("ball", "rod", "box")
    above = s.uniform(0, 0.5) if s.chance(0.5) else 0
    if kind == "ball":
        r = s.extent("ball")
        n = [np.array([np.sin(angles[0]), np.cos(angles[0])]), np.array([-np.sin(angles[1]), np.cos(angles[1])])]
        x, z = np.linalg.solve(np.array(n), [r, r])
        _, shapes = s.add("ball", [x, 0, z + above], s.vector(1) if above else (0, 0, 0), s.vector(3), extent=r)
    else:
        extent = s.extent(kind)
        reach = np.linalg.norm(extent if kind == "box" else [extent[0], 2 * extent[1]]) / 2
        z = 1.001 * reach / min(np.cos(a) for a in angles)
        _, shapes = s.add(kind, [0, 0, z + above], s.vector(1), s.vector(3), s.vector(1), extent)
    for shape in shapes:
        s.touch("left", shape)
        s.touch("right", shape)


def stacked(s):
    """A box on a floor, something on the box."""
    s.ground()
    a, b, c = s.uniform(0.5, 1, 2).tolist() + [s.uniform(0.1, 0.5)]
    v = [s.uniform(-1, 1), s.uniform(-1, 1), 0] if s.chance(0.4) else [0, 0, 0]
    low, shapes = s.add("box", [0, 0, c / 2], v, extent=[a, b, c])
    s.touch("floor", shapes[0])
    half = [a * s.size, b * s.size]
    s.colliders.append(plane("lid", [0, 0, c * s.size / 2], [0, 0, 1], low, size=half))
    kind = s.pick("ball", "box")
    extent = s.uniform(0.1, 0.3) if kind == "ball" else s.uniform(0.15, 0.45, 3)
    height = extent if kind == "ball" else extent[2] / 2
    above = s.uniform(0, 0.4) if s.chance(0.5) else 0
    _, upper = s.add(kind, [s.uniform(-0.1, 0.1), s.uniform(-0.1, 0.1), c + height + above], extent=extent)
    s.touch("lid", upper[0])
    if s.chance(0.6):
        pull = 3 * s.bodies[0]["inertia"]["mass"] * G
        s.forces.append(push("pull", frame(low), s.function(pull * s.uniform(0, 1), 4), 0, 0))


def hinged(s):
    """A rod or two on a joint, whose ends strike a floor."""
    length, radius = s.uniform(0.6, 1.2), s.pick(0.0, 0.05)
    angle = s.uniform(-0.9, 0.9)
    way = np.array([np.cos(angle), 0, -np.sin(angle)])
    s.ground(at=[0, 0, -s.uniform(0.9, 1) * length])
    w = s.uniform(-3, 3)
    place = length / 2 * way
    upper, shapes = s.add("rod", place, np.cross([0, w, 0], place), [0, w, 0], [0, angle, 0], (length, radius))
    kind = s.pick("revolute", "spherical", "universal")
    options = {"revolute": {"axis": [0, 1, 0]}, "spherical": {}, "universal": {"axis": [0, 1, 0], "axis_2": [0, 0, 1]}}
    if kind == "universal":
        options[kind]["axis_2"] = orthogonal(np.array([0, 1.0, 0])).tolist()
    s.joints.append(joint("pin", kind, "ground", upper, [0, 0, 0], **options[kind]))
    if s.chance(0.5):
        tip = length * way
        lower, more = s.add(
            "rod", tip + [0.15, 0, 0], np.cross([0, w, 0], tip + [0.15, 0, 0]), [0, w, 0], extent=(0.3, radius)
        )
        s.joints.append(joint("knee", s.pick("revolute", "spherical"), upper, lower, (s.size * tip).tolist()))
        if s.joints[-1]["type"] == "revolute":
            s.joints[-1]["axis"] = [0, 1, 0]
        shapes = [shapes[1], *more]
        s.colliders = [c for c in s.colliders if c["name"] in ("floor", *shapes)]
    else:
        s.colliders = [c for c in s.colliders if c["name"] in ("floor", shapes[1])]
        shapes = shapes[1:]
    law = s.law()
    for shape in shapes:
        s.touch("floor", shape, law)


def guided(s):
    """On a prismatic, cylindrical or planar joint, with a spring, against a wall."""
    axis = s.pick(np.array([0, 0, 1.0]), np.array([0.6, 0, 0.8]), np.array([1.0, 0, 0]))
    s.ground()
    kind = s.pick("prismatic", "cylindrical", "point_on_line", "planar")
    body = s.pick("box", "ball")
    extent = s.extent(body)
    reach = np.linalg.norm(extent) / 2 if body == "box" else extent
    at = np.array([0, 0, reach + s.uniform(0.1, 0.6)])
    normal = orthogonal(axis) if kind == "planar" else axis
    w = normal * s.uniform(-3, 3) if kind in ("cylindrical", "planar") else np.zeros(3)
    name, shapes = s.add(body, at, axis * s.uniform(-2, 0.5), w, s.vector(1), extent)
    s.joints.append(joint("guide", kind, "ground", name, (s.size * at).tolist(), normal.tolist()))
    s.touch("floor", shapes[0])
    if s.chance(0.6):
        k = s.bodies[0]["inertia"]["mass"] * G / s.size * s.uniform(0.5, 20)
        ends = frame("ground", (s.size * (at + [0.3, 0.2, 1])).tolist()), frame(name)
        s.forces.append(spring("spring", *ends, k, s.uniform(0, 0.1) * k * s.period))


def driven(s):
    """Bodies on a table that a drive moves up and down, or to and fro."""
    axis = s.pick(np.array([0, 0, 1.0]), np.array([1.0, 0, 0]), np.array([0.6, 0, 0.8]))
    plate, _ = s.add("box", [0, 0, -0.1], extent=[3, 3, 0.2])
    s.colliders = [plane("table", [0, 0, 0.1 * s.size], [0, 0, 1], plate, size=[3 * s.size] * 2)]
    drive = {"type": "position", "value": s.smooth_function(s.size * s.uniform(0.02, 0.5), 3)}
    if s.chance(0.3):
        drive = {"type": "speed", "value": s.function(s.speed * s.uniform(-0.5, 0.5), 4)}
    s.joints.append(joint("lift", "prismatic", "ground", plate, [0, 0, 0], axis.tolist(), drive=drive))
    for i in range(s.random.integers(1, 3)):
        kind = s.pick("ball", "box", "point")
        extent = None if kind == "point" else s.extent(kind)
        height = 0 if kind == "point" else extent if kind == "ball" else extent[2] / 2
        above = s.uniform(0, 0.3) if s.chance(0.5) else 0
        _, shapes = s.add(kind, [0, 1.2 * i - 0.6, height + above], extent=extent)
        s.touch("table", shapes[0])


def crank(s):
    """A driven arm that strikes balls on a floor."""
    s.ground()
    arm, shapes = s.add("rod", [0, 0, 1], turned=[0, s.uniform(-0.5, 0.5), 0], extent=(1.2, 0.1))
    value = s.function(s.uniform(-2, 2) / s.period, 4)
    drive = {"type": "speed", "value": value}
    if s.chance(0.5):
        drive = {"type": "position", "value": s.smooth_function(s.uniform(0.2, 3), 6)}
    s.joints.append(
        joint("motor", "revolute", "ground", arm, [0, 0, s.size], [0, 1, 0], drive=drive)
    )
    for x in (-0.4, 0.45):
        _, ball = s.add("ball", [x, s.uniform(-0.05, 0.05), 0.2], extent=0.2)
        s.touch("floor", ball[0])
        for shape in shapes:
            s.touch(shape, ball[0])


def on_belts(s):
    """On a surface that runs, some held by a spring."""
    s.ground(surface_velocity=[s.speed * s.uniform(-1, 1), s.speed * s.uniform(-0.3, 0.3), 0])
    for i in range(s.random.integers(1, 3)):
        kind = s.pick("ball", "box", "rod", "point")
        extent = None if kind == "point" else s.extent(kind)
        height = {"point": lambda: 0, "ball": lambda: extent, "box": lambda: extent[2] / 2, "rod": lambda: extent[1]}
        above = s.uniform(0, 0.3) if s.chance(0.4) else 0
        w = [0, 0, s.uniform(-3, 3)] if s.chance(0.4) else [0, 0, 0]
        name, shapes = s.add(kind, [0, 1.5 * i, height[kind]() + above], [s.uniform(-1, 1), 0, 0], w, extent=extent)
        for shape in shapes:
            s.touch("floor", shape)
        if s.chance(0.6):
            body = s.bodies[-1]
            k = (body["mass"] if kind == "point" else body["inertia"]["mass"]) * G / s.size * s.uniform(0.5, 20)
            ends = frame("ground", [2 * s.size, 1.5 * i * s.size, 0.3 * s.size]), frame(name)
            s.forces.append(spring(f"spring{i}", *ends, k, s.pick(0.0, 0.02) * k * s.period))


def pushed(s):
    """On a floor or a slope, by forces and torques that jump."""
    slope = s.pick(0.0, s.uniform(0, 0.7))
    s.ground(normal=[np.sin(slope), 0, np.cos(slope)])
    kind = s.pick("box", "rod", "ball")
    extent = s.extent(kind)
    height = extent if kind == "ball" else extent[2] / 2 if kind == "box" else extent[1]
    at = height * np.array([np.sin(slope), 0, np.cos(slope)])
    name, shapes = s.add(kind, at, turned=[0, slope, 0], extent=extent)
    for shape in shapes:
        s.touch("floor", shape)
    weight = s.bodies[0]["inertia"]["mass"] * G
    place = frame(name, (s.size * s.vector(0.2)).tolist())
    s.forces.append(push("push", place, *[s.function(weight * s.uniform(-1.5, 1.5), 4) for _ in range(3)]))
    if s.chance(0.4):
        moments = [s.function(weight * s.size * s.uniform(-0.5, 0.5), 4) for _ in range(3)]
        s.forces.append(push("twist", {"body": name}, *moments, kind="torque"))


def in_a_bowl(s):
    """A ball or a rod with balls at its ends inside of a hollow sphere."""
    s.colliders.append(collider("bowl", "ground", "hollow_sphere", radius=s.size))
    kind = s.pick("ball", "rod")
    extent = s.uniform(0.05, 0.3) if kind == "ball" else (s.uniform(0.3, 1), 0.05)
    _, shapes = s.add(kind, s.vector(0.2), s.vector(2), s.vector(5), s.vector(1), extent)
    for shape in shapes:
        s.touch("bowl", shape)


def four_bar(s):
    """A crank, a coupler and a rocker; the coupler carries a ball that strikes a floor."""
    a, c = s.uniform(0.3, 0.5), s.uniform(0.8, 1.1)
    base = 1.0
    angle = s.uniform(0.6, 2.4)
    A = a * np.array([np.cos(angle), 0, np.sin(angle)])
    B = np.array([base + c * np.cos(1.2), 0, c * np.sin(1.2)])
    D = np.array([base, 0, 0])
    for i, (p, q) in enumerate(((np.zeros(3), A), (A, B), (D, B))):
        way = q - p
        turn = [0, -np.arctan2(way[2], way[0]), 0]
        s.add("rod", (p + q) / 2, turned=turn, extent=(np.linalg.norm(way), 0.04))
    names = [b["name"] for b in s.bodies]
    pins = (("p0", "ground", names[0], np.zeros(3)), ("p1", names[0], names[1], A))
    pins += (("p2", names[1], names[2], B), ("p3", "ground", names[2], D))
    for name, first, second, at in pins:
        s.joints.append(joint(name, "revolute", first, second, (s.size * at).tolist(), [0, 1, 0]))
    s.colliders = [c for c in s.colliders if c["name"] == f"{names[1]}_1"]
    s.ground(at=[0, 0, s.uniform(0.2, 0.6)])
    s.touch("floor", f"{names[1]}_1")
    if not s.has_gravity:
        weight = s.bodies[0]["inertia"]["mass"] * G * s.size
        s.forces.append(push("twist", {"body": names[0]}, 0, s.function(weight, 3), 0, kind="torque"))


KINDS = (
    thrown, balls, leaning, wedged, stacked, hinged, guided, driven, crank, on_belts, pushed, in_a_bowl, four_bar
)
WEIGHTLESS = (thrown, balls, hinged, guided, crank, in_a_bowl, four_bar)


def kind_of(seed):
    return KINDS[seed % len(KINDS)]


def random_model(seed):
    """The model of a seed."""
    random = np.random.default_rng([seed, 20011])
    kind = kind_of(seed)
    size = float(10 ** random.uniform(-3, 0.5)) if random.random() < 0.5 else 1.0
    scene = Scene(random, size, kind not in WEIGHTLESS or random.random() < 0.7)
    kind(scene)
    return scene.model(scene.uniform(2, 4))
