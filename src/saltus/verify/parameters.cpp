// SPDX-License-Identifier: Apache-2.0
#include "saltus/verify/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "saltus/core/field.hpp"
#include "saltus/model/type_traits.hpp"

namespace saltus {
namespace {

/// One number, vector or formula of a model.
struct Amount {
  std::string pointer;            ///< with indices and names
  std::string meaning;            ///< without them
  std::vector<double*> numbers;   ///< empty for a formula
  Expression* formula = nullptr;  ///< instead

  std::vector<double> value() const {
    std::vector<double> values;
    for (const double* number : numbers) values.push_back(*number);
    return values;
  }
  bool is_zero() const {
    return !formula && std::all_of(numbers.begin(), numbers.end(), [](auto* x) { return *x == 0; });
  }
  /// Whether zero is a value like others, and not that the thing is not there.
  bool counts_if_zero() const {
    return meaning == "/contacts/restitution" || meaning == "/contacts/friction";
  }
  bool is_same(const Amount& other) const {
    return meaning == other.meaning && value() == other.value() &&
           (formula ? formula->text : "") == (other.formula ? other.formula->text : "");
  }
};

/// Fields that are geometry, or numbers of the method.
bool is_left_out(std::string_view owner, std::string_view name) {
  constexpr std::array anywhere = {
      "pose",  "start",     "end",    "through",     "orientation", "between", "at",
      "axis",  "axis_2",    "on",     "frame",       "normal",      "inner",   "outer",
      "times", "divisions", "planar", "first_angle", "settle_time", "scale"};
  if (std::find(anywhere.begin(), anywhere.end(), name) != anywhere.end()) return true;
  const bool is_size = name.find("radius") != name.npos || name == "size" || name == "length";
  return is_size &&
         (owner == "/colliders/shape" || owner == "/joints" || owner == "/ball_bearings");
}

class Walk {
 public:
  std::vector<Amount> found;

  template <class T>
  void visit(T& value, const std::string& pointer, const std::string& meaning) {
    // NOLINTNEXTLINE(bugprone-branch-clone): of other types, which look the same
    if constexpr (std::is_same_v<T, double>) {
      found.push_back({pointer, meaning, {&value}});
    } else if constexpr (std::is_same_v<T, Expression>) {
      found.push_back({pointer, meaning, {}, &value});
    } else if constexpr (FixedMatrix<T>) {
      Amount amount{pointer, meaning, {}};
      for (int i = 0; i < value.size(); ++i) amount.numbers.push_back(value.data() + i);
      found.push_back(std::move(amount));
    } else if constexpr (std::is_same_v<T, std::vector<double>>) {
      Amount amount{pointer, meaning, {}};
      for (double& number : value) amount.numbers.push_back(&number);
      found.push_back(std::move(amount));
    } else if constexpr (Optional<T>) {
      if (value) visit(*value, pointer, meaning);
    } else if constexpr (List<T> || FixedArray<T>) {
      for (std::size_t i = 0; i < value.size(); ++i) {
        visit(value[i], pointer + '/' + key(value[i], i), meaning);
      }
    } else if constexpr (Variant<T>) {
      std::visit([&](auto& item) { visit(item, pointer, meaning); }, value);
    } else if constexpr (HasFields<T>) {
      for_each_field<T>([&](const auto& field) {
        if (is_left_out(meaning, field.name)) return;
        visit(value.*field.member, pointer + '/' + field.name, meaning + '/' + field.name);
      });
    }
  }

 private:
  template <class T>
  static std::string key(const T& item, std::size_t index) {
    std::string name;
    if constexpr (Variant<T>) {
      name = std::visit([&](const auto& it) { return key(it, index); }, item);
    } else if constexpr (requires { item.name; }) {
      name = item.name;
    }
    return name.empty() ? std::to_string(index) : name;
  }
};

using Group = std::vector<Amount>;

/// Quantities that are the same, each group in the place of its first.
std::vector<Group> groups_of(Model& model, SimulationOptions& options) {
  Walk walk;
  walk.visit(model, "", "");
  auto* dynamics = std::get_if<Dynamics>(&options);
  auto* events = dynamics ? std::get_if<EventDriven>(&dynamics->integrator) : nullptr;
  const bool by_energy = events && events->energetic_restitution;
  if (by_energy) {
    constexpr const char* name = "/simulation/integrator/energetic_restitution";
    walk.visit(*events->energetic_restitution, name, name);
  }
  std::vector<Group> groups;
  for (Amount& amount : walk.found) {
    if (amount.is_zero() && !amount.counts_if_zero()) continue;
    if (by_energy && amount.meaning == "/contacts/restitution") continue;  // not used then
    const auto group = std::find_if(groups.begin(), groups.end(),
                                    [&](const Group& g) { return g[0].is_same(amount); });
    if (group != groups.end()) {
      group->push_back(std::move(amount));
    } else {
      groups.push_back({std::move(amount)});
    }
  }
  return groups;
}

void multiply(const Amount& amount, double factor) {
  if (amount.formula) {
    amount.formula->text = fmt::format("{} * ({})", factor, amount.formula->text);
  }
  const bool is_zero = amount.is_zero();
  for (double* number : amount.numbers) {
    *number = is_zero ? std::abs(factor - 1) : factor * *number;
  }
}

}  // namespace

std::vector<Parameter> parameters(const Model& model, const SimulationOptions& options) {
  Model copy = model;
  SimulationOptions copy_of_options = options;
  std::vector<Parameter> result;
  for (const Group& group : groups_of(copy, copy_of_options)) {
    result.push_back({group[0].pointer, group.size(), group[0].value()});
  }
  return result;
}

bool scale(Model& model, SimulationOptions& options, const std::string& parameter, double factor) {
  for (const Group& group : groups_of(model, options)) {
    if (group[0].pointer != parameter) continue;
    for (const Amount& amount : group) multiply(amount, factor);
    return true;
  }
  return false;
}

}  // namespace saltus
