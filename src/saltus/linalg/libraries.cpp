// SPDX-License-Identifier: Apache-2.0
#include "saltus/linalg/libraries.hpp"

#include <dlfcn.h>
#include <dmumps_c.h>
#include <metis.h>
#include <suitesparse/klu.h>

#include <Eigen/Core>

namespace saltus::linalg {
namespace {

std::string version_text(int a, int b, int c) {
  return std::to_string(a) + '.' + std::to_string(b) + '.' + std::to_string(c);
}

/// Of the BLAS that MUMPS found when the program was started: it may choose by the processor.
std::string blas_text() {
  using Config = char* (*)();
  const auto config = reinterpret_cast<Config>(::dlsym(RTLD_DEFAULT, "openblas_get_config"));
  return config != nullptr ? config() : "not OpenBLAS";
}

}  // namespace

std::vector<std::pair<std::string, std::string>> libraries() {
  return {{"Eigen", version_text(EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION)},
          {"KLU", version_text(KLU_MAIN_VERSION, KLU_SUB_VERSION, KLU_SUBSUB_VERSION)},
          {"METIS", version_text(METIS_VER_MAJOR, METIS_VER_MINOR, METIS_VER_SUBMINOR)},
          {"MUMPS", MUMPS_VERSION},
          {"BLAS", blas_text()}};
}

}  // namespace saltus::linalg
