// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/json_schema.hpp"

#include "saltus/io/checkpoint_options.hpp"

namespace saltus::io {

Json SchemaBuilder::number_schema(const char* type, const Rule& rule) {
  Json schema = {{"type", Json::array({type, "string"})}, {"pattern", "^="}};  // or a formula
  if (std::isfinite(rule.minimum)) {
    schema[rule.minimum_excluded ? "exclusiveMinimum" : "minimum"] = json_number(rule.minimum);
  }
  if (std::isfinite(rule.maximum)) {
    schema[rule.maximum_excluded ? "exclusiveMaximum" : "maximum"] = json_number(rule.maximum);
  }
  return schema;
}

Json SchemaBuilder::array_schema(Json items, std::size_t count) {
  return {{"type", "array"}, {"items", std::move(items)}, {"minItems", count}, {"maxItems", count}};
}

std::string SchemaBuilder::description(const char* text, const char* unit) {
  const std::string in_words = text;
  return *unit == '\0' ? in_words : in_words + " (" + unit + ")";
}

Json model_file_schema() {
  SchemaBuilder builder;
  Json model = builder.schema<Model>();
  Json simulation = builder.schema<SimulationOptions>();
  model["description"] = "the mechanism";
  simulation["description"] = "what to compute";
  Json checkpoint = builder.schema<CheckpointOptions>();
  checkpoint["description"] = checkpoint_text;
  checkpoint["default"] = Json::object();
  Json definitions = builder.definitions();
  definitions[type_name<Dynamics>()]["properties"][checkpoint_key] = std::move(checkpoint);
  const Json version = {{"const", 1}, {"description", "version of the file format"}};
  const Json parameters = {
      {"type", "object"},
      {"description",
       "numbers by their names: wherever a number stands, a formula with them may stand as a text "
       "that begins with =, e.g. \"=2*mu\"; formulas of time may name them too"},
      {"additionalProperties", SchemaBuilder().schema<double>()}};
  return {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
          {"title", "Saltus model file"},
          {"description", "A mechanism and what to compute of it. SI units, angles in radians."},
          {"type", "object"},
          {"properties",
           {{"saltus", version},
            {"$schema", {{"type", "string"}}},
            {"comment", true},
            {"parameters", parameters},
            {"model", std::move(model)},
            {"simulation", std::move(simulation)}}},
          {"required", {"saltus", "model", "simulation"}},
          {"additionalProperties", false},
          {"$defs", std::move(definitions)}};
}

}  // namespace saltus::io
