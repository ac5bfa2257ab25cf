// SPDX-License-Identifier: Apache-2.0
#include "saltus/core/version.hpp"

namespace saltus {

const char* version() { return SALTUS_VERSION; }

const char* compiler() {
#ifdef __clang__
  return "clang " __clang_version__;
#else
  return "g++ " __VERSION__;
#endif
}

const char* compiler_flags() { return SALTUS_COMPILER_FLAGS; }

}  // namespace saltus
