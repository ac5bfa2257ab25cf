// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "saltus/io/report_contacts.hpp"
#include "saltus/io/vtk_writer.hpp"

namespace saltus::io {

/// Forces of contacts with a local law, taken in the order of time.
class VtkForces {
 public:
  explicit VtkForces(const Hdf5Reader& file);

  bool empty() const { return times_.empty(); }
  /// The largest forces of a contact point since the last call of `advance`, N.
  struct Forces {
    double continuous = 0;  ///< mean of a step
    double peak = 0;        ///< within an impact
  };
  void advance(double time);
  Forces of(const std::string& point) const;

 private:
  std::vector<double> times_, continuous_, peaks_;
  std::vector<std::string> points_;
  std::size_t next_ = 0;
  std::map<std::string, Forces> now_;
};

/// The contact points that have columns of their own, open ones too: the series "contacts".
class VtkContacts {
 public:
  /// All must live longer.
  VtkContacts(const System& system, const ReportColumns& columns, const Hdf5Reader& file);

  bool empty() const { return points_.empty(); }
  const VtkGrid& at(const Configuration& q);

 private:
  struct Source {
    PointColumns point;
    const std::vector<double>* gap = nullptr;
    const std::vector<double>* slip[2] = {};
    bool has_force = false;  ///< whether its contact has a local law
  };
  const System& system_;
  const std::vector<double>& time_;
  std::vector<Source> points_;
  VtkForces forces_;
  VtkGrid grid_;
};

/// The contacts of the model of which only sums are recorded.
std::vector<std::string> contacts_without_points(const System& system,
                                                 const ReportColumns& columns);

}  // namespace saltus::io
