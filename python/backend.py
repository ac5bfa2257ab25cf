# SPDX-License-Identifier: Apache-2.0
"""Builds the wheel of the Python package: `pip install .` needs CMake, a compiler and the libraries
that `./dev deps` installs, and no network."""

import base64
import glob
import hashlib
import os
import subprocess
import sys
import sysconfig
import tomllib
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DEBIANS = "/usr/bin/python3"  # for which the build tree is made


def _project():
    with open(os.path.join(ROOT, "pyproject.toml"), "rb") as file:
        return tomllib.load(file)["project"]


def _kind_of(python):
    """Compiled modules of interpreters of the same kind are interchangeable."""
    code = "import sysconfig; print(sysconfig.get_config_var('SOABI'))"
    return subprocess.run([python, "-c", code], capture_output=True, text=True).stdout.strip()


def _build_engine():
    """The compiled module, from the build tree that everything else uses if it is for this Python."""
    preset = ["cmake", "--preset", "release"]
    directory = os.path.join(ROOT, "build", "release")
    kind = sysconfig.get_config_var("SOABI")
    if not os.path.exists(DEBIANS) or _kind_of(DEBIANS) != kind:
        directory = os.path.join(ROOT, "build", kind)
        preset += ["-B", directory, f"-DPython_EXECUTABLE={sys.executable}"]
    subprocess.run([*preset, "-DSALTUS_PYTHON_PACKAGE=ON"], cwd=ROOT, check=True)
    subprocess.run(["cmake", "--build", directory, "--target", "saltus_engine"], cwd=ROOT,
                   check=True)
    return glob.glob(os.path.join(directory, "python", "saltus", "_engine*.so"))[0]


def _metadata(project):
    lines = ["Metadata-Version: 2.1", f"Name: {project['name']}", f"Version: {project['version']}",
             f"Summary: {project['description']}", f"License: {project['license']['text']}",
             f"Requires-Python: {project['requires-python']}"]
    lines += [f"Requires-Dist: {name}" for name in project["dependencies"]]
    for extra, names in project["optional-dependencies"].items():
        lines.append(f"Provides-Extra: {extra}")
        lines += [f'Requires-Dist: {name}; extra == "{extra}"' for name in names]
    with open(os.path.join(ROOT, project["readme"]), encoding="utf-8") as file:
        text = file.read()
    return "\n".join(lines) + "\nDescription-Content-Type: text/markdown\n\n" + text


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    project = _project()
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    tag = f"{python}-{python}-{platform}"
    name = f"{project['name']}-{project['version']}-{tag}.whl"
    info = f"{project['name']}-{project['version']}.dist-info"
    files = {f"saltus/{os.path.basename(path)}": path for pattern in ("*.py", "*.pyi", "py.typed")
             for path in sorted(glob.glob(os.path.join(ROOT, "python", "saltus", pattern)))}
    engine = _build_engine()
    files[f"saltus/{os.path.basename(engine)}"] = engine
    contents = {}
    for target, path in files.items():
        with open(path, "rb") as file:
            contents[target] = file.read()
    contents[f"{info}/METADATA"] = _metadata(project).encode()
    contents[f"{info}/WHEEL"] = (f"Wheel-Version: 1.0\nGenerator: saltus\nRoot-Is-Purelib: false\n"
                                 f"Tag: {tag}\n").encode()
    record = ""
    for target, data in contents.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record += f"{target},sha256={digest},{len(data)}\n"
    contents[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    with zipfile.ZipFile(os.path.join(wheel_directory, name), "w", zipfile.ZIP_DEFLATED) as wheel:
        for target, data in contents.items():
            wheel.writestr(target, data)
    return name


def build_sdist(sdist_directory, config_settings=None):
    raise RuntimeError("there is no source distribution: install from a clone of the repository")
