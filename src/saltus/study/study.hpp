// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "saltus/io/json.hpp"
#include "saltus/study/metric.hpp"

namespace saltus::study {

/// How the cases fill the space of the parameters.
enum class Design { Grid, LatinHypercube, Sobol, Random };

/// What a parameter may be. A list has values; all others are numbers with a quantile function.
struct Spread {
  enum class Kind { List, Range, Uniform, Normal, LogNormal, Triangular };

  std::string pointer = {};  ///< into the model file, as of `--set`
  Kind kind = Kind::List;
  std::vector<io::Json> values = {};  ///< of a list
  std::array<double, 2> range = {};   ///< of a range, uniform or triangular
  int count = 0;                      ///< of a range: points of a grid; 0: none given
  double mean = 0;                    ///< of a normal; of a log-normal its median
  double deviation = 0;               ///< of a normal; of a log-normal that of the logarithm
  std::optional<double> mode = {};    ///< of a triangular; its middle if not given

  /// The value below which a share u of (0, 1) lies; of a list one of its values.
  io::Json quantile(double u) const;
};

/// What is kept of each run beside its metrics.
enum class Keep { Metrics, Everything };

/// What a study file says.
struct Study {
  std::filesystem::path model = {};  ///< relative to the current directory
  std::vector<Spread> parameters = {};
  Design design = Design::Grid;
  int cases = 0;  ///< of a grid as many as it has
  std::uint64_t seed = 1;
  std::vector<Metric> metrics = {};
  Keep keep = Keep::Metrics;
  std::vector<std::string> series = {};  ///< columns that are kept as series.csv

  /// What the directory of a case depends on, beside the model as it is run.
  std::string fingerprint() const;
};

/// @throws FileError if it cannot be read, InputError with all broken rules if it is wrong.
Study read_study(const std::filesystem::path& path);
/// The same for a text.
/// @param directory  the model's path is relative to it
Study parse_study(std::string_view text, const std::filesystem::path& directory);

}  // namespace saltus::study
