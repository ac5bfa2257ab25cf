// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <utility>

#include "saltus/hertz/elliptic_contact.hpp"
#include "saltus/hertz/impact_force.hpp"
#include "saltus/model/local_law.hpp"
#include "saltus/simulation/result_sink.hpp"

namespace saltus {

/// The local law of one contact point, and what it makes of an impulse.
class LocalContact {
 public:
  /// @param shape    of e and n.
  /// @param elastic  null: the stiffness is given, and there are no stresses.
  LocalContact(const Contact& contact, const hertz::ImpactShape& shape,
               const hertz::PointContact* elastic);

  double restitution() const { return shape_->restitution(); }
  /// Without a rebound there is no duration to be found.
  bool bounces() const { return restitution() > 0; }
  /// From impulse, approach speed and continuous force of the row all the others of an impact.
  /// @param samples  of its history.
  void put_impact(int samples, ForceRow& row) const;
  void put_stress(double force, ForceRow& row) const;

 private:
  void rebuild(int samples, ForceRow& row) const;
  void integrate(int samples, ForceRow& row) const;

  double stiffness_ = 1;
  hertz::DampingModel damping_ = hertz::DampingModel::None;
  ForceMethod method_ = ForceMethod::Reconstruction;
  const hertz::ImpactShape* shape_;
  const hertz::PointContact* elastic_;
};

/// What local contacts share: shapes and ellipses take time to compute, and there are few.
class LocalContacts {
 public:
  /// For two shapes in the order of `between`. It refers to this object.
  LocalContact make(const Contact& contact, const Shape& first, const Shape& second);

 private:
  std::map<std::pair<double, double>, hertz::ImpactShape> shapes_;         // by e, n
  std::map<std::array<double, 4>, hertz::PointContact> elastic_contacts_;  // by A, B, E, ν
};

}  // namespace saltus
