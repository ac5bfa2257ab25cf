# SPDX-License-Identifier: Apache-2.0
"""Tables of the pages on piles and other programs are made of what the benchmarks print."""
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import measured_tables as tool  # noqa: E402

PRINTED = """ t [s]   ms/step contacts  it p+v   depth/r  approach  kin. [J]   floor  support  balance  gain [J]  residual inacc halved
 0.100    0.3855       80     1+1  4.16e-15  2.03e-14      5.05  0.7994   0.7994  1.1e-13   1.1e-13   9.8e-13     0      0
t = 0.178 s: position correction: after 25 iterations a gap remains; halved
 0.300     1.751      124     4+2  5.99e-10  1.79e-10      4.17  0.7811   0.7923  1.4e-14   0.0e+00   3.0e-09     2      1
{"case": "C", "program": "Saltus"}
"""


def test_rows_of_a_pile_become_a_table():
    text = tool.pile_table(tool.lines_of(PRINTED), [0.1, 0.3])
    assert text.splitlines()[2:] == [
        "| 0.1 | 0.3855 | 80 | 4.16e-15 | 2.03e-14 | 5.05 | 0.7994 | 0.7994 | 9.8e-13 | 0 | 0 |",
        "| 0.3 | 1.751 | 124 | 5.99e-10 | 1.79e-10 | 4.17 | 0.7811 | 0.7923 | 3.0e-09 | 2 | 1 |"]


def test_a_time_that_was_not_reached_is_no_table():
    with pytest.raises(SystemExit, match="no rows at"):
        tool.pile_table(tool.lines_of(PRINTED), [0.1, 0.2])


def test_peers_are_compared_with_200_sweeps_of_bullet():
    results = [{"program": "Saltus", "variant": "fast", "millis": 20.0, "penetration": 1e-8, "approach": 2e-4},
               {"program": "Bullet", "variant": "200 sweeps", "millis": 40.0, "penetration": 5e-4, "approach": 0.03}]
    text = tool.peers_table(results, {"penetration": "depth/$r$", "approach": "approach (m/s)"})
    assert "| Saltus fast | 20 | 0.50 | 1e-08 | 0.0002 |" in text


def test_what_was_not_run_stays_empty():
    cases = [{"case": "A", "program": "Saltus", "variant": "", "micros": 1.5, "error": -5e-3, "penetration": 0.0},
             {"case": "A", "program": "MuJoCo", "variant": "Euler", "micros": 0.9, "error": 0.03, "penetration": 4e-3},
             {"case": "G", "program": "Saltus", "variant": "", "micros": 30.0, "error": 1e-6, "gap": 1e-15}]
    made = tool.tables({"cases": cases})
    times = made["other_programs", "small_times"].splitlines()
    assert times[0] == "|  | Saltus | MuJoCo Euler |"
    assert times[2] == "| a ball bounces | 1.5 | 0.9 |"
    assert times[5] == "| a slider-crank, joints only, steps of 0.1 ms | 30 | – |"


def test_every_table_has_its_place_in_a_page():
    names = {"piles": [*tool.TIMES, "peers_1000"], "other_programs": ["pile_peers", "small_times", "small_errors"]}
    for page, path in tool.PAGES.items():
        for name in names[page]:
            text = tool.renew(path.read_text(), name, "| renewed |")
            assert f"<!-- begin {name} -->\n| renewed |\n<!-- end {name} -->" in text
    with pytest.raises(SystemExit):
        tool.renew("no marks", "pile_100", "")
