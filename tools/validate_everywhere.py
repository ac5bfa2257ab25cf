# SPDX-License-Identifier: Apache-2.0
"""Section 9 of docs/validation.md: every example as it is, and what must hold in each of them."""
import json

from validate_runs import OUTSIDE, ROOT, WITHIN, number, table, verified

PILES = {"pile_100"}  # solved to fewer digits: docs/piles.md
LIMIT = 1e-9  # m, m/s; of the energy that is turned over, or J where nothing moves

# Checked by `saltus verify`, and not in the tables of other sections.
OTHERS = ["physical_pendulum", "free_body", "linear_oscillator", "slider_crank", "four_bar",
          "universal_shaft", "rolling_disc", "knife_edge", "hanging_mass_static", "coupled_oscillators_modes",
          "double_pendulum_modes", "cantilever_roll_up", "bend_45", "cantilever_modes",
          "free_cube_modes", "flexible_slider_crank", "beam_falling_mass"]

# Seconds that the authors report, on their machines; Chatterjee's are in section 8.
REPORTED = {"billiard_break": ("40", 40), "clearance_slider_crank_005": ("200", 200),
            "clearance_slider_crank_010": ("200", 200)}


def moving_examples():
    """Names of the examples with dynamics."""
    for path in sorted((ROOT / "examples").glob("*.json")):
        simulation = json.loads(path.read_text())["simulation"]
        if simulation.get("type", "dynamics") == "dynamics" and path.stem not in PILES:
            yield path.stem, simulation["integrator"]


def everywhere(program):
    rows, times = [], []
    for name, integrator in moving_examples():
        run = program.run(name)
        s = run.summary
        held = [s["max_penetration"], s["max_position_violation"], s["max_velocity_violation"]]
        ledger = [s["energy"]["closure_error"], s["energy"]["residual"]]
        good = (s["status"] == "completed" and max(map(abs, held)) <= LIMIT
                and min(map(abs, ledger)) <= LIMIT)
        rows.append([f"`{name}`", f"`{integrator['type']}`", number(integrator.get("step", 1e-3), 2),
                     str(s["steps"])] + [number(value, 2) for value in held + ledger]
                    + [str(s["inaccurate_steps"]), str(len(s["warnings"])),
                       number(s["wall_seconds"], 2), WITHIN if good else OUTSIDE])
        if name in REPORTED:
            text, seconds = REPORTED[name]
            times.append([f"`{name}`", number(s["wall_seconds"], 2), text,
                          number(seconds / s["wall_seconds"], 2)])
    return {"everywhere": table(["example", "integrator", "h (s)", "steps",
                                 "largest penetration (m)", "joints, position (m)",
                                 "joints, velocity (m/s)", "energy closure error", "its residual (J)",
                                 "inaccurate steps", "warnings", "seconds", "verdict"], rows),
            "times": table(["example", "seconds", "reported", "ratio"], times)}


def others(program):
    return {"verify_others": verified(program, OTHERS)}
