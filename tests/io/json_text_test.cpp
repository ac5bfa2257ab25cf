// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/json_text.hpp"

#include <gtest/gtest.h>

#include "saltus/core/input_error.hpp"
#include "saltus/io/json_writer.hpp"
#include "saltus/io/text_position.hpp"

namespace saltus::io {
namespace json_text_test {

std::string error_of(std::string_view text) {
  try {
    parse_json(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(ParseJson, ReadsEveryKindOfValueInTheOrderOfTheText) {
  const Json json =
      parse_json(R"({"z": [1, -2, 3.5, 1e3], "a": {"t": true, "n": null}, "s": "ü"})");
  EXPECT_EQ(json.dump(), R"({"z":[1,-2,3.5,1000.0],"a":{"t":true,"n":null},"s":"ü"})");
}

TEST(ParseJson, SkipsAByteOrderMark) { EXPECT_EQ(parse_json("\xEF\xBB\xBF[1]").dump(), "[1]"); }

TEST(ParseJson, AcceptsTheLimitOfDepth) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_EQ(error_of(nested(64)), "no error");
  EXPECT_NE(error_of(nested(65)), "no error");
}

TEST(ParseJson, ExplainsHabitsFromOtherLanguages) {
  EXPECT_EQ(error_of("[1,\n 2,\n]"), "line 3, column 1: a comma before \"]\"; remove the comma");
  EXPECT_EQ(error_of("{\"a\": 1,}"), "line 1, column 9: a comma before \"}\"; remove the comma");
  EXPECT_EQ(error_of("{\"a\": 1} // end"),
            "line 1, column 10: unexpected \"/\"; JSON has no comments; use a \"comment\" key");
  EXPECT_EQ(error_of("[# x\n1]"),
            "line 1, column 2: unexpected \"#\"; JSON has no comments; use a \"comment\" key");
  EXPECT_EQ(error_of("[-Infinity]"),
            "line 1, column 3: a number is incomplete: expected digit after '-'; JSON has no NaN "
            "and no infinity; give a finite number");
  EXPECT_EQ(error_of("[True]"), "line 1, column 2: unexpected \"True\"; write true, false or null");
  EXPECT_EQ(error_of("{a: 1}"), "line 1, column 2: unexpected \"a\"; put the key in double quotes");
  EXPECT_EQ(error_of("['a']"), "line 1, column 2: unexpected \"'\"; use double quotes");
  EXPECT_EQ(error_of("[.5]"), "line 1, column 2: unexpected \".5\"; write 0.5");
  EXPECT_EQ(error_of("[+5]"),
            "line 1, column 2: unexpected \"+5\"; write the number without \"+\"");
  EXPECT_EQ(error_of("[007]"), "line 1, column 2: a number must not begin with 0");
}

TEST(ParseJson, NamesMissingPunctuation) {
  EXPECT_EQ(error_of("[1 2]"), "line 1, column 4: a comma is missing");
  EXPECT_EQ(error_of("{\"a\": \"ä\"\n \"b\": 2}"), "line 2, column 2: a comma is missing");
  EXPECT_EQ(error_of("[{} {}]"), "line 1, column 5: a comma is missing");
  EXPECT_EQ(error_of("{\"a\" 1}"), "line 1, column 6: a \":\" is missing after the key");
  EXPECT_EQ(error_of("{\"a\": [1, 2}"), "/a: line 1, column 12: unexpected \"}\"");
  EXPECT_EQ(error_of("{} {}"), "line 1, column 4: text after the end of the outermost value");
}

TEST(ParseJson, RefusesWrongStringsAndNumbers) {
  EXPECT_EQ(error_of("[\"\\x\"]"),
            "line 1, column 4: in a string: forbidden character after backslash");
  EXPECT_EQ(error_of("[1e999]"), "line 1, column 2: the number 1e999 is too large");
  EXPECT_EQ(error_of("[-1e999]"), "line 1, column 2: the number -1e999 is too large");
  EXPECT_EQ(error_of("[5.]"), "line 1, column 4: a number is incomplete: expected digit after '.'");
}

TEST(ParseJson, RefusesInvalidUtf8) {
  for (const char* bytes : {"\x80", "\xC0\x80", "\xC3", "\xE0\x80\x80", "\xED\xA0\x80", "\xF5\x80",
                            "\xF4\x90\x80\x80", "\xF0\x80\x80\x80", "\xE2\x82"}) {
    const std::string text = std::string("[\"") + bytes + "\"]";
    EXPECT_NE(error_of(text).find("is not valid UTF-8"), std::string::npos) << text;
  }
  for (const char* bytes : {"ü", "€", "𝛼", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_EQ(error_of(std::string("[\"") + bytes + "\"]"), "no error");
  }
}

TEST(ParseJson, LimitsBytes) {
  EXPECT_THROW(parse_json("[1, 2, 3]", {.bytes = 5}), InputError);
  EXPECT_THROW(parse_json("[1, 2, 3]", {.values = 3}), InputError);
  EXPECT_NO_THROW(parse_json("[1, 2, 3]", {.containers = 1, .values = 4}));
  EXPECT_THROW(parse_json("[[], []]", {.containers = 2}), InputError);
}

TEST(TextPosition, CountsLinesAndCharacters) {
  EXPECT_EQ(text_position("abc", 0), "line 1, column 1");
  EXPECT_EQ(text_position("a\nbc", 3), "line 2, column 2");
  EXPECT_EQ(text_position("üü", 4), "line 1, column 3");
}

TEST(Shown, IsShort) {
  EXPECT_EQ(shown(Json(1.5)), "1.5");
  EXPECT_EQ(shown(Json("a\nb")), "\"a\\nb\"");
  EXPECT_EQ(shown(Json(std::string(1000, 'x'))), "\"" + std::string(60, 'x') + "…\"");
  EXPECT_EQ(shown(Json({1, 2, 3})), "[1,2,3]");
  EXPECT_EQ(shown(Json(std::vector<int>(100, 7))), "an array of 100");
  EXPECT_EQ(shown(parse_json("{\"a\": {}}")), "an object");
}

TEST(Pretty, BreaksOnlyWhatDoesNotFitOnALine) {
  const Json json = parse_json(R"({"a":[1,2,3],"b":{},"c":[]})");
  EXPECT_EQ(pretty(json), "{\"a\": [1, 2, 3], \"b\": {}, \"c\": []}\n");
  const Json wide = {{"text", std::string(90, 'x')}, {"list", {1, 2}}};
  EXPECT_EQ(pretty(wide),
            "{\n  \"text\": \"" + std::string(90, 'x') + "\",\n  \"list\": [1, 2]\n}\n");
}

}  // namespace json_text_test
}  // namespace saltus::io
