// SPDX-License-Identifier: Apache-2.0
#include "saltus/core/threads.hpp"

#include <tbb/global_control.h>

#include <algorithm>
#include <memory>

namespace saltus {
namespace {

int thread_count = 1;
std::unique_ptr<tbb::global_control> control;

}  // namespace

int threads() { return thread_count; }

void set_threads(int count) {
  thread_count = std::max(count, 1);
  control = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism,
                                                  static_cast<std::size_t>(thread_count));
}

}  // namespace saltus
