// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

namespace saltus {

struct Contact;
struct Model;

/// Which of the pairs that a contact selects are left out because a joint connects their bodies:
/// those that a pattern has produced.
class JoinedFilter {
 public:
  JoinedFilter() = default;
  JoinedFilter(const Model& model, const Contact& contact);

  /// @param a, b            colliders
  /// @param body_a, body_b  that carry them
  bool leaves_out(int a, int body_a, int b, int body_b) const;
  bool empty() const { return joined_.empty(); }

 private:
  std::vector<std::pair<int, int>> joined_;
  std::vector<int> named_first_, named_second_;  // colliders named without a pattern
};

}  // namespace saltus
