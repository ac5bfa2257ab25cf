// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "saltus/io/hdf5_reader.hpp"
#include "saltus/io/report_arrays.hpp"
#include "saltus/io/report_motion.hpp"

namespace saltus::io {

/// Contact points by the names that columns and events give them.
class ContactNames {
 public:
  /// @param points  must live longer
  explicit ContactNames(const ContactPoints& points);

  std::optional<ContactIndex> find(const std::string& name) const;

 private:
  std::optional<ContactIndex> find_unlisted(const ContactGroup& group,
                                            const std::string& rest) const;

  const ContactPoints& points_;
  std::map<std::string, std::size_t> listed_;
  std::map<std::string, int> first_features_;  // of colliders
};

/// The columns of a listed contact point.
struct PointColumns {
  const std::string* name = nullptr;
  const ContactEntry* entry = nullptr;
  const std::vector<double>* status = nullptr;
  VectorColumns impulse = {};

  /// Whether it touches, or pushed since the last shown row.
  bool acts(std::size_t row) const;
};
/// Those of all points that have them.
/// @param contacts  must live longer
std::vector<PointColumns> point_columns(const ContactPoints& contacts,
                                        const ReportColumns& columns);

/// A vector given along (n, t1, t2) of the results, n from the first to the second collider, in
/// inertial components.
Vector3 inertial(const ContactEntry& entry, const NodePair& q, const Vector3& along);

/// The contact points whose columns are shown, and where they touched and pushed:
///   points: name, contact of the model, the two bodies (−1: the ground)
///   first: for each row where its marks begin; point, x, y, z, and the impulse on the second body
///   since the last shown row (inertial components) of each mark
Json make_contacts(const System& system, const ReportColumns& columns, std::size_t rows,
                   ReportArrays& arrays);

/// The events, at most as many as the budget says: if there are more, the impacts with the largest
/// impulses.
/// @param notes  gets a line if some are left out
Json make_events(const Hdf5Reader& file, const System& system, const ReportColumns& columns,
                 std::size_t most, ReportArrays& arrays, std::vector<std::string>& notes);

/// Forces of contacts with a local law, by contact point; null if there are none.
Json make_contact_forces(const Hdf5Reader& file, std::size_t most, ReportArrays& arrays,
                         std::vector<std::string>& notes);

/// Insides of impacts that were recorded, null if there are none:
///   rows: the groups of points in the events of impacts, with their works and impulses
///   paths: velocities, impulses and works of points over the impulse p
/// @param most  moments of paths; if there are more, the impacts with the largest impulses
Json make_impacts(const Hdf5Reader& file, std::size_t most, ReportArrays& arrays,
                  std::vector<std::string>& notes);

}  // namespace saltus::io
