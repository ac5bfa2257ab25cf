// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <functional>

namespace saltus {

/// Thrown out of a computation whose result nobody waits for any more.
class Interruption : public std::exception {
 public:
  const char* what() const noexcept override { return "interrupted"; }
};

/// While it lives, long computations of this thread ask it now and then whether they should go on.
class InterruptionScope {
 public:
  explicit InterruptionScope(std::function<bool()> goes_on);
  ~InterruptionScope();
  InterruptionScope(const InterruptionScope&) = delete;
  InterruptionScope& operator=(const InterruptionScope&) = delete;

 private:
  std::function<bool()> goes_on_;
  const std::function<bool()>* before_;
};

/// To be called in every loop that may take long, once an iteration: it costs next to nothing where
/// nobody listens.
/// @throws Interruption if who listens says so
void poll_interruption();

}  // namespace saltus
