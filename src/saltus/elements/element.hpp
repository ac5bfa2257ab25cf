// SPDX-License-Identifier: Apache-2.0
// What an element is to the system: how it sees its nodes, and what it must be able to say.
#pragma once

#include <array>
#include <concepts>
#include <span>
#include <vector>

#include "saltus/elements/contact_memory.hpp"
#include "saltus/elements/node.hpp"
#include "saltus/elements/solid_shape.hpp"

namespace saltus {

/// The time at which loads and drives are taken, and the factor that statics puts on the loads.
struct Instant {
  double time = 0;
  double load_factor = 1;
};

/// The factors of a Newton matrix m M + c C + k K D, C = ∂r/∂v and K = ∂r/∂q of the balance
/// r = inertia − forces, D = diag(I, T(ψ)).
struct TangentFactors {
  double mass = 0;
  double damping = 0;
  double stiffness = 0;
};

/// Where elements are evaluated: all that they may read besides themselves. The views below show an
/// element its own nodes of it.
struct ElementInput {
  std::span<const Node> nodes = {};
  std::span<const NodePose> poses = {};             ///< of the nodes
  std::span<const double> angles = {};              ///< unwrapped angles of joints, rad
  std::span<const ContactMemory> contacts = {};     ///< of compliant contact points
  std::span<const SolidShape> shapes = {};          ///< that congruent cells of solids share
  Vector3 gravity = Vector3::Zero();                ///< acceleration, m/s²
  Instant at = {};                                  ///< of loads
  const VectorX* velocity = nullptr;                ///< where an evaluation needs one
  const VectorX* acceleration = nullptr;            ///< where an evaluation needs one
  const std::vector<Matrix3>* operators = nullptr;  ///< T(ψ) per node; null: identity

  const Node& node(int i) const { return nodes[static_cast<std::size_t>(i)]; }
  const NodePose& pose(int i) const { return poses[static_cast<std::size_t>(i)]; }
  const Matrix3& tangent_operator(int i) const { return (*operators)[static_cast<std::size_t>(i)]; }
  /// The acceleration that weights have.
  Vector3 loading_gravity() const { return at.load_factor * gravity; }
};

/// What an element on one node sees.
class NodeView {
 public:
  using Nodes = std::array<int, 1>;
  using Vector = Vector6;
  using Matrix = Matrix6;

  NodeView(const ElementInput& input, const Nodes& nodes) : input_(input), node_(nodes[0]) {}

  const ElementInput& input() const { return input_; }
  const NodePose& pose() const { return input_.pose(node_); }
  Vector6 velocity() const { return node().local(*input_.velocity); }
  Vector6 acceleration() const { return node().local(*input_.acceleration); }
  /// Adds a force on the node to a global vector.
  void add(const Vector6& f, VectorX& out) const { node().add(f, out); }
  /// T(ψ) of the node, null where columns need none.
  const Matrix3* tangent_operator() const {
    return input_.operators && node().turns() ? &input_.tangent_operator(node_) : nullptr;
  }
  /// The numbers of its unknowns, −1 where the node has none.
  std::vector<int> unknowns() const;

 private:
  const Node& node() const { return input_.node(node_); }

  const ElementInput& input_;
  int node_;
};

/// What an element on two nodes sees, unknowns in the order of NodePair.
class PairView {
 public:
  using Nodes = std::array<int, 2>;
  using Vector = Vector12;
  using Matrix = Matrix12;

  PairView(const ElementInput& input, const Nodes& nodes)
      : input_(input), node_A_(nodes[0]), node_B_(nodes[1]) {}

  const ElementInput& input() const { return input_; }
  NodePair poses() const { return {input_.pose(node_A_), input_.pose(node_B_)}; }
  Vector12 velocity() const { return local(*input_.velocity); }
  Vector12 acceleration() const { return local(*input_.acceleration); }
  void add(const Vector12& f, VectorX& out) const {
    input_.node(node_A_).add(f.head<6>(), out);
    input_.node(node_B_).add(f.tail<6>(), out);
  }
  /// The rotation columns of K times T(ψ): K acts on δΘ = T(ψ) δψ.
  template <class Columns>
  void turn(Columns& K) const {
    if (!input_.operators) return;
    if (input_.node(node_A_).turns()) {
      K.template middleCols<3>(3) *= input_.tangent_operator(node_A_);
    }
    if (input_.node(node_B_).turns()) {
      K.template middleCols<3>(9) *= input_.tangent_operator(node_B_);
    }
  }
  std::vector<int> unknowns() const;

 private:
  Vector12 local(const VectorX& v) const {
    Vector12 out;
    out << input_.node(node_A_).local(v), input_.node(node_B_).local(v);
    return out;
  }

  const ElementInput& input_;
  int node_A_, node_B_;
};

/// What a cell of a solid sees: points, a column for each.
class CellView {
 public:
  using Nodes = std::span<const int>;
  using Vector = SolidShape::Positions;
  using Matrix = SolidShape::Tangent;

  CellView(const ElementInput& input, Nodes nodes) : input_(input), nodes_(nodes) {}

  const ElementInput& input() const { return input_; }
  SolidShape::Positions positions() const;
  SolidShape::Positions velocity() const { return local(*input_.velocity); }
  SolidShape::Positions acceleration() const { return local(*input_.acceleration); }
  void add(const SolidShape::Positions& f, VectorX& out) const;
  std::vector<int> unknowns() const;

 private:
  SolidShape::Positions local(const VectorX& v) const;

  const ElementInput& input_;
  Nodes nodes_;
};

/// An element: a pure function of its nodes. It says which nodes it has and how it sees them; its
/// forces, a struct with any of the members `inertia`, `gravity`, `elastic`, `damping` and
/// `applied`, the causes by which they are booked; and its part A of the Newton matrix, false if it
/// has none with these factors.
template <class E>
concept Element = requires(const E& e, const typename E::View& at, const TangentFactors& factors,
                           typename E::View::Matrix& A) {
  { e.node_ids() } -> std::convertible_to<typename E::View::Nodes>;
  e.forces(at);
  { e.tangent(at, factors, A) } -> std::same_as<bool>;
};

/// An element with mass. `momentum` is M v; it and the forces say what gravity acts on.
template <class E>
concept MassElement = Element<E> && requires(const E& e, const typename E::View& at) {
  { e.momentum(at) } -> std::convertible_to<typename E::View::Vector>;
  { e.kinetic_energy(at) } -> std::same_as<double>;
  { e.gravity_energy(at) } -> std::same_as<double>;
};

/// An element that stores energy when it is deformed.
template <class E>
concept ElasticElement = Element<E> && requires(const E& e, const typename E::View& at) {
  { e.elastic_energy(at) } -> std::same_as<double>;
};

/// Elements of which there are many: several threads evaluate those without common nodes at the
/// same time.
template <class E>
concept ParallelElement = Element<E> && E::is_parallel;

/// The tangent of two nodes' forces: A = k K D + c C.
template <class Tangents>
void set_tangent(const Tangents& t, const PairView& at, const TangentFactors& factors, Matrix12& A,
                 bool is_damped = true) {
  A = factors.stiffness * t.K;
  at.turn(A);
  if (is_damped) A += factors.damping * t.C;
}

/// Whether forces with or without damping have a tangent with these factors.
inline bool contributes(const TangentFactors& factors, bool is_damped) {
  return factors.stiffness != 0 || (factors.damping != 0 && is_damped);
}

}  // namespace saltus
