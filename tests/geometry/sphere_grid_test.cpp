// SPDX-License-Identifier: Apache-2.0
#include "saltus/geometry/sphere_grid.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <functional>
#include <limits>
#include <string>

#include "tests/support/allocation_counter.hpp"
#include "tests/support/random.hpp"

namespace saltus::test {
namespace sphere_grid_test {

using Pairs = std::vector<std::pair<int, int>>;

struct Cloud {
  std::vector<Vector3> centres;
  std::vector<double> radii;

  void add(const Vector3& centre, double radius) {
    centres.push_back(centre);
    radii.push_back(radius);
  }
  int size() const { return static_cast<int>(radii.size()); }
};

Pairs grid_pairs(const Cloud& cloud) {
  SphereGrid grid;
  Pairs pairs;
  grid.find_pairs(cloud.centres, cloud.radii, pairs);
  return pairs;
}

Pairs all_pairs(const Cloud& cloud) {
  Pairs pairs;
  for (int i = 0; i < cloud.size(); ++i)
    for (int j = i + 1; j < cloud.size(); ++j) {
      const double reach = cloud.radii[i] + cloud.radii[j];
      if ((cloud.centres[i] - cloud.centres[j]).squaredNorm() <= reach * reach)
        pairs.emplace_back(i, j);
    }
  return pairs;
}

/// Spheres of radius ½ that touch along the axes; all numbers are exact.
Cloud cubic_packing(int edge) {
  Cloud cloud;
  for (int i = 0; i < edge; ++i)
    for (int j = 0; j < edge; ++j)
      for (int k = 0; k < edge; ++k) cloud.add(Vector3(i, j, k), 0.5);
  return cloud;
}

// -------------------------------------------------------------------------------------------------
// Against all pairs

using Sampler = std::function<void(Random&, Cloud&)>;  // adds one sphere

struct CloudCase {
  std::string name;
  Sampler add_sphere;
};

void PrintTo(const CloudCase& c, std::ostream* stream) { *stream << c.name; }  // NOLINT: gtest's

/// A size between 10^low and 10^high.
double size_between(Random& random, double low, double high) {
  return std::pow(10, random.uniform(low, high));
}

const std::vector<CloudCase> clouds = {
    {"Uniform", [](Random& r, Cloud& cloud) { cloud.add(r.vector(), r.uniform(0.04, 0.12)); }},
    {"OfOneSize", [](Random& r, Cloud& cloud) { cloud.add(r.vector(), 0.08); }},
    {"Sparse", [](Random& r, Cloud& cloud) { cloud.add(r.vector(1e6), r.uniform(0, 1e5)); }},
    {"Dense", [](Random& r, Cloud& cloud) { cloud.add(r.vector(), r.uniform(0.2, 1)); }},
    {"Clustered",
     [](Random& r, Cloud& cloud) {
       const Vector3 centre(cloud.size() % 7, cloud.size() % 3, cloud.size() % 5);
       cloud.add(100 * centre + r.vector(0.1), r.uniform(0.005, 0.02));
     }},
    {"SizesOverSixDecades",
     [](Random& r, Cloud& cloud) { cloud.add(r.vector(), size_between(r, -6, 0)); }},
    {"SizesAndDistancesOverSixDecades",
     [](Random& r, Cloud& cloud) {
       cloud.add(r.direction() * size_between(r, -6, 0), size_between(r, -7, -1));
     }},
    {"AFewLargeAmongSmall",
     [](Random& r, Cloud& cloud) { cloud.add(r.vector(), cloud.size() % 200 == 17 ? 0.7 : 1e-6); }},
    {"Line",
     [](Random& r, Cloud& cloud) {
       cloud.add({0, r.uniform(-40, 40), 0}, r.uniform(0.05, 0.2));
     }},
    {"SkewLine",
     [](Random& r, Cloud& cloud) {
       cloud.add(r.uniform(-40, 40) * Vector3(1, -2, 0.5), r.uniform(0.1, 0.3));
     }},
    {"Plane",
     [](Random& r, Cloud& cloud) {
       cloud.add({r.uniform(), r.uniform(), 0}, r.uniform(0.01, 0.06));
     }},
    {"FarFromTheOrigin",
     [](Random& r, Cloud& cloud) {
       cloud.add(Vector3(1e9, -1e9, 1e9) + r.vector(0.01), r.uniform(0.5e-3, 1e-3));
     }},
    {"TinyAndFar",  // spheres smaller than the round-off of their coordinates
     [](Random& r, Cloud& cloud) {
       cloud.add(Vector3(1e9, -1e9, 1e9) + r.vector(1e-6), r.uniform(0, 1e-7));
     }},
    {"PointsOnALattice",
     [](Random& r, Cloud& cloud) { cloud.add(r.vector(4).array().round().matrix(), 0); }},
    {"PointsAndSpheres",
     [](Random& r, Cloud& cloud) { cloud.add(r.vector(), cloud.size() % 2 == 0 ? 0 : 0.1); }},
    {"WithLostSpheres",
     [](Random& r, Cloud& cloud) {
       constexpr double lost = std::numeric_limits<double>::quiet_NaN();
       const Vector3 centre = r.vector();
       cloud.add(cloud.size() % 5 == 2 ? Vector3(centre.x(), lost, centre.z()) : centre, 0.1);
     }},
};

class SphereClouds : public testing::TestWithParam<CloudCase> {};

TEST_P(SphereClouds, GiveAllPairsInAscendingOrder) {
  SphereGrid grid;
  Pairs pairs;
  std::size_t total = 0;
  for (const int spheres : {2, 3, 10, 100, 1000}) {
    Random random(static_cast<unsigned>(spheres));
    Cloud cloud;
    while (cloud.size() < spheres) GetParam().add_sphere(random, cloud);
    grid.find_pairs(cloud.centres, cloud.radii, pairs);
    EXPECT_EQ(pairs, all_pairs(cloud)) << spheres << " spheres";
    total += pairs.size();
  }
  EXPECT_GT(total, 10u);  // or the test would be of nothing
}

INSTANTIATE_TEST_SUITE_P(Clouds, SphereClouds, testing::ValuesIn(clouds),
                         [](const auto& cloud) { return cloud.param.name; });

TEST(SphereGrid, FindsSpheresThatJustTouch) {
  const Cloud cloud = cubic_packing(6);
  EXPECT_EQ(grid_pairs(cloud), all_pairs(cloud));
  EXPECT_EQ(grid_pairs(cloud).size(), 3u * 6 * 6 * 5);
}

TEST(SphereGrid, WorksForEverySize) {
  for (const double scale : {1e-99, 1e-20, 1e-3, 1.0, 1e20, 1e98}) {
    Random random(5);
    Cloud cloud;
    for (int i = 0; i < 300; ++i) cloud.add(scale * random.vector(), scale * 0.1);
    EXPECT_EQ(grid_pairs(cloud), all_pairs(cloud)) << scale;
    EXPECT_GT(grid_pairs(cloud).size(), 100u);
  }
}

// -------------------------------------------------------------------------------------------------
// Degenerate clouds

TEST(SphereGrid, NoneOrOneSphereHasNoPairs) {
  Cloud cloud;
  EXPECT_TRUE(grid_pairs(cloud).empty());
  cloud.add(Vector3::Ones(), 1);
  EXPECT_TRUE(grid_pairs(cloud).empty());
}

TEST(SphereGrid, SpheresAtOnePlaceAllOverlap) {
  for (const double radius : {0.0, 1e-3, 1e100}) {
    Cloud cloud;
    for (int i = 0; i < 50; ++i) cloud.add(Vector3(0.1, 0, -0.3), radius);
    EXPECT_EQ(grid_pairs(cloud).size(), 50u * 49 / 2) << radius;
  }
}

TEST(SphereGrid, PointsOverlapOnlyWhereTheyAreEqual) {
  const double above = std::nextafter(0.1, 1);
  Cloud cloud;
  for (const double x : {0.1, above, 0.1, 0.0, -0.0, above}) cloud.add({x, 0, 0}, 0);
  EXPECT_EQ(grid_pairs(cloud), (Pairs{{0, 2}, {1, 5}, {3, 4}}));
}

TEST(SphereGrid, SpheresThatAreNowhereOverlapNothing) {
  const double infinity = std::numeric_limits<double>::infinity();
  Cloud cloud;
  for (const double x : {infinity, -infinity, std::nan(""), 1e300, -1e101, 0.0})
    for (int i = 0; i < 6; ++i) {
      Vector3 centre = Vector3::Zero();
      centre[i % 3] = x;
      cloud.add(centre, 1);
    }
  Pairs at_origin;
  for (int i = 30; i < 36; ++i)
    for (int j = i + 1; j < 36; ++j) at_origin.emplace_back(i, j);
  EXPECT_EQ(grid_pairs(cloud), at_origin);
}

TEST(SphereGrid, ASphereFarAwayDoesNotDisturbTheOthers) {
  Cloud cloud = cubic_packing(5);
  const Pairs without = grid_pairs(cloud);
  cloud.add(Vector3::Constant(1e99), 1e-3);
  EXPECT_EQ(grid_pairs(cloud), without);
}

// -------------------------------------------------------------------------------------------------
// Use again and again

TEST(SphereGrid, ForgetsWhatItFoundBefore) {
  SphereGrid grid;
  Pairs pairs;
  for (const int edge : {7, 3, 1, 5}) {
    const Cloud cloud = cubic_packing(edge);
    grid.find_pairs(cloud.centres, cloud.radii, pairs);
    EXPECT_EQ(pairs, all_pairs(cloud)) << edge;
  }
}

#ifdef SALTUS_COUNTS_ALLOCATIONS
TEST(SphereGrid, AllocatesNothingForNoMoreSpheresAndPairs) {
  SphereGrid grid;
  Pairs pairs;
  Cloud packing = cubic_packing(10);
  const Cloud smaller = cubic_packing(9);
  grid.find_pairs(packing.centres, packing.radii, pairs);
  Cloud scattered = packing;  // other cells, other classes
  Random random(3);
  for (int i = 0; i < scattered.size(); ++i) {
    scattered.centres[i] = random.vector(20);
    scattered.radii[i] = size_between(random, -6, 0);
  }
  const long before = allocations;
  grid.find_pairs(packing.centres, packing.radii, pairs);
  grid.find_pairs(smaller.centres, smaller.radii, pairs);
  grid.find_pairs(scattered.centres, scattered.radii, pairs);
  EXPECT_EQ(allocations - before, 0);
  EXPECT_EQ(pairs, all_pairs(scattered));
}
#endif

// 64000 spheres have two thousand million pairs: the test ends soon only if the work is linear.
TEST(SphereGrid, WorkGrowsWithSpheresNotWithTheirPairs) {
  SphereGrid grid;
  Pairs pairs;
  for (const int edge : {10, 20, 40}) {
    const Cloud cloud = cubic_packing(edge);
    grid.find_pairs(cloud.centres, cloud.radii, pairs);
    const std::clock_t start = std::clock();
    grid.find_pairs(cloud.centres, cloud.radii, pairs);
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    EXPECT_EQ(pairs.size(), 3u * edge * edge * (edge - 1));
    EXPECT_TRUE(std::is_sorted(pairs.begin(), pairs.end()));
    EXPECT_EQ(std::adjacent_find(pairs.begin(), pairs.end()), pairs.end());
    RecordProperty("nanoseconds_each_of_" + std::to_string(cloud.size()),
                   static_cast<int>(1e9 * seconds / cloud.size()));
  }
}

}  // namespace sphere_grid_test
}  // namespace saltus::test
