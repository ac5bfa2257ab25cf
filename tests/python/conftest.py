# SPDX-License-Identifier: Apache-2.0
"""SALTUS is the program, ROOT the repository; PYTHONPATH leads to the package of the build tree."""

import os
import pathlib

import matplotlib
import pytest

matplotlib.use("Agg")


@pytest.fixture
def root():
    return pathlib.Path(os.environ["ROOT"])


@pytest.fixture
def program():
    return os.environ["SALTUS"]
