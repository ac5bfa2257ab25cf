// SPDX-License-Identifier: Apache-2.0
#include "saltus/verify/reference_suite.hpp"

#include <fmt/format.h>

#include <map>
#include <stdexcept>
#include <utility>

namespace saltus {
namespace {

std::vector<ReferenceCase> all_references() {
  std::vector<ReferenceCase> all = smooth_references();
  for (auto part : {&machine_references, &equilibrium_references, &contact_references,
                    &rest_references, &sphere_references, &flexible_references, &force_references,
                    &clearance_references, &event_references}) {
    for (ReferenceCase& item : part()) all.push_back(std::move(item));
  }
  add_own_references(all);
  return all;
}

using Rows = std::map<std::pair<std::string, std::string>, const Reference*>;

Rows rows_by_name() {
  Rows rows;
  for (const ReferenceCase& item : reference_suite()) {
    for (const Reference& row : item.references) rows[{item.example, row.quantity}] = &row;
  }
  return rows;
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

std::string json_of(const std::string& example, const Reference& row) {
  return fmt::format(
      R"({{"example": {}, "quantity": {}, "unit": {}, "value": {}, "tolerance": {}, )"
      R"("source": {}, "reason": {}, "verified": {}}})",
      quoted(example), quoted(row.quantity), quoted(row.unit), row.value, row.tolerance,
      quoted(text_of(row.source)), quoted(row.reason), row.measure != nullptr);
}

}  // namespace

const std::vector<ReferenceCase>& reference_suite() {
  static const std::vector<ReferenceCase> suite = all_references();
  return suite;
}

const Reference& reference(const std::string& example, const std::string& quantity) {
  static const Rows rows = rows_by_name();
  const auto found = rows.find({example, quantity});
  if (found == rows.end()) {
    throw std::out_of_range(fmt::format("no reference of {}: {}", example, quantity));
  }
  return *found->second;
}

std::string json_of(const std::vector<ReferenceCase>& suite) {
  std::string text;
  for (const ReferenceCase& item : suite) {
    for (const Reference& row : item.references) {
      text += (text.empty() ? "[\n" : ",\n") + json_of(item.example, row);
    }
  }
  return text + "\n]\n";
}

}  // namespace saltus
