// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "saltus/nonsmooth/contact_problem.hpp"
#include "saltus/nonsmooth/coulomb_cone.hpp"

namespace saltus::nonsmooth {

/// One vector a contact.
using ContactVectors = std::vector<Vector3>;

/// All components in one column.
inline Eigen::Map<Eigen::VectorXd> flat(ContactVectors& x) {
  return {x.front().data(), 3 * static_cast<Eigen::Index>(x.size())};
}
inline Eigen::Map<const Eigen::VectorXd> flat(const ContactVectors& x) {
  return {x.front().data(), 3 * static_cast<Eigen::Index>(x.size())};
}

/// The Delassus operator D = H K⁻¹ Fᵀ of a problem. Local problems: through the motion w of the
/// bodies, nothing stored but the blocks D_cc. Else: a full matrix, by one back-solve a row.
/// The workspace only grows.
class ContactOperator {
 public:
  /// @post the problem is kept by address. False if a number is not finite.
  bool attach(const ContactProblem& problem);

  const ContactProblem& problem() const { return *problem_; }
  const ContactRows& contact(std::size_t c) const { return problem_->contacts[c]; }
  std::size_t contacts() const { return problem_->contacts.size(); }
  bool local() const { return problem_->local; }

  /// D_cc.
  const Matrix3& block(std::size_t c) const { return blocks_[c]; }
  /// ρ_c = 3 / tr D_cc: reaction per motion.
  double rho(std::size_t c) const { return rho_[c]; }
  /// Whether a reaction moves anything in the normal direction. If not (two fixed bodies), the
  /// contact is left out: l = 0.
  bool movable(std::size_t c) const { return movable_[c] != 0; }
  /// max ρ_c / min ρ_c.
  double spread() const { return spread_; }
  /// Largest inertia of a side of a contact · ‖b‖: a size that reactions hardly exceed. It stops
  /// the motion b of the heaviest body.
  double reference() const { return reference_; }

  /// y = D l; in local problems with w = K⁻¹Fᵀl besides.
  void multiply(const ContactVectors& l, ContactVectors& y);
  /// u = D l + b.
  void motion(const ContactVectors& l, ContactVectors& u);
  /// w = K⁻¹Fᵀl in the unknowns of K.
  void response(const ContactVectors& l, Eigen::VectorXd& w);

  /// All of D. Local problems: formed at the first call after attach().
  Eigen::Map<const Eigen::MatrixXd> dense();

  /// Local problems: the motion w that multiply() left, plus one slot for absent unknowns.
  std::vector<double>& bodies() { return w_; }
  /// u_c = b_c + H_c w.
  Vector3 gather(std::size_t c) const;
  /// w += Y_c dl.
  void scatter(std::size_t c, const Vector3& dl);

  /// The unknowns of contact c; absent ones have the index size().
  const std::array<int, 12>& columns(std::size_t c) const { return columns_[c]; }
  int size() const { return problem_->size(); }

 private:
  void form_global();
  void set_directions(std::size_t c, std::size_t first);
  void form_from_bodies();
  bool set_scales();
  double side_mobility(std::size_t c, int first) const;
  double diagonal(int unknown) const;

  const ContactProblem* problem_ = nullptr;
  std::vector<std::array<int, 12>> columns_;
  std::vector<Matrix3> blocks_;
  std::vector<double> rho_;
  std::vector<char> movable_;
  std::vector<double> w_;
  Eigen::MatrixXd columns_of_inverse_;
  std::vector<double> dense_;
  bool has_dense_ = false;
  double spread_ = 1;
  double reference_ = 0;
};

}  // namespace saltus::nonsmooth
