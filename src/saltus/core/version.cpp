// SPDX-License-Identifier: Apache-2.0
#include "saltus/core/version.hpp"

namespace saltus {

const char* version() { return SALTUS_VERSION; }

}  // namespace saltus
