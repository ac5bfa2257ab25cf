#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Converts frictional contact problems of other collections to the format of tests/problems.

usage: contact_problem.py FILE [-o OUT] [--motion-tolerance T]
  FILE  a .dat file of Siconos (local problem, dense or block matrix), or an HDF5 file of FCLIB
        (fclib_local, or fclib_global without bilateral constraints)
  -o    where the problem goes; FILE with the ending .txt by default
Then `build/release/problem_bench OUT` solves it by every method.

A local problem, u = W l + q, has no bodies: it is written with K = [0 I; I -W], so that its times say
little. FCLIB is read with the HDF5 library itself, which Saltus needs anyway.
Exits 1 with a reason where a file is not such a problem.
"""
import argparse
import ctypes
import ctypes.util
import pathlib
import sys


class Refused(Exception):
    """What is wrong with a file, and what to do."""


# ---- Siconos' text ------------------------------------------------------------------------------

class Words:
    def __init__(self, text):
        self.words, self.next = text.split(), 0

    def take(self, kind):
        if self.next == len(self.words):
            raise Refused("it ends too early: is it a local problem (dimension, contacts, W, q, mu)?")
        self.next += 1
        try:
            return kind(self.words[self.next - 1])
        except ValueError:
            raise Refused(f'word {self.next}, "{self.words[self.next - 1]}": a number was expected')

    def list(self, kind, count):
        return [self.take(kind) for _ in range(count)]


def read_dense(words, rows, columns):
    if words.list(int, 2) != [rows, columns]:
        raise Refused("the dense matrix has another size than the problem")
    values = words.list(float, rows * columns)
    return {(k % rows, k // rows): v for k, v in enumerate(values) if v != 0}


def read_blocks(words):
    words.take(int)  # number of blocks
    counts = words.list(int, 2)
    ends = [words.list(int, n) for n in counts]
    filled = words.list(int, 2)
    starts, columns = words.list(int, filled[0]), words.list(int, filled[1])
    begin = [[0, *e] for e in ends]
    entries = {}
    for row in range(filled[0] - 1):
        for number in range(starts[row], starts[row + 1]):
            if words.take(int) != number:
                raise Refused(f"block {number} is not where its number says")
            column = columns[number]
            height = ends[0][row] - begin[0][row]
            for k in range(height * (ends[1][column] - begin[1][column])):
                value = words.take(float)
                if value != 0:
                    entries[begin[0][row] + k % height, begin[1][column] + k // height] = value
    return entries


def read_siconos(path):
    """(W, q, mu) of a local problem."""
    words = Words(path.read_text(errors="replace"))
    dimension, contacts = words.list(int, 2)
    if dimension != 3:
        raise Refused(f"its dimension is {dimension}: problems of dimension 3 are read")
    storage, rows, columns = words.list(int, 3)
    if rows != 3 * contacts or columns != rows:
        raise Refused(f"its matrix is {rows} x {columns}: {contacts} contacts need {3 * contacts} rows")
    if storage == 0:
        W = read_dense(words, rows, columns)
    elif storage == 1:
        W = read_blocks(words)
    else:
        raise Refused(f"its matrix is stored as {storage}: 0 (dense) and 1 (blocks) are read; "
                      "write it so, or as FCLIB")
    return W, words.list(float, rows), words.list(float, contacts)


# ---- FCLIB --------------------------------------------------------------------------------------

class Hdf5:
    """The few functions that are needed of the HDF5 library."""

    def __init__(self):
        name = ctypes.util.find_library("hdf5_serial") or ctypes.util.find_library("hdf5")
        if name is None:
            raise Refused("the HDF5 library was not found; install libhdf5")
        self.library = ctypes.CDLL(name)
        # Identifiers have 64 bits.
        for function in ("H5Fopen", "H5Fcreate", "H5Dopen2", "H5Dget_space", "H5Gcreate2",
                         "H5Screate_simple", "H5Dcreate2"):
            getattr(self.library, function).restype = ctypes.c_int64
        self.library.H5Sget_simple_extent_npoints.restype = ctypes.c_int64
        self.library.H5open()
        self.library.H5Eset_auto2(ctypes.c_int64(0), None, None)  # it would print
        self.types = {ctypes.c_int: self.constant("H5T_NATIVE_INT_g"),
                      ctypes.c_double: self.constant("H5T_NATIVE_DOUBLE_g")}

    def constant(self, name):
        return ctypes.c_int64.in_dll(self.library, name)

    def open(self, path):
        file = self.library.H5Fopen(str(path).encode(), 0, ctypes.c_int64(0))
        if file < 0:
            raise Refused("it is no HDF5 file")
        return file

    def has(self, file, name):
        parts = name.strip("/").split("/")
        return all(self.library.H5Lexists(ctypes.c_int64(file), "/".join(parts[:k + 1]).encode(),
                                          ctypes.c_int64(0)) > 0 for k in range(len(parts)))

    def read(self, file, name, kind):
        if not self.has(file, name):
            raise Refused(f'it has no "{name}"')
        data = self.library.H5Dopen2(ctypes.c_int64(file), name.encode(), ctypes.c_int64(0))
        space = self.library.H5Dget_space(ctypes.c_int64(data))
        count = self.library.H5Sget_simple_extent_npoints(ctypes.c_int64(space))
        values = (kind * count)()
        everything = ctypes.c_int64(0)
        status = self.library.H5Dread(ctypes.c_int64(data), self.types[kind], everything, everything,
                                      everything, values)
        self.library.H5Sclose(ctypes.c_int64(space))
        self.library.H5Dclose(ctypes.c_int64(data))
        if status < 0:
            raise Refused(f'"{name}" cannot be read')
        return list(values)

    def close(self, file):
        self.library.H5Fclose(ctypes.c_int64(file))


def read_matrix(hdf5, file, group):
    """Entries by row and column; triplets, columns or rows, as CSparse and FCLIB number them."""
    rows, columns, form = (hdf5.read(file, f"{group}/{name}", ctypes.c_int)[0] for name in ("m", "n", "nz"))
    p, i = (hdf5.read(file, f"{group}/{name}", ctypes.c_int) for name in "pi")
    x = hdf5.read(file, f"{group}/x", ctypes.c_double)
    if form >= 0:
        places = list(zip(i[:form], p[:form]))
    elif form in (-1, -2):
        places = [(i[k], j) for j in range(len(p) - 1) for k in range(p[j], p[j + 1])]
        if form == -2:
            places = [(row, column) for column, row in places]
    else:
        raise Refused(f'"{group}" is stored as {form}: triplets, columns (-1) and rows (-2) are read')
    entries = {}
    for place, value in zip(places, x):
        if not (0 <= place[0] < rows and 0 <= place[1] < columns):
            raise Refused(f'"{group}" has an entry at {place}, outside of {rows} x {columns}')
        if value != 0:
            entries[place] = entries.get(place, 0) + value
    return entries, rows, columns


def read_fclib(path):
    """A problem as `text_of_local` or `text_of_global` takes it."""
    hdf5 = Hdf5()
    file = hdf5.open(path)
    try:
        kind = next((k for k in ("fclib_local", "fclib_global") if hdf5.has(file, k)), None)
        if kind is None:
            raise Refused('it has neither "fclib_local" nor "fclib_global"')
        dimension = hdf5.read(file, f"{kind}/spacedim", ctypes.c_int)[0]
        if dimension != 3:
            raise Refused(f"its dimension is {dimension}: problems of dimension 3 are read")
        for other in ("V", "R", "G"):
            if hdf5.has(file, f"{kind}/{other}"):
                raise Refused(f'it has bilateral constraints ("{other}"), which are not read')
        mu = hdf5.read(file, f"{kind}/vectors/mu", ctypes.c_double)
        if kind == "fclib_local":
            W, _, _ = read_matrix(hdf5, file, f"{kind}/W")
            return text_of_local, (W, hdf5.read(file, f"{kind}/vectors/q", ctypes.c_double), mu)
        M, size, _ = read_matrix(hdf5, file, f"{kind}/M")
        H, _, _ = read_matrix(hdf5, file, f"{kind}/H")
        f, w = (hdf5.read(file, f"{kind}/vectors/{name}", ctypes.c_double) for name in "fw")
        return text_of_global, (M, size, H, f, w, mu)
    finally:
        hdf5.close(file)


# ---- contact-problem 2 --------------------------------------------------------------------------

def head(local, size, entries, contacts, tolerance):
    lines = ["contact-problem 2", f"local {int(local)}", "position_level 0",
             f"motion_tolerance {tolerance!r}", "pile_tolerance 1e-05", "moments 0",
             f"K {size} {len(entries)}"]
    lines += [f"{i} {j} {entries[i, j]!r}" for i, j in sorted(entries)]
    return [*lines, f"contacts {contacts}"]


def contact(mu, b, columns, rows):
    filled = [*columns, *[-1] * (12 - len(columns))]
    return [f"mu {mu!r} b {b[0]!r} {b[1]!r} {b[2]!r} columns {' '.join(map(str, filled))} H {len(rows)}",
            *(f"{i} {k} {value!r}" for (i, k), value in sorted(rows.items()))]


def check_vectors(rows, mu, **vectors):
    for name, values in vectors.items():
        if len(values) != rows:
            raise Refused(f"{name} has {len(values)} numbers instead of {rows}")
    for number, value in enumerate(mu):
        if not value >= 0:
            raise Refused(f"mu of contact {number} is {value}: it must be at least 0")


def text_of_local(W, q, mu, tolerance):
    rows = 3 * len(mu)
    check_vectors(rows, mu, q=q)
    if any(max(place) >= rows for place in W):
        raise Refused(f"W has more than the {rows} rows of {len(mu)} contacts")
    K = {(rows + i, rows + j): -value for (i, j), value in W.items()}
    for i in range(rows):
        K[i, rows + i] = K[rows + i, i] = 1.0
    lines = head(False, 2 * rows, K, len(mu), tolerance)
    for c, friction in enumerate(mu):
        lines += contact(friction, q[3 * c:3 * c + 3], range(3 * c, 3 * c + 3),
                         {(i, i): 1.0 for i in range(3)})
    return "\n".join(lines) + "\n"


def blocks_of(M, size):
    """The unknowns that M connects, as lists."""
    parent = list(range(size))

    def root(i):
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    for i, j in M:
        parent[root(i)] = root(j)
    blocks = {}
    for i in range(size):
        blocks.setdefault(root(i), []).append(i)
    return list(blocks.values())


def solve_block(M, block, f):
    """M x = f on the unknowns of a block, by elimination with pivots."""
    n = len(block)
    A = [[M.get((i, j), 0.0) for j in block] + [f[i]] for i in block]
    for k in range(n):
        pivot = max(range(k, n), key=lambda r: abs(A[r][k]))
        if A[pivot][k] == 0:
            raise Refused(f"M is singular at unknown {block[k]}")
        A[k], A[pivot] = A[pivot], A[k]
        for r in range(k + 1, n):
            factor = A[r][k] / A[k][k]
            if factor:
                A[r] = [a - factor * b for a, b in zip(A[r], A[k])]
    x = [0.0] * n
    for k in reversed(range(n)):
        x[k] = (A[k][n] - sum(A[k][j] * x[j] for j in range(k + 1, n))) / A[k][k]
    return dict(zip(block, x))


def text_of_global(M, size, H, f, w, mu, tolerance):
    """M v = H r + f, u = H' v + w."""
    rows = 3 * len(mu)
    check_vectors(rows, mu, w=w)
    check_vectors(size, [], f=f)
    blocks = blocks_of(M, size)
    free = {}
    for block in blocks:
        free |= solve_block(M, block, f)
    columns_of = [set() for _ in mu]
    b = list(w)
    for (i, j), value in H.items():
        if j >= rows or i >= size:
            raise Refused(f"H has an entry at {i, j}: {size} unknowns and {rows} rows of contacts are known")
        columns_of[j // 3].add(i)
        b[j] += value * free[i]
    local = size % 6 == 0 and all(i // 6 == j // 6 for i, j in M)  # free bodies, six unknowns each
    lines = head(local, size, M, len(mu), tolerance)
    for c, friction in enumerate(mu):
        columns = sorted(columns_of[c])
        if local:
            columns = [6 * body + k for body in sorted({i // 6 for i in columns}) for k in range(6)]
        if len(columns) > 12:
            raise Refused(f"contact {c} moves {len(columns)} unknowns: at most 12 are read")
        rows_of = {(j, columns.index(i)): H[i, 3 * c + j]
                   for i in columns_of[c] for j in range(3) if (i, 3 * c + j) in H}
        lines += contact(friction, b[3 * c:3 * c + 3], columns, rows_of)
    return "\n".join(lines) + "\n"


def convert(path, tolerance=1e-10):
    """The text of a problem in a file."""
    with path.open("rb") as file:
        start = file.read(8)
    if start == b"\x89HDF\r\n\x1a\n":
        write, problem = read_fclib(path)
    else:
        write, problem = text_of_local, read_siconos(path)
    return write(*problem, tolerance)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("-o", dest="out", type=pathlib.Path)
    parser.add_argument("--motion-tolerance", type=float, default=1e-10)
    arguments = parser.parse_args()
    try:
        text = convert(arguments.file, arguments.motion_tolerance)
        (arguments.out or arguments.file.with_suffix(".txt")).write_text(text)
    except (Refused, OSError) as error:
        print(f"{arguments.file}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
