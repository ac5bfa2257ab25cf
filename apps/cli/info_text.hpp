// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "saltus/io/model_file.hpp"
#include "saltus/io/result_info.hpp"

namespace saltus::cli {

/// What `saltus info` prints to stdout.
void print_model(const std::string& name, const CheckedModelFile& file);
void print_result(const ResultInfo& info);

}  // namespace saltus::cli
