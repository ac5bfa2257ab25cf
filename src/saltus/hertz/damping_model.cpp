// SPDX-License-Identifier: Apache-2.0
#include "saltus/hertz/damping_model.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace saltus::hertz {

double smallest_restitution(DampingModel model) {
  switch (model) {
    case DampingModel::None:
    case DampingModel::HuntCrossley:
    case DampingModel::LankaraniNikravesh:
      return 0;
    case DampingModel::Hu:
    case DampingModel::Flores:
    case DampingModel::Zhang:
      return 0.05;
  }
  throw std::invalid_argument("unknown damping model");
}

double damping_ratio(DampingModel model, double restitution) {
  if (!(restitution >= 0 && restitution <= 1))
    throw std::invalid_argument("the coefficient of restitution must lie between 0 and 1");
  const double e = std::max(restitution, smallest_restitution(model));
  switch (model) {  // (12)
    case DampingModel::None:
      return 0;
    case DampingModel::HuntCrossley:
      return 1.5 * (1 - e);
    case DampingModel::LankaraniNikravesh:
      return 0.75 * (1 - e) * (1 + e);
    case DampingModel::Hu:
      return -6.66264 * std::log(e) / (3.85238 + std::log(e));
    case DampingModel::Flores:
      return 1.6 * (1 - e) / e;
    case DampingModel::Zhang:
      return 1.5 * (1 - e) / (e * (0.6181 * std::exp(-3.52 * e) + 0.899 * std::exp(0.09025 * e)));
  }
  throw std::invalid_argument("unknown damping model");
}

double damping_factor(DampingModel model, double stiffness, double restitution,
                      double approach_speed) {
  if (!(stiffness > 0)) throw std::invalid_argument("the stiffness must be positive");
  if (!(approach_speed > 0)) throw std::invalid_argument("the approach speed must be positive");
  return damping_ratio(model, restitution) * stiffness / approach_speed;
}

}  // namespace saltus::hertz
