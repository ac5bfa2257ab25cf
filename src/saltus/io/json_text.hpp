// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "saltus/io/json.hpp"

namespace saltus::io {

/// What a text may contain at most, so that no file can exhaust memory or time.
struct JsonLimits {
  std::size_t bytes = std::size_t{256} << 20U;
  std::size_t depth = 64;
  std::size_t containers = 2'000'000;  ///< objects and arrays
  std::size_t values = 10'000'000;     ///< of any kind
};

/// Reads strict JSON (RFC 8259) in UTF-8; a byte order mark at the beginning is skipped.
/// Duplicate keys are refused.
/// @throws InputError with line and column, the place as a JSON pointer, and what to do.
Json parse_json(std::string_view text, const JsonLimits& limits = {});

/// parse_json for the text of a model file: the outermost value must be an object.
Json parse_json_object(std::string_view text, const JsonLimits& limits = {});

/// A number; a whole one is written without decimal point.
Json json_number(double value);

/// Adds the text of a number, the shortest that gives it back; null if it is not finite.
void append_json_number(std::string& text, double value);

/// Adds a text in quotation marks. Bytes that are not UTF-8 are replaced.
void append_json_text(std::string& text, std::string_view value);

/// A value as it is shown in messages: on one line, shortened if it is long.
std::string shown(const Json& value);

/// A text in quotation marks, shortened, with control characters escaped.
std::string in_quotes(std::string_view text);

}  // namespace saltus::io
