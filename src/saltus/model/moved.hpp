// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/model/model.hpp"

namespace saltus {

/// The model with all places of the inertial frame moved: bodies, frames on the ground, joints.
Model moved(Model model, const Vector3& by);

}  // namespace saltus
