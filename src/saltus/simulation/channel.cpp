// SPDX-License-Identifier: Apache-2.0
#include "saltus/simulation/channel.hpp"

namespace saltus {
namespace {

/// "rod" and "node" → "rod.node"; one of the two may be empty.
std::string joined(std::string_view first, std::string_view second) {
  std::string text(first);
  if (!first.empty() && !second.empty()) text += '.';
  return text += second;
}

std::string described(std::string_view text, const std::string& component) {
  std::string result(text);
  const std::size_t place = result.find("{}");
  if (place != std::string::npos) result.replace(place, 2, component);
  return result;
}

}  // namespace

std::string OwnerView::prefix() const {
  switch (kind) {
    case OwnerKind::Run:
      return "";
    case OwnerKind::Solver:
      return "iterations";
    case OwnerKind::Ledger:
      return "energy";
    case OwnerKind::Nodes:
    case OwnerKind::Elements:
    case OwnerKind::Balls:
      return joined(name, EnumNames<OwnerKind>::names[static_cast<int>(kind)]) +
             std::to_string(number);
    default:
      return std::string(name);
  }
}

std::vector<std::string> names_of(Components components) {
  switch (components) {
    case Components::Number:
      return {""};
    case Components::Xyz:
      return {"x", "y", "z"};
    case Components::Wxyz:
      return {"w", "x", "y", "z"};
    case Components::Contact:
      return {"n", "t1", "t2"};
    case Components::Tangents:
      return {"t1", "t2"};
  }
  return {};
}

void add_channels(const OwnerView& owner, const Quantity& quantity,
                  std::vector<Channel>& channels) {
  const std::string name = joined(owner.prefix(), quantity.word);
  for (const std::string& component : names_of(quantity.components)) {
    channels.push_back({.name = joined(name, component),
                        .unit = std::string(quantity.unit),
                        .description = described(quantity.text, component),
                        .kind = std::string(quantity.word),
                        .owner = owner.owner(),
                        .component = component,
                        .interest = quantity.interest,
                        .thinning = quantity.thinning});
  }
}

}  // namespace saltus
