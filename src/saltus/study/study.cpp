// SPDX-License-Identifier: Apache-2.0
#include "saltus/study/study.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <numbers>
#include <sstream>

#include "saltus/core/input_error.hpp"
#include "saltus/io/json_text.hpp"
#include "saltus/io/model_file.hpp"
#include "saltus/model/place.hpp"
#include "saltus/study/sobol.hpp"

namespace saltus::study {
namespace {

using io::Json;

constexpr int format_version = 1;
constexpr double most_cases = 1e7;

const std::vector<std::string> designs = {"grid", "latin_hypercube", "sobol", "random"};
const std::vector<std::string> distributions = {"uniform", "normal", "log_normal", "triangular"};
const std::vector<std::string> keeps = {"metrics", "everything"};

/// Reads a study; goes on after an error, so that all broken rules are told at once.
class StudyReader {
 public:
  StudyReader(const Json& json, std::filesystem::path directory)
      : json_(json), directory_(std::move(directory)) {}

  Study read() {
    read_version();
    const Place root;
    known_keys(json_, root,
               {"saltus_study", "$schema", "comment", "model", "parameters", "design", "cases",
                "seed", "metrics", "keep", "series"});
    if (const auto path = text(json_, root, "model", true)) study_.model = directory_ / *path;
    if (const auto i = word(json_, root, "design", designs)) {
      study_.design = static_cast<Design>(*i);
    }
    if (const auto i = word(json_, root, "keep", keeps)) study_.keep = static_cast<Keep>(*i);
    read_parameters();
    read_count();
    if (const auto seed = integer(json_, root, "seed", 0, 9e15)) {
      study_.seed = static_cast<std::uint64_t>(*seed);
    }
    read_metrics();
    read_series();
    if (!issues_.empty()) throw InputError(std::move(issues_));
    return std::move(study_);
  }

 private:
  void read_version() {
    const Json& version = json_["saltus_study"];
    if (version.is_number() && version.number() == format_version) return;
    throw InputError(Issue{.place = "/saltus_study",
                           .rule = fmt::format("must be {}", format_version),
                           .value = version.is_null() ? "nothing" : io::shown(version),
                           .remedy = fmt::format("begin the study with \"saltus_study\": {}, the "
                                                 "version of the format",
                                                 format_version)});
  }

  void report(const Place& place, std::string rule, std::string value = {},
              std::string remedy = {}) {
    issues_.push_back({place.text(), std::move(rule), std::move(value), std::move(remedy)});
  }

  void known_keys(const Json& object, const Place& place, const std::vector<std::string>& known) {
    for (const auto& [key, value] : object.members()) {
      if (std::ranges::find(known, key) != known.end()) continue;
      const std::string nearest = nearest_name(key, known);
      report(place / key, "is not a key of this object", {},
             nearest.empty() ? fmt::format("the keys are {}", fmt::join(known, ", "))
                             : fmt::format("did you mean \"{}\"?", nearest));
    }
  }

  std::optional<std::string> text(const Json& object, const Place& place, const char* key,
                                  bool is_required = false) {
    const Json* value = object.find(key);
    if (value == nullptr) {
      if (is_required) report(place / key, "is missing");
      return std::nullopt;
    }
    if (value->is_string() && !value->text().empty()) return value->text();
    report(place / key, "must be a text", io::shown(*value));
    return std::nullopt;
  }

  std::optional<int> word(const Json& object, const Place& place, const char* key,
                          const std::vector<std::string>& words) {
    const auto given = text(object, place, key);
    if (!given) return std::nullopt;
    const auto found = std::ranges::find(words, *given);
    if (found != words.end()) return static_cast<int>(found - words.begin());
    const std::string nearest = nearest_name(*given, words);
    report(place / key, fmt::format("must be one of {}", fmt::join(words, ", ")),
           io::in_quotes(*given),
           nearest.empty() ? "" : fmt::format("did you mean \"{}\"?", nearest));
    return std::nullopt;
  }

  std::optional<double> number(const Json& object, const Place& place, const char* key,
                               bool is_required = false) {
    const Json* value = object.find(key);
    if (value == nullptr) {
      if (is_required) report(place / key, "is missing");
      return std::nullopt;
    }
    if (value->is_number() && std::isfinite(value->number())) return value->number();
    report(place / key, "must be a number", io::shown(*value));
    return std::nullopt;
  }

  std::optional<double> integer(const Json& object, const Place& place, const char* key,
                                double least, double most) {
    const auto value = number(object, place, key);
    if (!value) return std::nullopt;
    if (*value == std::floor(*value) && *value >= least && *value <= most) return value;
    report(place / key, fmt::format("must be a whole number from {} to {}", least, most),
           fmt::format("{}", *value));
    return std::nullopt;
  }

  void read_parameters() {
    const Place root;
    const Place place = root / "parameters";
    const Json& parameters = json_["parameters"];
    if (!parameters.is_object() || parameters.empty()) {
      report(place, "must name at least one parameter", {},
             R"(e.g. {"/model/contacts/0/friction": {"values": [0.1, 0.2]}})");
      return;
    }
    for (const auto& [pointer, spec] : parameters.members()) {
      const Place here = place / pointer;
      if (!pointer.starts_with("/")) {
        report(here, "must be a JSON pointer into the model file", io::in_quotes(pointer),
               "e.g. \"/model/contacts/0/friction\"");
      }
      if (spec.is_object()) {
        study_.parameters.push_back(read_spread(spec, here, pointer));
      } else {
        report(here, "must be an object with values, a range or a distribution", io::shown(spec));
      }
    }
    const auto most = static_cast<std::size_t>(sobol_dimensions);
    if (study_.design == Design::Sobol && study_.parameters.size() > most) {
      report(place, fmt::format("of a design by sobol can be {} at most", most),
             fmt::format("{}", study_.parameters.size()), "take latin_hypercube or random");
    }
  }

  Spread read_spread(const Json& spec, const Place& place, const std::string& pointer) {
    known_keys(spec, place,
               {"values", "range", "count", "distribution", "mean", "median", "deviation", "mode",
                "comment"});
    Spread spread{.pointer = pointer};
    const bool has_distribution = spec.contains("distribution");
    if (static_cast<int>(spec.contains("values")) + static_cast<int>(has_distribution) > 1) {
      report(place, "has both values and a distribution", {}, "keep one of them");
    }
    if (has_distribution) {
      read_distribution(spec, place, spread);
    } else if (spec.contains("values")) {
      read_values(spec["values"], place / "values", spread);
    } else {
      spread.kind = Spread::Kind::Range;
      read_range(spec, place, spread);
      if (const auto count = integer(spec, place, "count", 1, most_cases)) {
        spread.count = static_cast<int>(*count);
      } else if (study_.design == Design::Grid && !spec.contains("count")) {
        report(place / "count", "is missing", {}, "say how many points of the range a grid takes");
      }
    }
    if (study_.design == Design::Grid && has_distribution) {
      report(place / "distribution", "has no points for a grid", {},
             "give values, or a range with a count, or choose the design random, sobol or "
             "latin_hypercube");
    }
    return spread;
  }

  void read_values(const Json& values, const Place& place, Spread& spread) {
    if (!values.is_array() || values.empty()) {
      report(place, "must be a list with at least one value", io::shown(values));
      return;
    }
    spread.values = values.items();
  }

  void read_range(const Json& spec, const Place& place, Spread& spread) {
    const Json& range = spec["range"];
    const bool is_pair =
        range.is_array() && range.size() == 2 && range[0].is_number() && range[1].is_number();
    if (!is_pair || !(range[0].number() <= range[1].number())) {
      report(place / "range", "must be two numbers, the smaller one first",
             range.is_null() ? "nothing" : io::shown(range));
      return;
    }
    spread.range = {range[0].number(), range[1].number()};
  }

  void read_distribution(const Json& spec, const Place& place, Spread& spread) {
    using enum Spread::Kind;
    const auto kind = word(spec, place, "distribution", distributions);
    if (!kind) return;
    spread.kind =
        std::array{Uniform, Normal, LogNormal, Triangular}[static_cast<std::size_t>(*kind)];
    if (spread.kind == Uniform || spread.kind == Triangular) {
      read_range(spec, place, spread);
      spread.mode = number(spec, place, "mode");
      if (spread.mode && !(*spread.mode >= spread.range[0] && *spread.mode <= spread.range[1])) {
        report(place / "mode", "must lie within the range", fmt::format("{}", *spread.mode));
      }
      return;
    }
    const char* middle = spread.kind == Normal ? "mean" : "median";
    spread.mean = number(spec, place, middle, true).value_or(1);
    spread.deviation = number(spec, place, "deviation", true).value_or(1);
    if (!(spread.deviation >= 0)) {
      report(place / "deviation", "must be >= 0", fmt::format("{}", spread.deviation));
    }
    if (spread.kind == LogNormal && !(spread.mean > 0)) {
      report(place / "median", "must be > 0", fmt::format("{}", spread.mean));
    }
  }

  void read_count() {
    const Place root;
    if (const auto cases = integer(json_, root, "cases", 1, most_cases)) {
      study_.cases = static_cast<int>(*cases);
    }
    if (study_.design != Design::Grid) {
      if (!json_.contains("cases")) {
        report(root / "cases", "is missing", {}, "say how many cases the design has");
      }
      return;
    }
    if (json_.contains("cases")) {
      report(root / "cases", "has no meaning in a grid, which has all combinations", {},
             "leave it out, or choose the design random, sobol or latin_hypercube");
    }
    double count = 1;
    for (const Spread& spread : study_.parameters) {
      count *= spread.kind == Spread::Kind::List ? static_cast<double>(spread.values.size())
                                                 : std::max(1, spread.count);
    }
    if (count > most_cases) {
      report(root / "parameters", fmt::format("make more than {:.0e} cases", most_cases),
             fmt::format("{:.3g}", count), "take fewer points, or a design with `cases`");
    }
  }

  void read_metrics() {
    const Place root;
    const Place place = root / "metrics";
    const Json& metrics = json_["metrics"];
    if (metrics.is_null()) return;
    if (!metrics.is_object()) {
      report(place, "must be an object: the names of the metrics and what they are");
      return;
    }
    for (const auto& [name, spec] : metrics.members()) {
      const Place here = place / name;
      if (name.empty()) report(here, "needs a name");
      if (spec.is_object() && spec.contains("column") != spec.contains("event")) {
        study_.metrics.push_back({name, {}});
        Metric& metric = study_.metrics.back();
        if (spec.contains("column")) {
          metric.source = read_column(spec, here);
        } else {
          metric.source = read_event(spec, here);
        }
      } else {
        report(here, "must be an object with either a column or an event", io::shown(spec),
               R"(e.g. {"column": "ball.position.z", "take": "max"})");
      }
    }
  }

  ColumnMetric read_column(const Json& spec, const Place& place) {
    known_keys(spec, place, {"column", "take", "time", "comment"});
    ColumnMetric metric;
    metric.column = text(spec, place, "column").value_or("");
    const std::vector<std::string> words(std::begin(ColumnMetric::names),
                                         std::end(ColumnMetric::names));
    if (const auto i = word(spec, place, "take", words)) {
      metric.take = static_cast<ColumnMetric::Take>(*i);
    }
    const bool is_at = metric.take == ColumnMetric::Take::At;
    if (const auto time = number(spec, place, "time", is_at)) metric.time = *time;
    if (!is_at && spec.contains("time")) {
      report(place / "time", "goes with \"take\": \"at\" only");
    }
    return metric;
  }

  EventMetric read_event(const Json& spec, const Place& place) {
    known_keys(spec, place, {"event", "contact", "take", "number", "comment"});
    EventMetric metric;
    const std::vector<std::string> kinds(event_kinds.begin(), event_kinds.end());
    if (const auto kind = word(spec, place, "event", kinds)) {
      metric.event = event_kinds[static_cast<std::size_t>(*kind)];
    }
    metric.contact = text(spec, place, "contact").value_or("");
    const std::vector<std::string> words(std::begin(EventMetric::names),
                                         std::end(EventMetric::names));
    if (const auto i = word(spec, place, "take", words)) {
      metric.take = static_cast<EventMetric::Take>(*i);
    }
    if (const auto count = integer(spec, place, "number", -1e6, 1e6)) {
      metric.number = static_cast<int>(*count);
      if (metric.number == 0) {
        report(place / "number", "counts from 1, or from the last one back: -1", "0");
      }
    }
    return metric;
  }

  void read_series() {
    const Place root;
    const Place place = root / "series";
    const Json& series = json_["series"];
    if (series.is_null()) return;
    if (!series.is_array()) return report(place, "must be a list of columns", io::shown(series));
    for (std::size_t i = 0; i < series.size(); ++i) {
      if (series[i].is_string()) {
        study_.series.push_back(series[i].text());
      } else {
        report(place / i, "must be the name of a column", io::shown(series[i]));
      }
    }
  }

  const Json& json_;
  std::filesystem::path directory_;
  Study study_;
  std::vector<Issue> issues_;
};

/// The inverse of the normal distribution Φ: halving between −40 and 40 down to neighbouring
/// numbers, for Φ(−40) is 0 and erfc is at hand in full accuracy.
double normal_quantile(double u) {
  if (u > 0.5) return -normal_quantile(1 - u);
  double low = -40, high = 0;
  for (int i = 0; i < 200; ++i) {
    const double middle = (low + high) / 2;
    if (middle <= low || middle >= high) break;
    (std::erfc(-middle / std::numbers::sqrt2) / 2 < u ? low : high) = middle;
  }
  return (low + high) / 2;
}

double triangular_quantile(const Spread& spread, double u) {
  const auto [a, b] = spread.range;
  if (!(b > a)) return a;
  const double c = spread.mode.value_or((a + b) / 2);
  const double share = (c - a) / (b - a);
  if (u < share) return a + std::sqrt(u * (b - a) * (c - a));
  return b - std::sqrt((1 - u) * (b - a) * (b - c));
}

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  if (!file || std::filesystem::is_directory(path)) {
    throw FileError(fmt::format("{}: cannot be read: {}", path.string(),
                                std::strerror(errno != 0 ? errno : EISDIR)));
  }
  return text.str();
}

}  // namespace

Json Spread::quantile(double u) const {
  switch (kind) {
    case Kind::List: {
      const auto n = static_cast<double>(values.size());
      return values[static_cast<std::size_t>(std::min(std::floor(u * n), n - 1))];
    }
    case Kind::Range:
    case Kind::Uniform:
      return range[0] + u * (range[1] - range[0]);
    case Kind::Normal:
      return mean + deviation * normal_quantile(u);
    case Kind::LogNormal:
      return mean * std::exp(deviation * normal_quantile(u));
    case Kind::Triangular:
      return triangular_quantile(*this, u);
  }
  return {};
}

std::string Study::fingerprint() const {
  std::string text = fmt::format("{} {} ", format_version, static_cast<int>(keep));
  for (const Metric& metric : metrics) {
    text += metric.name + "\n";
    if (const auto* column = std::get_if<ColumnMetric>(&metric.source)) {
      text +=
          fmt::format("{}\n{} {}\n", column->column, static_cast<int>(column->take), column->time);
    } else {
      const auto& event = std::get<EventMetric>(metric.source);
      text += fmt::format("{}\n{}\n{} {}\n", event.event, event.contact,
                          static_cast<int>(event.take), event.number);
    }
  }
  for (const std::string& column : series) text += column + "\n";
  return text;
}

Study parse_study(std::string_view text, const std::filesystem::path& directory) {
  const Json json = io::parse_json_object(text);
  return StudyReader(json, directory).read();
}

Study read_study(const std::filesystem::path& path) {
  errno = 0;
  const std::string text = text_of(path);
  try {
    return parse_study(text, path.parent_path());
  } catch (const InputError& error) {
    throw InputError(error.issues(), path.string());
  }
}

}  // namespace saltus::study
