// SPDX-License-Identifier: Apache-2.0
#include "force_law.hpp"

#include <fmt/format.h>
#include <pybind11/eigen.h>

#include <memory>
#include <utility>

namespace saltus::python {
namespace py = pybind11;
namespace {

[[noreturn]] void refuse(const std::string& name, const py::object& answer) {
  throw py::type_error(fmt::format(
      "the law of force \"{}\" must return three numbers, the force, or (force, torque); got {}",
      name, std::string(py::repr(answer))));
}

/// The force at the second frame's origin, or (force, torque).
Wrench read_wrench(const py::object& answer, const std::string& name) {
  Wrench w;
  try {
    if (py::len(answer) == 2) {
      w.force = answer[py::int_(0)].cast<Vector3>();
      w.torque = answer[py::int_(1)].cast<Vector3>();
    } else {
      w.force = answer.cast<Vector3>();
    }
  } catch (const py::cast_error&) {
    refuse(name, answer);
  } catch (const py::error_already_set&) {  // it has no length
    refuse(name, answer);
  }
  return w;
}

/// Copies and destroys a Python object with the lock, wherever that happens.
class Shared {
 public:
  explicit Shared(py::function function)
      : function_(new py::function(std::move(function)), [](py::function* f) {
          const py::gil_scoped_acquire lock;
          delete f;
        }) {}
  const py::function& operator*() const { return *function_; }

 private:
  std::shared_ptr<py::function> function_;
};

}  // namespace

ForceLaw python_law(py::function function, const std::string& name) {
  return [law = Shared(std::move(function)), name](double time, const FrameMotion& first,
                                                   const FrameMotion& second) {
    const py::gil_scoped_acquire lock;
    return read_wrench((*law)(time, py::cast(first), py::cast(second)), name);
  };
}

void bind_frame_motion(py::module_& module) {
  py::class_<FrameMotion>(module, "FrameMotion",
                          "Where a frame is and how it moves, in the inertial frame.")
      .def_readonly("position", &FrameMotion::position, "of its origin (m)")
      .def_readonly("rotation", &FrameMotion::rotation,
                    "matrix from the frame's axes to the inertial ones")
      .def_readonly("velocity", &FrameMotion::velocity, "of its origin (m/s)")
      .def_readonly("angular_velocity", &FrameMotion::angular_velocity, "(rad/s)");
}

}  // namespace saltus::python
