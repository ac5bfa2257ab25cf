// SPDX-License-Identifier: Apache-2.0
#include "saltus/nonsmooth/contact_system.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "saltus/nonsmooth/tuning.hpp"

namespace saltus::nonsmooth {
namespace {

// Of elastic bodies K is large, and the full matrix the smaller one. Bearings and other mechanisms
// of many contacts have little in K beside the blocks of their bodies.
bool prefers_full(const ContactProblem& problem) {
  const int rows = problem.rows();
  if (rows <= FormTuning::full_local) return true;
  if (problem.local || rows > std::min(problem.size(), FormTuning::full_global)) return false;
  const std::size_t couplings =
      problem.contacts.size() * ContactRows{}.columns.size() * ContactRows{}.columns.size();
  const auto condensed = static_cast<std::size_t>(problem.K->pattern().nonzeros()) + couplings;
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(rows) <= condensed;
}

}  // namespace

template <int N>
bool ContactSystem<N>::factorize(ContactOperator<N>& D, const Matrices& A, const Matrices& B,
                                 Form form) {
  D_ = &D;
  A_ = &A;
  B_ = &B;
  full_ = form == Form::Full || (form == Form::Automatic && prefers_full(D.problem()));
  return full_ ? factorize_full() : factorize_condensed();
}

template <int N>
void ContactSystem<N>::solve(const Vectors& r, Vectors& x) {
  x.resize(r.size());
  full_ ? solve_full(r, x) : solve_condensed(r, x);
}

// Columns are scaled by √ρ_c, the diagonal blocks of D then are about one; rows by their largest
// entry.
template <int N>
bool ContactSystem<N>::factorize_full() {
  const std::size_t count = D_->contacts();
  const auto rows = static_cast<Eigen::Index>(N * count);
  const Eigen::Map<const Eigen::MatrixXd> D = D_->dense();
  Eigen::Map<Eigen::MatrixXd> M = dense_.matrix(rows);
  column_scales_.resize(count);
  row_scales_.resize(N * count);
  for (std::size_t c = 0; c < count; ++c) {
    column_scales_[c] = D_->movable(c) ? std::sqrt(D_->rho(c)) : 1;
  }
  for (std::size_t c = 0; c < count; ++c) {
    const auto i = static_cast<Eigen::Index>(N * c);
    const ContactMatrix<N>& A = (*A_)[c];
    for (std::size_t other = 0; other < count; ++other) {
      const auto j = static_cast<Eigen::Index>(N * other);
      ContactMatrix<N> block = A * D.block<N, N>(i, j);
      if (other == c) block += (*B_)[c];
      M.block<N, N>(i, j) = column_scales_[other] * block;
    }
    for (Eigen::Index k = 0; k < N; ++k) {
      const double largest = M.row(i + k).cwiseAbs().maxCoeff();
      const double scale = largest > 0 ? 1 / largest : 1;
      row_scales_[N * c + static_cast<std::size_t>(k)] = scale;
      M.row(i + k) *= scale;
    }
  }
  return dense_.factorize(FormTuning::singular_pivot);
}

template <int N>
void ContactSystem<N>::solve_full(const Vectors& r, Vectors& x) {
  for (std::size_t c = 0; c < r.size(); ++c) {
    x[c] = r[c].cwiseProduct(Eigen::Map<const ContactVector<N>>(&row_scales_[N * c]));
  }
  dense_.solve_in_place(flat<N>(x));
  for (std::size_t c = 0; c < r.size(); ++c) x[c] *= column_scales_[c];
}

template <int N>
bool ContactSystem<N>::factorize_condensed() {
  const std::size_t count = D_->contacts();
  inverse_.resize(count);
  C_.resize(count);
  for (std::size_t c = 0; c < count; ++c) {
    ContactMatrix<N> B = (*B_)[c];
    if (D_->has_springs()) B += (*A_)[c] * D_->spring(c).asDiagonal();
    inverse_[c] = B.inverse();
    C_[c].noalias() = inverse_[c] * (*A_)[c];
    if (!C_[c].allFinite()) return false;
  }
  return condensed_.factorize(*D_, C_);
}

template <int N>
void ContactSystem<N>::solve_condensed(const Vectors& r, Vectors& x) {
  const int n = D_->size();
  y_.assign(static_cast<std::size_t>(n) + 1, 0.0);
  for (std::size_t c = 0; c < r.size(); ++c) {
    const ContactVector<N> scaled = inverse_[c] * r[c];
    const Eigen::Matrix<double, 12, 1> force = D_->directions(c) * scaled;
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
    const ContactVector<N> motion = D_->rows(c).transpose() * local;
    x[c].noalias() = inverse_[c] * (r[c] - (*A_)[c] * motion);
  }
}

template class ContactSystem<3>;
template class ContactSystem<6>;

}  // namespace saltus::nonsmooth
