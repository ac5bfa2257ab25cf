// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "saltus/io/model_file.hpp"
#include "saltus/io/run_origin.hpp"
#include "saltus/simulation/result_sink.hpp"

namespace saltus::io {

/// Files with steps that failed; of a step that was only inaccurate its number is added.
constexpr const char* capsule_file_name = "capsule";

/// A step of a run with all that is needed to solve it again: one file, no other is looked at.
struct Capsule {
  std::string model = {};                   ///< RunOrigin::model
  std::string model_hash = {};              ///< RunOrigin::model_hash
  std::string given_text = {};              ///< RunOrigin::given_text
  std::map<std::string, Mesh> meshes = {};  ///< RunOrigin::meshes
  int threads = 1;
  StepCapsule step = {};

  void archive(Archive& all);
};

void write_capsule(const std::filesystem::path& path, const RunOrigin& origin,
                   const StepCapsule& step);

/// @throws FileError that says why if it is none, damaged, or of another version
Capsule read_capsule(const std::filesystem::path& path);

/// Removes those that a run has left.
void remove_capsules(const std::filesystem::path& directory);

}  // namespace saltus::io
