// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string_view>

namespace saltus {

enum class LogLevel { Info, Warning };

/// Where messages of the library go. The library itself never prints and never exits; without a
/// sink it is silent.
using LogSink = std::function<void(LogLevel, std::string_view)>;

}  // namespace saltus
