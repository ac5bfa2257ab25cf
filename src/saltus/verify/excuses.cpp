// SPDX-License-Identifier: Apache-2.0
// Parameters that no number of an example can notice: `saltus verify --sensitivity` reads it.
#include "saltus/verify/sensitivity.hpp"

namespace saltus {
namespace {

constexpr const char* driven = "the drive moves all; velocities at the start are made to fit it";
constexpr const char* no_turn = "it does not turn";
constexpr const char* plane = "it bends in one plane only";
constexpr const char* lasting = "the contact lasts: nothing strikes";
constexpr const char* straight = "it moves along the normal: no slip";
constexpr const char* larger = "`friction` is larger, and holds for sticking, too";
constexpr const char* sticks = "it sticks or rolls, below the limit";
constexpr const char* no_spin = "nothing makes it turn";
constexpr const char* only_the_impact = "the run is 1e-9 s long: only the impact";
constexpr const char* recovered = "it moves recovered forces only, which depend on the step";
constexpr const char* weaker = "only the weaker side yields";
constexpr const char* node = "it strikes with the mass of a node, which the mesh makes small";
constexpr const char* slender = "shear of a slender beam is less than the tolerance";
constexpr const char* without_gravity = "statics without gravity";

}  // namespace

const std::vector<Excuse>& excuses() {
  static const std::vector<Excuse> list = {
      {"slider_crank", "/bodies/*/velocity/*", driven},
      {"four_bar", "/bodies/*/velocity/*", driven},
      {"universal_shaft", "/bodies/*/velocity/*", driven},
      {"clearance_slider_crank_ideal", "/bodies/*/velocity/*", driven},
      {"rolling_disc", "/bodies/disc/inertia/length", "the disc is thin"},
      {"knife_edge", "/bodies/skate/inertia/size", "it turns evenly, whatever its inertia"},
      {"slider_crank", "/bodies/slider/inertia/size", no_turn},
      {"flexible_slider_crank", "/bodies/slider/inertia/size", no_turn},
      {"clearance_slider_crank_*", "/bodies/slider/inertia/moments", no_turn},
      {"crank_block_impact", "/bodies/slider/inertia/moments", no_turn},
      {"crank_block_impact", "/bodies/block/inertia/moments", no_turn},
      {"bouncing_ball_force", "/bodies/ball/inertia/radius", no_turn},
      {"two_sphere_impact", "/bodies/left/inertia/radius", no_turn},
      {"beam_falling_mass", "/bodies/ball/inertia/radius", "it turns with 0.03 rad/s only"},
      {"three_balls_frictionless", "/bodies/ball_1/inertia/moments", no_spin},
      {"three_spheres_plane", "/bodies/ball_1/inertia/radius", no_spin},
      {"bernoulli_balls", "/bodies/ball_1/inertia/radius", no_spin},
      {"flexible_pendulum", "/bodies/rod/section/inertia_y", plane},
      {"oblique_beam_impact", "/bodies/beam/section/inertia_y", plane},
      {"roller_crank_flexible", "/bodies/rod/section/inertia_y", plane},
      {"clearance_slider_crank_0*", "/bodies/*/section/inertia_y", plane},
      {"cantilever_roll_up", "/bodies/strip/section/inertia_y", plane},
      {"cantilever_roll_up", "/bodies/strip/section/torsion", plane},
      {"cantilever_roll_up", "/bodies/strip/section/area", "pure bending: no force along it"},
      {"cantilever_roll_up", "/bodies/strip/material/density", without_gravity},
      {"bend_45", "/bodies/bend/material/density", without_gravity},
      {"bend_45", "/bodies/bend/section/shear_y", slender},
      {"cantilever_modes", "/bodies/blade/material/poisson_ratio", slender},
      {"flexible_pendulum", "/bodies/rod/material/poisson_ratio", slender},
      {"roller_crank_flexible", "/bodies/rod/material/poisson_ratio", slender},
      {"flexible_slider_crank", "/bodies/rod/material/poisson_ratio", slender},
      {"beam_falling_mass", "/contacts/hit/friction", sticks},
      {"bouncing_ball", "/contacts/bounce/friction", straight},
      {"bouncing_ball_force", "/contacts/bounce/friction", straight},
      {"two_sphere_impact", "/contacts/hit/friction", straight},
      {"elastic_bar_impact", "/contacts/impact/friction", straight},
      {"crank_block_impact", "/contacts/hit/friction", straight},
      {"elastic_bar_impact", "/contacts/impact/restitution", node},
      {"flexible_cube", "/contacts/bounce/restitution", node},
      {"beam_falling_mass", "/contacts/hit/restitution", node},
      {"incline_point_mass", "/contacts/touch/restitution", lasting},
      {"sphere_sliding", "/contacts/touch/restitution", lasting},
      {"sphere_rolling", "/contacts/touch/restitution", lasting},
      {"sphere_spinning", "/contacts/touch/restitution", lasting},
      {"sphere_roll_slide_*", "/contacts/touch/restitution", lasting},
      {"sphere_wall", "/contacts/touch/restitution", lasting},
      {"sphere_in_bowl", "/contacts/touch/restitution", lasting},
      {"driven_spheres", "/contacts/touch/restitution", lasting},
      {"sliding_masses", "/contacts/floor_contact/restitution", lasting},
      {"three_balls_frictionless", "/contacts/table/restitution", lasting},
      {"roller_crank_rigid", "/contacts/rolling/restitution", lasting},
      {"throw_angle", "/contacts/cloth_contact/restitution",
       "the cloth has no friction, and angles are horizontal"},
      {"sphere_spinning", "/contacts/touch/friction", sticks},
      {"sphere_roll_slide_1", "/contacts/touch/friction", sticks},
      {"sphere_in_bowl", "/contacts/touch/friction", sticks},
      {"rocking_specimen_*", "/contacts/k/friction", "it sticks: friction takes 1e-8 J"},
      {"rocking_specimen_*", "/contacts/k/static_friction", "it sticks, below the limit"},
      {"block_surface_?", "/contacts/k/static_friction", larger},
      {"block_surface_??", "/contacts/k/static_friction", larger},
      {"block_surface_force*", "/contacts/k/static_friction", "it sticks at rest only"},
      {"block_edge_impacts", "/contacts/k/static_friction",
       "it sticks within the first impact only, below the limit"},
      {"block_four_point", "/contacts/k/static_friction", "it slips while it touches"},
      {"rocking_rod_3", "/contacts/support_1/friction", sticks},
      {"rocking_rod_4", "/contacts/support_2/friction", sticks},
      {"sphere_wall", "/contacts/touch/spinning_friction", "it has no spin about the vertical"},
      {"sphere_wall", "/contacts/bounce/tangential_restitution", "the wall has no friction"},
      {"bernoulli_balls", "/contacts/floor/tangential_restitution", "the floor has no friction"},
      {"billiard_break_rolling", "/contacts/table/restitution",
       "its rebound is shorter than a step"},
      {"throw_angle", "/gravity", "the cloth has no friction"},
      {"throw_angle", "/bodies/cue_ball/inertia/mass", "equal balls: only the ratio matters"},
      {"double_pendulum_modes", "/bodies/upper/inertia/mass", "equal rods: only the ratio matters"},
      {"clearance_slider_crank_0*", "/contacts/joint/stiffness", recovered},
      {"clearance_slider_crank_0*", "/contacts/joint/exponent", recovered},
      {"block_edge_impacts", "/contacts/k/elastoplastic/materials/1/yield_strength",
       "fully plastic: 1e-8 of the force"},
      {"block_edge_impacts", "/contacts/k/elastoplastic/damping", "1e-7 of the force"},
      {"block_*", "/contacts/k/elastoplastic/materials/0/yield_strength", weaker},
      {"rocking_*", "/contacts/k/elastoplastic/materials/0/yield_strength", weaker},
      {"sphere_corner", "/contacts/on_floor/elastoplastic/materials/1/yield_strength", weaker},
      {"billiard_break", "/contacts/cushions/*", "the case ends before a ball is at a cushion"},
      {"planar_block*", "/gravity", only_the_impact},
      {"planar_ball_corner*", "/gravity", only_the_impact},
  };
  return list;
}

}  // namespace saltus
