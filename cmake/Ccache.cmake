# Precompiled headers need -fpch-preprocess for what is compiled with them to be cached.
find_program(SALTUS_CCACHE ccache)
if(SALTUS_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${PROJECT_SOURCE_DIR}/cmake/compile_cached)
  add_compile_options(-fpch-preprocess)
endif()
