// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/json.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "saltus/io/json_text.hpp"

namespace saltus::io {
namespace json_test {

TEST(Json, BracesMakeObjectsOfPairsAndElseArrays) {
  EXPECT_EQ((Json{{"a", 1}, {"b", {1, 2.5}}}).dump(), R"({"a":1,"b":[1,2.5]})");
  EXPECT_EQ((Json{"a", 1}).dump(), R"(["a",1])");
  EXPECT_EQ(Json::array({{"a", 1}}).dump(), R"([["a",1]])");
  EXPECT_EQ(Json::object().dump(2), "{}");
}

TEST(Json, KeepsTheOrderOfKeysAndComparesWithoutIt) {
  Json json;
  json["z"] = true;
  json["a"] = nullptr;
  EXPECT_EQ(json.dump(2), "{\n  \"z\": true,\n  \"a\": null\n}");
  EXPECT_EQ(json, (Json{{"a", nullptr}, {"z", true}}));
  json.erase("z");
  json.update({{"b", "x"}});
  EXPECT_EQ(json.dump(), R"({"a":null,"b":"x"})");
}

TEST(Json, NumbersAreComparedByValue) {
  EXPECT_EQ(Json(1), Json(1.0));
  EXPECT_NE(Json(1), Json(true));
  EXPECT_NE(Json(-1), Json(std::numeric_limits<std::uint64_t>::max()));
  EXPECT_EQ(Json(std::numeric_limits<std::uint64_t>::max()).dump(), "18446744073709551615");
  EXPECT_EQ(Json(std::numeric_limits<std::int64_t>::min()).dump(), "-9223372036854775808");
}

TEST(Json, NumbersComeBackFromTheirText) {
  for (const double value : {0.1, 1e300, 5e-324, -2.0, 1.0 / 3}) {
    EXPECT_EQ(parse_json(Json(value).dump()).number(), value);
  }
  EXPECT_EQ(Json(std::nan("")).dump(), "null");
}

TEST(Json, WhatIsNotThereIsNull) {
  const Json json{{"a", 1}};
  EXPECT_TRUE(json["b"].is_null());
  EXPECT_EQ(json.find("b"), nullptr);
  EXPECT_EQ(Json(3).find("a"), nullptr);
  EXPECT_EQ(Json("text").size(), 0U);
}

TEST(Json, BytesThatAreNotUtf8AreReplaced) {
  EXPECT_EQ(Json("a\xff").dump(), "\"a\xEF\xBF\xBD\"");
  EXPECT_EQ(Json("\"\n").dump(), R"("\"\n")");
}

}  // namespace json_test
}  // namespace saltus::io
