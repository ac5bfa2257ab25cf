// SPDX-License-Identifier: Apache-2.0
#include "saltus/core/parallel.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

namespace saltus {

void parallel_ranges(int n, int grain, RangeWork work, const void* context) {
  tbb::parallel_for(
      tbb::blocked_range<int>(0, n, grain),
      [&](const tbb::blocked_range<int>& range) { work(context, range.begin(), range.end()); });
}

}  // namespace saltus
