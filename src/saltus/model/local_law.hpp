// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "saltus/hertz/contact_geometry.hpp"
#include "saltus/hertz/elliptic_contact.hpp"
#include "saltus/model/collider.hpp"
#include "saltus/model/contact.hpp"

namespace saltus {

/// The radii of a groove where a ball touches it at the angle β in its section, counted from the
/// direction away from the axis: along the ring, then of the section, (2a) of
/// docs/theory/contact_forces.md.
inline hertz::PrincipalRadii groove_radii(const Groove& groove, double cosine) {
  const double curvature = cosine / (groove.ring_radius + groove.radius * cosine);
  return {curvature == 0 ? std::numeric_limits<double>::infinity() : -1 / curvature,
          -groove.radius};
}

namespace local_law {

using hertz::PrincipalRadii;

/// The radii of a shape, the first across its axis if it has one.
class RadiiOf {
 public:
  PrincipalRadii operator()(const Sphere& sphere) const {
    return {sphere.outer_radius(), sphere.outer_radius()};
  }
  PrincipalRadii operator()(const Capsule& capsule) const {
    return {.first = capsule.outer_radius()};
  }
  PrincipalRadii operator()(const HollowSphereShape& hollow) const {
    return {-hollow.radius, -hollow.radius};
  }
  PrincipalRadii operator()(const HalfSpace&) const { return {}; }
  PrincipalRadii operator()(const Face&) const { return {}; }
  PrincipalRadii operator()(const Cylinder& cylinder) const { return {.first = cylinder.radius}; }
  PrincipalRadii operator()(const Bore& bore) const { return {.first = -bore.radius}; }
  /// At the bottom; that of a whole tube is the side away from the axis.
  PrincipalRadii operator()(const Groove& groove) const {
    return groove_radii(groove, groove.opening == GrooveOpening::Outwards ? -1 : 1);
  }
  PrincipalRadii operator()(const PointShape&) const { return none("point"); }
  PrincipalRadii operator()(const Box&) const { return none("box"); }
  PrincipalRadii operator()(const Convex&) const { return none("convex"); }
  PrincipalRadii operator()(const MeshShape&) const { return none("mesh"); }

 private:
  [[noreturn]] static PrincipalRadii none(const std::string& shape) {
    throw std::invalid_argument("a " + shape + " has no radius of curvature");
  }
};

/// 0 is flat in files, where there is no infinity.
inline double given(double radius) {
  return radius == 0 ? std::numeric_limits<double>::infinity() : radius;
}

inline bool is_pin_in_bore(const Shape& a, const Shape& b) {
  return std::holds_alternative<Cylinder>(a) && std::holds_alternative<Bore>(b);
}

}  // namespace local_law

/// The relative curvatures of two surfaces for Hertz's law: those of the contact's `radii`, or of
/// the colliders' shapes, in the order of `between`.
/// @throws std::invalid_argument where there is no point contact, with the reason.
inline hertz::ContactGeometry local_geometry(const Contact& contact, const Shape& first,
                                             const Shape& second) {
  const std::vector<double>& r = contact.radii;
  if (r.size() == 2) {
    return hertz::contact_geometry({local_law::given(r[0]), local_law::given(r[0])},
                                   {local_law::given(r[1]), local_law::given(r[1])});
  }
  if (r.size() == 4) {
    return hertz::contact_geometry({local_law::given(r[0]), local_law::given(r[1])},
                                   {local_law::given(r[2]), local_law::given(r[3])});
  }
  if (local_law::is_pin_in_bore(first, second) || local_law::is_pin_in_bore(second, first)) {
    throw std::invalid_argument(
        "a pin touches its bore along a line, for which Hertz's theory gives no stiffness");
  }
  return hertz::contact_geometry(std::visit(local_law::RadiiOf{}, first),
                                 std::visit(local_law::RadiiOf{}, second));
}

/// The materials of the two sides. @pre the contact is Hertzian
inline std::array<hertz::ElasticMaterial, 2> elastic_materials(const Contact& contact) {
  if (contact.materials.empty()) {
    const hertz::ElasticMaterial both{
        contact.young_modulus.value_or(1),
        contact.poisson_ratio.value_or(LocalLawDefaults::poisson_ratio)};
    return {both, both};
  }
  const ContactMaterial &first = contact.materials.front(), &second = contact.materials.back();
  return {hertz::ElasticMaterial{first.young_modulus, first.poisson_ratio},
          hertz::ElasticMaterial{second.young_modulus, second.poisson_ratio}};
}

/// A ball in a groove, whose curvature depends on where in the section it touches.
struct BallInGroove {
  double ball_radius = 0;
  Groove groove = {};
  double compliance = 0, poisson_ratio = 0;  ///< 1/Pa; of the first body

  hertz::ContactGeometry geometry(double cosine) const {
    return hertz::contact_geometry({ball_radius, ball_radius}, groove_radii(groove, cosine));
  }
};

/// A ball that touches a groove of which no other radii are given.
inline std::optional<BallInGroove> ball_in_groove(const Contact& contact, const Shape& first,
                                                  const Shape& second) {
  if (!contact.is_hertzian() || !contact.radii.empty()) return {};
  const bool is_first = std::holds_alternative<Groove>(first);
  const Groove* groove = std::get_if<Groove>(is_first ? &first : &second);
  const Sphere* ball = std::get_if<Sphere>(is_first ? &second : &first);
  if (groove == nullptr || ball == nullptr) return {};
  const auto [one, other] = elastic_materials(contact);
  return BallInGroove{ball->outer_radius(), *groove, hertz::contact_compliance(one, other),
                      one.poisson_ratio};
}

}  // namespace saltus
