// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/json_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_set>
#include <vector>

#include "saltus/core/input_error.hpp"
#include "saltus/io/text_position.hpp"
#include "saltus/model/place.hpp"

namespace saltus::io {
namespace {

/// Builds a Json from the events of nlohmann's parser and stops at the first broken rule.
class Builder : public nlohmann::json_sax<nlohmann::json> {
 public:
  Builder(std::string_view text, const JsonLimits& limits) : text_(text), limits_(limits) {}

  Json& result() { return root_; }
  const std::optional<Issue>& issue() const { return issue_; }

  bool null() override { return add(Json(nullptr)) != nullptr; }
  bool boolean(bool value) override { return add(Json(value)) != nullptr; }
  bool number_integer(number_integer_t value) override { return add(Json(value)) != nullptr; }
  bool number_unsigned(number_unsigned_t value) override { return add(Json(value)) != nullptr; }
  bool number_float(number_float_t value, const string_t&) override {
    return add(Json(value)) != nullptr;
  }
  bool string(string_t& value) override { return add(Json(std::move(value))) != nullptr; }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override;
  bool parse_error(std::size_t position, const std::string& token,
                   const nlohmann::detail::exception& error) override;

 private:
  struct Open {
    Json* container = nullptr;
    std::string key = {};                            // of the member that is read
    std::unordered_set<std::string> more_keys = {};  // all keys, once there are many
  };

  Json* add(Json value);
  bool open(Json container);
  bool close() {
    open_.pop_back();
    return true;
  }
  bool is_duplicate(Open& object, const std::string& name);
  bool fail(std::string rule, std::string remedy = {}) {
    issue_ = Issue{.place = place(), .rule = std::move(rule), .remedy = std::move(remedy)};
    return false;
  }
  std::string place() const;
  bool fail_at_end();

  std::string_view text_;
  const JsonLimits& limits_;
  Json root_;
  std::vector<Open> open_;
  std::size_t containers_ = 0;
  std::size_t values_ = 0;
  std::optional<Issue> issue_;
};

/// The pointer of the innermost container that is open.
std::string Builder::place() const {
  std::string text;
  for (std::size_t i = 0; i + 1 < open_.size(); ++i) {
    const Json& container = *open_[i].container;
    text += '/' + (container.is_array() ? std::to_string(container.size() - 1)
                                        : Place::escaped(open_[i].key));
  }
  return text;
}

Json* Builder::add(Json value) {
  if (++values_ > limits_.values) {
    fail(fmt::format("the file has more than {} values", limits_.values));
    return nullptr;
  }
  if (open_.empty()) {
    root_ = std::move(value);
    return &root_;
  }
  Json& parent = *open_.back().container;
  if (parent.is_array()) {
    Json::Array& list = parent.items();
    list.push_back(std::move(value));
    return &list.back();
  }
  Json::Object& members = parent.members();
  members.push_back({open_.back().key, std::move(value)});
  return &members.back().value;
}

bool Builder::open(Json container) {
  if (open_.size() >= limits_.depth) {
    return fail(fmt::format("objects and arrays are nested more than {} deep", limits_.depth));
  }
  if (++containers_ > limits_.containers) {
    return fail(fmt::format("the file has more than {} objects and arrays", limits_.containers));
  }
  Json* place_of_it = add(std::move(container));
  if (place_of_it == nullptr) return false;
  open_.push_back({.container = place_of_it});
  return true;
}

bool Builder::is_duplicate(Open& object, const std::string& name) {
  const Json::Object& members = object.container->members();
  constexpr std::size_t few = 16;
  if (members.size() < few) {
    return std::any_of(members.begin(), members.end(),
                       [&](const auto& member) { return member.key == name; });
  }
  if (object.more_keys.empty()) {
    for (const auto& member : members) object.more_keys.insert(member.key);
  }
  return !object.more_keys.insert(name).second;
}

bool Builder::key(string_t& name) {
  Open& object = open_.back();
  if (is_duplicate(object, name)) {
    return fail(fmt::format("the key {} stands here twice", in_quotes(name)), "remove one of them");
  }
  object.key = std::move(name);
  return true;
}

bool Builder::parse_error(std::size_t position, const std::string&,
                          const nlohmann::detail::exception& error) {
  const SyntaxError what = describe_syntax_error(text_, position, error.what());
  if (what.at_end) return fail_at_end();
  return fail(what.rule, what.remedy);
}

bool Builder::fail_at_end() {
  if (open_.empty()) return fail("the file ends before the first value");
  const bool object = open_.back().container->is_object();
  const char* const kind = object ? "object" : "array";
  std::string inside =
      open_.size() == 1 ? fmt::format("the outermost {}", kind) : fmt::format("this {}", kind);
  return fail(
      fmt::format("the file ends inside {}, at {}", inside, text_position(text_, text_.size())),
      fmt::format("is it complete? a \"{}\" is missing", object ? '}' : ']'));
}

}  // namespace

Json parse_json(std::string_view text, const JsonLimits& limits) {
  if (text.size() > limits.bytes) {
    throw InputError(Issue{.rule = fmt::format("the file has {} bytes, more than {} MiB",
                                               text.size(), limits.bytes >> 20U)});
  }
  if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
  if (std::optional<Issue> issue = find_text_error(text)) throw InputError(std::move(*issue));
  Builder builder(text, limits);
  nlohmann::json::sax_parse(text.data(), text.data() + text.size(), &builder);
  if (builder.issue()) throw InputError(*builder.issue());
  return std::move(builder.result());
}

Json parse_json_object(std::string_view text, const JsonLimits& limits) {
  Json json = parse_json(text, limits);
  if (!json.is_object()) {
    throw InputError(
        Issue{.rule = "the outermost value must be an object { … }", .value = shown(json)});
  }
  return json;
}

Json json_number(double value) {
  constexpr double largest = 1e15;
  const bool whole = value == std::floor(value) && std::abs(value) < largest;
  const bool minus_zero = value == 0 && std::signbit(value);
  return whole && !minus_zero ? Json(static_cast<std::int64_t>(value)) : Json(value);
}

void append_json_number(std::string& text, double value) { text += nlohmann::json(value).dump(); }

void append_json_text(std::string& text, std::string_view value) {
  text += nlohmann::json(value).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 60;
  std::size_t length = std::min(text.size(), longest);
  while (length < text.size() && length > 0 &&
         (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U) {
    --length;  // not inside of a character
  }
  std::string result;
  append_json_text(result, text.substr(0, length));
  if (length < text.size()) result.insert(result.size() - 1, "…");
  return result;
}

std::string shown(const Json& value) {
  if (value.is_string()) return in_quotes(value.text());
  if (!value.is_structured()) return value.dump();
  constexpr std::size_t few = 10;
  bool flat = true;
  for (std::size_t i = 0; i < value.size(); ++i) flat = flat && !value.child(i).is_structured();
  if (value.size() <= few && flat) {
    std::string text = value.dump();
    if (text.size() <= 60) return text;
  }
  return value.is_array() ? fmt::format("an array of {}", value.size()) : "an object";
}

}  // namespace saltus::io
