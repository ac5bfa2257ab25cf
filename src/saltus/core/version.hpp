// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace saltus {

/// The version of the program, for example "0.1.0".
const char* version();

/// What the library was compiled by and how, "g++ 12.2.0" and "-O3 -DNDEBUG".
const char* compiler();
const char* compiler_flags();

}  // namespace saltus
