# SPDX-License-Identifier: Apache-2.0
"""Meshes from files: what they say, what they move like, and what is refused."""

import json
import os
import pathlib
import subprocess

import numpy as np
import pytest
from models import FLOOR, collider, contact, rigid, scene
from runs import SALTUS, read_table

# A wedge, in millimetres: no symmetry that would hide a mistake.
POINTS = [(-60, -50, -40), (70, -50, -40), (-60, 55, -40), (80, 45, -40), (-50, -40, 45), (-55, 50, 40)]


def hull():
    """Triangles of the hull of POINTS, anticlockwise from outside."""
    p = np.array(POINTS, dtype=float)
    faces = set()
    for i in range(6):
        for j in range(6):
            for k in range(6):
                if len({i, j, k}) < 3:
                    continue
                n = np.cross(p[j] - p[i], p[k] - p[i])
                if ((p - p[i]) @ n).max() <= 1e-9:
                    faces.add(min((i, j, k), (j, k, i), (k, i, j)))
    return drop_coplanar(faces)


def drop_coplanar(faces):
    """Of faces with more than three corners every triangle is listed: a fan of each is kept."""
    p = np.array(POINTS, dtype=float)
    planes = {}
    for face in sorted(faces):
        n = np.cross(p[face[1]] - p[face[0]], p[face[2]] - p[face[0]])
        n = n / np.linalg.norm(n)
        planes.setdefault((*np.round(n, 6), round(float(n @ p[face[0]]), 4)), []).append((face, n))
    kept = []
    for group in planes.values():
        corners = sorted({v for face, _ in group for v in face})
        n, first = group[0][1], corners[0]
        rest = corners[1:]
        base = p[rest[0]] - p[first]
        rest.sort(key=lambda v: np.arctan2(np.cross(base, p[v] - p[first]) @ n, base @ (p[v] - p[first])))
        kept += [(first, a, b) for a, b in zip(rest, rest[1:])]
    return kept


def stl(faces):
    rows = ["solid wedge"]
    for face in faces:
        rows += ["facet normal 0 0 0", "outer loop"]
        rows += ["vertex " + " ".join(map(str, POINTS[v])) for v in face] + ["endloop", "endfacet"]
    return "\n".join([*rows, "endsolid wedge", ""])


def obj(faces):
    rows = ["v " + " ".join(map(str, x)) for x in POINTS]
    return "\n".join(rows + ["f " + " ".join(str(v + 1) for v in face) for face in faces] + [""])


def ply(faces):
    head = ["ply", "format ascii 1.0", f"element vertex {len(POINTS)}", "property float x", "property float y",
            "property float z", f"element face {len(faces)}", "property list uchar int vertex_indices", "end_header"]
    rows = [" ".join(map(str, x)) for x in POINTS] + [" ".join(map(str, (3, *face))) for face in faces]
    return "\n".join([*head, *rows, ""])


def falling(shape):
    inertia = {"type": "from_shape", "shape": shape, "density": 2700}
    block = {"name": "block", "frame": {"body": "ground", "position": [0, 0, -0.1]},
             "shape": {"type": "box", "size": [0.5, 0.5, 0.2]}}
    body = rigid("wedge", inertia, [0, 0, 0.2], angular=[1, 2, 0.5])
    return scene([body], 0.6, 1e-3, gravity=[0, 0, -9.81],
                 colliders=[{**collider("skin", "wedge", "mesh"), "shape": shape}, block],
                 contacts=[contact("touch", "block", "skin", friction=0.4)])


def run_in(place, model, name="model"):
    path = place / f"{name}.json"
    path.write_text(json.dumps(model))
    done = subprocess.run([SALTUS, "run", path, "-o", place / name, "--quiet"], capture_output=True, text=True)
    return done, place / name


@pytest.mark.parametrize("write", [stl, obj, ply])
def test_a_part_from_a_file_moves_like_the_same_part_in_the_model(tmp_path, write):
    faces = hull()
    name = f"wedge.{write.__name__}"
    (tmp_path / name).write_text(write(faces))
    inline = {"type": "mesh", "vertices": [[x * 0.001 for x in p] for p in POINTS], "triangles": faces}
    done, out = run_in(tmp_path, falling({"type": "mesh", "path": name, "scale": 0.001}))
    assert done.returncode == 0, done.stderr
    rows = read_table(out / "timeseries.csv")[1]
    done, expected = run_in(tmp_path, falling(inline), "inline")
    assert done.returncode == 0, done.stderr
    header, others = read_table(expected / "timeseries.csv")
    # Vertices have other numbers in an STL file: round-off, which impacts enlarge.
    assert np.abs(rows - others)[:, header.index("wedge.position.z")].max() < 1e-6
    summary = json.loads((out / "summary.json").read_text())
    assert summary["impacts"] > 0 and summary["max_penetration"] < 1e-9


def test_results_need_no_file_but_their_own(tmp_path):
    (tmp_path / "wedge.stl").write_text(stl(hull()))
    done, out = run_in(tmp_path, falling({"type": "mesh", "path": "wedge.stl", "scale": 0.001}))
    assert done.returncode == 0, done.stderr
    os.remove(tmp_path / "wedge.stl")
    for command in ("resume", "report"):
        more = ["--end-time", "0.61"] if command == "resume" else []
        done = subprocess.run([SALTUS, command, out, *more], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    assert (pathlib.Path(out) / "report.html").exists()


def test_a_part_of_another_unit_or_a_hole_is_told(tmp_path):
    (tmp_path / "wedge.stl").write_text(stl(hull()[1:]))
    done, _ = run_in(tmp_path, falling({"type": "mesh", "path": "wedge.stl"}))
    assert done.returncode == 2
    assert "a mesh must be closed" in done.stderr and "/model/colliders/0/shape/triangles" in done.stderr


def test_a_mesh_on_a_plane_rests_on_its_corners(tmp_path):
    model = falling({"type": "mesh", "vertices": [[x * 0.001 for x in p] for p in POINTS], "triangles": hull()})
    model["model"]["colliders"][1] = FLOOR
    model["model"]["contacts"] = [contact("touch", "floor", "skin", friction=0.4)]
    done, out = run_in(tmp_path, model)
    assert done.returncode == 0, done.stderr


def test_the_mass_of_a_convex_is_that_of_its_hull(tmp_path):
    """A cube beside the origin, with points inside of it: mass, centre and tensor in the kinetic energy."""
    side, centre, density = 0.2, 0.3, 500.0
    points = [[centre + side / 2 * x, side / 2 * y, side / 2 * z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    shape = {"type": "convex", "points": [*points, [centre, 0, 0.01]]}
    model = {"saltus": 1,
             "model": {"gravity": [0, 0, 0], "bodies": [
                 {"name": "body", "type": "rigid", "inertia": {"type": "from_shape", "shape": shape, "density": density},
                  "velocity": {"linear": [0, 1, 0], "angular": [0, 0, 2]}}]},
             "simulation": {"end_time": 0.01, "integrator": {"type": "nonsmooth_generalized_alpha", "step": 1e-3}}}
    done, out = run_in(tmp_path, model)
    assert done.returncode == 0, done.stderr
    kinetic = json.loads((pathlib.Path(out) / "summary.json").read_text())["energy"]["initial"]
    mass = density * side**3
    speed = 1 + 2 * centre
    exact = mass / 2 * speed**2 + mass * side**2 / 6 / 2 * 2**2
    assert abs(kinetic / exact - 1) < 1e-13


def test_a_scale_holds_for_vertices_in_the_model(tmp_path):
    faces = hull()
    done, out = run_in(tmp_path, falling({"type": "mesh", "vertices": POINTS, "triangles": faces, "scale": 0.001}))
    assert done.returncode == 0, done.stderr
    metres = [[x * 0.001 for x in p] for p in POINTS]
    done, expected = run_in(tmp_path, falling({"type": "mesh", "vertices": metres, "triangles": faces}), "metres")
    assert done.returncode == 0, done.stderr
    for name in ("timeseries.csv", "events.csv"):
        assert (out / name).read_bytes() == (expected / name).read_bytes()
    done = subprocess.run([SALTUS, "report", out], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def spinning(shape):
    return {"saltus": 1,
            "model": {"gravity": [0, 0, 0], "bodies": [
                {"name": "body", "type": "rigid", "inertia": {"type": "from_shape", "shape": shape, "density": 500.0},
                 "velocity": {"linear": [0, 1, 0], "angular": [1, 3, 2]}}]},
            "simulation": {"end_time": 0.01, "integrator": {"type": "nonsmooth_generalized_alpha", "step": 1e-3}}}


def test_a_rounded_box_has_the_same_mass_by_any_name(tmp_path):
    """As box, as hull of points and as mesh: mass and tensor in the kinetic energy."""
    size, r = (0.3, 0.2, 0.1), 0.02
    corners = [[size[0] / 2 * x, size[1] / 2 * y, size[2] / 2 * z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    faces = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
             [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]]
    energies = []
    for shape in ({"type": "box", "size": list(size)}, {"type": "convex", "points": corners},
                  {"type": "mesh", "vertices": corners, "triangles": faces}):
        done, out = run_in(tmp_path, spinning({**shape, "rounding": r}), shape["type"])
        assert done.returncode == 0, done.stderr
        energies.append(json.loads((out / "summary.json").read_text())["energy"]["initial"])
    assert max(energies) / min(energies) - 1 < 1e-13
