// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>

namespace saltus::study {

/// What becomes of a case in a process of its own.
enum class Handled { Done, Interrupted, Crashed };

/// Gives the cases to `jobs` processes, one at a time each. `task` runs there: false if it was
/// interrupted. `heard` is called here, after each. A process that dies is replaced: its case has
/// crashed. After an interrupt no case is given out any more.
/// @throws FileError if a task did.
/// @pre no thread has been started: processes are forked.
void run_in_processes(std::span<const int> cases, int jobs, const std::function<bool(int)>& task,
                      const std::function<void(int, Handled)>& heard,
                      const std::function<bool()>& is_interrupted);

}  // namespace saltus::study
