# SPDX-License-Identifier: Apache-2.0
"""Meshes that are not convex: forces by statics, edges inside of faces that nobody feels, pegs in holes."""

import copy
import functools
import json
import math
import subprocess

import numpy as np
import pytest
from models import FLOOR, collider, contact, push, rigid, scene, solid_box, solid_sphere
from rotations import matrix, quaternion
from runs import SALTUS, run

GRAVITY = [0, 0, -9.467]
G = 9.467


def cubes(cells, side, at=(0, 0, 0)):
    """The surface of cubes of a grid, two triangles a square: faces have edges inside of them."""
    cells, number, triangles = set(cells), {}, []
    for cell in sorted(cells):
        for axis in range(3):
            for sign in (-1, 1):
                step = [0, 0, 0]
                step[axis] = sign
                if tuple(np.add(cell, step)) in cells:
                    continue
                corners = []
                for u, v in ((0, 0), (1, 0), (1, 1), (0, 1))[::sign]:
                    corner = list(cell)
                    corner[axis] += sign > 0
                    corner[(axis + 1) % 3] += u
                    corner[(axis + 2) % 3] += v
                    corners.append(number.setdefault(tuple(corner), len(number)))
                triangles += [[corners[0], corners[1], corners[2]], [corners[0], corners[2], corners[3]]]
    vertices = (np.array(list(number)) * np.array(side) + np.array(at)).tolist()
    return {"type": "mesh", "vertices": vertices, "triangles": triangles}


def prism(section, width):
    """A section in (x, z), anticlockwise seen from −y, and its triangles, along y about the middle."""
    outline, inside = section
    n = len(outline)
    vertices = [[x, y, z] for y in (-width / 2, width / 2) for x, z in outline]
    triangles = [list(t) for t in inside] + [[n + t[0], n + t[2], n + t[1]] for t in inside]
    for i in range(n):
        j = (i + 1) % n
        triangles += [[i, n + i, n + j], [i, n + j, j]]
    return {"type": "mesh", "vertices": vertices, "triangles": triangles}


def groove(half_angle, depth=0.2):
    """A block with a V-groove along y, its bottom at the origin; sides at half_angle to the vertical."""
    half = depth * math.tan(half_angle)
    outline = [(-half - 0.1, -0.1), (half + 0.1, -0.1), (half + 0.1, depth), (half, depth), (0, 0), (-half, depth),
               (-half - 0.1, depth)]
    return prism((outline, [(0, 1, 4), (1, 2, 3), (1, 3, 4), (0, 4, 5), (0, 5, 6)]), 1.0)


def floor_with_a_wall():
    """A floor of 12 by 4 squares, its top at z = 0, and a wall at one end, x from −0.3."""
    cells = [(i, j, 0) for i in range(12) for j in range(4)] + [(11, j, 1) for j in range(4)]
    return cubes(cells, 0.3, (-0.3, -0.6, -0.3))


def on_ground(name, shape, at=(0, 0, 0), turned=(0, 0, 0)):
    return {"name": name, "frame": {"body": "ground", "position": list(at), "rotation_vector": list(turned)},
            "shape": shape}


def skin(body, shape):
    return {"name": f"{body}_skin", "frame": {"body": body}, "shape": shape}


def per_step(result, name):
    return result[name][1:] / np.diff(result.time)[:, None]


def from_shape(shape, density=800):
    return {"type": "from_shape", "shape": shape, "density": density}


SLIDERS = {
    "ball": (solid_sphere(1.3, 0.1), {"type": "sphere", "radius": 0.1}, 0.1),
    "box": (solid_box(1.3, 0.25, 0.2, 0.15), {"type": "box", "size": [0.25, 0.2, 0.15]}, 0.075),
    "rounded": (solid_box(1.3, 0.25, 0.2, 0.15), {"type": "box", "size": [0.25, 0.2, 0.15], "rounding": 0.02}, 0.095),
    "capsule": (solid_box(1.3, 0.25, 0.2, 0.15), {"type": "capsule", "radius": 0.05, "length": 0.2, "axis": [1, 0, 0]},
                0.05),
    "standing cylinder": (solid_box(1.3, 0.2, 0.2, 0.15), {"type": "cylinder", "radius": 0.1, "length": 0.15}, 0.075),
    "l": (None, cubes([(0, 0, 0), (1, 0, 0), (0, 0, 1)], 0.1, (-0.1, -0.05, 0)), 0.0),
}


def sliding(kind, friction, speed=(1.7, 0.31), end=0.5):
    inertia, shape, height = SLIDERS[kind]
    body = rigid("slider", inertia or from_shape(shape), [0.11, -0.07, height], linear=[*speed, 0])
    return scene([body], end, 1e-3, gravity=GRAVITY,
                 colliders=[on_ground("ramp", floor_with_a_wall()), skin("slider", shape)],
                 contacts=[contact("touch", "ramp", "slider_skin", friction=friction)])


@pytest.mark.parametrize("kind", SLIDERS)
def test_edges_inside_of_a_face_are_not_felt(kind):
    result = run(sliding(kind, 0.0))
    velocity = result["slider.velocity"]
    assert np.abs(velocity - velocity[0]).max() < 1e-9
    assert np.abs(result["slider.angular_velocity"]).max() < 1e-9
    mass = per_step(result, "touch.impulse")[5:, 2] / G
    assert mass == pytest.approx(np.full(len(mass), mass[0]), rel=1e-9)


@pytest.mark.parametrize("kind", ["box", "rounded", "l"])
def test_friction_slows_down_steadily_across_the_edges(kind):
    mu = 0.2
    result = run(sliding(kind, mu, speed=(2.0, 0.0), end=0.45))
    # At t = 0 the law begins to act: the first step is one like the others.
    expected = 2.0 - mu * G * result.time
    assert np.abs(result["slider.velocity"][:, 0] - expected).max() < 1e-9
    assert np.abs(result["slider.velocity"][:, 2]).max() < 1e-9


def test_a_wall_stops_what_slides_on_its_floor():
    """Restitution 0.5: the wall's face is felt at its place, the concave edge below it is not."""
    model = sliding("box", 0.0, speed=(4.0, 0.0), end=1.0)
    model["model"]["contacts"][0]["restitution"] = 0.5
    result = run(model)
    wall = 3.0 - 0.125
    assert result["slider.velocity"][-1] == pytest.approx([-2.0, 0, 0], abs=1e-9)
    assert result["slider.position"][:, 0].max() < wall + 1e-9
    assert result["slider.position"][:, 0].max() > wall - 4.0 * 1e-3
    assert result.summary["max_penetration"] < 1e-9


@pytest.mark.parametrize("degrees", [30, 50])
def test_a_ball_rests_in_a_groove(degrees):
    alpha, radius = math.radians(degrees), 0.1
    body = rigid("ball", solid_sphere(1.3, radius), [0, 0.03, radius / math.sin(alpha)])
    result = run(scene([body], 0.1, 1e-3, gravity=GRAVITY,
                       colliders=[on_ground("block", groove(alpha)), skin("ball", {"type": "sphere", "radius": radius})],
                       contacts=[contact("touch", "block", "ball_skin", friction=0.1)]))
    assert np.abs(result["ball.position"] - result["ball.position"][0]).max() < 1e-12
    assert per_step(result, "touch.impulse")[3:] == pytest.approx(
        np.tile([0, 0, 1.3 * G], (len(result.time) - 4, 1)), abs=1e-9)


def test_a_ball_slides_along_a_groove_with_more_friction():
    """Both sides press with W / (2 sin α): the friction is that of a plane over sin α. It does not turn,
    for its inertia is that of a hollow one held by a joint that lets it slide only."""
    alpha, radius, mu = math.radians(40), 0.1, 0.15
    body = rigid("ball", solid_sphere(1.3, radius), [0, -0.3, radius / math.sin(alpha)], linear=[0, 1.0, 0])
    result = run(scene([body], 0.2, 1e-3, gravity=GRAVITY,
                       joints=[{"name": "hold", "type": "lock", "body": "ball", "rotation": ["x", "y", "z"]}],
                       colliders=[on_ground("block", groove(alpha)), skin("ball", {"type": "sphere", "radius": radius})],
                       contacts=[contact("touch", "block", "ball_skin", friction=mu)]))
    expected = 1.0 - mu * G / math.sin(alpha) * result.time
    assert np.abs(result["ball.velocity"][:, 1] - expected).max() < 1e-8


def test_a_capsule_lies_in_a_groove():
    alpha, radius = math.radians(35), 0.06
    shape = {"type": "capsule", "radius": radius, "length": 0.3, "axis": [0, 1, 0]}
    body = rigid("rod", solid_box(0.8, 0.1, 0.4, 0.1), [0, 0.02, radius / math.sin(alpha)])
    result = run(scene([body], 0.1, 1e-3, gravity=GRAVITY,
                       colliders=[on_ground("block", groove(alpha)), skin("rod", shape)],
                       contacts=[contact("touch", "block", "rod_skin", friction=0.1)]))
    assert np.abs(result["rod.position"] - result["rod.position"][0]).max() < 1e-11
    assert per_step(result, "touch.impulse")[-1] == pytest.approx([0, 0, 0.8 * G], abs=1e-9)


def cup(hole=0.2, wall=0.1, height=0.3):
    """A cup with a square hole: its rim at z = 0, the middle of the hole at the origin."""
    cells = [(i, j, k) for i in range(3) for j in range(3) for k in range(3) if (i, j) != (1, 1) or k == 0]
    shape = cubes(cells, 1.0)
    widths = [0, wall, wall + hole, 2 * wall + hole]
    shape["vertices"] = [[widths[round(x)] - wall - hole / 2, widths[round(y)] - wall - hole / 2, (z - 3) * height / 3]
                         for x, y, z in shape["vertices"]]
    return shape


def test_a_ball_on_a_cup_rests_on_the_four_edges_of_its_rim():
    """Dropped from 3 mm: it stops at the height at which it touches them."""
    radius, hole = 0.15, 0.2
    height = math.sqrt(radius**2 - (hole / 2) ** 2)
    body = rigid("ball", solid_sphere(1.3, radius), [0, 0, height + 0.003])
    result = run(scene([body], 0.3, 1e-3, gravity=GRAVITY,
                       colliders=[on_ground("cup", cup(hole)), skin("ball", {"type": "sphere", "radius": radius})],
                       contacts=[contact("touch", "cup", "ball_skin", friction=0.1)]))
    assert result["ball.position"][-1] == pytest.approx([0, 0, height], abs=1e-9)
    assert per_step(result, "touch.impulse")[-1] == pytest.approx([0, 0, 1.3 * G], abs=1e-8)


def test_a_ball_falls_into_a_cup_and_rests_on_its_bottom():
    body = rigid("ball", solid_sphere(1.3, 0.09), [0.005, 0.002, 0.1], linear=[0.3, 0.2, 0])
    result = run(scene([body], 2.0, 1e-3, gravity=GRAVITY,
                       colliders=[on_ground("cup", cup()), skin("ball", {"type": "sphere", "radius": 0.09})],
                       contacts=[contact("touch", "cup", "ball_skin", friction=0.3, restitution=0.2)]))
    assert result["ball.position"][-1][2] == pytest.approx(-0.2 + 0.09, abs=1e-9)
    assert np.abs(result["ball.position"][-1][:2]).max() < 0.01 + 1e-9
    assert result.summary["max_penetration"] < 1e-9


def stair(side=0.2):
    cells = [(i, j, k) for i in range(3) for j in range(2) for k in range(i + 1)]
    return cubes(cells, side, (0, -side, 0))


def test_a_box_slides_over_a_step_of_a_stair_and_stops_at_the_next():
    size, side = [0.08, 0.1, 0.06], 0.2
    body = rigid("box", solid_box(0.7, *size), [0.05, 0.01, side + 0.03], linear=[0.9, 0, 0])
    result = run(scene([body], 0.5, 1e-3, gravity=GRAVITY,
                       colliders=[on_ground("stair", stair(side)), collider("box_skin", "box", "box", size=size)],
                       contacts=[contact("touch", "stair", "box_skin")]))
    assert result["box.position"][-1] == pytest.approx([side - 0.04, 0.01, side + 0.03], abs=1e-9)
    assert np.abs(result["box.velocity"][-1]).max() < 1e-9
    assert per_step(result, "touch.impulse")[-1] == pytest.approx([0, 0, 0.7 * G], abs=1e-8)


def frame(hole):
    """A plate with a square hole about the origin, its top at z = 0."""
    shape = cubes([(i, j, 0) for i in range(3) for j in range(3) if (i, j) != (1, 1)], 1.0)
    places = [-hole / 2 - 0.1, -hole / 2, hole / 2, hole / 2 + 0.1]
    shape["vertices"] = [[places[round(x)], places[round(y)], 0.1 * (z - 1)] for x, y, z in shape["vertices"]]
    return shape


def test_a_peg_falls_through_a_hole_without_touching():
    size = [0.0999, 0.0999, 0.3]
    body = rigid("peg", solid_box(0.7, *size), [0, 0, 0.2], linear=[0, 0, -0.5])
    result = run(scene([body], 0.3, 1e-3, gravity=GRAVITY,
                       colliders=[on_ground("plate", frame(0.1)), collider("peg_skin", "peg", "box", size=size)],
                       contacts=[contact("touch", "plate", "peg_skin", friction=0.5)]))
    t = result.time
    assert np.abs(result["peg.position"][:, 2] - (0.2 - 0.5 * t - G / 2 * t**2)).max() < 1e-12
    assert np.abs(result["peg.position"][:, :2]).max() == 0


def test_a_peg_turns_in_its_hole_until_all_four_edges_touch():
    """A square of side s in a square of side a: s (cos φ + sin φ) = a."""
    s, a = 0.09, 0.1
    phi = math.asin(a / s / math.sqrt(2)) - math.pi / 4
    body = rigid("peg", solid_box(0.7, s, s, 0.3), [0, 0, -0.05])
    hold = {"name": "hold", "type": "lock", "body": "peg", "translation": ["z"], "rotation": ["x", "y"]}
    result = run(scene([body], 0.6, 1e-3, gravity=[0, 0, 0], joints=[hold],
                       forces=[push("twist", {"body": "peg"}, 0, 0, 0.02, kind="torque")],
                       colliders=[on_ground("plate", frame(a)), collider("peg_skin", "peg", "box", size=[s, s, 0.3])],
                       contacts=[contact("touch", "plate", "peg_skin")]))
    assert result["peg.rotation"][-1] == pytest.approx([0, 0, phi], abs=1e-7)
    assert np.abs(result["peg.position"][-1] - [0, 0, -0.05]).max() < 1e-9


L = cubes([(0, 0, 0), (1, 0, 0), (2, 0, 0), (0, 0, 1), (0, 0, 2)], 0.1, (-0.1, -0.05, 0))


def volume_centre(shape):
    v, t = np.array(shape["vertices"]), np.array(shape["triangles"])
    parts = np.einsum("ij,ij->i", v[t[:, 0]], np.cross(v[t[:, 1]], v[t[:, 2]])) / 6
    return parts.sum(), (parts[:, None] * v[t].sum(axis=1) / 4).sum(axis=0) / parts.sum()


def test_an_l_profile_stands_in_another():
    """Heel in heel, flush on floor and wall."""
    body = rigid("top", from_shape(L), [0.1, 0, 0.1])
    result = run(scene([body], 0.2, 1e-3, gravity=GRAVITY, colliders=[on_ground("base", L), skin("top", L)],
                       contacts=[contact("touch", "base", "top_skin", friction=0.3)]))
    assert np.abs(result["top.position"] - result["top.position"][0]).max() < 1e-11
    weight = 800 * volume_centre(L)[0] * G
    assert per_step(result, "touch.impulse")[5:] == pytest.approx(
        np.tile([0, 0, weight], (len(result.time) - 6, 1)), abs=1e-8 * weight)


@pytest.mark.parametrize("kind", ["half_space", "face", "box"])
def test_an_l_profile_stands_on_a_plane_as_on_a_box(kind):
    floor = copy.deepcopy(FLOOR)
    if kind == "face":
        floor["shape"] = {"type": "face", "size": [1, 1]}
    if kind == "box":
        floor = on_ground("floor", {"type": "box", "size": [1, 1, 0.2]}, [0, 0, -0.1])
    body = rigid("part", from_shape(L), [0, 0, 0.002])
    result = run(scene([body], 0.2, 1e-3, gravity=GRAVITY, colliders=[floor, skin("part", L)],
                       contacts=[contact("touch", "floor", "part_skin", friction=0.3)]))
    assert result["part.position"][-1] == pytest.approx([0, 0, 0], abs=1e-9)
    weight = 800 * volume_centre(L)[0] * G
    assert per_step(result, "touch.impulse.z" if "touch.impulse.z" in result else "touch.impulse")[-1][-1] == (
        pytest.approx(weight, rel=1e-7))


def test_two_u_profiles_hook_into_each_other():
    """Pulled apart across: after the clearance of 5 mm the leg of one holds that of the other."""
    cells = [(0, 0, 0), (1, 0, 0), (2, 0, 0), (0, 0, 1), (2, 0, 1)]
    lower = cubes(cells, [0.1, 0.2, 0.1], (0, -0.1, 0))
    upper = cubes([(i, j, -k) for i, j, k in cells], [0.09, 0.18, 0.1], (0, -0.09, 0.1))
    body = rigid("hook", from_shape(upper), [0.105, 0, 0.1])
    hold = {"name": "hold", "type": "lock", "body": "hook", "translation": ["y"], "rotation": ["x", "y", "z"]}
    result = run(scene([body], 0.5, 1e-3, gravity=GRAVITY, joints=[hold],
                       forces=[push("pull", {"body": "hook"}, 40, 0, 0)],
                       colliders=[on_ground("base", lower), skin("hook", upper)],
                       contacts=[contact("touch", "base", "hook_skin", friction=0.1)]))
    # The leg, from 0 to 0.09 of the hook, is between 0.1 and 0.2.
    assert result["hook.position"][-1] == pytest.approx([0.11, 0, 0.1], abs=1e-9)
    weight = 800 * volume_centre(upper)[0] * G
    # Along y the lock and friction hold it both: how they share is not determined.
    assert per_step(result, "touch.impulse")[-1, [0, 2]] == pytest.approx([-40, weight], abs=1e-6)


def test_a_cylinder_lies_in_a_groove_and_rolls_on_a_floor():
    alpha, radius = math.radians(45), 0.06
    shape = {"type": "cylinder", "radius": radius, "length": 0.3, "axis": [0, 1, 0]}
    inertia = {"type": "solid_cylinder", "mass": 0.8, "radius": radius, "length": 0.3, "axis": [0, 1, 0]}
    body = rigid("rod", inertia, [0, 0.02, radius / math.sin(alpha)])
    result = run(scene([body], 0.1, 1e-3, gravity=GRAVITY,
                       colliders=[on_ground("block", groove(alpha)), skin("rod", shape)],
                       contacts=[contact("touch", "block", "rod_skin", friction=0.2)]))
    assert np.abs(result["rod.position"] - result["rod.position"][0]).max() < 1e-10
    assert per_step(result, "touch.impulse")[-1] == pytest.approx([0, 0, 0.8 * G], abs=1e-8)
    rolling = rigid("rod", inertia, [0.11, -0.03, radius], linear=[1.2, 0, 0], angular=[0, 1.2 / radius, 0])
    result = run(scene([rolling], 0.5, 1e-3, gravity=GRAVITY,
                       colliders=[on_ground("ramp", floor_with_a_wall()), skin("rod", shape)],
                       contacts=[contact("touch", "ramp", "rod_skin", friction=0.2)]))
    assert np.abs(result["rod.velocity"] - [1.2, 0, 0]).max() < 1e-7


def tumbling():
    """An L-profile falls on a stair and comes to rest in some way."""
    part = {**L, "vertices": (np.array(L["vertices"]) - volume_centre(L)[1]).tolist()}
    body = rigid("part", from_shape(part), [0.2, 0.02, 0.65], linear=[0.1, 0.2, 0], angular=[1.0, 2.0, -0.7])
    return scene([body], 0.25, 5e-4, gravity=GRAVITY,
                 colliders=[on_ground("stair", stair()), skin("part", part)],
                 contacts=[contact("touch", "stair", "part_skin", friction=0.3, restitution=0.3)])


@functools.cache
def tumbled():
    return run(tumbling())


def test_what_falls_on_a_stair_does_not_sink_in():
    result = tumbled()
    assert result.summary["impacts"] > 0 and result.summary["max_penetration"] < 1e-9


def test_a_turned_stair_gives_the_same():
    psi = np.array([0.4, -0.7, 1.1])
    R = np.array(matrix(quaternion(psi)))
    model = tumbling()
    model["model"]["gravity"] = (R @ GRAVITY).tolist()
    model["model"]["colliders"][0]["frame"]["rotation_vector"] = psi.tolist()
    body = model["model"]["bodies"][0]
    body["pose"] = {"position": (R @ body["pose"]["position"]).tolist(), "rotation_vector": psi.tolist()}
    body["velocity"] = {k: (R @ v).tolist() for k, v in body["velocity"].items()}
    turned, plain = run(model), tumbled()
    assert np.abs(turned["part.position"] - plain["part.position"] @ R.T).max() < 1e-7


def test_a_stair_that_moves_along_gives_the_same():
    """The stair a heavy body that flies with it, gravity off: what is seen from it is the same."""
    def fly(drift):
        shape = stair()
        heavy = rigid("stair", from_shape(shape, 1e7), [0, 0, 0], linear=drift)
        model = tumbling()
        part = model["model"]["bodies"][0]
        part["velocity"]["linear"] = (np.array([0.1, 0.2, -2.0]) + drift).tolist()
        model["model"]["bodies"].append(heavy)
        model["model"]["colliders"][0] = skin("stair", shape)
        model["model"]["contacts"][0]["between"] = ["stair_skin", "part_skin"]
        model["model"]["gravity"] = [0, 0, 0]
        return run(model)

    still, moving = fly([0, 0, 0]), fly([3.1, -1.7, 0.9])
    assert still.summary["impacts"] > 0
    seen = [r["part.position"] - r["stair.position"] for r in (still, moving)]
    assert np.abs(seen[0] - seen[1]).max() < 1e-7


def test_a_stair_a_thousand_times_smaller_gives_the_same():
    """Lengths times λ and times by √λ under the same gravity."""
    scale = 1e-3
    model = tumbling()
    for c in model["model"]["colliders"]:
        c["shape"]["vertices"] = (scale * np.array(c["shape"]["vertices"])).tolist()
    body = model["model"]["bodies"][0]
    body["inertia"]["shape"]["vertices"] = model["model"]["colliders"][1]["shape"]["vertices"]
    body["pose"]["position"] = (scale * np.array(body["pose"]["position"])).tolist()
    body["velocity"]["linear"] = (math.sqrt(scale) * np.array(body["velocity"]["linear"])).tolist()
    body["velocity"]["angular"] = (np.array(body["velocity"]["angular"]) / math.sqrt(scale)).tolist()
    model["simulation"]["end_time"] *= math.sqrt(scale)
    model["simulation"]["integrator"]["step"] *= math.sqrt(scale)
    small, plain = run(model), tumbled()
    assert np.abs(small["part.position"] / scale - plain["part.position"]).max() < 1e-6


def test_a_fast_box_does_not_pass_through_a_thin_plate():
    """20 m/s and 1 ms: 20 mm a step through a plate of 4 mm, an L so thin that it is not convex."""
    plate = cubes([(0, 0, 0), (1, 0, 0), (0, 0, 1)], [0.5, 1.0, 0.004], (-0.25, -0.5, -0.002))
    body = rigid("box", solid_box(0.7, 0.1, 0.1, 0.1), [0.5, 0.01, 0.1237], linear=[0, 0, -20], turned=[0.1, 0.2, 0.3])
    result = run(scene([body], 0.02, 1e-3, gravity=GRAVITY,
                       colliders=[on_ground("plate", plate), collider("box_skin", "box", "box", size=[0.1] * 3)],
                       contacts=[contact("touch", "plate", "box_skin", friction=0.1)]))
    assert result["box.position"][-1][2] > 0.0


def test_meshes_by_events_are_refused(tmp_path):
    model = tumbling()
    model["simulation"]["integrator"] = {"type": "event_driven"}
    (tmp_path / "model.json").write_text(json.dumps(model))
    done = subprocess.run([SALTUS, "check", tmp_path / "model.json"], capture_output=True, text=True)
    assert done.returncode == 2 and "event_driven" in done.stderr
