// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "saltus/integrators/contact_set.hpp"

namespace saltus {

/// The bounds of friction in joints, which follow the joints' own reactions, and these the
/// friction: a fixed point, found by solving the contact problem again and again with bounds that
/// Anderson's acceleration improves. What slips makes bounds linear in each other, but for the
/// directions of reactions: a few rounds. (constrained_dynamics.md, section 6)
class JointLoads {
 public:
  /// Of those of the contact set's members that are friction of a joint.
  explicit JointLoads(ContactSet& contacts) : contacts_(contacts) {}

  /// @param find   finds the bounds that go with the last solution, `load(i)`
  /// @param solve  solves with the bounds that the points have
  /// @return whether the bounds have settled
  template <class Find, class Solve>
  bool settle(Find find, Solve solve) {
    list();
    if (slides_.empty()) return solve(), true;
    begin(find);
    for (int round = 0; round < most_rounds; ++round) {
      solve();
      for (std::size_t k = 0; k < slides_.size(); ++k) found_[row(k)] = find(slides_[k]);
      if (has_settled()) return true;
      go_on(round);
    }
    return false;
  }
  /// The point whose bound is furthest from what its joint's reaction asks for.
  std::size_t worst() const;

 private:
  static constexpr int most_rounds = 100;
  static constexpr int depth = 5;
  static Eigen::Index row(std::size_t k) { return static_cast<Eigen::Index>(k); }
  void list();
  template <class Find>
  void begin(Find find) {
    const auto n = row(slides_.size());
    loads_.resize(n);
    found_.resize(n);
    for (std::size_t k = 0; k < slides_.size(); ++k) loads_[row(k)] = find(slides_[k]);
    memory_ = 0;
    give();
  }
  bool has_settled() const;
  void go_on(int round);
  void remember();
  void give();

  ContactSet& contacts_;
  std::vector<std::size_t> slides_;
  VectorX loads_, found_, last_change_, last_loads_;
  std::array<VectorX, depth> changes_, moves_;  // differences of found − loads, and of loads
  int memory_ = 0;
};

}  // namespace saltus
