// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cassert>

/// A condition that only a programmer can break. Active in Debug builds and in the sanitizer build.
#define SALTUS_ASSERT(condition) assert(condition)
