# SPDX-License-Identifier: Apache-2.0
"""Forces by functions of Python."""

import numpy as np
import pytest
import saltus as st


def on_a_mass(law, **pose):
    model = st.Model(gravity=(0, 0, 0))
    mass = model.add(st.PointMass(name="mass", mass=2, **pose))
    model.add(st.UserForce(name="mine", between=(st.at(model.ground), st.at(mass)), law=law))
    return st.Simulation(model, integrator=st.NonsmoothGeneralizedAlpha(step=1e-3, rho_inf=1))


def test_a_spring_by_hand_is_the_spring_of_the_library():
    k, c, length = 300.0, 1.5, 0.4

    def law(t, first, second):
        line = second.position - first.position
        n = line / np.linalg.norm(line)
        rate = n @ (second.velocity - first.velocity)
        return -(k * (np.linalg.norm(line) - length) + c * rate) * n

    results = []
    for force in (st.UserForce(between=(st.at("ground"), st.at("bob")), law=law),
                  st.SpringDamper(between=(st.at("ground"), st.at("bob")), stiffness=k, damping=c,
                                  rest_length=length)):
        model = st.Model()
        model.add(st.PointMass(name="bob", mass=0.5, pose=st.Pose(position=(0.5, 0.1, 0)),
                               velocity=st.Twist(linear=(0, 1, 0))))
        model.add(force)
        run = st.Simulation(model, integrator=st.NonsmoothGeneralizedAlpha(step=1e-3))
        assert run.run_until(0.5).converged
        results.append(run.result.position("bob"))
    assert np.allclose(results[0], results[1], atol=1e-9)


def test_work_is_in_the_ledger():
    run = on_a_mass(lambda t, a, b: (4, 0, 0))
    run.run_until(1.0)
    energy = run.report.energy
    assert energy["kinetic"] == pytest.approx(4.0, rel=1e-9)  # F²t²/2m
    assert energy["external_work"] == pytest.approx(4.0, rel=1e-6)
    assert abs(energy["residual"]) < 1e-9


def test_torques_turn_bodies_and_react():
    model = st.Model(gravity=(0, 0, 0))
    for name in ("a", "b"):
        model.add(st.RigidBody(name=name, inertia=st.SolidSphere(1, 0.5)))
    model.add(st.UserForce(between=(st.at("a"), st.at("b")),
                           law=lambda t, a, b: ((0, 0, 0), (0, 0, 0.1))))
    run = st.Simulation(model, integrator=st.NonsmoothGeneralizedAlpha(step=1e-3))
    run.run_until(1.0)
    spin = 0.1 / (0.4 * 0.25)
    assert run.result.angular_velocity("b")[-1, 2] == pytest.approx(spin, rel=1e-9)
    assert run.result.angular_velocity("a")[-1, 2] == pytest.approx(-spin, rel=1e-9)


@pytest.mark.parametrize("answer", [3.0, (1, 2), "abc", None, (1, 2, 3, 4)])
def test_answers_that_are_no_force_are_refused(answer):
    with pytest.raises((TypeError, ValueError), match='force "mine"'):
        on_a_mass(lambda t, a, b: answer).run_until(0.1)


def test_numbers_that_are_not_finite_are_refused():
    with pytest.raises(st.InputError, match='force "mine".*finite'):
        on_a_mass(lambda t, a, b: (float("nan"), 0, 0)).run_until(0.1)


def test_errors_of_a_law_come_through_and_the_run_can_go_on():
    trap = [True]

    def law(t, a, b):
        if t > 0.05 and trap[0]:
            raise KeyError("table")
        return 0, 0, 0

    run = on_a_mass(law)
    with pytest.raises(KeyError, match="table"):
        run.run_until(0.1)
    assert run.report.status == "interrupted" and "table" in run.report.message
    assert len(run.result) == pytest.approx(50, abs=2)
    trap[0] = False
    assert run.run_until(0.1).converged
    assert len(run.result) == 101


def test_a_law_is_a_function():
    with pytest.raises(TypeError, match='law of force "mine"'):
        on_a_mass(3)


def test_models_with_other_laws_are_not_equal():
    def still(t, a, b):
        return 0, 0, 0

    models = [on_a_mass(law).model for law in (still, lambda t, a, b: (0, 0, 0))]
    assert models[0] != models[1] and models[0].laws() == {"mine": still}


def test_a_force_without_a_law_is_refused():
    with pytest.raises(st.InputError, match="needs a law"):
        on_a_mass(None)


def test_results_with_user_forces_are_saved_and_reported(tmp_path):
    run = on_a_mass(lambda t, a, b: (1, 0, 0))
    run.run_until(0.1)
    page = run.write_report(tmp_path / "out")
    assert (tmp_path / "out" / "report.html").samefile(page)
    assert st.read(tmp_path / "out").model["model"]["forces"][0]["type"] == "user"
