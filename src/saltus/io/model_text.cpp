// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/json_schema.hpp"
#include "saltus/io/json_writer.hpp"
#include "saltus/io/model_file.hpp"

namespace saltus {

std::string write_model(const Model& model, const SimulationOptions& simulation) {
  Model named = model;
  set_default_names(named);
  return write_model(CheckedRun(std::move(named), simulation));
}

std::string write_model(const CheckedRun& run) {
  const Model& model = run.model().given();
  const io::JsonWriter writer{io::NameTable(model)};
  io::Json json = io::Json::object();
  json["saltus"] = 1;
  json["model"] = writer.write(model);
  json["simulation"] = writer.write(run.options());
  return io::pretty(json);
}

std::string model_schema() { return io::pretty(io::model_file_schema()); }

}  // namespace saltus
