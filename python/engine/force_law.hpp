// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "saltus/model/force.hpp"

namespace saltus::python {

/// A law that calls a function of Python; it holds the interpreter's lock only while it does.
/// @param name  of the force, for messages
ForceLaw python_law(pybind11::function function, const std::string& name);

/// What such a function is given.
void bind_frame_motion(pybind11::module_& module);

}  // namespace saltus::python
