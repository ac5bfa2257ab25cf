// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/core/threads.hpp"

namespace saltus {

/// Work on the indices first … last − 1 of what `context` points to.
using RangeWork = void (*)(const void* context, int first, int last);

/// Calls work for pieces of 0 … n − 1, not shorter than `grain`, on several threads.
void parallel_ranges(int n, int grain, RangeWork work, const void* context);

/// Calls work(i) for 0 ≤ i < n, on several threads where there is enough to do. Which thread does
/// what is not determined: calls must write to different places.
template <class Work>
void parallel_for(int n, const Work& work) {
  constexpr int grain = 64;  // elements that are worth handing to a thread
  if (threads() == 1 || n < 4 * grain) {
    for (int i = 0; i < n; ++i) work(i);
    return;
  }
  const RangeWork in_range = [](const void* context, int first, int last) {
    for (int i = first; i != last; ++i) (*static_cast<const Work*>(context))(i);
  };
  parallel_ranges(n, grain, in_range, &work);
}

}  // namespace saltus
