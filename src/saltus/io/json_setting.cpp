// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/json_setting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

#include "saltus/core/input_error.hpp"
#include "saltus/io/name_table.hpp"

namespace saltus::io {
namespace {

/// One assignment on its way through a document; its errors name it.
class Setting {
 public:
  Setting(std::string_view assignment, const Json& defaults)
      : assignment_(assignment), defaults_(defaults) {}

  void apply(Json& json) const {
    const std::size_t equals = assignment_.find('=');
    if (equals == std::string_view::npos) {
      fail("\"=\" is missing", "write POINTER=VALUE, as in /simulation/end_time=2");
    }
    const std::vector<std::string> tokens = split(assignment_.substr(0, equals));
    Json* place = &json;
    std::string so_far;
    const Json* known = &defaults_;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const bool is_last = i + 1 == tokens.size();
      const bool is_new = place->is_object() && !place->contains(tokens[i]);
      place = &child(*place, tokens[i], so_far, is_last);
      known = known != nullptr && known->is_object() ? known->find(tokens[i]) : nullptr;
      const bool has_type = known != nullptr && known->is_object() && known->contains("type");
      if (is_new && !is_last && has_type) (*place)["type"] = (*known)["type"];
      so_far += '/' + tokens[i];
    }
    *place = parse_value(assignment_.substr(equals + 1));
  }

 private:
  [[noreturn]] void fail(std::string rule, std::string remedy = {}) const {
    throw InputError(Issue{.place = "--set " + std::string(assignment_),
                           .rule = std::move(rule),
                           .remedy = std::move(remedy)});
  }

  std::vector<std::string> split(std::string_view pointer) const;
  Json& child(Json& parent, const std::string& token, const std::string& so_far, bool last) const;
  Json& member(Json& object, const std::string& key, const std::string& so_far, bool last) const;
  Json& element(Json& list, const std::string& token, const std::string& so_far, bool last) const;

  static Json parse_value(std::string_view text) {
    try {
      return parse_json(text);
    } catch (const InputError&) {
      return Json(std::string(text));
    }
  }

  std::string_view assignment_;
  const Json& defaults_;
};

std::vector<std::string> Setting::split(std::string_view pointer) const {
  if (pointer.empty() || pointer[0] != '/') {
    fail("the pointer must begin with \"/\"", "as in /simulation/end_time=2");
  }
  std::vector<std::string> tokens;
  for (std::size_t i = 0; i < pointer.size(); ++i) {
    if (pointer[i] == '/') {
      tokens.emplace_back();
    } else if (pointer[i] != '~') {
      tokens.back() += pointer[i];
    } else {
      const char code = i + 1 < pointer.size() ? pointer[i + 1] : '\0';
      if (code != '0' && code != '1') fail("after \"~\" must come 0 (for ~) or 1 (for /)");
      tokens.back() += code == '0' ? '~' : '/';
      ++i;
    }
  }
  return tokens;
}

Json& Setting::child(Json& parent, const std::string& token, const std::string& so_far,
                     bool last) const {
  if (parent.is_object()) return member(parent, token, so_far, last);
  if (parent.is_array()) return element(parent, token, so_far, last);
  fail(fmt::format("{} is neither an object nor an array", so_far));
}

Json& Setting::member(Json& object, const std::string& key, const std::string& so_far,
                      bool last) const {
  const bool new_parameter = so_far == "/parameters" && !object.contains(key);
  if ((last && !new_parameter) || object.contains(key)) return object[key];
  std::vector<std::string> keys;
  for (const Json::Member& item : object.members()) keys.push_back(item.key);
  const std::string remedy = did_you_mean(key, keys);
  if (new_parameter) {  // nothing uses it
    fail(fmt::format("no parameter is named \"{}\"", key),
         remedy.empty() && !keys.empty() ? "it must be " + one_of(keys) : remedy);
  }
  if (remedy.empty()) return object[key] = Json::object();  // an option that has defaults
  fail(fmt::format("there is no key \"{}\" in {}", key, so_far.empty() ? "the file" : so_far),
       remedy);
}

Json& Setting::element(Json& list, const std::string& token, const std::string& so_far,
                       bool last) const {
  if (token == "-" && last) return list.push_back({});
  std::size_t index = 0;
  const char* const end = token.data() + token.size();
  const auto number = std::from_chars(token.data(), end, index);
  const bool is_index = !token.empty() && number.ec == std::errc() && number.ptr == end &&
                        (token.size() == 1 || token[0] != '0');
  if (is_index && index < list.size()) return list[index];
  std::vector<std::string> names;
  for (std::size_t i = 0; i < list.size(); ++i) {
    names.push_back(element_name(list[i], i));
    if (!token.empty() && names.back() == token) return list[i];
  }
  if (is_index) {
    fail(fmt::format("{} has {} element{}, no element {}", so_far, list.size(),
                     list.size() == 1 ? "" : "s", token),
         list.empty() ? "" : fmt::format("the last one is {}/{}", so_far, list.size() - 1));
  }
  fail(fmt::format("no element of {} is named \"{}\"", so_far, token), did_you_mean(token, names));
}

}  // namespace

void apply_setting(Json& json, std::string_view assignment, const Json& defaults) {
  Setting(assignment, defaults).apply(json);
}

}  // namespace saltus::io
