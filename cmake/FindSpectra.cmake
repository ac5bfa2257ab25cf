# Spectra: header-only, imported target Spectra::Spectra.
find_path(Spectra_INCLUDE_DIR Spectra/SymGEigsShiftSolver.h)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Spectra REQUIRED_VARS Spectra_INCLUDE_DIR)
if(Spectra_FOUND AND NOT TARGET Spectra::Spectra)
  add_library(Spectra::Spectra INTERFACE IMPORTED)
  set_target_properties(Spectra::Spectra PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES ${Spectra_INCLUDE_DIR})
endif()
