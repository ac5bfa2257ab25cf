# SPDX-License-Identifier: Apache-2.0
"""The schema is a valid one, accepts all examples and refuses what it can refuse.

usage: schema_test.py SOURCE_DIR
"""
import json
import pathlib
import sys

import jsonschema

# Rules that a schema can express, by the files that break them.
REFUSED = """
version_missing version_other model_missing simulation_missing unknown_key_top unknown_key_in_body
bodies_missing bodies_not_a_list body_not_an_object type_missing type_unknown inertia_missing
mass_missing mass_negative mass_zero mass_string mass_null size_negative_component moments_negative
tensor_wrong_shape axis_letter_unknown vector_too_short vector_with_string quaternion_too_short
name_empty gravity_number joint_body_by_index lock_unknown_direction drive_type_missing
force_two_components force_value_string function_type_unknown spring_stiffness_negative
end_time_missing end_time_zero step_zero rho_inf_out_of_range integrator_unknown on_failure_unknown
record_every_fraction record_every_zero modes_count_zero modes_equilibrium_number
collider_frame_missing collider_shape_missing collider_shape_type_missing collider_shape_unknown
collider_sphere_radius_missing collider_sphere_radius_zero collider_box_size_negative
collider_face_size_zero collider_face_size_three contact_between_missing contact_between_number
contact_between_text contact_between_empty_list contact_between_nested_twice contact_unknown_key
contact_friction_negative contact_friction_text contact_restitution_above_one
contact_restitution_negative contact_tangential_restitution_out_of_range coupling_unknown
nonsmooth_step_zero theta_out_of_range solver_method_unknown solver_tolerance_zero
friction_law_type_missing friction_law_unknown friction_law_list friction_exponential_base_negative
friction_exponential_decay_negative friction_exponential_decay_missing
friction_exponential_unknown_key friction_stribeck_static_missing friction_stribeck_static_negative
friction_stribeck_kinetic_negative friction_stribeck_velocity_zero friction_stribeck_exponent_zero
friction_stribeck_exponent_large friction_stribeck_viscous_negative rolling_friction_negative
spinning_friction_negative sliding_and_spinning_unknown hollow_sphere_radius_missing
hollow_sphere_radius_zero multiple_impacts_unknown record_contacts_unknown record_events_unknown
record_events_boolean restitution_power_reference_above_one restitution_power_speed_zero
restitution_power_exponent_missing restitution_power_unknown_key restitution_table_value_above_one
restitution_table_value_negative restitution_table_speed_negative restitution_law_unknown
restitution_law_type_missing restitution_law_list
""".split()

MINIMAL = {
    "saltus": 1,
    "comment": ["anything"],
    "model": {
        "bodies": [{"type": "point_mass", "mass": 1, "comment": "a bob"}],
        "forces": [{"type": "force", "on": {"body": "point_mass0"},
                    "value": [1, {"type": "sine", "amplitude": 1, "frequency": 2}, 0]}],
        "colliders": [{"frame": {"body": "point_mass0"}, "shape": {"type": "point"}},
                      {"frame": {"body": "ground"}, "shape": {"type": "half_space", "normal": "z"}}],
        "contacts": [{"between": ["collider0", ["collider1", "floor*"]], "friction": 0.3}],
    },
    "simulation": {"end_time": 1},
}

SPHERES = {
    "saltus": 1,
    "model": {
        "bodies": [{"type": "point_mass", "mass": 1}],
        "colliders": [{"frame": {"body": "point_mass0"}, "shape": {"type": "sphere", "radius": 1}},
                      {"frame": {"body": "ground"}, "shape": {"type": "hollow_sphere", "radius": 2}},
                      {"frame": {"body": "ground"}, "shape": {"type": "half_space"}}],
        "contacts": [{"between": ["collider0", "collider1"], "rolling_friction": 0.01,
                      "spinning_friction": 0.02, "sliding_and_spinning": "coupled",
                      "restitution": {"type": "table", "speeds": [0, 1], "values": [1, 0.5]},
                      "friction": {"type": "exponential", "base": 0.3, "amplitude": -0.1,
                                   "decay": 2}},
                     {"between": ["collider0", "collider2"],
                      "restitution": {"type": "power", "reference": 0.8, "reference_speed": 1,
                                      "exponent": -0.25},
                      "friction": {"type": "stribeck", "static": 0.3, "kinetic": 0.2,
                                   "stribeck_velocity": 0.01, "viscous": 0.1}}],
    },
    "simulation": {"end_time": 1, "multiple_impacts": "simultaneous",
                   "record": {"contacts": "totals", "events": "impacts"}},
}


def main():
    root = pathlib.Path(sys.argv[1])
    schema = json.loads((root / "schema/saltus.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)

    accepted = {"minimal": MINIMAL, "spheres": SPHERES}
    for path in sorted((root / "examples").glob("*.json")):
        accepted[path.name] = json.loads(path.read_text(encoding="utf-8"))
    failures = [f"{name}: {error.json_path}: {error.message}"
                for name, model in accepted.items() for error in validator.iter_errors(model)]
    for name in REFUSED:
        path = root / "tests/bad_models" / f"{name}.json"
        if validator.is_valid(json.loads(path.read_text(encoding="utf-8"))):
            failures.append(f"{path.name} should not be valid")
    print("\n".join(failures) or f"{len(accepted)} accepted, {len(REFUSED)} refused")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
