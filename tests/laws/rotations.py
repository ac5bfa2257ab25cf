# SPDX-License-Identifier: Apache-2.0
"""Quaternions (w, x, y, z), rotation vectors and matrices."""

import numpy as np


def product(p, q):
    """Of quaternions (w, x, y, z); of many rows if p or q has them."""
    p, q = np.asarray(p, float), np.asarray(q, float)
    w = p[..., :1] * q[..., :1] - np.sum(p[..., 1:] * q[..., 1:], axis=-1, keepdims=True)
    return np.concatenate(
        [w, p[..., :1] * q[..., 1:] + q[..., :1] * p[..., 1:] + np.cross(p[..., 1:], q[..., 1:])], axis=-1
    )


def quaternion(vector):
    """Of a rotation vector."""
    vector = np.asarray(vector, float)
    angle = np.linalg.norm(vector)
    return np.array([np.cos(angle / 2), *(np.sinc(angle / 2 / np.pi) / 2 * vector)])


def matrix(q):
    q = np.asarray(q, float)
    w, x, y, z = np.moveaxis(q / np.linalg.norm(q, axis=-1, keepdims=True), -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), (0, 1), (-2, -1))


def orientation(place):
    """The quaternion of a pose or frame."""
    if "orientation" in place:
        return np.array(place["orientation"])
    return quaternion(place.get("rotation_vector", [0, 0, 0]))


def oriented(place, q):
    result = {k: v for k, v in place.items() if k not in ("orientation", "rotation_vector")}
    return {**result, "orientation": q.tolist()}
