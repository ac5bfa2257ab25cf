# SPDX-License-Identifier: Apache-2.0
"""Results: from memory, from files, with and without the engine."""

import json
import os
import subprocess
import sys

import matplotlib.pyplot as plt
import numpy as np
import pytest
import saltus as st


@pytest.fixture(scope="module")
def box():
    """A box that falls on a rough floor; eight contact points and a local law."""
    model = st.Model()
    body = model.add(st.RigidBody(name="box", inertia=st.solid_box(2, (0.4, 0.3, 0.2)),
                                  pose=st.Pose(position=(0, 0, 0.3),
                                               rotation_vector=(0.2, 0.1, 0)),
                                  velocity=st.Twist(linear=(1, 0, 0))))
    model.add(st.Collider("hull", st.at(body), st.Box(size=(0.4, 0.3, 0.2))))
    model.add(st.Collider("floor", st.at("ground"), st.HalfSpace()))
    model.add(st.Contact(name="rest", between=("hull", "floor"), restitution=0.3, friction=0.4,
                         stiffness=1e8))
    run = st.Simulation(model, integrator=st.NonsmoothGeneralizedAlpha(step=1e-3))
    run.run_until(0.6)
    return run


@pytest.fixture(scope="module")
def beam():
    model = st.Model()
    model.add(st.Beam(name="rod", start=(0, 0, 0), end=(1, 0, 0), elements=4,
                      section=st.circular_section(0.01), material=st.Elastic(2e11, 0.3, 7800)))
    model.add(st.Fixed(between=(st.at("ground"), st.at("rod", 0.0))))
    run = st.Simulation(model, integrator=st.NonsmoothGeneralizedAlpha(step=1e-3))
    run.run_until(0.05)
    return run


def test_columns_vectors_and_quaternions(box):
    result = box.result
    assert result["box.position.z"].shape == (601,)
    assert result["box.position"].shape == (601, 3)
    assert result.orientation("box").shape == (601, 4)
    assert np.allclose(np.linalg.norm(result.orientation("box"), axis=1), 1)
    assert result.units["box.velocity.x"] == "m/s"
    assert "box.position" in result and "box.colour" not in result


def test_a_column_that_is_not_there_is_named_with_the_nearest(box):
    with pytest.raises(st.InputError, match="did you mean 'box.position'"):
        box.result["box.positon"]
    with pytest.raises(st.InputError, match="several points"):
        box.result.impulse("hull", "floor")
    with pytest.raises(st.InputError, match="no contact point is recorded"):
        box.result.impulse("hull", "wall")


def test_impulses_carry_the_weight(box):
    """At rest the impulses of the corners sum to m g h a step."""
    result = box.result
    total = sum(result.impulse(point)[:, 0] for point in result.contacts)
    assert np.sum(total[-100:]) == pytest.approx(2 * 9.81 * 0.1, rel=0.3)
    momentum = 2 * (result.velocity("box")[-1, 2] - result.velocity("box")[0, 2])
    assert np.sum(total) - 2 * 9.81 * 0.6 == pytest.approx(momentum, abs=1e-9)


def test_impulses_of_two_colliders_are_on_the_second(root):
    run = st.Simulation.from_file(root / "examples" / "thrown_ball.json")
    run.run()
    on_floor, on_ball = (run.result.impulse(*pair) for pair in
                         (("skin", "floor"), ("floor", "skin")))
    assert np.array_equal(on_floor[:, 0], on_ball[:, 0])  # normals point to the second
    assert np.abs(on_floor[:, 1]).max() > 0.1  # friction on the floor, along the throw
    assert np.array_equal(on_floor[:, 1], -on_ball[:, 1])
    total = run.result["contact0.impulse.x"]
    assert np.allclose(on_floor[:, 1], total)


def test_contacts_of_several_points_have_no_normal(box):
    with pytest.raises(st.InputError, match="several: rest.hull.floor.0"):
        box.result.impulse("rest")
    with pytest.raises(st.InputError, match="has several columns"):
        box.result["energy"]


@pytest.fixture(scope="module")
def totals():
    """A ball that bounces, of whose contact only totals are recorded."""
    model = st.Model()
    body = model.add(st.RigidBody(name="ball", inertia=st.solid_sphere(1, 0.1),
                                  pose=st.Pose(position=(0, 0, 0.2))))
    model.add(st.Collider("skin", st.at(body), st.Sphere(radius=0.1)))
    model.add(st.Collider("floor", st.at("ground"), st.HalfSpace()))
    model.add(st.Contact(name="bounce", between=("floor", "skin"), restitution=0.5))
    run = st.Simulation(model, integrator=st.NonsmoothGeneralizedAlpha(step=1e-3),
                        record=st.RecordOptions(contacts="totals"))
    run.run_until(0.5)
    return run


def test_contacts_with_totals_are_contacts(totals, tmp_path):
    totals.save(tmp_path / "out")
    for result in (totals.result, st.read(tmp_path / "out")):
        assert result.contacts == ["bounce"]
        impulse = result.impulse("bounce")
        assert impulse.shape == (len(result), 3)
        change = result.velocity("ball")[-1, 2] - result.velocity("ball")[0, 2]
        assert np.sum(impulse[:, 2]) - 9.81 * 0.5 == pytest.approx(change, abs=1e-9)
        assert np.array_equal(result.impulse("skin", "floor"), -impulse)
        axes = st.plot.contact(result, "bounce")
        assert [len(a.lines) for a in axes] == [3, 1]
        plt.close("all")


def test_colliders_of_points_are_not_taken_from_names(tmp_path):
    """A pattern selects one pair: the point has the contact's name, which tells no colliders."""
    model = st.Model()
    body = model.add(st.RigidBody(name="ball", inertia=st.solid_sphere(1, 0.1),
                                  pose=st.Pose(position=(0, 0, 0.2))))
    model.add(st.Collider("skin", st.at(body), st.Sphere(radius=0.1)))
    model.add(st.Collider("floor", st.at("ground"), st.HalfSpace()))
    model.add(st.Contact(name="bounce", between=("fl*", ["skin"])))
    run = st.Simulation(model, integrator=st.NonsmoothGeneralizedAlpha(step=1e-3))
    run.run_until(0.2)
    run.save(tmp_path / "out")
    for result in (run.result, st.read(tmp_path / "out")):
        assert result.contact_name("skin", "floor") == "bounce"


def test_places_on_beams(beam):
    result = beam.result
    assert np.allclose(result.node_arclengths("rod"), [0, 0.25, 0.5, 0.75, 1])
    assert np.allclose(result.position("rod", arclength=1.0), result["rod.node4.position"])
    assert np.allclose(result.position("rod", arclength=0.25), result["rod.node1.position"])
    middle = (result["rod.node1.position"] + result["rod.node2.position"]) / 2
    assert np.allclose(result.position("rod", arclength=0.375), middle)
    with pytest.raises(st.InputError, match="is not on it"):
        result.position("rod", arclength=1.2)
    assert result.position("rod", arclength=1.0)[-1, 2] < -1e-4  # it bends


def test_saved_results_are_those_of_memory(box, tmp_path):
    box.save(tmp_path / "box-out")
    back = st.read(tmp_path / "box-out")
    assert np.array_equal(back.values, box.result.values)
    assert back.columns == box.result.columns
    for name in ("events", "forces"):
        ours, theirs = getattr(box.result, name), getattr(back, name)
        assert ours.dtype.names == theirs.dtype.names and len(ours) == len(theirs) > 0
        for field in ours.dtype.names:
            assert np.array_equal(ours[field], theirs[field],
                                  equal_nan=ours[field].dtype.kind == "f"), field
    assert back.report.status == "completed"
    assert back.report.impacts == box.report.impacts
    assert back.report.energy == box.report.energy
    assert back.model == json.loads(box.model_text())


def test_saved_results_are_those_of_the_program(box, program, tmp_path):
    (tmp_path / "box.json").write_text(box.model_text())
    subprocess.run([program, "run", "box.json", "-o", "by_program", "--quiet"], cwd=tmp_path,
                   check=True)
    box.save(tmp_path / "box")
    for name in ("timeseries.csv", "events.csv", "contact_forces.csv"):
        assert (tmp_path / "box" / name).read_bytes() == (
            tmp_path / "by_program" / name).read_bytes(), name
    summaries = [json.loads((tmp_path / d / "summary.json").read_text())
                 for d in ("box", "by_program")]
    for summary in summaries:
        summary.pop("wall_seconds")
    assert summaries[0].pop("source") != summaries[1].pop("source")  # one came from a file
    assert summaries[0] == summaries[1]


def test_results_of_others_are_not_overwritten(box, tmp_path):
    box.save(tmp_path / "a-out")
    box.save(tmp_path / "a-out")  # its own: replaced
    os.rename(tmp_path / "a-out", tmp_path / "b-out")
    box.save(tmp_path / "b-out")  # the same model under another name
    model = st.Model()
    model.add(st.PointMass(name="mass", mass=2))
    other = st.Simulation(model, end_time=0.01)
    with pytest.raises(st.InputError, match="no results yet"):
        other.save(tmp_path / "b-out", overwrite=True)
    other.run()
    other.save(tmp_path / "b-out", overwrite=True)
    with pytest.raises(st.FileError, match="another model"):
        box.save(tmp_path / "b-out")
    box.save(tmp_path / "b-out", overwrite=True)


def test_reading_needs_no_engine(box, tmp_path):
    box.save(tmp_path / "out")
    code = ("import sys; sys.modules['saltus._engine'] = None; import saltus as st; "
            f"r = st.read({str(tmp_path / 'out')!r}); print(r.position('box')[-1, 2])")
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert float(shown.stdout) == box.result.position("box")[-1, 2]


def test_no_results_are_said_to_be_none(tmp_path):
    with pytest.raises(st.FileError, match="no results to read"):
        st.read(tmp_path)


@pytest.mark.parametrize("damage, why", [
    (lambda file: file["timeseries/data"].resize(10**9, axis=0), "larger than the file"),
    (lambda file: file["timeseries/owner"].write_direct(np.full(
        file["timeseries/owner"].shape, -3, dtype=np.int32)), "owners"),
    (lambda file: file.pop("model"), "model"),
    (lambda file: file.move("timeseries/units", "timeseries/others"), "units"),
])
def test_damaged_results_are_refused(box, tmp_path, damage, why):
    import h5py

    box.save(tmp_path / "out")
    with h5py.File(tmp_path / "out" / "results.h5", "r+") as file:
        damage(file)
    with pytest.raises(st.FileError, match="is damaged .*" + why):
        st.read(tmp_path / "out")


def test_modes_are_read_back(tmp_path):
    model = st.Model()
    mass = model.add(st.PointMass(name="mass", mass=2))
    model.add(st.Bushing(between=(st.at("ground"), st.at(mass)), stiffness=(100, 200, 300)))
    run = st.Simulation(model, st.Modes(count=3))
    run.run()
    run.save(tmp_path / "modes")
    back = st.read(tmp_path / "modes")
    assert np.array_equal(back.modes.values, run.result.modes.values)
    assert back.modes["frequency"][2] == pytest.approx(np.sqrt(150) / (2 * np.pi))


def test_things_show_themselves(box):
    assert repr(box) == "<saltus.Simulation of <saltus.Model: 1 bodies, 2 colliders, 1 contacts> " \
                        "at t = 0.6 s>"
    assert "601 records" in repr(box.result)
    html = box.result._repr_html_()
    assert "box.position.x" in html and "<table>" in html
    assert str(box.report).startswith("completed: 600 steps")


def test_plots_show_the_columns(box, tmp_path):
    axes = st.plot.series(box.result, "box.position", "box.velocity.x")
    assert [line.get_label() for line in axes.lines] == [
        "box.position.x", "box.position.y", "box.position.z", "box.velocity.x"]
    assert np.array_equal(axes.lines[2].get_ydata(), box.result["box.position.z"])
    assert "m/s" in axes.get_ylabel()
    st.plot.energy(box.result)
    st.plot.trajectory(box.result, "box")
    st.plot.impacts(box.result)
    rows = st.plot.contact(box.result, box.result.contacts[0])
    assert len(rows) == 3
    axes.figure.savefig(tmp_path / "plot.png")
    assert (tmp_path / "plot.png").stat().st_size > 5000
    plt.close("all")


@pytest.fixture(scope="module")
def landing():
    """A block that lands flat on four corners, slips and turns."""
    model = st.Model()
    body = model.add(st.RigidBody(name="block", inertia=st.solid_box(2.5, (1.5, 1.5, 1)),
                                  pose=st.Pose(position=(0, 0, 0.51)),
                                  velocity=st.Twist(linear=(1, 0.3, -2), angular=(0, 0, 3))))
    model.add(st.Collider("hull", st.at(body), st.Box(size=(1.5, 1.5, 1))))
    model.add(st.Collider("floor", st.at("ground"), st.HalfSpace()))
    model.add(st.Contact(name="k", between=("hull", "floor"), friction=0.2))
    run = st.Simulation(model, integrator=st.EventDriven(energetic_restitution=0.5),
                        record=st.RecordOptions(impacts=st.RecordedImpacts(most=1)),
                        log=lambda level, text: None)
    run.run_until(0.05)
    return run


def test_insides_of_impacts_from_memory_and_from_files(landing, tmp_path):
    memory = landing.result
    files = st.read(landing.save(tmp_path / "landing-out"))
    for result in (memory, files):
        path = result.impact()
        assert len(path.points) == 4 and path.rows["order"][0] == 1
        moments = path[path.points[0]]
        assert np.all(np.diff(moments["p"]) >= 0)
        impacts = result.events[result.events["kind"] == b"impact"]
        for row in path.rows:
            lost = impacts["energy_lost"][impacts["order"] == row["order"]].sum()
            works = sum(path[p][path[p]["order"] == row["order"]][-1][w] for p in path.points
                        if np.any((path[p]["order"] == row["order"]) & (path[p]["group"] > 0))
                        for w in ("normal_work", "friction_work"))
            assert works == pytest.approx(-lost, rel=1e-10)
            assert row["normal_work"] == pytest.approx(0.75 * row["compression_work"], rel=1e-9)
            assert moments["group_work"].min() == pytest.approx(
                path.rows["compression_work"].min(), rel=1e-9)
    assert np.array_equal(memory.impact_paths, files.impact_paths)
    assert np.array_equal(memory.impacts, files.impacts)
    assert repr(memory.impact(1)).startswith("<impact 1 at t = ")


def test_impacts_that_are_not_recorded_are_named(landing, box):
    with pytest.raises(st.InputError, match="record.impacts = True"):
        box.result.impact()
    with pytest.raises(st.InputError, match="numbered from 1 to 1"):
        landing.result.impact(7)
    with pytest.raises(st.InputError, match="takes no part in impact 1"):
        landing.result.impact(1)["floor"]


def test_insides_of_impacts_are_drawn(landing):
    axes = st.plot.impact(landing.result, 1)
    assert [axis.get_ylabel() for axis in axes] == [
        "normal velocity (m/s)", "tangential velocity (m/s)", "normal impulse (N s)", "work (J)"]
    path = landing.result.impact(1)
    line = axes[0].lines[0]
    assert np.array_equal(line.get_ydata(), path[path.points[0]]["velocity_n"])
    plt.close("all")


def test_record_impacts_may_be_a_switch():
    record = st.RecordOptions(impacts=True)
    assert record.to_json() == {"impacts": True}
    assert st.RecordOptions.from_json({"impacts": {"after": 2}}).impacts == st.RecordedImpacts(after=2)
