// SPDX-License-Identifier: Apache-2.0
#include "run.hpp"

#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <string_view>

#include "force_law.hpp"
#include "saltus/core/threads.hpp"
#include "saltus/io/event_table.hpp"
#include "saltus/io/force_table.hpp"
#include "saltus/io/impact_table.hpp"
#include "saltus/io/save.hpp"
#include "saltus/io/summary.hpp"

namespace saltus::python {
namespace py = pybind11;
namespace {

Model with_laws(const Model& model, const std::map<std::string, py::function>& laws) {
  Model out = model;
  for (ForceElement& force : out.forces) {
    UserForce* user = std::get_if<UserForce>(&force);
    if (user == nullptr) continue;
    const auto law = laws.find(user->name);
    if (law != laws.end()) user->law = python_law(law->second, user->name);
  }
  return out;
}

/// NumPy's type of a row of such a table; without gaps, as the rows are packed.
py::dtype row_type(std::span<const io::TableColumn> columns, std::size_t name_bytes) {
  using Kind = io::TableColumn::Kind;
  py::list fields;
  for (const io::TableColumn& column : columns) {
    const auto text = [](std::size_t bytes) { return "S" + std::to_string(bytes); };
    const std::string kind = column.kind == Kind::Number  ? "<f8"
                             : column.kind == Kind::Count ? "<i4"
                             : column.kind == Kind::Long  ? "<i8"
                             : column.kind == Kind::Word  ? text(io::TableColumn::longest_word)
                                                          : text(name_bytes);
    fields.append(py::make_tuple(column.name, kind));
  }
  return py::dtype::from_args(fields);
}

py::array read_only(py::array array) {
  py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return array;
}

template <class Row, class Put>
py::array table(const std::vector<Row>& rows, std::span<const io::TableColumn> columns,
                const Put& put) {
  std::size_t name_bytes = 1;
  for (const Row& row : rows) name_bytes = std::max(name_bytes, row.contact.size());
  py::array out(row_type(columns, name_bytes), static_cast<py::ssize_t>(rows.size()));
  io::TableRow packed(columns, name_bytes);
  char* place = static_cast<char*>(out.mutable_data());
  for (const Row& row : rows) {
    put(packed, row);
    const std::span<const char> bytes = packed.bytes();
    std::memcpy(place, bytes.data(), bytes.size());
    place += bytes.size();
  }
  return read_only(out);
}

}  // namespace

Run::Run(const CheckedRun& run, const std::map<std::string, py::function>& laws, py::object log) {
  LogSink sink;
  if (!log.is_none()) {
    sink = [log](LogLevel level, std::string_view text) {
      const py::gil_scoped_acquire lock;
      log(level == LogLevel::Warning ? "warning" : "info", py::str(text.data(), text.size()));
    };
  }
  simulation_ = laws.empty() ? std::make_unique<Simulation>(run, sink)
                             : std::make_unique<Simulation>(with_laws(run.model().given(), laws),
                                                            run.options(), sink);
  simulation_->on_step([this](const Progress& progress) { return after_step(progress); });
}

/// Listens to Python's signals (Ctrl-C) a few times a second, and tells who wants to know.
bool Run::after_step(const Progress& progress) {
  bool go_on = true;
  const Clock::time_point now = Clock::now();
  const bool look = now - last_look_ >= std::chrono::milliseconds(100) || progress.fraction >= 1;
  if (!look && hear_step_.is_none()) return true;
  const py::gil_scoped_acquire lock;
  if (look) {
    last_look_ = now;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    if (!hear_progress_.is_none()) hear_progress_(progress.time, progress.fraction, progress.steps);
  }
  if (!hear_step_.is_none()) {
    const py::object answer = hear_step_(progress.time, progress.fraction, progress.steps);
    const bool is_bool = py::isinstance<py::bool_>(answer) ||
                         std::strcmp(Py_TYPE(answer.ptr())->tp_name, "numpy.bool_") == 0;
    go_on = !is_bool || answer.cast<bool>();
  }
  return go_on;
}

void Run::run() {
  const py::gil_scoped_release unlocked;
  simulation_->run();
}

void Run::run_until(double time) {
  const py::gil_scoped_release unlocked;
  simulation_->run_until(time);
}

void Run::on_step(py::object hear) { hear_step_ = std::move(hear); }
void Run::on_progress(py::object hear) { hear_progress_ = std::move(hear); }

void Run::on_impact(py::object hear) {
  if (hear.is_none()) return simulation_->on_impact({});
  simulation_->on_impact([hear](const Impact& impact) {
    const py::gil_scoped_acquire lock;
    hear(impact);
  });
}

std::string Run::model_text() const { return saltus::model_text(*simulation_); }
std::string Run::summary_json() const {
  return io::make_summary({.threads = threads()}, simulation_->result().report()).dump();
}
std::string Run::summary() const { return simulation_->result().report().summary(); }

py::list Run::columns() const {
  py::list list;
  for (const Channel& column : simulation_->result().columns()) {
    list.append(py::make_tuple(column.name, column.unit, column.description));
  }
  return list;
}

py::list Run::owners() const {
  std::map<std::string_view, const PointColliders*> points;
  for (const PointColliders& point : simulation_->layout().points) {
    points.emplace(point.point, &point);
  }
  py::list list;
  for (const Channel& column : simulation_->result().columns()) {
    const Owner& owner = column.owner;
    const auto point = points.find(owner.name);
    const bool has_colliders = owner.kind == OwnerKind::Points && point != points.end();
    list.append(py::make_tuple(EnumNames<OwnerKind>::names[static_cast<int>(owner.kind)],
                               owner.name, has_colliders ? point->second->first : "",
                               has_colliders ? point->second->second : ""));
  }
  return list;
}

py::array Run::values() const {
  const Result& result = simulation_->result();
  const auto rows = static_cast<py::ssize_t>(result.rows());
  const auto width = static_cast<py::ssize_t>(result.columns().size());
  auto* kept = new std::shared_ptr<const double[]>(result.values());
  const py::capsule owner(kept,
                          [](void* p) { delete static_cast<std::shared_ptr<const double[]>*>(p); });
  return read_only(py::array_t<double>({rows, width}, kept->get(), owner));
}

py::array Run::events() const {
  return table(simulation_->result().events(), io::event_columns, io::put_event);
}

py::array Run::forces() const {
  return table(simulation_->result().forces(), io::force_columns, io::put_force);
}

py::array Run::impacts() const {
  return table(simulation_->result().impacts(), io::impact_columns, io::put_impact);
}

py::array Run::impact_paths() const {
  struct Moment {
    const ImpactRow* impact;
    const ImpactMoment* moment;
    const std::string& contact;
  };
  std::vector<Moment> moments;
  for (const ImpactRow& row : simulation_->result().impacts()) {
    for (const ImpactMoment& moment : row.path) moments.push_back({&row, &moment, moment.contact});
  }
  return table(moments, io::path_columns, [](io::TableRow& row, const Moment& m) {
    io::put_moment(row, *m.impact, *m.moment);
  });
}

py::tuple Run::modes() const {
  const ModeTable& table = simulation_->result().modes();
  std::vector<std::string> names;
  for (const Channel& column : table.columns) names.push_back(column.name);
  py::array_t<double> values({table.rows(), table.columns.size()});
  std::copy(table.values.begin(), table.values.end(), values.mutable_data());
  return py::make_tuple(names, values);
}

void Run::save(const std::string& directory, bool overwrite) const {
  saltus::save(simulation_->result(), directory,
               overwrite ? ForeignFiles::Overwrite : ForeignFiles::Refuse);
}

void bind_run(py::module_& module) {
  py::class_<Impact>(module, "Impact",
                     "An impact. Vectors are (n, t1, t2) in the contact's frame: n from the first "
                     "to the second collider, impulses on the second.")
      .def_readonly("time", &Impact::time, "(s)")
      .def_readonly("contact", &Impact::contact, "name of the contact point")
      .def_readonly("order", &Impact::order, "of impacts inside a step")
      .def_readonly("impulse", &Impact::impulse, "(N s)")
      .def_readonly("before", &Impact::before, "relative velocity before it (m/s)")
      .def_readonly("after", &Impact::after, "relative velocity after it (m/s)")
      .def_readonly("energy_lost", &Impact::energy_lost, "(J)")
      .def("__repr__", [](const Impact& impact) {
        return "<impact of " + impact.contact + " at t = " + std::to_string(impact.time) + " s, " +
               std::to_string(impact.impulse.x()) + " N s>";
      });
  py::class_<Run>(module, "Run")
      .def(py::init([](const std::string& text, const std::string& name,
                       const std::map<std::string, py::function>& laws, const py::object& log) {
             return std::make_unique<Run>(parse_checked_model(text, name).run, laws, log);
           }),
           py::arg("text"), py::arg("name"), py::arg("laws"), py::arg("log"))
      .def("run", &Run::run)
      .def("run_until", &Run::run_until, py::arg("time"))
      .def("on_impact", &Run::on_impact, py::arg("hear"))
      .def("on_step", &Run::on_step, py::arg("hear"))
      .def("on_progress", &Run::on_progress, py::arg("hear"))
      .def("model_text", &Run::model_text)
      .def("summary_json", &Run::summary_json)
      .def("summary", &Run::summary)
      .def("time", &Run::time)
      .def("columns", &Run::columns)
      .def("owners", &Run::owners)
      .def("values", &Run::values)
      .def("events", &Run::events)
      .def("forces", &Run::forces)
      .def("impacts", &Run::impacts)
      .def("impact_paths", &Run::impact_paths)
      .def("modes", &Run::modes)
      .def("save", &Run::save, py::arg("directory"), py::arg("overwrite"));
}

}  // namespace saltus::python
