// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/stored_run.hpp"

#include <fmt/format.h>

#include "saltus/io/result_info.hpp"

namespace saltus::io {
namespace {

std::filesystem::path results_in(const std::filesystem::path& directory) {
  read_result_info(directory);  // says what is wrong with a directory that is no result
  return directory / "results.h5";
}

CheckedModel read_model(const Hdf5Reader& file, const std::filesystem::path& directory) {
  if (file.rows() == 0) {
    throw FileError(fmt::format("{}: the run has recorded nothing yet", directory.string()));
  }
  const std::string path = (directory / "results.h5").string();
  try {
    return parse_checked_model(file.text("model"), path, {}, file.meshes()).run.model();
  } catch (const InputError& error) {
    throw FileError(fmt::format(
        "the model in these results is not one that this version reads; run it again\n{}",
        error.what()));
  }
}

}  // namespace

StoredRun::StoredRun(const std::filesystem::path& directory)
    : file(results_in(directory)), model(read_model(file, directory)), system(model) {}

}  // namespace saltus::io
