# SPDX-License-Identifier: Apache-2.0
"""The validation pages: their overview says what their tables say, and every figure is there and used."""

import re
import sys
import xml.etree.ElementTree as ElementTree

import run_pages

ROOT = run_pages.ROOT
sys.path.insert(0, str(ROOT / "tools"))

import validate_everywhere  # noqa: E402
import validate_overview as overview  # noqa: E402

FIGURES = ROOT / "docs/figures"
TEXTS = {page: (ROOT / "docs" / page).read_text("utf-8") for page in overview.PAGES}
# Checked on the pages, but not among the examples of the theses.
OTHERS = {"newtons_cradle", "sphere_in_bowl", "pin_in_bore", "sliding_wedge", *validate_everywhere.OTHERS}


def lines():
    return [row for group in (overview.GALVEZ, overview.SANCHEZ, overview.CHATTERJEE) for row in group]


def test_overview_is_that_of_the_tables():
    written = re.search(r"<!-- begin overview -->\n(.*?)\n<!-- end overview -->",
                        TEXTS["validation.md"], re.S).group(1)
    assert written == overview.blocks()["overview"]


def test_every_check_is_in_the_overview():
    known = {name for row in lines() for name in row.examples}
    assert {check.example for check in overview.all_checks()} - known <= OTHERS


def test_examples_of_the_overview_exist():
    for row in lines():
        for name in row.examples:
            assert (ROOT / "examples" / f"{name}.json").exists(), name


def test_what_is_outside_has_a_cause():
    for row in lines():
        bad = [c for c in overview.all_checks() if c.example in row.examples and not c.within]
        assert not bad or row.cause, row.examples


def test_every_line_has_figures_and_every_figure_is_shown():
    shown = {name for text in TEXTS.values() for name in re.findall(r"\]\(figures/(\w+)\.svg\)", text)}
    assert shown == {path.stem for path in FIGURES.glob("*.svg")}
    for row in lines():
        assert set(row.figure.split()) <= shown and row.figure


def test_figures_are_small_drawings():
    for path in FIGURES.glob("*.svg"):
        assert path.stat().st_size < 60_000, path.name
        assert ElementTree.parse(path).getroot().tag.endswith("svg")


def test_no_block_is_empty():
    for page, text in TEXTS.items():
        assert not re.findall(r"<!-- begin (\w+) -->\n<!-- end", text), page
