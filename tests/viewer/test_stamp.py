# SPDX-License-Identifier: Apache-2.0
"""The page of `saltus report` is kept in the repository: it must be that of its sources."""

import pathlib
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CHECK = ROOT / "tools" / "check_viewer.py"


def check(viewer):
    return subprocess.run([sys.executable, CHECK, viewer], capture_output=True, text=True)


@pytest.fixture
def copy(tmp_path):
    return pathlib.Path(shutil.copytree(ROOT / "viewer", tmp_path / "viewer",
                                        ignore=shutil.ignore_patterns("node_modules")))


def test_the_page_is_that_of_its_sources():
    result = check(ROOT / "viewer")
    assert result.returncode == 0, result.stdout


@pytest.mark.parametrize("name", ["src/main.ts", "src/scene/view.ts", "package-lock.json",
                                  "index.html", "vite.config.mjs"])
def test_every_change_of_a_source_is_noticed(copy, name):
    with open(copy / name, "a") as file:
        file.write("\n")
    result = check(copy)
    assert result.returncode == 1
    assert "./dev viewer" in result.stdout


def test_a_new_source_and_a_missing_one_are_noticed(copy):
    (copy / "src" / "new.ts").write_text("")
    assert check(copy).returncode == 1
    (copy / "src" / "new.ts").unlink()
    assert check(copy).returncode == 0
    (copy / "src" / "style.css").unlink()
    assert check(copy).returncode == 1


def test_the_page_fetches_nothing():
    page = (ROOT / "viewer" / "dist" / "viewer.html").read_text()
    head = page[:page.index("<script id=")]
    assert 'src="' not in head
    assert "<link rel=\"stylesheet\"" not in page
    assert page.count('{"saltus":"header"}') == 1
    assert page.count("saltus:arrays") == 1
