// SPDX-License-Identifier: Apache-2.0
#include "saltus/elements/primitives.hpp"

#include <cmath>

#include "saltus/lie/so3.hpp"

namespace saltus {

using lie::hat;

namespace {

// Rows and columns of the two nodes' unknowns in a local vector.
constexpr int x_A = 0, Th_A = 3, x_B = 6, Th_B = 9;

}  // namespace

// ---- Dot1 -------------------------------------------------------------------------------------

double Dot1::value(const NodePair& pair) const { return (pair.A.R * a).dot(pair.B.R * b); }

Row12 Dot1::gradient(const NodePair& pair) const {
  const Vector3 alpha = pair.A.R.transpose() * (pair.B.R * b);
  const Vector3 beta = pair.B.R.transpose() * (pair.A.R * a);
  Row12 G = Row12::Zero();
  G.segment<3>(Th_A) = a.cross(alpha).transpose();
  G.segment<3>(Th_B) = b.cross(beta).transpose();
  return G;
}

void Dot1::add_hessian(const NodePair& pair, double factor, Matrix12& H) const {
  const Matrix3 Q = pair.A.R.transpose() * pair.B.R;
  const Matrix3 a_hat = hat(a), b_hat = hat(b);
  const Matrix3 AB = -factor * a_hat * Q * b_hat;
  H.block<3, 3>(Th_A, Th_A) += factor * a_hat * hat(Q * b);
  H.block<3, 3>(Th_A, Th_B) += AB;
  H.block<3, 3>(Th_B, Th_B) += factor * b_hat * hat(Q.transpose() * a);
  H.block<3, 3>(Th_B, Th_A) += AB.transpose();  // −b̂ Qᵀ â
}

// ---- Dot2 -------------------------------------------------------------------------------------

double Dot2::value(const NodePair& pair) const {
  const Vector3 r = pair.B.x + pair.B.R * d_B - pair.A.x - pair.A.R * d_A;
  return (pair.A.R * a).dot(r);
}

Row12 Dot2::gradient(const NodePair& pair) const {
  const Vector3 n = pair.A.R * a;
  const Vector3 y = pair.A.R.transpose() * (pair.B.x + pair.B.R * d_B - pair.A.x);
  const Vector3 beta = pair.B.R.transpose() * n;
  Row12 G;
  G.segment<3>(x_A) = -n.transpose();
  G.segment<3>(Th_A) = a.cross(y).transpose();
  G.segment<3>(x_B) = n.transpose();
  G.segment<3>(Th_B) = d_B.cross(beta).transpose();
  return G;
}

void Dot2::add_hessian(const NodePair& pair, double factor, Matrix12& H) const {
  const Matrix3 Q = pair.A.R.transpose() * pair.B.R;
  const Vector3 y = pair.A.R.transpose() * (pair.B.x + pair.B.R * d_B - pair.A.x);
  const Matrix3 a_hat = factor * hat(a);
  const Matrix3 R_a = pair.A.R * a_hat;
  const Matrix3 AB = -a_hat * Q * hat(d_B);
  H.block<3, 3>(x_A, Th_A) += R_a;
  H.block<3, 3>(x_B, Th_A) -= R_a;
  H.block<3, 3>(Th_A, x_A) += R_a.transpose();  // −â R_Aᵀ
  H.block<3, 3>(Th_A, x_B) -= R_a.transpose();
  H.block<3, 3>(Th_A, Th_A) += a_hat * hat(y);
  H.block<3, 3>(Th_A, Th_B) += AB;
  H.block<3, 3>(Th_B, Th_A) += AB.transpose();  // −d̂_B Qᵀ â
  H.block<3, 3>(Th_B, Th_B) += factor * hat(d_B) * hat(Q.transpose() * a);
}

// ---- PointDifference --------------------------------------------------------------------------

Vector3 PointDifference::value(const NodePair& pair) const {
  return pair.B.x + pair.B.R * d_B - pair.A.x - pair.A.R * d_A;
}

Eigen::Matrix<double, 3, 12> PointDifference::gradient(const NodePair& pair) const {
  Eigen::Matrix<double, 3, 12> G;
  G.block<3, 3>(0, x_A) = -Matrix3::Identity();
  G.block<3, 3>(0, Th_A) = pair.A.R * hat(d_A);
  G.block<3, 3>(0, x_B) = Matrix3::Identity();
  G.block<3, 3>(0, Th_B) = -pair.B.R * hat(d_B);
  return G;
}

void PointDifference::add_hessian(const NodePair& pair, const Vector3& lambda, Matrix12& H) const {
  H.block<3, 3>(Th_A, Th_A) -= hat(d_A) * hat(pair.A.R.transpose() * lambda);
  H.block<3, 3>(Th_B, Th_B) += hat(d_B) * hat(pair.B.R.transpose() * lambda);
}

Eigen::Matrix<double, 3, 12> PointDifference::rate_gradient(const NodePair& pair,
                                                            const Vector12& v) const {
  Eigen::Matrix<double, 3, 12> V = Eigen::Matrix<double, 3, 12>::Zero();
  V.block<3, 3>(0, Th_A) = -pair.A.R * hat(d_A.cross(v.segment<3>(Th_A)));
  V.block<3, 3>(0, Th_B) = pair.B.R * hat(d_B.cross(v.segment<3>(Th_B)));
  return V;
}

// ---- PointDistance ----------------------------------------------------------------------------

double PointDistance::value(const NodePair& pair) const {
  return PointDifference{d_A, d_B}.value(pair).norm();
}

Row12 PointDistance::gradient(const NodePair& pair) const {
  const PointDifference difference{d_A, d_B};
  return difference.value(pair).normalized().transpose() * difference.gradient(pair);
}

void PointDistance::add_hessian(const NodePair& pair, double factor, Matrix12& H) const {
  const PointDifference difference{d_A, d_B};
  const Vector3 r = difference.value(pair);
  const double l = r.norm();
  if (l == 0) return;  // no direction, as in gradient(): zero rather than not a number
  const Vector3 n = r / l;
  const Eigen::Matrix<double, 3, 12> J = difference.gradient(pair);
  const Eigen::Matrix<double, 3, 12> PJ = J - n * (n.transpose() * J);  // (I − n nᵀ) J
  difference.add_hessian(pair, factor * n, H);
  H.noalias() += (factor / l) * J.transpose() * PJ;
}

// ---- TwistAngle -------------------------------------------------------------------------------

double TwistAngle::value(const NodePair& pair) const {
  const Vector3 b = pair.A.R.transpose() * (pair.B.R * b1);
  return std::atan2(a2.dot(b), a1.dot(b));
}

Row12 TwistAngle::gradient(const NodePair& pair) const {
  const Dot1 sine{a2, b1}, cosine{a1, b1};
  const double s = sine.value(pair), c = cosine.value(pair), w = s * s + c * c;
  return (c * sine.gradient(pair) - s * cosine.gradient(pair)) / w;
}

void TwistAngle::add_hessian(const NodePair& pair, double factor, Matrix12& H) const {
  const Dot1 sine{a2, b1}, cosine{a1, b1};
  const double s = sine.value(pair), c = cosine.value(pair), w = s * s + c * c;
  const Row12 G_s = sine.gradient(pair), G_c = cosine.gradient(pair);
  const Row12 G = (c * G_s - s * G_c) / w;
  const Row12 dw = 2 * (c * G_c + s * G_s);
  sine.add_hessian(pair, factor * c / w, H);
  cosine.add_hessian(pair, -factor * s / w, H);
  H.noalias() += (factor / w) * (G_s.transpose() * G_c - G_c.transpose() * G_s);
  H.noalias() -= (factor / w) * G.transpose() * dw;
}

}  // namespace saltus
