# SPDX-License-Identifier: Apache-2.0
"""`pip install .` without a network, into an environment of its own."""

import os
import subprocess
import sys


def test_pip_installs_from_a_clone_without_a_network(root, tmp_path):
    subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", tmp_path / "env"],
                   check=True)
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    environment["PIP_NO_INDEX"] = "1"
    subprocess.run([tmp_path / "env/bin/pip", "install", "--quiet", str(root)], check=True,
                   env=environment, cwd=tmp_path)
    code = ("import saltus as st; m = st.Model(); m.add(st.PointMass(name='a', mass=1)); "
            "s = st.Simulation(m); s.run_until(0.1); "
            "print(st.__file__, s.result.position('a')[-1, 2])")
    shown = subprocess.run([tmp_path / "env/bin/python", "-c", code], capture_output=True,
                           text=True, check=True, env=environment, cwd=tmp_path).stdout
    path, height = shown.split()
    assert path.startswith(str(tmp_path / "env"))
    assert abs(float(height) + 9.81 * 0.01 / 2) < 1e-9
