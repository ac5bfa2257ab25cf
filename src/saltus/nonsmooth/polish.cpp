// SPDX-License-Identifier: Apache-2.0
// Implicit augmented Lagrangian in the unknowns of the bodies: the last digits of a solution whose
// contacts have found what they do.
#include <algorithm>
#include <cmath>

#include "saltus/nonsmooth/path_following.hpp"
#include "saltus/nonsmooth/solver_workspace.hpp"

namespace saltus::nonsmooth {

Matrix3 tangent_of_projection(const Vector3& x, double mu) {
  const double t = tangential_norm(x);
  if (x[0] >= 0 && t <= mu * x[0]) return Matrix3::Identity();
  if (mu * t <= -x[0]) return Matrix3::Zero();
  Matrix3 tangent = Matrix3::Zero();
  tangent(0, 0) = 1 / (1 + mu * mu);
  if (!(t > 0) || mu == 0) return tangent;
  const Eigen::Vector2d along = x.tail<2>() / t;
  const double normal = (x[0] + mu * t) / (1 + mu * mu);
  tangent.block<1, 2>(0, 1) = mu * along.transpose() / (1 + mu * mu);
  tangent.block<2, 1>(1, 0) = mu * along / (1 + mu * mu);
  const Eigen::Matrix2d both = along * along.transpose();
  tangent.bottomRightCorner<2, 2>() =
      mu * mu / (1 + mu * mu) * both + mu * normal / t * (Eigen::Matrix2d::Identity() - both);
  return tangent;
}

namespace {

// K w = Fᵀ P(l_ref − κ ρ û(w)) by Newton's method.
class Polish {
 public:
  explicit Polish(SolverWorkspace<3>& work) : work_(work), s_(work.path), D_(work.D) {
    const std::size_t count = work.l.size();
    s_.C.assign(count, Matrix3::Zero());
    s_.u.assign(count, Vector3::Zero());
    s_.x.w.setZero(D_.size() + 1);
    s_.change.setZero(D_.size() + 1);
    s_.force.setZero(D_.size() + 1);
    s_.imbalance.setZero(D_.size() + 1);
    work.l_ref = work.l;
    Eigen::VectorXd w = Eigen::VectorXd::Zero(D_.size());
    D_.response(work.l, w);
    s_.x.w.head(D_.size()) = w;
  }

  int count() const { return count_; }

  // One proximal step with the penalty κ. False if Newton's method fails.
  bool step(double kappa, int most) {
    kappa_ = kappa;
    double merit = merit_at(0);
    const double target = PathTuning::polish_accuracy * size();
    for (int i = 0; merit > target; ++i) {
      if (i == PathTuning::polish_iterations || count_ >= most || !find_direction()) return false;
      double length = 1, next = merit_at(1);
      while (!(next < merit) && length > PathTuning::shortest_polish) {
        length /= 2;
        next = merit_at(length);
      }
      if (!(next < merit)) return i > 0;
      s_.x.w += length * s_.change;
      merit = next;
    }
    merit_at(0);
    return true;
  }

  // Takes the reactions of the last step.
  ContactMeasure take() {
    merit_at(0);
    work_.l_ref = work_.l;
    return work_.record();
  }

 private:
  double size() const {
    double sum = 0;
    for (std::size_t c = 0; c < D_.contacts(); ++c) {
      if (D_.movable(c)) sum += work_.l_ref[c].squaredNorm() / D_.rho(c);
    }
    return std::sqrt(sum);
  }

  // The energy norm of what the reactions move beyond w + α dw; leaves both in work.l and s.u.
  double merit_at(double alpha) {
    for (std::size_t c = 0; c < D_.contacts(); ++c) {
      work_.l[c].setZero();
      if (!D_.movable(c)) continue;
      s_.u[c] = D_.b(c) + motion_at<3>(D_, c, s_.x.w);
      if (alpha > 0) s_.u[c] += alpha * motion_at<3>(D_, c, s_.change);
      const double mu = D_.cone(c);
      work_.l[c] = project_on_cone(work_.l_ref[c] - kappa_ * D_.rho(c) * de_saxce(s_.u[c], mu), mu);
    }
    D_.motion(work_.l, work_.u);
    double sum = 0;
    for (std::size_t c = 0; c < D_.contacts(); ++c) {
      if (D_.movable(c)) sum += D_.rho(c) * (work_.u[c] - s_.u[c]).squaredNorm();
    }
    return std::sqrt(sum);
  }

  bool find_direction() {
    const Eigen::Index n = D_.size();
    merit_at(0);
    D_.problem().K->multiply(s_.x.w.head(n), s_.change.head(n));
    s_.change = -s_.change;
    for (std::size_t c = 0; c < D_.contacts(); ++c) {
      s_.C[c].setZero();
      if (!D_.movable(c)) continue;
      add_force<3>(D_, c, work_.l[c], s_.change);
      const double mu = D_.cone(c), slip = tangential_norm(s_.u[c]);
      const double penalty = kappa_ * D_.rho(c);
      const Vector3 x = work_.l_ref[c] - penalty * de_saxce(s_.u[c], mu);
      const Matrix3 W = penalty * tangent_of_projection(x, mu);
      s_.C[c] = W;
      if (slip > 0) {
        s_.C[c].col(1) += mu * s_.u[c][1] / slip * W.col(0);
        s_.C[c].col(2) += mu * s_.u[c][2] / slip * W.col(0);
      }
    }
    ++count_;
    if (!work_.system.condensed().factorize(D_, s_.C)) return false;
    s_.change[n] = 0;
    work_.system.condensed().solve_in_place(s_.change.head(n));
    return s_.change.allFinite();
  }

  SolverWorkspace<3>& work_;
  PathSpace& s_;
  ContactOperator<3>& D_;
  double kappa_ = 0;
  int count_ = 0;
};

}  // namespace

int polish(SolverWorkspace<3>& work, int factorisations) {
  Polish polish(work);
  double kappa = PathTuning::first_penalty;
  while (polish.count() < factorisations) {
    if (!polish.step(kappa, factorisations)) break;
    const double before = work.best.error;
    if (work.solved(polish.take())) break;
    if (kappa >= PathTuning::last_penalty && !(work.best.error < 0.5 * before)) break;
    kappa = std::min(PathTuning::last_penalty, PathTuning::penalty_growth * kappa);
  }
  return polish.count();
}

}  // namespace saltus::nonsmooth
