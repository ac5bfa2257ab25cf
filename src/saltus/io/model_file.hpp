// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "saltus/core/input_error.hpp"
#include "saltus/io/checkpoint_options.hpp"
#include "saltus/model/checked_model.hpp"

namespace saltus {

/// A file could not be read or written.
class FileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What a model file says; a program may change it.
struct ModelFile {
  Model model = {};
  SimulationOptions simulation = {};
  std::string comment = {};  ///< the outermost "comment"
  /// 128-bit XXH3, in hexadecimal digits, of what the file says after the settings: independent of
  /// white space, order of keys, spelling of numbers and comments.
  std::string hash = {};
};

/// Reads and validates a model file.
/// @param settings  assignments "POINTER=VALUE" that are applied before reading, as `--set` does.
/// @throws FileError if the file cannot be read, InputError with all broken rules if it is wrong.
ModelFile read_model_file(const std::filesystem::path& path,
                          std::span<const std::string> settings = {});

/// The same for a text.
/// @param file_name  what messages call it
/// @param meshes     of solids, by their names, instead of the mesh files that they name
ModelFile parse_model(std::string_view text, const std::string& file_name,
                      std::span<const std::string> settings = {},
                      const std::map<std::string, Mesh>& meshes = {});

/// What a model file says, as it was checked.
struct CheckedModelFile {
  CheckedRun run;
  std::string comment = {};  ///< as in ModelFile
  std::string hash = {};     ///< as in ModelFile
  std::string text = {};     ///< what the file says after the settings
  CheckpointOptions checkpoint = {};
};

/// `read_model_file` for who runs the model as it is: nothing is checked a second time.
CheckedModelFile read_checked_model_file(const std::filesystem::path& path,
                                         std::span<const std::string> settings = {});
/// `parse_model` for the same.
CheckedModelFile parse_checked_model(std::string_view text, const std::string& file_name,
                                     std::span<const std::string> settings = {},
                                     const std::map<std::string, Mesh>& meshes = {});

/// The meshes of solids that came from files, by the solids' names.
std::map<std::string, Mesh> meshes_from_files(const Model& model);

/// A text that is the same for the same file at the same place, and does not say where that is.
std::string source_of(const std::filesystem::path& path);

/// The text of a model file that reads back as the same model and options; defaults are left out.
/// @throws InputError if `validate` has objections.
std::string write_model(const Model& model, const SimulationOptions& simulation);
std::string write_model(const CheckedRun& run);

/// The JSON Schema (draft 2020-12) of model files.
std::string model_schema();

}  // namespace saltus
