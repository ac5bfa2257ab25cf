// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/io/report_anchors.hpp"
#include "saltus/io/report_motion.hpp"
#include "saltus/io/report_scene.hpp"
#include "saltus/io/vtk_shapes.hpp"
#include "saltus/io/vtk_writer.hpp"

namespace saltus::io {

/// How rigid bodies and nodes of flexible ones move at the row that is shown.
class VtkMotion {
 public:
  /// Both must live longer.
  VtkMotion(const System& system, const ReportColumns& columns);

  /// Of one body or node. The energy is not a number on flexible bodies.
  struct Rates {
    Vector3 velocity = Vector3::Zero();  ///< of the body frame's origin, or the node
    Vector3 angular_velocity = Vector3::Zero();
    double kinetic_energy = 0;
  };
  Rates at(int node, const Configuration& q) const;

 private:
  struct Source {
    VectorColumns velocity = {}, angular_velocity = {};
    Vector3 origin = Vector3::Zero();       ///< of the body frame seen from the node
    const RigidInertia* inertia = nullptr;  ///< null: a node of a flexible body
  };
  std::vector<Source> sources_;  // by node
};

/// Rigid bodies and the colliders of all: the series "bodies". Rigid bodies without a solid
/// collider are drawn by what their inertia stands for, or by lines from their centre of mass to
/// joints, springs and points on them.
class VtkBodies {
 public:
  /// @param model   with ball bearings expanded
  /// @param system  made from it; system and motion must live longer
  /// @param extent  where the bodies go: infinite planes are drawn as far
  VtkBodies(const Model& model, const System& system, const ReportColumns& columns,
            const VtkMotion& motion, const Eigen::AlignedBox3d& extent);

  bool empty() const { return pieces_.empty(); }
  const VtkGrid& at(const Configuration& q);

 private:
  struct Piece {
    int body = -1;  ///< −1: the ground
    int node = 0;
    std::size_t cells = 0;
    std::vector<Vector3> points = {};  ///< in the node's axes
  };
  void add(int node, const FrameOnNode& frame, const VtkSurface& surface);
  void add_colliders(const std::vector<ShapeSite>& sites, const ReportColumns& columns);
  void add_inertias(const Model& model, const std::vector<ShapeSite>& sites);
  void add_links(const BodyEntry& body, const std::vector<ShapeSite>& sites);
  VtkSurface plane(const Collider& collider, int node, const FrameOnNode& frame) const;

  const System& system_;
  const VtkMotion& motion_;
  ReportAnchors anchors_;
  Eigen::AlignedBox3d extent_;
  VtkRoundness roundness_;
  std::vector<Piece> pieces_;
  std::vector<bool> is_drawn_;  // of bodies: whether a collider shows them
  VtkGrid grid_;
};

/// The frames of rigid bodies and point masses as points: the series "frames".
class VtkFrames {
 public:
  /// Both must live longer.
  VtkFrames(const System& system, const VtkMotion& motion);

  bool empty() const { return bodies_.empty(); }
  const VtkGrid& at(const Configuration& q);

 private:
  const System& system_;
  const VtkMotion& motion_;
  std::vector<int> bodies_;
  VtkGrid grid_;
};

/// The names of all bodies, by their numbers.
VtkTexts body_names(const System& system);

/// Whether a model has planes whose size is not given.
bool has_infinite_planes(const Model& model);

}  // namespace saltus::io
