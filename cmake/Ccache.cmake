find_program(SALTUS_CCACHE ccache)
if(SALTUS_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Precompiled headers need this sloppiness to be cached.
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${SALTUS_CCACHE})
  add_compile_options(-fpch-preprocess)
endif()
