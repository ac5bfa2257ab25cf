# One list of warnings for all of our own targets; third-party headers are included as SYSTEM.
add_library(saltus_warnings INTERFACE)
# g++ 12 takes Eigen's empty storage and empty optionals for uninitialised, depending on what it inlines.
target_compile_options(saltus_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
  $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized> $<$<BOOL:${SALTUS_WERROR}>:-Werror>)
