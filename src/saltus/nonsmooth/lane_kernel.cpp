// SPDX-License-Identifier: Apache-2.0
#include "saltus/nonsmooth/lane_kernel.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace saltus::nonsmooth {
namespace {

#define LANE_SET portable
#define LANE_TARGET
#define LANE_WIDE 0
#include "saltus/nonsmooth/lane_kernel.inl"
#undef LANE_SET
#undef LANE_TARGET
#undef LANE_WIDE

#if defined(__x86_64__)
// No FMA: it rounds once where others round twice.
#define LANE_SET avx2
#define LANE_TARGET __attribute__((target("avx2")))
#define LANE_WIDE 1
#include "saltus/nonsmooth/lane_kernel.inl"
#undef LANE_SET
#undef LANE_TARGET
#undef LANE_WIDE
#endif

}  // namespace

InstructionSet best_instruction_set() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") != 0) return InstructionSet::Avx2;
#endif
  return InstructionSet::Portable;
}

template <class Real>
const LaneKernel<Real>& lane_kernel(InstructionSet set) {
#if defined(__x86_64__)
  if (set == InstructionSet::Avx2) return avx2::kernel<Real>();
#endif
  (void)set;
  return portable::kernel<Real>();
}
template const LaneKernel<float>& lane_kernel<float>(InstructionSet);
template const LaneKernel<double>& lane_kernel<double>(InstructionSet);

}  // namespace saltus::nonsmooth
