// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/json_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace saltus::io {
namespace {

constexpr std::size_t most_suggestions = 200;  // looking for near names takes time

}  // namespace

void JsonReader::report(const Place& place, std::string rule, std::string value,
                        std::string remedy) {
  issues_.push_back({place.text(), std::move(rule), std::move(value), std::move(remedy)});
}

void JsonReader::wrong_type(const Json& json, const Place& place, const std::string& expected) {
  report(place, "must be " + expected, shown(json));
  unreadable_.push_back(place.text());
}

void JsonReader::unusable(const Place& place, std::string rule) {
  report(place, std::move(rule));
  unreadable_.push_back(place.text());
}

void JsonReader::missing(const Place& place, const char* key, const std::string& text,
                         const std::string& unit) {
  report(place / key, "is missing", {},
         fmt::format("it is required: {}{}{}", text, unit.empty() ? "" : ", in ", unit));
  unreadable_.push_back((place / key).text());
}

void JsonReader::unknown_word(const Place& place, const std::string& rule, const std::string& word,
                              const std::vector<std::string>& known) {
  report(place, rule, in_quotes(word),
         issues_.size() < most_suggestions ? did_you_mean(word, known) : "");
  unreadable_.push_back(place.text());
}

std::vector<std::string> JsonReader::report_unknown_keys(const Json& object, const Place& place,
                                                         const std::vector<std::string>& known) {
  std::vector<std::string> meant;
  for (const auto& [key, value] : object.members()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    std::string near;
    if (key.size() <= 64 && issues_.size() < most_suggestions) near = nearest_name(key, known);
    if (near.empty()) {
      report(place / key, "unknown key", {},
             "the keys here are " + fmt::format("{}", fmt::join(known, ", ")));
    } else {
      report(place / key, "unknown key", {}, fmt::format("did you mean \"{}\"?", near));
      if (!object.contains(near)) meant.push_back(near);
    }
  }
  return meant;
}

std::optional<double> JsonReader::read_formula(const Json& json, const Place& place) {
  Issue issue{.place = place.text()};
  const std::optional<double> value = parameters_.evaluate(json.text(), issue);
  if (!value) {
    unreadable_.push_back(issue.place);
    issues_.push_back(std::move(issue));
  }
  return value;
}

void JsonReader::insert_parameters(const Place& place, std::string& text) {
  if (const std::string remedy = parameters_.misspelt(text); !remedy.empty()) {
    report(place, "a name in the formula is not known", in_quotes(text), remedy);
    unreadable_.push_back(place.text());
  }
  text = parameters_.inserted(text);
}

void JsonReader::read_number(const Json& json, const Place& place, double& value) {
  if (Parameters::is_formula(json)) {
    value = read_formula(json, place).value_or(value);
    return;
  }
  if (json.is_object() && place.text() == "/simulation/integrator/step") {
    unusable(place,
             "must be a number: steps chosen by their error are those of "
             "nonsmooth_generalized_alpha and generalized_alpha");
    return;
  }
  if (!json.is_number()) return wrong_type(json, place, "a number");
  value = json.get<double>();
  if (!std::isfinite(value)) wrong_type(json, place, "finite");
}

void JsonReader::read_integer(const Json& json, const Place& place, int& value) {
  double number = 0;
  const bool formula = Parameters::is_formula(json);
  if (json.is_number()) number = json.get<double>();
  if (formula) {
    const std::optional<double> found = read_formula(json, place);
    if (!found) return;
    number = *found;
  }
  const bool fits = std::abs(number) <= std::numeric_limits<int>::max();
  if ((!json.is_number() && !formula) || number != std::floor(number)) {
    return wrong_type(json, place, "a whole number");
  }
  if (!fits) return wrong_type(json, place, "a whole number below 2^31");
  value = static_cast<int>(number);
}

void JsonReader::read_boolean(const Json& json, const Place& place, bool& value) {
  if (!json.is_boolean()) return wrong_type(json, place, "true or false");
  value = json.get<bool>();
}

void JsonReader::read_string(const Json& json, const Place& place, std::string& value) {
  if (!json.is_string()) return wrong_type(json, place, "a text in double quotes");
  value = json.get<std::string>();
  if (value.empty()) wrong_type(json, place, "a text that is not empty");
}

void JsonReader::read_quaternion(const Json& json, const Place& place, Quaternion& value) {
  if (!is_array_of(json, place, 4, "numbers (w, x, y, z)")) return;
  double part[4] = {1, 0, 0, 0};
  for (std::size_t i = 0; i < 4; ++i) read_number(json[i], place / i, part[i]);
  value = Quaternion(part[0], part[1], part[2], part[3]);
}

void JsonReader::read_direction(const Json& json, const Place& place, Direction& value) {
  if (!json.is_string()) {
    if (json.is_array()) return read_matrix(json, place, value);
    return wrong_type(json, place, "3 numbers, or \"x\", \"y\" or \"z\"");
  }
  const auto& word = json.text();
  const bool minus = !word.empty() && word[0] == '-';
  const std::string letter = word.substr(minus ? 1 : 0);
  if (letter != "x" && letter != "y" && letter != "z") {
    return wrong_type(json, place, "3 numbers, or \"x\", \"y\" or \"z\"");
  }
  value = Direction(Vector3((minus ? -1 : 1) * Vector3::Unit(letter[0] - 'x')));
}

void JsonReader::read_selection(const Json& json, const Place& place, ColliderSelection& value) {
  if (json.is_array()) return read(json, place, value.patterns);
  if (!json.is_string()) {
    return wrong_type(json, place, "the name of a collider, a pattern, or a list of them");
  }
  read_string(json, place, value.patterns.emplace_back());
}

int JsonReader::read_reference(const Json& json, const Place& place, const IdWords& words) {
  if (!json.is_string()) {
    wrong_type(json, place, fmt::format("the name of a {}", words.noun));
    return -1;
  }
  const auto& name = json.text();
  if (words.none != nullptr && name == words.none) return -1;
  if (const auto index = names_.find(words.list, name)) return *index;
  std::vector<std::string> known = names_.names(words.list);
  if (words.none != nullptr) known.emplace_back(words.none);
  std::string remedy = issues_.size() < most_suggestions ? did_you_mean(name, known) : "";
  constexpr std::size_t most_names = 12;
  if (remedy.empty() && !known.empty() && known.size() <= most_names) {
    remedy = "it must be " + one_of(known);
  }
  report(place, fmt::format("no {} is named {}", words.noun, in_quotes(name)), {}, remedy);
  unreadable_.push_back(place.text());
  return -1;
}

bool JsonReader::is_array_of(const Json& json, const Place& place, std::size_t count,
                             const char* what) {
  if (json.is_array() && json.size() == count) return true;
  wrong_type(json, place, fmt::format("{} {}", count, what));
  return false;
}

std::string JsonReader::type_of(const Json& json, const Place& place,
                                const std::vector<std::string>& types, bool optional) {
  const Json* member = json.find("type");
  if (member == nullptr) {
    if (optional) return types.front();
    report(place / "type", "is missing", {}, "it must be " + one_of(types));
    unreadable_.push_back(place.text());
    return {};
  }
  if (member->is_string()) {
    const auto& type = member->text();
    if (std::find(types.begin(), types.end(), type) != types.end()) return type;
    std::string remedy = did_you_mean(type, types);
    if (remedy.empty()) remedy = "it must be " + one_of(types);
    report(place / "type", "unknown type " + in_quotes(type), {}, remedy);
  } else {
    report(place / "type", "must be " + one_of(types), shown(*member));
  }
  unreadable_.push_back(place.text());
  return {};
}

}  // namespace saltus::io
