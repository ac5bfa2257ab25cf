// SPDX-License-Identifier: Apache-2.0
#include "saltus/study/metric.hpp"

#include <algorithm>
#include <cmath>

namespace saltus::study {
namespace {

using Series = Result::Series;

/// ∫ f dt / (t_1 − t_0) of a function that is linear between the rows; of one row its value.
template <class Integral>
double mean_over_time(const Series& t, const Series& f, Integral over_interval) {
  double sum = 0;
  for (Eigen::Index i = 0; i + 1 < t.size(); ++i) {
    sum += (t[i + 1] - t[i]) * over_interval(f[i], f[i + 1]);
  }
  const double length = t[t.size() - 1] - t[0];
  return length > 0 ? sum / length : over_interval(f[0], f[0]);
}

double mean(const Series& t, const Series& f) {
  return mean_over_time(t, f, [](double a, double b) { return (a + b) / 2; });
}

/// The square of a linear function has the mean (a² + ab + b²)/3.
double rms(const Series& t, const Series& f) {
  return std::sqrt(
      mean_over_time(t, f, [](double a, double b) { return (a * a + a * b + b * b) / 3; }));
}

std::optional<double> value_at(const Series& t, const Series& f, double time) {
  if (!(time >= t[0] && time <= t[t.size() - 1])) return std::nullopt;
  Eigen::Index i = 0;
  while (i + 2 < t.size() && t[i + 1] < time) ++i;
  if (t.size() == 1 || t[i + 1] == t[i]) return f[i];
  const double part = (time - t[i]) / (t[i + 1] - t[i]);
  return (1 - part) * f[i] + part * f[i + 1];
}

std::optional<double> measure_column(const ColumnMetric& metric, const Result& result) {
  using enum ColumnMetric::Take;
  if (result.rows() == 0) return std::nullopt;
  const Series t = result.time(), f = result.series(metric.column);
  const Eigen::Index last = f.size() - 1;
  Eigen::Index place = 0;
  switch (metric.take) {
    case Max:
      return f.maxCoeff();
    case Min:
      return f.minCoeff();
    case First:
      return f[0];
    case Last:
      return f[last];
    case Mean:
      return mean(t, f);
    case Rms:
      return rms(t, f);
    case MaxAbs:
      return f.cwiseAbs().maxCoeff();
    case Range:
      return f.maxCoeff() - f.minCoeff();
    case TimeOfMax:
      f.maxCoeff(&place);
      return t[place];
    case TimeOfMin:
      f.minCoeff(&place);
      return t[place];
    case At:
      return value_at(t, f, metric.time);
  }
  return std::nullopt;
}

/// Of a contact with several points: any of them, "<contact>.…".
bool is_of(const EventRow& row, const EventMetric& metric) {
  if (row.kind != metric.event) return false;
  if (metric.contact.empty() || row.contact == metric.contact) return true;
  return row.contact.starts_with(metric.contact + ".");
}

double value_of(const EventRow& row, EventMetric::Take take) {
  using enum EventMetric::Take;
  if (take == Time) return row.time;
  if (take == ApproachSpeed) return -row.before[0];
  return take == Impulse || take == TotalImpulse ? row.impulse[0] : row.energy_lost;
}

std::optional<double> measure_events(const EventMetric& metric, const Result& result) {
  using enum EventMetric::Take;
  std::vector<const EventRow*> found;
  for (const EventRow& row : result.events()) {
    if (is_of(row, metric)) found.push_back(&row);
  }
  if (metric.take == Count) return static_cast<double>(found.size());
  if (metric.take == TotalImpulse || metric.take == TotalEnergyLost) {
    double sum = 0;
    for (const EventRow* row : found) sum += value_of(*row, metric.take);
    return sum;
  }
  const auto count = static_cast<int>(found.size());
  const int place = metric.number > 0 ? metric.number - 1 : count + metric.number;
  if (place < 0 || place >= count) return std::nullopt;
  return value_of(*found[static_cast<std::size_t>(place)], metric.take);
}

}  // namespace

std::optional<double> Metric::measure(const Result& result) const {
  if (const auto* column = std::get_if<ColumnMetric>(&source)) {
    return measure_column(*column, result);
  }
  return measure_events(std::get<EventMetric>(source), result);
}

}  // namespace saltus::study
