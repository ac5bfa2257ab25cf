# SPDX-License-Identifier: Apache-2.0
"""tools/check_layers.py on a small tree, and on trees that break one rule each."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import check_layers  # noqa: E402

LAYERS = {"low": [], "side": [], "high": ["low"]}
TREE = {
    "low/CMakeLists.txt": "saltus_module(low LINKS Eigen3::Eigen\n"
                          "  PUBLIC_HEADERS a.hpp\n                 b.hpp\n  SOURCES a.cpp)\n",
    "low/a.hpp": '#include "saltus/low/b.hpp"\n',
    "low/b.hpp": "",
    "low/hidden.hpp": "",
    "low/a.cpp": '#include "saltus/low/a.hpp"\n#include "saltus/low/hidden.hpp"\n',
    "side/CMakeLists.txt": "saltus_module(side PUBLIC_HEADERS s.hpp SOURCES s.cpp)\n",
    "side/s.hpp": "",
    "high/CMakeLists.txt": "saltus_module(high DEPENDS low\n  PUBLIC_HEADERS h.hpp\n"
                           "  SOURCES h.cpp)\n",
    "high/h.hpp": '#include <vector>\n\n#include "saltus/low/a.hpp"\n',
    "all.hpp": '#include "saltus/high/h.hpp"\n',
}


def errors(place, changes=None):
    """What the script says of the tree with some files changed."""
    for name, text in (TREE | (changes or {})).items():
        (place / name).parent.mkdir(exist_ok=True)
        (place / name).write_text(text)
    return check_layers.errors_of(place, LAYERS)


def test_a_tree_that_keeps_the_rules(tmp_path):
    assert errors(tmp_path) == []


def test_an_include_upwards(tmp_path):
    assert errors(tmp_path, {"low/b.hpp": '\n#include "saltus/high/h.hpp"\n'}) == [
        "low/b.hpp:2: low may not include high"]


def test_an_include_sideways(tmp_path):
    assert errors(tmp_path, {"high/h.cpp": '#include "saltus/side/s.hpp"\n'}) == [
        "high/h.cpp:1: high may not include side"]


def test_a_dependence_that_the_table_does_not_know(tmp_path):
    text = TREE["high/CMakeLists.txt"].replace("DEPENDS low", "DEPENDS low side")
    assert errors(tmp_path, {"high/CMakeLists.txt": text}) == [
        "high/CMakeLists.txt: high may not depend on side"]


def test_a_private_header_of_another_module(tmp_path):
    changes = {"high/h.cpp": '#include "saltus/low/hidden.hpp"\n'}
    assert errors(tmp_path, changes) == ["high/h.cpp:1: low/hidden.hpp is private to low"]


def test_a_public_header_with_a_private_one(tmp_path):
    assert errors(tmp_path, {"low/b.hpp": '#include "saltus/low/hidden.hpp"\n'}) == [
        "low/b.hpp:1: a public header may not include low/hidden.hpp, which is private"]


def test_the_table_of_the_page_is_the_same():
    page = ("| [low](src/saltus/low) | small | – | Eigen |\n"
            "| [side](src/saltus/side) | beside | – | |\n"
            "| [high](src/saltus/high) | large | low | |\n")
    assert check_layers.table_errors(page, LAYERS) == []
    assert len(check_layers.table_errors(page.replace("| low |", "| side |"), LAYERS)) == 1
    assert len(check_layers.table_errors(page.splitlines()[0], LAYERS)) == 2


def test_the_repository_keeps_the_rules():
    assert check_layers.main() == 0
