// SPDX-License-Identifier: Apache-2.0
#include <cctype>
#include <unordered_map>

#include "saltus/model/validate_parts.hpp"

namespace saltus {
namespace {

/// The characters that would break columns of results or pointers.
bool is_forbidden(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return c == '.' || c == '/' || c == ',' || c == '"' || std::isspace(byte) != 0 || byte < 0x20 ||
         byte == 0x7F;
}

std::string remedy_for(const std::string& name) {
  std::string better;
  for (const char c : name) better += is_forbidden(c) ? '_' : c;
  return "write \"" + better + "\"";
}

/// Bodies, joints and forces share the first part of the names of columns.
class CheckNames {
 public:
  explicit CheckNames(std::vector<Issue>& issues) : issues_(issues) {}

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
    for (const char c : name) {
      if (!is_forbidden(c)) continue;
      return report("a name must have no dot, comma, slash, quotation mark or space",
                    remedy_for(name));
    }
    if (name == "ground") return report("this is the name of the ground", "choose another");
    if (name == "time" || name == "energy") {
      return report("this is the name of a column of the results", "choose another");
    }
    const auto [other, is_new] = places_.emplace(name, place);
    if (!is_new) {
      const std::string owner = other->second.substr(0, other->second.rfind('/'));
      report(owner + " has the same name", "names must differ: results are told apart by them");
    }
  }

  std::vector<Issue>& issues_;
  std::unordered_map<std::string, std::string> places_;
};

}  // namespace

void check_names(const Model& model, std::vector<Issue>& issues) {
  CheckNames names(issues);
  names.check(model.bodies, Place("/model/bodies"));
  names.check(model.joints, Place("/model/joints"));
  names.check(model.forces, Place("/model/forces"));
}

}  // namespace saltus
