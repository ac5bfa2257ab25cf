# SPDX-License-Identifier: Apache-2.0
"""saltus.converge gives what `saltus converge` does."""

import json
import subprocess

import pytest
import saltus as st


def pendulum():
    model = st.Model()
    bob = model.add(st.RigidBody(name="bob", inertia=st.solid_sphere(mass=2, radius=0.1),
                                 pose=st.Pose(position=(1, 0, 0))))
    model.add(st.Revolute(name="pin", bodies=("ground", bob), at=(0, 0, 0), axis=(0, 1, 0)))
    return model, st.Dynamics(end_time=0.5, integrator=st.GeneralizedAlpha(step=1e-2))


def test_python_and_the_program_agree(program, tmp_path):
    model, analysis = pendulum()
    found = st.converge(model, analysis, halvings=3, columns=["bob.position", "energy.kinetic"])
    (tmp_path / "model.json").write_text(st.Simulation(model, analysis).model_text())
    subprocess.run([program, "converge", "model.json", "--halvings", "3", "--columns",
                    "bob.position,energy.kinetic", "-o", "out", "--quiet"], cwd=tmp_path, check=True)
    told = json.loads((tmp_path / "out" / "convergence.json").read_text())["columns"]
    assert list(found) == list(told)
    for name, column in found.items():
        for key in ("steps", "values", "order", "estimate", "error", "comparable_until"):
            assert getattr(column, key) == told[name][key], (name, key)
    assert found["bob.position.x"].order == pytest.approx(2, abs=0.1)


def test_what_has_no_step_is_refused():
    model, analysis = pendulum()
    with pytest.raises(st.InputError, match="no step to be halved"):
        st.converge(model, st.Dynamics(end_time=1, integrator=st.EventDriven()))
    chosen = st.GeneralizedAlpha(step=st.AdaptiveStep(max=1e-2))
    with pytest.raises(st.InputError, match="chosen by their error"):
        st.converge(model, st.Dynamics(end_time=1, integrator=chosen))
    with pytest.raises(st.InputError, match="did you mean 'bob.position.x'"):
        st.converge(model, analysis, columns=["bob.positon.x"])
