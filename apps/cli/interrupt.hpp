// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace saltus::cli {

/// From now on Ctrl-C (SIGINT), SIGTERM and SIGHUP only set a flag, once: the second one kills.
void catch_interrupts();

bool is_interrupted();

/// A closed pipe and a file-size limit become errors of the write, not the end of the program.
void ignore_write_signals();

}  // namespace saltus::cli
