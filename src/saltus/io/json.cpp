// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/json.hpp"

#include <algorithm>
#include <limits>
#include <ostream>

#include "saltus/io/json_text.hpp"

namespace saltus::io {

Json::Json() : value_(nullptr) {}
Json::Json(double value) : value_(value) {}
Json::Json(const char* text) : value_(std::string(text)) {}
Json::Json(std::string_view text) : value_(std::string(text)) {}
Json::Json(std::string text) : value_(std::move(text)) {}
Json::Json(Integer value) : value_(static_cast<std::int64_t>(value.bits)) {
  constexpr std::uint64_t largest = std::numeric_limits<std::int64_t>::max();
  if (!value.is_signed && value.bits > largest) value_ = value.bits;
}
Json::Json(std::initializer_list<Json> items) {
  const bool all_named = std::all_of(items.begin(), items.end(), [](const Json& item) {
    return item.is_array() && item.size() == 2 && item[0].is_string();
  });
  if (!all_named) {
    value_ = Array(items);
    return;
  }
  Object& object = value_.emplace<Object>();
  for (const Json& item : items) object.push_back({item[0].text(), item[1]});
}

Json::Json(const Json&) = default;
Json::Json(Json&&) noexcept = default;
Json& Json::operator=(const Json&) = default;
Json& Json::operator=(Json&&) noexcept = default;
Json::~Json() = default;

Json Json::object() {
  Json json;
  json.value_.emplace<Object>();
  return json;
}
Json Json::array() { return array({}); }
Json Json::array(std::initializer_list<Json> items) {
  Json json;
  json.value_ = Array(items);
  return json;
}

bool Json::is_null() const { return std::holds_alternative<std::nullptr_t>(value_); }
bool Json::is_boolean() const { return std::holds_alternative<bool>(value_); }
bool Json::is_integer() const {
  return std::holds_alternative<std::int64_t>(value_) ||
         std::holds_alternative<std::uint64_t>(value_);
}
bool Json::is_number() const { return is_integer() || std::holds_alternative<double>(value_); }
bool Json::is_string() const { return std::holds_alternative<std::string>(value_); }
bool Json::is_array() const { return std::holds_alternative<Array>(value_); }
bool Json::is_object() const { return std::holds_alternative<Object>(value_); }

bool Json::boolean() const { return std::get<bool>(value_); }
const std::string& Json::text() const { return std::get<std::string>(value_); }

double Json::number() const {
  if (const auto* value = std::get_if<std::int64_t>(&value_)) return static_cast<double>(*value);
  if (const auto* value = std::get_if<std::uint64_t>(&value_)) return static_cast<double>(*value);
  return std::get<double>(value_);
}

std::int64_t Json::integer() const {
  if (const auto* value = std::get_if<std::int64_t>(&value_)) return *value;
  if (const auto* value = std::get_if<std::uint64_t>(&value_)) {
    return static_cast<std::int64_t>(*value);
  }
  return static_cast<std::int64_t>(std::get<double>(value_));
}

std::size_t Json::size() const {
  if (is_array()) return items().size();
  return is_object() ? members().size() : 0;
}

Json::Array& Json::items() { return std::get<Array>(value_); }
const Json::Array& Json::items() const { return std::get<Array>(value_); }
Json::Object& Json::members() { return std::get<Object>(value_); }
const Json::Object& Json::members() const { return std::get<Object>(value_); }

Json& Json::push_back(Json item) {
  items().push_back(std::move(item));
  return items().back();
}

const Json& Json::child(std::size_t index) const {
  return is_array() ? items()[index] : members()[index].value;
}

const Json* Json::find(std::string_view key) const {
  const auto* object = std::get_if<Object>(&value_);
  if (object == nullptr) return nullptr;
  const auto found = std::find_if(object->begin(), object->end(),
                                  [&](const Member& member) { return member.key == key; });
  return found == object->end() ? nullptr : &found->value;
}

Json& Json::operator[](std::string_view key) {
  if (is_null()) value_.emplace<Object>();
  if (const Json* found = find(key)) return const_cast<Json&>(*found);
  members().push_back({std::string(key), {}});
  return members().back().value;
}

const Json& Json::operator[](std::string_view key) const {
  static const Json nothing;
  const Json* found = find(key);
  return found == nullptr ? nothing : *found;
}

void Json::update(const Json& object) {
  for (const Member& member : object.members()) (*this)[member.key] = member.value;
}

void Json::erase(std::string_view key) {
  std::erase_if(members(), [&](const Member& member) { return member.key == key; });
}

bool Json::operator==(const Json& other) const {
  if (is_number() && other.is_number()) {
    if (!is_integer() || !other.is_integer()) return number() == other.number();
    return value_.index() == other.value_.index() && integer() == other.integer();
  }
  if (value_.index() != other.value_.index()) return false;
  if (is_null()) return true;
  if (is_boolean()) return boolean() == other.boolean();
  if (is_string()) return text() == other.text();
  if (is_array()) return items() == other.items();
  const auto is_in_other = [&](const Member& member) {
    const Json* found = other.find(member.key);
    return found != nullptr && *found == member.value;
  };
  return size() == other.size() && std::all_of(members().begin(), members().end(), is_in_other);
}

std::string Json::dump(int indent) const {
  std::string text;
  dump(indent, 0, text);
  return text;
}

void Json::dump(int indent, int margin, std::string& text) const {
  if (is_null()) {
    text += "null";
  } else if (is_boolean()) {
    text += boolean() ? "true" : "false";
  } else if (is_string()) {
    append_json_text(text, this->text());
  } else if (is_integer()) {
    text += value_.index() == 2 ? std::to_string(std::get<std::int64_t>(value_))
                                : std::to_string(std::get<std::uint64_t>(value_));
  } else if (is_number()) {
    append_json_number(text, number());
  } else {
    const bool breaks = indent >= 0 && !empty();
    const auto new_line = [&](int columns) {
      if (breaks) text.append(1, '\n').append(static_cast<std::size_t>(columns), ' ');
    };
    text += is_array() ? '[' : '{';
    for (std::size_t i = 0; i < size(); ++i) {
      if (i > 0) text += ',';
      new_line(margin + indent);
      if (is_object()) {
        append_json_text(text, members()[i].key);
        text += breaks ? ": " : ":";
      }
      child(i).dump(indent, margin + indent, text);
    }
    new_line(margin);
    text += is_array() ? ']' : '}';
  }
}

std::ostream& operator<<(std::ostream& stream, const Json& json) { return stream << json.dump(); }

}  // namespace saltus::io
