// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "saltus/dynamics/system.hpp"
#include "saltus/io/report_rows.hpp"
#include "saltus/simulation/quantities.hpp"

namespace saltus::io {

/// A value of a column that comes with others that are shown.
/// @throws FileError if it is not: the results are damaged.
double value_at(const std::vector<double>* column, std::size_t row);

/// Columns that together are a vector, e.g. "ball.velocity.x", "…y", "…z".
struct VectorColumns {
  const std::vector<double>* parts[3] = {};  ///< all null if they are not shown

  bool are_shown() const { return parts[0] != nullptr; }
  /// @throws FileError if they are not shown: others are without which these do not come.
  Vector3 at(std::size_t row) const {
    return {value_at(parts[0], row), value_at(parts[1], row), value_at(parts[2], row)};
  }
};

/// The shown columns of a time series by what they are.
class ReportColumns {
 public:
  /// Both must live longer.
  ReportColumns(const std::vector<Channel>& columns, const ReportRows& rows);

  /// Null if it is not shown.
  /// @param component  of a quantity that has some
  const std::vector<double>* find(const OwnerView& owner, const Quantity& quantity,
                                  const std::string& component = {}) const;
  /// Of a quantity with components x, y, z.
  VectorColumns find_vector(const OwnerView& owner, const Quantity& quantity) const;
  const std::vector<double>& time() const;

 private:
  struct Key {
    Owner owner;
    std::string kind, component;

    // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes the 0 of <=> for a pointer.
    auto operator<=>(const Key&) const = default;
  };
  std::map<Key, const std::vector<double>*> values_;
};

/// Whose channels tell the motion of the i-th node of a body.
OwnerView owner_of(const BodyEntry& body, int i);
/// Whether a body can be drawn: of flexible ones the nodes may not be recorded (record/flexible).
bool has_motion(const BodyEntry& body, const ReportColumns& columns);
/// The names of those that have none.
std::vector<std::string> bodies_without_motion(const System& system, const ReportColumns& columns);

/// Gives the configuration of a system back from the shown rows.
class ReportMotion {
 public:
  /// All must live longer.
  ReportMotion(const System& system, const ReportColumns& columns);

  /// The configuration at a shown row. Nodes that were not recorded stay at the initial pose.
  const Configuration& at(std::size_t row);

 private:
  struct Recorded {
    int node = 0;
    Vector3 origin = Vector3::Zero();  ///< what is recorded, seen from the node, body axes
    VectorColumns place = {};
    const std::vector<double>* turn[4] = {};  ///< null: it does not turn
  };
  void add(const ReportColumns& columns, const OwnerView& owner, int node, const Vector3& origin);

  Configuration configuration_;
  std::vector<Recorded> nodes_;
};

}  // namespace saltus::io
