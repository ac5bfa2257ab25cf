// SPDX-License-Identifier: Apache-2.0
/// Everything that a program needs to make a model, run it and use its results.
#pragma once

#include "saltus/core/input_error.hpp"
#include "saltus/core/threads.hpp"
#include "saltus/core/version.hpp"
#include "saltus/io/model_file.hpp"
#include "saltus/io/report.hpp"
#include "saltus/io/save.hpp"
#include "saltus/io/vtk_export.hpp"
#include "saltus/model/model.hpp"
#include "saltus/model/options.hpp"
#include "saltus/simulation/result.hpp"
#include "saltus/simulation/simulation.hpp"
