// SPDX-License-Identifier: Apache-2.0
#include "saltus/nonsmooth/contact_system.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace saltus::nonsmooth {
namespace {

// Rows up to which the full matrix is quicker than the sparse one.
constexpr int full_local = 24;
constexpr int full_global = 240;

constexpr double singular_pivot = 1e-13;  // relative; the matrix is scaled

bool prefers_full(const ContactProblem& problem) {
  const int rows = problem.rows();
  if (rows <= full_local) return true;
  return !problem.local && rows <= std::min(problem.size(), full_global);
}

}  // namespace

bool ContactSystem::factorize(ContactOperator& D, const std::vector<Matrix3>& A,
                              const std::vector<Matrix3>& B, Form form) {
  D_ = &D;
  A_ = &A;
  B_ = &B;
  full_ = form == Form::Full || (form == Form::Automatic && prefers_full(D.problem()));
  return full_ ? factorize_full() : factorize_condensed();
}

void ContactSystem::solve(const ContactVectors& r, ContactVectors& x) {
  x.resize(r.size());
  full_ ? solve_full(r, x) : solve_condensed(r, x);
}

// Columns are scaled by √ρ_c, the diagonal blocks of D then are about one; rows by their largest
// entry.
bool ContactSystem::factorize_full() {
  const std::size_t count = D_->contacts();
  const auto rows = static_cast<Eigen::Index>(3 * count);
  const Eigen::Map<const Eigen::MatrixXd> D = D_->dense();
  Eigen::Map<Eigen::MatrixXd> M = dense_.matrix(rows);
  column_scales_.resize(count);
  row_scales_.resize(3 * count);
  for (std::size_t c = 0; c < count; ++c) {
    column_scales_[c] = D_->movable(c) ? std::sqrt(D_->rho(c)) : 1;
  }
  for (std::size_t c = 0; c < count; ++c) {
    const auto i = static_cast<Eigen::Index>(3 * c);
    const Matrix3& A = (*A_)[c];
    for (std::size_t other = 0; other < count; ++other) {
      const auto j = static_cast<Eigen::Index>(3 * other);
      Matrix3 block = A * D.block<3, 3>(i, j);
      if (other == c) block += (*B_)[c];
      M.block<3, 3>(i, j) = column_scales_[other] * block;
    }
    for (Eigen::Index k = 0; k < 3; ++k) {
      const double largest = M.row(i + k).cwiseAbs().maxCoeff();
      const double scale = largest > 0 ? 1 / largest : 1;
      row_scales_[3 * c + static_cast<std::size_t>(k)] = scale;
      M.row(i + k) *= scale;
    }
  }
  return dense_.factorize(singular_pivot);
}

void ContactSystem::solve_full(const ContactVectors& r, ContactVectors& x) {
  for (std::size_t c = 0; c < r.size(); ++c) {
    x[c] = r[c].cwiseProduct(
        Vector3(row_scales_[3 * c], row_scales_[3 * c + 1], row_scales_[3 * c + 2]));
  }
  dense_.solve_in_place(flat(x));
  for (std::size_t c = 0; c < r.size(); ++c) x[c] *= column_scales_[c];
}

bool ContactSystem::factorize_condensed() {
  const std::size_t count = D_->contacts();
  inverse_.resize(count);
  C_.resize(count);
  for (std::size_t c = 0; c < count; ++c) {
    inverse_[c] = (*B_)[c].inverse();
    C_[c].noalias() = inverse_[c] * (*A_)[c];
    if (!C_[c].allFinite()) return false;
  }
  return condensed_.factorize(*D_, C_);
}

void ContactSystem::solve_condensed(const ContactVectors& r, ContactVectors& x) {
  const int n = D_->size();
  y_.assign(static_cast<std::size_t>(n) + 1, 0.0);
  for (std::size_t c = 0; c < r.size(); ++c) {
    const Vector3 scaled = inverse_[c] * r[c];
    const Eigen::Matrix<double, 12, 1> force = D_->contact(c).directions().transpose() * scaled;
    for (std::size_t k = 0; k < 12; ++k) {
      y_[static_cast<std::size_t>(D_->columns(c)[k])] += force[static_cast<Eigen::Index>(k)];
    }
  }
  condensed_.solve_in_place(Eigen::Map<Eigen::VectorXd>(y_.data(), n));
  for (std::size_t c = 0; c < r.size(); ++c) {
    Eigen::Matrix<double, 12, 1> local;
    for (std::size_t k = 0; k < 12; ++k) {
      local[static_cast<Eigen::Index>(k)] = y_[static_cast<std::size_t>(D_->columns(c)[k])];
    }
    const Vector3 motion = D_->contact(c).H * local;
    x[c].noalias() = inverse_[c] * (r[c] - (*A_)[c] * motion);
  }
}

}  // namespace saltus::nonsmooth
