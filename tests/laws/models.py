# SPDX-License-Identifier: Apache-2.0
"""The zoo: small models of all kinds, with numbers that nobody tuned.

Impacts fall inside of steps, axes are skew, masses differ. Each model is a plain dict as in a model file; its
tags say to which laws it belongs:

smooth      no contact: second order throughout
lasting     contacts that stay (rest, slip, roll); no impact after the first step
impact      impacts: first order
free        nothing is held by the ground: may be set in uniform motion
ballistic   bodies that fly apart from each other at the start: may start earlier
changes     contacts change between slip, stick and rolling on the way: first order
redundant   reactions are not unique (friction across the plane that joints keep, a fourth foot): only
            the motion can be compared
lock        has a joint along inertial axes, which cannot be turned
events      event_driven may run it too
flexible    has beams, bars or solids
solids      points of contact change and have no columns: the places of impulses are not told
short       belongs to the short version of the tests
"""

import copy
import dataclasses
import functools
import math
import os

import numpy as np

ZOO = {}
FLOOR = {"name": "floor", "frame": {"body": "ground"}, "shape": {"type": "half_space"}}
SKEW_GRAVITY = [0.713, -1.134, -9.467]


@dataclasses.dataclass(frozen=True)
class Entry:
    name: str
    tags: frozenset
    build: callable

    @functools.cached_property
    def model(self):
        return self.build()


def zoo(*tags):
    """Puts what a function builds into the zoo under its name."""

    def enter(build):
        ZOO[build.__name__] = Entry(build.__name__, frozenset(" ".join(tags).split()), build)
        return build

    return enter


LONG = os.environ.get("SALTUS_LAWS") == "long"


def names(*tags, without=(), but=(), short=not LONG):
    """Names of the models that have all tags, none of `without`, and are not among `but`.

    Of the short version unless the environment says SALTUS_LAWS=long.
    """
    return [
        name
        for name, entry in ZOO.items()
        if set(tags) <= entry.tags and not set(without) & entry.tags and name not in but and (
            not short or "short" in entry.tags
        )
    ]


def model(name):
    return copy.deepcopy(ZOO[name].model)


# ---- parts


def solid_sphere(mass, radius):
    return {"type": "solid_sphere", "mass": mass, "radius": radius}


def solid_box(mass, *size):
    return {"type": "solid_box", "mass": mass, "size": list(size)}


def explicit(mass, tensor, centre=(0, 0, 0)):
    return {"type": "explicit", "mass": mass, "tensor": tensor, "centre_of_mass": list(centre)}


def rigid(name, inertia, at, linear=(0, 0, 0), angular=(0, 0, 0), turned=(0, 0, 0)):
    return {
        "name": name,
        "type": "rigid",
        "inertia": inertia,
        "pose": {"position": list(at), "rotation_vector": list(turned)},
        "velocity": {"linear": list(linear), "angular": list(angular)},
    }


def mass_point(name, mass, at, linear=(0, 0, 0)):
    return {
        "name": name,
        "type": "point_mass",
        "mass": mass,
        "pose": {"position": list(at)},
        "velocity": {"linear": list(linear)},
    }


def frame(body, at=(0, 0, 0), turned=None, **place):
    result = {"body": body, **place, "position": list(at)}
    if turned is not None:
        result["rotation_vector"] = list(turned)
    return result


def joint(name, kind, first, second, at, axis=None, **options):
    result = {"name": name, "type": kind, "bodies": [first, second], "at": list(at), **options}
    if axis is not None:
        result["axis"] = list(axis)
    return result


def collider(name, body, shape, at=(0, 0, 0), **options):
    return {"name": name, "frame": frame(body, at), "shape": {"type": shape, **options}}


def plane(name, at, normal, body="ground", **options):
    return collider(
        name, body, "half_space" if body == "ground" else "face", at, normal=list(normal), **options
    )


def contact(name, first, second, **law):
    return {"name": name, "between": [first, second], **law}


def spring(name, first, second, stiffness, damping=0.0, **options):
    law = {"stiffness": stiffness, "damping": damping, **options}
    return {"name": name, "type": "spring_damper", "between": [first, second], **law}


def push(name, on, *value, kind="force"):
    return {"name": name, "type": kind, "on": on, "value": list(value)}


def expression(text):
    return {"type": "expression", "text": text}


def scene(
    bodies, end, step, integrator="nonsmooth_generalized_alpha", gravity=SKEW_GRAVITY, rho=0.8, **parts
):
    method = {"type": integrator, "step": step}
    if integrator.endswith("alpha"):
        method["rho_inf"] = rho
    return {
        "saltus": 1,
        "model": {"gravity": list(gravity), "bodies": bodies, **parts},
        "simulation": {"end_time": end, "integrator": method},
    }


def with_integrator(scene, kind, **options):
    """The same scene by another method."""
    result = copy.deepcopy(scene)
    step = result["simulation"]["integrator"]["step"]
    result["simulation"]["integrator"] = {"type": kind, "step": step, **options}
    return result


LUMP = [[0.0231, 0.0017, -0.0029], [0.0017, 0.0314, 0.0041], [-0.0029, 0.0041, 0.0283]]
SMALL_LUMP = [[0.0047, 0.0004, 0.0003], [0.0004, 0.0061, -0.0005], [0.0003, -0.0005, 0.0053]]
AXIS = [0.3117, -0.4231, 0.8508]


# ---- bodies that fly, springs


@zoo("smooth free short")
def free_lump():
    body = rigid(
        "lump", explicit(1.37, LUMP), [0.12, -0.31, 0.55], [0.41, -0.23, 0.19], [2.3, -3.1, 4.7],
        [0.3, 0.5, -0.2],
    )
    return scene([body], 0.5, 2e-3, gravity=[0, 0, 0])


@zoo("smooth free")
def free_lump_by_alpha():
    return with_integrator(free_lump(), "generalized_alpha", rho_inf=0.8)


@zoo("smooth short")
def thrown_lump():
    """The body frame is not at the centre of mass."""
    inertia = explicit(1.37, LUMP, [0.037, -0.021, 0.053])
    body = rigid(
        "lump", inertia, [0.12, -0.31, 0.55], [1.41, -0.23, 2.19], [2.3, -3.1, 4.7], [0.3, 0.5, -0.2]
    )
    return scene([body], 0.4, 2e-3)


@zoo("smooth free short")
def two_on_a_spring():
    bodies = [
        rigid("a", explicit(1.37, LUMP), [0, 0, 0], [0.2, 0.1, -0.3], [1.1, 0.7, -2.3]),
        rigid(
            "b", solid_box(0.83, 0.11, 0.23, 0.31), [0.71, 0.32, -0.14], [-0.4, 0.6, 0.2], [0.3, -1.7, 0.9]
        ),
    ]
    ends = frame("a", [0.05, 0.02, 0.07]), frame("b", [-0.04, 0.11, 0.03])
    forces = [spring("spring", *ends, 37.3, 0.71, rest_length=0.53)]
    return scene(bodies, 0.6, 3e-3, gravity=[0, 0, 0], forces=forces)


@zoo("smooth free")
def two_in_a_bushing():
    bodies = [
        rigid("a", explicit(1.37, LUMP), [0, 0, 0], [0.2, 0.1, -0.3], [1.1, 0.7, -1.3]),
        rigid(
            "b", solid_box(0.83, 0.11, 0.23, 0.31), [0.31, 0.12, -0.14], [-0.4, 0.3, 0.2], [0.3, -0.7, 0.9]
        ),
    ]
    bushing = {
        "name": "rubber",
        "type": "bushing",
        "between": [
            frame("a", [0.31, 0.12, -0.14], [0.2, 0.1, -0.4]), frame("b", [0, 0, 0], [0.2, 0.1, -0.4])
        ],
        "stiffness": [83.0, 61.0, 117.0],
        "rotational_stiffness": [1.9, 2.3, 1.3],
        "damping": [0.9, 0.4, 0.7],
        "rotational_damping": [0.02, 0.03, 0.01],
    }
    return scene(bodies, 0.4, 2e-3, gravity=[0, 0, 0], forces=[bushing])


@zoo("smooth")
def net_of_springs():
    bodies = [
        mass_point("p", 0.31, [0.4, 0.1, 0.2], [0.3, 0, 0.4]),
        mass_point("q", 0.57, [-0.3, 0.35, 0.1], [0, -0.2, 0.1]),
        mass_point("r", 0.23, [0.05, -0.42, -0.3], [0.1, 0.1, 0]),
    ]
    springs = [
        spring("s0", frame("p"), frame("q"), 31.0, 0.2),
        spring("s1", frame("q"), frame("r"), 47.0, 0.1),
        spring("s2", frame("r"), frame("p"), 23.0),
        spring("s3", frame("ground"), frame("p"), 71.0, 0.3),
    ]
    return scene(bodies, 0.6, 3e-3, forces=springs)


@zoo("smooth short")
def pushed_lump():
    """Forces and torques as functions of time, off the centre of mass."""
    sines = [
        {"type": "sine", "amplitude": 1.7, "frequency": 2.3, "phase": 0.4, "offset": 0.6},
        {"type": "sine", "amplitude": 0.03, "frequency": 1.1},
    ]
    at = frame("lump", [0.03, 0.07, -0.02])
    forces = [
        push("push", at, expression("3.1*sin(7*t+0.3)"), sines[0], -0.9),
        push("twist", frame("lump"), 0.013, expression("0.02*cos(11*t)"), sines[1], kind="torque"),
    ]
    body = rigid("lump", explicit(1.37, LUMP), [0.12, -0.31, 0.55], [0.41, -0.23, 1.19], [1.3, -0.7, 0.4])
    return scene([body], 0.5, 2.5e-3, forces=forces)


@zoo("smooth")
def push_by_table():
    """A force with corners, which fall inside of steps."""
    table = {"type": "table", "times": [0, 0.0713, 0.1519, 0.3], "values": [0.3, 4.7, -2.9, 0.8]}
    forces = [push("push", frame("p"), table, 0.4, {**table, "values": [0.0, 0.9, 1.7, -0.3]})]
    return scene([mass_point("p", 0.83, [0.1, 0.2, 0.3], [0.4, 0, 0.7])], 0.3, 2e-3, forces=forces)


# ---- joints


@zoo("smooth events short")
def pendulum():
    body = rigid("bob", explicit(1.37, LUMP), [0.31, 0.22, -0.45], turned=[0.1, 0.2, 0.3])
    return scene(
        [body], 0.5, 2.5e-3, joints=[joint("pin", "revolute", "ground", "bob", [0.03, -0.04, 0.11], AXIS)]
    )


@zoo("smooth events")
def top_on_a_ball_joint():
    at = np.array([0.31, 0.22, 0.15])
    spin = np.array([1.7, 2.9, 11.3])
    body = rigid("top", explicit(1.37, LUMP), at, np.cross(spin, at), spin)
    return scene([body], 0.3, 1e-3, joints=[joint("pivot", "spherical", "ground", "top", [0, 0, 0])])


@zoo("smooth")
def hung_by_a_cross():
    body = rigid("lantern", explicit(1.37, LUMP), [0.21, 0.12, -0.63], turned=[0.2, -0.1, 0.4])
    cross = joint(
        "cross", "universal", "ground", "lantern", [0.02, 0.05, 0.1], [1, 0, 0], axis_2=[0, 0.8, 0.6]
    )
    return scene([body], 0.4, 2e-3, joints=[cross])


@zoo("smooth")
def sledge():
    body = rigid("sledge", explicit(1.37, LUMP), [0.2, 0.1, 0.3], turned=[0.2, 0.5, 0.1])
    ends = frame("ground", [0.9, 0.7, -0.5]), frame("sledge", [0.1, 0, 0.02])
    forces = [spring("s", *ends, 53.0, 0.9, rest_length=0.7)]
    joints = [joint("guide", "prismatic", "ground", "sledge", [0.2, 0.1, 0.3], AXIS)]
    return scene([body], 0.4, 2e-3, joints=joints, forces=forces)


@zoo("smooth")
def nut_on_a_shaft():
    """Off its shaft's axis, so that it swings while it slides."""
    n = np.array(AXIS) / np.linalg.norm(AXIS)
    at, spin = np.array([0.2, 0.1, 0.05]), 2.3 * n
    body = rigid("nut", explicit(1.37, LUMP), at, 0.4 * n + np.cross(spin, at), spin)
    return scene([body], 0.4, 2e-3, joints=[joint("shaft", "cylindrical", "ground", "nut", [0, 0, 0], AXIS)])


@zoo("smooth")
def puck():
    n = np.array(AXIS) / np.linalg.norm(AXIS)
    slide = np.cross(n, [1, 0, 0])
    body = rigid("puck", explicit(1.37, LUMP), [0.3, 0.1, 0.2], 0.7 * slide, 3.1 * n)
    return scene(
        [body], 0.4, 2e-3, joints=[joint("table", "planar", "ground", "puck", [0.3, 0.1, 0.2], AXIS)]
    )


@zoo("smooth")
def weight_on_a_rod():
    bodies = [mass_point("weight", 0.73, [0.4, 0.3, -0.5], [0.3, -0.4, 0])]
    rod = {"name": "rod", "type": "distance", "between": [frame("ground"), frame("weight")]}
    return scene(bodies, 0.6, 3e-3, joints=[rod])


@zoo("smooth")
def bead_and_drop():
    """A bead on a line of a swinging body, a drop on a plane."""
    bodies = [
        rigid("hoop", explicit(1.37, LUMP), [0.31, 0.22, -0.45]),
        mass_point("bead", 0.19, [0.35, 0.31, -0.61]),
        mass_point("drop", 0.23, [1.1, 0.2, 0.3], [0, 0, 0]),
    ]
    joints = [
        joint("pin", "revolute", "ground", "hoop", [0.03, -0.04, 0.11], AXIS),
        joint("wire", "point_on_line", "hoop", "bead", [0.35, 0.31, -0.61], [0.6, 0.1, 0.7]),
        joint("roof", "point_on_plane", "ground", "drop", [1.1, 0.2, 0.3], [0.3, 0.2, 0.9]),
    ]
    return scene(bodies, 0.3, 2e-3, joints=joints)


def unit(vector):
    return np.array(vector) / np.linalg.norm(vector)


@zoo("smooth events short")
def wheel_on_a_slope():
    """With a round profile and its mass off its centre; it leans, and a spring pulls at it."""
    n, axle, spin = unit(AXIS), unit([0.9, 0.31, 0.12]), np.array([3.1, 1.2, 0.7])
    radial = unit(n - n.dot(axle) * axle)
    touch, centre = np.array([0.1, 0.2, 0.05]), np.array([0.1, 0.2, 0.05]) + 0.21 * radial + 0.04 * n
    inertia = explicit(1.37, LUMP, [0.02, -0.03, 0.01])
    body = rigid("wheel", inertia, centre, np.cross(spin, centre - touch), spin, [0.3, 0.1, -0.2])
    roll = joint(
        "roll", "rolling", "ground", "wheel", touch, AXIS,
        axis_2=axle.tolist(), shape="wheel", radius=0.25, rounding=0.04,
    )
    forces = [spring("s", frame("ground", [0.9, 0.7, 0.5]), frame("wheel", [0.1, 0, 0.02]), 53.0, 0.9)]
    return scene([body], 0.3, 1e-3, joints=[roll], forces=forces)


@zoo("smooth events")
def ball_on_a_swing():
    """The plane on which it rolls turns with a pendulum, and feels it."""
    spin, n = np.array([2.1, -1.3, 0.8]), unit([0.2, -0.1, 0.97])
    touch = np.array([0.11, 0.07, 0.02])
    bodies = [
        rigid("swing", explicit(2.37, LUMP), [0.1, 0.12, -0.11]),
        rigid("ball", explicit(0.7, SMALL_LUMP), touch + 0.1 * n, np.cross(spin, 0.1 * n), spin, [0.4, 0.2, 0]),
    ]
    joints = [
        joint("pin", "revolute", "ground", "swing", [0.03, -0.04, 0.21], [0.3, 0.9, 0.2]),
        joint("roll", "rolling", "swing", "ball", touch, n.tolist(), radius=0.1),
    ]
    return scene(bodies, 0.3, 1e-3, joints=joints)


@zoo("smooth events short")
def skate():
    """Its mass is before the edge, as that of Chaplygin's sleigh."""
    n, edge = unit(AXIS), unit(np.cross(AXIS, [1, 0.4, 0]))
    at, spin = np.array([0.3, 0.1, 0.2]), 3.1 * n
    body = rigid("skate", explicit(1.37, LUMP), at + 0.12 * edge, 0.7 * edge + np.cross(spin, 0.12 * edge), spin)
    joints = [
        joint("ice", "planar", "ground", "skate", at, AXIS),
        joint("edge", "knife_edge", "ground", "skate", at, AXIS, axis_2=edge.tolist()),
    ]
    return scene([body], 0.4, 2e-3, joints=joints)


@zoo("smooth redundant")
def edge_runner():
    """A wheel on the arm of a mill: the arm keeps it from slipping outwards, as rolling does.

    Which multipliers redundant rows get depends on the axes of the rows, and moves the motion by O(h³): a
    small step keeps that below the tolerances.
    """
    bodies = [
        rigid("arm", explicit(0.9, SMALL_LUMP), [0.2, 0, 0.25], [0, 0.52, 0], [0, 0, 2.6]),
        rigid("stone", explicit(2.37, LUMP), [0.5, 0, 0.25], [0, 1.3, 0], [-5.2, 0, 2.6]),
    ]
    joints = [
        joint("post", "revolute", "ground", "arm", [0, 0, 0.25], [0, 0, 1]),
        joint("axle", "revolute", "arm", "stone", [0.45, 0, 0.25], [1, 0, 0]),
        joint(
            "roll", "rolling", "ground", "stone", [0.5, 0, 0], [0, 0, 1],
            axis_2=[1, 0, 0], shape="wheel", radius=0.25,
        ),
    ]
    forces = [push("motor", frame("arm"), 0, 0, 1.9, kind="torque")]
    return scene(bodies, 0.3, 1e-3, joints=joints, forces=forces)


@zoo("smooth free")
def welded_pair():
    spin, v = np.array([1.3, -2.1, 0.7]), np.array([0.3, 0.1, -0.2])
    far = np.array([0.31, 0.12, -0.14])
    bodies = [
        rigid("a", explicit(1.37, LUMP), [0, 0, 0], v, spin),
        rigid("b", solid_box(0.83, 0.11, 0.23, 0.31), far, v + np.cross(spin, far), spin, [0.1, 0.7, 0.2]),
    ]
    return scene(
        bodies, 0.4, 2e-3, gravity=[0, 0, 0], joints=[joint("weld", "fixed", "a", "b", [0.1, 0.05, 0])]
    )


@zoo("smooth free short")
def free_chain():
    spin, v = np.array([0.9, -1.7, 2.1]), np.array([0.2, 0.3, -0.1])
    places = [np.zeros(3), np.array([0.4, 0.1, 0.05]), np.array([0.7, 0.35, -0.1])]
    bodies = [
        rigid(f"link{i}", explicit(0.7 + 0.2 * i, SMALL_LUMP), p.tolist(), v + np.cross(spin, p), spin)
        for i, p in enumerate(places)
    ]
    joints = [
        joint("j0", "spherical", "link0", "link1", [0.2, 0.06, 0.02]),
        joint("j1", "revolute", "link1", "link2", [0.55, 0.2, -0.03], AXIS),
    ]
    forces = [{
        "name": "motor", "type": "torsional_spring_damper", "joint": "j1", "stiffness": 3.7, "damping": 0.03,
        "rest_angle": 0.4,
    }]
    return scene(bodies, 0.4, 2e-3, gravity=[0, 0, 0], joints=joints, forces=forces)


@zoo("smooth lock")
def locked_coin():
    body = rigid("coin", explicit(0.37, SMALL_LUMP), [0.2, 0.1, 0.3], [0.3, 0.5, 0], [0, 0, 3.7])
    return scene(
        [body], 0.3, 2e-3,
        joints=[{
            "name": "hold", "type": "lock", "body": "coin", "translation": ["z"], "rotation": ["x", "y"]
        }],
    )


@zoo("smooth events short")
def double_pendulum():
    bodies = [
        rigid("upper", explicit(1.37, LUMP), [0.31, 0.02, -0.15]),
        rigid("lower", explicit(0.71, SMALL_LUMP), [0.72, 0.13, -0.31]),
    ]
    joints = [
        joint("p", "revolute", "ground", "upper", [0, 0, 0], [0.1, 0.9, 0.2]),
        joint("q", "revolute", "upper", "lower", [0.53, 0.07, -0.22], [0.2, 0.8, -0.3]),
    ]
    forces = [{
        "name": "coil", "type": "torsional_spring_damper", "joint": "q", "stiffness": 1.9, "damping": 0.02,
        "rest_angle": -0.3,
    }]
    return scene(bodies, 0.4, 2e-3, joints=joints, forces=forces)


@zoo("smooth redundant")
def four_bar():
    """A closed loop in a skew plane; four revolute joints hold it three times too often."""
    e = np.linalg.qr(np.array([[0.9, 0.2, 0.3], [0.1, 0.8, -0.2], [-0.3, 0.3, 0.9]]))[0]
    points = [0 * e[0], 0.21 * e[0] + 0.13 * e[1], 0.63 * e[0] + 0.31 * e[1], 0.52 * e[0] - 0.02 * e[1]]
    links = ["crank", "coupler", "rocker"]
    bodies = [
        rigid(n, solid_box(0.4 + 0.3 * i, 0.05, 0.07, 0.31), (points[i] + points[i + 1]) / 2)
        for i, n in enumerate(links)
    ]
    hinges = ["ground", *links, "ground"]
    joints = [joint(f"h{i}", "revolute", hinges[i], hinges[i + 1], points[i], e[2]) for i in range(4)]
    return scene(bodies, 0.3, 2e-3, joints=joints)


@zoo("smooth short")
def slider_crank():
    """Driven with a speed that changes; not redundant."""
    bodies = [
        rigid("crank", solid_box(0.31, 0.13, 0.03, 0.02), [0.06, 0.01, 0.02]),
        rigid("rod", solid_box(0.47, 0.41, 0.03, 0.02), [0.31, 0.02, 0.01]),
        rigid("slider", solid_box(0.83, 0.1, 0.07, 0.05), [0.52, 0.02, 0.0]),
    ]
    motor = {"type": "speed", "value": expression("3.7*t/(0.05+t)")}
    joints = [
        joint("motor", "revolute", "ground", "crank", [0, 0, 0], [0, -1, 0], drive=motor),
        joint("p1", "universal", "crank", "rod", [0.12, 0.02, 0.03], [0, 1, 0], axis_2=[0, 0, 1]),
        joint("p2", "spherical", "rod", "slider", [0.5, 0.02, 0.0]),
        joint("guide", "prismatic", "ground", "slider", [0.5, 0.02, 0.0], [1, 0, 0]),
    ]
    return scene(bodies, 0.4, 2e-3, joints=joints)


@zoo("smooth")
def driven_arms():
    """Position drives, turning and sliding."""
    bodies = [
        rigid("arm", explicit(1.37, LUMP), [0.31, 0.22, -0.45]),
        rigid("slide", explicit(0.71, SMALL_LUMP), [0.4, 0.4, -0.5]),
    ]
    joints = [
        joint(
            "pin", "revolute", "ground", "arm", [0.03, -0.04, 0.11], AXIS,
            drive={"type": "position", "value": expression("0.3*(1-cos(5*t))")},
        ),
        joint(
            "slot", "prismatic", "arm", "slide", [0.4, 0.4, -0.5], [0.5, 0.2, 0.8],
            drive={"type": "position", "value": expression("0.07*(1-cos(9*t))")},
        ),
    ]
    return scene(bodies, 0.3, 2e-3, joints=joints)


# ---- balls, points and boxes on floors


def ball(name, mass, radius, at, linear=(0, 0, 0), angular=(0, 0, 0)):
    return rigid(name, solid_sphere(mass, radius), at, linear, angular)


def skin(name, radius):
    return collider(f"{name}_skin", name, "sphere", radius=radius)


def on_floor(body, radius, law, end, step, **options):
    return scene(
        [body], end, step, colliders=[skin(body["name"], radius), FLOOR],
        contacts=[contact("touch", "floor", f"{body['name']}_skin", **law)], **options,
    )


@zoo("impact ballistic events short")
def ball_bounces():
    body = ball("ball", 0.83, 0.107, [0.1, 0.2, 0.3531], [0.71, -0.43, -0.37], [3.1, 2.3, -1.7])
    return on_floor(body, 0.107, {"restitution": 0.73, "friction": 0.21}, 0.5, 2e-3)


@zoo("impact ballistic")
def ball_bounces_by_moreau():
    return with_integrator(ball_bounces(), "moreau_jean", theta=0.5)


@zoo("impact ballistic")
def ball_bounces_by_events():
    return with_integrator(ball_bounces(), "event_driven")


@zoo("impact ballistic short")
def superball():
    body = ball("ball", 0.083, 0.031, [0.1, 0.2, 0.0731], [1.71, -0.83, -1.37], [31.0, 23.0, -57.0])
    return on_floor(
        body, 0.031, {"restitution": 0.9, "tangential_restitution": 0.6, "friction": 1.3}, 0.3, 1.3e-3
    )


@zoo("lasting changes events short")
def ball_slides_and_rolls():
    """It rolls after about 0.23 s."""
    body = ball("ball", 0.83, 0.107, [0.1, 0.2, 0.107], [1.31, -0.43, 0.0], [0, 0, 3.3])
    return on_floor(body, 0.107, {"friction": 0.17}, 0.4, 2e-3, gravity=[0, 0, -9.467])


@zoo("lasting changes short")
def ball_with_rolling_and_spinning():
    body = ball("ball", 0.83, 0.107, [0.1, 0.2, 0.107], [0.31, -0.23, 0.0], [2.1, 2.9, 7.3])
    return on_floor(
        body, 0.107, {"friction": 0.37, "rolling_friction": 0.0031, "spinning_friction": 0.0043}, 0.4, 2e-3,
        gravity=[0.2, -0.1, -9.467],
    )


@zoo("lasting changes")
def ball_that_spins_slides_more_easily():
    law = {"friction": 0.21, "spinning_friction": 0.0053, "sliding_and_spinning": "coupled"}
    body = ball("ball", 0.83, 0.107, [0.1, 0.2, 0.107], [0.71, -0.23, 0.0], [2.1, 2.9, 17.3])
    return on_floor(body, 0.107, law, 0.3, 2e-3, gravity=[0, 0, -9.467])


@zoo("impact")
def rolling_ball_hits_a_wall():
    body = ball("ball", 0.83, 0.107, [0.1, 0.2, 0.107], [0.91, 0.33, 0], [-0.33 / 0.107, 0.91 / 0.107, 1.3])
    wall = plane("wall", [0.4137, 0, 0], [-0.9, -0.3, 0])
    law = {"friction": 0.3, "restitution": 0.6, "rolling_friction": 0.001}
    contacts = [contact("below", "floor", "ball_skin", **law), contact("side", "wall", "ball_skin", **law)]
    return scene(
        [body], 0.4, 2e-3, gravity=[0, 0, -9.467], colliders=[skin("ball", 0.107), FLOOR, wall],
        contacts=contacts,
    )


def point_on_slope(law, speed, end, step, gravity=SKEW_GRAVITY, **options):
    body = mass_point("block", 0.71, [0.1, 0.2, 0], speed)
    return scene(
        [body], end, step, gravity=gravity, colliders=[collider("foot", "block", "point"), FLOOR],
        contacts=[contact("touch", "floor", "foot", **law)], **options,
    )


@zoo("lasting events short")
def point_slides_in_a_curve():
    return point_on_slope({"friction": 0.23}, [0.31, 0.87, 0], 0.3, 2e-3, gravity=[3.713, -1.134, -9.467])


@zoo("lasting")
def point_slides_by_moreau():
    return with_integrator(point_slides_in_a_curve(), "moreau_jean")


@zoo("lasting changes events short")
def point_stops():
    return point_on_slope({"friction": 0.31}, [0.31, 0.27, 0], 0.4, 2e-3)


@zoo("lasting changes")
def point_stops_by_events():
    return with_integrator(point_stops(), "event_driven")


@zoo("lasting")
def friction_falls_with_speed():
    law = {"friction": {"type": "exponential", "base": 0.13, "amplitude": 0.21, "decay": 3.7}}
    return point_on_slope(law, [0.81, 0.57, 0], 0.3, 2e-3)


@zoo("lasting changes")
def friction_of_stribeck():
    law = {"static": 0.37, "kinetic": 0.23, "stribeck_velocity": 0.13, "viscous": 0.05}
    return point_on_slope({"friction": {"type": "stribeck", **law}}, [0.81, 0.57, 0], 0.3, 2e-3)


@zoo("lasting changes")
def block_is_pulled_off():
    """A force grows until the block slips, at 0.137 s."""
    model = point_on_slope({"friction": 0.31}, [0, 0, 0], 0.3, 2e-3, gravity=[0, 0, -9.467])
    model["model"]["forces"] = [push("pull", frame("block"), expression("13.1*t"), expression("8.1*t"), 0)]
    return model


@zoo("impact short")
def block_on_a_belt():
    """Drops on a running belt, sticks to it, is torn off by its spring."""
    body = mass_point("block", 1.31, [0.37, 0.05, 0.0213])
    forces = [spring("spring", frame("ground", [-0.3, 0, 0.1]), frame("block"), 93.0, 0.2)]
    belt = plane("belt", [0, 0, 0], [0, 0, 1], surface_velocity=[0.53, 0.11, 0])
    return scene(
        [body], 0.5, 2.5e-3, gravity=[0, 0, -9.467], forces=forces,
        colliders=[collider("foot", "block", "point"), belt],
        contacts=[contact("touch", "belt", "foot", friction=0.41, restitution=0.3)],
    )


BOX = (0.31, 0.23, 0.17)


def box_scene(
    at, law, end, step, linear=(0, 0, 0), angular=(0, 0, 0), turned=(0, 0, 0), gravity=SKEW_GRAVITY
):
    body = rigid("box", solid_box(1.31, *BOX), at, linear, angular, turned)
    return scene(
        [body], end, step, gravity=gravity, colliders=[collider("hull", "box", "box", size=list(BOX)), FLOOR],
        contacts=[contact("touch", "floor", "hull", **law)],
    )


@zoo("lasting changes redundant short")
def box_slides():
    return box_scene(
        [0.1, 0.2, BOX[2] / 2], {"friction": 0.23}, 0.3, 2e-3, [0.61, 0.33, 0], turned=[0, 0, 0.4]
    )


@zoo("lasting changes redundant")
def box_slides_and_turns():
    return box_scene(
        [0.1, 0.2, BOX[2] / 2], {"friction": 0.23}, 0.3, 2e-3, [0.31, 0.13, 0], [0, 0, 3.3],
        turned=[0, 0, 0.4],
    )


@zoo("lasting redundant short")
def box_sticks():
    return box_scene([0.1, 0.2, BOX[2] / 2], {"friction": 0.37}, 0.2, 2e-3)


@zoo("impact ballistic short")
def box_tumbles():
    return box_scene(
        [0.1, 0.2, 0.2431], {"friction": 0.37, "restitution": 0.4}, 0.3, 1.3e-3, [0.3, 0.1, -0.4],
        [1.3, 0.7, 0.9], [0.4, 0.3, 0.2],
    )


@zoo("impact ballistic")
def box_tumbles_by_events():
    return with_integrator(box_tumbles(), "event_driven")


@zoo("lasting events")
def rod_falls_over():
    """Over its sticking tip."""
    half = 0.37
    lean = np.array([0.3, 0.2, 1.0]) / np.linalg.norm([0.3, 0.2, 1.0])
    turn = np.cross([0, 0, 1], lean)
    turn *= math.asin(np.linalg.norm(turn)) / np.linalg.norm(turn)
    rod = {"type": "solid_cylinder", "mass": 0.73, "radius": 0.03, "length": 2 * half, "axis": [0, 0, 1]}
    body = rigid("rod", rod, half * lean, turned=turn)
    return scene(
        [body], 0.25, 2e-3, gravity=[0, 0, -9.467],
        colliders=[collider("tip", "rod", "point", [0, 0, -half]), FLOOR],
        contacts=[contact("touch", "floor", "tip", friction=1.1)],
    )


@zoo("lasting redundant short")
def three_balls_in_a_pit():
    """Two on the floor between walls, one above them: all rest."""
    bodies = [
        ball("a", 0.83, 0.1, [0.1, 0, 0.1]),
        ball("b", 0.71, 0.1, [0.32, 0, 0.1]),
        ball("c", 0.53, 0.1, [0.21, 0, 0.1 + math.sqrt(0.2**2 - 0.11**2)]),
    ]
    colliders = [skin(n, 0.1) for n in "abc"] + [
        FLOOR, plane("left", [0, 0, 0], [1, 0, 0]), plane("right", [0.42, 0, 0], [-1, 0, 0])
    ]
    contacts = [
        contact("below", "floor", ["a_skin", "b_skin"], friction=0.3),
        contact("balls", "c_skin", ["a_skin", "b_skin"], friction=0.2),
        contact("walls", ["left", "right"], ["a_skin", "b_skin"], friction=0.1),
    ]
    return scene(bodies, 0.2, 2e-3, gravity=[0, 0, -9.467], colliders=colliders, contacts=contacts)


@zoo("impact")
def tower_of_balls_falls():
    """The lowest hits first, the others follow."""
    bodies = [
        ball("a", 0.83, 0.1, [0.0, 0, 0.1313]), ball("b", 0.31, 0.07, [0.003, 0.002, 0.3091]),
        ball("c", 0.11, 0.05, [-0.001, 0.003, 0.4353]),
    ]
    colliders = [skin("a", 0.1), skin("b", 0.07), skin("c", 0.05), FLOOR]
    contacts = [
        contact("below", "floor", "a_skin", restitution=0.8),
        contact("ab", "a_skin", "b_skin", restitution=0.7),
        contact("bc", "b_skin", "c_skin", restitution=0.9),
    ]
    return scene(bodies, 0.15, 1e-3, gravity=[0, 0, -9.467], colliders=colliders, contacts=contacts)


@zoo("impact free ballistic events short")
def two_balls_collide():
    bodies = [
        ball("a", 0.83, 0.107, [0, 0, 0], [0.91, 0.13, 0.07], [3.1, -2.3, 5.7]),
        ball("b", 0.37, 0.083, [0.4, 0.07, -0.05], [-0.37, 0.05, 0.2], [-1.3, 0.7, 2.9]),
    ]
    return scene(
        bodies, 0.4, 2e-3, gravity=[0, 0, 0], colliders=[skin("a", 0.107), skin("b", 0.083)],
        contacts=[contact("hit", "a_skin", "b_skin", restitution=0.71, friction=0.19)],
    )


@zoo("impact free ballistic")
def cradle_in_flight():
    """A ball hits a chain of three that touch."""
    x = [-0.2151, 0, 0.1, 0.2]
    bodies = [
        ball(f"b{i}", 0.31 + 0.07 * i, 0.05, [x[i], 0.003 * (i == 0), 0], [1.37 * (i == 0), 0, 0])
        for i in range(4)
    ]
    contacts = [contact(f"k{i}", f"b{i}_skin", f"b{i + 1}_skin", restitution=0.9) for i in range(3)]
    return scene(
        bodies, 0.3, 2e-3, gravity=[0, 0, 0], colliders=[skin(f"b{i}", 0.05) for i in range(4)],
        contacts=contacts,
    )


@zoo("lasting")
def ball_in_a_bowl():
    body = ball("ball", 0.31, 0.053, [0.2, 0.1, -math.sqrt(0.447**2 - 0.05)], [0.2, -0.4, 0])
    return scene(
        [body], 0.3, 2e-3, gravity=[0, 0, -9.467],
        colliders=[skin("ball", 0.053), collider("bowl", "ground", "hollow_sphere", radius=0.5)],
        contacts=[contact("touch", "bowl", "ball_skin", friction=0.07)],
    )


@zoo("lasting free short")
def ball_on_a_floating_plate():
    """A ball slides over a plate that spins; a spring holds it there. Nothing from outside."""
    spin = np.array([0.3, -0.2, 1.7])
    at = np.array([0.21, 0.13, 0.107])
    bodies = [
        rigid(
            "plate", explicit(2.3, [[0.11, 0.01, 0], [0.01, 0.13, 0.005], [0, 0.005, 0.21]]), [0, 0, 0],
            angular=spin,
        ),
        ball("ball", 0.53, 0.067, at, np.cross(spin, at) + [0.4, -0.3, 0]),
    ]
    forces = [spring("s", frame("plate", [0, 0, -0.1]), frame("ball"), 61.0, rest_length=0.11)]
    return scene(
        bodies, 0.2, 1e-3, gravity=[0, 0, 0], forces=forces,
        colliders=[skin("ball", 0.067), plane("top", [0, 0, 0.04], [0, 0, 1], body="plate")],
        contacts=[contact("touch", "top", "ball_skin", friction=0.17)],
    )


@zoo("lasting")
def ball_on_a_drum():
    """Rolls off a cylinder that is fixed."""
    body = ball("ball", 0.31, 0.053, [0.1, 0.02, math.sqrt(0.353**2 - 0.01)])
    drum = collider("drum", "ground", "cylinder", radius=0.3, length=2, axis=[0, 1, 0])
    return scene(
        [body], 0.2, 1e-3, gravity=[0, 0, -9.467], colliders=[skin("ball", 0.053), drum],
        contacts=[contact("touch", "drum", "ball_skin", friction=0.3)],
    )


# ---- joints and contacts


@zoo("lasting short")
def lever_on_a_prop():
    body = rigid("lever", solid_box(2.13, 0.97, 0.05, 0.07), [0.43, 0, 0])
    return scene(
        [body], 0.1, 1e-3, gravity=[0, 0, -9.467],
        joints=[joint("pin", "revolute", "ground", "lever", [0, 0, 0], [0, 1, 0])],
        colliders=[collider("end", "lever", "point", [0.39, 0.0, 0]), FLOOR],
        contacts=[contact("touch", "floor", "end")],
    )


@zoo("lasting redundant short")
def crank_rubs():
    """A driven slider-crank whose slider is a ball that cannot turn and rubs on a floor."""
    bodies = [
        rigid("crank", solid_box(0.13, 0.11, 0.02, 0.02), [0.05, 0, 0.053]),
        rigid("rod", solid_box(0.17, 0.41, 0.02, 0.02), [0.3, 0, 0.053]),
        ball("slider", 1.31, 0.053, [0.5, 0, 0.053]),
    ]
    drive = {"type": "speed", "value": expression("2.3*(1-exp(-50*t))")}
    joints = [
        joint("motor", "revolute", "ground", "crank", [0, 0, 0.053], [0, -1, 0], drive=drive),
        joint("p1", "revolute", "crank", "rod", [0.1, 0, 0.053], [0, -1, 0]),
        joint("p2", "revolute", "rod", "slider", [0.5, 0, 0.053], [0, -1, 0]),
    ]
    return scene(
        bodies, 0.3, 2e-3, gravity=[0, 0, -9.467], joints=joints, colliders=[skin("slider", 0.053), FLOOR],
        contacts=[contact("rub", "floor", "slider_skin", friction=0.27)],
    )


@zoo("lasting redundant")
def two_rods_on_a_floor():
    """Two hinged rods, the tip of the second slides."""
    bodies = [
        rigid("upper", solid_box(0.83, 0.71, 0.03, 0.05), [0.3, 0, 0.55], turned=[0, 0.3, 0]),
        rigid("lower", solid_box(0.61, 0.7, 0.03, 0.05), [0.8, 0, 0.223], turned=[0, 0.7, 0]),
    ]
    tip = [0.31, 0.0, 0.0]
    bodies[1]["pose"]["position"][2] = 0.31 * math.sin(0.7)
    joints = [
        joint("h0", "revolute", "ground", "upper", [0, 0, 0.6], [0, 1, 0]),
        joint("h1", "revolute", "upper", "lower", [0.55, 0, 0.4], [0, 1, 0]),
    ]
    return scene(
        bodies, 0.15, 1e-3, gravity=[0, 0, -9.467], joints=joints,
        colliders=[collider("tip", "lower", "point", tip), FLOOR],
        contacts=[contact("touch", "floor", "tip", friction=0.13)],
    )


@zoo("impact events short")
def pendulum_hits_a_wall():
    body = rigid("bob", explicit(1.37, LUMP), [0.41, 0.02, -0.15])
    wall = plane("wall", [0.0137, 0, 0], [0.97, 0.1, 0.05])
    return scene(
        [body], 0.5, 2e-3, joints=[joint("pin", "revolute", "ground", "bob", [0, 0, 0], [0.1, 0.9, 0.2])],
        colliders=[collider("nose", "bob", "sphere", [0.05, 0.03, -0.06], radius=0.041), wall],
        contacts=[contact("hit", "wall", "nose", restitution=0.63)],
    )


@zoo("impact")
def pendulum_hits_a_wall_by_events():
    return with_integrator(pendulum_hits_a_wall(), "event_driven")


@zoo("impact short")
def double_pendulum_hits_a_wall():
    model = double_pendulum()
    model["simulation"] = {
        "end_time": 0.45,
        "integrator": {"type": "nonsmooth_generalized_alpha", "step": 1.5e-3, "rho_inf": 0.8},
    }
    model["model"]["colliders"] = [
        collider("nose", "lower", "sphere", [0.1, 0.03, 0.02], radius=0.037),
        plane("wall", [0.1, 0, 0], [1, 0.07, 0.11]),
    ]
    model["model"]["contacts"] = [contact("hit", "wall", "nose", restitution=0.57, friction=0.2)]
    return model


@zoo("impact lock redundant")
def box_in_a_slot():
    """With play, pushed to and fro."""
    size = [0.21, 0.11, 0.083]
    body = rigid("block", solid_box(0.61, *size), [0, 0, 0.001], [0.3, 0, 0.13], [0, 0.1, 0])
    walls = [plane("below", [0, 0, -0.0431], [0, 0, 1]), plane("above", [0, 0, 0.0439], [0, 0, -1])]
    lock = {"name": "flat", "type": "lock", "body": "block", "translation": ["y"], "rotation": ["x", "z"]}
    force = push("push", frame("block", [0.07, 0, 0.02]), 0, 0, expression("7.3*sin(31*t)"))
    return scene(
        [body], 0.25, 1e-3, gravity=[0, 0, 0], joints=[lock], forces=[force],
        colliders=[collider("hull", "block", "box", size=size), *walls],
        contacts=[contact("slot", ["below", "above"], "hull", friction=0.2, restitution=0.3)],
    )


@zoo("impact redundant short")
def pin_with_clearance():
    """A swinging body on a disc in a bore."""
    body = rigid("arm", explicit(0.83, SMALL_LUMP), [0.17, 0.03, -0.11])
    bore = collider("eye", "ground", "bore", radius=0.0213, length=0.03, axis=[0, 1, 0])
    pin = collider("pin", "arm", "cylinder", [-0.17, -0.03, 0.11], radius=0.0201, length=0.0, axis=[0, 1, 0])
    flat = joint("flat", "planar", "ground", "arm", [0.17, 0.03, -0.11], [0, 1, 0])
    return scene(
        [body], 0.15, 7e-4, gravity=[0.3, 0, -9.467], rho=0.5, joints=[flat], colliders=[bore, pin],
        contacts=[contact("fit", "eye", "pin", restitution=0.5, friction=0.09)],
    )


@zoo("impact redundant")
def bracket_on_a_pin():
    body = rigid("bracket", solid_box(1.9, 0.1, 0.05, 0.05), [0.143, 0, 0])
    colliders = [
        collider("bore", "ground", "bore", radius=0.0103, length=0.097, axis=[1, 0, 0]),
        collider("pin", "bracket", "cylinder", [-0.143, 0, 0], radius=0.01, length=0.103, axis=[1, 0, 0]),
    ]
    return scene(
        [body], 0.03, 1.3e-4, gravity=[0, 0, -9.467], colliders=colliders,
        contacts=[contact("fit", "bore", "pin", friction=0.11)],
    )


def bearing(**options):
    return {
        "name": "bearing",
        "inner": frame("inner"),
        "outer": frame("ground"),
        "balls": 5,
        "ball_radius": 0.00397,
        "inner_radius": 0.01277,
        "outer_radius": 0.02073,
        "first_angle": 0.31,
        "friction": 0.003,
        **options,
    }


@zoo("impact redundant lock")
def bearing_in_a_plane():
    """The inner ring does not turn; its load does."""
    body = rigid(
        "inner", explicit(0.53, [[1e-4, 0, 0], [0, 1e-4, 0], [0, 0, 2e-4]]), [0, -1e-5, 0],
        angular=[0, 0, 17.0],
    )
    lock = {"name": "guide", "type": "lock", "body": "inner", "translation": ["z"], "rotation": ["x", "y"]}
    load = push("load", frame("inner"), expression("13*sin(40*t)"), -37.0, 0)
    cage = {"type": "springs", "stiffness": 1e6, "damping": 10.0}
    return scene(
        [body], 0.02, 1e-4, rho=0, gravity=[0, -9.467, 0], joints=[lock], forces=[load],
        ball_bearings=[bearing(planar=True, cage=cage)],
    )


@zoo("impact redundant")
def bearing_with_grooves():
    body = rigid(
        "inner", explicit(0.53, [[1e-4, 0, 0], [0, 1e-4, 0], [0, 0, 2e-4]]), [0, 0, 0], angular=[0, 0, 17.0]
    )
    load = push("load", frame("inner"), 3.0, -37.0, 11.0)
    grooves = {"inner_groove_radius": 0.0041, "outer_groove_radius": 0.0041}
    cage = {"type": "ring", "mass": 0.005, "clearance": 0.0002, "friction": 0.05}
    return scene(
        [body], 0.006, 5e-5, rho=0, gravity=[0, -9.467, 0], forces=[load],
        ball_bearings=[bearing(cage=cage, **grooves)],
    )


# ---- flexible bodies


RUBBER = {"young_modulus": 2.1e6, "poisson_ratio": 0.31, "density": 1130.0}
STRIP = {"type": "rectangular", "width": 0.031, "height": 0.017}


def beam(name, start, end, elements=4, kind="beam", **options):
    return {
        "name": name, "type": kind, "start": list(start), "end": list(end), "elements": elements,
        "section": STRIP, "material": RUBBER, **options,
    }


@zoo("smooth flexible short")
def cantilever_falls():
    rod = beam("rod", [0, 0, 0], [0.41, 0.12, 0.07], orientation=[0.1, 0.2, 0.9])
    return scene(
        [rod], 0.1, 1e-3,
        joints=[{
            "name": "clamp", "type": "fixed", "between": [frame("ground", [0, 0, 0]), frame("rod", node=0)]
        }],
    )


@zoo("smooth flexible free")
def beam_flies():
    rod = beam(
        "rod", [0, 0, 0], [0.41, 0.12, 0.07], orientation=[0.1, 0.2, 0.9],
        velocity={"linear": [0.3, -0.2, 0.5], "angular": [2.1, 3.7, -1.3]},
        damping={"type": "stiffness_proportional", "time": 2e-3},
    )
    return scene([rod], 0.1, 1e-3, gravity=[0, 0, 0])


@zoo("smooth flexible")
def arc_with_a_bob():
    """A curved beam between a hinge and a rigid body."""
    rod = beam(
        "arc", [0, 0, 0], [0.4, 0.1, 0], elements=4, orientation=[0, 0.1, 0.9], through=[0.2, 0.06, 0.1]
    )
    bob = rigid("bob", explicit(0.17, SMALL_LUMP), [0.43, 0.12, -0.03])
    joints = [
        {"name": "hinge", "type": "spherical", "between": [frame("ground"), frame("arc", node=0)]},
        {
            "name": "weld", "type": "fixed",
            "between": [frame("bob", [-0.03, -0.02, 0.03]), frame("arc", node=4)],
        },
    ]
    return scene([rod, bob], 0.1, 1e-3, joints=joints)


@zoo("smooth flexible")
def hermite_beam_swings():
    rod = beam("rod", [0, 0, 0], [0.41, 0.12, 0.07], orientation=[0.1, 0.2, 0.9], mass="hermite")
    return scene(
        [rod], 0.1, 1e-3,
        joints=[{"name": "hinge", "type": "spherical", "between": [frame("ground"), frame("rod", node=0)]}],
    )


@zoo("impact flexible short")
def bar_hits_a_wall():
    bar = beam("bar", [-0.4, 0, 0], [0, 0, 0], elements=8, kind="bar", velocity={"linear": [1.37, 0, 0]})
    return scene(
        [bar], 0.06, 4e-4, gravity=[0, 0, 0],
        colliders=[
            {"name": "tip", "frame": frame("bar", node=8), "shape": {"type": "point"}},
            plane("wall", [0.0131, 0, 0], [-1, 0, 0]),
        ],
        contacts=[contact("hit", "wall", "tip")],
    )


@zoo("impact flexible")
def beam_drops_on_a_rough_floor():
    rod = beam(
        "rod", [0, 0, 0.0113], [0.41, 0.07, 0.123], orientation=[0.1, 0.2, 0.9],
        velocity={"linear": [0.4, 0.1, -0.9]},
    )
    colliders = [
        {"name": "ends", "frame": {"body": "rod", "nodes": "all"}, "shape": {"type": "point"}}, FLOOR
    ]
    return scene(
        [rod], 0.08, 5e-4, colliders=colliders, contacts=[contact("touch", "floor", "ends", friction=0.3)]
    )


@zoo("impact flexible short")
def ball_on_a_beam():
    rod = beam("rod", [0, 0, 0], [0.5, 0, 0], elements=4)
    bob = ball("bob", 0.11, 0.03, [0.25, 0.001, 0.0431], [0.1, 0, -0.3])
    joints = [
        {"name": "left", "type": "fixed", "between": [frame("ground"), frame("rod", node=0)]},
        {
            "name": "right", "type": "spherical",
            "between": [frame("ground", [0.5, 0, 0]), frame("rod", node=4)],
        },
    ]
    colliders = [
        skin("bob", 0.03),
        {
            "name": "top", "frame": frame("rod", [0, 0, 0.0085], node=2),
            "shape": {"type": "face", "normal": [0, 0, 1]},
        },
    ]
    return scene(
        [rod, bob], 0.1, 1e-3, gravity=[0, 0, -9.467], joints=joints, colliders=colliders,
        contacts=[contact("hit", "top", "bob_skin", restitution=0.2, friction=0.2)],
    )


def cube(name, at, size, divisions, **options):
    return {
        "name": name, "type": "solid", "mesh": {"type": "box", "size": size, "divisions": divisions},
        "material": {"young_modulus": 3.1e4, "poisson_ratio": 0.31, "density": 913.0},
        "pose": {"position": at}, **options,
    }


@zoo("impact flexible short")
def soft_cube_drops():
    body = cube("cube", [0, 0, 0.0617], [0.1, 0.09, 0.11], [1, 1, 2], velocity={"linear": [0.1, 0.05, -0.4]})
    colliders = [
        {"name": "bottom", "frame": {"body": "cube", "nodes": "z_min"}, "shape": {"type": "point"}}, FLOOR
    ]
    return scene(
        [body], 0.06, 5e-4, gravity=[0, 0, -9.467], colliders=colliders,
        contacts=[contact("touch", "floor", "bottom", friction=0.3)],
    )


@zoo("smooth flexible")
def soft_block_swings():
    body = cube(
        "block", [0.1, 0, 0], [0.2, 0.07, 0.05], [2, 1, 1],
        damping={"type": "stiffness_proportional", "time": 3e-3},
    )
    hinge = {
        "name": "hinge", "type": "fixed", "between": [frame("ground"), {"body": "block", "nodes": "x_min"}]
    }
    return scene([body], 0.1, 1e-3, joints=[hinge])


# ---- solids


@zoo("impact free redundant solids short")
def crates_collide():
    """A corner meets a face, off the centres of both."""
    bodies = [
        rigid("first", solid_box(1.37, 0.23, 0.19, 0.17), [0, 0, 0], turned=[0.3, -0.2, 0.7]),
        rigid("second", solid_box(0.8, 0.21, 0.15, 0.2), [0.6, 0.05, 0.03], [-2.3, 0.1, 0.2], [1.2, -0.7, 3.1],
              [1.1, 0.4, -0.3]),
    ]
    colliders = [
        collider("first_skin", "first", "box", size=[0.23, 0.19, 0.17]),
        collider("second_skin", "second", "box", size=[0.21, 0.15, 0.2]),
    ]
    return scene(
        bodies, 0.5, 2e-3, gravity=[0, 0, 0], colliders=colliders,
        contacts=[contact("touch", "first_skin", "second_skin", restitution=0.37, friction=0.31)],
    )


@zoo("impact free solids short")
def capsule_meets_a_crate():
    bodies = [
        rigid("crate", solid_box(1.37, 0.23, 0.19, 0.17), [0, 0, 0], turned=[0.3, -0.2, 0.7]),
        rigid("pill", explicit(0.6, LUMP), [0.5, 0.03, 0.02], [-1.7, 0.1, 0.05], [0.4, 1.3, -2.2], [0.9, 0.1, 0.4]),
    ]
    colliders = [
        collider("crate_skin", "crate", "box", size=[0.23, 0.19, 0.17]),
        collider("pill_skin", "pill", "capsule", radius=0.04, length=0.17),
    ]
    return scene(
        bodies, 0.5, 2e-3, gravity=[0, 0, 0], colliders=colliders,
        contacts=[contact("touch", "crate_skin", "pill_skin", restitution=0.53, friction=0.27)],
    )


# ---- random ones


def random_scene(seed):
    """Bodies of random kinds above a floor, some of them joined or tied by springs."""
    random = np.random.default_rng(seed)

    def vector(size):
        return random.uniform(-size, size, 3).tolist()

    bodies, joints, forces, colliders, contacts = [], [], [], [FLOOR], []
    for i in range(random.integers(2, 5)):
        place = [0.7 * i + random.uniform(-0.1, 0.1), random.uniform(-0.2, 0.2), random.uniform(0.25, 0.5)]
        radius, mass = random.uniform(0.05, 0.11), random.uniform(0.2, 2)
        kind = random.choice(["ball", "lump", "point"])
        name = f"{kind}{i}"
        if kind == "point":
            bodies.append(mass_point(name, mass, place, vector(0.7)))
            colliders.append(collider(f"{name}_skin", name, "point"))
        else:
            box = solid_box(mass, *random.uniform(0.1, 0.3, 3).tolist()) if kind == "lump" else None
            bodies.append(rigid(name, box or solid_sphere(mass, radius), place, vector(0.7), vector(3)))
            colliders.append(skin(name, radius))
        law = {"restitution": random.uniform(0, 0.9), "friction": random.uniform(0, 0.5)}
        contacts.append(contact(f"touch{i}", "floor", f"{name}_skin", **law))
        if i and random.random() < 0.5:
            ends = frame(bodies[i - 1]["name"]), frame(name)
            forces.append(spring(f"spring{i}", *ends, random.uniform(5, 50), random.uniform(0, 0.5)))
    if random.random() < 0.5:
        hook = rigid("hook", explicit(1.37, LUMP), [0.2, 1.1, 0.5])
        bodies.append(hook)
        joints.append(joint("pin", "revolute", "ground", "hook", [0.1, 1, 0.8], vector(1)))
    return scene(
        bodies, 0.3, 2e-3, gravity=[0, 0, -9.467], joints=joints, forces=forces, colliders=colliders,
        contacts=contacts,
    )


for seed in range(12):
    ZOO[f"random{seed}"] = Entry(
        f"random{seed}", frozenset(["impact", "random"] + ["short"] * (seed < 2)),
        functools.partial(random_scene, seed),
    )
