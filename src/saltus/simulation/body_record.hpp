// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "saltus/dynamics/system.hpp"
#include "saltus/model/options.hpp"
#include "saltus/simulation/flexible_record.hpp"
#include "saltus/simulation/observer.hpp"

namespace saltus {

/// Where bodies are and how they move, one after the other in the order of the model.
class BodyRecord : public Observer {
 public:
  /// @param system  must live longer
  BodyRecord(const System& system, FlexibleDetail detail);

  void row(const State& state, Row& row) override;

 private:
  void put_rigid(const BodyEntry& body, const State& state, Row& row) const;

  const System& system_;
  std::vector<FlexibleRecord> flexible_;  // in the order of the bodies
};

}  // namespace saltus
