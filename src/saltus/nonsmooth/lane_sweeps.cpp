// SPDX-License-Identifier: Apache-2.0
#include "saltus/nonsmooth/lane_sweeps.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <bit>
#include <cmath>

#include "saltus/nonsmooth/tuning.hpp"

namespace saltus::nonsmooth {
namespace {

constexpr int most_colours = 64;         // bits of a body's mask
constexpr double largest_margin = 1e30;  // a float: nothing sticks

// The largest eigenvalue of a symmetric block of 2 or 3 rows.
template <int Size>
double largest_mobility(const ContactMatrix<Size>& D) {
  if constexpr (Size == 1) return D(0, 0);
  if constexpr (Size == 2) {
    const double mean = (D(0, 0) + D(1, 1)) / 2, half = (D(0, 0) - D(1, 1)) / 2;
    return mean + std::sqrt(half * half + D(0, 1) * D(0, 1));
  }
  return Eigen::SelfAdjointEigenSolver<ContactMatrix<Size>>(D, Eigen::EigenvaluesOnly)
      .eigenvalues()[Size - 1];
}

double inverse_or_zero(double x) { return x > 0 ? 1 / x : 0; }

}  // namespace

template <class Real, int N>
bool LaneSweeps<Real, N>::attach(const ContactOperator<N>& D) {
  unit_ = 0;
  if (!D.has_bodies() || !factorize_inertia(D)) return false;
  colour(D);
  const std::size_t slots = slots_.size(), batches = slots / L;
  rows_.assign(12 * N * slots, 0);
  law_.assign(LaneLaw<N>::Count * slots, 0);
  sides_.assign(2 * slots, lane_body * D.bodies());
  scales_.assign(D.contacts(), 0);
  for (std::vector<Real>* x : {&b_, &l_, &g_, &p_}) x->assign(N * slots, 0);
  const auto bodies = static_cast<std::size_t>(D.bodies()) + 1;
  for (std::vector<Real>* x : {&w_, &w_start_, &w_p_}) x->assign(lane_body * bodies, 0);
  for (std::size_t slot = 0; slot < slots; ++slot) {
    if (slots_[slot] >= 0) fill(D, slot, static_cast<std::size_t>(slots_[slot]));
  }
  arrays_ = {.batches = static_cast<int>(batches),
             .bodies = static_cast<int>(bodies),
             .rows = rows_.data(),
             .law = law_.data(),
             .sides = sides_.data(),
             .b = b_.data(),
             .l = l_.data(),
             .g = g_.data(),
             .p = p_.data(),
             .w = w_.data(),
             .w_start = w_start_.data(),
             .w_p = w_p_.data()};
  return true;
}

// Of every body the six rows and columns of K that are its own; what has no unknown is left as it
// is by rows of zeros.
template <class Real, int N>
bool LaneSweeps<Real, N>::factorize_inertia(const ContactOperator<N>& D) {
  const linalg::SparseMatrix& K = *D.problem().K;
  const std::span<const int> starts = K.pattern().column_starts(), rows = K.pattern().row_indices();
  const auto bodies = static_cast<std::size_t>(D.bodies());
  inverse_.assign(bodies, Matrix6::Zero());
  first_.assign(bodies, -1);
  for (std::size_t c = 0; c < D.contacts(); ++c) {
    for (std::size_t side = 0; side < 2; ++side) {
      const auto body = static_cast<std::size_t>(D.body(c, side));
      for (std::size_t k = 0; k < 6; ++k) {
        const int column = D.columns(c)[6 * side + k];
        if (column == D.size()) continue;
        first_[body] = column - static_cast<int>(k);
        auto entries = inverse_[body].col(static_cast<Eigen::Index>(k));
        if (entries[static_cast<Eigen::Index>(k)] != 0) continue;  // by a contact before
        const auto j = static_cast<std::size_t>(column);
        for (int e = starts[j]; e < starts[j + 1]; ++e) {
          const int row = rows[static_cast<std::size_t>(e)] - first_[body];
          if (row >= 0 && row < 6) entries[row] = K.values()[static_cast<std::size_t>(e)];
        }
      }
    }
  }
  for (Matrix6& body : inverse_) {
    for (int k = 0; k < 6; ++k) {
      if (body.col(k).isZero(0)) body.row(k).setZero(), body(k, k) = 1;
    }
    const Matrix6 symmetric = (body + body.transpose()) / 2;
    const Eigen::LLT<Matrix6> llt(symmetric);
    if (llt.info() != Eigen::Success) return false;
    body.setIdentity();
    llt.matrixL().solveInPlace(body);
  }
  return true;
}

// Greedy. Contacts of a body that has as many as there are colours come one by one. Colours are
// filled up to whole batches.
template <class Real, int N>
void LaneSweeps<Real, N>::colour(const ContactOperator<N>& D) {
  used_.assign(static_cast<std::size_t>(D.bodies()), 0);
  of_colour_.resize(most_colours + 1);
  for (std::vector<int>& list : of_colour_) list.clear();
  for (std::size_t c = 0; c < D.contacts(); ++c) {
    if (!D.movable(c)) continue;
    std::uint64_t taken = 0;
    for (std::size_t side = 0; side < 2; ++side) {
      const auto body = static_cast<std::size_t>(D.body(c, side));
      if (first_[body] >= 0) taken |= used_[body];
    }
    const int colour = std::countr_one(taken);
    of_colour_[static_cast<std::size_t>(colour)].push_back(static_cast<int>(c));
    if (colour == most_colours) continue;
    for (std::size_t side = 0; side < 2; ++side) {
      used_[static_cast<std::size_t>(D.body(c, side))] |= std::uint64_t{1} << colour;
    }
  }
  slots_.clear();
  for (std::size_t k = 0; k < of_colour_.size(); ++k) {
    const std::size_t part = k == most_colours ? 1 : L;  // of a batch
    for (std::size_t i = 0; i < of_colour_[k].size(); ++i) {
      if (i % part == 0) slots_.resize((slots_.size() + L - 1) / L * L, -1);
      slots_.push_back(of_colour_[k][i]);
    }
    slots_.resize((slots_.size() + L - 1) / L * L, -1);
  }
}

template <class Real, int N>
void LaneSweeps<Real, N>::fill(const ContactOperator<N>& D, std::size_t slot, std::size_t c) {
  Side H[2];
  ContactMatrix<N> own = ContactMatrix<N>::Zero();
  for (std::size_t side = 0; side < 2; ++side) {
    const auto body = static_cast<std::size_t>(D.body(c, side));
    H[side].setZero();
    if (first_[body] < 0) continue;
    const auto first = static_cast<Eigen::Index>(6 * side);
    H[side] = inverse_[body].lazyProduct(D.rows(c).template middleRows<6>(first));
    own += H[side].transpose().lazyProduct(H[side]);
    sides_[(slot / L * 2 + side) * L + slot % L] = lane_body * static_cast<int>(body);
  }
  if (!(own(0, 0) > 0)) return;
  const double scale = 1 / std::sqrt(own(0, 0));
  scales_[c] = scale;
  for (std::size_t side = 0; side < 2; ++side) {
    Real* rows = rows_.data() + (slot / L * 2 + side) * 6 * N * L + slot % L;
    for (int i = 0; i < 6 * N; ++i) rows[i * L] = static_cast<Real>(scale * H[side](i % 6, i / 6));
  }
  Real* law = law_.data() + slot / L * LaneLaw<N>::Count * L + slot % L;
  set_law(own / own(0, 0), D.cone(c), law);
  if constexpr (N == 3) law[L * LaneLaw<3>::Scale] = static_cast<Real>(scale);
}

template <class Real, int N>
void LaneSweeps<Real, N>::set_law(const ContactMatrix<N>& D, double mu, Real* law) const {
  using Law = LaneLaw<3>;
  law[L * Law::Slide] = static_cast<Real>(mu);
  law[L * Law::PerSlide] =
      static_cast<Real>(inverse_or_zero(largest_mobility<2>(D.template block<2, 2>(1, 1))));
  law[L * Law::D10] = static_cast<Real>(D(1, 0));
  law[L * Law::D20] = static_cast<Real>(D(2, 0));
}

template <class Real, int N>
void LaneSweeps<Real, N>::set_law(const ContactMatrix<N>& D, const MomentCone& cone,
                                  Real* law) const {
  using Law = LaneLaw<6>;
  if constexpr (N == 6) {
    const double slide = cone.coupled ? largest_mobility<3>(D.template block<3, 3>(1, 1))
                                      : largest_mobility<2>(D.template block<2, 2>(1, 1));
    const auto put = [&](int place, double value) { law[L * place] = static_cast<Real>(value); };
    put(Law::Slide, cone.slide);
    put(Law::Spin, cone.spin);
    put(Law::Roll, cone.roll);
    put(Law::PerSlide, inverse_or_zero(slide));
    put(Law::PerSpin, inverse_or_zero(cone.coupled ? slide : D(3, 3)));
    put(Law::PerRoll, inverse_or_zero(largest_mobility<2>(D.template block<2, 2>(4, 4))));
    put(Law::Coupled, cone.coupled ? 1 : 0);
    put(Law::D10, D(1, 0));
    put(Law::D20, D(2, 0));
    put(Law::D30, D(3, 0));
    put(Law::D31, cone.coupled ? 0 : D(3, 1));
    put(Law::D32, cone.coupled ? 0 : D(3, 2));
    for (int k = 0; k < 4; ++k) {
      put(Law::D40 + k, D(4, k));
      put(Law::D50 + k, D(5, k));
    }
  }
}

// A power of two, so that scaling rounds nothing; reactions of the order of one are far from where
// floats end.
template <class Real, int N>
void LaneSweeps<Real, N>::set_unit(const ContactOperator<N>& D, const Vectors& l) {
  double largest = 0;
  for (std::size_t c = 0; c < l.size(); ++c) {
    if (scales_[c] == 0) continue;
    largest = std::max({largest, l[c].norm() / scales_[c], D.b(c).norm() * scales_[c]});
  }
  unit_ = largest > 0 ? std::ldexp(1.0, std::ilogb(largest)) : 1;
}

template <class Real, int N>
void LaneSweeps<Real, N>::take(const ContactOperator<N>& D, const Vectors& l, const Vectors& u) {
  if (unit_ == 0) set_unit(D, l);
  for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
    if (slots_[slot] < 0) continue;
    const auto c = static_cast<std::size_t>(slots_[slot]);
    const double scale = scales_[c];
    if (scale == 0) continue;
    for (int row = 0; row < N; ++row) {
      entry(b_, slot, row) = static_cast<Real>(u[c][row] * scale / unit_);
      entry(l_, slot, row) = static_cast<Real>(l[c][row] / scale / unit_);
    }
  }
  shift_ = w_;
  for (std::size_t i = 0; i < w_.size(); ++i) w_start_[i] -= w_[i];
  std::fill(w_.begin(), w_.end(), Real(0));
}

template <class Real, int N>
void LaneSweeps<Real, N>::give(const ContactOperator<N>& D, Vectors& l) const {
  auto& self = const_cast<LaneSweeps&>(*this);
  for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
    if (slots_[slot] < 0) continue;
    const auto c = static_cast<std::size_t>(slots_[slot]);
    ContactVector<N> x;
    for (int row = 0; row < N; ++row) {
      x[row] = static_cast<double>(self.entry(self.l_, slot, row)) * scales_[c] * unit_;
    }
    l[c] = project_on_cone(x, D.cone(c));
  }
}

template <class Real, int N>
double LaneSweeps<Real, N>::sweep(double beta) {
  const auto sweep = N == 3 ? kernel_->sweep3 : kernel_->sweep6;
  return sweep(arrays_, static_cast<Real>(beta));
}

template <class Real, int N>
ContactMeasure LaneSweeps<Real, N>::estimate(const ContactMeasure& last) const {
  const double margin = std::min(RoundOff::error_factor * last.error / unit_, largest_margin);
  const LaneEstimate e = kernel_->estimate3(arrays_, static_cast<Real>(margin));
  ContactMeasure m = last;
  m.error = e.error * unit_;
  m.residual = e.size > 0 ? e.error / e.size : e.error;
  m.approach = e.approach * unit_;
  m.stick_slip = e.stick_slip * unit_;
  return m;
}

template <class Real, int N>
std::size_t LaneSweeps<Real, N>::bytes_per_contact() const {
  return sizeof(Real) * (12 * N + LaneLaw<N>::Count + 4 * N) + 2 * sizeof(int);
}

template class LaneSweeps<float, 3>;
template class LaneSweeps<float, 6>;
template class LaneSweeps<double, 3>;
template class LaneSweeps<double, 6>;

}  // namespace saltus::nonsmooth
