#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The contact cases in Siconos: Moreau and Jean's scheme, contacts from Bullet, Gauss-Seidel.

Numbers and rulers are those of contact_cases.hpp, which is for C++.

usage: siconos_peer.py                              cases A, B and D
       siconos_peer.py pile N STEPS START STATES    a pile from the state in the file START; the
                                                    states that the ruler is to see go to STATES"""
import json
import math
import os
import resource
import statistics
import sys
import time

for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

import numpy as np
import siconos.kernel as kernel
import siconos.numerics as numerics
from siconos.mechanics.collision import bullet

GRAVITY = 9.81
STEP = 1e-3
REPEATS = 5


class World:
    """A floor and bodies on it. The shapes' margin and the tolerance are those of the case."""

    def __init__(self, end, law, margin, tolerance, breaking=None, linear=False):
        self.keep = []
        self.margin = margin
        self.linear = linear
        self.system = kernel.NonSmoothDynamicalSystem(0, end)
        self.integrator = kernel.MoreauJeanOSI(0.5)
        self.integrator.setConstraintActivationThreshold(0.0)
        options = bullet.SiconosBulletOptions()
        options.perturbationIterations = 0
        options.minimumPointsPerturbationThreshold = 0
        if breaking is not None:
            options.contactBreakingThreshold = breaking
        self.manager = bullet.SiconosBulletCollisionManager(options)
        self.manager.insertNonSmoothLaw(law, 0, 0)
        self.problem = kernel.FrictionContact(3, self.solver(tolerance))
        self.problem.setMaxSize(1000)
        self.problem.setMStorageType(numerics.NM_SPARSE_BLOCK)
        self.problem.setNumericsVerboseMode(False)
        self.problem.setKeepLambdaAndYState(True)
        self.add_floor()

    def solver(self, tolerance):
        options = kernel.solver_options_create(numerics.SICONOS_FRICTION_3D_NSGS)
        options.iparam[numerics.SICONOS_IPARAM_MAX_ITER] = 1000
        options.dparam[numerics.SICONOS_DPARAM_TOL] = tolerance
        self.options = options
        return options

    def add_floor(self):
        self.add_slab((20, 20, 1), (0, 0, -0.5))

    def add_slab(self, size, place):
        """A thick box: contact points on the plane shape are wrong for a rolling ball."""
        slab = bullet.SiconosBox(*size)
        slab.setInsideMargin(self.margin)
        contactors = bullet.SiconosContactorSet()
        contactors.push_back(bullet.SiconosContactor(slab))
        self.manager.insertStaticContactorSet(contactors, [*place, 1, 0, 0, 0])
        self.keep += [slab, contactors]

    def add(self, shape, height, inertia, speed=0.0):
        """A body of 1 kg."""
        shape.setInsideMargin(self.margin)
        self.keep.append(shape)
        return self.add_body(shape, 1.0, inertia, [0.0, 0.0, height], [speed, 0, 0, 0, 0, 0])

    def add_body(self, shape, mass, inertia, place, twist):
        body = bullet.RigidBodyDS(
            [*map(float, place), 1.0, 0.0, 0.0, 0.0], [*map(float, twist)], mass,
            inertia * np.eye(3))
        body.contactors().push_back(bullet.SiconosContactor(shape))
        body.setFExtPtr([0, 0, -mass * GRAVITY])
        self.system.insertDynamicalSystem(body)
        self.keep.append(body)
        return body

    def start(self):
        self.simulation = kernel.TimeStepping(self.system, kernel.TimeDiscretisation(0, STEP))
        self.simulation.insertIntegrator(self.integrator)
        self.simulation.insertNonSmoothProblem(self.problem)
        self.simulation.insertInteractionManager(self.manager)
        if self.linear:
            self.simulation.setNewtonOptions(kernel.SICONOS_TS_LINEAR)
        self.simulation.setNewtonMaxIteration(20)
        self.simulation.setNewtonTolerance(1e-10)

    def run(self, steps, watch):
        """Calls watch(n) after each step; returns the CPU time of a step alone, in µs."""
        return statistics.mean(self.times(steps, watch))

    def times(self, steps, watch):
        """The same for each step."""
        self.start()
        times = []
        for n in range(1, steps + 1):
            begin = time.process_time()
            self.simulation.computeOneStep()
            self.simulation.nextStep()
            times.append(1e6 * (time.process_time() - begin))
            watch(n)
        return times


def exact_height(t, radius=0.1, height=1.0, restitution=0.8):
    start = math.sqrt(2 * (height - radius) / GRAVITY)
    speed = restitution * GRAVITY * start
    while t > start + 2 * speed / GRAVITY:
        start += 2 * speed / GRAVITY
        speed *= restitution
    return radius + speed * (t - start) - GRAVITY / 2 * (t - start) ** 2


def bounce():
    world = World(2.0, kernel.NewtonImpactFrictionNSL(0.8, 0.0, 0.0, 3), 0.01, 1e-6)
    ball = world.add(bullet.SiconosSphere(0.1), 1.0, 0.004)
    result = {"penetration": 0.0}

    def watch(_):
        result["penetration"] = max(result["penetration"], 0.1 - ball.q()[2])

    result["micros"] = world.run(2000, watch)
    result["error"] = ball.q()[2] - exact_height(2.0)
    return result


def roll():
    world = World(1.0, kernel.NewtonImpactFrictionNSL(0.0, 0.0, 0.2, 3), 0.05, 1e-10)
    ball = world.add(bullet.SiconosSphere(0.5), 0.5, 0.1, 2.5)
    result = {"penetration": 0.0, "stick": -1.0}

    def watch(n):
        twist = ball.twist()
        if result["stick"] < 0 and abs(twist[0] - 0.5 * twist[4]) < 1e-2:
            result["stick"] = n * STEP
        result["penetration"] = max(result["penetration"], 0.5 - ball.q()[2])

    result["micros"] = world.run(1000, watch)
    result["error"] = ball.twist()[0] / (2.5 * 5 / 7) - 1
    return result


def stack():
    world = World(2.0, kernel.NewtonImpactFrictionNSL(0.0, 0.0, 0.5, 3), 0.02, 1e-6, breaking=0.02)
    cubes = [
        world.add(bullet.SiconosBox(0.2, 0.2, 0.2), 0.1 + 0.2 * k, 0.2**2 / 6) for k in range(10)
    ]
    result = {"penetration": 0.0}

    def watch(_):
        heights = [-0.1] + [cube.q()[2] for cube in cubes]
        depth = max(below + 0.2 - z for below, z in zip(heights, heights[1:]))
        result["penetration"] = max(result["penetration"], depth)

    result["micros"] = world.run(2000, watch)
    places = [cube.q() for cube in cubes]
    result["sink"] = 1.9 - places[-1][2]
    result["drift"] = max(math.hypot(q[0], q[1]) for q in places)
    result["tilt"] = max(2 * float(np.linalg.norm(q[4:7])) for q in places)
    return result


# Case C, as in pile_cases.hpp.
RADIUS, FRICTION = 0.05, 0.5
MASS = 1000 * 4 / 3 * math.pi * RADIUS**3
WINDOW = 200  # steps at the end, over which results are given


def pile_width(count):
    return (10 if count <= 100 else 20 if count <= 1000 else 40) * RADIUS


def add_sides(world, width):
    for sign in (-1, 1):
        place = sign * (width / 2 + 0.5)
        world.add_slab((1, width + 1, 12), (place, 0, 5))
        world.add_slab((width + 1, 1, 12), (0, place, 5))


def pile(count, steps, start, states):
    """Contacts are linearised once a step."""
    world = World(steps * STEP, kernel.NewtonImpactFrictionNSL(0.0, 0.0, FRICTION, 3),
                  0.3 * RADIUS, 1e-6, breaking=0.4 * RADIUS, linear=True)
    add_sides(world, pile_width(count))
    shape = bullet.SiconosSphere(RADIUS)
    shape.setInsideMargin(world.margin)
    world.keep.append(shape)
    spheres = [world.add_body(shape, MASS, 0.4 * MASS * RADIUS**2, s[:3], s[3:])
               for s in np.loadtxt(start)]
    iterations, residuals = [], []

    with open(states, "w") as file:
        def watch(n):
            iterations.append(int(world.options.iparam[numerics.SICONOS_IPARAM_ITER_DONE]))
            residuals.append(float(world.options.dparam[numerics.SICONOS_DPARAM_RESIDU]))
            if n > steps - WINDOW and (n % 10 == 0 or n == steps):
                np.savetxt(file, [[*s.q()[:3], *s.twist()] for s in spheres], fmt="%.17g")

        times = world.times(steps, watch)
    result = {"case": "C", "program": "Siconos", "variant": "NSGS 1e-6", "spheres": count,
              "steps": steps, "millis": 1e-3 * statistics.median(times[-WINDOW:]),
              "contacts": world.problem.getSizeOutput() // 3,
              "iterations": statistics.median(iterations[-WINDOW:]),
              "residual": statistics.median(residuals[-WINDOW:]),
              "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}
    print(json.dumps(result), flush=True)


def cases():
    for name, case in (("A", bounce), ("B", roll), ("D", stack)):
        results = [case() for _ in range(REPEATS)]
        result = {"case": name, "program": "Siconos", "variant": "", **results[-1]}
        result["micros"] = statistics.median(r["micros"] for r in results)
        print(json.dumps(result), flush=True)


def main():
    if len(sys.argv) == 6 and sys.argv[1] == "pile":
        pile(int(sys.argv[2]), int(sys.argv[3]), sys.argv[4], sys.argv[5])
    elif len(sys.argv) == 1:
        cases()
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
