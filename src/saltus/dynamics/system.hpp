// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "saltus/dynamics/configuration.hpp"
#include "saltus/dynamics/element_lists.hpp"
#include "saltus/dynamics/state.hpp"
#include "saltus/linalg/sparse_matrix.hpp"
#include "saltus/model/checked_model.hpp"

namespace saltus {

/// The factors and options with which System::assemble builds a Newton matrix
///   [ m M + c C + k K D,  −Gᵀ ;  rows,  −δ ],
/// C = ∂r/∂v and K = ∂r/∂q of the balance r, D = diag(I, T(ψ)).
struct Linearization {
  enum class Rows {
    Velocity,  ///< −(G + k ∂(Gv)/∂q D): constraints at velocity level
    Position,  ///< −G D: constraints at position level
    Closing    ///< the same, but slips are free: rows that hold a velocity and no position
  };

  double mass = 0;
  double damping = 0;
  double stiffness = 0;
  Rows rows = Rows::Velocity;
  const std::vector<Matrix3>* tangent_operators = nullptr;  ///< T(ψ) per node; null: identity
  /// The columns are −(G(q) + G(start))ᵀ/2 instead of −Gᵀ; null: −Gᵀ.
  const Configuration* start = nullptr;
  const std::vector<char>* turned = nullptr;  ///< of which joints, if not of all
  /// ε of δ_i = ε Σ_j G_ij² / D_j, by component; KktSolver fills it in. Empty: none.
  std::span<const double> regularization = {};
};

/// What joints, elements and forces connect: no two components know of each other but by contacts.
struct Component {
  double length = 0;  ///< its size, m: the largest of a body, a lever arm or a distance; or 0
  double height = 0;  ///< over planes at the start, or of a throw: stands for the size of points
  int nodes = 0;
  int constraints = 0;

  /// A single node without joints: its block of a Newton matrix stands alone.
  bool is_free() const { return nodes == 1 && constraints == 0; }
};

/// A size that makes tolerances independent of the unit of length. Point masses have none of their
/// own: the height over a plane or of a throw stands for it, and without one a metre.
double length_of(double length, double height);

/// A torque or force on a joint's coordinate and the rate of that.
struct Effort {
  double value = 0;  ///< N m or N
  double rate = 0;   ///< rad/s or m/s
};

struct CompiledModel;

/// A model compiled to nodes, elements, index maps and one sparsity pattern. Never changes: if you
/// hold a System, it is valid. Unknowns are numbered velocities first, then multipliers.
class System {
 public:
  /// From where the positions of nodes count. Near: as the model gives them, or, if it is far from
  /// the origin for its size, from a point near it, so that no digits are lost.
  enum class Places { AsGiven, Near };

  /// @param time_scale  some thousand steps of a run, s: for functions of time (CompiledFunction).
  explicit System(const CheckedModel& model, double time_scale = 1.0,
                  Places places = Places::AsGiven);

  /// The part of it that these components are, ascending: a system of its own that knows nothing of
  /// the others. Nodes, angles and contact points keep their numbers; nodes of other components
  /// have no unknowns there, and are not present.
  System part(const std::vector<int>& components) const;

  using Unknowns12 = std::array<int, 12>;

  int velocities() const { return velocities_; }
  int constraints() const { return constraints_; }
  int unknowns() const { return velocities_ + constraints_; }
  const std::vector<Node>& nodes() const { return nodes_; }
  const ElementLists& elements() const { return elements_; }
  const Vector3& gravity() const { return gravity_; }
  /// Where the positions of nodes count from, in the inertial frame.
  const Vector3& origin() const { return origin_; }
  const linalg::SparsityPattern& pattern() const { return pattern_; }
  /// About what moves with a node, kg; 0 for the ground and for nodes without inertia.
  double node_mass(int node) const { return node_masses_[static_cast<std::size_t>(node)]; }
  /// Whether the mass matrix is the same at all configurations.
  bool has_constant_mass() const { return constant_mass_; }
  /// The size of the whole in m. Tolerances of a run are those of its islands (islands.hpp); this
  /// is for what is looked at once.
  double characteristic_length() const { return characteristic_length_; }
  const std::vector<Component>& components() const { return components_; }
  /// Whether a node takes part: that of the ground, and those that move. In the part of a system
  /// the nodes of other components do not, and nothing touches them.
  bool is_present(int node) const {
    return node == 0 || nodes_[static_cast<std::size_t>(node)].unknowns > 0;
  }
  /// To which component an unknown belongs.
  int component_of(int unknown) const { return component_of_[static_cast<std::size_t>(unknown)]; }
  bool is_rotation(int velocity) const { return is_rotation_[static_cast<std::size_t>(velocity)]; }
  bool is_angular(int row) const { return is_angular_[static_cast<std::size_t>(row)]; }
  /// Whether a row holds a velocity and no position: where a joint rolls or slides along an edge.
  bool is_slip(int row) const { return is_slip_[static_cast<std::size_t>(row)]; }
  bool has_slips() const { return has_slips_; }
  /// Unknowns of two nodes in the order of NodePair; −1 where a node has none.
  Unknowns12 unknowns_of(int node_A, int node_B) const;
  /// Whether no element couples the unknowns of two nodes: free bodies. Then matrices with this
  /// pattern consist of the blocks of the nodes.
  bool is_uncoupled() const { return uncoupled_; }
  /// The 6×6 block of a node in a matrix with this pattern; the identity where it has no unknown.
  Matrix6 node_block(const linalg::SparseMatrix& S, int node) const;
  /// Adds to that block.
  void add_node_block(int node, const Matrix6& block, linalg::SparseMatrix& S) const;
  NodePair pair(const Configuration& q, int node_A, int node_B) const {
    return {q.nodes[static_cast<std::size_t>(node_A)], q.nodes[static_cast<std::size_t>(node_B)]};
  }
  Vector12 local(const VectorX& v, int node_A, int node_B) const;
  void scatter(const Vector12& f, int node_A, int node_B, VectorX& out) const;
  /// Compliant contacts at the end of a step: what they remember goes from that of its beginning,
  /// which the state still has, to that of the end; losses are booked with their contacts, and the
  /// points that are closed are added to the list of contacts.
  ContactBooks end_contacts(State& next) const;
  /// The same before the first step: contacts that touch are at rest.
  void start_contacts(Configuration& q, const VectorX& v, double time) const;
  /// Where the nodes of a solid's cell are.
  SolidShape::Positions solid_positions(const SolidElement& e, const Configuration& q) const;
  /// "body ball, rotation y" or "joint pin, equation 3": what a message calls an unknown.
  std::string unknown_name(int unknown) const;
  /// The body or joint that an unknown belongs to, e.g. "joint pin".
  std::string owner_name(int unknown) const;

  /// The first jump or kink of a force, torque or drive whose `after` is in (after, until].
  std::optional<Break> next_break(double after, double until) const;

  /// The pose and velocity that the model gives, joints not yet respected.
  const Configuration& given_configuration() const { return given_configuration_; }
  const VectorX& given_velocity() const { return given_velocity_; }

  // ---- evaluation at a configuration q, velocity v, acceleration vdot -------------------------
  void forces(const Configuration& q, const VectorX& v, const VectorX& vdot, const Instant& at,
              const VectorX& lambda, ForceTerms& terms) const;
  /// y = M(q) x
  void mass_times(const Configuration& q, const VectorX& x, VectorX& y) const;
  void constraints(const Configuration& q, double t, VectorX& g) const;
  /// G v + ∂g/∂t
  void constraint_rates(const Configuration& q, const VectorX& v, double t, VectorX& gdot) const;
  /// ∂(G v)/∂q v + ∂²g/∂t², so that g̈ = G v̇ + this.
  void constraint_accelerations(const Configuration& q, const VectorX& v, double t,
                                VectorX& gddot) const;
  /// f += Gᵀλ
  void add_constraint_forces(const Configuration& q, const VectorX& lambda, VectorX& f) const;
  double kinetic_energy(const Configuration& q, const VectorX& v) const;
  double gravity_energy(const Configuration& q) const;
  double elastic_energy(const Configuration& q) const;
  /// Σ over drives of mean multiplier × imposed motion from t_0 to t_1: the drives' work, J.
  double drive_work(double t_0, double t_1, const VectorX& lambda_0, const VectorX& lambda_1) const;
  /// Σ over drives of multiplier × imposed rate, W.
  double drive_power(double t, const VectorX& lambda) const;
  /// Of an actuator, or of a coupling on the joint of one of its terms.
  Effort effort(const ActuatorElement& actuator, const Configuration& q, const VectorX& v,
                double t) const;
  Effort effort(const JointEntry& term, const Configuration& q, const VectorX& v,
                const VectorX& lambda) const;
  /// How far a condition on what moves is true (StateFormula::margin).
  double margin(const StateLaw& law, std::span<const int> nodes, const Configuration& q,
                const VectorX& v, double t) const;
  /// Joint angles to be expected after a time h at the rates of now: on their branches the new ones
  /// are looked for, so that a joint may turn more than half a turn in a step.
  void predict_angles(const Configuration& q, const VectorX& v, double h,
                      std::vector<double>& angles) const;
  /// The angles of joints on the branches nearest to the stored ones.
  void update_angles(Configuration& q) const;

  /// S ← the matrix of `linearization` at (q, v, vdot, λ); S must have this system's pattern.
  void assemble(const Configuration& q, const VectorX& v, const VectorX& vdot, const Instant& at,
                const VectorX& lambda, const Linearization& linearization,
                linalg::SparseMatrix& S) const;

 private:
  struct JointMaps {
    std::vector<int> block, columns, rows, diagonal;
  };

  System(CompiledModel&& compiled, const Vector3& gravity);
  void number_unknowns(const CompiledModel& compiled);
  void list_breaking_functions();
  void scale_stops();
  /// What elements see at a configuration.
  ElementInput input_at(const Configuration& q) const {
    return {.nodes = nodes_,
            .poses = q.nodes,
            .angles = q.angles,
            .contacts = q.contacts,
            .shapes = elements_.solid_shapes,
            .gravity = gravity_};
  }
  linalg::SparsityPattern make_pattern() const;
  void make_maps();
  void make_joint_maps();
  void assemble_joints(const ElementInput& input, const VectorX& lambda, const Linearization& l,
                       linalg::SparseMatrix& S) const;
  void find_components(const CompiledModel& compiled);
  void regularize(const Configuration& q, const Linearization& l, linalg::SparseMatrix& S) const;

  Vector3 origin_ = Vector3::Zero();
  double energy_at_origin_ = 0;  // of gravity, J: what moving the system there has taken
  Vector3 gravity_;
  ElementLists elements_;
  std::vector<CompiledFunction> breaking_functions_;  // those that may jump or kink
  std::vector<Node> nodes_;
  Configuration given_configuration_;
  VectorX given_velocity_;
  std::vector<double> node_masses_;
  bool constant_mass_ = true;
  double characteristic_length_ = 1;
  std::vector<Component> components_;
  std::vector<int> component_of_;  // unknowns
  int velocities_ = 0;
  int constraints_ = 0;
  std::vector<bool> is_rotation_, is_angular_, is_slip_;
  bool has_slips_ = false;
  linalg::SparsityPattern pattern_;
  std::vector<JointMaps> joint_maps_;
  std::vector<int> velocity_diagonal_;
  std::vector<std::vector<int>> node_maps_;
  bool uncoupled_ = false;
};

}  // namespace saltus
