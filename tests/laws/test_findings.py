# SPDX-License-Identifier: Apache-2.0
"""Models of users that found something, each with what it should give: closed forms and balances."""

import json
import pathlib

import numpy as np
import pytest
from runs import failure_of, run

HERE = pathlib.Path(__file__).parent / "findings"


def found(name, **changes):
    model = json.loads((HERE / f"{name}.json").read_text())
    model["simulation"]["integrator"].update(changes)
    return model


def warnings(result):
    return " ".join(str(w) for w in result.summary["warnings"])


def test_a_lever_rests_on_its_hinge_and_its_prop():
    result = run(found("lever_on_prop"))
    assert result["pin.force"][:, 2] == pytest.approx(10.0, abs=1e-9)  # half of 20 N, from the first row on


@pytest.mark.parametrize("step", [2e-3, 1e-3, 2.7e-4])
def test_a_hinge_bears_half_a_rod_that_has_just_stopped_bouncing(step):
    """From the row behind the last impact on, also behind the step in which the last rebound is caught."""
    result = run(found("pendulum_comes_to_rest", step=step))
    last = result.impact_rows[-1]
    assert result["hit.status"][last + 1 :].min() > 0
    assert result["pin.force"][last + 1 :, 2] == pytest.approx(9.81, abs=2e-4)


def test_a_drive_feels_what_rubs():
    """The column is the angular impulse over the step."""
    result = run(found("crank_rub"))
    h = np.diff(result.time)
    mean = result["motor.angular_impulse"][1:, 1] / h
    torque = result["motor.torque"][1:, 1]
    assert np.abs(torque - mean).max() < 2e-3 * np.abs(mean).max()


def test_a_contradiction_elsewhere_leaves_a_rebound_alone():
    result = run(found("hinged_and_ball"))
    assert result["lone.velocity"][-1, 1] == pytest.approx(-0.8 * 2, abs=1e-12)
    assert '"touch"' in warnings(result) and '"lone_hit"' not in warnings(result)


def test_a_slow_impact_keeps_its_restitution_beside_a_bullet():
    result = run(found("slow_bullet"))
    assert result["slow.velocity"][-1, 2] == pytest.approx(0.8 * 0.0005, rel=1e-9)


@pytest.mark.parametrize("name, other", [("pair_only", 0.0), ("masked_gain", 25.0)])
def test_restitution_is_reduced_as_far_as_it_wins_energy(name, other):
    """All of the kinetic energy of the pair is kept, and none is won; the lone ball loses its own."""
    result = run(found(name))
    kept = result["energy.kinetic"][-1] / (result["energy.kinetic"][0] - other)
    assert 1 - 1e-7 < kept < 1 + 1e-9
    assert "would win energy" in warnings(result)


def test_a_block_far_from_a_belt_sticks():
    model = found("far_block")
    model["simulation"]["end_time"] = 0.8
    result = run(model)
    assert np.abs(result["blk.position"][:, 0] - 10).max() < 1e-12


@pytest.mark.parametrize("mu", [1e-12, 1e-9, 1e-6, 1e-4])
def test_nothing_jumps_as_friction_vanishes(mu):
    smooth = run(found("mu_zero"))
    model = found("mu_tiny")
    for contact in model["model"]["contacts"]:
        if contact.get("friction"):
            contact["friction"] = mu
    rough = run(model)
    assert np.abs(rough["a.velocity"] - smooth["a.velocity"]).max() < 1e3 * mu + 1e-9


@pytest.mark.parametrize("lift", [0, 0.3, 0.7])
@pytest.mark.parametrize("step", [1e-3, 2.5e-4])
def test_an_impact_keeps_the_spin_about_its_normal(lift, step):
    """v and ω of the rigid impact with e_N 0.8, e_T 0.5, which sticks; wherever in the step it is."""
    model = found("spin_impact", step=step)
    (body,) = model["model"]["bodies"]
    body["pose"]["position"][2] += lift * step * 2.0
    result = run(model)
    m, r = 0.2, 0.05
    v, w = np.array([2.0, 1, -2]), np.array([30.0, -20, 60])
    arm = np.array([0, 0, -r])
    u = v + np.cross(w, arm)
    mobility = 1 / m + r**2 / (0.4 * m * r**2)
    impulse = np.array([-1.5 * u[0] / mobility, -1.5 * u[1] / mobility, -1.8 * u[2] * m])
    assert result["b.velocity"][-1] == pytest.approx(v + impulse / m, abs=1e-9)
    spin = w + np.cross(arm, impulse) / (0.4 * m * r**2)
    assert result["b.angular_velocity"][-1] == pytest.approx(spin, abs=1e-9)


def test_slip_on_a_curved_path_is_of_second_order():
    """A point across a slope of tan⁻¹ μ: in the end it slides down with half of its speed."""

    def error(step):
        velocity = run(found("cross_slope", step=step))["m.velocity"][-1]
        return np.linalg.norm(velocity - [0, -1.5, 0])

    # What is left of the turn after 6 s is 5e-6 m/s.
    assert error(0.002) < 2e-5
    assert error(0.008) / error(0.004) > 3.2


def without_neighbours(model):
    """Only the body b, its forces and its contact."""
    content = model["model"]
    content["bodies"] = [body for body in content["bodies"] if body["name"] == "b"]
    content["colliders"] = [c for c in content["colliders"] if c["name"] in ("c", "f")]
    content["contacts"] = [c for c in content["contacts"] if c["name"] == "k"]
    return model


def test_a_contact_force_knows_nothing_of_balls_that_bounce_elsewhere():
    """A peak of a lasting force, in the step in which another ball bounces."""
    beside, alone = run(found("pressed_beside_bounces")), run(without_neighbours(found("pressed_beside_bounces")))
    peak = alone.summary["contacts"]["k"]["peak_continuous_force"]
    assert beside.summary["contacts"]["k"]["peak_continuous_force"] == pytest.approx(peak, rel=1e-9)
    assert any(abs(event["time"] - 0.103) < 1e-9 for event in beside.events if event["contact"] == "nk0")


@pytest.mark.parametrize("mass", [1.0, 1e8, 1e12])
def test_friction_work_beside_a_ball_of_any_mass(mass):
    """Of 2 kg with 3 m/s: all of 9 J, also in the steps in which the other one bounces."""
    model = found("slides_beside_a_heavy_ball")
    model["model"]["bodies"][1]["mass"] = mass
    assert run(model)["k.friction_work"][-1] == pytest.approx(9.0, rel=1e-9)


def scaled_pins(length, mass):
    """Pins and rods of another size and mass: every length, speed and the gravity times a factor."""
    model = found("pins_and_slender_rods")
    model["simulation"]["end_time"] = 0.02
    content = model["model"]
    content["gravity"] = [length * g for g in content["gravity"]]
    for body in content["bodies"]:
        body["inertia"]["mass"] *= mass
        body["inertia"]["length"] *= length
        body["pose"]["position"] = [length * x for x in body["pose"]["position"]]
        body["velocity"]["linear"] = [length * v for v in body["velocity"]["linear"]]
    for collider in content["colliders"]:
        collider["frame"]["position"] = [length * x for x in collider["frame"]["position"]]
        collider["shape"]["radius"] *= length
        collider["shape"]["length"] *= length
    for joint in content["joints"]:
        if "at" in joint:
            joint["at"] = [length * x for x in joint["at"]]
    return model


def thickened(model, share):
    """Rods that have inertia about themselves, a share of that about the others."""
    for body in model["model"]["bodies"]:
        rod = body["inertia"]
        J = rod["mass"] * rod["length"] ** 2 / 12
        body["inertia"] = {"type": "explicit", "mass": rod["mass"], "moments": [share * J, J, J]}
    return model


@pytest.mark.parametrize("friction", [0, 0.1, 0.5])
@pytest.mark.parametrize("step", [1e-3, 2e-4])
def test_a_plane_mechanism_does_not_know_how_thick_its_rods_are(step, friction):
    """The inertia of a rod about itself has no part in a plane motion: a slender rod has none."""
    results = []
    for share in (None, 1e-15, 0.01):
        model = scaled_pins(1, 1)
        model["simulation"]["integrator"]["step"] = step
        for contact in model["model"]["contacts"]:
            contact["friction"] = friction
        results.append(run(thickened(model, share) if share else model))
    for result in results:
        assert not result.summary["warnings"]
        assert np.abs(result["coupler.position"] - results[-1]["coupler.position"]).max() < 1e-10
        assert np.abs(result["rocker.velocity"] - results[-1]["rocker.velocity"]).max() < 1e-7


@pytest.mark.parametrize("length, mass", [(1e-3, 1), (1e3, 1), (1, 1e-3), (1, 1e3), (1e-3, 1e3)])
def test_slender_rods_of_any_size(length, mass):
    base, result = run(scaled_pins(1, 1)), run(scaled_pins(length, mass))
    assert not result.summary["warnings"]
    assert np.abs(result["rocker.position"] / length - base["rocker.position"]).max() < 1e-10


def settling_arm(length, stiffness, damping, hinge="y"):
    """Of 1 kg, on a spring that turns; the numbers are those of an arm of 1 m."""
    model = found("hinge_settles", step=0.001 * length**0.5)
    model["simulation"]["end_time"] = 3 * length**0.5
    (arm,), (joint,), (spring,) = (model["model"][key] for key in ("bodies", "joints", "forces"))
    arm["inertia"]["length"] *= length
    arm["pose"]["position"][0] *= length
    joint["axis"] = hinge
    spring.update(stiffness=stiffness * length, damping=damping * length**1.5)
    return model


@pytest.mark.parametrize(
    "length, stiffness, damping",
    [(1, 200, 20), (1, 40, 6), (1, 5000, 500), (1e-3, 200, 20), (100, 200, 20)],
)
def test_a_hinge_settles(length, stiffness, damping):
    """At rest the spring bears the moment of the weight, and no step is in doubt."""
    result = run(settling_arm(length, stiffness, damping))
    assert not result.summary["warnings"]
    angle, x = result["hinge.angle"][-1], result["arm.position"][-1, 0]
    weight = 9.81 * x  # its moment, N m; about y it turns the arm forwards
    assert stiffness * length * (angle + 0.5) == pytest.approx(weight, rel=1e-6)
    assert result["hinge.force"][-1, 2] == pytest.approx(9.81, rel=1e-6)
    assert result["iterations.velocity"].max() <= 3


def test_a_slider_settles_on_its_spring():
    """Neighbours of the hinge: a guide, and a spring along it."""
    model = found("hinge_settles")
    model["model"]["joints"] = [
        {"name": "guide", "type": "prismatic", "bodies": ["ground", "arm"], "at": [0.5, 0, 0], "axis": "z"}
    ]
    between = [{"body": "ground", "position": [0.5, 0, 1]}, {"body": "arm"}]
    model["model"]["forces"] = [
        {"type": "spring_damper", "between": between, "stiffness": 300, "damping": 30, "rest_length": 1}
    ]
    result = run(model)
    assert not result.summary["warnings"]
    assert result["arm.position"][-1, 2] == pytest.approx(-9.81 / 300, rel=1e-9)


@pytest.mark.parametrize(
    "text, jump, time",
    [
        ("-0.05*(t>0.2)*(t-0.2)", 0.05, 0.2),
        ("0.3*(t>0.2003)*(t-0.2003)", 0.3, 0.2003),
        ("-0.05*(t>0.2)*(t-0.2)+0.002*sin(9*t)", 0.05, 0.2),
        ("2e-5*(t>0.31415)*(t-0.31415)", 2e-5, 0.31415),
        ("abs(0.7*(t-0.1))", 1.4, 0.1),
    ],
)
def test_a_drive_that_jumps_says_by_how_much(text, jump, time):
    model = found("drive_jump")
    model["model"]["joints"][0]["drive"]["value"]["text"] = text
    assert f"jumps by {jump:.3g} in speed at t = {time:.6g} s" in warnings(run(model))


def test_pairs_that_cannot_touch_are_counted():
    """Only pins touch bores: patterns that select other pairs say so, with a name."""
    text = warnings(run(with_bore(found("pairs_dropped"))))
    assert 'contact "stack": 3 of the pairs' in text and '"c1" (a box) and "c2" (a bore)' in text


def with_bore(model):
    """The collider c2 is a bore, which touches neither boxes nor planes."""
    for collider in model["model"]["colliders"]:
        if collider["name"] == "c2":
            collider["shape"] = {"type": "bore", "radius": 0.1, "length": 0.2}
    return model


def test_boxes_that_patterns_select_touch():
    result = run(found("pairs_dropped"))
    assert "cannot touch" not in warnings(result)
    assert result.summary["max_penetration"] < 1e-9


@pytest.mark.parametrize("between", [["c1", "c2"], [["floor", "c1"], ["c2", "c3"]], [["floor", "c1", "*3"], "c2"]])
def test_named_pairs_that_cannot_touch_are_refused(between):
    model = with_bore(found("pairs_dropped"))
    model["model"]["contacts"][0]["between"] = between
    text = failure_of(model)
    assert text.startswith("exit 2") and "touch" in text
    assert "a bore" in text or "none of the selected colliders can touch each other" in text


def pair_of_bearings(preload, radial):
    """Under constant loads, in N, from the beginning of the run on."""
    model = found("preloaded_pair")
    model["simulation"].update(end_time=0.0012, record={"every": 1})
    on_ring, on_shaft, _ = model["model"]["forces"]
    on_ring["value"] = [0, 0, preload]
    on_shaft["value"] = [radial, 0, 0]
    for bearing in model["model"]["ball_bearings"]:
        bearing["settle_time"] = 0.001
    return model


@pytest.mark.parametrize("preload, radial", [(150, 0), (150, 100)])
def test_preloaded_bearings_bear_their_loads(preload, radial):
    """What the balls give to the shaft, and the load, change its momentum; the outer races have the rest."""
    result = run(pair_of_bearings(preload, radial))
    h, mass = np.diff(result.time), 0.8
    on_shaft = sum(result[f"b{i}.inner.impulse"] for i in (1, 2))[1:]
    change = mass * np.diff(result["shaft.velocity"], axis=0)
    rest = change - on_shaft - h[:, None] * [radial, 0, 0]
    assert np.abs(rest).max() < 1e-9 * np.abs(on_shaft).max()
    if radial == 0:  # at rest along the axis: the preload goes through both
        assert result["b1.inner.impulse"][-1, 2] == pytest.approx(-preload * h[-1], rel=1e-6)
        assert result["b2.inner.impulse"][-1, 2] == pytest.approx(preload * h[-1], rel=1e-6)
        assert result["iterations.position"].mean() < 10


R, EA = 0.1, 2e9 * 0.001 * 0.02  # of the drum, and of the belt over it


def capstan(elements, friction, angle):
    """The ratio of the two pulls at which a chain of points slides: at each the forces turn by angle/elements."""
    t = friction * np.tan(angle / elements / 2)
    return ((1 + t) / (1 - t)) ** elements


def way(result, node):
    """Of a node over the drum."""
    x, _, z = result[f"belt.node{node}.position"].T
    angle = np.unwrap(np.arctan2(z, x))
    return R * (angle - angle[0])


def stretch(hold, pull, friction=0.3, angle=np.pi):
    """How far the pulled end of an elastic string goes: both ends are pulled up to `hold`, then one
    alone. It slips from there to where its tension meets the one that friction keeps."""
    frozen = angle / 2 - np.log(pull / hold) / (2 * friction)
    slipped = pull * (1 - np.exp(-friction * (angle - frozen)))
    kept = hold * (np.exp(-friction * frozen) - np.exp(-friction * angle / 2))
    return R / (friction * EA) * (slipped - kept)


def test_a_loaded_belt_slides_at_the_ratio_of_the_capstan():
    """65 points that stick or slip on a curved surface, with stiff elements between them."""
    result = run(found("beam_on_drum"))
    assert result.summary["inaccurate_steps"] == 0
    assert "contradicts" not in warnings(result)
    hold, pull = way(result, 0), way(result, 64)
    ratio = 1 + 25 * np.maximum(0, result.time - 0.04)
    rests = (result.time > 0.06) & (ratio < 0.97 * capstan(64, 0.3, np.pi))
    assert np.ptp(hold[rests]) < 1e-6 * R
    # The creep of the other end lags behind a load that grows: by 14 % with this step, 4 % with half of it.
    assert pull[rests] == pytest.approx(stretch(100, 100 * ratio[rests]), rel=0.16)
    slides = np.abs(hold - hold[rests][-1]) > 1e-4
    # What accelerates the belt over this way within some steps is 1 % of the pull.
    assert ratio[slides & (result.time > 0.06)][0] == pytest.approx(capstan(64, 0.3, np.pi), rel=0.04)


@pytest.mark.parametrize("friction, angle", [(0.1, 180), (0.3, 270), (0.8, 90)])
@pytest.mark.parametrize("stiffness", [1.0, 100.0])
def test_a_belt_sticks_below_this_ratio_and_slides_above(friction, angle, stiffness):
    def slide(part):
        model = found("beam_on_drum")
        (belt,) = model["model"]["bodies"]
        half = np.radians(angle) / 2
        belt["elements"] = 24
        belt["start"] = [R * np.sin(half), 0, R * np.cos(half)]
        belt["end"] = [-R * np.sin(half), 0, R * np.cos(half)]
        belt["section"]["width"] = 0.002  # its elements stand the pull
        belt["material"]["young_modulus"] *= stiffness
        model["model"]["contacts"][0]["friction"] = friction
        grows = part * capstan(24, friction, 2 * half) - 1
        for force, node, side, grow in zip(model["model"]["forces"], (0, 24), (1, -1), (0, grows)):
            force["on"]["node"] = node
            size = f"20*min(1,t/0.02)*(1+{grow}*min(1,max(0,t-0.02)/0.02))"
            force["value"] = [
                {"type": "expression", "text": f"{c}*{size}"} for c in (side * np.cos(half), 0, -np.sin(half))
            ]
        model["simulation"]["end_time"] = 0.065
        result = run(model)
        hold = way(result, 0)
        return np.abs(hold[-1] - hold[result.time > 0.055][0]), warnings(result)

    moved, said = slide(0.96)
    assert moved < 1e-7 * R and "contradicts" not in said
    moved, _ = slide(1.04)
    assert moved > 0.01 * R


def clamped_to_ground(model):
    """The same beam without the block that holds it."""
    model["model"]["bodies"] = [b for b in model["model"]["bodies"] if b["name"] != "blk"]
    frames = [{"body": "ground"}, {"body": "bm", "node": 0}]
    model["model"]["joints"] = [{"name": "wall", "type": "fixed", "between": frames}]
    return model


@pytest.fixture(scope="module")
def clamped_beam():
    return run(clamped_to_ground(found("propped_beam_on_block")))


@pytest.mark.parametrize("mass", [1e-3, 0.1, 1, 100])
def test_a_beam_at_rest_does_not_know_what_holds_its_foot(clamped_beam, mass):
    """A block that stands still carries the force of the beam to the ground, whatever it weighs."""
    model = found("propped_beam_on_block")
    model["model"]["bodies"][1]["inertia"]["mass"] = mass
    result = run(model)
    for element in range(2):
        axial = result[f"bm.element{element}.force"][-1, 0]
        assert axial == pytest.approx(clamped_beam[f"bm.element{element}.force"][-1, 0], rel=1e-7)
        # Nearly level: the beam pulls at its tip as friction pulls at it.
        assert axial == pytest.approx(result["k.impulse"][-1, 0] / 1e-3, rel=0.05)
    assert result["k.impulse"][-1] == pytest.approx(clamped_beam["k.impulse"][-1], rel=1e-7)
    assert -result["lk.force"][-1, 0] == pytest.approx(result["k.impulse"][-1, 0] / 1e-3, rel=1e-7)
    for node in range(3):  # what does not move has no velocity
        assert np.abs(result[f"bm.node{node}.velocity"][-1]).max() < 1e-10


@pytest.mark.parametrize("mass", [0.03, 0.1, 1])
def test_a_scraper_pulls_as_it_rubs(mass):
    """The carriage is driven: at a constant speed its mass does not matter."""
    model = found("scraper_on_carriage")
    model["model"]["bodies"][0]["inertia"]["mass"] = mass
    result = run(model)
    normal, rubs = result["k.impulse"][-1, 2] / 1e-3, -result["k.impulse"][-1, 0] / 1e-3
    assert rubs == pytest.approx(0.3 * normal, rel=1e-9)
    assert result["dr.force"][-1, 0] == pytest.approx(rubs, rel=1e-3)
    along = result["bm.node4.position"][-1] - result["bm.node3.position"][-1]
    along /= np.linalg.norm(along)
    at_tip = np.array([-rubs, 0, normal - 60])
    assert result["bm.element3.force"][-1, 0] == pytest.approx(at_tip @ along, rel=0.01)
    assert result["bm.node4.velocity"][-1] == pytest.approx([0.2, 0, 0], abs=1e-6)


@pytest.mark.parametrize("step", [1e-3, 1e-4])
def test_a_damped_slider_stops_where_friction_holds_it(step):
    """20 g with h c/m up to 17: inertia is nothing. From 50.1 N on the pull, 1200 N/s up to 60 N, moves
    it against spring and damper, c v + k x = −(pull − 50.1 N), and it creeps to x = −9.9 N/k."""
    c, k, rate, friction = 340.0, 1e5, 1200.0, 50.1
    tau, slides = c / k, (60 - friction) / rate
    speed = rate / k * (1 - np.exp(-slides / tau))
    e = np.exp(-slides / tau)
    damped = c * (rate / k) ** 2 * (slides - 2 * tau * (1 - e) + tau / 2 * (1 - e**2)) + c * speed**2 * tau / 2
    result = run(found("damped_slider", step=step))
    at = np.searchsorted(result.time, 0.05 - 1e-9)
    assert result["b.velocity"][at, 0] == pytest.approx(-speed, rel=max(0.01, 80 * step))
    assert result["b.position"][-1, 0] == pytest.approx(-9.9e-5, rel=1e-4)
    assert np.abs(result["b.velocity"][-1]).max() < 1e-9
    assert result["energy.friction_loss"][-1] == pytest.approx(friction * 9.9e-5, rel=1e-4)
    assert result["energy.damping_loss"][-1] == pytest.approx(damped, rel=0.02)
    assert abs(result["energy.numerical_loss"][-1]) < 0.01 * damped
    assert not result.summary["warnings"]


def pin_force(result):
    """Of a rod on a hinge that nothing touches, from its place and its velocity: (x, z)."""
    mass, half, g = 2.0, 0.5, 9.81
    x, _, z = result["r.position"].T
    er = np.stack([x, z]) / half
    et = np.stack([er[1], -er[0]])  # the way of a fall
    spin = (result["r.velocity"] ** 2).sum(axis=1) / half**2
    fall = -0.75 * g / half * et[1]
    return (mass * half * (fall * et - spin * er) + np.array([[0], [mass * g]])).T


def rows_after(result, body):
    """From the row of the impact on."""
    return int(np.argmax(np.abs(np.diff(result[f"{body}.velocity"][:, 2])))) + 1


@pytest.mark.parametrize("rho_inf", [0.0, 0.8, 1.0])
def test_a_hinge_does_not_ring_after_a_bounce(rho_inf):
    """Its force is that of the new velocities, from the row of the impact on and with second order."""

    def error(step):
        result = run(found("pendulum_bounces", rho_inf=rho_inf, step=step))
        i = rows_after(result, "r")
        wrong = result["pin.force"][:, [0, 2]] - pin_force(result)
        return np.abs(wrong[i : i + 10]).max()

    coarse, fine = error(1e-3), error(5e-4)
    assert coarse < 5e-4 and fine < coarse / 3.4


@pytest.mark.parametrize("rho_inf", [0.5, 0.8, 1.0])
def test_a_hinge_on_a_damper_knows_its_new_force(rho_inf):
    """The damper jumps with the velocity: the force is that of the state, in the row of the impact too."""
    stiffness, damping, mass, half, g = 5.0, 1.0, 2.0, 0.5, 9.81

    def error(step):
        model = found("pendulum_bounces", rho_inf=rho_inf, step=step)
        model["model"]["forces"] = [
            {"type": "torsional_spring_damper", "joint": "pin", "stiffness": stiffness, "damping": damping}
        ]
        result = run(model)
        i = rows_after(result, "r")
        angle, spin = result["pin.angle"], result["r.angular_velocity"][:, 1]
        er = np.stack([np.cos(angle), -np.sin(angle)])
        et = np.stack([-np.sin(angle), -np.cos(angle)])
        moment = mass * g * half * np.cos(angle) - stiffness * angle - damping * spin
        turn = moment / (4 / 3 * mass * half**2)
        force = (mass * half * (turn * et - spin**2 * er) + np.array([[0], [mass * g]])).T
        return np.abs(result["pin.force"][:, [0, 2]] - force)[i : i + 15].max()

    coarse, fine = error(1e-3), error(5e-4)
    assert coarse < 5e-3 and fine < coarse / 1.8  # of 9 N


def unbalanced(result, rows):
    """Of the body "a" between the joints "pin" and "mid": what its forces lack from its acceleration."""
    v, h = result["a.velocity"], result.time[1] - result.time[0]
    force = result["pin.force"] - result["mid.force"] + np.array([0, 0, -9.81])
    i = rows_after(result, "a")
    gained = (-3 * v[:-2] + 4 * v[1:-1] - v[2:]) / (2 * h)
    return np.abs(force[:-2] - gained)[i : i + rows].max()


@pytest.mark.parametrize("rho_inf", [0.8, 1.0])
def test_joints_of_an_elastic_mechanism_do_not_ring_after_a_bounce(rho_inf):
    """Joint forces of 7 N; a beam at the end of a crank goes on as it was, the crank does not."""
    errors = [
        unbalanced(run(found("crank_with_beam_bounces", rho_inf=rho_inf, step=5e-4 / 2**k)), 10) for k in (0, 1)
    ]
    assert errors[0] < 0.1 and errors[1] < errors[0] / 1.8


def test_joints_know_in_the_row_of_an_impact_which_contact_stays():
    errors = [unbalanced(run(found("double_pendulum_lands", step=1e-3 / 2**k)), 6) for k in (0, 1, 2)]
    assert errors[0] < 2e-3 and errors[1] < errors[0] / 1.8 and errors[2] < errors[1] / 1.8


def test_joints_do_not_ring_where_a_damper_jumps_and_a_contact_stays():
    """Forces of 20 N, of which the damper changes 3 N by the impact."""

    def kink(step):
        model = found("double_pendulum_lands", step=step)
        model["model"]["forces"][0].update(stiffness=1.0, damping=0.5)
        result = run(model)
        i = rows_after(result, "b")
        return np.abs(np.diff(result["pin.force"][i : i + 20], n=2, axis=0)).max()

    kinks = [kink(1e-3 / 2**k) for k in (0, 1)]
    assert kinks[0] < 0.05 and kinks[1] < kinks[0] / 1.8


def test_impulses_of_a_hinge_are_momentum_over_a_bounce():
    result = run(found("pendulum_bounces"))
    i = rows_after(result, "r")
    weight = np.array([0, 0, -2 * 9.81])
    given = 2 * np.diff(result["r.velocity"], axis=0) - weight * np.diff(result.time)[:, None]
    assert np.abs(result["pin.impulse"][i + 2 :] - given[i + 1 :]).max() < 1e-9


@pytest.mark.parametrize("step", [1e-3, 1e-4])
def test_an_impact_that_sticks_is_no_force(step):
    """Of about the size of those before and after it, whatever the step is."""
    result = run(found("hinged_tip_sticks", step=step))
    i = rows_after(result, "r")
    assert np.abs(result["pin.force"][i - 2 : i + 5]).max() < 20


@pytest.mark.parametrize("part", [0.1, 0.4, 0.7])
def test_a_shorter_step_leaves_what_rests_beside_a_damper(part):
    """What guide and floor carry is that of the rows before, whatever the last step's length is."""
    model = found("short_last_step")
    model["simulation"]["end_time"] = 0.1 + part * 1e-3
    result = run(model)
    lengths = np.diff(result.time)
    assert lengths[-1] == pytest.approx(part * lengths[0], rel=1e-9)
    assert result["p.force"][-1] == pytest.approx(result["p.force"][-2], rel=1e-9, abs=1e-9)
    normal = sum(result[f"k.f.c.{i}.impulse.n"] for i in range(4))[1:] / lengths
    assert normal[-1] == pytest.approx(normal[-2], rel=1e-9)


@pytest.mark.parametrize("part", [0.1, 0.6])
def test_a_shorter_step_leaves_a_propped_beam(part):
    """5/16 of the load on the prop, 11/16 on the clamp."""
    model = found("propped_beam_short_step")
    model["simulation"]["end_time"] = 0.523 + part * 1e-3
    result = run(model)
    load = 50 * (1 - np.cos(6 * result.time[-1]))
    normal = [name for name in result.quantities if name.endswith("impulse.n")]
    prop = sum(result[name][-1] for name in normal) / (result.time[-1] - result.time[-2])
    assert prop == pytest.approx(5 / 16 * load, rel=2e-3)
    assert result["cl.force"][-1, 2] == pytest.approx(11 / 16 * load, rel=2e-3)


def test_first_rows_of_joints_do_not_know_who_bounces_elsewhere():
    both = found("propped_beam_and_ball")
    alone = found("propped_beam_and_ball")
    for key, name in (("bodies", "nbb"), ("colliders", "nbc"), ("colliders", "nbf"), ("contacts", "nbk")):
        alone["model"][key] = [e for e in alone["model"][key] if e["name"] != name]
    forces = run(both)["wall.force"]
    assert forces == pytest.approx(run(alone)["wall.force"], rel=1e-12, abs=1e-10)
    # With a step of 25 µs; the beam's fastest vibrations last less than the first row.
    assert forces[1:5, 2] == pytest.approx([14.94, 24.74, 34.21, 43.14], rel=0.04)


def test_by_moreau_and_jean_an_impact_is_no_force():
    """The drive lifts 1 kg, then 3 kg more, with 1 m/s²."""
    force = run(found("lift_meets_block"))["gd.force"][:, 2]
    assert force[1] == pytest.approx(1 * (9.81 + 1), abs=1e-5)
    assert force[-1] == pytest.approx(4 * (9.81 + 1), abs=1e-5)
    assert force.max() == pytest.approx(4 * (9.81 + 1), abs=1e-5)


def test_by_moreau_and_jean_joints_carry_contacts_from_the_first_row_on():
    result = run(found("drum_brake"))
    for joint in ("axle", "pin"):
        force = result[f"{joint}.force"]
        assert force[0] == pytest.approx(force[1], rel=1e-6, abs=1e-6)


def test_first_rows_of_joints_have_second_order_where_contacts_rub_from_the_start():
    """The rows of the joints turn from the first step on, in which the contact is new."""
    runs = [run(found("crank_rubs_in_motion", step=2e-3 / 2**k)) for k in range(1, 4)]
    for name in ("motor.force", "p1.force", "motor.torque"):
        coarse, middle, fine = (result[name][0] for result in runs)
        assert np.abs(middle - fine).max() < np.abs(coarse - middle).max() / 3.4


def held_rod(step, load):
    """A steel rod, clamped at one end, pressed on a rough floor at the other and pulled along."""
    rod = {
        "name": "rod", "type": "beam", "start": [0, 0, 0], "end": [1, 0, 0], "elements": 8,
        "section": {"type": "circular", "radius": 0.01},
        "material": {"young_modulus": 2.07e11, "poisson_ratio": 0.3, "density": 7800},
        "damping": {"type": "stiffness_proportional", "time": 1e-4},
    }
    tip = {"body": "rod", "arclength": 1.0}
    return {
        "saltus": 1,
        "model": {
            "gravity": [0, 0, -9.81], "bodies": [rod],
            "joints": [{
                "name": "clamp", "type": "fixed", "between": [{"body": "ground"}, {"body": "rod", "arclength": 0}]
            }],
            "forces": [{"type": "force", "on": tip, "value": [{"type": "expression", "text": load}, 0, -200]}],
            "colliders": [
                {"name": "foot", "frame": tip, "shape": {"type": "point"}},
                {"name": "floor", "frame": {"body": "ground"}, "shape": {"type": "half_space"}},
            ],
            "contacts": [{"name": "k", "between": ["floor", "foot"], "friction": 0.5}],
        },
        "simulation": {
            "end_time": 0.2, "integrator": {"type": "nonsmooth_generalized_alpha", "step": step},
        },
    }


def test_friction_that_holds_a_growing_load_does_not_depend_on_the_step():
    """Within its bound it is not unique, but without a shock nothing slips: the clamp is left with what it had."""
    held = []
    for step in (1e-3, 5e-4):
        result = run(held_rod(step, "60*min(1,t/0.05)"))
        assert np.abs(result["rod.node8.position"][-1, 0] - 1) < 1e-12
        held.append(-result["k.impulse.t1"][-1] / step)
    assert held[0] == pytest.approx(held[1], rel=0.01)  # 0.4 %: what the bending has left to swing
    assert held[1] == pytest.approx(60, rel=0.03)  # the rest is bent into the clamp


def test_section_forces_of_fast_modes_are_those_of_the_middle_of_the_step():
    """Half a step late, and by no more (docs/laws.md)."""
    steps, forces = (8e-4, 2e-4), []
    for step in steps:
        model = held_rod(step, "0")
        model["model"]["gravity"] = [0, 0, 0]
        model["model"]["forces"][0]["value"] = [0, 0, {"type": "expression", "text": "-20*(1-cos(60*t))-0.01"}]
        model["model"]["colliders"][1]["shape"]["surface_velocity"] = [1, 0, 0]
        model["simulation"].update(end_time=0.08, record={"every": round(8e-3 / step)})
        result = run(model)
        forces.append(result["rod.element3.force"][:, 0])
    rates = 0.5 * 20 * 60 * np.sin(60 * result.time)
    late = rates * (steps[0] - steps[1]) / 2
    assert np.abs(forces[0] - forces[1] + late)[3:].max() < 0.1 * late.max()
