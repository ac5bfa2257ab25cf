# SPDX-License-Identifier: Apache-2.0
"""`saltus export --vtk`, read again by VTK itself."""

import copy
import math
import pathlib
import re
import xml.etree.ElementTree as xml

import numpy as np
import pytest
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkFiltersVerdict import vtkCellSizeFilter
from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
STEEL = {"young_modulus": 2.1e11, "poisson_ratio": 0.3, "density": 7800}

# A thrown ball whose frame is beside its centre of mass.
THROWN = {
    "saltus": 1,
    "model": {
        "bodies": [
            {
                "name": "ball",
                "type": "rigid",
                "inertia": {"type": "explicit", "mass": 2, "moments": [0.008, 0.009, 0.01],
                            "centre_of_mass": [-0.02, 0, 0]},
                "pose": {"position": [0.02, 0, 0.2]},
                "velocity": {"linear": [1, 0, 0], "angular": [3, 4, 5]},
            },
            {"name": "é", "type": "point_mass", "mass": 3, "pose": {"position": [0, 1, 1]}},
        ],
        "colliders": [
            {"name": "floor", "frame": {"body": "ground"}, "shape": {"type": "half_space"}},
            {"name": "skin", "frame": {"body": "ball", "position": [-0.02, 0, 0]},
             "shape": {"type": "sphere", "radius": 0.1}},
        ],
        "contacts": [
            {"name": "bounce", "between": ["floor", "skin"], "restitution": 0.5, "friction": 0.02}
        ],
    },
    "simulation": {
        "end_time": 0.5,
        "integrator": {"type": "nonsmooth_generalized_alpha", "step": 1e-3},
    },
}


class Grid:
    """One .vtu file as VTK reads it."""

    def __init__(self, path):
        reader = vtkXMLUnstructuredGridReader()
        reader.SetFileName(str(path))
        reader.Update()
        assert reader.GetErrorCode() == 0
        self.grid = reader.GetOutput()
        points = self.grid.GetPoints()
        self.points = vtk_to_numpy(points.GetData()) if points else np.zeros((0, 3))

    def on_points(self, name):
        return vtk_to_numpy(self.grid.GetPointData().GetArray(name))

    def on_cells(self, name):
        return vtk_to_numpy(self.grid.GetCellData().GetArray(name))

    def names(self, kind):
        array = self.grid.GetCellData() if kind == "cells" else self.grid.GetPointData()
        return {array.GetArrayName(i) for i in range(array.GetNumberOfArrays())}

    def texts(self, name):
        array = self.grid.GetFieldData().GetAbstractArray(name)
        return [array.GetValue(i) for i in range(array.GetNumberOfValues())]

    def time(self):
        return self.grid.GetFieldData().GetArray("TimeValue").GetValue(0)

    def cell_types(self):
        return [self.grid.GetCellType(i) for i in range(self.grid.GetNumberOfCells())]

    def volume(self):
        sizes = vtkCellSizeFilter()
        sizes.SetInputData(self.grid)
        sizes.Update()
        volumes = vtk_to_numpy(sizes.GetOutput().GetCellData().GetArray("Volume"))
        assert (volumes > 0).all()
        return volumes.sum()


class Series:
    """A .pvd file: its times and its grids."""

    def __init__(self, saltus, directory, name):
        root = saltus.directory / directory / "vtk"
        sets = xml.parse(root / f"{name}.pvd").getroot().findall("Collection/DataSet")
        self.times = [float(s.get("timestep")) for s in sets]
        self.grids = [Grid(root / s.get("file")) for s in sets]
        assert [grid.time() for grid in self.grids] == self.times

    def on_points(self, name):
        return np.array([grid.on_points(name) for grid in self.grids])

    def on_cells(self, name):
        return np.array([grid.on_cells(name) for grid in self.grids])

    def points(self):
        return np.array([grid.points for grid in self.grids])


class Columns:
    """timeseries.csv by the names of its columns."""

    def __init__(self, saltus, directory):
        names, *rows = saltus.table(directory)
        self.values = dict(zip(names, np.array(rows, dtype=float).T))

    def __getitem__(self, name):
        return self.values[name]

    def vector(self, name):
        return np.stack([self.values[f"{name}.{c}"] for c in "xyz"], axis=-1)


def export(saltus, model, *options, name="a"):
    assert saltus("run", saltus.write(f"{name}.json", model), "--quiet").returncode == 0
    result = saltus("export", "--vtk", f"{name}-out", *options)
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout


@pytest.fixture
def thrown():
    return copy.deepcopy(THROWN)


def test_says_what_it_has_written(saltus, thrown):
    out = export(saltus, thrown)
    assert re.fullmatch(r"a-out/vtk: 501 of 501 rows \(\d+\.\d MB\): "
                        r"bodies\.pvd, frames\.pvd, contacts\.pvd\n", out)


def test_frames_are_those_of_the_csv(saltus, thrown):
    export(saltus, thrown)
    frames, columns = Series(saltus, "a-out", "frames"), Columns(saltus, "a-out")
    assert frames.times == list(columns["time"])
    for i, body in enumerate(["ball", "é"]):
        # The last digit: from the frame to the centre of mass and back.
        assert frames.points()[:, i] == pytest.approx(columns.vector(f"{body}.position"), abs=1e-15)
        assert (frames.on_points("velocity")[:, i] == columns.vector(f"{body}.velocity")).all()
    assert (frames.on_points("angular_velocity")[:, 0]
            == columns.vector("ball.angular_velocity")).all()
    assert (frames.on_points("angular_velocity")[:, 1] == 0).all()
    turn = frames.on_points("orientation")[:, 0]
    for k, c in enumerate("wxyz"):
        assert turn[:, k] == pytest.approx(columns[f"ball.orientation.{c}"], abs=1e-15)
    assert (frames.on_points("body") == [0, 1]).all()
    assert frames.grids[0].texts("body_names") == ["ball", "é"]
    assert set(frames.grids[0].cell_types()) == {1}


def test_kinetic_energies_add_up_to_that_of_the_ledger(saltus, thrown):
    export(saltus, thrown)
    energies = Series(saltus, "a-out", "frames").on_points("kinetic_energy").sum(axis=1)
    assert energies == pytest.approx(Columns(saltus, "a-out")["energy.kinetic"], rel=1e-12)


def test_bodies_are_where_the_csv_says(saltus, thrown):
    export(saltus, thrown)
    bodies, columns = Series(saltus, "a-out", "bodies"), Columns(saltus, "a-out")
    grid = bodies.grids[0]
    # Floor: a rectangle. Ball: 11 rings of 24 points and two poles. Point mass: a dot.
    assert grid.points.shape == (4 + 266 + 1, 3)
    assert grid.cell_types() == [5] * (2 + 528) + [1]
    assert list(grid.on_cells("body")) == [-1] * 2 + [0] * 528 + [1]
    w, x, y, z = (columns[f"ball.orientation.{c}"] for c in "wxyz")
    e1 = np.stack([1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)], axis=-1)
    centre = columns.vector("ball.position") - 0.02 * e1
    ball = bodies.points()[:, 4:270]
    assert ball.mean(axis=1) == pytest.approx(centre, abs=1e-14)
    assert np.linalg.norm(ball - centre[:, None], axis=2) == pytest.approx(0.1, rel=1e-12)
    assert (bodies.points()[:, 270] == columns.vector("é.position")).all()
    velocity = columns.vector("ball.velocity").astype(np.float32)
    assert (bodies.on_cells("velocity")[:, 2] == velocity).all()
    assert (bodies.on_cells("velocity")[:, :2] == 0).all()


def test_infinite_planes_reach_under_everything(saltus, thrown):
    export(saltus, thrown)
    points = Series(saltus, "a-out", "bodies").points()
    floor, rest = points[:, :4], points[:, 4:]
    assert (floor[:, :, 2] == 0).all()
    for c in (0, 1):
        assert floor[:, :, c].min() < rest[:, :, c].min()
        assert floor[:, :, c].max() > rest[:, :, c].max()


@pytest.mark.parametrize("between", [["floor", "skin"], ["skin", "floor"]])
def test_contacts_are_those_of_the_csv(saltus, thrown, between):
    thrown["model"]["contacts"][0]["between"] = between
    export(saltus, thrown)
    contacts, columns = Series(saltus, "a-out", "contacts"), Columns(saltus, "a-out")
    assert contacts.times == list(columns["time"])
    assert contacts.grids[0].texts("contact_names") == ["bounce"]
    for name in ("gap", "status"):
        assert (contacts.on_points(name)[:, 0] == columns[f"bounce.{name}"]).all()
    assert set(contacts.on_points("status").flat) >= {0, 1}
    assert (contacts.on_points("impulse")[:, 0] == columns.vector("bounce.impulse")).all()
    up = 1 if between[0] == "floor" else -1  # from the first to the second
    assert (contacts.on_points("normal")[:, 0] == [0, 0, up]).all()
    slip = contacts.on_points("slip")[:, 0]
    assert slip[:, 0] == pytest.approx(columns["bounce.slip.t1"], abs=1e-14)
    assert slip[:, 1] == pytest.approx(up * columns["bounce.slip.t2"], abs=1e-14)
    # Between the floor and the lowest point of the ball.
    height = contacts.points()[:, 0, 2]
    assert (height > -1e-12).all()
    assert (height < columns["bounce.gap"] + 1e-12).all()
    assert not contacts.grids[0].names("points") & {"continuous_force", "peak_force"}


def test_thinned_series_lose_no_impulse(saltus, thrown):
    out = export(saltus, thrown, "--every", "70")
    assert out.startswith("a-out/vtk: 9 of 501 rows")
    contacts, columns = Series(saltus, "a-out", "contacts"), Columns(saltus, "a-out")
    rows = [*range(0, 500, 70), 500]
    assert contacts.times == list(columns["time"][rows])
    assert Series(saltus, "a-out", "frames").times == contacts.times
    total = contacts.on_points("impulse").sum(axis=(0, 1))
    assert total == pytest.approx(columns.vector("bounce.impulse").sum(axis=0), rel=1e-12)
    assert contacts.on_points("gap").min() == columns["bounce.gap"].min()


def test_forces_are_those_of_the_force_file(saltus):
    assert saltus("run", EXAMPLES / "bouncing_ball_force.json", "-o", "a-out", "--quiet").returncode == 0
    assert saltus("export", "--vtk", "a-out", "--every", "10").returncode == 0
    contacts = Series(saltus, "a-out", "contacts")
    names, *rows = saltus.table("a-out", "contact_forces.csv")
    time, kind = names.index("time"), names.index("kind")
    peak, steady = names.index("peak_force"), names.index("continuous_force")
    impacts = [(float(r[time]), float(r[peak])) for r in rows if r[kind] == "impact"]
    assert len(impacts) > 5
    shown = contacts.on_points("peak_force")[:, 0]
    for start, end, force in zip([-math.inf, *contacts.times], contacts.times, shown):
        assert force == max([f for t, f in impacts if start < t <= end], default=0)
    last = [float(r[steady]) for r in rows if float(r[time]) > contacts.times[-2]]
    assert contacts.on_points("continuous_force")[-1, 0] == max(last)
    assert max(last) == pytest.approx(9.8, rel=1e-6)  # the weight


def rod(kind="beam", **more):
    return {"name": "rod", "type": kind, "start": [0, 0, 0], "end": [1, 0, 0], "elements": 4,
            "section": {"type": "rectangular", "width": 0.01, "height": 0.02}, "material": STEEL,
            **more}


def flexible(body, joints=(), forces=(), **record):
    return {
        "saltus": 1,
        "model": {"gravity": [0, -9.81, 0], "bodies": [body], "joints": list(joints),
                  "forces": list(forces)},
        "simulation": {"end_time": 0.02, "record": record,
                       "integrator": {"type": "generalized_alpha", "step": 1e-3}},
    }


HINGE = {"name": "hinge", "type": "revolute",
         "between": [{"body": "ground"}, {"body": "rod", "arclength": 0}]}


def test_beams_are_those_of_the_csv(saltus):
    out = export(saltus, flexible(rod(), [HINGE]))
    assert out.endswith(": beams.pvd\n")
    beams, columns = Series(saltus, "a-out", "beams"), Columns(saltus, "a-out")
    assert beams.times == list(columns["time"])
    assert beams.grids[0].cell_types() == [3] * 4
    for i in range(5):
        place = columns.vector(f"rod.node{i}.position")
        assert (beams.points()[:, i] == place).all()
        assert beams.on_points("displacement")[:, i] == pytest.approx(place - [i / 4, 0, 0],
                                                                      abs=1e-15)
        assert (beams.on_points("velocity")[:, i] == columns.vector(f"rod.node{i}.velocity")).all()
    for k in range(4):
        for name in ("strain", "curvature", "force", "moment"):
            exact = columns.vector(f"rod.element{k}.{name}")
            assert (beams.on_cells(name)[:, k] == exact).all()
    # Bending about z: the stress at the surface is M c / I, with the axial force N / A.
    force, moment = beams.on_cells("force"), beams.on_cells("moment")
    assert abs(moment[..., 2]).max() > 0.1
    stress = abs(force[..., 0]) / 2e-4 + abs(moment[..., 2]) * 0.005 / (0.02 * 0.01**3 / 12)
    assert beams.on_cells("normal_stress") == pytest.approx(stress, rel=1e-6)
    assert beams.on_points("radius") == pytest.approx(math.sqrt(2e-4 / math.pi))


def test_bars_have_what_is_along_them(saltus):
    pull = {"type": "force", "on": {"body": "rod", "arclength": 1}, "value": [100, 0, 0]}
    export(saltus, flexible(rod("bar"), forces=[pull]))
    beams, columns = Series(saltus, "a-out", "beams"), Columns(saltus, "a-out")
    for k in range(4):
        assert (beams.on_cells("force")[:, k, 0] == columns[f"rod.element{k}.force"]).all()
        assert (beams.on_cells("strain")[:, k, 0] == columns[f"rod.element{k}.strain"]).all()
    assert abs(beams.on_cells("force")[..., 0]).max() > 1
    assert (beams.on_cells("moment") == 0).all()


def test_strains_that_are_not_recorded_are_left_out(saltus):
    export(saltus, flexible(rod(), [HINGE], flexible="nodes"))
    assert Series(saltus, "a-out", "beams").grids[0].names("cells") == {"body"}


@pytest.mark.parametrize("cells, kind, count", [("hexahedra", 12, 8), ("tetrahedra", 10, 48),
                                                ("quadratic_tetrahedra", 24, 48)])
def test_solids_are_those_of_the_csv(saltus, cells, kind, count):
    rubber = {"young_modulus": 1e6, "poisson_ratio": 0.3, "density": 1000}
    block = {"name": "block", "type": "solid", "material": rubber,
             "velocity": {"angular": [20, 0, 0]},
             "mesh": {"type": "box", "size": [0.1, 0.2, 0.3], "divisions": [2, 2, 2],
                      "cells": cells}}
    out = export(saltus, flexible(block), "--every", "4")
    assert out.endswith(": solids.pvd\n")
    solids, columns = Series(saltus, "a-out", "solids"), Columns(saltus, "a-out")
    rows = np.isin(columns["time"], solids.times)
    assert rows.sum() == len(solids.times) == 6
    first = solids.grids[0]
    assert first.cell_types() == [kind] * count
    assert first.volume() == pytest.approx(0.006, rel=1e-12)  # nodes in VTK's order, none inverted
    points, nodal, mean = solids.points(), solids.on_points("von_mises"), solids.on_cells("von_mises")
    for i in range(first.points.shape[0]):
        assert (points[:, i] == columns.vector(f"block.node{i}.position")[rows]).all()
        assert (nodal[:, i] == columns[f"block.node{i}.von_mises"][rows]).all()
    for k in range(count):
        assert (mean[:, k] == columns[f"block.element{k}.von_mises"][rows]).all()
    assert nodal.max() > 100


def test_bodies_without_shapes_are_linked_to_their_joints(saltus, top):
    export(saltus, top)
    bodies, columns = Series(saltus, "a-out", "bodies"), Columns(saltus, "a-out")
    assert bodies.grids[0].cell_types() == [3, 1]
    assert (bodies.points()[:, 0] == columns.vector("top.position")).all()
    assert bodies.points()[:, 1] == pytest.approx(np.zeros((101, 3)), abs=1e-12)  # the pivot


def test_two_exports_are_the_same(saltus, thrown):
    def files():
        root = saltus.directory / "a-out/vtk"
        return {str(p.relative_to(root)): p.read_bytes() for p in root.rglob("*") if p.is_file()}

    export(saltus, thrown, "--every", "50")
    first = files()
    assert saltus("export", "--vtk", "a-out", "--every", "50").returncode == 0
    assert files() == first


def test_a_new_run_removes_the_old_series(saltus, thrown):
    export(saltus, thrown, "--every", "100")
    (saltus.directory / "a-out/vtk/view.pvsm").write_text("mine")
    assert saltus("run", "a.json", "--quiet").returncode == 0
    assert [p.name for p in (saltus.directory / "a-out/vtk").iterdir()] == ["view.pvsm"]


def test_help_shows_an_example(saltus):
    result = saltus("export", "--help")
    assert result.returncode == 0
    assert "saltus export --vtk pendulum-fine --every 10" in result.stdout


def test_wrong_usage_exits_2(saltus, thrown):
    assert saltus("run", saltus.write("a.json", thrown), "--quiet").returncode == 0
    for arguments in ([], ["a-out"], ["--vtk"], ["--vtk", "a-out", "--every", "0"],
                      ["--vtk", "a-out", "--every", "-1"], ["--vtk", "a-out", "--every", "two"]):
        result = saltus("export", *arguments)
        assert result.returncode == 2, arguments
        assert result.stdout == ""
        assert result.stderr.startswith("saltus: "), arguments
    assert not (saltus.directory / "a-out/vtk").exists()


def test_what_is_no_result_is_refused(saltus):
    result = saltus("export", "--vtk", "nowhere")
    assert result.returncode == 4
    assert "nowhere/summary.json: cannot be read; is this a result?" in result.stderr
    assert not (saltus.directory / "nowhere").exists()


def test_a_directory_that_cannot_be_written_is_named(saltus, thrown):
    assert saltus("run", saltus.write("a.json", thrown), "--quiet").returncode == 0
    (saltus.directory / "a-out/vtk").write_text("a file")
    result = saltus("export", "--vtk", "a-out")
    assert result.returncode == 4
    assert "a-out/vtk" in result.stderr
    assert "cannot be made a directory" in result.stderr
    assert (saltus.directory / "a-out/vtk").read_text() == "a file"


def test_a_file_that_cannot_be_written_is_named(saltus, thrown):
    assert saltus("run", saltus.write("a.json", thrown), "--quiet").returncode == 0
    (saltus.directory / "a-out/vtk/frames.pvd/in_the_way").mkdir(parents=True)
    result = saltus("export", "--vtk", "a-out", "--every", "100")
    assert result.returncode == 4
    assert "a-out/vtk/frames.pvd: cannot be written" in result.stderr


def test_nothing_to_write_is_said(saltus):
    """Of a beam without its nodes nothing can be drawn."""
    model = {
        "saltus": 1,
        "model": {"bodies": [{"name": "rod", "type": "beam", "start": [0, 0, 0], "end": [1, 0, 0],
                              "elements": 2, "material": STEEL,
                              "section": {"type": "circular", "radius": 0.01}}]},
        "simulation": {"end_time": 0.002, "record": {"flexible": "bodies"},
                       "integrator": {"type": "nonsmooth_generalized_alpha", "step": 1e-3}},
    }
    assert saltus("run", saltus.write("a.json", model)).returncode == 0
    shown = saltus("export", "--vtk", "a-out").stdout
    assert shown.startswith("a-out/vtk: nothing is written")
    assert "not drawn: rod" in shown and "rows" not in shown
