// SPDX-License-Identifier: Apache-2.0
/// The inner loops of lane_sweeps: contacts without common bodies side by side in the lanes of
/// vector registers. Compiled for several instruction sets from one source, lane_kernel.inl, with
/// the same operations in the same order: results are the same bytes whichever is taken.
#pragma once

#include <cstddef>

#include "saltus/nonsmooth/instruction_set.hpp"

namespace saltus::nonsmooth {

/// Lanes of a batch: one vector of 32 bytes.
template <class Real>
inline constexpr int lane_count = static_cast<int>(32 / sizeof(Real));

/// Numbers a body: six and two zeros, so that float has one vector and double two.
inline constexpr int lane_body = 8;

/// Numbers of a contact's law with N rows, in this order; D is scaled so that D_NN = 1.
template <int N>
struct LaneLaw;
template <>
struct LaneLaw<3> {
  enum { Slide, PerSlide, D10, D20, Scale, Count };
};
template <>
struct LaneLaw<6> {
  enum {
    Slide,
    Spin,
    Roll,  // bounds
    PerSlide,
    PerSpin,
    PerRoll,  // 1 / largest mobility of the ball
    Coupled,  // 1: sliding and spinning are one ball of the bound Slide
    D10,
    D20,
    D30,
    D31,
    D32,
    D40,
    D41,
    D42,
    D43,
    D50,
    D51,
    D52,
    D53,
    Count
  };
};

/// Contacts in batches of L lanes, a batch after the other. A batch: rows[2][N][6][L] of its two
/// sides, law[Count][L], sides[2][L] (where the bodies' motions begin in w), b, l, g, p [N][L].
template <class Real>
struct LaneArrays {
  int batches = 0;
  int bodies = 0;  ///< with the one of zeros, the last
  const Real* rows = nullptr;
  const Real* law = nullptr;
  const int* sides = nullptr;
  const Real* b = nullptr;  ///< u without w
  Real* l = nullptr;        ///< reactions
  Real* g = nullptr;        ///< their change in the last sweep
  Real* p = nullptr;        ///< direction of NNCG
  Real* w = nullptr;        ///< motions
  Real* w_start = nullptr;  ///< where the last sweep began
  Real* w_p = nullptr;      ///< what p does to them
};

/// How well the laws hold at the motions of the sweeps, in the unit of the lanes: of reactions and
/// motions that are not scaled by contact any more.
struct LaneEstimate {
  double error = 0;  ///< ‖natural map‖
  double size = 0;   ///< ‖l‖
  double approach = 0, stick_slip = 0;
};

/// What one instruction set offers. `beta`: NNCG goes on by β p before the sweep. All return or
/// take double, whatever the lanes have.
template <class Real>
struct LaneKernel {
  /// Contact by contact, N = 3 or 6. @return ‖g‖².
  double (*sweep3)(const LaneArrays<Real>& a, Real beta) = nullptr;
  double (*sweep6)(const LaneArrays<Real>& a, Real beta) = nullptr;
  /// N = 3. @param margin  by which a reaction that sticks is inside of its cone.
  LaneEstimate (*estimate3)(const LaneArrays<Real>& a, Real margin) = nullptr;
  // Of n numbers, n a multiple of the lanes:
  double (*dot)(std::size_t n, const Real* a, const Real* b) = nullptr;
  /// d = a − last, then last = a.
  void (*difference)(std::size_t n, const Real* a, Real* last, Real* d) = nullptr;
  /// a −= Σ γ_k d_k.
  void (*combine)(std::size_t n, int columns, const double* gamma, const Real* const* d,
                  Real* a) = nullptr;
};

/// @pre the machine has it.
template <class Real>
const LaneKernel<Real>& lane_kernel(InstructionSet set);

}  // namespace saltus::nonsmooth
