// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include "saltus/core/threads.hpp"

namespace saltus {

/// Calls work(i) for 0 ≤ i < n, on several threads where there is enough to do. Which thread does
/// what is not determined: calls must write to different places.
template <class Work>
void parallel_for(int n, const Work& work) {
  constexpr int grain = 64;  // elements that are worth handing to a thread
  if (threads() == 1 || n < 4 * grain) {
    for (int i = 0; i < n; ++i) work(i);
    return;
  }
  tbb::parallel_for(tbb::blocked_range<int>(0, n, grain),
                    [&](const tbb::blocked_range<int>& range) {
                      for (int i = range.begin(); i != range.end(); ++i) work(i);
                    });
}

}  // namespace saltus
