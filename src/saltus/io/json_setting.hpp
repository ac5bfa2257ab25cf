// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "saltus/io/json_text.hpp"

namespace saltus::io {

/// Applies an assignment "POINTER=VALUE". The pointer follows RFC 6901; an element of a list may be
/// given by its name instead of its index, and "-" appends to a list. It may replace a value or add
/// a key to an object that exists. The value is JSON, or else a text.
/// @throws InputError that names the assignment.
/// @param defaults  a document with the types that objects have where nothing is given: what is
///                  missing on the way to the place begins with its `type` from there
void apply_setting(Json& json, std::string_view assignment, const Json& defaults = {});

}  // namespace saltus::io
