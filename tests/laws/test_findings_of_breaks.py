# SPDX-License-Identifier: Apache-2.0
"""Drives that kink, loads that jump, landings beside dampers: what joints and contacts carry right behind them.

All by closed forms. The method goes on from accelerations; these jump there.
"""

import numpy as np
import pytest
from runs import run

G = 9.81


def scene(bodies, step, end, rho_inf=0.8, integrator="nonsmooth_generalized_alpha", gravity=(0, 0, -G), **parts):
    method = {"type": integrator, "step": step, "rho_inf": rho_inf} | parts.pop("options", {})
    return {
        "saltus": 1,
        "model": {"gravity": list(gravity), "bodies": bodies} | parts,
        "simulation": {"end_time": end, "integrator": method},
    }


def rigid(name, mass, position, velocity=(0, 0, 0), moments=(0.02, 0.04, 0.04)):
    return {
        "name": name,
        "type": "rigid",
        "inertia": {"type": "explicit", "mass": mass, "moments": list(moments)},
        "pose": {"position": list(position)},
        "velocity": {"linear": list(velocity)},
    }


def driven_arm(step, begin, **changes):
    """I = 0.04 + 1.5 · 0.4² about the hinge; from 0 to 2 rad/s within 40 ms."""
    ramp = {"type": "table", "times": [0, begin, begin + 0.04, 1], "values": [0, 0, 2, 2]}
    hinge = {"name": "hinge", "type": "revolute", "bodies": ["ground", "arm"], "at": [0, 0, 0], "axis": "z"}
    return scene(
        [rigid("arm", 1.5, [0.4, 0, 0])],
        step,
        0.12,
        gravity=(0, 0, 0),
        joints=[hinge | {"drive": {"type": "speed", "value": ramp}}],
        **changes,
    )


METHODS = [
    ("nonsmooth_generalized_alpha", {}),
    ("nonsmooth_generalized_alpha", {"coupling": "coupled"}),
    ("generalized_alpha", {}),
]


@pytest.mark.parametrize("integrator, options", METHODS)
@pytest.mark.parametrize("rho_inf", [0.0, 0.8, 1.0])
@pytest.mark.parametrize("begin", [0.02, 0.0203, 0.0207])
def test_a_ramp_of_speed_needs_a_constant_torque(integrator, options, rho_inf, begin):
    """With second order from the row behind a kink on: at rows, where the column has either side, and between."""
    inertia, rate, arm = 0.04 + 1.5 * 0.4**2, 50.0, 1.5 * 0.4

    def error(step):
        result = run(driven_arm(step, begin, rho_inf=rho_inf, integrator=integrator, options=options))
        t, angle, force = result.time, result["hinge.angle"], result["hinge.force"]
        spin = np.interp(t, [0, begin, begin + 0.04, 1], [0, 0, 2, 2])
        along = force[:, 0] * np.cos(angle) + force[:, 1] * np.sin(angle)
        beside = (np.abs(t - begin) > 1e-6) & (np.abs(t - begin - 0.04) > 1e-6)
        torque = inertia * rate * ((t > begin) & (t < begin + 0.04))
        given = inertia * np.diff(result["arm.angular_velocity"][:, 2])
        off_torque = np.abs(result["hinge.torque"][:, 2] - torque)[beside].max() / (inertia * rate)
        off_impulse = np.abs(result["hinge.angular_impulse"][1:, 2] - given).max() / (inertia * rate * step)
        return max(off_torque, off_impulse, np.abs(along + arm * spin**2).max() / (4 * arm))

    coarse, fine = error(1e-3), error(5e-4)
    assert coarse < 2e-3 and fine < coarse / 3


def cam(step, **changes):
    """30 mm (1 − cos) within 50 ms, then a dwell; 0.8 kg."""
    text = "t<0.05 ? 0.015*(1-cos(2*pi*t/0.05)) : 0"
    guide = {"name": "cam", "type": "prismatic", "bodies": ["ground", "tappet"], "at": [0, 0, 0], "axis": "z"}
    drive = {"type": "position", "value": {"type": "expression", "text": text}}
    return scene([rigid("tappet", 0.8, [0, 0, 0])], step, 0.1, joints=[guide | {"drive": drive}], **changes)


@pytest.mark.parametrize("step", [1e-3, 3e-4])
def test_a_cam_with_a_dwell_bears_the_weight_in_it(step):
    result = run(cam(step))
    t, w = result.time, 2 * np.pi / 0.05
    force = 0.8 * (G + np.where(t < 0.05, 0.015 * w**2 * np.cos(w * t), 0))
    beside = np.abs(t - 0.05) > 1e-6
    error = np.abs(result["cam.force"][:, 2] - force)[beside]
    assert error.max() < 2.5e-2 * force.max() * (step / 1e-3) ** 2  # of second order, everywhere


def test_a_driven_cart_with_a_pendulum_is_of_second_order_over_kinks():
    """Of what the drive does not hold, too: wherever in a step the kinks are."""

    def end(step):
        ramp = {"type": "table", "times": [0, 0.0503, 0.1207, 1], "values": [0, 0, 1, 1]}
        guide = {"name": "guide", "type": "prismatic", "bodies": ["ground", "cart"], "at": [0, 0, 0], "axis": "x"}
        pin = {"name": "pin", "type": "revolute", "bodies": ["cart", "bob"], "at": [0, 0, 0], "axis": "y"}
        bodies = [rigid("cart", 2, [0, 0, 0]), rigid("bob", 1, [0, 0, -0.3])]
        joints = [guide | {"drive": {"type": "speed", "value": ramp}}, pin]
        damper = {"type": "torsional_spring_damper", "joint": "pin", "stiffness": 2, "damping": 0.1}
        result = run(scene(bodies, step, 0.3, joints=joints, forces=[damper]))
        return np.array([result["pin.angle"][-1], result["bob.angular_velocity"][-1, 1]])

    exact = end(1e-4)
    errors = [np.abs(end(h) - exact).max() for h in (4e-3, 1e-3)]
    assert errors[0] < 2e-2 and errors[1] < errors[0] / 8


def pressed_block(step, text, **changes):
    """1 kg on a point 0.1 m off its centre, held upright by a lock; pressed by a load."""
    load = {"type": "force", "on": {"body": "b"}, "value": [0, 0, {"type": "expression", "text": text}]}
    return scene(
        [rigid("b", 1, [0, 0, 0])],
        step,
        0.06,
        joints=[{"name": "lock", "type": "lock", "body": "b", "translation": ["x", "y"], "rotation": ["x", "y", "z"]}],
        forces=[load],
        colliders=[
            {"name": "p", "frame": {"body": "b", "position": [0.1, 0, 0]}, "shape": {"type": "point"}},
            {"name": "floor", "frame": {"body": "ground"}, "shape": {"type": "half_space", "normal": [0, 0, 1]}},
        ],
        contacts=[{"name": "k", "between": ["floor", "p"], "restitution": 0, "friction": 0}],
        **changes,
    )


@pytest.mark.parametrize("time", [0.02, 0.0203, 0.0208])
@pytest.mark.parametrize("before, after", [(200, 0), (0, 200)])
def test_a_lock_beside_a_contact_does_not_overshoot_where_a_load_jumps(time, before, after):
    """The torque of the lock is 0.1 N: of one side or of the other, in each row."""
    result = run(pressed_block(1e-3, f"t<{time} ? {-before} : {-after}"))
    t, torque = result.time, np.abs(result["lock.torque"][:, 1])
    assert torque[t < time - 1e-6] == pytest.approx(0.1 * (before + G), rel=1e-7)
    assert torque[t > time + 1e-6] == pytest.approx(0.1 * (after + G), rel=1e-7)
    normal = result["k.impulse.n"][1:] / np.diff(t)
    assert normal[t[:-1] > time - 1e-6] == pytest.approx(after + G, rel=1e-7)


@pytest.mark.parametrize("begin", [0.02, 0.0203, 0.0208])
def test_a_drive_beside_a_contact_does_not_overshoot_where_it_kinks(begin):
    """A carriage with a block that rubs on the floor: m a + μ m g during the ramp."""
    mass, mu, a = 2.0, 0.15, 25.0
    ramp = {"type": "table", "times": [0, begin, begin + 0.02, 1], "values": [0.1, 0.1, 0.1 + 0.02 * a, 0.1 + 0.02 * a]}
    model = pressed_block(1e-3, "0")
    content = model["model"]
    del content["forces"]
    content["bodies"] = [rigid("b", mass, [0, 0, 0], [0.1, 0, 0]), rigid("slide", 1, [0, 0, 0.5], [0.1, 0, 0])]
    rail = {"name": "rail", "type": "prismatic", "bodies": ["ground", "slide"], "at": [0, 0, 0.5], "axis": "x"}
    content["joints"] = [
        rail | {"drive": {"type": "speed", "value": ramp}},
        {"name": "guide", "type": "prismatic", "bodies": ["slide", "b"], "at": [0, 0, 0.5], "axis": "z"},
    ]
    content["contacts"][0]["friction"] = mu
    result = run(model)
    t, pull = result.time, result["guide.force"][:, 0]
    inside = (t > begin + 1e-6) & (t < begin + 0.02 - 1e-6)
    outside = (t < begin - 1e-6) | (t > begin + 0.02 + 1e-6)
    assert pull[inside] == pytest.approx(mass * a + mu * mass * G, rel=1e-6)
    assert pull[outside] == pytest.approx(mu * mass * G, rel=1e-6)


def landing(damping, speed, step, height=0.001, locked=True, **changes):
    """1 kg beside a damper to the ceiling, e = 0."""
    between = [{"body": "ground", "position": [0, 0, 2]}, {"body": "b"}]
    model = pressed_block(step, "0", **changes)
    content = model["model"]
    content["bodies"] = [rigid("b", 1, [0, 0, height], [0, 0, -speed])]
    content["forces"] = [{"type": "spring_damper", "between": between, "stiffness": 0, "damping": damping}]
    if not locked:
        del content["joints"]
        content["colliders"][0]["frame"]["position"] = [0, 0, 0]
    return model


@pytest.mark.parametrize("locked", [True, False])
@pytest.mark.parametrize("height", [0.001, 0.0013])
@pytest.mark.parametrize("damping, speed", [(50, 2), (20, 2), (200, 5)])
def test_a_damper_does_not_push_off_what_has_landed(damping, speed, height, locked):
    """From the row of the landing on at rest; from the next on the floor bears the weight."""
    step = 5e-4
    result = run(landing(damping, speed, step, height, locked))
    impacts = [e for e in result.events if e["kind"] == "impact"]
    assert len(impacts) == 1 and not [e for e in result.events if e["kind"] == "opens"]
    row = int(result.impact_rows[0])
    assert np.abs(result["b.velocity"][row:, 2]).max() < 1e-9
    normal = result["k.impulse.n"][row + 1 :] / step
    wrong = np.abs(normal / G - 1)
    # What the method takes to find rest beside a damper: as at the start of a run.
    assert wrong[0] < 0.6 * step * damping and wrong[20:].max() < 1e-6
    if locked:
        assert result["lock.torque"][row + 1 :, 1] == pytest.approx(0.1 * G, rel=max(0.6 * step * damping, 1e-9))


def test_impulses_of_joints_are_momentum_after_a_bounce_beside_a_damper():
    """A pendulum whose hinge has a damper: m Δv of each row, to round-off."""

    def error(step):
        bob = rigid("r", 2, [0.5, 0, 0], moments=(0.001, 1 / 6, 1 / 6))
        pin = {"name": "pin", "type": "revolute", "bodies": ["ground", "r"], "at": [0, 0, 0], "axis": "y"}
        damper = {"type": "torsional_spring_damper", "joint": "pin", "stiffness": 0, "damping": 0.5}
        colliders = [
            {"name": "tip", "frame": {"body": "r", "position": [0.5, 0, 0]}, "shape": {"type": "point"}},
            {
                "name": "floor",
                "frame": {"body": "ground", "position": [0, 0, -0.3]},
                "shape": {"type": "half_space", "normal": [0, 0, 1]},
            },
        ]
        contacts = [{"name": "k", "between": ["floor", "tip"], "restitution": 0.5, "friction": 0}]
        parts = {"joints": [pin], "forces": [damper], "colliders": colliders, "contacts": contacts}
        result = run(scene([bob], step, 0.4, **parts))
        i = int(result.impact_rows[0])
        given = 2 * np.diff(result["r.velocity"], axis=0) - np.diff(result.time)[:, None] * np.array([0, 0, -2 * G])
        return np.abs(result["pin.impulse"][1:] - given)[i : i + 15].max() / step  # N

    assert error(1e-3) < 1e-9


def beam_on_a_slide(speed, step):
    """A clamped beam upright on a carriage with the drive `speed`, which takes it along from rest."""
    beam = {
        "name": "mast", "type": "beam", "start": [0, 0, 0], "end": [0, 0, 0.4], "elements": 3,
        "section": {"type": "circular", "radius": 0.01}, "material": {"young_modulus": 7e10, "density": 2700},
        "damping": {"type": "stiffness_proportional", "time": 0.002},
    }
    guide = {"name": "guide", "type": "prismatic", "bodies": ["ground", "carriage"], "at": [0, 0, 0], "axis": "x"}
    foot = {"name": "foot", "type": "fixed", "between": [{"body": "carriage"}, {"body": "mast", "node": 0}]}
    return scene(
        [rigid("carriage", 1, [0, 0, 0]), beam], step, 0.3,
        joints=[guide | {"drive": {"type": "speed", "value": speed}}, foot],
    )


@pytest.mark.parametrize("points_a_step", [0.5, 1, 3])
def test_sampled_values_are_as_good_as_the_formula_they_come_from(points_a_step):
    step = 1e-3
    times = np.arange(0, 0.3 + step, step / points_a_step)
    table = {"type": "table", "times": times.tolist(), "values": (0.4 * (1 - np.cos(9 * times))).tolist()}
    by_formula = run(beam_on_a_slide({"type": "expression", "text": "0.4*(1-cos(9*t))"}, step))
    sampled = run(beam_on_a_slide(table, step))
    for column in ("foot.force", "foot.torque", "guide.force", "mast.element0.force"):
        exact, rows = by_formula[column], sampled[column]
        # Linear between points, the table's acceleration is off by half a step's change of it.
        bound = 1.5 * step / min(points_a_step, 1) * 9 * np.abs(exact).max()
        assert np.abs(rows - exact)[20:].max() <= bound, column
