// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/channel_table.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>
#include <stdexcept>
#include <string_view>
#include <tuple>
#include <utility>

namespace saltus::io {
namespace {

template <class Enum>
Enum enum_of(const std::string& name) {
  const auto& names = EnumNames<Enum>::names;
  const auto found = std::ranges::find(names, name);
  if (found == std::end(names)) throw std::out_of_range("a word that this version does not know");
  return static_cast<Enum>(found - std::begin(names));
}

template <class Enum>
std::string word_of(Enum value) {
  return EnumNames<Enum>::names[static_cast<int>(value)];
}

std::size_t index(int value) { return static_cast<std::size_t>(value); }

}  // namespace

ChannelTable::ChannelTable(std::span<const Channel> channels) {
  std::map<std::tuple<std::string, Interest, Thinning>, int> known_kinds;
  std::map<Owner, int> known_owners;
  for (const Channel& channel : channels) {
    const auto [quantity, is_new] = known_kinds.try_emplace(
        {channel.kind, channel.interest, channel.thinning}, static_cast<int>(kinds.size()));
    if (is_new) {
      kinds.push_back(channel.kind);
      thinnings.push_back(word_of(channel.thinning));
      interests.push_back(static_cast<int>(channel.interest));
    }
    const auto [place, is_first] =
        known_owners.try_emplace(channel.owner, static_cast<int>(owner_kinds.size()));
    if (is_first) {
      owner_kinds.push_back(word_of(channel.owner.kind));
      owner_names.push_back(channel.owner.name);
      owner_numbers.push_back(channel.owner.number);
    }
    kind.push_back(quantity->second);
    owner.push_back(place->second);
    components.push_back(channel.component);
  }
}

void ChannelTable::put(std::vector<Channel>& channels) const {
  if (kind.size() != channels.size() || owner.size() != channels.size() ||
      components.size() != channels.size()) {
    throw std::out_of_range("not as many meanings as columns");
  }
  for (std::size_t i = 0; i < channels.size(); ++i) {
    Channel& channel = channels[i];
    channel.kind = kinds.at(index(kind[i]));
    channel.interest =
        static_cast<Interest>(std::clamp(interests.at(index(kind[i])), 0, saltus::interests - 1));
    channel.thinning = enum_of<Thinning>(thinnings.at(index(kind[i])));
    channel.owner = {.kind = enum_of<OwnerKind>(owner_kinds.at(index(owner[i]))),
                     .name = owner_names.at(index(owner[i])),
                     .number = owner_numbers.at(index(owner[i]))};
    channel.component = components[i];
  }
}

// ---- results of earlier versions

namespace {

bool contains(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

Interest guessed_interest(const std::string& name) {
  if (name == "time" || name.starts_with("energy.") || name.starts_with("iterations.")) {
    return Interest::Drawn;
  }
  if (contains(name, ".position.") || contains(name, ".orientation.")) return Interest::Drawn;
  if (contains(name, ".node")) {
    return name.ends_with(".von_mises") ? Interest::Drawn : Interest::Resultant;
  }
  if (contains(name, ".element")) {
    const bool is_shape = contains(name, ".strain") || contains(name, ".curvature");
    return is_shape ? Interest::Drawn : Interest::Resultant;
  }
  if (contains(name, ".rotation.") || contains(name, ".eccentricity.")) return Interest::Resultant;
  for (const char* contact : {".gap", ".status", ".impulse", ".closed"}) {
    if (contains(name, contact)) return Interest::Contact;
  }
  return Interest::Rate;
}

Thinning guessed_thinning(const Channel& channel) {
  if (channel.unit == "N s" || channel.unit == "N m s") return Thinning::Sum;
  if (channel.kind == "gap") return Thinning::Smallest;
  if (channel.kind == "load_inner" || channel.kind == "load_outer") return Thinning::Mean;
  if (channel.kind == "status" || channel.kind == "closed" ||
      channel.owner.kind == OwnerKind::Solver) {
    return Thinning::Largest;
  }
  return Thinning::Sample;
}

/// Takes the last word off, and the dot before it.
std::string cut_last(std::string& text) {
  const std::size_t dot = text.rfind('.');
  const std::size_t begin = dot == std::string::npos ? 0 : dot + 1;
  std::string last = text.substr(begin);
  text.resize(dot == std::string::npos ? 0 : dot);
  return last;
}

/// "rod.node3" → part 3 of "rod".
bool find_part(OwnerKind kind, Owner& owner) {
  const std::string word = "." + word_of(kind);
  const std::size_t place = owner.name.rfind(word);
  if (place == std::string::npos) return false;
  const char* const first = owner.name.data() + place + word.size();
  const char* const last = owner.name.data() + owner.name.size();
  int number = -1;
  const auto [end, error] = std::from_chars(first, last, number);
  if (error != std::errc() || end != last) return false;
  owner = {.kind = kind, .name = owner.name.substr(0, place), .number = number};
  return true;
}

/// Whose a name is that begins so; joints, contacts and bearings are told from bodies by their
/// words.
Owner guessed_owner(std::string prefix) {
  if (prefix.empty()) return {.kind = OwnerKind::Run};
  if (prefix == "iterations") return {.kind = OwnerKind::Solver};
  if (prefix == "energy") return {.kind = OwnerKind::Ledger};
  Owner owner{.kind = OwnerKind::Bodies, .name = std::move(prefix)};
  for (const OwnerKind part : {OwnerKind::Nodes, OwnerKind::Elements}) {
    if (find_part(part, owner)) break;
  }
  return owner;
}

void split_name(Channel& channel) {
  std::string rest = channel.name;
  channel.kind = cut_last(rest);
  constexpr std::array components = {"x", "y", "z", "w", "n", "t1", "t2"};
  if (!rest.empty() && std::ranges::find(components, channel.kind) != components.end()) {
    channel.component = std::exchange(channel.kind, cut_last(rest));
  }
  channel.owner = guessed_owner(rest);
}

}  // namespace

void guess_meaning(std::vector<Channel>& channels) {
  std::map<std::string, std::set<std::string>> words;  // of each name
  for (Channel& channel : channels) {
    split_name(channel);
    words[channel.owner.name].insert(channel.kind);
  }
  for (Channel& channel : channels) {
    if (channel.owner.kind == OwnerKind::Bodies) {
      const std::set<std::string>& others = words[channel.owner.name];
      const bool is_ball = channel.kind.starts_with("load_") || channel.kind == "angle";
      if (others.contains("torque")) {
        channel.owner.kind = OwnerKind::Joints;
      } else if (others.contains("gap")) {
        channel.owner.kind = OwnerKind::Points;
      } else if (others.contains("cage_speed")) {
        channel.owner.kind = OwnerKind::Bearings;
      } else if (is_ball) {
        find_part(OwnerKind::Balls, channel.owner);
      } else if (others.contains("impulse") || others.contains("closed")) {
        channel.owner.kind = OwnerKind::Contacts;
      }
    }
    channel.interest = guessed_interest(channel.name);
    channel.thinning = guessed_thinning(channel);
  }
}

}  // namespace saltus::io
