// SPDX-License-Identifier: Apache-2.0
#include "saltus/dynamics/state.hpp"

#include <algorithm>

namespace saltus {

const ContactState* State::contact(ContactIndex index) const {
  const auto found =
      std::lower_bound(contacts.begin(), contacts.end(), index,
                       [](const ContactState& state, ContactIndex i) { return state.contact < i; });
  return found != contacts.end() && found->contact == index ? &*found : nullptr;
}

}  // namespace saltus
