// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace saltus::study {

/// Sobol's sequence (Joe and Kuo's directions) has so many dimensions here.
inline constexpr int sobol_dimensions = 21;

/// The coordinate of point number `index` (from 0) in a dimension (from 0), shifted by digits: the
/// scramble is combined with it bit by bit, so that every seed has a net of its own. In (0, 1).
double sobol(std::uint32_t index, int dimension, std::uint32_t scramble = 0);

}  // namespace saltus::study
