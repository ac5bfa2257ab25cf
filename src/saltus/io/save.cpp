// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/save.hpp"

#include "saltus/core/input_error.hpp"
#include "saltus/core/threads.hpp"
#include "saltus/io/model_file.hpp"

namespace saltus {
namespace {

/// "work/pendulum-out/" → "pendulum.json".
std::string model_name(const std::filesystem::path& directory) {
  std::filesystem::path path = std::filesystem::absolute(directory).lexically_normal();
  if (!path.has_filename()) path = path.parent_path();
  std::string name = path.filename().string();
  constexpr std::string_view ending = "-out";
  if (name.size() > ending.size() && name.ends_with(ending))
    name.resize(name.size() - ending.size());
  return name + ".json";
}

}  // namespace

std::string model_text(const Simulation& simulation) {
  SimulationOptions options = simulation.options();
  const double reached = simulation.result().report().end_time;
  if (Dynamics* dynamics = std::get_if<Dynamics>(&options); dynamics != nullptr && reached > 0) {
    dynamics->end_time = reached;
  }
  return write_model(simulation.model(), options);
}

void save(const Result& result, const std::filesystem::path& directory, ForeignFiles policy) {
  if (result.columns().empty()) {
    throw InputError(
        Issue{.place = "save", .rule = "there are no results yet", .remedy = "run() comes first"});
  }
  const Simulation& simulation = result.simulation();
  const std::string text = model_text(simulation), name = model_name(directory);
  const std::map<std::string, Mesh> meshes = meshes_from_files(simulation.model());
  const std::string hash = parse_model(text, name, {}, meshes).hash;
  ResultDirectory files(directory,
                        {.model = name,
                         .model_hash = hash,
                         .source = hash,  // no file: models are told apart by what they are
                         .model_text = text,
                         .threads = threads(),
                         .meshes = meshes},
                        policy);
  files.begin(result.layout());
  const std::size_t width = result.columns().size();
  for (std::size_t i = 0; i < result.rows(); ++i) {
    files.record({result.values().get() + i * width, width});
  }
  for (const EventRow& event : result.events()) files.event(event);
  for (const ForceRow& row : result.forces()) files.force(row);
  for (const ImpactRow& row : result.impacts()) files.impact(row);
  files.modes(result.modes());
  files.end(result.report());
}

}  // namespace saltus
