// SPDX-License-Identifier: Apache-2.0
#include "saltus/nonsmooth/contact_operator.hpp"

#include <algorithm>
#include <cmath>

namespace saltus::nonsmooth {
namespace {

// Below this part of the mobility that it would have with free unknowns, a contact cannot move.
constexpr double immovable = 1e-11;

}  // namespace

bool ContactOperator::attach(const ContactProblem& problem) {
  problem_ = &problem;
  const std::size_t count = contacts();
  const int n = size();
  has_dense_ = false;
  columns_.resize(count);
  blocks_.resize(count);
  rho_.resize(count);
  movable_.resize(count);
  w_.assign(static_cast<std::size_t>(n) + 1, 0.0);
  for (std::size_t c = 0; c < count; ++c) {
    for (std::size_t k = 0; k < 12; ++k) {
      const int column = contact(c).columns[k];
      columns_[c][k] = column < 0 ? n : column;
    }
  }
  if (local()) {
    for (std::size_t c = 0; c < count; ++c) {
      blocks_[c].noalias() = contact(c).H * contact(c).Y;
    }
  } else {
    form_global();
  }
  return set_scales();
}

// K⁻¹Fᵀ, some columns at a time. Contacts that have an unknown in common with few others still move
// all bodies that joints or elements connect, so all of D is computed.
void ContactOperator::form_global() {
  constexpr std::size_t at_once = 16;  // contacts
  const std::size_t count = contacts();
  const std::size_t rows = 3 * count;
  dense_.resize(rows * rows);
  columns_of_inverse_.resize(size(), 3 * at_once);
  for (std::size_t first = 0; first < count; first += at_once) {
    const std::size_t last = std::min(first + at_once, count);
    columns_of_inverse_.setZero();
    for (std::size_t c = first; c < last; ++c) set_directions(c, first);
    const auto used = static_cast<Eigen::Index>(3 * (last - first));
    problem_->factorization->solve_columns_in_place(columns_of_inverse_.leftCols(used));
    for (std::size_t column = 3 * first; column < 3 * last; ++column) {
      const auto y = columns_of_inverse_.col(static_cast<Eigen::Index>(column - 3 * first));
      std::copy(y.data(), y.data() + size(), w_.begin());
      w_.back() = 0;
      double* D = dense_.data() + column * rows;
      for (std::size_t other = 0; other < count; ++other) {
        const Vector3 u = gather(other) - contact(other).b;
        std::copy(u.data(), u.data() + 3, D + 3 * other);
        if (other == column / 3) blocks_[other].col(static_cast<Eigen::Index>(column % 3)) = u;
      }
    }
  }
  has_dense_ = true;
}

/// Fᵀ of contact c, in the columns that begin with those of the contact `first`.
void ContactOperator::set_directions(std::size_t c, std::size_t first) {
  for (int k = 0; k < 3; ++k) {
    auto y = columns_of_inverse_.col(static_cast<Eigen::Index>(3 * (c - first)) + k);
    for (std::size_t j = 0; j < 12; ++j) {
      const int row = columns_[c][j];
      if (row < size()) y[row] += contact(c).directions()(k, static_cast<Eigen::Index>(j));
    }
  }
}

void ContactOperator::form_from_bodies() {
  const std::size_t count = contacts();
  const std::size_t rows = 3 * count;
  dense_.resize(rows * rows);
  std::fill(w_.begin(), w_.end(), 0.0);
  for (std::size_t c = 0; c < count; ++c) {
    for (std::size_t k = 0; k < 3; ++k) {
      scatter(c, Vector3::Unit(static_cast<Eigen::Index>(k)));
      double* column = dense_.data() + (3 * c + k) * rows;
      for (std::size_t other = 0; other < count; ++other) {
        Eigen::Map<Vector3> u(column + 3 * other);
        Eigen::Matrix<double, 12, 1> local;
        for (std::size_t j = 0; j < 12; ++j) {
          local[static_cast<Eigen::Index>(j)] = w_[static_cast<std::size_t>(columns_[other][j])];
        }
        u.noalias() = contact(other).H * local;
      }
      for (const int j : columns_[c]) w_[static_cast<std::size_t>(j)] = 0;
    }
  }
  has_dense_ = true;
}

bool ContactOperator::set_scales() {
  double largest = 0, smallest = 0, heaviest = 0, sum = 0;
  bool finite = true;
  for (std::size_t c = 0; c < contacts(); ++c) {
    const Matrix3& D = blocks_[c];
    finite = finite && D.allFinite() && contact(c).b.allFinite() && contact(c).mu >= 0;
    const double first = side_mobility(c, 0), second = side_mobility(c, 6);
    finite = finite && (D(0, 0) > 0 || (D(0, 0) == 0 && first + second == 0));  // no pulling
    const bool moves = D(0, 0) > 0 && (local() || D(0, 0) > immovable * (first + second));
    movable_[c] = moves ? 1 : 0;
    rho_[c] = moves ? 3 / D.trace() : 0;
    if (!moves) continue;
    largest = std::max(largest, rho_[c]);
    heaviest = std::max({heaviest, first > 0 ? 1 / first : 0, second > 0 ? 1 / second : 0});
    smallest = smallest > 0 ? std::min(smallest, rho_[c]) : rho_[c];
    sum += contact(c).b.squaredNorm();
  }
  spread_ = smallest > 0 ? largest / smallest : 1;
  reference_ = heaviest * std::sqrt(sum);
  return finite && std::isfinite(sum);
}

// The mobility along the normal of the unknowns of one side, columns first … first + 5; if K is not
// local, Σ H_Nj² / K_jj: as if nothing held them but their own inertia and stiffness.
double ContactOperator::side_mobility(std::size_t c, int first) const {
  if (local()) return contact(c).H.row(0).segment<6>(first) * contact(c).Y.col(0).segment<6>(first);
  double sum = 0;
  for (int k = first; k < first + 6; ++k) {
    const double H = contact(c).H(0, k);
    const int column = contact(c).columns[static_cast<std::size_t>(k)];
    if (H == 0 || column < 0) continue;
    const double K = diagonal(column);
    if (K > 0) sum += H * H / K;
  }
  return sum;
}

double ContactOperator::diagonal(int unknown) const {
  const int slot = problem_->K->pattern().slot(unknown, unknown);
  return slot < 0 ? 0 : problem_->K->values()[static_cast<std::size_t>(slot)];
}

Vector3 ContactOperator::gather(std::size_t c) const {
  Eigen::Matrix<double, 12, 1> local;
  const std::array<int, 12>& columns = columns_[c];
  for (std::size_t k = 0; k < 12; ++k) {
    local[static_cast<Eigen::Index>(k)] = w_[static_cast<std::size_t>(columns[k])];
  }
  return contact(c).b + contact(c).H * local;
}

void ContactOperator::scatter(std::size_t c, const Vector3& dl) {
  const Eigen::Matrix<double, 12, 1> local = contact(c).Y * dl;
  const std::array<int, 12>& columns = columns_[c];
  for (std::size_t k = 0; k < 12; ++k) {
    w_[static_cast<std::size_t>(columns[k])] += local[static_cast<Eigen::Index>(k)];
  }
}

void ContactOperator::multiply(const ContactVectors& l, ContactVectors& y) {
  y.resize(l.size());
  if (!local()) {
    flat(y).noalias() = dense() * flat(l);
    return;
  }
  std::fill(w_.begin(), w_.end(), 0.0);
  for (std::size_t c = 0; c < l.size(); ++c) scatter(c, l[c]);
  for (std::size_t c = 0; c < l.size(); ++c) y[c] = gather(c) - contact(c).b;
}

void ContactOperator::motion(const ContactVectors& l, ContactVectors& u) {
  u.resize(l.size());
  if (local()) {
    std::fill(w_.begin(), w_.end(), 0.0);
    for (std::size_t c = 0; c < l.size(); ++c) scatter(c, l[c]);
    for (std::size_t c = 0; c < l.size(); ++c) u[c] = gather(c);
    return;
  }
  multiply(l, u);
  for (std::size_t c = 0; c < l.size(); ++c) u[c] += contact(c).b;
}

void ContactOperator::response(const ContactVectors& l, Eigen::VectorXd& w) {
  const int n = size();
  w.resize(n);
  std::fill(w_.begin(), w_.end(), 0.0);
  for (std::size_t c = 0; c < l.size(); ++c) {
    if (local()) {
      scatter(c, l[c]);
      continue;
    }
    const Eigen::Matrix<double, 12, 1> force = contact(c).directions().transpose() * l[c];
    for (std::size_t k = 0; k < 12; ++k) {
      w_[static_cast<std::size_t>(columns_[c][k])] += force[static_cast<Eigen::Index>(k)];
    }
  }
  w = Eigen::Map<const Eigen::VectorXd>(w_.data(), n);
  if (!local()) problem_->factorization->solve_in_place(w);
}

Eigen::Map<const Eigen::MatrixXd> ContactOperator::dense() {
  if (!has_dense_) form_from_bodies();
  const auto rows = 3 * static_cast<Eigen::Index>(contacts());
  return {dense_.data(), rows, rows};
}

}  // namespace saltus::nonsmooth
