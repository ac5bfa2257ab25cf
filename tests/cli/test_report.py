# SPDX-License-Identifier: Apache-2.0
"""`saltus report` as its users see it."""

import base64
import json
import re

import numpy as np
import pytest


def page_of(saltus, directory):
    """The header and the block of numbers inside a report."""
    text = (saltus.directory / directory / "report.html").read_text()
    header = re.search(r'<script id="saltus-header"[^>]*>(.*?)</script>', text, re.S).group(1)
    arrays = re.search(r'<script id="saltus-arrays"[^>]*>(.*?)</script>', text, re.S).group(1)
    return json.loads(header), base64.b64decode(arrays)


def values(column, rows, block):
    if "value" in column:
        return np.full(rows, column["value"])
    kind = {"f32": np.float32, "f64": np.float64, "u32": np.uint32, "u8": np.uint8}
    return np.frombuffer(block, kind[column["type"]], rows, column["at"])


@pytest.fixture
def run_top(saltus, top):
    assert saltus("run", saltus.write("top.json", top), "--quiet").returncode == 0


def test_writes_one_page(saltus, run_top):
    result = saltus("report", "top-out")
    assert (result.returncode, result.stderr) == (0, "")
    assert re.fullmatch(r"top-out/report.html \(0\.\d MB\)\n", result.stdout)
    assert "report.html" in saltus("info", "top-out").stdout


def test_page_has_the_numbers_of_the_csv(saltus, run_top):
    saltus("report", "top-out")
    header, block = page_of(saltus, "top-out")
    names, *rows = saltus.table("top-out")
    exact = np.array(rows, dtype=float)
    assert [column["name"] for column in header["columns"]] == names
    for j, column in enumerate(header["columns"]):
        assert values(column, len(rows), block) == pytest.approx(exact[:, j], rel=1e-7, abs=1e-37)
        assert header["kinds"][column["kind"]]["unit"]
    assert list(values(header["columns"][0], len(rows), block)) == list(exact[:, 0])


def test_iterations_are_recorded(saltus, run_top):
    names, *rows = saltus.table("top-out")
    smooth = [int(float(row[names.index("iterations.smooth")])) for row in rows]
    summary = saltus.summary("top-out")["iterations"]["smooth"]
    assert smooth[0] == 0
    assert max(smooth) == summary["max"]
    assert sum(smooth) / 100 == pytest.approx(summary["mean"])


def test_two_reports_are_the_same(saltus, run_top):
    saltus("report", "top-out")
    first = (saltus.directory / "top-out/report.html").read_bytes()
    saltus("report", "top-out")
    assert (saltus.directory / "top-out/report.html").read_bytes() == first


def test_a_new_run_removes_the_old_report(saltus, run_top, top):
    saltus("report", "top-out")
    assert saltus("run", saltus.write("top.json", top), "--quiet").returncode == 0
    assert not (saltus.directory / "top-out/report.html").exists()


def test_what_is_no_result_is_refused(saltus):
    result = saltus("report", "nowhere")
    assert result.returncode == 4
    assert "nowhere/summary.json: cannot be read; is this a result?" in result.stderr
    (saltus.directory / "model.json").write_text("{}")
    result = saltus("report", "model.json")
    assert result.returncode == 4
    assert "model.json: is a file; name the directory" in result.stderr


def test_results_without_the_hdf5_file_are_refused(saltus, run_top):
    (saltus.directory / "top-out/results.h5").unlink()
    result = saltus("report", "top-out")
    assert result.returncode == 4
    assert "top-out/results.h5: cannot be read" in result.stderr


def test_a_directory_that_cannot_be_written_is_named(saltus, run_top):
    (saltus.directory / "top-out/report.html").mkdir()
    result = saltus("report", "top-out")
    assert result.returncode == 4
    assert "report.html" in result.stderr
