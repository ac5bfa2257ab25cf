# SPDX-License-Identifier: Apache-2.0
"""What is installed, used from outside of the repository: program, C++ library, Python package; and
the same from the Debian packages, unpacked. BUILD is the build tree, ROOT the repository."""

import os
import pathlib
import re
import subprocess
import tomllib

import pytest

BUILD = pathlib.Path(os.environ["BUILD"])
ROOT = pathlib.Path(os.environ["ROOT"])
PATIENCE = 3600  # s: the limit of a command, far beyond what a busy machine needs
VERSION = re.search(r"project\(Saltus VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


def output(*command, **options):
    done = subprocess.run([str(word) for word in command], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=PATIENCE, **options)
    assert done.returncode == 0, f"{command}:\n{done.stdout}"
    return done.stdout


@pytest.fixture(scope="session")
def prefix(tmp_path_factory):
    """Where `cmake --install` has put everything."""
    place = tmp_path_factory.mktemp("installed")
    output("cmake", "--install", BUILD, "--prefix", place)
    return place


@pytest.fixture(scope="session")
def packages(tmp_path_factory):
    """The Debian packages by their names."""
    place = tmp_path_factory.mktemp("packages")
    output("cpack", "--config", BUILD / "CPackConfig.cmake", "-B", place, cwd=place)
    return {path.name.partition("_")[0]: path for path in place.glob("*.deb")}


@pytest.fixture(scope="session")
def unpacked(packages, tmp_path_factory):
    place = tmp_path_factory.mktemp("unpacked")
    for path in packages.values():
        output("dpkg-deb", "-x", path, place)
    return place / "usr"


def build_outside(prefix, place, target="all"):
    """A project that finds Saltus under the prefix, configured and built."""
    project = place / "project"
    project.mkdir()
    text = (ROOT / "tests/package/project/CMakeLists.txt").read_text()
    (project / "CMakeLists.txt").write_text(text)
    headers = sorted(path.relative_to(prefix / "include")
                     for path in (prefix / "include/saltus").rglob("*.hpp"))
    assert len(headers) > 60
    # Reversed, so that none leans on what an earlier one has included.
    (project / "every_header.cpp").write_text(
        "".join(f"#include <{path}>\n" for path in reversed(headers)) + "int main() {}\n")
    output("cmake", "-S", project, "-B", place / "build", f"-DCMAKE_PREFIX_PATH={prefix}",
           f"-DEXAMPLES={prefix}/share/saltus/examples", "-DCMAKE_BUILD_TYPE=Release")
    output("cmake", "--build", place / "build", "-j2", "-t", target)
    return place / "build"


def test_a_project_outside_links_the_installed_library(prefix, tmp_path):
    built = build_outside(prefix, tmp_path)
    shown = output(built / "thrown_ball")
    assert "completed: 2000 steps" in shown
    assert shown == re.sub(r"in [\d.e+-]+ s\n", re.search(r"in [\d.e+-]+ s\n", shown)[0],
                           output(BUILD / "examples/thrown_ball"))
    output(built / "ball_in_the_wind", cwd=tmp_path)
    assert (tmp_path / "ball_in_the_wind-out/results.h5").exists()
    assert f"libsaltus.so.{VERSION.rpartition('.')[0]}" in output("readelf", "-d", built / "thrown_ball")


def test_installed_files_know_nothing_of_the_sources(prefix):
    for path in prefix.rglob("*.cmake"):
        text = path.read_text()
        assert str(ROOT) not in text and str(BUILD) not in text, path


def test_installed_program_finds_its_examples(prefix, tmp_path):
    shown = output(prefix / "bin/saltus", "verify", "bouncing_ball", cwd=tmp_path)
    assert str(ROOT) not in shown and "ok" in shown
    output(prefix / "bin/saltus", "run", prefix / "share/saltus/examples/thrown_ball.json", "--quiet",
           cwd=tmp_path)
    output(prefix / "bin/saltus", "report", "thrown_ball-out", cwd=tmp_path)
    assert (tmp_path / "thrown_ball-out/report.html").stat().st_size > 5e5


def test_installed_package_of_python_runs(prefix, tmp_path):
    environment = {**os.environ, "PYTHONPATH": str(prefix / "lib/python3/dist-packages")}
    code = ("import saltus as st; assert st.__file__.startswith({!r}); "
            "exec(open({!r}).read()); print(height[-1])")
    shown = output("/usr/bin/python3", "-c",
                   code.format(str(prefix), str(prefix / "share/saltus/examples/thrown_ball.py")),
                   env=environment, cwd=tmp_path)
    assert "completed" in shown


def test_versions_agree():
    with open(ROOT / "pyproject.toml", "rb") as file:
        assert tomllib.load(file)["project"]["version"] == VERSION
    assert f'__version__ = "{VERSION}"' in (ROOT / "python/saltus/__init__.py").read_text()
    assert f"Saltus {VERSION.rpartition('.')[0]} " in (
        ROOT / "tests/package/project/CMakeLists.txt").read_text()


def field(package, name):
    return output("dpkg-deb", "-f", package, name).strip()


def test_debian_packages_say_what_they_need(packages):
    assert sorted(packages) == ["libsaltus-dev", "python3-saltus", "saltus"]
    for path in packages.values():
        assert field(path, "Version") == VERSION
        assert output("dpkg-deb", "-c", path)
    for library in ("libc6", "libhdf5", "libklu", "libmuparser", "libtbb"):
        assert library in field(packages["saltus"], "Depends")
    assert "libhdf5" in field(packages["python3-saltus"], "Depends")
    assert "python3-numpy" in field(packages["python3-saltus"], "Depends")
    assert f"saltus (= {VERSION})" in field(packages["libsaltus-dev"], "Depends")


def test_no_file_is_in_two_packages(packages):
    seen = {}
    for name, path in packages.items():
        for line in output("dpkg-deb", "-c", path).splitlines():
            file = line.split()[5]
            if not file.endswith("/"):
                assert file not in seen, f"{file} is in {name} and {seen[file]}"
                seen[file] = name


def test_unpacked_packages_work(unpacked, tmp_path):
    output(unpacked / "bin/saltus", "check", unpacked / "share/saltus/examples/ball_bearing.json")
    (tmp_path / "outside").mkdir()
    built = build_outside(unpacked, tmp_path / "outside", "thrown_ball")
    assert "completed" in output(built / "thrown_ball")
    environment = {**os.environ, "PYTHONPATH": str(unpacked / "lib/python3/dist-packages")}
    output("/usr/bin/python3", unpacked / "share/saltus/examples/thrown_ball.py", env=environment)
