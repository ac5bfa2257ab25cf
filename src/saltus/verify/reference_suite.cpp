// SPDX-License-Identifier: Apache-2.0
#include "saltus/verify/reference_suite.hpp"

namespace saltus {

std::vector<ReferenceCase> reference_suite() {
  std::vector<ReferenceCase> all = smooth_references();
  for (auto part :
       {&equilibrium_references, &contact_references, &sphere_references, &flexible_references,
        &force_references, &clearance_references, &event_references}) {
    for (ReferenceCase& item : part()) all.push_back(std::move(item));
  }
  return all;
}

}  // namespace saltus
