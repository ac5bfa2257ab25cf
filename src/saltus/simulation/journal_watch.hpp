// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "saltus/simulation/friction_sectors.hpp"
#include "saltus/simulation/observer.hpp"

namespace saltus {

/// Follows pins in bores with friction: where along the bore it takes energy
/// (docs/guide/clearance_joints.md).
class JournalWatch : public Observer {
 public:
  /// @param system  must live longer
  explicit JournalWatch(const System& system);

  void start(const State& state) override;
  void step(const State& state, const StepReport& step, RunOutput& output) override;
  /// What was lost until now goes into the totals of the contacts.
  void finish(const State& state, RunOutput& output) const override;
  void archive(Archive& memory) override;

 private:
  /// A contact of the model with pins in bores.
  struct Journal {
    int group = 0;
    FrictionSectors sectors;
  };

  double angle(const Journal& journal, std::size_t k, const State& state) const;

  const System& system_;
  std::vector<Journal> journals_;
};

}  // namespace saltus
