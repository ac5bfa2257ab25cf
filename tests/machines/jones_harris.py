# SPDX-License-Identifier: Apache-2.0
"""Ball bearings by the model of Jones and Harris: rigid rings, balls at fixed angles between groove centres, Hertz's
law at both races, five displacements of the inner ring, which may be finite. Written from the books, with nothing of Saltus in it: T. A.
Harris, M. N. Kotzalas, Rolling Bearing Analysis, chapters on load distribution and on high speeds; elliptic integrals
by the arithmetic-geometric mean."""

import math

import numpy as np


def elliptic(m):
    """K(m), E(m)."""
    a, b, s, p = 1.0, math.sqrt(1 - m), m / 2, 0.5
    while abs(a - b) > 1e-15 * a:
        a, b, c = (a + b) / 2, math.sqrt(a * b), (a - b) / 2
        p *= 2
        s += p * c * c
    K = math.pi / (2 * a)
    return K, K * (1 - s)


def hertz_stiffness(curvatures, young_modulus, poisson_ratio):
    """K of F = K δ^1.5 between two bodies of one material; the relative curvatures of the two planes, 1/m."""
    small, large = sorted(curvatures)
    total = small + large
    cos_tau = (large - small) / total

    def ratio(kappa):  # of the semi-axes, a/b ≥ 1: F(ρ) as Harris calls it
        K, E = elliptic(1 - 1 / kappa**2)
        return ((kappa**2 + 1) * E - 2 * K) / ((kappa**2 - 1) * E)

    low, high = math.log(1 + 1e-9), math.log(1e4)
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if ratio(math.exp(middle)) < cos_tau else (low, middle)
    kappa = math.exp(low)
    K, E = elliptic(1 - 1 / kappa**2)
    delta_star = 2 * K / math.pi * (math.pi / (2 * kappa**2 * E)) ** (1 / 3)
    modulus = young_modulus / (1 - poisson_ratio**2)
    # δ = δ* [3 F/(2 Σρ) (2/E')]^(2/3) Σρ/2
    return (2 / (delta_star * total)) ** 1.5 * (2 * total / 3) * modulus / 2


class Bearing:
    """Sizes in m; `clearance` is that of the radius, negative for interference."""

    def __init__(self, balls, ball_radius, inner_radius, outer_radius, inner_groove, outer_groove, young_modulus=2.07e11,
                 poisson_ratio=0.3, first_angle=0.0):
        self.r, self.r_i, self.r_o, self.g_i, self.g_o = ball_radius, inner_radius, outer_radius, inner_groove, outer_groove
        self.steel = (young_modulus, poisson_ratio)
        self.clearance = outer_radius - inner_radius - 2 * ball_radius
        self.psi = first_angle + 2 * math.pi * np.arange(balls) / balls
        self.A = inner_groove + outer_groove - 2 * ball_radius  # distance of groove centres where balls just fit
        self.R_i = inner_radius + inner_groove  # of the circle of the inner groove's centres

    def stiffness(self, cosine):
        """Of the inner and the outer race at a contact angle."""
        inner = [1 / self.r + cosine / (self.r_i + self.g_i - self.g_i * cosine), 1 / self.r - 1 / self.g_i]
        outer = [1 / self.r - cosine / (self.r_o - self.g_o + self.g_o * cosine), 1 / self.r - 1 / self.g_o]
        return hertz_stiffness(inner, *self.steel), hertz_stiffness(outer, *self.steel)

    def centre(self, psi, shift):
        """Where the circle of the inner groove's centres crosses the plane of a ball, and its tangent there."""
        x, y, z, tx, ty = shift
        angle = math.hypot(tx, ty)
        R = np.eye(3)
        if angle > 0:  # Rodrigues
            a = np.array([tx, ty, 0]) / angle
            C = np.array([[0, 0, a[1]], [0, 0, -a[0]], [-a[1], a[0], 0]])
            R = R + math.sin(angle) * C + (1 - math.cos(angle)) * C @ C
        tau, phi = np.array([-math.sin(psi), math.cos(psi), 0]), psi
        for _ in range(6):
            at = np.array([x, y, z]) + self.R_i * R @ [math.cos(phi), math.sin(phi), 0]
            tangent = R @ [-math.sin(phi), math.cos(phi), 0]
            phi -= at @ tau / (self.R_i * (tangent @ tau))
        return at, tangent

    def ball(self, psi, shift):
        """Load of a ball, direction (away from the axis, along it), centre of the inner groove and the force on it for
        the shift (x, y, z, θx, θy)."""
        at, tangent = self.centre(psi, shift)
        e = np.array([math.cos(psi), math.sin(psi), 0])
        line = at - (self.r_o - self.g_o) * e
        across, along = line @ e, line[2]
        distance = math.hypot(along, across)
        direction = (across / distance, along / distance)
        delta = distance - self.A
        if delta <= 0:
            return 0.0, direction, at, np.zeros(3)
        K_i, K_o = self.stiffness(across / distance)
        K = (K_i ** (-2 / 3) + K_o ** (-2 / 3)) ** -1.5
        Q = K * delta**1.5
        normal = line / distance
        normal = normal - normal @ tangent * tangent  # a groove does not push along itself
        return Q, direction, at, -Q * normal / np.linalg.norm(normal)

    def loads(self, shift):
        return np.array([self.ball(psi, shift)[0] for psi in self.psi])

    def angles(self, shift):
        return np.array([math.atan2(*reversed(self.ball(psi, shift)[1])) for psi in self.psi])

    def force(self, shift):
        """What the balls do to the inner ring: Fx, Fy, Fz, Mx, My."""
        total = np.zeros(5)
        for psi in self.psi:
            _, _, at, force = self.ball(psi, shift)
            total += [*force, *np.cross(at - np.asarray(shift[:3]), force)[:2]]
        return total

    def solve(self, load, start=None):
        """Displacement of the inner ring under (Fx, Fy, Fz, Mx, My), by Newton's method."""
        units = np.array([1, 1, 1, 1 / self.R_i, 1 / self.R_i])  # displacements in m
        u = np.zeros(5) if start is None else np.asarray(start) / units
        load = np.asarray(load, dtype=float)
        scale = np.abs(load * units).max()

        def rest(u):
            return (self.force(u * units) + load) * units

        for _ in range(200):
            r = rest(u)
            if np.abs(r).max() < 1e-11 * scale:
                return u * units
            h = 1e-10
            J = np.column_stack([(rest(u + h * e) - rest(u - h * e)) / (2 * h) for e in np.eye(5)])
            J -= 1e-6 * np.abs(J).max() * np.eye(5) * min(1, np.abs(r).max() / scale)
            step = -np.linalg.solve(J, r)
            step *= min(1, 2e-5 / np.abs(step).max())
            while np.abs(rest(u + step)).max() > 4 * np.abs(r).max():
                step /= 2
            u = u + step
        raise ArithmeticError("no equilibrium")
