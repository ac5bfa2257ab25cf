// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/interrupt.hpp"

#include <csignal>

namespace saltus::cli {
namespace {

volatile std::sig_atomic_t interrupted = 0;

extern "C" void set_interrupted(int /*signal*/) {
  interrupted = 1;
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

}  // namespace

void catch_interrupts() {
  std::signal(SIGINT, &set_interrupted);
  std::signal(SIGTERM, &set_interrupted);
}

bool is_interrupted() { return interrupted != 0; }

void ignore_write_signals() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

}  // namespace saltus::cli
