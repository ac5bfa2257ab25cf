// SPDX-License-Identifier: Apache-2.0
#include "saltus/core/archive.hpp"

#include <gtest/gtest.h>

namespace saltus::archive_test {
namespace {

enum class Kind { First, Second };

struct Inner {
  double x = 0;
  std::vector<bool> flags = {};

  void archive(Archive& memory) { memory(x, flags); }
  bool operator==(const Inner&) const = default;
};

struct Outer {
  Kind kind = Kind::First;
  std::string text = {};
  Eigen::VectorXd vector = {};
  Eigen::Matrix3d matrix = Eigen::Matrix3d::Zero();
  Eigen::ArrayXd array = {};
  std::vector<Inner> list = {};
  std::array<int, 2> pair = {};
  std::optional<double> some = {}, none = 1.0;
  std::map<std::string, Inner> entries = {};

  void archive(Archive& memory) {
    memory(kind, text, vector, matrix, array, list, pair, some, none, entries);
  }
};

Outer sample() {
  return {.kind = Kind::Second,
          .text = "μ",
          .vector = Eigen::VectorXd::LinSpaced(5, 0, 1),
          .matrix = Eigen::Matrix3d::Random(),
          .array = Eigen::ArrayXd::LinSpaced(3, -1, 1),
          .list = {{0.1, {true, false}}, {-0.0, {}}},
          .pair = {3, -4},
          .some = 2.5,
          .none = {},
          .entries = {{"a", {1, {true}}}, {"b", {2, {}}}}};
}

TEST(Archive, GivesBackWhatWasSaved) {
  Outer saved = sample();
  Archive out;
  out(saved);
  Outer loaded;
  loaded.entries["old"] = {};
  Archive in(out.bytes());
  in(loaded);
  EXPECT_TRUE(in.is_at_end());
  EXPECT_EQ(loaded.kind, saved.kind);
  EXPECT_EQ(loaded.text, saved.text);
  EXPECT_EQ(loaded.vector, saved.vector);
  EXPECT_EQ(loaded.matrix, saved.matrix);
  EXPECT_EQ(loaded.array.matrix(), saved.array.matrix());
  EXPECT_EQ(loaded.list, saved.list);
  EXPECT_EQ(loaded.pair, saved.pair);
  EXPECT_EQ(loaded.some, saved.some);
  EXPECT_FALSE(loaded.none);
  EXPECT_EQ(loaded.entries, saved.entries);
}

TEST(Archive, SavingDoesNotChangeWhatIsSaved) {
  Outer saved = sample();
  Archive first, second;
  first(saved);
  second(saved);
  EXPECT_EQ(first.bytes(), second.bytes());
}

TEST(Archive, AnArchiveThatIsTooShortIsTold) {
  double number = 1;
  Archive out;
  out(number);
  Archive in(out.bytes());
  EXPECT_THROW(in(number, number), std::out_of_range);
}

}  // namespace
}  // namespace saltus::archive_test
