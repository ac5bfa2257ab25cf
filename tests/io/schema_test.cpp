// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "saltus/io/json_schema.hpp"
#include "saltus/io/model_file.hpp"

namespace saltus {
namespace schema_test {

TEST(Schema, FileInTheRepositoryIsUpToDate) {
  std::ifstream file(SALTUS_SOURCE_DIR "/schema/saltus.schema.json");
  std::ostringstream text;
  text << file.rdbuf();
  EXPECT_EQ(text.str(), model_schema())
      << "run: build/release/saltus schema > schema/saltus.schema.json";
}

TEST(Schema, ComesFromTheFields) {
  io::SchemaBuilder builder;
  const io::Json reference = builder.schema<PointMass>();
  EXPECT_EQ(reference["$ref"], "#/$defs/PointMass");
  const io::Json& point_mass = builder.definitions()["PointMass"];
  const io::Json number_or_formula = io::Json::array({"number", "string"});
  const io::Json mass = {{"type", number_or_formula},
                         {"pattern", "^="},
                         {"exclusiveMinimum", 0},
                         {"description", "mass (kg)"}};
  EXPECT_EQ(point_mass["properties"]["mass"], mass);
  EXPECT_EQ(point_mass["properties"]["type"]["const"], "point_mass");
  EXPECT_EQ(point_mass["properties"]["comment"], true);
  EXPECT_EQ(point_mass["required"].dump(), R"(["type","mass"])");
  EXPECT_EQ(point_mass["additionalProperties"], false);
}

TEST(Schema, TellsDefaultsAndRanges) {
  io::SchemaBuilder builder;
  builder.schema<SimulationOptions>();
  const io::Json& alpha = builder.definitions()["GeneralizedAlpha"]["properties"];
  EXPECT_EQ(alpha["rho_inf"]["minimum"], 0);
  EXPECT_EQ(alpha["rho_inf"]["maximum"], 1);
  EXPECT_EQ(alpha["rho_inf"]["default"], 0.8);
  EXPECT_EQ(alpha["max_iterations"]["type"][0], "integer");
  const io::Json& dynamics = builder.definitions()["Dynamics"];
  EXPECT_EQ(dynamics["required"].dump(), R"(["end_time"])") << "its type may be left out";
}

TEST(Schema, NamesOfTypesAreWithoutNamespace) {
  EXPECT_EQ(io::type_name<Frame>(), "Frame");
  EXPECT_EQ(io::type_name<ExplicitInertia>(), "ExplicitInertia");
}

}  // namespace schema_test
}  // namespace saltus
