// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <set>

#include "saltus/geometry/core_pair.hpp"
#include "saltus/geometry/mesh_core.hpp"
#include "saltus/geometry/nearest.hpp"
#include "saltus/lie/so3.hpp"
#include "tests/geometry/brute_force.hpp"
#include "tests/geometry/mesh_shapes.hpp"

namespace saltus::mesh_contacts_test {
namespace {

using mesh_shapes::Mesh;

ConvexCore core_of_mesh(const Mesh& mesh, double rounding = 0) {
  return mesh_core(mesh.vertices, mesh.triangles, rounding);
}

ConvexCore with_surface(ConvexCore core) {
  add_surface(core);
  return core;
}

/// The triangles of a core, without its rounding, and segments or points where it has none.
struct Soup {
  std::vector<std::array<Vector3, 3>> triangles = {};
};

Soup soup_of(const ConvexCore& core, const RelativePose& X) {
  Soup out;
  for (const MeshCore::Triangle& t : core.surface->triangles) {
    out.triangles.push_back({X.point(t.corners[0]), X.point(t.corners[1]), X.point(t.corners[2])});
  }
  const Polytope& p = core.polytope;
  if (!out.triangles.empty()) return out;
  const Vector3 a = X.point(p.vertices.front()), b = X.point(p.vertices.back());
  out.triangles.push_back({a, b, b});
  return out;
}

double to_triangle(const Vector3& x, const std::array<Vector3, 3>& t) {
  double least = 1e300;
  for (std::size_t k = 0; k < 3; ++k) {
    least = std::min(least, brute_force::distance_to_simplex(x, t[k], t[(k + 1) % 3]));
  }
  const Vector3 area = (t[1] - t[0]).cross(t[2] - t[0]);
  if (!(area.norm() > 0)) return least;
  const Vector3 n = area.normalized();
  for (std::size_t k = 0; k < 3; ++k) {
    if (n.cross(t[(k + 1) % 3] - t[k]).dot(x - t[k]) < 0) return least;
  }
  return std::min(least, std::abs(n.dot(x - t[0])));
}

/// Whether a segment goes through a triangle.
bool pierces(const Vector3& a, const Vector3& b, const std::array<Vector3, 3>& t) {
  const Vector3 n = (t[1] - t[0]).cross(t[2] - t[0]);
  const double from = n.dot(a - t[0]), to = n.dot(b - t[0]);
  if (!(from * to < 0)) return false;
  const Vector3 x = a + from / (from - to) * (b - a);
  for (std::size_t k = 0; k < 3; ++k) {
    if (n.cross(t[(k + 1) % 3] - t[k]).dot(x - t[k]) < 0) return false;
  }
  return true;
}

double between(const std::array<Vector3, 3>& s, const std::array<Vector3, 3>& t) {
  double least = 1e300;
  for (std::size_t k = 0; k < 3; ++k) {
    const Vector3 &a = s[k], &b = s[(k + 1) % 3];
    if (pierces(a, b, t) || pierces(t[k], t[(k + 1) % 3], s)) return 0;
    least = std::min({least, to_triangle(a, t), to_triangle(t[k], s)});
    for (std::size_t m = 0; m < 3; ++m) {
      const Vector3 &c = t[m], &d = t[(m + 1) % 3];
      least = std::min(least, brute_force::edge_distance(a, b - a, c, d - c));
    }
  }
  return least;
}

/// How often the triangles go round a point: 1 inside, 0 outside.
double winding(const Vector3& x, const Soup& soup) {
  double sum = 0;
  for (const auto& t : soup.triangles) {
    const Vector3 a = t[0] - x, b = t[1] - x, c = t[2] - x;
    const double la = a.norm(), lb = b.norm(), lc = c.norm();
    sum += 2 * std::atan2(a.dot(b.cross(c)),
                          la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
  }
  return sum / (4 * std::numbers::pi);
}

/// The distance of two surfaces, ≤ 0 if one body is in the other.
double true_distance(const ConvexCore& A, const ConvexCore& B, const RelativePose& X) {
  const Soup a = soup_of(A, {}), b = soup_of(B, X);
  double least = 1e300;
  const auto is_far = [&](const auto& s, const auto& t) {
    // Spheres about the first corners.
    const auto reach = [](const auto& c) {
      return std::max((c[1] - c[0]).norm(), (c[2] - c[0]).norm());
    };
    return (s[0] - t[0]).norm() - reach(s) - reach(t) > least;
  };
  for (const auto& s : a.triangles) {
    for (const auto& t : b.triangles) {
      if (!is_far(s, t)) least = std::min(least, between(s, t));
    }
  }
  const bool a_solid = !A.surface->triangles.empty(), b_solid = !B.surface->triangles.empty();
  if (b_solid && winding(a.triangles[0][0], b) > 0.5) return -least;
  if (a_solid && winding(b.triangles[0][0], a) > 0.5) return -least;
  return least;
}

struct Tally {
  int nears = 0, far = 0, missed = 0, deeper = 0, wrong = 0, overlaps = 0;
  int entered = 0, unseen = 0, ghosts = 0, passed = 0;
  double worst = 0;
};

/// A pose at which the two are near: pushed together from a random side until they almost touch.
class NearPoses {
 public:
  NearPoses(const ConvexCore& A, const ConvexCore& B, unsigned seed)
      : A_(A), B_(B), random_(seed) {}

  RelativePose next() {
    RelativePose X;
    X.R = random_() % 2 == 0 ? brute_force::random_rotation(random_) : square();
    std::uniform_real_distribution<double> part(-1, 1);
    const Vector3 place(part(random_), part(random_), part(random_));
    X.p = A_.centre - X.R * B_.centre + 0.75 * (A_.bound + B_.bound) * place;
    return X;
  }
  std::mt19937_64& random() { return random_; }

 private:
  /// Along the axes but for a little: faces and edges are nearly parallel.
  Matrix3 square() {
    constexpr double tilts[] = {0, 1e-13, 1e-9, 1e-5, 1e-2};
    Matrix3 quarter;
    quarter << 0, -1, 0, 1, 0, 0, 0, 0, 1;
    Matrix3 R = Matrix3::Identity();
    for (auto i = random_() % 4; i > 0; --i) R = quarter * R;
    if (random_() % 2 == 0) R = Vector3(1, -1, -1).asDiagonal() * R;
    return R * lie::so3::exp(Vector3(tilts[random_() % 5] * brute_force::random_vector(random_)));
  }
  const ConvexCore& A_;
  const ConvexCore& B_;
  std::mt19937_64 random_;
};

/// Where the two stand still and are apart: no gap is below the distance, and where features of
/// theirs are nearest the least gap is the distance.
void compare_reach(const CorePair& pair, const RelativePose& X, double distance, Tally& tally,
                   CoreSearchSpace& space) {
  const double size = pair.A().size + pair.B().size, reach = 0.05 * size;
  const double radii = pair.A().radius + pair.B().radius, truth = distance - radii;
  CorePairMemory memory;
  std::vector<CoreContact> found;
  pair.find({X, X, reach, 0}, memory, space, found);
  double least = 1e300;
  for (const CoreContact& c : found) {
    const Touch t = pair.form(c.index).touch(X);
    if (std::abs(t.gap - c.gap) > 1e-12 * size || pair.index(pair.ids(c.index)) != c.index) {
      ++tally.wrong;
    }
    least = std::min(least, c.gap);
  }
  if (least < truth - 1e-10 * size) ++tally.deeper;
  if (truth > reach || truth < 0) return;
  ++tally.nears;
  if (!(radii > 0)) return;  // sharp corners that pass each other have no contact
  if (found.empty()) {
    ++tally.missed;
  } else {
    tally.worst = std::max(tally.worst, std::abs(least - truth) / size);
  }
}

/// Where the two stand still.
void compare_still(const CorePair& pair, const RelativePose& X, double distance, Tally& tally,
                   CoreSearchSpace& space) {
  compare_reach(pair, X, distance, tally, space);
  // At one pose alone nothing that is apart seems to overlap.
  CorePairMemory memory;
  std::vector<CoreContact> found;
  pair.find(X, 0, memory, space, found);
  const bool is_apart = distance > pair.A().radius + pair.B().radius;
  const double size = pair.A().size + pair.B().size;
  if (is_apart &&
      std::ranges::any_of(found, [&](const auto& c) { return c.gap < -1e-10 * size; })) {
    ++tally.overlaps;
  }
}

/// A short way from a pose where the two are apart: if they overlap then, they touch; if they are
/// apart all the way, nothing is deeper than round-off of the way's turning.
void compare_way(const CorePair& pair, const RelativePose& from, const RelativePose& to,
                 Tally& tally, CoreSearchSpace& space) {
  const ConvexCore &A = pair.A(), &B = pair.B();
  const double size = A.size + B.size, radii = A.radius + B.radius;
  CorePairMemory memory;
  std::vector<CoreContact> found;
  pair.find({from, to, 0, 0}, memory, space, found);
  const double least = found.empty() ? 1e300 : found.front().gap;
  double deepest = least;
  for (const CoreContact& c : found) deepest = std::min(deepest, c.gap);
  if (true_distance(A, B, to) <= radii) {
    ++tally.entered;
    if (deepest > 0) ++tally.unseen;
    return;
  }
  if (deepest >= -1e-9 * size) return;
  for (int i = 1; i < 8; ++i) {
    const RelativePose X{from.R + i / 8.0 * (to.R - from.R), from.p + i / 8.0 * (to.p - from.p)};
    if (true_distance(A, B, X) <= radii) {
      ++tally.passed;  // through a corner: it is right to be stopped
      return;
    }
  }
  ++tally.ghosts;
}

Tally fuzz(const ConvexCore& A, const ConvexCore& B, unsigned seed, int usual) {
  const CorePair pair(A, B);
  NearPoses poses(A, B, seed);
  CoreSearchSpace space;
  Tally tally;
  const double size = std::min(A.size, B.size), radii = A.radius + B.radius;
  for (int i = brute_force::poses(usual); i > 0; --i) {
    RelativePose X = poses.next();
    double distance = true_distance(A, B, X);
    // Most poses are brought near: along a straight line by what is surely free.
    const Vector3 way = (A.centre - X.R * B.centre - X.p).normalized();
    for (int k = 0; k < 12 && distance > radii + 1e-3 * size; ++k) {
      X.p += (distance - radii - 5e-4 * size) * way;
      distance = true_distance(A, B, X);
    }
    if (distance <= radii) {
      ++tally.far;
      continue;
    }
    compare_still(pair, X, distance, tally, space);
    RelativePose to = X;
    to.p += 3e-3 * size * brute_force::random_vector(poses.random());
    to.R = lie::so3::exp(Vector3(3e-3 * brute_force::random_vector(poses.random()))) * X.R;
    compare_way(pair, X, to, tally, space);
  }
  fmt::print(
      "nears {} inside {} missed {} deeper {} wrong {} overlaps {} worst {:.1e}; entered {} unseen "
      "{} "
      "ghosts {} passed {}\n",
      tally.nears, tally.far, tally.missed, tally.deeper, tally.wrong, tally.overlaps, tally.worst,
      tally.entered, tally.unseen, tally.ghosts, tally.passed);
  return tally;
}

void expect_right(const ConvexCore& A, const ConvexCore& B, unsigned seed, int usual = 2000) {
  const Tally tally = fuzz(A, B, seed, usual);
  EXPECT_GT(tally.nears, usual / 10);
  EXPECT_GT(tally.entered, usual / 50);
  EXPECT_EQ(tally.missed, 0);
  EXPECT_EQ(tally.deeper, 0);
  EXPECT_EQ(tally.wrong, 0);
  EXPECT_EQ(tally.overlaps, 0);
  EXPECT_LE(tally.worst, 1e-10);
  EXPECT_EQ(tally.unseen, 0);
  EXPECT_EQ(tally.ghosts, 0);
}

TEST(MeshCore, FacesInOnePlaneAreOneAndEdgesGoFromCornerToCorner) {
  const ConvexCore L = core_of_mesh(mesh_shapes::l_profile());
  EXPECT_EQ(L.polytope.faces.size(), 8u);
  EXPECT_EQ(L.polytope.vertices.size(), 12u);
  EXPECT_EQ(L.polytope.edges.size(), 18u);
  const auto& convex = L.surface->is_convex_edge;
  EXPECT_EQ(std::count(convex.begin(), convex.end(), static_cast<char>(0)), 1);
  const auto& tips = L.surface->is_tip;
  EXPECT_EQ(std::count(tips.begin(), tips.end(), static_cast<char>(1)), 10);
  for (const Polytope::Face& f : L.polytope.faces) EXPECT_NEAR(f.normal.norm(), 1, 1e-15);
}

TEST(MeshCore, OfAFrameTheHoleHasFourWallsAndConcaveEdges) {
  const ConvexCore frame = core_of_mesh(mesh_shapes::frame());
  EXPECT_EQ(frame.polytope.faces.size(), 10u);
  EXPECT_EQ(frame.polytope.vertices.size(), 16u);
  EXPECT_EQ(frame.polytope.edges.size(), 24u);
  const auto& convex = frame.surface->is_convex_edge;
  EXPECT_EQ(std::count(convex.begin(), convex.end(), static_cast<char>(0)), 4);
}

TEST(MeshCore, OfATorusEveryTriangleIsSomewhere) {
  const Mesh torus = mesh_shapes::torus(1, 0.3, 24, 12);
  const ConvexCore core = core_of_mesh(torus);
  // Squares about the ring are trapezoids, and so flat.
  EXPECT_EQ(core.polytope.faces.size(), 24u * 12u);
  EXPECT_EQ(core.polytope.vertices.size(), torus.vertices.size());
  int concave = 0;
  for (const char is_convex : core.surface->is_convex_edge) concave += is_convex != 0 ? 0 : 1;
  EXPECT_GT(concave, 24 * 4);
  EXPECT_LT(concave, 24 * 8);
}

TEST(MeshContacts, SphereAndStair) {
  expect_right(with_surface(sphere_core(0.2)), core_of_mesh(mesh_shapes::stair()), 1);
}
TEST(MeshContacts, CapsuleAndUProfile) {
  expect_right(core_of_mesh(mesh_shapes::u_profile()),
               with_surface(capsule_core(0.1, 0.5, {1, 1, 0})), 2);
}
TEST(MeshContacts, BoxAndLProfile) {
  expect_right(core_of_mesh(mesh_shapes::l_profile()), with_surface(box_core({0.4, 0.3, 0.5}, 0)),
               3);
}
TEST(MeshContacts, RoundedBoxAndFrame) {
  expect_right(with_surface(box_core({0.2, 0.2, 0.6}, 0.03)), core_of_mesh(mesh_shapes::frame()),
               4);
}
TEST(MeshContacts, TwoUProfiles) {
  expect_right(core_of_mesh(mesh_shapes::u_profile()), core_of_mesh(mesh_shapes::u_profile()), 5,
               600);
}
TEST(MeshContacts, RoundedLProfileAndStair) {
  expect_right(core_of_mesh(mesh_shapes::l_profile(), 0.02), core_of_mesh(mesh_shapes::stair()), 6,
               600);
}

/// The distance from a round core to a triangle: that from a point is convex, so that the least is
/// found along one side, and across it.
double to_round(const ConvexCore& round, const std::array<Vector3, 3>& t) {
  constexpr int steps = 45;
  constexpr double shrink = 0.6180339887498949;
  const auto least = [](const auto& f) {
    double a = 0, b = 1;
    for (int i = 0; i < steps; ++i) {
      const double c = b - shrink * (b - a), d = a + shrink * (b - a);
      (f(c) < f(d) ? b : a) = f(c) < f(d) ? d : c;
    }
    return std::min({f((a + b) / 2), f(0.0), f(1.0)});
  };
  return least([&](double u) {
    const Vector3 a = t[0] + u * (t[1] - t[0]), b = t[0] + u * (t[2] - t[0]);
    return least([&](double v) { return nearest(round, a + v * (b - a)).distance; });
  });
}

TEST(MeshContacts, CylinderAndLProfile) {
  const ConvexCore R = round_core({.half_length = 0.3, .radius = {0.15, 0.15}}, 0);
  const ConvexCore M = core_of_mesh(mesh_shapes::l_profile());
  const CorePair pair(R, M);
  NearPoses poses(R, M, 7);
  CoreSearchSpace space;
  CorePairMemory memory;
  const double size = R.size + M.size, reach = 0.05 * size;
  int nears = 0, deeper = 0, faces = 0;
  for (int i = brute_force::poses(300); i > 0; --i) {
    RelativePose X = poses.next();
    const auto distance_at = [&] {
      double least = 1e300;
      for (const auto& t : soup_of(M, X).triangles) least = std::min(least, to_round(R, t));
      return least;
    };
    const Vector3 way = (R.centre - X.R * M.centre - X.p).normalized();
    double distance = distance_at();
    for (int k = 0; k < 4 && distance > 1e-2 * size; ++k) {
      X.p += (distance - 5e-3 * size) * way;
      distance = distance_at();
    }
    if (distance < 1e-4 * size || distance > reach) continue;
    ++nears;
    std::vector<CoreContact> found;
    pair.find({X, X, reach, 0}, memory, space, found);
    double least = 1e300;
    for (const CoreContact& c : found) least = std::min(least, c.gap);
    // The search for the truth stops at 1e-7 of the lengths.
    if (least < distance - 1e-6 * size) ++deeper;
    // Where a face is nearest, there is a gap as large as the distance.
    if (std::abs(least - distance) < 1e-6 * size) ++faces;
  }
  EXPECT_GT(nears, 50);
  EXPECT_EQ(deeper, 0);
  EXPECT_GT(faces, nears / 2);
  fmt::print("{} near, {} deeper, {} met\n", nears, deeper, faces);
}

TEST(MeshContacts, SearchAfterTheFirstAllocatesNoLongerLists) {
  const ConvexCore A = core_of_mesh(mesh_shapes::u_profile());
  const CorePair pair(A, A);
  CoreSearchSpace space;
  CorePairMemory memory;
  std::vector<CoreContact> found;
  const RelativePose X{Matrix3::Identity(), {0.4, 0, 0.4}};
  pair.find({X, X, 0.01, 0}, memory, space, found);
  ASSERT_FALSE(found.empty());
  const auto candidates = space.mesh_candidates.capacity(), faces = space.faces.capacity();
  for (int i = 0; i < 100; ++i) {
    found.clear();
    pair.find({X, X, 0.01, 0}, memory, space, found);
  }
  EXPECT_EQ(space.mesh_candidates.capacity(), candidates);
  EXPECT_EQ(space.faces.capacity(), faces);
}

TEST(MeshContacts, WorkIsThatOfWhatIsNear) {
  // A ball on one of 80000 triangles.
  const Mesh torus = mesh_shapes::torus(1, 0.3, 400, 100);
  const ConvexCore M = core_of_mesh(torus), ball = with_surface(sphere_core(0.05));
  const CorePair pair(ball, M);
  CoreSearchSpace space;
  CorePairMemory memory;
  std::vector<CoreContact> found;
  const RelativePose X{Matrix3::Identity(), {-1, 0, -0.35}};
  pair.find({X, X, 1e-4, 0}, memory, space, found);
  EXPECT_FALSE(found.empty());
  EXPECT_LT(found.size(), 30u);
  EXPECT_LT(space.mesh_candidates.size(), 100u);
}

// The cells say what is inside, the triangles how far the surface is.
TEST(DepthInside, IsTheDistanceToTheSurfaceForWhatIsInside) {
  const ConvexCore L =
      core_of_mesh(mesh_shapes::l_profile());  // cells of 0.5: two along x, one on top
  const auto inside = [](const Vector3& x) {
    const bool lower = x.x() > 0 && x.x() < 1 && x.z() > 0 && x.z() < 0.5;
    const bool upper = x.x() > 0 && x.x() < 0.5 && x.z() > 0 && x.z() < 1;
    return x.y() > 0 && x.y() < 0.5 && (lower || upper);
  };
  const Soup soup = soup_of(L, {});
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> place(-0.2, 1.2);
  int count = 0;
  for (int sample = 0; sample < 2000; ++sample) {
    const Vector3 x(place(generator), place(generator), place(generator));
    double least = 1e300;
    for (const auto& t : soup.triangles) least = std::min(least, to_triangle(x, t));
    count += inside(x) ? 1 : 0;
    EXPECT_NEAR(depth_inside(L, x), inside(x) ? least : 0, 1e-12) << x.transpose();
  }
  EXPECT_GT(count, 100);
  EXPECT_NEAR(depth_inside(L, {0.25, 0.25, 0.0}), 0, 1e-12);  // on it
}

TEST(DepthInside, OfConvexCoresIsThatOfTheNearestFace) {
  const ConvexCore box = box_core({1, 2, 3}, 0.1);
  EXPECT_NEAR(depth_inside(box, {0.3, 0.1, 0.2}), 0.2, 1e-15);
  EXPECT_EQ(depth_inside(box, {0.6, 0, 0}), 0);
}

}  // namespace
}  // namespace saltus::mesh_contacts_test
