// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "saltus/io/model_file.hpp"
#include "saltus/simulation/simulation.hpp"

namespace saltus::python {

/// A simulation as Python sees it: made from the text of a model, results as arrays.
class Run {
 public:
  /// @param laws  of forces of type "user", by their names
  Run(const CheckedRun& run, const std::map<std::string, pybind11::function>& laws,
      pybind11::object log);

  void run();
  void run_until(double time);
  void on_impact(pybind11::object hear);
  void on_step(pybind11::object hear);
  void on_progress(pybind11::object hear);

  /// The text of the model file, and what `summary.json` and people are told.
  std::string model_text() const;
  std::string summary_json() const;
  std::string summary() const;
  double time() const { return simulation_->state().time; }

  /// (name, unit, description) of every column.
  pybind11::list columns() const;
  /// Of each column: kind and name of its owner, and of a contact point its two colliders.
  pybind11::list owners() const;
  /// One row a record: a view of the simulation's own memory, read-only.
  pybind11::array values() const;
  /// Tables with named columns, as in results.h5.
  pybind11::array events() const;
  pybind11::array forces() const;
  pybind11::array impacts() const;
  pybind11::array impact_paths() const;
  /// Names and values of the table of modes.
  pybind11::tuple modes() const;

  void save(const std::string& directory, bool overwrite) const;

 private:
  using Clock = std::chrono::steady_clock;
  bool after_step(const Progress& progress);

  std::unique_ptr<Simulation> simulation_;
  pybind11::object hear_step_ = pybind11::none(), hear_progress_ = pybind11::none();
  Clock::time_point last_look_ = {};
};

void bind_run(pybind11::module_& module);

}  // namespace saltus::python
