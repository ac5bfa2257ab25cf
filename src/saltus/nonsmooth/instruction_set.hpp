// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace saltus::nonsmooth {

/// What batches of contacts are swept with. The results are the same bytes.
enum class InstructionSet { Portable, Avx2 };

/// The best one of this machine.
InstructionSet best_instruction_set();

}  // namespace saltus::nonsmooth
