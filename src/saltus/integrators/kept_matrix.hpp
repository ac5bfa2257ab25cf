// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

#include "saltus/integrators/tuning.hpp"

namespace saltus {

/// Which components of a system go on with the matrix of the iteration before in Newton's method.
/// Each is asked by itself, so that none depends on another.
class KeptMatrices {
 public:
  explicit KeptMatrices(std::size_t components)
      : kept_(components, 0), previous_(components, 1.0), is_needed_(components, 1) {}

  /// Asked once an iteration. @param last_step  relative to the speed or the size
  void ask(std::size_t component, int iteration, double last_step) {
    const double most = kept_[component] != 0
                            ? SmoothTuning::same_matrix_shrinks * previous_[component]
                            : SmoothTuning::same_matrix;
    kept_[component] = iteration > 0 && last_step <= most ? 1 : 0;
    previous_[component] = last_step;
    is_needed_[component] = kept_[component] != 0 ? 0 : 1;
  }
  /// Instead: it has a new matrix each time; one that is done needs none.
  void renew(std::size_t component, bool is_done) {
    kept_[component] = 0;
    is_needed_[component] = is_done ? 0 : 1;
  }
  /// Instead: it goes on with the matrix that is there, as long as steps shrink.
  void keep(std::size_t component) {
    kept_[component] = 1;
    previous_[component] = 1;
    is_needed_[component] = 0;
  }

  bool serve_all() const { return std::ranges::find(is_needed_, 1) == is_needed_.end(); }
  const std::vector<char>& kept() const { return kept_; }

 private:
  std::vector<char> kept_;
  std::vector<double> previous_;
  std::vector<char> is_needed_;
};

}  // namespace saltus
