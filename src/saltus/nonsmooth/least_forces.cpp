// SPDX-License-Identifier: Apache-2.0
#include "saltus/nonsmooth/least_forces.hpp"

#include <Eigen/Cholesky>

#include "saltus/nonsmooth/coulomb_cone.hpp"
#include "saltus/nonsmooth/tuning.hpp"

namespace saltus::nonsmooth {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// The derivative of project_on_cone.
Matrix3 derivative_of_projection(const Vector3& x, double mu) {
  const double t = tangential_norm(x);
  if (x[0] >= 0 && t <= mu * x[0]) return Matrix3::Identity();
  if (mu * t <= -x[0]) return Matrix3::Zero();
  const double share = 1 / (1 + mu * mu);
  const double normal = (x[0] + mu * t) * share;
  const Eigen::Vector2d u = x.tail<2>() / t;
  Matrix3 D;
  D(0, 0) = share;
  D.block<1, 2>(0, 1) = mu * share * u.transpose();
  D.block<2, 1>(1, 0) = mu * share * u;
  const double across = mu * normal / t;
  D.block<2, 2>(1, 1) = mu * mu * share * u * u.transpose() +
                        across * (Eigen::Matrix2d::Identity() - u * u.transpose());
  return D;
}

}  // namespace

/// f_ = P_K(Aᵀy), the gradient, and the value of the function with its proximal term.
double LeastForces::evaluate(const VectorXd& y) {
  f_.noalias() = A_.transpose() * y;
  for (const ForceCone& cone : *cones_) {
    if (cone.rows == 1) {
      f_[cone.first] = std::max(0.0, f_[cone.first]);
    } else {
      f_.segment<3>(cone.first) = project_on_cone(Vector3(f_.segment<3>(cone.first)), cone.mu);
    }
  }
  gradient_ = b_ - proximal_ * (y - y_0_);
  gradient_.noalias() -= A_ * f_;
  return b_.dot(y) - f_.squaredNorm() / 2 - proximal_ * (y - y_0_).squaredNorm() / 2;
}

/// A D Aᵀ + δ at y_, D being the derivative of the projection.
void LeastForces::fill_matrix() {
  const VectorXd x = A_.transpose() * y_;
  AD_.resize(A_.rows(), A_.cols());
  for (const ForceCone& cone : *cones_) {
    if (cone.rows == 1) {
      AD_.col(cone.first) = (x[cone.first] > 0 ? 1.0 : 0.0) * A_.col(cone.first);
    } else {
      AD_.middleCols<3>(cone.first) =
          A_.middleCols<3>(cone.first) *
          derivative_of_projection(Vector3(x.segment<3>(cone.first)), cone.mu);
    }
  }
  H_.noalias() = AD_ * A_.transpose();
  H_.diagonal().array() += proximal_;
}

/// Newton's method with steps that are halved until the function grows. Near its maximum, where it
/// grows by less than its round-off, a step is as good that halves the gradient: of a strongly
/// concave function both lead to the maximum.
void LeastForces::maximize(double balance) {
  double value = evaluate(y_);
  for (int i = 0; i < LeastForcesTuning::most_iterations; ++i) {
    if (gradient_.cwiseAbs().maxCoeff() <= balance) return;
    fill_matrix();
    step_ = H_.llt().solve(gradient_);
    const double slope = gradient_.dot(step_), rest = gradient_.norm();
    double length = 1;
    for (;;) {
      trial_ = y_ + length * step_;
      const double found = evaluate(trial_);
      if (found >= value + LeastForcesTuning::sufficient_growth * length * slope ||
          gradient_.norm() <= rest / 2) {
        value = found;
        break;
      }
      length /= 2;
      if (length < LeastForcesTuning::shortest_step) {
        evaluate(y_);
        return;
      }
    }
    y_ = trial_;
  }
}

/// Rounds, each with the proximal term about what the one before has found. Returns |A f − b|.
double LeastForces::approach(double wanted) {
  const double aim = std::max(wanted, LeastForcesTuning::best_balance);
  double error = std::numeric_limits<double>::infinity();
  for (int i = 0; i < LeastForcesTuning::most_rounds; ++i) {
    y_0_ = y_;
    maximize(aim / 2);
    const double rest = (A_ * f_ - b_).cwiseAbs().maxCoeff();
    const bool stalls = rest > LeastForcesTuning::stalled_round * error;
    error = rest;
    if (error <= aim || stalls) break;
  }
  return error;
}

bool LeastForces::solve(const MatrixXd& A, const VectorXd& b, const std::vector<ForceCone>& cones,
                        double allowed, VectorXd& f, VectorXd& y, bool to_limit) {
  cones_ = &cones;
  // In units in which A and the forces are of the order of one.
  const double size = A.cwiseAbs().maxCoeff(), asked = b.cwiseAbs().maxCoeff();
  f.setZero(A.cols());
  if (!(size > 0) || !(asked > 0)) return !(asked > allowed);
  A_ = A / size;
  b_ = b / asked;
  const double unit = asked / (size * size);
  y_ = y / unit;
  if (y.size() != b.size() || !y_.allFinite()) y_.setZero(b.size());
  proximal_ = LeastForcesTuning::proximal;
  double error = approach(LeastForcesTuning::aimed_share * allowed / asked);
  if (to_limit && error * asked > allowed && error <= LeastForcesTuning::near_balance) {
    proximal_ = LeastForcesTuning::smallest_proximal;
    error = approach(allowed / asked / 2);
  }
  f = f_ * (asked / size);
  const bool found = error * asked <= allowed;
  y = found ? VectorXd(unit * y_) : VectorXd();
  return found;
}

}  // namespace saltus::nonsmooth
