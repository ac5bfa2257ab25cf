// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "saltus/integrators/alpha_coefficients.hpp"
#include "saltus/integrators/contact_set.hpp"

namespace saltus {

/// What joints carry at the end of a step, lasting contacts included and impacts not: known as
/// means over steps, and from the last of them since an impact.
/// (docs/theory/nonsmooth_generalized_alpha.md, section 7)
class JointReactions {
 public:
  explicit JointReactions(const System& system);

  /// The smooth multipliers at the time at which generalized-α has its a_n. No steps yet.
  void begin(const VectorX& smooth);

  struct Step {
    const AlphaCoefficients& alpha;
    const ContactSet& contacts;
    const VectorX& impacts;  ///< what they added to Λ
    const State& start;
    double h = 0;
    double stretch = 1;  ///< see ForceWeights
  };
  /// State::reaction of `next`.                                                          (28)
  void find(const Step& step, State& next);
  /// In a step with an impact, of one row: means of the time before it count no longer.
  void begin_anew(int row) { steps_[static_cast<std::size_t>(row)] = 0; }
  /// And where the motion begins anew: the smooth multiplier at the time of a_n.
  void set_smooth(int row, double smooth) { smooth_[row] = smooth; }

  /// Joints of islands with contacts carry their share of them; of others the correction is a
  /// projection, and the smooth motion knows all forces.
  bool is_loaded(const ContactSet& contacts, int row) const;

  const VectorX& smooth() const { return smooth_; }
  /// Means over the last step.
  const VectorX& mean() const { return mean_; }

  /// Of trial steps from the start, all of length h.
  struct Trial {
    static constexpr int steps = 4;
    std::array<VectorX, steps> means = {};
    std::vector<char> is_loaded = {};   ///< of rows, in the first step
    std::vector<int> undisturbed = {};  ///< of components: steps before the first impact
    double h = 0;
  };
  /// The reactions at the start, and the means before it if there had been steps.
  void learn(const Trial& trial, VectorX& reaction);

  /// What those of a system that has these joints, too, know.
  /// @param rows  of this system's constraints, the other's
  void take_over(const JointReactions& other, const std::vector<int>& rows);
  /// What those of a part of this system know.
  /// @param rows  of the part's constraints, this system's
  void take_back(const JointReactions& part, const std::vector<int>& rows);

  void archive(Archive& memory) {
    memory(smooth_, mean_, rate_, rate_before_, first_, steps_, step_);
  }

 private:
  void take_row(const JointReactions& other, int theirs, int ours);
  void extrapolate(const Step& step, const std::vector<int>& rows, State& next);
  static bool fits(const Trial& trial, const std::vector<int>& rows);
  void go_back(const Trial& trial, const std::vector<int>& rows, VectorX& reaction);

  const System* system_;
  VectorX smooth_;  // in the sense of ForceWeights
  VectorX mean_;    // over the last step
  VectorX rate_;    // between the middles of the last two steps, per s
  VectorX rate_before_, earlier_;
  VectorX first_;           // means over the first step where trial steps know them better
  std::vector<int> steps_;  // of rows: since the last impact; −1: the first step is in first_
  double step_ = 0;         // the last one, s
  std::vector<int> rows_;
};

}  // namespace saltus
