// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "saltus/dynamics/system.hpp"
#include "saltus/simulation/observer.hpp"

namespace saltus {

/// Torques or forces of actuators, and of couplings on the joints that they couple, with their
/// power.
class EffortRecord : public Observer {
 public:
  /// @param system  must live longer
  EffortRecord(const System& system, const Model& model);

  void row(const State& state, Row& row) override;

 private:
  struct Term {
    std::size_t entry = 0;  ///< in the list of joints
    std::string owner = {};
  };

  const System& system_;
  std::vector<Term> terms_;
};

}  // namespace saltus
