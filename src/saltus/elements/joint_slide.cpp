// SPDX-License-Identifier: Apache-2.0
#include "saltus/elements/joint_slide.hpp"

namespace saltus {

JointSlide::Rows JointSlide::gradient(const NodePair& pair) const {
  Rows H = Rows::Zero();
  if (is_ball) {
    H.middleCols<3>(3) = -length * pair.A.R;
    H.middleCols<3>(9) = length * pair.B.R;
    return H;
  }
  if (displacement) H.row(0) = displacement->gradient(pair);
  if (angle) H.row(displacement ? 1 : 0) = length * angle->gradient(pair);
  return H;
}

}  // namespace saltus
