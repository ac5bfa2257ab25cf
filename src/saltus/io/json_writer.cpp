// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/json_writer.hpp"

#include "saltus/core/assert.hpp"

namespace saltus::io {
namespace {

/// The whole value on one line, with a space after commas and colons.
void write_line(const Json& json, std::string& text) {
  if (!json.is_structured()) {
    text += json.dump();
    return;
  }
  text += json.is_array() ? '[' : '{';
  for (std::size_t i = 0; i < json.size(); ++i) {
    if (i > 0) text += ", ";
    if (json.is_object()) text += Json(json.members()[i].key).dump() + ": ";
    write_line(json.child(i), text);
  }
  text += json.is_array() ? ']' : '}';
}

/// @param used  the columns in front of the value
void write_pretty(const Json& json, std::size_t indent, std::size_t used, std::string& text) {
  constexpr std::size_t columns = 99;  // and a comma
  std::string line;
  write_line(json, line);
  if (!json.is_structured() || json.empty() || used + line.size() <= columns) {
    text += line;
    return;
  }
  const std::string margin(indent + 2, ' ');
  text += json.is_array() ? "[" : "{";
  for (std::size_t i = 0; i < json.size(); ++i) {
    text += i == 0 ? "\n" : ",\n";
    const std::string key = json.is_object() ? Json(json.members()[i].key).dump() + ": " : "";
    text += margin + key;
    write_pretty(json.child(i), indent + 2, margin.size() + key.size(), text);
  }
  text += '\n' + std::string(indent, ' ') + (json.is_array() ? ']' : '}');
}

}  // namespace

std::string JsonWriter::name_of(int index, const IdWords& words) const {
  if (index < 0) return words.none != nullptr ? words.none : "";
  const std::vector<std::string>& names = names_.names(words.list);
  SALTUS_ASSERT(static_cast<std::size_t>(index) < names.size());
  return names[static_cast<std::size_t>(index)];
}

std::string pretty(const Json& json) {
  std::string text;
  write_pretty(json, 0, 0, text);
  return text + '\n';
}

}  // namespace saltus::io
