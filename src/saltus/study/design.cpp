// SPDX-License-Identifier: Apache-2.0
#include "saltus/study/design.hpp"

#include <numeric>

#include "saltus/study/sobol.hpp"

namespace saltus::study {
namespace {

/// Bits that depend on all bits of x (splitmix64). The same on every machine, unlike the
/// distributions of the standard library.
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31U);
}

std::uint64_t bits_of(std::uint64_t seed, std::size_t parameter, std::uint64_t number) {
  return mixed(mixed(mixed(seed) + parameter) + number);
}

/// In (0, 1).
double share_of(std::uint64_t bits) { return (static_cast<double>(bits >> 11U) + 0.5) * 0x1p-53; }

/// A permutation of the cases, another one for each parameter: their layers in a Latin hypercube.
std::vector<int> layers_of(const Study& study, std::size_t parameter) {
  std::vector<int> layers(static_cast<std::size_t>(study.cases));
  std::iota(layers.begin(), layers.end(), 0);
  const std::uint64_t seed = mixed(~study.seed);
  for (std::size_t i = layers.size(); i-- > 1;) {
    std::swap(layers[i], layers[bits_of(seed, parameter, i) % (i + 1)]);
  }
  return layers;
}

int grid_count(const Spread& spread) {
  return spread.kind == Spread::Kind::List ? static_cast<int>(spread.values.size()) : spread.count;
}

io::Json grid_value(const Spread& spread, int i) {
  if (spread.kind == Spread::Kind::List) return spread.values[static_cast<std::size_t>(i)];
  if (spread.count == 1) return spread.range[0];
  if (i == spread.count - 1) return spread.range[1];
  return spread.range[0] + i * (spread.range[1] - spread.range[0]) / (spread.count - 1);
}

}  // namespace

Cases::Cases(const Study& study) : study_(study), count_(study.cases) {
  if (study.design == Design::Grid) {
    count_ = 1;
    for (const Spread& spread : study.parameters) count_ *= grid_count(spread);
  } else if (study.design == Design::LatinHypercube) {
    for (std::size_t i = 0; i < study.parameters.size(); ++i) {
      layers_.push_back(layers_of(study, i));
    }
  }
}

/// In (0, 1).
double Cases::share(std::size_t parameter, int number) const {
  const double random =
      share_of(bits_of(study_.seed, parameter, static_cast<std::uint64_t>(number)));
  if (study_.design == Design::LatinHypercube) {
    return (layers_[parameter][static_cast<std::size_t>(number - 1)] + random) / study_.cases;
  }
  if (study_.design == Design::Sobol) {
    const auto scramble = static_cast<std::uint32_t>(bits_of(study_.seed, parameter, 0) >> 32U);
    return sobol(static_cast<std::uint32_t>(number - 1), static_cast<int>(parameter), scramble);
  }
  return random;
}

/// Of a grid the last parameter varies most quickly.
std::vector<io::Json> Cases::values(int number) const {
  std::vector<io::Json> values(study_.parameters.size());
  int rest = number - 1;
  for (std::size_t i = values.size(); i-- > 0;) {
    const Spread& spread = study_.parameters[i];
    if (study_.design == Design::Grid) {
      values[i] = grid_value(spread, rest % grid_count(spread));
      rest /= grid_count(spread);
    } else {
      values[i] = spread.quantile(share(i, number));
    }
  }
  return values;
}

std::vector<std::string> Cases::settings(int number) const {
  std::vector<std::string> settings;
  const std::vector<io::Json> all = values(number);
  for (std::size_t i = 0; i < all.size(); ++i) {
    settings.push_back(study_.parameters[i].pointer + "=" + all[i].dump());
  }
  return settings;
}

}  // namespace saltus::study
