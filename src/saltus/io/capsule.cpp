// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/capsule.hpp"

#include <fmt/format.h>

#include "saltus/io/sealed_file.hpp"

namespace saltus::io {
namespace {

constexpr std::string_view capsule_kind = "saltus capsule 1";

/// A mesh as an archive keeps it.
struct MeshMemory {
  Mesh& mesh;

  void archive(Archive& memory) {
    memory(mesh.nodes, mesh.node_numbers);
    std::size_t cells = mesh.cells.size(), sets = mesh.sets.size();
    memory(cells, sets);
    mesh.cells.resize(cells);
    for (Cell& cell : mesh.cells) memory(cell.kind, cell.nodes, cell.number);
    mesh.sets.resize(sets);
    for (NodeSet& set : mesh.sets) memory(set.name, set.nodes);
  }
};

[[noreturn]] void refuse_capsule(const std::filesystem::path& path, const std::string& why) {
  throw FileError(fmt::format(
      "{}: {}; `saltus replay` reads the capsule of a step that `saltus run` has left in its "
      "directory",
      path.string(), why));
}

}  // namespace

void Capsule::archive(Archive& all) {
  all(model, model_hash, given_text, threads, step);
  std::vector<std::string> solids;
  for (const auto& [solid, mesh] : meshes) solids.push_back(solid);
  all(solids);
  for (const std::string& solid : solids) {
    MeshMemory memory{meshes[solid]};
    all(memory);
  }
}

void write_capsule(const std::filesystem::path& path, const RunOrigin& origin,
                   const StepCapsule& step) {
  Capsule capsule{.model = origin.model,
                  .model_hash = origin.model_hash,
                  .given_text = origin.given_text,
                  .meshes = origin.meshes,
                  .threads = origin.threads,
                  .step = step};
  Archive memory;
  memory(capsule);
  write_sealed(path, capsule_kind, memory.bytes(), Durability::Cached);
}

Capsule read_capsule(const std::filesystem::path& path) {
  const auto refused = [&](const std::string& why) { refuse_capsule(path, why); };
  return unsealed<Capsule>(read_sealed(path, capsule_kind, refused), refused);
}

void remove_capsules(const std::filesystem::path& directory) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(directory, ignored)) {
    const std::string name = entry.path().filename().string();
    const std::string_view rest = std::string_view(name).substr(
        std::min(name.size(), std::string_view(capsule_file_name).size()));
    const bool is_ours =
        name.starts_with(capsule_file_name) &&
        (rest.empty() || (rest[0] == '_' && rest.size() > 1 &&
                          rest.find_first_not_of("0123456789", 1) == std::string_view::npos));
    if (is_ours) std::filesystem::remove(entry.path(), ignored);
  }
}

}  // namespace saltus::io
