// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace saltus {

/// How many threads work on element loops, at least 1; 1 unless set. For the whole process.
int threads();
void set_threads(int count);

}  // namespace saltus
