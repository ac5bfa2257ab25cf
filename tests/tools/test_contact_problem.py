# SPDX-License-Identifier: Apache-2.0
"""Problems of other collections become those of tests/problems, number by number."""
import ctypes
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import contact_problem as tool  # noqa: E402

# Two contacts on one body: W with all blocks, not symmetric, so that rows and columns show.
W = [[float(10 * i + j + (100 if i == j else 0)) for j in range(6)] for i in range(6)]
Q, MU = [-1.0, 0.5, 0.25, -2.0, 0.0, 0.125], [0.3, 0.7]


def vectors():
    return " ".join(map(str, Q)) + "\n" + " ".join(map(str, MU)) + "\n"


def dense_file(path):
    values = " ".join(str(W[i][j]) for j in range(6) for i in range(6))
    path.write_text(f"3\n2\n0\n6\n6\n6\t6\n{values}\n{vectors()}")


def block_file(path):
    blocks = ""
    for number in range(4):
        row, column = 3 * (number // 2), 3 * (number % 2)
        values = "\n".join(str(W[row + i][column + j]) for j in range(3) for i in range(3))
        blocks += f"{number}\n{values}\n"
    path.write_text(f"3\n2\n1\n6\n6\n4\n2\n2\n3\t6\n3\t6\n3\n4\n0\t2\t4\n0\t1\t0\t1\n{blocks}{vectors()}")


class Writer(tool.Hdf5):
    """Writes what the tool reads."""

    def create(self, path):
        return self.library.H5Fcreate(str(path).encode(), 2, ctypes.c_int64(0), ctypes.c_int64(0))

    def group(self, file, name):
        none = ctypes.c_int64(0)
        group = self.library.H5Gcreate2(ctypes.c_int64(file), name.encode(), none, none, none)
        self.library.H5Gclose(ctypes.c_int64(group))

    def write(self, file, name, kind, values):
        none, size = ctypes.c_int64(0), ctypes.c_uint64(len(values))
        space = self.library.H5Screate_simple(1, ctypes.byref(size), None)
        data = self.library.H5Dcreate2(ctypes.c_int64(file), name.encode(), self.types[kind],
                                       ctypes.c_int64(space), none, none, none)
        assert self.library.H5Dwrite(ctypes.c_int64(data), self.types[kind], none, none, none,
                                     (kind * len(values))(*values)) >= 0
        self.library.H5Dclose(ctypes.c_int64(data))
        self.library.H5Sclose(ctypes.c_int64(space))

    def matrix(self, file, name, matrix, form):
        """form: 1 triplets, -1 columns, -2 rows."""
        rows, columns = len(matrix), len(matrix[0])
        outer = range(rows) if form == -2 else range(columns)
        lists = [[(i, matrix[j][i] if form == -2 else matrix[i][j])
                  for i in range(columns if form == -2 else rows)
                  if (matrix[j][i] if form == -2 else matrix[i][j]) != 0] for j in outer]
        inner = [i for entries in lists for i, _ in entries]
        p = [0]
        for entries in lists:
            p.append(p[-1] + len(entries))
        if form > 0:
            p = [j for j, entries in enumerate(lists) for _ in entries]
        self.group(file, name)
        for key, value in (("m", rows), ("n", columns), ("nzmax", len(inner)),
                           ("nz", len(inner) if form > 0 else form)):
            self.write(file, f"{name}/{key}", ctypes.c_int, [value])
        self.write(file, f"{name}/p", ctypes.c_int, p)
        self.write(file, f"{name}/i", ctypes.c_int, inner)
        self.write(file, f"{name}/x", ctypes.c_double, [x for entries in lists for _, x in entries])


def local_fclib(path, form=-1, dimension=3, extra=None):
    hdf5 = Writer()
    file = hdf5.create(path)
    hdf5.group(file, "fclib_local")
    hdf5.write(file, "fclib_local/spacedim", ctypes.c_int, [dimension])
    hdf5.matrix(file, "fclib_local/W", W, form)
    if extra:
        hdf5.matrix(file, f"fclib_local/{extra}", W, -1)
    hdf5.group(file, "fclib_local/vectors")
    hdf5.write(file, "fclib_local/vectors/q", ctypes.c_double, Q)
    hdf5.write(file, "fclib_local/vectors/mu", ctypes.c_double, MU)
    hdf5.close(file)


def test_all_forms_of_a_local_problem_give_the_same_text(tmp_path):
    dense, blocks = tmp_path / "dense.dat", tmp_path / "blocks.dat"
    dense_file(dense)
    block_file(blocks)
    text = tool.convert(dense)
    assert tool.convert(blocks) == text
    for form in (1, -1, -2):
        path = tmp_path / f"local{form}.hdf5"
        local_fclib(path, form)
        assert tool.convert(path) == text, form


def test_a_local_problem_keeps_its_numbers(tmp_path):
    path = tmp_path / "dense.dat"
    dense_file(path)
    lines = tool.convert(path).splitlines()
    assert lines[:6] == ["contact-problem 2", "local 0", "position_level 0", "motion_tolerance 1e-10",
                         "pile_tolerance 1e-05", "moments 0"]
    start = lines.index("K 12 48") + 1
    K = {tuple(map(int, line.split()[:2])): float(line.split()[2]) for line in lines[start:start + 48]}
    assert all(K[6 + i, 6 + j] == -W[i][j] for i in range(6) for j in range(6) if W[i][j] != 0)
    assert all(K[i, 6 + i] == K[6 + i, i] == 1 for i in range(6))
    assert "mu 0.7 b -2.0 0.0 0.125 columns 3 4 5 -1 -1 -1 -1 -1 -1 -1 -1 -1 H 3" in lines


def test_a_global_problem_of_bodies_is_local(tmp_path):
    """A body that falls on the ground: b is its free motion."""
    path = tmp_path / "global.hdf5"
    hdf5 = Writer()
    file = hdf5.create(path)
    hdf5.group(file, "fclib_global")
    hdf5.write(file, "fclib_global/spacedim", ctypes.c_int, [3])
    M = [[2.0 if i == j and i < 3 else 0.5 * (i == j) for j in range(6)] for i in range(6)]
    H = [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]] + [[0.0] * 3, [0.0, 0.1, 0.0], [0.0] * 3]
    hdf5.matrix(file, "fclib_global/M", M, -1)
    hdf5.matrix(file, "fclib_global/H", H, 1)
    hdf5.group(file, "fclib_global/vectors")
    for name, values in (("f", [4.0, 0, -6.0, 0, 1.0, 0]), ("w", [0.0, 0.0, 0.5]), ("mu", [0.4])):
        hdf5.write(file, f"fclib_global/vectors/{name}", ctypes.c_double, values)
    hdf5.close(file)
    lines = tool.convert(path).splitlines()
    assert "local 1" in lines
    assert "mu 0.4 b -3.0 2.2 0.5 columns 0 1 2 3 4 5 -1 -1 -1 -1 -1 -1 H 4" in lines
    assert "1 4 0.1" in lines


@pytest.mark.parametrize("text, reason", [
    ("2\n1\n0\n2\n2\n", "dimension is 2"),
    ("3\n2\n0\n3\n3\n3 3\n", "2 contacts need 6 rows"),
    ("3\n1\n2\n3\n3\n", "stored as 2"),
    ("3\n1\n0\n3\n3\n3 3\n1 0 0", "ends too early"),
    ("# a text\n", "a number was expected"),
])
def test_other_files_are_refused_with_a_reason(tmp_path, text, reason):
    path = tmp_path / "bad.dat"
    path.write_text(text)
    with pytest.raises(tool.Refused, match=reason):
        tool.convert(path)


def test_bilateral_and_plane_problems_of_fclib_are_refused(tmp_path):
    path = tmp_path / "bad.hdf5"
    local_fclib(path, extra="V")
    with pytest.raises(tool.Refused, match="bilateral"):
        tool.convert(path)
    local_fclib(path, dimension=2)
    with pytest.raises(tool.Refused, match="dimension is 2"):
        tool.convert(path)


def test_friction_below_zero_is_refused(tmp_path):
    path = tmp_path / "bad.dat"
    dense_file(path)
    path.write_text(path.read_text().replace("0.3 0.7", "0.3 -0.7"))
    with pytest.raises(tool.Refused, match="mu of contact 1"):
        tool.convert(path)
