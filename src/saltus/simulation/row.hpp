// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <span>
#include <vector>

#include "saltus/model/types.hpp"
#include "saltus/simulation/channel.hpp"

namespace saltus {

/// A row of a table of results while it is made: observers put one quantity after the other, each
/// with its value. The first row that is made also makes the list of channels, all others the same
/// numbers in the same order; a channel and its value cannot come apart.
class Row {
 public:
  void put(const OwnerView& owner, const Quantity& quantity, double value) {
    put_components(owner, quantity, {value});
  }
  void put(const OwnerView& owner, const Quantity& quantity, const Eigen::Vector2d& value) {
    put_components(owner, quantity, {value[0], value[1]});
  }
  void put(const OwnerView& owner, const Quantity& quantity, const Vector3& value) {
    put_components(owner, quantity, {value[0], value[1], value[2]});
  }
  void put(const OwnerView& owner, const Quantity& quantity, const Quaternion& value) {
    put_components(owner, quantity, {value.w(), value.x(), value.y(), value.z()});
  }

  /// Ends the row. The values are valid until the next put().
  std::span<const double> end();
  /// Of the rows that were made; none before the first.
  const std::vector<Channel>& channels() const { return channels_; }

 private:
  void put_components(const OwnerView& owner, const Quantity& quantity,
                      std::initializer_list<double> values);

  std::vector<Channel> channels_;
  std::vector<double> values_;
  bool has_channels_ = false;  // all of them
  bool is_ended_ = false;
};

}  // namespace saltus
