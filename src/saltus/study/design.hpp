// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "saltus/study/study.hpp"

namespace saltus::study {

/// The cases of a study: what the parameters are in each. Cases count from 1. Those of `random` and
/// `sobol` do not depend on how many there are.
class Cases {
 public:
  /// @param study  must live as long
  explicit Cases(const Study& study);

  int count() const { return count_; }
  /// The values of the parameters, in their order.
  std::vector<io::Json> values(int number) const;
  /// The same as assignments "POINTER=VALUE".
  std::vector<std::string> settings(int number) const;

 private:
  double share(std::size_t parameter, int number) const;

  const Study& study_;
  int count_ = 0;
  std::vector<std::vector<int>> layers_;  // of a Latin hypercube: of each parameter, case by case
};

}  // namespace saltus::study
