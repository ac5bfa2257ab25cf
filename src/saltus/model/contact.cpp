// SPDX-License-Identifier: Apache-2.0
#include "saltus/model/contact.hpp"

#include <algorithm>

namespace saltus {

bool ColliderSelection::matches(std::string_view name) const {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const std::string& pattern) { return fits(name, pattern); });
}

// Walks along both texts. At a mismatch the last `*` takes one letter more: earlier ones need not
// be tried again, so the time is at most the product of the lengths.
bool fits(std::string_view name, std::string_view pattern) {
  std::size_t i = 0;
  std::size_t j = 0;
  std::size_t after_star = std::string_view::npos;  // in the pattern
  std::size_t taken = 0;                            // where the letters after the star begin
  while (i < name.size()) {
    if (j < pattern.size() && pattern[j] == '*') {
      after_star = ++j;
      taken = i;
    } else if (j < pattern.size() && (pattern[j] == '?' || pattern[j] == name[i])) {
      ++i;
      ++j;
    } else if (after_star != std::string_view::npos) {
      j = after_star;
      i = ++taken;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', j) == std::string_view::npos;
}

}  // namespace saltus
