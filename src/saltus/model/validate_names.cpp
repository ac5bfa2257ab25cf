// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <unordered_map>

#include "saltus/model/validate_parts.hpp"

namespace saltus {
namespace {

/// The characters that would break columns of results or pointers.
bool breaks_results(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return c == '.' || c == '/' || c == ',' || c == '"' || std::isspace(byte) != 0 || byte < 0x20 ||
         byte == 0x7F;
}

/// The characters that would make a name a pattern.
bool is_wildcard(char c) { return c == '*' || c == '?'; }

std::string remedy_for(const std::string& name, bool (*is_forbidden)(char)) {
  std::string better;
  for (const char c : name) better += is_forbidden(c) ? '_' : c;
  return "write \"" + better + "\"";
}

/// Names that must differ from each other.
class CheckNames {
 public:
  /// @param columns  whether they are the first part of the names of columns
  CheckNames(std::vector<Issue>& issues, bool columns) : issues_(issues), columns_(columns) {}

  template <class Item>
  void check(const std::vector<Item>& items, const Place& list) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      const Place element = list / i;
      check_name(name_of(items[i]), (element / "name").text());
    }
  }

 private:
  void check_name(const std::string& name, const std::string& place) {
    const auto report = [&](std::string rule, std::string remedy = {}) {
      issues_.push_back({place, std::move(rule), '"' + name + '"', std::move(remedy)});
    };
    if (name.empty()) return report("must not be empty");
    if (std::any_of(name.begin(), name.end(), breaks_results)) {
      return report("a name must have no dot, comma, slash, quotation mark or space",
                    remedy_for(name, breaks_results));
    }
    if (columns_) {
      if (name == "ground") return report("this is the name of the ground", "choose another");
      if (name == "time" || name == "energy" || name == "iterations") {
        return report("this is the name of a column of the results", "choose another");
      }
    } else if (std::any_of(name.begin(), name.end(), is_wildcard)) {
      return report("a collider's name must have no * or ?: they make it a pattern",
                    remedy_for(name, is_wildcard));
    }
    const auto [other, is_new] = places_.emplace(name, place);
    if (!is_new) {
      const std::string owner = other->second.substr(0, other->second.rfind('/'));
      report(owner + " has the same name", columns_
                                               ? "names must differ: results are told apart by them"
                                               : "names must differ: contacts refer to them");
    }
  }

  std::vector<Issue>& issues_;
  bool columns_;
  std::unordered_map<std::string, std::string> places_;
};

}  // namespace

void check_names(const Model& model, std::vector<Issue>& issues) {
  CheckNames names(issues, true);
  names.check(model.bodies, Place("/model/bodies"));
  names.check(model.joints, Place("/model/joints"));
  names.check(model.forces, Place("/model/forces"));
  names.check(model.contacts, Place("/model/contacts"));
  names.check(model.ball_bearings, Place("/model/ball_bearings"));
  CheckNames(issues, false).check(model.colliders, Place("/model/colliders"));
}

}  // namespace saltus
