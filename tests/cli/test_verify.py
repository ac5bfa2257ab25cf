# SPDX-License-Identifier: Apache-2.0
"""The reference suite: saltus verify."""

import json
import os
import pathlib
import shutil
import signal
import subprocess

import pytest

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"


def rows_of(text):
    """Rows of the table: (model, quantity with measured and reference, verdict)."""
    lines = text.splitlines()
    assert lines[0].split() == [
        "model", "quantity", "measured", "reference", "error", "tolerance", "verdict"]
    return [(line.split()[0], line, line.split()[-1]) for line in lines[1:-1]]


def copy_example(saltus, name, change):
    """A directory with a changed example."""
    model = json.loads((EXAMPLES / (name + ".json")).read_text())
    change(model)
    directory = saltus.directory / "changed"
    directory.mkdir(exist_ok=True)
    saltus.write(f"changed/{name}.json", model)
    return "changed"


def test_the_suite_is_met(saltus):
    result = saltus("verify")
    assert result.returncode == 0, result.stdout + result.stderr
    assert result.stderr == ""
    rows = rows_of(result.stdout)
    assert len(rows) >= 30
    assert {verdict for _, _, verdict in rows} == {"ok"}
    assert {"spinning_top", "bouncing_ball", "incline_point_mass"} <= {name for name, _, _ in rows}
    assert result.stdout.splitlines()[-1].startswith(f"{len(rows)} checks in ")
    assert result.stdout.endswith(": all ok\n")
    assert str(EXAMPLES.parent) not in result.stdout
    assert "\x1b" not in result.stdout
    assert not list(saltus.directory.iterdir()), "nothing is written"


def test_names_choose_models(saltus):
    result = saltus("verify", "bouncing_ball", "free_body")
    assert result.returncode == 0, result.stdout
    assert {name for name, _, _ in rows_of(result.stdout)} == {"bouncing_ball", "free_body"}


def test_a_miss_exits_1(saltus):
    def change(model):
        model["model"]["contacts"][0]["restitution"] = 0.7

    directory = copy_example(saltus, "bouncing_ball", change)
    result = saltus("verify", "bouncing_ball", "--examples", directory)
    assert result.returncode == 1
    verdicts = {line.split("  ")[1].strip(): verdict for _, line, verdict in rows_of(result.stdout)}
    assert verdicts["time of impact 1 (s)"] == "ok"
    assert verdicts["time of impact 2 (s)"] == "MISS"
    assert verdicts["speed at 5 s (m/s)"] == "ok"
    assert result.stdout.endswith(" MISSES\n")


@pytest.mark.parametrize("change, words", [
    (lambda model: model["model"]["bodies"][0].update(mass=-1),
     "bouncing_ball.json: /model/bodies/0/mass: "),
    (lambda model: model["model"]["bodies"][0].update(name="stone"),
     "bouncing_ball.json: /model/colliders/0/frame/body: "),
])
def test_a_wrong_model_is_a_miss(saltus, change, words):
    directory = copy_example(saltus, "bouncing_ball", change)
    result = saltus("verify", "bouncing_ball", "--examples", saltus.directory / directory)
    assert result.returncode == 1
    assert {verdict for _, _, verdict in rows_of(result.stdout)} == {"MISS"}
    assert result.stderr.startswith(words)


def test_a_column_that_is_not_there_is_a_miss(saltus):
    def change(model):
        model["model"]["bodies"][0]["name"] = "stone"
        model["model"]["colliders"][0]["frame"]["body"] = "stone"

    directory = copy_example(saltus, "bouncing_ball", change)
    result = saltus("verify", "bouncing_ball", "--examples", directory)
    assert result.returncode == 1
    missed = [line for _, line, verdict in rows_of(result.stdout) if verdict == "MISS"]
    assert len(missed) == 1
    assert "speed at 5 s" in missed[0] and "nan" in missed[0]
    assert result.stdout.endswith(": 1 MISS\n")


def test_a_missing_example_is_a_miss(saltus):
    directory = copy_example(saltus, "bouncing_ball", lambda model: None)
    result = saltus("verify", "free_body", "bouncing_ball", "--examples", directory)
    assert result.returncode == 1
    assert result.stderr == "free_body.json: cannot be read: No such file or directory\n"
    for name, _, verdict in rows_of(result.stdout):
        assert verdict == ("ok" if name == "bouncing_ball" else "MISS")


def test_wrong_words(saltus):
    result = saltus("verify", "bouncing_bal")
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == (
        'saltus: no check is of a model "bouncing_bal"; did you mean "bouncing_ball"?\n')
    result = saltus("verify", "nonsense")
    assert "saltus verify --list" in result.stderr
    result = saltus("verify", "--examples", "nowhere")
    assert (result.returncode, result.stderr) == (4, "nowhere: is no directory\n")


def test_list(saltus):
    result = saltus("verify", "--list")
    assert result.returncode == 0
    lines = result.stdout.splitlines()
    assert lines[0].endswith("reason for the tolerance")
    names = {line.split()[0] for line in lines[1:]}
    assert {"spinning_top", "bouncing_ball"} <= names
    assert all((EXAMPLES / (name + ".json")).exists() for name in names)
    assert len(saltus("verify", "--list", "free_body").stdout.splitlines()) < len(lines)


def test_list_as_json(saltus):
    """All that is known: the checks, and numbers of other runs, each once."""
    result = saltus("verify", "--list", "--json")
    assert (result.returncode, result.stderr) == (0, "")
    rows = json.loads(result.stdout)
    assert len(rows) == len({(row["example"], row["quantity"]) for row in rows})
    box = {row["quantity"]: row for row in rows if row["example"] == "rigid_box_impact"}
    assert box["impulse"]["value"] == 500.8 and box["impulse"]["unit"] == "N s"
    assert box["impulse"]["source"] == "derived" and box["impulse"]["verified"]
    assert not box["Ω_x at 0.69 s"]["verified"]
    listed = saltus("verify", "--list").stdout.splitlines()[1:]
    assert sum(row["verified"] for row in rows) == len(listed)
    few = json.loads(saltus("verify", "--list", "--json", "free_body").stdout)
    assert {row["example"] for row in few} == {"free_body"}
    assert saltus("verify", "--json").returncode == 2


def test_sensitivity(saltus):
    """Each physical parameter: noticed, or with a reason; what is left exits 1."""
    result = saltus("verify", "--sensitivity", "bouncing_ball")
    assert result.returncode == 0, result.stdout + result.stderr
    lines = result.stdout.splitlines()
    assert lines[0].split() == ["model", "parameter", "notice", "it", "verdict"]
    verdicts = {line.split()[1]: line for line in lines[1:] if line.startswith("bouncing_ball ")}
    assert verdicts["/contacts/bounce/restitution"].endswith("  ok")
    assert "cannot: it moves along the normal" in verdicts["/contacts/bounce/friction"]
    assert lines[-1].endswith(": none left")
    assert saltus("verify", "--sensitivity", "--list").returncode == 2


def test_examples_beside_an_installed_program(saltus):
    """share/saltus/examples beside bin/ comes before the sources."""
    program = saltus.directory / "bin" / "saltus"
    program.parent.mkdir()
    shutil.copy(os.environ.get("SALTUS", "build/release/saltus"), program)
    examples = saltus.directory / "share" / "saltus" / "examples"
    examples.mkdir(parents=True)
    result = subprocess.run([program, "verify", "free_body"], capture_output=True, text=True)
    assert result.returncode == 1
    shutil.copy(EXAMPLES / "free_body.json", examples)
    assert subprocess.run([program, "verify", "free_body"], capture_output=True).returncode == 0


def test_interrupt_exits_130(saltus):
    process = saltus.start("verify", stdout=subprocess.PIPE)
    process.stdout.readline()  # the header: it runs, and for long
    process.send_signal(signal.SIGINT)
    saltus.finish(process)
    assert process.returncode == 130


def test_progress_on_a_terminal(saltus):
    with saltus.on_terminal("verify", "woodpecker_free") as terminal:
        assert terminal.read_until(lambda text: "ETA" in text)
        terminal.process.send_signal(signal.SIGINT)
        terminal.read_all()
    assert "woodpecker_free " in terminal.text and "%" in terminal.text
