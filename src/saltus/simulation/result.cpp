// SPDX-License-Identifier: Apache-2.0
#include "saltus/simulation/result.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "saltus/core/input_error.hpp"
#include "saltus/simulation/simulation.hpp"

namespace saltus {

void Result::begin(const ResultLayout& layout) {
  layout_ = layout;
  values_.reset();
  rows_ = capacity_ = 0;
  events_.clear();
  forces_.clear();
  impacts_.clear();
  modes_ = {};
  report_ = {};
}

void Result::record(std::span<const double> row) {
  const std::size_t width = columns().size();
  if (rows_ == capacity_) {
    capacity_ = std::max<std::size_t>(64, 2 * capacity_);
    std::shared_ptr<double[]> larger(new double[capacity_ * width]);
    std::copy_n(values_.get(), rows_ * width, larger.get());
    values_ = std::move(larger);
  }
  std::copy(row.begin(), row.end(), values_.get() + rows_ * width);
  ++rows_;
}

std::size_t Result::index_of(std::string_view column) const {
  for (std::size_t i = 0; i < columns().size(); ++i) {
    if (columns()[i].name == column) return i;
  }
  std::vector<std::string> names;
  for (const Channel& c : columns()) names.push_back(c.name);
  const std::string near = nearest_name(std::string(column), names);
  throw InputError(
      Issue{.place = "result",
            .rule = fmt::format("there is no column \"{}\"", column),
            .remedy = near.empty() ? "columns() lists them" : "did you mean \"" + near + "\"?"});
}

Result::Series Result::series(std::string_view column) const {
  const auto width = static_cast<Eigen::Index>(columns().size());
  return {values_.get() + index_of(column), static_cast<Eigen::Index>(rows_),
          Eigen::InnerStride<>(width)};
}

Result::VectorSeries Result::vectors(std::string_view name) const {
  const std::string n = fmt::format("{}.n", name);
  const bool is_contact =
      std::ranges::any_of(columns(), [&](const Channel& channel) { return channel.name == n; });
  const std::size_t first = index_of(is_contact ? n : fmt::format("{}.x", name));
  return {values_.get() + first, static_cast<Eigen::Index>(rows_), 3,
          Eigen::OuterStride<>(static_cast<Eigen::Index>(columns().size()))};
}

Result::VectorSeries Result::position(BodyId body) const {
  return vectors(body_name(simulation_->model(), body) + ".position");
}

Result::VectorSeries Result::velocity(BodyId body) const {
  return vectors(body_name(simulation_->model(), body) + ".velocity");
}

}  // namespace saltus
