// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/name_table.hpp"

#include "saltus/core/input_error.hpp"

namespace saltus::io {
namespace {

std::string text_of(const Json& object, const char* key) {
  const Json* member = object.find(key);
  return member != nullptr && member->is_string() ? member->text() : "";
}

}  // namespace

NameTable::NameTable(const Json& model) {
  if (!model.is_object()) return;
  for (const auto& [key, list] : model.members()) {
    if (!list.is_array()) continue;
    for (std::size_t i = 0; i < list.size(); ++i) add(key, element_name(list[i], i));
  }
}

NameTable::NameTable(const Model& model) {
  for (const Body& body : model.bodies) add(id_words(BodyId{}).list, name_of(body));
  for (const Joint& joint : model.joints) add(id_words(JointId{}).list, name_of(joint));
}

void NameTable::add(const std::string& list, const std::string& name) {
  List& entry = lists_[list];
  entry.index.emplace(name, static_cast<int>(entry.names.size()));
  entry.names.push_back(name);
}

std::optional<int> NameTable::find(const std::string& list, const std::string& name) const {
  const auto entry = lists_.find(list);
  if (entry == lists_.end() || name.empty()) return std::nullopt;
  const auto found = entry->second.index.find(name);
  if (found == entry->second.index.end()) return std::nullopt;
  return found->second;
}

const std::vector<std::string>& NameTable::names(const std::string& list) const {
  static const std::vector<std::string> none;
  const auto entry = lists_.find(list);
  return entry == lists_.end() ? none : entry->second.names;
}

std::string element_name(const Json& element, std::size_t index) {
  if (!element.is_object()) return {};
  std::string name = text_of(element, "name");
  if (!name.empty()) return name;
  const std::string type = text_of(element, "type");
  return type.empty() ? type : type + std::to_string(index);
}

std::string one_of(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " or " : ", ";
    text += '"' + words[i] + '"';
  }
  return text;
}

std::string did_you_mean(const std::string& name, const std::vector<std::string>& candidates) {
  constexpr std::size_t longest = 64;
  if (name.size() > longest) return {};
  const std::string near = nearest_name(name, candidates);
  return near.empty() ? near : "did you mean \"" + near + "\"?";
}

}  // namespace saltus::io
