// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "saltus/nonsmooth/contact_measure.hpp"
#include "saltus/nonsmooth/lane_kernel.hpp"

namespace saltus::nonsmooth {

/// Sweeps over the contacts of free bodies, many at a time: rows H' = H K^(−1/2), so that one
/// matrix does for gathering and scattering, contacts coloured so that those of a batch have no
/// body in common (docs/theory/frictional_contact.md, section 3).
///
/// What the sweeps take for D is H'H'ᵀ, with the symmetric part of K and H for F. take() sets b to
/// the true motion at the reactions at hand, and the sweeps work on what follows: the difference
/// slows the last digits down and does not change where they end; nor does round-off of float
/// motions pile up.
template <class Real, int N>
class LaneSweeps {
 public:
  using Vectors = ContactVectors<N>;

  explicit LaneSweeps(InstructionSet set = best_instruction_set())
      : kernel_(&lane_kernel<Real>(set)) {}

  /// False if the problem is not one of free bodies.
  bool attach(const ContactOperator<N>& D);

  /// The reactions, and the true motion u there.
  void take(const ContactOperator<N>& D, const Vectors& l, const Vectors& u);
  /// The reactions, on their cones.
  void give(const ContactOperator<N>& D, Vectors& l) const;

  /// @param beta  NNCG: how far to go on along the last direction before. @return ‖g‖².
  double sweep(double beta);

  /// What the lanes know of the measure, N = 3: with their D, and in their precision.
  /// @param last  the true one of some sweeps before: its error says what sticks strictly.
  ContactMeasure estimate(const ContactMeasure& last) const;

  std::size_t bytes_per_contact() const;

  // For Anderson: the result of a sweep, its change, and the motions.
  const LaneKernel<Real>& kernel() const { return *kernel_; }
  std::size_t reactions() const { return l_.size(); }
  std::size_t motions() const { return w_.size(); }
  Real* l() { return l_.data(); }
  Real* g() { return g_.data(); }
  Real* w() { return w_.data(); }
  /// By how much take() has moved the origin of the motions the last time.
  const std::vector<Real>& shift() const { return shift_; }

 private:
  using Matrix6 = Eigen::Matrix<double, 6, 6>;
  using Side = Eigen::Matrix<double, 6, N>;
  static constexpr int L = lane_count<Real>;

  bool factorize_inertia(const ContactOperator<N>& D);
  void colour(const ContactOperator<N>& D);
  void fill(const ContactOperator<N>& D, std::size_t slot, std::size_t c);
  void set_law(const ContactMatrix<N>& D, double mu, Real* law) const;
  void set_law(const ContactMatrix<N>& D, const MomentCone& cone, Real* law) const;
  void set_unit(const ContactOperator<N>& D, const Vectors& l);
  Real& entry(std::vector<Real>& x, std::size_t slot, int row) const {
    return x[(slot / L * N + static_cast<std::size_t>(row)) * L + slot % L];
  }

  const LaneKernel<Real>* kernel_;
  LaneArrays<Real> arrays_;
  std::vector<Real> rows_, law_, b_, l_, g_, p_, w_, w_start_, w_p_, shift_;
  std::vector<int> sides_;
  std::vector<int> slots_;      // the contact of each lane; −1: none
  std::vector<double> scales_;  // of contacts, 1/√D_NN; 0: left out
  double unit_ = 0;             // of scaled reactions and motions, a power of two; 0: not yet set

  std::vector<Matrix6> inverse_;             // L⁻¹ of bodies, K = L Lᵀ
  std::vector<int> first_;                   // unknown of bodies
  std::vector<std::uint64_t> used_;          // colours of bodies
  std::vector<std::vector<int>> of_colour_;  // contacts
};

extern template class LaneSweeps<float, 3>;
extern template class LaneSweeps<float, 6>;
extern template class LaneSweeps<double, 3>;
extern template class LaneSweeps<double, 6>;

}  // namespace saltus::nonsmooth
