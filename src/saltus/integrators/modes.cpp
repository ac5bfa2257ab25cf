// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/modes.hpp"

#include <Spectra/SymGEigsShiftSolver.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "saltus/core/interruption.hpp"
#include "saltus/integrators/tuning.hpp"
#include "saltus/linalg/decompositions.hpp"

namespace saltus {
namespace {

Linearization at_rest(double mass, double stiffness) {
  return {
      .mass = mass, .damping = 0, .stiffness = stiffness, .rows = Linearization::Rows::Position};
}

/// An operator with M, K and G of one configuration.
class LinearSystem {
 public:
  using Scalar = double;

  LinearSystem(const System& system, KktSolver& kkt, const State& state)
      : system_(system), kkt_(kkt), state_(state), zero_(VectorX::Zero(system.velocities())) {}

  linalg::SparseMatrix matrix(double mass, double stiffness) const {
    linalg::SparseMatrix S(system_.pattern());
    system_.assemble(state_.configuration, zero_, zero_, {}, state_.multiplier,
                     at_rest(mass, stiffness), S);
    return S;
  }
  bool factorize(double mass) {
    const auto linearize = [&] {
      return kkt_.linearize(state_.configuration, zero_, zero_, {}, state_.multiplier,
                            at_rest(mass, 1));
    };
    // Redundant joints may make it singular; then their block is made larger.
    return linearize() || (kkt_.detect_redundancy(state_.configuration, 0) && linearize());
  }
  const System& system() const { return system_; }
  const KktSolver& kkt() const { return kkt_; }
  const Configuration& configuration() const { return state_.configuration; }

 private:
  const System& system_;
  KktSolver& kkt_;
  const State& state_;
  VectorX zero_;
};

std::vector<Mode> dense_modes(const LinearSystem& linear, int count) {
  const int n_v = linear.system().velocities(), n_c = linear.system().constraints();
  const Eigen::MatrixXd M = linear.matrix(1, 0).to_dense().topLeftCorner(n_v, n_v);
  const Eigen::MatrixXd both = linear.matrix(0, 1).to_dense();
  Eigen::MatrixXd K = both.topLeftCorner(n_v, n_v);
  K = (0.5 * (K + K.transpose())).eval();
  Eigen::MatrixXd Z = Eigen::MatrixXd::Identity(n_v, n_v);  // basis of the motions that G allows
  if (n_c > 0) {
    const linalg::PivotedQr qr(both.bottomLeftCorner(n_c, n_v).transpose(),
                               ModalTuning::redundant_joint);
    Z = qr.Q().rightCols(n_v - qr.rank());
  }
  if (Z.cols() == 0) return {};
  const Eigen::MatrixXd M_Z = Z.transpose() * M * Z, K_Z = Z.transpose() * K * Z;
  const auto [values, vectors] = linalg::symmetric_eigen(K_Z, M_Z);
  const double largest = values.cwiseAbs().maxCoeff();
  std::vector<Mode> modes;
  for (int i = 0; i < std::min<int>(count, static_cast<int>(values.size())); ++i) {
    const double value =
        std::abs(values[i]) <= ModalTuning::rigid_fraction * largest ? 0.0 : values[i];
    modes.push_back({value, Z * vectors.col(i)});
  }
  return modes;
}

/// x ↦ the part of (K + σM)⁻¹ x that G allows.
class ShiftedInverse {
 public:
  using Scalar = double;
  explicit ShiftedInverse(const LinearSystem& linear)
      : linear_(linear), x_(linear.system().unknowns()) {}
  Eigen::Index rows() const { return linear_.system().velocities(); }
  Eigen::Index cols() const { return rows(); }
  void set_shift(double /*sigma*/) {}  // the factorisation is made before
  void perform_op(const double* in, double* out) const {
    poll_interruption();
    const int n_v = linear_.system().velocities();
    x_.setZero();
    x_.head(n_v) = Eigen::Map<const VectorX>(in, n_v);
    linear_.kkt().solve(x_);
    Eigen::Map<VectorX>(out, n_v) = x_.head(n_v);
  }

 private:
  const LinearSystem& linear_;
  mutable VectorX x_;
};

class MassOperator {
 public:
  using Scalar = double;
  explicit MassOperator(const LinearSystem& linear) : linear_(linear) {}
  Eigen::Index rows() const { return linear_.system().velocities(); }
  Eigen::Index cols() const { return rows(); }
  void perform_op(const double* in, double* out) const {
    const int n_v = linear_.system().velocities();
    linear_.system().mass_times(linear_.configuration(), Eigen::Map<const VectorX>(in, n_v), y_);
    Eigen::Map<VectorX>(out, n_v) = y_;
  }

 private:
  const LinearSystem& linear_;
  mutable VectorX y_;
};

/// A shift of the order of the lowest ω² that is not zero: the Rayleigh quotient after a few
/// inverse iterations from a smooth start.
double choose_shift(LinearSystem& linear) {
  const int n_v = linear.system().velocities();
  const linalg::SparseMatrix K = linear.matrix(0, 1), M = linear.matrix(1, 0);
  double stiffest = 0;
  for (int i = 0; i < n_v; ++i) {
    const auto slot = static_cast<std::size_t>(K.pattern().slot(i, i));
    if (M.values()[slot] > 0) {
      stiffest = std::max(stiffest, std::abs(K.values()[slot]) / M.values()[slot]);
    }
  }
  const double shift = ModalTuning::first_shift * std::max(stiffest, ModalTuning::softest);
  if (!linear.factorize(shift)) return shift;
  VectorX x = VectorX::Ones(linear.system().unknowns()), y(x.size());
  for (int i = 0; i < n_v; ++i) x[i] = 1 + 0.37 * std::sin(1.3 * i);
  x.tail(linear.system().constraints()).setZero();
  double quotient = 0;
  for (int i = 0; i < ModalTuning::inverse_iterations; ++i) {
    linear.kkt().solve(x);
    x.tail(linear.system().constraints()).setZero();
    x /= x.norm();
    K.multiply(x, y);
    const double k = x.head(n_v).dot(y.head(n_v));
    M.multiply(x, y);
    const double m = x.head(n_v).dot(y.head(n_v));
    quotient = std::max(quotient, std::abs(k) / m);
    x = y;
    x.tail(linear.system().constraints()).setZero();
  }
  return std::max(shift, ModalTuning::shift_of_quotient * quotient);
}

std::vector<Mode> sparse_modes(LinearSystem& linear, int count) {
  const int n_v = linear.system().velocities();
  const double shift = choose_shift(linear);
  if (!linear.factorize(shift)) return {};
  const int wanted = std::min(count, n_v - 2);
  const int basis = std::min(n_v, std::max(2 * wanted + 10, 30));
  ShiftedInverse inverse(linear);
  MassOperator mass(linear);
  Spectra::SymGEigsShiftSolver<ShiftedInverse, MassOperator, Spectra::GEigsMode::ShiftInvert>
      solver(inverse, mass, wanted, basis, -shift);
  // A start vector inside the motions that the joints allow.
  VectorX start(n_v), seed(n_v);
  for (int i = 0; i < n_v; ++i) seed[i] = std::sin(1 + 0.7 * i) + 0.3 * std::cos(2.1 * i);
  inverse.perform_op(seed.data(), start.data());
  solver.init(start.data());
  solver.compute(Spectra::SortRule::LargestMagn, ModalTuning::most_restarts,
                 ModalTuning::lanczos_tolerance);
  std::vector<Mode> modes;
  const VectorX values = solver.eigenvalues();
  const Eigen::MatrixXd shapes = solver.eigenvectors();
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    // Motions that the joints hold have (K + σM)⁻¹ = 0, an infinite frequency: they are no modes.
    if (!std::isfinite(values[i]) || std::abs(values[i]) > ModalTuning::held_by_joints * shift)
      continue;
    modes.push_back({values[i], shapes.col(i)});
  }
  std::sort(modes.begin(), modes.end(),
            [](const Mode& a, const Mode& b) { return a.eigenvalue < b.eigenvalue; });
  for (Mode& mode : modes) {
    if (std::abs(mode.eigenvalue) < ModalTuning::rigid_part_of_shift * shift)
      mode.eigenvalue = 0;  // round-off
  }
  return modes;
}

/// Mass-normalised, the largest component positive: the same mode always looks the same.
void normalize(const System& system, const Configuration& q, Mode& mode) {
  VectorX y;
  system.mass_times(q, mode.shape, y);
  mode.shape /= std::sqrt(mode.shape.dot(y));
  Eigen::Index largest = 0;
  mode.shape.cwiseAbs().maxCoeff(&largest);
  if (mode.shape[largest] < 0) mode.shape *= -1;
}

}  // namespace

double Mode::angular_frequency() const { return std::sqrt(std::max(eigenvalue, 0.0)); }
double Mode::frequency() const { return angular_frequency() / (2 * std::numbers::pi); }
double Mode::growth_rate() const { return std::sqrt(std::max(-eigenvalue, 0.0)); }

std::vector<Mode> natural_modes(const System& system, KktSolver& kkt, const State& state,
                                int count) {
  LinearSystem linear(system, kkt, state);
  std::vector<Mode> modes = system.velocities() <= ModalTuning::dense_limit
                                ? dense_modes(linear, count)
                                : sparse_modes(linear, count);
  for (Mode& mode : modes) normalize(system, state.configuration, mode);
  return modes;
}

}  // namespace saltus
