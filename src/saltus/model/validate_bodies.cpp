// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <utility>

#include "saltus/model/mesh_surface.hpp"
#include "saltus/model/validate_parts.hpp"

namespace saltus {
namespace {

constexpr double tolerance = 1e-9;  // relative, for what users write with rounded numbers

std::string shown_list(const Vector3& v) {
  return fmt::format("{:.6g}, {:.6g}, {:.6g}", v[0], v[1], v[2]);
}

/// Principal moments that a body can have: positive, or those of a rod; and the sum of two is not
/// less than the third.
void check_moments(Vector3 moments, const Place& place, std::vector<Issue>& issues) {
  std::sort(moments.begin(), moments.end());
  const double largest = moments[2];
  const bool rod = std::abs(moments[0]) <= 1e-14 * largest && largest > 0 &&
                   largest - moments[1] <= tolerance * largest;
  if (moments[0] <= 1e-14 * largest && !rod) {
    issues.push_back({.place = place.text(),
                      .rule = "the inertia must be positive definite",
                      .value = "the principal moments " + shown_list(moments),
                      .remedy = "only a rod may have one zero: [0, I, I]"});
  } else if (moments[0] + moments[1] < largest * (1 - tolerance)) {
    issues.push_back({.place = place.text(),
                      .rule = "no body has such moments of inertia: the two smaller ones must add "
                              "up to at least the largest",
                      .value = shown_list(moments)});
  }
}

void check_tensor(const Matrix3& tensor, const Place& place, std::vector<Issue>& issues) {
  const double size = tensor.cwiseAbs().maxCoeff();
  const Matrix3 difference = (tensor - tensor.transpose()).cwiseAbs();
  int i = 0;
  int j = 0;
  if (difference.maxCoeff(&i, &j) > tolerance * size) {
    issues.push_back(
        {.place = place.text(),
         .rule = "must be symmetric",
         .value = fmt::format("{} in row {}, column {} and {} in row {}, column {}", tensor(i, j),
                              i + 1, j + 1, tensor(j, i), j + 1, i + 1)});
    return;
  }
  const Matrix3 symmetric = (tensor + tensor.transpose()) / 2;
  check_moments(Eigen::SelfAdjointEigenSolver<Matrix3>(symmetric).eigenvalues(), place, issues);
}

class CheckInertia {
 public:
  CheckInertia(const Place& at, std::vector<Issue>& found) : place(at), issues(found) {}

  void operator()(const SolidSphere&) const {}
  void operator()(const HollowSphere&) const {}
  void operator()(const SolidBox&) const {}
  void operator()(const SolidCylinder& c) const { check_direction(c.axis, place / "axis", issues); }
  void operator()(const SlenderRod& r) const { check_direction(r.axis, place / "axis", issues); }
  void operator()(const ExplicitInertia& e) const {
    if (e.moments.has_value() == e.tensor.has_value()) {
      issues.push_back({.place = place.text(),
                        .rule = "exactly one of \"moments\" and \"tensor\" must be given",
                        .value = e.moments ? "both" : "neither"});
    } else if (e.moments) {
      check_moments(*e.moments, place / "moments", issues);
    } else {
      check_tensor(*e.tensor, place / "tensor", issues);
    }
  }
  void operator()(const FromShape& from) const {
    if (from.density.has_value() == from.mass.has_value()) {
      issues.push_back({.place = place.text(),
                        .rule = "exactly one of \"density\" and \"mass\" must be given",
                        .value = from.mass ? "both" : "neither"});
    }
    const Place shape = place / "shape";
    const std::size_t before = issues.size();
    check_shape(from.shape, shape, issues);
    if (issues.size() > before) return;  // no mass for a reason that is told
    const bool has_volume = std::visit(
        []<class S>(const S& s) {
          if constexpr (std::is_same_v<S, Cylinder>) return s.length > 0;
          if constexpr (std::is_same_v<S, Convex>) return false;  // hulls are made later
          return requires { s.rounding; };
        },
        from.shape);
    if (const auto* mesh = std::get_if<MeshShape>(&from.shape)) check_rounding(*mesh, shape);
    if (has_volume) return;
    issues.push_back({.place = (shape / "type").text(),
                      .rule = "no mass can be taken from this shape",
                      .value = quoted(type_of(from.shape)),
                      .remedy = "use a sphere, capsule, box, cylinder, or a closed mesh whose "
                                "triangles are anticlockwise seen from outside"});
  }

 private:
  /// The ball that rolls on a hollow does not reach its corners: only of a convex surface the
  /// grown body is known.
  void check_rounding(const MeshShape& mesh, const Place& at) const {
    if (mesh.rounding == 0 || is_convex(mesh)) return;
    issues.push_back({.place = (at / "rounding").text(),
                      .rule = "of a mesh that is not convex a mass is taken without rounding only",
                      .value = shown(mesh.rounding),
                      .remedy = "leave the rounding out here, or write the inertia as explicit"});
  }

  const Place& place;
  std::vector<Issue>& issues;
};

struct CheckBody {
  const Place& place;
  std::vector<Issue>& issues;

  template <class Flexible>  // check_flexible_bodies knows them
  void operator()(const Flexible&) const {}

  void operator()(const RigidBody& body) const {
    const Place inertia = place / "inertia";
    std::visit(CheckInertia(inertia, issues), body.inertia);
    check_orientation(body.pose.orientation, body.pose.rotation_vector, place / "pose", issues);
  }

  void operator()(const PointMass& body) const {
    const char* const remedy = "leave it out, or use a rigid body";
    const char* const rule = "a point mass does not rotate";
    const Place pose = place / "pose";
    const Place velocity = place / "velocity";
    if (body.pose.orientation) {
      issues.push_back({.place = (pose / "orientation").text(), .rule = rule, .remedy = remedy});
    }
    if (body.pose.rotation_vector) {
      issues.push_back(
          {.place = (pose / "rotation_vector").text(), .rule = rule, .remedy = remedy});
    }
    if (!body.velocity.angular.isZero(0)) {
      issues.push_back({.place = (velocity / "angular").text(), .rule = rule, .remedy = remedy});
    }
  }
};

}  // namespace

void check_orientation(const std::optional<Quaternion>& orientation,
                       const std::optional<Vector3>& rotation_vector, const Place& place,
                       std::vector<Issue>& issues) {
  if (orientation && rotation_vector) {
    issues.push_back({.place = place.text(),
                      .rule = "at most one of \"orientation\" and \"rotation_vector\" may be given",
                      .value = "both"});
  }
  if (!orientation) return;
  const double length = orientation->norm();
  if (std::abs(length - 1) <= 1e-3) return;
  const Quaternion unit = orientation->normalized();
  issues.push_back({.place = (place / "orientation").text(),
                    .rule = "must be a unit quaternion",
                    .value = fmt::format("one of length {:.6g}", length),
                    .remedy = length > 0 ? fmt::format("write [{:.9g}, {:.9g}, {:.9g}, {:.9g}]",
                                                       unit.w(), unit.x(), unit.y(), unit.z())
                                         : "[1, 0, 0, 0] is no rotation"});
}

void check_direction(const Vector3& direction, const Place& place, std::vector<Issue>& issues) {
  if (direction.squaredNorm() > 0) return;
  issues.push_back({.place = place.text(),
                    .rule = "a direction must not be zero",
                    .value = "[0, 0, 0]",
                    .remedy = "give its direction, as in [0, 0, 1]"});
}

void check_bodies(const Model& model, std::vector<Issue>& issues) {
  const Place list("/model/bodies");
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    const Place place = list / i;
    std::visit(CheckBody{place, issues}, model.bodies[i]);
  }
}

}  // namespace saltus
