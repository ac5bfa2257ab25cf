// SPDX-License-Identifier: Apache-2.0
#include "saltus/model/frame.hpp"

#include "saltus/lie/so3.hpp"

namespace saltus {
namespace {

Matrix3 rotation_of(const std::optional<Quaternion>& orientation,
                    const std::optional<Vector3>& rotation_vector) {
  if (orientation) return orientation->normalized().toRotationMatrix();
  if (rotation_vector) return lie::so3::exp(*rotation_vector);
  return Matrix3::Identity();
}

}  // namespace

Matrix3 Pose::rotation() const { return rotation_of(orientation, rotation_vector); }

Matrix3 Frame::rotation() const { return rotation_of(orientation, rotation_vector); }

}  // namespace saltus
