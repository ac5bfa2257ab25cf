// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "saltus/integrators/constrained_motion.hpp"
#include "saltus/integrators/contact_impulses.hpp"
#include "saltus/integrators/residual_scale.hpp"

namespace saltus {

/// An impact by the law of time stepping: the contact problems of its velocity level
/// (docs/theory/multiple_impacts.md), posed at the moment of the impact, where no force acts.
/// Equation numbers: docs/theory/event_driven.md.
class ComplementarityImpact {
 public:
  ComplementarityImpact(const System& system, ConstrainedMotion& motion,
                        const ContactOptions& options);

  /// Where velocities are before an impact; K of the motion must be that of q.
  struct Moment {
    const Configuration& q;
    const VectorX& v;
    double time = 0;
    /// Velocities that forces would make, of which one without an impact is made: Painlevé's
    /// paradox. The same as v in an impact.
    const VectorX& pushed;
  };

  /// Finds the impulses of all points, which touch.
  /// @param loaded  whether they carried a force until now.
  /// @return false, with a message in report(), if there is no usable solution.
  bool solve(const Moment& moment, const std::vector<ClosedPoint>& points,
             const std::vector<char>& loaded);

  const VectorX& jump() const { return W_; }               ///< of the velocities
  const VectorX& joint_impulse() const { return joint_; }  ///< N s
  Vector3 impulse(std::size_t i) const;                    ///< of a point, inertial
  const std::vector<SubImpact>& parts() const { return impulses_.impacts(); }  ///< who got what
  const StepReport& report() const { return report_; }

  void archive(Archive& memory) { memory(impulses_); }

 private:
  void remember(const Moment& moment, const std::vector<ClosedPoint>& points,
                const std::vector<char>& loaded);
  bool solve_once(const Moment& moment);

  const System& system_;
  ConstrainedMotion& motion_;
  ContactSet contacts_;
  ContactImpulses impulses_;
  State before_;
  std::vector<ContactIndex> indices_;
  Sizes speeds_;  // of islands
  VectorX W_, joint_, r_, g_, x_, free_, reaction_;
  StepReport report_;
};

}  // namespace saltus
