// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/interrupt.hpp"

#include <csignal>

namespace saltus::cli {
namespace {

constexpr int signals[] = {SIGINT, SIGTERM, SIGHUP};

volatile std::sig_atomic_t interrupted = 0;

extern "C" void set_interrupted(int /*signal*/) {
  interrupted = 1;
  for (const int signal : signals) std::signal(signal, SIG_DFL);
}

}  // namespace

void catch_interrupts() {
  for (const int signal : signals) {
    // Who started us with nohup wants us to go on.
    if (std::signal(signal, &set_interrupted) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
}

bool is_interrupted() { return interrupted != 0; }

void ignore_write_signals() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

}  // namespace saltus::cli
