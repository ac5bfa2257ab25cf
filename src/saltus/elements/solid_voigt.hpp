// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/model/types.hpp"

namespace saltus::solid {

// Symmetric tensors as vectors 11, 22, 33, 12, 23, 13. The shear of a strain is doubled there, that
// of a stress is not: their scalar product is the work.

inline Vector6 stress_vector(const Matrix3& S) {
  Vector6 s;
  s << S(0, 0), S(1, 1), S(2, 2), S(0, 1), S(1, 2), S(0, 2);
  return s;
}
inline Matrix3 stress_tensor(const Vector6& s) {
  Matrix3 S;
  S << s[0], s[3], s[5], s[3], s[1], s[4], s[5], s[4], s[2];
  return S;
}

/// Of the symmetric part of E.
inline Vector6 strain_vector(const Matrix3& E) {
  Vector6 e;
  e << E(0, 0), E(1, 1), E(2, 2), E(0, 1) + E(1, 0), E(1, 2) + E(2, 1), E(0, 2) + E(2, 0);
  return e;
}
inline Matrix3 strain_tensor(const Vector6& e) {
  Vector6 s = e;
  s.tail<3>() /= 2;
  return stress_tensor(s);
}

/// S = λ tr(E) 1 + 2μE, docs/theory/solids.md (2).
inline Vector6 elastic_stress(double lambda, double mu, const Vector6& e) {
  Vector6 s;
  s.head<3>() = (2 * mu * e.head<3>()).array() + lambda * e.head<3>().sum();
  s.tail<3>() = mu * e.tail<3>();
  return s;
}

/// The same as a matrix.
inline Matrix6 elasticity(double lambda, double mu) {
  Matrix6 C;
  for (int i = 0; i < 6; ++i) C.col(i) = elastic_stress(lambda, mu, Vector6::Unit(i));
  return C;
}

}  // namespace saltus::solid
