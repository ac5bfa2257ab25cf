# SPDX-License-Identifier: Apache-2.0
"""tools/instructions.py: what it calls too far, and what it reads of callgrind."""
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import instructions  # noqa: E402


def test_more_or_less_than_five_percent_is_too_far(capsys):
    kept = {"ball": 10000}
    assert instructions.compare({"ball": 10499}, kept)
    assert instructions.compare({"ball": 9501}, kept)
    assert not instructions.compare({"ball": 10501}, kept)
    assert not instructions.compare({"ball": 9499}, kept)
    assert "CHANGELOG.md" in capsys.readouterr().out


def test_every_model_has_a_count_and_a_file():
    kept = json.loads(instructions.COUNTS.read_text())
    assert set(kept["counts"]) == set(instructions.MODELS)
    for model, first, last in instructions.MODELS.values():
        assert (ROOT / model).exists()
        assert first < last


def test_totals_are_read_by_name():
    text = ("desc: Trigger: Client Request: ball\n\npositions: line\nsummary: 800\nfn=(1) f\n"
            "desc: Trigger: Client Request: break\nevents: Ir\nsummary: 2000\n"
            "desc: Trigger: Program termination\nsummary: 7\n")
    assert instructions.totals(text) == {"ball": 800, "break": 2000}
