# SPDX-License-Identifier: Apache-2.0
"""Steps that fail are kept whole: saltus replay solves them again; saltus bundle packs a run."""

import json
import pathlib
import re
import shutil
import tarfile

import pytest

from test_trouble import failing_model

MESHES = pathlib.Path(__file__).resolve().parents[1] / "meshes"


def stiff_spring(ball, **simulation):
    """A ball on a spring that is far too stiff for three iterations of the step: it fails as it
    is, and not with more iterations."""
    ball["model"]["joints"] = [
        {"name": "rod", "type": "distance", "between": [{"body": "ground"}, {"body": "ball"}]}]
    ball["model"]["bodies"][0]["pose"]["position"] = [0.3, 0, 0]
    ball["model"]["bodies"][0]["velocity"] = {"linear": [0, 3, 0]}
    ball["model"]["colliders"], ball["model"]["contacts"] = [], []
    ball["simulation"]["integrator"].update(step=0.05, max_iterations=1)
    ball["simulation"].update(simulation)
    return ball


@pytest.fixture
def failed(saltus, ball):
    name = saltus.write("ball.json", stiff_spring(ball, on_failure="stop"))
    result = saltus("run", name)
    assert result.returncode == 3, result.stdout + result.stderr
    return result


def verdicts(text):
    """What became of each trial, by its setting."""
    lines = re.findall(r"^(works|fails|refused|inaccurate|too long) +(as it was|--set '.*')$", text, re.M)
    return {setting: verdict for verdict, setting in lines}


def test_a_failed_step_is_kept_and_solved_again(saltus, failed):
    assert "saltus replay ball-out/capsule tries what would solve this step" in failed.stderr
    result = saltus("replay", "ball-out/capsule")
    assert result.returncode == 0, result.stderr
    found = verdicts(result.stdout)
    assert found["as it was"] == "fails"
    assert found["--set '/simulation/integrator/max_iterations=200'"] == "works"
    assert found["--set '/simulation/integrator/step=0.025'"] == "fails"
    assert "--set '/simulation/integrator/coupling=coupled'" in found
    assert "run the model with one of these --set" in result.stdout
    # The advice is true.
    assert saltus("run", "ball.json", "-o", "better", "--set",
                  "/simulation/integrator/max_iterations=200").returncode == 0


def test_what_cannot_be_solved_is_said_to_be_so(saltus, pendulum):
    name = saltus.write("a.json", failing_model(pendulum))
    assert saltus("run", name).returncode == 3
    result = saltus("replay", "a-out/capsule")
    assert result.returncode == 0, result.stderr
    found = verdicts(result.stdout)
    assert found["as it was"] == "fails"
    assert len(found) > 10


def test_the_capsule_needs_no_other_file(saltus, failed, tmp_path):
    capsule = (saltus.directory / "ball-out" / "capsule").read_bytes()
    (saltus.directory / "ball.json").unlink()
    (saltus.directory / "alone").write_bytes(capsule)
    assert "works" in verdicts(saltus("replay", "alone").stdout).values()


def test_inaccurate_steps_are_kept_on_demand(saltus, ball):
    name = saltus.write("ball.json", stiff_spring(ball))
    assert saltus("run", name).returncode in (0, 3)
    kept = list((saltus.directory / "ball-out").glob("capsule_*"))
    assert kept == []
    saltus("run", name, "--capsules", "inaccurate")
    kept = sorted((saltus.directory / "ball-out").glob("capsule_*"))
    assert 1 <= len(kept) <= 20
    assert saltus("replay", kept[0]).returncode == 0
    saltus("run", name, "--capsules", "none", "--overwrite")
    assert list((saltus.directory / "ball-out").glob("capsule*")) == []


def test_capsules_of_an_earlier_run_are_removed(saltus, failed):
    assert saltus("run", "ball.json", "--set", "/simulation/integrator/max_iterations=50").returncode == 0
    assert not (saltus.directory / "ball-out" / "capsule").exists()


@pytest.mark.parametrize("damage, why", [
    (lambda bytes_: bytes_[:-10], "is damaged: its checksum does not fit"),
    (lambda bytes_: bytes_[:-10] + b"0123456789", "is damaged: its checksum does not fit"),
    (lambda bytes_: b"saltus checkpoint 1" + bytes_[16:], "is no capsule of Saltus"),
    (lambda bytes_: bytes_.replace(b"capsule 1\n", b"capsule 1\n0", 1), "was written by Saltus 0"),
    (lambda bytes_: b"", "is no capsule of Saltus"),
])
def test_damaged_and_foreign_capsules_are_refused(saltus, failed, damage, why):
    path = saltus.directory / "ball-out" / "capsule"
    path.write_bytes(damage(path.read_bytes()))
    result = saltus("replay", path)
    assert result.returncode == 4
    assert why in result.stderr
    assert result.stdout == ""


def test_what_is_no_capsule_is_refused(saltus, failed):
    for path in ("ball-out", "ball-out/checkpoint", "nothing", "/dev/zero"):
        result = saltus("replay", path)
        assert result.returncode == 4
        assert "saltus replay` reads the capsule of a step" in result.stderr


def test_a_bundle_is_one_file_of_a_run(saltus, failed):
    result = saltus("bundle", "ball-out/", "-o", "report.tar")
    assert result.returncode == 0, result.stderr
    with tarfile.open(saltus.directory / "report.tar") as tar:
        names = tar.getnames()
        assert "report/model.json" in names and "report/summary.json" in names
        assert json.load(tar.extractfile("report/summary.json"))["status"] == "failed"
        for name in ("capsule", "results.h5", "timeseries.csv"):
            assert (tar.extractfile("report/" + name).read()
                    == (saltus.directory / "ball-out" / name).read_bytes())
        tar.extractall(saltus.directory)
    assert saltus("run", "report/model.json", "-o", "again").returncode == 3
    assert saltus("replay", "report/capsule").returncode == 0


def test_what_is_no_result_is_not_bundled(saltus):
    (saltus.directory / "empty").mkdir()
    assert saltus("bundle", "empty").returncode == 4
    assert not (saltus.directory / "empty.tar").exists()


def test_meshes_of_files_are_inside(saltus):
    """The step of a solid is solved again where its mesh file is no longer there."""
    shutil.copy(MESHES / "box_tet4_22.msh", saltus.directory / "box.msh")
    solid = {"name": "block", "type": "solid", "mesh": {"type": "file", "path": "box.msh"},
             "material": {"young_modulus": 1e5, "poisson_ratio": 0.3, "density": 1000},
             "velocity": {"angular": [50, 0, 0]}}
    model = {"saltus": 1, "model": {"bodies": [solid]},
             "simulation": {"end_time": 0.1, "on_failure": "stop",
                            "integrator": {"type": "generalized_alpha", "step": 1e-2,
                                           "max_iterations": 1}}}
    assert saltus("run", saltus.write("block.json", model)).returncode == 3
    (saltus.directory / "box.msh").unlink()
    result = saltus("replay", "block-out/capsule")
    assert result.returncode == 0, result.stderr
    found = verdicts(result.stdout)
    assert found["as it was"] == "fails"
    assert found["--set '/simulation/integrator/max_iterations=200'"] == "works"
    assert "refused" in found.values(), "event_driven has no solids"
