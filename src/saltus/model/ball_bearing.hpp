// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "saltus/hertz/contact_geometry.hpp"
#include "saltus/model/contact.hpp"
#include "saltus/model/frame.hpp"

namespace saltus {

struct Model;

/// No cage: the balls may touch each other.
struct NoCage {
  static constexpr const char* type_name = "none";

  static constexpr void fields(auto&&) {}
};

/// Springs from each ball to the next, at rest in the initial pose.
struct SpringCage {
  static constexpr const char* type_name = "springs";
  double stiffness = 0;
  double damping = 0;

  static constexpr void fields(auto&& field) {
    field("stiffness", &SpringCage::stiffness, "of each spring", "N/m", required & positive);
    field("damping", &SpringCage::damping, "of each spring", "N s/m", non_negative);
  }
};

/// A rigid ring with a pocket for each ball.
struct RingCage {
  static constexpr const char* type_name = "ring";
  double mass = 0;
  double clearance = 0;
  double friction = 0;
  double restitution = 0;

  static constexpr void fields(auto&& field) {
    field("mass", &RingCage::mass, "of the ring, whose inertia is that of a thin ring", "kg",
          required & positive);
    field("clearance", &RingCage::clearance,
          "radius of a pocket less that of a ball: what a ball may move in it", "m",
          required & positive);
    field("friction", &RingCage::friction, "between balls and pockets", "", non_negative);
    field("restitution", &RingCage::restitution, "of balls in pockets", "", within(0, 1));
  }
};

using Cage = std::variant<NoCage, SpringCage, RingCage>;

/// A ball bearing between two bodies: stands for its balls, races, cage and contacts.
struct BallBearing {
  std::string name = {};
  Frame inner = {};
  Frame outer = {};
  int balls = 0;
  double ball_radius = 0;
  double ball_density = 7800;
  double inner_radius = 0;
  double outer_radius = 0;
  std::optional<double> inner_groove_radius = {};
  std::optional<double> outer_groove_radius = {};
  bool planar = false;
  double first_angle = 0;
  Cage cage = {};
  double restitution = 0;
  double tangential_restitution = 0;
  double friction = 0;
  double rolling_friction = 0;
  std::optional<double> young_modulus = {};
  std::optional<double> poisson_ratio = {};
  ContactModel model = ContactModel::Rigid;
  std::optional<hertz::DampingModel> damping_model = {};
  std::optional<double> damping = {};
  bool divide_steps = false;
  double settle_time = 0;

  bool is_compliant() const { return model == ContactModel::Compliant; }
  /// What the races have more room than the balls need, in the middle; < 0: interference.
  double clearance() const { return outer_radius - inner_radius - 2 * ball_radius; }
  bool has_grooves() const { return !planar && inner_groove_radius && outer_groove_radius; }

  static constexpr void fields(auto&& field) {
    field("name", &BallBearing::name,
          "what the results call it; `ball_bearing<index>` if not given");
    field("inner", &BallBearing::inner, "frame of the inner race: its centre, its z being the axis",
          "", required);
    field("outer", &BallBearing::outer, "frame of the outer race", "", required);
    field("balls", &BallBearing::balls, "how many", "", required & within(3, 1000));
    field("ball_radius", &BallBearing::ball_radius, "of every ball", "m", required & positive);
    field("ball_density", &BallBearing::ball_density, "of the balls", "kg/m³", positive);
    field("inner_radius", &BallBearing::inner_radius,
          "distance from the axis to the bottom of the inner race", "m", required & positive);
    field("outer_radius", &BallBearing::outer_radius,
          "distance from the axis to the bottom of the outer race; what it exceeds inner_radius "
          "+ 2 ball_radius by is half of the diametral clearance; if that is negative, which "
          "`model` compliant allows, the balls are pressed in",
          "m", required & positive);
    field("inner_groove_radius", &BallBearing::inner_groove_radius,
          "radius of the groove's section; a cylinder if not given (radial load only)", "m",
          positive);
    field("outer_groove_radius", &BallBearing::outer_groove_radius, "the same, outer race", "m",
          positive);
    field("planar", &BallBearing::planar,
          "whether races act as cylinders even if groove radii are given, which then count for "
          "stresses only: for motion in a plane");
    field("first_angle", &BallBearing::first_angle,
          "of ball 0 about the outer race's axis, from its x", "rad");
    field("cage", &BallBearing::cage, "none, springs or a ring");
    field("restitution", &BallBearing::restitution, "of balls and races", "", within(0, 1));
    field("tangential_restitution", &BallBearing::tangential_restitution, "the same, along", "",
          within(-1, 1));
    field("friction", &BallBearing::friction, "between balls and races", "", non_negative);
    field("rolling_friction", &BallBearing::rolling_friction,
          "largest moment against rolling over the normal force", "m", non_negative);
    field("young_modulus", &BallBearing::young_modulus,
          "of balls and races: forces within impacts and stresses are then computed", "Pa",
          positive);
    field("poisson_ratio", &BallBearing::poisson_ratio, "the same; 0.3 if not given", "",
          strictly_within(-1, 0.5));
    field("model", &BallBearing::model,
          "rigid: balls and races do not overlap; compliant: Hertz's law is a force in the motion, "
          "balls share the load by their stiffness");
    field("damping_model", &BallBearing::damping_model,
          "of the local law of the contacts; flores if not given");
    field("damping", &BallBearing::damping,
          "of each contact of a compliant bearing, instead of `damping_model`: c of F = K δⁿ + c "
          "δ̇, never pulling",
          "N s/m", non_negative);
    field("divide_steps", &BallBearing::divide_steps,
          "of a compliant bearing: whether steps are divided where balls touch, so that their "
          "swinging between the races and their impacts are resolved; else the integrator's step "
          "is what a ball's load is followed with");
    field("settle_time", &BallBearing::settle_time,
          "from when on the summary counts speeds, loads, stresses and life: what comes before "
          "belongs to the start of the run",
          "s", non_negative);
  }
};

/// A race at the initial pose, inertial components; z of the axes is the bearing's axis.
struct RacePose {
  Vector3 centre = Vector3::Zero();
  Matrix3 axes = Matrix3::Identity();
};
RacePose race_pose(const Model& model, const Frame& frame);

/// Where a ball begins, inertial components.
struct BallPlace {
  Vector3 centre = Vector3::Zero();
  Vector3 outwards = Vector3::UnitX();  ///< from the point on the inner race to that on the outer
};
/// Every ball midway between the races, at equal angles about the axis of the outer one.
std::vector<BallPlace> ball_places(const Model& model, const BallBearing& bearing);

/// Relative curvatures of a ball and a race, and the stiffness K of Hertz's law.
/// @param cosine  of the angle at which it touches a groove, from the direction away from the axis
/// @throws std::invalid_argument where there is no point contact
hertz::ContactGeometry race_geometry(const BallBearing& bearing, bool is_inner, double cosine);
/// @pre it has a Young's modulus
double race_stiffness(const BallBearing& bearing, bool is_inner, double cosine);

/// What bearings are expanded for. In an equilibrium nothing rolls: balls are points that stay in
/// their planes through the axis of the outer race, without friction, and no cage touches them.
enum class BearingUse { Motion, Equilibrium };

/// The model with every ball bearing replaced by bodies `<name>.ball<k>`, colliders, contacts
/// `<name>.inner`, `<name>.outer` and the parts of its cage. They follow what the lists have: ids
/// of the model hold for the result. Balls start in pure rolling for the given velocities; between
/// elastic races where the forces along the contact line are in balance.
Model with_bearings_expanded(const Model& model, BearingUse use = BearingUse::Motion);

}  // namespace saltus
