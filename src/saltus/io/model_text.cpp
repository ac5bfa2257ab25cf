// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/json_schema.hpp"
#include "saltus/io/json_writer.hpp"
#include "saltus/io/model_file.hpp"
#include "saltus/model/validate.hpp"

namespace saltus {

std::string write_model(const Model& model, const SimulationOptions& simulation) {
  Model named = model;
  set_default_names(named);
  std::vector<Issue> issues = validate(named, simulation);
  if (!issues.empty()) throw InputError(std::move(issues));

  const io::JsonWriter writer{io::NameTable(named)};
  io::Json json = io::Json::object();
  json["saltus"] = 1;
  json["model"] = writer.write(named);
  json["simulation"] = writer.write(simulation);
  return io::pretty(json);
}

std::string model_schema() { return io::pretty(io::model_file_schema()); }

}  // namespace saltus
