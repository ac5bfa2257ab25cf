// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "saltus/nonsmooth/contact_problem.hpp"
#include "saltus/nonsmooth/coulomb_cone.hpp"
#include "saltus/nonsmooth/dense_system.hpp"

namespace saltus::nonsmooth {

/// One vector a contact.
template <int N>
using ContactVectors = std::vector<ContactVector<N>>;

/// All components in one column.
template <int N>
Eigen::Map<Eigen::VectorXd> flat(std::vector<Eigen::Matrix<double, N, 1>>& x) {
  return {x.front().data(), N * static_cast<Eigen::Index>(x.size())};
}
template <int N>
Eigen::Map<const Eigen::VectorXd> flat(const std::vector<Eigen::Matrix<double, N, 1>>& x) {
  return {x.front().data(), N * static_cast<Eigen::Index>(x.size())};
}

/// The Delassus operator D = H K⁻¹ Fᵀ of a problem with N = 3 or 6 rows a contact. Local problems:
/// through the motion w of the bodies, nothing stored but the blocks D_cc. Else: a full matrix, by
/// one back-solve a row; or implicit, one back-solve a product, D_cc being estimates that scale, no
/// more. The workspace only grows.
template <int N>
class ContactOperator {
 public:
  using Vector = ContactVector<N>;
  using Matrix = ContactMatrix<N>;
  using Vectors = ContactVectors<N>;
  using Columns = std::array<int, 12>;
  using Local = Eigen::Matrix<double, 12, 1>;  ///< the unknowns of one contact
  using Rows = Eigen::Matrix<double, 12, N>;   ///< one row of H or F a column

  /// @param implicit  no full matrix where it would be large.
  /// @post the problem is kept by address. False if a number is not finite.
  bool attach(const ContactProblem& problem, bool implicit = false);

  const ContactProblem& problem() const { return *problem_; }
  std::size_t contacts() const { return problem_->contacts.size(); }
  bool local() const { return problem_->local; }
  /// Whether D is not formed: then blocks D_cc are estimates, and sweeps are out.
  bool implicit() const { return implicit_; }
  int size() const { return problem_->size(); }

  /// D_cc.
  const Matrix& block(std::size_t c) const { return data_[c].D; }
  const Vector& b(std::size_t c) const { return data_[c].b; }
  /// d, if D_cc is nearly diag(D_NN, d, d) (spheres); 0 if not, or if there are moments.
  double tangential_mobility(std::size_t c) const { return data_[c].d; }
  /// H_cᵀ.
  const Rows& rows(std::size_t c) const { return data_[c].H; }
  /// F_cᵀ.
  Rows directions(std::size_t c) const;
  /// The bounds of the reactions; 0 for moments that move nothing.
  const Cone<N>& cone(std::size_t c) const { return data_[c].cone; }
  /// ρ_c = 3 / (trace of the first three rows of D_cc): reaction per motion.
  double rho(std::size_t c) const { return rho_[c]; }
  /// Whether a reaction moves anything in the normal direction. If not (two fixed bodies), the
  /// contact is left out: l = 0.
  bool movable(std::size_t c) const { return movable_[c] != 0; }
  /// max ρ_c / min ρ_c.
  double spread() const { return spread_; }
  /// Largest inertia of a side of a contact · ‖b‖ of the first three rows: a size that reactions
  /// hardly exceed. It stops the motion b of the heaviest body.
  double reference() const { return reference_; }

  /// y = D l; in local problems with w = K⁻¹Fᵀl besides.
  void multiply(const Vectors& l, Vectors& y);
  /// u = D l + b.
  void motion(const Vectors& l, Vectors& u);
  /// w = K⁻¹Fᵀl in the unknowns of K. Local problems: where no contact is, w keeps its values.
  void response(const Vectors& l, Eigen::VectorXd& w);

  /// All of D. Local problems: formed at the first call after attach().
  Eigen::Map<const Eigen::MatrixXd> dense();

  /// u_c = b_c + H_c w, w being the motion that multiply() or motion() left.
  Vector gather(std::size_t c) const { return data_[c].b + product(c); }
  /// w += Y_c dl.
  void scatter(std::size_t c, const Vector& dl);

  /// What the operator has besides H K⁻¹ Fᵀ on its diagonal, of contacts with a given load; 0 of
  /// all others.
  const Vector& spring(std::size_t c) const { return springs_[c]; }
  bool has_springs() const { return has_springs_; }

  /// Whether the unknowns of every side of a contact are those of one body, six in a row.
  bool has_bodies() const { return has_bodies_; }
  /// Bodies are numbered from 0 on, with one for sides without unknowns. @pre has_bodies().
  int bodies() const { return static_cast<int>(w_.size()) / 6; }
  int body(std::size_t c, std::size_t side) const { return data_[c].starts[side] / 6; }

  /// The unknowns of contact c; absent ones have the index size().
  const Columns& columns(std::size_t c) const { return columns_[c]; }

 private:
  using Side = Eigen::Matrix<double, 6, 1>;

  // What a sweep reads of a contact, in one piece: 696 bytes if N = 3.
  struct Data {
    Rows H, Y;
    Matrix D;
    Vector b;
    double d;
    Cone<N> cone;
    std::array<int, 2> starts;  // w of the sides; −1: not in a row, see columns_
  };

  void copy(std::size_t c);
  int start_of(std::size_t c, std::size_t first) const;
  void number_bodies();
  /// Of unknown k of a contact in w_.
  std::size_t place_of(std::size_t c, std::size_t k) const {
    const std::array<int, 2>& starts = data_[c].starts;
    if (starts[0] < 0 || starts[1] < 0) return static_cast<std::size_t>(columns_[c][k]);
    return static_cast<std::size_t>(starts[k / 6]) + k % 6;
  }
  Vector product(std::size_t c) const;
  void form_global();
  void estimate_block(std::size_t c);
  void find_block(std::size_t c);
  void move_all(const Vectors& l);
  void set_directions(std::size_t c, std::size_t first);
  void form_from_bodies();
  bool set_scales();
  void set_cone(std::size_t c);
  void set_tangential_mobility(std::size_t c);
  bool resists(std::size_t c, int first, int count) const;
  double side_mobility(std::size_t c, int first) const;
  double free_mobility(std::size_t c, int row, int first, int count) const;
  double largest_diagonal(std::size_t c, int first) const;
  double diagonal(int unknown) const;
  void move_bodies(const Vectors& l);
  void add_springs();
  void add_spring(std::size_t c);

  const ContactProblem* problem_ = nullptr;
  std::vector<Data> data_;
  std::vector<Columns> columns_;
  std::vector<double> rho_;
  std::vector<char> movable_;
  Vectors springs_;
  bool has_springs_ = false;
  // The motion: of all unknowns, with slots for absent ones; in local problems of the bodies that
  // have contacts, six numbers each, so that a problem costs what it has.
  std::vector<double> w_;
  std::vector<int> places_, stamps_;  // in w_, of bodies' first unknowns, if of this problem
  int stamp_ = 0;
  Eigen::MatrixXd columns_of_inverse_;
  DenseSystem own_;  // of one contact's unknowns
  std::vector<double> dense_;
  bool has_dense_ = false, has_bodies_ = false, implicit_ = false;
  double spread_ = 1;
  double reference_ = 0;
};

// H_c w.
template <int N>
inline ContactVector<N> ContactOperator<N>::product(std::size_t c) const {
  const Data& data = data_[c];
  Local x;
  if (data.starts[0] >= 0 && data.starts[1] >= 0) {
    x.head<6>() = Eigen::Map<const Side>(w_.data() + data.starts[0]);
    x.tail<6>() = Eigen::Map<const Side>(w_.data() + data.starts[1]);
  } else {
    for (std::size_t k = 0; k < 12; ++k) {
      x[static_cast<Eigen::Index>(k)] = w_[static_cast<std::size_t>(columns_[c][k])];
    }
  }
  Vector u;
  for (int k = 0; k < N; ++k) u[k] = data.H.col(k).dot(x);
  return u;
}

template <int N>
inline void ContactOperator<N>::scatter(std::size_t c, const Vector& dl) {
  const Data& data = data_[c];
  Local x = data.Y.col(0) * dl[0];
  for (int k = 1; k < N; ++k) x += data.Y.col(k) * dl[k];
  if (data.starts[0] >= 0 && data.starts[1] >= 0) {
    Eigen::Map<Side>(w_.data() + data.starts[0]) += x.head<6>();
    Eigen::Map<Side>(w_.data() + data.starts[1]) += x.tail<6>();
    return;
  }
  for (std::size_t k = 0; k < 12; ++k) {
    w_[static_cast<std::size_t>(columns_[c][k])] += x[static_cast<Eigen::Index>(k)];
  }
}

extern template class ContactOperator<3>;
extern template class ContactOperator<6>;

}  // namespace saltus::nonsmooth
