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


def main():
    root = pathlib.Path(sys.argv[1])
    schema = json.loads((root / "schema/saltus.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)

    accepted = {"minimal": MINIMAL}
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
