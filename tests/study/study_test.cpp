// SPDX-License-Identifier: Apache-2.0
#include "saltus/study/study.hpp"

#include <gtest/gtest.h>

#include "saltus/core/input_error.hpp"

namespace saltus::study {
namespace study_test {

std::vector<std::string> complaints(const std::string& text) {
  try {
    parse_study(text, "");
  } catch (const InputError& error) {
    std::vector<std::string> messages;
    for (const Issue& issue : error.issues()) messages.push_back(issue.message());
    return messages;
  }
  return {};
}

TEST(StudyFile, SaysWhatItSays) {
  const Study study = parse_study(
      R"({"saltus_study": 1, "model": "m.json", "design": "sobol", "cases": 7, "seed": 3,
          "parameters": {"/a": {"range": [1, 2]}, "/b": {"distribution": "normal", "mean": 1, "deviation": 0.1}},
          "metrics": {"top": {"column": "x", "take": "max"},
                      "third": {"event": "impact", "contact": "k", "take": "impulse", "number": 3}}})",
      "dir");
  EXPECT_EQ(study.model, std::filesystem::path("dir/m.json"));
  EXPECT_EQ(study.design, Design::Sobol);
  EXPECT_EQ(study.cases, 7);
  EXPECT_EQ(study.seed, 3U);
  ASSERT_EQ(study.parameters.size(), 2U);
  EXPECT_EQ(study.parameters[1].deviation, 0.1);
  ASSERT_EQ(study.metrics.size(), 2U);
  EXPECT_EQ(std::get<EventMetric>(study.metrics[1].source).number, 3);
}

TEST(StudyFile, TellsAllBrokenRulesAtOnce) {
  const auto told = complaints(
      R"({"saltus_study": 1, "desing": "grid",
          "parameters": {"a": {"values": []}, "/b": {"distribution": "normal"}, "/c": {"range": [2, 1], "count": 2}},
          "metrics": {"m": {"column": "x", "take": "maximum"}, "k": {}, "z": {"event": "impact", "number": 0}}})");
  const std::vector<std::string> wanted = {
      R"(/desing: is not a key of this object; did you mean "design"?)",
      "/model: is missing",
      R"(/parameters/a: must be a JSON pointer into the model file, got "a"; e.g. "/model/contacts/0/friction")",
      "/parameters/a/values: must be a list with at least one value, got []",
      "/parameters/~1b/mean: is missing",
      "/parameters/~1b/deviation: is missing",
  };
  for (const std::string& message : wanted) {
    EXPECT_NE(std::find(told.begin(), told.end(), message), told.end()) << message;
  }
  const auto has = [&](const char* place) {
    return std::any_of(told.begin(), told.end(),
                       [&](const std::string& text) { return text.starts_with(place); });
  };
  for (const char* place : {"/parameters/~1b/distribution", "/parameters/~1c/range",
                            "/metrics/m/take", "/metrics/k", "/metrics/z/number"}) {
    EXPECT_TRUE(has(place)) << place;
  }
}

TEST(StudyFile, DesignsKnowTheirNumberOfCases) {
  EXPECT_EQ(complaints(R"({"saltus_study": 1, "model": "m", "design": "random",
                           "parameters": {"/a": {"values": [1]}}})"),
            std::vector<std::string>{"/cases: is missing; say how many cases the design has"});
  EXPECT_EQ(complaints(R"({"saltus_study": 1, "model": "m", "cases": 3,
                           "parameters": {"/a": {"values": [1]}}})")
                .size(),
            1U);
  EXPECT_EQ(complaints(R"({"saltus_study": 2})").size(), 1U);
  EXPECT_EQ(complaints(R"({"saltus_study": 1, "model": "m",
                           "parameters": {"/a": {"range": [0, 1], "count": 10000},
                                          "/b": {"range": [0, 1], "count": 10000}}})")
                .size(),
            1U);
}

}  // namespace study_test
}  // namespace saltus::study
