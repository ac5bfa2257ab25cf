// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace saltus::io {

/// The cells of a line as CsvWriter writes it (RFC 4180), with their quotation marks.
std::vector<std::string_view> csv_cells(std::string_view line);

/// What a cell says.
std::string unquoted(std::string_view cell);

}  // namespace saltus::io
