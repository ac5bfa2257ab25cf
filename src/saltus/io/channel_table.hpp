// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "saltus/simulation/channel.hpp"

namespace saltus::io {

/// What channels mean, as lists that a file can keep: quantities and owners once, and for each
/// channel which of them it has.
struct ChannelTable {
  ChannelTable() = default;
  explicit ChannelTable(std::span<const Channel> channels);

  // Quantities: one for each word, owner's kind, interest and way of thinning.
  std::vector<std::string> kinds = {};      ///< words
  std::vector<std::string> thinnings = {};  ///< as EnumNames has them
  std::vector<int> interests = {};          ///< 0: kept longest

  // Owners
  std::vector<std::string> owner_kinds = {};  ///< as EnumNames has them
  std::vector<std::string> owner_names = {};
  std::vector<int> owner_numbers = {};

  // Channels
  std::vector<int> kind = {};   ///< which quantity
  std::vector<int> owner = {};  ///< which owner
  std::vector<std::string> components = {};

  /// Puts the meaning of each channel into it.
  /// @throws std::out_of_range if the lists do not fit together.
  void put(std::vector<Channel>& channels) const;
};

/// What the channels of a table mean by their names and units: for results of versions that did not
/// store it.
void guess_meaning(std::vector<Channel>& channels);

}  // namespace saltus::io
