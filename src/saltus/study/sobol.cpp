// SPDX-License-Identifier: Apache-2.0
#include "saltus/study/sobol.hpp"

#include <array>

namespace saltus::study {
namespace {

constexpr int bits = 32;

/// A primitive polynomial over the integers modulo 2, its inner coefficients as bits, and the first
/// direction numbers: odd, m_i < 2^i.
struct Directions {
  int degree;
  std::uint32_t coefficients;
  std::array<std::uint32_t, 7> m;
};

// S. Joe, F. Y. Kuo: Constructing Sobol sequences with better two-dimensional projections, SIAM J.
// Sci. Comput. 30 (2008) 2635: their directions of the dimensions from the second on.
constexpr std::array<Directions, sobol_dimensions - 1> table = {{
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
    {7, 4, {1, 3, 7, 13, 13, 15, 69}},
}};

using Columns = std::array<std::uint32_t, bits>;

/// v_k = m_k / 2^k as bits, by the recurrence of the polynomial.
Columns columns_of(int dimension) {
  Columns v{};
  if (dimension == 0) {
    for (int k = 0; k < bits; ++k) v[static_cast<std::size_t>(k)] = 1U << (bits - 1 - k);
    return v;
  }
  const Directions& d = table[static_cast<std::size_t>(dimension - 1)];
  const auto s = static_cast<std::size_t>(d.degree);
  for (std::size_t k = 0; k < bits; ++k) {
    if (k < s) {
      v[k] = d.m[k] << (bits - 1 - k);
      continue;
    }
    v[k] = v[k - s] ^ (v[k - s] >> s);
    for (std::size_t i = 1; i < s; ++i) {
      if (((d.coefficients >> (s - 1 - i)) & 1U) != 0) v[k] ^= v[k - i];
    }
  }
  return v;
}

}  // namespace

double sobol(std::uint32_t index, int dimension, std::uint32_t scramble) {
  const Columns v = columns_of(dimension);
  std::uint32_t digits = scramble;
  for (std::size_t k = 0; k < bits; ++k) {
    if (((index >> k) & 1U) != 0) digits ^= v[k];
  }
  return (static_cast<double>(digits) + 0.5) / 4294967296.0;
}

}  // namespace saltus::study
