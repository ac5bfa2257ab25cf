// SPDX-License-Identifier: Apache-2.0
#include "saltus/simulation/row.hpp"

#include "saltus/core/assert.hpp"

namespace saltus {

void Row::put_components(const OwnerView& owner, const Quantity& quantity,
                         std::initializer_list<double> values) {
  if (is_ended_) {
    values_.clear();
    is_ended_ = false;
  }
  values_.insert(values_.end(), values);
  if (!has_channels_) add_channels(owner, quantity, channels_);
}

std::span<const double> Row::end() {
  has_channels_ = is_ended_ = true;
  SALTUS_ASSERT(values_.size() == channels_.size());
  return values_;
}

}  // namespace saltus
