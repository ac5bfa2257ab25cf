// SPDX-License-Identifier: Apache-2.0
#include "saltus/core/interruption.hpp"

#include <utility>

namespace saltus {
namespace {

thread_local const std::function<bool()>* listener = nullptr;

}  // namespace

InterruptionScope::InterruptionScope(std::function<bool()> goes_on)
    : goes_on_(std::move(goes_on)), before_(listener) {
  listener = &goes_on_;
}

InterruptionScope::~InterruptionScope() { listener = before_; }

void poll_interruption() {
  if (listener != nullptr && !(*listener)()) throw Interruption();
}

}  // namespace saltus
