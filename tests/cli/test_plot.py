# SPDX-License-Identifier: Apache-2.0
"""saltus plot and saltus export --csv: columns of results as pictures and tables."""

import re
import xml.etree.ElementTree as xml

import pytest


@pytest.fixture
def results(saltus, ball):
    name = saltus.write("ball.json", ball)
    assert saltus("run", name).returncode == 0
    assert saltus("run", name, "-o", "soft", "--set", "/model/contacts/0/restitution=0.2").returncode == 0


def drawn(saltus, *words, output="plot.svg"):
    result = saltus("plot", *words, "-o", output)
    assert result.returncode == 0, result.stderr
    return xml.parse(saltus.directory / output).getroot()


def texts(svg):
    return [element.text for element in svg.iter() if element.tag.endswith("}text")]


def curves(svg):
    """The points of each curve, in pixels; the short strokes of the legend are left out."""
    paths = [e.get("d") for e in svg.iter() if e.tag.endswith("}path") and e.get("class") == "c"]
    return [[tuple(map(float, p.split())) for p in re.split("[ML]", d) if p.strip()]
            for d in paths if "h22" not in d]


def test_columns_over_time(saltus, results):
    svg = drawn(saltus, "ball-out", "ball.position")
    assert len(curves(svg)) == 3
    assert {"time (s)", "position (m)", "ball.position.x", "ball.position.z"} <= set(texts(svg))
    z = curves(svg)[2]
    assert z[0][1] < max(y for _, y in z), "it falls: pixels count downwards"


def test_each_unit_has_its_panel(saltus, results):
    svg = drawn(saltus, "ball-out", "ball.position.z", "ball.velocity.z", "energy.kinetic")
    assert {"position (m)", "velocity (m/s)"} <= set(texts(svg))
    assert len([e for e in svg.iter() if e.get("class") == "f"]) == 3


def test_several_runs_over_each_other(saltus, results):
    svg = drawn(saltus, "ball-out", "soft", "ball.position.z")
    assert len(curves(svg)) == 2
    assert {"ball-out: ball.position.z", "soft: ball.position.z"} <= set(texts(svg))
    assert curves(svg)[0] != curves(svg)[1]


def test_a_column_over_another(saltus, results):
    svg = drawn(saltus, "ball-out", "ball.velocity.z", "--x", "ball.position.z", "--from", "0.01", "--to", "0.1")
    assert "ball.position.z (m)" in texts(svg)
    (path,) = curves(svg)
    xs = [x for x, _ in path]
    assert xs == sorted(xs, reverse=True), "falling"


def test_equal_scales(saltus, top):
    saltus("run", saltus.write("top.json", top))
    svg = drawn(saltus, "top-out", "top.position.y", "--x", "top.position.x", "--equal")
    ticks = [e for e in svg.iter() if e.tag.endswith("}path") and e.get("class") == "g"]
    assert len(ticks) >= 4


def test_what_cannot_be_drawn_is_named(saltus, results):
    for words, why in ((["ball-out", "bal.position.z"], "there is no such column"),
                       (["ball-out"], "name at least one column"),
                       (["ball-out", "ball.position", "--x", "ball.velocity"], "several columns begin so"),
                       (["ball-out", "ball.position", "-o", "a.png"], "rsvg-convert"),
                       (["ball-out", "ball.position.z", "ball.velocity.z", "--equal"], "one unit")):
        result = saltus("plot", *words)
        assert result.returncode == 2, words
        assert why in result.stderr
    assert saltus("plot", "nothing", "ball.position").returncode == 4


def test_hostile_names_are_only_text(saltus, pendulum):
    pendulum["model"]["bodies"][0]["name"] = pendulum["model"]["joints"][0]["bodies"][1] = '<script>&'
    saltus("run", saltus.write("p.json", pendulum))
    svg = drawn(saltus, "p-out", '<script>&.position.x')
    assert '<script>&.position.x' in texts(svg)
    assert not [e for e in svg.iter() if "script" in e.tag]


def test_a_table_of_chosen_columns(saltus, results):
    result = saltus("export", "ball-out", "--csv", "ball.position,energy.kinetic", "--every", "10", "-o", "a.csv")
    assert result.returncode == 0, result.stderr
    whole, part = saltus.table("ball-out"), [line.split(",") for line in
                                             (saltus.directory / "a.csv").read_text().splitlines()]
    assert part[0] == ["time", "ball.position.x", "ball.position.y", "ball.position.z", "energy.kinetic"]
    places = [whole[0].index(name) for name in part[0]]
    wanted = [row for i, row in enumerate(whole[1:]) if i % 10 == 0 or i == len(whole) - 2]
    assert part[1:] == [[row[j] for j in places] for row in wanted]


def test_export_without_a_purpose_is_refused(saltus, results):
    assert "as what?" in saltus("export").stderr
    assert saltus("export", "--csv", "ball.position").returncode == 2
    assert saltus("export", "ball-out", "--csv", "nothing").returncode == 2
