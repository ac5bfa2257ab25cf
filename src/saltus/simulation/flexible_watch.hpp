// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "saltus/dynamics/system.hpp"
#include "saltus/simulation/observer.hpp"

namespace saltus {

/// Looks for elements that are deformed beyond what they can describe.
class FlexibleWatch : public Observer {
 public:
  explicit FlexibleWatch(const System& system) : system_(system) {}

  void step(const State& state, const StepReport& step, RunOutput& output) override;
  /// A warning for each body with such an element; nearly always none.
  std::vector<StepWarning> look(const Configuration& q) const;

 private:
  void look_at_beam(const BodyEntry& body, const Configuration& q,
                    std::vector<StepWarning>& warnings) const;
  void look_at_solid(const BodyEntry& body, const Configuration& q,
                     std::vector<StepWarning>& warnings) const;

  const System& system_;
};

}  // namespace saltus
