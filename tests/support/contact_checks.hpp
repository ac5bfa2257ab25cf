// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/support/example_run.hpp"

// What is asked of every run with contacts.
namespace saltus::test {

/// Runs examples/<name>.json as run_example does, but with warnings and failures for the caller.
inline TableSink run_troubled(const std::string& name, const Settings& settings = {}) {
  const ModelFile file = read_example(name, settings);
  return run_model(file.model, file.simulation);
}

inline bool mentions(const std::string& text, const std::string& word) {
  return text.find(word) != std::string::npos;
}

inline bool any_mentions(const std::vector<std::string>& texts, const std::string& word) {
  return std::any_of(texts.begin(), texts.end(),
                     [&](const std::string& text) { return mentions(text, word); });
}

inline double largest_of(const std::vector<double>& column, std::size_t first = 0) {
  double worst = 0;
  for (std::size_t i = first; i < column.size(); ++i) {
    if (!(std::abs(column[i]) <= worst)) worst = std::abs(column[i]);  // keeps NaN
  }
  return worst;
}

/// All energy that changed its kind or came in: Σ |ΔT| + |ΔV| + |ΔU| + |ΔW|.
inline double energy_turnover(const TableSink& table) {
  double sum = 0;
  for (const char* kind : {"kinetic", "gravity", "elastic", "external_work"}) {
    const std::vector<double>& column = table.column(std::string("energy.") + kind);
    for (std::size_t row = 1; row < column.size(); ++row) {
      sum += std::abs(column[row] - column[row - 1]);
    }
  }
  return sum;
}

/// What is stored, without what came in: it may only fall.
inline double own_energy(const TableSink& table, std::size_t row) {
  return table.at("energy.kinetic", row) + table.at("energy.gravity", row) +
         table.at("energy.elastic", row) - table.at("energy.external_work", row);
}

/// The largest rise of the own energy above any earlier value.
inline double energy_gain(const TableSink& table) {
  double lowest = own_energy(table, 0), gain = 0;
  for (std::size_t row = 1; row < table.rows(); ++row) {
    const double energy = own_energy(table, row);
    gain = std::max(gain, energy - lowest);
    lowest = std::min(lowest, energy);
  }
  return gain;
}

/// The largest energy there was.
inline double largest_energy(const TableSink& table) {
  double largest = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    largest = std::max(largest, std::abs(own_energy(table, row)));
  }
  return largest;
}

/// The first row in which the column has moved from its first value by more than `distance`.
inline std::size_t first_motion(const TableSink& table, const std::string& column,
                                double distance) {
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (std::abs(table.at(column, row) - table.at(column, 0)) > distance) return row;
  }
  return table.rows();
}

struct ContactPoint {
  std::string name;  ///< as in the columns
  double friction = 0;
};

/// The contact points of a compiled model.
inline std::vector<ContactPoint> contact_points(const Model& model) {
  const System system(model);
  std::vector<ContactPoint> points;
  const ContactPoints& contacts = system.elements().contacts;
  for (std::size_t i = 0; i < contacts.listed.size(); ++i) {
    const ContactLaw& law = contacts.law(contacts.listed[i]);
    points.push_back({contacts.listed_names[i], coefficient(law.friction, 0)});
  }
  return points;
}

inline std::string set_record(int every) {
  return fmt::format("/simulation/record={{\"every\": {}}}", every);
}

}  // namespace saltus::test
