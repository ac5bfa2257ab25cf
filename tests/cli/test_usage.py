# SPDX-License-Identifier: Apache-2.0
"""Commands, help and messages."""

import json
import re
import subprocess


def test_version(saltus):
    result = saltus("--version")
    assert result.returncode == 0
    assert re.fullmatch(r"saltus \d+\.\d+\.\d+\n", result.stdout)


def test_help_shows_an_example(saltus):
    result = saltus("--help")
    assert result.returncode == 0
    assert "saltus run pendulum.json" in result.stdout
    for command in ("run", "check", "schema", "info", "compare", "export", "verify", "report"):
        assert command in result.stdout
        assert saltus(command, "--help").returncode == 0


def test_unknown_command_suggests(saltus):
    result = saltus("chek", "x.json")
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr == 'saltus: there is no command "chek"; did you mean "check"?\n'
    assert "run, resume, check, schema, info" in saltus("explode").stderr


def test_wrong_usage_exits_2(saltus):
    for arguments in ([], ["run"], ["run", "a.json", "--nonsense"], ["--nonsense"],
                      ["run", "a.json", "--threads", "0"], ["run", "a.json", "--threads", "two"],
                      ["info"], ["run", "a.json", "b.json"]):
        result = saltus(*arguments)
        assert result.returncode == 2, arguments
        assert result.stdout == ""
        assert result.stderr.startswith("saltus: "), arguments


def test_full_standard_output_exits_4(saltus):
    with open("/dev/full", "w") as full:
        process = saltus.start("schema", stdout=full, stderr=subprocess.PIPE, text=True)
        _, err = process.communicate()
    assert process.returncode == 4
    assert err == "standard output: cannot be written\n"


def test_schema(saltus):
    result = saltus("schema")
    assert result.returncode == 0
    assert json.loads(result.stdout)["$schema"].endswith("2020-12/schema")


def spheres(count):
    """A row of spheres, each of which may touch each other one."""
    return {
        "saltus": 1,
        "model": {
            "gravity": [0, 0, 0],
            "bodies": [{"name": f"b{i}", "type": "rigid", "pose": {"position": [i, 0, 0]},
                        "inertia": {"type": "solid_sphere", "mass": 1, "radius": 0.1}}
                       for i in range(count)],
            "colliders": [{"name": f"s{i}", "frame": {"body": f"b{i}"},
                           "shape": {"type": "sphere", "radius": 0.1}} for i in range(count)],
            "contacts": [{"name": "all", "between": ["*", "*"]}],
        },
        "simulation": {"end_time": 0.002,
                       "integrator": {"type": "nonsmooth_generalized_alpha", "step": 1e-3}},
    }


def test_check_counts_every_pair_once(saltus):
    for count in (45, 46):  # 990 pairs, and 1035, which are too many for columns
        shown = saltus("check", saltus.write("a.json", spheres(count))).stdout
        assert f"1 contact with {count * (count - 1) // 2} points:" in shown


def test_run_says_whose_columns_are_left_out(saltus):
    few = saltus("run", saltus.write("few.json", spheres(45)))
    untouched = 'contact "all" never touched'
    assert "only totals" not in few.stdout and saltus.summary("few-out")["notes"] == [untouched]
    many = saltus("run", saltus.write("many.json", spheres(46)))
    note = 'contact "all": more than 1000 points, so there are no columns of each, only totals'
    assert many.stdout.count(note) == 1
    assert saltus.summary("many-out")["notes"] == [note, untouched]
    assert saltus.table("many-out")[0].count("all.closed") == 1
    asked = saltus("run", "many.json", "--set", "/simulation/record/contacts=totals")
    assert "only totals" not in asked.stdout


def test_check_counts(saltus, top):
    result = saltus("check", saltus.write("top.json", top))
    assert result.returncode == 0, result.stderr
    assert result.stdout == (
        "top.json: OK\n"
        "1 body, 1 joint: 3 degrees of freedom; 9 equations: 6 of motion, 3 of joints\n"
    )
    assert sorted(p.name for p in saltus.directory.iterdir()) == ["top.json"]


def box_of(side):
    """A cube in triangles, a corner at the origin."""
    vertices = [[side * (k & 1), side * (k >> 1 & 1), side * (k >> 2)] for k in range(8)]
    squares = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    triangles = [list(t) for a, b, c, d in squares for t in ((a, b, c), (a, c, d))]
    return {"type": "mesh", "vertices": vertices, "triangles": triangles}


def on_a_floor(shape, inertia=None):
    inertia = inertia or {"type": "from_shape", "shape": shape, "density": 800}
    return {
        "saltus": 1,
        "model": {
            "bodies": [{"name": "part", "type": "rigid", "inertia": inertia}],
            "colliders": [{"name": "skin", "frame": {"body": "part"}, "shape": shape},
                          {"name": "floor", "frame": {"body": "ground"}, "shape": {"type": "half_space"}}],
            "contacts": [{"name": "touch", "between": ["floor", "skin"]}],
        },
        "simulation": {"end_time": 0.01, "integrator": {"type": "nonsmooth_generalized_alpha", "step": 1e-3}},
    }


def test_check_prints_volume_centre_and_inertia_of_shapes(saltus):
    shown = saltus("check", saltus.write("a.json", on_a_floor(box_of(0.1)))).stdout
    assert ("  body part: 0.8 kg, centre of mass (0.05, 0.05, 0.05) m, inertia about it "
            "(0.001333, 0.001333, 0.001333) kg m²\n") in shown
    assert ("  skin: mesh of 12 triangles, from (0, 0, 0) to (0.1, 0.1, 0.1) m; volume 0.001 m³, "
            "centre (0.05, 0.05, 0.05) m, inertia about it over the density "
            "(1.667e-06, 1.667e-06, 1.667e-06) m⁵\n") in shown
    hull = {"type": "convex", "points": [[0, 0, 0], [0.3, 0, 0], [0, 0.3, 0], [0, 0, 0.3]]}
    shown = saltus("check", saltus.write("b.json", on_a_floor(hull))).stdout
    assert "skin: convex of 4 points, from (0, 0, 0) to (0.3, 0.3, 0.3) m; volume 0.0045 m³" in shown
    assert "centre (0.075, 0.075, 0.075) m" in shown and "products (xy, xz, yz) (" in shown


def test_a_mesh_that_goes_through_itself_is_told(saltus):
    first, second = box_of(0.1), box_of(0.1)
    moved = [[x + 0.05, y + 0.03, z + 0.04] for x, y, z in second["vertices"]]
    both = {"type": "mesh", "vertices": first["vertices"] + moved,
            "triangles": first["triangles"] + [[i + 8 for i in t] for t in second["triangles"]]}
    told = saltus("check", saltus.write("a.json", on_a_floor(both)))
    assert told.returncode == 0
    assert told.stderr.startswith('warning: collider "skin": its mesh goes through itself, first at (')
    run = saltus("run", "a.json")
    assert run.returncode == 0 and "goes through itself" in saltus.summary("a-out")["warnings"][0]
    assert saltus("check", saltus.write("b.json", on_a_floor(first))).stderr == ""


def test_check_counts_redundant_equations(saltus, pendulum):
    twin = dict(pendulum["model"]["joints"][0], name="pin2", at=[0, 0.2, 0])
    pendulum["model"]["joints"].append(twin)
    result = saltus("check", saltus.write("a.json", pendulum))
    assert "1 degree of freedom; 16 equations: 6 of motion, 10 of joints (5 redundant)" in result.stdout


def test_check_takes_settings(saltus, top):
    name = saltus.write("top.json", top)
    result = saltus("check", name, "--set", "/model/bodies/0/inertia/mass=-1")
    assert result.returncode == 2
    assert result.stderr.startswith("top.json: /model/bodies/0/inertia/mass: ")


def test_input_errors_come_one_a_line(saltus, top):
    top["model"]["bodies"][0]["inertia"]["mass"] = -1
    top["model"]["joints"][0]["bodies"][1] = "topp"
    name = saltus.write("top.json", top)
    for command in ("run", "check", "info"):
        result = saltus(command, name)
        assert result.returncode == 2
        assert result.stdout == ""
        lines = result.stderr.splitlines()
        assert len(lines) == 2, lines
        assert lines[0].startswith("top.json: /model/bodies/0/inertia/mass: ")
        assert 'did you mean "top"?' in lines[1]
    assert not (saltus.directory / "top-out").exists()


def test_messages_name_the_file_as_given(saltus):
    (saltus.directory / "sub").mkdir()
    saltus.write("sub/a.json", "{")
    result = saltus("check", "sub/../sub/a.json")
    assert result.returncode == 2
    assert result.stderr.startswith("sub/../sub/a.json: ")


def test_contradictory_joints_are_wrong_input(saltus, pendulum):
    for at, name in (([0, 0, 0], "a"), ([0, 0, 0.5], "b")):
        pendulum["model"]["joints"].append(
            {"name": name, "type": "distance", "length": 3,
             "between": [{"body": "ground", "position": at}, {"body": "bob"}]})
    name = saltus.write("a.json", pendulum)
    for command in ("run", "check"):
        result = saltus(command, name)
        assert result.returncode == 2, result.stdout
        assert result.stderr.startswith("a.json: ")
    assert not (saltus.directory / "a-out").exists()


def test_missing_files_exit_4(saltus):
    for command in ("run", "check", "info"):
        result = saltus(command, "nothing.json")
        assert result.returncode == 4
        assert result.stderr == "nothing.json: cannot be read: No such file or directory\n"
    (saltus.directory / "empty").mkdir()
    result = saltus("info", "empty")
    assert result.returncode == 4
    assert "empty/summary.json" in result.stderr


def test_info_of_a_model(saltus, top):
    top["comment"] = "A heavy top."
    result = saltus("info", saltus.write("top.json", top))
    assert result.returncode == 0
    for words in ("A heavy top.", "3 degrees of freedom", "spherical", "ground – top", "15 kg",
                  "generalized_alpha"):
        assert words in result.stdout


def test_info_of_a_result(saltus, top):
    saltus("run", saltus.write("top.json", top))
    for path in ("top-out", "top-out/results.h5"):
        result = saltus("info", path)
        assert result.returncode == 0
        for words in ("result of top.json, completed", "100 steps", "position.x|y|z",
                      "numerical_loss", "timeseries.csv"):
            assert words in result.stdout
