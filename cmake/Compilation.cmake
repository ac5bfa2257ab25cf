# SPDX-License-Identifier: Apache-2.0
# How the modules are compiled, for a build that takes minutes:
#
# - Precompiled headers, for parsing Eigen and the model's structs costs more than most files do. The
#   module that begins a layer makes them, the modules above use the last ones. That every header can
#   stand alone is checked apart, by `./dev lint`.
# - Several files at a time (SALTUS_UNITY), which share what they instantiate of Eigen's templates.
# - What reads, checks and writes is optimised little; what computes in every step is optimised most.
set(model_headers saltus/model/model.hpp saltus/model/options.hpp)
set(dynamics_headers ${model_headers} saltus/dynamics/state.hpp saltus/dynamics/system.hpp)
set(precompiled_core "")
set(precompiled_model ${model_headers} saltus/model/validate_parts.hpp)
set(precompiled_geometry ${dynamics_headers})
set(precompiled_io ${dynamics_headers})
set(little_optimised model io verify study cli)

# g++ collects garbage less often: a sixth quicker, for some 0.5 GB more.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  add_compile_options("SHELL:--param ggc-min-heapsize=1000000")
endif()

function(saltus_compilation target name)
  if(DEFINED precompiled_${name})
    list(TRANSFORM precompiled_${name} PREPEND ${PROJECT_SOURCE_DIR}/src/ OUTPUT_VARIABLE headers)
    target_precompile_headers(${target} PRIVATE <Eigen/Dense> <Eigen/Sparse> <fmt/format.h>
      <fmt/ranges.h> <algorithm> <array> <cmath> <functional> <map> <memory> <numeric> <optional>
      <span> <string> <variant> <vector> ${headers})
    set_property(GLOBAL PROPERTY SALTUS_PRECOMPILED ${target})
  else()
    get_property(last GLOBAL PROPERTY SALTUS_PRECOMPILED)
    target_precompile_headers(${target} REUSE_FROM ${last})
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${SALTUS_UNITY} UNITY_BUILD_BATCH_SIZE 6)
  if(name IN_LIST little_optimised)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
endfunction()
