// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace saltus {

/// The version of the program, for example "0.1.0".
const char* version();

}  // namespace saltus
