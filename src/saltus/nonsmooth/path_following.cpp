// SPDX-License-Identifier: Apache-2.0
// Interior points of the contact laws, L ∘ Z = m e, followed along the path of the barrier m by
// arclength, for it turns back; De Saxcé's shift is part of the equations.
#include "saltus/nonsmooth/path_following.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/nonsmooth/solver_workspace.hpp"

namespace saltus::nonsmooth {

void PathPoint::resize(std::size_t contacts, Eigen::Index unknowns) {
  w.setZero(unknowns);
  L.assign(contacts, Vector3::Zero());
  Z.assign(contacts, Vector3::Zero());
  tau = 0;
}

void PathPoint::add(double factor, const PathPoint& direction) {
  w += factor * direction.w;
  for (std::size_t c = 0; c < L.size(); ++c) {
    L[c] += factor * direction.L[c];
    Z[c] += factor * direction.Z[c];
  }
  tau += factor * direction.tau;
}

namespace {

class PathFollower {
 public:
  PathFollower(SolverWorkspace<3>& work, int most)
      : work_(work), s_(work.path), D_(work.D), most_(most) {
    const std::size_t count = work.l.size();
    const Eigen::Index unknowns = D_.size() + 1;
    for (PathPoint* p : {&s_.x, &s_.last, &s_.tangent, &s_.newton, &s_.along}) {
      p->resize(count, unknowns);
    }
    s_.imbalance.setZero(unknowns);
    s_.force.setZero(unknowns);
    s_.change.setZero(unknowns);
    s_.scales.assign(count, Vector3::Zero());
    s_.symmetries.resize(count);
    s_.u.assign(count, Vector3::Zero());
    s_.gap.assign(count, Vector3::Zero());
    s_.v.assign(count, Vector3::Zero());
    s_.W.assign(count, Matrix3::Zero());
    s_.C.assign(count, Matrix3::Zero());
    s_.reaction.assign(count, Vector3::Zero());
    begin();
  }

  int count() const { return count_; }

  // Down to a residual, without keeping to the path. False if it does not get there.
  bool descend(double residual) {
    for (int i = 0; i < PathTuning::descent_iterations; ++i) {
      if (record().residual <= residual) return true;
      const double mean = prepare();
      if (!factorize()) return false;
      aim(PathTuning::descent * mean);
      solve(true, s_.newton);
      s_.newton.tau = 0;
      double length = std::min(1.0, PathTuning::descent_part * way(s_.newton));
      s_.last = s_.x;
      for (; length > PathTuning::shortest_descent; length *= PathTuning::shortening) {
        s_.x.add(length, s_.newton);
        if (is_inside()) break;
        s_.x = s_.last;
      }
      if (length <= PathTuning::shortest_descent) return false;
    }
    return false;
  }

  // Along the path to the end, or until the solution is found.
  bool follow() {
    s_.x.tau = std::log(prepare());
    s_.tangent.resize(s_.x.L.size(), s_.x.w.size());
    int corrections = 0;
    if (!centre(corrections) || !turn(-1)) return false;
    double ds = PathTuning::first_arc;
    while (count_ < most_) {
      if (work_.solved(record())) return true;
      if (std::exp(s_.x.tau) <= PathTuning::last_barrier * size_of_reactions()) return true;
      s_.last = s_.x;
      s_.x.add(std::min(ds, PathTuning::predictor_part * way(s_.tangent)), s_.tangent);
      if (!centre(corrections)) {
        s_.x = s_.last;
        ds *= PathTuning::shorter_arc;
        if (ds < PathTuning::shortest_arc) return false;
        continue;
      }
      if (corrections <= PathTuning::few_corrections) ds *= PathTuning::longer_arc;
      if (corrections >= PathTuning::many_corrections) ds *= PathTuning::careful_arc;
      if (!turn(0)) return false;
    }
    return false;
  }

 private:
  // T = diag(√ρ/μ, √ρ, √ρ); without friction only the normal is left.
  void begin() {
    double sum = 0;
    for (std::size_t c = 0; c < D_.contacts(); ++c) {
      s_.x.L[c] = s_.x.Z[c] = Vector3::UnitX();
      if (!D_.movable(c)) continue;
      ++active_;
      const double root = std::sqrt(D_.rho(c)), mu = D_.cone(c);
      s_.scales[c] = mu > 0 ? Vector3(root / mu, root, root) : Vector3(root, 0, 0);
      sum += D_.rho(c) * D_.b(c).squaredNorm();
    }
    const double first = std::sqrt(sum / std::max(active_, 1));
    for (std::size_t c = 0; c < D_.contacts(); ++c) {
      if (D_.movable(c)) s_.x.L[c] = s_.x.Z[c] = first * Vector3::UnitX();
    }
  }

  ContactMeasure record() {
    for (std::size_t c = 0; c < D_.contacts(); ++c) {
      const Vector3 l = s_.scales[c].cwiseProduct(s_.x.L[c]);
      work_.l[c] = D_.movable(c) ? project_on_cone(l, D_.cone(c)) : Vector3::Zero();
    }
    return work_.record();
  }

  // Of the movable contacts.
  template <class Function>
  double mean(Function&& f) const {
    double sum = 0;
    for (std::size_t c = 0; c < D_.contacts(); ++c) {
      if (D_.movable(c)) sum += f(c);
    }
    return sum / std::max(active_, 1);
  }
  double mean_product() const {
    return mean([&](std::size_t c) { return s_.x.L[c].dot(s_.x.Z[c]); });
  }
  double size_of_reactions() const {
    return mean([&](std::size_t c) { return s_.x.L[c].squaredNorm(); });
  }

  bool is_inside() const {
    const double least = PathTuning::neighbourhood * mean_product();
    for (std::size_t c = 0; c < D_.contacts(); ++c) {
      if (!D_.movable(c)) continue;
      const double l = determinant(s_.x.L[c]), z = determinant(s_.x.Z[c]);
      if (!(l > 0 && z > 0 && s_.x.L[c][0] > 0 && s_.x.Z[c][0] > 0)) return false;
      if (!(std::sqrt(l) * std::sqrt(z) >= least)) return false;
    }
    return true;
  }

  double way(const PathPoint& direction) const {
    double length = std::numeric_limits<double>::infinity();
    for (std::size_t c = 0; c < D_.contacts(); ++c) {
      if (!D_.movable(c)) continue;
      length = std::min({length, way_to_surface(s_.x.L[c], direction.L[c]),
                         way_to_surface(s_.x.Z[c], direction.Z[c])});
    }
    return length;
  }

  // Residuals, scalings and the matrices of Newton's method at x. Returns the mean of L·Z.
  double prepare() {
    const Eigen::Index n = D_.size();
    D_.problem().K->multiply(s_.x.w.head(n), s_.imbalance.head(n));
    s_.imbalance = -s_.imbalance;
    for (std::size_t c = 0; c < D_.contacts(); ++c) {
      if (!D_.movable(c)) continue;
      const Vector3& T = s_.scales[c];
      s_.u[c] = D_.b(c) + motion_at<3>(D_, c, s_.x.w);
      s_.reaction[c] = T.cwiseProduct(s_.x.L[c]);
      add_force<3>(D_, c, s_.reaction[c], s_.imbalance);
      const double mu = D_.cone(c), slip = tangential_norm(s_.u[c]);
      for (int k = 0; k < 3; ++k) {
        const double motion = s_.u[c][k] + (k == 0 ? mu * slip : 0);
        s_.gap[c][k] = T[k] > 0 ? motion - s_.x.Z[c][k] / T[k] : 0;
      }
      s_.symmetries[c] = SymmetricScaling(s_.x.L[c], s_.x.Z[c]);
      s_.W[c] = T.asDiagonal() * s_.symmetries[c].square * T.asDiagonal();
      s_.C[c] = s_.W[c];
      if (slip > 0) {
        s_.C[c].col(1) += mu * s_.u[c][1] / slip * s_.W[c].col(0);
        s_.C[c].col(2) += mu * s_.u[c][2] / slip * s_.W[c].col(0);
      }
    }
    s_.imbalance[n] = 0;
    return mean_product();
  }

  bool factorize() {
    ++count_;
    return work_.system.condensed().factorize(D_, s_.C);
  }

  // v = λ \ (m e − λ ∘ λ).
  void aim(double m) {
    for (std::size_t c = 0; c < D_.contacts(); ++c) {
      if (!D_.movable(c)) continue;
      const Vector3& point = s_.symmetries[c].point;
      s_.v[c] = jordan_quotient(point, m * Vector3::UnitX() - jordan_product(point, point));
    }
  }

  // (K + Σ Fᵀ C H) dw = r_d + Σ Fᵀ (T P v − W r_p), with one refinement; then the contacts'.
  void solve(bool with_residuals, PathPoint& out) {
    const Eigen::Index n = D_.size();
    s_.force.setZero();
    if (with_residuals) s_.force = s_.imbalance;
    for (std::size_t c = 0; c < D_.contacts(); ++c) {
      if (!D_.movable(c)) continue;
      Vector3 l = s_.scales[c].cwiseProduct(s_.symmetries[c].P * s_.v[c]);
      if (with_residuals) l -= s_.W[c] * s_.gap[c];
      add_force<3>(D_, c, l, s_.force);
    }
    s_.force[n] = 0;
    out.w = s_.force;
    work_.system.condensed().solve_in_place(out.w.head(n));
    refine(out.w);
    for (std::size_t c = 0; c < D_.contacts(); ++c) {
      if (!D_.movable(c)) continue;
      Vector3 u = motion_at<3>(D_, c, out.w);
      const double slip = tangential_norm(s_.u[c]);
      if (slip > 0) u[0] += D_.cone(c) * (s_.u[c][1] * u[1] + s_.u[c][2] * u[2]) / slip;
      if (with_residuals) u += s_.gap[c];
      const SymmetricScaling& symmetry = s_.symmetries[c];
      out.Z[c] = s_.scales[c].cwiseProduct(u);
      out.L[c] = symmetry.P * s_.v[c] - symmetry.square * out.Z[c];
    }
  }

  void refine(BodyMotion& w) {
    const Eigen::Index n = D_.size();
    D_.problem().K->multiply(w.head(n), s_.change.head(n));
    for (std::size_t c = 0; c < D_.contacts(); ++c) {
      if (D_.movable(c)) add_force<3>(D_, c, s_.C[c] * motion_at<3>(D_, c, w), s_.change);
    }
    s_.change = s_.force - s_.change;
    work_.system.condensed().solve_in_place(s_.change.head(n));
    w.head(n) += s_.change.head(n);
  }

  // In the metric of the scalings, so that every contact counts the same.
  double product(const PathPoint& a, const PathPoint& b) const {
    const double sum = mean([&](std::size_t c) {
      const SymmetricScaling& s = s_.symmetries[c];
      return (s.inverse * a.L[c]).dot(s.inverse * b.L[c]) + (s.P * a.Z[c]).dot(s.P * b.Z[c]);
    });
    return sum / std::exp(s_.x.tau) + a.tau * b.tau;
  }

  // Whether x is near the path: products within a part of m, residuals small beside √m.
  bool is_near() {
    const double m = std::exp(s_.x.tau);
    double parted = 0;
    D_.multiply(s_.reaction, s_.motion);
    double open = 0, unbalanced = 0;
    for (std::size_t c = 0; c < D_.contacts(); ++c) {
      if (!D_.movable(c)) continue;
      const Vector3& point = s_.symmetries[c].point;
      parted = std::max(parted, (jordan_product(point, point) - m * Vector3::UnitX()).norm());
      const Vector3 differs = s_.motion[c] + D_.b(c) - s_.u[c];
      open += s_.scales[c].cwiseProduct(s_.gap[c]).squaredNorm();
      unbalanced += s_.scales[c].cwiseProduct(differs).squaredNorm();
    }
    const double limit = PathTuning::residual_part * PathTuning::residual_part * m * active_;
    return parted <= PathTuning::centrality * m && open <= limit && unbalanced <= limit;
  }

  // Newton's method across the tangent, back to the path; along none at a fixed barrier.
  bool centre(int& corrections) {
    const bool moves = s_.tangent.tau != 0;
    const int most = moves ? PathTuning::corrections : PathTuning::first_corrections;
    for (corrections = 0; corrections < most; ++corrections) {
      prepare();
      if (is_near()) return true;
      if (!factorize()) return false;
      aim(std::exp(s_.x.tau));
      solve(true, s_.newton);
      s_.newton.tau = 0;
      if (moves) {
        find_path();
        const double shift = -product(s_.tangent, s_.newton) / (product(s_.tangent, s_.along));
        s_.newton.add(shift, s_.along);
      }
      const double length = std::min(1.0, PathTuning::corrector_part * way(s_.newton));
      if (!(length >= PathTuning::shortest_correction)) return false;
      s_.x.add(length, s_.newton);
    }
    prepare();
    return is_near();
  }

  // The derivative of the path by τ.
  void find_path() {
    const double m = std::exp(s_.x.tau);
    for (std::size_t c = 0; c < D_.contacts(); ++c) {
      if (D_.movable(c)) s_.v[c] = jordan_quotient(s_.symmetries[c].point, m * Vector3::UnitX());
    }
    solve(false, s_.along);
    s_.along.tau = 1;
  }

  // The new tangent: in the direction of the old one, or of the sign of τ.
  bool turn(int sign) {
    if (!factorize()) return false;
    find_path();
    const double norm = std::sqrt(product(s_.along, s_.along));
    if (!(norm > 0) || !std::isfinite(norm)) return false;
    const bool back = sign != 0 ? sign < 0 : product(s_.along, s_.tangent) < 0;
    const double factor = (back ? -1 : 1) / norm;
    s_.tangent.resize(s_.x.L.size(), s_.x.w.size());
    s_.tangent.add(factor, s_.along);
    return true;
  }

  SolverWorkspace<3>& work_;
  PathSpace& s_;
  ContactOperator<3>& D_;
  int most_, count_ = 0, active_ = 0;
};

}  // namespace

int path_following(SolverWorkspace<3>& work, int factorisations) {
  // Interior points are far from solutions: what they do not close is no contradiction.
  const bool diverged = work.diverged;
  int count = 0;
  for (const double residual : PathTuning::starts) {
    PathFollower follower(work, std::min(factorisations - count, PathTuning::factorisations));
    if (follower.descend(residual)) follower.follow();
    count += follower.count();
    work.diverged = diverged;
    if (work.solved(work.best)) break;
    work.restore_best();
    count += polish(work, std::min(factorisations - count, PathTuning::polishing));
    if (work.solved(work.best) || work.acceptable(work.best) || count >= factorisations) break;
  }
  work.diverged = diverged;
  return count;
}

}  // namespace saltus::nonsmooth
