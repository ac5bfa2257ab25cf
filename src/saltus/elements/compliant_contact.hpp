// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "saltus/elements/contact_element.hpp"
#include "saltus/elements/element.hpp"
#include "saltus/hertz/compliant_law.hpp"
#include "saltus/hertz/damping_model.hpp"
#include "saltus/model/friction_law.hpp"
#include "saltus/model/restitution.hpp"

namespace saltus {

/// The damping of a compliant contact whose restitution depends on the speed of approach.
struct DampingOfSpeed {
  hertz::DampingModel model = hertz::DampingModel::None;
  Restitution restitution = 0.0;

  /// χ(e(δ̇⁻)), (2) of docs/theory/compliant_contacts.md
  double ratio(double approach) const {
    return hertz::damping_ratio(model, coefficient_of_restitution(restitution, approach));
  }
};

/// A contact point as a force in the motion: a local law along the normal and, across it, a spring
/// that slips at Coulomb's bound. Its memory is that of the beginning of the step. Equation
/// numbers: docs/theory/compliant_contacts.md.
struct CompliantContact {
  ContactElement contact = {};
  hertz::CompliantLaw law = {};  ///< in a groove that of its bottom
  std::optional<hertz::StiffnessInGroove> in_groove = {};
  std::optional<DampingOfSpeed> damping = {};  ///< instead of the law's ratio
  FrictionLaw friction = 0.0;
  int listed = 0;             ///< the contact point
  int memory = 0;             ///< in Configuration::contacts
  bool divides_steps = true;  ///< whether steps are to resolve it

  /// Forces on the two nodes.
  struct Forces {
    Vector12 elastic = Vector12::Zero();  ///< of the springs along and across the normal
    Vector12 damping = Vector12::Zero();
  };
  struct Tangents {
    Matrix12 K = Matrix12::Zero(), C = Matrix12::Zero();  ///< −∂f/∂q and −∂f/∂v
  };

  /// What a formula sees of the contact, and its derivatives by the motion of the two nodes.
  struct Reading {
    using Slope = Eigen::Matrix<double, 3, 12>;
    bool is_closed = false;
    Vector3 normal = Vector3::UnitX(), force = Vector3::Zero();  ///< on B, inertial components
    double indentation = 0;                                      ///< ≥ 0, m
    Slope normal_q = Slope::Zero(), force_q = Slope::Zero(), force_v = Slope::Zero();
    Row12 indentation_q = Row12::Zero();
  };

  /// @param time  at the pose; the step has begun at the memory's
  Forces forces(const NodePair& q, const Vector12& v, double time,
                const ContactMemory& before) const;
  Tangents tangents(const NodePair& q, const Vector12& v, double time,
                    const ContactMemory& before) const;
  /// At the time of the memory, where it is known, the force that is remembered.
  Reading reading(const NodePair& q, const Vector12& v, double time,
                  const ContactMemory& before) const;
  Reading reading(const PairView& at) const {
    return reading(at.poses(), at.velocity(), at.input().at.time, memory_of(at));
  }
  /// What is remembered at the end of a step that began with `before`.
  ContactMemory end(const NodePair& q, const Vector12& v, double time, const ContactMemory& before,
                    ContactBooks& books) const;
  /// The memory before the first step: a contact that touches is at rest.
  ContactMemory start(const NodePair& q, const Vector12& v, double time) const;
  /// Of a contact with this memory.
  double energy(const ContactMemory& now) const;
  /// How long the contact lasts, or would if the bodies met now, with this effective mass: what a
  /// step must resolve.                                                                    (6, 7)
  double time_scale(const ContactMemory& now, double mass) const;

  using View = PairView;
  std::array<int, 2> node_ids() const { return {contact.node_A, contact.node_B}; }
  /// The law with the damping that goes with a speed of approach δ̇⁻.
  /// @param hardness  K over that at the bottom of a groove
  hertz::CompliantLaw law_of(double approach, double hardness = 1) const;
  Forces forces(const PairView& at) const;
  bool tangent(const PairView& at, const TangentFactors& factors, Matrix12& A) const;
  double elastic_energy(const PairView& at) const { return energy(memory_of(at)); }

 private:
  const ContactMemory& memory_of(const PairView& at) const {
    return at.input().contacts[static_cast<std::size_t>(memory)];
  }
};

}  // namespace saltus
