# SPDX-License-Identifier: Apache-2.0
"""Elastic ball bearings against exact sums, the model of Jones and Harris, closed forms and each other."""

import json
import math
import pathlib
import resource

import numpy as np
import pytest
from jones_harris import Bearing, hertz_stiffness
from machine import ALPHA, run

RADIUS, INNER, GROOVE = 0.00396875, 0.015531, 0.0041
MASS = 0.2
BALL = 7800 * 4 / 3 * math.pi * RADIUS**3


def bearing_model(clearance=0.0, load=(0, 0, 0), moment=(0, 0, 0), simulation=None, body=None, held=None, **bearing):
    """An inner ring on nine balls, the outer one on the ground; no weight."""
    entry = {"name": "bearing", "inner": {"body": "ring"}, "outer": {"body": "ground"}, "balls": 9, "ball_radius": RADIUS,
             "inner_radius": INNER, "outer_radius": INNER + 2 * RADIUS + clearance, "inner_groove_radius": GROOVE,
             "outer_groove_radius": GROOVE, "model": "compliant", "young_modulus": 2.07e11, **bearing}
    ring = {"name": "ring", "type": "rigid", **(body or {}),
            "inertia": {"type": "explicit", "mass": MASS, "moments": [2e-5, 2e-5, 3e-5]}}
    return {"saltus": 1,
            "model": {"gravity": [0, 0, 0], "bodies": [ring], "ball_bearings": [entry], "joints": held or [],
                      "forces": [{"type": "force", "on": {"body": "ring"}, "value": list(load)},
                                 {"type": "torque", "on": {"body": "ring"}, "value": list(moment)}]},
            "simulation": simulation or {"type": "statics"}}


def at_rest(*args, **kwargs):
    """The axis of a ring that tilts is no longer across a moment, which would turn it: it is held."""
    held = [{"name": "held", "type": "lock", "body": "ring", "rotation": ["z"]}]
    return run(bearing_model(*args, held=held, **kwargs)).summary["ball_bearings"]["bearing"]


def inner_loads(summary):
    return np.array([ball["mean"] for ball in summary["inner_loads"]])


def reference(clearance=0.0, balls=9, **more):
    return Bearing(balls, RADIUS, INNER, INNER + 2 * RADIUS + clearance, GROOVE, GROOVE, **more)


# ---- radial load, against sums over the balls

def sjoevall(balls, clearance, force, stiffness, first=0.0):
    """Loads K (δ cos ψ − c)^1.5 whose components make the force."""
    cosines = np.cos(first + 2 * np.pi * np.arange(balls) / balls)

    def loads(delta):
        return stiffness * np.maximum(delta * cosines - clearance, 0) ** 1.5

    low, high = 0.0, 1e-3
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if loads(middle) @ cosines < force else (low, middle)
    return loads(low)


@pytest.mark.parametrize("balls, first", ((5, 0.0), (8, 0.0), (8, math.pi / 8), (9, math.pi / 9), (11, 0.0)))
def test_stribeck(balls, first):
    """Without clearance a ball bears F cos^1.5 ψ / Σ cos^2.5 ψ, whatever the stiffness; 4.37/Z of F at the bottom."""
    force = 20.0
    summary = at_rest(0.0, (force, 0, 0), balls=balls, first_angle=first)
    cosines = np.maximum(np.cos(first + 2 * np.pi * np.arange(balls) / balls), 0)
    exact = force * cosines**1.5 / (cosines**2.5).sum()
    assert inner_loads(summary) == pytest.approx(exact, abs=1e-4 * exact.max())
    assert summary["radial_force"] == pytest.approx(force, rel=1e-9)
    if first == 0.0 and balls >= 8:
        assert exact.max() * balls / force == pytest.approx(4.37, rel=0.01)


@pytest.mark.parametrize("clearance", (5e-7, 2e-6, -1e-6))
def test_sjoevall(clearance):
    force = 50.0
    K_i, K_o = reference().stiffness(1.0)
    stiffness = (K_i ** (-2 / 3) + K_o ** (-2 / 3)) ** -1.5
    exact = sjoevall(9, clearance, force, stiffness)
    loads = inner_loads(at_rest(clearance, (force, 0, 0)))
    assert loads == pytest.approx(exact, abs=2e-4 * exact.max())


# ---- five degrees of freedom, against Jones and Harris

@pytest.mark.parametrize("clearance, load, moment, start", (
    (5e-6, (0, 0, 500), (0, 0), (0, 0, 1e-4, 0, 0)),
    (5e-6, (0, -800, 400), (0, 0), (0, -1e-5, 1e-4, 0, 0)),
    (5e-6, (0, -500, 500), (1.0, 0), (0, -1e-5, 1e-4, 0, 0)),
    (0.0, (300, 200, -100), (0.5, -0.8), (1e-5, 1e-5, -5e-5, 0, 0)),
    (-3e-6, (0, -1000, 200), (0, 1.0), (0, -1e-5, 1e-5, 0, 0))))
def test_jones_and_harris(clearance, load, moment, start):
    summary = at_rest(clearance, load, (*moment, 0))
    model = reference(clearance)
    shift = model.solve([*load, *moment], start)
    exact = model.loads(shift)
    assert inner_loads(summary) == pytest.approx(exact, abs=1e-4 * exact.max())
    found = np.array(summary["displacement"])
    assert found[:3] == pytest.approx(shift[:3], abs=1e-4 * np.abs(shift[:3]).max())
    assert found[3:] == pytest.approx(shift[3:], abs=1e-4 * np.abs(shift[:3]).max() / model.R_i)


def test_stiffness_is_the_slope_of_the_load():
    load, moment = np.array([0, -500.0, 400.0]), np.array([0.5, 0.0])
    summary = at_rest(5e-6, load, (*moment, 0))
    stiffness = np.array(summary["stiffness"])
    changes, answers = [], []
    for k, size in enumerate((2.0, 2.0, 2.0, 0.01, 0.01)):
        change = size * np.eye(5)[k]
        more, less = (at_rest(5e-6, load + s * change[:3], (*(moment + s * change[3:]), 0))["displacement"]
                      for s in (1, -1))
        changes.append(2 * change)
        answers.append(np.array(more) - np.array(less))
    found = np.column_stack([stiffness @ a for a in answers])
    units = np.array([1, 1, 1, 0.016, 0.016])
    exact = np.column_stack(changes) / units[:, None]
    assert found / units[:, None] == pytest.approx(exact, abs=2e-3 * np.abs(exact).max())


# ---- preload, centrifugal load

def closed_form(interference):
    """Both races of a ball bear the same: δ_i + δ_o = I."""
    K_i, K_o = reference(-interference).stiffness(1.0)
    return (interference / (K_i ** (-2 / 3) + K_o ** (-2 / 3))) ** 1.5


def test_preload_by_interference():
    summary = at_rest(-4e-6)
    assert inner_loads(summary) == pytest.approx(closed_form(4e-6), rel=1e-8)
    assert summary["radial_force"] < 1e-6 and summary["axial_force"] < 1e-6


def motion(step=2e-5, end_time=0.01, every=1, **integrator):
    return {"end_time": end_time, "record": {"every": every}, "integrator": {**ALPHA, "step": step, "rho_inf": 0, **integrator}}


def test_a_preloaded_bearing_begins_in_balance():
    result = run(bearing_model(-4e-6, simulation=motion(end_time=0.002), damping=100.0))
    for k in range(9):
        for race in ("inner", "outer"):
            loads = result[f"bearing.ball{k}.load_{race}"]
            assert loads == pytest.approx(closed_form(4e-6), rel=1e-6)


@pytest.mark.parametrize("clearance", (-4e-6, 2e-6))
def test_centrifugal_load(clearance):
    """Outer less inner load; a loose ball is pressed to the outer race alone."""
    speed = 1500.0
    model = bearing_model(clearance, simulation=motion(end_time=0.004), damping=100.0,
                          body={"velocity": {"angular": [0, 0, speed]}})
    result = run(model)
    place = np.hypot(result["bearing.ball2.position.x"], result["bearing.ball2.position.y"])
    exact = (BALL * place * result["bearing.cage_speed"] ** 2)[-100:]
    for k in range(9):
        found = (result[f"bearing.ball{k}.load_outer"] - result[f"bearing.ball{k}.load_inner"])[-100:]
        assert found == pytest.approx(exact, rel=1e-3)
    if clearance > 0:
        assert result["bearing.ball0.load_inner"].max() == 0


# ---- motion

def test_a_run_that_settles_is_the_equilibrium():
    """A little friction holds the balls where they are; else they are pressed away to where there is more room."""
    load, moment = (100.0, -400.0, 300.0), (0.3, 0.0, 0.0)
    rest = at_rest(-1e-6, load, moment)
    held = [{"name": "held", "type": "lock", "body": "ring", "rotation": ["z"]}]
    result = run(bearing_model(-1e-6, load, moment, motion(step=2e-5, end_time=0.01, every=50), held=held, damping=2e4,
                               friction=0.005))
    found = np.array([result[f"bearing.ball{k}.load_inner"][-1] for k in range(9)])
    assert found == pytest.approx(inner_loads(rest), abs=5e-3 * found.max())
    assert result["ring.position.z"][-1] == pytest.approx(rest["displacement"][2], rel=5e-3)


def test_cage_speed_contact_angle_and_books():
    """Under an axial load balls roll at (1 − γ cos α)/2, and the ledger closes."""
    model = bearing_model(5e-6, (0, 0, 400.0), simulation=motion(step=2e-5, end_time=0.05, every=10), friction=0.002,
                          damping=200.0, body={"pose": {"position": [0, 0, 7e-5]}, "velocity": {"angular": [0, 0, 188.5]}})
    result = run(model)
    angle = result["bearing.ball3.contact_angle_inner"][-1]
    assert angle == pytest.approx(result["bearing.ball3.contact_angle_outer"][-1], abs=5e-3)
    force = sum(result[f"bearing.ball{k}.load_inner"][-1] * math.sin(result[f"bearing.ball{k}.contact_angle_inner"][-1])
                for k in range(9))
    assert force == pytest.approx(400, rel=0.01)
    gamma = 2 * RADIUS * math.cos(angle) / (2 * (INNER + RADIUS))
    assert result["bearing.cage_ratio"][-1] == pytest.approx((1 - gamma) / 2, rel=2e-3)
    stored = result["energy.kinetic"][0] + result["energy.elastic"].max()
    assert np.abs(result["energy.residual"]).max() < 1e-8 * stored


# ---- life

def conformity(f):
    return (2 * f / (2 * f - 1)) ** 0.41


def test_reference_life_of_the_loads():
    lives = []
    for groove in (0.515, 0.52, 0.6):
        f = 2 * RADIUS * groove
        summary = at_rest(0.0, (800, 0, 0), inner_groove_radius=f, outer_groove_radius=f)
        life = summary["reference_rating_life"]
        Q = inner_loads(summary)
        gamma, D = RADIUS / (INNER + RADIUS), 2e3 * RADIUS
        inner, outer = (1.3 * 0.95 * 98.0665 * conformity(groove) * gamma**0.3 * (1 - s * gamma) ** 1.39
                        / (1 + s * gamma) ** (1 / 3) * D**1.8 / 9 ** (1 / 3) for s in (1, -1))
        assert life["inner_race_rating"] == pytest.approx(inner, rel=0.01)
        assert life["outer_race_rating"] == pytest.approx(outer, rel=0.01)
        assert life["inner_race_load"] == pytest.approx((Q**3).mean() ** (1 / 3), rel=1e-9)
        assert life["outer_race_load"] == pytest.approx((Q ** (10 / 3)).mean() ** 0.3, rel=1e-6)
        exact = sum((life[f"{r}_race_load"] / life[f"{r}_race_rating"]) ** (10 / 3) for r in ("inner", "outer")) ** -0.9
        assert life["million_revolutions"] == pytest.approx(exact, rel=1e-12)
        lives.append(exact)
    assert lives[0] > 1.2 * lives[1] > 3 * lives[2]


def test_no_rating_without_grooves():
    """In cylinders nothing holds the ring along its axis, or its axis: the motion is held in the plane."""
    plane = [{"name": "plane", "type": "lock", "body": "ring", "translation": ["z"], "rotation": ["x", "y", "z"]}]
    model = bearing_model(0.0, (800, 0, 0), held=plane)
    for key in ("inner_groove_radius", "outer_groove_radius"):
        del model["model"]["ball_bearings"][0][key]
    summary = run(model).summary["ball_bearings"]["bearing"]
    assert "grooves" in summary["no_rating_life"]
    assert "reference_rating_life" not in summary


@pytest.mark.parametrize("planar", (False, True))
def test_races_that_are_cylinders(planar):
    """The ring stays centred along its axis; loads as by Stribeck, and the approach of Hertz's point contacts."""
    force = 20.0
    plane = [{"name": "plane", "type": "lock", "body": "ring", "translation": ["z"], "rotation": ["x", "y", "z"]}]
    model = bearing_model(0.0, (force, 0, 0), held=plane, planar=planar)
    if not planar:
        for key in ("inner_groove_radius", "outer_groove_radius"):
            del model["model"]["ball_bearings"][0][key]
    summary = run(model).summary["ball_bearings"]["bearing"]
    cosines = np.maximum(np.cos(2 * np.pi * np.arange(9) / 9), 0)
    exact = force * cosines**1.5 / (cosines**2.5).sum()
    assert inner_loads(summary) == pytest.approx(exact, abs=1e-4 * exact.max())
    along = 1 / RADIUS - (1 / GROOVE if planar else 0)
    K_i, K_o = (hertz_stiffness([1 / RADIUS + s / r, along], 2.07e11, 0.3)
                for s, r in ((1, INNER), (-1, INNER + 2 * RADIUS)))
    approach = (exact[0] ** (2 / 3)) * (K_i ** (-2 / 3) + K_o ** (-2 / 3))
    assert summary["displacement"][0] == pytest.approx(approach, rel=1e-4)


# ---- modes

def test_modes_of_a_ring_on_its_bearing():
    """Light balls: ω² are those of the stiffness and the ring's inertia."""
    summary = at_rest(-4e-6, ball_density=1e-3)
    result = run(bearing_model(-4e-6, ball_density=1e-3, simulation={"type": "modes", "count": 6}))
    stiffness = np.array(summary["stiffness"])
    mass = np.diag([MASS, MASS, MASS, 2e-5, 2e-5])
    exact = np.sqrt(np.sort(np.linalg.eigvals(np.linalg.solve(mass, stiffness)).real)) / (2 * math.pi)
    found = [mode["frequency"] for mode in result.summary["modes"]]
    assert found[0] == pytest.approx(0, abs=1)
    assert found[1:6] == pytest.approx(exact, rel=1e-5)


def shaft(supports, kind, entries):
    """A beam along x, 0.4 m long, on two supports; a weak spring keeps it from turning."""
    turned = {"rotation_vector": [0, math.pi / 2, 0]}
    things = [{**entries, **ends} for ends in
              ({"name": f"s{k}", **dict(zip(("inner", "outer") if kind == "ball_bearings" else ("moving", "fixed"),
                ({"body": "shaft", "node": node, **turned}, {"body": "ground", "position": [0.04 * node, 0, 0], **turned})))}
               for k, node in enumerate(supports))]
    if kind == "forces":
        things = [{"between": [t.pop("fixed"), t.pop("moving")], **t} for t in things]
    weak = {"type": "bushing", "between": [{"body": "ground", "position": [0.2, 0, 0], **turned},
                                           {"body": "shaft", "node": 5, **turned}],
            "stiffness": [0, 0, 0], "rotational_stiffness": [0, 0, 1.0]}
    model = {"forces": [weak]}
    model[kind] = [*model.get(kind, []), *things]
    return {"saltus": 1,
            "model": {"gravity": [0, 0, 0], **model,
                      "bodies": [{"name": "shaft", "type": "beam", "start": [0, 0, 0], "end": [0.4, 0, 0], "elements": 10,
                                  "section": {"type": "circular", "radius": 0.0125},
                                  "material": {"young_modulus": 2.1e11, "poisson_ratio": 0.3, "density": 7800}}]},
            "simulation": {"type": "modes", "count": 8}}


def test_modes_of_a_shaft_are_those_on_springs_of_the_bearings_stiffness():
    entry = {"balls": 9, "ball_radius": RADIUS, "inner_radius": INNER, "outer_radius": INNER + 2 * RADIUS - 4e-6,
             "inner_groove_radius": GROOVE, "outer_groove_radius": GROOVE, "model": "compliant", "young_modulus": 2.07e11,
             "ball_density": 1e-3}
    on_bearings = run(shaft((2, 8), "ball_bearings", entry)).summary
    K = np.array(on_bearings["ball_bearings"]["s0"]["stiffness"])
    off = K - np.diag(np.diag(K))
    assert np.abs(off[:3, :3]).max() < 1e-6 * K[0, 0] and np.abs(off[:3, 3:]).max() < 1e-6 * K[0, 0] * 0.02
    spring = {"type": "bushing", "stiffness": [K[0, 0], K[1, 1], K[2, 2]], "rotational_stiffness": [K[3, 3], K[4, 4], 0]}
    on_springs = run(shaft((2, 8), "forces", spring)).summary
    found, exact = ([mode["frequency"] for mode in s["modes"]] for s in (on_bearings, on_springs))
    assert found[1:8] == pytest.approx(exact[1:8], rel=1e-4)


# ---- speed

def test_a_turn_takes_less_than_a_second():
    """Nine balls, one turn at 1800 rpm, of processor time."""
    example = pathlib.Path(__file__).resolve().parents[2] / "examples/elastic_bearing.json"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = run(json.loads(example.read_text("utf-8")))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert result["bearing.inner_speed"].mean() * result.time[-1] == pytest.approx(2 * math.pi, rel=2e-3)
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 1
