// SPDX-License-Identifier: Apache-2.0
#include "saltus/simulation/friction_sectors.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace saltus {
namespace {

std::size_t sector_of(double angle) {
  const double turns = angle / (2 * std::numbers::pi);
  const double part = turns - std::floor(turns);
  return static_cast<std::size_t>(
      std::min(static_cast<int>(part * FrictionSectors::count), FrictionSectors::count - 1));
}

}  // namespace

double FrictionSectors::loss(const State& state) const {
  return state.contact_losses[static_cast<std::size_t>(group_)].friction;
}

void FrictionSectors::accumulate(const State& state,
                                 const std::function<double(std::size_t)>& angle_of) {
  const double now = loss(state), lost = now - loss_;
  loss_ = now;
  if (lost == 0) return;
  const std::vector<double> shares = weights(state);
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (std::size_t k = 0; sum > 0 && k < shares.size(); ++k) {
    if (shares[k] > 0) work_[sector_of(angle_of(k))] += lost * shares[k] / sum;
  }
}

/// Friction times slip, of shapes without a surface velocity; of points that stick at the end of
/// the step, what they bear.
std::vector<double> FrictionSectors::weights(const State& state) const {
  const ContactPoints& points = system_->elements().contacts;
  const ContactGroup& group = points.groups[static_cast<std::size_t>(group_)];
  std::vector<double> slipping(static_cast<std::size_t>(group.count), 0.0), bearing = slipping;
  double sum = 0;
  for (std::size_t k = 0; k < slipping.size(); ++k) {
    const ContactIndex index = group.first + static_cast<ContactIndex>(k);
    const ContactState* contact = state.contact(index);
    if (!contact) continue;
    const ContactElement& e = points.listed[static_cast<std::size_t>(index)].element;
    const NodePair q = system_->pair(state.configuration, e.node_A, e.node_B);
    const ContactElement::Vector6 rates =
        e.jacobian(q) * system_->local(state.velocity, e.node_A, e.node_B);
    slipping[k] = contact->impulse.tail<2>().norm() * rates.segment<2>(1).norm();
    bearing[k] = contact->impulse[0];
    sum += slipping[k];
  }
  return sum > 0 ? slipping : bearing;
}

}  // namespace saltus
