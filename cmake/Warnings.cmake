# One list of warnings for all of our own targets; third-party headers are included as SYSTEM.
add_library(saltus_warnings INTERFACE)
target_compile_options(saltus_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
  $<$<BOOL:${SALTUS_WERROR}>:-Werror>)
