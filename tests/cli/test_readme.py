# SPDX-License-Identifier: Apache-2.0
"""The README's model and message, as written there."""

import json
import pathlib
import re

README = pathlib.Path(__file__).resolve().parents[2] / "README.md"


def readme_blocks():
    return re.findall(r"```json\n(.*?)```", README.read_text("utf-8"), re.S)


def readme_model():
    return json.loads(readme_blocks()[0])


def test_model_of_the_readme_runs_and_shows_what_the_readme_shows(saltus):
    name = saltus.write("box.json", readme_model())
    result = saltus("run", name)
    assert result.returncode == 0, result.stderr
    energies = re.search(r"energy .*? J, numerical loss", README.read_text("utf-8")).group(0)
    assert energies in result.stdout
    assert "results: box-out/" in result.stdout


def test_flexible_rod_of_the_readme_hits_the_wall(saltus):
    model = readme_model()
    model["model"] = {"gravity": [0, -9.81, 0], **json.loads("{" + readme_blocks()[1] + "}")}
    model["simulation"]["end_time"] = 0.5
    result = saltus("run", saltus.write("rod.json", model))
    assert result.returncode == 0, result.stderr
    assert re.search(r"[1-9][0-9]* impact", result.stdout)


def test_message_of_the_readme_is_what_the_program_says(saltus):
    model = readme_model()
    model["model"]["contacts"][0]["between"][0] = "flor"
    result = saltus("check", saltus.write("box.json", model))
    assert result.returncode == 2
    message = re.search(r"    (box.json: .*)", README.read_text("utf-8")).group(1)
    assert message in result.stderr
