# SPDX-License-Identifier: Apache-2.0
"""Records and models: plain Python that says what model files say."""

import json
import subprocess

import numpy as np
import pytest
import saltus as st
from saltus import _engine


def ball_on_floor(**contact):
    model = st.Model()
    ball = model.add(st.PointMass(name="ball", mass=1, pose=st.Pose(position=(0, 0, 1))))
    skin = model.add(st.Collider("skin", st.at(ball), st.PointShape()))
    floor = model.add(st.Collider("floor", st.at(model.ground), st.HalfSpace()))
    model.add(st.Contact(name="hit", between=(skin, floor), **contact))
    return model


def test_every_struct_of_the_schema_is_a_class():
    structs = json.loads(_engine.schema())["$defs"]
    for name, struct in structs.items():
        cls = getattr(st, name)
        fields = set(cls.__dataclass_fields__)
        assert fields >= {key for key in struct["properties"] if key != "type"}, name


def test_docstrings_say_what_fields_mean():
    assert "coefficient of friction" in st.Contact.__doc__
    assert "[required]" in st.RigidBody.__doc__
    assert "time step h, or an object" in st.NonsmoothGeneralizedAlpha.__doc__
    assert 'one of "decoupled", "coupled"' in st.NonsmoothGeneralizedAlpha.__doc__
    assert "acceleration of gravity" in st.Model.__doc__


def test_defaults_are_there_to_read():
    assert st.NonsmoothGeneralizedAlpha().rho_inf == 0.8
    assert st.Model().gravity == [0, 0, -9.81]
    body = st.RigidBody(inertia=st.solid_sphere(1, 0.1))
    body.pose.position[2] = 3.0  # a record of its own, shared with nobody
    assert st.RigidBody(inertia=st.solid_sphere(1, 0.1)).pose.position == [0, 0, 0]


def test_repr_is_the_call_that_makes_it():
    frame = st.at("rod", 0.12)
    assert repr(frame) == "Frame(body='rod', arclength=0.12)"
    assert eval(repr(frame), vars(st)) == frame
    assert repr(ball_on_floor()) == "<saltus.Model: 1 bodies, 2 colliders, 1 contacts>"


@pytest.mark.parametrize("wrong, words", [
    (lambda: st.RigidBody(name="b"), "RigidBody needs inertia"),
    (lambda: st.Collider("c"), "Collider needs frame and shape"),
    (lambda: setattr(st.Contact(between=("a", "b")), "frction", 0.1), "did you mean 'friction'?"),
    (lambda: st.Contact(between=("a", "b"), frction=0.1), "did you mean 'friction'?"),
    (lambda: st.Model().add(st.Pose()), "not Pose"),
    (lambda: st.RigidBody(mas=1, inertia=st.solid_sphere(1, 1)), "mas"),
])
def test_mistakes_are_named_where_they_are_made(wrong, words):
    with pytest.raises((TypeError, AttributeError), match=words.replace("?", "[?]")):
        wrong()


def test_broken_rules_come_with_their_places():
    model = ball_on_floor(restitution=1.5, friction=-1)
    with pytest.raises(st.InputError) as caught:
        st.Simulation(model)
    assert "/model/contacts/0/restitution" in str(caught.value)
    assert "/model/contacts/0/friction" in str(caught.value)
    assert isinstance(caught.value, ValueError)
    model = ball_on_floor()
    model.contacts[0].between = ("skin", "flor")
    with pytest.raises(st.InputError, match='did you mean "floor"'):
        st.Simulation(model)


def test_numbers_that_are_not_finite_are_refused():
    with pytest.raises(st.InputError, match="/model/contacts/0/friction: must be a finite"):
        st.Simulation(ball_on_floor(friction=float("nan")))


def test_numpy_goes_in():
    model = ball_on_floor(restitution=np.float64(0.5))
    model.bodies[0].pose.position = np.array([0, 0, 2.0])
    assert st.Simulation(model).model["ball"].pose.position == [0, 0, 2]


def test_names_are_given_as_in_files():
    model = st.Model()
    assert model.add(st.PointMass(mass=1)) == "point_mass0"
    assert model.add(st.Collider(frame=st.at("point_mass0"), shape=st.PointShape())) == "collider0"
    assert model["collider0"].shape == st.PointShape()


def test_every_example_reads_and_writes_the_same(root, program, tmp_path):
    """read_model, back to a file, and the program finds the same content."""
    for path in sorted((root / "examples").glob("*.json")):
        model, analysis = st.read_model(path)
        text = json.dumps({"saltus": 1, "model": model.to_json(),
                           "simulation": analysis.to_json()})
        copy = path.parent / f".{path.stem}.copy"  # meshes stand beside it
        copy.write_text(text)
        try:
            again = st.read_model(copy)
            shown = [subprocess.run([program, "check", str(p)], capture_output=True, text=True,
                                    check=True).stdout.partition("\n")[2] for p in (path, copy)]
        finally:
            copy.unlink()
        assert again == (model, analysis), path.name
        assert shown[0] == shown[1], path.name


def test_settings_by_pointers(root):
    _, analysis = st.read_model(root / "examples" / "bouncing_ball.json",
                                {"/simulation/integrator/step": 1e-2, "/simulation/end_time": 0.5})
    assert analysis.integrator.step == 1e-2
    assert analysis.end_time == 0.5


def test_names_are_never_given_twice():
    model = st.Model()
    for _ in range(2):
        model.add(st.PointMass(mass=1))
    model.bodies.pop(0)
    assert model.add(st.PointMass(mass=1)) == "point_mass2"
    assert "point_mass2" in model and "point_mass0" not in model
    with pytest.raises(KeyError, match="did you mean 'point_mass1'"):
        model["point_mas1"]


def test_a_place_is_said_once():
    for twice in (dict(where=(0, 0, 1), position=(1, 1, 1)), dict(where=0.5, arclength=0.2)):
        with pytest.raises(st.InputError, match="twice"):
            st.at("b", **twice)


def test_meshes_of_files_are_found_from_anywhere(root, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    model, analysis = st.read_model(root / "examples" / "sliding_wedge.json")
    st.Simulation(model, analysis)


def test_records_know_their_type():
    with pytest.raises(TypeError, match="'sphere' in files"):
        st.Sphere.from_json({"type": "hollow_sphere", "radius": 1})
    with pytest.raises(TypeError, match="integrator of Dynamics.*parentheses"):
        st.Simulation(ball_on_floor(), integrator=st.MoreauJean)
