// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/io/report_motion.hpp"
#include "saltus/io/vtk_writer.hpp"

namespace saltus::io {

/// Beams and bars as lines between their nodes: the series "beams".
class VtkBeams {
 public:
  /// @param model   with ball bearings expanded
  /// @param system  made from it; must live longer
  VtkBeams(const Model& model, const System& system, const ReportColumns& columns);

  bool empty() const { return nodes_.empty(); }
  const VtkGrid& at(const Configuration& q);

 private:
  struct NodeSource {
    int node = 0;
    double radius = 0;
    VectorColumns velocity = {};
  };
  /// Of a bar only what is along it is recorded.
  struct ElementSource {
    int body = 0;
    VectorColumns strain = {}, curvature = {}, force = {}, moment = {};
    const std::vector<double>* axial_strain = nullptr;
    const std::vector<double>* axial_force = nullptr;
    double young_modulus = 0;
    Eigen::Vector2d half_size = Eigen::Vector2d::Zero();  ///< of the section along y and z
  };
  template <class Line>
  void add(const Line& line, int index, const ReportColumns& columns);
  static void add_values(const ElementSource& element, std::vector<VtkArray>& arrays);

  const System& system_;
  std::vector<NodeSource> nodes_;
  std::vector<ElementSource> elements_;
  bool has_strains_ = true;  // record/flexible may leave them out
  VtkGrid grid_;
};

/// Solids as their cells: the series "solids".
class VtkSolids {
 public:
  /// @param system  must live longer
  VtkSolids(const System& system, const ReportColumns& columns);

  bool empty() const { return nodes_.empty(); }
  const VtkGrid& at(const Configuration& q);

 private:
  struct NodeSource {
    int node = 0;
    VectorColumns velocity = {};
    const std::vector<double>* von_mises = nullptr;
  };
  struct CellSource {
    int body = 0;
    const std::vector<double>* von_mises = nullptr;
  };
  void add(const BodyEntry& body, int index, const ReportColumns& columns);

  const System& system_;
  std::vector<NodeSource> nodes_;
  std::vector<CellSource> cells_;
  bool has_stresses_ = true;
  VtkGrid grid_;
};

}  // namespace saltus::io
