// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/joint_loads.hpp"

#include <algorithm>

#include "saltus/integrators/tuning.hpp"

namespace saltus {

void JointLoads::list() {
  slides_.clear();
  for (const int i : contacts_.members()) {
    const auto point = static_cast<std::size_t>(i);
    if (contacts_.points()[point].element().slide() != nullptr) slides_.push_back(point);
  }
}

void JointLoads::give() {
  for (std::size_t k = 0; k < slides_.size(); ++k) contacts_.set_load(slides_[k], loads_[row(k)]);
}

bool JointLoads::has_settled() const {
  const double largest = found_.maxCoeff();
  return (found_ - loads_).cwiseAbs().maxCoeff() <= JointLoadTuning::settled * largest;
}

std::size_t JointLoads::worst() const {
  Eigen::Index k = 0;
  (found_ - loads_).cwiseAbs().maxCoeff(&k);
  return slides_[static_cast<std::size_t>(k)];
}

/// Newer differences first.
void JointLoads::remember() {
  const VectorX change = found_ - loads_;
  if (memory_ > 0) {
    std::rotate(changes_.begin(), changes_.end() - 1, changes_.end());
    std::rotate(moves_.begin(), moves_.end() - 1, moves_.end());
    changes_[0] = change - last_change_;
    moves_[0] = loads_ - last_loads_;
  }
  memory_ = std::min(memory_ + 1, depth + 1);
  last_change_ = change;
  last_loads_ = loads_;
}

/// The combination of the last rounds in which loads, as far as all is linear, no longer change; by
/// Gram and Schmidt. Where that goes in circles, between statuses, half of the way is gone alone.
void JointLoads::go_on(int round) {
  if (round % JointLoadTuning::rounds_of_memory == JointLoadTuning::rounds_of_memory - 1) {
    memory_ = 0;
    loads_ = (loads_ + found_) / 2;
    return give();
  }
  remember();
  VectorX change = last_change_, move = VectorX::Zero(change.size());
  std::array<VectorX, depth> q, p;
  for (std::size_t j = 0; j + 1 < static_cast<std::size_t>(memory_); ++j) {
    q[j] = changes_[j];
    p[j] = moves_[j];
    const double before = q[j].norm();
    for (std::size_t i = 0; i < j; ++i) {
      const double part = q[i].dot(q[j]);
      q[j] -= part * q[i];
      p[j] -= part * p[i];
    }
    const double length = q[j].norm();
    const bool is_new = length > JointLoadTuning::dependent * before;
    q[j] *= is_new ? 1 / length : 0;
    p[j] *= is_new ? 1 / length : 0;
    const double part = q[j].dot(change);
    change -= part * q[j];
    move -= part * p[j];
  }
  loads_ = (loads_ + move + change).cwiseMax(0.0);
  give();
}

}  // namespace saltus
