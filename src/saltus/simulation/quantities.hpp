// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/simulation/channel.hpp"

/// All quantities that results have: word, unit, text, and how a report treats them. Who writes one
/// puts its value with it (Row::put), who reads one looks it up by it, so that name, unit and sign
/// are said here and nowhere else.
namespace saltus::quantities {

// ---- the run

inline constexpr Quantity time{"time", "s", "time", Interest::Drawn};

inline constexpr Quantity smooth_iterations{
    "smooth",
    "1",
    "most Newton iterations of the smooth motion in a step since the last row",
    Interest::Drawn,
    Components::Number,
    Thinning::Largest};
inline constexpr Quantity position_iterations{
    "position",
    "1",
    "most Newton iterations of the position correction in a step since the last row",
    Interest::Drawn,
    Components::Number,
    Thinning::Largest};
inline constexpr Quantity velocity_iterations{
    "velocity",
    "1",
    "most Newton iterations of the velocity correction in a step since the last row",
    Interest::Drawn,
    Components::Number,
    Thinning::Largest};

inline constexpr Quantity kinetic{"kinetic", "J", "kinetic energy", Interest::Drawn};
inline constexpr Quantity gravity{"gravity", "J", "gravity energy", Interest::Drawn};
inline constexpr Quantity elastic{"elastic", "J", "elastic energy", Interest::Drawn};
inline constexpr Quantity external_work{
    "external_work", "J", "work of forces, torques and drives since t = 0", Interest::Drawn};
inline constexpr Quantity friction_loss{
    "friction_loss", "J", "friction loss since t = 0, positive if dissipated", Interest::Drawn};
inline constexpr Quantity impact_loss{
    "impact_loss", "J", "impact loss since t = 0, positive if dissipated", Interest::Drawn};
inline constexpr Quantity damping_loss{
    "damping_loss", "J", "damping loss since t = 0, positive if dissipated", Interest::Drawn};
inline constexpr Quantity numerical_loss{
    "numerical_loss", "J", "numerical loss since t = 0, positive if dissipated", Interest::Drawn};
inline constexpr Quantity energy_residual{
    "residual", "J", "energy − initial energy − external work + all losses: 0 if the ledger closes",
    Interest::Drawn};

// ---- bodies

inline constexpr Quantity position{"position", "m",
                                   "place of the body frame's origin, inertial frame, component {}",
                                   Interest::Drawn, Components::Xyz};
inline constexpr Quantity orientation{"orientation", "1",
                                      "unit quaternion from body to inertial axes, component {}",
                                      Interest::Drawn, Components::Wxyz};
inline constexpr Quantity velocity{
    "velocity", "m/s", "velocity of the body frame's origin, inertial frame, component {}",
    Interest::Rate, Components::Xyz};
inline constexpr Quantity angular_velocity{"angular_velocity", "rad/s",
                                           "angular velocity, inertial frame, component {}",
                                           Interest::Rate, Components::Xyz};
inline constexpr Quantity rotation{
    "rotation", "rad",
    "accumulated rotation: sum of the steps' rotation vectors, inertial frame, component {}",
    Interest::Resultant, Components::Xyz};

inline constexpr Quantity centre_position{
    "position", "m", "place of the centre of mass, inertial frame, component {}", Interest::Drawn,
    Components::Xyz};
inline constexpr Quantity centre_velocity{
    "velocity", "m/s", "velocity of the centre of mass, inertial frame, component {}",
    Interest::Rate, Components::Xyz};
inline constexpr Quantity elongation{"elongation", "m",
                                     "change of the length along the centre line"};
inline constexpr Quantity end_rotation{
    "end_rotation", "rad",
    "rotation vector of the end against the start since the initial pose, axes of the section at "
    "the start, component {}",
    Interest::Rate, Components::Xyz};

inline constexpr Quantity node_position{"position", "m",
                                        "place of the node, inertial frame, component {}",
                                        Interest::Drawn, Components::Xyz};
inline constexpr Quantity node_velocity{"velocity", "m/s",
                                        "velocity of the node, inertial frame, component {}",
                                        Interest::Resultant, Components::Xyz};
inline constexpr Quantity section_orientation{
    "orientation", "1", "unit quaternion from section to inertial axes, component {}",
    Interest::Drawn, Components::Wxyz};
inline constexpr Quantity section_angular_velocity{
    "angular_velocity", "rad/s", "angular velocity of the section, inertial frame, component {}",
    Interest::Resultant, Components::Xyz};
inline constexpr Quantity nodal_stress{
    "von_mises", "Pa", "von Mises stress (Cauchy) at the node, mean of its elements",
    Interest::Drawn};

inline constexpr Quantity cell_stress{"von_mises", "Pa", "von Mises stress (Cauchy), mean",
                                      Interest::Resultant};
inline constexpr Quantity axial_strain{"strain", "1", "axial strain, positive in tension",
                                       Interest::Drawn};
inline constexpr Quantity axial_force{"force", "N", "axial force, positive in tension",
                                      Interest::Resultant};
inline constexpr Quantity strain{
    "strain", "1",
    "strain in section axes: x axial; y, z shear with the bending within the element, component {}",
    Interest::Drawn, Components::Xyz};
inline constexpr Quantity curvature{
    "curvature", "1/m", "in section axes: x twist; y, z curvature about these axes, component {}",
    Interest::Drawn, Components::Xyz};
inline constexpr Quantity section_force{
    "force", "N",
    "force on the section, section axes at mid-element: x axial, positive in tension; y, z shear, "
    "component {}",
    Interest::Resultant, Components::Xyz};
inline constexpr Quantity section_moment{
    "moment", "N m",
    "moment on the section, section axes at mid-element: x torsion; y, z bending, component {}",
    Interest::Resultant, Components::Xyz};

// ---- joints

inline constexpr Quantity joint_force{
    "force", "N",
    "force of the joint on its second body at the joint, lasting contacts included, impacts not, "
    "inertial frame, component {}",
    Interest::Rate, Components::Xyz};
inline constexpr Quantity joint_torque{
    "torque", "N m",
    "torque of the joint on its second body about the joint, lasting contacts included, impacts "
    "not, inertial frame, component {}",
    Interest::Rate, Components::Xyz};
inline constexpr Quantity joint_impulse{
    "impulse",
    "N s",
    "impulse of the joint on its second body since the last row, inertial frame, component {}",
    Interest::Contact,
    Components::Xyz,
    Thinning::Sum};
inline constexpr Quantity joint_angular_impulse{
    "angular_impulse",
    "N m s",
    "angular impulse of the joint on its second body about the joint since the last row, inertial "
    "frame, component {}",
    Interest::Rate,
    Components::Xyz,
    Thinning::Sum};
inline constexpr Quantity joint_angle{
    "angle", "rad",
    "rotation of the second body against the first about the axis, unwrapped, zero at the initial "
    "pose"};
inline constexpr Quantity joint_angle_1{
    "angle_1", "rad",
    "rotation of the cross against the first body about `axis`, unwrapped, zero at the initial "
    "pose"};
inline constexpr Quantity joint_angle_2{
    "angle_2", "rad",
    "rotation of the second body against the cross about `axis_2`, unwrapped, zero at the initial "
    "pose"};
inline constexpr Quantity joint_displacement{
    "displacement", "m",
    "displacement of the second body against the first along the axis, zero at the initial pose"};

inline constexpr Quantity joint_friction_torque{
    "friction", "N m",
    "friction about the axis on the second body, in the last step's mean, impacts not"};
inline constexpr Quantity joint_friction_force{
    "friction", "N",
    "friction along the axis on the second body, in the last step's mean, impacts not"};
inline constexpr Quantity collar_friction_torque{
    "friction_torque", "N m",
    "friction about the axis on the second body, in the last step's mean, impacts not"};
inline constexpr Quantity collar_friction_force{
    "friction_force", "N",
    "friction along the axis on the second body, in the last step's mean, impacts not"};
inline constexpr Quantity joint_friction_moment{
    "friction", "N m",
    "friction moment on the second body, in the last step's mean, impacts not, inertial frame, "
    "component {}",
    Interest::Rate, Components::Xyz};
inline constexpr Quantity joint_sticks{
    "sticks", "", "1 where friction holds the joint at rest, 0 where it slips"};

inline constexpr Quantity effort_torque{
    "torque", "N m", "torque about the joint's axis, + on its second body", Interest::Rate};
inline constexpr Quantity effort_force{
    "force", "N", "force along the joint's axis, + on its second body", Interest::Rate};
inline constexpr Quantity effort_power{"power", "W", "what it does on the joint", Interest::Rate};

// ---- contacts

inline constexpr Quantity gap{"gap",
                              "m",
                              "distance of the surfaces",
                              Interest::Contact,
                              Components::Number,
                              Thinning::Smallest};
inline constexpr Quantity status{
    "status",         "1", "0 open, 1 slip, 2 stick", Interest::Contact, Components::Number,
    Thinning::Largest};
inline constexpr Quantity local_impulse{
    "impulse",
    "N s",
    "impulse on the second collider since the last row, along {}; n from the first to the second",
    Interest::Contact,
    Components::Contact,
    Thinning::Sum};
inline constexpr Quantity point_impulse{
    "impulse",
    "N s",
    "impulse on the second collider since the last row, inertial frame, component {}",
    Interest::Contact,
    Components::Xyz,
    Thinning::Sum};
inline constexpr Quantity contact_force{
    "force", "N",
    "force of a compliant contact on the second collider, along {}; n from the first to the second",
    Interest::Contact, Components::Contact};
inline constexpr Quantity indentation{"indentation",
                                      "m",
                                      "how far the surfaces of a compliant contact overlap",
                                      Interest::Contact,
                                      Components::Number,
                                      Thinning::Largest};
inline constexpr Quantity slip{
    "slip", "m/s", "tangential velocity of the second collider relative to the first, along {}",
    Interest::Rate, Components::Tangents};
inline constexpr Quantity moment_impulse{
    "moment_impulse",
    "N m s",
    "angular impulse against spinning (n) and rolling (t1, t2) on the second collider since the "
    "last row, along {}",
    Interest::Rate,
    Components::Contact,
    Thinning::Sum};
inline constexpr Quantity eccentricity{
    "eccentricity", "m", "from the bore's axis to the pin's, inertial frame, component {}",
    Interest::Resultant, Components::Xyz};
inline constexpr Quantity friction_work{
    "friction_work", "J",
    "what sliding friction has taken at this point since t = 0, impacts included"};

inline constexpr Quantity contact_impulse{
    "impulse",
    "N s",
    "sum over all points: impulse on the second colliders since the last row, inertial frame, "
    "component {}",
    Interest::Contact,
    Components::Xyz,
    Thinning::Sum};
inline constexpr Quantity closed{
    "closed",         "1", "number of points that touch", Interest::Contact, Components::Number,
    Thinning::Largest};

// ---- ball bearings

inline constexpr Quantity cage_angle{
    "cage_angle", "rad",
    "mean angle that the balls have gone about the axis since t = 0, relative to the outer race"};
inline constexpr Quantity cage_speed{"cage_speed", "rad/s",
                                     "mean speed of that, relative to the outer race"};
inline constexpr Quantity inner_speed{"inner_speed", "rad/s",
                                      "speed of the inner race relative to the outer"};
inline constexpr Quantity cage_ratio{"cage_ratio", "1", "cage_speed over inner_speed"};
inline constexpr Quantity cage_slip{"cage_slip", "1",
                                    "1 − cage_ratio over that of rolling, r_i/(r_i + r_o)"};
inline constexpr Quantity ball_angle{
    "angle", "rad", "of the ball about the outer race's axis, from its x, unwrapped"};
inline constexpr Quantity inner_angle{
    "contact_angle_inner", "rad",
    "of the line from the inner race to a ball, from the direction away from the inner race's "
    "axis, positive towards its z; of compliant bearings"};
inline constexpr Quantity outer_angle{
    "contact_angle_outer", "rad",
    "of the line from a ball to the outer race, from the direction away from that one's axis, "
    "positive towards its z; of compliant bearings"};
inline constexpr Quantity inner_load{
    "load_inner",
    "N",
    "normal force on the inner race: of a compliant bearing that of the moment, of a rigid one the "
    "mean since the last row, impulse over time",
    Interest::Rate,
    Components::Number,
    Thinning::Mean};
inline constexpr Quantity outer_load{
    "load_outer",
    "N",
    "normal force on the outer race: of a compliant bearing that of the moment, of a rigid one the "
    "mean since the last row, impulse over time",
    Interest::Rate,
    Components::Number,
    Thinning::Mean};

// ---- natural modes

inline constexpr Quantity mode{"mode", "1", "number of the mode, lowest first"};
inline constexpr Quantity frequency{"frequency", "Hz", "natural frequency, 0 if unstable"};
inline constexpr Quantity angular_frequency{"angular_frequency", "rad/s",
                                            "natural angular frequency, 0 if unstable"};
inline constexpr Quantity growth_rate{"growth_rate", "1/s",
                                      "rate of exponential growth, 0 if stable"};
inline constexpr Quantity centre_translation{
    "translation", "1/sqrt(kg)",
    "mode shape of unit modal mass: centre of mass, inertial component {}", Interest::Drawn,
    Components::Xyz};
inline constexpr Quantity node_translation{
    "translation", "1/sqrt(kg)", "mode shape of unit modal mass: node, inertial component {}",
    Interest::Drawn, Components::Xyz};
inline constexpr Quantity mode_rotation{
    "rotation", "rad/(m sqrt(kg))",
    "mode shape of unit modal mass: rotation vector, inertial component {}", Interest::Drawn,
    Components::Xyz};

}  // namespace saltus::quantities
