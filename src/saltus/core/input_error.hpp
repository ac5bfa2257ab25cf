// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace saltus {

/// One broken rule of the user's input: where, which rule, what was found, what to do.
struct Issue {
  std::string place = {};   ///< JSON pointer, e.g. "/model/bodies/0/inertia/mass"
  std::string rule = {};    ///< e.g. "must be > 0"
  std::string value = {};   ///< what stands there instead; empty if the rule says it already
  std::string remedy = {};  ///< what to do; empty if the rule says it already

  /// "place: rule, got value; remedy"
  std::string message() const;
};

/// The user's input is wrong. Carries every broken rule that was found, not only the first.
class InputError : public std::runtime_error {
 public:
  explicit InputError(std::vector<Issue> issues, std::string file = {});
  explicit InputError(Issue issue) : InputError(std::vector<Issue>{std::move(issue)}) {}

  const std::vector<Issue>& issues() const { return issues_; }
  const std::string& file() const { return file_; }

 private:
  std::vector<Issue> issues_;
  std::string file_;
};

/// `; did you mean "floor"?` material: the candidate nearest to `name` by edit distance, the
/// only one with the same beginning, or empty if none is near.
std::string nearest_name(const std::string& name, std::span<const std::string> candidates);

}  // namespace saltus
