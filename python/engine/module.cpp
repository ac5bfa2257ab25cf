// SPDX-License-Identifier: Apache-2.0
// The module saltus._engine: what Python needs of the library, and no more. Models come as the text
// of model files; results go out as arrays.
#include <pybind11/stl.h>

#include "force_law.hpp"
#include "run.hpp"
#include "saltus/core/threads.hpp"
#include "saltus/core/version.hpp"
#include "saltus/io/report.hpp"
#include "saltus/io/vtk_export.hpp"

namespace saltus::python {
namespace py = pybind11;
namespace {

/// InputError and FileError as the package's own exceptions.
void raise(const char* name, const std::exception& error) {
  const py::object type = py::module_::import("saltus.errors").attr(name);
  PyErr_SetString(type.ptr(), error.what());
}

void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const InputError& error) {
    raise("InputError", error);
  } catch (const FileError& error) {
    raise("FileError", error);
  }
}

std::string resolved_model(const std::string& path, const std::vector<std::string>& settings) {
  return write_model(read_checked_model_file(path, settings).run);
}

}  // namespace

PYBIND11_MODULE(_engine, module) {
  module.doc() = "The engine of Saltus.";
  module.attr("version") = version();
  py::register_exception_translator(&translate);
  bind_frame_motion(module);
  bind_run(module);
  module.def("resolved_model", &resolved_model, py::arg("path"), py::arg("settings"),
             "The text of a model file after settings \"POINTER=VALUE\"; defaults are left out.");
  module.def("schema", &model_schema, "The JSON Schema of model files.");
  module.def("set_threads", &set_threads, py::arg("count"),
             "How many threads work on element loops.");
  module.def(
      "write_report",
      [](const std::string& directory) { return write_report(directory).path.string(); },
      py::arg("directory"));
  module.def(
      "export_vtk",
      [](const std::string& directory, std::size_t every) {
        return write_vtk(directory, every).path.string();
      },
      py::arg("directory"), py::arg("every"));
}

}  // namespace saltus::python
