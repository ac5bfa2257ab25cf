# SPDX-License-Identifier: Apache-2.0
"""Law 6: momentum, angular momentum and energy, from the recorded columns alone.

Where nothing but gravity and contacts acts, the momentum of a body is that of its impulses to round-off.
Forces that change with time or place, joints and rotations are integrated by rules of second order, here and
in the program: the difference has to fall with the square of the step, and with the step where there are
impacts or changes between slip and stick.
"""

import balance
import models
import numpy as np
import pytest
from orders import order, refinements
from runs import run

ROUND_OFF = 1e-12
# A body that sleeps keeps the impulses of its last step awake, in which it still moved by what the contact
# solver leaves: in balance to the solver's accuracy, step by step the same way.
ASLEEP = 1e-10
SMOOTH, IMPACT = 1.8, 0.7  # least orders over two halvings: 2 and 1 less what halving leaves uncertain
# The law of a bushing is not repeated in balance.py; impulses of solids have no places: test_solids.py.
BALANCED = models.names(without=["solids"], but=["two_in_a_bushing"])


def least_order(name):
    return IMPACT if {"impact", "changes"} & models.ZOO[name].tags else SMOOTH


def is_plain(model):
    """Only gravity and contacts act."""
    return not model.get("joints") and not model.get("forces")


@pytest.mark.parametrize("name", BALANCED)
def test_momentum(name):
    results = [run(m) for m in refinements(models.model(name))]
    defects = [max(balance.Ledger(result).momentum_defects.values()) for result in results]
    if is_plain(models.model(name)["model"]):
        # event_driven integrates forces of contacts with its tolerance.
        awake = 1e-9 if name.endswith("by_events") else ROUND_OFF
        for result, defect in zip(results, defects):
            assert defect <= (ASLEEP if result.summary.get("sleep") else awake)
    else:
        assert defects[0] <= 1e-2
        assert order(defects) >= least_order(name), defects


@pytest.mark.parametrize("name", [n for n in BALANCED if is_plain(models.model(n)["model"])])
def test_momentum_of_what_may_not_sleep(name):
    for m in refinements(models.model(name)):
        if m["simulation"]["integrator"]["type"] != "nonsmooth_generalized_alpha":
            continue
        m["simulation"].setdefault("solver", {})["sleep"] = False
        assert max(balance.Ledger(run(m)).momentum_defects.values()) <= ROUND_OFF


# With event_driven, and in a chain of impacts, rows do not tell where the bodies were at the impact.
@pytest.mark.parametrize(
    "name", [n for n in BALANCED if not n.endswith("by_events") and n != "cradle_in_flight"]
)
def test_angular_momentum(name):
    ledgers = [balance.Ledger(run(m)) for m in refinements(models.model(name))]
    defects = [max(ledger.angular_defects.values(), default=0) for ledger in ledgers]
    assert defects[0] <= 1e-2
    assert order(defects) >= least_order(name), defects


@pytest.mark.parametrize(
    "name",
    models.names("impact", "ballistic", but=["box_tumbles", "box_tumbles_by_events", "cradle_in_flight"]),
)
def test_spin_of_balls_after_impacts(name):
    """The arm of an impulse on a ball is its radius: angular momentum is known as well as without impacts."""
    ledgers = [balance.Ledger(run(m)) for m in refinements(models.model(name))]
    assert order([max(ledger.angular_defects.values()) for ledger in ledgers]) >= SMOOTH


@pytest.mark.parametrize("name", models.names())
def test_ledger(name):
    result = run(models.model(name))
    size = balance.turnover(result) + result.sizes["J"]  # what moved, or could in the scene
    e = {n.split(".")[1]: result[n] for n in result.quantities if n.startswith("energy.")}
    stored = e["kinetic"] + e["gravity"] + e["elastic"]
    losses = sum(e[k] for k in ("friction_loss", "impact_loss", "damping_loss", "numerical_loss"))
    residual = stored - stored[0] - e["external_work"] + losses
    assert np.abs(residual - e["residual"]).max() <= 1e-12 * (size + np.abs(stored).max())
    assert np.abs(residual).max() <= 1e-9 * size
    for kind in ("friction_loss", "impact_loss"):
        assert np.diff(e[kind]).min() >= -1e-9 * size, kind


# Energies of flexible bodies are those of their elements; balls of bearings are not in the file.
@pytest.mark.parametrize(
    "name",
    models.names(
        without=["flexible"], but=["two_in_a_bushing", "bearing_in_a_plane", "bearing_with_grooves"]
    ),
)
def test_energies_are_those_of_the_motion(name):
    result = run(models.model(name))
    kinetic, gravity = balance.rigid_energies(balance.Ledger(result))
    size = result.sizes["J"]
    assert np.abs(kinetic - result["energy.kinetic"]).max() <= ROUND_OFF * size
    assert np.abs(gravity - result["energy.gravity"]).max() <= ROUND_OFF * size


def jump_rows(result):
    """Rows at the ends of steps in which forces of contacts jump: where one strikes, closes, opens, begins to
    stick or slip, or slips back."""
    found = [result.rows_of(e["time"] for e in result.events)]
    for name, quantity in result.quantities.items():
        if name.endswith(".slip.t1"):
            slip = np.column_stack([quantity.rows, result.quantities[name[:-1] + "2"].rows])
            back = np.sum(slip[1:] * slip[:-1], axis=1) < -ROUND_OFF * result.sizes["m/s"] ** 2
            found.append(np.flatnonzero(back) + 1)
    return np.concatenate(found)


def mean_force_defect(result, name, force, impulse):
    """How far the mean of the forces at a step's ends is from its impulse, in steps without jumps."""
    F, P = result[f"{name}.{force}"], result[f"{name}.{impulse}"]
    h = np.diff(result.time)[:, None]
    jumps = jump_rows(result)
    rows = np.setdiff1d(np.arange(1, len(F)), np.concatenate([jumps, jumps + 1]))
    off = P[1:] / h - (F[1:] + F[:-1]) / 2
    return np.abs(off[rows[rows > 1] - 1]).max() / result.sizes["N" if force == "force" else "N m"]


# event_driven: the force may jump inside of a step, where a contact begins to slip.
@pytest.mark.parametrize(
    "quantities", [("force", "impulse"), ("torque", "angular_impulse")], ids=["force", "torque"]
)
# How redundant joints share a force is known to 1e-7 of it, where their rows do not depend exactly.
@pytest.mark.parametrize(
    "name", [n for n in models.names(but=["edge_runner"]) if models.model(n)["model"].get("joints")]
)
def test_joint_forces_are_those_that_act(name, quantities):
    results = [run(m) for m in refinements(models.model(name))]
    for joint in models.model(name)["model"]["joints"]:
        defects = [mean_force_defect(r, joint["name"], *quantities) for r in results]
        assert order(defects, 1e-8) >= least_order(name), (joint["name"], defects)
