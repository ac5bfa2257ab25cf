// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/json_setting.hpp"

#include <gtest/gtest.h>

#include "saltus/core/input_error.hpp"

namespace saltus::io {
namespace json_setting_test {

Json document() {
  return parse_json(R"({"bodies": [{"name": "ball", "position": [1, 2, 3]}, {"type": "rigid"}],
                        "simulation": {"end_time": 1, "a/b~c": 0}, "0": 5})");
}

Json after(std::string_view assignment) {
  Json json = document();
  apply_setting(json, assignment);
  return json;
}

std::string error_of(std::string_view assignment) {
  try {
    after(assignment);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(JsonSetting, ReplacesAValue) {
  EXPECT_EQ(after("/simulation/end_time=1e-4")["simulation"]["end_time"], 1e-4);
  EXPECT_EQ(after("/bodies/0/position/2=0.5")["bodies"][0]["position"], Json({1, 2, 0.5}));
  EXPECT_EQ(after("/0=6")["0"], 6);
}

TEST(JsonSetting, FindsElementsByNameOrDefaultName) {
  EXPECT_EQ(after("/bodies/ball/position=[0,0,0]")["bodies"][0]["position"], Json({0, 0, 0}));
  EXPECT_EQ(after("/bodies/rigid1/name=\"b\"")["bodies"][1]["name"], "b");
}

TEST(JsonSetting, AddsAKeyToAnObjectAndAnElementToAList) {
  EXPECT_EQ(after("/simulation/type=modes")["simulation"]["type"], "modes");
  EXPECT_EQ(after("/simulation/solver/method=admm")["simulation"]["solver"]["method"], "admm");
  EXPECT_EQ(after("/bodies/-={\"type\": \"x\"}")["bodies"].size(), 3U);
}

TEST(JsonSetting, WhatIsMissingOnTheWayGetsItsDefaultType) {
  Json defaults = Json::object();
  defaults["simulation"]["integrator"]["type"] = "usual";
  Json json = document();
  apply_setting(json, "/simulation/integrator/step=0.5", defaults);
  EXPECT_EQ(json["simulation"]["integrator"]["type"], "usual");
  EXPECT_EQ(json["simulation"]["integrator"]["step"], 0.5);
  apply_setting(json, "/simulation/solver/method=admm", defaults);
  EXPECT_EQ(json["simulation"]["solver"].size(), 1U);
}

TEST(JsonSetting, TakesWhatIsNotJsonForAText) {
  EXPECT_EQ(after("/simulation/type=dynamics")["simulation"]["type"], "dynamics");
  EXPECT_EQ(after("/simulation/type=a=b")["simulation"]["type"], "a=b");
  EXPECT_EQ(after("/simulation/type=")["simulation"]["type"], "");
}

TEST(JsonSetting, DecodesTildes) {
  EXPECT_EQ(after("/simulation/a~1b~0c=7")["simulation"]["a/b~c"], 7);
}

TEST(JsonSetting, ErrorsNameTheAssignment) {
  EXPECT_EQ(error_of("end_time=2"),
            "--set end_time=2: the pointer must begin with \"/\"; as in /simulation/end_time=2");
  EXPECT_EQ(error_of("/simulation/end_time"),
            "--set /simulation/end_time: \"=\" is missing; write POINTER=VALUE, as in "
            "/simulation/end_time=2");
  EXPECT_EQ(error_of("/simulatoin/end_time=2"),
            "--set /simulatoin/end_time=2: there is no key \"simulatoin\" in the file; did you "
            "mean \"simulation\"?");
  EXPECT_EQ(error_of("/bodies/2/name=c"),
            "--set /bodies/2/name=c: /bodies has 2 elements, no element 2; the last one is "
            "/bodies/1");
  EXPECT_EQ(error_of("/bodies/bal/name=c"),
            "--set /bodies/bal/name=c: no element of /bodies is named \"bal\"; did you mean "
            "\"ball\"?");
  EXPECT_EQ(error_of("/simulation/end_time/x=1"),
            "--set /simulation/end_time/x=1: /simulation/end_time is neither an object nor an "
            "array");
  EXPECT_EQ(error_of("/a~2=1"), "--set /a~2=1: after \"~\" must come 0 (for ~) or 1 (for /)");
}

}  // namespace json_setting_test
}  // namespace saltus::io
