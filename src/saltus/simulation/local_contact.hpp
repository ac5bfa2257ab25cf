// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <optional>
#include <utility>

#include "saltus/hertz/elliptic_contact.hpp"
#include "saltus/hertz/impact_force.hpp"
#include "saltus/model/local_law.hpp"
#include "saltus/simulation/result_sink.hpp"

namespace saltus {

/// Below this coefficient a contact that bounces has the forces of it: no shape or damping is made
/// for less.
double smallest_restitution(const Contact& contact);

/// The local law of one contact point, and what it makes of an impulse.
class LocalContact {
 public:
  /// @param shape    of e and n; null where e depends on the speed of approach.
  /// @param elastic  null: the stiffness is given, and there are no stresses.
  LocalContact(const Contact& contact, const hertz::ImpactShape* shape,
               const hertz::PointContact* elastic);

  /// Of an impact with this speed of approach.
  double restitution(double speed) const { return coefficient_of_restitution(restitution_, speed); }
  bool has_constant_restitution() const { return std::holds_alternative<double>(restitution_); }
  /// Without a rebound there is no duration to be found.
  bool bounces(double speed) const { return restitution(speed) > 0; }
  /// Whether it bounces, but less than the forces do.
  bool bounces_too_little(double speed) const {
    return bounces(speed) && restitution(speed) < smallest_restitution_;
  }
  /// From impulse, approach speed and continuous force of the row all the others of an impact.
  /// @param samples  of its history.
  void put_impact(int samples, ForceRow& row) const;
  void put_stress(double force, ForceRow& row) const;
  const std::optional<BallInGroove>& in_groove() const { return in_groove_; }

 private:
  friend class LocalContacts;
  void rebuild(int samples, ForceRow& row) const;
  void integrate(int samples, ForceRow& row) const;

  double stiffness_ = 1;
  hertz::DampingModel damping_ = hertz::DampingModel::None;
  ForceMethod method_ = ForceMethod::Reconstruction;
  Restitution restitution_ = 0.0;
  double smallest_restitution_ = 0;
  double exponent_ = LocalLawDefaults::exponent;
  const hertz::ImpactShape* shape_;
  const hertz::PointContact* elastic_;
  std::optional<BallInGroove> in_groove_ = {};
};

/// What local contacts share: shapes and ellipses take time to compute, and there are few.
class LocalContacts {
 public:
  /// For two shapes in the order of `between`. It refers to this object.
  LocalContact make(const Contact& contact, const Shape& first, const Shape& second);
  /// Takes the elastic constants for where in its groove a ball touches; nothing for others.
  /// @param cosine  of the angle from the direction away from the axis; rounded to 1/4096, which
  ///                changes forces by less than 1e−5
  void touch_at(double cosine, LocalContact& law);

 private:
  const hertz::PointContact* elastic(const hertz::ContactGeometry& geometry, double compliance,
                                     double nu);

  std::map<std::pair<double, double>, hertz::ImpactShape> shapes_;         // by e, n
  std::map<std::array<double, 4>, hertz::PointContact> elastic_contacts_;  // by A, B, compliance, ν
};

}  // namespace saltus
