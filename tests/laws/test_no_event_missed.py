# SPDX-License-Identifier: Apache-2.0
"""event_driven misses no event: random starts of spheres, rods and boxes, up to a hundred sizes and radians a step.

Bodies turn uniformly, for their inertia is that of a sphere, so that the whole flight is known in closed form; the
first touch is found by many looks and a minimum between them, in numpy.
"""

import models
import numpy as np
import pytest
from models import collider, contact, explicit, plane, rigid
from runs import run

G = 9.81
STEP = 0.1
STARTS = 40  # of a model
MODELS = 250 if models.LONG else 4


def turned(axis, angle, v):
    """Rodrigues' formula for all angles at once."""
    cross, along = np.cross(axis, v), axis * (axis @ v)
    c, s = np.cos(angle)[:, None], np.sin(angle)[:, None]
    return along + c * (v - along) + s * cross


class Start:
    """A body or two that fly, the points that may touch, and their gaps."""

    def __init__(self, random, i):
        self.random, self.name = random, f"b{i}"
        self.kind = ("spheres", "rod", "box")[i % 3]
        self.size = 10 ** random.uniform(-2, -0.5)
        fast = self.size / STEP * 10 ** random.uniform(-1, 2)
        self.v = fast * self.direction()
        self.w = 10 ** random.uniform(-1, 2) / STEP
        self.axis = self.direction()
        self.bodies, self.colliders, self.contacts = [], [], []
        self.add_spheres() if self.kind == "spheres" else self.add_body()

    def direction(self):
        d = self.random.normal(size=3)
        return d / np.linalg.norm(d)

    def body(self, name, at, v, w):
        inertia = explicit(1.0, (0.1 * self.size**2 * np.eye(3)).tolist())
        self.bodies.append(rigid(name, inertia, at.tolist(), v.tolist(), w.tolist()))

    def touch(self, first, second):
        self.contacts.append(contact(f"{self.name}_{len(self.contacts)}", first, second, restitution=1.0))

    def add_spheres(self):
        """Many pass each other by a hair, or touch so."""
        r = self.size
        n = self.v / np.linalg.norm(self.v)
        aside = np.cross(n, self.direction())
        aside *= 2 * r * (1 + self.random.choice([-1, 1]) * 10 ** self.random.uniform(-9, 0.3)) / np.linalg.norm(aside)
        self.d = -n * (2 * r + self.random.uniform(0, 1) * np.linalg.norm(self.v) * STEP) + aside
        for name, at, v in (("p", np.array([0, 0, 30.0]), np.zeros(3)), ("q", np.array([0, 0, 30.0]) + self.d, self.v)):
            self.body(self.name + name, at, v, self.w * self.axis)
            self.colliders.append(collider(f"{self.name}{name}_s", self.name + name, "sphere", radius=r))
        self.touch(*(c["name"] for c in self.colliders))
        # As written, with the round-off of places far from the origin.
        self.d = np.array(self.bodies[1]["pose"]["position"]) - np.array(self.bodies[0]["pose"]["position"])

    def add_body(self):
        s = self.size
        self.radius = s * self.random.choice([0.0, 0.1]) if self.kind == "rod" else 0.0
        if self.kind == "rod":
            self.points = np.array([[-s, 0, 0], [s, 0, 0]])
        else:
            half = s * self.random.uniform(0.1, 1, 3)
            signs = np.array([[x, y, z] for z in (-1, 1) for y in (-1, 1) for x in (-1, 1)])
            self.points = half * signs
        reach = np.linalg.norm(self.points, axis=1).max() + self.radius
        fall = max(0.0, -self.v[2]) * STEP
        self.at = np.array([0, 0, reach * (1 + 1e-6) + self.random.uniform(0, 1) * (fall + s)])
        self.body(self.name, self.at, self.v, self.w * self.axis)
        if self.kind == "box":
            self.colliders = [collider(f"{self.name}_c", self.name, "box", size=(2 * half).tolist())]
        else:
            shape = {"shape": "sphere", "radius": self.radius} if self.radius > 0 else {"shape": "point"}
            self.colliders = [
                collider(f"{self.name}_{i}", self.name, at=p.tolist(), **shape) for i, p in enumerate(self.points)
            ]
        for c in self.colliders:
            self.touch("floor", c["name"])

    def gaps(self, t):
        """The least gap at times."""
        t = np.atleast_1d(t)
        if self.kind == "spheres":
            return np.linalg.norm(self.d + t[:, None] * self.v, axis=1) - 2 * self.size
        z = self.at[2] + self.v[2] * t - G / 2 * t**2
        heights = [turned(self.axis, self.w * t, p)[:, 2] for p in self.points]
        return z + np.min(heights, axis=0) - self.radius

    def first_touch(self, end):
        """Time and the least gap until then; infinity where there is none."""
        rate = np.linalg.norm(self.v) / self.size + self.w
        t = np.linspace(0, end, 64 + int(40 * rate * end))
        g = self.gaps(t)
        for i in range(1, len(t)):
            lo, hi = t[max(i - 2, 0)], t[i]
            after = min(i + 1, len(t) - 1)
            if g[i] >= 0 and not (g[i] <= g[i - 1] and g[i] <= g[after]):
                continue
            if g[i] >= 0:  # a minimum between looks
                lo, hi = t[i - 1], t[after]
                low = self.least(lo, hi)
                if self.gaps(low)[0] >= 0:
                    continue
                hi = low
            lo = t[i - 1] if g[i - 1] >= 0 else lo
            return self.root(lo, hi), g.min()
        return np.inf, g.min()

    def least(self, lo, hi):
        for _ in range(12):
            t = np.linspace(lo, hi, 41)
            i = np.argmin(self.gaps(t))
            lo, hi = t[max(i - 1, 0)], t[min(i + 1, 40)]
        return (lo + hi) / 2

    def root(self, lo, hi):
        for _ in range(80):
            middle = (lo + hi) / 2
            lo, hi = (lo, middle) if self.gaps(middle)[0] < 0 else (middle, hi)
        return hi

    def nearest(self, end):
        rate = np.linalg.norm(self.v) / self.size + self.w
        t = np.linspace(0, end, 64 + int(40 * rate * end))
        i = np.argsort(self.gaps(t))[:5]
        return min(self.gaps(self.least(t[max(k - 1, 0)], t[min(k + 1, len(t) - 1)]))[0] for k in i)


def scene(starts):
    parts = {k: [x for s in starts for x in getattr(s, k)] for k in ("bodies", "colliders", "contacts")}
    parts["colliders"].append(plane("floor", [0, 0, 0], [0, 0, 1]))
    return {
        "saltus": 1,
        "model": {"gravity": [0, 0, -G], **parts},
        "simulation": {"end_time": STEP, "integrator": {"type": "event_driven", "step": STEP}},
    }


@pytest.mark.parametrize("seed", range(MODELS))
def test_no_event_is_missed(seed):
    random = np.random.default_rng([seed, 7001])
    starts = [Start(random, i) for i in range(STARTS)]
    result = run(scene(starts))
    impacts = [e for e in result.events if e["kind"] == "impact"]
    overlooked = result.summary["max_overlooked"]
    assert overlooked < 1e-10
    for start in starts:
        # Names of points begin with that of their contact.
        own = [e["time"] for e in impacts if e["contact"].startswith(start.name + "_")]
        found = min(own, default=np.inf)
        truth, _ = start.first_touch(STEP)
        if np.isinf(found) and np.isinf(truth):
            continue
        if np.isinf(found) or np.isinf(truth):
            # Touched, or not, by less than what the certificate and round-off leave open.
            assert abs(start.nearest(STEP)) <= overlooked + 1e-11, (start.name, start.kind, found, truth)
            continue
        # A gap that closes at a flat angle is not known better than its rate tells.
        eps = 1e-7 * STEP
        rate = abs(start.gaps(truth + eps)[0] - start.gaps(truth - eps)[0]) / (2 * eps)
        assert abs(found - truth) * rate <= 1e-9 * max(start.size, rate * STEP), (start.name, start.kind, found, truth)


class Flight(Start):
    """A rod or box that flies over a face of its own, which it may miss, pass beside, or come round from behind."""

    def __init__(self, random, i):
        super().__init__(random, 1 + i % 2)
        self.name = f"b{i}"
        self.bodies, self.colliders, self.contacts = [], [], []
        self.add_body()
        # Near the floor, so that about half of the points pass beside.
        self.face = self.name + "_face"
        self.half = (self.size * 10 ** random.uniform(-0.5, 0.7, 2)).tolist()
        for c in self.contacts:
            c["between"][0] = self.face
        self.colliders.append(plane(self.face, [0, 0, 0], [0, 0, 1], "ground"))
        self.colliders[-1]["shape"] = {"type": "face", "normal": [0, 0, 1], "size": [2 * h for h in self.half]}

    def places(self, t):
        """Of all points at times."""
        t = np.atleast_1d(t)[:, None]
        centre = self.at + t * self.v - np.array([0, 0, G / 2]) * t**2
        return np.array([centre + turned(self.axis, self.w * t[:, 0], p) for p in self.points])

    def first_touch(self, end):
        """The first fall of a point through the height of the face within its edges; how near an edge it is."""
        rate = np.linalg.norm(self.v) / self.size + self.w
        t = np.linspace(0, end, 64 + int(200 * rate * end))
        z = self.places(t)[:, :, 2] - self.radius
        first = (np.inf, np.inf)
        for i, k in zip(*np.nonzero((z[:, :-1] >= 0) & (z[:, 1:] < 0))):
            lo, hi = t[k], t[k + 1]
            for _ in range(60):
                middle = (lo + hi) / 2
                below = self.places(middle)[i, 0, 2] < self.radius
                lo, hi = (lo, middle) if below else (middle, hi)
            inside = min(h - abs(x) for h, x in zip(self.half, self.places(hi)[i, 0]))
            if inside > 0 and hi < first[0]:
                first = (hi, inside)
        return first


@pytest.mark.parametrize("seed", range(MODELS))
def test_no_bounded_face_is_missed(seed):
    random = np.random.default_rng([seed, 7002])
    flights = [Flight(random, i) for i in range(STARTS)]
    result = run(scene(flights))
    assert result.summary["max_overlooked"] < 1e-10
    touched = 0
    for flight in flights:
        found = min(
            (e["time"] for e in result.events
             if e["kind"] == "impact" and e["contact"].startswith(flight.name + "_")), default=np.inf
        )
        truth, inside = flight.first_touch(STEP)
        if inside < 1e-9 * flight.size:
            continue  # on the edge
        touched += np.isfinite(truth)
        # One that is found before is a dip between looks of the truth: a touch it must be.
        if found < truth and (np.isinf(truth) or truth - found > 1e-9 * STEP):
            low = np.argmin(np.abs(flight.places(found)[:, 0, 2] - flight.radius))
            place = flight.places(found)[low, 0]
            assert abs(place[2] - flight.radius) < 1e-9, (flight.name, found, truth)
            assert all(abs(x) <= h + 1e-9 for h, x in zip(flight.half, place)), (flight.name, found, truth)
            continue
        assert found == pytest.approx(truth, abs=1e-7 * STEP) or np.isinf(truth), (flight.name, found, truth)
    assert touched > 0  # of 40 flights 2 at least in 250 scenes, more than 10 in most
