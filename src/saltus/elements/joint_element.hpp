// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "saltus/elements/slip_rows.hpp"
#include "saltus/model/time_function.hpp"

namespace saltus {

/// One scalar equation of a joint: s(q) − s₀ = 0, or, of a slip, G(q) v = 0 alone.
struct ScalarRow {
  std::variant<Dot1, Dot2, PointDistance, TwistAngle, RimHeight, RollingSlip, EdgeSlip> coordinate;
  double offset = 0;     ///< s₀
  bool angular = false;  ///< in rad or a cosine, not in m
  double factor = 1;     ///< of s − s₀, in the sum of a coupling
  int angle = -1;        ///< index of the unwrapped joint angle that s is, in a coupling

  /// Whether it holds a velocity and no position.
  bool is_slip() const {
    return std::holds_alternative<RollingSlip>(coordinate) ||
           std::holds_alternative<EdgeSlip>(coordinate);
  }
  /// s − s₀; 0 of a slip.
  double value(const NodePair& pair) const;
  /// The term of a coupling: the factor times s − s₀, an angle on the branch nearest to its own.
  double term(const NodePair& pair, const std::vector<double>& angles) const;
};

/// Imposed motion of a joint coordinate: the last row becomes s(q) − s₀ − d(t) = 0.
struct DriveFunction {
  CompiledFunction function;
  bool is_speed = false;

  double target(double t) const { return is_speed ? function.integral(t) : function.value(t); }
  double rate(double t) const {
    return is_speed ? function.value(t) : function.first_derivative(t);
  }
  double second_rate(double t) const {
    return is_speed ? function.first_derivative(t) : function.second_derivative(t);
  }
};

/// A joint between frames on two nodes: up to six equations g(q, t) = 0, or G(q) v = 0 where it
/// rolls or slides along an edge (docs/theory/constrained_dynamics.md, section 3). Node 0 is the
/// ground.
class JointElement {
 public:
  static constexpr int max_rows = 6;
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, max_rows, 1>;
  using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, 12, Eigen::ColMajor, max_rows, 12>;

  int node_A = 0, node_B = 0;
  FrameOnNode frame_A = {}, frame_B = {};

  // The equations: the two points coincide (three rows) if `coincident`, then the scalar rows.
  bool coincident = false;
  std::vector<ScalarRow> scalar_rows = {};
  std::optional<DriveFunction> drive = {};

  // The coordinates that the results show, zero at the initial pose.
  std::optional<TwistAngle> angle = {};
  double angle_offset = 0;
  int angle_index = -1;  ///< place in Configuration::angles
  std::optional<Dot2> displacement = {};
  double displacement_offset = 0;

  int rows() const { return (coincident ? 3 : 0) + static_cast<int>(scalar_rows.size()); }
  bool is_angular(int row) const;
  /// Whether a row holds a velocity and no position: its g is always 0.
  bool is_slip(int row) const;
  /// Whether ∂(Gᵀλ)/∂q couples the two nodes; it does not if only points coincide.
  bool couples_nodes() const { return !scalar_rows.empty(); }

  void constraint(const NodePair& pair, double t, Rows& g) const;
  void jacobian(const NodePair& pair, RowMatrix& G) const;
  /// ∂g/∂t and ∂²g/∂t²: only a driven row has them, the last one.
  double time_rate(double t) const { return drive ? -drive->rate(t) : 0.0; }
  double time_second_rate(double t) const { return drive ? -drive->second_rate(t) : 0.0; }
  /// ∂(Gᵀλ)/∂q added to H.
  void add_hessian(const NodePair& pair, const Rows& lambda, Matrix12& H) const;
  /// ∂(G v)/∂q
  void rate_gradient(const NodePair& pair, const Vector12& v, RowMatrix& V) const;

  double displacement_value(const NodePair& pair) const;
};

/// What a joint allows; builds the equations between the frames' axes (columns of E).
void make_fixed(JointElement& joint);
void make_spherical(JointElement& joint);
void make_revolute(JointElement& joint);
void make_prismatic(JointElement& joint);
void make_cylindrical(JointElement& joint);
/// The arms are a_A (axes of body A) and b_B (axes of body B), `cosine` their scalar product.
void make_universal(JointElement& joint, const Vector3& a_A, const Vector3& b_B, double cosine);
void make_planar(JointElement& joint);
void make_point_on_line(JointElement& joint);
void make_point_on_plane(JointElement& joint);
void make_distance(JointElement& joint, double length);
/// A rim of radius `radius` about the second frame's x, or a sphere about its origin, rolls on the
/// plane of the first frame's x and y.
void make_rolling_wheel(JointElement& joint, double radius, double rounding);
void make_rolling_sphere(JointElement& joint, double radius);
/// The second frame's origin does not move across its x in the plane of the first frame's x and y.
void make_knife_edge(JointElement& joint);
/// Holds translations and rotations along and about the axes of frame A.
void make_lock(JointElement& joint, const bool (&translation)[3], const bool (&rotation)[3]);
/// The coordinate of a joint, its angle if it has one, times a factor: a term of a coupling.
JointElement make_term(const JointElement& joint, double factor);
/// Adds the equation of the drive to a revolute or prismatic joint.
void add_drive(JointElement& joint, DriveFunction drive);

}  // namespace saltus
