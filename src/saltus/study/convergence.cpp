// SPDX-License-Identifier: Apache-2.0
#include "saltus/study/convergence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "saltus/core/input_error.hpp"
#include "saltus/io/column_choice.hpp"
#include "saltus/io/json.hpp"
#include "saltus/io/model_file.hpp"
#include "saltus/simulation/simulation.hpp"

namespace saltus::study {
namespace {

/// Below this part of a value differences are round-off.
constexpr double round_off = 1e-13;

/// Keeps the columns that are asked for.
class ColumnSink : public ResultSink {
 public:
  ColumnSink(const std::vector<std::size_t>& columns, int level, const RunListener& hear)
      : values(columns.size()), columns_(&columns), level_(level), hear_(&hear) {}

  void begin(const ResultLayout& /*layout*/) override {}
  void record(std::span<const double> row) override {
    times.push_back(row[0]);
    for (std::size_t i = 0; i < columns_->size(); ++i) values[i].push_back(row[(*columns_)[i]]);
  }
  void end(const RunReport& /*report*/) override {}
  bool progress(double time, double fraction, long /*steps*/) override {
    return (*hear_)(level_, time, fraction);
  }

  std::vector<double> times = {};
  std::vector<std::vector<double>> values;

 private:
  const std::vector<std::size_t>* columns_;
  int level_;
  const RunListener* hear_;
};

/// Without names the places of all bodies.
std::vector<std::size_t> selected(const std::vector<Channel>& channels,
                                  const std::vector<std::string>& names) {
  if (!names.empty()) return io::chosen_columns(channels, names, "--columns");
  std::vector<std::size_t> columns;
  for (std::size_t j = 0; j < channels.size(); ++j) {
    const bool is_place =
        channels[j].kind == "position" && channels[j].owner.kind == OwnerKind::Bodies;
    if (is_place) columns.push_back(j);
  }
  return columns;
}

/// The options of a run whose steps can be halved.
const Dynamics& require_steps(const SimulationOptions& options, const std::string& file) {
  const Dynamics* dynamics = std::get_if<Dynamics>(&options);
  const char* why = dynamics == nullptr ? "statics and modes have no steps in time"
                    : std::holds_alternative<EventDriven>(dynamics->integrator)
                        ? "event_driven chooses its steps by tolerances, `step` is only when it "
                          "records"
                        : nullptr;
  if (why == nullptr && adaptive_step(dynamics->integrator) != nullptr) {
    throw InputError(
        {Issue{
            .place = "/simulation/integrator/step",
            .rule = "cannot be halved: steps are chosen by their error, and have no order",
            .remedy = fmt::format("give a number, e.g. --set /simulation/integrator/step={:g}; or "
                                  "compare runs with smaller tolerances",
                                  step_of(dynamics->integrator))}},
        file);
  }
  if (why == nullptr) return *dynamics;
  throw InputError({Issue{.place = "/simulation",
                          .rule = fmt::format("cannot be run with half the step: {}", why),
                          .remedy = "choose an integrator with steps"}},
                   file);
}

double range_of(const std::vector<double>& values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return *high - *low;
}

/// What the finest two runs have in common.
void compare(const ColumnSink& fine, const ColumnSink& coarse, Convergence& all) {
  const std::size_t rows = std::min(fine.times.size(), coarse.times.size());
  all.times.assign(fine.times.begin(), fine.times.begin() + static_cast<std::ptrdiff_t>(rows));
  for (std::size_t i = 0; i < all.columns.size(); ++i) {
    ColumnConvergence& column = all.columns[i];
    const double most = departure * range_of(fine.values[i]);
    for (std::size_t n = 0; n < rows; ++n) {
      column.differences.push_back(std::abs(fine.values[i][n] - coarse.values[i][n]));
      if (column.departs || column.differences.back() <= most) continue;
      column.departs = all.times[n];
    }
    if (!column.departs) continue;
    all.comparable_until =
        std::min(all.comparable_until.value_or(*column.departs), *column.departs);
  }
}

}  // namespace

void extrapolate(ColumnConvergence& column) {
  const std::vector<double>& v = column.values;
  const std::size_t n = v.size();
  column.estimate = v.back();
  if (n < 2) return;
  const double fine = v[n - 1] - v[n - 2];
  column.error = std::abs(fine);
  if (n < 3) return;
  const double coarse = v[n - 2] - v[n - 3];
  const double scale = std::max({std::abs(v[n - 1]), std::abs(v[n - 2]), std::abs(v[n - 3])});
  const bool is_smooth = std::abs(fine) > round_off * scale && std::abs(coarse) > std::abs(fine);
  if (!is_smooth) {
    column.error = std::max(std::abs(fine), std::abs(coarse));
    return;
  }
  column.order = std::log2(std::abs(coarse / fine));
  // Of a remainder c h^p, with the sign with which the differences come.
  column.estimate = v.back() + fine * fine / (coarse - fine);
  column.error = std::abs(column.estimate - v.back());
}

Convergence converge(const ConvergenceOptions& options, const RunListener& hear) {
  const std::string name = options.model.string();
  const CheckedModelFile given = read_checked_model_file(options.model, options.settings);
  const Dynamics& dynamics = require_steps(given.run.options(), name);
  const double step = step_of(dynamics.integrator);
  Convergence all{.end_time = dynamics.end_time};
  std::vector<std::size_t> columns;
  std::optional<ColumnSink> finest;
  for (int level = 0; level <= options.halvings; ++level) {
    const double parts = std::ldexp(1.0, level);
    std::vector<std::string> settings = options.settings;
    settings.push_back(fmt::format("/simulation/integrator/step={}", step / parts));
    if (!dynamics.record.interval) {
      settings.push_back(fmt::format("/simulation/record/every={}",
                                     static_cast<double>(dynamics.record.every) * parts));
    }
    Simulation simulation(read_checked_model_file(options.model, settings).run);
    if (level == 0) {
      columns = selected(simulation.layout().channels, options.columns);
      for (const std::size_t j : columns) {
        const Channel& channel = simulation.layout().channels[j];
        all.columns.push_back({.name = channel.name, .unit = channel.unit});
      }
    }
    ColumnSink sink(columns, level, hear);
    RunReport report = simulation.run(&sink);
    if (report.status != RunStatus::Completed) throw StudyStopped{step / parts, std::move(report)};
    for (std::size_t i = 0; i < columns.size(); ++i) {
      all.columns[i].steps.push_back(step / parts);
      all.columns[i].values.push_back(sink.values[i].back());
    }
    if (level == options.halvings && finest) compare(sink, *finest, all);
    finest.emplace(std::move(sink));
  }
  for (ColumnConvergence& column : all.columns) extrapolate(column);
  return all;
}

std::string convergence_json(const Convergence& convergence) {
  const auto optional = [](const std::optional<double>& value) {
    return value ? io::Json(*value) : io::Json(nullptr);
  };
  const auto list = [](const std::vector<double>& values) {
    io::Json json = io::Json::array();
    for (const double value : values) json.push_back(value);
    return json;
  };
  io::Json columns = io::Json::object();
  for (const ColumnConvergence& column : convergence.columns) {
    columns[column.name] = {{"unit", column.unit},
                            {"steps", list(column.steps)},
                            {"values", list(column.values)},
                            {"order", optional(column.order)},
                            {"estimate", column.estimate},
                            {"error", column.error},
                            {"comparable_until", optional(column.departs)}};
  }
  io::Json json{{"end_time", convergence.end_time},
                {"comparable_until", optional(convergence.comparable_until)},
                {"columns", std::move(columns)}};
  return json.dump(2) + "\n";
}

}  // namespace saltus::study
