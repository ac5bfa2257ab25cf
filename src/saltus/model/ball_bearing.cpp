// SPDX-License-Identifier: Apache-2.0
#include "saltus/model/ball_bearing.hpp"

#include <cmath>
#include <numbers>

#include "saltus/hertz/elliptic_contact.hpp"
#include "saltus/hertz/numerics.hpp"
#include "saltus/model/local_law.hpp"
#include "saltus/model/model.hpp"
#include "saltus/model/validate_parts.hpp"

namespace saltus {
namespace {

/// The velocity field of a body as given, about a point.
struct Field3 {
  Twist twist = {};
  Vector3 about = Vector3::Zero();

  Vector3 at(const Vector3& point) const {
    return twist.linear + twist.angular.cross(point - about);
  }
};

struct FindVelocity {
  Field3 operator()(const RigidBody& b) const { return {b.velocity, b.pose.position}; }
  Field3 operator()(const PointMass& b) const { return {b.velocity, b.pose.position}; }
  Field3 operator()(const Beam& b) const { return {b.velocity, b.start}; }
  Field3 operator()(const Bar& b) const { return {b.velocity, b.start}; }
  Field3 operator()(const Solid& b) const { return {b.velocity, b.pose.position}; }
};

Field3 velocity_of(const Model& model, BodyId body) {
  if (body == ground_body) return {};
  return std::visit(FindVelocity{}, model.bodies[static_cast<std::size_t>(body.index)]);
}

hertz::PrincipalRadii race_radii(const BallBearing& b, bool is_inner, double cosine) {
  const std::optional<double>& groove = is_inner ? b.inner_groove_radius : b.outer_groove_radius;
  const double bottom = is_inner ? b.inner_radius : -b.outer_radius;
  if (!groove) return {.first = bottom};
  if (b.planar) return {bottom, -*groove};
  const double ring = is_inner ? b.inner_radius + *groove : b.outer_radius - *groove;
  return groove_radii({.radius = *groove, .ring_radius = ring, .axis = {}}, cosine);
}

/// The indentation of the outer race with which forces along the contact line are in balance:
/// K_o δ_o^{3/2} = K_i δ_i^{3/2} + F.
/// @param overlap  δ_i + δ_o; < 0: room
double outer_share(double K_i, double K_o, double overlap, double F) {
  if (overlap <= 0 && !(F > 0)) return overlap / 2;
  const auto force = [](double K, double delta) {
    return delta > 0 ? K * delta * std::sqrt(delta) : 0;
  };
  const auto excess = [&](double d) { return force(K_o, d) - force(K_i, overlap - d) - F; };
  const double most = std::max(overlap, 0.0) + std::pow(F / K_o, 2.0 / 3);
  return hertz::bracketed_root(excess, std::min(overlap, 0.0), most);
}

/// Puts the parts of one bearing into a model.
class Expansion {
 public:
  Expansion(const BallBearing& bearing, BearingUse use, Model& model)
      : b_(bearing),
        is_still_(use == BearingUse::Equilibrium),
        model_(model),
        places_(ball_places(model, bearing)),
        inner_(velocity_of(model, bearing.inner.body)),
        outer_(velocity_of(model, bearing.outer.body)) {
    if (b_.is_compliant()) share_overlap();
  }

  void run() {
    is_still_ ? add_points() : add_balls();
    add_race("inner", b_.inner, inner_shape());
    add_race("outer", b_.outer, outer_shape());
    if (!is_still_) std::visit([&](const auto& cage) { add(cage); }, b_.cage);
  }

 private:
  std::string part(const std::string& name) const { return b_.name + '.' + name; }
  std::string part(const std::string& name, std::size_t k) const {
    return part(name + std::to_string(k));
  }
  BodyId ball(std::size_t k) const { return {first_ball_ + static_cast<int>(k)}; }
  bool has_grooves() const { return !b_.planar; }
  double ball_mass() const {
    const double r = b_.ball_radius;
    return b_.ball_density * 4 / 3 * std::numbers::pi * r * r * r;
  }

  /// From midway to where the two races and what is centrifugal balance each other.
  void share_overlap() {
    const RacePose outer = race_pose(model_, b_.outer);
    const Vector3 z = outer.axes.col(2);
    for (BallPlace& place : places_) {
      const Vector3 away = place.centre - outer.centre, across = away - z.dot(away) * z;
      const Vector3 e = across.normalized();
      const double cosine = e.dot(place.outwards), overlap = overlap_at(place);
      const double speed = z.cross(e).dot(rolling(place).linear - outer_.at(outer.centre));
      const double F = is_still_ ? 0 : ball_mass() * speed * speed / across.norm() * cosine;
      const double delta = outer_share(race_stiffness(b_, true, -cosine),
                                       race_stiffness(b_, false, cosine), overlap, F);
      place.centre += (delta - overlap / 2) * place.outwards;
    }
  }
  /// Of a ball midway: twice what it overlaps with the outer race.
  double overlap_at(const BallPlace& place) const {
    const RacePose outer = race_pose(model_, b_.outer);
    const Vector3 r = outer.axes.transpose() * (place.centre - outer.centre);
    const double rho = r.head<2>().norm();
    if (!has_grooves() || !b_.outer_groove_radius) {
      return 2 * (rho + b_.ball_radius - b_.outer_radius);
    }
    const double g = *b_.outer_groove_radius;
    return 2 * (std::hypot(rho - (b_.outer_radius - g), r.z()) + b_.ball_radius - g);
  }

  std::vector<std::string> ball_names() const {
    std::vector<std::string> names;
    for (std::size_t k = 0; k < places_.size(); ++k) names.push_back(part("ball", k));
    return names;
  }

  /// Rolls without slip on both races: the mean of their velocities, and the rotation that takes
  /// the contact points along. About the line through these points it turns with the mean.
  Twist rolling(const BallPlace& place) const {
    const Vector3 arm = b_.ball_radius * place.outwards;
    const Vector3 v_i = inner_.at(place.centre - arm), v_o = outer_.at(place.centre + arm);
    const Vector3 mean = (inner_.twist.angular + outer_.twist.angular) / 2;
    const Vector3& n = place.outwards;
    return {(v_i + v_o) / 2, n.cross(v_o - v_i) / (2 * b_.ball_radius) + n.dot(mean) * n};
  }

  void add_balls() {
    first_ball_ = static_cast<int>(model_.bodies.size());
    for (std::size_t k = 0; k < places_.size(); ++k) {
      model_.add(RigidBody{.name = part("ball", k),
                           .inertia = solid_sphere(ball_mass(), b_.ball_radius),
                           .pose = {.position = places_[k].centre},
                           .velocity = rolling(places_[k])});
      add_skin(k);
    }
  }

  /// Each stays in its plane through the axis of the outer race.
  void add_points() {
    first_ball_ = static_cast<int>(model_.bodies.size());
    for (std::size_t k = 0; k < places_.size(); ++k) {
      model_.add(PointMass{
          .name = part("ball", k), .mass = ball_mass(), .pose = {.position = places_[k].centre}});
      add_skin(k);
      const double angle =
          b_.first_angle + 2 * std::numbers::pi * static_cast<double>(k) / b_.balls;
      const Vector3 e(std::cos(angle), std::sin(angle), 0), z = Vector3::UnitZ();
      Matrix3 axes;
      axes << z, e, z.cross(e);
      Frame plane = b_.outer;
      plane.rotation_vector = {};
      plane.orientation = Quaternion(b_.outer.rotation() * axes);
      model_.add(PointOnPlane{.name = part("plane", k), .between = {plane, at(ball(k))}});
    }
  }

  void add_skin(std::size_t k) {
    model_.add(Collider{
        .name = part("ball", k), .frame = at(ball(k)), .shape = Sphere{.radius = b_.ball_radius}});
  }

  Shape inner_shape() const {
    if (has_grooves() && b_.inner_groove_radius) {
      return Groove{.radius = *b_.inner_groove_radius,
                    .ring_radius = b_.inner_radius + *b_.inner_groove_radius,
                    .axis = {},
                    .opening = GrooveOpening::Outwards};
    }
    return Cylinder{.radius = b_.inner_radius, .length = width(), .axis = {}};
  }
  Shape outer_shape() const {
    if (has_grooves() && b_.outer_groove_radius) {
      return Groove{.radius = *b_.outer_groove_radius,
                    .ring_radius = b_.outer_radius - *b_.outer_groove_radius,
                    .axis = {},
                    .opening = GrooveOpening::Inwards};
    }
    return Bore{.radius = b_.outer_radius, .length = width(), .axis = {}};
  }
  /// Of a cylindrical race: wide enough that balls do not run off it.
  double width() const { return 4 * b_.ball_radius; }

  Contact contact(const std::string& name, ColliderSelection first,
                  ColliderSelection second) const {
    Contact contact{.name = part(name), .between = {std::move(first), std::move(second)}};
    contact.restitution = b_.restitution;
    contact.tangential_restitution = b_.tangential_restitution;
    contact.friction = b_.friction;
    contact.young_modulus = b_.young_modulus;
    contact.poisson_ratio = b_.poisson_ratio;
    contact.damping_model = b_.damping_model;
    return contact;
  }

  void add_race(const std::string& side, const Frame& frame, Shape shape) {
    const std::string race = part(side + "_race");
    model_.add(Collider{.name = race, .frame = frame, .shape = std::move(shape)});
    const bool is_inner = side == "inner";
    const auto& groove = is_inner ? b_.inner_groove_radius : b_.outer_groove_radius;
    const double r = b_.ball_radius;
    Contact touch = contact(side, ball_names(), race);
    touch.rolling_friction = b_.rolling_friction;
    touch.model = b_.model;
    if (b_.is_compliant()) {
      touch.damping = b_.damping;
      touch.divide_steps = b_.divide_steps;
    }
    if (is_still_) touch.friction = 0.0;
    // The shapes are cylinders: grooves count for stresses. Concave radii are negative, and 0
    // stands for a straight line.
    if (b_.planar) {
      touch.radii = {r, r, is_inner ? b_.inner_radius : -b_.outer_radius, groove ? -*groove : 0.0};
    }
    model_.add(std::move(touch));
  }

  void add(const NoCage&) { model_.add(contact("balls", ball_names(), ball_names())); }

  void add(const SpringCage& cage) {
    for (std::size_t k = 0; k < places_.size(); ++k) {
      const std::size_t next = (k + 1) % places_.size();
      model_.add(SpringDamper{.name = part("cage", k),
                              .between = {at(ball(k)), at(ball(next))},
                              .stiffness = cage.stiffness,
                              .damping = cage.damping});
    }
  }

  /// A thin ring through the balls' centres, with the mean of their motions.
  void add(const RingCage& cage) {
    const Matrix3 axes = initial_rotation(model_, b_.outer);
    const auto count = static_cast<double>(places_.size());
    Vector3 centre = Vector3::Zero(), v = Vector3::Zero(), turn = Vector3::Zero();
    for (const BallPlace& place : places_) centre += place.centre / count;
    double r_squared = 0;
    for (const BallPlace& place : places_) {
      const Vector3 r = place.centre - centre, v_ball = rolling(place).linear;
      r_squared += r.squaredNorm() / count;
      v += v_ball / count;
      turn += r.cross(v_ball) / count;  // |r|² times the rate about the ring's axis
    }
    const double J = cage.mass * r_squared;
    const Vector3 axis = axes.col(2), mean = (inner_.twist.angular + outer_.twist.angular) / 2;
    const double spin = turn.dot(axis) / r_squared;
    const BodyId ring = model_.add(RigidBody{
        .name = part("cage"),
        .inertia = ExplicitInertia{.mass = cage.mass, .moments = Vector3(J / 2, J / 2, J)},
        .pose = {.position = centre, .orientation = Quaternion(axes)},
        .velocity = {v, mean + (spin - mean.dot(axis)) * axis}});
    for (std::size_t k = 0; k < places_.size(); ++k) {
      const Vector3 place = axes.transpose() * (places_[k].centre - centre);
      model_.add(Collider{.name = part("pocket", k),
                          .frame = at(ring, place),
                          .shape = HollowSphereShape{b_.ball_radius + cage.clearance}});
      // A contact for each ball: it must be in its own pocket only.
      Contact touch = contact("pocket" + std::to_string(k), part("ball", k), part("pocket", k));
      touch.restitution = cage.restitution;
      touch.tangential_restitution = 0;
      touch.friction = cage.friction;
      touch.young_modulus.reset();  // of the races, not of the cage
      model_.add(std::move(touch));
    }
  }

  const BallBearing& b_;
  bool is_still_;
  Model& model_;
  std::vector<BallPlace> places_;
  Field3 inner_, outer_;
  int first_ball_ = 0;
};

bool fits_one_of(const std::string& pattern, const Model& model, std::size_t first) {
  for (std::size_t i = first; i < model.colliders.size(); ++i) {
    if (fits(model.colliders[i].name, pattern)) return true;
  }
  return false;
}

/// Patterns in a file mean the colliders of the file: those that would take parts of bearings as
/// well become lists of names.
void keep_to_given(std::vector<std::string>& patterns, const Model& model, std::size_t given) {
  std::vector<std::string> kept;
  for (const std::string& pattern : patterns) {
    if (!ColliderSelection::is_pattern(pattern) || !fits_one_of(pattern, model, given)) {
      kept.push_back(pattern);
      continue;
    }
    for (std::size_t i = 0; i < given; ++i) {
      if (fits(model.colliders[i].name, pattern)) kept.push_back(model.colliders[i].name);
    }
  }
  patterns = std::move(kept);
}

}  // namespace

RacePose race_pose(const Model& model, const Frame& frame) {
  return {initial_point(model, frame), initial_rotation(model, frame)};
}

std::vector<BallPlace> ball_places(const Model& model, const BallBearing& b) {
  const RacePose outer = race_pose(model, b.outer), inner = race_pose(model, b.inner);
  const bool has_grooves = b.has_grooves();
  const Vector3 z = outer.axes.col(2), a = inner.axes.col(2);
  const Vector3 d = inner.centre - outer.centre, across = d - z.dot(d) * z;
  const double g_i = b.inner_groove_radius.value_or(0), g_o = b.outer_groove_radius.value_or(0);
  // With one groove the balls are in its plane.
  const bool follows_inner = !b.planar && b.inner_groove_radius && !b.outer_groove_radius;
  std::vector<BallPlace> places;
  for (int k = 0; k < b.balls; ++k) {
    const double angle = b.first_angle + 2 * std::numbers::pi * k / b.balls;
    const Vector3 e = outer.axes * Vector3(std::cos(angle), std::sin(angle), 0);
    if (has_grooves) {
      // On the line through the centres of the two grooves' sections, with the same gap to both.
      const Vector3 O = outer.centre + (b.outer_radius - g_o) * e;
      const Vector3 I = inner.centre + (b.inner_radius + g_i) * (e - a.dot(e) * a).normalized();
      const double distance = (I - O).norm();
      const Vector3 n = distance > 0 ? Vector3((I - O) / distance) : e;
      places.push_back({O + (distance + g_o - g_i) / 2 * n, n});
    } else {
      // As far from one circle as from the other: ρ + |ρe − d| = r_i + r_o.
      const double sum = b.inner_radius + b.outer_radius;
      const double rho = (sum * sum - across.squaredNorm()) / (2 * (sum - e.dot(across)));
      places.push_back({outer.centre + rho * e + (follows_inner ? z.dot(d) : 0) * z, e});
    }
  }
  return places;
}

hertz::ContactGeometry race_geometry(const BallBearing& b, bool is_inner, double cosine) {
  return hertz::contact_geometry({b.ball_radius, b.ball_radius}, race_radii(b, is_inner, cosine));
}

double race_stiffness(const BallBearing& b, bool is_inner, double cosine) {
  const hertz::ElasticMaterial steel{b.young_modulus.value_or(1),
                                     b.poisson_ratio.value_or(LocalLawDefaults::poisson_ratio)};
  return hertz::contact_stiffness(race_geometry(b, is_inner, cosine),
                                  hertz::contact_compliance(steel, steel));
}

Model with_bearings_expanded(const Model& model, BearingUse use) {
  Model expanded = model;
  expanded.ball_bearings.clear();
  for (const BallBearing& bearing : model.ball_bearings) Expansion(bearing, use, expanded).run();
  for (std::size_t i = 0; i < model.contacts.size(); ++i) {
    for (ColliderSelection& side : expanded.contacts[i].between) {
      keep_to_given(side.patterns, expanded, model.colliders.size());
    }
  }
  return expanded;
}

}  // namespace saltus
