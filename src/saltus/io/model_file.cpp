// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/model_file.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>

#include "saltus/geometry/hull.hpp"
#include "saltus/io/gmsh_reader.hpp"
#include "saltus/io/json_reader.hpp"
#include "saltus/io/json_setting.hpp"
#include "saltus/io/json_text.hpp"
#include "saltus/io/surface_reader.hpp"
#include "saltus/model/validate.hpp"

namespace saltus {
namespace {

using io::Json;

constexpr int format_version = 1;

const std::vector<std::string> top_level_keys = {"saltus",     "$schema", "comment",
                                                 "parameters", "model",   "simulation"};

/// The parts of a file that mean something, in a form that does not depend on how it is written.
Json canonical(const Json& json) {
  if (json.is_number()) return json.number();
  if (json.is_array()) {
    Json list = Json::array();
    for (const Json& item : json.items()) list.push_back(canonical(item));
    return list;
  }
  if (!json.is_object()) return json;
  Json object = Json::object();
  for (const auto& [key, value] : json.members()) {
    if (key != "comment" && key != "$schema") object.members().push_back({key, canonical(value)});
  }
  std::sort(object.members().begin(), object.members().end(),
            [](const auto& a, const auto& b) { return a.key < b.key; });
  return object;
}

/// What mesh files say, as text.
std::string mesh_texts(const Model& model) {
  std::string text;
  for (const Body& body : model.bodies) {
    const auto* solid = std::get_if<Solid>(&body);
    const auto* file = solid ? std::get_if<MeshFile>(&solid->mesh) : nullptr;
    if (!file) continue;
    for (const Vector3& x : file->contents.nodes) {
      text += fmt::format("{} {} {} ", x[0], x[1], x[2]);
    }
    for (const Cell& cell : file->contents.cells) {
      const auto count = node_count(cell.kind);
      text += fmt::format("{} ", fmt::join(cell.nodes.begin(), cell.nodes.begin() + count, " "));
    }
    for (const NodeSet& set : file->contents.sets) {
      text += fmt::format("{} {} ", set.name, fmt::join(set.nodes, " "));
    }
  }
  return text;
}

std::string hash_of(const std::string& text) {
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

/// @param surfaces  what files of surfaces say, as text
std::string hash_of(const Json& json, const Model& model, const std::string& surfaces) {
  return hash_of(canonical(json).dump() + mesh_texts(model) + surfaces);
}

/// Where a place stands in the file: the positions of its parts. Sorted by it, issues come in the
/// order of the file.
std::vector<std::size_t> position_in_file(const Json& json, const std::string& place) {
  std::vector<std::size_t> position;
  const Json* at = &json;
  std::size_t start = 1;
  while (start <= place.size() && place[0] == '/') {
    const std::size_t end = std::min(place.find('/', start), place.size());
    const std::string token = place.substr(start, end - start);
    const Json* next = nullptr;
    std::size_t index = 0;
    for (; index < at->size(); ++index) {
      const bool here = at->is_array() ? std::to_string(index) == token
                                       : Place::escaped(at->members()[index].key) == token;
      if (!here) continue;
      next = &at->child(index);
      break;
    }
    if (next == nullptr) break;
    position.push_back(index);
    at = next;
    start = end + 1;
  }
  return position;
}

void sort_by_position(std::vector<Issue>& issues, const Json& json) {
  std::vector<std::pair<std::vector<std::size_t>, std::size_t>> order;
  for (std::size_t i = 0; i < issues.size(); ++i) {
    order.emplace_back(position_in_file(json, issues[i].place), i);
  }
  std::sort(order.begin(), order.end());
  std::vector<Issue> sorted;
  sorted.reserve(issues.size());
  for (const auto& [position, i] : order) sorted.push_back(std::move(issues[i]));
  issues = std::move(sorted);
}

void shorten(std::vector<Issue>& issues) {
  constexpr std::size_t most = 100;
  if (issues.size() <= most) return;
  const std::size_t left_out = issues.size() - most;
  issues.resize(most);
  issues.push_back({.rule = fmt::format("and {} more", left_out)});
}

/// Each face as a fan of triangles.
MeshShape surface_of(const Polytope& hull, double rounding) {
  MeshShape mesh;
  mesh.rounding = rounding;
  mesh.vertices = hull.vertices;
  for (const Polytope::Face& face : hull.faces) {
    const int* corners = &hull.loops[static_cast<std::size_t>(face.first)];
    for (int k = 2; k < face.count; ++k)
      mesh.triangles.push_back({corners[0], corners[k - 1], corners[k]});
  }
  return mesh;
}

/// Reads the outermost object.
class FileReader {
 public:
  /// @param directory  where mesh files are looked for
  /// @param meshes     that are at hand already, by the names of the solids
  FileReader(const Json& json, std::filesystem::path directory,
             const std::map<std::string, Mesh>& meshes)
      : json_(json),
        directory_(std::move(directory)),
        meshes_(meshes),
        reader_(io::NameTable(part("model"))) {}

  /// @throws InputError with everything that is wrong.
  CheckedModelFile read() {
    read_version();
    reader_.report_unknown_keys(json_, Place(), top_level_keys);
    if (const Json* parameters = json_.find("parameters")) reader_.read_parameters(*parameters);
    read_part("model", "the mechanism", model_);
    read_simulation();
    set_default_names(model_);
    read_meshes();
    read_surfaces();
    std::vector<Issue> issues = reader_.issues();
    check_checkpoint(issues);
    if (issues.empty()) {
      try {
        CheckedRun run(std::move(model_), simulation_);
        std::string hash = hash_of(json_, run.model().given(), surfaces_);
        return {std::move(run), comment(), std::move(hash), given_.dump(), checkpoint_};
      } catch (const InputError& error) {
        issues = error.issues();
      }
    } else {
      append(issues, validate_except(model_, reader_.unreadable()));
      append(issues, validate_except(simulation_, reader_.unreadable()));
      append(issues, validate_together(model_, simulation_, reader_.unreadable()));
    }
    constexpr std::size_t sortable = 1000;  // each costs a walk through the file
    if (issues.size() <= sortable) sort_by_position(issues, json_);
    shorten(issues);
    throw InputError(std::move(issues));
  }

 private:
  const Json& part(const char* key) const { return json_[key]; }

  std::string comment() const {
    if (!json_.contains("comment")) return {};
    const Json& comment = json_["comment"];
    return comment.is_string() ? comment.get<std::string>() : comment.dump();
  }

  /// A file of another version would break rule after rule: say only this.
  void read_version() const {
    const Json& version = part("saltus");
    const std::string remedy = fmt::format("this program reads version {}", format_version);
    if (version.is_null()) {
      throw InputError(Issue{.place = "/saltus",
                             .rule = "is missing",
                             .remedy = fmt::format("begin the file with \"saltus\": {}, the "
                                                   "version of the format",
                                                   format_version)});
    }
    if (!version.is_number() || version.get<double>() != format_version) {
      throw InputError(Issue{.place = "/saltus",
                             .rule = fmt::format("must be {}", format_version),
                             .value = io::shown(version),
                             .remedy = remedy});
    }
  }

  template <class T>
  void read_part(const char* key, const char* text, T& value) {
    const Json* member = json_.find(key);
    if (member != nullptr) {
      reader_.read(*member, Place() / key, value);
    } else {
      reader_.missing(Place(), key, text);
    }
  }

  void check_checkpoint(std::vector<Issue>& issues) const {
    if (checkpoint_.every_seconds > 0 && std::isfinite(checkpoint_.every_seconds)) return;
    issues.push_back({.place = fmt::format("/simulation/{}/every_seconds", io::checkpoint_key),
                      .rule = "must be > 0",
                      .value = fmt::format("{}", checkpoint_.every_seconds)});
  }

  /// Without what is no part of the motion.
  void read_simulation() {
    const Json* given = json_.find("simulation");
    if (given == nullptr || !given->is_object() || !given->contains(io::checkpoint_key) ||
        (given->contains("type") && (*given)["type"] != Dynamics::type_name)) {
      read_part("simulation", "what to compute", simulation_);
      return;
    }
    const Place place("/simulation");
    reader_.read((*given)[io::checkpoint_key], place / io::checkpoint_key, checkpoint_);
    Json rest = *given;
    rest.erase(io::checkpoint_key);
    reader_.read(rest, place, simulation_);
  }

  void read_meshes() {
    for (std::size_t i = 0; i < model_.bodies.size(); ++i) {
      auto* solid = std::get_if<Solid>(&model_.bodies[i]);
      auto* mesh = solid ? std::get_if<MeshFile>(&solid->mesh) : nullptr;
      if (!mesh || mesh->path.empty()) continue;
      const auto known = meshes_.find(solid->name);
      if (known != meshes_.end()) {
        mesh->contents = known->second;
        continue;
      }
      try {
        mesh->contents = read_gmsh_file(directory_ / mesh->path, mesh->path);
        for (Vector3& x : mesh->contents.nodes) x *= mesh->scale;
      } catch (const MeshError& error) {
        const Place bodies("/model/bodies");
        const Place body = bodies / i;
        const Place place = body / "mesh";
        reader_.unusable(place / "path", error.what());
      }
    }
  }

  /// Surfaces of colliders and of inertias: the model has them instead of the name of the file, so
  /// that nothing needs that file again.
  void read_surfaces() {
    const Place colliders("/model/colliders");
    for (std::size_t i = 0; i < model_.colliders.size(); ++i) {
      const Place collider = colliders / i;
      read_surface(model_.colliders[i].shape, collider / "shape",
                   [&]() -> Json& { return given_["model"]["colliders"][i]["shape"]; });
    }
    const Place bodies("/model/bodies");
    for (std::size_t i = 0; i < model_.bodies.size(); ++i) {
      auto* body = std::get_if<RigidBody>(&model_.bodies[i]);
      auto* from = body ? std::get_if<FromShape>(&body->inertia) : nullptr;
      if (!from) continue;
      if (const auto* convex = std::get_if<Convex>(&from->shape)) {
        // Of points without a hull no mass can be taken: validation says so.
        if (const Hull hull = convex_hull(convex->points); hull.is_there()) {
          from->shape = surface_of(hull.polytope, convex->rounding);
        }
        continue;
      }
      const Place place = bodies / i;
      const Place inertia = place / "inertia";
      read_surface(from->shape, inertia / "shape",
                   [&]() -> Json& { return given_["model"]["bodies"][i]["inertia"]["shape"]; });
    }
  }

  /// @param given  of the shape in the text that results keep
  void read_surface(Shape& shape, const Place& place, const auto& given) {
    auto* mesh = std::get_if<MeshShape>(&shape);
    if (!mesh) return;
    if (!mesh->path) return apply_scale(*mesh, given);
    if (!mesh->vertices.empty() || !mesh->triangles.empty()) return;  // both are refused
    if (!(mesh->scale > 0)) return;                                   // its rule is told
    try {
      io::SurfaceMesh surface = io::read_surface_file(directory_ / *mesh->path, *mesh->path);
      for (Vector3& x : surface.vertices) {
        x *= mesh->scale;
        surfaces_ += fmt::format("{} {} {} ", x[0], x[1], x[2]);
      }
      for (const auto& t : surface.triangles) surfaces_ += fmt::format("{} ", fmt::join(t, " "));
      mesh->vertices = std::move(surface.vertices);
      mesh->triangles = std::move(surface.triangles);
      mesh->path.reset();
      mesh->scale = 1;
      Json& text = given();
      for (const char* key : {"path", "scale"}) text.erase(key);
      text["vertices"] = Json::array();
      for (const Vector3& x : mesh->vertices) {
        text["vertices"].push_back(Json::array({x[0], x[1], x[2]}));
      }
      text["triangles"] = Json::array();
      for (const auto& t : mesh->triangles)
        text["triangles"].push_back(Json::array(t.begin(), t.end()));
    } catch (const MeshError& error) {
      reader_.unusable(place / "path", error.what());
    }
  }

  /// Of vertices that stand in the model, which results keep in metres.
  static void apply_scale(MeshShape& mesh, const auto& given) {
    if (mesh.scale == 1 || !(mesh.scale > 0)) return;  // what is not > 0 is refused
    Json& text = given();
    text.erase("scale");
    text["vertices"] = Json::array();
    for (Vector3& x : mesh.vertices) {
      x *= mesh.scale;
      text["vertices"].push_back(Json::array({x[0], x[1], x[2]}));
    }
    mesh.scale = 1;
  }

  static void append(std::vector<Issue>& issues, const std::vector<Issue>& more) {
    issues.insert(issues.end(), more.begin(), more.end());
  }

  const Json& json_;
  Json given_ = json_;  // with what files of surfaces say in place of their names
  std::filesystem::path directory_;
  const std::map<std::string, Mesh>& meshes_;
  Model model_;
  std::string surfaces_ = {};
  SimulationOptions simulation_;
  CheckpointOptions checkpoint_;
  io::JsonReader reader_;
};

std::string read_text(const std::filesystem::path& path) {
  const auto fail = [&](int error) {
    return FileError(fmt::format("{}: cannot be read: {}", path.string(), std::strerror(error)));
  };
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) throw fail(EISDIR);
  errno = 0;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             &std::fclose);
  if (!file) throw fail(errno);
  const std::size_t limit = io::JsonLimits{}.bytes;
  std::string text;
  const std::uintmax_t size = std::filesystem::file_size(path, ignored);
  if (!ignored && size <= limit) text.reserve(size + 1);
  std::string chunk(std::size_t{1} << 20U, '\0');
  while (text.size() <= limit) {
    const std::size_t count = std::fread(chunk.data(), 1, chunk.size(), file.get());
    text.append(chunk, 0, count);
    if (count < chunk.size()) break;
  }
  if (std::ferror(file.get()) != 0) throw fail(errno);
  return text;
}

/// Of what may be left out of a file, although it must have a type where it is given.
Json default_types() {
  Json types = Json::object();
  types["simulation"]["integrator"]["type"] = type_of(Dynamics{}.integrator);
  return types;
}

/// A copy that a program may change.
ModelFile unchecked(const CheckedModelFile& file) {
  return {file.run.model().given(), file.run.options(), file.comment, file.hash};
}

}  // namespace

CheckedModelFile parse_checked_model(std::string_view text, const std::string& file_name,
                                     std::span<const std::string> settings,
                                     const std::map<std::string, Mesh>& meshes) {
  try {
    Json json = io::parse_json_object(text);
    const Json defaults = default_types();
    for (const std::string& setting : settings) io::apply_setting(json, setting, defaults);
    return FileReader(json, std::filesystem::path(file_name).parent_path(), meshes).read();
  } catch (const InputError& error) {
    throw InputError(error.issues(), file_name);
  }
}

ModelFile parse_model(std::string_view text, const std::string& file_name,
                      std::span<const std::string> settings,
                      const std::map<std::string, Mesh>& meshes) {
  return unchecked(parse_checked_model(text, file_name, settings, meshes));
}

std::map<std::string, Mesh> meshes_from_files(const Model& model) {
  std::map<std::string, Mesh> meshes;
  for (const Body& body : model.bodies) {
    const auto* solid = std::get_if<Solid>(&body);
    const auto* file = solid ? std::get_if<MeshFile>(&solid->mesh) : nullptr;
    if (file) meshes[solid->name] = file->contents;
  }
  return meshes;
}

std::string source_of(const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::path place = std::filesystem::weakly_canonical(path, error);
  return hash_of(error ? path.string() : place.string());
}

ModelFile read_model_file(const std::filesystem::path& path,
                          std::span<const std::string> settings) {
  return unchecked(read_checked_model_file(path, settings));
}

CheckedModelFile read_checked_model_file(const std::filesystem::path& path,
                                         std::span<const std::string> settings) {
  return parse_checked_model(read_text(path), path.string(), settings);
}

}  // namespace saltus
